//! `cargo xtask conformance --real --affected N`: N commits of each repository. What `hcl diff --affected` lists is compared with what
//! `hcl diff` says of every root module when both versions are checked out and nothing is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use fastrand::Rng;
use serde_json::Value;

use super::Setting;
use super::repositories::{Repository, checkout, git};
use super::tree::{Directory, clean, directories};
use crate::programs::{run as run_program, target};

/// The newest commits among which some are taken.
const COMMITS: usize = 400;

#[derive(Default)]
struct Totals {
    commits: usize,
    /// Root modules that were evaluated at both commits.
    evaluated: usize,
    changed: usize,
    /// Those that change and that are not listed.
    missed: usize,
    /// Those that are listed and that do not change.
    invented: usize,
    /// Those that were compared to find out, without a change.
    too_many: usize,
    failed: usize,
    time: Duration,
}

/// What `hcl diff --affected` says.
struct Listed {
    affected: BTreeSet<String>,
    compared: usize,
}

pub(super) fn run(
    setting: &Setting,
    repositories: &[Repository],
    seed: Option<u64>,
    count: usize,
) -> Result<ExitCode> {
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("seed {seed}");
    let mut all = Totals::default();
    let mut compared = 0;
    for (at, repository) in repositories.iter().enumerate() {
        let Ok(clone) = setting.copies.clones.get(&repository.name) else {
            println!("{}: no clone", repository.name);
            continue;
        };
        let mut rng = crate::modules::rng(seed, at);
        let totals = one(setting, &mut rng, repository, &clone, count)?;
        println!("{}: {}", repository.name, totals.text());
        compared += 1;
        all.commits += totals.commits;
        all.evaluated += totals.evaluated;
        all.changed += totals.changed;
        all.missed += totals.missed;
        all.invented += totals.invented;
        all.too_many += totals.too_many;
        all.failed += totals.failed;
        all.time += totals.time;
    }
    println!("{compared} repositories: {}", all.text());
    let is_fine = all.missed + all.invented + all.failed == 0 && all.evaluated > 0;
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Totals {
    fn text(&self) -> String {
        let Self { commits, evaluated, changed, missed, invented, too_many, failed, time } = self;
        format!(
            "{commits} commits, {evaluated} root modules evaluated at both, {changed} of them change: {missed} missed, {invented} invented; {too_many} compared that do not change, {failed} not compared; --affected took {:.1} s",
            time.as_secs_f64()
        )
    }
}

fn one(
    setting: &Setting,
    rng: &mut Rng,
    repository: &Repository,
    clone: &Path,
    count: usize,
) -> Result<Totals> {
    let directory = target().join("real/affected");
    fs::create_dir_all(&directory)?;
    let own = directory.join(repository.name.replace('/', "+"));
    if !own.exists() {
        run_program(Command::new("git").args(["clone", "--quiet", "--no-checkout"]).arg(clone).arg(&own))?;
    }
    let [old, new] = ["old", "new"].map(|name| directory.join(name));
    let mut totals = Totals::default();
    for commit in commits(clone, count)? {
        let parent = git(clone, &["rev-parse", "--verify", "--quiet", &format!("{commit}^1")])?;
        for (commit, to) in [(parent.trim(), &old), (commit.as_str(), &new)] {
            if to.exists() {
                fs::remove_dir_all(to)?;
            }
            checkout(clone, commit, to)?;
        }
        let start = Instant::now();
        let listed = match listed(setting, &own, parent.trim(), &commit) {
            Ok(listed) => listed,
            Err(error) => {
                println!("  {commit}: {error:#}");
                totals.failed += 1;
                continue;
            }
        };
        totals.time += start.elapsed();
        totals.commits += 1;
        totals.too_many += listed.compared - listed.affected.len();
        let mut all: Vec<String> = roots(&old)?.union(&roots(&new)?).cloned().collect();
        rng.shuffle(&mut all);
        // Those that are listed, and as many others as fit.
        all.sort_by_key(|own| !listed.affected.contains(own));
        all.truncate(setting.limit.max(listed.affected.len()));
        for (directory, result) in evaluated(setting, [&old, &new], &all)? {
            totals.evaluated += 1;
            let is_listed = listed.affected.contains(&directory);
            match result {
                Ok(changed) => {
                    totals.changed += usize::from(changed);
                    if changed != is_listed {
                        let what = if changed { "missed" } else { "invented" };
                        println!("  {commit} {directory}: {what}");
                        totals.missed += usize::from(changed);
                        totals.invented += usize::from(!changed);
                    }
                }
                Err(error) => {
                    println!("  {commit} {directory}: {error:#}");
                    totals.failed += 1;
                }
            }
        }
    }
    Ok(totals)
}

/// Some of the newest commits that change a file that a module may read.
fn commits(clone: &Path, count: usize) -> Result<Vec<String>> {
    let kinds = ["*.tf", "*.tf.json", "*.tfvars", "*.tpl", "*.tftpl", "*.json", "*.yaml", "*.yml"];
    let limit = format!("--max-count={COMMITS}");
    let mut arguments = vec!["rev-list", "--first-parent", "--min-parents=1", limit.as_str(), "HEAD", "--"];
    arguments.extend(kinds);
    let all = git(clone, &arguments)?;
    let all: Vec<&str> = all.lines().collect();
    let every = (all.len() / count.max(1)).max(1);
    Ok(all.into_iter().step_by(every).take(count).map(str::to_owned).collect())
}

fn listed(setting: &Setting, directory: &Path, old: &str, new: &str) -> Result<Listed> {
    let mut command = Command::new(&setting.hcl);
    command.current_dir(directory).args(["diff", old, new, "--affected", "--no-lints", "--output", "json"]);
    let found = answer(&mut command)?;
    let all = found["affected"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(Listed {
        affected: all.iter().filter_map(|one| Some(one["directory"].as_str()?.to_owned())).collect(),
        compared: usize::try_from(found["compared"].as_u64().context("no number")?)?,
    })
}

/// What `hcl` writes, also if a version has errors.
fn answer(command: &mut Command) -> Result<Value> {
    let output = command.output().context("cannot run hcl")?;
    if let Ok(found) = serde_json::from_slice(&output.stdout) {
        return Ok(found);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    bail!("hcl ends with {}: {}", output.status, text.lines().take(3).collect::<Vec<_>>().join(" "));
}

/// The directories with modules that no other one calls by a path, relative to the top, which is `.`.
fn roots(top: &Path) -> Result<BTreeSet<String>> {
    let mut all: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
    for path in directories(top)? {
        let called = Directory::read(&path)?
            .calls()
            .filter(|(_, _, source)| source.starts_with('.'))
            .map(|(_, _, source)| clean(&path.join(source)))
            .collect();
        all.insert(path, called);
    }
    let called: BTreeSet<&PathBuf> =
        all.iter().flat_map(|(own, called)| called.iter().filter(move |other| *other != own)).collect();
    let roots = all.keys().filter(|path| !called.contains(path)).filter_map(|path| {
        let inside = path.strip_prefix(top).ok()?.to_string_lossy().into_owned();
        Some(if inside.is_empty() { ".".to_owned() } else { inside })
    });
    Ok(roots.collect())
}

type Evaluated = Vec<(String, Result<bool>)>;

/// Whether each of the directories changes in meaning. One that a version lacks is empty there.
fn evaluated(setting: &Setting, [old, new]: [&Path; 2], all: &[String]) -> Result<Evaluated> {
    let none = old.with_file_name("none");
    fs::create_dir_all(&none)?;
    fs::write(none.join("main.tf"), "")?;
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(directory) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = changes(setting, [old, new], &none, directory);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((directory.clone(), found));
                }
            });
        }
    });
    Ok(results.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn changes(setting: &Setting, versions: [&Path; 2], none: &Path, directory: &str) -> Result<bool> {
    let [old, new] = versions.map(|top| {
        let path = clean(&top.join(directory));
        let has_files =
            super::tree::names(&path).is_ok_and(|names| names.iter().any(|own| own.contains(".tf")));
        if has_files { path } else { none.to_owned() }
    });
    let mut command = Command::new(&setting.hcl);
    // The settings of the project are those of the current directory.
    command.current_dir(versions[1]).arg("diff").args([&old, &new]);
    for top in versions {
        command.arg("--allow-fs").arg(top);
    }
    let found = answer(command.args(["--no-lints", "--output", "json"]))?;
    found["changed"].as_bool().context("no answer")
}
