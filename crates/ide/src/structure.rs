//! Parts of a file that can be folded, and the parts around a cursor.

use hclkit::{Span, syntax::TokenKind};

use crate::Snapshot;
use crate::file::File;

/// What can be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// Lines of comments.
    Comment,
    /// A block, a collection, a heredoc and others.
    Region,
}

/// Lines that can be folded: the first line stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The first line.
    pub start: u32,
    /// The last line that is hidden.
    pub end: u32,
    /// What they are.
    pub kind: FoldKind,
}

impl Snapshot {
    /// What can be folded in a file: blocks, collections, calls, heredocs and comments of several lines.
    pub fn folds(&self, path: &str) -> Vec<Fold> {
        self.file(path).map(|file| folds(&file)).unwrap_or_default()
    }

    /// The parts of a file around a byte offset, from the inside out: the word, its expressions, the item, the block and so on.
    pub fn selections(&self, path: &str, offset: u32) -> Vec<Span> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let document = file.document();
        let mut spans: Vec<Span> = vec![Span::new(0, file.text().len() as u32)];
        spans.extend(document.nodes_at(offset).iter().map(|&node| document.span(node)));
        let tokens = document.tokens();
        if !tokens.is_empty() {
            spans.push(tokens.span(tokens.at(offset)));
        }
        let word = file.word(offset);
        spans.push(if word.is_empty() { Span::empty(offset) } else { word });
        let mut found: Vec<Span> = Vec::new();
        for span in spans {
            let is_inside = found
                .last()
                .is_none_or(|last| last.start <= span.start && span.end <= last.end && *last != span);
            if is_inside && span.touches(offset) {
                found.push(span);
            }
        }
        found.reverse();
        found
    }
}

fn folds(file: &File) -> Vec<Fold> {
    let (document, lines) = (file.document(), file.lines());
    let tokens = document.tokens();
    let mut found: Vec<Fold> = Vec::new();
    let mut open: Vec<u32> = Vec::new();
    let mut comments: Option<(u32, u32)> = None;
    let mut add = |start: u32, end: u32, kind: FoldKind| {
        let is_new =
            found.iter().rev().take_while(|last| last.start >= start).all(|last| last.start != start);
        if end > start && is_new {
            found.push(Fold { start, end, kind });
        }
    };
    let mut is_first_in_line = true;
    for at in 0..tokens.len() as u32 {
        let (kind, span) = (tokens.kind(at), tokens.span(at));
        let line = lines.line_of(span.start);
        // The line of the last character.
        let last = lines.line_of(span.end.saturating_sub(1).max(span.start));
        if kind.is_comment() && is_first_in_line {
            comments = match comments {
                Some((start, end)) if line <= end + 1 => Some((start, last)),
                other => {
                    if let Some((start, end)) = other {
                        add(start, end, FoldKind::Comment);
                    }
                    Some((line, last))
                }
            };
        } else if kind != TokenKind::Newline
            && let Some((start, end)) = comments.take()
        {
            add(start, end, FoldKind::Comment);
        }
        is_first_in_line = kind == TokenKind::Newline || is_first_in_line && kind.is_comment();
        match kind {
            TokenKind::OpenBrace | TokenKind::OpenBracket | TokenKind::OpenParen | TokenKind::OpenHeredoc => {
                open.push(line);
            }
            TokenKind::CloseBrace | TokenKind::CloseBracket | TokenKind::CloseParen => {
                if let Some(start) = open.pop() {
                    // The closing bracket stays visible.
                    add(start, line.saturating_sub(1), FoldKind::Region);
                }
            }
            TokenKind::CloseHeredoc => {
                if let Some(start) = open.pop() {
                    add(start, last, FoldKind::Region);
                }
            }
            _ => {}
        }
    }
    if let Some((start, end)) = comments {
        add(start, end, FoldKind::Comment);
    }
    found.sort_by_key(|fold| (fold.start, fold.end));
    found
}
