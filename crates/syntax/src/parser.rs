//! The parser: builds a tree from tokens and never fails. This file has the cursor, the construction of nodes, and the
//! entry points. Which errors are reported is decided in `parser/recovery.rs`, where parsing continues after them in
//! `sync.rs`, messages for common mistakes are in `hints.rs`, and the grammar is in `body.rs`, `expression.rs`, `list.rs`,
//! `collection.rs`, `template.rs` and `traversal.rs`.

mod body;
mod collection;
mod expression;
mod hints;
mod list;
mod lookahead;
mod recovery;
mod sync;
mod template;
mod traversal;

use self::recovery::Recovery;
pub(crate) use self::recovery::TextErrors;
use self::template::Indentation;
use crate::Diagnostics;
use crate::lexer::wrong_meaning;
use crate::messages::native as messages;
use crate::token::{TokenKind, Tokens};
use crate::tree::{Flags, List, Node, NodeId, NodeKind, Tree};
use crate::{Code, Diagnostic, Edit, Fix, Source, Span};
use hclkit_limits::{Exceeded, Meter};

/// How to parse a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StartSymbol {
    /// A configuration file: a body.
    Config,
    /// One expression, as if in parentheses: line breaks are white space.
    Expression,
    /// One template.
    Template,
    /// One traversal: a variable name and constant steps.
    Traversal,
    /// One traversal, where `[*]` is allowed too.
    PartialTraversal,
}

pub(crate) struct Parser<'d> {
    source: &'d Source,
    tokens: &'d Tokens,
    tree: Tree,
    diagnostics: Diagnostics,
    /// The current token, which is neither a comment nor, where newlines are skipped, a newline.
    pos: u32,
    /// The kind of the current token, or the kind that it was meant to be.
    kind: TokenKind,
    /// The last consumed token.
    prev: u32,
    at_newline: AtNewline,
    /// Which errors are reported.
    recovery: Recovery,
    /// The indentation of each open heredoc.
    indentations: Vec<Indentation>,
    depth: u32,
    max_depth: u32,
    meter: &'d Meter,
    /// See [`Parsed::unread`].
    unread: Option<(u32, Exceeded)>,
    /// See [`Parsed::quotes`].
    quotes: Vec<(u32, Option<Span>)>,
    /// See [`Parsed::heredoc_fixes`].
    heredoc_fixes: Vec<(u32, Fix)>,
    /// The errors about quoted names, which are reported at the end.
    quoted_names: Vec<Diagnostic>,
    /// Whether the source is a configuration.
    has_items: bool,
    /// How often the end of the source was consumed, in debug builds: a loop that never ends becomes a panic.
    bumps_at_end: u32,
}

/// How newlines are read at the current position. Inside brackets and sequences they are whitespace, except between
/// the items of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AtNewline {
    /// They are tokens: they end an item.
    Stop,
    /// They are whitespace.
    Skip,
}

/// A mask: the limits are checked once per this many nodes plus one.
const BETWEEN_LOOKS: u32 = 0x3fff;

/// How many tokens of a line to search for a quote; a bound keeps recovery linear.
const FAR: u32 = 100;

/// The result of the parser.
pub(crate) struct Parsed {
    pub(crate) tree: Tree,
    pub(crate) diagnostics: Diagnostics,
    /// Unmatched quotes that the lexer reported, each with the earlier place where the error first shows, unless
    /// another error is reported there.
    pub(crate) quotes: Vec<(u32, Option<Span>)>,
    /// The limit that was exceeded, and where: the text after it was not parsed.
    pub(crate) unread: Option<(u32, Exceeded)>,
    /// The fixes of errors that the lexer reported at the names of heredocs, with the ends of these names.
    pub(crate) heredoc_fixes: Vec<(u32, Fix)>,
}

