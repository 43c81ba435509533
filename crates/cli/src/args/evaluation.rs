//! The options of `hcl eval` and `hcl console`, and the options shared by all commands that evaluate expressions.

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args as Group, ValueEnum};
use hclkit::functions::Library;

use super::{
    Definitions, Destination, LanguageOption, Matching, Output, Product, Providers, Reporting, Sources,
    Spacing,
};
use crate::outcome::Failure;

/// Evaluate a module, an expression, the attributes of a file, or a template
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl eval '[for n in range(1, 4) : n * n]'
  hcl eval -f app.hcl --vars prod.tfvars            evaluate all attributes in the file
  hcl eval -f app.hcl --attr server.web.port --output raw
  hcl eval --template -f nginx.conf.tftpl --vars site.hcl --out nginx.conf
  hcl eval --template --var 'name=\"world\"' 'Hello, ${name}!'
  hcl eval --partial --var env='\"prod\"' '\"${env}-${region}\"'
  hcl eval --explain -f app.hcl --attr server.web.port
  hcl eval infrastructure --var-file prod.tfvars    evaluate a Terraform module
  hcl eval . 'output.*' --output json               the outputs of the module in this directory
  hcl eval . 'aws_instance~[port > 80].name'        the names where the expression is true
  hcl eval -C infrastructure 'upper(local.zone)'    an expression with the names of the module
  hcl eval . --inputs-template --out prod.tfvars    the variables of the module, to fill in
  hcl eval . --inputs-check --var-file prod.tfvars  what is missing, unused or invalid in it
  hcl eval docker-bake.hcl app --set '*.platform=linux/arm64'
  hcl eval '-7 % 3'                                 an expression can start with a dash
  hcl eval -- '-f(x)'                               arguments after -- are never options

An address (--attr) consists of block types and labels and an attribute name, separated by dots. If several blocks \
have the same type and labels, [0] selects the first. Without an index, the rest of the address must exist in only one \
of them. Steps after the attribute select a part of its value. The address of a block selects all attributes in it.

A directory is evaluated as a module of Terraform, OpenTofu or Packer: all of its files, variables with defaults and \
values, local values, instances, and the modules that it calls. No provider, state or network is used; values that only a \
provider can supply are unknown. As in Terraform, the value of --var is plain text if the variable is a string, \
a number or a bool, and an expression if it has another type. In JSON, unknown and sensitive values are the strings \
\"(unknown)\" and \"(sensitive)\"; --output ndjson and typed tell them from text.

An address of a module (ADDRESS) is a path, as for hcl query: `*` matches any characters of a name, `..name` a name at any \
depth, `~` the remaining names and the key of each instance, [-1] the last element or instance, [*] each of them, and \
[EXPRESSION] those for which it is true. docs/paths.md describes paths. What is not a path is an expression, which can use \
the names of the module.

Bake files of Docker Buildx (docker-bake.hcl, docker-bake.json, and docker-bake.override.hcl or .json; others with \
--language bake and -f) give the groups and targets that `docker buildx bake --print` gives, as JSON. Variables come \
from the environment and from --var. Compose files are not supported.

Units and stacks of Terragrunt (terragrunt.hcl, terragrunt.stack.hcl) give their configuration with that of the files that they include and \
read, and the mocked outputs of their dependencies. --var sets feature flags. docs/terragrunt.md says what is unknown.

