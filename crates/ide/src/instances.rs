//! The values that a name has in the first instances of a block, or for the first elements of a loop.

use std::fmt::Write as _;
use std::sync::Arc;

use hclkit::value::{Name, Value};
use hclkit::{Expression, Span};

use crate::Snapshot;
use crate::completion::element_of;
use crate::file::File;
use crate::hover::{Hover, short};
use crate::markdown;
use crate::module::Module;

/// The most instances whose values are shown.
const MOST: usize = 3;
/// The width of a value in characters.
const WIDTH: usize = 80;

impl Snapshot {
    /// The values of the name at an offset, if it is that of an element: `each.value`, the variable of a `for`, or the iterator of
    /// a `dynamic` block.
    pub(crate) fn of_element(&self, file: &File, module: &Arc<Module>, offset: u32) -> Option<Hover> {
        let (address, span) = address_at(file, offset)?;
        let key = key_of_element(file, &address);
        let element = key.as_deref().unwrap_or(&address);
        let (source, rest) = element_of(file, element, offset)?;
        let expression = Expression::parse(source.as_str()).ok()?;
        let value = self.value_in(module, &expression)?;
        // What is not known, or must not be shown, has no instances to show.
        if value.is_marked() || !value.is_known() {
            return None;
        }
        let all = elements(&value)?;
        let what =
            repeated(file, &address).unwrap_or_else(|| format!("An element of {}.", markdown::code(&source)));
        let mut text = format!("```hcl\n{address}\n```\n\n{what}\n");
        if all.is_empty() {
            text.push_str("\nThere are none.\n");
            return Some(Hover { span, text });
        }
        text.push_str("\n```text\n");
        for (name, element) in all.iter().take(MOST) {
            let shown = match &key {
                Some(_) => Some(name.clone()),
                None => part(element, &rest).and_then(|value| short(value, WIDTH)),
            };
            let shown = shown.unwrap_or_else(|| "(unknown or not shown)".to_owned());
            let line = if key.is_some() { shown } else { format!("{name}: {shown}") };
            let _ = writeln!(text, "{}", line.replace("```", "` ` `"));
        }
        text.push_str("```\n");
        if all.len() > MOST {
            let _ = writeln!(text, "\nThese are the first {MOST} of {}.", all.len());
        }
        Some(Hover { span, text })
    }
}

/// What the name of a repetition of a block is, such as `each.key`.
fn repeated(file: &File, address: &str) -> Option<String> {
    let repeats = &file.content_dialect()?.repeats;
    let is = |names: &[Name]| names.iter().map(|name| &**name).collect::<Vec<_>>().join(".") == address;
    let own = repeats.iter().find(|own| is(&own.key) || own.value.as_deref().is_some_and(is))?;
    let which = if is(&own.key) { "key" } else { "value" };
    Some(format!("The {which} of an instance, from `{}`.", own.attribute))
}

/// The element whose key an address is, such as `each.value` for `each.key`.
fn key_of_element(file: &File, address: &str) -> Option<String> {
    let repeats = file.content_dialect().into_iter().flat_map(|part| &part.repeats);
    let joined = |names: &[Name]| names.iter().map(|name| &**name).collect::<Vec<_>>().join(".");
    let own =
        repeats.filter(|own| joined(&own.key) == address).find_map(|own| own.value.as_deref().map(joined));
    own.or_else(|| Some(format!("{}.value", address.strip_suffix(".key")?)))
}

/// The names up to the word at an offset, without keys, and the word.
fn address_at(file: &File, offset: u32) -> Option<(String, Span)> {
    let (text, word) = (file.text(), file.word(offset));
    let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-' | '.');
    let start = text[..word.start as usize].trim_end_matches(is_part).len();
    let address = &text[start..word.end as usize];
    let is_name = |name: &str| hclkit::syntax::is_identifier(name);
    address.split('.').all(is_name).then(|| (address.to_owned(), word))
}

/// The elements of a value, each with its key as source.
fn elements(value: &Value) -> Option<Vec<(String, &Value)>> {
    if let Some(all) = value.as_slice() {
        let numbered = all.iter().enumerate();
        return Some(numbered.map(|(at, own)| (at.to_string(), own)).collect());
    }
    let entries = value.entries()?;
    Some(entries.map(|(name, own)| (Value::from(name.as_str()).show().to_string(), own)).collect())
}

/// The part of a value below names with dots.
fn part<'v>(value: &'v Value, names: &str) -> Option<&'v Value> {
    let mut value = value;
    for name in names.split('.').filter(|name| !name.is_empty()) {
        if value.is_marked() {
            return None;
        }
        value = value.entries()?.find(|(own, _)| own.as_str() == name)?.1;
    }
    Some(value)
}
