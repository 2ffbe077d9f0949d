//! Wrong backends, each with one realistic mistake, that the suite has to tell from right ones.
//!
//! A fault is a thin wrapper over an oracle: it answers as a right backend does, but where its mistake shows. Faults
//! follow from what an operator is (its clauses, tables, fields and types), so that an operator that comes later has
//! them as well; an oracle adds those of its own kind ([`Oracle::faults`](dml_legacy::oracle::Oracle::faults)).

use dml_spec::answer::Buffer;
use dml_spec::model::{Operator, Text};

use dml_legacy::oracle::{Call, ComputingFault, Right, guess::Elements, oracle};
use dml_plan::planner::Planner;

use crate::{attributes, reading, scene::Scene, strides, validating, writing};

/// The reading of denormals that the wrong backends of this name follow.
const FLUSHED: &str = "denormals-as-zero";

/// Where in a backend a mistake is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Stage {
    /// It takes or refuses the wrong descriptors.
    Validating,
    /// It reads inputs wrongly.
    Reading,
    /// It mistakes an attribute.
    Attributes,
    /// It computes something else.
    Computing,
    /// It writes outputs wrongly.
    Writing,
}

impl Stage {
    /// Its name in tables.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Validating => "validating",
            Self::Reading => "reading",
            Self::Attributes => "attributes",
            Self::Computing => "computing",
            Self::Writing => "writing",
        }
    }
}

/// What a wrong backend answers where its mistake shows.
#[derive(Clone, Debug)]
pub(crate) enum Wrong {
    /// It takes the descriptor.
    Take,
    /// It refuses the descriptor.
    Refuse,
    /// It gives up with an error.
    GiveUp,
    /// It computes these elements of every output; `None` for one that it never writes.
    Elements(Elements),
    /// It leaves these output buffers behind.
    Buffers(Vec<Buffer>),
}

/// How a fault answers; `None` where its mistake does not show.
type Does = Box<dyn Fn(&Scene) -> Option<Wrong> + Send + Sync>;

/// A wrong backend: one mistake.
pub(crate) struct Fault {
    /// Unique among the faults of an operator: lower case with hyphens, ids of clauses and cells as they are.
    pub(crate) name: String,
    /// The mistake in words: lower case, no final period.
    pub(crate) says: String,
    /// Where it is.
    pub(crate) stage: Stage,
    /// What may be said of it.
    pub(crate) right: Right,
    /// Shapes alone decide whether it shows: no other data would.
    pub(crate) by_shape: bool,
    does: Does,
}

impl Fault {
    /// A fault.
    pub(crate) fn new(
        stage: Stage,
        name: impl Into<String>,
        says: impl Into<String>,
        right: Right,
        does: impl Fn(&Scene) -> Option<Wrong> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            says: says.into(),
            stage,
            by_shape: matches!(stage, Stage::Validating) || right == Right::Named(&["unwritten"]),
            right,
            does: Box::new(does),
        }
    }

    /// A fault that computes these elements of every output; `None` where it computes the right ones.
    pub(crate) fn computing(
        name: impl Into<String>,
        says: impl Into<String>,
        right: Right,
        elements: impl Fn(&Call, &[Vec<u64>]) -> Option<Elements> + Send + Sync + 'static,
    ) -> Self {
        Self::new(Stage::Computing, name, says, right, move |scene| {
            let (call, right) = (scene.call()?, scene.right()?);
            elements(call, right).map(Wrong::Elements)
        })
    }

    /// The same fault, of which these classes may be said as well.
    #[must_use]
    pub(crate) fn or(self, also: &'static [&'static str]) -> Self {
        let right = Right::Symptom(also);
        Self { right, ..self }
    }

    /// What it answers to a case; `None` where that is what a right backend answers.
    pub(crate) fn answer(&self, scene: &Scene) -> Option<Wrong> {
        let wrong = match (self.does)(scene)? {
            Wrong::Elements(elements) => Wrong::Buffers(scene.written(&elements)),
            other => other,
        };
        match &wrong {
            // In place, what is not written may be right.
            Wrong::Buffers(buffers) => (buffers.as_slice() != scene.right_buffers()?).then_some(wrong),
            _ => Some(wrong),
        }
    }

    /// Whether it has to be killed under every condition: the others are about descriptors, which have clauses for that.
    pub(crate) fn is_conditional(&self) -> bool {
        self.stage != Stage::Validating
    }

    /// Whether it computes anything for a case, right or wrong.
    pub(crate) fn is_made(&self, scene: &Scene) -> bool {
        (self.does)(scene).is_some()
    }
}

