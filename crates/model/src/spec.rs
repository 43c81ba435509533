//! Specs: descriptions of how to decode a body to a value. This file has the kinds of specs and their constructors.
//! Schemas, types and decoding are in `spec/`; the text form is in `spec_language.rs`.

mod blocks;
mod decode;
mod implied;
mod nested;
mod place;
mod switch;

use std::fmt;
use std::sync::Arc;

use hclkit_value::{Error, Function, Name, Number, ObjectShape, RefinementBuilder, Str, Type, Value};

pub use nested::Nested;
pub use switch::{Cases, SwitchSpec};

use crate::messages::spec as spec_messages;
use crate::{Context, Expression};

/// A description of how to decode a body to a value, and of what the body must contain.
///
/// ```
/// use hclkit_model::{AttributeSpec, BlocksSpec, Body, Context, Diagnostics, Spec};
/// use hclkit_syntax::Source;
/// use hclkit_value::Type;
///
/// let port = AttributeSpec::new("port", Type::Number).with_required();
/// let spec = Spec::object([
///     ("name", Spec::from(AttributeSpec::new("name", Type::String))),
///     ("ports", Spec::BlockList(BlocksSpec::new("listen", port))),
/// ]);
/// let source = Source::new("main.hcl", "name = \"web\"\nlisten {\n  port = \"80\"\n}\n");
/// let (body, mut diagnostics) = Body::parse(source);
/// let value = diagnostics.absorb(spec.decode(&body, &Context::new()));
/// assert!(diagnostics.is_empty());
/// assert_eq!(value.to_string(), r#"{ name = "web", ports = [80] }"#);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Spec {
    /// An object with an attribute for each of several specs.
    Object(ObjectSpec),
    /// A tuple with an element for each of several specs.
    Tuple(TupleSpec),
    /// The value of an argument.
    Attribute(AttributeSpec),
    /// A value that does not depend on the body.
    Literal(LiteralSpec),
    /// The value of an expression that is not one of the body's.
    Expression(ExpressionSpec),
    /// The value of the only block of a type.
    Block(BlockSpec),
    /// A list of the values of all blocks of a type.
    BlockList(BlocksSpec),
    /// A tuple of the values of all blocks of a type.
    BlockTuple(BlocksSpec),
    /// A set of the values of all blocks of a type.
    BlockSet(BlocksSpec),
    /// A map of the values of all blocks of a type by label; with several labels, a map of maps.
    BlockMap(LabeledBlocksSpec),
    /// An object of the values of all blocks of a type by label; with several labels, an object of objects.
    BlockObject(LabeledBlocksSpec),
    /// A map of all arguments in the only block of a type.
    BlockAttributes(BlockAttributesSpec),
    /// A label of the block of the body.
    BlockLabel(BlockLabelSpec),
    /// The value of one of several specs, which a label of the block of the body decides.
    Switch(SwitchSpec),
    /// The value of the first of several specs that is not null.
    Default(DefaultSpec),
    /// The value of a spec transformed by an expression.
    Transform(TransformSpec),
    /// The value of a spec transformed by a function.
    Call(CallSpec),
    /// The value of a spec with a refinement.
    Refine(RefineSpec),
    /// The value of a spec, checked by the application.
    Validate(ValidateSpec),
}

/// See [`Spec::Object`].
#[derive(Clone, Debug)]
pub struct ObjectSpec {
    attributes: Vec<(Str, Spec)>,
    shape: ObjectShape,
}

/// See [`Spec::Tuple`].
#[derive(Clone, Debug, Default)]
pub struct TupleSpec {
    /// The specs of the elements.
    pub elements: Vec<Spec>,
}

/// See [`Spec::Attribute`]. Without the argument, the value is null.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AttributeSpec {
    /// The name of the argument.
    pub name: Name,
    /// The type that its value is converted to; [`Type::Dynamic`] allows any.
    pub ty: Type,
    /// Whether it is required.
    pub required: bool,
    /// Its description in documentation of the configuration.
    pub description: Option<Str>,
    /// What it accepts besides the type, for documentation, schemas and editors.
    pub accepts: Accepts,
}

