//! Any bytes as decisions about an expression, a template or a JSON value, and about which variables are known: every promise
//! of `crates/hclkit/tests/hclkit/partial/check.rs` is kept.
#![no_main]

#[path = "../../crates/hclkit/tests/hclkit/partial/check.rs"]
mod check;
#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../../crates/hclkit/tests/hclkit/partial/sources.rs"]
mod sources;

use std::cell::RefCell;

thread_local! {
    static CHECKER: RefCell<check::Checker> = RefCell::new(check::Checker::new());
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let mut random = sources::Random::of_bytes(input.to_vec(), 1);
    CHECKER.with_borrow_mut(|checker| check::check_one(checker, &mut random));
});
