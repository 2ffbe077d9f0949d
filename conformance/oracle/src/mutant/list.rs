//! Every mutant of an operator.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    sync::Arc,
};

use dml_spec::{
    meaning::{Function, Meaning, Node, Op, Place, Type, typed::TensorRef},
    model::{Catalog, Operator},
    rule::typed::{Binary, Prop},
};

use super::{
    Change, Edit, Kind, Mutant, Root, access, attributes,
    build::{binary, int, with},
    descriptor,
    edits::{altered, is_conditional},
    expressions, habits, idle, named, numbers, placed, results, sequences, slips, sums,
    texts::{Instead, Texts},
    uses,
};

/// Every mutant of an operator with this meaning, in an order that rests on the specification alone.
pub fn mutants(catalog: &Catalog, operator: &Operator, meaning: &Meaning) -> Vec<Mutant> {
    let used = used_fields(operator, meaning);
    let lists = uses::dimension_lists(meaning);
    let is_used = |field| used.contains(&field);
    let mut all = descriptor::mutants(catalog, operator, &is_used, &|field| lists.contains(&field));
    all.extend(access::mutants(catalog, operator, idle::orders_numbers(meaning)));
    let axes = uses::axes(operator, meaning);
    all.extend(placed::mutants(operator));
    all.extend(results::mutants(catalog, operator, &axes));
    if idle::goes_step_by_step(meaning) {
        all.extend(sequences::mutants(catalog, operator, &axes));
    }
    let lies_in_place = operator.fields.iter().any(|field| !field.in_place.is_empty());
    if lies_in_place && uses::reads_elsewhere(meaning) {
        let sentence = "if an output lies in the memory of an input, elements are read after they were written over";
        all.push(Mutant {
            kind: Kind::InputOverwritten,
            id: format!("{}@in-place", Kind::InputOverwritten),
            sentence: sentence.to_owned(),
            place: None,
            change: Change::Overwritten,
        });
    }
    all.extend(of_meaning(catalog, operator, meaning));
    all.extend(named::mutants(catalog, operator));
    all
}

/// Where a small change was made, and which of those that the part has.
struct Local {
    kind: Kind,
    sentence: String,
    place: Option<(Place, std::ops::Range<usize>)>,
    /// The part as it was, without its places, and the number of the change: the same for equal parts.
    key: (String, usize),
    /// It may be made at this place alone.
    alone: bool,
    /// What it makes leaves the range of its type on the way, so that results are what they become then.
    overflows: bool,
    /// It changes something only for descriptors that its own condition names.
    conditional: bool,
    edit: Edit,
}

impl Local {
    /// What stands instead of a part at this path of a body, which may be at this place alone.
    fn new(
        (part, root, path, place): (&Node, Root, &[usize], Place),
        (kind, sentence, node): Instead,
        key: (String, usize),
    ) -> Self {
        Self {
            kind,
            sentence,
            place: Some((place, part.span.clone())),
            key,
            alone: true,
            overflows: false,
            conditional: is_conditional(part, &node),
            edit: Edit {
                root,
                path: path.to_vec(),
                node,
            },
        }
    }
}

fn of_meaning(catalog: &Catalog, operator: &Operator, meaning: &Meaning) -> Vec<Mutant> {
    let mut texts = Texts {
        catalog,
        operator,
        meaning,
        text: "",
        own: None,
        next_slot: Cell::new(meaning.slots),
        sizes: Vec::new(),
    };
    let mut locals: Vec<Local> = Vec::new();
    let computed = idle::computed(meaning);
    for (root, name, body) in roots(operator, meaning) {
        if matches!(root, Root::Definition(number) if !computed.contains(&number)) {
            continue;
        }
        let heads = operator.meaning.iter().position(|(head, _)| head_name(head) == name);
        let Some((at, (_, text))) = heads.and_then(|at| Some((at, operator.meaning.get(at)?))) else {
            continue;
        };
        texts.text = text;
        texts.own = match root {
            Root::Output(at) => meaning.outputs.get(at).map(|of| of.index),
            Root::Definition(_) => None,
        };
        texts.sizes = Vec::new();
        collect_sizes(body, &mut texts.sizes);
        if matches!(root, Root::Output(_)) {
            of_results(body, root, Place::Body(at), &texts, &mut locals);
        }
        of_attributes((body, root, name), Place::Body(at), &texts, &mut locals);
        visit(body, root, &mut Vec::new(), Place::Body(at), &texts, &mut locals);
    }
    with_scopes(operator, meaning, locals)
}

