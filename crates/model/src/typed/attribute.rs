//! Reads Rust values from attributes of a body. Errors are reported at the invalid part of the expression.

use std::cell::OnceCell;
use std::fmt;
use std::str::FromStr;

use hclkit_syntax::Diagnostic;
use hclkit_value::{Error, FromValue, Str, Type, Value};

use super::Spanned;
use super::problems::{AboutValue, each, read_as};
use crate::body::{BodyAttribute, attribute_of};
use crate::messages::typed as messages;
use crate::{Attribute, AttributeSpec, Context, Diagnostics, Expression, Place, Spec, literal};

/// A Rust type that a field for an attribute can have.
///
/// Every type that implements [`FromValue`] is one. The value is converted to the type's
/// [`value_type`](hclkit_value::Typed::value_type) first, so that `"80"` can be read as a number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from an attribute",
    label = "not a type of attributes",
    note = "if it is a struct or enum for the value of an attribute, add `#[derive(FromValue)]` to it",
    note = "if it is a struct or enum for a block, add `#[hcl(block)]` to the field and `#[derive(Decode)]` to the type",
    note = "if it implements `FromStr`, add `#[hcl(from_str)]` to the field"
)]
pub trait DecodeAttribute: Sized {
    /// The type constraint of the attribute.
    fn value_type() -> Type;

    /// The only strings that the type accepts, if it is an enum.
    fn names() -> &'static [&'static str] {
        &[]
    }

    /// True if reading evaluates the expression.
    const EVALUATES: bool = true;

    /// The value of a missing attribute, if it may be missing.
    fn missing() -> Option<Self> {
        None
    }

    /// Converts the default of a field, which is a literal in the program.
    ///
    /// # Errors
    /// The default does not have the type.
    fn from_default(value: Value) -> Result<Self, Error>;

    /// Reads an attribute that is set.
    ///
    /// # Errors
    /// The value is invalid.
    fn decode_attribute(given: &Given<'_>) -> Result<Self, Diagnostics>;
}

/// An attribute that is set, and how to read it.
#[derive(Clone, Debug)]
pub struct Given<'a> {
    attribute: BodyAttribute<'a>,
    /// The attribute, if it was needed and not made before. Literals are read from their nodes.
    made: OnceCell<Attribute>,
    /// The variables and functions that its expression can use.
    pub context: &'a Context,
    /// True if its value must not be shown.
    pub sensitive: bool,
    /// The value, if it has been evaluated.
    pub(super) evaluated: Option<Value>,
}

impl<'a> Given<'a> {
    pub(super) fn new(attribute: BodyAttribute<'a>, context: &'a Context, sensitive: bool) -> Self {
        Given { attribute, made: OnceCell::new(), context, sensitive, evaluated: None }
    }

    /// Treats a part of the value as an attribute of its own, with the same context and sensitivity.
    pub(super) fn of_part<'p>(&'p self, attribute: &'p Attribute, evaluated: Option<Value>) -> Given<'p> {
        let part = Given::new(BodyAttribute::Made(attribute), self.context, self.sensitive);
        Given { evaluated, ..part }
    }

    /// The attribute.
    pub fn attribute(&self) -> &Attribute {
        match self.attribute {
            BodyAttribute::Made(attribute) => attribute,
            BodyAttribute::Native(name, node) => self.made.get_or_init(|| attribute_of(name, node)),
        }
    }

    /// The value. If the field is sensitive, its marks are removed.
    ///
    /// # Errors
    /// The errors of the evaluation.
    pub fn value(&self) -> Result<Value, Diagnostics> {
        if let Some(value) = &self.evaluated {
            return Ok(value.clone());
        }
        if let Some(value) = self.attribute.unlowered().and_then(literal::value) {
            return Ok(value);
        }
        let value = self.attribute().expression.evaluate(self.context)?;
        Ok(if self.sensitive && value.contains_marked() { value.unmark_deep().0 } else { value })
    }

    /// Returns true if the value is known to be neither null nor a collection, without evaluating it.
    pub(super) fn is_scalar(&self) -> bool {
        self.attribute.unlowered().is_some_and(literal::is_scalar)
    }

    /// The value of literal text, for types that are read from text.
    fn read_literal<T: FromValue>(&self) -> Option<T> {
        if self.evaluated.is_some() {
            return None;
        }
        let node = self.attribute.unlowered()?;
        literal::read_text(node).or_else(|| literal::read_texts(node))
    }

