//! Mistakes with outputs in the place of an input: an element of the input was overwritten before it was read.
//!
//! The operator then reads something other than the input: zeros, another input, results. The oracle computes what
//! comes of that.

use dml_spec::answer::Alias;
use dml_spec::model::{DataType, NumberClass, Role};

use dml_case::{
    names::OVERWRITTEN,
    number::{Number, decode, encode_float},
    tensor::named_tensors,
};
use dml_legacy::oracle::{
    Call, Oracle, Seen,
    guess::{Elements, Guess, fixed},
};

/// Outputs of more elements are not computed one element at a time.
const ONE_BY_ONE: usize = 4096;

/// The outputs of backends that compute elements from something other than the input that lay there.
pub(super) fn guess_mistakes<'a>(
    call: &'a Call<'a>,
    oracle: &'a dyn Oracle,
    seen: Seen<'a>,
    aliases: &'a [Alias],
) -> Vec<Guess<'a>> {
    let mut found = Vec::new();
    for alias in aliases {
        let of = Overwriting {
            call,
            oracle,
            seen,
            alias: *alias,
        };
        let mut add = |how: String, gives: Box<dyn Fn() -> Option<Elements> + 'a>| {
            let says = format!("{how}, so that the input in whose place it lies was overwritten before it was read");
            found.push(Guess::new(OVERWRITTEN, says, gives));
        };
        add(
            "the output was computed a second time".to_owned(),
            Box::new(move || of.twice()),
        );
        for other in of.others() {
            let name = of.name(other);
            add(
                format!("the output held a copy of {name} first"),
                Box::new(move || of.instead(&call.inputs.get(other)?.elements)),
            );
        }
        add(
            "the output was cleared first".to_owned(),
            Box::new(move || of.cleared()),
        );
        for (backwards, order) in [(false, "first"), (true, "last")] {
            add(
                format!("each element was computed from the {order} element on"),
                Box::new(move || of.one_by_one(backwards)),
            );
        }
    }
    found
}

/// An output in the place of an input, and what came out of it.
#[derive(Clone, Copy)]
struct Overwriting<'a> {
    call: &'a Call<'a>,
    oracle: &'a dyn Oracle,
    seen: Seen<'a>,
    alias: Alias,
}

