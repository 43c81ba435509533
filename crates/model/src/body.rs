//! Bodies: containers of arguments and blocks, read by a schema (information model, "Structural Elements" and "Body
//! Content"). This file has what all bodies share; each kind has its own file in `body/`.

mod addresses;
mod content;
mod flag;
mod items;
mod json;
mod listed;
mod merged;
mod native;
mod overridden;
mod parse;
mod parts;
mod schema;

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

use hclkit_syntax::ast::BodyNode;
use hclkit_syntax::json::JsonValue;
use hclkit_syntax::{Place, Source};
use hclkit_value::{Marks, Name};

pub use content::{Attribute, Attributes, Block, Content};
#[doc(hidden)]
pub use flag::Flag;
pub use items::BodyItem;
pub(crate) use listed::{AttributeList, BlockList, BodyAttribute, BodyBlock, Listed};
pub(crate) use native::{attribute_of, block_of};
pub use parse::ParseOptions;
#[doc(hidden)]
pub use parts::BodyPart;
pub use schema::{AttributeSchema, BlockSchema, OptionalLabels, Schema};

use crate::dynamic::Expanded;
use crate::{Diagnostics, messages};
use json::JsonBody;
use native::NativeBody;
use overridden::Overridden;

/// A body of a file or a block, in either syntax, or several merged ones. It is cheap to clone.
///
/// ```
/// use hclkit_model::{Body, Context, Diagnostics, Schema};
/// use hclkit_syntax::Source;
///
/// let (body, mut diagnostics) = Body::parse(Source::new("main.hcl", "region = \"eu\"\nservice \"web\" {\n}\n"));
/// let content = diagnostics.absorb(body.content(&Schema::new().with_required("region").with_block("service", &["name"])));
/// assert!(diagnostics.is_empty());
/// assert_eq!(content.blocks[0].labels, ["web"]);
/// let region = content.attributes.get("region").unwrap().expression.evaluate(&Context::new())?;
/// assert_eq!(region.as_str(), Some("eu"));
/// # Ok::<(), Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct Body(Form);

/// The kinds of bodies.
#[derive(Clone)]
enum Form {
    Native(NativeBody),
    Json(JsonBody),
    Merged(Arc<[Body]>),
    Expanded(Box<Expanded>),
    Overridden(Box<Overridden>),
}

/// The place at which a missing argument is reported. The contents are left out.
#[doc(hidden)]
impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body({})", self.missing_item())
    }
}

impl Body {
    /// The body at a node of a syntax tree. It shares the document, which may be dropped.
    ///
    /// ```
    /// use hclkit_model::Body;
    ///
    /// let document = hclkit_syntax::parse("service \"web\" {\n  port = 80\n}\n");
    /// let service = document.body().blocks().next().unwrap();
    /// assert!(Body::from_ast(service.body()).attribute("port").is_some());
    /// ```
    pub fn from_ast(node: BodyNode<'_>) -> Self {
        Self(Form::Native(NativeBody::new(node)))
    }

    #[doc(hidden)]
    /// The body of a value in the JSON syntax: an object, or an array of objects.
    pub fn from_json(value: JsonValue<'_>) -> Self {
        Self(Form::Json(JsonBody::new(value)))
    }

    /// Merges bodies: the result has the arguments and blocks of all of them, in this order. An argument may be set in
    /// only one of them.
    pub fn merge(bodies: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Vec::new();
        for body in bodies {
            match body.0 {
                Form::Merged(inner) => all.extend(inner.iter().cloned()),
                _ => all.push(body),
            }
        }
        match <[Self; 1]>::try_from(all) {
            Ok([only]) => only,
            Err(all) => Self(Form::Merged(all.into())),
        }
    }

    /// An empty body.
    pub fn empty() -> Self {
        Self(Form::Merged(Arc::default()))
    }

    pub(crate) fn expanded(expanded: Expanded) -> Self {
        Self(Form::Expanded(Box::new(expanded)))
    }

    /// The arguments and blocks of the body that a schema describes. The diagnostics report items that the schema does
    /// not allow and required items that are missing. The content contains all other items.
    pub fn content(&self, schema: &Schema) -> (Content, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let content = self.content_into(schema, &mut diagnostics);
        (content, diagnostics)
    }

    /// The arguments and blocks of the body that a schema describes, and a body of the rest. The diagnostics report
    /// required items that are missing.
    pub fn partial_content(&self, schema: &Schema) -> ((Content, Self), Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let parts = self.partial_content_into(schema, &mut diagnostics);
        (parts, diagnostics)
    }

    /// All arguments of the body in source order. The diagnostics report blocks, which are not allowed.
    pub fn attributes(&self) -> (Vec<Attribute>, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let attributes = self.attributes_into(&mut diagnostics);
        (attributes, diagnostics)
    }

    /// Same as [`content`](Self::content), but adds the diagnostics to a list.
    pub(crate) fn content_into(&self, schema: &Schema, diagnostics: &mut Diagnostics) -> Content {
        match &self.0 {
            Form::Native(body) => body.content(schema, diagnostics),
            Form::Json(body) => body.content(schema, diagnostics),
            Form::Merged(bodies) => merged::content(bodies, schema, diagnostics, Self::content_into),
            Form::Expanded(body) => body.content(schema, diagnostics),
            Form::Overridden(body) => body.content(schema, diagnostics),
        }
    }

