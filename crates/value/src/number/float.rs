//! Binary floats of up to 512 bits, rounded to nearest with ties to even: the arithmetic of
//! [`Number`](super::Number) for everything except small integers. The mantissa is stored as eight limbs
//! in the struct, so no operation allocates. Decimal text is in `decimal.rs`.

use std::cmp::Ordering;

use super::divide::{Block, Quotient, divide, divide_two, reciprocal};

/// The limbs of a mantissa, least significant first.
pub(crate) const LIMBS: usize = 8;
/// The maximum precision in bits.
pub(crate) const MAX_PRECISION: u16 = 512;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Zero,
    Finite,
    Infinite,
}

/// The number `±0.mantissa × 2^exp`. The highest bit of the mantissa is set if the form is finite.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Float {
    pub(crate) negative: bool,
    pub(crate) form: Form,
    pub(crate) precision: u16,
    pub(crate) exp: i32,
    pub(crate) mantissa: [u64; LIMBS],
}

impl Float {
    pub(crate) const fn zero(negative: bool, precision: u16) -> Self {
        Self { negative, form: Form::Zero, precision, exp: 0, mantissa: [0; LIMBS] }
    }

    pub(crate) const fn infinity(negative: bool, precision: u16) -> Self {
        Self { negative, form: Form::Infinite, precision, exp: 0, mantissa: [0; LIMBS] }
    }

    pub(crate) fn from_u64(value: u64, negative: bool, precision: u16) -> Self {
        if value == 0 {
            return Self::zero(negative, precision);
        }
        let zeros = value.leading_zeros();
        let mut float = Self::zero(negative, precision);
        float.form = Form::Finite;
        float.exp = 64 - zeros as i32;
        float.mantissa[LIMBS - 1] = value << zeros;
        if precision < 64 { float.with_precision(precision) } else { float }
    }

    /// The quotient of two nonzero integers, rounded once.
    pub(crate) fn quotient(dividend: u128, divisor: u64, negative: bool, precision: u16) -> Self {
        let (a, b) = (dividend << dividend.leading_zeros(), divisor << divisor.leading_zeros());
        let mut exp = 64 + i64::from(divisor.leading_zeros()) - i64::from(dividend.leading_zeros());
        // Halve the dividend if necessary to keep the quotient below one. The highest bit of its first limb is then set.
        let (mut rest, mut next) = ((a >> 64) as u64, [a as u64, 0]);
        if rest >= b {
            (rest, next) = (rest >> 1, [(a >> 1) as u64, (a as u64) << 63]);
            exp += 1;
        }
        let inverse = reciprocal(b);
        let mut limbs = [0u64; LIMBS + 1];
        for (limb, low) in limbs[1..].iter_mut().rev().zip(next) {
            (*limb, rest) = divide_two(rest, low, b, inverse);
        }
        // Only zeros follow. Divide three limbs at a time, so that only the remainder depends on the previous step.
        if rest != 0 {
            let block = Block::new(b, inverse);
            rest = block.divide(rest, &mut limbs[4..7]);
            rest = block.divide(rest, &mut limbs[1..4]);
        }
        // The remainder, as less than, equal to or more than half of the divisor.
        limbs[0] = u64::from(rest >= b - rest) << 63;
        round(negative, &limbs, exp, rest != 0 && rest != b - rest, precision)
    }

    pub(crate) fn from_u128(value: u128, negative: bool, precision: u16) -> Self {
        let mut limbs = [0; LIMBS];
        limbs[LIMBS - 2] = value as u64;
        limbs[LIMBS - 1] = (value >> 64) as u64;
        round(negative, &limbs, 128, false, precision)
    }

    /// Rounds to another precision.
    pub(crate) fn with_precision(&self, precision: u16) -> Self {
        match self.form {
            Form::Finite => round(self.negative, &self.mantissa, i64::from(self.exp), false, precision),
            _ => Self { precision, ..*self },
        }
    }

    /// The number of bits in the mantissa, without trailing zeros.
    pub(crate) fn bits_needed(&self) -> u16 {
        for (i, limb) in self.mantissa.iter().enumerate() {
            if *limb != 0 {
                return MAX_PRECISION - (i as u16 * 64 + limb.trailing_zeros() as u16);
            }
        }
        0
    }

