//! Finds errors in Bake files that do not depend on the values of variables: undefined names, unused variables, targets
//! that do not exist, and errors in known values.

use std::collections::BTreeSet;
use std::convert::Infallible;

use hclkit_limits::Meter;
use hclkit_model::{Context, Descend, Expression, Visitor};
use hclkit_syntax::{Diagnostics, Span};
use hclkit_value::Name;

use crate::Bake;
use crate::files::{Files, has_unknown_names};
use crate::overrides::Overrides;
use crate::plan::Planner;
use crate::target::Declared;
use hclkit_module::report_exceeded;
use hclkit_module::shared::unused;

impl Bake {
    /// Reports errors that do not depend on the values of variables: undefined names, even in expressions that are not
    /// evaluated, targets and groups that do not exist, and all errors of an evaluation in which variables are unknown.
    /// Adds a warning for each unused variable. If a file has syntax errors, only these are reported.
    pub fn check(&self) -> Diagnostics {
        let _operation = Meter::current().begin();
        let mut diagnostics = Diagnostics::new();
        let Some(bodies) = self.bodies(&mut diagnostics) else { return diagnostics };
        let mut files = Files::read_as(self, &bodies, true, &mut diagnostics);
        let ready = files.prepare(&self.functions, &mut diagnostics);
        let declarations = files.evaluate_all(&ready, &mut diagnostics);
        let blocks = || ready.blocks.iter().map(|declared| &**declared);
        let is_stopped = report_exceeded(&mut diagnostics);
        if let Some(context) = ready.global.get().filter(|_| !is_stopped) {
            let outside = files.expressions().into_iter();
            outside.for_each(|expression| undefined_names(expression, context, &mut diagnostics));
            blocks().for_each(|declared| undefined(declared, context, &mut diagnostics));
        }
        let used = used(&files, blocks());
        for (name, variable) in files.variables.iter().filter(|(name, _)| !used.contains(*name)) {
            diagnostics.push(unused(name).at(variable.place.clone()));
        }
        // Compose files are not read, but they also declare targets.
        if !is_stopped && !has_unknown_names(&ready.blocks) && self.others.is_empty() {
            let all: Vec<String> = declarations.names().map(str::to_owned).collect();
            let overrides = Overrides::default();
            Planner::new(&declarations, &overrides, None, &mut diagnostics).plan(&all);
            report_exceeded(&mut diagnostics);
        }
        let mut diagnostics = diagnostics.distinct();
        diagnostics
            .sort_by_key(|found| (found.source().map(|source| source.name().to_owned()), found.span()));
        diagnostics
    }
}

/// Reports undefined names in a target or a group.
fn undefined(declared: &Declared, context: &Context, diagnostics: &mut Diagnostics) {
    let Some(instance) = declared.instances.first().filter(|_| !declared.has_unknown_names) else { return };
    let mut context = context.child();
    context.set_all(instance.bound.iter().cloned());
    for expression in declared.expressions() {
        undefined_names(expression, &context, diagnostics);
    }
}

/// Reports undefined names, except in arguments of `try` and `can`, where Bake allows them.
fn undefined_names(expression: &Expression, context: &Context, diagnostics: &mut Diagnostics) {
    let found = context.undefined_names(expression);
    if found.is_empty() {
        return;
    }
    let mut exempt = Exempt::default();
    let Ok(()) = expression.visit(&mut exempt);
    // Each part that starts earlier reaches as far as any before it.
    exempt.0.sort_unstable();
    for at in 1..exempt.0.len() {
        exempt.0[at].end = exempt.0[at].end.max(exempt.0[at - 1].end);
    }
    let is_exempt = |span: Span| {
        let before = exempt.0.partition_point(|own| own.start <= span.start);
        exempt.0[..before].last().is_some_and(|own| span.end <= own.end)
    };
    diagnostics.extend(found.iter().filter(|found| !is_exempt(found.span())).cloned());
}

/// The parts of an expression in which names may be undefined.
#[derive(Default)]
struct Exempt(Vec<Span>);

impl Visitor for Exempt {
    type Error = Infallible;

    fn expression(&mut self, expression: &Expression) -> Result<Descend, Infallible> {
        if expression.static_call().is_ok_and(|call| matches!(call.name.as_str(), "try" | "can")) {
            self.0.push(expression.span());
        }
        Ok(Descend::Inside)
    }
}

/// The names of variables that something refers to. A validation does not count as a use of its variable.
fn used<'f>(files: &'f Files, blocks: impl Iterator<Item = &'f Declared>) -> BTreeSet<Name> {
    let results = files.functions.values().map(|definition| &definition.result);
    let own = blocks.flat_map(Declared::expressions);
    let validations = files.variables.values().flat_map(|variable| {
        let parts = |(condition, message): &'f (Expression, Option<Expression>)| {
            std::iter::once(condition).chain(message)
        };
        let all = variable.validations.iter().flat_map(parts);
        all.flat_map(Expression::variables).map(|found| found.root).filter(|name| *name != variable.name)
    });
    let all = files.expressions().into_iter().chain(results).chain(own);
    all.flat_map(Expression::variables).map(|found| found.root).chain(validations).collect()
}
