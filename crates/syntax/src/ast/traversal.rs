//! Traversals. Specification: "Static Traversal".

use std::borrow::Cow;

use super::expression::string_text;
use super::{NameNode, tokens_of, view};
use crate::tree::NodeKind;
use crate::{Document, NodeId, Span};

/// A traversal that is a whole source: a variable name, then steps.
#[derive(Clone, Copy)]
pub struct TraversalNode<'d> {
    document: &'d Document,
    id: NodeId,
}

view!(TraversalNode);

/// A step of a traversal, including the variable at its root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepNode<'d> {
    /// Its kind.
    pub kind: StepKind<'d>,
    /// Its span, with its dot or brackets.
    pub span: Span,
}

/// The kind of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepKind<'d> {
    /// The variable that the traversal starts with.
    Root(&'d str),
    /// `.name`
    Attr(&'d str),
    /// `["key"]`
    Key(Cow<'d, str>),
    /// `[0]`: the number as written.
    Index(&'d str),
    /// `[*]`, in partial traversals only.
    Splat,
}

impl<'d> TraversalNode<'d> {
    /// The variable name that the traversal starts with. Empty if an error left none.
    pub fn root_name(self) -> &'d str {
        match self.steps().next().map(|step| step.kind) {
            Some(StepKind::Root(name)) => name,
            _ => "",
        }
    }

    /// The steps in order, starting with the root. Incomplete steps are omitted.
    pub fn steps(self) -> impl Iterator<Item = StepNode<'d>> + use<'d> {
        let document = self.document;
        document.tree().children(self.id).filter_map(move |id| {
            let last = NameNode::at(document, tokens_of(document, id).1).text;
            let kind = match document.tree().kind(id) {
                NodeKind::Name => StepKind::Root(last),
                NodeKind::AttrStep => StepKind::Attr(last),
                NodeKind::SplatStep => StepKind::Splat,
                _ => {
                    let key = document.tree().children(id).next()?;
                    match document.tree().kind(key) {
                        NodeKind::Number => StepKind::Index(document.text(key)),
                        NodeKind::String => StepKind::Key(string_text(document, key)),
                        _ => return None,
                    }
                }
            };
            Some(StepNode { kind, span: document.span(id) })
        })
    }
}
