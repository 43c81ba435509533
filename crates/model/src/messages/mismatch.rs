//! Explanations of why two types have no type in common.

use hclkit_value::{Type, unify_unsafely};

/// How the types of the results of a conditional differ, as the end of a sentence.
pub(crate) fn difference(first: &Type, second: &Type) -> String {
    reason(first, second, "", 8)
}

/// Describes the innermost place at which the types differ, as the end of a sentence.
fn reason(first: &Type, second: &Type, at: &str, depth: u32) -> String {
    let of = if at.is_empty() { String::new() } else { format!(" at `{at}`") };
    match (first, second) {
        _ if depth == 0 => {}
        (Type::Object(a), Type::Object(b)) => {
            let lacking = |has: &hclkit_value::ObjectType, lacks: &hclkit_value::ObjectType| {
                has.names().iter().find(|name| lacks.get(name).is_none()).cloned()
            };
            if let Some(name) = lacking(a, b) {
                return format!("only the true result{of} has the attribute `{name}`");
            }
            if let Some(name) = lacking(b, a) {
                return format!("only the false result{of} has the attribute `{name}`");
            }
            for (name, own) in a.attributes() {
                let Some(other) = b.get(name) else { continue };
                if !fit(own, other) {
                    return reason(own, other, &format!("{at}.{name}"), depth - 1);
                }
            }
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            let (a, b) = (a.elements(), b.elements());
            if a.len() != b.len() {
                return format!(
                    "the true result{of} has {}, and the false result has {}",
                    count(a.len(), "element"),
                    count(b.len(), "element")
                );
            }
            if let Some((place, (own, other))) =
                a.iter().zip(b).enumerate().find(|(_, (own, other))| !fit(own, other))
            {
                return reason(own, other, &format!("{at}[{place}]"), depth - 1);
            }
        }
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
            return reason(a, b, &format!("{at}[…]"), depth - 1);
        }
        _ => {}
    }
    format!(
        "the true result{of} is {}, and the false result is {}",
        with_article(first),
        with_article(second)
    )
}

/// The name of a type for use in a sentence.
pub(crate) fn with_article(ty: &Type) -> String {
    let name = ty.friendly_name();
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    match ty {
        Type::Dynamic => "of an unknown type".to_owned(),
        _ => format!("{article} {name}"),
    }
}

fn fit(first: &Type, second: &Type) -> bool {
    unify_unsafely(&[first.clone(), second.clone()]).is_some()
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("one {what}") } else { format!("{number} {what}s") }
}
