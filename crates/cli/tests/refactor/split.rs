//! A split module has the same values, and each line of it is still there, with its line end. Splitting again changes
//! nothing. The same holds for blocks that are chosen.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use arbitrary::Unstructured;
use hclkit::module::Dialect;

use crate::generate;
use crate::rename::values;
use crate::tree::{Files, Tree, run, show};

/// Returns whether something moved.
pub(crate) fn check(decisions: &[u8]) -> bool {
    let Ok(generated) = generate::module(&mut Unstructured::new(decisions)) else { return false };
    check_files(&generated.files, &[])
}

/// Moves the blocks of a type, in files of one syntax.
pub(crate) fn check_chosen(decisions: &[u8]) -> bool {
    let mut decisions = Unstructured::new(decisions);
    let paths =
        ["variable~", "resource~", "locals", "output~", "module~", "data~", "resource.*.a", "terraform"];
    let Ok(path) = decisions.choose(&paths) else { return false };
    let Ok(is_native) = decisions.ratio(2, 3) else { return false };
    let (include, to) = if is_native { ("*.tf", "moved.tf") } else { ("*.tf.json", "moved.tf.json") };
    let Ok(generated) = generate::module(&mut decisions) else { return false };
    let exclude = ["--exclude", "*override.tf", "--exclude", "*override.tf.json"];
    let arguments = ["--block", path, "--into", to, "--include", include];
    check_files(&generated.files, &[&arguments[..], &exclude].concat())
}

fn check_files(files: &Files, arguments: &[&str]) -> bool {
    let tree = Tree::with(files);
    let root = tree.path("");
    let before = values(&Dialect::terraform(), &tree, ["", ""]);
    let command = [&["split", "-w", "--recursive", root.as_str()], arguments].concat();
    let (code, printed) = run(&command);
    let after = tree.files();
    let context = || format!("{printed}{}\n=== after\n{}", show(files), show(&after));
    if code != 0 {
        assert!(after == *files, "{code}, but changed: {}", context());
        assert!(code == 1, "not split: {}", context());
        return false;
    }
    for (one, other) in before.iter().zip(&values(&Dialect::terraform(), &tree, ["", ""])) {
        assert!(one == other, "other values: {one:?}, {other:?}: {}", context());
    }
    let (old, new) = (lines(files), lines(&after));
    let without = |all: &BTreeMap<(&str, &str), usize>, other: &BTreeMap<(&str, &str), usize>| {
        let different = all.iter().filter(|(line, count)| other.get(*line) != Some(count));
        format!("{:?}", different.collect::<Vec<_>>())
    };
    assert!(old == new, "lines {}, then {}: {}", without(&old, &new), without(&new, &old), context());
    for (name, text) in files.iter().filter(|(name, _)| name.contains("override") || name.contains("tfvars"))
    {
        assert!(after.get(name) == Some(text), "{name} has changed: {}", context());
    }
    let (code, printed) = run(&command);
    assert!(code == 1 && tree.files() == after, "split again: {printed} {}", context());
    true
}

fn is_native(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "tf")
}

/// The lines of each directory's files in the native syntax that are not blank, with their line ends.
fn lines(files: &Files) -> BTreeMap<(&str, &str), usize> {
    let mut found = BTreeMap::new();
    for (name, text) in files.iter().filter(|(name, _)| is_native(name)) {
        let directory = name.rsplit_once('/').map_or("", |(directory, _)| directory);
        for line in text.split_inclusive('\n').filter(|line| !line.trim().is_empty()) {
            *found.entry((directory, line)).or_default() += 1;
        }
    }
    found
}

/// Splits each directory of the examples that has files of Terraform. Returns how many changed.
pub(crate) fn check_examples(folder: &Path) -> usize {
    let mut files = Files::new();
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("it is there").flatten() {
        if entry.path().is_dir() {
            count += check_examples(&entry.path());
        } else if let (Some(name), Ok(text)) = (entry.file_name().to_str(), fs::read_to_string(entry.path()))
        {
            files.insert(name.to_owned(), text);
        }
    }
    let is_valid = |text: &String| !hclkit::parse(text.as_str()).has_errors();
    if files.keys().any(|name| is_native(name))
        && files.iter().all(|(name, text)| !is_native(name) || is_valid(text))
    {
        count += usize::from(check_files(&files, &[]));
    }
    count
}
