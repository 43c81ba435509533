//! Numbers in JSON, with all of their digits. Only this file passes numbers to `serde_json`.

use serde_core::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

/// Serializes a number with these digits, which must be a JSON number.
///
/// # Errors
/// If the result is built in memory, as by [`serde_json::to_value`], and cannot hold all digits.
pub(crate) fn serialize<S: Serializer>(digits: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if digits != "-0"
        && let Ok(integer) = digits.parse::<i64>()
    {
        return serializer.serialize_i64(integer);
    }
    if let Ok(integer) = digits.parse::<u64>() {
        return serializer.serialize_u64(integer);
    }
    // Serializers that write text return nothing. Those that build a value return it, and read the digits of a `RawValue`
    // as a double. There is no other way to distinguish them.
    if size_of::<S::Ok>() == 0 {
        let raw = RawValue::from_string(digits.to_owned()).map_err(S::Error::custom)?;
        return raw.serialize(serializer);
    }
    let wanted = Decimal::of(digits);
    // Two texts can be equally short and equally close to a double. Compare with the one that `serde_json` writes.
    if let Ok(double) = digits.parse::<f64>()
        && let Some(number) = serde_json::Number::from_f64(double)
        && Decimal::of(&number.to_string()) == wanted
    {
        return serializer.serialize_f64(double);
    }
    // Whether it holds more digits depends on the features of `serde_json`, so try it.
    match serde_json::from_str::<serde_json::Number>(digits) {
        Ok(held) if Decimal::of(&held.to_string()) == wanted => held.serialize(serializer),
        _ => Err(S::Error::custom(
            "the number has more digits than `serde_json::Value` can hold without the feature `arbitrary_precision`",
        )),
    }
}

/// The value of a decimal number: ± 0.d₁d₂d₃… × 10ⁿ, where neither the first nor the last digit is zero.
#[derive(PartialEq, Eq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn of(text: &str) -> Option<Self> {
        let (negative, size) = match text.strip_prefix('-') {
            Some(size) => (true, size),
            None => (false, text),
        };
        let (mantissa, exponent) = size.split_once(['e', 'E']).unwrap_or((size, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0');
        let zeros = i64::try_from(all.len() - digits.len()).ok()?;
        let exponent = exponent.parse::<i64>().ok()?.checked_add(i64::try_from(whole.len()).ok()? - zeros)?;
        let digits = digits.trim_end_matches('0').to_owned();
        Some(Self { negative, exponent: if digits.is_empty() { 0 } else { exponent }, digits })
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn different_spellings_of_a_number_are_equal() {
        for same in [["1", "1.0"], ["1e3", "1000"], ["0.001", "1E-3"], ["-12.50", "-125e-1"], ["0", "0e9"]] {
            assert!(Decimal::of(same[0]) == Decimal::of(same[1]), "{same:?}");
        }
        for other in [["1", "10"], ["-0", "0"], ["0.1", "0.10000000000000000000001"], ["1e400", "1e401"]] {
            assert!(Decimal::of(other[0]) != Decimal::of(other[1]), "{other:?}");
        }
    }
}