Values are written to standard output, and errors to standard error.")]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Eval {
    /// An expression, the directory or a file of a module, or a Bake file; `-` is standard input [default: standard input]
    #[arg(value_name = "EXPR|DIR", index = 1, allow_negative_numbers = true)]
    pub(crate) expression: Option<String>,

    /// Paths of values in the module, such as `local.zones`, `output.*` or `module.net["a"]` [default: all], or expressions; targets of Bake files
    #[arg(value_name = "ADDRESS", index = 2)]
    pub(crate) addresses: Vec<String>,

    /// Evaluate in the module in this directory; all arguments are addresses or expressions
    #[arg(short = 'C', long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, conflicts_with = "files")]
    pub(crate) directory: Option<String>,

    /// Read this file; `-` is standard input
    ///
    /// Its attributes are evaluated, or with --template it is rendered. Repeatable for Bake files.
    #[arg(short, long = "file", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Evaluate only the attribute or block at this address, such as server.web.port
    #[arg(long, value_name = "PATH")]
    pub(crate) attr: Option<String>,

    /// Parse the expression or the file as a template and render it
    #[arg(long, conflicts_with = "attr")]
    pub(crate) template: bool,

    #[command(flatten)]
    pub(crate) scope: Scope,

    #[command(flatten)]
    pub(crate) product: Product,

    /// Print strings without quotes and escape sequences
    #[arg(short, long, conflicts_with_all = ["output", "json"])]
    pub(crate) raw: bool,

    #[command(flatten)]
    pub(crate) matching: Matching,

    #[command(flatten)]
    pub(crate) destination: Destination,

    #[command(flatten)]
    pub(crate) module: Module,

    /// Override an argument of a target in Bake files, as in `app.platform=linux/arm64`; repeatable
    #[arg(long, value_name = "TARGET.KEY=VALUE")]
    pub(crate) set: Vec<String>,

    /// List why values of a module are unknown, instead of all values: by reason, or by value with --output json
    #[arg(long, conflicts_with_all = ["explain", "partial"])]
    pub(crate) unknown: bool,

    /// Show sensitive values
    #[arg(long)]
    pub(crate) show_sensitive: bool,

    /// Evaluate as much as possible and write the rest as source code
    ///
    /// For a module, this writes all files that it reads, each after a comment with its name, or to the directory of --out.
    #[arg(long)]
    pub(crate) partial: bool,

    /// With --partial, also call functions that are random or read the clock, such as uuid and timestamp
    #[arg(long, requires = "partial")]
    pub(crate) impure: bool,

    /// Explain where values come from, with the source lines and the values
    ///
    /// This shows how a value is computed, with the source and value of each subexpression. For addresses of a module, this includes everything that they refer to: local values, variables, instances and
    /// other modules, each with its place. With --output json, the result is an array with an object for each address.
    #[arg(long, conflicts_with_all = ["partial", "show_sensitive"])]
    pub(crate) explain: bool,

    /// Watch the files, and run again whenever one of them changes, or a new one is there
    #[arg(long)]
    pub(crate) watch: bool,

    /// Write a file that sets the variables of a module, with comments, for people to fill in
    ///
    /// Variables without a default come first, with an empty value of their type. The others are comments with their defaults.
    #[arg(long, conflicts_with_all = ["explain", "partial", "unknown", "template"])]
    pub(crate) inputs_template: bool,

    /// Check the values of the variables of a module, instead of writing values: missing, unused and invalid ones
    ///
    /// The values are those of --var, --var-file, the files that the language reads by default, and the environment. As in Terraform,
    /// values of files for undeclared variables are warnings.
    #[arg(long, conflicts_with_all = ["explain", "partial", "unknown", "template", "inputs_template"])]
    pub(crate) inputs_check: bool,

    #[command(flatten)]
    pub(crate) spacing: Spacing,

    #[command(flatten)]
    pub(crate) reporting: Reporting,

    #[arg(skip)]
    pub(crate) given: ExplicitOptions,
}

impl Eval {
    pub(super) const FORMATS: &'static [Output] = &[
        Output::Hcl,
        Output::Json,
        Output::Yaml,
        Output::Raw,
        Output::Typed,
        Output::Ndjson,
        Output::Csv,
        Output::Tsv,
        Output::Table,
    ];

    /// The format, if there is an option for it.
    pub(crate) fn output(&self) -> Option<Output> {
        let format = self.product.format().or(self.raw.then_some(Output::Raw));
        // A template can be the text of any file.
        format.or_else(|| self.destination.format(Self::FORMATS).filter(|_| !self.template && !self.partial))
    }

    /// The file, if there is one.
    pub(crate) fn file(&self) -> Option<&PathBuf> {
        self.files.first()
    }
}

/// Show the references between the names of a module or of Bake files, or between units of Terragrunt
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl graph infrastructure --output svg > graph.svg
  hcl graph infrastructure --output html > graph.html
  hcl graph infrastructure | dot -Tpdf > graph.pdf
  hcl graph --output mermaid
  hcl graph --output json . | jq '.edges[]'
  hcl graph --focus output.url --depth 2
  hcl graph --focus var.region --reverse

In Bake files, only the names of targets are evaluated. All instances of a block with count, for_each or matrix are \
one node. Of Terragrunt, the units are shown that a unit depends on, or those below a directory.")]
pub(crate) struct Graph {
    /// The directory or a file of the module, Bake files, or units [default: the current directory]
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<String>,

    /// Show only this name and what it refers to; repeatable
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) focus: Vec<String>,

    /// With --focus, show what refers to the name instead
    #[arg(long, requires = "focus")]
    pub(crate) reverse: bool,

    /// With --focus, follow at most this number of references
    #[arg(long, value_name = "N", requires = "focus")]
    pub(crate) depth: Option<usize>,

    /// Show only names of this kind: input, value, values, object, call, result or unit; repeatable
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Vec<String>,

    #[command(flatten)]
    pub(crate) language: LanguageOption,

    #[command(flatten)]
    pub(crate) product: Product,

    #[command(flatten)]
    pub(crate) destination: Destination,

    /// Allow functions and calls of modules to read files in this directory; repeatable
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(crate) allow_fs: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) sources: Sources,
}

