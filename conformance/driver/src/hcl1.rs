//! `cargo xtask conformance --hcl1`: asks the package of HCL 1 (`conformance/hcl1`) for the texts in `tests/hcl1`, and compares
//! with it on the files of its own tests and of the modules in `conformance/hcl1/modules.txt`: their values, and their layout. With `--random`, compares on
//! random texts and mutants of these files: `hcl1/random.rs` makes them.

mod random;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{fs, panic, thread};

use anyhow::Result;
use hclkit::convert::FromHcl1;
use hclkit::dialect::Dialect;
use hclkit::write::Formatter;
use hclkit_model::hcl1;
use hclkit_syntax::{Code, Diagnostics, Document, Source, TokenKind};
use hclkit_test_cases::Case;
use hclkit_value::{Plain, Value as Own};
use serde_json::{Value, json};

use crate::case_oracle::{CaseOracle, ask};
use crate::corpus;
use crate::programs::{root, run as run_program};

const ORACLE: CaseOracle =
    CaseOracle { name: "hcl1", answer: "hcl1", request, stable: std::convert::identity };

/// The most differences to show.
const SHOWN: usize = 20;

/// Asks for the recorded cases, and compares on real files or on random texts.
pub(crate) fn run(seed: Option<u64>, random: Option<usize>, bless: bool) -> Result<ExitCode> {
    let Some(count) = random else {
        let recorded = ORACLE.run(bless)?;
        let files = files()?;
        let values = compare_all(files.len(), |n| files[n].clone(), Question::Values)?;
        let layouts = compare_all(files.len(), |n| files[n].clone(), Question::Layout)?;
        let found = [recorded, values, layouts];
        return Ok(found.into_iter().find(|&code| code != ExitCode::SUCCESS).unwrap_or(ExitCode::SUCCESS));
    };
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("seed {seed}");
    build()?;
    let files: Vec<String> = files()?.into_iter().map(|file| file.text).collect();
    let values = compare_all(count, |n| random::text(seed, n, &files), Question::Values)?;
    let layouts = compare_all(count, |n| random::text(seed, n, &files), Question::Layout)?;
    Ok(if values == ExitCode::SUCCESS { layouts } else { values })
}

/// What is asked about a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    Values,
    Layout,
}

/// The program that answers.
pub(crate) fn oracle() -> PathBuf {
    ORACLE.program()
}

/// Writes the files in HCL 1 that all read, and a list of them. Returns the list, their number and their size in bytes. A Python with
/// pyhcl reads fewer files than the others.
pub(crate) fn valid_files(folder: &Path, python: Option<&str>) -> Result<(PathBuf, usize, f64)> {
    build()?;
    let directory = folder.join("hcl1");
    fs::create_dir_all(&directory)?;
    let (mut names, mut bytes) = (Vec::new(), 0.0);
    for (number, file) in files()?.into_iter().enumerate() {
        let document = Document::parse_hcl1(Source::new("", file.text.as_str()));
        if document.json().is_some() || hcl1::decode(&document).is_err() {
            continue;
        }
        let path = directory.join(format!("{number:05}.hcl"));
        fs::write(&path, &file.text)?;
        let reads = "import sys, hcl; hcl.loads(open(sys.argv[1], encoding='utf-8').read())";
        let is_read =
            |python| Command::new(python).args(["-c", reads]).arg(&path).stderr(Stdio::null()).status();
        if python.is_none_or(|python| is_read(python).is_ok_and(|status| status.success())) {
            bytes += f64::from(document.source().len());
            names.push(path.display().to_string());
        }
    }
    let list = folder.join("hcl1.list");
    fs::write(&list, names.join("\n") + "\n")?;
    Ok((list, names.len(), bytes))
}

fn build() -> Result<()> {
    let mut go = Command::new("go");
    go.args(["build", "-o"]).arg(ORACLE.program()).arg(".").current_dir(ORACLE.directory());
    run_program(&mut go)
}

/// The request of a case: to decode a source, or to format a text. A text with characters that editors do not keep is written as a JSON string.
fn request(case: &Case) -> Value {
    if let Some(text) = case.section("format") {
        return json!({ "text": text, "format": true });
    }
    let escaped = case.section("escaped").and_then(|text| serde_json::from_str(text).ok());
    json!({ "text": escaped.unwrap_or_else(|| case.section("source").unwrap_or_default().to_owned()) })
}

