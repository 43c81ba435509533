//! Numbers: small integers in place, everything else as binary floats of up to 512 bits (information
//! model, "Primitive Types"). Arithmetic is in `float.rs`, decimal text in `decimal.rs`.
//!
//! The float arithmetic is our own because a fixed width without allocation is what makes it fast;
//! `dashu-int` (MIT or Apache-2.0) carries the long integers that decimal text needs, because its
//! conversion to decimal is subquadratic. `astro-float` and `dashu-float` were set aside: both
//! allocate for each result and neither prints the shortest decimal at a given binary precision.

mod decimal;
mod digits;
mod divide;
mod float;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use float::{Float, Form, MAX_PRECISION};

/// An exact integer or a binary float of up to 512 bits, or an infinity; never "not a number".
///
/// Every number has a [precision](Number::precision): 512 bits where it was read from text, 64 where
/// it comes from a Rust integer and 53 where it comes from an `f64`, as in the reference. A result has
/// the larger precision of its operands, so that only dividing Rust integers by one another shows it.
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
    /// An integer that its precision holds exactly.
    Int(Width, i64),
    /// Everything else, negative zero among it.
    Float(Box<Float>),
}

/// The precisions of integers in place. It takes eight bytes, so that values are two whole words: where one is moved
/// in pieces that lie across those that were just written, the processor waits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u64)]
enum Width {
    /// That of an `f64`.
    Double = 53,
    /// That of a Rust integer.
    Integer = INTEGER_PRECISION as u64,
    /// That of text.
    Full = MAX_PRECISION as u64,
}

impl Width {
    fn bits(self) -> u16 {
        self as u64 as u16
    }

    fn of(precision: u16) -> Option<Width> {
        [Width::Double, Width::Integer, Width::Full].into_iter().find(|width| width.bits() == precision)
    }
}

/// Why there is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumberError {
    /// The text is no decimal number.
    Syntax,
    /// The result would be "not a number": zero by zero, infinity minus infinity and the like.
    Undefined,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NumberError::Syntax => "a number is required",
            NumberError::Undefined => "the result is not a number",
        })
    }
}

impl std::error::Error for NumberError {}

const INTEGER_PRECISION: u16 = 64;

/// Operations on integers whose results are not always integers.
pub(crate) mod integers {
    /// None for a zero that has a sign.
    #[inline]
    pub(crate) fn product(a: i64, b: i64) -> Option<i64> {
        a.checked_mul(b).filter(|product| *product != 0 || (a >= 0 && b >= 0))
    }

    /// None for a zero, which may have a sign, and where something would be left over.
    #[inline]
    pub(crate) fn quotient(a: i64, b: i64) -> Option<i64> {
        a.checked_div(b).filter(|quotient| a != 0 && quotient * b == a)
    }
}

impl Number {
    /// Zero, at full precision.
    pub const ZERO: Number = Number(Repr::Int(Width::Full, 0));
    /// One, at full precision.
    pub const ONE: Number = Number(Repr::Int(Width::Full, 1));

    /// Positive infinity.
    pub fn infinity() -> Number {
        Number::from_float(Float::infinity(false, MAX_PRECISION))
    }

    /// Negative infinity.
    pub fn neg_infinity() -> Number {
        Number::from_float(Float::infinity(true, MAX_PRECISION))
    }

    #[inline(always)]
    fn from_float(float: Float) -> Number {
        // No integer in place has so many bits.
        if float.mantissa[0] != 0 {
            return Number(Repr::Float(Box::new(float)));
        }
        Number::from_short(float)
    }

