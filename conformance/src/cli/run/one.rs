//! One backend's part of a run: run, save, report.

use dml_spec::load;

use super::{
    Args,
    args::Format,
    sinks::{Files, Out, RunSink},
    subjects::Subject,
};
use crate::{
    cli::{
        save::{Saver, file_word},
        source::Loaded,
        subject::again,
    },
    lock::Lock,
    report::{self, Asked, Collected, Ending, Facts, Progress, SavedCase, Terminal},
    run::{Resolved, Run, Settings, Totals},
};

/// One backend's part of the run.
pub(super) struct One<'a> {
    pub(super) args: &'a Args,
    pub(super) loaded: &'a Loaded,
    pub(super) lock: &'a Lock,
    pub(super) lock_remedy: &'a str,
    pub(super) selection: &'a Resolved,
    pub(super) settings: &'a Settings,
    pub(super) subject: &'a Subject,
}

impl One<'_> {
    /// Runs everything that is selected; the object that sums it up, and how it ended.
    pub(super) fn run(
        &self,
        files: &mut Files,
        terminal: &mut Terminal,
    ) -> anyhow::Result<(serde_json::Value, Ending)> {
        let run = Run {
            suite: &self.loaded.suite,
            backend: &*self.subject.backend,
            selection: self.selection,
            settings: self.settings,
            lock: Some(self.lock),
        };
        let levels: Vec<String> = run.table_levels().iter().map(ToString::to_string).collect();
        let corpus_digest = self.lock.digest().to_string();
        let spec_digest = load::digest(&self.loaded.texts.files);
        let info = self.subject.backend.info();
        let none = Totals::default();
        let mut facts = Facts {
            label: &self.subject.label,
            tier: self.args.select.tier.word(),
            basis: self.args.judging.basis.word(),
            levels: &levels,
            seed: self.settings.seed,
            validator: report::validator(&info),
            spec_digest: &spec_digest,
            corpus_digest: &corpus_digest,
            lock_remedy: self.lock_remedy,
            has_lock: !self.lock.buckets.is_empty(),
            allowed_skips: &self.args.allow_skip,
            totals: &none,
        };
        let mut out = Out::new(files);
        out.write(&report::header(&facts, &info, self.asked()));
        let mut sink = RunSink::new(out, Progress::new(terminal, &self.subject.label));
        if self.args.debug.is_some() {
            self.subject.wait(terminal)?;
        }
        let totals = run.execute(&mut sink);
        facts.totals = &totals;
        let RunSink {
            mut out,
            collected,
            progress,
            ..
        } = sink;
        drop(progress);
        out.write(&report::footer(&facts, &collected));
        out.finish()?;
        let saved = self.save(&run, &collected, &spec_digest, terminal)?;
        if self.args.format == Format::Human {
            self.print(terminal, &facts, &collected, &saved);
        } else {
            report::incomplete(terminal, &facts);
        }
        Ok((report::object(&facts, &saved), facts.ending()))
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
            again: format!("dml-cts run {}", self.again()),
        }
    }

    /// What names the backend and how it is judged, in a command that runs a case again as it ran here.
    fn again(&self) -> String {
        let (spec, args) = (&self.subject.spec, self.args);
        again(spec, &args.start, &args.spec, &args.judging)
    }

    /// Saves a case for each kind of failure, where that is wanted.
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
            _ => folder.join(file_word(&self.subject.label)),
        };
        let saver = Saver {
            suite: &self.loaded.suite,
            folder: &folder,
            label: &self.subject.label,
            spec_digest,
            again: self.again(),
        };
        saver.save(run, collected, terminal)
    }

    fn print(&self, terminal: &mut Terminal, facts: &Facts<'_>, collected: &Collected, saved: &[SavedCase]) {
        if !self.args.quiet {
            let again = format!("dml-cts run {}", self.again());
            report::summary(terminal, collected, &again, saved, self.args.verbose);
            report::failures(
                terminal,
                &self.loaded.suite,
                &again,
                collected,
                saved,
                self.args.verbose,
            );
            terminal.line("");
        }
        report::ending(terminal, facts);
    }
}
