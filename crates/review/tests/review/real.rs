//! The properties of `recorded.rs` over real modules: those of the repositories below the directory that `HCLKIT_REPOSITORIES` names.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use fastrand::Rng;
use hclkit::functions::Grants;
use hclkit::module::{self, Dialect, Disk, Module, ModuleLoader};
use hclkit::parse;
use hclkit_review::{Action, diff};
use hclkit_test_cases::seed;

use crate::kit::lines;
use crate::properties::{
    Files, all_leaves, disagreement, inlined, renamed, rewritten, with_another_literal, with_old_moves,
};

/// A directory in which files of the root module are replaced.
#[derive(Debug)]
struct Replaced {
    disk: Disk,
    files: BTreeMap<String, String>,
}

fn is_native(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "tf")
}

impl module::Files for Replaced {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        let mut names = self.disk.list(directory)?;
        if directory.is_empty() {
            names.retain(|name| !is_native(name));
            names.extend(self.files.keys().cloned());
        }
        Ok(names)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.files.get(path).map_or_else(|| self.disk.read(path), |text| Ok(text.clone().into_bytes()))
    }

    fn is_inside(&self, path: &str) -> bool {
        self.disk.is_inside(path)
    }

    fn may_read(&self, path: &str) -> bool {
        self.disk.may_read(path)
    }
}

fn load(directory: &Path, files: &Files) -> Module {
    let terraform = Dialect::terraform();
    let grants = module::files::<&Path>(Grants::new(), directory, &[]);
    let functions = module::functions(&terraform, &grants);
    ModuleLoader::new(terraform)
        .with_files(Replaced { disk: Disk::new(directory), files: files.iter().cloned().collect() })
        .with_functions(functions)
        .with_unknown_variables(true)
        .load()
}

/// All directories below one with files of Terraform.
fn directories(top: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![top.to_owned()]);
    while let Some(directory) = open.pop() {
        let entries: Vec<_> = fs::read_dir(&directory).unwrap().map(Result::unwrap).collect();
        let is_module = |entry: &fs::DirEntry| is_native(&entry.file_name().to_string_lossy());
        if entries.iter().any(is_module) {
            found.push(directory);
        }
        let is_hidden = |entry: &&fs::DirEntry| entry.file_name().to_string_lossy().starts_with('.');
        let inside = entries.iter().filter(|entry| !is_hidden(entry) && entry.file_type().unwrap().is_dir());
        open.extend(inside.map(fs::DirEntry::path));
    }
    found.sort();
    found
}

fn files(directory: &Path) -> Option<Files> {
    let mut files = Files::new();
    for entry in fs::read_dir(directory).ok()? {
        let entry = entry.ok()?;
        let name = entry.file_name().into_string().ok()?;
        if is_native(&name) && entry.path().is_file() {
            files.push((name, fs::read_to_string(entry.path()).ok()?));
        }
    }
    files.sort();
    let is_fine = !files.is_empty() && files.iter().all(|(_, text)| !parse(text.as_str()).has_errors());
    is_fine.then_some(files)
}

/// The names of what a module declares, such as `local.a` and `disk.b`.
fn symbols(files: &Files) -> Vec<String> {
    let mut found = Vec::new();
    for (_, text) in files {
        let document = parse(text.as_str());
        for block in document.body().blocks() {
            let labels: Vec<String> = block.label_texts().iter().map(ToString::to_string).collect();
            match (block.block_type(), labels.as_slice()) {
                ("resource", [ty, name]) => found.push(format!("{ty}.{name}")),
                ("module", [name]) => found.push(format!("module.{name}")),
                ("locals", []) => {
                    found.extend(block.body().attributes().map(|own| format!("local.{}", own.name())));
                }
                _ => {}
            }
        }
    }
    found
}

#[derive(Default)]
struct Counts {
    tried: AtomicUsize,
    same: AtomicUsize,
    literals: AtomicUsize,
    changes: AtomicUsize,
}

