//! Decoding of repeated blocks to lists, tuples, sets, maps and objects.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use hclkit_value::{Name, ObjectType, Str, Type, Value, unify};

use super::decode::{Frame, body_value, duplicate};
use super::place::of_body;
use super::{BlocksSpec, LabeledBlocksSpec};
use crate::{Block, Diagnostics, messages};

impl BlocksSpec {
    pub(super) fn list(&self, frame: Frame, diagnostics: &mut Diagnostics) -> Value {
        let ty = self.nested.ty();
        let Some(values) = self.values(frame, diagnostics) else {
            return Value::unknown(Type::list(ty.clone()));
        };
        if values.is_empty() {
            return Value::empty_list(ty.clone());
        }
        let list = alike(values).and_then(|(values, ty)| Value::list_of(ty, values).ok());
        list.unwrap_or_else(|| self.refuse("block_list", frame, diagnostics))
    }

    pub(super) fn set(&self, frame: Frame, diagnostics: &mut Diagnostics) -> Value {
        let ty = self.nested.ty();
        let Some(values) = self.values(frame, diagnostics) else {
            return Value::unknown(Type::set(ty.clone()));
        };
        if values.is_empty() {
            return Value::empty_set(ty.clone());
        }
        let set = alike(values).and_then(|(values, ty)| Value::set_of(ty, values).ok());
        set.unwrap_or_else(|| self.refuse("block_set", frame, diagnostics))
    }

    pub(super) fn tuple(&self, frame: Frame, diagnostics: &mut Diagnostics) -> Value {
        self.values(frame, diagnostics).map_or(Value::DYNAMIC, Value::tuple)
    }

    /// The value of each block; `None` if the number of blocks is unknown. As in the reference, later blocks are not
    /// checked then.
    fn values(&self, frame: Frame, diagnostics: &mut Diagnostics) -> Option<Vec<Value>> {
        let (mut values, mut first_extra) = (Vec::new(), None);
        for block in frame.blocks(&self.block_type) {
            if self.max_items == Some(values.len()) {
                first_extra = Some(block);
            }
            values.push(element_value(block, 0, &self.nested, frame, diagnostics));
            if block.body.is_unknown() {
                return None;
            }
        }
        let (block_type, count) = (&self.block_type, values.len());
        if count < self.min_items {
            let least = self.min_items;
            let message = messages::spec::too_few_blocks(block_type, least, count);
            diagnostics.push(message.at(&frame.content.missing_item));
        } else if let (Some(extra), Some(most)) = (first_extra, self.max_items) {
            let message = messages::spec::too_many_blocks(block_type, most, count);
            diagnostics.push(message.at(of_body(extra, 0, &self.nested, &[])));
        }
        Some(values)
    }

    #[cold]
    fn refuse(&self, kind: &str, frame: Frame, diagnostics: &mut Diagnostics) -> Value {
        let block_type = &self.block_type;
        let first = frame.blocks(block_type).next();
        let place = first
            .map_or_else(|| frame.content.missing_item.clone(), |first| of_body(first, 0, &self.nested, &[]));
        diagnostics.push(messages::spec::inconsistent_blocks(block_type, kind).at(place));
        Value::DYNAMIC
    }
}

/// The value of one of several blocks, with the marks of the collection that generated the block.
fn element_value(
    block: &Block,
    taken: usize,
    nested: &super::Nested,
    frame: Frame,
    diagnostics: &mut Diagnostics,
) -> Value {
    let value = body_value(block, taken, nested, frame.context, diagnostics);
    match block.body.marks() {
        Some(marks) => value.with_marks(marks),
        None => value,
    }
}

/// The type of all values, if they have the same type and no part of it is unknown.
fn same_type<'v>(values: impl IntoIterator<Item = &'v Value>) -> Option<Type> {
    let mut values = values.into_iter();
    let ty = values.next()?.ty();
    (!ty.has_dynamic() && values.all(|value| value.has_type(&ty))).then_some(ty)
}

/// The values converted to one type, and that type.
fn alike(values: Vec<Value>) -> Option<(Vec<Value>, Type)> {
    if let Some(ty) = same_type(&values) {
        return Some((values, ty));
    }
    let types: Vec<Type> = values.iter().map(Value::ty).collect();
    let common = common_type(&types)?;
    let values: Option<Vec<Value>> = values.iter().map(|value| value.convert(&common).ok()).collect();
    Some((values?, common))
}

