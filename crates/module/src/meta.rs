//! Arguments with a meaning for the language that are read without evaluation, such as `depends_on`, `lifecycle` and version
//! constraints. Only errors that do not depend on any values are reported. `meta/constant.rs` checks what must be constant.

pub(crate) mod constant;

use std::path::Path;

use std::collections::HashMap;

use hclkit_dialect::{BlockRule, Dialect, NestedRole, NestedRule, Role};
use hclkit_model::{Attribute, Block, BodyItem, Context, Expression, Schema, Target, Traversal};
use hclkit_syntax::Diagnostics;
use hclkit_value::{Name, Type};

use crate::config::{Item, Shape};
use crate::lint::references::References;
use crate::messages::literal_bool_required;
use crate::messages::meta as messages;

const DEPENDS_ON: &str = "depends_on";
const LIFECYCLE: &str = "lifecycle";
const IGNORE_CHANGES: &str = "ignore_changes";
const REPLACE_TRIGGERED_BY: &str = "replace_triggered_by";
/// Arguments of `lifecycle` that only managed resources can have.
const RESOURCE_ONLY: [&str; 5] =
    ["create_before_destroy", "destroy", IGNORE_CHANGES, "prevent_destroy", REPLACE_TRIGGERED_BY];
const PROVISIONER: &str = "provisioner";
const CONNECTION: &str = "connection";
const HOST: &str = "host";
/// When a provisioner runs, and the keyword for those that run when a resource is destroyed.
const WHEN: (&str, &str) = ("when", "destroy");
/// What such a provisioner can refer to.
const KNOWN_AT_DESTROY: [&str; 5] = ["self", "count", "each", "path", "terraform"];
/// Roots of references that are not resources.
const NOT_RESOURCES: [&str; 5] = ["var", "local", "module", "path", "terraform"];

/// Checks the arguments of a block.
pub(crate) fn check(
    item: &Item,
    references: &References<'_>,
    names: &Context,
    diagnostics: &mut Diagnostics,
) {
    if let Some(attribute) = dependencies_of(item) {
        dependencies(&attribute.expression, references, names, diagnostics);
    }
    constant::check(item, references.language, diagnostics);
    refused(&item.rule, &item.block, diagnostics);
    let has_blocks = item.block.body.may_have_blocks();
    if has_blocks {
        nested(item, references, names, diagnostics);
    }
    built_in(item, references.language, diagnostics);
    if has_blocks {
        lifecycle(item, references, diagnostics);
    }
}

/// The attribute `depends_on` of a block that can have one.
pub(crate) fn dependencies_of(item: &Item) -> Option<Attribute> {
    let can_have = item.rule.references.iter().any(|name| *name == *DEPENDS_ON);
    can_have.then(|| item.block.body.attribute(DEPENDS_ON)).flatten()
}

/// The values of `replace_triggered_by` in a block.
pub(crate) fn triggers_of(item: &Item) -> Vec<Expression> {
    if item.rule.role != Role::Object || !item.block.body.may_have_blocks() {
        return Vec::new();
    }
    let schema = Schema::new().with_block(LIFECYCLE, &[]);
    let blocks = item.block.body.partial_content(&schema).0.0.blocks;
    let own = blocks.iter().filter_map(|block| block.body.attribute(REPLACE_TRIGGERED_BY));
    own.map(|attribute| attribute.expression).collect()
}

/// Reports attributes and nested blocks that the block must not have.
pub(crate) fn refused(rule: &BlockRule, block: &Block, diagnostics: &mut Diagnostics) {
    let names = &rule.refused;
    if names.is_empty() {
        return;
    }
    for found in block.body.items() {
        if names.iter().any(|name| *name == *found.name()) {
            let source = match &found {
                BodyItem::Attribute(attribute) => &attribute.source,
                BodyItem::Block(block) => &block.source,
            };
            let error = messages::refused(found.name(), &rule.block_type);
            diagnostics.push(error.at(found.name_span()).with_source(source));
        }
    }
}

