//! `cargo xtask conformance record`: the reference's answers to requests of our own making, written
//! for the probe's tests, which need no Go.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};

use super::compare::{compare, failed, rejected};
use super::deviations::Deviations;
use super::inputs::Inputs;
use super::{GROUPS, snapshot};
use crate::built;
use crate::probe::Probe;
use crate::programs::root;

/// The longest request that is recorded.
const LONGEST: usize = 500;

pub(super) fn run(oracle: &Path) -> Result<ExitCode> {
    let folder = root().join("conformance/recorded");
    fs::create_dir_all(&folder)?;
    let mut reference = Probe::new(oracle.into());
    let mut ours = Probe::new(built::probe()?);
    let deviations = Deviations::load()?;
    let inputs = Inputs::load(false)?;
    for op in GROUPS.iter().copied().flatten().filter(|op| op.recorded > 0) {
        let by_hand = op.fixed.iter().filter(|(kind, _)| *kind == "by hand");
        let mut requests: Vec<Value> = by_hand.flat_map(|(_, cases)| cases()).collect();
        let kinds: Vec<_> = op.kinds.iter().filter(|(kind, _)| !kind.starts_with("corpus")).collect();
        for (kind, make) in &kinds {
            let made = (0..).map(|n| op.random(snapshot::SEED, kind, *make, n, &inputs));
            let short = made.filter(|request| request.to_string().len() < LONGEST);
            requests.extend(short.take(op.recorded / kinds.len()));
        }
        let mut seen = HashSet::new();
        requests.retain(|request| seen.insert(request.to_string()));
        for request in &mut requests {
            request["op"] = op.name.into();
        }
        let asked: Vec<_> = requests.iter().collect();
        let answers = reference.ask_all(&asked)?;
        let own = ours.ask_all(&asked)?;
        let mut text = String::new();
        for ((request, mut answer), own) in requests.iter().zip(answers).zip(own) {
            // Deliberate differences are not recorded.
            let outcome = compare(&answer, &own);
            let answers = (outcome, &answer, &own);
            let again = &mut |request: &Value| reference.ask(request);
            let listed = outcome.is_wrong() && deviations.find(op.name, request, answers, again)?.is_some();
            if !failed(&answer) && !listed {
                if rejected(&answer) {
                    keep_verdict(&mut answer);
                }
                forget_wording(&mut answer);
                let _ = writeln!(text, "{}", json!({ "request": request, "answer": answer }));
            }
        }
        let path = folder.join(format!("{}.jsonl", op.name));
        println!("{:>7} answers, {:>8} bytes: {}", text.lines().count(), text.len(), path.display());
        fs::write(path, text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// If an answer rejects, only its diagnostics are compared.
fn keep_verdict(answer: &mut Value) {
    if let Some(fields) = answer.as_object_mut() {
        fields
            .retain(|name, _| name.ends_with("diags") || ["ok", "error", "none", "attrs"].contains(&&**name));
    }
}

/// Removes what is never compared.
fn forget_wording(answer: &mut Value) {
    match answer {
        Value::Array(items) => items.iter_mut().for_each(forget_wording),
        Value::Object(fields) => {
            if fields.contains_key("severity") {
                fields.remove("summary");
            }
            if fields.contains_key("severity") || fields.contains_key("error") {
                fields.remove("detail");
            }
            fields.values_mut().for_each(forget_wording);
        }
        _ => {}
    }
}
