//! Values for input variables from files, the environment and options. Later values take precedence.

use std::collections::{BTreeMap, HashSet};

use hclkit_dialect::Builtin;
use hclkit_model::{Body, Context, Expression, TypeConstraint};
use hclkit_syntax::{Diagnostics, Entry, KnownNames, Place, Source};
use hclkit_value::{Name, Type, Value};

use crate::config::{Config, Input};
use crate::explain::Cause;
use crate::files::relative;
use crate::messages;

/// A value from outside.
#[derive(Clone, Debug)]
pub(crate) struct InputValue {
    pub(crate) value: InputContent,
    pub(crate) origin: Origin,
    /// The expression in a file.
    pub(crate) expression: Option<Expression>,
}

#[derive(Clone, Debug)]
pub(crate) enum InputContent {
    /// The text of an option or of an environment variable. The type of the variable decides how it is read.
    Text(String),
    /// The value in a file, and its place.
    Value(Value, Place),
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Environment(String),
    /// A file that is read by default or set by an option.
    File(String),
    Option(String),
}

impl Origin {
    /// The same for an explanation.
    pub(crate) fn cause(&self) -> Cause {
        match self {
            Origin::Environment(name) => Cause::Environment(name.clone()),
            Origin::File(name) => Cause::File(name.clone()),
            Origin::Option(name) => Cause::Option(name.clone()),
        }
    }
}

/// Values by the names of variables.
pub(crate) type Inputs = BTreeMap<Name, InputValue>;

/// What the root module gets from outside.
#[derive(Clone, Debug, Default)]
pub(crate) struct RootInputs {
    /// The values of its input variables.
    pub(crate) inputs: Inputs,
    pub(crate) workspace: Option<String>,
    pub(crate) current_directory: Option<String>,
    /// Its directory.
    pub(crate) root: String,
}

impl RootInputs {
    /// The value of a name that the language gives to the module in a directory.
    pub(crate) fn value(&self, builtin: Builtin, directory: &str) -> Value {
        let text = |text: &Option<String>| text.as_deref().map_or(Value::unknown(Type::String), Value::from);
        match builtin {
            Builtin::ModuleDirectory if directory == self.root => Value::from("."),
            Builtin::ModuleDirectory => Value::from(relative(&self.root, directory)),
            Builtin::RootDirectory => Value::from("."),
            Builtin::CurrentDirectory => text(&self.current_directory),
            Builtin::Workspace => text(&self.workspace),
            Builtin::Unknown => Value::DYNAMIC,
        }
    }
}

/// Reads a file of values.
pub(crate) fn read_file(name: &str, body: &Body, inputs: &mut Inputs, diagnostics: &mut Diagnostics) {
    for attribute in diagnostics.absorb(body.attributes()) {
        let (value, found) = attribute.expression.evaluate_lenient(&Context::new());
        let failed = found.has_errors();
        diagnostics.append(found);
        if !failed {
            let place = attribute.expression.place();
            let (value, origin) = (InputContent::Value(value, place), Origin::File(name.to_owned()));
            let expression = Some(attribute.expression);
            inputs.insert(attribute.name, InputValue { value, origin, expression });
        }
    }
}

/// Reports values for undefined variables, except for those from the environment, which may be for another module.
pub(crate) fn check_names(inputs: &Inputs, config: &Config, diagnostics: &mut Diagnostics) {
    let declared: HashSet<&str> = config.inputs().map(|(_, item, _)| item.own_name()).collect();
    let known = KnownNames::new(config.inputs().map(|(_, item, _)| item.own_name()));
    for (name, given) in inputs {
        if declared.contains(name.as_str()) {
            continue;
        }
        let meant = known.nearest(name).first().copied();
        match (&given.origin, &given.value) {
            (Origin::File(_), InputContent::Value(_, place)) => {
                diagnostics.push(messages::undeclared_in_file(name, meant).at(place));
            }
            (Origin::Option(_), _) => {
                diagnostics.push(messages::undeclared_variable(name, &given.origin, meant));
            }
            _ => {}
        }
    }
}

impl InputValue {
    /// The value for a variable, converted to its type. Errors about a sensitive variable show neither its value nor
    /// the source of the value.
    pub(crate) fn value(&self, name: &str, input: &Input, at: &Place) -> Result<Value, Diagnostics> {
        let hidden = |why: &str| messages::invalid_value(name, &self.origin, why).at(at.clone());
        let (value, place) = match &self.value {
            InputContent::Value(value, place) => (value.clone(), place.clone()),
            InputContent::Text(text) => match self.read(text, input, at) {
                Err(_) if input.sensitive => return Err(hidden(messages::NOT_A_LITERAL).into()),
                read => read?,
            },
        };
        convert(&value, input.constraint.as_ref()).map_err(|problem| {
            if input.sensitive {
                return hidden(messages::NOT_CONVERTIBLE).into();
            }
            messages::invalid_value(name, &self.origin, &problem.to_string()).at(place).into()
        })
    }

    /// Reads a text as a value. Returns it with the place for errors about it.
    fn read(&self, text: &str, input: &Input, at: &Place) -> Result<(Value, Place), Diagnostics> {
        if input.constraint.as_ref().is_none_or(|constraint| constraint.ty.is_primitive()) {
            return Ok((Value::from(text), at.clone()));
        }
        let origin = match &self.origin {
            Origin::Environment(name) | Origin::File(name) | Origin::Option(name) => name,
        };
        let expression = Expression::read(Source::new(origin.as_str(), text), Entry::Expression)?;
        Ok((expression.evaluate(&Context::new())?, expression.place()))
    }
}

/// A value with the type of a variable.
pub(crate) fn convert(
    value: &Value,
    constraint: Option<&TypeConstraint>,
) -> Result<Value, hclkit_value::Error> {
    match constraint {
        Some(constraint) => constraint.convert(value),
        None => Ok(value.clone()),
    }
}

/// An unknown value of the type of a variable.
pub(crate) fn unknown(input: &Input) -> Value {
    match &input.constraint {
        Some(constraint) => Value::unknown(constraint.ty.without_optional()),
        None => Value::unknown(Type::Dynamic),
    }
}
