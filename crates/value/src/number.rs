//! Numbers: small integers inline, all others as binary floats of up to 512 bits (information model,
//! "Primitive Types"). Arithmetic is in `float.rs`, decimal text in `decimal.rs`.
//!
//! The float arithmetic is our own, because a fixed width without allocation makes it fast. `dashu-int`
//! (MIT or Apache-2.0) provides the big integers for decimal text, because its conversion to decimal is
//! subquadratic. `astro-float` and `dashu-float` were not chosen: both allocate for each result, and
//! neither prints the shortest decimal at a given binary precision.

mod decimal;
mod digits;
mod divide;
mod float;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use float::{Float, Form, MAX_PRECISION};

/// An exact integer, a binary float of up to 512 bits, or an infinity. Never NaN.
///
/// Every number has a [precision](Number::precision), as in the reference: 512 bits if it was parsed from
/// text, 64 if it comes from a Rust integer, and 53 if it comes from an `f64`. A result has the larger
/// precision of its operands, so lower precisions are visible only if no operand was parsed from text.
///
/// ```
/// use hclkit_value::Number;
///
/// let a: Number = "0.1".parse()?;
/// let b: Number = "0.2".parse()?;
/// assert_eq!(a.add(&b)?.to_string(), "0.3");
/// assert_eq!("1e3".parse::<Number>()?, Number::from(1000));
/// assert_eq!(Number::try_from(0.5)?.to_f64(), (0.5, true));
/// # Ok::<(), hclkit_value::NumberError>(())
/// ```
#[derive(Clone)]
pub struct Number(Repr);

#[derive(Clone)]
enum Repr {
    /// An integer that is exact at its precision.
    Int(Width, i64),
    /// All other numbers, including negative zero.
    Float(Box<Float>),
}

/// The precisions of inline integers. This takes eight bytes, so that values are two full words: copying a value in
/// pieces that overlap recent smaller writes stalls the processor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u64)]
enum Width {
    /// The precision of an `f64`.
    Double = 53,
    /// The precision of a Rust integer.
    Integer = INTEGER_PRECISION as u64,
    /// The precision of a number parsed from text.
    Full = MAX_PRECISION as u64,
}

impl Width {
    fn bits(self) -> u16 {
        self as u64 as u16
    }

    fn of(precision: u16) -> Option<Self> {
        [Self::Double, Self::Integer, Self::Full].into_iter().find(|width| width.bits() == precision)
    }
}

/// An error from parsing or computing a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumberError {
    /// The text is not a decimal number.
    Syntax,
    /// The result is undefined: zero divided by zero, infinity minus infinity and so on.
    Undefined,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Syntax => "a number is required",
            Self::Undefined => "the result is not a number",
        })
    }
}

impl std::error::Error for NumberError {}

const INTEGER_PRECISION: u16 = 64;

/// Operations on integers whose results are not always integers.
pub(crate) mod integers {
    /// `None` on overflow, and for a negative zero.
    #[inline]
    pub(crate) fn product(a: i64, b: i64) -> Option<i64> {
        a.checked_mul(b).filter(|product| *product != 0 || (a >= 0 && b >= 0))
    }

    /// `None` for a zero, which may be negative, and if there is a remainder.
    #[inline]
    pub(crate) fn quotient(a: i64, b: i64) -> Option<i64> {
        a.checked_div(b).filter(|quotient| a != 0 && quotient * b == a)
    }
}

impl Number {
    /// Zero, at full precision.
    pub const ZERO: Self = Self(Repr::Int(Width::Full, 0));
    /// One, at full precision.
    pub const ONE: Self = Self(Repr::Int(Width::Full, 1));

    /// Positive infinity.
    pub fn infinity() -> Self {
        Self::from_float(Float::infinity(false, MAX_PRECISION))
    }

    /// Negative infinity.
    #[doc(hidden)]
    pub fn neg_infinity() -> Self {
        Self::from_float(Float::infinity(true, MAX_PRECISION))
    }

    #[inline(always)]
    fn from_float(float: Float) -> Self {
        // Inline integers do not have this many bits.
        if float.mantissa[0] != 0 {
            return Self(Repr::Float(Box::new(float)));
        }
        Self::from_short(float)
    }

