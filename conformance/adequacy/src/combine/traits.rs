//! What cases are like: the traits that kernels branch on, each with one of few values.

use dml_spec::{
    TensorDesc, Value,
    model::{DataType, FieldKind, Operator, Role},
    patterns::INDICES,
};

use crate::zoo::Scene;
use dml_case::{
    case::{Case, Verdict},
    number::{Number, decode},
    tensor::Shape,
};
use dml_legacy::oracle::Call;
use dml_plan::{builder::Builder, planner::Planner};
use dml_spec::path::{Path, TensorPart};

/// Most dimensions, and the highest number that an attribute's value is told apart by.
const DIMENSIONS: usize = 8;

/// Fields that name dimensions.
const AXES: [&str; 2] = ["Axis", "Axes"];

/// Elements up to which tensors are of a class, the last of which is rare.
const ELEMENTS: [(u64, &str); 4] = [
    (1024, "at most 1024 elements"),
    (4096, "1025 to 4096 elements"),
    (65_536, "4097 to 65536 elements"),
    (u64::MAX, "more than 65536 elements"),
];

/// The same of one dimension, or of all that an operator runs along.
const LENGTHS: [(u64, &str); 5] = [
    (64, "at most 64"),
    (512, "65 to 512"),
    (1024, "513 to 1024"),
    (2048, "1025 to 2048"),
    (u64::MAX, "more than 2048"),
];

/// The greatest number up to which single precision has every whole one.
const SINGLE: f64 = 16_777_216.0;

/// What a case is seen by.
struct Seen<'a> {
    case: &'a Case,
    call: &'a Call<'a>,
}

/// Which of its values a trait has; `None` where it has none of them.
type Of = Box<dyn Fn(&Seen) -> Option<usize> + Send + Sync>;

/// A trait of cases.
struct Trait {
    values: Vec<String>,
    of: Of,
    /// The value that is combined with one other only: large tensors are dear.
    rare: Option<usize>,
}

/// The traits of an operator's cases. Their values are numbered through.
pub struct Traits {
    /// The number of the first value of each, and which of them a case has.
    all: Vec<(usize, Of)>,
    /// Every value in words.
    names: Vec<String>,
    /// Whether it is combined with one other only.
    rare: Vec<bool>,
}

impl Traits {
    /// Those of the operator at this place of the catalog.
    pub fn of(suite: &Planner, operator: usize) -> Option<Self> {
        let builder = Builder::new(suite, operator)?;
        let sized = |path: &&Path| matches!(path, Path::Tensor(_, _, TensorPart::Sizes) | Path::ManySizes(_));
        let mut paths = builder.recipe.keys.iter().map(|(_, path)| path);
        let mut found = tensors(paths.find(sized)?.field());
        for (key, path) in &builder.recipe.keys {
            found.extend(of_key(suite, builder.operator, key, path));
        }
        let (mut all, mut names, mut rare) = (Vec::new(), Vec::new(), Vec::new());
        for one in found {
            all.push((names.len(), one.of));
            rare.extend((0..one.values.len()).map(|at| one.rare == Some(at)));
            names.extend(one.values);
        }
        Some(Self { all, names, rare })
    }

    /// How many values all of them have.
    pub fn values(&self) -> usize {
        self.names.len()
    }

    /// The values of a case that runs and whose outputs are defined, in ascending order; `None` for any other.
    pub fn of_case(&self, scene: &Scene) -> Option<Vec<usize>> {
        let defined = matches!(
            scene.case.verdict,
            Verdict::Valid | Verdict::Observed { rejected: false, .. }
        );
        let call = scene.call().filter(|_| defined)?;
        let seen = Seen { case: scene.case, call };
        let values = self.all.iter().filter_map(|(first, of)| Some(first + of(&seen)?));
        Some(values.collect())
    }

    /// Whether a value is combined with one other only.
    pub fn is_rare(&self, value: usize) -> bool {
        self.rare.get(value).copied().unwrap_or(false)
    }

    /// A value in words.
    pub fn name(&self, value: usize) -> &str {
        self.names.get(value).map_or("", String::as_str)
    }
}

