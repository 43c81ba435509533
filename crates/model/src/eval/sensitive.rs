//! Values that must not be shown. Usually, they have marks. But as in the reference, the elements of a marked
//! collection have no marks inside a loop; only the result does. Therefore a loop records the marks of the collection
//! for its variables, and messages, evidence and explanations check them here.

use std::borrow::Cow;

use hclkit_value::{Error, Marks, Value};

use super::{Evaluator, attribute, index};
use crate::node::{Access, Base, Kind, Node, StepKind};

impl Evaluator<'_> {
    /// Returns true if the values of nodes may contain a marked value or a part of one.
    pub(super) fn hides(&self, nodes: &[&Node]) -> bool {
        let mut hidden = false;
        for node in nodes {
            node.each(&mut |part| {
                hidden = hidden
                    || match &part.kind {
                        Kind::Access(access) => self.hides_access(access, access.steps.len(), true),
                        Kind::Call(_) => self.marked_calls.contains(&part.span),
                        _ => false,
                    };
            });
        }
        hidden
    }

    /// Returns true if the value of a base with this number of steps is marked, or is part of a marked value; with
    /// `deep`, also if it has marked parts. Keys that are expressions do not count, nor does a base that is an
    /// expression.
    pub(super) fn hides_access(&self, access: &Access, steps: usize, deep: bool) -> bool {
        if !self.hidden_base(access).is_empty() {
            return true;
        }
        let base = match &access.base {
            Base::Variable(name) => self.context.variable(name),
            Base::Local { slot, .. } | Base::Element { slot } => self.locals.get(*slot),
            Base::Node(_) => None,
        };
        let Some(mut value) = base.map(Cow::Borrowed) else { return false };
        for step in &access.steps[..steps] {
            if value.is_marked() {
                return true;
            }
            let part = match &step.kind {
                StepKind::Attribute(_, name) => attribute(&value, name),
                StepKind::Key(key) => index(&value, key),
                // The part is unknown here.
                StepKind::Index(_) => return value.contains_marked(),
            };
            match part {
                Ok(part) => value = Cow::Owned(part),
                Err(_) => return false,
            }
        }
        if deep { value.contains_marked() } else { value.is_marked() }
    }

    /// Returns true if the value that step number `at` selects from is hidden, not counting its marked parts, or if the
    /// key of the step is.
    pub(super) fn hides_step(&self, access: &Access, at: usize) -> bool {
        let base = match &access.base {
            Base::Node(base) => Some(base),
            _ => None,
        };
        let keys = access.steps.iter().take(at + 1).filter_map(|step| match &step.kind {
            StepKind::Index(key) => Some(key),
            _ => None,
        });
        let nodes: Vec<&Node> = base.into_iter().chain(keys).collect();
        self.hides_access(access, at, false) || self.hides(&nodes)
    }

    /// The marks of the values that contain the value of a base, without its own.
    pub(super) fn hidden_base(&self, access: &Access) -> Marks {
        match &access.base {
            Base::Variable(name) => self.context.hidden(name),
            Base::Local { slot, .. } | Base::Element { slot } => self.locals.hidden(*slot),
            Base::Node(_) => Marks::default(),
        }
    }

    /// The marks of the values that contain the variables in a node; for the collection of a loop, those of its
    /// elements.
    pub(super) fn hidden_in(&self, node: &Node) -> Marks {
        let mut marks = Marks::default();
        if self.locals.hides() || self.context.hides() {
            node.each_access(&mut |access| marks = marks.union(&self.hidden_base(access)));
        }
        marks
    }

    /// Redacts an error about the values of nodes.
    pub(super) fn shown(&self, error: Error, about: &[&Node]) -> Error {
        if !self.diagnostics.has_room() || self.hides(about) { error.redacted() } else { error }
    }

    /// Records a call whose result has marks.
    #[inline]
    pub(super) fn note_marks(&mut self, call: &Node, result: &Value) {
        if result.contains_marked() {
            self.marked_calls.insert(call.span);
        }
    }

    /// A value as an explanation may show it. It is hidden if the explained expression depends on a hidden value.
    pub(super) fn explained(&self, value: &Value) -> Value {
        let (slots, marks) = &self.touched;
        let all = slots.iter().fold(marks.clone(), |marks, slot| marks.union(&self.locals.hidden(*slot)));
        value.clone().with_marks(&all)
    }

    /// Records for an explanation that a base is used.
    pub(super) fn touch(&mut self, access: &Access) {
        match &access.base {
            Base::Variable(name) if self.context.hides() => {
                self.touched.1 = self.touched.1.union(&self.context.hidden(name));
            }
            Base::Local { slot, .. } | Base::Element { slot }
                if self.locals.hides()
                    && !self.touched.0.contains(slot)
                    && !self.locals.hidden(*slot).is_empty() =>
            {
                self.touched.0.push(*slot);
            }
            _ => {}
        }
    }

    /// Adds the hidden values that were used before to those that a part used.
    pub(super) fn touch_again(&mut self, before: (Vec<usize>, Marks)) {
        let (slots, marks) = before;
        self.touched.0.retain(|slot| !slots.contains(slot) && !self.locals.hidden(*slot).is_empty());
        self.touched.0.extend(slots);
        self.touched.1 = self.touched.1.union(&marks);
    }

    /// Returns true if the expression being explained has used a hidden value so far.
    pub(super) fn touched_hidden(&self) -> bool {
        let (slots, marks) = &self.touched;
        !marks.is_empty() || slots.iter().any(|slot| !self.locals.hidden(*slot).is_empty())
    }
}
