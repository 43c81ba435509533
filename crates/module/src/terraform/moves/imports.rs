//! `import` blocks: their targets, identifiers and providers.

use std::collections::HashMap;

use hclkit_dialect::Dialect;
use hclkit_model::{Context, Expression};
use hclkit_syntax::{Diagnostic, Diagnostics, Place};
use hclkit_value::{Mark, Name, Type, Value};

use super::{Address, Declared, KeysOf, Subject};
use crate::config::{Declaration, Item, is_literal_null};
use crate::instances::{Instances, bind, elements};
use crate::provider_name::Named;
use crate::terraform::messages::moves as messages;
use crate::unevaluated::{TO, written_address};

const ID: &str = "id";
const PROVIDER: &str = "provider";
const FOR_EACH: &str = "for_each";
/// The name of the key and the value of an instance.
const EACH: &str = "each";

/// Checks the `import` blocks of a module.
pub(super) fn check<'i>(
    declared: &mut Declared<'i>,
    items: impl Iterator<Item = &'i Item>,
    diagnostics: &mut Diagnostics,
) {
    let mut imports: HashMap<String, Place> = HashMap::new();
    for item in items {
        let keys = repeated(item, declared, diagnostics);
        let Some(to) = item.block.body.attribute(TO) else { continue };
        let target = target(&to.expression, item, declared, diagnostics);
        let is_lenient = declared.instance.tree.language.lenient_imports;
        let for_each = item.block.body.attribute(FOR_EACH).filter(|_| !is_lenient);
        if let (Some(for_each), Some((to, _))) = (for_each, &target) {
            diagnostics.extend(of_itself(&for_each.expression, to));
        }
        if let Some((to, is_constant)) = &target {
            let text = to.text();
            if to.address.is_module || to.address.is_prefixed {
                diagnostics.push(messages::invalid_import(&text).at(&to.place));
            } else if let Some(first) = imports.get(&text) {
                diagnostics.push(messages::duplicate_import(&text, first).at(&to.place));
            } else if let Some(error) = declared.instance_key(to).filter(|_| *is_constant) {
                diagnostics.push(error.at(&to.place));
            } else {
                let found = declared.find(to, if *is_constant { KeysOf::All } else { KeysOf::None });
                // A block that is missing in the root module can be generated, but not one with keys. Terraform also has none for several
                // imports.
                let is_declared = declared.find(to, KeysOf::None) != Some(false);
                let instance = declared.instance;
                let is_one = *is_constant && to.address.steps.len() == 2;
                let is_repeated = item.block.body.attribute(FOR_EACH).is_some();
                let can_be_generated =
                    instance.is_root() && is_one && (!is_repeated || instance.tree.language.lenient_imports);
                let is_generated = instance.tree.validates() && can_be_generated && !is_declared;
                if found == Some(false) && !is_generated {
                    diagnostics.push(messages::import_without_target(&text).at(&to.place));
                }
                let same = provider_of(declared, to);
                provider(item, is_declared.then_some(&*text), same.as_deref(), diagnostics);
                if *is_constant {
                    imports.insert(text, to.place.clone());
                } else {
                    targets(&to.place, item, &keys, declared, diagnostics);
                }
            }
        }
        identifier(item, declared, target.as_ref().map(|(to, _)| to), diagnostics);
    }
}

/// Checks what repeats an import. Returns the keys and the values if they are known.
fn repeated(item: &Item, declared: &Declared<'_>, diagnostics: &mut Diagnostics) -> Vec<(Value, Value)> {
    let instance = declared.instance;
    let Some(attribute) = item.block.body.attribute(FOR_EACH) else { return Vec::new() };
    let place = attribute.expression.place();
    let (value, found) = attribute.expression.evaluate_lenient(&instance.context);
    if found.has_errors() {
        diagnostics.append(found);
        return Vec::new();
    }
    if instance.tree.language.lenient_imports {
        // Unlike elsewhere, tuples repeat a block, too.
        let is_tuple = matches!(value.ty(), Type::Tuple(_)) && !value.has_other_marks(&Mark::hidden());
        if !is_tuple {
            return match elements(&value) {
                Ok(Instances::Many(_, all)) => all,
                Ok(_) => Vec::new(),
                Err(error) => {
                    diagnostics.push((*error).at(place));
                    Vec::new()
                }
            };
        }
    }
    let (value, marks) = value.unmark();
    if value.is_null() || !value.is_known() {
        return Vec::new();
    }
    // The keys of a secret are not shown.
    let marked = |(key, element): (Value, Value)| (key.with_marks(&marks), element.with_marks(&marks));
    if matches!(value.ty(), Type::List(_) | Type::Tuple(_)) {
        let all = value.as_slice().unwrap_or_default().iter().enumerate();
        return all.map(|(at, element)| marked((Value::from(at as u64), element.clone()))).collect();
    }
    if matches!(value.ty(), Type::Set(_)) {
        let all = value.as_slice().unwrap_or_default().iter();
        return all.map(|element| marked((element.clone(), element.clone()))).collect();
    }
    let Some(entries) = value.entries() else {
        let ty = value.ty().friendly_name();
        diagnostics.push(messages::imports_of_no_collection(&ty).at(place));
        return Vec::new();
    };
    entries.map(|(key, element)| marked((Value::from(key.as_str()), element.clone()))).collect()
}

