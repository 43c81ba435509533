//! The rules by which items of HCL 1 become values: blocks and lists are joined, other values are replaced.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use hclkit_limits::{Exceeded, Meter, with_room};
use hclkit_syntax::{Diagnostic, Hcl1Number, Span, fold_case};
use hclkit_value::{Str, Value};

use super::{Item, Kind, Names, Node};
use crate::messages::hcl1 as messages;

/// Most objects have few names, which are compared faster than they are hashed.
const FEW: usize = 16;

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// The value of a file.
pub(super) fn root(items: &[Item<'_>]) -> Result<Value> {
    let meter = Meter::current();
    let mut map = Map::default();
    Decoding { meter: &meter }.map(Entries::Items(items), &mut map)?;
    Ok(map.into_value())
}

/// An item without the first names, which lead to it.
#[derive(Clone, Copy)]
struct Entry<'i, 'd> {
    names: Names<'i, 'd>,
    node: &'i Node<'d>,
    /// The span of its first name, also of one that leads to it.
    span: Span,
}

impl<'i, 'd> Entry<'i, 'd> {
    fn of(item: &'i Item<'d>) -> Self {
        Self { names: Names::of(item), node: &item.node, span: item.name.span }
    }

    fn without_first_name(self) -> Self {
        Self { names: self.names.without_first(), ..self }
    }
}

/// The items of an object: all of them with their names, or without the first ones.
#[derive(Clone, Copy)]
enum Entries<'s, 'i, 'd> {
    Items(&'i [Item<'d>]),
    Rest(&'s [Entry<'i, 'd>]),
}

impl<'i, 'd> Entries<'_, 'i, 'd> {
    fn len(self) -> usize {
        match self {
            Self::Items(items) => items.len(),
            Self::Rest(entries) => entries.len(),
        }
    }

    fn get(self, at: usize) -> Entry<'i, 'd> {
        match self {
            Self::Items(items) => Entry::of(&items[at]),
            Self::Rest(entries) => entries[at],
        }
    }

    fn iter(self) -> impl Iterator<Item = Entry<'i, 'd>> {
        (0..self.len()).map(move |at| self.get(at))
    }
}

/// What a name is set to at one place: a value, or the rest of the names of blocks.
#[derive(Clone, Copy)]
enum Set<'s, 'i, 'd> {
    Node(&'i Node<'d>),
    Blocks(&'s [Entry<'i, 'd>], Span),
}

impl Set<'_, '_, '_> {
    fn span(self) -> Span {
        match self {
            Self::Node(node) => node.span,
            Self::Blocks(blocks, span) => blocks.first().map_or(span, |block| block.span),
        }
    }
}

/// A value that later items can change.
enum Slot<'i> {
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(Str),
    /// A list of values.
    List(Vec<Self>),
    /// A list of objects, which blocks and objects of one name are.
    Objects(Vec<Map<'i>>),
    /// An object in a list.
    Object(Map<'i>),
}

/// The values of an object by their names.
#[derive(Default)]
struct Map<'i> {
    slots: Vec<(&'i str, Slot<'i>)>,
    /// Where names are, if there are many.
    places: HashMap<&'i str, usize>,
}

impl Map<'_> {
    /// Where the value of a name is.
    fn find(&mut self, name: &str) -> Option<usize> {
        if self.slots.len() <= FEW {
            return self.slots.iter().position(|(own, _)| *own == name);
        }
        for at in self.places.len()..self.slots.len() {
            self.places.insert(self.slots[at].0, at);
        }
        self.places.get(name).copied()
    }

    fn into_value(self) -> Value {
        Value::object(self.slots.into_iter().map(|(name, slot)| (name, slot.into_value())))
    }
}

impl Slot<'_> {
    fn into_value(self) -> Value {
        match self {
            Self::Bool(flag) => flag.into(),
            Self::Integer(number) => number.into(),
            Self::Float(number) => number.into(),
            Self::Text(text) => text.into(),
            Self::List(slots) => Value::tuple(slots.into_iter().map(|slot| with_room(|| slot.into_value()))),
            Self::Objects(maps) => Value::tuple(maps.into_iter().map(|map| with_room(|| map.into_value()))),
            Self::Object(map) => map.into_value(),
        }
    }

    /// What it is, in messages.
    fn what(&self) -> &'static str {
        match self {
            Self::Bool(_) => "a bool",
            Self::Integer(_) => "a whole number",
            Self::Float(_) => "a number with a fraction",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Objects(_) | Self::Object(_) => "an object",
        }
    }
}

/// Where a value is, which determines what an object becomes there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Object,
    List,
}

struct Decoding<'m> {
    meter: &'m Meter,
}

fn exceeded(span: Span) -> impl Fn(Exceeded) -> Box<Diagnostic> {
    move |exceeded| Box::new(Diagnostic::exceeded(exceeded).at(span))
}

