//! `--fix`: applies the fixes of files, then with `--spec` those of what the files say. Each step leaves fewer errors
//! than there were, and none that was not there before.

use std::slice;
use std::time::Duration;

use hclkit::syntax::{Change, Edited, Moves, fix_all, visible_line};
use hclkit::{Code, Diagnostic, Diagnostics, Source, Span};
use similar::TextDiff;

use super::language::Language;
use super::parsed::Parsed;
use crate::input::{Input, Unreadable};
use crate::output::{print_bytes, warn};
use crate::replace;
use crate::report::{Fixed, FixedError};

/// Fixes by a spec that are applied together at most.
const MOST: usize = 500;
/// How many fixes by a spec are tried one by one at most.
const TRIES: usize = 32;
/// How often fixes are applied on top of a fix to what it brought to light.
const ROUNDS: usize = 10;

/// What becomes of the fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fixing {
    /// They are written.
    Write,
    /// They are shown as a diff.
    Diff,
    /// They are listed.
    List,
}

/// A file of a configuration, as it is or with its fixes.
#[derive(Debug, Clone)]
pub(super) struct File<'i> {
    pub(super) input: &'i Input,
    pub(super) parsed: Parsed,
    /// As it was read.
    before: Parsed,
    /// The fixes that were applied, by the places they had when the file was read.
    changes: Vec<Change>,
    /// How they moved the text.
    moves: Moves,
}

impl<'i> File<'i> {
    pub(super) fn new(input: &'i Input, parsed: Parsed) -> Self {
        Self { input, before: parsed.clone(), parsed, changes: Vec::new(), moves: Moves::default() }
    }

    /// Fixes how it is written.
    pub(super) fn fix(&mut self) {
        let source = self.parsed.source();
        let parse = |text: &str| {
            let parsed = Parsed::read(self.input, Source::new(source.name(), text));
            parsed.diagnostics().clone()
        };
        if !self.parsed.diagnostics().iter().any(|found| found.fix.is_some()) {
            return;
        }
        let fixed = fix_all(source.text(), parse);
        self.parsed = Parsed::read(self.input, Source::new(source.name(), fixed.text));
        self.changes = fixed.changes;
        self.moves = fixed.moves;
    }

    /// Applies fixes of what it says. Returns how they moved the text, unless it is not written as it must be then.
    fn apply(&mut self, errors: &[&Diagnostic]) -> Option<Moves> {
        let source = self.parsed.source();
        let edited = Edited::new(source.text(), errors.iter().filter_map(|error| error.fix.as_ref()));
        let parsed = Parsed::read(self.input, Source::new(source.name(), edited.text));
        for error in edited.applied.iter().map(|&at| errors[at]) {
            let title = error.fix.as_ref().map(|fix| fix.title.clone()).unwrap_or_default();
            self.changes.push(Change { span: self.moves.before(error.subject), code: error.code, title });
        }
        self.parsed = parsed;
        self.moves.then(edited.moves.clone());
        (!self.parsed.has_errors()).then_some(edited.moves)
    }

    /// Writes it if anything was fixed. The text of standard input goes to standard output, fixed or not. What cannot be
    /// written is as it was read again.
    pub(super) fn write(&mut self) -> Result<Option<Fixed>, Unreadable> {
        let mut has_other_names = false;
        let text = self.parsed.source().bytes();
        match self.input {
            Input::Stdin => match print_bytes(text) {
                // A reader that has gone away wants no more, which is no failure.
                Err(failure) if !failure.is_unread_output() => {
                    let (name, why) = ("standard output".to_owned(), failure.to_string());
                    let why = why.strip_prefix("cannot write: ").unwrap_or(&why).to_owned();
                    return Err(Unreadable { name, why, action: "write" });
                }
                _ => {}
            },
            Input::File(path) | Input::Found(path, ..) if !self.changes.is_empty() => {
                let before = self.before.source().bytes();
                match replace::rewrite(path, || self.input.open(), before, text) {
                    Ok(has_names) => has_other_names = has_names,
                    Err(why) => {
                        self.parsed = self.before.clone();
                        return Err(Unreadable { name: self.input.name(), why, action: "write" });
                    }
                }
            }
            Input::File(_) | Input::Found(..) => {}
        }
        if has_other_names {
            let name = self.input.name();
            warn(format_args!("{name} had other hard links, which keep the text of before"));
        }
        Ok(self.fixed(Fixing::Write))
    }

    /// What was fixed, if anything was.
    pub(super) fn fixed(&self, fixing: Fixing) -> Option<Fixed> {
        let mut changes = self.changes.clone();
        changes.sort_by_key(|change| change.span);
        let error = |change: Change| FixedError {
            range: self.before.range(change.span),
            code: change.code,
            title: change.title,
        };
        (!changes.is_empty()).then(|| Fixed {
            name: self.input.name(),
            errors: changes.into_iter().map(error).collect(),
            written: fixing == Fixing::Write,
            diff: (fixing == Fixing::Diff).then(|| self.diff()),
        })
    }

