//! The kinds of spec blocks: a table of their arguments, their nested blocks and the functions that create their
//! specs.

use std::collections::BTreeSet;

use hclkit_limits::with_room;
use hclkit_value::{Error, Function, Kind as ValueKind, Name, Str, Type, Value};

use super::Reader;
use super::comments::with_tags;
use crate::messages::spec as messages;
use crate::spec::MOST_LABELS;
use crate::typed::has_match;

use crate::{
    AttributeSchema, AttributeSpec, Block, BlockAttributesSpec, BlockLabelSpec, BlockSchema, BlockSpec,
    BlocksSpec, Content, Context, DefaultSpec, Expression, LabeledBlocksSpec, LiteralSpec, Nested,
    ObjectSpec, Schema, Spec, SwitchSpec, TransformSpec, TypeConstraint,
};

/// The most specs of a body for all choices of its switches together. With ten switches of ten cases each, there would be ten
/// billion bodies.
const MOST_SPECS: usize = 100_000;

/// The index in `label(0)`.
fn label_index(expression: &Expression) -> Option<usize> {
    let call = expression.static_call().ok().filter(|call| call.name == *"label")?;
    let [index] = &call.arguments[..] else { return None };
    let index = index.evaluate(&Context::new()).ok()?.as_number()?.to_u64()?;
    usize::try_from(index).ok().filter(|index| *index < MOST_LABELS)
}

/// A kind of spec block.
struct Kind {
    /// The block type.
    name: &'static str,
    /// The arguments, and whether each is required.
    arguments: &'static [(&'static str, bool)],
    nesting: Nesting,
    build: Build,
}

/// Creates the spec of a block.
type Build = fn(&mut Reader, &SpecBlock<'_>) -> Spec;

/// Which spec blocks a spec block can contain.
#[derive(Clone, Copy, PartialEq)]
enum Nesting {
    Nothing,
    Specs,
    /// Specs with one label each, the name of an attribute.
    NamedSpecs,
    /// Specs that decode the same argument or block, and therefore share its description.
    Wrapped,
    /// `case` blocks with a label, and a `default` block, each with a spec.
    Cases,
}

/// A spec block, with information from its position.
struct SpecBlock<'a> {
    block: &'a Block,
    content: Content,
    /// The label inside an `object`, which is also the default for the name of the argument or the type of the blocks.
    implied: Option<&'a Name>,
    /// True if the decoded body is that of a block.
    in_block: bool,
    description: Option<Str>,
}

const fn kind(
    name: &'static str,
    arguments: &'static [(&'static str, bool)],
    nesting: Nesting,
    build: Build,
) -> Kind {
    Kind { name, arguments, nesting, build }
}

const BLOCKS: &[(&str, bool)] = &[("block_type", false), ("min_items", false), ("max_items", false)];
const LABELED: &[(&str, bool)] = &[("block_type", false), ("labels", true)];
const ATTRIBUTES: &[(&str, bool)] = &[("block_type", false), ("element_type", true), ("required", false)];

const KINDS: &[Kind] = &[
    kind("object", &[], Nesting::NamedSpecs, Reader::object),
    kind("tuple", &[], Nesting::Specs, Reader::tuple),
    kind("array", &[], Nesting::Specs, Reader::tuple),
    kind(
        "attr",
        &[
            ("name", false),
            ("type", false),
            ("required", false),
            ("values", false),
            ("pattern", false),
            ("min", false),
            ("max", false),
        ],
        Nesting::Nothing,
        Reader::attribute,
    ),
    kind("block", &[("block_type", false), ("required", false)], Nesting::Specs, Reader::single_block),
    kind("block_list", BLOCKS, Nesting::Specs, |reader, spec| Spec::BlockList(reader.blocks(spec))),
    kind("block_tuple", BLOCKS, Nesting::Specs, |reader, spec| Spec::BlockTuple(reader.blocks(spec))),
    kind("block_set", BLOCKS, Nesting::Specs, |reader, spec| Spec::BlockSet(reader.blocks(spec))),
    kind("block_map", LABELED, Nesting::Specs, |reader, spec| Spec::BlockMap(reader.labeled_blocks(spec))),
    kind("block_object", LABELED, Nesting::Specs, |reader, spec| {
        Spec::BlockObject(reader.labeled_blocks(spec))
    }),
    kind("block_attrs", ATTRIBUTES, Nesting::Nothing, Reader::block_attributes),
    kind("block_label", &[("index", true), ("name", false)], Nesting::Nothing, Reader::label),
    kind("switch", &[("on", true)], Nesting::Cases, Reader::switch),
    kind("literal", &[("value", true)], Nesting::Nothing, Reader::literal),
    kind("default", &[], Nesting::Wrapped, Reader::default),
    kind("transform", &[("result", true)], Nesting::Wrapped, Reader::transform),
];