    #[inline(never)]
    fn from_short(float: Float) -> Self {
        match (Width::of(float.precision), float.to_i64()) {
            // An integer longer than its precision prints differently, with the digits that distinguish it from its neighbors.
            (Some(width), Some(value)) if float.exp <= i32::from(float.precision) => {
                Self(Repr::Int(width, value))
            }
            _ => Self(Repr::Float(Box::new(float))),
        }
    }

    #[inline(never)]
    fn to_float(&self) -> Float {
        match &self.0 {
            Repr::Int(precision, value) => {
                Float::from_u64(value.unsigned_abs(), *value < 0, precision.bits())
            }
            Repr::Float(float) => **float,
        }
    }

    /// Calls `f` with both as floats, without copying those that already are.
    #[inline(always)]
    fn with_floats<R>(&self, other: &Self, f: impl FnOnce(&Float, &Float) -> R) -> R {
        let (mut a, mut b) = (None, None);
        f(self.as_float(&mut a), other.as_float(&mut b))
    }

    #[inline(always)]
    fn as_float<'a>(&'a self, made: &'a mut Option<Float>) -> &'a Float {
        match &self.0 {
            Repr::Float(float) => float,
            Repr::Int(..) => made.insert(self.to_float()),
        }
    }

    /// The result of an operation on two inline integers, if it is an integer too.
    #[inline]
    pub(crate) fn on_integers(
        &self,
        other: &Self,
        operation: impl FnOnce(i64, i64) -> Option<i64>,
    ) -> Option<Self> {
        match (&self.0, &other.0) {
            (Repr::Int(p, a), Repr::Int(q, b)) if *p.max(q) >= Width::Integer => {
                operation(*a, *b).map(|result| Self(Repr::Int(*p.max(q), result)))
            }
            _ => None,
        }
    }

    /// The result of an operation on both as floats. This slow path is not inlined into the fast path for integers,
    /// and is the same for all operations.
    #[inline(never)]
    fn on_floats(
        &self,
        other: &Self,
        operation: &dyn Fn(&Float, &Float) -> Option<Float>,
    ) -> Result<Self, NumberError> {
        self.with_floats(other, operation).map(Self::from_float).ok_or(NumberError::Undefined)
    }

    /// The quotient, without the fast path for integers whose quotient is an integer.
    #[inline(never)]
    pub(crate) fn divide_inexactly(&self, other: &Self) -> Result<Self, NumberError> {
        match (&self.0, &other.0) {
            (Repr::Int(p, a), Repr::Int(q, b)) if *a != 0 && *b != 0 => {
                let negative = (*a < 0) != (*b < 0);
                let (a, b) = (a.unsigned_abs(), b.unsigned_abs());
                Ok(Self::from_float(Float::quotient(a.into(), b, negative, p.max(q).bits())))
            }
            _ => self.on_floats(other, &Float::div),
        }
    }

    #[doc(hidden)]
    /// The maximum number of bits in the mantissa, at most 512.
    pub fn precision(&self) -> u16 {
        match &self.0 {
            Repr::Int(precision, _) => precision.bits(),
            Repr::Float(float) => float.precision,
        }
    }

    #[doc(hidden)]
    /// The same number at full precision, as if it had been parsed from text.
    #[must_use]
    pub fn widened(&self) -> Self {
        match &self.0 {
            Repr::Int(_, value) => Self(Repr::Int(Width::Full, *value)),
            Repr::Float(float) => Self::from_float(float.with_precision(MAX_PRECISION)),
        }
    }

    /// The sum.
    ///
    /// # Errors
    /// The sum of infinities of opposite signs is undefined.
    #[inline]
    pub fn add(&self, other: &Self) -> Result<Self, NumberError> {
        match self.on_integers(other, i64::checked_add) {
            Some(sum) => Ok(sum),
            None => self.on_floats(other, &Float::add),
        }
    }

    #[doc(hidden)]
    /// The difference.
    ///
    /// # Errors
    /// The difference of infinities of the same sign is undefined.
    #[inline]
    pub fn subtract(&self, other: &Self) -> Result<Self, NumberError> {
        match self.on_integers(other, i64::checked_sub) {
            Some(difference) => Ok(difference),
            None => self.on_floats(other, &Float::sub),
        }
    }

