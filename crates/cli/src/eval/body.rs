//! The attributes of a body and of the blocks in it: all of them evaluated, in source order.

use std::collections::HashMap;
use std::sync::Arc;

use hclkit::ast::{Attribute, Body};
use hclkit::syntax::NodeId;
use hclkit::{Diagnostics, Document, Expression};

use super::address;
use super::write::{Computed, Writer};
use super::{compute, explain_all};
use crate::args::Eval;
use crate::scope::{Halt, Scope};

/// What attributes are worth, by the nodes of their expressions.
pub(super) type Values = HashMap<NodeId, Computed>;

pub(super) fn evaluate(
    command: &Eval,
    scope: &Scope,
    writer: &Writer,
    document: &Arc<Document>,
    body: Body<'_>,
) -> Result<(), Halt> {
    let attributes = address::attributes(body);
    if command.explain {
        let expression = |attribute: Attribute<'_>| Expression::at(document, attribute.value().id());
        let named = attributes.into_iter().map(|(address, attribute)| (address, expression(attribute)));
        return explain_all(scope, named);
    }
    let values = scope.run(|_| {
        let (mut values, mut problems) = (Values::new(), Diagnostics::new());
        for (_, attribute) in &attributes {
            let id = attribute.value().id();
            match compute(command, scope, &Expression::at(document, id)) {
                Ok(computed) => _ = values.insert(id, computed),
                Err(found) => problems.append(found),
            }
        }
        if problems.has_errors() { Err(problems) } else { Ok(values) }
    })?;
    writer.check_all(&attributes, &values)?;
    writer.body(document, body, &values)
}
