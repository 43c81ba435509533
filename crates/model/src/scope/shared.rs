//! Values that several scopes share: in scopes with the same names, an expression is evaluated only once for equal
//! values of the names that it refers to.

use std::collections::HashMap;
use std::fmt;
use std::sync::Mutex;

use hclkit_value::{Marks, Value};

use super::Resolved;

/// Values that are found once for several [scopes](crate::Scope::share) with the same names.
///
/// If the names that an expression refers to have the same values in two scopes, its value is the same in both, and the
/// second scope takes it from the first. Values with errors or warnings are not shared, so that each scope reports its own.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use hclkit_model::{Context, Expression, Functions, Scope, SharedValues};
/// use hclkit_value::{Function, Parameter, Type, Value};
///
/// let calls = Arc::new(AtomicUsize::new(0));
/// let count = calls.clone();
/// let slow = Function::unnamed(Type::String, move |arguments, _| {
///     count.fetch_add(1, Ordering::Relaxed);
///     Ok(arguments[0].clone())
/// });
/// let functions: Functions =
///     [("slow", slow.with_parameter(Parameter::new("text", Type::String)))].into_iter().collect();
///
/// let shared = Arc::new(SharedValues::new());
/// let mut values = Vec::new();
/// for name in ["a", "b", "a"] {
///     let mut scope = Scope::new();
///     scope.set(["name"], name);
///     scope.define(["greeting"], Expression::parse("slow(\"Hello, ${name}!\")")?)?;
///     scope.share(shared.clone());
///     let context = Context::new().with_functions(functions.clone()).with_scope(scope);
///     values.push(Expression::parse("greeting")?.evaluate(&context)?);
/// }
/// assert_eq!(values, ["Hello, a!", "Hello, b!", "Hello, a!"].map(Value::from));
/// assert_eq!(calls.load(Ordering::Relaxed), 2);
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
#[derive(Default)]
pub struct SharedValues(Mutex<KnownValues>);

#[derive(Default)]
struct KnownValues {
    /// What is known of each value that was found.
    computed: HashMap<Computed, (Class, Value, Marks)>,
    /// The classes of values that have other causes than the names of the scope.
    given: HashMap<(usize, Value), Class>,
    classes: u32,
}

/// A name, and the classes of its dependencies.
type Computed = (usize, Box<[Class]>);

/// A name has the same class in two scopes if it has the same value in both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Class(u32);

/// The values are left out.
#[doc(hidden)]
impl fmt::Debug for SharedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedValues").finish_non_exhaustive()
    }
}

impl SharedValues {
    /// Returns values of no scope.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a name whose dependencies have these classes.
    pub(super) fn find(&self, node: usize, dependencies: Vec<Class>) -> Result<Resolved, Missing> {
        let key = (node, dependencies.into_boxed_slice());
        let found = self.0.lock().ok().and_then(|known| known.computed.get(&key).cloned());
        match found {
            Some((class, value, hidden)) => {
                Ok(Resolved { class: Some(class), value, hidden, ..Resolved::default() })
            }
            None => Err(Missing(key)),
        }
    }

    /// Keeps the value of a name for other scopes. Returns its class.
    pub(super) fn keep(&self, missing: Missing, value: &Value, hidden: &Marks) -> Option<Class> {
        let mut known = self.0.lock().ok()?;
        let class = Class(known.classes);
        let kept = known.computed.entry(missing.0);
        // Another thread may have been faster.
        let (kept, ..) = *kept.or_insert_with(|| (class, value.clone(), hidden.clone()));
        known.classes += u32::from(kept == class);
        Some(kept)
    }

    /// The class of a value that does not only depend on names of the scope.
    pub(super) fn class_of(&self, node: usize, value: &Value) -> Option<Class> {
        let mut known = self.0.lock().ok()?;
        let class = Class(known.classes);
        let kept = *known.given.entry((node, value.clone())).or_insert(class);
        known.classes += u32::from(kept == class);
        Some(kept)
    }
}

/// A value that no scope has found.
pub(super) struct Missing(Computed);
