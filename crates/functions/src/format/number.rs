//! Numbers in format strings. The digits are those of the exact binary value or, without a precision, the shortest that
//! identify the number.

use std::fmt::Write;

use dashu_int::UBig;
use hclkit_value::{Error, Number};

use super::Options;

/// The maximum precision, in digits.
const MOST_DIGITS: usize = 1_000_000;

/// Digits, the first of which is not zero, and how many of them are before the decimal point.
struct Decimal {
    digits: String,
    point: i64,
}

/// The shortest text that identifies the number, with an exponent if it has many zeros.
pub(super) fn shortest(number: &Number) -> String {
    if number.is_infinite() {
        return if number.signum() < 0 { "-Inf" } else { "+Inf" }.to_owned();
    }
    let text = number.to_string();
    let sign = if text.starts_with('-') { "-" } else { "" };
    let digits = general(Decimal::shortest(&text), None, 'e');
    format!("{sign}{digits}")
}

/// Formats a number with a verb.
pub(super) fn write(letter: char, options: &Options, number: &Number, out: &mut String) -> Result<(), Error> {
    if options.precision.is_some_and(|precision| precision > MOST_DIGITS) {
        return Err(Error::new("the precision is too large"));
    }
    if number.is_infinite() {
        return write_infinity(letter, options, number.signum() < 0, out);
    }
    let text = number.to_string();
    if text.contains('e') {
        return Err(Error::new("the number has too many digits"));
    }
    match letter {
        'e' | 'E' | 'f' | 'g' | 'G' => {
            write_float(letter, options, number, &text, out);
            Ok(())
        }
        _ => write_integer(letter, options, number, out),
    }
}

/// Writes an infinity, which is not an integer and is never padded with zeros.
fn write_infinity(letter: char, options: &Options, negative: bool, out: &mut String) -> Result<(), Error> {
    if matches!(letter, 'b' | 'd' | 'o' | 'x' | 'X') {
        return Err(Error::new("a whole number is required"));
    }
    let sign = match negative {
        true => "-",
        false if options.space => " ",
        false => "+",
    };
    fill(sign, "Inf", &Options { zero: false, ..*options }, out);
    Ok(())
}

fn sign(options: &Options, negative: bool) -> &'static str {
    match negative {
        true => "-",
        false if options.plus => "+",
        false if options.space => " ",
        false => "",
    }
}

/// Writes a number padded to the width; zeros go between the sign and the digits.
fn fill(sign: &str, digits: &str, options: &Options, out: &mut String) {
    let missing = options.width.saturating_sub(sign.len() + digits.len());
    let (before, zeros, after) = match (options.zero, options.minus) {
        (true, _) => (0, missing, 0),
        (false, true) => (0, 0, missing),
        (false, false) => (missing, 0, 0),
    };
    out.extend(std::iter::repeat_n(' ', before));
    out.push_str(sign);
    out.extend(std::iter::repeat_n('0', zeros));
    out.push_str(digits);
    out.extend(std::iter::repeat_n(' ', after));
}

fn write_integer(letter: char, options: &Options, number: &Number, out: &mut String) -> Result<(), Error> {
    if !number.is_integer() {
        return Err(Error::new("a whole number is required"));
    }
    let (mantissa, exponent) = exact(number);
    let size = scaled(&mantissa, exponent, 0);
    let is_zero = number.signum() == 0;
    let (radix, prefix) = match letter {
        'b' => (2, "0b"),
        'o' => (8, "0"),
        'x' => (16, "0x"),
        'X' => (16, "0X"),
        _ => (10, ""),
    };
    let mut digits = match options.precision {
        Some(0) if is_zero => return Ok(()),
        _ => size.in_radix(radix).to_string(),
    };
    if letter == 'X' {
        digits.make_ascii_uppercase();
    }
    if let Some(precision) = options.precision {
        digits.insert_str(0, &"0".repeat(precision.saturating_sub(digits.len())));
    }
    let sign = sign(options, number.signum() < 0).to_owned() + if options.sharp { prefix } else { "" };
    let zero = options.zero && !options.minus && options.precision.is_none();
    fill(&sign, &digits, &Options { zero, ..*options }, out);
    Ok(())
}

fn write_float(letter: char, options: &Options, number: &Number, text: &str, out: &mut String) {
    let precision = options.precision.unwrap_or(6);
    let digits = match letter {
        'f' => {
            let (mantissa, exponent) = exact(number);
            fixed(&scaled(&mantissa, exponent, precision as i64).to_string(), precision)
        }
        'e' | 'E' => scientific(&Decimal::rounded(number, text, precision + 1), precision, letter),
        _ => {
            let exponent_letter = if letter == 'g' { 'e' } else { 'E' };
            let precision = options.precision.map(|precision| precision.max(1));
            let decimal = match precision {
                None => Decimal::shortest(text),
                Some(precision) => Decimal::rounded(number, text, precision),
            };
            general(decimal, precision, exponent_letter)
        }
    };
    fill(sign(options, text.starts_with('-')), &digits, options, out);
}

/// Returns the zeros that pad `digits` to `width`. Rust's own formatting supports widths up to 65,535 only.
fn zeros(width: usize, digits: &str) -> impl Iterator<Item = char> {
    std::iter::repeat_n('0', width.saturating_sub(digits.len()))
}

/// Inserts the decimal point into the digits of a number that was scaled to an integer.
fn fixed(digits: &str, precision: usize) -> String {
    if precision == 0 {
        return digits.to_owned();
    }
    let missing = (precision + 1).saturating_sub(digits.len());
    let padded = "0".repeat(missing) + digits;
    let (whole, fraction) = padded.split_at(padded.len() - precision);
    format!("{whole}.{fraction}")
}

