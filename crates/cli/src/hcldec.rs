//! The program `hcldec`: decodes configurations with a spec file. It has the flags, JSON diagnostics and exit codes of
//! the reference program of the same name and can replace it. `hcl decode` has more features.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{ArgAction, CommandFactory as _, Parser};
use hclkit::decode::{self, Decoder, PlaceJson, PlainJson, ReferenceJson};
use hclkit::limits::Meter;
use hclkit::model::Body;
use hclkit::render::{self, Renderer, VisibleJson};
use hclkit::syntax::{visible, visible_line};
use hclkit::value::Name;
use hclkit::{Diagnostics, Limits, Source, Value};
use serde::Serialize;

use crate::args::{Spacing, Variables};
use crate::atomic_write;
use crate::host::{self, Host};
use crate::input::Input;
use crate::output;
use crate::workers::on_thread;

/// Decode HCL files with a spec file and write the value as JSON.
#[derive(Debug, Parser)]
#[command(
    name = "hcldec",
    override_usage = "hcldec --spec=<spec-file> [options] [hcl-file ...]",
    args_override_self = true,
    disable_version_flag = true,
    max_term_width = 100
)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
struct Args {
    /// Path to the spec file (required)
    #[arg(short, long, value_name = "FILE")]
    spec: Option<PathBuf>,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Set variables from a JSON object or from an HCL or JSON file; repeatable
    #[arg(short = 'V', long, value_name = "JSON-OR-FILE", action = ArgAction::Append)]
    vars: Vec<OsString>,

    /// The format of diagnostics; only "json" is supported
    #[arg(long, value_name = "FORMAT")]
    diags: Option<String>,

    /// List the variables that the configuration refers to, without decoding it
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false")]
    #[arg(default_missing_value = "true", hide_default_value = true, hide_possible_values = true)]
    var_refs: bool,

    /// Write an object with the value and its type
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false")]
    #[arg(default_missing_value = "true", hide_default_value = true, hide_possible_values = true)]
    with_type: bool,

    /// Write properties that are null, which are omitted by default
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false")]
    #[arg(default_missing_value = "true", hide_default_value = true, hide_possible_values = true)]
    keep_nulls: bool,

    /// Print the version and exit
    #[arg(short, long, action = ArgAction::SetTrue)]
    version: bool,

    /// Print shell completions and exit
    #[arg(long, value_name = "SHELL")]
    completions: Option<clap_complete::Shell>,

    /// Files to decode; names that end in .json are read in the JSON syntax [default: standard input]
    #[arg(value_name = "HCL-FILE")]
    files: Vec<PathBuf>,
}

/// The command line, for its manual page.
pub(crate) fn command() -> clap::Command {
    Args::command()
}

/// Why decoding failed.
enum DecodeFailure {
    /// The input has errors or could not be read.
    Findings(Vec<Finding>),
    /// Something else failed.
    Failure(String),
    /// The output cannot be written.
    Unwritable(String),
}

/// An error, or a file that could not be read.
enum Finding {
    Diagnostics(Diagnostics),
    Unreadable { name: String, why: String },
}

const UNREADABLE: &str = "Failed to read file";

/// Runs `hcldec` with a command line that starts with the name of the program. Relative paths are resolved from the
/// working directory of the process. Returns the exit code.
pub fn hcldec(line: Vec<OsString>, host: &Host) -> u8 {
    host.enter();
    let args = match Args::try_parse_from(line) {
        Ok(args) => args,
        Err(error) => {
            let error = output::on_one_line(error);
            let help = error.kind() == clap::error::ErrorKind::DisplayHelp;
            let text = if help { Args::command().render_help() } else { error.render() };
            let plain = text.to_string();
            let mut errors = host::styled_stderr();
            // Errors of standard error cannot be reported.
            let _ = match visible(&plain) {
                shown if shown == plain => write!(errors, "{}", text.ansi()),
                shown => write!(errors, "{shown}"),
            };
            return 2;
        }
    };
    if let Some(out) = &args.out {
        host.set_output(out);
    }
    let as_json = match args.diags.as_deref() {
        None | Some("") => false,
        Some("json") => true,
        Some(other) => {
            let other = visible_line(other);
            say(&format!("Unsupported diagnostics format \"{other}\": only \"json\" is supported."));
            return 2;
        }
    };
    let outcome = if args.version {
        write_text(concat!(env!("CARGO_PKG_VERSION"), "\n").as_bytes())
    } else if let Some(shell) = args.completions {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Args::command(), "hcldec", &mut script);
        write_text(&script)
    } else {
        let work = move || run(&args);
        match on_thread(host, &Limits::new(), work) {
            Ok(outcome) => outcome,
            Err(failure) => Err(DecodeFailure::Failure(failure.to_string())),
        }
    };
    match outcome {
        Ok(()) => 0,
        Err(DecodeFailure::Failure(message)) => {
            say(&format!("Error: {}\n", visible_line(&message)));
            1
        }
        Err(DecodeFailure::Unwritable(message)) => {
            say(&format!("Error: {}\n", visible_line(&message)));
            2
        }
        Err(DecodeFailure::Findings(findings)) => {
            // Errors of standard error cannot be reported.
            let _ = if as_json { write_diagnostics_json(&findings) } else { write_diagnostics(&findings) };
            2
        }
    }
}

