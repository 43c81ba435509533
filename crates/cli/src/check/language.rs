//! `--spec`: what configurations may say. Each file is a configuration of its own, or with `--merge` those of a folder
//! are one.

use std::path::PathBuf;

use hclkit::decode::Decoder;
use hclkit::model::Body;
use hclkit::{Code, Diagnostic, Diagnostics};

use super::fix::File;
use crate::args::Check;
use crate::decode::decoder;
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
    decoder: Option<Decoder>,
    files: Vec<PathBuf>,
}

impl Language {
    pub(super) fn new(command: &Check) -> Result<Self, Halt> {
        let Some(spec) = &command.spec else { return Ok(Self { decoder: None, files: Vec::new() }) };
        let decoder = decoder(spec, &command.language)?.with_unknown_variables(command.unknown_vars);
        let mut files = command.language.files();
        files.push(spec.clone());
        Ok(Self { decoder: Some(decoder), files })
    }

    /// The files that say what the others are to be, and are none of those.
    pub(super) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// What is wrong with the configuration that files are together, if anything is.
    pub(super) fn problems(&self, files: &[File<'_>]) -> Option<Problems> {
        let decoder = self.decoder.as_ref()?;
        let body = Body::merge(files.iter().map(|file| file.parsed.body()));
        let found = decoder.decode(&body).err()?;
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