    pub(crate) fn is_integer(&self) -> bool {
        match self.form {
            Form::Zero => true,
            Form::Finite => self.exp > 0 && i32::from(self.bits_needed()) <= self.exp,
            Form::Infinite => false,
        }
    }

    pub(crate) fn neg(&self) -> Self {
        Self { negative: !self.negative, ..*self }
    }

    /// The number truncated toward zero.
    pub(crate) fn trunc(&self) -> Self {
        if self.form != Form::Finite || self.is_integer() {
            return *self;
        }
        if self.exp <= 0 {
            return Self::zero(self.negative, self.precision);
        }
        let mut float = *self;
        let mut drop = usize::from(MAX_PRECISION) - self.exp as usize;
        for limb in &mut float.mantissa {
            if drop == 0 {
                break;
            }
            let here = drop.min(64);
            *limb = if here == 64 { 0 } else { *limb >> here << here };
            drop -= here;
        }
        float
    }

    /// The sum, or `None` for infinities of opposite signs.
    #[inline(always)]
    pub(crate) fn add(&self, other: &Self) -> Option<Self> {
        self.add_signed(other, other.negative)
    }

    /// The difference, or `None` for infinities of the same sign.
    #[inline(always)]
    pub(crate) fn sub(&self, other: &Self) -> Option<Self> {
        self.add_signed(other, !other.negative)
    }

    #[inline(always)]
    fn add_signed(&self, other: &Self, other_negative: bool) -> Option<Self> {
        let precision = self.precision.max(other.precision);
        match (self.form, other.form) {
            (Form::Finite, Form::Finite) => {}
            (Form::Infinite, Form::Infinite) if self.negative != other_negative => return None,
            (Form::Infinite, _) => return Some(Self::infinity(self.negative, precision)),
            (_, Form::Infinite) => return Some(Self::infinity(other_negative, precision)),
            (Form::Zero, Form::Zero) => {
                return Some(Self::zero(self.negative && other_negative, precision));
            }
            (Form::Zero, Form::Finite) => {
                return Some(Self { negative: other_negative, ..*other }.with_precision(precision));
            }
            (Form::Finite, Form::Zero) => return Some(self.with_precision(precision)),
        }
        let swap = self.magnitude(other) == Ordering::Less;
        let (large, large_negative, small) =
            if swap { (other, other_negative, self) } else { (self, self.negative, other) };
        let distance = (i64::from(large.exp) - i64::from(small.exp)) as u64;
        let negated = self.negative != other_negative;
        Some(if distance < 64 {
            // One guard limb below the larger number is enough for all bits of the smaller one.
            let mut shifted = [0u64; LIMBS + 1];
            let mut above = 0;
            for (limb, place) in small.mantissa.iter().rev().zip(shifted[1..].iter_mut().rev()) {
                // Shift in two steps, because a shift by 64 overflows.
                (*place, above) = (above | *limb >> distance, *limb << 1 << (63 - distance));
            }
            shifted[0] = above;
            combined(large, large_negative, shifted, false, negated, precision)
        } else {
            // Use two guard limbs. Bits of the smaller number beyond them are at least 127 places below the last
            // bit kept, so only whether any is set matters.
            let (shifted, sticky) = shifted_down(&small.mantissa, distance);
            combined(large, large_negative, shifted, sticky, negated, precision)
        })
    }