/// What an argument accepts besides its type, and what else is known about it. It is for documentation, schemas and editors;
/// decoding does not check it. Specs that come from spec files check it with [`Spec::Validate`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Accepts {
    /// The only strings, if there are any.
    pub names: Vec<Str>,
    /// Values that editors offer, as source. Others are valid, too.
    pub suggested: Vec<Str>,
    /// A regular expression that strings match somewhere.
    pub pattern: Option<Str>,
    /// The least number.
    pub min: Option<Number>,
    /// The greatest number, and whether it is included.
    pub max: Option<(Number, bool)>,
    /// What to use instead, if the argument is deprecated. It may be empty.
    pub deprecated: Option<Str>,
    /// Whether its value is sensitive.
    pub sensitive: bool,
    /// The address of a page about it.
    pub link: Option<Str>,
    /// True if null is an error.
    pub not_null: bool,
}

/// See [`Spec::Literal`].
#[derive(Clone, Debug)]
pub struct LiteralSpec {
    /// The value.
    pub value: Value,
}

/// See [`Spec::Expression`]. It is evaluated in the context in which the body is decoded.
#[derive(Clone, Debug)]
pub struct ExpressionSpec {
    /// The expression.
    pub expression: Expression,
}

/// See [`Spec::Block`]. Without such a block the value is null; a second one is an error.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BlockSpec {
    /// The type of the block.
    pub block_type: Name,
    /// The spec of its body.
    pub nested: Nested,
    /// Whether it is required.
    pub required: bool,
    /// Its description in documentation of the configuration.
    pub description: Option<Str>,
}

/// See [`Spec::BlockList`], [`Spec::BlockTuple`] and [`Spec::BlockSet`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BlocksSpec {
    /// The type of the blocks.
    pub block_type: Name,
    /// The spec of their bodies.
    pub nested: Nested,
    /// The minimum number of blocks.
    pub min_items: usize,
    /// The maximum number of blocks.
    pub max_items: Option<usize>,
    /// Its description in documentation of the configuration.
    pub description: Option<Str>,
}

/// See [`Spec::BlockMap`] and [`Spec::BlockObject`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LabeledBlocksSpec {
    /// The type of the blocks.
    pub block_type: Name,
    /// The names of the labels that are keys, for messages; there is at least one.
    pub label_names: Vec<Name>,
    /// The spec of their bodies, in which `BlockLabel` refers to the labels after the keys.
    pub nested: Nested,
    /// Its description in documentation of the configuration.
    pub description: Option<Str>,
}

/// See [`Spec::BlockAttributes`]. Without such a block the value is null; a second one is an error.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BlockAttributesSpec {
    /// The type of the block.
    pub block_type: Name,
    /// The type that each argument is converted to.
    pub element_type: Type,
    /// Whether the block is required.
    pub required: bool,
    /// Its description in documentation of the configuration.
    pub description: Option<Str>,
}

/// See [`Spec::BlockLabel`]. The specs of a body determine how many labels its block has.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BlockLabelSpec {
    /// The index of the label, from 0.
    pub index: usize,
    /// Its name in messages.
    pub name: Name,
    /// Whether it may be missing, which requires that all labels after it are optional as well. The value is null then.
    pub optional: bool,
}

/// See [`Spec::Default`]. Whatever one of the specs requires is required. If all values are null, the result is the
/// last one; without specs it is null.
#[derive(Clone, Debug, Default)]
pub struct DefaultSpec {
    /// The specs in the order in which they are tried.
    pub specs: Vec<Spec>,
}

/// See [`Spec::Transform`].
#[derive(Clone, Debug)]
pub struct TransformSpec {
    /// The spec whose value is transformed.
    pub wrapped: Box<Spec>,
    /// The expression.
    pub expression: Expression,
    /// The name of the variable for the value of the wrapped spec.
    pub variable: Name,
    /// The context of the expression. It does not include the context of the body.
    pub context: Context,
}

/// See [`Spec::Call`].
#[derive(Clone, Debug)]
pub struct CallSpec {
    /// The spec whose value is passed to the function.
    pub wrapped: Box<Spec>,
    /// A function of one argument.
    pub function: Function,
}

/// See [`Spec::Refine`]. A value that contradicts the refinement is an error.
#[derive(Clone)]
pub struct RefineSpec {
    /// The spec whose value is refined.
    pub wrapped: Box<Spec>,
    refine: Arc<Refine>,
}

/// See [`Spec::Validate`].
#[derive(Clone)]
pub struct ValidateSpec {
    /// The spec whose value is checked.
    pub wrapped: Box<Spec>,
    check: Arc<Check>,
}

