//! The contents of a dynamic block: `for_each`, `iterator`, `labels` and `content`.

use hclkit_syntax::{Place, Span};
use hclkit_value::{Name, Type, Value};

use super::{Expanded, Iterators};
use crate::messages;
use crate::{Block, BlockSchema, Content, Context, Diagnostics, Expression, Schema};

/// A dynamic block that can be expanded.
pub(super) struct Definition {
    collection: Value,
    iterator: Name,
    labels: Vec<Expression>,
    pub(super) content: Block,
}

/// The schema of a dynamic block.
pub(super) fn schema(known: &BlockSchema) -> Schema {
    let schema = Schema::new().with_required("for_each").with_optional("iterator").with_block("content", &[]);
    match known.label_counts().into_inner() {
        (0, 0) => schema,
        (0, _) => schema.with_optional("labels"),
        _ => schema.with_required("labels"),
    }
}

/// The name of the iterator: the type of the blocks, unless it is set.
pub(super) fn iterator(
    known: &BlockSchema,
    content: &Content,
    diagnostics: &mut Diagnostics,
) -> Option<Name> {
    let Some(attribute) = content.attributes.get("iterator") else { return Some(known.block_type.clone()) };
    match attribute.expression.static_traversal() {
        Ok(traversal) if traversal.steps.is_empty() => Some(traversal.root),
        Ok(_) => {
            diagnostics.push(messages::invalid_iterator().at(attribute.expression.place()));
            None
        }
        Err(found) => {
            diagnostics.append(found);
            None
        }
    }
}

impl Definition {
    /// Reads a dynamic block. A block with an error is omitted entirely.
    pub(super) fn read(
        body: &Expanded,
        known: &BlockSchema,
        block: &Block,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let before = diagnostics.mark();
        let content = block.body.content_into(&schema(known), diagnostics);
        if diagnostics.failed_since(before) {
            return None;
        }
        let iterator = iterator(known, &content, diagnostics)?;
        let for_each = content.attributes.get("for_each")?;
        let collection = body.collection(&body.with_iterators(&for_each.expression), diagnostics)?;
        let labels = match content.attributes.get("labels") {
            // They see the elements in the context of each block: its iterator may hide an outer one.
            Some(written) => labels(known, &written.expression, diagnostics)?,
            None => Vec::new(),
        };
        let mut blocks = content.blocks.into_iter();
        let (first, second) = (blocks.next(), blocks.next());
        if let Some(second) = second {
            let place = Place::new(&second.source, second.type_span);
            diagnostics.push(messages::extra_content().at(place));
            return None;
        }
        let Some(content) = first else {
            diagnostics.push(messages::missing_content().at(content.missing_item));
            return None;
        };
        Some(Self { collection, iterator, labels, content })
    }

    /// The iterators of the expressions of each block.
    pub(super) fn settings(&self, outer: Option<&Iterators>) -> Vec<Iterators> {
        let (collection, marks) = self.collection.unmark();
        let name = &self.iterator;
        match elements(&collection) {
            Some(elements) => elements
                .into_iter()
                .map(|(key, value)| Iterators::element(outer, name, key, value, &marks))
                .collect(),
            None => vec![Iterators::unknown(outer, name, &marks)],
        }
    }

    /// The span of the labels.
    pub(super) fn label_spans(&self) -> Vec<Span> {
        self.labels.iter().map(Expression::span).collect()
    }

    /// The labels of the block for one element.
    pub(super) fn labels(
        &self,
        context: &Context,
        iterators: &Iterators,
        diagnostics: &mut Diagnostics,
    ) -> Option<Vec<Name>> {
        if self.labels.is_empty() {
            return Some(Vec::new());
        }
        let context = iterators.context(context);
        self.labels.iter().map(|expression| label(expression, &context, diagnostics)).collect()
    }
}

fn labels(
    known: &BlockSchema,
    written: &Expression,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Expression>> {
    let labels = match written.static_list() {
        Ok(labels) => labels,
        Err(found) => {
            diagnostics.append(found);
            return None;
        }
    };
    let wanted = known.label_counts();
    let span = match labels.get(*wanted.end()) {
        Some(extra) => extra.span(),
        None if labels.len() < *wanted.start() => written.span(),
        None => return Some(labels),
    };
    let message = messages::dynamic_label_count(&known.block_type, wanted, labels.len());
    diagnostics.push(message.at(Place::new(written.source(), span)));
    None
}

/// The text of a label.
fn label(expression: &Expression, context: &Context, diagnostics: &mut Diagnostics) -> Option<Name> {
    let before = diagnostics.mark();
    let value = expression.evaluate_into(context, diagnostics);
    if diagnostics.failed_since(before) {
        return None;
    }
    let (plain, marks) = value.unmark();
    let message = match plain.convert(&Type::String) {
        _ if plain.is_null() => messages::null_label(),
        Err(error) => messages::invalid_label(&error.to_string()),
        Ok(text) if !text.is_known() => messages::unknown_label(),
        Ok(_) if !marks.is_empty() => messages::marked_label(),
        Ok(text) => return text.as_str().map(Name::from),
    };
    diagnostics.push(message.at(expression.place()));
    None
}

/// The elements of a collection with their keys; `None` if they are unknown.
fn elements(collection: &Value) -> Option<Vec<(Value, Value)>> {
    if !collection.is_known() {
        return None;
    }
    if let Some(entries) = collection.entries() {
        return Some(entries.map(|(key, value)| (Value::from(key), value.clone())).collect());
    }
    let elements = collection.as_slice()?;
    let set = matches!(collection.ty(), Type::Set(_));
    let numbered = elements.iter().enumerate();
    Some(
        numbered
            .map(|(at, value)| (if set { value.clone() } else { Value::from(at) }, value.clone()))
            .collect(),
    )
}
