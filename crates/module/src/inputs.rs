//! Values for input variables: from the environment, from files that the language reads by default, and from options. Later
//! ones take precedence. `InputSources::read` has this order; the table of the language says which variables and files there are, and
//! in which order the files count.

use std::collections::{BTreeMap, HashSet};
use std::io;

use hclkit_dialect::{Builtin, Dialect};
use hclkit_model::{Body, Context, Expression, ParseOptions, TypeConstraint};
use hclkit_syntax::{Diagnostics, KnownNames, Place, Source, StartSymbol};
use hclkit_value::{Mark, Name, Type, Value};

use crate::config::{Config, Input};
use crate::files::{Files, join, relative};
use crate::messages;
use crate::origin::Origin;

/// A value or a file that an option sets.
#[derive(Clone)]
pub(crate) enum InputOption {
    Value(Value),
    Text(String),
    /// The name of a file, and its text.
    File(String, Vec<u8>),
}

/// A value from outside.
#[derive(Clone, Debug)]
pub(crate) struct InputValue {
    pub(crate) value: InputContent,
    pub(crate) origin: Origin,
    /// The expression in a file.
    pub(crate) expression: Option<Expression>,
    /// The name in a file.
    pub(crate) name: Option<Place>,
}

#[derive(Clone, Debug)]
pub(crate) enum InputContent {
    /// The text of an option or of an environment variable. The type of the variable decides how it is read.
    Text(String),
    /// The value in a file, and its place.
    Value(Value, Place),
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
            Builtin::EphemeralBool => {
                Value::unknown(Type::Bool).refine_not_null().mark(Mark::new("ephemeral"))
            }
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
            let name = Some(Place::new(&attribute.source, attribute.name_span));
            inputs.insert(attribute.name, InputValue { value, origin, expression, name });
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
        let near = known.nearest(name);
        let meant = near.first().copied();
        match (&given.origin, &given.name) {
            (Origin::File(_), Some(place)) => {
                let found = messages::undeclared_in_file(name, meant).at(place);
                // Another value must not be set twice.
                let is_free = meant.is_some_and(|meant| near.len() == 1 && !inputs.contains_key(meant));
                diagnostics.push(match meant.filter(|_| is_free) {
                    Some(meant) => messages::with_name(found, place, meant),
                    None => found,
                });
            }
            (Origin::Option(_), _) => {
                diagnostics.push(messages::undeclared_variable(name, &given.origin, meant));
            }
            _ => {}
        }
    }
}

/// The errors of the values that options set, also of variables that are not needed.
pub(crate) fn check_options(inputs: &Inputs, config: &Config) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    for (_, item, input) in config.inputs() {
        let given = inputs.get(item.own_name()).filter(|given| matches!(given.origin, Origin::Option(_)));
        if let Some(Err(found)) = given.map(|given| given.value(item.own_name(), input, &item.place())) {
            diagnostics.append(found);
        }
    }
    diagnostics.distinct()
}

impl InputValue {
    /// The value for a variable, converted to its type. Errors about a sensitive variable show neither its value nor
    /// the source of the value.
    pub(crate) fn value(&self, name: &str, input: &Input, at: &Place) -> Result<Value, Diagnostics> {
        let hidden = |why: &str| messages::invalid_value(name, &self.origin, why).at(at.clone());
        let (value, place) = match &self.value {
            InputContent::Value(value, place) => (value.clone(), place.clone()),
            InputContent::Text(text) => match self.read(text, input, at) {
                Err(_) if input.hidden => return Err(hidden(messages::NOT_A_LITERAL).into()),
                read => read?,
            },
        };
        convert(&value, input.constraint.as_ref()).map_err(|problem| {
            if input.hidden {
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
        let expression = Expression::read(Source::new(origin.as_str(), text), StartSymbol::Expression)?;
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

/// The environment and the options of a loader.
#[derive(Clone, Default)]
pub(crate) struct InputSources {
    pub(crate) environment: Vec<(String, String)>,
    /// Other directories whose files of variables count.
    pub(crate) directories: Vec<String>,
    /// Values by their names, and files.
    pub(crate) options: Vec<(Option<Name>, InputOption)>,
}

impl InputSources {
    /// The values from outside of the module in a directory. Its own files count only if it is read as a whole.
    pub(crate) fn read(
        &self,
        language: &Dialect,
        files: &dyn Files,
        (root, is_whole): (&str, bool),
        diagnostics: &mut Diagnostics,
    ) -> Inputs {
        let mut inputs = Inputs::new();
        for (key, value) in &self.environment {
            let name = language.environment().and_then(|prefix| key.strip_prefix(prefix));
            if let Some(name) = name.filter(|name| !name.is_empty()) {
                let (value, origin) = (InputContent::Text(value.clone()), Origin::Environment(key.clone()));
                inputs.insert(Name::from(name), InputValue { value, origin, expression: None, name: None });
            }
        }
        let own = is_whole.then_some(root);
        for directory in own.into_iter().chain(self.directories.iter().map(String::as_str)) {
            read_directory(language, files, directory, &mut inputs, diagnostics);
        }
        let mut options: Vec<_> = self.options.iter().collect();
        if language.options_last {
            options.sort_by_key(|(name, _)| name.is_some());
        }
        for (name, setting) in options {
            let value = match setting {
                InputOption::File(name, text) => {
                    read_text(name, text.clone(), &mut inputs, diagnostics);
                    continue;
                }
                InputOption::Text(text) => InputContent::Text(text.clone()),
                InputOption::Value(value) => InputContent::Value(value.clone(), Place::nowhere()),
            };
            if let Some(name) = name {
                let origin = Origin::Option(format!("--var {name}"));
                inputs.insert(name.clone(), InputValue { value, origin, expression: None, name: None });
            }
        }
        inputs
    }
}

/// Reads the files of variables in a directory.
fn read_directory(
    language: &Dialect,
    files: &dyn Files,
    directory: &str,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) {
    let names = files.list(directory).unwrap_or_default();
    let mut defaults: Vec<(usize, String)> =
        names.into_iter().filter_map(|name| Some((language.input_file(&name)?, name))).collect();
    defaults.sort();
    for (_, name) in defaults {
        let path = join(directory, &name);
        let shown = files.name(&path);
        match files.read(&path) {
            Ok(text) => read_text(&shown, text, inputs, diagnostics),
            // As in Terraform, a link with a fixed name may lead nowhere.
            Err(error) if error.kind() == io::ErrorKind::NotFound && language.is_fixed(&name) => {}
            Err(error) => diagnostics.push(messages::unreadable(&shown, &error)),
        }
    }
}

/// Reads the values in a text.
fn read_text(name: &str, text: Vec<u8>, inputs: &mut Inputs, diagnostics: &mut Diagnostics) {
    let (body, found) = ParseOptions::new().parse(Source::new(name, text));
    let failed = found.has_errors();
    diagnostics.append(found);
    if !failed {
        read_file(name, &body, inputs, diagnostics);
    }
}
