//! `--spec`: what configurations may say. Each file is a configuration of its own, or with `--merge` those of a folder
//! are one.

use std::path::PathBuf;

use hclkit::model::Body;
use hclkit::{Code, Diagnostic, Diagnostics};

use super::fix::File;
use crate::args::Check;
use crate::decode::Decoding;
use crate::output::distinct;
use crate::scope::Halt;

/// What is wrong with what a configuration says.
pub(super) struct Problems {
    /// Those that are told, sorted.
    pub(super) told: Diagnostics,
    /// How many there are, in all.
    pub(super) count: usize,
}

/// What files are checked for besides their syntax.
pub(super) struct Language {
    decoding: Option<Decoding>,
    files: Vec<PathBuf>,
}

impl Language {
    pub(super) fn new(command: &Check) -> Result<Self, Halt> {
        let Some(spec) = &command.spec else { return Ok(Self { decoding: None, files: Vec::new() }) };
        let decoding = Decoding::new(spec, &command.language)?;
        let mut files = command.language.files();
        files.push(spec.clone());
        Ok(Self { decoding: Some(decoding), files })
    }

    /// The files that say what the others are to be, and are none of those.
    pub(super) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// What is wrong with the configuration that files are together, if anything is.
    pub(super) fn problems(&self, files: &[File<'_>]) -> Option<Problems> {
        let decoding = self.decoding.as_ref()?;
        let body = Body::merge(files.iter().map(|file| file.parsed.body()));
        let found = decoding.decode(&body).err()?;
        let unreported = found.unreported();
        let found = distinct(found);
        let count = found.len() + unreported;
        // People read files from top to bottom; decoding goes by the spec.
        let mut sorted: Vec<Diagnostic> = found.into_iter().collect();
        let file = |name: &str| files.iter().position(|file| file.parsed.source().name() == name);
        let place = |found: &Diagnostic| found.source.as_ref().map(|source| file(source.name()));
        sorted.sort_by_key(|found| (found.code == Code::TooManyErrors, place(found), found.subject.start));
        Some(Problems { told: sorted.into_iter().collect(), count })
    }
}
