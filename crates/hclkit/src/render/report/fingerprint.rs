//! Fingerprints of findings. Services use them to recognize a finding in the next run, even if its line has moved.

use std::collections::HashMap;

use hclkit_syntax::{Diagnostic, Source};

/// The part of a line that counts, so that findings on a very long line take little time.
const MOST_BYTES: usize = 1_000;

/// The findings of the current file with the same content, which are numbered.
#[derive(Debug, Default)]
pub(super) struct Fingerprints {
    file: String,
    seen: HashMap<u64, u32>,
}

impl Fingerprints {
    /// A hash of the code and the text of the line without spaces, and the number of the finding among those with the same
    /// hash. Nothing of it depends on other lines, unless they have the same text.
    pub(super) fn of(&mut self, diagnostic: &Diagnostic, source: &Source) -> String {
        if self.file != source.name() {
            source.name().clone_into(&mut self.file);
            self.seen.clear();
        }
        let line = source.slice(source.line_span(source.line_of(diagnostic.span().start)));
        let name = diagnostic.code().map_or_else(|| diagnostic.summary(), |code| code.as_str());
        let text = line.bytes().take(MOST_BYTES).filter(|byte| !byte.is_ascii_whitespace());
        let hash = fnv(name.bytes().chain([0]).chain(text));
        let number = self.seen.entry(hash).and_modify(|number| *number += 1).or_insert(1);
        format!("{hash:016x}:{number}")
    }
}

/// FNV-1a, which never changes, unlike the hashes of the standard library.
fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
