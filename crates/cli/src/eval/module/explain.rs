//! `hcl eval DIR ADDRESS --explain`: where values come from, as text or as JSON.

use std::rc::Rc;
use std::sync::Arc;

use hclkit::convert::Json;
use hclkit::limits::Meter;
use hclkit::model::{Explanation, Withheld};
use hclkit::module::{Derivation, Module, Pattern};
use hclkit::render::Renderer;
use hclkit::{Diagnostics, Expression};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::args::{Eval, Output};
use crate::host;
use crate::outcome::{CommandError, Failure};
use crate::output::{MAX_EXPLANATION, warn};
use crate::values::{DisplayedJson, Printer, SENSITIVE};

/// The maximum number of characters of a subexpression to write.
const MOST_SOURCE: usize = 200;

/// Writes where the values at addresses come from. The result is the errors and warnings.
pub(super) fn explain(
    command: &Eval,
    module: &Module,
    patterns: &[Pattern],
) -> Result<Diagnostics, CommandError> {
    let explained = module.explain(patterns);
    let printer = Printer::new(&command.destination, command.spacing).after(&explained.diagnostics);
    match command.output() {
        None | Some(Output::Hcl) => {
            let renderer = Renderer::colored().with_width(host::stdout_width().min(MAX_EXPLANATION));
            let text = renderer.derivations(&explained);
            let meter = Meter::current();
            if meter.exceeded().is_none() {
                meter.take_bytes(text.len()).map_err(|exceeded| Failure::new(exceeded.to_string()))?;
            }
            printer.styled(&text)?;
        }
        Some(Output::Json) => {
            let all: Vec<Written> = explained.all.iter().map(Written).collect();
            printer.json(&all)?;
        }
        Some(_) => {
            return Err(Failure::new("--explain supports only --output hcl and --output json").into());
        }
    }
    if explained.omitted && Meter::current().exceeded().is_none() {
        warn(format!("only the first {} values are explained", explained.all.len()));
    }
    super::check_matches(command, patterns, &explained.unmatched, &explained.diagnostics)?;
    Ok(explained.diagnostics)
}

fn text(text: impl Into<String>) -> Json {
    Json::String(text.into())
}

/// A derivation as JSON. Its value is written without a tree of JSON.
struct Written<'a>(&'a Derivation);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(derivation) = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("address", derivation.address.as_str())?;
        if derivation.is_sensitive() {
            map.serialize_entry("value", SENSITIVE)?;
        } else {
            map.serialize_entry("value", &DisplayedJson(&derivation.value))?;
        }
        map.serialize_entry("cause", &derivation.cause.to_string())?;
        if derivation.is_sensitive() {
            map.serialize_entry("sensitive", &true)?;
        }
        if let Some(place) = &derivation.place {
            let start = place.range().start;
            map.serialize_entry("file", place.source.name())?;
            map.serialize_entry("line", &start.line)?;
            map.serialize_entry("column", &start.column)?;
        }
        if let Some((expression, explanation)) = &derivation.expression {
            let mut steps = Vec::new();
            parts(expression, explanation, &mut steps);
            map.serialize_entry("steps", &steps)?;
        }
        let uses: Vec<&str> = derivation.uses.iter().map(hclkit::module::Address::as_str).collect();
        map.serialize_entry("uses", &uses)?;
        map.end()
    }
}

/// The subexpressions in the order of the tree, each with its depth.
fn parts(expression: &Expression, explanation: &Explanation, steps: &mut Vec<Json>) {
    let whole = Rc::new(Withheld::of_expression(expression));
    let mut open = vec![(explanation, expression.source(), whole, 0_u32)];
    while let Some((own, around, around_withheld, depth)) = open.pop() {
        let (source, withheld) = match &own.source {
            // The whole expression has its own source, too.
            Some(source) if !Arc::ptr_eq(source, around) => (source, Rc::new(Withheld::of_template(source))),
            _ => (around, around_withheld),
        };
        let written = withheld.beginning(source, own.span, 8 * MOST_SOURCE);
        let mut characters = written.chars();
        let mut shown: String = characters.by_ref().take(MOST_SOURCE).collect();
        if characters.next().is_some() {
            shown.push('…');
        }
        let mut object = vec![
            ("depth".to_owned(), Json::Number(depth.to_string())),
            ("text".to_owned(), text(shown)),
            ("value".to_owned(), text(own.value.show().with_limit(MOST_SOURCE).to_string())),
        ];
        if let Some(note) = &own.note {
            object.push(("note".to_owned(), text(&**note)));
        }
        if let Some(error) = own.errors.first() {
            object.push(("error".to_owned(), text(error.note())));
        }
        steps.push(Json::Object(object.into_iter().collect()));
        open.extend(own.parts.iter().rev().map(|part| (part, source, withheld.clone(), depth + 1)));
    }
}
