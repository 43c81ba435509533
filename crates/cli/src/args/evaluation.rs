//! The options of `hcl eval` and `hcl console`, and those that every command that evaluates has.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as Group, ValueEnum};
use hclkit::Limits;
use hclkit::functions::Library;

use super::{Definitions, Format, Nesting};

/// Evaluate an expression, the attributes of a file, or a template
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl eval '[for n in range(1, 4) : n * n]'
  hcl eval -f app.hcl --vars prod.tfvars            every attribute, in the order of the file
  hcl eval -f app.hcl --attr server.web.port --output raw
  hcl eval --template -f nginx.conf.tftpl --vars site.hcl -o nginx.conf
  hcl eval --template --var 'name=\"world\"' 'Hello, ${name}!'
  hcl eval --partial --var env='\"prod\"' '\"${env}-${region}\"'
  hcl eval --explain -f app.hcl --attr server.web.port
  hcl eval '-7 % 3'                                 an expression can begin with a dash
  hcl eval -- '-f(x)'                               after --, nothing is an option

An address (--attr) is the types and labels of blocks and the name of an attribute, separated by dots. If several \
blocks have the same type and labels, [0] is the first; without a number, the only block that has the rest is meant. \
Further steps after the attribute lead into its value. The \
address of a block selects all attributes in it.

Values are written to standard output, and errors to standard error.")]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Eval {
    /// The expression; `-` reads it from standard input
    #[arg(value_name = "EXPR", allow_negative_numbers = true)]
    pub(crate) expression: Option<String>,

    /// Evaluate the attributes of this file, or render it with --template; `-` is standard input
    #[arg(short, long, value_name = "FILE", conflicts_with = "expression")]
    pub(crate) file: Option<PathBuf>,

    /// Evaluate only the attribute or block at this address, such as server.web.port
    #[arg(long, value_name = "PATH")]
    pub(crate) attr: Option<String>,

    /// Read the text or the file as a template, and write the rendered text
    #[arg(long, conflicts_with = "attr")]
    pub(crate) template: bool,

    #[command(flatten)]
    pub(crate) scope: Scope,

    /// How to write values [default: hcl; with --template: raw]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) output: Option<Output>,

    /// Write to this file instead of standard output; after errors the file stays as it was
    #[arg(short, long, value_name = "FILE", conflicts_with = "explain")]
    pub(crate) out: Option<PathBuf>,

    /// Write sensitive values instead of refusing to
    #[arg(long)]
    pub(crate) show_sensitive: bool,

    /// Compute what can be computed, and write the rest as source with its references
    #[arg(long)]
    pub(crate) partial: bool,

    /// With --partial, also call functions that are random or ask the clock, such as uuid and timestamp
    #[arg(long, requires = "partial")]
    pub(crate) impure: bool,

    /// Show how the value is computed: each sub-expression with its source and its value
    #[arg(long, conflicts_with_all = ["partial", "output", "show_sensitive"])]
    pub(crate) explain: bool,

    #[command(flatten)]
    pub(crate) spacing: Spacing,

    /// How to report errors
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) nesting: Nesting,
}

/// Evaluate expressions interactively
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl console --vars prod.tfvars
  echo 'cidrsubnet(\"10.0.0.0/16\", 8, 2)' | hcl console

In the console, NAME = EXPR sets a variable, and :help lists the commands. A line continues as long as a bracket or a \
heredoc is open. The history is kept in hcl/history in $XDG_STATE_HOME or ~/.local/state (%LOCALAPPDATA% on Windows) \
unless --no-history is given.

If standard input is not a terminal, there is no prompt: results are written to standard output and errors to standard \
error. All of the input is evaluated, and the exit code is 1 if there were errors.")]
pub(crate) struct Console {
    #[command(flatten)]
    pub(crate) scope: Scope,

    /// Show sensitive values
    #[arg(long)]
    pub(crate) show_sensitive: bool,

    #[command(flatten)]
    pub(crate) spacing: Spacing,

    /// Do not read or write the history
    #[arg(long)]
    pub(crate) no_history: bool,

    #[command(flatten)]
    pub(crate) nesting: Nesting,
}

/// What expressions see, and the limits of evaluation: the same options in every command that evaluates.
#[derive(Debug, Group)]
pub(crate) struct Scope {
    #[command(flatten)]
    pub(crate) definitions: Definitions,

    /// Treat variables that are not set as unknown instead of as errors
    #[arg(long)]
    pub(crate) unknown_vars: bool,

    /// Which functions expressions can call
    #[arg(long, value_name = "LIBRARY", default_value = "terraform")]
    pub(crate) functions: FunctionSet,

    /// Let functions such as file and templatefile read the files in this folder; repeatable
    ///
    /// Functions cannot read files outside of these folders. Relative paths start in the current directory, whichever
    /// folders are allowed.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(crate) allow_fs: Vec<PathBuf>,

    /// Let functions such as Packer's env read environment variables
    #[arg(long)]
    pub(crate) allow_env: bool,

    /// Stop an evaluation after this many sub-expressions; names and constants do not count
    #[arg(long, value_name = "N", default_value_t = Limits::STEPS, value_parser = count)]
    pub(crate) max_steps: u64,

    /// Stop an evaluation that makes or visits more elements of collections than this
    #[arg(long, value_name = "N", default_value_t = Limits::ELEMENTS, value_parser = count)]
    pub(crate) max_elements: u64,

    /// Stop an evaluation that makes more bytes of text than this, and write no more either
    #[arg(long, value_name = "BYTES", default_value_t = Limits::BYTES, value_parser = count)]
    pub(crate) max_bytes: u64,

    /// Stop an evaluation after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
}

/// How values and reports are laid out: the same option in every command that writes any.
#[derive(Debug, Clone, Copy, Default, Group)]
pub(crate) struct Spacing {
    /// Write each value, and each report in JSON, on one line
    #[arg(long)]
    pub(crate) compact: bool,
}

/// A library of functions, by the name of what has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FunctionSet {
    /// None at all
    None,
    /// The 15 of the spec language
    Spec,
    /// The standard library of cty, try, can and convert
    Cty,
    /// Those of Terraform 1.11
    Terraform,
    /// Those of Packer
    Packer,
}

impl FunctionSet {
    pub(crate) fn library(self) -> Library {
        match self {
            Self::None => Library::None,
            Self::Spec => Library::Spec,
            Self::Cty => Library::Cty,
            Self::Terraform => Library::Terraform,
            Self::Packer => Library::Packer,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// JSON; a file has the shape that `hcl convert` writes
    Json,
    /// Source in the native syntax, with sensitive and unknown values in parentheses
    Hcl,
    /// The text of one string, number or bool, byte for byte
    Raw,
    /// JSON objects of `value` and `type`
    Typed,
}

fn count(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "expected a whole number, such as 100000")
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or("expected a number of seconds, such as 2.5")
}
