//! Lowered expressions: names are resolved, constants computed, chains flat. `lower.rs` creates them and `eval.rs`
//! evaluates them; no source text is read after that.

use std::mem;
use std::sync::atomic::{AtomicU32, Ordering};

use hclkit_limits::with_room;
use hclkit_syntax::Span;
use hclkit_syntax::ast::{BinaryOperator, UnaryOperator};
use hclkit_value::{Name, ObjectShape, Str, Value};

/// An expression and its span.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) kind: Kind,
}

/// The kind of an expression. A chain of operators or steps is one node, so that nodes are nested only as deeply as the
/// source.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Invalid: parsing reported why.
    Invalid,
    Constant(Value),
    /// A collection of constants: its value, and its parts as written.
    Folded(Value, Box<Self>),
    /// A variable or another expression, with steps after it.
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
    /// The concatenated results of a `for` directive.
    Join(Box<For>),
    Parens(Box<Node>),
    /// A key of an object that can be a name or an expression.
    AmbiguousKey(Box<Node>, Str),
}

/// The base of a traversal.
#[derive(Debug)]
pub(crate) enum Base {
    /// A variable of the context.
    Variable(Name),
    /// A local variable by its slot; the outermost has slot 0.
    Local {
        slot: usize,
        name: Name,
    },
    /// The current element of a splat.
    Element {
        slot: usize,
    },
    Node(Node),
}

/// A base and steps.
#[derive(Debug)]
pub(crate) struct Access {
    pub(crate) base: Base,
    /// The span of the base.
    pub(crate) base_span: Span,
    pub(crate) steps: Box<[Step]>,
}

/// The index at which a name was last found, where the next search starts. Threads may share it, because it is only a
/// hint.
#[derive(Debug, Default)]
pub(crate) struct Last(AtomicU32);

impl Last {
    /// Searches from the last index on. The function returns the index at which it found the name.
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
    /// The last index of the attribute in an object.
    pub(crate) last: Last,
}

#[derive(Debug)]
pub(crate) enum StepKind {
    /// The name as written, and as attributes and keys contain it.
    Attribute(Name, Str),
    /// A constant index.
    Key(Value),
    Index(Node),
}

impl Access {
    /// The number of leading steps that are constant and thus part of the traversal.
    pub(crate) fn traversal_len(&self) -> usize {
        self.steps.iter().take_while(|step| !matches!(step.kind, StepKind::Index(_))).count()
    }

    /// The span of the base with this number of steps.
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
    /// The expression for each element.
    pub(crate) each: Node,
    pub(crate) slot: usize,
    /// The span of the operator.
    pub(crate) marker: Span,
}

impl Drop for Splat {
    /// A chain of splats (`a.*.b[0].*.b[0]…`) is nested in the nodes but not in the source, so it is dropped in a loop.
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
    /// The last index of the function in a table.
    pub(crate) last: Last,
}

#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) items: Box<[Item]>,
    /// The names, if all of them are constant.
    pub(crate) shape: Option<ObjectShape>,
}

#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) key: Node,
    /// The key is a plain name.
    pub(crate) bare: bool,
    pub(crate) value: Node,
}

#[derive(Debug)]
pub(crate) struct For {
    pub(crate) collection: Node,
    /// The slot of the first variable: the key's if it has a name, otherwise the value's.
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

    /// The kind as written: a collection of constants as its parts.
    pub(crate) fn structure(&self) -> &Kind {
        match &self.kind {
            Kind::Folded(_, written) => written,
            kind => kind,
        }
    }

    /// Calls a function for each variable with its steps, in source order, including nested expressions.
    pub(crate) fn each_access(&self, visit: &mut dyn FnMut(&Access)) {
        self.each(&mut |node| {
            if let Kind::Access(access) = &node.kind {
                visit(access);
            }
        });
    }

    /// Calls a function for the node and all nodes in it, outermost first and in source order.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(&Self)) {
        visit(self);
        self.each_child(&mut |child| with_room(|| child.each(visit)));
    }

    /// Calls a function for each direct child in source order.
    pub(crate) fn each_child<'n>(&'n self, visit: &mut dyn FnMut(&'n Self)) {
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
