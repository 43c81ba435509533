//! Classes of tokens, and where the reference puts a space between them. The rules are derived from its answers to
//! every sequence of three tokens.

use hclkit_syntax::TokenKind;

/// The class of a token for the formatter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Class {
    /// The end of a line; before a token, the start of a line.
    Newline,
    Eof,
    LineComment,
    InlineComment,
    /// Any other token, with a space on both sides.
    Other,
    /// An operator. A minus that follows it is a sign.
    Operator,
    Equal,
    Name,
    /// The word `in` after a name, where it is most likely a keyword.
    In,
    Number,
    String,
    OpenQuote,
    CloseQuote,
    /// Literal text of a template.
    Text,
    OpenHeredoc,
    CloseHeredoc,
    OpenSequence,
    CloseSequence,
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    OpenParen,
    CloseParen,
    Dot,
    Ellipsis,
    Comma,
    DoubleColon,
    Bang,
    Minus,
    /// A minus that has no left operand.
    Negation,
}

const COUNT: usize = Class::Negation as usize + 1;

use Class as C;

impl Class {
    /// The class of a token of the lexer.
    #[inline]
    pub(super) fn of(kind: TokenKind) -> Self {
        OF_KIND[kind as usize]
    }

    /// The change in the number of open brackets.
    #[inline]
    pub(super) fn nesting(self) -> i32 {
        i32::from(NESTING[self as usize])
    }

    /// Returns true if a minus after this is a sign and not a subtraction.
    #[inline]
    pub(super) fn makes_negative(self) -> bool {
        NEGATES >> self as u32 & 1 != 0
    }

    /// The class of a token with this text, given the token before it.
    #[inline]
    pub(super) fn after(self, before: Self, text: &[u8]) -> Self {
        match self {
            Self::Minus if before.makes_negative() => Self::Negation,
            Self::Name if text == b"in" && matches!(before, Self::Name | Self::In) => Self::In,
            class => class,
        }
    }

    /// Returns true for `.` and `...`.
    pub(super) fn is_dots(self) -> bool {
        matches!(self, Self::Dot | Self::Ellipsis)
    }

    /// Returns true if there is a space between this and `after`. Callers handle the ends of lines and of the text.
    #[inline]
    pub(super) fn spaced(self, after: Self) -> bool {
        SPACED[self as usize] >> after as u32 & 1 != 0
    }

    /// The number of spaces between this and `after`, if the two classes alone decide it, and the second token means
    /// nothing else to its line. That is so for most tokens.
    #[inline]
    pub(super) fn plain_spaces(self, after: Self) -> Option<u32> {
        let closer = CLOSER[self as usize] >> after as u32 & 1 != 0;
        (!closer).then(|| SPACED[self as usize] >> after as u32 & 1)
    }
}

static OF_KIND: [Class; 64] = {
    use TokenKind as T;
    let mut table = [C::Other; 64];
    let classes = [
        (T::Newline, C::Newline),
        (T::Eof, C::Eof),
        (T::LineComment, C::LineComment),
        (T::InlineComment, C::InlineComment),
        (T::Identifier, C::Name),
        (T::Number, C::Number),
        (T::String, C::String),
        (T::OpenQuote, C::OpenQuote),
        (T::CloseQuote, C::CloseQuote),
        (T::QuotedText, C::Text),
        (T::HeredocText, C::Text),
        (T::BareText, C::Text),
        (T::OpenHeredoc, C::OpenHeredoc),
        (T::CloseHeredoc, C::CloseHeredoc),
        (T::OpenInterpolation, C::OpenSequence),
        (T::OpenInterpolationStrip, C::OpenSequence),
        (T::OpenDirective, C::OpenSequence),
        (T::OpenDirectiveStrip, C::OpenSequence),
        (T::CloseSequence, C::CloseSequence),
        (T::CloseSequenceStrip, C::CloseSequence),
        (T::OpenBrace, C::OpenBrace),
        (T::CloseBrace, C::CloseBrace),
        (T::OpenBracket, C::OpenBracket),
        (T::CloseBracket, C::CloseBracket),
        (T::OpenParen, C::OpenParen),
        (T::CloseParen, C::CloseParen),
        (T::Equal, C::Equal),
        (T::EqualEqual, C::Operator),
        (T::BangEqual, C::Operator),
        (T::Less, C::Operator),
        (T::LessEqual, C::Operator),
        (T::Greater, C::Operator),
        (T::GreaterEqual, C::Operator),
        (T::AndAnd, C::Operator),
        (T::OrOr, C::Operator),
        (T::Plus, C::Operator),
        (T::Star, C::Operator),
        (T::Slash, C::Operator),
        (T::Percent, C::Operator),
        (T::Colon, C::Operator),
        (T::Question, C::Operator),
        (T::Bang, C::Bang),
        (T::Minus, C::Minus),
        (T::Dot, C::Dot),
        (T::Ellipsis, C::Ellipsis),
        (T::Comma, C::Comma),
        (T::DoubleColon, C::DoubleColon),
    ];
    let mut at = 0;
    while at < classes.len() {
        table[classes[at].0 as usize] = classes[at].1;
        at += 1;
    }
    table
};

