//! Logarithms and powers of 64-bit floats that agree with the reference to the last bit. Several good approximations
//! exist that differ in the last bit. These are the ones that the reference uses; Rust's standard library uses others.

use std::f64::consts::{LOG2_E, SQRT_2};

/// ln 2 as a sum of two parts. The high part has few bits, so that its product with an exponent is exact.
const LN_2_HIGH: f64 = 6.931_471_803_691_238_16e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_70e-10;

/// Splits a number into a fraction, whose magnitude is at least ½ and less than 1, and a power of two.
fn split(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    // Scale subnormal numbers to normal ones first.
    let (x, shift) = if x.abs() < f64::MIN_POSITIVE { (x * 2f64.powi(52), -52) } else { (x, 0) };
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1022;
    let fraction = f64::from_bits(bits & !(0x7ff << 52) | (1022 << 52));
    (fraction, exponent + shift)
}

/// Multiplies a number by a power of two, rounding once.
fn scale(x: f64, exponent: i32) -> f64 {
    let (fraction, own) = split(x);
    let exponent = exponent.saturating_add(own);
    if fraction == 0.0 || !fraction.is_finite() {
        return fraction;
    }
    match exponent {
        1025.. => f64::INFINITY.copysign(x),
        ..-1075 => 0f64.copysign(x),
        // Both factors are exact, and so is the first product.
        -1020..=1024 => fraction * 2.0 * 2f64.powi(exponent - 1),
        _ => fraction * 2f64.powi(exponent + 60) * 2f64.powi(-60),
    }
}

/// The natural logarithm: ln(2ᵏ(1+f)) = k·ln 2 + ln(1+f), the latter by a polynomial in s = f/(2+f) (the approximation
/// of FDLIBM).
pub(crate) fn logarithm(x: f64) -> f64 {
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    let (mut fraction, mut exponent) = split(x);
    if fraction < SQRT_2 / 2.0 {
        fraction *= 2.0;
        exponent -= 1;
    }
    let f = fraction - 1.0;
    let k = f64::from(exponent);
    let s = f / (2.0 + f);
    let (s2, s4) = (s * s, s * s * (s * s));
    let odd = s2
        * (6.666_666_666_666_735_130e-1
            + s4 * (2.857_142_874_366_239_149e-1
                + s4 * (1.818_357_216_161_805_012e-1 + s4 * 1.479_819_860_511_658_591e-1)));
    let even = s4
        * (3.999_999_999_940_941_908e-1
            + s4 * (2.222_219_843_214_978_396e-1 + s4 * 1.531_383_769_920_937_332e-1));
    let half = 0.5 * f * f;
    k * LN_2_HIGH - ((half - (s * (half + (odd + even)) + k * LN_2_LOW)) - f)
}

/// Returns e raised to a power. The power is reduced by a multiple of ln 2 and four halvings, the Taylor series is
/// summed, and the sum is squared four times.
fn exponential(x: f64) -> f64 {
    const LN_2_SHORT: f64 = 0.693_147_180_559_662_956_511_601_805_686_950_683_593_75;
    const LN_2_REST: f64 = 0.282_352_905_630_315_771_225_884_481_750_134_360_255_254_120_68e-12;
    const SERIES: [f64; 8] =
        [1.0 / 40_320.0, 1.0 / 5_040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0];
    if x > 709.8 {
        return f64::INFINITY;
    }
    if x < -745.2 {
        return 0.0;
    }
    let multiple = (x * LOG2_E).round_ties_even();
    let rest = (-multiple).mul_add(LN_2_REST, (-multiple).mul_add(LN_2_SHORT, x)) * 0.0625;
    let sum = SERIES[1..].iter().fold(SERIES[0], |sum, next| sum.mul_add(rest, *next));
    let less_one = (0..3).fold(rest * sum, |less_one, _| less_one * (less_one + 2.0));
    scale(less_one.mul_add(less_one + 2.0, 1.0), multiple as i32)
}

/// Raises a number to a power: the integer part of the power by repeated squaring with a separate binary exponent, the
/// fraction by the logarithm.
pub(crate) fn power(x: f64, y: f64) -> f64 {
    let (whole, fraction) = (y.abs().trunc(), y.abs().fract());
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if y == 1.0 {
        return x;
    }
    if x == 0.0 || !x.is_finite() || !y.is_finite() || whole >= 2f64.powi(63) {
        return x.powf(y);
    }
    if fraction == 0.5 && whole == 0.0 {
        return if y > 0.0 { x.sqrt() } else { 1.0 / x.sqrt() };
    }
    if fraction != 0.0 && x < 0.0 {
        return f64::NAN;
    }
    let (mut result, mut exponent) = (1.0, 0i32);
    let mut times = whole as i64;
    if fraction > 0.5 {
        times += 1;
        result = exponential((fraction - 1.0) * logarithm(x));
    } else if fraction != 0.0 {
        result = exponential(fraction * logarithm(x));
    }
    let (mut square, mut square_exponent) = split(x);
    while times != 0 {
        if square_exponent.abs() > 1 << 12 {
            // The result is already out of range, in the direction of the exponent.
            exponent += square_exponent;
            break;
        }
        if times & 1 == 1 {
            result *= square;
            exponent += square_exponent;
        }
        square *= square;
        square_exponent *= 2;
        if square < 0.5 {
            square += square;
            square_exponent -= 1;
        }
        times >>= 1;
    }
    if y < 0.0 { scale(1.0 / result, -exponent) } else { scale(result, exponent) }
}
