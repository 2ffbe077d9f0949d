//! The language as a whole: what parses, what is refused, what has which value.

use dml_spec::{
    Descriptor, FeatureLevel, TensorDesc, Value,
    rule::{
        Env, RuleError, Scope, Val, check, eval, eval_bool,
        interp::MAX_RANGE,
        parse,
        syntax::{Expr, ExprKind, MAX_DEPTH, MAX_LENGTH},
        typed::{Node, Op, Type},
    },
};
use proptest::prelude::*;
use smallvec::smallvec;

use crate::fixture::{catalog, every_kind};

/// Fully parenthesised, to see how a rule is read.
fn shape(text: &str) -> String {
    fn show(e: &Expr) -> String {
        let all = |es: &[Expr]| es.iter().map(show).collect::<Vec<_>>().join(", ");
        match &e.kind {
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Float(value) => format!("{value:?}"),
            ExprKind::Level(level) => format!("level {level}"),
            ExprKind::Name(name) => name.clone(),
            ExprKind::List(items) => format!("[{}]", all(items)),
            ExprKind::Member(a, name, _) => format!("{}.{name}", show(a)),
            ExprKind::Index(a, i) => format!("{}[{}]", show(a), show(i)),
            ExprKind::With(a, i, v) => format!("({} with [{}] = {})", show(a), show(i), show(v)),
            ExprKind::Not(a) => format!("(not {})", show(a)),
            ExprKind::Neg(a) => format!("(-{})", show(a)),
            ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", show(a), show(b)),
            ExprKind::Compare(a, rest) => {
                let rest: String = rest.iter().map(|(op, e)| format!(" {op:?} {}", show(e))).collect();
                format!("({}{rest})", show(a))
            }
            ExprKind::In(a, members) => format!("({} in {{{}}})", show(a), all(members)),
            ExprKind::If(c, a, b) => format!("(if {} then {} else {})", show(c), show(a), show(b)),
            ExprKind::Call(name, _, arguments) => format!("{name}({})", all(arguments)),
            ExprKind::Quantified(q, v, a, b, body) => format!("{q:?}({v} in {}..{}: {})", show(a), show(b), show(body)),
            ExprKind::Meaning(meant) => format!("{meant:?}"),
        }
    }
    show(&parse(text).unwrap_or_else(|error| panic!("{text}: {error}")))
}

#[test]
fn operators_bind_as_documented() {
    for (text, read) in [
        ("a implies b implies c", "(a Implies (b Implies c))"),
        ("a or b and not c == d", "(a Or (b And (not (c Eq d))))"),
        ("1 <= K <= 8", "(1 Le K Le 8)"),
        ("a - b - c * -d % e", "((a Sub b) Sub ((c Mul (-d)) Rem e))"),
        (
            "A.Sizes == B.Sizes with [Axis] = K",
            "(A.Sizes Eq (B.Sizes with [Axis] = K))",
        ),
        (
            "A with [0] = 1 + x with [1] = 2 == B",
            "(((A with [0] = (1 Add x)) with [1] = 2) Eq B)",
        ),
        ("-A[1] + 1.5", "((-A[1]) Add 1.5)"),
        ("x in {A, B} and y", "((x in {A, B}) And y)"),
        ("if a then 1 else 2 + 3", "(if a then 1 else (2 Add 3))"),
        ("all(d in 0..N - 1: S[d] > 0)", "All(d in 0..(N Sub 1): (S[d] Gt 0))"),
        ("sum(S) + sum(d in 0..4: d)", "(sum(S) Add Sum(d in 0..4: d))"),
        ("Level >= level(\"3.1\")", "(Level Ge level 3.1)"),
        ("min(a, (b))", "min(a, b)"),
        ("[]", "[]"),
    ] {
        assert_eq!(shape(text), read, "{text}");
    }
}

#[test]
fn syntax_errors_point_at_the_place() {
    for (text, start, message) in [
        ("K >", 3, "found the end of the rule, expected a value"),
        ("K = 1", 2, "found `=`, expected the end of the rule"),
        ("(K > 0", 6, "found the end of the rule, expected `)`"),
        ("K && x", 2, "unexpected `&&`"),
        (
            "level(3.1) == Level",
            6,
            "found `3.1`, expected a feature level in double quotes, such as \"3.1\"",
        ),
        (
            "Level > level(\"x\")",
            14,
            "invalid feature level `x`; write it like 3.1, 3_1 or DML_FEATURE_LEVEL_3_1",
        ),
        (
            "all(Sizes)",
            4,
            "found `Sizes`, expected a variable, as in `all(d in 0..4: …)`",
        ),
        ("1 + not x", 4, "`not` cannot stand behind this operator"),
        ("2x > 1", 0, "`2x` is neither a number nor a name"),
        ("x == \"a", 5, "text without its closing quote"),
        (
            "99999999999999999999999999999999999999999",
            0,
            "the number `99999999999999999999999999999999999999999` is too large",
        ),
        ("", 0, "found the end of the rule, expected a value"),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!(
            (error.code, error.span.start, error.message.as_str()),
            ("spec::rule-syntax", start, message),
            "{text}"
        );
    }
    assert_eq!(
        parse("K = 1").unwrap_err().hint.as_deref(),
        Some("equality is written `==`")
    );
}

