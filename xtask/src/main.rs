//! `cargo xtask`: the project's own chores. One module a chore.

mod conformance;
mod corpus;
mod probe;
mod programs;

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
}

fn main() -> anyhow::Result<std::process::ExitCode> {
    match Cli::parse().chore {
        Chore::Corpus => corpus::list(),
        Chore::Conformance(args) => conformance::run(args),
    }
}
