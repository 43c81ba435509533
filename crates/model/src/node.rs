//! Expressions made ready for evaluation: names resolved, constants computed, chains flat. Made in `lower.rs`,
//! evaluated in `eval.rs`; no source text is looked at after that.

use std::mem;
use std::sync::atomic::{AtomicU32, Ordering};

use hclkit_limits::with_room;
use hclkit_syntax::Span;
use hclkit_syntax::ast::{BinaryOperator, UnaryOperator};
use hclkit_value::{Name, ObjectShape, Str, Value};

/// An expression and where it stands.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) kind: Kind,
}

/// What an expression is. Chains of operators and of steps are one node, so that nodes are nested only as deep as
/// the source is.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Nothing that can be evaluated; parsing has told why.
    Invalid,
    Constant(Value),
    /// A collection of constants: its value, and what it is written as.
    Folded(Value, Box<Kind>),
    /// A variable, or another expression, with steps behind it.
    Access(Box<Access>),
    Splat(Box<Splat>),
    Call(Box<Call>),
    Tuple(Box<[Node]>),
    Object(Box<Object>),
    /// An object of the JSON syntax.
    Properties(Box<[Item]>),
    For(Box<For>),
    Conditional(Box<Conditional>),
    Operation(Box<Operation>),
    Unary(Box<Unary>),
    Template(Box<[Node]>),
    /// The results of a `for` directive, one after the other.
    Join(Box<For>),
    Parens(Box<Node>),
    /// A key of an object that can be read in two ways.
    AmbiguousKey(Box<Node>, Str),
}

/// What steps are taken from.
#[derive(Debug)]
pub(crate) enum Base {
    /// A variable of the context.
    Variable(Name),
    /// A variable of the expression's own, by its place: the outermost is number 0.
    Local {
        slot: usize,
    },
    /// The element that a splat is at.
    Element {
        slot: usize,
    },
    Node(Node),
}

/// A base and the steps taken from it.
#[derive(Debug)]
pub(crate) struct Access {
    pub(crate) base: Base,
    /// Where the base stands.
    pub(crate) base_span: Span,
    pub(crate) steps: Box<[Step]>,
}

/// The place where a name was found the last time, and mostly is found again. Threads may share it: what it says is
/// only where to look first.
#[derive(Debug, Default)]
pub(crate) struct Last(AtomicU32);

impl Last {
    /// Looks for something from the last place on; the function returns where it found it.
    #[inline]
    pub(crate) fn find<T>(&self, look: impl FnOnce(usize) -> Option<(usize, T)>) -> Option<T> {
        let last = self.0.load(Ordering::Relaxed) as usize;
        let (at, found) = look(last)?;
        if at != last {
            self.0.store(at as u32, Ordering::Relaxed);
        }
        Some(found)
    }
}

#[derive(Debug)]
pub(crate) struct Step {
    /// With its dot or brackets.
    pub(crate) span: Span,
    pub(crate) kind: StepKind,
    /// Where an object had the attribute.
    pub(crate) last: Last,
}

#[derive(Debug)]
pub(crate) enum StepKind {
    /// The name as it is written, and as attributes and keys have it.
    Attribute(Name, Str),
    /// A constant index.
    Key(Value),
    Index(Node),
}

impl Access {
    /// How many steps are constant, and so belong to the traversal that begins with the base.
    pub(crate) fn traversal_len(&self) -> usize {
        self.steps.iter().take_while(|step| !matches!(step.kind, StepKind::Index(_))).count()
    }

    /// Where the base with so many steps stands.
    pub(crate) fn span_of(&self, steps: usize) -> Span {
        match steps {
            0 => self.base_span,
            steps => self.base_span.cover(self.steps[steps - 1].span),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Splat {
    pub(crate) source: Node,
    /// What is done to each element.
    pub(crate) each: Node,
    pub(crate) slot: usize,
    /// Where the operator stands.
    pub(crate) marker: Span,
}

impl Drop for Splat {
    /// A chain of splats (`a.*.b[0].*.b[0]…`) nests in the nodes, though not in the source, and is taken apart in a loop.
    fn drop(&mut self) {
        let leaf = || Node { span: Span::default(), kind: Kind::Invalid };
        let mut node = mem::replace(&mut self.source, leaf());
        loop {
            node = match &mut node.kind {
                Kind::Splat(splat) => mem::replace(&mut splat.source, leaf()),
                Kind::Access(access) => match &mut access.base {
                    Base::Node(base) => mem::replace(base, leaf()),
                    _ => return,
                },
                _ => return,
            };
        }
    }
}

#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) name: Name,
    pub(crate) name_span: Span,
    pub(crate) open_span: Span,
    pub(crate) close_span: Span,
    pub(crate) arguments: Box<[Node]>,
    /// The elements of the last argument are arguments.
    pub(crate) expands: bool,
    /// Where a table had the function.
    pub(crate) last: Last,
}

#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) items: Box<[Item]>,
    /// The names, where all of them are constant.
    pub(crate) shape: Option<ObjectShape>,
}

#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) key: Node,
    /// The key is a mere name.
    pub(crate) bare: bool,
    pub(crate) value: Node,
}

