//! Partial evaluation of random expressions and templates. `partial/check.rs` defines what must hold.

mod check;
mod sources;

use hclkit::model::{Partial, Traversal};
use hclkit::value::Mark;
use hclkit::{Context, Expression, Value};
use hclkit_test_cases::{rounds, seed};

use check::{Checker, functions};
use sources::Random;

#[test]
fn the_residue_evaluates_to_the_same_value() {
    let (cases, seed) = (rounds(2_000), seed(1));
    let mut checker = Checker::new();
    for case in 0..cases {
        let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(case));
        check::check_one(&mut checker, &mut random);
    }
    let Checker { sources, values, errors, rests, .. } = checker;
    println!("{sources} of {cases} from seed {seed}: {values} values, {rests} rests, {errors} errors");
    assert!(sources * 2 > cases as usize && rests > sources && values * 8 > sources && errors * 20 > sources);
}

/// The residue if only `known` and `yes` are known.
fn left(source: &str) -> String {
    let context = Context::new().with("known", "k").with("yes", true).with("no", false);
    let context = context.with("clock", "${timestamp()}");
    let context = context.with("secret", Value::from("x").mark(Mark::sensitive()));
    let expression = Expression::parse(format!("{source}\n")).unwrap();
    match expression.partial(&context.with_functions(functions(false))).unwrap() {
        Partial::Value(value) => format!("= {value}"),
        Partial::Rest(rest) => rest.text,
    }
}

#[test]
fn directives_with_a_known_condition_become_their_body() {
    for (source, wanted) in [
        (r#""%{ if yes }a${y}%{ else }b%{ endif }""#, r#""a${y}""#),
        (r#""%{ if no }a%{ else }b${y}%{ endif }c""#, r#""b${y}c""#),
        (r#""a${y}%{ if no }b%{ endif }c${known}""#, r#""a${y}ck""#),
        (r#""a%{ if yes }${y}%{ if no }b%{ else }-${z}%{ endif }%{ endif }c""#, r#""a${y}-${z}c""#),
        (r#""%{ if yes }%{ for v in y }${v}%{ endfor }%{ endif }!""#, r#""%{ for v in y }${v}%{ endfor }!""#),
        ("<<E\n%{ if yes }\na ${y}\n%{ endif }\nE", "<<E\n\na ${y}\n\nE"),
        // A single interpolation would not be a string.
        (r#""%{ if yes }${y}%{ endif }""#, r#""%{ if true }${y}%{ endif }""#),
        // The other body may have errors or marks.
        (r#""%{ if yes }a${y}%{ else }${z}%{ endif }""#, r#""%{ if true }a${y}%{ else }${z}%{ endif }""#),
        (
            r#""%{ if yes }a${y}%{ else }${secret}%{ endif }""#,
            r#""%{ if yes }a${y}%{ else }${secret}%{ endif }""#,
        ),
        // Strip markers remove white space around them.
        (r#""a %{~ if yes }${y}%{ endif }""#, r#""a %{~ if true }${y}%{ endif }""#),
        // The body and the text before it would form an escape sequence.
        (r#""$%{ if yes }{${y}%{ endif }""#, r#""$%{ if true }{${y}%{ endif }""#),
    ] {
        assert_eq!(left(source), wanted, "{source}");
    }
}

#[test]
fn remaining_references_are_those_in_the_text() {
    for source in ["thing[-length([])]", "thing[-1]", "thing[1 - 1]", "thing[known].x", "thing[-0.0 * 1]"] {
        let context = Context::new().with("known", "k").with_functions(functions(false));
        let expression = Expression::parse(format!("{source}\n")).unwrap();
        let Partial::Rest(rest) = expression.partial(&context).unwrap() else { panic!("{source}") };
        let left = Expression::parse(format!("{}\n", rest.text)).unwrap();
        let texts = |of: &[Traversal]| of.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(texts(&rest.references), texts(&left.variables()), "{source} leaves {}", rest.text);
    }
}

#[test]
fn functions_without_their_grants_are_not_called() {
    for (source, wanted) in [
        (r#"twice("a")"#, r#"= "aa""#),
        ("twice(y)", "twice(y)"),
        (r#"read("x")"#, r#"read("x")"#),
        ("read(known)", r#"read("k")"#),
        (r#"read_or("x", "a")"#, r#"read_or("x", "a")"#),
        ("[now(), 1 + 1]", "[now(), 2]"),
        (r#"stamped("a")"#, r#"stamped("a")"#),
        (r#"render("a$${1 + 1}")"#, r#"= "a2""#),
        (r#"render("$${timestamp()}")"#, r#"render("$${timestamp()}")"#),
        ("templatestring(clock, { a = 1 + 1 })", "templatestring(clock, { a = 2 })"),
        (r#"templatefile("x", { a = 1 + 1 })"#, r#"templatefile("x", { a = 2 })"#),
        ("twice(now())", "twice(now())"),
        // While a condition may still change, it does not select a result, whose errors would be reported.
        ("can(no ? y : []) ? [][1] : null", "can(false ? y : []) ? [][1] : null"),
        ("can(no ? y : []) && [][1]", "can(false ? y : []) && [][1]"),
        ("[][1] || can(no ? y : [])", "[][1] || can(false ? y : [])"),
        ("(can(no ? y : []) && no) || [][1]", "(can(false ? y : []) && false) || [][1]"),
        (r#"-(can(no ? y : []) ? "a" : 1)"#, r#"-(can(false ? y : []) ? "a" : 1)"#),
        (
            r#""%{ if can(no ? y : []) }${[][1]}%{ endif }""#,
            r#""%{ if can(false ? y : []) }${[][1]}%{ endif }""#,
        ),
        ("[for v in [1] : [][v] if !can(no ? y : [])]", "[for v in [1] : [][v] if !can(false ? y : [])]"),
        (
            "{ for v in [1, 1] : v => [][v] if !can(no ? y : []) }",
            "{ for v in [1, 1] : v => [][v] if !can(false ? y : []) }",
        ),
        (
            "{ for v in [1, 1] : v => v if !can(no ? y : []) }",
            "{ for v in [1, 1] : v => v if !can(false ? y : []) }",
        ),
        (
            "[for v in can(no ? y : []) ? [1] : [] : [][v]]",
            "[for v in can(false ? y : []) ? [1] : [] : [][v]]",
        ),
        ("{ (can(no ? y : []) ? null : true) = 1 }", "{ (can(false ? y : []) ? null : true) = 1 }"),
        ("{ a = 1 }[can(no ? y : []) ? null : true]", "{ a = 1 }[can(false ? y : []) ? null : true]"),
        (r#""${can(no ? y : []) ? null : "a"}b""#, r#""${can(false ? y : []) ? null : "a"}b""#),
        // The common type of the elements may still change, whatever errors were caught.
        ("toset([y, true, -z])", "toset([y, true, -z])"),
        ("toset([y, can([][1]), -z])", "toset([y, false, -z])"),
        ("toset([y, try([][1], true), -z])", "toset([y, true, -z])"),
    ] {
        assert_eq!(left(source), wanted, "{source}");
    }
}