    #[doc(hidden)]
    /// The product. It is exact if it fits 512 bits, even if the operands have a lower precision.
    ///
    /// # Errors
    /// Zero times infinity is undefined.
    #[inline]
    pub fn multiply(&self, other: &Self) -> Result<Self, NumberError> {
        if let Some(product) = self.on_integers(other, integers::product) {
            return Ok(product);
        }
        self.on_floats(other, &|a: &Float, b: &Float| {
            let product = a.mul(b, MAX_PRECISION)?;
            let precision = a.precision.max(b.precision).max(product.bits_needed());
            Some(Float { precision, ..product })
        })
    }

    #[doc(hidden)]
    /// The quotient. Division by zero gives an infinity.
    ///
    /// # Errors
    /// Zero divided by zero and infinity divided by infinity are undefined.
    #[inline]
    pub fn divide(&self, other: &Self) -> Result<Self, NumberError> {
        match self.on_integers(other, integers::quotient) {
            Some(quotient) => Ok(quotient),
            None => self.divide_inexactly(other),
        }
    }

    #[doc(hidden)]
    /// The remainder of the division that truncates toward zero. The remainder of division by zero is the number itself.
    ///
    /// # Errors
    /// The remainder is undefined if the divisor is an infinity, or if this number is one and the divisor is not zero.
    pub fn modulo(&self, other: &Self) -> Result<Self, NumberError> {
        if let (Repr::Int(p, a), Repr::Int(_, b)) = (&self.0, &other.0)
            && let Some(rest) = a.checked_rem(*b)
            && *p >= Width::Integer
        {
            return Ok(Self(Repr::Int(*p, rest)));
        }
        self.on_floats(other, &|a: &Float, b: &Float| {
            if b.form == Form::Zero {
                return Some(*a);
            }
            if a.form == Form::Infinite || b.form == Form::Infinite {
                return None;
            }
            // This is not the exact remainder, but that of the reference: the quotient is rounded to the operands'
            // precision before it is truncated, and the product is rounded to the dividend's.
            let whole = match a.whole_quotient(b) {
                Some(whole) => whole,
                None => a.div(b)?.trunc().with_precision(a.precision),
            };
            let whole =
                b.mul(&Float { negative: whole.negative && whole.form != Form::Zero, ..whole }, a.precision)?;
            Some(a.sub(&whole)?.with_precision(a.precision))
        })
    }

    #[doc(hidden)]
    /// The number with the opposite sign. Zero becomes negative zero, which is equal but prints its sign.
    #[must_use]
    pub fn negate(&self) -> Self {
        match &self.0 {
            Repr::Int(precision, value) if *value != 0 && *value != i64::MIN => {
                Self(Repr::Int(*precision, -value))
            }
            _ => Self::from_float(self.to_float().neg()),
        }
    }

