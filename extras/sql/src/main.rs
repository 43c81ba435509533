//! The program `hcl-sql`: questions in SQL about HCL files. `query.rs` checks the query and `size.rs` its size, `hcl tables` writes
//! the tables that it refers to, `tables.rs` reads them, and `write.rs` writes the result.

mod args;
mod destination;
mod message;
mod query;
mod size;
mod tables;
mod temporary;
mod watch;
mod write;

use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use futures::StreamExt as _;
use hclkit::syntax::visible;

use args::Args;
use destination::Destination;
use message::Failure;
use query::Query;
use temporary::Temporary;
use watch::Watch;
use write::Writer;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The stack of threads: plans of the longest queries are deep. The system gives it memory only where it is used.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    hclkit_cli::report_panics_without_their_message();
    let args = match Args::read() {
        Ok(args) => args,
        Err(error) => return end(&error).into(),
    };
    args.color.choice().write_global();
    run(&args).unwrap_or_else(|failure| failure.end()).into()
}

/// Prints the help, or the error that parsing the command line returned. Returns the exit code.
fn end(error: &clap::Error) -> u8 {
    let plain = error.render().to_string();
    match visible(&plain) {
        shown if shown == plain => drop(error.print()),
        // It repeats an argument with control characters.
        shown => drop(write!(io::stderr(), "{shown}")),
    }
    u8::try_from(error.exit_code()).unwrap_or(2)
}

fn run(args: &Args) -> Result<u8, Failure> {
    if args.schema {
        Destination::new(None)?.write_all(tables::listing().as_bytes())?;
        return Ok(0);
    }
    let text = text(args)?;
    let temporary = Temporary::new()?;
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
            let watch = Watch::new(args.most())?;
            let query = Query::new(&text, args.memory, threads, temporary.path()).await?;
            // Reading files has limits of its own.
            drop(watch);
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
    let _watch = Watch::new(args.most())?;
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
            read(io::stdin()).map_err(|error| unreadable(&"standard input", &error))
        }
        (Some(path), _) => {
            let text = std::fs::File::open(path).and_then(read);
            text.map_err(|error| unreadable(&path.display(), &error))
        }
        (None, query) => {
            let query = query.cloned().unwrap_or_default();
            query.into_string().map_err(|_| Failure::new("the query is not UTF-8"))
        }
    }
}

/// Reads a query, which may come from a device without an end.
fn read(from: impl io::Read) -> io::Result<String> {
    let mut text = String::new();
    from.take(size::LONGEST as u64 + 1).read_to_string(&mut text)?;
    Ok(text)
}
