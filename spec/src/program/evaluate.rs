//! Runs checks on a descriptor. Nothing is allocated for a valid one.

use std::ops::Range;

use smallvec::{SmallVec, smallvec};

use super::{
    Base, Check, Fields, Program, Violation,
    near::{Holds, Near},
};
use crate::{
    desc::{Descriptor, TensorDesc, Value},
    level::FeatureLevel,
    model::{Catalog, Field, Operator, SupportTable, Text, dimension_cell_id, type_cell_id},
    rule::{Data, Env, Subject, eval_bool, typed::Node},
};

/// A clause or support cell on a tensor, with the checks of the clause.
#[derive(Debug)]
pub struct Aim<'t> {
    clause: &'t str,
    tensor: Option<&'t str>,
    checks: SmallVec<[usize; 4]>,
    /// The fields that decide about it.
    reads: Fields,
}

impl Aim<'_> {
    /// Whether a violation is of this clause, on this tensor.
    pub fn is(&self, violation: &Violation) -> bool {
        violation.clause == self.clause && violation.tensor.as_deref() == self.tensor
    }
}

/// Whether each check holds by what the runtimes demand.
type Held = SmallVec<[bool; 128]>;

impl Program {
    /// Every clause and support cell that a descriptor violates at `level`: clauses in the order of the checks,
    /// then cells in struct order. A check whose needs do not hold is not evaluated, and does not hold itself.
    ///
    /// Below the operator's first level the clause is `<OPERATOR>/introduced`.
    pub fn evaluate(
        &self,
        catalog: &Catalog,
        operator: &Operator,
        descriptor: &Descriptor,
        level: FeatureLevel,
    ) -> Vec<Violation> {
        let all = self.evaluate_while(catalog, operator, descriptor, level, &|_| true);
        all.unwrap_or_default()
    }

    /// Like [`Program::evaluate`], but stops with `None` at the first violation that `goes_on` refuses. That is much
    /// faster than evaluating the rest.
    pub fn evaluate_while(
        &self,
        catalog: &Catalog,
        operator: &Operator,
        descriptor: &Descriptor,
        level: FeatureLevel,
        goes_on: &dyn Fn(&Violation) -> bool,
    ) -> Option<Vec<Violation>> {
        self.violations(Run::new(self, operator, Env::new(catalog, descriptor, level), goes_on))
    }

    /// Like [`Program::evaluate_while`], at the level of a base, whose rules are not evaluated again where they read fields
    /// that the descriptor shares with it. `changed` are the fields in which it may differ from the base; `None` is any.
    pub fn evaluate_near(
        &self,
        catalog: &Catalog,
        operator: &Operator,
        base: &Base,
        (descriptor, changed): (&Descriptor, Option<&[usize]>),
        goes_on: &dyn Fn(&Violation) -> bool,
    ) -> Option<Vec<Violation>> {
        let mut run = Run::new(self, operator, Env::new(catalog, descriptor, base.level), goes_on);
        run.near = Some(Near::new(base, descriptor, changed));
        self.violations(run)
    }

    /// What a run finds.
    fn violations(&self, mut run: Run<'_>) -> Option<Vec<Violation>> {
        let (operator, level) = (run.operator, run.env.level);
        run.checks();
        if level < operator.introduced || (run.table.is_none() && !operator.support.is_empty()) {
            let introduced = run.note(Violation {
                clause: Text::Owned(format!("{}/introduced", operator.name)),
                tensor: None,
                text: true,
                runtime: true,
            });
            run.cells.push(introduced);
        }
        let Run {
            mut violations,
            cells,
            given_up,
            ..
        } = run;
        violations.extend(cells);
        (!given_up).then_some(violations)
    }

