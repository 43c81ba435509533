//! Parses entries: commands, assignments and expressions. Also decides whether an entry continues on the next line.

use std::borrow::Cow;

use hclkit::syntax::{TokenKind, Tokens};
use hclkit::{Limits, Source, Span};

/// The origin of an entry.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    /// Its name in messages.
    pub(super) name: &'static str,
    /// The line in which the entry starts.
    pub(super) line: u32,
}

impl Origin {
    /// The text from a position in the entry.
    fn source(self, entry: &str, offset: usize) -> Source {
        let mut start = Source::new(self.name, entry).position(offset as u32);
        start.line += self.line - 1;
        Source::new(self.name, &entry[offset..]).with_start(start)
    }
}

/// An entry without its final line break. The closing delimiter of a heredoc requires a line break.
fn whole(text: &str) -> Cow<'_, str> {
    let text = text.trim_end_matches(['\n', '\r']);
    if text.contains("<<") { Cow::Owned(format!("{text}\n")) } else { Cow::Borrowed(text) }
}

/// A parsed entry.
pub(super) enum Entry {
    /// Only spaces and comments.
    Nothing,
    /// `:name argument`
    Command { name: String, argument: Source },
    /// `name = expression`. A name with dots sets an attribute of an object.
    Assignment { name: Vec<String>, expression: Source },
    /// An expression.
    Expression(Source),
}

impl Entry {
    pub(super) fn read(text: &str, origin: Origin) -> Self {
        let text = &*whole(text);
        // The text after an offset and any spaces.
        let rest = |offset: usize| {
            let blank = text[offset..].len() - text[offset..].trim_start_matches([' ', '\t']).len();
            origin.source(text, offset + blank)
        };
        if let Some(command) = text.trim_start().strip_prefix(':') {
            let end = command.find(char::is_whitespace).unwrap_or(command.len());
            let start = text.len() - command.len() + end;
            return Self::Command { name: command[..end].to_owned(), argument: rest(start) };
        }
        let source = origin.source(text, 0);
        let tokens = Tokens::of(&source);
        let mut significant = tokens.iter().filter(|token| !token.kind.is_trivia());
        let mut name = Vec::new();
        while let Some(token) = significant.next() {
            match token.kind {
                TokenKind::Eof if name.is_empty() => return Self::Nothing,
                TokenKind::Identifier => name.push(source.slice(token.span).to_owned()),
                _ => break,
            }
            match significant.next() {
                Some(token) if token.kind == TokenKind::Equal => {
                    return Self::Assignment { name, expression: rest(token.span.end as usize) };
                }
                Some(token) if token.kind == TokenKind::Dot => {}
                _ => break,
            }
        }
        Self::Expression(source)
    }
}

/// The maximum length of the text of open constructs, in bytes. It is scanned again with each line.
const MOST_OPEN_TEXT: usize = 1 << 14;

/// An entry that is read line by line. Each line is scanned once, with the open constructs prepended as text.
#[derive(Default)]
pub(super) struct Lines {
    text: String,
    /// The length of the scanned text, and the open constructs at its end.
    seen: usize,
    open: Vec<Open>,
    in_comment: bool,
}

/// An open construct: a bracket, a string, a heredoc or a template sequence.
#[derive(Clone)]
struct Open {
    kind: TokenKind,
    /// The text that opens the construct.
    text: String,
}

impl Lines {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// Adds a line. Returns true if the entry is complete.
    pub(super) fn add(&mut self, line: &str) -> bool {
        self.text.push_str(line);
        if self.is_text_of_heredoc(line) {
            self.seen = self.text.len();
            return false;
        }
        // Brackets do not change how text is scanned.
        let brackets = self.open.iter().take_while(|open| is_bracket(open.kind)).count();
        let mut text: String = self.open[brackets..].iter().map(|open| open.text.as_str()).collect();
        text.push_str(if self.in_comment { "/*" } else { "" });
        // Input that is nested too deeply is an error, whatever follows.
        if text.len() > MOST_OPEN_TEXT || self.open.len() > Limits::NESTING as usize {
            return true;
        }
        text.push_str(&self.text[self.seen..]);
        self.open.truncate(brackets);
        let Some(in_comment) = look(&text, &mut self.open) else { return true };
        // A string ends at the end of its line.
        if !in_comment && matches!(self.open.last().map(|open| open.kind), None | Some(TokenKind::OpenQuote))
        {
            return true;
        }
        (self.seen, self.in_comment) = (self.text.len(), in_comment);
        false
    }

