//! The values of YAML scalars: plain scalars by their syntax, others by their tag.

use hclkit_value::{Error, Number, Type, Value};

use super::Numbers;
use crate::datetime::Timestamp;
use crate::encoding::from_base64;

/// Returns the value of a quoted scalar, which is a string. Like the reference, a tag of another type is only checked
/// against the first character.
pub(super) fn quoted(text: &str, tag: Option<&str>) -> Result<Value, Error> {
    let starts_a_form = |first: char| "+-.~yYnNtTfFoO".contains(first) || first.is_ascii_digit();
    match tag {
        Some("int" | "float" | "bool" | "null" | "timestamp")
            if text.chars().next().is_none_or(starts_a_form) =>
        {
            Ok(Value::from(text))
        }
        None => Ok(Value::from(text)),
        Some(tag) => without_form(text, tag),
    }
}

/// Returns the value of a block scalar. Without a tag, the reference resolves it like a plain scalar and converts the
/// result to a string.
pub(super) fn block(text: &str, tag: Option<&str>, numbers: Numbers) -> Result<Value, Error> {
    let value = plain(text, tag, numbers)?;
    if tag.is_none() { value.convert(&Type::String) } else { Ok(value) }
}

/// Returns the value of a plain scalar.
pub(super) fn plain(text: &str, tag: Option<&str>, numbers: Numbers) -> Result<Value, Error> {
    let found = match tag {
        None | Some("timestamp") => by_form(text, numbers)?.or_else(|| timestamp(text).map(Value::from)),
        Some("int" | "float") => {
            let digits = text.replace('_', "");
            let found = with_sign(&digits, |digits| prefixed(digits, &[("0x", 16), ("0o", 8), ("0b", 2)]))?;
            found.map_or_else(|| by_form(&digits, numbers), |number| Ok(Some(number)))?
        }
        Some("bool" | "null") => by_form(text, numbers)?,
        Some(_) => None,
    };
    match (found, tag) {
        (Some(value), _) => Ok(value),
        (None, None) => Ok(Value::from(text)),
        (None, Some(tag)) => without_form(text, tag),
    }
}

/// Applies a tag to text that has no syntax of its own.
fn without_form(text: &str, tag: &str) -> Result<Value, Error> {
    match tag {
        "str" => Ok(Value::from(text)),
        // The reference validates binary data but does not decode it.
        "binary" => from_base64(text).map(|_| Value::from(text)),
        "null" => Ok(Value::NULL),
        "int" | "float" | "bool" | "timestamp" => {
            Err(Error::new(format!("cannot parse {text:?} as {tag:?}")))
        }
        _ => Err(Error::new(format!("the tag {tag:?} is not supported for scalars"))),
    }
}

/// Resolves a plain scalar by its syntax. Returns `None` for strings and timestamps.
fn by_form(text: &str, numbers: Numbers) -> Result<Option<Value>, Error> {
    Ok(Some(match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::NULL,
        "true" | "True" | "TRUE" | "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Value::TRUE,
        "false" | "False" | "FALSE" | "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => Value::FALSE,
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Value::from(Number::infinity()),
        "-.inf" | "-.Inf" | "-.INF" => Value::from(Number::neg_infinity()),
        ".nan" | ".NaN" | ".NAN" => return Err(Error::new("\"not a number\" is not supported")),
        _ => {
            let text = match numbers {
                Numbers::Yaml11 if !text.starts_with('_') => &*text.replace('_', ""),
                _ => text,
            };
            let number = match numbers {
                Numbers::Yaml11 => binary(text)?,
                Numbers::Yaml12 => prefixed(text, &[("0x", 16), ("0o", 8)])?,
            };
            if number.is_some() {
                return Ok(number);
            }
            if is_decimal(text) {
                let number = text.parse::<Number>().ok().filter(|number| !number.is_infinite());
                let number = number.ok_or_else(|| Error::new(format!("the number {text} is too large")))?;
                return Ok(Some(Value::from(number)));
            }
            return Ok(None);
        }
    }))
}

/// Parses a binary number. As in the reference, `+` is not a sign of one.
fn binary(text: &str) -> Result<Option<Value>, Error> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.starts_with("0b") {
        return Ok(None);
    }
    let number = prefixed(digits, &[("0b", 2)])?;
    let number = number.ok_or_else(|| Error::new(format!("{text:?} is not a binary number")))?;
    if digits.len() < text.len() { number.negate().map(Some) } else { Ok(Some(number)) }
}

fn with_sign(
    text: &str,
    read: impl Fn(&str) -> Result<Option<Value>, Error>,
) -> Result<Option<Value>, Error> {
    match text.strip_prefix('-') {
        Some(digits) => read(digits)?.map(|number| number.negate()).transpose(),
        None => read(text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Parses an integer of at most 64 bits after the prefix of its base.
fn prefixed(text: &str, bases: &[(&str, u32)]) -> Result<Option<Value>, Error> {
    for (prefix, base) in bases {
        let Some(digits) = text.strip_prefix(prefix) else { continue };
        if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(*base)) {
            return Ok(None);
        }
        let number = u64::from_str_radix(digits, *base);
        return number
            .map(|number| Some(Value::from(number)))
            .map_err(|_| Error::new(format!("the number {text} does not fit in 64 bits")));
    }
    Ok(None)
}

/// Returns true for a decimal number: an optional sign, digits with an optional point, and an optional exponent.
fn is_decimal(text: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = |text: &str| -> usize { usize::from(text.starts_with(['+', '-'])) };
    let text = &text[unsigned(text)..];
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(&exponent[unsigned(exponent)..])),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|exponent| !exponent.is_empty() && digits(exponent))
}

/// Converts a timestamp in one of the YAML 1.1 formats to RFC 3339. Parts can have fewer digits.
fn timestamp(text: &str) -> Option<String> {
    let (date, time) = match text.find(|sign: char| !sign.is_ascii_digit() && sign != '-') {
        Some(at) => (&text[..at], &text[at..]),
        None => (text, ""),
    };
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, two_digits(parts.next()?)?, two_digits(parts.next()?)?);
    if parts.next().is_some() || year.len() != 4 {
        return None;
    }
    let (clock, offset) = match time {
        "" => ("0:0:0", "Z"),
        _ if time.starts_with(['T', 't']) => {
            let at = time.find(['Z', '+', '-'])?;
            (&time[1..at], &time[at..])
        }
        _ if time.starts_with(' ') => (time.trim_start_matches(' '), "Z"),
        _ => return None,
    };
    let (clock, fraction) =
        clock.split_once(['.', ',']).map_or((clock, None), |(clock, part)| (clock, Some(part)));
    if fraction.is_some_and(|part| part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit())) {
        return None;
    }
    let mut parts = clock.split(':');
    let (hour, minute, second) =
        (two_digits(parts.next()?)?, two_digits(parts.next()?)?, two_digits(parts.next()?)?);
    if parts.next().is_some() {
        return None;
    }
    let whole = format!("{year}-{month}-{day}T{hour}:{minute}:{second}{offset}");
    Some(Timestamp::parse(&whole).ok()?.rfc3339())
}

/// Pads one or two digits to two.
fn two_digits(part: &str) -> Option<String> {
    let fits = matches!(part.len(), 1 | 2) && part.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| format!("{part:0>2}"))
}
