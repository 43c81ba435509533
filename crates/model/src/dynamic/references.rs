//! Finds the variables that a body refers to, before their values are known. Dynamic blocks are visited without being
//! expanded.

use std::collections::BTreeSet;
use std::sync::Arc;

use hclkit_syntax::Source;
use hclkit_value::Name;

use super::{DYNAMIC, definition};
use crate::{Block, BlockSchema, Body, Diagnostics, Expression, Schema, Traversal};

/// A reference to a variable, and its source.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reference {
    /// The reference.
    pub traversal: Traversal,
    /// Its source.
    pub source: Arc<Source>,
}

/// Finds the references in a body that may contain dynamic blocks, level by level.
///
/// ```
/// use hclkit_model::{Body, References, Schema};
/// use hclkit_syntax::Source;
///
/// let text = "dynamic \"port\" {\n  for_each = var.ports\n  content {\n    number = port.value + base\n  }\n}\n";
/// let (body, _) = Body::parse(Source::new("main.hcl", text));
/// let (found, blocks) = References::of_expansion(&body).visit(&Schema::new().with_block("port", &[]));
/// assert_eq!(found[0].traversal.to_string(), "var.ports");
///
/// let (_, blocks) = References::of(&body).visit(&Schema::new().with_block("port", &[]));
/// let (block_type, port) = &blocks[0];
/// assert_eq!(block_type, "port");
/// let (found, _) = port.visit(&Schema::new().with_required("number"));
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].traversal.to_string(), "base");
/// ```
#[derive(Clone, Debug)]
pub struct References {
    body: Body,
    /// The iterator names of the enclosing dynamic blocks.
    iterators: BTreeSet<Name>,
    /// True to include arguments, and not only what the expansion of dynamic blocks needs.
    arguments: bool,
}

impl References {
    /// A walk that finds all references.
    pub fn of(body: &Body) -> Self {
        Self { body: body.clone(), iterators: BTreeSet::new(), arguments: true }
    }

    /// A walk that finds the references that the expansion of dynamic blocks needs.
    pub fn of_expansion(body: &Body) -> Self {
        Self { arguments: false, ..Self::of(body) }
    }

    /// The references in the items of this body that a schema describes, and a walk for each of its blocks. Errors in
    /// the body are not reported; reading its content reports them.
    pub fn visit(&self, schema: &Schema) -> (Vec<Reference>, Vec<(Name, Self)>) {
        let mut extended = schema.clone();
        extended.add_block(BlockSchema::new(DYNAMIC, vec!["type".into()]));
        let (content, _) = self.body.partial_content_into(&extended, &mut Diagnostics::new());
        let (mut found, mut inner) = (Vec::new(), Vec::new());
        if self.arguments {
            for attribute in &content.attributes {
                self.add(&attribute.expression, None, &mut found);
            }
        }
        for block in content.blocks {
            if block.block_type.as_str() == DYNAMIC {
                self.visit_dynamic(schema, &block, &mut found, &mut inner);
            } else {
                inner.push((block.block_type, Self { body: block.body, ..self.clone() }));
            }
        }
        (found, inner)
    }

    fn visit_dynamic(
        &self,
        schema: &Schema,
        block: &Block,
        found: &mut Vec<Reference>,
        inner: &mut Vec<(Name, Self)>,
    ) {
        let Some(known) = schema.block_type(&block.labels[0]) else { return };
        let mut ignored = Diagnostics::new();
        let (content, _) = block.body.partial_content_into(&definition::schema(known), &mut ignored);
        let Some(iterator) = definition::iterator(known, &content, &mut ignored) else { return };
        if let Some(for_each) = content.attributes.get("for_each") {
            self.add(&for_each.expression, None, found);
        }
        if let Some(labels) = content.attributes.get("labels") {
            self.add(&labels.expression, Some(&iterator), found);
        }
        let mut iterators = self.iterators.clone();
        iterators.insert(iterator);
        for block in content.blocks {
            let walk = Self { body: block.body, iterators: iterators.clone(), arguments: self.arguments };
            inner.push((known.block_type.clone(), walk));
        }
    }

    fn add(&self, expression: &Expression, iterator: Option<&Name>, found: &mut Vec<Reference>) {
        let free = |traversal: &Traversal| {
            iterator != Some(&traversal.root) && !self.iterators.contains(&traversal.root)
        };
        let source = expression.source();
        let references = expression.variables().into_iter().filter(free);
        found.extend(references.map(|traversal| Reference { traversal, source: source.clone() }));
    }
}
