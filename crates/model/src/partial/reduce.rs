//! Reduction of nodes: a known value replaces its node; otherwise the parts of the node are reduced.

use hclkit_limits::with_room;
use hclkit_syntax::{Document, Root, Span, is_identifier};
use hclkit_value::{Kind as ValueKind, Type, Value, unify_unsafely};

use super::PartialOptions;
use super::literal::{Literals, ValuePosition};
use super::residue::{Change, New, Residue};
use super::template::Written;
use crate::eval::Evaluator;
use crate::node::{Access, Base, Call, Conditional, For, Item, Kind, Node, Operation, Splat, StepKind};
use crate::traversal::variables;
use crate::{Target, Traversal, TraversalStep};

/// Reduces the nodes of one expression.
pub(super) struct Reducer<'e, 'a> {
    pub(super) document: &'e Document,
    pub(super) evaluator: Evaluator<'a>,
    options: PartialOptions,
    literals: Literals,
    pub(super) references: Vec<Traversal>,
}

impl<'e, 'a> Reducer<'e, 'a> {
    pub(super) fn new(document: &'e Document, evaluator: Evaluator<'a>, options: PartialOptions) -> Self {
        Reducer { document, evaluator, options, literals: Literals::default(), references: Vec::new() }
    }

    /// The references in the rest. Reports an exceeded limit.
    pub(super) fn finish(mut self, node: &Node) -> Vec<Traversal> {
        self.evaluator.finish(node);
        self.references
    }

    /// The rest of a node.
    pub(super) fn residue(&mut self, node: &Node) -> Residue {
        Residue { span: node.span, changes: self.changes(node) }
    }

    pub(super) fn changes(&mut self, node: &Node) -> Vec<Change> {
        let mut changes = Vec::new();
        self.reduce(node, ValuePosition::Value, &mut changes);
        changes
    }

