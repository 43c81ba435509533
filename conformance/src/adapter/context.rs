//! The context files of the suite: variables, functions, and the schema for decoding.

use std::collections::BTreeMap;

use hclkit_model::{Context, Functions};
use hclkit_value::{Error, Function, Parameter, Type, Value};
use serde::Deserialize;
use serde_json::Value as Json;

use super::schema::Wanted;
use super::{Failure, value};

/// What a context file says.
pub(super) struct Setup {
    pub(super) context: Context,
    pub(super) schema: Option<Wanted>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    variables: BTreeMap<String, Json>,
    #[serde(default)]
    functions: BTreeMap<String, Definition>,
    evaluation_mode: Option<Mode>,
    schema: Option<Wanted>,
}

#[derive(Deserialize)]
enum Mode {
    #[serde(rename = "literal-only")]
    LiteralOnly,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    #[serde(default)]
    params: Vec<Declared>,
    variadic_param: Option<Declared>,
    result: Outcome,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "as the suite has them")]
struct Declared {
    #[serde(default)]
    name: String,
    #[serde(rename = "type")]
    ty: Json,
    #[serde(default)]
    allow_null: bool,
    #[serde(default)]
    allow_unknown: bool,
    #[serde(default)]
    allow_dynamic_type: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Arguments,
    Value(Json),
    Error(String),
}

impl Setup {
    pub(super) fn read(text: &[u8]) -> Result<Setup, Failure> {
        let file: File = serde_json::from_slice(text).map_err(|error| format!("not a context: {error}"))?;
        let mut context = Context::new();
        // A context without anything is what reads strings of the JSON syntax as they are.
        if file.evaluation_mode.is_none() {
            let variables = file.variables.iter().map(|(name, json)| Ok((name.as_str(), value::read(json)?)));
            context.set_all(variables.collect::<Result<Vec<_>, Failure>>()?);
            let functions =
                file.functions.into_iter().map(|(name, definition)| Ok((name, definition.function()?)));
            let functions: Functions = functions.collect::<Result<Vec<_>, Failure>>()?.into_iter().collect();
            context.set_functions(functions);
        }
        Ok(Setup { context, schema: file.schema })
    }
}

impl Definition {
    fn function(self) -> Result<Function, Failure> {
        let mut function = match self.result {
            Outcome::Arguments => Function::with_type(
                |arguments| Ok(Type::tuple(arguments.iter().map(Value::ty))),
                |arguments, _| Ok(Value::tuple(arguments.iter().cloned())),
            ),
            Outcome::Value(json) => {
                let result = value::read(&json)?;
                Function::new(result.ty(), move |_, _| Ok(result.clone()))
            }
            Outcome::Error(message) => {
                Function::new(Type::Dynamic, move |_, _| Err(Error::new(message.clone())))
            }
        };
        for declared in self.params {
            function = function.parameter(declared.parameter()?);
        }
        if let Some(declared) = self.variadic_param {
            function = function.variadic(declared.parameter()?);
        }
        Ok(function)
    }
}

impl Declared {
    fn parameter(self) -> Result<Parameter, Failure> {
        let mut parameter = Parameter::new(self.name, value::read_type(&self.ty)?);
        if self.allow_null {
            parameter = parameter.allow_null();
        }
        if self.allow_unknown {
            parameter = parameter.allow_unknown();
        }
        if self.allow_dynamic_type {
            parameter = parameter.allow_dynamic();
        }
        Ok(parameter)
    }
}
