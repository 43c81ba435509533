//! Explanations as trees. What is sensitive is neither in their values nor in their source texts.

use std::rc::Rc;
use std::sync::Arc;

use hclkit::Source;
use hclkit::limits::with_room;
use hclkit::model::{Explanation, Withheld};
use hclkit::module::{Derivation, Derivations};
use serde::Serialize;

use crate::failure::{DiagnosticJson, list};
use crate::place::{Places, Ranged};

/// How many characters of a value are shown.
const MOST_VALUE: usize = 400;
/// How many bytes of a source text are shown.
const MOST_SOURCE: usize = 400;

/// A part of an explanation.
#[derive(Serialize)]
pub(crate) struct Explained {
    text: String,
    range: Ranged,
    value: String,
    note: Option<String>,
    errors: Vec<DiagnosticJson>,
    parts: Vec<Explained>,
    omitted: usize,
}

/// The source of a part, and what of it must not be shown.
#[derive(Clone)]
struct Shown {
    source: Arc<Source>,
    withheld: Rc<Withheld>,
}

impl Explained {
    /// The explanation of an expression.
    pub(crate) fn of(expression: &hclkit::Expression, explanation: &Explanation) -> Self {
        let source = expression.place().source;
        let shown = Shown { source, withheld: Rc::new(Withheld::of_expression(expression)) };
        Self::part(&shown, explanation, &mut Places::default())
    }

    fn part(shown: &Shown, explanation: &Explanation, places: &mut Places) -> Self {
        let inner = |part: &Explanation, places: &mut Places| match &part.source {
            None => Self::part(shown, part, places),
            Some(source) => {
                let withheld = Rc::new(Withheld::of_template(source));
                Self::part(&Shown { source: source.clone(), withheld }, part, places)
            }
        };
        Self {
            text: shown.withheld.beginning(&shown.source, explanation.span, MOST_SOURCE).into_owned(),
            range: places.range(&shown.source, explanation.span),
            value: explanation.value.show().with_limit(MOST_VALUE).to_string(),
            note: explanation.note.clone(),
            errors: list(&explanation.errors),
            parts: explanation.parts.iter().map(|part| with_room(|| inner(part, places))).collect(),
            omitted: explanation.omitted,
        }
    }
}

/// How the value of an address is computed.
#[derive(Serialize)]
struct Derived {
    address: String,
    value: String,
    sensitive: bool,
    cause: String,
    range: Option<Ranged>,
    explanation: Option<Explained>,
    uses: Vec<String>,
}

/// How values of a module are computed.
#[derive(Serialize)]
pub(crate) struct DerivedAll {
    all: Vec<Derived>,
    omitted: bool,
    diagnostics: Vec<DiagnosticJson>,
}

impl DerivedAll {
    pub(crate) fn of(found: &Derivations) -> Self {
        let mut places = Places::default();
        Self {
            all: found.all.iter().map(|one| derived(one, &mut places)).collect(),
            omitted: found.omitted,
            diagnostics: list(&found.diagnostics),
        }
    }
}

fn derived(one: &Derivation, places: &mut Places) -> Derived {
    let shown = || one.value.show().with_limit(MOST_VALUE).to_string();
    Derived {
        address: one.address.to_string(),
        value: if one.sensitive { "(sensitive)".to_owned() } else { shown() },
        sensitive: one.sensitive,
        cause: one.cause.to_string(),
        range: one.place.as_ref().map(|place| places.range(&place.source, place.span)),
        explanation: one.expression.as_ref().map(|(expression, how)| Explained::of(expression, how)),
        uses: one.uses.iter().map(ToString::to_string).collect(),
    }
}
