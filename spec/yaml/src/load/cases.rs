//! How cases are made: keys, what follows from them, families and their sweeps.

use dml_spec::{
    model::{
        CaseModel, Catalog, DATA_TYPE, Enum, FieldKind, Generator, Key, Nested, Operator, Role, Sweep, Text, Tier,
        form, is_literal_list, spell_float,
    },
    path::{GIVEN, NULL},
    patterns::{INDICES, LAYOUTS, NO_ALIAS, NUMBERS, VALUES},
};

use super::{clause, reader::Source};
use crate::tree::{self, Kind, Node};

/// Keys that every operator has, after its own, in canonical order.
pub(super) const COMMON_KEYS: [&str; 4] = ["layout", "values", "alias", "seed"];

/// Keys of a sweep that are no keys of its cases.
const OF_SWEEPS: [&str; 4] = ["tier", "base", "allow", "only"];

/// The point that stands for all points.
const ALL: &str = "all";

/// Checks the fields `cases` and `families` of an operator, and adds the sweeps.
pub(super) fn complete(
    source: &Source<'_>,
    shared: &Catalog,
    operator: &Operator,
    mut model: CaseModel,
    root: &Node,
) -> CaseModel {
    let cases = |name: &str| entries(root.get("cases").and_then(|cases| cases.get(name)));
    for ((key, node), Key { sets, .. }) in cases("keys").iter().zip(model.keys.iter()) {
        if COMMON_KEYS.contains(&key.text.as_str()) || OF_SWEEPS.contains(&key.text.as_str()) {
            let message = format!("`{}` has a meaning of its own and cannot be a key", key.text);
            source.report("spec::reserved-key", &key.span, message);
        }
        known_path(source, operator, sets, &node.span);
    }
    for (path, _) in cases("derive") {
        known_path(source, operator, &path.text, &path.span);
    }
    for (_, node) in cases("nested")
        .iter()
        .filter(|(_, node)| node.get("operator").is_none())
    {
        source.missing(node, "a nested operator", "operator");
    }
    if let Some(node) = root.get("cases").and_then(|cases| cases.get("values")) {
        pattern(source, &model.values, node);
    }
    cases("bounds")
        .iter()
        .for_each(|(input, _)| bound(source, operator, input));
    let scope = Scope {
        source,
        shared,
        operator,
        keys: &model.keys,
        nested: &model.nested,
    };
    for ((_, node), family) in entries(root.get("families")).iter().zip(model.families.to_mut()) {
        let sweeps = node.get("sweeps").map(|n| source.list(n)).unwrap_or_default();
        family.sweeps = sweeps.iter().map(|n| sweep(&scope, n)).collect();
        // The generator decides whether sweeps are required.
        let doubtful = node.get("generator").is_some_and(|n| source.any_within(&n.span));
        if family.generator != Generator::Examples && !doubtful && node.get("sweeps").is_none() {
            source.missing(node, "a family", "sweeps");
        }
    }
    model
}

fn entries(node: Option<&Node>) -> &[(tree::Key, Node)] {
    node.and_then(Node::entries).unwrap_or_default()
}

struct Scope<'a> {
    source: &'a Source<'a>,
    shared: &'a Catalog,
    operator: &'a Operator,
    keys: &'a [Key],
    nested: &'a [Nested],
}

/// A pattern of values.
fn pattern(source: &Source<'_>, text: &str, node: &Node) {
    let mut known = VALUES.into_iter().chain(NUMBERS);
    if !text.is_empty() && !known.any(|k| k == text) {
        let message = format!("`{text}` is no pattern of values");
        let known = VALUES.into_iter().chain(NUMBERS);
        source.unknown("spec::unknown-pattern", &node.span, message, text, known);
    }
}

/// An input that holds indices.
fn bound(source: &Source<'_>, operator: &Operator, input: &tree::Key) {
    let inputs = operator
        .fields
        .iter()
        .filter(|f| f.kind == FieldKind::Tensor(Role::Input));
    let known: Vec<&str> = inputs.map(|f| f.name.as_ref()).collect();
    if !known.contains(&input.text.as_str()) {
        let message = format!("`{}` is no input of {}", input.text, operator.name);
        source.unknown("spec::unknown-tensor", &input.span, message, &input.text, known);
    }
}

