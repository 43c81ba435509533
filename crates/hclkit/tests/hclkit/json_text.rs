//! The JSON text that a conversion writes is byte for byte the text that `serde_json` writes of the converted value.

use hclkit::convert::{Shape, ToJson};
use hclkit_test_cases::{rounds, seed};
use std::fmt::Write as _;

fn check(text: &str) {
    let document = hclkit::parse(text);
    for shape in [Shape::Arrays, Shape::Compact] {
        let converter = ToJson::new().with_shape(shape);
        let Ok(conversion) = converter.check(&[&document]) else { return };
        let value = conversion.to_json();
        let mut compact = Vec::new();
        conversion.write(&mut compact).unwrap();
        assert_eq!(String::from_utf8(compact).unwrap(), serde_json::to_string(&value).unwrap(), "{text}");
        let mut pretty = Vec::new();
        conversion.write_pretty(&mut pretty).unwrap();
        let expected = serde_json::to_string_pretty(&value).unwrap();
        assert_eq!(String::from_utf8(pretty).unwrap(), expected, "{text}");
        let mut nested = Vec::new();
        conversion.write_nested(&mut nested, 2).unwrap();
        assert_eq!(String::from_utf8(nested).unwrap(), expected.replace('\n', "\n    "), "{text}");
    }
}

#[test]
fn examples_are_written_as_serde_json_writes() {
    for file in ["terraform/main.tf", "terraform/variables.tf", "nomad/web.nomad", "service/web.hcl"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
        let text = std::fs::read_to_string(path).unwrap();
        check(&text);
        check(&text.replace('\n', "\r\n"));
    }
}

#[test]
fn random_values_are_written_as_serde_json_writes() {
    let pieces = [
        "1",
        "-0",
        "-12.50",
        "null",
        "true",
        "[]",
        "{}",
        "x.y",
        "f(1, \"a\")",
        "\"\"",
        "\"a\"",
        "\"\\n\\t\\r\\\"\\\\\"",
        "\"\\u0001\\u001f\\u0008\\u000c\\u007f\\u2028é\"",
        "\"${x}\"",
        "\"a ${x} %{ if y }z%{ endif }\"",
        "\"$${x} %%{y}\"",
        "\"${~ x ~} b\"",
        "\"100% $5 ~\"",
        "\"a${f(\"b\\\"${c}\")}\"",
        "<<E\n  a ${b}\n\"c\"\\\nE\n",
        "\"\u{feff}${x}\"",
        "\"\u{feff}\"",
        "\"a % ${1 % 2}\"",
        "\"$${\"",
        "\"$${a}${b}\"",
        "\"${a}$${b}\"",
        "\"é${a}\"",
    ];
    let mut rng = fastrand::Rng::with_seed(seed(3));
    for _ in 0..rounds(1_500) {
        let mut text = String::new();
        body(&mut rng, &pieces, 3, &mut text);
        check(&text);
    }
}

fn body(rng: &mut fastrand::Rng, pieces: &[&str], depth: u32, out: &mut String) {
    let count = if rng.u8(..20) == 0 { 20 } else { rng.usize(..5) };
    for number in 0..count {
        if depth > 0 && rng.bool() {
            let types = ["a", "b \"l\"", "b \"m\"", "c \"x\" y", "c \"z\" \"\\n\"", "d"];
            out.push_str(types[rng.usize(..types.len())]);
            out.push_str(" {\n");
            body(rng, pieces, depth - 1, out);
            out.push_str("}\n");
        } else {
            let _ = write!(out, "attr{number} = ");
            value(rng, pieces, 2, out);
            out.push('\n');
        }
    }
}

fn value(rng: &mut fastrand::Rng, pieces: &[&str], depth: u32, out: &mut String) {
    let (open, close) = match rng.u8(..6) {
        0 if depth > 0 => ("[", "]"),
        1 if depth > 0 => ("{\n", "}"),
        _ => return out.push_str(pieces[rng.usize(..pieces.len())]),
    };
    out.push_str(open);
    for number in 0..rng.usize(..4) {
        if open == "[" {
            value(rng, pieces, depth - 1, out);
            out.push(',');
        } else {
            let keys = ["k", "\"a b\"", "(x)", "\"${y}\"", "k2"];
            let _ = write!(out, "{} = ", keys[(rng.usize(..2) + number) % keys.len()]);
            value(rng, pieces, depth - 1, out);
            out.push('\n');
        }
    }
    out.push_str(close);
}
