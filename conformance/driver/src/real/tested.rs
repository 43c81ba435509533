//! `cargo xtask conformance --real --tests`: runs the tests of the modules in `conformance/tested.txt` with `terraform test`, where the
//! permissive provider is behind all mocks, and with `hcl test`, which gets the schemas of this provider, and compares how each run
//! ends. The counts are in `conformance/tests.txt`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Result, ensure};
use hclkit_syntax::ast::{AttributeNode, BlockNode, ExpressionNode};
use hclkit_syntax::{Document, parse};
use serde_json::{Value, json};

use super::collect::Tree;
use super::copy::Copies;
use super::repositories::Repository;
use super::schema::{Block, Schema};
use super::terraform::Terraform;
use super::tree::{Directory, is_native, label, literal, names};
use crate::programs::{root, target};

const SUFFIX: &str = ".tftest.hcl";

/// Errors that are those of the permissive provider, which applies and reads nothing.
const BEYOND: [&str; 3] = ["Plugin did not respond", "Plugin error", "Request cancelled"];

/// How a run ended, and why.
type Ended = (String, Vec<String>);

/// The runs of files, by the file and the run, in order.
type Runs = BTreeMap<(String, String), Ended>;

/// What was counted in a repository.
#[derive(Default)]
struct Counts {
    modules: usize,
    files: usize,
    runs: usize,
    equal: usize,
    /// Runs that `hcl test` skips, by the reason.
    skipped: BTreeMap<String, usize>,
    /// Runs that Terraform does not reach because of an error in one that is skipped here.
    unreached: usize,
    /// Runs that end in an error of the permissive provider.
    beyond: usize,
    different: usize,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.modules += other.modules;
        self.files += other.files;
        self.runs += other.runs;
        self.equal += other.equal;
        self.unreached += other.unreached;
        self.beyond += other.beyond;
        self.different += other.different;
        for (why, count) in &other.skipped {
            *self.skipped.entry(why.clone()).or_default() += count;
        }
    }

    fn text(&self) -> String {
        let Self { modules, files, runs, equal, unreached, beyond, different, .. } = self;
        let skipped: usize = self.skipped.values().sum();
        let mut text = format!(
            "{modules} modules, {files} files, {runs} runs: {equal} equal, {different} different, {skipped} skipped, {unreached} not reached, {beyond} that need a real provider"
        );
        for (why, count) in &self.skipped {
            let _ = write!(text, "; {count} skipped: {why}");
        }
        text
    }
}

pub(super) struct Tested {
    terraform: Terraform,
    copies: Copies,
    hcl: PathBuf,
    only: Option<String>,
}

/// A module and a directory with tests of it.
struct Module {
    root: PathBuf,
    /// The directory with the tests, relative to the root.
    tests: String,
    /// The test files, relative to the root.
    files: Vec<String>,
}

impl Tested {
    pub(super) fn new(terraform: Terraform, copies: Copies, hcl: PathBuf, only: Option<String>) -> Self {
        Self { terraform, copies, hcl, only }
    }

