//! `regex`, `regexall` and `regexreplace`.

use hclkit_value::{Error, Function, Parameter, Step, Type, Value};

use super::{Match, Pattern, Reading, compile};
use crate::arguments::{not_null, text};
use crate::limits::check_collections;

fn pattern_parameter() -> Parameter {
    Parameter::new("pattern", Type::String).with_description("A regular expression in RE2 syntax, as in Go.")
}

fn text_parameter() -> Parameter {
    Parameter::new("string", Type::String).with_description("The string to search.")
}

pub(crate) fn regex() -> Function {
    Function::with_type(
        |args| match_type(&args[0]),
        |args, ty| {
            let pattern = compile(text(args, 0))?;
            let found = pattern.find(text(args, 1))?;
            let found = found.ok_or_else(|| Error::new("the pattern did not match any part of the string"))?;
            Ok(match_value(&pattern, &found, ty))
        },
    )
    .with_description(
        "Returns the first match of a regular expression: the matched substring, or the capture groups if the \
         pattern has any, as a tuple, or as an object if the groups have names.",
    )
    .with_parameter(pattern_parameter())
    .with_parameter(text_parameter())
    .with_refined_result(not_null)
    .with_example(r#"regex("[a-z]+", "53453453.345345aaabbbccc23454")"#, r#""aaabbbccc""#)
    .with_example(r#"regex("(\\d+)-(\\d+)", "2019-02")"#, r#"["2019", "02"]"#)
}

pub(crate) fn regexall() -> Function {
    Function::with_type(
        |args| Ok(Type::list(match_type(&args[0])?)),
        |args, ty| {
            let pattern = compile(text(args, 0))?;
            let element = ty.element().cloned().unwrap_or(Type::String);
            pattern.take_steps_for_all(text(args, 1))?;
            let (mut matches, mut reading) = (Vec::new(), Reading::new(&pattern, text(args, 1)));
            for found in pattern.find_all(text(args, 1)) {
                check_collections(1, matches.len() + pattern.groups().len())?;
                reading.take_steps(&found)?;
                matches.push(match_value(&pattern, &found, &element));
            }
            Ok(Value::list_of(element, matches)?)
        },
    )
    .with_description(
        "Returns a list of all non-overlapping matches of a regular expression, each as `regex` returns it. If the \
         pattern must read far beyond each match to find it, as `a(.*b)?` does, the time is quadratic in the length of \
         the string, up to the limit on steps.",
    )
    .with_parameter(pattern_parameter())
    .with_parameter(text_parameter())
    .with_refined_result(not_null)
    .with_example(r#"regexall("[a-z]", "1a2b")"#, r#"tolist(["a", "b"])"#)
}

pub(crate) fn regexreplace() -> Function {
    Function::unnamed(Type::String, |args, _| {
        let pattern = compile(text(args, 1))?;
        Ok(Value::from(pattern.replace_all(text(args, 0), text(args, 2))?))
    })
    .with_description(
        "Replaces all matches of a regular expression. The time can be quadratic in the length of the string, as for \
         `regexall`.",
    )
    .with_parameter(text_parameter())
    .with_parameter(pattern_parameter())
    .with_parameter(
        Parameter::new("replacement", Type::String)
            .with_description("The replacement; `$1` and `${name}` insert the text of a capture group."),
    )
    .with_refined_result(not_null)
    .with_example(r#"regexreplace("a1b2", "[0-9]", "<$0>")"#, r#""a<1>b<2>""#)
}

/// The type of a match, as far as it is known from the pattern.
fn match_type(pattern: &Value) -> Result<Type, Error> {
    let Some(pattern) = pattern.as_str() else { return Ok(Type::Dynamic) };
    let pattern = compile(pattern).map_err(|error| error.within(Step::from(0)))?;
    let groups = pattern.groups();
    if groups.is_empty() {
        return Ok(Type::String);
    }
    let names: Vec<_> = groups.iter().flatten().collect();
    if names.is_empty() {
        return Ok(Type::tuple(groups.iter().map(|_| Type::String)));
    }
    if names.len() < groups.len() {
        return Err(
            Error::new("either all or none of the capture groups must have names").within(Step::from(0))
        );
    }
    Ok(Type::object(names.into_iter().map(|name| (name, Type::String))))
}

fn match_value(pattern: &Pattern, found: &Match<'_>, ty: &Type) -> Value {
    let groups = found.groups().map(|group| group.map_or_else(|| Value::null(Type::String), Value::from));
    match ty {
        Type::Tuple(_) => Value::tuple(groups),
        Type::Object(_) => Value::object(pattern.groups().iter().flatten().zip(groups)),
        _ => Value::from(found.group(0).unwrap_or_default()),
    }
}
