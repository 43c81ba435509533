//! HCL among Rust tokens, for `value!`, `expr!` and `body!`: the text that the tokens were, with a placeholder for each
//! interpolated Rust value, and where each token is. The text is parsed by hclkit itself, so that there is no second grammar.

use hclkit_syntax::{Document, Span as TextSpan};
use proc_macro::{Delimiter, Group, Punct, Span, TokenStream, TokenTree};

/// A compile error, and what it points at.
pub(crate) type Failure = (Span, String);

/// What the placeholders of Rust values begin with, before the number of the value.
const PLACEHOLDER: &str = "__rust_";

/// HCL among Rust tokens.
pub(crate) struct Quoted {
    /// The text of the tokens, with their line breaks and the spaces between them.
    pub(crate) text: String,
    /// The tokens with their start in the text.
    tokens: Vec<(usize, Span)>,
    /// The interpolated Rust expressions.
    pub(crate) values: Vec<RustValue>,
}

/// `#name` or `#(expression)`.
pub(crate) struct RustValue {
    pub(crate) expression: proc_macro2::TokenStream,
    pub(crate) span: Span,
    /// As it is written, for errors.
    shown: String,
}

impl Quoted {
    /// The text of tokens. With `on_lines`, they have the lines of the file, which errors mention.
    pub(crate) fn read(tokens: TokenStream, on_lines: bool) -> Result<Self, Failure> {
        let text = Self { text: String::new(), tokens: Vec::new(), values: Vec::new() };
        let mut writer = Writer { quoted: text, end: on_lines.then_some((1, 1)) };
        writer.stream(tokens)?;
        writer.quoted.text.push('\n');
        Ok(writer.quoted)
    }

    /// The index of the Rust value with this placeholder.
    pub(crate) fn value_at(&self, name: &str) -> Option<usize> {
        let index = name.strip_prefix(PLACEHOLDER)?.parse().ok()?;
        (index < self.values.len()).then_some(index)
    }

    /// The token at the start of a part of the text.
    pub(crate) fn span(&self, span: TextSpan) -> Span {
        let after = self.tokens.partition_point(|(start, _)| *start <= span.start as usize);
        after.checked_sub(1).map_or_else(Span::call_site, |at| self.tokens[at].1)
    }

    /// The errors of the parsed text.
    pub(crate) fn errors(&self, document: &Document) -> Vec<Failure> {
        let errors = document.diagnostics().iter().filter(|diagnostic| diagnostic.is_error());
        errors
            .map(|error| {
                let mut text = format!("{}: {}", error.summary(), error.note());
                for (index, value) in self.values.iter().enumerate().rev() {
                    text = text.replace(&format!("{PLACEHOLDER}{index}"), &value.shown);
                }
                (self.span(error.span()), text)
            })
            .collect()
    }
}

/// Writes tokens as text, with the space that was between them.
struct Writer {
    quoted: Quoted,
    /// The line and the column where the last token ends.
    end: Option<(usize, usize)>,
}

impl Writer {
    fn stream(&mut self, tokens: TokenStream) -> Result<(), Failure> {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(hash) if hash.as_char() == '#' && is_comment(&hash, tokens.peek()) => {
                    let line = hash.span().start().line();
                    while let Some(text) = tokens.next_if(|token| token.span().start().line() == line) {
                        if text.span().end().line() != line {
                            let why = "brackets in a comment after `#` must be closed on its line";
                            return Err((text.span(), why.to_owned()));
                        }
                    }
                }
                TokenTree::Punct(hash) if hash.as_char() == '#' => self.value(hash.span(), tokens.next())?,
                // The tokens of a fragment of `macro_rules!`.
                TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                    self.stream(group.stream())?;
                }
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        _ => ("[", "]"),
                    };
                    self.token(open, group.span_open());
                    self.stream(group.stream())?;
                    self.token(close, group.span_close());
                }
                token => self.token(&token.to_string(), token.span()),
            }
        }
        Ok(())
    }

    fn token(&mut self, text: &str, span: Span) {
        let (start, end) = (span.start(), span.end());
        if let Some((line, column)) = self.end {
            if start.line() > line {
                self.quoted.text.push_str(&"\n".repeat(start.line() - line));
                self.quoted.text.push_str(&" ".repeat(start.column().saturating_sub(1)));
            } else {
                // Tokens of another macro may be in another order.
                let is_elsewhere = start.line() < line || start.column() < column;
                let gap = if is_elsewhere { 1 } else { start.column() - column };
                self.quoted.text.push_str(&" ".repeat(gap));
            }
        }
        self.quoted.tokens.push((self.quoted.text.len(), span));
        self.quoted.text.push_str(text);
        self.end = Some((end.line(), end.column()));
    }

    /// A Rust value after its `#`.
    fn value(&mut self, hash: Span, value: Option<TokenTree>) -> Result<(), Failure> {
        let (expression, shown, end): (TokenStream, _, _) = match value {
            Some(TokenTree::Ident(name)) => {
                let (shown, span) = (format!("#{name}"), name.span());
                // The program keeps the value.
                let name = proc_macro2::TokenStream::from(TokenStream::from(TokenTree::Ident(name)));
                (quote::quote!(::core::clone::Clone::clone(&#name)).into(), shown, span)
            }
            Some(TokenTree::Group(group)) if is_expression(&group) => {
                (group.stream(), "#(…)".to_owned(), group.span_close())
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
                return Err((hash, "doc comments are not part of HCL; write `//` or `# `".to_owned()));
            }
            _ => return Err((hash, "expected `#name` or `#(expression)`".to_owned())),
        };
        let placeholder = format!("{PLACEHOLDER}{}", self.quoted.values.len());
        self.token(&placeholder, hash);
        // A `-` or a name after it would be part of the name.
        self.quoted.text.push(' ');
        self.end = Some((end.end().line(), end.end().column()));
        self.quoted.values.push(RustValue { expression: expression.into(), span: hash, shown });
        Ok(())
    }
}

/// Whether a `#` begins a comment: what is not directly before a name or a bracket is one. A doc comment is a `#` and brackets at the
/// same place.
fn is_comment(hash: &Punct, next: Option<&TokenTree>) -> bool {
    let Some(next) = next else { return true };
    let place = |span: Span| (span.line(), span.column());
    let (start, end) = (place(hash.span().start()), place(hash.span().end()));
    let next_start = place(next.span().start());
    let is_value = next_start == start || next_start == end && !matches!(next, TokenTree::Punct(_));
    !is_value
}

fn is_expression(group: &Group) -> bool {
    group.delimiter() == Delimiter::Parenthesis && !group.stream().is_empty()
}