/// A text to compare.
#[derive(Clone)]
struct Text {
    name: String,
    text: String,
}

/// The files of the modules in `conformance/hcl1/modules.txt` that HCL 1 may be in, each text once.
fn files() -> Result<Vec<Text>> {
    let list = fs::read_to_string(root().join("conformance/hcl1/modules.txt"))?;
    let mut texts = BTreeMap::new();
    for name in list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut found = 0;
        for (path, bytes) in corpus::files_of(name, is_hcl1)? {
            if let Ok(text) = String::from_utf8(bytes) {
                texts.entry(text).or_insert(path);
                found += 1;
            }
        }
        println!("{name}: {found} files");
    }
    println!("{} different texts", texts.len());
    Ok(texts.into_iter().map(|(text, name)| Text { name, text }).collect())
}

fn is_hcl1(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    let is_test_data = path.components().any(|part| part.as_os_str() == "hcl@v1.0.0");
    ["hcl", "tf", "tfvars", "nomad", "policy", "ctmpl"].iter().any(|own| ending == *own)
        || is_test_data && ["json", "input", "golden"].iter().any(|own| ending == *own)
}

/// What both say about a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// Both have the same value, which HCL 2 cannot express.
    SameValue,
    /// Both have the same value, and so has the text after its conversion to HCL 2.
    SameAfterConversion,
    /// Both have the same layout.
    SameLayout,
    /// Both have an error.
    SameError,
    /// They differ in a way that docs/compatibility.md lists.
    Listed(&'static str),
    Wrong(String),
}

