//! Arguments that several subcommands share.

use std::{
    env, fmt,
    fs::File,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use anyhow::Context;
use clap::{
    ValueEnum,
    builder::{OsStringValueParser, TypedValueParser},
};
use dml_spec::{Catalog, FeatureLevel, model::Tier};
use serde_json::Value;

use super::stored;
use crate::backends::{Choice, NotCompiled, WITH_LIBRARY, require_compiled};
use dml_case::{lock::tier_word, nearest::suggestion, query::Query};
use dml_report::{Terminal, results::Line};
use dml_run::engine::{Division, Selection, Shard, Times};

/// Tier on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum TierArg {
    /// A quick check
    Smoke,
    /// The default
    #[default]
    Standard,
    /// All cases
    Exhaustive,
}

impl TierArg {
    pub(super) fn tier(self) -> Tier {
        match self {
            Self::Smoke => Tier::Smoke,
            Self::Standard => Tier::Standard,
            Self::Exhaustive => Tier::Exhaustive,
        }
    }

    pub(super) fn word(self) -> &'static str {
        tier_word(self.tier())
    }
}

/// Format of a result on standard output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    #[default]
    Human,
    /// One object (an array if there are several backends)
    Json,
}

/// Format of a comparison on standard output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ComparisonFormat {
    /// For people
    #[default]
    Human,
    /// One object (an array if there are several backends)
    Json,
    /// For a pull request, or the summary of a CI step
    Markdown,
}

/// Prints an object, or several as an array.
pub(super) fn print_objects(terminal: &mut Terminal, objects: Vec<Value>) {
    match <[Value; 1]>::try_from(objects) {
        Ok([object]) => terminal.line(format!("{object:#}")),
        Err(objects) => terminal.line(format!("{:#}", Value::from(objects))),
    }
}

/// Refuses names of operators that there are not.
///
/// # Errors
/// The first of those, with one that is near.
pub(super) fn require_operators(named: &[String], known: &[impl AsRef<str>]) -> anyhow::Result<()> {
    let is_known = |name: &&String| known.iter().any(|known| known.as_ref() == name.as_str());
    match named.iter().find(|name| !is_known(name)) {
        None => Ok(()),
        Some(unknown) => {
            let near = suggestion(unknown, known.iter().map(AsRef::as_ref));
            anyhow::bail!("unknown operator `{unknown}`; {near}")
        }
    }
}

/// Where the specification comes from.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct SpecArgs {
    /// Read the specification from this folder (directml.yaml, operators/*.yaml, corpus.lock)
    #[arg(long = "spec", value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// Variables of the environment that stand for `--directml-lib` and `--d3d12-lib`.
const LIBRARY_VARIABLE: &str = "DML_CTS_DIRECTML_LIB";
const D3D12_VARIABLE: &str = "DML_CTS_D3D12_LIB";

/// Which library of DirectML's, on which device.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct DirectMlArgs {
    /// DirectML library of the backend directml; default: the newest one from `fetch directml`, else the system's
    #[arg(long = "directml-lib", value_name = "FILE", env = LIBRARY_VARIABLE, value_parser = file())]
    pub library: Option<PathBuf>,
    /// Device of the backend directml: `hardware`, `warp`, an adapter's number or part of its name, each optionally
    /// followed by `,debug` (D3D12's debug layer), or
    /// `null[,native-16-bit=yes|no][,typed-loads=yes|no][,shader-model=6.N]`, which executes nothing. Default:
    /// `hardware` on Windows, on WSL and with --d3d12-lib, else `null`
    #[arg(long = "directml-device", value_name = "DEVICE", value_parser = directml_device)]
    pub device: Option<String>,
    /// D3D12 library of the backend directml; default: the system's (on Linux, WSL's)
    #[arg(long = "d3d12-lib", value_name = "FILE", env = D3D12_VARIABLE)]
    pub d3d12: Option<PathBuf>,
}

impl DirectMlArgs {
    /// Checks that the backend is there if one of its options is: a variable of the environment may name libraries for
    /// other programs.
    ///
    /// # Errors
    /// If this program was built without the backend.
    pub(super) fn check_compiled(&self) -> Result<(), NotCompiled> {
        let is_option = |value: &Option<PathBuf>, variable: &str| value.is_some() && env::var_os(variable).is_none();
        let is_any = self.device.is_some()
            || is_option(&self.library, LIBRARY_VARIABLE)
            || is_option(&self.d3d12, D3D12_VARIABLE);
        if is_any { require_compiled(WITH_LIBRARY) } else { Ok(()) }
    }

