//! Random modules and Bake files, renamed and split: the promises are in `crates/cli/tests/refactor/`. The first byte
//! chooses one of them.
#![no_main]

#[path = "../../crates/cli/tests/refactor/bake.rs"]
mod bake;
#[path = "../../crates/cli/tests/refactor/generate.rs"]
mod generate;
#[path = "../../crates/cli/tests/refactor/rename.rs"]
mod rename;
#[allow(dead_code, reason = "the examples are not random")]
#[path = "../../crates/cli/tests/refactor/split.rs"]
mod split;
#[path = "../../crates/cli/tests/refactor/tree.rs"]
mod tree;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Some((first, decisions)) = input.split_first() {
        match first % 3 {
            0 => rename::check(decisions),
            1 => bake::check(decisions),
            _ => split::check(decisions),
        };
    }
});