/// The maximum number of labels of a block.
pub(crate) const MOST_LABELS: usize = 1_000;

type Refine = dyn Fn(RefinementBuilder) -> RefinementBuilder + Send + Sync;
type Check = dyn Fn(&Value) -> Result<(), Error> + Send + Sync;

impl Spec {
    /// An object with these attributes. If two have the same name, the last one counts.
    pub fn object<N: Into<Str>>(attributes: impl IntoIterator<Item = (N, Self)>) -> Self {
        Self::Object(ObjectSpec::new(attributes))
    }

    /// A tuple of these elements.
    pub fn tuple(elements: impl IntoIterator<Item = Self>) -> Self {
        Self::Tuple(TupleSpec { elements: elements.into_iter().collect() })
    }

    /// A value that does not depend on the body.
    pub fn literal(value: impl Into<Value>) -> Self {
        Self::Literal(LiteralSpec { value: value.into() })
    }

    /// Uses the value of another spec if the value is null.
    #[must_use]
    pub fn or(self, default: impl Into<Self>) -> Self {
        let mut specs = match self {
            Self::Default(DefaultSpec { specs }) => specs,
            first => vec![first],
        };
        specs.push(default.into());
        Self::Default(DefaultSpec { specs })
    }

    /// Transforms the value by a function.
    #[must_use]
    pub fn call(self, function: Function) -> Self {
        Self::Call(CallSpec { wrapped: Box::new(self), function })
    }

    /// Adds a refinement of the value.
    #[must_use]
    pub fn refine(
        self,
        refine: impl Fn(RefinementBuilder) -> RefinementBuilder + Send + Sync + 'static,
    ) -> Self {
        Self::Refine(RefineSpec { wrapped: Box::new(self), refine: Arc::new(refine) })
    }

    /// Adds a check of the value. An error of the check is reported at the place of the value.
    ///
    /// ```
    /// use hclkit_model::{AttributeSpec, Body, Context, Spec};
    /// use hclkit_syntax::Source;
    /// use hclkit_value::{Error, Type, Value};
    ///
    /// let spec = Spec::from(AttributeSpec::new("port", Type::Number)).validate(|port| {
    ///     let high = port.as_number().is_some_and(|port| port.to_i64().is_none_or(|port| port > 65_535));
    ///     if high { Err(Error::new("a port is at most 65535")) } else { Ok(()) }
    /// });
    /// let (body, mut diagnostics) = Body::parse(Source::new("", "port = 70000\n"));
    /// diagnostics.absorb(spec.decode(&body, &Context::new()));
    /// assert_eq!(diagnostics.to_string(), "1:8: error: Invalid value: a port is at most 65535");
    /// ```
    #[must_use]
    pub fn validate(self, check: impl Fn(&Value) -> Result<(), Error> + Send + Sync + 'static) -> Self {
        Self::Validate(ValidateSpec { wrapped: Box::new(self), check: Arc::new(check) })
    }
}

impl ObjectSpec {
    /// An object with these attributes. If two have the same name, the last one counts.
    pub fn new<N: Into<Str>>(attributes: impl IntoIterator<Item = (N, Spec)>) -> Self {
        let attributes: Vec<(Str, Spec)> =
            attributes.into_iter().map(|(name, spec)| (name.into(), spec)).collect();
        let shape = ObjectShape::new(attributes.iter().map(|(name, _)| name.clone()));
        Self { attributes, shape }
    }

    /// The attributes in the order in which they were given.
    pub fn attributes(&self) -> &[(Str, Spec)] {
        &self.attributes
    }
}

impl Accepts {
    /// Whether a value is one of the names and within the limits. Unknown values and null are.
    ///
    /// # Errors
    /// What is expected instead.
    pub(crate) fn check(&self, value: &Value) -> Result<(), Error> {
        let (value, _) = value.unmark();
        if let (Some(text), false) = (value.as_str(), self.names.is_empty())
            && !self.names.iter().any(|name| **name == *text)
        {
            return Err(Error::new(spec_messages::not_a_value(&self.names, text)));
        }
        if let Some(number) = value.as_number() {
            if let Some(min) = self.min.as_ref().filter(|min| number < *min) {
                return Err(Error::new(spec_messages::below_min(min)));
            }
            let is_above = |max: &Number, included: bool| number > max || !included && number == max;
            if let Some((max, included)) = self.max.as_ref().filter(|(max, own)| is_above(max, *own)) {
                return Err(Error::new(spec_messages::above_max(max, *included)));
            }
        }
        Ok(())
    }
}

