//! Directories for runs of programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A directory with files, which is removed when this is dropped.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// A directory with these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary directory"));
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    /// The directory.
    pub fn root(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// Writes a file, in a directory that is created if it is missing.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file is in a directory")).expect("a directory");
        fs::write(path, text).expect("a file that can be written");
    }

    /// The text of a file.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file with text")
    }

    /// Runs Git in the directory, without the configuration of this machine. It must succeed.
    pub fn git(&self, words: &[&str]) {
        let mut command = Command::new("git");
        for setting in ["user.name=a", "user.email=a@example.com", "init.defaultBranch=main"] {
            command.args(["-c", setting]);
        }
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        let output = command.args(words).current_dir(self.root()).output().expect("Git runs");
        assert!(output.status.success(), "{words:?}: {output:?}");
    }
}
