//! The tables of decoding: our `hcldec` compared with the reference's, run alternately as processes, and both within a
//! process. The configurations are services (`benches/inputs/services.hcldec`), in one file and in many.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::json;

use super::process::{self, Cost, median, middle};
use super::{ask_oracle, output};
use crate::built;
use crate::programs;

/// Blocks that make about five megabytes.
const BLOCKS: usize = 15_000;
/// Small files, and blocks in each of them.
const FILES: usize = 1_000;
const BLOCKS_A_FILE: usize = 5;
/// How often each program runs; the median counts.
const TURNS: usize = 5;

/// The input to decode.
struct Input {
    name: String,
    files: Vec<PathBuf>,
    /// Whether the reference is measured, too.
    compared: bool,
}

pub(super) fn tables(programs: &Path, folder: &Path, oracle: Option<&Path>, seconds: f64) -> Result<String> {
    let own = programs::own(true)?;
    let reference = match oracle {
        Some(_) => Some(built::reference("hcldec")?.program),
        None => None,
    };
    let spec = programs::root().join("benches/inputs/services.hcldec");
    let mut table = String::from(
        "### Decode: CPU time, time, peak memory\n\n\
         | | **hclkit** | the reference (Go) | times as fast (CPU, time) | memory | within a process: hclkit | the reference |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for input in inputs(programs, folder, &own.join("hcl"))? {
        eprintln!("{} …", input.name);
        let reference = reference.as_deref().filter(|_| input.compared);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            ours.push(cost(&own.join("hcldec"), &spec, &input.files)?);
            if let Some(program) = reference {
                theirs.push(cost(program, &spec, &input.files)?);
            }
        }
        write!(table, "| {} | {} | ", input.name, middle(&ours))?;
        if theirs.is_empty() {
            table.push_str(" | | | ");
        } else {
            let ratio = |of: fn(&Cost) -> f64| {
                median(theirs.iter().zip(&ours).map(|(one, other)| of(one) / of(other)))
            };
            let (processor, elapsed) = (ratio(|cost| cost.processor), ratio(|cost| cost.elapsed));
            let memory = ratio(|cost| cost.peak);
            write!(table, "{} | {processor:.1}, {elapsed:.1} | 1/{memory:.1} | ", middle(&theirs))?;
        }
        let inside = output(
            Command::new(programs.join("bench-decode"))
                .arg(&spec)
                .arg(seconds.to_string())
                .args(&input.files),
        )?;
        let inside: f64 = inside.trim().parse()?;
        write!(table, "{:.1} ms | ", inside / 1e6)?;
        if let Some(oracle) = oracle.filter(|_| input.compared) {
            let request = json!({
                "op": "decode-bench", "spec": spec, "files": input.files, "seconds": seconds,
            });
            let answer = ask_oracle(oracle, &request)?;
            let theirs = answer["ns"].as_f64().with_context(|| answer.to_string())?;
            write!(table, "{:.0} ms (×{:.1})", theirs / 1e6, theirs / inside)?;
        }
        table.push_str(" |\n");
    }
    Ok(table + "\n")
}

fn inputs(programs: &Path, folder: &Path, hcl: &Path) -> Result<Vec<Input>> {
    let folder = folder.join("decode");
    fs::create_dir_all(&folder)?;
    let make = |name: String, from: usize, count: usize| -> Result<PathBuf> {
        let path = folder.join(name);
        let mut command = Command::new(programs.join("bench-inputs"));
        output(command.args(["services", &count.to_string(), &from.to_string()]).arg(&path))?;
        Ok(path)
    };
    let native = make("services.hcl".to_owned(), 0, BLOCKS)?;
    let large = make("large.hcl".to_owned(), 0, 10 * BLOCKS)?;
    let json = folder.join("services.hcl.json");
    output(Command::new(hcl).arg("convert").arg(&native).arg("-o").arg(&json))?;
    let small = (0..FILES)
        .map(|file| make(format!("{file:04}.hcl"), file * BLOCKS_A_FILE, BLOCKS_A_FILE))
        .collect::<Result<Vec<_>>>()?;
    let input = |name: &str, files: Vec<PathBuf>, compared| -> Result<Input> {
        let bytes = files.iter().map(|file| Ok(fs::metadata(file)?.len())).sum::<Result<u64>>()?;
        #[allow(clippy::cast_precision_loss, reason = "sizes of files")]
        let name = format!("{name}, {:.1} MB", bytes as f64 / 1e6);
        Ok(Input { name, files, compared })
    };
    Ok(vec![
        input("native syntax", vec![native], true)?,
        input("the same in the JSON syntax", vec![json], true)?,
        input("1,000 small files", small, true)?,
        input("native syntax", vec![large], false)?,
    ])
}

/// Runs an `hcldec` and discards its output.
fn cost(program: &Path, spec: &Path, files: &[PathBuf]) -> Result<Cost> {
    let mut command = Command::new(program);
    command.arg("--spec").arg(spec).args(files);
    process::cost(&mut command, &[0])
}
