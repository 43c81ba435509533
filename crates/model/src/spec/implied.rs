//! What can be derived from a spec without a body: its schema, the type of its values and the specs inside; and which
//! variables the decoding of a body uses.

use std::collections::BTreeMap;

use hclkit_limits::with_room;
use hclkit_value::{Name, Type, Value};

use super::MOST_LABELS;
use super::{Nested, Spec};
use crate::{
    AttributeSchema, BlockSchema, Body, Diagnostics, Expression, OptionalLabels, Reference, References,
    Schema,
};

impl Spec {
    /// The inner specs that decode the same body, in order. For the specs of blocks see [`Spec::nested`].
    #[doc(hidden)]
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Object(object) => object.attributes().iter().map(|(_, spec)| spec).collect(),
            Self::Tuple(tuple) => tuple.elements.iter().collect(),
            Self::Switch(switch) => switch.specs().collect(),
            Self::Default(default) => default.specs.iter().collect(),
            Self::Transform(transform) => vec![&transform.wrapped],
            Self::Call(call) => vec![&call.wrapped],
            Self::Refine(refine) => vec![&refine.wrapped],
            Self::Validate(validate) => vec![&validate.wrapped],
            Self::Attribute(_)
            | Self::Literal(_)
            | Self::Expression(_)
            | Self::Block(_)
            | Self::BlockList(_)
            | Self::BlockTuple(_)
            | Self::BlockSet(_)
            | Self::BlockMap(_)
            | Self::BlockObject(_)
            | Self::BlockAttributes(_)
            | Self::BlockLabel(_) => Vec::new(),
        }
    }

    #[doc(hidden)]
    /// The type of the blocks that it decodes, and the spec of their bodies.
    pub fn nested(&self) -> Option<(&Name, &Nested)> {
        match self {
            Self::Block(block) => Some((&block.block_type, &block.nested)),
            Self::BlockList(blocks) | Self::BlockTuple(blocks) | Self::BlockSet(blocks) => {
                Some((&blocks.block_type, &blocks.nested))
            }
            Self::BlockMap(blocks) | Self::BlockObject(blocks) => Some((&blocks.block_type, &blocks.nested)),
            _ => None,
        }
    }

    /// The number of labels that are keys of a map of blocks.
    #[doc(hidden)]
    pub fn keys(&self) -> usize {
        match self {
            Self::BlockMap(blocks) | Self::BlockObject(blocks) => blocks.label_names.len(),
            _ => 0,
        }
    }

    /// Calls a function for the spec and for all inner specs that decode the same body, outer ones first. If the
    /// function returns true for a spec of blocks, the specs of their bodies follow.
    ///
    /// ```
    /// use hclkit_model::{AttributeSpec, BlockSpec, Spec};
    /// use hclkit_value::Type;
    ///
    /// let name = AttributeSpec::new("name", Type::String);
    /// let spec = Spec::tuple([BlockSpec::new("user", name).into()]);
    /// let mut names = Vec::new();
    /// spec.walk(&mut |spec| {
    ///     if let Spec::Attribute(attribute) = spec {
    ///         names.push(attribute.name.to_string());
    ///     }
    ///     true
    /// });
    /// assert_eq!(names, ["name"]);
    /// ```
    #[doc(hidden)]
    pub fn walk<'s>(&'s self, visit: &mut impl FnMut(&'s Self) -> bool) {
        let deeper = visit(self);
        self.parts().into_iter().for_each(|part| with_room(|| part.walk(visit)));
        if let (true, Some((_, nested))) = (deeper, self.nested()) {
            with_room(|| nested.walk(visit));
        }
    }

    /// Calls a closure for the spec and for all specs that read the same body.
    fn walk_body<'s>(&'s self, visit: &mut impl FnMut(&'s Self)) {
        self.walk(&mut |spec| {
            visit(spec);
            false
        });
    }

    /// The schema of the bodies that it decodes.
    #[doc(hidden)]
    pub fn implied_schema(&self) -> Schema {
        let mut schema = Schema::new();
        self.add_items(&mut schema, true);
        schema
    }

    /// Adds what the spec reads. If it is a case of a switch, nothing is required, because it may be another case.
    fn add_items(&self, schema: &mut Schema, is_certain: bool) {
        match self {
            Self::Attribute(attribute) => {
                let before = schema.attribute(&attribute.name).is_some_and(|before| before.required);
                let required = attribute.required && is_certain || before;
                schema.add_attribute(AttributeSchema { name: attribute.name.clone(), required });
            }
            Self::BlockAttributes(block) => {
                schema.add_block(BlockSchema::new(block.block_type.clone(), Vec::new()));
            }
            _ => {
                if let Some((block_type, nested)) = self.nested() {
                    let mut label_names = match self {
                        Self::BlockMap(blocks) | Self::BlockObject(blocks) => blocks.label_names.clone(),
                        _ => Vec::new(),
                    };
                    label_names.extend(nested.label_names());
                    let mut block = BlockSchema::new(block_type.clone(), label_names);
                    block.optional = nested.optional_labels();
                    schema.add_block(block);
                }
            }
        }
        let is_certain = is_certain && !matches!(self, Self::Switch(_));
        self.parts().into_iter().for_each(|part| with_room(|| part.add_items(schema, is_certain)));
    }

    /// The names of the labels that it reads from the enclosing block.
    fn label_names(&self) -> Vec<Name> {
        let mut names: Vec<Option<Name>> = Vec::new();
        self.walk_body(&mut |spec| {
            let (index, name) = match spec {
                Self::BlockLabel(label) => (label.index, Some(&label.name)),
                Self::Switch(switch) => (switch.index, None),
                _ => return,
            };
            let index = index.min(MOST_LABELS - 1);
            if names.len() <= index {
                names.resize(index + 1, None);
            }
            if let Some(name) = name {
                names[index] = Some(name.clone());
            }
        });
        let named = |(at, name): (usize, Option<Name>)| match name {
            Some(name) if !name.is_empty() => name,
            _ => Name::from(format!("label {at}")),
        };
        names.into_iter().enumerate().map(named).collect()
    }

    /// The labels that it takes from the block around its body and that may be missing. The others come before them.
    fn optional_labels(&self) -> Option<OptionalLabels> {
        let (mut required, mut labels) = (0, 0);
        self.walk_body(&mut |spec| {
            let (index, is_optional) = match spec {
                Self::BlockLabel(label) => (label.index, label.optional),
                Self::Switch(switch) => (switch.index, false),
                _ => return,
            };
            let count = index.min(MOST_LABELS - 1) + 1;
            labels = labels.max(count);
            if !is_optional {
                required = required.max(count);
            }
        });
        let count = labels - required;
        if count == 0 {
            return None;
        }
        let schema = self.implied_schema();
        let attributes = schema.attributes().map(|attribute| attribute.name.clone());
        let blocks = schema.blocks().map(|block| block.block_type.clone());
        Some(OptionalLabels { count, body_names: attributes.chain(blocks).collect() })
    }

    /// The type of its values; [`Type::Dynamic`] if that depends on the body.
    pub fn implied_type(&self) -> Type {
        with_room(|| self.type_of_values())
    }

    fn type_of_values(&self) -> Type {
        match self {
            Self::Object(object) => Type::object(
                object.attributes().iter().map(|(name, spec)| (name.clone(), spec.implied_type())),
            ),
            Self::Tuple(tuple) => Type::tuple(tuple.elements.iter().map(Self::implied_type)),
            Self::Attribute(attribute) => attribute.ty.without_optional(),
            Self::Literal(literal) => literal.value.ty(),
            Self::Expression(_) | Self::BlockTuple(_) | Self::BlockObject(_) => Type::Dynamic,
            Self::Block(block) => block.nested.ty().clone(),
            Self::BlockList(blocks) => Type::list(blocks.nested.ty().clone()),
            Self::BlockSet(blocks) => Type::set(blocks.nested.ty().clone()),
            Self::BlockMap(blocks) => {
                blocks.label_names.iter().fold(blocks.nested.ty().clone(), |ty, _| Type::map(ty))
            }
            Self::BlockAttributes(block) => Type::map(block.element_type.without_optional()),
            Self::BlockLabel(_) => Type::String,
            Self::Switch(switch) => switch.implied_type(),
            Self::Default(default) => default.specs.first().map_or(Type::Dynamic, Self::implied_type),
            Self::Transform(transform) => {
                let unknown = Value::unknown(transform.wrapped.implied_type());
                let context = transform.context.child().with(transform.variable.clone(), unknown);
                transform.expression.evaluate_into(&context, &mut Diagnostics::new()).ty()
            }
            Self::Call(call) => {
                let argument = Value::unknown(call.wrapped.implied_type());
                call.function.result_type(&[argument]).unwrap_or(Type::Dynamic)
            }
            Self::Refine(refine) => refine.wrapped.implied_type(),
            Self::Validate(validate) => validate.wrapped.implied_type(),
        }
    }

    /// The references to variables in the expressions that decoding a body evaluates.
    ///
    /// ```
    /// use hclkit_model::{AttributeSpec, Body, Spec};
    /// use hclkit_syntax::Source;
    /// use hclkit_value::Type;
    ///
    /// let (body, _) = Body::parse(Source::new("main.hcl", "zone = \"${var.region}-a\"\nsize = base\n"));
    /// let zone = Spec::from(AttributeSpec::new("zone", Type::String));
    /// let found: Vec<String> = zone.references(&body).iter().map(|found| found.traversal.to_string()).collect();
    /// assert_eq!(found, ["var.region"]);
    /// ```
    #[doc(hidden)]
    pub fn references(&self, body: &Body) -> Vec<Reference> {
        let expressions = self.expressions(body);
        let of = |expression: &Expression| {
            let source = expression.source().clone();
            let found = expression.variables().into_iter();
            found.map(move |traversal| Reference { traversal, source: source.clone() })
        };
        expressions.iter().flat_map(of).collect()
    }

    #[doc(hidden)]
    /// The references to variables in the expressions that are evaluated by expanding the [dynamic
    /// blocks](crate::Dynamic) of a body and then decoding it, without references to their iterators.
    pub fn references_with_dynamic(&self, body: &Body) -> Vec<Reference> {
        let mut found = Vec::new();
        self.walk_references(&self.implied_schema(), &References::of(body), &mut found);
        found
    }

    #[doc(hidden)]
    /// The references in `for_each` and `labels` of dynamic blocks: these variables must be known to expand the blocks.
    pub fn references_of_expansion(&self, body: &Body) -> Vec<Reference> {
        let mut found = Vec::new();
        self.walk_references(&self.implied_schema(), &References::of_expansion(body), &mut found);
        found
    }

    fn walk_references(&self, schema: &Schema, walk: &References, found: &mut Vec<Reference>) {
        let (here, blocks) = walk.visit(schema);
        found.extend(here);
        let mut nested: BTreeMap<&Name, &Nested> = BTreeMap::new();
        self.walk_body(&mut |spec| nested.extend(spec.nested()));
        for (block_type, walk) in &blocks {
            if let Some(nested) = nested.get(block_type) {
                with_room(|| nested.walk_references(nested.schema(), walk, found));
            }
        }
    }

    #[doc(hidden)]
    /// The expressions of a body that decoding evaluates, and those of the spec itself that use the same variables.
    pub fn expressions(&self, body: &Body) -> Vec<Expression> {
        let mut found = Vec::new();
        self.collect_expressions(&self.implied_schema(), body, &mut found);
        found
    }

    fn collect_expressions(&self, schema: &Schema, body: &Body, found: &mut Vec<Expression>) {
        let (content, _) = body.partial_content_into(schema, &mut Diagnostics::new());
        self.walk_body(&mut |spec| match spec {
            Self::Attribute(attribute) => {
                found.extend(content.attributes.get(&attribute.name).map(|found| found.expression.clone()));
            }
            Self::Expression(expression) => found.push(expression.expression.clone()),
            Self::BlockAttributes(spec) => {
                for block in content.blocks_of(&spec.block_type).take(1) {
                    let attributes = block.body.attributes_into(&mut Diagnostics::new());
                    found.extend(attributes.into_iter().map(|attribute| attribute.expression));
                }
            }
            _ => {
                if let Some((block_type, nested)) = spec.nested() {
                    let most = if matches!(spec, Self::Block(_)) { 1 } else { usize::MAX };
                    let keys = spec.keys();
                    for block in content.blocks_of(block_type).take(most) {
                        let nested = nested.of_labels(block.labels.get(keys..).unwrap_or_default());
                        with_room(|| nested.collect_expressions(nested.schema(), &block.body, found));
                    }
                }
            }
        });
    }
}
