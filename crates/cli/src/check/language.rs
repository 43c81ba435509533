//! `--spec`: checks configurations against a spec file. Each file is a separate configuration, or with `--merge` each
//! directory.

use std::path::{Path, PathBuf};

use hclkit::Diagnostics;
use hclkit::model::Body;

use super::fix::File;
use crate::args::Check;
use crate::decode::Decoding;
use crate::input::Input;
use crate::scope::CommandError;

/// The checks of files other than their syntax.
pub(super) struct Language {
    decoding: Option<Decoding>,
    files: Vec<PathBuf>,
}

impl Language {
    pub(super) fn new(command: &Check) -> Result<Self, CommandError> {
        let Some(spec) = &command.spec else { return Ok(Self { decoding: None, files: Vec::new() }) };
        let decoding = Decoding::new(spec, &command.features)?;
        let inputs = command.features.inputs();
        let mut files: Vec<_> = inputs.iter().filter_map(Input::path).map(Path::to_owned).collect();
        files.push(spec.clone());
        Ok(Self { decoding: Some(decoding), files })
    }

    /// The files that define the checks. They are not checked themselves.
    pub(super) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The errors in the configuration that consists of these files, if there are any.
    pub(super) fn problems(&self, files: &[File<'_>]) -> Option<Diagnostics> {
        let decoding = self.decoding.as_ref()?;
        let body = Body::merge(files.iter().map(|file| file.parsed.body()));
        Some(decoding.decode(&body).err()?.distinct())
    }

    /// Like `problems`, but with all misspelled names instead of only the first 1,000.
    pub(super) fn all_problems(&self, files: &[File<'_>]) -> Option<Diagnostics> {
        Diagnostics::keeping_misspelled(|| self.problems(files))
    }
}
