//! The command line: commands, options and their help. `args/` contains the options of individual commands.

mod convert;
mod decoding;
mod definitions;
mod edit;
mod evaluation;
mod files;
mod fmt;
mod hcledit;
mod query;
mod refactor;
mod sources;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use anstream::ColorChoice;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args as Group, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use hclkit::module::Pattern;
use hclkit::syntax::visible_line;
use hclkit::{Code, Limits};

use crate::output::{Failure, Outcome, print_bytes};
pub(crate) use convert::{Convert, From as ConvertFrom, Profile, Shape, To as ConvertTo};
pub(crate) use decoding::{Decode, DecodeOutput, Language, Schema, SchemaFormat};
pub(crate) use definitions::{Definition, Definitions, Variables, check_name};
pub(crate) use edit::Edit;
pub(crate) use evaluation::{
    Console, Eval, FunctionSet, Given, Graph, GraphOutput, LanguageOption, Module, Output, Scope, Spacing,
};
pub(crate) use files::Files;
pub(crate) use fmt::{Fmt, FmtProfile};
pub(crate) use hcledit::{AttributeVerb, BlockVerb, BodyVerb, Hcledit};
pub(crate) use query::Query;
pub(crate) use refactor::{Modules, Refs, Rename, Split};
pub(crate) use sources::Sources;

/// Check, format, evaluate, convert and inspect HCL 2 files, such as those of Terraform, Packer and Nomad.
#[derive(Debug, Parser)]
#[command(name = "hcl", version, propagate_version = true, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 on success, 1 if errors were found, 2 on invalid usage, unreadable input, or if a limit ended some of the work."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colors; `auto` respects `NO_COLOR`
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto", display_order = 900)]
    pub(crate) color: Color,

    /// Disable colors; same as --color never
    #[arg(long, global = true, display_order = 900)]
    pub(crate) no_color: bool,

    /// The file name to use for standard input, in messages and to choose the syntax and formatting
    #[arg(long, value_name = "NAME", global = true, display_order = 902)]
    pub(crate) stdin_name: Option<PathBuf>,

    /// Maximum size of an input file, in bytes or with the suffix KiB, MiB or GiB
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

/// Parses the command line, which starts with the name of the program.
pub(crate) fn read(mut line: Vec<OsString>) -> Result<Args, clap::Error> {
    if line.get(1).is_some_and(|command| command == "fmt") {
        line = fmt::with_two_dashes(&line);
    }
    let is_eval = line.get(1).is_some_and(|command| command == "eval");
    let error = match parsed(Args::command(), &line) {
        Err(error) if is_eval && error.kind() == ErrorKind::UnknownArgument => error,
        other => return other.and_then(with_addresses),
    };
    let unknown = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument)) => argument.clone(),
        _ => return Err(error),
    };
    if unknown.starts_with("--") {
        return Err(error);
    }
    // This is an expression such as `-7 % 3`, not an option. Misspelled options are found only while the expression
    // cannot start with a dash.
    let command = Args::command().mut_subcommand("eval", |eval| {
        eval.mut_arg("expression", |expression| expression.allow_hyphen_values(true))
    });
    match parsed(command, &line) {
        Ok(args) => with_addresses(args),
        Err(_) => Err(error),
    }
}

fn parsed(mut command: clap::Command, line: &[OsString]) -> Result<Args, clap::Error> {
    let matches = command.try_get_matches_from_mut(line)?;
    let mut args = Args::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    if let Some((_, matches)) = matches.subcommand() {
        match &mut args.command {
            Command::Eval(eval) => eval.given = Given::of(matches),
            Command::Console(console) => console.given = Given::of(matches),
            _ => {}
        }
    }
    Ok(args)
}