#[test]
fn hostile_text_is_refused_not_followed() {
    let nested = |open: &str, n: usize| parse(&open.repeat(n)).unwrap_err().message;
    let deep = format!("the rule is nested more than {MAX_DEPTH} deep");
    for open in [
        "(",
        "-",
        "not ",
        "[",
        "if ",
        "f(",
        "a[",
        "a with [",
        "all(d in ",
        "x in {",
        "a implies ",
    ] {
        assert_eq!(nested(open, 400), deep, "{open}");
    }
    for tail in ["+1", ".a", "[0]", " and x", " with [0] = 1", " < 1"] {
        assert_eq!(
            parse(&format!("a{}", tail.repeat(400))).unwrap_err().message,
            deep,
            "{tail}"
        );
    }
    assert!(
        parse(&" ".repeat(MAX_LENGTH + 1))
            .unwrap_err()
            .message
            .contains("more than")
    );
    // Doubling the middle of a chain again and again stays small.
    let mut chain = "1".to_owned();
    for _ in 0..14 {
        chain = format!("(if 0 < {chain} < 2 then 1 else 2)");
    }
    let (catalog, operator) = (catalog(), every_kind());
    let errors = check(&parse(&chain).unwrap(), &Scope::operator(&catalog, &operator), None).unwrap_err();
    assert_eq!(errors.len(), 1);
}

fn typed(text: &str) -> Result<Node, Vec<RuleError>> {
    let (catalog, operator) = (catalog(), every_kind());
    check(
        &parse(text).unwrap_or_else(|error| panic!("{text}: {error}")),
        &Scope::operator(&catalog, &operator),
        None,
    )
}

#[test]
fn names_and_types_are_checked() {
    for (text, code, at) in [
        ("Cuont > 1", "spec::unknown-name", 0..5),
        ("OutputTensor.Sizes", "spec::unknown-tensor", 0..12),
        ("BiasTensor.Size", "spec::unknown-property", 11..15),
        ("Count.Size", "spec::unknown-property", 6..10),
        ("cuont(Axes)", "spec::unknown-function", 0..5),
        ("has_nan(BiasTensor)", "spec::unknown-function", 0..7),
        ("Count and true", "spec::ill-typed-rule", 0..5),
        ("Count == Axes", "spec::ill-typed-rule", 9..13),
        ("Axes < Axes", "spec::ill-typed-rule", 0..11),
        ("BiasTensor == BiasTensor", "spec::ill-typed-rule", 0..24),
        ("Epsilon % 2.0", "spec::ill-typed-rule", 0..13),
        ("Count + Epsilon", "spec::ill-typed-rule", 8..15),
        ("BiasTensor.DataType == FLOAT23", "spec::unknown-name", 23..30),
        (
            "BiasTensor.DataType in {FLOAT32, Target}",
            "spec::ill-typed-rule",
            33..39,
        ),
        ("Value == 1", "spec::ill-typed-rule", 0..5),
        ("FusedActivation.Alpha == 1", "spec::ill-typed-rule", 16..21),
        ("FusedActivation.Type == 1", "spec::ill-typed-rule", 24..25),
        ("Activations.Type == 1", "spec::unknown-property", 12..16),
        ("present(Count)", "spec::ill-typed-rule", 8..13),
        ("present(BiasTensor.Sizes)", "spec::ill-typed-rule", 8..24),
        ("min(1)", "spec::ill-typed-rule", 0..3),
        ("Count[0]", "spec::ill-typed-rule", 0..5),
        ("all(d in 0..2: d)", "spec::ill-typed-rule", 15..16),
        ("d + sum(d in 0..2: d)", "spec::unknown-name", 0..1),
        ("tensor", "spec::unknown-name", 0..6),
    ] {
        let errors = typed(text).expect_err(text);
        let found: Vec<_> = errors.iter().map(|e| (e.code, e.span.clone())).collect();
        assert_eq!(found, [(code, at)], "{text}: {errors:?}");
    }
    let errors = typed("Cuont > 1 and has_size(BiasTensor) and Axes").unwrap_err();
    let hints: Vec<_> = errors.iter().map(|e| e.hint.as_deref()).collect();
    assert_eq!(
        hints,
        [Some("did you mean `Count`?"), Some("did you mean `has_sizes`?"), None]
    );
    let nested = "all(a in 0..1: all(b in 0..1: all(c in 0..1: all(d in 0..1: all(e in 0..1: true)))))";
    assert_eq!(
        typed(nested).unwrap_err()[0].message,
        "more than 4 quantifiers in each other"
    );
}

