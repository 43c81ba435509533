//! Where a cursor is: at the start of an argument, in a value, in a label, in a text.

use hclkit::Span;
use hclkit::syntax::{NodeKind, TokenKind};

use super::place::Place;
use crate::body_schema::{self, EnclosingBlock};
use crate::file::File;
use crate::tokens::is_operator;

/// Where the cursor is.
pub(super) enum Spot {
    /// In an expression, behind names and a dot.
    Member(String),
    /// In an expression.
    Expression,
    /// At the start of an argument or block, in these blocks.
    Item(Vec<EnclosingBlock>),
    /// In an expression that is the whole value of an argument.
    Value(String),
    /// In the text of the value of an argument.
    ValueText(String, Span),
    /// In the first label of a block that starts at an offset.
    Label(String, u32, Span),
    /// At the start of a key of an object.
    ObjectKey,
    /// Between brackets after names.
    Key(String),
    /// In the text between brackets after names.
    KeyText(String, Span),
    /// In the path of a file that a function reads.
    Path(Span),
    /// In the text of a source.
    Source(Span),
    Nothing,
}

/// Where a cursor is.
pub(super) fn spot(file: &File, word: Span, offset: u32) -> Spot {
    let document = file.document();
    let tokens = document.tokens();
    let text = file.text();
    if tokens.is_empty() {
        return Spot::Item(Vec::new());
    }
    // The last token before the word.
    let before = tokens.iter().take_while(|token| token.span.start < word.start).count();
    let previous = (0..before as u32).rev().find(|&at| {
        let kind = tokens.kind(at);
        kind == TokenKind::Newline || !kind.is_trivia()
    });
    // Nothing in comments, numbers and text.
    let inside = tokens.at(word.start.max(1) - u32::from(word.start > 0));
    if let Some(spot) = in_text(file, inside, word, offset) {
        return spot;
    }
    let kind = previous.map(|at| tokens.kind(at));
    let glued = previous.is_some_and(|at| tokens.span(at).end == word.start);
    let after = text[word.end as usize..].trim_start_matches([' ', '\t']);
    let nodes = document.nodes_at(word.start);
    let kinds = nodes.iter().map(|&node| document.tree().kind(node));
    let is_in_body = kinds.rev().find(|kind| is_container(*kind)).is_none_or(|kind| {
        matches!(kind, NodeKind::Body | NodeKind::Root | NodeKind::Block | NodeKind::Attribute)
    });
    match kind {
        Some(TokenKind::Dot) if glued => {
            let chain = chain_before(file, previous.unwrap_or_default());
            return chain.map_or(Spot::Nothing, Spot::Member);
        }
        Some(TokenKind::Newline | TokenKind::OpenBrace | TokenKind::Comma)
            if !after.starts_with("for ") && Place::of(file, word.start).is_key =>
        {
            let ends_item = after.is_empty() || after.starts_with(['\n', '\r', '=', ':', ',', '#', '}']);
            return if ends_item { Spot::ObjectKey } else { Spot::Nothing };
        }
        None
        | Some(TokenKind::Newline | TokenKind::OpenBrace | TokenKind::CloseBrace | TokenKind::CloseHeredoc)
            if is_in_body =>
        {
            let starts_line =
                kind.is_none_or(|kind| matches!(kind, TokenKind::Newline | TokenKind::OpenBrace));
            // An item ends its line.
            let ends_line = after.is_empty() || after.starts_with(['\n', '\r', '=', '{', '"', '#', '}']);
            return if starts_line && ends_line {
                Spot::Item(body_schema::around(file, word.start))
            } else {
                Spot::Nothing
            };
        }
        Some(kind) if kind == TokenKind::Newline || starts_operand(kind) => {}
        // A name after a word such as `for` or `in` is an operand, too.
        Some(TokenKind::Identifier) => {
            let text = previous.map(|at| tokens.text(at, document.source())).unwrap_or_default();
            if !matches!(text, "in" | "if") {
                return Spot::Nothing;
            }
        }
        _ => return Spot::Nothing,
    }
    // Another operand follows.
    if after.starts_with(|sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '"' | '{' | '<')) {
        return Spot::Nothing;
    }
    let is_glued = glued && kind == Some(TokenKind::OpenBracket);
    if let Some(address) = previous.filter(|_| is_glued).and_then(|bracket| chain_before(file, bracket)) {
        return Spot::Key(address);
    }
    let equal = previous.filter(|&at| tokens.kind(at) == TokenKind::Equal && is_in_body);
    let name = equal.and_then(|equal| tokens.significant_before(equal));
    match name.filter(|&at| tokens.kind(at) == TokenKind::Identifier) {
        Some(name) => Spot::Value(tokens.text(name, document.source()).to_owned()),
        None => Spot::Expression,
    }
}

fn starts_operand(kind: TokenKind) -> bool {
    is_operator(kind) && kind != TokenKind::Ellipsis
        || matches!(
            kind,
            TokenKind::OpenBrace
                | TokenKind::OpenBracket
                | TokenKind::OpenParen
                | TokenKind::OpenInterpolation
                | TokenKind::OpenInterpolationStrip
                | TokenKind::Comma
                | TokenKind::Colon
        )
}

