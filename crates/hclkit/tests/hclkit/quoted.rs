//! `value!`, `expr!` and `body!`: they create what the text in them means, and Rust values keep their meaning.

use hclkit::write::{NewValue, raw};
use hclkit::{Context, Expression, Type, Value, body, expr, value};

/// The value of an expression without variables.
fn evaluated(source: &str) -> Value {
    Expression::parse(source).unwrap().evaluate(&Context::new()).unwrap()
}

#[test]
fn values_are_those_that_the_text_has() {
    macro_rules! same {
        ($($text:literal: $made:expr;)*) => {
            $(assert_eq!($made, evaluated($text), "{}", $text);)*
        };
    }
    same! {
        "null": value!(null);
        "true": value!(true);
        "-1": value!(-1);
        "9223372036854775807": value!(9223372036854775807);
        "-9223372036854775808": value!(-9223372036854775808);
        "123456789012345678901234567890": value!(123456789012345678901234567890);
        "0.1": value!(0.1);
        "-1.5e3": value!(-1.5e3);
        r#""a\n$${b}\u00e9""#: value!("a\n$${b}é");
        "(1)": value!((1));
        "[]": value!([]);
        "{}": value!({});
        r#"[1, "a", [null]]"#: value!([1, "a", [null]]);
        r#"{ a = 1, "b c" = 2, (3) = 4, d : { e-f = 5 } }"#: value!({ a = 1, "b c" = 2, (3) = 4, d : { e-f = 5 } });
        "{\n  a = 1\n  b = [\n    2,\n  ]\n}": value!({
            a = 1
            // A comment.
            b = [
                2,
            ]
        });
    }
}

#[test]
fn rust_values_are_converted_in_every_place() {
    let (name, count) = ("web", 3_u8);
    let strings = vec!["a".to_owned()];
    let made = value!({
        name = #name
        #name = [#count, #(count + 1), #(0.5)]
        #(format!("{name}-b")) = #strings
        "key" = #(Value::from(true))
        type = #(value!([#name]))
    });
    let expected = r#"{ key = true, name = "web", type = ["web"], web = [3, 4, 0.5], web-b = ["a"] }"#;
    assert_eq!(made.to_string(), expected);
}

#[test]
fn expressions_are_those_that_the_text_has() {
    macro_rules! same {
        ($($text:literal: $made:expr;)*) => {
            $(assert_eq!($made.source().unwrap(), raw($text).source().unwrap());)*
        };
    }
    same! {
        "1": expr!(1);
        "my-name.a-b - c": expr!(my-name.a-b - c);
        "a.0.b[0][1]": expr!(a.0.b[0][1]);
        "a.*.b[*].c[\"d\"]": expr!(a.*.b[*].c["d"]);
        "!a && b || c == d ? e : -f % 2": expr!(!a && b || c == d ? e : -f % 2);
        "f(a, b...)": expr!(f(a, b...));
        "provider::x::f(1)": expr!(provider::x::f(1));
        "{ for k, v in m : k => v... if v != null }": expr!({ for k, v in m : k => v... if v != null });
        "\"a${b}%{ if c }d%{ endif }\"": expr!("a${b}%{ if c }d%{ endif }");
        "[\n  1,\n  2,\n]": expr!([
            1, // one
            2,
        ]);
    }
}

#[test]
fn rust_values_keep_their_meaning_in_expressions() {
    let (minus, text, list) = (-2, "a${b}\"c\"", [1, 2]);
    let object = value!({ x = 1 });
    for (made, expected) in [
        (expr!(#minus), "-2"),
        (expr!(1 - #minus), "1 - (-2)"),
        (expr!(#minus.x), "(-2).x"),
        (expr!(#(7)[0]), "(7)[0]"),
        (expr!(f(#text, #(&list[..])...)), r#"f("a$${b}\"c\"", [1, 2]...)"#),
        (expr!(#object.x + #object["x"]), r#"{ x = 1 }.x + { x = 1 }["x"]"#),
        (expr!([#minus, x]), "[-2, x]"),
        (expr!({ #text = x }), r#"{ "a$${b}\"c\"" = x }"#),
        (expr!({ (#minus) = #(expr!(x ? y : z)) }), "{ \"-2\" = x ? y : z }"),
        (expr!(merge({ #text = 1 }, x)), r#"merge({ "a$${b}\"c\"" = 1 }, x)"#),
        (expr!(#(expr!(x ? y : z)) + 1), "(x ? y : z) + 1"),
        (expr!(#minus-1), "(-2) - 1"),
        (expr!("a" == #text), r#""a" == "a$${b}\"c\"""#),
    ] {
        assert_eq!(made.source().unwrap(), raw(expected).source().unwrap(), "{expected}");
    }
    let unknown = Value::unknown(Type::String);
    assert!(expr!(f(#unknown)).source().is_err() && expr!(#unknown).source().is_err());
}

#[test]
fn bodies_are_those_that_the_text_has() {
    let (kind, label, names) = ("service", String::from("a b"), ["x", "y"]);
    let made = body! {
        region = "eu" // A comment.
        one { two = 2 }

        #kind "web" api #label {
            size = var.count * 2
            tags = {
                name = #label
                all  = [for zone in zones : zone]
            }
            #(names[0]) = #(names[1])
            nested {
            }
        }
    };
    let expected = r#"region = "eu"

one {
  two = 2
}

service "web" "api" "a b" {
  size = var.count * 2
  tags = { name = "a b", all = [for zone in zones : zone] }
  x    = "y"

  nested {}
}
"#;
    assert_eq!(made.source().unwrap(), expected);
    assert!(body! {}.is_empty());
    // A name that is not an identifier is an error when the body is written, as in `NewBody::attribute`.
    assert!(body! { #label = 1 }.source().is_err());
}

#[test]
fn names_of_the_macros_do_not_meet_those_of_the_program() {
    // Everything that the macros expand to has a path, and they bind no names.
    struct NewBody;
    let (texts, values, new, __rust_1) = (1, 2, 3, 4);
    let _ = NewBody;
    let made = value!([#texts, #values, #new, #__rust_1]);
    assert_eq!(made.to_string(), "[1, 2, 3, 4]");
    macro_rules! within {
        ($name:ident, $size:expr) => {
            body! { $name = #($size) }
        };
    }
    assert_eq!(within!(size, 1 + texts).source().unwrap(), "size = 2\n");
    let parts: [NewValue; 2] = [expr!(a), expr!(#new)];
    assert_eq!(NewValue::tuple(parts).source().unwrap(), "[a, 3]");
}
