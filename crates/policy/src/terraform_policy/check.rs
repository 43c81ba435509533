//! What is checked in files of policies and of tests: the shapes of blocks, names, functions, and settings.

use std::collections::{BTreeSet, HashSet};

use hclkit::model::{Block, BodyItem, StaticCall};
use hclkit::syntax::{did_you_mean, nearest_name};
use hclkit::{Code, Context, Diagnostic, Diagnostics, Expression, Functions, Place, Severity, Span, Value};

use super::version::Constraints;

pub(super) const INVALID: Code = Code::custom("invalid-policy", "Invalid policy").with_explanation(
    "A file of policies, or of their tests, has an error: an unknown block, argument, function or name, or a wrong type.",
);

pub(super) fn invalid(note: impl Into<String>) -> Diagnostic {
    Diagnostic::error(INVALID).with_note(note.into())
}

/// The arguments and nested blocks of a block.
pub(super) struct Shape {
    pub(super) attributes: &'static [&'static str],
    pub(super) required: &'static [&'static str],
    pub(super) blocks: &'static [&'static str],
}

/// Reports what a block cannot have, and what it lacks.
pub(super) fn check_shape(block: &Block, shape: &Shape, found: &mut Diagnostics) {
    let kind = &block.block_type;
    for item in block.body.items() {
        let name = item.name();
        let place = Place::new(&block.source, item.name_span());
        let (own, other) = match item {
            BodyItem::Attribute(_) => (shape.attributes, shape.blocks),
            BodyItem::Block(_) => (shape.blocks, shape.attributes),
        };
        if own.contains(&name) {
            if let BodyItem::Block(own) = &item
                && !own.labels.is_empty()
            {
                found.push(invalid(format!("A block `{name}` has no labels.")).at(place));
            }
            continue;
        }
        let note = if other.contains(&name) {
            let is = if matches!(item, BodyItem::Attribute(_)) {
                "a block, not an argument"
            } else {
                "an argument, not a block"
            };
            format!("`{name}` of `{kind}` is {is}.")
        } else {
            let all = shape.attributes.iter().chain(shape.blocks).copied();
            match nearest_name(name, all.clone()) {
                Some(near) => format!("`{kind}` has no argument or block `{name}`. Did you mean `{near}`?"),
                None if all.clone().next().is_none() => {
                    format!("`{kind}` has no argument or block `{name}`.")
                }
                None => {
                    let all: Vec<&str> = all.collect();
                    format!(
                        "`{kind}` has no argument or block `{name}`. Expected one of: {}.",
                        all.join(", ")
                    )
                }
            }
        };
        found.push(invalid(note).at(place));
    }
    for name in shape.required {
        if block.body.attribute(name).is_none() {
            found.push(invalid(format!("`{kind}` must have `{name}`.")).at(block.definition_place()));
        }
    }
    for name in shape.blocks.iter().filter(|own| **own != "enforce") {
        if let Some(second) = block.body.blocks(name, &[]).get(1) {
            let note = format!("`{kind}` has at most one block `{name}`.");
            found.push(invalid(note).at(second.definition_place()));
        }
    }
}

/// The arguments of a block in which any name is allowed.
pub(super) fn definitions(block: &Block, found: &mut Diagnostics) -> Vec<(String, Expression)> {
    let (attributes, own) = block.body.attributes();
    found.append(own);
    attributes.iter().map(|own| (own.name.to_string(), own.expression.clone())).collect()
}

const CONFIG: Shape = Shape { attributes: &["required_version"], required: &[], blocks: &[] };

/// The names that expressions can use.
pub(super) struct Known<'k> {
    pub(super) roots: &'k [&'k str],
    pub(super) locals: HashSet<&'k str>,
    pub(super) inputs: HashSet<&'k str>,
    pub(super) meta: &'k [&'static str],
    pub(super) functions: &'k Functions,
    pub(super) plugins: &'k BTreeSet<String>,
}

