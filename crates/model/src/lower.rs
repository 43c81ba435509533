//! Lowering: the syntax tree becomes nodes for evaluation. Literals become values, `for` variables become slots, chains
//! become flat. Templates are in `lower/template.rs`, the JSON syntax is in `lower/json.rs`.

pub(crate) mod json;
mod template;

use std::sync::OnceLock;

use hclkit_limits::with_room;
use hclkit_syntax::ast::{
    BinaryOperator, ExpressionKind as E, ExpressionNode, ForNode, ObjectItemNode, ObjectKey,
};
use hclkit_syntax::{Document, Root, Span};
use hclkit_value::{Name, Number, ObjectShape, Str, Value};

use crate::Diagnostics;
use crate::literal;
use crate::node::{
    Access, Base, Call, Conditional, For, Item, Kind, Last, Node, Object, Operation, Splat, Step, StepKind,
    Unary,
};
use crate::traversal::{Traversal, variables};

/// Lowers an expression.
pub(crate) fn expression(expression: ExpressionNode) -> Node {
    expression_at(expression, &|span| span)
}

/// Lowers an expression whose spans are mapped to another source.
pub(crate) fn expression_at(expression: ExpressionNode, place: &dyn Fn(Span) -> Span) -> Node {
    Lowering { scope: Vec::new(), place }.expression(expression)
}

/// Lowers the template of a whole document, whose spans are mapped to another source.
fn template_at(document: &Document, place: &dyn Fn(Span) -> Span) -> Node {
    let mut lowering = Lowering { scope: Vec::new(), place };
    match document.root() {
        Root::Template(template) => lowering.template(template),
        _ => lowering.node(Span::default(), Kind::Invalid),
    }
}

/// A lowered expression, and the errors in its strings.
#[derive(Debug)]
pub(crate) struct LoweredExpr {
    pub(crate) node: Node,
    pub(crate) diagnostics: Diagnostics,
    references: OnceLock<Box<[Traversal]>>,
}

impl LoweredExpr {
    pub(crate) fn new(node: Node, diagnostics: Diagnostics) -> Self {
        Self { node, diagnostics, references: OnceLock::new() }
    }

    /// All references to variables.
    pub(crate) fn references(&self) -> &[Traversal] {
        self.references.get_or_init(|| variables(&self.node).into())
    }
}

impl From<Node> for LoweredExpr {
    fn from(node: Node) -> Self {
        Self::new(node, Diagnostics::new())
    }
}

struct Lowering<'p> {
    /// The names of the slots; the element of a splat has none.
    scope: Vec<Option<Name>>,
    place: &'p dyn Fn(Span) -> Span,
}

