//! Renders where the values of a module come from: each address with its value, its origin, and how its expression is
//! computed.

use std::fmt::Write as _;

use hclkit_model::Withheld;
use hclkit_module::{Cause, Derivation, Derivations};
use hclkit_syntax::visible_line;

use super::{explanation, shown_name};

/// The width of the indentation below an address.
const INDENT: usize = 2;

/// See [`Renderer::derivations`](super::Renderer::derivations).
pub(super) fn derivations(derivations: &Derivations, width: usize, color: bool) -> String {
    let mut text = String::new();
    for (at, derivation) in derivations.all.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        one(derivation, width, color, &mut text);
    }
    if derivations.omitted {
        text.push_str("\n…\n");
    }
    text
}

fn one(derivation: &Derivation, width: usize, color: bool, text: &mut String) {
    let address = visible_line(&derivation.address);
    let (bold, plain) = if color { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    let _ = write!(text, "{bold}{address}{plain} = ");
    if derivation.sensitive {
        text.push_str("(sensitive)");
    } else {
        let room = width.saturating_sub(address.chars().count() + " = ".len()).max(40);
        let _ = write!(text, "{}", derivation.value.show().with_color(color).with_limit(room));
    }
    text.push('\n');
    let place = derivation.place.as_ref().map(|place| {
        let start = place.range().start;
        format!("{}:{}:{}", shown_name(&place.source), start.line, start.column)
    });
    let cause = visible_line(&derivation.cause.to_string()).into_owned();
    let _ = match (place, &derivation.cause) {
        (Some(place), Cause::Expression) => writeln!(text, "{:INDENT$}{place}", ""),
        (Some(place), _) => writeln!(text, "{:INDENT$}{place}: {cause}", ""),
        (None, _) => writeln!(text, "{:INDENT$}{cause}", ""),
    };
    let Some((expression, how)) = &derivation.expression else { return };
    // A literal adds nothing to its value.
    let literal = how.parts.is_empty() && how.errors.is_empty() && expression.variables().is_empty();
    if literal && how.value.is_known() {
        return;
    }
    // A reference to a value that contains this one; the whole value may be large.
    if how.parts.is_empty() && how.errors.is_empty() && how.value != derivation.value {
        let source =
            Withheld::of_expression(expression).text(expression.source(), expression.span()).into_owned();
        let _ = writeln!(text, "{:INDENT$}{}", "", visible_line(&source));
        return;
    }
    for line in explanation(expression, how, width.saturating_sub(INDENT), color).lines() {
        let _ = writeln!(text, "{:INDENT$}{line}", "");
    }
}
