//! CUMULATIVE_SUMMATION: the running tally of every sequence along an axis.

#[path = "cumulative_summation/faults.rs"]
mod faults;
#[path = "cumulative_summation/tally.rs"]
mod tally;

use self::tally::Tally;

use crate::compare::Also;
use crate::oracle::{
    Call, ComputingFault, Input, Lanes, Mismatch, OnnxForm, Oracle, rounding,
    wanted::{self, Mistake, Wanted},
};
use dml_case::number::{Number, decode};

/// The oracle.
pub(super) static ORACLE: CumulativeSummation = CumulativeSummation;

/// See the module.
pub(super) struct CumulativeSummation;

/// Classes that the checker names.
const CLASSES: &[&str] = &[
    "axis-confused",
    "block-restarted",
    "direction-flipped",
    "element-skipped",
    "exclusive",
    "exclusive-shifted",
    "inclusive",
    "lanes-run-on",
    "precision",
    "wrong-sum",
];

/// A call whose shapes fit together.
#[derive(Clone, Copy)]
struct Tallies<'a> {
    input: &'a Input<'a>,
    lanes: Lanes,
    axis: usize,
    decreasing: bool,
    exclusive: bool,
}

impl<'a> Tallies<'a> {
    fn of(call: &'a Call<'a>) -> Option<Self> {
        let input = call.inputs.first()?;
        let axis = usize::try_from(call.uint("Axis")?).ok()?;
        let lanes = Lanes::along(&input.shape.sizes, axis)?;
        (input.elements.len() == lanes.count() * lanes.size).then_some(Self {
            input,
            lanes,
            axis,
            // `DML_AXIS_DIRECTION_DECREASING` is 1.
            decreasing: call.uint("AxisDirection")? == 1,
            exclusive: call.uint("HasExclusiveSum")? != 0,
        })
    }

    fn along(&self, axis: usize) -> Option<Self> {
        let lanes = Lanes::along(&self.input.shape.sizes, axis)?;
        Some(Self { lanes, axis, ..*self })
    }

    fn number(&self, place: usize) -> Number {
        let bits = self.input.elements.get(place).copied().unwrap_or(0);
        decode(&self.input.shape.ty, bits)
    }

    /// Places of a lane in the order in which they are passed.
    fn passed(&self, lane: usize) -> impl Iterator<Item = usize> + use<> {
        let (lanes, decreasing) = (self.lanes, self.decreasing);
        let index = move |i| if decreasing { lanes.size - 1 - i } else { i };
        (0..lanes.size).map(move |i| lanes.place(lane, index(i)))
    }

    /// What `give` makes of the tally of every place; `change` may replace an element before it counts (0 leaves it
    /// out), and `restart` says before which elements of a sequence the tally starts anew. Tallies are large, so that
    /// they are not kept.
    fn tallies<T: Clone>(
        &self,
        change: &dyn Fn(usize, Number) -> Number,
        restart: &dyn Fn(usize) -> bool,
        give: impl Fn(&Tally) -> T,
    ) -> Vec<T> {
        let mut out = vec![give(&Tally::default()); self.input.elements.len()];
        for lane in 0..self.lanes.count() {
            let mut tally = Tally::default();
            for (index, place) in self.passed(lane).enumerate() {
                if restart(index) {
                    tally = Tally::default();
                }
                let before = tally;
                tally.add(change(place, self.number(place)));
                out[place] = give(if self.exclusive { &before } else { &tally });
            }
        }
        out
    }

    fn plain<T: Clone>(&self, give: impl Fn(&Tally) -> T) -> Vec<T> {
        self.tallies(&|_, number| number, &|_| false, give)
    }

    /// What every element has to be.
    fn wanted(&self) -> Vec<Wanted> {
        self.plain(|tally| self.of_tally(tally))
    }

    fn of_tally(&self, tally: &Tally) -> Wanted {
        tally.wanted(&self.input.shape.ty)
    }

