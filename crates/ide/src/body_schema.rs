//! What is known about a place in a file: the arguments and blocks that can be there. The spec of the file says it, or else the
//! table of its language and the schemas of providers.

use hclkit::dialect::{Dialect, ObjectRule, Role};
use hclkit::model::{Spec, constraint_of};
use hclkit::module::{AttributeSchema, BlockSchema};
use hclkit::schema::{BlockReference, BodyReference, Inside};
use hclkit::syntax::NodeKind;
use hclkit::value::{Name, Type};

use crate::Snapshot;
use crate::file::File;
use crate::markdown;
use crate::module::Module;
use crate::table;

/// A block around a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EnclosingBlock {
    pub(crate) block_type: String,
    pub(crate) labels: Vec<String>,
}

/// An argument.
#[derive(Clone, Debug, Default)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) required: bool,
    /// The only values, or those that are offered, as source.
    pub(crate) values: Vec<String>,
    /// Whether other values are not valid.
    pub(crate) is_closed: bool,
    /// The type of its value, if it is known.
    pub(crate) ty: Option<Type>,
    /// Whether it is a list of references, such as `depends_on`.
    pub(crate) refers: bool,
    pub(crate) about: About,
}

impl Argument {
    /// A value to begin with.
    pub(crate) fn placeholder(&self) -> String {
        match &self.ty {
            _ if !self.values.is_empty() => self.values[0].clone(),
            _ if self.refers => "[]".to_owned(),
            Some(Type::Number) => "0".to_owned(),
            Some(Type::String) => "\"\"".to_owned(),
            Some(Type::Bool) => "true".to_owned(),
            Some(Type::List(_) | Type::Set(_) | Type::Tuple(_)) => "[]".to_owned(),
            Some(Type::Map(_) | Type::Object(_)) => "{}".to_owned(),
            // A text is valid anywhere.
            _ => "\"\"".to_owned(),
        }
    }
}

/// A block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub(crate) name: String,
    pub(crate) labels: Vec<String>,
    /// The values of the first label that a switch of the spec knows.
    pub(crate) values: Vec<String>,
    /// Whether there can be only one.
    pub(crate) once: bool,
    pub(crate) required: bool,
    /// Whether only other blocks of the module show that there is one.
    pub(crate) is_used: bool,
    pub(crate) about: About,
}

/// What documentation says about an argument or a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct About {
    pub(crate) description: String,
    /// What to use instead. It may be empty.
    pub(crate) deprecated: Option<String>,
    pub(crate) sensitive: bool,
    /// The default as source.
    pub(crate) default: Option<String>,
    pub(crate) link: Option<String>,
}

impl About {
    /// The documentation as Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        match self.deprecated.as_deref() {
            Some("") => parts.push("**Deprecated.**".to_owned()),
            Some(instead) => parts.push(format!("**Deprecated:** {}", markdown::safe(instead))),
            None => {}
        }
        parts.push(markdown::safe(&self.description));
        if let Some(default) = &self.default {
            parts.push(format!("Default: {}", markdown::code(default)));
        }
        if self.sensitive {
            parts.push("Its value is sensitive.".to_owned());
        }
        if let Some(link) = &self.link {
            parts.push(markdown::link(link));
        }
        parts.retain(|part| !part.is_empty());
        parts.join("\n\n")
    }
}

/// What can be in a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Content {
    pub(crate) arguments: Vec<Argument>,
    pub(crate) blocks: Vec<Block>,
}

/// The blocks around an offset, from the outside in. The offset is in their bodies.
pub(crate) fn around(file: &File, offset: u32) -> Vec<EnclosingBlock> {
    let document = file.document();
    let nodes = document.nodes_at(offset);
    let blocks = nodes.into_iter().filter_map(|node| {
        let block =
            (document.tree().kind(node) == NodeKind::Block).then(|| document.block_at(node)).flatten()?;
        // The word may be the type of this block, or be after it.
        (block.body().span().start < offset && offset < block.span().end).then(|| EnclosingBlock {
            block_type: block.block_type().to_owned(),
            labels: block.label_texts().into_iter().map(std::borrow::Cow::into_owned).collect(),
        })
    });
    blocks.collect()
}

