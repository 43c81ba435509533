//! Capsule types (information model, "Capsule Types"): values that are opaque to the type system.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::{Error, Str, Type, Value};

/// A type that the calling application defines, whose values hold a Rust type. Each call of
/// [`CapsuleType::builder`] starts a distinct type, even if the names are equal.
///
/// ```
/// use hclkit_value::{CapsuleType, Value};
///
/// let bytes = CapsuleType::builder::<Vec<u8>>("bytes")
///     .with_equality(|a, b| a == b)
///     .with_display(|bytes| format!("{} bytes", bytes.len()))
///     .build();
/// let value = bytes.value(vec![1u8, 2]).unwrap();
/// assert_eq!(value.equals(&bytes.value(vec![1u8, 2]).unwrap()), Value::from(true));
/// assert_eq!(value.to_string(), "bytes(2 bytes)");
/// ```
#[derive(Clone)]
pub struct CapsuleType(Arc<Definition>);

type Content = dyn Any + Send + Sync;

#[allow(clippy::type_complexity, reason = "each type is that of one closure, which the field names")]
struct Definition {
    name: Str,
    is_content: fn(&Content) -> bool,
    equals: Option<Box<dyn Fn(&Content, &Content) -> bool + Send + Sync>>,
    display: Option<Box<dyn Fn(&Content) -> String + Send + Sync>>,
    convert_to: Option<Box<dyn Fn(&Content, &Type) -> Result<Value, Error> + Send + Sync>>,
    convert_from: Option<Box<dyn Fn(&Value) -> Result<Arc<Content>, Error> + Send + Sync>>,
}

/// Builds a capsule type from the operations that it supports.
pub struct CapsuleTypeBuilder<T> {
    definition: Definition,
    content: std::marker::PhantomData<fn(T)>,
}

impl CapsuleType {
    /// The address of the definition.
    pub(crate) fn place(&self) -> *const () {
        Arc::as_ptr(&self.0).cast()
    }

    /// Starts a type whose values hold a `T`.
    pub fn builder<T: Any + Send + Sync>(name: impl Into<Str>) -> CapsuleTypeBuilder<T> {
        CapsuleTypeBuilder {
            definition: Definition {
                name: name.into(),
                is_content: |content| content.is::<T>(),
                equals: None,
                display: None,
                convert_to: None,
                convert_from: None,
            },
            content: std::marker::PhantomData,
        }
    }

    /// The name shown in messages.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns a value of this type, or `None` if the content is not of the Rust type that this type holds.
    pub fn value<T: Any + Send + Sync>(&self, content: T) -> Option<Value> {
        self.value_shared(Arc::new(content))
    }

    #[doc(hidden)]
    /// Returns a value of this type with content that is already shared, or `None` as [`CapsuleType::value`].
    pub fn value_shared(&self, content: Arc<dyn Any + Send + Sync>) -> Option<Value> {
        (self.0.is_content)(&*content).then(|| Value::from_capsule(Capsule { ty: self.clone(), content }))
    }

    /// `None` if no value can be converted to the type.
    pub(crate) fn convert_from(&self, value: &Value) -> Option<Result<Value, Error>> {
        let content = self.0.convert_from.as_ref()?(value);
        Some(content.map(|content| Value::from_capsule(Capsule { ty: self.clone(), content })))
    }

    pub(crate) fn converts_from(&self) -> bool {
        self.0.convert_from.is_some()
    }

    pub(crate) fn converts_to(&self) -> bool {
        self.0.convert_to.is_some()
    }
}

impl<T: Any + Send + Sync> CapsuleTypeBuilder<T> {
    /// Sets how two values are compared. Without it, a value is equal only to its clones.
    #[must_use]
    pub fn with_equality(mut self, equals: impl Fn(&T, &T) -> bool + Send + Sync + 'static) -> Self {
        self.definition.equals = Some(Box::new(move |a, b| {
            a.downcast_ref().zip(b.downcast_ref()).is_some_and(|(a, b)| equals(a, b))
        }));
        self
    }

