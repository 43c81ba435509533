//! The command line: commands, options and their help, as data. `args/` contains the options of individual commands, and
//! those that commands share.

mod check;
mod convert;
mod decoding;
#[cfg(feature = "git")]
mod diff;
mod docs;
mod edit;
mod evaluation;
mod fmt;
mod global;
mod groups;
mod hcledit;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "mcp")]
mod mcp;
mod merge;
mod product;
mod query;
mod refactor;
#[cfg(test)]
mod table;
#[cfg(feature = "tables")]
mod tables;
mod test;
mod tips;
mod variables;

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args as Group, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use hclkit::dialect::{Dialect, Dialects};
use hclkit::{Code, Syntax};

pub(crate) use check::Check;
pub(crate) use convert::{Convert, Shape, Syntax as ConvertSyntax};
pub(crate) use decoding::{Decode, Features, Pack, Schema, SchemaCommand};
#[cfg(feature = "git")]
pub(crate) use diff::Diff;
pub(crate) use docs::{Docs, Layout as DocsLayout};
pub(crate) use edit::Edit;
#[cfg(feature = "console")]
pub(crate) use evaluation::Console;
pub(crate) use evaluation::{Eval, ExplicitOptions, FunctionSet, Graph, Module, Scope};
pub(crate) use fmt::Fmt;
pub(crate) use global::Global;
pub(crate) use groups::{
    BaselineFile, Files, Format, LanguageName, LanguageOption, Matching, Providers, Reporting, Sources,
    VersionedLanguage,
};
pub(crate) use hcledit::{AttributeVerb, BlockVerb, BodyVerb, Hcledit};
#[cfg(feature = "lsp")]
pub(crate) use lsp::Lsp;
#[cfg(feature = "mcp")]
pub(crate) use mcp::Mcp;
pub(crate) use merge::{Merge, Style as MergeStyle};
pub(crate) use product::{Destination, Output, Product, Spacing};
pub(crate) use query::Query;
pub(crate) use refactor::{Modules, Refs, Rename, Split};
#[cfg(feature = "tables")]
pub(crate) use tables::Tables;
pub(crate) use test::{Test, Unknown};
#[cfg(feature = "console")]
pub(crate) use variables::check_name;
pub(crate) use variables::{Definition, Definitions, Variables};

/// Check, format, evaluate, convert and inspect HCL 2 files, such as those of Terraform, Packer and Nomad.
#[derive(Debug, Parser)]
#[command(name = "hcl", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Examples:
  hcl check                          find errors in the files and modules below this directory
  hcl fmt --write main.tf            format a file
  hcl eval infra 'output.*'          evaluate the outputs of a module
  hcl query 'resource.*.*' infra     print all resources

`hcl COMMAND --help` has examples of each command, and `hcl --help` the limits of all. The guide:
https://github.com/hclkit/hclkit/tree/main/docs/book/src

Exit codes: 0 on success, 1 if errors were found, nothing was found or files would change, 2 on invalid \
                  usage, unreadable input, or if a limit ended some of the work.")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    #[command(flatten)]
    pub(crate) global: Global,
}

