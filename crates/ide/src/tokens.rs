//! Semantic tokens: what the tokens of a file mean. Each is in one line, and they are in the order of the text.

use hclkit::Span;
use hclkit::syntax::{NodeId, NodeKind, TokenKind, Visit};

use crate::Snapshot;
use crate::file::File;

/// What a token means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenMeaning {
    /// A comment.
    Comment,
    /// Text.
    String,
    /// A number.
    Number,
    /// An operator.
    Operator,
    /// A keyword, such as `for` or `true`.
    Keyword,
    /// The type of a block.
    BlockType,
    /// A label of a block.
    Label,
    /// The name of an attribute.
    Property,
    /// A name in an expression.
    Variable,
    /// A name that a loop declares.
    Parameter,
    /// A function.
    Function,
}

impl TokenMeaning {
    /// All meanings, in the order of their numbers.
    pub const ALL: [Self; 11] = [
        Self::Comment,
        Self::String,
        Self::Number,
        Self::Operator,
        Self::Keyword,
        Self::BlockType,
        Self::Label,
        Self::Property,
        Self::Variable,
        Self::Parameter,
        Self::Function,
    ];

    /// The name in the protocol of language servers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Comment => "comment",
            Self::String => "string",
            Self::Number => "number",
            Self::Operator => "operator",
            Self::Keyword => "keyword",
            Self::BlockType => "type",
            Self::Label => "enumMember",
            Self::Property => "property",
            Self::Variable => "variable",
            Self::Parameter => "parameter",
            Self::Function => "function",
        }
    }
}

/// A token, or a part of it in one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// The part of the text.
    pub span: Span,
    /// Its meaning.
    pub meaning: TokenMeaning,
    /// Whether it declares a name.
    pub declares: bool,
}

impl Snapshot {
    /// The meanings of the tokens in a part of a file. There are none in the JSON syntax.
    pub fn tokens(&self, path: &str, within: Option<Span>) -> Vec<SemanticToken> {
        let Some(file) = self.file(path).filter(|file| file.is_native()) else { return Vec::new() };
        let within = within.unwrap_or(Span::new(0, file.text().len() as u32));
        let meanings = meanings(&file);
        let tokens = file.document().tokens();
        let mut found = Vec::new();
        for at in 0..tokens.len() as u32 {
            let span = tokens.span(at);
            if span.end < within.start || span.start > within.end {
                continue;
            }
            let known = meanings.get(at as usize).copied().flatten();
            if let Some((meaning, declares)) = known.or_else(|| Some((of_kind(tokens.kind(at))?, false))) {
                add_lines(&file, span, meaning, declares, &mut found);
            }
        }
        found.retain(|token| token.span.end > within.start && token.span.start < within.end);
        found
    }
}

/// Adds a token, divided at line breaks, without blanks at the ends of the lines.
fn add_lines(file: &File, span: Span, meaning: TokenMeaning, declares: bool, found: &mut Vec<SemanticToken>) {
    let (text, lines) = (file.text(), file.lines());
    let mut line = lines.line_of(span.start);
    let mut start = span.start;
    while start < span.end {
        let next = lines.start(line + 1, text).min(span.end).max(start + 1);
        let part = &text[start as usize..next as usize];
        let trimmed = part.trim_end_matches(['\r', '\n']);
        let end = start + trimmed.len() as u32;
        if !trimmed.trim().is_empty() {
            found.push(SemanticToken { span: Span::new(start, end), meaning, declares });
        }
        start = next;
        line += 1;
    }
}

/// Whether a token joins or begins operands, or says what they are for: `=`, `&&`, `!`, `=>`, `...`.
pub(crate) fn is_operator(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Equal
            | TokenKind::EqualEqual
            | TokenKind::BangEqual
            | TokenKind::Less
            | TokenKind::LessEqual
            | TokenKind::Greater
            | TokenKind::GreaterEqual
            | TokenKind::AndAnd
            | TokenKind::OrOr
            | TokenKind::Bang
            | TokenKind::Plus
            | TokenKind::Minus
            | TokenKind::Star
            | TokenKind::Slash
            | TokenKind::Percent
            | TokenKind::Question
            | TokenKind::FatArrow
            | TokenKind::Ellipsis
    )
}

fn of_kind(kind: TokenKind) -> Option<TokenMeaning> {
    Some(match kind {
        TokenKind::LineComment | TokenKind::InlineComment => TokenMeaning::Comment,
        // Of a text without errors, these are keywords.
        TokenKind::Identifier => TokenMeaning::Keyword,
        TokenKind::Number => TokenMeaning::Number,
        TokenKind::String
        | TokenKind::OpenQuote
        | TokenKind::CloseQuote
        | TokenKind::QuotedText
        | TokenKind::HeredocText
        | TokenKind::BareText => TokenMeaning::String,
        TokenKind::OpenHeredoc | TokenKind::CloseHeredoc => TokenMeaning::Keyword,
        kind if is_operator(kind) => TokenMeaning::Operator,
        _ => return None,
    })
}

/// The meanings of names, by the numbers of their tokens.
fn meanings(file: &File) -> Vec<Option<(TokenMeaning, bool)>> {
    let document = file.document();
    let (tree, tokens) = (document.tree(), document.tokens());
    let mut meanings = vec![None; tokens.len()];
    let mut set = |at: u32, meaning: TokenMeaning, declares: bool| {
        if let Some(place) = meanings.get_mut(at as usize) {
            *place = Some((meaning, declares));
        }
    };
    for visit in tree.walk(NodeId::ROOT) {
        let Visit::Enter(node) = visit else { continue };
        let (first, last) = tree.token_range(node);
        match tree.kind(node) {
            NodeKind::Attribute => set(first, TokenMeaning::Property, true),
            NodeKind::Block => {
                set(first, TokenMeaning::BlockType, false);
                for label in tree.children(node) {
                    if matches!(tree.kind(label), NodeKind::Name | NodeKind::String) {
                        set(tree.token_range(label).0, TokenMeaning::Label, true);
                    }
                }
            }
            NodeKind::Variable => set(first, TokenMeaning::Variable, false),
            NodeKind::GetAttr if tokens.kind(last) == TokenKind::Identifier => {
                set(last, TokenMeaning::Property, false);
            }
            NodeKind::Call => {
                // A name in a namespace has several tokens.
                let names = (first..=last).take_while(|&at| {
                    matches!(tokens.kind(at), TokenKind::Identifier | TokenKind::DoubleColon)
                });
                names.for_each(|at| set(at, TokenMeaning::Function, false));
            }
            NodeKind::ObjectItem => {
                if let Some(key) = tree.children(node).next()
                    && tree.kind(key) == NodeKind::Name
                {
                    set(tree.token_range(key).0, TokenMeaning::Property, true);
                }
            }
            NodeKind::ForTuple | NodeKind::ForObject | NodeKind::ForDirective => {
                for name in tree.children(node).filter(|&child| tree.kind(child) == NodeKind::Name) {
                    set(tree.token_range(name).0, TokenMeaning::Parameter, true);
                }
            }
            _ => {}
        }
    }
    meanings
}
