//! `cargo xtask circles`: files that use each other in a circle, found by reading paths such as `crate::edit::Splice` and
//! `super::Match`. A name that a file reexports counts as a use of the file that declares it. Unit tests are left out, and so
//! are uses of the files below a file: it consists of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use regex::Regex;

use crate::programs::root;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A checkout of the repository, this one by default
    directory: Option<PathBuf>,
    /// Also list the files of each circle
    #[arg(long)]
    list: bool,
}

/// The files of a crate: the path of each module, such as `crate::edit::list`, with its text.
type Modules = BTreeMap<String, String>;

pub(crate) fn report(args: &Args) -> Result<ExitCode> {
    let crates = args.directory.as_deref().unwrap_or(root()).join("crates");
    let mut all: Vec<PathBuf> =
        fs::read_dir(crates)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    all.sort();
    let (mut count, mut in_circles) = (0, 0);
    for directory in all {
        let mut modules = Modules::new();
        read(&directory.join("src"), "crate", &mut modules)?;
        let mut circles = circles(&uses(&modules)?);
        circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
        let sizes: Vec<String> = circles.iter().map(|circle| circle.len().to_string()).collect();
        let name = directory.file_name().unwrap_or_default().display();
        println!(
            "{name}: {} files, circles of {}",
            modules.len(),
            if sizes.is_empty() { "none".to_owned() } else { sizes.join(", ") }
        );
        for circle in circles.iter().filter(|_| args.list) {
            println!("    {}", circle.join(" "));
        }
        count += circles.len();
        in_circles += circles.iter().map(Vec::len).sum::<usize>();
    }
    println!("{count} circles with {in_circles} files");
    Ok(ExitCode::SUCCESS)
}

fn read(directory: &Path, path: &str, modules: &mut Modules) -> Result<()> {
    for entry in fs::read_dir(directory).with_context(|| directory.display().to_string())? {
        let entry = entry?.path();
        let stem = entry.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let own = format!("{path}::{stem}");
        if entry.is_dir() {
            read(&entry, &own, modules)?;
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&entry)?;
            let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
            let path = if ["lib", "main", "mod"].contains(&stem.as_str()) { path } else { &own };
            modules.insert(path.to_owned(), code);
        }
    }
    Ok(())
}

/// The other modules that each module uses.
fn uses(modules: &Modules) -> Result<BTreeMap<&str, BTreeSet<&str>>> {
    let declared = Regex::new(r"(?m)^ *pub use ((?:\w+::)*)(\w+|\{[^}]*\})( as \w+)?;")?;
    let paths = Regex::new(r"\b(?:crate|(?:super::)*super)(?:::\w+)*(?:::\{[^;]*?\}(?:;|$))?")?;
    // Reexported names lead to the modules that declare them.
    let mut reexports: BTreeMap<String, String> = BTreeMap::new();
    for (module, text) in modules {
        for found in declared.captures_iter(text) {
            for name in found[2].trim_matches(['{', '}']).split(',').map(str::trim) {
                let from = found[1].trim_end_matches("::").trim_start_matches("crate::");
                reexports.insert(format!("{module}::{name}"), format!("{module}::{from}"));
            }
        }
    }
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (module, text) in modules {
        let code: String =
            text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        let own = uses.entry(module.as_str()).or_default();
        for found in paths.find_iter(&code) {
            for path in leaves(found.as_str()) {
                let path = absolute(&path, module);
                let path = reexports.get(&path).unwrap_or(&path);
                let target = (0..=path.len())
                    .rev()
                    .filter(|end| path[*end..].is_empty() || path[*end..].starts_with("::"));
                if let Some((target, _)) =
                    target.into_iter().find_map(|end| modules.get_key_value(&path[..end]))
                    && target != module
                    && !target.starts_with(&format!("{module}::"))
                {
                    own.insert(target);
                }
            }
        }
    }
    Ok(uses)
}

/// The paths of `a::{b, c}`.
fn leaves(path: &str) -> Vec<String> {
    match path.split_once("::{") {
        None => vec![path.to_owned()],
        Some((start, rest)) => {
            let names = rest.split(['{', '}', ',', ';']).map(|name| name.trim().trim_end_matches("::"));
            names.filter(|name| !name.is_empty()).map(|name| format!("{start}::{name}")).collect()
        }
    }
}

fn absolute(path: &str, module: &str) -> String {
    let (mut from, mut rest) = (module, path);
    while let Some(after) = rest.strip_prefix("super") {
        from = from.rsplit_once("::").map_or(from, |(outer, _)| outer);
        rest = after.strip_prefix("::").unwrap_or(after);
    }
    match rest.strip_prefix("crate") {
        Some(rest) => format!("crate{rest}"),
        None if rest.is_empty() => from.to_owned(),
        None => format!("{from}::{rest}"),
    }
}

/// The sets of modules that lead to each other.
fn circles<'m>(uses: &BTreeMap<&'m str, BTreeSet<&'m str>>) -> Vec<Vec<&'m str>> {
    let reached = |from: &'m str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            let next = uses.get(module).into_iter().flatten();
            open.extend(next.filter(|next| seen.insert(**next)));
        }
        seen
    };
    let all: BTreeMap<&str, BTreeSet<&str>> = uses.keys().map(|module| (*module, reached(module))).collect();
    let mut circles: BTreeSet<Vec<&str>> = BTreeSet::new();
    for (module, reached) in all.iter().filter(|(module, reached)| reached.contains(*module)) {
        let circle: Vec<&str> =
            reached.iter().filter(|other| all[*other].contains(module)).copied().collect();
        circles.insert(circle);
    }
    circles.into_iter().collect()
}
