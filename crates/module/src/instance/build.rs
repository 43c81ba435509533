//! The value of a build: each of its sources with the arguments that the block adds, and the steps for it. In a step,
//! the name and the type of the source are known; everything that a build knows only when it runs is unknown.

use hclkit_model::{Block, Body, Context, Dynamic, Schema};
use hclkit_syntax::{Diagnostics, Place};
use hclkit_value::{Name, Path, Str, Type, Value};

use super::Instance;
use crate::config::{Item, body_values, object};
use crate::messages::build as messages;
use crate::pattern::hidden;
use crate::step::Step;

/// The arguments of a build that are not steps.
const ARGUMENTS: [&str; 3] = ["name", "description", "sources"];
/// The blocks with one step each.
const STEPS: [&str; 3] = ["provisioner", "error-cleanup-provisioner", "post-processor"];
/// A block with steps that each work on the result of the one before.
const SEQUENCE: &str = "post-processors";
/// Arguments of steps that select sources, or replace arguments for one of them.
const SELECTORS: [&str; 3] = ["only", "except", "override"];

/// The name of the value of all sources of a block. Expressions cannot have it.
pub(crate) fn build_path(item: usize) -> [String; 2] {
    ["(build)".to_owned(), item.to_string()]
}

/// A source in a build.
struct Source {
    kind: String,
    name: String,
    /// The name depends on an unknown value; it is then that of the source block.
    is_unnamed: bool,
    /// The name of the source block, which a build can replace.
    of: String,
    /// The arguments that the build adds.
    body: Option<Body>,
    /// Where the build refers to it.
    place: Place,
}

impl Source {
    /// What `only`, `except` and `override` call it.
    fn is_named(&self, text: &str) -> bool {
        text.split_once('.').is_some_and(|(kind, name)| kind == self.kind && name == self.name)
    }
}

/// The name of a build and its sources.
fn sources(item: &Item, context: &Context, diagnostics: &mut Diagnostics) -> (String, Vec<Source>) {
    let schema = ARGUMENTS.iter().fold(Schema::new(), |schema, name| schema.with_optional(*name));
    let schema = schema.with_block("source", &["name"]);
    let body = Dynamic::new(context).expand(&item.block.body);
    let ((content, _), found) = body.partial_content(&schema);
    diagnostics.append(found);
    let mut argument = |name: &str| {
        let attribute = content.attributes.get(name)?;
        let value = diagnostics.absorb(attribute.expression.evaluate_lenient(context));
        // Addresses are shown, so that marked names are unknown.
        Some((hidden(&value), attribute.expression.clone()))
    };
    let name = argument("name").and_then(|(name, _)| name.as_str().map(str::to_owned)).unwrap_or_default();
    let mut sources: Vec<Source> = Vec::new();
    if let Some((listed, expression)) = argument("sources") {
        for (at, reference) in (0_i64..).zip(listed.as_slice().unwrap_or_default()) {
            let place = expression.place_of(&Path::new().index(at));
            match reference.as_str().and_then(|text| source(text, None, &place)) {
                Some(source) => sources.push(source),
                None if !reference.is_known() => {}
                None => diagnostics.push(messages::invalid_source(&reference.to_string()).at(place)),
            }
        }
    }
    for block in content.blocks_of("source") {
        let place = block.definition_place();
        match source(&block.labels[0], Some(block.body.clone()), &place) {
            Some(mut source) => {
                let ((own, _), _) = block.body.partial_content(&Schema::new().with_optional("name"));
                if let Some(attribute) = own.attributes.get("name") {
                    let name = diagnostics.absorb(attribute.expression.evaluate_lenient(context));
                    match hidden(&name).as_str() {
                        Some(name) => name.clone_into(&mut source.name),
                        None => source.is_unnamed = true,
                    }
                }
                sources.push(source);
            }
            None => diagnostics.push(messages::invalid_source(&block.labels[0]).at(place)),
        }
    }
    (name, sources)
}

/// The name of a build, and the type and the name of each source block that it uses.
pub(crate) fn used_sources(item: &Item, context: &Context) -> (String, Vec<[String; 2]>) {
    let (name, sources) = sources(item, context, &mut Diagnostics::new());
    (name, sources.into_iter().map(|source| [source.kind, source.of]).collect())
}

/// The sources of a build, as a tuple: the steps of the address of each, and its value.
pub(super) fn value(
    instance: &Instance,
    item: &Item,
    context: &Context,
    diagnostics: &mut Diagnostics,
) -> Value {
    let (name, sources) = sources(item, context, diagnostics);
    let one = |source: &Source| {
        let path = [name.as_str(), &source.kind, &source.name];
        let value = planned(instance, item, source, context, diagnostics);
        Value::tuple([Value::tuple(path.map(Value::from)), value])
    };
    Value::tuple(sources.iter().map(one).collect::<Vec<_>>())
}

/// A reference such as `source.null.example`. As in Packer, the first of three parts can be any name.
fn source(text: &str, body: Option<Body>, place: &Place) -> Option<Source> {
    let parts: Vec<&str> = text.split('.').collect();
    let ([kind, name] | [_, kind, name, ..]) = parts[..] else { return None };
    if kind.is_empty() || name.is_empty() {
        return None;
    }
    let (kind, name) = (kind.to_owned(), name.to_owned());
    Some(Source { kind, of: name.clone(), name, is_unnamed: false, body, place: place.clone() })
}

