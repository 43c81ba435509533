//! The options of `hcl diff`.

use std::path::PathBuf;

use clap::Args as Group;

use super::{Definitions, Destination, Module, Output, Product, Reporting, Spacing};

/// Show what a change does: instances, values, outputs and versions of two versions of a module
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl diff main...HEAD                              what the commits of a branch change, in all root modules
  hcl diff main envs/prod                           one module, with what is not committed
  hcl diff HEAD :index                              what is added to the next commit
  hcl diff v1.0 v2.0 modules/network --explain
  hcl diff old/app new/app                          two directories
  hcl diff --var-file staging.tfvars --var-file production.tfvars envs/app
  hcl diff main...HEAD --output markdown            for the comment of a pull request
  hcl diff main...HEAD --rules policy/              what rules newly find, too
  hcl diff main...HEAD --affected --output matrix   the root modules that change, for a matrix of jobs

OLD and NEW are commits (branches, tags, ids, each perhaps with ~2 or ^), :index, :worktree (the default of NEW), or two directories. A...B compares B \
with the commit at which it branched off from A. Commits are read from the repository of the current directory, without a checkout. \
Without DIR, all root modules are compared that the change can affect. One DIR with two --var-file is compared with itself, with \
the inputs of each.

No provider, state or network is used. A value that is unknown before an apply may change if it is computed in another way, or \
from an object that changes. Of sensitive values, only whether they change is shown.

Exit codes: 0 if nothing changes in meaning, 1 if something does, 2 on invalid usage, errors in a version, or if a limit ended \
some of the work.")]
// Each flag is an option of the command line.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Diff {
    /// Two versions or a range such as main...HEAD, then directories [default: all root modules that change]
    #[arg(value_name = "OLD|NEW|DIR")]
    pub(crate) versions: Vec<String>,

    /// Explain where values come from, with the source lines and the values
    ///
    /// For each change, these are the names at which the ways to the old and the new value begin to differ.
    #[arg(long)]
    pub(crate) explain: bool,

    /// List only the root modules whose meaning changes, and the changed files that they read
    #[arg(long)]
    pub(crate) affected: bool,

    /// Do not search for warnings that are new, and apply no rules
    #[arg(long)]
    pub(crate) no_lints: bool,

    /// Apply the rules in a file or a directory, or those that hcl contains (builtin:NAME, builtin:all); repeatable
    ///
    /// What they newly find, or no longer find, is shown. Without this option, the rules are those of the table [test] in hcl.toml.
    /// The exit code does not depend on them.
    #[arg(long, value_name = "FILE|DIR|builtin:NAME")]
    pub(crate) rules: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) definitions: Definitions,

    /// Allow functions and calls of modules to read files in this directory; repeatable
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(crate) allow_fs: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) module: Module,

    #[command(flatten)]
    pub(crate) product: Product,

    #[command(flatten)]
    pub(crate) destination: Destination,

    #[command(flatten)]
    pub(crate) spacing: Spacing,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

impl Diff {
    pub(super) const FORMATS: &'static [Output] =
        &[Output::Human, Output::Json, Output::Markdown, Output::Github, Output::Html, Output::Matrix];

    pub(crate) fn output(&self) -> Output {
        self.product.format_for(&self.destination, Self::FORMATS).unwrap_or(Output::Human)
    }
}
