//! A progress bar on standard error, if that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::Terminal;

/// A bar, or nothing.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// A bar for `what`; none if standard error is not a terminal.
    pub fn new(terminal: &Terminal, what: &str) -> Self {
        if !terminal.shows_progress() {
            return Self(None);
        }
        let style = ProgressStyle::with_template("{prefix} [{bar:30}] {percent}%, {msg}, {eta} left");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        // Drawn from the first count on: zero of zero would be a full bar.
        let bar = ProgressBar::new(0)
            .with_style(style.progress_chars("=> "))
            .with_prefix(what.to_owned());
        Self(Some(bar))
    }

    /// A count without an end.
    pub fn counter(terminal: &Terminal, what: &str) -> Self {
        if !terminal.shows_progress() {
            return Self(None);
        }
        let style = ProgressStyle::with_template("{prefix} {human_pos} cases, {per_sec}, {msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = ProgressBar::new_spinner()
            .with_style(style)
            .with_prefix(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(Some(bar))
    }

    /// So many, with a remark.
    pub fn count(&self, done: u64, remark: impl FnOnce() -> String) {
        if let Some(bar) = &self.0 {
            bar.set_position(done);
            bar.set_message(remark());
        }
    }

    /// `done` of `total`, with a remark.
    pub fn set(&self, done: usize, total: usize, remark: String) {
        if let Some(bar) = &self.0 {
            if bar.length() == Some(0) && total > 0 {
                bar.enable_steady_tick(Duration::from_millis(200));
            }
            bar.set_length(total as u64);
            bar.set_position(done as u64);
            bar.set_message(remark);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
