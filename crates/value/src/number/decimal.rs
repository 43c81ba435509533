//! Parses and prints numbers as decimal text. Parsing rounds once. Printing writes the digits that `digits.rs`
//! computes, without an exponent. Exponents too large for exact arithmetic use 1,024-bit approximations, so
//! that the work depends on the length of the text and not on the value of the exponent.

use std::cmp::Ordering;

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::digits::{Digits, rounded, shortest};
use super::float::{Float, Form, LIMBS, MAX_PRECISION, round};

/// The number of bits kept of powers and products that would be too long if exact.
const APPROXIMATE_BITS: usize = 1024;
/// Powers of five up to this exponent are exact.
const EXACT_EXPONENT: i64 = 16_384;

/// The number of decimal digits that are parsed exactly: more than are necessary to round correctly with exact exponents.
const LONGEST_EXACT: usize = 40_000;

/// Parses an optional sign, decimal digits with an optional point, and an optional exponent, of ten
/// after `e` or of two after `p`. `Inf` and `inf` are the infinities.
pub(super) fn parse(text: &str, precision: u16) -> Option<Float> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    if digits == b"Inf" || digits == b"inf" {
        return Some(Float::infinity(negative, precision));
    }

    let whole = leading_digits(digits);
    let point = usize::from(digits.get(whole) == Some(&b'.'));
    let places = leading_digits(&digits[whole + point..]);
    let count = whole + places;
    if count == 0 {
        return None;
    }
    let at = count + point;
    let mantissa_end = at;
    let fraction = &digits[whole + point..at];
    let places = places as i64;
    let (mut exp2, mut exp5) = (-places, -places);
    match digits.get(at) {
        None => {}
        Some(marker @ (b'e' | b'E' | b'p' | b'P')) => {
            let exponent: i64 = exponent(&digits[at + 1..])?;
            exp2 = exp2.checked_add(exponent)?;
            if matches!(marker, b'e' | b'E') {
                exp5 = exp5.checked_add(exponent)?;
            }
        }
        Some(_) => return None,
    }

    // Up to 38 digits fit a `u128`.
    if count <= 38 {
        let small = append(append(0, &digits[..whole]), fraction);
        if small == 0 {
            return Some(Float::zero(negative, precision));
        }
        let length = 128 - i64::from(small.leading_zeros());
        i32::try_from(exp2 + length).ok()?;
        // The division rounds at full precision. A lower precision would be rounded twice.
        if let Ok(power @ 0..=55) = u32::try_from(-exp5)
            && precision == MAX_PRECISION
        {
            // Both operands are exact, so only the division rounds.
            let mut float = match power {
                0..=27 => Float::quotient(small, POWERS_OF_FIVE[power as usize], negative, MAX_PRECISION),
                _ => Float::from_u128(small, negative, MAX_PRECISION).div(&Float::from_u128(
                    5u128.pow(power),
                    false,
                    MAX_PRECISION,
                ))?,
            };
            float.exp = i32::try_from(i64::from(float.exp) + exp2).ok()?;
            return Some(float);
        }
    }
    let mut text: Vec<u8> = digits[..mantissa_end].iter().copied().filter(|byte| *byte != b'.').collect();
    let dropped = shorten(&mut text);
    (exp2, exp5) = (exp2.checked_add(dropped)?, exp5.checked_add(dropped)?);
    let mantissa = UBig::from_str_radix(std::str::from_utf8(&text).ok()?, 10).ok()?;
    if mantissa.is_zero() {
        return Some(Float::zero(negative, precision));
    }
    i32::try_from(exp2.checked_add(mantissa.bit_len() as i64)?).ok()?;
    Some(scale(negative, mantissa, exp2, exp5, precision))
}

