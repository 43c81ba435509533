//! `cargo xtask conformance --real --pairs N --tags`: modules of the repositories at two tags. Terraform plans both with the permissive
//! provider, and `hcl diff` must say exactly what differs between the two plans, value by value.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use fastrand::Rng;
use serde_json::{Map, Value};

use super::collect::Tree;
use super::copy::{Copies, Purpose};
use super::pairs::{Counts, Theirs, ours};
use super::random::{SCHEMAS, planned_values};
use super::repositories::{Repository, git, versions};
use super::tree::{self, Directory, directories, relative};
use super::{ATTEMPTS, More, Setting, is_until_apply, variables};
use crate::programs::target;

/// The newest tags of a repository that are looked at: older ones are for applications that nobody can be asked about.
const TAGS: usize = 40;
/// Directories that are looked at to find one that differs.
const DIRECTORIES: usize = 12;
/// Fruitless tries for each pair that is wanted.
const TRIES: usize = 6;

/// A module at two tags.
struct Pair {
    name: String,
    roots: [PathBuf; 2],
}

/// Why a pair is not compared.
enum Unplanned {
    Other(String),
    /// The number of instances depends on what is not created yet.
    UntilApply,
}

/// The part of the work of one thread, whose copies are its own.
struct Worker<'w> {
    setting: Setting,
    repositories: Vec<&'w Repository>,
    counts: Counts,
    time: [Duration; 2],
    compared: usize,
    reasons: BTreeMap<String, usize>,
}

/// Compares pairs of tags.
pub(super) fn run(
    setting: &Setting,
    repositories: &[Repository],
    seed: Option<u64>,
    count: usize,
) -> Result<ExitCode> {
    const WORKERS: usize = 2;
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("seed {seed}");
    let has_clone = |one: &&Repository| setting.copies.clones.get(&one.name).is_ok();
    let (present, missing): (Vec<_>, Vec<_>) = repositories.iter().partition(has_clone);
    for one in &missing {
        println!("{}: no clone", one.name);
    }
    let done = AtomicUsize::new(0);
    let mut workers = Vec::new();
    for at in 0..WORKERS {
        let directory = target().join(format!("real/tags-{at}"));
        let own = present.iter().skip(at).step_by(WORKERS).copied().collect();
        workers.push(Worker {
            setting: Setting {
                terraform: setting.terraform.clone(),
                copies: Copies::new(setting.copies.clones.clone(), directory, Purpose::Plans),
                hcl: setting.hcl.clone(),
                limit: setting.limit,
                only: setting.only.clone(),
            },
            repositories: own,
            counts: Counts::default(),
            time: [Duration::ZERO; 2],
            compared: 0,
            reasons: BTreeMap::new(),
        });
    }
    let done = &done;
    let results: Vec<Result<()>> = thread::scope(|scope| {
        let handles: Vec<_> = workers
            .iter_mut()
            .enumerate()
            .map(|(at, worker)| scope.spawn(move || worker.work(at as u64 + seed, done, count)))
            .collect();
        handles.into_iter().filter_map(|handle| handle.join().ok()).collect()
    });
    results.into_iter().collect::<Result<()>>()?;
    let mut all = Counts::default();
    let (mut compared, mut time, mut reasons) = (0, [Duration::ZERO; 2], BTreeMap::new());
    for worker in &workers {
        all.add(&worker.counts);
        compared += worker.compared;
        time[0] += worker.time[0];
        time[1] += worker.time[1];
        for (reason, times) in &worker.reasons {
            *reasons.entry(reason).or_insert(0) += times;
        }
    }
    for (reason, times) in reasons {
        println!("not compared: {times} because {reason}");
    }
    let [plans, own] = time.map(|time| time.as_secs_f64());
    println!("the two plans took {plans:.1} s in sum, hcl diff {own:.1} s; {} repositories", present.len());
    Ok(all.finish(compared))
}

