//! Shared strings in Unicode normalization form C (information model, "Primitive Types").

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;

use arcstr::ArcStr;
use unicode_normalization::{UnicodeNormalization, is_nfc_stream_safe};

use crate::Name;

/// A shared string in normalization form C.
///
/// String values, map keys and attribute names of objects have this type, so that comparing bytes compares text. Names
/// in source text have the type [`Name`]. As in the reference, a sequence of more than thirty combining marks is broken
/// up with U+034F (the "stream-safe" form of UAX #15).
///
/// ```
/// use hclkit_value::Str;
///
/// assert_eq!(Str::from("e\u{301}"), Str::from("\u{e9}"));
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Str(ArcStr);

impl Str {
    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub(crate) fn into_shared(self) -> ArcStr {
        self.0
    }

    /// Bytes as text, with U+FFFD for each byte that is not UTF-8.
    pub(crate) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Cow::Borrowed(text);
        }
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|_| '\u{fffd}'));
        }
        Cow::Owned(text)
    }

    /// The text in normalization form C.
    pub(crate) fn normalized(text: &str) -> Cow<'_, str> {
        if text.is_ascii() || is_nfc_stream_safe(text) {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(text.chars().stream_safe().nfc().collect())
        }
    }
}

#[doc(hidden)]
impl From<&str> for Str {
    #[inline]
    fn from(text: &str) -> Self {
        match Self::normalized(text) {
            Cow::Borrowed(text) => Self(ArcStr::from(text)),
            Cow::Owned(text) => Self(ArcStr::from(text)),
        }
    }
}

#[doc(hidden)]
impl From<String> for Str {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

#[doc(hidden)]
impl From<&String> for Str {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

#[doc(hidden)]
impl From<Cow<'_, str>> for Str {
    fn from(text: Cow<'_, str>) -> Self {
        Self::from(&*text)
    }
}

#[doc(hidden)]
impl From<&Name> for Str {
    fn from(name: &Name) -> Self {
        match Self::normalized(name) {
            Cow::Borrowed(_) => Self(name.shared().clone()),
            Cow::Owned(text) => Self(ArcStr::from(text)),
        }
    }
}

#[doc(hidden)]
impl From<Name> for Str {
    fn from(name: Name) -> Self {
        Self::from(&name)
    }
}

#[doc(hidden)]
impl From<&Self> for Str {
    fn from(text: &Self) -> Self {
        text.clone()
    }
}

impl Deref for Str {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

#[doc(hidden)]
impl AsRef<str> for Str {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

#[doc(hidden)]
impl Borrow<str> for Str {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq<str> for Str {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Str {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Display for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

#[doc(hidden)]
impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
