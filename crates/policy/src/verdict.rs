//! What rules and tests say: verdicts, each about one rule, run or case, and the totals of a suite.

use std::collections::BTreeMap;
use std::fmt;

use hclkit::{Diagnostic, Diagnostics};

/// How a rule, a run or a case ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The condition is true.
    Passed,
    /// The condition is false.
    Failed,
    /// It could not be evaluated, or ended with an error that is not about a condition of its own.
    Errored,
    /// The condition is unknown, because of what this says.
    Unknown(String),
    /// It was not run, because of what this says.
    Skipped(String),
}

impl Outcome {
    /// `passed`, `failed`, `errored`, `unknown` or `skipped`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Errored => "errored",
            Self::Unknown(_) => "unknown",
            Self::Skipped(_) => "skipped",
        }
    }

    /// Why it is unknown or was skipped.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Passed | Self::Failed | Self::Errored => None,
            Self::Unknown(why) | Self::Skipped(why) => Some(why),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())?;
        self.reason().map_or(Ok(()), |why| write!(f, ": {why}"))
    }
}

/// One result: a rule about one block, a `run`, a `test`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Verdict {
    /// The name of the rule, run or case.
    pub name: String,
    /// What it is about: the address of a block, or the file of a test. No value is in it.
    pub subject: String,
    /// How it ended.
    pub outcome: Outcome,
    /// What to report: severity, message, place, and the fix if there is one. None if it passed. No sensitive value is in it.
    pub finding: Option<Diagnostic>,
    /// More to report.
    pub more: Vec<Diagnostic>,
    /// Whether the rule has a fix that cannot be made here, because it depends on values that are not known, are sensitive, or differ
    /// between instances, or because the place is not written in this file.
    pub is_unfixable: bool,
    /// What to say whatever the outcome is. No sensitive value is in it.
    pub notes: Vec<String>,
}

impl Verdict {
    /// Creates a verdict that has no finding.
    pub fn new(name: impl Into<String>, subject: impl Into<String>, outcome: Outcome) -> Self {
        Self {
            name: name.into(),
            subject: subject.into(),
            outcome,
            finding: None,
            more: Vec::new(),
            is_unfixable: false,
            notes: Vec::new(),
        }
    }

    /// The same verdict without what to report, because of what this says.
    #[must_use]
    pub fn skipped(self, why: impl Into<String>) -> Self {
        Self { notes: self.notes, ..Self::new(self.name, self.subject, Outcome::Skipped(why.into())) }
    }

    /// The same verdict where a comment ignores it.
    pub(crate) fn ignored(self) -> Self {
        self.skipped("a comment ignores it")
    }

    /// Sets what to report.
    #[must_use]
    pub fn with_finding(mut self, finding: Diagnostic) -> Self {
        self.finding = Some(finding);
        self
    }
}

/// The results of a file of tests or of rules.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The verdicts, in the order of the files.
    pub verdicts: Vec<Verdict>,
    /// Errors in the files of rules and tests themselves, and in what they read.
    pub problems: Diagnostics,
    /// How often each rule passed, if that is only counted: see [`Rules::check_counted`](crate::Rules::check_counted).
    pub passed: BTreeMap<String, usize>,
}

impl Suite {
    /// Adds the results of another suite.
    pub fn append(&mut self, other: Self) {
        self.verdicts.extend(other.verdicts);
        self.problems.append(other.problems);
        for (name, count) in other.passed {
            *self.passed.entry(name).or_default() += count;
        }
    }

    pub(crate) fn count_passed(&mut self, name: &str) {
        match self.passed.get_mut(name) {
            Some(count) => *count += 1,
            None => _ = self.passed.insert(name.to_owned(), 1),
        }
    }

    /// Counts the verdicts.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals { passed: self.passed.values().sum(), ..Totals::default() };
        self.verdicts.iter().for_each(|verdict| totals.count(&verdict.outcome));
        totals
    }
}

/// The number of verdicts of each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// Those that passed.
    pub passed: usize,
    /// Those that failed.
    pub failed: usize,
    /// Those that ended with an error.
    pub errored: usize,
    /// Those that are unknown.
    pub unknown: usize,
    /// Those that were not run.
    pub skipped: usize,
}

impl Totals {
    /// Counts an outcome.
    pub fn count(&mut self, outcome: &Outcome) {
        *match outcome {
            Outcome::Passed => &mut self.passed,
            Outcome::Failed => &mut self.failed,
            Outcome::Errored => &mut self.errored,
            Outcome::Unknown(_) => &mut self.unknown,
            Outcome::Skipped(_) => &mut self.skipped,
        } += 1;
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        for (count, what) in [(self.errored, "errored"), (self.unknown, "unknown"), (self.skipped, "skipped")]
        {
            if count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        Ok(())
    }
}
