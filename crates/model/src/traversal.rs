//! References to variables, as data. Specification: "Static Traversal".

use std::fmt;

use hclkit_syntax::{Span, is_identifier};
use hclkit_value::{Name, Value};

use crate::node::{Access, Base, Kind, Node, Step, StepKind};
use crate::types::keyword;

/// The name of a variable and the constant steps after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Traversal {
    /// The name of the variable.
    pub root: Name,
    /// The span of the name.
    pub root_span: Span,
    /// The steps in order.
    pub steps: Vec<TraversalStep>,
}

/// A step of a traversal.
#[derive(Clone, Debug, PartialEq)]
pub struct TraversalStep {
    /// Its span, with its dot or brackets.
    pub span: Span,
    /// The kind of the step.
    pub target: Target,
}

/// The kind of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// The attribute with this name.
    Attribute(Name),
    /// The element with a number or a string as its key.
    Element(Value),
}

impl Target {
    /// The name of an attribute, or of an element whose key is a string.
    #[doc(hidden)]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Attribute(name) => Some(name.as_str()),
            Self::Element(key) => key.as_str(),
        }
    }
}

impl Traversal {
    /// Its span.
    pub fn span(&self) -> Span {
        self.steps.last().map_or(self.root_span, |last| self.root_span.cover(last.span))
    }

    pub(crate) fn of(access: &Access) -> Option<Self> {
        let Base::Variable(root) = &access.base else { return None };
        let steps = access.steps.iter().map_while(TraversalStep::of);
        Some(Self { root: root.clone(), root_span: access.base_span, steps: steps.collect() })
    }

    /// The traversal, if the expression is only a traversal. `true`, `false` and `null` are names here.
    pub(crate) fn of_node(node: &Node) -> Option<Self> {
        let (root, root_span, steps) = match &node.kind {
            Kind::Access(access) => match &access.base {
                Base::Variable(name) => (name.clone(), access.base_span, &access.steps[..]),
                Base::Node(base) => (keyword(base)?, access.base_span, &access.steps[..]),
                _ => return None,
            },
            _ => (keyword(node)?, node.span, &[][..]),
        };
        let steps = steps.iter().map(TraversalStep::of).collect::<Option<_>>()?;
        Some(Self { root, root_span, steps })
    }
}

impl TraversalStep {
    /// A step, if it is constant.
    pub(crate) fn of(step: &Step) -> Option<Self> {
        let target = match &step.kind {
            StepKind::Attribute(name, _) => Target::Attribute(name.clone()),
            StepKind::Key(key) => Target::Element(key.clone()),
            StepKind::Index(_) => return None,
        };
        Some(Self { span: step.span, target })
    }
}

/// All references to variables in an expression.
pub(crate) fn variables(node: &Node) -> Vec<Traversal> {
    let mut found = Vec::new();
    node.each_access(&mut |access| found.extend(Traversal::of(access)));
    found
}

impl fmt::Display for Traversal {
    /// Writes the traversal in the native syntax.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.root)?;
        for step in &self.steps {
            match &step.target {
                Target::Attribute(name) if is_identifier(name) => write!(f, ".{name}")?,
                Target::Attribute(name) => write!(f, "[{}]", Value::from(name))?,
                Target::Element(key) => write!(f, "[{key}]")?,
            }
        }
        Ok(())
    }
}
