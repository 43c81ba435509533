//! The differential driver: sends the same requests to the Rust probe and to the reference, shows differences, and
//! counts them in a committed snapshot. The module of each group generates the requests of its ops.

mod compare;
mod decode;
mod deviations;
mod eval;
mod format;
mod grammar;
mod inputs;
mod json;
pub(crate) mod mutate;
mod record;
mod report;
mod respell;
mod shrink;
mod snapshot;
mod syntax;
mod tokens;
mod values;

use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use fastrand::Rng;
use hclkit_limits::Limits;
use serde_json::Value;

use crate::built;
use crate::probe::Probe;
use compare::{Outcome, compare};
use deviations::Deviations;
use inputs::Inputs;
use report::Difference;

/// Every group of ops. A new group is one module and one line here.
const GROUPS: &[&[Op]] = &[syntax::OPS, values::OPS, eval::OPS, decode::OPS, json::OPS, format::OPS];

/// The kind of input that is used only with the corpus, or if it is named.
const LIMITS: &str = "limits";

/// What the driver knows about an op.
pub(crate) struct Op {
    /// Its name in requests.
    pub(crate) name: &'static str,
    /// The kinds of random input, and how a request of each kind is generated. Kinds whose names start with `corpus`
    /// require the corpus.
    pub(crate) kinds: &'static [(&'static str, Make)],
    /// Requests that are made in every run, by their kind of input. Those `by hand` are also recorded.
    pub(crate) fixed: &'static [(&'static str, Fixed)],
    /// The request for a file of the corpus. [`Inputs::corpus_for`] decides which syntax the files have.
    pub(crate) corpus: Option<fn(&str) -> Vec<Value>>,
    /// The number of random requests that are recorded for `cargo test`.
    pub(crate) recorded: usize,
}

impl Op {
    /// A random request by its number. In one of eight, a name is spelled in two ways.
    fn random(&self, seed: u64, kind: &str, make: Make, n: usize, inputs: &Inputs) -> Value {
        let mut rng = rng(seed, self.name, kind, n);
        let mut request = make(&mut rng, inputs);
        request["op"] = self.name.into();
        if n % 8 == 7 && request.get("do").is_none() {
            respell::respell(&mut rng, &mut request);
        }
        request
    }
}

/// Makes a list of requests, without `op` and `id`.
pub(crate) type Fixed = fn() -> Vec<Value>;

/// Makes one request, without `op` and `id`.
pub(crate) type Make = fn(&mut Rng, &Inputs) -> Value;

