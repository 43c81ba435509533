//! Functions that a Bake file defines.

use std::sync::{Arc, OnceLock, Weak};

use hclkit_limits::Meter;
use hclkit_model::{Block, Context, Expression, Schema, error_within};
use hclkit_syntax::{Diagnostics, Place, nearest_name};
use hclkit_value::{Error, Function, Name, Parameter, Type, Value};

use crate::messages;

/// How much a call counts towards the limit on depth: its stack frames are many and large.
const LEVELS: usize = 12;

/// The context of results. It contains the functions themselves, which therefore refer to it weakly.
pub(crate) type Global = OnceLock<Context>;

/// A function of a file.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: Name,
    pub(crate) place: Place,
    parameters: Vec<Name>,
    variadic: Option<Name>,
    pub(crate) result: Expression,
}

impl Definition {
    /// Reads a block.
    pub(crate) fn read(block: &Block, diagnostics: &mut Diagnostics) -> Option<Self> {
        let schema = ["params", "result", "variadic_params"];
        let schema = schema.iter().fold(Schema::new(), |schema, name| schema.with_optional(*name));
        let content = diagnostics.absorb(block.body.content(&schema));
        let mut part = |name: &str| {
            let found = content.attributes.get(name).map(|attribute| attribute.expression.clone());
            if found.is_none() {
                let missing = messages::invalid_function(messages::missing_in_function(name));
                diagnostics.push(missing.at(block.definition_place()));
            }
            found
        };
        let (params, result) = (part("params")?, part("result")?);
        let listed = params.static_list().map_err(|found| diagnostics.append(found)).ok()?;
        let mut name = |expression: &Expression| {
            let name = expression.static_keyword();
            if name.is_none() {
                let found = messages::invalid_function(messages::parameter_is_no_name());
                diagnostics.push(found.at(expression.place()));
            }
            name
        };
        let parameters = listed.iter().map(&mut name).collect::<Option<Vec<_>>>()?;
        let variadic = match content.attributes.get("variadic_params") {
            Some(attribute) => Some(name(&attribute.expression)?),
            None => None,
        };
        let (name, place) = (block.labels[0].clone(), block.definition_place());
        Some(Self { name, place, parameters, variadic, result })
    }

    pub(crate) fn parameters(&self) -> impl Iterator<Item = &Name> {
        self.parameters.iter().chain(&self.variadic)
    }

    /// Reports undefined variables in the result.
    pub(crate) fn check(&self, is_defined: impl Fn(&str) -> bool, diagnostics: &mut Diagnostics) {
        let own = || self.parameters();
        for reference in self.result.variables() {
            let name = &reference.root;
            if !is_defined(name) && !own().any(|own| own == name) {
                let meant = nearest_name(name, own().map(Name::as_str));
                let found = messages::undefined_variable(name, meant).at(reference.span());
                diagnostics.push(found.with_source(self.result.source()));
            }
        }
    }

    pub(crate) fn function(self: Arc<Self>, global: &Weak<Global>) -> Function {
        let (of_type, of_value) = ((self.clone(), global.clone()), (self.clone(), global.clone()));
        let type_of = move |arguments: &[Value]| {
            // Known parts are computed only once; otherwise nested calls would take exponential time.
            if arguments.iter().all(Value::is_known) {
                return Ok(Type::Dynamic);
            }
            of_type.0.value(arguments, &of_type.1).map(|value| value.ty())
        };
        let mut function =
            Function::with_type(type_of, move |arguments, _| of_value.0.value(arguments, &of_value.1));
        for name in &self.parameters {
            function = function.with_parameter(Parameter::new(name, Type::Dynamic));
        }
        match &self.variadic {
            Some(name) => function.with_variadic(Parameter::new(name, Type::Dynamic)),
            None => function,
        }
    }

    /// The result for these arguments.
    fn value(&self, arguments: &[Value], global: &Weak<Global>) -> Result<Value, Error> {
        let meter = Meter::current();
        let deeper = meter.descend(LEVELS).map_err(Error::from)?;
        let (named, rest) = arguments.split_at(self.parameters.len().min(arguments.len()));
        let global = global.upgrade();
        let outer = global.as_ref().and_then(|global| global.get());
        let mut context = outer.map(Context::child).unwrap_or_default();
        context.set_all(self.parameters.iter().zip(named).map(|(name, value)| (name, value.clone())));
        if let Some(variadic) = &self.variadic {
            context.set(variadic, Value::tuple(rest.iter().cloned()));
        }
        let result = hclkit_limits::with_room(|| self.result.evaluate(&context));
        drop(deeper);
        result.map_err(|found| meter.exceeded().map_or_else(|| error_within(&found), Error::from))
    }
}