impl From<ComputingFault> for Fault {
    fn from(fault: ComputingFault) -> Self {
        Self::computing(fault.name, fault.says, fault.right, fault.computes)
    }
}

impl std::fmt::Debug for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fault")
            .field("name", &self.name)
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}

/// All faults of an operator, stage by stage. One without an oracle has only those of its validator.
pub(crate) fn faults(suite: &Planner, operator: &Operator) -> Vec<Fault> {
    let mut all = validating::faults(suite, operator, &validating::coupled(suite, operator));
    if let Some(oracle) = oracle(&operator.name) {
        let about = About::of(suite, operator);
        all.extend(strides::faults(&about));
        all.extend(reading::faults(&about));
        all.extend(attributes::faults(suite, operator));
        all.extend(oracle.faults().into_iter().map(Fault::from));
        all.extend(writing::faults(&about));
    }
    all
}

/// What the tables and fields of an operator say of its tensors: which mistakes can be made at all.
pub(crate) struct About {
    /// Data types of inputs, by any table.
    pub(crate) inputs: Vec<dml_spec::model::DataType>,
    /// Data types of outputs, by any table.
    pub(crate) outputs: Vec<dml_spec::model::DataType>,
    /// Inputs and outputs that there can be.
    pub(crate) input_count: usize,
    pub(crate) output_count: usize,
    /// Most dimensions of an input.
    pub(crate) dimensions: u32,
    /// Whether an output can be computed in place.
    pub(crate) in_place: bool,
    /// Whether every output of every type is compared exactly.
    pub(crate) exact: bool,
    /// Whether what becomes of denormals is judged.
    pub(crate) denormals: bool,
}

impl About {
    pub(crate) fn of(suite: &Planner, operator: &Operator) -> Self {
        use dml_spec::model::{FieldKind, Role};
        let fields = |role: Role| operator.fields.iter().filter(move |f| f.kind.role() == Some(role));
        let rows = |role: Role| {
            let names: Vec<&Text> = fields(role).map(|field| &field.name).collect();
            let rows = operator.support.iter().flat_map(|table| table.rows.iter());
            rows.filter(move |row| names.contains(&&row.tensor)).collect::<Vec<_>>()
        };
        let types = |role: Role| {
            let rows = rows(role);
            let all = suite.catalog.data_types.iter();
            all.filter(|ty| rows.iter().any(|row| row.allows_type(&ty.name)))
                .cloned()
                .collect()
        };
        let count = |role: Role| {
            fields(role)
                .map(|f| if matches!(f.kind, FieldKind::Tensors(..)) { 2 } else { 1 })
                .sum()
        };
        Self {
            inputs: types(Role::Input),
            outputs: types(Role::Output),
            input_count: count(Role::Input),
            output_count: count(Role::Output),
            dimensions: rows(Role::Input).iter().map(|row| row.dimensions.1).max().unwrap_or(0),
            in_place: operator.fields.iter().any(|field| !field.in_place.is_empty()),
            denormals: operator
                .clauses
                .iter()
                .any(|clause| clause.tells.iter().any(|variant| variant.name == FLUSHED)),
            exact: fields(Role::Output).all(|f| f.compare.as_ref().is_none_or(|compare| compare.is_exact())),
        }
    }

    pub(crate) fn input(&self, is: impl Fn(&dml_spec::model::DataType) -> bool) -> bool {
        self.inputs.iter().any(is)
    }

    pub(crate) fn output(&self, is: impl Fn(&dml_spec::model::DataType) -> bool) -> bool {
        self.outputs.iter().any(is)
    }
}
