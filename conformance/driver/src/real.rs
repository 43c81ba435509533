//! `cargo xtask conformance --real`: asks Terraform about the modules of the repositories in `conformance/repositories.txt`,
//! with a provider that accepts everything, and compares its answers with those of `hcl check` and `hcl eval`.

mod affected;
mod collect;
mod compare;
mod copy;
mod flow;
mod pairs;
mod random;
mod report;
mod repositories;
mod schema;
mod tags;
mod terraform;
mod tested;
mod tree;
mod variables;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::programs::{own_released, target};
use collect::Tree;
use compare::{Comparison, Own};
use copy::{Copies, Purpose, RECORD};
use report::{Report, Totals};
use repositories::{Clones, Repository};
use schema::Schema;
pub(crate) use terraform::Providers;
use terraform::{Problem, Terraform, own_problems};
use tree::directories;

/// What a run is about.
#[derive(clap::Args)]
#[group(skip)]
pub(crate) struct Args {
    /// Compare the modules of the repositories in conformance/repositories.txt with Terraform instead
    #[arg(long, group = "programs")]
    pub(crate) real: bool,
    /// With --real: a directory with bare clones, instead of cloning repositories
    #[arg(long, value_name = "DIR", requires = "real")]
    clones: Option<PathBuf>,
    /// With --real: only repositories whose names contain this text; repeatable
    #[arg(long, value_name = "TEXT", requires = "real")]
    repository: Vec<String>,
    /// With --real: only directories whose paths in the repository contain this text
    #[arg(long, value_name = "TEXT", requires = "real")]
    directory: Option<String>,
    /// With --real: at most this many directories of a repository
    #[arg(long, value_name = "COUNT", default_value_t = 60, requires = "real")]
    limit: usize,
    /// With --real: compare what `hcl diff` says of so many random modules in two versions with the plans of both
    #[arg(long, value_name = "COUNT", requires = "real")]
    pairs: Option<usize>,
    /// With --real: run the tests of the modules of the repositories in conformance/tested.txt, and compare how each run ends
    #[arg(long, requires = "real", conflicts_with_all = ["random", "pairs"])]
    tests: bool,
    /// With --pairs: two tags of a repository in each pair, instead of random modules
    #[arg(long, requires = "pairs")]
    tags: bool,
    /// With --real: compare what `hcl diff --affected` lists at so many commits of each repository with all of its root modules
    #[arg(long, value_name = "COUNT", requires = "real")]
    affected: Option<usize>,
}

/// How often Terraform is asked again after its errors changed the schema.
const ATTEMPTS: usize = 6;

pub(crate) fn run(args: Args, seed: Option<u64>, count: Option<usize>, bless: bool) -> Result<ExitCode> {
    let work = target().join("real");
    fs::create_dir_all(&work)?;
    // A build during the run does not change the program.
    let hcl = work.join("hcl");
    let built = std::env::var_os("HCL").map_or_else(own_released, |path| Ok(path.into()))?;
    fs::copy(built, &hcl)?;
    let is_wanted = |one: &Repository| {
        args.repository.is_empty() || args.repository.iter().any(|part| one.name.contains(part))
    };
    if args.tests {
        let work = target().join("tested");
        fs::create_dir_all(&work)?;
        let copies = Copies::new(Clones::new(args.clones), work, Purpose::Tests);
        let all: Vec<Repository> =
            repositories::list("conformance/tested.txt")?.into_iter().filter(is_wanted).collect();
        let is_whole = args.repository.is_empty() && args.directory.is_none();
        let mut tested = tested::Tested::new(Terraform::new()?, copies, hcl, args.directory);
        return tested.run(&all, bless && is_whole);
    }
    let setting = Setting {
        terraform: Terraform::new()?,
        copies: Copies::new(Clones::new(args.clones), work.clone(), Purpose::Plans),
        hcl,
        limit: args.limit,
        only: args.directory,
    };
    let all: Vec<Repository> =
        repositories::list("conformance/repositories.txt")?.into_iter().filter(is_wanted).collect();
    if let Some(count) = args.affected {
        return affected::run(&setting, &all, seed, count);
    }
    if let Some(count) = args.pairs {
        return if args.tags {
            tags::run(&setting, &all, seed, count)
        } else {
            pairs::run(&setting, seed, count)
        };
    }
    if let Some(count) = count {
        return random::run(&setting, seed, count, bless);
    }
    let mut report = Report::new(&work)?;
    let mut failed = 0;
    for repository in &all {
        match setting.compare(repository) {
            Ok(totals) => report.add(&repository.name, &totals)?,
            Err(error) => {
                println!("{}: {error:#}", repository.name);
                failed += 1;
            }
        }
    }
    let complete = failed == 0 && args.repository.is_empty() && setting.only.is_none();
    let code = report.finish(bless && complete)?;
    if failed > 0 || all.is_empty() {
        println!("Not compared: {failed} of {} repositories", all.len());
        return Ok(ExitCode::FAILURE);
    }
    Ok(code)
}