fn make(values: Vec<String>, of: impl Fn(&Seen) -> Option<usize> + Send + Sync + 'static) -> Trait {
    Trait {
        values,
        of: Box::new(of),
        rare: None,
    }
}

fn words(values: &[&str]) -> Vec<String> {
    values.iter().map(|value| (*value).to_owned()).collect()
}

/// A trait that is one of these classes of a number.
fn class_of(
    what: &str,
    classes: &'static [(u64, &'static str)],
    of: impl Fn(&Seen) -> Option<u64> + Send + Sync + 'static,
) -> Trait {
    let values = classes.iter().map(|(_, says)| format!("{what} {says}")).collect();
    let class = move |seen: &Seen| {
        let n = of(seen)?;
        classes.iter().position(|(most, _)| n <= *most)
    };
    make(values, class)
}

/// The same of a size, of which the last class is rare.
fn size_of(
    what: &str,
    classes: &'static [(u64, &'static str)],
    of: impl Fn(&Seen) -> Option<u64> + Send + Sync + 'static,
) -> Trait {
    Trait {
        rare: classes.len().checked_sub(1),
        ..class_of(what, classes, of)
    }
}

/// Traits of tensors and of what stands in them.
fn tensors(first: usize) -> Vec<Trait> {
    let most = |shapes: &mut dyn Iterator<Item = u64>| shapes.max();
    vec![
        both(layouts(), ranks(first)),
        both(layouts(), contents()),
        make(
            words(&["outputs packed", "an output strided", "an output pitched"]),
            |seen| {
                let outputs = &seen.call.outputs;
                Some(match outputs.iter().any(Shape::is_pitched) {
                    true => 2,
                    false => usize::from(!outputs.iter().all(Shape::is_packed)),
                })
            },
        ),
        size_of("an input of", &ELEMENTS, move |seen| {
            most(&mut seen.call.inputs.iter().map(|input| input.shape.elements()))
        }),
        size_of("an output of", &ELEMENTS, move |seen| {
            most(&mut seen.call.outputs.iter().map(Shape::elements))
        }),
        make(words(&["memory of its own", "in place"]), |seen| {
            Some(usize::from(!seen.case.aliases.is_empty()))
        }),
    ]
}

/// How inputs lie in memory.
fn layouts() -> Trait {
    make(
        words(&[
            "inputs packed",
            "an input strided",
            "an input repeated",
            "an input pitched",
        ]),
        |seen| {
            let any = |is: fn(&Shape) -> bool| seen.call.inputs.iter().any(|input| is(&input.shape));
            Some(match any(Shape::is_repeated) {
                true => 2,
                false if any(Shape::is_pitched) => 3,
                false => usize::from(any(|shape| !shape.is_packed())),
            })
        },
    )
}

/// How many dimensions the tensors of a field have.
fn ranks(at: usize) -> Trait {
    let names = (0..=DIMENSIONS).map(|rank| format!("{rank}-D")).collect();
    make(names, move |seen| {
        Some(of_field(seen, at).first()?.sizes().len()).filter(|rank| *rank <= DIMENSIONS)
    })
}

/// Two traits as one: what is combined with it is combined with each pair of their values.
fn both(one: Trait, other: Trait) -> Trait {
    let width = other.values.len();
    let names = one
        .values
        .iter()
        .flat_map(|a| other.values.iter().map(move |b| format!("{b}, {a}")));
    make(names.collect(), move |seen| {
        Some((one.of)(seen)? * width + (other.of)(seen)?)
    })
}

/// What stands in the first input.
fn contents() -> Trait {
    make(
        words(&[
            "whole numbers",
            "negative whole numbers",
            "fractions",
            "negative fractions",
            "numbers beyond 24 bits",
            "infinities",
        ]),
        data,
    )
}