/// Checks nested blocks that are not part of the value.
fn nested(item: &Item, references: &References<'_>, names: &Context, diagnostics: &mut Diagnostics) {
    let language = references.language;
    let schema = language.nested_schema(&item.rule.blocks);
    let mut first: HashMap<Name, Block> = HashMap::new();
    let (mut own, mut provisioners) = (Vec::new(), Vec::new());
    for block in item.block.body.partial_content(&schema).0.0.blocks {
        let Some(rule) = language.nested(&block.block_type) else { continue };
        constant::check_nested(rule, language, &block, diagnostics);
        type_of_block(rule, &block, references, diagnostics);
        at_destroy(rule, &block, names, diagnostics);
        if let [object_type] = &block.labels[..]
            && let Some(known) = language.object(&block.block_type, object_type)
        {
            let names = known.arguments.iter().chain(&rule.fixed);
            let schema = names.fold(Schema::new(), |all, name| all.with_optional(name.clone()));
            let schema = known.required.iter().fold(schema, |all, name| all.with_required(name.clone()));
            diagnostics.append(block.body.content(&schema.with_block(CONNECTION, &[])).1);
        }
        match &*block.block_type {
            CONNECTION => own.push(block.clone()),
            PROVISIONER => provisioners.push(block.clone()),
            _ => {}
        }
        if item.rule.once.contains(&block.block_type) {
            if let Some(first) = first.get(&block.block_type) {
                let error = messages::several_in_block(&block, first, &item.rule.block_type);
                diagnostics.push(error.at(block.definition_place()));
            }
            first.entry(block.block_type.clone()).or_insert(block);
        }
    }
    connections(&own, &provisioners, language, diagnostics);
}

/// Reports blocks of types that do not exist, such as backends.
fn type_of_block(
    rule: &NestedRule,
    block: &Block,
    references: &References<'_>,
    diagnostics: &mut Diagnostics,
) {
    let Some(own) = block.labels.first() else { return };
    let error = if rule.removed.contains(own) {
        let until = references.language.until.get(&format!("{}.{own}", block.block_type));
        if until.is_some_and(|until| references.is_at_most(until)) {
            return;
        }
        messages::removed_type(&block.block_type, own, references.language.title(), until)
    } else if let Some(known) = rule.types.as_ref().filter(|known| !known.contains(own)) {
        messages::unknown_type(&block.block_type, own, known)
    } else {
        return;
    };
    let span = block.label_spans.first().copied().unwrap_or(block.definition_span);
    diagnostics.push(error.at(span).with_source(&block.source));
}

/// Checks how the provisioners of a resource connect. A connection that no provisioner uses is not read.
fn connections(own: &[Block], provisioners: &[Block], language: &Dialect, diagnostics: &mut Diagnostics) {
    let known = language.nested(CONNECTION).and_then(|rule| rule.attributes.as_ref());
    let Some(known) = known.filter(|_| !provisioners.is_empty()) else { return };
    let outer = Schema::new().with_block(CONNECTION, &[]);
    let schema = known.iter().fold(Schema::new(), |all, name| all.with_optional(name.clone()));
    let has_host = |blocks: &[Block]| blocks.iter().any(|block| block.body.attribute(HOST).is_some());
    for provisioner in provisioners {
        let inner = provisioner.body.partial_content(&outer).0.0.blocks;
        let place = inner.first().or(own.first()).map(Block::definition_place);
        if let Some(place) = place.filter(|_| !has_host(own) && !has_host(&inner)) {
            diagnostics.push(messages::connection_without_host().at(place));
        }
        for block in inner {
            diagnostics.append(block.body.content(&schema).1);
        }
    }
    for block in own {
        diagnostics.append(block.body.content(&schema).1);
    }
}

/// Reports references of a provisioner that runs when its resource is destroyed. Other objects may no longer exist then.
fn at_destroy(rule: &NestedRule, block: &Block, names: &Context, diagnostics: &mut Diagnostics) {
    let (when, destroy) = WHEN;
    let is_destroy = || {
        let keyword = block.body.attribute(when)?.expression.static_keyword()?;
        Some(*keyword == *destroy)
    };
    if !rule.fixed.iter().any(|name| *name == *when) || is_destroy() != Some(true) {
        return;
    }
    let fixed = rule.fixed.iter().fold(Schema::new(), |all, name| all.with_optional(name.clone()));
    let ((_, rest), _) = block.body.partial_content(&fixed);
    Shape::of(&rest).each(&mut |expression, bound| {
        for reference in expression.variables() {
            let text = reference.to_string();
            let is_name = bound.contains(&reference.root) || KNOWN_AT_DESTROY.contains(&&*reference.root);
            // Undefined names are reported with all others.
            if text.starts_with("each.value") || !is_name && !is_undefined(&text, names) {
                let error = messages::unknown_at_destroy(&text).at(reference.span());
                diagnostics.push(error.with_source(expression.source()));
            }
        }
    });
}

/// Reports objects of types that do not exist, if the language defines all with the same beginning.
fn built_in(item: &Item, language: &Dialect, diagnostics: &mut Diagnostics) {
    let (Some(beginning), Some(own)) = (&language.built_in, item.labels.first()) else { return };
    if item.rule.role == Role::Object
        && own.starts_with(beginning.as_str())
        && item.block.body.attribute("provider").is_none()
        && language.object(&item.rule.block_type, own).is_none()
    {
        let block_type = &item.rule.block_type;
        let known = language.objects.iter().filter(|rule| rule.block_type == *block_type);
        let known: Vec<&str> = known.map(|rule| &*rule.object_type).collect();
        let error = messages::unknown_built_in(own, block_type, &known);
        let span = item.block.label_spans.first().copied().unwrap_or(item.block.definition_span);
        diagnostics.push(error.at(span).with_source(&item.block.source));
    }
}

