//! The program `hcl`. Here: which command runs, on what stack, and with which exit code it ends: 0 fine, 1 problems
//! found, 2 wrong use or unreadable input. Each command has a file of its own.

mod args;
mod check;
mod console;
mod convert;
mod decode;
mod dump;
mod eval;
mod explain;
mod input;
mod output;
mod progress;
mod replace;
mod report;
mod schema;
mod scope;

use std::process::ExitCode;

use args::{Args, Command};
use hclkit::Limits;
use output::{Failure, Outcome};

fn main() -> ExitCode {
    output::report_panics_without_their_message();
    let args = args::read();
    args.color.write_global();
    input::read::set_max_size(args.max_size);
    let limit = match &args.command {
        Command::Check(check) => check.nesting.max_nesting,
        Command::Convert(convert) => convert.nesting.max_nesting,
        Command::Eval(eval) => eval.nesting.max_nesting,
        Command::Console(console) => console.nesting.max_nesting,
        Command::Dump(dump) => dump.nesting.max_nesting,
        Command::Decode(_) | Command::Schema(_) | Command::Explain(_) | Command::Completions(_) => {
            Limits::NESTING
        }
    };
    // What is evaluated has further limits; those on depth hold for everything.
    let limits = Limits::trusted()
        .source_bytes(args.max_size.max(Limits::SOURCE_BYTES))
        .nesting(limit)
        .value_depth(limit.max(Limits::VALUE_DEPTH));
    // What walks a tree may use as much stack as the tree is deep.
    let worker = std::thread::Builder::new()
        .stack_size(output::stack_size(limit))
        .spawn(move || limits.run(|| run(args)));
    let outcome = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => Err(Failure::new("internal error: please report it with the input that leads to it")),
        Err(error) => Err(Failure::new(format!("cannot start a thread: {error}"))),
    };
    match outcome {
        Ok(outcome) => outcome.exit_code(),
        Err(failure) => failure.end(),
    }
}

fn run(args: Args) -> Result<Outcome, Failure> {
    match args.command {
        Command::Decode(command) => decode::run(&command),
        Command::Schema(command) => schema::run(&command),
        Command::Check(command) => check::run(&command),
        Command::Convert(command) => convert::run(&command),
        Command::Eval(command) => eval::run(&command),
        Command::Console(command) => console::run(&command),
        Command::Dump(command) => dump::run(&command),
        Command::Explain(command) => explain::run(&command),
        Command::Completions(command) => args::completions(&command),
    }
}
