//! Options that select files in directories.

use clap::Args as Group;

/// Which files of directories to read.
#[derive(Debug, Clone, Group)]
pub(crate) struct Files {
    /// In directories, select files that match GLOB instead of those with known extensions; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// In directories, skip files and directories that match GLOB; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    /// In directories, also select files listed in .gitignore or .hclignore that are not in the index of Git
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// In directories, also search hidden directories
    #[arg(long)]
    pub(crate) hidden: bool,

    /// In directories, also follow symbolic links to files outside of the directory
    #[arg(long)]
    pub(crate) follow: bool,
}

/// What happens if nothing is found.
#[derive(Debug, Clone, Copy, Default, Group)]
pub(crate) struct Matching {
    /// Exit with 0 even if nothing is found
    #[arg(long)]
    pub(crate) allow_empty: bool,
}