/// Checks the addresses that an import has for known keys.
fn targets(
    place: &Place,
    item: &Item,
    keys: &[(Value, Value)],
    declared: &mut Declared<'_>,
    diagnostics: &mut Diagnostics,
) {
    let instance = declared.instance;
    let language = &instance.tree.language;
    let to = item.block.body.attribute(TO).and_then(|to| written_address(&to.expression));
    let (Some(to), Some(repeat)) = (to, language.repeat(FOR_EACH)) else { return };
    for own in keys {
        let context = bind(&instance.context, Some(repeat), Some(own));
        let text = match with_keys(&to, &context) {
            Ok(Some(text)) => text,
            Ok(None) => continue,
            Err(found) => return diagnostics.append(found),
        };
        let address = Expression::parse(text).ok().and_then(|own| Address::of(&own, language));
        let Some(address) = address else { continue };
        let subject = Subject { address, place: place.clone() };
        // Without its block, this was reported already.
        let is_declared = declared.find(&subject, KeysOf::None) != Some(false);
        let is_missing = is_declared && declared.find(&subject, KeysOf::All) == Some(false);
        let missing = || is_missing.then(|| messages::import_without_target(&subject.text()));
        if let Some(error) = declared.instance_key(&subject).or_else(missing) {
            return diagnostics.push(error.at(place.clone()));
        }
    }
}

/// The text of an address with the values of its keys. `None` if one is unknown, or must not be shown.
fn with_keys(to: &Expression, context: &Context) -> Result<Option<String>, Diagnostics> {
    let mut written = String::new();
    for (is_key, part) in parts(to.text()) {
        if !is_key {
            written.push_str(part);
            continue;
        }
        let Ok(key) = Expression::parse(part) else { return Ok(None) };
        let (value, found) = key.evaluate_lenient(context);
        if found.has_errors() {
            return Err(found.into_iter().map(|own| own.at(to.place())).collect());
        }
        if !value.is_known() || value.contains_marked() {
            return Ok(None);
        }
        let is_index = |value: &Value| value.as_number().is_some_and(|number| number.to_i64().is_some());
        if value.as_str().is_none() && !is_index(&value) {
            return Err(messages::import_key(&value.ty().friendly_name()).at(to.place()).into());
        }
        written.extend(["[", &value.to_string(), "]"]);
    }
    Ok(Some(written))
}

/// The parts of an address: names, and the keys between them, without their brackets.
fn parts(text: &str) -> Vec<(bool, &str)> {
    let (mut depth, mut is_quoted, mut from) = (0_usize, false, 0);
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        is_quoted ^= c == '"';
        let before = depth;
        match c {
            '[' if !is_quoted => depth += 1,
            ']' if !is_quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if before.min(depth) == 0 && before != depth {
            found.push((before > 0, &text[from..at]));
            from = at + 1;
        }
    }
    found.push((false, &text[from..]));
    found
}

