//! Renaming and splitting keep what modules and Bake files mean. The promises are in `rename.rs`, `bake.rs` and
//! `split.rs`. They are tested here on a fixed set of random trees (`generate.rs`), and by the fuzz target `refactor` on
//! further ones.
#![cfg(unix)]

mod bake;
mod generate;
mod own;
mod recorded;
mod rename;
mod split;
mod tree;
mod whole;

use hclkit_test_cases::seeds;

use std::path::Path;

/// Checks a promise for many decisions, or for those of the failed turn `ONLY`.
fn each(turns: u64, check: impl Fn(&[u8]) -> bool) {
    let only = std::env::var("ONLY").ok().and_then(|turn| turn.parse::<u64>().ok());
    let all = only.map_or(seeds(turns), |turn| turn..turn + 1);
    let count = all.end - all.start;
    let applied = all.filter(|&turn| {
        let mut random = fastrand::Rng::with_seed(turn);
        let decisions: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(4096).collect();
        // Only shown if the test fails.
        println!("ONLY={turn}");
        check(&decisions)
    });
    let applied = applied.count() as u64;
    assert!(count < 10 || applied * 3 > count, "only {applied} of {count} were changed");
}

#[test]
fn a_renamed_module_has_the_same_values_and_renaming_back_gives_the_same_bytes() {
    each(80, rename::check);
}

#[test]
fn a_renamed_module_of_a_language_of_ones_own_has_the_same_values() {
    each(80, own::check);
}

#[test]
fn a_renamed_bake_file_has_the_same_plan_and_renaming_back_gives_the_same_bytes() {
    each(100, bake::check);
}

#[test]
fn a_split_module_has_the_same_values_and_all_bytes() {
    each(40, split::check);
}

#[test]
fn a_module_of_which_blocks_moved_has_the_same_values_and_all_bytes() {
    each(60, split::check_chosen);
}

/// What the random trees found.
#[test]
fn names_are_renamed_where_they_were_not() {
    let renamed = |files: &[(&str, &str)], arguments: &[&str]| {
        let files = files.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
        let tree = tree::Tree::with(&files);
        let paths: Vec<String> = files.keys().map(|name| tree.path(name)).collect();
        let root = tree.path("");
        let mut line = vec!["rename", "-w"];
        line.extend(arguments.iter().map(|it| if *it == "." { root.as_str() } else { it }));
        if !arguments.contains(&".") {
            line.extend(paths.iter().map(String::as_str));
        }
        let (code, printed) = tree::run(&line);
        (code, printed, tree.files().into_values().collect::<String>())
    };
    let bake = "target \"a\" {\n  contexts = {\n    c = \"target:b\"\n  }\n}\ntarget \"b\" {}\n";
    let (code, _, text) = renamed(&[("docker-bake.hcl", bake)], &["target.b", "new"]);
    assert_eq!((code, text), (0, bake.replace("target:b", "target:new").replace("\"b\"", "\"new\"")));
    let group = format!("{bake}group \"g\" {{\n  targets = [\"a\"]\n}}\n");
    let (code, printed, _) = renamed(&[("docker-bake.hcl", &group)], &["group.g", "a"]);
    assert!(code == 2 && printed.contains("`target.a` already exists"), "{printed}");
    let called = ("net/main.tf", "output \"o\" {\n  value = 1\n}\n");
    let call = "{\"module\": {\"n\": {\"source\": \"./net\", \"for_each\": \"${[1]}\"}},\n \
                \"output\": {\"x\": {\"value\": \"${values(module.n)[*].o}\"}}}\n";
    let (code, _, text) = renamed(&[("main.tf.json", call), called], &["module.n.o", "p", "."]);
    assert!(code == 0 && text.contains("values(module.n)[*].p"), "{text}");
    let argument = "module \"n\" {\n  source = \"./net\"\n  o = 1\n}\n";
    let (code, _, text) = renamed(&[("main.tf", argument), called], &["module.n.o", "p", "."]);
    assert!(code == 0 && text.contains("  o = 1") && text.contains("output \"p\""), "{text}");
}

#[test]
fn blocks_keep_their_line_ends() {
    let crlf = "# a\r\noutput \"a\" {\r\n  value = 1\r\n}\r\n";
    let files = [("outputs.tf", "output \"b\" { value = 1 }\n"), ("main.tf", crlf)];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    let tree = tree::Tree::with(&files);
    assert_eq!(tree::run(&["split", "-w", &tree.path("")]).0, 0);
    assert!(tree.files()["outputs.tf"].ends_with(crlf), "{:?}", tree.files());
}

#[test]
fn the_examples_can_be_split() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    assert!(split::check_examples(&examples) > 1);
}
