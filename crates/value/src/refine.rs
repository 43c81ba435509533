//! Refinements: what is known about an unknown value, such as that it is not null, the prefix of a string, and
//! bounds on a number or on the length of a collection.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use unicode_normalization::char::{canonical_combining_class, decompose_canonical};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use unicode_segmentation::UnicodeSegmentation;

use crate::error::Error;
use crate::value::Repr;
use crate::{Number, Str, Type, Value};

/// An unknown value's type and refinement.
pub(crate) struct Unknown {
    pub(crate) ty: Type,
    pub(crate) refinement: Refinement,
}

impl PartialEq for Unknown {
    fn eq(&self, other: &Self) -> bool {
        self.ty == other.ty && self.refinement == other.refinement
    }
}

impl Hash for Unknown {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ty.hash(state);
    }
}

/// An end of a range of numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The number.
    pub number: Number,
    /// True if the number itself is in the range.
    pub inclusive: bool,
}

/// What is known about an unknown value.
///
/// ```
/// use hclkit_value::{Type, Value};
///
/// let name = Value::unknown(Type::String).refine().with_not_null().with_full_prefix("ami-").finish()?;
/// assert_eq!(name.refinement().prefix(), "ami-");
/// assert_eq!(name.equals(&Value::from("vol-1")), Value::from(false));
/// assert_eq!(name.to_string(), "(unknown string, not null, starts with \"ami-\")");
/// # Ok::<(), hclkit_value::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refinement {
    pub(crate) not_null: bool,
    pub(crate) prefix: Option<Str>,
    pub(crate) min: Option<Bound>,
    pub(crate) max: Option<Bound>,
    pub(crate) min_len: u64,
    pub(crate) max_len: Option<u64>,
}

impl Refinement {
    /// Returns true if the value is known not to be null.
    #[doc(hidden)]
    pub fn is_not_null(&self) -> bool {
        self.not_null
    }

    /// The known prefix of the string. Empty if none is known.
    #[doc(hidden)]
    pub fn prefix(&self) -> &str {
        self.prefix.as_deref().unwrap_or_default()
    }

    /// The lower bound of the number.
    #[doc(hidden)]
    pub fn min(&self) -> Option<&Bound> {
        self.min.as_ref()
    }

    /// The upper bound of the number.
    #[doc(hidden)]
    pub fn max(&self) -> Option<&Bound> {
        self.max.as_ref()
    }

    /// The minimum length of the collection.
    #[doc(hidden)]
    pub fn min_len(&self) -> u64 {
        self.min_len
    }

    /// The maximum length of the collection.
    #[doc(hidden)]
    pub fn max_len(&self) -> Option<u64> {
        self.max_len
    }

    /// Returns true if nothing is known.
    #[doc(hidden)]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns true if the unknown value can turn out to be this known one. The reference treats a number with any
    /// refinement as finite.
    pub(crate) fn admits(&self, value: &Value) -> bool {
        match &value.0 {
            Repr::Number(number) if number.is_infinite() => self.is_empty(),
            _ => self.holds_for(value),
        }
    }

    /// Returns true if the refinement holds for a known value.
    fn holds_for(&self, value: &Value) -> bool {
        match &value.0 {
            Repr::Null(_) => !self.not_null,
            Repr::String(text) => text.starts_with(self.prefix()),
            Repr::Number(number) => {
                let above = self.min.as_ref().is_none_or(|min| match number.compare(&min.number) {
                    Ordering::Less => false,
                    Ordering::Equal => min.inclusive,
                    Ordering::Greater => true,
                });
                let below = self.max.as_ref().is_none_or(|max| match number.compare(&max.number) {
                    Ordering::Less => true,
                    Ordering::Equal => max.inclusive,
                    Ordering::Greater => false,
                });
                above && below
            }
            Repr::List(_) | Repr::Set(_) | Repr::Map(_) => {
                let own = value.refinement();
                own.max_len.is_none_or(|most| most >= self.min_len)
                    && self.max_len.is_none_or(|most| own.min_len <= most)
            }
            _ => true,
        }
    }
}

/// The maximum length of a list of unknown elements that is built because only its length is known.
const LONGEST_MADE: u64 = 65_536;

/// Adds refinements to a value; see [`Value::refine`].
pub struct RefinementBuilder {
    value: Value,
    refinement: Refinement,
    null: bool,
    contradiction: Option<&'static str>,
}

