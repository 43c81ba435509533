//! A progress bar on standard error, for interactive runs longer than a second.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::host;

/// How long a run must take before the bar is shown.
const PATIENCE: Duration = Duration::from_secs(1);

pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
    watched: bool,
    shown: AtomicBool,
}

impl Progress {
    /// A bar for a number of steps, which are called `files`, for example.
    pub(crate) fn new(steps: usize, what: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let watched = host::stderr_is_terminal();
        let progress = Self { bar, start: Instant::now(), watched, shown: AtomicBool::new(false) };
        progress.begin(steps, what);
        progress
    }

    /// Begins with other steps.
    pub(crate) fn begin(&self, steps: usize, what: &str) {
        if let Ok(style) = ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {what}")) {
            self.bar.set_style(style);
        }
        self.bar.set_length(steps as u64);
        self.bar.set_position(0);
    }

    /// Adds steps that were not known before.
    #[cfg(feature = "tables")]
    pub(crate) fn grow(&self, steps: usize) {
        if self.watched {
            self.bar.inc_length(steps as u64);
        }
    }

    /// Advances the bar by a number of steps.
    pub(crate) fn advance(&self, steps: usize) {
        if !self.watched {
            return;
        }
        if self.start.elapsed() > PATIENCE && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(steps as u64);
    }

    /// Runs a closure that may print while the bar is hidden.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        if self.watched { self.bar.suspend(print) } else { print() }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
