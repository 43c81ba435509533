//! What partial evaluation records: the value of each node, so that none is evaluated twice, and whether it depends on
//! anything unknown.

use std::collections::{HashMap, HashSet};
use std::ptr;

use hclkit_value::{Error, ErrorKind, Function, Value};

use super::Evaluator;
use super::reach::{self, Reach};
use crate::evidence::value_after;
use crate::node::{Access, Base, Kind, Node, Operation};
use hclkit_syntax::DiagnosticsMark;

/// The value of a node.
#[derive(Clone)]
pub(crate) struct Known {
    pub(crate) value: Value,
    /// The value is known, and does not depend on the unknown parts of the expression.
    pub(crate) certain: bool,
}

/// The recorded values. Nodes are identified by their addresses.
#[derive(Default)]
pub(super) struct Knowledge {
    nodes: HashMap<*const Node, Known>,
    /// For chains of operators, how many operations from the left are certain, and their result.
    prefixes: HashMap<*const Operation, (usize, Value)>,
    /// The arguments whose syntax a function examines.
    written: HashSet<*const Node>,
    /// The number of unknown values so far.
    unknowns: u64,
    /// The number of nodes so far with errors that nothing caught.
    failures: u64,
    /// The number of active evaluations that try an expression with unknown local variables.
    trials: usize,
    /// How many of the outermost local variables are unknown. Nothing is recorded for the iterations of a loop.
    slots: usize,
    /// True if functions that are random or read the clock are called, too.
    impure: bool,
}

