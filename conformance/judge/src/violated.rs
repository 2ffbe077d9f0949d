//! Which clauses a failure violates.

use dml_spec::{
    Catalog, TensorDesc, Value,
    model::{Clause, ClauseKind, Operator, Role, Text, dimension_cell_id, type_cell_id},
};

use dml_case::{
    case::{Mode, Verdict},
    context::Context,
    facts::DataFacts,
    names::{DIFFERS, OVERWRITTEN, UNWRITTEN},
    record::Record,
    tensor::{Shape, named_tensors},
};
use dml_oracle::{Keeps, case_tensors, output_number};

use crate::{evidence::Wrong, expected::Expectations};

/// Most points at which one invariant of a guarantee is looked at: each wrong output of a run costs as much.
const POINTS: u64 = 1 << 15;

/// Most wrong elements that invariants are looked at for, and of those the first ones, which often are enough.
const LOOKED_AT: usize = 32;
const FIRST: usize = 8;

fn guarantees<'a>(catalog: &'a Catalog, operator: &'a Operator) -> impl Iterator<Item = &'a Clause> {
    let all = operator.clauses.iter().chain(catalog.tensor_clauses.iter());
    all.filter(|clause| clause.kind == ClauseKind::Guarantee && clause.retired.is_none())
}

/// Full ids of the guarantees that a class of failures violates, the operator's own first.
pub(super) fn clauses_of_class(catalog: &Catalog, operator: &Operator, class: &str) -> Vec<Text> {
    let blamed = guarantees(catalog, operator).filter(|clause| clause.class.iter().any(|name| name == class));
    blamed.map(|clause| clause.id.clone()).collect()
}

/// Full ids of the guarantees that a failure of this class may violate and that speak of the case, those first that speak
/// of some cases only.
pub(super) fn clauses_of_failure(context: Context, class: &str) -> Vec<Text> {
    let blamed = guarantees(context.catalog(), context.operator);
    let blamed = blamed.filter(|clause| clause.class.iter().any(|name| name == class));
    let (special, general): (Vec<&Clause>, Vec<&Clause>) = blamed
        .filter(|clause| speaks_of(context, clause, || data_facts(context)))
        .partition(|clause| clause.rule.is_some());
    special
        .into_iter()
        .chain(general)
        .map(|clause| clause.id.clone())
        .collect()
}

/// The same of wrong outputs: first the guarantees with an invariant that wrong elements surely violate, whatever their
/// class, and none whose invariants all of them keep, unless that is so of each. What the reference says at an output that is
/// right is not what they violate, and comes last.
pub(super) fn clauses_of_outputs(context: Context, class: &str, actual: &[Vec<u64>], wrong: &[Wrong]) -> Vec<Text> {
    let (clauses, kept) = part_clauses(context, class, actual, wrong);
    // If each is kept, some invariants say less than their guarantee.
    if clauses.is_empty() { kept } else { clauses }
}

/// The same, and apart from these the guarantees whose invariants all wrong elements keep.
pub(super) fn part_clauses(
    context: Context,
    class: &str,
    actual: &[Vec<u64>],
    wrong: &[Wrong],
) -> (Vec<Text>, Vec<Text>) {
    let of_class = clauses_of_failure(context, class);
    let keeps = match class {
        UNWRITTEN => kept_by_unwritten(context, actual, wrong),
        _ => kept_by_wrong(context, actual, wrong),
    };
    let makes = |id: &Text| keeps.iter().find(|(known, _)| known == id).map(|(_, keeps)| *keeps);
    let broken = guarantees(context.catalog(), context.operator).filter(|clause| makes(&clause.id) == Some(Keeps::Not));
    let broken = broken.filter(|clause| guarantee_speaks_of(context, clause));
    // What was never written violates what is said to make it, not what is said of its numbers.
    let mut clauses: Vec<Text> = match class {
        UNWRITTEN => Vec::new(),
        _ => broken.map(|clause| clause.id.clone()).collect(),
    };
    add_missing(&mut clauses, of_class);
    let right = right_outputs(context, wrong);
    let of_right = |id: &Text| {
        let clause = context.operator.clauses.iter().find(|clause| clause.id == *id);
        let source = clause.and_then(|clause| clause.source.as_ref());
        source.is_some_and(|source| right.iter().any(|name| *name == *source.anchor))
    };
    clauses.sort_by_key(|id| (makes(id) != Some(Keeps::Not), of_right(id)));
    clauses.into_iter().partition(|id| makes(id) != Some(Keeps::All))
}

