//! What is told of diagnostics, the same for all commands that find any; each format for machines has a file.

mod github;
mod json;
mod sarif;
mod stream;

use std::borrow::Cow;
use std::io::Write;

use clap::builder::styling::{AnsiColor, Style};
use hclkit::render::{self, Renderer};
use hclkit::syntax::visible_line;
use hclkit::{Code, Diagnostic, Diagnostics, Range, Source};

use crate::args::{Format, Spacing};
use crate::input::Unreadable;
use crate::output::{Failure, write_json};

const HINT: Style = AnsiColor::BrightCyan.on_default().bold();

/// A diagnostic with the source that it is about.
#[derive(Clone, Copy)]
pub(crate) struct Finding<'a> {
    diagnostic: &'a Diagnostic,
    source: &'a Source,
}

impl<'a> Finding<'a> {
    /// A diagnostic that has its source with it; of one without, nothing can be reported.
    pub(crate) fn of(diagnostic: &'a Diagnostic) -> Option<Self> {
        Some(Self { diagnostic, source: diagnostic.source.as_deref()? })
    }

    /// The name of the file that it is about.
    pub(crate) fn file(&self) -> &'a str {
        self.source.name()
    }
}

/// All that a run has to report.
pub(crate) struct Report<'a> {
    /// How many files were read.
    pub(crate) files: usize,
    /// What is wrong, in the order in which it is reported.
    pub(crate) diagnostics: Vec<&'a Diagnostics>,
    /// What `--fix` did or would do.
    pub(crate) fixed: &'a [Fixed],
    pub(crate) unreadable: &'a [Unreadable],
}

/// The fixes of a file.
#[derive(Debug, Clone)]
pub(crate) struct Fixed {
    pub(crate) name: String,
    /// By the places that they had in the file.
    pub(crate) errors: Vec<FixedError>,
    /// Whether the file was written.
    pub(crate) written: bool,
    /// The fixes as a unified diff, if it was asked for.
    pub(crate) diff: Option<String>,
}

/// An error that was fixed.
#[derive(Debug, Clone)]
pub(crate) struct FixedError {
    pub(crate) range: Range,
    pub(crate) code: Code,
    /// What the fix did.
    pub(crate) title: Cow<'static, str>,
}

/// A format for machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Machine {
    Json,
    Sarif,
    Github,
}

impl Report<'_> {
    fn findings(&self) -> impl Iterator<Item = Finding<'_>> {
        self.diagnostics.iter().flat_map(|diagnostics| diagnostics.iter()).filter_map(Finding::of)
    }

    /// How many there are in all, which may be more than are here.
    fn sum(&self, count: impl Fn(&Diagnostics) -> usize) -> usize {
        self.diagnostics.iter().map(|diagnostics| count(diagnostics)).sum()
    }

    /// The files in which more was found than is reported, and what to say of it.
    fn unreported(&self) -> impl Iterator<Item = (&str, String)> {
        self.diagnostics.iter().filter_map(|diagnostics| {
            let file = diagnostics.last().and_then(Finding::of)?.file();
            Some((file, render::unreported(diagnostics)?))
        })
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

/// Tells what is wrong with what was read on standard error, and what may help. The formats for machines say as much
/// where nothing is.
pub(crate) fn tell(
    format: Format,
    spacing: Spacing,
    files: usize,
    diagnostics: &Diagnostics,
    hint: impl FnOnce(&Diagnostics) -> Option<String>,
) -> Result<(), Failure> {
    if let Some(format) = format.machine() {
        let report = Report { files, diagnostics: vec![diagnostics], fixed: &[], unreadable: &[] };
        return report.write(format, spacing, &mut std::io::BufWriter::new(std::io::stderr().lock()));
    }
    if diagnostics.is_empty() {
        return Ok(());
    }
    let mut out = anstream::stderr().lock();
    writeln!(out, "{}", Renderer::coloured().diagnostics(diagnostics))?;
    if let Some(hint) = hint(diagnostics) {
        writeln!(out, "\n{HINT}hint{HINT:#}: {}", visible_line(&hint))?;
    }
    Ok(())
}
