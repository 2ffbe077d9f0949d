//! Reduced tensors: the naive outputs, and the checker, which works from each output back to its set and computes no
//! function itself: from a sum all elements are subtracted, a product is divided by each, a logarithm is raised again.

use dml_spec::model::NumberClass;

use super::{Function, Sets, other_axes, range, slack, tails};
use crate::compare::Also;
use crate::oracle::{
    Call, Input, Mismatch, Numbers,
    elementary::{exp, ln},
    guess::{self, Proof},
};
use dml_case::{
    number::{Number, decode, encode_float, encode_int},
    tensor::Shape,
};

/// A call that makes a number of every set and whose shapes fit together.
#[derive(Clone, Debug)]
pub(in crate::oracle) struct Reduced<'a> {
    input: &'a Input<'a>,
    output: &'a Shape,
    axes: &'a [u32],
    sets: Sets,
    numbers: Numbers<'a>,
    function: Function,
}

/// Outputs, and which of them are wrong.
#[derive(Clone, Copy)]
struct Found<'a> {
    found: &'a [u64],
    wrong: &'a [usize],
}

impl<'a> Reduced<'a> {
    /// What the call makes of the sets along `axes`.
    pub(in crate::oracle) fn of(call: &'a Call<'a>, axes: &'a [u32], function: Function) -> Option<Self> {
        let (input, [output]) = (call.inputs.first()?, call.outputs.as_slice()) else {
            return None;
        };
        let sets = Sets::of(&input.shape.sizes, axes)?;
        let fits = output.elements() == sets.count() as u64 && input.elements.len() == sets.count() * sets.size();
        let same = output.ty == input.shape.ty && sets.size() > 0;
        (fits && same).then_some(Self {
            input,
            output,
            axes,
            sets,
            numbers: Numbers::Of(input),
            function,
        })
    }

    /// The outputs, each rounded once.
    pub(in crate::oracle) fn outputs(&self) -> Vec<u64> {
        self.made(self.function, &self.sets, self.numbers)
    }

    /// How far each output may be off.
    pub(in crate::oracle) fn slacks(&self) -> Vec<f64> {
        self.slacks_of(self.function, &self.sets)
    }

    fn made(&self, function: Function, sets: &Sets, numbers: Numbers) -> Vec<u64> {
        sets.iter()
            .map(|set| of_set(function, self.output, set, numbers).unwrap_or(0))
            .collect()
    }

    fn slacks_of(&self, function: Function, sets: &Sets) -> Vec<f64> {
        let bits = self.output.ty.bits;
        sets.iter()
            .map(|set| slack::slack(function, bits, floats(set, self.numbers)))
            .collect()
    }

    /// The same for a guess, which says nothing of sets that have a second result.
    fn guessed_slacks(&self, function: Function, sets: &Sets) -> Vec<f64> {
        let mut slacks = self.slacks_of(function, sets);
        for (slack, also) in slacks.iter_mut().zip(self.also_of(function, sets)) {
            if also.is_some() {
                *slack = f64::INFINITY;
            }
        }
        slacks
    }

    /// What may come out of each set all the same; see [`crate::oracle::Oracle::also`].
    pub(in crate::oracle) fn also(&self) -> Vec<Option<Also>> {
        self.also_of(self.function, &self.sets)
    }

    fn also_of(&self, function: Function, sets: &Sets) -> Vec<Option<Also>> {
        let ty = &self.output.ty;
        let of = |set| range::also(function, ty, floats(set, self.numbers));
        match ty.class {
            NumberClass::Float => sets.iter().map(of).collect(),
            _ => Vec::new(),
        }
    }

    /// Which promises the outputs break; see [`crate::oracle::Oracle::check`].
    pub(in crate::oracle) fn check(&self, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
        let (class, what) = self.function.names();
        let found = match outputs {
            [found] if found.len() == self.sets.count() => found,
            _ => {
                return vec![mismatch(
                    class,
                    0,
                    "the outputs are not one element for each set".to_owned(),
                    true,
                )];
            }
        };
        let (slacks, also) = (self.slacks(), self.also());
        let fits = |at: usize| {
            let bits = found.get(at).copied().unwrap_or(0);
            let also = also.get(at).copied().flatten();
            also.is_some_and(|also| also.accepts(&self.output.ty, bits))
                || self.fits(at, bits, slacks.get(at).copied().unwrap_or(0.0))
        };
        let wrong: Vec<usize> = (0..found.len()).filter(|at| !fits(*at)).collect();
        let Some(first) = wrong.first().copied() else {
            return Vec::new();
        };
        if let Some(whole) = self.explained(found, &wrong) {
            return vec![whole];
        }
        let value = decode(&self.output.ty, found[first]);
        let near = wrong.iter().all(|at| self.is_near(*at, found[*at], slacks[*at]));
        let class = if near { "precision" } else { class };
        let message = format!("{value} is not the {what} of the set {}", self.name(first));
        vec![mismatch(class, first, message, false)]
    }

