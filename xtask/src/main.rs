//! `cargo xtask`: the project's own chores. One module a chore.

mod bench;
mod conformance;
mod corpus;
mod features;
mod probe;
mod programs;
mod specsuite;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "The project's own chores")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Download the corpus and list how much each of its modules holds
    Corpus,
    /// Compare the Rust probe with the reference, on random inputs and on the corpus
    Conformance(conformance::Args),
    /// Check every feature of every crate by itself
    Features,
    /// Measure speed and memory beside other implementations, and print the tables
    Bench(bench::Args),
}

fn main() -> anyhow::Result<std::process::ExitCode> {
    match Cli::parse().chore {
        Chore::Corpus => corpus::list(),
        Chore::Conformance(args) => conformance::run(args),
        Chore::Features => features::check(),
        Chore::Bench(args) => bench::run(&args),
    }
}
