//! Messages to the language server, some of which have parts that are wrong. Each request has one answer, and no answer is an
//! internal error. What is promised is in `crates/lsp/tests/lsp/random.rs`.
#![no_main]

#[allow(dead_code, reason = "the tests ask more")]
#[path = "../../crates/lsp/tests/lsp/client.rs"]
mod client;
#[allow(dead_code, reason = "the test is not run")]
#[path = "../../crates/lsp/tests/lsp/random.rs"]
mod random;

use serde_json::{Value, json};

fn capabilities(encodings: &[&str]) -> Value {
    json!({
        "general": { "positionEncodings": encodings },
        "textDocument": { "codeAction": { "codeActionLiteralSupport": {} } },
    })
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| random::check(input));
