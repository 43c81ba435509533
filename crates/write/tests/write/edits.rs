//! Random edits of random texts, with the promises of `check.rs`, and several edits at once in `composed.rs`. The fuzzer
//! (`fuzz/`) uses the promises of `check.rs`, too.

mod check;
mod composed;
mod every;
mod opposite;
mod templates;
mod text;

use hclkit_test_cases::{rounds, seed, seeds};

use std::fs;
use std::path::{Path, PathBuf};

use check::check;

/// Layouts that the examples do not have.
const LAYOUTS: &[&str] = &[
    "",
    "\n",
    "a = 1",
    "\u{feff}a = 1\n",
    "a = 1\r\nb = 2\r\n\r\nc {\r\n  d = 3\r\n}\r\n",
    "# header\n\n# about a\na = 1 # why\n\n# detached\n\nb {}\n# last\n",
    "a {}\nb {}\nc { d = 1 }\n",
    "a {\n}\nb {\n  # nothing\n}\n",
    "a {\n\tb = [\n\t\t1,\n\t\t2,\n\t]\n}\n",
    "a {\n    b = {\n        c = 1\n        d = 2,\n        e = 3\n    }\n}\n",
    "a = [1,2 , 3]\nb=[ ]\nc = {}\nd = f()\ne = f(1, 2...)\n",
    "a = [\n  1\n  , 2\n  , 3\n]\n",
    "a = [ # first\n  1, # one\n  # two\n  2, # two\n  # end\n]\n",
    "a = [1, 2,\n  3, 4]\n",
    "a = [/* x */ 1 /* y */, /* z */ 2]\n",
    "a = { b = 1, c = 2 }\nlonger = { d : 1 }\n",
    "a = f(\n  1,\n  [2, 3],\n)\n",
    "a = <<EOT\n  x ${f(1)}\nEOT\nb = [<<-EOT\n  y\n  EOT\n  , 2]\n",
    "a = {\n  b = 1 # one\n  # two\n  c = 2\n\n  d = 3\n}\n",
    "a {\n  b = 1\n\n\n  c {\n  }\n\n  d = 1\n}\n\n\n\n",
    "a = [for x in [1, 2] : { y = x }]\n",
    "a   =   1\nbc  =   2\n\nlonger = 3\nd      = 4\n",
    "a = [\n  {\n    b = 1\n  }, {\n    b = 2\n  }\n]\n",
    "a = 1 /* x\n y */\n/* z */ b = 2\n",
    "a {\n  b = 1\n  c = 2\n  // end\n}",
    // The carriage return is part of the comment, until there is a line after it.
    "# a comment\r",
    "# a comment \r",
    "a = b ",
    "a = [1, 2]\nb = [\n  3 #*/\n]\n",
    "\u{feff}// a comment\n  a = 1\n",
    "\u{feff} a = 1",
    "a = [\n  1, 2 // line\n]\n",
    "a = [1, for]\nb = [1, fortune]\n",
    "a { b = [1,\n  2] }\n",
    "a = [\n  1, # one\n  2, 3 # two and three\n]\nb = [\n  4, //\n  5   \n]\n",
    "a = {\n  b = <<EOT\nx\nEOT\n  c = 1, # one\n  d = 2  \n}\n",
];

fn texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![root.join("examples"), root.join("benches/inputs")];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let texts = files.iter().filter_map(|path| fs::read_to_string(path).ok());
    let mut texts: Vec<String> = texts.filter(|text| text.len() < 20_000).collect();
    assert!(texts.len() >= 10);
    // More files, such as those of the corpus in `target/bench/corpus.list`.
    if let Some(list) = std::env::var_os("EDIT_LIST") {
        let list = fs::read_to_string(root.join(list)).unwrap();
        let more = list.lines().filter_map(|path| fs::read_to_string(path).ok());
        texts.extend(more.filter(|text| text.len() < 20_000));
    }
    LAYOUTS.iter().map(|&text| text.to_owned()).chain(texts).collect()
}

#[test]
fn edits_change_what_they_say() {
    for (number, text) in texts().iter().enumerate() {
        for seed in seeds(40) {
            check(text, seed + 1_000_000 * number as u64);
        }
    }
}

#[test]
fn edits_of_badly_spaced_texts_change_what_they_say() {
    for (number, text) in texts().iter().enumerate() {
        let mut rng = fastrand::Rng::with_seed(seed(number as u64));
        for seed in seeds(16) {
            let spaced: String = text
                .split_inclusive(' ')
                .map(|part| if rng.u8(..12) == 0 { format!("{part} ") } else { part.to_owned() })
                .collect();
            check(spaced.trim_end_matches(' '), seed);
        }
    }
}

#[test]
fn edits_at_once_change_what_they_say() {
    let made = seeds(2_000).filter(|&seed| composed::check(seed)).count() as u64;
    assert!(3 * made > 2 * rounds(2_000), "{made}");
}

#[test]
fn every_edit_of_a_pair_changes_what_it_says() {
    every::check_pairs();
}

#[test]
fn every_edit_of_a_list_changes_what_it_says() {
    for seed in seeds(120) {
        every::check_random(seed);
    }
}

#[test]
fn every_edit_of_a_body_changes_what_it_says() {
    for seed in seeds(120) {
        every::check_random_body(seed);
    }
}

#[test]
fn edits_of_templates_cancel_out() {
    for seed in seeds(1_000) {
        templates::check_random(seed);
    }
}

#[test]
fn moves_and_removals_cancel_out() {
    for seed in seeds(300) {
        opposite::check_random(seed);
    }
}
