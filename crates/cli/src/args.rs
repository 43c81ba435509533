//! The command line: commands, options and their help. The options of evaluation and of decoding are in `args/`.

mod decoding;
mod definitions;
mod evaluation;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args as Group, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use hclkit::{Code, Limits};

use crate::output::{self, Failure, Outcome};
use crate::report::Machine;
pub(crate) use decoding::{Decode, DecodeOutput, Language, Schema, SchemaFormat};
pub(crate) use definitions::{Definition, Definitions, check_name};
pub(crate) use evaluation::{Console, Eval, FunctionSet, Output, Scope, Spacing};

/// Check, evaluate, convert and inspect HCL 2 files: Terraform, Packer, Nomad and every other language built on HCL.
#[derive(Debug, Parser)]
#[command(name = "hcl", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 success, 1 problems found, 2 wrong usage or unreadable input.")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours; `auto` respects `NO_COLOR`
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto", display_order = 900)]
    pub(crate) color: Color,

    /// How large a file may be that is read, in bytes or with KiB, MiB or GiB
    #[arg(long, value_name = "SIZE", global = true, default_value = "256MiB", value_parser = size, display_order = 901)]
    pub(crate) max_size: u64,
}

/// A number of bytes, such as `65536` or `64KiB`.
fn size(text: &str) -> Result<u64, String> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("", 1)];
    let sizes = units.iter().filter_map(|(unit, bytes)| {
        text.strip_suffix(unit)?.trim_end().parse::<u64>().ok()?.checked_mul(*bytes)
    });
    sizes.into_iter().next().ok_or_else(|| "expected a number of bytes, such as 65536 or 64KiB".to_owned())
}

/// Reads the command line. What is wrong with it ends the program.
pub(crate) fn read() -> Args {
    parse(std::env::args_os().collect()).unwrap_or_else(|error| output::end(&error))
}

fn parse(line: Vec<OsString>) -> Result<Args, clap::Error> {
    let is_eval = line.get(1).is_some_and(|command| command == "eval");
    let mut error = match Args::try_parse_from(&line) {
        Err(error) if is_eval && error.kind() == ErrorKind::UnknownArgument => error,
        other => return other,
    };
    let unknown = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument)) => argument.clone(),
        _ => return Err(error),
    };
    if !unknown.starts_with('-') {
        // The parts of an expression that is not in quotes.
        let tip = "an expression is one argument: put it in quotes, such as hcl eval 'a + b'";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        return Err(error);
    }
    if unknown.starts_with("--") {
        return Err(error);
    }
    // No option: an expression such as `-7 % 3`. Options that are misspelt are found only while it cannot begin with a
    // dash.
    let command = Args::command().mut_subcommand("eval", |eval| {
        eval.mut_arg("expression", |expression| expression.allow_hyphen_values(true))
    });
    command.try_get_matches_from(line).and_then(|matches| Args::from_arg_matches(&matches)).map_err(|_| error)
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes it the choice for all output.
    pub(crate) fn write_global(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Decode(Decode),
    Schema(Schema),
    Check(Check),
    Convert(Convert),
    Eval(Eval),
    Console(Console),
    Dump(Dump),
    Explain(Explain),
    Completions(Completions),
}

/// Find mistakes in files, and fix those with an obvious fix
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl check                          all HCL files below the current directory
  hcl check main.tf modules/         a file, and all files below a directory
  hcl check --exclude '*.tfvars' .   leave some files out
  hcl check --fix                    fix what can be fixed, report the rest
  hcl check --diff | patch -p0       the same in two steps
  cat main.tf | hcl check --fix -    the same from standard input to standard output
  hcl check --format sarif > hcl.sarif
  hcl check --spec service.hcldec --dynamic --unknown-vars services/

In directories, files named *.tf, *.tofu, *.tfvars, *.tfbackend, *.hcl and *.nomad are checked, and the same with .json \
appended, which are in the JSON syntax. Files that .gitignore lists and hidden directories are skipped. With --spec, \
files of variables (*.tfvars, *.pkrvars.hcl) are skipped, too: they are no configurations.

A GLOB is written as in .gitignore: without a slash it matches names at any depth; with one it is relative to the \
directory that is searched or to the current directory, or an absolute path.

Without --spec, only the syntax is checked. With --spec, each file is also decoded as by `hcl decode` (with --merge, \
the files of each directory together), and --fix corrects misspelt names of arguments and blocks, too.

A fix leaves fewer errors, and none that was not there before. The exit code of --fix is 0 if no errors are left, and 1 \
if some are. --diff and --dry-run report the files as they are, so that the exit code is that of `hcl check` alone: 1 \
if there are errors, with fixes or without.")]
#[command(mut_arg("functions", |functions| functions.default_value("none")))]
#[command(mut_args(only_with_spec))]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Check {
    /// Files and directories; `-` is standard input [default: the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// In directories, check the files that match instead of those with the usual extensions; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// In directories, skip files and directories that match; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    /// In directories, check files that .gitignore lists, too
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// In directories, search hidden directories, too
    #[arg(long)]
    pub(crate) hidden: bool,

    /// In directories, read files outside of them that links lead to, too
    #[arg(long)]
    pub(crate) follow: bool,

    /// How to report
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) spacing: Spacing,

    /// Apply the suggested fixes, list them, and report the errors that are left
    #[arg(long)]
    pub(crate) fix: bool,

    /// Show the fixes as a unified diff on standard output, and write nothing
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) diff: bool,

    /// List the fixes, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Check configurations by this spec file, too
    #[arg(short, long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) language: Language,

    /// Check the files of each directory as one configuration instead of each on its own
    #[arg(long)]
    pub(crate) merge: bool,

    #[command(flatten)]
    pub(crate) nesting: Nesting,
}

