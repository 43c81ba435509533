//! The chore `terraform-fmt`: formats texts for the rewrites of `terraform fmt` and, on request, the corpus with
//! Terraform and with our formatter. Each difference is shown; differences where Terraform breaks the text are counted
//! separately.

#[path = "../../../crates/write/tests/write/terraform/headers.rs"]
mod headers;
mod texts;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use fastrand::Rng;
use hclkit_dialect::Dialect;
use hclkit_syntax::ast::Item;
use hclkit_syntax::{Document, parse};
use hclkit_write::Formatter;
use serde_json::json;

use crate::corpus::{self, Syntax};
use crate::programs::{root, target};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The program: terraform or tofu
    #[arg(long, default_value = "terraform")]
    program: String,
    /// Seed of the random texts; a fresh one is drawn and printed without it
    #[arg(long)]
    seed: Option<u64>,
    /// How many random texts
    #[arg(long, default_value_t = 3000)]
    count: usize,
    /// Ask every file of the corpus, too
    #[arg(long)]
    corpus: bool,
    /// The number of classes of differences to show
    #[arg(long, default_value_t = 10)]
    show: usize,
    /// Write the program's answers that `cargo test` checks the formatter against
    #[arg(long)]
    record: bool,
}

/// The maximum length of recorded texts, and their number. None is from the corpus.
const LONGEST: usize = 250;
const RECORDED: usize = 900;

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let seed = args.seed.unwrap_or_else(|| if args.record { 1 } else { fastrand::u64(..) });
    println!("seed {seed}");
    let mut rng = Rng::with_seed(seed);
    let mut texts: Vec<Vec<u8>> = texts::BY_HAND.iter().map(|text| (*text).into()).collect();
    texts.extend((0..args.count).map(|_| texts::random(&mut rng).into_bytes()));
    if args.corpus {
        let native = corpus::files()?.into_iter().filter(|file| file.syntax == Syntax::Native);
        texts.extend(native.map(|file| file.bytes));
    }
    let answers = ask(&args.program, &texts)?;
    let is_tofu = Path::new(&args.program).file_name().is_some_and(|name| name == "tofu");
    let formatter = Formatter::new(if is_tofu { Dialect::opentofu() } else { Dialect::terraform() });
    let (mut changed, mut broken, mut differ) = (0, 0, 0);
    let mut recorded = String::new();
    for (n, (text, answer)) in texts.iter().zip(&answers).enumerate() {
        changed += usize::from(text != answer);
        let document = parse(text.clone());
        let ours = formatter.format(&document).bytes().into_owned();
        // It loses comments between labels, which we keep.
        if headers::are_same(&document, &ours, answer) {
            let is_kept = n < RECORDED && text.len() < LONGEST;
            if let (true, Ok(src), Ok(out)) = (is_kept, str::from_utf8(text), str::from_utf8(answer)) {
                writeln!(recorded, "{}", json!({ "src": src, "out": out }))?;
            }
            continue;
        }
        if breaks(&document, answer) {
            broken += 1;
            continue;
        }
        differ += 1;
        if differ <= args.show {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            println!(
                "── text\n{}── {}\n{}── ours\n{}",
                text(text_of(&document)),
                args.program,
                text(answer),
                text(&ours)
            );
        }
    }
    println!(
        "{} texts, {changed} of them changed by {}; {differ} differ, and {broken} that it breaks",
        texts.len(),
        args.program
    );
    if args.record {
        fs::write(root().join("crates/write/tests/write/terraform/recorded.jsonl"), recorded)?;
    }
    Ok(if differ > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn text_of(document: &Document) -> &[u8] {
    document.source().bytes()
}

/// Returns true if the program broke a valid text, or lost a label.
fn breaks(before: &Document, after: &[u8]) -> bool {
    let after = parse(after);
    !before.has_errors() && (after.has_errors() || labels(before) != labels(&after))
}

/// The number of labels in all blocks.
fn labels(document: &Document) -> usize {
    let (mut bodies, mut count) = (vec![document.body()], 0);
    while let Some(body) = bodies.pop() {
        for item in body.items() {
            if let Item::Block(block) = item {
                count += block.labels().count();
                bodies.push(block.body());
            }
        }
    }
    count
}

/// The texts as the program formats them: files of a directory, in one run.
fn ask(program: &str, texts: &[Vec<u8>]) -> Result<Vec<Vec<u8>>> {
    let folder = target().join("terraform-fmt");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let path = |n: usize| -> PathBuf { folder.join(format!("{n}.tf")) };
    for (n, text) in texts.iter().enumerate() {
        fs::write(path(n), text)?;
    }
    // It reports errors for invalid texts, which are included on purpose.
    let mut command = Command::new(program);
    command.args(["fmt", "-list=false"]).arg(&folder);
    command.output().with_context(|| format!("cannot run {program}"))?;
    let answers = (0..texts.len()).map(|n| Ok(fs::read(path(n))?)).collect();
    fs::remove_dir_all(&folder)?;
    answers
}
