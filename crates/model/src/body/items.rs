//! The contents of bodies, for tools without a schema: all items, the blocks of a type, and an attribute by name.

use hclkit_syntax::Span;

use super::{Attribute, Block, Body, Form};
use crate::{Diagnostics, Schema};

/// An attribute or a block of a body.
#[derive(Clone, Debug)]
pub enum BodyItem {
    /// An attribute.
    Attribute(Attribute),
    /// A block.
    Block(Block),
}

impl BodyItem {
    /// The attribute, if it is one.
    pub fn as_attribute(&self) -> Option<&Attribute> {
        match self {
            Self::Attribute(attribute) => Some(attribute),
            Self::Block(_) => None,
        }
    }

    /// The block, if it is one.
    pub fn as_block(&self) -> Option<&Block> {
        match self {
            Self::Attribute(_) => None,
            Self::Block(block) => Some(block),
        }
    }

    /// The name of the attribute, or the type of the block.
    pub fn name(&self) -> &str {
        match self {
            Self::Attribute(attribute) => &attribute.name,
            Self::Block(block) => &block.block_type,
        }
    }

    /// The span of that name in the source of the item.
    pub fn name_span(&self) -> Span {
        match self {
            Self::Attribute(attribute) => attribute.name_span,
            Self::Block(block) => block.type_span,
        }
    }
}

impl Body {
    /// All attributes and blocks in source order, those of a merged body file by file. After
    /// [`Body::partial_content`], the items of the rest are those that the schema did not name.
    ///
    /// In the JSON syntax, only a schema decides what a property is. Without one, a property whose value is an object,
    /// or an array of one or more objects, is a block, or a block for each of them, without labels; any other property
    /// is an attribute. `//` is a comment. To read known names with a schema, use [`Body::items_by`].
    ///
    /// `dynamic` blocks are not expanded, because only a schema decides which blocks they generate.
    ///
    /// ```
    /// use hclkit_model::Body;
    /// use hclkit_syntax::Source;
    ///
    /// let native = Source::new("main.hcl", "region = \"eu\"\nservice {\n  port = 80\n}\n");
    /// let json = Source::new("main.hcl.json", r#"{"region": "eu", "service": {"port": 80}}"#);
    /// for source in [native, json] {
    ///     let (body, _) = Body::parse(source);
    ///     let items = body.items();
    ///     assert_eq!(items.iter().map(|item| item.name()).collect::<Vec<_>>(), ["region", "service"]);
    ///     assert!(items[1].as_block().unwrap().body.attribute("port").is_some());
    /// }
    /// ```
    pub fn items(&self) -> Vec<BodyItem> {
        self.items_by(&Schema::new())
    }

    #[doc(hidden)]
    /// Like [`Body::items`], but in the JSON syntax, the schema decides how the properties that it names are read: as
    /// attributes, or as blocks with their labels. Values that cannot be read as such a block are omitted. Items that
    /// the schema does not name are returned as well.
    pub fn items_by(&self, schema: &Schema) -> Vec<BodyItem> {
        match &self.0 {
            Form::Native(body) => body.all_items(),
            Form::Json(body) => body.all_items(schema),
            Form::Merged(bodies) => bodies.iter().flat_map(|body| body.items_by(schema)).collect(),
            Form::Expanded(body) => body.items(schema),
            Form::Overridden(body) => body.items(schema),
        }
    }

    /// The blocks of a type with as many labels as there are patterns, in source order. The pattern `*` matches every
    /// label; any other pattern matches only the same label. In the JSON syntax, the number of patterns is the number
    /// of levels that are read as labels. Blocks with another number of labels are omitted.
    ///
    /// ```
    /// use hclkit_model::Body;
    /// use hclkit_syntax::Source;
    ///
    /// let native = Source::new("main.tf", "resource \"disk\" \"a\" {\n}\nresource \"net\" \"b\" {\n}\n");
    /// let json = Source::new("main.tf.json", r#"{"resource": {"disk": {"a": {}}, "net": {"b": {}}}}"#);
    /// for source in [native, json] {
    ///     let (body, _) = Body::parse(source);
    ///     assert_eq!(body.blocks("resource", &["*", "*"]).len(), 2);
    ///     assert_eq!(body.blocks("resource", &["net", "*"])[0].labels, ["net", "b"]);
    /// }
    /// ```
    pub fn blocks(&self, block_type: &str, labels: &[&str]) -> Vec<Block> {
        let schema = Schema::new().with_block(block_type, labels);
        let (content, _) = self.partial_content_into(&schema, &mut Diagnostics::new());
        let fits = |block: &Block| {
            labels.iter().zip(&block.labels).all(|(pattern, label)| *pattern == "*" || *label == **pattern)
        };
        content.blocks.into_iter().filter(fits).collect()
    }

    /// The attribute with this name. In the JSON syntax, any property can be read as an attribute.
    pub fn attribute(&self, name: &str) -> Option<Attribute> {
        if let Form::Native(body) = &self.0 {
            return body.attribute(name);
        }
        let (content, _) =
            self.partial_content_into(&Schema::new().with_optional(name), &mut Diagnostics::new());
        content.attributes.get(name).cloned()
    }

    #[doc(hidden)]
    /// Returns true if nothing of it is in the JSON syntax.
    pub fn is_native(&self) -> bool {
        match &self.0 {
            Form::Native(_) => true,
            Form::Merged(bodies) => bodies.iter().all(Self::is_native),
            Form::Json(_) | Form::Expanded(_) | Form::Overridden(_) => false,
        }
    }

    #[doc(hidden)]
    /// Returns false if it certainly contains no blocks.
    pub fn may_have_blocks(&self) -> bool {
        match &self.0 {
            Form::Native(body) => body.has_blocks(),
            Form::Merged(bodies) => bodies.iter().any(Self::may_have_blocks),
            Form::Json(_) | Form::Expanded(_) | Form::Overridden(_) => true,
        }
    }
}