impl<'a> Overwriting<'a> {
    /// Inputs that hold as many elements of the same type.
    fn others(self) -> impl Iterator<Item = usize> + 'a {
        let inputs = &self.call.inputs;
        let own = inputs.get(self.alias.input);
        let fits = move |at: &usize| {
            let other = inputs.get(*at).filter(|_| *at != self.alias.input);
            other.zip(own).is_some_and(|(other, own)| {
                other.shape.ty == own.shape.ty && other.elements.len() == own.elements.len()
            })
        };
        (0..inputs.len()).filter(fits)
    }

    fn name(self, input: usize) -> String {
        let inputs = named_tensors(self.call.operator, self.call.descriptor, Role::Input);
        let name = inputs.into_iter().nth(input).map(|(name, _)| name);
        name.unwrap_or_else(|| format!("input {input}"))
    }

    fn ty(self) -> Option<&'a DataType> {
        self.call.outputs.get(self.alias.output).map(|shape| &shape.ty)
    }

    /// The call with other elements in the input that was overwritten.
    fn holding(self, elements: &[u64]) -> Call<'a> {
        let mut call = self.call.clone();
        if let Some(input) = call.inputs.get_mut(self.alias.input) {
            input.elements = elements.to_vec();
            input.shape.write(input.bytes.to_mut(), elements.iter().copied());
        }
        call
    }

    /// The results of a call, and the largest error of each element of the output.
    fn compute(self, call: &Call) -> Option<(Vec<Vec<u64>>, Vec<f64>)> {
        let given = self.oracle.reference(call);
        let tolerances = self.oracle.slack(call, &given).into_iter().nth(self.alias.output)?;
        Some((given, tolerances))
    }

    fn cleared(self) -> Option<Elements> {
        let zeros = vec![0; self.call.inputs.get(self.alias.input)?.elements.len()];
        self.instead(&zeros)
    }

    /// Every element is computed from these in the place of the input.
    fn instead(self, elements: &[u64]) -> Option<Elements> {
        let (given, tolerances) = self.compute(&self.holding(elements))?;
        let mut all = fixed(given);
        for (at, (given, tolerance)) in all.get_mut(self.alias.output)?.iter_mut().zip(tolerances).enumerate() {
            *given = self.match_actual(at, (*given)?, tolerance);
        }
        Some(all)
    }

    /// Elements are as expected, or computed from the expected ones.
    fn twice(self) -> Option<Elements> {
        let (output, ty) = (self.alias.output, self.ty()?);
        let once = self.seen.expected.get(output)?;
        let (given, mut tolerances) = self.compute(&self.holding(once))?;
        if ty.class == NumberClass::Float {
            // The first results may have the largest error, which the second computation passes on.
            let off = self
                .oracle
                .slack(self.call, self.seen.expected)
                .into_iter()
                .nth(output)?;
            for sign in [-1.0, 1.0] {
                let moved = once
                    .iter()
                    .zip(&off)
                    .map(|(bits, off)| shift_float(ty, *bits, sign * off));
                let apart = self.oracle.reference(&self.holding(&moved.collect::<Vec<_>>()));
                let pairs = given.get(output)?.iter().zip(apart.get(output)?);
                for (tolerance, (given, apart)) in tolerances.iter_mut().zip(pairs) {
                    *tolerance += distance(ty, *given, *apart);
                }
            }
        }
        let mut all = fixed(given);
        for (at, (given, tolerance)) in all.get_mut(output)?.iter_mut().zip(tolerances).enumerate() {
            let (due, actual) = (*once.get(at)?, *self.seen.outputs.get(output)?.get(at)?);
            *given = match self.seen.accepts(output, at, due, actual) {
                true => Some(actual),
                false => self.match_actual(at, (*given)?, tolerance),
            };
        }
        Some(all)
    }

    /// Each element is computed from what the memory holds by then: what came out so far, then the rest of the input.
    fn one_by_one(self, backwards: bool) -> Option<Elements> {
        let output = self.alias.output;
        let (actual, due) = (self.seen.outputs.get(output)?, self.seen.expected.get(output)?);
        let input = &self.call.inputs.get(self.alias.input)?.elements;
        if actual.len() > ONE_BY_ONE || input.len() != actual.len() {
            return None;
        }
        let mut given = fixed(self.seen.expected.to_vec());
        let is_wrong = |at: &usize| !self.seen.accepts(output, *at, due[*at], actual[*at]);
        let (wrong, accepted): (Vec<usize>, Vec<usize>) = (0..actual.len()).partition(is_wrong);
        // Most mistakes are ruled out by the first wrong element.
        for at in wrong.into_iter().chain(accepted) {
            let memory = match backwards {
                false => [&actual[..at], &input[at..]].concat(),
                true => [&input[..=at], &actual[at + 1..]].concat(),
            };
            let (computed, tolerances) = self.compute(&self.holding(&memory))?;
            let computed = self.match_actual(at, *computed.get(output)?.get(at)?, *tolerances.get(at)?)?;
            if !self.seen.accepts(output, at, computed, actual[at]) {
                return None;
            }
            *given.get_mut(output)?.get_mut(at)? = Some(computed);
        }
        Some(given)
    }

    /// The element that was written, if it is as near to the result of a mistake as rounding allows and not as near to the
    /// expected one; else the result of the mistake. `None` if the mistake may give anything.
    fn match_actual(self, at: usize, given: u64, tolerance: f64) -> Option<u64> {
        let element = |of: &'a [Vec<u64>]| of.get(self.alias.output)?.get(at).copied();
        let (ty, actual, due) = (self.ty()?, element(self.seen.outputs)?, element(self.seen.expected)?);
        if tolerance == f64::INFINITY {
            return None;
        }
        let is_it = distance(ty, given, actual) <= tolerance && distance(ty, given, due) > tolerance;
        Some(if is_it { actual } else { given })
    }
}

/// The distance of two floats; NaN if one is no number, and for whole numbers, which do not round.
fn distance(ty: &DataType, a: u64, b: u64) -> f64 {
    match (decode(ty, a), decode(ty, b)) {
        (Number::Float(a), Number::Float(b)) if a == b => 0.0,
        (Number::Float(a), Number::Float(b)) => (a - b).abs(),
        _ => f64::NAN,
    }
}

/// The float at this distance.
fn shift_float(ty: &DataType, bits: u64, by: f64) -> u64 {
    match decode(ty, bits) {
        Number::Float(x) if by.is_finite() => encode_float(ty, x + by),
        _ => bits,
    }
}
