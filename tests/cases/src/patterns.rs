//! Patterns of paths that are hard to compile.

/// Patterns, and whether each is an error.
pub fn hostile() -> Vec<(String, bool)> {
    let nested = |part: &str, levels: usize| part.repeat(levels) + &"}".repeat(levels);
    let mut all: Vec<(String, bool)> = Vec::new();
    for levels in [11, 60, 120, 1_000] {
        for part in ["{", "{a,", "{[}]", "{\\}", "{**/", "{*,?,"] {
            all.push((nested(part, levels), true));
        }
        all.push(("{".repeat(levels), true));
    }
    for wrong in ["[", "{", "}", "[z-a]", "{a,{b}", "a\\", "[!", "[]", "[^-"] {
        all.push((wrong.to_owned(), true));
    }
    for long in ["?", "[a-z]", "*a", "**/", "é", "{a,b}", "\\*"] {
        all.push((long.repeat(5_000 / long.len()), true));
        // These are as long as patterns may be.
        all.push((long.repeat(4_000 / long.len()), false));
    }
    all.push((format!("{{{}}}", "*,".repeat(2_000)), false));
    all.push((format!("[{}]", "a-z".repeat(1_300)), false));
    all.push((nested("{*,?,[a-z],", 10), false));
    all
}
