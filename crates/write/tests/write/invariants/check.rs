//! Promises for every formatted text: the checks that the property tests and the fuzzer share.

use hclkit_syntax::{Document, Source, StartSymbol, TokenKind, Tokens};
use hclkit_write::{Formatter, format_source};

/// Formats the input, and panics where a promise is broken.
pub(crate) fn check(input: &[u8]) {
    let document = Document::parse(Source::new("input", input), StartSymbol::Config);
    let formatted = Formatter::plain().format(&document);
    let text = formatted.bytes().into_owned();
    let source = Source::new("input", input);
    assert_eq!(text, *format_source(&source).bytes(), "the tree makes a difference");
    assert_eq!(formatted.is_unchanged(), text == input);
    assert_eq!(text, applied(input, &formatted), "the edits make another text");
    only_blanks_change(input, &formatted);
    if !document.tokens().are_certain() {
        return;
    }
    let after = Source::new("input", text.clone());
    assert_eq!(tokens(&source), tokens(&after), "of {:?}", String::from_utf8_lossy(input));
    // Blanks before the end of the text stay, and nothing is aligned with text that is not a line.
    let again = format_source(&after);
    assert_eq!(
        String::from_utf8_lossy(&text),
        String::from_utf8_lossy(&again.bytes()),
        "formatting again changes it"
    );
}

/// The text that the edits make.
fn applied(input: &[u8], formatted: &hclkit_write::Formatted<'_>) -> Vec<u8> {
    let (mut out, mut from) = (Vec::new(), 0);
    for edit in formatted.edits() {
        out.extend_from_slice(&input[from..edit.span.start as usize]);
        out.extend_from_slice(edit.replacement.as_bytes());
        from = edit.span.end as usize;
    }
    out.extend_from_slice(&input[from..]);
    out
}

/// Edits are in order, replace blanks by blanks, and each of them changes something.
fn only_blanks_change(input: &[u8], formatted: &hclkit_write::Formatted<'_>) {
    let mut last = 0;
    for edit in formatted.edits() {
        assert!(edit.span.start >= last, "the edits are not in order");
        last = edit.span.end;
        let old = &input[edit.span.to_range()];
        let blanks =
            if edit.span.start == 0 { old.strip_prefix(b"\xef\xbb\xbf").unwrap_or(old) } else { old };
        assert!(blanks.iter().all(|byte| matches!(byte, b' ' | b'\t')), "{old:?} is replaced");
        assert!(edit.replacement.bytes().all(|byte| byte == b' '));
        assert_ne!(old, edit.replacement.as_bytes(), "nothing changes");
    }
}

/// Kinds and texts of all tokens, comments among them.
fn tokens(source: &Source) -> Vec<(TokenKind, &str)> {
    Tokens::of(source).iter().map(|token| (token.kind, source.slice(token.span))).collect()
}