#[derive(ClapArgs)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// Seed of the random requests; a fresh one is drawn and printed without it
    #[arg(long)]
    seed: Option<u64>,
    /// The number of random requests for each op
    #[arg(long, default_value_t = snapshot::COUNT)]
    count: usize,
    /// Also use every file of the corpus, and mutations of them; with --modules, evaluate its directories instead
    #[arg(long)]
    corpus: bool,
    /// Only this op; may be given more than once
    #[arg(long)]
    op: Vec<String>,
    /// Only this kind of input (as the table names them)
    #[arg(long)]
    kind: Vec<String>,
    /// Stop after this many seconds, whatever the count
    #[arg(long)]
    seconds: Option<u64>,
    /// The number of classes of differences to show
    #[arg(long, default_value_t = 20)]
    show: usize,
    /// The number of differences to show for each class
    #[arg(long, default_value_t = 2)]
    each: usize,
    /// Rewrite the committed snapshot; implies its seed
    #[arg(long)]
    bless: bool,
    /// Run the reference's own suite of the specification instead, with our hcldec
    #[arg(long, exclusive = true)]
    specsuite: bool,
    /// Ask Terraform for the recorded modules of tests/modules instead, or with --random for others
    #[arg(long, group = "programs")]
    modules: bool,
    /// Ask Buildx for the recorded files of tests/bake instead, and compare with it on the files of its own tests
    #[arg(long)]
    bake: bool,
    /// Ask Nomad for the recorded jobs of tests/nomad instead
    #[arg(long)]
    nomad: bool,
    /// Ask Terragrunt for the recorded units of tests/terragrunt instead
    #[arg(long)]
    terragrunt: bool,
    /// Ask the package of HCL 1 for the recorded texts of tests/hcl1 instead, and compare with it on real files; or with --random
    /// on random texts and mutants
    #[arg(long, group = "programs")]
    hcl1: bool,
    /// Ask the parsers of Consul, Vault and consul-template for the recorded configurations of tests/consul and others instead, and
    /// compare what they read; or with --random on mutants, or with --files on real ones
    #[arg(long, group = "programs")]
    agents: bool,
    /// With --agents: compare on the configurations in a directory
    #[arg(long, value_name = "DIRECTORY", requires = "agents")]
    files: Vec<std::path::PathBuf>,
    /// Ask Packer for the recorded templates of tests/packer instead, or with --random for others
    #[arg(long, group = "programs")]
    packer: bool,
    /// Build Terraform and OpenTofu, and ask them for the recorded modules of tests/versions instead, or with --random about
    /// others with faults
    #[arg(long, group = "programs")]
    versions: bool,
    /// With --versions: compare with `hcl check` on the directories that these applications test themselves with
    #[arg(long, requires = "versions")]
    testdata: bool,
    /// With --versions: ask another version, such as terraform@1.17.0, and show what it says differently
    #[arg(long, value_name = "NAME@VERSION", requires = "versions")]
    of: Vec<String>,
    /// With --versions and --random: the number of the first module, to see one again
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    first: usize,
    /// With --modules, --packer, --real or --versions: compare this many random modules or templates with `hcl eval`; with
    /// --hcl1: this many texts with the library; with --agents: this many mutants
    #[arg(long, value_name = "COUNT", requires = "programs")]
    random: Option<usize>,
    #[command(flatten)]
    real: crate::real::Args,
}

#[derive(Subcommand)]
enum What {
    /// Write the reference's answers that `cargo test` checks the probe against
    Record,
    /// Ask both one question and print the answers
    Ask {
        /// The op
        op: String,
        /// The source text, read from standard input if left out
        src: Option<String>,
        /// Further fields of the request, as JSON
        #[arg(long, default_value = "{}")]
        with: String,
    },
}

/// A request and its origin.
struct Case {
    op: &'static Op,
    kind: &'static str,
    origin: String,
    request: Value,
}

/// Answers are nested as deeply as what they describe.
const LEVELS: u32 = 60_000;

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    if args.real.real {
        return crate::real::run(args.real, args.seed, args.random, args.bless);
    }
    if args.modules {
        return crate::modules::run(args.seed, args.random, args.corpus, args.bless);
    }
    if args.packer {
        return crate::modules::packer::run(args.seed, args.random, args.bless);
    }
    if args.bake {
        return crate::bake::run(args.bless);
    }
    if args.versions {
        if args.testdata {
            return crate::versions::compare_testdata(&args.of);
        }
        if let Some(count) = args.random {
            return crate::versions::compare_random(args.seed, args.first, count, &args.of);
        }
        return crate::versions::ask(&args.of, args.bless);
    }
    if args.hcl1 {
        return crate::hcl1::run(args.seed, args.random, args.bless);
    }
    if args.agents {
        return crate::agents::run(args.seed, args.random, &args.files, args.bless);
    }
    if args.nomad {
        return crate::nomad::run(args.bless);
    }
    if args.terragrunt {
        return crate::terragrunt::run(args.bless);
    }
    if args.specsuite {
        return crate::specsuite::run();
    }
    let running = thread::Builder::new()
        .stack_size(Limits::new().with_nesting(LEVELS).stack_size())
        .spawn(move || run_all(&args))?;
    running.join().expect("a run does not panic")
}

