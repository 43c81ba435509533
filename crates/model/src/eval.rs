//! Evaluation of nodes to values (native syntax specification, "Expressions"). This file has the evaluator, the
//! dispatch, and what all kinds of expressions share; each kind has its own file in `eval/`.

mod arguments;
mod call;
mod collection;
mod conditional;
mod for_expression;
mod json_object;
mod knowledge;
mod locals;
mod open_types;
mod operation;
mod reach;
mod sensitive;
mod splat;
mod template;
mod traversal;

use std::collections::HashSet;
use std::mem;
use std::rc::Rc;
use std::sync::Arc;

use hclkit_limits::{Exceeded, Meter, Operation, with_room};
use hclkit_syntax::{Diagnostic, DiagnosticsMark, Source, Span};
use hclkit_value::{Marks, Value};

pub use arguments::Arguments;
use knowledge::Knowledge;
pub(crate) use locals::Locals;
pub(crate) use traversal::{attribute, index};

use crate::explain::Trace;
use crate::messages::in_source;
use crate::node::{Kind, Node, StepKind};
use crate::{Context, Diagnostics};

/// The stack is checked once in this many levels, because each check takes time.
const STACK_CHECK_INTERVAL: u32 = 16;

/// One evaluation of one expression.
pub(crate) struct Evaluator<'a> {
    context: &'a Context,
    source: Option<&'a Arc<Source>>,
    diagnostics: &'a mut Diagnostics,
    locals: Locals,
    /// Memory for the text of the next template.
    spare: String,
    meter: Rc<Meter>,
    _operation: Operation,
    /// The limit that stopped the evaluation, and where.
    stopped: Option<(Exceeded, Span)>,
    /// The recorded explanation.
    trace: Option<Trace>,
    /// The slots with hidden values that the node being explained has used, and the marks of other variables.
    touched: (Vec<usize>, Marks),
    /// The calls whose results had marks, which may come from the function.
    marked_calls: HashSet<Span>,
    /// The values recorded for partial evaluation, where undefined variables and functions are unknown.
    knowledge: Option<Box<Knowledge>>,
    /// True if anything is recorded, so that no node may take a shortcut.
    observed: bool,
}

