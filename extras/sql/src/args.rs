//! The command line of `hcl-sql`. Options that say what is read have the names and the meaning of those of `hcl tables`, which
//! gets them unchanged and checks their values.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anstream::ColorChoice;
use clap::error::ErrorKind;
use clap::{Args as Group, CommandFactory as _, Parser, ValueEnum};
use hclkit_tables::Table;

use crate::watch::Most;

/// Answer questions in SQL about HCL files: blocks, attributes, references, module calls and more.
#[derive(Debug, Parser)]
#[command(name = "hcl-sql", version, max_term_width = 100)]
#[command(override_usage = "hcl-sql [OPTIONS] <QUERY> [PATH]...
       hcl-sql [OPTIONS] --file <FILE> [PATH]...
       hcl-sql --schema")]
#[command(after_help = "Examples:
  hcl-sql 'SELECT module, version, count(*) FROM module_calls GROUP BY ALL'
  hcl-sql 'SELECT path, address FROM blocks WHERE type = '\\''aws_s3_bucket'\\''' infra
  hcl-sql --repo-from git \"SELECT repo, name FROM module_calls WHERE NOT pinned\" repos/*
  hcl-sql 'SELECT address, value FROM values WHERE known' envs/prod
  hcl-sql --output csv --out calls.csv 'SELECT * FROM module_calls' mirrors/*.git
  hcl-sql --file question.sql --tables tables            tables that `hcl tables --out tables` has written
  hcl-sql 'DESCRIBE attributes'                          the columns of a table

PATH is a directory, a file, a bare repository of Git (its commit HEAD), an archive (.tar, .tar.gz, .tgz), or a table of files \
(.parquet, .ndjson) with the columns path and content, as for `hcl tables`. Only the tables of the query are made from them, as \
temporary files in Parquet, and the tables instances and values come from evaluating each directory.

The dialect is that of Apache DataFusion. The columns \"from\" and \"to\" are words of SQL and need double quotes. Queries only read: SELECT, WITH, VALUES, EXPLAIN, SHOW and DESCRIBE. Without ORDER BY, rows are in the \
same order in each run, unless --threads is given.

Files with errors are rows of the table diagnostics. Values that are declared as sensitive are in no table, and those of variable \
files only with --variable-values.

Exit codes: 0 on success, also if files have errors, 1 if there are no rows, 2 on invalid usage, an invalid query, unreadable input, \
or if a limit ended some of the work.")]
pub(crate) struct Args {
    /// The query in SQL
    #[arg(value_name = "QUERY", required_unless_present_any = ["file", "schema"])]
    query: Option<OsString>,

    /// Directories, files, bare repositories, archives and tables of files [default: the current directory]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Read the query from FILE; `-` is standard input
    #[arg(short, long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Query the tables in DIR, which `hcl tables --out DIR` has written in Parquet, instead of reading files
    #[arg(long, value_name = "DIR")]
    pub(crate) tables: Option<PathBuf>,

    /// Print all tables and their columns
    #[arg(long, conflicts_with_all = ["file", "tables", "query", "output", "out"])]
    pub(crate) schema: bool,

    /// The format of what is written
    #[arg(short, long, value_name = "FORMAT", default_value = "table")]
    pub(crate) output: Output,

    /// Write to PATH instead of standard output
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,

    /// Exit with 0 even if there are no rows
    #[arg(long)]
    pub(crate) allow_empty: bool,

    /// Maximum memory that the query counts, in bytes or with the suffix KiB, MiB or GiB; what does not fit goes to temporary files
    #[arg(long, value_name = "SIZE", default_value = "512MiB", value_parser = size)]
    pub(crate) memory: usize,

    /// Maximum duration of the query after the files are read, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = clap::value_parser!(u64).range(1..))]
    query_timeout: u64,

    /// The number of threads [default: that of the processors to read files, and one for the query]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// When to use colors; `auto` respects `NO_COLOR`
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,

    /// Do not print warnings and notes
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// What is read, and within which limits.
#[derive(Debug, Group)]
#[command(next_help_heading = "Files")]
// Each flag is an option of the command line.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Reading {
    /// The column repo: `git` for the remote of the repository, or a pattern for the start of paths, such as `repos/*/*`, whose `*` make up the name
    #[arg(long, value_name = "HOW")]
    repo_from: Option<OsString>,

    /// Also read the values in variable files, which may be sensitive
    #[arg(long)]
    variable_values: bool,

    /// In directories, select files that match GLOB instead of those with known extensions; repeatable
    #[arg(long, value_name = "GLOB")]
    include: Vec<OsString>,

    /// In directories, skip files and directories that match GLOB; repeatable
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<OsString>,

    /// In directories, also select files listed in .gitignore or .hclignore that are not in the index of Git
    #[arg(long)]
    no_ignore: bool,

    /// In directories, also search hidden directories
    #[arg(long)]
    hidden: bool,

    /// In directories, also follow symbolic links to files outside of the directory
    #[arg(long)]
    follow: bool,

    /// The file name to use for standard input, which is the path `-`
    #[arg(long, value_name = "NAME")]
    stdin_name: Option<OsString>,

    /// Maximum size of an input file, in bytes or with the suffix KiB, MiB or GiB [default: 256MiB]
    #[arg(long, value_name = "SIZE")]
    max_size: Option<OsString>,

    /// Maximum nesting depth of expressions, templates and blocks
    #[arg(long, value_name = "N")]
    max_nesting: Option<OsString>,

    /// Maximum number of subexpressions to evaluate in a directory
    #[arg(long, value_name = "N")]
    max_steps: Option<OsString>,

    /// Maximum number of collection elements to create in the evaluation of a directory
    #[arg(long, value_name = "N")]
    max_elements: Option<OsString>,

    /// Maximum number of bytes of text to create in the evaluation of a directory
    #[arg(long, value_name = "BYTES")]
    max_bytes: Option<OsString>,

    /// Maximum duration of the evaluation of a directory, in seconds
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<OsString>,
}

/// A format of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// A table for people; long cells are shortened
    Table,
    /// Lines with values separated by commas
    Csv,
    /// Lines with values separated by tabs
    Tsv,
    /// A list of JSON objects
    Json,
    /// A line of JSON for each row
    Ndjson,
    /// Parquet
    Parquet,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Color {
    /// Only if the output is a terminal
    Auto,
    Always,
    Never,
}

impl Args {
    /// Parses the command line of the process.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let args = Self::try_parse()?;
        let conflict = |why: &str| Err(Self::command().error(ErrorKind::ArgumentConflict, why));
        if args.tables.is_some() && (!args.paths().is_empty() || args.reading.is_given()) {
            return conflict("--tables reads tables: it takes no PATH and no option for reading files");
        }
        if args.output == Output::Parquet && args.out().is_none() {
            return conflict("--output parquet requires --out PATH");
        }
        if args.file.as_deref() == Some(Path::new("-")) && args.paths().contains(&PathBuf::from("-")) {
            return conflict("both the query and a PATH are standard input");
        }
        Ok(args)
    }

    /// The limits of the query.
    pub(crate) fn most(&self) -> Most {
        Most { time: Duration::from_secs(self.query_timeout), memory: self.memory }
    }

    /// The query, if it is an argument.
    pub(crate) fn query(&self) -> Option<&OsString> {
        self.query.as_ref().filter(|_| self.file.is_none())
    }

    /// What is read. With `--file`, the first argument is not the query.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        let first = self.query.as_ref().filter(|_| self.file.is_some());
        first.map(PathBuf::from).into_iter().chain(self.paths.iter().cloned()).collect()
    }

    /// The output file, if any.
    pub(crate) fn out(&self) -> Option<&Path> {
        self.out.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// The command line of `hcl` that writes tables to a directory.
    pub(crate) fn extraction(&self, tables: &[Table], directory: &Path) -> Vec<OsString> {
        let mut line: Vec<OsString> =
            ["hcl", "tables", "--output", "parquet", "--out"].map(Into::into).into();
        line.push(directory.into());
        for table in tables {
            line.extend(["--table".into(), table.name().into()]);
        }
        line.extend(["--color".into(), self.color.name().into()]);
        if self.quiet {
            line.push("--quiet".into());
        }
        if let Some(threads) = self.threads {
            line.extend(["--threads".into(), threads.to_string().into()]);
        }
        line.extend(self.reading.line());
        line.push("--".into());
        line.extend(self.paths().into_iter().map(PathBuf::into_os_string));
        line
    }
}

impl Reading {
    fn is_given(&self) -> bool {
        !self.line().is_empty()
    }

    /// The same options for `hcl`.
    fn line(&self) -> Vec<OsString> {
        let flags = [
            ("--variable-values", self.variable_values),
            ("--no-ignore", self.no_ignore),
            ("--hidden", self.hidden),
            ("--follow", self.follow),
        ];
        let one = |value: &Option<OsString>| value.clone().into_iter().collect();
        let values: [(&str, Vec<OsString>); 10] = [
            ("--repo-from", one(&self.repo_from)),
            ("--include", self.include.clone()),
            ("--exclude", self.exclude.clone()),
            ("--stdin-name", one(&self.stdin_name)),
            ("--max-size", one(&self.max_size)),
            ("--max-nesting", one(&self.max_nesting)),
            ("--max-steps", one(&self.max_steps)),
            ("--max-elements", one(&self.max_elements)),
            ("--max-bytes", one(&self.max_bytes)),
            ("--timeout", one(&self.timeout)),
        ];
        let flags = flags.into_iter().filter(|(_, given)| *given).map(|(name, _)| name.into());
        let with_value = |name: &str, value: OsString| {
            let mut word = OsString::from(name);
            word.push("=");
            word.push(value);
            word
        };
        let values = values
            .into_iter()
            .flat_map(|(name, values)| values.into_iter().map(move |value| with_value(name, value)));
        flags.chain(values).collect()
    }
}

impl Color {
    pub(crate) fn choice(self) -> ColorChoice {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Never => "never",
        }
    }
}

/// A number of bytes, such as `65536` or `64KiB`.
fn size(text: &str) -> Result<usize, String> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("", 1)];
    let sizes = units.iter().filter_map(|(unit, bytes)| {
        text.strip_suffix(unit)?.trim_end().parse::<usize>().ok()?.checked_mul(*bytes)
    });
    sizes.into_iter().next().ok_or_else(|| "expected a number of bytes, such as 65536 or 512MiB".to_owned())
}
