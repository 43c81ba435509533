//! Explanations of values: the values of the subexpressions, nested.

use std::cell::Cell;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::mem;
use std::sync::Arc;

use hclkit_limits::Meter;
use hclkit_syntax::{Code, Diagnostic, Source, Span};
use hclkit_value::{Name, Value};

use crate::eval::Evaluator;
use crate::{Context, Diagnostics, Expression, messages};

/// The maximum number of recorded steps, and of recorded elements of each loop.
const MOST_STEPS: usize = 10_000;
const MOST_ELEMENTS: usize = 4;

/// The value of an expression and of its parts, without literals.
///
/// ```
/// use hclkit_model::{Context, Expression};
///
/// let expression = Expression::parse("size > limit ? \"big\" : \"small\"")?;
/// let context = Context::new().with("size", 3).with("limit", 5);
/// let explanation = expression.explain(&context);
/// assert_eq!(explanation.value.as_str(), Some("small"));
/// let condition = &explanation.parts[0];
/// assert_eq!(expression.source().slice(condition.span), "size > limit");
/// assert_eq!(condition.value.as_bool(), Some(false));
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The source, if it differs from that of the enclosing explanation: for the whole expression, and for one that a
    /// function evaluates, such as a template.
    pub source: Option<Arc<Source>>,
    /// The span of the expression.
    pub span: Span,
    /// The value.
    pub value: Value,
    /// A note: that the expression was not selected, or which element of a loop it belongs to.
    pub note: Option<String>,
    /// The errors in it that are not in one of its parts. Errors of a result that was not selected do not count.
    pub errors: Diagnostics,
    /// The parts in the order in which they were evaluated. For a call, the expressions that the function itself
    /// evaluated come last.
    pub parts: Vec<Self>,
    /// The number of omitted elements of a loop.
    pub omitted: usize,
    /// Of the whole expression: a name that it needs has errors, even if they are too far away to be in `errors`.
    needs_failed: bool,
}

impl Explanation {
    /// Whether it has errors, or needs a value that has.
    #[doc(hidden)]
    pub fn fails(&self) -> bool {
        self.needs_failed || !self.errors.is_empty()
    }

    /// The number of expressions in it, with itself.
    #[doc(hidden)]
    pub fn count(&self) -> usize {
        let (mut count, mut open) = (0, vec![self]);
        while let Some(own) = open.pop() {
            count += 1;
            open.extend(&own.parts);
        }
        count
    }

    /// Whether the expression is the result of a conditional that was not selected.
    #[doc(hidden)]
    pub fn is_unselected(&self) -> bool {
        self.note.as_deref() == Some(messages::NOT_SELECTED)
    }
}

impl Expression {
    /// Evaluates the expression and explains its value. This uses somewhat more of the limits than an evaluation. If a
    /// limit is exceeded, the error is in the outermost explanation.
    pub fn explain(&self, context: &Context) -> Explanation {
        context.run(|| self.explained(context))
    }

    fn explained(&self, context: &Context) -> Explanation {
        let mut diagnostics = Diagnostics::new();
        let context = self.context(context);
        let meter = Meter::current();
        let _operation = meter.begin();
        let context = self.resolved_to_explain(&context, &mut diagnostics);
        let needed = diagnostics.clone();
        let Some((context, needs_failed)) = context else {
            return Explanation {
                errors: needed.iter().cloned().collect(),
                ..Explanation::new(self.span(), Value::DYNAMIC)
            };
        };
        let node = self.node_in(&context, &mut diagnostics);
        let evaluator = Evaluator::new(&context, Some(self.source()), &mut diagnostics);
        let (value, mut trace) = evaluator.explain(node, Trace::default());
        let mut whole = trace.finished.pop().unwrap_or_else(|| Explanation::new(self.span(), Value::DYNAMIC));
        whole.value = value;
        let stops = |error: &&Diagnostic| error.code().is_some_and(Code::is_limit);
        whole.errors.extend(diagnostics.iter().filter(stops).cloned());
        whole.errors.extend(needed.iter().cloned());
        whole.needs_failed = needs_failed;
        whole
    }
}

impl Explanation {
    fn new(span: Span, value: Value) -> Self {
        let (source, note, errors, parts) = (None, None, Diagnostics::new(), Vec::new());
        Self { source, span, value, note, errors, parts, omitted: 0, needs_failed: false }
    }
}

/// Explanations under construction.
#[derive(Default)]
pub(crate) struct Trace {
    /// The explanation of the current expression.
    pub(crate) source: Option<Arc<Source>>,
    open: Vec<Open>,
    finished: Vec<Explanation>,
    /// The errors in the finished explanations.
    reported: Reported,
    steps: usize,
    /// The number of open levels in which nothing is recorded.
    muted: usize,
}

/// An explanation under construction, and the errors in it and its parts.
struct Open {
    explanation: Explanation,
    reported: Reported,
}

/// Errors by their hashes.
#[derive(Default)]
struct Reported(HashSet<u64>);

impl Reported {
    fn hash(error: &Diagnostic) -> u64 {
        let mut hasher = DefaultHasher::new();
        let source = error.source().map(Arc::as_ptr);
        (source, error.span(), error.code(), error.note()).hash(&mut hasher);
        hasher.finish()
    }

    /// Adds the errors of a part: the smaller set to the larger one, so that errors are not moved at every level.
    fn add(&mut self, mut other: Self) {
        if self.0.len() < other.0.len() {
            mem::swap(self, &mut other);
        }
        self.0.extend(other.0);
    }
}