    /// Whether a line is only a part of the open heredoc.
    fn is_text_of_heredoc(&self, line: &str) -> bool {
        let Some(Open { kind: TokenKind::OpenHeredoc, text }) = self.open.last() else { return false };
        let end = text.trim_start_matches(['<', '-']).trim();
        !self.in_comment && !line.contains("${") && !line.contains("%{") && line.trim() != end
    }
}

/// Scans text that may start inside of brackets. Returns the open constructs at its end and whether a comment is open.
/// Returns nothing if a closing bracket does not match, which no further line can fix.
fn look(text: &str, open: &mut Vec<Open>) -> Option<bool> {
    let source = Source::new("", &*whole(text));
    for token in Tokens::of(&source).iter() {
        match token.kind {
            TokenKind::OpenBrace
            | TokenKind::OpenBracket
            | TokenKind::OpenParen
            | TokenKind::OpenQuote
            | TokenKind::OpenHeredoc
            | TokenKind::OpenInterpolation
            | TokenKind::OpenInterpolationStrip
            | TokenKind::OpenDirective
            | TokenKind::OpenDirectiveStrip => {
                let text = source.slice(token.span);
                let is_line = token.kind == TokenKind::OpenHeredoc && !text.ends_with('\n');
                open.push(Open {
                    kind: token.kind,
                    text: format!("{text}{}", if is_line { "\n" } else { "" }),
                });
            }
            TokenKind::CloseBrace
            | TokenKind::CloseBracket
            | TokenKind::CloseParen
            | TokenKind::CloseQuote
            | TokenKind::CloseHeredoc
            | TokenKind::CloseSequence
            | TokenKind::CloseSequenceStrip => {
                open.pop().filter(|open| closes(token.kind, open.kind))?;
            }
            TokenKind::InlineComment if is_open_comment(source.slice(token.span)) => return Some(true),
            _ => {}
        }
    }
    Some(false)
}

fn is_bracket(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::OpenBrace | TokenKind::OpenBracket | TokenKind::OpenParen)
}

fn is_open_comment(text: &str) -> bool {
    text.len() < 4 || !text.ends_with("*/")
}

fn closes(close: TokenKind, open: TokenKind) -> bool {
    match open {
        TokenKind::OpenBrace => close == TokenKind::CloseBrace,
        TokenKind::OpenBracket => close == TokenKind::CloseBracket,
        TokenKind::OpenParen => close == TokenKind::CloseParen,
        TokenKind::OpenQuote => close == TokenKind::CloseQuote,
        TokenKind::OpenHeredoc => close == TokenKind::CloseHeredoc,
        _ => matches!(close, TokenKind::CloseSequence | TokenKind::CloseSequenceStrip),
    }
}

