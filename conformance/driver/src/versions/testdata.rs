//! `cargo xtask conformance --versions --testdata`: the directories that Terraform and OpenTofu test themselves with, which are in
//! their sources. `hcl check` must accept what `validate` accepts, but for what `conformance/testdata.toml` lists. Answers are kept
//! below the target directory. A directory that needs providers gets the permissive one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::{Problem, call, command, lines, validate};
use super::build::{APPLICATIONS, Application, build, copy, source};
use super::in_parallel;
use crate::programs::{root, target};
use crate::real::Providers;

/// The packages whose directories `testdata` are asked about.
const PARTS: [&str; 5] = ["configs", "terraform", "tofu", "command", "command/e2etest"];
/// The directories in which each file is a module of its own.
const FILES: [&str; 6] = [
    "error-files",
    "invalid-files",
    "invalid-import-files",
    "invalid-test-files",
    "valid-files",
    "warning-files",
];
const EXTENSIONS: [&str; 10] = [
    ".tf",
    ".tf.json",
    ".tofu",
    ".tofu.json",
    ".tftest.hcl",
    ".tftest.json",
    ".tofutest.hcl",
    ".tofutest.json",
    ".tfquery.hcl",
    ".tfquery.json",
];
/// What is not about the files: what is on this machine, what options would say, and backends that are not in our build.
const OTHERS: [&str; 14] = [
    "No value for required variable",
    "Failed to request input from user",
    "Unable to compute static value",
    "Error accessing remote module registry",
    "Failed to download module",
    "missing or corrupted provider plugins",
    "there is no package for",
    "Incompatible provider version",
    "Failed to load plugin schemas",
    "failed to read schema for",
    "failed to read provider configuration schema for",
    "Invalid legacy provider address",
    "Unsupported backend type",
    "Module version requirements have changed",
];
/// The extensions of files that the schema is not collected from.
const UNREAD: [&str; 2] = [".json", ".tofu"];
/// What is about the schema, which is guessed.
const ABOUT_SCHEMA: [&str; 8] = [
    "Unsupported argument",
    "Unsupported attribute",
    "Unsupported block type",
    "Incorrect attribute value type",
    "Invalid resource type",
    "Invalid data source",
    "Invalid list resource",
    "Missing required argument",
];

/// What an application says about a directory.
#[derive(Serialize, Deserialize)]
struct Answer {
    /// The errors about it, in the order of their places.
    errors: Vec<Problem>,
    /// Whether all was validated, and not only loaded because a provider is missing.
    is_complete: bool,
}

/// A reason in `conformance/testdata.toml`.
#[derive(Deserialize)]
struct Difference {
    reason: String,
    #[serde(flatten)]
    directories: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Deserialize)]
struct List {
    difference: Vec<Difference>,
}

impl List {
    fn read() -> Result<Self> {
        Ok(toml::from_str(&fs::read_to_string(root().join("conformance/testdata.toml"))?)?)
    }
}

