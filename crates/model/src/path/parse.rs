//! Parsing of paths.

use hclkit_syntax::ast::ExpressionKind;
use hclkit_syntax::{Root, Source, TokenKind, Tokens, parse_expression};

use super::{NamePattern, PathError, Position, Step};
use crate::{Context, Expression};

/// The maximum length of a path in bytes, and the maximum number of its steps. The work for each step grows with the
/// number of matches before it, and finding the end of a predicate with the length of the rest.
const MOST_BYTES: usize = 1 << 16;
const MOST_STEPS: usize = 1_000;

/// Returns the steps, each with its offset.
pub(super) fn parse(text: &str) -> Result<Vec<(usize, Step)>, PathError> {
    if text.len() > MOST_BYTES {
        let message = format!("the path has {} bytes; the limit is {MOST_BYTES}", text.len());
        return Err(PathError::new(text, 0, message));
    }
    let mut parser = Parser { text, at: 0, steps: Vec::new() };
    parser.path()?;
    Ok(parser.steps)
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    steps: Vec<(usize, Step)>,
}

impl<'t> Parser<'t> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T, PathError> {
        Err(PathError::new(self.text, self.at, message.into()))
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// `Path = "." | First { Step };` and `First = [ "." | ".." ] Name | [ ".." ] Bracket;`
    fn path(&mut self) -> Result<(), PathError> {
        if self.text == "." {
            return Ok(());
        }
        if self.text.is_empty() {
            return self.error("the path is empty; `.` selects everything");
        }
        if !self.text.starts_with(['.', '[']) {
            self.name(0)?;
        }
        while !self.rest().is_empty() {
            if self.steps.len() >= MOST_STEPS {
                return self.error(format!("the path has more than {MOST_STEPS} steps"));
            }
            self.step()?;
        }
        Ok(())
    }

    /// `Step = "." Name | ".." ( Name | Bracket ) | "~" | Bracket | "(" Position ")" | "{" Position "}";`
    fn step(&mut self) -> Result<(), PathError> {
        let (start, rest) = (self.at, self.rest());
        if rest.starts_with("..") {
            self.at += 2;
            self.steps.push((start, Step::Deep));
            return if self.rest().starts_with('[') { self.bracket() } else { self.name(start) };
        }
        match rest.as_bytes()[0] {
            b'.' => {
                self.at += 1;
                self.name(start)
            }
            b'~' => {
                self.at += 1;
                self.steps.push((start, Step::Labels));
                Ok(())
            }
            b'[' => self.bracket(),
            b'(' => {
                let position = self.position(')')?;
                self.steps.push((start, Step::Argument(position)));
                Ok(())
            }
            b'{' => {
                let position = self.position('}')?;
                self.steps.push((start, Step::Part(position)));
                Ok(())
            }
            _ => self.error("expected a step, such as `.name` or `[0]`"),
        }
    }

    /// `Name = NamePart { NamePart };` The step starts at `start`.
    fn name(&mut self, start: usize) -> Result<(), PathError> {
        let mut parts = vec![String::new()];
        let mut characters = self.rest().char_indices();
        let mut end = self.rest().len();
        while let Some((at, character)) = characters.next() {
            let last = parts.len() - 1;
            match character {
                '\\' => {
                    let Some((_, escaped)) = characters.next() else {
                        self.at += at;
                        return self.error("expected a character after `\\`");
                    };
                    parts[last].push(escaped);
                }
                '*' if characters.as_str().starts_with('*') => {
                    self.at += at;
                    return self.error("unexpected `**`; write `..name` for a name at any depth");
                }
                '*' => parts.push(String::new()),
                '.' | '[' | '(' | '{' | '~' => {
                    end = at;
                    break;
                }
                ']' | ')' | '}' | '"' | '=' => {
                    self.at += at;
                    return self.error(format!("unexpected `{character}`; write `\\{character}` in a name"));
                }
                _ => parts[last].push(character),
            }
        }
        if end == 0 {
            return self.error("expected a name or `*`");
        }
        self.at += end;
        self.steps.push((start, Step::Name(NamePattern { parts, is_quoted: false })));
        Ok(())
    }

    /// A position between two characters.
    fn position(&mut self, close: char) -> Result<Position, PathError> {
        let content = &self.rest()[1..];
        let Some(end) = content.find(close) else {
            return self.error(format!("missing `{close}`"));
        };
        let Some(position) = position(content[..end].trim()) else {
            return self.error("expected a whole number or `*` in the brackets");
        };
        self.at += end + 2;
        Ok(position)
    }

    /// `Bracket = "[" ( Position | StringLit | Predicate ) "]";`
    fn bracket(&mut self) -> Result<(), PathError> {
        let start = self.at;
        let Some(length) = closing(self.rest()) else { return self.error("missing `]`") };
        let content = self.rest()[1..length].trim();
        self.at += length + 1;
        let step = if let Some(position) = position(content) {
            Step::Index(position)
        } else {
            match literal(content) {
                Some(name) => Step::Name(NamePattern { parts: vec![name], is_quoted: true }),
                None => match Expression::parse(content) {
                    Ok(predicate) => Step::Predicate(predicate),
                    Err(diagnostics) => {
                        let detail = diagnostics.iter().next().map(|first| first.note().to_owned());
                        self.at = start;
                        return self.error(format!(
                            "`{content}` is not a valid predicate: {}",
                            detail.unwrap_or_default().trim_end_matches('.')
                        ));
                    }
                },
            }
        };
        self.steps.push((start, step));
        Ok(())
    }
}

/// `Position = [ "-" ] Digit { Digit } | "*";`
fn position(text: &str) -> Option<Position> {
    if text == "*" {
        return Some(Position::Every);
    }
    let (digits, furthest) = match text.strip_prefix('-') {
        Some(digits) => (digits, i64::MIN),
        None => (text, i64::MAX),
    };
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    // There are never as many parts as the largest number.
    Some(Position::At(text.parse().unwrap_or(furthest)))
}

/// A string literal.
fn literal(text: &str) -> Option<String> {
    let document = parse_expression(text);
    let Root::Expression(expression) = document.root() else { return None };
    let ExpressionKind::Template(_) = expression.kind() else { return None };
    if document.has_errors() {
        return None;
    }
    let value = Expression::parse(text).ok()?.evaluate(&Context::new()).ok()?;
    value.as_str().map(str::to_owned)
}

/// The offset of the bracket that closes the one that the text starts with. Brackets in strings do not count.
fn closing(text: &str) -> Option<usize> {
    let source = Source::new("", text);
    let tokens = Tokens::of(&source);
    let mut open = 0_usize;
    let closing = tokens.iter().find(|token| {
        match token.kind {
            TokenKind::OpenBracket => open += 1,
            TokenKind::CloseBracket => open = open.saturating_sub(1),
            _ => {}
        }
        open == 0
    })?;
    (closing.kind == TokenKind::CloseBracket).then_some(closing.span.start as usize)
}
