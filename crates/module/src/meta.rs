//! Arguments with a meaning for the language that are read without evaluation: `depends_on`, `lifecycle` and version
//! constraints. Only errors that do not depend on any values are reported.

use std::path::Path;

use hclkit_model::{Block, Context, Expression, Target, Traversal};
use hclkit_syntax::Diagnostics;
use hclkit_value::Type;

use crate::config::{Content, Item};
use crate::language::{Language, NestedRole, Part, Role};
use crate::lint::References;
use crate::messages::literal_bool_required;
use crate::messages::meta as messages;

const DEPENDS_ON: &str = "depends_on";
const IGNORE_CHANGES: &str = "ignore_changes";
const REPLACE_TRIGGERED_BY: &str = "replace_triggered_by";
/// Arguments of `lifecycle` that only managed resources can have.
const RESOURCE_ONLY: [&str; 4] =
    ["create_before_destroy", IGNORE_CHANGES, "prevent_destroy", REPLACE_TRIGGERED_BY];
/// Roots of references that are not resources.
const NOT_RESOURCES: [&str; 5] = ["var", "local", "module", "path", "terraform"];

/// Checks the arguments of a block.
pub(crate) fn check(
    item: &Item,
    references: &References<'_>,
    names: &Context,
    diagnostics: &mut Diagnostics,
) {
    let body = &item.block.body;
    if item.rule.references.iter().any(|name| *name == *DEPENDS_ON)
        && let Some(attribute) = body.attribute(DEPENDS_ON)
    {
        dependencies(&attribute.expression, references, names, diagnostics);
    }
    for name in &item.rule.constraints {
        let Some(attribute) = body.attribute(name) else { continue };
        let value = attribute.expression.evaluate(&Context::new()).ok();
        let Some(text) = value.as_ref().and_then(|value| value.as_str()) else { continue };
        if !text.split(',').all(is_constraint) {
            diagnostics.push(messages::invalid_constraint(name).at(attribute.expression.place()));
        } else if matches!(item.content, Content::Call(_)) && is_directory(item) {
            diagnostics.push(messages::version_of_directory().at(attribute.expression.place()));
        }
    }
    lifecycle(item, references, diagnostics);
}

/// Reports nested blocks of which a directory has at most one.
pub(crate) fn check_single(references: &References<'_>, diagnostics: &mut Diagnostics) {
    let language = references.language;
    let mut first: Option<Block> = None;
    for item in &references.config.items {
        // A block in an override file replaces the other one.
        if item.rule.single.is_empty() || item.is_override(language) {
            continue;
        }
        let schema = language.nested_schema(&item.rule.single);
        for block in item.block.body.partial_content(&schema).0.0.blocks {
            match &first {
                Some(first) => {
                    diagnostics.push(messages::several(&block, first).at(block.definition_place()));
                }
                None => first = Some(block),
            }
        }
    }
}

impl Item {
    /// Whether the block is in an override file.
    pub(crate) fn is_override(&self, language: &Language) -> bool {
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
            let expression = Expression::parse(text.as_str());
            if expression.is_ok_and(|expression| names.undefined_names(&expression).has_errors()) {
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
        }
    }
}

impl References<'_> {
    /// The address of the object, if a reference is to a part of one.
    fn object(&self, reference: &Traversal) -> Option<String> {
        let own = self.full_object(&reference.root)?.split('.').count() - 1;
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
    let is_read = item.rule.role == Role::Object && matches!(item.rule.defines.first(), Some(Part::Name(_)));
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
                        // Some versions allow references and null.
                        let value = expression.evaluate(&Context::new()).ok();
                        if value.is_some_and(|value| value.convert(&Type::Bool).is_err()) {
                            diagnostics.push(literal_bool_required(name).at(expression.place()));
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
            let address = crate::config::address(&item.address);
            diagnostics.push(messages::own_address_ignored(&address).at(place));
        } else if let Some(known) = known {
            let computed = known.unknown.iter().map(|(name, _)| name);
            let computed = computed.chain(known.same.iter().map(|(name, _)| name));
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
    pub(crate) fn of(element: &Expression) -> Option<Reference> {
        if let Ok(traversal) = element.static_traversal() {
            let is_text = element.json().is_some();
            // Literals such as `null` are not references.
            return (is_text || !element.variables().is_empty()).then_some(Reference { traversal, is_text });
        }
        let value = element.evaluate(&Context::new()).ok()?;
        let traversal = Expression::parse(value.as_str()?).ok()?.static_traversal().ok()?;
        Some(Reference { traversal, is_text: true })
    }
}

/// Whether the source of a call is a local directory.
fn is_directory(item: &Item) -> bool {
    let source = item
        .block
        .body
        .attribute("source")
        .and_then(|source| source.expression.evaluate(&Context::new()).ok());
    source
        .as_ref()
        .and_then(|source| source.as_str())
        .is_some_and(|text| text.starts_with("./") || text.starts_with("../"))
}

/// Whether a text is an operator and a version.
fn is_constraint(text: &str) -> bool {
    let text = text.trim();
    let operators = ["~>", ">=", "<=", "!=", "=", ">", "<"];
    let version =
        operators.iter().find_map(|operator| text.strip_prefix(operator)).unwrap_or(text).trim_start();
    let version = version.strip_prefix('v').unwrap_or(version);
    let end = version.find(|next: char| !next.is_ascii_digit() && next != '.').unwrap_or(version.len());
    let (numbers, rest) = version.split_at(end);
    let is_suffix = |next: char| next.is_ascii_alphanumeric() || "-~.+".contains(next);
    numbers.split('.').all(|number| !number.is_empty()) && rest.chars().all(is_suffix)
}