/// Compares all directories. `versions` names the applications, or none for both.
pub(crate) fn compare(versions: &[String]) -> Result<ExitCode> {
    let list = List::read()?;
    let hcl = crate::programs::own(false)?.join("hcl");
    let providers = Providers::build()?;
    let mut is_wrong = false;
    for application in APPLICATIONS
        .iter()
        .filter(|own| versions.is_empty() || versions.iter().any(|version| version.starts_with(own.name)))
    {
        let listed: BTreeMap<&String, &String> = list
            .difference
            .iter()
            .flat_map(|own| {
                own.directories.get(application.name).into_iter().flatten().map(|name| (name, &own.reason))
            })
            .collect();
        let program = build(application, application.version)?;
        let tree = tree(application)?;
        let answers = answers(&program, &providers, &tree)?;
        let names: Vec<&String> = answers.keys().collect();
        let all = in_parallel(&names, |_, name| ours(&hcl, &tree.join(name), application.name))?;
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut different = BTreeSet::new();
        for ((name, theirs), ours) in answers.iter().zip(all) {
            let verdict = match (theirs.errors.first(), ours.first()) {
                (None, None) => "accepted by both",
                (None, Some(_)) if !theirs.is_complete => {
                    "refused by hcl, and only loaded by the application"
                }
                (None, Some(_)) if is_refused_by_plan(&program, &tree.join(name))? => {
                    "refused by hcl and by the plan"
                }
                (None, Some(_)) => "false",
                (Some(_), None) => "missed",
                (Some(one), Some(other)) if one.place == other.place => "refused by both at the same line",
                (Some(_), Some(_)) => "refused by both",
            };
            *counts.entry(verdict).or_default() += 1;
            if !["false", "missed"].contains(&verdict) {
                continue;
            }
            different.insert(name);
            if !listed.contains_key(name) {
                is_wrong = true;
                let problems: Vec<String> =
                    theirs.errors.iter().chain(&ours).map(Problem::to_string).collect();
                println!("{verdict}, {}, {name}: {}", application.name, problems.join(" | "));
            }
        }
        for (name, reason) in listed.iter().filter(|(name, _)| !different.contains(**name)) {
            is_wrong = true;
            println!("no longer different, {}, {name}: {reason}", application.name);
        }
        println!("{}: {} directories", application.name, answers.len());
        for (verdict, count) in counts {
            println!("  {count} {verdict}");
        }
    }
    Ok(if is_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A copy of the directories of an application.
fn tree(application: &Application) -> Result<PathBuf> {
    let name = format!("versions/testdata-{}-{}", application.name, application.version);
    let tree = target().join(name);
    if tree.exists() {
        return Ok(tree);
    }
    let source = source(application, application.version)?;
    let part = tree.with_extension("part");
    if part.exists() {
        fs::remove_dir_all(&part)?;
    }
    for own in PARTS {
        let from = source.join("internal").join(own).join("testdata");
        if from.exists() {
            copy(&from, &part.join(own))?;
        }
    }
    for own in FILES.map(|own| part.join("configs").join(own)) {
        for file in files(&own).unwrap_or_default() {
            let path = own.join(&file);
            let text = fs::read(&path)?;
            fs::remove_file(&path)?;
            fs::create_dir(&path)?;
            // What tests a module is beside one.
            if file.contains("test.") {
                fs::write(path.join("main.tf"), "")?;
            }
            fs::write(path.join(file), text)?;
        }
    }
    fs::rename(part, &tree)?;
    Ok(tree)
}

/// The files of a module in a directory.
fn files(directory: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_file() && EXTENSIONS.iter().any(|own| name.ends_with(own)) {
            found.push(name);
        }
    }
    Ok(found)
}

/// The directories with files of modules, relative to the whole.
fn directories(directory: &Path, whole: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    if !files(directory)?.is_empty() {
        found.push(directory.strip_prefix(whole)?.to_string_lossy().into_owned());
    }
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() && !entry.file_name().to_string_lossy().starts_with('.') {
            found.extend(directories(&entry.path(), whole)?);
        }
    }
    Ok(found)
}

/// The answers about all directories, of which those are asked that were not.
fn answers(program: &Path, providers: &Providers, tree: &Path) -> Result<BTreeMap<String, Answer>> {
    let path = PathBuf::from(format!("{}.json", tree.display()));
    let kept = fs::read(&path).ok().map(|text| serde_json::from_slice(&text)).transpose()?;
    let mut kept: BTreeMap<String, Option<Answer>> = kept.unwrap_or_default();
    let mut names = directories(tree, tree)?;
    names.retain(|name| !kept.contains_key(name));
    let all = in_parallel(&names, |_, name| {
        ask(program, providers, &tree.join(name)).with_context(|| name.clone())
    })?;
    kept.extend(names.into_iter().zip(all));
    fs::write(path, serde_json::to_vec_pretty(&kept)?)?;
    Ok(kept.into_iter().filter_map(|(name, answer)| Some((name, answer?))).collect())
}