    /// The value, converted to a type and read.
    ///
    /// # Errors
    /// The errors of evaluating, converting or reading the value.
    pub fn read<T>(
        &self,
        ty: &Type,
        read: impl FnOnce(&Value) -> Result<T, Error>,
    ) -> Result<T, Diagnostics> {
        let value = self.value()?;
        self.read_value(&value, ty, read)
    }

    pub(super) fn read_value<T>(
        &self,
        value: &Value,
        ty: &Type,
        read: impl FnOnce(&Value) -> Result<T, Error>,
    ) -> Result<T, Diagnostics> {
        read_as(value, ty, read).map_err(|problems| self.problems(&problems))
    }

    /// An error about the value, at the part that the error's path leads to.
    pub fn invalid(&self, error: &Error) -> Diagnostic {
        self.problem(messages::rejected_argument, error)
    }

    /// Errors about parts of the value, in the order of the source.
    #[cold]
    pub(super) fn problems(&self, problems: &[(AboutValue, Error)]) -> Diagnostics {
        let mut found: Vec<Diagnostic> =
            problems.iter().map(|(message, error)| self.problem(*message, error)).collect();
        found.sort_by_key(|diagnostic| diagnostic.span().start);
        found.into_iter().collect()
    }

    #[cold]
    fn problem(&self, message: AboutValue, error: &Error) -> Diagnostic {
        let Attribute { name, expression, .. } = self.attribute();
        let (place, whole) = (expression.place_of(&error.path()), expression.span());
        let shown = if self.sensitive { error.clone().redacted() } else { error.clone() };
        let is_whole = place.span == whole;
        let diagnostic = message(name, &shown).at(place);
        if is_whole { diagnostic } else { diagnostic.with_context(whole) }
    }

    pub(super) fn place(&self) -> Place {
        self.attribute().expression.place()
    }
}

impl<T: FromValue> DecodeAttribute for T {
    fn value_type() -> Type {
        <T as hclkit_value::Typed>::value_type()
    }

    fn names() -> &'static [&'static str] {
        <T as hclkit_value::Typed>::names()
    }

    fn missing() -> Option<T> {
        if T::is_nullable() { T::from_value(&Value::NULL).ok() } else { None }
    }

    fn from_default(value: Value) -> Result<T, Error> {
        T::from_value(&value.convert(&<T as DecodeAttribute>::value_type())?)
    }

    fn decode_attribute(given: &Given<'_>) -> Result<T, Diagnostics> {
        if let Some(read) = given.read_literal() {
            return Ok(read);
        }
        let (value, ty) = (given.value()?, <T as DecodeAttribute>::value_type());
        if T::READS_TUPLES && is_tuple_of_elements(&value, &ty) {
            let read = T::from_value(&value);
            return read.map_err(|error| given.problems(&each(messages::rejected_argument, &error)));
        }
        given.read_value(&value, &ty, T::from_value)
    }
}

/// Returns true if converting a tuple to a list would change none of its elements.
fn is_tuple_of_elements(value: &Value, ty: &Type) -> bool {
    let Type::List(element) = ty else { return false };
    let is_primitive = matches!(**element, Type::String | Type::Number | Type::Bool);
    is_primitive && value.as_slice().is_some_and(|parts| parts.iter().all(|part| part.has_type(element)))
}

/// The expression, unevaluated.
impl DecodeAttribute for Expression {
    fn value_type() -> Type {
        Type::Dynamic
    }

    const EVALUATES: bool = false;

    fn from_default(value: Value) -> Result<Self, Error> {
        Self::parse(value.to_string()).map_err(|error| Error::new(error.to_string()))
    }

    fn decode_attribute(given: &Given<'_>) -> Result<Self, Diagnostics> {
        Ok(given.attribute().expression.clone())
    }
}

/// The place is that of the expression.
impl<T: DecodeAttribute> DecodeAttribute for Spanned<T> {
    fn value_type() -> Type {
        T::value_type()
    }

    fn names() -> &'static [&'static str] {
        T::names()
    }

    const EVALUATES: bool = T::EVALUATES;

    fn from_default(value: Value) -> Result<Self, Error> {
        Ok(Self::new(T::from_default(value)?, Place::nowhere()))
    }

    fn decode_attribute(given: &Given<'_>) -> Result<Self, Diagnostics> {
        Ok(Self::new(T::decode_attribute(given)?, given.place()))
    }
}