    #[inline(never)]
    fn from_short(float: Float) -> Number {
        match (Width::of(float.precision), float.to_i64()) {
            // Beyond its precision an integer has digits of its own: those that tell it from its neighbours.
            (Some(width), Some(value)) if float.exp <= i32::from(float.precision) => {
                Number(Repr::Int(width, value))
            }
            _ => Number(Repr::Float(Box::new(float))),
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

    /// Runs `f` on both as floats, without copying those that are.
    #[inline(always)]
    fn with_floats<R>(&self, other: &Number, f: impl FnOnce(&Float, &Float) -> R) -> R {
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

    /// What an operation makes of two integers, where it makes an integer of them.
    #[inline]
    pub(crate) fn on_integers(
        &self,
        other: &Number,
        operation: impl FnOnce(i64, i64) -> Option<i64>,
    ) -> Option<Number> {
        match (&self.0, &other.0) {
            (Repr::Int(p, a), Repr::Int(q, b)) if *p.max(q) >= Width::Integer => {
                operation(*a, *b).map(|result| Number(Repr::Int(*p.max(q), result)))
            }
            _ => None,
        }
    }

    /// What an operation makes of both as floats: the way that is longer than integers' and out of theirs.
    #[inline(never)]
    fn on_floats(
        &self,
        other: &Number,
        operation: impl FnOnce(&Float, &Float) -> Option<Float>,
    ) -> Result<Number, NumberError> {
        self.with_floats(other, operation).map(Number::from_float).ok_or(NumberError::Undefined)
    }

    /// The quotient that is no integer, or of numbers that are none.
    #[inline(never)]
    pub(crate) fn divide(&self, other: &Number) -> Result<Number, NumberError> {
        match (&self.0, &other.0) {
            (Repr::Int(p, a), Repr::Int(q, b)) if *a != 0 && *b != 0 => {
                let negative = (*a < 0) != (*b < 0);
                let (a, b) = (a.unsigned_abs(), b.unsigned_abs());
                Ok(Number::from_float(Float::quotient(a.into(), b, negative, p.max(q).bits())))
            }
            _ => self.on_floats(other, Float::div),
        }
    }

    /// The bits that the mantissa may have, at most 512.
    pub fn precision(&self) -> u16 {
        match &self.0 {
            Repr::Int(precision, _) => precision.bits(),
            Repr::Float(float) => float.precision,
        }
    }

    /// The same number at full precision, as if it had been read from text.
    #[must_use]
    pub fn widened(&self) -> Number {
        match &self.0 {
            Repr::Int(_, value) => Number(Repr::Int(Width::Full, *value)),
            Repr::Float(float) => Number::from_float(float.with_precision(MAX_PRECISION)),
        }
    }

    /// The sum.
    ///
    /// # Errors
    /// Infinities of opposite signs have no sum.
    #[inline]
    pub fn add(&self, other: &Number) -> Result<Number, NumberError> {
        match self.on_integers(other, i64::checked_add) {
            Some(sum) => Ok(sum),
            None => self.on_floats(other, Float::add),
        }
    }

    /// The difference.
    ///
    /// # Errors
    /// Infinities of the same sign have no difference.
    #[inline]
    pub fn sub(&self, other: &Number) -> Result<Number, NumberError> {
        match self.on_integers(other, i64::checked_sub) {
            Some(difference) => Ok(difference),
            None => self.on_floats(other, Float::sub),
        }
    }

    /// The product: exact where 512 bits hold it, even if the operands' precision would not.
    ///
    /// # Errors
    /// Zero times infinity is undefined.
    #[inline]
    pub fn mul(&self, other: &Number) -> Result<Number, NumberError> {
        if let Some(product) = self.on_integers(other, integers::product) {
            return Ok(product);
        }
        self.on_floats(other, |a, b| {
            let product = a.mul(b, MAX_PRECISION)?;
            let precision = a.precision.max(b.precision).max(product.bits_needed());
            Some(Float { precision, ..product })
        })
    }

    /// The quotient; a number by zero is an infinity.
    ///
    /// # Errors
    /// Zero by zero and infinity by infinity are undefined.
    #[inline]
    pub fn div(&self, other: &Number) -> Result<Number, NumberError> {
        match self.on_integers(other, integers::quotient) {
            Some(quotient) => Ok(quotient),
            None => self.divide(other),
        }
    }

    /// The remainder of the division that truncates toward zero. By zero it is the number itself.
    ///
    /// # Errors
    /// Infinities have no other remainder, and by them there is none.
    pub fn rem(&self, other: &Number) -> Result<Number, NumberError> {
        if let (Repr::Int(p, a), Repr::Int(_, b)) = (&self.0, &other.0)
            && let Some(rest) = a.checked_rem(*b)
            && *p >= Width::Integer
        {
            return Ok(Number(Repr::Int(*p, rest)));
        }
        self.on_floats(other, |a, b| {
            if b.form == Form::Zero {
                return Some(*a);
            }
            if a.form == Form::Infinite || b.form == Form::Infinite {
                return None;
            }
            // Not an exact remainder, but the reference's: the quotient is rounded to the operands'
            // precision before its fraction is dropped, and the product to the dividend's.
            let whole = match a.whole_quotient(b) {
                Some(whole) => whole,
                None => a.div(b)?.trunc().with_precision(a.precision),
            };
            let whole =
                b.mul(&Float { negative: whole.negative && whole.form != Form::Zero, ..whole }, a.precision)?;
            Some(a.sub(&whole)?.with_precision(a.precision))
        })
    }

    /// The number with the other sign; zero becomes negative zero, which equals it but prints its sign.
    #[must_use]
    pub fn neg(&self) -> Number {
        match &self.0 {
            Repr::Int(precision, value) if *value != 0 && *value != i64::MIN => {
                Number(Repr::Int(*precision, -value))
            }
            _ => Number::from_float(self.to_float().neg()),
        }
    }

    /// The number without its sign.
    #[must_use]
    pub fn abs(&self) -> Number {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// Whether the sign is a minus, which zero can have, too.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Int(_, value) => *value < 0,
            Repr::Float(float) => float.negative,
        }
    }

    /// The integer part, toward zero; an infinity is its own.
    #[must_use]
    pub fn trunc(&self) -> Number {
        match &self.0 {
            Repr::Int(..) => self.clone(),
            Repr::Float(float) => Number::from_float(float.trunc()),
        }
    }

    /// −1, 0 or 1.
    pub fn signum(&self) -> i8 {
        match &self.0 {
            Repr::Int(_, value) => value.signum() as i8,
            Repr::Float(float) => float.sign(),
        }
    }

    /// Whether there is no fraction; an infinity is no integer.
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Int(..) => true,
            Repr::Float(float) => float.is_integer(),
        }
    }

