//! Names whose values are computed from several expressions, such as a block with its instances.

use std::fmt;

use hclkit_syntax::{Diagnostics, Place};
use hclkit_value::{Name, Value};

use crate::node::{Access, Base, Kind, Node, StepKind};
use crate::{Context, Expression, Traversal};

/// Computes the value of a name in a [`Scope`](crate::Scope) from several expressions; see
/// [`Scope::compute`](crate::Scope::compute).
///
/// ```
/// use hclkit_model::{Computation, Context, Diagnostics, Expression, Scope};
/// use hclkit_value::Value;
///
/// #[derive(Debug)]
/// struct Sum(Vec<Expression>);
///
/// impl Computation for Sum {
///     fn expressions(&self) -> Vec<Expression> {
///         self.0.clone()
///     }
///
///     fn compute(&self, context: &Context) -> (Value, Diagnostics) {
///         let mut errors = Diagnostics::new();
///         let values = self.0.iter().map(|part| errors.absorb(part.evaluate_lenient(context)));
///         (Value::tuple(values.collect::<Vec<_>>()), errors)
///     }
/// }
///
/// let mut scope = Scope::new();
/// scope.compute(["sum"], Sum(vec![Expression::parse("local.a")?, Expression::parse("2")?]));
/// scope.define(["local", "a"], Expression::parse("1")?)?;
/// let context = Context::new().with_scope(scope);
/// assert_eq!(Expression::parse("sum")?.evaluate(&context)?.to_string(), "[1, 2]");
/// # Ok::<(), Diagnostics>(())
/// ```
pub trait Computation: fmt::Debug + Send + Sync {
    /// The expressions. The names that they refer to are evaluated first.
    fn expressions(&self) -> Vec<Expression>;

    /// The expressions, each with its references to names of the scope. An implementation that binds names itself, such as
    /// those of elements, leaves out references to them. The context is the one of the scope, without values.
    fn references(&self, context: &Context) -> Vec<(Expression, Vec<Traversal>)> {
        let _ = context;
        let with_references = |expression: Expression| {
            let references = expression.variables();
            (expression, references)
        };
        self.expressions().into_iter().map(with_references).collect()
    }

    /// Computes the value, and its errors, in a context with the values of these names. To add variables, use a child
    /// of the context.
    fn compute(&self, context: &Context) -> (Value, Diagnostics);

    /// Returns true if the value depends only on the names that the expressions refer to. Then scopes that
    /// [share](crate::Scope::share) values compute it once.
    fn is_determined(&self) -> bool {
        false
    }

    /// The place of the definition, for errors about it as a whole.
    fn place(&self) -> Place {
        self.expressions().first().map_or_else(Place::nowhere, Expression::place)
    }

    /// The value for other expressions of the scope. By default, this is the value itself.
    fn view(&self, value: &Value, context: &Context) -> Value {
        let _ = context;
        value.clone()
    }
}

/// How an expression uses a name: the constant steps after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    /// The name of the variable.
    pub root: Name,
    /// The steps. After the last one, the whole value is used.
    pub steps: Vec<UseStep>,
}

/// A step of a [`Use`].
#[derive(Clone, Debug, PartialEq)]
pub enum UseStep {
    /// The attribute with this name.
    Attribute(Name),
    /// The element with this key.
    Element(Value),
    /// Each element: a splat, or the variable of a `for` expression.
    Each,
}

impl UseStep {
    /// The name of the attribute or the key, if the step has one.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Attribute(name) => Some(name),
            Self::Element(key) => key.as_str(),
            Self::Each => None,
        }
    }
}

/// Returns all uses of variables in an expression.
pub(crate) fn uses(node: &Node) -> Vec<Use> {
    let mut found = Vec::new();
    collect(node, &mut found);
    found
}

fn collect(node: &Node, found: &mut Vec<Use>) {
    let parts = match &node.kind {
        Kind::Access(access) => {
            found.extend(of(access, Vec::new()));
            None
        }
        Kind::Splat(splat) => Some((&splat.source, vec![&splat.each], splat.slot)),
        Kind::For(each) | Kind::Join(each) => {
            let slot = each.slot + usize::from(each.key_name.is_some());
            let parts = [each.key.as_ref(), Some(&each.value), each.condition.as_ref()];
            Some((&each.collection, parts.into_iter().flatten().collect(), slot))
        }
        _ => None,
    };
    let mut followed: Option<&Node> = None;
    if let Some((source, parts, slot)) = parts
        && let Kind::Access(access) = &source.kind
        && access.traversal_len() == access.steps.len()
    {
        let before = found.len();
        for part in parts {
            part.each_access(&mut |inner| {
                if matches!(inner.base, Base::Local { slot: own, .. } | Base::Element { slot: own } if own == slot) {
                    found.extend(of(access, steps(inner)));
                }
            });
        }
        if found.len() == before {
            // Only the keys or the number of the elements matter.
            found.extend(of(access, Vec::new()));
        }
        followed = Some(source);
    }
    node.each_child(&mut |child| {
        if !followed.is_some_and(|followed| std::ptr::eq(followed, child)) {
            hclkit_limits::with_room(|| collect(child, found));
        }
    });
}

/// The use of a variable, and of each of its elements if there are steps after it.
fn of(access: &Access, each: Vec<UseStep>) -> Option<Use> {
    let Base::Variable(root) = &access.base else { return None };
    let mut all = steps(access);
    all.extend(each);
    Some(Use { root: root.clone(), steps: all })
}

/// The constant steps of an access, which begin with `Each` for the variable of a loop.
fn steps(access: &Access) -> Vec<UseStep> {
    let first = match access.base {
        Base::Variable(_) => None,
        _ => Some(UseStep::Each),
    };
    let step = |kind: &StepKind| match kind {
        StepKind::Attribute(name, _) => Some(UseStep::Attribute(name.clone())),
        StepKind::Key(key) => Some(UseStep::Element(key.clone())),
        StepKind::Index(_) => None,
    };
    first.into_iter().chain(access.steps.iter().map_while(|it| step(&it.kind))).collect()
}
