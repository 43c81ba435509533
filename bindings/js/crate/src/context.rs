//! Contexts: variables and functions for evaluation.

use hclkit::functions::{Grants, Library};
use hclkit::{Functions, Value};
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::function::{FunctionJson, functions};
use crate::limits::Limits;
use crate::{Answer, failure, read, value};

/// Variables and functions for evaluation, with limits.
#[wasm_bindgen]
pub struct Context {
    pub(crate) inner: hclkit::Context,
    pub(crate) limits: Limits,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Options {
    library: Option<String>,
    functions: Vec<FunctionJson>,
    limits: Limits,
}

/// The functions of a library, such as `terraform`. Files, the clock and randomness are not granted.
pub(crate) fn library(name: &str) -> Answer<Functions> {
    Ok(name.parse::<Library>().map_err(failure::plain)?.functions(&Grants::new()))
}

#[wasm_bindgen]
impl Context {
    /// Makes a context. `callables` are the functions of JavaScript, in the order of the options.
    #[wasm_bindgen(constructor)]
    pub fn new(variables: &str, options: &str, callables: &js_sys::Array) -> Answer<Context> {
        let options: Options = read(options)?;
        let mut inner = hclkit::Context::new();
        for (name, value) in value::variables(variables)? {
            inner.set(name, value);
        }
        let mut all = match &options.library {
            Some(name) => library(name)?,
            None => Functions::new(),
        };
        all.extend(functions(&options.functions, callables)?);
        inner.set_functions(all);
        Ok(Self { inner, limits: options.limits })
    }

    /// The names of the functions, as JSON.
    pub fn function_names(&self) -> Answer<String> {
        let names = self.inner.functions().map(|it| it.names().map(str::to_owned).collect::<Vec<_>>());
        crate::write(&names.unwrap_or_default())
    }
}

impl Context {
    /// Evaluates an expression.
    pub(crate) fn evaluate(&self, expression: &hclkit::Expression) -> Answer<Value> {
        expression.evaluate(&self.inner).map_err(|found| failure::of(&found))
    }
}