    /// Whether a descriptor near a base violates each of these clauses or support cells on its tensor, regardless of other
    /// violations and of what the clauses need. Much faster than finding all violations. `changed` as in
    /// [`Program::evaluate_near`]. `since` are the fields in which it may differ from another descriptor that violates all
    /// of them; `None` if there is none.
    pub fn breaks_all(
        &self,
        catalog: &Catalog,
        operator: &Operator,
        base: &Base,
        (descriptor, changed): (&Descriptor, Option<&[usize]>),
        (aims, since): (&[Aim<'_>], Option<&[usize]>),
    ) -> bool {
        let mut run = Run::new(self, operator, Env::new(catalog, descriptor, base.level), &|_| true);
        run.near = Some(Near::new(base, descriptor, changed));
        let since: Option<Fields> = since.map(|fields| fields.iter().copied().collect());
        let is_asked = |aim: &&Aim<'_>| since.is_none_or(|fields| aim.reads.meets(fields));
        aims.iter().filter(is_asked).all(|aim| run.breaks(aim))
    }

    /// A clause or support cell on a tensor, for [`Program::breaks_all`].
    pub fn aim<'t>(&self, operator: &Operator, clause: &'t str, tensor: Option<&'t str>) -> Aim<'t> {
        let own = |(_, check): &(usize, &Check)| check.clause == clause;
        let checks: SmallVec<[(usize, &Check); 4]> = self.checks.iter().enumerate().filter(own).collect();
        let reads = if checks.is_empty() {
            let name = tensor.and_then(|tensor| tensor.split('[').next());
            let field = name.and_then(|name| operator.field_index(name));
            // A group may depend on every field.
            match field.filter(|_| self.groups.is_empty()) {
                Some(field) => Fields::from_iter([field]),
                None => (0..operator.fields.len()).collect(),
            }
        } else {
            checks
                .iter()
                .fold(Fields::default(), |all, (_, check)| all.joined(check.reads))
        };
        Aim {
            clause,
            tensor,
            checks: checks.iter().map(|(index, _)| *index).collect(),
            reads,
        }
    }

    /// Name of the group of the support tables that a descriptor belongs to: empty if there are no groups, `None` if it
    /// belongs to none of them.
    pub fn group(&self, catalog: &Catalog, descriptor: &Descriptor, level: FeatureLevel) -> Option<&str> {
        self.group_in(&Env::new(catalog, descriptor, level))
    }

    fn group_in(&self, env: &Env<'_>) -> Option<&str> {
        if self.groups.is_empty() {
            return Some("");
        }
        let holds = |(_, when): &&(Text, Node)| eval_bool(when, env);
        self.groups.iter().find(holds).map(|(name, _)| name.as_ref())
    }

    /// Indices of the [`Program::silences`] that a descriptor with this data touches. Needs are not evaluated, because
    /// they hold for every valid descriptor.
    pub fn evaluate_silences(
        &self,
        catalog: &Catalog,
        descriptor: &Descriptor,
        level: FeatureLevel,
        data: &dyn Data,
    ) -> Vec<usize> {
        let env = Env {
            data: Some(data),
            ..Env::new(catalog, descriptor, level)
        };
        let silences = self.silences.iter().enumerate();
        silences
            .filter(|(_, silence)| silence.speaks_of(descriptor, &env))
            .map(|(i, _)| i)
            .collect()
    }

    /// Whether a guarantee speaks of a valid descriptor with this data.
    pub fn guarantee_applies(
        &self,
        clause: &str,
        catalog: &Catalog,
        descriptor: &Descriptor,
        level: FeatureLevel,
        data: &dyn Data,
    ) -> bool {
        let env = Env {
            data: Some(data),
            ..Env::new(catalog, descriptor, level)
        };
        let mut own = self.guarantees.iter().filter(|check| check.clause == clause).peekable();
        own.peek().is_none() || own.any(|check| check.speaks_of(descriptor, &env))
    }
}

impl Base {
    /// The base of a descriptor.
    pub fn new(
        program: &Program,
        catalog: &Catalog,
        operator: &Operator,
        descriptor: Descriptor,
        level: FeatureLevel,
    ) -> Self {
        let mut run = Run::new(program, operator, Env::new(catalog, &descriptor, level), &|_| true);
        let known: Vec<Vec<Holds>> = program.checks.iter().map(|check| run.each(check)).collect();
        let is_clean = |field: &usize| {
            let mut own = program
                .checks
                .iter()
                .zip(&known)
                .filter(|(check, _)| check.subject == Some(*field));
            own.all(|(_, holds)| holds.iter().all(|holds| *holds == (true, true))) && run.is_supported(*field)
        };
        let clean = (0..operator.fields.len()).filter(is_clean).collect();
        let group = run.group.map(str::to_owned);
        drop(run);
        Self {
            group,
            clean,
            known,
            descriptor,
            level,
        }
    }
}

impl Check {
    /// Whether its rules hold, whatever it needs.
    fn holds(&self, env: &Env<'_>) -> Holds {
        let text = self.text.as_ref().is_none_or(|rule| eval_bool(rule, env));
        (text, self.runtime.as_ref().map_or(text, |rule| eval_bool(rule, env)))
    }

    /// Whether its rule holds; of a tensor field of some tensor.
    fn speaks_of(&self, descriptor: &Descriptor, env: &Env<'_>) -> bool {
        let Some(condition) = &self.text else { return false };
        let Some(field) = self.subject else {
            return eval_bool(condition, env);
        };
        tensors(descriptor, field).iter().enumerate().any(|(element, tensor)| {
            let subject = Some(Subject {
                field,
                element,
                tensor: Some(tensor),
            });
            eval_bool(condition, &Env { subject, ..*env })
        })
    }
}

/// The tensors of a field: none, one, or an array's.
fn tensors(descriptor: &Descriptor, field: usize) -> &[TensorDesc] {
    match descriptor.fields.get(field) {
        Some(Value::Tensor(Some(tensor))) => std::slice::from_ref(tensor),
        Some(Value::Tensors(Some(tensors))) => tensors,
        _ => &[],
    }
}

fn subject(field: usize, element: Option<usize>, tensor: Option<&TensorDesc>) -> Subject<'_> {
    Subject {
        field,
        element: element.unwrap_or(0),
        tensor,
    }
}

struct Run<'a> {
    program: &'a Program,
    operator: &'a Operator,
    table: Option<&'a SupportTable>,
    group: Option<&'a str>,
    env: Env<'a>,
    held: Held,
    /// Tensors that were checked, and the clauses about tensors alone that hold on them, a bit each.
    kept: SmallVec<[(&'a TensorDesc, u64); 8]>,
    violations: Vec<Violation>,
    cells: Vec<Violation>,
    goes_on: &'a dyn Fn(&Violation) -> bool,
    /// What is known already.
    near: Option<Near<'a>>,
    /// A violation stopped the evaluation.
    given_up: bool,
}

impl<'a> Run<'a> {
    fn new(
        program: &'a Program,
        operator: &'a Operator,
        env: Env<'a>,
        goes_on: &'a dyn Fn(&Violation) -> bool,
    ) -> Self {
        Self {
            group: program.group_in(&env),
            program,
            operator,
            table: operator.table_at(env.level),
            env,
            held: Held::new(),
            kept: SmallVec::new(),
            violations: Vec::new(),
            cells: Vec::new(),
            goes_on,
            near: None,
            given_up: false,
        }
    }

    fn checks(&mut self) {
        let checks = &self.program.checks;
        while let Some(check) = checks.get(self.held.len()).filter(|_| !self.given_up) {
            let first = self.held.len();
            match check.subject {
                None => {
                    let ready = check.needs.iter().all(|need| self.held.get(*need) == Some(&true));
                    let holds = ready && self.holds(first, check, None);
                    self.held.push(holds);
                }
                Some(field) => {
                    let rest = checks.iter().skip(first);
                    let length = rest.take_while(|c| c.subject == Some(field)).count();
                    if self.near.is_some_and(|near| near.is_clean(field, self.group)) {
                        self.held.resize(first + length, true);
                    } else {
                        self.field(field, first..first + length);
                    }
                }
            }
        }
    }

    /// Runs the checks of one tensor field, for each of its elements.
    fn field(&mut self, field: usize, checks: Range<usize>) {
        self.held.resize(checks.end, true);
        for (element, tensor) in self.subjects(field) {
            self.subject(field, element, tensor, checks.clone());
        }
    }

    /// The tensors of a field, those of an array with their index; one absent tensor if there are none.
    fn subjects(&self, field: usize) -> SmallVec<[(Option<usize>, Option<&'a TensorDesc>); 4]> {
        let descriptor: &'a Descriptor = self.env.descriptor;
        match descriptor.fields.get(field) {
            Some(Value::Tensor(Some(tensor))) => smallvec![(None, Some(tensor))],
            Some(Value::Tensors(Some(tensors))) => {
                let numbered = tensors.iter().enumerate();
                numbered
                    .map(|(element, tensor)| (Some(element), Some(tensor)))
                    .collect()
            }
            _ => smallvec![(None, None)],
        }
    }

    /// What a check comes to, whatever it needs: on each tensor of its field, where it has one.
    fn each(&self, check: &Check) -> Vec<Holds> {
        let Some(field) = check.subject else {
            return vec![check.holds(&self.env)];
        };
        let subjects = self.subjects(field).into_iter();
        let of_tensor = |(element, tensor): (_, Option<&'a TensorDesc>)| {
            let subject = Some(subject(field, element, tensor));
            match tensor.is_some() || check.asks_presence {
                true => check.holds(&Env { subject, ..self.env }),
                false => (true, true),
            }
        };
        subjects.map(of_tensor).collect()
    }

    /// Whether a clause or support cell is violated on a tensor.
    fn breaks(&mut self, aim: &Aim<'_>) -> bool {
        self.violations.clear();
        self.cells.clear();
        let program = self.program;
        for index in &aim.checks {
            let Some(check) = program.checks.get(*index) else {
                continue;
            };
            match check.subject {
                None => {
                    self.holds(*index, check, None);
                }
                Some(field) => self.alone(field, aim.tensor, Some((*index, check))),
            }
        }
        if aim.checks.is_empty() {
            (0..self.operator.fields.len()).for_each(|field| self.alone(field, aim.tensor, None));
        }
        self.violations.iter().chain(&self.cells).any(|found| aim.is(found))
    }

    /// Whether the support table allows the tensors of a field.
    fn is_supported(&mut self, field: usize) -> bool {
        let known = self.cells.len();
        for (element, tensor) in self.subjects(field) {
            tensor
                .into_iter()
                .for_each(|tensor| self.support(field, element, tensor));
        }
        self.cells.len() == known
    }

    /// One check of one tensor of a field, or its support cells.
    fn alone(&mut self, field: usize, name: Option<&str>, check: Option<(usize, &Check)>) {
        let is_it = |own: &Field| name.is_some_and(|name| name.starts_with(&*own.name));
        if !self.operator.fields.get(field).is_some_and(is_it) {
            return;
        }
        for (element, tensor) in self.subjects(field) {
            if self.label(field, element).as_deref() != name {
                continue;
            }
            match (check, tensor) {
                (Some((index, check)), tensor) if tensor.is_some() || check.asks_presence => {
                    let subject = subject(field, element, tensor);
                    self.holds(index, check, Some((subject, element)));
                }
                (None, Some(tensor)) => self.support(field, element, tensor),
                _ => {}
            }
        }
    }

    fn subject(&mut self, field: usize, element: Option<usize>, tensor: Option<&'a TensorDesc>, checks: Range<usize>) {
        let program = self.program;
        let subject = subject(field, element, tensor);
        let mut held: SmallVec<[bool; 32]> = SmallVec::new();
        let mut structural = true;
        let same = self.kept.iter().filter(|(of, _)| tensor == Some(*of));
        let alike = same.fold(0, |all, (_, clauses)| all | clauses);
        let mut own = 0;
        for (index, check) in program.checks.iter().enumerate().take(checks.end).skip(checks.start) {
            if self.given_up {
                return;
            }
            // Needs of a tensor's checks are checks of the same tensor.
            let need = |need: &usize| need.checked_sub(checks.start).and_then(|i| held.get(i)) == Some(&true);
            let ready = check.needs.iter().all(need);
            let vacuous = tensor.is_none() && !check.asks_presence;
            let bit = check.number.map_or(0, |number| 1_u64 << number);
            let before = self.violations.len();
            let holds = ready && (vacuous || alike & bit != 0 || self.holds(index, check, Some((subject, element))));
            if holds && self.violations.len() == before {
                own |= bit;
            }
            held.push(holds);
            structural &= holds || !check.structural;
            if let Some(all) = self.held.get_mut(index) {
                *all &= holds;
            }
        }
        if let Some(tensor) = tensor {
            self.kept.push((tensor, own));
        }
        if let (true, Some(tensor)) = (structural, tensor) {
            self.support(field, element, tensor);
        }
    }

    /// Evaluates a check and records its violation; returns whether it holds by what the runtimes demand.
    fn holds(&mut self, index: usize, check: &Check, subject: Option<(Subject<'a>, Option<usize>)>) -> bool {
        let env = Env {
            subject: subject.map(|(subject, _)| subject),
            ..self.env
        };
        let element = subject.map_or(0, |(subject, _)| subject.element);
        let known = self.near.and_then(|near| near.known(check.reads, index, element));
        let (text, runtime) = known.unwrap_or_else(|| check.holds(&env));
        if !(text && runtime) {
            let tensor = subject.and_then(|(subject, element)| self.label(subject.field, element));
            let violation = self.note(Violation {
                clause: check.clause.clone(),
                tensor,
                text: !text,
                runtime: !runtime,
            });
            self.violations.push(violation);
        }
        runtime
    }

    /// Checks a tensor against the support table.
    fn support(&mut self, field: usize, element: Option<usize>, tensor: &TensorDesc) {
        let (operator, catalog) = (self.operator, self.env.catalog);
        let found = self.table.zip(operator.fields.get(field)).zip(self.group);
        let Some(((table, Field { name, .. }), group)) = found else {
            return;
        };
        let Some(row) = table.row(group, name) else { return };
        let count = tensor.dimension_count();
        if !row.allows_dimensions(count) {
            self.cell(
                dimension_cell_id(&operator.name, table.level, row, count),
                field,
                element,
            );
        }
        if let Some(data_type) = catalog.data_type(tensor.data_type)
            && !row.allows_type(&data_type.name)
        {
            self.cell(
                type_cell_id(&operator.name, table.level, row, &data_type.name),
                field,
                element,
            );
        }
    }

    fn cell(&mut self, id: String, field: usize, element: Option<usize>) {
        let tensor = self.label(field, element);
        let cell = self.note(Violation {
            clause: Text::Owned(id),
            tensor,
            text: true,
            runtime: true,
        });
        self.cells.push(cell);
    }

    /// Returns the violation, and stops the evaluation if it is not to go on.
    fn note(&mut self, violation: Violation) -> Violation {
        self.given_up |= !(self.goes_on)(&violation);
        violation
    }

    /// `InputTensor`, or `InputTensors[1]`.
    fn label(&self, field: usize, element: Option<usize>) -> Option<Text> {
        let name = &self.operator.fields.get(field)?.name;
        Some(match element {
            None => name.clone(),
            Some(element) => Text::Owned(format!("{name}[{element}]")),
        })
    }
}
