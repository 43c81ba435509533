//! The chore `bench`: speed and memory of hclkit compared with its peers and the reference, as Markdown tables. The
//! programs of `benches/` and the oracle measure; this chore builds them, runs them and prints the tables.

mod decode;
mod eval;
mod format;
mod format_processes;
mod hcl1;
mod modules;
mod monorepo;
mod process;
mod rules;
mod server;
mod structs;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::built;
use crate::corpus::{self, Syntax};
use crate::programs::{build_benches, root, target};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// How long each reader is timed on each input; a reader that needs longer for one round is timed once
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Sizes of the generated files
    #[arg(long, value_delimiter = ',', default_value = "1,10,50")]
    megabytes: Vec<u32>,
    /// Only this table; may be given more than once
    #[arg(long)]
    table: Vec<Which>,
    /// Leave out the reference, which needs Go
    #[arg(long)]
    without_reference: bool,
    /// The programs of the table of formatters as processes, beside hclfmt
    #[arg(long, value_delimiter = ',', default_value = "terraform,tofu")]
    formatters: Vec<String>,
    /// Run this `hcl` as a language server instead of building one
    #[arg(long)]
    program: Option<PathBuf>,
    /// The program whose console is compared in the table of modules
    #[arg(long, default_value = "terraform")]
    console: String,
}

/// The available tables.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Which {
    /// Speed and memory of parsing
    Parse,
    /// Speed of evaluation
    Evaluate,
    /// Speed and memory of decoding
    Decode,
    /// Speed of formatting
    Format,
    /// Formatters as processes: hcl fmt, hclfmt, terraform fmt, tofu fmt
    FormatProcesses,
    /// Speed of reading into structs
    Structs,
    /// Whole modules as processes: hcl eval, terraform console
    Modules,
    /// Checks of many modules that call each other, as processes
    Monorepo,
    /// The same rules as processes: hcl test, conftest, tflint, which are built with Go
    Rules,
    /// Latency and memory of language servers: hcl lsp, terraform-ls
    Server,
    /// Speed of reading HCL 1 into values, also with pyhcl if `PYHCL` names a Python that has it
    Hcl1,
}

/// hcl-edit with the feature of the same name.
const PERF: &str = "hcl-edit, perf";

/// The programs of `benches/`.
const PROGRAMS: [&str; 7] = [
    "bench-inputs",
    "bench-speed",
    "bench-memory",
    "bench-eval",
    "bench-eval-allocations",
    "bench-decode",
    "bench-structs",
];

/// The readers of `bench-speed`, and what the tables call them.
const READERS: [(&str, &str); 8] = [
    ("hclkit", "**hclkit**"),
    ("hclkit, lexing alone", "hclkit, lexing alone"),
    ("hcl-edit", "hcl-edit 0.10"),
    (PERF, "hcl-edit 0.10 with `perf`"),
    ("hcl-rs", "hcl-rs 0.20, to `Body`"),
    ("tree-sitter", "tree-sitter-hcl 1.1"),
    ("serde_json", "serde_json, the same as JSON"),
    ("byte-loop", "reading each byte once"),
];

/// An input: its name, the list of its files, and what was measured on it.
struct Input {
    name: String,
    list: PathBuf,
    files: usize,
    bytes: f64,
    speeds: Value,
    with_perf: Beside,
    reference: Option<Reference>,
}

struct Reference {
    lex: Beside,
    parse: Beside,
    peak: f64,
    kept_at_most: f64,
}

