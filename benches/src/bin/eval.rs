//! Times evaluation. `bench-eval names` prints the names of the cases, `bench-eval request CASE COUNT` the request for
//! the oracle, and `bench-eval time CASE COUNT SECONDS` the CPU time in nanoseconds that one evaluation takes in
//! hclkit and in hcl-rs.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use cpu_time::ThreadTime;
use hclkit_benches::eval::{Case, Prepared, cases};
use hclkit_benches::eval_peer::Peer;
use serde_json::json;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["names"] => cases(1).iter().for_each(|case| println!("{}", case.name)),
        ["request", name, count] => println!("{}", find(name, count)?.request()),
        ["time", name, count, seconds] => time(&find(name, count)?, seconds.parse()?)?,
        _ => bail!("usage: bench-eval names | request CASE COUNT | time CASE COUNT SECONDS"),
    }
    Ok(())
}

fn find(name: &str, count: &str) -> Result<Case> {
    let all = cases(count.parse()?);
    all.into_iter().find(|case| case.name == name).with_context(|| format!("no case is called {name}"))
}

fn time(case: &Case, seconds: f64) -> Result<()> {
    let (own, peer) = (Prepared::new(case)?, Peer::new(case)?);
    // Both must give the same value before they are compared.
    let values: Vec<serde_json::Value> = own.evaluate()?.iter().map(plain).collect::<Result<_>>()?;
    for (value, theirs) in values.iter().zip(peer.evaluate()?) {
        let theirs = serde_json::to_value(theirs)?;
        let alike = case.smaller.is_some() || same(value, &theirs);
        ensure!(alike, "of {}, hclkit and hcl-rs do not make the same:\n{value}\n{theirs}", case.name);
    }
    let own_ns = median(seconds / 3.0, || own.evaluate().map(|made| drop(black_box(made))))?;
    let anew = median(seconds / 3.0, || own.evaluate_anew().map(|made| drop(black_box(made))))?;
    let peer_ns = median(seconds / 3.0, || peer.evaluate().map(|made| drop(black_box(made))))?;
    println!(
        "{}",
        json!({ "own": own_ns, "anew": anew, "elements": case.elements, "peer": peer_ns, "peer_elements": peer.elements })
    );
    Ok(())
}

/// The nanoseconds of processor time of one run, as a mean of many, as for the reference.
fn median(seconds: f64, run: impl Fn() -> Result<()>) -> Result<f64> {
    let (start, mut times) = (Instant::now(), Vec::new());
    while times.len() < 3 || (start.elapsed().as_secs_f64() < seconds && times.len() < 100_000) {
        let start = ThreadTime::now();
        run()?;
        times.push(start.elapsed().as_secs_f64() * 1e9);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

/// The value as JSON without types.
fn plain(value: &hclkit_value::Value) -> Result<serde_json::Value> {
    let text = value.to_json(&value.ty()).map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(serde_json::from_str(&text)?)
}

/// Equality in which 1 and 1.0 are the same, and so are texts that differ in blanks, because hcl-rs indents heredocs
/// differently.
fn same(a: &serde_json::Value, b: &serde_json::Value) -> bool {
    use serde_json::Value::{Array, Number, Object, String};
    match (a, b) {
        (Number(a), Number(b)) => a.as_f64() == b.as_f64(),
        (String(a), String(b)) => a.split_whitespace().eq(b.split_whitespace()),
        (Array(a), Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Object(a), Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}
