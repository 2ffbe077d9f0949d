//! Stored runs, summed up while they are read: memory holds counts, and some failing cases of each kind.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    path::Path,
};

use anyhow::Context;
use dml_spec::FeatureLevel;

use crate::{
    id::is_word,
    nearest::excerpt,
    report::{Ending, collect::Cell},
    results::{self, CaseLine, FirstDifference, Footer, GroupLine, Header, Line, Reader},
    suite::Suite,
};

/// Failing cases that are kept of each kind: operator, level, type, clause and class.
const ALIKE: usize = 50;

/// Failing cases that are kept of a run.
const KEPT: usize = 20_000;

/// Bytes of outputs, in base64, that are kept of a run.
const OUTPUTS: usize = 16 << 20;

/// Longest message that is kept, in characters.
const MESSAGE: usize = 400;

/// Different reasons of skips that are told apart.
const REASONS: usize = 200;

/// What stands for the type of cases that have none.
pub const NO_TYPE: &str = "other";

/// Where cases are counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The operator.
    pub operator: String,
    /// Its table level.
    pub level: FeatureLevel,
    /// The data type that its cases are about.
    pub data_type: String,
}

/// A failing case.
#[derive(Clone, Debug)]
pub struct Failing {
    /// Its id.
    pub id: String,
    /// Where it is counted.
    pub place: Place,
    /// Outcome, such as `fail`.
    pub outcome: String,
    /// Class of the mistake, or the outcome.
    pub class: String,
    /// Clauses that are broken, the most telling first.
    pub clauses: Vec<String>,
    /// In words.
    pub message: String,
    /// First element that differs.
    pub first: Option<FirstDifference>,
    /// How many elements differ.
    pub differing: u64,
    /// Digest of what was expected.
    pub expectation: String,
    /// What came back, in base64.
    pub outputs: BTreeMap<String, String>,
    /// Whether it passed in the run that this one is compared with.
    pub is_new: bool,
}

impl Failing {
    /// The clause that is blamed first; empty where none is.
    pub fn clause(&self) -> &str {
        self.clauses.first().map_or("", String::as_str)
    }
}

/// A stored run, summed up.
#[derive(Clone, Debug)]
pub struct StoredRun {
    /// Its first line.
    pub header: Header,
    /// Its last line, where it has one.
    pub footer: Option<Footer>,
    /// Cases by outcome, counted anew.
    pub counts: BTreeMap<String, u64>,
    /// Cases by operator, level and type.
    pub cells: BTreeMap<Place, Cell>,
    /// Cases by family and level.
    pub families: BTreeMap<String, BTreeMap<FeatureLevel, Cell>>,
    /// Failures by clause and level; the clause is empty where none is blamed.
    pub clauses: BTreeMap<String, BTreeMap<FeatureLevel, u64>>,
    /// Failures by what explains them, the largest group first.
    pub groups: Vec<GroupLine>,
    /// Skipped cases by reason.
    pub skips: BTreeMap<String, u64>,
    /// Per clause on which text and runtimes differ: how many cases follow whom.
    pub follows: BTreeMap<String, BTreeMap<String, u64>>,
    /// Some failing cases of each kind.
    pub failures: Vec<Failing>,
    /// Failing cases that did not fail in the run that this one is compared with; nothing where it is compared with none.
    pub newly: Option<u64>,
    /// What is wrong with its file, though it can be read: it was cut short, or changed.
    pub damage: Vec<String>,
}

/// What runs are compared with.
pub trait Before {
    /// Whether there is a run to compare this one with.
    fn knows(&self, header: &Header) -> bool;

    /// Whether a failing case of this run did not fail before.
    fn is_news(&self, header: &Header, case: &CaseLine) -> bool;
}

/// Nothing to compare with.
impl Before for () {
    fn knows(&self, _: &Header) -> bool {
        false
    }

    fn is_news(&self, _: &Header, _: &CaseLine) -> bool {
        false
    }
}

