//! What is known of objects and calls from elsewhere: from an earlier apply, or because a test replaces them.

use std::fmt;
use std::sync::Arc;

use hclkit_value::{Type, Value};

/// An instance of an object that something else than a provider gives values.
#[derive(Clone, Copy, Debug)]
pub struct ReplacedObject<'o> {
    /// Its address, such as `data.aws_region.here`.
    pub address: &'o str,
    /// Its type, such as `aws_region`.
    pub object_type: &'o str,
    /// Whether it is a data source.
    pub is_data: bool,
    /// The configuration of the provider, such as `aws.west`.
    pub provider: &'o str,
    /// Whether it is a data source that is read only after something has changed, or with an argument that is unknown.
    pub is_deferred: bool,
}

/// The values of what a provider computes and no argument sets, by the names of the blocks and attributes that lead to it, and its type.
pub type ComputedValues<'v> = dyn Fn(&[&str], &Type) -> Value + 'v;

/// Says what is known of objects and calls.
pub trait ObjectKnowledge: Send + Sync {
    /// The value of an instance of an object. `value` is what its block says of it.
    fn object(&self, address: &str, value: Value) -> Value;

    /// Whether something else than a provider gives the values of an instance of an object. `provider` is the configuration of the
    /// provider, such as `aws.west`.
    fn replaces(&self, address: &str, provider: &str) -> bool {
        let _ = (address, provider);
        false
    }

    /// The values of what a provider computes of such an instance. If there are none, they are unknown. Otherwise, there are no other
    /// blocks than those that are configured.
    fn computed<'k>(&'k self, object: &ReplacedObject<'_>) -> Option<Box<ComputedValues<'k>>> {
        let _ = object;
        None
    }

    /// The results of an instance of a call, if the called module is replaced. Those that are not in the object are null.
    fn results(&self, address: &str) -> Option<Value>;
}

/// Such knowledge, or none.
#[derive(Clone, Default)]
pub(crate) struct KnownObjects(Option<Arc<dyn ObjectKnowledge>>);

impl KnownObjects {
    pub(crate) fn new(known: Arc<dyn ObjectKnowledge>) -> Self {
        Self(Some(known))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The value of an object whose address is only made if it is needed.
    pub(crate) fn object(&self, address: impl FnOnce() -> String, value: Value) -> Value {
        match &self.0 {
            Some(known) => known.object(&address(), value),
            None => value,
        }
    }

    pub(crate) fn replaces(
        &self,
        address: impl FnOnce() -> String,
        provider: impl FnOnce() -> String,
    ) -> bool {
        self.0.as_ref().is_some_and(|known| known.replaces(&address(), &provider()))
    }

    pub(crate) fn computed(&self, object: &ReplacedObject<'_>) -> Option<Box<ComputedValues<'_>>> {
        self.0.as_ref()?.computed(object)
    }

    pub(crate) fn results(&self, address: impl FnOnce() -> String) -> Option<Value> {
        self.0.as_ref()?.results(&address())
    }
}

/// Values are left out.
impl fmt::Debug for KnownObjects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KnownObjects").field(&self.0.is_some()).finish()
    }
}
