//! Files that change.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;

use hclkit_ide::{Entry, FileSystem, MemoryFiles};

#[derive(Debug, Default)]
pub(crate) struct Changing(Mutex<BTreeMap<String, String>>);

impl Changing {
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let all = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        Self(Mutex::new(all.collect()))
    }

    pub(crate) fn set(&self, path: &str, text: &str) {
        self.0.lock().unwrap().insert(path.to_owned(), text.to_owned());
    }

    pub(crate) fn get(&self, path: &str) -> Option<String> {
        self.0.lock().unwrap().get(path).cloned()
    }
}

impl FileSystem for Changing {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        MemoryFiles::from_iter(self.0.lock().unwrap().clone()).read(path)
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        MemoryFiles::from_iter(self.0.lock().unwrap().clone()).list(directory)
    }
}
