//! The type of the value at a place, and the parts of values: those that are known, and those that types declare.

use std::sync::Arc;

use hclkit::Expression;
use hclkit::ast::ExpressionKind;
use hclkit::dialect::{Role, Takes};
use hclkit::syntax::NodeKind;
use hclkit::value::{Type, Value};

use super::bodies::variables;
use super::place::{Place, Step};
use crate::Snapshot;
use crate::body_schema::{self, Argument, EnclosingBlock};
use crate::calls::call_at;
use crate::file::File;
use crate::files::parent;
use crate::module::Module;
use crate::usage::Path;

/// The most elements whose parts are offered together.
const MOST_ELEMENTS: usize = 20;

/// The names of the parts of a value, with their types.
pub(crate) type Parts = Vec<(String, Option<Type>)>;

impl Place {
    /// The way to the object around the place.
    pub(super) fn path(&self, body: Path) -> Path {
        let mut path = self.argument.iter().fold(body, |path, name| path.join(name));
        for step in &self.steps {
            if let Step::Key(key) = step {
                path = path.join(key);
            }
        }
        path
    }

    /// The ways to objects that are like the one around the place.
    pub(super) fn other_paths(&self, own: &Path) -> Vec<Path> {
        let mut found = Vec::new();
        // Elements of a map.
        if let (Some((outer, _)), Some(Step::Key(_))) = (own.text.rsplit_once('/'), self.steps.last()) {
            found.push(Path { text: format!("{outer}/*"), ..own.clone() });
        }
        found.push(Path::anywhere(&own.last));
        found
    }
}

impl Snapshot {
    /// The module that the block around a place calls.
    pub(super) fn called_at(&self, file: &File, offset: u32) -> Option<Arc<Module>> {
        let address = call_at(file, offset)?;
        let directory = self.module(file.path()).called(&address)?;
        self.module_in(&directory)
    }

