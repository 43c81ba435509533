//! Fixes: the changes that diagnostics suggest, and how to apply them. A document tests each fix before it offers it:
//! the fixed text must have fewer errors and no new ones.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use hclkit_limits::Limits;

use crate::{Code, Diagnostic, Diagnostics, Source, Span};

/// The maximum number of fixes to test one by one. More fixes are tested in this many groups.
const TRIES: usize = 32;
/// The maximum number of bytes to parse again for tests, unless parsing the text once takes more.
const BYTES: usize = 1 << 20;
/// The maximum number of rounds in which fixes are applied to a text. The bytes to parse for that are bounded too,
/// unless parsing the text a few times takes more.
const ROUNDS: usize = 256;
const BYTES_OF_ALL: usize = 128 << 20;
/// The maximum number of errors to keep for fixing them together. With fewer, a text with many errors would be parsed
/// again for each part of them.
const MOST_TOGETHER: usize = 100_000;

/// One replacement in the text; an empty span inserts, an empty replacement deletes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The span to replace.
    pub span: Span,
    /// The new text.
    pub replacement: Cow<'static, str>,
}

/// A suggested change that a tool can apply. All of its edits belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What the change does, in the imperative: "Use double quotes".
    pub title: Cow<'static, str>,
    /// The edits, in source order, without overlaps.
    pub edits: Vec<Edit>,
}

impl Edit {
    /// Replaces a span with a text.
    pub fn new<'t>(span: Span, replacement: impl Into<Cow<'t, str>>) -> Self {
        Self { span, replacement: Cow::Owned(replacement.into().into_owned()) }
    }
}

impl Fix {
    /// A change of several edits, in source order and without overlaps.
    pub fn new<'t>(title: impl Into<Cow<'t, str>>, edits: impl IntoIterator<Item = Edit>) -> Self {
        let title = Cow::Owned(title.into().into_owned());
        Self { title, edits: edits.into_iter().collect() }
    }
}

/// Applies the edits of fixes to a text, and skips each fix that overlaps an earlier one.
///
/// Returns the new text and the number of applied fixes. [`Edited`] returns more detail.
///
/// ```
/// use hclkit_syntax::{apply_fixes, parse};
/// let document = parse("a = 'x'\n");
/// let fixes = document.diagnostics().iter().filter_map(|diagnostic| diagnostic.fix());
/// assert_eq!(apply_fixes(document.source().text(), fixes), ("a = \"x\"\n".to_owned(), 1));
/// ```
pub fn apply_fixes<'f>(text: &str, fixes: impl IntoIterator<Item = &'f Fix>) -> (String, usize) {
    let edited = Edited::new(text, fixes);
    (edited.text, edited.applied.len())
}

/// A text with fixes applied.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edited {
    /// The new text.
    pub text: String,
    /// The indices of the applied fixes among those given.
    pub applied: Vec<usize>,
    /// Maps positions in the new text to the old text.
    pub moves: PositionMap,
}

/// How edits moved positions in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PositionMap {
    /// The spans that edits replaced, in the old text and in the new one: one list for the edits that were applied
    /// together, in order.
    steps: Vec<Vec<(Span, Span)>>,
}

impl Edited {
    /// Applies fixes to a text, and skips each fix that overlaps an earlier one.
    ///
    /// Line breaks in replacements become those of the text's first line. Insertions at one place keep the order of
    /// their fixes. A span outside the text, or not on character boundaries, counts as overlapping.
    pub fn new<'f>(text: &str, fixes: impl IntoIterator<Item = &'f Fix>) -> Self {
        let mut edits = BTreeMap::<Span, Vec<&Edit>>::new();
        let mut applied = Vec::new();
        for (number, fix) in fixes.into_iter().enumerate() {
            let apart = fix.edits.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
            if apart && fix.edits.iter().all(|edit| has_room(&edits, text, edit.span)) {
                for edit in &fix.edits {
                    edits.entry(edit.span).or_default().push(edit);
                }
                applied.push(number);
            }
        }
        let crlf = text.split_once('\n').is_some_and(|(line, _)| line.ends_with('\r'));
        let mut edited =
            Self { text: String::with_capacity(text.len()), applied, moves: PositionMap::default() };
        let (mut moves, mut done) = (Vec::new(), 0);
        for (span, edits) in edits {
            edited.text.push_str(&text[done..span.start as usize]);
            let start = edited.text.len() as u32;
            for Edit { replacement, .. } in edits {
                if crlf && replacement.contains('\n') {
                    edited.text.push_str(&replacement.replace("\r\n", "\n").replace('\n', "\r\n"));
                } else {
                    edited.text.push_str(replacement);
                }
            }
            moves.push((span, Span::new(start, edited.text.len() as u32)));
            done = span.end as usize;
        }
        edited.text.push_str(&text[done..]);
        edited.moves.steps.push(moves);
        edited
    }
}

