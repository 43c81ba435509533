//! `:doc`: the documentation of functions, with examples.

use std::fmt::Write as _;

use hclkit::functions::{Signature, SignatureParameter, description, examples};
use hclkit::model::Callable;
use hclkit::syntax::{nearest_name, or_did_you_mean};
use hclkit::{Context, Functions};

use crate::outcome::Failure;

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
        let hint = match nearest_name(name, functions.names()) {
            Some(near) => or_did_you_mean(Some(near)),
            None => "; use :doc to list all functions".to_owned(),
        };
        Failure::new(format!("unknown function `{name}`{hint}"))
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

fn page(name: &str, callable: &Callable) -> String {
    let signature = Signature::of(name, callable);
    let mut text = format!("\x1b[1m{name}\x1b[0m{}\n", signature.without_name());
    if !description(callable).is_empty() {
        let _ = writeln!(text, "\n{}", description(callable));
    }
    let described = signature.parameters.iter().filter(|parameter| !parameter.description.is_empty());
    let described: Vec<&SignatureParameter> = described.collect();
    let width = described.iter().map(|parameter| parameter.name.len()).max().unwrap_or_default();
    for (at, parameter) in described.iter().enumerate() {
        let gap = if at == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}  {:width$}  {}", parameter.name, parameter.description);
    }
    for (call, result) in examples(callable) {
        let _ = writeln!(text, "\n  {call}\n  → {result}");
    }
    text
}