    /// Same as [`partial_content`](Self::partial_content), but adds the diagnostics to a list.
    pub(crate) fn partial_content_into(
        &self,
        schema: &Schema,
        diagnostics: &mut Diagnostics,
    ) -> (Content, Self) {
        let (content, rest) = match &self.0 {
            Form::Native(body) => {
                let (content, rest) = body.partial_content(schema, diagnostics);
                (content, Form::Native(rest))
            }
            Form::Json(body) => {
                let (content, rest) = body.partial_content(schema, diagnostics);
                (content, Form::Json(rest))
            }
            Form::Merged(bodies) => {
                let mut rests = Vec::with_capacity(bodies.len());
                let content = merged::content(bodies, schema, diagnostics, |body, schema, diagnostics| {
                    let (content, rest) = body.partial_content_into(schema, diagnostics);
                    rests.push(rest);
                    content
                });
                (content, Form::Merged(rests.into()))
            }
            Form::Expanded(body) => {
                let (content, rest) = body.partial_content(schema, diagnostics);
                (content, Form::Expanded(Box::new(rest)))
            }
            Form::Overridden(body) => {
                let (content, rest) = body.partial_content(schema, diagnostics);
                (content, Form::Overridden(Box::new(rest)))
            }
        };
        (content, Self(rest))
    }

    /// Same as [`attributes`](Self::attributes), but adds the diagnostics to a list.
    pub(crate) fn attributes_into(&self, diagnostics: &mut Diagnostics) -> Vec<Attribute> {
        match &self.0 {
            Form::Native(body) => body.attributes(diagnostics),
            Form::Json(body) => body.attributes(diagnostics),
            Form::Merged(bodies) => merged::attributes(bodies, diagnostics),
            Form::Expanded(body) => body.attributes(diagnostics),
            Form::Overridden(body) => body.attributes(diagnostics),
        }
    }

    #[doc(hidden)]
    /// The place where missing items would be added.
    pub fn missing_item(&self) -> Place {
        match &self.0 {
            Form::Native(body) => body.missing_item(),
            Form::Json(body) => body.missing_item(),
            Form::Merged(bodies) => merged::missing_item(bodies),
            Form::Expanded(body) => body.original().missing_item(),
            Form::Overridden(body) => body.missing_item(),
        }
    }

    #[doc(hidden)]
    /// Returns true if a dynamic block generated the block of this body from an unknown collection. The number of such
    /// blocks is unknown, and their arguments are unknown values.
    pub fn is_unknown(&self) -> bool {
        matches!(&self.0, Form::Expanded(body) if body.is_unknown())
    }

    /// The marks of the collection, if a dynamic block generated the block of this body from one of its elements.
    #[doc(hidden)]
    pub fn marks(&self) -> Option<&Marks> {
        match &self.0 {
            Form::Expanded(body) => body.marks(),
            _ => None,
        }
    }

    /// The sources of the body; a merged body has several, in order.
    pub fn sources(&self) -> Vec<Arc<Source>> {
        match &self.0 {
            Form::Merged(bodies) => bodies.iter().flat_map(Self::sources).collect(),
            Form::Expanded(body) => body.original().sources(),
            Form::Overridden(body) => body.bodies().into_iter().flat_map(Self::sources).collect(),
            Form::Native(_) | Form::Json(_) => vec![self.source()],
        }
    }

    /// The source of the body; for a merged body, the first one.
    pub fn source(&self) -> Arc<Source> {
        self.missing_item().source
    }

    #[doc(hidden)]
    /// Sorts diagnostics by the order of the body's sources, and by position within each. Diagnostics of other sources
    /// come last.
    pub fn in_source_order(&self, mut diagnostics: Diagnostics) -> Diagnostics {
        if diagnostics.as_slice().len() > 1 {
            let sources = self.sources();
            let order: HashMap<*const Source, usize> =
                sources.iter().enumerate().map(|(at, source)| (Arc::as_ptr(source), at)).collect();
            diagnostics.sort_by_key(|diagnostic| {
                let file = diagnostic.source().and_then(|source| order.get(&Arc::as_ptr(source)));
                (file.is_none(), file.copied(), diagnostic.span())
            });
        }
        diagnostics
    }
}

/// The names that were already taken from a body.
#[derive(Clone, Debug, Default)]
struct TakenNames(Option<Arc<Names>>);

#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    attributes: BTreeSet<Name>,
    blocks: BTreeSet<Name>,
}

impl TakenNames {
    fn attribute(&self, name: &str) -> bool {
        self.0.as_ref().is_some_and(|names| names.attributes.contains(name))
    }

    fn block(&self, block_type: &str) -> bool {
        self.0.as_ref().is_some_and(|names| names.blocks.contains(block_type))
    }

    /// Adds all names of a schema.
    fn with(&self, schema: &Schema) -> Self {
        Names::with(self.0.as_deref(), schema)
    }
}

impl Names {
    /// These names and all names of a schema.
    fn with(taken: Option<&Self>, schema: &Schema) -> TakenNames {
        let mut names = taken.cloned().unwrap_or_default();
        names.attributes.extend(schema.attributes().map(|attribute| attribute.name.clone()));
        names.blocks.extend(schema.blocks().map(|block| block.block_type.clone()));
        TakenNames(Some(Arc::new(names)))
    }
}

/// Reports each required argument of a schema that is not set.
fn require(
    schema: &Schema,
    is_set: impl Fn(&str) -> bool,
    place: impl Fn() -> Place,
    diagnostics: &mut Diagnostics,
) {
    for attribute in schema.attributes().filter(|attribute| attribute.required && !is_set(&attribute.name)) {
        diagnostics.push(messages::body::missing_argument(&attribute.name).at(place()));
    }
}
