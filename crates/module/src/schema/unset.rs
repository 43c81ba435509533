//! What the attributes of an object are that a provider computes and nobody configures.

use hclkit_value::{Type, Value};

use crate::known_objects::ComputedValues;

/// The values of what is computed and not configured, and the names that lead to the object that has it.
#[derive(Clone, Copy)]
pub(crate) struct Unset<'u> {
    pub(crate) path: &'u [&'u str],
    /// If there are none, they are unknown.
    pub(crate) values: Option<&'u ComputedValues<'u>>,
}

impl<'u> Unset<'u> {
    pub(super) fn value(self, name: &str, ty: &Type) -> Value {
        let ty = ty.without_optional();
        match self.values {
            Some(values) => {
                let path: Vec<&str> = self.path.iter().copied().chain([name]).collect();
                values(&path, &ty)
            }
            None => Value::unknown(ty),
        }
    }

    pub(super) fn inside(self, name: &'u str) -> Vec<&'u str> {
        match self.values {
            Some(_) => self.path.iter().copied().chain([name]).collect(),
            None => Vec::new(),
        }
    }
}
