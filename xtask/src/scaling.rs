//! The chore `scaling`: checks that the programs take time in proportion to their input. Valgrind counts the
//! instructions for inputs of some size and of four times that size, so that the result does not depend on the load of
//! the machine. The inputs are in `scaling/inputs.rs`, one line each, in `scaling/testing.rs` and in `scaling/sessions.rs`.

mod inputs;
mod sessions;
#[path = "../../crates/syntax/tests/syntax/invariants/shapes.rs"]
mod shapes;
mod testing;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum as _;
use hclkit_syntax::Code;

use crate::programs::{self, target};
use inputs::{Input, Row};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only the rows that .ci/run asks for
    #[arg(long)]
    quick: bool,
    /// Only rows whose names contain this
    #[arg(long)]
    row: Option<String>,
    /// Only the first row whose name contains this, and those after it: what a run that was ended has left
    #[arg(long, conflicts_with = "row")]
    from: Option<String>,
    /// Run this program instead of building one
    #[arg(long)]
    program: Option<PathBuf>,
    /// Print seconds and peak memory of one run at this multiple of each size, and count no instructions
    #[arg(long)]
    times: Option<usize>,
}

/// How many times larger the larger input is.
const FACTOR: usize = 4;

/// The tasks of the programs.
#[derive(Clone, Copy, PartialEq, Debug, clap::ValueEnum)]
pub(crate) enum Task {
    Check,
    CheckJson,
    CheckGithub,
    CheckSarif,
    /// On the directory of the input.
    CheckTree,
    Fix,
    Fmt,
    /// With the arguments of the input.
    Edit,
    /// With the spec as the script. The file is written, because the time of a diff is limited by the clock.
    Script,
    /// On the directory of the input, like the next two.
    Split,
    Rename,
    Refs,
    /// Of a variable of the module in the directory `m`.
    RenameCallers,
    /// With the arguments of the input.
    Query,
    /// On the directory of the input.
    QueryTree,
    /// Of the directory of the input as a module, as are the next three.
    Module,
    ModuleJson,
    Unknown,
    /// Of all values of the directory of the input.
    ModuleExplain,
    Graph,
    /// On the directory of the input, like the next one.
    Test,
    TestJson,
    Tokens,
    Tree,
    Eval,
    /// Of an attribute `a`.
    EvalCsv,
    EvalJson,
    EvalTyped,
    Explain,
    Partial,
    Template,
    Convert,
    /// Of three files of the input.
    Merge,
    Console,
    /// With the spec that belongs to the input.
    Decode,
    /// On the spec that belongs to the input.
    Schema,
    /// With the spec that belongs to the input.
    CheckSpec,
    /// The input is a recorded session.
    Server,
}

