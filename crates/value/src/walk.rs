//! Visits the parts of a value, and builds values from changed parts.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hclkit_limits::Meter;

use crate::error::Error;
use crate::path::Step;
use crate::value::{Repr, element_as};
use crate::{List, Map, Object, Set, Tuple, Value};

impl Value {
    /// Calls `visit` with the value and each part of it, and the steps to it, outermost first. If it returns false,
    /// the parts of that value are skipped. Marked values are passed with their marks.
    ///
    /// A shared part is visited at each of its places. Each visit takes a step of the [limits](hclkit_limits::Limits): at the
    /// limit the walk ends, and the next check reports it.
    ///
    /// ```
    /// use hclkit_value::Value;
    ///
    /// let value = Value::tuple([Value::from("a"), Value::tuple([Value::from("b")])]);
    /// let mut texts = Vec::new();
    /// value.walk(&mut |_, part| {
    ///     texts.extend(part.as_str().map(str::to_owned));
    ///     true
    /// });
    /// assert_eq!(texts, ["a", "b"]);
    /// ```
    pub fn walk(&self, visit: &mut impl FnMut(&[Step], &Self) -> bool) {
        let meter = Meter::current();
        let _operation = meter.begin();
        self.walk_at(&mut Vec::new(), &meter, visit);
    }

    fn walk_at(&self, path: &mut Vec<Step>, meter: &Meter, visit: &mut impl FnMut(&[Step], &Self) -> bool) {
        if meter.take_steps(1).is_err() || !visit(path, self) {
            return;
        }
        for (step, child) in self.bare().children() {
            path.push(step);
            child.walk_at(path, meter, visit);
            path.pop();
        }
    }

    /// Returns true if `test` returns true for the value or any part of it. A shared part is tested only once. Marked values
    /// are passed with their marks, and then without them.
    ///
    /// ```
    /// use hclkit_value::Value;
    ///
    /// let doubled = (0..60).fold(Value::from(1), |value, _| Value::tuple([value.clone(), value]));
    /// assert!(doubled.any(&mut |part| part.as_number().is_some()));
    /// assert!(!doubled.any(&mut Value::is_null));
    /// ```
    pub fn any(&self, test: &mut impl FnMut(&Self) -> bool) -> bool {
        self.any_unseen(&mut HashSet::new(), test)
    }

    fn any_unseen(&self, seen: &mut HashSet<*const ()>, test: &mut impl FnMut(&Self) -> bool) -> bool {
        if self.deep_place().is_some_and(|place| !seen.insert(place)) {
            return false;
        }
        if test(self) {
            return true;
        }
        match &self.0 {
            Repr::Marked(marked) => marked.value.any_unseen(seen, test),
            _ => self.parts().iter().any(|part| part.any_unseen(seen, test)),
        }
    }

    /// Rebuilds the value by replacing each part with the result of `change`, innermost first. Each part is passed with
    /// the marks that it had.
    ///
    /// ```
    /// use hclkit_value::{Error, Value};
    ///
    /// let value = Value::tuple([Value::from("a"), Value::from(1)]);
    /// let shouted = value.transform(&mut |_, part: Value| {
    ///     Ok::<_, Error>(part.as_str().map_or(part.clone(), |text| Value::from(text.to_uppercase())))
    /// })?;
    /// assert_eq!(shouted, Value::tuple([Value::from("A"), Value::from(1)]));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// `change` returns an error, the elements of a collection no longer have the same type, or a limit is exceeded: a
    /// shared part is visited at each of its places.
    pub fn transform<E: From<Error>>(
        &self,
        change: &mut impl FnMut(&[Step], Self) -> Result<Self, E>,
    ) -> Result<Self, E> {
        let meter = Meter::current();
        let _operation = meter.begin();
        self.transform_at(&mut Vec::new(), &meter, change)
    }

    fn transform_at<E: From<Error>>(
        &self,
        path: &mut Vec<Step>,
        meter: &Meter,
        change: &mut impl FnMut(&[Step], Self) -> Result<Self, E>,
    ) -> Result<Self, E> {
        meter.take_steps(1).map_err(Error::from)?;
        let marks = self.marks();
        let bare = self.bare();
        let mut parts = Vec::new();
        for (step, child) in bare.children() {
            path.push(step);
            let changed = child.transform_at(path, meter, change);
            path.pop();
            parts.push(changed?);
        }
        let rebuilt = bare.with_children(parts).map_err(|error| error.at(path))?;
        change(path, rebuilt.with_marks(&marks))
    }

