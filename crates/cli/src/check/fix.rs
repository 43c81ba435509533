//! `--fix`: applies suggested changes as long as each round leaves fewer mistakes than the one before, then writes the
//! file once.

use hclkit::syntax::Fix;
use hclkit::{Code, Document, Entry, ParseOptions, Source, apply_fixes};

use super::Checked;
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
pub(super) fn mend(input: &Input, source: Source, options: ParseOptions) -> Result<Checked, Unreadable> {
    let (document, applied) = mended(options.parse(source, Entry::Config), options);
    match input {
        Input::Stdin => {
            // A reader that has gone away wants no more, which is no failure.
            let _ = print_bytes(document.source().bytes());
        }
        Input::File(path) if applied > 0 => {
            replace::write(path, document.source().bytes()).map_err(|why| Unreadable {
                name: input.name(),
                why,
                action: "write",
            })?;
        }
        Input::File(_) => {}
    }
    let fixed = (applied > 0).then(|| Fixed { name: input.name(), mistakes: applied });
    Ok(Checked { document, fixed })
}

/// The document after all rounds of changes, and how many were applied.
fn mended(mut document: Document, options: ParseOptions) -> (Document, usize) {
    let mut applied = 0;
    // Where bytes are not UTF-8 the text is not what the file holds.
    if document.source().invalid().is_empty() {
        while let Some((better, changes)) = round(&document, options) {
            document = better;
            applied += changes;
        }
    }
    (document, applied)
}

fn round(document: &Document, options: ParseOptions) -> Option<(Document, usize)> {
    let fixes: Vec<&Fix> =
        document.diagnostics().iter().filter_map(|it| it.fix.as_ref()).take(ROUND).collect();
    let together = attempt(document, fixes.iter().copied(), options);
    together.or_else(|| fixes.iter().take(TRIES).find_map(|&fix| attempt(document, [fix], options)))
}

/// The document with some changes, if it has fewer mistakes then.
fn attempt<'f>(
    document: &Document,
    fixes: impl IntoIterator<Item = &'f Fix>,
    options: ParseOptions,
) -> Option<(Document, usize)> {
    let (text, applied) = apply_fixes(document.source().text(), fixes);
    if applied == 0 {
        return None;
    }
    let after = options.parse(Source::new(document.source().name(), text), Entry::Config);
    (left(&after) < left(document)).then_some((after, applied))
}

/// How much is left to mend. Where there are more mistakes than are told, it counts how much of the text lies behind
/// those that are.
fn left(document: &Document) -> (bool, usize) {
    let diagnostics = document.diagnostics();
    match diagnostics.last() {
        Some(last) if last.code == Code::TooManyErrors => {
            (true, (document.source().len() - last.subject.start) as usize)
        }
        _ => (false, diagnostics.len()),
    }
}
