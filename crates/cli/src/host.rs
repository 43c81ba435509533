//! The environment of a run: the standard streams, the use of colors, limits, and which inputs the output must not replace. `main`
//! uses the streams of the process. Tests and the fuzzer provide their own streams; such a run sets no hooks, handles no signals
//! and does not end the process.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::io::{self, BufRead, IsTerminal as _, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anstream::ColorChoice;
use anstream::adapter::StripBytes;
use hclkit::Limits;
use hclkit::dialect::Dialects;
use hclkit::limits::directory_of;

use crate::args::Global;
use crate::output::warn;
use crate::settings::Settings;

/// The environment of a run, shared by its threads.
#[derive(Clone)]
pub struct Host(Arc<Inner>);

struct Inner {
    /// The streams, if they are not those of the process.
    given: Option<Streams>,
    /// Whether standard input was read.
    is_read: AtomicBool,
    /// The file or directory of `--out`, if it exists.
    output: OnceLock<PathBuf>,
    /// What was read of it: canonical paths, and those that the messages show.
    read_of_output: Mutex<HashMap<PathBuf, PathBuf>>,
    /// The output of `--out`, whether it exists or not, as events of files name it.
    written: OnceLock<PathBuf>,
    /// What was read, if someone wants to know.
    reads: Mutex<Option<BTreeSet<PathBuf>>>,
    /// The options of all commands.
    options: OnceLock<Global>,
    /// The settings of the project, and its languages.
    project: OnceLock<(Arc<Settings>, Dialects)>,
    /// Limits in addition to those of the program.
    limits: Option<Limits>,
}

struct Streams {
    input: Mutex<Vec<u8>>,
    output: Sink,
    errors: Sink,
    colored: AtomicBool,
}

/// A stream that several threads write to.
#[derive(Clone)]
struct Sink(Arc<Mutex<dyn Write + Send>>);

thread_local! {
    static HOST: RefCell<Host> = RefCell::new(Host::process());
}

impl Host {
    /// The streams of the process.
    pub fn process() -> Self {
        Self::with(None)
    }

    /// Uses the given standard input, standard output and standard error. None of them is treated as a terminal.
    pub fn given(
        input: Vec<u8>,
        output: impl Write + Send + 'static,
        errors: impl Write + Send + 'static,
    ) -> Self {
        Self::with(Some(Streams {
            input: Mutex::new(input),
            output: Sink(Arc::new(Mutex::new(output))),
            errors: Sink(Arc::new(Mutex::new(errors))),
            colored: AtomicBool::new(false),
        }))
    }

    fn with(given: Option<Streams>) -> Self {
        Self(Arc::new(Inner {
            given,
            is_read: AtomicBool::new(false),
            output: OnceLock::new(),
            read_of_output: Mutex::default(),
            written: OnceLock::new(),
            reads: Mutex::default(),
            options: OnceLock::new(),
            project: OnceLock::new(),
            limits: None,
        }))
    }

