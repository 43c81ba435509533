//! Regular expressions in the syntax and with the meaning of Go's (RE2), which the reference's functions
//! have: patterns are translated (`regex/syntax.rs`) for an engine that matches like Go's, leftmost and
//! of those the first. The functions of cty are in `regex/functions.rs`.

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
use engine::{Engine, Groups};

pub(crate) use functions::{regex, regexall, regexreplace};

/// How many patterns each thread keeps compiled: compiling takes far longer than matching.
const KEPT: usize = 16;

/// How many steps it takes to compile a byte of a pattern.
const STEPS_TO_COMPILE: u64 = 20;

/// How many bytes of text the engine reads in a step, if it has to follow a single state.
const TEXT_IN_A_STEP: u64 = 4096;

/// A compiled pattern.
pub(crate) struct Pattern {
    engine: Engine,
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
        self.engine.find_all(text).map(move |groups| Match { pattern: self, text, groups })
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
            let range = found.range();
            out.push_str(&text[done..range.start]);
            found.take_steps()?;
            found.expand(template, &mut out)?;
            done = range.end;
        }
        out.push_str(&text[done..]);
        Ok(out)
    }
}

/// One match of a pattern in a text.
pub(crate) struct Match<'a> {
    pattern: &'a Pattern,
    text: &'a str,
    groups: Groups,
}

impl<'a> Match<'a> {
    /// Takes steps for the search. To find a match the engine may have to read to the end of the text, and to do so again
    /// for the next one: that takes time by the square of the text's length, whatever the engine, and is bounded so.
    pub(crate) fn take_steps(&self) -> Result<(), Error> {
        let rest = self.text.len() - self.range().start;
        take_steps(1 + rest as u64 / TEXT_IN_A_STEP)
    }

    /// Where the match begins and ends.
    pub(crate) fn range(&self) -> Range<usize> {
        self.groups.range(0).unwrap_or_default()
    }

    /// What a group matched, if it took part; 0 is the whole match.
    pub(crate) fn group(&self, number: usize) -> Option<&'a str> {
        self.groups.range(number).map(|range| &self.text[range])
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
