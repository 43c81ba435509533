//! The files of a run that searches names in several directories: each is opened and parsed once, whatever paths lead to it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use hclkit::Document;

use super::callers::canonical;
use crate::input::{Input, Unreadable};

/// Files that were parsed, by their paths without links.
#[derive(Default)]
pub(crate) struct ParsedFiles(Mutex<HashMap<PathBuf, Document>>);

impl ParsedFiles {
    /// The file, which may have errors.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn parse(&self, input: &Input) -> Result<Document, Unreadable> {
        let Some(path) = canonical(input) else { return input.parse() };
        let all = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all().get(&path) {
            return Ok(known.clone());
        }
        let document = input.parse()?;
        all().insert(path, document.clone());
        Ok(document)
    }
}
