//! Regular expressions in the syntax and with the meaning of Go's (RE2), which the reference's functions
//! have: patterns are translated (`regex/syntax.rs`) for an engine that matches like Go's, leftmost and
//! of those the first. The functions of cty are in `regex/functions.rs`.

mod functions;
mod syntax;

use std::cell::RefCell;
use std::sync::Arc;

use hclkit_value::{Error, Str};
use regex_automata::meta::{self, Regex};
use regex_automata::util::captures::Captures;
use regex_automata::util::syntax::Config;

use crate::limits::{check_length, take_steps};

pub(crate) use functions::{regex, regexall, regexreplace};

/// The memory that one compiled pattern may take.
const SIZE_LIMIT: usize = 64 << 20;

/// How many patterns each thread keeps compiled: compiling takes far longer than matching.
const KEPT: usize = 16;

/// How many steps it takes to compile a byte of a pattern.
const STEPS_TO_COMPILE: u64 = 20;

/// How many steps it takes to find that a pattern is too large.
const STEPS_TO_REFUSE: u64 = 5_000_000;

/// How many bytes of text the engine reads in a step, if it has to follow a single state.
const TEXT_IN_A_STEP: u64 = 4096;

/// How many bytes of a compiled pattern are one state, which the engine may have to look at for each byte of text.
const STATE: usize = 128;

/// A compiled pattern.
pub(crate) struct Pattern {
    engine: Regex,
    /// Of each group its name; the first stands for the whole match and has none.
    names: Vec<Option<Str>>,
    /// About how many states it has.
    states: u64,
}

thread_local! {
    /// The latest patterns, the last used at the end.
    static COMPILED: RefCell<Vec<(String, Arc<Pattern>)>> = const { RefCell::new(Vec::new()) };
}

/// Compiles a pattern.
///
/// # Errors
/// A pattern that Go refuses, and one that would take too much memory.
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
    let engine = Regex::builder()
        // Go's \B may hold anywhere between characters, and an empty match is never inside of one.
        .syntax(Config::new().utf8(false))
        .configure(meta::Config::new().utf8_empty(true).nfa_size_limit(Some(SIZE_LIMIT)))
        .build(&translated.pattern)
        .map_err(|error| {
            if let Err(exceeded) = take_steps(STEPS_TO_REFUSE) {
                return exceeded;
            }
            let why = if error.size_limit().is_some() { "it is too large" } else { "it is too complex" };
            Error::new(format!("invalid regular expression: {why}"))
        })?;
    let states = (engine.memory_usage() / STATE) as u64;
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
    /// The names of the groups, without the one for the whole match.
    pub(crate) fn groups(&self) -> &[Option<Str>] {
        &self.names[1..]
    }

    /// The first match, if there is one.
    ///
    /// # Errors
    /// The search would take too many steps.
    pub(crate) fn find<'a>(&'a self, text: &'a str) -> Result<Option<Match<'a>>, Error> {
        self.take_steps_for_all(text)?;
        Ok(self.find_all(text).next())
    }

    /// Takes the steps that a search through a text may need: in the worst case each byte is looked at in each state.
    pub(crate) fn take_steps_for_all(&self, text: &str) -> Result<(), Error> {
        take_steps((text.len() as u64).saturating_mul(self.states) / 100)
    }

    /// All matches, none of them overlapping another.
    pub(crate) fn find_all<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Match<'a>> {
        self.engine.captures_iter(text).map(move |captures| Match { pattern: self, text, captures })
    }

    /// The text with each match replaced by what the template makes of it: `$1`, `$name`, `${1}` and
    /// `${name}` stand for groups, `$$` for a dollar sign.
    ///
    /// # Errors
    /// A text that would be too long.
    pub(crate) fn replace_all(&self, text: &str, template: &str) -> Result<String, Error> {
        self.take_steps_for_all(text)?;
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for found in self.find_all(text) {
            let (start, end) = found.range();
            out.push_str(&text[done..start]);
            found.take_steps()?;
            found.expand(template, &mut out)?;
            done = end;
        }
        out.push_str(&text[done..]);
        Ok(out)
    }
}

/// One match of a pattern in a text.
pub(crate) struct Match<'a> {
    pattern: &'a Pattern,
    text: &'a str,
    captures: Captures,
}

impl<'a> Match<'a> {
    /// Takes steps for the search. To find a match the engine may have to read to the end of the text, and to do so again
    /// for the next one: that takes time by the square of the text's length, whatever the engine, and is bounded so.
    pub(crate) fn take_steps(&self) -> Result<(), Error> {
        let rest = self.text.len() - self.range().0;
        take_steps(1 + rest as u64 / TEXT_IN_A_STEP)
    }

    /// Where the match begins and ends.
    pub(crate) fn range(&self) -> (usize, usize) {
        self.captures.get_group(0).map_or((0, 0), |span| (span.start, span.end))
    }

    /// What a group matched, if it took part; 0 is the whole match.
    pub(crate) fn group(&self, number: usize) -> Option<&'a str> {
        self.captures.get_group(number).map(|span| &self.text[span.start..span.end])
    }

    /// What the groups matched, without the whole match.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Option<&'a str>> {
        (1..self.pattern.names.len()).map(|number| self.group(number))
    }

    /// Of several groups of one name the one that took part counts.
    fn named(&self, name: &str) -> Option<&'a str> {
        if let Ok(number) = name.parse::<usize>()
            && (name == "0" || !name.starts_with('0'))
        {
            return self.group(number);
        }
        let names = self.pattern.names.iter().enumerate();
        names.filter(|(_, own)| own.as_deref() == Some(name)).find_map(|(number, _)| self.group(number))
    }

    /// Writes the template with the groups it names; those that there are not are empty.
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

/// The name of a group after a dollar sign, and what follows it.
fn reference(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('{');
    let name = inner.unwrap_or(text);
    let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len());
    let (name, rest) = name.split_at(end);
    let rest = if inner.is_some() { rest.strip_prefix('}')? } else { rest };
    (!name.is_empty()).then_some((name, rest))
}
