//! The place of a cursor in the value of an argument: the argument, and the keys of objects and the lists around the cursor. It is
//! read from the tokens before the cursor, because the value is not finished.

use hclkit::syntax::TokenKind;

use crate::file::File;

/// The most tokens that are read.
const MOST_TOKENS: usize = 20_000;

/// A step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The value of a key.
    Key(String),
    /// An element of a list.
    Element,
}

/// The place of a cursor in a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// The argument of the body.
    pub(super) argument: Option<String>,
    /// The steps into its value, from the outside in.
    pub(super) steps: Vec<Step>,
    /// Whether the cursor is where a key of an object can be.
    pub(super) is_key: bool,
    /// The function whose argument the cursor is in.
    pub(super) call: Option<String>,
    /// Whether nothing is between the argument and the cursor but lists and objects.
    pub(super) is_plain: bool,
}

impl Place {
    /// The place of an offset.
    pub(super) fn of(file: &File, offset: u32) -> Self {
        let mut scan = Scan {
            file,
            place: Self { is_plain: true, ..Self::default() },
            name: None,
            is_over: false,
            is_inner: true,
        };
        scan.run(offset);
        scan.place.steps.reverse();
        scan.place
    }

    /// The name that the value at the cursor has: the innermost key, or the argument.
    pub(super) fn name(&self) -> Option<&str> {
        let inner = self.steps.iter().rev().find_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Element => None,
        });
        inner.or(self.argument.as_deref())
    }
}

struct Scan<'f> {
    file: &'f File,
    place: Place,
    /// The name before an equals sign, if the cursor is in its value.
    name: Option<String>,
    /// Whether an item ends before the cursor, so that an equals sign belongs to another one.
    is_over: bool,
    /// Whether no bracket around the cursor was found yet.
    is_inner: bool,
}

impl Scan<'_> {
    fn run(&mut self, offset: u32) {
        let tokens = self.file.document().tokens();
        let mut depth = 0_u32;
        let mut at = tokens.iter().take_while(|token| token.span.start < offset).count() as u32;
        for _ in 0..MOST_TOKENS {
            let Some(before) = at.checked_sub(1) else { break };
            at = before;
            let kind = tokens.kind(at);
            match kind {
                TokenKind::CloseParen
                | TokenKind::CloseBracket
                | TokenKind::CloseBrace
                | TokenKind::CloseSequence
                | TokenKind::CloseSequenceStrip
                    if tokens.span(at).end <= offset =>
                {
                    depth += 1;
                }
                TokenKind::OpenParen
                | TokenKind::OpenBracket
                | TokenKind::OpenBrace
                | TokenKind::OpenInterpolation
                | TokenKind::OpenInterpolationStrip
                | TokenKind::OpenDirective
                | TokenKind::OpenDirectiveStrip
                    if depth > 0 =>
                {
                    depth -= 1;
                }
                _ if depth > 0 => {}
                TokenKind::Equal => self.named(at),
                TokenKind::Colon if self.is_key_before(at) => self.named(at),
                TokenKind::Comma | TokenKind::Newline => self.is_over |= self.name.is_none(),
                TokenKind::OpenParen => self.parenthesis(at),
                TokenKind::OpenBracket => self.bracket(at),
                TokenKind::OpenInterpolation | TokenKind::OpenInterpolationStrip => {
                    self.place.is_plain = false;
                    self.is_inner = false;
                    self.is_over = false;
                }
                // It may only note what the brace is.
                TokenKind::OpenBrace if self.brace(at) => break,
                TokenKind::Question => self.place.is_plain = false,
                _ => {}
            }
        }
        self.place.argument = self.name.take();
    }

    /// The text of the token before another one, without quotes.
    fn word_before(&self, at: u32) -> Option<(String, u32)> {
        let document = self.file.document();
        let tokens = document.tokens();
        let before = tokens.significant_before(at)?;
        let text = tokens.text(before, document.source());
        matches!(tokens.kind(before), TokenKind::Identifier | TokenKind::String)
            .then(|| (text.trim_matches('"').to_owned(), before))
    }

    fn named(&mut self, at: u32) {
        if self.name.is_none() && !self.is_over {
            self.name = self.word_before(at).map(|(name, _)| name);
        }
    }

    /// Whether a colon comes after a key, and is not that of a conditional.
    fn is_key_before(&self, at: u32) -> bool {
        let tokens = self.file.document().tokens();
        let Some((_, before)) = self.word_before(at) else { return false };
        let mut first = before;
        while first > 0 {
            first -= 1;
            match tokens.kind(first) {
                TokenKind::OpenBrace | TokenKind::Comma | TokenKind::Newline => return true,
                kind if kind.is_trivia() => {}
                _ => return false,
            }
        }
        false
    }

    fn parenthesis(&mut self, at: u32) {
        let tokens = self.file.document().tokens();
        let called =
            self.word_before(at).filter(|(_, before)| tokens.span(*before).end == tokens.span(at).start);
        if self.place.call.is_none() && self.is_inner {
            self.place.call = called.map(|(name, _)| name);
        }
        self.place.is_plain = false;
        self.is_inner = false;
        self.is_over = false;
    }

    fn bracket(&mut self, at: u32) {
        let tokens = self.file.document().tokens();
        let start = tokens.span(at).start;
        let is_index = at.checked_sub(1).is_some_and(|before| {
            let is_operand = matches!(
                tokens.kind(before),
                TokenKind::Identifier | TokenKind::CloseBracket | TokenKind::CloseParen
            );
            is_operand && tokens.span(before).end == start
        });
        if is_index {
            self.place.is_plain = false;
        } else {
            self.place.steps.push(Step::Element);
        }
        self.is_inner = false;
        self.is_over = false;
    }

    /// An open brace. True if it begins a body.
    fn brace(&mut self, at: u32) -> bool {
        let document = self.file.document();
        let tokens = document.tokens();
        let before = tokens.significant_before(at).map(|before| tokens.kind(before));
        let is_body = match before {
            None | Some(TokenKind::Identifier | TokenKind::String | TokenKind::CloseQuote) => true,
            Some(kind) => kind == TokenKind::CloseBrace,
        };
        if is_body {
            return true;
        }
        let after = document.source().text().get(tokens.span(at).end as usize..).unwrap_or_default();
        match self.name.take() {
            Some(name) => self.place.steps.push(Step::Key(name)),
            None if after.trim_start().starts_with("for ") => self.place.steps.push(Step::Element),
            None => self.place.is_key |= self.is_inner,
        }
        self.is_inner = false;
        self.is_over = false;
        false
    }
}