    /// Sets limits for each thread, in addition to those of the program.
    #[must_use]
    pub fn within(mut self, limits: Limits) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.limits = Some(limits);
        }
        self
    }

    /// Runs a closure within the limits and with the languages of the project.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        let within = || match &self.0.limits {
            Some(limits) => limits.run(work),
            None => work(),
        };
        match self.0.project.get() {
            Some((_, dialects)) if !dialects.is_empty() => dialects.run(within),
            _ => within(),
        }
    }

    /// The host of the current thread.
    pub(crate) fn current() -> Self {
        HOST.with_borrow(Clone::clone)
    }

    /// Makes this the host of the current thread.
    pub(crate) fn enter(&self) {
        HOST.set(self.clone());
    }

    /// Whether the run owns the process. Only then are signals handled, and memory is not freed at the end.
    pub(crate) fn owns_process(&self) -> bool {
        self.0.given.is_none()
    }

    /// Sets the settings of the project and its languages, once.
    pub(crate) fn set_project(&self, settings: Settings, dialects: Dialects) {
        let _ = self.0.project.set((Arc::new(settings), dialects));
    }

    /// The settings of the project.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        self.0.project.get().map(|(settings, _)| settings.clone()).unwrap_or_default()
    }

    /// Begins to note what is read.
    pub(crate) fn begin_noting_reads(&self) {
        *self.0.reads.lock().unwrap_or_else(PoisonError::into_inner) = Some(BTreeSet::new());
    }

    /// What was read since then.
    pub(crate) fn take_reads(&self) -> BTreeSet<PathBuf> {
        self.0.reads.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default()
    }

    /// Whether an absolute path is the output, or in it.
    pub(crate) fn is_output(&self, path: &Path) -> bool {
        self.0.written.get().is_some_and(|written| path.starts_with(written))
    }

    /// Sets the file or directory of `--out`, once.
    pub(crate) fn set_output(&self, path: &Path) {
        if let (Ok(folder), Some(name)) = (directory_of(path).canonicalize(), path.file_name()) {
            let _ = self.0.written.set(folder.join(name));
        }
        if let Ok(path) = path.canonicalize() {
            let _ = self.0.output.set(path);
        }
    }

    /// Says that a file is an input, so that the output must not replace it.
    pub(crate) fn note_read(&self, path: &Path) {
        if let Some(reads) = &mut *self.0.reads.lock().unwrap_or_else(PoisonError::into_inner) {
            reads.insert(path.to_owned());
        }
        let Some(output) = self.0.output.get() else { return };
        if let Ok(whole) = path.canonicalize()
            && whole.starts_with(output)
        {
            let mut read = self.0.read_of_output.lock().unwrap_or_else(PoisonError::into_inner);
            read.insert(whole, path.to_owned());
        }
    }

    /// The input that a path of the output leads to.
    pub(crate) fn input_at(&self, path: &Path) -> Option<PathBuf> {
        let read = self.0.read_of_output.lock().unwrap_or_else(PoisonError::into_inner);
        if read.is_empty() { None } else { read.get(&path.canonicalize().ok()?).cloned() }
    }

    /// Sets the options of all commands, once.
    pub(crate) fn set_options(&self, options: Global) {
        let _ = self.0.options.set(options);
    }

    /// The options of all commands.
    pub(crate) fn options(&self) -> &Global {
        self.0.options.get_or_init(Global::default)
    }

    pub(crate) fn max_size(&self) -> u64 {
        self.options().max_size
    }

    /// Whether only errors and what was asked for are printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.options().quiet
    }

    /// The maximum number of bytes of text that is read or created. Unless an option sets it, it is at least the
    /// maximum size of a file.
    pub(crate) fn max_bytes(&self) -> u64 {
        let Global { max_size, max_bytes, .. } = *self.options();
        if max_bytes == Limits::BYTES { max_size.max(max_bytes) } else { max_bytes }
    }

    /// The limits of the options, without the timeout.
    pub(crate) fn limits(&self) -> Limits {
        let options = self.options();
        Limits::new()
            .with_source_bytes(options.max_size.max(Limits::SOURCE_BYTES))
            .with_steps(options.max_steps)
            .with_elements(options.max_elements)
            .with_bytes(self.max_bytes())
    }

    /// Limits with the timeout of the options, which starts with each run.
    pub(crate) fn with_timeout(&self, limits: Limits) -> Limits {
        self.options().timeout.into_iter().fold(limits, Limits::with_timeout)
    }

    /// Runs a closure that evaluates parts of a file other than a configuration, such as a spec or a script, within
    /// the limits of the options. The program's limits on depth apply.
    pub(crate) fn limited<T>(&self, work: impl FnOnce() -> T) -> T {
        self.with_timeout(self.limits().with_nesting(u32::MAX).with_value_depth(u32::MAX)).run(work)
    }

    /// Runs a closure that changes texts: what it adds is limited by `--max-bytes`.
    pub(crate) fn writing<T>(&self, work: impl FnOnce() -> T) -> T {
        Limits::trusted()
            .with_nesting(u32::MAX)
            .with_value_depth(u32::MAX)
            .with_bytes(self.max_bytes())
            .run(work)
    }

    /// Warns if standard input has a name and was not read.
    pub(crate) fn warn_of_unread_input(&self) {
        if self.options().stdin_name.is_some() && !self.0.is_read.load(Ordering::Relaxed) {
            warn("--stdin-name has no effect, because standard input was not read; to read it, specify -");
        }
    }

    /// The name of standard input, if it was given one.
    pub(crate) fn stdin_name(&self) -> Option<String> {
        self.options().stdin_name.as_ref().map(|name| name.display().to_string())
    }

    pub(crate) fn choose_colors(&self, choice: ColorChoice) {
        match &self.0.given {
            None => choice.write_global(),
            Some(given) => given.colored.store(choice == ColorChoice::Always, Ordering::Relaxed),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}

/// A stream that removes colors from text.
struct Stripped {
    to: Sink,
    state: StripBytes,
}

impl Write for Stripped {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in self.state.strip_next(bytes) {
            self.to.write_all(part)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn styled(given: &Streams, sink: &Sink) -> Box<dyn Write> {
    if given.colored.load(Ordering::Relaxed) {
        Box::new(sink.clone())
    } else {
        Box::new(Stripped { to: sink.clone(), state: StripBytes::new() })
    }
}

/// Standard input, which can be read only once.
pub(crate) fn stdin() -> io::Result<Box<dyn BufRead>> {
    let host = Host::current();
    if host.0.is_read.swap(true, Ordering::Relaxed) {
        return Err(io::Error::other("standard input was already used by another argument"));
    }
    Ok(match &host.0.given {
        None => Box::new(io::stdin().lock()),
        Some(given) => {
            let mut input = given.input.lock().unwrap_or_else(PoisonError::into_inner);
            Box::new(io::Cursor::new(std::mem::take(&mut *input)))
        }
    })
}

/// Standard input for another thread.
#[cfg_attr(not(feature = "lsp"), allow(dead_code, reason = "only the server reads so"))]
pub(crate) fn stdin_of_server() -> io::Result<Box<dyn BufRead + Send>> {
    if Host::current().owns_process() {
        return Ok(Box::new(io::BufReader::new(io::stdin())));
    }
    let mut text = Vec::new();
    stdin()?.read_to_end(&mut text)?;
    Ok(Box::new(io::Cursor::new(text)))
}

// The streams are not locked, because another thread may print a warning while a report is written.

/// Standard output for raw bytes.
pub(crate) fn stdout() -> Box<dyn Write> {
    match &Host::current().0.given {
        None => Box::new(io::stdout()),
        Some(given) => Box::new(given.output.clone()),
    }
}

/// Standard output for text with colors, which are removed if colors are disabled.
pub(crate) fn styled_stdout() -> Box<dyn Write> {
    match &Host::current().0.given {
        None => Box::new(anstream::stdout()),
        Some(given) => styled(given, &given.output),
    }
}

/// Standard error for raw bytes.
pub(crate) fn stderr() -> Box<dyn Write> {
    match &Host::current().0.given {
        None => Box::new(io::stderr()),
        Some(given) => Box::new(given.errors.clone()),
    }
}

/// Standard error for text with colors, which are removed if colors are disabled.
pub(crate) fn styled_stderr() -> Box<dyn Write> {
    match &Host::current().0.given {
        None => Box::new(anstream::stderr()),
        Some(given) => styled(given, &given.errors),
    }
}

/// The program's directory in one of the user, which a variable of the XDG specification names, or a place in the home directory.
pub(crate) fn directory_of_user(variable: &str, at_home: &str) -> Option<PathBuf> {
    // Relative paths in these variables must be ignored, according to the specification.
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let system = || if cfg!(windows) { set("LOCALAPPDATA") } else { Some(set("HOME")?.join(at_home)) };
    Some(set(variable).or_else(system)?.join("hcl"))
}

/// Whether something waits to be read from standard input.
pub(crate) fn stdin_has_data() -> bool {
    #[cfg(unix)]
    return Host::current().owns_process()
        && rustix::io::ioctl_fionread(io::stdin()).is_ok_and(|count| count > 0);
    #[cfg(not(unix))]
    return false;
}

pub(crate) fn stdin_is_terminal() -> bool {
    Host::current().owns_process() && io::stdin().is_terminal()
}

pub(crate) fn stdout_is_terminal() -> bool {
    Host::current().owns_process() && io::stdout().is_terminal()
}

pub(crate) fn stderr_is_terminal() -> bool {
    Host::current().owns_process() && io::stderr().is_terminal()
}

/// Whether colors are enabled for standard output.
pub(crate) fn stdout_is_colored() -> bool {
    match &Host::current().0.given {
        None => anstream::AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        Some(given) => given.colored.load(Ordering::Relaxed),
    }
}

/// The number of columns of standard output.
pub(crate) fn stdout_width() -> usize {
    if Host::current().owns_process() { width_of(&io::stdout()) } else { NO_TERMINAL }
}

/// The number of columns of standard error.
#[cfg(feature = "console")]
pub(crate) fn stderr_width() -> usize {
    if Host::current().owns_process() { width_of(&io::stderr()) } else { NO_TERMINAL }
}

/// The number of columns of a terminal. Lines for other outputs are not cut.
#[cfg(not(windows))]
fn width_of(stream: &impl std::os::fd::AsFd) -> usize {
    terminal_size::terminal_size_of(stream).map_or(NO_TERMINAL, |(width, _)| usize::from(width.0))
}

/// The number of columns of a terminal. Lines for other outputs are not cut.
#[cfg(windows)]
fn width_of(stream: &impl std::os::windows::io::AsHandle) -> usize {
    terminal_size::terminal_size_of(stream).map_or(NO_TERMINAL, |(width, _)| usize::from(width.0))
}

/// The width of lines that go to a file or a pipe.
const NO_TERMINAL: usize = 4_000;
