//! BackendRun backend's part of a run: run, save, report.

use dml_spec_yaml::load;

use super::{
    Args,
    sinks::{Files, Out, RunSink},
    start_backends::StartedBackend,
};
use crate::cli::{
    args::Format,
    backend_args::rerun_arguments,
    exit::INCOMPLETE,
    save::{Saver, file_word},
    source::Loaded,
    stored::diff::tell_run,
};
use crate::mistakes::locate_mistakes;
use dml_case::{lock::Lock, record::Totals};
use dml_report::{
    Asked, Collected, Ending, Facts, Progress, SavedCase, Terminal,
    comparison::Comparison,
    expectations::{self, Expectations},
};
use dml_report::{
    results::{Header, Line},
    scope::Scope,
};
use dml_run::engine::{Known, Resolved, Run, Settings};

/// BackendRun backend's part of the run.
pub(super) struct BackendRun<'a> {
    pub(super) args: &'a Args,
    pub(super) loaded: &'a Loaded,
    pub(super) lock: &'a Lock,
    pub(super) lock_remedy: &'a str,
    pub(super) selection: &'a Resolved,
    pub(super) settings: &'a Settings,
    pub(super) expectations: &'a Expectations,
    pub(super) started: &'a StartedBackend,
}

impl BackendRun<'_> {
    /// Runs everything that is selected; the object that sums it up, and the exit code. `before` knows a run to compare
    /// this one with.
    pub(super) fn run(
        &self,
        files: &mut Files,
        before: &mut dyn FnMut(&Header) -> Option<Comparison>,
        terminal: &mut Terminal,
    ) -> anyhow::Result<(serde_json::Value, u8)> {
        let corpus = self.lock.digest();
        let info = self.started.backend.info();
        let here = expectations::Facts::of(&info, &self.started.label);
        let settings = Settings {
            erratic: self.args.judging.sends_erratic(&info),
            known: {
                let holding = self.expectations.holding(&here, corpus);
                Known::new(move |record| holding.apply(record))
            },
            ..self.settings.clone()
        };
        let run = Run {
            suite: &self.loaded.suite,
            backend: &*self.started.backend,
            selection: self.selection,
            settings: &settings,
            lock: Some(self.lock),
        };
        let levels: Vec<String> = run.table_levels().iter().map(ToString::to_string).collect();
        let is_whole = self.asked().selection.is_empty();
        let highest = run.table_levels().into_iter().max().filter(|_| is_whole);
        let scope = highest.map(|level| Scope::of(&self.loaded.suite.catalog, level));
        let corpus_digest = corpus.to_string();
        let spec_digest = load::digest(&self.loaded.texts.files);
        let shard = self
            .selection
            .shard()
            .map(|shard| format!("{}/{}", shard.index, shard.of));
        let none = Totals::default();
        let mut facts = Facts {
            label: &self.started.label,
            tier: self.args.select.tier.word(),
            basis: self.args.judging.basis.word(),
            half_precision: self.args.judging.half_precision,
            levels: &levels,
            scope,
            seed: self.settings.seed,
            shard: shard.as_deref(),
            validator: info.validator.word(),
            spec_digest: &spec_digest,
            corpus_digest: &corpus_digest,
            lock_remedy: self.lock_remedy,
            has_lock: !self.lock.tables.is_empty(),
            allowed_skips: &self.args.allow_skip,
            totals: &none,
        };
        let mut out = Out::new(files);
        let mut header = dml_report::header(&facts, &info, self.asked());
        let mut comparison = None;
        if let Line::Header(header) = &mut header {
            header.shard = self.selection.shard();
            comparison = before(header);
        }
        out.write(&header);
        let mut sink = RunSink::new(out, Progress::new(terminal, &self.started.label));
        sink.comparison = comparison;
        if self.args.debug.is_some() {
            self.started.wait(terminal)?;
        }
        let mut totals = run.execute(&mut sink);
        locate_mistakes(&mut totals.mistakes, &self.loaded.texts.files);
        facts.totals = &totals;
        let RunSink {
            mut out,
            collected,
            progress,
            comparison,
            ..
        } = sink;
        drop(progress);
        out.write(&dml_report::footer(&facts, &collected));
        out.finish()?;
        let saved = self.save(&run, &collected, &spec_digest, terminal)?;
        if self.args.format == Format::Human {
            self.print(terminal, &facts, &collected, &saved);
        } else {
            dml_report::incomplete(terminal, &facts);
        }
        let (mut object, mut code) = (dml_report::object(&facts, &saved), facts.ending().code());
        if self.args.baseline.is_some() && comparison.is_none() {
            let label = &self.started.label;
            terminal.warn(format!(
                "no run labelled {label} in the baseline; pass `--backend LABEL=SPEC`, or --allow-new if it is new"
            ));
            // What was to be compared was not.
            if !self.args.allow_new && code == 0 {
                code = INCOMPLETE;
            }
        }
        if let Some(comparison) = comparison {
            let compared = comparison.finish(totals.complete(&self.args.allow_skip));
            files.compared(&compared);
            let (allow_new, human) = (self.args.allow_new, self.args.format == Format::Human);
            let message = tell_run(&compared, allow_new, self.args.verbose, human, terminal);
            if let Some(object) = object.as_object_mut() {
                object.insert("baseline".to_owned(), message);
            }
            if compared.is_worse(allow_new) {
                code = Ending::NotConformant.code();
            } else if compared.is_disjoint() && code == 0 {
                code = INCOMPLETE;
            }
        }
        Ok((object, code))
    }

    /// How the run was asked for.
    fn asked(&self) -> Asked {
        let debug = self.args.debug.iter().map(|id| format!("--debug {id}"));
        Asked {
            // What is no UTF-8 is shown as well as it can be.
            command: std::env::args_os()
                .map(|word| word.to_string_lossy().into_owned())
                .collect(),
            selection: self.args.select.spelled().into_iter().chain(debug).collect(),
            options: self.args.options(),
            expectations: self.expectations.digest().map(|digest| digest.to_string()),
            again: format!("dml-cts run {}", self.rerun_arguments()),
        }
    }

    /// What names the backend and how it is judged, in a command that runs a case again as it ran here.
    fn rerun_arguments(&self) -> String {
        let (spec, args) = (&self.started.spec, self.args);
        rerun_arguments(spec, &args.start, &args.spec, &args.judging)
    }

    /// Saves a case for each kind of failure, if that is wanted.
    fn save(
        &self,
        run: &Run<'_>,
        collected: &Collected,
        spec_digest: &str,
        terminal: &mut Terminal,
    ) -> anyhow::Result<Vec<SavedCase>> {
        let Some(folder) = &self.args.save_failures else {
            return Ok(Vec::new());
        };
        // Several backends have a folder each.
        let folder = match self.args.backends.len() {
            0 | 1 => folder.clone(),
            _ => folder.join(file_word(&self.started.label)),
        };
        let saver = Saver {
            suite: &self.loaded.suite,
            folder: &folder,
            label: &self.started.label,
            spec_digest,
            half_precision: self.args.judging.half_precision,
            again: self.rerun_arguments(),
        };
        saver.save(run, collected, terminal)
    }

    fn print(&self, terminal: &mut Terminal, facts: &Facts<'_>, collected: &Collected, saved: &[SavedCase]) {
        if !self.args.quiet {
            let again = format!("dml-cts run {}", self.rerun_arguments());
            dml_report::summary(terminal, collected, &again, saved, self.args.verbose);
            let (suite, totals) = (&self.loaded.suite, facts.totals);
            dml_report::mistakes(terminal, suite, &totals.mistakes, self.args.verbose);
            dml_report::failures(terminal, suite, &again, collected, saved, self.args.verbose);
            terminal.line("");
            dml_report::timings(terminal, facts.totals);
        }
        dml_report::ending(terminal, facts);
    }
}
