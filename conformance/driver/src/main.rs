//! What compares hclkit with other programs. `cargo xtask` starts it, so that its own chores build without the library. One module
//! for each comparison.

mod agents;
mod bake;
mod bench;
mod built;
mod case_oracle;
mod conformance;
mod corpus;
mod hcl1;
mod merges;
mod modules;
mod nomad;
mod probe;
mod real;
mod specsuite;
mod terraform_fmt;
mod terragrunt;
mod versions;

use clap::{Parser, Subcommand};
use xtask::programs;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Compares hclkit with other programs")]
struct Cli {
    #[command(subcommand)]
    comparison: Comparison,
}

/// The names and what they do are those of `Chore` in `xtask/src/main.rs`.
#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one")]
enum Comparison {
    /// Download the corpus, and list the size of each of its modules
    Corpus,
    /// Compare the Rust probe with the reference, on random inputs and on the corpus
    Conformance(conformance::Args),
    /// Measure speed and memory beside other implementations, and print the tables
    Bench(bench::Args),
    /// Compare the formatter with `terraform fmt`, on texts made for its rewrites and on the corpus
    TerraformFmt(terraform_fmt::Args),
    /// Merge versions from histories, and compare the results with those of Git and with what was committed
    Merges(merges::Args),
}

fn main() -> anyhow::Result<std::process::ExitCode> {
    match Cli::parse().comparison {
        Comparison::Corpus => corpus::list(),
        Comparison::Conformance(args) => conformance::run(args),
        Comparison::Bench(args) => bench::run(&args),
        Comparison::TerraformFmt(args) => terraform_fmt::run(&args),
        Comparison::Merges(args) => merges::run(&args),
    }
}