    /// The changes as a unified diff.
    fn diff(&self) -> String {
        let (before, after) = (self.before.source().text(), self.parsed.source().text());
        let diff = TextDiff::configure().timeout(Duration::from_secs(1)).diff_lines(before, after);
        let name = visible_line(&self.input.name()).into_owned();
        diff.unified_diff().header(&name, &name).to_string()
    }
}

/// Fixes what the files of a configuration say by a spec, and returns what is left of it.
pub(super) fn fix_meaning(files: &mut Vec<File<'_>>, language: &Language) -> Option<Diagnostics> {
    let mut problems = language.problems(files)?;
    loop {
        let fixable = fixable(files, problems.iter());
        let attempt = |errors: &[(usize, Diagnostic)]| attempt(files, &problems, errors, language);
        let one_by_one = || fixable.iter().take(TRIES).find_map(|error| attempt(slice::from_ref(error)));
        let better = match fixable.len() {
            0..=TRIES => one_by_one(),
            _ => attempt(&fixable).or_else(one_by_one),
        };
        let Some((better, left)) = better else { return Some(problems) };
        *files = better;
        problems = left?;
    }
}

/// The files with some errors fixed, and what is left to fix then, if that is better. What is in a block of a wrong name
/// is not looked at before its name is right, so that a fix may bring further errors to light: they are fixed with it.
fn attempt<'i>(
    files: &[File<'i>],
    problems: &Diagnostics,
    errors: &[(usize, Diagnostic)],
    language: &Language,
) -> Option<(Vec<File<'i>>, Option<Diagnostics>)> {
    let (mut after, mut errors) = (files.to_vec(), errors.to_vec());
    let mut moves = vec![Moves::default(); files.len()];
    for _ in 0..ROUNDS {
        for (at, file) in after.iter_mut().enumerate() {
            let own: Vec<_> = errors.iter().filter(|(of, _)| *of == at).map(|(_, error)| error).collect();
            if !own.is_empty() {
                moves[at].then(file.apply(&own)?);
            }
        }
        let Some(left) = language.problems(&after) else { return Some((after, None)) };
        let new = new_problems(files, problems, &moves, &left);
        if new.is_empty() && left.total() < problems.total() {
            return Some((after, Some(left)));
        }
        errors = fixable(&after, new.into_iter());
        if errors.is_empty() {
            return None;
        }
    }
    None
}

/// The problems of files after some fixes that were not there before. Where not all of them are known, only those count
/// that a wrong fix makes: what is there twice then.
fn new_problems<'p>(
    files: &[File<'_>],
    before: &Diagnostics,
    moves: &[Moves],
    after: &'p Diagnostics,
) -> Vec<&'p Diagnostic> {
    let twice = |code| matches!(code, Code::DuplicateAttribute | Code::DuplicateBlock | Code::TooManyBlocks);
    let all_known = before.unreported() == 0;
    let mut known: Vec<&Diagnostic> = before.iter().collect();
    let is_new = |error: &&Diagnostic| {
        let (at, start) = (position(files, error), error.subject.start);
        let origin = at.map_or(Span::empty(start), |at| moves[at].origin(start));
        let same = |old: &&Diagnostic| {
            old.code == error.code && position(files, old) == at && origin.touches(old.subject.start)
        };
        match known.iter().position(same) {
            Some(found) => {
                known.swap_remove(found);
                false
            }
            None => all_known || twice(error.code),
        }
    };
    after.iter().filter(is_new).collect()
}

/// Which of the files a problem is in.
fn position(files: &[File<'_>], problem: &Diagnostic) -> Option<usize> {
    let name = problem.source.as_ref()?.name();
    files.iter().position(|file| file.parsed.source().name() == name)
}

/// The errors whose fix is clear from the spec, with their files. What is not known in an expression may be given
/// elsewhere, and is left to people.
fn fixable<'p>(
    files: &[File<'_>],
    problems: impl Iterator<Item = &'p Diagnostic>,
) -> Vec<(usize, Diagnostic)> {
    let by_spec =
        |code| matches!(code, Code::UnsupportedArgument | Code::UnsupportedBlock | Code::JsonUnknownProperty);
    problems
        .filter(|problem| problem.fix.is_some() && by_spec(problem.code))
        .filter_map(|problem| position(files, problem).map(|at| (at, problem.clone())))
        .filter(|(at, _)| files[*at].parsed.source().invalid().is_empty())
        .take(MOST)
        .collect()
}
