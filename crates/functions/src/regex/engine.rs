//! The regular expression engine, with the feature `regex`.

use std::ops::Range;
use std::sync::OnceLock;

use hclkit_value::Error;
use regex_automata::Input;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::meta::{self, Regex};
use regex_automata::util::captures::Captures;
use regex_automata::util::syntax::Config;

use crate::limits::take_steps;

/// The maximum size of a compiled pattern in bytes.
const SIZE_LIMIT: usize = 64 << 20;

/// The steps for finding out that a pattern is too large.
const STEPS_TO_REFUSE: u64 = 5_000_000;

/// The approximate size of one state in a compiled pattern. The engine may visit every state for each byte of text.
const STATE: usize = 128;

/// Returns true if the engine can parse a pattern.
pub(crate) fn parses(pattern: &str) -> bool {
    regex_automata::util::syntax::parse(pattern).is_ok()
}

/// A compiled pattern.
pub(crate) struct Engine {
    regex: Regex,
    /// The pattern text, and an automaton that reads as far as the engine does, which is created on first use.
    pattern: String,
    reader: OnceLock<Option<DFA>>,
}

/// The memory for searches that count how far they read.
#[derive(Default)]
pub(crate) struct Memory(Option<Cache>);

impl Engine {
    /// Compiles a pattern in the engine's syntax.
    ///
    /// # Errors
    /// It would take too much memory.
    pub(crate) fn new(pattern: &str) -> Result<Self, Error> {
        let engine = Regex::builder()
            // Go's `\B` can match anywhere between characters, but an empty match is never inside a character.
            .syntax(Config::new().utf8(false))
            .configure(meta::Config::new().utf8_empty(true).nfa_size_limit(Some(SIZE_LIMIT)))
            .build(pattern);
        let engine = engine.map(|regex| Self { regex, pattern: pattern.to_owned(), reader: OnceLock::new() });
        engine.map_err(|error| {
            if let Err(exceeded) = take_steps(STEPS_TO_REFUSE) {
                return exceeded;
            }
            let why = if error.size_limit().is_some() { "it is too large" } else { "it is too complex" };
            Error::new(format!("invalid regular expression: {why}"))
        })
    }

    /// The approximate number of states.
    pub(crate) fn states(&self) -> u64 {
        (self.regex.memory_usage() / STATE) as u64
    }

    /// Iterates over all non-overlapping matches.
    pub(crate) fn find_all<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Groups> {
        self.regex.captures_iter(text).map(Groups)
    }

    /// The number of bytes from a position that are read until the next match is certain, or all of them if that is
    /// unknown.
    pub(crate) fn read(&self, text: &str, from: usize, memory: &mut Memory) -> usize {
        self.read_by_automaton(text, from, memory).unwrap_or(text.len() - from)
    }

    fn read_by_automaton(&self, text: &str, from: usize, memory: &mut Memory) -> Option<usize> {
        let config = DFA::config().skip_cache_capacity_check(true);
        let build =
            || DFA::builder().syntax(Config::new().utf8(false)).configure(config).build(&self.pattern).ok();
        let reader = self.reader.get_or_init(build).as_ref()?;
        let cache = memory.0.get_or_insert_with(|| reader.create_cache());
        let mut state = reader.start_state_forward(cache, &Input::new(text).range(from..)).ok()?;
        for (at, &byte) in text.as_bytes()[from..].iter().enumerate() {
            state = reader.next_state(cache, state, byte).ok()?;
            if state.is_dead() {
                return Some(at + 1);
            }
            if state.is_quit() {
                return None;
            }
        }
        Some(text.len() - from)
    }
}

/// The groups of a match; 0 is the whole match.
pub(crate) struct Groups(Captures);

impl Groups {
    /// The range of a group, if it took part in the match.
    pub(crate) fn range(&self, number: usize) -> Option<Range<usize>> {
        self.0.get_group(number).map(|span| span.range())
    }
}
