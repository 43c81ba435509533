//! `cargo xtask conformance --nomad`: asks Nomad's package `jobspec2` (`conformance/nomad`) for the jobs in `tests/nomad`.

use std::process::ExitCode;

use anyhow::Result;
use hclkit_test_cases::Case;
use serde_json::{Value, json};

use crate::case_oracle::CaseOracle;

const ORACLE: CaseOracle =
    CaseOracle { name: "nomad", answer: "nomad", request, stable: std::convert::identity };

pub(crate) fn run(bless: bool) -> Result<ExitCode> {
    ORACLE.run(bless)
}

/// The request of a case: its options are lines such as `var NAME=TEXT` and `env NAME=TEXT`.
fn request(case: &Case) -> Value {
    let (mut env, mut var) = (Vec::new(), Vec::new());
    for line in case.section("options").unwrap_or_default().lines() {
        match line.split_once(' ') {
            Some(("env", option)) => env.push(option),
            Some((_, option)) => var.push(option),
            None => {}
        }
    }
    json!({ "text": case.section("job.nomad.hcl"), "env": env, "var": var })
}
