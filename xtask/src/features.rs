//! `cargo xtask features`: checks every feature of every crate by itself, and every crate without features.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::programs::{answer, root, run};

pub(crate) fn check() -> Result<ExitCode> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut metadata = Command::new(&cargo);
    metadata.current_dir(root()).args(["metadata", "--no-deps", "--format-version=1", "--locked"]);
    let metadata: Value = serde_json::from_str(&answer(&mut metadata)?)?;
    for package in metadata["packages"].as_array().context("cargo lists no packages")? {
        let name = package["name"].as_str().context("a package has no name")?;
        let features = package["features"].as_object().context("a package has no list of features")?;
        let features = features.keys().map(String::as_str).filter(|feature| *feature != "default");
        for feature in std::iter::once("").chain(features) {
            println!("{name} with {}", if feature.is_empty() { "no feature" } else { feature });
            let mut check = Command::new(&cargo);
            check.current_dir(root()).args([
                "clippy",
                "--quiet",
                "--locked",
                "--all-targets",
                "--no-default-features",
            ]);
            check.args(["--package", name, "--features", feature, "--", "-D", "warnings"]);
            run(&mut check)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
