//! `hcl tables`: HCL as tables for other engines. `tables/update.rs` reads only repositories that have changed.

mod update;

use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hclkit_files::Observer;
use hclkit_tables::{
    Caller, Enter, Entry, Format, Inputs, Options, Run, Summary, Table, Target, partition_name,
};

use crate::args::{Output, Tables};
use crate::atomic_write::{self, NewFile, OutputDirectory};
use crate::host::{self, Host};
use crate::input::{STDIN_NAME, or_here, selection};
use crate::module::Reads;
use crate::outcome::{Failure, Outcome};
use crate::output::{complain, note, plural, print_bytes, warn};
use crate::progress::Progress;
use crate::values;
use update::Update;

pub(crate) fn run(command: &Tables) -> Result<Outcome, Failure> {
    let tables = command.tables();
    let is_for_people = command.output() == Output::Table;
    if is_for_people && command.destination.out.is_some() {
        return Err(Failure::new("--output table is for standard output; use --output csv with --out"));
    }
    let format = match command.output() {
        Output::Table if !command.no_formulas => Format::Ndjson,
        Output::Arrow => Format::Arrow,
        Output::Csv if command.no_formulas => Format::CsvWithoutFormulas,
        _ if command.no_formulas => return Err(Failure::new("--no-formulas requires --output csv")),
        Output::Csv => Format::Csv,
        Output::Ndjson => Format::Ndjson,
        _ => Format::Parquet,
    };
    let out = atomic_write::file(command.destination.out.as_ref());
    let directory = match out {
        Some(path) => Some(OutputDirectory::create(path)?),
        None if tables.len() != 1 => {
            let why = "several tables require --out DIR; for one on standard output, use --table TABLE";
            return Err(Failure::new(why));
        }
        None if matches!(format, Format::Parquet | Format::Arrow) => {
            return Err(Failure::new(format!("--output {format} requires --out DIR")));
        }
        None => None,
    };
    let progress = Arc::new(Progress::new(0, "files"));
    let user = Arc::new(User { progress: progress.clone(), failed: AtomicBool::new(false) });
    let update = match &directory {
        Some(directory) if command.incremental => {
            Some(Update::plan(command, directory, format, user.as_ref())?)
        }
        Some(directory) => {
            Update::forget(directory)?;
            None
        }
        None => None,
    };
    let update = update.as_ref();
    let columns = is_for_people.then(Arc::default);
    let first = tables[0];
    let mut target = Destination {
        directory: directory.as_ref(),
        columns: columns.clone(),
        extension: format.extension(),
        update,
        used: HashSet::new(),
        partition: None,
        progress: progress.clone(),
    };
    let selection = selection(&command.files)?;
    let evaluates = tables.iter().any(|table| table.is_evaluated());
    let host = Host::current();
    let options = options(command, tables, &host);
    let own_host = host.clone();
    let enter: Enter = Arc::new(move |work: &mut dyn FnMut()| {
        own_host.enter();
        own_host.run(work);
    });
    let threads = command
        .threads
        .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let run = Run { options, format, partitioned: command.partition, threads, enter };
    let inputs = Inputs::new(selection, user.clone())
        .with_repo_from(command.repo_from.clone())
        .with_evaluation(evaluates)
        .with_most_bytes(host.max_size(), command.max_in_flight)
        .with_failures(update.map(Update::failures).unwrap_or_default());
    let shown = &*progress;
    let produce = move |emit: &mut dyn FnMut(Entry) -> bool| {
        let mut emit = |entry: Entry| {
            shown.grow(1);
            emit(entry)
        };
        let mut paths = or_here(&command.paths).iter();
        paths.all(|path| update.is_some_and(|update| update.keeps(path)) || inputs.emit(path, &mut emit));
    };
    let written = run.write(produce, &mut target).and_then(|summary| {
        target.complete()?;
        Ok(summary)
    });
    let written = written.map_err(|error| match out {
        Some(path) => atomic_write::unwritable(path, error),
        None => Failure::from(error),
    });
    progress.finish();
    let summary = written?;
    if let Some(text) = columns {
        print_columns(first, &text.lock().unwrap_or_else(PoisonError::into_inner))?;
    }
    if let Some(update) = update {
        update.finish()?;
    }
    Ok(report(&summary, user.failed.load(Ordering::Relaxed)))
}

