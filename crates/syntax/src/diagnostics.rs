//! Lists of diagnostics, which are also the errors that this library returns. Their length is limited; diagnostics over
//! the limit are only counted.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::{Code, Diagnostic, Source, Span};

/// How many diagnostics are kept: a file that is not HCL at all has an error every few bytes, and an invalid
/// expression may be evaluated for each of a million elements.
const MOST: usize = 1_000;

thread_local! {
    /// How many are kept on this thread.
    static KEPT: Cell<Kept> = const { Cell::new(Kept { all: MOST, misspelled: MOST }) };
}

/// How many are kept.
#[derive(Clone, Copy)]
struct Kept {
    all: usize,
    /// How many errors about misspelled names are kept.
    misspelled: usize,
}

/// Restores how many are kept, when it is dropped.
struct Restored(Kept);

impl Drop for Restored {
    fn drop(&mut self) {
        KEPT.set(self.0);
    }
}

/// Diagnostics in the order in which they were found. The first thousand are kept; the rest are only counted.
///
/// ```
/// let document = hclkit_syntax::parse("a {\n  b = @\n}\n".repeat(5_000));
/// let diagnostics = document.diagnostics();
/// assert_eq!(diagnostics.len(), 1_000);
/// assert_eq!((diagnostics.errors(), diagnostics.unreported()), (5_000, 4_000));
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    total: Counts,
}

/// The number of diagnostics, kept or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    errors: usize,
    warnings: usize,
}

impl Counts {
    fn of(diagnostics: &[Diagnostic]) -> Self {
        let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        Self { errors, warnings: diagnostics.len() - errors }
    }

    fn sum(self) -> usize {
        self.errors + self.warnings
    }

    fn plus(self, other: Self) -> Self {
        Self { errors: self.errors + other.errors, warnings: self.warnings + other.warnings }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            errors: self.errors.saturating_sub(other.errors),
            warnings: self.warnings.saturating_sub(other.warnings),
        }
    }
}

/// A point in a list of diagnostics, as returned by [`Diagnostics::mark`].
#[derive(Clone, Copy, Debug)]
pub struct DiagnosticsMark {
    kept: usize,
    total: Counts,
}

impl DiagnosticsMark {
    /// Returns true if errors were added between this mark and a later one.
    pub fn failed_until(self, later: Self) -> bool {
        later.total.errors > self.total.errors
    }
}

