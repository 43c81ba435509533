//! Where reports of diagnostics are written, and in which format. The library writes them.

use std::borrow::Cow;
use std::io::{BufWriter, Write};

use clap::builder::styling::{AnsiColor, Style};
use hclkit::render::{self, Renderer, ReportWriter};
use hclkit::syntax::visible_line;
use hclkit::{Diagnostic, Diagnostics};

use crate::args::{Format, Spacing};
use crate::host::{self, Host};
use crate::outcome::Failure;
use crate::output::Metered;

const HINT: Style = AnsiColor::BrightCyan.on_default().bold();

/// The report of a run.
pub(crate) type Report = ReportWriter<Box<dyn Write>>;

/// A standard stream to write to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Output,
    Error,
}

/// Opens a report on a standard stream. Those in JSON count toward the limits.
pub(crate) fn open(format: Format, spacing: Spacing, on: Stream) -> Report {
    let raw = || if on == Stream::Output { host::stdout() } else { host::stderr() };
    let (format, out): (_, Box<dyn Write>) = match format {
        Format::Human => {
            let out = if on == Stream::Output { host::styled_stdout() } else { host::styled_stderr() };
            (render::Format::Text(Renderer::colored()), Box::new(BufWriter::new(out)))
        }
        Format::Json => (render::Format::Json, Box::new(Metered::new(BufWriter::new(raw())))),
        Format::Sarif => (render::Format::Sarif, Box::new(Metered::new(BufWriter::new(raw())))),
        Format::Github => (render::Format::GitHub, Box::new(BufWriter::new(raw()))),
        Format::Junit => (render::Format::JUnit, Box::new(Metered::new(BufWriter::new(raw())))),
    };
    ReportWriter::new(format, out).with_compact(spacing.compact).with_tool(
        "hcl",
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_REPOSITORY"),
    )
}

/// Reports diagnostics on standard error, with a hint. A quiet run has no warnings. Machine-readable formats write a report even if
/// there are no diagnostics.
pub(crate) fn write_report(
    format: Format,
    spacing: Spacing,
    files: usize,
    diagnostics: &Diagnostics,
    hint: impl FnOnce(&Diagnostics) -> Option<String>,
) -> Result<(), Failure> {
    let mut report = open(format, spacing, Stream::Error);
    report.checked(files);
    let mut diagnostics = Cow::Borrowed(diagnostics);
    if Host::current().is_quiet() {
        diagnostics.to_mut().retain(Diagnostic::is_error);
    }
    let diagnostics = &*diagnostics;
    report.diagnostics(diagnostics)?;
    report.finish()?;
    if format == Format::Human
        && !diagnostics.is_empty()
        && let Some(hint) = hint(diagnostics)
    {
        writeln!(host::styled_stderr(), "\n{HINT}hint{HINT:#}: {}", visible_line(&hint))?;
    }
    Ok(())
}