/// Names of outputs without a wrong element.
fn right_outputs(context: Context, wrong: &[Wrong]) -> Vec<String> {
    let named = named_tensors(context.operator, &context.case.descriptor, Role::Output);
    let all = named.into_iter().enumerate();
    let right = all.filter(|(output, _)| wrong.iter().all(|(of, _)| of != output));
    right.map(|(_, (name, _))| name).collect()
}

/// What wrong elements make of the guarantees that have invariants: the first ones, and if these violate none, others among
/// all that follow.
fn kept_by_wrong(context: Context, actual: &[Vec<u64>], wrong: &[Wrong]) -> Vec<(Text, Keeps)> {
    let keeps = kept_guarantees(context, actual, wrong, first);
    let is_decided = keeps.is_empty() || keeps.iter().any(|(_, keeps)| *keeps == Keeps::Not);
    if is_decided || wrong.len() <= FIRST {
        return keeps;
    }
    kept_guarantees(context, actual, wrong, spread)
}

/// What elements that were never written make of them, whatever they hold: their poison is another each time that the case
/// runs, so that what some poison violates is not kept.
fn kept_by_unwritten(context: Context, actual: &[Vec<u64>], wrong: &[Wrong]) -> Vec<(Text, Keeps)> {
    let named = named_tensors(context.operator, &context.case.descriptor, Role::Output);
    let shapes = named.iter().map(|(_, desc)| Shape::of(context.catalog(), desc));
    let bits: Vec<u32> = shapes
        .map(|shape| shape.map_or(64, |shape| shape.width() as u32 * 8))
        .collect();
    // Neither is rare: as an element of any type the second one is a number of its own.
    let [one, other] = [0, 0x5555_5555_5555_5555_u64].map(|poison| {
        let mut all = actual.to_vec();
        for (output, at) in wrong {
            let elements = all.get_mut(*output).zip(bits.get(*output));
            let element = elements.and_then(|(of, bits)| Some((of.get_mut(usize::try_from(*at).ok()?)?, bits)));
            if let Some((element, bits)) = element {
                *element = poison >> (64 - bits);
            }
        }
        kept_guarantees(context, &all, wrong, first)
    });
    let pairs = one.into_iter().zip(other);
    pairs.map(|((id, one), (_, other))| (id, one.and(other))).collect()
}

/// The first ones of some places.
fn first(mut places: Vec<usize>) -> Vec<usize> {
    places.truncate(FIRST);
    places
}

/// Some of all places, taken evenly.
fn spread(places: Vec<usize>) -> Vec<usize> {
    let step = places.len().div_ceil(LOOKED_AT).max(1);
    places.into_iter().step_by(step).collect()
}

/// What wrong elements make of the guarantees that have invariants, by their full ids; `some` says which places are looked at.
fn kept_guarantees(
    context: Context,
    actual: &[Vec<u64>],
    wrong: &[Wrong],
    some: fn(Vec<usize>) -> Vec<usize>,
) -> Vec<(Text, Keeps)> {
    let has_invariants = |clause: &Clause| clause.kind == ClauseKind::Guarantee && !clause.holds.is_empty();
    if !context.operator.clauses.iter().any(has_invariants) {
        return Vec::new();
    }
    let (expectations, tensors) = (Expectations::of(context, false), case_tensors(context, actual));
    let Some((expectations, tensors)) = expectations.zip(tensors) else {
        return Vec::new();
    };
    let places = |field: usize, element: usize| {
        let own = output_number(context.operator, &context.case.descriptor, (field, element));
        // Where one output has a wrong element, others of as many elements are looked at too: they are read together.
        let alike = |other: usize| actual.get(other).map(Vec::len) == actual.get(own).map(Vec::len);
        // Those of an output stand in order.
        let of = |output: usize| {
            let places = wrong.iter().filter(|(of, _)| *of == output);
            some(places.filter_map(|(_, at)| usize::try_from(*at).ok()).collect())
        };
        let mut places: Vec<usize> = (0..actual.len()).filter(|output| alike(*output)).flat_map(of).collect();
        places.sort_unstable();
        places.dedup();
        some(places)
    };
    let all = dml_oracle::keep_guarantees(&expectations.request(), &tensors, &places, POINTS);
    let full = |short: Text| Text::Owned(format!("{}/{short}", context.operator.name));
    all.into_iter().map(|(short, keeps)| (full(short), keeps)).collect()
}

/// As [`guarantee_speaks_of`], with what rules may ask of the data.
pub(super) fn speaks_of(context: Context, clause: &Clause, facts: impl Fn() -> DataFacts) -> bool {
    clause.rule.is_none()
        || context.program().is_some_and(|program| {
            let (descriptor, level) = (&context.case.descriptor, context.case.id.level());
            program.guarantee_applies(&clause.id, context.catalog(), descriptor, level, &facts())
        })
}