impl Diagnostics {
    /// No diagnostics.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.is_error() {
            self.total.errors += 1;
        } else {
            self.total.warnings += 1;
        }
        // The error of an exceeded limit is always kept.
        let stops = |found: &Diagnostic| found.code().is_some_and(Code::is_limit);
        if self.has_room() || (stops(&diagnostic) && !self.kept.last().is_some_and(stops)) {
            self.kept.push(diagnostic);
        }
    }

    #[doc(hidden)]
    /// Adds the error of an unknown name, whose fix may be the name that was meant. The error is created only if it is
    /// kept; see [`keeping_misspelled`](Self::keeping_misspelled).
    pub fn push_misspelled_with(&mut self, error: impl FnOnce() -> Diagnostic) {
        self.count_error();
        if self.kept.len() < KEPT.get().misspelled {
            self.kept.push(error());
        }
    }

    #[doc(hidden)]
    /// Returns true if another error would be kept. Otherwise it does not need to be created: see
    /// [`count_error`](Self::count_error).
    pub fn has_room(&self) -> bool {
        self.kept.len() < KEPT.get().all
    }

    /// Keeps up to this many diagnostics while a closure runs, instead of a thousand, for errors that are fixed
    /// instead of reported.
    pub(crate) fn keeping<T>(most: usize, work: impl FnOnce() -> T) -> T {
        let _restored = Restored(KEPT.replace(Kept { all: most, misspelled: most }));
        work()
    }

    #[doc(hidden)]
    /// Keeps up to 100,000 errors about misspelled names while a closure runs, instead of a thousand, to fix all of
    /// them at once.
    pub fn keeping_misspelled<T>(work: impl FnOnce() -> T) -> T {
        let _restored = Restored(KEPT.replace(Kept { misspelled: 100 * MOST, ..KEPT.get() }));
        work()
    }

    #[doc(hidden)]
    /// Counts an error without keeping it.
    pub fn count_error(&mut self) {
        self.total.errors += 1;
    }

    #[doc(hidden)]
    /// Adds an error if there is room, and otherwise only counts it. The closure runs only if the error is kept, so that errors past the
    /// first thousand take no time.
    pub fn push_with(&mut self, error: impl FnOnce() -> Diagnostic) {
        if self.has_room() {
            self.push(error());
        } else {
            self.count_error();
        }
    }

    /// Appends the diagnostics of another pass. While [misspelled names are kept](Self::keeping_misspelled), those that the
    /// other pass kept are kept here as well.
    pub fn append(&mut self, other: Self) {
        if other.total == Counts::default() {
            return;
        }
        let total = self.total.plus(other.total);
        for diagnostic in other.kept {
            if self.kept.len() < KEPT.get().misspelled {
                self.kept.push(diagnostic);
            } else {
                self.push(diagnostic);
            }
        }
        self.total = total;
    }

    #[doc(hidden)]
    /// Appends the diagnostics of a function that returns a partial result, and returns the result.
    ///
    /// ```
    /// use hclkit_syntax::{Diagnostic, Diagnostics};
    ///
    /// fn port(text: &str) -> (u16, Diagnostics) {
    ///     match text.parse() {
    ///         Ok(port) => (port, Diagnostics::new()),
    ///         Err(_) => (80, Diagnostic::warning("Invalid port; using 80").into()),
    ///     }
    /// }
    /// let mut found = Diagnostics::new();
    /// let ports = ["8080", "http"].map(|text| found.absorb(port(text)));
    /// assert_eq!((ports, found.warnings()), ([8080, 80], 1));
    /// ```
    pub fn absorb<T>(&mut self, (result, found): (T, Self)) -> T {
        self.append(found);
        result
    }

    /// Whether any diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.total.errors > 0
    }

    /// Whether a limit ended some of the work, so that there may be more problems than were found.
    pub fn has_limit(&self) -> bool {
        let is_limit =
            |code: Code| code.is_limit() || matches!(code, Code::NestingTooDeep | Code::SourceTooLarge);
        self.iter().any(|diagnostic| diagnostic.code().is_some_and(is_limit))
    }

    /// The number of errors, including those that were not kept.
    pub fn errors(&self) -> usize {
        self.total.errors
    }

    /// The number of warnings, including those that were not kept.
    pub fn warnings(&self) -> usize {
        self.total.warnings
    }

    /// The number of diagnostics, including those that were not kept. The slice contains only those that were kept.
    #[doc(hidden)]
    pub fn total(&self) -> usize {
        self.total.sum()
    }

    #[doc(hidden)]
    /// The number of diagnostics that were found but not kept.
    pub fn unreported(&self) -> usize {
        self.total() - self.kept.len()
    }

    /// The diagnostics that were kept.
    #[doc(hidden)]
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.kept
    }

    /// Sorts the kept diagnostics. The sort is stable.
    #[doc(hidden)]
    pub fn sort_by_key<K: Ord>(&mut self, key: impl FnMut(&Diagnostic) -> K) {
        self.kept.sort_by_key(key);
    }

    /// Removes duplicates: diagnostics with the same text at the same place, and with the same related places, as a
    /// loop may report them for each iteration. If there are any, diagnostics that were not kept count as duplicates,
    /// too.
    #[must_use]
    #[doc(hidden)]
    pub fn distinct(self) -> Self {
        let (found, unreported) = (self.kept.len(), self.total.minus(Counts::of(&self.kept)));
        let mut seen = HashSet::new();
        let mut new = |diagnostic: &Diagnostic| {
            let source = diagnostic.source.as_ref().map(Arc::as_ptr);
            let related = diagnostic.related.iter().map(|related| {
                (related.source.as_ref().map(Arc::as_ptr), related.span, related.text.clone())
            });
            let related: Vec<_> = related.collect();
            seen.insert((source, diagnostic.span, diagnostic.title.clone(), diagnostic.note.clone(), related))
        };
        let kept: Vec<Diagnostic> = self.kept.into_iter().filter(|diagnostic| new(diagnostic)).collect();
        let counted = Counts::of(&kept);
        let total = if kept.len() == found { counted.plus(unreported) } else { counted };
        Self { kept, total }
    }

    #[doc(hidden)]
    /// Replaces each kept diagnostic by the result of a function.
    pub fn update(&mut self, change: impl FnMut(Diagnostic) -> Diagnostic) {
        self.kept = std::mem::take(&mut self.kept).into_iter().map(change).collect();
    }

    /// Changes each kept diagnostic.
    pub(crate) fn update_mut(&mut self, change: impl FnMut(&mut Diagnostic)) {
        self.kept.iter_mut().for_each(change);
    }

    #[doc(hidden)]
    /// Sets the addresses of the diagnostics that have none, by their source and the start of their span.
    pub fn set_addresses(&mut self, mut find: impl FnMut(&Arc<Source>, u32) -> Option<String>) {
        for diagnostic in self.kept.iter_mut().filter(|diagnostic| diagnostic.address.is_none()) {
            let address = diagnostic.source.as_ref().and_then(|source| find(source, diagnostic.span.start));
            diagnostic.address = address.map(Into::into);
        }
    }

    /// Keeps only the diagnostics for which the function returns true.
    #[doc(hidden)]
    pub fn retain(&mut self, mut keep: impl FnMut(&Diagnostic) -> bool) {
        self.retain_mut(|diagnostic| keep(diagnostic));
    }

    /// Keeps only the diagnostics for which the function returns true, which may change them.
    pub(crate) fn retain_mut(&mut self, mut keep: impl FnMut(&mut Diagnostic) -> bool) {
        let total = &mut self.total;
        self.kept.retain_mut(|diagnostic| {
            let kept = keep(diagnostic);
            if !kept {
                *total = total.minus(Counts::of(std::slice::from_ref(diagnostic)));
            }
            kept
        });
    }

    #[doc(hidden)]
    /// The current point in the list.
    pub fn mark(&self) -> DiagnosticsMark {
        DiagnosticsMark { kept: self.kept.len(), total: self.total }
    }

    #[doc(hidden)]
    /// Whether errors were added since the mark.
    pub fn failed_since(&self, mark: DiagnosticsMark) -> bool {
        self.total.errors > mark.total.errors
    }

    #[doc(hidden)]
    /// The diagnostics that were kept since the mark.
    pub fn since(&self, mark: DiagnosticsMark) -> &[Diagnostic] {
        self.kept.get(mark.kept..).unwrap_or_default()
    }

    #[doc(hidden)]
    /// Moves the diagnostics since the mark into a new list.
    #[must_use]
    pub fn split_off(&mut self, since: DiagnosticsMark) -> Self {
        let kept = self.kept.split_off(since.kept.min(self.kept.len()));
        let total = self.total.minus(since.total);
        self.total = self.total.minus(total);
        Self { kept, total }
    }

    #[doc(hidden)]
    /// Removes the diagnostics since the mark.
    pub fn truncate(&mut self, since: DiagnosticsMark) {
        self.kept.truncate(since.kept);
        self.total = since.total;
    }

    #[doc(hidden)]
    /// Removes the diagnostics between two marks.
    pub fn remove_between(&mut self, from: DiagnosticsMark, to: DiagnosticsMark) {
        self.kept.drain(from.kept..to.kept);
        self.total = self.total.minus(to.total.minus(from.total));
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut Diagnostic> {
        self.kept.last_mut()
    }

    /// Merges the diagnostics of two passes over a source, in source order.
    #[must_use]
    pub(crate) fn merge(self, other: Self) -> Self {
        let total = self.total.plus(other.total);
        let mut kept = self.kept;
        kept.extend(other.kept);
        kept.sort_by_key(|diagnostic| diagnostic.span);
        kept.truncate(KEPT.get().all);
        Self { kept, total }
    }

    /// Sets the source of each diagnostic.
    #[must_use]
    pub(crate) fn with_source(mut self, source: &Arc<Source>) -> Self {
        self.update_mut(|diagnostic| diagnostic.source = Some(source.clone()));
        self
    }

    #[doc(hidden)]
    /// Moves the diagnostics about one span to another.
    pub fn move_span(&mut self, from: Span, to: Span) {
        for diagnostic in self.kept.iter_mut().filter(|diagnostic| diagnostic.span == from) {
            diagnostic.span = to;
        }
    }
}

