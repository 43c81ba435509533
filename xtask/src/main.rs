//! `cargo xtask`: the project's own chores. One module a chore. Comparisons with other programs are in `conformance/driver`, which
//! needs the library and is built when one of them is started.

mod api;
mod circles;
mod features;
mod hostile;
mod instructions;
mod package;
mod provider;
mod scaling;

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use xtask::programs;

#[derive(Parser)]
#[command(about = "The project's own chores")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Download the corpus, and list the size of each of its modules
    #[command(disable_help_flag = true)]
    Corpus(Compared),
    /// Compare the Rust probe with the reference, on random inputs and on the corpus
    #[command(disable_help_flag = true)]
    Conformance(Compared),
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
    #[command(disable_help_flag = true)]
    Bench(Compared),
    /// Compare the formatter with `terraform fmt`, on texts made for its rewrites and on the corpus
    #[command(disable_help_flag = true)]
    TerraformFmt(Compared),
    /// Merge versions from histories, and compare the results with those of Git and with what was committed
    #[command(disable_help_flag = true)]
    Merges(Compared),
    /// Build the provider for Terraform and OpenTofu, and install it below a directory
    Provider(provider::Args),
    /// Package every published crate, or write manual pages and completions
    Package(package::Args),
    /// Count the instructions of parsing, evaluation and decoding, and compare them with another build's
    Instructions(instructions::Args),
}

/// What a comparison gets: the driver knows the options.
#[derive(clap::Args)]
struct Compared {
    /// Its options; `--help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<OsString>,
}

fn main() -> anyhow::Result<ExitCode> {
    match Cli::parse().chore {
        Chore::Corpus(compared) => compare("corpus", &compared),
        Chore::Conformance(compared) => compare("conformance", &compared),
        Chore::Api(args) => api::list(&args),
        Chore::Features(args) => features::check(&args),
        Chore::Circles(args) => circles::report(&args),
        Chore::Scaling(args) => scaling::run(&args),
        Chore::Hostile(args) => hostile::run(&args),
        Chore::Bench(compared) => compare("bench", &compared),
        Chore::TerraformFmt(compared) => compare("terraform-fmt", &compared),
        Chore::Merges(compared) => compare("merges", &compared),
        Chore::Provider(args) => provider::install(&args),
        Chore::Package(args) => package::package(&args),
        Chore::Instructions(args) => instructions::count(&args),
    }
}

/// Builds and starts the driver, in the current directory. The exit code is that of the comparison.
fn compare(comparison: &str, compared: &Compared) -> anyhow::Result<ExitCode> {
    let mut driver = Command::new(programs::cargo(programs::root()).get_program());
    driver.args(["run", "--quiet", "--profile", "conformance", "--package", "hclkit-conformance-driver"]);
    driver.arg("--manifest-path").arg(programs::root().join("Cargo.toml"));
    driver.arg("--").arg(comparison).args(&compared.options);
    let status = driver.status().with_context(|| format!("cannot run {driver:?}"))?;
    // A signal ended it.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
