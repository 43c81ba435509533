//! `hcl tables`: HCL as tables for other engines. `tables/inputs.rs` finds the files, `tables/git.rs` and `tables/archive.rs` read
//! repositories and archives, `tables/repos.rs` says which repository a file is from, and `tables/directories.rs` which directories
//! are evaluated.

mod archive;
mod directories;
mod git;
mod inputs;
mod repos;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;

use hclkit::Limits;
use hclkit_tables::{Enter, Entry, Format, Options, Run, Summary, Table, Target};

use crate::args::{Output, Tables};
use crate::host::{self, Host};
use crate::input::Selection;
use crate::output::{Failure, Outcome, complain, note, plural, print_bytes};
use crate::progress::Progress;
use crate::replace::{self, NewFile, OutputDirectory};
use inputs::Inputs;

/// How many entries may wait to be read.
const WAITING: usize = 64;

pub(crate) fn run(command: &Tables) -> Result<Outcome, Failure> {
    let tables = command.tables();
    let format = match command.output() {
        Output::Arrow => Format::Arrow,
        Output::Csv => Format::Csv,
        Output::Ndjson => Format::Ndjson,
        _ => Format::Parquet,
    };
    let out = replace::file(command.destination.out.as_ref());
    let progress = Arc::new(Progress::new(0, "files"));
    let mut target = match out {
        Some(path) => {
            let kind = Kind::Directory(OutputDirectory::create(path)?, format);
            Destination { kind, progress: progress.clone() }
        }
        None if tables.len() != 1 => {
            let why = "several tables require --out DIR; for one on standard output, use --table TABLE";
            return Err(Failure::new(why));
        }
        None if matches!(format, Format::Parquet | Format::Arrow) => {
            return Err(Failure::new(format!("--output {format} requires --out DIR")));
        }
        None => Destination { kind: Kind::Standard, progress: progress.clone() },
    };
    let selection = Selection::new(&command.files)?;
    let evaluates = tables.iter().any(|table| table.is_evaluated());
    let host = Host::current();
    let options = options(command, tables, &host);
    let failed = AtomicBool::new(false);
    let written = std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel::<Entry>(WAITING);
        let (failed, progress) = (&failed, &*progress);
        let own_host = host.clone();
        let produce = move || {
            own_host.enter();
            own_host.run(|| {
                let mut emit = |entry: Entry| {
                    progress.grow(1);
                    sender.send(entry).is_ok()
                };
                let fail = |why: &dyn std::fmt::Display| {
                    progress.suspend(|| complain(why));
                    failed.store(true, Ordering::Relaxed);
                };
                let mut inputs = Inputs::new(command, selection, evaluates, &mut emit, &fail);
                inputs.all();
            });
        };
        let stack = options.stack_size();
        let producer = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, produce);
        producer.map_err(|error| Failure::new(format!("cannot start a thread: {error}")))?;
        let host = host.clone();
        let enter: Enter = Arc::new(move |work: &mut dyn FnMut()| {
            host.enter();
            host.run(work);
        });
        let threads = command
            .threads
            .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
        let run = Run { options, format, partitioned: command.partition, threads, enter };
        let name = |error: io::Error| match out {
            Some(path) => replace::unwritable(path, error),
            None => Failure::from(error),
        };
        run.write(receiver.into_iter(), &mut target).map_err(name)
    });
    progress.finish();
    let summary = written?;
    Ok(report(&summary, failed.load(Ordering::Relaxed)))
}

/// The limits of files are those of other commands, and evaluations have theirs for each directory.
fn options(command: &Tables, tables: Vec<Table>, host: &Host) -> Options {
    let given = host.options();
    let files = host.limits_of_text().with_nesting(given.max_nesting);
    let evaluation = Limits::new()
        .with_nesting(given.max_nesting)
        .with_source_bytes(given.max_size)
        .with_steps(given.max_steps)
        .with_elements(given.max_elements)
        .with_bytes(given.max_bytes);
    let evaluation = given.timeout.into_iter().fold(evaluation, Limits::with_timeout);
    Options::new()
        .with_tables(tables)
        .with_variable_values(command.variable_values)
        .with_file_limits(files)
        .with_evaluation_limits(evaluation)
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
        complain(format_args!("{} could not be read", count(summary.unread, "file")));
    }
    if summary.limited > 0 || summary.unread > 0 || has_failed { Outcome::Unreadable } else { Outcome::Fine }
}

/// Where tables are written.
struct Destination {
    kind: Kind,
    progress: Arc<Progress>,
}

enum Kind {
    Directory(OutputDirectory, Format),
    Standard,
}

/// A file of a table.
enum File {
    New(NewFile),
    Standard,
}

impl Target for Destination {
    type File = File;

    fn create(&mut self, table: Table, partition: Option<&str>) -> io::Result<File> {
        let Kind::Directory(directory, format) = &mut self.kind else { return Ok(File::Standard) };
        let path = match partition {
            None => PathBuf::from(format!("{table}.{format}")),
            Some(repo) => {
                let folder = PathBuf::from(table.name()).join(format!("repo={}", encoded(repo)));
                directory.unused(&folder, &format!(".{format}"))?
            }
        };
        directory.begin(&path).map(File::New)
    }

    fn finish(&mut self, file: File) -> io::Result<()> {
        match file {
            File::New(file) => file.finish(),
            File::Standard => Ok(()),
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
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::New(file) => file.flush(),
            Self::Standard => host::stdout().flush(),
        }
    }
}

/// The name of a repository as the name of a directory, as engines decode it: other characters than letters, digits and a few
/// signs are written as `%2F`.
fn encoded(repo: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::new();
    for byte in repo.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => out.push(char::from(byte)),
            _ => drop(write!(out, "%{byte:02X}")),
        }
    }
    // Names of directories have at most 255 bytes.
    out.truncate(200);
    out
}

/// The path of a file as tables have it.
fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}
