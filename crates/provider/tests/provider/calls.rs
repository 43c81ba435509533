//! Calls of the provider's functions without Terraform: expressions in which `hcl::` stands for `provider::hcl::`, and their
//! results as text.

#![allow(dead_code, reason = "each test uses a part")]

use std::path::{Path, PathBuf};

use hclkit::functions::{Grants, Library};
use hclkit::model::Functions;
use hclkit::value::{Error, Function, Step};
use hclkit::{Context, Expression, Type, Value};
use hclkit_test_cases::{Case, File};

/// The unknown values that calls refer to, as a module of Terraform defines them.
pub(crate) const LOCALS: &str = r#"
resource "terraform_data" "later" {
  input = "x"
}

locals {
  any    = terraform_data.later.output
  text   = tostring(terraform_data.later.output)
  number = tonumber(terraform_data.later.output)
  flag   = tobool(terraform_data.later.output)
  list   = tolist(terraform_data.later.output)
}
"#;

pub(crate) fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// All files with cases.
pub(crate) fn files() -> Vec<File> {
    hclkit_test_cases::read(&directory(), "cases", &["hcldec"]).unwrap()
}

/// The calls of a case, one on each line.
pub(crate) fn calls(case: &Case) -> Vec<String> {
    let lines = case.section("calls").expect("a section `calls`").lines();
    lines.map(|line| line.replace("hcl::", "provider::hcl::")).collect()
}

/// The functions and variables that calls see.
pub(crate) struct World {
    functions: Vec<Function>,
    context: Context,
}

impl World {
    pub(crate) fn new() -> Self {
        let functions = terraform_provider_hcl::functions();
        let mut table: Functions = Library::Terraform.functions(&Grants::new());
        for function in &functions {
            table.insert(format!("provider::hcl::{}", function.name()), function.clone());
        }
        let local = Value::object([
            ("any", Value::DYNAMIC),
            ("text", Value::unknown(Type::String)),
            ("number", Value::unknown(Type::Number)),
            ("flag", Value::unknown(Type::Bool)),
            ("list", Value::unknown(Type::list(Type::Dynamic))),
        ]);
        Self { functions, context: Context::new().with("local", local).with_functions(table) }
    }

    /// The result of a call: JSON, `unknown`, or an error after the name of the parameter.
    pub(crate) fn result(&self, call: &str) -> String {
        match self.evaluate(call) {
            Ok(value) if value.is_wholly_known() => {
                let functions = Library::Terraform.functions(&Grants::new());
                let context = Context::new().with("value", value).with_functions(functions);
                let text =
                    Expression::parse("jsonencode(value)").and_then(|encode| encode.evaluate(&context));
                text.unwrap().as_str().unwrap().to_owned()
            }
            Ok(_) => "unknown".to_owned(),
            Err(error) => format!("error {}", error.replace('\n', "\\n")),
        }
    }

    fn evaluate(&self, call: &str) -> Result<Value, String> {
        let expression = Expression::parse(call).unwrap_or_else(|problems| panic!("{call}: {problems}"));
        let Some((function, arguments)) = self.direct(&expression) else {
            return expression.evaluate(&self.context).map_err(|problems| problems.to_string());
        };
        function.call(&arguments).map_err(|error| about(function, error))
    }

    /// The function and the arguments, if an expression is a call of one of the provider's.
    fn direct(&self, expression: &Expression) -> Option<(&Function, Vec<Value>)> {
        let call = expression.static_call().ok()?;
        let name = call.name.strip_prefix("provider::hcl::")?;
        let function = self.functions.iter().find(|function| function.name() == name)?;
        let arguments = call.arguments.iter().map(|argument| argument.evaluate(&self.context));
        Some((function, arguments.collect::<Result<_, _>>().unwrap()))
    }
}

/// An error, after the parameter that it is about.
fn about(function: &Function, error: Error) -> String {
    let (first, rest) = error.split_first();
    let parameter = |step: &Step| (0..).zip(function.parameters()).find(|(at, _)| *step == Step::from(*at));
    match first.as_ref().and_then(parameter) {
        Some((_, parameter)) => format!("{}: {rest}", parameter.name()),
        None => rest.to_string(),
    }
}
