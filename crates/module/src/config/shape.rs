//! The contents of a block that become its value: attributes, nested blocks and `dynamic` blocks.

use std::collections::HashMap;
use std::sync::Arc;

use hclkit_model::{Attribute, Block, Body, BodyItem, Context, Dynamic, Expression, Schema};
use hclkit_syntax::{Diagnostics, Syntax};
use hclkit_value::{Name, Value};

const DYNAMIC: &str = "dynamic";
const ITERATOR: &str = "iterator";
const LABELS: &str = "labels";

/// The attributes and blocks of a body.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) blocks: Vec<(Name, Self)>,
    /// The labels of the blocks that have one, by their index.
    labels: HashMap<usize, Name>,
    /// The body and the schema of its contents, if there are dynamic blocks.
    dynamic: Option<(Body, Schema)>,
    more: Vec<DynamicBlock>,
    /// The types of blocks in which nothing is expanded.
    as_written: Arc<[Name]>,
}

/// A dynamic block.
#[derive(Debug)]
struct DynamicBlock {
    /// The type of the blocks that it creates.
    block_type: Name,
    /// Its expressions, and those in its content.
    expressions: Vec<Generated>,
}

/// An expression in a dynamic block.
#[derive(Clone, Debug)]
struct Generated {
    expression: Expression,
    /// The names by which it refers to elements.
    names: Vec<Name>,
    /// It is evaluated only if a block is created.
    is_content: bool,
}

impl Shape {
    pub(crate) fn of(body: &Body) -> Self {
        Self::read(body, &Arc::default(), false)
    }

    /// The contents of a body with blocks in which nothing is expanded.
    pub(crate) fn with_written(body: &Body, as_written: &Arc<[Name]>) -> Self {
        Self::read(body, as_written, false)
    }

    fn read(body: &Body, as_written: &Arc<[Name]>, is_written: bool) -> Self {
        let mut shape = Self { as_written: as_written.clone(), ..Self::default() };
        let mut is_dynamic = false;
        for item in items(body) {
            match item {
                BodyItem::Attribute(attribute) => shape.attributes.push(attribute),
                BodyItem::Block(block) => {
                    if let Some(block_type) = dynamic_type(&block).filter(|_| !is_written).cloned() {
                        is_dynamic = true;
                        let expressions = generated(&block, as_written);
                        shape.more.push(DynamicBlock { block_type, expressions });
                        continue;
                    }
                    if let [label] = &block.labels[..] {
                        shape.labels.insert(shape.blocks.len(), label.clone());
                    }
                    let is_written = is_written || as_written.contains(&block.block_type);
                    let inner = Self::read(&block.body, as_written, is_written);
                    shape.blocks.push((block.block_type.clone(), inner));
                }
            }
        }
        shape.dynamic = is_dynamic.then(|| (body.clone(), schema_of(body, false)));
        shape
    }

