//! The table of formatting: hclkit compared with the reference, on files as they are and with random spacing.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::{Args, Beside, ask_oracle, corpus_list, median, output};
use crate::programs::{build_benches, root, target};

/// How often both are timed; the median counts.
const TURNS: u8 = 3;

pub(super) fn table(args: &Args, folder: &Path, oracle: Option<&Path>) -> Result<String> {
    let status = build_benches(root()).args(["--bin", "bench-format", "--bin", "bench-inputs"]).status()?;
    ensure!(status.success(), "the benches could not be built");
    let programs = target().join("dist");
    let mut inputs = vec![corpus_list(folder, &programs)?];
    for megabytes in &args.megabytes {
        let file = folder.join(format!("{megabytes}.hcl"));
        let list = folder.join(format!("{megabytes}.list"));
        output(
            Command::new(programs.join("bench-inputs")).args(["make", &megabytes.to_string()]).arg(&file),
        )?;
        fs::write(&list, format!("{}\n", file.display()))?;
        inputs.push((format!("{megabytes} MB"), list));
    }
    let mut table = String::from(
        "### Format: MB/s, and how many times as fast as the reference\n\n\
         | | **hclkit** | the reference (Go), `hclwrite.Format` | times as fast |\n| --- | --- | --- | --- |\n",
    );
    for (name, list) in inputs {
        for (kind, list) in [("", list.clone()), (", badly spaced", respaced(&list, folder)?)] {
            eprintln!("{name}{kind} …");
            let turns =
                (0..TURNS).map(|_| turn(&programs, &list, oracle, args.seconds)).collect::<Result<_>>()?;
            let Beside { rate, own } = median(turns);
            let (theirs, times) = match oracle {
                Some(_) => (format!("{rate:.1}"), format!("{:.0}", own / rate)),
                None => Default::default(),
            };
            writeln!(table, "| {name}{kind} | {own:.0} | {theirs} | {times} |")?;
        }
    }
    Ok(table + "\n")
}

fn turn(programs: &Path, list: &Path, oracle: Option<&Path>, seconds: f64) -> Result<Beside> {
    let share = (seconds / f64::from(TURNS)).to_string();
    let own = output(Command::new(programs.join("bench-format")).arg(list).arg(&share))?.trim().parse()?;
    let Some(oracle) = oracle else { return Ok(Beside { rate: 1.0, own }) };
    let files: Vec<String> = fs::read_to_string(list)?.lines().map(str::to_owned).collect();
    let request =
        json!({ "op": "bench", "what": "format", "files": files, "seconds": seconds / f64::from(TURNS) });
    let answer = ask_oracle(oracle, &request)?;
    let number = |field: &str| answer[field].as_f64().with_context(|| answer.to_string());
    Ok(Beside { rate: number("bytes")? / number("ns")? * 1e3, own })
}

/// The same files without their indentation, and with other blanks around equals signs and commas.
fn respaced(list: &Path, folder: &Path) -> Result<PathBuf> {
    let into = folder.join("respaced");
    if into.exists() {
        fs::remove_dir_all(&into)?;
    }
    fs::create_dir_all(&into)?;
    let mut paths = String::new();
    for (n, path) in fs::read_to_string(list)?.lines().enumerate() {
        let text = fs::read_to_string(path)?;
        let lines = text.split_inclusive('\n').map(|line| line.trim_start_matches(' '));
        let text = lines.collect::<String>().replace(" = ", "=").replace(", ", " ,");
        let path = into.join(format!("{n}.hcl"));
        fs::write(&path, text)?;
        writeln!(paths, "{}", path.display())?;
    }
    let list = folder.join("respaced.list");
    fs::write(&list, paths)?;
    Ok(list)
}