    /// Mistakes that implementations make, the most likely first.
    fn mistakes(self) -> Vec<Mistake<'a>> {
        let all = move |s: Self| s.wanted();
        let flipped = Self {
            decreasing: !self.decreasing,
            ..self
        };
        let other = Self {
            exclusive: !self.exclusive,
            ..self
        };
        let (class, asked) = if self.exclusive {
            ("inclusive", "exclusive")
        } else {
            ("exclusive", "inclusive")
        };
        let mut mistakes = vec![
            Mistake::new(
                class,
                format!("the tallies are {class}, but should be {asked}"),
                move || Some(all(other)),
            ),
            Mistake::new(
                "direction-flipped",
                "the elements are passed in the other direction",
                move || Some(all(flipped)),
            ),
            Mistake::new(
                "exclusive-shifted",
                "the exclusive tallies are shifted to the wrong side",
                move || self.exclusive.then(|| self.shifted()),
            ),
            Mistake::new(
                "lanes-run-on",
                "a tally does not start anew with the next sequence",
                move || Some(self.running_on()),
            ),
        ];
        for axis in (0..self.input.shape.sizes.len()).filter(|axis| *axis != self.axis) {
            mistakes.push(Mistake::new(
                "axis-confused",
                format!("the sums run along axis {axis} instead of {}", self.axis),
                move || self.along(axis).map(all),
            ));
        }
        for block in (2..13)
            .map(|bits| 1usize << bits)
            .take_while(|block| *block < self.lanes.size)
        {
            mistakes.push(Mistake::new(
                "block-restarted",
                format!("the tally starts anew every {block} elements"),
                move || Some(self.tallies(&|_, n| n, &|index| index % block == 0, |tally| self.of_tally(tally))),
            ));
        }
        for skipped in [0, self.lanes.size.saturating_sub(1), self.lanes.size.saturating_sub(2)] {
            mistakes.push(Mistake::new(
                "element-skipped",
                format!("element {skipped} of every sequence does not count"),
                move || Some(self.without(skipped)),
            ));
        }
        mistakes.push(Mistake::new(
            "precision",
            "the sums are off by no more than FLOAT16 or FLOAT32 arithmetic makes them",
            move || Some(self.coarse()),
        ));
        mistakes
    }

    /// Element `index` of every lane counts as 0.
    fn without(&self, index: usize) -> Vec<Wanted> {
        let skip = |place: usize, number: Number| match (self.lanes.locate(place).1 == index, number) {
            (false, number) => number,
            (true, Number::Int(_)) => Number::Int(0),
            (true, Number::Float(_)) => Number::Float(0.0),
        };
        self.tallies(&skip, &|_| false, |tally| self.of_tally(tally))
    }

    /// Inclusive tallies one place ahead, instead of behind.
    fn shifted(&self) -> Vec<Wanted> {
        let inclusive = Self {
            exclusive: false,
            ..*self
        }
        .wanted();
        let mut out = vec![self.of_tally(&Tally::default()); inclusive.len()];
        for lane in 0..self.lanes.count() {
            for (place, next) in self.passed(lane).zip(self.passed(lane).skip(1)) {
                out[place] = inclusive[next];
            }
        }
        out
    }

    /// One tally over all lanes, one after the other.
    fn running_on(&self) -> Vec<Wanted> {
        let mut tally = Tally::default();
        let mut out = vec![self.of_tally(&tally); self.input.elements.len()];
        for place in (0..self.lanes.count()).flat_map(|lane| self.passed(lane)) {
            let before = tally;
            tally.add(self.number(place));
            out[place] = self.of_tally(if self.exclusive { &before } else { &tally });
        }
        out
    }

    /// Sums with the errors of narrow arithmetic.
    fn coarse(&self) -> Vec<Wanted> {
        let ty = &self.input.shape.ty;
        let unit = if rounding::is_float(ty) && ty.bits == 32 {
            2f64.powi(-11)
        } else {
            2f64.powi(-23)
        };
        let of = |tally: &Tally| Wanted::Real {
            value: tally.value(),
            slack: unit * (tally.count + 1.0) * tally.magnitude,
        };
        self.plain(of)
    }
}