    /// The source text of a node.
    pub(super) fn source(&self, span: Span) -> &'e str {
        self.document.source().slice(span)
    }

    /// The value of a node, if it is certain and may be shown.
    pub(super) fn shown(&mut self, node: &Node) -> Option<Value> {
        let known = self.evaluator.known(node);
        if !known.certain {
            return None;
        }
        match known.value.contains_marked() {
            true if self.options.reveal_marked => Some(known.value.unmark_deep().0),
            true => None,
            false => Some(known.value),
        }
    }

    /// Reduces a node.
    pub(super) fn reduce(&mut self, node: &Node, place: ValuePosition, out: &mut Vec<Change>) {
        if node.constant().is_some() || !self.evaluator.take_step(node) {
            return;
        }
        if self.stays(node) {
            return self.keep(node);
        }
        // Collections keep their layout, and their parts become literals.
        let assembled = matches!(node.kind, Kind::Tuple(_) | Kind::Object(_));
        if let Some(value) = self.shown(node).filter(|_| !assembled) {
            if let Kind::Template(parts) = &node.kind
                && place == ValuePosition::Value
                && let Written::Heredoc { .. } = self.written(node)
                && let Some(changes) = self.computed_heredoc(node, parts)
            {
                return out.extend(changes);
            }
            if let Some(text) = self.literals.write(&value, place) {
                return out.push(Change { span: node.span, new: New::Text(text) });
            }
        }
        with_room(|| self.descend(node, out));
    }

    /// Returns true if a node must stay as written, because it is marked or its syntax matters.
    fn stays(&mut self, node: &Node) -> bool {
        if self.evaluator.is_written(node) {
            return true;
        }
        if self.options.reveal_marked {
            return false;
        }
        let value = self.evaluator.known(node).value;
        // The arguments may contain values that the function marks.
        value.is_marked() || (matches!(node.kind, Kind::Call(_)) && value.contains_marked())
    }

    /// Leaves a node as written.
    fn keep(&mut self, node: &Node) {
        self.references.extend(variables(node));
    }

    /// Reduces the parts of a node.
    fn descend(&mut self, node: &Node, out: &mut Vec<Change>) {
        match &node.kind {
            Kind::Invalid | Kind::Constant(_) | Kind::Folded(..) => {}
            Kind::Access(access) => self.access(access, out),
            Kind::Splat(splat) => self.splat(splat, out),
            Kind::Call(call) => self.call(call, out),
            Kind::Tuple(nodes) => nodes.iter().for_each(|node| self.reduce(node, ValuePosition::Value, out)),
            Kind::Object(object) => {
                for item in &object.items {
                    self.key(item, out);
                    self.reduce(&item.value, ValuePosition::Value, out);
                }
            }
            // In the JSON syntax only.
            Kind::Properties(_) => self.keep(node),
            Kind::For(each) => self.for_expression(each, out),
            Kind::Conditional(conditional) => self.conditional(node, conditional, out),
            Kind::Operation(operation) => self.operation(operation, out),
            Kind::Unary(unary) => self.reduce(&unary.operand, ValuePosition::Source, out),
            Kind::Template(parts) => {
                let written = self.written(node);
                self.template(node, parts, written, out);
            }
            Kind::Parens(inner) => self.reduce(inner, ValuePosition::Value, out),
            // Directives are reduced with their templates; such keys stay as written.
            Kind::Join(_) | Kind::AmbiguousKey(..) => self.keep(node),
        }
    }

    /// The source form of a template.
    pub(super) fn written(&self, node: &Node) -> Written {
        let source = self.source(node.span);
        match self.document.root() {
            Root::Template(root) if root.span() == node.span => Written::Bare,
            _ if source.starts_with("<<") => Written::Heredoc { flush: source.starts_with("<<-") },
            _ => Written::Quoted,
        }
    }

    fn access(&mut self, access: &Access, out: &mut Vec<Change>) {
        let steps = access.traversal_len();
        let base = match &access.base {
            Base::Node(base) => {
                self.reduce(base, ValuePosition::Base, out);
                None
            }
            Base::Variable(_) if steps < access.steps.len() => self.evaluator.value_after(access, steps),
            _ => None,
        };
        let base = base.filter(|value| self.options.reveal_marked || !value.contains_marked());
        let base = base.and_then(|value| self.literals.write(&value.unmark_deep().0, ValuePosition::Base));
        let reference = match base {
            Some(text) => {
                out.push(Change { span: access.span_of(steps), new: New::Text(text) });
                None
            }
            None => Traversal::of(access).map(|traversal| {
                self.references.push(traversal);
                self.references.len() - 1
            }),
        };
        for (at, step) in access.steps.iter().enumerate() {
            if let StepKind::Index(key) = &step.kind {
                let before = out.len();
                self.reduce(key, ValuePosition::Value, out);
                let whole = |change: &Change| change.span == key.span && matches!(change.new, New::Text(_));
                if out.len() == before + 1 && out.last().is_some_and(whole) {
                    self.lengthen(reference, at, access, key);
                }
            }
        }
    }

    /// A reference continues after a key that has become constant.
    fn lengthen(&mut self, reference: Option<usize>, at: usize, access: &Access, key: &Node) {
        let Some(key) = self.shown(key).filter(is_key) else { return };
        let reference = reference.and_then(|reference| self.references.get_mut(reference));
        if let Some(reference) = reference.filter(|reference| reference.steps.len() == at) {
            reference.steps.push(TraversalStep { span: access.steps[at].span, target: Target::Element(key) });
            reference.steps.extend(access.steps[at + 1..].iter().map_while(TraversalStep::of));
        }
    }

    fn splat(&mut self, splat: &Splat, out: &mut Vec<Change>) {
        self.reduce(&splat.source, ValuePosition::Source, out);
        self.in_loop(splat.slot, 1, |this| this.reduce(&splat.each, ValuePosition::Value, out));
    }

    /// Runs a closure with this many more unknown local variables.
    pub(super) fn in_loop<T>(&mut self, slot: usize, count: usize, work: impl FnOnce(&mut Self) -> T) -> T {
        self.evaluator.enter_loop(slot, count);
        let done = work(self);
        self.evaluator.leave_loop(slot);
        done
    }

    fn call(&mut self, call: &Call, out: &mut Vec<Change>) {
        let last = call.arguments.len().saturating_sub(1);
        for (at, argument) in call.arguments.iter().enumerate() {
            let place = if call.expands && at == last { ValuePosition::Items } else { ValuePosition::Value };
            self.reduce(argument, place, out);
        }
    }

    /// The key of an item. Any change to a key without parentheses or quotes may turn it into a name.
    fn key(&mut self, item: &Item, out: &mut Vec<Change>) {
        let key = &item.key;
        if item.bare || key.constant().is_some() {
            return;
        }
        let name = self.shown(key).filter(|value| !value.is_null());
        let name = name.and_then(|value| value.convert(&Type::String).ok());
        match (&name.as_ref().and_then(Value::as_str), &key.kind) {
            (Some(name), _) => {
                // At the start of an object, `for` begins an expression of that kind.
                let bare = is_identifier(name) && *name != "for";
                let text = if bare { (*name).to_owned() } else { Value::from(*name).to_string() };
                out.push(Change { span: key.span, new: New::Text(text) });
            }
            (None, Kind::Parens(inner)) => self.reduce(inner, ValuePosition::Value, out),
            (None, Kind::Template(parts)) => {
                let written = self.written(key);
                self.template(key, parts, written, out);
            }
            _ => self.keep(key),
        }
    }

    fn for_expression(&mut self, each: &For, out: &mut Vec<Change>) {
        self.reduce(&each.collection, elements_of(each), out);
        let count = 1 + usize::from(each.key_name.is_some());
        self.in_loop(each.slot, count, |this| {
            for part in [each.key.as_ref(), Some(&each.value), each.condition.as_ref()].into_iter().flatten()
            {
                this.reduce(part, ValuePosition::Value, out);
            }
        });
    }

    fn conditional(&mut self, node: &Node, conditional: &Conditional, out: &mut Vec<Change>) {
        if let Some(taken) = self.taken(conditional) {
            let part = self.residue(taken);
            return out.push(Change { span: node.span, new: New::Part(part) });
        }
        for part in [&conditional.condition, &conditional.result, &conditional.other] {
            self.reduce(part, ValuePosition::Value, out);
        }
    }

    /// The result that a conditional always has, if it need not be converted to a common type of both results, and if
    /// the marks of the other result are known.
    pub(super) fn taken<'n>(&mut self, conditional: &'n Conditional) -> Option<&'n Node> {
        let Conditional { condition, result, other } = conditional;
        let condition = self.evaluator.known(condition);
        let decision = condition.value.as_bool().filter(|_| condition.certain)?;
        let (taken, left) = if decision { (result, other) } else { (other, result) };
        let left = self.evaluator.known(left);
        if !left.certain || left.value.contains_marked() {
            return None;
        }
        // The name that closes a heredoc must be followed by a line break.
        if decision && self.source(taken.span).contains("<<") {
            return None;
        }
        let untyped = left.value.is_null() && left.value.has_type(&Type::Dynamic);
        if untyped {
            return Some(taken);
        }
        let (ty, other) = (self.evaluator.known(taken).value.ty(), left.value.ty());
        let same =
            !ty.has_dynamic() && unify_unsafely(&[ty.clone(), other]).is_some_and(|common| common == ty);
        same.then_some(taken)
    }

    fn operation(&mut self, operation: &Operation, out: &mut Vec<Change>) {
        let prefix = self.evaluator.known_prefix(operation);
        let known = prefix.and_then(|(count, value)| {
            let value = if self.options.reveal_marked { value.unmark_deep().0 } else { value };
            Some((count, self.literals.write(&value, ValuePosition::Value)?))
        });
        let done = known.as_ref().map_or(0, |(count, _)| *count);
        if let Some((count, text)) = known {
            let span = operation.first.span.cover(operation.rest[count - 1].1.span);
            out.push(Change { span, new: New::Text(text) });
        } else {
            self.reduce(&operation.first, ValuePosition::Value, out);
        }
        operation.rest[done..]
            .iter()
            .for_each(|(_, operand)| self.reduce(operand, ValuePosition::Value, out));
    }
}

/// Returns true if the source of a value can be a key of a traversal.
fn is_key(value: &Value) -> bool {
    match value.kind() {
        // A sign is an operator, and the sign of negative zero is also written.
        ValueKind::Number(number) => !number.is_negative(),
        ValueKind::String(_) | ValueKind::Bool(_) | ValueKind::Null(_) => true,
        _ => false,
    }
}

/// The position of a collection in a loop.
pub(super) fn elements_of(each: &For) -> ValuePosition {
    if each.key_name.is_some() { ValuePosition::Elements } else { ValuePosition::Items }
}
