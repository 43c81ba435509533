//! Arguments that must be constant: version constraints, keywords, descriptions, and blocks without references.

use hclkit_dialect::{BlockRule, Dialect, Keywords, ModuleSource, NestedRole, NestedRule};
use std::collections::HashMap;

use hclkit_model::{Attribute, Attributes, Block, Context, Expression, Schema};
use hclkit_syntax::json::{JsonKind, JsonValue};
use hclkit_syntax::{Diagnostic, Diagnostics};
use hclkit_value::{Name, Type, Value};

use crate::config::{Content, Item, Shape};
use crate::messages::meta as messages;
use crate::newer;
use hclkit_dialect::{Constraints, Version};

/// Checks the constant arguments of a block.
pub(super) fn check(item: &Item, language: &Dialect, diagnostics: &mut Diagnostics) {
    let body = &item.block.body;
    for (name, ty) in &item.rule.constants {
        if let Some(attribute) = body.attribute(name) {
            constant(&attribute, ty, diagnostics);
        }
    }
    for attribute in item.rule.not_blank.iter().filter_map(|name| body.attribute(name)) {
        let text = attribute.expression.evaluate(&Context::new()).ok();
        if text.as_ref().and_then(Value::as_str).is_some_and(|text| text.trim().is_empty()) {
            let error = crate::messages::empty_attribute(&attribute.name);
            diagnostics.push(error.at(attribute.expression.place()));
        }
    }
    keywords(&item.rule.keywords, false, |name| body.attribute(name), diagnostics);
    let own = item.rule.constraints.iter().filter(|_| !item.labels.is_empty());
    let own = own.filter_map(|name| body.attribute(name));
    for attribute in own.chain(newer::of_program(item, language)) {
        let may_refer = item.rule.references.contains(&attribute.name);
        constraint(&attribute.expression, &attribute.name, may_refer, item, language, diagnostics);
    }
}

/// Checks the constant arguments of a block in a test file.
pub(crate) fn check_attributes(rule: &BlockRule, attributes: &Attributes, diagnostics: &mut Diagnostics) {
    for (name, ty) in &rule.constants {
        if let Some(attribute) = attributes.get(name) {
            constant(attribute, ty, diagnostics);
        }
    }
    keywords(&rule.keywords, false, |name| attributes.get(name).cloned(), diagnostics);
    for attribute in rule.constraints.iter().filter_map(|name| attributes.get(name)) {
        let expression = &attribute.expression;
        let value = value_of(expression, &attribute.name, diagnostics);
        let text = value.and_then(|value| value.convert(&Type::String).ok());
        if text.is_some_and(|text| text.as_str().and_then(Constraints::parse).is_none()) {
            diagnostics.push(messages::invalid_constraint(&attribute.name).at(expression.place()));
        }
    }
}

/// Checks the constant parts of a nested block.
pub(crate) fn check_nested(
    rule: &NestedRule,
    language: &Dialect,
    block: &Block,
    diagnostics: &mut Diagnostics,
) {
    keywords(&rule.keywords, true, |name| block.body.attribute(name), diagnostics);
    if matches!(rule.role, NestedRole::Early | NestedRole::Constant) {
        contents(rule, language, block, diagnostics);
    }
    if rule.role == NestedRole::Early {
        Shape::of(&block.body).each(&mut |expression, _| {
            let mut references = expression.references();
            let later = references.find(|reference| !language.is_early(&reference.root));
            if let Some(reference) = later {
                let error = messages::early_block(&rule.block_type).at(reference.span());
                diagnostics.push(error.with_source(expression.source()));
            }
        });
    }
    if rule.role == NestedRole::Constant {
        Shape::of(&block.body).each(&mut |expression, _| {
            if let Some(reference) = expression.variables().first() {
                let error = messages::constant_block(&rule.block_type).at(reference.span());
                diagnostics.push(error.with_source(expression.source()));
            } else if let Err(found) = expression.evaluate(&Context::new()) {
                diagnostics.append(found);
            }
        });
    }
}

/// Checks the contents of a nested block that is not evaluated, if they are known.
pub(super) fn contents(rule: &NestedRule, language: &Dialect, block: &Block, diagnostics: &mut Diagnostics) {
    let object = block.labels.first().and_then(|label| language.object(&block.block_type, label));
    let inner: Vec<(&Name, Option<&Vec<Name>>)> = if let Some(object) = object {
        object.blocks.iter().map(|own| (&own.block_type, Some(&own.arguments))).collect()
    } else {
        let attributes = |own| language.nested(own).and_then(|nested| nested.attributes.as_ref());
        rule.blocks.iter().map(|own| (own, attributes(own))).collect()
    };
    let names = object.map(|object| &object.arguments).or(rule.attributes.as_ref());
    let types = object.map_or(&rule.argument_types, |object| &object.argument_types);
    let Some(names) = names else { return };
    let schema =
        |names: &[Name]| names.iter().fold(Schema::new(), |all, name| all.with_optional(name.clone()));
    let own =
        inner.iter().fold(schema(names), |all, (block_type, _)| all.with_block((*block_type).clone(), &[]));
    let content = diagnostics.absorb(block.body.content(&own));
    for (name, ty) in types {
        let Some(attribute) = content.attributes.get(name) else { continue };
        let Ok(value) = attribute.expression.evaluate(&Context::new()) else { continue };
        if let Err(problem) = value.convert(ty) {
            let error = crate::messages::invalid_attribute(name, &problem.to_string());
            diagnostics.push(error.at(attribute.expression.place_of(&problem.path())));
        }
    }
    let mut first: HashMap<&Name, &Block> = HashMap::new();
    for nested in &content.blocks {
        if let Some((_, Some(names))) = inner.iter().find(|(own, _)| **own == nested.block_type) {
            diagnostics.append(nested.body.content(&schema(names)).1);
        }
        if let Some(first) = first.get(&nested.block_type) {
            let error = messages::several_in_block(nested, first, &block.block_type);
            diagnostics.push(error.at(nested.definition_place()));
        }
        first.entry(&nested.block_type).or_insert(nested);
    }
}