impl Task {
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Check => &["check", "input.hcl"],
            Self::CheckJson => &["check", "--report", "json", "input.hcl"],
            Self::CheckGithub => &["check", "--report", "github", "input.hcl"],
            Self::CheckSarif => &["check", "--report", "sarif", "input.hcl"],
            Self::CheckTree => &["check", "--report", "json", "tree"],
            Self::Fmt => &["fmt", "-"],
            Self::Edit => &["edit"],
            Self::Script => &["edit", "--write", "--script", "spec.hcldec", "input.hcl"],
            Self::Split => &["split", "tree"],
            Self::Rename => &["rename", "var.x", "renamed", "tree"],
            Self::RenameCallers => &["rename", "var.x", "renamed", "tree/m", "--callers", "tree"],
            Self::Refs => &["refs", "--ndjson", "var.x", "tree"],
            Self::Query => &["query"],
            Self::QueryTree => &["query", "a", "tree"],
            Self::Module => &["eval", "tree"],
            Self::ModuleJson => &["eval", "tree", "--output", "json"],
            Self::Unknown => &["eval", "tree", "--unknown"],
            Self::ModuleExplain => &["eval", "tree", "*.*", "--explain"],
            Self::Graph => &["graph", "tree"],
            Self::Test => &["test", "tree"],
            Self::TestJson => &["test", "--report", "json", "tree"],
            Self::Schema => &["schema", "-s", "spec.hcldec"],
            Self::Fix => &["check", "--fix", "input.hcl"],
            Self::Tokens => &["dump", "tokens", "input.hcl"],
            Self::Tree => &["dump", "tree", "input.hcl"],
            Self::Eval => &["eval", "-f", "input.hcl", "--allow-fs", "."],
            Self::EvalCsv => &["eval", "-f", "input.hcl", "--attr", "a", "--output", "csv"],
            Self::EvalJson => &["eval", "-f", "input.hcl", "--output", "json"],
            Self::EvalTyped => &["eval", "-f", "input.hcl", "--output", "typed"],
            Self::Explain => &["eval", "-f", "input.hcl", "--explain"],
            Self::Partial => &["eval", "-f", "input.hcl", "--partial", "--var", "u.zz=1"],
            Self::Template => &["eval", "-f", "input.hcl", "--template", "--var", "x=1"],
            Self::Convert => &["convert", "input.hcl"],
            Self::Merge => &["merge", "tree/base.hcl", "tree/ours.hcl", "tree/theirs.hcl", "--result", "-"],
            Self::Console => &["console", "--no-history"],
            Self::Decode => &["decode", "--dynamic", "-s", "spec.hcldec", "input.hcl"],
            Self::CheckSpec => &["check", "--fix", "-s", "spec.hcldec", "input.hcl"],
            Self::Server => &["lsp", "--replay", "input.hcl"],
        }
    }

    /// Returns true if the file is standard input.
    fn reads_stdin(self) -> bool {
        matches!(self, Self::Console | Self::Fmt)
    }

    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// One row with one of its tasks.
type Case<'r> = (&'r Row, Task);

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let program = match &args.program {
        Some(program) => program.canonicalize()?,
        None => programs::own_checked()?,
    };
    let others = inputs::circles().chain(sessions::rows()).chain(testing::rows());
    let rows: Vec<Row> = inputs::rows().into_iter().chain(others).collect();
    let wanted = |row: &&Row| {
        (!args.quick || row.quick) && args.row.as_ref().is_none_or(|part| row.name.contains(part))
    };
    let before = |row: &&Row| args.from.as_ref().is_some_and(|part| !row.name.contains(part));
    let cases: Vec<Case> = rows
        .iter()
        .skip_while(before)
        .filter(wanted)
        .flat_map(|row| row.tasks.iter().map(move |task| (row, *task)))
        .collect();
    ensure!(!cases.is_empty(), "no row has that name");
    let folder = target().join("scaling");
    if let Some(times) = args.times {
        println!(
            "| input | size | command | seconds | MiB | bytes written |\n| --- | --- | --- | --- | --- | --- |"
        );
        for case in cases {
            println!("{}", measured(&program, &folder, case, times)?);
        }
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "| input | size | command | instructions | ratio | at most |\n| --- | --- | --- | --- | --- | --- |"
    );
    let (next, failed, broken) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(None));
    thread::scope(|scope| {
        for worker in 0..thread::available_parallelism().map_or(1, usize::from) {
            let folder = folder.join(worker.to_string());
            let (program, cases, next, failed, broken) = (&program, &cases, &next, &failed, &broken);
            scope.spawn(move || {
                while let Some(&case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match counted(program, &folder, case) {
                        Ok((line, true)) => println!("{line}"),
                        Ok((line, false)) => {
                            println!("{line} **too much**");
                            failed.fetch_add(1, Ordering::Relaxed);
                        }
                        Err(error) => {
                            if let Ok(mut broken) = broken.lock() {
                                broken.get_or_insert(error);
                            }
                        }
                    }
                }
            });
        }
    });
    if let Ok(Some(error)) = broken.into_inner() {
        return Err(error);
    }
    Ok(ExitCode::from(u8::from(failed.into_inner() > 0)))
}

