//! A progress bar on standard error, where that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::Terminal;

/// A bar, or nothing.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// A bar for `what`; nothing where nobody watches.
    pub fn new(terminal: &Terminal, what: &str) -> Self {
        if !terminal.shows_progress() {
            return Self(None);
        }
        let bar = ProgressBar::new(0);
        let style = ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} buckets, {msg} {eta}");
        bar.set_style(
            style
                .unwrap_or_else(|_| ProgressStyle::default_bar())
                .progress_chars("=> "),
        );
        bar.set_prefix(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(Some(bar))
    }

    /// `done` of `total`, with a remark.
    pub fn set(&self, done: usize, total: usize, remark: String) {
        if let Some(bar) = &self.0 {
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
