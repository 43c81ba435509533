//! References that lack a word such as `data`, or have one although they mean another block.

use std::sync::Arc;

use hclkit_dialect::{Dialect, Role};
use hclkit_syntax::{Code, Diagnostic, Diagnostics, Edit, Fix, Source, Span};
use hclkit_value::Name;

use crate::config::Config;
use crate::messages;

/// Suggests `data.aws_ami.linux` for `aws_ami.linux` where only the former is declared, and the other way around. The words are those
/// with which the addresses of objects of the language begin.
pub(crate) fn suggest(language: &Dialect, configs: &[Arc<Config>], found: &mut Diagnostics) {
    let is_undefined = |own: &Diagnostic| own.is_error() && own.has_code(Code::UnknownVariable);
    let objects = language.blocks.iter().filter(|rule| rule.role == Role::Object);
    let words: Vec<&Name> = objects.filter_map(|rule| rule.defines.root()).collect();
    if words.is_empty() || !found.iter().any(is_undefined) {
        return;
    }
    found.update(|own| {
        if !is_undefined(&own) {
            return own;
        }
        let Some(source) = own.source() else { return own };
        let is_in =
            |config: &&Arc<Config>| config.files.iter().any(|(_, body)| Arc::ptr_eq(&body.source(), source));
        let Some(config) = configs.iter().find(is_in) else { return own };
        match suggestion(&words, config, source, own.span()) {
            Some((written, meant, edit)) => {
                let fix = Fix::new(messages::fix_write(&meant), [edit]);
                own.with_note(messages::undefined(&written, &meant)).with_fix(fix)
            }
            None => own,
        }
    });
}

/// The reference around a span as it is written, what is meant, and the edit that makes this of it.
fn suggestion(
    words: &[&Name],
    config: &Config,
    source: &Source,
    span: Span,
) -> Option<(String, String, Edit)> {
    let is_part = |character: char| character.is_alphanumeric() || "_-.".contains(character);
    let (before, after) =
        (source.text().get(..span.start as usize)?, source.text().get(span.start as usize..)?);
    let start = span.start as usize - (before.len() - before.trim_end_matches(is_part).len());
    let end = span.start as usize + (after.len() - after.trim_start_matches(is_part).len());
    let names: Vec<&str> = source.text().get(start..end)?.split('.').collect();
    let at = start as u32;
    let is_declared = |address: &[&str]| {
        let address: Vec<Name> = address.iter().copied().map(Name::from).collect();
        config.definitions().get(&address).is_some()
    };
    let is_word = |name: &str| words.iter().any(|word| **word == *name);
    let edit = |old: usize, new: String| Edit::new(Span::new(at, at + old as u32), new);
    match names[..] {
        [word, object, name, ..] if is_word(word) => {
            let written = format!("{word}.{object}.{name}");
            if is_declared(&[object, name]) {
                return Some((written, format!("{object}.{name}"), edit(word.len() + 1, String::new())));
            }
            let other = words.iter().find(|own| is_declared(&[own.as_str(), object, name]))?;
            Some((written, format!("{other}.{object}.{name}"), edit(word.len(), other.to_string())))
        }
        [object, name, ..] => {
            let word = words.iter().find(|own| is_declared(&[own.as_str(), object, name]))?;
            Some((format!("{object}.{name}"), format!("{word}.{object}.{name}"), edit(0, format!("{word}."))))
        }
        _ => None,
    }
}
