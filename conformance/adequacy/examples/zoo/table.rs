//! What is printed of the faults.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use crate::finding::{Finding, Telling};

/// Numbers of faults.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    faults: usize,
    killed: usize,
    records: usize,
    named: usize,
    candidates: usize,
    unnamed: usize,
}

impl Row {
    fn add(&mut self, finding: &Finding) {
        self.faults += 1;
        if !finding.is_killed() {
            return;
        }
        self.killed += 1;
        let place = match finding.telling() {
            Telling::Records => &mut self.records,
            Telling::Named => &mut self.named,
            Telling::Candidates => &mut self.candidates,
            Telling::Unnamed => &mut self.unnamed,
        };
        *place += 1;
    }

    fn write(self, out: &mut impl Write, name: &str) -> io::Result<()> {
        let Self {
            faults,
            killed,
            records,
            named,
            candidates,
            unnamed,
        } = self;
        let not_killed = faults - killed;
        writeln!(
            out,
            "{name:<30} {faults:>6} {killed:>6} {not_killed:>10} {records:>10} {named:>6} {candidates:>10} {unnamed:>8}"
        )
    }
}

/// Prints how many faults of each operator are killed and named, and which are not killed.
pub(crate) fn write(out: &mut impl Write, all: &[Finding]) -> io::Result<()> {
    let (mut rows, mut total) = (BTreeMap::<&str, Row>::new(), Row::default());
    for finding in all {
        rows.entry(&finding.operator).or_default().add(finding);
        total.add(finding);
    }
    writeln!(
        out,
        "{:<30} {:>6} {:>6} {:>10} {:>10} {:>6} {:>10} {:>8}",
        "operator", "faults", "killed", "not killed", "by records", "named", "candidates", "unnamed"
    )?;
    for (name, row) in rows {
        row.write(out, name)?;
    }
    total.write(out, "all")?;
    for finding in all.iter().filter(|finding| !finding.is_killed()) {
        writeln!(
            out,
            "not killed ({}): {} {}: {}{}",
            finding.fate.word(),
            finding.operator,
            finding.fault,
            finding.says,
            finding
                .spared
                .as_ref()
                .map_or_else(String::new, |case| format!(" ({case})"))
        )?;
    }
    Ok(())
}

/// Prints so many killed faults, those first by their hashes, with what is said of them: tabs between the columns.
pub(crate) fn write_sample(out: &mut impl Write, all: &[Finding], count: usize) -> io::Result<()> {
    let mut sample: Vec<&Finding> = all.iter().filter(|finding| finding.is_killed()).collect();
    sample.sort_by_key(|finding| finding.hash());
    sample.truncate(count);
    sample.sort_by_key(|finding| (&finding.operator, finding.stage));
    writeln!(out, "operator\tstage\tfault\tsays\tprinted")?;
    for of in sample {
        writeln!(
            out,
            "{}\t{}\t{}\t{}\t{}",
            of.operator,
            of.stage,
            of.fault,
            of.says,
            of.printed()
        )?;
    }
    Ok(())
}
