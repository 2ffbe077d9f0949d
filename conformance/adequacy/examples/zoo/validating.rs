//! Validators with a hole, and validators that are too strict.

use std::{collections::HashMap, ops::ControlFlow};

use dml_spec::{
    FeatureLevel, TensorDesc, Value, layout,
    model::{
        Applies, Clause, ClauseKind, Field, FieldKind, Generator, Operator, Role, Status, SupportRow, Text, Tier,
        dimension_cell_id, type_cell_id,
    },
};
use rayon::prelude::*;

use crate::{
    fault::{Fault, Stage, Wrong},
    hunt::buckets_of,
    scene::Scene,
};
use dml_legacy::oracle::Right;
use dml_plan::{Bucket, count_fields::count_field, planner::Planner};

/// Every constraint unchecked, every cell of the tables missing, every table with cells too many, and validators that
/// refuse what is unusual.
pub(crate) fn faults(suite: &Planner, operator: &Operator, coupled: &Coupled) -> Vec<Fault> {
    let mut all = unchecked(suite, operator, coupled);
    all.extend(tables(suite, operator, coupled));
    all.extend(strict(suite, operator));
    all
}

fn accepting(
    name: String,
    says: String,
    right: Right,
    shows: impl Fn(&Scene) -> bool + Send + Sync + 'static,
) -> Fault {
    Fault::new(Stage::Validating, name, says, right, move |scene| {
        (!scene.broken().is_empty() && shows(scene)).then_some(Wrong::Take)
    })
}

fn refusing(name: &str, says: &str, right: Right, shows: impl Fn(&Scene) -> bool + Send + Sync + 'static) -> Fault {
    Fault::new(Stage::Validating, name, says, right, move |scene| {
        (!scene.case.verdict.is_rejection() && shows(scene)).then_some(Wrong::Refuse)
    })
}

/// For every clause and cell that some case breaks, the smallest set of them that breaks with it.
pub(crate) type Coupled = HashMap<Text, Vec<Text>>;

/// What breaks together in the standard plan.
pub(crate) fn coupled(suite: &Planner, operator: &Operator) -> Coupled {
    let families = &operator.cases.families;
    let breaks = |bucket: &&Bucket| {
        matches!(
            families[bucket.family].generator,
            Generator::Faults | Generator::Support
        )
    };
    let buckets = buckets_of(suite, operator);
    let smallest = |mut all: Coupled, found: Coupled| {
        for (id, set) in found {
            note(&mut all, id, &set);
        }
        all
    };
    let of_bucket = |bucket: &Bucket| {
        let mut found = Coupled::new();
        let _ = dml_plan::for_each_case(suite, bucket, Tier::Standard, 0, &mut |case| {
            let scene = Scene::new(suite, operator, &case);
            for id in scene.broken() {
                note(&mut found, id.clone(), scene.broken());
            }
            ControlFlow::Continue(())
        });
        found
    };
    let buckets: Vec<&Bucket> = buckets.iter().filter(breaks).collect();
    buckets.into_par_iter().map(of_bucket).reduce(Coupled::new, smallest)
}

fn note(all: &mut Coupled, id: Text, set: &[Text]) {
    let known = all.entry(id).or_insert_with(|| set.to_vec());
    if (set.len(), set) < (known.len(), known.as_slice()) {
        *known = set.to_vec();
    }
}

/// Constraints that nobody checks, one at a time; where others always break with one, it is left out with those.
fn unchecked(suite: &Planner, operator: &Operator, coupled: &Coupled) -> Vec<Fault> {
    let all = operator.clauses.iter().chain(suite.catalog.tensor_clauses.iter());
    let constraints = all.filter(|c| c.kind == ClauseKind::Constraint && c.retired.is_none());
    let mut faults: Vec<Fault> = constraints
        .filter(|clause| concerns(clause, operator))
        // What no runtime refuses is not to be checked.
        .filter(|clause| clause.status != Status::Disputed || coupled.contains_key(&clause.id))
        .map(|clause| {
            let id = clause.id.clone();
            let with = coupled.get(&id).cloned().unwrap_or_else(|| vec![id.clone()]);
            accepting(
                format!("{id} unchecked"),
                format!("descriptors are taken that only {} forbids", with.join(" and ")),
                Right::Blamed("wrongly-accepted", id.clone()),
                move |scene| scene.broken().contains(&id) && scene.broken().iter().all(|id| with.contains(id)),
            )
        })
        .collect();
    faults.extend(totals(operator));
    faults.extend(signed(operator));
    faults.extend(cut_short(suite, operator));
    if operator.support.len() > 1 {
        faults.push(accepting(
            "level-ignored".to_owned(),
            "what a later level allows is taken at every level".to_owned(),
            Right::Named(&["wrongly-accepted"]),
            |scene| scene.case.gate.is_some(),
        ));
    }
    faults
}

