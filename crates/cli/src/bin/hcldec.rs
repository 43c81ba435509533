//! The program `hcldec`: decodes configurations by a spec file, with the flags, the JSON diagnostics and the exit codes of
//! the reference's program of that name, so that what calls that one can call this one. `hcl decode` can do more.

use std::ffi::OsString;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{ArgAction, CommandFactory as _, Parser};
use hclkit::decode::{self, Decoder, PlaceJson, PlainJson, ReferenceJson};
use hclkit::model::Body;
use hclkit::render::{self, Renderer, VisibleJson};
use hclkit::syntax::{visible, visible_line};
use hclkit::value::Name;
use hclkit::{Diagnostics, Limits, Source, Syntax, Value, variables};
use serde::Serialize;

/// Decode HCL by a spec file, and write the value as JSON.
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

    /// Write to this file, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Variables for the configuration: an object in JSON, or a file in HCL or JSON; repeatable
    #[arg(short = 'V', long, value_name = "JSON-OR-FILE", action = ArgAction::Append)]
    vars: Vec<OsString>,

    /// The format of diagnostics; only "json" is accepted
    #[arg(long, value_name = "FORMAT")]
    diags: Option<String>,

    /// Write which variables the configuration refers to, instead of its value
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false")]
    #[arg(default_missing_value = "true", hide_default_value = true, hide_possible_values = true)]
    var_refs: bool,

    /// Write an object of the value and its type
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false")]
    #[arg(default_missing_value = "true", hide_default_value = true, hide_possible_values = true)]
    with_type: bool,

    /// Keep properties that are null, which are left out otherwise
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false")]
    #[arg(default_missing_value = "true", hide_default_value = true, hide_possible_values = true)]
    keep_nulls: bool,

    /// Write the version and exit
    #[arg(short, long, action = ArgAction::SetTrue)]
    version: bool,

    /// Print completions for a shell and exit
    #[arg(long, value_name = "SHELL")]
    completions: Option<clap_complete::Shell>,

    /// Files; those whose names end in .json are in the JSON syntax [default: standard input]
    #[arg(value_name = "HCL-FILE")]
    files: Vec<PathBuf>,
}

/// Why there is no value.
enum Halt {
    /// What was read has mistakes, or cannot be read.
    Diagnostics(Vec<Finding>),
    /// Something else failed.
    Failure(String),
}

/// A mistake, or a file that cannot be read.
enum Finding {
    Mistakes(Diagnostics),
    Unreadable { name: String, why: String },
}

const UNREADABLE: &str = "Failed to read file";

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let help = error.kind() == clap::error::ErrorKind::DisplayHelp;
            let text = if help { Args::command().render_help() } else { error.render() };
            let plain = text.to_string();
            // Nobody is left to be told where standard error is gone.
            let _ = match visible(&plain) {
                shown if shown == plain => write!(anstream::stderr(), "{}", text.ansi()),
                shown => write!(io::stderr(), "{shown}"),
            };
            return ExitCode::from(2);
        }
    };
    if args.version {
        return match writeln!(io::stdout(), "{}", env!("CARGO_PKG_VERSION")) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("Error: cannot write: {error}\n");
                ExitCode::from(1)
            }
        };
    }
    if let Some(shell) = args.completions {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Args::command(), "hcldec", &mut script);
        return match io::stdout().lock().write_all(&script) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(1),
        };
    }
    let as_json = match args.diags.as_deref() {
        None | Some("") => false,
        Some("json") => true,
        Some(other) => {
            let other = visible_line(other);
            eprintln!("There is no format \"{other}\" of diagnostics: only \"json\" is supported.");
            return ExitCode::from(2);
        }
    };
    // What walks a body may use as much stack as it is deep.
    let stack = (8 << 20) + Limits::NESTING as usize * (16 << 10);
    let worker = std::thread::Builder::new().stack_size(stack).spawn(move || run(&args));
    let outcome = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => Err(Halt::Failure("internal error".to_owned())),
        Err(error) => Err(Halt::Failure(format!("cannot start a thread: {error}"))),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Halt::Failure(message)) => {
            eprintln!("Error: {}\n", visible_line(&message));
            ExitCode::from(1)
        }
        Err(Halt::Diagnostics(findings)) => {
            // Nobody is left to be told where standard error is gone.
            let _ = if as_json { write_json(&findings) } else { write_text(&findings) };
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<(), Halt> {
    let Some(spec) = &args.spec else {
        return Err(Halt::Failure("a spec file is required: --spec=FILE".to_owned()));
    };
    let mut problems = Vec::new();
    let decoder = Decoder::new(read(spec)?)?;
    let mut variables = Vec::new();
    for (at, given) in args.vars.iter().enumerate() {
        match variables_of(given, at) {
            Ok(found) => variables.extend(found),
            Err(Halt::Diagnostics(found)) => problems.extend(found),
            Err(failure) => return Err(failure),
        }
    }
    let body = match configuration(args) {
        Ok(body) if problems.is_empty() => body,
        Ok(_) => return Err(Halt::Diagnostics(problems)),
        Err(Halt::Diagnostics(found)) => {
            problems.extend(found);
            return Err(Halt::Diagnostics(problems));
        }
        Err(failure) => return Err(failure),
    };
    let decoder = decoder.with_variables(variables);
    if args.var_refs {
        let found = decoder.references(&body);
        let found: Vec<ReferenceJson<'_>> = found.iter().map(ReferenceJson).collect();
        return write_references(&found).map_err(|error| cannot_write(&error));
    }
    let value = decoder.decode(&body)?;
    let file = match &args.out {
        Some(path) => Some(std::fs::File::create(path).map_err(|error| {
            Halt::Failure(format!("cannot open {} for writing: {error}", path.display()))
        })?),
        None => None,
    };
    let written = write_value(args, &value, file);
    // The process ends here: taking all of it apart piece by piece would be lost time.
    std::mem::forget((value, body));
    written
}

/// All files as one body.
fn configuration(args: &Args) -> Result<Body, Halt> {
    if args.files.is_empty() {
        let text = all(io::stdin().lock())
            .map_err(|error| Halt::Failure(format!("cannot read standard input: {error}")))?;
        return Ok(decode::read([Source::new("<stdin>", text)])?);
    }
    let (mut bodies, mut problems) = (Vec::new(), Vec::new());
    for path in &args.files {
        match read(path).and_then(|source| Ok(decode::read([source])?)) {
            Ok(body) => bodies.push(body),
            Err(Halt::Diagnostics(found)) => problems.extend(found),
            Err(failure) => return Err(failure),
        }
    }
    if problems.is_empty() { Ok(Body::merge(bodies)) } else { Err(Halt::Diagnostics(problems)) }
}

/// The variables that an argument gives: the text of an object in JSON, or a file.
fn variables_of(given: &OsString, at: usize) -> Result<Vec<(Name, Value)>, Halt> {
    let text = given.to_string_lossy();
    if text.trim_start().starts_with('{') {
        let source = Source::new(format!("<vars argument {at}>"), text.as_bytes());
        return Ok(variables::read(source, Syntax::Json)?);
    }
    let path = Path::new(given);
    Ok(variables::read(read(path)?, Syntax::of(path))?)
}

fn read(path: &Path) -> Result<Source, Halt> {
    let name = path.display().to_string();
    match std::fs::File::open(path).and_then(all) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(why) => Err(Halt::Diagnostics(vec![Finding::Unreadable { name, why: why.to_string() }])),
    }
}

