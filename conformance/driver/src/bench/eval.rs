//! The table of evaluation: hclkit with and without lowering expressions, hcl-rs, and the reference. For each case,
//! all of them are timed one after another, in several turns, because only figures from about the same time can be
//! compared.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::{ask_oracle, output};

/// How many elements there are; the chain of operators has a tenth of them.
const COUNT: &str = "100000";

/// How often all cases are timed; the median counts.
const TURNS: u8 = 3;

/// Nanoseconds for each element in one round.
struct Turn {
    own: f64,
    anew: f64,
    peer: f64,
    reference: Option<f64>,
}

pub(super) fn table(programs: &Path, oracle: Option<&Path>, seconds: f64) -> Result<String> {
    let mut table = String::from(
        "### Nanoseconds per element, and the time compared with hclkit\n\n\
         | | **hclkit** | first evaluation | allocations | hcl-rs 0.20 | the reference (Go) |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    let program = programs.join("bench-eval");
    let names = output(Command::new(&program).arg("names"))?;
    for name in names.lines() {
        eprintln!("{name} …");
        let (mut turns, mut elements) = (Vec::new(), 0.0);
        for _ in 0..TURNS {
            let share = (seconds / f64::from(TURNS)).to_string();
            let text = output(Command::new(&program).args(["time", name, COUNT, &share]))?;
            let times: Value = serde_json::from_str(&text)?;
            let number = |field: &str| times[field].as_f64().with_context(|| format!("no {field}: {times}"));
            elements = number("elements")?;
            let reference = match oracle {
                Some(oracle) => Some(reference(oracle, &program, name, seconds)? / elements),
                None => None,
            };
            let peer = number("peer")? / number("peer_elements")?;
            turns.push(Turn {
                own: number("own")? / elements,
                anew: number("anew")? / elements,
                peer,
                reference,
            });
        }
        let allocations = output(Command::new(programs.join("bench-eval-allocations")).args([name, COUNT]))?;
        let allocations = allocations.trim().parse::<f64>()? / elements;
        write!(table, "| {name} | {} | ", show(middle(&turns, |turn| turn.own)))?;
        write!(table, "{} | {allocations:.2}", beside(&turns, |turn| Some(turn.anew)))?;
        let (peer, reference) =
            (beside(&turns, |turn| Some(turn.peer)), beside(&turns, |turn| turn.reference));
        writeln!(table, " | {peer} | {reference} |")?;
    }
    Ok(table + "\n")
}

/// The time of one run of the reference.
fn reference(oracle: &Path, program: &Path, name: &str, seconds: f64) -> Result<f64> {
    let request = output(Command::new(program).args(["request", name, COUNT]))?;
    let mut request: Value = serde_json::from_str(&request)?;
    request["op"] = "eval-bench".into();
    request["seconds"] = (seconds / f64::from(TURNS)).into();
    let answer = ask_oracle(oracle, &request)?;
    answer["ns"].as_f64().with_context(|| answer.to_string())
}

fn middle(turns: &[Turn], what: impl Fn(&Turn) -> f64) -> f64 {
    let mut times: Vec<f64> = turns.iter().map(what).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The turn with the median ratio to hclkit, and this ratio.
fn beside(turns: &[Turn], what: impl Fn(&Turn) -> Option<f64>) -> String {
    let mut times: Vec<_> = turns.iter().filter_map(|turn| Some((what(turn)?, turn.own))).collect();
    times.sort_by(|(one, own), (other, others)| (one / own).total_cmp(&(other / others)));
    let middle = times.get(times.len() / 2);
    middle.map_or_else(String::new, |(time, own)| format!("{} (×{:.1})", show(*time), time / own))
}

fn show(time: f64) -> String {
    let digits = usize::from(time < 100.0);
    format!("{time:.digits$}")
}
