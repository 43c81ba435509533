//! The parser: tokens to tree, never failing. Here: the cursor, building nodes, and the entry points; recovery is in
//! `parser/recovery.rs`, the words of errors that other languages lead to in `hints.rs`, the grammar in `body.rs`, `expression.rs`, `collection.rs`, `template.rs`, `traversal.rs`.

mod body;
mod collection;
mod expression;
mod hints;
mod recovery;
mod template;
mod traversal;

use hclkit_limits::{Exceeded, Meter};
use smallvec::SmallVec;

pub(crate) use self::hints::TRIPLE_QUOTES;
use self::recovery::Closers;
use self::template::Indentation;
use crate::Diagnostics;
use crate::lexer::wrong_meaning;
use crate::token::{TokenKind, Tokens};
use crate::tree::{Node, NodeId, NodeKind, Tree, flag};
use crate::{Code, Diagnostic, Edit, Fix, Source, Span};

/// How to parse a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Entry {
    /// A configuration file: a body.
    Config,
    /// One expression, as if in parentheses: line breaks are white space.
    Expression,
    /// One template.
    Template,
    /// One traversal: a variable name and constant steps.
    Traversal,
    /// The same, where `[*]` is allowed too.
    PartialTraversal,
}

#[allow(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
pub(crate) struct Parser<'d> {
    source: &'d Source,
    tokens: &'d Tokens,
    tree: Tree,
    diagnostics: Diagnostics,
    /// The current token, which is neither a comment nor, unless `newlines`, a newline.
    pos: u32,
    /// What the current token is, or was meant to be.
    kind: TokenKind,
    /// The token that was taken last.
    prev: u32,
    /// Whether newlines are tokens here or white space.
    newlines: bool,
    /// An error was reported, and no place is reached yet from which reading can go on.
    recovering: bool,
    /// Reading goes on after an error, but nothing well-formed was read since: an error now may only follow.
    doubt: bool,
    /// An opening brace may be missing or was passed over, so that a closing one too many may only follow.
    may_close_too_often: bool,
    /// Of so many of the open blocks, the outermost first, the closing brace may be one that was passed over, so that its
    /// lack may only follow.
    may_miss_close: usize,
    /// A quoted string met a line break, so that any brace may be text, or be missing.
    lines_in_text: bool,
    /// The text ends inside a string, a heredoc or a comment, which was reported; what is not closed there only follows.
    ends_in_text: bool,
    /// The closing brackets that the open constructs wait for.
    closers: Closers,
    /// The first token of each block that is open.
    open_blocks: SmallVec<[u32; 8]>,
    /// The indentation of each heredoc that is open.
    indentations: SmallVec<[Indentation; 1]>,
    depth: u32,
    max_depth: u32,
    meter: &'d Meter,
    /// See [`Parsed::unread`].
    unread: Option<(u32, Exceeded)>,
    told_too_deep: bool,
    /// A mark that version control leaves was reported, and the one that ends the conflict was not met yet.
    told_conflict: bool,
    /// See [`Parsed::quotes`].
    quotes: Vec<(u32, Option<Span>)>,
    /// See [`Parsed::heredoc_fixes`].
    heredoc_fixes: Vec<(u32, Fix)>,
    /// The errors about names in quotes, which are reported at the end.
    quoted_names: Vec<Diagnostic>,
    /// The source is a configuration.
    has_items: bool,
}

/// The limits are looked at once for so many nodes and one.
const BETWEEN_LOOKS: u32 = 0x3fff;

/// How many tokens of a line to look at for a quote; a bound keeps recovery linear.
const FAR: u32 = 100;

/// What the lexer found that makes some errors of the parser mere consequences.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Doubts {
    /// The source ends in a text or a comment that is not closed.
    pub(crate) ends_in_text: bool,
    /// A quoted string met a line break, so that braces may count as text, or text as braces.
    pub(crate) lines_in_text: bool,
}

/// What the parser made of the tokens.
pub(crate) struct Parsed {
    pub(crate) tree: Tree,
    pub(crate) diagnostics: Diagnostics,
    /// Quotes that close nothing, which the lexer reported, each with the place before it where that shows first, unless
    /// something else is reported there.
    pub(crate) quotes: Vec<(u32, Option<Span>)>,
    /// The limit that was exceeded, and where: what is behind that was not parsed.
    pub(crate) unread: Option<(u32, Exceeded)>,
    /// The fixes of errors that the lexer reported at the names of heredocs, by the ends of these names.
    pub(crate) heredoc_fixes: Vec<(u32, Fix)>,
}

/// Children in the making.
#[derive(Clone, Copy, Default)]
struct List {
    first: u32,
    last: u32,
}