/// Reports nested blocks of which a directory has at most one.
pub(crate) fn check_single(references: &References<'_>, diagnostics: &mut Diagnostics) {
    let language = references.language;
    // The first block that is not in an override file, and those in each override file. These replace the former.
    let mut single: HashMap<Option<&str>, Block> = HashMap::new();
    let mut unique: HashMap<(Name, Vec<Name>), Block> = HashMap::new();
    let can_have = |item: &&Item| !(item.rule.single.is_empty() && item.rule.unique.is_empty());
    for item in references.config.items.iter().filter(can_have) {
        let changes = item.is_override(language).then(|| item.block.source.name());
        let mut check = |first: Option<&Block>, block: &Block| {
            if let Some(first) = first {
                diagnostics.push(messages::several(block, first).at(block.definition_place()));
            }
        };
        let schema = language.nested_schema(&item.rule.single);
        for block in item.block.body.partial_content(&schema).0.0.blocks {
            check(single.get(&changes), &block);
            single.entry(changes).or_insert(block);
        }
        if changes.is_none() {
            let schema = language.nested_schema(&item.rule.unique);
            for block in item.block.body.partial_content(&schema).0.0.blocks {
                let key = (block.block_type.clone(), block.labels.clone());
                check(unique.get(&key), &block);
                unique.entry(key).or_insert(block);
            }
        }
    }
}

impl Item {
    /// Whether the block is in an override file.
    pub(crate) fn is_override(&self, language: &Dialect) -> bool {
        let path = Path::new(self.block.source.name());
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| language.is_override(name))
    }
}

fn dependencies(
    list: &Expression,
    references: &References<'_>,
    names: &Context,
    diagnostics: &mut Diagnostics,
) {
    const EXAMPLE: &str = "module.network";
    let Ok(elements) = list.static_list() else {
        return diagnostics.push(messages::list_required(DEPENDS_ON, EXAMPLE).at(list.place()));
    };
    for element in elements {
        let place = element.place();
        let Some(reference) = Reference::of(&element) else {
            diagnostics.push(messages::reference_required(DEPENDS_ON, EXAMPLE).at(place));
            continue;
        };
        let (text, traversal) = (reference.traversal.to_string(), &reference.traversal);
        if reference.is_text {
            // The elements without quotes are checked with all other references.
            if !references.names_part_of_call(traversal) && is_undefined(&text, names) {
                diagnostics.push(messages::undeclared_dependency(&text).at(place));
                continue;
            }
            if let Some(full) = references.incomplete(traversal) {
                diagnostics.push(messages::incomplete_reference(&traversal.root, &full).at(place));
                continue;
            }
        }
        if let Some(whole) = references.object(traversal) {
            diagnostics.push(messages::part_of_dependency(&whole).at(place));
        } else if let Some(error) = references.instance_key(traversal) {
            diagnostics.push(error.at(place));
        }
    }
}

/// Returns true if a reference is to a name that is not declared.
fn is_undefined(reference: &str, names: &Context) -> bool {
    Expression::parse(reference).is_ok_and(|reference| names.undefined_names(&reference).has_errors())
}

impl References<'_> {
    /// The address of the object, if a reference is to a part of one.
    fn object(&self, reference: &Traversal) -> Option<String> {
        let own = self.full_object(&reference.root)?.len() - 1;
        let key = matches!(reference.steps.get(own).map(|step| &step.target), Some(Target::Element(_)));
        let length = own + usize::from(key);
        let mut whole = reference.clone();
        whole.steps.truncate(length);
        (reference.steps.len() > length).then(|| whole.to_string())
    }
}