impl Snapshot {
    /// What can be in the innermost of some blocks, or at the top of the file.
    pub(crate) fn content(&self, file: &File, module: &Module, around: &[EnclosingBlock]) -> Content {
        if let Some(spec) = self.spec(file) {
            let Ok(spec) = &*spec else { return Content::default() };
            return of_spec(&spec.spec_file().spec, around);
        }
        let Some(part) = file.content_dialect() else { return Content::default() };
        let names: Vec<&str> = around.iter().map(|own| own.block_type.as_str()).collect();
        let mut content =
            Content { arguments: table::arguments(part, &names), blocks: table::blocks(part, &names) };
        content.add_object(part, around);
        self.add_schema(module, around, &mut content);
        content
    }

    /// Adds what a provider says about the innermost of some blocks.
    fn add_schema(&self, module: &Module, around: &[EnclosingBlock], content: &mut Content) {
        let Some((first, inner)) = around.split_first() else { return };
        let Some(object_type) = first.labels.first() else { return };
        self.with_object_schema(module, &first.block_type, object_type, |schema| {
            if let Some(schema) = inner_schema(schema, inner) {
                content.add_schema(schema);
            }
        });
    }
}

/// The type that the declaration of a variable names.
pub(crate) fn declared_type(body: &hclkit::Body) -> Option<Type> {
    let ty = body.attribute("type")?;
    constraint_of(&ty.expression).ok()
}

/// What the table of a language says about the type of an object.
fn object_rule<'d>(part: &'d Dialect, own: &EnclosingBlock) -> Option<&'d ObjectRule> {
    let object_type = own.labels.first()?;
    part.objects.iter().find(|rule| *rule.block_type == *own.block_type && *rule.object_type == **object_type)
}

/// The schema of the innermost of some blocks in an object.
fn inner_schema<'s>(schema: &'s BlockSchema, inner: &[EnclosingBlock]) -> Option<&'s BlockSchema> {
    let mut schema = schema;
    let mut inner = inner.iter();
    while let Some(own) = inner.next() {
        let name = match own.block_type.as_str() {
            // The blocks that it makes have the content of its block `content`.
            "dynamic" => {
                inner.next().filter(|content| content.block_type == "content")?;
                own.labels.first()?
            }
            name => name,
        };
        schema = schema.nested(name)?;
    }
    Some(schema)
}

impl Content {
    /// Adds what the table of the language says about the type of an object, such as a backend.
    fn add_object(&mut self, part: &Dialect, around: &[EnclosingBlock]) {
        let (own, object, inner) = match around {
            [.., object, own] if object_rule(part, object).is_some() => (own, object, true),
            [.., own] => (own, own, false),
            [] => return,
        };
        let Some(rule) = object_rule(part, object) else { return };
        let block = rule.blocks.iter().find(|block| *block.block_type == *own.block_type);
        let names = match (inner, block) {
            (false, _) => &rule.arguments,
            (true, Some(block)) => &block.arguments,
            (true, None) => return,
        };
        for name in names {
            let known = self.arguments.iter().any(|known| known.name == **name);
            let ty = rule.argument_types.iter().find(|(own, _)| own == name).map(|(_, ty)| ty.clone());
            let choices = rule.choices.iter().find(|(own, _)| own == name).filter(|_| !inner);
            let values = choices.iter().flat_map(|(_, values)| values);
            if !known {
                self.arguments.push(Argument {
                    name: name.to_string(),
                    required: !inner && rule.required.contains(name),
                    values: values.map(|value| hclkit::Value::from(&**value).show().to_string()).collect(),
                    is_closed: choices.is_some(),
                    ty: ty.filter(|_| !inner),
                    ..Argument::default()
                });
            }
        }
        for own in rule.blocks.iter().filter(|_| !inner) {
            self.blocks.push(Block { name: own.block_type.to_string(), once: true, ..Block::default() });
        }
    }

