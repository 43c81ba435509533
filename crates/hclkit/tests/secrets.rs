//! Sensitive values are never shown: random expressions, templates, function calls of every library, and configurations with
//! marked variables. `SECRETS_CASES` and `SECRETS_SEED` set the number of cases and the seed.

#[path = "secrets/check.rs"]
mod check;
#[path = "secrets/generate.rs"]
mod generate;

use std::env;

/// Random numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn bytes(&mut self) -> Vec<u8> {
        let length = 8 + self.next() as usize % 120;
        (0..length).map(|_| (self.next() >> 24) as u8).collect()
    }
}

fn setting(name: &str, usual: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn nothing_marked_is_shown() {
    let scenes = check::scenes();
    let (cases, seed) = (setting("SECRETS_CASES", 2_000), setting("SECRETS_SEED", 1));
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let most = setting("SECRETS_MOST", 5) as usize;
    let failures = (0..cases).filter_map(|_| check::check(&random.bytes(), &scenes).err());
    let failures: Vec<String> = failures.take(most).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_function_is_called_with_secrets() {
    let mut failures = Vec::new();
    for scene in check::scenes() {
        for name in &scene.functions {
            let mut random = Random(7);
            for _ in 0..12 {
                let bytes = random.bytes();
                let only = [name.clone()];
                let text = generate::Generator::new(&bytes, &scene.context, &only).call(1);
                failures.extend(check::refuse_leak(&text, &check::shown(&text, false, &scene.context)).err());
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn leaks_are_found() {
    for text in ["ZQXJKVWYQ", "…xjkvw…", "qywvk", "size 7310942", "enF4amt2d3lx"] {
        assert!(check::leak(text).is_some(), "{text}");
    }
    for text in ["(sensitive)", "zqxj", "7310", ""] {
        assert!(check::leak(text).is_none(), "{text}");
    }
}
