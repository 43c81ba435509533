//! The chore `instructions`: counts with valgrind how many instructions parsing, evaluation and decoding take, and
//! compares them with another build. Unlike times, the counts of two builds can be compared on a busy machine.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, ensure};

use crate::programs::{answer, build_benches, root, run, target};

/// The profile `dist` of `Cargo.toml`.
const DIST: [&str; 5] =
    ["inherits=\"release\"", "opt-level=3", "debug=\"line-tables-only\"", "lto=\"thin\"", "codegen-units=1"];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Compare with this commit, which is built in a work tree of its own
    #[arg(long, value_name = "COMMIT", conflicts_with = "beside")]
    against: Option<String>,
    /// Compare with this `bench-once`
    #[arg(long, value_name = "PROGRAM")]
    beside: Option<PathBuf>,
    /// Exit with 1 if a row takes more than this many percent more instructions than the other build
    #[arg(long, value_name = "PERCENT", default_value_t = 3.0)]
    most: f64,
}

pub(crate) fn count(args: &Args) -> Result<ExitCode> {
    let own = build(root())?;
    let other = match (&args.against, &args.beside) {
        (Some(commit), _) => Some(build_commit(commit)?),
        (None, beside) => beside.clone(),
    };
    let rows = answer(Command::new(&own).arg("rows"))?;
    let known = other.as_ref().map(|other| answer(Command::new(other).arg("rows"))).transpose()?;
    match other {
        Some(_) => println!("| | instructions | before | change |\n| --- | --- | --- | --- |"),
        None => println!("| | instructions |\n| --- | --- |"),
    }
    let mut slower = false;
    for row in rows.lines() {
        let (operation, what) = row.split_once('\t').context("a row is an operation and its input")?;
        let now = instructions(&own, operation, what)?;
        let Some(other) = &other else {
            println!("| {operation}: {what} | {now} |");
            continue;
        };
        // Older builds have fewer rows.
        if known.as_ref().is_some_and(|known| known.lines().all(|other| other != row)) {
            println!("| {operation}: {what} | {now} | | |");
            continue;
        }
        let before = instructions(other, operation, what)?;
        #[allow(clippy::cast_precision_loss, reason = "a ratio")]
        let change = (now as f64 / before as f64 - 1.0) * 100.0;
        slower |= change > args.most;
        println!("| {operation}: {what} | {now} | {before} | {change:+.2} % |");
    }
    Ok(if slower { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Builds `bench-once` in a work tree. Returns the program.
fn build(tree: &Path) -> Result<PathBuf> {
    let target = if tree == root() { target() } else { tree.join("target") };
    let mut cargo = build_benches(tree);
    cargo.env("CARGO_TARGET_DIR", &target).args(["--bin", "bench-once"]);
    // Older commits do not have this profile.
    for setting in DIST {
        cargo.args(["--config", &format!("profile.dist.{setting}")]);
    }
    run(&mut cargo)?;
    Ok(target.join("dist").join("bench-once"))
}

/// The same for a commit, in a work tree under the build results.
fn build_commit(commit: &str) -> Result<PathBuf> {
    let tree = target().join("instructions");
    let git = || {
        let mut git = Command::new("git");
        git.current_dir(root());
        git
    };
    if tree.exists() {
        run(git().current_dir(&tree).args(["checkout", "--quiet", "--force", "--detach", commit]))?;
    } else {
        run(git().args(["worktree", "add", "--quiet", "--detach"]).arg(&tree).arg(commit))?;
    }
    build(&tree)
}

/// The instructions of one run of an operation: those of a process with three runs minus those of a process with one,
/// halved.
fn instructions(program: &Path, operation: &str, what: &str) -> Result<u64> {
    let of = |times: &str| -> Result<u64> {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
        valgrind.arg(program).args([operation, what, times]);
        let output = valgrind.output().context("valgrind cannot be run: is it installed?")?;
        let report = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{valgrind:?} failed:\n{report}");
        let count = report.lines().find_map(|line| line.split_once("Collected : "));
        let (_, count) = count.with_context(|| format!("no count in:\n{report}"))?;
        Ok(count.trim().parse()?)
    };
    Ok((of("3")? - of("1")?) / 2)
}
