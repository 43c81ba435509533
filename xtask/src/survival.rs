//! The chore `survival`: shows what a no-op edit and a change of one attribute leave of real files, with `hcl edit`
//! and with other tools. It prints the table of `docs/editing.md`.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, ensure};
use hclkit_syntax::ast::ExpressionKind;
use hclkit_syntax::{Document, Span, parse};
use hclkit_write::Selector;
use serde_json::{Value, json};

use crate::corpus::{self, Syntax};
use crate::programs::{oracle, target};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The number of files of the corpus
    #[arg(long, default_value_t = 300)]
    count: usize,
    /// Whether to measure `hclwrite` with the Go oracle
    #[arg(long)]
    hclwrite: bool,
    /// The program yq, if it is to be measured
    #[arg(long)]
    yq: Option<PathBuf>,
    /// The program hcledit, if it is to be measured
    #[arg(long)]
    hcledit: Option<PathBuf>,
    /// A Python with python-hcl2, if that is to be measured
    #[arg(long)]
    python: Option<PathBuf>,
}

/// Runs python-hcl2: a line of input contains a text, the keys to an attribute, and its new value or nothing.
const PYTHON: &str = r#"
import sys, json, hcl2
def step(value, key):
    for one in value if isinstance(value, list) else [value]:
        for name in one:
            if name.strip('"') == key:
                return one, name
for line in sys.stdin:
    task = json.loads(line)
    try:
        data = hcl2.loads(task["text"])
        if task["value"] is not None:
            value = data
            for key in task["keys"]:
                owner, name = step(value, key)
                value = owner[name]
            owner[name] = task["value"]
        print(json.dumps(hcl2.dumps(data)))
    except Exception as error:
        print("null")
"#;

/// A file, and the attribute that is changed in it.
struct Sample {
    text: String,
    address: String,
    keys: Vec<String>,
    /// The value of the attribute.
    value: Span,
}

impl Sample {
    /// The source text of the value.
    fn value(&self) -> &str {
        &self.text[self.value.start as usize..self.value.end as usize]
    }
}

