//! The spec of the body of a block, with its schema and type, which are computed only once for all blocks.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use hclkit_value::Type;

use super::{Cases, Spec};
use crate::Schema;

/// A spec for the bodies of blocks. Cheap to clone.
#[derive(Clone)]
pub struct Nested(Arc<Inner>);

struct Inner {
    spec: Spec,
    schema: OnceLock<Schema>,
    ty: OnceLock<Type>,
    /// None if the spec has no switch.
    cases: OnceLock<Option<Box<Cases>>>,
}

/// The spec. What was computed from it is left out.
#[doc(hidden)]
impl fmt::Debug for Nested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Nested").field(&self.0.spec).finish()
    }
}

impl Nested {
    /// Creates it from a spec.
    pub fn new(spec: impl Into<Spec>) -> Self {
        let (schema, ty, cases) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self(Arc::new(Inner { spec: spec.into(), schema, ty, cases }))
    }

    /// The spec's [schema](Spec::implied_schema).
    pub fn schema(&self) -> &Schema {
        self.0.schema.get_or_init(|| self.0.spec.implied_schema())
    }

    /// The spec's [type](Spec::implied_type).
    pub fn ty(&self) -> &Type {
        self.0.ty.get_or_init(|| self.0.spec.implied_type())
    }

    pub(super) fn cases_by(&self, find: impl FnOnce() -> Option<Cases>) -> Option<&Cases> {
        self.0.cases.get_or_init(|| find().map(Box::new)).as_deref()
    }
}

impl Deref for Nested {
    type Target = Spec;

    fn deref(&self) -> &Spec {
        &self.0.spec
    }
}
