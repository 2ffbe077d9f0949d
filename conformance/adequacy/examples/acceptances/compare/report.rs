//! A comparison as text.

use std::io::{self, Write};

use super::{Comparison, Kind, Tally};

impl Comparison {
    /// Whether both dumps agree: the same cases and verdicts, the same exact elements, and every other element accepts the
    /// old value and no more than before. `judges_more` allows elements to be judged that were open.
    pub(crate) fn agrees(&self, judges_more: bool) -> bool {
        let is_allowed = |kind: &Kind| judges_more && kind.judges_more();
        let tallies = self.operators.values();
        self.about.is_empty() && tallies.flat_map(|tally| tally.differences.keys()).all(is_allowed)
    }

    /// Writes what was found, by operator, and a last line with the sum.
    pub(crate) fn write(&self, to: &mut impl Write, judges_more: bool) -> io::Result<()> {
        for line in &self.about {
            writeln!(to, "the dumps are not about the same: {line}")?;
        }
        for (operator, tally) in &self.operators {
            writeln!(to, "{operator}")?;
            tally.write(to)?;
        }
        let cases: u64 = self.operators.values().map(|tally| tally.cases).sum();
        let sum = |kind: Kind| self.operators.values().map(|tally| tally.count(kind)).sum::<u64>();
        let differences = Kind::ALL.iter().filter(|kind| sum(**kind) > 0);
        let differences = differences.map(|kind| format!("{} {}", sum(*kind), kind.words()));
        let other = (!self.about.is_empty()).then(|| "another tier, basis or query".to_owned());
        let differences: Vec<String> = other.into_iter().chain(differences).collect();
        let verdict = if self.agrees(judges_more) {
            "agree"
        } else {
            "do not agree"
        };
        let colon = if differences.is_empty() { "" } else { ": " };
        writeln!(
            to,
            "\n{cases} cases in both: the dumps {verdict}{colon}{}",
            differences.join(", ")
        )
    }
}

impl Tally {
    fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let different = self.count(Kind::Exact);
        writeln!(to, "  cases in both    {}", self.cases)?;
        writeln!(to, "  exact elements   {} equal, {different} different", self.exact)?;
        if let Some((median, largest)) = self.ratios.median_and_largest() {
            let (missed, wider) = (self.count(Kind::Missed), self.count(Kind::Wider));
            writeln!(
                to,
                "  intervals, sets  {}: {} accept the old value, {missed} do not; width new/old {median:.4} in the median, \
                 {largest:.4} at most; {wider} wider, {} not wider but beyond the old ends",
                self.compared,
                self.compared - missed,
                self.beyond
            )?;
        }
        let (old, new) = (self.count(Kind::OpenOnlyInOld), self.count(Kind::OpenOnlyInNew));
        writeln!(
            to,
            "  open elements    {} in both, {old} only in OLD, {new} only in NEW",
            self.open
        )?;
        let (old, new) = (
            self.count(Kind::UnspecifiedOnlyInOld),
            self.count(Kind::UnspecifiedOnlyInNew),
        );
        writeln!(
            to,
            "  unspecified      {} in both, {old} only in OLD, {new} only in NEW",
            self.unspecified
        )?;
        for (kind, (count, named)) in &self.differences {
            writeln!(to, "  {}: {count}, for example", kind.words())?;
            named.iter().try_for_each(|place| writeln!(to, "    {place}"))?;
        }
        Ok(())
    }
}
