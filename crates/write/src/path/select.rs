//! Selection of the nodes that a path matches.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hclkit_dialect::Dialect;
use hclkit_model::path::{Position, Step};
use hclkit_model::{Context, Diagnostics};
use hclkit_syntax::ast::{BlockNode, ExpressionKind, Item, ObjectKey};
use hclkit_syntax::{Document, NodeId, NodeKind, Root, Syntax};

use hclkit_syntax::push_name;

use super::{Match, predicate};
use crate::edit::property_name;

/// A match so far.
#[derive(Debug, Clone)]
struct PartialMatch {
    node: NodeId,
    named: NodeId,
    /// For blocks: how many labels were matched. In the JSON syntax: how many names after the first one.
    labels: usize,
    /// The node that contains it.
    parent: NodeId,
    address: String,
}

pub(super) fn select<'d>(
    document: &'d Document,
    steps: &[Step],
    context: &Context,
) -> Result<Vec<Match<'d>>, Diagnostics> {
    let root = root(document);
    run(
        document,
        PartialMatch { node: root, named: root, labels: 0, parent: root, address: String::new() },
        steps,
        context,
    )
}

pub(super) fn select_in<'d>(
    within: &Match<'d>,
    steps: &[Step],
    context: &Context,
) -> Result<Vec<Match<'d>>, Diagnostics> {
    let Match { document, node, named, labels, parent, .. } = *within;
    let address = within.from.clone();
    run(document, PartialMatch { node, named, labels, parent, address }, steps, context)
}

/// The whole file: a body, or in the JSON syntax an expression.
pub(super) fn root(document: &Document) -> NodeId {
    match document.root() {
        Root::Expression(expression) => expression.id(),
        _ => document.body().id(),
    }
}

fn run<'d>(
    document: &'d Document,
    from: PartialMatch,
    steps: &[Step],
    context: &Context,
) -> Result<Vec<Match<'d>>, Diagnostics> {
    let mut selection = Selection { document, context, numbers: HashMap::new(), dialect: OnceCell::new() };
    let mut found = vec![from];
    for step in steps {
        found = selection.step(step, found)?;
        // Otherwise, each `..` could multiply what was found.
        let mut seen = HashSet::new();
        found.retain(|found| seen.insert((found.node, found.named)));
    }
    let mut matches = Vec::with_capacity(found.len());
    for found in found {
        let PartialMatch { node, named, labels, parent, address: from, .. } = found.clone();
        let mut address = selection.with_labels(found, named).address;
        if address.is_empty() {
            address.push('.');
        }
        matches.push(Match { document, node, named, address, labels, parent, from });
    }
    matches.sort_by_key(|found| document.span(found.node).start);
    Ok(matches)
}

/// The block at a node.
pub(super) fn block_at(document: &Document, node: NodeId) -> Option<BlockNode<'_>> {
    document.block_at(node)
}

/// The expression that is the value of a node.
pub(super) fn expression_of(document: &Document, node: NodeId) -> Option<NodeId> {
    let tree = document.tree();
    match tree.kind(node) {
        NodeKind::Attribute => tree.children(node).next(),
        NodeKind::ObjectItem => tree.children(node).nth(1),
        NodeKind::Interpolation => tree.children(node).next(),
        NodeKind::Body
        | NodeKind::Root
        | NodeKind::Block
        | NodeKind::Text
        | NodeKind::IfDirective
        | NodeKind::ForDirective => None,
        _ => Some(node),
    }
}

fn elements_of(document: &Document, tuple: NodeId) -> Vec<NodeId> {
    match document.tree().kind(tuple) {
        NodeKind::Tuple => document.tree().children(tuple).collect(),
        _ => Vec::new(),
    }
}

struct Selection<'d, 'c> {
    document: &'d Document,
    context: &'c Context,
    /// The numbers of the blocks of each body that share their type and labels with others.
    numbers: HashMap<NodeId, HashMap<NodeId, usize>>,
    /// The language that the name of the file belongs to.
    dialect: OnceCell<Option<Arc<Dialect>>>,
}

