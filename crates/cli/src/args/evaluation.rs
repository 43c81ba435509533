//! What `hcl eval` and `hcl console` can be told.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as Group, ValueEnum};
use hclkit::functions::Library;

use super::{Definitions, Format, Nesting};

/// Evaluate an expression, the attributes of a file, or a template
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl eval '[for n in range(1, 4) : n * n]'
  hcl eval -f app.hcl --var-file prod.tfvars        every attribute, in the order of the file
  hcl eval -f app.hcl --attr server.web.port --output raw
  hcl eval --template -f nginx.conf.tftpl --var-file site.hcl -o nginx.conf
  hcl eval --template --var 'name=\"world\"' 'Hello, ${name}!'
  hcl eval --partial --var env='\"prod\"' '\"${env}-${region}\"'
  hcl eval --explain -f app.hcl --attr server.web.port

Addresses (--attr) are made of the types and labels of blocks and the name of an attribute, with dots between them; \
where several blocks have the same type and labels, [0] is the first. Behind the attribute, more steps lead into its \
value. The address of a block stands for all attributes in it.

Values go to standard output, and what is wrong to standard error.")]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Eval {
    /// The expression; `-` reads it from standard input
    #[arg(value_name = "EXPR", allow_negative_numbers = true)]
    pub(crate) expression: Option<String>,

    /// Evaluate the attributes of a file, or with --template render it; `-` is standard input
    #[arg(short, long, value_name = "FILE", conflicts_with = "expression")]
    pub(crate) file: Option<PathBuf>,

    /// Of a file, evaluate only what is at this address, such as server.web.port
    #[arg(long, value_name = "PATH")]
    pub(crate) attr: Option<String>,

    /// Read the text or the file as a template, and write what it renders
    #[arg(long, conflicts_with = "attr")]
    pub(crate) template: bool,

    #[command(flatten)]
    pub(crate) scope: Scope,

    /// How to write values [default: hcl; with --template: raw]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) output: Option<Output>,

    /// Write to this file instead of standard output; where anything is wrong it stays as it was
    #[arg(short, long, value_name = "FILE", conflicts_with = "explain")]
    pub(crate) out: Option<PathBuf>,

    /// Write values that are marked as sensitive, too
    #[arg(long)]
    pub(crate) show_sensitive: bool,

    /// Compute what can be computed, and write the rest as source with its references
    #[arg(long)]
    pub(crate) partial: bool,

    /// Show how the value came about: each sub-expression with its source and its value
    #[arg(long, conflicts_with_all = ["partial", "output", "show_sensitive"])]
    pub(crate) explain: bool,

    /// How to report what is wrong
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) nesting: Nesting,
}

/// Evaluate expressions one after the other
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl console --var-file prod.tfvars
  echo 'cidrsubnet(\"10.0.0.0/16\", 8, 2)' | hcl console

In the console, NAME = EXPR sets a variable, :help lists the commands, and a line goes on as long as a bracket or a \
heredoc is open. What was entered is kept in hcl/history in the folder for states ($XDG_STATE_HOME or \
~/.local/state; on Windows %LOCALAPPDATA%), unless --no-history is given.

Where standard input is not a terminal, there is no prompt, results go to standard output and what is wrong to \
standard error. All of the input is evaluated; the exit code is 1 if anything in it was wrong.")]
pub(crate) struct Console {
    #[command(flatten)]
    pub(crate) scope: Scope,

    /// Show values that are marked as sensitive, too
    #[arg(long)]
    pub(crate) show_sensitive: bool,

    /// Neither read nor keep what was entered before
    #[arg(long)]
    pub(crate) no_history: bool,

    #[command(flatten)]
    pub(crate) nesting: Nesting,
}

/// What expressions see, and what evaluation may take.
#[derive(Debug, Group)]
pub(crate) struct Scope {
    #[command(flatten)]
    pub(crate) definitions: Definitions,

    /// Which functions there are
    #[arg(long, value_name = "LIBRARY", default_value = "terraform")]
    pub(crate) functions: FunctionSet,

    /// Let functions such as file and templatefile read files in this folder, and in none outside of it
    #[arg(long, value_name = "DIR")]
    pub(crate) allow_fs: Option<PathBuf>,

    /// Let functions such as Packer's env read environment variables
    #[arg(long)]
    pub(crate) allow_env: bool,

    /// How many sub-expressions may be evaluated, each time counted anew; plain names and constants are free
    #[arg(long, value_name = "N", value_parser = steps)]
    pub(crate) max_steps: Option<u64>,

    /// How long an evaluation may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
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
    /// JSON; of a file in the shape that `hcl convert` has
    Json,
    /// Source of the native syntax; in parentheses what has no source: what is sensitive or not known
    Hcl,
    /// The text of one string, number or bool as it is
    Raw,
    /// JSON objects of `value` and `type`
    Typed,
}

fn steps(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "it is a whole number, such as 100000")
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or("it is a number of seconds, such as 2.5")
}
