//! The context files of the suite: variables, functions, extensions, and the schema for decoding.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use hclkit_model::{
    Arguments, Body, Callable, Context, Diagnostics, Dynamic, Functions, LazyFunction, user_functions,
};
use hclkit_value::{Error, Function, Parameter, Type, Value};
use serde::Deserialize;
use serde_json::Value as Json;

use super::schema::Wanted;
use super::{Failure, value};

/// The contents of a context file.
pub(super) struct Setup {
    pub(super) context: Context,
    pub(super) schema: Option<Wanted>,
    /// Only literals can be evaluated.
    literal_only: bool,
    dynamic_blocks: bool,
    /// The type of blocks that declare functions.
    user_functions: Option<String>,
}

/// A body to decode, and the context of its expressions.
pub(super) struct Prepared {
    pub(super) body: Body,
    pub(super) context: Context,
    /// The same context for functions that the body declares, which do not keep it alive.
    _shared: Arc<OnceLock<Context>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    variables: BTreeMap<String, Json>,
    #[serde(default)]
    functions: BTreeMap<String, Definition>,
    evaluation_mode: Option<Mode>,
    #[serde(default)]
    dynamic_blocks: bool,
    user_functions: Option<String>,
    schema: Option<Wanted>,
}

#[derive(Deserialize)]
enum Mode {
    #[serde(rename = "literal-only")]
    LiteralOnly,
}

/// A function: from an extension, or defined by the test, with a result.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    extension: Option<Extension>,
    #[serde(default)]
    params: Vec<Declared>,
    variadic_param: Option<Declared>,
    result: Option<Outcome>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Extension {
    Convert,
    ConvertWithDefaults,
    Try,
    Can,
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
    pub(super) fn read(text: &[u8]) -> Result<Self, Failure> {
        let file: File = serde_json::from_slice(text).map_err(|error| format!("not a context: {error}"))?;
        let mut context = Context::new();
        // Without a context, strings of the JSON syntax are literal.
        let literal_only = file.evaluation_mode.is_some();
        if !literal_only {
            let variables = file.variables.iter().map(|(name, json)| Ok((name.as_str(), value::read(json)?)));
            context.set_all(variables.collect::<Result<Vec<_>, Failure>>()?);
            let functions =
                file.functions.into_iter().map(|(name, definition)| Ok((name, definition.callable()?)));
            let functions: Functions = functions.collect::<Result<Vec<_>, Failure>>()?.into_iter().collect();
            context.set_functions(functions);
        }
        let File { dynamic_blocks, user_functions, schema, .. } = file;
        Ok(Self { context, schema, literal_only, dynamic_blocks, user_functions })
    }

    /// Declares the functions of a body and expands its dynamic blocks, if the context requests it.
    pub(super) fn prepare(&self, mut body: Body, diagnostics: &mut Diagnostics) -> Prepared {
        let mut context = self.context.clone();
        let shared = Arc::new(OnceLock::new());
        if let Some(block_type) = &self.user_functions {
            let seen = Arc::downgrade(&shared);
            let seen = move || seen.upgrade().and_then(|seen| seen.get().cloned()).unwrap_or_default();
            let (declared, rest) = diagnostics.absorb(user_functions(&body, block_type, seen));
            if !self.literal_only {
                let mut functions = context.functions().cloned().unwrap_or_default();
                functions.extend(declared.iter().map(|(name, function)| (name, function.clone())));
                context.set_functions(functions);
            }
            body = rest;
        }
        if self.dynamic_blocks {
            body = Dynamic::new(&context).expand(&body);
        }
        let _ = shared.set(context.clone());
        Prepared { body, context, _shared: shared }
    }
}

impl Definition {
    fn callable(self) -> Result<Callable, Failure> {
        match (self.extension, self.result) {
            (Some(extension), None) if self.params.is_empty() && self.variadic_param.is_none() => {
                extension.callable()
            }
            (None, Some(result)) => Ok(function(result, self.params, self.variadic_param)?.into()),
            _ => Err("a function has either an `extension`, or a `result` and its parameters".to_owned()),
        }
    }
}

impl Extension {
    fn callable(self) -> Result<Callable, Failure> {
        let name = match self {
            Self::ConvertWithDefaults => return Ok(convert_with_defaults().into()),
            Self::Convert => "convert",
            Self::Try => "try",
            Self::Can => "can",
        };
        Functions::special().get(name).cloned().ok_or_else(|| format!("there is no function `{name}`"))
    }
}

/// `convert(value, type)` with a type constraint whose defaults are applied.
fn convert_with_defaults() -> LazyFunction {
    let body = |arguments: &mut Arguments<'_, '_>| match (arguments.evaluate(0), arguments.type_constraint(1))
    {
        (Ok(value), Ok(constraint)) => {
            let converted = constraint.convert(&value)?;
            Ok(if value.is_known() { converted } else { Value::unknown(converted.ty()) })
        }
        (value, constraint) => {
            for found in [value.err(), constraint.err()].into_iter().flatten() {
                arguments.report(found);
            }
            Ok(Value::DYNAMIC)
        }
    };
    LazyFunction::new("value", body).with_parameters(["value", "type"])
}

/// A function that the test defines.
fn function(result: Outcome, params: Vec<Declared>, variadic: Option<Declared>) -> Result<Function, Failure> {
    let mut function = match result {
        Outcome::Arguments => Function::with_type(
            |arguments| Ok(Type::tuple(arguments.iter().map(Value::ty))),
            |arguments, _| Ok(Value::tuple(arguments.iter().cloned())),
        ),
        Outcome::Value(json) => {
            let result = value::read(&json)?;
            Function::unnamed(result.ty(), move |_, _| Ok(result.clone()))
        }
        Outcome::Error(message) => {
            Function::unnamed(Type::Dynamic, move |_, _| Err(Error::new(message.clone())))
        }
    };
    for declared in params {
        function = function.with_parameter(declared.parameter()?);
    }
    if let Some(declared) = variadic {
        function = function.with_variadic(declared.parameter()?);
    }
    Ok(function)
}

impl Declared {
    fn parameter(self) -> Result<Parameter, Failure> {
        let mut parameter = Parameter::new(self.name, value::read_type(&self.ty)?);
        if self.allow_null {
            parameter = parameter.with_nulls();
        }
        if self.allow_unknown {
            parameter = parameter.with_unknowns();
        }
        if self.allow_dynamic_type {
            parameter = parameter.with_dynamic();
        }
        Ok(parameter)
    }
}
