//! `cargo xtask`: the project's own chores. One module a chore.

mod agents;
mod api;
mod bake;
mod bench;
mod case_oracle;
mod circles;
mod conformance;
mod corpus;
mod features;
mod hcl1;
mod hostile;
mod instructions;
mod merges;
mod modules;
mod nomad;
mod package;
mod probe;
mod programs;
mod provider;
mod real;
mod scaling;
mod specsuite;
mod terraform_fmt;
mod versions;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "The project's own chores")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one")]
enum Chore {
    /// Download the corpus, and list the size of each of its modules
    Corpus,
    /// Compare the Rust probe with the reference, on random inputs and on the corpus
    Conformance(conformance::Args),
    /// List the public items of every library in docs/api; needs a nightly toolchain
    Api(api::Args),
    /// Check every published crate with no feature, each feature alone, and all of them
    Features(features::Args),
    /// List the files of each crate that use each other in a circle
    Circles(circles::Args),
    /// Count whether time grows in proportion to the input; needs valgrind
    Scaling(scaling::Args),
    /// Measure the time and memory that hostile inputs take, and print the tables of docs/security.md
    Hostile(hostile::Args),
    /// Measure speed and memory beside other implementations, and print the tables
    Bench(bench::Args),
    /// Compare the formatter with `terraform fmt`, on texts made for its rewrites and on the corpus
    TerraformFmt(terraform_fmt::Args),
    /// Merge versions from histories, and compare the results with those of Git and with what was committed
    Merges(merges::Args),
    /// Build the provider for Terraform and OpenTofu, and install it below a directory
    Provider(provider::Args),
    /// Package every published crate, or write manual pages and completions
    Package(package::Args),
    /// Count the instructions of parsing, evaluation and decoding, and compare them with another build's
    Instructions(instructions::Args),
}

fn main() -> anyhow::Result<std::process::ExitCode> {
    match Cli::parse().chore {
        Chore::Corpus => corpus::list(),
        Chore::Conformance(args) => conformance::run(args),
        Chore::Api(args) => api::list(&args),
        Chore::Features(args) => features::check(&args),
        Chore::Circles(args) => circles::report(&args),
        Chore::Scaling(args) => scaling::run(&args),
        Chore::Hostile(args) => hostile::run(&args),
        Chore::Bench(args) => bench::run(&args),
        Chore::TerraformFmt(args) => terraform_fmt::run(&args),
        Chore::Merges(args) => merges::run(&args),
        Chore::Provider(args) => provider::install(&args),
        Chore::Package(args) => package::package(&args),
        Chore::Instructions(args) => instructions::count(&args),
    }
}
