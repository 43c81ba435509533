//! `--fix`: applies the fixes of syntax errors and then those of errors in the meaning of files, which modules have or a spec file
//! finds. Each step reduces the number of errors and introduces no new ones.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::slice;

use hclkit::render::{FixedError, FixedFile};
use hclkit::syntax::{Change, Edited, PositionMap, fix_all};
use hclkit::{Code, Diagnostic, Diagnostics, Document, Source, Span};

use crate::atomic_write;
use crate::input::{FoundFile, Input, Unreadable};
use crate::output::print_bytes;
use crate::text_diff;

/// The maximum number of checks to fix errors in the meaning of files, and the maximum amount of text for them. Remaining errors
/// are reported, and the next run fixes them.
const CHECKS: usize = 256;
const BYTES: usize = 16 << 20;
/// The maximum number of times to apply further fixes to errors that a fix revealed.
const ROUNDS: usize = 10;

/// The maximum number of reported errors.
const REPORTED: usize = 1_000;

/// What finds errors in files that have no syntax errors.
pub(super) trait Meaning {
    /// The maximum number of fixes to try one by one.
    const APART: usize;

    /// All errors in files, if there are any.
    fn all_problems(&self, files: &[File<'_>]) -> Option<Diagnostics>;

    /// The errors to report, which may be fewer.
    fn problems(&self, files: &[File<'_>]) -> Option<Diagnostics> {
        self.all_problems(files)
    }

    /// Whether errors with a code are fixed.
    fn is_fixed(&self, code: Code) -> bool;
}

/// What to do with the fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fixing {
    /// Write them to the files.
    Write,
    /// Show them as a diff.
    Diff,
    /// List them.
    List,
}

/// A file of a configuration, with or without its fixes applied.
#[derive(Debug, Clone)]
pub(super) struct File<'i> {
    pub(super) input: &'i Input,
    pub(super) document: Document,
    /// The file as it was read.
    before: Document,
    /// The applied fixes, at their positions in the original file.
    changes: Vec<Change>,
    /// How the fixes moved the text.
    moves: PositionMap,
}

impl<'i> File<'i> {
    pub(super) fn new(input: &'i Input, document: Document) -> Self {
        Self { input, before: document.clone(), document, changes: Vec::new(), moves: PositionMap::default() }
    }

    /// Fixes syntax errors.
    pub(super) fn fix(&mut self) {
        let source = self.document.source();
        let parse = |text: &str| {
            let document = Document::parse_in(Source::new(source.name(), text), self.input.syntax());
            document.diagnostics().clone()
        };
        if !self.document.diagnostics().iter().any(|found| found.fix().is_some()) {
            return;
        }
        let fixed = fix_all(source.text(), parse);
        self.document = Document::parse_in(Source::new(source.name(), fixed.text), self.input.syntax());
        self.changes = fixed.changes;
        self.moves = fixed.moves;
    }

    /// Whether anything was fixed.
    pub(super) fn is_changed(&self) -> bool {
        !self.changes.is_empty()
    }

    /// Takes over the fixes of the same file, which was read before. Returns false if its text has changed.
    pub(super) fn take_fixes(&mut self, fixed: &Self) -> bool {
        let is_same = self.before.source().bytes() == fixed.before.source().bytes();
        if is_same {
            *self = fixed.clone();
        }
        is_same
    }

    /// Applies fixes of errors in its meaning. Returns how they moved the text, or nothing if the result has
    /// syntax errors.
    fn apply(&mut self, errors: &[&Diagnostic]) -> Option<PositionMap> {
        let source = self.document.source();
        let edited = Edited::new(source.text(), errors.iter().filter_map(|error| error.fix()));
        let document = Document::parse_in(Source::new(source.name(), edited.text), self.input.syntax());
        for error in edited.applied.iter().map(|&at| errors[at]) {
            let title = error.fix().map(|fix| fix.title.clone()).unwrap_or_default();
            self.changes.push(Change { span: self.moves.before(error.span()), code: error.code(), title });
        }
        self.document = document;
        self.moves.then(edited.moves.clone());
        (!self.document.has_errors()).then_some(edited.moves)
    }

