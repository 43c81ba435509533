//! Questions about the nodes that are edited, and names as source text.

use hclkit_syntax::ast::{ExpressionKind, TemplateNode};
use hclkit_syntax::{NodeId, NodeKind, Root, Syntax};
use hclkit_value::Value;

use super::Edits;
use super::sequence::Container;

impl<'d> Edits<'d> {
    /// Returns true if a node is the attribute of a one-line block. Its value may have several lines.
    pub(super) fn is_in_one_line_block(&self, node: NodeId) -> bool {
        let (document, body) = (self.document, self.parents[node.index()]);
        let line = |node: NodeId| document.source().line_of(document.span(node).start);
        document.tree().kind(body) == NodeKind::Body
            && body != document.body().id()
            && line(body) == line(node)
    }

    pub(super) fn is_json(&self) -> bool {
        self.document.syntax() == Syntax::Json
    }

    /// Returns true if a node is the key of an object in the JSON syntax.
    pub(super) fn is_json_key(&self, node: NodeId) -> bool {
        let (tree, parent) = (self.document.tree(), self.parents[node.index()]);
        self.is_json()
            && matches!(tree.kind(parent), NodeKind::ObjectItem | NodeKind::Attribute | NodeKind::Block)
            && tree.children(parent).next() == Some(node)
            && tree.children(parent).nth(1).is_some()
    }

    /// Returns true if a node is what a splat selects of each element, such as the `.a` of `x[*].a`.
    pub(super) fn is_of_element(&self, node: NodeId) -> bool {
        let tree = self.document.tree();
        let mut node = Some(node);
        while let Some(inner) = node {
            node = match tree.kind(inner) {
                NodeKind::SplatItem => return true,
                NodeKind::GetAttr
                | NodeKind::Index
                | NodeKind::LegacyIndex
                | NodeKind::AttrSplat
                | NodeKind::FullSplat => tree.children(inner).next(),
                _ => None,
            };
        }
        false
    }

    pub(super) fn is_label(&self, node: NodeId) -> bool {
        let tree = self.document.tree();
        tree.kind(self.parents[node.index()]) == NodeKind::Block && tree.kind(node) != NodeKind::Body
    }

    /// The template that a node is a part of, possibly within directives.
    pub(super) fn template_of(&self, node: NodeId) -> Option<TemplateNode<'d>> {
        let tree = self.document.tree();
        let mut parent = self.parents[node.index()];
        let is_part = matches!(
            tree.kind(parent),
            NodeKind::QuotedTemplate | NodeKind::Heredoc | NodeKind::BareTemplate | NodeKind::DirectiveBody
        );
        if !is_part {
            return None;
        }
        loop {
            match tree.kind(parent) {
                NodeKind::QuotedTemplate | NodeKind::Heredoc | NodeKind::BareTemplate => {
                    return self.as_template(parent);
                }
                NodeKind::Root => return None,
                _ => parent = self.parents[parent.index()],
            }
        }
    }

    pub(super) fn as_template(&self, node: NodeId) -> Option<TemplateNode<'d>> {
        match (self.document.expression_at(node).kind(), self.document.root()) {
            (ExpressionKind::Template(template), _) => Some(template),
            (_, Root::Template(template)) if template.id() == node => Some(template),
            _ => None,
        }
    }

    /// The container that directly holds a node.
    pub(super) fn container_of(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.parents[node.index()];
        (node != NodeId::ROOT && Container::of(self.document.tree().kind(parent)).is_some()).then_some(parent)
    }

    /// The node that contains the contents of a node: the body of a block, or the value of an attribute.
    pub(super) fn content(&self, node: NodeId) -> NodeId {
        let tree = self.document.tree();
        let mut node = node;
        loop {
            let child = match tree.kind(node) {
                NodeKind::Root | NodeKind::Parens => tree.children(node).next(),
                NodeKind::Attribute | NodeKind::ObjectItem => tree.children(node).last(),
                NodeKind::Block => tree.children(node).find(|&child| tree.kind(child) == NodeKind::Body),
                _ => None,
            };
            match child {
                Some(child) => node = child,
                None => return node,
            }
        }
    }
}

/// A string in JSON.
pub(crate) fn quoted_json(text: &str) -> String {
    use std::fmt::Write as _;
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            control if control < ' ' => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04x}", u32::from(control));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// A string as source text.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