/// The MB/s of a reader that runs in another process, and those of hclkit just before it: only figures from about the
/// same time can be compared.
#[derive(Clone, Copy)]
struct Beside {
    rate: f64,
    own: f64,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let folder = target().join("bench");
    fs::create_dir_all(&folder)?;
    // The oracle neither evaluates modules nor serves editors.
    let is_without = matches!(args.table[..], [Which::Modules | Which::Server | Which::Hcl1 | Which::Rules]);
    let oracle = if args.without_reference || is_without { None } else { Some(built::oracle()?) };
    let wanted = |table| args.table.is_empty() || args.table.contains(&table);
    if wanted(Which::Parse) {
        parsing(args, &folder, oracle.as_deref())?;
    }
    if wanted(Which::Evaluate) {
        let plain = build("peers", &folder)?;
        print!("{}", eval::table(&plain, oracle.as_deref(), args.seconds)?);
    }
    if wanted(Which::Decode) {
        let plain = build("peers", &folder)?;
        print!("{}", decode::tables(&plain, &folder, oracle.as_deref(), args.seconds)?);
    }
    if wanted(Which::Structs) {
        let plain = build("peers", &folder)?;
        print!("{}", structs::table(&plain, &folder, oracle.as_deref(), args.seconds)?);
    }
    if wanted(Which::Format) {
        print!("{}", format::table(args, &folder, oracle.as_deref())?);
    }
    if wanted(Which::FormatProcesses) {
        print!("{}", format_processes::table(&folder, oracle.is_some(), &args.formatters)?);
    }
    if wanted(Which::Modules) {
        print!("{}", modules::table(&folder, &args.console)?);
    }
    if wanted(Which::Monorepo) {
        print!("{}", monorepo::table(&folder)?);
    }
    if wanted(Which::Rules) {
        print!("{}", rules::table(&folder)?);
    }
    if wanted(Which::Server) {
        print!("{}", server::table(&folder, args)?);
    }
    if wanted(Which::Hcl1) {
        let status = build_benches(root()).args(["--bin", "bench-hcl1"]).status()?;
        ensure!(status.success(), "the benches could not be built");
        print!("{}", hcl1::table(&target().join("dist"), &folder, args.seconds)?);
    }
    Ok(ExitCode::SUCCESS)
}

fn parsing(args: &Args, folder: &Path, oracle: Option<&Path>) -> Result<()> {
    let perf = build("perf", folder)?;
    let plain = build("peers", folder)?;
    let mut inputs = vec![corpus_list(folder, &plain)?];
    for megabytes in &args.megabytes {
        let (file, list) =
            (folder.join(format!("{megabytes}.hcl")), folder.join(format!("{megabytes}.list")));
        output(Command::new(plain.join("bench-inputs")).args(["make", &megabytes.to_string()]).arg(&file))?;
        fs::write(&list, format!("{}\n", file.display()))?;
        inputs.push((format!("{megabytes} MB"), list));
    }
    let inputs: Vec<Input> = inputs
        .into_iter()
        .map(|(name, list)| measure(name, list, args.seconds, &plain, &perf, oracle))
        .collect::<Result<_>>()?;
    print!("{}", speed_table(&inputs)?);
    print!("{}", memory_table(&inputs, &plain)?);
    Ok(())
}

/// Builds the programs with a feature and copies them, because the next build replaces them. Returns the directory of
/// the copies.
fn build(feature: &str, folder: &Path) -> Result<PathBuf> {
    let status = build_benches(root()).args(["--bins", "--features", feature]).status()?;
    ensure!(status.success(), "the benches could not be built");
    let aside = folder.join(feature);
    fs::create_dir_all(&aside)?;
    for program in PROGRAMS {
        // A running program cannot be overwritten.
        let _ = fs::remove_file(aside.join(program));
        fs::copy(target().join("dist").join(program), aside.join(program))?;
    }
    Ok(aside)
}

/// The files of the corpus in the native syntax, without duplicates and without files that have errors.
fn corpus_list(folder: &Path, programs: &Path) -> Result<(String, PathBuf)> {
    let (texts, list) = (folder.join("corpus"), folder.join("corpus.list"));
    if texts.exists() {
        fs::remove_dir_all(&texts)?;
    }
    fs::create_dir_all(&texts)?;
    let (mut seen, mut paths) = (HashSet::new(), String::new());
    for file in corpus::files()? {
        if file.syntax == Syntax::Native && seen.insert(file.bytes.clone()) {
            let path = texts.join(format!("{:05}.hcl", seen.len()));
            fs::write(&path, file.bytes)?;
            writeln!(paths, "{}", path.display())?;
        }
    }
    fs::write(&list, paths)?;
    let right = output(Command::new(programs.join("bench-inputs")).arg("right").arg(&list))?;
    fs::write(&list, right)?;
    Ok(("corpus".to_owned(), list))
}

