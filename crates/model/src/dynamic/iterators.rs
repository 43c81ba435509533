//! Iterators of dynamic blocks: the objects that refer to the elements, and the marks of the collections.

use std::sync::Arc;

use hclkit_value::{Marks, Name, Type, Value};

use crate::Context;

/// The iterators that an expression in dynamic blocks can use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Iterators {
    /// Their objects by name. Inner ones hide outer ones of the same name.
    objects: Vec<(Name, Value)>,
    /// The marks of their collections, by the same indices.
    origins: Vec<Marks>,
    /// The number of elements is unknown, and so are all values.
    unknown: bool,
    /// The marks of the collection, if the expression is directly in the block.
    marks: Marks,
}

impl Iterators {
    /// The iterators in the block of one element.
    pub(super) fn element(
        outer: Option<&Self>,
        name: &Name,
        key: Value,
        value: Value,
        marks: &Marks,
    ) -> Self {
        let mut iterators = outer.map(Self::inherited).unwrap_or_default();
        let object = Value::object([("key", key), ("value", value)]);
        if let Some(at) = iterators.objects.iter().position(|(other, _)| other == name) {
            iterators.objects.remove(at);
            iterators.origins.remove(at);
        }
        iterators.objects.push((name.clone(), object));
        iterators.origins.push(marks.clone());
        iterators.marks = iterators.marks.union(marks);
        iterators
    }

    /// The iterators in the block of an unknown number of elements.
    pub(super) fn unknown(outer: Option<&Self>, name: &Name, marks: &Marks) -> Self {
        let mut iterators = Self::element(outer, name, Value::DYNAMIC, Value::DYNAMIC, marks);
        iterators.unknown = true;
        iterators
    }

    /// The part that applies to nested blocks. As in the reference, only unknown collections pass on their marks.
    fn inherited(&self) -> Self {
        let marks = if self.unknown { self.marks.clone() } else { Marks::default() };
        let (objects, origins) = (self.objects.clone(), self.origins.clone());
        Self { objects, origins, unknown: self.unknown, marks }
    }

    /// The iterators in the blocks that are written in the block.
    pub(super) fn of_static_block(self: &Arc<Self>) -> Arc<Self> {
        if self.unknown || self.marks.is_empty() { self.clone() } else { Arc::new(self.inherited()) }
    }

    /// The iterators of `for_each` expressions inside the block. As in the reference, they see the elements, but the
    /// marks of the collection do not apply to them.
    pub(super) fn of_collection(&self) -> Arc<Self> {
        let (objects, origins) = (self.objects.clone(), self.origins.clone());
        Arc::new(Self { objects, origins, ..Self::default() })
    }

    pub(crate) fn is_unknown(&self) -> bool {
        self.unknown
    }

    pub(crate) fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Returns true if a variable with this name is an iterator.
    pub(crate) fn hides(&self, name: &str) -> bool {
        self.objects.iter().any(|(known, _)| *known == *name)
    }

    /// The context with the iterators.
    pub(crate) fn context(&self, context: &Context) -> Context {
        let mut inner = context.child();
        for ((name, value), origin) in self.objects.iter().zip(&self.origins) {
            inner.set_hidden(name.clone(), value.clone(), origin.clone());
        }
        inner
    }
}

/// Returns true if a value has elements, or may have some.
pub(super) fn may_be_iterable(value: &Value) -> bool {
    let ty = value.ty();
    match ty {
        Type::Dynamic => !value.is_known(),
        _ => ty.is_collection() || ty.is_structural(),
    }
}
