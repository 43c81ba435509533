//! How much random tests try, and from which seed.

use std::env;
use std::ops::Range;

fn number(name: &str, usual: u64) -> u64 {
    env::var(name).map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{name} must be a number")))
}

/// How many times as much as usual tests try: the environment variable `TEST_EFFORT`. `.ci/nightly` sets it.
fn effort() -> u64 {
    let effort = number("TEST_EFFORT", 1);
    // Tests that try nothing pass.
    assert!(effort > 0, "TEST_EFFORT must be at least 1");
    effort
}

/// The number of random cases to try, of which there are so many usually.
///
/// # Panics
/// Panics if the environment variable `TEST_EFFORT` is not a number, or is 0.
pub fn rounds(usual: u64) -> u64 {
    usual * effort()
}

/// Returns true if the case with this number is to be tried. Usually, that is one case of so many.
///
/// # Panics
/// Panics if the environment variable `TEST_EFFORT` is not a number, or is 0.
pub fn is_tried(number: usize, one_of: usize) -> bool {
    ((number % one_of) as u64) < effort()
}

/// The seeds of random cases that have one each, of which there are so many usually.
///
/// # Panics
/// Panics as [`rounds`] and [`seed`] do.
pub fn seeds(usual: u64) -> Range<u64> {
    let first = seed(0);
    first..first + rounds(usual)
}

/// The seed of random cases: the usual one, or another one for each value of the environment variable `TEST_SEED`.
///
/// # Panics
/// Panics if the variable is not a number.
pub fn seed(usual: u64) -> u64 {
    usual.wrapping_add(number("TEST_SEED", 0))
}