impl Selection<'_, '_> {
    fn step(&mut self, step: &Step, found: Vec<PartialMatch>) -> Result<Vec<PartialMatch>, Diagnostics> {
        Ok(match step {
            Step::Name(pattern) => {
                let mut out = Vec::new();
                for found in &found {
                    self.children(
                        found,
                        &mut |name| name.is_some_and(|name| pattern.matches(name)),
                        &mut out,
                    );
                }
                out
            }
            Step::Deep => self.descendants(found),
            Step::Labels if self.document.syntax() == Syntax::Json => {
                found.into_iter().flat_map(|found| self.json_labels(found)).collect()
            }
            Step::Labels => found
                .into_iter()
                .filter_map(|found| {
                    let block = block_at(self.document, found.node)?;
                    let named = block.labels().last().map_or(found.named, hclkit_syntax::ast::LabelNode::id);
                    Some(self.with_labels(found, named))
                })
                .collect(),
            Step::Index(position) => self.index(*position, found),
            Step::Argument(position) => {
                self.parts(found, *position, '(', ')', |document, node| match document.tree().kind(node) {
                    NodeKind::Call => document.tree().children(node).collect(),
                    _ => Vec::new(),
                })
            }
            Step::Part(position) => {
                self.parts(found, *position, '{', '}', |document, node| match document.tree().kind(node) {
                    NodeKind::QuotedTemplate | NodeKind::Heredoc => document.tree().children(node).collect(),
                    _ => Vec::new(),
                })
            }
            Step::Predicate(expression) => {
                let (document, context) = (self.document, self.context);
                let each = found.into_iter().flat_map(|found| self.objects(found));
                let mut out = Vec::new();
                for found in each {
                    if predicate::is_true(document, found.node, expression, context)? {
                        out.push(found);
                    }
                }
                out
            }
        })
    }

    /// Adds the direct parts with a matching name. `None` matches elements.
    fn children(
        &mut self,
        found: &PartialMatch,
        takes: &mut dyn FnMut(Option<&str>) -> bool,
        out: &mut Vec<PartialMatch>,
    ) {
        let document = self.document;
        let block = block_at(document, found.node);
        if let Some(block) = block
            && let Some(label) = block.labels().nth(found.labels)
        {
            let text = label.value();
            if takes(Some(&text)) {
                let is_last = block.labels().count() == found.labels + 1;
                let mut next = PartialMatch { named: label.id(), labels: found.labels + 1, ..found.clone() };
                push_name(&mut next.address, &text);
                if is_last {
                    self.push_number(&mut next);
                }
                out.push(next);
            }
            return;
        }
        let body = match document.tree().kind(found.node) {
            NodeKind::Body | NodeKind::Root => Some(document.body_at(found.node)),
            _ => block.map(BlockNode::body),
        };
        if let Some(body) = body {
            for item in body.items() {
                let (node, name) = match item {
                    Item::Attribute(attribute) => (attribute.id(), attribute.name()),
                    Item::Block(block) => (block.id(), block.block_type()),
                };
                if takes(Some(name)) {
                    let mut next = PartialMatch {
                        node,
                        named: node,
                        labels: 0,
                        parent: body.id(),
                        address: found.address.clone(),
                    };
                    push_name(&mut next.address, name);
                    if item.block().is_some_and(|block| block.labels().next().is_none()) {
                        self.push_number(&mut next);
                    }
                    out.push(next);
                }
            }
            return;
        }
        let Some(value) = self.value(found.node) else { return };
        let is_json = document.syntax() == Syntax::Json;
        if is_json && document.tree().kind(value) == NodeKind::Tuple {
            // Blocks of one type are objects in an array.
            let elements = self.parts(vec![found.clone()], Position::Every, '[', ']', elements_of);
            for mut element in elements {
                if document.tree().kind(element.node) == NodeKind::Object {
                    element.labels = found.labels;
                    self.children(&element, takes, out);
                }
            }
            return;
        }
        for item in document.expression_at(value).items() {
            let name = match item.key() {
                _ if is_json => Some(property_name(item)),
                ObjectKey::Name(name) => Some(name.text.to_owned()),
                ObjectKey::Expression(key) => match key.without_parens().kind() {
                    ExpressionKind::Template(template) => template.as_literal().map(Into::into),
                    ExpressionKind::Number(number) => Some(number.to_owned()),
                    _ => None,
                },
            };
            if let Some(name) = name
                && takes(Some(&name))
            {
                let node = item.id();
                let labels = if found.address.is_empty() { 0 } else { found.labels + 1 };
                let mut next =
                    PartialMatch { node, named: node, labels, parent: value, address: found.address.clone() };
                push_name(&mut next.address, &name);
                out.push(next);
            }
        }
    }

    /// The properties that are the remaining labels of the blocks of the language.
    fn json_labels(&mut self, found: PartialMatch) -> Vec<PartialMatch> {
        let block_type = found.address.split(['.', '[']).next().unwrap_or_default();
        let dialect = self.dialect.get_or_init(|| Dialect::of_path(self.document.source().name()));
        let Some(shape) = dialect.as_ref().and_then(|dialect| dialect.shape(None, block_type)) else {
            return Vec::new();
        };
        let Some(left) = shape.labels.len().checked_sub(found.labels) else { return Vec::new() };
        let mut all = vec![found];
        for _ in 0..left {
            let mut next = Vec::new();
            for found in &all {
                self.children(found, &mut |_| true, &mut next);
            }
            all = next;
        }
        all
    }

