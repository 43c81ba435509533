//! The output of a run, whose reader may close it, and its messages.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::panic::PanicHookInfo;
use std::rc::Rc;

use clap::builder::styling::{AnsiColor, Style};
use clap::error::ContextValue;
use hclkit::Diagnostic;
use hclkit::limits::Meter;
use hclkit::render::{Renderer, VisibleJson};
use hclkit::syntax::{visible, visible_line};

use crate::args::Spacing;
use crate::host;
use crate::outcome::Failure;

const LOUD: Style = AnsiColor::BrightRed.on_default().bold();

/// Reports why a run could not be completed, and returns the exit code.
pub(crate) fn end_failed(failure: &Failure) -> u8 {
    failure.message().into_iter().for_each(complain);
    failure.exit_code()
}

/// Prints an error without a source location.
pub(crate) fn complain(message: impl fmt::Display) {
    // Errors of standard error cannot be reported.
    let _ = writeln!(host::styled_stderr(), "{LOUD}error{LOUD:#}: {}", visible_line(&message.to_string()));
}

/// The message for a panic, after its location.
pub(crate) const INTERNAL_ERROR: &str = "internal error; please report it with the input that caused it";

/// Prints only the location of a panic. Its message may contain a part of a sensitive value.
pub fn report_panics_without_their_message() {
    std::panic::set_hook(Box::new(|panic| complain(place_of(panic))));
}

fn place_of(panic: &PanicHookInfo<'_>) -> String {
    panic.location().map_or_else(|| "internal error".to_owned(), |place| format!("internal error at {place}"))
}

/// Prints a warning without a source location, unless the run is quiet.
pub(crate) fn warn(message: impl fmt::Display) {
    if host::Host::current().is_quiet() {
        return;
    }
    let style = AnsiColor::Yellow.on_default().bold();
    let line = format!("{style}warning{style:#}: {}\n", visible_line(&message.to_string()));
    let _ = host::styled_stderr().write_all(line.as_bytes());
}

/// Prints a note on standard error, unless the run is quiet.
pub(crate) fn note(message: impl fmt::Display) {
    if host::Host::current().is_quiet() {
        return;
    }
    let style = AnsiColor::Cyan.on_default().bold();
    let line = format!("{style}note{style:#}: {}\n", visible_line(&message.to_string()));
    let _ = host::styled_stderr().write_all(line.as_bytes());
}

/// Prints diagnostics on standard error, separated by blank lines. A quiet run has no warnings.
pub(crate) fn print_diagnostics<'a>(
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
) -> Result<(), Failure> {
    let renderer = Renderer::colored();
    let mut out = host::styled_stderr();
    let is_quiet = host::Host::current().is_quiet();
    let shown = diagnostics.into_iter().filter(|diagnostic| !is_quiet || diagnostic.is_error());
    for (index, diagnostic) in shown.enumerate() {
        let gap = if index > 0 { "\n" } else { "" };
        writeln!(out, "{gap}{}", renderer.diagnostic(diagnostic))?;
    }
    Ok(())
}

/// Prints the path of a file that was written, and what was written, unless the run is quiet.
pub(crate) fn print_written(name: &str, what: &str) -> Result<(), Failure> {
    if host::Host::current().is_quiet() {
        return Ok(());
    }
    print_bytes(format!("{}: {what}\n", visible_line(name)).as_bytes())
}

/// A count, such as `3 files`.
pub(crate) fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// The maximum width of explanations, even on wider terminals.
pub(crate) const MAX_EXPLANATION: usize = 120;

/// Replaces line breaks in the arguments shown by an error, so that an argument cannot look like a message.
pub(crate) fn on_one_line(mut error: clap::Error) -> clap::Error {
    let shown = |text: &String| visible_line(text).into_owned();
    let context: Vec<_> = error
        .context()
        .filter_map(|(kind, value)| match value {
            ContextValue::String(text) => Some((kind, ContextValue::String(shown(text)))),
            ContextValue::Strings(texts) => {
                Some((kind, ContextValue::Strings(texts.iter().map(shown).collect())))
            }
            // Suggestions that repeat such an argument lose their colors.
            ContextValue::StyledStrs(texts) => {
                let shown = texts.iter().map(|text| match text.to_string() {
                    plain if visible_line(&plain) == plain => text.clone(),
                    plain => visible_line(&plain).into_owned().into(),
                });
                Some((kind, ContextValue::StyledStrs(shown.collect())))
            }
            _ => None,
        })
        .collect();
    for (kind, value) in context {
        error.insert(kind, value);
    }
    error
}

/// Prints the help or the error that parsing the command line returned. Returns the exit code.
pub(crate) fn end(error: clap::Error) -> u8 {
    let error = on_one_line(error);
    let text = error.render();
    let plain = text.to_string();
    let mut out = if error.use_stderr() { host::styled_stderr() } else { host::styled_stdout() };
    let printed = match visible(&plain) {
        shown if shown == plain => write!(out, "{}", text.ansi()),
        // Colors are removed if arguments contain control characters.
        shown => write!(out, "{shown}"),
    };
    match printed.and_then(|()| out.flush()).map_err(Failure::from) {
        Err(failure) if !failure.is_unread_output() => end_failed(&failure),
        _ => u8::try_from(error.exit_code()).unwrap_or(2),
    }
}

/// Prints bytes on standard output: unchanged to a file or a pipe, and with control characters made visible on a
/// terminal.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = host::stdout();
    if host::stdout_is_terminal() {
        out.write_all(visible(&String::from_utf8_lossy(bytes)).as_bytes())?;
    } else {
        out.write_all(bytes)?;
    }
    Ok(out.flush()?)
}

/// The text to print: unchanged for a file or a pipe, and with control characters made visible for a terminal.
pub(crate) fn printed(text: &str) -> Cow<'_, str> {
    if host::stdout_is_terminal() { visible(text) } else { Cow::Borrowed(text) }
}

/// Counts the written bytes toward the limits.
pub(crate) struct Metered<W> {
    out: W,
    meter: Rc<Meter>,
}

impl<W> Metered<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, meter: Meter::current() }
    }
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

/// A writer for JSON that escapes characters that cannot be seen, and counts the bytes toward the limits.
pub(crate) fn json_writer<W: Write>(out: W) -> VisibleJson<Metered<W>> {
    VisibleJson(Metered::new(out))
}

/// Writes a value as JSON on one or several lines, followed by a line break.
pub(crate) fn write_json(
    value: &(impl serde::Serialize + ?Sized),
    spacing: Spacing,
    out: impl Write,
) -> serde_json::Result<()> {
    let mut out = json_writer(out);
    if spacing.compact {
        serde_json::to_writer(&mut out, value)?;
    } else {
        serde_json::to_writer_pretty(&mut out, value)?;
    }
    out.write_all(b"\n").map_err(serde_json::Error::io)
}

/// Prints a unified diff on standard output: with colors and visible control characters, or byte for byte if colors are
/// disabled.
pub(crate) fn print_diff(diff: &str) -> Result<(), Failure> {
    if !host::stdout_is_colored() {
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

/// Prints text on standard output, with colors if enabled.
pub(crate) fn print_styled(text: &str) -> Result<(), Failure> {
    let mut out = host::styled_stdout();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Prints a JSON value on standard output on several lines.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(host::stdout());
    write_json(value, Spacing::default(), &mut out)?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use std::panic;
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn only_the_place_of_a_panic_is_printed() {
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
