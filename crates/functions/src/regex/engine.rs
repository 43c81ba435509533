//! The engine that matches, by the feature `regex`.

use std::ops::Range;

use hclkit_value::Error;
use regex_automata::meta::{self, Regex};
use regex_automata::util::captures::Captures;
use regex_automata::util::syntax::Config;

use crate::limits::take_steps;

/// The memory that one compiled pattern may take.
const SIZE_LIMIT: usize = 64 << 20;

/// How many steps it takes to find that a pattern is too large.
const STEPS_TO_REFUSE: u64 = 5_000_000;

/// How many bytes of a compiled pattern are one state, which the engine may have to look at for each byte of text.
const STATE: usize = 128;

/// Whether the engine can read a pattern.
pub(crate) fn parses(pattern: &str) -> bool {
    regex_automata::util::syntax::parse(pattern).is_ok()
}

/// A compiled pattern.
pub(crate) struct Engine(Regex);

impl Engine {
    /// Compiles a pattern in the engine's syntax.
    ///
    /// # Errors
    /// It would take too much memory.
    pub(crate) fn new(pattern: &str) -> Result<Engine, Error> {
        let engine = Regex::builder()
            // Go's \B may hold anywhere between characters, and an empty match is never inside of one.
            .syntax(Config::new().utf8(false))
            .configure(meta::Config::new().utf8_empty(true).nfa_size_limit(Some(SIZE_LIMIT)))
            .build(pattern);
        engine.map(Engine).map_err(|error| {
            if let Err(exceeded) = take_steps(STEPS_TO_REFUSE) {
                return exceeded;
            }
            let why = if error.size_limit().is_some() { "it is too large" } else { "it is too complex" };
            Error::new(format!("invalid regular expression: {why}"))
        })
    }

    /// About how many states it has.
    pub(crate) fn states(&self) -> u64 {
        (self.0.memory_usage() / STATE) as u64
    }

    /// All matches, none of them overlapping another.
    pub(crate) fn find_all<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Groups> {
        self.0.captures_iter(text).map(Groups)
    }
}

/// The groups of a match; 0 is the whole match.
pub(crate) struct Groups(Captures);

impl Groups {
    /// Where a group matched, if it took part.
    pub(crate) fn range(&self, number: usize) -> Option<Range<usize>> {
        self.0.get_group(number).map(|span| span.range())
    }
}