#[test]
fn constants_follow_their_neighbour() {
    let value = |text: &str| {
        typed(text).map(|node| match node.op {
            Op::Binary(_, _, b) => (b.ty, b.op),
            other => panic!("{other:?}"),
        })
    };
    assert_eq!(
        value("BiasTensor.DataType == FLOAT16"),
        Ok((Type::DataType, Op::Int(2)))
    );
    assert_eq!(
        value("BiasTensor.DataType == DML_TENSOR_DATA_TYPE_FLOAT16"),
        Ok((Type::DataType, Op::Int(2)))
    );
    assert_eq!(
        value("BiasTensor.Flags == DML_TENSOR_FLAG_OWNED_BY_DML"),
        Ok((Type::Int, Op::Int(1)))
    );
    assert_eq!(value("Epsilon > 0"), Ok((Type::Float, Op::Float(0.0))));
    assert_eq!(value("Target != INT4"), Ok((Type::DataType, Op::Int(13))));
    let first = typed("FLOAT16 == BiasTensor.DataType").unwrap();
    assert!(matches!(first.op, Op::Binary(_, a, _) if a.op == Op::Int(2)));
    let (catalog, operator) = (catalog(), every_kind());
    let subject = check(
        &parse("Type == BUFFER and DataType == FLOAT32").unwrap(),
        &Scope::tensor(&catalog),
        Some(&Type::Bool),
    );
    assert!(subject.is_ok(), "{subject:?}");
    let data = Scope::operator(&catalog, &operator).with_data();
    assert!(
        check(
            &parse("has_nan(BiasTensor) or has_nan(InputTensors[0])").unwrap(),
            &data,
            None
        )
        .is_ok()
    );
}

/// An activation with this input, and no output.
fn activation(input: Option<TensorDesc>) -> Descriptor {
    Descriptor {
        operator: "ACTIVATION_TANH".into(),
        fields: vec![Value::Tensor(input), Value::Tensor(None)],
    }
}

fn filled() -> Descriptor {
    let mut bias = TensorDesc::packed(2, 16, &[2, 3]);
    bias.strides = Some(smallvec![4, 1]);
    Descriptor {
        operator: "EVERY_KIND".into(),
        fields: vec![
            Value::Tensors(Some(vec![
                TensorDesc::packed(1, 32, &[5]),
                TensorDesc::packed(13, 4, &[7, 2]),
            ])),
            Value::Tensor(Some(bias)),
            Value::UInt(2),
            Value::Int(-3),
            Value::Float(0.5),
            Value::UInt(7),
            Value::UInts(Some(smallvec![0, 2])),
            Value::Ints(Some(smallvec![-1, 4])),
            Value::Floats(Some(smallvec![1.5, 2.0])),
            Value::ScaleBias(Some((2.0, -1.0))),
            Value::Size2D(3, 4),
            Value::Scalar([0; 8]),
            Value::Operator(None),
            Value::UInt(13),
            Value::Operators(Some(vec![activation(None), activation(None)])),
        ],
    }
}