impl Worker<'_> {
    fn work(&mut self, seed: u64, done: &AtomicUsize, count: usize) -> Result<()> {
        for try_ in 0..TRIES * count {
            if done.load(Ordering::Relaxed) >= count || self.repositories.is_empty() {
                return Ok(());
            }
            let mut rng = crate::modules::rng(seed, try_);
            let repository = self.repositories[try_ % self.repositories.len()];
            let Some(pair) = self.pair(&mut rng, repository)? else { continue };
            match self.compare(&mut rng, &pair)? {
                Ok(lines) => {
                    self.compared += 1;
                    done.fetch_add(1, Ordering::Relaxed);
                    println!("{}: {}", pair.name, if lines.is_empty() { "as the plans" } else { "DIFFERS" });
                    for line in lines {
                        println!("  {line}");
                    }
                }
                Err(Unplanned::UntilApply) => self.skip(super::UNTIL_APPLY),
                Err(Unplanned::Other(reason)) => {
                    println!("{}: not compared: {reason}", pair.name);
                    let kind = reason.split(": ").next().unwrap_or_default();
                    self.skip(kind);
                }
            }
        }
        Ok(())
    }

    fn skip(&mut self, reason: &str) {
        *self.reasons.entry(reason.to_owned()).or_default() += 1;
    }

    /// A directory of a repository that differs between two tags, which are near to each other.
    fn pair(&self, rng: &mut Rng, repository: &Repository) -> Result<Option<Pair>> {
        let clone = self.setting.copies.clones.get(&repository.name)?;
        let mut all = versions(&clone)?;
        all.drain(..all.len().saturating_sub(TAGS));
        if all.len() < 2 {
            return Ok(None);
        }
        let old = rng.usize(..all.len() - 1);
        let new = (old + rng.usize(1..6)).min(all.len() - 1);
        let mut copies = Vec::new();
        for at in [old, new] {
            let commit = git(&clone, &["rev-parse", &format!("refs/tags/{}^{{commit}}", all[at].1)])?;
            copies.push(self.setting.copies.make(&clone, &repository.name, commit.trim())?.copy);
        }
        let inside = |copy: &Path| -> Result<BTreeSet<PathBuf>> {
            let found = directories(copy)?;
            Ok(found.iter().filter_map(|path| Some(path.strip_prefix(copy).ok()?.to_owned())).collect())
        };
        let after = inside(&copies[1])?;
        let mut both: Vec<PathBuf> =
            inside(&copies[0])?.into_iter().filter(|own| after.contains(own)).collect();
        both.retain(|own| {
            let name = own.to_string_lossy();
            self.setting.only.as_ref().is_none_or(|only| name.contains(only.as_str()))
        });
        rng.shuffle(&mut both);
        for directory in both.into_iter().take(DIRECTORIES) {
            let roots = [copies[0].join(&directory), copies[1].join(&directory)];
            let (Some(old_texts), Some(new_texts)) = (texts(&roots[0])?, texts(&roots[1])?) else { continue };
            if old_texts != new_texts {
                let directory = directory.display();
                let name = format!("{} {}..{} {directory}", repository.name, all[old].1, all[new].1);
                return Ok(Some(Pair { name, roots }));
            }
        }
        Ok(None)
    }

    /// Compares what differs between the plans with what `hcl diff` says.
    fn compare(&mut self, rng: &mut Rng, pair: &Pair) -> Result<Result<Vec<String>, Unplanned>> {
        let roots = [pair.roots[0].as_path(), pair.roots[1].as_path()];
        let [before, after] = match self.plans(roots, rng.bool())? {
            Ok(plans) => plans,
            Err(reason) => return Ok(Err(reason)),
        };
        let mut schemas = self.provider_schemas(roots[0])?;
        let providers = |root: &Path| fs::read(root.join(".terraform/hclkit.rc"));
        if providers(roots[0])? != providers(roots[1])? {
            let newer = self.provider_schemas(roots[1])?;
            let newer = newer["provider_schemas"].as_object().cloned().unwrap_or_default();
            if let Some(all) = schemas["provider_schemas"].as_object_mut() {
                for (name, schema) in newer {
                    all.entry(name).or_insert(schema);
                }
            }
        }
        fs::write(roots[0].join(SCHEMAS), schemas.to_string())?;
        let values = roots[0].join(VALUES);
        let arguments: [&OsStr; 5] = [
            "--no-data-sources".as_ref(),
            "--allow-fs".as_ref(),
            self.setting.copies.directory().as_os_str(),
            "--var-file".as_ref(),
            values.as_os_str(),
        ];
        let start = Instant::now();
        let mut own = match ours(&self.setting, roots[0], roots[1], &arguments) {
            Ok(own) => own,
            Err(error) => {
                let text = format!("hcl diff: {error:#}");
                let errors: Vec<&str> = text.lines().filter(|line| line.contains("error[")).collect();
                // Terraform 1.11 does not say of a result that its module declares as sensitive.
                if !errors.is_empty() && errors.iter().all(|line| line.contains("error[sensitive-result]")) {
                    return Ok(Err(Unplanned::Other(
                        "Terraform refuses it since 1.13: sensitive".to_owned(),
                    )));
                }
                self.counts.failed += 1;
                return Ok(Ok(vec![text]));
            }
        };
        self.time[1] += start.elapsed();
        let is_real = |address: &String| {
            // No plan has ephemeral resources.
            let others = ["terraform_data.hclkit_defer", "hclkitstub_module.", "ephemeral."];
            !others.iter().any(|other| address.contains(other))
        };
        // The output of a resource of Terraform's own is not sensitive in a plan, and never shown by ours.
        let is_shown = |address: &str, path: &[String]| {
            !(address.ends_with("terraform_data.hclkit_record") && path == ["output"])
        };
        own.retain(is_real, is_shown);
        // Functions see the directory in which Terraform was run, and ours is the same for both versions.
        let [old_root, new_root] = roots.map(|root| root.display().to_string());
        let before: Value = serde_json::from_str(&before.to_string().replace(&old_root, &new_root))?;
        let mut before = planned_values(&before);
        let mut after = planned_values(&after);
        before.retain(|address, _| is_real(address));
        after.retain(|address, _| is_real(address));
        // A plan without a state does not know what has moved.
        for (from, to) in &own.moved {
            if let Some(value) = before.remove(from) {
                before.insert(to.clone(), value);
            }
        }
        let theirs = Theirs::of(&before, &after);
        self.counts.note_same(&theirs);
        Ok(Ok(theirs.compare(&own, &mut self.counts)))
    }

    fn provider_schemas(&self, root: &Path) -> Result<Value> {
        let output = self.setting.terraform.run(0, root, &["providers", "schema", "-json"])?;
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("no schemas: {}", String::from_utf8_lossy(&output.stderr)))
    }

    /// The plans of both versions with the same values of variables and the same schema.
    fn plans(&mut self, roots: [&Path; 2], fill: bool) -> Result<Result<[Value; 2], Unplanned>> {
        let other = |text: String| Ok(Err(Unplanned::Other(text)));
        let mut more = More::default();
        let mut refused = variables::Refused::new();
        for _ in 0..ATTEMPTS {
            let setting = &self.setting;
            // What the new version asks of a stub is there for the old one, too.
            setting.needs(roots[0], Tree::read(roots[0])?)?;
            let (new, more_schema) = setting.needs(roots[1], Tree::read(roots[1])?)?;
            let (old, mut schema) = setting.needs(roots[0], Tree::read(roots[0])?)?;
            schema.add(more_schema);
            more.complete(&mut schema);
            if let Some(conflict) = more.conflict.take() {
                return other(format!("both an attribute and a block: {conflict}"));
            }
            let trees = [old, new];
            let mut values = Map::new();
            for tree in &trees {
                values.extend(variables::values(&tree.directories[0], fill, &refused));
            }
            let mut plans = Vec::new();
            let (mut again, mut error) = (false, None);
            for (root, tree) in roots.into_iter().zip(&trees) {
                setting.write(root, tree, &schema)?;
                fs::write(root.join(VALUES), Value::Object(values.clone()).to_string())?;
                let start = Instant::now();
                let errors = match setting.terraform.plan(0, root)? {
                    Ok(plan) => {
                        self.time[0] += start.elapsed();
                        plans.push(plan);
                        continue;
                    }
                    Err(errors) => errors,
                };
                if errors.iter().all(is_until_apply) {
                    return Ok(Err(Unplanned::UntilApply));
                }
                again |= more.learn(&errors, tree);
                let names =
                    errors.iter().flat_map(|error| variables::refused_by(&tree.directories[0], error));
                for name in names.collect::<BTreeSet<String>>() {
                    let times = refused.entry(name).or_default();
                    *times += 1;
                    again |= *times < ATTEMPTS;
                }
                error = errors.into_iter().next();
                break;
            }
            match (plans.try_into(), error) {
                (Ok(plans), _) => return Ok(Ok(plans)),
                (_, Some(error)) if !again => return other(error.text),
                _ => {}
            }
        }
        other("Terraform still has errors".to_owned())
    }
}

const VALUES: &str = ".terraform/hclkit.tfvars.json";

/// The texts of a directory and of those that it calls, if Terraform can be asked about all of them.
fn texts(root: &Path) -> Result<Option<BTreeMap<String, String>>> {
    let tree = Tree::read(root)?;
    let is_json = |directory: &Directory| {
        tree::names(&directory.path).is_ok_and(|names| names.iter().any(|name| name.ends_with(".tf.json")))
    };
    let has_errors = |directory: &Directory| directory.files.iter().any(|(_, file)| file.has_errors());
    if tree.missing.is_some() || tree.directories.iter().any(|one| is_json(one) || has_errors(one)) {
        return Ok(None);
    }
    let mut texts = BTreeMap::new();
    for directory in &tree.directories {
        let inside = relative(root, &directory.path);
        for (name, document) in &directory.files {
            texts.insert(format!("{inside}/{name}"), document.source().text().to_owned());
        }
    }
    Ok(Some(texts))
}
