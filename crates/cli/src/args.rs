//! What the program can be told: commands, flags, and their help. What `eval` and `console` take is in `args/`.

mod decoding;
mod definitions;
mod evaluation;

use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args as Group, CommandFactory as _, Parser, Subcommand, ValueEnum};
use hclkit::ParseOptions;

use crate::output::{self, Failure, Outcome};
use crate::report::Machine;
pub(crate) use decoding::{Decode, DecodeOutput, Language, Schema, SchemaFormat, is_json};
pub(crate) use definitions::{Definition, Definitions, check_name};
pub(crate) use evaluation::{Console, Eval, FunctionSet, Output, Scope};

/// Check, evaluate, convert and look into HCL 2 files: Terraform, Packer, Nomad and whatever else is written in HCL.
#[derive(Debug, Parser)]
#[command(name = "hcl", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 fine, 1 problems found, 2 wrong use or unreadable input.")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours; `auto` also minds `NO_COLOR`
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto", display_order = 900)]
    pub(crate) color: Color,
}

/// Reads the command line. What is wrong with it ends the program.
pub(crate) fn read() -> Args {
    Args::try_parse().unwrap_or_else(|mut error| {
        let further = |error: &clap::Error| match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(argument)) => !argument.starts_with('-'),
            _ => false,
        };
        // The parts of an expression that is not in quotes.
        let is_eval = std::env::args_os().nth(1).is_some_and(|command| command == "eval");
        if is_eval && error.kind() == ErrorKind::UnknownArgument && further(&error) {
            let tip = "an expression is one argument: put it in quotes, such as hcl eval 'a + b'";
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
        error.exit()
    })
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

/// Find mistakes in files, and mend those where it is clear how
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl check                          all HCL files below the current directory
  hcl check main.tf modules/         a file, and all files below a directory
  hcl check --exclude '*.tfvars' .   all but some
  hcl check --fix                    mend what can be mended, report the rest
  cat main.tf | hcl check --fix -    the same from standard input to standard output
  hcl check --format sarif > hcl.sarif
  hcl check --spec service.hcldec --dynamic --unknown-vars services/

In directories, files named *.tf, *.tofu, *.tfvars, *.tfbackend, *.hcl and *.nomad are taken, and those with .json \
behind it, which are in the JSON syntax. Files that .gitignore names are left out, and so are hidden directories.

Without --spec it is the syntax alone that is checked. With it, each file is decoded as `hcl decode` does it, or with \
--merge the files of each directory together; what it becomes is not written. \
--fix then mends misspelt names of arguments and blocks, too.")]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Check {
    /// Files and directories; `-` is standard input [default: the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// In directories, take files that match instead of those with the usual endings; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// In directories, leave out files and directories that match; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    /// In directories, take files that .gitignore names too
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// In directories, go into hidden directories too
    #[arg(long)]
    pub(crate) hidden: bool,

    /// How to report
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,

    /// Apply the suggested changes, as long as they leave fewer mistakes than before
    #[arg(long)]
    pub(crate) fix: bool,

    /// Check what configurations say, too, by a spec file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) language: Language,

    /// Take variables that are not given as not known yet, instead of as mistakes
    #[arg(long, requires = "spec")]
    pub(crate) unknown_vars: bool,

    /// Check the files of a directory as one configuration, instead of each on its own
    #[arg(long, requires = "spec")]
    pub(crate) merge: bool,

    #[command(flatten)]
    pub(crate) nesting: Nesting,
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
  cat main.tf | hcl convert -
  hcl convert --profile terraform -o main.tf.json main.tf
  hcl convert --merge --compact *.tf | jq '.resource | keys'

The shape: an attribute is a property; a block is a property with its type for a name, then an object for each \
label, then an array of bodies. Blocks of one type and labels lie in one array, in order. Literals are JSON's own, \
templates are strings, other expressions are \"${…}\" with their source text.

With --static NAME, attributes of that name keep bare text: `type = list(string)` becomes \"list(string)\". \
BLOCK.NAME means those directly in blocks of that type only, BLOCK.* all of these. --profile adds the usual ones of \
an application.")]
pub(crate) struct Convert {
    /// Files; `-` is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Whether bodies of blocks always lie in arrays
    #[arg(long, value_name = "SHAPE", default_value = "arrays")]
    pub(crate) shape: Shape,

    /// Attributes that the application reads without evaluating them, which keep their bare text
    #[arg(long = "static", value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) statics: Vec<String>,

    /// Block types of which the order counts across labels: where objects for the labels would change it, an array of
    /// objects keeps it. Blocks inside others, such as provisioners, keep theirs anyway
    #[arg(long, value_name = "TYPE,…", value_delimiter = ',')]
    pub(crate) ordered: Vec<String>,

    /// What an application is known to read without evaluating it
    #[arg(long, value_name = "APPLICATION")]
    pub(crate) profile: Option<Profile>,

    /// Convert several files as one configuration, instead of each under its name
    #[arg(long)]
    pub(crate) merge: bool,

    /// Write all on one line
    #[arg(long)]
    pub(crate) compact: bool,

    #[command(flatten)]
    pub(crate) nesting: Nesting,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Shape {
    /// Always, so that the shape is predictable
    Arrays,
    /// Only where there are several
    Compact,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    Terraform,
    Packer,
    Nomad,
}

/// Show what a file is read as: its tokens or its tree
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

    /// What the file is to be read as
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
    /// Comments and newlines among them
    Tokens,
    /// Of the grammar's productions, each indented below the one that holds it
    Tree,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Entry {
    /// Attributes and blocks
    Config,
    /// As if in parentheses: line breaks do not matter
    Expression,
    /// Text with `${ … }` and `%{ … }`
    Template,
    /// A variable's name, then attributes and constant indices
    Traversal,
    /// The same, in which `[*]` may stand too
    PartialTraversal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DumpFormat {
    /// A line each
    Human,
    /// A JSON array
    Json,
}

/// Explain what a mistake's code means
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl explain unclosed-block
  hcl explain                        lists all codes")]
pub(crate) struct Explain {
    /// The code, as in error[unclosed-block]
    pub(crate) code: Option<String>,
}

/// Print completions for a shell
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl completions bash > ~/.local/share/bash-completion/completions/hcl
  hcl completions zsh > ~/.zfunc/_hcl
  hcl completions fish > ~/.config/fish/completions/hcl.fish")]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Group)]
pub(crate) struct Nesting {
    /// How deep constructs may be nested in each other
    #[arg(long, value_name = "N", default_value_t = ParseOptions::MAX_NESTING)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) max_nesting: u32,
}

impl Nesting {
    pub(crate) fn options(&self) -> ParseOptions {
        ParseOptions::new().max_nesting(self.max_nesting)
    }
}

/// Prints a completion script.
pub(crate) fn completions(command: &Completions) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(command.shell, &mut Args::command(), "hcl", &mut script);
    output::print_bytes(&script)?;
    Ok(Outcome::Fine)
}
