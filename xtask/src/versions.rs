//! `cargo xtask conformance --versions`: builds Terraform and OpenTofu in the versions that `tests/versions` has answers of, or in
//! others, from the sources that the proxy of Go serves, and asks them about these modules and those of files that are named.

mod faults;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use anyhow::{Context, Result, anyhow, ensure};
use hclkit_test_cases::Case;
use serde_json::{Value, json};

use crate::modules::{record, text};
use crate::programs::{answer, root, run, target};

/// An application, and the version that the recorded answers are of.
struct Application {
    /// The title of the sections with its answers.
    name: &'static str,
    module: &'static str,
    version: &'static str,
    package: &'static str,
}

const APPLICATIONS: [Application; 2] = [
    Application {
        name: "terraform",
        module: "github.com/hashicorp/terraform",
        version: "1.16.4",
        package: ".",
    },
    Application {
        name: "opentofu",
        module: "github.com/opentofu/opentofu",
        version: "1.12.6",
        package: "./cmd/tofu",
    },
];

/// Where these keep their list of backends, and those of them that are kept: the others need the libraries of clouds, and
/// Terraform has them in modules of their own, which no proxy serves.
const BACKENDS: &str = "internal/backend/init/init.go";
const KEPT: [&str; 5] = ["local", "remote", "http", "inmem", "cloud"];

/// The answer if a module needs a provider, without which nothing can be said.
const NOT_ASKED: &str = "not asked\n";
/// Errors that are not about the module: its providers cannot be had, or a plan cannot have a value such as infinity.
const OTHERS: [&str; 8] = [
    "Failed to resolve provider packages",
    "Module not installed",
    "Failed to query available provider packages",
    "Could not resolve provider",
    "Missing required provider",
    "Inconsistent dependency lock file",
    "encountered problems during initiali",
    "Failed to write plan file",
];
/// The answer of OpenTofu if it is that of Terraform.
const SAME: &str = "same\n";

