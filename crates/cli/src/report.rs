//! What is told of diagnostics, the same for all commands that find any; each format for machines has a file.

mod github;
mod json;
mod sarif;

use std::io::Write;

use clap::builder::styling::{AnsiColor, Style};
use hclkit::render::{self, Renderer};
use hclkit::syntax::Utf16Position;
use hclkit::{Diagnostic, Diagnostics, Document, Range, Source, Span};

use crate::args::{Format, Spacing};
use crate::input::Unreadable;
use crate::output::Failure;

const HINT: Style = AnsiColor::BrightCyan.on_default().bold();

/// A diagnostic with the source that it is about.
#[derive(Clone, Copy)]
pub(crate) struct Finding<'a> {
    diagnostic: &'a Diagnostic,
    source: &'a Source,
    /// The document of the source, where it was kept: it knows columns by its tokens.
    document: Option<&'a Document>,
}

impl<'a> Finding<'a> {
    pub(crate) fn of(document: &'a Document, diagnostic: &'a Diagnostic) -> Self {
        Self { diagnostic, source: document.source(), document: Some(document) }
    }

    /// A diagnostic that has its source with it; of one without, nothing can be told.
    pub(crate) fn located(diagnostic: &'a Diagnostic) -> Option<Self> {
        Some(Self::about(diagnostic.source.as_deref()?, diagnostic))
    }

    /// A diagnostic of a source that is no document of the native syntax.
    pub(crate) fn about(source: &'a Source, diagnostic: &'a Diagnostic) -> Self {
        Self { diagnostic, source, document: None }
    }

    pub(crate) fn is_error(&self) -> bool {
        self.diagnostic.is_error()
    }

    /// The name of the file that it is about.
    pub(crate) fn file(&self) -> &'a str {
        self.source.name()
    }

    /// The same for people.
    pub(crate) fn report(&self) -> render::Report<'a> {
        render::Report::about(self.source, self.diagnostic)
    }

    fn range(&self, span: Span) -> Range {
        self.document.map_or_else(|| self.source.range(span), |document| document.range(span))
    }

    fn utf16_position(&self, offset: u32) -> Utf16Position {
        self.source.utf16_position(offset)
    }
}

/// All that a run has to tell.
pub(crate) struct Report<'a> {
    /// How many files were read.
    pub(crate) files: usize,
    pub(crate) findings: Vec<Finding<'a>>,
    /// Files that were mended, with the number of mistakes.
    pub(crate) fixed: Vec<(&'a str, usize)>,
    pub(crate) unreadable: &'a [Unreadable],
}

/// A format for machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Machine {
    Json,
    Sarif,
    Github,
}

impl Report<'_> {
    pub(crate) fn errors(&self) -> usize {
        self.findings.iter().filter(|finding| finding.is_error()).count()
    }

    pub(crate) fn write(
        &self,
        format: Machine,
        spacing: Spacing,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        match format {
            Machine::Json => write_json(&json::report(self), spacing, out)?,
            Machine::Sarif => write_json(&sarif::report(self), spacing, out)?,
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
        let findings = diagnostics.iter().filter_map(Finding::located).collect();
        let report = Report { files, findings, fixed: Vec::new(), unreadable: &[] };
        return report.write(format, spacing, &mut std::io::BufWriter::new(std::io::stderr().lock()));
    }
    if diagnostics.is_empty() {
        return Ok(());
    }
    let mut out = anstream::stderr().lock();
    writeln!(out, "{}", Renderer::coloured().diagnostics(diagnostics))?;
    if let Some(hint) = hint(diagnostics) {
        writeln!(out, "\n{HINT}hint{HINT:#}: {hint}")?;
    }
    Ok(())
}

fn write_json(report: &serde_json::Value, spacing: Spacing, out: &mut impl Write) -> Result<(), Failure> {
    if spacing.compact {
        serde_json::to_writer(&mut *out, report)?;
    } else {
        serde_json::to_writer_pretty(&mut *out, report)?;
    }
    Ok(writeln!(out)?)
}