/// The fields that the meaning reads, so that a mistake about them changes something.
fn used_fields(operator: &Operator, meaning: &Meaning) -> BTreeSet<usize> {
    fn visit(node: &Node, used: &mut BTreeSet<usize>) {
        match &node.op {
            Op::Field(field) | Op::ScaleBiasPart(field, _) | Op::Present(field) => {
                used.insert(*field);
            }
            Op::Tensor(tensor) | Op::Prop(tensor, _) | Op::Read(tensor, _) | Op::Raw(tensor, ..) => {
                used.insert(tensor.field);
            }
            _ => {}
        }
        node.parts().into_iter().for_each(|part| visit(part, used));
    }
    let mut used = BTreeSet::new();
    for (_, _, body) in roots(operator, meaning) {
        visit(body, &mut used);
    }
    for bound in meaning.definitions.iter().flat_map(|definition| &definition.domain) {
        visit(&bound.from, &mut used);
        bound.to.iter().for_each(|to| visit(to, &mut used));
    }
    used
}

/// The bodies of a meaning with the names of what they define.
fn roots<'a>(operator: &'a Operator, meaning: &'a Meaning) -> Vec<(Root, &'a str, &'a Node)> {
    let definitions = meaning.definitions.iter().enumerate();
    let definitions = definitions.map(|(at, of)| (Root::Definition(at), &*of.name, &of.body));
    let outputs = meaning.outputs.iter().enumerate().filter_map(|(at, of)| {
        let field = operator.fields.get(of.field)?;
        Some((Root::Output(at), &*field.name, &of.body))
    });
    definitions.chain(outputs).collect()
}

fn head_name(head: &str) -> &str {
    head.split('[').next().unwrap_or_default().trim()
}

/// Sizes of dimensions in an expression, each once.
fn collect_sizes(node: &Node, all: &mut Vec<Node>) {
    fn has_slot(node: &Node) -> bool {
        matches!(node.op, Op::Slot(_)) || node.parts().into_iter().any(has_slot)
    }
    if let Op::At(list, _) = &node.op
        && matches!(list.op, Op::Prop(_, Prop::Sizes))
        && !has_slot(node)
        && !all.iter().any(|known| without_places(known) == without_places(node))
    {
        all.push(node.clone());
    }
    node.parts().into_iter().for_each(|part| collect_sizes(part, all));
}

/// Mistakes in what is written of a result: a part of it, or a number of another type.
fn of_results(body: &Node, root: Root, place: Place, texts: &Texts<'_>, all: &mut Vec<Local>) {
    if !body.ty.is_number() {
        return;
    }
    let mut push = |number: usize, kind: Kind, sentence: String, node: Node| {
        let key = (format!("result of {root:?}"), number);
        all.push(Local::new((body, root, &[], place), (kind, sentence, node), key));
    };
    let output = match root {
        Root::Output(at) => texts.meaning.outputs.get(at).map(|of| of.field),
        Root::Definition(_) => None,
    };
    let tensor = output.map(|field| TensorRef { field, element: None });
    let mut others = numbers::other_numbers(body, tensor.as_ref(), texts);
    let name = tensor.as_ref().map(|tensor| texts.tensor(tensor));
    others.retain(|(_, how, _)| !is_idle(body, name, how, texts));
    let count = others.len();
    for (number, (kind, how, node)) in others.into_iter().enumerate() {
        // What machines make of a float that a whole type cannot hold differs.
        let whole = tensor.as_ref().filter(|_| !how.starts_with("as FLOAT"));
        let bits = whole.and_then(|tensor| numbers::low_bits(&node, tensor));
        let node = bits.unwrap_or(node);
        push(number, kind, format!("results are written {how}"), node);
    }
    if body.ty == Type::Int {
        for (number, block) in [(0, 64), (1, 256), (2, 1024), (3, 65536)] {
            let modulo = binary(Binary::Rem, body.clone(), int(body, block));
            push(
                count + number,
                Kind::Index,
                format!("results are written modulo {block}"),
                modulo,
            );
        }
    }
}