impl PositionMap {
    /// Appends the moves of a later change of the new text.
    pub fn then(&mut self, next: Self) {
        self.steps.extend(next.steps);
    }

    /// Returns the possible origin of a position of the new text. Inside or next to a replacement, this is the whole
    /// replaced span.
    pub fn origin(&self, offset: u32) -> Span {
        let origin = |moves: &[(Span, Span)], offset| {
            let from = moves.partition_point(|(_, new)| new.end < offset);
            let touching = moves[from..].iter().take_while(|(_, new)| new.touches(offset));
            let touching = touching.map(|(old, _)| *old).reduce(Span::cover);
            touching.unwrap_or_else(|| Span::empty(before(moves, offset)))
        };
        let back = |place: Span, moves: &Vec<_>| origin(moves, place.start).cover(origin(moves, place.end));
        self.steps.iter().rev().fold(Span::empty(offset), back)
    }

    /// Returns the span of the old text that a part of the new text came from.
    pub fn before(&self, span: Span) -> Span {
        let back = |offset| self.steps.iter().rev().fold(offset, |offset, moves| before(moves, offset));
        Span::new(back(span.start), back(span.end))
    }
}

/// Maps a position to the text before edits: the position after a replacement was after the replaced text.
fn before(moves: &[(Span, Span)], offset: u32) -> u32 {
    let next = moves.partition_point(|(_, new)| new.end <= offset);
    let at = match next.checked_sub(1).map(|last| moves[last]) {
        Some((old, new)) => offset - new.end + old.end,
        None => offset,
    };
    moves.get(next).map_or(at, |(old, _)| at.min(old.start))
}

/// Returns true if a span is inside the text and does not overlap these edits. Insertions may share a position.
fn has_room(edits: &BTreeMap<Span, Vec<&Edit>>, text: &str, span: Span) -> bool {
    let before = edits.range(..span).next_back().is_none_or(|(other, _)| other.end <= span.start);
    let mut after = edits.range(span..).filter(|(other, _)| !span.is_empty() || **other != span);
    before
        && after.next().is_none_or(|(other, _)| span.end <= other.start)
        && text.get(span.to_range()).is_some()
}

/// A text with its fixes applied until none is left.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fixed {
    /// The new text.
    pub text: String,
    /// The applied fixes, in the order of their positions in the old text.
    pub changes: Vec<Change>,
    /// Maps positions in the new text to the old text.
    pub moves: PositionMap,
}

/// A fix that was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The span of the error in the original text.
    pub span: Span,
    /// The code of the error, if it has one.
    pub code: Option<Code>,
    /// The title of the fix.
    pub title: Cow<'static, str>,
}

/// Applies the first fix of a text, parses the result, and repeats this until no fix is left. If there are many fixes
/// (33 or more, fewer in texts of more than 32 KiB), all of them are applied before the text is parsed again. The time
/// is bounded: a large text whose fixes lead to further fixes can have some left, which the next call applies.
///
/// `parse` returns the diagnostics of a text, as documents of this crate do.
///
/// ```
/// use hclkit_syntax::{fix_all, parse};
/// let fixed = fix_all("a = 'x',\n", |text| parse(text).diagnostics().clone());
/// assert_eq!(fixed.text, "a = \"x\"\n");
/// assert_eq!(fixed.changes.len(), 2);
/// ```
pub fn fix_all(text: &str, parse: impl Fn(&str) -> Diagnostics) -> Fixed {
    let mut fixed = Fixed { text: text.to_owned(), changes: Vec::new(), moves: PositionMap::default() };
    let parse = |text: &str| Diagnostics::keeping(MOST_TOGETHER, || parse(text));
    let mut found = parse(text);
    for _ in 0..rounds(text.len()) {
        let mut offered: Vec<&Diagnostic> = found.iter().filter(|found| found.fix.is_some()).collect();
        if offered.len() <= tries(fixed.text.len()) {
            offered.truncate(1);
        }
        let edited = Edited::new(&fixed.text, offered.iter().filter_map(|found| found.fix.as_ref()));
        let left = parse(&edited.text);
        // Offered fixes leave fewer errors. This check is for a `parse` that offers untested ones.
        if edited.applied.is_empty() || left.total() >= found.total() {
            break;
        }
        for error in edited.applied.iter().map(|&number| offered[number]) {
            let title = error.fix.as_ref().map(|fix| fix.title.clone()).unwrap_or_default();
            fixed.changes.push(Change { span: fixed.moves.before(error.span), code: error.code(), title });
        }
        fixed.text = edited.text;
        fixed.moves.then(edited.moves);
        found = left;
    }
    fixed.changes.sort_by_key(|change| change.span);
    fixed
}