/// The commands as the parser knows them, also for completions and manual pages.
pub(crate) fn command() -> clap::Command {
    let formats: &[(&str, &'static [Output])] = &[
        ("decode", Decode::FORMATS),
        ("schema", Schema::FORMATS),
        ("query", Query::FORMATS),
        ("refs", Refs::FORMATS),
        ("eval", Eval::FORMATS),
        ("graph", Graph::FORMATS),
        #[cfg(feature = "git")]
        ("diff", Diff::FORMATS),
        ("docs", Docs::FORMATS),
        ("dump", Dump::FORMATS),
    ];
    let with_formats = formats.iter().fold(Args::command(), |command, (name, formats)| {
        command.mut_subcommand(name, |command| product::formats(command, formats))
    });
    let with_formats = match absent() {
        absent if absent.is_empty() => with_formats,
        absent => {
            with_formats.version(format!("{} (without {absent})", env!("CARGO_PKG_VERSION")).leak() as &str)
        }
    };
    #[cfg(feature = "tables")]
    let with_formats = with_formats.mut_subcommand("tables", |command| {
        // Standard output is for people and scripts.
        let default = "[default: parquet with --out, else ndjson]";
        let formats = product::formats(command, Tables::FORMATS);
        let with_output = formats.mut_arg("output", |arg| arg.help(format!("{} {default}", product::OUTPUT)));
        with_output.mut_arg("out", |arg| {
            arg.long_help(format!(
                "{}\n\nPATH is a directory that gets a file for each table; it is created if necessary",
                product::OUT
            ))
        })
    });
    global::hidden_below(with_formats)
}

/// The commands by what one wants to do. Each is in one group, which a test checks.
const GROUPS: [(&str, &[&str]); 6] = [
    ("To begin with", &["check", "fmt", "eval"]),
    ("Understand", &["explain", "refs", "graph", "docs", "diff", "test"]),
    ("Change", &["edit", "rename", "split", "convert", "merge"]),
    ("Get parts and values", &["query", "console", "tables"]),
    ("Languages of your own", &["decode", "schema", "dump"]),
    ("Other programs", &["lsp", "mcp", "completions", "man"]),
];

/// The commands that a program may be built without, each with its feature.
const FEATURES: [(&str, &str, bool); 5] = [
    ("console", "console", cfg!(feature = "console")),
    ("diff", "git", cfg!(feature = "git")),
    ("lsp", "lsp", cfg!(feature = "lsp")),
    ("mcp", "mcp", cfg!(feature = "mcp")),
    ("tables", "tables", cfg!(feature = "tables")),
];

/// What this program was built without.
fn absent() -> String {
    let names: Vec<&str> = FEATURES.iter().filter(|(.., built)| !built).map(|(name, ..)| *name).collect();
    names.join(", ")
}

/// Says that a part of the program is missing, and how to get it.
pub(crate) fn not_built(part: &str, feature: &str) -> String {
    format!(
        "{part} is not in this program, which was built without the feature `{feature}`; `cargo install hclkit-cli` installs all of it"
    )
}

/// Whether the help of the program may be shown. Only then is it made.
fn asks_for_help(line: &[OsString]) -> bool {
    line.len() < 2
        || line.iter().any(|word| ["-h", "--help", "help"].map(OsStr::new).contains(&word.as_os_str()))
}

/// The help of the program lists the commands by groups.
fn with_groups(command: clap::Command) -> clap::Command {
    // The columns of the names, and of all.
    const NAME: usize = 14;
    const WIDTH: usize = 80;
    let styles = command.get_styles().clone();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut list = String::new();
    for (title, names) in GROUPS {
        // Writing to a string cannot fail.
        let _ = writeln!(list, "\n{header}{title}:{header:#}");
        // Features leave some out.
        for known in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = known.get_about().map(ToString::to_string).unwrap_or_default();
            let name = known.get_name();
            let _ = write!(list, "  {literal}{name}{literal:#}{:1$}", "", NAME - 2 - name.len());
            let mut column = NAME;
            for word in about.split(' ') {
                if column > NAME && column + 1 + word.len() > WIDTH {
                    let _ = write!(list, "\n{:NAME$}", "");
                    column = NAME;
                } else if column > NAME {
                    list.push(' ');
                    column += 1;
                }
                list.push_str(word);
                column += word.len();
            }
            list.push('\n');
        }
    }
    let absent = absent();
    if !absent.is_empty() {
        let _ = writeln!(
            list,
            "\n{header}Not built in:{header:#} {absent}; `cargo install hclkit-cli` installs all"
        );
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{list}\n{header}Options:{header:#}\n{{options}}{{after-help}}"
    ))
}

/// Parses the command line, which starts with the name of the program.
pub(crate) fn read(line: Vec<OsString>) -> Result<Args, clap::Error> {
    // Making the commands takes most of the start of the program.
    let known = if asks_for_help(&line) { with_groups(command()) } else { command() };
    let line = tips::with_two_dashes(&known, line);
    let is_eval = line.get(1).is_some_and(|command| command == "eval");
    let error = match parsed(known, &line) {
        Err(error) if is_eval && error.kind() == ErrorKind::UnknownArgument => error,
        other => return other.map_err(tips::with_tips),
    };
    let unknown = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument)) => argument.clone(),
        _ => return Err(error),
    };
    if unknown.starts_with("--") {
        return Err(tips::with_tips(error));
    }
    // This is an expression such as `-7 % 3`, not an option. Misspelled options are found only while the expression
    // cannot start with a dash.
    let command = command().mut_subcommand("eval", |eval| {
        eval.mut_arg("expression", |expression| expression.allow_hyphen_values(true))
    });
    parsed(command, &line).map_err(|_| tips::with_tips(error))
}