    /// The names of its attributes and blocks, also of dynamic ones.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Name> {
        self.attributes.iter().map(|attribute| &attribute.name).chain(self.block_types())
    }

    /// The types of its blocks, also of dynamic ones.
    pub(crate) fn block_types(&self) -> impl Iterator<Item = &Name> {
        let blocks = self.blocks.iter().map(|(name, _)| name);
        let dynamic =
            self.dynamic.iter().flat_map(|(_, schema)| schema.blocks()).map(|rule| &rule.block_type);
        blocks.chain(dynamic)
    }

    /// All expressions, including those of nested blocks.
    pub(crate) fn expressions(&self) -> Box<dyn Iterator<Item = &Expression> + '_> {
        let own = self.attributes.iter().map(|attribute| &attribute.expression);
        let inner = self.blocks.iter().flat_map(|(_, inner)| inner.expressions());
        Box::new(own.chain(inner).chain(self.generated().map(|generated| &generated.expression)))
    }

    /// All expressions, each with the names by which it refers to the elements of dynamic blocks.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(&Expression, &[Name])) {
        self.each_in_place(&mut |expression, names, _| visit(expression, names));
    }

    /// Returns true if a dynamic block may create blocks of a type.
    pub(crate) fn has_dynamic(&self, block_type: &str) -> bool {
        self.more.iter().any(|dynamic| dynamic.block_type == *block_type)
    }

    /// The expressions of the blocks of a type, and whether there may be one. Those in the content of dynamic blocks are left out if
    /// it is known that they create none.
    pub(crate) fn expressions_of_blocks(
        &self,
        block_type: &str,
        context: &Context,
    ) -> (Vec<&Expression>, bool) {
        let blocks = self.blocks.iter().filter(|(name, _)| *name == *block_type);
        let mut expressions = Vec::new();
        let mut may_exist = false;
        for (_, block) in blocks {
            may_exist = true;
            expressions.extend(block.expressions());
        }
        for dynamic in self.more.iter().filter(|dynamic| dynamic.block_type == *block_type) {
            let is_empty = dynamic.creates_nothing(context);
            may_exist |= !is_empty;
            let evaluated = dynamic.expressions.iter().filter(|own| !(own.is_content && is_empty));
            expressions.extend(evaluated.map(|own| &own.expression));
        }
        (expressions, may_exist)
    }

    fn generated(&self) -> impl Iterator<Item = &Generated> {
        self.more.iter().flat_map(|dynamic| &dynamic.expressions)
    }

    /// The expressions outside of dynamic blocks.
    fn each_own(&self, visit: &mut dyn FnMut(&Expression)) {
        self.attributes.iter().for_each(|attribute| visit(&attribute.expression));
        self.blocks.iter().for_each(|(_, inner)| inner.each_own(visit));
    }

    /// The expressions in dynamic blocks, also those in nested blocks.
    fn each_generated(&self, visit: &mut dyn FnMut(&Generated)) {
        self.blocks.iter().for_each(|(_, inner)| inner.each_generated(visit));
        self.generated().for_each(visit);
    }

    /// The same, also with whether the expression is evaluated only if a dynamic block creates a block.
    pub(crate) fn each_in_place(&self, visit: &mut dyn FnMut(&Expression, &[Name], bool)) {
        for attribute in &self.attributes {
            visit(&attribute.expression, &[], false);
        }
        self.blocks.iter().for_each(|(_, inner)| inner.each_in_place(visit));
        for own in self.generated() {
            visit(&own.expression, &own.names, own.is_content);
        }
    }

    /// The value of each attribute, and the blocks of each type as a tuple, or as an object if they have labels. The blocks of a dynamic block with an
    /// unknown collection are unknown.
    pub(crate) fn evaluate(&self, context: &Context, diagnostics: &mut Diagnostics) -> Vec<(Name, Value)> {
        if let Some((body, schema)) = &self.dynamic {
            let body = Dynamic::new(context).without(self.as_written.clone()).expand(body);
            return Expanded { context, as_written: &self.as_written, is_written: false }.evaluate(
                &body,
                schema,
                diagnostics,
            );
        }
        let mut values: Vec<(Name, Value)> = Vec::with_capacity(self.attributes.len());
        for attribute in &self.attributes {
            let value = diagnostics.absorb(attribute.expression.evaluate_lenient(context));
            values.push((attribute.name.clone(), value));
        }
        let mut blocks: Vec<(&Name, Vec<Labeled<'_>>)> = Vec::new();
        let mut by_name: HashMap<&Name, usize> = HashMap::new();
        for (number, (name, inner)) in self.blocks.iter().enumerate() {
            let value = (self.labels.get(&number), object(inner.evaluate(context, diagnostics)));
            let at = *by_name.entry(name).or_insert(blocks.len());
            match blocks.get_mut(at) {
                Some((_, values)) => values.push(value),
                None => blocks.push((name, vec![value])),
            }
        }
        values.extend(blocks.into_iter().map(|(name, values)| (name.clone(), together(values))));
        values
    }
}

impl DynamicBlock {
    /// Returns true if it is known that its collection is empty.
    fn creates_nothing(&self, context: &Context) -> bool {
        let collection = self.expressions.iter().find(|own| own.names.is_empty());
        collection.is_some_and(|own| {
            let (value, _) = own.expression.evaluate_alone(context);
            value.unmark().0.length().is_ok_and(|length| length == Value::from(0))
        })
    }
}

/// The expressions of a dynamic block. As in Terraform, the collections of all nested ones are always evaluated.
fn generated(block: &Block, as_written: &Arc<[Name]>) -> Vec<Generated> {
    let iterator = block.body.attribute(ITERATOR).and_then(|it| it.expression.static_keyword());
    let iterator = iterator.unwrap_or_else(|| block.labels[0].clone());
    let mut found = Vec::new();
    for item in block.body.items_by(&Schema::new().with_block("content", &[])) {
        match item {
            BodyItem::Attribute(attribute) if attribute.name == *ITERATOR => {}
            BodyItem::Attribute(attribute) => {
                let inside = attribute.name != *"for_each";
                let names = inside.then(|| iterator.clone()).into_iter().collect();
                found.push(Generated { expression: attribute.expression, names, is_content: false });
            }
            BodyItem::Block(content) => {
                let is_written = as_written.contains(&block.labels[0]);
                let shape = Shape::read(&content.body, as_written, is_written);
                let named = |names: &[Name]| names.iter().cloned().chain([iterator.clone()]).collect();
                shape.each_own(&mut |expression| {
                    let (expression, names) = (expression.clone(), named(&[]));
                    found.push(Generated { expression, names, is_content: true });
                });
                shape.each_generated(&mut |inner| {
                    found.push(Generated { names: named(&inner.names), ..inner.clone() });
                });
            }
        }
    }
    found
}

