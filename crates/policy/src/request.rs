//! What a run of tests gets from its caller: files that were read, and how to load a module.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit::Document;
use hclkit::module::{Dialect, ModuleLoader};

/// A file of tests that was read and parsed.
#[derive(Clone, Debug)]
pub struct TestFile {
    /// The directory of the file, as the user named it. Paths in the file are relative to it, unless its kind says otherwise.
    pub directory: PathBuf,
    /// The file. Its name is that of its source. It may have errors.
    pub document: Document,
}

/// Gives a loader for the module in a directory, with its functions and the files that it may read; or says why there is none. It is in
/// the given language, if there is one, or else in that of its files. No value is set.
pub type Load<'l> = dyn Fn(&Path, Option<&Arc<Dialect>>) -> Result<ModuleLoader, String> + Sync + 'l;

/// Reads the files of policies that a test names: it gets the directory of the test and a path, and returns the names and texts of the
/// file, or of the files of the directory; or says why it cannot.
pub type OpenPolicies<'o> = dyn Fn(&Path, &str) -> Result<Vec<(String, Vec<u8>)>, String> + Sync + 'o;

/// How tests are run.
pub struct TestRequest<'r> {
    /// Files of one directory, in the order of their names.
    pub files: Vec<TestFile>,
    /// The names of all test files of the directory: one can replace another one.
    pub names: HashSet<String>,
    /// How modules are loaded.
    pub load: &'r Load<'r>,
    /// Whether the rule, run or case with this name is selected.
    pub selects: &'r (dyn Fn(&str) -> bool + Sync),
}

impl fmt::Debug for TestRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestRequest").field("files", &self.files).finish_non_exhaustive()
    }
}
