//! Runs of the program in a directory of their own.

use std::path::{Path, PathBuf};

use snapbox::cmd::{Command, OutputAssert};

/// Fails if a command line is wrong: a test of what a command does would then check nothing.
pub(crate) fn assert_usage(words: &[&str], errors: &[u8]) {
    let errors = String::from_utf8_lossy(errors);
    assert!(!errors.contains("\nUsage: "), "{words:?} is not a command line: {errors}");
}

/// A directory with files, which is removed when this is dropped.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    /// A directory with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        String::from_utf8(std::fs::read(self.path(name)).unwrap()).unwrap()
    }

    /// Runs `hcl` in the directory.
    pub(crate) fn hcl(&self, args: &[&str]) -> OutputAssert {
        self.command(args).assert()
    }

    /// Runs `hcl` in the directory with text for its standard input.
    pub(crate) fn hcl_reading(&self, args: &[&str], input: &str) -> OutputAssert {
        self.command(args).stdin(input).assert()
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        // Backslashes are not path separators here.
        let exact =
            snapbox::Assert::new().action_env(snapbox::assert::DEFAULT_ACTION_ENV).normalize_paths(false);
        Command::new(program())
            .with_assert(exact)
            .current_dir(self.0.path())
            .env_remove("NO_COLOR")
            .args(args)
    }
}

pub(crate) fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_hcl"))
}
