//! The attributes of a body and of the blocks in it: all of them evaluated, in source order.

use std::collections::HashMap;

use hclkit::ast::BodyNode;
use hclkit::syntax::NodeId;
use hclkit::{Diagnostics, Expression};

use super::address;
use super::compute::{Computed, compute, rewrite};
use super::explain_all;
use super::write::Writer;
use crate::args::Eval;
use crate::outcome::CommandError;
use crate::scope::Scope;

/// The values of attributes, by the nodes of their expressions.
pub(super) type Values = HashMap<NodeId, Computed>;

pub(super) fn evaluate(
    command: &Eval,
    scope: &Scope,
    writer: &Writer,
    body: BodyNode<'_>,
) -> Result<(), CommandError> {
    let attributes = address::attributes(body);
    if command.explain {
        let named = attributes
            .iter()
            .map(|placed| (placed.address(), Expression::from_ast(placed.attribute.value())));
        return explain_all(scope, named);
    }
    let rewrites = writer.rewrites(body.document(), body);
    let values = scope.run(|_| {
        let (mut values, mut problems) = (Values::new(), Diagnostics::new());
        let expressions: Vec<(NodeId, Expression)> = attributes
            .iter()
            .map(|placed| placed.attribute.value())
            .map(|value| (value.id(), Expression::from_ast(value)))
            .collect();
        let context =
            scope.seen_by_all(expressions.iter().map(|(_, expression)| expression), command.partial);
        for (id, expression) in expressions {
            let compute = if rewrites { rewrite } else { compute };
            match compute(command, &context, &expression) {
                Ok(computed) => _ = values.insert(id, computed),
                Err(found) => problems.append(found),
            }
        }
        if problems.has_errors() { Err(problems) } else { Ok(values) }
    })?;
    scope.write(values.values().filter_map(Computed::value), || {
        writer.check_all(&attributes, &values)?;
        writer.body(body.document(), body, &values)
    })
}