fn run_all(args: &Args) -> Result<ExitCode> {
    let oracle = built::oracle()?;
    match &args.what {
        Some(What::Record) => return record::run(&oracle),
        Some(What::Ask { op, src, with }) => return ask_one(&oracle, op, src.as_deref(), with),
        None => {}
    }
    let seed = match args.seed {
        Some(seed) => seed,
        None if args.bless => snapshot::SEED,
        None => fastrand::u64(..),
    };
    println!("seed {seed}");
    let probe = built::probe()?;
    let inputs = Inputs::load(args.corpus)?;
    let cases = make_cases(args, seed, &inputs)?;
    let deviations = Deviations::load()?;
    let deadline = args.seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let differences = ask(&cases, &oracle, &probe, &deviations, deadline)?;
    let table = report::count(&cases, &differences);
    report::show(&differences, args.show, args.each, &oracle, &probe)?;
    report::write_all(&differences)?;
    println!("\n{}", table.text());
    print!("{}", table.listed());
    println!("{}", table.places());
    let whole = args.op.is_empty() && args.kind.is_empty() && args.seconds.is_none();
    if args.bless {
        if !whole {
            bail!("only a whole run can be blessed");
        }
        snapshot::bless(&table, seed, args.count)?;
    } else if whole {
        snapshot::check(&table, seed, args.count);
    }
    let wrong = differences.iter().filter(|difference| difference.outcome.is_wrong()).count();
    if wrong > 0 {
        println!("{wrong} wrong verdicts, values or deaths (seed {seed})");
    }
    Ok(if wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// `cargo xtask conformance ask`
fn ask_one(oracle: &Path, op: &str, src: Option<&str>, with: &str) -> Result<ExitCode> {
    let mut request: Value = serde_json::from_str(with)?;
    request["op"] = op.into();
    request["src"] =
        src.map_or_else(|| std::io::read_to_string(std::io::stdin()), |src| Ok(src.to_owned()))?.into();
    let theirs = Probe::new(oracle.into()).ask(&request)?;
    let ours = Probe::new(built::probe()?).ask(&request)?;
    println!("reference {theirs:#}\nours      {ours:#}\n{}", compare(&theirs, &ours));
    Ok(ExitCode::SUCCESS)
}

/// Requests of all ops: by hand, random, and the corpus.
fn make_cases(args: &Args, seed: u64, inputs: &Inputs) -> Result<Vec<Case>> {
    let all = GROUPS.iter().copied().flatten();
    for name in &args.op {
        if !all.clone().any(|op| op.name == name) {
            bail!("the driver does not know the op {name:?}");
        }
    }
    let mut cases = Vec::new();
    for op in all.filter(|op| args.op.is_empty() || args.op.iter().any(|name| name == op.name)) {
        let wanted = |kind: &str| args.kind.is_empty() || args.kind.iter().any(|wanted| wanted == kind);
        let mut add = |kind: &'static str, origin: String, mut request: Value| {
            if wanted(kind) {
                request["op"] = op.name.into();
                cases.push(Case { op, kind, origin, request });
            }
        };
        // Requests at the limits take the reference a long time.
        let limits = args.corpus || args.kind.iter().any(|kind| kind == LIMITS);
        for (kind, cases) in op.fixed.iter().filter(|(kind, _)| wanted(kind) && (limits || *kind != LIMITS)) {
            for (n, request) in cases().into_iter().enumerate() {
                add(kind, format!("case {n}"), request);
            }
        }
        let kinds: Vec<_> =
            op.kinds.iter().filter(|(kind, _)| args.corpus || !kind.starts_with("corpus")).collect();
        for (kind, make) in kinds.iter().filter(|(kind, _)| wanted(kind)) {
            for n in 0..args.count / kinds.len() {
                add(kind, format!("number {n}"), op.random(seed, kind, *make, n, inputs));
            }
        }
        if let (Some(make), true) = (op.corpus, args.corpus) {
            let mut seen = HashSet::new();
            for file in inputs.corpus_for(op.name) {
                for request in make(&file.text) {
                    // Many files contain the same expression.
                    if seen.insert(request.to_string()) {
                        add("corpus", file.name.clone(), request);
                    }
                }
            }
        }
    }
    Ok(cases)
}

/// Each request has its own generator, so that it depends only on its number.
fn rng(seed: u64, op: &str, kind: &str, n: usize) -> Rng {
    let mut hash = seed ^ 0xcbf2_9ce4_8422_2325;
    for byte in op.bytes().chain(kind.bytes()).chain(n.to_le_bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    Rng::with_seed(hash)
}

/// Sends the cases to both probes, with one pair of probes for each core.
fn ask<'c>(
    cases: &'c [Case],
    oracle: &Path,
    probe: &Path,
    deviations: &Deviations,
    deadline: Option<Instant>,
) -> Result<Vec<Difference<'c>>> {
    const BATCH: usize = 100;
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let work = || -> Result<()> {
        let (mut reference, mut ours) = (Probe::new(oracle.into()), Probe::new(probe.into()));
        while deadline.is_none_or(|deadline| Instant::now() < deadline) {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            let Some(batch) = cases.get(start..cases.len().min(start + BATCH)).filter(|b| !b.is_empty())
            else {
                break;
            };
            let requests: Vec<_> = batch.iter().map(|case| &case.request).collect();
            let answers = reference.ask_all(&requests)?.into_iter().zip(ours.ask_all(&requests)?);
            let again = &mut reference;
            for (offset, (case, (reference, ours))) in batch.iter().zip(answers).enumerate() {
                let mut outcome = compare(&reference, &ours);
                let mut listed = None;
                if outcome != Outcome::Equal {
                    let again = &mut |request: &Value| again.ask(request);
                    let answers = (outcome, &reference, &ours);
                    listed = deviations.find(case.op.name, &case.request, answers, again)?;
                    if listed.is_some() {
                        outcome = Outcome::Listed;
                    }
                }
                let rejected = compare::rejected(&reference);
                let places = compare::has_places(&reference);
                let number = start + offset;
                let difference =
                    Difference { number, case, outcome, rejected, places, reference, ours, listed };
                found.lock().expect("no panic holds it").push(difference.without_equal_answers());
            }
        }
        Ok(())
    };
    let workers = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        let start = |_| {
            thread::Builder::new()
                .stack_size(Limits::new().with_nesting(LEVELS).stack_size())
                .spawn_scoped(scope, work)
        };
        let threads = (0..workers).map(start).collect::<Result<Vec<_>, _>>()?;
        threads.into_iter().try_for_each(|thread| thread.join().expect("a worker does not panic"))
    })?;
    let mut found = found.into_inner().expect("no panic holds it");
    found.sort_by_key(|difference| difference.number);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::process::ExitCode;

    use clap::Parser as _;

    use super::GROUPS;
    use crate::{Cli, Comparison};

    /// The runs of `.ci/run`.
    const RUNS: [&str; 5] = [
        "--seconds 30 --op config --op accept --op shape --op traversal",
        "--count 15000 --op convert --op unify --op value-op",
        "--count 8000 --op format",
        "--count 2000 --op expr --op template --op refs --op static",
        "--count 300 --op decode --op json",
    ];

    #[test]
    fn each_op_is_asked() {
        let asked: Vec<&str> = RUNS.iter().flat_map(|run| run.split(' ')).collect();
        for op in GROUPS.iter().copied().flatten() {
            assert!(asked.contains(&op.name), "add the op {} to a run", op.name);
        }
    }

    /// Random questions to both about each op, for about a minute. Each run prints its seed.
    #[test]
    #[ignore = "asks the reference: needs Go"]
    fn no_answer_is_wrong() {
        for options in RUNS {
            // Shortening the differences takes longer than finding them. Wrong results are shown first.
            let line = format!("xtask conformance --show 4 --each 1 {options}");
            println!("{line}");
            let Comparison::Conformance(args) = Cli::parse_from(line.split(' ')).comparison else {
                unreachable!()
            };
            assert_eq!(super::run(args).unwrap(), ExitCode::SUCCESS, "{options}");
        }
    }
}
