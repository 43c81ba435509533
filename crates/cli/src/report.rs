//! Reports of diagnostics, shared by all commands. Each machine-readable format has its own module.

mod github;
mod json;
mod sarif;
mod stream;

use std::borrow::Cow;
use std::cell::{Ref, RefCell};
use std::collections::HashSet;
use std::io::Write;

use clap::builder::styling::{AnsiColor, Style};
use hclkit::render::{self, Renderer};
use hclkit::syntax::visible_line;
use hclkit::{Code, Diagnostic, Diagnostics, Range, Source};

use crate::args::{Format, Spacing};
use crate::host;
use crate::input::Unreadable;
use crate::output::{Failure, write_json};

const HINT: Style = AnsiColor::BrightCyan.on_default().bold();

/// A diagnostic and its source.
#[derive(Clone, Copy)]
pub(crate) struct Finding<'a> {
    diagnostic: &'a Diagnostic,
    source: &'a Source,
}

impl<'a> Finding<'a> {
    /// A diagnostic with its source. Diagnostics without a source are not reported.
    pub(crate) fn of(diagnostic: &'a Diagnostic) -> Option<Self> {
        Some(Self { diagnostic, source: diagnostic.source()? })
    }

    /// The name of the file.
    pub(crate) fn file(&self) -> &'a str {
        self.source.name()
    }
}

/// The report of a run. Diagnostics are written when they are found and then dropped, because there may be many files.
pub(crate) struct Report<'a> {
    /// Finds diagnostics in the order in which they are reported. Runs once.
    find: RefCell<Option<Find<'a>>>,
    totals: RefCell<Totals>,
}

/// Visits the diagnostics of each file and counts the rest.
type Find<'a> = Box<dyn FnOnce(&Report<'_>, &mut dyn FnMut(&Diagnostics)) + 'a>;

/// The totals of all files.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    /// The number of files that were read.
    pub(crate) files: usize,
    /// The numbers of errors and warnings, including those that are not shown.
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    /// The number of diagnostics that are not shown.
    pub(crate) unreported: usize,
    /// The files with unreported diagnostics, and a message for each.
    pub(crate) unreported_in: Vec<(String, String)>,
    /// The names of the files with diagnostics.
    pub(crate) places: HashSet<String>,
    /// What `--fix` did or would do.
    pub(crate) fixed: Vec<Fixed>,
    pub(crate) unreadable: Vec<Unreadable>,
}

impl Totals {
    fn count(&mut self, diagnostics: &Diagnostics) {
        self.errors += diagnostics.errors();
        self.warnings += diagnostics.warnings();
        self.unreported += diagnostics.unreported();
        for finding in diagnostics.iter().filter_map(Finding::of) {
            if !self.places.contains(finding.file()) {
                self.places.insert(finding.file().to_owned());
            }
        }
        let last = diagnostics.last().and_then(Finding::of);
        if let (Some(last), Some(message)) = (last, render::unreported(diagnostics)) {
            self.unreported_in.push((last.file().to_owned(), message));
        }
    }
}

/// The fixes of a file.
#[derive(Debug, Clone)]
pub(crate) struct Fixed {
    pub(crate) name: String,
    /// The fixes, at their positions in the original file.
    pub(crate) errors: Vec<FixedError>,
    /// Whether the file was written.
    pub(crate) written: bool,
    /// The fixes as a unified diff, if requested.
    pub(crate) diff: Option<String>,
}

/// An error that was fixed.
#[derive(Debug, Clone)]
pub(crate) struct FixedError {
    pub(crate) range: Range,
    pub(crate) code: Option<Code>,
    /// The title of the fix.
    pub(crate) title: Cow<'static, str>,
}

/// A machine-readable format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Machine {
    Json,
    Sarif,
    Github,
}

impl<'a> Report<'a> {
    /// A report of the diagnostics that `find` visits.
    pub(crate) fn new(
        totals: Totals,
        find: impl FnOnce(&Report<'_>, &mut dyn FnMut(&Diagnostics)) + 'a,
    ) -> Self {
        Self { find: RefCell::new(Some(Box::new(find))), totals: RefCell::new(totals) }
    }

    /// Visits the diagnostics of each file, which are found during the call.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(&Diagnostics)) {
        let find = self.find.take();
        if let Some(find) = find {
            find(self, &mut |diagnostics| {
                self.totals.borrow_mut().count(diagnostics);
                visit(diagnostics);
            });
        }
    }

    /// The totals, which are complete after [`each`](Self::each).
    pub(crate) fn totals(&self) -> Ref<'_, Totals> {
        self.totals.borrow()
    }

    /// Updates the totals.
    pub(crate) fn add(&self, add: impl FnOnce(&mut Totals)) {
        add(&mut self.totals.borrow_mut());
    }

    pub(crate) fn write(
        &self,
        format: Machine,
        spacing: Spacing,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        match format {
            Machine::Json => write_json(&json::report(self), spacing, &mut *out)?,
            Machine::Sarif => write_json(&sarif::report(self), spacing, &mut *out)?,
            Machine::Github => github::write(out, self)?,
        }
        Ok(out.flush()?)
    }
}

/// Reports diagnostics on standard error, with a hint. Machine-readable formats write a report even if there are no
/// diagnostics.
pub(crate) fn tell(
    format: Format,
    spacing: Spacing,
    files: usize,
    diagnostics: &Diagnostics,
    hint: impl FnOnce(&Diagnostics) -> Option<String>,
) -> Result<(), Failure> {
    if let Some(format) = format.machine() {
        let totals = Totals { files, ..Totals::default() };
        let report = Report::new(totals, |_, visit| visit(diagnostics));
        return report.write(format, spacing, &mut std::io::BufWriter::new(host::stderr()));
    }
    if diagnostics.is_empty() {
        return Ok(());
    }
    let mut out = host::styled_stderr();
    writeln!(out, "{}", Renderer::colored().diagnostics(diagnostics))?;
    if let Some(hint) = hint(diagnostics) {
        writeln!(out, "\n{HINT}hint{HINT:#}: {}", visible_line(&hint))?;
    }
    Ok(())
}
