//! The parser of HCL 1: builds a tree of the nodes that the native syntax has, and never fails. It is not recursive. After
//! an error it continues on the next line, or after the next bracket that closes what is open.

use hclkit_limits::{Exceeded, Meter};

use crate::messages::{fix, hcl1 as messages, native};
use crate::token::{TokenKind as T, Tokens};
use crate::tree::{Flags, List, Node, NodeId, NodeKind, Tree};
use crate::{Code, Diagnostic, Diagnostics, Source, Span};

/// The result of the parser.
pub(super) struct Parsed {
    pub(super) tree: Tree,
    pub(super) diagnostics: Diagnostics,
    /// The limit that was exceeded, and where: the text after it was not parsed.
    pub(super) unread: Option<(u32, Exceeded)>,
}

/// A mask: the limits are checked once per this many nodes plus one.
const BETWEEN_LOOKS: u32 = 0x3fff;

/// What is open at the current token.
struct Frame {
    kind: FrameKind,
    /// The token that opens it.
    opener: u32,
    children: List,
    /// The item whose value or body is being read.
    item: Option<Item>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    /// The file, or the body of a block.
    Body,
    /// `{ … }` as a value.
    Object,
    /// `[ … ]`, and whether a comma must follow.
    List { needs_comma: bool },
}

/// The names of an item, which are the last ones of [`Parser::names`].
#[derive(Clone, Copy)]
struct Item {
    first_name: usize,
    has_equals: bool,
}

struct Parser<'d> {
    source: &'d Source,
    tokens: &'d Tokens,
    tree: Tree,
    diagnostics: Diagnostics,
    /// The current token, which is neither a comment nor a newline.
    pos: u32,
    kind: T,
    /// The last consumed token.
    prev: u32,
    open: Vec<Frame>,
    /// The tokens of the names of open items.
    names: Vec<u32>,
    max_depth: usize,
    meter: &'d Meter,
    unread: Option<(u32, Exceeded)>,
    /// Whether errors are consequences of an earlier one.
    is_silent: bool,
}

pub(super) fn parse<'d>(source: &'d Source, tokens: &'d Tokens, max_depth: u32, meter: &'d Meter) -> Parsed {
    let mut parser = Parser {
        source,
        tokens,
        tree: Tree::with_capacity(tokens.len() * 3 / 5 + 4),
        diagnostics: Diagnostics::default(),
        pos: 0,
        kind: T::Eof,
        prev: 0,
        open: Vec::new(),
        names: Vec::new(),
        max_depth: max_depth as usize,
        meter,
        unread: None,
        is_silent: false,
    };
    parser.settle();
    let last = tokens.len() as u32 - 1;
    parser.node(NodeKind::Root, 0, last, List::default());
    let body = parser.file();
    parser.tree.nodes[0].set_first_child(body);
    if tokens.len() > 1 << 14 {
        parser.tree.nodes.shrink_to_fit();
    }
    let Parser { tree, diagnostics, unread, .. } = parser;
    Parsed { tree, diagnostics, unread }
}

impl<'d> Parser<'d> {
    /// `file = { item [ "," ] }`
    fn file(&mut self) -> NodeId {
        let first = self.pos;
        self.open.push(Frame { kind: FrameKind::Body, opener: 0, children: List::default(), item: None });
        loop {
            let kind = self.top().kind;
            match kind {
                FrameKind::List { needs_comma } => self.element(needs_comma),
                _ if self.kind == T::Eof && self.open.len() == 1 => break,
                _ => self.item(),
            }
        }
        let items = self.open.pop().map_or_else(List::default, |file| file.children);
        let last = self.tokens.len() as u32 - 1;
        self.node(NodeKind::Body, first.min(last), last, items)
    }

    fn top(&mut self) -> &mut Frame {
        // The file is never closed while tokens are read.
        self.open.last_mut().expect("the file is open")
    }

