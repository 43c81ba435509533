//! Names as written in source text. Unlike strings of the type system, they are not normalized.

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;

use arcstr::ArcStr;

use crate::Str;

/// A shared name of a variable, a function, an attribute, a block type or a label.
///
/// Names are compared byte by byte, as in the reference: `é` as one character and `é` as two are different variables.
/// A name that is used as a value, a map key or an object attribute becomes a [`Str`], which is normalized.
///
/// ```
/// use hclkit_value::{Name, Str};
///
/// let (one, other) = (Name::from("e\u{301}"), Name::from("\u{e9}"));
/// assert_ne!(one, other);
/// assert_eq!(Str::from(one), Str::from(other));
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(ArcStr);

impl Name {
    /// The name as text.
    #[inline]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub(crate) fn shared(&self) -> &ArcStr {
        &self.0
    }
}

#[doc(hidden)]
impl From<&str> for Name {
    #[inline]
    fn from(name: &str) -> Self {
        Self(ArcStr::from(name))
    }
}

#[doc(hidden)]
impl From<String> for Name {
    fn from(name: String) -> Self {
        Self(ArcStr::from(name))
    }
}

#[doc(hidden)]
impl From<&String> for Name {
    fn from(name: &String) -> Self {
        Self::from(name.as_str())
    }
}

#[doc(hidden)]
impl From<Cow<'_, str>> for Name {
    fn from(name: Cow<'_, str>) -> Self {
        Self::from(&*name)
    }
}

#[doc(hidden)]
impl From<&Self> for Name {
    fn from(name: &Self) -> Self {
        name.clone()
    }
}

#[doc(hidden)]
impl From<Str> for Name {
    fn from(name: Str) -> Self {
        Self(name.into_shared())
    }
}

#[doc(hidden)]
impl From<&Str> for Name {
    fn from(name: &Str) -> Self {
        Self::from(name.clone())
    }
}

impl Deref for Name {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

#[doc(hidden)]
impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

#[doc(hidden)]
impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

#[doc(hidden)]
impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