    /// Sets how the content is displayed, in parentheses after the type's name.
    #[must_use]
    pub fn with_display(mut self, display: impl Fn(&T) -> String + Send + Sync + 'static) -> Self {
        self.definition.display =
            Some(Box::new(move |content| content.downcast_ref().map(&display).unwrap_or_default()));
        self
    }

    /// Sets how a value is converted to another type. [`Value::convert`] returns the closure's error, which should say
    /// why there is no conversion.
    ///
    /// ```
    /// use hclkit_value::{CapsuleType, Error, FromValue, Type, Value};
    ///
    /// let port = CapsuleType::builder::<u16>("port")
    ///     .with_conversion_from(|value| match u16::from_value(value)? {
    ///         0 => Err(Error::new("a port must not be 0")),
    ///         port => Ok(port),
    ///     })
    ///     .with_conversion_to(|port, ty| match ty {
    ///         Type::Number => Ok(Value::from(*port)),
    ///         ty => Err(Error::new(format!("a port cannot be converted to {ty}"))),
    ///     })
    ///     .build();
    /// let value = Value::from(80).convert(&Type::Capsule(port.clone()))?;
    /// assert_eq!(value.convert(&Type::Number)?, Value::from(80));
    /// let error = value.convert(&Type::Bool).unwrap_err();
    /// assert_eq!(error.to_string(), "a port cannot be converted to bool");
    /// let error = Value::from(0).convert(&Type::Capsule(port)).unwrap_err();
    /// assert_eq!(error.to_string(), "a port must not be 0");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn with_conversion_to(
        mut self,
        convert: impl Fn(&T, &Type) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Self {
        self.definition.convert_to = Some(Box::new(move |content, ty| match content.downcast_ref() {
            Some(content) => convert(content, ty),
            None => Err(Error::required(ty)),
        }));
        self
    }

    /// Sets how a value of another type is converted to this type. The error should say why there is no conversion.
    #[must_use]
    pub fn with_conversion_from(
        mut self,
        convert: impl Fn(&Value) -> Result<T, Error> + Send + Sync + 'static,
    ) -> Self {
        self.definition.convert_from =
            Some(Box::new(move |value| Ok(Arc::new(convert(value)?) as Arc<Content>)));
        self
    }

    /// Finishes the type.
    pub fn build(self) -> CapsuleType {
        CapsuleType(Arc::new(self.definition))
    }
}

impl PartialEq for CapsuleType {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for CapsuleType {}

impl Hash for CapsuleType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).cast::<()>().hash(state);
    }
}

#[doc(hidden)]
impl fmt::Debug for CapsuleType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CapsuleType({:?})", self.0.name)
    }
}

/// The content of a capsule value, with its type.
#[derive(Clone)]
pub struct Capsule {
    ty: CapsuleType,
    content: Arc<Content>,
}

impl Capsule {
    /// The capsule type.
    pub fn ty(&self) -> &CapsuleType {
        &self.ty
    }

    /// The content, or `None` if it is not a `T`.
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.content.downcast_ref()
    }

    /// `None` if values of the type cannot be converted to anything.
    pub(crate) fn convert_to(&self, ty: &Type) -> Option<Result<Value, Error>> {
        Some(self.ty.0.convert_to.as_ref()?(&*self.content, ty))
    }

    pub(crate) fn text(&self) -> Option<String> {
        Some(self.ty.0.display.as_ref()?(&*self.content))
    }
}

impl PartialEq for Capsule {
    fn eq(&self, other: &Self) -> bool {
        self.ty == other.ty
            && match &self.ty.0.equals {
                Some(equals) => equals(&*self.content, &*other.content),
                None => Arc::ptr_eq(&self.content, &other.content),
            }
    }
}

impl Eq for Capsule {}

/// Only the type is hashed: equality is a closure of the application, and no hash of the content matches it.
impl Hash for Capsule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ty.hash(state);
    }
}

#[doc(hidden)]
impl fmt::Debug for Capsule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.ty.name(), self.text().unwrap_or_default())
    }
}
