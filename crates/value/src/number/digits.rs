//! The decimal digits of a float: the shortest ones that parse as the same float at its precision, or a given number
//! of digits. Uses integers of fixed width for moderate exponents, and big integers for others.

use std::cmp::Ordering;

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::decimal::power_of_five;
use super::divide::divide_two;
use super::float::{Float, LIMBS, MAX_PRECISION, add_carry, sub_borrow};

/// The mantissa as an integer, and the exponent of its lowest bit.
fn to_big(float: &Float) -> (UBig, i64) {
    let mut bytes = [0u8; LIMBS * 8];
    for (chunk, limb) in bytes.chunks_mut(8).zip(float.mantissa) {
        chunk.copy_from_slice(&limb.to_le_bytes());
    }
    (UBig::from_le_bytes(&bytes), i64::from(float.exp) - i64::from(MAX_PRECISION))
}

/// Significant decimal digits without trailing zeros: the number is `0.digits × 10^point`.
pub(super) struct Digits {
    pub(super) digits: Vec<u8>,
    pub(super) point: i64,
}

/// The shortest digits within half a unit in the last place of the float. The interval includes its ends
/// if the last bit is even, because ties round to even.
pub(super) fn shortest(float: &Float) -> Digits {
    few_places(float).unwrap_or_else(|| shortest_of_any(float))
}

/// The digits of a number of full precision with few decimal places, the most common case. If such a decimal rounds to
/// this float, no other decimal nearby is as short.
fn few_places(float: &Float) -> Option<Digits> {
    const PLACES: u32 = 9;
    if float.precision != MAX_PRECISION || !(-32..=32).contains(&float.exp) {
        return None;
    }
    let scaled = u128::from(float.mantissa[LIMBS - 1]) * u128::from(10u64.pow(PLACES));
    let shift = (64 - float.exp) as u32;
    // The lower limbs contribute less than a quarter.
    let nearest = (scaled + (1 << (shift - 1))) >> shift;
    if nearest == 0 {
        return None;
    }
    let same = Float::quotient(nearest, 10u64.pow(PLACES), float.negative, MAX_PRECISION);
    if same.exp != float.exp || same.mantissa != float.mantissa {
        return None;
    }
    let digits = nearest.to_string().into_bytes();
    let point = digits.len() as i64 - i64::from(PLACES);
    Some(trimmed(digits, point))
}

fn shortest_of_any(float: &Float) -> Digits {
    let unused = usize::from(MAX_PRECISION - float.precision);
    let last = float.mantissa[unused / 64] >> (unused % 64);
    let inclusive = last & 1 == 0;
    let ([middle, low, high], mut point) =
        fixed_decimals(float).unwrap_or_else(|| long_decimals(float, unused));

    let length = high.len();
    point += length as i64;
    let all_zero = |digits: &[u8]| digits.iter().all(|digit| *digit == b'0');

    // No decimal shorter than the common prefix is between the three, unless one of them ends there.
    let alike = |other: &[u8]| middle.iter().zip(other).take_while(|(a, b)| a == b).count();
    let end = |digits: &[u8]| digits.iter().rposition(|digit| *digit != b'0').map_or(1, |last| last + 1);
    let start = alike(&low).min(alike(&high)).min(end(&low)).min(end(&middle)).max(1);
    let mut digits = middle.clone();
    for n in start..=length {
        if all_zero(&middle[n..]) {
            digits.truncate(n);
            break;
        }
        let differs_below = middle[..n] != low[..n];
        let down = differs_below || (inclusive && all_zero(&low[n..]));
        // Rounding up must stay below the upper end, or reach it if it is inclusive. If an earlier digit differed and
        // the upper end stopped there, rounding up was rejected, and the remaining digits of the upper end are zeros.
        let (digit, bound) = (middle[n - 1], high[n - 1]);
        let up = digit != bound && (inclusive || digit + 1 < bound || !all_zero(&high[n..]));
        let down = down && !all_zero(&middle[..n]);
        if !down && !up {
            continue;
        }
        let nearest_is_up = match middle[n..].split_first() {
            Some((first, rest)) => match first.cmp(&b'5') {
                Ordering::Greater => true,
                Ordering::Less => false,
                Ordering::Equal => !all_zero(rest) || middle[n - 1] % 2 == 1,
            },
            None => false,
        };
        digits.truncate(n);
        if up && (!down || nearest_is_up) {
            raise(&mut digits);
        }
        break;
    }
    trimmed(digits, point)
}

/// The decimal digits of the float, and of half a unit in the last place below and above it, all of one length, and
/// their power of ten. Uses big integers.
fn long_decimals(float: &Float, unused: usize) -> ([Vec<u8>; 3], i64) {
    let (mantissa, exp) = to_big(float);
    // One bit more than the precision, so that the last bit is half a unit.
    let (middle, exp) = if unused == 0 {
        (mantissa << 1usize, exp - 1)
    } else {
        (mantissa >> (unused - 1), exp + unused as i64 - 1)
    };
    let (low, high) = (&middle - UBig::ONE, &middle + UBig::ONE);
    let (middle, low, high, point) = decimals(&middle, &low, &high, exp);
    let pad = |text: &str| [vec![b'0'; high.len() - text.len()], text.as_bytes().to_vec()].concat();
    ([pad(&middle), pad(&low), high.as_bytes().to_vec()], point)
}

