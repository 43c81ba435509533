//! Reads entries from a terminal, with editing, history, completion and continuation lines.

use std::borrow::Cow;
use std::path::PathBuf;

use hclkit::Context;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Helper};

use super::complete::complete;
use super::entry::Lines;
use crate::host;
use crate::outcome::Failure;

const PROMPT: &str = "> ";
/// The prompt of a continuation line.
const CONTINUATION: &str = "… ";
const MAX_HISTORY: usize = 1_000;

/// A line of input.
pub(super) enum Line {
    Entry(String),
    /// Ctrl-C
    Cancelled,
    /// Ctrl-D
    End,
}

pub(super) struct Editor {
    inner: rustyline::Editor<Assistant, FileHistory>,
    /// The history file, if the history is enabled.
    history: Option<PathBuf>,
}

impl Editor {
    pub(super) fn new(keep_history: bool, context: Context) -> Result<Self, Failure> {
        let config = Config::builder()
            .max_history_size(MAX_HISTORY)
            .and_then(|config| config.history_ignore_dups(true))
            .map(|config| config.history_ignore_space(true).completion_type(CompletionType::List).build());
        let inner = config.and_then(rustyline::Editor::with_config);
        let mut inner = inner.map_err(|error| Failure::new(format!("cannot use the terminal: {error}")))?;
        let colored = host::stdout_is_colored();
        inner.set_helper(Some(Assistant { context, colored }));
        let history = if keep_history { history_file() } else { None };
        if let Some(path) = &history {
            // The file does not exist before the first session.
            let _ = inner.load_history(path);
        }
        Ok(Self { inner, history })
    }

    /// Sets the context for completion.
    pub(super) fn set_context(&mut self, context: Context) {
        if let Some(assistant) = self.inner.helper_mut() {
            assistant.context = context;
        }
    }

    pub(super) fn read(&mut self) -> Result<Line, Failure> {
        let mut lines = Lines::default();
        loop {
            let prompt = if lines.text().is_empty() { PROMPT } else { CONTINUATION };
            match self.inner.readline(prompt) {
                Ok(line) => {
                    if !lines.add(&format!("{line}\n")) {
                        continue;
                    }
                }
                Err(ReadlineError::Interrupted) => return Ok(Line::Cancelled),
                Err(ReadlineError::Eof) if lines.text().is_empty() => return Ok(Line::End),
                // Evaluation reports the unclosed construct.
                Err(ReadlineError::Eof) => {}
                Err(error) => return Err(Failure::new(format!("cannot read from the terminal: {error}"))),
            }
            let entry = lines.into_text().trim_end_matches('\n').to_owned();
            self.keep(&entry);
            return Ok(Line::Entry(entry));
        }
    }

    /// Adds a line to the history. Errors are ignored.
    fn keep(&mut self, line: &str) {
        if !line.trim().is_empty()
            && matches!(self.inner.add_history_entry(line), Ok(true))
            && let Some(path) = &self.history
        {
            let folder = path.parent().map(std::fs::create_dir_all);
            if matches!(folder, Some(Ok(()))) {
                let _ = self.inner.append_history(path);
            }
        }
    }
}

/// The path of the history file on this system.
fn history_file() -> Option<PathBuf> {
    Some(host::directory_of_user("XDG_STATE_HOME", ".local/state")?.join("history"))
}

/// Completes names.
struct Assistant {
    context: Context,
    colored: bool,
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(complete(&self.context, line, cursor))
    }
}

impl Validator for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Highlighter for Assistant {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        if self.colored { Cow::Owned(format!("\x1b[1;34m{prompt}\x1b[0m")) } else { Cow::Borrowed(prompt) }
    }
}

impl Helper for Assistant {}