/// The traversal before a position: `a.b[0]` in `1 + a.b[0]`.
pub(super) fn traversal_before(text: &str) -> &str {
    let source = Source::new("", text);
    let tokens: Vec<_> = Tokens::of(&source)
        .iter()
        .filter(|token| !token.kind.is_trivia() && token.kind != TokenKind::Eof)
        .collect();
    let mut start = text.len() as u32;
    let mut depth = 0_usize;
    let mut behind = None;
    for token in tokens.iter().rev() {
        let Span { start: at, .. } = token.span;
        match token.kind {
            TokenKind::CloseBracket => depth += 1,
            TokenKind::OpenBracket if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            TokenKind::Dot if behind == Some(TokenKind::Identifier) => {}
            TokenKind::Identifier if behind != Some(TokenKind::Identifier) => {}
            _ => break,
        }
        (start, behind) = (at, Some(token.kind));
    }
    &text[start as usize..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_continue_while_something_is_open() {
        let is_complete = |text: &str| Lines::default().add(text);
        for text in [
            "[1,",
            "f(1,\n",
            "{ a = [\n1]",
            "<<EOT\nx\n",
            "\"a${",
            "\"${[\n",
            "/* a",
            "x = {",
            "\"%{ if a }${",
        ] {
            assert!(!is_complete(text), "{text}");
        }
        for text in [
            "",
            "1 +",
            "[1, 2]",
            "[1, 2)",
            "}",
            "\"abc",
            "\"a${b}",
            "<<EOT\nx\nEOT\n",
            "<<EOT\nx\nEOT",
            "# [",
            "[1] /* a */",
            ":type [",
        ] {
            assert_eq!(is_complete(text), text != ":type [", "{text}");
        }
    }

    #[test]
    fn entries_are_read_line_by_line() {
        for text in [
            "[1,\n  f(<<EOT\n]\n${[\n1]}\n  x\nEOT\n  ),\n\"a\", /* [\n[ */ ]\n",
            "{ a = <<-E\n  one\n  %{ if x }\n two ] }\n%{ endif }\n  E\n}\n",
            "[\"${\n[\n1]\n}\", <<A\n${~ {\n\"x\" = <<B\nA\n%{\nif x }\n}\nB\n} ~}\nE\nA\n]\n",
            "[/* a\n[ */ 1, /*\n*/ /*\n */ \"${ /* \n } */\n}\" ]\n",
        ] {
            let mut lines = Lines::default();
            let mut rest = text.split_inclusive('\n').peekable();
            while let Some(line) = rest.next() {
                assert_eq!(lines.add(line), rest.peek().is_none(), "{:?}", lines.text());
            }
            assert_eq!(lines.into_text(), text);
        }
    }

    #[test]
    fn entries_that_are_nested_too_deeply_end() {
        // Otherwise each line would be scanned together with all open constructs.
        for open in ["[\n", "\"${\n", "<<E\n${\n"] {
            let mut lines = Lines::default();
            let ended = (0..4_000).find(|_| open.split_inclusive('\n').any(|line| lines.add(line)));
            assert!(ended.is_some_and(|at| at <= 1_001), "{open:?}: {ended:?}");
        }
        let mut lines = Lines::default();
        assert!(!lines.add(&format!("<<{}\n", "E".repeat(20_000))));
        assert!(!lines.add("text\n"));
        assert!(lines.add("${1}\n"), "the marker is scanned with each line");
    }

    #[test]
    fn an_equals_sign_after_a_name_assigns() {
        let origin = Origin { name: "<stdin>", line: 7 };
        let kind = |text: &str| match Entry::read(text, origin) {
            Entry::Nothing => "nothing".to_owned(),
            Entry::Command { name, argument } => format!("command {name} {:?}", argument.text()),
            Entry::Assignment { name, expression } => {
                let start = expression.start();
                format!("{} = {:?} at {}:{}", name.join("."), expression.text(), start.line, start.column)
            }
            Entry::Expression(_) => "expression".to_owned(),
        };
        assert_eq!(kind("x = 1"), "x = \"1\" at 7:5");
        assert_eq!(kind(" a.b =[1,\n2]\n"), "a.b = \"[1,\\n2]\" at 7:7");
        assert_eq!(kind("x == 1"), "expression");
        assert_eq!(kind("x"), "expression");
        assert_eq!(kind("a[0] = 1"), "expression");
        assert_eq!(kind(" # x\n"), "nothing");
        assert_eq!(kind(" :type  1 + 1\n"), "command type \"1 + 1\"");
        assert_eq!(kind(":vars"), "command vars \"\"");
    }

    #[test]
    fn traversals_are_found_before_the_cursor() {
        for (text, expected) in [
            ("1 + a.b", "a.b"),
            ("f(a[0].b", "a[0].b"),
            ("a[x.y].b", "a[x.y].b"),
            ("\"${a.b", "a.b"),
            ("a b", "b"),
            ("[for x in a", "a"),
            ("", ""),
            ("1 + ", ""),
        ] {
            assert_eq!(traversal_before(text), expected, "{text}");
        }
    }
}