/// The object that is imported, and whether its address is constant. Otherwise, its keys are left out.
fn target(
    written: &Expression,
    item: &Item,
    declared: &Declared<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<(Subject, bool)> {
    let language = &declared.instance.tree.language;
    let place = written.place();
    if let Some(address) = Address::of(written, language) {
        return Some((Subject { address, place }, true));
    }
    let repeats = item.block.body.attribute(FOR_EACH).is_some();
    let found = written_address(written).and_then(|source| Some((without_keys(&source, language)?, source)));
    let Some((address, source)) = found else {
        diagnostics.push(messages::invalid_address().at(place));
        return None;
    };
    let roots = source
        .variables()
        .into_iter()
        .map(|reference| reference.root)
        .filter(|root| address.steps.iter().all(|step| step.name() != Some(root.as_str())));
    let roots: Vec<Name> = roots.collect();
    let other = roots.iter().find(|root| **root != *EACH);
    // OpenTofu evaluates the keys.
    let is_other = !language.lenient_imports && (other.is_some() || !repeats);
    if is_other || !repeats && roots.iter().any(|root| *root == *EACH) {
        let name = other.filter(|_| repeats).map(Name::as_str);
        diagnostics.push(messages::dynamic_import(name).at(place));
        return None;
    }
    Some((Subject { address, place }, false))
}

/// The address with constants for its keys.
fn without_keys(source: &Expression, language: &Dialect) -> Option<Address> {
    let bare: String =
        parts(source.text()).into_iter().filter(|(is_key, _)| !is_key).map(|(_, part)| part).collect();
    Address::of(&Expression::parse(bare).ok()?, language)
}

/// Checks the provider of an import. `declared` is the address of its target, if a block declares that, and `same` the provider of
/// this block, if it names one.
fn provider(item: &Item, declared: Option<&str>, same: Option<&str>, diagnostics: &mut Diagnostics) {
    let Some(provider) = item.block.body.attribute(PROVIDER) else { return };
    let place = provider.expression.place();
    match (Named::of(&provider.expression), declared) {
        (None, _) => diagnostics.push(messages::provider_required().at(place)),
        (Some(own), Some(address)) if same != Some(&*own.text()) => {
            diagnostics.push(messages::provider_of_import(address).at(place));
        }
        _ => {}
    }
}

/// The provider that the block of an address names.
fn provider_of(declared: &Declared<'_>, to: &Subject) -> Option<String> {
    let names: Vec<Name> = to.address.steps.iter().map_while(super::name_of).collect();
    let config = &declared.instance.config;
    let (Declaration::Item(at), length) = config.definitions().longest(&names)? else { return None };
    let is_own = length == names.len();
    Named::used_by(&config.items[at]).filter(|_| is_own).map(|named| named.text())
}

/// The error of an identifier that refers to what it imports, whatever the keys are.
fn of_itself(expression: &Expression, to: &Subject) -> Option<Diagnostic> {
    let names: Vec<Name> = to.address.steps.iter().filter_map(super::name_of).collect();
    let own = names.join(".");
    let is_own = |text: &str| {
        text.strip_prefix(&own).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let variables = expression.variables();
    let reference = variables.iter().find(|found| is_own(&found.to_string()))?;
    Some(messages::import_of_itself(&own).at(reference.span()).with_source(expression.source()))
}

/// Checks the identifier of an import.
fn identifier(item: &Item, declared: &Declared<'_>, to: Option<&Subject>, diagnostics: &mut Diagnostics) {
    let Some(id) = item.block.body.attribute(ID) else { return };
    let (expression, place) = (&id.expression, id.expression.place());
    let itself = to.and_then(|to| of_itself(expression, to));
    let instance = declared.instance;
    // OpenTofu only wants to know the value.
    let is_lenient = instance.tree.language.lenient_imports;
    if !is_lenient && let Some(error) = itself {
        return diagnostics.push(error);
    }
    let any = (Value::DYNAMIC, Value::DYNAMIC);
    let repeat = item.block.body.attribute(FOR_EACH).and_then(|_| instance.tree.language.repeat(FOR_EACH));
    let context = bind(&instance.context, repeat, Some(&any));
    let (value, found) = expression.evaluate_lenient(&context);
    if found.has_errors() {
        return diagnostics.append(found);
    }
    if is_lenient && let Some(mark) = value.unmark_deep().1.iter().find(|mark| **mark != Mark::hidden()) {
        return diagnostics.push(messages::import_of_marked(ID, mark.name()).at(place));
    }
    let (value, _) = value.unmark();
    if !value.is_known()
        && let Some(error) = itself
    {
        return diagnostics.push(error);
    }
    if value.is_null() {
        // A literal null is as if there were no identifier.
        if !is_literal_null(expression) {
            diagnostics.push(messages::import_id_is_null().at(place));
        }
        return;
    }
    match value.convert(&Type::String) {
        // OpenTofu leaves it to the provider.
        Ok(text) if text.as_str() == Some("") && !is_lenient => {
            diagnostics.push(messages::import_id_is_empty().at(place));
        }
        Ok(_) => {}
        Err(problem) => {
            diagnostics.push(messages::import_id_is_no_string(&problem.to_string()).at(place));
        }
    }
}