/// The type that all these types can have. Where a part of one type is unknown, it is that of the others: an argument
/// that is not set is a null of any type.
fn common_type(types: &[Type]) -> Option<Type> {
    let known: Vec<&Type> = types.iter().filter(|ty| **ty != Type::Dynamic).collect();
    let Some(first) = known.first() else { return Some(Type::Dynamic) };
    if known.iter().all(|ty| ty == first) {
        return Some((*first).clone());
    }
    let elements = || known.iter().map(|ty| ty.element().cloned()).collect::<Option<Vec<Type>>>();
    let all = |same: fn(&Type) -> bool| known.iter().all(|ty| same(ty));
    let open = known.iter().any(|ty| ty.has_dynamic());
    match first {
        Type::List(_) if open && all(|ty| matches!(ty, Type::List(_))) => {
            common_type(&elements()?).map(Type::list)
        }
        Type::Set(_) if open && all(|ty| matches!(ty, Type::Set(_))) => {
            common_type(&elements()?).map(Type::set)
        }
        Type::Map(_) if open && all(|ty| matches!(ty, Type::Map(_))) => {
            common_type(&elements()?).map(Type::map)
        }
        Type::Object(object) if open && known.iter().all(|ty| same_attributes(first, ty)) => {
            let attribute = |name: &Str| {
                let types: Option<Vec<Type>> = known.iter().map(|ty| ty.attribute(name).cloned()).collect();
                Some((name.clone(), common_type(&types?)?))
            };
            Some(Type::object(object.names().iter().map(attribute).collect::<Option<Vec<_>>>()?))
        }
        Type::Tuple(tuple) if open && known.iter().all(|ty| same_length(first, ty)) => {
            let element = |at: usize| {
                let types = known.iter().map(|ty| ty.tuple_elements()?.get(at).cloned());
                common_type(&types.collect::<Option<Vec<_>>>()?)
            };
            Some(Type::tuple((0..tuple.elements().len()).map(element).collect::<Option<Vec<_>>>()?))
        }
        // Tuples of different lengths become lists, and objects with different attributes become maps.
        Type::Tuple(_) | Type::List(_) if open && all(|ty| matches!(ty, Type::Tuple(_) | Type::List(_))) => {
            let tuples = known.iter().filter_map(|ty| ty.tuple_elements()).flatten();
            let lists = known.iter().filter_map(|ty| ty.element());
            common_type(&tuples.chain(lists).cloned().collect::<Vec<_>>()).map(Type::list)
        }
        Type::Object(_) | Type::Map(_) if open && all(|ty| matches!(ty, Type::Object(_) | Type::Map(_))) => {
            let attributes = known.iter().filter_map(|ty| ty.as_object()).flat_map(ObjectType::attributes);
            let elements = known.iter().filter_map(|ty| ty.element());
            let parts = attributes.map(|(_, ty)| ty).chain(elements);
            common_type(&parts.cloned().collect::<Vec<_>>()).map(Type::map)
        }
        _ => unify(&known.into_iter().cloned().collect::<Vec<_>>()),
    }
}

fn same_attributes(one: &Type, other: &Type) -> bool {
    let names = |ty: &Type| ty.as_object().map(|object| object.names().to_vec());
    names(one) == names(other)
}

fn same_length(one: &Type, other: &Type) -> bool {
    let length = |ty: &Type| ty.tuple_elements().map(<[Type]>::len);
    length(one) == length(other)
}

/// A map if the values can have one type, otherwise an object.
pub(super) fn map_or_object(entries: Vec<(Str, Value)>, element: &Type) -> Value {
    if entries.is_empty() {
        return Value::empty_map(element.clone());
    }
    let (names, values): (Vec<Str>, Vec<Value>) = entries.into_iter().unzip();
    if let Some(ty) = same_type(&values) {
        let map = Value::map_of(ty, names.into_iter().zip(values));
        return map.expect("all values have the type of the first one");
    }
    let map = alike(values.clone())
        .and_then(|(values, ty)| Value::map_of(ty, names.iter().cloned().zip(values)).ok());
    map.unwrap_or_else(|| Value::object(names.into_iter().zip(values)))
}

