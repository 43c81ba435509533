#!/usr/bin/env bash
# hcl-rs 0.20.0 visits the attributes of an object in the order of the file.
#
# The specification of the language sorts the names, so that the two spellings of one object give equal lists. Here,
# `[for k, v in { b = 1, a = 2 } : k]` is ["b", "a"], and so is the text of a template directive "ba", although the objects
# themselves are equal. hcl v2.25.0, the reference, gives ["a", "b"] and "ab".
#
# Output seen: ["b","a"] ["a","b"] "ba" true
# Takes 30 seconds, most of them for the build.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

mkdir src
cat >Cargo.toml <<'EOF'
[package]
name = "finding"
version = "0.0.0"
edition = "2021"

[dependencies]
hcl-rs = "=0.20.0"
serde_json = "=1.0.154"
EOF
cat >src/main.rs <<'EOF'
use hcl::eval::{Context, Evaluate};
use hcl::Expression;

fn main() {
    let texts = [
        "[for k, v in { b = 1, a = 2 } : k]",
        "[for k, v in { a = 2, b = 1 } : k]",
        "\"%{ for k, v in { b = 1, a = 2 } }${k}%{ endfor }\"",
        "{ b = 1, a = 2 } == { a = 2, b = 1 }",
    ];
    let values = texts.map(|text| {
        let expression: Expression = text.parse().unwrap();
        serde_json::to_string(&expression.evaluate(&Context::new()).unwrap()).unwrap()
    });
    println!("{}", values.join(" "));
}
EOF
seen=$(CARGO_TARGET_DIR=$work/target cargo run --quiet)
echo "$seen"
[ "$seen" = '["b","a"] ["a","b"] "ba" true' ]