    /// The direct parts, with the steps to them. A marked value has none.
    pub(crate) fn children(&self) -> Vec<(Step, &Self)> {
        match &self.0 {
            Repr::List(list) => list.iter().enumerate().map(|(i, item)| (Step::from(i), item)).collect(),
            Repr::Tuple(tuple) => tuple.iter().enumerate().map(|(i, item)| (Step::from(i), item)).collect(),
            Repr::Set(set) => set.iter().map(|item| (Step::Index(item.clone()), item)).collect(),
            Repr::Map(map) => map.iter().map(|(key, item)| (Step::Index(Self::from(key)), item)).collect(),
            Repr::Object(object) => {
                object.iter().map(|(name, item)| (Step::Attribute(name.clone()), item)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The same kind of value with other parts, equally many.
    fn with_children(&self, parts: Vec<Self>) -> Result<Self, Error> {
        Ok(match &self.0 {
            Repr::List(_) | Repr::Set(_) if parts.is_empty() => self.clone(),
            Repr::Map(_) if parts.is_empty() => self.clone(),
            Repr::List(_) => Self::list(parts)?,
            Repr::Set(_) => Self::set(parts)?,
            Repr::Map(map) => Self::map(map.keys().iter().zip(parts))?,
            Repr::Tuple(_) => Self::tuple(parts),
            Repr::Object(object) => Self::from_object(Object::new(object.shared_names().clone(), parts)),
            _ => self.clone(),
        })
    }

    /// The same kind of value with other parts of the same types, equally many. The elements of a set must
    /// be in order.
    pub(crate) fn with_parts(&self, parts: Vec<Self>) -> Self {
        match &self.0 {
            Repr::List(_) => Self::from_list(List::with_type(self.ty(), parts)),
            Repr::Tuple(_) => Self::from_tuple(Tuple::new(parts)),
            Repr::Set(set) => Self::from_set(Set::new(set.element_type().clone(), parts)),
            Repr::Map(map) => {
                Self::from_map(Map::new(map.element_type().clone(), map.keys().to_vec(), parts))
            }
            Repr::Object(object) => Self::from_object(Object::new(object.shared_names().clone(), parts)),
            _ => self.clone(),
        }
    }

    #[doc(hidden)]
    /// The direct parts of a known collection or structure without marks: its elements in order, or the values of its
    /// entries, sorted by key. Other values have no parts.
    ///
    /// ```
    /// use hclkit_value::Value;
    ///
    /// let object = Value::object([("b", 1), ("a", 2)].map(|(name, number)| (name, Value::from(number))));
    /// assert_eq!(object.parts(), [2, 1].map(Value::from));
    /// assert_eq!(Value::from("text").parts(), []);
    /// ```
    #[inline]
    pub fn parts(&self) -> &[Self] {
        match &self.0 {
            Repr::Map(map) => map.values(),
            Repr::Object(object) => object.values(),
            _ => self.as_slice().unwrap_or_default(),
        }
    }

    #[doc(hidden)]
    /// The value with null in place of unknown values.
    #[must_use]
    pub fn unknown_as_null(&self) -> Self {
        self.with_nulls(&mut HashMap::new())
    }

    /// `done` has the results for shared parts, because a value can contain one exponentially many times.
    fn with_nulls(&self, done: &mut HashMap<*const (), Self>) -> Self {
        if self.is_wholly_known() {
            return self.clone();
        }
        let place = self.deep_place();
        if let Some(found) = place.and_then(|place| done.get(&place)) {
            return found.clone();
        }
        let replaced = self.with_nulls_inside(done);
        if let Some(place) = place {
            done.insert(place, replaced.clone());
        }
        replaced
    }

    fn with_nulls_inside(&self, done: &mut HashMap<*const (), Self>) -> Self {
        match &self.0 {
            Repr::UnknownDynamic | Repr::Open(_) => Self::NULL,
            Repr::Unknown(unknown) => Self::null(unknown.ty.clone()),
            Repr::Marked(marked) => marked.value.with_nulls(done).with_marks(&marked.marks),
            Repr::Set(set) => {
                let element = set.element_type();
                let items = set.iter().filter_map(|item| element_as(item.with_nulls(done), element));
                let items = crate::set::in_set_order(items.collect(), element);
                Self::from_set(Set::new(element.clone(), items))
            }
            _ => {
                let mut parts = Vec::with_capacity(self.parts().len());
                for part in self.parts() {
                    parts.push(part.with_nulls(done));
                }
                self.with_parts(parts)
            }
        }
    }
}

impl Value {
    pub(crate) fn from_set(set: Set) -> Self {
        Self(Repr::Set(Arc::new(set)))
    }
}