// Each production has its own function, because each level of nesting uses stack for the variables of its function.
impl Lowering<'_> {
    fn node(&self, span: Span, kind: Kind) -> Node {
        Node { span: (self.place)(span), kind }
    }

    fn expression(&mut self, expression: ExpressionNode) -> Node {
        match expression.kind() {
            E::Number(_) | E::Bool(_) | E::Null | E::Variable(_) | E::SplatItem | E::Missing => {
                self.leaf(expression)
            }
            E::Template(template) => self.template(template),
            _ => with_room(|| self.compound(expression)),
        }
    }

    fn compound(&mut self, expression: ExpressionNode) -> Node {
        match expression.kind() {
            E::Tuple => self.tuple(expression),
            E::Object => self.object(expression),
            E::Parens(inner) => self.parens(expression, inner),
            E::Binary { .. } => self.operation(expression),
            E::Unary { .. } => self.unary(expression),
            E::Conditional { .. } => self.conditional(expression),
            E::For(each) => self.for_expression(each),
            E::Call(_) => self.call(expression),
            E::Splat { .. } => self.splat(expression),
            E::GetAttr { .. } | E::Index { .. } | E::LegacyIndex { .. } => self.access(expression),
            _ => self.leaf(expression),
        }
    }

    fn boxed(&mut self, expression: ExpressionNode) -> Box<Node> {
        Box::new(self.expression(expression))
    }

    fn leaf(&self, expression: ExpressionNode) -> Node {
        let span = expression.span();
        let kind = match expression.kind() {
            E::Number(text) => match literal::number(expression, text) {
                Some(number) => Kind::Constant(number),
                None => Kind::Invalid,
            },
            E::Bool(flag) => Kind::Constant(Value::from(flag)),
            E::Null => Kind::Constant(Value::NULL),
            E::Variable(_) | E::SplatItem => {
                let (base, base_span) = (self.base(expression), (self.place)(span));
                match base {
                    Some(base) => Kind::Access(Box::new(Access { base, base_span, steps: Box::default() })),
                    None => Kind::Invalid,
                }
            }
            _ => Kind::Invalid,
        };
        self.node(span, kind)
    }

    /// The base for a variable or the element of a splat.
    fn base(&self, expression: ExpressionNode) -> Option<Base> {
        match expression.kind() {
            E::Variable(name) => {
                let name = Name::from(name.text);
                let own = self.scope.iter().rposition(|known| known.as_ref() == Some(&name));
                Some(match own {
                    Some(slot) => Base::Local { slot, name },
                    None => Base::Variable(name),
                })
            }
            E::SplatItem => {
                let slot = self.scope.iter().rposition(Option::is_none)?;
                Some(Base::Element { slot })
            }
            _ => None,
        }
    }

    fn parens(&mut self, expression: ExpressionNode, inner: ExpressionNode) -> Node {
        let inner = self.boxed(inner);
        self.node(expression.span(), Kind::Parens(inner))
    }

    fn tuple(&mut self, expression: ExpressionNode) -> Node {
        let elements: Box<[Node]> = expression.elements().map(|element| self.expression(element)).collect();
        let constants: Option<Vec<Value>> = elements.iter().map(|node| node.constant().cloned()).collect();
        let written = Kind::Tuple(elements);
        self.node(expression.span(), folded(constants.map(Value::tuple), written))
    }

    fn object(&mut self, expression: ExpressionNode) -> Node {
        let items: Box<[Item]> = expression.items().map(|item| self.item(item)).collect();
        let constants: Option<Vec<(Str, Value)>> = items
            .iter()
            .map(|item| Some((Str::from(item.key.constant()?.as_str()?), item.value.constant()?.clone())))
            .collect();
        let names: Option<Vec<Str>> =
            items.iter().map(|item| item.key.constant()?.as_str().map(Str::from)).collect();
        let shape = names.map(ObjectShape::new);
        let written = Kind::Object(Box::new(Object { items, shape }));
        self.node(expression.span(), folded(constants.map(Value::object), written))
    }

    fn item(&mut self, item: ObjectItemNode) -> Item {
        let bare = matches!(item.key(), ObjectKey::Name(_));
        let key = match item.key() {
            ObjectKey::Name(name) => self.node(name.span, Kind::Constant(Value::from(name.text))),
            // A name with steps may also be meant as a string.
            ObjectKey::Expression(key) if is_traversal(key) => {
                let (span, text) = (key.span(), Str::from(key.text()));
                let written = self.boxed(key);
                self.node(span, Kind::AmbiguousKey(written, text))
            }
            ObjectKey::Expression(key) => self.expression(key),
        };
        Item { key, bare, value: self.expression(item.value()) }
    }

    fn unary(&mut self, expression: ExpressionNode) -> Node {
        let E::Unary { operator, operand } = expression.kind() else { return self.leaf(expression) };
        let operand = self.expression(operand);
        self.node(expression.span(), Kind::Unary(Box::new(Unary { operator, operand })))
    }

    fn conditional(&mut self, expression: ExpressionNode) -> Node {
        let E::Conditional { condition, result, other } = expression.kind() else {
            return self.leaf(expression);
        };
        let parts = Box::new(Conditional {
            condition: self.expression(condition),
            result: self.expression(result),
            other: self.expression(other),
        });
        self.node(expression.span(), Kind::Conditional(parts))
    }

    fn operation(&mut self, expression: ExpressionNode) -> Node {
        let mut rest: Vec<(BinaryOperator, Node)> = Vec::new();
        let mut at = expression;
        while let E::Binary { operator, left, right } = at.kind() {
            rest.push((operator, self.expression(right)));
            at = left;
        }
        rest.reverse();
        let operation = Operation { first: self.expression(at), rest: rest.into() };
        self.node(expression.span(), Kind::Operation(Box::new(operation)))
    }

    fn access(&mut self, expression: ExpressionNode) -> Node {
        let mut steps = Vec::new();
        let mut at = expression;
        loop {
            let (object, kind) = match at.kind() {
                E::GetAttr { object, name: Some(name) } => {
                    let written = Name::from(name.text);
                    let key = Str::from(&written);
                    (object, StepKind::Attribute(written, key))
                }
                E::GetAttr { object, name: None } => {
                    (object, StepKind::Attribute(Name::default(), Str::default()))
                }
                E::Index { collection, key } => (collection, self.index(key)),
                E::LegacyIndex { collection, key } => {
                    let number = key.text.parse::<Number>().map_or(Value::DYNAMIC, Value::from);
                    (collection, StepKind::Key(number))
                }
                _ => break,
            };
            steps.push(Step { span: (self.place)(at.step_span()), kind, last: Last::default() });
            at = object;
        }
        steps.reverse();
        let base_span = (self.place)(at.span());
        let base = self.base(at).unwrap_or_else(|| Base::Node(self.expression(at)));
        let access = Access { base, base_span, steps: steps.into() };
        self.node(expression.span(), Kind::Access(Box::new(access)))
    }

    fn index(&mut self, key: ExpressionNode) -> StepKind {
        let key = self.expression(key);
        match key.kind {
            Kind::Constant(value) => StepKind::Key(value),
            kind => StepKind::Index(Node { kind, ..key }),
        }
    }

    fn splat(&mut self, expression: ExpressionNode) -> Node {
        let E::Splat { source, each, .. } = expression.kind() else { return self.leaf(expression) };
        let source = self.expression(source);
        let slot = self.scope.len();
        self.scope.push(None);
        let each = self.expression(each);
        self.scope.truncate(slot);
        let marker = (self.place)(expression.operator_span());
        self.node(expression.span(), Kind::Splat(Box::new(Splat { source, each, slot, marker })))
    }

    fn call(&mut self, expression: ExpressionNode) -> Node {
        let E::Call(call) = expression.kind() else { return self.leaf(expression) };
        let arguments = call.arguments().map(|argument| self.expression(argument)).collect();
        let node = Call {
            name: Name::from(call.name()),
            name_span: (self.place)(call.name_span()),
            open_span: (self.place)(call.open_span()),
            close_span: (self.place)(Span::new(call.span().end.saturating_sub(1), call.span().end)),
            arguments,
            expands: call.expands_last(),
            last: Last::default(),
        };
        self.node(call.span(), Kind::Call(Box::new(node)))
    }

    fn for_expression(&mut self, each: ForNode) -> Node {
        let collection = self.expression(each.collection());
        let (key_name, value_name) =
            (each.key_variable().map(|name| Name::from(name.text)), Name::from(each.value_variable().text));
        let slot = self.open_scope(key_name.as_ref(), &value_name);
        let key = each.key().map(|key| self.expression(key));
        let value = self.expression(each.value());
        let condition = each.condition().map(|condition| self.expression(condition));
        self.scope.truncate(slot);
        let groups = each.groups();
        let node = For { collection, slot, key_name, value_name, key, value, condition, groups };
        self.node(each.span(), Kind::For(Box::new(node)))
    }

    /// Declares the variables of a `for`, and returns the slot of the first one.
    fn open_scope(&mut self, key_name: Option<&Name>, value_name: &Name) -> usize {
        let slot = self.scope.len();
        self.scope.extend(key_name.cloned().map(Some));
        self.scope.push(Some(value_name.clone()));
        slot
    }
}

fn folded(value: Option<Value>, written: Kind) -> Kind {
    match value {
        Some(value) => Kind::Folded(value, Box::new(written)),
        None => written,
    }
}

/// Returns true if a key is a variable with steps after it.
fn is_traversal(key: ExpressionNode) -> bool {
    let mut at = key;
    loop {
        at = match at.kind() {
            E::GetAttr { object, .. } => object,
            E::LegacyIndex { collection, .. } => collection,
            E::Index { collection, key } if matches!(key.kind(), E::Number(_) | E::Template(_)) => collection,
            E::Variable(_) => return true,
            _ => return false,
        };
    }
}
