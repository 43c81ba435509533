//! `cargo xtask conformance --agents`: asks the parsers of Consul, Vault and consul-template (`conformance/consul` and others) for the
//! configurations in `tests/consul` and others, and compares: the values, and what each refuses or does not read. The
//! tables of what they read, `crates/dialect/tables/settings`, are written by the same programs. With `--random`, compares on
//! mutants of these configurations; with `--files`, on those of directories.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{fs, str};

use anyhow::{Context as _, Result};
use fastrand::Rng;
use hclkit::dialect::Dialect;
use hclkit::{Document, Source};
use hclkit_model::hcl1;
use hclkit_syntax::{Code, Diagnostics, TokenKind};
use hclkit_test_cases::Case;
use serde_json::{Value, json};

use crate::case_oracle::{CaseOracle, ask};
use crate::hcl1::{Verdict, compare};
use crate::modules::rng;
use crate::programs::{root, run as run_program};

const fn oracle(name: &'static str) -> CaseOracle {
    CaseOracle { name, answer: "answer", request, stable: std::convert::identity }
}

/// The oracles, each with the name of its language, and the kinds of files that they read.
const ORACLES: [(CaseOracle, &[&str]); 3] = [
    (oracle("consul"), &["agent", "policy"]),
    (oracle("consul-template"), &["config"]),
    (oracle("vault"), &["server"]),
];

/// The most differences to show of each kind.
const SHOWN: usize = 10;