/// The diagnostics of a text. Their fixes are tested on first access.
#[derive(Debug, Clone)]
pub(crate) struct Findings {
    found: Diagnostics,
    /// The nesting depth allowed in the text, which also applies to its fixed versions.
    nesting: u32,
    tried: OnceLock<Diagnostics>,
}

impl Findings {
    /// Creates diagnostics for a text with this maximum nesting depth.
    pub(crate) fn new(found: Diagnostics, nesting: u32) -> Self {
        Self { found, nesting, tried: OnceLock::new() }
    }

    /// Returns true if any diagnostic is an error.
    pub(crate) fn has_errors(&self) -> bool {
        self.found.has_errors()
    }

    /// The diagnostics with untested fixes, which may do harm.
    pub(crate) fn untried(&self) -> &Diagnostics {
        &self.found
    }

    /// The diagnostics with safe fixes only. `parse` returns the diagnostics of a text with untested fixes.
    pub(crate) fn tried(&self, source: &Source, parse: impl Fn(&str) -> Diagnostics) -> &Diagnostics {
        if self.found.iter().all(|diagnostic| diagnostic.fix.is_none()) {
            return &self.found;
        }
        self.tried.get_or_init(|| {
            let mut tried = self.found.clone();
            Limits::trusted().with_nesting(self.nesting).run(|| keep_safe(source, &mut tried, parse));
            tried
        })
    }
}

/// Removes the fixes that do not leave fewer errors or that cause new ones. A source that is not UTF-8 keeps no fixes,
/// because its text differs from the content of the file.
///
/// Each fix is tested alone, then all of them together. Many fixes are tested in groups, so that the time stays
/// linear. If only a few of them pass, they are tested again one by one. `parse` returns the diagnostics of a text.
fn keep_safe(source: &Source, diagnostics: &mut Diagnostics, parse: impl Fn(&str) -> Diagnostics) {
    let text = source.text();
    if !source.invalid().is_empty() {
        diagnostics.update_mut(|diagnostic| diagnostic.fix = None);
    }
    let offered: Vec<usize> = (0..diagnostics.len()).filter(|&at| diagnostics[at].fix.is_some()).collect();
    if offered.is_empty() {
        return;
    }
    let tries = tries(text.len());
    let is_safe = |diagnostics: &Diagnostics, fixes: &[usize]| {
        let edited = Edited::new(text, fixes.iter().filter_map(|&at| diagnostics[at].fix.as_ref()));
        !edited.applied.is_empty() && improves(diagnostics, &edited.moves, &parse(&edited.text))
    };
    let mut safe = offered;
    loop {
        let size = safe.len().div_ceil(tries).max(1);
        safe = safe.chunks(size).filter(|group| is_safe(diagnostics, group)).collect::<Vec<_>>().concat();
        if safe.len() > 1 && !is_safe(diagnostics, &safe) {
            let alone = std::mem::take(&mut safe);
            for group in alone.chunks(alone.len().div_ceil(tries)) {
                let so_far = safe.len();
                safe.extend(group);
                if !is_safe(diagnostics, &safe) {
                    safe.truncate(so_far);
                }
            }
        }
        // The fixes that passed in groups are tested again, if there are few enough to test each alone.
        if size == 1 || safe.len() > tries {
            break;
        }
    }
    let mut at = 0..;
    diagnostics.update_mut(|diagnostic| {
        if at.next().is_some_and(|at| safe.binary_search(&at).is_err()) {
            diagnostic.fix = None;
        }
    });
}

/// How many times a text of this length may be parsed again.
fn tries(len: usize) -> usize {
    (BYTES / len.max(1)).clamp(1, TRIES)
}

/// How many rounds of fixes may be applied to a text of this length.
fn rounds(len: usize) -> usize {
    (BYTES_OF_ALL / (len.max(1) * (tries(len) + 3))).clamp(4, ROUNDS)
}

/// Returns true if there are fewer errors after some edits than before, and each of them existed before. If there are
/// too many errors, only the first ones are compared.
fn improves(before: &Diagnostics, moves: &PositionMap, after: &Diagnostics) -> bool {
    let last_known = before.last().filter(|_| before.unreported() > 0).map(|last| last.span.start);
    let mut taken = vec![false; before.len()];
    after.total() < before.total()
        && after.iter().all(|error| {
            let origin = moves.origin(error.span.start);
            let first = before.partition_point(|old| old.span.start < origin.start);
            let mut there = (first..before.len()).take_while(|&at| before[at].span.start <= origin.end);
            let same = there.find(|&at| before[at].title == error.title && !taken[at]);
            same.is_some_and(|at| !std::mem::replace(&mut taken[at], true))
                || last_known.is_some_and(|last| origin.end >= last)
        })
}
