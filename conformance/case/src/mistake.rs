//! The mistake that explains failures: which small change of the specification gives what a backend gave.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use dml_spec::{
    desc::Value,
    meaning::Place,
    model::{FieldKind, Text},
};

use crate::context::Context;

/// What explains the failures of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The operator.
    pub operator: Text,
    /// The clause that the cases violate; empty if they violate none.
    pub clause: Text,
    /// The kind of the mistake, such as `tie-order`.
    pub kind: &'static str,
    /// What a backend with this mistake does: lower case, no final period.
    pub sentence: String,
    /// The expression of the specification that it changes, if it changes one.
    pub place: Option<(Place, Range<usize>)>,
    /// Failing cases that were compared; it gives what the backend gave in all of them.
    pub failing: usize,
    /// Passing cases that were compared.
    pub passing: usize,
    /// What all failing cases have in common, and no passing case in which the mistake would give something else: the
    /// backend makes the mistake under this condition alone.
    pub condition: Option<String>,
    /// Too few cases fail to tell the mistake from those of `others`.
    pub uncertain: bool,
    /// Further mistakes that fit as well, by their sentences.
    pub others: Vec<String>,
}

/// What a case is, as far as a condition may speak of it: `AxisDirection` is `DECREASING`, `InputTensor.DataType` is
/// `INT64`.
pub type Traits = BTreeMap<String, String>;

/// Most values that a condition lists.
const MOST_VALUES: usize = 4;

/// Fewer passing cases differ from the failing ones in something by chance.
const LEAST: usize = 5;

/// What tells these failing cases from these passing ones: `AxisDirection is DECREASING`. `None` if no single trait does,
/// or if there are too few of them.
pub fn find_condition(failing: &[&Traits], passing: &[&Traits]) -> Option<String> {
    if failing.len().min(passing.len()) < LEAST {
        return None;
    }
    let values = |name: &str, cases: &[&Traits]| -> BTreeSet<Option<String>> {
        cases.iter().map(|traits| traits.get(name).cloned()).collect()
    };
    let names: BTreeSet<&String> = failing.iter().flat_map(|traits| traits.keys()).collect();
    let separates = |name: &String| {
        let there: Option<BTreeSet<String>> = values(name, failing).into_iter().collect();
        let there = there.filter(|there| there.len() <= MOST_VALUES)?;
        let elsewhere = values(name, passing);
        let apart = elsewhere.iter().flatten().all(|value| !there.contains(value));
        apart.then_some((there, name.clone()))
    };
    // The trait with the fewest values says most.
    let found = names.into_iter().filter_map(separates);
    let (values, name) = found.min_by_key(|(values, _)| values.len())?;
    let values: Vec<String> = values.into_iter().collect();
    Some(format!("{name} is {}", values.join(" or ")))
}

/// The traits of a case: its attributes, and of its tensors the data types, the dimension counts, and whether they have
/// strides.
pub fn traits(context: Context<'_>) -> Traits {
    let catalog = context.catalog();
    let mut traits = Traits::new();
    for (field, value) in context.operator.fields.iter().zip(&context.case.descriptor.fields) {
        let name = &field.name;
        match value {
            Value::UInt(number) => {
                let enumeration = match &field.kind {
                    FieldKind::Enum(of) => catalog.enumeration(of),
                    _ => None,
                };
                let member = enumeration.and_then(|of| {
                    let member = of.members.iter().find(|member| member.value == *number)?;
                    Some(
                        member
                            .name
                            .strip_prefix(&*of.prefix())
                            .unwrap_or(&member.name)
                            .to_owned(),
                    )
                });
                traits.insert(name.to_string(), member.unwrap_or_else(|| number.to_string()));
            }
            Value::Int(number) => {
                traits.insert(name.to_string(), number.to_string());
            }
            Value::Tensor(Some(tensor)) => {
                let ty = catalog.data_type(tensor.data_type);
                let ty = ty.map_or_else(|| tensor.data_type.to_string(), |ty| ty.name.to_string());
                traits.insert(format!("{name}.DataType"), ty);
                traits.insert(format!("{name}.DimensionCount"), tensor.dimension_count().to_string());
                let strides = if tensor.strides.is_some() { "given" } else { "null" };
                traits.insert(format!("{name}.Strides"), strides.to_owned());
            }
            Value::Operator(operator) => {
                let operator = operator.as_ref().map_or("null", |operator| &operator.operator);
                traits.insert(name.to_string(), operator.to_owned());
            }
            Value::Tensor(None) => {
                traits.insert(name.to_string(), "null".to_owned());
            }
            _ => {}
        }
    }
    traits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_tells_failing_cases_from_passing_ones() {
        let case = |direction: &str, k: usize| {
            Traits::from([
                ("AxisDirection".to_owned(), direction.to_owned()),
                ("K".to_owned(), k.to_string()),
            ])
        };
        let failing: Vec<Traits> = (0..6).map(|k| case("DECREASING", k)).collect();
        let passing: Vec<Traits> = (3..9).map(|k| case("INCREASING", k)).collect();
        let (failing, passing): (Vec<&Traits>, Vec<&Traits>) = (failing.iter().collect(), passing.iter().collect());
        let condition = find_condition(&failing, &passing);
        assert_eq!(condition.as_deref(), Some("AxisDirection is DECREASING"));
        assert_eq!(find_condition(&failing, &failing), None);
        assert_eq!(find_condition(&failing, &passing[..4]), None, "too few to say so");
    }
}
