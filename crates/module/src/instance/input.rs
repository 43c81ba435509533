//! The values of input variables: from outside, or arguments of a call.

use hclkit_model::Context;
use hclkit_syntax::{Diagnostics, Place};
use hclkit_value::Value;

use super::Instance;
use super::computed::is_ephemeral;
use crate::config::{Content, Input, Item};
use crate::{inputs, messages};

impl Instance {
    /// The value of an input variable.
    pub(super) fn input(&self, item: &Item, input: &Input, diagnostics: &mut Diagnostics) -> Value {
        let value = match &self.up {
            None => self.outer_input(item, input, diagnostics),
            Some(_) => self.argument(item, input, diagnostics),
        };
        let value = match (&input.default, value.is_null() && !input.nullable) {
            (_, false) => value,
            (Some(default), true) => default.clone(),
            (None, true) => {
                diagnostics.push(messages::null_value(item.own_name()).at(self.input_place(item)));
                inputs::unknown(input)
            }
        };
        input.mark(value)
    }

    /// What expressions see of an input variable. In an instance about which nothing is known, only its own conditions see
    /// more.
    pub(super) fn seen_input(&self, item: &Item, input: &Input, diagnostics: &mut Diagnostics) -> Value {
        let value = self.input(item, input, diagnostics);
        if !self.is_validation || self.is_constant(input) {
            return value;
        }
        self.tree.with_marks_of(input.mark(inputs::unknown(input)), &value)
    }

    /// Returns true for a variable that even a validation knows.
    fn is_constant(&self, input: &Input) -> bool {
        input.constant && self.tree.language.constant_sources
    }

    /// The place of the argument that sets a variable, or of the variable if none does.
    fn input_place(&self, item: &Item) -> Place {
        let argument = self.caller().and_then(|(parent, up, _)| {
            let Content::Call(call) = &parent.config.items[up.item].content else { return None };
            let argument = call.argument(item.own_name())?;
            Some(argument.expression.place())
        });
        argument.unwrap_or_else(|| item.place())
    }

    /// The value of an input variable of the root module.
    fn outer_input(&self, item: &Item, input: &Input, diagnostics: &mut Diagnostics) -> Value {
        let name = item.own_name();
        let is_constant = self.is_constant(input);
        if self.is_validation && !input.constant {
            return inputs::unknown(input);
        }
        match (self.tree.outside.inputs.get(name), &input.default) {
            (Some(given), _) => given.value(name, input, &item.place()).unwrap_or_else(|found| {
                diagnostics.append(found);
                inputs::unknown(input)
            }),
            (None, Some(default)) if is_constant || !self.tree.validates() => default.clone(),
            (None, None) if input.default_expression.is_some() && !self.tree.validates() => {
                self.computed_default(input, diagnostics)
            }
            (None, _) => {
                let is_required = input.constant && self.tree.validates() && !self.tree.called;
                if input.default_expression.is_none()
                    && input.default.is_none()
                    && (is_required || !self.tree.unknown_inputs)
                {
                    diagnostics.push(messages::missing_variable(name).at(item.place()));
                }
                inputs::unknown(input)
            }
        }
    }

    /// Returns the value of a default that calls functions.
    fn computed_default(&self, input: &Input, diagnostics: &mut Diagnostics) -> Value {
        let Some(expression) = &input.default_expression else { return inputs::unknown(input) };
        let context = Context::new().with_functions(self.tree.default_functions.clone());
        let (value, found) = expression.evaluate_lenient(&context);
        let failed = found.has_errors();
        diagnostics.append(found);
        if failed {
            return inputs::unknown(input);
        }
        inputs::convert(&value, input.constraint.as_ref()).unwrap_or_else(|problem| {
            let place = expression.place_of(&problem.path());
            diagnostics.push(messages::invalid_default(&problem.to_string()).at(place));
            inputs::unknown(input)
        })
    }

    /// The value of an input variable of a called module.
    fn argument(&self, item: &Item, input: &Input, diagnostics: &mut Diagnostics) -> Value {
        let Some((parent, up, context)) = self.caller() else { return inputs::unknown(input) };
        let call_item = &parent.config.items[up.item];
        let Content::Call(call) = &call_item.content else { return inputs::unknown(input) };
        let name = item.own_name();
        let Some(argument) = call.argument(name) else {
            return input.default.clone().unwrap_or_else(|| {
                let error = messages::missing_input(name, call_item.own_name());
                diagnostics.push(error.at(call_item.place()));
                inputs::unknown(input)
            });
        };
        let value = diagnostics.absorb(argument.expression.evaluate_lenient(&context));
        if !input.ephemeral && is_ephemeral(&value) {
            let place = argument.expression.place();
            diagnostics.push(messages::ephemeral_argument(name, call_item.own_name()).at(place));
            return inputs::unknown(input);
        }
        inputs::convert(&value, input.constraint.as_ref()).unwrap_or_else(|problem| {
            let place = argument.expression.place_of(&problem.path());
            let origin = messages::for_module(call_item.own_name());
            let problem =
                if input.hidden { messages::NOT_CONVERTIBLE.to_owned() } else { problem.to_string() };
            diagnostics.push(messages::invalid_value(name, &origin, &problem).at(place));
            inputs::unknown(input)
        })
    }
}