    /// Makes the next token that matters the current one.
    #[inline]
    fn settle(&mut self) {
        loop {
            self.kind = self.tokens.kind(self.pos);
            if !self.kind.is_trivia() {
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
        if self.kind != T::Eof {
            self.pos += 1;
            self.settle();
        }
        taken
    }

    fn here(&self) -> Span {
        let span = self.tokens.span(self.pos);
        if self.kind == T::String { Span::new(span.start, span.start + 1) } else { span }
    }

    fn text_of(&self, token: u32) -> &'d str {
        self.tokens.text(token, self.source)
    }

    #[inline]
    fn node(&mut self, kind: NodeKind, first: u32, last: u32, children: List) -> NodeId {
        let id = self.tree.nodes.len() as u32;
        if id & BETWEEN_LOOKS == BETWEEN_LOOKS
            && let Err(exceeded) = self.meter.look()
        {
            self.stop(exceeded);
        }
        self.tree.nodes.push(Node::new(kind, first, last, children.first));
        self.tree.id(id)
    }

    /// The source ends here for the parser, because a limit was exceeded.
    #[cold]
    fn stop(&mut self, exceeded: Exceeded) {
        if self.unread.is_none() {
            self.unread = Some((self.tokens.start(self.pos), exceeded));
            self.end();
        }
    }

    /// Skips the rest of the text.
    fn end(&mut self) {
        self.pos = self.tokens.len() as u32 - 1;
        self.kind = T::Eof;
        self.is_silent = true;
    }

    fn list(&mut self, nodes: impl IntoIterator<Item = NodeId>) -> List {
        let mut list = List::default();
        nodes.into_iter().for_each(|id| list.append(&mut self.tree, id));
        list
    }

    /// Reports an error, unless it is a consequence of another one, or of an invalid character.
    #[cold]
    fn error(&mut self, diagnostic: Diagnostic) {
        let wrong = |token: u32| self.tokens.kind(token) == T::Wrong;
        if !self.is_silent && !wrong(self.pos) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// `item = name "=" value | name { name } object`, or what closes the items.
    fn item(&mut self) {
        match self.kind {
            T::CloseBrace if self.open.len() > 1 => self.close(),
            T::Eof => self.unclosed(),
            T::Identifier | T::String if !self.is_bool(self.pos) => self.names(),
            _ => self.stray(),
        }
    }

    fn is_bool(&self, token: u32) -> bool {
        self.tokens.kind(token) == T::Identifier && matches!(self.text_of(token), "true" | "false")
    }

    /// The names of an item, and the start of its value.
    fn names(&mut self) {
        let first_name = self.names.len();
        while matches!(self.kind, T::Identifier | T::String) && !self.is_bool(self.pos) {
            let token = self.bump();
            self.names.push(token);
        }
        match self.kind {
            T::Equal => {
                if self.names.len() > first_name + 1 {
                    self.several_names(first_name);
                    // Only the last name can be set.
                    let others = first_name..self.names.len() - 1;
                    self.names.drain(others);
                }
                self.bump();
                self.top().item = Some(Item { first_name, has_equals: true });
                self.value();
            }
            T::OpenBrace => {
                let kind = self.top().kind;
                self.top().item = Some(Item { first_name, has_equals: false });
                self.open(kind);
            }
            _ => {
                let last = self.tokens.span(self.names[self.names.len() - 1]);
                self.error(Diagnostic::error(Code::ExpectedItem).at(last).with_note(messages::NAME_ALONE));
                self.names.truncate(first_name);
                self.recover();
            }
        }
    }

    /// Reports names before the one that `=` sets: names alone on a line, or labels.
    #[cold]
    fn several_names(&mut self, first_name: usize) {
        let last = self.names.len() - 1;
        let line = |token: u32| self.source.line_of(self.tokens.start(token));
        let before = self.names[last - 1];
        let alone = line(before) != line(self.names[last]);
        let error = if alone {
            Diagnostic::error(Code::ExpectedItem).at(self.tokens.span(before)).with_note(messages::NAME_ALONE)
        } else {
            let equals = self.here();
            Diagnostic::error(Code::InvalidBlock)
                .at(equals)
                .with_note(messages::SEVERAL_NAMES)
                .with_context(self.tokens.span(self.names[first_name]).cover(equals))
        };
        self.error(error);
    }

    /// Reports a token that cannot begin an item.
    #[cold]
    fn stray(&mut self) {
        let here = self.here();
        let (code, note) = match self.kind {
            T::CloseBrace | T::CloseBracket => {
                (Code::UnexpectedClose, native::CLOSING_BRACKET_WITHOUT_OPENING.into())
            }
            T::Comma => (Code::UnexpectedComma, messages::EXTRA_COMMA.into()),
            T::Equal | T::OpenBrace => (Code::ExpectedItem, messages::MISSING_NAME.into()),
            T::Identifier => (Code::ExpectedItem, messages::bool_as_name(self.text_of(self.pos))),
            _ => (Code::ExpectedItem, messages::MISSING_ITEM.into()),
        };
        let mut error = Diagnostic::error(code).at(here).with_note(note);
        error = match self.kind {
            T::Comma => error.with_edit(fix::REMOVE_COMMA, here, ""),
            T::CloseBrace | T::CloseBracket => error.with_edit(fix::REMOVE_CLOSING_BRACKET, here, ""),
            _ => error,
        };
        self.error(error);
        if matches!(self.kind, T::Comma | T::CloseBrace | T::CloseBracket) {
            self.bump();
        } else {
            self.recover();
        }
    }

    /// `value = literal | list | object`
    fn value(&mut self) {
        match self.kind {
            T::OpenBrace => self.open(FrameKind::Object),
            T::OpenBracket => self.open(FrameKind::List { needs_comma: false }),
            _ => match self.literal() {
                Some(value) => self.finish(value),
                None => self.no_value(),
            },
        }
    }

    /// A string, a number, a bool or a heredoc.
    fn literal(&mut self) -> Option<NodeId> {
        let kind = match self.kind {
            T::Number => NodeKind::Number,
            T::String => NodeKind::String,
            T::Identifier => match self.text_of(self.pos) {
                "true" => NodeKind::True,
                "false" => NodeKind::False,
                _ => return None,
            },
            T::OpenHeredoc => return Some(self.heredoc()),
            _ => return None,
        };
        let token = self.bump();
        Some(self.node(kind, token, token, List::default()))
    }

    fn heredoc(&mut self) -> NodeId {
        let first = self.bump();
        while matches!(self.kind, T::HeredocText | T::CloseHeredoc) {
            self.bump();
        }
        let id = self.node(NodeKind::Heredoc, first, self.prev, List::default());
        if self.text_of(first).starts_with("<<-") {
            self.tree.nodes[id.index()].flags |= Flags::FLUSH;
        }
        id
    }

    /// Reports that there is no value after `=`, or no element.
    #[cold]
    fn no_value(&mut self) {
        let (here, text) = (self.here(), self.text_of(self.pos));
        let missing = matches!(self.kind, T::Eof | T::CloseBrace);
        let at = if missing { Span::empty(self.tokens.span(self.prev).end) } else { here };
        let code = if missing { Code::MissingExpression } else { Code::InvalidExpression };
        let mut error = Diagnostic::error(code).at(at);
        error = match self.kind {
            T::Identifier if text.contains('.') => error
                .with_note(messages::unquoted_reference(text))
                .with_edit(fix::PUT_IN_QUOTES, here, format!("\"${{{text}}}\"")),
            T::Identifier => error.with_note(messages::unquoted_text(text)).with_edit(
                fix::PUT_IN_QUOTES,
                here,
                format!("\"{text}\""),
            ),
            _ if missing => error.with_note(messages::MISSING_VALUE),
            _ => error.with_note(messages::NOT_A_VALUE),
        };
        self.error(error);
        let value = self.missing(NodeKind::Missing);
        if matches!(self.kind, T::Identifier | T::Equal) {
            self.bump();
        }
        let ends = matches!(self.kind, T::CloseBrace | T::CloseBracket | T::Comma | T::Eof);
        self.finish(value);
        if !ends && !self.is_on_new_line() {
            self.recover();
        }
    }

    /// A node without text at the current token.
    fn missing(&mut self, kind: NodeKind) -> NodeId {
        let id = self.node(kind, self.pos, self.pos, List::default());
        self.tree.nodes[id.index()].flags |= Flags::EMPTY_SPAN;
        id
    }

    /// Returns true if there is a line break before the current token.
    fn is_on_new_line(&self) -> bool {
        (self.prev + 1..self.pos).any(|token| self.tokens.kind(token) == T::Newline)
    }

    /// An element of a list, a comma, or the end of the list.
    fn element(&mut self, needs_comma: bool) {
        match self.kind {
            T::Comma => {
                self.bump();
                self.top().kind = FrameKind::List { needs_comma: false };
            }
            T::CloseBracket => self.close(),
            T::Eof | T::CloseBrace => self.unclosed(),
            T::Wrong => {
                self.bump();
            }
            _ => {
                if needs_comma {
                    let after = Span::empty(self.tokens.span(self.prev).end);
                    let error = Diagnostic::error(Code::MissingSeparator)
                        .at(self.here())
                        .with_note(messages::MISSING_COMMA)
                        .with_edit(fix::ADD_COMMA, after, ",");
                    self.error(error);
                }
                self.value();
            }
        }
    }

    /// Opens a body, an object or a list.
    fn open(&mut self, kind: FrameKind) {
        // In values, each name of an item is a level.
        if self.open.len().max(self.names.len()) > self.max_depth {
            let note = native::too_deep(self.max_depth);
            self.error(Diagnostic::error(Code::NestingTooDeep).at(self.here()).with_note(note));
            // A block keeps a body, which is empty.
            let node = if kind == FrameKind::Body { NodeKind::Body } else { NodeKind::Missing };
            let value = self.missing(node);
            self.finish(value);
            return self.end();
        }
        let opener = self.bump();
        self.open.push(Frame { kind, opener, children: List::default(), item: None });
    }

    /// Closes what is open, at the current token.
    fn close(&mut self) {
        self.bump();
        self.close_after(self.prev);
    }

    /// Closes what is open: its last token is `last`.
    fn close_after(&mut self, last: u32) {
        let Some(frame) = self.open.pop() else { return };
        let kind = match frame.kind {
            FrameKind::Body => NodeKind::Body,
            FrameKind::Object => NodeKind::Object,
            FrameKind::List { .. } => NodeKind::Tuple,
        };
        let node = self.node(kind, frame.opener, last.max(frame.opener), frame.children);
        self.finish(node);
    }

    /// Reports that something is not closed where another bracket or the end of the text is.
    #[cold]
    fn unclosed(&mut self) {
        let (opener, is_list) = (self.top().opener, matches!(self.top().kind, FrameKind::List { .. }));
        let (code, note) = if is_list {
            (Code::UnclosedBracket, messages::UNCLOSED_LIST)
        } else {
            (Code::UnclosedBlock, messages::UNCLOSED_BLOCK)
        };
        let at = self.tokens.span(opener);
        self.error(Diagnostic::error(code).at(at).with_note(note));
        // What is around it is not closed either, at the end of the text.
        self.is_silent |= self.kind == T::Eof;
        self.close_after(self.prev);
    }

    /// Adds a value to the list that is open, or completes the item whose value or body it is.
    fn finish(&mut self, value: NodeId) {
        let element = self.tree.nodes[value.index()].kind;
        if let FrameKind::List { needs_comma } = &mut self.top().kind {
            // The reference wants no comma after a list.
            *needs_comma = element != NodeKind::Tuple;
            return self.add(value);
        }
        let (kind, item) = (self.top().kind, self.top().item.take());
        let Some(item) = item else { return };
        let node = match (kind, item.has_equals) {
            (FrameKind::Body, true) => {
                let children = self.list([value]);
                self.node(NodeKind::Attribute, self.names[item.first_name], self.last_of(value), children)
            }
            (FrameKind::Body, false) => {
                let labels = self.names[item.first_name + 1..].to_vec();
                let mut children: Vec<NodeId> = labels.into_iter().map(|name| self.name(name)).collect();
                children.push(value);
                let children = self.list(children);
                self.node(NodeKind::Block, self.names[item.first_name], self.last_of(value), children)
            }
            _ => self.object_item(item, value),
        };
        self.names.truncate(item.first_name);
        self.add(node);
        if self.kind == T::Comma {
            self.bump();
        }
    }

    /// An item of an object. Of several names, each contains an object with the next one.
    fn object_item(&mut self, item: Item, value: NodeId) -> NodeId {
        let names = self.names[item.first_name..].to_vec();
        let last = self.last_of(value);
        let mut value = value;
        for (depth, &name) in names.iter().enumerate().rev() {
            let key = self.name(name);
            let children = self.list([key, value]);
            value = self.node(NodeKind::ObjectItem, name, last, children);
            if depth > 0 {
                let children = self.list([value]);
                value = self.node(NodeKind::Object, name, last, children);
            }
        }
        value
    }

    fn name(&mut self, token: u32) -> NodeId {
        let kind = if self.tokens.kind(token) == T::String { NodeKind::String } else { NodeKind::Name };
        self.node(kind, token, token, List::default())
    }

    /// The last token of a value. A missing one has none, and ends after the last consumed token.
    fn last_of(&self, value: NodeId) -> u32 {
        let node = &self.tree.nodes[value.index()];
        if node.flags.contains(Flags::EMPTY_SPAN) { self.prev } else { node.last_token }
    }

    fn add(&mut self, node: NodeId) {
        let Some(frame) = self.open.last_mut() else { return };
        frame.children.append(&mut self.tree, node);
    }

    /// Skips the rest of the line, with the brackets that it opens, up to a bracket that closes what is open.
    #[cold]
    fn recover(&mut self) {
        let mut depth = 0_u32;
        loop {
            match self.kind {
                T::Eof => return,
                T::OpenBrace | T::OpenBracket => depth += 1,
                T::CloseBrace | T::CloseBracket if depth == 0 => return,
                T::CloseBrace | T::CloseBracket => depth -= 1,
                _ => {}
            }
            self.bump();
            if depth == 0 && self.is_on_new_line() {
                return;
            }
        }
    }
}