/// Whether results of this output that are written in this way are the same.
fn is_idle(body: &Node, output: Option<&str>, how: &str, texts: &Texts<'_>) -> bool {
    let is_place = body.ty == Type::Int && !matches!(body.op, Op::Read(..));
    match how.strip_prefix("as ") {
        Some(ty) if is_place => idle::holds_places(ty),
        Some(ty) => output.is_some_and(|output| idle::holds_all_of(ty, output, texts)),
        None => is_place && (how == "by its magnitude" || how.contains("halves")),
    }
}

fn visit(node: &Node, root: Root, path: &mut Vec<usize>, place: Place, texts: &Texts<'_>, all: &mut Vec<Local>) {
    let key = match &node.op {
        // All row-major numbers within the same sizes are computed in one way.
        Op::Call(Function::Ravel, arguments) => match arguments.get(1) {
            Some(sizes) => format!("ravel in {}", without_places(sizes)),
            None => without_places(node),
        },
        _ => without_places(node),
    };
    let here = |made: Instead, key: String, number: usize| Local::new((node, root, path, place), made, (key, number));
    // All sums of a meaning are computed in one way.
    if let Some(instead) = sums::added_in_half(node, texts) {
        let sentence = "FLOAT16 sums are added up in FLOAT16, one term after the other".to_owned();
        all.push(here((Kind::Precision, sentence, instead), "every sum".to_owned(), 0));
    }
    let is_computed = !matches!(&node.op, Op::If(_, yes, no) if idle::tells_what_is_open(yes, no));
    let instead = if is_computed {
        expressions::instead(node, texts)
    } else {
        Vec::new()
    };
    for (number, made) in instead.into_iter().enumerate() {
        if !idle::reads_what_is_absent(node, number) {
            all.push(here(made, key.clone(), number));
        }
    }
    let slip = match &node.op {
        // Who counts places in another order does so there and back.
        Op::Call(Function::Ravel | Function::Unravel, arguments) => {
            format!("order in {}", arguments.get(1).map(without_places).unwrap_or_default())
        }
        _ => key,
    };
    for (number, made) in slips::instead(node, texts).into_iter().enumerate() {
        let overflows = slips::overflows(node, made.0);
        all.push(Local {
            overflows,
            ..here(made, format!("slip {slip}"), number)
        });
    }
    for (number, made) in habits::instead(node, texts).into_iter().enumerate() {
        let key = format!("habit {}", made.1);
        all.push(Local {
            alone: false,
            ..here(made, key, number)
        });
    }
    for (number, part) in node.parts().into_iter().enumerate() {
        let is_end = idle::is_end(node, part) && matches!(part.op, Op::Int(_));
        if is_end || !is_computed && number == 0 {
            continue;
        }
        path.push(number);
        visit(part, root, path, place, texts, all);
        path.pop();
    }
}

/// An expression, whatever its place.
fn without_places(node: &Node) -> String {
    fn clear(node: &mut Node) {
        node.span = 0..0;
        node.parts_mut().into_iter().for_each(clear);
    }
    let mut node = node.clone();
    clear(&mut node);
    format!("{node:?}")
}

/// Attributes that are ignored in one body alone.
fn of_attributes((body, root, name): (&Node, Root, &str), place: Place, texts: &Texts<'_>, all: &mut Vec<Local>) {
    for (number, made) in attributes::in_one(body, name, texts).into_iter().enumerate() {
        let key = (format!("attribute in {root:?}"), number);
        all.push(Local::new((body, root, &[], place), made, key));
    }
}

