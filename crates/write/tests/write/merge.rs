//! Merges of three versions: cases for what is certain, and properties of random versions. `merge/random.rs` makes versions.

mod random;

use std::collections::BTreeMap;

use fastrand::Rng;
use hclkit_syntax::ast::{BodyNode, Item};
use hclkit_syntax::{Document, Syntax};
use hclkit_test_cases::{rounds, seeds};
use hclkit_write::{ConflictStyle, LinesOnly, Merge, Merged, Method, Version};
use similar::{Algorithm, TextMergeConfig};

fn merged(base: &str, ours: &str, theirs: &str) -> Merged {
    Merge::new(Syntax::Native).merge(base, ours, theirs).unwrap()
}

fn text(merged: &Merged) -> &str {
    std::str::from_utf8(merged.bytes()).unwrap()
}

/// Expects a merge without conflicts, also with the sides swapped.
#[track_caller]
fn clean(base: &str, ours: &str, theirs: &str, expected: &str) {
    for (ours, theirs) in [(ours, theirs), (theirs, ours)] {
        let merged = merged(base, ours, theirs);
        assert_eq!(text(&merged), expected);
        assert_eq!((merged.conflicts(), merged.method()), (0, Method::Blocks));
    }
}

#[track_caller]
fn conflict(base: &str, ours: &str, theirs: &str, expected: &str) {
    let merged = merged(base, ours, theirs);
    assert_eq!(text(&merged), expected);
    assert!(merged.conflicts() > 0);
}

#[test]
fn attributes_side_by_side_are_merged() {
    clean("a = 1\nb = 2\n", "a = 10\nb = 2\n", "a = 1\nb = 20\n", "a = 10\nb = 20\n");
    clean("a = 1\n", "a = 1\nb = 2\n", "a = 1\nc = 3\n", "a = 1\nb = 2\nc = 3\n");
    clean("a = 1 # one\n", "a = 1 # eins\n", "a = 2 # one\n", "a = 2 # eins\n");
}

#[test]
fn new_alignment_and_new_values_are_merged() {
    clean(
        "x {\n  a = 1\n  b = 2\n}\n",
        "x {\n  a    = 1\n  b    = 2\n  long = 3\n}\n",
        "x {\n  a = 1\n  b = 20\n}\n",
        "x {\n  a    = 1\n  b    = 20\n  long = 3\n}\n",
    );
}

#[test]
fn blocks_added_at_one_place_are_both_kept() {
    let base = "variable \"a\" {}\n";
    let ours = "variable \"a\" {}\n\nvariable \"c\" {\n  type = string\n}\n";
    let theirs = "variable \"a\" {}\n\nvariable \"b\" {\n  type = number\n}\n";
    let expected =
        "variable \"a\" {}\n\nvariable \"b\" {\n  type = number\n}\n\nvariable \"c\" {\n  type = string\n}\n";
    clean(base, ours, theirs, expected);
}

#[test]
fn a_moved_block_keeps_the_changes_of_the_other_side() {
    let base = "a {\n  x = 1\n}\n\nb {\n  y = 1\n}\n\nc {\n  z = 1\n}\n";
    let ours = "c {\n  z = 1\n}\n\na {\n  x = 1\n}\n\nb {\n  y = 1\n}\n";
    let theirs = "a {\n  x = 1\n}\n\nb {\n  y = 1\n}\n\nc {\n  z = 2\n  w = 3\n}\n";
    let expected = "c {\n  z = 2\n  w = 3\n}\n\na {\n  x = 1\n}\n\nb {\n  y = 1\n}\n";
    clean(base, ours, theirs, expected);
}

