//! Information for the pass over widths: the brackets of a document and their contents, the widths of tokens, and which
//! line breaks stay.

use std::ops::Range;

use hclkit_syntax::ast::ExpressionKind;
use hclkit_syntax::{Document, NodeId, NodeKind, TokenKind, Visit};

use super::class::Class;
use super::token_width;

/// The contents of a pair of brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Body,
    Tuple,
    Call,
    Object,
    For,
    /// A quoted template or a heredoc.
    Template,
}

impl Group {
    /// Returns true if its contents can be put on separate lines.
    pub(super) fn can_break(self) -> bool {
        matches!(self, Self::Tuple | Self::Call | Self::Object | Self::For)
    }

    pub(super) fn is_list(self) -> bool {
        matches!(self, Self::Tuple | Self::Call)
    }
}

/// A pair of brackets, by its tokens. Parentheses, indexes and brackets in templates are not included.
#[derive(Debug, Clone)]
pub(super) struct Bracket {
    pub(super) open: u32,
    pub(super) close: u32,
    pub(super) group: Group,
    pub(super) elements: usize,
    /// The opening bracket of the element that may share the lines of this bracket: the only one, or the object that is
    /// the last argument of a call.
    pub(super) hugged: Option<u32>,
    /// True if it is a list in which nothing keeps its line breaks.
    pub(super) can_be_joined: bool,
    /// True if it can have a comma after the last element, and has none.
    pub(super) takes_comma: bool,
    trailing_comma: Option<u32>,
    /// Its commas and line breaks, without those of nested brackets.
    separators: Range<usize>,
    items: Range<usize>,
}

/// An attribute or an item of an object, by its tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) first: u32,
    pub(super) equal: u32,
    pub(super) last: u32,
}

const NONE: u32 = u32::MAX;

/// A bracket that was opened.
#[derive(Debug)]
struct Open {
    bracket: u32,
    separators: Vec<u32>,
    /// True if something in it keeps its line breaks.
    is_hard: bool,
}

#[derive(Debug)]
pub(super) struct Brackets {
    all: Vec<Bracket>,
    /// The bracket that each token opens or closes.
    of_token: Vec<u32>,
    separators: Vec<u32>,
    items: Vec<Item>,
    /// The width of all tokens before each token, on one line.
    widths: Vec<u32>,
    /// True for each token that has a space before it, on one line.
    spaced: Vec<bool>,
    /// The number of line breaks before each token that stay. Those of lists that can be joined do not stay.
    breaks: Vec<u32>,
    /// For each token the next one that is, or contains, such a line break.
    next_breaks: Vec<u32>,
    /// Commas after the last element, which a list on one line does not have.
    trailing_commas: Vec<bool>,
    kinds: Vec<TokenKind>,
}

impl Brackets {
    /// The brackets of a document. If lists are joined, the line breaks of those that can be joined do not stay.
    pub(super) fn of(document: &Document, joins_lists: bool) -> Self {
        let count = document.tokens().len();
        let tokens = document.tokens();
        let mut brackets = Self {
            all: Vec::new(),
            of_token: vec![NONE; count],
            separators: Vec::new(),
            items: Vec::new(),
            widths: Vec::new(),
            spaced: vec![false; count],
            breaks: Vec::new(),
            next_breaks: vec![0; count],
            trailing_commas: vec![false; count],
            kinds: (0..count as u32).map(|at| tokens.kind(at)).collect(),
        };
        brackets.read_tree(document);
        brackets.read_tokens(document, joins_lists);
        brackets.measure(document);
        brackets
    }

    /// The bracket that a token opens or closes.
    pub(super) fn at(&self, token: u32) -> Option<&Bracket> {
        self.all.get(self.of_token[token as usize] as usize)
    }

    /// The body of the document, which has no brackets.
    pub(super) fn root(&self) -> &Bracket {
        &self.all[0]
    }

    /// The attributes and blocks of a body, or the items of an object. A block has no equals sign and is left out.
    pub(super) fn items(&self, bracket: &Bracket) -> &[Item] {
        &self.items[bracket.items.clone()]
    }

    /// The width of tokens on one line, with the space before the first one.
    pub(super) fn width(&self, from: u32, to: u32) -> u32 {
        self.widths[to as usize].saturating_sub(self.widths[from as usize])
    }

    /// The width of tokens on a line that starts with them.
    pub(super) fn line_width(&self, from: u32, to: u32) -> u32 {
        if from >= to { 0 } else { self.width(from, to) - u32::from(self.spaced[from as usize]) }
    }

    pub(super) fn is_spaced(&self, token: u32) -> bool {
        self.spaced[token as usize]
    }

    pub(super) fn is_trailing_comma(&self, token: u32) -> bool {
        self.trailing_commas[token as usize]
    }