/// Each change at one place, and where equal parts, or the same mistake, have several places, at all of them.
fn with_scopes(operator: &Operator, meaning: &Meaning, locals: Vec<Local>) -> Vec<Mutant> {
    let mut by_key: BTreeMap<(&str, usize), Vec<usize>> = BTreeMap::new();
    let mut by_sentence: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, local) in locals.iter().enumerate() {
        by_key.entry((&local.key.0, local.key.1)).or_default().push(at);
        // A text that was cut short is no mark of the same mistake.
        if is_made_everywhere(local.kind) && !local.sentence.contains('…') {
            by_sentence.entry(&local.sentence).or_default().push(at);
        }
    }
    by_sentence.retain(|_, all| !holds_nested(&locals, all));
    let mut all: Vec<Mutant> = Vec::new();
    for (at, local) in locals.iter().enumerate() {
        let mut push = |id: String, sentence: String, edits: &[Edit]| {
            let whole = if local.overflows { &granted(meaning) } else { meaning };
            let made: Vec<Edit> = edits.iter().map(|edit| within(edit, local.overflows)).collect();
            all.extend(altered(whole, &made).map(|meaning| Mutant {
                kind: local.kind,
                id,
                sentence,
                place: local.place.clone(),
                change: Change::Meaning {
                    meaning: Arc::new(meaning),
                    parts: edits.iter().map(|edit| (edit.root, edit.path.clone())).collect(),
                    conditional: local.conditional,
                },
            }));
        };
        let id = id_of(operator, meaning, local);
        let equal = by_key.get(&(&*local.key.0, local.key.1)).map_or(&[][..], Vec::as_slice);
        let same = by_sentence.get(&*local.sentence).map_or(&[][..], Vec::as_slice);
        let is_part = equal.iter().all(|at| same.contains(at));
        for (mark, scope) in [("*", equal), ("**", same)] {
            if scope.len() < 2 || scope.first() != Some(&at) || mark == "*" && is_part {
                continue;
            }
            let edits = scope.iter().filter_map(|at| Some(locals.get(*at)?.edit.clone()));
            let edits: Vec<Edit> = edits.collect();
            push(format!("{id}{mark}"), format!("{}, everywhere", local.sentence), &edits);
        }
        if local.alone {
            push(id, local.sentence.clone(), std::slice::from_ref(&local.edit));
        }
    }
    all
}

/// A meaning whose results may leave the range of their type on the way.
fn granted(meaning: &Meaning) -> Meaning {
    let mut meaning = meaning.clone();
    for output in &mut meaning.outputs {
        output.body = with(&output.body, Op::Granted(0, Box::new(output.body.clone())));
    }
    meaning
}

/// An edit of a meaning, or of one that is [`granted`].
fn within(edit: &Edit, is_granted: bool) -> Edit {
    let mut edit = edit.clone();
    if is_granted && matches!(edit.root, Root::Output(_)) {
        edit.path.insert(0, 0);
    }
    edit
}

/// Whether who makes a mistake of this kind in one expression is likely to make it in others of another form.
fn is_made_everywhere(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::OperandDropped | Kind::Bounds | Kind::Signedness | Kind::Rounding | Kind::Precision | Kind::Size
    )
}

/// Whether one of these places lies within another one.
fn holds_nested(locals: &[Local], all: &[usize]) -> bool {
    let edits: Vec<&Edit> = all.iter().filter_map(|at| Some(&locals.get(*at)?.edit)).collect();
    let is_within = |(number, inner): (usize, &&Edit)| {
        let mut others = edits.iter().enumerate().filter(|(other, _)| *other != number);
        others.any(|(_, outer)| outer.root == inner.root && inner.path.starts_with(&outer.path))
    };
    edits.iter().enumerate().any(is_within)
}

fn id_of(operator: &Operator, meaning: &Meaning, local: &Local) -> String {
    let name = match local.edit.root {
        Root::Definition(at) => meaning.definitions.get(at).map(|of| of.name.to_string()),
        Root::Output(at) => meaning
            .outputs
            .get(at)
            .and_then(|of| Some(operator.fields.get(of.field)?.name.to_string())),
    };
    let mut id = format!("{}@{}", local.kind.word(), name.unwrap_or_default());
    for part in &local.edit.path {
        let _ = write!(id, ".{part}");
    }
    let result = match local.key.0.as_str() {
        "every sum" => "+",
        key if key.starts_with("attribute") => "in",
        key if key.starts_with("habit") => "~",
        key if key.starts_with("result") => "=",
        key if key.starts_with("slip") => "!",
        _ => "",
    };
    let _ = write!(id, "#{result}{}", local.key.1);
    id
}
