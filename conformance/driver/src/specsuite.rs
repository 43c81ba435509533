//! The reference's own suite of the specification: the Go client builds its runner, its tests are in the module, and
//! it runs our `hcldec`.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::built::{self, MODULE};
use crate::programs;

/// Runs all tests of the suite. Fails if one of them fails.
pub(crate) fn run() -> Result<ExitCode> {
    let runner = built::reference("hclspecsuite")?;
    let hcldec = programs::own(false)?.join("hcldec");
    let tests = runner.module.join("specsuite/tests");
    println!("{MODULE} {}, {}", runner.version, tests.display());
    let mut command = Command::new(&runner.program);
    let status =
        command.arg(&tests).arg(&hcldec).status().with_context(|| format!("cannot run {command:?}"))?;
    println!("{}", if status.success() { "all tests pass" } else { "tests fail" });
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