/// Asks for the recorded cases, or compares on mutants or on the files of directories.
pub(crate) fn run(
    seed: Option<u64>,
    random: Option<usize>,
    files: &[PathBuf],
    bless: bool,
) -> Result<ExitCode> {
    let mut failed = false;
    for (oracle, kinds) in &ORACLES {
        println!("{}:", oracle.name);
        if random.is_none() && files.is_empty() {
            failed |= oracle.run(bless)? != ExitCode::SUCCESS;
            failed |= write_table(oracle, bless)?;
        } else {
            build(oracle)?;
        }
        let cases = cases(oracle)?;
        let texts = match random {
            Some(count) => {
                let seed = seed.unwrap_or_else(|| fastrand::u64(..));
                println!("seed {seed}");
                (0..count).map(|n| mutant(&mut rng(seed, n), &cases)).collect()
            }
            None if files.is_empty() => cases,
            None => real(oracle.name, kinds, files)?,
        };
        failed |= compare_all(oracle, &texts)?;
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn build(oracle: &CaseOracle) -> Result<()> {
    let mut go = Command::new("go");
    go.args(["build", "-o"]).arg(oracle.program()).arg(".").current_dir(oracle.directory());
    run_program(&mut go)
}

/// Compares the table of an application with what its program writes, or writes it. Returns true if it is another one.
fn write_table(oracle: &CaseOracle, bless: bool) -> Result<bool> {
    let output = Command::new(oracle.program()).arg("settings").output()?;
    anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let path = root().join("crates/dialect/tables/settings").join(oracle.name).with_extension("hcl");
    let text = String::from_utf8(output.stdout)?;
    if fs::read_to_string(&path).is_ok_and(|own| own == text) {
        return Ok(false);
    }
    println!("{} is another table than the program writes", path.display());
    if bless {
        fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    Ok(!bless)
}

/// A file of an application.
#[derive(Clone)]
struct Sample {
    name: String,
    /// The kind of file, as the program calls it.
    file: String,
    text: String,
}

impl Sample {
    fn request(&self) -> Value {
        json!({ "text": self.text, "file": self.file })
    }
}

/// The kind of file that a case is, if it is not the first one of its application.
fn file(case: &Case) -> &str {
    case.section("file").unwrap_or_default().trim()
}

fn request(case: &Case) -> Value {
    json!({ "text": case.section("source").unwrap_or_default(), "file": file(case) })
}

fn cases(oracle: &CaseOracle) -> Result<Vec<Sample>> {
    let directory = root().join("tests").join(oracle.name);
    let files =
        hclkit_test_cases::read(&directory, oracle.name, &[]).map_err(|error| anyhow::anyhow!(error))?;
    let text = |case: Case| Sample {
        file: file(&case).to_owned(),
        text: case.section("source").unwrap_or_default().to_owned(),
        name: case.name,
    };
    Ok(files.into_iter().flat_map(|file| file.cases).map(text).collect())
}

/// The files in directories that belong to an application: most of the names at their top are its own.
fn real(language: &str, kinds: &[&str], directories: &[PathBuf]) -> Result<Vec<Sample>> {
    let dialect = Dialect::named(language).context("the language is built in")?;
    let settings = dialect.settings().context("the language has a table")?;
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let mut open = directories.to_vec();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path)?.flatten().map(|entry| entry.path());
            open.extend(entries.filter(|path| !path.is_symlink()));
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for text in configurations(&path, text) {
            let document = Document::parse_hcl1(Source::new("", text.as_str()));
            if document.has_errors() || document.json().is_some() || !seen.insert(text.clone()) {
                continue;
            }
            let Some((file, known, all)) = settings.kind_of(&document) else { continue };
            if known * 2 >= all && known > 0 && kinds.contains(&file) {
                let name = path.display().to_string();
                found.push(Sample { name, file: file.to_owned(), text });
            }
        }
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}

/// The file, or the configurations in a document: those in fences.
fn configurations(path: &Path, text: String) -> Vec<String> {
    let ending = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    match ending {
        "hcl" | "ctmpl" | "policy" | "config" => vec![text],
        "md" | "mdx" => {
            let pieces: Vec<&str> = text.split("\n```").collect();
            let fences = pieces.iter().filter_map(|piece| piece.strip_prefix("hcl")?.split_once('\n'));
            fences.map(|(_, text)| text.to_owned() + "\n").collect()
        }
        _ => Vec::new(),
    }
}

/// A configuration in which a few tokens are others.
fn mutant(rng: &mut Rng, texts: &[Sample]) -> Sample {
    const VALUES: &[&str] = &[
        "1",
        "-1",
        "1.5",
        "0644",
        "\"x\"",
        "\"5\"",
        "\"\"",
        "true",
        "[]",
        "[\"a\"]",
        "[1]",
        "{}",
        "{ a = 1 }",
        "[{}]",
    ];
    let of = rng.choice(texts).expect("there are cases");
    let mut text = of.text.clone();
    for _ in 0..rng.usize(1..4) {
        let document = Document::parse_hcl1(Source::new("", text.as_str()));
        let tokens: Vec<_> = document.tokens().iter().filter(|token| !token.kind.is_trivia()).collect();
        let Some(token) = rng.choice(&tokens) else { continue };
        let range = token.span.to_range();
        let own = text[range.clone()].to_owned();
        let other = match token.kind {
            TokenKind::Identifier if own != "true" && own != "false" => match rng.u8(0..4) {
                0 => own.to_uppercase(),
                1 => own + "x",
                2 => {
                    (*rng.choice(&tokens).map(|other| &text[other.span.to_range()]).as_ref().unwrap_or(&"a"))
                        .to_owned()
                }
                _ => format!("\"{own}\""),
            },
            TokenKind::Identifier | TokenKind::String | TokenKind::Number => {
                (*rng.choice(VALUES).expect("there are values")).to_owned()
            }
            _ => continue,
        };
        text.replace_range(range, &other);
    }
    Sample { name: format!("a mutant of {}", of.name), file: of.file.clone(), text }
}

/// Compares, and prints the counts. Returns true if there is a difference that is not listed.
fn compare_all(oracle: &CaseOracle, texts: &[Sample]) -> Result<bool> {
    let requests: Vec<Value> = texts.iter().map(Sample::request).collect();
    let answers = ask(&oracle.program(), &requests)?;
    let (mut values, mut verdicts) =
        (BTreeMap::<String, usize>::new(), BTreeMap::<String, Vec<String>>::new());
    let mut failed = false;
    for (text, theirs) in texts.iter().zip(answers) {
        let value = match compare(&text.text, &theirs) {
            Verdict::Wrong(why) => {
                println!("=== {}\n{}\n--- {why}", text.name, text.text);
                failed = true;
                "WRONG".to_owned()
            }
            Verdict::SameError => "an error in both".to_owned(),
            Verdict::Listed(why) => format!("listed: {why}"),
            _ => "the same value".to_owned(),
        };
        *values.entry(value).or_default() += 1;
        if theirs.get("error").is_none() {
            let (kind, why) = settings(oracle.name, text, &theirs);
            let shown = format!("=== {} ({})\n{}\n--- {why}", text.name, text.file, text.text);
            verdicts.entry(kind.to_owned()).or_default().push(shown);
        }
    }
    for (kind, count) in values {
        println!("{count:>8} {kind}");
    }
    for (kind, texts) in verdicts {
        println!("{:>8} {kind}", texts.len());
        if kind.contains("WRONG")
            || std::env::var_os("AGENTS_SHOW").is_some_and(|show| kind.contains(&*show.to_string_lossy()))
        {
            texts.iter().take(SHOWN).for_each(|text| println!("{text}"));
        }
        failed |= kind.contains("WRONG");
    }
    Ok(failed)
}

/// Compares what is refused. Returns a verdict, and what both say.
fn settings(language: &str, text: &Sample, theirs: &Value) -> (&'static str, String) {
    let document = Document::parse_hcl1(Source::new("", text.text.as_str()));
    if document.has_errors() || hcl1::decode(&document).is_err() {
        return ("no file for both", String::new());
    }
    let found = Dialect::named(language)
        .and_then(|dialect| dialect.settings())
        .map_or_else(Diagnostics::new, |settings| settings.check(&document));
    let why = format!("theirs {}\n--- ours {found}", without_value(theirs));
    let unknown = |code: Code| code == Code::UnsupportedArgument || code == Code::UnsupportedBlock;
    let ours: BTreeSet<String> = found
        .iter()
        .filter(|it| it.code().is_some_and(unknown))
        .map(|it| document.source().slice(it.span()).trim_matches('"').to_lowercase())
        .collect();
    let refuses = found.iter().any(|it| !it.code().is_some_and(unknown));
    let names: BTreeSet<String> = theirs["unknown"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|name| Some(name.as_str()?.to_lowercase()))
        .collect();
    let is_theirs =
        |name: &String| names.iter().any(|other| other == name || other.ends_with(&format!(".{name}")));
    // The table has them, because an agent does not refuse them, or because another edition reads them.
    let is_ignored = |name: &String| {
        let ignored = [
            "acl_enforce_version_8",
            "replication",
            "sentinel",
            "reporting",
            "kms_library",
            "namespace",
            "partition",
            // Policies have them, and which kind a file is can only be guessed.
            "name",
            "path",
        ];
        name.starts_with("audit.sink[") || ignored.iter().any(|own| name.rsplit('.').next() == Some(own))
    };
    let their_refusal = theirs["refused"].as_str();
    // Vault does not say names in quotes, and blocks with labels after the first item.
    let is_said = |it: &hclkit_syntax::Diagnostic| {
        let rest = document.source().text().get(it.span().start as usize..).unwrap_or_default();
        !rest.starts_with('"') && (it.code() == Some(Code::UnsupportedArgument) || it.span().start == 0)
    };
    let is_unsaid = || language == "vault" && !found.iter().any(is_said);
    let verdict = match (refuses || !ours.is_empty(), their_refusal, names.is_empty()) {
        (false, None, true) => "accepted by both",
        (true, None, false) if !refuses && ours.len() == names.len() && ours.iter().all(is_theirs) => {
            "the same unknown names"
        }
        (true, Some(_), _) => "refused by both",
        (true, None, false) if !refuses => "unknown names in both, of which some are others",
        (false, Some("no answer"), _) => "no answer of the application",
        (true, None, true) if !refuses && text.file == "policy" => {
            "unknown names, which a policy can have without effect"
        }
        (true, None, _) if !refuses && is_unsaid() => "unknown names, which Vault does not say",
        (true, None, _) | (false, _, _) if has_case(&text.text) => "names that differ only in case",
        (true, None, _) if repeats(&document) => "an earlier value, which does not count",
        (true, None, _) if refuses => "WRONG: refused only by us",
        (true, None, _) => "WRONG: unknown only to us",
        (false, Some(why), _) => only_theirs(why).unwrap_or("WRONG: refused only by the application"),
        (false, None, false) if names.iter().all(is_ignored) => {
            "names that have no effect, or that only an Enterprise version reads"
        }
        (false, None, false) => "WRONG: unknown only to the application",
    };
    (verdict, why)
}

/// Whether a text has a name in upper case, beside which the same one in lower case can count instead.
fn has_case(text: &str) -> bool {
    text.contains(|letter: char| letter.is_ascii_uppercase())
}

/// Whether a name is in a file several times.
fn repeats(document: &Document) -> bool {
    let mut names = BTreeSet::new();
    let is_name = |kind| matches!(kind, TokenKind::Identifier | TokenKind::String);
    let tokens = document.tokens().iter().filter(|token| is_name(token.kind));
    !tokens.map(|token| document.source().slice(token.span).trim_matches('"')).all(|name| names.insert(name))
}

/// What the applications refuse beside names and types.
fn only_theirs(why: &str) -> Option<&'static str> {
    const VALUE: &str = "a value that only the application checks";
    let listed = [
        (
            "expected a map, got 'slice'",
            "only the application refuses blocks that it does not expect as blocks",
        ),
        ("must be specified", VALUE),
        ("error parsing", VALUE),
        ("cannot parse", VALUE),
        ("error validating", VALUE),
        ("unable to parse", VALUE),
        ("error decoding 'wait'", VALUE),
        ("invalid policy", VALUE),
        ("Invalid", VALUE),
        // What Vault reads as any value first, and parses later.
        ("'' expected type", VALUE),
        ("strconv.", VALUE),
        ("invalid duration", VALUE),
        ("could not parse duration", VALUE),
        ("unknown type *ast.LiteralType", VALUE),
    ];
    listed.iter().find(|(part, _)| why.contains(part)).map(|(_, listed)| *listed)
}

fn without_value(answer: &Value) -> Value {
    let mut answer = answer.clone();
    answer.as_object_mut().map(|fields| fields.remove("value"));
    answer
}