    /// The product rounded to the given precision, or `None` for zero times infinity.
    #[inline(always)]
    pub(crate) fn mul(&self, other: &Self, precision: u16) -> Option<Self> {
        let negative = self.negative != other.negative;
        match (self.form, other.form) {
            (Form::Finite, Form::Finite) => {}
            (Form::Zero, Form::Infinite) | (Form::Infinite, Form::Zero) => return None,
            (Form::Zero, _) | (_, Form::Zero) => return Some(Self::zero(negative, precision)),
            _ => return Some(Self::infinity(negative, precision)),
        }
        let exp = i64::from(self.exp) + i64::from(other.exp);
        if self.mantissa[0] != 0 && other.mantissa[0] != 0 {
            let product = upper_product(&self.mantissa, &other.mantissa);
            // The missing part is positive, and less than eight units of the limb below the mantissa. It affects rounding
            // only if it can cause a carry out of the lower bits of that limb.
            if product[LIMBS - 1] << 2 < u64::MAX << 5 {
                return Some(round(negative, &product, exp, true, precision));
            }
        }
        // Only the upper limbs of short numbers are set. Skip the rows of the others.
        let (rows, row) = if self.mantissa[0] == 0 {
            (&self.mantissa, &other.mantissa)
        } else {
            (&other.mantissa, &self.mantissa)
        };
        let mut product = [0u64; LIMBS * 2];
        for (i, a) in rows.iter().enumerate().skip_while(|(_, limb)| **limb == 0) {
            let mut carry = 0u64;
            for (j, b) in row.iter().enumerate() {
                let t = u128::from(*a) * u128::from(*b) + u128::from(product[i + j]) + u128::from(carry);
                product[i + j] = t as u64;
                carry = (t >> 64) as u64;
            }
            product[i + LIMBS] = carry;
        }
        Some(round(negative, &product, exp, false, precision))
    }

    /// The quotient, or `None` for zero divided by zero and infinity divided by infinity.
    pub(crate) fn div(&self, other: &Self) -> Option<Self> {
        let precision = self.precision.max(other.precision);
        let negative = self.negative != other.negative;
        match (self.form, other.form) {
            (Form::Finite, Form::Finite) => {}
            (Form::Zero, Form::Zero) | (Form::Infinite, Form::Infinite) => return None,
            (Form::Zero, _) | (_, Form::Infinite) => return Some(Self::zero(negative, precision)),
            (Form::Infinite, _) | (_, Form::Zero) => return Some(Self::infinity(negative, precision)),
        }
        let exp = i64::from(self.exp) - i64::from(other.exp);
        let Quotient { whole, limbs, exact, half } = divide::<LIMBS>(&self.mantissa, &other.mantissa);
        // The remainder, as less than, equal to or more than half of the divisor.
        let mut quotient = [0u64; LIMBS + 2];
        quotient[0] = u64::from(half.is_ge()) << 63;
        quotient[1..=LIMBS].copy_from_slice(&limbs);
        quotient[LIMBS + 1] = 1;
        let sticky = !exact && half.is_ne();
        Some(match quotient.first_chunk::<{ LIMBS + 1 }>() {
            Some(fraction) if !whole => round(negative, fraction, exp, sticky, precision),
            _ => round(negative, &quotient, exp + 64, sticky, precision),
        })
    }

    /// The integer part of a quotient at full precision, if it fits 64 bits and rounding the quotient cannot change it.
    pub(crate) fn whole_quotient(&self, other: &Self) -> Option<Self> {
        let bits = i64::from(self.exp) - i64::from(other.exp);
        let finite = self.form == Form::Finite && other.form == Form::Finite;
        if !finite || self.precision != MAX_PRECISION || !(0..64).contains(&bits) {
            return None;
        }
        let Quotient { whole, limbs: [low, high], .. } = divide::<2>(&self.mantissa, &other.mantissa);
        let integer = u64::from(whole) << bits | high >> 1 >> (63 - bits);
        let fraction = (high << bits, low);
        if fraction == (u64::MAX << bits, u64::MAX) {
            return None;
        }
        Some(Self::from_u64(integer, self.negative != other.negative, MAX_PRECISION))
    }

    /// Compares the absolute values.
    fn magnitude(&self, other: &Self) -> Ordering {
        let rank = |form| match form {
            Form::Zero => 0,
            Form::Finite => 1,
            Form::Infinite => 2,
        };
        match rank(self.form).cmp(&rank(other.form)) {
            Ordering::Equal if self.form == Form::Finite => self
                .exp
                .cmp(&other.exp)
                .then_with(|| self.mantissa.iter().rev().cmp(other.mantissa.iter().rev())),
            order => order,
        }
    }

