//! The files of a run: each is opened and parsed once, for the report of its syntax, the search for callers and names, and the
//! module that it belongs to.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use hclkit::module::{BAKE_FILES, Dialect, ModuleTree};
use hclkit::{Document, Source};

use crate::input::{Input, Unreadable};

/// The name of the language Terragrunt.
pub(crate) const TERRAGRUNT: &str = "terragrunt";

/// How many bytes of text are kept that nothing has parsed yet. More are read again.
const MOST_TEXT: usize = 256 << 20;

/// Files that were read.
#[derive(Debug)]
pub(crate) struct Documents {
    kept: Mutex<Kept>,
    keep: Keep,
}

/// Which files are kept after they were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// None, because the run changes them.
    Nothing,
    /// Those of modules, because modules keep them, too.
    Modules,
    /// All, whatever paths lead to them.
    All,
}

#[derive(Debug, Default)]
struct Kept {
    texts: HashMap<Input, Arc<Source>>,
    parsed: HashMap<Input, Document>,
    /// The bytes of the texts.
    size: usize,
}

impl Documents {
    pub(crate) fn new(keep: Keep) -> Self {
        Self { kept: Mutex::default(), keep }
    }

    /// Has these files already, with texts that may not be those of the disk.
    pub(crate) fn with(self, files: impl IntoIterator<Item = (Input, Document)>) -> Self {
        self.kept(|kept| kept.parsed.extend(files));
        self
    }

    fn kept<T>(&self, work: impl FnOnce(&mut Kept) -> T) -> T {
        work(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A file that was parsed before.
    pub(crate) fn known(&self, input: &Input) -> Option<Document> {
        self.kept(|kept| kept.parsed.get(input).cloned())
    }

    /// The text of a file.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn text(&self, input: &Input) -> io::Result<Arc<Source>> {
        if let Some(document) = self.known(input) {
            return Ok(document.shared_source().clone());
        }
        if let Some(text) = self.kept(|kept| kept.texts.get(input).cloned()) {
            return Ok(text);
        }
        let text = Arc::new(input.text()?);
        if self.keep != Keep::Nothing {
            self.kept(|kept| {
                let size = kept.size + text.text().len();
                if size <= MOST_TEXT && kept.texts.insert(input.clone(), text.clone()).is_none() {
                    kept.size = size;
                }
            });
        }
        Ok(text)
    }

    /// The file in the syntax of its name. It may have errors.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn parse(&self, input: &Input) -> Result<Document, Unreadable> {
        let target = if self.keep == Keep::All { input.canonical().map(Input::File) } else { None };
        let key = target.as_ref().unwrap_or(input);
        if let Some(document) = self.known(key) {
            return Ok(document);
        }
        let text = self.kept(|kept| {
            let text = kept.texts.remove(key)?;
            kept.size -= text.text().len();
            Some(text)
        });
        let text = text.map_or_else(|| input.read_text(), |text| Ok(Arc::unwrap_or_clone(text)))?;
        let document = Document::parse_in(text, input.syntax());
        if self.keep == Keep::All || self.keep == Keep::Modules && is_of_module(input) {
            self.kept(|kept| kept.parsed.insert(key.clone(), document.clone()));
        }
        Ok(document)
    }
}

/// Whether a module, Bake, or a unit of Terragrunt may read a file.
pub(crate) fn is_of_module(input: &Input) -> bool {
    let Some(path) = input.path() else { return false };
    may_be_in_unit(path)
        || path.file_name().and_then(OsStr::to_str).is_some_and(|name| {
            BAKE_FILES.contains(&name)
                || ModuleTree::is_test_file(name)
                || Dialect::of_path(name).is_some_and(|language| language.has_modules())
        })
}

/// Whether a file is one of Terragrunt, or one that such a file can include, which has any name.
pub(crate) fn may_be_in_unit(path: &Path) -> bool {
    let is_its = || Dialect::of_path(path).is_none_or(|language| language.name() == TERRAGRUNT);
    path.extension() == Some("hcl".as_ref()) && is_its()
}