impl Decoding<'_> {
    /// Adds items to an object.
    fn map<'i>(&self, items: Entries<'_, 'i, '_>, map: &mut Map<'i>) -> Result<()> {
        // A block alone, as each is under the labels of others, is its own group.
        let has_groups = items.len() > 1 && items.iter().any(|item| !item.names.rest.is_empty());
        let mut groups = has_groups.then(|| Groups::of(items));
        map.slots.reserve(items.len());
        for item in items.iter() {
            self.meter.take_elements(1).map_err(exceeded(item.span))?;
            let Some(name) = item.names.first else {
                return Err(messages::without_label().at(item.span).into());
            };
            if groups.as_ref().is_some_and(|groups| groups.is_done(&name.text)) {
                continue;
            }
            let place = map.find(&name.text);
            let slot = place.map(|at| std::mem::replace(&mut map.slots[at].1, Slot::Bool(false)));
            let slot = if item.names.rest.is_empty() {
                with_room(|| self.set(slot, Set::Node(item.node), Within::Object))?
            } else if let Some(groups) = &mut groups {
                let group = groups.take(&name.text, items);
                // Each spelling of a name repeats the blocks of all of them.
                self.meter.take_elements(group.len()).map_err(exceeded(item.span))?;
                let blocks: Vec<_> = group.iter().map(|&at| items.get(at).without_first_name()).collect();
                with_room(|| self.set(slot, Set::Blocks(&blocks, item.span), Within::Object))?
            } else {
                self.meter.take_elements(1).map_err(exceeded(item.span))?;
                let block = [item.without_first_name()];
                with_room(|| self.set(slot, Set::Blocks(&block, item.span), Within::Object))?
            };
            match place {
                Some(at) => map.slots[at].1 = slot,
                None => map.slots.push((&name.text, slot)),
            }
        }
        Ok(())
    }

    /// Sets a value that may be set already.
    fn set<'i>(&self, slot: Option<Slot<'i>>, set: Set<'_, 'i, '_>, within: Within) -> Result<Slot<'i>> {
        let Some(slot) = slot else { return self.first(set, within) };
        let conflict = |slot: &Slot<'_>| Box::new(messages::conflict(slot.what(), what(set)).at(set.span()));
        Ok(match (slot, set) {
            (Slot::Objects(mut maps), set) => {
                self.objects(&mut maps, set)?;
                Slot::Objects(maps)
            }
            (Slot::List(mut slots), set) => {
                self.elements(&mut slots, set)?;
                Slot::List(slots)
            }
            (slot, Set::Node(node)) => match replaced(&slot, &node.kind) {
                Some(slot) => slot,
                None => return Err(conflict(&slot)),
            },
            (slot, Set::Blocks(..)) => return Err(conflict(&slot)),
        })
    }

    /// The value of a name that is set for the first time, or of an element.
    fn first<'i>(&self, set: Set<'_, 'i, '_>, within: Within) -> Result<Slot<'i>> {
        let node = match set {
            Set::Node(node) => node,
            Set::Blocks(..) => {
                let mut maps = Vec::new();
                self.objects(&mut maps, set)?;
                return Ok(Slot::Objects(maps));
            }
        };
        Ok(match &node.kind {
            Kind::Bool(flag) => Slot::Bool(*flag),
            Kind::Number(Hcl1Number::Integer(number), _) => Slot::Integer(*number),
            Kind::Number(Hcl1Number::Float(number), _) => Slot::Float(*number),
            Kind::Text { text, .. } => Slot::Text(Str::from(&**text)),
            Kind::List(_) => {
                let mut slots = Vec::new();
                self.elements(&mut slots, set)?;
                Slot::List(slots)
            }
            Kind::Items(_) if within == Within::List => Slot::Object(self.object(node)?),
            Kind::Items(_) => Slot::Objects(vec![self.object(node)?]),
        })
    }

    fn object<'i>(&self, node: &'i Node<'_>) -> Result<Map<'i>> {
        let Kind::Items(items) = &node.kind else {
            return Err(messages::not_an_object().at(node.span).into());
        };
        let mut map = Map::default();
        with_room(|| self.map(Entries::Items(items), &mut map))?;
        Ok(map)
    }

    /// Adds objects to a list of objects.
    fn objects<'i>(&self, maps: &mut Vec<Map<'i>>, set: Set<'_, 'i, '_>) -> Result<()> {
        match set {
            Set::Blocks(blocks, _) => {
                for block in blocks {
                    let mut map = Map::default();
                    with_room(|| self.map(Entries::Rest(std::slice::from_ref(block)), &mut map))?;
                    maps.push(map);
                }
            }
            Set::Node(Node { kind: Kind::List(elements), .. }) => {
                for element in elements {
                    maps.push(self.object(element)?);
                }
            }
            Set::Node(node) => {
                if !matches!(node.kind, Kind::Items(_)) {
                    return Err(messages::conflict("an object", what(set)).at(node.span).into());
                }
                maps.push(self.object(node)?);
            }
        }
        Ok(())
    }

    /// Adds elements to a list.
    fn elements<'i>(&self, slots: &mut Vec<Slot<'i>>, set: Set<'_, 'i, '_>) -> Result<()> {
        let mut add = |node: &'i Node<'_>| {
            self.meter.take_elements(1).map_err(exceeded(node.span))?;
            slots.push(with_room(|| self.first(Set::Node(node), Within::List))?);
            Ok(())
        };
        match set {
            Set::Node(Node { kind: Kind::List(elements), .. }) => elements.iter().try_for_each(add),
            Set::Node(node) if matches!(node.kind, Kind::Items(_)) => add(node),
            _ => Err(messages::conflict("a list", what(set)).at(set.span()).into()),
        }
    }
}

