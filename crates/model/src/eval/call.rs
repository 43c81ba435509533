//! Function calls. Specification: "Functions and Function Calls".

use std::slice;

use hclkit_syntax::Code;
use hclkit_value::{Error, ErrorKind, Function, Number, Parameter, Step, Str, Type, Value};

use super::Evaluator;
use super::arguments::{Argument, Arguments, CallArguments};
use super::{open_types, reach};
use crate::context::Lookup;
use crate::explain::Trace;
use crate::functions::{Callable, LazyFunction, code_of};
use crate::messages;
use crate::node::{Call, Node};
use crate::withheld::makes_sensitive;

impl Evaluator<'_> {
    pub(super) fn call(&mut self, node: &Node, call: &Call) -> Value {
        if self.trace.is_none() || !makes_sensitive(&call.name) {
            return self.call_in(node, call);
        }
        // Its argument is sensitive, too, and what is computed for it.
        self.trace.iter_mut().for_each(Trace::mute);
        let value = self.call_in(node, call);
        self.trace.iter_mut().for_each(Trace::unmute);
        value
    }

    fn call_in(&mut self, node: &Node, call: &Call) -> Value {
        let context = self.context;
        let callable = match context.look_up_function(&call.name, &call.last) {
            Lookup::Found(callable) => callable,
            _ if self.knowledge.is_some() => {
                self.meet_unknown();
                call.arguments.iter().for_each(|argument| drop(self.eval(argument)));
                return Value::DYNAMIC;
            }
            Lookup::Unknown => return self.unknown_function(node, call),
            Lookup::NotAllowed => {
                self.report(messages::functions_not_allowed().at(node.span));
                return Value::DYNAMIC;
            }
        };
        if !call.expands {
            let given = CallArguments { nodes: &call.arguments, expanded: &[], span: node.span };
            return self.call_with(node, call, callable, given);
        }
        let Some((last, nodes)) = call.arguments.split_last() else { return Value::DYNAMIC };
        let Some(value) = self.expanded(node, last) else { return Value::DYNAMIC };
        let (bare, marks) = value.unmark();
        if !self.take_elements(bare.parts().len(), last.span) {
            return Value::DYNAMIC;
        }
        let items: Vec<Value> = bare.parts().iter().map(|item| item.clone().with_marks(&marks)).collect();
        self.call_with(node, call, callable, CallArguments { nodes, expanded: &items, span: last.span })
    }

    fn call_with(&mut self, node: &Node, call: &Call, callable: &Callable, given: CallArguments) -> Value {
        match callable {
            Callable::Function(function) => self.call_function(node, call, function, given),
            Callable::Lazy(function) => self.call_lazy(node, call, function, given),
        }
    }

    /// The expanded sequence; `None` if it is invalid or unknown.
    fn expanded(&mut self, node: &Node, last: &Node) -> Option<Value> {
        let before = self.diagnostics.mark();
        let value = self.eval(last);
        if self.diagnostics.failed_since(before) {
            return None;
        }
        let sequence = matches!(value.ty(), Type::Dynamic | Type::List(_) | Type::Set(_) | Type::Tuple(_));
        if value.is_null() || !sequence {
            let ty = (!value.is_null()).then(|| value.ty());
            let diagnostic = messages::invalid_expanded_value(ty.as_ref()).at(last.span);
            self.error(diagnostic.with_context(node.span), &[last]);
            return None;
        }
        value.is_known().then_some(value)
    }

    /// Checks the number of arguments.
    fn count_fits<'n>(
        &mut self,
        node: &Node,
        call: &Call,
        given: CallArguments,
        names: impl Fn(usize) -> Option<&'n str>,
        wanted: usize,
        variadic: bool,
    ) -> bool {
        let name = &call.name;
        if let Some(missing) = (given.len() < wanted).then(|| names(given.len()).unwrap_or_default()) {
            let diagnostic = messages::missing_argument(name, missing).at(call.close_span);
            self.report(diagnostic.with_context(node.span));
            return false;
        }
        if !variadic && given.len() > wanted {
            let subject = given.span(wanted, self.source.map(|source| &**source));
            self.report(messages::too_many_arguments(name, wanted).at(subject).with_context(node.span));
            return false;
        }
        true
    }

    fn call_function(
        &mut self,
        node: &Node,
        call: &Call,
        function: &Function,
        given: CallArguments,
    ) -> Value {
        let parameters = function.parameters();
        let names = |at: usize| parameters.get(at).map(Parameter::name);
        let variadic = function.variadic_parameter().is_some();
        if !self.count_fits(node, call, given, names, parameters.len(), variadic) {
            return Value::DYNAMIC;
        }
        // A function with one parameter mostly gets an existing value, which is not copied.
        if let [argument] = given.nodes
            && given.len() == 1
            && !self.observed
            && let Some(value) = self.peek(argument)
            && function.parameter_at(0).is_none_or(|parameter| is_plainly(value, parameter.ty()))
        {
            let arguments = slice::from_ref(value);
            let result = function.call(arguments);
            reach::note(function, &result);
            let result = open_types::result(self.context, function, arguments, result);
            return self.finish_call(node, call, function, given, result);
        }
        let parameter = |at: usize| function.parameter_at(at).map(Parameter::name);
        let before = self.diagnostics.mark();
        let mut values = Few::new();
        for at in 0..given.len() {
            let value = match given.get(at) {
                Some(Argument::Node(node)) => self.value_of(node),
                Some(Argument::Value(value, _)) => value.clone(),
                None => break,
            };
            match function.parameter_at(at).map(Parameter::ty) {
                Some(ty) if !is_plainly(&value, ty) => match value.convert(ty) {
                    Ok(value) => values.push(value),
                    Err(error) => match open_types::argument(self.context, &value, ty) {
                        Some(unknown) => values.push(unknown),
                        None => self.invalid_argument(node, call, parameter, given, at, &error),
                    },
                },
                _ => values.push(value),
            }
        }
        if self.diagnostics.failed_since(before) {
            return Value::DYNAMIC;
        }
        let result = self.result_of(function, values.as_slice());
        let result = open_types::result(self.context, function, values.as_slice(), result);
        self.finish_call(node, call, function, given, result)
    }

    /// Calls a function. An explanation includes what the function evaluates.
    pub(super) fn result_of(&mut self, function: &Function, arguments: &[Value]) -> Result<Value, Error> {
        if self.knowledge.is_some() {
            return self.result_if_allowed(function, arguments);
        }
        let hidden = self.touched_hidden();
        let result = match &mut self.trace {
            Some(trace) if !hidden => trace.hear(arguments, || function.call(arguments)),
            // Nothing is recorded.
            Some(_) => Trace::unheard(|| function.call(arguments)),
            None => function.call(arguments),
        };
        reach::note(function, &result);
        result
    }

    fn finish_call(
        &mut self,
        node: &Node,
        call: &Call,
        function: &Function,
        given: CallArguments,
        result: Result<Value, Error>,
    ) -> Value {
        match result {
            Ok(value) => {
                // Numbers, bools and strings without marks have no parts.
                if value.as_number().is_some() || value.as_bool().is_some() {
                    return value;
                }
                if let Some(text) = value.as_str() {
                    return if self.take_bytes(text.len(), node.span) { value } else { Value::DYNAMIC };
                }
                self.note_marks(node, &value);
                if let Some(text) = value.unmark().0.as_str()
                    && !self.take_bytes(text.len(), node.span)
                {
                    return Value::DYNAMIC;
                }
                self.check_size(value, node)
            }
            Err(error) => {
                let parameter = |at: usize| function.parameter_at(at).map(Parameter::name);
                self.failed(node, call, parameter, given, error);
                Value::DYNAMIC
            }
        }
    }

    /// Reports the error of a function: about an argument, or about the whole call.
    #[cold]
    fn failed<'n>(
        &mut self,
        node: &Node,
        call: &Call,
        parameter: impl Fn(usize) -> Option<&'n str>,
        given: CallArguments,
        error: Error,
    ) {
        if let ErrorKind::Limit(exceeded) = error.kind() {
            return self.stop(exceeded, node.span);
        }
        let about: Vec<&Node> = call.arguments.iter().collect();
        let (first, inner) = error.clone().split_first();
        let at = match &first {
            Some(Step::Index(key)) => key.as_number().and_then(Number::to_u64),
            _ => None,
        };
        let not_granted = match error.kind() {
            ErrorKind::NotGranted(capability) => Some(code_of(capability)),
            _ => None,
        };
        if let Some(at) = at.and_then(|at| usize::try_from(at).ok())
            && at < given.len()
            && not_granted.is_none()
        {
            // The function may have used the other arguments too.
            let error = self.shown(inner, &about);
            self.invalid_argument(node, call, parameter, given, at, &error);
            return;
        }
        // No argument is wrong if a grant is missing.
        let error = if not_granted.is_some() { inner } else { error };
        let code = not_granted.unwrap_or(&Code::FunctionFailed);
        let error = self.shown(error, &about).to_string();
        let diagnostic =
            messages::function_failed(code, &call.name, &error).at(call.name_span.cover(call.open_span));
        self.error(diagnostic.with_context(node.span), &about);
    }

    #[cold]
    fn invalid_argument<'n>(
        &mut self,
        node: &Node,
        call: &Call,
        parameter: impl Fn(usize) -> Option<&'n str>,
        given: CallArguments,
        at: usize,
        error: &Error,
    ) {
        if let ErrorKind::Limit(exceeded) = error.kind() {
            return self.stop(exceeded, node.span);
        }
        let about: Vec<&Node> = match given.get(at) {
            Some(Argument::Node(node)) => vec![node],
            _ => call.arguments.last().into_iter().collect(),
        };
        let error = self.shown(error.clone(), &about);
        let parameter = parameter(at).unwrap_or_default();
        let part = match given.get(at) {
            Some(Argument::Node(node)) => Some(node.part(error.path().steps())),
            _ => None,
        };
        let subject = match part {
            Some((part, 1..)) => part.span,
            _ => given.span(at, self.source.map(|source| &**source)),
        };
        let message = messages::invalid_argument(&call.name, parameter, &error.to_string());
        let diagnostic = message.at(subject);
        self.error(diagnostic.with_context(node.span), &about);
    }

    fn call_lazy(
        &mut self,
        node: &Node,
        call: &Call,
        function: &LazyFunction,
        given: CallArguments,
    ) -> Value {
        let parameters = function.parameters();
        let names = |at: usize| parameters.get(at).map(Str::as_str);
        let variadic = function.variadic_parameter().is_some();
        if !self.count_fits(node, call, given, names, parameters.len(), variadic) {
            return Value::DYNAMIC;
        }
        let before = self.diagnostics.mark();
        match function.call(&mut Arguments { evaluator: self, given }) {
            Ok(_) if self.diagnostics.failed_since(before) => Value::DYNAMIC,
            Ok(value) => {
                self.note_marks(node, &value);
                value
            }
            Err(error) => {
                let parameter =
                    |at: usize| parameters.get(at).map(Str::as_str).or(function.variadic_parameter());
                self.failed(node, call, parameter, given, error);
                Value::DYNAMIC
            }
        }
    }

    #[cold]
    fn unknown_function(&mut self, node: &Node, call: &Call) -> Value {
        if !self.diagnostics.has_room() {
            self.diagnostics.count_error();
            return Value::DYNAMIC;
        }
        let meant = self.context.near_function(&call.name);
        let name = &call.name;
        let span = call.name_span;
        let diagnostic = match (self.context.replacement(name), meant) {
            (Some(replacement), _) => messages::removed_function(name, replacement).at(span),
            (None, Some(meant)) => messages::unknown_function(name, Some(&meant)).at(span).with_edit(
                messages::fix::write(&meant),
                span,
                meant,
            ),
            (None, None) => messages::unknown_function(name, None).at(span),
        };
        self.report(diagnostic.with_context(node.span));
        Value::DYNAMIC
    }
}

/// Returns true if a value obviously has this type.
fn is_plainly(value: &Value, ty: &Type) -> bool {
    match ty {
        Type::Dynamic => true,
        Type::String => value.as_str().is_some(),
        Type::Number => value.as_number().is_some(),
        _ => false,
    }
}

/// The arguments of a call, of which few need no allocation.
struct Few {
    first: [Value; 4],
    count: usize,
    /// All values, if there are more.
    all: Vec<Value>,
}

impl Few {
    fn new() -> Self {
        Self { first: [const { Value::NULL }; 4], count: 0, all: Vec::new() }
    }

    fn push(&mut self, value: Value) {
        if let Some(place) = self.first.get_mut(self.count) {
            *place = value;
        } else {
            if self.all.is_empty() {
                self.all.extend(self.first.iter().cloned());
            }
            self.all.push(value);
        }
        self.count += 1;
    }

    fn as_slice(&self) -> &[Value] {
        if self.all.is_empty() { &self.first[..self.count] } else { &self.all }
    }
}
