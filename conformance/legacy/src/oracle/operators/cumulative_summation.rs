//! CUMULATIVE_SUMMATION: the running tally of every sequence along an axis.

#[path = "cumulative_summation/faults.rs"]
mod faults;
#[path = "cumulative_summation/tally.rs"]
mod tally;

use self::tally::Tally;

use crate::compare::Also;
use crate::oracle::{Call, ComputingFault, Input, Lanes, Oracle, wanted::Wanted};
use dml_case::number::{Number, decode};

/// The oracle.
pub(super) static ORACLE: CumulativeSummation = CumulativeSummation;

/// See the module.
pub(super) struct CumulativeSummation;

/// A call whose shapes fit together.
#[derive(Clone, Copy)]
struct Tallies<'a> {
    input: &'a Input<'a>,
    lanes: Lanes,
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
            // `DML_AXIS_DIRECTION_DECREASING` is 1.
            decreasing: call.uint("AxisDirection")? == 1,
            exclusive: call.uint("HasExclusiveSum")? != 0,
        })
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

    fn of_tally(&self, tally: &Tally) -> Wanted {
        tally.wanted(&self.input.shape.ty)
    }
}

impl Oracle for CumulativeSummation {
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

    fn faults(&self) -> Vec<ComputingFault> {
        faults::all()
    }
}