fn is_container(kind: NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Root
            | NodeKind::Body
            | NodeKind::Block
            | NodeKind::Tuple
            | NodeKind::Object
            | NodeKind::ForTuple
            | NodeKind::ForObject
            | NodeKind::Parens
            | NodeKind::Call
            | NodeKind::Index
            | NodeKind::Interpolation
            | NodeKind::IfDirective
            | NodeKind::ForDirective
    )
}

/// In comments and text there is nothing to complete, except for sources of modules.
fn in_text(file: &File, token: u32, word: Span, offset: u32) -> Option<Spot> {
    let document = file.document();
    let tokens = document.tokens();
    let span = tokens.span(token);
    let kind = tokens.kind(token);
    let is_before_end = offset < span.end || kind == TokenKind::LineComment && offset <= span.end;
    match kind {
        TokenKind::LineComment if span.start < word.start && is_before_end => Some(Spot::Nothing),
        TokenKind::InlineComment if span.start < word.start && is_before_end => Some(Spot::Nothing),
        TokenKind::Number if span.touches(offset) => Some(Spot::Nothing),
        TokenKind::String if span.start < offset && offset < span.end => {
            let inside = Span::new(span.start + 1, span.end - 1);
            let link = crate::links::of_file(file).into_iter().any(|link| link.span.touches(offset));
            let text = document.source().slice(inside);
            let before = tokens.significant_before(token).and_then(|equal| tokens.significant_before(equal));
            let is_source = before.is_some_and(|name| tokens.text(name, document.source()) == "source");
            if link || is_source && text.starts_with('.') {
                return Some(Spot::Source(inside));
            }
            if is_path(file, token) {
                return Some(Spot::Path(inside));
            }
            if let Some(block) = label_at(file, offset) {
                let (block_type, start) = block;
                return Some(Spot::Label(block_type, start, inside));
            }
            let bracket = token.checked_sub(1).filter(|&at| tokens.kind(at) == TokenKind::OpenBracket);
            if let Some(address) = bracket.and_then(|bracket| chain_before(file, bracket)) {
                return Some(Spot::KeyText(address, inside));
            }
            let name = argument_before(file, token);
            Some(name.map_or(Spot::Nothing, |name| Spot::ValueText(name, inside)))
        }
        TokenKind::QuotedText
            if span.start < offset && offset <= span.end && is_path(file, token.saturating_sub(4)) =>
        {
            // `file("${path.module}/…")`.
            let rest = document.source().slice(span);
            let is_own = tokens.text(token.saturating_sub(2), document.source()) == "module";
            Some(if rest.starts_with('/') && is_own {
                Spot::Path(Span::new(span.start, span.end))
            } else {
                Spot::Nothing
            })
        }
        TokenKind::QuotedText | TokenKind::HeredocText | TokenKind::BareText | TokenKind::OpenHeredoc
            if span.start < offset && offset <= span.end || span.start <= offset && offset < span.end =>
        {
            Some(Spot::Nothing)
        }
        _ => None,
    }
}

/// Whether a token is the first argument of a function that reads a file.
fn is_path(file: &File, token: u32) -> bool {
    let document = file.document();
    let tokens = document.tokens();
    let before = tokens.significant_before(token).filter(|&at| tokens.kind(at) == TokenKind::OpenParen);
    let name = before.and_then(|at| tokens.significant_before(at));
    name.is_some_and(|at| {
        let name = tokens.text(at, document.source());
        name.starts_with("file") || name == "templatefile"
    })
}

/// The type and the start of the block whose first label is at an offset.
fn label_at(file: &File, offset: u32) -> Option<(String, u32)> {
    let document = file.document();
    let nodes = document.nodes_at(offset);
    let node = nodes.iter().rev().find(|&&node| document.tree().kind(node) == NodeKind::Block)?;
    let block = document.block_at(*node)?;
    let is_here = block.labels().next().is_some_and(|label| label.span().touches(offset));
    is_here.then(|| (block.block_type().to_owned(), block.span().start))
}

/// The name of the argument whose value begins with a token.
fn argument_before(file: &File, token: u32) -> Option<String> {
    let document = file.document();
    let tokens = document.tokens();
    let equal = tokens.significant_before(token).filter(|&at| tokens.kind(at) == TokenKind::Equal)?;
    let name = tokens.significant_before(equal).filter(|&at| tokens.kind(at) == TokenKind::Identifier)?;
    Some(tokens.text(name, document.source()).to_owned())
}

/// The names and keys before a dot.
fn chain_before(file: &File, dot: u32) -> Option<String> {
    let document = file.document();
    let tokens = document.tokens();
    let end = tokens.span(dot).start;
    let mut at = dot;
    let mut depth = 0_u32;
    let mut start = end;
    while at > 0 {
        at -= 1;
        let span = tokens.span(at);
        match tokens.kind(at) {
            TokenKind::CloseBracket => depth += 1,
            TokenKind::OpenBracket if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            TokenKind::Identifier | TokenKind::Dot | TokenKind::Number if span.end == start => {}
            _ => break,
        }
        if depth == 0 {
            start = span.start;
        }
        if end - start > 1_000 {
            return None;
        }
    }
    let text = document.source().slice(Span::new(start, end));
    // A chain begins with a name.
    text.starts_with(|sign: char| sign.is_alphabetic() || sign == '_').then(|| text.to_owned())
}