pub(crate) fn parse<'d>(
    source: &'d Source,
    tokens: &'d Tokens,
    entry: Entry,
    max_depth: u32,
    meter: &'d Meter,
    doubts: Doubts,
) -> Parsed {
    let mut parser = Parser {
        source,
        tokens,
        tree: Tree::with_capacity(tokens.len() * 3 / 5 + 4),
        diagnostics: Diagnostics::default(),
        pos: 0,
        kind: TokenKind::Eof,
        prev: 0,
        newlines: entry == Entry::Config,
        recovering: false,
        doubt: false,
        may_close_too_often: doubts.lines_in_text,
        may_miss_close: 0,
        lines_in_text: doubts.lines_in_text,
        ends_in_text: doubts.ends_in_text,
        closers: Closers::default(),
        open_blocks: SmallVec::new(),
        indentations: SmallVec::new(),
        depth: 0,
        max_depth,
        meter,
        unread: None,
        told_too_deep: false,
        told_conflict: false,
        quotes: Vec::new(),
        heredoc_fixes: Vec::new(),
        quoted_names: Vec::new(),
        has_items: entry == Entry::Config,
    };
    parser.settle();
    let last = tokens.len() as u32 - 1;
    parser.node(NodeKind::Root, 0, last, List::default());
    let child = match entry {
        Entry::Config => parser.config_file(),
        Entry::Expression => parser.whole_expression(),
        Entry::Template => parser.whole_template(),
        Entry::Traversal => parser.traversal(false),
        Entry::PartialTraversal => parser.traversal(true),
    };
    parser.tree.nodes[0].child = child.0;
    if tokens.len() > 1 << 14 {
        parser.tree.nodes.shrink_to_fit();
    }
    parser.report_quoted_names();
    let Parser { tree, diagnostics, quotes, heredoc_fixes, unread, .. } = parser;
    Parsed { tree, diagnostics, quotes, unread, heredoc_fixes }
}