/// A second way to the same: whole numbers by their differences, floats by sums that carry their error along.
fn sums_differ(s: &Tallies, found: &[u64]) -> Option<usize> {
    let ty = &s.input.shape.ty;
    for lane in 0..s.lanes.count() {
        let (mut sum, mut error, mut whole) = (0.0f64, 0.0f64, 0i128);
        let mut bound = Tally::default();
        for place in s.passed(lane) {
            let number = s.number(place);
            let (before, whole_before, bound_before) = (sum + error, whole, bound);
            bound.add(number);
            match number {
                Number::Int(n) => whole += n,
                Number::Float(x) => {
                    let next = sum + x;
                    error += if sum.abs() >= x.abs() {
                        (sum - next) + x
                    } else {
                        (x - next) + sum
                    };
                    sum = next;
                }
            }
            let wanted = if rounding::is_float(ty) {
                let (value, bound) = if s.exclusive {
                    (before, bound_before)
                } else {
                    (sum + error, bound)
                };
                match bound.around(ty, value) {
                    Wanted::Real { value, slack } => Wanted::Real {
                        value,
                        slack: slack + f64::EPSILON * bound.magnitude,
                    },
                    other => other,
                }
            } else {
                Wanted::Whole(if s.exclusive { whole_before } else { whole })
            };
            let bits = found.get(place).copied().unwrap_or(0);
            if wanted.bits(ty) != bits && !wanted.allows(ty, bits) {
                return Some(place);
            }
        }
    }
    None
}

impl Oracle for CumulativeSummation {
    fn classes(&self) -> &'static [&'static str] {
        CLASSES
    }

    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        let Some(s) = Tallies::of(call) else { return Vec::new() };
        vec![s.plain(|tally| s.of_tally(tally).bits(&s.input.shape.ty))]
    }

    fn slack(&self, call: &Call, _: &[Vec<u64>]) -> Vec<Vec<f64>> {
        let Some(s) = Tallies::of(call) else { return Vec::new() };
        vec![s.plain(|tally| s.of_tally(tally).slack())]
    }

    fn also(&self, call: &Call) -> Vec<Vec<Option<Also>>> {
        let Some(s) = Tallies::of(call) else { return Vec::new() };
        vec![s.plain(|tally| s.of_tally(tally).also())]
    }

    fn check(&self, call: &Call, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
        let (Some(s), [found]) = (Tallies::of(call), outputs) else {
            return Vec::new();
        };
        let (shape, due) = (&s.input.shape, s.wanted());
        let Some(first) = wanted::first_wrong(&shape.ty, &due, found) else {
            return Vec::new();
        };
        let explained = wanted::explained(shape, &due, found, &s.mistakes());
        if !explained.is_empty() {
            return explained;
        }
        let at = sums_differ(&s, found).unwrap_or(first);
        vec![wanted::mismatch("wrong-sum", shape, &due, found, at, " as the sum")]
    }

    fn faults(&self) -> Vec<ComputingFault> {
        faults::all()
    }

    fn exposes(&self, call: &Call) -> Vec<&'static str> {
        let Some(s) = Tallies::of(call) else { return Vec::new() };
        let ty = &s.input.shape.ty;
        let due = s.wanted();
        let mut classes = wanted::exposed(ty, &due, &s.mistakes());
        classes.retain(|class| *class != "precision");
        if due.iter().any(|wanted| wanted.slack().is_finite()) {
            classes.push("wrong-sum");
        }
        let rounded = |wanted: &Wanted| wanted.slack() > 0.0 && wanted.slack().is_finite();
        if due.iter().any(|wanted| rounded(wanted) || ty.bits > 32) {
            classes.push("precision");
        }
        classes
    }

    fn onnx(&self, call: &Call) -> Option<OnnxForm> {
        let (exclusive, reverse) = (call.uint("HasExclusiveSum")?, call.uint("AxisDirection")?);
        Some(OnnxForm {
            op_type: "CumSum",
            opset: 14,
            attributes: vec![
                ("exclusive", i64::from(exclusive != 0)),
                ("reverse", i64::from(reverse == 1)),
            ],
            lists: vec![("axis", vec![call.uint("Axis")?.into()])],
            gives: vec![None],
        })
    }
}

impl Tallies<'_> {}

#[cfg(test)]
#[path = "cumulative_summation/tests.rs"]
mod tests;
