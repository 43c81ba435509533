//! Writes reports of diagnostics: a writer for all formats, and a function for each format. Diagnostics are written when they
//! are pushed, so reports of many files do not need much memory. Each format has its own file.

mod fingerprint;
mod github;
mod json;
mod junit;
mod sarif;
mod stream;
mod text;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::io::{self, Write};

use hclkit_syntax::{Code, Diagnostic, Diagnostics, Range, Severity, visible_line};

use super::{Renderer, VisibleJson, unreported};
use stream::Stream;
use text::Text;

/// The format of a report.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Format {
    /// Text for people, in color or not.
    Text(Renderer),
    /// One JSON document, whose diagnostics are those that [`Diagnostic`] serializes to.
    Json,
    /// The Static Analysis Results Interchange Format, version 2.1.0, as GitHub code scanning and editors read it.
    Sarif,
    /// Workflow commands, which GitHub shows as annotations.
    GitHub,
    /// `JUnit` XML, with a test case for each diagnostic, as GitLab and Jenkins read it.
    JUnit,
}

/// The tool that SARIF names.
#[derive(Debug, Clone)]
struct Tool {
    name: Cow<'static, str>,
    version: Cow<'static, str>,
    page: Cow<'static, str>,
}

/// Writes a report, one diagnostic at a time.
///
/// ```
/// use hclkit::render::{Format, ReportWriter};
///
/// let mut report = ReportWriter::new(Format::Sarif, Vec::new()).with_tool("lint", "1.0.0", "https://example.com");
/// for text in ["port = 80\n", "port = 'eighty'\n"] {
///     report.diagnostics(hclkit::parse(text).diagnostics())?;
/// }
/// report.finish()?;
/// assert_eq!(report.totals().errors, 1);
/// assert!(report.into_inner().starts_with(b"{\n  \"$schema\": "));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Diagnostics are counted even if writing fails. After the first error, nothing more is written.
#[derive(Debug)]
pub struct ReportWriter<W: Write> {
    kind: Kind,
    out: Stream<VisibleJson<W>>,
    tool: Tool,
    totals: Totals,
    state: State,
}

/// A format with the state of its writer.
#[derive(Debug)]
enum Kind {
    Text(Text),
    Json,
    Sarif(sarif::Results),
    GitHub,
    JUnit(junit::Cases),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing was written.
    New,
    /// The start was written.
    Open,
    /// The report is complete, or writing failed.
    Closed,
}

/// The counts of a report, and its files.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Totals {
    /// The number of files that were [checked](ReportWriter::checked).
    pub files: usize,
    /// The number of errors, including those that are not shown.
    pub errors: usize,
    /// The number of warnings, including those that are not shown.
    pub warnings: usize,
    /// The number of diagnostics that are not shown.
    pub unreported: usize,
    /// The names of the sources with diagnostics.
    pub sources: HashSet<String>,
    /// The files that were fixed.
    pub fixed: Vec<FixedFile>,
    /// The files that could not be read or written.
    pub failed: Vec<FailedFile>,
    /// The files and directories that were skipped.
    pub skipped: Vec<SkippedFile>,
    /// The sources with unreported diagnostics, and a message for each.
    more: Vec<(String, String)>,
    /// What rules said that is no diagnostic, each with the name of the rule.
    infos: Vec<Info>,
}

/// What a rule says whether or not something was found.
#[derive(Debug, Clone)]
struct Info {
    rule: String,
    message: String,
}

/// A file whose errors were fixed, or would be.
#[derive(Debug, Clone)]
pub struct FixedFile {
    /// The name of the file.
    pub name: String,
    /// The errors, at their positions in the original file.
    pub errors: Vec<FixedError>,
    /// Whether the file was written.
    pub written: bool,
    /// The fixes as a unified diff, if it should be reported.
    pub diff: Option<String>,
}

/// An error that was fixed.
#[derive(Debug, Clone)]
pub struct FixedError {
    /// Its location in the original file.
    pub range: Range,
    /// Its code, if it has one.
    pub code: Option<Code>,
    /// The title of the fix.
    pub title: Cow<'static, str>,
}

impl FixedFile {
    /// `Fixed` or `Would fix`
    fn verb(&self) -> &'static str {
        if self.written { "Fixed" } else { "Would fix" }
    }
}

/// A file that could not be read or written: `cannot read main.tf: permission denied`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedFile {
    /// The name of the file.
    pub name: String,
    /// What failed: `read`, `write` or `format`.
    pub action: &'static str,
    /// The reason.
    pub reason: String,
}

/// A file or directory that was skipped: `a.tf was skipped: ignored by .gitignore`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedFile {
    /// The name of the file or directory.
    pub name: String,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for SkippedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} was skipped: {}", self.name, self.reason)
    }
}

