//! Compares two statements about one case that are not the same bytes.

use dml_case::number::{decode, is_infinite, is_nan};
use dml_spec::model::DataType;

use super::tally::{Kind, Tally};
use crate::{
    accept::{Accept, Special, place},
    format::Damage,
    read::{Stored, StoredOutput},
};

/// Compares a case.
pub(super) fn compare(old: &Stored, new: &Stored, tally: &mut Tally) -> Result<(), Damage> {
    let id = &old.head.id;
    tally.cases += 1;
    if (&old.head.verdict, &old.head.clauses) != (&new.head.verdict, &new.head.clauses) {
        tally.note(Kind::Verdict, || {
            format!("{id} ({} in OLD, {} in NEW)", old.head.verdict, new.head.verdict)
        });
    }
    match (is_open(old), is_open(new)) {
        (true, true) => tally.unspecified += 1,
        (true, false) => tally.note(Kind::UnspecifiedOnlyInOld, || id.clone()),
        (false, true) => tally.note(Kind::UnspecifiedOnlyInNew, || id.clone()),
        (false, false) => {}
    }
    let alike = |(a, b): (&StoredOutput, &StoredOutput)| a.ty == b.ty && a.counts.all() == b.counts.all();
    if old.outputs.len() != new.outputs.len() || !old.outputs.iter().zip(&new.outputs).all(alike) {
        tally.note(Kind::Outputs, || id.clone());
        return Ok(());
    }
    for (number, (old, new)) in old.outputs.iter().zip(&new.outputs).enumerate() {
        let all_exact = [old, new].iter().all(|o| o.counts.all() == Some(o.counts.exact));
        if all_exact && old.digest == new.digest {
            tally.exact += old.counts.exact;
            continue;
        }
        for (at, (a, b)) in old.elements().zip(new.elements()).enumerate() {
            compare_elements(&old.ty, a?, b?, tally, &|| format!("{id} output {number} element {at}"));
        }
    }
    Ok(())
}

/// Whether no element of a case is judged although there are some.
fn is_open(case: &Stored) -> bool {
    let is_open = |output: &StoredOutput| output.counts.all() == Some(output.counts.open);
    case.head.openness.is_open() && case.outputs.iter().all(is_open)
}

fn compare_elements(ty: &DataType, old: Accept, new: Accept, tally: &mut Tally, place: &dyn Fn() -> String) {
    let says = || format!("{} ({old:x?} in OLD, {new:x?} in NEW)", place());
    match (&old, &new) {
        (Accept::Open, Accept::Open) => tally.open += 1,
        (Accept::Open, _) => tally.note(Kind::OpenOnlyInOld, says),
        (_, Accept::Open) => tally.note(Kind::OpenOnlyInNew, says),
        (Accept::Exact(a), Accept::Exact(b)) if a == b => tally.exact += 1,
        (Accept::Exact(_), Accept::Exact(_)) => tally.note(Kind::Exact, says),
        _ => {
            tally.compared += 1;
            if !old.reference().is_some_and(|reference| new.accepts(ty, reference)) {
                tally.note(Kind::Missed, says);
            }
            let (before, after) = (Hull::of(ty, &old), Hull::of(ty, &new));
            tally.ratios.add(after.ratio(&before), 1);
            if is_wider(ty, &old, &new, &before, &after) {
                tally.note(Kind::Wider, says);
            } else if after.lo < before.lo || after.hi > before.hi {
                tally.beyond += 1;
            }
        }
    }
}

/// The finite numbers that are accepted, from the least to the greatest, and what is accepted beside them.
#[derive(Debug)]
struct Hull {
    lo: f64,
    hi: f64,
    special: Special,
}

impl Hull {
    fn of(ty: &DataType, accept: &Accept) -> Self {
        let mut hull = Self {
            lo: f64::INFINITY,
            hi: f64::NEG_INFINITY,
            special: Special::default(),
        };
        match accept {
            Accept::Exact(bits) => hull.add(ty, *bits),
            Accept::Set(members) => members.iter().for_each(|bits| hull.add(ty, *bits)),
            Accept::Interval {
                reference,
                lo,
                hi,
                special,
            } => {
                hull.special = *special;
                for bits in [lo, reference, hi] {
                    // An infinity at an end is accepted with the greatest finite number before it, or alone.
                    if is_infinite(ty, *bits) && lo != hi {
                        hull.add(ty, bits - 1);
                    }
                    hull.add(ty, *bits);
                }
            }
            Accept::Open => {}
        }
        hull
    }

    fn add(&mut self, ty: &DataType, bits: u64) {
        let number = decode(ty, bits).double();
        if is_nan(ty, bits) {
            self.special.nan = true;
        } else if number == f64::INFINITY {
            self.special.above = true;
        } else if number == f64::NEG_INFINITY {
            self.special.below = true;
        } else {
            self.lo = self.lo.min(number);
            self.hi = self.hi.max(number);
        }
    }

    /// From the least to the greatest; 0 if there is no finite number.
    fn width(&self) -> f64 {
        (self.hi / 2.0 - self.lo / 2.0).max(0.0)
    }

    /// The width, as a multiple of that of another.
    fn ratio(&self, before: &Self) -> f64 {
        match (self.width(), before.width()) {
            (after, before) if after == before => 1.0,
            (after, before) => after / before,
        }
    }
}

/// Whether the new statement accepts more: its finite numbers spread wider, it has an infinity or NaN that the old one
/// lacks, or the old one is a list of a few numbers and the new one has others.
fn is_wider(ty: &DataType, old: &Accept, new: &Accept, before: &Hull, after: &Hull) -> bool {
    let gains = |of: fn(&Special) -> bool| of(&after.special) && !of(&before.special);
    if after.width() > before.width() || gains(|s| s.nan) || gains(|s| s.above) || gains(|s| s.below) {
        return true;
    }
    let listed = match old {
        Accept::Exact(_) => 1,
        Accept::Set(members) => members.len() as i128,
        Accept::Interval { .. } | Accept::Open => return false,
    };
    match new {
        Accept::Exact(bits) => !old.accepts(ty, *bits),
        Accept::Set(members) => members.iter().any(|bits| !old.accepts(ty, *bits)),
        Accept::Interval { lo, hi, .. } => place(ty, *hi) - place(ty, *lo) >= listed,
        Accept::Open => true,
    }
}
