//! The options of `hcl query`.

use std::path::PathBuf;

use clap::Args as Group;

use super::{Output, Product};

/// Print the parts of HCL files that a path selects, or evaluate an expression on each file
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl query service.web.port web.hcl             print a value as source text
  hcl query -r 'variable.*.description' .        print strings without quotes
  hcl query 'resource.*.*[tags == null]' .       print resources without tags
  hcl query --ndjson 'resource~' . | jq -r .address
  hcl query --count 'resource.aws_instance' .
  hcl query 'length(service.web.ports)' web.hcl  print the value of an expression
  hcl query --merge '[for name, it in variable : name if !can(it.description)]' modules/net
  hcl query 'terraform.backend' . > /dev/null || echo 'no backend'

A PATH is a sequence of names, separated by dots: block types, labels, attributes and keys of objects. `*` matches any \
name, `~` the remaining labels of blocks, `..` any depth, and [0] an element. [EXPRESSION] keeps only the matches for \
which the expression is true. docs/paths.md describes paths.

An expression is evaluated for each file, with its attributes and block types as variables: `service.web.port + 1`. \
With --merge, it is evaluated once for all files of a directory. To evaluate what a Terraform module computes, such as \
`local.zone`, use `hcl eval DIR ADDRESS` or `hcl console DIR`. \
Parts that depend on variables of the application are printed as expressions, and null prints nothing. If the argument \
is both a path and an expression, it is read as a path, unless --expr is used.

With --json and --ndjson, expressions are written as by `hcl convert`: literals as JSON literals, templates as strings, \
and others as \"${…}\".

In directories, hcl query reads the same files as hcl check, in both syntaxes.

Exit codes: 0 on success, 1 if nothing matches or a file has errors, 2 on other errors.")]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Query {
    /// What to print: a path, or an expression
    #[arg(value_name = "PATH-OR-EXPR")]
    pub(crate) path: String,

    /// Files and directories; `-` is standard input [default: the current directory]
    #[arg(value_name = "FILE")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) product: Product,

    /// Print a line of JSON for each match; same as --output ndjson
    #[arg(long, conflicts_with_all = ["output", "json", "raw", "count"])]
    pub(crate) ndjson: bool,

    /// Print strings without quotes and escape sequences
    #[arg(short, long, conflicts_with_all = ["count", "output", "json"])]
    pub(crate) raw: bool,

    /// Print only the number of matches, in each file if there are several; with --no-filename, in all files
    #[arg(long, conflicts_with_all = ["output", "json"])]
    pub(crate) count: bool,

    /// Print the name of the file before each match [default: if there are several files]
    #[arg(short = 'H', long)]
    pub(crate) with_filename: bool,

    /// Do not print names of files
    #[arg(long, conflicts_with = "with_filename")]
    pub(crate) no_filename: bool,

    /// Print the line before each match
    #[arg(short = 'n', long)]
    pub(crate) line_number: bool,

    /// Treat PATH-OR-EXPR as an expression, even if it is also a path
    #[arg(long)]
    pub(crate) expr: bool,

    /// Merge files into one configuration
    #[arg(long)]
    pub(crate) merge: bool,

    /// Exit with 1 if nothing matches, which is the default
    #[arg(short, long, hide = true)]
    pub(crate) exit_code: bool,

    #[command(flatten)]
    pub(crate) matching: super::Matching,

    #[command(flatten)]
    pub(crate) files: super::Files,
}

impl Query {
    pub(super) const FORMATS: &'static [Output] =
        &[Output::Human, Output::Json, Output::Ndjson, Output::Yaml, Output::Csv, Output::Tsv, Output::Table];

    pub(crate) fn output(&self) -> Output {
        if self.ndjson { Output::Ndjson } else { self.product.format().unwrap_or(Output::Human) }
    }
}