/// Attributes that are held against their limit as signed numbers.
fn signed(operator: &Operator) -> Vec<Fault> {
    let fields = operator.fields.iter().enumerate();
    let unsigned = fields.filter(|(_, field)| matches!(field.kind, FieldKind::UInt) && !counts(operator, &field.name));
    unsigned
        .map(|(at, field)| {
            accepting(
                format!("{} compared as signed", field.name),
                format!("{} is held against its limit as a signed number", field.name),
                Right::Named(&["wrongly-accepted"]),
                move |scene| {
                    let negative = |value: &Value| matches!(value, Value::UInt(n) if *n > i32::MAX.unsigned_abs());
                    scene.case.descriptor.fields.get(at).is_some_and(negative)
                },
            )
        })
        .collect()
}

/// Enumerations of which only the low bits are looked at.
fn cut_short(suite: &Planner, operator: &Operator) -> Vec<Fault> {
    let mut all = Vec::new();
    for (at, field) in operator.fields.iter().enumerate() {
        let FieldKind::Enum(name) = &field.kind else { continue };
        let Some(enumeration) = suite.catalog.enumeration(name) else {
            continue;
        };
        let members: Vec<u32> = enumeration.members.iter().map(|member| member.value).collect();
        for bits in [8, 16] {
            let members = members.clone();
            all.push(accepting(
                format!("{} of {bits} bits", field.name),
                format!(
                    "{} is held against its members after it was cut to {bits} bits",
                    field.name
                ),
                Right::Named(&["wrongly-accepted"]),
                move |scene| match scene.case.descriptor.fields.get(at) {
                    Some(Value::UInt(n)) => !members.contains(n) && members.contains(&(n & ((1 << bits) - 1))),
                    _ => false,
                },
            ));
        }
    }
    all
}

/// Whether a field tells how long an array is.
fn counts(operator: &Operator, name: &Text) -> bool {
    let mut fields = operator.fields.iter();
    fields.any(|field| count_field(&field.kind).is_some_and(|count| count == name.as_ref()))
}

/// The clause that wants a tensor to have all bytes its elements need.
const TOTAL_SIZE: &str = "TENSOR/total-size";

/// Total sizes that are held against something less than the bytes that a tensor needs.
fn totals(operator: &Operator) -> Vec<Fault> {
    let short = |name: &str, says: &str, role: Option<Role>, enough: fn(&TensorDesc, u32) -> Option<u64>| {
        accepting(
            name.to_owned(),
            says.to_owned(),
            Right::Blamed("wrongly-accepted", Text::Borrowed(TOTAL_SIZE)),
            move |scene| {
                let holds = |needs: fn(&TensorDesc, u32) -> Option<u64>, tensor: &&TensorDesc| {
                    let bits = scene.suite.catalog.data_type(tensor.data_type).map(|ty| ty.bits);
                    let needed = bits.and_then(|bits| needs(tensor, bits));
                    needed.is_some_and(|needed| needed <= tensor.total_tensor_size_in_bytes)
                };
                let lax = |of: Role| {
                    let needs = if role.is_none_or(|role| role == of) {
                        enough
                    } else {
                        TensorDesc::minimum_total_size
                    };
                    scene.tensors(of).iter().all(|tensor| holds(needs, tensor))
                };
                let alone = scene.broken().iter().all(|id| *id == TOTAL_SIZE);
                alone && lax(Role::Input) && lax(Role::Output)
            },
        )
    };
    let mut all = vec![
        short(
            "total-size-without-strides",
            "total sizes are held against sizes alone",
            None,
            packed_total,
        ),
        short(
            "total-size-not-rounded",
            "the bytes that elements need are not rounded up to a multiple of four",
            None,
            exact_total,
        ),
    ];
    if operator
        .fields
        .iter()
        .any(|field| field.kind.role() == Some(Role::Output))
    {
        all.push(short(
            "total-size-of-outputs-without-strides",
            "total sizes of outputs are held against sizes alone",
            Some(Role::Output),
            packed_total,
        ));
        all.push(short(
            "total-size-of-inputs-without-strides",
            "total sizes of inputs are held against sizes alone",
            Some(Role::Input),
            packed_total,
        ));
    }
    all
}

/// What a tensor would need without strides.
fn packed_total(tensor: &TensorDesc, bits: u32) -> Option<u64> {
    layout::minimum_total_size(tensor.sizes.as_deref()?, None, bits)
}

