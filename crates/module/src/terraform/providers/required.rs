//! `required_providers`: the names of providers in a module, with their sources, versions and configurations.

use hclkit_model::{Attribute, Body, BodyItem, Context, Expression, Schema};
use hclkit_syntax::Diagnostics;
use hclkit_value::{Type, Value};

use super::{ALIASES, Directory, REQUIRED, SOURCE, VERSION};
use crate::messages::meta::invalid_constraint;
use crate::provider_name::Named;
use crate::terraform::messages::providers as messages;
use hclkit_dialect::Constraints;

/// The source of the provider that is part of Terraform.
pub(super) const BUILT_IN: &str = "terraform.io/builtin/terraform";

/// Reads the `required_providers` blocks in a body.
pub(super) fn read(body: &Body, own: &mut Directory, diagnostics: &mut Diagnostics) {
    let schema = Schema::new().with_block(REQUIRED, &[]);
    let ((parts, _), _) = body.partial_content(&schema);
    for block in &parts.blocks {
        // In the JSON syntax, each entry is an object.
        let (attributes, blocks) = block.body.attributes();
        if blocks.has_errors() {
            for item in block.body.items() {
                if let BodyItem::Block(block) = item {
                    diagnostics
                        .push(messages::entry_is_block(&block.block_type).at(block.definition_place()));
                }
            }
        }
        for attribute in &attributes {
            entry(attribute, own, diagnostics);
        }
    }
}

/// Reads the entry of a provider.
fn entry(attribute: &Attribute, own: &mut Directory, diagnostics: &mut Diagnostics) {
    let name = &*attribute.name;
    own.required.insert(name.to_owned());
    if !is_provider_name(name) {
        let error = messages::invalid_name(name).at(attribute.name_span);
        return diagnostics.push(error.with_source(&attribute.source));
    }
    let Ok(entries) = attribute.expression.static_map() else {
        // Before Terraform 0.13, a version.
        let value = attribute.expression.evaluate(&Context::new()).ok();
        let text = value.and_then(|value| value.convert(&Type::String).ok());
        match text.as_ref().map(Value::as_str) {
            Some(Some(text)) => version(text, &attribute.expression, name, own, diagnostics),
            _ => diagnostics.push(messages::entry_required(name).at(attribute.expression.place())),
        }
        return;
    };
    let mut versions = Vec::new();
    for (key, value) in entries {
        let text =
            || value.evaluate(&Context::new()).ok().and_then(|value| value.as_str().map(str::to_owned));
        let written = key.evaluate(&Context::new()).ok();
        let word = key.static_keyword();
        let word = word.as_deref().or_else(|| written.as_ref()?.as_str());
        match word {
            Some(SOURCE) => match text().as_deref().map(source) {
                Some(Ok(source)) => {
                    own.sources.insert(name.to_owned(), source);
                }
                Some(Err(part)) => diagnostics.push(messages::invalid_source(part).at(value.place())),
                None => diagnostics.push(messages::constant_text(SOURCE).at(value.place())),
            },
            Some(VERSION) => match text() {
                Some(text) => versions.push((text, value)),
                None => diagnostics.push(messages::constant_text(VERSION).at(value.place())),
            },
            Some(ALIASES) => match value.static_list() {
                Ok(list) => {
                    for element in list {
                        // Terraform also accepts the name without an alias, which requires nothing.
                        match Named::of_key(&element).filter(|named| named.name == name) {
                            Some(named) if named.alias.is_some() => own.aliases.push(named),
                            Some(_) => {}
                            None => diagnostics.push(messages::own_alias_required(name).at(element.place())),
                        }
                    }
                }
                Err(_) => diagnostics.push(messages::own_alias_required(name).at(value.place())),
            },
            _ => diagnostics.push(messages::unknown_key().at(key.place())),
        }
    }
    for (text, value) in versions {
        version(&text, &value, name, own, diagnostics);
    }
}

/// Checks the version of a provider.
fn version(text: &str, at: &Expression, name: &str, own: &Directory, diagnostics: &mut Diagnostics) {
    if Constraints::parse(text).is_none() {
        diagnostics.push(invalid_constraint(VERSION).at(at.place()));
    } else if own.source(name) == BUILT_IN {
        diagnostics.push(messages::built_in_version().at(at.place()));
    }
}

/// The source of a provider without the default host, and with the default namespace.
///
/// # Errors
/// The part that is invalid.
fn source(text: &str) -> Result<String, &str> {
    let parts: Vec<&str> = text.split('/').collect();
    let (host, names) = match &parts[..] {
        [host, names @ ..] if names.len() == 2 => (Some(*host), names),
        names if names.len() <= 2 => (None, names),
        _ => return Err(text),
    };
    let lower = text.to_lowercase();
    let is_host = |host: &str| {
        let is_part = |part: &str| !part.is_empty() && !part.contains(|next: char| !is_in_name(next));
        host.split([':', '.']).all(is_part)
    };
    if let Some(host) = host.filter(|host| !is_host(host)) {
        return Err(host);
    }
    if let Some(name) = names.iter().find(|name| !is_provider_name(&name.to_lowercase())) {
        return Err(name);
    }
    // Such names are those of repositories.
    if let [_, name] = names
        && name.to_lowercase().starts_with("terraform-")
        && host.is_none_or(|host| host != "terraform.io")
    {
        return Err(name);
    }
    let hosts = ["registry.terraform.io/", "registry.opentofu.org/"];
    let short = hosts.iter().find_map(|host| lower.strip_prefix(host)).unwrap_or(&lower);
    Ok(if short.contains('/') { short.to_owned() } else { format!("hashicorp/{short}") })
}

/// Returns true if providers can have this name: lowercase letters, digits, and single dashes between them.
pub(crate) fn is_provider_name(name: &str) -> bool {
    name.chars().all(|next| is_in_name(next) && !next.is_uppercase())
        && name.split('-').all(|part| !part.is_empty())
}

fn is_in_name(next: char) -> bool {
    next.is_alphanumeric() || next == '-'
}

#[cfg(test)]
mod tests {
    use super::source;

    /// As Terraform answers.
    #[test]
    fn sources() {
        let valid = [
            ("HashiCorp/AWS", "hashicorp/aws"),
            ("terraform-provider-aws", "hashicorp/terraform-provider-aws"),
            ("terraform-aws", "hashicorp/terraform-aws"),
            ("localhost/x/y", "localhost/x/y"),
            ("registry.terraform.io/hashicorp/aws", "hashicorp/aws"),
            ("example.com:8080/a/b", "example.com:8080/a/b"),
        ];
        for (text, expected) in valid {
            assert_eq!(source(text).as_deref(), Ok(expected));
        }
        let invalid = [
            "hashicorp/a_b",
            "hashicorp/-a",
            "hashicorp/a--b",
            "hashicorp/a.b",
            "hashicorp/terraform-provider-aws",
            "hashicorp/terraform-aws",
            "a/b/",
            "",
            "x-/aws",
            "ex_ample.com/a/b",
            "a/b/c/d",
        ];
        for text in invalid {
            assert!(source(text).is_err(), "{text}");
        }
    }
}