/// Addresses require a module. Without one, the further arguments are parts of an expression that was not quoted.
fn with_addresses(args: Args) -> Result<Args, clap::Error> {
    let Command::Eval(eval) = &args.command else { return Ok(args) };
    let (Some(expression), Some(address)) = (&eval.expression, eval.addresses.first()) else {
        return Ok(args);
    };
    if crate::module::place(expression, &eval.module.language).is_some() || crate::eval::is_bake(eval) {
        return Ok(args);
    }
    let mut error = clap::Error::new(ErrorKind::UnknownArgument).with_cmd(&Args::command());
    error.insert(ContextKind::InvalidArg, ContextValue::String(address.clone()));
    let mut tips = vec!["quote the expression to pass it as one argument, such as hcl eval 'a + b'".into()];
    if address.starts_with(char::is_alphabetic) && address.parse::<Pattern>().is_ok() {
        let name = visible_line(expression);
        tips.push(
            format!("addresses require a module, but `{name}` is not a directory or file of one").into(),
        );
    }
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    Err(error)
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Color {
    /// Only if the output is a terminal
    Auto,
    Always,
    Never,
}

impl Color {
    pub(crate) fn choice(self) -> ColorChoice {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Decode(Decode),
    Schema(Schema),
    Check(Check),
    Fmt(Fmt),
    Edit(Edit),
    Query(Query),
    Rename(Rename),
    Refs(Refs),
    Split(Split),
    Convert(Convert),
    Eval(Eval),
    Console(Console),
    Graph(Graph),
    Dump(Dump),
    Explain(Explain),
    Completions(Completions),
    Man(Manual),
}

/// Find errors in files, and fix those that have an obvious fix
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl check                          check all HCL files in the current directory and below
  hcl check main.tf modules/         check a file and all files in a directory
  hcl check --exclude '*.tfvars' .   skip some files
  hcl check --fix                    fix what can be fixed, and report the rest
  hcl check --diff | patch -p0       the same in two steps
  cat main.tf | hcl check --fix -    fix standard input and write it to standard output
  hcl check --format sarif > hcl.sarif
  hcl check --spec service.hcldec --dynamic --unknown-vars services/
  hcl check --syntax-only            check only the syntax, not modules

In directories, hcl checks files named *.tf, *.tofu, *.tfvars, *.tfbackend, *.hcl and *.nomad, and the same names with \
.json appended or in place of .hcl (*.pkr.json, *.tftest.json), which are read in the JSON syntax. It skips hidden directories and files listed in .gitignore or \
.hclignore. With --spec, it also skips variable files (*.tfvars, *.pkrvars.hcl).

Directories with files of Terraform, OpenTofu or Packer are checked as modules, for undefined and unused names, wrong \
arguments of modules in the given directories, wrong types, and conditions that are not met. Variables are unknown unless \
a file such as terraform.tfvars sets them. Only errors that do not depend on a provider are reported. If files of a \
directory are skipped, it is not checked as a module. Bake files (docker-bake.hcl and the other files that Bake reads by \
default) are checked for undefined names and targets, unused variables and wrong types.

A GLOB has the syntax of .gitignore patterns. Without a slash, it matches names at any depth. With a slash, it is an \
absolute path or relative to the searched directory or the current directory.

Without --spec, other files are only checked for syntax errors. With --spec, each file is also decoded as in `hcl decode` (with --merge, \
all files of a directory together), and --fix also corrects misspelled argument and block names.

A fix never introduces new errors. With --fix, the exit code is 0 if no errors remain and 1 otherwise. --diff and \
--dry-run report all errors, so the exit code is 1 if there are any errors, whether or not they have fixes.")]
#[command(mut_arg("functions", |functions| functions.default_value("none")))]
#[command(mut_args(only_with_spec))]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Check {
    /// Files and directories; `-` is standard input [default: the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) files: Files,

    /// The format of the report
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) spacing: Spacing,

    /// Apply the suggested fixes, list them, and report the remaining errors
    #[arg(long)]
    pub(crate) fix: bool,

    /// Print the fixes as a unified diff on standard output without changing any files
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) diff: bool,

    /// List the fixes without changing any files
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Also check the files against this spec file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) language: Language,

    /// Check all files of a directory together as one configuration
    #[arg(long)]
    pub(crate) merge: bool,

    /// Check only the syntax of files, and not what modules and Bake files mean
    #[arg(long, conflicts_with = "spec")]
    pub(crate) syntax_only: bool,

    /// Check only files that differ from this branch, tag or commit, and the modules that call those with such files
    ///
    /// Compares with the last common commit, as a pull request does. New files count unless Git ignores them. A file in a
    /// directory without modules belongs to the nearest module above it. Requires the program git.
    #[arg(long, value_name = "REF", conflicts_with = "spec")]
    pub(crate) changed_since: Option<String>,

    /// Do not check modules outside of PATH that call those in it
    ///
    /// Otherwise, they are searched in the repository, which is the nearest directory that contains `.git`.
    #[arg(long)]
    pub(crate) no_callers: bool,

    #[command(flatten)]
    pub(crate) sources: Sources,

    #[command(flatten)]
    pub(crate) nesting: Nesting,
}