#[test]
fn a_renamed_block_keeps_the_changes_of_the_other_side() {
    let base = "resource \"t\" \"a\" {\n  x = 1\n  y = 2\n  z = 3\n  w = 4\n}\n";
    let ours = base.replace("\"a\"", "\"b\"");
    let theirs = base.replace("x = 1", "x = 10");
    clean(base, &ours, &theirs, "resource \"t\" \"b\" {\n  x = 10\n  y = 2\n  z = 3\n  w = 4\n}\n");
    // Both renamed it.
    conflict(
        base,
        &ours,
        &base.replace("\"a\"", "\"c\""),
        "<<<<<<< ours\nresource \"t\" \"b\" {\n=======\nresource \"t\" \"c\" {\n>>>>>>> theirs\n  x = 1\n  y = 2\n  z = 3\n  w = 4\n}\n",
    );
}

#[test]
fn a_block_that_is_replaced_by_another_one_is_not_renamed() {
    let base = "resource \"t\" \"a\" {\n  x = 1\n  y = 2\n}\n";
    let ours = "resource \"t\" \"b\" {\n  p = 1\n  q = 2\n}\n";
    let theirs = "resource \"t\" \"a\" {\n  x = 1\n  y = 3\n}\n";
    let merged = merged(base, ours, theirs);
    assert_eq!(merged.conflicts(), 1);
}

#[test]
fn objects_are_merged_by_items() {
    clean(
        "tags = { a = 1, b = 2 }\n",
        "tags = { a = 1, b = 20 }\n",
        "tags = { a = 10, b = 2, c = 3 }\n",
        "tags = { a = 10, b = 20, c = 3 }\n",
    );
    clean(
        "tags = merge(local.tags, {\n  a = 1\n  \"b\" = 2,\n})\n",
        "tags = merge(local.tags, {\n  a = 10\n  \"b\" = 2,\n})\n",
        "tags = merge(var.tags, {\n  a = 1\n  \"b\" = 2,\n  c = 3\n})\n",
        "tags = merge(var.tags, {\n  a = 10\n  \"b\" = 2,\n  c = 3\n})\n",
    );
}

#[test]
fn an_attribute_that_both_changed_is_a_conflict_of_its_line() {
    conflict(
        "x {\n  a = 1\n  b = 2\n}\n",
        "x {\n  a = 10\n  b = 20\n}\n",
        "x {\n  a = 1\n  b = 21\n}\n",
        "x {\n  a = 10\n<<<<<<< ours\n  b = 20\n=======\n  b = 21\n>>>>>>> theirs\n}\n",
    );
}

#[test]
fn what_one_side_changed_and_the_other_removed_is_a_conflict() {
    conflict(
        "a {\n  x = 1\n}\n",
        "a {\n  x = 2\n}\n",
        "",
        "<<<<<<< ours\na {\n  x = 2\n}\n=======\n>>>>>>> theirs\n",
    );
}

#[test]
fn what_both_added_under_one_name_is_merged_by_its_parts() {
    conflict(
        "a = 1\n",
        "a = 1\n\nvariable \"x\" {\n  type    = string\n  default = 1\n}\n",
        "a = 1\n\nvariable \"x\" {\n  type    = string\n  default = 2\n}\n",
        "a = 1\n\nvariable \"x\" {\n  type    = string\n<<<<<<< ours\n  default = 1\n=======\n  default = 2\n>>>>>>> theirs\n}\n",
    );
    // Nothing says that two blocks without labels are the same.
    let merged = merged("r {\n}\n", "r {\n  in {\n    p = 1\n  }\n}\n", "r {\n  in {\n    p = 2\n  }\n}\n");
    assert_eq!(merged.conflicts(), 1);
    assert!(text(&merged).contains("<<<<<<< ours\n  in {\n    p = 1\n  }\n=======\n"));
}

