//! The state of one conversion or unification: its mode, and the results for shared parts. A value or type can contain a
//! shared part exponentially many times, so each pair of parts is examined only once.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::error::Error;
use crate::types::{Anchor, anchor};
use crate::{Type, Value};

/// Whether conversions may lose information or fail for some values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Safe,
    Unsafe,
}

/// The two types of a question.
type Anchors = (Anchor, Anchor);

/// The mode, and the results so far.
pub(crate) struct Run {
    mode: Mode,
    /// Allocated on first use: most conversions involve no shared parts.
    found: RefCell<Option<Box<Memo>>>,
}

/// The results so far. Each entry keeps its types and values alive, so that their addresses are not reused.
#[derive(Default)]
struct Memo {
    exists: Answers<bool>,
    generality: Answers<i8>,
    filled: Answers<Type>,
    unified: HashMap<Vec<Anchor>, (Option<Type>, Vec<Type>)>,
    converted: HashMap<(*const (), Anchor), Converted>,
}

/// The result of converting a value, the value, and the target type.
type Converted = (Result<Value, Error>, Value, Type);

type Answers<A> = HashMap<Anchors, (A, [Type; 2])>;

/// Selects a table by the type of its answers.
trait Question: Clone {
    fn answers(found: &mut Memo) -> &mut Answers<Self>;
}

impl Question for bool {
    fn answers(found: &mut Memo) -> &mut Answers<Self> {
        &mut found.exists
    }
}

impl Question for i8 {
    fn answers(found: &mut Memo) -> &mut Answers<Self> {
        &mut found.generality
    }
}

impl Question for Type {
    fn answers(found: &mut Memo) -> &mut Answers<Type> {
        &mut found.filled
    }
}

// Questions do not recurse through closures, to keep stack frames small: there is one for each level of nesting.
impl Run {
    pub(crate) fn new(mode: Mode) -> Self {
        Self { mode, found: RefCell::new(None) }
    }

    pub(super) fn is(&self, mode: Mode) -> bool {
        self.mode == mode
    }

    /// The earlier answer for two types.
    #[allow(private_bounds, reason = "only the types in this file implement it")]
    pub(super) fn found<A: Question>(&self, a: &Type, b: &Type) -> Option<A> {
        let places = places(a, b)?;
        let mut found = self.found.borrow_mut();
        A::answers(found.as_mut()?).get(&places).map(|(answer, _)| answer.clone())
    }

    /// Records and returns the answer for two types.
    #[allow(private_bounds, reason = "only the types in this file implement it")]
    pub(super) fn keep<A: Question>(&self, a: &Type, b: &Type, answer: A) -> A {
        if let Some(places) = places(a, b) {
            let mut found = self.found.borrow_mut();
            let answers = A::answers(found.get_or_insert_default());
            answers.insert(places, (answer.clone(), [a.clone(), b.clone()]));
        }
        answer
    }

    /// The earlier result of unifying several types. The inner `None` means that there was no common type.
    #[allow(clippy::option_option, reason = "the outer one is for the lookup, the inner one is the answer")]
    pub(super) fn unified(&self, types: &[Type]) -> Option<Option<Type>> {
        let found = self.found.borrow();
        let places = places_of(types)?;
        found.as_ref()?.unified.get(&places).map(|(unified, _)| unified.clone())
    }

    pub(super) fn keep_unified(&self, types: &[Type], unified: Option<Type>) -> Option<Type> {
        if let Some(places) = places_of(types) {
            let kept = (unified.clone(), types.to_vec());
            self.found.borrow_mut().get_or_insert_default().unified.insert(places, kept);
        }
        unified
    }

    /// The earlier result of converting a value. Only results for shared values are kept.
    pub(super) fn converted(&self, value: &Value, to: &Type) -> Option<Result<Value, Error>> {
        let found = self.found.borrow();
        let places = (value.deep_place()?, anchor(to));
        found.as_ref()?.converted.get(&places).map(|(converted, ..)| converted.clone())
    }

    pub(super) fn keep_converted(&self, value: &Value, to: &Type, converted: &Result<Value, Error>) {
        if let Some(at) = value.deep_place() {
            let kept = (converted.clone(), value.clone(), to.clone());
            self.found.borrow_mut().get_or_insert_default().converted.insert((at, anchor(to)), kept);
        }
    }
}

/// The addresses of two types, if the question may come up again and a lookup is cheaper than answering it again.
fn places(a: &Type, b: &Type) -> Option<Anchors> {
    (a.is_deep() || b.is_deep()).then(|| (anchor(a), anchor(b)))
}

fn places_of(types: &[Type]) -> Option<Vec<Anchor>> {
    types.iter().any(Type::is_deep).then(|| types.iter().map(anchor).collect())
}
