//! Long division of limbs (Knuth's algorithm D). Each step multiplies by the divisor's reciprocal (Möller
//! and Granlund, "Improved division by invariant integers"), because there is no cheap portable division
//! of 128 by 64 bits.

use std::cmp::Ordering;

use super::float::{LIMBS, add_carry, sub_borrow};

/// The reciprocal of a limb whose highest bit is set: `(2^128 - 1) / d - 2^64`.
pub(super) fn reciprocal(d: u64) -> u64 {
    (u128::MAX / u128::from(d)) as u64
}

/// The quotient and remainder of `high·2^64 + low` divided by `d`, given `high < d` and the reciprocal of `d`.
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

/// Divides by a limb, three zero limbs at a time.
pub(super) struct Block {
    divisor: u64,
    reciprocal: u64,
    /// The lower limbs of `2^192` divided by the divisor. The highest limb is one.
    quotient: [u64; 2],
    /// The remainder of that division.
    rest: u64,
}

impl Block {
    /// The divisor's highest bit must be set, and another one: with a power of two there is never a remainder.
    pub(super) fn new(divisor: u64, reciprocal: u64) -> Self {
        // The first remainder is that of 2^128, whose quotient is the reciprocal and a limb of one.
        let rest = 0u64.wrapping_sub(reciprocal.wrapping_mul(divisor));
        let (low, rest) = divide_two(rest, 0, divisor, reciprocal);
        Self { divisor, reciprocal, quotient: [low, reciprocal], rest }
    }

    /// Divides `high·2^192`, given `high` less than the divisor. Returns the remainder.
    pub(super) fn divide(&self, high: u64, quotient: &mut [u64]) -> u64 {
        // Since 2^192 is the known quotient times the divisor plus a remainder, multiply both by `high`.
        let left = u128::from(high) * u128::from(self.rest);
        let (carry, rest) = divide_two((left >> 64) as u64, left as u64, self.divisor, self.reciprocal);
        let mut carry = carry;
        for (limb, known) in quotient.iter_mut().zip(self.quotient.into_iter().chain([1])) {
            let product = u128::from(high) * u128::from(known) + u128::from(carry);
            *limb = product as u64;
            carry = (product >> 64) as u64;
        }
        rest
    }
}

/// A divisor for long division: a mantissa in which only the `N` upper limbs can be nonzero.
struct Divisor<const N: usize> {
    limbs: [u64; N],
    /// The reciprocal of the two highest limbs: `(2^192 - 1) / d - 2^64`.
    reciprocal: u64,
}

/// The limbs of a quotient of mantissas, and how the remainder compares with zero and with half of the divisor. Only the
/// limbs of the dividend that were used count.
pub(super) struct Quotient<const K: usize> {
    /// True if the quotient is at least one. Otherwise it is at least a half.
    pub(super) whole: bool,
    pub(super) limbs: [u64; K],
    pub(super) exact: bool,
    pub(super) half: Ordering,
}

/// Divides mantissas, to a quotient of `K` limbs.
pub(super) fn divide<const K: usize>(dividend: &[u64; LIMBS], divisor: &[u64; LIMBS]) -> Quotient<K> {
    if divisor[..LIMBS - 2] == [0; LIMBS - 2] {
        Divisor::<2>::new(divisor).divide(dividend)
    } else {
        Divisor::<LIMBS>::new(divisor).divide(dividend)
    }
}

/// The `N` upper limbs of a mantissa.
fn upper<const N: usize>(mantissa: &[u64; LIMBS]) -> [u64; N] {
    std::array::from_fn(|at| mantissa[LIMBS - N + at])
}

