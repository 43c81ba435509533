//! Dynamic blocks: `dynamic "type" { for_each = …, content { … } }` generates a block for each element of a collection.
//! This file has the bodies in which they are expanded. `dynamic/definition.rs` reads the contents of a dynamic block,
//! and `dynamic/iterators.rs` has the iterators that its expressions can use.

mod definition;
mod iterators;
mod references;

use std::fmt;
use std::sync::Arc;

use hclkit_limits::Meter;
use hclkit_syntax::{Diagnostic, Place};
use hclkit_value::{Marks, Name, Value};

pub(crate) use iterators::Iterators;
pub use references::{Reference, References};

use crate::suggest::Near;
use crate::{
    Attribute, Block, BlockSchema, Body, BodyItem, Content, Context, Diagnostics, Expression, Schema,
    messages,
};
use definition::Definition;

/// The block type.
const DYNAMIC: &str = "dynamic";

/// Expands dynamic blocks.
///
/// ```
/// use hclkit_model::{Body, Context, Diagnostics, Dynamic, Schema};
/// use hclkit_syntax::Source;
///
/// let text = r#"
/// dynamic "port" {
///   for_each = ports
///   content {
///     number = port.value
///   }
/// }
/// "#;
/// let (body, mut diagnostics) = Body::parse(Source::new("main.hcl", text));
/// let context = Context::new().with("ports", hclkit_value::Value::tuple([80, 443]));
/// let body = Dynamic::new(&context).expand(&body);
///
/// let content = diagnostics.absorb(body.content(&Schema::new().with_block("port", &[])));
/// assert_eq!(content.blocks.len(), 2);
/// let port = diagnostics.absorb(content.blocks[1].body.content(&Schema::new().with_required("number")));
/// assert_eq!(port.attributes.get("number").unwrap().expression.evaluate(&context)?, 443.into());
/// # assert!(diagnostics.is_empty());
/// # Ok::<(), Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct Dynamic {
    context: Context,
    check: Option<Arc<Check>>,
    /// The types of blocks in which nothing is expanded.
    as_written: Arc<[Name]>,
}

/// A check of collections.
type Check = dyn Fn(&Value, &Expression, &Context) -> Result<(), Diagnostics> + Send + Sync;

impl Dynamic {
    /// Expansion with `for_each` and `labels` evaluated in a context.
    pub fn new(context: &Context) -> Self {
        Self { context: context.clone(), check: None, as_written: Arc::default() }
    }

    /// Leaves dynamic blocks in blocks of these types as they are written.
    #[must_use]
    #[doc(hidden)]
    pub fn without(self, as_written: Arc<[Name]>) -> Self {
        Self { as_written, ..self }
    }

    /// Adds a check of collections. It receives the value of each `for_each`, its expression, and the context in which
    /// the expression was evaluated. If it returns errors, no blocks are generated.
    #[must_use]
    #[doc(hidden)]
    pub fn with_check(
        mut self,
        check: impl Fn(&Value, &Expression, &Context) -> Result<(), Diagnostics> + Send + Sync + 'static,
    ) -> Self {
        self.check = Some(Arc::new(check));
        self
    }

    /// Replaces the dynamic blocks in a body, and in all blocks inside, with the blocks that they generate. They are
    /// expanded when the content is read, if their type is in the schema.
    #[must_use]
    pub fn expand(&self, body: &Body) -> Body {
        Body::expanded(Expanded {
            original: body.clone(),
            dynamic: self.clone(),
            iterators: None,
            taken: Schema::new(),
            is_written: false,
        })
    }
}

#[doc(hidden)]
impl fmt::Debug for Dynamic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dynamic").field("context", &self.context).finish_non_exhaustive()
    }
}

/// A body in which dynamic blocks are expanded.
#[derive(Clone, Debug)]
pub(crate) struct Expanded {
    original: Body,
    dynamic: Dynamic,
    /// The iterators and marks of the enclosing dynamic blocks.
    iterators: Option<Arc<Iterators>>,
    /// The names that were already taken.
    taken: Schema,
    /// Dynamic blocks in it are blocks like others.
    is_written: bool,
}

impl Expanded {
    pub(crate) fn original(&self) -> &Body {
        &self.original
    }

    pub(crate) fn is_unknown(&self) -> bool {
        self.iterators.as_ref().is_some_and(|iterators| iterators.is_unknown())
    }

    pub(crate) fn marks(&self) -> Option<&Marks> {
        self.iterators.as_ref().map(|iterators| iterators.marks())
    }

    pub(crate) fn content(&self, schema: &Schema, diagnostics: &mut Diagnostics) -> Content {
        let content = self.original.content_into(&self.extended(schema), diagnostics);
        self.expanded(schema, content, true, diagnostics)
    }

    pub(crate) fn partial_content(&self, schema: &Schema, diagnostics: &mut Diagnostics) -> (Content, Self) {
        let (content, _) = self.original.partial_content_into(&self.extended(schema), diagnostics);
        let content = self.expanded(schema, content, false, diagnostics);
        let mut rest = self.clone();
        rest.taken.take(schema);
        (content, rest)
    }

    pub(crate) fn attributes(&self, diagnostics: &mut Diagnostics) -> Vec<Attribute> {
        let all = self.original.attributes_into(diagnostics).into_iter();
        let left = all.filter(|attribute| self.taken.attribute(&attribute.name).is_none());
        // If only literals are allowed, there are no iterators either, and strings in the JSON syntax are text.
        if self.dynamic.context.allows_nothing() {
            return left.collect();
        }
        left.map(|attribute| self.set(attribute)).collect()
    }