    /// Whether an output is what the function makes of its set, found by going back from it to the set.
    fn fits(&self, at: usize, bits: u64, slack: f64) -> bool {
        let set = || {
            self.sets
                .get(at)
                .iter()
                .map(|place| self.numbers.get(*place).unwrap_or(Number::Int(0)))
        };
        match decode(&self.output.ty, bits) {
            Number::Float(out) => {
                let floats = || set().map(|n| if let Number::Float(x) = n { x } else { 0.0 });
                slack == f64::INFINITY || float_fits(self.function, out, slack, floats)
            }
            Number::Int(out) => {
                let integers = set().map(|n| if let Number::Int(n) = n { n } else { 0 });
                integer_fits(self.function, self.output, out, integers)
            }
        }
    }

    /// Whether an output is right but for digits: a few hundred times as far off as it may be, or by a hundredth.
    fn is_near(&self, at: usize, bits: u64, slack: f64) -> bool {
        let right = of_set(self.function, self.output, self.sets.get(at), self.numbers);
        match (
            decode(&self.output.ty, bits),
            right.map(|right| decode(&self.output.ty, right)),
        ) {
            // Nothing finite is near an infinity.
            (Number::Float(out), Some(Number::Float(right))) => {
                right.is_finite() && (out - right).abs() <= (256.0 * slack).max(right.abs() / 128.0)
            }
            _ => false,
        }
    }

    /// A mistake that explains every output.
    fn explained(&self, found: &[u64], wrong: &[usize]) -> Option<Mismatch> {
        let (class, what) = self.function.names();
        let first = wrong.first().copied()?;
        let seen = Found { found, wrong };
        for other in Function::ALL.into_iter().filter(|other| *other != self.function) {
            if self.matches(other, &self.sets, seen) {
                let message = format!("the outputs are the {} of each set, not the {what}", other.names().1);
                return Some(mismatch("function-confused", first, message, true));
            }
        }
        for end in tails(self.sets.size()) {
            if self.matches(self.function, &self.shortened(|set| set.get(..end)), seen) {
                let message = if end + 1 == self.sets.size() {
                    "the last element of every set takes no part".to_owned()
                } else {
                    format!("elements from index {end} on of every set take no part")
                };
                return Some(mismatch("element-skipped", first, message, true));
            }
        }
        if self.sets.size() > 1 && self.matches(self.function, &self.shortened(|set| set.get(1..)), seen) {
            let message = "the first element of every set takes no part".to_owned();
            return Some(mismatch("element-skipped", first, message, true));
        }
        for (factor, how) in self.factors() {
            if self.matches_after(seen, factor) {
                return Some(mismatch(class, first, format!("every output is {how}"), true));
            }
        }
        for axes in other_axes(&self.input.shape.sizes, self.axes) {
            let sets = Sets::of(&self.input.shape.sizes, &axes)?;
            if sets.count() == self.sets.count() && self.matches(self.function, &sets, seen) {
                let message = format!("axes {axes:?} are reduced instead of {:?}", self.axes);
                return Some(mismatch("axis-confused", first, message, true));
            }
        }
        None
    }

    /// Factors that outputs may be too large by, and what to say of them.
    fn factors(&self) -> Vec<(f64, String)> {
        match self.function {
            Function::Average => {
                let n = self.sets.size() as f64;
                let others = self
                    .axes
                    .iter()
                    .filter_map(|axis| self.input.shape.sizes.get(*axis as usize));
                let mut counts: Vec<f64> = others.map(|size| f64::from(*size)).collect();
                counts.extend([n - 1.0, n + 1.0, self.numbers.len() as f64, self.sets.count() as f64]);
                counts.retain(|count| *count > 0.0 && *count != n);
                counts.dedup();
                let says = |count: f64| (n / count, format!("divided by {count} instead of {n}"));
                counts.into_iter().map(says).collect()
            }
            Function::LogSum | Function::LogSumExp => vec![
                (std::f64::consts::LOG2_E, "a logarithm to base 2".to_owned()),
                (std::f64::consts::LOG10_E, "a logarithm to base 10".to_owned()),
            ],
            _ => Vec::new(),
        }
    }

