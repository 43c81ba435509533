//! Each function and parameter has a description, and the examples are correct.

use hclkit_functions::{bytes, cty, spec};
use hclkit_model::{Context, Expression};

#[test]
fn functions_and_parameters_have_descriptions() {
    for (name, function) in cty() {
        assert!(!function.description().is_empty(), "{name}");
        assert!(!function.examples().is_empty(), "{name}");
        for parameter in function.parameters().iter().chain(function.variadic_parameter()) {
            assert!(!parameter.description().is_empty(), "{name}: {}", parameter.name());
        }
    }
}

#[test]
fn examples_return_their_results() {
    let context = Context::new().with_functions(cty()).with("buffer", bytes(vec![1, 2, 3]));
    let value = |source: &str| {
        let expression = Expression::parse(source).unwrap_or_else(|error| panic!("{source}: {error}"));
        expression.evaluate(&context).unwrap_or_else(|error| panic!("{source}: {error}"))
    };
    for (name, function) in cty() {
        for example in function.examples() {
            assert!(example.call().starts_with(name), "{name}");
            assert_eq!(value(example.call()), value(example.result()), "{}", example.call());
        }
    }
}

#[test]
fn the_spec_functions_are_a_subset_of_cty() {
    let (part, whole) = (spec(), cty());
    assert_eq!(part.len(), 15);
    assert!(part.keys().all(|name| whole.contains_key(name)));
}