impl AttributeSpec {
    /// An optional argument.
    pub fn new(name: impl Into<Name>, ty: Type) -> Self {
        Self { name: name.into(), ty, required: false, description: None, accepts: Accepts::default() }
    }
}

impl BlockSpec {
    /// An optional block.
    pub fn new(block_type: impl Into<Name>, nested: impl Into<Spec>) -> Self {
        let nested = Nested::new(nested);
        Self { block_type: block_type.into(), nested, required: false, description: None }
    }
}

impl BlocksSpec {
    /// Any number of blocks.
    pub fn new(block_type: impl Into<Name>, nested: impl Into<Spec>) -> Self {
        let nested = Nested::new(nested);
        Self { block_type: block_type.into(), nested, min_items: 0, max_items: None, description: None }
    }

    /// Sets the minimum number of blocks.
    #[must_use]
    pub fn with_min_items(mut self, count: usize) -> Self {
        self.min_items = count;
        self
    }

    /// Sets the maximum number of blocks.
    #[must_use]
    pub fn with_max_items(mut self, count: usize) -> Self {
        self.max_items = Some(count);
        self
    }
}

impl LabeledBlocksSpec {
    /// Any number of blocks with these labels.
    pub fn new<L: Into<Name>>(
        block_type: impl Into<Name>,
        label_names: impl IntoIterator<Item = L>,
        nested: impl Into<Spec>,
    ) -> Self {
        Self {
            block_type: block_type.into(),
            label_names: label_names.into_iter().map(Into::into).collect(),
            nested: Nested::new(nested),
            description: None,
        }
    }
}

impl BlockAttributesSpec {
    /// An optional block.
    pub fn new(block_type: impl Into<Name>, element_type: Type) -> Self {
        Self { block_type: block_type.into(), element_type, required: false, description: None }
    }
}

impl BlockLabelSpec {
    /// The label with this index, from 0.
    pub fn new(index: usize, name: impl Into<Name>) -> Self {
        Self { index, name: name.into(), optional: false }
    }

    /// Allows blocks without the label.
    #[must_use]
    pub fn with_optional(mut self) -> Self {
        self.optional = true;
        self
    }
}

macro_rules! can_be_required {
    ($($spec:ident),*) => {$(
        impl $spec {
            /// Makes it required.
            #[must_use]
            pub fn with_required(mut self) -> $spec {
                self.required = true;
                self
            }
        }
    )*};
}

can_be_required!(AttributeSpec, BlockSpec, BlockAttributesSpec);

macro_rules! can_be_described {
    ($($spec:ident),*) => {$(
        impl $spec {
            /// Sets the description for documentation of the configuration.
            #[must_use]
            pub fn with_description(mut self, description: impl Into<Str>) -> $spec {
                self.description = Some(description.into());
                self
            }
        }
    )*};
}

can_be_described!(AttributeSpec, BlockSpec, BlocksSpec, LabeledBlocksSpec, BlockAttributesSpec);

macro_rules! from_kinds {
    ($($kind:ident($spec:ident)),*) => {$(
        #[doc(hidden)]
        impl From<$spec> for Spec {
            fn from(spec: $spec) -> Spec {
                Spec::$kind(spec)
            }
        }
    )*};
}

from_kinds!(
    Object(ObjectSpec),
    Tuple(TupleSpec),
    Attribute(AttributeSpec),
    Literal(LiteralSpec),
    Expression(ExpressionSpec),
    Block(BlockSpec),
    BlockAttributes(BlockAttributesSpec),
    BlockLabel(BlockLabelSpec),
    Switch(SwitchSpec),
    Default(DefaultSpec),
    Transform(TransformSpec),
    Call(CallSpec),
    Refine(RefineSpec),
    Validate(ValidateSpec)
);

#[doc(hidden)]
impl fmt::Debug for RefineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RefineSpec").field("wrapped", &self.wrapped).finish_non_exhaustive()
    }
}

#[doc(hidden)]
impl fmt::Debug for ValidateSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValidateSpec").field("wrapped", &self.wrapped).finish_non_exhaustive()
    }
}
