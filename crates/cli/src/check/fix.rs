//! `--fix`: applies suggested changes as long as each round leaves fewer mistakes than the one before, then writes each
//! file once. First how each file is written is mended, then with `--spec` what the files say.

use hclkit::syntax::Fix;
use hclkit::{Code, Diagnostic, Diagnostics, Source, apply_fixes};

use super::language::Language;
use super::parsed::{Parsed, Reading};
use crate::input::{Input, Unreadable};
use crate::output::print_bytes;
use crate::replace;

/// Changes that are applied together at most; finding out whether they overlap takes time in the square of this.
const ROUND: usize = 500;
/// How often changes are applied on top of each other before there must be fewer mistakes.
const ROUNDS: usize = 10;
/// Changes that are tried one by one at most, where all together do harm.
const TRIES: usize = 50;

/// A file that was mended.
#[derive(Debug)]
pub(super) struct Fixed {
    pub(super) name: String,
    /// How many changes were applied.
    pub(super) mistakes: usize,
}

/// A file of a configuration, as it is or as it was mended.
#[derive(Debug, Clone)]
pub(super) struct File<'i> {
    pub(super) input: &'i Input,
    pub(super) parsed: Parsed,
    /// As it was read.
    before: Parsed,
    /// How many changes were applied.
    applied: usize,
}

impl<'i> File<'i> {
    pub(super) fn new(input: &'i Input, parsed: Parsed) -> Self {
        Self { input, before: parsed.clone(), parsed, applied: 0 }
    }

    /// Whether it can be mended: where bytes are not UTF-8 the text is not what the file holds.
    fn is_text(&self) -> bool {
        self.parsed.source().invalid().is_empty()
    }

    /// Mends how it is written.
    pub(super) fn mend(&mut self, reading: Reading) {
        if self.is_text() {
            while let Some((better, changes)) = round(self.input, &self.parsed, reading) {
                self.parsed = better;
                self.applied += changes;
            }
        }
    }

    /// Writes it if it was mended, and says so; what was standard input goes to standard output, mended or not. What
    /// cannot be written is again what it was.
    pub(super) fn write(&mut self) -> Result<Option<Fixed>, Unreadable> {
        let mended = self.applied > 0;
        let text = self.parsed.source().bytes();
        match self.input {
            Input::Stdin => {
                // A reader that has gone away wants no more, which is no failure.
                let _ = print_bytes(text);
            }
            Input::File(path) if mended => {
                if let Err(why) = replace::write(path, text) {
                    self.parsed = self.before.clone();
                    return Err(Unreadable { name: self.input.name(), why, action: "write" });
                }
            }
            Input::File(_) => {}
        }
        Ok(mended.then(|| Fixed { name: self.input.name(), mistakes: self.applied }))
    }
}

/// Mends what the files of a configuration say by a spec, and returns what is left of it.
pub(super) fn mend_meaning(
    files: &mut Vec<File<'_>>,
    reading: Reading,
    language: &Language,
) -> Option<Diagnostics> {
    let mut problems = language.problems(files)?;
    loop {
        // What is in a block of a wrong name is not looked at: a change can bring mistakes to light that are to be mended next.
        let attempt = |mut fixes: Vec<(usize, Fix)>, rounds: usize| {
            let mut files = files.clone();
            for _ in 0..rounds {
                files = with_changes(&files, &fixes, reading)?;
                let Some(left) = language.problems(&files) else { return Some((files, None)) };
                if twice(&left) > twice(&problems) {
                    return None;
                }
                if left.total() < problems.total() {
                    return Some((files, Some(left)));
                }
                fixes = fixes_of(&files, &left);
            }
            None
        };
        let fixes = fixes_of(files, &problems);
        let one = |fix: &(usize, Fix)| attempt(vec![fix.clone()], 1);
        let better = attempt(fixes.clone(), ROUNDS).or_else(|| fixes.iter().take(TRIES).find_map(one));
        let Some((better, left)) = better else { return Some(problems) };
        *files = better;
        problems = left?;
    }
}

/// How many things are there that should be there once: a name that was changed may have been meant to be another one.
fn twice(problems: &Diagnostics) -> usize {
    let twice = |code| matches!(code, Code::DuplicateAttribute | Code::DuplicateBlock | Code::TooManyBlocks);
    problems.iter().filter(|problem| twice(problem.code)).count()
}

/// The changes that mend mistakes, and the files that they are for.
fn fixes_of(files: &[File<'_>], problems: &Diagnostics) -> Vec<(usize, Fix)> {
    problems.iter().filter_map(|problem| fix_of(files, problem)).take(ROUND).collect()
}

/// The change that mends a mistake, if what is meant is clear from the spec. What is not known in an expression may be
/// given elsewhere, and is left to people.
fn fix_of(files: &[File<'_>], problem: &Diagnostic) -> Option<(usize, Fix)> {
    let by_spec = matches!(
        problem.code,
        Code::UnsupportedArgument | Code::UnsupportedBlock | Code::JsonUnknownProperty
    );
    let fix = problem.fix.as_ref().filter(|_| by_spec)?;
    let name = problem.source.as_ref()?.name();
    let at = files.iter().position(|file| file.parsed.source().name() == name)?;
    files[at].is_text().then(|| (at, fix.clone()))
}

/// The files with changes, unless there is none or one of them would be written wrongly then.
fn with_changes<'i>(files: &[File<'i>], fixes: &[(usize, Fix)], reading: Reading) -> Option<Vec<File<'i>>> {
    let mut after = files.to_vec();
    let mut changes = 0;
    for (at, file) in after.iter_mut().enumerate() {
        let own = fixes.iter().filter(|(of, _)| *of == at).map(|(_, fix)| fix);
        let (text, applied) = apply_fixes(file.parsed.source().text(), own);
        if applied > 0 {
            let parsed = reading.read(file.input, Source::new(file.parsed.source().name(), text));
            if left(&parsed) > left(&file.parsed) {
                return None;
            }
            (file.parsed, file.applied) = (parsed, file.applied + applied);
            changes += applied;
        }
    }
    (changes > 0).then_some(after)
}

fn round(input: &Input, parsed: &Parsed, reading: Reading) -> Option<(Parsed, usize)> {
    let fixes: Vec<&Fix> = parsed.diagnostics().iter().filter_map(|it| it.fix.as_ref()).take(ROUND).collect();
    let together = attempt(input, parsed, fixes.iter().copied(), reading);
    together.or_else(|| fixes.iter().take(TRIES).find_map(|&fix| attempt(input, parsed, [fix], reading)))
}

/// The file with some changes, if it has fewer mistakes then.
fn attempt<'f>(
    input: &Input,
    parsed: &Parsed,
    fixes: impl IntoIterator<Item = &'f Fix>,
    reading: Reading,
) -> Option<(Parsed, usize)> {
    let (text, applied) = apply_fixes(parsed.source().text(), fixes);
    if applied == 0 {
        return None;
    }
    let after = reading.read(input, Source::new(parsed.source().name(), text));
    (left(&after) < left(parsed)).then_some((after, applied))
}

/// How much is left to mend.
fn left(parsed: &Parsed) -> usize {
    parsed.diagnostics().total()
}