/// Options of evaluation mean nothing to `hcl check` unless there is a spec file.
fn only_with_spec(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "var" | "vars" | "unknown_vars" | "functions" | "allow_fs" | "allow_env" | "max_steps"
        | "max_elements" | "max_bytes" | "timeout" | "dynamic" | "merge" => arg.requires("spec"),
        _ => arg,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Excerpts of the source, for people
    Human,
    /// One JSON document
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands, for annotations on GitHub
    Github,
}

impl Format {
    /// The format, if it is not for people.
    pub(crate) fn machine(self) -> Option<Machine> {
        match self {
            Self::Human => None,
            Self::Json => Some(Machine::Json),
            Self::Sarif => Some(Machine::Sarif),
            Self::Github => Some(Machine::Github),
        }
    }
}

/// Convert native syntax to JSON syntax of the same meaning
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl convert main.tf
  hcl convert -o main.tf.json main.tf
  cat main.tf | hcl convert --profile terraform -
  hcl convert --merge --compact *.tf | jq '.resource | keys'

An attribute becomes a property. A block becomes a property named after its type, with an object for each label and an \
array of bodies. Blocks of the same type and labels share an array, in order. Literals become JSON literals, templates \
become strings, and other expressions become \"${…}\" with their source text.

With --static NAME, attributes of that name keep their bare text: `type = list(string)` becomes \"list(string)\". \
BLOCK.NAME selects only those directly in blocks of that type, and BLOCK.* all attributes there. --profile adds the \
ones of an application. Without it, the name of each file decides: *.tf, *.tofu and *.tfvars are Terraform's, *.pkr.hcl \
and *.pkrvars.hcl Packer's, *.nomad and *.nomad.hcl Nomad's, docker-bake.hcl and docker-bake.override.hcl Docker Bake's.")]
pub(crate) struct Convert {
    /// Files; `-` is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Whether bodies of blocks are always in arrays
    #[arg(long, value_name = "SHAPE", default_value = "arrays")]
    pub(crate) shape: Shape,

    /// Attributes that the application reads without evaluating them; they keep their bare text
    #[arg(long = "static", value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) statics: Vec<String>,

    /// Block types whose order matters across labels: an array of objects keeps the order where objects for the labels
    /// would change it. Nested blocks, such as provisioners, always keep their order
    #[arg(long, value_name = "TYPE,…", value_delimiter = ',')]
    pub(crate) ordered: Vec<String>,

    /// The application that reads the JSON, for its static attributes [default: by the name of each file]
    #[arg(long, value_name = "APPLICATION")]
    pub(crate) profile: Option<Profile>,

    /// Convert several files as one configuration instead of as one object with a property for each file
    #[arg(long)]
    pub(crate) merge: bool,

    #[command(flatten)]
    pub(crate) spacing: Spacing,

    #[command(flatten)]
    pub(crate) nesting: Nesting,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Shape {
    /// Always, so that the shape is predictable
    Arrays,
    /// Only if there are several
    Compact,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    Terraform,
    Packer,
    Nomad,
    DockerBake,
    /// No application, whatever the name of the file
    None,
}

/// Show the tokens or the syntax tree of a file
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl dump tokens main.tf
  hcl dump tree main.tf
  echo '1 + 2 * x' | hcl dump tree --as expression -
  hcl dump tokens --format json main.tf | jq -r '.[].kind' | sort | uniq -c")]
pub(crate) struct Dump {
    /// What to show
    pub(crate) what: What,

    /// The file; `-` is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// What to read the file as
    #[arg(long = "as", value_name = "ENTRY", default_value = "config")]
    pub(crate) entry: Entry,

    /// How to show it
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: DumpFormat,

    #[command(flatten)]
    pub(crate) nesting: Nesting,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// Including comments and newlines
    Tokens,
    /// A node for each production of the grammar, indented under its parent
    Tree,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Entry {
    /// Attributes and blocks
    Config,
    /// An expression, as in parentheses: line breaks do not matter
    Expression,
    /// Text with `${ … }` and `%{ … }`
    Template,
    /// A variable's name, then attributes and constant indices
    Traversal,
    /// The same, and `[*]`
    PartialTraversal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DumpFormat {
    /// A line for each token or node
    Human,
    /// A JSON array
    Json,
}

/// Explain the code of a mistake
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl explain unclosed-block
  hcl explain                        lists all codes")]
pub(crate) struct Explain {
    /// The code, as in error[unclosed-block]
    #[arg(value_parser = AnyCode, hide_possible_values = true)]
    pub(crate) code: Option<String>,
}

/// Takes any text and offers the codes for completion: `hcl explain` itself says which code is close to a wrong one.
#[derive(Clone)]
struct AnyCode;

impl TypedValueParser for AnyCode {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |code: &Code| PossibleValue::new(code.as_str()).help(code.summary());
        Some(Box::new(Code::ALL.iter().map(value)))
    }
}

/// Print completions for a shell
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl completions bash > ~/.local/share/bash-completion/completions/hcl
  hcl completions zsh > ~/.zfunc/_hcl
  hcl completions fish > ~/.config/fish/completions/hcl.fish

`hcldec --completions SHELL` prints those for hcldec.")]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Group)]
pub(crate) struct Nesting {
    /// How deep constructs can be nested
    #[arg(long, value_name = "N", default_value_t = Limits::NESTING)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) max_nesting: u32,
}

/// Prints a completion script.
pub(crate) fn completions(command: &Completions) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(command.shell, &mut Args::command(), "hcl", &mut script);
    output::print_bytes(&script)?;
    Ok(Outcome::Fine)
}
