//! Findings that need no evaluation: references to undefined or incomplete names, and unused declarations.

mod deprecations;
pub(crate) mod references;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use hclkit_dialect::{BlockRule, Dialect, Role};
use hclkit_model::{Context, Expression, Schema};
use hclkit_syntax::{Diagnostic, Diagnostics, Place};
use hclkit_value::{Name, Value};

use crate::block_rules;
use crate::config::{self, Condition, Config, Content, Declaration, Item, Lints, Shape, Unused};
use crate::instance::{self, Session};
use crate::instances::{Instances, bind};
use crate::messages;
use crate::misspelled;
use crate::newer;
use crate::parallel;
use crate::terraform;
use crate::unevaluated;
use references::References;

/// The declarations that others use, by their directory and address: variables that calls and tests set, and what assertions of
/// tests refer to.
pub(crate) type Uses = HashSet<(String, Vec<Name>)>;

impl Lints {
    /// The findings in a directory. The tree is that of a validation.
    pub(crate) fn of<'c>(tree: &Arc<Session>, config: &'c Arc<Config>) -> &'c Self {
        config.lints.get_or_init(|| {
            let count = config.declared();
            let (names, references) = names_in(tree, config);
            let objects = misspelled::Objects::of(tree, config);
            let find = |range: Range<usize>| Findings {
                undefined: undefined_in(tree, &names, &references, &range),
                misspelled: objects.misspelled(config, &range),
                used: used(&tree.language, config, &range),
            };
            let (first, second) =
                parallel::both(tree, count, || find(0..count / 2), || find(count / 2..count));
            let mut found = first.undefined;
            found.append(second.undefined);
            if tree.validates() {
                block_rules::check_single(&references, &mut found);
                if tree.language.complete_references {
                    config.check_cycles(&mut found);
                }
            }
            deprecations::check(config, &mut found);
            found.append(first.misspelled);
            found.append(second.misspelled);
            newer::check(&tree.language, config, tree.target.as_deref(), &mut found);
            Self { found, unused: unused(config, &(&first.used | &second.used)) }
        })
    }

    /// Unused declarations of a directory. What a call or a test uses has to stay, so that it is not reported, and neither are the
    /// variables of a module if not all of its calls are known.
    pub(crate) fn unused(&self, config: &Config, has_other_calls: bool, uses: &Uses) -> Vec<Diagnostic> {
        let is_used = |unused: &Unused| {
            has_other_calls && unused.is_variable
                || uses.contains(&(config.directory.clone(), unused.address.clone()))
        };
        self.unused.iter().filter(|unused| !is_used(unused)).map(|unused| unused.warning.clone()).collect()
    }
}

/// What is found in a part of a directory.
struct Findings {
    undefined: Diagnostics,
    misspelled: Diagnostics,
    used: BTreeSet<Declaration>,
}

/// What expressions of a directory can refer to.
fn names_in<'c>(tree: &'c Arc<Session>, config: &'c Arc<Config>) -> (Context, References<'c>) {
    let references = References::new(&tree.language, config, tree.target.as_deref());
    (instance::names(tree, config), references.with_schemas(&tree.schemas))
}

/// Reports references to names that a directory does not define, even in expressions that are not evaluated.
pub(crate) fn undefined(tree: &Arc<Session>, config: &Arc<Config>, diagnostics: &mut Diagnostics) {
    let (names, references) = names_in(tree, config);
    diagnostics.append(undefined_in(tree, &names, &references, &(0..config.declared())));
}

