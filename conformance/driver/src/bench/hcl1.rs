//! The table of reading HCL 1 into values: hclkit, the package of HCL 1 in Go, and pyhcl if `PYHCL` names a Python that has it.
//! They take turns, so that changes of the machine's speed affect all of them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::output;
use crate::hcl1;

/// What pyhcl does with the files of a list.
const PYHCL: &str = "
import sys, time, hcl
texts = [open(name, encoding='utf-8').read() for name in open(sys.argv[2]).read().split()]
size, start, rounds = sum(len(text.encode()) for text in texts) / 1e6, time.time(), 0
while time.time() - start < float(sys.argv[1]):
    for text in texts:
        hcl.loads(text)
    rounds += 1
print(size * rounds / (time.time() - start))
";

/// The rounds in which the readers take turns.
const ROUNDS: usize = 3;

pub(super) fn table(programs: &Path, folder: &Path, seconds: f64) -> Result<String> {
    let python = std::env::var("PYHCL").ok();
    let (list, files, bytes) = hcl1::valid_files(folder, python.as_deref())?;
    let seconds = seconds.to_string();
    let run = |program: &Path, arguments: &[&str]| -> Result<f64> {
        Ok(output(Command::new(program).args(arguments).arg(&seconds).arg(&list))?.trim().parse()?)
    };
    let mut rates: Vec<(&str, f64)> = Vec::new();
    for _ in 0..ROUNDS {
        rates.push(("**hclkit**", run(&programs.join("bench-hcl1"), &[])?));
        rates.push(("hashicorp/hcl 1.0.0 (Go)", run(&hcl1::oracle(), &["bench"])?));
        if let Some(python) = &python {
            rates.push(("pyhcl", run(Path::new(python), &["-c", PYHCL])?));
        }
    }
    let mut table = format!(
        "### HCL 1 into values: {files} files, {:.2} MB\n\n| | MB/s | times as long |\n| --- | --- | --- |\n",
        bytes / 1e6
    );
    let median = |name: &str| {
        let mut own: Vec<f64> = rates.iter().filter(|(of, _)| *of == name).map(|(_, rate)| *rate).collect();
        own.sort_unstable_by(f64::total_cmp);
        own.get(own.len() / 2).copied()
    };
    let Some(fastest) = median("**hclkit**") else { return Ok(table) };
    for name in ["**hclkit**", "hashicorp/hcl 1.0.0 (Go)", "pyhcl"] {
        if let Some(rate) = median(name) {
            writeln!(table, "| {name} | {rate:.2} | {:.1} |", fastest / rate)?;
        }
    }
    fs::remove_file(&list)?;
    Ok(table + "\n")
}