    /// Writes the file if anything was fixed. Returns what was fixed and a warning. The text of standard input is
    /// always written to standard output. If writing fails, the file is restored to the state in which it was read.
    pub(super) fn write(&mut self) -> Result<(Option<FixedFile>, Option<String>), Unreadable> {
        let mut has_other_names = false;
        let text = self.document.source().bytes();
        match self.input {
            Input::Stdin => match print_bytes(text) {
                // A closed pipe is not an error.
                Err(failure) if !failure.is_unread_output() => {
                    let (name, reason) = ("standard output".to_owned(), failure.to_string());
                    let reason = reason.strip_prefix("cannot write: ").unwrap_or(&reason).to_owned();
                    return Err(Unreadable { name, reason, action: "write" });
                }
                _ => {}
            },
            Input::File(path) | Input::Found(FoundFile { path, .. }) if !self.changes.is_empty() => {
                let before = self.before.source().bytes();
                match atomic_write::rewrite(path, || self.input.open(), before, text) {
                    Ok(has_names) => has_other_names = has_names,
                    Err(reason) => {
                        self.document = self.before.clone();
                        return Err(Unreadable { name: self.input.name(), reason, action: "write" });
                    }
                }
            }
            Input::File(_) | Input::Found(..) => {}
        }
        let name = self.input.name();
        let warning =
            has_other_names.then(|| format!("{name} had other hard links, which keep the old content"));
        Ok((self.fixed(Fixing::Write), warning))
    }

    /// The applied fixes, if there are any.
    pub(super) fn fixed(&self, fixing: Fixing) -> Option<FixedFile> {
        let mut changes = self.changes.clone();
        changes.sort_by_key(|change| change.span);
        let error = |change: Change| FixedError {
            range: self.before.range(change.span),
            code: change.code,
            title: change.title,
        };
        (!changes.is_empty()).then(|| FixedFile {
            name: self.input.name(),
            errors: changes.into_iter().map(error).collect(),
            written: fixing == Fixing::Write,
            diff: (fixing == Fixing::Diff).then(|| self.diff()),
        })
    }