fn measure(
    name: String,
    list: PathBuf,
    seconds: f64,
    plain: &Path,
    perf: &Path,
    oracle: Option<&Path>,
) -> Result<Input> {
    eprintln!("{name} …");
    let speed = |programs: &Path, readers: &[&str]| -> Result<Value> {
        let mut command = Command::new(programs.join("bench-speed"));
        let text = output(command.arg(&list).arg(seconds.to_string()).args(readers))?;
        Ok(serde_json::from_str(&text)?)
    };
    let speeds = speed(plain, &[])?;
    let rate = |speeds: &Value, reader: &str| {
        speeds["readers"][reader]["mb_per_s"].as_f64().with_context(|| format!("no speed of {reader}"))
    };
    // One program cannot have the feature both on and off.
    let with_perf = speed(perf, &["hclkit", "hcl-edit"])?;
    let with_perf = Beside { rate: rate(&with_perf, "hcl-edit")?, own: rate(&with_perf, "hclkit")? };
    let files: Vec<String> = fs::read_to_string(&list)?.lines().map(str::to_owned).collect();
    let bytes = speeds["bytes"].as_f64().context("no size")?;
    let reference = match oracle {
        Some(oracle) => {
            Some(reference(oracle, &files, seconds, || rate(&speed(plain, &["hclkit"])?, "hclkit"))?)
        }
        None => None,
    };
    Ok(Input { name, list, files: files.len(), bytes, speeds, with_perf, reference })
}

/// Times the reference and hclkit alternately, three times.
fn reference(
    oracle: &Path,
    files: &[String],
    seconds: f64,
    own: impl Fn() -> Result<f64>,
) -> Result<Reference> {
    let ask = |what: &str| {
        ask_oracle(oracle, &json!({ "op": "bench", "what": what, "files": files, "seconds": seconds / 3.0 }))
    };
    let number = |answer: &Value, field: &str| answer[field].as_f64().with_context(|| answer.to_string());
    let (mut lex, mut parse, mut peaks) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..3 {
        let own = own()?;
        for (what, turns) in [("lex", &mut lex), ("parse", &mut parse)] {
            let answer = ask(what)?;
            turns.push(Beside { rate: number(&answer, "bytes")? / number(&answer, "ns")? * 1e3, own });
            if what == "parse" {
                peaks.push((number(&answer, "peak_memory")?, number(&answer, "base_memory")?));
            }
        }
    }
    // Further rounds in one process can only raise the peak, so the smallest is that of reading once.
    let &(peak, base) = peaks.iter().min_by(|one, other| one.0.total_cmp(&other.0)).context("no turn")?;
    Ok(Reference { lex: median(lex), parse: median(parse), peak, kept_at_most: peak - base })
}

