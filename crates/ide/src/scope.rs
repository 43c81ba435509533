//! The names that expressions in a file can use.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use hclkit::Expression;
use hclkit::ast::ExpressionKind;
use hclkit::dialect::{Dialect, Role};
use hclkit::refactor::DeclaredName;
use hclkit::syntax::{NodeKind, is_identifier};
use hclkit::value::{Name, Type, Value};

use crate::Snapshot;
use crate::completion::{Part, Parts};
use crate::file::File;
use crate::module::Module;

/// The most names in a value that are offered.
const MOST_MEMBERS: usize = 10_000;
/// The most elements of a list whose indexes are offered.
const MOST_INDEXES: usize = 50;

/// A name that an expression can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Usable {
    /// The address, such as `var.region`.
    pub(crate) address: String,
    pub(crate) role: Option<Role>,
    /// How near it is: names of loops come first.
    pub(crate) rank: u8,
}

/// The names that expressions at an offset can use.
pub(crate) fn at(file: &File, module: &Module, offset: u32) -> Vec<Usable> {
    let mut found: Vec<Usable> = Vec::new();
    let mut known = HashSet::new();
    let mut add = |address: String, role: Option<Role>, rank: u8| {
        if known.insert(address.clone()) {
            found.push(Usable { address, role, rank });
        }
    };
    for name in loop_names(file, offset) {
        add(name, None, 0);
    }
    let part = file.content_dialect();
    if let Some(part) = part {
        for address in repeated(file, part, offset) {
            add(address, None, 1);
        }
    }
    // The file of the module may be in the other syntax, and so have other places.
    let here = declared(file).filter(|(own, _)| own.item.touches(offset));
    let here: Vec<_> = here.map(|(own, _)| own.address.clone()).collect();
    for other in &module.files {
        for (own, role) in declared(other) {
            // What is declared at the place itself is no name in it.
            let is_own = other.path() == file.path() && here.contains(&own.address) && role != Role::Input;
            // Tests refer to results.
            if !is_own && (role != Role::Result || file.is_test()) {
                let rank = if matches!(role, Role::Object | Role::Call) { 3 } else { 2 };
                add(own.address.join("."), Some(role), rank);
            }
        }
    }
    if takes_providers(file, offset) {
        for other in &module.files {
            for alias in other.names().declared().iter().filter(|own| own.is_alias()) {
                add(alias.address.join("."), None, 1);
            }
        }
    }
    for (names, _) in part.into_iter().flat_map(|part| &part.builtins) {
        add(joined(names), None, 4);
    }
    found
}

/// Whether an offset is in an argument that takes providers.
fn takes_providers(file: &File, offset: u32) -> bool {
    let document = file.document();
    let attribute =
        document.nodes_at(offset).into_iter().find(|&node| document.tree().kind(node) == NodeKind::Attribute);
    let name = attribute.and_then(|node| document.text(node).split(['=', ' ']).next());
    matches!(name, Some("provider" | "providers"))
}

fn joined(names: &[Name]) -> String {
    names.iter().map(Name::as_str).collect::<Vec<_>>().join(".")
}

/// The names that the blocks of a file declare with a role, and that expressions can contain.
pub(crate) fn declared(file: &File) -> impl Iterator<Item = (&DeclaredName, Role)> {
    let is_usable = |own: &&DeclaredName| own.address.iter().all(|name| is_identifier(name));
    let declared = file.names().declared().iter().filter(is_usable);
    declared.filter_map(|own| own.role.map(|role| (own, role)))
}

/// The last names of what the files of a module declare with a role.
pub(crate) fn declared_with(module: &Module, role: Role) -> Vec<String> {
    let declared = module.files.iter().flat_map(|file| declared(file));
    declared.filter(|(_, own)| *own == role).map(|(own, _)| own.name().to_owned()).collect()
}