#[test]
fn a_merge_by_lines_that_repeats_something_is_not_used() {
    // Both add the attribute, at different places.
    let base = "x {\n  a = 1\n  b = 2\n  c = 3\n}\n";
    let ours = "x {\n  n = 1\n  a = 1\n  b = 2\n  c = 3\n}\n";
    let theirs = "x {\n  a = 1\n  b = 2\n  c = 3\n  n = 2\n}\n";
    assert_eq!(merged(base, ours, theirs).conflicts(), 1);
    let base = "t = {\n  a = 1\n  b = 2\n  c = 3\n}\n";
    let ours = "t = {\n  n = 1\n  a = 1\n  b = 2\n  c = 3\n}\n";
    let theirs = "t = {\n  a = 1\n  b = 2\n  c = 3\n  n = 2\n}\n";
    assert_eq!(merged(base, ours, theirs).conflicts(), 1);
    // Both moved the block.
    let base = "a {\n}\nm {\n  x = 1\n}\nb {\n}\nc {\n}\nd {\n}\n";
    let ours = "m {\n  x = 1\n}\na {\n}\nb {\n}\nc {\n}\nd {\n}\n";
    let theirs = "a {\n}\nb {\n}\nc {\n}\nd {\n}\nm {\n  x = 1\n}\n";
    let merged = merged(base, ours, theirs);
    assert_eq!((merged.conflicts(), text(&merged).matches("m {").count()), (0, 1));
}

#[test]
fn styles_sizes_and_labels_are_those_of_git() {
    let merge =
        Merge::new(Syntax::Native).with_label(Version::Ours, "HEAD").with_label(Version::Theirs, "a\nb");
    let versions = ["l = [\n  1,\n  2,\n]\n", "l = [\n  0,\n  3,\n  2,\n]\n", "l = [\n  0,\n  4,\n  2,\n]\n"];
    let run = |merge: &Merge| {
        let merged = merge.merge(versions[0], versions[1], versions[2]).unwrap();
        String::from_utf8(merged.into_bytes()).unwrap()
    };
    let expected = "l = [\n  0,\n<<<<<<< HEAD\n  3,\n=======\n  4,\n>>>>>>> a b\n  2,\n]\n";
    assert_eq!(run(&merge), expected);
    let diff3 = merge.clone().with_style(ConflictStyle::Diff3).with_marker_size(3);
    let expected = "l = [\n<<< HEAD\n  0,\n  3,\n||| base\n  1,\n===\n  0,\n  4,\n>>> a b\n  2,\n]\n";
    assert_eq!(run(&diff3), expected);
    let expected =
        "l = [\n  0,\n<<<<<<< HEAD\n  3,\n||||||| base\n  1,\n=======\n  4,\n>>>>>>> a b\n  2,\n]\n";
    assert_eq!(run(&merge.with_style(ConflictStyle::Zdiff3)), expected);
}

#[test]
fn the_form_of_the_text_is_merged_too() {
    // One side changed all line breaks, the other one a value.
    let merged = merged("a = 1\nb = 2\n", "a = 1\r\nb = 2\r\n", "a = 1\nb = 3\n");
    assert_eq!(text(&merged), "a = 1\r\nb = 3\r\n");
    clean("a = 1\nb = 2\n", "\u{feff}a = 1\nb = 3\n", "a = 2\nb = 2", "\u{feff}a = 2\nb = 3");
    let merged = self::merged("a = 1\r\n", "a = 2\r\n", "a = 3\r\n");
    assert_eq!(text(&merged), "<<<<<<< ours\r\na = 2\r\n=======\r\na = 3\r\n>>>>>>> theirs\r\n");
}

#[test]
fn what_is_no_hcl_is_merged_by_lines() {
    let method = |base: &[u8], ours: &[u8], theirs: &[u8]| {
        Merge::new(Syntax::Native).merge(base, ours, theirs).unwrap().method()
    };
    let only = Method::LinesOnly;
    assert_eq!(method(b"a = 1\n", b"a = \n", b"a = 3\n"), only(LinesOnly::Errors(Version::Ours)));
    assert_eq!(method(b"a = 1\n", b"a = 2\n", b"a = \"\xFF\"\n"), only(LinesOnly::NotText(Version::Theirs)));
    let marked = b"<<<<<<< ours\na = 1\n=======\n>>>>>>> theirs\n";
    assert_eq!(method(marked, b"a = 2\n", b"a = 3\n"), only(LinesOnly::Markers(Version::Base)));
    let json = Merge::new(Syntax::Json).merge("{}\n", "{ }\n", "{  }\n").unwrap();
    assert_eq!((json.method(), json.conflicts()), (only(LinesOnly::Syntax(Syntax::Json)), 1));
    // Bytes that are not text stay.
    let merged = Merge::new(Syntax::Native).merge(b"1\n2\n\xFF\n", b"0\n2\n\xFF\n", b"1\n2\n\xFE\n").unwrap();
    assert_eq!((merged.bytes(), merged.conflicts()), (&b"0\n2\n\xFE\n"[..], 0));
}