/// What is wrong in a module. None if it has errors.
fn problems(rng: &mut Rng, directory: &Path, counts: &Counts) -> Option<Vec<String>> {
    let own = files(directory)?;
    let old = load(directory, &own);
    let before = all_leaves(&old)?;
    let tried = counts.tried.fetch_add(1, Ordering::Relaxed) + 1;
    if tried.is_multiple_of(100) {
        println!("{tried} modules so far");
    }
    let mut found = Vec::new();
    let mut same: Vec<(String, Files)> =
        rewritten(rng, &own).into_iter().map(|(what, new)| (what.to_owned(), new)).collect();
    let mut symbols = symbols(&own);
    rng.shuffle(&mut symbols);
    let locals = symbols.iter().filter_map(|symbol| symbol.strip_prefix("local."));
    same.extend(
        locals.filter_map(|name| Some((format!("local.{name} inlined"), inlined(&own, name)?))).take(2),
    );
    let all = symbols.iter();
    same.extend(all.filter_map(|name| Some((format!("{name} renamed"), renamed(&own, name)?))).take(2));
    if let Some(new) = with_old_moves(&own, &old) {
        let found_here = diff(&load(directory, &new), &load(directory, &new));
        if !found_here.is_empty() {
            found.push(format!("old moves in both:\n{}", lines(found_here)));
        }
        same.push(("old moves".to_owned(), new));
    }
    for (what, new) in same {
        counts.same.fetch_add(1, Ordering::Relaxed);
        let mut difference = diff(&old, &load(directory, &new));
        // Some have another address.
        difference.instances.retain(|own| own.action != Action::Moved || !own.attributes.is_empty());
        if !difference.is_empty() {
            found.push(format!("{what}:\n{}", lines(difference)));
        }
    }
    for _ in 0..3 {
        let Some(new) = with_another_literal(rng, &own) else { continue };
        let module = load(directory, &new);
        let Some(after) = all_leaves(&module) else { continue };
        counts.literals.fetch_add(1, Ordering::Relaxed);
        counts.changes.fetch_add(usize::from(before != after), Ordering::Relaxed);
        let difference = diff(&old, &module);
        let (missed, invented) = disagreement(&before, &after, &difference);
        if !missed.is_empty() || !invented.is_empty() {
            let shown = lines(difference);
            found.push(format!("a literal: missed {missed:?}, invented {invented:?}\n{shown}"));
        }
    }
    Some(found)
}

#[test]
#[ignore = "requires HCLKIT_REPOSITORIES, a directory with repositories of Terraform modules"]
fn real_modules_mean_the_same_when_written_in_another_way() {
    let top = std::env::var_os("HCLKIT_REPOSITORIES").expect("set HCLKIT_REPOSITORIES to a directory");
    let all = directories(Path::new(&top));
    // As many as asked for, from everywhere.
    let wanted = std::env::var("HCLKIT_MODULES").map_or(1_000, |count| count.parse().unwrap());
    let mut rng = Rng::with_seed(seed(3));
    let mut order: Vec<usize> = (0..all.len()).collect();
    rng.shuffle(&mut order);
    let (next, counts, wrong) = (AtomicUsize::new(0), Counts::default(), Mutex::new(0));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while counts.tried.load(Ordering::Relaxed) < wanted {
                    let Some(at) = order.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                    let mut rng = Rng::with_seed(seed(*at as u64));
                    let found = problems(&mut rng, &all[*at], &counts).unwrap_or_default();
                    for problem in &found {
                        println!("{}: {problem}", all[*at].display());
                    }
                    *wrong.lock().unwrap() += found.len();
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    let count = |own: &AtomicUsize| own.load(Ordering::Relaxed);
    let (tried, same) = (count(&counts.tried), count(&counts.same));
    let (literals, changes) = (count(&counts.literals), count(&counts.changes));
    println!(
        "{tried} modules: {same} written in another way, {literals} with another literal, of which {changes} change something: {wrong} problems"
    );
    assert!(wrong == 0 && tried > 0 && changes > 0, "{wrong} problems in {tried} modules");
}