/// Asks about a directory. A program that fails has no answer.
fn ask(program: &Path, providers: &Providers, directory: &Path) -> Result<Option<Answer>> {
    let init = call(program, directory, &["init", "-backend=false", "-json", "-input=false"])?;
    let Some(loaded) = validate(command(program, directory, &["validate", "-json"]))? else {
        return Ok(None);
    };
    let is_complete = loaded.iter().all(is_own);
    let mut errors = own_errors(loaded);
    if errors.is_empty() && !is_complete {
        errors = own_errors(lines(&init.stdout));
    }
    if is_complete || !errors.is_empty() {
        return Ok(Some(Answer { errors, is_complete }));
    }
    let is_read = |name: &String| !UNREAD.iter().any(|own| name.ends_with(own));
    if files(directory)?.iter().all(is_read) && providers.replace_all(directory).is_ok() {
        let mut asked = command(program, directory, &["validate", "-json"]);
        Providers::prepare(&mut asked, directory);
        if let Some(found) = validate(asked)? {
            let is_known = |own: &Problem| {
                is_own(own) && !(own.is_error && ABOUT_SCHEMA.iter().any(|about| own.summary.contains(about)))
            };
            if found.iter().all(is_known) {
                return Ok(Some(Answer { errors: own_errors(found), is_complete: true }));
            }
        }
    }
    Ok(Some(Answer { errors, is_complete }))
}

fn is_own(problem: &Problem) -> bool {
    problem.is_own() && !OTHERS.iter().any(|other| problem.summary.contains(other))
}

fn own_errors(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.retain(|own| own.is_error && is_own(own));
    problems.sort_by(|one, other| one.place.cmp(&other.place));
    problems
}

/// Whether a plan has errors, but for variables without a value.
fn is_refused_by_plan(program: &Path, directory: &Path) -> Result<bool> {
    let mut plan = command(program, directory, &["plan", "-json", "-input=false", "-lock=false"]);
    if directory.join(".terraform/hclkit.rc").exists() {
        Providers::prepare(&mut plan, directory);
    }
    Ok(!own_errors(lines(&plan.output()?.stdout)).is_empty())
}

/// The errors of `hcl check` about a directory and the modules that it calls, in the order of their places.
fn ours(hcl: &Path, directory: &Path, language: &str) -> Result<Vec<Problem>> {
    let mut check = Command::new(hcl);
    check.current_dir(directory).args(["check", "--no-ignore", "--no-callers", "--report", "json"]);
    let output = check.args(["--language", language, "."]).output()?;
    let found: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("{}: {}", directory.display(), String::from_utf8_lossy(&output.stderr)))?;
    let mut errors =
        own_errors(found["diagnostics"].as_array().into_iter().flatten().map(Problem::read).collect());
    // A validation does not read values of variables.
    errors.retain(|own| own.place.as_ref().is_none_or(|(file, _)| !file.contains(".tfvars")));
    // Without a list of the modules that it calls, the application found errors.
    let called = fs::read(directory.join(".terraform/modules/modules.json")).unwrap_or_default();
    let called: Value = serde_json::from_slice(&called).unwrap_or_default();
    let Some(called) = called["Modules"].as_array() else { return Ok(errors) };
    let mut called: BTreeSet<&str> = called.iter().filter_map(|own| own["Dir"].as_str()).collect();
    called.extend(["", "tests"]);
    errors.retain(|own| {
        own.place.as_ref().is_none_or(|(file, _)| {
            // Lists that are part of the test data have paths from other directories.
            let parent = Path::new(file).parent().unwrap_or(Path::new(""));
            called.iter().any(|own| Path::new(own).ends_with(parent))
        })
    });
    Ok(errors)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{APPLICATIONS, List};

    #[test]
    fn each_directory_is_listed_once() {
        let mut seen = BTreeSet::new();
        for own in List::read().unwrap().difference {
            assert!(!own.reason.is_empty() && !own.directories.is_empty(), "{}", own.reason);
            for (application, names) in own.directories {
                assert!(APPLICATIONS.iter().any(|known| known.name == application), "{application}");
                for name in names {
                    assert!(seen.insert((application.clone(), name.clone())), "{application}: {name}");
                }
            }
        }
    }
}
