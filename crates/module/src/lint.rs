//! What is certainly wrong or useless without evaluation: declarations that nothing refers to.

use std::collections::BTreeSet;
use std::sync::Arc;

use hclkit_model::{Expression, Target};
use hclkit_syntax::Diagnostics;
use hclkit_value::Name;

use crate::config::{Config, Content};
use crate::language::Role;
use crate::messages;

/// Reports variables and values of a directory to which nothing in it refers.
pub(crate) fn unused(config: &Arc<Config>, diagnostics: &mut Diagnostics) {
    let mut used: BTreeSet<Vec<Name>> = BTreeSet::new();
    let mut add = |expression: &Expression| {
        for reference in expression.variables() {
            let name = |step: &hclkit_model::TraversalStep| match &step.target {
                Target::Attribute(name) => Some(name.clone()),
                Target::Element(key) => key.as_str().map(Name::from),
            };
            let steps = reference.steps.iter().map_while(name);
            used.insert(std::iter::once(reference.root.clone()).chain(steps).collect());
        }
    };
    for named in &config.values {
        add(&named.attribute.expression);
    }
    for item in &config.items {
        // A validation does not use its variable.
        if item.rule.role != Role::Input {
            item.expressions().into_iter().for_each(&mut add);
        }
        item.more.iter().for_each(&mut add);
        if let Content::Call(call) = &item.content {
            call.arguments.iter().for_each(|argument| add(&argument.expression));
        }
    }
    let is_used = |path: &[Name]| {
        let below = used.range(path.to_vec()..).next().is_some_and(|first| first.starts_with(path));
        // Who refers to a whole group refers to its members.
        below || (1..path.len()).any(|length| used.contains(&path[..length]))
    };
    for item in config.items.iter().filter(|item| item.rule.role == Role::Input) {
        if !is_used(&item.address) {
            diagnostics.push(messages::unused(&crate::config::address(&item.address)).at(item.place()));
        }
    }
    for named in config.values.iter().filter(|named| !is_used(&named.address)) {
        let unused = messages::unused(&crate::config::address(&named.address)).at(named.attribute.name_span);
        diagnostics.push(unused.with_source(&named.attribute.source));
    }
}
