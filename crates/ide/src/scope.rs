//! The names that expressions in a file can use.

use std::collections::HashSet;
use std::sync::Arc;

use hclkit::Expression;
use hclkit::ast::{ExpressionKind, Item};
use hclkit::dialect::{Dialect, Role};
use hclkit::syntax::{NodeKind, Root};
use hclkit::value::{Name, Value};

use crate::Snapshot;
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
    let part = file.part();
    if let Some(part) = part {
        for address in repeated(file, part, offset) {
            add(address, None, 1);
        }
    }
    for other in &module.files {
        let Some(part) = other.part() else { continue };
        for (address, role) in declared(other, part) {
            // Tests refer to results.
            if role != Role::Result || file.is_test() {
                add(address, Some(role), if matches!(role, Role::Object | Role::Call) { 3 } else { 2 });
            }
        }
    }
    if takes_providers(file, offset) {
        for other in &module.files {
            for address in providers(other) {
                add(address, None, 1);
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

/// The addresses of the configurations of providers that have an alias.
fn providers(file: &File) -> Vec<String> {
    let Root::Body(body) = file.document().root() else { return Vec::new() };
    let blocks = body.blocks().filter(|block| block.block_type() == "provider");
    let alias = |block: hclkit::ast::BlockNode<'_>| {
        let alias = block.body().attribute("alias")?.value().text();
        let alias = alias.strip_prefix('"')?.strip_suffix('"')?;
        Some(format!("{}.{alias}", block.labels().next()?.value()))
    };
    blocks.filter_map(alias).collect()
}

fn joined(names: &[Name]) -> String {
    names.iter().map(Name::as_str).collect::<Vec<_>>().join(".")
}

/// The addresses that the blocks of a file define.
pub(crate) fn declared(file: &File, part: &Dialect) -> Vec<(String, Role)> {
    let Root::Body(body) = file.document().root() else { return Vec::new() };
    let mut found = Vec::new();
    for block in body.items().filter_map(Item::block) {
        let Some(rule) = part.block(block.block_type()).filter(|rule| !rule.defines.is_empty()) else {
            continue;
        };
        let labels = block.label_texts();
        let address = |attribute: Option<&str>| -> Option<String> {
            let names = rule.defines.address(&labels, attribute)?;
            names.iter().all(|name| hclkit::syntax::is_identifier(name)).then(|| joined(&names))
        };
        if rule.defines.is_of_attributes() {
            found.extend(
                block.body().attributes().filter_map(|own| Some((address(Some(own.name()))?, rule.role))),
            );
        } else {
            found.extend(address(None).map(|address| (address, rule.role)));
        }
    }
    found
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
    let Root::Body(body) = file.document().root() else { return Vec::new() };
    let around = body.blocks().find(|block| block.span().touches(offset));
    let Some(block) = around else { return Vec::new() };
    let is_given =
        |repeat: &&hclkit::dialect::Repeat| block.body().attribute(repeat.attribute.as_str()).is_some();
    let own = part.repeats.iter().filter(is_given);
    own.flat_map(|repeat| std::iter::once(&repeat.key).chain(&repeat.value))
        .map(|names| joined(names))
        .collect()
}

/// The names of the attributes of the object with an address, as its block has them.
fn written_in(module: &Module, address: &str) -> Vec<String> {
    let plain = address.split('[').next().unwrap_or(address);
    for file in &module.files {
        let (Root::Body(body), Some(part)) = (file.document().root(), file.part()) else { continue };
        for block in body.blocks() {
            let Some(rule) = part.block(block.block_type()).filter(|rule| rule.role == Role::Object) else {
                continue;
            };
            let labels = block.label_texts();
            if rule.defines.address(&labels, None).is_some_and(|names| joined(&names) == plain) {
                let is_own = |name: &&str| !rule.meta.iter().any(|meta| **meta == **name);
                return block
                    .body()
                    .attributes()
                    .map(hclkit::ast::AttributeNode::name)
                    .filter(is_own)
                    .map(str::to_owned)
                    .collect();
            }
        }
    }
    Vec::new()
}

impl Snapshot {
    /// The names below an address, such as the results of a module call and the attributes of a value.
    pub(crate) fn members(&self, module: &Arc<Module>, address: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        if let Some(directory) = module.called(address.split('[').next().unwrap_or(address)) {
            let directory = Some(directory);
            if let Some(called) = directory.and_then(|directory| self.module_in(&directory)) {
                for file in &called.files {
                    let Some(part) = file.part() else { continue };
                    let results = declared(file, part).into_iter().filter(|(_, role)| *role == Role::Result);
                    found.extend(
                        results.filter_map(|(address, _)| Some(address.rsplit_once('.')?.1.to_owned())),
                    );
                }
            }
            return found;
        }
        let Ok(expression) = Expression::parse(address) else { return found };
        if expression.static_traversal().is_err() {
            return found;
        }
        let Some(value) = self.value_in(module, &expression) else { return found };
        // Names in marked values may be sensitive.
        if value.is_marked() {
            return found;
        }
        let names = value.entries().into_iter().flatten().map(|(name, _)| name.to_string());
        let names = names.take(MOST_MEMBERS);
        found.extend(names.filter(|name| hclkit::syntax::is_identifier(name)));
        // What a block sets is known even if its value is not.
        found.extend(written_in(module, address));
        found.sort();
        found.dedup();
        found
    }

    /// The value of an expression in a module. `None` if it takes too much.
    fn value_in(&self, module: &Arc<Module>, expression: &Expression) -> Option<Value> {
        self.within_budget(module, |loaded, budget| {
            let (value, _) = expression.evaluate_lenient(loaded.context());
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
