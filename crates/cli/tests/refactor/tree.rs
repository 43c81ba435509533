//! Files in a temporary directory, and runs of `hcl` within this process.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use hclkit_cli::{Host, hcl};
use tempfile::TempDir;

/// The files of a directory and of those below.
pub(crate) type Files = BTreeMap<String, String>;

pub(crate) struct Tree(TempDir);

impl Tree {
    pub(crate) fn with(files: &Files) -> Self {
        let folder = tempfile::tempdir().expect("there is a directory for temporary files");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("it is in the directory")).expect("it can be created");
            fs::write(path, text).expect("it can be written");
        }
        Self(folder)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    pub(crate) fn files(&self) -> Files {
        let mut found = Files::new();
        read(self.0.path(), "", &mut found);
        found
    }
}

fn read(folder: &Path, name: &str, found: &mut Files) {
    for entry in fs::read_dir(folder).expect("it is there").flatten() {
        let name = format!("{name}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            read(&entry.path(), &format!("{name}/"), found);
        } else {
            found.insert(name, fs::read_to_string(entry.path()).expect("it is text"));
        }
    }
}

/// The lines that other files do not have, for failures.
pub(crate) fn different(files: &Files, others: &Files) -> String {
    let mut found = Files::new();
    for (name, text) in files {
        let other = others.get(name).map_or("", String::as_str);
        if text != other {
            let all: Vec<&str> = other.split('\n').collect();
            let lines = text.split('\n').filter(|line| !all.contains(line));
            found.insert(name.clone(), lines.map(|line| format!("{line:?}\n")).collect::<Vec<_>>().concat());
        }
    }
    show(&found)
}

/// The files as text, for failures.
pub(crate) fn show(files: &Files) -> String {
    files.iter().map(|(name, text)| format!("--- {name}\n{text}")).collect::<Vec<_>>().concat()
}

#[derive(Clone, Default)]
struct Stream(Arc<Mutex<Vec<u8>>>);

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs `hcl`. Returns its exit code and what it printed.
pub(crate) fn run(arguments: &[&str]) -> (u8, String) {
    let printed = Stream::default();
    let host = Host::given(Vec::new(), printed.clone(), printed.clone());
    let line = std::iter::once("hcl").chain(arguments.iter().copied()).map(Into::into).collect();
    let code = hcl(line, &host);
    let printed = printed.0.lock().unwrap_or_else(PoisonError::into_inner);
    (code, String::from_utf8_lossy(&printed).into_owned())
}
