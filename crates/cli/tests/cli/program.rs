//! Runs of the program in a directory of their own.

use std::ffi::{OsStr, OsString};
use std::io;
use std::ops::Deref;
#[cfg(target_os = "linux")]
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Output;
#[cfg(target_os = "linux")]
use std::sync::{Arc, Mutex};

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

    /// Runs `hcl` in the directory. Returns the last line of standard output, the exit code, and all output.
    pub(crate) fn ended(&self, args: &[&str]) -> (String, i32, String) {
        let ended = self.hcl(args);
        let output = ended.get_output();
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        let all = text.clone() + &String::from_utf8(output.stderr.clone()).unwrap();
        (text.lines().last().unwrap_or_default().to_owned(), output.status.code().unwrap(), all)
    }

    /// Runs `hcl` in the directory with text for its standard input.
    pub(crate) fn hcl_reading(&self, args: &[&str], input: &str) -> OutputAssert {
        self.command(args).stdin(input).assert()
    }

    /// A run of `hcl` in the directory.
    pub(crate) fn command(&self, args: &[&str]) -> Run {
        let line = std::iter::once("hcl").chain(args.iter().copied()).map(OsString::from).collect();
        Run {
            line,
            input: Vec::new(),
            variables: Vec::new(),
            directory: self.root().to_owned(),
            pipes: false,
        }
    }
}

/// A run of `hcl`. Linux can give each thread a working directory, so that most runs need no process there: starting
/// thousands of them takes longer than what they do.
#[must_use]
pub(crate) struct Run {
    line: Vec<OsString>,
    input: Vec<u8>,
    variables: Vec<(OsString, OsString)>,
    directory: PathBuf,
    pipes: bool,
}

impl Run {
    pub(crate) fn arg(self, word: impl AsRef<OsStr>) -> Self {
        self.args([word])
    }

    pub(crate) fn args(mut self, words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.line.extend(words.into_iter().map(|word| word.as_ref().to_owned()));
        self
    }

    /// Standard input, which is empty otherwise.
    pub(crate) fn stdin(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = input.into();
        self
    }

    /// Sets an environment variable, which needs a process.
    pub(crate) fn env(self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.envs([(name, value)])
    }

    pub(crate) fn envs(
        mut self,
        variables: impl IntoIterator<Item = (impl AsRef<OsStr>, impl AsRef<OsStr>)>,
    ) -> Self {
        let owned = variables.into_iter().map(|(name, value)| (name.as_ref().into(), value.as_ref().into()));
        self.variables.extend(owned);
        self
    }

    pub(crate) fn current_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = directory.into();
        self
    }

    /// Runs a process whose standard streams are pipes.
    pub(crate) fn with_pipes(mut self) -> Self {
        self.pipes = true;
        self
    }

    fn needs_process(&self) -> bool {
        cfg!(not(target_os = "linux")) || self.pipes || !self.variables.is_empty()
    }

    pub(crate) fn output(self) -> io::Result<Output> {
        #[cfg(target_os = "linux")]
        if !self.needs_process() {
            return self.within_process();
        }
        let mut process = Command::new(program()).args(&self.line[1..]).env_remove("NO_COLOR");
        process = process.envs(self.variables).current_dir(self.directory).stdin(self.input);
        process.output()
    }

    pub(crate) fn assert(self) -> OutputAssert {
        // Backslashes are not path separators here.
        let exact =
            snapbox::Assert::new().action_env(snapbox::assert::DEFAULT_ACTION_ENV).normalize_paths(false);
        OutputAssert::new(self.output().unwrap()).with_assert(exact)
    }

    #[cfg(target_os = "linux")]
    fn within_process(self) -> io::Result<Output> {
        let [stdout, stderr] = [Sink::default(), Sink::default()];
        let host = hclkit_cli::Host::given(self.input, stdout.clone(), stderr.clone());
        let run = || {
            // The function is deprecated because it is only safe with flags such as this one.
            #[expect(deprecated)]
            rustix::thread::unshare(rustix::thread::UnshareFlags::FS)?;
            std::env::set_current_dir(&self.directory)?;
            io::Result::Ok(hclkit_cli::hcl(self.line, &host))
        };
        let code =
            std::thread::scope(|scope| scope.spawn(run).join()).expect("the program does not panic")?;
        drop(host);
        let status = ExitStatusExt::from_raw(i32::from(code) << 8);
        Ok(Output { status, stdout: stdout.into_bytes(), stderr: stderr.into_bytes() })
    }
}

/// A stream in memory.
#[cfg(target_os = "linux")]
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

#[cfg(target_os = "linux")]
impl Sink {
    fn into_bytes(self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

#[cfg(target_os = "linux")]
impl io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_hcl"))
}
