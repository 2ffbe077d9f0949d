//! `spec verify`: the specification held against the libraries it describes.

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use dml_spec::model::Operator;

use super::{
    INCOMPLETE,
    args::{SpecArgs, directml_device},
    record,
    source::{self, Loaded},
};
use crate::{
    backends::{self, Choice, Watch},
    clause, directml,
    nearest::suggestion,
    query::Query,
    report::{Progress, Style, Terminal},
    verify::{self, Agreement, Answered, Otherwise, Questions, Row, Standing},
};

/// Arguments of `spec verify`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only this clause, or only the cases of a query
    #[arg(value_name = "CLAUSE|QUERY")]
    what: Option<String>,
    /// What to ask: `directml`
    #[arg(long, value_name = "NAME", value_parser = [backends::WITH_LIBRARY])]
    backend: String,
    /// Library to ask (repeatable); without it all that `fetch directml` got for this system
    #[arg(long = "directml-lib", value_name = "FILE", env = "DML_CTS_DIRECTML_LIB")]
    libraries: Vec<PathBuf>,
    /// Device that the libraries see
    #[arg(long = "directml-device", value_name = "DEVICE", value_parser = directml_device, default_value = "null")]
    device: String,
    /// Write what disputed and observed clauses were seen to do into the specification
    #[arg(long)]
    record: bool,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Exit code where a normative clause disagrees.
const DISAGREES: u8 = 1;

/// Verifies; the exit code.
pub(super) fn verify(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let loaded = source::load(&args.spec, terminal)?;
    let scope = Scope::of(args.what.as_deref(), &loaded)?;
    let libraries = libraries(args);
    if libraries.is_empty() {
        terminal.error("there is no DirectML library; get some with `dml-cts fetch directml`");
        return Ok(INCOMPLETE);
    }
    let mut code = 0;
    let operators = loaded.suite.catalog.operators.iter().enumerate();
    for (index, operator) in operators.filter(|(_, operator)| scope.has_operator(&operator.name)) {
        let mut questions = verify::questions(&loaded.suite, index);
        questions.all.retain(|question| scope.has_case(&question.id));
        let mut answered = Vec::new();
        for (name, path) in &libraries {
            match ask(args, &loaded, &questions, name, path, terminal)? {
                Some(library) => answered.push(library),
                None => code = INCOMPLETE,
            }
        }
        answered.sort_by_key(|library| library.level);
        let report = Report::new(&loaded, operator, &questions, &answered, &scope);
        report.print(terminal);
        if report.disagrees() {
            code = DISAGREES;
        }
        if args.record {
            record::record(&args.spec, &loaded.suite, operator, &report.rows, &answered, terminal)?;
        }
    }
    Ok(code)
}

/// The libraries to ask, with their names.
fn libraries(args: &Args) -> Vec<(String, PathBuf)> {
    let fetched = directml::fetched(std::env::consts::OS);
    if args.libraries.is_empty() {
        let named = fetched
            .into_iter()
            .map(|(release, path)| (release.release.to_owned(), path));
        return named.collect();
    }
    let name = |path: &PathBuf| {
        let release = fetched.iter().find(|(_, known)| known == path);
        release.map_or_else(|| path.display().to_string(), |(release, _)| release.release.to_owned())
    };
    args.libraries.iter().map(|path| (name(path), path.clone())).collect()
}

