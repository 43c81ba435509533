//! Function calls. Specification: "Functions and Function Calls".

use hclkit_syntax::{Code, Diagnostic};
use hclkit_value::{Error, Function, Kind as ValueKind, Number, Parameter, Step, Str, Type, Value};

use smallvec::SmallVec;

use super::Evaluator;
use super::arguments::{Argument, Arguments};
use crate::context::Lookup;
use crate::functions::{Callable, LazyFunction};
use crate::node::{Call, Node};

impl Evaluator<'_> {
    pub(super) fn call(&mut self, node: &Node, call: &Call) -> Value {
        let context = self.context;
        let callable = match context.look_up_function(&call.name) {
            Lookup::Found(callable) => callable,
            _ if self.lenient => {
                call.arguments.iter().for_each(|argument| drop(self.eval(argument)));
                return Value::DYNAMIC;
            }
            Lookup::Unknown(meant) => return self.unknown_function(node, call, meant),
            Lookup::NotAllowed => {
                self.report(Diagnostic::error(
                    Code::FunctionsNotAllowed,
                    node.span,
                    "Functions may not be called here.",
                ));
                return Value::DYNAMIC;
            }
        };
        let Some(arguments) = self.arguments(node, call) else { return Value::DYNAMIC };
        match callable {
            Callable::Function(function) => self.call_function(node, call, function, &arguments),
            Callable::Lazy(function) => self.call_lazy(node, call, function, &arguments),
        }
    }

    /// The arguments with the last one expanded, where that is asked for; none if that is wrong or not known.
    fn arguments<'n>(&mut self, node: &Node, call: &'n Call) -> Option<SmallVec<[Argument<'n>; 4]>> {
        let mut arguments: SmallVec<[Argument; 4]> = call.arguments.iter().map(Argument::Node).collect();
        if !call.expands {
            return Some(arguments);
        }
        let last = call.arguments.last()?;
        arguments.pop();
        let before = self.diagnostics.mark();
        let value = self.eval(last);
        if self.diagnostics.failed_since(before) {
            return None;
        }
        let sequence = matches!(value.ty(), Type::Dynamic | Type::List(_) | Type::Set(_) | Type::Tuple(_));
        if value.is_null() || !sequence {
            let detail = if value.is_null() {
                "The argument before `...` is null; it must be a list, set or tuple.".to_owned()
            } else {
                let what = value.ty().friendly_name();
                format!("The argument before `...` is a {what}; it must be a list, set or tuple.")
            };
            let diagnostic = Diagnostic::error(Code::InvalidExpandedValue, last.span, detail);
            self.error(diagnostic.with_context(node.span), &[last]);
            return None;
        }
        if !value.is_known() {
            return None;
        }
        let (value, marks) = value.unmark();
        let items = value.as_slice().unwrap_or_default();
        arguments.extend(items.iter().map(|item| Argument::Value(item.with_marks(&marks), last.span)));
        Some(arguments)
    }

    /// Whether the call has as many arguments as are wanted.
    fn count_fits<'n>(
        &mut self,
        node: &Node,
        call: &Call,
        arguments: &[Argument],
        names: impl Fn(usize) -> Option<&'n str>,
        wanted: usize,
        variadic: bool,
    ) -> bool {
        let name = &call.name;
        if let Some(missing) = (arguments.len() < wanted).then(|| names(arguments.len()).unwrap_or_default())
        {
            let detail = format!("`{name}` needs a further argument, for `{missing}`.");
            let diagnostic = Diagnostic::error(Code::MissingArgument, call.close_span, detail);
            self.report(diagnostic.with_context(node.span));
            return false;
        }
        if !variadic && arguments.len() > wanted {
            let only = match wanted {
                0 => "no arguments".to_owned(),
                1 => "one argument only".to_owned(),
                wanted => format!("{wanted} arguments only"),
            };
            let detail = format!("`{name}` takes {only}.");
            let subject = arguments[wanted].span(self.source.map(|source| &**source));
            self.report(Diagnostic::error(Code::TooManyArguments, subject, detail).with_context(node.span));
            return false;
        }
        true
    }

    fn call_function(
        &mut self,
        node: &Node,
        call: &Call,
        function: &Function,
        arguments: &[Argument],
    ) -> Value {
        let parameters = function.parameters();
        let names = |at: usize| parameters.get(at).map(Parameter::name);
        let variadic = function.variadic_parameter().is_some();
        if !self.count_fits(node, call, arguments, names, parameters.len(), variadic) {
            return Value::DYNAMIC;
        }
        let parameter = |at: usize| function.parameter_at(at).map(Parameter::name);
        let before = self.diagnostics.mark();
        let mut values: SmallVec<[Value; 4]> = SmallVec::with_capacity(arguments.len());
        for (at, argument) in arguments.iter().enumerate() {
            let value = match argument {
                Argument::Node(node) => match self.peek(node) {
                    Some(value) => value.clone(),
                    None => self.eval(node),
                },
                Argument::Value(value, _) => value.clone(),
            };
            let fits = match function.parameter_at(at).map(Parameter::ty) {
                Some(Type::Dynamic) | None => Ok(value),
                Some(Type::String) if value.as_str().is_some() => Ok(value),
                Some(Type::Number) if value.as_number().is_some() => Ok(value),
                Some(ty) => value.convert(ty),
            };
            match fits {
                Ok(value) => values.push(value),
                Err(error) => self.invalid_argument(node, call, parameter, arguments, at, &error),
            }
        }
        if self.diagnostics.failed_since(before) {
            return Value::DYNAMIC;
        }
        match function.call(&values) {
            Ok(value) => {
                let size = match value.kind() {
                    ValueKind::String(text) => text.len(),
                    _ => 0,
                };
                let count = value.as_slice().map_or(0, <[Value]>::len);
                if self.take_bytes(size, node.span) && self.take_elements(count, node.span) {
                    value
                } else {
                    Value::DYNAMIC
                }
            }
            Err(error) => {
                self.failed(node, call, parameter, arguments, &error);
                Value::DYNAMIC
            }
        }
    }

    /// Tells what the function found wrong: with an argument, or as a whole.
    #[cold]
    fn failed<'n>(
        &mut self,
        node: &Node,
        call: &Call,
        parameter: impl Fn(usize) -> Option<&'n str>,
        arguments: &[Argument],
        error: &Error,
    ) {
        let path = error.path();
        let at = match path.steps().first() {
            Some(Step::Index(key)) => key.as_number().and_then(Number::to_u64),
            _ => None,
        };
        if let Some(at) = at.and_then(|at| usize::try_from(at).ok())
            && at < arguments.len()
        {
            let error = Error::new(error.message()).at(&path.steps()[1..]);
            self.invalid_argument(node, call, parameter, arguments, at, &error);
            return;
        }
        let error = error.to_string();
        let end = if error.ends_with(['.', '?', '!']) { "" } else { "." };
        let detail = format!("`{}` has no result: {error}{end}", call.name);
        let diagnostic =
            Diagnostic::error(Code::FunctionFailed, call.name_span.cover(call.open_span), detail);
        let about: Vec<&Node> = call.arguments.iter().collect();
        self.error(diagnostic.with_context(node.span), &about);
    }

    #[cold]
    fn invalid_argument<'n>(
        &mut self,
        node: &Node,
        call: &Call,
        parameter: impl Fn(usize) -> Option<&'n str>,
        arguments: &[Argument],
        at: usize,
        error: &Error,
    ) {
        let parameter = parameter(at).unwrap_or_default();
        let detail = format!("The argument of `{}` for `{parameter}` does not fit: {error}.", call.name);
        let diagnostic = Diagnostic::error(
            Code::InvalidArgument,
            arguments[at].span(self.source.map(|source| &**source)),
            detail,
        );
        let about: Vec<&Node> = match &arguments[at] {
            Argument::Node(node) => vec![node],
            Argument::Value(..) => call.arguments.last().into_iter().collect(),
        };
        self.error(diagnostic.with_context(node.span), &about);
    }

    fn call_lazy(
        &mut self,
        node: &Node,
        call: &Call,
        function: &LazyFunction,
        arguments: &[Argument],
    ) -> Value {
        let parameters = function.parameters();
        let names = |at: usize| parameters.get(at).map(Str::as_str);
        let variadic = function.variadic_parameter().is_some();
        if !self.count_fits(node, call, arguments, names, parameters.len(), variadic) {
            return Value::DYNAMIC;
        }
        let before = self.diagnostics.mark();
        match function.call(&mut Arguments { evaluator: self, arguments }) {
            Ok(_) if self.diagnostics.failed_since(before) => Value::DYNAMIC,
            Ok(value) => value,
            Err(error) => {
                let parameter =
                    |at: usize| parameters.get(at).map(Str::as_str).or(function.variadic_parameter());
                self.failed(node, call, parameter, arguments, &error);
                Value::DYNAMIC
            }
        }
    }

    #[cold]
    fn unknown_function(&mut self, node: &Node, call: &Call, meant: Option<String>) -> Value {
        let detail = format!("There is no function named `{}`.", call.name);
        let diagnostic = match meant {
            Some(meant) => {
                let detail = format!("{detail} Did you mean `{meant}`?");
                let edit = format!("Write `{meant}`");
                Diagnostic::error(Code::UnknownFunction, call.name_span, detail).with_edit(
                    edit,
                    call.name_span,
                    meant,
                )
            }
            None => Diagnostic::error(Code::UnknownFunction, call.name_span, detail),
        };
        self.report(diagnostic.with_context(node.span));
        Value::DYNAMIC
    }
}
