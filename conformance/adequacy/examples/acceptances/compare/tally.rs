//! What was found in comparing, counted.

use std::collections::BTreeMap;

use crate::{case::Counts, read::Stored};

/// How two dumps may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A case that only the old dump has.
    CaseOnlyInOld,
    /// A case that only the new dump has.
    CaseOnlyInNew,
    /// A case whose verdict or clauses differ.
    Verdict,
    /// A case with other outputs.
    Outputs,
    /// A case that is unspecified in the old dump alone.
    UnspecifiedOnlyInOld,
    /// A case that is unspecified in the new dump alone.
    UnspecifiedOnlyInNew,
    /// An element that is exact in both, with other bits.
    Exact,
    /// An element that may not be the old reference any more.
    Missed,
    /// An element that may be more than before.
    Wider,
    /// An element that is open in the old dump alone.
    OpenOnlyInOld,
    /// An element that is open in the new dump alone.
    OpenOnlyInNew,
}

impl Kind {
    /// All kinds.
    pub(crate) const ALL: [Self; 11] = [
        Self::CaseOnlyInOld,
        Self::CaseOnlyInNew,
        Self::Verdict,
        Self::Outputs,
        Self::UnspecifiedOnlyInOld,
        Self::UnspecifiedOnlyInNew,
        Self::Exact,
        Self::Missed,
        Self::Wider,
        Self::OpenOnlyInOld,
        Self::OpenOnlyInNew,
    ];

    /// What it is called in a report.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::CaseOnlyInOld => "cases only in OLD",
            Self::CaseOnlyInNew => "cases only in NEW",
            Self::Verdict => "cases with another verdict",
            Self::Outputs => "cases with other outputs",
            Self::UnspecifiedOnlyInOld => "cases unspecified in OLD, judged in part in NEW",
            Self::UnspecifiedOnlyInNew => "cases unspecified in NEW, judged in part in OLD",
            Self::Exact => "exact elements that differ",
            Self::Missed => "elements that do not accept the old value",
            Self::Wider => "elements that accept more",
            Self::OpenOnlyInOld => "elements open only in OLD",
            Self::OpenOnlyInNew => "elements open only in NEW",
        }
    }

    /// Whether it only says that the new dump judges what the old one left open.
    pub(crate) fn judges_more(self) -> bool {
        matches!(self, Self::UnspecifiedOnlyInOld | Self::OpenOnlyInOld)
    }
}

/// Cases that are named of each kind.
const NAMED: usize = 3;

/// What was found of one operator.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Cases in both dumps.
    pub(crate) cases: u64,
    /// Cases that are open as a whole in both.
    pub(crate) unspecified: u64,
    /// Elements that are exact in both, with the same bits.
    pub(crate) exact: u64,
    /// Elements that are an interval or a set in one of them and open in none.
    pub(crate) compared: u64,
    /// Those of them whose ends reach beyond the old ones, if they are not wider.
    pub(crate) beyond: u64,
    /// Elements that are open in both.
    pub(crate) open: u64,
    /// Widths of those compared.
    pub(crate) ratios: Ratios,
    /// How often each kind of difference was found, and where first.
    pub(crate) differences: BTreeMap<Kind, (u64, Vec<String>)>,
}

impl Tally {
    /// Counts a difference; the first ones are named, once a case.
    pub(crate) fn note(&mut self, kind: Kind, place: impl FnOnce() -> String) {
        let (count, named) = self.differences.entry(kind).or_default();
        *count += 1;
        if named.len() >= NAMED {
            return;
        }
        let place = place();
        let case = |place: &str| place.split(' ').next().map(str::to_owned);
        if named.last().is_none_or(|last| case(last) != case(&place)) {
            named.push(place);
        }
    }

    /// Counts a case of which both say the same.
    pub(crate) fn same(&mut self, case: &Stored) {
        self.cases += 1;
        self.unspecified += u64::from(case.head.openness.is_open());
        for output in &case.outputs {
            let Counts {
                exact,
                intervals,
                sets,
                open,
            } = output.counts;
            self.exact += exact;
            self.open += open;
            self.compared += intervals + sets;
            self.ratios.add(1.0, intervals + sets);
        }
    }

    /// How often a kind of difference was found.
    pub(crate) fn count(&self, kind: Kind) -> u64 {
        self.differences.get(&kind).map_or(0, |(count, _)| *count)
    }
}

/// Ratios of widths. The median is known to about a ten thousandth, the largest exactly.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ratios {
    counts: BTreeMap<u32, u64>,
    largest: f64,
    all: u64,
}

/// Low bits that are dropped of a ratio in single precision.
const DROPPED: u32 = 10;

impl Ratios {
    /// Adds a ratio, not negative, so many times.
    pub(crate) fn add(&mut self, ratio: f64, times: u64) {
        if times > 0 {
            // Ratios that are not negative are in the order of their bits.
            *self.counts.entry((ratio as f32).to_bits() >> DROPPED).or_default() += times;
            self.largest = self.largest.max(ratio);
            self.all += times;
        }
    }

    /// The median and the largest; `None` if there are none.
    pub(crate) fn median_and_largest(&self) -> Option<(f64, f64)> {
        let mut seen = 0;
        let median = self.counts.iter().find(|(_, count)| {
            seen += **count;
            seen * 2 >= self.all
        });
        median.map(|(bits, _)| (f64::from(f32::from_bits(bits << DROPPED)), self.largest))
    }
}
