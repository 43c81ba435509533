//! Templates. Specification: "Templates".

use std::borrow::Cow;

use super::expression::string_text;
use super::{ExpressionNode, NameNode, tokens_of, view};
use crate::text::{self, Reading};
use crate::token::TokenKind;
use crate::tree::{Children, Flags, NodeKind};
use crate::{Document, NodeId, Span, Syntax};

/// A template: literal text, interpolations and directives.
#[derive(Clone, Copy)]
pub struct TemplateNode<'d> {
    document: &'d Document,
    id: NodeId,
}

view!(TemplateNode);

/// The form of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TemplateKind {
    /// A quoted template.
    Quoted,
    /// A heredoc.
    Heredoc {
        /// Introduced by `<<-`: the lines lose their common indentation.
        flush: bool,
    },
    /// A whole source.
    Bare,
}

/// A part of a template.
#[derive(Debug, Clone, Copy)]
pub enum Part<'d> {
    /// Literal text.
    Text(TextNode<'d>),
    /// `${expression}`
    Interpolation(ExpressionNode<'d>),
    /// `%{ if }`
    If(IfDirectiveNode<'d>),
    /// `%{ for }`
    For(ForDirectiveNode<'d>),
}

impl<'d> TemplateNode<'d> {
    /// Its form.
    pub fn template_kind(self) -> TemplateKind {
        match self.document.tree().kind(self.id) {
            NodeKind::Heredoc => {
                TemplateKind::Heredoc { flush: self.document.tree().has(self.id, Flags::FLUSH) }
            }
            NodeKind::BareTemplate => TemplateKind::Bare,
            _ => TemplateKind::Quoted,
        }
    }

    /// The parts in order. A string literal has one text, even if it is empty.
    pub fn parts(self) -> Parts<'d> {
        let Self { document, id } = self;
        if is_literal(document, id) {
            return Parts { document, string: Some(id), children: None };
        }
        Parts { document, string: None, children: Some(document.tree().children(id)) }
    }

    /// The string, if the template is only literal text.
    pub fn as_literal(self) -> Option<Cow<'d, str>> {
        if is_literal(self.document, self.id) {
            return Some(string_text(self.document, self.id));
        }
        let mut literal = Cow::Borrowed("");
        for part in self.parts() {
            let Part::Text(text) = part else { return None };
            if literal.is_empty() {
                literal = text.value();
            } else {
                literal.to_mut().push_str(&text.value());
            }
        }
        Some(literal)
    }

    /// The expression, if the template is one interpolation and nothing else. The template then has the value and the
    /// type of that expression ("Template Interpolation Unwrapping").
    pub fn as_unwrapped(self) -> Option<ExpressionNode<'d>> {
        let mut parts = self.parts();
        match (parts.next(), parts.next()) {
            (Some(Part::Interpolation(expression)), None) => Some(expression),
            _ => None,
        }
    }

    /// The name that closes a heredoc.
    #[doc(hidden)]
    pub fn heredoc_name(self) -> Option<&'d str> {
        let (opener, _) = tokens_of(self.document, self.id);
        let token = self.document.tokens().get(opener);
        let text = self.document.source().slice(token.span);
        (token.kind == TokenKind::OpenHeredoc).then(|| text.trim_start_matches(['<', '-']).trim())
    }
}

/// Returns true if a node is one literal text: a string without sequences, and in HCL 1 also a heredoc.
fn is_literal(document: &Document, id: NodeId) -> bool {
    match document.tree().kind(id) {
        NodeKind::String => true,
        NodeKind::Heredoc => document.syntax() == Syntax::Hcl1,
        _ => false,
    }
}

/// The parts of a template in order.
#[derive(Debug, Clone)]
pub struct Parts<'d> {
    document: &'d Document,
    /// A string literal, which is its own only text.
    string: Option<NodeId>,
    children: Option<Children<'d>>,
}

impl<'d> Iterator for Parts<'d> {
    type Item = Part<'d>;

