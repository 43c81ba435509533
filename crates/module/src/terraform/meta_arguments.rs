//! Arguments with a meaning for Terraform that are read without evaluation, such as `depends_on`, `lifecycle` and those of
//! provisioners. Only errors that do not depend on any values are reported.

use std::collections::HashSet;

use hclkit_dialect::{Dialect, NestedRole, NestedRule, Role};
use hclkit_model::{Attribute, Block, Context, Expression, Schema, Target, Traversal};
use hclkit_syntax::Diagnostics;
use hclkit_value::{Name, Type};

use crate::block_rules::constant;
use crate::config::{Item, Shape, exactly_one, unescaped};
use crate::lint::references::References;
use crate::messages::literal_bool_required;
use crate::terraform::messages::meta as messages;
use crate::terraform::providers::is_provider_name;
use crate::unevaluated::{DEPENDS_ON, REPLACE_TRIGGERED_BY, Reference, dependencies_of};

const IGNORE_CHANGES: &str = "ignore_changes";
const ACTION: &str = "action";
const ACTIONS: &str = "actions";
const ACTION_EXAMPLE: &str = "action.aws_lambda_invoke.example";
const PROVISIONER: &str = "provisioner";
const PROVIDER_META: &str = "provider_meta";
const CONNECTION: &str = "connection";
const HOST: &str = "host";
/// When a provisioner runs, and the keyword for those that run when a resource is destroyed.
const WHEN: (&str, &str) = ("when", "destroy");
/// What such a provisioner can refer to.
const KNOWN_AT_DESTROY: [&str; 5] = ["self", "count", "each", "path", "terraform"];
/// Roots of references that are not resources.
const NOT_RESOURCES: [&str; 5] = ["var", "local", "module", "path", "terraform"];

/// Checks the arguments of a block.
pub(super) fn check(
    item: &Item,
    references: &References<'_>,
    names: &Context,
    diagnostics: &mut Diagnostics,
) {
    if let Some(attribute) = dependencies_of(item) {
        dependencies(&attribute.expression, references, names, diagnostics);
    }
    if item.block.body.may_have_blocks() {
        nested(item, references.language, names, diagnostics);
        lifecycle(item, references, diagnostics);
    }
}

/// Checks provisioners and how they connect, and metadata of providers.
fn nested(item: &Item, language: &Dialect, names: &Context, diagnostics: &mut Diagnostics) {
    let schema = language.nested_schema(&item.rule.blocks);
    let (mut own, mut provisioners) = (Vec::new(), Vec::new());
    for block in item.block.body.partial_content(&schema).0.0.blocks {
        let Some(rule) = language.nested(&block.block_type) else { continue };
        if *block.block_type == *PROVIDER_META
            && let Some(name) = block.labels.first().filter(|name| !is_provider_name(name))
        {
            let span = block.label_spans.first().copied().unwrap_or(block.definition_span);
            let error = super::messages::providers::invalid_name(name).at(span);
            diagnostics.push(error.with_source(&block.source));
        }
        at_destroy(rule, &block, names, diagnostics);
        // Those of removed resources are not checked.
        if let [object_type] = &block.labels[..]
            && let Some(known) = language.object(&block.block_type, object_type)
            && item.rule.role == Role::Object
        {
            let fixed = rule.fixed.iter().fold(Schema::new(), |all, name| all.with_optional(name.clone()));
            let outer = fixed.with_block(CONNECTION, &[]);
            let (_, rest) = diagnostics.absorb(block.body.partial_content(&outer));
            let rest = unescaped(language, rest, diagnostics);
            let names = known.arguments.iter();
            let schema = names.fold(Schema::new(), |all, name| all.with_optional(name.clone()));
            let schema = known.required.iter().fold(schema, |all, name| all.with_required(name.clone()));
            let parts = diagnostics.absorb(rest.content(&schema));
            exactly_one(&known.one_of, |name| parts.attributes.get(name).cloned(), &block, diagnostics);
        }
        match &*block.block_type {
            CONNECTION => own.push(block),
            PROVISIONER => provisioners.push(block),
            _ => {}
        }
    }
    connections(&own, &provisioners, language, diagnostics);
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
        if let [first, second, ..] = &inner[..] {
            let error = messages::several_in_block(second, first, PROVISIONER);
            diagnostics.push(error.at(second.definition_place()));
        }
        for block in inner {
            diagnostics.append(block.body.content(&schema).1);
        }
    }
    for block in own {
        diagnostics.append(block.body.content(&schema).1);
    }
}

/// Whether a provisioner runs when its resource is destroyed. A keyword in quotes is one, too.
pub(crate) fn runs_at_destroy(block: &Block) -> bool {
    let (when, destroy) = WHEN;
    let keyword = |own: Attribute| {
        own.expression
            .static_keyword()
            .or_else(|| Some(Name::from(own.expression.evaluate(&Context::new()).ok()?.as_str()?)))
    };
    block.body.attribute(when).and_then(keyword).is_some_and(|own| *own == *destroy)
}