    /// The variables that a file of values sets: those of its directory, or of the nearest one around it that has any.
    pub(super) fn variables_for(&self, file: &File, module: &Module) -> Vec<Argument> {
        let own = variables(module);
        if !own.is_empty() {
            return own;
        }
        let mut at = parent(file.path());
        while parent(at) != at && !parent(at).is_empty() && self.may_read(parent(at)) {
            at = parent(at);
            let found = self.module_in(at).map(|module| variables(&module)).unwrap_or_default();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The type that the value at a place must have, if that is known.
    pub(super) fn expected_type(
        &self,
        file: &File,
        module: &Module,
        around: &[EnclosingBlock],
        place: &Place,
        offset: u32,
    ) -> Option<Type> {
        let mut ty = self.type_of_argument(file, module, around, place.argument.as_deref()?, offset)?;
        for step in &place.steps {
            ty = match (step, &ty) {
                (Step::Key(key), Type::Object(object)) => object.get(key)?.clone(),
                (Step::Key(_), Type::Map(element)) => (**element).clone(),
                (Step::Element, Type::List(element) | Type::Set(element)) => (**element).clone(),
                (Step::Element, Type::Tuple(tuple)) => tuple.elements().first()?.clone(),
                // What `for` makes are elements, too.
                (Step::Element, Type::Map(element)) => (**element).clone(),
                _ => return None,
            };
        }
        Some(ty)
    }

    fn type_of_argument(
        &self,
        file: &File,
        module: &Module,
        around: &[EnclosingBlock],
        argument: &str,
        offset: u32,
    ) -> Option<Type> {
        let named =
            |all: Vec<Argument>| all.into_iter().find(|own| own.name == argument).and_then(|own| own.ty);
        let Some(last) = around.last() else {
            if file.holds_values() {
                return named(self.variables_for(file, module));
            }
            return match self.unit_inputs(file, argument) {
                Some(inputs) => {
                    let attributes =
                        inputs.into_iter().map(|own| (own.name, own.ty.unwrap_or(Type::Dynamic)));
                    Some(Type::object(attributes))
                }
                None => help_type(file, "", argument),
            };
        };
        let role = file.content_dialect().and_then(|part| part.block(&last.block_type)).map(|rule| rule.role);
        match role.filter(|_| around.len() == 1) {
            Some(Role::Input) if argument == "default" => {
                let content = file.content();
                let block = content.blocks.iter().find(|block| block.span.touches(offset))?;
                return body_schema::declared_type(&block.model);
            }
            Some(Role::Call) => {
                if let Some(called) = self.called_at(file, offset)
                    && let Some(ty) = named(variables(&called))
                {
                    return Some(ty);
                }
            }
            _ => {}
        }
        named(self.content(file, module, around).arguments)
            .or_else(|| help_type(file, &last.block_type, argument))
    }

    /// The variables of the module that a unit applies, if an argument at the top of the file sets them.
    fn unit_inputs(&self, file: &File, argument: &str) -> Option<Vec<Argument>> {
        let calls = hclkit::refactor::ModuleCall::all(file.document());
        let call = calls.iter().find(|call| call.is_unit()).filter(|_| argument == "inputs")?;
        let directory = crate::files::join_absolute(call.directory(file.document())?.to_str()?);
        Some(variables(&*self.module_in(&directory)?))
    }

    /// The attributes of the type of the object around a place, as arguments.
    pub(super) fn keys_of_type(
        &self,
        file: &File,
        module: &Module,
        around: &[EnclosingBlock],
        place: &Place,
        offset: u32,
    ) -> Vec<Argument> {
        if around.is_empty()
            && place.steps.is_empty()
            && let Some(inputs) =
                place.argument.as_deref().and_then(|argument| self.unit_inputs(file, argument))
        {
            return inputs;
        }
        let block = around.last().map_or("", |own| own.block_type.as_str());
        let argument = place.argument.as_deref().unwrap_or_default();
        // The entries of such a block have the arguments that are described for it.
        let described = file.content_dialect().map(|part| {
            let own = part.help.arguments(block);
            own.map(|name| Argument {
                name: name.to_owned(),
                ty: help_type(file, block, name),
                ..Argument::default()
            })
        });
        let is_entry = place.steps.is_empty() && self.content(file, module, around).arguments.is_empty();
        if let Some(described) = described.filter(|_| is_entry && !block.is_empty()) {
            let all: Vec<Argument> = described.collect();
            if !all.is_empty() {
                return all;
            }
        }
        let takes = file.content_dialect().and_then(|part| part.help.takes(block, argument));
        if matches!(takes, Some(Takes::Configurations)) {
            let called = self.called_at(file, offset);
            let names = called.map(|called| crate::providers::names(&called)).unwrap_or_default();
            return names.into_iter().map(|name| Argument { name, ..Argument::default() }).collect();
        }
        let Some(Type::Object(object)) = self.expected_type(file, module, around, place, offset) else {
            return Vec::new();
        };
        let one = |(name, ty): (&hclkit::value::Str, &Type)| Argument {
            name: name.to_string(),
            required: !object.is_optional(name),
            ty: Some(ty.clone()),
            ..Argument::default()
        };
        object.attributes().filter(|(name, _)| hclkit::syntax::is_identifier(name)).map(one).collect()
    }

    /// The parts of the value at an address: of the results of a call, of an element of a loop, or of a value. `None` if their
    /// names may be sensitive.
    pub(super) fn parts(
        &self,
        file: &File,
        module: &Arc<Module>,
        address: &str,
        offset: u32,
    ) -> Option<Parts> {
        let found = self.members(module, address)?;
        if !found.is_empty() {
            return Some(found);
        }
        self.element_parts(file, module, address, offset).ok()
    }

    /// The parts of an element of what a loop or a repetition goes over.
    fn element_parts(
        &self,
        file: &File,
        module: &Arc<Module>,
        address: &str,
        offset: u32,
    ) -> Result<Parts, IsHidden> {
        let Some((source, rest)) = element_of(file, address, offset) else { return Ok(Parts::new()) };
        let Ok(expression) = Expression::parse(source.as_str()) else { return Ok(Parts::new()) };
        let Some(value) = self.value_in(module, &expression) else { return Ok(Parts::new()) };
        let mut elements = elements(&value)?;
        for name in rest.split('.').filter(|name| !name.is_empty()) {
            elements = elements.iter().filter_map(|own| own.part(name)).collect();
        }
        let mut found = Parts::new();
        for (name, ty) in elements.iter().flat_map(Part::parts) {
            if !found.iter().any(|(own, _)| *own == name) {
                found.push((name, ty));
            }
        }
        Ok(found)
    }
}

/// The type that the table of the language says for an argument.
fn help_type(file: &File, block: &str, argument: &str) -> Option<Type> {
    match file.content_dialect()?.help.takes(block, argument)? {
        Takes::Value(ty) => Some(ty.clone()),
        _ => None,
    }
}

/// The names in a value may be sensitive.
struct IsHidden;

/// A value, or what is known of it.
pub(crate) enum Part {
    Value(Value),
    Type(Type),
}

impl Part {
    /// What a value is. `None` if names in it may be sensitive.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        if value.is_marked() {
            return None;
        }
        Some(if value.is_known() { Self::Value(value.clone()) } else { Self::Type(value.ty()) })
    }

