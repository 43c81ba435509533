//! The argument `variables`: an object or a map, which may be unknown.

use hclkit::model::Traversal;
use hclkit::value::{Error, Mark, Name};
use hclkit::{Context, Diagnostics, Type, Value};

use crate::problems;

/// The variables of a call.
pub(crate) enum Variables {
    Known(Vec<(Name, Value)>),
    /// The names of the variables are unknown. All variables have this type.
    Unknown(Type),
}

impl Variables {
    /// Reads the argument at an index.
    pub(crate) fn read(arguments: &[Value], at: usize) -> Result<Self, Error> {
        let value = &arguments[at];
        let ty = value.ty();
        match &ty {
            Type::Object(object) if !value.is_known() => {
                let attributes = object.attributes();
                Ok(Self::Known(
                    attributes.map(|(name, ty)| (name.into(), Value::unknown(ty.clone()))).collect(),
                ))
            }
            Type::Map(element) if !value.is_known() => Ok(Self::Unknown((**element).clone())),
            Type::Dynamic if !value.is_null() => Ok(Self::Unknown(Type::Dynamic)),
            Type::Object(_) | Type::Map(_) => match value.entries() {
                Some(entries) => {
                    Ok(Self::Known(entries.map(|(name, value)| (name.into(), value.clone())).collect()))
                }
                None => Err(problems::plain(at, "an object or a map is required, found null")),
            },
            _ => Err(problems::plain(
                at,
                format!("an object or a map is required, found {}", ty.friendly_name()),
            )),
        }
    }

    /// Returns the variables by name, given the names that are referred to.
    pub(crate) fn named(&self, references: impl FnOnce() -> Vec<Traversal>) -> Vec<(Name, Value)> {
        match self {
            Self::Known(variables) => variables.clone(),
            Self::Unknown(ty) => {
                let unknown = |reference: Traversal| (reference.root, Value::unknown(ty.clone()));
                references().into_iter().map(unknown).collect()
            }
        }
    }
}

/// Evaluates something with variables. Terraform does not say which of them are sensitive, so errors must not show any
/// values. If there is an error, the evaluation is repeated with marked variables, and its error is returned.
pub(crate) fn evaluate(
    variables: &[(Name, Value)],
    work: impl Fn(Vec<(Name, Value)>) -> Result<Value, Diagnostics>,
) -> Result<Value, Diagnostics> {
    let problems = match work(variables.to_vec()) {
        Ok(value) => return Ok(value),
        Err(problems) => problems,
    };
    let mark = Mark::sensitive();
    let marked = variables.iter().map(|(name, value)| (name.clone(), value.mark(mark.clone()))).collect();
    match work(marked) {
        Err(redacted) => Err(redacted),
        // Locations and titles never contain values.
        Ok(_) => Err(problems.into_iter().map(|problem| problem.with_note("")).collect()),
    }
}

/// The context of expressions.
pub(crate) fn context(functions: &crate::Visible, variables: Vec<(Name, Value)>) -> Context {
    let mut context = Context::new().with_functions(functions.clone());
    context.set_all(variables);
    context
}