/// Asks one library, in a process of its own; `None` where that cannot be done.
fn ask(
    args: &Args,
    loaded: &Loaded,
    questions: &Questions,
    name: &str,
    path: &std::path::Path,
    terminal: &mut Terminal,
) -> anyhow::Result<Option<Answered>> {
    let choice = Choice {
        library: Some(path.to_owned()),
        device: Some(args.device.clone()),
        ..Choice::default()
    };
    let watch = Watch::new(Arc::new(loaded.suite.catalog.clone()));
    let backend = backends::isolated(&args.backend, &choice, args.spec.dir.as_deref(), &watch)?;
    let mut session = match backend.open() {
        Ok(session) => session,
        Err(why) => {
            terminal.error(format!("{name}: {why}"));
            return Ok(None);
        }
    };
    let level = backend.info().feature_level;
    let wanted: BTreeSet<usize> = questions.all.iter().map(|question| question.number).collect();
    let progress = Progress::new(terminal, name);
    let total = questions.descriptors.len();
    let asked = verify::ask(questions, level, &mut *session, &|n| wanted.contains(&n), &mut |done| {
        progress.set(done, total, String::new());
    });
    drop(progress);
    match asked {
        Ok(replies) => Ok(Some(Answered {
            name: name.to_owned(),
            level,
            replies,
        })),
        Err(why) => {
            terminal.error(format!("{name}: {why}"));
            Ok(None)
        }
    }
}

/// What was asked for.
enum Scope {
    All,
    Clause(String),
    Cases(Query),
}

impl Scope {
    fn of(what: Option<&str>, loaded: &Loaded) -> anyhow::Result<Self> {
        let Some(what) = what else { return Ok(Self::All) };
        if clause::find(&loaded.suite, what).is_some() {
            return Ok(Self::Clause(what.to_owned()));
        }
        if what.contains('/') {
            let near = clause::exists(&loaded.suite, what).err().unwrap_or_default();
            anyhow::bail!("there is no clause `{what}`; nearest: {}", near.join(", "));
        }
        let query: Query = what.parse()?;
        let names = || {
            loaded
                .suite
                .catalog
                .operators
                .iter()
                .map(|operator| operator.name.as_ref())
        };
        if !what.contains([':', '*']) && !names().any(|name| name == what) {
            anyhow::bail!("there is no operator `{what}`; {}", suggestion(what, names()));
        }
        Ok(Self::Cases(query))
    }

    fn has_operator(&self, name: &str) -> bool {
        match self {
            Self::Clause(id) => id.starts_with("TENSOR/") || id.starts_with(&format!("{name}/")),
            Self::All | Self::Cases(_) => true,
        }
    }

    fn has_case(&self, id: &crate::id::CaseId) -> bool {
        match self {
            Self::Cases(query) => query.matches(id),
            Self::All | Self::Clause(_) => true,
        }
    }

    fn has_row(&self, row: &Row) -> bool {
        match self {
            Self::Clause(id) => row.target.0 == *id,
            Self::All | Self::Cases(_) => true,
        }
    }
}

/// What came of an operator.
struct Report<'a> {
    operator: &'a Operator,
    answered: &'a [Answered],
    rows: Vec<Row>,
    otherwise: Vec<Otherwise>,
    standings: Vec<(dml_spec::FeatureLevel, Standing)>,
    whole: bool,
}

impl<'a> Report<'a> {
    fn new(
        loaded: &Loaded,
        operator: &'a Operator,
        questions: &Questions,
        answered: &'a [Answered],
        scope: &Scope,
    ) -> Self {
        let mut rows = verify::rows(&loaded.suite, operator, questions, answered);
        rows.retain(|row| scope.has_row(row));
        let otherwise = verify::otherwise(operator, questions, answered);
        let standings = verify::standings(&loaded.suite, operator, questions, answered);
        Self {
            operator,
            answered,
            rows,
            otherwise,
            standings,
            whole: !matches!(scope, Scope::Clause(_)),
        }
    }

    fn disagrees(&self) -> bool {
        use dml_spec::model::Status::{ByExample, Normative};

        let normative = |row: &Row| matches!(row.status, Normative | ByExample);
        let disagrees = |row: &Row| row.agreement == Agreement::Disagrees;
        self.rows.iter().any(|row| normative(row) && disagrees(row))
            || (self.whole && self.otherwise.iter().any(|answer| answer.normative))
    }