    pub(super) fn run(&mut self, all: &[Repository], bless: bool) -> Result<ExitCode> {
        ensure!(!all.is_empty(), "no repository of the list has this name");
        let mut text = String::from(
            "# Tests of real modules, with `hcl test` and `terraform test`: cargo xtask conformance --real --tests --bless\n",
        );
        let mut totals = [Counts::default(), Counts::default()];
        let mut add = |name: &str, all: &[Counts; 2]| {
            for (counts, how) in all.iter().zip(["as they are", "with all providers mocked"]) {
                if counts.modules > 0 {
                    let line = format!("{name}, {how}: {}\n", counts.text());
                    print!("{line}");
                    text.push_str(&line);
                }
            }
        };
        for repository in all {
            let counts = self.repository(repository)?;
            add(&repository.name, &counts);
            totals.iter_mut().zip(&counts).for_each(|(total, own)| total.add(own));
        }
        add("all", &totals);
        if bless {
            fs::write(root().join("conformance/tests.txt"), text)?;
        }
        Ok(if totals.iter().all(|total| total.different == 0) {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }

    /// Compares the tests of a repository as they are, and with all providers mocked.
    fn repository(&self, repository: &Repository) -> Result<[Counts; 2]> {
        let clone = self.copies.clones.get(&repository.name)?;
        let copy = self.copies.make(&clone, &repository.name, &repository.commit)?.copy;
        let mut counts = [Counts::default(), Counts::default()];
        for module in modules(&copy)? {
            let inside = module.root.strip_prefix(&copy).unwrap_or(&module.root).display().to_string();
            if self.only.as_ref().is_some_and(|only| !inside.contains(only.as_str())) {
                continue;
            }
            let place = format!("{}: {inside}", repository.name);
            let needed = self.prepare(&module)?;
            self.module(&module, &place, &mut counts[0])?;
            if mock_all(&module, &needed)? {
                self.prepare(&module)?;
                self.module(&module, &format!("{place}: mocked"), &mut counts[1])?;
            }
        }
        Ok(counts)
    }

    fn module(&self, module: &Module, place: &str, counts: &mut Counts) -> Result<()> {
        let theirs = self.theirs(module)?;
        let own = self.own(module)?;
        counts.modules += 1;
        counts.files += module.files.len();
        for file in &module.files {
            let runs = runs(&parse(fs::read(module.root.join(file))?));
            let (mut has_skipped, mut is_broken) = (false, false);
            for run in runs {
                let key = (file.clone(), run.clone());
                let missing = || ("none".to_owned(), Vec::new());
                let (their, why) = theirs.get(&key).cloned().unwrap_or_else(missing);
                let (our, reason) = own.get(&key).cloned().unwrap_or_else(missing);
                counts.runs += 1;
                is_broken |= why.iter().any(|error| BEYOND.iter().any(|own| error.contains(own)));
                let is_unreached = our == "skip" && reason[0].starts_with("an earlier run");
                if our == "skip" && !is_unreached {
                    has_skipped = true;
                    *counts.skipped.entry(class(&reason[0])).or_default() += 1;
                } else if our == their {
                    counts.equal += 1;
                } else if is_broken {
                    counts.beyond += 1;
                } else if their == "skip" && has_skipped {
                    counts.unreached += 1;
                } else {
                    counts.different += 1;
                    println!("{place}: {file}: {run}: {our}, not {their}");
                    for line in reason.iter().map(|own| format!("ours: {own}")).chain(why) {
                        println!("    {}", line.replace('\n', " "));
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes what Terraform needs beside a module. Returns the names of its providers.
    fn prepare(&self, module: &Module) -> Result<BTreeSet<String>> {
        let mut all = vec![Directory::read(&module.root)?];
        let mut called = BTreeSet::new();
        for file in &module.files {
            let document = parse(fs::read(module.root.join(file))?);
            called.extend(sources(&document));
            all[0].files.push((file.clone(), document));
        }
        for source in called {
            let path = super::tree::clean(&module.root.join(source));
            if path.is_dir() {
                all.push(Directory::read(&path)?);
            }
        }
        let mut tree = Tree::of(all)?;
        let mut needs = tree.collect();
        let mut again = true;
        while std::mem::take(&mut again) {
            for (path, output) in &needs.outputs {
                again |= self.copies.add_output(path, output)?;
            }
            if again {
                for directory in &mut tree.directories[1..] {
                    *directory = Directory::read(&directory.path)?;
                }
                needs = tree.collect();
            }
        }
        let mut schema = needs.schema;
        for (_, document) in &tree.directories[0].files {
            for block in document.body().blocks() {
                replaced(&mut schema, block);
            }
        }
        for (ty, block) in &mut schema.data {
            block.make_static(ty, &BTreeMap::new());
        }
        schema.data.values_mut().chain(schema.resources.values_mut()).for_each(Block::make_text);
        self.terraform.providers.write(&schema, &tree, &module.root)?;
        let output = self.terraform.run(0, &module.root, &["get", "-test-directory", &module.tests])?;
        ensure!(output.status.success(), "terraform get: {}", String::from_utf8_lossy(&output.stderr));
        let output = self.terraform.run(0, &module.root, &["providers", "schema", "-json"])?;
        let mut all: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| json!({}));
        if let Some(providers) = all.get_mut("provider_schemas").and_then(Value::as_object_mut) {
            providers.retain(|name, _| !name.starts_with("terraform.io/builtin/"));
        }
        fs::write(module.root.join(SCHEMAS), all.to_string())?;
        Ok(tree.provider_names())
    }

    fn theirs(&self, module: &Module) -> Result<Runs> {
        let arguments = ["test", "-json", "-test-directory", &module.tests];
        // The name of the directory has the commit.
        let mut hash = DefaultHasher::new();
        (
            self.terraform.name(),
            &module.root,
            &arguments,
            fs::read(module.root.join(".terraform/schema.json"))?,
        )
            .hash(&mut hash);
        for file in &module.files {
            fs::read(module.root.join(file))?.hash(&mut hash);
        }
        let answers = target().join("tested/answers");
        fs::create_dir_all(&answers)?;
        let kept = answers.join(format!("{:016x}.jsonl", hash.finish()));
        if !kept.exists() {
            fs::write(&kept, self.terraform.run(0, &module.root, &arguments)?.stdout)?;
        }
        let text = fs::read_to_string(&kept)?;
        let mut found = Runs::new();
        let mut errors: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for line in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let diagnostic = &line["diagnostic"];
            if diagnostic["severity"] == "error" {
                let place = &diagnostic["range"];
                let line_number = place["start"]["line"].as_u64().unwrap_or_default();
                let message = format!(
                    "{}:{line_number}: {}: {}",
                    word(&place["filename"]),
                    word(&diagnostic["summary"]),
                    word(&diagnostic["detail"])
                );
                errors.entry((word(&line["@testfile"]), word(&line["@testrun"]))).or_default().push(message);
            }
            let run = &line["test_run"];
            if run["progress"] == "complete" {
                let key = (word(&run["path"]), word(&run["run"]));
                found.insert(key, (word(&run["status"]), Vec::new()));
            }
        }
        let general: Vec<String> =
            errors.iter().filter(|(key, _)| key.1.is_empty()).flat_map(|(_, own)| own.clone()).collect();
        for (key, ended) in &mut found {
            ended.1 = errors.remove(key).unwrap_or_default();
        }
        if found.is_empty() {
            for file in &module.files {
                for run in runs(&parse(fs::read(module.root.join(file))?)) {
                    found.insert((file.clone(), run), ("none".to_owned(), general.clone()));
                }
            }
        }
        Ok(found)
    }

    fn own(&self, module: &Module) -> Result<Runs> {
        let mut command = Command::new(&self.hcl);
        command.current_dir(&module.root).args(["test", "--color", "never", "--provider-schema", SCHEMAS]);
        let output = command.args(&module.files).output()?;
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let mut found = Runs::new();
        for line in text.lines() {
            let mut parts = line.splitn(3, ": ");
            let (Some(file), Some(run), Some(ended)) = (parts.next(), parts.next(), parts.next()) else {
                continue;
            };
            if !module.files.iter().any(|own| own == file) {
                continue;
            }
            let (word, why) = ended.split_once(": ").unwrap_or((ended, ""));
            let word = match word {
                "passed" => "pass",
                "failed" => "fail",
                "errored" => "error",
                "skipped" => "skip",
                other => other,
            };
            found.insert((file.to_owned(), run.to_owned()), (word.to_owned(), vec![why.to_owned()]));
        }
        let all = module.files.iter().flat_map(|file| {
            let document = fs::read(module.root.join(file)).map(parse);
            document.map(|own| runs(&own)).unwrap_or_default().into_iter().map(move |run| (file.clone(), run))
        });
        let errors: Vec<String> = text
            .lines()
            .filter(|line| line.starts_with("error") || line.contains("--> ") || line.contains("= note"))
            .map(str::to_owned)
            .collect();
        for key in all {
            let ended = found.entry(key).or_insert_with(|| ("none".to_owned(), Vec::new()));
            if matches!(&*ended.0, "none" | "error" | "fail") {
                ended.1.clone_from(&errors);
            }
        }
        Ok(found)
    }
}

/// The file with the schemas of the permissive provider.
const SCHEMAS: &str = ".terraform/providers.json";

/// The modules of a repository that have tests.
fn modules(copy: &Path) -> Result<Vec<Module>> {
    let has_module = |path: &Path| names(path).is_ok_and(|names| names.iter().any(|name| is_native(name)));
    let mut found: BTreeMap<(PathBuf, String), Vec<String>> = BTreeMap::new();
    for directory in with_tests(copy)? {
        let around = directory.ancestors().take_while(|path| path.starts_with(copy));
        let tests = around.clone().find(|own| own.file_name().is_some_and(|name| name == "tests"));
        let parent = tests.and_then(Path::parent).filter(|path| has_module(path));
        let Some(root) = parent.or_else(|| has_module(&directory).then_some(&*directory)) else { continue };
        let inside = directory.strip_prefix(root)?.display().to_string();
        let files = names(&directory)?.into_iter().filter(|name| name.ends_with(SUFFIX));
        let files = files.map(|name| if inside.is_empty() { name } else { format!("{inside}/{name}") });
        let inside = if inside.is_empty() { "tests".to_owned() } else { inside.clone() };
        found.entry((root.to_owned(), inside)).or_default().extend(files);
    }
    Ok(found.into_iter().map(|((root, tests), files)| Module { root, tests, files }).collect())
}

/// The directories that have test files.
fn with_tests(path: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut open) = (Vec::new(), vec![path.to_owned()]);
    while let Some(directory) = open.pop() {
        let names = names(&directory)?;
        if names.iter().any(|name| name.ends_with(SUFFIX)) {
            found.push(directory.clone());
        }
        let inside = names.iter().filter(|name| !name.starts_with('.')).map(|name| directory.join(name));
        open.extend(inside.filter(|path| path.is_dir() && !path.is_symlink()));
    }
    found.sort();
    Ok(found)
}

/// The names of the runs of a file.
fn runs(document: &Document) -> Vec<String> {
    let blocks = document.body().blocks().filter(|block| block.block_type() == "run");
    blocks.filter_map(|block| label(block, 0)).collect()
}

/// The sources of the modules of the runs of a file.
fn sources(document: &Document) -> BTreeSet<String> {
    let runs = document.body().blocks().filter(|block| block.block_type() == "run");
    let modules = runs.flat_map(|run| run.body().blocks()).filter(|block| block.block_type() == "module");
    modules.filter_map(|module| literal(module.body().attribute("source")?.value())).collect()
}

/// Adds the attributes that mocks and overrides set.
fn replaced(schema: &mut Schema, block: BlockNode<'_>) {
    let value = |name: &str| block.body().attribute(name).map(AttributeNode::value);
    match block.block_type() {
        "mock_provider" | "run" => block.body().blocks().for_each(|inner| replaced(schema, inner)),
        "mock_resource" | "mock_data" => {
            let of = if block.block_type() == "mock_data" { &mut schema.data } else { &mut schema.resources };
            if let (Some(own), Some(values)) =
                (label(block, 0).and_then(|ty| of.get_mut(&ty)), value("defaults"))
            {
                own.add_items(values);
            }
        }
        "override_resource" | "override_data" => {
            let Some(target) = value("target") else { return };
            let is_data = block.block_type() == "override_data";
            let of = if is_data { &mut schema.data } else { &mut schema.resources };
            let text = target.text().to_owned();
            let ty = of.keys().find(|ty| text.contains(&format!("{ty}."))).cloned();
            if let (Some(ty), Some(values)) = (ty, value("values")) {
                of.entry(ty).or_default().add_items(values);
            }
        }
        _ => {}
    }
}

impl Block {
    /// Adds the attributes that an object sets.
    fn add_items(&mut self, object: ExpressionNode<'_>) {
        for item in object.items() {
            let key = item.key_span();
            let name = object.document().source().slice(key).trim_matches('"').to_owned();
            if !self.blocks.contains_key(&name) {
                self.attributes.insert(name.clone(), super::schema::dynamic());
                self.guesses.entry(name).or_default().insert("\"dynamic\"".to_owned());
            }
        }
    }

    /// What is only read is most likely a text: a mock has a value for it.
    fn make_text(&mut self) {
        for (name, ty) in &mut self.attributes {
            if !self.guesses.contains_key(name) && !name.ends_with('s') && *ty == "dynamic" {
                *ty = json!("string");
            }
        }
    }
}

/// Mocks all providers that a test file does not mock. Returns whether there was something to change.
fn mock_all(module: &Module, needed: &BTreeSet<String>) -> Result<bool> {
    let mut changed = false;
    for file in &module.files {
        let path = module.root.join(file);
        let document = parse(fs::read(&path)?);
        let mut text = document.source().text().to_owned();
        let mut known = BTreeSet::new();
        let blocks: Vec<BlockNode<'_>> = document.body().blocks().collect();
        for block in blocks.into_iter().rev() {
            let Some(name) = label(block, 0) else { continue };
            let alias = block.body().attribute("alias").map(|own| own.value().text().to_owned());
            if ["provider", "mock_provider"].contains(&block.block_type()) && alias.is_none() {
                known.insert(name.clone());
            }
            if block.block_type() == "provider" {
                let alias = alias.map(|alias| format!("  alias = {alias}\n")).unwrap_or_default();
                let span = block.span();
                let range = span.start as usize..span.end as usize;
                text.replace_range(range, &format!("mock_provider {name:?} {{\n{alias}}}"));
                changed = true;
            }
        }
        for name in needed.difference(&known) {
            let _ = write!(text, "\nmock_provider {name:?} {{\n}}\n");
            changed = true;
        }
        fs::write(path, text)?;
    }
    Ok(changed)
}

/// The class of a reason for which a run is skipped.
fn class(reason: &str) -> String {
    let mut text = String::new();
    let mut parts = reason.split('`');
    while let Some(plain) = parts.next() {
        text.push_str(plain);
        if parts.next().is_some() {
            text.push('…');
        }
    }
    text.split(": ").last().unwrap_or(&text).to_owned()
}