    /// Compares the numbers. The two zeros are equal.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        match (self.sign(), other.sign()) {
            (a, b) if a != b => a.cmp(&b),
            (0, _) => Ordering::Equal,
            (1, _) => self.magnitude(other),
            _ => other.magnitude(self),
        }
    }

    pub(crate) fn sign(&self) -> i8 {
        match (self.form, self.negative) {
            (Form::Zero, _) => 0,
            (_, false) => 1,
            (_, true) => -1,
        }
    }

    /// The absolute value as a `u128`, if it is a whole number that fits.
    pub(crate) fn to_u128(self) -> Option<u128> {
        match self.form {
            Form::Zero => Some(0),
            Form::Finite if (1..=128).contains(&self.exp) => {
                if self.mantissa[..LIMBS - 2].iter().any(|limb| *limb != 0) {
                    return None;
                }
                let top = u128::from(self.mantissa[LIMBS - 1]) << 64 | u128::from(self.mantissa[LIMBS - 2]);
                let drop = 128 - self.exp as u32;
                (top.trailing_zeros() >= drop).then(|| top >> drop)
            }
            _ => None,
        }
    }

    /// The float as an inline integer: of less than 64 bits, and not negative zero.
    #[inline]
    pub(crate) fn to_i64(self) -> Option<i64> {
        match self.form {
            Form::Zero => (!self.negative).then_some(0),
            Form::Finite if (1..64).contains(&self.exp) && self.mantissa[..LIMBS - 1] == [0; LIMBS - 1] => {
                let top = self.mantissa[LIMBS - 1];
                let drop = 64 - self.exp as u32;
                let value = (top >> drop) as i64;
                (top.trailing_zeros() >= drop).then_some(if self.negative { -value } else { value })
            }
            _ => None,
        }
    }

    /// The nearest double, ties to even.
    pub(crate) fn to_f64(self) -> f64 {
        let sign = u64::from(self.negative) << 63;
        match self.form {
            Form::Zero => f64::from_bits(sign),
            Form::Infinite => f64::from_bits(sign | 0x7ff << 52),
            Form::Finite if self.exp > 1024 => f64::from_bits(sign | 0x7ff << 52),
            Form::Finite if self.exp < -1074 => f64::from_bits(sign),
            // Subnormal doubles have fewer bits. At this exponent there is none left, and the number
            // rounds to the smallest double or to zero.
            Form::Finite if self.exp == -1074 => {
                let above_half = self.bits_needed() > 1;
                f64::from_bits(sign | u64::from(above_half))
            }
            Form::Finite => {
                let precision = (self.exp + 1074).min(53) as u16;
                let rounded = self.with_precision(precision);
                if rounded.exp > 1024 {
                    return f64::from_bits(sign | 0x7ff << 52);
                }
                let bits = rounded.mantissa[LIMBS - 1];
                if rounded.exp > -1022 {
                    let biased = (rounded.exp + 1022) as u64;
                    f64::from_bits(sign | biased << 52 | (bits << 1 >> 12))
                } else {
                    let shift = 64 - (rounded.exp + 1074);
                    f64::from_bits(sign | bits >> shift)
                }
            }
        }
    }

    pub(crate) fn from_f64(value: f64) -> Option<Self> {
        const PRECISION: u16 = 53;
        let negative = value.is_sign_negative();
        if value.is_nan() {
            return None;
        }
        if value.is_infinite() {
            return Some(Self::infinity(negative, PRECISION));
        }
        let bits = value.to_bits();
        let biased = (bits >> 52 & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exp) =
            if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
        let mut float = Self::from_u64(mantissa, negative, PRECISION);
        if float.form == Form::Finite {
            float.exp += exp;
        }
        Some(float)
    }
}

/// The sum or difference of the larger number, with guard limbs below it, and the smaller one, shifted to align with it.
/// `sticky` is true if set bits of the smaller one were shifted out.
#[inline(always)]
fn combined<const N: usize>(
    large: &Float,
    negative: bool,
    small: [u64; N],
    sticky: bool,
    negated: bool,
    precision: u16,
) -> Float {
    let mut sum = [0u64; N];
    sum[N - LIMBS..].copy_from_slice(&large.mantissa);
    let mut exp = i64::from(large.exp);
    if negated {
        // The bits shifted out of the subtrahend make the difference slightly smaller: borrow one unit,
        // the rest of which is the sticky part.
        let mut borrow = sticky;
        for (limb, take) in sum.iter_mut().zip(small) {
            (*limb, borrow) = sub_borrow(*limb, take, borrow);
        }
        if !sticky && sum.iter().all(|limb| *limb == 0) {
            return Float::zero(false, precision);
        }
        return round(negative, &sum, exp, sticky, precision);
    }
    let mut carry = false;
    for (limb, add) in sum.iter_mut().zip(small) {
        (*limb, carry) = add_carry(*limb, add, carry);
    }
    let mut sticky = sticky;
    if carry {
        sticky |= sum[0] & 1 == 1;
        for i in 0..N - 1 {
            sum[i] = sum[i] >> 1 | sum[i + 1] << 63;
        }
        sum[N - 1] = sum[N - 1] >> 1 | 1 << 63;
        exp += 1;
    }
    if precision != MAX_PRECISION {
        return round_any(negative, sum, exp, sticky, precision);
    }
    rounded(negative, &sum, exp, sticky)
}

