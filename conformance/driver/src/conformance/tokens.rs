//! Divides HCL text roughly into tokens, for mutating and shrinking. The result need not be correct, but the pieces
//! together are the text.

/// Operators of more than one byte, longest first.
const MARKS: &[&str] = &[
    "...", "<<-", "$${", "%%{", "${~", "%{~", "<<", "${", "%{", "~}", "=>", "==", "!=", "<=", ">=", "&&",
    "||", "::", "//", "/*", "*/", "\r\n", "\\\"",
];

/// Returns the pieces of a text, in order.
pub(crate) fn cut(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            mark.len()
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if first == ' ' || first == '\t' {
            rest.find(|c| c != ' ' && c != '\t').unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at(length);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}
