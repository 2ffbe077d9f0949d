//! REDUCE: one element for every set of elements that differ in the reduced axes only, by a function.
//!
//! Sums of floats carry their rounding errors along (Neumaier), products their exponent apart, and logarithms of sums
//! of exponentials are shifted by the largest exponent so far: no set overflows on its way to a result that does not.

use dml_ops::{DataType, ReduceFunction, reduce::Reduce};
use half::f16;

use crate::{
    KernelError,
    extreme::{Extreme, Tell},
    reduction::Reduction,
    view::{self, Layout, require_tensor},
};

/// Reduces `inputs[0]` to `outputs[0]`.
///
/// # Errors
/// If tensors and buffers do not fit together; a valid descriptor with buffers of its sizes never fails.
pub(super) fn execute(op: &Reduce, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let (largest, tell) = match op.function {
        ReduceFunction::ARGMAX => (true, Tell::First),
        ReduceFunction::ARGMIN => (false, Tell::First),
        ReduceFunction::MAX => (true, Tell::Element),
        ReduceFunction::MIN => (false, Tell::Element),
        _ => return calculate(op, inputs, outputs),
    };
    let extreme = Extreme {
        input: &op.input_tensor,
        output: &op.output_tensor,
        axes: op.axes.as_deref().unwrap_or_default(),
        largest,
    };
    extreme.execute(tell, inputs, outputs)
}

/// The functions that calculate.
fn calculate(op: &Reduce, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), KernelError> {
    let (input, output) = match (inputs, outputs) {
        ([input], [output]) => (*input, &mut **output),
        (inputs, outputs) => {
            return Err(KernelError::buffers(inputs, outputs));
        }
    };
    let data_type = DataType(require_tensor(&op.input_tensor)?.data_type);
    let unsupported = KernelError::DataType(data_type.0);
    match data_type {
        DataType::FLOAT32 | DataType::FLOAT16 => {
            let fold = of_floats(op.function).ok_or(unsupported)?;
            if data_type == DataType::FLOAT32 {
                let single = |bits: u64| f32::from_bits(bits as u32);
                run::<4, f32>(op, input, output, single, |set| u64::from((fold(set) as f32).to_bits()))
            } else {
                let half = |bits: u64| f16::from_bits(bits as u16).to_f32();
                run::<2, f32>(op, input, output, half, |set| {
                    u64::from(f16::from_f64(fold(set)).to_bits())
                })
            }
        }
        DataType::INT64 | DataType::UINT64 => {
            let fold = of_integers(op.function, data_type == DataType::INT64).ok_or(unsupported)?;
            run::<8, u64>(op, input, output, |bits| bits, fold)
        }
        DataType::INT32 | DataType::UINT32 => {
            let signed = data_type == DataType::INT32;
            let fold = of_integers(op.function, signed).ok_or(unsupported)?;
            let widen = |bits: u64| {
                if signed {
                    (bits as u32).cast_signed() as u64
                } else {
                    bits
                }
            };
            run::<4, u64>(op, input, output, widen, fold)
        }
        _ => Err(unsupported),
    }
}

/// Folds every set of elements of `W` bytes.
fn run<const W: usize, T>(
    op: &Reduce,
    input: &[u8],
    output: &mut [u8],
    load: impl Fn(u64) -> T,
    fold: impl Fn(&mut dyn Iterator<Item = T>) -> u64,
) -> Result<(), KernelError> {
    let from = Layout::new(require_tensor(&op.input_tensor)?, W, input.len())?;
    let to = Layout::new(require_tensor(&op.output_tensor)?, W, output.len())?;
    let reduction = Reduction::new(&from, &to, op.axes.as_deref().unwrap_or_default())?;
    for [start, at] in reduction.sets() {
        let mut set = reduction
            .set()
            .map(|[offset]| load(view::read::<W>(input, start + offset)));
        view::write::<W>(output, at, fold(&mut set));
    }
    Ok(())
}

