//! Any bytes as decisions about an expression, a template or a configuration over marked variables: no output contains
//! any part of a marked value.
#![no_main]

use std::sync::LazyLock;

#[path = "../../crates/hclkit/tests/hclkit/secrets/check.rs"]
mod check;
#[path = "../../crates/hclkit/tests/hclkit/secrets/generate.rs"]
mod generate;

static SCENES: LazyLock<Vec<check::Scene>> = LazyLock::new(check::scenes);

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Err(leak) = check::check(input, &SCENES) {
        panic!("{leak}");
    }
});
