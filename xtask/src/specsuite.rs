//! The reference's own suite of the specification: its runner is built by the Go client, its tests lie in the module, and
//! the program that it runs is our `hcldec`.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::programs;

const MODULE: &str = "github.com/hashicorp/hcl/v2";

/// Runs all tests of the suite. Fails where one of them does.
pub(crate) fn run() -> Result<ExitCode> {
    let oracle = programs::root().join("conformance/oracle");
    ask(Command::new("go").current_dir(&oracle).args(["mod", "download", MODULE]))?;
    let module = ask(Command::new("go").current_dir(&oracle).args([
        "list",
        "-m",
        "-f",
        "{{.Version}} {{.Dir}}",
        MODULE,
    ]))?;
    let (version, folder) = module.trim().split_once(' ').context("the module is not there")?;

    // The module that has the oracle has no need of what the runner is made of.
    let bin = programs::target().join("specsuite");
    let mut go = Command::new("go");
    go.arg("install").arg(format!("{MODULE}/cmd/hclspecsuite@{version}")).env("GOBIN", &bin);
    ask(&mut go)?;

    let hcldec = programs::hcldec()?;
    let tests = Path::new(folder).join("specsuite/tests");
    println!("{MODULE} {version}, {}", tests.display());
    let mut runner = Command::new(bin.join("hclspecsuite"));
    let status =
        runner.arg(&tests).arg(&hcldec).status().with_context(|| format!("cannot run {runner:?}"))?;
    println!("{}", if status.success() { "all tests pass" } else { "tests fail" });
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What a command writes on standard output.
fn ask(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
    ensure!(output.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}