/// The value at a path such as `Axis` or `InputTensor.Sizes`.
pub(super) enum Target<'a> {
    /// A data type.
    DataType,
    /// A constant of an enumeration.
    Constant(&'a str),
    /// Sizes.
    Sizes,
    /// An attribute that is a whole number: the points are expressions and ranges.
    Number,
    /// Another whole number, such as one size.
    Integer,
    /// A list of whole numbers, of an operator's field or of strides; whether they may be negative.
    List(bool),
    /// Sizes of every tensor of an array.
    ManySizes,
    /// A floating point number.
    Float,
    /// A truth value.
    Bool,
    /// The name of a nested operator.
    Nested,
    /// One of these layouts.
    Layout(&'static [&'static str]),
    /// A pattern of values.
    Values,
    /// A pattern of one input's elements.
    Data,
    /// An input whose memory an output shares.
    Alias,
    /// Whether a tensor is there.
    Presence,
    /// Anything else.
    Other,
}

/// `None` if the path leads nowhere.
pub(super) fn target<'a>(operator: &'a Operator, path: &str) -> Option<Target<'a>> {
    let mut parts = path.split('.');
    let name = parts.next()?;
    let field = operator.fields.iter().find(|f| f.name == name)?;
    let index = |part: &str| part.parse::<u32>().ok();
    let mut rest: Vec<&str> = parts.collect();
    if matches!(field.kind, FieldKind::Tensors(..)) {
        match rest[..] {
            ["DataType"] => return Some(Target::DataType),
            ["Sizes"] => return Some(Target::ManySizes),
            _ => index(rest.first()?)?,
        };
        rest.remove(0);
    }
    if let Some(role) = field.kind.role() {
        return match rest[..] {
            ["Data"] if role == Role::Input => Some(Target::Data),
            [] if matches!(field.kind, FieldKind::Tensor(_)) => Some(Target::Presence),
            [] | ["Type"] => Some(Target::Other),
            ["DataType"] => Some(Target::DataType),
            ["Sizes"] => Some(Target::Sizes),
            ["Strides"] => Some(Target::List(false)),
            ["Flags" | "TotalTensorSizeInBytes" | "GuaranteedBaseOffsetAlignment"] => Some(Target::Integer),
            ["Sizes" | "Strides", item] => index(item).map(|_| Target::Integer),
            _ => None,
        };
    }
    match (&field.kind, &rest[..]) {
        (FieldKind::UInt | FieldKind::Int, []) => Some(Target::Number),
        (FieldKind::Enum(name), []) if name == DATA_TYPE => Some(Target::DataType),
        (FieldKind::Enum(name), []) => Some(Target::Constant(name)),
        (FieldKind::UInts(_), []) => Some(Target::List(false)),
        (FieldKind::Ints(_), []) => Some(Target::List(true)),
        (FieldKind::Float, []) => Some(Target::Float),
        (FieldKind::Bool, []) => Some(Target::Bool),
        (FieldKind::Operator, []) => Some(Target::Nested),
        (FieldKind::UInts(_) | FieldKind::Ints(_), [item]) => index(item).map(|_| Target::Integer),
        (FieldKind::Floats(_), [item]) => index(item).map(|_| Target::Other),
        (_, []) => Some(Target::Other),
        _ => None,
    }
}

fn known_path(source: &Source<'_>, operator: &Operator, path: &str, span: &std::ops::Range<usize>) {
    if !path.is_empty() && target(operator, path).is_none() {
        let message = format!(
            "`{path}` leads to nothing of {}, expected a field or its DataType or Sizes",
            operator.name
        );
        let paths = operator.fields.iter().flat_map(|f| match f.kind.role() {
            Some(_) => vec![format!("{}.DataType", f.name), format!("{}.Sizes", f.name)],
            None => vec![f.name.to_string()],
        });
        let paths: Vec<String> = paths.collect();
        source.unknown(
            "spec::unknown-path",
            span,
            message,
            path,
            paths.iter().map(String::as_str),
        );
    }
}

