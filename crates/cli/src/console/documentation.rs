//! `:doc`: the documentation of functions, with examples.

use std::fmt::Write as _;

use hclkit::model::Callable;
use hclkit::syntax::nearest_name;
use hclkit::value::{Function, Parameter};
use hclkit::{Context, Functions};

use crate::output::Failure;

/// The documentation of a function, or a list of all functions if the name is empty.
pub(super) fn of(context: &Context, name: &str) -> Result<String, Failure> {
    let none = Functions::new();
    let functions = context.functions().unwrap_or(&none);
    if name.is_empty() {
        return Ok(list(functions));
    }
    let name = name.trim_end_matches("()");
    let callable = functions.get(name).ok_or_else(|| {
        if let Some(replacement) = functions.replacement(name) {
            return Failure::new(format!("`{name}` is no longer available; use `{replacement}` instead"));
        }
        let hint = nearest_name(name, functions.names());
        let hint = hint.map_or_else(
            || "use :doc to list all functions".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        Failure::new(format!("unknown function `{name}`; {hint}"))
    })?;
    Ok(page(name, callable))
}

fn list(functions: &Functions) -> String {
    if functions.names().next().is_none() {
        return "No functions are available. Use --functions to choose a library.\n".to_owned();
    }
    let width = functions.names().map(str::len).max().unwrap_or_default();
    let line = |(name, callable): (&str, &Callable)| format!("{name:width$}  {}\n", description(callable));
    functions.iter().map(line).collect()
}

fn description(callable: &Callable) -> &str {
    match callable {
        Callable::Function(function) => function.description(),
        Callable::Lazy(function) => function.description(),
    }
}

fn page(name: &str, callable: &Callable) -> String {
    let mut text = match callable {
        Callable::Function(function) => signature(name, function),
        Callable::Lazy(function) => {
            let mut parameters: Vec<String> = function.parameters().iter().map(ToString::to_string).collect();
            parameters.extend(function.variadic_parameter().map(|name| format!("{name}...")));
            format!("\x1b[1m{name}\x1b[0m({})\n", parameters.join(", "))
        }
    };
    if !description(callable).is_empty() {
        let _ = writeln!(text, "\n{}", description(callable));
    }
    let examples: Vec<(&str, &str)> = match callable {
        Callable::Function(function) => {
            let described = all_parameters(function).filter(|parameter| !parameter.description().is_empty());
            let described: Vec<&Parameter> = described.collect();
            let width = described.iter().map(|parameter| parameter.name().len()).max().unwrap_or_default();
            for (at, parameter) in described.iter().enumerate() {
                let gap = if at == 0 { "\n" } else { "" };
                let _ = writeln!(text, "{gap}  {:width$}  {}", parameter.name(), parameter.description());
            }
            function.examples().iter().map(|example| (example.call(), example.result())).collect()
        }
        Callable::Lazy(function) => function.examples().collect(),
    };
    for (call, result) in examples {
        let _ = writeln!(text, "\n  {call}\n  → {result}");
    }
    text
}

fn all_parameters(function: &Function) -> impl Iterator<Item = &Parameter> {
    function.parameters().iter().chain(function.variadic_parameter())
}

/// `join(separator: string, lists: list(string)...)`
fn signature(name: &str, function: &Function) -> String {
    let one = |parameter: &Parameter| format!("{}: {}", parameter.name(), parameter.ty());
    let mut parameters: Vec<String> = function.parameters().iter().map(one).collect();
    parameters.extend(function.variadic_parameter().map(|parameter| one(parameter) + "..."));
    let result = function.result_type_of(&all_types(function)).ok();
    let result = result.filter(|ty| *ty != hclkit::Type::Dynamic).map(|ty| format!(" → {ty}"));
    format!("\x1b[1m{name}\x1b[0m({}){}\n", parameters.join(", "), result.unwrap_or_default())
}

fn all_types(function: &Function) -> Vec<hclkit::Type> {
    function.parameters().iter().map(|parameter| parameter.ty().clone()).collect()
}