fn leading_digits(text: &[u8]) -> usize {
    let (eights, _) = text.as_chunks();
    let whole = 8 * eights.iter().take_while(|eight| are_digits(**eight)).count();
    whole + text[whole..].iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Returns true if all bytes are digits: the upper half of each is 3, and still is after adding six.
fn are_digits(eight: [u8; 8]) -> bool {
    let bytes = u64::from_le_bytes(eight);
    let raised = bytes.wrapping_add(0x0606_0606_0606_0606);
    (bytes & 0xf0f0_f0f0_f0f0_f0f0) | (raised & 0xf0f0_f0f0_f0f0_f0f0) >> 4 == 0x3333_3333_3333_3333
}

/// The first `N` powers of a number.
const fn powers<const N: usize>(base: u64) -> [u64; N] {
    let mut powers = [1; N];
    let mut at = 1;
    while at < N {
        powers[at] = powers[at - 1] * base;
        at += 1;
    }
    powers
}

const POWERS_OF_FIVE: [u64; 28] = powers(5);
const POWERS_OF_TEN: [u64; 8] = powers(10);

/// Appends digits to a number. Together there must be at most 38 digits.
fn append(number: u128, digits: &[u8]) -> u128 {
    let (eights, rest) = digits.as_chunks();
    let number =
        eights.iter().fold(number, |number, eight| number * 100_000_000 + u128::from(read_eight(*eight)));
    let last = rest.iter().fold(0, |last, digit| last * 10 + u64::from(digit - b'0'));
    number * u128::from(POWERS_OF_TEN[rest.len()]) + u128::from(last)
}

/// The value of eight digits, computed by combining neighbors in parallel: to pairs, to fours, to all eight.
fn read_eight(digits: [u8; 8]) -> u64 {
    let ones = u64::from_le_bytes(digits) & 0x0f0f_0f0f_0f0f_0f0f;
    let pairs = (ones * 10 + (ones >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    (fours * 10_000 + (fours >> 32)) & 0xffff_ffff
}

/// Removes the digits of very long text that cannot matter, except for a last digit 1 if any of them is not zero.
/// Returns the number of places removed. This is necessary because exact arithmetic on all digits is not linear.
fn shorten(text: &mut Vec<u8>) -> i64 {
    let zeros = text.iter().take_while(|digit| **digit == b'0').count();
    let length = text.len();
    if length - zeros <= LONGEST_EXACT {
        return 0;
    }
    let rest = text.split_off(zeros + LONGEST_EXACT);
    if rest.iter().any(|digit| *digit != b'0') {
        text.push(b'1');
    }
    (length - text.len()) as i64
}

fn exponent(digits: &[u8]) -> Option<i64> {
    let (negative, digits) = match digits {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0i64;
    for byte in digits {
        if !byte.is_ascii_digit() {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(i64::from(byte - b'0'))?;
    }
    Some(if negative { -value } else { value })
}

/// `mantissa × 2^exp2 × 5^exp5`, rounded.
fn scale(negative: bool, mantissa: UBig, exp2: i64, exp5: i64, precision: u16) -> Float {
    if exp5 >= 0 {
        let (power, shift) = power_of_five(exp5.unsigned_abs());
        return from_big(negative, &(mantissa * power), exp2.saturating_add(shift), false, precision);
    }
    let (power, shift) = power_of_five(exp5.unsigned_abs());
    // Enough bits that the quotient has more than the precision.
    let wanted = power.bit_len() + APPROXIMATE_BITS;
    let lift = wanted.saturating_sub(mantissa.bit_len());
    let dividend = mantissa << lift;
    let quotient = &dividend / &power;
    let rest = dividend != &quotient * &power;
    from_big(negative, &quotient, exp2.saturating_sub(lift as i64).saturating_sub(shift), rest, precision)
}

/// `5^n` as an integer and an exponent of two. Exact if it is short, otherwise only its leading bits.
pub(super) fn power_of_five(n: u64) -> (UBig, i64) {
    if n <= EXACT_EXPONENT.unsigned_abs() {
        return (UBig::from(5u8).pow(n as usize), 0);
    }
    let (mut power, mut power_shift) = (UBig::ONE, 0i64);
    let (mut base, mut base_shift) = (UBig::from(5u8), 0i64);
    let mut n = n;
    loop {
        if n & 1 == 1 {
            power *= &base;
            power_shift = power_shift.saturating_add(base_shift);
            power_shift = power_shift.saturating_add(trim(&mut power));
        }
        n >>= 1;
        if n == 0 {
            return (power, power_shift);
        }
        base = base.sqr();
        base_shift = base_shift.saturating_mul(2);
        base_shift = base_shift.saturating_add(trim(&mut base));
    }
}

/// Keeps the leading bits, and returns how many were dropped.
fn trim(value: &mut UBig) -> i64 {
    let excess = value.bit_len().saturating_sub(APPROXIMATE_BITS);
    if excess > 0 {
        *value >>= excess;
    }
    excess as i64
}

fn from_big(negative: bool, value: &UBig, exp2: i64, sticky: bool, precision: u16) -> Float {
    const WIDE: usize = LIMBS + 1;
    let length = value.bit_len();
    let drop = length.saturating_sub(WIDE * 64);
    let sticky = sticky || (drop > 0 && value.trailing_zeros().is_some_and(|zeros| zeros < drop));
    let kept = value >> drop;
    let mut limbs = [0u64; WIDE];
    for (limb, bytes) in limbs.iter_mut().zip(kept.to_le_bytes().chunks(8)) {
        let mut whole = [0u8; 8];
        whole[..bytes.len()].copy_from_slice(bytes);
        *limb = u64::from_le_bytes(whole);
    }
    let exp = exp2.saturating_add(drop as i64).saturating_add(64 * WIDE as i64);
    round(negative, &limbs, exp, sticky, precision)
}

/// The binary exponent of a million decimal digits. A few bytes of text can denote numbers with many more, which
/// are printed with an exponent.
const LONGEST_PLAIN: i32 = 3_321_928;

/// Returns true if the float is printed without an exponent.
pub(super) fn is_plain(float: &Float) -> bool {
    float.form != Form::Finite || float.exp.abs() <= LONGEST_PLAIN
}

/// Prints a float without an exponent, unless it has more than a million digits.
pub(super) fn plain(float: &Float) -> String {
    let sign = if float.negative { "-" } else { "" };
    match float.form {
        Form::Zero => format!("{sign}0"),
        Form::Infinite => if float.negative { "-Inf" } else { "+Inf" }.to_owned(),
        Form::Finite if !is_plain(float) => format!("{sign}{}", scientific(&shortest(float))),
        Form::Finite => format!("{sign}{}", positional(&shortest(float))),
    }
}

/// Returns true if two nonzero floats of the same sign print the same, without printing a million zeros.
pub(super) fn print_alike(a: &Float, b: &Float) -> bool {
    if a.form != Form::Finite || b.form != Form::Finite {
        return a.form == b.form;
    }
    let (x, y) = (shortest(a), shortest(b));
    is_plain(a) == is_plain(b) && x.point == y.point && x.digits == y.digits
}

/// Compares two nonzero floats of the same sign by the decimals that they print as. If the decimals are equal but only one
/// is printed with an exponent, which makes them different in [`print_alike`], that one is greater in magnitude.
pub(super) fn compare_printed(a: &Float, b: &Float) -> Ordering {
    if a.form != Form::Finite || b.form != Form::Finite {
        return a.compare(b);
    }
    let (x, y) = (shortest(a), shortest(b));
    let size = x.point.cmp(&y.point).then_with(|| x.digits.cmp(&y.digits));
    let size = size.then_with(|| is_plain(b).cmp(&is_plain(a)));
    if a.negative { size.reverse() } else { size }
}

/// The digits of a finite float, the position of the point, and the sign: equal for floats that print alike.
pub(super) fn printed(float: &Float) -> (bool, Vec<u8>, i64) {
    let Digits { digits, point } = shortest(float);
    (float.negative, digits, point)
}

fn positional(number: &Digits) -> String {
    let Digits { digits, point } = number;
    let text: String = digits.iter().map(|digit| *digit as char).collect();
    if *point <= 0 {
        return format!("0.{}{text}", "0".repeat(point.unsigned_abs() as usize));
    }
    let whole = *point as usize;
    if whole >= digits.len() {
        return format!("{text}{}", "0".repeat(whole - digits.len()));
    }
    format!("{}.{}", &text[..whole], &text[whole..])
}

/// Prints a float with ten significant digits, with an exponent for large and small numbers. The reference
/// orders the elements of sets by this text.
pub(super) fn ten_digits(float: &Float) -> String {
    let sign = if float.negative { "-" } else { "" };
    if float.form != Form::Finite {
        return plain(float);
    }
    let number = rounded(float, 10);
    let exponent = number.point - 1;
    let count = number.digits.len() as i64;
    let limit = if count < 10 && count >= number.point { count } else { 10 };
    if exponent < -4 || exponent >= limit {
        return format!("{sign}{}", scientific(&number));
    }
    format!("{sign}{}", positional(&number))
}

fn scientific(number: &Digits) -> String {
    let text: String = number.digits.iter().map(|digit| *digit as char).collect();
    let (first, rest) = text.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let exponent = number.point - 1;
    let mark = if exponent < 0 { '-' } else { '+' };
    format!("{first}{point}{rest}e{mark}{:02}", exponent.abs())
}