/// The product without the limb products that are entirely below the guard limb of the upper half. The result, from the
/// guard limb up, is too small by less than eight units of the guard limb.
#[inline]
fn upper_product(a: &[u64; LIMBS], b: &[u64; LIMBS]) -> [u64; LIMBS * 2] {
    let mut product = [0u64; LIMBS * 2];
    for (i, a) in a.iter().enumerate() {
        let mut carry = 0u64;
        for j in (LIMBS - 2).saturating_sub(i)..LIMBS {
            let t = u128::from(*a) * u128::from(b[j]) + u128::from(product[i + j]) + u128::from(carry);
            product[i + j] = t as u64;
            carry = (t >> 64) as u64;
        }
        product[i + LIMBS] = carry;
    }
    product
}

#[inline]
pub(super) fn add_carry(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, first) = a.overflowing_add(b);
    let (sum, second) = sum.overflowing_add(u64::from(carry));
    (sum, first | second)
}

#[inline]
pub(super) fn sub_borrow(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (difference, first) = a.overflowing_sub(b);
    let (difference, second) = difference.overflowing_sub(u64::from(borrow));
    (difference, first | second)
}

/// The mantissa with two guard limbs, shifted right, and true if set bits were shifted out.
fn shifted_down(mantissa: &[u64; LIMBS], distance: u64) -> ([u64; LIMBS + 2], bool) {
    const WIDE: usize = LIMBS + 2;
    if distance >= 64 * WIDE as u64 {
        return ([0; WIDE], true);
    }
    let (whole, bits) = ((distance / 64) as usize, (distance % 64) as u32);
    let mut source = [0u64; WIDE * 2 + 1];
    source[2..WIDE].copy_from_slice(mantissa);
    let mut wide = [0u64; WIDE];
    for (limb, pair) in wide.iter_mut().zip(source[whole..].windows(2)) {
        // Shift in two steps, because a shift by 64 overflows.
        *limb = pair[0] >> bits | pair[1] << 1 << (63 - bits);
    }
    let lost = source[..whole].iter().fold(source[whole] & ((1 << bits) - 1), |lost, limb| lost | limb);
    (wide, lost != 0)
}

/// The float nearest to `0.limbs × 2^exp`. With `sticky`, the exact value is slightly greater.
#[inline(always)]
pub(crate) fn round<const N: usize>(
    negative: bool,
    limbs: &[u64; N],
    exp: i64,
    sticky: bool,
    precision: u16,
) -> Float {
    let zeros = limbs[N - 1].leading_zeros();
    if precision != MAX_PRECISION || zeros == 64 || N == LIMBS {
        return round_any(negative, *limbs, exp, sticky, precision);
    }
    let mut shifted = *limbs;
    for at in 1..N {
        // Shift in two steps, because a shift by 64 overflows.
        shifted[at] = limbs[at] << zeros | limbs[at - 1] >> 1 >> (63 - zeros);
    }
    shifted[0] <<= zeros;
    rounded(negative, &shifted, exp - i64::from(zeros), sticky)
}

/// Like [`round`], to full precision. The highest bit must be set.
#[inline(always)]
fn rounded<const N: usize>(negative: bool, limbs: &[u64; N], exp: i64, sticky: bool) -> Float {
    let mut mantissa = [0u64; LIMBS];
    mantissa.copy_from_slice(&limbs[N - LIMBS..]);
    let guard = limbs[N - LIMBS - 1];
    let above_half = sticky || guard << 1 != 0 || limbs[..N - LIMBS - 1].iter().any(|limb| *limb != 0);
    let up = guard >> 63 == 1 && (above_half || mantissa[0] & 1 == 1);
    finished(negative, mantissa, exp, up, 0, MAX_PRECISION)
}

