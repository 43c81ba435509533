//! Templates: literal text becomes constants, directives become conditionals and loops.

use hclkit_syntax::Span;
use hclkit_syntax::ast::{ExpressionNode, ForDirectiveNode, IfDirectiveNode, Part, Parts, TemplateNode};
use hclkit_value::{Name, Value};

use super::Lowering;
use crate::node::{Conditional, For, Kind, Node};

impl Lowering<'_> {
    pub(super) fn template(&mut self, template: TemplateNode) -> Node {
        if let Some(literal) = template.as_literal() {
            return self.node(template.span(), Kind::Constant(Value::from(&*literal)));
        }
        match template.as_unwrapped() {
            Some(inner) => {
                let inner = Box::new(self.expression(inner));
                self.node(template.span(), Kind::Parens(inner))
            }
            None => self.parts(template.span(), template.parts()),
        }
    }

    /// The parts between two directives. If there are none, the place is the end of the first directive.
    fn body(&mut self, directive: Span, parts: Parts) -> Node {
        let spans = parts.clone().map(|part| match part {
            Part::Text(text) => text.span(),
            Part::Interpolation(expression) => sequence_span(expression),
            Part::If(directive) => directive.span(),
            Part::For(directive) => directive.span(),
        });
        let span = spans.reduce(Span::cover).unwrap_or(Span::empty(directive.end));
        self.parts(span, parts)
    }

    /// The parts of one string.
    fn parts(&mut self, span: Span, parts: Parts) -> Node {
        let nodes: Vec<Node> = parts.map(|part| self.part(part)).collect();
        match <[Node; 1]>::try_from(nodes) {
            Ok([Node { kind: Kind::Constant(value), .. }]) if value.as_str().is_some() => {
                self.node(span, Kind::Constant(value))
            }
            Ok([only]) => self.node(span, Kind::Template([only].into())),
            Err(nodes) if nodes.is_empty() => self.node(span, Kind::Constant(Value::from(""))),
            Err(nodes) => self.node(span, Kind::Template(nodes.into())),
        }
    }

    fn part(&mut self, part: Part) -> Node {
        match part {
            Part::Text(text) => self.node(text.span(), Kind::Constant(Value::from(&*text.value()))),
            Part::Interpolation(expression) => self.expression(expression),
            Part::If(directive) => self.if_directive(directive),
            Part::For(directive) => self.for_directive(directive),
        }
    }

    fn if_directive(&mut self, directive: IfDirectiveNode) -> Node {
        let span = directive.span();
        let parts = Box::new(Conditional {
            condition: self.expression(directive.condition()),
            result: self.body(span, directive.then_parts()),
            other: self.body(span, directive.else_parts()),
        });
        self.node(span, Kind::Conditional(parts))
    }

    fn for_directive(&mut self, directive: ForDirectiveNode) -> Node {
        let span = directive.span();
        let collection = self.expression(directive.collection());
        let key_name = directive.key_variable().map(|name| Name::from(name.text));
        let value_name = Name::from(directive.value_variable().text);
        let slot = self.open_scope(key_name.as_ref(), &value_name);
        let value = self.body(span, directive.parts());
        self.scope.truncate(slot);
        let node =
            For { collection, slot, key_name, value_name, key: None, value, condition: None, groups: false };
        self.node(span, Kind::Join(Box::new(node)))
    }
}

/// An interpolation with its delimiters.
fn sequence_span(inside: ExpressionNode) -> Span {
    let (span, tokens) = (inside.span(), inside.document().tokens());
    let open = tokens.significant_before(tokens.at(span.start)).map_or(span, |open| tokens.span(open));
    let close = tokens.significant_from(tokens.at(span.end.saturating_sub(1)) + 1);
    open.cover(tokens.span(close))
}
