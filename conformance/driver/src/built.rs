//! Builds what answers questions: our probe, the Go oracle, and programs of the reference's module.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use xtask::programs::{answer, cargo, root, run, target};

/// Builds the Go oracle. Returns its program.
pub(crate) fn oracle() -> Result<PathBuf> {
    let program = target().join("oracle").join("oracle");
    let mut go = Command::new("go");
    go.current_dir(root().join("conformance/oracle")).args(["build", "-o"]).arg(&program).arg(".");
    run(&mut go)?;
    Ok(program)
}

/// Builds the Rust probe, overflow checks included. Returns its program. In a test, that is the one of `cargo test`, with which
/// nothing is built again.
pub(crate) fn probe() -> Result<PathBuf> {
    let mut cargo = cargo(root());
    if cfg!(test) {
        run(cargo.args(["test", "--quiet", "--no-run", "--test", "conformance"]))?;
        return Ok(target().join("debug").join("probe"));
    }
    let package = ["--package", "hclkit-conformance", "--bin", "probe"];
    run(cargo.args(["build", "--quiet", "--profile", "conformance"]).args(package))?;
    Ok(target().join("conformance").join("probe"))
}

/// The Go module of the reference.
pub(crate) const MODULE: &str = "github.com/hashicorp/hcl/v2";

/// A program of the reference's module, and where the module is.
pub(crate) struct Reference {
    pub(crate) program: PathBuf,
    pub(crate) version: String,
    pub(crate) module: PathBuf,
}

/// Builds a program of the reference's module with the Go client, in the version that the oracle uses.
pub(crate) fn reference(program: &str) -> Result<Reference> {
    let oracle = root().join("conformance/oracle");
    let go = |args: &[&str]| answer(Command::new("go").current_dir(&oracle).args(args));
    go(&["mod", "download", MODULE])?;
    let module = go(&["list", "-m", "-f", "{{.Version}} {{.Dir}}", MODULE])?;
    let (version, module) = module.trim().split_once(' ').context("the module is not there")?;
    // The oracle's module does not list the dependencies of that program.
    let bin = target().join("reference");
    let package = format!("{MODULE}/cmd/{program}@{version}");
    answer(Command::new("go").args(["install", &package]).env("GOBIN", &bin))?;
    Ok(Reference { program: bin.join(program), version: version.to_owned(), module: module.into() })
}