/// A schema with these arguments and spec blocks with these labels.
pub(super) fn schema<const N: usize>(
    arguments: &[(&'static str, bool)],
    labels: [&'static str; N],
) -> Schema {
    let mut schema = Schema::new();
    for &(name, required) in arguments {
        schema.add_attribute(AttributeSchema { name: name.into(), required });
    }
    for kind in KINDS {
        let label_names = labels.iter().map(|&label| Name::from(label)).collect();
        schema.add_block(BlockSchema::new(kind.name, label_names));
    }
    schema
}

impl Kind {
    /// The schema without blocks.
    fn arguments(&self) -> Schema {
        let mut schema = Schema::new();
        for &(name, required) in self.arguments {
            schema.add_attribute(AttributeSchema { name: name.into(), required });
        }
        schema
    }

    fn schema(&self) -> Schema {
        match self.nesting {
            Nesting::Specs | Nesting::Wrapped => schema(self.arguments, []),
            Nesting::NamedSpecs => schema(self.arguments, ["name"]),
            Nesting::Cases => self.arguments().with_block(CASE, &["label"]).with_block(DEFAULT, &[]),
            Nesting::Nothing => self.arguments(),
        }
    }
}

const CASE: &str = "case";
const DEFAULT: &str = "default";

/// The placeholder for a spec that could not be read.
fn unread() -> Spec {
    Spec::Literal(LiteralSpec { value: Value::DYNAMIC })
}

/// Whether a string has a match of a regular expression. Unknown values and null are accepted.
fn check_pattern(pattern: &Str, find: &Function, value: &Value) -> Result<(), Error> {
    if value.as_str().is_none() {
        return Ok(());
    }
    if !has_match(pattern, find, value)? {
        return Err(Error::new(messages::no_match(pattern)));
    }
    Ok(())
}

impl Reader {
    /// Reads a spec block. `implied` is its label inside an `object`; `in_block` is true if the decoded body is that
    /// of a block.
    pub(super) fn spec(&mut self, block: &Block, implied: Option<&Name>, in_block: bool) -> Spec {
        with_room(|| self.read(block, implied, in_block))
    }

    fn read(&mut self, block: &Block, implied: Option<&Name>, in_block: bool) -> Spec {
        let Some(kind) = KINDS.iter().find(|kind| block.block_type.as_str() == kind.name) else {
            return unread();
        };
        let content = block.body.content_into(&kind.schema(), &mut self.diagnostics);
        let inherited = self.inherited.take();
        let description = self.comments.before(block).or(inherited);
        if kind.nesting == Nesting::Wrapped {
            self.inherited.clone_from(&description);
        }
        let spec = (kind.build)(self, &SpecBlock { block, content, implied, in_block, description });
        self.inherited = None;
        spec
    }

    fn tuple(&mut self, spec: &SpecBlock<'_>) -> Spec {
        Spec::tuple(spec.content.blocks.iter().map(|nested| self.spec(nested, None, spec.in_block)))
    }

    fn single_block(&mut self, spec: &SpecBlock<'_>) -> Spec {
        let block_type = self.block_type(spec);
        let required = self.flag(&spec.content, "required");
        let nested = self.nested(&spec.content);
        Spec::Block(BlockSpec { block_type, nested, required, description: spec.description.clone() })
    }

    fn block_attributes(&mut self, spec: &SpecBlock<'_>) -> Spec {
        let block_type = self.block_type(spec);
        let element_type = self.type_of(&spec.content, "element_type");
        let required = self.flag(&spec.content, "required");
        let description = spec.description.clone();
        Spec::BlockAttributes(BlockAttributesSpec { block_type, element_type, required, description })
    }

    fn literal(&mut self, spec: &SpecBlock<'_>) -> Spec {
        spec.content.attributes.get("value").map_or_else(unread, |value| {
            Spec::literal(value.expression.evaluate_into(&self.context, &mut self.diagnostics))
        })
    }

    fn object(&mut self, spec: &SpecBlock<'_>) -> Spec {
        let SpecBlock { content, in_block, .. } = spec;
        let mut attributes: Vec<(Str, Spec)> = Vec::with_capacity(content.blocks.len());
        let mut names = BTreeSet::new();
        for nested in &content.blocks {
            let Some(name) = nested.labels.first() else { continue };
            let key = Str::from(name);
            if !names.insert(key.clone()) {
                let span = nested.label_spans.first().copied().unwrap_or(nested.type_span);
                self.fail_span(nested, span, messages::duplicate_spec_attribute(name));
                continue;
            }
            attributes.push((key, self.spec(nested, Some(name), *in_block)));
        }
        Spec::Object(ObjectSpec::new(attributes))
    }

    fn attribute(&mut self, spec: &SpecBlock<'_>) -> Spec {
        let ty = self.type_of(&spec.content, "type");
        let name = self.named("name", messages::ARGUMENT_NAME, spec);
        let required = self.flag(&spec.content, "required");
        let mut attribute = AttributeSpec::new(name, ty);
        attribute.required = required;
        attribute.description = with_tags(spec.description.as_ref(), &mut attribute.accepts);
        self.restrict(&spec.content, &mut attribute);
        let accepts = attribute.accepts.clone();
        let pattern = accepts.pattern.clone().zip(self.find.clone());
        if accepts.names.is_empty() && accepts.min.is_none() && accepts.max.is_none() && pattern.is_none() {
            return Spec::Attribute(attribute);
        }
        Spec::from(attribute).validate(move |value| {
            accepts.check(value)?;
            match &pattern {
                Some((pattern, find)) => check_pattern(pattern, find, &value.unmark().0),
                None => Ok(()),
            }
        })
    }

    /// Reads which values an argument can have.
    fn restrict(&mut self, content: &Content, attribute: &mut AttributeSpec) {
        if let Some(values) = self.constant(content, "values", &Type::list(Type::String)) {
            let names = values.as_slice().unwrap_or_default().iter().filter_map(Value::as_str);
            attribute.accepts.names = names.map(Str::from).collect();
            if !matches!(attribute.ty, Type::String | Type::Dynamic) {
                self.fail_argument(content, "values", messages::values_of_strings());
            } else if attribute.accepts.names.is_empty() {
                self.fail_argument(content, "values", messages::no_values());
            }
            attribute.ty = Type::String;
        }
        if let Some(pattern) = self.text(content, "pattern") {
            if !matches!(attribute.ty, Type::String | Type::Dynamic) {
                self.fail_argument(content, "pattern", messages::pattern_of_strings());
            }
            let tried = self.find.as_ref().map(|find| find.call(&[Value::from(&*pattern), Value::from("")]));
            match tried {
                None => self.fail_argument(content, "pattern", messages::no_patterns()),
                Some(Err(error)) => {
                    self.fail_argument(content, "pattern", messages::invalid_pattern(error.message()));
                }
                Some(Ok(_)) => attribute.accepts.pattern = Some(Str::from(&*pattern)),
            }
            attribute.ty = Type::String;
        }
        for name in ["min", "max"] {
            let Some(limit) = self.constant(content, name, &Type::Number) else { continue };
            if attribute.ty != Type::Number {
                self.fail_argument(content, name, messages::limit_of_numbers(name));
            }
            let limit = limit.as_number().cloned();
            match name {
                "min" => attribute.accepts.min = limit,
                _ => attribute.accepts.max = limit.map(|limit| (limit, true)),
            }
        }
        if let (Some(min), Some((max, _))) = (&attribute.accepts.min, &attribute.accepts.max)
            && max < min
        {
            self.fail_argument(content, "max", messages::max_value_below_min());
        }
    }

    fn block_type(&mut self, spec: &SpecBlock<'_>) -> Name {
        self.named("block_type", messages::BLOCK_TYPE, spec)
    }

    /// The name that an argument sets, or else the label inside an `object`.
    fn named(&mut self, argument: &str, what: &str, spec: &SpecBlock<'_>) -> Name {
        let before = self.diagnostics.mark();
        let given = self.text(&spec.content, argument).or_else(|| spec.implied.cloned());
        if let Some(name) = given.filter(|name| !name.is_empty()) {
            return name;
        }
        if !self.diagnostics.failed_since(before) {
            self.fail(&spec.content.missing_item, messages::missing_name(argument, what));
        }
        Name::default()
    }

    fn type_of(&mut self, content: &Content, name: &str) -> Type {
        let Some(attribute) = content.attributes.get(name) else { return Type::Dynamic };
        match TypeConstraint::of(&attribute.expression) {
            Ok(constraint) if !constraint.ty.has_optional() => constraint.ty,
            Ok(_) => {
                self.fail_in(attribute, messages::optional_in_spec());
                Type::Dynamic
            }
            Err(found) => {
                self.diagnostics.append(found);
                Type::Dynamic
            }
        }
    }

    fn nested(&mut self, content: &Content) -> Nested {
        let spec = self.only(content, true).unwrap_or_else(unread);
        if spec.size_of_choices() > MOST_SPECS {
            self.fail(&content.missing_item, messages::too_many_choices(MOST_SPECS));
            return Nested::new(unread());
        }
        Nested::new(spec)
    }

    fn blocks(&mut self, spec: &SpecBlock<'_>) -> BlocksSpec {
        let block_type = self.block_type(spec);
        let SpecBlock { content, description, .. } = spec;
        let min_items = self.count(content, "min_items").unwrap_or(0);
        let max_items = self.count(content, "max_items").filter(|&most| most > 0);
        if max_items.is_some_and(|most| most < min_items) {
            self.fail_argument(content, "max_items", messages::max_below_min());
        }
        BlocksSpec {
            block_type,
            nested: self.nested(content),
            min_items,
            max_items,
            description: description.clone(),
        }
    }

    fn labeled_blocks(&mut self, spec: &SpecBlock<'_>) -> LabeledBlocksSpec {
        let block_type = self.block_type(spec);
        let SpecBlock { content, description, .. } = spec;
        let before = self.diagnostics.mark();
        let labels = self.constant(content, "labels", &Type::list(Type::String));
        let mut label_names = Vec::new();
        if let Some(ValueKind::List(list)) = labels.as_ref().map(Value::kind) {
            label_names.extend(list.iter().filter_map(Value::as_str).map(Name::from));
            if label_names.len() < list.len() {
                self.fail_argument(content, "labels", messages::null_label_name());
            }
        }
        let around = self.keys;
        self.keys += label_names.len();
        if self.keys > MOST_LABELS && around <= MOST_LABELS {
            self.fail_argument(content, "labels", messages::too_many_labels(MOST_LABELS));
        } else if label_names.is_empty() && !self.diagnostics.failed_since(before) {
            self.fail_argument(content, "labels", messages::no_label_names());
        }
        let nested = self.nested(content);
        self.keys = around;
        LabeledBlocksSpec { block_type, label_names, nested, description: description.clone() }
    }

    fn label(&mut self, spec: &SpecBlock<'_>) -> Spec {
        let SpecBlock { block, content, implied, .. } = spec;
        if !spec.in_block {
            self.fail_at(block, messages::label_outside_block());
        }
        let before = self.diagnostics.mark();
        let index = self.count(content, "index").filter(|&index| index < MOST_LABELS);
        if index.is_none() && !self.diagnostics.failed_since(before) {
            self.fail_argument(content, "index", messages::invalid_label_index(MOST_LABELS - 1));
        }
        let index = index.unwrap_or_default();
        let name = self.text(content, "name").or_else(|| implied.cloned()).unwrap_or_default();
        Spec::BlockLabel(BlockLabelSpec::new(index, name))
    }

    fn switch(&mut self, spec: &SpecBlock<'_>) -> Spec {
        let SpecBlock { block, content, in_block, .. } = spec;
        if !in_block {
            self.fail_at(block, messages::label_outside_block());
        }
        let mut switch = SwitchSpec::new(0);
        if let Some(on) = content.attributes.get("on") {
            match label_index(&on.expression) {
                Some(index) => switch.index = index,
                None => self.fail_in(on, messages::switch_on_label(MOST_LABELS - 1)),
            }
        }
        if !content.blocks.iter().any(|own| own.block_type == *CASE) {
            self.fail(&content.missing_item, messages::empty_switch());
        }
        for own in &content.blocks {
            let inner = own.body.content_into(&schema(&[], []), &mut self.diagnostics);
            let case = self.only(&inner, *in_block).unwrap_or_else(unread);
            match own.labels.first() {
                Some(label) if switch.cases.iter().any(|(known, _)| **known == **label) => {
                    let span = own.label_spans.first().copied().unwrap_or(own.type_span);
                    self.fail_span(own, span, messages::duplicate_case(label));
                }
                Some(label) => switch.cases.push((Str::from(label), case)),
                None if switch.other.is_some() => self.fail_at(own, messages::second_switch_default()),
                None => switch.other = Some(Box::new(case)),
            }
        }
        Spec::Switch(switch)
    }

    fn default(&mut self, spec: &SpecBlock<'_>) -> Spec {
        let SpecBlock { content, in_block, .. } = spec;
        if content.blocks.is_empty() {
            self.fail(&content.missing_item, messages::empty_default());
        }
        let specs = content.blocks.iter().map(|nested| self.spec(nested, None, *in_block)).collect();
        Spec::Default(DefaultSpec { specs })
    }

    fn transform(&mut self, spec: &SpecBlock<'_>) -> Spec {
        let SpecBlock { content, in_block, .. } = spec;
        let wrapped = self.only(content, *in_block).unwrap_or_else(unread);
        let Some(result) = content.attributes.get("result") else { return wrapped };
        Spec::Transform(TransformSpec {
            wrapped: Box::new(wrapped),
            expression: result.expression.clone(),
            variable: "nested".into(),
            context: self.context.clone(),
        })
    }
}
