//! Reading the parts of `#[hcl(…)]`. Errors say what to write.

use hclkit_syntax::or_did_you_mean;
use syn::meta::ParseNestedMeta;
use syn::parse::Parse;
use syn::{Error, Expr, Ident, LitStr, Result, Token};

/// The name of an attribute.
pub(crate) fn name(meta: &ParseNestedMeta) -> String {
    meta.path.get_ident().map(Ident::to_string).unwrap_or_default()
}

/// An attribute without a value, such as `block`.
pub(crate) fn flag(meta: &ParseNestedMeta) -> Result<bool> {
    if meta.input.peek(Token![=]) || meta.input.peek(syn::token::Paren) {
        return Err(meta.error(format!("`{0}` has no value; write only `{0}`", name(meta))));
    }
    Ok(true)
}

/// An attribute whose value is a text, such as `rename = "name"`.
pub(crate) fn text(meta: &ParseNestedMeta) -> Result<LitStr> {
    let name = name(meta);
    if !meta.input.peek(Token![=]) {
        return Err(meta.error(format!("missing value; write `{name} = \"…\"`")));
    }
    let value = meta.value()?;
    let more = if name == "alias" { ", and repeat it for further names" } else { "" };
    let wrong = || value.error(format!("expected text in quotes; write `{name} = \"…\"`{more}"));
    if value.peek(LitStr) { value.parse() } else { Err(wrong()) }
}

/// An attribute whose value is a path, such as `validate = check`.
pub(crate) fn path<T: Parse>(meta: &ParseNestedMeta) -> Result<T> {
    let name = name(meta);
    if !meta.input.peek(Token![=]) {
        return Err(meta.error(format!("missing value; write `{name} = path`")));
    }
    let value = meta.value()?;
    if value.peek(LitStr) {
        let text: LitStr = value.parse()?;
        let message = format!("expected a path; write `{name} = {}` without quotes", text.value());
        return Err(Error::new(text.span(), message));
    }
    value.parse()
}

/// An attribute whose value is a range.
pub(crate) fn range(meta: &ParseNestedMeta) -> Result<Expr> {
    let value: Expr = meta.value()?.parse()?;
    match value {
        Expr::Lit(_) => {
            Err(Error::new_spanned(value, "expected a range; write for example `range = 1..=10`"))
        }
        _ => Ok(value),
    }
}

/// An error about an attribute that does not exist. `instead` is what to write instead, if other libraries have it.
pub(crate) fn unknown(meta: &ParseNestedMeta, instead: Option<&str>, known: &[&str]) -> Error {
    let name = name(meta);
    let near = || known.iter().map(|known| (distance(&name, known), *known)).min();
    meta.error(match (instead, near()) {
        (Some(instead), _) => format!("unknown attribute; {instead}"),
        (None, Some((distance, near))) if distance <= 2 && near.len() > 3 => {
            format!("unknown attribute{}", or_did_you_mean(Some(near)))
        }
        _ => {
            let known: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
            format!("unknown attribute; expected one of {}", known.join(", "))
        }
    })
}

/// How many characters must be inserted, removed or replaced.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, from) in one.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (to, expected) in other.bytes().enumerate() {
            let replaced = diagonal + usize::from(from != expected);
            diagonal = row[to + 1];
            row[to + 1] = replaced.min(diagonal + 1).min(row[to] + 1);
        }
    }
    row[other.len()]
}
