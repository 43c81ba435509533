//! Blocks for serde: types for blocks with and without labels, and modules for `#[serde(with)]`.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use serde_core::de::{self, Deserialize, Deserializer, Visitor};
use serde_core::ser::{Serialize, Serializer};

use crate::Spanned;

const ONE: &str = "$hclkit::Labeled1";
const TWO: &str = "$hclkit::Labeled2";
const THREE: &str = "$hclkit::Labeled3";
const BLOCK: &str = "$hclkit::Block";
const LABELED_BLOCK: &str = "$hclkit::LabeledBlock";
const DOUBLY_LABELED_BLOCK: &str = "$hclkit::DoublyLabeledBlock";

/// The number of labels of a newtype with this name.
pub(super) fn label_count(name: &str) -> Option<usize> {
    match name {
        ONE => Some(1),
        TWO => Some(2),
        THREE => Some(3),
        _ => None,
    }
}

/// How a newtype is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrittenAs {
    /// A block: labels and a body.
    Labeled,
    /// Blocks whose bodies are below this number of levels of labels.
    Blocks(usize),
}

/// How a newtype with this name is written.
pub(super) fn written_as(name: &str) -> Option<WrittenAs> {
    match name {
        ONE | TWO | THREE => Some(WrittenAs::Labeled),
        BLOCK => Some(WrittenAs::Blocks(0)),
        LABELED_BLOCK => Some(WrittenAs::Blocks(1)),
        DOUBLY_LABELED_BLOCK => Some(WrittenAs::Blocks(2)),
        _ => None,
    }
}

/// The labels of a [`Labeled`]: a `String`, or a tuple of up to three types that serde reads from strings.
pub trait Labels: Sized {
    /// The name of the newtype.
    #[doc(hidden)]
    const NAME: &'static str;
    /// The type of the labels for serde.
    #[doc(hidden)]
    type Tuple;
    #[doc(hidden)]
    fn from_tuple(labels: Self::Tuple) -> Self;
}

/// [`Labels`] that can be written.
pub trait WriteLabels: Labels {
    /// Writes the labels as a sequence.
    #[doc(hidden)]
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

macro_rules! one_label {
    ($($ty:ty),*) => {$(
        impl Labels for $ty {
            const NAME: &'static str = ONE;
            type Tuple = ($ty,);

            fn from_tuple((label,): ($ty,)) -> $ty {
                label
            }
        }

        impl WriteLabels for $ty {
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                (self,).serialize(serializer)
            }
        }
    )*};
}

one_label!(String, Spanned<String>, Box<str>);

macro_rules! labels {
    ($name:ident: $($label:ident)*) => {
        impl<$($label),*> Labels for ($($label,)*) {
            const NAME: &'static str = $name;
            type Tuple = ($($label,)*);

            fn from_tuple(labels: Self) -> Self {
                labels
            }
        }

        impl<$($label: Serialize),*> WriteLabels for ($($label,)*) {
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.serialize(serializer)
            }
        }
    };
}

labels!(ONE: A);
labels!(TWO: A B);
labels!(THREE: A B C);

/// A block with labels, for reading and writing. A `Vec` of them contains all blocks of a type.
///
/// ```
/// use hclkit::serde::Labeled;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Deserialize, Serialize)]
/// struct Config {
///     service: Vec<Labeled<String, Service>>,
///     route: Vec<Labeled<(String, u16), Route>>,
/// }
///
/// #[derive(Deserialize, Serialize)]
/// struct Service {
///     image: String,
/// }
///
/// #[derive(Deserialize, Serialize)]
/// struct Route {}
///
/// let text = "service \"web\" {\n  image = \"nginx\"\n}\n\nroute \"web\" \"80\" {}\n";
/// let config: Config = hclkit::serde::from_str(text)?;
/// assert_eq!((config.service[0].labels.as_str(), config.service[0].image.as_str()), ("web", "nginx"));
/// assert_eq!(config.route[0].labels, ("web".to_owned(), 80));
/// assert_eq!(hclkit::serde::to_string(&config)?, text);
/// # Ok::<(), hclkit::serde::SerdeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Labeled<L, T> {
    /// The labels.
    pub labels: L,
    /// The body.
    pub body: T,
}

impl<L, T> Labeled<L, T> {
    /// A block with these labels.
    pub const fn new(labels: L, body: T) -> Self {
        Self { labels, body }
    }
}

impl<L, T> Deref for Labeled<L, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.body
    }
}

impl<L, T> DerefMut for Labeled<L, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.body
    }
}