impl Known<'_> {
    /// Reports names and functions that there are not, also inside of `core::try`.
    pub(super) fn check(&self, expression: &Expression, found: &mut Diagnostics) {
        let place = |span: Span| Place::new(expression.source(), span);
        for reference in expression.variables() {
            let root = &*reference.root;
            if !self.roots.contains(&root) {
                let near = nearest_name(root, self.roots.iter().copied());
                let hint = did_you_mean(near);
                let known = self.roots.join(", ");
                let note = format!("There is no name `{root}` here.{hint} Known: {known}.");
                found.push(invalid(note).at(place(reference.root_span)));
                continue;
            }
            let Some(name) = reference.steps.first().and_then(|step| step.target.name()) else { continue };
            let span = reference.steps[0].span;
            let (what, known): (&str, Vec<&str>) = match root {
                "local" if !self.locals.contains(name) => {
                    ("local value", self.locals.iter().copied().collect())
                }
                "input" if !self.inputs.contains(name) => ("input", self.inputs.iter().copied().collect()),
                "meta" if !self.meta.contains(&name) => ("attribute of `meta`", self.meta.to_vec()),
                _ => continue,
            };
            let hint = did_you_mean(nearest_name(name, known));
            found.push(invalid(format!("There is no {what} `{name}`.{hint}")).at(place(span)));
        }
        for StaticCall { name, name_span: span, .. } in expression.calls() {
            if let Some(rest) = name.strip_prefix("plugin::") {
                let plugin = rest.split("::").next().unwrap_or_default();
                if !self.plugins.contains(plugin) {
                    let hint = did_you_mean(nearest_name(plugin, self.plugins.iter().map(String::as_str)));
                    let note = format!("There is no plugin `{plugin}` in the block `plugins`.{hint}");
                    found.push(invalid(note).at(place(span)));
                }
                continue;
            }
            if self.functions.get(&name).is_some() {
                continue;
            }
            let qualified = format!("core::{name}");
            let error = if self.functions.get(&qualified).is_some() {
                // The call may be in a branch that is not selected.
                invalid(format!("Functions are in the namespace `core`: write `{qualified}`."))
                    .with_severity(Severity::Warning)
                    .at(place(span))
                    .with_edit(format!("Write `{qualified}`"), span, qualified)
            } else {
                let bare = name.strip_prefix("core::").unwrap_or(&name);
                let names = self.functions.names().filter_map(|own| own.strip_prefix("core::"));
                let near = nearest_name(bare, names).map(|near| format!("core::{near}"));
                let hint = did_you_mean(near.as_deref());
                invalid(format!("There is no function `{name}`.{hint}")).at(place(span))
            };
            found.push(error);
        }
    }
}

/// The plugins that a block `policy` or `policytest` names. Their sources are checked, and not read.
pub(super) fn plugins(block: &Block, found: &mut Diagnostics) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for own in block.body.blocks("plugins", &[]) {
        for (name, expression) in definitions(&own, found) {
            let has_source = |value: &Value| {
                value.as_str().is_some() || value.attribute("source").is_ok_and(|own| own.as_str().is_some())
            };
            match expression.evaluate(&Context::new()) {
                Ok(value) if has_source(&value) => {}
                Ok(_) => {
                    let note = format!("The plugin `{name}` is an object with a `source`.");
                    found.push(invalid(note).at(expression.place()));
                }
                Err(own) => found.append(own),
            }
            names.insert(name);
        }
    }
    names
}

/// Checks what a block says about the version of Terraform.
pub(super) fn check_config(block: &Block, found: &mut Diagnostics) {
    for own in block.body.blocks("terraform_config", &[]) {
        check_shape(&own, &CONFIG, found);
        if let Some(version) = own.body.attribute("required_version") {
            check_constraint(&version.expression, found);
        }
    }
}

fn check_constraint(expression: &Expression, found: &mut Diagnostics) {
    match expression.evaluate(&Context::new()) {
        Ok(value) if value.as_str().is_some_and(|text| Constraints::parse(text).is_some()) => {}
        Ok(_) => {
            let note = "A constraint on versions is required, such as `\">= 1.2, < 2.0\"`.";
            found.push(invalid(note).at(expression.place()));
        }
        Err(own) => found.append(own),
    }
}

pub(super) fn check_required(block: &Block, found: &mut Diagnostics) {
    for own in block.body.blocks("required_providers", &[]) {
        for (name, expression) in definitions(&own, found) {
            let Ok(items) = expression.static_map() else {
                let note = format!("The provider `{name}` is an object with a `source`, and a `version`.");
                found.push(invalid(note).at(expression.place()));
                continue;
            };
            let mut has_source = false;
            for (key, value) in items {
                let key_name = key.static_keyword().map(|own| own.to_string());
                let key_name = key_name.or_else(|| {
                    key.evaluate(&Context::new()).ok().and_then(|own| own.as_str().map(str::to_owned))
                });
                match key_name.as_deref() {
                    Some("source") => {
                        has_source = value.evaluate(&Context::new()).is_ok_and(|own| own.as_str().is_some());
                    }
                    Some("version") => check_constraint(&value, found),
                    other => {
                        let name = other.unwrap_or_default();
                        let hint = did_you_mean(nearest_name(name, ["source", "version"]));
                        let note = format!("A required provider has no `{name}`.{hint}");
                        found.push(invalid(note).at(key.place()));
                    }
                }
            }
            if !has_source {
                let note =
                    format!("The provider `{name}` must have a `source`, such as `\"hashicorp/aws\"`.");
                found.push(invalid(note).at(expression.place()));
            }
        }
    }
}
