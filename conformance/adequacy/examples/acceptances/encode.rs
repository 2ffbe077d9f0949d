//! What the meaning of an operator accepts, element by element.

use dml_case::{
    case::{Case, Verdict},
    context::Context,
    number::{Number, decode, encode_float},
    outcome::Basis,
    tensor::Shape,
};
use dml_judge::{Scope, scope};
use dml_oracle::{Block, Element, Interval, Request, case_inputs, expect};
use dml_plan::planner::Planner;
use dml_spec::{
    desc::{TensorDesc, Value},
    model::{DataType, Operator, Role},
};

use crate::{
    accept::{Accept, Special, sign},
    case::{Head, Openness},
    write::{Encoded, OutputEncoder},
};

/// What is accepted of a case by the meaning of its operator, as far as the judge looks at elements at all.
///
/// # Errors
/// A meaning that has no value for the case.
pub(crate) fn encode(suite: &Planner, case: &Case, basis: Basis) -> Result<Encoded, String> {
    let scope = scope(suite, case, basis).ok_or_else(|| format!("{}: nothing is expected of it", case.id))?;
    let context = Context::new(suite, case).ok_or("unknown operator")?;
    let types = output_types(suite, context.operator, case);
    let mut outputs: Vec<OutputEncoder> = types.iter().map(|(ty, _)| OutputEncoder::new(ty)).collect();
    let openness = match scope {
        Scope::Nothing => return Ok(Encoded::new(&head(case, Openness::Create), Vec::new())),
        Scope::Elements => encode_elements(suite, context, &types, &mut outputs)?,
        Scope::Open | Scope::Observed => {
            for (output, (_, count)) in outputs.iter_mut().zip(&types) {
                (0..*count).try_for_each(|_| output.push(Accept::Open))?;
            }
            if scope == Scope::Observed {
                Openness::Observed
            } else {
                Openness::Unspecified
            }
        }
    };
    Ok(Encoded::new(&head(case, openness), outputs))
}

fn encode_elements(
    suite: &Planner,
    context: Context,
    types: &[(DataType, u64)],
    outputs: &mut [OutputEncoder],
) -> Result<Openness, String> {
    let case = context.case;
    let places = output_places(context.operator, case);
    let inputs = case_inputs(context).ok_or_else(|| format!("{}: an input does not fit", case.id))?;
    let request = Request {
        catalog: &suite.catalog,
        meanings: &**suite,
        descriptor: &case.descriptor,
        inputs: &inputs,
        basis: dml_oracle::Basis::Runtime,
        variants: &[],
        half_precision: false,
    };
    let (mut judged, mut result) = (false, Ok(()));
    let computed = expect(&request, &mut |block: Block| {
        let place = places.iter().position(|place| *place == (block.field, block.element));
        let Some((output, (ty, _))) = place.and_then(|at| outputs.get_mut(at).zip(types.get(at))) else {
            return;
        };
        for element in &block.elements {
            judged |= !matches!(element, Element::Open(_));
            if result.is_ok() {
                result = output.push(accept(element, ty));
            }
        }
    });
    computed.map_err(|fault| format!("{}: {fault}, at {:?}", case.id, fault.span))?;
    result.map_err(|why| format!("{}: {why}", case.id))?;
    Ok(if judged {
        Openness::Judged
    } else {
        Openness::Unspecified
    })
}

fn head(case: &Case, openness: Openness) -> Head {
    let refused = matches!(case.verdict, Verdict::Observed { rejected: true, .. });
    Head {
        id: case.id.to_string(),
        verdict: format!("{}{}", case.verdict.word(), if refused { ", refused" } else { "" }),
        openness,
        clauses: case.verdict.clauses().iter().map(ToString::to_string).collect(),
        properties: Vec::new(),
    }
}

fn tensors<'a>(
    operator: &'a Operator,
    case: &'a Case,
    role: Role,
) -> impl Iterator<Item = (usize, usize, &'a TensorDesc)> {
    let fields = operator.fields.iter().zip(&case.descriptor.fields).enumerate();
    fields
        .filter(move |(_, (field, _))| field.kind.role() == Some(role))
        .flat_map(|(at, (_, value))| {
            let all: &[TensorDesc] = match value {
                Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
                Value::Tensors(Some(tensors)) => tensors,
                _ => &[],
            };
            all.iter()
                .enumerate()
                .map(move |(element, tensor)| (at, element, tensor))
        })
}

fn output_places(operator: &Operator, case: &Case) -> Vec<(usize, usize)> {
    tensors(operator, case, Role::Output)
        .map(|(field, element, _)| (field, element))
        .collect()
}

fn output_types(suite: &Planner, operator: &Operator, case: &Case) -> Vec<(DataType, u64)> {
    let shapes = tensors(operator, case, Role::Output).filter_map(|(_, _, tensor)| Shape::of(&suite.catalog, tensor));
    shapes.map(|shape| (shape.ty.clone(), shape.elements())).collect()
}

fn accept(element: &Element, ty: &DataType) -> Accept {
    match element {
        Element::Exact(bits) => Accept::Exact(*bits),
        Element::Open(_) => Accept::Open,
        Element::Interval(interval) => within(interval, ty),
        Element::Among(all) => {
            let exact = |element: &Element| match element {
                Element::Exact(bits) => Some(*bits),
                _ => None,
            };
            match all.iter().map(exact).collect::<Option<Vec<u64>>>() {
                Some(members) => Accept::Set(members),
                None => hull(all, ty),
            }
        }
    }
}

/// The interval around several, of which some are intervals.
fn hull(all: &[Element], ty: &DataType) -> Accept {
    let ends = all.iter().filter_map(|element| match element {
        Element::Interval(interval) => Some(*interval),
        Element::Exact(bits) => {
            let value = dml_case::number::decode(ty, *bits).double();
            Some(Interval {
                reference: *bits,
                lo: value,
                hi: value,
                nan: false,
                infinity: false,
                negative_infinity: false,
            })
        }
        _ => None,
    });
    let joined = ends.reduce(|a, b| Interval {
        lo: a.lo.min(b.lo),
        hi: a.hi.max(b.hi),
        nan: a.nan || b.nan,
        infinity: a.infinity || b.infinity,
        negative_infinity: a.negative_infinity || b.negative_infinity,
        ..a
    });
    joined.map_or(Accept::Open, |interval| within(&interval, ty))
}

fn within(interval: &Interval, ty: &DataType) -> Accept {
    let all = interval.lo == f64::NEG_INFINITY && interval.hi == f64::INFINITY && interval.nan;
    if all {
        return Accept::Open;
    }
    // What is beside the interval is not all that may come out: a number of it stands for that.
    let is_beside = match decode(ty, interval.reference) {
        Number::Float(x) => !(interval.lo <= x && x <= interval.hi),
        Number::Int(_) => false,
    };
    let reference = match is_beside {
        true => encode_float(ty, interval.lo),
        false => interval.reference,
    };
    // Zeros of both signs: the lower end is the negative one, the upper end the positive one.
    let lo = if interval.lo == 0.0 {
        sign(ty)
    } else {
        encode_float(ty, interval.lo)
    };
    let hi = if interval.hi == 0.0 {
        0
    } else {
        encode_float(ty, interval.hi)
    };
    let special = Special {
        nan: interval.nan,
        above: interval.infinity,
        below: interval.negative_infinity,
    };
    Accept::Interval {
        reference,
        lo,
        hi,
        special,
    }
}
