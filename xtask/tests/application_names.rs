//! What applications are called, and what their blocks mean, is in the tables of `crates/dialect`. Code elsewhere that names an
//! application decides something that a table could say. `application_names.txt` lists the files that still do so, with how
//! often, and may only shrink. Comments, unit tests and sentences for people are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use proc_macro2::{TokenStream, TokenTree};
use xtask::programs::root;

const LIST: &str = "xtask/tests/application_names.txt";

/// What is about applications.
const OWN: [&str; 8] = [
    "crates/bake/",
    "crates/cli/src/eval/terragrunt",
    "crates/cli/src/terragrunt",
    "crates/dialect/",
    "crates/ide/src/units",
    "crates/module/src/terraform",
    "crates/policy/src/terraform_",
    "crates/terragrunt/",
];

/// Tables whose names are ordinary words, or those of HCL itself.
const ORDINARY: [&str; 6] = ["boundary", "hcl", "hcl1", "rules", "stack", "stacks"];

/// The names of applications: the first words of the names of tables.
fn names() -> BTreeSet<String> {
    let tables = fs::read_dir(root().join("crates/dialect/tables")).unwrap();
    let files = tables.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let tables = files.filter_map(|name| name.strip_suffix(".hcl").map(str::to_owned));
    let first = tables.filter_map(|name| name.split('-').next().map(str::to_owned));
    first.filter(|name| !ORDINARY.contains(&&**name)).chain(["tofu".to_owned()]).collect()
}

/// The words of `opentofu_by_calls`, `BakeNames` or `"main.tofu"`, in lowercase.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lowercase = false;
    for character in text.chars() {
        if !character.is_alphanumeric() || character.is_uppercase() && after_lowercase {
            words.push(String::new());
        }
        if character.is_alphanumeric() {
            words.last_mut().unwrap().extend(character.to_lowercase());
        }
        after_lowercase = character.is_lowercase();
    }
    words
}

/// The number of tokens that name an application.
fn count(tokens: TokenStream, names: &BTreeSet<String>) -> usize {
    let has_name = |text: &str| words(text).iter().any(|word| names.contains(word));
    let one = |token| match token {
        TokenTree::Group(group) => count(group.stream(), names),
        TokenTree::Ident(name) => usize::from(has_name(&name.to_string())),
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            // A documentation comment is a string that begins with a space.
            let is_sentence = text.contains(char::is_whitespace) || text.contains("\\n");
            usize::from(!is_sentence && has_name(&text))
        }
        TokenTree::Punct(_) => 0,
    };
    tokens.into_iter().map(one).sum()
}

fn count_in(directory: &Path, names: &BTreeSet<String>, found: &mut Counts) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            count_in(&path, names, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let own = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap();
            let tokens = code.parse().unwrap_or_else(|error| panic!("{own}: {error}"));
            let count = count(tokens, names);
            if count > 0 && !OWN.iter().any(|start| own.starts_with(start)) {
                found.insert(own, count);
            }
        }
    }
}

/// Counts by path, one a line.
type Counts = BTreeMap<String, usize>;

fn of(counts: &Counts, path: &str) -> usize {
    counts.get(path).copied().unwrap_or_default()
}

/// The counts of each crate together.
fn by_crate(counts: &Counts) -> Counts {
    let mut all = Counts::new();
    for (path, count) in counts {
        *all.entry(path.split("/src/").next().unwrap().to_owned()).or_default() += count;
    }
    all
}

#[test]
fn applications_are_named_in_fewer_places() {
    let mut found = Counts::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        count_in(&entry.unwrap().path().join("src"), &names(), &mut found);
    }
    let list = root().join(LIST);
    let text = fs::read_to_string(&list).unwrap();
    let lines = text.lines().map(|line| line.split_once(' ').unwrap());
    let listed: Counts = lines.map(|(path, count)| (path.to_owned(), count.parse().unwrap())).collect();
    let allowed = by_crate(&listed);
    let has_more = by_crate(&found).iter().any(|(name, count)| *count > of(&allowed, name));
    if found != listed && !has_more && env::var_os("BLESS").is_some() {
        let lines: Vec<String> = found.iter().map(|(path, count)| format!("{path} {count}\n")).collect();
        fs::write(list, lines.concat()).unwrap();
        return;
    }
    let mut report = String::new();
    for path in found.keys().chain(listed.keys()).collect::<BTreeSet<_>>() {
        let (before, after) = (of(&listed, path), of(&found, path));
        if before != after {
            writeln!(report, "{path} names applications {after} times, listed are {before}").unwrap();
        }
    }
    assert!(
        report.is_empty(),
        "{report}Say it in a table of crates/dialect. If no crate has more than before, BLESS=1 writes {LIST}."
    );
}