    fn part(&self, name: &str) -> Option<Self> {
        match self {
            Self::Value(value) => {
                let (_, part) = value.entries()?.find(|(own, _)| own.as_str() == name)?;
                Self::of(part)
            }
            Self::Type(Type::Object(object)) => object.get(name).cloned().map(Self::Type),
            Self::Type(Type::Map(element)) => Some(Self::Type((**element).clone())),
            Self::Type(_) => None,
        }
    }

    pub(crate) fn parts(&self) -> Parts {
        match self {
            Self::Value(value) => {
                let entries = value.entries().into_iter().flatten();
                entries
                    .map(|(name, part)| (name.to_string(), (!part.is_marked()).then(|| part.ty())))
                    .collect()
            }
            Self::Type(Type::Object(object)) => {
                object.attributes().map(|(name, ty)| (name.to_string(), Some(ty.clone()))).collect()
            }
            Self::Type(_) => Vec::new(),
        }
    }
}

/// The first elements of a value.
fn elements(value: &Value) -> Result<Vec<Part>, IsHidden> {
    if value.is_marked() {
        return Err(IsHidden);
    }
    if !value.is_known() {
        return Ok(value.ty().element().cloned().map(Part::Type).into_iter().collect());
    }
    let all: Vec<&Value> = match value.as_slice() {
        Some(all) => all.iter().take(MOST_ELEMENTS).collect(),
        None => value.entries().into_iter().flatten().take(MOST_ELEMENTS).map(|(_, own)| own).collect(),
    };
    all.into_iter().map(|own| Part::of(own).ok_or(IsHidden)).collect()
}

/// What the loop or the repetition goes over whose element an address begins with, and the rest of the address.
pub(crate) fn element_of(file: &File, address: &str, offset: u32) -> Option<(String, String)> {
    let document = file.document();
    let nodes = document.nodes_at(offset);
    let names: Vec<&str> = address.split('.').collect();
    for &node in nodes.iter().rev() {
        match document.tree().kind(node) {
            NodeKind::ForTuple | NodeKind::ForObject => {
                let ExpressionKind::For(own) = document.expression_at(node).kind() else { continue };
                if own.value_variable().text == names[0] {
                    return Some((own.collection().text().to_owned(), names[1..].join(".")));
                }
            }
            NodeKind::Block => {
                let Some(block) = document.block_at(node) else { continue };
                let labels = block.label_texts();
                let iterator = block.body().attribute("iterator").map(|own| own.value().text().to_owned());
                let iterator = iterator.or_else(|| labels.last().map(ToString::to_string));
                let over = |name: &str| block.body().attribute(name).map(|own| own.value().text().to_owned());
                if block.block_type() == "dynamic"
                    && iterator.as_deref() == Some(names[0])
                    && names.get(1) == Some(&"value")
                {
                    return Some((over("for_each")?, names[2..].join(".")));
                }
                let repeats = file.content_dialect().into_iter().flat_map(|part| &part.repeats);
                for repeat in repeats {
                    let Some(value) = &repeat.value else { continue };
                    let begins = names.len() >= value.len()
                        && value.iter().zip(&names).all(|(own, name)| **own == **name);
                    if begins && let Some(source) = over(&repeat.attribute) {
                        return Some((source, names[value.len()..].join(".")));
                    }
                }
            }
            _ => {}
        }
    }
    None
}