impl LabeledBlocksSpec {
    pub(super) fn map(&self, frame: Frame, diagnostics: &mut Diagnostics) -> Value {
        let Some(mut tree) = self.tree(frame, diagnostics) else {
            let ty = self.label_names.iter().fold(self.nested.ty().clone(), |ty, _| Type::map(ty));
            return Value::unknown(ty);
        };
        let ty = self.nested.ty();
        if tree.is_empty() {
            // As in the reference, this does not depend on the number of labels.
            return Value::empty_map(ty.clone());
        }
        if ty.has_dynamic() {
            // All leaves have one type, or none is required.
            let mut leaves = Vec::new();
            tree.leaves(&mut leaves);
            if same_type(leaves.iter().copied()).is_none() {
                let leaves = leaves.into_iter().cloned().collect();
                let Some((values, _)) = alike(leaves) else { return tree.object() };
                tree.replace(&mut values.into_iter());
            }
        }
        let inner = self.label_names.iter().skip(1).fold(ty.clone(), |ty, _| Type::map(ty));
        tree.map(&inner)
    }

    pub(super) fn object(&self, frame: Frame, diagnostics: &mut Diagnostics) -> Value {
        self.tree(frame, diagnostics).map_or(Value::DYNAMIC, LabelTree::object)
    }

    /// The value of each block by its labels; `None` if it is unknown which blocks exist. As in the reference, that
    /// block and those after it are not checked then.
    fn tree<'f>(&self, frame: Frame<'f>, diagnostics: &mut Diagnostics) -> Option<LabelTree<'f>> {
        let mut tree = LabelTree::Branch(BTreeMap::new());
        let keys = self.label_names.len();
        for block in frame.blocks(&self.block_type) {
            if block.body.is_unknown() {
                return None;
            }
            let labels = block.labels.get(..keys).unwrap_or(&block.labels);
            let value = element_value(block, keys, &self.nested, frame, diagnostics);
            if let Err(first) = tree.insert(labels, block, value) {
                // Labels may come from a marked collection of dynamic blocks.
                let hidden = block.body.marks().is_some_and(|marks| !marks.is_empty());
                let labels: Vec<&str> = labels.iter().map(Name::as_str).collect();
                let shown = (!hidden).then_some(labels.as_slice());
                let message = messages::spec::duplicate_labels(&self.block_type, shown);
                diagnostics.push(duplicate(first, block, message));
            }
        }
        Some(tree)
    }
}

/// The values of blocks under paths of keys.
enum LabelTree<'b> {
    Leaf(&'b Block, Value),
    Branch(BTreeMap<Str, Self>),
}

impl<'b> LabelTree<'b> {
    /// Adds a value. If there already is one at the path, it is kept, and its block is returned as the error.
    fn insert(&mut self, path: &[Name], block: &'b Block, value: Value) -> Result<(), &'b Block> {
        let LabelTree::Branch(branch) = self else { return Ok(()) };
        let Some((key, rest)) = path.split_first() else { return Ok(()) };
        match branch.entry(Str::from(key)) {
            Entry::Occupied(taken) => match taken.into_mut() {
                LabelTree::Leaf(first, _) => Err(first),
                next @ LabelTree::Branch(_) => next.insert(rest, block, value),
            },
            Entry::Vacant(free) if rest.is_empty() => {
                free.insert(LabelTree::Leaf(block, value));
                Ok(())
            }
            Entry::Vacant(free) => free.insert(LabelTree::Branch(BTreeMap::new())).insert(rest, block, value),
        }
    }

    fn is_empty(&self) -> bool {
        matches!(self, LabelTree::Branch(branch) if branch.is_empty())
    }

    /// Adds all values, in the order of their keys.
    fn leaves<'t>(&'t self, leaves: &mut Vec<&'t Value>) {
        match self {
            LabelTree::Leaf(_, value) => leaves.push(value),
            LabelTree::Branch(branch) => branch.values().for_each(|tree| tree.leaves(leaves)),
        }
    }

    /// Replaces all values, in the order of their keys.
    fn replace(&mut self, values: &mut impl Iterator<Item = Value>) {
        match self {
            LabelTree::Leaf(_, leaf) => {
                if let Some(value) = values.next() {
                    *leaf = value;
                }
            }
            LabelTree::Branch(branch) => branch.values_mut().for_each(|tree| tree.replace(values)),
        }
    }

    fn object(self) -> Value {
        match self {
            LabelTree::Leaf(_, value) => value,
            LabelTree::Branch(branch) => {
                Value::object(branch.into_iter().map(|(key, tree)| (key, tree.object())))
            }
        }
    }

    /// Maps of maps. `element` is the element type of an empty one.
    fn map(self, element: &Type) -> Value {
        match self {
            LabelTree::Leaf(_, value) => value,
            LabelTree::Branch(branch) => {
                let inner = element.element().unwrap_or(element);
                let entries = branch.into_iter().map(|(key, tree)| (key, tree.map(inner)));
                map_or_object(entries.collect(), element)
            }
        }
    }
}
