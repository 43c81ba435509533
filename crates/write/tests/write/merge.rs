//! Merges of three versions: cases for what is certain, and properties of random versions. `merge/random.rs` makes versions,
//! and `merge/check.rs` looks for lost changes, also for `cargo xtask merges`.

mod check;
mod random;

use check::{errors, lost, taken};
use fastrand::Rng;
use hclkit_syntax::Syntax;
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
fn what_is_added_stays_in_its_block() {
    // By lines, the rule would be in the new block.
    let base = "resource \"b\" \"i\" {\n  name = 1\n\n  versioning {\n    enabled = true\n  }\n}\n";
    let ours = "resource \"b\" \"i\" {\n  name = 1\n\n  versioning {\n    enabled = true\n  }\n\n  rule {\n    x = 1\n  }\n}\n";
    let theirs = "resource \"b\" \"i\" {\n  name = 1\n}\n\nresource \"v\" \"i\" {\n  v = 1\n  versioning {\n    status = 1\n  }\n}\n";
    let expected = "resource \"b\" \"i\" {\n  name = 1\n\n  rule {\n    x = 1\n  }\n}\n\nresource \"v\" \"i\" {\n  v = 1\n  versioning {\n    status = 1\n  }\n}\n";
    clean(base, ours, theirs, expected);
}

#[test]
fn nothing_is_added_to_the_end_of_a_heredoc() {
    let base = "a = 1\nb = <<END\nEND\n";
    let ours = "a = <<END\nEND\nb = <<END\nEND\n";
    let theirs = "a = 1 # one\nb = <<END\nEND\n";
    assert_eq!(merged(base, ours, theirs).conflicts(), 1);
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

#[derive(Default, Debug)]
struct Counts {
    lines: usize,
    other: usize,
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
        assert_eq!(errors(&taken(own, side)), None, "{}", show());
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
            _ => counts.other += 1,
        }
        counts.lines += 1;
    }
    counts.conflicts += usize::from(result.conflicts() > 0);
    counts.no_result += usize::from(result.method() == NO_RESULT);
    if let Some(lost) = lost(versions, own, result.conflicts() > 0).filter(|_| result.method() != NO_RESULT) {
        panic!("{lost}\n{}", show());
    }
}

const NO_RESULT: Method = Method::LinesOnly(LinesOnly::NoResult);

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
