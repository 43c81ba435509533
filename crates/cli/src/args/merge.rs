//! The options of `hcl merge`.

use std::path::PathBuf;

use clap::{Args as Group, ValueEnum};

/// Merge three versions of a file by blocks and attributes, as a merge driver of Git
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl merge base.tf ours.tf theirs.tf              write the result to ours.tf
  hcl merge base.tf ours.tf theirs.tf --result -   print it
  git config merge.hcl.name 'HCL by blocks'
  git config merge.hcl.driver 'hcl merge %O %A %B --marker-size %L --path %P'
  echo '*.tf merge=hcl' >> .gitattributes

If a merge by lines has no conflict and its result is valid, that is the result. Otherwise the versions are merged by blocks, attributes \
and items of objects, which are found by their names, and what only one side changed is taken from it. What both changed in different ways gets \
conflict markers. Files in other syntaxes than the native one, and versions with syntax errors or conflict markers, are merged by lines, which is said.

--path, or the name of OURS, says which syntax the file is in. docs/merging.md describes merges.

Exit codes: 0 if there are no conflicts, 1 if there are, 2 on other errors; then OURS is not changed.")]
pub(crate) struct Merge {
    /// The common ancestor (%O)
    #[arg(value_name = "BASE")]
    pub(crate) base: PathBuf,

    /// The version of the current branch (%A), which gets the result
    #[arg(value_name = "OURS")]
    pub(crate) ours: PathBuf,

    /// The version of the branch that is merged (%B)
    #[arg(value_name = "THEIRS")]
    pub(crate) theirs: PathBuf,

    /// Write the result to FILE instead of OURS; `-` is standard output
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) result: Option<PathBuf>,

    /// The name of the file in the repository (%P)
    #[arg(long, value_name = "NAME")]
    pub(crate) path: Option<PathBuf>,

    /// The length of conflict markers (%L)
    #[arg(long, value_name = "NUMBER", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) marker_size: u16,

    /// How conflicts are written
    #[arg(long, value_name = "STYLE", default_value = "merge")]
    pub(crate) style: Style,

    /// The label of the common ancestor at conflict markers (%S)
    #[arg(long, value_name = "LABEL", default_value = "base")]
    pub(crate) base_label: String,

    /// The label of OURS at conflict markers (%X)
    #[arg(long, value_name = "LABEL", default_value = "ours")]
    pub(crate) ours_label: String,

    /// The label of THEIRS at conflict markers (%Y)
    #[arg(long, value_name = "LABEL", default_value = "theirs")]
    pub(crate) theirs_label: String,
}

/// How conflicts are written, with the names of Git's `merge.conflictStyle`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// Both sides
    Merge,
    /// Both sides and the common ancestor
    Diff3,
    /// The same, without equal lines at the start and the end of both sides
    Zdiff3,
}