/// What the elements of a tensor need, not rounded up.
fn exact_total(tensor: &TensorDesc, bits: u32) -> Option<u64> {
    // Elements of four bytes need no rounding.
    let elements = tensor.minimum_total_size(32)? / 4;
    elements.checked_mul(u64::from(bits / 8))
}

/// Whether a constraint can be broken by a descriptor of the operator.
fn concerns(clause: &Clause, operator: &Operator) -> bool {
    let any = |is: &dyn Fn(&Field) -> bool| operator.fields.iter().filter(|f| f.kind.role().is_some()).any(is);
    match clause.applies {
        Applies::Operator => operator.clauses.iter().any(|own| own.id == clause.id),
        Applies::Required => any(&|field| !field.optional),
        Applies::Any => any(&|_| true),
        Applies::Input => any(&|field| field.kind.role() == Some(Role::Input)),
        Applies::Output => any(&|field| field.kind.role() == Some(Role::Output)),
    }
}

/// Cells of the tables: each missing alone, and all that are forbidden to a tensor at a level taken.
fn tables(suite: &Planner, operator: &Operator, coupled: &Coupled) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    for table in operator.support.iter() {
        for row in table.rows.iter() {
            let types = row
                .types
                .iter()
                .map(|ty| type_cell_id(&operator.name, table.level, row, ty));
            let (least, most) = row.dimensions;
            let counts = (least..=most).map(|count| dimension_cell_id(&operator.name, table.level, row, count));
            for id in types.chain(counts) {
                let id = Text::Owned(id);
                faults.push(refusing(
                    &format!("{id} missing"),
                    &format!("descriptors are refused that {id} allows"),
                    Right::Named(&["wrongly-rejected"]),
                    move |scene| scene.cells().contains(&id),
                ));
            }
            let forbidden = suite.catalog.data_types.iter().filter(|ty| !row.allows_type(&ty.name));
            let forbidden: Vec<Text> = forbidden
                .map(|ty| type_cell_id(&operator.name, table.level, row, &ty.name).into())
                .collect();
            faults.extend(cells_taken(
                operator,
                table.level,
                row,
                "data types",
                forbidden,
                coupled,
            ));
            let outside = (1..=16).filter(|count| !row.allows_dimensions(*count));
            let outside: Vec<Text> = outside
                .map(|count| dimension_cell_id(&operator.name, table.level, row, count).into())
                .collect();
            faults.extend(cells_taken(
                operator,
                table.level,
                row,
                "dimension counts",
                outside,
                coupled,
            ));
        }
    }
    faults
}

/// All cells of a row that are forbidden and that some descriptor can break, taken together with what always breaks
/// with them.
fn cells_taken(
    operator: &Operator,
    level: FeatureLevel,
    row: &SupportRow,
    what: &str,
    mut forbidden: Vec<Text>,
    coupled: &Coupled,
) -> Option<Fault> {
    forbidden.retain(|id| coupled.contains_key(id));
    let sets: Vec<Vec<Text>> = forbidden.iter().filter_map(|id| coupled.get(id).cloned()).collect();
    let group = if row.group.is_empty() {
        String::new()
    } else {
        format!("{}/", row.group)
    };
    let place = format!("{}/{level}/{group}{}", operator.name, row.tensor);
    (!forbidden.is_empty()).then(|| {
        accepting(
            format!("{place} any {what}"),
            format!("all {what} are taken in {place}"),
            Right::Named(&["wrongly-accepted"]),
            move |scene| {
                sets.iter()
                    .any(|set| set.iter().all(|id| scene.broken().contains(id)) && scene.broken().len() == set.len())
            },
        )
    })
}