/// The float with a mantissa, plus one unit if it is rounded up.
#[inline(always)]
fn finished(
    negative: bool,
    mut mantissa: [u64; LIMBS],
    mut exp: i64,
    up: bool,
    unit: usize,
    precision: u16,
) -> Float {
    if up {
        let mut carry = false;
        let mut add = 1 << (unit % 64);
        for limb in &mut mantissa[unit / 64..] {
            (*limb, carry) = add_carry(*limb, add, carry);
            add = 0;
            if !carry {
                break;
            }
        }
        if carry {
            mantissa = [0; LIMBS];
            mantissa[LIMBS - 1] = 1 << 63;
            exp += 1;
        }
    }
    match i32::try_from(exp) {
        Ok(exp) => Float { negative, form: Form::Finite, precision, exp, mantissa },
        Err(_) if exp > 0 => Float::infinity(negative, precision),
        Err(_) => Float::zero(negative, precision),
    }
}

/// Like [`round`], to any precision and with any number of leading zero limbs.
#[inline(never)]
fn round_any<const N: usize>(
    negative: bool,
    mut limbs: [u64; N],
    mut exp: i64,
    mut sticky: bool,
    precision: u16,
) -> Float {
    let empty = limbs.iter().rev().take_while(|limb| **limb == 0).count();
    if empty == N {
        return Float::zero(negative, precision);
    }
    if empty > 0 {
        limbs.copy_within(..N - empty, empty);
        limbs[..empty].fill(0);
        exp -= 64 * empty as i64;
    }
    let zeros = limbs[N - 1].leading_zeros();
    if zeros > 0 {
        for i in (1..N).rev() {
            limbs[i] = limbs[i] << zeros | limbs[i - 1] >> (64 - zeros);
        }
        limbs[0] <<= zeros;
        exp -= i64::from(zeros);
    }

    let mut mantissa = [0u64; LIMBS];
    mantissa.copy_from_slice(&limbs[N - LIMBS..]);
    let below = &limbs[..N - LIMBS];
    let half;
    let unit = usize::from(MAX_PRECISION - precision);
    if unit == 0 {
        let (first, rest) = below.split_last().map_or((0, below), |(first, rest)| (*first, rest));
        half = first >> 63 == 1;
        sticky |= first << 1 != 0 || rest.iter().any(|limb| *limb != 0);
    } else {
        sticky |= below.iter().any(|limb| *limb != 0);
        let (at, bit) = ((unit - 1) / 64, (unit - 1) % 64);
        half = mantissa[at] >> bit & 1 == 1;
        sticky |= mantissa[..at].iter().any(|limb| *limb != 0) || mantissa[at] & ((1 << bit) - 1) != 0;
        mantissa[..at].fill(0);
        mantissa[at] = if bit == 63 { 0 } else { mantissa[at] >> (bit + 1) << (bit + 1) };
    }
    let odd = mantissa[unit / 64] >> (unit % 64) & 1 == 1;
    finished(negative, mantissa, exp, half && (sticky || odd), unit, precision)
}

#[cfg(test)]
mod tests {
    use dashu_int::UBig;
    use dashu_int::ops::BitTest;

    use super::{Float, LIMBS, MAX_PRECISION, round};

    /// A float in which many limbs are extreme values, where errors in carries and guesses show.
    fn random_float(random: &mut impl FnMut() -> u64, precision: u16) -> Float {
        let mut limbs = [0u64; LIMBS].map(|_| match random() % 8 {
            0 | 1 => 0,
            2 | 3 => u64::MAX,
            4 => 1 << (random() % 64),
            5 => u64::MAX << (random() % 64),
            _ => random(),
        });
        limbs[LIMBS - 1] |= 1 << 63;
        let spread = [1, 3, 70, 700][random() as usize % 4];
        round(false, &limbs, (random() % spread) as i64, false, precision)
    }