    /// The changes as a unified diff.
    fn diff(&self) -> String {
        text_diff::unified(&self.input.name(), self.before.source().text(), self.document.source().text())
    }
}

/// Fixes errors in the meaning of files, and returns the remaining ones.
pub(super) fn fix_meaning<M: Meaning>(files: &mut Vec<File<'_>>, meaning: &M) -> Option<Diagnostics> {
    let mut problems = meaning.all_problems(files)?;
    let bytes: usize = files.iter().map(|file| file.document.source().bytes().len()).sum();
    let left = Cell::new((BYTES / bytes.max(1)).clamp(8, CHECKS));
    loop {
        let fixable = fixable(files, problems.iter(), meaning);
        let attempt = |errors: &[(usize, Diagnostic)]| attempt(files, &problems, errors, meaning, &left);
        let Some((better, left)) = first_better(&fixable, M::APART, &attempt) else {
            // Report no more errors than without fixes.
            return if problems.len() > REPORTED { meaning.problems(files) } else { Some(problems) };
        };
        *files = better;
        problems = left?;
    }
}

/// Fixes as many errors together as possible: all of them, one of a few, or part of a half. Returns the files if that
/// is better.
fn first_better<T>(
    errors: &[(usize, Diagnostic)],
    apart: usize,
    attempt: &impl Fn(&[(usize, Diagnostic)]) -> Option<T>,
) -> Option<T> {
    if errors.len() <= apart {
        return errors.iter().find_map(|error| attempt(slice::from_ref(error)));
    }
    let (first, second) = errors.split_at(errors.len() / 2);
    let halves = || first_better(first, apart, attempt).or_else(|| first_better(second, apart, attempt));
    attempt(errors).or_else(halves)
}

/// Returns the files with some errors fixed and the remaining errors, if that is better. The contents of a block with
/// a misspelled name are checked only once its name is correct, so a fix may reveal further errors, which are fixed
/// with it. Returns `None` once no checks are left.
fn attempt<'i>(
    files: &[File<'i>],
    problems: &Diagnostics,
    errors: &[(usize, Diagnostic)],
    meaning: &impl Meaning,
    checks: &Cell<usize>,
) -> Option<(Vec<File<'i>>, Option<Diagnostics>)> {
    if checks.get() == 0 {
        return None;
    }
    let (mut after, mut errors) = (files.to_vec(), errors.to_vec());
    let mut moves = vec![PositionMap::default(); files.len()];
    for _ in 0..ROUNDS {
        checks.set(checks.get().checked_sub(1)?);
        let mut by_file: BTreeMap<usize, Vec<&Diagnostic>> = BTreeMap::new();
        for (at, error) in &errors {
            by_file.entry(*at).or_default().push(error);
        }
        for (at, own) in by_file {
            moves[at].then(after[at].apply(&own)?);
        }
        let Some(left) = meaning.all_problems(&after) else { return Some((after, None)) };
        let new = new_problems(files, problems, &moves, &left);
        if new.is_empty() && left.total() < problems.total() {
            return Some((after, Some(left)));
        }
        errors = fixable(&after, new.into_iter(), meaning);
        if errors.is_empty() {
            return None;
        }
    }
    None
}

/// The errors that fixes introduced. If not all errors were known before, only errors caused by an incorrect fix count,
/// such as duplicates.
fn new_problems<'p>(
    files: &[File<'_>],
    before: &Diagnostics,
    moves: &[PositionMap],
    after: &'p Diagnostics,
) -> Vec<&'p Diagnostic> {
    let twice =
        |code| matches!(code, Some(Code::DuplicateAttribute | Code::DuplicateBlock | Code::TooManyBlocks));
    let all_known = before.unreported() == 0;
    let positions = Positions::of(files);
    let mut known: HashMap<_, Vec<(u32, bool)>> = HashMap::new();
    for old in before {
        known.entry((old.code(), positions.of_problem(old))).or_default().push((old.span().start, false));
    }
    for places in known.values_mut() {
        places.sort_unstable();
    }
    let is_new = |error: &&Diagnostic| {
        let (at, start) = (positions.of_problem(error), error.span().start);
        let origin = at.map_or(Span::empty(start), |at| moves[at].origin(start));
        let mut places = known.get_mut(&(error.code(), at)).into_iter().flat_map(|places| {
            let first = places.partition_point(|(start, _)| *start < origin.start);
            places[first..].iter_mut().take_while(|(start, _)| origin.touches(*start))
        });
        match places.find(|(_, taken)| !taken) {
            Some((_, taken)) => {
                *taken = true;
                false
            }
            None => all_known || twice(error.code()),
        }
    };
    after.iter().filter(is_new).collect()
}

/// The indexes of files by the names of their sources.
struct Positions<'f>(HashMap<&'f str, usize>);

impl<'f> Positions<'f> {
    fn of(files: &'f [File<'_>]) -> Self {
        // If two files have the same name, the first one is used.
        Self(files.iter().enumerate().rev().map(|(at, file)| (file.document.source().name(), at)).collect())
    }

    /// The index of the file that contains an error.
    fn of_problem(&self, problem: &Diagnostic) -> Option<usize> {
        self.0.get(problem.source()?.name()).copied()
    }
}

/// The errors that have an unambiguous fix, with the indexes of their files.
fn fixable<'p>(
    files: &[File<'_>],
    problems: impl Iterator<Item = &'p Diagnostic>,
    meaning: &impl Meaning,
) -> Vec<(usize, Diagnostic)> {
    let positions = Positions::of(files);
    problems
        .filter(|problem| {
            problem.fix().is_some() && problem.code().is_some_and(|code| meaning.is_fixed(code))
        })
        .filter_map(|problem| positions.of_problem(problem).map(|at| (at, problem.clone())))
        .filter(|(at, _)| files[*at].document.source().invalid().is_empty())
        .collect()
}
