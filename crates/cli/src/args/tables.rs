//! The options of `hcl tables`.

use std::path::PathBuf;
use std::str::FromStr as _;

use clap::Args as Group;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use hclkit_tables::{RepoFrom, Table};

use super::{Destination, Output};

/// Write blocks, references, module calls and more as tables for query engines
#[derive(Debug, Group)]
#[command(after_help = "Examples:
  hcl tables . --out tables                         all tables of the current directory, in Parquet
  hcl tables --table module_calls repos/*           as lines of JSON
  hcl tables --out tables --repo-from 'repos/*/*' repos
  hcl tables --out tables mirrors/*.git             bare repositories, without a checkout
  hcl tables --out tables --partition --incremental mirrors/*.git
  hcl tables --out tables files.parquet             a table of files
  hcl tables --evaluate --table values --output csv infra
  hcl tables --table module_calls --output table    in columns, for people
  duckdb -c \"SELECT module, version, count(*) FROM 'tables/module_calls.parquet' GROUP BY ALL\"

PATH is a directory, a file, a bare repository of Git (its commit HEAD) or a directory of such repositories whose names end in .git, an archive (.tar, .tar.gz, .tgz), or a table of files \
(.parquet, .ndjson) with the columns path and content, and perhaps repo and commit. --out is a directory that gets a file for each \
table. Without it, one table goes to standard output.

The tables instances and values come from evaluating each directory; functions that read files are unknown. Files with errors \
are rows of the table diagnostics. Values that are declared as sensitive are in no table, and those of variable files only with \
--variable-values. Rows are in the order of the input.

Exit codes: 0 on success, also if files have errors, 2 on invalid usage, unreadable input, or if a limit ended some of the work.")]
// Each flag is an option of the command line.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Tables {
    /// Directories, files, bare repositories, archives and tables of files [default: the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Write only this table; repeatable
    #[arg(long = "table", value_name = "TABLE", value_parser = table())]
    chosen: Vec<Table>,

    /// Also evaluate directories, for the tables instances and values
    #[arg(long)]
    evaluate: bool,

    /// The format of what is written
    #[arg(short, long, value_name = "FORMAT")]
    output: Option<Output>,

    #[command(flatten)]
    pub(crate) destination: Destination,

    /// The column repo: `git` for the remote of the repository, or a pattern for the start of paths, such as `repos/*/*`, whose `*` make up the name
    #[arg(long, value_name = "HOW", value_parser = RepoFrom::from_str)]
    pub(crate) repo_from: Option<RepoFrom>,

    /// Write files for each repository, to TABLE/repo=NAME
    #[arg(long, requires = "out")]
    pub(crate) partition: bool,

    /// Read only repositories whose commit has changed since the last run, keep the files of the others, and remove those of repositories that are gone; for bare repositories and archives
    #[arg(long, requires = "partition")]
    pub(crate) incremental: bool,

    /// Also write the values in variable files, which may be sensitive
    #[arg(long)]
    pub(crate) variable_values: bool,

    /// With --output csv, write ' before texts that spreadsheets treat as formulas: those that begin with =, +, -, @, a tab or the end of a line
    #[arg(long)]
    pub(crate) no_formulas: bool,

    /// Maximum number of bytes in flight: contents that wait, what is made of them, and rows that wait; a file may have a quarter of them
    #[arg(long = "max-bytes-in-flight", value_name = "SIZE", default_value = "256MiB", value_parser = super::global::size)]
    pub(crate) max_in_flight: u64,

    /// The number of threads [default: that of the processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    #[command(flatten)]
    pub(crate) files: super::Files,
}

impl Tables {
    pub(super) const FORMATS: &'static [Output] =
        &[Output::Parquet, Output::Arrow, Output::Csv, Output::Ndjson, Output::Table];

    /// The format.
    pub(crate) fn output(&self) -> Output {
        let default = if self.destination.out.is_some() { Output::Parquet } else { Output::Ndjson };
        self.output.unwrap_or(default)
    }

    /// The tables, each once.
    pub(crate) fn tables(&self) -> Vec<Table> {
        let is_default = |table: &Table| self.evaluate || !table.is_evaluated();
        if self.chosen.is_empty() {
            return Table::ALL.into_iter().filter(is_default).collect();
        }
        Table::ALL.into_iter().filter(|table| self.chosen.contains(table)).collect()
    }
}

fn table() -> impl clap::builder::TypedValueParser<Value = Table> {
    PossibleValuesParser::new(Table::ALL.map(Table::name)).try_map(|name| name.parse::<Table>())
}
