//! Durations in the format of Go's `time.Duration`, which configuration languages based on HCL use: `1h30m`, `-1.5s`.

use std::time::Duration;

use super::{FromValue, IntoValue, text};
use crate::{Error, Value};

const SECOND: u128 = 1_000_000_000;

/// Parses a duration in Go's format, such as `1h30m`, `1.5s` or `-15m`, and returns nanoseconds. The units are `h`, `m`,
/// `s`, `ms`, `us` (also `µs`) and `ns`. Numbers may have a fraction; fractions of a nanosecond are dropped.
///
/// ```
/// use hclkit_value::parse_duration;
///
/// assert_eq!(parse_duration("-1.5s")?, -1_500_000_000);
/// assert_eq!(parse_duration("1x").unwrap_err().to_string(), r#""1x" is not a valid duration: "x" is not a known unit"#);
/// # Ok::<(), hclkit_value::Error>(())
/// ```
///
/// # Errors
/// The text has another format, or the duration does not fit an `i64`.
pub fn parse_duration(text: &str) -> Result<i64, Error> {
    let (negative, size) = parse_nanoseconds(text)?;
    let nanoseconds = i128::try_from(size).ok().map(|size| if negative { -size } else { size });
    nanoseconds.and_then(|nanoseconds| i64::try_from(nanoseconds).ok()).ok_or_else(|| invalid(text))
}

fn invalid(text: &str) -> Error {
    Error::new(format!("{text:?} is not a valid duration"))
}

/// Nanoseconds, and true if they are negative. Zero is not negative.
fn parse_nanoseconds(text: &str) -> Result<(bool, u128), Error> {
    let invalid = || invalid(text);
    let (negative, mut rest) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    if rest == "0" {
        return Ok((false, 0));
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total = 0u128;
    while !rest.is_empty() {
        let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (whole, after) = rest.split_at(digits(rest));
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => after.split_at(digits(after)),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return Err(invalid());
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let unit: u64 = match unit {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            "" => return Err(Error::new(format!("{text:?} is not a valid duration: the unit is missing"))),
            _ => {
                let message = format!("{text:?} is not a valid duration: {unit:?} is not a known unit");
                return Err(Error::new(message));
            }
        };
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| invalid())? };
        let (fraction, scale) = leading_digits(fraction);
        let part = fraction as f64 * (unit as f64 / scale);
        let sum = u128::from(whole) * u128::from(unit) + part as u128;
        total = total.checked_add(sum).ok_or_else(invalid)?;
        rest = after;
    }
    Ok((negative && total > 0, total))
}

/// The leading digits of a fraction that fit 63 bits, as a whole number, and the number to divide it by.
fn leading_digits(fraction: &str) -> (u64, f64) {
    let (mut number, mut scale) = (0_u64, 1.0);
    for digit in fraction.bytes().map(|byte| u64::from(byte - b'0')) {
        let longer = number.checked_mul(10).and_then(|number| number.checked_add(digit));
        let Some(longer) = longer.filter(|number| *number <= 1 << 63) else { break };
        (number, scale) = (longer, scale * 10.0);
    }
    (number, scale)
}

/// A duration in the format in which Go prints it: `1h30m0s`, `1.5s`, `250ms`, `0s`.
fn format_duration(duration: Duration) -> String {
    let nanoseconds = duration.as_nanos();
    let small = match nanoseconds {
        0 => return "0s".to_owned(),
        1..1_000 => Some((1, "ns")),
        1_000..1_000_000 => Some((1_000, "µs")),
        1_000_000..SECOND => Some((1_000_000, "ms")),
        _ => None,
    };
    if let Some((unit, name)) = small {
        return format!("{}{name}", with_fraction(nanoseconds, unit));
    }
    let (minutes, rest) = (nanoseconds / (60 * SECOND), nanoseconds % (60 * SECOND));
    let seconds = with_fraction(rest, SECOND);
    match (minutes / 60, minutes % 60) {
        (0, 0) => format!("{seconds}s"),
        (0, minutes) => format!("{minutes}m{seconds}s"),
        (hours, minutes) => format!("{hours}h{minutes}m{seconds}s"),
    }
}

/// Nanoseconds converted to a unit, with all decimal places that are not trailing zeros.
fn with_fraction(nanoseconds: u128, unit: u128) -> String {
    let (whole, fraction) = (nanoseconds / unit, nanoseconds % unit);
    if fraction == 0 {
        return whole.to_string();
    }
    let places = unit.ilog10() as usize;
    let digits = format!("{fraction:0places$}");
    format!("{whole}.{}", digits.trim_end_matches('0'))
}

/// Reads a string in Go's format, such as `1h30m`.
///
/// ```
/// use std::time::Duration;
/// use hclkit_value::{FromValue, Value};
///
/// assert_eq!(Duration::from_value(&Value::from("1h30m"))?, Duration::from_secs(5400));
/// assert_eq!(Value::from(Duration::from_millis(1500)), Value::from("1.5s"));
///
/// let error = Duration::from_value(&Value::from("-1s")).unwrap_err();
/// assert_eq!(error.to_string(), "expected a duration that is not negative, found -1s");
/// # Ok::<(), hclkit_value::Error>(())
/// ```
#[doc(hidden)]
impl FromValue for Duration {
    fn from_value(value: &Value) -> Result<Self, Error> {
        let text = text(value)?;
        let (negative, nanoseconds) = parse_nanoseconds(text)?;
        if negative {
            return Err(Error::new(format!("expected a duration that is not negative, found {text}")));
        }
        let seconds = u64::try_from(nanoseconds / SECOND).map_err(|_| invalid(text))?;
        Ok(Self::new(seconds, (nanoseconds % SECOND) as u32))
    }
}

/// A string in Go's format, such as `1h30m0s`.
impl From<Duration> for Value {
    fn from(duration: Duration) -> Self {
        Self::from(format_duration(duration))
    }
}

#[doc(hidden)]
impl IntoValue for Duration {
    fn to_value(&self) -> Result<Value, Error> {
        Ok(Value::from(*self))
    }
}