/// The exponents of floats that `fixed_decimals` supports.
const FIXED_EXPONENTS: std::ops::RangeInclusive<i32> = -512..=512;
/// Enough limbs for a mantissa of nine limbs times a power of five for these exponents.
const WIDE: usize = 24;

/// Like [`long_decimals`], with integers of fixed width. `None` for exponents outside [`FIXED_EXPONENTS`].
fn fixed_decimals(float: &Float) -> Option<([Vec<u8>; 3], i64)> {
    if !FIXED_EXPONENTS.contains(&float.exp) {
        return None;
    }
    let power = DIGITS - i64::from(float.exp) * 30_103 / 100_000;
    let power = u32::try_from(power).ok()?;
    // The mantissa times 2·5^power. The factor two makes half a unit a whole bit at every precision.
    let mut middle = [0u64; WIDE];
    for (at, limb) in float.mantissa.iter().enumerate() {
        middle[at] |= limb << 1;
        middle[at + 1] = limb >> 63;
    }
    let mut half = [0u64; WIDE];
    let unused = usize::from(MAX_PRECISION - float.precision);
    half[unused / 64] = 1 << (unused % 64);
    let (mut length, mut left) = (LIMBS + 1, power);
    while left > 0 {
        let step = left.min(27);
        let factor = 5u64.pow(step);
        multiply(&mut middle[..=length], factor);
        multiply(&mut half[..=length], factor);
        length += usize::from(middle[length] != 0);
        left -= step;
    }
    let (mut low, mut high) = (middle, middle);
    let (mut borrow, mut carry) = (false, false);
    for ((low, high), half) in low.iter_mut().zip(&mut high).zip(half) {
        (*low, borrow) = sub_borrow(*low, half, borrow);
        (*high, carry) = add_carry(*high, half, carry);
    }
    // The remaining power of two: 2^power and the exponent of the mantissa.
    let shift = i64::from(float.exp) - i64::from(MAX_PRECISION) - 1 + i64::from(power);
    let numbers = [middle, low, high].map(|number| digits_of(number, shift));
    let longest = numbers.iter().map(Vec::len).max().unwrap_or_default();
    let padded = numbers.map(|digits| {
        let mut padded = vec![b'0'; longest - digits.len()];
        padded.extend(digits);
        padded
    });
    Some((padded, -i64::from(power) - 1))
}

fn multiply(limbs: &mut [u64], factor: u64) {
    let mut carry = 0u64;
    for limb in limbs {
        let product = u128::from(*limb) * u128::from(factor) + u128::from(carry);
        *limb = product as u64;
        carry = (product >> 64) as u64;
    }
}

/// The digits of the integer part of a number times a power of two. The last digit is not zero if there is a fraction.
fn digits_of(mut limbs: [u64; WIDE], shift: i64) -> Vec<u8> {
    /// The largest power of ten in a limb. Its highest bit is set, as the division requires.
    const CHUNK: u64 = 10u64.pow(19);
    const RECIPROCAL: u64 = (u128::MAX / CHUNK as u128) as u64;
    let rest = shift_by(&mut limbs, shift);
    let mut chunks = [0u64; WIDE];
    let mut count = 0;
    let mut length = WIDE;
    loop {
        while length > 0 && limbs[length - 1] == 0 {
            length -= 1;
        }
        if length == 0 {
            break;
        }
        let mut over = 0;
        for limb in limbs[..length].iter_mut().rev() {
            (*limb, over) = divide_two(over, *limb, CHUNK, RECIPROCAL);
        }
        chunks[count] = over;
        count += 1;
    }
    let mut digits = vec![b'0'; 19 * count + 1];
    for (chunk, place) in chunks[..count].iter().rev().zip(digits.chunks_exact_mut(19)) {
        let mut chunk = *chunk;
        for digit in place.iter_mut().rev() {
            *digit += (chunk % 10) as u8;
            chunk /= 10;
        }
    }
    if let Some(last) = digits.last_mut() {
        *last += u8::from(rest);
    }
    digits
}

/// Multiplies by a power of two, which must not overflow. Returns true if set bits were shifted out.
fn shift_by(limbs: &mut [u64; WIDE], shift: i64) -> bool {
    let (whole, bits) = ((shift.unsigned_abs() / 64) as usize, (shift.unsigned_abs() % 64) as u32);
    let source = *limbs;
    let at = |at: Option<usize>| at.and_then(|at| source.get(at)).copied().unwrap_or(0);
    for (to, limb) in limbs.iter_mut().enumerate() {
        *limb = if shift >= 0 {
            let low = to.checked_sub(whole + 1);
            at(to.checked_sub(whole)) << bits | at(low).checked_shr(64 - bits).unwrap_or(0)
        } else {
            at(Some(to + whole)) >> bits | at(Some(to + whole + 1)).checked_shl(64 - bits).unwrap_or(0)
        };
    }
    shift < 0 && (source[..whole].iter().any(|limb| *limb != 0) || source[whole] & ((1 << bits) - 1) != 0)
}