impl Value {
    /// What is known about the value: the exact range of a known value, the refinement of an unknown one.
    pub fn refinement(&self) -> Refinement {
        let exact = |low: usize, high: usize| Refinement {
            not_null: true,
            min_len: low as u64,
            max_len: Some(high as u64),
            ..Refinement::default()
        };
        match &self.0 {
            Repr::Unknown(unknown) => unknown.refinement.clone(),
            Repr::UnknownDynamic | Repr::Open(_) | Repr::Null(_) => Refinement::default(),
            Repr::Marked(marked) => marked.value.refinement(),
            Repr::String(text) => {
                Refinement { not_null: true, prefix: Some(text.clone()), ..Refinement::default() }
            }
            Repr::Number(number) => {
                let bound = Some(Bound { number: number.clone(), inclusive: true });
                Refinement { not_null: true, min: bound.clone(), max: bound, ..Refinement::default() }
            }
            Repr::List(list) => exact(list.len(), list.len()),
            Repr::Map(map) => exact(map.len(), map.len()),
            // Unknown elements may turn out to be equal to others, which makes the set smaller.
            Repr::Set(set) if self.is_wholly_known() => exact(set.len(), set.len()),
            Repr::Set(set) => exact(set_min_len(set.iter()), set.len()),
            Repr::Bool(_) | Repr::Tuple(_) | Repr::Object(_) | Repr::Capsule(_) => {
                Refinement { not_null: true, ..Refinement::default() }
            }
        }
    }

    /// Starts to refine an unknown value. A known value is checked against the refinements. Values of the
    /// dynamic pseudo-type cannot be refined and remain unchanged.
    pub fn refine(&self) -> RefinementBuilder {
        let refinement = match &self.bare().0 {
            Repr::Unknown(unknown) => unknown.refinement.clone(),
            _ => Refinement::default(),
        };
        RefinementBuilder { value: self.clone(), refinement, null: false, contradiction: None }
    }

    #[doc(hidden)]
    /// The value, refined as not null if it is unknown.
    #[must_use]
    pub fn refine_not_null(&self) -> Self {
        match &self.0 {
            Repr::Unknown(unknown) if unknown.refinement.not_null => self.clone(),
            Repr::Unknown(_) | Repr::Marked(_) => {
                self.refine().with_not_null().finish().unwrap_or_else(|_| self.clone())
            }
            _ => self.clone(),
        }
    }
}

/// The minimum length of a set with unknown elements.
pub(crate) fn set_min_len<'a>(mut items: impl Iterator<Item = &'a Value>) -> usize {
    usize::from(items.next().is_some())
}

impl RefinementBuilder {
    /// The value is not null.
    #[must_use]
    pub fn with_not_null(mut self) -> Self {
        if self.null {
            self.contradiction = Some("null and not null");
        }
        self.refinement.not_null = true;
        self
    }

    /// The value is null, which makes it known.
    #[must_use]
    #[doc(hidden)]
    pub fn with_null(mut self) -> Self {
        if self.refinement.not_null {
            self.contradiction = Some("null and not null");
        }
        self.null = true;
        self
    }

    /// The string starts with this text. A last character that could combine with the text after it is not
    /// part of the prefix.
    #[must_use]
    pub fn with_prefix(self, prefix: &str) -> Self {
        let prefix = Str::from(prefix);
        self.narrow_prefix(Str::from(safe_prefix(&prefix)))
    }

    #[doc(hidden)]
    /// Like [`RefinementBuilder::with_prefix`], with at most `bytes` bytes of the text.
    #[must_use]
    pub fn with_prefix_within(self, text: &str, bytes: usize) -> Self {
        let longest = bytes.min(text.len());
        let whole = (0..=longest).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        if whole == longest {
            return self.with_prefix(&text[..whole]);
        }
        // The reference treats a partial character as one that may change, and removes only the characters that
        // combine with it.
        let prefix = Str::from(&text[..whole]);
        self.narrow_prefix(Str::from(&prefix[..changeable(&prefix).unwrap_or(prefix.len())]))
    }

    /// The string starts with exactly this text, which cannot combine with the text after it.
    #[must_use]
    pub fn with_full_prefix(self, prefix: impl Into<Str>) -> Self {
        self.narrow_prefix(prefix.into())
    }