fn data(seen: &Seen) -> Option<usize> {
    let input = seen.call.inputs.first()?;
    let (mut negative, mut fraction, mut both) = (false, false, false);
    let (mut infinite, mut long) = (false, false);
    for bits in &input.elements {
        let number = decode(&input.shape.ty, *bits);
        let (below, part) = match number {
            Number::Int(n) => (n < 0, false),
            Number::Float(x) => (x < 0.0, x.is_finite() && x.fract() != 0.0),
        };
        let size = number.double().abs();
        infinite |= size == f64::INFINITY;
        long |= !part && size.is_finite() && size > SINGLE;
        negative |= below;
        fraction |= part;
        both |= below && part;
    }
    Some(match (both, fraction, negative) {
        _ if infinite => 5,
        _ if long => 4,
        (true, ..) => 3,
        (_, true, _) => 2,
        (_, _, negative) => usize::from(negative),
    })
}

/// Traits that a key of ids sets.
fn of_key(suite: &Planner, operator: &Operator, key: &str, path: &Path) -> Vec<Trait> {
    let Some(field) = operator.fields.get(path.field()) else {
        return Vec::new();
    };
    let (at, name) = (path.field(), field.name.to_string());
    match path {
        path if path.is_data_type() => vec![data_type(&suite.catalog.data_types, at, &name)],
        Path::Tensor(_, _, TensorPart::Sizes) => vec![longest(at, &name)],
        Path::ManySizes(_) => {
            let mut found = many(at, &name);
            found.push(longest(at, &name));
            found
        }
        Path::Attribute(_) => attribute(suite, operator, at, &name, &field.kind, key),
        Path::Data(_) => {
            let key = key.to_owned();
            let values = INDICES.iter().map(|pattern| format!("{name} {pattern}")).collect();
            vec![make(values, move |seen| {
                let pattern = seen.case.id.get(&key)?;
                INDICES.iter().position(|known| *known == pattern)
            })]
        }
        _ => Vec::new(),
    }
}

/// The tensors of a field.
fn of_field<'a>(seen: &'a Seen, at: usize) -> &'a [TensorDesc] {
    match seen.call.descriptor.fields.get(at) {
        Some(Value::Tensor(Some(tensor))) => std::slice::from_ref(tensor),
        Some(Value::Tensors(Some(tensors))) => tensors,
        _ => &[],
    }
}

fn data_type(types: &[DataType], at: usize, name: &str) -> Trait {
    let values = types.iter().map(|ty| format!("{name} {}", ty.name)).collect();
    let known: Vec<u32> = types.iter().map(|ty| ty.value).collect();
    make(values, move |seen| {
        let ty = of_field(seen, at).first()?.data_type;
        known.iter().position(|value| *value == ty)
    })
}

fn longest(at: usize, name: &str) -> Trait {
    let most = move |seen: &Seen| {
        let sizes = of_field(seen, at).first()?.sizes();
        sizes.iter().map(|size| u64::from(*size)).max()
    };
    size_of(&format!("{name}'s longest dimension"), &LENGTHS, most)
}

/// Traits of an array of tensors.
fn many(at: usize, name: &str) -> Vec<Trait> {
    let counts: &[(u64, &str)] = &[
        (1, "of one tensor"),
        (2, "of two"),
        (3, "of three"),
        (9, "of four to nine"),
        (u64::MAX, "of ten and more"),
    ];
    let equal = words(&["tensors of unequal sizes", "tensors of equal sizes"]);
    vec![
        class_of(name, counts, move |seen| Some(of_field(seen, at).len() as u64)),
        make(equal, move |seen| {
            let tensors = of_field(seen, at);
            let first = tensors.first()?.sizes();
            Some(usize::from(tensors.iter().all(|tensor| tensor.sizes() == first)))
        }),
    ]
}

