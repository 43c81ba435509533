//! Explanations of values.

use hclkit_model::{Context, Explanation, Expression, Functions};
use hclkit_syntax::{Source, StartSymbol};
use hclkit_value::{Error, Function, Mark, Parameter, Type, Value};

/// How many elements of a splat are in an explanation.
const MOST_ELEMENTS: usize = 4;

/// A call of a function that evaluates another expression.
fn call(argument: Value) -> Explanation {
    let doubled = Expression::read(Source::new("double", "n * 2"), StartSymbol::Expression).unwrap();
    let double = Function::unnamed(Type::Number, move |arguments, _| {
        let context = Context::new().with("n", arguments[0].clone());
        doubled.evaluate(&context).map_err(|found| Error::new(found.to_string()))
    });
    let mut functions = Functions::new();
    functions.insert("double", double.with_parameter(Parameter::new("n", Type::Number)));
    let context = Context::new().with("x", argument).with_functions(functions);
    Expression::parse("double(3) + double(x)").unwrap().explain(&context)
}

#[test]
fn explanations_contain_what_functions_evaluate() {
    let explanation = call(Value::from(4));
    assert_eq!(explanation.value, Value::from(14));
    let [first, second] = &explanation.parts[..] else { panic!("{explanation:?}") };
    let [inner] = &first.parts[..] else { panic!("{first:?}") };
    assert_eq!(inner.source.as_ref().unwrap().slice(inner.span), "n * 2");
    assert_eq!((&inner.value, &inner.parts[0].value), (&Value::from(6), &Value::from(3)));
    let [argument, inner] = &second.parts[..] else { panic!("{second:?}") };
    assert!(argument.source.is_none());
    assert_eq!(inner.value, Value::from(8));
}

#[test]
fn explanations_omit_calls_with_marked_arguments() {
    let explanation = call(Value::from(4).mark(Mark::sensitive()));
    assert!(explanation.parts[0].parts[0].source.is_some());
    let [argument] = &explanation.parts[1].parts[..] else { panic!("{explanation:?}") };
    assert!(argument.source.is_none());
}

#[test]
fn explanations_contain_the_first_elements_of_a_splat() {
    let items =
        |good| (0..9).map(move |at| Value::object([(if at == 1 { good } else { "a" }, Value::from(at))]));
    let explain = |good| {
        let context = Context::new().with("x", Value::tuple(items(good)));
        let explanation = Expression::parse("x[*].a").unwrap().explain(&context);
        (explanation.parts.len(), explanation.omitted)
    };
    assert_eq!(explain("a"), (1 + MOST_ELEMENTS, 9 - MOST_ELEMENTS));
    assert_eq!(explain("b"), explain("a"));
}