/// A value that may be unknown. For other types of fields, unknown values are errors.
///
/// ```
/// use hclkit_model::typed::MaybeUnknown;
/// use hclkit_value::{Type, Value};
///
/// assert_eq!(MaybeUnknown::Known(80).as_known(), Some(&80));
/// assert_eq!(MaybeUnknown::<u16>::Unknown(Value::unknown(Type::Number)).known(), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum MaybeUnknown<T> {
    /// The value is known.
    Known(T),
    /// The value, or a part of it, is unknown. It has the type of the attribute as far as that is known.
    Unknown(Value),
}

impl<T> MaybeUnknown<T> {
    /// The value, if it is known.
    pub fn known(self) -> Option<T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Unknown(_) => None,
        }
    }

    /// The value by reference, if it is known.
    pub fn as_known(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Unknown(_) => None,
        }
    }
}

impl<T: FromValue> DecodeAttribute for MaybeUnknown<T> {
    fn value_type() -> Type {
        <T as DecodeAttribute>::value_type()
    }

    fn names() -> &'static [&'static str] {
        <T as DecodeAttribute>::names()
    }

    fn from_default(value: Value) -> Result<Self, Error> {
        <T as DecodeAttribute>::from_default(value).map(MaybeUnknown::Known)
    }

    fn decode_attribute(given: &Given<'_>) -> Result<Self, Diagnostics> {
        given.read(&<T as DecodeAttribute>::value_type(), |value| {
            if value.is_wholly_known() {
                T::from_value(value).map(MaybeUnknown::Known)
            } else {
                Ok(Self::Unknown(value.clone()))
            }
        })
    }
}

/// Reads an attribute as a string, and the string as a type that implements [`FromStr`].
///
/// # Errors
/// The value is not a string, or the string is invalid.
pub fn from_str<T: FromStr<Err: fmt::Display>>(given: &Given<'_>) -> Result<T, Diagnostics> {
    given.read(&Type::String, |value| {
        let text = &String::from_value(value)?;
        text.parse().map_err(|error: T::Err| Error::new(error.to_string()))
    })
}

/// Reads an attribute with a function.
///
/// # Errors
/// The error of the function.
pub fn with<T, E: fmt::Display>(
    given: &Given<'_>,
    read: impl FnOnce(&Value) -> Result<T, E>,
) -> Result<T, Diagnostics> {
    given.read(&Type::Dynamic, |value| read(value).map_err(|error| Error::new(error.to_string())))
}

/// The default of a field that is read by [`from_str`].
///
/// # Errors
/// The default is not a string, or the string is invalid.
pub fn parse_default<T: FromStr<Err: fmt::Display>>(value: &Value) -> Result<T, Error> {
    let text = &String::from_value(value)?;
    text.parse().map_err(|error: T::Err| Error::new(error.to_string()))
}

/// What derived code knows of the values of an attribute besides their type.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'h> {
    /// The names of an enum.
    pub names: &'h [&'h str],
    /// The lower bound of a range, as a literal.
    pub min: Option<&'h str>,
    /// The upper bound, and whether it is included.
    pub max: Option<(&'h str, bool)>,
    /// A regular expression.
    pub pattern: Option<&'h str>,
    /// What to use instead of a deprecated attribute.
    pub deprecated: Option<&'h str>,
}

/// The spec of an attribute of a type that is decoded.
pub fn attribute_spec(
    name: &'static str,
    aliases: &[&'static str],
    ty: &Type,
    required: bool,
    default: Option<Value>,
    description: Option<&str>,
    hints: &Hints<'_>,
) -> Spec {
    let number = |text: &str| text.parse().ok();
    let mut attribute = AttributeSpec::new(name, ty.clone());
    attribute.required = required && aliases.is_empty();
    attribute.description = description.map(Into::into);
    attribute.accepts.names = hints.names.iter().map(|name| Str::from(*name)).collect();
    attribute.accepts.min = hints.min.and_then(number);
    attribute.accepts.max = hints.max.and_then(|(text, inclusive)| Some((number(text)?, inclusive)));
    attribute.accepts.pattern = hints.pattern.map(Into::into);
    attribute.accepts.deprecated = hints.deprecated.map(Into::into);
    attribute.accepts.not_null = required;
    let accepts = attribute.accepts.clone();
    let specs = aliases.iter().map(|alias| {
        let mut attribute = AttributeSpec::new(*alias, ty.clone());
        attribute.accepts = accepts.clone();
        attribute.into()
    });
    let specs = specs.chain(default.map(Spec::literal));
    specs.fold(Spec::from(attribute), Spec::or)
}
