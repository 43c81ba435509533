//! Adding the properties of another document in the JSON syntax, which become part of those that have the same name.

use hclkit_syntax::ast::{ExpressionKind, ExpressionNode, ObjectItemNode};
use hclkit_syntax::json;

use super::{EditError, Edits, source_of};
use crate::raw;

/// The name of a property in the JSON syntax.
pub fn property_name(item: ObjectItemNode<'_>) -> String {
    let key = item.value().document().source().slice(item.key_span());
    match key.strip_prefix('"').and_then(|key| key.strip_suffix('"')) {
        Some(name) if !name.contains('\\') => name.to_owned(),
        _ => {
            let document = json::parse(key);
            document.root().as_string().map(|name| name.value().into_owned()).unwrap_or_default()
        }
    }
}

impl Edits<'_> {
    /// Adds a property of another document in the JSON syntax to an object. Its value is nested in an object for each of `labels`
    /// labels, and is a body or an array of bodies. Without `labels`, the property is an attribute with any value.
    ///
    /// # Errors
    /// An attribute exists already, or the object is not one of this document.
    #[doc(hidden)]
    pub fn merge(
        &mut self,
        object: ExpressionNode<'_>,
        item: ObjectItemNode<'_>,
        labels: Option<usize>,
    ) -> Result<(), EditError> {
        let value = item.value();
        let text = |node: ExpressionNode<'_>| source_of(node.document(), node.id());
        let name = property_name(item);
        let existing = object.items().find(|other| property_name(*other) == name);
        let Some(existing) = existing.map(ObjectItemNode::value) else {
            let key = value.document().source().slice(item.key_span());
            return self.append(object.id(), &format!("{key}: {}", text(value)));
        };
        let Some(labels) = labels else {
            let reason = format!("the property `{name}` exists already");
            return Err(EditError::Unsupported { span: existing.span(), reason });
        };
        let bodies: Vec<ExpressionNode<'_>> = match value.kind() {
            ExpressionKind::Tuple => value.elements().collect(),
            _ => vec![value],
        };
        match (existing.kind(), value.kind()) {
            (ExpressionKind::Object, ExpressionKind::Object) if labels > 0 => {
                value.items().try_for_each(|item| self.merge(existing, item, Some(labels - 1)))
            }
            (ExpressionKind::Tuple, _) => {
                bodies.into_iter().try_for_each(|body| self.append(existing.id(), &text(body)))
            }
            _ => {
                let all: Vec<String> = std::iter::once(existing).chain(bodies).map(text).collect();
                self.set(existing, raw(format!("[\n  {}\n]", all.join(",\n").replace('\n', "\n  "))))
            }
        }
    }
}
