//! Sensitive values are never shown: random expressions, templates, function calls of every library, and configurations with
//! marked variables. `SECRETS_CASES` and `SECRETS_SEED` set the number of cases and the seed.

mod check;
mod generate;

use std::env;

use fastrand::Rng;

/// The decisions of a case.
fn bytes(random: &mut Rng) -> Vec<u8> {
    let length = random.usize(8..128);
    std::iter::repeat_with(|| random.u8(..)).take(length).collect()
}

fn setting(name: &str, usual: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn nothing_marked_is_shown() {
    let scenes = check::scenes();
    let (cases, seed) = (setting("SECRETS_CASES", 2_000), setting("SECRETS_SEED", 1));
    let mut random = Rng::with_seed(seed);
    let most = setting("SECRETS_MOST", 5) as usize;
    let failures = (0..cases).filter_map(|_| check::check(&bytes(&mut random), &scenes).err());
    let failures: Vec<String> = failures.take(most).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_function_is_called_with_secrets() {
    let mut failures = Vec::new();
    for scene in check::scenes() {
        for name in &scene.functions {
            let mut random = Rng::with_seed(7);
            for _ in 0..12 {
                let bytes = bytes(&mut random);
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
