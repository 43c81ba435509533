//! `--fix`: applies suggested changes as long as each round leaves fewer mistakes than the one before, then writes the
//! file once.

use hclkit::syntax::Fix;
use hclkit::{Code, Source, apply_fixes};

use super::parsed::{Parsed, Reading};
use crate::input::{Input, Unreadable};
use crate::output::print_bytes;
use crate::replace;

/// Changes that are applied together at most; finding out whether they overlap takes time in the square of this.
const ROUND: usize = 500;
/// Changes that are tried one by one at most, where all together do harm.
const TRIES: usize = 50;

/// A file that was mended.
#[derive(Debug)]
pub(super) struct Fixed {
    pub(super) name: String,
    /// How many changes were applied.
    pub(super) mistakes: usize,
}

/// Mends an input in its place; standard input goes to standard output, mended or not.
pub(super) fn mend(
    input: &Input,
    parsed: Parsed,
    reading: Reading,
) -> Result<(Parsed, Option<Fixed>), Unreadable> {
    let (parsed, applied) = mended(input, parsed, reading);
    match input {
        Input::Stdin => {
            // A reader that has gone away wants no more, which is no failure.
            let _ = print_bytes(parsed.source().bytes());
        }
        Input::File(path) if applied > 0 => {
            replace::write(path, parsed.source().bytes()).map_err(|why| Unreadable {
                name: input.name(),
                why,
                action: "write",
            })?;
        }
        Input::File(_) => {}
    }
    let fixed = (applied > 0).then(|| Fixed { name: input.name(), mistakes: applied });
    Ok((parsed, fixed))
}

/// The file after all rounds of changes, and how many were applied.
fn mended(input: &Input, mut parsed: Parsed, reading: Reading) -> (Parsed, usize) {
    let mut applied = 0;
    // Where bytes are not UTF-8 the text is not what the file holds.
    if parsed.source().invalid().is_empty() {
        while let Some((better, changes)) = round(input, &parsed, reading) {
            parsed = better;
            applied += changes;
        }
    }
    (parsed, applied)
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

/// How much is left to mend. Where there are more mistakes than are told, it counts how much of the text lies behind
/// those that are.
fn left(parsed: &Parsed) -> (bool, usize) {
    let diagnostics = parsed.diagnostics();
    match diagnostics.last() {
        Some(last) if last.code == Code::TooManyErrors => {
            (true, (parsed.source().len() - last.subject.start) as usize)
        }
        _ => (false, diagnostics.len()),
    }
}
