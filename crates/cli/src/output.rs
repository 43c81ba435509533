//! How a run ends and how it writes: outcomes, failures, standard output whose reader may go away.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::io::{self, ErrorKind, IsTerminal as _, Write};
use std::panic::PanicHookInfo;
use std::process::ExitCode;
use std::rc::Rc;

use clap::builder::styling::{AnsiColor, Style};
use hclkit::limits::Meter;
use hclkit::render::{Renderer, Report, VisibleJson};
use hclkit::syntax::{visible, visible_line};

use crate::args::Spacing;

/// How a run ended that did what it was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Nothing to complain of.
    Fine,
    /// There are problems in what was read.
    Problems,
    /// Something could not be read at all, which was reported.
    Unreadable,
}

impl Outcome {
    pub(crate) fn exit_code(self) -> ExitCode {
        ExitCode::from(self as u8)
    }
}

/// Why a run ended before it did what it was told.
#[derive(Debug)]
pub(crate) struct Failure {
    /// Nothing to say where the reader of the output went away.
    message: Option<String>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: Some(message.into()) }
    }

    /// Whether it is nothing but that nobody reads on.
    pub(crate) fn is_unread_output(&self) -> bool {
        self.message.is_none()
    }

    /// Says what is wrong, and with which code to end.
    pub(crate) fn end(&self) -> ExitCode {
        match &self.message {
            // As for a reader that has seen enough: `hcl … | head`.
            None => ExitCode::SUCCESS,
            Some(message) => {
                complain(message);
                ExitCode::from(2)
            }
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Self { message: None },
            _ => Self::new(format!("cannot write: {error}")),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message.as_deref().unwrap_or_default())
    }
}

const LOUD: Style = AnsiColor::BrightRed.on_default().bold();

/// Prints an error that has no place in a source.
pub(crate) fn complain(message: impl fmt::Display) {
    // Nobody is left to be told where standard error is gone too.
    let _ =
        writeln!(anstream::stderr().lock(), "{LOUD}error{LOUD:#}: {}", visible_line(&message.to_string()));
}

/// Of a panic only the place is printed: its message may contain a part of a value, and that may be sensitive.
pub(crate) fn report_panics_without_their_message() {
    std::panic::set_hook(Box::new(|panic| complain(place_of(panic))));
}

fn place_of(panic: &PanicHookInfo<'_>) -> String {
    panic.location().map_or_else(|| "internal error".to_owned(), |place| format!("internal error at {place}"))
}

/// Prints a warning that has no place in a source.
pub(crate) fn warn(message: impl fmt::Display) {
    let style = AnsiColor::Yellow.on_default().bold();
    let _ = writeln!(anstream::stderr().lock(), "{style}warning{style:#}: {}", visible(&message.to_string()));
}

/// Prints reports on standard error, a blank line between them.
pub(crate) fn print_reports<'a>(reports: impl IntoIterator<Item = Report<'a>>) -> Result<(), Failure> {
    let renderer = Renderer::coloured();
    let mut out = anstream::stderr().lock();
    for (index, report) in reports.into_iter().enumerate() {
        let gap = if index > 0 { "\n" } else { "" };
        writeln!(out, "{gap}{}", renderer.report(&report))?;
    }
    Ok(())
}

/// How many columns lines have on a terminal; where none shows them, nothing needs to be cut.
#[cfg(not(windows))]
pub(crate) fn width_of(stream: &impl std::os::fd::AsFd) -> usize {
    terminal_size::terminal_size_of(stream).map_or(NO_TERMINAL, |(width, _)| usize::from(width.0))
}

/// How many columns lines have on a terminal; where none shows them, nothing needs to be cut.
#[cfg(windows)]
pub(crate) fn width_of(stream: &impl std::os::windows::io::AsHandle) -> usize {
    terminal_size::terminal_size_of(stream).map_or(NO_TERMINAL, |(width, _)| usize::from(width.0))
}