fn sweep(scope: &Scope<'_>, node: &Node) -> Sweep {
    let source = scope.source;
    let own = scope.keys.iter().map(|k| k.name.as_ref());
    let required: Vec<&str> = own.clone().chain(["tier"]).collect();
    source.fields(node, "a sweep", &required, &[COMMON_KEYS, OF_SWEEPS].concat());
    let allow = node.get("allow").map(|n| source.list(n)).unwrap_or_default();
    let own = own.zip(scope.keys.iter().map(|k| target(scope.operator, &k.sets)));
    let common = COMMON_KEYS.map(|name| (name, Some(common_target(name))));
    let points = own.chain(common).filter_map(|(name, target)| {
        let points = items(node.get(name)?).iter().map(|n| point(scope, target.as_ref(), n));
        Some((Text::Owned(name.to_owned()), points.collect()))
    });
    Sweep {
        points: points.collect(),
        tier: node.get("tier").map_or(Tier::Standard, |n| source.read(n)),
        base: node.get("base").is_some_and(|n| source.boolean(n)),
        allow: allow
            .iter()
            .map(|n| clause::full_id(&scope.operator.name, &source.string(n)))
            .collect(),
        only: node.get("only").map(|n| source.string(n)),
    }
}

/// What a key that every operator has accepts.
fn common_target(key: &str) -> Target<'static> {
    match key {
        "layout" => Target::Layout(&LAYOUTS),
        "values" => Target::Values,
        "alias" => Target::Alias,
        _ => Target::Other,
    }
}

/// Most elements of sizes in a sweep: cases have to fit into memory, several at a time.
const MOST_ELEMENTS: u64 = 1 << 26;

/// Maximum number of shapes of one point.
const MOST_SHAPES: u64 = 20_000;

/// A scalar is a list of one.
pub(super) fn items(node: &Node) -> &[Node] {
    match &node.kind {
        Kind::Seq(items) => items,
        _ => std::slice::from_ref(node),
    }
}

/// One point of a key.
fn point(scope: &Scope<'_>, target: Option<&Target<'_>>, node: &Node) -> Text {
    let source = scope.source;
    let text = source.string(node);
    match target {
        _ if text.is_empty() => {}
        Some(
            Target::DataType | Target::Constant(_) | Target::Bool | Target::Layout(_) | Target::Values | Target::Alias,
        )
        | None
            if text == ALL => {}
        Some(Target::Alias) => alias(scope, &text, node),
        Some(Target::DataType) => {
            source.text_of_form(form::DataTypeName::NAME, node);
        }
        Some(Target::Constant(name)) => {
            if let Some(list) = scope.shared.enumeration(name) {
                constant(source, list, &text, node);
            }
        }
        Some(Target::Layout(known)) if !known.contains(&&*text) => {
            let message = format!("`{text}` is no layout");
            source.unknown(
                "spec::unknown-layout",
                &node.span,
                message,
                &text,
                known.iter().copied(),
            );
        }
        Some(Target::Values) => pattern(source, &text, node),
        Some(Target::Data) if !INDICES.contains(&&*text) => {
            let known: Vec<&str> = VALUES.into_iter().chain(NUMBERS).chain(INDICES).collect();
            if !known.contains(&&*text) {
                let message = format!("`{text}` is no pattern of values or indices");
                source.unknown("spec::unknown-pattern", &node.span, message, &text, known);
            }
        }
        Some(Target::Presence) if text != GIVEN && text != NULL => {
            let message = format!("`{text}` is no presence of a tensor, expected `{GIVEN}` or `{NULL}`");
            source.report("spec::bad-point", &node.span, message);
        }
        Some(Target::Sizes) => sizes(source, &text, node),
        Some(Target::ManySizes) => text.split('_').for_each(|one| sizes(source, one, node)),
        Some(Target::Nested) if !scope.nested.iter().any(|n| n.name == text) && text != "null" => {
            let known = scope.nested.iter().map(|n| n.name.as_ref()).chain(["null"]);
            let message = format!("`{text}` is not under `nested`");
            source.unknown("spec::unknown-nested", &node.span, message, &text, known);
        }
        Some(Target::Float) => match text.parse().map(spell_float) {
            Ok(spelled) if spelled == *text => {}
            Ok(spelled) => {
                let message = format!("`{text}` is spelled `{spelled}` in ids");
                source.report("spec::bad-point", &node.span, message);
            }
            Err(_) => {
                let message = format!("`{text}` is no number, expected one such as -1.5, inf, nan");
                source.report("spec::bad-point", &node.span, message);
            }
        },
        Some(Target::List(true)) if !is_literal_list(&text) => {
            let message = format!("`{text}` is no list, expected one such as 1x-2");
            source.report("spec::bad-point", &node.span, message);
        }
        // Expressions are checked once the whole operator is read.
        Some(Target::List(_)) => {}
        Some(Target::Other | Target::Integer | Target::Bool) | None if !is_word(&text) => {
            let message =
                format!("`{text}` does not fit into a case id, expected letters, digits, dots, underscores, dashes");
            source.report("spec::bad-point", &node.span, message);
        }
        _ => {}
    }
    text
}

