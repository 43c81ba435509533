//! The parts of values that patterns select, such as `local.users[*].name`.

use hclkit_limits::{Meter, with_room};
use hclkit_model::path::{Position, Step as PathStep};
use hclkit_model::{Context, Diagnostics, Expression};
use hclkit_syntax::is_identifier;
use hclkit_value::{Name, Str, Type, Value};

use super::states::{Node, State, States};
use super::{Pattern, exact, is_true};
use crate::module::select;
use crate::step::Step;

/// A selected part of a value.
pub(crate) struct SelectedPart {
    pub(crate) steps: Vec<Step>,
    /// The patterns that select it.
    pub(crate) patterns: Vec<usize>,
}

/// The parts that patterns select below a whole value. The keys of marked values are not shown: such a value is selected as
/// a whole by a step that could match several keys. The context has the functions for predicates.
pub(crate) fn parts(
    patterns: &[Pattern],
    states: &States,
    single: bool,
    value: &Value,
    context: &Context,
    errors: &mut Diagnostics,
) -> Vec<SelectedPart> {
    let mut search = Search { patterns, context, errors, at: Vec::new(), found: Vec::new() };
    search.below(states, Node::Whole { single }, value);
    search.found
}

impl Pattern {
    /// Follows the pattern into a value, starting at step `from`. Returns the path to the selected part and the part
    /// itself. Returns `None` if the part does not exist or if the pattern can select more than one part.
    pub(crate) fn part(&self, from: usize, value: &Value) -> Option<(Vec<Step>, Value)> {
        let (mut value, mut part) = (value.clone(), Vec::new());
        for step in &self.steps()[from..] {
            let own = match step {
                PathStep::Index(position @ Position::At(..0)) => {
                    if !value.is_known() || value.is_marked() {
                        // The number of elements is not shown.
                        return Some((part, value));
                    }
                    let own = position.of(value.as_slice().map_or(0, <[Value]>::len)).next()?;
                    Step::Key(Value::from(i64::try_from(own).ok()?))
                }
                step => exact(step)?,
            };
            // What a caller wrote as an address stays as it is.
            let is_open = value.is_known() && !value.is_marked();
            let own = if is_open && !self.is_exact() { normal(&value, own) } else { own };
            value = select(&value, std::slice::from_ref(&own))?;
            part.push(own);
        }
        Some((part, value))
    }

    /// Returns the steps from step `from` on as steps of an address, if they select the same part of every value.
    pub(crate) fn fixed(&self, from: usize) -> Option<Vec<Step>> {
        let is_fixed = |step: &&PathStep| !matches!(step, PathStep::Index(Position::At(..0)));
        self.steps()[from..].iter().map(|step| Some(step).filter(is_fixed).and_then(exact)).collect()
    }
}

impl State {
    /// Returns true if the remaining steps select at most one part of a value.
    pub(crate) fn is_exact(self, patterns: &[Pattern]) -> bool {
        !self.is_deep(patterns) && self.rest(patterns).iter().all(super::is_exact)
    }
}

/// How many steps of an evaluation a visit of an element takes, in addition to one for each pattern.
const ELEMENT_STEPS: usize = 16;

struct Search<'p> {
    patterns: &'p [Pattern],
    context: &'p Context,
    /// Errors of predicates.
    errors: &'p mut Diagnostics,
    at: Vec<Step>,
    found: Vec<SelectedPart>,
}

impl Search<'_> {
    /// Adds what patterns select below a value. After `..`, unknown values have no parts, because they could have any.
    fn below(&mut self, states: &States, node: Node, value: &Value) {
        if states.open.is_empty() {
            return;
        }
        let (bare, marks) = value.unmark();
        let is_open = bare.is_known() && marks.is_empty();
        let is_any = is_open && states.open.iter().any(|state| self.key(*state).is_none());
        // A value can contain a shared part many times.
        let count = if is_any { bare.parts().len() + 1 } else { 1 };
        if Meter::current().take_steps((count * (ELEMENT_STEPS + states.open.len())) as u64).is_err() {
            return;
        }
        if is_any {
            for Element { step, number, value } in elements(&bare) {
                let states = states.below(self.patterns, node, &step, number);
                self.part(step, states, value);
            }
            return;
        }
        let mut several = Vec::new();
        let mut keys: Vec<(Step, States)> = Vec::new();
        for state in &states.open {
            match self.key(*state) {
                _ if !is_open && state.is_deep(self.patterns) => {}
                None => several.push(state.pattern),
                Some(key) => {
                    let key = if is_open { normal(&bare, key) } else { key };
                    let next = State { step: state.step + 1, ..*state };
                    match keys.iter_mut().find(|(own, _)| *own == key) {
                        Some((_, states)) => states.open.push(next),
                        None => keys.push((key, States { open: vec![next], ..States::default() })),
                    }
                }
            }
        }
        self.add(several);
        for (key, states) in keys {
            if let Some(inner) = select(value, std::slice::from_ref(&key)) {
                self.part(key, states, &inner);
            }
        }
    }

    fn part(&mut self, step: Step, states: States, value: &Value) {
        if states.open.is_empty() {
            return;
        }
        self.at.push(step);
        let (context, errors) = (self.context, &mut *self.errors);
        let is_true = &mut |predicate: &Expression| is_true(predicate, value, context, errors);
        let states = states.at(self.patterns, Node::Part, is_true);
        self.add(states.whole.clone());
        with_room(|| self.below(&states, Node::Part, value));
        self.at.pop();
    }

    /// The only key that the next step can match.
    fn key(&self, state: State) -> Option<Step> {
        match state.wanted(self.patterns)? {
            PathStep::Index(Position::At(..0)) => None,
            step => exact(step),
        }
    }

    fn add(&mut self, patterns: Vec<usize>) {
        if !patterns.is_empty() && Meter::current().take_elements(self.at.len() + 1).is_ok() {
            self.found.push(SelectedPart { steps: self.at.clone(), patterns });
        }
    }
}

impl Step {
    /// The name or the key, if it is text.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Key(key) => key.as_str(),
        }
    }
}

/// The step as addresses have it: attributes of objects are names if they are identifiers.
fn normal(value: &Value, step: Step) -> Step {
    match step.name() {
        Some(name) => named(value, name),
        None => step,
    }
}

fn named(value: &Value, name: &str) -> Step {
    let is_name = value.as_object().is_some() && is_identifier(name);
    if is_name { Step::Name(Name::from(name)) } else { Step::Key(Value::from(name)) }
}

/// An element of a value.
struct Element<'v> {
    step: Step,
    /// The number of an element without a name, and how many there are.
    number: Option<(usize, usize)>,
    value: &'v Value,
}

/// The elements of a value. Those of sets have no steps.
fn elements(of: &Value) -> Vec<Element<'_>> {
    if let Some(entries) = of.entries() {
        let element =
            |(name, value): (&Str, _)| Element { step: named(of, name.as_str()), number: None, value };
        return entries.map(element).collect();
    }
    if matches!(of.ty(), Type::Set(_)) {
        return Vec::new();
    }
    let all = of.as_slice().unwrap_or_default();
    let key = |at: usize| Step::Key(Value::from(i64::try_from(at).unwrap_or(i64::MAX)));
    let element = |(at, value)| Element { step: key(at), number: Some((at, all.len())), value };
    all.iter().enumerate().map(element).collect()
}