impl StoredRun {
    /// All cases.
    pub fn cases(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Failing cases.
    pub fn failing(&self) -> u64 {
        self.cells.values().map(|cell| cell.fail).sum()
    }

    /// Whether everything that was selected was looked at; a run without a footer was cut short.
    pub fn is_complete(&self) -> bool {
        self.footer.as_ref().is_some_and(|footer| footer.complete)
    }

    /// What keeps it from being complete, in a few words each.
    pub fn incomplete(&self) -> Vec<String> {
        match &self.footer {
            None => vec!["the file ends without a footer: the run was cut short".to_owned()],
            Some(footer) if footer.complete => Vec::new(),
            Some(footer) if footer.incomplete.is_empty() => vec!["not everything was looked at".to_owned()],
            Some(footer) => footer.incomplete.clone(),
        }
    }

    /// How it ended, up to a level where one is given.
    pub fn ending(&self, up_to: Option<FeatureLevel>) -> Ending {
        let counted = |place: &Place| up_to.is_none_or(|level| place.level <= level);
        let cells = || {
            self.cells
                .iter()
                .filter(|(place, _)| counted(place))
                .map(|(_, cell)| cell)
        };
        let judged: u64 = cells().map(|cell| cell.cases - cell.skip).sum();
        if cells().any(|cell| cell.fail > 0) {
            Ending::NotConformant
        } else if self.is_complete() && judged > 0 {
            Ending::Conformant
        } else {
            Ending::Incomplete
        }
    }

    /// Table levels that it has cases of.
    pub fn levels(&self) -> BTreeSet<FeatureLevel> {
        self.cells.keys().map(|place| place.level).collect()
    }

    /// Operators of which it judged a case.
    pub fn judged_operators(&self) -> BTreeSet<&str> {
        let judged = self.cells.iter().filter(|(_, cell)| cell.cases > cell.skip);
        judged.map(|(place, _)| place.operator.as_str()).collect()
    }

    /// The command that runs a case again.
    pub fn again(&self, id: &str) -> Option<String> {
        self.header.again.as_ref().map(|again| format!("{again} '{id}'"))
    }
}

/// Reads stored runs one behind the other; `before` tells which of their failures are new. Runs of one label are
/// numbered, so that each has an address of its own.
///
/// # Errors
/// A file that cannot be read, and the first line of it that makes no sense.
pub fn read(suite: &Suite, paths: &[impl AsRef<Path>], before: &dyn Before) -> anyhow::Result<Vec<StoredRun>> {
    let mut runs: Vec<StoredRun> = Vec::new();
    for path in paths {
        let (path, known) = (path.as_ref(), runs.len());
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
                    let Some(run) = &mut open else { continue };
                    let number = reader.line();
                    run.add(*case, before)
                        .map_err(|why| anyhow::anyhow!("{name}:{number}: {why}"))?;
                }
                Line::Footer(footer) => {
                    let damage = reader.take_damage();
                    runs.extend(open.take().map(|run| run.finish(Some(*footer), damage)));
                }
            }
        }
        runs.extend(open.take().map(|run| run.finish(None, reader.take_damage())));
        anyhow::ensure!(
            runs.len() > known,
            "{name}: no stored run stands in it; `dml-cts run --report FILE.jsonl` stores one"
        );
    }
    number(&mut runs);
    Ok(runs)
}

/// Tells runs of one label apart.
fn number(runs: &mut [StoredRun]) {
    let mut taken: HashSet<String> = runs.iter().map(|run| run.header.backend.label.clone()).collect();
    let mut met: HashSet<String> = HashSet::new();
    for run in runs {
        let label = &mut run.header.backend.label;
        if !met.insert(label.clone()) {
            let free = (2..).map(|n| format!("{label} ({n})")).find(|name| !taken.contains(name));
            *label = free.unwrap_or_default();
            taken.insert(label.clone());
        }
    }
}