/// The text that remains of conflicts if one side is taken.
fn taken(text: &str, side: usize) -> String {
    let mut part = None;
    let mut taken = String::new();
    for line in text.split_inclusive('\n') {
        if line.starts_with("<<<<<<< ours") {
            part = Some(1);
        } else if part.is_some() && line.trim_end() == "=======" {
            part = Some(2);
        } else if line.starts_with(">>>>>>> theirs") {
            part = None;
        } else if part.is_none_or(|part| part == side) {
            taken.push_str(line);
        }
    }
    taken
}

const TWICE: [&str; 2] = ["", "twice"];

/// The source of each attribute, and the comment after it, by the names that lead to it. Names that occur twice in a body are [`TWICE`].
fn attributes(text: &str) -> BTreeMap<String, [String; 2]> {
    fn add(outer: &str, body: BodyNode<'_>, text: &str, found: &mut BTreeMap<String, [String; 2]>) {
        let name = |item: &Item<'_>| match item {
            Item::Attribute(attribute) => format!("{outer}/{}", attribute.name()),
            Item::Block(block) => format!("{outer}/{}{:?}", block.block_type(), block.label_texts()),
        };
        let mut counts = BTreeMap::<String, usize>::new();
        body.items().for_each(|item| *counts.entry(name(&item)).or_default() += 1);
        for item in body.items() {
            match item {
                _ if counts[&name(&item)] > 1 => {
                    found.insert(name(&item), TWICE.map(str::to_owned));
                }
                Item::Attribute(attribute) => {
                    let after = text[attribute.span().end as usize..].lines().next().unwrap_or_default();
                    found.insert(name(&item), [attribute.value().text(), after.trim()].map(str::to_owned));
                }
                Item::Block(block) => {
                    found.insert(name(&item), Default::default());
                    add(&name(&item), block.body(), text, found);
                }
            }
        }
    }
    let document = hclkit_syntax::parse(text);
    let mut found = BTreeMap::new();
    add("", document.body(), text, &mut found);
    found
}

fn errors(document: &Document) -> Vec<String> {
    document.diagnostics().iter().map(|error| error.to_string()).collect()
}

fn lines_starting_with<'t>(text: &'t str, mark: &str) -> Vec<&'t str> {
    let mut lines: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with(mark)).collect();
    lines.sort_unstable();
    lines
}

/// What only one side changed, or both in the same way.
fn picked<T: PartialEq>([base, ours, theirs]: [T; 3]) -> Option<T> {
    if base == ours || ours == theirs { Some(theirs) } else { (base == theirs).then_some(ours) }
}

#[derive(Default, Debug)]
struct Counts {
    lines: usize,
    wrong_lines: usize,
    solved: usize,
    conflicts: usize,
    no_result: usize,
}

