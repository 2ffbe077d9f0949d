//! One case in full: what it gives a backend, what is expected and why.

use dml_spec::{
    model::{Family, Role},
    program::Violation,
};

use dml_case::{
    case::{Case, Mode, Verdict},
    clause,
    context::Context,
    tensor::Shape,
};
use dml_plan::{aliases, planner::Planner};
use dml_report::{
    Style, Terminal,
    grid::{SMALL, grid},
    spell::{cell_text, spell_sizes, spell_value, verdict_text},
};

/// Prints a case; `command` is what runs it.
pub(super) fn show_case(terminal: &mut Terminal, suite: &Planner, case: &Case, command: &str) {
    let Some(context) = Context::new(suite, case) else {
        return;
    };
    let operator = context.operator;
    terminal.line(terminal.paint(Style::Strong, &case.id));
    if let Some(family) = Family::named(case.id.family()) {
        terminal.labelled("  family    ", family.says());
    }
    let mode = match case.mode {
        Mode::Create => "the descriptor is judged; nothing runs",
        Mode::Execute => "the operator runs",
    };
    terminal.line(format!("  mode      {mode}"));
    for (output, input) in aliases::name_aliases(operator, &case.descriptor, &case.aliases) {
        let text = format!("{output} lies in the memory of {input}, which it overwrites");
        terminal.labelled("  in place  ", &text);
    }
    terminal.heading("descriptor");
    terminal.line(format!("  {}", operator.name));
    for (field, value) in operator.fields.iter().zip(&case.descriptor.fields) {
        let text = spell_value(suite, &field.kind, value);
        terminal.labelled(&format!("    {:<20} ", field.name), &text);
    }
    tensors(terminal, context);
    verdict(terminal, context);
    terminal.heading("run it");
    terminal.line(format!("  {command}"));
}

fn verdict(terminal: &mut Terminal, context: Context) {
    let Context { suite, case, .. } = context;
    terminal.heading("expected");
    terminal.line(format!("  {}", verdict_text(&case.verdict)));
    if let Some(level) = case.gate {
        terminal.line(format!("  allowed by the tables from level {level} on"));
    }
    let violations = context.violations();
    for id in case.verdict.clauses() {
        let says = match clause::find(suite, &id) {
            Some(clause::Found::Clause(found)) => found.says.to_string(),
            Some(clause::Found::Cell(cell)) => cell_text(&cell),
            None => String::new(),
        };
        let differ = match violations.iter().find(|v| v.clause == id && v.text != v.runtime) {
            Some(Violation { text: true, .. }) => " (the text refuses the descriptor for that, the runtimes do not)",
            Some(_) => " (the runtimes refuse the descriptor for that, the text does not)",
            None => "",
        };
        terminal.labelled(&format!("  {id}: "), &(says + differ));
    }
}

fn tensors(terminal: &mut Terminal, context: Context) {
    let case = context.case;
    if case.mode == Mode::Create {
        return;
    }
    terminal.heading("inputs");
    let inputs = context.named_tensors(Role::Input);
    for ((name, tensor), bytes) in inputs.iter().zip(&case.inputs) {
        if let Some(shape) = Shape::of(context.catalog(), tensor) {
            elements(terminal, name, &shape, || shape.read(bytes));
        }
    }
    if let Verdict::Unspecified(_) = case.verdict {
        return;
    }
    let Some(outputs) = dml_judge::expected_outputs(context.suite, context.case) else {
        return;
    };
    terminal.heading("outputs");
    let tensors = context.named_tensors(Role::Output);
    for ((name, tensor), output) in tensors.iter().zip(outputs) {
        if let Some(shape) = Shape::of(context.catalog(), tensor) {
            elements(terminal, name, &shape, || output);
        }
    }
}

fn elements(terminal: &mut Terminal, name: &str, shape: &Shape, read: impl FnOnce() -> Vec<u64>) {
    let count = shape.elements();
    terminal.line(format!("  {name}: {} {}", shape.ty.name, spell_sizes(&shape.sizes)));
    if count > SMALL {
        terminal.line(format!("    {count} elements"));
        return;
    }
    for line in grid(&shape.ty, &shape.sizes, &read(), "    ") {
        terminal.line(line);
    }
}