/// Evaluates an expression. The parts of the value that have errors are unknown.
pub(crate) fn evaluate(
    node: &Node,
    context: &Context,
    source: Option<&Arc<Source>>,
    diagnostics: &mut Diagnostics,
) -> Value {
    if let Some(value) = node.constant() {
        return value.clone();
    }
    let mut evaluator = Evaluator::new(context, source, diagnostics);
    match Trace::listener() {
        None => evaluator.run(node),
        Some(trace) => {
            let (value, trace) = evaluator.explain(node, *trace);
            trace.listen();
            value
        }
    }
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(
        context: &'a Context,
        source: Option<&'a Arc<Source>>,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        let meter = Meter::current();
        Evaluator {
            context,
            source,
            diagnostics,
            locals: Locals::default(),
            spare: String::new(),
            _operation: meter.begin(),
            meter,
            stopped: None,
            trace: None,
            touched: Default::default(),
            marked_calls: HashSet::new(),
            knowledge: None,
            observed: false,
        }
    }

    /// Evaluates a whole expression.
    pub(crate) fn run(&mut self, node: &Node) -> Value {
        let value = self.eval(node);
        self.check(node);
        if self.end() { value } else { Value::DYNAMIC }
    }

    /// Stops if a limit was exceeded by work that only the next check reports.
    fn check(&mut self, node: &Node) {
        if let Err(exceeded) = self.meter.check_value(0) {
            self.stop(exceeded, node.span);
        }
    }

    /// Ends the evaluation of a whole expression. Returns true if no limit stopped it.
    fn end(&mut self) -> bool {
        self.meter.forget_depth();
        // Reported last: errors of a part may be dropped, but this one always counts.
        let Some((exceeded, span)) = self.stopped.take() else { return true };
        self.report(Diagnostic::exceeded(exceeded).at(span));
        false
    }

    /// Evaluates a whole expression and adds its explanation to the trace.
    pub(crate) fn explain(mut self, node: &Node, mut trace: Trace) -> (Value, Trace) {
        trace.source = self.source.cloned();
        self.trace = Some(trace);
        self.observed = true;
        let value = self.run(node);
        (value, self.trace.unwrap_or_default())
    }

    /// Evaluates a node. Errors are reported, and the value contains what is still known.
    pub(crate) fn eval(&mut self, node: &Node) -> Value {
        if let Some(value) = node.constant() {
            return value.clone();
        }
        if let Err(exceeded) = self.meter.enter() {
            self.stop(exceeded, node.span);
            return Value::DYNAMIC;
        }
        let value = if self.meter.depth_left().is_multiple_of(STACK_CHECK_INTERVAL) {
            with_room(|| self.evaluated(node))
        } else {
            self.evaluated(node)
        };
        self.meter.leave();
        value
    }

    #[inline]
    fn evaluated(&mut self, node: &Node) -> Value {
        if self.observed { self.eval_traced(node) } else { self.dispatch(node) }
    }

    #[cold]
    fn eval_traced(&mut self, node: &Node) -> Value {
        if self.knowledge.is_some() {
            return self.learned(node);
        }
        let before = self.diagnostics.mark();
        if let Some(trace) = &mut self.trace {
            trace.enter(node.span);
        }
        let touched = mem::take(&mut self.touched);
        let value = self.dispatch(node);
        self.leave(&value, before);
        self.touch_again(touched);
        value
    }

    /// Records the value of a node for the explanation, with the errors since `before`.
    fn leave(&mut self, value: &Value, before: DiagnosticsMark) {
        let shown = self.explained(value);
        if let Some(trace) = &mut self.trace {
            trace.leave(&shown, self.diagnostics.since(before));
        }
    }

    fn dispatch(&mut self, node: &Node) -> Value {
        let made = match &node.kind {
            Kind::Splat(splat) => self.splat(splat),
            Kind::Tuple(elements) => self.tuple(elements),
            Kind::Object(object) => self.object(node, object),
            Kind::Properties(items) => self.properties(node, items),
            Kind::For(each) if each.key.is_some() => self.for_object(node, each),
            Kind::For(each) => self.for_tuple(node, each),
            Kind::Invalid => return Value::DYNAMIC,
            Kind::Constant(value) | Kind::Folded(value, _) => return value.clone(),
            Kind::Access(access) => return self.access(access),
            Kind::Call(call) => return self.call(node, call),
            Kind::Conditional(conditional) => return self.conditional(node, conditional),
            Kind::Operation(operation) => return self.operation(operation),
            Kind::Unary(unary) => return self.unary(node, unary),
            Kind::Template(parts) => return self.template(node, parts),
            Kind::Join(each) => return self.join(node, each),
            Kind::Parens(inner) => return self.eval(inner),
            Kind::AmbiguousKey(_, text) => return self.ambiguous_key(node, text),
        };
        self.check_size(made, node)
    }

    /// Reports an error about a node with the values that it refers to.
    #[cold]
    fn error(&mut self, diagnostic: Diagnostic, about: &[&Node]) {
        // A failure that is caused by an exceeded limit is not a separate error.
        if self.meter.exceeded().is_some() {
            return;
        }
        if !self.diagnostics.has_room() {
            return self.report(diagnostic);
        }
        let evidence = crate::evidence::gather(self.context, &self.locals, self.source, about);
        self.report(diagnostic.with_evidence(evidence));
    }

    #[cold]
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(in_source(diagnostic, self.source));
    }

    /// Stops the evaluation.
    #[cold]
    fn stop(&mut self, exceeded: Exceeded, span: Span) {
        self.stopped.get_or_insert((exceeded, span));
    }

    /// Checks that a value that contains others is neither too deep nor too large.
    #[inline]
    fn check_size(&mut self, value: Value, node: &Node) -> Value {
        match self.meter.check_value(value.depth()) {
            Ok(()) => value,
            Err(exceeded) => {
                self.stop(exceeded, node.span);
                Value::DYNAMIC
            }
        }
    }

    /// Counts elements that are visited. Returns false if there are too many.
    fn take_elements(&mut self, count: usize, span: Span) -> bool {
        let taken = self.meter.take_elements(count);
        taken.map_err(|exceeded| self.stop(exceeded, span)).is_ok()
    }

    fn take_bytes(&mut self, count: usize, span: Span) -> bool {
        let taken = self.meter.take_bytes(count);
        taken.map_err(|exceeded| self.stop(exceeded, span)).is_ok()
    }
}

/// The start of an expression, where errors about arguments point.
pub(crate) fn start_span(node: &Node, source: Option<&Source>) -> Span {
    let mut node = node;
    let first = |span: Span| Span::new(span.start, span.start + 1);
    loop {
        node = match node.structure() {
            Kind::Operation(operation) => &operation.first,
            Kind::Conditional(conditional) => &conditional.condition,
            Kind::Parens(inner) if source.is_some_and(|source| source.slice(node.span).starts_with('(')) => {
                inner
            }
            Kind::Template(parts) if !parts.is_empty() => &parts[0],
            Kind::Call(call) => return call.name_span.cover(call.open_span),
            Kind::Tuple(_) | Kind::Object(_) | Kind::Properties(_) | Kind::For(_) | Kind::Unary(_) => {
                return first(node.span);
            }
            Kind::Splat(splat) => return splat.marker,
            Kind::Access(access) => {
                let last = access.steps.last().filter(|last| matches!(last.kind, StepKind::Index(_)));
                return last.map_or(node.span, |last| first(last.span));
            }
            Kind::Constant(value) if value.as_str().is_some() => {
                let written = source.map_or("", |source| source.slice(node.span));
                return match (written.len(), written.starts_with('"')) {
                    (2, true) => Span::empty(node.span.end),
                    (_, true) => Span::new(node.span.start + 1, node.span.end - 1),
                    _ => node.span,
                };
            }
            _ => return node.span,
        };
    }
}