/// Traits of a field that is no tensor.
fn attribute(suite: &Planner, operator: &Operator, at: usize, name: &str, kind: &FieldKind, key: &str) -> Vec<Trait> {
    let value = move |seen: &Seen| seen.call.descriptor.fields.get(at).cloned();
    let mut found = Vec::new();
    match kind {
        FieldKind::UInt | FieldKind::Bool => {
            found.push(numbered(&format!("{name} is"), move |seen| match value(seen)? {
                Value::UInt(n) => Some(u64::from(n)),
                _ => None,
            }));
        }
        FieldKind::Int | FieldKind::Float => {
            let signs = ["is negative", "is 0", "is positive"].map(|sign| format!("{name} {sign}"));
            found.push(make(signs.to_vec(), move |seen| match value(seen)? {
                Value::Int(n) => Some((n.signum() + 1) as usize),
                Value::Float(x) => Some(if x < 0.0 { 0 } else { 1 + usize::from(x > 0.0) }),
                _ => None,
            }));
        }
        FieldKind::Enum(of) => {
            let members = suite.catalog.enumeration(of).map(|known| known.members.iter());
            let members: Vec<_> = members.into_iter().flatten().collect();
            let names = members.iter().map(|member| member.name.to_string()).collect();
            let known: Vec<Value> = members.iter().map(|member| Value::UInt(member.value)).collect();
            found.push(make(names, move |seen| {
                let own = value(seen)?;
                known.iter().position(|member| *member == own)
            }));
        }
        FieldKind::UInts(_) => found.extend(list(at, name)),
        FieldKind::Ints(_) => {
            let says = ["has no negative entry", "has a negative entry"].map(|says| format!("{name} {says}"));
            found.push(make(says.to_vec(), move |seen| match value(seen)? {
                Value::Ints(Some(list)) => Some(usize::from(list.iter().any(|n| *n < 0))),
                _ => None,
            }));
        }
        FieldKind::ScaleBias | FieldKind::Operator => {
            let mut names: Vec<String> = vec![dml_spec::path::NULL.to_owned()];
            names.extend(operator.cases.nested.iter().map(|nested| nested.name.to_string()));
            let spelled: Vec<String> = names.iter().map(|own| format!("{name} {own}")).collect();
            let key = key.to_owned();
            found.push(make([spelled, vec![format!("{name} given")]].concat(), move |seen| {
                let own = seen.case.id.get(&key)?;
                Some(names.iter().position(|known| known == own).unwrap_or(names.len()))
            }));
        }
        _ => {}
    }
    if AXES.contains(&name) {
        found.push(along(operator, at, name));
    }
    found
}

/// A number that stands for itself up to 7.
fn numbered(what: &str, of: impl Fn(&Seen) -> Option<u64> + Send + Sync + 'static) -> Trait {
    let mut values: Vec<String> = (0..DIMENSIONS).map(|n| format!("{what} {n}")).collect();
    values.push(format!("{what} {DIMENSIONS} or more"));
    make(values, move |seen| {
        Some(usize::try_from(of(seen)?).unwrap_or(usize::MAX).min(DIMENSIONS))
    })
}

/// Traits of a list of whole numbers.
fn list(at: usize, name: &str) -> Vec<Trait> {
    let entries = move |seen: &Seen| match seen.call.descriptor.fields.get(at) {
        Some(Value::UInts(Some(list))) => Some(list.clone()),
        _ => None,
    };
    let lengths = ["no entry", "one entry", "two entries", "three and more entries"];
    let lengths = lengths.map(|says| format!("{name} has {says}"));
    let orders = ["ascending", "in another order"].map(|says| format!("{name} {says}"));
    vec![
        make(lengths.to_vec(), move |seen| Some(entries(seen)?.len().min(3))),
        make(orders.to_vec(), move |seen| {
            Some(usize::from(!entries(seen)?.is_sorted()))
        }),
        numbered(&format!("{name} ends with"), move |seen| {
            entries(seen)?.last().map(|n| u64::from(*n))
        }),
    ]
}

/// Elements of the first input along the dimensions that a field names.
fn along(operator: &Operator, at: usize, name: &str) -> Trait {
    let input = operator.fields.iter().position(|f| f.kind.role() == Some(Role::Input));
    let lengths = move |seen: &Seen| {
        let sizes = of_field(seen, input?).first()?.sizes();
        let size = |axis: u32| sizes.get(axis as usize).map(|size| u64::from(*size));
        match seen.call.descriptor.fields.get(at)? {
            Value::UInt(axis) => size(*axis),
            Value::UInts(Some(list)) => list.iter().try_fold(1, |all: u64, axis| Some(all * size(*axis)?)),
            _ => None,
        }
    };
    size_of(&format!("elements along {name}:"), &LENGTHS, lengths)
}
