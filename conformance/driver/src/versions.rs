//! `cargo xtask conformance --versions`: builds Terraform and OpenTofu in the versions that `tests/versions` and `tests/checks` have
//! answers of, or in others, and asks them about these modules, about random ones, or about those of their own tests.

mod answer;
mod build;
mod faults;
mod testdata;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};
use hclkit_test_cases::{Case, File};

use crate::modules::record;
use crate::programs::{root, target};
use answer::{Answer, NOT_ASKED};
use build::{APPLICATIONS, build};
pub(crate) use testdata::compare as compare_testdata;

/// Recorded modules: their directory, the extension of their files, and how an answer is written.
struct Suite {
    directory: &'static str,
    extension: &'static str,
    text: fn(&Answer) -> String,
}

const SUITES: [Suite; 2] = [
    Suite { directory: "tests/versions", extension: "versions", text: Answer::long },
    Suite { directory: "tests/checks", extension: "cases", text: Answer::short },
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
    let mut different = 0;
    for suite in &SUITES {
        different += suite.ask(&programs, bless)?;
    }
    println!("{different} answers that are not the recorded ones");
    Ok(if bless || different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Suite {
    /// Asks about all modules. Returns how many answers are not the recorded ones.
    fn ask(&self, programs: &[(&str, PathBuf)], bless: bool) -> Result<usize> {
        let directory = root().join(self.directory);
        let files =
            hclkit_test_cases::read(&directory, self.extension, &[]).map_err(|error| anyhow!(error))?;
        let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let mut different = 0;
        for file in files {
            let answers = Self::answers(&file, programs)?;
            let mut answered = file.clone();
            for (case, answers) in answered.cases.iter_mut().zip(answers) {
                let mut first: Option<String> = None;
                for ((name, _), answer) in programs.iter().zip(answers) {
                    let verdict = answer.as_ref().map_or("not asked", Answer::verdict);
                    *counts.entry((name, verdict)).or_default() += 1;
                    let own = answer.as_ref().map_or_else(|| NOT_ASKED.to_owned(), self.text);
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
                fs::write(&file.path, answered.text())?;
            }
        }
        for ((name, verdict), count) in counts {
            println!("{}, {name}: {count} {verdict}", self.directory);
        }
        Ok(different)
    }

    /// What each program says about each module of a file.
    fn answers(file: &File, programs: &[(&str, PathBuf)]) -> Result<Vec<Vec<Option<Answer>>>> {
        in_parallel(&file.cases, |thread, case| {
            let directory = target().join(format!("versions/module-{thread}"));
            let ask = |(name, program): &(&str, PathBuf)| {
                write(case, &directory)?;
                let is_of = |ending: &str| case.sections.iter().any(|section| section.title.contains(ending));
                // A plan would need a value for each variable.
                let plans = !case.has("validate") && !is_of(".tftest.") && !is_of(".tfquery.");
                Answer::ask(program, &directory, plans).with_context(|| {
                    format!(
                        "{}: {name} has no answer to `{}`. A case that crashes it is not kept",
                        file.path.display(),
                        case.name
                    )
                })
            };
            programs.iter().map(ask).collect()
        })
    }
}

/// The results of a function for all items, in order. It gets the number of its thread, too.
fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    function: impl Fn(usize, &T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let work = |thread: usize| -> Result<()> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return Ok(()) };
            let result = function(thread, item)?;
            found.lock().expect("no panic holds it").push((at, result));
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..thread::available_parallelism().map_or(2, usize::from))
            .map(|thread| {
                scope.spawn({
                    let work = &work;
                    move || work(thread)
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("a worker does not panic"))
    })?;
    let mut found = found.into_inner().expect("no panic holds it");
    found.sort_by_key(|(at, _)| *at);
    Ok(found.into_iter().map(|(_, result)| result).collect())
}

/// Writes the files of a case to an empty directory.
fn write(case: &Case, directory: &Path) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)?;
    }
    let is_answer = |title: &str| title == "differs" || APPLICATIONS.iter().any(|own| own.name == title);
    for section in case.sections.iter().filter(|section| !is_answer(&section.title)) {
        let path = directory.join(&section.title);
        fs::create_dir_all(path.parent().context("no directory")?)?;
        fs::write(path, &section.text)?;
    }
    Ok(())
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
