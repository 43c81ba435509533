//! The parts of values that patterns with `*` or predicates select, such as `local.users[*].name`.

use hclkit_limits::with_room;
use hclkit_model::Context;
use hclkit_syntax::is_identifier;
use hclkit_value::{Name, Type, Value};

use super::predicate::is_true;
use super::{Pattern, PatternStep, is_like, same};
use crate::instance::Step;
use crate::module::select;

impl Pattern {
    /// The parts of the value at an address that the pattern selects, if it has `*` or predicates after the address. The
    /// keys of marked values are not shown: such a value is selected as a whole. With `**`, a part may be selected more
    /// than once. The context has the functions for predicates.
    pub(crate) fn parts(&self, path: &[Step], value: &Value, context: &Context) -> Vec<Vec<Step>> {
        let mut rests = Vec::new();
        rest(&self.steps, path, &mut rests);
        let mut search = Search { context, at: Vec::new(), found: Vec::new() };
        for pattern in rests {
            search.value(pattern, value, false);
        }
        search.found
    }
}

/// What is left of a pattern after an address. `**` can match any number of its steps.
fn rest<'p>(pattern: &'p [PatternStep], path: &[Step], found: &mut Vec<&'p [PatternStep]>) {
    let (Some((first, after)), Some((own, tail))) = (pattern.split_first(), path.split_first()) else {
        if path.is_empty() {
            found.push(pattern);
        }
        return;
    };
    let matches = match (first, own) {
        (PatternStep::Many, _) => {
            rest(after, path, found);
            return rest(pattern, tail, found);
        }
        (PatternStep::Any, _) => true,
        (PatternStep::Step(step), _) => same(step, own),
        (PatternStep::Like(parts), Step::Name(name)) => is_like(parts, name),
        // A predicate applies to each instance.
        (PatternStep::Where(_), Step::Key(_)) => return rest(pattern, tail, found),
        (PatternStep::Like(_), Step::Key(_)) | (PatternStep::Where(_), Step::Name(_)) => false,
    };
    if matches {
        rest(after, tail, found);
    }
}

struct Search<'c> {
    context: &'c Context,
    at: Vec<Step>,
    found: Vec<Vec<Step>>,
}

impl Search<'_> {
    /// Adds the parts of a value that a pattern selects. After `**`, unknown values are not part of the result, because
    /// they may have any attributes.
    fn value(&mut self, pattern: &[PatternStep], value: &Value, is_deep: bool) {
        if pattern.iter().all(PatternStep::is_any) {
            return self.add();
        }
        let Some((first, rest)) = pattern.split_first() else { return };
        let (bare, marks) = value.unmark();
        let is_open = !bare.is_known() || !marks.is_empty();
        match first {
            _ if is_open && (is_deep || matches!(first, PatternStep::Many)) => {}
            PatternStep::Step(step) => {
                if let Some(inner) = select(value, std::slice::from_ref(step)) {
                    self.part(step.clone(), rest, &inner, is_deep);
                }
            }
            PatternStep::Many => {
                self.value(rest, value, true);
                for (step, inner) in elements(&bare) {
                    self.part(step, pattern, &inner, true);
                }
            }
            // Whether a predicate is true could reveal something about a sensitive value.
            PatternStep::Where(_) if is_open => {}
            PatternStep::Where(predicate) => {
                if is_true(predicate, &bare, self.context) {
                    self.value(rest, &bare, is_deep);
                }
            }
            _ if is_open => self.add(),
            PatternStep::Any | PatternStep::Like(_) => {
                for (step, inner) in elements(&bare) {
                    let is_meant = match (first, step.name()) {
                        (PatternStep::Like(parts), Some(name)) => is_like(parts, name),
                        (PatternStep::Like(_), None) => false,
                        _ => true,
                    };
                    if is_meant {
                        self.part(step, rest, &inner, is_deep);
                    }
                }
            }
        }
    }

    fn part(&mut self, step: Step, pattern: &[PatternStep], value: &Value, is_deep: bool) {
        self.at.push(step);
        with_room(|| self.value(pattern, value, is_deep));
        self.at.pop();
    }

    fn add(&mut self) {
        self.found.push(self.at.clone());
    }
}

impl Step {
    /// The name or the key, if it is text.
    fn name(&self) -> Option<&str> {
        match self {
            Step::Name(name) => Some(name),
            Step::Key(key) => key.as_str(),
        }
    }
}

/// The elements of a value with their steps. Those of sets have none.
fn elements(value: &Value) -> Vec<(Step, Value)> {
    if let Some(entries) = value.entries() {
        let is_object = value.as_object().is_some();
        let step = |name: &str| {
            if is_object && is_identifier(name) {
                Step::Name(Name::from(name))
            } else {
                Step::Key(Value::from(name))
            }
        };
        return entries.map(|(name, value)| (step(name.as_str()), value.clone())).collect();
    }
    if matches!(value.ty(), Type::Set(_)) {
        return Vec::new();
    }
    let all = value.as_slice().unwrap_or_default().iter();
    (0_i64..).zip(all).map(|(at, value)| (Step::Key(Value::from(at)), value.clone())).collect()
}
