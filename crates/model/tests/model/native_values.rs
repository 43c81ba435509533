//! Expressions over values that no literal can make: what the reference answers to the same questions.

use hclkit_model::{Context, Expression, Functions};
use hclkit_value::{Capability, Error, Function, Number, Type, Value};

#[track_caller]
fn check(context: &Context, expression: &str, expected: bool) {
    let value = Expression::parse(expression).unwrap().evaluate(context).unwrap();
    assert_eq!(value.as_bool(), Some(expected), "{expression}");
}

#[test]
fn floats_are_compared_as_in_the_reference() {
    let context = Context::new()
        .with("f", Value::from(0.8))
        .with("third", Value::from(0.3))
        .with("large", Value::from(1e23));
    for equal in [
        "f == 0.8",
        "[f] == [0.8]",
        "f <= 0.8",
        "f >= 0.8",
        "third >= 0.3",
        "-f == -0.8",
        "{ a = f } == { a = 0.8 }",
    ] {
        check(&context, equal, true);
    }
    check(&context, "f != 0.8", false);
    // The order is that of the exact values.
    check(&context, "f > 0.8", true);
    check(&context, "third < 0.3", true);
    // Whole numbers are equal only if their values are.
    check(&context, "large == 1e23", false);
    check(&context, "[large] == [1e23]", false);
    check(&context, "large == 99999999999999991611392", true);
    check(&context, "large < 1e23", true);
}

#[test]
fn a_bound_does_not_decide_equality() {
    let least =
        Value::unknown(Type::Number).refine().with_not_null().with_min(Number::try_from(0.8).unwrap());
    let context = Context::new().with("u", least.finish().unwrap()).with("g", Value::from(0.8));
    assert!(!Expression::parse("u == g").unwrap().evaluate(&context).unwrap().is_known());
}

#[test]
fn try_and_can_do_not_catch_a_missing_grant_or_feature() {
    for capability in [Capability::Files, Capability::Environment, Capability::Feature, Capability::Clock] {
        let missing =
            Function::unnamed(Type::String, move |_, _| Err(Error::not_granted(capability, "it is off")));
        let mut functions = Functions::special();
        functions.insert("missing", missing);
        let context = Context::new().with_functions(functions);
        for expression in
            ["can(missing())", "try(missing(), 1)", "try(null.x, missing(), 1)", "can([can(missing())])"]
        {
            let errors = Expression::parse(expression).unwrap().evaluate(&context).unwrap_err();
            assert!(errors.to_string().contains("it is off"), "{expression}: {errors}");
        }
        // Errors of values are caught, and an expression that is not evaluated has none.
        check(&context, "can(null.x)", false);
        check(&context, "try(true, missing())", true);
    }
}
