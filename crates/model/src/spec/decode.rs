//! Decoding bodies to values by specs. Repeated blocks are in `blocks.rs`.

use std::collections::BTreeSet;

use hclkit_limits::{Meter, with_room};
use hclkit_syntax::{Code, Diagnostic};
use hclkit_value::{Error, Name, Str, Type, Value};

use super::{
    AttributeSpec, BlockAttributesSpec, BlockSpec, CallSpec, Nested, RefineSpec, Spec, TransformSpec,
    ValidateSpec,
};
use crate::messages::{self, Message};
use crate::{Attribute, Block, Body, Content, Context, Diagnostics, Place, literal};

/// The state of decoding a spec.
#[derive(Clone, Copy)]
pub(super) struct Frame<'f> {
    pub(super) content: &'f Content,
    /// The block that contains the content, and the number of its labels that are already taken.
    pub(super) block: Option<(&'f Block, usize)>,
    pub(super) context: &'f Context,
}

impl Spec {
    /// The value of a body, and all errors in the body. Parts of the value that have errors are unknown or missing.
    /// Diagnostics have [addresses](hclkit_syntax::Diagnostic::address).
    pub fn decode(&self, body: &Body, context: &Context) -> (Value, Diagnostics) {
        context.run(|| self.decoded(body, context))
    }

    fn decoded(&self, body: &Body, context: &Context) -> (Value, Diagnostics) {
        let _operation = Meter::current().begin();
        let mut diagnostics = Diagnostics::new();
        let content = body.content_into(&self.implied_schema(), &mut diagnostics);
        let value = self.value(Frame { content: &content, block: None, context }, &mut diagnostics);
        body.set_addresses(&mut diagnostics);
        (value, diagnostics)
    }

    #[doc(hidden)]
    /// The value of a body that may contain items that the spec does not describe, with a body of these items, and the
    /// diagnostics. Blocks that the spec describes must not contain other items.
    pub fn partial_decode(&self, body: &Body, context: &Context) -> ((Value, Body), Diagnostics) {
        context.run(|| self.partially_decoded(body, context))
    }

    fn partially_decoded(&self, body: &Body, context: &Context) -> ((Value, Body), Diagnostics) {
        let _operation = Meter::current().begin();
        let mut diagnostics = Diagnostics::new();
        let (content, rest) = body.partial_content_into(&self.implied_schema(), &mut diagnostics);
        let value = self.value(Frame { content: &content, block: None, context }, &mut diagnostics);
        body.set_addresses(&mut diagnostics);
        ((value, rest), diagnostics)
    }

    pub(super) fn value(&self, frame: Frame, diagnostics: &mut Diagnostics) -> Value {
        with_room(|| self.value_in(frame, diagnostics))
    }

    fn value_in(&self, frame: Frame, diagnostics: &mut Diagnostics) -> Value {
        match self {
            Self::Object(object) => {
                let values: Vec<Value> =
                    object.attributes.iter().map(|(_, spec)| spec.value(frame, diagnostics)).collect();
                object.shape.object(values).unwrap_or(Value::DYNAMIC)
            }
            Self::Tuple(tuple) => {
                let values: Vec<Value> =
                    tuple.elements.iter().map(|spec| spec.value(frame, diagnostics)).collect();
                Value::tuple(values)
            }
            Self::Attribute(attribute) => attribute.value(frame, diagnostics),
            Self::Literal(literal) => literal.value.clone(),
            Self::Expression(expression) => expression.expression.evaluate_into(frame.context, diagnostics),
            Self::Block(block) => block.value(frame, diagnostics),
            Self::BlockList(blocks) => blocks.list(frame, diagnostics),
            Self::BlockTuple(blocks) => blocks.tuple(frame, diagnostics),
            Self::BlockSet(blocks) => blocks.set(frame, diagnostics),
            Self::BlockMap(blocks) => blocks.map(frame, diagnostics),
            Self::BlockObject(blocks) => blocks.object(frame, diagnostics),
            Self::BlockAttributes(block) => block.value(frame, diagnostics),
            Self::BlockLabel(label) => frame.label(label.index).map_or_else(
                || {
                    if label.optional {
                        return Value::null(Type::String);
                    }
                    diagnostics.push(messages::spec::no_block_label().at(&frame.content.missing_item));
                    Value::unknown(Type::String)
                },
                Value::from,
            ),
            Self::Switch(switch) => {
                // A switch with a case for the label has been replaced by it.
                if let Some((label, place)) =
                    frame.label(switch.index).zip(frame.place_of_label(switch.index))
                {
                    let labels: Vec<Str> = switch.cases.iter().map(|(label, _)| label.clone()).collect();
                    let expected = messages::spec::not_a_value(&labels, label);
                    diagnostics.push(messages::spec::invalid_value(&expected).at(place));
                }
                Value::unknown(switch.implied_type())
            }
            Self::Default(default) => {
                let mut value = Value::null(Type::Dynamic);
                for spec in &default.specs {
                    value = spec.value(frame, diagnostics);
                    if !value.is_null() {
                        break;
                    }
                }
                value
            }
            Self::Transform(transform) => {
                self.unless_failed(&transform.wrapped, frame, diagnostics, |value, diagnostics| {
                    transform.value(value, frame, diagnostics)
                })
            }
            Self::Call(call) => {
                self.unless_failed(&call.wrapped, frame, diagnostics, |value, diagnostics| {
                    call.value(value, frame, diagnostics)
                })
            }
            Self::Refine(refine) => refine.value(frame, diagnostics),
            Self::Validate(validate) => validate.value(frame, diagnostics),
        }
    }
}