    fn add_schema(&mut self, schema: &BlockSchema) {
        for own in schema.attributes().filter(|own| own.is_settable()) {
            if !self.arguments.iter().any(|known| known.name == own.name()) {
                self.arguments.push(Argument {
                    name: own.name().to_owned(),
                    required: own.is_required(),
                    ty: Some(own.ty().clone()),
                    about: about(own),
                    ..Argument::default()
                });
            }
        }
        for own in schema.blocks() {
            if !self.blocks.iter().any(|known| known.name == own.name()) {
                self.blocks.push(Block {
                    name: own.name().to_owned(),
                    labels: own.has_label().then(|| "key".to_owned()).into_iter().collect(),
                    values: Vec::new(),
                    once: own.is_single(),
                    required: own.is_required(),
                    is_used: false,
                    about: About {
                        description: own.block().description().to_owned(),
                        deprecated: own.block().is_deprecated().then(String::new),
                        ..About::default()
                    },
                });
            }
        }
    }
}

fn about(own: &AttributeSchema) -> About {
    About {
        description: own.description().to_owned(),
        deprecated: own.is_deprecated().then(String::new),
        sensitive: own.is_sensitive(),
        ..About::default()
    }
}

/// The values of the first label that a switch of the spec knows.
fn first_labels(block: &BlockReference<'_>) -> Vec<String> {
    let cases = match block.content {
        Inside::Body(nested) if block.keys == 0 => nested.cases().filter(|cases| cases.index == 0),
        _ => None,
    };
    cases.into_iter().flat_map(|cases| &cases.by_label).map(|(label, _)| label.to_string()).collect()
}

/// What a spec says about the innermost of some blocks.
fn of_spec(spec: &Spec, around: &[EnclosingBlock]) -> Content {
    let mut body = BodyReference::of(spec);
    for own in around {
        let block = body.blocks.iter().find(|block| **block.block_type == *own.block_type);
        let Some(block) = block else { return Content::default() };
        let labels: Vec<Name> = own.labels.iter().map(|label| Name::from(label.as_str())).collect();
        match block.content_for(&labels) {
            Inside::Body(spec) => body = BodyReference::of(spec),
            Inside::Arguments(_) => return Content::default(),
        }
    }
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let arguments = body.arguments.iter().map(|own| {
        let names = own.accepts.names.iter().map(|name| hclkit::Value::from(&**name).show().to_string());
        let suggested = own.accepts.suggested.iter().map(ToString::to_string);
        Argument {
            name: own.name.to_string(),
            required: own.required,
            is_closed: !own.accepts.names.is_empty(),
            values: names.chain(suggested).collect(),
            ty: Some(own.ty.clone()),
            refers: false,
            about: About {
                description: text(own.description),
                deprecated: own.accepts.deprecated.as_ref().map(ToString::to_string),
                sensitive: own.accepts.sensitive,
                default: own.default.map(|value| value.show().to_string()),
                link: own.accepts.link.as_ref().map(ToString::to_string),
            },
        }
    });
    let blocks = body.blocks.iter().map(|own| Block {
        name: own.block_type.to_string(),
        labels: own
            .labels
            .iter()
            .map(|label| if label.is_empty() { "label".to_owned() } else { label.to_string() })
            .collect(),
        values: first_labels(own),
        once: own.max == Some(1),
        required: own.min > 0,
        is_used: false,
        about: About { description: text(own.description), ..About::default() },
    });
    Content { arguments: arguments.collect(), blocks: blocks.collect() }
}

/// Whether a block calls a module.
pub(crate) fn is_call(file: &File, block_type: &str) -> bool {
    file.content_dialect().and_then(|part| part.block(block_type)).is_some_and(|rule| rule.role == Role::Call)
}
