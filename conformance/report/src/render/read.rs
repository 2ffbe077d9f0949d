//! Summarises stored runs while they are read: memory holds counts, and some failing cases of each kind.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::Path,
};

use anyhow::Context;
use dml_spec::{FeatureLevel, model::Text};

use crate::dismissed::Dismissed;
use crate::refusals::is_refused;
use crate::render::model::{Before, Failing, NO_TYPE, Place, StoredRun};
use crate::results::{Footer, GroupLine, Header, Line, Reader};
use dml_case::{id::CaseId, outcome::Outcome, record::Record, suite::Suite};

/// Maximum number of failing cases kept for each kind: operator, level, type, clause and class.
const ALIKE: usize = 50;

/// Maximum number of failing cases kept for a run.
const KEPT: usize = 20_000;

/// Maximum number of bytes of outputs, in base64, kept for a run.
const OUTPUTS: usize = 16 << 20;

/// Maximum length of a message, in characters.
const MESSAGE: usize = 400;

/// Maximum number of different reasons of skips.
const REASONS: usize = 200;

/// Reads stored runs one after another; `before` decides which of their failures are new. Runs of one label are
/// numbered, so that each has a name of its own.
///
/// # Errors
/// A file that cannot be read, and its first invalid line.
pub fn read(suite: &Suite, paths: &[impl AsRef<Path>], before: &dyn Before) -> anyhow::Result<Vec<StoredRun>> {
    let mut runs: Vec<StoredRun> = Vec::new();
    for path in paths {
        let path = path.as_ref();
        let name = path.display().to_string();
        let mut reader = Reader::open(path).with_context(|| name.clone())?;
        let mut open: Option<Summing> = None;
        while let Some(line) = reader.next() {
            match line? {
                Line::Header(header) => {
                    runs.extend(open.take().map(|run| run.finish(None, reader.take_damage())));
                    open = Some(Summing::new(suite, *header, before));
                }
                Line::Case(case) => {
                    if let Some(run) = &mut open {
                        run.add(*case, before);
                    }
                }
                Line::Footer(footer) => {
                    let damage = reader.take_damage();
                    runs.extend(open.take().map(|run| run.finish(Some(*footer), damage)));
                }
            }
        }
        runs.extend(open.take().map(|run| run.finish(None, reader.take_damage())));
    }
    number(&mut runs);
    Ok(runs)
}

/// Distinguishes runs of one label.
fn number(runs: &mut [StoredRun]) {
    let mut taken: HashSet<String> = runs.iter().map(|run| run.header.backend.label.clone()).collect();
    let mut met: HashSet<String> = HashSet::new();
    for run in runs {
        let label = &mut run.header.backend.label;
        if !met.insert(label.clone()) {
            let free = (2..)
                .map(|n| format!("{label} ({n})"))
                .find(|name| !taken.contains(name));
            *label = free.unwrap_or_default();
            taken.insert(label.clone());
        }
    }
}

/// A group of failures under construction, for runs whose footer has none.
#[derive(Default)]
struct Made {
    classes: BTreeMap<String, u64>,
    smallest: String,
    message: String,
    size: u64,
}

/// A run that is being summed up.
struct Summing<'a> {
    suite: &'a Suite,
    run: StoredRun,
    made: BTreeMap<String, Made>,
    /// Failures by whether a descriptor was refused, the clauses that they may violate, and level.
    clauses: HashMap<(bool, Vec<Text>), BTreeMap<FeatureLevel, u64>>,
    alike: HashMap<(Place, Text, Text, bool), Alike>,
    bytes: usize,
    /// How many cases are kept: those that failed before, and those that did not.
    kept: [usize; 2],
}

/// Kept cases of one kind.
#[derive(Default)]
struct Alike {
    count: usize,
    /// Size of the smallest.
    size: u64,
    /// The index of the last kept case.
    last: usize,
}

impl<'a> Summing<'a> {
    fn new(suite: &'a Suite, header: Header, before: &dyn Before) -> Self {
        let newly = before.knows(&header).then_some(0);
        Self {
            suite,
            run: StoredRun {
                header,
                footer: None,
                counts: BTreeMap::new(),
                cells: BTreeMap::new(),
                families: BTreeMap::new(),
                clauses: BTreeMap::new(),
                groups: Vec::new(),
                skips: BTreeMap::new(),
                follows: BTreeMap::new(),
                failures: Vec::new(),
                newly,
                damage: Vec::new(),
            },
            made: BTreeMap::new(),
            clauses: HashMap::new(),
            alike: HashMap::new(),
            bytes: 0,
            kept: [0; 2],
        }
    }

    fn add(&mut self, case: Record, before: &dyn Before) {
        let (id, word) = (&case.id, case.outcome.word());
        let place = Place {
            operator: id.operator().to_owned(),
            level: id.level(),
            data_type: data_type(self.suite, id),
        };
        let size = size(id);
        let run = &mut self.run;
        *run.counts.entry(word.to_owned()).or_default() += 1;
        run.cells.entry(place.clone()).or_default().count(word);
        let of_family = run.families.entry(id.family().to_owned()).or_default();
        of_family.entry(id.level()).or_default().count(word);
        for (clause, whom) in &case.follows {
            *run.follows
                .entry(clause.to_string())
                .or_default()
                .entry(whom.word().to_owned())
                .or_default() += 1;
        }
        if case.outcome == Outcome::Skip {
            let reason = case.reason.clone().unwrap_or_default();
            let known = run.skips.contains_key(&reason) || run.skips.len() < REASONS;
            let reason = if known { reason } else { "other reasons".to_owned() };
            *run.skips.entry(reason).or_default() += 1;
        }
        if case.outcome.is_failure() {
            let is_new = before.is_news(&run.header, &case);
            run.newly = run.newly.map(|n| n + u64::from(is_new));
            self.fail(size, place, case, is_new);
        }
    }

