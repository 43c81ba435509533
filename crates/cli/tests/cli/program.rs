//! Runs of the program in a directory of their own.

use std::ops::Deref;
use std::path::Path;

use snapbox::cmd::{Command, OutputAssert};

/// Fails if a command line is wrong: a test of what a command does would then check nothing.
pub(crate) fn assert_usage(words: &[&str], errors: &[u8]) {
    let errors = String::from_utf8_lossy(errors);
    assert!(!errors.contains("\nUsage: "), "{words:?} is not a command line: {errors}");
}

/// A directory in which the program runs.
pub(crate) struct Folder(hclkit_test_cases::Folder);

impl Deref for Folder {
    type Target = hclkit_test_cases::Folder;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Folder {
    /// A directory with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        Self(hclkit_test_cases::Folder::with(files))
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
        Command::new(program()).with_assert(exact).current_dir(self.root()).env_remove("NO_COLOR").args(args)
    }
}

pub(crate) fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_hcl"))
}
