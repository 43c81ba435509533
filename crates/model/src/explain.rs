//! How a value came about: the values of the sub-expressions, one within the other.

use hclkit_syntax::{Diagnostic, Span};
use hclkit_value::{Str, Value};

use crate::eval::Evaluator;
use crate::{Context, Diagnostics, Expression};

/// How many steps are noted down in all, and how many elements of each loop.
const MOST_STEPS: usize = 10_000;
const MOST_ELEMENTS: usize = 4;

/// The value of an expression and those of its parts. Literals are left out: they say it themselves.
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
pub struct Explanation {
    /// Where the expression stands in its source.
    pub span: Span,
    /// What it was worth.
    pub value: Value,
    /// What is to be said of it: that it was not selected, which element of a loop it is for.
    pub note: Option<String>,
    /// What went wrong in it, and not in one of its parts. An error of a result that was not selected does not count.
    pub errors: Vec<Diagnostic>,
    /// The parts in the order in which they were evaluated.
    pub parts: Vec<Explanation>,
    /// How many elements of a loop are left out.
    pub omitted: usize,
}

impl Expression {
    /// Evaluates the expression and tells how its value came about.
    pub fn explain(&self, context: &Context) -> Explanation {
        let mut diagnostics = Diagnostics::new();
        let context = self.context(context);
        let node = self.node_in(&context, &mut diagnostics);
        let evaluator = Evaluator::new(&context, Some(self.source()), &mut diagnostics);
        let (value, mut trace) = evaluator.explain(node);
        trace.finished.pop().unwrap_or_else(|| Explanation::new(self.span(), value))
    }
}

impl Explanation {
    fn new(span: Span, value: Value) -> Explanation {
        Explanation { span, value, note: None, errors: Vec::new(), parts: Vec::new(), omitted: 0 }
    }
}

/// Explanations in the making.
#[derive(Default)]
pub(crate) struct Trace {
    open: Vec<Explanation>,
    finished: Vec<Explanation>,
    steps: usize,
    /// How many levels down nothing is noted any more.
    muted: usize,
}

impl Trace {
    pub(crate) fn enter(&mut self, span: Span) {
        if self.muted > 0 || self.steps >= MOST_STEPS {
            self.muted += 1;
            return;
        }
        self.steps += 1;
        self.open.push(Explanation::new(span, Value::DYNAMIC));
    }

    pub(crate) fn leave(&mut self, value: &Value, found: &[Diagnostic]) {
        if self.muted > 0 {
            self.muted -= 1;
            return;
        }
        let Some(mut done) = self.open.pop() else { return };
        done.value = value.clone();
        let told = |error: &Diagnostic| done.parts.iter().any(|part| part.has_error(error));
        done.errors = found.iter().filter(|error| !told(error)).cloned().collect();
        self.close(done);
    }

    /// What an expression is worth up to some place, such as a chain of operators up to one of them.
    pub(crate) fn passed(&mut self, span: Span, value: &Value) {
        self.enter(span);
        self.leave(value, &[]);
    }

    /// One turn of a loop.
    pub(crate) fn enter_element(&mut self, at: usize, key: Option<(&Str, Value)>, name: &Str, value: &Value) {
        if self.muted == 0 && at >= MOST_ELEMENTS {
            if let Some(open) = self.open.last_mut() {
                open.omitted += 1;
            }
            self.muted += 1;
            return;
        }
        self.enter(self.open.last().map_or(Span::default(), |open| open.span));
        if self.muted > 0 {
            return;
        }
        if let Some(open) = self.open.last_mut() {
            let value = value.show().limit(80).to_string();
            open.note = Some(match key {
                Some((key_name, key)) => format!("{key_name} = {}, {name} = {value}", key.show().limit(40)),
                None => format!("{name} = {value}"),
            });
        }
    }

    pub(crate) fn leave_element(&mut self) {
        if self.muted > 0 {
            self.muted -= 1;
            return;
        }
        let Some(mut done) = self.open.pop() else { return };
        if let Some(last) = done.parts.last() {
            done.value = last.value.clone();
        }
        self.close(done);
    }

    fn close(&mut self, done: Explanation) {
        match self.open.last_mut() {
            Some(around) => around.parts.push(done),
            None => self.finished.push(done),
        }
    }

    /// Says something of a part of what is being evaluated.
    pub(crate) fn note(&mut self, part: Span, note: &str) {
        if self.muted > 0 {
            return;
        }
        let parts = self.open.last_mut().map(|open| &mut open.parts);
        if let Some(part) = parts.and_then(|parts| parts.iter_mut().find(|known| known.span == part)) {
            part.note = Some(note.to_owned());
        }
    }
}

impl Explanation {
    fn has_error(&self, error: &Diagnostic) -> bool {
        self.errors.contains(error) || self.parts.iter().any(|part| part.has_error(error))
    }
}