    fn print(&self, terminal: &mut Terminal) {
        for table in self.operator.support.iter() {
            let speak: Vec<&Answered> = self
                .answered
                .iter()
                .filter(|a| a.table(self.operator) == Some(table.level))
                .collect();
            if speak.is_empty() {
                continue;
            }
            let names: String = speak.iter().map(|a| format!(" {:<24}", a.name)).collect();
            let head = format!("{} {}", self.operator.name, table.level);
            let head = format!("{head:<54} {:<10}{names} comes to", "text");
            terminal.line(terminal.paint(Style::Strong, head));
            let rows: Vec<&Row> = self.rows.iter().filter(|row| row.table == table.level).collect();
            rows.iter().for_each(|row| terminal.line(line(row)));
            terminal.line("");
        }
        if self.whole {
            self.print_levels(terminal);
        }
        self.print_sums(terminal);
    }

    fn print_levels(&self, terminal: &mut Terminal) {
        for (level, standing) in &self.standings {
            let text = match standing {
                Standing::Verified { asked } => format!("verified    by its own library on {asked} descriptors"),
                Standing::Bracketed { asked, by } => {
                    format!("bracketed   by {} on {asked} descriptors", by.join(" and "))
                }
                Standing::Unverified { why } => format!("unverified  {why}"),
            };
            terminal.line(format!("{} {:<4} {text}", self.operator.name, level.to_string()));
        }
        terminal.line("");
    }

    /// The first answers that are not as expected, those about the text before those about what was observed.
    fn print_otherwise(&self, terminal: &mut Terminal) {
        const SHOWN: usize = 5;
        for normative in [true, false] {
            let answers = || self.otherwise.iter().filter(|answer| answer.normative == normative);
            for answer in answers().take(SHOWN) {
                let broken = match answer.broken.join(", ") {
                    none if none.is_empty() => "valid".to_owned(),
                    broken => format!("breaks {broken}"),
                };
                let (library, reply, id) = (&answer.library, &answer.reply, &answer.id);
                terminal.line(format!("otherwise: {library} {reply}: {id} ({broken})"));
            }
            if answers().count() > SHOWN {
                terminal.line(format!("otherwise: {} more like these", answers().count() - SHOWN));
            }
        }
    }

    fn print_sums(&self, terminal: &mut Terminal) {
        if self.whole {
            self.print_otherwise(terminal);
        }
        for library in self.answered {
            let known = library.replies.iter().filter_map(verify::Reply::rejected);
            let (asked, rejected) = known.fold((0, 0), |(n, r), is| (n + 1, r + u32::from(is)));
            terminal.line(format!(
                "{} (level {}): {asked} descriptors asked, {} accepted, {rejected} rejected",
                library.name,
                library.level,
                asked - rejected
            ));
        }
        let count = |agreement| self.rows.iter().filter(|row| row.agreement == agreement).count();
        let words = [
            Agreement::Agrees,
            Agreement::Disagrees,
            Agreement::Disputed,
            Agreement::Observed,
        ];
        let sums: Vec<String> = words.iter().map(|a| format!("{} {}", count(*a), a.word())).collect();
        terminal.line(format!("{}: {}", self.operator.name, sums.join(", ")));
    }
}

/// A row in one line.
fn line(row: &Row) -> String {
    let subject = match &row.target {
        (clause, Some(tensor)) if clause.starts_with("TENSOR/") => format!("{clause} on {tensor}"),
        (clause, _) => clause.clone(),
    };
    let tallies: String = row
        .tallies
        .iter()
        .map(|tally| format!(" {:<24}", cell(tally)))
        .collect();
    format!("{subject:<54} {:<10}{tallies} {}", row.text, row.agreement.word())
}

/// What one library did: of those that keep the clause and of those that break it, how many it took and refused.
fn cell(tally: &verify::Tally) -> String {
    let mut parts = Vec::new();
    if tally.kept.0 > 0 {
        parts.push(format!("+{}/{}", tally.kept.0 - tally.kept.1, tally.kept.0));
    }
    if tally.broken.0 > 0 {
        let alone = if tally.alone == 0 { " coupled" } else { "" };
        parts.push(format!("-{}/{}{alone}", tally.broken.1, tally.broken.0));
    }
    parts.join(" ")
}