#[derive(Debug)]
pub(crate) struct For {
    pub(crate) collection: Node,
    /// The slot of the first variable: that of the key where it has a name, else that of the value.
    pub(crate) slot: usize,
    pub(crate) key_name: Option<Name>,
    pub(crate) value_name: Name,
    pub(crate) key: Option<Node>,
    pub(crate) value: Node,
    pub(crate) condition: Option<Node>,
    pub(crate) groups: bool,
}

#[derive(Debug)]
pub(crate) struct Conditional {
    pub(crate) condition: Node,
    pub(crate) result: Node,
    pub(crate) other: Node,
}

/// Operators of any levels that group from the left: `((first op operand) op operand) …`.
#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) first: Node,
    pub(crate) rest: Box<[(BinaryOperator, Node)]>,
}

#[derive(Debug)]
pub(crate) struct Unary {
    pub(crate) operator: UnaryOperator,
    pub(crate) operand: Node,
}

impl Node {
    /// The value of a constant.
    #[inline]
    pub(crate) fn constant(&self) -> Option<&Value> {
        match &self.kind {
            Kind::Constant(value) | Kind::Folded(value, _) => Some(value),
            _ => None,
        }
    }

    /// What is written: a collection of constants as its parts.
    pub(crate) fn structure(&self) -> &Kind {
        match &self.kind {
            Kind::Folded(_, written) => written,
            kind => kind,
        }
    }

    /// Calls a function for each variable with its steps, in source order, in nested expressions too.
    pub(crate) fn each_access(&self, visit: &mut dyn FnMut(&Access)) {
        self.each(&mut |node| {
            if let Kind::Access(access) = &node.kind {
                visit(access);
            }
        });
    }

    /// Calls a function for the node and all nodes in it, outermost first and in source order.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(&Node)) {
        visit(self);
        self.each_child(&mut |child| with_room(|| child.each(visit)));
    }

    /// Calls a function for each node right inside this one, in source order.
    pub(crate) fn each_child<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        match &self.kind {
            Kind::Invalid | Kind::Constant(_) | Kind::Folded(..) => {}
            Kind::Access(access) => {
                if let Base::Node(base) = &access.base {
                    visit(base);
                }
                for step in &access.steps {
                    if let StepKind::Index(key) = &step.kind {
                        visit(key);
                    }
                }
            }
            Kind::Splat(splat) => {
                visit(&splat.source);
                visit(&splat.each);
            }
            Kind::Call(call) => call.arguments.iter().for_each(visit),
            Kind::Tuple(nodes) | Kind::Template(nodes) => nodes.iter().for_each(visit),
            Kind::Object(object) => {
                for item in &object.items {
                    visit(&item.key);
                    visit(&item.value);
                }
            }
            Kind::Properties(items) => {
                for item in items {
                    visit(&item.key);
                    visit(&item.value);
                }
            }
            Kind::For(each) | Kind::Join(each) => {
                let For { collection, key, value, condition, .. } = &**each;
                let parts = [Some(collection), key.as_ref(), Some(value), condition.as_ref()];
                parts.into_iter().flatten().for_each(visit);
            }
            Kind::Conditional(conditional) => {
                visit(&conditional.condition);
                visit(&conditional.result);
                visit(&conditional.other);
            }
            Kind::Operation(operation) => {
                visit(&operation.first);
                operation.rest.iter().for_each(|(_, node)| visit(node));
            }
            Kind::Unary(unary) => visit(&unary.operand),
            Kind::Parens(inner) | Kind::AmbiguousKey(inner, _) => visit(inner),
        }
    }
}