impl Spec {
    /// Computes something from the value of a wrapped spec. If that value has errors, nothing is computed, because that
    /// would only cause further errors.
    fn unless_failed(
        &self,
        wrapped: &Self,
        frame: Frame,
        diagnostics: &mut Diagnostics,
        make: impl FnOnce(Value, &mut Diagnostics) -> Value,
    ) -> Value {
        let before = diagnostics.mark();
        let value = wrapped.value(frame, diagnostics);
        if diagnostics.failed_since(before) {
            return Value::unknown(self.implied_type());
        }
        make(value, diagnostics)
    }
}

impl<'f> Frame<'f> {
    /// The blocks of a type, in source order.
    pub(super) fn blocks(self, block_type: &str) -> impl Iterator<Item = &'f Block> {
        self.content.blocks_of(block_type)
    }

    /// The label with this index, not counting labels that are keys of a map.
    pub(super) fn label(self, index: usize) -> Option<&'f Name> {
        let (block, taken) = self.block?;
        block.labels.get(taken + index)
    }

    /// The place of this label.
    pub(super) fn place_of_label(self, index: usize) -> Option<Place> {
        let (block, taken) = self.block?;
        Some(Place { source: block.source.clone(), span: *block.label_spans.get(taken + index)? })
    }
}

/// The value of the body of a block. The first `taken` labels are keys.
pub(super) fn body_value(
    block: &Block,
    taken: usize,
    nested: &Nested,
    context: &Context,
    diagnostics: &mut Diagnostics,
) -> Value {
    if let Err(exceeded) = Meter::current().check_value(0) {
        // This is reported once, at the first block that is omitted.
        let reported = |last: &Diagnostic| last.code().is_some_and(Code::is_limit);
        if !diagnostics.as_slice().last().is_some_and(reported) {
            let place = Place::new(&block.source, block.definition_span);
            diagnostics.push(Diagnostic::exceeded(exceeded).at(place));
        }
        return Value::DYNAMIC;
    }
    let nested = nested.of_labels(block.labels.get(taken..).unwrap_or_default());
    let content = block.body.content_into(nested.schema(), diagnostics);
    nested.value(Frame { content: &content, block: Some((block, taken)), context }, diagnostics)
}

impl AttributeSpec {
    fn value(&self, frame: Frame, diagnostics: &mut Diagnostics) -> Value {
        let Some(attribute) = frame.content.attributes.get(&self.name) else {
            return Value::null(self.ty.without_optional());
        };
        // Most values are literals, which need not be lowered.
        let literal = attribute.expression.unlowered().and_then(literal::value);
        let value = literal.unwrap_or_else(|| attribute.expression.evaluate_into(frame.context, diagnostics));
        convert(value, &self.ty, |problem| {
            let message = messages::spec::invalid_argument(&self.name, &problem.to_string());
            diagnostics.push(invalid(attribute, &problem, message));
        })
    }
}

/// Converts a value to a type. If that fails, the error is reported, and the value is unknown.
fn convert(value: Value, ty: &Type, report: impl FnOnce(Error)) -> Value {
    if *ty == Type::Dynamic || value.has_type(ty) {
        return value;
    }
    value.convert(ty).unwrap_or_else(|problem| {
        report(problem);
        Value::unknown(ty.without_optional())
    })
}

/// An error about the value of an attribute, or a part of it, at that part.
#[cold]
fn invalid(attribute: &Attribute, problem: &Error, message: Message) -> Diagnostic {
    let whole = attribute.expression.span();
    let place = attribute.expression.place_of(&problem.path());
    let diagnostic = message.at(&place);
    if place.span == whole { diagnostic } else { diagnostic.with_context(whole) }
}

impl BlockSpec {
    fn value(&self, frame: Frame, diagnostics: &mut Diagnostics) -> Value {
        match only_block(&self.block_type, self.required, frame, diagnostics) {
            Some(block) => body_value(block, 0, &self.nested, frame.context, diagnostics),
            None => Value::null(self.nested.ty().clone()),
        }
    }
}