/// In other formats than HCL, a sequence of the labels and the body.
impl<'de, L: Labels<Tuple: Deserialize<'de>>, T: Deserialize<'de>> Deserialize<'de> for Labeled<L, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(L::NAME, LabeledVisitor(PhantomData))
    }
}

struct LabeledVisitor<L, T>(PhantomData<(L, T)>);

impl<'de, L: Labels<Tuple: Deserialize<'de>>, T: Deserialize<'de>> Visitor<'de> for LabeledVisitor<L, T> {
    type Value = Labeled<L, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a block with labels")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Labeled<L, T>, D::Error> {
        let (labels, body) = Deserialize::deserialize(deserializer)?;
        Ok(Labeled { labels: L::from_tuple(labels), body })
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut parts: A) -> Result<Labeled<L, T>, A::Error> {
        let missing = |at| de::Error::invalid_length(at, &self);
        let labels = parts.next_element()?.ok_or_else(|| missing(0))?;
        let body = parts.next_element()?.ok_or_else(|| missing(1))?;
        Ok(Labeled { labels: L::from_tuple(labels), body })
    }
}

impl<L: WriteLabels, T: Serialize> Serialize for Labeled<L, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Written<'l, L>(&'l L);

        impl<L: WriteLabels> Serialize for Written<'_, L> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.write(serializer)
            }
        }

        serializer.serialize_newtype_struct(L::NAME, &(Written(&self.labels), &self.body))
    }
}

/// A value that is written as a block; a `Vec` of it is written as several blocks. Reading blocks does not require it.
///
/// `#[serde(with = "hclkit::serde::block")]` on a field does the same without another type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AsBlock<T>(pub T);

impl<T> Deref for AsBlock<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for AsBlock<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for AsBlock<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(AsBlock)
    }
}

impl<T: Serialize> Serialize for AsBlock<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(BLOCK, &self.0)
    }
}

macro_rules! module {
    ($(#[$doc:meta])* $module:ident, $name:ident) => {
        $(#[$doc])*
        pub mod $module {
            use serde_core::de::{Deserialize, Deserializer};
            use serde_core::ser::{Serialize, Serializer};

            /// Reads blocks, as without this module.
            ///
            /// # Errors
            /// The errors of the type.
            pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<T, D::Error> {
                T::deserialize(deserializer)
            }

            /// Writes blocks.
            ///
            /// # Errors
            /// The errors of the value.
            pub fn serialize<T: Serialize + ?Sized, S: Serializer>(
                value: &T,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(super::$name, value)
            }
        }
    };
}

module! {
    /// For `#[serde(with = "hclkit::serde::block")]`: a struct or map is written as a block, a sequence of them as several
    /// blocks, and `None` as none.
    ///
    /// ```
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Deserialize, Serialize)]
    /// struct Config {
    ///     #[serde(with = "hclkit::serde::block")]
    ///     listen: Vec<Listen>,
    /// }
    ///
    /// #[derive(Deserialize, Serialize)]
    /// struct Listen {
    ///     port: u16,
    /// }
    ///
    /// let text = "listen {\n  port = 80\n}\n\nlisten {\n  port = 443\n}\n";
    /// let config: Config = hclkit::serde::from_str(text)?;
    /// assert_eq!(config.listen.len(), 2);
    /// assert_eq!(hclkit::serde::to_string(&config)?, text);
    /// # Ok::<(), hclkit::serde::SerdeError>(())
    /// ```
    block, BLOCK
}

module! {
    /// For `#[serde(with = "hclkit::serde::labeled_block")]`: a map whose keys are labels and whose values are bodies, or
    /// sequences of bodies. An enum is written as a block whose label is the variant.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Deserialize, Serialize)]
    /// struct Config {
    ///     #[serde(with = "hclkit::serde::labeled_block")]
    ///     service: BTreeMap<String, Service>,
    /// }
    ///
    /// #[derive(Deserialize, Serialize)]
    /// struct Service {
    ///     image: String,
    /// }
    ///
    /// let text = "service \"web\" {\n  image = \"nginx\"\n}\n";
    /// let config: Config = hclkit::serde::from_str(text)?;
    /// assert_eq!(config.service["web"].image, "nginx");
    /// assert_eq!(hclkit::serde::to_string(&config)?, text);
    /// # Ok::<(), hclkit::serde::SerdeError>(())
    /// ```
    labeled_block, LABELED_BLOCK
}

module! {
    /// Like [`labeled_block`], with two labels: a map of maps.
    doubly_labeled_block, DOUBLY_LABELED_BLOCK
}