impl fmt::Display for FailedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} {}: {}", self.action, self.name, self.reason)
    }
}

impl Totals {
    fn count(&mut self, diagnostic: &Diagnostic) {
        if let Some(source) = diagnostic.source()
            && !self.sources.contains(source.name())
        {
            self.sources.insert(source.name().to_owned());
        }
    }
}

impl<W: Write> ReportWriter<W> {
    /// Creates a report. JSON and SARIF are written on several lines.
    pub fn new(format: Format, out: W) -> Self {
        let kind = match format {
            Format::Text(renderer) => Kind::Text(Text::new(renderer)),
            Format::Json => Kind::Json,
            Format::Sarif => Kind::Sarif(sarif::Results::default()),
            Format::GitHub => Kind::GitHub,
            Format::JUnit => Kind::JUnit(junit::Cases::default()),
        };
        let tool = Tool { name: "hclkit".into(), version: "".into(), page: "".into() };
        let out = Stream::new(VisibleJson(out));
        Self { kind, out, tool, totals: Totals::default(), state: State::New }
    }

    #[doc(hidden)]
    /// Sets whether JSON and SARIF are written on one line.
    #[must_use]
    pub fn with_compact(mut self, compact: bool) -> Self {
        self.out.compact = compact;
        self
    }

    /// Sets the name of the tool, its semantic version and its URL, for SARIF. Empty values are omitted.
    #[must_use]
    pub fn with_tool(
        mut self,
        name: impl Into<Cow<'static, str>>,
        version: impl Into<Cow<'static, str>>,
        page: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.tool = Tool { name: name.into(), version: version.into(), page: page.into() };
        self
    }

    /// Lists codes among the rules of SARIF, with their severities, even if nothing is reported for them. Codes that are
    /// reported are always listed.
    ///
    /// ```
    /// use hclkit::render::{Format, ReportWriter};
    /// use hclkit::{Code, Severity};
    ///
    /// const TAGS: Code = Code::custom("aws-tags", "Resource without tags");
    /// let mut report = ReportWriter::new(Format::Sarif, Vec::new()).with_rules([(TAGS, Severity::Warning)]);
    /// report.finish()?;
    /// assert!(String::from_utf8_lossy(&report.into_inner()).contains(r#""id": "aws-tags""#));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    #[doc(hidden)]
    pub fn with_rules(mut self, rules: impl IntoIterator<Item = (Code, Severity)>) -> Self {
        self.add_rules(rules);
        self
    }

    #[doc(hidden)]
    /// Lists more codes among the rules of SARIF.
    pub fn add_rules(&mut self, rules: impl IntoIterator<Item = (Code, Severity)>) {
        if let Kind::Sarif(results) = &mut self.kind {
            for (code, severity) in rules {
                results.rule_index(code, severity);
            }
        }
    }

    #[doc(hidden)]
    /// Adds a test that did not fail: its name, what it is about, and why it was not run. Only `JUnit` lists them.
    pub fn case(&mut self, name: &str, subject: &str, skipped: Option<&str>) {
        if let Kind::JUnit(cases) = &mut self.kind {
            cases.add_case(name, subject, skipped);
        }
    }

    #[doc(hidden)]
    /// Writes what a rule says whether or not something was found.
    ///
    /// # Errors
    /// If writing fails.
    pub fn info(&mut self, rule: &str, message: &str) -> io::Result<()> {
        self.write(|report| match report.kind {
            Kind::Text(_) => {
                writeln!(report.out.out.0, "{}", visible_line(&format!("info: {rule}: {message}")))
            }
            Kind::GitHub => github::info(&mut report.out.out.0, rule, message),
            Kind::Json | Kind::Sarif(_) | Kind::JUnit(_) => {
                report.totals.infos.push(Info { rule: rule.to_owned(), message: message.to_owned() });
                Ok(())
            }
        })
    }

    /// Writes a diagnostic.
    ///
    /// # Errors
    /// If writing fails.
    pub fn diagnostic(&mut self, diagnostic: &Diagnostic) -> io::Result<()> {
        self.totals.count(diagnostic);
        if diagnostic.is_error() {
            self.totals.errors += 1;
        } else {
            self.totals.warnings += 1;
        }
        self.write(|report| report.item(diagnostic))
    }