/// The names that the loops around an offset declare, from the inside out.
pub(crate) fn loop_names(file: &File, offset: u32) -> Vec<String> {
    let document = file.document();
    let mut names = Vec::new();
    for node in document.nodes_at(offset).into_iter().rev() {
        match document.tree().kind(node) {
            NodeKind::ForTuple | NodeKind::ForObject => {
                if let ExpressionKind::For(own) = document.expression_at(node).kind() {
                    let own = own.key_variable().into_iter().chain([own.value_variable()]);
                    names.extend(own.map(|name| name.to_string()).filter(|name| !name.is_empty()));
                }
            }
            NodeKind::Block => {
                if let Some(block) = document.block_at(node).filter(|block| block.block_type() == "dynamic")
                    && let Some(label) = block.labels().last()
                {
                    let own = block.body().attribute("iterator").map(|own| own.value().text().to_owned());
                    let own = own.unwrap_or_else(|| label.value().into_owned());
                    names.extend([format!("{own}.key"), format!("{own}.value")]);
                }
            }
            _ => {}
        }
    }
    names
}

/// The names that the repetition of the block around an offset binds, such as `each.key`.
fn repeated(file: &File, part: &Dialect, offset: u32) -> Vec<String> {
    let content = file.content();
    let around = content.blocks.iter().find(|block| block.span.touches(offset));
    let Some(block) = around else { return Vec::new() };
    let is_given =
        |repeat: &&hclkit::dialect::Repeat| block.body.attribute(repeat.attribute.as_str()).is_some();
    let own = part.repeats.iter().filter(is_given);
    own.flat_map(|repeat| std::iter::once(&repeat.key).chain(&repeat.value))
        .map(|names| joined(names))
        .collect()
}

/// The names of the attributes of the object with an address, as its block has them.
fn written_in(module: &Module, address: &str) -> Vec<String> {
    let plain = address.split('[').next().unwrap_or(address);
    for file in &module.files {
        let Some(part) = file.content_dialect() else { continue };
        for block in file.content().blocks {
            let Some(rule) = part.block(&block.block_type).filter(|rule| rule.role == Role::Object) else {
                continue;
            };
            if rule.defines.address(&block.labels, None).is_some_and(|names| joined(&names) == plain) {
                let names = block.body.attributes.iter().map(|own| own.name.to_string());
                return names.filter(|name| !rule.meta.iter().any(|meta| **meta == **name)).collect();
            }
        }
    }
    Vec::new()
}

impl Snapshot {
    /// The names below an address, such as the results of a module call and the attributes of a value, with their types.
    /// `None` if they may be sensitive.
    pub(crate) fn members(&self, module: &Arc<Module>, address: &str) -> Option<Parts> {
        let mut found: BTreeMap<String, Option<Type>> = BTreeMap::new();
        if let Some(directory) = module.called(address.split('[').next().unwrap_or(address)) {
            let called = self.module_in(&directory);
            let names = called.map(|called| declared_with(&called, Role::Result)).unwrap_or_default();
            return Some(names.into_iter().map(|name| (name, None)).collect());
        }
        let Ok(expression) = Expression::parse(address) else { return Some(Parts::new()) };
        if expression.static_traversal().is_err() {
            return Some(Parts::new());
        }
        let Some(value) = self.value_in(module, &expression) else { return Some(Parts::new()) };
        let parts = Part::of(&value)?;
        let names = parts.parts().into_iter().take(MOST_MEMBERS);
        found.extend(names.filter(|(name, _)| is_identifier(name)));
        // What a block sets is known even if its value is not.
        for name in written_in(module, address) {
            found.entry(name).or_default();
        }
        Some(found.into_iter().collect())
    }

    /// The value of an expression in a module. `None` if it takes too much.
    pub(crate) fn value_in(&self, module: &Arc<Module>, expression: &Expression) -> Option<Value> {
        self.within_budget(module, |loaded, budget| {
            let (value, _) = expression.evaluate_alone(loaded.context());
            (!budget.is_exceeded()).then_some(value)
        })?
    }

    /// The keys of a value, or of the instances of an object or a module, as source.
    pub(crate) fn keys(&self, module: &Arc<Module>, address: &str) -> Vec<String> {
        let Ok(expression) = Expression::parse(address) else { return Vec::new() };
        if expression.static_traversal().is_err() {
            return Vec::new();
        }
        let Some(value) = self.value_in(module, &expression) else { return Vec::new() };
        // Names in marked values may be sensitive.
        if value.is_marked() {
            return Vec::new();
        }
        if let Some(elements) = value.as_slice() {
            return (0..elements.len().min(MOST_INDEXES)).map(|index| index.to_string()).collect();
        }
        let names = value.entries().into_iter().flatten().take(MOST_MEMBERS).map(|(name, _)| name);
        names.map(|name| Value::from(name.clone()).show().to_string()).collect()
    }
}