    #[doc(hidden)]
    /// The absolute value.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_negative() { self.negate() } else { self.clone() }
    }

    /// Returns true if the number is negative or negative zero.
    #[doc(hidden)]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Int(_, value) => *value < 0,
            Repr::Float(float) => float.negative,
        }
    }

    #[doc(hidden)]
    /// The number truncated toward zero. An infinity remains the same.
    #[must_use]
    pub fn trunc(&self) -> Self {
        match &self.0 {
            Repr::Int(..) => self.clone(),
            Repr::Float(float) => Self::from_float(float.trunc()),
        }
    }

    #[doc(hidden)]
    /// The sign: −1, 0 or 1.
    pub fn signum(&self) -> i8 {
        match &self.0 {
            Repr::Int(_, value) => value.signum() as i8,
            Repr::Float(float) => float.sign(),
        }
    }

    /// Returns true if the number is a whole number. Infinities are not.
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Int(..) => true,
            Repr::Float(float) => float.is_integer(),
        }
    }

    /// Returns true if the number is an infinity.
    pub fn is_infinite(&self) -> bool {
        matches!(&self.0, Repr::Float(float) if float.form == Form::Infinite)
    }

    /// The number as an `i64`, if it is a whole number that fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Int(_, value) => Some(*value),
            Repr::Float(_) => i64::try_from(self.to_i128()?).ok(),
        }
    }

    /// The number as a `u64`, if it is a whole number that fits.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Repr::Int(_, value) => u64::try_from(*value).ok(),
            Repr::Float(_) => u64::try_from(self.to_i128()?).ok(),
        }
    }

    /// The number as a `u128`, if it is a whole number that fits.
    #[doc(hidden)]
    pub fn to_u128(&self) -> Option<u128> {
        match &self.0 {
            Repr::Int(_, value) => u128::try_from(*value).ok(),
            Repr::Float(float) if float.sign() < 0 => None,
            Repr::Float(float) => float.to_u128(),
        }
    }

    /// The number as an `i128`, if it is a whole number that fits.
    #[doc(hidden)]
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Repr::Int(_, value) => Some(i128::from(*value)),
            Repr::Float(float) => {
                let size = float.to_u128()?;
                if float.negative { 0i128.checked_sub_unsigned(size) } else { i128::try_from(size).ok() }
            }
        }
    }

    /// The nearest `f64`, and true if it is exact.
    pub fn to_f64(&self) -> (f64, bool) {
        let float = self.to_float();
        let nearest = float.to_f64();
        let back = Float::from_f64(nearest).is_some_and(|back| back.compare(&float) == Ordering::Equal);
        (nearest, back)
    }

    /// Compares the exact values, as the operators of the language do. Infinities are at the ends, and the two zeros are
    /// equal. This differs from `Ord` for numbers of different precisions: an `f64` 0.1 is slightly greater than a 0.1
    /// parsed from text.
    #[inline]
    #[doc(hidden)]
    pub fn compare(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Int(_, a), Repr::Int(_, b)) => a.cmp(b),
            _ => self.with_floats(other, Float::compare),
        }
    }

    #[doc(hidden)]
    /// Returns true if the number is written without an exponent, that is, unless it has more than a million digits. Only
    /// such numbers can be converted to strings of the language.
    pub fn is_plain(&self) -> bool {
        match &self.0 {
            Repr::Int(..) => true,
            Repr::Float(float) => decimal::is_plain(float),
        }
    }

    /// An upper bound on the length of the number as text.
    pub(crate) fn digits_at_most(&self) -> usize {
        match &self.0 {
            Repr::Int(..) => 20,
            Repr::Float(float) if decimal::is_plain(float) => {
                // A bit takes at most 0.302 digits. The mantissa has at most 512 bits, which take fewer than 160 digits.
                160 + float.exp.unsigned_abs() as usize * 302 / 1_000
            }
            Repr::Float(_) => 200,
        }
    }

    /// The number with ten significant digits, which determines the order of sets of structures.
    pub(crate) fn set_text(&self) -> String {
        match &self.0 {
            Repr::Int(_, value) if value.unsigned_abs() < 10_000_000_000 => value.to_string(),
            _ => decimal::ten_digits(&self.to_float()),
        }
    }

    /// Parses a number at full precision. This is the inverse of printing.
    fn parse(text: &str) -> Option<Self> {
        // The fast path for short integers.
        let bytes = text.as_bytes();
        let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
        if (1..=18).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit) {
            let value = digits.iter().fold(0i64, |value, digit| value * 10 + i64::from(digit - b'0'));
            if digits.len() == bytes.len() {
                return Some(Self(Repr::Int(Width::Full, value)));
            }
            if value != 0 {
                return Some(Self(Repr::Int(Width::Full, -value)));
            }
        }
        decimal::parse(text, MAX_PRECISION).map(Self::from_float)
    }
}

/// Parses a decimal number: digits with an optional sign, point, and exponent of ten (`e`) or two (`p`).
/// `Inf` and `inf` are the infinities.
impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        Self::parse(text).ok_or(NumberError::Syntax)
    }
}

/// Writes the shortest decimal that parses as the same number at its precision. Only numbers of more than a
/// million digits have an exponent.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Int(_, value) => fmt::Display::fmt(value, f),
            Repr::Float(float) => f.write_str(&decimal::plain(float)),
        }
    }
}