pub(crate) fn parse<'d>(
    source: &'d Source,
    tokens: &'d Tokens,
    entry: StartSymbol,
    max_depth: u32,
    meter: &'d Meter,
    text_errors: TextErrors,
) -> Parsed {
    let mut parser = Parser {
        source,
        tokens,
        tree: Tree::with_capacity(tokens.len() * 3 / 5 + 4),
        diagnostics: Diagnostics::default(),
        pos: 0,
        kind: TokenKind::Eof,
        prev: 0,
        at_newline: if entry == StartSymbol::Config { AtNewline::Stop } else { AtNewline::Skip },
        recovery: Recovery::new(text_errors),
        indentations: Vec::new(),
        depth: 0,
        max_depth,
        meter,
        unread: None,
        quotes: Vec::new(),
        heredoc_fixes: Vec::new(),
        quoted_names: Vec::new(),
        has_items: entry == StartSymbol::Config,
        bumps_at_end: 0,
    };
    parser.settle();
    let last = tokens.len() as u32 - 1;
    parser.node(NodeKind::Root, 0, last, List::default());
    let child = match entry {
        StartSymbol::Config => parser.config_file(),
        StartSymbol::Expression => parser.whole_expression(),
        StartSymbol::Template => parser.whole_template(),
        StartSymbol::Traversal => parser.traversal(false),
        StartSymbol::PartialTraversal => parser.traversal(true),
    };
    parser.tree.nodes[0].set_first_child(child);
    if tokens.len() > 1 << 14 {
        parser.tree.nodes.shrink_to_fit();
    }
    parser.report_quoted_names();
    let Parser { tree, diagnostics, quotes, heredoc_fixes, unread, .. } = parser;
    Parsed { tree, diagnostics, quotes, unread, heredoc_fixes }
}

