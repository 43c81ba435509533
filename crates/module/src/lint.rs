//! Findings that need no evaluation: references to undefined names, and unused declarations.

use std::collections::BTreeSet;
use std::sync::Arc;

use hclkit_model::{Expression, Target};
use hclkit_syntax::Diagnostics;
use hclkit_value::{Name, Value};

use crate::config::{Config, Content};
use crate::instance::Tree;
use crate::language::Role;
use crate::messages;
use crate::repeat::{Instances, bind};

/// Reports references to names that a directory does not define, even in expressions that are not evaluated.
pub(crate) fn undefined(tree: &Arc<Tree>, config: &Arc<Config>, diagnostics: &mut Diagnostics) {
    let names = crate::instance::names(tree, config);
    for named in &config.values {
        diagnostics.append(names.undefined_names(&named.attribute.expression));
    }
    for item in &config.items {
        if let Some((_, expression)) = &item.repetition {
            diagnostics.append(names.undefined_names(expression));
        }
        let any = Instances::Unknown.any(item.repeat());
        let context = bind(&names, item.repeat(), any.as_ref());
        let mut check = |expression: &Expression, bound: &[Name]| {
            let mut context = context.clone();
            if !bound.is_empty() {
                context.set_all(bound.iter().map(|name| (name.clone(), Value::DYNAMIC)));
            }
            diagnostics.append(context.undefined_names(expression));
        };
        match &item.content {
            Content::Output(output) => output.value.iter().for_each(|value| check(value, &[])),
            Content::Settings(shape) if item.rule.role == Role::Build => {
                // In a build, it is also the name of the source that is built.
                let source = [Name::from("source")];
                shape.each(&mut |expression, bound| check(expression, &[bound, &source].concat()));
            }
            Content::Object(shape) | Content::Settings(shape) => shape.each(&mut check),
            Content::Call(call) => {
                call.arguments.iter().for_each(|argument| check(&argument.expression, &[]));
            }
            Content::Input(_) | Content::Check => {}
        }
        for condition in &item.conditions {
            let bound = condition.binds.as_slice();
            check(&condition.expression, bound);
            condition.message.iter().for_each(|message| check(message, bound));
        }
        item.more.iter().for_each(|(expression, bound)| check(expression, bound));
    }
}

/// Reports variables and values of a directory that nothing in it refers to.
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
        // A validation does not count as a use of its variable.
        if item.rule.role != Role::Input {
            item.expressions().into_iter().for_each(&mut add);
        }
        item.more.iter().for_each(|(expression, _)| add(expression));
        if let Content::Call(call) = &item.content {
            call.arguments.iter().for_each(|argument| add(&argument.expression));
        }
    }
    let is_used = |path: &[Name]| {
        let below = used.range(path.to_vec()..).next().is_some_and(|first| first.starts_with(path));
        // A reference to a whole group uses all of its members.
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
