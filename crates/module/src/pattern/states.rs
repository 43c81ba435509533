//! How far patterns have matched at an address. All patterns advance together from an address to those below it, so that
//! each address is visited once, however many patterns and steps can match it.

use std::collections::BTreeSet;

use hclkit_model::Expression;
use hclkit_model::path::{Position, Step as PathStep};

use super::Pattern;
use crate::step::Step;

/// What is at an address or in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// A module. `single` if the block that calls it is not repeated.
    Module { single: bool },
    /// The beginning of an address, such as `local`.
    Prefix,
    /// A block with instances.
    Repeated,
    /// A whole value. `single` if it is that of an object that is not repeated.
    Whole { single: bool },
    /// A part of a value.
    Part,
}

/// A pattern, and how many of its steps have matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State {
    pub(crate) pattern: usize,
    pub(crate) step: usize,
}

impl State {
    fn next(self) -> Self {
        Self { step: self.step + 1, ..self }
    }

    /// The next step to match.
    pub(super) fn wanted(self, patterns: &[Pattern]) -> Option<&PathStep> {
        patterns[self.pattern].steps().get(self.step)
    }

    /// The steps that are left.
    pub(super) fn rest(self, patterns: &[Pattern]) -> &[PathStep] {
        &patterns[self.pattern].steps()[self.step..]
    }

    /// Returns true if the next step is at any depth.
    pub(super) fn is_deep(self, patterns: &[Pattern]) -> bool {
        let steps = patterns[self.pattern].steps();
        let before = self.step.checked_sub(1).map(|before| &steps[before]);
        matches!(before, Some(PathStep::Deep)) || matches!(steps.get(self.step), Some(PathStep::Deep))
    }
}

/// How far patterns have matched.
#[derive(Clone, Debug, Default)]
pub(crate) struct States {
    /// The patterns of which steps are left, in order.
    pub(crate) open: Vec<State>,
    /// The patterns that select what is here, or everything below it.
    pub(crate) whole: Vec<usize>,
    /// True if there are no patterns: everything is selected.
    pub(crate) all: bool,
}

impl States {
    /// The states at the root module.
    pub(crate) fn of(patterns: &[Pattern]) -> Self {
        let open = (0..patterns.len()).map(|pattern| State { pattern, step: 0 }).collect();
        let states = Self { open, whole: Vec::new(), all: patterns.is_empty() };
        states.at(patterns, Node::Module { single: false }, &mut |_| false)
    }

    /// Returns true if nothing here and below is selected.
    pub(crate) fn is_empty(&self) -> bool {
        !self.all && self.open.is_empty() && self.whole.is_empty()
    }

    /// Returns true if what is here is selected.
    pub(crate) fn is_selected(&self) -> bool {
        self.all || !self.whole.is_empty()
    }

    /// Returns the states one step below a node. Numbered parts have a number, and the number of all parts with them. The
    /// caller must say what is [at](States::at) the new node.
    #[must_use]
    pub(crate) fn below(
        &self,
        patterns: &[Pattern],
        node: Node,
        step: &Step,
        number: Option<(usize, usize)>,
    ) -> Self {
        let in_value = matches!(node, Node::Whole { .. } | Node::Part);
        let mut below = Self { all: self.all && !in_value, ..Self::default() };
        if !in_value {
            below.whole.clone_from(&self.whole);
        }
        for state in &self.open {
            let matches = match state.wanted(patterns) {
                Some(PathStep::Deep | PathStep::Labels | PathStep::Predicate(_)) => {
                    below.open.push(*state);
                    continue;
                }
                Some(PathStep::Name(name)) => step.name().is_some_and(|own| name.matches(own)),
                Some(PathStep::Index(Position::Every)) => in_value || matches!(step, Step::Key(_)),
                Some(PathStep::Index(position)) => {
                    number.is_some_and(|(at, count)| position.of(count).contains(&at))
                }
                Some(PathStep::Argument(_) | PathStep::Part(_)) | None => false,
            };
            if matches {
                below.open.push(state.next());
            }
        }
        below
    }

    /// Takes the steps that match without going further down at a node. `is_true` evaluates predicates about it.
    #[must_use]
    pub(crate) fn at(
        self,
        patterns: &[Pattern],
        node: Node,
        is_true: &mut dyn FnMut(&Expression) -> bool,
    ) -> Self {
        let mut states = Self { open: Vec::new(), whole: self.whole, all: self.all };
        let mut left: BTreeSet<State> = self.open.into_iter().collect();
        while let Some(state) = left.pop_first() {
            let (stays, passes) = match (state.wanted(patterns), node) {
                (None, _) => {
                    if !states.whole.contains(&state.pattern) {
                        states.whole.push(state.pattern);
                    }
                    (false, false)
                }
                (Some(PathStep::Deep), _) => (true, true),
                // The remaining names are followed by the key of an instance.
                (Some(PathStep::Labels), Node::Prefix | Node::Repeated) => (true, false),
                (Some(PathStep::Labels), Node::Module { .. } | Node::Whole { .. }) => (false, true),
                (Some(PathStep::Labels), Node::Part) => (false, false),
                // A predicate about a block is one about each instance.
                (Some(PathStep::Predicate(_)), Node::Repeated) => (true, false),
                (Some(PathStep::Predicate(_)), Node::Prefix) => (false, false),
                (Some(PathStep::Predicate(predicate)), _) => (false, is_true(predicate)),
                // A block that is not repeated has one instance.
                (
                    Some(PathStep::Index(Position::Every)),
                    Node::Module { single: true } | Node::Whole { single: true },
                ) => (false, true),
                (Some(_), _) => (true, false),
            };
            if passes {
                left.insert(state.next());
            }
            if stays {
                states.open.push(state);
            }
        }
        states
    }
}