    /// What a backend is to use.
    pub(super) fn choice(&self, adapter: Option<&str>, level: Option<FeatureLevel>) -> Choice {
        Choice {
            adapter: adapter.map(str::to_owned),
            library: self.library.clone().filter(|path| is_named(path)),
            device: self.device.clone(),
            d3d12: self.d3d12.clone(),
            level,
            specification: None,
        }
    }
}

/// A file that is named, or not: a variable of the environment may be empty, which is as good as none.
pub(super) fn file() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// A part of an adapter's name; nothing is part of every name.
pub(super) fn adapter(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("it is empty; `dml-cts backends` lists the adapters".to_owned()),
        _ => Ok(text.to_owned()),
    }
}

/// Whether a file was named.
pub(super) fn is_named(path: &Path) -> bool {
    !path.as_os_str().is_empty()
}

/// A device of the backend directml, as it was written.
pub(super) fn directml_device(text: &str) -> Result<String, String> {
    #[cfg(feature = "directml")]
    text.parse::<dml_directml::DeviceChoice>()?;
    Ok(text.to_owned())
}

/// Which cases.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct SelectArgs {
    /// Case ids, or prefixes of ids with `*` in any part: `OPERATOR:LEVEL:FAMILY:key=value,…`
    #[arg(value_name = "QUERY")]
    pub queries: Vec<Query>,
    /// Test as a backend of this feature level: tables up to it
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<FeatureLevel>,
    /// How many cases
    #[arg(long, value_enum, default_value_t)]
    pub tier: TierArg,
    /// Only cases that test this clause (repeatable)
    #[arg(long = "clause", value_name = "ID")]
    pub clauses: Vec<String>,
    /// Leave out cases that match this query (repeatable)
    #[arg(long, value_name = "QUERY")]
    pub exclude: Vec<Query>,
    /// Read ids or queries from a file, one per line; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub cases: Option<PathBuf>,
    /// Only cases that failed in this stored run
    #[arg(long, value_name = "RUN.jsonl")]
    pub rerun: Option<PathBuf>,
    /// Run shard I of N
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Balance the shards by the times of a stored run (made with --timings); pass the same file to every shard
    #[arg(long, value_name = "RUN.jsonl", requires = "shard")]
    pub shard_times: Option<PathBuf>,
    /// Seed of the generated values
    #[arg(long, value_name = "N", default_value_t)]
    pub seed: u64,
}

impl SelectArgs {
    /// What is selected, as on the command line; empty if that is everything. The level has a place of its own.
    pub(super) fn spelled(&self) -> Vec<String> {
        let option = |name: &str, value: String| format!("--{name} {}", shell_words::quote(&value));
        let files = [("cases", &self.cases), ("rerun", &self.rerun)];
        let mut words: Vec<String> = self.queries.iter().map(ToString::to_string).collect();
        words.extend(self.clauses.iter().map(|id| option("clause", id.clone())));
        words.extend(self.exclude.iter().map(|query| option("exclude", query.to_string())));
        words.extend(files.iter().filter_map(|(name, path)| {
            let path = path.as_ref()?.display().to_string();
            Some(option(name, path))
        }));
        words.extend(
            self.shard
                .iter()
                .map(|shard| option("shard", format!("{}/{}", shard.index, shard.of))),
        );
        words
    }

    /// The selection; files are read here, and `damage` gets what is wrong with a stored run that can be read all the
    /// same. `None` if a stored run has no failures left to run.
    pub(super) fn selection(&self, catalog: &Catalog, damage: &mut Vec<String>) -> anyhow::Result<Option<Selection>> {
        if let Some(level) = self.level {
            require_level(catalog, level)?;
        }
        let mut queries = self.queries.clone();
        if let Some(path) = &self.cases {
            queries.extend(read_queries(path).with_context(|| path.display().to_string())?);
        }
        if let Some(path) = &self.rerun {
            let failed = read_failed(path, damage)?;
            if failed.is_empty() && queries.is_empty() {
                return Ok(None);
            }
            queries.extend(failed);
        }
        Ok(Some(Selection {
            queries,
            exclude: self.exclude.clone(),
            clauses: self.clauses.clone(),
            shard: self.division(damage)?,
            level: self.level,
            tier: Some(self.tier.tier()),
            ..Selection::default()
        }))
    }

