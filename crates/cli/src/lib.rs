//! The programs `hcl` and `hcldec` as functions of their arguments and standard streams. The binaries, the tests and
//! the fuzzer call them. This crate has no stable interface; the library is the crate `hclkit`.
//!
//! This module chooses the command and its stack size. The exit codes are in `outcome.rs`: 0 on success, 1 if errors were
//! found, nothing was found or files would change, 2 on invalid usage, unreadable input or output that cannot be written.
//! Each command has its own module.

mod args;
mod atomic_write;
mod bake;
mod check;
mod completions;
#[cfg(feature = "console")]
mod console;
mod convert;
mod decode;
#[cfg(feature = "git")]
mod diff;
mod docs;
mod documents;
mod dump;
mod edit;
mod eval;
mod explain;
mod fmt;
#[cfg(feature = "git")]
mod git;
#[cfg(not(feature = "git"))]
#[path = "without_git.rs"]
mod git;
mod graph;
mod hcldec;
mod hcledit;
mod host;
mod input;
#[cfg(feature = "lsp")]
mod lsp;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod merge;
mod messages;
mod module;
mod module_address;
mod outcome;
mod output;
mod progress;
mod query;
mod refs;
mod rename;
mod report;
mod schema;
mod scope;
mod settings;
mod sources;
mod split;
#[cfg(feature = "tables")]
mod tables;
mod terragrunt;
mod test;
mod text_diff;
mod values;
mod watch;
mod workers;

use std::ffi::OsString;
use std::path::PathBuf;

pub use hcldec::hcldec;
pub use host::Host;
pub use output::report_panics_without_their_message;

use args::{Args, Command, Edit, Global};
use hclkit::Limits;
use outcome::{Failure, Outcome};
use output::end_failed;
use settings::Settings;

/// Runs `hcl` with a command line that starts with the name of the program. Relative paths are resolved from the
/// working directory of the process. Returns the exit code.
pub fn hcl(line: Vec<OsString>, host: &Host) -> u8 {
    host.enter();
    let folders = atomic_write::folders_of(&line);
    let args = match args::read(line) {
        Ok(args) => args,
        Err(error) => return output::end(error),
    };
    host.choose_colors(args.global.colors());
    host.set_options(args.global.clone());
    if let Some(out) = args.command.out() {
        host.set_output(out);
    }
    atomic_write::finish_changes(folders.iter().map(PathBuf::as_path));
    if args.command.reads_files() {
        let read = Settings::read().and_then(|settings| {
            let dialects = settings.dialects()?;
            Ok((settings, args.command.with_language(dialects)))
        });
        match read {
            Ok((settings, dialects)) => host.set_project(settings, dialects),
            Err(failure) => return end_failed(&failure),
        }
    }
    let Global { max_size, max_nesting, .. } = args.global;
    // Evaluation has additional limits. The limits on depth apply to everything.
    let limits = Limits::trusted()
        .with_source_bytes(max_size.max(Limits::SOURCE_BYTES))
        .with_nesting(max_nesting)
        .with_value_depth(max_nesting.max(Limits::VALUE_DEPTH));
    let stack = limits.clone();
    match workers::on_thread(host, &stack, move || limits.run(|| run(args))).and_then(|outcome| outcome) {
        Ok(outcome) => {
            host.warn_of_unread_input();
            outcome.exit_code()
        }
        Err(failure) => end_failed(&failure),
    }
}

fn run(args: Args) -> Result<Outcome, Failure> {
    match args.command {
        Command::Decode(command) => decode::run(&command),
        Command::Schema(command) => schema::run(&command),
        Command::Check(command) => check::run(&command),
        Command::Test(command) => test::run(&command),
        Command::Fmt(command) => fmt::run(&command),
        Command::Edit(Edit { hcledit: Some(command), .. }) => {
            Host::current().limited(|| hcledit::run(&command))
        }
        Command::Edit(command) => edit::run(&command),
        Command::Merge(command) => merge::run(&command),
        Command::Query(command) => query::run(&command),
        Command::Rename(command) => rename::run(&command),
        Command::Refs(command) => refs::run(&command),
        Command::Split(command) => split::run(&command),
        Command::Convert(command) => convert::run(&command),
        Command::Eval(command) => eval::run(&command),
        #[cfg(feature = "console")]
        Command::Console(command) => console::run(&command),
        Command::Graph(command) => graph::run(&command),
        #[cfg(feature = "git")]
        Command::Diff(command) => diff::run(&command),
        Command::Docs(command) => docs::run(&command),
        #[cfg(feature = "tables")]
        Command::Tables(command) => tables::run(&command),
        Command::Dump(command) => dump::run(&command),
        Command::Explain(command) => explain::run(&command),
        #[cfg(feature = "lsp")]
        Command::Lsp(command) => lsp::run(&command),
        #[cfg(feature = "mcp")]
        Command::Mcp(command) => mcp::run(&command),
        Command::Completions(command) => completions::run(&command),
        Command::Man(command) => man::run(&command),
    }
}