/// Elements of a set.
type Set<'a, T> = &'a mut dyn Iterator<Item = T>;

/// The function of floats; `None` if it does not calculate.
fn of_floats(function: ReduceFunction) -> Option<fn(Set<f32>) -> f64> {
    Some(match function {
        ReduceFunction::SUM => sum,
        ReduceFunction::AVERAGE => average,
        ReduceFunction::L1 => |set| sum(&mut set.map(f32::abs)),
        ReduceFunction::L2 => |set| sum_of_squares(set).sqrt(),
        ReduceFunction::LOG_SUM => |set| sum(set).ln(),
        ReduceFunction::LOG_SUM_EXP => log_sum_exp,
        ReduceFunction::MULTIPLY => product,
        ReduceFunction::SUM_SQUARE => sum_of_squares,
        _ => return None,
    })
}

/// The function of integers, of which the low bits count; `None` if there is none.
fn of_integers(function: ReduceFunction, signed: bool) -> Option<fn(Set<u64>) -> u64> {
    Some(match (function, signed) {
        (ReduceFunction::SUM, _) | (ReduceFunction::L1, false) => |set| set.fold(0, u64::wrapping_add),
        (ReduceFunction::L1, true) => |set| set.fold(0, |sum, n| sum.wrapping_add(n.cast_signed().unsigned_abs())),
        (ReduceFunction::MULTIPLY, _) => |set| set.fold(1, u64::wrapping_mul),
        (ReduceFunction::SUM_SQUARE, _) => |set| set.fold(0, |sum, n| sum.wrapping_add(n.wrapping_mul(n))),
        _ => return None,
    })
}

/// A sum in single precision that keeps what each step loses.
fn sum(set: Set<f32>) -> f64 {
    let (mut sum, mut lost) = (0f32, 0f32);
    for x in set {
        let next = sum + x;
        lost += if sum.abs() >= x.abs() {
            (sum - next) + x
        } else {
            (x - next) + sum
        };
        sum = next;
    }
    // Beyond the greatest number there is nothing to make good, and infinities have lost NaN.
    if sum.is_finite() {
        f64::from(sum) + f64::from(lost)
    } else {
        f64::from(sum)
    }
}

fn average(set: Set<f32>) -> f64 {
    let mut count = 0u32;
    let sum = sum(&mut set.inspect(|_| count = count.saturating_add(1)));
    sum / f64::from(count)
}

fn sum_of_squares(set: Set<f32>) -> f64 {
    set.fold(0.0, |sum, x| f64::from(x).mul_add(f64::from(x), sum))
}

/// A product whose exponent is kept apart.
fn product(set: Set<f32>) -> f64 {
    const STEP: i32 = 256;
    let (mut product, mut exponent) = (1f64, 0i32);
    for x in set {
        product *= f64::from(x);
        let magnitude = product.abs();
        if magnitude > 2f64.powi(STEP) && magnitude.is_finite() {
            product *= 2f64.powi(-STEP);
            exponent = exponent.saturating_add(STEP);
        } else if magnitude < 2f64.powi(-STEP) && magnitude > 0.0 {
            product *= 2f64.powi(STEP);
            exponent = exponent.saturating_sub(STEP);
        }
    }
    product * 2f64.powi(exponent)
}

/// The logarithm of a sum of exponentials, all relative to the largest one so far.
fn log_sum_exp(set: Set<f32>) -> f64 {
    let (mut top, mut sum) = (f64::NEG_INFINITY, 0f64);
    for x in set.map(f64::from) {
        if x <= top {
            sum += if x == top { 1.0 } else { (x - top).exp() };
        } else {
            sum = if sum == 0.0 { 1.0 } else { sum * (top - x).exp() + 1.0 };
            top = x;
        }
    }
    if top.is_infinite() { top } else { top + sum.ln() }
}

#[cfg(test)]
#[path = "reduce/tests.rs"]
mod tests;
