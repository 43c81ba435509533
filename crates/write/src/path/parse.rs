//! Parsing of paths.

use hclkit_model::{Context, Expression};
use hclkit_syntax::{Root, ast::ExpressionKind, parse_expression};

use super::{Position, SelectorError, Step};

/// A name, in which `*` matches any characters.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    /// The parts between the stars.
    parts: Vec<String>,
    /// Its start in the path.
    pub(super) start: usize,
}

impl Pattern {
    /// The name, if there are no stars.
    pub(super) fn as_literal(&self) -> Option<String> {
        if let [name] = &self.parts[..] { Some(name.clone()) } else { None }
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(String::as_str)
    }

    pub(super) fn matches(&self, name: &str) -> bool {
        let [first, rest @ ..] = &self.parts[..] else { return false };
        let [middle @ .., last] = rest else { return name == first };
        let Some(mut name) =
            name.strip_prefix(first.as_str()).and_then(|name| name.strip_suffix(last.as_str()))
        else {
            return false;
        };
        for part in middle {
            let Some(at) = name.find(part.as_str()) else { return false };
            name = &name[at + part.len()..];
        }
        true
    }
}

/// The maximum length of a path in bytes, and the maximum number of its steps. The work for each step grows with the
/// number of matches before it, and finding the end of a predicate with the length of the rest.
const MOST_BYTES: usize = 1 << 16;
const MOST_STEPS: usize = 1_000;

pub(super) fn parse(text: &str) -> Result<Vec<Step>, SelectorError> {
    if text.len() > MOST_BYTES {
        let message = format!("the path has {} bytes; the limit is {MOST_BYTES}", text.len());
        return Err(SelectorError { offset: 0, message });
    }
    let mut parser = Parser { text, at: 0, steps: Vec::new() };
    parser.path()?;
    Ok(parser.steps)
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    steps: Vec<Step>,
}

impl<'t> Parser<'t> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T, SelectorError> {
        Err(SelectorError { offset: self.at, message: message.into() })
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// `Path = "." | [ ".." ] Name { Step } | Bracket { Step };`
    fn path(&mut self) -> Result<(), SelectorError> {
        if self.text == "." {
            return Ok(());
        }
        if self.text.is_empty() {
            return self.error("the path is empty; `.` is the whole file");
        }
        if !self.text.starts_with(['.', '[']) {
            self.name()?;
        }
        while !self.rest().is_empty() {
            if self.steps.len() >= MOST_STEPS {
                return self.error(format!("the path has more than {MOST_STEPS} steps"));
            }
            self.step()?;
        }
        Ok(())
    }

    /// `Step = "." Name | ".." Name | "~" | "[" … "]" | "(" Position ")" | "{" Position "}";`
    fn step(&mut self) -> Result<(), SelectorError> {
        let rest = self.rest();
        if rest.starts_with("..") {
            self.at += 2;
            self.steps.push(Step::Deep);
            return if self.rest().starts_with('[') { self.bracket() } else { self.name() };
        }
        match rest.as_bytes()[0] {
            b'.' => {
                self.at += 1;
                self.name()
            }
            b'~' => {
                self.at += 1;
                self.steps.push(Step::Labels);
                Ok(())
            }
            b'[' => self.bracket(),
            b'(' => {
                let position = self.position(')')?;
                self.steps.push(Step::Argument(position));
                Ok(())
            }
            b'{' => {
                let position = self.position('}')?;
                self.steps.push(Step::Part(position));
                Ok(())
            }
            _ => self.error("expected a step, such as `.name` or `[0]`"),
        }
    }

    /// `Name = ( Character | "\" AnyCharacter | "*" ) { … };`
    fn name(&mut self) -> Result<(), SelectorError> {
        let start = self.at;
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
        self.steps.push(Step::Name(Pattern { parts, start }));
        Ok(())
    }

    /// `Position = [ "-" ] Digits | "*";` between two characters.
    fn position(&mut self, close: char) -> Result<Position, SelectorError> {
        let content = &self.rest()[1..];
        let Some(end) = content.find(close) else {
            return self.error(format!("missing `{close}`"));
        };
        let position = match content[..end].trim() {
            "*" => Position::Every,
            number => match number.parse() {
                Ok(number) => Position::At(number),
                Err(_) => return self.error("expected a whole number or `*` in the brackets"),
            },
        };
        self.at += end + 2;
        Ok(position)
    }

    /// `Bracket = "[" ( Position | String | Predicate ) "]";`
    fn bracket(&mut self) -> Result<(), SelectorError> {
        let start = self.at;
        let Some(length) = closing(self.rest()) else { return self.error("missing `]`") };
        let content = self.rest()[1..length].trim();
        self.at += length + 1;
        let step = if content == "*" {
            Step::Index(Position::Every)
        } else if let Ok(number) = content.parse() {
            Step::Index(Position::At(number))
        } else {
            match literal(content) {
                Some(name) => Step::Name(Pattern { parts: vec![name], start: start + 1 }),
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
        self.steps.push(step);
        Ok(())
    }
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
    let source = hclkit_syntax::Source::new("", text);
    let tokens = hclkit_syntax::Tokens::of(&source);
    let mut open = 0_i32;
    for token in tokens.iter() {
        match token.kind {
            hclkit_syntax::TokenKind::OpenBracket => open += 1,
            hclkit_syntax::TokenKind::CloseBracket => {
                open -= 1;
                if open == 0 {
                    return Some(token.span.start as usize);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_paths_are_rejected() {
        for (path, reason) in [
            (format!("a{}", "[0]".repeat(2_000)), "the path has more than 1000 steps"),
            ("a".repeat(70_000), "the path has 70000 bytes; the limit is 65536"),
        ] {
            assert_eq!(parse(&path).unwrap_err().message, reason);
        }
        assert!(parse(&format!("a{}", ".b".repeat(999))).is_ok());
    }
}