#[doc(hidden)]
impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Whole numbers are equal if they have the same value, other numbers if they print the same. At the same precision this
/// is numeric equality. At different precisions, an `f64` 0.1 equals a 0.1 parsed from text, but an `f64` 1e23 does not
/// equal a 1e23 parsed from text, because it is a slightly smaller whole number.
impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::Int(_, a), Repr::Int(_, b)) => a == b,
            _ => self.with_floats(other, |a, b| {
                if compared_exactly(a, b) {
                    a.compare(b) == Ordering::Equal
                } else {
                    decimal::print_alike(a, b)
                }
            }),
        }
    }
}

/// Returns true if two numbers are compared by their exact values: those of the same precision, those that are far apart,
/// and whole numbers. The decimal that a number prints as is on the same side of each whole number as its value.
fn compared_exactly(a: &Float, b: &Float) -> bool {
    a.precision == b.precision
        || a.sign() != b.sign()
        || a.sign() == 0
        || (i64::from(a.exp) - i64::from(b.exp)).abs() > 1
        || a.is_integer()
        || b.is_integer()
}

impl Eq for Number {}

/// Compares whole numbers by their values, and others by the decimals that they print as, consistently with `==` and
/// hashing. At the same precision this is numeric order. Infinities are at the ends.
///
/// ```
/// use hclkit_value::Number;
///
/// let mut numbers = [Number::infinity(), Number::from(3), Number::try_from(0.5)?, Number::from(-2)];
/// numbers.sort();
/// assert_eq!(numbers.map(|number| number.to_string()), ["-2", "0.5", "3", "+Inf"]);
/// # Ok::<(), hclkit_value::NumberError>(())
/// ```
impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Int(_, a), Repr::Int(_, b)) => a.cmp(b),
            _ => self.with_floats(other, |a, b| {
                if compared_exactly(a, b) { a.compare(b) } else { decimal::compare_printed(a, b) }
            }),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Int(_, value) => value.hash(state),
            Repr::Float(float) if float.form == Form::Zero => 0i64.hash(state),
            // An integer that is inline at one precision may be a float at another.
            Repr::Float(float) if float.form == Form::Infinite || float.is_integer() => match self.to_i64() {
                Some(value) => value.hash(state),
                None => (float.negative, float.exp, float.mantissa).hash(state),
            },
            Repr::Float(float) => decimal::printed(float).hash(state),
        }
    }
}

macro_rules! from_integers {
    ($($small:ty),*; $($large:ty),*) => {
        $(impl From<$small> for Number {
            #[inline]
            fn from(value: $small) -> Number {
                Number(Repr::Int(Width::Integer, i64::from(value)))
            }
        })*
        $(impl From<$large> for Number {
            #[inline]
            fn from(value: $large) -> Number {
                if let Ok(small) = i64::try_from(value) {
                    return Number(Repr::Int(Width::Integer, small));
                }
                let size = i128::try_from(value).map_or(value as u128, i128::unsigned_abs);
                let negative = i128::try_from(value).is_ok_and(|value| value < 0);
                let needed = 128 - size.leading_zeros() as u16;
                Number::from_float(Float::from_u128(size, negative, needed.max(INTEGER_PRECISION)))
            }
        })*
    };
}

from_integers!(i8, i16, i32, i64, u8, u16, u32; u64, i128, u128);

impl From<isize> for Number {
    fn from(value: isize) -> Self {
        Self::from(value as i64)
    }
}

impl From<usize> for Number {
    fn from(value: usize) -> Self {
        Self::from(value as u64)
    }
}

/// Converts exactly, at 53 bits of precision. NaN is an error.
/// The number with the digits of the float, not those that a double needs for the same value.
///
/// # Errors
/// The float is NaN.
impl TryFrom<f32> for Number {
    type Error = NumberError;

    fn try_from(value: f32) -> Result<Self, NumberError> {
        Self::try_from(value.to_string().parse().unwrap_or(f64::from(value)))
    }
}

/// # Errors
/// The float is NaN.
impl TryFrom<f64> for Number {
    type Error = NumberError;

    fn try_from(value: f64) -> Result<Self, NumberError> {
        Float::from_f64(value).map(Self::from_float).ok_or(NumberError::Undefined)
    }
}