    fn next(&mut self) -> Option<Part<'d>> {
        let document = self.document;
        if let Some(id) = self.string.take() {
            return Some(Part::Text(TextNode::new(document, id)));
        }
        let id = self.children.as_mut()?.next()?;
        Some(match document.tree().kind(id) {
            NodeKind::Interpolation => Part::Interpolation(ExpressionNode::child(document, id, 0)),
            NodeKind::IfDirective => Part::If(IfDirectiveNode::new(document, id)),
            NodeKind::ForDirective => Part::For(ForDirectiveNode::new(document, id)),
            _ => Part::Text(TextNode::new(document, id)),
        })
    }
}

/// Literal text in a template.
#[derive(Clone, Copy)]
pub struct TextNode<'d> {
    document: &'d Document,
    id: NodeId,
}

view!(TextNode);

impl<'d> TextNode<'d> {
    /// The text after processing: escape sequences resolved, white space next to strip markers and the indentation of a
    /// flush heredoc removed.
    pub fn value(self) -> Cow<'d, str> {
        let Self { document, id } = self;
        if is_literal(document, id) {
            return string_text(document, id);
        }
        let (token, _) = tokens_of(document, id);
        let (trim_start, trim_end) = text::trims(document.tokens(), token);
        let reading = Reading {
            escapes: document.tokens().kind(token) == TokenKind::QuotedText,
            trim_start,
            trim_end,
            dedent: document.tree().nodes[id.index()].indentation(),
            at_line_start: document.tree().has(id, Flags::LINE_START),
        };
        text::read(self.text(), reading)
    }
}

/// `%{ if condition } … %{ else } … %{ endif }`
#[derive(Clone, Copy)]
pub struct IfDirectiveNode<'d> {
    document: &'d Document,
    id: NodeId,
}

view!(IfDirectiveNode);

impl<'d> IfDirectiveNode<'d> {
    /// The predicate.
    pub fn condition(self) -> ExpressionNode<'d> {
        ExpressionNode::child(self.document, self.id, 0)
    }

    /// The body if the predicate is true.
    pub fn then_parts(self) -> Parts<'d> {
        body_parts(self.document, self.id, 0)
    }

    /// The body of the `else`, if the predicate is false.
    pub fn else_parts(self) -> Parts<'d> {
        body_parts(self.document, self.id, 1)
    }

    /// Returns true if there is an `else`.
    pub fn has_else(self) -> bool {
        self.document.tree().children(self.id).count() > 2
    }
}

/// `%{ for key, value in collection } … %{ endfor }`
#[derive(Clone, Copy)]
pub struct ForDirectiveNode<'d> {
    document: &'d Document,
    id: NodeId,
}

view!(ForDirectiveNode);

impl<'d> ForDirectiveNode<'d> {
    /// The variable for each key or index.
    pub fn key_variable(self) -> Option<NameNode<'d>> {
        self.has_key().then(|| self.name(0))
    }

    /// The variable for each value. Empty if an error left none.
    pub fn value_variable(self) -> NameNode<'d> {
        self.name(usize::from(self.has_key()))
    }

    /// The collection.
    pub fn collection(self) -> ExpressionNode<'d> {
        ExpressionNode::child(self.document, self.id, 1 + usize::from(self.has_key()))
    }

    /// The body, which is repeated for each element.
    pub fn parts(self) -> Parts<'d> {
        body_parts(self.document, self.id, 0)
    }

    fn has_key(self) -> bool {
        self.document.tree().has(self.id, Flags::KEY_VARIABLE)
    }

    fn name(self, index: usize) -> NameNode<'d> {
        let name = ExpressionNode::child(self.document, self.id, index);
        let span: Span = name.span();
        NameNode { text: name.text(), span }
    }
}

/// The parts of the directive body at `index`. Empty if the directive has no such body.
fn body_parts(document: &Document, id: NodeId, index: usize) -> Parts<'_> {
    let tree = document.tree();
    let body = tree.children(id).filter(|&id| tree.kind(id) == NodeKind::DirectiveBody).nth(index);
    Parts { document, string: None, children: body.map(|body| tree.children(body)) }
}
