//! The program `hcl-sql`: questions in SQL about HCL files. `query.rs` checks the query, `hcl tables` writes the tables that it
//! refers to, `tables.rs` reads them, and `write.rs` writes the result.

mod args;
mod destination;
mod message;
mod query;
mod tables;
mod write;

use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

use futures::StreamExt as _;
use tempfile::TempDir;

use args::Args;
use destination::Destination;
use message::{Failure, complain};
use query::Query;
use write::Writer;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The directory of temporary files, for signals.
static TEMPORARY: OnceLock<PathBuf> = OnceLock::new();

/// The stack of threads: plans of long chains are deep.
const STACK: usize = 16 << 20;

fn main() -> ExitCode {
    hclkit_cli::report_panics_without_their_message();
    let args = match Args::read() {
        Ok(args) => args,
        Err(error) => error.exit(),
    };
    args.color.choice().write_global();
    run(&args).unwrap_or_else(|failure| failure.end()).into()
}

fn run(args: &Args) -> Result<u8, Failure> {
    if args.schema {
        Destination::new(None)?.write_all(tables::listing().as_bytes())?;
        return Ok(0);
    }
    let text = text(args)?;
    let temporary = temporary()?;
    let threads = args.threads.map_or(1, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .thread_stack_size(STACK)
        .build()
        .map_err(|error| Failure::new(format!("cannot start threads: {error}")))?;
    let on_thread = |work: &mut (dyn FnMut() -> Result<u8, Failure> + Send)| {
        std::thread::scope(|scope| {
            let spawned = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            let thread = spawned.map_err(|error| Failure::new(format!("cannot start a thread: {error}")))?;
            // The panic was reported.
            thread.join().unwrap_or(Err(Failure::Reported(2)))
        })
    };
    on_thread(&mut || {
        runtime.block_on(async {
            let query = Query::new(&text, args.memory, threads, temporary.path()).await?;
            answer(args, &query, temporary.path()).await
        })
    })
}

/// Reads what the query needs and writes its result. Returns the exit code.
async fn answer(args: &Args, query: &Query, temporary: &Path) -> Result<u8, Failure> {
    let (directory, read) = match &args.tables {
        Some(directory) => (Some(directory.clone()), 0),
        None if query.tables().is_empty() => (None, 0),
        None => {
            let directory = temporary.join("tables");
            let read = extract(args, query, &directory)?;
            (Some(directory), read)
        }
    };
    let mut batches = query.run(directory.as_deref()).await?;
    let mut writer = Writer::new(args.output, batches.schema(), Destination::new(args.out())?)?;
    while let Some(batch) = batches.next().await {
        writer.write(&batch?)?;
    }
    let (out, rows) = writer.finish()?;
    out.complete()?;
    Ok(if read != 0 { read } else { u8::from(rows == 0 && !args.allow_empty) })
}

/// Writes the tables of the query with `hcl tables`. Returns its exit code, which is not 0 if some input was not read.
fn extract(args: &Args, query: &Query, directory: &Path) -> Result<u8, Failure> {
    let tables = query.tables();
    let code = hclkit_cli::hcl(args.extraction(&tables, directory), &hclkit_cli::Host::process());
    let is_complete = tables.iter().all(|table| directory.join(format!("{table}.parquet")).is_file());
    if is_complete { Ok(code) } else { Err(Failure::Reported(code.max(2))) }
}

/// The text of the query.
fn text(args: &Args) -> Result<String, Failure> {
    let unreadable = |name: &dyn std::fmt::Display, why: &dyn std::fmt::Display| {
        Failure::new(format!("cannot read {name}: {why}"))
    };
    match (&args.file, args.query()) {
        (Some(path), _) if path == Path::new("-") => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).map_err(|error| unreadable(&"standard input", &error))?;
            Ok(text)
        }
        (Some(path), _) => std::fs::read_to_string(path).map_err(|error| unreadable(&path.display(), &error)),
        (None, query) => {
            let query = query.cloned().unwrap_or_default();
            query.into_string().map_err(|_| Failure::new("the query is not UTF-8"))
        }
    }
}

/// A directory for tables and what the query does not keep in memory. Only the user can read it. Ctrl-C and SIGTERM remove it.
fn temporary() -> Result<TempDir, Failure> {
    let directory = tempfile::Builder::new().prefix("hcl-sql-").tempdir();
    let directory = directory.map_err(|error| Failure::unwritable(&std::env::temp_dir(), error))?;
    let _ = TEMPORARY.set(directory.path().to_owned());
    // It stays the handler: that of `hcl` is not installed if there is one.
    let _ = ctrlc::set_handler(|| {
        if let Some(directory) = TEMPORARY.get() {
            // A thread may create a file in the meantime.
            let _ = (0..10).find(|_| std::fs::remove_dir_all(directory).is_ok() || !directory.exists());
        }
        complain("the run was stopped");
        std::process::exit(130);
    });
    Ok(directory)
}
