//! Runs of the program in a directory of their own.

use std::ops::Deref;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// A directory in which the program runs.
pub(crate) struct Folder(hclkit_test_cases::Folder);

/// What a run printed.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) errors: String,
}

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

    /// Runs the program in the directory. It leaves no temporary file.
    pub(crate) fn sql(&self, words: &[&str]) -> Ran {
        self.sql_reading(words, "")
    }

    /// Runs the program in the directory with text for its standard input.
    pub(crate) fn sql_reading(&self, words: &[&str], input: &str) -> Ran {
        use std::io::Write as _;
        let temporary = tempfile::tempdir().unwrap();
        let mut child = self
            .command(words, temporary.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(temporary.path().read_dir().unwrap().count(), 0, "{words:?} leaves temporary files");
        Ran {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            errors: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn command(&self, words: &[&str], temporary: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hcl-sql"));
        command.current_dir(self.root()).env("TMPDIR", temporary).env_remove("NO_COLOR").args(words);
        command
    }

    /// The rows of a query, which succeeds and prints no error.
    pub(crate) fn rows(&self, query: &str, words: &[&str]) -> Vec<Value> {
        let ran = self.sql(&[&["--output", "ndjson", "--quiet", query][..], words].concat());
        assert!(ran.code == 0 && ran.errors.is_empty(), "{query} {words:?}: {}", ran.errors);
        lines(&ran.out)
    }

    /// The error of a run that is not valid.
    pub(crate) fn error(&self, words: &[&str]) -> String {
        let ran = self.sql(words);
        assert!(ran.code == 2 && ran.out.is_empty(), "{words:?} ends with {}: {}", ran.code, ran.out);
        ran.errors
    }
}

/// Lines of JSON.
pub(crate) fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Writes tables with `hcl tables`.
pub(crate) fn hcl_tables(words: &[&str]) {
    let line =
        ["hcl", "tables", "--quiet"].into_iter().chain(words.iter().copied()).map(Into::into).collect();
    let host = hclkit_cli::Host::given(Vec::new(), std::io::sink(), std::io::stderr());
    assert_eq!(hclkit_cli::hcl(line, &host), 0, "{words:?}");
}

/// Bytes that `hcl tables` prints.
pub(crate) fn hcl_tables_text(words: &[&str]) -> String {
    use std::sync::{Arc, Mutex};
    #[derive(Clone)]
    struct Shared(Arc<Mutex<Vec<u8>>>);
    impl std::io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let out = Shared(Arc::default());
    let line =
        ["hcl", "tables", "--quiet"].into_iter().chain(words.iter().copied()).map(Into::into).collect();
    let host = hclkit_cli::Host::given(Vec::new(), out.clone(), std::io::stderr());
    assert_eq!(hclkit_cli::hcl(line, &host), 0, "{words:?}");
    let bytes = out.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}
