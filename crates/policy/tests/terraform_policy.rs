//! Policies of Terraform and their tests, in `tests/terraform-policies/`: what is wrong in them, how each test ends, and what the
//! policies say of a module. The cases follow the documentation of `tfpolicy` 0.5; the program itself cannot be asked.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use hclkit::module::{Dialect, Schemas, loader};
use hclkit::{Diagnostic, Document, Source, StartSymbol};
use hclkit_policy::{FileKind, Outcome, Policies, Project, Suite, TestFile};
use hclkit_test_cases::{Case, Folder, Section, check, read};

const DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/terraform-policies");

fn document(name: &str, text: impl Into<Vec<u8>>) -> Document {
    Document::parse(Source::new(name, text.into()), StartSymbol::Config)
}

/// Reads files of policies that a test names.
fn open(directory: &Path, path: &str) -> Result<Vec<(String, Vec<u8>)>, String> {
    let path = directory.join(path);
    let files = if path.is_dir() {
        let entries = std::fs::read_dir(&path).map_err(|why| why.to_string())?;
        let mut all: Vec<PathBuf> = entries.flatten().map(|own| own.path()).collect();
        all.sort();
        all
    } else {
        vec![path]
    };
    let read = |path: PathBuf| {
        let text = std::fs::read(&path).map_err(|_| "there is no such file".to_owned())?;
        Ok((path.to_string_lossy().into_owned(), text))
    };
    files.into_iter().map(read).collect()
}

fn one(found: &Diagnostic) -> String {
    let place = found.place().map(|place| {
        let file =
            Path::new(place.source.name()).file_name().unwrap_or_default().to_string_lossy().into_owned();
        format!("{file}:{}: ", place.source.line_of(place.span.start) + 1)
    });
    format!("{}{}: {}", place.unwrap_or_default(), found.severity().as_str(), found.note())
}

fn lines(suite: &Suite) -> String {
    let mut all: Vec<String> = suite.problems.iter().map(one).collect();
    for own in &suite.verdicts {
        let subject = Path::new(&own.subject).file_name().unwrap_or_default().to_string_lossy().into_owned();
        all.push(format!("{subject}: {}: {}", own.name, own.outcome));
        all.extend(own.notes.iter().map(|note| format!("  info: {note}")));
        all.extend(own.finding.iter().chain(&own.more).map(|found| format!("  {}", one(found))));
    }
    all.iter().flat_map(|line| [line.replace('\n', "\\n"), "\n".to_owned()]).collect()
}

fn run(case: &Case) -> Vec<Section> {
    let folder = Folder::with(&[]);
    let mut results = Vec::new();
    let (mut policies, mut tests, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for own in case.sections.iter().take_while(|own| !is_result(&own.title)) {
        folder.write(&own.title, &own.text);
        let path = folder.path(&own.title).to_string_lossy().into_owned();
        let document = document(&path, own.text.as_str());
        match FileKind::of_name(&own.title) {
            Some(FileKind::TerraformPolicy) if !own.title.starts_with("elsewhere/") => {
                policies.push(document);
            }
            Some(FileKind::TerraformPolicyTest) => tests.push(document),
            _ => others.push(document),
        }
    }
    let (policies, problems) = Policies::read(policies);
    let mut suite = Suite { problems, ..Suite::default() };
    for document in tests {
        let directory = Path::new(document.source().name()).parent().unwrap().to_owned();
        suite.append(policies.test(&TestFile { directory, document }, &open, &|_| true));
    }
    results.push(Section::new("tests", lines(&suite)));
    let schemas = case.section("schemas.json").map(|text| Schemas::from_json(text.as_bytes()).unwrap());
    let is_module =
        |own: &Document| Dialect::of_path(own.source().name()).is_some_and(|own| own.name() == "terraform");
    if others.iter().any(is_module) {
        let project = Project::new(others.into_iter().filter(is_module));
        let complete: HashSet<String> =
            schemas.iter().flat_map(|own| own.types("resource")).map(str::to_owned).collect();
        let mut suite = Suite::default();
        for directory in project.modules().iter().filter(|own| !project.is_called(own)) {
            let loader = loader(Dialect::terraform(), directory).with_unknown_variables(true);
            let loader = schemas.iter().cloned().fold(loader, hclkit::module::ModuleLoader::with_schemas);
            suite.append(policies.apply(&project, directory, &loader, &complete, &|_| true));
        }
        results.push(Section::new("module", lines(&suite)));
    }
    results
}

fn is_result(title: &str) -> bool {
    matches!(title, "tests" | "module")
}

#[test]
fn policies_and_tests_end_as_documented() {
    let files = read(Path::new(DIRECTORY), "cases", &[]).unwrap();
    check(&files, is_result, run);
}

/// The tests of a directory with published policies end as published: `POLICIES=DIR cargo test -p hclkit-policy --test
/// terraform_policy published -- --ignored --nocapture`.
#[test]
#[ignore = "it needs a directory with policies in POLICIES"]
fn published_tests_end_as_published() {
    let root = PathBuf::from(std::env::var_os("POLICIES").expect("POLICIES is a directory"));
    let mut open_directories = vec![root];
    let (mut policies, mut tests) = (Vec::new(), Vec::new());
    while let Some(directory) = open_directories.pop() {
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(&directory).unwrap().flatten().map(|own| own.path()).collect();
        entries.sort();
        for path in entries {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != ".git" {
                open_directories.push(path);
            } else if let Some(kind) = FileKind::of_name(&name) {
                let document = document(&path.to_string_lossy(), std::fs::read(&path).unwrap());
                match kind {
                    FileKind::TerraformPolicy => policies.push(document),
                    FileKind::TerraformPolicyTest => tests.push(document),
                    _ => {}
                }
            }
        }
    }
    let (policies, problems) = Policies::read(policies);
    let mut suite = Suite { problems, ..Suite::default() };
    let files = tests.len();
    // The tests of files that are not run.
    let mut unread = 0;
    for document in tests {
        let is_test = |own: &hclkit::ast::BlockNode<'_>| {
            let skips = own.body().attributes().any(|own| own.name_text() == "skip");
            matches!(own.block_type(), "resource" | "module" | "provider") && !skips
        };
        let own_tests = document.body().blocks().filter(is_test).count();
        let directory = Path::new(document.source().name()).parent().unwrap().to_owned();
        let own = policies.test(&TestFile { directory, document }, &open, &|_| true);
        unread += if own.verdicts.is_empty() { own_tests } else { 0 };
        suite.append(own);
    }
    suite.problems.retain(Diagnostic::is_error);
    for own in &suite.problems {
        println!("{}", one(own));
    }
    let mut skipped: BTreeMap<String, usize> = BTreeMap::new();
    let (mut passed, mut different) = (0, unread);
    for own in &suite.verdicts {
        match &own.outcome {
            Outcome::Passed => passed += 1,
            Outcome::Skipped(why) => *skipped.entry(why.clone()).or_default() += 1,
            _ => {
                different += 1;
                println!("{}: {}: {}", own.subject, own.name, own.outcome);
                if let Some(found) = &own.finding {
                    println!("  {}", one(found));
                }
            }
        }
    }
    let total = suite.verdicts.len() + unread;
    let all_skipped: usize = skipped.values().sum();
    println!(
        "{files} files, {total} tests: {passed} as published, {all_skipped} skipped, {different} different ({unread} of them in files with errors)"
    );
    for (why, count) in &skipped {
        println!("  {count} skipped: {why}");
    }
    assert!(total > 0, "there are no tests");
}
