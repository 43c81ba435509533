//! Mutations: texts with a few small mistakes.

use fastrand::Rng;

use super::tokens::cut;

/// Pieces that are inserted where they do not belong.
const PIECES: &[&str] = &[
    "'",
    "`",
    ";",
    "&",
    "|",
    "^",
    "!",
    "~",
    "$",
    "%",
    "@",
    "\\",
    "?",
    ":",
    "::",
    ",",
    ".",
    "..",
    "...",
    "=",
    "==",
    "=>",
    "!=",
    "<",
    ">",
    "<=",
    "<<",
    "<<EOT",
    "<<-EOT\n",
    "EOT",
    "EOT\n",
    "&&",
    "||",
    "+",
    "-",
    "*",
    "/",
    "//",
    "#",
    "/*",
    "*/",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "${",
    "$${",
    "%{",
    "%%{",
    "~}",
    "${~",
    "%{~",
    "[*]",
    ".*",
    ".0",
    ".0.1",
    "[0]",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "\u{a0}",
    "\u{2028}",
    "\u{feff}",
    "\u{0}",
    "\u{1}",
    "\u{201c}",
    "\u{201d}",
    "\u{2018}",
    "\u{2019}",
    "\u{e9}",
    "e\u{301}",
    "\u{65e5}\u{672c}",
    "\u{1f468}\u{200d}\u{1f469}",
    "\u{200d}",
    "a",
    "_",
    "for",
    "in",
    "if",
    "else",
    "endif",
    "endfor",
    "true",
    "null",
    "0",
    "1",
    "1e",
    "1e5",
    "1.",
    ".5",
    "0x1",
    "a.b",
    "a = 1\n",
    "b {\n",
    "}\n",
    "b {}\n",
    "%{ if a }",
    "%{ else }",
    "%{ endif }",
    "%{ for a in b }",
    "%{ endfor }",
    "\\n",
    "\\u00e9",
    "\\u12",
    "\\q",
    "a::b()",
    "f(",
    "f(a...)",
];

/// Returns a short part of a text: some consecutive lines, if possible from one that is not indented.
pub(crate) fn excerpt(rng: &mut Rng, text: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let most = rng.usize(3..25);
    if lines.len() <= most && text.len() < 2_000 {
        return text.to_owned();
    }
    let starts: Vec<usize> =
        (0..lines.len()).filter(|&n| lines[n].starts_with(|c: char| c.is_alphabetic())).collect();
    let start = rng.choice(&starts).copied().unwrap_or_else(|| rng.usize(0..lines.len()));
    // Up to the closing brace without indentation, if it is near.
    let end = (start..lines.len().min(start + most)).find(|&n| n > start && lines[n].starts_with('}'));
    let end = end.unwrap_or_else(|| lines.len().min(start + rng.usize(1..=most)) - 1);
    let mut part = lines[start..=end.max(start)].concat();
    if part.len() > 3_000 {
        part.truncate((0..=3_000).rev().find(|&at| part.is_char_boundary(at)).unwrap_or(0));
    }
    part
}

/// Returns the text with one to three mutations.
pub(crate) fn mutate(rng: &mut Rng, text: &str, other: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..[1, 1, 1, 2, 2, 3][rng.usize(0..6)] {
        text = match rng.u8(0..10) {
            0..=5 => in_tokens(rng, &text),
            6..=7 => in_characters(rng, &text),
            8 => in_lines(rng, &text),
            _ => splice(rng, &text, other),
        };
    }
    text
}

fn in_tokens(rng: &mut Rng, text: &str) -> String {
    let mut pieces = cut(text);
    if pieces.is_empty() {
        return PIECES[rng.usize(0..PIECES.len())].to_owned();
    }
    // Half of all pieces are blanks, which are the least interesting.
    let mut at = rng.usize(0..pieces.len());
    if pieces[at].trim_matches(' ').is_empty() {
        at = rng.usize(0..pieces.len());
    }
    let other = rng.usize(0..pieces.len());
    match rng.u8(0..7) {
        0 | 1 => {
            pieces.remove(at);
        }
        2 => pieces.insert(at, pieces[at]),
        3 => pieces.swap(at, other),
        4 => pieces[at] = pieces[other],
        5 => pieces[at] = PIECES[rng.usize(0..PIECES.len())],
        _ => pieces.insert(at, PIECES[rng.usize(0..PIECES.len())]),
    }
    pieces.concat()
}

fn in_characters(rng: &mut Rng, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    if chars.is_empty() {
        return text.to_owned();
    }
    let at = rng.usize(0..chars.len());
    let wild =
        ['\u{0}', '\n', '"', '{', '}', '\\', '\u{e9}', '\u{301}', ' ', '$', '~', '\r'][rng.usize(0..12)];
    match (rng.u8(0..4), wild) {
        (0, _) => {
            chars.remove(at);
        }
        (1, _) => chars.insert(at, chars[at]),
        (2, wild) => chars.insert(at, wild),
        // A file cut short, as an editor saves it.
        _ if rng.bool() => chars.truncate(at),
        _ => {
            let other = rng.usize(0..chars.len());
            chars.swap(at, other);
        }
    }
    chars.into_iter().collect()
}

fn in_lines(rng: &mut Rng, text: &str) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.is_empty() {
        return text.to_owned();
    }
    let at = rng.usize(0..lines.len());
    let other = rng.usize(0..lines.len());
    match rng.u8(0..5) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, lines[other]),
        2 => lines.swap(at, other),
        3 => lines[at] = lines[at].trim_end_matches(['\r', '\n']),
        _ => return text.replace("\r\n", "\n").replace('\n', "\r\n"),
    }
    lines.concat()
}

/// The start of one text, and the end of another.
fn splice(rng: &mut Rng, text: &str, other: &str) -> String {
    let (head, tail) = (cut(text), cut(other));
    let head = &head[..rng.usize(0..=head.len())];
    let tail = &tail[tail.len() - rng.usize(0..=tail.len().min(60))..];
    head.concat() + &tail.concat()
}