impl Evaluator<'_> {
    /// Evaluates as far as possible without undefined names, and records all values.
    pub(crate) fn partial(mut self, impure: bool) -> Self {
        self.knowledge = Some(Box::new(Knowledge { impure, ..Knowledge::default() }));
        self.observed = true;
        self
    }

    /// The value of a node, which is evaluated if necessary. Its errors are not reported.
    pub(crate) fn known(&mut self, node: &Node) -> Known {
        if let Some(value) = node.constant() {
            return Known { value: value.clone(), certain: true };
        }
        if self.remembered(node).is_none() {
            let before = self.diagnostics.mark();
            self.eval(node);
            self.diagnostics.truncate(before);
        }
        self.remembered(node).cloned().unwrap_or(Known { value: Value::DYNAMIC, certain: false })
    }

    fn remembered(&self, node: &Node) -> Option<&Known> {
        self.knowledge.as_ref()?.nodes.get(&ptr::from_ref(node))
    }

    /// How many operations of a chain are certain, if not all of them, and their result.
    pub(crate) fn known_prefix(&self, operation: &Operation) -> Option<(usize, Value)> {
        self.knowledge.as_ref()?.prefixes.get(&ptr::from_ref(operation)).cloned()
    }

    /// The value of the variable at the start of an access, after this number of constant steps.
    pub(crate) fn value_after(&self, access: &Access, steps: usize) -> Option<Value> {
        let shown = self.hidden_base(access).is_empty();
        value_after(self.context, &self.locals, access, steps).filter(|_| shown)
    }

    /// Returns true if a function examines the syntax of a node.
    pub(crate) fn is_written(&self, node: &Node) -> bool {
        self.knowledge.as_ref().is_some_and(|knowledge| knowledge.written.contains(&ptr::from_ref(node)))
    }

    /// Enters a loop whose variables are unknown.
    pub(crate) fn enter_loop(&mut self, slot: usize, count: usize) {
        self.locals.open(slot, count);
        self.set_unknown_slots(slot + count);
    }

    /// Leaves the loop.
    pub(crate) fn leave_loop(&mut self, slot: usize) {
        self.locals.close(slot);
        self.set_unknown_slots(slot);
    }

    /// Takes a step. Returns false if a limit is exceeded.
    pub(crate) fn take_step(&mut self, node: &Node) -> bool {
        match self.meter.enter() {
            Ok(()) => {
                self.meter.leave();
                true
            }
            Err(stop) => {
                self.stop(stop, node.span);
                false
            }
        }
    }

    /// Returns true if this much text may be written.
    pub(crate) fn may_write(&mut self, bytes: usize, node: &Node) -> bool {
        self.take_bytes(bytes, node.span)
    }

    /// Reports an exceeded limit.
    pub(crate) fn finish(&mut self, node: &Node) {
        self.check(node);
        self.end();
    }

    fn set_unknown_slots(&mut self, slots: usize) {
        if let Some(knowledge) = &mut self.knowledge {
            knowledge.slots = slots;
        }
    }

    /// Evaluates a node and records its value.
    pub(super) fn learned(&mut self, node: &Node) -> Value {
        let before = self.diagnostics.mark();
        let unknowns = self.unknowns();
        let failures = self.knowledge.as_ref().map_or(0, |knowledge| knowledge.failures);
        let mut value = self.dispatch(node);
        let mut failed = self.diagnostics.failed_since(before);
        if failed
            && self.unknowns() > unknowns
            && self.knowledge.as_ref().is_some_and(|knowledge| knowledge.failures == failures)
        {
            // An argument that the function rejects now may be valid once it is fully known.
            self.diagnostics.truncate(before);
            value = Value::DYNAMIC;
            failed = false;
        }
        // Parts of marked values also stay as written.
        if let Kind::Access(access) = &node.kind
            && !self.hidden_base(access).is_empty()
        {
            self.meet_unknown();
        }
        let Some(knowledge) = &mut self.knowledge else { return value };
        // An error inside that did not make this node fail was caught, for example by `try`.
        knowledge.failures = if failed { knowledge.failures + 1 } else { failures };
        // A node with an error has no value, and will have the same error later.
        let counts = knowledge.trials == 0 || is_variable(node);
        if !failed && counts && !value.is_wholly_known() {
            knowledge.unknowns += 1;
        }
        if self.locals.len() <= knowledge.slots {
            let certain = !failed && knowledge.unknowns == unknowns && value.is_wholly_known();
            knowledge.nodes.insert(ptr::from_ref(node), Known { value: value.clone(), certain });
        }
        value
    }

    /// The number of unknown values so far.
    #[inline]
    pub(super) fn unknowns(&self) -> u64 {
        self.knowledge.as_ref().map_or(0, |knowledge| knowledge.unknowns)
    }

    /// Counts an unknown value that was not evaluated.
    pub(super) fn meet_unknown(&mut self) {
        if let Some(knowledge) = &mut self.knowledge {
            knowledge.unknowns += 1;
        }
    }

    /// Evaluates an expression with unknown local variables to find its errors or its type. These unknown variables do
    /// not make the result uncertain.
    #[inline]
    pub(super) fn on_trial<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(knowledge) = &mut self.knowledge {
            knowledge.trials += 1;
        }
        let done = work(self);
        if let Some(knowledge) = &mut self.knowledge {
            knowledge.trials -= 1;
        }
        done
    }

    /// Records the result of a chain of this number of operations, if it is certain.
    #[cold]
    pub(super) fn learn_prefix(
        &mut self,
        operation: &Operation,
        done: usize,
        value: &Value,
        before: DiagnosticsMark,
        unknowns: u64,
    ) {
        let certain = value.is_wholly_known() && !self.diagnostics.failed_since(before);
        if let Some(knowledge) = &mut self.knowledge
            && certain
            && knowledge.unknowns == unknowns
            && self.locals.len() <= knowledge.slots
        {
            knowledge.prefixes.insert(ptr::from_ref(operation), (done, value.clone()));
        }
    }

    /// Records that the syntax of an argument matters.
    pub(super) fn learn_written(&mut self, argument: &Node) {
        if let Some(knowledge) = &mut self.knowledge {
            knowledge.written.insert(ptr::from_ref(argument));
        }
    }

    /// The result of a function, which is unknown if the function lacks a grant, if its result differs from call to
    /// call, or if it evaluates expressions that call such a function.
    #[cold]
    pub(super) fn result_if_allowed(
        &mut self,
        function: &Function,
        arguments: &[Value],
    ) -> Result<Value, Error> {
        let impure = self.knowledge.as_ref().is_some_and(|knowledge| knowledge.impure);
        if !function.is_pure() && !impure {
            return self.unknown_result(function, arguments);
        }
        let (result, reached) = reach::watch(|| function.call(arguments));
        match &result {
            Err(error) if matches!(error.kind(), ErrorKind::Limit(_)) => result,
            Err(error) if matches!(error.kind(), ErrorKind::NotGranted(_)) => {
                self.unknown_result(function, arguments)
            }
            _ if reached.not_granted || (reached.impure && !impure) => {
                self.unknown_result(function, arguments)
            }
            _ => result,
        }
    }

    /// The result of a function that is not called.
    fn unknown_result(&mut self, function: &Function, arguments: &[Value]) -> Result<Value, Error> {
        self.meet_unknown();
        let (ty, reached) = reach::watch(|| function.result_type(arguments));
        let value = match ty {
            // The type may depend on what the function reads.
            Err(error) if matches!(error.kind(), ErrorKind::Limit(_)) => return Err(error),
            _ if reached != Reach::default() => Value::DYNAMIC,
            Ok(ty) => Value::unknown(ty),
            Err(error) if matches!(error.kind(), ErrorKind::NotGranted(_)) => Value::DYNAMIC,
            Err(error) => return Err(error),
        };
        let marks = arguments.iter().map(|argument| argument.unmark_deep().1);
        Ok(marks.fold(value, |value, marks| value.with_marks(&marks)))
    }
}

/// Returns true if a node is a variable of the context, with or without steps.
fn is_variable(node: &Node) -> bool {
    matches!(&node.kind, Kind::Access(access) if matches!(access.base, Base::Variable(_)))
}
