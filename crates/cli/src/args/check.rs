//! The options of `hcl check`.

use std::path::PathBuf;

use clap::{Arg, Args as Group};

use super::{BaselineFile, Features, Files, Providers, Reporting, Sources, Spacing, VersionedLanguage};

/// Find errors in files, and fix those that have an obvious fix
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl check                          check all HCL files in the current directory and below
  hcl check main.tf modules/         check a file and all files in a directory
  hcl check --exclude '*.tfvars' .   skip some files
  hcl check --fix                    show what can be fixed
  hcl check --fix --write            fix it, and report the rest
  cat main.tf | hcl check --fix -    fix standard input and write it to standard output
  hcl check --report sarif > hcl.sarif
  hcl check --deny warnings --allow unused-declaration
  hcl check --spec service.hcldec --dynamic --unknown-vars services/
  hcl check --watch                  check again whenever a file changes
  hcl check --syntax-only a.tf       check only the syntax of a file, and not its module

In directories, hcl checks files named *.tf, *.tofu, *.tfvars, *.tfbackend, *.hcl and *.nomad, and the same names with \
.json appended or in place of .hcl (*.pkr.json, *.tftest.json), which are read in the JSON syntax. It skips hidden directories and files listed in .gitignore or \
.hclignore. With --spec, it also skips variable files (*.tfvars, *.pkrvars.hcl).

Directories with files of Terraform, OpenTofu or Packer are checked as modules, and a file with the module that it belongs \
to, for undefined and unused names, wrong \
arguments of modules in the given directories, wrong types, and conditions that are not met. Variables are unknown unless \
a file such as terraform.tfvars sets them. Only errors that do not depend on a provider are reported. If files of a \
directory are skipped, it is not checked as a module. Bake files (docker-bake.hcl and the other files that Bake reads by \
default) are checked for undefined names and targets, unused variables and wrong types.

A GLOB has the syntax of .gitignore patterns. Without a slash, it matches names at any depth. With a slash, it is an \
absolute path or relative to the searched directory or the current directory.

Without --spec, other files are only checked for syntax errors. With --spec, each file is also decoded as in `hcl decode` (with --merge, \
all files of a directory together), and --fix also corrects misspelled argument and block names.

A comment `# hcl-check: allow CODE reason` allows a code in the attribute or block below it, or else in the line below it, or \
in its own line if something is before it. A comment that allows nothing is reported.

Warnings are reported after errors. More than 10 of one code are a line each, or with --summary a count.

A fix never introduces new errors. With --fix --write, the exit code is 0 if no errors remain and 1 otherwise. Without \
--write, all errors are reported, so the exit code is 1 if there are any errors, whether or not they have fixes.")]
#[command(mut_arg("functions", |functions| functions.default_value("none")))]
#[command(mut_args(only_with_spec))]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Check {
    /// Files and directories; `-` is standard input [default: the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) files: Files,

    #[command(flatten)]
    pub(crate) reporting: Reporting,

    #[command(flatten)]
    pub(crate) spacing: Spacing,

    /// Print the suggested fixes as a unified diff, or apply them with --write, and report the remaining errors
    #[arg(long)]
    pub(crate) fix: bool,

    /// Write the files instead of printing the changes
    #[arg(short, long, requires = "fix")]
    pub(crate) write: bool,

    /// The spec file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) features: Features,

    #[command(flatten)]
    pub(crate) language: VersionedLanguage,

    /// Print which application and version each module is for, and why, instead of checking it
    #[arg(long, conflicts_with_all = ["spec", "syntax_only", "fix"])]
    pub(crate) explain_version: bool,

    /// Merge files into one configuration
    #[arg(long)]
    pub(crate) merge: bool,

    /// Check only the syntax of files, and not what modules and Bake files mean
    #[arg(long, conflicts_with = "spec")]
    pub(crate) syntax_only: bool,

    /// Read only files that differ from this branch, tag or commit
    ///
    /// The modules that call those with such files are checked, too. Compares with the last common commit, as a pull request does. New files count unless Git ignores them. A file in a
    /// directory without modules belongs to the nearest module above it. Of --baseline, only
    /// what it listed at that commit counts.
    #[arg(long, value_name = "REF", conflicts_with = "spec")]
    pub(crate) changed_since: Option<String>,

    /// The directory for what is kept, which is created if necessary
    ///
    /// Keeps which files and modules had no findings, and does not check them again until something that their check reads changes.
    /// The report is the same. The directory must be outside of what is checked. Only fingerprints and names are kept, and only the user
    /// can open the directory. With `auto`, it is `hcl` in `$XDG_CACHE_HOME` or ~/.cache (`%LOCALAPPDATA%` on Windows); nothing is kept if that
    /// cannot be used, or with --spec, --syntax-only, --fix and --explain-version.
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,

    /// Watch the files, and run again whenever one of them changes, or a new one is there
    #[arg(long, conflicts_with_all = ["fix", "update_baseline", "explain_version"])]
    pub(crate) watch: bool,

    /// Do not check modules outside of PATH that call those in it
    ///
    /// Otherwise, they are searched in the repository, which is the nearest directory that contains `.git`.
    #[arg(long)]
    pub(crate) no_callers: bool,

    /// The name of the workspace, for `terraform.workspace` [default: `TF_WORKSPACE`, or else default]
    #[arg(long, value_name = "NAME")]
    pub(crate) workspace: Option<String>,

    #[command(flatten)]
    pub(crate) sources: Sources,

    #[command(flatten)]
    pub(crate) providers: Providers,

    #[command(flatten)]
    pub(crate) levels: Levels,
}

/// What is reported, and as what.
#[derive(Debug, Clone, Default, Group)]
pub(crate) struct Levels {
    /// Report a code as an error: a code such as unused-declaration, or `warnings` for all warnings; repeatable
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = super::AnyCode, hide_possible_values = true)]
    pub(crate) deny: Vec<String>,

    /// Report a code as a warning, even if it is an error; repeatable
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = super::AnyCode, hide_possible_values = true)]
    pub(crate) warn: Vec<String>,

    /// Do not report a code; repeatable
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = super::AnyCode, hide_possible_values = true)]
    pub(crate) allow: Vec<String>,

    #[command(flatten)]
    pub(crate) baseline: BaselineFile,

    /// Print a count for each code instead of warnings
    #[arg(long)]
    pub(crate) summary: bool,
}

/// Evaluation options of `hcl check` require a spec file.
fn only_with_spec(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "var" | "vars" | "unknown_vars" | "functions" | "allow_fs" | "allow_env" | "dynamic" | "merge" => {
            arg.requires("spec")
        }
        "report" => arg.alias("format"),
        _ => arg,
    }
}