/// Whether a guarantee speaks of a case: by its rule, if it has one.
pub fn guarantee_speaks_of(context: Context, clause: &Clause) -> bool {
    speaks_of(context, clause, || data_facts(context))
}

/// Notes in the record of a case what may be blamed if its outputs are wrong, or its descriptor is refused.
pub fn note_what_it_rests_on(context: Context, record: &mut Record) {
    let case = context.case;
    if case.mode == Mode::Execute {
        record.special = special_guarantees(context);
    }
    record.grounds = grounds(context);
}

/// What a descriptor that is to be accepted rests on: the permission to compute in place, constraints that the text has
/// and no runtime checks, cells of the tables. Nothing if it is to be refused.
pub(super) fn grounds(context: Context) -> Vec<Text> {
    if context.case.verdict.is_rejection() {
        return Vec::new();
    }
    let mut all = in_place_clauses(context);
    add_missing(&mut all, disputed_clauses(context));
    add_missing(&mut all, supporting_cells(context));
    all
}

/// Constraints that the descriptor violates and no runtime checks.
pub(super) fn disputed_clauses(context: Context) -> impl Iterator<Item = Text> {
    let violations = match context.case.verdict {
        Verdict::Valid => Vec::new(),
        _ => context.violations(),
    };
    let disputed = violations.into_iter().filter(|violation| !violation.runtime);
    disputed.map(|violation| violation.clause)
}

/// Full ids of the guarantees that speak of the case and not of every one, and that wrong outputs do not
/// break or keep visibly: they have no invariant. Rules that ask for data are left out.
fn special_guarantees(context: Context) -> Vec<Text> {
    let all = guarantees(context.catalog(), context.operator);
    let undecided = all.filter(|clause| clause.rule.is_some() && clause.holds.is_empty());
    let of_outputs = undecided.filter(|clause| clause.class.iter().any(|name| name == DIFFERS));
    let speaking = of_outputs.filter(|clause| speaks_of(context, clause, DataFacts::default));
    speaking.map(|clause| clause.id.clone()).collect()
}

/// What rules may ask of the inputs of a case.
pub(super) fn data_facts(context: Context) -> DataFacts {
    let mut facts = DataFacts::default();
    let (catalog, mut inputs) = (context.catalog(), context.case.inputs.iter());
    let fields = context.operator.fields.iter().zip(&context.case.descriptor.fields);
    for (number, (field, value)) in fields.enumerate() {
        if field.kind.role() != Some(Role::Input) {
            continue;
        }
        let tensors: &[TensorDesc] = match value {
            Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
            Value::Tensors(Some(tensors)) => tensors,
            _ => &[],
        };
        for (element, tensor) in tensors.iter().enumerate() {
            if let Some((shape, bytes)) = Shape::of(catalog, tensor).zip(inputs.next())
                && bytes.len() as u64 >= shape.total_bytes
            {
                facts.note((number, element), &shape, &shape.read(bytes), true);
            }
        }
    }
    facts
}

/// The guarantees that a case rests on because an output lies in the place of an input.
pub(super) fn in_place_clauses(context: Context) -> Vec<Text> {
    match context.case.aliases.is_empty() {
        true => Vec::new(),
        false => clauses_of_class(context.catalog(), context.operator, OVERWRITTEN),
    }
}

/// Adds the ids that are missing.
pub(super) fn add_missing(clauses: &mut Vec<Text>, more: impl IntoIterator<Item = Text>) {
    for id in more {
        if !clauses.contains(&id) {
            clauses.push(id);
        }
    }
}

/// The support cells that allow the descriptor of a case: data types first, then dimension counts, in struct order.
fn supporting_cells(context: Context) -> Vec<Text> {
    let Context { suite, operator, case } = context;
    let (catalog, descriptor) = (&suite.catalog, &case.descriptor);
    let (mut types, mut dimensions) = (Vec::new(), Vec::new());
    for (field, value) in descriptor.fields.iter().enumerate() {
        let tensors: &[TensorDesc] = match value {
            Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
            Value::Tensors(Some(tensors)) => tensors,
            _ => &[],
        };
        let row = suite.row(operator, descriptor, case.id.level(), field);
        let Some((tensor, (table, row))) = tensors.first().zip(row) else {
            continue;
        };
        if let Some(ty) = catalog
            .data_type(tensor.data_type)
            .filter(|ty| row.allows_type(&ty.name))
        {
            types.push(Text::Owned(type_cell_id(&operator.name, table.level, row, &ty.name)));
        }
        let count = tensor.dimension_count();
        if row.allows_dimensions(count) {
            dimensions.push(Text::Owned(dimension_cell_id(&operator.name, table.level, row, count)));
        }
    }
    types.append(&mut dimensions);
    types
}