/// Evaluation options of `hcl check` require a spec file.
fn only_with_spec(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "var" | "vars" | "unknown_vars" | "functions" | "allow_fs" | "allow_env" | "max_steps"
        | "max_elements" | "max_bytes" | "timeout" | "dynamic" | "merge" => arg.requires("spec"),
        _ => arg,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Human-readable messages with source excerpts
    Human,
    /// A single JSON document
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// GitHub Actions workflow commands, for annotations
    Github,
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

    /// The file to show; `-` is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// How to parse the file
    #[arg(long = "as", value_name = "ENTRY", default_value = "config")]
    pub(crate) entry: Entry,

    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: DumpFormat,

    #[command(flatten)]
    pub(crate) nesting: Nesting,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// The tokens, including comments and newlines
    Tokens,
    /// The syntax tree: a node for each grammar production, indented under its parent
    Tree,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Entry {
    /// A configuration: attributes and blocks
    Config,
    /// An expression, in which line breaks are allowed as in parentheses
    Expression,
    /// A template: text with `${ … }` and `%{ … }`
    Template,
    /// A variable name followed by attributes and constant indexes
    Traversal,
    /// Like `traversal`, but also allows `[*]`
    PartialTraversal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DumpFormat {
    /// One line for each token or node
    Human,
    /// A JSON array
    Json,
}

/// Explain an error code
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl explain unclosed-block
  hcl explain                        list all codes")]
pub(crate) struct Explain {
    /// The code, such as unclosed-block from `error[unclosed-block]`
    #[arg(value_parser = AnyCode, hide_possible_values = true)]
    pub(crate) code: Option<String>,
}

/// Accepts any text and completes codes. `hcl explain` itself suggests similar codes.
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
        let value = |code: Code| PossibleValue::new(code.as_str()).help(code.summary());
        Some(Box::new(crate::explain::codes().map(value)))
    }
}

/// Print shell completions
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl completions bash > ~/.local/share/bash-completion/completions/hcl
  hcl completions zsh > ~/.zfunc/_hcl
  hcl completions fish > ~/.config/fish/completions/hcl.fish

For hcldec, use `hcldec --completions SHELL`.")]
pub(crate) struct Completions {
    /// The shell to print completions for
    pub(crate) shell: clap_complete::Shell,
}

/// Write manual pages
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl man | man -l -
  hcl man ~/.local/share/man/man1

With a directory, there is a page for each command, such as hcl-check.1, and one for hcldec.")]
pub(crate) struct Manual {
    /// Write all pages to this directory instead of printing that of hcl
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
}

#[derive(Debug, Clone, Group)]
pub(crate) struct Nesting {
    /// Maximum nesting depth of expressions, templates and blocks
    #[arg(long, value_name = "N", default_value_t = Limits::NESTING)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) max_nesting: u32,
}

/// Prints a completion script.
pub(crate) fn completions(command: &Completions) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(command.shell, &mut Args::command(), "hcl", &mut script);
    print_bytes(&script)?;
    Ok(Outcome::Fine)
}
