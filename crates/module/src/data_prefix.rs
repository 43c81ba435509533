//! References that lack the word `data`, or have it although they mean another block.

use std::sync::Arc;

use hclkit_dialect::Dialect;
use hclkit_syntax::{Code, Diagnostic, Diagnostics, Edit, Fix, Source, Span};
use hclkit_value::Name;

use crate::config::Config;
use crate::messages;

/// The type of the blocks whose addresses begin with it.
const DATA: &str = "data";

/// Suggests `data.aws_ami.linux` for `aws_ami.linux` where only the former is declared, and the other way around.
pub(crate) fn suggest(language: &Dialect, configs: &[Arc<Config>], found: &mut Diagnostics) {
    let is_undefined = |own: &Diagnostic| own.is_error() && own.has_code(Code::UnknownVariable);
    if language.block(DATA).is_none() || !found.iter().any(is_undefined) {
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
        match suggestion(config, source, own.span()) {
            Some((written, meant, edit)) => {
                let fix = Fix::new(messages::fix_write(&meant), [edit]);
                own.with_note(messages::undefined(&written, &meant)).with_fix(fix)
            }
            None => own,
        }
    });
}

/// The reference around a span as it is written, what is meant, and the edit that makes this of it.
fn suggestion(config: &Config, source: &Source, span: Span) -> Option<(String, String, Edit)> {
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
    match names[..] {
        [DATA, object, name, ..] if is_declared(&[object, name]) => {
            let edit = Edit::new(Span::new(at, at + DATA.len() as u32 + 1), "");
            Some((format!("{DATA}.{object}.{name}"), format!("{object}.{name}"), edit))
        }
        [object, name, ..] if is_declared(&[DATA, object, name]) => {
            let edit = Edit::new(Span::new(at, at), "data.");
            Some((format!("{object}.{name}"), format!("{DATA}.{object}.{name}"), edit))
        }
        _ => None,
    }
}