/// Reports references of a provisioner that runs when its resource is destroyed. Other objects may no longer exist then.
fn at_destroy(rule: &NestedRule, block: &Block, names: &Context, diagnostics: &mut Diagnostics) {
    if !rule.fixed.iter().any(|name| *name == *WHEN.0) || !runs_at_destroy(block) {
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
    let groups = item.rule.blocks.iter().filter_map(|name| language.nested_in(&item.rule.block_type, name));
    for rule in groups.filter(|rule| rule.role == NestedRole::Group) {
        let Some(known) = &rule.attributes else { continue };
        // Data sources, for example, are only read, and have less of it than resources.
        let of_resources = language.nested(&rule.block_type).and_then(|all| all.attributes.as_ref());
        let outer = language.nested_schema(std::slice::from_ref(&rule.block_type));
        let nested = language.nested_schema(&rule.blocks);
        let schema = known.iter().chain(of_resources.into_iter().flatten());
        let schema = schema.fold(nested, |schema, name| schema.with_optional(name.clone()));
        for block in &item.block.body.partial_content(&outer).0.0.blocks {
            let parts = diagnostics.absorb(block.body.content(&schema));
            for inner in &parts.blocks {
                if let Some(rule) = language.nested_in(&block.block_type, &inner.block_type) {
                    trigger(rule, inner, references, diagnostics);
                }
            }
            for attribute in &parts.attributes {
                let expression = &attribute.expression;
                let name = &*attribute.name;
                if !known.contains(&attribute.name) {
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
                        let is_of_instance =
                            |target: &Traversal| KNOWN_AT_DESTROY[..3].contains(&&*target.root);
                        let is_repeat = rule.repeat.contains(&attribute.name);
                        if let Some(own) =
                            expression.references().find(|own| !is_repeat && is_of_instance(own))
                        {
                            let error = messages::instance_in_argument(name).at(own.span());
                            diagnostics.push(error.with_source(expression.source()));
                        }
                        // What determines instances is evaluated with them. In the JSON syntax, a string without names to
                        // refer to is not a template.
                        if !is_constant && (is_repeat || !expression.variables().is_empty()) {
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

/// Checks what triggers actions.
fn trigger(rule: &NestedRule, block: &Block, references: &References<'_>, diagnostics: &mut Diagnostics) {
    if rule.lists.is_empty() {
        return;
    }
    constant::check_nested(rule, references.language, block, diagnostics);
    let names = rule.attributes.iter().flatten();
    let schema = names.fold(Schema::new(), |all, name| all.with_optional(name.clone()));
    let schema = rule.required.iter().fold(schema, |all, name| all.with_required(name.clone()));
    let parts = diagnostics.absorb(block.body.content(&schema));
    for (name, known) in &rule.lists {
        let Some(attribute) = parts.attributes.get(name) else { continue };
        let example = known.first().map(Name::as_str).unwrap_or_default();
        let Some(elements) = filled_list(&attribute.expression, name, example, diagnostics) else { continue };
        let mut seen = HashSet::new();
        for element in elements {
            let word = element.static_keyword().filter(|word| known.contains(word));
            match word {
                None => diagnostics.push(messages::keyword_required(name, known).at(element.place())),
                Some(word) if !seen.insert(word.clone()) => {
                    diagnostics.push(messages::repeated_keyword(&word).at(element.place()));
                }
                Some(_) => {}
            }
        }
    }
    let Some(attribute) = parts.attributes.get(ACTIONS) else { return };
    for element in
        filled_list(&attribute.expression, ACTIONS, ACTION_EXAMPLE, diagnostics).unwrap_or_default()
    {
        let is_text = element.json().is_none() && element.variables().is_empty();
        let found = action(&element).filter(|_| !is_text);
        let Some((names, is_whole)) =
            found.filter(|(names, _)| names.first().is_some_and(|root| *root == *ACTION))
        else {
            diagnostics.push(messages::reference_required(ACTIONS, ACTION_EXAMPLE).at(element.place()));
            continue;
        };
        let address = crate::step::address(&names);
        if !is_whole || names.len() != 3 {
            diagnostics.push(messages::reference_required(ACTIONS, ACTION_EXAMPLE).at(element.place()));
        } else if references.config.definitions().get(&names).is_none() {
            diagnostics.push(messages::undeclared_action(&address).at(element.place()));
        }
    }
}

/// The names of a reference to an action, and whether nothing but a key follows them.
fn action(element: &Expression) -> Option<(Vec<Name>, bool)> {
    let traversal = match Reference::of(element) {
        Some(reference) => reference.traversal,
        // The key is an expression.
        None => element.variables().into_iter().find(|own| own.span().start == element.span().start)?,
    };
    let name = |target: &Target| match target {
        Target::Attribute(name) => Some(name.clone()),
        Target::Element(_) => None,
    };
    let targets: Vec<&Target> = traversal.steps.iter().map(|step| &step.target).collect();
    let names: Vec<Name> = targets.iter().map_while(|target| name(target)).collect();
    let is_whole = targets.len() <= names.len() + 1;
    Some((std::iter::once(traversal.root.clone()).chain(names).collect(), is_whole))
}

/// The elements of a list that must not be empty.
fn filled_list(
    list: &Expression,
    name: &str,
    example: &str,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Expression>> {
    let elements = list.static_list().ok().filter(|elements| !elements.is_empty());
    if elements.is_none() {
        diagnostics.push(messages::list_required(name, example).at(list.place()));
    }
    elements
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
