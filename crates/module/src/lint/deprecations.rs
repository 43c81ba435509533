//! Warnings about what the modules that are called declare as deprecated: results that a directory uses, and variables that it sets.
//! The authors of a called module see those in their own directory, so `ignore_nested_deprecations` changes nothing here.

use hclkit_model::Expression;
use hclkit_syntax::Diagnostics;

use crate::config::{Call, Config, Content, Item, Output, Referent, is_literal_null};
use crate::{messages, step, unevaluated};

pub(super) fn check(config: &Config, diagnostics: &mut Diagnostics) {
    let is_deprecated = |item: &Item| match &item.content {
        Content::Input(input) => input.deprecated.is_some(),
        Content::Output(output) => output.deprecated.is_some(),
        _ => false,
    };
    if !config.called().any(|called| called.items.iter().any(is_deprecated)) {
        return;
    }
    for named in &config.values {
        results(config, &named.attribute.expression, diagnostics);
    }
    for item in config.items.iter().filter(|item| !is_deprecated(item)) {
        let dependencies = unevaluated::dependencies_of(item).map(|attribute| attribute.expression.place());
        item.each_expression_and_argument(&mut |expression, _| {
            if dependencies.as_ref() != Some(&expression.place()) {
                results(config, expression, diagnostics);
            }
        });
        if let Content::Call(call) = &item.content {
            variables(item, call, diagnostics);
        }
    }
}

/// The results of calls that an expression refers to.
fn results(config: &Config, expression: &Expression, diagnostics: &mut Diagnostics) {
    for reference in expression.references() {
        let (call, only) = match config.referent(reference) {
            Some(Referent::Result { call, result }) => (call, Some(result)),
            // Other expressions may use none of the deprecated results.
            Some(Referent::Results { call }) if expression.static_traversal().is_ok() => (call, None),
            _ => continue,
        };
        let Content::Call(Call { config: Some(called), .. }) = &config.items[call].content else { continue };
        for (at, result) in called.items.iter().enumerate() {
            let Content::Output(Output { deprecated: Some(instead), .. }) = &result.content else { continue };
            let address = match only {
                Some(only) if only != at => continue,
                Some(_) => reference.to_string(),
                None => format!("{}.{}", reference, result.own_name()),
            };
            let warning = messages::deprecated(&address, instead).at(reference.span());
            diagnostics.push(warning.with_source(expression.source()));
        }
    }
}

/// The variables that a call sets.
fn variables(item: &Item, call: &Call, diagnostics: &mut Diagnostics) {
    let Some(called) = &call.config else { return };
    for (_, input_item, input) in called.inputs() {
        let argument = call.argument(input_item.own_name());
        if let (Some(argument), Some(instead)) = (argument, &input.deprecated)
            && !is_literal_null(&argument.expression)
        {
            let address =
                format!("{} of {}", step::address(&input_item.address), step::address(&item.address));
            let warning = messages::deprecated(&address, instead).at(argument.name_span);
            diagnostics.push(warning.with_source(&argument.source));
        }
    }
}
