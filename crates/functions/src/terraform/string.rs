//! Functions on strings that cty does not have, or that behave differently in Terraform.

use hclkit_value::{Function, Parameter, Step, Type, Value};

use crate::arguments::{not_null, text};
use crate::regex::compile;

pub(crate) fn startswith() -> Function {
    Function::unnamed(Type::Bool, |args, _| {
        let prefix = text(args, 1);
        Ok(match args[0].as_str() {
            Some(text) => Value::from(text.starts_with(prefix)),
            // The known prefix of an unknown string may decide.
            None => match args[0].refinement().prefix() {
                known if known.starts_with(prefix) => Value::TRUE,
                known if known.len() >= prefix.len() => Value::FALSE,
                _ => Value::unknown(Type::Bool),
            },
        })
    })
    .with_refined_result(not_null)
    .with_description("Returns whether a string starts with a prefix.")
    .with_parameter(
        Parameter::new("str", Type::String).with_description("The string to test.").with_unknowns(),
    )
    .with_parameter(Parameter::new("prefix", Type::String).with_description("The prefix to test for."))
    .with_example(r#"startswith("hello world", "hello")"#, "true")
}

pub(crate) fn endswith() -> Function {
    test_part(|text, part| text.ends_with(part))
        .with_refined_result(not_null)
        .with_description("Returns whether a string ends with a suffix.")
        .with_parameter(Parameter::new("str", Type::String).with_description("The string to test."))
        .with_parameter(Parameter::new("suffix", Type::String).with_description("The suffix to test for."))
        .with_example(r#"endswith("hello world", "world")"#, "true")
}

pub(crate) fn strcontains() -> Function {
    test_part(|text, part| text.contains(part))
        .with_description("Returns whether a string contains a substring.")
        .with_parameter(Parameter::new("str", Type::String).with_description("The string to search."))
        .with_parameter(
            Parameter::new("substr", Type::String).with_description("The substring to search for."),
        )
        .with_example(r#"strcontains("hello world", "wor")"#, "true")
}

/// A function that tests whether the second argument is part of the first.
fn test_part(test: fn(&str, &str) -> bool) -> Function {
    Function::unnamed(Type::Bool, move |args, _| Ok(Value::from(test(text(args, 0), text(args, 1)))))
}

pub(super) fn replace() -> Function {
    let literal = crate::string::replace();
    Function::unnamed(Type::String, move |args, _| {
        let Some(pattern) = text(args, 1).strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) else {
            return literal.call(args);
        };
        let pattern = compile(pattern).map_err(|error| error.within(Step::from(1)))?;
        Ok(Value::from(pattern.replace_all(text(args, 0), text(args, 2))?))
    })
    .with_description("Replaces all occurrences of a substring, or all matches of a regular expression.")
    .with_parameter(Parameter::new("str", Type::String).with_description("The string to search."))
    .with_parameter(
        Parameter::new("substr", Type::String)
            .with_description("The substring to search for, or a regular expression between slashes."),
    )
    .with_parameter(Parameter::new("replace", Type::String).with_description(
        "The replacement. With a regular expression, `$1` and `${name}` insert the text of a group.",
    ))
    .with_refined_result(not_null)
    .with_example(r#"replace("1 + 2 + 3", "+", "-")"#, r#""1 - 2 - 3""#)
    .with_example(r#"replace("hello world", "/w.*d/", "everybody")"#, r#""hello everybody""#)
}