/// The value as text; `undefined` if there is none.
fn value_in(descriptor: &Descriptor, text: &str) -> String {
    let node = typed(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let catalog = catalog();
    match eval(&node, &Env::new(&catalog, descriptor, FeatureLevel::new(3, 1))) {
        None => "undefined".to_owned(),
        Some(Val::Bool(value)) => value.to_string(),
        Some(Val::Int(value)) => value.to_string(),
        Some(Val::Float(value)) => format!("{value:?}"),
        Some(Val::List(list)) => format!("{:?}", list.iter().collect::<Vec<_>>()),
        Some(other) => format!("{other:?}"),
    }
}

fn value(text: &str) -> String {
    value_in(&filled(), text)
}

#[test]
fn fields_and_properties_have_their_values() {
    for (text, expected) in [
        ("InputTensors[1].Sizes", "[7, 2]"),
        ("InputTensors[2].Sizes", "undefined"),
        ("InputTensors[-1].Sizes", "undefined"),
        ("count(InputTensors) + count(Axes) * 10 + count(Scales) * 100", "222"),
        ("BiasTensor.Strides", "[4, 1]"),
        ("InputTensors[0].Strides", "undefined"),
        ("layout_strides(InputTensors[1])", "[2, 1]"),
        ("layout_strides(BiasTensor) == [4, 1]", "true"),
        ("minimum_total_size(BiasTensor)", "16"),
        ("minimum_total_size(InputTensors[1])", "8"),
        ("overlaps(BiasTensor) or overlaps(InputTensors[0])", "false"),
        ("Offset", "-3"),
        ("Normalize", "true"),
        ("Epsilon * 2", "1.0"),
        ("Epsilon / 0", "undefined"),
        ("Shifts", "[-1, 4]"),
        ("Shifts[1] - Shifts[0]", "5"),
        ("Shifts with [0] = 1", "undefined"),
        ("Scales[1] - ScaleBias.Bias + ScaleBias.Scale", "5.0"),
        ("ScaleSize.Width * 10 + ScaleSize.Height", "34"),
        ("present(FusedActivation) or not present(Scales)", "false"),
        ("count(Activations)", "2"),
        ("present(Activations) and unbound(Activations)", "true"),
        ("bits(Target) + bits(InputTensors[0].DataType)", "36"),
        (
            "is_signed(Target) and is_float(BiasTensor.DataType) and not is_unsigned(Target)",
            "true",
        ),
        ("is_known(Target)", "true"),
        ("number(Target)", "13"),
        ("Level >= level(\"3.1\") and Level < level(\"4.0\")", "true"),
        ("BiasTensor.DataType in {FLOAT16, FLOAT32}", "true"),
        ("Offset in {3, -3}", "true"),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn arithmetic_and_lists() {
    for (text, expected) in [
        ("Offset / 2", "-2"),
        ("Offset % 2", "1"),
        ("Count / 0", "undefined"),
        ("170141183460469231731687303715884105727 + Count", "undefined"),
        ("div_ceil(7, Count) + align_up(9, 4) + min(1, 2) + max(1, 2)", "19"),
        ("is_power_of_two(64) and not is_power_of_two(0)", "true"),
        ("product(Axes) + sum(Axes) + product([])", "3"),
        (
            "contains(Axes, 2) and distinct(Axes) and not distinct([1, 2, 1])",
            "true",
        ),
        ("list(d in 0..Count: d * 3)", "[0, 3]"),
        ("list(d in 0..Count: d - 1)", "undefined"),
        ("[1, 2] with [1] = 9 with [0] = 8", "[8, 9]"),
        ("[1, 2] with [2] = 9", "undefined"),
        ("[1, 2] with [0] = -1", "undefined"),
        ("[1, 2] == [1, 2, 3]", "false"),
        ("Axes == list(d in 0..2: d * 2)", "true"),
        ("sum(a in 0..3: product(b in 0..a: a - b))", "4"),
        ("product(d in 5..2: 0)", "1"),
        ("1 < Count <= 2 < 3", "true"),
        ("if Count > 1 then Axes[0] else Axes[9]", "0"),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn undefined_spreads_unless_the_left_decides() {
    let undefined = "1 / 0 == 1";
    for (text, expected) in [
        ("{} and false", "undefined"),
        ("false and {}", "false"),
        ("true or {}", "true"),
        ("{} or true", "undefined"),
        ("false implies {}", "true"),
        ("true implies {}", "undefined"),
        ("not ({})", "undefined"),
        ("all(d in 0..3: d == 0 or d == 1 and {})", "undefined"),
        ("all(d in 0..3: d != 0 and {})", "false"),
        ("any(d in 0..3: d == 0 or {})", "true"),
        ("if {} then 1 else 2", "undefined"),
        ("Axes[2] in {0}", "undefined"),
    ] {
        let text = text.replace("{}", undefined);
        assert_eq!(value(&text), expected, "{text}");
    }
    let catalog = catalog();
    let node = typed(undefined).unwrap();
    assert!(!eval_bool(
        &node,
        &Env::new(&catalog, &filled(), FeatureLevel::new(3, 1))
    ));
}

#[test]
fn absent_things_are_undefined_but_can_be_asked_for() {
    let mut descriptor = Descriptor::zeroed(&every_kind());
    for (text, expected) in [
        (
            "present(BiasTensor) or present(InputTensors) or present(Axes) or present(ScaleBias)",
            "false",
        ),
        ("BiasTensor.DimensionCount == 0", "undefined"),
        ("present(BiasTensor) implies BiasTensor.DimensionCount == 0", "true"),
        ("has_sizes(BiasTensor)", "undefined"),
        ("count(InputTensors) == 0 or count(Axes) == 0", "undefined"),
        ("present(InputTensors[0])", "undefined"),
        ("ScaleBias.Scale == 0", "undefined"),
        ("bits(Target)", "0"),
    ] {
        assert_eq!(value_in(&descriptor, text), expected, "{text}");
    }
    descriptor.fields[13] = Value::UInt(99);
    assert_eq!(value_in(&descriptor, "bits(Target) > 0"), "undefined");
    assert_eq!(value_in(&descriptor, "is_known(Target) or is_float(Target)"), "false");
    // Fields of another kind than the catalog says, or none at all.
    descriptor.fields = vec![Value::UInt(1); 3];
    assert_eq!(
        value_in(&descriptor, "present(BiasTensor) and has_sizes(BiasTensor)"),
        "undefined"
    );
    assert_eq!(value_in(&descriptor, "count(Axes)"), "undefined");
}

#[test]
fn one_bound_operator_of_an_array_is_enough() {
    let mut descriptor = filled();
    let bound = activation(Some(TensorDesc::packed(1, 32, &[1])));
    descriptor.fields[14] = Value::Operators(Some(vec![activation(None), bound]));
    assert_eq!(value_in(&descriptor, "unbound(Activations)"), "false");
    descriptor.fields[14] = Value::Operators(None);
    assert_eq!(value_in(&descriptor, "present(Activations)"), "false");
    assert_eq!(value_in(&descriptor, "count(Activations)"), "undefined");
}

#[test]
fn hostile_ranges_end_soon() {
    let mut descriptor = filled();
    descriptor.fields[2] = Value::UInt(u32::MAX);
    assert_eq!(value_in(&descriptor, "all(d in 0..Count: true)"), "undefined");
    assert_eq!(value_in(&descriptor, "all(d in 0..-1 * Count: true)"), "true");
    descriptor.fields[2] = Value::UInt(u32::try_from(MAX_RANGE).unwrap());
    assert_eq!(value_in(&descriptor, "sum(d in 0..Count: 1)"), "4096");
    assert_eq!(value_in(&descriptor, "sum(d in 0..Count + 1: 1)"), "undefined");
    // Ranges inside each other may run through 2^20 numbers together, one after the other through any.
    let inner = |end: &str| format!("sum(d in 0..Count: sum(e in 0..{end}: 1))");
    assert_eq!(value_in(&descriptor, &inner("256")), "1048576");
    assert_eq!(value_in(&descriptor, &inner("257")), "undefined");
    assert_eq!(value_in(&descriptor, &format!("{0} + {0}", inner("256"))), "2097152");
    let deep = "all(d in 0..Count: all(e in 0..Count: all(f in 0..Count: all(g in 0..Count: true))))";
    assert_eq!(value_in(&descriptor, deep), "undefined");
    assert_eq!(
        value_in(&descriptor, &deep.replace("0..Count: all(g", "0..0: all(g")),
        "undefined"
    );
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_refused(text in "\\PC*") {
        let _ = parse(&text);
    }

    /// Texts of the language's own pieces get further than random ones.
    #[test]
    fn any_words_are_parsed_checked_and_evaluated(words in proptest::collection::vec(word(), 0..24)) {
        let text = words.join(" ");
        let Ok(expr) = parse(&text) else { return Ok(()) };
        prop_assert!(text.get(expr.span.clone()).is_some());
        let (catalog, operator, descriptor) = (catalog(), every_kind(), filled());
        match check(&expr, &Scope::operator(&catalog, &operator), None) {
            Ok(node) => {
                eval(&node, &Env::new(&catalog, &descriptor, FeatureLevel::new(5, 0)));
            }
            Err(errors) => {
                prop_assert!(!errors.is_empty());
                prop_assert!(errors.iter().all(|e| text.get(e.span.clone()).is_some()));
            }
        }
    }
}

/// Pieces of rules, separated by bars.
const WORDS: &str = r#"
    and | or | not | implies | in | with | if | then | else | true | 1 | 2.5 | 0 | + | - | * | / | % |
    == | < | >= | ( | ) | [ | ] | { | } | , | : | .. | . | = | Axes | Count | Epsilon | InputTensors |
    BiasTensor | .Sizes | .DataType | FLOAT32 | Level | level("2.0") | all(d in 0..2: | sum(d in 0..2: |
    d | count( | min( | present( | Shifts | Scales | ScaleBias.Scale | ScaleSize
"#;

fn word() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(WORDS.split('|').map(str::trim).collect::<Vec<_>>())
}