    /// Writes a list of diagnostics, and the number of diagnostics that were not kept.
    ///
    /// # Errors
    /// If writing fails.
    pub fn diagnostics(&mut self, diagnostics: &Diagnostics) -> io::Result<()> {
        let totals = &mut self.totals;
        totals.errors += diagnostics.errors();
        totals.warnings += diagnostics.warnings();
        totals.unreported += diagnostics.unreported();
        diagnostics.iter().for_each(|diagnostic| totals.count(diagnostic));
        let more = unreported(diagnostics);
        let name = diagnostics.last().and_then(|last| Some(last.source()?.name().to_owned()));
        if let Some(more) = &more {
            totals.more.push((name.unwrap_or_default(), more.clone()));
        }
        self.write(|report| {
            diagnostics.iter().try_for_each(|diagnostic| report.item(diagnostic))?;
            match (&mut report.kind, more) {
                (Kind::Text(text), Some(more)) => text.note(&mut report.out.out.0, &more),
                _ => Ok(()),
            }
        })
    }

    #[doc(hidden)]
    /// Counts files, with or without diagnostics.
    pub fn checked(&mut self, files: usize) {
        self.totals.files += files;
    }

    #[doc(hidden)]
    /// Adds a file that was fixed. It is written at the end.
    pub fn fixed(&mut self, file: FixedFile) {
        self.totals.fixed.push(file);
    }

    #[doc(hidden)]
    /// Adds a file that could not be read or written. It is written at the end.
    pub fn failed(&mut self, file: FailedFile) {
        self.totals.failed.push(file);
    }

    #[doc(hidden)]
    /// Adds a file or directory that was skipped. JSON and SARIF contain it.
    pub fn skipped(&mut self, file: SkippedFile) {
        self.totals.skipped.push(file);
    }

    /// The counts so far.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Completes the report and flushes the output. Reports in JSON and SARIF are invalid without this.
    ///
    /// # Errors
    /// If writing fails.
    pub fn finish(&mut self) -> io::Result<()> {
        self.write(|report| {
            let (out, totals) = (&mut report.out, &report.totals);
            match &mut report.kind {
                Kind::Text(text) => text.end(&mut out.out.0, totals),
                Kind::Json => json::end(out, totals),
                Kind::Sarif(results) => sarif::end(out, totals, &report.tool, results),
                Kind::GitHub => github::end(&mut out.out.0, totals),
                Kind::JUnit(cases) => cases.end(&mut out.out.0, totals, &report.tool.name),
            }?;
            out.out.flush()
        })?;
        self.state = State::Closed;
        Ok(())
    }

    #[doc(hidden)]
    /// The output, to write other text after the report.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out.out.0
    }

    /// The output.
    #[doc(hidden)]
    pub fn into_inner(self) -> W {
        self.out.out.0
    }

    fn item(&mut self, diagnostic: &Diagnostic) -> io::Result<()> {
        let out = &mut self.out;
        match &mut self.kind {
            Kind::Text(text) => text.diagnostic(&mut out.out.0, diagnostic),
            Kind::Json => json::diagnostic(out, diagnostic),
            Kind::Sarif(results) => sarif::result(out, results, diagnostic),
            Kind::GitHub => github::diagnostic(&mut out.out.0, diagnostic),
            Kind::JUnit(cases) => {
                cases.add(diagnostic);
                Ok(())
            }
        }
    }

    /// Writes a part of the report. The start of the report is written before the first one.
    fn write(&mut self, part: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
        let start = |report: &mut Self| match &report.kind {
            Kind::Json => json::start(&mut report.out),
            Kind::Sarif(_) => sarif::start(&mut report.out),
            Kind::Text(_) | Kind::GitHub | Kind::JUnit(_) => Ok(()),
        };
        let written = match self.state {
            State::Closed => return Ok(()),
            State::Open => part(self),
            State::New => start(self).and_then(|()| part(self)),
        };
        self.state = if written.is_ok() { State::Open } else { State::Closed };
        written
    }
}

/// Writes a JSON report on several lines.
///
/// ```
/// use hclkit::render;
///
/// let json = render::json(hclkit::parse("port = 'eighty'\n").diagnostics());
/// assert!(json.contains(r#""summary": "Invalid character""#));
/// ```
pub fn json(diagnostics: &Diagnostics) -> String {
    report(Format::Json, diagnostics)
}

/// Writes a SARIF report on several lines.
pub fn sarif(diagnostics: &Diagnostics) -> String {
    report(Format::Sarif, diagnostics)
}

/// Writes annotations for GitHub, one per line.
///
/// ```
/// use hclkit::render;
///
/// let annotations = render::github(hclkit::parse("port = 'eighty'\n").diagnostics());
/// assert!(annotations.starts_with("::error line=1,endLine=1,col=8,"));
/// ```
pub fn github(diagnostics: &Diagnostics) -> String {
    report(Format::GitHub, diagnostics)
}

fn report(format: Format, diagnostics: &Diagnostics) -> String {
    let mut report = ReportWriter::new(format, Vec::new());
    // Writing to memory does not fail.
    let _ = report.diagnostics(diagnostics).and_then(|()| report.finish());
    String::from_utf8_lossy(&report.into_inner()).into_owned()
}