/// Validators that refuse what is valid but unusual.
fn strict(suite: &Planner, operator: &Operator) -> Vec<Fault> {
    let rejected = || Right::Named(&["wrongly-rejected"]);
    let any = |role: Role, is: fn(&TensorDesc) -> bool| move |scene: &Scene| scene.tensors(role).into_iter().any(is);
    let mut all = vec![
        refusing(
            "sizes-of-one-refused",
            "tensors whose sizes are all 1 are refused",
            rejected(),
            |scene| {
                scene
                    .tensors(Role::Input)
                    .into_iter()
                    .any(|t| t.sizes.iter().flatten().all(|size| *size == 1))
            },
        ),
        refusing(
            "input-strides-refused",
            "inputs with strides are refused",
            rejected(),
            any(Role::Input, strided),
        ),
        refusing(
            "output-strides-refused",
            "outputs with strides are refused",
            rejected(),
            any(Role::Output, strided),
        ),
        refusing(
            "packed-strides-refused",
            "packed strides that are spelled out are refused",
            rejected(),
            any(Role::Input, spelled),
        ),
        refusing(
            "broadcast-refused",
            "inputs with a stride of 0 are refused",
            rejected(),
            any(Role::Input, broadcast),
        ),
    ];
    let bits = |suite: &Planner, t: &TensorDesc| suite.catalog.data_type(t.data_type).map_or(0, |ty| ty.bits);
    all.push(refusing(
        "slack-refused",
        "tensors with more bytes than their elements need are refused",
        rejected(),
        move |scene| {
            let tensors = scene
                .tensors(Role::Input)
                .into_iter()
                .chain(scene.tensors(Role::Output));
            tensors.into_iter().any(|t| {
                let needed = layout::minimum_total_size(
                    t.sizes.as_deref().unwrap_or_default(),
                    t.strides.as_deref(),
                    bits(scene.suite, t),
                );
                needed.is_some_and(|needed| needed < t.total_tensor_size_in_bytes)
            })
        },
    ));
    let optional = operator.fields.iter().enumerate().filter(|(_, field)| field.optional);
    for (at, field) in optional {
        let name = &field.name;
        all.push(refusing(
            &format!("{name} demanded"),
            &format!("descriptors without {name} are refused"),
            rejected(),
            move |scene| scene.case.descriptor.fields.get(at).is_some_and(is_null),
        ));
        all.push(refusing(
            &format!("{name} refused"),
            &format!("descriptors with {name} are refused"),
            rejected(),
            move |scene| {
                scene
                    .case
                    .descriptor
                    .fields
                    .get(at)
                    .is_some_and(|value| !is_null(value))
            },
        ));
    }
    if operator.fields.iter().any(|field| !field.in_place.is_empty()) {
        all.push(refusing(
            "in-place-refused",
            "outputs in the place of an input are refused",
            rejected(),
            |scene| !scene.case.aliases.is_empty(),
        ));
    }
    all.extend(members(suite, operator));
    all.extend(long_selection(operator));
    all
}

/// Selections of more elements than fit into the memory of a workgroup, which are refused.
fn long_selection(operator: &Operator) -> Option<Fault> {
    let count = operator.cases.lanes.as_ref().map(|lanes| lanes.k.as_ref())?;
    let at = operator.field_index(count)?;
    let long = |value: &Value| matches!(value, Value::UInt(n) if *n > 2048);
    Some(refusing(
        &format!("{count} over 2048 refused"),
        &format!("descriptors with {count} above 2048 are refused"),
        Right::Named(&["wrongly-rejected"]),
        move |scene| scene.case.descriptor.fields.get(at).is_some_and(long),
    ))
}

/// Members of enumerations that are refused, one at a time.
fn members(suite: &Planner, operator: &Operator) -> Vec<Fault> {
    let mut all = Vec::new();
    for (at, field) in operator.fields.iter().enumerate() {
        let FieldKind::Enum(name) = &field.kind else { continue };
        let members = suite
            .catalog
            .enumeration(name)
            .map(|e| e.members.iter())
            .into_iter()
            .flatten();
        for member in members {
            let value = member.value;
            all.push(refusing(
                &format!("{} {} refused", field.name, member.name),
                &format!("{} is refused as {}", member.name, field.name),
                Right::Named(&["wrongly-rejected"]),
                move |scene| scene.case.descriptor.fields.get(at) == Some(&Value::UInt(value)),
            ));
        }
    }
    all
}

fn is_null(value: &Value) -> bool {
    matches!(
        value,
        Value::Tensor(None)
            | Value::Tensors(None)
            | Value::UInts(None)
            | Value::Ints(None)
            | Value::Floats(None)
            | Value::ScaleBias(None)
            | Value::Operator(None)
            | Value::Operators(None)
    )
}

/// Whether its strides are not the packed ones.
fn strided(tensor: &TensorDesc) -> bool {
    tensor.strides.is_some() && !spelled(tensor)
}

/// Whether its strides are the packed ones.
fn spelled(tensor: &TensorDesc) -> bool {
    let packed = tensor.sizes.as_deref().and_then(layout::packed_strides);
    tensor.strides.is_some() && tensor.strides == packed
}

fn broadcast(tensor: &TensorDesc) -> bool {
    let sizes = tensor.sizes.iter().flatten();
    let strides = tensor.strides.iter().flatten();
    sizes.zip(strides).any(|(size, stride)| *size > 1 && *stride == 0)
}