#[derive(Default)]
struct Score {
    /// Files that the tool rejects, or writes with errors.
    failed: usize,
    /// Files with exactly the expected text.
    exact: usize,
    comments: usize,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let samples = samples(args.count)?;
    let comments: usize = samples.iter().map(|sample| comments(&sample.text)).sum();
    println!("{} files with {comments} comments", samples.len());
    println!(
        "| tool | no-op: same bytes | comments kept | refused or broken | one attribute: nothing else changed | comments kept | refused or broken |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let hcl = target().join("debug/hcl");
    ensure!(hcl.exists(), "build hcl first: cargo build -p hclkit-cli");
    let ours = |sample: &Sample, value: Option<&str>| {
        let edit = format!("{}={}", sample.address, value.unwrap_or(sample.value()));
        pipe(Command::new(&hcl).args(["edit", &edit, "-"]), &sample.text)
    };
    report("hcl edit", &samples, |value| samples.iter().map(|sample| ours(sample, value)).collect());
    if args.hclwrite {
        let oracle = oracle()?;
        report("`hclwrite` (Go)", &samples, |value| hclwrite(&oracle, &samples, value).unwrap_or_default());
    }
    if let Some(yq) = &args.yq {
        let one = |sample: &Sample, value: Option<&str>| {
            let keys: String = sample.keys.iter().flat_map(|key| ["[\"", key, "\"]"]).collect();
            let edit = value.map_or_else(|| ".".to_owned(), |value| format!(".{keys} = {value}"));
            pipe(Command::new(yq).args(["-p", "hcl", "-o", "hcl", &edit]), &sample.text)
        };
        report("yq", &samples, |value| samples.iter().map(|sample| one(sample, value)).collect());
    }
    if let Some(hcledit) = &args.hcledit {
        let one = |sample: &Sample, value: Option<&str>| {
            let value = value.unwrap_or(sample.value());
            pipe(Command::new(hcledit).args(["attribute", "set", &sample.address, value]), &sample.text)
        };
        report("hcledit", &samples, |value| samples.iter().map(|sample| one(sample, value)).collect());
    }
    if let Some(python) = &args.python {
        report("python-hcl2", &samples, |value| python_hcl2(python, &samples, value).unwrap_or_default());
    }
    Ok(ExitCode::SUCCESS)
}

/// Files spread over the corpus, in which a block has an attribute with a plain address.
fn samples(count: usize) -> Result<Vec<Sample>> {
    let mut all = Vec::new();
    for file in corpus::files()? {
        let is_file = file.syntax == Syntax::Native && !file.name.contains('#') && file.bytes.len() < 50_000;
        if let (true, Ok(text)) = (is_file, String::from_utf8(file.bytes)) {
            all.extend(sample(text));
        }
    }
    // Files that are copied between modules count once.
    all.sort_by(|one, other| one.text.cmp(&other.text));
    all.dedup_by(|one, other| one.text == other.text);
    ensure!(all.len() >= count, "the corpus has only {} files", all.len());
    let step = all.len() / count;
    Ok(all.into_iter().step_by(step).take(count).collect())
}

fn sample(text: String) -> Option<Sample> {
    let document = parse(text.as_str());
    if document.has_errors() || comments(&text) == 0 {
        return None;
    }
    let is_plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    for block in document.body().blocks() {
        let mut keys = vec![block.block_type().to_owned()];
        keys.extend(block.label_texts().iter().map(ToString::to_string));
        for attribute in block.body().attributes() {
            keys.push(attribute.name().to_owned());
            let address = keys.join(".");
            let is_literal = matches!(attribute.value().kind(), ExpressionKind::Template(template) if template.as_literal().is_some());
            let found = address.parse::<Selector>().ok()?.select(&document).ok()?;
            // If several blocks have the same labels, tools choose different ones.
            let is_only = found.len() == 1 && found[0].address() == address;
            if is_literal && keys.iter().all(|key| is_plain(key)) && is_only {
                let value = attribute.value().span();
                return Some(Sample { text, address, keys, value });
            }
            keys.pop();
        }
    }
    None
}

fn comments(text: &str) -> usize {
    comments_of(&parse(text))
}

fn comments_of(document: &Document) -> usize {
    document.tokens().iter().filter(|token| token.kind.is_comment()).count()
}

/// Runs a tool for both tasks, and prints its row.
fn report(name: &str, samples: &[Sample], run: impl Fn(Option<&str>) -> Vec<Option<String>>) {
    let mut cells = vec![name.to_owned()];
    for value in [None, Some("\"changed\"")] {
        let mut score = Score::default();
        for (sample, after) in samples.iter().zip(run(value)) {
            let after = after.filter(|after| !parse(after.as_str()).has_errors());
            let Some(after) = after else {
                score.failed += 1;
                continue;
            };
            let mut expected = sample.text.clone();
            if let Some(value) = value {
                expected.replace_range(sample.value.start as usize..sample.value.end as usize, value);
            }
            // yq ends a file without a line break.
            score.exact += usize::from(after.trim_end() == expected.trim_end());
            score.comments += comments(&after).min(comments(&sample.text));
        }
        cells.extend([score.exact, score.comments, score.failed].map(|count| count.to_string()));
    }
    println!("| {} |", cells.join(" | "));
}

/// The output of a command for a text, if it succeeds.
fn pipe(command: &mut Command, text: &str) -> Option<String> {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut input = child.stdin.take()?;
    let text = text.to_owned();
    // A tool that fails need not read everything.
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().ok()?;
    let _ = writer.join();
    if output.status.success() { String::from_utf8(output.stdout).ok() } else { None }
}

fn python_hcl2(python: &Path, samples: &[Sample], value: Option<&str>) -> Result<Vec<Option<String>>> {
    let script = std::env::temp_dir().join(format!("survival-{}.py", std::process::id()));
    fs::write(&script, PYTHON)?;
    let tasks: String = samples
        .iter()
        .flat_map(|sample| {
            [json!({ "text": sample.text, "keys": sample.keys, "value": value }).to_string(), "\n".to_owned()]
        })
        .collect();
    let output = pipe(Command::new(python).arg(&script), &tasks);
    fs::remove_file(&script)?;
    let output = output.context("python-hcl2 failed")?;
    output.lines().map(|line| Ok(serde_json::from_str::<Value>(line)?.as_str().map(str::to_owned))).collect()
}

/// Asks the oracle, which uses the reference's editing tree.
fn hclwrite(oracle: &Path, samples: &[Sample], value: Option<&str>) -> Result<Vec<Option<String>>> {
    let requests: String = samples
        .iter()
        .flat_map(|sample| {
            let value = value.unwrap_or(sample.value());
            let (src, path) = (&sample.text, &sample.keys);
            let request = json!({ "op": "edit", "src": src, "path": path, "value": value });
            [request.to_string(), "\n".to_owned()]
        })
        .collect();
    let answers = pipe(&mut Command::new(oracle), &requests).context("the oracle failed")?;
    let text = |line: &str| Ok(serde_json::from_str::<Value>(line)?["out"].as_str().map(str::to_owned));
    answers.lines().map(text).collect()
}
