//! The options of `hcl query`.

use std::path::PathBuf;

use clap::Args as Group;

/// Print the parts of HCL files that a path selects, or evaluate an expression on each file
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl query service.web.port web.hcl             print a value as source text
  hcl query -r 'variable.*.description' .        print strings without quotes
  hcl query 'resource.*.*[tags == null]' .       print resources without tags
  hcl query --ndjson 'resource~' . | jq -r .address
  hcl query --count 'resource.aws_instance' .
  hcl query 'length(service.web.ports)' web.hcl  print the value of an expression
  hcl query --merge '[for name, it in variable : name if it.description == null]' modules/net
  hcl query --exit-code 'terraform.backend' . > /dev/null || echo 'no backend'

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

Exit codes: 0 on success, 1 if nothing matches with --exit-code, 2 on errors.")]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Query {
    /// What to print: a path, or an expression
    #[arg(value_name = "PATH-OR-EXPR")]
    pub(crate) path: String,

    /// Files and directories; `-` is standard input [default: the current directory]
    #[arg(value_name = "FILE")]
    pub(crate) paths: Vec<PathBuf>,

    /// Print a JSON array of the values
    #[arg(long, conflicts_with_all = ["ndjson", "raw", "count"])]
    pub(crate) json: bool,

    /// Print a line of JSON for each match: its file, range, address and value
    #[arg(long, conflicts_with_all = ["raw", "count"])]
    pub(crate) ndjson: bool,

    /// Print strings without quotes and escape sequences
    #[arg(short, long, conflicts_with = "count")]
    pub(crate) raw: bool,

    /// Print only the number of matches
    #[arg(long)]
    pub(crate) count: bool,

    /// Treat PATH-OR-EXPR as an expression, even if it is also a path
    #[arg(long)]
    pub(crate) expr: bool,

    /// Evaluate the expression once for each directory, on all of its files together
    #[arg(long, conflicts_with = "ndjson")]
    pub(crate) merge: bool,

    /// Exit with 1 if nothing matches
    #[arg(short, long)]
    pub(crate) exit_code: bool,

    #[command(flatten)]
    pub(crate) files: super::Files,

    #[command(flatten)]
    pub(crate) nesting: super::Nesting,
}