fn check(versions: &[String; 3], counts: &mut Counts) {
    let [base, ours, theirs] = versions;
    let result = merged(base, ours, theirs);
    let own = text(&result);
    let show = || {
        format!("--- base\n{base}--- ours\n{ours}--- theirs\n{theirs}--- merged {:?}\n{own}", result.method())
    };
    assert!(!matches!(result.method(), Method::LinesOnly(why) if why != LinesOnly::NoResult), "{}", show());
    // One side and no change.
    assert_eq!(text(&merged(base, ours, base)), ours);
    assert_eq!(text(&merged(base, base, theirs)), theirs);
    assert_eq!(text(&merged(base, ours, ours)), ours);
    // The sides are equal.
    let swapped = merged(base, theirs, ours);
    assert_eq!(swapped.conflicts(), result.conflicts(), "{}", show());
    for side in [1, 2] {
        assert_eq!(taken(text(&swapped), 3 - side), taken(own, side), "{}", show());
        let document = hclkit_syntax::parse(taken(own, side));
        assert!(!document.has_errors(), "{:?}\n{}", errors(&document), show());
    }
    // Another implementation of the merge by lines.
    let by_lines =
        TextMergeConfig::new().algorithm(Algorithm::Histogram).merge_lines(&**base, &**ours, &**theirs);
    if by_lines.is_conflicted() {
        counts.solved += usize::from(result.conflicts() == 0);
    } else {
        let by_lines = by_lines.to_string();
        match result.method() {
            Method::Lines | Method::OneSide => assert_eq!(own, by_lines, "{}", show()),
            _ => counts.wrong_lines += 1,
        }
        counts.lines += 1;
    }
    counts.conflicts += usize::from(result.conflicts() > 0);
    counts.no_result += usize::from(result.method() == Method::LinesOnly(LinesOnly::NoResult));
    // No change is lost.
    if result.method() == Method::LinesOnly(LinesOnly::NoResult) {
        return;
    }
    let [before, by_ours, by_theirs] = [base, ours, theirs].map(|text| attributes(text));
    for side in [1, 2] {
        let after = attributes(&taken(own, side));
        for name in before.keys().chain(by_ours.keys()).chain(by_theirs.keys()) {
            let is_kept = |name: &str| {
                let parents = name.match_indices('/').skip(1).map(|(at, _)| &name[..at]);
                let mut all = parents.filter(|parent| !parent.is_empty());
                all.all(|parent| {
                    [&before, &by_ours, &by_theirs, &after]
                        .iter()
                        .all(|all| all.get(parent).is_some_and(|it| *it != TWICE))
                })
            };
            let is_twice = |all: &BTreeMap<String, [String; 2]>| all.get(name).is_some_and(|it| *it == TWICE);
            if !is_kept(name) || [&before, &by_ours, &by_theirs].into_iter().any(is_twice) {
                continue;
            }
            let versions = [&before, &by_ours, &by_theirs].map(|version| version.get(name));
            // Both added a block without labels, at different places.
            if name.ends_with("[]") && versions[0].is_none() && versions[1..].iter().all(Option::is_some) {
                continue;
            }
            // What is removed while its comment is changed is a conflict, and so are two comments on one line, and a block that is
            // removed while it is renamed.
            let is_block =
                |found: Option<&[String; 2]>| found.is_some_and(|found| *found == <[String; 2]>::default());
            if let Some(expected) = picked(versions)
                && (result.conflicts() == 0 || expected.is_some() && !is_block(expected))
            {
                assert_eq!(after.get(name), expected, "{name} in {side}\n{}", show());
            }
            let values = versions.map(|version| version.map(|[value, _]| value));
            if let Some(expected) = picked(values).filter(|_| result.conflicts() == 0) {
                assert_eq!(after.get(name).map(|[value, _]| value), expected, "{name}\n{}", show());
            }
        }
        if result.conflicts() == 0 {
            let [old, one, other, new] =
                [base.as_str(), ours, theirs, own].map(|text| lines_starting_with(text, "# "));
            for comment in old.iter().chain(&one).chain(&other) {
                let is_in = |lines: &[&str]| lines.contains(comment);
                let (old, one, other) = (is_in(&old), is_in(&one), is_in(&other));
                // A comment that one side removed stays if the other one moved it to something new.
                match picked([old, one, other]) {
                    Some(true) => assert!(is_in(&new), "{comment}\n{}", show()),
                    Some(false) if !one && !other => assert!(!is_in(&new), "{comment}\n{}", show()),
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn random_versions_keep_the_promises() {
    let mut counts = Counts::default();
    for seed in seeds(2_000) {
        let mut rng = Rng::with_seed(seed);
        check(&random::versions(&mut rng), &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.lines > 0 && counts.solved > 0 && counts.conflicts > 0, "{counts:?}");
    assert!(counts.no_result * 20 < rounds(2_000) as usize, "{counts:?}");
}
