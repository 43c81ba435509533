//! Places of parts of values: the text at the place of a path evaluates to that part of the value.

use std::fmt::Write;

use hclkit::model::TypeConstraint;
use hclkit::syntax::json;
use hclkit::value::Path;
use hclkit::{Context, Expression, Value};
use proptest::prelude::*;

/// A literal and its spelling.
#[derive(Clone, Debug)]
enum Literal {
    Text(String),
    Number(u16),
    Bool(bool),
    Null,
    Tuple(Vec<Self>),
    /// Items, each with the number of a spelling of its key.
    Object(Vec<(u8, u8, Self)>),
    Parens(Box<Self>),
    /// In a template that is a single interpolation.
    Wrapped(Box<Self>),
}

fn literals() -> impl Strategy<Value = Literal> {
    let leaf = prop_oneof![
        "[a-z é$%{]{0,3}".prop_map(Literal::Text),
        any::<u16>().prop_map(Literal::Number),
        any::<bool>().prop_map(Literal::Bool),
        Just(Literal::Null),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 0..5).prop_map(Literal::Tuple),
            3 => prop::collection::vec((0..12_u8, 0..5_u8, inner.clone()), 0..5).prop_map(Literal::Object),
            1 => inner.clone().prop_map(|inner| Literal::Parens(inner.into())),
            1 => inner.prop_map(|inner| Literal::Wrapped(inner.into())),
        ]
    })
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace("${", "$${").replace("%{", "%%{"))
}

impl Literal {
    fn native(&self, out: &mut String) {
        match self {
            Self::Text(text) => out.push_str(&quoted(text)),
            Self::Number(number) => write!(out, "{number}").unwrap(),
            Self::Bool(flag) => write!(out, "{flag}").unwrap(),
            Self::Null => out.push_str("null"),
            Self::Tuple(items) => {
                out.push('[');
                for item in items {
                    item.native(out);
                    out.push_str(", ");
                }
                out.push(']');
            }
            Self::Object(items) => {
                out.push_str("{ ");
                for (key, way, value) in items {
                    match way {
                        0 => write!(out, "k{key} = "),
                        1 => write!(out, "\"k{key}\" : "),
                        2 => write!(out, "(\"k{key}\") = "),
                        3 => write!(out, "\"k${{{key}}}\" = "),
                        _ => write!(out, "{key} = "),
                    }
                    .unwrap();
                    value.native(out);
                    out.push_str(", ");
                }
                out.push('}');
            }
            Self::Parens(inner) => {
                out.push('(');
                inner.native(out);
                out.push(')');
            }
            Self::Wrapped(inner) => {
                out.push_str("\"${");
                inner.native(out);
                out.push_str("}\"");
            }
        }
    }

    fn json(&self, out: &mut String) {
        match self {
            Self::Tuple(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { ", " });
                    item.json(out);
                }
                out.push(']');
            }
            Self::Object(items) => {
                out.push('{');
                // In the JSON syntax, duplicate names are an error.
                let mut keys = Vec::new();
                for (key, way, value) in items {
                    if keys.contains(key) {
                        continue;
                    }
                    out.push_str(if keys.is_empty() { "" } else { ", " });
                    keys.push(*key);
                    match way {
                        0 => write!(out, "\"k${{{key}}}\": "),
                        _ => write!(out, "\"k{key}\": "),
                    }
                    .unwrap();
                    value.json(out);
                }
                out.push('}');
            }
            Self::Parens(inner) | Self::Wrapped(inner) => inner.json(out),
            leaf => leaf.native(out),
        }
    }
}

fn of_json(text: &str) -> Expression {
    // A document must be an object.
    let document = json::parse(format!("{{\"it\": {text}}}"));
    assert!(!document.has_errors(), "{text}: {}", document.diagnostics());
    Expression::from_json(document.root().properties().next().unwrap().value())
}