/// All that can be read, if it is not too large.
fn all(from: impl io::Read) -> io::Result<Vec<u8>> {
    const MOST: u64 = 256 << 20;
    let mut text = Vec::new();
    from.take(MOST + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MOST {
        return Err(io::Error::other("it is larger than 256 MiB"));
    }
    Ok(text)
}

fn write_value(args: &Args, value: &Value, file: Option<std::fs::File>) -> Result<(), Halt> {
    let mut out: io::BufWriter<Box<dyn Write>> = io::BufWriter::with_capacity(
        64 << 10,
        match file {
            Some(file) => Box::new(file),
            None => Box::new(io::stdout().lock()),
        },
    );
    let mut plain = PlainJson::new(value);
    if !args.keep_nulls {
        plain = plain.without_nulls();
    }
    let written = if args.with_type {
        let ty = value.ty().to_json().map_err(|error| Halt::Failure(error.to_string()))?;
        let typed = write!(out, "{{\"value\":").map_err(serde_json::Error::io);
        let typed = typed.and_then(|()| serde_json::to_writer(VisibleJson(&mut out), &plain));
        typed.and_then(|()| write!(VisibleJson(&mut out), ",\"type\":{ty}}}").map_err(serde_json::Error::io))
    } else {
        serde_json::to_writer(VisibleJson(&mut out), &plain)
    };
    written.map_err(|error| Halt::Failure(error.to_string()))?;
    let ended = writeln!(out).and_then(|()| out.flush());
    ended.map_err(|error| cannot_write(&error))
}

fn write_references(found: &[ReferenceJson<'_>]) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    serde_json::to_writer_pretty(VisibleJson(&mut out), found)?;
    writeln!(out)?;
    out.flush()
}

fn cannot_write(error: &io::Error) -> Halt {
    Halt::Failure(format!("cannot write: {error}"))
}

impl From<Diagnostics> for Halt {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Diagnostics(vec![Finding::Mistakes(diagnostics)])
    }
}

/// Diagnostics for people.
fn write_text(findings: &[Finding]) -> io::Result<()> {
    let mut out = anstream::stderr().lock();
    for finding in findings {
        match finding {
            Finding::Mistakes(mistakes) => {
                writeln!(out, "{}\n", Renderer::coloured().diagnostics(mistakes))?;
            }
            Finding::Unreadable { name, why } => {
                writeln!(out, "Error: {UNREADABLE}: {}\n", visible_line(&format!("{name}: {why}")))?;
            }
        }
    }
    out.flush()
}

/// Diagnostics as the JSON that readers of the reference's know.
fn write_json(findings: &[Finding]) -> io::Result<()> {
    #[derive(Serialize)]
    struct Report<'f> {
        diagnostics: Vec<Told<'f>>,
    }

    #[derive(Serialize)]
    struct Told<'f> {
        severity: &'static str,
        summary: &'static str,
        detail: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        subject: Option<PlaceJson<'f>>,
    }

    let mut diagnostics = Vec::new();
    for finding in findings {
        match finding {
            Finding::Mistakes(mistakes) => {
                diagnostics.extend(mistakes.iter().map(|mistake| Told {
                    severity: mistake.severity.as_str(),
                    summary: mistake.summary(),
                    detail: mistake.detail.to_string(),
                    subject: mistake.source.as_deref().map(|source| PlaceJson::new(source, mistake.subject)),
                }));
                diagnostics.extend(render::unreported(mistakes).map(|detail| Told {
                    severity: "error",
                    summary: "Too many errors",
                    detail,
                    subject: None,
                }));
            }
            Finding::Unreadable { name, why } => diagnostics.push(Told {
                severity: "error",
                summary: UNREADABLE,
                detail: format!("{name}: {why}"),
                subject: None,
            }),
        }
    }
    let mut out = io::stderr().lock();
    serde_json::to_writer_pretty(VisibleJson(&mut out), &Report { diagnostics })?;
    writeln!(out)
}