fn parsed(mut command: clap::Command, line: &[OsString]) -> Result<Args, clap::Error> {
    let matches = command.try_get_matches_from_mut(line)?;
    let mut args = Args::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    if let Some((_, matches)) = matches.subcommand() {
        match &mut args.command {
            Command::Eval(eval) => eval.given = ExplicitOptions::of(matches),
            #[cfg(feature = "console")]
            Command::Console(console) => console.given = ExplicitOptions::of(matches),
            _ => {}
        }
    }
    Ok(args)
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Decode(Decode),
    Schema(Schema),
    Check(Check),
    Test(Test),
    Fmt(Fmt),
    Edit(Edit),
    Merge(Merge),
    Query(Query),
    Rename(Rename),
    Refs(Refs),
    Split(Split),
    Convert(Convert),
    Eval(Eval),
    #[cfg(feature = "console")]
    Console(Console),
    Graph(Graph),
    #[cfg(feature = "git")]
    Diff(Diff),
    Docs(Docs),
    #[cfg(feature = "tables")]
    Tables(Tables),
    Dump(Dump),
    Explain(Explain),
    #[cfg(feature = "lsp")]
    Lsp(Lsp),
    #[cfg(feature = "mcp")]
    Mcp(Mcp),
    Completions(Completions),
    Man(Manual),
}

impl Command {
    /// The file or directory of `--out`. Tables have names of their own.
    pub(crate) fn out(&self) -> Option<&Path> {
        let destination = match self {
            Self::Decode(command) => &command.destination,
            Self::Schema(command) => &command.destination,
            Self::Convert(command) => &command.destination,
            Self::Eval(command) => &command.destination,
            Self::Graph(command) => &command.destination,
            #[cfg(feature = "git")]
            Self::Diff(command) => &command.destination,
            Self::Docs(command) => &command.destination,
            Self::Merge(command) => return command.result.as_deref(),
            _ => return None,
        };
        destination.out.as_deref()
    }

    /// Adds the language that an option names, if its files are in HCL 1: then all files of the run are, whatever their names.
    pub(crate) fn with_language(&self, project: Dialects) -> Dialects {
        let language = match self {
            Self::Check(command) => command.language.language.as_ref().map(|(language, _)| language),
            Self::Fmt(command) => command.language.language.as_ref(),
            Self::Convert(command) => command.language.language.as_ref(),
            Self::Eval(command) => command.module.language.language.as_ref(),
            _ => None,
        };
        let dialect = match language {
            Some(LanguageName::Hcl1(name)) => Dialect::named(name),
            // A table with errors is reported when it is used.
            Some(LanguageName::Table(path)) => crate::module::table(path).ok(),
            _ => None,
        };
        match dialect.filter(|dialect| dialect.syntax() == Syntax::Hcl1) {
            Some(dialect) => {
                Dialects::new([Arc::new(dialect.of_all_files())].into_iter().chain(project.iter().cloned()))
            }
            None => project,
        }
    }

    /// Returns true if the command reads files of the user, so that the settings of the project apply. The server reads those of
    /// each directory itself.
    pub(crate) fn reads_files(&self) -> bool {
        #[cfg(feature = "mcp")]
        if matches!(self, Self::Mcp(_)) {
            return false;
        }
        #[cfg(feature = "lsp")]
        if matches!(self, Self::Lsp(_)) {
            return false;
        }
        !matches!(self, Self::Explain(_) | Self::Completions(_) | Self::Man(_))
    }
}

/// Show the tokens or the syntax tree of a file
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl dump tokens main.tf
  hcl dump tree main.tf
  echo '1 + 2 * x' | hcl dump tree --as expression -
  hcl dump tokens --json main.tf | jq -r '.[].kind' | sort | uniq -c")]
pub(crate) struct Dump {
    /// What to show
    pub(crate) what: ParseOutput,

    /// The file to show; `-` is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// How to parse the file
    #[arg(long = "as", value_name = "ENTRY", default_value = "config")]
    pub(crate) entry: StartSymbol,

    #[command(flatten)]
    pub(crate) product: Product,
}

impl Dump {
    const FORMATS: &'static [Output] = &[Output::Human, Output::Json];

    pub(crate) fn output(&self) -> Output {
        self.product.format().unwrap_or(Output::Human)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ParseOutput {
    /// The tokens, including comments and newlines
    Tokens,
    /// The syntax tree: a node for each grammar production, indented under its parent
    Tree,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum StartSymbol {
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
        Some(Box::new(Code::ALL.iter().copied().map(value)))
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
  hcl man check | man -l -
  hcl man ~/.local/share/man/man1

With a directory, there is a page for each command, such as hcl-check.1, and one for hcldec.")]
pub(crate) struct Manual {
    /// Print the page of this command instead of that of hcl, or write all pages to a directory
    #[arg(value_name = "COMMAND|DIR")]
    pub(crate) directory: Option<PathBuf>,
}