    /// Whether the outputs are what the function makes of these sets.
    fn matches(&self, function: Function, sets: &Sets, seen: Found) -> bool {
        let integers = sets
            .iter()
            .next()
            .map(|set| of_set(function, self.output, set, self.numbers));
        integers.flatten().is_some()
            && self.fit(
                &self.made(function, sets, self.numbers),
                &self.guessed_slacks(function, sets),
                1.0,
                seen,
            )
    }

    /// Whether the outputs are the right ones but for a factor.
    fn matches_after(&self, seen: Found, factor: f64) -> bool {
        self.fit(
            &self.outputs(),
            &self.guessed_slacks(self.function, &self.sets),
            factor,
            seen,
        )
    }

    /// Whether the outputs are these times a factor. Where one may be anything, or what is right as well, it does not
    /// speak for that.
    fn fit(&self, made: &[u64], slacks: &[f64], factor: f64, Found { found, wrong }: Found) -> bool {
        let close = |((made, found), slack): ((&u64, &u64), &f64)| self.close(*made, *found, *slack, factor);
        if made.len() != found.len() || !guess::tell(made) || !made.iter().zip(found).zip(slacks).all(close) {
            return false;
        }
        let (due, mut proof) = (self.outputs(), Proof::default());
        for at in wrong {
            let told =
                || Some(slacks.get(*at)?.is_finite() && !close(((made.get(*at)?, due.get(*at)?), slacks.get(*at)?)));
            proof.note(told().unwrap_or(false));
        }
        proof.holds()
    }

    /// Whether a number is another one times a factor, as far as rounding lets one tell.
    fn close(&self, made: u64, found: u64, slack: f64, factor: f64) -> bool {
        match (decode(&self.output.ty, made), decode(&self.output.ty, found)) {
            (Number::Float(made), Number::Float(found)) => {
                let (right, some) = (made * factor, if factor == 1.0 { 0.0 } else { made.abs() / 512.0 });
                right == found
                    || (right - found).abs() <= slack * factor.max(1.0) + some
                    || (right.is_nan() && found.is_nan())
            }
            (made, found) => factor == 1.0 && made == found,
        }
    }

    fn shortened(&self, part: impl Fn(&[usize]) -> Option<&[usize]>) -> Sets {
        let parts: Vec<&[usize]> = self.sets.iter().map(|set| part(set).unwrap_or_default()).collect();
        Sets {
            size: parts.first().map_or(0, |part| part.len()),
            members: parts.concat(),
        }
    }

    /// Classes of the checker that wrong outputs could show.
    pub(in crate::oracle) fn exposes(&self) -> Vec<&'static str> {
        let mut classes = vec![self.function.names().0];
        if self.sets.size() > 1 {
            classes.extend(["element-skipped", "function-confused"]);
        }
        if self.slacks().iter().any(|slack| *slack > 0.0 && slack.is_finite()) {
            classes.push("precision");
        }
        classes
    }

    /// A set in words: the coordinates of its elements with `*` for the reduced axes.
    fn name(&self, output: usize) -> String {
        let first = self.sets.get(output).first().copied().unwrap_or(0);
        let at = self.input.shape.coordinates(first as u64);
        let reduced = |d: usize| self.axes.iter().any(|axis| *axis as usize == d);
        let star = |(d, c): (usize, &u32)| if reduced(d) { "*".to_owned() } else { c.to_string() };
        format!("[{}]", at.iter().enumerate().map(star).collect::<Vec<_>>().join(","))
    }
}

fn mismatch(class: &'static str, at: usize, message: String, whole: bool) -> Mismatch {
    Mismatch {
        class,
        output: 0,
        at: at as u64,
        message,
        whole,
    }
}

/// The elements of a set as floats.
fn floats<'a>(set: &'a [usize], numbers: Numbers<'a>) -> impl Iterator<Item = f64> + Clone + 'a {
    let float = move |place: &usize| match numbers.get(*place) {
        Some(Number::Float(x)) => x,
        _ => 0.0,
    };
    set.iter().map(float)
}

/// What the function makes of a set, as bits; `None` where it takes no such elements.
fn of_set(function: Function, output: &Shape, set: &[usize], numbers: Numbers) -> Option<u64> {
    if matches!(numbers.get(0), Some(Number::Float(_))) {
        return Some(encode_float(&output.ty, function.of_floats(floats(set, numbers))));
    }
    let integer = |place: &usize| match numbers.get(*place) {
        Some(Number::Int(n)) => n,
        _ => 0,
    };
    let made = function.of_integers(set.iter().map(integer))?;
    Some(encode_int(&output.ty, made))
}