    /// Whether the stored run whose failures are run again allowed half precision; `None` if there is none.
    pub(super) fn rerun_half_precision(&self) -> anyhow::Result<Option<bool>> {
        let Some(path) = &self.rerun else { return Ok(None) };
        Ok(match stored::open(path)?.next().transpose()? {
            Some(Line::Header(header)) => Some(header.half_precision()),
            _ => None,
        })
    }

    /// Which part of the selection is asked for.
    fn division(&self, damage: &mut Vec<String>) -> anyhow::Result<Option<Division>> {
        let (Some(shard), Some(path)) = (self.shard, &self.shard_times) else {
            return Ok(self.shard.map(Division::from));
        };
        let times = read_times(path, damage)?;
        Ok(Some(Division::balanced(shard, &times)))
    }
}

/// Fails if the catalog has no such level.
pub(super) fn require_level(catalog: &Catalog, level: FeatureLevel) -> anyhow::Result<()> {
    dml_case::suite::require_level(catalog, level).map_err(anyhow::Error::msg)
}

/// A length of time in seconds; a minute by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seconds(pub Duration);

impl Default for Seconds {
    fn default() -> Self {
        Self(Duration::from_secs(60))
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs_f64())
    }
}

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const LONGEST: f64 = 86_400.0;
        let seconds = text.parse::<f64>().ok().filter(|s| *s > 0.0 && *s <= LONGEST);
        let seconds = seconds.map(|s| Self(Duration::from_secs_f64(s)));
        seconds.ok_or_else(|| format!("expected seconds, more than 0 and at most {LONGEST}"))
    }
}

/// A number of bytes: digits, and `K`, `M` or `G` for powers of 1024, also as `KiB`, `MiB` and `GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bytes(pub u64);

/// Units of bytes: powers of 1024.
const UNITS: [(char, u32); 3] = [('G', 30), ('M', 20), ('K', 10)];

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = UNITS.iter().find(|(_, shift)| self.0.trailing_zeros() >= *shift);
        match unit {
            Some((unit, shift)) => write!(f, "{}{unit}", self.0 >> shift),
            None => write!(f, "{}", self.0),
        }
    }
}

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unit = UNITS.iter().find_map(|(unit, shift)| {
            let short = text.strip_suffix("iB").unwrap_or(text);
            Some((short.strip_suffix(*unit)?, *shift))
        });
        let (digits, shift) = unit.unwrap_or((text, 0));
        let bytes = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(1 << shift));
        let bytes = bytes.filter(|n| *n > 0).map(Self);
        bytes.ok_or_else(|| "expected bytes, such as 512M or 4G".to_owned())
    }
}

/// A count of something that there must be some of.
pub(super) fn from_one<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "expected a whole number from 1 on".to_owned())
}

fn read_queries(path: &Path) -> anyhow::Result<Vec<Query>> {
    let input: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path)?))
    };
    let mut queries = Vec::new();
    for (i, line) in input.lines().enumerate() {
        let line = line?;
        let text = line.trim();
        if !text.is_empty() && !text.starts_with('#') {
            queries.push(text.parse().with_context(|| format!("line {}", i + 1))?);
        }
    }
    anyhow::ensure!(!queries.is_empty(), "no id in this file");
    Ok(queries)
}

/// The times of a stored run. One that is damaged may be another on each machine, whose shards then leave cases out.
fn read_times(path: &Path, damage: &mut Vec<String>) -> anyhow::Result<Times> {
    let (mut times, mut measured) = (Times::default(), false);
    let mut lines = stored::open(path)?;
    for line in &mut lines {
        if let Line::Case(case) = line?
            && let Some(time) = case.time
        {
            times.add(case.id.as_str(), time.as_secs_f64() * 1e3);
            measured = true;
        }
    }
    anyhow::ensure!(
        measured,
        "{}: no case has a time; make the run with --timings",
        path.display()
    );
    damage.append(&mut lines.take_damage());
    Ok(times)
}

fn read_failed(path: &Path, damage: &mut Vec<String>) -> anyhow::Result<Vec<Query>> {
    let mut failed = Vec::new();
    let mut lines = stored::open(path)?;
    for line in &mut lines {
        match line? {
            Line::Case(case) if case.outcome.is_failure() => failed.push(case.id.as_str().parse()?),
            _ => {}
        }
    }
    damage.append(&mut lines.take_damage());
    Ok(failed)
}