/// Formats one digit before the point and `precision` digits after it.
fn scientific(decimal: &Decimal, precision: usize, letter: char) -> String {
    let digits = &decimal.digits;
    let (first, rest) = if digits.is_empty() { ("0", "") } else { digits.split_at(1) };
    let mut out = first.to_owned();
    if precision > 0 {
        out.push('.');
        out.push_str(rest);
        out.extend(zeros(precision, rest));
    }
    let exponent = if digits.is_empty() { 0 } else { decimal.point - 1 };
    let sign = if exponent < 0 { '-' } else { '+' };
    let _ = write!(out, "{letter}{sign}{:02}", exponent.abs());
    out
}

/// Formats with an exponent if the number is very small, or larger than its digits show.
fn general(mut decimal: Decimal, precision: Option<usize>, letter: char) -> String {
    let kept = decimal.digits.trim_end_matches('0').len();
    decimal.digits.truncate(kept);
    let count = decimal.digits.len();
    if count == 0 {
        return "0".to_owned();
    }
    let most = match precision {
        None => 6,
        Some(precision) if precision > count && count as i64 >= decimal.point => count as i64,
        Some(precision) => precision as i64,
    };
    let exponent = decimal.point - 1;
    if exponent < -4 || exponent >= most {
        return scientific(&decimal, count - 1, letter);
    }
    let digits = decimal.digits;
    match usize::try_from(decimal.point) {
        Ok(point) if point >= count => digits.chars().chain(zeros(point, &digits)).collect(),
        Ok(point) if point > 0 => format!("{}.{}", &digits[..point], &digits[point..]),
        _ => format!("0.{}{digits}", "0".repeat(decimal.point.unsigned_abs() as usize)),
    }
}

impl Decimal {
    /// Parses plain decimal text.
    fn shortest(text: &str) -> Self {
        let text = text.trim_start_matches('-');
        // Numbers with very many digits have an exponent.
        let (text, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let exponent = exponent.parse::<i64>().unwrap_or(0);
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0');
        let point = whole.len() as i64 - (all.len() - digits.len()) as i64 + exponent;
        Self { digits: digits.trim_end_matches('0').to_owned(), point }
    }

    /// Rounds the number once, to `count` digits.
    fn rounded(number: &Number, text: &str, count: usize) -> Self {
        let mut decimal = Self::shortest(text);
        if decimal.digits.is_empty() {
            return decimal;
        }
        let (mantissa, exponent) = exact(number);
        decimal.digits = scaled(&mantissa, exponent, count as i64 - decimal.point).to_string();
        if decimal.digits.len() > count {
            decimal.digits.truncate(count);
            decimal.point += 1;
        }
        decimal
    }
}

/// Returns the magnitude of a finite number as an integer times a power of two.
fn exact(number: &Number) -> (UBig, i64) {
    let mut rest = number.abs().widened();
    if let Some(small) = rest.to_i128() {
        return (UBig::from(small.unsigned_abs()), 0);
    }
    let mut exponent = 0;
    let (up, down) = powers();
    let limit = up.clone();
    // Scale fractions of up to 512 bits to integers, and remove trailing zero bits from long integers.
    while !rest.is_integer() {
        rest = rest.multiply(&up).unwrap_or(Number::ZERO);
        exponent -= STEP;
    }
    while rest.compare(&limit).is_ge() {
        rest = rest.multiply(&down).unwrap_or(Number::ZERO);
        exponent += STEP;
        if !rest.is_integer() {
            rest = rest.multiply(&up).unwrap_or(Number::ZERO);
            exponent -= STEP;
            break;
        }
    }
    let mut limbs = Vec::new();
    let limb = Number::from(1u128 << LIMB);
    while rest.signum() != 0 {
        let low = rest.modulo(&limb).unwrap_or(Number::ZERO);
        limbs.push(low.to_i128().unwrap_or(0));
        rest = rest.subtract(&low).and_then(|rest| rest.divide(&limb)).unwrap_or(Number::ZERO);
    }
    let mantissa =
        limbs.iter().rev().fold(UBig::ZERO, |sum, low| (sum << LIMB) + UBig::from(low.unsigned_abs()));
    (mantissa, exponent)
}

/// The number of bits extracted at once.
const LIMB: usize = 96;

/// The change of the binary exponent in one step of [`exact`].
const STEP: i64 = 512;

/// 2⁵¹² and its inverse.
fn powers() -> (Number, Number) {
    let mut power = Number::ONE.add(&Number::ONE).unwrap_or(Number::ONE);
    for _ in 0..STEP.ilog2() {
        power = power.multiply(&power).unwrap_or(Number::ONE);
    }
    let inverse = Number::ONE.divide(&power).unwrap_or(Number::ONE);
    (power, inverse)
}

/// Multiplies a number by a power of ten and rounds to the nearest integer, ties to even.
fn scaled(mantissa: &UBig, exponent: i64, tens: i64) -> UBig {
    let power = |base: u8, exponent: i64| UBig::from(base).pow(usize::try_from(exponent).unwrap_or(0));
    let above = mantissa * (UBig::ONE << usize::try_from(exponent).unwrap_or(0)) * power(10, tens);
    let below = (UBig::ONE << usize::try_from(-exponent).unwrap_or(0)) * power(10, -tens);
    let (whole, rest) = (&above / &below, &above % &below);
    let twice = rest * UBig::from(2u8);
    let up = twice > below || (twice == below && &whole % UBig::from(2u8) == UBig::ONE);
    if up { whole + UBig::ONE } else { whole }
}