/// The same for some of its values and blocks. A check also reports errors in what nothing evaluates.
fn undefined_in(
    tree: &Session,
    names: &Context,
    references: &References<'_>,
    range: &Range<usize>,
) -> Diagnostics {
    let mut found = Diagnostics::new();
    let diagnostics = &mut found;
    let (values, items) = references.config.in_range(range);
    for named in &references.config.values[values] {
        references.check(&named.attribute.expression, names, &[], diagnostics);
        references.scopes(&named.attribute.expression, None, diagnostics);
    }
    for item in &references.config.items[items] {
        if let Some((_, expression)) = &item.repetition {
            references.check(expression, names, &[], diagnostics);
        }
        let any = Instances::Unknown.any(item.repeat());
        let context = bind(names, item.repeat(), any.as_ref());
        let context_with = |bound: &[Name]| {
            let mut context = context.clone();
            if !bound.is_empty() {
                context.set_all(bound.iter().map(|name| (name.clone(), Value::DYNAMIC)));
            }
            context
        };
        let check_in = |expression: &Expression, bound: &[Name], diagnostics: &mut Diagnostics| {
            references.check(expression, &context_with(bound), bound, diagnostics);
        };
        let mut in_content = Diagnostics::new();
        let mut check = |expression: &Expression, bound: &[Name]| check_in(expression, bound, diagnostics);
        match &item.content {
            Content::Output(output) => output.value.iter().for_each(|value| check(value, &[])),
            Content::Settings(shape) if item.rule.role == Role::Build => {
                // In a build, it is also the name of the source that is built.
                let source = [Name::from("source")];
                shape.each(&mut |expression, bound| check(expression, &[bound, &source].concat()));
            }
            Content::Object(shape) | Content::Settings(shape) => {
                shape.each_in_place(&mut |expression, bound, is_content| {
                    if is_content {
                        check_in(expression, bound, &mut in_content);
                    } else {
                        check(expression, bound);
                    }
                });
            }
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
        let dependencies = unevaluated::dependencies_of(item).map(|attribute| attribute.expression);
        let is_dependencies = |place: &Place| dependencies.as_ref().is_some_and(|own| own.place() == *place);
        let triggers = if item.unevaluated.is_empty() { Vec::new() } else { unevaluated::triggers_of(item) };
        for (expression, bound) in &item.unevaluated {
            let place = expression.place();
            if is_dependencies(&place) {
                let all = expression.static_list().unwrap_or_else(|_| vec![expression.clone()]);
                let is_whole = |element: &&Expression| !references.is_part_of_call(element);
                for element in all.iter().filter(is_whole) {
                    references.check_names(element, &context_with(bound), bound, diagnostics);
                }
            } else if triggers.iter().any(|own| own.place() == place) {
                // These name instances or whole objects, whatever keys there are.
                references.check_names(expression, &context_with(bound), bound, diagnostics);
            } else {
                check_in(expression, bound, diagnostics);
            }
        }
        if references.has_scopes() {
            let mut check =
                |expression: &Expression, _: &[Name]| references.scopes(expression, Some(item), diagnostics);
            item.each_expression_and_argument(&mut check);
        }
        if tree.validates() {
            // If the block is created, its evaluation reports an error, too.
            for found in in_content {
                diagnostics.push(messages::weakened(found, messages::ONLY_WITH_BLOCKS));
            }
            block_rules::check(item, references, diagnostics);
            terraform::check_block(item, references, names, diagnostics);
        }
    }
    found
}

/// Adds the variables that the calls in a directory set.
pub(crate) fn add_set_by_calls(config: &Config, uses: &mut Uses) {
    for item in &config.items {
        if let Content::Call(call) = &item.content
            && let Some(called) = &call.config
        {
            let inputs = called.inputs().filter(|(_, item, _)| call.argument(item.own_name()).is_some());
            uses.extend(inputs.map(|(_, item, _)| (called.directory.clone(), item.address.clone())));
        }
    }
}

/// Whether the validations of a variable accept only null. It is kept so that callers who still set it get the message.
fn is_retired(item: &Item) -> bool {
    let Content::Input(input) = &item.content else { return false };
    let Some(constraint) = &input.constraint else { return false };
    let Some((root, names)) = item.address.split_first().filter(|_| !constraint.ty.has_dynamic()) else {
        return false;
    };
    let set = Value::unknown(constraint.ty.without_optional()).refine_not_null();
    let variable = names.iter().rev().fold(set, |value, name| Value::object([(name.clone(), value)]));
    let context = Context::new().with(root.clone(), variable);
    let is_refused = |condition: &Condition| {
        let found = condition.expression.evaluate(&context);
        found.is_ok_and(|found| found.as_bool() == Some(false))
    };
    item.conditions.iter().any(is_refused)
}

/// Visits the expressions of a block that are not evaluated, such as those of `lifecycle` and of the configuration of a backend.
/// The schema is that of its nested blocks.
fn each_unevaluated(item: &Item, schema: &Schema, visit: &mut dyn FnMut(&Expression)) {
    let body = &item.block.body;
    for name in &item.rule.fixed {
        body.attribute(name).iter().for_each(|attribute| visit(&attribute.expression));
    }
    if !item.rule.blocks.is_empty() && body.may_have_blocks() {
        for block in body.partial_content(schema).0.0.blocks {
            Shape::of(&block.body).each(&mut |expression, _| visit(expression));
        }
    }
}

/// What some of the values and blocks of a directory refer to.
fn used(language: &Dialect, config: &Config, range: &Range<usize>) -> BTreeSet<Declaration> {
    let mut used: BTreeSet<Declaration> = BTreeSet::new();
    let mut add = |expression: &Expression, own: &[Name]| {
        for reference in expression.references() {
            let path = config::names_of(reference);
            if own.is_empty() || !path.starts_with(own) {
                used.extend(config.definitions().all(&path));
            }
        }
    };
    let (values, items) = config.in_range(range);
    for named in &config.values[values] {
        add(&named.attribute.expression, &[]);
    }
    let mut schemas: HashMap<*const BlockRule, Schema> = HashMap::new();
    for item in &config.items[items] {
        let nested = || language.nested_schema(&item.rule.blocks);
        let schema = schemas.entry(Arc::as_ptr(&item.rule)).or_insert_with(nested);
        // A validation does not count as a use of its variable.
        let own = if item.rule.role == Role::Input { &item.address[..] } else { &[] };
        item.each_expression_and_argument(&mut |expression, _| add(expression, own));
        each_unevaluated(item, schema, &mut |expression| add(expression, own));
    }
    used
}

/// Variables and values of a directory that nothing in it refers to.
fn unused(config: &Config, used: &BTreeSet<Declaration>) -> Vec<Unused> {
    let mut found = Vec::new();
    for (at, item, _) in config.inputs() {
        if !used.contains(&Declaration::Item(at)) && !is_retired(item) {
            let warning = messages::unused(&crate::step::address(&item.address)).at(item.place());
            found.push(Unused { address: item.address.clone(), is_variable: true, warning });
        }
    }
    let values = config.values.iter().enumerate();
    for (_, named) in values.filter(|(at, _)| !used.contains(&Declaration::Value(*at))) {
        let warning = messages::unused(&crate::step::address(&named.address)).at(named.attribute.name_span);
        let warning = warning.with_source(&named.attribute.source);
        found.push(Unused { address: named.address.clone(), is_variable: false, warning });
    }
    found
}