/// The programs and directories of a run.
struct Setting {
    terraform: Terraform,
    copies: Copies,
    hcl: PathBuf,
    limit: usize,
    only: Option<String>,
}

/// What Terraform says about a directory.
struct Answer {
    root: PathBuf,
    /// The directories of the tree.
    tree: BTreeSet<PathBuf>,
    result: Asked,
}

enum Asked {
    /// Why nothing was compared.
    Skipped(String),
    /// The errors of `validate`, and a plan with its variables for each run.
    Validated { errors: Vec<Problem>, totals: Box<Totals> },
}

impl Setting {
    fn compare(&self, repository: &Repository) -> Result<Totals> {
        let clone = self.copies.clones.get(&repository.name)?;
        let copy = self.copies.make(&clone, &repository.name, &repository.commit)?;
        let all = directories(&copy.copy)?;
        let wanted = |path: &PathBuf| {
            let inside = path.strip_prefix(&copy.copy).unwrap_or(path).to_string_lossy();
            self.only.as_ref().is_none_or(|only| inside.contains(only.as_str()))
        };
        let all: Vec<PathBuf> = all.into_iter().filter(wanted).collect();
        // Every nth directory of a large repository.
        let every = all.len().div_ceil(self.limit).max(1);
        let roots: Vec<PathBuf> = all.iter().step_by(every).cloned().collect();
        let next = AtomicUsize::new(0);
        let answers = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while let Some(root) = roots.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let answer = self.ask(root).unwrap_or_else(|error| Answer {
                            root: root.clone(),
                            tree: BTreeSet::new(),
                            result: Asked::Skipped(format!("failed: {error:#}")),
                        });
                        if let Ok(mut answers) = answers.lock() {
                            answers.push(answer);
                        }
                    }
                });
            }
        });
        let mut answers = answers.into_inner().unwrap_or_default();
        answers.sort_by(|a, b| a.root.cmp(&b.root));
        let mut totals = Totals { directories: all.len(), ..Totals::default() };
        self.check(&copy.original, &copy.copy, &answers, &mut totals)?;
        for answer in answers {
            let inside = answer.root.strip_prefix(&copy.copy).unwrap_or(&answer.root).display().to_string();
            match answer.result {
                Asked::Skipped(reason) => totals.skip(&inside, &reason),
                Asked::Validated { totals: own, .. } => totals.add(&inside, &own),
            }
        }
        Ok(totals)
    }

    /// Asks Terraform about one directory, until it has no errors about the schema, and compares its plans.
    fn ask(&self, root: &Path) -> Result<Answer> {
        let mut tree = Tree::read(root)?;
        let mut more = More::default();
        let mut answer =
            Answer { root: root.to_owned(), tree: BTreeSet::new(), result: Asked::Skipped(String::new()) };
        let skip = |mut answer: Answer, reason: &str| {
            answer.result = Asked::Skipped(reason.to_owned());
            Ok(answer)
        };
        if tree.missing.is_some() {
            return skip(answer, "a called directory is missing");
        }
        answer.tree = tree.directories.iter().map(|directory| directory.path.clone()).collect();
        let is_json = |path: &PathBuf| {
            tree::names(path).is_ok_and(|names| names.iter().any(|name| name.ends_with(".tf.json")))
        };
        if answer.tree.iter().any(is_json) {
            return skip(answer, "files in the JSON syntax");
        }
        if tree.directories.iter().any(|directory| directory.files.iter().any(|(_, file)| file.has_errors()))
        {
            return skip(answer, "syntax errors");
        }
        let mut errors = Vec::new();
        let mut totals = Totals { validated: 1, ..Totals::default() };
        let mut program = 0;
        while program < self.terraform.count() {
            for _ in 0..ATTEMPTS {
                tree = self.prepare(root, tree, &mut more)?;
                if let Some(conflict) = more.conflict.take() {
                    return skip(answer, &format!("both an attribute and a block: {conflict}"));
                }
                let start = Instant::now();
                errors = self.terraform.validate(program, root)?;
                totals.validate = start.elapsed();
                if !more.learn(&errors, &tree) {
                    break;
                }
            }
            if errors.is_empty() {
                totals.newer += usize::from(program > 0);
                break;
            }
            program += 1;
        }
        if errors.iter().any(|error| error.text.starts_with("crashed")) {
            return skip(answer, &format!("Terraform {}", errors[0].text));
        }
        totals.valid = usize::from(errors.is_empty());
        if errors.is_empty() {
            for fill in [false, true] {
                self.plan(program, root, fill, &tree, &mut more, &mut totals)?;
            }
        } else {
            for error in &errors {
                totals.list.push(format!("validate: {}:{}: {}", error.file, error.line, error.text));
            }
        }
        answer.result = Asked::Validated { errors, totals: Box::new(totals) };
        Ok(answer)
    }

    /// Writes what Terraform needs beside a directory.
    fn prepare(&self, root: &Path, tree: Tree, more: &mut More) -> Result<Tree> {
        let (tree, mut schema) = self.needs(root, tree)?;
        more.complete(&mut schema);
        self.write(root, &tree, &schema)?;
        Ok(tree)
    }

    /// The schema that a tree needs, after stubs have the results that calls use.
    fn needs(&self, root: &Path, mut tree: Tree) -> Result<(Tree, Schema)> {
        let mut needs = tree.collect();
        loop {
            let mut again = false;
            for (path, output) in &needs.outputs {
                again |= self.copies.add_output(path, output)?;
            }
            if !again {
                return Ok((tree, needs.schema));
            }
            tree = Tree::read(root)?;
            needs = tree.collect();
        }
    }

    fn write(&self, root: &Path, tree: &Tree, schema: &Schema) -> Result<()> {
        let data = root.join(".terraform");
        fs::create_dir_all(data.join("modules"))?;
        fs::write(data.join("modules/modules.json"), tree.manifest().to_string())?;
        self.terraform.providers.write(schema, tree, root)
    }

    fn plan(
        &self,
        program: usize,
        root: &Path,
        fill: bool,
        tree: &Tree,
        more: &mut More,
        totals: &mut Totals,
    ) -> Result<()> {
        let required = variables::values(&tree.directories[0], false, &BTreeMap::new());
        let file = root.join(".terraform/hclkit.tfvars.json");
        let mut answer = Err(Vec::new());
        let mut time = Duration::ZERO;
        for program in program..self.terraform.count() {
            let mut refused = more.refused.clone();
            for _ in 0..2 * ATTEMPTS {
                let values = variables::values(&tree.directories[0], fill, &refused);
                if fill && values.len() == required.len() {
                    return Ok(());
                }
                fs::write(&file, Value::Object(values).to_string())?;
                let start = Instant::now();
                answer = self.terraform.plan(program, root)?;
                time = start.elapsed();
                let Err(errors) = &answer else { break };
                let mut again = more.learn(errors, tree);
                if again {
                    let tree = Tree::read(root)?;
                    self.prepare(root, tree, more)?;
                }
                let names =
                    errors.iter().flat_map(|error| variables::refused_by(&tree.directories[0], error));
                for name in names.collect::<BTreeSet<String>>() {
                    let times = refused.entry(name).or_default();
                    *times += 1;
                    again |= *times < ATTEMPTS;
                }
                if !again {
                    break;
                }
            }
            if !fill && answer.is_ok() {
                more.refused = refused;
            }
            if answer.is_ok() {
                break;
            }
        }
        totals.planned += 1;
        let start = Instant::now();
        let (errors, own) = self.evaluate(root, &file, &[])?;
        // It was run twice.
        let own_time = start.elapsed() / 2;
        match answer {
            Err(theirs) => {
                if theirs.iter().any(|error| error.text.starts_with("crashed")) {
                    totals.crashed += 1;
                    totals.list.push(format!("plan: Terraform {}", theirs[0].text));
                    return Ok(());
                }
                if theirs.iter().all(is_until_apply) {
                    totals.depends += 1;
                } else if errors.is_empty() {
                    totals.missed += 1;
                    for error in theirs.iter().filter(|error| !is_until_apply(error)) {
                        totals
                            .list
                            .push(format!("plan misses: {}:{}: {}", error.file, error.line, error.text));
                    }
                } else {
                    totals.both += 1;
                    compare_errors("plan", &errors, &theirs, totals);
                }
            }
            Ok(plan) => {
                totals.plans += 1;
                totals.plan += time;
                totals.eval += own_time;
                let compare = |plan: &Value| {
                    let mut comparison = Comparison::new(&own);
                    comparison.plan(plan);
                    comparison
                };
                let mut comparison = compare(&plan);
                // We follow the newest program where they differ.
                for newer in program + 1..self.terraform.count() {
                    if comparison.counts.wrong() + errors.len() == 0 {
                        break;
                    }
                    match self.terraform.plan(newer, root)? {
                        Ok(plan) => {
                            let other = compare(&plan);
                            if other.counts.wrong() < comparison.counts.wrong() {
                                comparison = other;
                            }
                        }
                        Err(theirs) if !errors.is_empty() => {
                            totals.both += 1;
                            compare_errors("plan", &errors, &theirs, totals);
                            return Ok(());
                        }
                        Err(_) => {}
                    }
                }
                if !errors.is_empty() {
                    totals.false_eval += 1;
                }
                for error in &errors {
                    totals.list.push(format!("eval false: {}:{}: {}", error.file, error.line, error.text));
                }
                totals.counts.add(&comparison.counts);
                let run = if fill { "filled " } else { "" };
                totals.list.extend(comparison.listing.into_iter().map(|line| format!("{run}{line}")));
            }
        }
        Ok(())
    }

    /// The errors and the values of `hcl eval`, with more arguments.
    fn evaluate(&self, root: &Path, file: &Path, more: &[&str]) -> Result<(Vec<Problem>, Own)> {
        let run = |shown: &[&str]| -> Result<(Vec<Problem>, BTreeMap<String, Value>)> {
            let mut command = Command::new(&self.hcl);
            command.current_dir(root).args([
                "eval",
                // The provider that accepts everything computes nothing.
                "--no-data-sources",
                ".",
                "--output",
                "ndjson",
                "--report",
                "json",
                "--var-file",
            ]);
            let output = command.arg(file).args(more).args(shown).output().context("cannot run hcl")?;
            let mut values = BTreeMap::new();
            for line in String::from_utf8_lossy(&output.stdout).lines() {
                let found: Value = serde_json::from_str(line)?;
                let address = found["address"].as_str().unwrap_or_default().to_owned();
                values.insert(address, found["value"].clone());
            }
            let mut problems = own_problems(&output.stderr)?;
            if !matches!(output.status.code(), Some(0 | 1)) && problems.is_empty() {
                let text = String::from_utf8_lossy(&output.stderr).into_owned();
                problems.push(Problem { text: format!("{}: {text}", output.status), ..Problem::default() });
            }
            Ok((problems, values))
        };
        let (errors, shown) = run(&["--show-sensitive"])?;
        let (_, hidden) = run(&[])?;
        Ok((errors, Own { shown, hidden }))
    }

    /// Compares the errors of `hcl check` in a whole repository, and in its copy, with those of `validate`.
    fn check(&self, original: &Path, copy: &Path, answers: &[Answer], totals: &mut Totals) -> Result<()> {
        for (tree, what) in [(original, "check"), (copy, "check of the copy")] {
            let mut command = Command::new(&self.hcl);
            command.current_dir(tree).args(["check", ".", "--no-ignore", "--report", "json"]);
            let output = command.output().context("cannot run hcl")?;
            let ours = own_problems(&output.stdout)?;
            for error in &ours {
                let directory =
                    tree::clean(&copy.join(Path::new(&error.file).parent().unwrap_or(Path::new(""))));
                let mut about = answers.iter().filter_map(|answer| match &answer.result {
                    Asked::Validated { errors, .. } if answer.tree.contains(&directory) => {
                        Some((answer, errors))
                    }
                    _ => None,
                });
                let all: Vec<_> = about.by_ref().collect();
                // A validation does not read values of variables.
                if all.is_empty() || error.file.ends_with(".tfvars") {
                    totals.unjudged += 1;
                } else if all.iter().all(|(_, errors)| errors.is_empty()) {
                    if what == "check" {
                        totals.false_check += 1;
                    } else {
                        totals.false_copy += 1;
                    }
                    totals.list.push(format!("{what} false: {}:{}: {}", error.file, error.line, error.text));
                }
            }
            if what == "check of the copy" {
                for answer in answers {
                    let Asked::Validated { errors, .. } = &answer.result else { continue };
                    let inside = |error: &&Problem| {
                        let path =
                            tree::clean(&copy.join(Path::new(&error.file).parent().unwrap_or(Path::new(""))));
                        answer.tree.contains(&path)
                    };
                    if !errors.is_empty() && !ours.iter().any(|error| inside(&error)) {
                        totals.missed_check += 1;
                        let root = answer.root.strip_prefix(copy).unwrap_or(&answer.root).display();
                        for error in errors {
                            totals.list.push(format!(
                                "check misses: {root}/{}:{}: {}",
                                error.file, error.line, error.text
                            ));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Why a plan that ends at unknown instances is not compared.
const UNTIL_APPLY: &str = "with a count that is unknown until apply";

/// Whether the number of instances is unknown, which is not an error for us.
fn is_until_apply(error: &Problem) -> bool {
    let texts = ["Invalid count argument", "Invalid for_each argument"];
    texts.iter().any(|text| error.text.starts_with(text)) && error.text.contains("until apply")
}

/// Lists errors of ours at lines where Terraform has none, although both have errors.
fn compare_errors(what: &str, ours: &[Problem], theirs: &[Problem], totals: &mut Totals) {
    let same = |a: &Problem, b: &Problem| a.file == b.file && a.line.abs_diff(b.line) <= 3;
    let theirs: Vec<&Problem> = theirs.iter().filter(|error| !is_until_apply(error)).collect();
    for error in theirs.iter().filter(|error| !ours.iter().any(|own| same(own, error))) {
        totals.list.push(format!("{what} unmatched theirs: {}:{}: {}", error.file, error.line, error.text));
    }
    for error in ours.iter().filter(|error| !theirs.iter().any(|their| same(their, error))) {
        totals.list.push(format!("{what} unmatched ours: {}:{}: {}", error.file, error.line, error.text));
    }
}

/// What Terraform's errors add to a schema.
#[derive(Default)]
struct More {
    attributes: BTreeSet<String>,
    /// The types of attributes in blocks of data sources, by the data source and the name.
    types: BTreeMap<(String, String), Value>,
    conflict: Option<String>,
    records: BTreeSet<PathBuf>,
    refused: variables::Refused,
}

impl More {
    /// Adds what has been learned to a schema.
    fn complete(&mut self, schema: &mut Schema) {
        for blocks in [&mut schema.resources, &mut schema.data] {
            for block in blocks.values_mut() {
                for name in &self.attributes {
                    if !block.blocks.contains_key(name) {
                        block.attributes.entry(name.clone()).or_insert_with(schema::dynamic);
                    }
                }
            }
        }
        let objects = schema.resources.iter().chain(&schema.data);
        self.conflict = objects
            .flat_map(|(ty, block)| block.conflicts().into_iter().map(move |name| format!("{ty}.{name}")))
            .next();
        for (ty, block) in &mut schema.data {
            block.make_static(ty, &self.types);
        }
    }

    /// Whether errors say something new.
    fn learn(&mut self, errors: &[Problem], tree: &Tree) -> bool {
        let mut learned = false;
        // Several errors about one attribute are one step.
        let mut advanced = BTreeSet::new();
        for error in errors {
            if error.file.ends_with(RECORD) {
                let root = &tree.directories[0].path;
                let file = tree::clean(&root.join(&error.file));
                if self.records.insert(file.clone())
                    && let Some(directory) =
                        tree.directories.iter().find(|one| Some(one.path.as_path()) == file.parent())
                {
                    learned |= fs::write(&file, copy::record(directory, false)).is_ok();
                }
                continue;
            }
            let name = |before: &str| Some(error.text.split_once(before)?.1.split_once('"')?.0.to_owned());
            if error.text.starts_with("Unsupported attribute") {
                if let Some(name) = name("attribute named \"") {
                    learned |= self.attributes.insert(name);
                }
            } else if error.text.starts_with("Incorrect attribute value type")
                && let Some(name) = name("value for attribute \"")
                && let Some(ty) = tree.data_source_at(error)
                && advanced.insert((ty.clone(), name.clone()))
            {
                let known = self.types.entry((ty, name)).or_insert_with(|| json!("string"));
                if let Some(next) = schema::next_type(known) {
                    *known = next;
                    learned = true;
                }
            }
        }
        learned
    }
}
