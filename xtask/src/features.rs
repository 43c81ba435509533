//! `cargo xtask features`: checks every published crate with no feature, with each feature alone, and with all of them.
//! `cargo clippy --workspace` checks tests and examples, with all features that the programs use.

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::programs::{cargo, packages, root, run};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only the crate `hclkit`
    #[arg(long)]
    quick: bool,
}

pub(crate) fn check(args: &Args) -> Result<ExitCode> {
    for package in packages()? {
        let name = package["name"].as_str().context("a package has no name")?;
        // An unpublished package has an empty list of registries.
        let unpublished = package["publish"].as_array().is_some_and(Vec::is_empty);
        if unpublished || args.quick && name != "hclkit" {
            continue;
        }
        let features = package["features"].as_object().context("a package has no list of features")?;
        let features: Vec<_> =
            features.keys().map(String::as_str).filter(|feature| *feature != "default").collect();
        let all = features.join(",");
        let several = (features.len() > 1).then_some(all.as_str());
        for features in std::iter::once("").chain(features).chain(several) {
            println!("{name} with {}", if features.is_empty() { "no feature" } else { features });
            let mut check = cargo(root());
            // Without tests and examples, because they would enable further features.
            check.args(["clippy", "--quiet", "--locked", "--no-default-features"]);
            check.args(["--package", name, "--features", features, "--", "-D", "warnings"]);
            run(&mut check)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