impl<const N: usize> Divisor<N> {
    fn new(mantissa: &[u64; LIMBS]) -> Self {
        let [.., low, high] = *mantissa;
        let mut reciprocal = reciprocal(high);
        let (mut rest, over) = high.wrapping_mul(reciprocal).overflowing_add(low);
        if over {
            reciprocal -= 1;
            if rest >= high {
                reciprocal -= 1;
                rest = rest.wrapping_sub(high);
            }
            rest = rest.wrapping_sub(high);
        }
        let product = u128::from(reciprocal) * u128::from(low);
        let (rest, over) = rest.overflowing_add((product >> 64) as u64);
        if over {
            let rest = u128::from(rest) << 64 | u128::from(product as u64);
            reciprocal -= 1 + u64::from(rest >= (u128::from(high) << 64 | u128::from(low)));
        }
        Self { limbs: upper(mantissa), reciprocal }
    }

    /// The quotient of three limbs by the two highest limbs of the divisor, given that the upper two are less than these.
    fn guess(&self, [low, middle, high]: [u64; 3]) -> u64 {
        let (below, top) = (self.limbs[N - 2], self.limbs[N - 1]);
        let both = u128::from(top) << 64 | u128::from(below);
        let q =
            u128::from(self.reciprocal) * u128::from(high) + (u128::from(high) << 64 | u128::from(middle));
        let (mut quotient, fraction) = ((q >> 64) as u64, q as u64);
        let rest = middle.wrapping_sub(quotient.wrapping_mul(top));
        let mut rest = (u128::from(rest) << 64 | u128::from(low))
            .wrapping_sub(u128::from(below) * u128::from(quotient))
            .wrapping_sub(both);
        quotient = quotient.wrapping_add(1);
        if (rest >> 64) as u64 >= fraction {
            quotient = quotient.wrapping_sub(1);
            rest = rest.wrapping_add(both);
        }
        if rest >= both { quotient.wrapping_add(1) } else { quotient }
    }

    fn divide<const K: usize>(&self, dividend: &[u64; LIMBS]) -> Quotient<K> {
        let mut rest: [u64; N] = upper(dividend);
        let whole = rest.iter().rev().ge(self.limbs.iter().rev());
        if whole {
            self.take_from(&mut rest);
        }
        let mut limbs = [0; K];
        let following = dividend[..LIMBS - N].iter().rev().chain(std::iter::repeat(&0));
        for (limb, next) in limbs.iter_mut().rev().zip(following) {
            *limb = self.step(&mut rest, *next);
        }
        let mut left = self.limbs;
        let mut borrow = false;
        for (limb, take) in left.iter_mut().zip(rest) {
            (*limb, borrow) = sub_borrow(*limb, take, borrow);
        }
        let half = rest.iter().rev().cmp(left.iter().rev());
        Quotient { whole, limbs, exact: rest == [0; N], half }
    }

    fn take_from(&self, rest: &mut [u64; N]) {
        let mut borrow = false;
        for (limb, take) in rest.iter_mut().zip(self.limbs) {
            (*limb, borrow) = sub_borrow(*limb, take, borrow);
        }
    }

    /// Computes one limb of the quotient from a remainder less than the divisor and the next limb of the dividend, and
    /// updates the remainder.
    #[inline(always)]
    fn step(&self, rest: &mut [u64; N], next: u64) -> u64 {
        let (top, second) = (rest[N - 1], rest[N - 2]);
        let mut quotient = if (top, second) < (self.limbs[N - 1], self.limbs[N - 2]) {
            let third = if N > 2 { rest[N - 3] } else { next };
            self.guess([third, second, top])
        } else {
            u64::MAX
        };
        // `carry` is what to subtract next: the upper half of the product and the borrow, which fit one limb.
        let (mut carry, mut above) = (0u64, next);
        for (place, limb) in rest.iter_mut().zip(self.limbs) {
            let product = u128::from(quotient) * u128::from(limb) + u128::from(carry);
            let (difference, borrow) = above.overflowing_sub(product as u64);
            above = *place;
            *place = difference;
            carry = (product >> 64) as u64 + u64::from(borrow);
        }
        if above != carry {
            // The guess was too large by one, which is rare.
            quotient -= 1;
            let mut carry = false;
            for (place, limb) in rest.iter_mut().zip(self.limbs) {
                (*place, carry) = add_carry(*place, limb, carry);
            }
        }
        quotient
    }
}
