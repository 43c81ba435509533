//! What is known about the properties of a body: from a spec, from an application, or from their shape.

use std::borrow::Cow;
use std::sync::Arc;

use hclkit_dialect::{Contents, Dialect};
use hclkit_model::{BlockSchema, Schema, Spec};
use hclkit_syntax::json::{JsonKind, JsonValue};

/// What is known about a body.
#[derive(Debug, Clone)]
pub(super) enum BodyKnowledge<'s> {
    /// Everything.
    Spec(Cow<'s, Spec>),
    /// The body of a `dynamic` block for blocks with that spec.
    Dynamic(Box<Self>),
    /// The blocks that a language defines in a file, or in blocks of a type. `*` is any type that a provider or a plugin
    /// defines.
    Dialect(&'s Arc<Dialect>, Option<Cow<'s, str>>),
    /// All properties are attributes.
    Attributes,
    /// Nothing.
    Nothing,
}

/// The kind of a property.
#[derive(Debug, Clone)]
pub(super) enum Property<'s> {
    Attribute,
    /// Blocks with this number of labels, and what is known about their bodies.
    Blocks(usize, BodyKnowledge<'s>),
}

impl<'s> BodyKnowledge<'s> {
    /// Determines the kind of a property of the body. The schema is that of [`BodyKnowledge::schema`].
    pub(super) fn property(&self, name: &str, value: JsonValue<'_>, schema: Option<&Schema>) -> Property<'s> {
        match self {
            Self::Spec(spec) => match schema.and_then(|schema| schema.block_type(name)) {
                None => Property::Attribute,
                Some(_) if schema.is_some_and(|schema| schema.attribute(name).is_some()) => {
                    Property::Attribute
                }
                Some(block) => {
                    let inside = in_block(spec, name);
                    // Only a `dynamic` block is in the schema and not in the spec.
                    let inside = inside.unwrap_or_else(|| Self::Dynamic(Box::new(self.clone())));
                    Property::Blocks(block.label_names.len(), inside)
                }
            },
            Self::Dynamic(inside) if name == "content" => Property::Blocks(0, (**inside).clone()),
            Self::Attributes | Self::Dynamic(_) => Property::Attribute,
            Self::Dialect(dialect, around) => {
                let is_open =
                    around.as_deref().is_some_and(|around| dialect.contents(around) == Contents::Open);
                // Some names are also names of attributes.
                let is_body = value.is_object() || labels(value).is_some();
                match dialect.shape(around.as_deref(), name) {
                    Some(found) if is_body => {
                        let inside = match found.contents {
                            Contents::Attributes => Self::Attributes,
                            Contents::Listed | Contents::Open => {
                                Self::Dialect(dialect, Some(Cow::Owned(name.to_owned())))
                            }
                        };
                        Property::Blocks(found.labels.len(), inside)
                    }
                    _ if is_open => match shape(value) {
                        Property::Blocks(labels, _) => {
                            Property::Blocks(labels, Self::Dialect(dialect, Some(Cow::Borrowed("*"))))
                        }
                        Property::Attribute => Property::Attribute,
                    },
                    _ => Property::Attribute,
                }
            }
            Self::Nothing => shape(value),
        }
    }

    /// The contents of a `dynamic` block for blocks of a type.
    pub(super) fn of_dynamic(self, label: &str) -> Self {
        match self {
            Self::Dynamic(around) => match *around {
                Self::Spec(spec) => Self::Dynamic(Box::new(in_block(&spec, label).unwrap_or(Self::Nothing))),
                other => Self::Dynamic(Box::new(other)),
            },
            other => other,
        }
    }

    /// The schema of the body, of which nothing is required, if it is known.
    pub(super) fn schema(&self, dynamic: bool) -> Option<Schema> {
        let mut schema = Schema::new();
        match self {
            Self::Spec(spec) => {
                let strict = spec.implied_schema();
                for attribute in strict.attributes() {
                    schema = schema.with_optional(attribute.name.clone());
                }
                for block in strict.blocks() {
                    schema.add_block(BlockSchema::clone(block));
                }
                if dynamic && schema.attribute("dynamic").is_none() && schema.block_type("dynamic").is_none()
                {
                    schema = schema.with_block("dynamic", &["type"]);
                }
                Some(schema)
            }
            Self::Dynamic(_) => {
                let schema =
                    schema.with_optional("for_each").with_optional("iterator").with_optional("labels");
                Some(schema.with_block("content", &[]))
            }
            _ => None,
        }
    }
}

/// What a spec says about the bodies of blocks of a type, or `None` if it does not mention the type.
fn in_block<'s>(spec: &Spec, name: &str) -> Option<BodyKnowledge<'s>> {
    let mut specs = Vec::new();
    let mut attributes = false;
    spec.walk(&mut |part| {
        match (part, part.nested()) {
            (Spec::BlockAttributes(block), _) => attributes |= *block.block_type == *name,
            (_, Some((block_type, nested))) if **block_type == *name => specs.push(Spec::clone(nested)),
            _ => {}
        }
        false
    });
    Some(match specs.len() {
        0 if attributes => BodyKnowledge::Attributes,
        0 => return None,
        1 => BodyKnowledge::Spec(Cow::Owned(specs.remove(0))),
        // Several specs for one block type read the same bodies.
        _ => BodyKnowledge::Spec(Cow::Owned(Spec::tuple(specs))),
    })
}

/// Determines the kind of a property by the shape of its value: an array of one or more objects is blocks, and an
/// object in which all values are blocks is a level of labels.
fn shape<'s>(value: JsonValue<'_>) -> Property<'s> {
    match labels(value) {
        Some(labels) => Property::Blocks(labels, BodyKnowledge::Nothing),
        None => Property::Attribute,
    }
}

fn labels(value: JsonValue<'_>) -> Option<usize> {
    match value.kind() {
        JsonKind::Array(array) => {
            let mut elements = array.elements().peekable();
            (elements.peek().is_some() && elements.all(JsonValue::is_object)).then_some(0)
        }
        JsonKind::Object(object) => {
            let mut levels = object.properties().map(|property| labels(property.value()));
            let first = levels.next()??;
            levels.all(|level| level == Some(first)).then_some(first + 1)
        }
        _ => None,
    }
}
