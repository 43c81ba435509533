//! Tokens: the output of the lexer, including comments and newlines. Only spaces and tabs separate them.
//! Specification: "Lexical Elements".

use crate::{Source, Span};

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[non_exhaustive]
pub enum TokenKind {
    /// A line feed, or a carriage return with a line feed.
    Newline,
    /// `# …` or `// …`, without the line break that ends it.
    LineComment,
    /// `/* … */`.
    InlineComment,
    /// A character that is not valid at its position; a diagnostic reports how to fix it.
    Wrong,
    /// The end of the text; always the last token, and empty.
    Eof,
    /// An identifier; keywords are identifiers too.
    Identifier,
    /// A numeric literal.
    Number,
    /// A quoted template without sequences, including its quotes: `"text"`.
    String,
    /// The quote that opens a quoted template with sequences.
    OpenQuote,
    /// The quote that closes a quoted template with sequences.
    CloseQuote,
    /// Literal text in a quoted template with sequences.
    QuotedText,
    /// `<<NAME` or `<<-NAME` with the line break after it.
    OpenHeredoc,
    /// The closing marker of a heredoc with the blanks around it, without the line break.
    CloseHeredoc,
    /// Literal text in a heredoc, on any number of lines.
    HeredocText,
    /// Literal text in a template that is a whole source.
    BareText,
    /// `${`
    OpenInterpolation,
    /// `${~`
    OpenInterpolationStrip,
    /// `%{`
    OpenDirective,
    /// `%{~`
    OpenDirectiveStrip,
    /// `}` that closes an interpolation or a directive.
    CloseSequence,
    /// `~}`
    CloseSequenceStrip,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `(`
    OpenParen,
    /// `)`
    CloseParen,
    /// `=`
    Equal,
    /// `==`
    EqualEqual,
    /// `!=`
    BangEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `&&`
    AndAnd,
    /// `||`
    OrOr,
    /// `!`
    Bang,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `%`
    Percent,
    /// `.`
    Dot,
    /// `...`
    Ellipsis,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `::`
    DoubleColon,
    /// `?`
    Question,
    /// `=>`
    FatArrow,
}

impl TokenKind {
    /// Returns true if the parser accepts the token unchanged everywhere.
    pub(crate) const fn is_plain(self) -> bool {
        self as u8 > Self::Wrong as u8
    }

    /// Returns true for comments and newlines, which matter only for layout.
    #[doc(hidden)]
    pub const fn is_trivia(self) -> bool {
        matches!(self, Self::Newline | Self::LineComment | Self::InlineComment)
    }

    /// Returns true for comments, in any of the three forms.
    pub const fn is_comment(self) -> bool {
        matches!(self, Self::LineComment | Self::InlineComment)
    }

    /// The text of the token, if it has only one spelling.
    pub const fn spelling(self) -> Option<&'static str> {
        Some(match self {
            Self::OpenQuote | Self::CloseQuote => "\"",
            Self::OpenInterpolation => "${",
            Self::OpenInterpolationStrip => "${~",
            Self::OpenDirective => "%{",
            Self::OpenDirectiveStrip => "%{~",
            Self::CloseSequenceStrip => "~}",
            Self::OpenBrace => "{",
            Self::CloseSequence | Self::CloseBrace => "}",
            Self::OpenBracket => "[",
            Self::CloseBracket => "]",
            Self::OpenParen => "(",
            Self::CloseParen => ")",
            Self::Equal => "=",
            Self::EqualEqual => "==",
            Self::BangEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::AndAnd => "&&",
            Self::OrOr => "||",
            Self::Bang => "!",
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Star => "*",
            Self::Slash => "/",
            Self::Percent => "%",
            Self::Dot => ".",
            Self::Ellipsis => "...",
            Self::Comma => ",",
            Self::Colon => ":",
            Self::DoubleColon => "::",
            Self::Question => "?",
            Self::FatArrow => "=>",
            _ => return None,
        })
    }
}

/// Lengths from here on are in the side table of [`Tokens`].
const LONG: u32 = (1 << 24) - 1;

/// How many tokens of a text have room before it is known how dense they are.
const SAMPLE: usize = 1 << 16;

/// The stored form of a token: its start, and its kind and length in one word.
#[derive(Debug, Clone, Copy)]
struct Packed {
    start: u32,
    kind: TokenKind,
    len: [u8; 3],
}

/// A token: its kind and its span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its span.
    pub span: Span,
}

/// The tokens of a document in source order; the last one is [`TokenKind::Eof`].
#[derive(Clone)]
pub struct Tokens {
    packed: Vec<Packed>,
    /// The index and length of each token of 16 MiB or more.
    long: Vec<(u32, u32)>,
    certain: bool,
    /// The length of the text.
    text_len: usize,
}

