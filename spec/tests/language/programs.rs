//! Compiled TOP_K1 on descriptors that break it in one way each.

use dml_spec::{
    Catalog, Descriptor, FeatureLevel, TensorDesc, Value,
    model::{Clause, DataType, Operator},
    program::{Base, Program, Violation},
    rule::{
        Data, Env, RuleError, Val, eval,
        typed::{Op, Type},
    },
};
use expect_test::expect;
use smallvec::smallvec;

use crate::fixture::{AXIS, DIRECTION, INDEX, INPUT, K, VALUE, catalog, clause, every_kind, tensor, top_k1, valid};

fn compiled(catalog: &Catalog, operator: &Operator) -> Program {
    Program::compile(catalog, operator).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// What a changed descriptor violates at level 5.0, one line a violation.
fn violations(change: impl FnOnce(&mut Descriptor)) -> Vec<String> {
    let (catalog, operator) = (catalog(), top_k1());
    let mut descriptor = valid();
    change(&mut descriptor);
    evaluated(&catalog, &operator, &descriptor, FeatureLevel::new(5, 0))
}

fn evaluated(catalog: &Catalog, operator: &Operator, descriptor: &Descriptor, level: FeatureLevel) -> Vec<String> {
    let violations = compiled(catalog, operator).evaluate(catalog, operator, descriptor, level);
    violations.iter().map(describe).collect()
}

fn describe(violation: &Violation) -> String {
    let who = match (violation.text, violation.runtime) {
        (true, true) => "",
        (true, false) => " (text)",
        (false, true) => " (runtime)",
        (false, false) => panic!("no violation: {violation:?}"),
    };
    match &violation.tensor {
        Some(tensor) => format!("{tensor}: {}{who}", violation.clause),
        None => format!("{}{who}", violation.clause),
    }
}

#[test]
fn checks_stand_behind_what_they_need() {
    let program = compiled(&catalog(), &top_k1());
    for (index, check) in program.checks.iter().enumerate() {
        assert!(check.needs.iter().all(|need| *need < index), "{check:?}");
        assert!(check.text.is_some() || check.runtime.is_some());
    }
    let of = |subject| program.checks.iter().filter(|c| c.subject == subject).count();
    // Those of outputs only, and the operator's own.
    assert_eq!(
        (of(Some(VALUE)), of(Some(INDEX))),
        (of(Some(INPUT)) + 4, of(Some(VALUE)))
    );
    assert_eq!(of(None), 9);
    let silences: Vec<_> = program.silences.iter().map(|s| s.subject).collect();
    let (value, index) = (Some(VALUE), Some(INDEX));
    assert_eq!(silences, [Some(INPUT), value, index, value, index, None, None, None]);
    let sizes = program
        .checks
        .iter()
        .find(|c| c.clause == "TOP_K1/value-sizes")
        .unwrap();
    let mut needs: Vec<_> = sizes
        .needs
        .iter()
        .map(|i| (&*program.checks[*i].clause, program.checks[*i].subject))
        .collect();
    needs.dedup_by_key(|need| need.1);
    assert_eq!(
        needs,
        [
            ("TENSOR/not-null", Some(0)),
            ("TENSOR/not-null", Some(1)),
            ("TOP_K1/axis-in-range", None)
        ]
    );
}

type Fault = (fn(&mut Descriptor), &'static str);

#[test]
fn faults_name_their_cause_and_not_its_consequences() {
    let faults: &[Fault] = &[
        (|d| d.fields[AXIS] = Value::UInt(4), "TOP_K1/axis-in-range"),
        (
            |d| d.fields[DIRECTION] = Value::UInt(2),
            "TOP_K1/axis-direction-known (runtime)",
        ),
        (
            |d| d.fields[INPUT] = Value::Tensor(None),
            "InputTensor: TENSOR/not-null (runtime)",
        ),
        (
            |d| tensor(d, INPUT).sizes = None,
            "InputTensor: TENSOR/sizes-given (runtime)",
        ),
        (
            |d| tensor(d, INDEX).data_type = 99,
            "OutputIndexTensor: TENSOR/data-type-known",
        ),
        (
            |d| tensor(d, VALUE).strides = Some(smallvec![6, 6, 1, 2]),
            "OutputValueTensor: TENSOR/output-reach (runtime)",
        ),
        (
            |d| tensor(d, VALUE).strides = Some(smallvec![6, 6, 0, 1]),
            "OutputValueTensor: TENSOR/output-not-broadcast (runtime)",
        ),
        (|d| tensor(d, INPUT).strides = Some(smallvec![0, 0, 0, 1]), ""),
        (
            |d| tensor(d, VALUE).flags = 1,
            "OutputValueTensor: TENSOR/output-not-owned",
        ),
        (
            |d| tensor(d, VALUE).flags = 2,
            "OutputValueTensor: TENSOR/flags-known (runtime)",
        ),
        (
            |d| tensor(d, INPUT).total_tensor_size_in_bytes = 44,
            "InputTensor: TENSOR/total-size",
        ),
        (
            |d| tensor(d, INPUT).total_tensor_size_in_bytes = 1 << 34,
            "InputTensor: TENSOR/element-limit",
        ),
        (
            |d| tensor(d, INPUT).guaranteed_base_offset_alignment = 8,
            "InputTensor: TENSOR/alignment-at-least-16 (runtime)",
        ),
        (
            |d| tensor(d, INPUT).guaranteed_base_offset_alignment = 2,
            "InputTensor: TENSOR/alignment-power-of-two",
        ),
        (|d| tensor(d, INPUT).guaranteed_base_offset_alignment = 16, ""),
        (|_| (), ""),
    ];
    for (change, expected) in faults {
        assert_eq!(violations(change).join(", "), *expected);
    }
}

#[test]
fn coupled_faults_are_all_named() {
    expect![[r#"
        [
            "TOP_K1/k-nonzero",
            "OutputValueTensor: TENSOR/size-nonzero",
            "OutputIndexTensor: TENSOR/size-nonzero",
        ]
    "#]]
    .assert_debug_eq(&sorted_last(violations(|d| {
        d.fields[K] = Value::UInt(0);
        tensor(d, VALUE).sizes = Some(smallvec![1, 1, 3, 0]);
        tensor(d, INDEX).sizes = Some(smallvec![1, 1, 3, 0]);
    })));
    assert_eq!(
        violations(|d| d.fields[K] = Value::UInt(1)),
        ["TOP_K1/value-sizes", "TOP_K1/index-sizes"]
    );
}

/// Operator clauses first, to read better.
fn sorted_last(mut violations: Vec<String>) -> Vec<String> {
    violations.sort_by_key(|v| v.contains(": "));
    violations
}

#[test]
fn disputed_clauses_tell_text_from_runtime() {
    let k_equals_size = |d: &mut Descriptor| {
        d.fields[K] = Value::UInt(4);
        *tensor(d, VALUE) = TensorDesc::packed(1, 32, &[1, 1, 3, 4]);
        *tensor(d, INDEX) = TensorDesc::packed(3, 32, &[1, 1, 3, 4]);
    };
    assert_eq!(violations(k_equals_size), ["TOP_K1/k-below-axis-size (text)"]);
}

#[test]
fn support_cells_follow_the_level() {
    let (catalog, operator) = (catalog(), top_k1());
    let mut descriptor = valid();
    *tensor(&mut descriptor, INDEX) = TensorDesc::packed(10, 64, &[1, 1, 3, 2]);
    let at = |level: &str, descriptor: &Descriptor| evaluated(&catalog, &operator, descriptor, level.parse().unwrap());
    assert_eq!(at("5.0", &descriptor), Vec::<String>::new());
    assert_eq!(
        at("4.1", &descriptor),
        ["OutputIndexTensor: TOP_K1/3.1/OutputIndexTensor/UINT64"]
    );
    assert_eq!(at("2.0", &descriptor), ["TOP_K1/introduced"]);
    tensor(&mut descriptor, INDEX).data_type = 0;
    assert_eq!(
        at("6.4", &descriptor),
        ["OutputIndexTensor: TOP_K1/5.0/OutputIndexTensor/UNKNOWN"]
    );
    for field in [INPUT, VALUE, INDEX] {
        let (data_type, last) = if field == INDEX {
            (3, 2)
        } else {
            (1, if field == INPUT { 4 } else { 2 })
        };
        *tensor(&mut descriptor, field) = TensorDesc::packed(data_type, 32, &[3, last]);
    }
    descriptor.fields[AXIS] = Value::UInt(1);
    assert_eq!(at("5.0", &descriptor), Vec::<String>::new());
    expect![[r#"
        [
            "InputTensor: TOP_K1/2.1/InputTensor/2-D",
            "OutputValueTensor: TOP_K1/2.1/OutputValueTensor/2-D",
            "OutputIndexTensor: TOP_K1/2.1/OutputIndexTensor/2-D",
        ]
    "#]]
    .assert_debug_eq(&at("2.1", &descriptor));
}

#[test]
fn arrays_are_checked_element_by_element() {
    let (catalog, operator) = (catalog(), every_kind());
    let mut descriptor = Descriptor::zeroed(&operator);
    let level = FeatureLevel::new(5, 0);
    // The array is null; the optional tensor may be.
    assert_eq!(
        evaluated(&catalog, &operator, &descriptor, level),
        ["InputTensors: TENSOR/not-null (runtime)"]
    );
    let good = TensorDesc::packed(1, 32, &[2, 3]);
    let bad = TensorDesc {
        data_type: 77,
        ..good.clone()
    };
    let worse = TensorDesc {
        sizes: None,
        ..good.clone()
    };
    descriptor.fields[0] = Value::Tensors(Some(vec![good, bad, worse]));
    expect![[r#"
        [
            "InputTensors[1]: TENSOR/data-type-known",
            "InputTensors[2]: TENSOR/sizes-given (runtime)",
        ]
    "#]]
    .assert_debug_eq(&evaluated(&catalog, &operator, &descriptor, level));
}

#[test]
fn one_broken_element_silences_rules_about_its_array() {
    let (catalog, mut operator) = (catalog(), every_kind());
    operator.clauses = vec![clause("id: EVERY_KIND/never, rule: count(InputTensors) > 9")].into();
    let good = TensorDesc::packed(1, 32, &[2, 3]);
    let bad = TensorDesc {
        sizes: None,
        ..good.clone()
    };
    let mut descriptor = Descriptor::zeroed(&operator);
    let mut with = |tensors: Vec<TensorDesc>| {
        descriptor.fields[0] = Value::Tensors(Some(tensors));
        evaluated(&catalog, &operator, &descriptor, FeatureLevel::new(5, 0))
    };
    assert_eq!(with(vec![good.clone(), good.clone()]), ["EVERY_KIND/never"]);
    assert_eq!(with(vec![bad, good]), ["InputTensors[0]: TENSOR/sizes-given (runtime)"]);
}

#[test]
fn a_descriptor_of_another_shape_is_judged_without_panic() {
    let (catalog, operator) = (catalog(), top_k1());
    let program = compiled(&catalog, &operator);
    for fields in [vec![], vec![Value::UInt(0); 6], vec![Value::Tensors(None); 9]] {
        let descriptor = Descriptor {
            operator: "TOP_K1".into(),
            fields,
        };
        let found = program.evaluate(&catalog, &operator, &descriptor, FeatureLevel::new(5, 0));
        assert!(found.iter().any(|v| v.clause == "TENSOR/not-null"));
    }
}

#[test]
fn every_kind_of_violation_can_end_an_evaluation() {
    let (catalog, operator) = (catalog(), top_k1());
    let program = compiled(&catalog, &operator);
    let mut descriptor = valid();
    descriptor.fields[K] = Value::UInt(1000);
    if let Some(Value::Tensor(Some(tensor))) = descriptor.fields.get_mut(INPUT) {
        tensor.data_type = 11;
    }
    for level in [FeatureLevel::new(5, 0), FeatureLevel::new(1, 0)] {
        let all = program.evaluate(&catalog, &operator, &descriptor, level);
        assert!(all.len() > 1, "{all:?}");
        let found = program.evaluate_while(&catalog, &operator, &descriptor, level, &|v| all.contains(v));
        assert_eq!(found.as_ref(), Some(&all));
        for one in &all {
            let found = program.evaluate_while(&catalog, &operator, &descriptor, level, &|v| v != one);
            assert_eq!(found, None, "{one:?}");
        }
    }
}

#[test]
fn near_a_base_a_descriptor_breaks_what_it_breaks_anywhere() {
    let (catalog, operator) = (catalog(), top_k1());
    let program = compiled(&catalog, &operator);
    type Change = fn(&mut Value);
    let changed = |changes: &[(usize, Change)]| {
        let mut descriptor = valid();
        for (field, change) in changes {
            change(&mut descriptor.fields[*field]);
        }
        descriptor
    };
    let number: Change = |value| *value = Value::UInt(1000);
    let data_type: Change = |value| {
        if let Value::Tensor(Some(tensor)) = value {
            tensor.data_type = 11;
        }
    };
    let sizes: Change = |value| {
        if let Value::Tensor(Some(tensor)) = value {
            tensor.sizes = None;
        }
    };
    let absent: Change = |value| *value = Value::Tensor(None);
    let mut all = vec![
        valid(),
        changed(&[(K, number)]),
        changed(&[(K, number), (INPUT, absent)]),
    ];
    for field in [INPUT, VALUE] {
        all.extend([data_type, sizes, absent].map(|change| changed(&[(field, change)])));
    }
    for level in [
        FeatureLevel::new(5, 0),
        FeatureLevel::new(2, 1),
        FeatureLevel::new(1, 0),
    ] {
        for base in &all {
            let base = Base::new(&program, &catalog, &operator, base.clone(), level);
            for descriptor in &all {
                let anywhere = program.evaluate(&catalog, &operator, descriptor, level);
                let near = program.evaluate_near(&catalog, &operator, &base, (descriptor, None), &|_| true);
                let breaks_all = |of: &Descriptor, aims: &[_]| {
                    program.breaks_all(&catalog, &operator, &base, (of, None), (aims, None))
                };
                let known = anywhere.iter().filter(|one| one.clause != "TOP_K1/introduced");
                let mut aims: Vec<_> = known
                    .map(|one| program.aim(&operator, &one.clause, one.tensor.as_deref()))
                    .collect();
                for aim in &aims {
                    let breaks = |of: &Descriptor| breaks_all(of, std::slice::from_ref(aim));
                    assert_eq!((breaks(descriptor), breaks(&valid())), (true, false), "{aim:?}");
                }
                assert!(breaks_all(descriptor, &aims), "{anywhere:?}");
                // Another descriptor breaks these too if it does so in view of the fields in which it differs.
                for other in &all {
                    let fields = descriptor.fields.iter().zip(&other.fields).enumerate();
                    let differing: Vec<usize> = fields.filter(|(_, (a, b))| a != b).map(|(at, _)| at).collect();
                    let tried = (aims.as_slice(), Some(differing.as_slice()));
                    let since = program.breaks_all(&catalog, &operator, &base, (other, None), tried);
                    assert_eq!(since, breaks_all(other, &aims), "{differing:?} {aims:?}");
                }
                aims.push(program.aim(&operator, "TOP_K1/none", None));
                assert!(!breaks_all(descriptor, &aims), "{anywhere:?}");
                assert_eq!(near, Some(anywhere), "{level} {:?} {descriptor:?}", base.descriptor);
            }
        }
    }
}

struct Sampled;

impl Data for Sampled {
    fn has_nan(&self, field: usize, element: usize) -> bool {
        (field, element) == (INPUT, 0)
    }
    fn has_negative_zero(&self, _: usize, _: usize) -> bool {
        false
    }
    fn has_denormal(&self, _: usize, _: usize) -> bool {
        true
    }
    fn has_infinity(&self, _: usize, _: usize) -> bool {
        false
    }
    fn range(&self, _: usize, _: usize) -> Option<(i128, i128)> {
        Some((-3, 7))
    }
    fn fits(&self, _: usize, _: usize, data_type: &DataType) -> bool {
        data_type
            .whole_numbers()
            .is_some_and(|(least, greatest)| least <= -3 && greatest >= 7)
    }
}

#[test]
fn silences_are_touched_by_data_and_layout() {
    let (catalog, operator) = (catalog(), top_k1());
    let program = compiled(&catalog, &operator);
    let mut descriptor = valid();
    tensor(&mut descriptor, INPUT).strides = Some(smallvec![0, 0, 0, 1]);
    tensor(&mut descriptor, INDEX).strides = Some(smallvec![6, 6, 2, 1]);
    let touched = program.evaluate_silences(&catalog, &descriptor, FeatureLevel::new(5, 0), &Sampled);
    let touched: Vec<_> = touched
        .iter()
        .map(|i| (&*program.silences[*i].clause, program.silences[*i].subject))
        .collect();
    assert_eq!(
        touched,
        [
            ("TENSOR/input-may-overlap", Some(INPUT)),
            ("TENSOR/output-may-be-strided", Some(INDEX)),
            ("TOP_K1/nan-order", None),
            ("TOP_K1/denormals", None)
        ]
    );
}

#[test]
fn expressions_stand_alone() {
    let (catalog, operator, descriptor) = (catalog(), top_k1(), valid());
    let value = |text: &str| {
        let node = Program::expression(&catalog, &operator, text).unwrap();
        eval(&node, &Env::new(&catalog, &descriptor, FeatureLevel::new(5, 0)))
    };
    assert_eq!(value("(InputTensor.Sizes[Axis] + 1) / 2"), Some(Val::Int(2)));
    let sizes = value("InputTensor.Sizes with [Axis] = K").unwrap();
    assert_eq!(sizes.to_dims().as_deref(), Some(&[1, 1, 3, 2][..]));
    assert_eq!(value("InputTensor.DataType"), Some(Val::Int(1)));
    assert_eq!(value("InputTensor.Sizes[4]"), None);
    let of_type = |text, ty: &Type| Program::expression_of(&catalog, &operator, text, ty).map(|n| n.op);
    let direction = Type::Enum("DML_AXIS_DIRECTION".into());
    assert_eq!(of_type("DECREASING", &direction), Ok(Op::Int(1)));
    assert_eq!(
        of_type("DECREASING", &Type::DataType).map_err(|e| e.code),
        Err("spec::unknown-name")
    );
}

/// Codes of the mistakes in TOP_K1 with one more clause.
fn mistakes(extra: Clause) -> Vec<(String, RuleError)> {
    let mut operator = top_k1();
    operator.clauses.to_mut().push(extra);
    let errors = Program::compile(&catalog(), &operator).expect_err("this clause is wrong");
    errors.into_iter().map(|(id, error)| (id.to_string(), error)).collect()
}

#[test]
fn mistakes_name_clause_place_and_code() {
    let found = mistakes(extra("rule: InputTenser.DimensionCount > Axes and K > DataType"));
    let found: Vec<_> = found
        .iter()
        .map(|(id, e)| (&**id, e.code, e.span.clone(), e.hint.as_deref()))
        .collect();
    assert_eq!(
        found,
        [
            (
                "TOP_K1/x",
                "spec::unknown-tensor",
                0..11,
                Some("did you mean `InputTensor`?")
            ),
            ("TOP_K1/x", "spec::unknown-name", 42..50, None),
        ]
    );
    let tensor = mistakes(extra("rule: OutputTensor.DimensionCount > 1"));
    assert_eq!(tensor[0].1.code, "spec::unknown-tensor");
    let dispute = mistakes(extra(&format!(
        "rule: K > 0, status: disputed, {}",
        observed(&["K > Q"])
    )));
    assert_eq!((dispute[0].1.observation, dispute[0].1.span.clone()), (Some(0), 4..5));
}

/// A clause of TOP_K1, and the entry of what releases were seen to do.
fn extra(entries: &str) -> Clause {
    clause(&format!("id: TOP_K1/x, {entries}"))
}

fn observed(rules: &[&str]) -> String {
    let seen = |rule: &&str| format!("{{runtime: R, date: 2026-11-21, says: x, rule: {rule}}}");
    format!("observed: [{}]", rules.iter().map(seen).collect::<Vec<_>>().join(", "))
}

#[test]
fn clauses_must_fit_each_other() {
    for (entries, code) in [
        ("rule: K > 0, needs: [TOP_K1/axis-in-rang]", "spec::unknown-clause"),
        ("rule: K > 0, needs: [TOP_K1/x]", "spec::needs-cycle"),
        ("rule: K > 0, status: disputed", "spec::missing-rule"),
        ("rule: has_nan(InputTensor)", "spec::unknown-function"),
        ("needs: []", "spec::missing-rule"),
        (
            &format!("rule: K > 0, status: disputed, {}", observed(&["K > 1", "K > 2"])),
            "spec::rules-differ",
        ),
    ] {
        assert_eq!(mistakes(extra(entries))[0].1.code, code, "{entries}");
    }
}

#[test]
fn needs_of_another_order_are_put_in_order() {
    let mut operator = top_k1();
    operator.clauses = vec![
        clause("id: TOP_K1/b, rule: K > 0, needs: [TOP_K1/a, TENSOR/data-type-known]"),
        clause("id: TOP_K1/a, rule: bits(InputTensor.DataType) == 32, needs: [TENSOR/data-type-known]"),
    ]
    .into();
    let program = compiled(&catalog(), &operator);
    let own: Vec<_> = program
        .checks
        .iter()
        .enumerate()
        .filter(|(_, c)| c.subject.is_none())
        .collect();
    assert_eq!(
        own.iter().map(|(_, c)| &*c.clause).collect::<Vec<_>>(),
        ["TOP_K1/a", "TOP_K1/b"]
    );
    let first = own[0].0;
    let data_type = program
        .checks
        .iter()
        .position(|c| c.clause == "TENSOR/data-type-known")
        .unwrap();
    assert!(own[0].1.needs.contains(&data_type));
    // This rule mentions no tensor, so no tensor's data type matters to it.
    assert_eq!(own[1].1.needs, [first]);
}

#[test]
fn clauses_that_are_withdrawn_or_apply_to_nothing_have_no_checks() {
    let mut catalog = catalog();
    let retired = clause("id: TENSOR/old, rule: nonsense, applies: any, retired: {}");
    catalog.tensor_clauses.to_mut().push(retired);
    let mut operator = top_k1();
    operator.fields = vec![operator.fields[INPUT].clone(), operator.fields[K].clone()].into();
    operator.clauses = vec![].into();
    let program = compiled(&catalog, &operator);
    assert!(
        program
            .checks
            .iter()
            .all(|c| c.clause != "TENSOR/old" && !c.clause.contains("output"))
    );
}