    fn narrow_prefix(mut self, prefix: Str) -> Self {
        if !matches!(self.value.ty(), Type::String) {
            self.contradiction = Some("a prefix for a value that is not a string");
            return self;
        }
        match &self.refinement.prefix {
            Some(known) if known.starts_with(prefix.as_str()) => {}
            Some(known) if !prefix.starts_with(known.as_str()) => {
                self.contradiction = Some("two different prefixes");
            }
            _ if prefix.is_empty() => {}
            _ => self.refinement.prefix = Some(prefix),
        }
        self
    }

    /// The number is at least this.
    #[must_use]
    pub fn with_min(self, number: Number) -> Self {
        self.with_min_bound(number, true)
    }

    /// The number is greater than this.
    #[must_use]
    pub fn with_greater_than(self, number: Number) -> Self {
        self.with_min_bound(number, false)
    }

    /// The number is at least this, or greater if not `inclusive`.
    #[doc(hidden)]
    #[must_use]
    pub fn with_min_bound(mut self, number: Number, inclusive: bool) -> Self {
        if !matches!(self.value.ty(), Type::Number) {
            self.contradiction = Some("bounds for a value that is not a number");
            return self;
        }
        let tighter = self.refinement.min.as_ref().is_none_or(|known| match number.compare(&known.number) {
            Ordering::Less => false,
            Ordering::Equal => !inclusive,
            Ordering::Greater => true,
        });
        if tighter {
            self.refinement.min = Some(Bound { number, inclusive });
        }
        self.check_bounds();
        self
    }

    /// The number is at most this.
    #[must_use]
    pub fn with_max(self, number: Number) -> Self {
        self.with_max_bound(number, true)
    }

    /// The number is less than this.
    #[must_use]
    pub fn with_less_than(self, number: Number) -> Self {
        self.with_max_bound(number, false)
    }

    /// The number is at most this, or less if not `inclusive`.
    #[doc(hidden)]
    #[must_use]
    pub fn with_max_bound(mut self, number: Number, inclusive: bool) -> Self {
        if !matches!(self.value.ty(), Type::Number) {
            self.contradiction = Some("bounds for a value that is not a number");
            return self;
        }
        let tighter = self.refinement.max.as_ref().is_none_or(|known| match number.compare(&known.number) {
            Ordering::Less => true,
            Ordering::Equal => !inclusive,
            Ordering::Greater => false,
        });
        if tighter {
            self.refinement.max = Some(Bound { number, inclusive });
        }
        self.check_bounds();
        self
    }

    fn check_bounds(&mut self) {
        if let (Some(min), Some(max)) = (&self.refinement.min, &self.refinement.max) {
            match min.number.compare(&max.number) {
                Ordering::Greater => self.contradiction = Some("bounds with no number between them"),
                Ordering::Equal if !(min.inclusive && max.inclusive) => {
                    self.contradiction = Some("bounds with no number between them");
                }
                _ => {}
            }
        }
    }

    /// The collection has at least `length` elements.
    #[must_use]
    pub fn with_min_len(mut self, length: u64) -> Self {
        if !self.value.ty().is_collection() {
            self.contradiction = Some("a length for a value that is not a collection");
            return self;
        }
        self.refinement.min_len = self.refinement.min_len.max(length);
        self.check_lengths();
        self
    }

    /// The collection has at most `length` elements.
    #[must_use]
    pub fn with_max_len(mut self, length: u64) -> Self {
        if !self.value.ty().is_collection() {
            self.contradiction = Some("a length for a value that is not a collection");
            return self;
        }
        self.refinement.max_len = Some(self.refinement.max_len.map_or(length, |known| known.min(length)));
        self.check_lengths();
        self
    }

    /// The collection has exactly `length` elements.
    #[must_use]
    pub fn with_len(self, length: u64) -> Self {
        self.with_min_len(length).with_max_len(length)
    }

    fn check_lengths(&mut self) {
        if self.refinement.max_len.is_some_and(|most| most < self.refinement.min_len) {
            self.contradiction = Some("a minimum length greater than the maximum");
        }
    }

