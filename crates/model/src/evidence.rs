//! The evidence of diagnostics about evaluation: the values that the expression refers to, shortened. Marked values are
//! never shown.

use std::sync::Arc;

use hclkit_syntax::{Evidence, Source};
use hclkit_value::{Kind as ValueKind, Value};

use crate::Context;
use crate::eval::{Locals, attribute, index};
use crate::node::{Access, Base, Node, Step, StepKind};

/// The maximum number of values for one diagnostic.
const MOST: usize = 6;
/// The maximum length of each value in characters.
const LENGTH: usize = 120;

/// The values that nodes refer to.
pub(crate) fn gather(
    context: &Context,
    locals: &Locals,
    source: Option<&Arc<Source>>,
    nodes: &[&Node],
) -> Vec<Evidence> {
    let mut found: Vec<Evidence> = Vec::new();
    for node in nodes {
        node.each_access(&mut |access| {
            if found.len() < MOST
                && let Some(evidence) = of_traversal(context, locals, source, access, access.traversal_len())
                && !found.contains(&evidence)
            {
                found.push(evidence);
            }
        });
    }
    found
}

/// The value that a step was taken from.
pub(crate) fn of_access(
    context: &Context,
    locals: &Locals,
    source: Option<&Arc<Source>>,
    access: &Access,
    step: &Step,
) -> Vec<Evidence> {
    let before = access.steps.iter().take_while(|other| other.span != step.span).count();
    let mut found: Vec<Evidence> =
        of_traversal(context, locals, source, access, before).into_iter().collect();
    if let StepKind::Index(key) = &step.kind {
        found.extend(gather(context, locals, source, &[key]));
    }
    found
}

fn of_traversal(
    context: &Context,
    locals: &Locals,
    source: Option<&Arc<Source>>,
    access: &Access,
    steps: usize,
) -> Option<Evidence> {
    let value = value_after(context, locals, access, steps)?;
    let expression = source?.slice(access.span_of(steps)).to_owned();
    Some(Evidence::new(expression, describe(&value)))
}

/// The value of a base with its first steps, if it has one, with the marks of the values that contain it.
pub(crate) fn value_after(
    context: &Context,
    locals: &Locals,
    access: &Access,
    steps: usize,
) -> Option<Value> {
    let mut value = match &access.base {
        Base::Variable(name) => context.variable(name)?.clone().with_marks(&context.hidden(name)),
        Base::Local { slot, .. } => locals.get(*slot)?.clone().with_marks(&locals.hidden(*slot)),
        Base::Element { .. } | Base::Node(_) => return None,
    };
    for step in &access.steps[..steps] {
        value = match &step.kind {
            StepKind::Attribute(_, name) => attribute(&value, name).ok()?,
            StepKind::Key(key) => index(&value, key).ok()?,
            StepKind::Index(_) => return None,
        };
    }
    Some(value)
}

/// A short form of a value.
fn describe(value: &Value) -> String {
    match value.kind() {
        ValueKind::Tuple(_)
        | ValueKind::Object(_)
        | ValueKind::List(_)
        | ValueKind::Set(_)
        | ValueKind::Map(_) => {
            format!("{} {}", value.ty().friendly_name(), value.show().with_limit(LENGTH))
        }
        _ => value.show().with_limit(LENGTH).to_string(),
    }
}