/// A group of failures in the making, for runs whose footer has none.
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
    alike: HashMap<(Place, String, String, bool), Alike>,
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
    /// Where the last one is kept.
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
            alike: HashMap::new(),
            bytes: 0,
            kept: [0; 2],
        }
    }

    fn add(&mut self, case: CaseLine, before: &dyn Before) -> Result<(), String> {
        let id = Parts::of(&case.id)?;
        let place = Place {
            operator: id.operator.to_owned(),
            level: id.level,
            data_type: data_type(self.suite, &id),
        };
        let size = size(&id);
        let run = &mut self.run;
        *run.counts.entry(case.outcome.clone()).or_default() += 1;
        run.cells.entry(place.clone()).or_default().count(&case.outcome);
        let of_family = run.families.entry(id.family.to_owned()).or_default();
        of_family.entry(id.level).or_default().count(&case.outcome);
        for (clause, whom) in &case.follows {
            *run.follows
                .entry(clause.clone())
                .or_default()
                .entry(whom.clone())
                .or_default() += 1;
        }
        if case.outcome == "skip" {
            let reason = case.reason.clone().unwrap_or_default();
            let known = run.skips.contains_key(&reason) || run.skips.len() < REASONS;
            let reason = if known { reason } else { "other reasons".to_owned() };
            *run.skips.entry(reason).or_default() += 1;
        }
        if results::is_failure(&case.outcome) {
            let is_new = before.is_news(&run.header, &case);
            run.newly = run.newly.map(|n| n + u64::from(is_new));
            self.fail(size, place, case, is_new);
        }
        Ok(())
    }

    fn fail(&mut self, size: u64, place: Place, case: CaseLine, is_new: bool) {
        let clause = case.clauses.first().cloned().unwrap_or_default();
        let class = case.class.clone().unwrap_or_else(|| case.outcome.clone());
        let by_level = self.run.clauses.entry(clause.clone()).or_default();
        *by_level.entry(place.level).or_default() += 1;
        let message = case.message.as_deref().unwrap_or_default();
        let message: String = message.chars().take(MESSAGE).collect();
        let made = self.made.entry(clause.clone()).or_default();
        *made.classes.entry(class.clone()).or_default() += 1;
        if made.smallest.is_empty() || size < made.size {
            (made.size, made.smallest, made.message) = (size, case.id.clone(), message.clone());
        }
        let kind = (place.clone(), clause, class.clone(), is_new);
        let alike = self.alike.entry(kind).or_default();
        let is_smallest = alike.count == 0 || size < alike.size;
        // What is new has room of its own.
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
            id: case.id,
            place,
            outcome: case.outcome,
            class,
            clauses: case.clauses,
            message,
            first: case.first,
            differing: case.differing.unwrap_or(0),
            expectation: case.expectation,
            outputs: if fits { case.outputs } else { BTreeMap::new() },
            is_new,
        };
        // Of many that fail alike, the smallest is the one to look at.
        match self.run.failures.get_mut(alike.last).filter(|_| is_full) {
            Some(last) => *last = failing,
            None => {
                (alike.count, alike.last) = (alike.count + 1, self.run.failures.len());
                *kept += 1;
                self.run.failures.push(failing);
            }
        }
    }

    fn finish(mut self, footer: Option<Footer>, damage: Vec<String>) -> StoredRun {
        self.run.damage = damage;
        let stored = footer.as_ref().map(|footer| footer.groups.clone()).unwrap_or_default();
        let group = |(clause, made): (String, Made)| GroupLine {
            clause,
            count: made.classes.values().sum(),
            classes: made.classes,
            smallest: made.smallest,
            message: Some(made.message).filter(|message| !message.is_empty()),
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

/// What reports need of a case's id. Ids of stored runs are not held to a length, so that none is lost.
pub(super) struct Parts<'a> {
    pub(super) operator: &'a str,
    pub(super) level: FeatureLevel,
    pub(super) family: &'a str,
    params: &'a str,
}

impl<'a> Parts<'a> {
    pub(super) fn of(id: &'a str) -> Result<Self, String> {
        let wrong = |why: String| format!("`{}` is no case id: {why}", excerpt(id));
        let parts: Vec<&str> = id.splitn(4, ':').collect();
        let [operator, level, family, params] = parts[..] else {
            return Err(wrong("expected OPERATOR:LEVEL:FAMILY:key=value,…".to_owned()));
        };
        if !is_word(operator) || !is_word(family) {
            return Err(wrong("operator and family are words".to_owned()));
        }
        Ok(Self {
            operator,
            level: level.parse().map_err(|e| wrong(format!("{e}")))?,
            family,
            params,
        })
    }

    fn params(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.params.split(',').filter_map(|pair| pair.split_once('='))
    }

    fn get(&self, key: &str) -> Option<&'a str> {
        self.params().find(|(k, _)| *k == key).map(|(_, value)| value)
    }
}

/// The data type that a case is about: its key `type`, or the first value that names a type.
fn data_type(suite: &Suite, id: &Parts<'_>) -> String {
    let is_type = |name: &str| suite.catalog.data_types.iter().any(|ty| ty.name == name);
    let first = || id.params().map(|(_, value)| value).find(|value| is_type(value));
    id.get("type").or_else(first).unwrap_or(NO_TYPE).to_owned()
}

/// How many elements an id speaks of, as far as it says; of equals, the shorter id is the smaller case.
fn size(id: &Parts<'_>) -> u64 {
    let sizes = id.get("sizes").unwrap_or_default().split('x');
    let product = sizes.fold(1u64, |all, n| all.saturating_mul(n.parse().unwrap_or(1)));
    product.saturating_mul(1000).saturating_add(id.params.len() as u64)
}
