//! The documentation of functions: their signatures, parameters and examples.

use std::fmt;

use hclkit_model::Callable;
use hclkit_value::{Function, Parameter, Type};

/// The signature of a function. It is displayed as `join(separator: string, lists: list(string)...) → string`.
///
/// ```
/// use hclkit::functions::{Grants, Library, Signature};
/// let functions = Library::Cty.functions(&Grants::new());
/// let signature = Signature::of("upper", functions.get("upper").unwrap());
/// assert_eq!(signature.to_string(), "upper(str: string) → string");
/// ```
#[derive(Clone, Debug)]
pub struct Signature {
    /// The name of the function.
    pub name: String,
    /// The parameters, such as `separator: string`.
    pub parameters: Vec<SignatureParameter>,
    /// The type of the result, if it does not depend on values.
    pub result: Option<Type>,
    /// Whether the last parameter takes any number of arguments.
    pub is_variadic: bool,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct SignatureParameter {
    /// Its name.
    pub name: String,
    /// Its name and type, such as `separator: string`.
    pub label: String,
    /// What it is; empty if there is no description.
    pub description: String,
}

impl Signature {
    /// The signature of a function with this name.
    pub fn of(name: &str, callable: &Callable) -> Self {
        let name = name.to_owned();
        match callable {
            Callable::Function(function) => {
                let one = |parameter: &Parameter, end: &str| SignatureParameter {
                    name: parameter.name().to_string(),
                    label: format!("{}: {}{end}", parameter.name(), parameter.ty()),
                    description: parameter.description().to_owned(),
                };
                let mut parameters: Vec<_> =
                    function.parameters().iter().map(|parameter| one(parameter, "")).collect();
                parameters.extend(function.variadic_parameter().map(|parameter| one(parameter, "...")));
                let result = function.result_type_of(&types(function)).ok().filter(|ty| *ty != Type::Dynamic);
                let is_variadic = function.variadic_parameter().is_some();
                Self { name, parameters, result, is_variadic }
            }
            Callable::Lazy(function) => {
                let one = |name: &str, end: &str| SignatureParameter {
                    name: name.to_owned(),
                    label: format!("{name}{end}"),
                    description: String::new(),
                };
                let mut parameters: Vec<_> = function.parameters().iter().map(|name| one(name, "")).collect();
                parameters.extend(function.variadic_parameter().map(|name| one(name, "...")));
                let is_variadic = function.variadic_parameter().is_some();
                Self { name, parameters, result: None, is_variadic }
            }
        }
    }

    /// The parameters in parentheses, and the type of the result.
    pub fn without_name(&self) -> String {
        let labels: Vec<&str> = self.parameters.iter().map(|parameter| parameter.label.as_str()).collect();
        let result = self.result.as_ref().map(|ty| format!(" → {ty}"));
        format!("({}){}", labels.join(", "), result.unwrap_or_default())
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, self.without_name())
    }
}

/// What a function does; empty if there is no description.
pub fn description(callable: &Callable) -> &str {
    match callable {
        Callable::Function(function) => function.description(),
        Callable::Lazy(function) => function.description(),
    }
}

/// Calls of a function, each with its result.
pub fn examples(callable: &Callable) -> Vec<(&str, &str)> {
    match callable {
        Callable::Function(function) => {
            function.examples().iter().map(|example| (example.call(), example.result())).collect()
        }
        Callable::Lazy(function) => function.examples().collect(),
    }
}

fn types(function: &Function) -> Vec<Type> {
    function.parameters().iter().map(|parameter| parameter.ty().clone()).collect()
}
