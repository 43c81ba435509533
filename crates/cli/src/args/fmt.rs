//! The options of `hcl fmt`, including options of the formatters that it can replace.

use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{ArgAction, Args as Group};

/// Format HCL files
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl fmt                            format all HCL files in the current directory and below
  hcl fmt main.tf modules/           format a file and all files in a directory
  hcl fmt --check                    list files that would change, and exit with 1 if there are any
  hcl fmt --diff --check             also show the changes
  hcl fmt --check --report github    annotate the lines that would change
  hcl fmt --changed-since main       format only the files that a branch changes
  cat main.tf | hcl fmt -            format standard input and write it to standard output
  hcl fmt --stdin-name main.tf - < main.tf
  hcl fmt --language terraform -check -recursive

hcl fmt prints the names of changed files. It reports files with syntax errors and files in the JSON syntax, and does \
not change them. It skips hidden directories and files listed in .gitignore or .hclignore.

Options can also be written with a single dash, as in terraform, packer and nomad: -check, -diff, -recursive, \
-write=false, -list=false. By default, the name of each file decides which tool's formatting is used. With --language, \
hcl fmt formats only the files that the tool formats, searches subdirectories only with --recursive (terragrunt: \
always), and exits like the tool with --check: with 3 for terraform, tofu and packer, \
and with 1 for the others.

Comments exclude parts of a file from formatting: the lines from `# hcl-fmt: off` to `# hcl-fmt: on`, an attribute or a \
block with `# hcl-fmt: skip` above it or at the end of its line, or the whole file with `# hcl-fmt: skip-file`.

An `hcl.toml` file in the current directory, or in the nearest parent directory that has one, sets a style that the \
tools do not support. It does not apply with --language:

  [fmt]
  align = false              # do not align equals signs and comments
  blank-lines = true         # blank lines before and after blocks
  trailing-commas = true     # commas after the last of several lines

Exit codes: 0 on success, 1 (or 3) if files would change with --check, 1 if a file has errors (2 with --language terraform \
and opentofu), 2 on other errors.")]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Fmt {
    /// Files and directories; `-` is standard input [default: the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Do not write files, and exit with a non-zero code if files would change
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, action = ArgAction::Set)]
    #[arg(value_parser = BoolishValueParser::new())]
    #[arg(
        default_value_t = false,
        default_missing_value = "true",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub(crate) check: bool,

    /// Also show the changes as a unified diff; with --check, without writing them
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, action = ArgAction::Set)]
    #[arg(value_parser = BoolishValueParser::new())]
    #[arg(
        default_value_t = false,
        default_missing_value = "true",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub(crate) diff: bool,

    /// Write the files instead of printing the changes
    ///
    /// This is the default, unless --check is given or standard input is formatted.
    #[arg(short, long, value_name = "BOOL", num_args = 0..=1, require_equals = true, action = ArgAction::Set)]
    #[arg(value_parser = BoolishValueParser::new())]
    #[arg(default_value_t = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) write: bool,

    /// Print the names of changed files
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, action = ArgAction::Set)]
    #[arg(value_parser = BoolishValueParser::new())]
    #[arg(default_value_t = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) list: bool,

    /// Also search subdirectories [default: true without --language]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, action = ArgAction::Set)]
    #[arg(value_parser = BoolishValueParser::new())]
    #[arg(default_missing_value = "true", hide_possible_values = true)]
    pub(crate) recursive: Option<bool>,

    /// Write changed files, and exit with 1 if there are any
    #[arg(long, conflicts_with = "check")]
    pub(crate) require_no_change: bool,

    /// Read only files that differ from this branch, tag or commit
    ///
    /// Compares with the last common commit, as a pull request does. New files count unless Git ignores them.
    #[arg(long, value_name = "REF")]
    pub(crate) changed_since: Option<String>,

    #[command(flatten)]
    pub(crate) reporting: super::Reporting,

    #[command(flatten)]
    pub(crate) spacing: super::Spacing,

    #[command(flatten)]
    pub(crate) language: super::LanguageOption,

    #[command(flatten)]
    pub(crate) files: super::Files,
}