    /// The items as written, without those already taken. Bodies of blocks are expanded in turn.
    pub(crate) fn items(&self, schema: &Schema) -> Vec<BodyItem> {
        let items = self.original.items_by(schema).into_iter().filter_map(|item| match item {
            BodyItem::Attribute(attribute) if self.taken.attribute(&attribute.name).is_some() => None,
            BodyItem::Block(block) if self.taken.block_type(&block.block_type).is_some() => None,
            BodyItem::Attribute(attribute) => Some(BodyItem::Attribute(self.set(attribute))),
            BodyItem::Block(block) => {
                let iterators = self.iterators.as_ref().map(Iterators::of_static_block);
                let body = self.inner(&block.block_type, &block.body, iterators);
                Some(BodyItem::Block(Block { body, ..block }))
            }
        });
        items.collect()
    }

    /// The schema with dynamic blocks and the names already taken, which are not errors.
    fn extended(&self, schema: &Schema) -> Schema {
        let mut extended = schema.clone();
        extended.take(&self.taken);
        if !self.is_written {
            extended.add_block(BlockSchema::new(DYNAMIC, vec!["type".into()]));
        }
        extended
    }

    fn expanded(
        &self,
        schema: &Schema,
        content: Content,
        all: bool,
        diagnostics: &mut Diagnostics,
    ) -> Content {
        let mut blocks = Vec::with_capacity(content.blocks.len());
        for block in content.blocks {
            if block.block_type.as_str() == DYNAMIC && !self.is_written {
                self.expand(schema, &block, all, &mut blocks, diagnostics);
            } else if self.taken.block_type(&block.block_type).is_none() {
                let iterators = self.iterators.as_ref().map(Iterators::of_static_block);
                let body = self.inner(&block.block_type, &block.body, iterators);
                blocks.push(Block { body, ..block });
            }
        }
        let left = |attribute: &Attribute| self.taken.attribute(&attribute.name).is_none();
        let attributes = content.attributes.into_iter().filter(left);
        let attributes = attributes.map(|attribute| self.set(attribute)).collect();
        Content::new(attributes, blocks, content.missing_item)
    }

    fn set(&self, attribute: Attribute) -> Attribute {
        match &self.iterators {
            Some(iterators) => Attribute { expression: attribute.expression.within(iterators), ..attribute },
            None => attribute,
        }
    }

    /// An expression of a dynamic block in this body. It may be known even if the outer elements are unknown.
    fn with_iterators(&self, expression: &Expression) -> Expression {
        match &self.iterators {
            Some(iterators) => expression.within(&iterators.of_collection()),
            None => expression.clone(),
        }
    }

    fn inner(&self, block_type: &Name, body: &Body, iterators: Option<Arc<Iterators>>) -> Body {
        Body::expanded(Self {
            original: body.clone(),
            dynamic: self.dynamic.clone(),
            iterators,
            taken: Schema::new(),
            is_written: self.is_written || self.dynamic.as_written.contains(block_type),
        })
    }

    /// Adds the blocks of a dynamic block.
    fn expand(
        &self,
        schema: &Schema,
        block: &Block,
        all: bool,
        blocks: &mut Vec<Block>,
        diagnostics: &mut Diagnostics,
    ) {
        let block_type = &block.labels[0];
        if self.taken.block_type(block_type).is_some() {
            return;
        }
        let Some(known) = schema.block_type(block_type) else {
            if all {
                diagnostics.push_with(|| {
                    let near = Near::of(block_type, schema.blocks().map(|block| block.block_type.as_str()));
                    let message = messages::body::unsupported_block(block_type, near.first());
                    let place = block.label_spans[0];
                    near.offer(message.in_source(&block.source, place), place, true, |_| false)
                });
            }
            return;
        };
        let Some(definition) = Definition::read(self, known, block, diagnostics) else { return };
        let settings = definition.settings(self.iterators.as_deref());
        if let Err(exceeded) = Meter::current().take_elements(settings.len()) {
            let place = Place::new(&block.source, block.definition_span);
            diagnostics.push(Diagnostic::exceeded(exceeded).at(place));
            return;
        }
        for iterators in settings {
            let Some(labels) = definition.labels(&self.dynamic.context, &iterators, diagnostics) else {
                continue;
            };
            blocks.push(Block {
                block_type: known.block_type.clone(),
                labels,
                label_spans: definition.label_spans(),
                type_span: block.label_spans[0],
                definition_span: block.definition_span,
                open_span: definition.content.open_span,
                close_span: definition.content.close_span,
                body: self.inner(&known.block_type, &definition.content.body, Some(Arc::new(iterators))),
                source: block.source.clone(),
            });
        }
    }

    /// The value of `for_each`, if it can be iterated over.
    fn collection(&self, expression: &Expression, diagnostics: &mut Diagnostics) -> Option<Value> {
        let before = diagnostics.mark();
        let value = expression.evaluate_into(&self.dynamic.context, diagnostics);
        if diagnostics.failed_since(before) {
            return None;
        }
        if let Some(check) = &self.dynamic.check {
            let context = expression.context(&self.dynamic.context);
            if let Err(found) = check(&value, expression, &context) {
                diagnostics.append(found);
            }
            if diagnostics.failed_since(before) {
                return None;
            }
        }
        let (plain, _) = value.unmark();
        let message = if plain.is_null() {
            messages::null_for_each()
        } else if iterators::may_be_iterable(&plain) {
            return Some(value);
        } else {
            messages::invalid_for_each(&plain.ty())
        };
        diagnostics.push(message.at(expression.place()));
        None
    }
}
