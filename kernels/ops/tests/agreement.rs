//! The generated validators and the interpreter of the rules are two readings of one specification: for any descriptor
//! they must find the same violations. Expectations of cases come from the interpreter, backends use the validators, so
//! a difference here would be blamed on a backend.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "tests panic, and cut random numbers to size"
)]

mod random;

use std::{collections::BTreeSet, env, sync::LazyLock};

use dml_ops::{FieldMismatch, Operator, OperatorEntry, TopK1, Violations};
use dml_spec::{Catalog, Descriptor, FeatureLevel, TensorDesc, Value, desc::element_bits, model, program::Program};
use dml_spec_yaml::load::{File, Files, embedded, load};
use random::{Rng, mutate, sizes, tensor};

/// Operators that have everything a specification can say, and nothing.
mod synthetic {
    #![allow(
        dead_code,
        unused_imports,
        missing_docs,
        unreachable_pub,
        clippy::neg_cmp_op_on_partial_ord,
        reason = "a whole expansion, of which tests use a part; not (a >= b) is what its rule says, NaN included"
    )]
    use dml_ops::expansion::*;

    dml_codegen::operators!(
        "../../codegen/expand/tests/specification/everything.yaml",
        "../../codegen/expand/tests/specification/nothing.yaml",
    );
}

/// Descriptors tried: as many as the environment says, which .ci/deep does.
static COUNT: LazyLock<u32> = LazyLock::new(|| match env::var("DML_CTS_DESCRIPTORS") {
    Ok(count) => count.parse().unwrap(),
    Err(_) if cfg!(debug_assertions) => 50_000,
    Err(_) => 250_000,
});

type Validate = fn(&Descriptor, FeatureLevel) -> Result<Violations, FieldMismatch>;
type Found = BTreeSet<(String, Option<String>, bool, bool)>;

