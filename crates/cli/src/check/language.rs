//! `--spec`: what configurations may say. Each file is a configuration of its own, or with `--merge` those of a folder
//! are one.

use std::path::PathBuf;

use hclkit::Diagnostics;
use hclkit::model::Body;

use super::fix::File;
use crate::args::Check;
use crate::decode::Decoding;
use crate::scope::Halt;

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
    pub(super) fn problems(&self, files: &[File<'_>]) -> Option<Diagnostics> {
        let decoding = self.decoding.as_ref()?;
        let body = Body::merge(files.iter().map(|file| file.parsed.body()));
        Some(decoding.decode(&body).err()?.distinct())
    }
}