impl Graph {
    pub(super) const FORMATS: &'static [Output] =
        &[Output::Dot, Output::Mermaid, Output::Svg, Output::Html, Output::Json];

    pub(crate) fn output(&self) -> Output {
        self.product.format_for(&self.destination, Self::FORMATS).unwrap_or(Output::Dot)
    }
}

/// How a module is read.
#[derive(Debug, Group)]
pub(crate) struct Module {
    #[command(flatten)]
    pub(crate) language: LanguageOption,

    #[command(flatten)]
    pub(crate) providers: Providers,

    /// Treat resources that need no provider as created
    ///
    /// The output of a `terraform_data` resource is then its input. Otherwise, it is unknown, as in a plan.
    #[arg(long)]
    pub(crate) applied: bool,

    /// The name of the workspace, for `terraform.workspace` [default: `TF_WORKSPACE`, or else default]
    #[arg(long, value_name = "NAME")]
    pub(crate) workspace: Option<String>,

    #[command(flatten)]
    pub(crate) sources: Sources,
}

/// Evaluate expressions interactively
#[cfg(feature = "console")]
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl console --vars prod.tfvars
  hcl console infrastructure                        use the names of a Terraform module
  hcl console docker-bake.hcl --var TAG=v2          use the names of Bake files
  echo 'cidrsubnet(\"10.0.0.0/16\", 8, 2)' | hcl console

In the console, NAME = EXPR sets a variable, and :help lists the commands. Input continues on the next line while a \
bracket or heredoc is open. As in Terraform, variables of a module that have no value are unknown. The history is stored in hcl/history in $XDG_STATE_HOME or ~/.local/state \
(%LOCALAPPDATA% on Windows), unless --no-history is given.

If standard input is not a terminal, no prompt is shown. Results are written to standard output and errors to standard \
error. Evaluation continues after an error, and the exit code is 1 if there were errors.")]
pub(crate) struct Console {
    /// The directory or a file of a module or a unit of Terragrunt whose names expressions can use, or Bake files
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<String>,

    #[command(flatten)]
    pub(crate) module: Module,

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

    #[arg(skip)]
    pub(crate) given: ExplicitOptions,
}

/// The options on the command line, without those that only have a default.
#[derive(Debug, Clone, Default)]
pub(crate) struct ExplicitOptions(Vec<String>);

impl ExplicitOptions {
    pub(crate) fn of(matches: &ArgMatches) -> Self {
        let given = |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        Self(matches.ids().filter(given).map(|id| id.as_str().replace('_', "-")).collect())
    }

    /// Options that would have no effect are errors.
    pub(crate) fn reject(&self, options: &[&str], why: &str) -> Result<(), Failure> {
        match options.iter().find(|option| self.0.iter().any(|given| given == *option)) {
            Some(option) => Err(Failure::new(format!("--{option}: {why}"))),
            None => Ok(()),
        }
    }
}

/// Variables, functions and limits for evaluation. All commands that evaluate expressions share these options.
#[derive(Debug, Clone, Group)]
pub(crate) struct Scope {
    #[command(flatten)]
    pub(crate) definitions: Definitions,

    /// Treat undefined variables as unknown instead of reporting errors
    #[arg(long)]
    pub(crate) unknown_vars: bool,

    /// The functions that expressions can call
    #[arg(long, value_name = "LIBRARY", default_value = "terraform")]
    pub(crate) functions: FunctionSet,

    /// Allow functions and calls of modules to read files in this directory; repeatable
    ///
    /// Functions cannot read files outside of these directories. Relative paths are resolved from the current directory,
    /// regardless of the allowed directories. Functions of a module can also read the files of its repository, which is the
    /// nearest directory that contains `.git`, and relative paths are resolved from the directory of the module. A module may
    /// call modules in its repository and in these directories.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(crate) allow_fs: Vec<PathBuf>,

    /// Allow functions such as Packer's env to read environment variables
    #[arg(long)]
    pub(crate) allow_env: bool,
}

/// A library of functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FunctionSet {
    /// No functions
    None,
    /// The 15 functions of the spec language
    Spec,
    /// The standard library of cty, and try, can and convert
    Cty,
    /// The functions of Terraform 1.16
    Terraform,
    /// The functions of OpenTofu
    #[value(name = "opentofu")]
    OpenTofu,
    /// The functions of Packer
    Packer,
    /// The functions of Docker Bake
    Bake,
    /// The functions of Nomad's job files
    Nomad,
}

impl FunctionSet {
    pub(crate) fn library(self) -> Library {
        match self {
            Self::None => Library::None,
            Self::Spec => Library::Spec,
            Self::Cty => Library::Cty,
            Self::Terraform => Library::Terraform,
            Self::OpenTofu => Library::OpenTofu,
            Self::Packer => Library::Packer,
            Self::Bake => Library::Bake,
            Self::Nomad => Library::Nomad,
        }
    }
}