/// Prints a line on standard error.
fn say(line: &str) {
    // Errors of standard error cannot be reported.
    let _ = writeln!(host::stderr(), "{}", visible(line));
}

fn write_text(text: &[u8]) -> Result<(), DecodeFailure> {
    let mut out = host::stdout();
    out.write_all(text).and_then(|()| out.flush()).map_err(|error| cannot_write(&error))
}

fn run(args: &Args) -> Result<(), DecodeFailure> {
    let Some(spec) = &args.spec else {
        return Err(DecodeFailure::Failure("a spec file is required; use --spec=FILE".to_owned()));
    };
    let decoder = Decoder::new(read(&Input::File(spec.clone()))?)?;
    let variables = collect(args.vars.iter().enumerate().map(|(at, given)| variables_of(given, at)));
    let (variables, body) = both(variables, configuration(args))?;
    let decoder = decoder.with_variables(variables.into_iter().flatten());
    if args.var_refs {
        let found = decoder.references(&body);
        let found: Vec<ReferenceJson<'_>> = found.iter().map(ReferenceJson).collect();
        return write_references(&found).map_err(|error| cannot_write(&error));
    }
    let value = decoder.decode(&body)?;
    let written = write_value(args, &value);
    if Host::current().owns_process() {
        // The process ends here, so the values do not need to be dropped.
        std::mem::forget((value, body));
    }
    written
}

/// Parses all files into one body.
fn configuration(args: &Args) -> Result<Body, DecodeFailure> {
    if args.files.is_empty() {
        let source = Input::Stdin.text();
        let source =
            source.map_err(|error| DecodeFailure::Failure(format!("cannot read standard input: {error}")))?;
        return Ok(decode::read([source])?);
    }
    let bodies = args.files.iter().map(|path| Ok(decode::read([read(&Input::File(path.clone()))?])?));
    Ok(Body::merge(collect(bodies)?))
}

/// The variables from an argument: a JSON object or a file.
fn variables_of(given: &OsStr, at: usize) -> Result<Vec<(Name, Value)>, DecodeFailure> {
    let variables = Variables::of(given, |path| Input::File(path.to_owned()));
    let source = match &variables {
        Variables::File(input) => read(input)?,
        Variables::Json(text) => Source::new(format!("<vars argument {at}>"), text.as_str()),
    };
    Ok(variables.read(source)?)
}

fn read(input: &Input) -> Result<Source, DecodeFailure> {
    let unreadable = |why: io::Error| Finding::Unreadable { name: input.name(), why: why.to_string() };
    input.text().map_err(|why| DecodeFailure::Findings(vec![unreadable(why)]))
}

/// All values, or all findings.
fn collect<T>(results: impl Iterator<Item = Result<T, DecodeFailure>>) -> Result<Vec<T>, DecodeFailure> {
    let (mut values, mut findings) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(value) => values.push(value),
            Err(DecodeFailure::Findings(found)) => findings.extend(found),
            Err(failure) => return Err(failure),
        }
    }
    if findings.is_empty() { Ok(values) } else { Err(DecodeFailure::Findings(findings)) }
}