/// Asks for all recorded modules again. `versions` has other versions, each as `NAME@VERSION`.
pub(crate) fn ask(versions: &[String], bless: bool) -> Result<ExitCode> {
    let mut programs = Vec::new();
    for application in &APPLICATIONS {
        let other = versions
            .iter()
            .find_map(|own| own.strip_prefix(application.name).and_then(|own| own.strip_prefix('@')));
        ensure!(!bless || other.is_none(), "other versions are compared, not recorded: change APPLICATIONS");
        programs.push((application.name, build(application, other.unwrap_or(application.version))?));
    }
    let known = |own: &String| APPLICATIONS.iter().any(|app| own.starts_with(&format!("{}@", app.name)));
    if let Some(unknown) = versions.iter().find(|own| !known(own)) {
        return Err(anyhow!("`{unknown}` is not one of terraform@VERSION and opentofu@VERSION"));
    }
    let directory = root().join("tests/versions");
    let files = hclkit_test_cases::read(&directory, "versions", &[]).map_err(|error| anyhow!(error))?;
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut different = 0;
    for file in files {
        let mut answered = file.clone();
        for case in &mut answered.cases {
            let mut first: Option<String> = None;
            for (name, program) in &programs {
                let own = ask_one(case, program).with_context(|| {
                    format!(
                        "{}: {name} has no answer to `{}`. A case that crashes it is not kept",
                        file.path.display(),
                        case.name
                    )
                })?;
                let verdict = own.split_once([':', '\n']).map_or("", |(verdict, _)| verdict);
                let verdict = ["valid", "error", "not asked"].into_iter().find(|own| *own == verdict);
                *counts.entry((name, verdict.context("an answer without a verdict")?)).or_default() += 1;
                let own = if first.as_ref() == Some(&own) { SAME.to_owned() } else { own };
                let is_new = own != NOT_ASKED || case.section(name).is_none();
                if is_new && case.section(name) != Some(&own) {
                    different += 1;
                    record(case, &file.path, name, own, bless);
                }
                first = first.or_else(|| case.section(name).map(str::to_owned));
            }
        }
        if bless {
            fs::write(&file.path, text(&answered))?;
        }
    }
    for ((name, verdict), count) in counts {
        println!("{name}: {count} {verdict}");
    }
    println!("{different} answers that are not the recorded ones");
    Ok(if bless || different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Compares `validate` with `hcl check` on random modules with faults, which are printed if one accepts what the other refuses.
pub(crate) fn compare_random(
    seed: Option<u64>,
    first: usize,
    count: usize,
    versions: &[String],
) -> Result<ExitCode> {
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("seed {seed}");
    let hcl = crate::programs::own(false)?.join("hcl");
    let directory = target().join("versions/fault");
    let (mut asked, mut wrong) = (0, 0);
    for application in APPLICATIONS
        .iter()
        .filter(|own| versions.is_empty() || versions.iter().any(|version| version.starts_with(own.name)))
    {
        let program = build(application, application.version)?;
        for n in first..first + count {
            let fault = faults::Fault::random(&mut crate::modules::rng(seed, n));
            fault.write(&directory)?;
            let Some(theirs) = faults::theirs(&program, &directory)? else { continue };
            asked += 1;
            let ours = faults::ours(&hcl, &directory, application.name)?;
            // What every plan refuses may be an error of a check.
            let is_refused = || faults::planned(&program, &directory).map(|errors| !errors.is_empty());
            if theirs.is_empty() != ours.is_empty() && !(theirs.is_empty() && is_refused()?) {
                wrong += 1;
                let verdict = if ours.is_empty() { "missed" } else { "false" };
                let problems: Vec<&str> = theirs.iter().chain(&ours).map(|own| own.trim_end()).collect();
                println!("{verdict}, {}, {n}: {}: {}", application.name, fault.changes, problems.join(" | "));
                if count == 1 {
                    print!("{}", fault.text());
                }
            }
        }
    }
    println!("{asked} modules, {wrong} with another verdict");
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds an application, if it was not. Returns its program.
fn build(application: &Application, version: &str) -> Result<PathBuf> {
    let Application { name, module, package, .. } = application;
    let directory = target().join("versions");
    let program = directory.join(format!("{name}-{version}"));
    if program.exists() {
        return Ok(program);
    }
    println!("building {name} {version}");
    let found =
        answer(Command::new("go").args(["mod", "download", "-json", &format!("{module}@v{version}")]))?;
    let found: Value = serde_json::from_str(&found)?;
    let source = Path::new(found["Dir"].as_str().context("the proxy does not say where the module is")?);
    let own = directory.join(format!("source-{name}"));
    if own.exists() {
        fs::remove_dir_all(&own)?;
    }
    copy(source, &own)?;
    let backends = own.join(BACKENDS);
    fs::write(&backends, without_clouds(&fs::read_to_string(&backends)?))?;
    let manifest = own.join("go.mod");
    let lines = fs::read_to_string(&manifest)?;
    let inside = format!("{module}/internal/");
    let lines: Vec<&str> = lines.lines().filter(|line| !line.contains(&inside)).collect();
    fs::write(&manifest, lines.join("\n") + "\n")?;
    let mut go = Command::new("go");
    go.current_dir(&own).args(["build", "-mod=mod", "-o"]).arg(&program);
    run(go.args(["-ldflags", &format!("-X {module}/version.dev=no"), package]))?;
    fs::remove_dir_all(&own)?;
    Ok(program)
}

/// Copies a directory of the module cache, whose files are read-only.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::write(&to, fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

/// The list of backends without those of clouds, and without the packages that only these use.
fn without_clouds(text: &str) -> String {
    let entry = |line: &str| {
        let (name, value) = line.trim().strip_prefix('"')?.split_once("\":")?;
        let package = value.split_once("return ")?.1.split_once(".New(")?.0;
        Some((name.to_owned(), package.to_owned()))
    };
    let cut: Vec<String> = text
        .lines()
        .filter_map(entry)
        .filter(|(name, _)| !KEPT.contains(&name.as_str()))
        .map(|(_, package)| package)
        .collect();
    let is_kept = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_import =
            words.len() == 2 && words[1].starts_with('"') && cut.iter().any(|own| own == words[0]);
        !is_import && entry(line).is_none_or(|(_, package)| !cut.contains(&package))
    };
    let kept: Vec<&str> = text.lines().filter(is_kept).collect();
    kept.join("\n") + "\n"
}

/// What a program says about a module: its errors, or its warnings and the outputs of its plan.
fn ask_one(case: &Case, program: &Path) -> Result<String> {
    let directory = target().join("versions/module");
    if directory.exists() {
        fs::remove_dir_all(&directory)?;
    }
    let is_answer = |title: &str| title == "differs" || APPLICATIONS.iter().any(|own| own.name == title);
    for section in case.sections.iter().filter(|section| !is_answer(&section.title)) {
        let path = directory.join(&section.title);
        fs::create_dir_all(path.parent().context("no directory")?)?;
        fs::write(path, &section.text)?;
    }
    let call = |args: &[&str]| -> Result<Output> {
        let mut command = Command::new(program);
        command.current_dir(&directory).env("CHECKPOINT_DISABLE", "1").env("TF_CLI_CONFIG_FILE", "/dev/null");
        command.args(args).output().with_context(|| format!("cannot run {command:?}"))
    };
    let init = call(&["init", "-json", "-input=false"])?;
    let is_ready = init.status.success();
    let is_of = |ending: &str| case.sections.iter().any(|section| section.title.contains(ending));
    let (mut errors, mut warnings) = problems(&call(&["validate", "-json"])?)?;
    let mut outputs = String::new();
    if is_ready && errors.is_empty() && !is_of(".tftest.") && !is_of(".tfquery.") {
        let plan = call(&["plan", "-json", "-input=false", "-lock=false", "-out=plan"])?;
        let found = lines(&plan.stdout);
        errors = found.0;
        warnings.extend(found.1);
        if plan.status.success() {
            outputs = values(&call(&["show", "-json", "plan"])?.stdout)?;
        }
    }
    let is_own = |error: &String| !OTHERS.iter().any(|other| error.contains(other));
    errors.retain(is_own);
    if !is_ready && errors.is_empty() {
        errors = lines(&init.stdout).0;
        errors.retain(is_own);
        if errors.is_empty() {
            return Ok(NOT_ASKED.to_owned());
        }
    }
    if !errors.is_empty() {
        return Ok(errors.concat());
    }
    warnings.sort();
    warnings.dedup();
    Ok(format!("valid\n{}{outputs}", warnings.concat()))
}

/// Errors and warnings of `validate`.
fn problems(output: &Output) -> Result<(Vec<String>, Vec<String>)> {
    let found: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    for own in found["diagnostics"].as_array().into_iter().flatten() {
        sort(own, &mut errors, &mut warnings);
    }
    Ok((errors, warnings))
}

/// Errors and warnings of a command that writes an object on each line.
fn lines(output: &[u8]) -> (Vec<String>, Vec<String>) {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    for line in String::from_utf8_lossy(output).lines() {
        let Ok(found) = serde_json::from_str::<Value>(line) else { continue };
        if found["diagnostic"].is_object() {
            sort(&found["diagnostic"], &mut errors, &mut warnings);
        }
    }
    (errors, warnings)
}

/// A diagnostic as a line with its summary and its place.
fn sort(own: &Value, errors: &mut Vec<String>, warnings: &mut Vec<String>) {
    let summary = own["summary"].as_str().unwrap_or_default();
    let summary = summary.lines().next().unwrap_or_default();
    if own["severity"] != json!("error") {
        return warnings.push(format!("warning: {summary}\n"));
    }
    let (file, line) = (own["range"]["filename"].as_str(), &own["range"]["start"]["line"]);
    let place = file.map_or_else(String::new, |file| format!(" ({file}:{line})"));
    errors.push(format!("error: {summary}{place}\n"));
}

/// A line for each output of a plan. One that is not known has no value.
fn values(plan: &[u8]) -> Result<String> {
    let plan: Value = serde_json::from_slice(plan)?;
    let mut text = String::new();
    let all = plan["planned_values"]["outputs"].as_object().into_iter().flatten();
    for (name, value) in all.collect::<BTreeMap<_, _>>() {
        let _ = writeln!(text, "{name} = {value}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::without_clouds;

    #[test]
    fn only_backends_of_clouds_are_removed() {
        let text = "import (\n\tbackendLocal \"x/local\"\n\tbackendS3 \"x/s3\"\n)\n\
                    \t\"local\": func() B { return backendLocal.New() },\n\
                    \t\"s3\":    func() B { return backendS3.New() },\n\
                    \t\"etcd\": `gone`,\n";
        let kept = "import (\n\tbackendLocal \"x/local\"\n)\n\
                    \t\"local\": func() B { return backendLocal.New() },\n\t\"etcd\": `gone`,\n";
        assert_eq!(without_clouds(text), kept);
    }
}
