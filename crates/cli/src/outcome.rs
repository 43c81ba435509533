//! How a run ends: its outcome, or why it could not be completed.

use std::fmt;
use std::io::{self, ErrorKind};

use hclkit::render::Totals;
use hclkit::{Code, Diagnostics};

use crate::output::complain;

/// The outcome of a completed run, which is the exit code. `hcldec` has exit codes of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// No problems were found.
    Fine = 0,
    /// Errors were found in the input.
    Problems = 1,
    /// Some input could not be read, or a limit ended some of the work, which was reported.
    Incomplete = 2,
    /// Files are not formatted, and the selected tool has its own exit code for this.
    Unformatted = 3,
}

impl Outcome {
    /// The outcome of a run with errors. If a limit ended some of the work or a file could not be read, there may be more
    /// problems than were found.
    pub(crate) fn of_errors(errors: &Diagnostics) -> Self {
        let is_unread = |code: Code| code == Code::UnreadableFile;
        let unread = errors.iter().any(|error| error.is_error() && error.code().is_some_and(is_unread));
        if unread || errors.has_limit() { Self::Incomplete } else { Self::Problems }
    }

    /// The outcome of a run with a report, which was written or not. What could not be read or written is named on standard
    /// error. `is_limited` says whether a limit ended some of the work.
    pub(crate) fn of_report(
        written: io::Result<()>,
        totals: &Totals,
        is_limited: bool,
    ) -> Result<Self, Failure> {
        match written.map_err(Failure::from) {
            Ok(()) => totals.failed.iter().for_each(complain),
            Err(failure) if failure.is_unread_output() => {}
            Err(failure) => return Err(failure),
        }
        Ok(if is_limited || !totals.failed.is_empty() {
            Self::Incomplete
        } else if totals.errors > 0 {
            Self::Problems
        } else {
            Self::Fine
        })
    }

    pub(crate) fn exit_code(self) -> u8 {
        self as u8
    }
}

/// Why a run could not be completed.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The message, or nothing if the reader closed the output.
    message: Option<String>,
    found_nothing: bool,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: Some(message.into()), found_nothing: false }
    }

    /// There is nothing at an address.
    pub(crate) fn nothing_at(address: &str, why: &str) -> Self {
        Self { message: Some(format!("nothing found at {address}{why}")), found_nothing: true }
    }

    /// Whether there is nothing at an address.
    pub(crate) fn has_found_nothing(&self) -> bool {
        self.found_nothing
    }

    /// Whether the only reason is that the reader closed the output.
    pub(crate) fn is_unread_output(&self) -> bool {
        self.message.is_none()
    }

    /// The exit code, which that of a wrong command line equals. If the reader closed the output, as in `hcl … | head`, nothing
    /// failed.
    pub(crate) fn exit_code(&self) -> u8 {
        if self.is_unread_output() { Outcome::Fine } else { Outcome::Incomplete }.exit_code()
    }

    /// The message, or nothing if the reader closed the output.
    pub(crate) fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Self { message: None, found_nothing: false },
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

/// Why an operation has no result.
pub(crate) enum CommandError {
    /// The input has errors.
    Problems(Diagnostics),
    /// The input could not be read, or the options are invalid.
    Failure(Failure),
}

impl From<Diagnostics> for CommandError {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Problems(diagnostics)
    }
}

impl From<Failure> for CommandError {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// The diagnostics to report at the end of a run, including warnings, and its outcome.
pub(crate) fn outcome_of(
    ended: Result<(), CommandError>,
    warnings: Diagnostics,
) -> Result<(Diagnostics, Outcome), Failure> {
    match ended {
        Ok(()) => Ok((warnings, Outcome::Fine)),
        Err(CommandError::Problems(mut found)) => {
            found.append(warnings);
            let outcome = Outcome::of_errors(&found);
            Ok((found, outcome))
        }
        Err(CommandError::Failure(failure)) => Err(failure),
    }
}