impl Deref for Diagnostics {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.kept
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        std::iter::once(diagnostic).collect()
    }
}

/// Adds diagnostics one by one. To add those of another collector, use [`Diagnostics::append`], which also counts those
/// that were not kept.
impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        diagnostics.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(diagnostics: I) -> Self {
        let mut all = Self::new();
        all.extend(diagnostics);
        all
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.kept.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.kept.iter()
    }
}

impl fmt::Display for Diagnostics {
    /// One line per diagnostic, then the number of those that were not kept.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, diagnostic) in self.kept.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{diagnostic}")?;
        }
        match self.unreported() {
            0 => Ok(()),
            more => write!(f, "\n{more} more"),
        }
    }
}

/// Same as `Display`, because `main` and `unwrap` show errors in this form.
#[doc(hidden)]
impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kept.is_empty() { f.write_str("[]") } else { fmt::Display::fmt(self, f) }
    }
}

impl std::error::Error for Diagnostics {}

#[cfg(test)]
mod tests {
    use super::Diagnostics;
    use crate::diagnostic::Related;
    use crate::{Code, Diagnostic, Span};

    #[test]
    fn appended_diagnostics_of_misspelled_names_are_kept() {
        let part = || {
            let mut part = Diagnostics::new();
            for at in 0..700 {
                let span = Span::empty(at);
                part.push_misspelled_with(|| {
                    Diagnostic::error(Code::UnsupportedAttribute).at(span).with_note("No such name.")
                });
            }
            part
        };
        let whole = || {
            let mut whole = Diagnostics::new();
            (0..3).for_each(|_| whole.append(part()));
            (whole.len(), whole.errors())
        };
        assert_eq!(whole(), (1_000, 2_100));
        assert_eq!(Diagnostics::keeping_misspelled(whole), (2_100, 2_100));
        let mut large = Diagnostics::keeping_misspelled(|| {
            let mut large = Diagnostics::new();
            (0..200).for_each(|_| large.append(part()));
            large
        });
        assert_eq!((large.len(), large.errors()), (100_000, 140_000));
        large.append(
            Diagnostic::error(Code::UnsupportedAttribute).at(Span::empty(0)).with_note("One more.").into(),
        );
        assert_eq!((large.len(), large.errors()), (100_000, 140_001));
    }

    #[test]
    fn equal_diagnostics_with_other_related_places_are_distinct() {
        let at = |related: u32| {
            let mut diagnostic =
                Diagnostic::error(Code::DuplicateAttribute).at(Span::new(0, 1)).with_note("It is set twice.");
            diagnostic.related =
                vec![Related { span: Span::empty(related), text: "first defined here".into(), source: None }];
            diagnostic
        };
        let found: Diagnostics = [at(5), at(7), at(5)].into_iter().collect();
        let distinct = found.distinct();
        assert_eq!((distinct.len(), distinct.total()), (2, 2));
        assert_eq!(distinct[1].related[0].span, Span::empty(7));
    }
}