/// The items of a body. In the JSON syntax, each property is treated as an attribute, because nothing distinguishes blocks.
fn items(body: &Body) -> Vec<BodyItem> {
    let items = body.items();
    if body.is_native() {
        return items;
    }
    let is_json = |item: &&BodyItem| {
        let source = match item {
            BodyItem::Attribute(attribute) => &attribute.source,
            BodyItem::Block(block) => &block.source,
        };
        Syntax::of(source.name()) == Syntax::Json
    };
    let properties = items.iter().filter(is_json).fold(Schema::new(), |schema, item| {
        if item.name() == DYNAMIC {
            schema.with_block(DYNAMIC, &["type"])
        } else {
            schema.with_optional(item.name())
        }
    });
    body.items_by(&properties)
}

/// The type of the blocks that a dynamic block creates.
fn dynamic_type(block: &Block) -> Option<&Name> {
    match &block.labels[..] {
        [block_type] if block.block_type == *DYNAMIC => Some(block_type),
        _ => None,
    }
}

/// The schema of what a body contains. `is_written` if dynamic blocks are blocks like others.
fn schema_of(body: &Body, is_written: bool) -> Schema {
    items(body).into_iter().fold(Schema::new(), |schema, item| match item {
        BodyItem::Attribute(attribute) => schema.with_optional(attribute.name),
        BodyItem::Block(block) => {
            let (block_type, is_labeled) = match dynamic_type(&block).filter(|_| !is_written) {
                Some(block_type) => (block_type, block.body.attribute(LABELS).is_some()),
                None => (&block.block_type, block.labels.len() == 1),
            };
            schema.with_block(block_type.clone(), if is_labeled { &["key"] } else { &[] })
        }
    })
}

/// The values of a body, which may be expanded.
pub(crate) fn body_values(
    body: &Body,
    context: &Context,
    diagnostics: &mut Diagnostics,
) -> Vec<(Name, Value)> {
    let shape = Shape::of(body);
    if shape.dynamic.is_some() {
        return shape.evaluate(context, diagnostics);
    }
    let expanded = Expanded { context, as_written: &Arc::default(), is_written: false };
    expanded.evaluate(body, &schema_of(body, false), diagnostics)
}

/// Evaluates bodies whose dynamic blocks are expanded when they are read.
#[derive(Clone, Copy)]
struct Expanded<'e> {
    context: &'e Context,
    as_written: &'e Arc<[Name]>,
    /// The body is in a block in which nothing is expanded.
    is_written: bool,
}

impl Expanded<'_> {
    fn evaluate(self, body: &Body, schema: &Schema, diagnostics: &mut Diagnostics) -> Vec<(Name, Value)> {
        let content = diagnostics.absorb(body.content(schema));
        let mut values: Vec<(Name, Value)> = Vec::new();
        for attribute in &content.attributes {
            let value = diagnostics.absorb(attribute.expression.evaluate_lenient(self.context));
            values.push((attribute.name.clone(), value));
        }
        let mut by_type: HashMap<&Name, Vec<&Block>> = HashMap::new();
        for block in &content.blocks {
            by_type.entry(&block.block_type).or_default().push(block);
        }
        for rule in schema.blocks() {
            let (mut blocks, mut known) = (Vec::new(), true);
            let is_written = self.is_written || self.as_written.contains(&rule.block_type);
            for block in by_type.get(&rule.block_type).into_iter().flatten() {
                known &= !block.body.is_unknown();
                // A marked collection marks the attributes, as in Terraform, but neither the blocks nor those in them.
                let schema = schema_of(&block.body, is_written);
                let value = Self { is_written, ..self }.evaluate(&block.body, &schema, diagnostics);
                blocks.push((block.labels.first(), object(value)));
            }
            values.push((rule.block_type.clone(), if known { together(blocks) } else { Value::DYNAMIC }));
        }
        values
    }
}

/// The value of a block, with its label if it has one.
type Labeled<'n> = (Option<&'n Name>, Value);

/// The blocks of a type: a tuple, or an object if they have labels.
fn together(blocks: Vec<Labeled<'_>>) -> Value {
    match blocks.first() {
        Some((Some(_), _)) => {
            object(blocks.into_iter().filter_map(|(label, value)| Some((label?.clone(), value))).collect())
        }
        _ => Value::tuple(blocks.into_iter().map(|(_, value)| value)),
    }
}

/// An object with these attributes.
pub(crate) fn object(attributes: Vec<(Name, Value)>) -> Value {
    Value::object(attributes.into_iter().map(|(name, value)| (hclkit_value::Str::from(&*name), value)))
}
