//! Sensitive values are never shown: random expressions, templates, function calls of every library, and configurations with
//! marked variables.

mod check;
mod generate;

use fastrand::Rng;
use hclkit_test_cases::{rounds, seed};

/// The decisions of a case.
fn bytes(random: &mut Rng) -> Vec<u8> {
    let length = random.usize(8..128);
    std::iter::repeat_with(|| random.u8(..)).take(length).collect()
}

#[test]
fn nothing_marked_is_shown() {
    let scenes = check::scenes();
    let mut random = Rng::with_seed(seed(1));
    let failures = (0..rounds(1_500)).filter_map(|_| check::check(&bytes(&mut random), &scenes).err());
    let failures: Vec<String> = failures.take(5).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_function_is_called_with_secrets() {
    let mut failures = Vec::new();
    for scene in check::scenes() {
        for name in &scene.functions {
            let mut random = Rng::with_seed(seed(7));
            for _ in 0..rounds(8) {
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