/// Sends one request to a new oracle.
fn ask_oracle(oracle: &Path, request: &Value) -> Result<Value> {
    // One processor, like all others.
    let mut command = Command::new(oracle);
    command.env("GOMAXPROCS", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().context("cannot run the oracle")?;
    let mut input = child.stdin.take().context("no standard input")?;
    input.write_all(format!("{request}\n").as_bytes())?;
    drop(input);
    Ok(serde_json::from_slice(&child.wait_with_output()?.stdout)?)
}

/// The round with the median ratio.
fn median(mut turns: Vec<Beside>) -> Beside {
    turns.sort_by(|one, other| (one.own / one.rate).total_cmp(&(other.own / other.rate)));
    turns[turns.len() / 2]
}

fn speed_table(inputs: &[Input]) -> Result<String> {
    let mut table = String::from("### Parse: MB/s, and the time compared with hclkit\n\n|");
    for input in inputs {
        write!(table, " | {} ({} file{})", input.name, input.files, if input.files == 1 { "" } else { "s" })?;
    }
    writeln!(table, " |\n|{}", " --- |".repeat(inputs.len() + 1))?;
    for (reader, title) in READERS {
        write!(table, "| {title}")?;
        for input in inputs {
            let rate = |reader: &str| input.speeds["readers"][reader]["mb_per_s"].as_f64();
            if reader == PERF {
                write!(table, " | {}", input.with_perf)?;
                continue;
            }
            let (rate, own) = rate(reader).zip(rate("hclkit")).context("no speed")?;
            write!(table, " | {}", Beside { rate, own })?;
            if let Some(refused @ 1..) = input.speeds["readers"][reader]["refused"].as_u64() {
                write!(table, ", refuses {refused}")?;
            }
        }
        writeln!(table, " |")?;
    }
    for (what, title) in
        [("parse", "the reference (Go), `hclsyntax.ParseConfig`"), ("lex", "the reference, lexing alone")]
    {
        let all = inputs.iter().filter_map(|input| input.reference.as_ref());
        let cells: Vec<_> = all.map(|of| if what == "lex" { of.lex } else { of.parse }.to_string()).collect();
        if !cells.is_empty() {
            writeln!(table, "| {title} | {} |", cells.join(" | "))?;
        }
    }
    Ok(table + "\n")
}

impl std::fmt::Display for Beside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rate, own } = self;
        let digits = usize::from(*rate < 100.0);
        write!(f, "{rate:.digits$} (×{:.1})", own / rate)
    }
}

/// On the corpus and on the largest file, with a separate process for each reader.
fn memory_table(inputs: &[Input], programs: &Path) -> Result<String> {
    let (Some(corpus), Some(largest)) = (inputs.first(), inputs.last()) else { return Ok(String::new()) };
    let mut table = format!(
        "### Memory\n\n| | allocations per MB, corpus | allocations per MB, {0} | kept per byte, corpus | kept per byte, {0} | peak per byte, {0} | peak, {0} |\n|{1}\n",
        largest.name,
        " --- |".repeat(7)
    );
    for (reader, title) in READERS {
        if ["byte-loop", PERF].contains(&reader) {
            continue;
        }
        let ask = |input: &Input| -> Result<Value> {
            let text = output(Command::new(programs.join("bench-memory")).arg(&input.list).arg(reader))?;
            Ok(serde_json::from_str(&text)?)
        };
        let (small, large) = (ask(corpus)?, ask(largest)?);
        // tree-sitter does not use Rust's allocator, so the resident size is shown.
        let counted = reader != "tree-sitter";
        let per_mb = |of: &Value, input: &Input| match of["allocations"].as_f64() {
            Some(count) if counted => format!("{:.0}", count / input.bytes * 1e6),
            _ => String::new(),
        };
        let field = if counted { "kept" } else { "resident_kept" };
        let kept = |of: &Value, input: &Input| of[field].as_f64().unwrap_or(0.0) / input.bytes;
        // The JSON is created from the text in the same process, which would be the peak.
        let peak = if reader == "serde_json" { None } else { large["peak"].as_f64() };
        writeln!(
            table,
            "| {title} | {} | {} | {:.1} | {:.1} | {} |",
            per_mb(&small, corpus),
            per_mb(&large, largest),
            kept(&small, corpus),
            kept(&large, largest),
            peaks(peak, largest)
        )?;
    }
    if let Some(reference) = &largest.reference {
        let kept = reference.kept_at_most / largest.bytes;
        writeln!(
            table,
            "| the reference (Go) | | | | at most {kept:.1} | {} |",
            peaks(Some(reference.peak), largest)
        )?;
    }
    Ok(table)
}

fn peaks(peak: Option<f64>, input: &Input) -> String {
    peak.map_or_else(|| " | ".to_owned(), |peak| format!("{:.1} | {:.0} MB", peak / input.bytes, peak / 1e6))
}

fn output(command: &mut Command) -> Result<String> {
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot run {command:?}"))?;
    ensure!(output.status.success(), "{command:?} failed");
    Ok(String::from_utf8(output.stdout)?)
}
