//! The range of numbers, which is the same in both syntaxes.

/// Returns true if the floats of the information model can represent these digits (up to the exponent) times ten to the
/// power of `exponent`. Their binary exponent has 32 bits, and the reference adds up both exponents.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "an estimate within one bit is enough; it is exact up to fifteen digits"
)]
pub(crate) fn fits(digits: &[u8], exponent: i64) -> bool {
    let digits = digits.iter().take_while(|byte| !matches!(byte, b'e' | b'E')).filter(|&&byte| byte != b'.');
    let (mut count, mut leading) = (0_u32, 0_u64);
    for &digit in digits.skip_while(|&&byte| byte == b'0') {
        if count < 15 {
            leading = leading * 10 + u64::from(digit - b'0');
        }
        count += 1;
    }
    let bits = match count {
        0 => return true,
        1..=15 => i64::from(u64::BITS - leading.leading_zeros()),
        _ => ((leading as f64).log2() + f64::from(count - 15) * std::f64::consts::LOG2_10) as i64 + 1,
    };
    i32::try_from(bits.saturating_add(exponent)).is_ok()
}