thread_local! {
    /// Records what a function evaluates during an explained evaluation. As with limits, functions get no handle to
    /// pass on.
    static LISTENER: Cell<Option<Box<Trace>>> = const { Cell::new(None) };
}

/// Restores the previous trace, even if a function panics.
struct Restored(Option<Box<Trace>>);

impl Drop for Restored {
    fn drop(&mut self) {
        LISTENER.set(self.0.take());
    }
}

impl Trace {
    /// Takes the trace that records evaluations. Nothing is recorded until it is put back with [`Trace::listen`].
    pub(crate) fn listener() -> Option<Box<Self>> {
        LISTENER.take()
    }

    pub(crate) fn listen(self) {
        LISTENER.set(Some(Box::new(self)));
    }

    /// Calls a function. What it evaluates becomes parts of the current explanation, unless an argument is marked,
    /// because the function can see its contents.
    pub(crate) fn hear<T>(&mut self, arguments: &[Value], call: impl FnOnce() -> T) -> T {
        if self.muted > 0 || arguments.iter().any(Value::contains_marked) {
            return Self::unheard(call);
        }
        let listener = Some(Box::new(Self { steps: self.steps, ..Self::default() }));
        let restored = Restored(LISTENER.replace(listener));
        let result = call();
        if let (Some(heard), Some(open)) = (LISTENER.take(), self.open.last_mut()) {
            open.explanation.parts.extend(heard.finished);
            open.reported.add(heard.reported);
            self.steps = heard.steps;
        }
        drop(restored);
        result
    }

    /// Calls a function without recording what it evaluates.
    pub(crate) fn unheard<T>(call: impl FnOnce() -> T) -> T {
        let _restored = Restored(LISTENER.replace(None));
        call()
    }

    pub(crate) fn enter(&mut self, span: Span) {
        if self.muted > 0 || self.steps >= MOST_STEPS {
            self.muted += 1;
            return;
        }
        self.steps += 1;
        let explanation = Explanation::new(span, Value::DYNAMIC);
        self.open.push(Open { explanation, reported: Reported::default() });
    }

    pub(crate) fn leave(&mut self, value: &Value, found: &[Diagnostic]) {
        if self.muted > 0 {
            self.muted -= 1;
            return;
        }
        let Some(mut done) = self.open.pop() else { return };
        done.explanation.value = value.clone();
        let hashes: Vec<u64> = found.iter().map(Reported::hash).collect();
        let new = found.iter().zip(&hashes).filter(|(_, hash)| !done.reported.0.contains(hash));
        done.explanation.errors = new.map(|(error, _)| error.clone()).collect();
        done.reported.0.extend(hashes);
        self.close(done);
    }

    /// Records the value of an expression up to some place, such as a chain of operators up to one of them.
    pub(crate) fn passed(&mut self, span: Span, value: &Value) {
        self.enter(span);
        self.leave(value, &[]);
    }

    /// One iteration of a loop.
    pub(crate) fn enter_element(
        &mut self,
        at: usize,
        key: Option<(&Name, Value)>,
        name: &Name,
        value: &Value,
    ) {
        if self.omits(at) {
            return;
        }
        self.enter(self.open.last().map_or(Span::default(), |open| open.explanation.span));
        if self.muted > 0 {
            return;
        }
        if let Some(open) = self.open.last_mut() {
            let value = value.show().with_limit(80).to_string();
            open.explanation.note = Some(match key {
                Some((key_name, key)) => {
                    format!("{key_name} = {}, {name} = {value}", key.show().with_limit(40))
                }
                None => format!("{name} = {value}"),
            });
        }
    }

    /// Returns true if there are too many iterations of a loop. The iteration is then counted, and nothing is recorded
    /// until [`Trace::unmute`].
    pub(crate) fn omits(&mut self, at: usize) -> bool {
        let omitted = self.muted == 0 && at >= MOST_ELEMENTS;
        if omitted {
            if let Some(open) = self.open.last_mut() {
                open.explanation.omitted += 1;
            }
            self.mute();
        }
        omitted
    }

    /// Records nothing until [`Trace::unmute`].
    pub(crate) fn mute(&mut self) {
        self.muted += 1;
    }

    pub(crate) fn unmute(&mut self) {
        self.muted -= 1;
    }

    pub(crate) fn leave_element(&mut self) {
        if self.muted > 0 {
            self.muted -= 1;
            return;
        }
        let Some(mut done) = self.open.pop() else { return };
        if let Some(last) = done.explanation.parts.last() {
            done.explanation.value = last.value.clone();
        }
        self.close(done);
    }

    fn close(&mut self, done: Open) {
        let Open { mut explanation, reported } = done;
        if let Some(around) = self.open.last_mut() {
            around.explanation.parts.push(explanation);
            around.reported.add(reported);
        } else {
            explanation.source = self.source.take();
            self.finished.push(explanation);
            self.reported.add(reported);
        }
    }

    /// Adds a note to a part of the current explanation.
    pub(crate) fn note(&mut self, part: Span, note: &str) {
        if self.muted > 0 {
            return;
        }
        let parts = self.open.last_mut().map(|open| &mut open.explanation.parts);
        if let Some(part) = parts.and_then(|parts| parts.iter_mut().find(|known| known.span == part)) {
            part.note = Some(note.to_owned());
        }
    }
}