/// The items of an object by their first names, without case.
struct Groups<'i> {
    /// The indices of the items, if there are many items.
    by_name: Option<HashMap<Cow<'i, str>, Vec<usize>>>,
    /// The names, as they are written, whose blocks are set.
    done: Vec<&'i str>,
    done_of_many: HashSet<&'i str>,
}

impl<'i> Groups<'i> {
    fn of(items: Entries<'_, 'i, '_>) -> Self {
        let by_name = (items.len() > FEW).then(|| {
            let mut groups: HashMap<Cow<'i, str>, Vec<usize>> = HashMap::new();
            for (at, item) in items.iter().enumerate() {
                if let Some(name) = item.names.first {
                    groups.entry(folded(&name.text)).or_default().push(at);
                }
            }
            groups
        });
        Self { by_name, done: Vec::new(), done_of_many: HashSet::new() }
    }

    fn is_done(&self, name: &str) -> bool {
        if self.by_name.is_some() { self.done_of_many.contains(name) } else { self.done.contains(&name) }
    }

    /// The items of a name, in order, whose blocks are set now.
    fn take(&mut self, name: &'i str, items: Entries<'_, 'i, '_>) -> Cow<'_, [usize]> {
        let own = folded(name);
        if let Some(groups) = &self.by_name {
            self.done_of_many.insert(name);
            return Cow::Borrowed(groups.get(&*own).map_or(&[], Vec::as_slice));
        }
        self.done.push(name);
        let is_own = |&at: &usize| items.get(at).names.first.is_some_and(|it| folded(&it.text) == own);
        Cow::Owned((0..items.len()).filter(is_own).collect())
    }
}

/// A name without case.
fn folded(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(name.chars().map(fold_case).collect())
}

/// The value that replaces one that is no collection, converted to the kind of the earlier one.
fn replaced<'i>(slot: &Slot<'_>, kind: &Kind<'_>) -> Option<Slot<'i>> {
    Some(match (slot, kind) {
        (Slot::Bool(_), Kind::Bool(flag)) => Slot::Bool(*flag),
        (Slot::Float(_), Kind::Number(_, text)) => {
            // Octal and hexadecimal numbers are no floating-point numbers: `010` is ten.
            Slot::Float(text.parse().ok().filter(|number: &f64| number.is_finite())?)
        }
        (Slot::Integer(_), Kind::Number(Hcl1Number::Integer(number), _)) => Slot::Integer(*number),
        (Slot::Integer(_), Kind::Text { text, is_heredoc: false }) => Slot::Integer(integer(text)?),
        (Slot::Text(_), Kind::Number(Hcl1Number::Integer(_), text)) => Slot::Text(Str::from(*text)),
        (Slot::Text(_), Kind::Text { text, .. }) => Slot::Text(Str::from(&**text)),
        _ => return None,
    })
}

/// Reads a whole number in a string: with a sign, a prefix for its base, and underscores after a prefix or between digits
/// if there is one.
fn integer(text: &str) -> Option<i64> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => ("-", &text[1..]),
        b'+' => ("", &text[1..]),
        _ => ("", text),
    };
    let lower = digits.to_ascii_lowercase();
    let (radix, rest) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', b'o', ..] => (8, &lower[2..]),
        [b'0', _, ..] => (8, &lower[1..]),
        _ => (10, lower.as_str()),
    };
    // With a prefix, an underscore can be before the first digit.
    let is_separated = radix != 10 || !rest.starts_with('_');
    if !is_separated || rest.ends_with('_') || rest.contains("__") || rest.starts_with(['+', '-']) {
        return None;
    }
    i64::from_str_radix(&format!("{sign}{}", rest.replace('_', "")), radix).ok()
}

/// What is set, in messages.
fn what(set: Set<'_, '_, '_>) -> &'static str {
    let node = match set {
        Set::Node(node) => node,
        Set::Blocks(..) => return "a block",
    };
    kind_name(&node.kind)
}

/// The kind of a value, in messages.
pub(super) fn kind_name(kind: &Kind<'_>) -> &'static str {
    match kind {
        Kind::Bool(_) => "a bool",
        Kind::Number(Hcl1Number::Integer(_), _) => "a whole number",
        Kind::Number(Hcl1Number::Float(_), _) => "a number with a fraction",
        Kind::Text { .. } => "a string",
        Kind::List(_) => "a list",
        Kind::Items(_) => "an object",
    }
}
