//! Regular expressions with the syntax and semantics of Go's RE2, which the reference uses. Patterns are translated
//! (`regex/syntax.rs`) for an engine that, like Go's, finds the leftmost match and prefers earlier alternatives. The
//! functions of cty are in `regex/functions.rs`.

#[cfg(feature = "regex")]
mod engine;
mod functions;
mod syntax;

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use hclkit_value::{Error, Str};

use crate::limits::{check_length, take_steps};
#[cfg(not(feature = "regex"))]
use crate::missing::engine;
use engine::{Engine, Groups, Memory};

pub(crate) use functions::{regex, regexall, regexreplace};

/// The number of compiled patterns that each thread caches: compiling takes much longer than matching.
const KEPT: usize = 16;

/// The steps to compile one byte of a pattern.
const STEPS_TO_COMPILE: u64 = 20;

/// The number of steps for searches that might read to the end of the text for each match. After that, the bytes that
/// the engine reads are counted.
const UNCOUNTED_STEPS: u64 = 1_000_000;

/// A compiled pattern.
pub(crate) struct Pattern {
    engine: Engine,
    /// The name of each group. The first group is the whole match and has no name.
    names: Vec<Option<Str>>,
    /// The approximate number of states.
    states: u64,
}

thread_local! {
    /// The cached patterns; the most recently used one is last.
    static COMPILED: RefCell<Vec<(String, Arc<Pattern>)>> = const { RefCell::new(Vec::new()) };
}

/// Compiles a pattern.
///
/// # Errors
/// Go rejects the pattern, or it would take too much memory.
pub(crate) fn compile(pattern: &str) -> Result<Arc<Pattern>, Error> {
    let known = COMPILED.with_borrow_mut(|compiled| {
        let at = compiled.iter().rposition(|(text, _)| text == pattern)?;
        let last = compiled.len() - 1;
        compiled[at..].rotate_left(1);
        Some(compiled[last].1.clone())
    });
    if let Some(known) = known {
        return Ok(known);
    }
    take_steps(pattern.len() as u64 * STEPS_TO_COMPILE)?;
    let translated = syntax::translate(pattern)?;
    let engine = Engine::new(&translated.pattern)?;
    let states = engine.states();
    let pattern_kept = Arc::new(Pattern { engine, names: translated.names, states });
    COMPILED.with_borrow_mut(|compiled| {
        if compiled.len() == KEPT {
            compiled.remove(0);
        }
        compiled.push((pattern.to_owned(), pattern_kept.clone()));
    });
    Ok(pattern_kept)
}

impl Pattern {
    /// The names of the groups, without the whole match.
    pub(crate) fn groups(&self) -> &[Option<Str>] {
        &self.names[1..]
    }

    /// Returns the first match.
    ///
    /// # Errors
    /// The search would take too many steps.
    pub(crate) fn find<'a>(&'a self, text: &'a str) -> Result<Option<Match<'a>>, Error> {
        self.take_steps_for_all(text)?;
        Ok(self.find_all(text).next())
    }

    /// Takes the steps that a search through a text may need: in the worst case, every state is visited for each byte.
    pub(crate) fn take_steps_for_all(&self, text: &str) -> Result<(), Error> {
        take_steps(self.steps(text.len()))
    }

    /// The steps to read this number of bytes.
    fn steps(&self, bytes: usize) -> u64 {
        (bytes as u64).saturating_mul(self.states) / 100
    }

    /// Iterates over all non-overlapping matches.
    pub(crate) fn find_all<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Match<'a>> {
        self.engine.find_all(text).map(move |groups| Match { pattern: self, text, groups })
    }

    /// Replaces each match with the expanded template: `$1`, `$name`, `${1}` and `${name}` insert groups, and `$$`
    /// inserts a dollar sign.
    ///
    /// # Errors
    /// The result would be too long.
    pub(crate) fn replace_all(&self, text: &str, template: &str) -> Result<String, Error> {
        self.take_steps_for_all(text)?;
        let mut out = String::with_capacity(text.len());
        let (mut done, mut reading) = (0, Reading::new(self, text));
        for found in self.find_all(text) {
            let range = found.range();
            out.push_str(&text[done..range.start]);
            reading.take_steps(&found)?;
            found.expand(template, &mut out)?;
            done = range.end;
        }
        out.push_str(&text[done..]);
        Ok(out)
    }
}

/// The searches for all matches of a pattern in a text. With any engine, finding a match may require reading to the
/// end of the text, and then again for the next match, which takes quadratic time. Therefore the bytes that are read
/// count as steps.
pub(crate) struct Reading<'a> {
    pattern: &'a Pattern,
    text: &'a str,
    /// Where the next search begins.
    from: usize,
    /// The steps that remain before the bytes that are read are counted.
    uncounted: u64,
    memory: Memory,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(pattern: &'a Pattern, text: &'a str) -> Self {
        Reading { pattern, text, from: 0, uncounted: UNCOUNTED_STEPS, memory: Memory::default() }
    }

    /// Takes steps for the search that found the next match.
    pub(crate) fn take_steps(&mut self, found: &Match<'_>) -> Result<(), Error> {
        let from = self.from;
        self.from = found.range().end;
        let most = self.pattern.steps(self.text.len() - from);
        if let Some(left) = self.uncounted.checked_sub(most) {
            self.uncounted = left;
            return take_steps(1);
        }
        let read = self.pattern.engine.read(self.text, from, &mut self.memory);
        take_steps(self.pattern.steps(read).saturating_add(1))
    }
}

/// A match of a pattern in a text.
pub(crate) struct Match<'a> {
    pattern: &'a Pattern,
    text: &'a str,
    groups: Groups,
}

impl<'a> Match<'a> {
    /// The start and end of the match.
    pub(crate) fn range(&self) -> Range<usize> {
        self.groups.range(0).unwrap_or_default()
    }

    /// The text of a group, if it took part in the match. Group 0 is the whole match.
    pub(crate) fn group(&self, number: usize) -> Option<&'a str> {
        self.groups.range(number).map(|range| &self.text[range])
    }

    /// The text of each group, without the whole match.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Option<&'a str>> {
        (1..self.pattern.names.len()).map(|number| self.group(number))
    }

    /// The text of a named group. If several groups share the name, it is the one that took part in the match.
    fn named(&self, name: &str) -> Option<&'a str> {
        if let Ok(number) = name.parse::<usize>()
            && (name == "0" || !name.starts_with('0'))
        {
            return self.group(number);
        }
        let names = self.pattern.names.iter().enumerate();
        names.filter(|(_, own)| own.as_deref() == Some(name)).find_map(|(number, _)| self.group(number))
    }

    /// Expands a template. Groups that do not exist are empty.
    fn expand(&self, template: &str, out: &mut String) -> Result<(), Error> {
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('$') {
            out.push_str(before);
            if let Some(after) = after.strip_prefix('$') {
                out.push('$');
                rest = after;
                continue;
            }
            rest = after;
            if let Some((name, after)) = reference(after) {
                out.push_str(self.named(name).unwrap_or_default());
                check_length(out.len())?;
                rest = after;
            } else {
                out.push('$');
            }
        }
        out.push_str(rest);
        check_length(out.len())
    }
}

/// Parses a group reference after a dollar sign. Returns the name and the rest of the text.
fn reference(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('{');
    let name = inner.unwrap_or(text);
    let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len());
    let (name, rest) = name.split_at(end);
    let rest = if inner.is_some() { rest.strip_prefix('}')? } else { rest };
    (!name.is_empty()).then_some((name, rest))
}
