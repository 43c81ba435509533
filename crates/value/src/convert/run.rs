//! One conversion or unification: what is allowed in it, and what was found of shared parts. A value of few parts can hold
//! each of them in more places than can be counted, and so can a type: each pair of them is looked at once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::path::Error;
use crate::{Type, Value};

/// Whether conversions may lose something or fail for some values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Safe,
    Unsafe,
}

/// Where a type lies in memory. Those without parts lie nowhere.
pub(crate) type Place = (u8, *const ());

/// Two types that something is asked about.
type Places = (Place, Place);

/// What is allowed, and what was found.
pub(crate) struct Run {
    mode: Mode,
    /// Made when it is first needed: most conversions have nothing that is shared.
    found: RefCell<Option<Box<Found>>>,
}

/// What was found before. Each answer keeps what was asked about, so that nothing else comes to lie in its place.
#[derive(Default)]
struct Found {
    exists: Answers<bool>,
    generality: Answers<i8>,
    filled: Answers<Type>,
    unified: HashMap<Vec<Place>, (Option<Type>, Vec<Type>)>,
    converted: HashMap<(*const (), Place), Converted>,
}

/// What became of a value, the value, and the type that was wanted.
type Converted = (Result<Value, Error>, Value, Type);

type Answers<A> = HashMap<Places, (A, [Type; 2])>;

/// Which answers are meant.
trait Question: Clone {
    fn answers(found: &mut Found) -> &mut Answers<Self>;
}

impl Question for bool {
    fn answers(found: &mut Found) -> &mut Answers<bool> {
        &mut found.exists
    }
}

impl Question for i8 {
    fn answers(found: &mut Found) -> &mut Answers<i8> {
        &mut found.generality
    }
}

impl Question for Type {
    fn answers(found: &mut Found) -> &mut Answers<Type> {
        &mut found.filled
    }
}

// Without closures between a question and those about its parts: values are nested, and each level takes its share of the
// stack.
impl Run {
    pub(crate) fn new(mode: Mode) -> Run {
        Run { mode, found: RefCell::new(None) }
    }

    pub(super) fn is(&self, mode: Mode) -> bool {
        self.mode == mode
    }

    /// What was found of two types before.
    #[allow(private_bounds, reason = "there are three questions")]
    pub(super) fn found<A: Question>(&self, a: &Type, b: &Type) -> Option<A> {
        let places = places(a, b)?;
        let mut found = self.found.borrow_mut();
        A::answers(found.as_mut()?).get(&places).map(|(answer, _)| answer.clone())
    }

    /// Keeps what was found of two types.
    #[allow(private_bounds, reason = "there are three questions")]
    pub(super) fn keep<A: Question>(&self, a: &Type, b: &Type, answer: A) -> A {
        if let Some(places) = places(a, b) {
            let mut found = self.found.borrow_mut();
            let answers = A::answers(found.get_or_insert_default());
            answers.insert(places, (answer.clone(), [a.clone(), b.clone()]));
        }
        answer
    }

    /// What several types were unified to before: nothing, if that was not possible.
    #[allow(clippy::option_option, reason = "one for whether it was asked, one for the answer")]
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

    /// What became of a value before. It is asked again only of what something else holds, too.
    pub(super) fn converted(&self, value: &Value, to: &Type) -> Option<Result<Value, Error>> {
        let found = self.found.borrow();
        let places = (value.deep_place()?, place(to));
        found.as_ref()?.converted.get(&places).map(|(converted, ..)| converted.clone())
    }

    pub(super) fn keep_converted(&self, value: &Value, to: &Type, converted: &Result<Value, Error>) {
        if let Some(at) = value.deep_place() {
            let kept = (converted.clone(), value.clone(), to.clone());
            self.found.borrow_mut().get_or_insert_default().converted.insert((at, place(to)), kept);
        }
    }
}

/// Where two types lie, if it may be asked about them again, and they are not sooner gone through than looked for.
fn places(a: &Type, b: &Type) -> Option<Places> {
    (is_deep(a) || is_deep(b)).then(|| (place(a), place(b)))
}

fn places_of(types: &[Type]) -> Option<Vec<Place>> {
    types.iter().any(is_deep).then(|| types.iter().map(place).collect())
}

/// Whether a type may hold parts many times over: others are sooner gone through than looked for.
fn is_deep(ty: &Type) -> bool {
    let compound = |part: &Type| part.is_structural() || part.is_collection();
    match ty {
        Type::Tuple(tuple) => tuple.elements().iter().any(compound),
        Type::Object(object) => object.types().iter().any(compound),
        _ => false,
    }
}

pub(crate) fn place(ty: &Type) -> Place {
    match ty {
        Type::Dynamic => (0, std::ptr::null()),
        Type::String => (1, std::ptr::null()),
        Type::Number => (2, std::ptr::null()),
        Type::Bool => (3, std::ptr::null()),
        Type::List(element) => (4, Arc::as_ptr(element).cast()),
        Type::Set(element) => (5, Arc::as_ptr(element).cast()),
        Type::Map(element) => (6, Arc::as_ptr(element).cast()),
        Type::Tuple(tuple) => (7, Arc::as_ptr(tuple).cast()),
        Type::Object(object) => (8, Arc::as_ptr(object).cast()),
        Type::Capsule(capsule) => (9, capsule.place()),
    }
}
