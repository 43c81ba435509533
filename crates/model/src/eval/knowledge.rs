//! What partial evaluation remembers of an evaluation: the value of each node, so that none is evaluated twice, and
//! whether it depends on anything unknown.

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
    pub(crate) sure: bool,
}

/// The recorded values. Nodes are identified by their addresses.
#[derive(Default)]
pub(super) struct Knowledge {
    nodes: HashMap<*const Node, Known>,
    /// Of chains of operators, how many operations from the left are sure, and their result.
    prefixes: HashMap<*const Operation, (usize, Value)>,
    /// The arguments whose syntax a function looks at.
    written: HashSet<*const Node>,
    /// How many unknown values came up so far.
    unknowns: u64,
    /// How many nodes had errors so far that nothing caught.
    failures: u64,
    /// How many evaluations are under way that try an expression with unknown local variables.
    trials: usize,
    /// How many of the outermost local variables are unknown. Nothing is remembered of the turns of a loop.
    slots: usize,
    /// Functions that are random or read the clock are called, too.
    impure: bool,
}

impl Evaluator<'_> {
    /// Evaluates as far as that goes without what is not there, and remembers all values.
    pub(crate) fn partial(mut self, impure: bool) -> Self {
        self.knowledge = Some(Box::new(Knowledge { impure, ..Knowledge::default() }));
        self.observed = true;
        self
    }

    /// The value of a node, which is evaluated if it was not yet. What is wrong with it is not reported.
    pub(crate) fn known(&mut self, node: &Node) -> Known {
        if let Some(value) = node.constant() {
            return Known { value: value.clone(), sure: true };
        }
        if self.remembered(node).is_none() {
            let before = self.diagnostics.mark();
            self.eval(node);
            self.diagnostics.truncate(before);
        }
        self.remembered(node).cloned().unwrap_or(Known { value: Value::DYNAMIC, sure: false })
    }

    fn remembered(&self, node: &Node) -> Option<&Known> {
        self.knowledge.as_ref()?.nodes.get(&ptr::from_ref(node))
    }

    /// How many operations of a chain are sure, but not all of them, and their result.
    pub(crate) fn known_prefix(&self, operation: &Operation) -> Option<(usize, Value)> {
        self.knowledge.as_ref()?.prefixes.get(&ptr::from_ref(operation)).cloned()
    }

    /// The value of the variable at the start of an access, after this number of constant steps.
    pub(crate) fn value_after(&self, access: &Access, steps: usize) -> Option<Value> {
        let shown = self.hidden_base(access).is_empty();
        value_after(self.context, &self.locals, access, steps).filter(|_| shown)
    }

    /// Whether a function looks at how a node is written.
    pub(crate) fn is_written(&self, node: &Node) -> bool {
        self.knowledge.as_ref().is_some_and(|knowledge| knowledge.written.contains(&ptr::from_ref(node)))
    }

    /// Goes into a loop whose variables are unknown.
    pub(crate) fn enter_loop(&mut self, slot: usize, count: usize) {
        self.locals.open(slot, count);
        self.set_unknown_slots(slot + count);
    }

    /// Leaves it again.
    pub(crate) fn leave_loop(&mut self, slot: usize) {
        self.locals.close(slot);
        self.set_unknown_slots(slot);
    }

    /// Takes a step of the limits, and says whether it may be taken.
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

    /// Whether so much text may be written.
    pub(crate) fn may_write(&mut self, bytes: usize, node: &Node) -> bool {
        self.take_bytes(bytes, node.span)
    }

    /// Reports it if a limit was reached.
    pub(crate) fn finish(&mut self) {
        self.end();
    }

    fn set_unknown_slots(&mut self, slots: usize) {
        if let Some(knowledge) = &mut self.knowledge {
            knowledge.slots = slots;
        }
    }

    /// Evaluates a node and remembers its value.
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
            // An argument that the function rejects now may be valid once all of it is known.
            self.diagnostics.truncate(before);
            value = Value::DYNAMIC;
            failed = false;
        }
        // Parts of something marked also stay as written.
        if let Kind::Access(access) = &node.kind
            && !self.hidden_base(access).is_empty()
        {
            self.meet_unknown();
        }
        let Some(knowledge) = &mut self.knowledge else { return value };
        // What failed inside without this failing was caught, as by `try`.
        knowledge.failures = if failed { knowledge.failures + 1 } else { failures };
        // An error has no value, and will be the same error later.
        let counts = knowledge.trials == 0 || is_variable(node);
        if !failed && counts && !value.is_wholly_known() {
            knowledge.unknowns += 1;
        }
        if self.locals.len() <= knowledge.slots {
            let sure = !failed && knowledge.unknowns == unknowns && value.is_wholly_known();
            knowledge.nodes.insert(ptr::from_ref(node), Known { value: value.clone(), sure });
        }
        value
    }

    /// How many unknown values came up so far.
    #[inline]
    pub(super) fn unknowns(&self) -> u64 {
        self.knowledge.as_ref().map_or(0, |knowledge| knowledge.unknowns)
    }

    /// Something comes up that is unknown, and was not evaluated.
    pub(super) fn meet_unknown(&mut self) {
        if let Some(knowledge) = &mut self.knowledge {
            knowledge.unknowns += 1;
        }
    }

    /// Evaluates something with unknown local variables to find out what is wrong with it, or its type. That they are
    /// unknown says nothing of the result.
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
        let sure = value.is_wholly_known() && !self.diagnostics.failed_since(before);
        if let Some(knowledge) = &mut self.knowledge
            && sure
            && knowledge.unknowns == unknowns
            && self.locals.len() <= knowledge.slots
        {
            knowledge.prefixes.insert(ptr::from_ref(operation), (done, value.clone()));
        }
    }

    /// Remembers that the syntax of an argument counts.
    pub(super) fn learn_written(&mut self, argument: &Node) {
        if let Some(knowledge) = &mut self.knowledge {
            knowledge.written.insert(ptr::from_ref(argument));
        }
    }

    /// What a function gives, which is unknown if the function needs a grant, or gives something else each time, or
    /// evaluates expressions that call such a function.
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

/// Whether a node is a variable of the context, with steps or without.
fn is_variable(node: &Node) -> bool {
    matches!(&node.kind, Kind::Access(access) if matches!(access.base, Base::Variable(_)))
}