    pub(super) fn nesting(&self, token: u32) -> i32 {
        Class::of(self.kinds[token as usize]).nesting()
    }

    /// Returns true if a line break that stays is between two tokens or in the first one.
    pub(super) fn keeps_breaks(&self, from: u32, to: u32) -> bool {
        self.breaks[from as usize] < self.breaks[to as usize]
    }

    /// The end of the line of a token, if all lists that can be joined are joined.
    pub(super) fn next_break(&self, token: u32) -> u32 {
        self.next_breaks[token as usize]
    }

    /// Returns true if a bracket has line breaks outside of nested brackets.
    pub(super) fn has_own_breaks(&self, bracket: &Bracket) -> bool {
        self.own(bracket).any(|at| self.kinds[at as usize] == TokenKind::Newline)
    }

    /// The lines after the first one that have several elements, as the tokens from the first of the line to its end.
    pub(super) fn shared_lines(&self, bracket: &Bracket) -> impl Iterator<Item = (u32, u32)> {
        let mut start = NONE;
        let mut is_shared = false;
        self.own(bracket).chain([bracket.close]).filter_map(move |at| {
            if self.kinds[at as usize] == TokenKind::Comma {
                is_shared |= !self.ends_line(at);
                return None;
            }
            let line = (is_shared && start != NONE).then(|| (start, self.next_break(start)));
            (start, is_shared) = (at + 1, false);
            line
        })
    }

    fn own(&self, bracket: &Bracket) -> impl Iterator<Item = u32> {
        self.separators[bracket.separators.clone()].iter().copied()
    }

    /// Returns true if only comments follow a token on its line.
    pub(super) fn ends_line(&self, token: u32) -> bool {
        let mut after = self.kinds[token as usize + 1..].iter();
        after
            .find(|kind| !kind.is_comment())
            .is_none_or(|kind| matches!(kind, TokenKind::Newline | TokenKind::Eof))
    }

    /// Records the brackets of the tree and their items. The tree has no other nodes with commas.
    fn read_tree(&mut self, document: &Document) {
        let (tree, tokens) = (document.tree(), document.tokens());
        let mut walk = tree.walk(NodeId::ROOT);
        while let Some(visit) = walk.next() {
            let Visit::Enter(id) = visit else { continue };
            let (first, last) = tree.token_range(id);
            let is_root = id == document.body().id();
            let (group, open) = match tree.kind(id) {
                NodeKind::Body if is_root => (Group::Body, NONE),
                NodeKind::Body => (Group::Body, first),
                NodeKind::Tuple => (Group::Tuple, first),
                NodeKind::Object => (Group::Object, first),
                NodeKind::ForTuple | NodeKind::ForObject => (Group::For, first),
                NodeKind::Call => match document.expression_at(id).kind() {
                    ExpressionKind::Call(call) => (Group::Call, tokens.at(call.open_span().start)),
                    _ => continue,
                },
                NodeKind::QuotedTemplate | NodeKind::Heredoc => {
                    walk.skip_children();
                    (Group::Template, first)
                }
                _ => continue,
            };
            let items = self.items.len();
            let mut elements = 0;
            let (mut only, mut last_token) = (None, None);
            for child in tree.children(id) {
                elements += 1;
                let (first, last) = tree.token_range(child);
                (only, last_token) = (Some(child), Some(last));
                if matches!(tree.kind(child), NodeKind::Attribute | NodeKind::ObjectItem) {
                    let value = tree.children(child).last().map_or(last, |value| tree.token_range(value).0);
                    // Comments can follow the sign.
                    let equal = (first..value)
                        .rev()
                        .find(|&at| matches!(self.kinds[at as usize], TokenKind::Equal | TokenKind::Colon));
                    self.items.extend(equal.map(|equal| Item { first, equal, last }));
                }
            }
            let hugs = |id: NodeId| match tree.kind(id) {
                NodeKind::Object => tree.children(id).next().is_some(),
                NodeKind::Tuple => elements == 1 && tree.children(id).next().is_some(),
                NodeKind::ForTuple | NodeKind::ForObject => elements == 1,
                _ => false,
            };
            let expands = group == Group::Call
                && last_token.is_some_and(|at| self.kinds[at as usize + 1] == TokenKind::Ellipsis);
            let ends_with_heredoc =
                last_token.is_some_and(|at| self.kinds[at as usize] == TokenKind::CloseHeredoc);
            let hugged = only.filter(|&id| {
                group.is_list() && !expands && hugs(id) && (elements == 1 || group == Group::Call)
            });
            if open < last {
                self.of_token[open as usize] = self.all.len() as u32;
                self.of_token[last as usize] = self.all.len() as u32;
            }
            self.all.push(Bracket {
                open,
                close: last,
                group,
                elements: if group == Group::For { 1 } else { elements },
                hugged: hugged.map(|id| tree.token_range(id).0),
                can_be_joined: group.is_list(),
                takes_comma: group.is_list() && elements > 0 && !expands && !ends_with_heredoc,
                trailing_comma: None,
                separators: 0..0,
                items: items..self.items.len(),
            });
        }
    }

