//! The programs of the workspace, which are built before they are returned, and its directories.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// The root of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the workspace")
}

/// The target directory.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// The cargo that runs this chore, in a work tree.
pub fn cargo(tree: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(tree);
    cargo
}

/// Builds our programs, for benches or tests. Returns their directory.
///
/// # Errors
/// Cargo fails.
pub fn own(measured: bool) -> Result<PathBuf> {
    let mut cargo = cargo(root());
    cargo.args(["build", "--quiet", "--package", "hclkit-cli"]);
    run(cargo.args(["--profile", if measured { "dist" } else { "test" }]))?;
    Ok(target().join(if measured { "dist" } else { "debug" }))
}

/// Builds `hcl` in the profile `release`. Returns it.
///
/// # Errors
/// Cargo fails.
pub fn own_released() -> Result<PathBuf> {
    let mut cargo = cargo(root());
    run(cargo.args(["build", "--quiet", "--release", "--package", "hclkit-cli", "--bin", "hcl"]))?;
    Ok(target().join("release").join("hcl"))
}

/// Builds `hcl` as the probe is built, overflow checks included. Returns it.
///
/// # Errors
/// Cargo fails.
pub fn own_checked() -> Result<PathBuf> {
    let mut cargo = cargo(root());
    cargo.args(["build", "--quiet", "--package", "hclkit-cli", "--bin", "hcl"]);
    run(cargo.args(["--profile", "conformance"]))?;
    Ok(target().join("conformance").join("hcl"))
}

/// The packages of the workspace, as cargo describes them.
///
/// # Errors
/// Cargo fails.
pub fn packages() -> Result<Vec<Value>> {
    let mut metadata = cargo(root());
    metadata.args(["metadata", "--no-deps", "--format-version=1", "--locked"]);
    let metadata: Value = serde_json::from_str(&answer(&mut metadata)?)?;
    metadata["packages"].as_array().cloned().context("cargo lists no packages")
}

/// The standard output of a command.
///
/// # Errors
/// It cannot be started, or fails, or the output is not UTF-8.
pub fn answer(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
    ensure!(output.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

/// Runs a command.
///
/// # Errors
/// It cannot be started, or fails.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot run {command:?}"))?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}

/// The command that builds benches of a work tree. The caller adds their names.
pub fn build_benches(tree: &Path) -> Command {
    let mut cargo = cargo(tree);
    cargo.args(["build", "--quiet", "--profile", "dist", "--package", "hclkit-benches"]);
    cargo
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Targets without tests are not built as test programs, so that a test in their sources would never run.
    #[test]
    fn targets_that_are_not_tested_have_no_tests() {
        let mut count = 0;
        for package in packages().unwrap() {
            for target in package["targets"].as_array().unwrap() {
                let kind = target["kind"][0].as_str().unwrap();
                if target["test"] == true || ["custom-build", "bench", "example"].contains(&kind) {
                    continue;
                }
                let source = Path::new(target["src_path"].as_str().unwrap());
                let mut waiting =
                    vec![if kind == "bin" { source } else { source.parent().unwrap() }.to_owned()];
                while let Some(path) = waiting.pop() {
                    if path.is_dir() {
                        waiting.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
                    } else {
                        let text = std::fs::read_to_string(&path).unwrap();
                        let is_tested = ["#[test]", "#[cfg(test)]"].iter().any(|mark| text.contains(mark));
                        assert!(!is_tested, "{} has tests that never run", path.display());
                        count += 1;
                    }
                }
            }
        }
        assert!(count > 100, "{count}");
    }
}
