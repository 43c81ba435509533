//! The files of a run: each is opened and parsed once, for the report of its syntax, the search for callers, and the module that it
//! belongs to.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use hclkit::Source;
use hclkit::module::{BAKE_FILES, Dialect, ModuleTree};

use super::generated::may_be_read;
use super::parsed::Parsed;
use crate::input::{Input, Unreadable};

/// How many bytes of text are kept that nothing has parsed yet. More are read again.
const MOST_TEXT: usize = 256 << 20;

/// Files that were read. Those of modules are kept, because modules keep them, too.
#[derive(Debug)]
pub(super) struct Documents {
    kept: Mutex<Kept>,
    /// Whether files stay as they were read.
    keeps: bool,
}

#[derive(Debug, Default)]
struct Kept {
    texts: HashMap<Input, Arc<Source>>,
    parsed: HashMap<Input, Parsed>,
    /// The bytes of the texts.
    size: usize,
}

impl Documents {
    /// Files that are kept, unless the run changes them.
    pub(super) fn new(keeps: bool) -> Self {
        Self { kept: Mutex::default(), keeps }
    }

    fn kept<T>(&self, work: impl FnOnce(&mut Kept) -> T) -> T {
        work(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A file that was parsed before.
    pub(super) fn known(&self, input: &Input) -> Option<Parsed> {
        self.kept(|kept| kept.parsed.get(input).cloned())
    }

    /// The text of a file.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn text(&self, input: &Input) -> io::Result<Arc<Source>> {
        if let Some(parsed) = self.known(input) {
            return Ok(parsed.shared_source().clone());
        }
        if let Some(text) = self.kept(|kept| kept.texts.get(input).cloned()) {
            return Ok(text);
        }
        let text = Arc::new(input.text()?);
        if self.keeps {
            self.kept(|kept| {
                let size = kept.size + text.text().len();
                if size <= MOST_TEXT && kept.texts.insert(input.clone(), text.clone()).is_none() {
                    kept.size = size;
                }
            });
        }
        Ok(text)
    }

    /// The file in the syntax of its name.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn parsed(&self, input: &Input) -> Result<Parsed, Unreadable> {
        if let Some(parsed) = self.known(input) {
            return Ok(parsed);
        }
        let text = self.kept(|kept| {
            let text = kept.texts.remove(input)?;
            kept.size -= text.text().len();
            Some(text)
        });
        let text = text.map_or_else(|| input.read_text(), |text| Ok(Arc::unwrap_or_clone(text)))?;
        let parsed = Parsed::read(input, text);
        if self.keeps && is_of_module(input) {
            self.kept(|kept| kept.parsed.insert(input.clone(), parsed.clone()));
        }
        Ok(parsed)
    }
}

/// Whether a module, Bake, or a unit of Terragrunt may read a file.
fn is_of_module(input: &Input) -> bool {
    let Some(path) = input.path() else { return false };
    may_be_read(path)
        || path.file_name().and_then(OsStr::to_str).is_some_and(|name| {
            BAKE_FILES.contains(&name)
                || ModuleTree::is_test_file(name)
                || Dialect::of_path(name).is_some_and(|language| language.has_modules())
        })
}