fn lifecycle(item: &Item, references: &References<'_>, diagnostics: &mut Diagnostics) {
    let language = references.language;
    // Data sources, for example, are only read.
    let is_read = item.rule.role == Role::Object && item.rule.defines.root().is_some();
    let groups = item.rule.blocks.iter().filter_map(|name| language.nested(name));
    for rule in groups.filter(|rule| rule.role == NestedRole::Group) {
        let Some(known) = &rule.attributes else { continue };
        let outer = language.nested_schema(std::slice::from_ref(&rule.block_type));
        let schema = language.nested_schema(&rule.blocks);
        let schema = known.iter().fold(schema, |schema, name| schema.with_optional(name.clone()));
        for block in &item.block.body.partial_content(&outer).0.0.blocks {
            let parts = diagnostics.absorb(block.body.content(&schema));
            for attribute in &parts.attributes {
                let expression = &attribute.expression;
                let name = &*attribute.name;
                if is_read && RESOURCE_ONLY.contains(&name) {
                    let error = messages::resource_only(name, &item.rule.block_type).at(attribute.name_span);
                    diagnostics.push(error.with_source(&attribute.source));
                    continue;
                }
                match name {
                    IGNORE_CHANGES => ignored(expression, item, references, diagnostics),
                    REPLACE_TRIGGERED_BY => triggers(expression, diagnostics),
                    name => {
                        // OpenTofu allows references and null.
                        let is_constant = rule.constants.iter().any(|(own, _)| *own == *name);
                        if is_constant && !expression.variables().is_empty() {
                            let error = messages::constant_required(name).at(expression.place());
                            diagnostics.push(error);
                            continue;
                        }
                        match expression.evaluate(&Context::new()) {
                            Ok(value) => {
                                let is_null = is_constant && value.is_null();
                                if is_null || value.convert(&Type::Bool).is_err() {
                                    diagnostics.push(literal_bool_required(name).at(expression.place()));
                                }
                            }
                            Err(found) if is_constant => diagnostics.append(found),
                            Err(_) => {}
                        }
                    }
                }
            }
        }
    }
}

fn ignored(list: &Expression, item: &Item, references: &References<'_>, diagnostics: &mut Diagnostics) {
    if list.static_keyword().is_some_and(|word| *word == *"all") {
        return;
    }
    let Ok(elements) = list.static_list() else {
        return diagnostics.push(messages::list_required(IGNORE_CHANGES, "tags").at(list.place()));
    };
    let known = item.labels.first().and_then(|own| references.language.object(&item.rule.block_type, own));
    for element in elements {
        let place = element.place();
        let Some(Reference { traversal, .. }) = Reference::of(&element) else {
            let text = element.evaluate(&Context::new()).ok();
            let is_wildcard = text.is_some_and(|text| text.as_str() == Some("*"));
            let error = if is_wildcard {
                messages::ignored_wildcard()
            } else {
                messages::reference_required(IGNORE_CHANGES, "tags")
            };
            diagnostics.push(error.at(place));
            continue;
        };
        let second = traversal.steps.first().map(|step| &step.target);
        if let [own, name] = &item.address[..]
            && *own == traversal.root
            && matches!(second, Some(Target::Attribute(second)) if second == name)
        {
            let address = crate::step::address(&item.address);
            diagnostics.push(messages::own_address_ignored(&address).at(place));
        } else if let Some(known) = known {
            let computed = known.unknown.iter().map(|(name, _)| name);
            let computed = computed.chain(known.same.iter().map(|(name, _)| name));
            let computed = computed.chain(known.blocks.iter().map(|block| &block.block_type));
            if !known.arguments.iter().chain(computed).any(|name| *name == traversal.root) {
                let names: Vec<&str> = known.arguments.iter().map(|name| &**name).collect();
                diagnostics.push(messages::unknown_ignored(&traversal.root, &names).at(place));
            }
        }
    }
}

fn triggers(list: &Expression, diagnostics: &mut Diagnostics) {
    let Ok(elements) = list.static_list() else {
        let error = messages::list_required(REPLACE_TRIGGERED_BY, "terraform_data.example");
        return diagnostics.push(error.at(list.place()));
    };
    for element in elements {
        let mut found = element.variables();
        // In the JSON syntax, the text of a string is an expression.
        let value = element.json().and_then(|_| element.evaluate(&Context::new()).ok());
        if let Some(text) = value.as_ref().and_then(|value| value.as_str()) {
            found = Expression::parse(text).map(|expression| expression.variables()).unwrap_or_default();
        }
        if found.is_empty() || found.iter().any(|reference| NOT_RESOURCES.contains(&&*reference.root)) {
            diagnostics.push(messages::resource_required().at(element.place()));
        }
    }
}

/// A reference that is not evaluated.
pub(crate) struct Reference {
    pub(crate) traversal: Traversal,
    /// It is written in quotes.
    is_text: bool,
}

impl Reference {
    pub(crate) fn of(element: &Expression) -> Option<Self> {
        if let Ok(traversal) = element.static_traversal() {
            let is_text = element.json().is_some();
            // Literals such as `null` are not references.
            return (is_text || !element.variables().is_empty()).then_some(Self { traversal, is_text });
        }
        let value = element.evaluate(&Context::new()).ok()?;
        let traversal = Expression::parse(value.as_str()?).ok()?.static_traversal().ok()?;
        Some(Self { traversal, is_text: true })
    }
}
