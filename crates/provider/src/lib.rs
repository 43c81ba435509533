//! A provider for Terraform and OpenTofu with functions that evaluate HCL: the evaluation functions of the spec
//! language, and functions that format, convert and query text. The protocol is in `hclkit-plugin`. The documentation
//! is in `docs/`.
//!
//! The functions are pure: they use only their arguments, except that `evalconfig` reads its spec file.
#![forbid(unsafe_code)]

mod config;
mod evaluate;
mod problems;
mod settings;
mod text;
mod variables;

use hclkit::functions::{Grants, Library};
use hclkit::model::Functions;
use hclkit::value::{Error, Function, Parameter};
use hclkit::{Type, Value};
use hclkit_plugin::Provider;

/// The provider, with limits from environment variables.
pub fn provider(variable: impl Fn(&str) -> Option<String>) -> Provider {
    let provider = functions().into_iter().fold(Provider::new("hcl"), Provider::with_function);
    match settings::Settings::read(variable) {
        Ok(settings) => settings.apply(provider),
        Err(reason) => provider.with_error(reason),
    }
}

/// The functions of the provider, in the order of their documentation.
pub fn functions() -> Vec<Function> {
    let visible = Library::Spec.functions(&Grants::new());
    let mut functions = evaluate::functions(&visible);
    functions.extend(config::functions(&visible));
    functions.extend(text::functions());
    functions
}

/// Builds a function. Its body receives the arguments.
fn function<const N: usize>(
    (name, description): (&str, &str),
    parameters: [Parameter; N],
    result: Type,
    body: impl Fn(&[Value]) -> Result<Value, Error> + Send + Sync + 'static,
) -> Function {
    let function = Function::new(name, result, move |arguments, _| body(arguments));
    let function = function.with_description(description);
    parameters.into_iter().fold(function, Function::with_parameter)
}

/// A parameter for text, which is passed only when it is known.
fn text(name: &str, description: &str) -> Parameter {
    Parameter::new(name, Type::String).with_description(description)
}

/// The parameter for variables, which may be unknown.
fn variables() -> Parameter {
    Parameter::new("variables", Type::Dynamic)
        .with_description("The variables that expressions can use: an object or a map. Pass `{}` for none.")
        .with_unknowns()
        .with_dynamic()
}

/// The text of an argument.
fn text_of(arguments: &[Value], at: usize) -> &str {
    arguments.get(at).and_then(Value::as_str).unwrap_or_default()
}

/// The functions that expressions can use.
type Visible = Functions;