    /// In the JSON syntax, an array that contains only objects is replaced by these, because they are blocks. Other
    /// matches do not change.
    fn objects(&self, found: PartialMatch) -> Vec<PartialMatch> {
        let is_object = |element: &PartialMatch| self.document.tree().kind(element.node) == NodeKind::Object;
        if self.document.syntax() == Syntax::Json {
            let elements = self.parts(vec![found.clone()], Position::Every, '[', ']', elements_of);
            if !elements.is_empty() && elements.iter().all(is_object) {
                return elements;
            }
        }
        vec![found]
    }

    /// The value of a node without parentheses.
    fn value(&self, node: NodeId) -> Option<NodeId> {
        let value = expression_of(self.document, node)?;
        Some(self.document.expression_at(value).without_parens().id())
    }

    /// Adds everything at and below a match. Labels are not steps here.
    fn descendants(&mut self, found: Vec<PartialMatch>) -> Vec<PartialMatch> {
        let mut open: Vec<PartialMatch> = found.into_iter().rev().collect();
        let mut out = Vec::new();
        let mut seen = HashSet::new();
        while let Some(found) = open.pop() {
            if !seen.insert(found.node) {
                continue;
            }
            let named = found.named;
            let found = if block_at(self.document, found.node).is_some() {
                self.with_labels(found, named)
            } else {
                found
            };
            let mut below = Vec::new();
            self.children(&found, &mut |_| true, &mut below);
            for (position, open, close) in [(Position::Every, '[', ']'), (Position::Every, '(', ')')] {
                let is_call = open == '(';
                below.extend(self.parts(
                    vec![found.clone()],
                    position,
                    open,
                    close,
                    move |document, node| match document.tree().kind(node) {
                        NodeKind::Tuple if !is_call => document.tree().children(node).collect(),
                        NodeKind::Call if is_call => document.tree().children(node).collect(),
                        _ => Vec::new(),
                    },
                ));
            }
            open.extend(below.into_iter().rev());
            out.push(found);
        }
        out
    }

    /// A block with all of its labels.
    fn with_labels(&mut self, mut found: PartialMatch, named: NodeId) -> PartialMatch {
        if let Some(block) = block_at(self.document, found.node) {
            let labels = block.label_texts();
            if found.labels < labels.len() {
                for label in &labels[found.labels..] {
                    push_name(&mut found.address, label);
                }
                found.labels = labels.len();
                self.push_number(&mut found);
            }
        }
        found.named = named;
        found
    }

    fn index(&mut self, position: Position, found: Vec<PartialMatch>) -> Vec<PartialMatch> {
        let mut out = Vec::new();
        let mut groups: Vec<Vec<PartialMatch>> = Vec::new();
        let mut numbers: HashMap<(NodeId, usize, String), usize> = HashMap::new();
        for found in found {
            let Some(block) = block_at(self.document, found.node) else {
                out.extend(self.parts(vec![found], position, '[', ']', elements_of));
                continue;
            };
            let labels = block.label_texts();
            let key = format!("{:?} {:?}", block.block_type(), &labels[..found.labels.min(labels.len())]);
            let group = *numbers.entry((found.parent, found.labels, key)).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(found);
        }
        for group in groups {
            out.extend(group[position.of(group.len())].iter().cloned());
        }
        out
    }

    /// The selected elements, arguments or parts.
    fn parts(
        &self,
        found: Vec<PartialMatch>,
        position: Position,
        open: char,
        close: char,
        children: impl Fn(&Document, NodeId) -> Vec<NodeId>,
    ) -> Vec<PartialMatch> {
        let mut out = Vec::new();
        for found in found {
            let Some(value) = self.value(found.node) else { continue };
            let children = children(self.document, value);
            for number in position.of(children.len()) {
                let node = children[number];
                let address = format!("{}{open}{number}{close}", found.address);
                out.push(PartialMatch { node, named: node, labels: 0, parent: value, address });
            }
        }
        out
    }

    /// Adds the number of a block that is not the only one with its type and labels.
    fn push_number(&mut self, found: &mut PartialMatch) {
        let document = self.document;
        let numbers = self.numbers.entry(found.parent).or_insert_with(|| {
            let mut groups: HashMap<_, Vec<NodeId>> = HashMap::new();
            for block in document.body_at(found.parent).blocks() {
                groups.entry((block.block_type(), block.label_texts())).or_default().push(block.id());
            }
            let shared = groups.into_values().filter(|group| group.len() > 1);
            shared.flat_map(|group| group.into_iter().enumerate().map(|(number, id)| (id, number))).collect()
        });
        if let Some(number) = numbers.get(&found.node) {
            use std::fmt::Write as _;
            // Writing to a string cannot fail.
            let _ = write!(found.address, "[{number}]");
        }
    }
}