/// Elements closer to zero than this give no infinity, in any type.
const FAR: f64 = 32768.0;

/// Whether `out` may be what the function makes of a set of floats.
fn float_fits<I: Iterator<Item = f64>>(function: Function, out: f64, slack: f64, set: impl Fn() -> I) -> bool {
    // Rounding of the way back.
    let slack = slack * (1.0 + 1e-9);
    // What is left of `from` when all are subtracted, rounding errors included.
    let left = |from: f64, terms: &mut dyn Iterator<Item = f64>| {
        let (mut rest, mut lost) = (from, 0.0);
        for x in terms {
            let next = rest - x;
            lost += if rest.abs() >= x.abs() {
                (rest - next) - x
            } else {
                rest - (next + x)
            };
            rest = next;
        }
        rest + lost
    };
    let count = || set().count() as f64;
    match function {
        Function::Sum => left(out, &mut set()).abs() <= slack,
        Function::L1 => left(out, &mut set().map(f64::abs)).abs() <= slack,
        Function::SumSquare => left(out, &mut set().map(|x| x * x)).abs() <= slack,
        Function::Average => left(out * count(), &mut set()).abs() <= slack * count() + out.abs() * count() * 1e-15,
        Function::L2 => {
            if out < 0.0 {
                // No root is negative, but where zero is near enough, so is what lies beyond it.
                return set().map(|x| x * x).sum::<f64>().sqrt() - out <= slack;
            }
            let square = left(out * out, &mut set().map(|x| x * x));
            square.abs() <= slack * (2.0 * out + slack)
        }
        Function::LogSum => {
            let sum = -left(0.0, &mut set());
            raised(out, sum, slack)
        }
        Function::LogSumExp => {
            // What comes out is hardly more than the greatest goes in: far from the range of every type there is no infinity.
            if out.is_infinite() && set().all(|x| x.abs() < FAR) {
                return false;
            }
            let shares: f64 = set().map(|x| exp(x - out)).sum();
            within(shares, slack)
        }
        Function::Multiply => {
            if out == 0.0 && !set().any(|x| x == 0.0) {
                // Nothing is left to divide: what went below the range was as small as the room that is left.
                let size: f64 = set().map(|x| ln(x.abs())).sum();
                return exp(size) <= slack;
            }
            let mut rest = out;
            for x in set().filter(|x| *x != 0.0) {
                rest /= x;
            }
            // What is left is 1 but for the error, which the product itself tells in size.
            let off = if set().any(|x| x == 0.0) { out } else { out - out / rest };
            off.abs() <= slack + out.abs() * 1e-12
        }
        Function::Max => extreme(out, set, |a, b| a > b),
        Function::Min => extreme(out, set, |a, b| a < b),
    }
}

/// Whether the logarithm of a ratio is no further from 0 than `slack`.
fn within(ratio: f64, slack: f64) -> bool {
    (1.0 - 1e-12) * exp(-slack) <= ratio && ratio <= (1.0 + 1e-12) * exp(slack)
}

/// Whether `out` is the logarithm of a sum.
fn raised(out: f64, sum: f64, slack: f64) -> bool {
    if sum > 0.0 {
        within(exp(out) / sum, slack)
    } else if sum == 0.0 {
        out == f64::NEG_INFINITY
    } else {
        out.is_nan()
    }
}

fn extreme<I: Iterator<Item = f64>>(out: f64, set: impl Fn() -> I, beyond: fn(f64, f64) -> bool) -> bool {
    set().any(|x| x == out) && !set().any(|x| beyond(x, out))
}

/// Whether `out` is what the function makes of a set of whole numbers, cut to the width of their type.
fn integer_fits(function: Function, output: &Shape, out: i128, set: impl Iterator<Item = i128>) -> bool {
    let nothing = |left: i128| encode_int(&output.ty, left) == 0;
    match function {
        Function::Sum => nothing(set.fold(out, |left, n| left - n)),
        Function::L1 => nothing(set.fold(out, |left, n| left - n.abs())),
        Function::SumSquare => nothing(set.fold(out, |left, n| left.wrapping_sub(n.wrapping_mul(n)))),
        Function::Multiply => {
            let bits = set.fold(1u64, |product, n| product.wrapping_mul(n as u64));
            nothing(out.wrapping_sub(i128::from(bits)))
        }
        Function::Max | Function::Min => {
            let (mut member, mut beyond) = (false, false);
            for n in set {
                member |= n == out;
                beyond |= if function == Function::Max { n > out } else { n < out };
            }
            member && !beyond
        }
        Function::Average | Function::L2 | Function::LogSum | Function::LogSumExp => false,
    }
}