    /// Whether this is one of the infinities.
    pub fn is_infinite(&self) -> bool {
        matches!(&self.0, Repr::Float(float) if float.form == Form::Infinite)
    }

    /// The number as an `i64`, where it is one.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Int(_, value) => Some(*value),
            Repr::Float(_) => i64::try_from(self.to_i128()?).ok(),
        }
    }

    /// The number as a `u64`, where it is one.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Repr::Int(_, value) => u64::try_from(*value).ok(),
            Repr::Float(_) => u64::try_from(self.to_i128()?).ok(),
        }
    }

    /// The number as a `u128`, where it is one.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.0 {
            Repr::Int(_, value) => u128::try_from(*value).ok(),
            Repr::Float(float) if float.sign() < 0 => None,
            Repr::Float(float) => float.to_u128(),
        }
    }

    /// The number as an `i128`, where it is one.
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Repr::Int(_, value) => Some(i128::from(*value)),
            Repr::Float(float) => {
                let size = float.to_u128()?;
                if float.negative { 0i128.checked_sub_unsigned(size) } else { i128::try_from(size).ok() }
            }
        }
    }

    /// The nearest `f64`, and whether it is exactly the number.
    pub fn to_f64(&self) -> (f64, bool) {
        let float = self.to_float();
        let nearest = float.to_f64();
        let back = Float::from_f64(nearest).is_some_and(|back| back.compare(&float) == Ordering::Equal);
        (nearest, back)
    }

    /// The numeric order, in which infinities are at the ends and the two zeros are equal: what the operator `<` asks. It
    /// differs from `Ord` for numbers of different precisions, where an `f64` 0.1 is a little more than the 0.1 of a text.
    #[inline]
    pub fn compare(&self, other: &Number) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Int(_, a), Repr::Int(_, b)) => a.cmp(b),
            _ => self.with_floats(other, Float::compare),
        }
    }

    /// Whether the number is written without an exponent, which it is unless it has more than a million digits. Only
    /// then it is converted to text.
    pub fn is_plain(&self) -> bool {
        match &self.0 {
            Repr::Int(..) => true,
            Repr::Float(float) => decimal::is_plain(float),
        }
    }

    /// How many characters the number has as text, or somewhat more.
    pub(crate) fn digits_at_most(&self) -> usize {
        match &self.0 {
            Repr::Int(..) => 20,
            Repr::Float(float) if decimal::is_plain(float) => {
                // A bit is worth 0.302 digits, and there are at most 512 of them.
                160 + float.exp.unsigned_abs() as usize * 302 / 1_000
            }
            Repr::Float(_) => 200,
        }
    }

    /// Ten significant digits: what the order of sets of structures rests on.
    pub(crate) fn set_text(&self) -> String {
        match &self.0 {
            Repr::Int(_, value) if value.unsigned_abs() < 10_000_000_000 => value.to_string(),
            _ => decimal::ten_digits(&self.to_float()),
        }
    }

    /// Whether numbers of 512 bits read from text and printed agree: reading is the inverse of printing.
    fn parse(text: &str) -> Option<Number> {
        // The common case, without a detour over floats.
        let bytes = text.as_bytes();
        let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
        if (1..=18).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit) {
            let value = digits.iter().fold(0i64, |value, digit| value * 10 + i64::from(digit - b'0'));
            if digits.len() == bytes.len() {
                return Some(Number(Repr::Int(Width::Full, value)));
            }
            if value != 0 {
                return Some(Number(Repr::Int(Width::Full, -value)));
            }
        }
        decimal::parse(text, MAX_PRECISION).map(Number::from_float)
    }
}