    /// Records the commas and line breaks of each bracket.
    fn read_tokens(&mut self, document: &Document, joins_lists: bool) {
        let tokens = document.tokens();
        let mut open: Vec<Open> = Vec::new();
        // Line breaks, with the bracket around them.
        let mut breaks: Vec<(u32, u32)> = Vec::new();
        for at in 0..tokens.len() as u32 {
            let kind = tokens.kind(at);
            let bracket = self.of_token[at as usize];
            let known = self.all.get(bracket as usize).map(|it| it.open == at);
            match (known, Class::of(kind).nesting()) {
                (Some(true), _) | (None, 1) => {
                    open.push(Open { bracket, separators: Vec::new(), is_hard: false });
                }
                (Some(false), _) | (None, -1) => self.close(&mut open),
                _ => {}
            }
            let around = open.last().map_or(NONE, |open| open.bracket);
            let is_list = self.all.get(around as usize).is_some_and(|it| it.group.is_list());
            let is_break = match kind {
                TokenKind::Newline | TokenKind::OpenHeredoc => true,
                TokenKind::InlineComment => tokens.text(at, document.source()).contains('\n'),
                _ => false,
            };
            if is_break {
                breaks.push((at, around));
            }
            let Some(open) = open.last_mut() else { continue };
            open.is_hard |= kind.is_comment() || is_break && (kind != TokenKind::Newline || !is_list);
            if matches!(kind, TokenKind::Comma | TokenKind::Newline) {
                open.separators.push(at);
            }
        }
        self.count_breaks(&breaks, joins_lists);
        for bracket in self.all.iter().filter(|bracket| joins_lists && bracket.can_be_joined) {
            if let Some(comma) = bracket.trailing_comma {
                self.trailing_commas[comma as usize] = true;
            }
        }
    }

    fn close(&mut self, open: &mut Vec<Open>) {
        let Some(closed) = open.pop() else { return };
        if let Some(around) = open.last_mut() {
            around.is_hard |= closed.is_hard;
        }
        let Some(bracket) = self.all.get_mut(closed.bracket as usize) else { return };
        bracket.can_be_joined &= !closed.is_hard;
        let kinds = &self.kinds;
        let is_comma = |at: &&u32| kinds[**at as usize] == TokenKind::Comma;
        let is_last =
            |at: &u32| kinds[*at as usize + 1..bracket.close as usize].iter().all(|it| it.is_trivia());
        let last = closed.separators.iter().rev().find(is_comma).copied().filter(is_last);
        bracket.takes_comma &= last.is_none();
        bracket.trailing_comma = last;
        let start = self.separators.len();
        self.separators.extend(closed.separators);
        bracket.separators = start..self.separators.len();
    }

    fn count_breaks(&mut self, breaks: &[(u32, u32)], joins_lists: bool) {
        let count = self.kinds.len();
        self.breaks = vec![0; count + 1];
        for &(at, around) in breaks {
            let is_soft = joins_lists
                && self.kinds[at as usize] == TokenKind::Newline
                && self.all.get(around as usize).is_some_and(|bracket| bracket.can_be_joined);
            self.breaks[at as usize + 1] = u32::from(!is_soft);
        }
        let mut next = count as u32 - 1;
        for at in (0..count).rev() {
            self.next_breaks[at] = next;
            if self.breaks[at + 1] == 1 {
                next = if self.kinds[at] == TokenKind::Newline { at as u32 } else { at as u32 + 1 };
            }
        }
        for at in 0..count {
            self.breaks[at + 1] += self.breaks[at];
        }
    }

    fn measure(&mut self, document: &Document) {
        let (tokens, source) = (document.tokens(), document.source());
        let mut before = Class::Newline;
        let mut total = 0_u32;
        self.widths = Vec::with_capacity(self.kinds.len() + 1);
        for (at, &kind) in self.kinds.iter().enumerate() {
            self.widths.push(total);
            if matches!(kind, TokenKind::Newline | TokenKind::LineComment) || self.trailing_commas[at] {
                continue;
            }
            let text = source.slice(tokens.span(at as u32)).as_bytes();
            let class = Class::of(kind).after(before, text);
            self.spaced[at] = before != Class::Newline && before.spaced(Class::of(kind));
            let line = memchr::memchr(b'\n', text).map_or(text, |end| &text[..end]);
            total =
                total.saturating_add(token_width::width(line.trim_ascii_end()) + u32::from(self.spaced[at]));
            before = class;
        }
        self.widths.push(total);
    }
}
