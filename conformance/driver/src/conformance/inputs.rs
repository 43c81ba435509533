//! The texts that requests are made from: the corpus and our own files.

use std::fs;

use anyhow::Result;
use fastrand::Rng;

use crate::corpus::{self, Syntax};
use crate::programs::root;

/// A file that is UTF-8.
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The texts to mutate.
pub(crate) struct Inputs {
    own: Vec<Text>,
    corpus: Vec<Text>,
    /// Files of the corpus in the JSON syntax.
    json: Vec<Text>,
}

impl Inputs {
    /// Reads our own files, and the corpus if requested.
    pub(crate) fn load(with_corpus: bool) -> Result<Self> {
        let (mut corpus, mut json) = (Vec::new(), Vec::new());
        if with_corpus {
            println!("reading the corpus; what is not there yet is downloaded, which takes minutes");
            let mut skipped = 0;
            for file in corpus::files()? {
                let files = if file.syntax == Syntax::Native { &mut corpus } else { &mut json };
                match String::from_utf8(file.bytes) {
                    Ok(text) => files.push(Text { name: file.name, text }),
                    Err(_) => skipped += 1,
                }
            }
            if skipped > 0 {
                println!("{skipped} files of the corpus are not UTF-8, which JSON cannot say: left out");
            }
        }
        Ok(Self { own: own()?, corpus, json })
    }

    /// The files of the corpus for an op, which are empty unless requested: files in the JSON syntax for the op
    /// `json`, native files for all others.
    pub(crate) fn corpus_for(&self, op: &str) -> &[Text] {
        if op == "json" { &self.json } else { &self.corpus }
    }

    /// A file of the corpus in the JSON syntax, if there is one.
    pub(crate) fn json(&self, rng: &mut Rng) -> Option<&str> {
        rng.choice(&self.json).map(|file| &*file.text)
    }

    /// A file of our own.
    pub(crate) fn own(&self, rng: &mut Rng) -> &str {
        rng.choice(&self.own).map_or("", |file| &file.text)
    }

    /// A file of the corpus, or of our own if there is no corpus.
    pub(crate) fn real(&self, rng: &mut Rng) -> &str {
        rng.choice(&self.corpus).map_or_else(|| self.own(rng), |file| &file.text)
    }
}

/// The seeds of the driver: constructs, separated by lines of `#----`.
fn own() -> Result<Vec<Text>> {
    let seeds = fs::read_to_string(root().join("conformance/seeds.hcl"))?;
    let parts = seeds.split("#----\n").filter(|part| !part.trim().is_empty());
    Ok(parts.enumerate().map(|(n, part)| Text { name: format!("seed {n}"), text: part.to_owned() }).collect())
}