fn check(read: impl Fn(&str) -> Expression, text: &str) -> Result<(), TestCaseError> {
    let mut context = Context::new();
    context.set("unused", 1);
    let whole = read(text);
    let value = whole.evaluate(&context).unwrap();
    let mut parts: Vec<(Path, Value)> = Vec::new();
    value.walk(&mut |path, part| {
        parts.push((Path::from(path.to_vec()), part.clone()));
        true
    });
    for (path, part) in parts {
        let place = whole.place_of(&path);
        let place = place.text();
        // In both syntaxes, an interpolation contains the native syntax.
        let alone = read(place).evaluate(&context).unwrap();
        prop_assert_eq!(&alone, &part, "{} in {} is at {}", path, text, place);
        // A missing part has the place of the innermost existing part.
        let beyond = whole.place_of(&path.clone().attribute("missing"));
        prop_assert_eq!(beyond.text(), place);
    }
    Ok(())
}

proptest! {
    #[test]
    fn the_text_at_a_place_is_that_of_the_part(literal in literals()) {
        let (mut native, mut json) = (String::new(), String::new());
        literal.native(&mut native);
        literal.json(&mut json);
        check(|text| Expression::parse(text).unwrap(), &native)?;
        check(of_json, &json)?;
    }
}

#[track_caller]
fn place(expression: &Expression, path: &Path) -> String {
    expression.place_of(path).text().to_owned()
}

#[test]
fn parts_of_other_expressions_have_the_place_of_the_expression() {
    let expression = Expression::parse("{ a = [x.y, [for z in w: z]], b = c ? {} : {} }").unwrap();
    let a = Path::new().attribute("a");
    assert_eq!(place(&expression, &a.clone().index(0).attribute("q").index(1)), "x.y");
    assert_eq!(place(&expression, &a.index(1).index(7)), "[for z in w: z]");
    assert_eq!(place(&expression, &Path::new().attribute("b").attribute("q")), "c ? {} : {}");
}

#[test]
fn a_computed_key_is_followed_only_if_no_other_item_can_match() {
    let path = || Path::new().attribute("a");
    let of = |text: &str| Expression::parse(text).unwrap();
    assert_eq!(place(&of("{ (k) = 1, b = 2 }"), &path()), "1");
    assert_eq!(place(&of("{ (k) = 1, a = 2 }"), &path()), "2");
    assert_eq!(place(&of("{ a = 1, (k) = 2 }"), &path()), "{ a = 1, (k) = 2 }");
    assert_eq!(place(&of("{ (j) = 1, (k) = 2 }"), &path()), "{ (j) = 1, (k) = 2 }");
    assert_eq!(place(&of("{ a = 1, a = 2 }"), &path()), "2");
}

#[test]
fn names_of_properties_are_templates_or_text() {
    let expression = of_json(r#"{"${b}": [2], "$${a}": 1, "c": "${[3, 4]}"}"#);
    assert_eq!(place(&expression, &Path::new().attribute("${a}")), "1");
    assert_eq!(place(&expression, &Path::new().attribute("x").index(0)), "2");
    assert_eq!(place(&expression, &Path::new().attribute("c").index(1)), "4");
    let literal = of_json(r#"{"${a}": 1, "${b}": [2]}"#);
    assert_eq!(place(&literal, &Path::new().attribute("${b}").index(0)), "2");
}

#[test]
fn type_errors_are_reported_at_the_element() {
    let constraint = Expression::parse(
        "object({ name = string, ports = list(object({ number = number, tls = optional(bool, false) })) })",
    );
    let constraint = TypeConstraint::of(&constraint.unwrap()).unwrap();
    let check = |expression: Expression, expected: &str| {
        let found = constraint.evaluate(&expression, &Context::new()).unwrap_err();
        let first = found.iter().next().unwrap();
        assert_eq!(expression.source().slice(first.span()), expected, "{found}");
    };
    let native = |text: &str| Expression::parse(text).unwrap();
    check(native("{ name = \"a\", ports = [{ number = 1 }, { number = \"x\" }] }"), "\"x\"");
    check(native("{ name = \"a\", ports = [{ number = 1, tls = 3 }] }"), "3");
    check(native("{ name = \"a\", ports = [{}] }"), "{}");
    check(native("{ name = \"a\" }"), "{ name = \"a\" }");
    check(of_json("{\"name\": [1], \"ports\": []}"), "[1]");
}