impl<'d> Parser<'d> {
    /// Makes the token at `pos` or the first one after it that counts the current one.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "nearly all tokens take the short path, and a call costs more than that"
    )]
    fn settle(&mut self) {
        let kind = self.tokens.kind(self.pos);
        if kind.is_plain() || (kind == TokenKind::Newline && self.newlines) {
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
                    // What separates arguments was meant to separate elements here.
                    TokenKind::Newline if !self.newlines => TokenKind::Comma,
                    meant => meant,
                },
                kind => kind,
            };
            if !kind.is_comment() && (kind != TokenKind::Newline || self.newlines) {
                self.kind = kind;
                return;
            }
            self.pos += 1;
        }
    }

    /// Takes the current token and returns its number.
    #[inline]
    fn bump(&mut self) -> u32 {
        let taken = self.pos;
        self.prev = taken;
        if self.tokens.kind(taken) != TokenKind::Eof {
            self.pos += 1;
            self.settle();
        }
        taken
    }

    /// Takes a closing bracket: what follows it is read with the newline rule of the construct around it.
    #[inline]
    fn bump_closer(&mut self, newlines: bool) -> u32 {
        self.newlines = newlines;
        self.bump()
    }

    /// Sets whether newlines are tokens, and makes the current token fit. Returns what was set before.
    #[inline]
    fn set_newlines(&mut self, newlines: bool) -> bool {
        let before = std::mem::replace(&mut self.newlines, newlines);
        self.settle();
        before
    }

    /// Goes back or forth to a token.
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

    /// The span of the current token; of a string only its opening quote, as what is wrong is that it begins here.
    fn here(&self) -> Span {
        let span = self.tokens.span(self.pos);
        match self.tokens.kind(self.pos) {
            TokenKind::String => Span::new(span.start, span.start + 1),
            _ => span,
        }
    }

    /// The blanks right before the current token.
    fn blanks_before(&self) -> Span {
        let start = self.tokens.start(self.pos);
        let text = &self.source.text()[..start as usize];
        let blanks = text.bytes().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count() as u32;
        Span::new(start - blanks, start)
    }

    /// From the start of one token to the end of another.
    fn between(&self, first: u32, last: u32) -> Span {
        Span::new(self.tokens.start(first), self.tokens.span(last).end)
    }

    #[inline]
    fn node(&mut self, kind: NodeKind, first_token: u32, last_token: u32, children: List) -> NodeId {
        let id = self.tree.nodes.len() as u32;
        if id & BETWEEN_LOOKS == BETWEEN_LOOKS {
            self.look();
        }
        let (child, operator) = (children.first, TokenKind::Eof);
        self.tree.nodes.push(Node { kind, flags: 0, operator, first_token, last_token, child, next: 0 });
        NodeId(id)
    }

    /// Where a limit is exceeded, the source ends here for the parser.
    #[cold]
    fn look(&mut self) {
        if let Err(exceeded) = self.meter.look()
            && self.unread.is_none()
        {
            self.unread = Some((self.tokens.start(self.pos), exceeded));
            self.go_to(self.tokens.len() as u32 - 1);
        }
    }

    /// A node that ends at the token taken last.
    #[inline]
    fn finish(&mut self, kind: NodeKind, first_token: u32, children: List) -> NodeId {
        let last_token = self.prev;
        self.node(kind, first_token, last_token, children)
    }

    /// The place of an expression that is not there.
    fn missing(&mut self) -> NodeId {
        let id = self.node(NodeKind::Missing, self.pos, self.pos, List::default());
        self.flag(id, flag::EMPTY);
        id
    }

    fn flag(&mut self, id: NodeId, flags: u8) {
        self.tree.nodes[id.index()].flags |= flags;
    }

    #[inline]
    fn append(&mut self, list: &mut List, id: NodeId) {
        if list.last == 0 {
            list.first = id.0;
        } else {
            self.tree.nodes[list.last as usize].next = id.0;
        }
        list.last = id.0;
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

    /// Reports an error unless it may only follow from one before; from then on the parser is recovering.
    #[cold]
    fn error(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        let quote = self.wrong_quote_from(self.pos);
        if let Some(quote) = quote {
            self.tell_of_quote(quote, self.here());
        }
        self.error_unless(quote.is_some(), diagnostic);
    }

    /// That a quote closes nothing is to be told at a place before it, where this shows.
    #[cold]
    fn tell_of_quote(&mut self, quote: u32, place: Span) {
        if !self.recovering && !self.doubt {
            let told = self.at_wrong_character();
            self.quotes.push((self.tokens.start(quote), (!told).then_some(place)));
        }
    }

    /// [`error`](Self::error), which may follow from one before in this way, too.
    #[cold]
    fn error_unless(&mut self, follows: bool, diagnostic: impl FnOnce() -> Diagnostic) {
        let kind = self.tokens.kind(self.pos);
        let follows =
            follows || self.recovering || self.doubt || (kind == TokenKind::Eof && self.ends_in_text);
        let follows = follows || self.is_wrong_string(self.prev);
        if !follows && !self.at_wrong_character() {
            self.diagnostics.push(diagnostic());
        }
        self.recovering = true;
        self.doubt = true;
    }

    /// Whether the current token is a wrong character, or stands behind one: a character that is skipped as if it were
    /// not there makes what comes next strange.
    fn at_wrong_character(&self) -> bool {
        let is_wrong = |token: u32| self.tokens.kind(token) == TokenKind::Wrong;
        is_wrong(self.pos) || (self.prev + 1 < self.pos && is_wrong(self.pos - 1))
    }

    /// The last quote on the line of a token, where it closes nothing, which is reported: if it is the token, or stands
    /// right behind a word, or the token right behind a string, then text and code have changed places.
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

    /// The string that is not closed on the line on which a token stands, from that token on.
    fn unclosed_string_from(&self, token: u32) -> Option<u32> {
        let ends_line = |at: u32| matches!(self.tokens.kind(at), TokenKind::Newline | TokenKind::Eof);
        let end = (token..token + FAR).find(|&at| self.is_unclosed_string(at) || ends_line(at))?;
        self.is_unclosed_string(end).then_some(end)
    }

    /// A quote on the rest of the line that closes what no quote opens.
    fn closing_quote(&self) -> Option<u32> {
        self.unclosed_string_from(self.pos).filter(|&string| self.text_of(string).len() == 1)
    }

    /// Whether a token is a string that has no closing quote.
    fn is_unclosed_string(&self, token: u32) -> bool {
        let text = self.text_of(token);
        self.tokens.kind(token) == TokenKind::String && (text.len() < 2 || !text.ends_with('"'))
    }

    /// Whether a token is a string that is not closed on its line.
    fn is_wrong_string(&self, token: u32) -> bool {
        self.is_unclosed_string(token)
            || (self.tokens.kind(token) == TokenKind::String && self.text_of(token).contains('\n'))
    }

    /// The error that was reported last, if it is the one about this very place.
    fn reported_at(&mut self, place: Span) -> Option<&mut Diagnostic> {
        self.diagnostics.last_mut().filter(|diagnostic| diagnostic.subject == place)
    }

    /// Adds a fix to the error that was reported last, if it is the one about this very place.
    #[cold]
    fn suggest(&mut self, title: &'static str, place: Span, span: Span, replacement: &'static str) {
        if let Some(diagnostic) = self.reported_at(place) {
            let edits = vec![Edit { span, replacement: replacement.into() }];
            diagnostic.fix = Some(Fix { title: title.into(), edits });
        }
    }

    /// Goes one level deeper, unless that would be too deep; then [`too_deep`](Self::too_deep) says so.
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
        // Once is enough: what is deeper still only follows.
        self.recovering |= std::mem::replace(&mut self.told_too_deep, true);
        self.error(|| {
            let detail = format!("Constructs cannot be nested more than {limit} levels deep.");
            Diagnostic::error(Code::NestingTooDeep, here, detail)
        });
        self.missing()
    }

    /// `Expression` as the whole source.
    fn whole_expression(&mut self) -> NodeId {
        let id = self.expression();
        if self.kind != TokenKind::Eof {
            let here = self.here();
            self.error(|| {
                Diagnostic::error(
                    Code::ExtraCharacters,
                    here,
                    "Expected the end of the text after the expression.",
                )
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
