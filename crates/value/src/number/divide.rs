//! Long division of limbs (Knuth's algorithm D), with the hardware's division replaced by a
//! multiplication with the divisor's reciprocal (Möller and Granlund, "Improved division by invariant
//! integers"), because 128 by 64 bits has no cheap portable form.

use super::float::add_carry;

/// The reciprocal of a limb whose highest bit is set: `(2^128 - 1) / d - 2^64`.
pub(super) fn reciprocal(d: u64) -> u64 {
    (u128::MAX / u128::from(d)) as u64
}

/// Divides `high·2^64 + low` by `d`, given `high < d` and the reciprocal of `d`.
pub(super) fn divide_two(high: u64, low: u64, d: u64, reciprocal: u64) -> (u64, u64) {
    let q = u128::from(reciprocal) * u128::from(high) + (u128::from(high) << 64 | u128::from(low));
    let (mut quotient, fraction) = (((q >> 64) as u64).wrapping_add(1), q as u64);
    let mut rest = low.wrapping_sub(quotient.wrapping_mul(d));
    if rest > fraction {
        quotient = quotient.wrapping_sub(1);
        rest = rest.wrapping_add(d);
    }
    if rest >= d {
        quotient = quotient.wrapping_add(1);
        rest -= d;
    }
    (quotient, rest)
}

/// Divides in place: `dividend` is left holding the remainder. The divisor's highest bit is set, the
/// dividend's highest limb is smaller than the divisor's, and `quotient` has room for
/// `dividend.len() - divisor.len()` limbs.
pub(super) fn divide_limbs(dividend: &mut [u64], divisor: &[u64], quotient: &mut [u64]) {
    let n = divisor.len();
    let top = divisor[n - 1];
    let inverse = reciprocal(top);
    if n == 1 {
        let mut rest = dividend[dividend.len() - 1];
        for (limb, quotient) in dividend.iter_mut().zip(quotient).rev() {
            (*quotient, rest) = divide_two(rest, *limb, top, inverse);
            *limb = 0;
        }
        dividend[0] = rest;
        return;
    }
    let second = divisor[n - 2];
    for j in (0..dividend.len() - n).rev() {
        let (high, next) = (dividend[j + n], dividend[j + n - 1]);
        let mut guess;
        if high >= top {
            guess = u64::MAX;
        } else {
            let mut rest;
            (guess, rest) = divide_two(high, next, top, inverse);
            // At most two steps: the guess from one limb is never further off.
            while u128::from(guess) * u128::from(second)
                > (u128::from(rest) << 64 | u128::from(dividend[j + n - 2]))
            {
                guess -= 1;
                let (sum, over) = rest.overflowing_add(top);
                rest = sum;
                if over {
                    break;
                }
            }
        }
        // What is to be taken off next: the product's upper half and the borrow, which fit one limb.
        let mut carry = 0u64;
        for (limb, place) in divisor.iter().zip(&mut dividend[j..]) {
            let product = u128::from(guess) * u128::from(*limb) + u128::from(carry);
            let (difference, borrow) = place.overflowing_sub(product as u64);
            *place = difference;
            carry = (product >> 64) as u64 + u64::from(borrow);
        }
        let (difference, borrow) = dividend[j + n].overflowing_sub(carry);
        dividend[j + n] = difference;
        if borrow {
            // The guess was one too large, which is rare.
            guess -= 1;
            let mut carry = false;
            for (limb, place) in divisor.iter().zip(&mut dividend[j..]) {
                (*place, carry) = add_carry(*place, *limb, carry);
            }
            dividend[j + n] = dividend[j + n].wrapping_add(u64::from(carry));
        }
        quotient[j] = guess;
    }
}
