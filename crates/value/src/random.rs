//! Pseudo-random numbers that are the same in each run, for tests.

/// A linear congruential generator. Its low bits are weak, so the high half is mixed into them.
pub(crate) fn numbers() -> impl FnMut() -> u64 {
    let mut state = 1u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) ^ state
    }
}