fn compare_all(count: usize, text: impl Fn(usize) -> Text + Sync, question: Question) -> Result<ExitCode> {
    const BATCH: usize = 500;
    println!("{question:?}:");
    let formats = question == Question::Layout;
    let next = AtomicUsize::new(0);
    let (counts, wrong) = (Mutex::new(BTreeMap::<String, usize>::new()), Mutex::new(Vec::new()));
    let work = || -> Result<()> {
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            let texts: Vec<Text> = (start..count.min(start + BATCH)).map(&text).collect();
            if texts.is_empty() {
                return Ok(());
            }
            let requests: Vec<Value> =
                texts.iter().map(|text| json!({ "text": text.text, "format": formats })).collect();
            for (text, theirs) in texts.into_iter().zip(ask(&ORACLE.program(), &requests)?) {
                let verdict = match question {
                    Question::Values => compare(&text.text, &theirs),
                    Question::Layout => compare_layout(&text.text, &theirs),
                };
                let kind = match &verdict {
                    Verdict::SameValue => "the same value".to_owned(),
                    Verdict::SameAfterConversion => {
                        "the same value, also after conversion to HCL 2".to_owned()
                    }
                    Verdict::SameLayout => "the same layout".to_owned(),
                    Verdict::SameError => "an error in both".to_owned(),
                    Verdict::Listed(why) => format!("listed: {why}"),
                    Verdict::Wrong(_) => "WRONG".to_owned(),
                };
                *counts.lock().unwrap_or_else(PoisonError::into_inner).entry(kind).or_default() += 1;
                if let Verdict::Wrong(why) = verdict {
                    wrong.lock().unwrap_or_else(PoisonError::into_inner).push((text, why));
                }
            }
        }
    };
    let workers = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("a worker does not panic"))
    })?;
    let mut wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    wrong.sort_by_key(|(text, _)| text.text.len());
    for (text, why) in wrong.iter().take(SHOWN) {
        println!("=== {}\n{}\n--- {why}", text.name, text.text);
    }
    for (kind, count) in counts.into_inner().unwrap_or_else(PoisonError::into_inner) {
        println!("{count:>8} {kind}");
    }
    Ok(if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Compares our answer about a text with theirs.
pub(crate) fn compare(text: &str, theirs: &Value) -> Verdict {
    let Ok((document, ours)) = panic::catch_unwind(|| {
        let document = Document::parse_hcl1(Source::new("", text));
        let value = hcl1::decode(&document);
        (document, value)
    }) else {
        return Verdict::Wrong("panicked".to_owned());
    };
    let is_json = document.json().is_some();
    match (theirs.get("value"), ours) {
        (None, Err(_)) => Verdict::SameError,
        (None, Ok(_)) if theirs["panics"] == true => Verdict::Listed("the reference has no answer"),
        (None, Ok(_)) if is_json => Verdict::Listed("JSON that only we read"),
        (Some(_), Err(_)) if is_json => Verdict::Listed("text that is not JSON"),
        (None, Ok(value)) => Verdict::Wrong(format!("ours {value}, theirs {theirs}")),
        (Some(_), Err(_)) if theirs["not_text"] == true => Verdict::Listed("a string that is not UTF-8"),
        (Some(theirs), Err(errors)) => {
            lost(text, &errors).unwrap_or_else(|| Verdict::Wrong(format!("theirs {theirs}, ours {errors}")))
        }
        (Some(theirs), Ok(value)) if is_same(theirs, &value) => converted(&document, &value),
        (Some(_), Ok(_)) if is_json => Verdict::Listed("elements of JSON arrays"),
        (Some(_), Ok(_)) if text.contains("\r\r\n") => Verdict::Listed("a carriage return after a heredoc"),
        (Some(theirs), Ok(value)) => Verdict::Wrong(format!("theirs {theirs}, ours {value}")),
    }
}

/// Compares the layout that we give to a text with theirs. Ours must keep values and comments, and not change again.
fn compare_layout(text: &str, theirs: &Value) -> Verdict {
    let parse = |text: &str| Document::parse_hcl1(Source::new("", text));
    let layout = |document: &Document| {
        let dialect = Dialect::named("hcl1").expect("the table is built in");
        let formatted = Formatter::new(dialect).format(document);
        (formatted.is_faithful(), formatted.text().into_owned())
    };
    let document = parse(text);
    let formatted = theirs["formatted"].as_str();
    if document.has_errors() || document.json().is_some() {
        return match formatted {
            None => Verdict::SameError,
            Some(_) if document.json().is_some() => Verdict::Listed("JSON, which is not formatted"),
            Some(_) => Verdict::Listed("a text that we do not read"),
        };
    }
    let Ok((is_faithful, ours)) = panic::catch_unwind(|| layout(&document)) else {
        return Verdict::Wrong("panicked".to_owned());
    };
    if !is_faithful {
        return Verdict::Wrong(format!("ours changes values or comments:\n{ours}"));
    }
    let again = layout(&parse(&ours)).1;
    if again != ours {
        return Verdict::Wrong(format!("ours\n{ours}\n--- changes again to\n{again}"));
    }
    let Some(formatted) = formatted else {
        return Verdict::Listed("a text that the reference does not format");
    };
    if text.contains("\r\r\n") {
        return Verdict::Listed("several carriage returns before a line feed");
    }
    if formatted == ours {
        return Verdict::SameLayout;
    }
    if theirs["again"].is_string() {
        return Verdict::Listed("a layout that the reference changes again");
    }
    let other = parse(formatted);
    let (before, after) = (tokens(&document), tokens(&other));
    let comments = |tokens: &[String]| {
        let mut comments: Vec<String> =
            tokens.iter().filter(|text| text.starts_with(['#', '/'])).cloned().collect();
        comments.sort_unstable();
        comments
    };
    let kinds: Vec<TokenKind> = other.tokens().iter().map(|token| token.kind).collect();
    let joins = kinds.windows(2).any(|pair| {
        pair[0] == TokenKind::InlineComment
            && matches!(pair[1], TokenKind::InlineComment | TokenKind::LineComment)
    });
    if joins || other.has_errors() || comments(&before) != comments(&after) {
        return Verdict::Listed("comments that the reference loses or joins");
    }
    if before != after {
        return Verdict::Listed("names or comments that the reference joins or moves");
    }
    let own: Vec<TokenKind> = document.tokens().iter().map(|token| token.kind).collect();
    let is_comment = |kind| matches!(kind, TokenKind::InlineComment | TokenKind::LineComment);
    if own.windows(2).any(|pair| pair[0] == TokenKind::Comma && is_comment(pair[1])) {
        return Verdict::Listed("a comment after a comma");
    }
    let is_long = |tokens: &[String]| tokens.iter().any(|text| text.starts_with('"') && text.contains('\n'));
    if is_long(&before) {
        return Verdict::Listed("a string on several lines");
    }
    let breaks = [(TokenKind::Equal, TokenKind::Newline), (TokenKind::Newline, TokenKind::Equal)];
    if own.windows(2).any(|pair| breaks.contains(&(pair[0], pair[1]))) {
        return Verdict::Listed("a value that is not on the line of its name");
    }
    let lines =
        |text: &str| text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    if own.contains(&TokenKind::OpenHeredoc) && formatted.contains("{}\n") && lines(formatted) == lines(&ours)
    {
        return Verdict::Listed("no blank line between an empty object and a heredoc");
    }
    Verdict::Wrong(format!("theirs\n{formatted}\n--- ours\n{ours}"))
}

/// The texts of tokens and comments that a layout keeps.
fn tokens(document: &Document) -> Vec<String> {
    let kept = |kind| !matches!(kind, TokenKind::Newline | TokenKind::Comma | TokenKind::Equal);
    let tokens = document.tokens().iter().filter(|token| kept(token.kind));
    tokens.map(|token| document.source().slice(token.span).replace("\r\n", "\n")).collect()
}

/// Converts a document to HCL 2, which must have the same values.
fn converted(document: &Document, value: &Own) -> Verdict {
    let conversion = panic::catch_unwind(|| FromHcl1::new().convert(document));
    let Ok(conversion) = conversion else { return Verdict::Wrong("the conversion panicked".to_owned()) };
    let text = match conversion {
        Ok(converted) => converted.text,
        Err(errors) if errors.iter().all(|error| error.has_code(Code::NotNative)) => {
            return Verdict::SameValue;
        }
        Err(errors) => return Verdict::Wrong(format!("the conversion is not HCL 2: {errors}")),
    };
    if document.json().is_some() {
        return Verdict::SameValue;
    }
    match hcl1::decode(&hclkit_syntax::parse(text.as_str())) {
        Ok(found) if found == *value => Verdict::SameAfterConversion,
        Ok(found) => Verdict::Wrong(format!("{found} instead of {value} after the conversion to\n{text}")),
        Err(errors) => Verdict::Wrong(format!("{errors} after the conversion to\n{text}")),
    }
}

/// Why the reference reads a text with an error: it gives up an item without a value at the end of the file, or where two
/// braces follow, and reads a number that is set after a string as text.
fn lost(text: &str, errors: &Diagnostics) -> Option<Verdict> {
    let first = errors.iter().find(|error| error.is_error())?;
    let rest = text.get(first.span().end as usize..)?;
    let ends = ["", "}"].iter().any(|end| without_comments(rest).starts_with(end));
    match first.code()? {
        Code::MissingExpression | Code::UnclosedBracket | Code::InvalidExpression if ends => {
            Some(Verdict::Listed("an item that the reference drops"))
        }
        Code::InvalidEscape if first.note().contains("UTF-8") => {
            Some(Verdict::Listed("a string that is not UTF-8"))
        }
        Code::InvalidNumber => Some(Verdict::Listed("an invalid number after a string")),
        _ => None,
    }
}

fn without_comments(text: &str) -> &str {
    text.trim_start()
}

/// The normal form of Unicode, which all of our strings have.
fn normal(text: &str) -> String {
    Own::from(text).as_str().unwrap_or_default().to_owned()
}

fn is_same(theirs: &Value, ours: &Own) -> bool {
    match (theirs, ours.plain()) {
        (Value::Bool(theirs), Ok(Plain::Bool(ours))) => *theirs == ours,
        (Value::String(theirs), Ok(Plain::String(ours))) => normal(theirs) == **ours,
        (Value::Number(theirs), Ok(Plain::Number(ours))) => {
            let float = ours.to_f64().0;
            // `serde_json` does not read the nearest number, so it reads both, as the reference writes them.
            let is_long = float != 0.0 && !(1e-6..1e21).contains(&float.abs());
            let written = if is_long { format!("{float:e}") } else { ours.to_string() };
            theirs.to_string() == written
                || !theirs.is_i64()
                    && theirs.as_f64() == written.parse::<Value>().ok().and_then(|it| it.as_f64())
        }
        (Value::Array(theirs), Ok(Plain::Sequence(ours))) => {
            theirs.len() == ours.len()
                && theirs.iter().zip(ours.iter()).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(theirs), Ok(Plain::Map(ours))) => {
            let theirs: BTreeMap<String, &Value> =
                theirs.iter().map(|(name, one)| (normal(name), one)).collect();
            let ours: Vec<_> = ours.collect();
            theirs.len() == ours.len()
                && ours
                    .iter()
                    .all(|(name, own)| theirs.get(name.as_str()).is_some_and(|one| is_same(one, own)))
        }
        _ => false,
    }
}