/// Explanations are not wider than this, however wide the terminal is.
pub(crate) const MAX_EXPLANATION: usize = 120;
/// The width of lines that go to a file or a pipe.
const NO_TERMINAL: usize = 4_000;

/// Prints what reading the command line ended with, help or what is wrong, and ends the program.
pub(crate) fn end(error: &clap::Error) -> ! {
    let text = error.render().to_string();
    let printed = match visible(&text) {
        shown if shown == text => error.print(),
        // Arguments that would do something to the terminal cost the colours.
        shown => write!(io::stderr(), "{shown}"),
    };
    match printed.and_then(|()| io::stdout().flush()).map_err(Failure::from) {
        Err(failure) if !failure.is_unread_output() => {
            complain(failure);
            std::process::exit(2)
        }
        _ => std::process::exit(error.exit_code()),
    }
}

/// Prints bytes on standard output: as they are to a file or a pipe, and at a terminal what can be seen of them.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        out.write_all(visible(&String::from_utf8_lossy(bytes)).as_bytes())?;
    } else {
        out.write_all(bytes)?;
    }
    Ok(out.flush()?)
}

/// Source text as it is printed: as it is to a file or a pipe, and at a terminal what can be seen of it.
pub(crate) fn printed(text: &str) -> Cow<'_, str> {
    if io::stdout().is_terminal() { visible(text) } else { Cow::Borrowed(text) }
}

/// Takes the bytes that are written from the limits.
struct Metered<W> {
    out: W,
    meter: Rc<Meter>,
}

impl<W: Write> Write for Metered<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.meter.take_bytes(bytes.len()).map_err(io::Error::other)?;
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a value as JSON with a line break at its end: on one line or on several.
pub(crate) fn write_json(
    value: &(impl serde::Serialize + ?Sized),
    spacing: Spacing,
    out: impl Write,
) -> serde_json::Result<()> {
    let mut out = VisibleJson(Metered { out, meter: Meter::current() });
    if spacing.compact {
        serde_json::to_writer(&mut out, value)?;
    } else {
        serde_json::to_writer_pretty(&mut out, value)?;
    }
    out.write_all(b"\n").map_err(serde_json::Error::io)
}

/// Prints a unified diff on standard output: in colours and with control characters made visible, or byte for byte where
/// colours are not wanted.
pub(crate) fn print_diff(diff: &str) -> Result<(), Failure> {
    if anstream::AutoStream::choice(&io::stdout()) == anstream::ColorChoice::Never {
        return print_bytes(diff.as_bytes());
    }
    let mut styled = String::with_capacity(diff.len());
    for line in diff.lines() {
        let style = match line.as_bytes() {
            [b'+', ..] => AnsiColor::Green.on_default(),
            [b'-', ..] => AnsiColor::Red.on_default(),
            [b'@', ..] => AnsiColor::Cyan.on_default(),
            _ => Style::new(),
        };
        let _ = writeln!(styled, "{style}{}{style:#}", visible(line));
    }
    print_styled(&styled)
}

/// Prints text with colours on standard output, where those are wanted.
pub(crate) fn print_styled(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Prints a JSON value on standard output, over several lines.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    write_json(value, Spacing::default(), &mut out)?;
    Ok(out.flush()?)
}

/// Bytes of stack that a thread needs to parse and convert at a limit of nesting, debug builds included.
pub(crate) fn stack_size(max_nesting: u32) -> usize {
    const LEVEL: usize = 4 << 10;
    (8 << 20) + max_nesting as usize * LEVEL
}

#[cfg(test)]
mod tests {
    use std::panic;
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn of_a_panic_only_the_place_is_printed() {
        let (said, heard) = mpsc::channel();
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| _ = said.send(place_of(panic))));
        let secret = String::from("hunter2");
        let ended = std::thread::spawn(move || assert_eq!(secret, "x", "{secret}")).join();
        panic::set_hook(usual);
        assert!(ended.is_err());
        let said = heard.recv().unwrap();
        assert!(said.contains("output.rs:") && !said.contains("hunter2"), "{said}");
    }
}
