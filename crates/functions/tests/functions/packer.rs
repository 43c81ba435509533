//! Compares the functions of Packer with recorded answers of Packer 1.12.

use hclkit_functions::Grants;
use hclkit_model::{Context, Expression, Functions};
use serde_json::Value as Json;

/// Each line is a call with what Packer's console answers: the value as JSON, or that it is unknown, or an error.
const RECORDED: &str = include_str!("packer/recorded.jsonl");

/// As in Terraform, an IPv4 network that is written as IPv6 gets a wrong address there. See `docs/compatibility.md`.
const DIFFERENT: [&str; 1] = [r#"cidrhost("::ffff:0:0/96", 5)"#];

#[test]
fn answers_are_those_of_packer() {
    let mut functions = Functions::special();
    functions.extend(
        hclkit_functions::packer(&Grants::new()).iter().map(|(name, function)| (*name, function.clone())),
    );
    let context = Context::new().with_functions(functions);
    let mut wrong = Vec::new();
    for line in RECORDED.lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let call = case["expr"].as_str().unwrap();
        let ours = Expression::parse(call).and_then(|call| call.evaluate(&context));
        let is_right = match &ours {
            Ok(value) if !value.is_wholly_known() => case["unknown"] == true,
            // Infinities have no JSON.
            Ok(value) => match value.to_json(&value.ty()) {
                Ok(json) => case["json"].as_str().is_some_and(|theirs| is_same(&json, theirs)),
                Err(_) => case["error"] == true,
            },
            Err(_) => case["error"] == true,
        };
        if is_right == DIFFERENT.contains(&call) {
            wrong.push(format!("{line}\n  ours: {ours:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(RECORDED.lines().count() > 1_000);
}

fn is_same(ours: &str, theirs: &str) -> bool {
    serde_json::from_str::<Json>(ours).unwrap() == serde_json::from_str::<Json>(theirs).unwrap()
}