/// An input whose memory an output may share, or none.
fn alias(scope: &Scope<'_>, text: &str, node: &Node) {
    let known: Vec<&str> = scope.operator.shared_inputs().chain([NO_ALIAS]).collect();
    if !known.contains(&text) {
        let message = format!("no output of {} may lie in the place of `{text}`", scope.operator.name);
        scope
            .source
            .unknown("spec::unknown-alias", &node.span, message, text, known);
    }
}

/// The name after the common prefix: `DECREASING`.
fn constant(source: &Source<'_>, list: &Enum, text: &str, node: &Node) {
    let prefix = list.prefix();
    let short = |name: &'_ str| name.strip_prefix(&prefix).unwrap_or(name).to_owned();
    let known: Vec<String> = list.members.iter().map(|m| short(&m.name)).collect();
    if !known.iter().any(|k| k == text) {
        let message = format!("`{text}` is no constant of {}", list.name);
        source.unknown(
            "spec::unknown-constant",
            &node.span,
            message,
            text,
            known.iter().map(String::as_str),
        );
    }
}

/// Sizes that can be tested: cases have to fit into memory, and there may not be too many.
fn sizes(source: &Source<'_>, text: &str, node: &Node) {
    let message = match read_sizes(text) {
        None => format!("`{text}` is no sizes, expected some such as 2x3x4 or up-to-5-D-of-4"),
        Some(Sizes::One(elements)) if elements > MOST_ELEMENTS => {
            format!("`{text}` has more than {MOST_ELEMENTS} elements, which is too large for a case")
        }
        Some(Sizes::All(shapes)) if shapes > MOST_SHAPES => {
            format!("`{text}` stands for {shapes} shapes, at most {MOST_SHAPES} are allowed")
        }
        Some(_) => return,
    };
    source.report("spec::bad-point", &node.span, message);
}

/// The shapes of a point of sizes.
enum Sizes {
    /// One shape of so many elements.
    One(u64),
    /// So many small shapes.
    All(u64),
}

/// `2x3x4`, or a name such as `up-to-5-D-of-4`.
fn read_sizes(text: &str) -> Option<Sizes> {
    let number = |part: &str| {
        let digits = part.bytes().all(|b| b.is_ascii_digit());
        part.parse::<u32>().ok().filter(|n| digits && *n > 0)
    };
    if let Some(sizes) = text.split('x').map(number).collect::<Option<Vec<u32>>>() {
        let elements = sizes.iter().fold(1, |all: u64, n| all.saturating_mul(u64::from(*n)));
        return Some(Sizes::One(elements));
    }
    let (dimensions, size) = text.strip_prefix("up-to-")?.split_once("-D-of-")?;
    let (dimensions, size) = (number(dimensions)?, number(size)?);
    let known = dimensions <= 8 && size <= 16;
    known.then(|| Sizes::All((1..=dimensions).map(|d| u64::from(size).pow(d)).sum()))
}

/// Characters that case ids take.
fn is_word(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}
