#!/usr/bin/env bash
# hcl-rs 0.20.0 loses blocks when it decodes a file into a value.
#
# `hcl::from_str` makes one value of all blocks of a type. If some of them have a label and others have none, only the last kind is
# left: of `service { port = 1 }` before `service "web" { port = 2 }`, nothing is in the result, and in the other order, nothing of
# the other block. There is no error. `hcl::parse` keeps both.
#
# Output seen:
#   {"service":{"web":{"port":2}}}
#   {"service":{"port":1}}
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
const WITHOUT: &str = "service {\n  port = 1\n}\n";
const WITH: &str = "service \"web\" {\n  port = 2\n}\n";

fn main() {
    for text in [format!("{WITHOUT}{WITH}"), format!("{WITH}{WITHOUT}")] {
        assert_eq!(hcl::parse(&text).unwrap().blocks().count(), 2);
        let value: hcl::Value = hcl::from_str(&text).unwrap();
        println!("{}", serde_json::to_string(&value).unwrap());
    }
}
EOF
seen=$(CARGO_TARGET_DIR=$work/target cargo run --quiet)
echo "$seen"
[ "$seen" = '{"service":{"web":{"port":2}}}
{"service":{"port":1}}' ]
