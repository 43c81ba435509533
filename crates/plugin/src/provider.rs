//! Providers: their functions, limits for calls, and the calls themselves.

use std::fmt::Write as _;
use std::time::Duration;

use hclkit_limits::{CancelToken, Limits};
use hclkit_value::{Error, Function, Step, Type, Value};

use crate::budget::{Share, Time};
use crate::messages::{Answer, DynamicValue, FunctionError};

/// A provider of functions.
#[derive(Debug)]
pub struct Provider {
    pub(crate) name: String,
    pub(crate) functions: Vec<Function>,
    pub(crate) tcp: bool,
    limits: Limits,
    timeout: Option<Duration>,
    cancel: CancelToken,
    error: Option<String>,
}

impl Provider {
    /// A provider with a name and no functions. The name is the one in `provider::NAME::FUNCTION`, and appears in
    /// messages.
    pub fn new(name: impl Into<String>) -> Self {
        let cancel = CancelToken::new();
        Self {
            name: name.into(),
            functions: Vec::new(),
            tcp: false,
            limits: Limits::new(),
            timeout: None,
            cancel,
            error: None,
        }
    }

    /// Adds a function, which replaces an earlier one of the same name. The first sentence of its description is its
    /// summary. Its result type must not depend on its arguments, or it is the dynamic pseudo-type.
    ///
    /// # Panics
    /// If the function has no name or is impure, or if the protocol cannot express a type. Terraform requires pure
    /// functions: it calls them while planning and again while applying, and compares the results.
    #[must_use]
    pub fn with_function(mut self, function: Function) -> Self {
        let name = function.name();
        assert!(!name.is_empty(), "the function must have a name");
        assert!(function.is_pure(), "the function {name} must be pure");
        let parameters = function.parameters().iter().chain(function.variadic_parameter());
        for ty in parameters.map(|parameter| parameter.ty().clone()).chain([result_type(&function)]) {
            assert!(
                ty.to_json().is_ok(),
                "the function {name} has a type that the protocol cannot express: {ty}"
            );
        }
        self.functions.retain(|earlier| earlier.name() != name);
        self.functions.push(function);
        self
    }

    /// Sets the limits that apply to each call. Calls at the same time share the limits on elements and bytes: a call
    /// that needs more than a part of them waits for others.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets how long each call may take, not counting the time that it waits for others.
    #[must_use]
    pub fn with_timeout(mut self, time: Duration) -> Self {
        self.timeout = Some(time);
        self
    }

    /// Listens on a TCP port of this machine instead of a Unix socket, as it does on Windows.
    #[must_use]
    pub fn with_tcp(mut self) -> Self {
        self.tcp = true;
        self
    }

    /// Makes all calls fail with this error. Use it for errors at startup: Terraform shows the errors of calls, but
    /// not why a provider failed to start.
    #[must_use]
    pub fn with_error(mut self, message: impl Into<String>) -> Self {
        self.error = Some(message.into());
        self
    }

    /// The functions in the order in which they were added.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The stack size for calls.
    pub(crate) fn stack_size(&self) -> usize {
        self.limits.stack_size()
    }

    /// Ends all calls soon.
    pub(crate) fn cancel(&self) {
        self.cancel.cancel();
    }

    /// The limits of a call.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// How long a call may take.
    pub(crate) fn time(&self) -> Time {
        Time(self.timeout)
    }

    /// Calls a function. Returns `None` if the call needs a larger share.
    pub(crate) fn call(
        &self,
        name: &str,
        arguments: &[DynamicValue],
        share: &Share,
        time: Option<Duration>,
    ) -> Option<Answer> {
        let mut limits = self.limits.clone().with_cancel(self.cancel.clone());
        if let Some(time) = time {
            limits = limits.with_timeout(time);
        }
        let answer = share.run(&limits, || self.evaluate(name, arguments))?;
        Some(match answer {
            Ok(result) => Answer { result: Some(result.into()), error: None },
            Err(error) => Answer { result: None, error: Some(function_error(error, arguments.len())) },
        })
    }

    fn evaluate(&self, name: &str, arguments: &[DynamicValue]) -> Result<Vec<u8>, Error> {
        if let Some(message) = &self.error {
            return Err(Error::without_values(message.clone()));
        }
        let Some(function) = self.functions.iter().find(|function| function.name() == name) else {
            let name = &self.name;
            return Err(Error::without_values(format!("the provider {name} has no such function")));
        };
        let mut values = Vec::with_capacity(arguments.len());
        for (at, argument) in arguments.iter().enumerate() {
            let ty = function.parameter_at(at).map_or(&Type::Dynamic, |parameter| parameter.ty());
            values.push(decode(argument, ty).map_err(|error| error.within(Step::from(at)))?);
        }
        function.call(&values)?.to_msgpack(&result_type(function))
    }
}

/// The type of all results of a function.
pub(crate) fn result_type(function: &Function) -> Type {
    let parameters = function.parameters().iter();
    let types: Vec<Type> = parameters.map(|parameter| parameter.ty().clone()).collect();
    // An error for the most general arguments does not mean an error for all arguments.
    function.result_type_of(&types).unwrap_or(Type::Dynamic)
}

/// The description of a function in Markdown, with its examples.
pub(crate) fn describe(function: &Function) -> String {
    let mut text = function.description().to_owned();
    for example in function.examples() {
        let _ = write!(text, "\n\n```hcl\n{} # {}\n```", example.call(), example.result());
    }
    text
}

/// Reads an argument.
fn decode(argument: &DynamicValue, ty: &Type) -> Result<Value, Error> {
    match (argument.msgpack.as_slice(), argument.json.as_slice()) {
        ([], []) => Err(Error::new("the argument is empty")),
        ([], json) => Value::from_json(json, ty),
        (msgpack, _) => Value::from_msgpack(msgpack, ty),
    }
}

/// The error for Terraform. The first step of its path is the argument, if it is about one.
fn function_error(error: Error, arguments: usize) -> FunctionError {
    let whole = error.to_string();
    let (first, rest) = error.split_first();
    let argument = first.and_then(|step| match step {
        Step::Index(at) => (0..arguments).find(|&place| at == Value::from(place)),
        Step::Attribute(_) => None,
    });
    match argument.and_then(|at| i64::try_from(at).ok()) {
        Some(at) => FunctionError { text: rest.to_string(), function_argument: Some(at) },
        None => FunctionError { text: whole, function_argument: None },
    }
}