/// A row of the table, and true if the bound holds.
fn counted(program: &Path, folder: &Path, (row, task): Case<'_>) -> Result<(String, bool)> {
    let count = |size: usize| {
        let input = (row.input)(size);
        instructions(program, folder, task, &input)
            .with_context(|| format!("{} with {}", row.name, task.name()))
    };
    let idle = count(1)?;
    let (small, large) =
        (count(row.size)?.saturating_sub(idle), count(FACTOR * row.size)?.saturating_sub(idle));
    // A run that hardly depends on the input is not examined further.
    let floor = idle / 20;
    #[allow(clippy::cast_precision_loss, reason = "a ratio")]
    let (ratio, millions) = (large as f64 / small.max(floor).max(1) as f64, small as f64 / 1e6);
    let line = format!(
        "| {} | {} | {} | {millions:.1} M | {ratio:.2} | {:.1} |",
        row.name,
        row.size,
        task.name(),
        row.most
    );
    Ok((line, ratio <= row.most))
}

/// Writes the files of an input.
fn prepare(folder: &Path, input: &Input) -> Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("input.hcl"), &input.text)?;
    fs::write(folder.join("spec.hcldec"), &input.spec)?;
    let tree = folder.join("tree");
    if tree.exists() {
        fs::remove_dir_all(&tree)?;
    }
    for (name, text) in &input.tree {
        let path = tree.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&tree))?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// The program with the arguments of a task.
fn command(task: Task, input: &Input, mut command: Command, folder: &Path) -> Result<Command> {
    let stdin =
        if task.reads_stdin() { fs::File::open(folder.join("input.hcl"))?.into() } else { Stdio::null() };
    command.args(task.arguments()).args(&input.arguments);
    if matches!(task, Task::Edit | Task::Query) {
        command.arg("input.hcl");
    }
    command.current_dir(folder).stdin(stdin);
    Ok(command)
}

fn instructions(program: &Path, folder: &Path, task: Task, input: &Input) -> Result<u64> {
    prepare(folder, input)?;
    let log = folder.join("valgrind.log");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
    valgrind.arg(format!("--log-file={}", log.display())).arg(program);
    let out = folder.join("output");
    let file = fs::File::create(&out)?;
    let status = command(task, input, valgrind, folder)?
        .stderr(file.try_clone()?)
        .stdout(file)
        .status()
        .context("cannot run valgrind")?;
    let report = fs::read_to_string(&log)?;
    ensure!(is_done(status.code(), &out)?, "{status}: {report}");
    let count =
        report.lines().find_map(|line| line.split_once("refs:")).map(|(_, count)| count.replace(',', ""));
    count.and_then(|count| count.trim().parse().ok()).with_context(|| format!("no count in: {report}"))
}

/// Returns true if a run has done its work, found mistakes, of which many inputs consist, or was ended by a limit.
fn is_done(code: Option<i32>, output: &Path) -> Result<bool> {
    let is_limit = |code: &Code| code.is_limit() || *code == Code::NestingTooDeep;
    Ok(match code {
        Some(0 | 1) => true,
        Some(2) => {
            let text = String::from_utf8_lossy(&fs::read(output)?).into_owned();
            Code::ALL.iter().filter(|code| is_limit(code)).any(|code| text.contains(code.as_str()))
        }
        _ => false,
    })
}

/// Seconds and peak memory of one run.
#[cfg(unix)]
fn measured(program: &Path, folder: &Path, (row, task): Case<'_>, times: usize) -> Result<String> {
    use wait4::Wait4 as _;
    let input = (row.input)(times * row.size);
    prepare(folder, &input)?;
    let out = folder.join("output");
    let file = fs::File::create(&out)?;
    let mut child = command(task, &input, Command::new(program), folder)?
        .stderr(file.try_clone()?)
        .stdout(file)
        .spawn()?;
    let taken = child.wait4()?;
    if !is_done(taken.status.code(), &out)? {
        bail!("{} with {}: {}", row.name, task.name(), taken.status);
    }
    let seconds = (taken.rusage.utime + taken.rusage.stime).as_secs_f64();
    Ok(format!(
        "| {} | {} | {} | {seconds:.2} | {} | {} |",
        row.name,
        times * row.size,
        task.name(),
        taken.rusage.maxrss >> 20,
        fs::metadata(&out)?.len()
    ))
}

#[cfg(not(unix))]
fn measured(_: &Path, _: &Path, _: Case<'_>, _: usize) -> Result<String> {
    bail!("this needs a system like Unix")
}