/// The value of a constant argument of a type. Null is not allowed.
fn constant(attribute: &Attribute, ty: &Type, diagnostics: &mut Diagnostics) {
    let expression = &attribute.expression;
    // In the JSON syntax, a text is literal: `${` has no meaning.
    if *ty == Type::String && matches!(expression.json().map(JsonValue::kind), Some(JsonKind::String(_))) {
        return;
    }
    let value = value_of(expression, &attribute.name, diagnostics);
    if value.is_some_and(|value| value.is_null() || value.convert(ty).is_err()) {
        diagnostics.push(messages::constant_type(&attribute.name, ty).at(expression.place()));
    }
}

/// The value of an expression that must be constant.
fn value_of(expression: &Expression, name: &str, diagnostics: &mut Diagnostics) -> Option<Value> {
    if !expression.variables().is_empty() {
        diagnostics.push(messages::constant_required(name).at(expression.place()));
        return None;
    }
    expression.evaluate(&Context::new()).map_err(|found| diagnostics.append(found)).ok()
}

/// Checks keywords. Terraform still accepts those of nested blocks in quotes.
fn keywords(
    rules: &[Keywords],
    can_be_quoted: bool,
    attribute: impl Fn(&Name) -> Option<Attribute>,
    diagnostics: &mut Diagnostics,
) {
    for (name, known) in rules {
        let Some(attribute) = attribute(name) else { continue };
        let expression = &attribute.expression;
        if known.is_empty() && expression.static_list().is_ok_and(|list| list.is_empty()) {
            continue;
        }
        let text = || Some(Name::from(expression.evaluate(&Context::new()).ok()?.as_str()?));
        let word = expression.static_keyword().or_else(|| if can_be_quoted { text() } else { None });
        if !word.is_some_and(|word| known.contains(&word)) {
            diagnostics.push(messages::keyword_required(name, known).at(expression.place()));
        }
    }
}

fn constraint(
    expression: &Expression,
    name: &str,
    may_refer: bool,
    item: &Item,
    language: &Dialect,
    diagnostics: &mut Diagnostics,
) {
    // Expressions are evaluated when the module is read.
    if may_refer && literal(expression).is_none() {
        return;
    }
    let Some(value) = value_of(expression, name, diagnostics) else { return };
    if value.is_null() {
        return;
    }
    let text = value.convert(&Type::String).ok();
    let versions = language.versions.as_ref();
    let versions = versions.and_then(|(first, last)| Version::parse(first).zip(Version::parse(last)));
    let parsed = text.as_ref().and_then(|text| Constraints::parse(text.as_str()?));
    let error = match parsed {
        None => messages::invalid_constraint(name),
        Some(constraints) => match (&item.content, versions) {
            (Content::Call(_), _) => {
                match source_of(item).and_then(|source| version_without_registry(&source)) {
                    Some(error) => error,
                    None => return,
                }
            }
            // The block is about the program itself.
            _ if item.labels.is_empty() && language.only_releases && constraints.name_pre_release() => {
                messages::pre_release(name)
            }
            (_, Some((first, last))) if item.labels.is_empty() && !constraints.allow_some(&first, &last) => {
                messages::other_versions(&first, &last)
            }
            _ => return,
        },
    };
    diagnostics.push(error.at(expression.place()));
}

/// The source of a call, if it is constant.
fn source_of(item: &Item) -> Option<String> {
    let source = item.block.body.attribute("source")?.expression.evaluate(&Context::new()).ok()?;
    source.as_str().map(str::to_owned)
}

/// The error of a version that is beside a source which has none.
pub(crate) fn version_without_registry(source: &str) -> Option<Diagnostic> {
    match ModuleSource::parse(source) {
        Ok(ModuleSource::Local(_)) => Some(messages::version_of_directory()),
        Ok(ModuleSource::Package(_)) => Some(messages::version_of_url(source)),
        // Sources that lead nowhere are reported elsewhere.
        Ok(ModuleSource::Registry(_)) | Err(_) => None,
    }
}

/// The value of an expression without references and calls. In the JSON syntax, a string without sequences is one.
pub(crate) fn literal(expression: &Expression) -> Option<Value> {
    let is_template = |value: &Value| {
        let has_sequence = |text: &str| text.contains("${") || text.contains("%{");
        expression.json().is_some() && value.as_str().is_some_and(has_sequence)
    };
    expression.evaluate(&Context::new()).ok().filter(|value| !is_template(value))
}