/// Reads a decimal number: a sign, digits with a point among or around them, and an exponent of ten
/// (`e`) or two (`p`) may be there; `Inf` and `inf` are the infinities.
impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Number, NumberError> {
        Number::parse(text).ok_or(NumberError::Syntax)
    }
}

/// The shortest decimal that reads back as the same number at its precision, without exponent; numbers of
/// more than a million digits have one.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Int(_, value) => fmt::Display::fmt(value, f),
            Repr::Float(float) => f.write_str(&decimal::plain(float)),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Two numbers are equal if they print the same, but for the sign of zero. At one precision that is
/// numeric equality; across precisions it lets an `f64` 0.1 equal the 0.1 of a text.
impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        match (&self.0, &other.0) {
            (Repr::Int(_, a), Repr::Int(_, b)) => a == b,
            _ => self.with_floats(other, |a, b| {
                if a.precision == b.precision || a.sign() != b.sign() || a.sign() == 0 {
                    a.compare(b) == Ordering::Equal
                } else {
                    // Far apart, the text need not be asked.
                    (i64::from(a.exp) - i64::from(b.exp)).abs() <= 1 && decimal::print_alike(a, b)
                }
            }),
        }
    }
}

impl Eq for Number {}

/// The order of the decimals that the numbers are printed as, which agrees with `==` and hashing. At one precision that is
/// numeric order. Infinities are at the ends.
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
    fn cmp(&self, other: &Number) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Int(_, a), Repr::Int(_, b)) => a.cmp(b),
            _ => self.with_floats(other, |a, b| {
                let apart = (i64::from(a.exp) - i64::from(b.exp)).abs() > 1;
                if apart || a.precision == b.precision || a.sign() != b.sign() || a.sign() == 0 {
                    a.compare(b)
                } else {
                    decimal::compare_printed(a, b)
                }
            }),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Int(_, value) => value.hash(state),
            Repr::Float(float) if float.form == Form::Zero => 0i64.hash(state),
            // An integer that one precision holds in place may be a float at another.
            Repr::Float(float) => match decimal::key(float) {
                decimal::Key::Integer(value) => value.hash(state),
                decimal::Key::Digits { negative, digits, point } => (negative, digits, point).hash(state),
            },
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
    fn from(value: isize) -> Number {
        Number::from(value as i64)
    }
}

impl From<usize> for Number {
    fn from(value: usize) -> Number {
        Number::from(value as u64)
    }
}

/// Exact, at 53 bits of precision.
impl TryFrom<f64> for Number {
    type Error = NumberError;

    fn try_from(value: f64) -> Result<Number, NumberError> {
        Float::from_f64(value).map(Number::from_float).ok_or(NumberError::Undefined)
    }
}
