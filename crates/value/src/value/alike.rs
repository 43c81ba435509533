//! Values in which parts of unknown types have the types of the parts beside them.

use std::collections::HashMap;

use hclkit_limits::Meter;

use super::{Repr, Value};
use crate::types::Type;
use crate::types::{Anchor, anchor};

impl Value {
    #[doc(hidden)]
    /// The value in which each element of a tuple, and each attribute of an object, has the type of the others where its own
    /// type is unknown. It shows whether a call could succeed with the types that only a provider knows.
    /// `None` if it has too many parts.
    pub fn with_types_alike(&self) -> Option<Self> {
        let mut typing = Typing { left: MOST_PARTS, alike: HashMap::new(), typed: HashMap::new() };
        typing.alike(self)
    }
}

/// The maximum number of parts that are visited. A shared part is copied for each type, so there can be exponentially
/// many copies.
const MOST_PARTS: usize = 10_000;

/// A shared part is visited only once for each type.
struct Typing {
    /// How many parts may still be visited.
    left: usize,
    alike: HashMap<*const (), Value>,
    /// With the value and the type, so that no other part can get their addresses.
    typed: HashMap<(*const (), Anchor), (Value, Type, Value)>,
}

impl Typing {
    /// Takes one of the parts that are left.
    fn visit(&mut self) -> Option<()> {
        Meter::current().take_steps(1).ok()?;
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    fn alike(&mut self, value: &Value) -> Option<Value> {
        if !value.has_dynamic_type() {
            return Some(value.clone());
        }
        let anchor = value.shared_place();
        if let Some(found) = anchor.and_then(|anchor| self.alike.get(&anchor)) {
            return Some(found.clone());
        }
        self.visit()?;
        let found = match &value.0 {
            Repr::Marked(marked) => self.alike(&marked.value)?.with_marks(&marked.marks),
            Repr::Tuple(_) | Repr::Object(_) => {
                let mut parts = Vec::with_capacity(value.parts().len());
                for part in value.parts() {
                    parts.push(self.alike(part)?);
                }
                let typed = parts.iter().find(|part| !part.has_dynamic_type());
                let typed = typed.or_else(|| parts.iter().find(|part| !part.has_type(&Type::Dynamic)));
                if let Some(ty) = typed.map(Value::ty) {
                    for part in &mut parts {
                        *part = self.typed(part, &ty)?;
                    }
                }
                value.with_parts(parts)
            }
            _ => value.clone(),
        };
        if let Some(anchor) = anchor {
            self.alike.insert(anchor, found.clone());
        }
        Some(found)
    }

    /// The value in which parts of unknown types have those of a type.
    fn typed(&mut self, value: &Value, ty: &Type) -> Option<Value> {
        if value.has_type(&Type::Dynamic) {
            return Some(Value::unknown(ty.clone()));
        }
        if !value.has_dynamic_type() {
            return Some(value.clone());
        }
        let places = value.shared_place().map(|value| (value, anchor(ty)));
        if let Some((_, _, found)) = places.and_then(|places| self.typed.get(&places)) {
            return Some(found.clone());
        }
        self.visit()?;
        let found = match &value.0 {
            Repr::Marked(marked) => self.typed(&marked.value, ty)?.with_marks(&marked.marks),
            Repr::Tuple(_) | Repr::Object(_) => {
                let mut parts = Vec::with_capacity(value.parts().len());
                for (at, part) in value.parts().iter().enumerate() {
                    parts.push(match type_of_part(value, at, ty) {
                        Some(ty) => self.typed(part, ty)?,
                        None => part.clone(),
                    });
                }
                value.with_parts(parts)
            }
            _ => value.clone(),
        };
        if let Some(places) = places {
            self.typed.insert(places, (value.clone(), ty.clone(), found.clone()));
        }
        Some(found)
    }
}

/// The type that a part of a value has in another type.
fn type_of_part<'t>(value: &Value, at: usize, ty: &'t Type) -> Option<&'t Type> {
    match (ty, &value.0) {
        (Type::Object(types), Repr::Object(object)) => types.get(object.shared_names().get(at)?),
        (Type::Tuple(types), _) => types.elements().get(at),
        (Type::List(element) | Type::Set(element) | Type::Map(element), _) => Some(element),
        _ => None,
    }
}