    fn integer(float: &Float) -> UBig {
        let bytes: Vec<u8> = float.mantissa.iter().flat_map(|limb| limb.to_le_bytes()).collect();
        UBig::from_le_bytes(&bytes)
    }

    /// `dividend / divisor * 2^exp`, rounded with big integers.
    fn rounded(dividend: UBig, divisor: &UBig, exp: i64, precision: u16) -> Float {
        if dividend.is_zero() {
            return Float::zero(false, precision);
        }
        let lift = (divisor.bit_len() + usize::from(precision) + 2).saturating_sub(dividend.bit_len());
        let dividend = dividend << lift;
        let mut quotient = &dividend / divisor;
        let left = dividend != &quotient * divisor;
        let drop = quotient.bit_len() - usize::from(precision);
        let below = &quotient - ((&quotient >> drop) << drop);
        let half = UBig::ONE << (drop - 1);
        quotient >>= drop;
        if below > half || (below == half && (left || quotient.bit(0))) {
            quotient += UBig::ONE;
        }
        let exp = exp - lift as i64 + (drop + quotient.bit_len()) as i64;
        quotient <<= usize::from(MAX_PRECISION) - quotient.bit_len().min(usize::from(MAX_PRECISION));
        let bytes = quotient.to_le_bytes();
        let mut mantissa = [0u64; LIMBS];
        for (at, byte) in bytes.iter().rev().take(LIMBS * 8).enumerate() {
            mantissa[LIMBS - 1 - at / 8] |= u64::from(*byte) << (56 - at % 8 * 8);
        }
        Float { exp: exp as i32, mantissa, ..Float::from_u64(1, false, precision) }
    }

    #[test]
    fn arithmetic_agrees_with_big_integers() {
        let mut random = crate::random::numbers();
        for turn in 0..5_000 {
            let precision = [MAX_PRECISION, MAX_PRECISION, MAX_PRECISION, 64, 53][turn % 5];
            let (a, b) = (random_float(&mut random, precision), random_float(&mut random, precision));
            let (x, y) = (integer(&a), integer(&b));
            let (x_exp, y_exp) = (i64::from(a.exp) - 512, i64::from(b.exp) - 512);
            let lowest = x_exp.min(y_exp);
            let (high, low) = (&x << (x_exp - lowest) as usize, &y << (y_exp - lowest) as usize);
            let difference = if high > low { &high - &low } else { &low - &high };
            let one = UBig::ONE;
            let cases = [
                ("+", a.add(&b), rounded(&high + &low, &one, lowest, precision)),
                ("-", a.sub(&b), rounded(difference, &one, lowest, precision)),
                ("*", a.mul(&b, precision), rounded(&x * &y, &one, x_exp + y_exp, precision)),
                ("/", a.div(&b), rounded(x, &y, x_exp - y_exp, precision)),
                ("the integer part of /", a.whole_quotient(&b), rounded(&high / &low, &one, 0, precision)),
            ];
            for (sign, ours, expected) in cases {
                let Some(ours) = ours else { continue };
                assert_eq!(
                    (ours.exp, ours.mantissa),
                    (expected.exp, expected.mantissa),
                    "turn {turn}: {a:?} {sign} {b:?}"
                );
            }
        }
    }

    #[test]
    fn quotients_of_integers_and_of_floats_agree() {
        let mut random = crate::random::numbers();
        for round in 0..2_000 {
            let shift = random() % 128;
            let a = (u128::from(random()) << 64 | u128::from(random())) >> shift | 1;
            let b = random() >> (random() % 64) | 1;
            for (a, b) in [(a, b), (u128::from(b), b), (u128::from(b) << 63, b), (a, 1 << (round % 64))] {
                for precision in [53, 64, MAX_PRECISION] {
                    let a_float = Float { precision, ..Float::from_u128(a, true, MAX_PRECISION) };
                    let b_float = Float { precision, ..Float::from_u64(b, false, MAX_PRECISION) };
                    let expected = a_float.div(&b_float).expect("the quotient is defined");
                    let quotient = Float::quotient(a, b, true, precision);
                    assert_eq!(
                        (quotient.exp, quotient.mantissa, quotient.precision),
                        (expected.exp, expected.mantissa, precision),
                        "{a} / {b}"
                    );
                }
            }
        }
    }
}