static NESTING: [i8; COUNT] = {
    let mut table = [0; COUNT];
    table[C::OpenBrace as usize] = 1;
    table[C::OpenBracket as usize] = 1;
    table[C::OpenParen as usize] = 1;
    table[C::OpenSequence as usize] = 1;
    table[C::CloseBrace as usize] = -1;
    table[C::CloseBracket as usize] = -1;
    table[C::CloseParen as usize] = -1;
    table[C::CloseSequence as usize] = -1;
    table
};

const NEGATES: u32 = set(&[
    C::Newline,
    C::Operator,
    C::Equal,
    C::Bang,
    C::Minus,
    C::Negation,
    C::Comma,
    C::OpenParen,
    C::OpenBracket,
    C::OpenBrace,
]);

const fn set(classes: &[Class]) -> u32 {
    let mut set = 0;
    let mut at = 0;
    while at < classes.len() {
        set |= 1 << classes[at] as u32;
        at += 1;
    }
    set
}

/// For each class, the set of classes after it that need a closer look.
static CLOSER: [u32; COUNT] = {
    // The ends of lines, what is aligned, and what `Class::after` decides.
    let always =
        set(&[C::Newline, C::Eof, C::LineComment, C::InlineComment, C::Equal, C::OpenHeredoc, C::Minus]);
    let mut table = [always; COUNT];
    // The start of a line.
    table[C::Newline as usize] = !0;
    table[C::Name as usize] |= set(&[C::Name]);
    table[C::In as usize] |= set(&[C::Name]);
    // What could be joined.
    table[C::Bang as usize] = !0;
    table[C::OpenSequence as usize] |= set(&[C::CloseSequence]);
    table[C::Dot as usize] |= set(&[C::Dot, C::Ellipsis, C::Number, C::Name, C::In]);
    table[C::Ellipsis as usize] |= set(&[C::Dot, C::Ellipsis]);
    table
};

/// For each class, the set of classes that have a space before them.
static SPACED: [u32; COUNT] = {
    let mut table = [!0; COUNT];
    // Classes that never have a space before them.
    let never = set(&[C::Newline, C::Text, C::CloseQuote, C::CloseHeredoc, C::Comma, C::Dot, C::Ellipsis]);
    // Classes that have a space before them only in some places.
    let closing = set(&[C::CloseSequence, C::CloseBracket, C::CloseParen]);
    let mut at = 0;
    while at < COUNT {
        table[at] &= !never & !closing;
        at += 1;
    }
    let mut list = [C::Comma, C::OpenBrace, C::Minus, C::In].as_slice();
    while let [class, rest @ ..] = list {
        table[*class as usize] |= closing;
        list = rest;
    }
    table[C::CloseBrace as usize] |= set(&[C::CloseSequence]);
    let mut list = [C::Name, C::In].as_slice();
    while let [class, rest @ ..] = list {
        table[*class as usize] &= !set(&[C::OpenParen, C::DoubleColon]);
        list = rest;
    }
    let mut list =
        [C::Name, C::Number, C::CloseParen, C::CloseBracket, C::CloseBrace, C::CloseSequence].as_slice();
    while let [class, rest @ ..] = list {
        table[*class as usize] &= !set(&[C::OpenBracket]);
        list = rest;
    }
    table[C::DoubleColon as usize] &= !set(&[C::Name, C::In]);
    table[C::OpenBrace as usize] &= !set(&[C::CloseBrace]);
    table[C::OpenParen as usize] = set(&[C::CloseBrace]);
    table[C::OpenBracket as usize] = set(&[C::CloseBrace]);
    table[C::OpenSequence as usize] = set(&[C::OpenBrace]);
    table[C::CloseSequence as usize] &= !set(&[C::OpenSequence]);
    let mut list = [C::Text, C::OpenQuote, C::OpenHeredoc, C::Dot, C::Bang, C::Negation].as_slice();
    while let [class, rest @ ..] = list {
        table[*class as usize] = 0;
        list = rest;
    }
    table
};