/// Both values, or the findings of both.
fn both<A, B>(
    one: Result<A, DecodeFailure>,
    other: Result<B, DecodeFailure>,
) -> Result<(A, B), DecodeFailure> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (Err(DecodeFailure::Findings(mut found)), Err(DecodeFailure::Findings(more))) => {
            found.extend(more);
            Err(DecodeFailure::Findings(found))
        }
        (Ok(_) | Err(DecodeFailure::Findings(_)), Err(halt)) | (Err(halt), _) => Err(halt),
    }
}

fn write_value(args: &Args, value: &Value) -> Result<(), DecodeFailure> {
    let size = usize::try_from(value.text_size()).unwrap_or(usize::MAX);
    Meter::current().room_for_bytes(size).map_err(|exceeded| DecodeFailure::Failure(exceeded.to_string()))?;
    let Some(path) = &args.out else {
        return write_json(args, value, io::BufWriter::with_capacity(64 << 10, host::stdout()));
    };
    let mut text = Vec::new();
    write_json(args, value, &mut text)?;
    // The reference exits with 1 if the directory does not exist.
    atomic_write::write(path, &text).map_err(|failure| DecodeFailure::Failure(failure.to_string()))
}

fn write_json(args: &Args, value: &Value, mut out: impl Write) -> Result<(), DecodeFailure> {
    let mut plain = PlainJson::new(value);
    if !args.keep_nulls {
        plain = plain.without_nulls();
    }
    if args.with_type {
        plain = plain.with_type();
    }
    output::write_json(&plain, Spacing { compact: true }, &mut out).map_err(|error| {
        if error.is_io() { cannot_write(&error.into()) } else { DecodeFailure::Failure(error.to_string()) }
    })?;
    out.flush().map_err(|error| cannot_write(&error))
}

fn write_references(found: &[ReferenceJson<'_>]) -> io::Result<()> {
    let mut out = io::BufWriter::new(host::stdout());
    output::write_json(found, Spacing::default(), &mut out)?;
    out.flush()
}

fn cannot_write(error: &io::Error) -> DecodeFailure {
    DecodeFailure::Unwritable(format!("cannot write: {error}"))
}

impl From<Diagnostics> for DecodeFailure {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Findings(vec![Finding::Diagnostics(diagnostics)])
    }
}

/// Writes human-readable diagnostics.
fn write_diagnostics(findings: &[Finding]) -> io::Result<()> {
    let mut out = host::styled_stderr();
    for finding in findings {
        match finding {
            Finding::Diagnostics(mistakes) => {
                writeln!(out, "{}\n", Renderer::colored().diagnostics(mistakes))?;
            }
            Finding::Unreadable { name, why } => {
                writeln!(out, "Error: {UNREADABLE}: {}\n", visible_line(&format!("{name}: {why}")))?;
            }
        }
    }
    out.flush()
}

/// Writes diagnostics as JSON in the format of the reference.
fn write_diagnostics_json(findings: &[Finding]) -> io::Result<()> {
    #[derive(Serialize)]
    struct Report<'f> {
        diagnostics: Vec<DiagnosticJson<'f>>,
    }

    #[derive(Serialize)]
    struct DiagnosticJson<'f> {
        severity: &'static str,
        summary: &'f str,
        detail: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        subject: Option<PlaceJson<'f>>,
    }

    let mut diagnostics = Vec::new();
    for finding in findings {
        match finding {
            Finding::Diagnostics(mistakes) => {
                diagnostics.extend(mistakes.iter().map(|mistake| DiagnosticJson {
                    severity: mistake.severity().as_str(),
                    summary: mistake.summary(),
                    detail: mistake.note().to_string(),
                    subject: mistake.source().map(|source| PlaceJson::new(source, mistake.span())),
                }));
                diagnostics.extend(render::unreported(mistakes).map(|detail| DiagnosticJson {
                    severity: "error",
                    summary: "Too many errors",
                    detail,
                    subject: None,
                }));
            }
            Finding::Unreadable { name, why } => diagnostics.push(DiagnosticJson {
                severity: "error",
                summary: UNREADABLE,
                detail: format!("{name}: {why}"),
                subject: None,
            }),
        }
    }
    let mut out = host::stderr();
    serde_json::to_writer_pretty(VisibleJson(&mut out), &Report { diagnostics })?;
    writeln!(out)
}