    fn fail(&mut self, size: u64, place: Place, case: Record, is_new: bool) {
        let (clause, class) = (case.clause(), case.class());
        let kind = (is_refused(&case), case.clauses.clone());
        let by_level = self.clauses.entry(kind).or_default();
        *by_level.entry(place.level).or_default() += 1;
        let message = case.message.as_deref().unwrap_or_default();
        let message: String = message.chars().take(MESSAGE).collect();
        let made = self.made.entry(clause.to_string()).or_default();
        *made.classes.entry(class.to_string()).or_default() += 1;
        if made.smallest.is_empty() || size < made.size {
            (made.size, made.smallest, made.message) = (size, case.id.to_string(), message.clone());
        }
        let kind = (place.clone(), clause, class.clone(), is_new);
        let alike = self.alike.entry(kind).or_default();
        let is_smallest = alike.count == 0 || size < alike.size;
        // New failures have a limit of their own.
        let kept = &mut self.kept[usize::from(is_new)];
        let is_full = alike.count >= ALIKE || *kept >= KEPT;
        if is_full && (alike.count == 0 || !is_smallest) {
            return;
        }
        alike.size = if is_smallest { size } else { alike.size };
        let bytes = case.outputs.values().map(String::len).sum::<usize>();
        let fits = self.bytes + bytes <= OUTPUTS;
        self.bytes += if fits { bytes } else { 0 };
        let failing = Failing {
            record: Record {
                message: Some(message),
                outputs: if fits { case.outputs } else { BTreeMap::new() },
                follows: BTreeMap::new(),
                order: Vec::new(),
                warnings: Vec::new(),
                ..case
            },
            place,
            class,
            is_new,
        };
        // Of many similar failures, the smallest is shown.
        match self.run.failures.get_mut(alike.last).filter(|_| is_full) {
            Some(last) => *last = failing,
            None => {
                (alike.count, alike.last) = (alike.count + 1, self.run.failures.len());
                *kept += 1;
                self.run.failures.push(failing);
            }
        }
    }

    /// Counts every failure for the clause that the footer blames, and puts that first.
    fn blame(&mut self, dismissed: &Dismissed) {
        for ((is_refused, clauses), by_level) in std::mem::take(&mut self.clauses) {
            let blamed = dismissed.blamed(&clauses, is_refused).to_owned();
            let all = self.run.clauses.entry(blamed).or_default();
            for (level, count) in by_level {
                *all.entry(level).or_default() += count;
            }
        }
        for failing in &mut self.run.failures {
            let is_refused = is_refused(&failing.record);
            let clauses = &mut failing.record.clauses;
            let blamed = dismissed.blamed(clauses, is_refused);
            match clauses.iter().position(|clause| *clause == *blamed) {
                Some(place) => clauses[..=place].rotate_right(1),
                None => clauses.clear(),
            }
        }
    }

    fn finish(mut self, footer: Option<Footer>, damage: Vec<String>) -> StoredRun {
        self.run.damage = damage;
        self.blame(&footer.as_ref().map_or_else(Dismissed::default, |footer| Dismissed {
            guarantees: footer.dismissed.clone(),
            grounds: footer.dismissed_grounds.clone(),
        }));
        let stored = footer.as_ref().map(|footer| footer.groups.clone()).unwrap_or_default();
        let group = |(clause, made): (String, Made)| GroupLine {
            clause,
            count: made.classes.values().sum(),
            classes: made.classes,
            smallest: made.smallest,
            message: Some(made.message).filter(|message| !message.is_empty()),
            others: Vec::new(),
            pattern: None,
        };
        self.run.groups = match stored.is_empty() {
            false => stored,
            true => self.made.into_iter().map(group).collect(),
        };
        self.run.groups.sort_by_key(|group| std::cmp::Reverse(group.count));
        self.run.footer = footer;
        self.run
    }
}

/// The data type that a case is about: its key `type`, or the first value that names a type.
fn data_type(suite: &Suite, id: &CaseId) -> String {
    let is_type = |name: &str| suite.catalog.data_types.iter().any(|ty| ty.name == name);
    let first = || id.params().map(|(_, value)| value).find(|value| is_type(value));
    id.get("type").or_else(first).unwrap_or(NO_TYPE).to_owned()
}

/// How many elements an id speaks of, as far as it says; of equals, the shorter id is the smaller case.
fn size(id: &CaseId) -> u64 {
    let sizes = id.get("sizes").unwrap_or_default().split('x');
    let product = sizes.fold(1u64, |all, n| all.saturating_mul(n.parse().unwrap_or(1)));
    product
        .saturating_mul(1000)
        .saturating_add(id.params_text().len() as u64)
}