/// The number of tokens.
#[doc(hidden)]
impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokens").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl Tokens {
    pub(crate) fn for_text_of(len: usize) -> Self {
        // Real configuration has a token for every five or six bytes. The first tokens of a large text say what it needs.
        Self {
            packed: Vec::with_capacity((len / 5 + 8).min(SAMPLE)),
            long: Vec::new(),
            certain: true,
            text_len: len,
        }
    }

    /// Makes room for as many tokens as the rest of the text has if it is like the part before `start`. Doubling would
    /// copy large texts more often, and need more memory while it does.
    fn grow(&mut self, start: usize) {
        let count = self.packed.len();
        let rest = self.text_len.saturating_sub(start);
        let expected = count.saturating_mul(rest) / start.max(1);
        self.packed.reserve_exact(expected.min(rest).max(count / 4) + 16);
    }

    /// Notes that the lexer reported an error.
    pub(crate) fn doubt(&mut self) {
        self.certain = false;
    }

    #[doc(hidden)]
    /// Returns true if there are no lexical errors, so that the boundaries of all tokens follow from the specification.
    /// Otherwise, the tokens are what the text was probably meant to be.
    ///
    /// ```
    /// use hclkit_syntax::{Source, Tokens};
    /// assert!(Tokens::of(&Source::new("", "a = = 1")).are_certain());
    /// assert!(!Tokens::of(&Source::new("", "a = 'x'")).are_certain());
    /// ```
    pub fn are_certain(&self) -> bool {
        self.certain
    }

    #[inline]
    pub(crate) fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        let len = (end - start) as u32;
        if len >= LONG || self.packed.len() == self.packed.capacity() {
            return self.push_slowly(kind, start, len);
        }
        let [a, b, c, _] = len.to_le_bytes();
        self.packed.push(Packed { start: start as u32, kind, len: [a, b, c] });
    }

    /// Adds a long token, or one for which there is no room.
    #[cold]
    fn push_slowly(&mut self, kind: TokenKind, start: usize, len: u32) {
        if len >= LONG {
            self.long.push((self.packed.len() as u32, len));
        }
        if self.packed.len() == self.packed.capacity() {
            self.grow(start);
        }
        let [a, b, c, _] = len.min(LONG).to_le_bytes();
        self.packed.push(Packed { start: start as u32, kind, len: [a, b, c] });
    }

    /// Removes all tokens from index `count` on.
    pub(crate) fn truncate(&mut self, count: u32) {
        self.packed.truncate(count as usize);
        self.long.retain(|&(index, _)| index < count);
    }

    pub(crate) fn shrink(&mut self) {
        self.packed.shrink_to_fit();
    }

    /// The number of tokens, including the end token.
    pub fn len(&self) -> usize {
        self.packed.len()
    }

    /// Always returns false, because of the end token.
    #[doc(hidden)]
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// The kind of the token at `index`; [`TokenKind::Eof`] past the end.
    #[inline]
    pub fn kind(&self, index: u32) -> TokenKind {
        self.packed.get(index as usize).map_or(TokenKind::Eof, |token| token.kind)
    }

    #[doc(hidden)]
    /// The start of the token at `index`; the end of the text past the last token.
    #[inline]
    pub fn start(&self, index: u32) -> u32 {
        match self.packed.get(index as usize).or(self.packed.last()) {
            Some(token) => token.start,
            None => 0,
        }
    }

    /// The span of the token at `index`; empty at the end of the text past the last token.
    #[inline]
    pub fn span(&self, index: u32) -> Span {
        let Some(token) = self.packed.get(index as usize).or(self.packed.last()) else {
            return Span::default();
        };
        let [a, b, c] = token.len;
        let mut len = u32::from_le_bytes([a, b, c, 0]);
        if len == LONG
            && let Ok(at) = self.long.binary_search_by_key(&index, |&(index, _)| index)
        {
            len = self.long[at].1;
        }
        Span::new(token.start, token.start + len)
    }

    #[doc(hidden)]
    /// The token at `index`.
    pub fn get(&self, index: u32) -> Token {
        Token { kind: self.kind(index), span: self.span(index) }
    }

    /// All tokens in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Token> + '_ {
        self.packed.iter().enumerate().map(|(index, token)| {
            let [a, b, c] = token.len;
            let len = u32::from_le_bytes([a, b, c, 0]);
            let span =
                if len == LONG { self.span(index as u32) } else { Span::new(token.start, token.start + len) };
            Token { kind: token.kind, span }
        })
    }

    /// The text of the token at `index`.
    #[inline]
    pub fn text<'s>(&self, index: u32, source: &'s Source) -> &'s str {
        source.slice(self.span(index))
    }

    /// Returns true if the token at `index` has this text.
    #[inline]
    pub(crate) fn is_text(&self, index: u32, text: &str, source: &Source) -> bool {
        let span = self.span(index);
        span.len() as usize == text.len() && source.text().as_bytes()[span.to_range()] == *text.as_bytes()
    }

    #[doc(hidden)]
    /// The index of the token that contains or follows the byte `offset`.
    pub fn at(&self, offset: u32) -> u32 {
        let after = self.packed.partition_point(|token| token.start <= offset) as u32;
        let before = after.saturating_sub(1);
        if self.span(before).end > offset || after as usize >= self.len() { before } else { after }
    }

    #[doc(hidden)]
    /// The last token before `index` that is neither a comment nor a newline.
    pub fn significant_before(&self, index: u32) -> Option<u32> {
        (0..index).rev().find(|&at| !self.kind(at).is_trivia())
    }

    #[doc(hidden)]
    /// The first token from `index` on that is neither a comment nor a newline.
    pub fn significant_from(&self, index: u32) -> u32 {
        let last = self.len() as u32 - 1;
        (index..last).find(|&at| !self.kind(at).is_trivia()).unwrap_or(last)
    }

    #[doc(hidden)]
    /// The memory that the tokens use, in bytes.
    pub fn heap_size(&self) -> usize {
        self.packed.capacity() * size_of::<Packed>() + self.long.capacity() * size_of::<(u32, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_takes_eight_bytes() {
        assert_eq!(size_of::<Packed>(), 8);
    }

    #[test]
    fn lengths_past_24_bits_are_kept() {
        let mut tokens = Tokens::for_text_of(0);
        tokens.push(TokenKind::Identifier, 0, 3);
        tokens.push(TokenKind::LineComment, 4, 40_000_000);
        tokens.push(TokenKind::Eof, 40_000_000, 40_000_000);
        assert_eq!(tokens.span(0), Span::new(0, 3));
        assert_eq!(tokens.span(1), Span::new(4, 40_000_000));
        assert_eq!(tokens.span(2), Span::empty(40_000_000));
    }
}