impl<'d> Parser<'d> {
    /// Makes the token at `pos`, or the first significant one after it, the current token.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "nearly all tokens take the short path, which is cheaper than a call"
    )]
    fn settle(&mut self) {
        let kind = self.tokens.kind(self.pos);
        if kind.is_plain() || (kind == TokenKind::Newline && self.at_newline == AtNewline::Stop) {
            self.kind = kind;
        } else {
            self.settle_on_significant();
        }
    }

    #[inline(never)]
    fn settle_on_significant(&mut self) {
        loop {
            let kind = match self.tokens.kind(self.pos) {
                TokenKind::Wrong => match wrong_meaning(self.text_of(self.pos)) {
                    // A separator of arguments was meant to separate elements here.
                    TokenKind::Newline if self.at_newline == AtNewline::Skip => TokenKind::Comma,
                    meant => meant,
                },
                kind => kind,
            };
            if !kind.is_comment() && (kind != TokenKind::Newline || self.at_newline == AtNewline::Stop) {
                self.kind = kind;
                return;
            }
            self.pos += 1;
        }
    }

    /// Consumes the current token and returns its index.
    #[inline]
    fn bump(&mut self) -> u32 {
        let taken = self.pos;
        self.prev = taken;
        if self.kind != TokenKind::Eof {
            self.pos = taken + 1;
            self.settle();
        } else if cfg!(debug_assertions) {
            self.bumps_at_end += 1;
            assert!(self.bumps_at_end < 100_000, "the parser makes no progress at the end of the source");
        }
        taken
    }

    /// Consumes an opening bracket inside which newlines are whitespace. Returns what they are outside of it.
    #[inline]
    fn open_bracket(&mut self, closer: TokenKind) -> AtNewline {
        self.recovery.closers.open(closer);
        let outside = std::mem::replace(&mut self.at_newline, AtNewline::Skip);
        self.bump();
        outside
    }

    /// Consumes the closing bracket, after recovery if necessary. Newlines after it are what they are outside of it.
    #[inline]
    fn close_bracket(&mut self, closer: TokenKind, outside: AtNewline) {
        self.recovery.closers.close(closer);
        if self.recovery.is_recovering() {
            self.sync_to(closer);
        }
        self.at_newline = outside;
        if self.recovery.is_recovering() {
            self.settle();
        } else {
            self.bump();
        }
    }

    /// Moves to a token, backward or forward.
    fn go_to(&mut self, token: u32) {
        self.pos = token;
        self.settle();
    }

    fn text_of(&self, token: u32) -> &'d str {
        self.tokens.text(token, self.source)
    }

    fn at_keyword(&self, keyword: &str) -> bool {
        self.kind == TokenKind::Identifier && self.tokens.is_text(self.pos, keyword, self.source)
    }

    /// The span of the current token. For a string, only its opening quote, because the error is that it begins here.
    fn here(&self) -> Span {
        let span = self.tokens.span(self.pos);
        match self.tokens.kind(self.pos) {
            TokenKind::String => Span::new(span.start, span.start + 1),
            _ => span,
        }
    }

    /// The blanks directly before the current token.
    fn blanks_before(&self) -> Span {
        let start = self.tokens.start(self.pos);
        let text = &self.source.text()[..start as usize];
        let blanks = text.bytes().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count() as u32;
        Span::new(start - blanks, start)
    }

    /// The span from the start of one token to the end of another.
    fn between(&self, first: u32, last: u32) -> Span {
        Span::new(self.tokens.start(first), self.tokens.span(last).end)
    }

    #[inline]
    fn node(&mut self, kind: NodeKind, first_token: u32, last_token: u32, children: List) -> NodeId {
        let id = self.tree.nodes.len() as u32;
        if id & BETWEEN_LOOKS == BETWEEN_LOOKS {
            self.look();
        }
        self.tree.nodes.push(Node::new(kind, first_token, last_token, children.first));
        self.tree.id(id)
    }

    /// Checks the limits. If one is exceeded, the source ends here for the parser.
    #[cold]
    fn look(&mut self) {
        if let Err(exceeded) = self.meter.look()
            && self.unread.is_none()
        {
            self.unread = Some((self.tokens.start(self.pos), exceeded));
            self.go_to(self.tokens.len() as u32 - 1);
        }
    }

    /// Adds a node that ends at the last consumed token.
    #[inline]
    fn finish(&mut self, kind: NodeKind, first_token: u32, children: List) -> NodeId {
        let last_token = self.prev;
        self.node(kind, first_token, last_token, children)
    }

    /// Adds a node for a missing expression.
    fn missing(&mut self) -> NodeId {
        let id = self.node(NodeKind::Missing, self.pos, self.pos, List::default());
        self.flag(id, Flags::EMPTY_SPAN);
        id
    }

    fn flag(&mut self, id: NodeId, flags: Flags) {
        self.tree.nodes[id.index()].flags |= flags;
    }

    #[inline]
    fn append(&mut self, list: &mut List, id: NodeId) {
        list.append(&mut self.tree, id);
    }

    fn list(&mut self, nodes: &[NodeId]) -> List {
        let mut list = List::default();
        for &id in nodes {
            self.append(&mut list, id);
        }
        list
    }

    fn first_token(&self, id: NodeId) -> u32 {
        self.tree.nodes[id.index()].first_token
    }

    fn kind_of(&self, id: NodeId) -> NodeKind {
        self.tree.nodes[id.index()].kind
    }

    /// Reports an error, unless it may be a consequence of an earlier one. The parser is recovering from then on.
    #[cold]
    fn error(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        let quote = self.wrong_quote_from(self.pos);
        if let Some(quote) = quote {
            self.report_quote_at(quote, self.here());
        }
        self.error_unless(quote.is_some(), diagnostic);
    }

    /// Notes that an unmatched quote first shows at an earlier place, where it is to be reported.
    #[cold]
    fn report_quote_at(&mut self, quote: u32, place: Span) {
        if !self.recovery.is_silent() {
            let reported = self.at_wrong_character();
            self.quotes.push((self.tokens.start(quote), (!reported).then_some(place)));
        }
    }

    /// Like [`error`](Self::error), but `follows` can also make the error a consequence.
    #[cold]
    fn error_unless(&mut self, follows: bool, diagnostic: impl FnOnce() -> Diagnostic) {
        let follows = follows
            || self.recovery.is_silent()
            || self.recovery.follows_unclosed_text(self.tokens.kind(self.pos))
            || self.is_wrong_string(self.prev);
        if !follows && !self.at_wrong_character() {
            self.diagnostics.push(diagnostic());
        }
        self.recovery.start();
    }

    /// Ends recovery: the parser continues here.
    fn resume(&mut self) {
        self.recovery.end(self.kind);
    }

    /// Ends recovery and doubt: errors from here on are reported again.
    fn resume_surely(&mut self) {
        self.recovery.end_surely(self.kind);
    }

    /// Returns true if the current token is a wrong character or follows one. A wrong character is skipped as if it
    /// were absent, which makes the next token unexpected.
    fn at_wrong_character(&self) -> bool {
        let is_wrong = |token: u32| self.tokens.kind(token) == TokenKind::Wrong;
        is_wrong(self.pos) || (self.prev + 1 < self.pos && is_wrong(self.pos - 1))
    }

    /// Returns an unmatched quote on the line of a token, if it explains an error at the token: text and code are
    /// swapped, because the quote is the token itself or directly follows a word, or because the token directly follows
    /// a string.
    fn wrong_quote_from(&self, token: u32) -> Option<u32> {
        let touches = |at: u32| at > 0 && self.tokens.span(at - 1).end == self.tokens.start(at);
        let is_string = |at: u32| self.tokens.kind(at) == TokenKind::String;
        let string_before = touches(token) && is_string(token - 1);
        if string_before && is_string(token) && self.text_of(token).contains('\n') {
            // Three quotes in a row.
            return Some(token);
        }
        let quote = self.unclosed_string_from(token)?;
        let word = |at: u32| matches!(self.tokens.kind(at), TokenKind::Identifier | TokenKind::Number);
        (quote == token || string_before || touches(quote) && word(quote - 1)).then_some(quote)
    }

    /// Returns the first string from a token on that is not closed on the token's line.
    fn unclosed_string_from(&self, token: u32) -> Option<u32> {
        let ends_line = |at: u32| matches!(self.tokens.kind(at), TokenKind::Newline | TokenKind::Eof);
        let end = (token..token + FAR).find(|&at| self.is_unclosed_string(at) || ends_line(at))?;
        self.is_unclosed_string(end).then_some(end)
    }

    /// Returns an unmatched closing quote on the rest of the line.
    fn closing_quote(&self) -> Option<u32> {
        self.unclosed_string_from(self.pos).filter(|&string| self.text_of(string).len() == 1)
    }

    /// Returns true if a token is a string without a closing quote.
    fn is_unclosed_string(&self, token: u32) -> bool {
        let text = self.text_of(token);
        self.tokens.kind(token) == TokenKind::String && (text.len() < 2 || !text.ends_with('"'))
    }

    /// Returns true if a token is a string that is not closed on its line.
    fn is_wrong_string(&self, token: u32) -> bool {
        self.is_unclosed_string(token)
            || (self.tokens.kind(token) == TokenKind::String && self.text_of(token).contains('\n'))
    }

    /// Returns the last reported error, if it is about this place.
    fn reported_at(&mut self, place: Span) -> Option<&mut Diagnostic> {
        self.diagnostics.last_mut().filter(|diagnostic| diagnostic.span == place)
    }

    /// Adds a fix to the last reported error, if it is about this place.
    #[cold]
    fn suggest(&mut self, title: &'static str, place: Span, span: Span, replacement: &'static str) {
        if let Some(diagnostic) = self.reported_at(place) {
            let edits = vec![Edit { span, replacement: replacement.into() }];
            diagnostic.fix = Some(Fix { title: title.into(), edits });
        }
    }

    /// Goes one level deeper. If that exceeds the limit, [`too_deep`](Self::too_deep) reports it.
    #[inline]
    fn enter(&mut self) -> bool {
        self.depth += 1;
        self.depth <= self.max_depth
    }

    #[inline]
    fn leave(&mut self) {
        self.depth -= 1;
    }

    #[cold]
    fn too_deep(&mut self) -> NodeId {
        let (here, limit) = (self.here(), self.max_depth);
        self.recovery.enter_too_deep();
        self.error(|| {
            let detail = messages::too_deep(limit);
            Diagnostic::error(Code::NestingTooDeep).at(here).with_note(detail)
        });
        self.missing()
    }

    /// `Expression` as the whole source.
    fn whole_expression(&mut self) -> NodeId {
        let id = self.expression();
        if self.kind != TokenKind::Eof {
            let here = self.here();
            self.error(|| {
                Diagnostic::error(Code::ExtraCharacters).at(here).with_note(messages::TEXT_AFTER_EXPRESSION)
            });
        }
        id
    }

    /// `Template` as the whole source.
    fn whole_template(&mut self) -> NodeId {
        let parts = self.template_parts(TokenKind::Eof);
        let last = self.tokens.len() as u32 - 1;
        self.node(NodeKind::BareTemplate, 0, last, parts)
    }
}