/// The only block of a type. It is an error if there is a second one, or none although one is required.
fn only_block<'f>(
    block_type: &Name,
    required: bool,
    frame: Frame<'f>,
    diagnostics: &mut Diagnostics,
) -> Option<&'f Block> {
    let mut blocks = frame.blocks(block_type);
    let Some(first) = blocks.next() else {
        if required {
            diagnostics.push(messages::spec::missing_block(block_type).at(&frame.content.missing_item));
        }
        return None;
    };
    if let Some(second) = blocks.next() {
        diagnostics.push(duplicate(first, second, messages::spec::second_block(block_type)));
    }
    Some(first)
}

/// An error about a block that repeats another one.
pub(super) fn duplicate(first: &Block, second: &Block, message: Message) -> Diagnostic {
    message.in_source(&second.source, second.definition_span).with_related(
        &first.source,
        first.definition_span,
        messages::related::FIRST_DEFINED,
    )
}

impl BlockAttributesSpec {
    fn value(&self, frame: Frame, diagnostics: &mut Diagnostics) -> Value {
        let Some(block) = only_block(&self.block_type, self.required, frame, diagnostics) else {
            return Value::null(Type::map(self.element_type.without_optional()));
        };
        let attributes = block.body.attributes_into(diagnostics);
        let mut entries: Vec<(Str, Value)> = Vec::with_capacity(attributes.len());
        let mut keys = BTreeSet::new();
        for attribute in attributes {
            let key = Str::from(&attribute.name);
            if !keys.insert(key.clone()) {
                let message = messages::spec::same_argument_normalized(&key);
                diagnostics.push(message.in_source(&attribute.source, attribute.name_span));
                continue;
            }
            let value = attribute.expression.evaluate_into(frame.context, diagnostics);
            let value = convert(value, &self.element_type, |problem| {
                let (name, block_type) = (&attribute.name, &self.block_type);
                let message = messages::spec::invalid_argument_in(name, block_type, &problem.to_string());
                diagnostics.push(invalid(&attribute, &problem, message));
            });
            entries.push((key, value));
        }
        super::blocks::map_or_object(entries, &self.element_type.without_optional())
    }
}

impl TransformSpec {
    fn value(&self, value: Value, frame: Frame, diagnostics: &mut Diagnostics) -> Value {
        let context = self.context.child().with(self.variable.clone(), value);
        let before = diagnostics.mark();
        let result = self.expression.evaluate_into(&context, diagnostics);
        if diagnostics.failed_since(before) {
            // The errors refer to the spec, but depend on the configuration.
            let origin = self.wrapped.origin(frame);
            let mut found = diagnostics.split_off(before);
            found.update(|diagnostic| {
                diagnostic.with_related(&origin.source, origin.span, messages::related::VALUE_ORIGIN)
            });
            diagnostics.append(found);
        }
        result
    }
}

impl CallSpec {
    fn value(&self, value: Value, frame: Frame, diagnostics: &mut Diagnostics) -> Value {
        self.function.call(&[value]).unwrap_or_else(|problem| {
            // The first step is the number of the argument.
            let steps = problem.path();
            let place = self.wrapped.place_in(frame, steps.steps().get(1..).unwrap_or_default());
            diagnostics.push(messages::spec::invalid_value(&problem.to_string()).at(place));
            Value::DYNAMIC
        })
    }
}

impl RefineSpec {
    fn value(&self, frame: Frame, diagnostics: &mut Diagnostics) -> Value {
        let value = self.wrapped.value(frame, diagnostics);
        (self.refine)(value.refine()).finish().unwrap_or_else(|problem| {
            let problem = shown(problem, &value);
            let place = self.wrapped.place_in(frame, problem.path().steps());
            diagnostics.push(messages::spec::invalid_value(&problem.to_string()).at(place));
            value
        })
    }
}

impl ValidateSpec {
    fn value(&self, frame: Frame, diagnostics: &mut Diagnostics) -> Value {
        let before = diagnostics.mark();
        let value = self.wrapped.value(frame, diagnostics);
        // A value with errors is not checked.
        if diagnostics.failed_since(before) {
            return value;
        }
        if let Err(problem) = (self.check)(&value) {
            let problem = shown(problem, &value);
            let place = self.wrapped.place_in(frame, problem.path().steps());
            diagnostics.push(messages::spec::invalid_value(&problem.to_string()).at(place));
        }
        value
    }
}

/// An error about a value, without anything that must not be shown.
fn shown(error: Error, value: &Value) -> Error {
    if value.contains_marked() { error.redacted() } else { error }
}
