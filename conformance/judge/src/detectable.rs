//! Which guarantees a case tests: those that speak of it, and that wrong outputs could violate.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use dml_case::{
    case::{Case, Mode, Verdict},
    context::Context,
    names::{DIFFERS, OVERWRITTEN, UNWRITTEN},
    sample::ELEMENTS,
    suite::Suite,
    tensor::Shape,
};
use dml_oracle::{Basis, Computed, Difference, Mutant, MutantRun, compare, mutants};
use dml_spec::model::{Clause, ClauseKind, Role, Text};

use crate::{
    output::{self, Output},
    violated::{data_facts, speaks_of},
};

/// Whether the elements of some tensor are not packed.
fn has_strides(context: Context) -> bool {
    let tensors = [Role::Input, Role::Output].map(|role| context.named_tensors(role));
    let shapes = tensors.iter().flatten();
    let mut shapes = shapes.filter_map(|(_, desc)| Shape::of(context.catalog(), desc));
    shapes.any(|shape| !shape.is_packed())
}

/// The mutants of each operator, listed when they are first asked for; clones share them.
#[derive(Clone, Debug, Default)]
pub struct MutantCache(Arc<Mutex<BTreeMap<Text, Arc<Vec<Mutant>>>>>);

impl MutantCache {
    /// Whether a case could show that a backend violates a guarantee: it speaks of the case, and some class that it names
    /// could show. A kind of mistakes shows if one of them changes an element: ties are tested if equal values occur.
    pub fn tests_guarantee(&self, suite: &Suite, case: &Case, clause: &Clause) -> bool {
        let runs = case.mode == Mode::Execute && !case.verdict.is_rejection();
        let Some(context) = Context::new(suite, case).filter(|_| runs) else {
            return false;
        };
        if clause.kind != ClauseKind::Guarantee || !speaks_of(context, clause, || data_facts(context)) {
            return false;
        }
        let is_open = matches!(case.verdict, Verdict::Unspecified(_));
        clause.class.iter().any(|class| match &**class {
            "guard-touched" => true,
            "padding-touched" => {
                let outputs = output::list_outputs(context).unwrap_or_default();
                outputs.iter().any(Output::has_padding)
            }
            _ if is_open => false,
            OVERWRITTEN => !case.aliases.is_empty(),
            // Any case that runs shows it, so that it tells no guarantee from another.
            UNWRITTEN => false,
            "strides-ignored" => has_strides(context),
            DIFFERS => context.program().is_some_and(|program| program.meaning.is_some()),
            kind => self.shows(context, kind),
        })
    }

    /// Whether some mistake of this class changes an element of a case; of a large case it is taken to do so.
    fn shows(&self, context: Context, kind: &str) -> bool {
        let mutants = self.mutants(context);
        let mut of_kind = mutants.iter().filter(|mutant| mutant.class() == kind).peekable();
        if of_kind.peek().is_none() {
            return false;
        }
        if context.case.elements(context.catalog()) > ELEMENTS {
            return true;
        }
        let Some(run) = MutantRun::new(context, Basis::Runtime) else {
            return false;
        };
        of_kind.any(|mutant| match run.compute(mutant) {
            Computed::Other(wrong) => compare(run.right(), &wrong) == Difference::Wrong,
            Computed::Right | Computed::Unknown => false,
        })
    }

    fn mutants(&self, context: Context) -> Arc<Vec<Mutant>> {
        let of = || {
            let meaning = context.program().and_then(|program| program.meaning.as_ref());
            meaning.map_or_else(Vec::new, |meaning| {
                mutants(context.catalog(), context.operator, meaning)
            })
        };
        let Ok(mut known) = self.0.lock() else {
            return Arc::new(of());
        };
        let known = known.entry(context.operator.name.clone());
        Arc::clone(known.or_insert_with(|| Arc::new(of())))
    }
}