fn catalog(files: &Files) -> Catalog {
    let (catalog, diagnostics) = load(files);
    catalog.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn synthetic_catalog() -> Catalog {
    let mut files = embedded();
    files.0.retain(|f| f.path.ends_with("directml.yaml"));
    for (path, text) in [
        (
            "everything.yaml",
            include_str!("../../../codegen/expand/tests/specification/everything.yaml"),
        ),
        (
            "nothing.yaml",
            include_str!("../../../codegen/expand/tests/specification/nothing.yaml"),
        ),
    ] {
        files.0.push(File::new(path, text));
    }
    catalog(&files)
}

fn by_interpreter(
    catalog: &Catalog,
    operator: &model::Operator,
    program: &Program,
    d: &Descriptor,
    level: FeatureLevel,
) -> Found {
    let found = program.evaluate(catalog, operator, d, level);
    let count = found.len();
    let set: Found = found
        .into_iter()
        .map(|v| {
            (
                v.clause.into_owned(),
                v.tensor.map(|t| t.into_owned()),
                v.text,
                v.runtime,
            )
        })
        .collect();
    assert_eq!(set.len(), count, "something is reported twice");
    set
}

fn by_validator(found: &Violations) -> Found {
    let tensor = |v: &dml_ops::Violation| match (v.tensor, v.element) {
        (Some(tensor), Some(element)) => Some(format!("{tensor}[{element}]")),
        (tensor, _) => tensor.map(str::to_owned),
    };
    let set: Found = found
        .iter()
        .map(|v| (v.clause.to_owned(), tensor(v), v.text, v.runtime))
        .collect();
    assert_eq!(set.len(), found.len(), "something is reported twice");
    set
}

/// Compares on `count` descriptors at every level; returns how many were valid and which clauses were violated.
fn compare(
    catalog: &Catalog,
    name: &str,
    validate: Validate,
    levels: &[FeatureLevel],
    count: u32,
    plausible: impl Fn(&mut Rng) -> Descriptor,
) -> (u32, BTreeSet<String>) {
    let operator = catalog.operator(name).unwrap();
    let program = Program::compile(catalog, operator).unwrap();
    let (mut valid, mut clauses) = (0, BTreeSet::new());
    for seed in 0..count {
        let mut rng = Rng(u64::from(seed));
        let mut descriptor = plausible(&mut rng);
        let mutations = if rng.one_in(16) { 40 } else { rng.below(5) };
        for _ in 0..mutations {
            mutate(catalog, &mut rng, &mut descriptor);
        }
        for level in levels {
            let expected = by_interpreter(catalog, operator, &program, &descriptor, *level);
            let found = by_validator(&validate(&descriptor, *level).unwrap());
            assert_eq!(found, expected, "seed {seed}, level {level}: {descriptor:#?}");
            valid += u32::from(!expected.iter().any(|(.., runtime)| *runtime));
            clauses.extend(expected.into_iter().map(|(clause, ..)| clause));
        }
    }
    (valid, clauses)
}

fn top_k1(catalog: &Catalog, rng: &mut Rng) -> Descriptor {
    let rank = if rng.one_in(2) { 4 } else { 1 + rng.below(8) };
    let mut input = sizes(rng, rank);
    let axis = rng.below(rank);
    let data_type = rng.pick(&[1, 2, 3, 4, 5, 6, 7, 8, 10, 11]);
    let index_type = rng.pick(&[3, 3, 10]);
    let packed = |t: u32, sizes: &[u32]| TensorDesc::packed(t, element_bits(catalog, t).unwrap(), sizes);
    let input_tensor = packed(data_type, &input);
    let k = 1 + rng.below(input[axis as usize]);
    input[axis as usize] = k;
    TopK1 {
        input_tensor: Some(input_tensor),
        output_value_tensor: Some(packed(data_type, &input)),
        output_index_tensor: Some(packed(index_type, &input)),
        axis,
        k,
        axis_direction: dml_ops::AxisDirection(rng.below(2)),
    }
    .to_descriptor()
}

fn everything(catalog: &Catalog, rng: &mut Rng) -> Descriptor {
    let operator = catalog.operator("EVERYTHING").unwrap();
    let mut descriptor = Descriptor::zeroed(operator);
    for (field, value) in operator.fields.iter().zip(&mut descriptor.fields) {
        match value {
            Value::Tensor(of) if !field.optional || rng.one_in(2) => *of = Some(tensor(catalog, rng)),
            Value::Tensors(of) => *of = Some((0..rng.below(4)).map(|_| tensor(catalog, rng)).collect()),
            _ => {}
        }
    }
    for _ in 0..operator.fields.len() {
        mutate(catalog, rng, &mut descriptor);
    }
    descriptor
}

#[test]
fn top_k1_is_judged_alike() {
    let catalog = catalog(&embedded());
    let levels = [(2, 0), (2, 1), (3, 1), (5, 0)].map(|(major, minor)| FeatureLevel::new(major, minor));
    let validate = dml_ops::find("TOP_K1").unwrap().validate;
    let (valid, clauses) = compare(&catalog, "TOP_K1", validate, &levels, *COUNT, |rng| {
        top_k1(&catalog, rng)
    });
    assert!(valid > *COUNT / 4, "only {valid} descriptors are valid");
    let operator = catalog.operator("TOP_K1").unwrap();
    let constraints = catalog.tensor_clauses.iter().chain(operator.clauses.iter());
    for clause in constraints.filter(|c| c.kind == model::ClauseKind::Constraint && c.retired.is_none()) {
        assert!(clauses.contains(&*clause.id), "no descriptor violates {}", clause.id);
    }
    for cell in [
        "TOP_K1/2.1/InputTensor/8-D",
        "TOP_K1/5.0/OutputIndexTensor/INT4",
        "TOP_K1/introduced",
    ] {
        assert!(clauses.contains(cell), "no descriptor violates {cell}");
    }
}

#[test]
fn everything_that_rules_can_say_is_judged_alike() {
    let catalog = synthetic_catalog();
    let levels = [(1, 0), (2, 0), (3, 1), (6, 4)].map(|(major, minor)| FeatureLevel::new(major, minor));
    let validate = OperatorEntry::of::<synthetic::Everything>().validate;
    let count = *COUNT / 5;
    let (_, clauses) = compare(&catalog, "EVERYTHING", validate, &levels, count, |rng| {
        everything(&catalog, rng)
    });
    for clause in catalog.operator("EVERYTHING").unwrap().clauses.iter() {
        assert!(clauses.contains(&*clause.id), "no descriptor violates {}", clause.id);
    }
    let nothing = Descriptor::zeroed(catalog.operator("NOTHING").unwrap());
    let validate = OperatorEntry::of::<synthetic::Nothing>().validate;
    compare(&catalog, "NOTHING", validate, &levels, 1, |_| nothing.clone());
}

#[test]
fn descriptors_survive_the_way_through_their_types() {
    let catalog = catalog(&embedded());
    let mut rng = Rng(7);
    for _ in 0..1000 {
        let mut descriptor = top_k1(&catalog, &mut rng);
        mutate(&catalog, &mut rng, &mut descriptor);
        assert_eq!(TopK1::from_descriptor(&descriptor).unwrap().to_descriptor(), descriptor);
    }
}
