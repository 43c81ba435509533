//! Builds the two probes, and says where things are.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// Where build results go.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// Builds the Go oracle. Returns its program.
pub(crate) fn oracle() -> Result<PathBuf> {
    let program = target().join("oracle").join("oracle");
    let mut go = Command::new("go");
    go.current_dir(root().join("conformance/oracle")).args(["build", "-o"]).arg(&program).arg(".");
    run(&mut go)?;
    Ok(program)
}

/// Builds the Rust probe, overflow checks included. Returns its program.
pub(crate) fn probe() -> Result<PathBuf> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root()).args(["build", "--quiet", "--package", "hclkit-conformance"]);
    cargo.args(["--bin", "probe", "--profile", "conformance"]);
    run(&mut cargo)?;
    Ok(target().join("conformance").join("probe"))
}

/// Builds our `hcldec`. Returns its program.
pub(crate) fn hcldec() -> Result<PathBuf> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root()).args(["build", "--quiet", "--package", "hclkit-cli", "--bin", "hcldec"]);
    run(&mut cargo)?;
    Ok(target().join("debug").join("hcldec"))
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot run {command:?}"))?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}