/// Prints the rows of a table, which are lines of JSON, in columns with names in capital letters.
fn print_columns(table: Table, lines: &[u8]) -> Result<(), Failure> {
    type Row = serde_json::Map<String, serde_json::Value>;
    let names: Vec<&str> = table.columns().map(|column| column.name).collect();
    let cell = |row: &Row, name: &str| match row.get(name) {
        None | Some(serde_json::Value::Null) => String::new(),
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let mut rows = vec![names.iter().map(|name| name.to_uppercase()).collect()];
    for row in serde_json::Deserializer::from_slice(lines).into_iter::<Row>() {
        let row = row?;
        rows.push(names.iter().map(|name| cell(&row, name)).collect());
    }
    print_bytes(values::table(&rows, Output::Table, values::longest_cell()).as_bytes())
}

/// The largest text of a table for people: rows are collected before the widths of columns are known.
const MOST_COLUMNS: usize = 64 << 20;

/// Who runs the program.
struct User {
    progress: Arc<Progress>,
    /// Whether something could not be read.
    failed: AtomicBool,
}

impl Observer for User {
    fn opens(&self, path: &Path) {
        Reads.opens(path);
    }

    fn enters(&self, directory: &Path) -> bool {
        Reads.enters(directory)
    }

    fn descends(&self, directory: &Path) {
        Reads.descends(directory);
    }
}

impl Caller for User {
    fn fail(&self, what: &str) {
        self.progress.suspend(|| complain(what));
        self.failed.store(true, Ordering::Relaxed);
    }

    fn warn(&self, what: &str) {
        self.progress.suspend(|| warn(what));
    }

    fn stdin(&self) -> io::Result<Box<dyn BufRead>> {
        host::stdin()
    }

    fn stdin_name(&self) -> String {
        Host::current().stdin_name().unwrap_or_else(|| STDIN_NAME.to_owned())
    }
}

/// The limits of files are those of other commands, and evaluations have theirs for each directory.
fn options(command: &Tables, tables: Vec<Table>, host: &Host) -> Options {
    let given = host.options();
    let files = host.limits().with_nesting(given.max_nesting);
    let evaluation = files.clone().with_source_bytes(given.max_size).with_bytes(given.max_bytes);
    Options::new()
        .with_tables(tables)
        .with_variable_values(command.variable_values)
        .with_file_limits(files)
        .with_evaluation_limits(host.with_timeout(evaluation))
        .with_bytes_in_flight(command.max_in_flight)
}

/// Says what was not read, on standard error.
fn report(summary: &Summary, has_failed: bool) -> Outcome {
    let count = |count: u64, what: &str| plural(usize::try_from(count).unwrap_or(usize::MAX), what);
    if summary.broken > 0 {
        let verb = if summary.broken == 1 { "has" } else { "have" };
        note(format!("{} {verb} errors, which the table diagnostics lists", count(summary.broken, "file")));
    }
    if summary.limited > 0 {
        let files = count(summary.limited, "file");
        complain(format_args!("the work on {files} exceeds the limits; some of it was left out"));
    }
    if summary.unread > 0 {
        let files = count(summary.unread, "file");
        complain(format_args!("{files} could not be read; the table diagnostics says why"));
    }
    if summary.limited > 0 || summary.unread > 0 || has_failed { Outcome::Incomplete } else { Outcome::Fine }
}

/// Where tables are written: to a directory, or to standard output.
struct Destination<'d> {
    directory: Option<&'d OutputDirectory>,
    /// The text of a table for people, if it is collected.
    columns: Option<Arc<Mutex<Vec<u8>>>>,
    extension: &'static str,
    update: Option<&'d Update<'d>>,
    /// The files that were written.
    used: HashSet<PathBuf>,
    /// The repository whose files are written.
    partition: Option<String>,
    progress: Arc<Progress>,
}

impl Destination<'_> {
    /// Notes that the files of a repository are complete.
    fn complete(&mut self) -> io::Result<()> {
        match (self.partition.take(), self.update) {
            (Some(repo), Some(update)) => update.complete(&repo),
            _ => Ok(()),
        }
    }
}

/// A file of a table.
enum File {
    New(NewFile),
    Standard,
    Collected(Arc<Mutex<Vec<u8>>>),
}

impl Target for Destination<'_> {
    type File = File;

    fn create(&mut self, table: Table, partition: Option<&str>) -> io::Result<File> {
        if let Some(columns) = &self.columns {
            return Ok(File::Collected(columns.clone()));
        }
        let Some(directory) = self.directory else { return Ok(File::Standard) };
        let path = match partition {
            None => PathBuf::from(format!("{table}.{}", self.extension)),
            Some(repo) => {
                if self.partition.as_deref() != Some(repo) {
                    self.complete()?;
                    self.partition = Some(repo.to_owned());
                }
                let names = (0..).map(|at| if at == 0 { "data".to_owned() } else { format!("data-{at}") });
                let mut paths = names.map(|name| partition_file(table.name(), repo, &name, self.extension));
                paths.find(|path| !self.used.contains(path)).ok_or(io::ErrorKind::AlreadyExists)?
            }
        };
        let file = directory.begin(&path)?;
        self.used.insert(path);
        Ok(File::New(file))
    }

    fn finish(&mut self, file: File) -> io::Result<()> {
        match file {
            File::New(file) => file.finish(),
            File::Standard | File::Collected(_) => Ok(()),
        }
    }

    fn advance(&mut self, entries: usize) {
        self.progress.advance(entries);
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::New(file) => file.write(bytes),
            Self::Standard if host::stdout_is_terminal() => {
                print_bytes(bytes).map_err(|failure| io::Error::other(failure.to_string()))?;
                Ok(bytes.len())
            }
            Self::Standard => host::stdout().write(bytes),
            Self::Collected(text) => {
                let mut text = text.lock().unwrap_or_else(PoisonError::into_inner);
                if text.len() + bytes.len() > MOST_COLUMNS {
                    let why =
                        "the rows have more than 64 MiB, too many for a table; use --output csv or ndjson";
                    return Err(io::Error::other(why));
                }
                text.extend(bytes);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::New(file) => file.flush(),
            Self::Standard => host::stdout().flush(),
            Self::Collected(_) => Ok(()),
        }
    }
}

/// The file of a table about a repository.
fn partition_file(table: &str, repo: &str, name: &str, extension: &str) -> PathBuf {
    PathBuf::from(table).join(format!("repo={}", partition_name(repo))).join(format!("{name}.{extension}"))
}
