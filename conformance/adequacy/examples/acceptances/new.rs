//! What the meaning of an operator accepts, element by element.

use dml_case::{
    case::Case,
    number::{encode_float, is_nan},
    outcome::Basis,
    tensor::Shape,
};
use dml_judge::Accepted;
use dml_oracle::{Block, Element, Interval, Meanings, Request, Tensor, expect};
use dml_plan::planner::Planner;
use dml_spec::{
    desc::{TensorDesc, Value},
    model::{ClauseKind, DataType, Operator, Role},
};

use crate::{
    accept::{Accept, Special, sign},
    case::Openness,
    old::head,
    write::{Encoded, OutputEncoder},
};

/// What is accepted of a case by the meaning of its operator. Whether a case is judged at all is asked of the judge,
/// but for silences that leave elements open: those are asked of each element.
///
/// # Errors
/// A meaning that has no value for the case.
pub(crate) fn encode(suite: &Planner, meanings: &Meanings, case: &Case, basis: Basis) -> Result<Encoded, String> {
    let accepted = Accepted::of(suite, case, basis).ok_or_else(|| format!("{}: nothing is expected of it", case.id))?;
    let operator = suite.catalog.operator(case.id.operator()).ok_or("unknown operator")?;
    let openness = match &accepted {
        Accepted::Nothing => return Ok(Encoded::new(&head(case, Openness::Create, Vec::new()), Vec::new())),
        Accepted::Judged(_) => Openness::Judged,
        Accepted::Open(open) if open.observed && !is_said_by_element(operator, case) => Openness::Observed,
        Accepted::Open(_) if shares_places(operator, case) => Openness::Unspecified,
        Accepted::Open(_) => Openness::Judged,
    };
    let types = output_types(suite, operator, case);
    let mut outputs: Vec<OutputEncoder> = types.iter().map(|(ty, _)| OutputEncoder::new(ty)).collect();
    if openness.is_open() {
        for (output, (_, count)) in outputs.iter_mut().zip(&types) {
            (0..*count).try_for_each(|_| output.push(Accept::Open))?;
        }
        return Ok(Encoded::new(&head(case, openness, Vec::new()), outputs));
    }
    let places = output_places(operator, case);
    let mut result = Ok(());
    let mut judged = false;
    let inputs = inputs(suite, operator, case).ok_or_else(|| format!("{}: an input does not fit", case.id))?;
    let request = Request {
        catalog: &suite.catalog,
        meanings,
        descriptor: &case.descriptor,
        inputs: &inputs,
        basis: match basis {
            Basis::Text => dml_oracle::Basis::Text,
            Basis::Runtime => dml_oracle::Basis::Runtime,
        },
    };
    let computed = expect(&request, &mut |block: Block| {
        let at = places
            .iter()
            .position(|place| *place == (block.field, block.element))
            .unwrap_or(0);
        for element in &block.elements {
            judged |= !matches!(element, Element::Open(_));
            if let (Ok(()), Some(output)) = (&result, outputs.get_mut(at)) {
                result = output.push(accept(element, &types[at].0));
            }
        }
    });
    computed.map_err(|fault| format!("{}: {fault}, at {:?}", case.id, fault.span))?;
    result.map_err(|why| format!("{}: {why}", case.id))?;
    let openness = if judged {
        Openness::Judged
    } else {
        Openness::Unspecified
    };
    Ok(Encoded::new(&head(case, openness, Vec::new()), outputs))
}

/// Whether all that is open about a case is said element by element.
fn is_said_by_element(operator: &Operator, case: &Case) -> bool {
    case.verdict.clauses().iter().all(|id| {
        let clause = operator.clauses.iter().find(|clause| clause.id == *id);
        clause.is_some_and(|clause| clause.kind == ClauseKind::Silence && !clause.opens.is_empty())
    })
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

fn shares_places(operator: &Operator, case: &Case) -> bool {
    tensors(operator, case, Role::Output).any(|(_, _, tensor)| {
        tensor
            .strides
            .as_deref()
            .is_some_and(|strides| dml_spec::layout::overlaps(tensor.sizes(), strides))
    })
}

/// The input tensors by field.
fn inputs(suite: &Planner, operator: &Operator, case: &Case) -> Option<Vec<Vec<Tensor>>> {
    let mut all = vec![Vec::new(); operator.fields.len()];
    let given = tensors(operator, case, Role::Input).zip(&case.inputs);
    for ((field, _, desc), bytes) in given {
        let shape = Shape::of(&suite.catalog, desc)?;
        all.get_mut(field)?
            .push(Tensor::new(desc, &shape.ty, &shape.read(bytes))?);
    }
    Some(all)
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
    // Where NaN is not all that may come out, a number stands for it.
    let reference = match is_nan(ty, interval.reference) {
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