/// The digits rounded to `count` significant ones, ties to even.
pub(super) fn rounded(float: &Float, count: usize) -> Digits {
    let (mantissa, exp) = to_big(float);
    let zero = UBig::ZERO;
    let (text, _, _, mut point) = decimals(&mantissa, &zero, &zero, exp);
    point += text.len() as i64;
    let mut digits = text.into_bytes();
    if digits.len() > count {
        let rest = digits.split_off(count);
        let odd = digits[count - 1] % 2 == 1;
        let tie = rest[0] == b'5' && rest[1..].iter().all(|digit| *digit == b'0');
        if (if tie { odd } else { rest[0] >= b'5' }) && raise(&mut digits) {
            digits.insert(0, b'1');
            point += 1;
        }
    }
    trimmed(digits, point)
}

/// Adds one to the last digit. Returns true if the carry overflows the first digit.
fn raise(digits: &mut [u8]) -> bool {
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return false;
        }
        *digit = b'0';
    }
    true
}

fn trimmed(mut digits: Vec<u8>, mut point: i64) -> Digits {
    while digits.last() == Some(&b'0') {
        digits.pop();
    }
    let leading = digits.iter().take_while(|digit| **digit == b'0').count();
    digits.drain(..leading);
    point -= leading as i64;
    Digits { digits, point }
}

/// More digits than are necessary to distinguish adjacent floats of 512 bits.
const DIGITS: i64 = 165;

/// The decimal digits of three integers times `2^exp`, and the power of ten that applies to all of them. Only the
/// leading digits of longer numbers are returned. The last digit is 1 if the omitted rest is not zero.
fn decimals(a: &UBig, b: &UBig, c: &UBig, exp: i64) -> (String, String, String, i64) {
    let length = exp + a.bit_len() as i64;
    let shed = (i128::from(length) * 30_103 / 100_000) as i64 - DIGITS;
    let (power, shift) = power_of_five(shed.unsigned_abs());
    let up = if shed >= 0 { exp - shed - shift } else { exp - shed + shift };
    let digits = |value: &UBig| {
        let (whole, mut rest) = if shed >= 0 {
            // Either the dividend or the divisor is shifted left, so that the division is exact.
            let (dividend, divisor) = if up >= 0 {
                (value << up as usize, power.clone())
            } else {
                (value.clone(), &power << (-up) as usize)
            };
            let whole = &dividend / &divisor;
            let rest = dividend != &whole * &divisor;
            (whole, rest)
        } else {
            let product = value * &power;
            if up >= 0 {
                (product << up as usize, false)
            } else {
                let drop = (-up) as usize;
                let rest = product.trailing_zeros().is_some_and(|zeros| zeros < drop);
                (product >> drop, rest)
            }
        };
        rest |= shift != 0;
        let mut text = whole.to_string();
        text.push(if rest { '1' } else { '0' });
        text
    };
    (digits(a), digits(b), digits(c), shed - 1)
}

#[cfg(test)]
mod tests {
    use super::{FIXED_EXPONENTS, few_places, fixed_decimals, long_decimals, shortest_of_any};
    use crate::number::float::{Float, LIMBS, MAX_PRECISION, round};

    #[test]
    fn few_places_returns_the_shortest_digits() {
        let (mut random, mut found) = (crate::random::numbers(), 0);
        for round in 0..5_000 {
            let (a, b) = ((random() >> 32) | 1, 10u64.pow(round % 13));
            let float = Float::quotient(a.into(), b, round % 2 == 0, MAX_PRECISION);
            let Some(few) = few_places(&float) else { continue };
            let any = shortest_of_any(&float);
            assert_eq!((few.digits, few.point), (any.digits, any.point), "{a} / {b}");
            found += 1;
        }
        assert!(found > 3_000, "{found}");
        let third = Float::quotient(1, 3, false, MAX_PRECISION);
        assert!(few_places(&third).is_none());
    }

    #[test]
    fn fixed_width_and_big_integers_give_the_same_digits() {
        let mut random = crate::random::numbers();
        for exp in FIXED_EXPONENTS {
            for precision in [1, 2, 24, 53, 63, 64, 65, 127, 128, 300, 511, MAX_PRECISION] {
                let mut limbs = [0u64; LIMBS].map(|_| random());
                let zeros = random() as usize % LIMBS;
                limbs[..zeros].fill(0);
                limbs[LIMBS - 1] |= 1 << 63;
                let float = round(false, &limbs, i64::from(exp), false, precision);
                let unused = usize::from(MAX_PRECISION - precision);
                let Some(fixed) = fixed_decimals(&float) else { continue };
                let (mut numbers, point) = long_decimals(&float, unused);
                // The lengths may differ in leading zeros.
                let length = fixed.0[0].len();
                for digits in &mut numbers {
                    let mut padded = vec![b'0'; length.saturating_sub(digits.len())];
                    padded.append(digits);
                    *digits = padded;
                }
                assert_eq!(fixed, (numbers, point), "exponent {exp}, precision {precision}");
            }
        }
    }
}