/// A source with the steps of the build for it.
fn planned(
    instance: &Instance,
    item: &Item,
    source: &Source,
    context: &Context,
    diagnostics: &mut Diagnostics,
) -> Value {
    let mut own = context.child();
    let name = if source.is_unnamed { Value::unknown(Type::String) } else { Value::from(&source.name) };
    own.set("source", Value::object([("name", name), ("type", Value::from(&source.kind))]));
    let address = ["source", &source.kind, &source.of];
    let declared = instance.context.value_alone(&address);
    if declared.is_none() {
        let found = messages::unknown_source(&source.kind, &source.of);
        diagnostics.push(found.at(&source.place));
    }
    let declared = declared.as_ref().and_then(Value::entries).into_iter().flatten();
    let mut attributes: Vec<(Name, Value)> =
        declared.map(|(name, value)| (Name::from(name), value.clone())).collect();
    for (name, value) in source.body.iter().flat_map(|body| body_values(body, &own, diagnostics)) {
        replace(&mut attributes, name, value);
    }
    attributes.retain(|(name, _)| *name != *"name");
    let mut parts: Vec<(Str, Value)> = vec![(Str::from("source"), object(attributes))];
    let body = Dynamic::new(&own).expand(&item.block.body);
    let schema = STEPS.iter().fold(Schema::new(), |schema, step| schema.with_block(*step, &["type"]));
    let ((content, _), found) = body.partial_content(&schema.with_block(SEQUENCE, &[]));
    diagnostics.append(found);
    for kind in STEPS {
        let steps = steps(content.blocks_of(kind), source, &own, diagnostics);
        if !steps.is_empty() {
            parts.push((Str::from(kind), Value::tuple(steps)));
        }
    }
    let mut sequences = Vec::new();
    for block in content.blocks_of(SEQUENCE) {
        let schema = Schema::new().with_block("post-processor", &["type"]);
        let ((inner, _), found) = block.body.partial_content(&schema);
        diagnostics.append(found);
        let steps = steps(inner.blocks_of("post-processor"), source, &own, diagnostics);
        if !steps.is_empty() {
            sequences.push(Value::tuple(steps));
        }
    }
    if !sequences.is_empty() {
        parts.push((Str::from(SEQUENCE), Value::tuple(sequences)));
    }
    Value::object(parts)
}

fn replace(attributes: &mut Vec<(Name, Value)>, name: Name, value: Value) {
    match attributes.iter_mut().find(|(own, _)| *own == name) {
        Some((_, own)) => *own = value,
        None => attributes.push((name, value)),
    }
}

/// The steps that are for a source.
fn steps<'b>(
    blocks: impl Iterator<Item = &'b Block>,
    source: &Source,
    context: &Context,
    diagnostics: &mut Diagnostics,
) -> Vec<Value> {
    let mut steps = Vec::new();
    for block in blocks {
        let mut values = body_values(&block.body, context, diagnostics);
        let taken: Vec<Option<Value>> = SELECTORS.iter().map(|name| take(&mut values, name)).collect();
        let lists = |value: &Option<Value>| {
            let items = value.as_ref().and_then(Value::as_slice).unwrap_or_default();
            items.iter().any(|item| item.as_str().is_some_and(|name| source.is_named(name)))
        };
        if lists(&taken[1]) || taken[0].is_some() && !lists(&taken[0]) {
            continue;
        }
        check_override(block, taken[2].as_ref(), diagnostics);
        let replaced = taken[2].as_ref().and_then(Value::entries).into_iter().flatten();
        for (name, value) in
            replaced.filter(|(name, _)| name.as_str() == source.name || source.is_named(name))
        {
            for (name, value) in value.entries().into_iter().flatten() {
                replace(&mut values, Name::from(name), value.clone());
            }
            let _ = name;
        }
        values.push((Name::from("type"), Value::from(&block.labels[0])));
        steps.push(object(values));
    }
    steps
}

fn take(values: &mut Vec<(Name, Value)>, name: &str) -> Option<Value> {
    let at = values.iter().position(|(own, _)| *own == *name)?;
    Some(values.remove(at).1)
}

/// The sources of a build with their addresses: `build.null.example`, with the name of the build after `build` if it has one,
/// or its number if several have none.
pub(crate) fn addressed(value: &Value, number: Option<usize>) -> Vec<(Vec<Step>, Value)> {
    let one = |pair: &Value| {
        let [path, value] = pair.as_slice()? else { return None };
        let [name, source_type, source] = path.as_slice()? else { return None };
        let mut steps = vec![Step::Name(Name::from("build"))];
        let name = name.as_str().unwrap_or_default();
        match number {
            _ if !name.is_empty() => steps.push(Step::Name(Name::from(name))),
            Some(number) => steps.push(Step::Key(Value::from(i64::try_from(number).unwrap_or_default()))),
            None => {}
        }
        steps.extend(
            [source_type, source].map(|name| Step::Name(Name::from(name.as_str().unwrap_or_default()))),
        );
        Some((steps, value.clone()))
    };
    value.as_slice().unwrap_or_default().iter().filter_map(one).collect()
}

/// Reports an override that is not an object of objects.
fn check_override(block: &Block, value: Option<&Value>, diagnostics: &mut Diagnostics) {
    let Some(value) = value.filter(|value| value.is_known() && !value.is_null()) else { return };
    let is_object = |value: &Value| {
        let value = value.unmark().0;
        !value.is_known() || !value.is_null() && value.entries().is_some()
    };
    let own = value.unmark().0;
    let mut entries = own.entries().into_iter().flatten();
    let problem = match own.entries() {
        None => Some(None),
        Some(_) => entries.find(|(_, value)| !is_object(value)).map(|(name, _)| Some(name)),
    };
    let attribute = block.body.attribute(SELECTORS[2]);
    if let Some((source, attribute)) = problem.zip(attribute) {
        let path = source.map_or_else(Path::new, |name| Path::new().index(name.as_str()));
        let place = attribute.expression.place_of(&path);
        diagnostics.push(messages::invalid_override(source.map(Str::as_str)).at(place));
    }
}
