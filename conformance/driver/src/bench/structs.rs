//! The table of reading into structs: derive, serde, hcl-rs and the reference's `gohcl`, on one file of services.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::json;

use super::{ask_oracle, output};

/// Blocks that make about five megabytes.
const BLOCKS: usize = 18_000;

pub(super) fn table(programs: &Path, folder: &Path, oracle: Option<&Path>, seconds: f64) -> Result<String> {
    let file = folder.join("structs.hcl");
    output(
        Command::new(programs.join("bench-inputs")).args(["services", &BLOCKS.to_string(), "0"]).arg(&file),
    )?;
    let answer = output(Command::new(programs.join("bench-structs")).arg(seconds.to_string()).arg(&file))?;
    let mut rows: Vec<(String, f64)> = Vec::new();
    for line in answer.lines() {
        let (name, time) = line.split_once(": ").with_context(|| answer.clone())?;
        rows.push((name.to_owned(), time.parse()?));
    }
    if let Some(oracle) = oracle {
        let request = json!({ "op": "gohcl-bench", "file": file, "seconds": seconds });
        let answer = ask_oracle(oracle, &request)?;
        rows.push(("gohcl (Go)".to_owned(), answer["ns"].as_f64().with_context(|| answer.to_string())?));
    }
    let own = rows.first().context("no reader was timed")?.1;
    #[allow(clippy::cast_precision_loss, reason = "the size of a file")]
    let megabytes = fs::metadata(&file)?.len() as f64 / 1e6;
    let mut table =
        format!("### Into structs: {megabytes:.1} MB\n\n| | time | times as long |\n| --- | --- | --- |\n");
    for (name, time) in rows {
        writeln!(table, "| {name} | {:.1} ms | {:.1} |", time / 1e6, time / own)?;
    }
    Ok(table + "\n")
}
