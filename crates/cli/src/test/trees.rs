//! The modules that rules are applied to. Those of one repository share what was read, so that a module is parsed once, whatever calls
//! it.

use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hclkit::Document;
use hclkit::functions::Grants;
use hclkit::module::{self, Dialect, Disk, Module, ModuleTree};

use super::request::Loading;
use crate::host::Host;
use crate::module::{self as modules, ModulePath};

/// The modules of a run.
pub(super) struct Trees<'l> {
    loading: &'l Loading,
    documents: Arc<HashMap<String, Document>>,
    /// What the current directory may read.
    repository: Option<PathBuf>,
    shared: Mutex<BTreeMap<String, Arc<ModuleTree>>>,
}

impl<'l> Trees<'l> {
    pub(super) fn new(loading: &'l Loading, documents: impl Iterator<Item = Document>) -> Self {
        let named = documents.map(|own| (own.source().name().to_owned(), own));
        Self {
            loading,
            documents: Arc::new(named.collect()),
            repository: Disk::repository(".").ok(),
            shared: Mutex::default(),
        }
    }

    /// Loads the module in a directory, each time that the result is called. `None` if there is none.
    pub(super) fn module(
        &self,
        directory: &Path,
    ) -> Option<impl Fn() -> Module + Clone + Send + Sync + use<>> {
        let here = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        let language = modules::language_of(here).ok()??;
        let granted = self.loading.granted();
        let grants = module::files(Grants::new(), here, granted);
        let (tree, at) = match self.name(directory) {
            Some(name) => (self.shared(&language), name),
            None => (Arc::new(self.tree(&language, here)), String::new()),
        };
        tree.read(&at);
        // Of most modules, rules see only what is written.
        let functions = Arc::new(OnceLock::new());
        let make = move || functions.get_or_init(|| module::functions(&language, &grants)).clone();
        Some(move || tree.load(&at, make()))
    }

    /// The name of a directory below the current one, if it may read the same files.
    fn name(&self, directory: &Path) -> Option<String> {
        let is_below = directory.components().all(|own| matches!(own, Component::Normal(_)));
        let repository = Disk::repository(Path::new(".").join(directory)).ok();
        let name = directory.to_str().filter(|_| is_below && repository == self.repository)?;
        Some(if cfg!(windows) { name.replace('\\', "/") } else { name.to_owned() })
    }

    fn shared(&self, language: &Arc<Dialect>) -> Arc<ModuleTree> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || Arc::new(self.tree(language, Path::new(".")));
        shared.entry(language.name().to_owned()).or_insert_with(make).clone()
    }

    fn tree(&self, language: &Arc<Dialect>, root: &Path) -> ModuleTree {
        let place = ModulePath::of_directory(root.to_owned());
        let disk = Disk::new(root).with_max_size(Host::current().max_size());
        let disk = self.loading.granted().iter().fold(disk, Disk::with_readable);
        let files = modules::files_in(disk, root).with_documents(self.documents.clone());
        let loader = self.loading.loader(language, &place, files);
        ModuleTree::new(loader.with_unknown_variables(true).with_threads(1))
    }
}