    /// Returns the refined value, or a known one if the refinements leave only that.
    ///
    /// # Errors
    /// The refinements contradict each other or a known value, or do not apply to the type.
    pub fn finish(self) -> Result<Value, Error> {
        let bare = self.value.bare();
        // Unknown values of unknown type cannot be refined.
        if matches!(bare.0, Repr::UnknownDynamic | Repr::Open(_)) {
            return Ok(self.value);
        }
        if let Some(what) = self.contradiction {
            return Err(Error::new(format!("the refinements contradict each other: {what}")));
        }
        if bare.is_known() {
            let fits = self.refinement.holds_for(bare) && (bare.is_null() || !self.null);
            return if fits {
                Ok(self.value)
            } else {
                Err(Error::new("the value contradicts its refinement"))
            };
        }
        let marks = self.value.marks();
        let ty = bare.ty();
        if self.null {
            return Ok(Value::null(ty).with_marks(&marks));
        }
        Ok(settled(ty, self.refinement).with_marks(&marks))
    }
}

/// An unknown value, or a known one if the refinement leaves only that.
pub(crate) fn settled(ty: Type, refinement: Refinement) -> Value {
    if refinement.not_null {
        if let (Some(min), Some(max)) = (&refinement.min, &refinement.max)
            && min.inclusive
            && max.inclusive
            && min.number == max.number
        {
            return Value::from(min.number.clone());
        }
        if Some(refinement.min_len) == refinement.max_len {
            match (&ty, refinement.min_len) {
                (Type::List(element), 0) => return Value::empty_list(Type::clone(element)),
                (Type::Set(element), 0) => return Value::empty_set(Type::clone(element)),
                (Type::Map(element), 0) => return Value::empty_map(Type::clone(element)),
                (Type::List(element), length) if length <= LONGEST_MADE => {
                    let items = vec![Value::unknown(Type::clone(element)); length as usize];
                    return Value::from_list(crate::List::with_type(ty, items));
                }
                (Type::Set(element), 1) => {
                    let element = Type::clone(element);
                    let item = Value::unknown(element.clone());
                    return Value::from_set(crate::Set::new(element, vec![item]));
                }
                _ => {}
            }
        }
    }
    Value::from_unknown(ty, refinement)
}

/// The part of a prefix that no text after it can change, as computed by the reference. A last character that may
/// compose with what follows is left out. Any other last character is left out unless it is a blank or punctuation.
/// Everything from the first line break on its own is left out, too.
fn safe_prefix(prefix: &str) -> &str {
    if let Some(end) = changeable(prefix) {
        return &prefix[..end];
    }
    let Some((start, last)) = prefix.grapheme_indices(true).next_back() else { return prefix };
    let line_break = |cluster: &str| matches!(cluster, "\n" | "\r");
    if let Some((end, _)) = prefix.grapheme_indices(true).find(|(_, cluster)| line_break(cluster)) {
        return &prefix[..end];
    }
    // The grave accent is left out because it has a canonical equivalent.
    let safe = |c: char| c == '\t' || c == ' ' || (c.is_ascii_punctuation() && c != '`');
    if last.chars().all(safe) { prefix } else { &prefix[..start] }
}

/// The start of a last character that text after it could change, together with the characters that it composes with.
fn changeable(text: &str) -> Option<usize> {
    let last = text.chars().next_back()?;
    if !joins(last) && !composes(last) {
        return None;
    }
    let start = text.char_indices().rev().find(|(_, c)| !joins(*c));
    Some(start.map_or(0, |(start, _)| start))
}

/// Returns true if a character can compose with one before it, or is reordered among combining marks.
fn joins(c: char) -> bool {
    canonical_combining_class(c) != 0 || is_nfc_quick(std::iter::once(c)) == IsNormalized::Maybe
}

/// Returns true if normalization form C composes a character with some character after it, or decomposes it.
fn composes(c: char) -> bool {
    /// The first characters of all pairs that compose, sorted.
    static FIRST: LazyLock<Vec<char>> = LazyLock::new(|| {
        let mut first: Vec<char> = ('\u{80}'..='\u{1ffff}')
            .filter_map(|composed| {
                let mut parts: Vec<char> = Vec::new();
                decompose_canonical(composed, |part| parts.push(part));
                parts.pop().filter(|_| !parts.is_empty())?;
                let mut before = parts.into_iter().nfc();
                before.next().filter(|_| before.next().is_none())
            })
            .collect();
        first.sort_unstable();
        first.dedup();
        first
    });
    let mut parts = 0;
    decompose_canonical(c, |_| parts += 1);
    parts > 1 || FIRST.binary_search(&c).is_ok()
}
