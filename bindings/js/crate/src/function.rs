//! Functions for expressions that are functions of JavaScript.

use hclkit::value::{Error, Function, Parameter};
use hclkit::{Type, Value};
use serde::Deserialize;
use wasm_bindgen::{JsCast as _, JsValue};

use crate::{Answer, failure, value};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FunctionJson {
    name: String,
    description: String,
    parameters: Vec<ParameterJson>,
    variadic: Option<ParameterJson>,
    result: String,
    impure: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ParameterJson {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    nullable: bool,
}

impl ParameterJson {
    fn parameter(&self) -> Answer<Parameter> {
        let parameter = Parameter::new(self.name.as_str(), value::ty(&self.ty)?);
        Ok(if self.nullable { parameter.with_nulls().with_dynamic() } else { parameter })
    }
}

/// Functions with their callables, which take the arguments as text, and return a value or throw.
pub(crate) fn functions(definitions: &[FunctionJson], callables: &js_sys::Array) -> Answer<Vec<Function>> {
    let one = |(definition, callable): (&FunctionJson, JsValue)| {
        let callable: js_sys::Function = callable
            .dyn_into()
            .map_err(|_| failure::plain(format!("{} is not a function", definition.name)))?;
        function(definition, callable)
    };
    definitions.iter().zip(callables.iter()).map(one).collect()
}

fn function(definition: &FunctionJson, callable: js_sys::Function) -> Answer<Function> {
    let body = move |arguments: &[Value], ty: &Type| call(&callable, arguments, ty);
    let mut function = Function::new(definition.name.as_str(), value::ty(&definition.result)?, body)
        .with_description(definition.description.as_str());
    for parameter in &definition.parameters {
        function = function.with_parameter(parameter.parameter()?);
    }
    if let Some(parameter) = &definition.variadic {
        function = function.with_variadic(parameter.parameter()?);
    }
    Ok(if definition.impure { function.with_impure() } else { function })
}

fn call(callable: &js_sys::Function, arguments: &[Value], ty: &Type) -> Result<Value, Error> {
    let error = |thrown: JsValue| Error::new(message(&thrown));
    let arguments = value::written(arguments).map_err(error)?;
    let result = callable.call1(&JsValue::NULL, &JsValue::from_str(&arguments)).map_err(error)?;
    let result = value::value(&result.as_string().unwrap_or_default()).map_err(error)?;
    result.convert(ty)
}

/// The text of what a callable threw, or of our own failures.
fn message(thrown: &JsValue) -> String {
    #[derive(Deserialize)]
    struct Failure {
        message: String,
    }
    let text = thrown.as_string().or_else(|| thrown.dyn_ref::<js_sys::Error>().map(|it| it.message().into()));
    let text = text.unwrap_or_else(|| "the function failed".to_owned());
    let own = serde_json::from_str::<Failure>(&text).map(|failure| failure.message);
    start_of(own.unwrap_or(text))
}

/// The start of a message. One of an evaluation in an evaluation has those of the inner ones in it, which can be hundreds.
fn start_of(message: String) -> String {
    const MOST: usize = 2_000;
    match message.char_indices().nth(MOST) {
        None => message,
        Some((end, _)) => format!("{}…", &message[..end]),
    }
}
