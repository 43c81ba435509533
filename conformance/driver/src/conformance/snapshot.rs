//! The committed counts, `conformance/snapshot.txt`: one part for generated requests, and one for those that need the
//! corpus. A run with the same seed and count reports changes.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use super::report::Table;
use crate::programs::root;

/// The seed of the snapshot.
pub(crate) const SEED: u64 = 1;
/// The default number of random requests for each op.
pub(crate) const COUNT: usize = 20_000;

const CORPUS: &str = "\n# With the corpus\n";

fn path() -> PathBuf {
    root().join("conformance/snapshot.txt")
}

fn parts(table: &Table, seed: u64, count: usize) -> (String, String) {
    let mut own =
        String::from("# Answers compared with the reference: cargo xtask conformance --corpus --bless\n");
    let _ = writeln!(own, "# seed {seed}, {count} random requests an op\n\n# Without the corpus");
    own += &table.rows(|kind| !kind.starts_with("corpus"));
    (own, table.rows(|kind| kind.starts_with("corpus")))
}

/// Writes the snapshot. The part on the corpus stays unchanged if the run had no corpus.
pub(crate) fn bless(table: &Table, seed: u64, count: usize) -> Result<()> {
    let (own, mut corpus) = parts(table, seed, count);
    if corpus.lines().count() < 2 {
        let old = fs::read_to_string(path()).unwrap_or_default();
        corpus = old.split_once(CORPUS).map_or(String::new(), |(_, corpus)| corpus.to_owned());
    }
    fs::write(path(), own + CORPUS + &corpus)?;
    println!("blessed {}", path().display());
    Ok(())
}

/// Reports whether the counts have changed, if the run is comparable with the snapshot.
pub(crate) fn check(table: &Table, seed: u64, count: usize) {
    let Ok(old) = fs::read_to_string(path()) else { return };
    let (own, corpus) = parts(table, seed, count);
    let (old_own, old_corpus) = old.split_once(CORPUS).unwrap_or((&old, ""));
    let same_run = old_own.lines().nth(1) == own.lines().nth(1);
    let moved = own != old_own || (corpus.lines().count() > 1 && corpus != old_corpus);
    if same_run && moved {
        println!("the counts have moved: look, and run again with --bless");
    }
}
