//! The table of formatters as processes: `hcl fmt --check` on the corpus, beside `hclfmt`, `terraform fmt` and `tofu fmt`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::corpus_list;
use super::process::{Cost, cost, median, middle};
use crate::built;
use crate::programs;

/// How often each program runs; the median counts.
const TURNS: usize = 7;

/// The codes with which formatters exit: as it should be, would change, would change as Terraform says it.
const CODES: [i32; 3] = [0, 1, 3];

/// `tools` are the programs beside `hclfmt`, such as `terraform`. One that cannot be run has no row.
pub(super) fn table(folder: &Path, reference: bool, tools: &[String]) -> Result<String> {
    let own = programs::own(true)?.join("hcl");
    programs::run(programs::build_benches(programs::root()).args(["--bin", "bench-inputs"]))?;
    let (_, list) = corpus_list(folder, &programs::target().join("dist"))?;
    let directory = folder.join("format-processes");
    if directory.exists() {
        fs::remove_dir_all(&directory)?;
    }
    fs::create_dir_all(&directory)?;
    let (mut files, mut bytes) = (Vec::new(), 0);
    for (number, path) in fs::read_to_string(&list)?.lines().enumerate() {
        let name = format!("{number:05}.tf");
        bytes += fs::copy(path, directory.join(&name))?;
        files.push(name);
    }
    #[allow(clippy::cast_precision_loss, reason = "a size")]
    let megabytes = bytes as f64 / 1e6;
    let mut table = format!(
        "### Formatting {} files of the corpus, {megabytes:.1} MB: CPU time, time, peak memory\n\n\
         | | it | `hcl fmt --check` with its profile | times as fast (CPU, time) |\n| --- | --- | --- | --- |\n",
        files.len()
    );
    let in_directory = |program: &Path, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.current_dir(&directory).args(arguments);
        command
    };
    let ours = |profile: &str| {
        in_directory(&own, &["fmt", "--check", "--no-ignore", "--list=false", "--language", profile])
    };
    if reference {
        let hclfmt = built::reference("hclfmt")?;
        let mut theirs = in_directory(&hclfmt.program, &["-check"]);
        theirs.args(&files);
        row(&mut table, &format!("`hclfmt` {}", hclfmt.version), &mut theirs, &mut ours("plain"))?;
    }
    for tool in tools {
        let name = Path::new(tool).file_name().and_then(|name| name.to_str()).unwrap_or(tool);
        let Ok(version) = Command::new(tool).arg("version").stderr(Stdio::null()).output() else {
            eprintln!("{tool} cannot be run");
            continue;
        };
        let version = String::from_utf8_lossy(&version.stdout);
        let version = version.split_whitespace().nth(1).unwrap_or_default();
        let mut theirs = in_directory(Path::new(tool), &["fmt", "-check", "-list=false"]);
        let profile = if name.contains("tofu") { "tofu" } else { "terraform" };
        row(&mut table, &format!("`{name} fmt` {version}"), &mut theirs, &mut ours(profile))?;
    }
    Ok(table + "\n")
}

/// Runs both in turns.
fn row(table: &mut String, name: &str, theirs: &mut Command, ours: &mut Command) -> Result<()> {
    eprintln!("{name} …");
    let (mut own, mut other) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        own.push(cost(ours.stderr(Stdio::null()), &CODES).context("hcl fmt")?);
        other.push(cost(theirs.stderr(Stdio::null()), &CODES)?);
    }
    let ratio = |of: fn(&Cost) -> f64| median(other.iter().zip(&own).map(|(one, other)| of(one) / of(other)));
    let (processor, elapsed) = (ratio(|cost| cost.processor), ratio(|cost| cost.elapsed));
    writeln!(table, "| {name} | {} | {} | {processor:.0}, {elapsed:.0} |", middle(&other), middle(&own))?;
    Ok(())
}
