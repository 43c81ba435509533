//! What expressions use of the instances of a resource or a module call: `module.net["a"].id`, `aws_instance.web[*].id`,
//! `[for net in module.net : net.id]`, and `each.value.id` in a block that repeats over them, in both syntaxes.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::Arc;

use hclkit_dialect::Dialect;
use hclkit_model::{Attribute, Body, Descend, Expression, Target, Traversal, Visitor};
use hclkit_syntax::ast::{AttributeNode, BlockNode, BodyNode, ExpressionKind, ExpressionNode, Item};
use hclkit_syntax::json::{JsonDocument, JsonText, JsonValue};
use hclkit_syntax::{Document, Span};
use hclkit_value::Name;

use crate::Symbol;
use crate::callers::literal;
use crate::names::languages_of;

/// A use of an attribute of an instance.
pub(crate) struct InstanceUse {
    /// The span of the expression up to the name of the attribute.
    pub(crate) span: Span,
    /// The span of the name.
    pub(crate) name: Span,
}

/// Functions that return all instances, or one of them.
const ALL: [&str; 1] = ["values"];
const ONE: [&str; 2] = ["one", "element"];

/// Functions that use no attribute of the instances.
const NONE: [&str; 2] = ["keys", "length"];

/// Finds the uses of an attribute of instances, which is the last name of the symbol.
pub(crate) fn find(symbol: &Symbol, document: &Document) -> Vec<InstanceUse> {
    let Some(instances) = symbol.instances() else { return Vec::new() };
    let mut finder = Finder::new(symbol, instances);
    finder.run(document);
    finder.out
}

/// Finds where instances are used as a whole, so that uses of the attribute cannot be followed.
pub(crate) fn wholes(symbol: &Symbol, document: &Document) -> Vec<Span> {
    let Some((_, instances)) = symbol.names.split_last() else { return Vec::new() };
    let path = document.source().name();
    let mut finder = Finder::new(symbol, instances);
    finder.finds_wholes = true;
    finder.languages = languages_of(Dialect::of_path(path).as_ref(), path);
    finder.run(document);
    let followed = finder.followed;
    finder.wholes.retain(|span| !followed.contains(span));
    finder.wholes.sort_by_key(|span| (span.start, span.end));
    finder.wholes.dedup();
    finder.wholes
}

struct Finder<'a> {
    symbol: &'a Symbol,
    /// The names before the key of an instance.
    instances: &'a [String],
    out: Vec<InstanceUse>,
    /// The languages whose attributes with addresses, such as `depends_on`, are left out.
    languages: Vec<Arc<Dialect>>,
    /// Whether to look for expressions that are the instances.
    finds_wholes: bool,
    wholes: Vec<Span>,
    /// Those of them of which only attributes are used.
    followed: HashSet<Span>,
}

impl Visitor for Finder<'_> {
    type Error = Infallible;

    fn attribute(&mut self, attribute: &Attribute) -> Result<Descend, Infallible> {
        Ok(if self.has_addresses(&attribute.name) { Descend::Skip } else { Descend::Inside })
    }

    fn expression(&mut self, expression: &Expression) -> Result<Descend, Infallible> {
        let Some(node) = expression.ast() else { return Ok(Descend::Inside) };
        if self.finds_wholes {
            self.whole(node);
        }
        match node.kind() {
            ExpressionKind::GetAttr { object, name: Some(name) }
                if name.text == self.symbol.name() && self.is_one(object) =>
            {
                self.out.push(InstanceUse { span: node.span(), name: name.span });
            }
            ExpressionKind::Splat { source, each, .. } if self.is_all(source) => {
                if let Some(name) = first_name(each).filter(|(text, _)| text == self.symbol.name()) {
                    self.out
                        .push(InstanceUse { span: Span::new(node.span().start, name.1.end), name: name.1 });
                }
            }
            ExpressionKind::For(node) if self.is_all(node.collection()) => {
                let variable = node.value_variable();
                let parts = [node.key(), Some(node.value()), node.condition()];
                for part in parts.into_iter().flatten() {
                    self.steps(&Expression::from_ast(part), &[variable.text]);
                }
            }
            _ => {}
        }
        Ok(Descend::Inside)
    }
}

impl<'a> Finder<'a> {
    fn new(symbol: &'a Symbol, instances: &'a [String]) -> Self {
        let (out, wholes, followed) = (Vec::new(), Vec::new(), HashSet::new());
        Self { symbol, instances, out, languages: Vec::new(), finds_wholes: false, wholes, followed }
    }

    fn run(&mut self, document: &Document) {
        if let Some(json) = document.json() {
            return self.json(json);
        }
        let Ok(()) = Body::from_ast(document.body()).visit(self);
        self.repeated(document.body());
    }

    /// Whether the values of an attribute are addresses, and whether these are left out.
    fn has_addresses(&self, attribute: &str) -> bool {
        self.languages.iter().any(|language| language.has_reference_strings(attribute))
    }

    /// Whether the key in brackets is the attribute, or that of a `run`, which has no instances.
    fn is_attribute(&self, node: ExpressionNode<'_>) -> bool {
        let ExpressionKind::Index { key, .. } = node.without_parens().kind() else { return false };
        let is_run = self.instances.first().is_some_and(|root| root == "run");
        is_run || literal(key).is_some_and(|key| key == self.symbol.name())
    }

    /// Adds an expression that is the instances, or one of them, and says which of the expressions in it are followed.
    fn whole(&mut self, node: ExpressionNode<'_>) {
        if self.is_all(node) || self.is_one(node) && !self.is_attribute(node) {
            self.wholes.push(node.without_parens().span());
        }
        let mut follow = |node: ExpressionNode<'_>| _ = self.followed.insert(node.without_parens().span());
        match node.kind() {
            ExpressionKind::GetAttr { object, .. } => follow(object),
            ExpressionKind::Index { collection, .. } | ExpressionKind::LegacyIndex { collection, .. } => {
                follow(collection);
            }
            ExpressionKind::Splat { source, each, .. } if first_name(each).is_some() => follow(source),
            ExpressionKind::For(node) => follow(node.collection()),
            ExpressionKind::Call(call) => {
                let name = call.name();
                if ALL.iter().chain(&ONE).chain(&NONE).any(|known| *known == name) {
                    call.arguments().next().into_iter().for_each(follow);
                }
            }
            _ => {}
        }
    }

    /// Whether an expression is all instances.
    fn is_all(&self, node: ExpressionNode<'_>) -> bool {
        let node = node.without_parens();
        if let ExpressionKind::Call(call) = node.kind() {
            let first = call.arguments().next();
            return ALL.contains(&&*call.name()) && first.is_some_and(|first| self.is_all(first));
        }
        let found = Expression::from_ast(node).static_traversal();
        found.is_ok_and(|found| names(&found).is_some_and(|names| names == *self.instances))
    }

    /// Whether an expression is one instance, other than one with another key than the symbol's.
    fn is_one(&self, node: ExpressionNode<'_>) -> bool {
        match node.without_parens().kind() {
            ExpressionKind::Index { collection, key } => self.is_all(collection) && self.is_key(key),
            ExpressionKind::LegacyIndex { collection, .. } => self.is_all(collection),
            ExpressionKind::Call(call) => {
                let first = call.arguments().next();
                ONE.contains(&&*call.name()) && first.is_some_and(|first| self.is_all(first))
            }
            _ => false,
        }
    }

    fn is_key(&self, key: ExpressionNode<'_>) -> bool {
        let Some(own) = &self.symbol.key else { return true };
        let literal = Expression::from_ast(key).evaluate(&hclkit_model::Context::new());
        literal.map_or(true, |key| key == *own)
    }

    /// Finds `NAME.ATTRIBUTE` for these names at the start.
    fn steps(&mut self, expression: &Expression, start: &[&str]) {
        for found in expression.variables() {
            let rest = found.steps.get(start.len() - 1);
            let name = |target: &Target| match target {
                Target::Attribute(name) => Some(name.clone()),
                Target::Element(_) => None,
            };
            let own = std::iter::once(Some(found.root.clone()))
                .chain(found.steps.iter().map(|it| name(&it.target)));
            let is_own = own.take(start.len()).eq(start.iter().map(|name| Some(Name::from(*name))));
            if is_own && found.steps.len() < start.len() {
                self.wholes.push(found.span());
            }
            let Some(step) = rest.filter(|_| is_own && found.steps.len() >= start.len()) else { continue };
            if name(&step.target).is_some_and(|name| name == *self.symbol.name()) {
                let name = Span::new(step.span.end - self.symbol.name().len() as u32, step.span.end);
                self.out.push(InstanceUse { span: found.root_span.cover(step.span), name });
            }
        }
    }

    /// Finds `each.value.NAME` in blocks that repeat over the instances, and the same in dynamic blocks.
    fn repeated(&mut self, body: BodyNode<'_>) {
        for item in body.items() {
            let Item::Block(block) = item else { continue };
            let over = block.body().attribute("for_each").map(AttributeNode::value);
            if let Some(over) = over.filter(|over| self.is_all(*over)) {
                self.followed.insert(over.without_parens().span());
                self.within(block);
            }
            self.repeated(block.body());
        }
    }

    /// Finds all uses in the strings of a document in the JSON syntax, which are templates.
    fn json(&mut self, document: &JsonDocument) {
        // Each value with the names that lead to it, and the iterators over the instances.
        let mut values: Vec<(JsonValue<'_>, [String; 2], Vec<String>)> = Vec::new();
        values.push((document.root(), Default::default(), Vec::new()));
        while let Some((value, [above, name], mut iterators)) = values.pop() {
            if let Some(text) = value.as_string() {
                self.json_text(text, &iterators);
            }
            let over = value.as_object().and_then(|block| block.get("for_each")?.as_string());
            let over = over.and_then(|over| Expression::parse_template(over.value().into_owned()).ok());
            if over.is_some_and(|over| over.ast().is_some_and(|over| self.is_all(unwrapped(over)))) {
                let named = value.as_object().and_then(|block| block.get("iterator")?.as_string());
                let named = named.map(|named| named.value().into_owned());
                let label = (above == "dynamic").then(|| name.clone());
                iterators.push(named.or(label).unwrap_or_else(|| "each".to_owned()));
                let over = value.as_object().and_then(|block| block.get("for_each"));
                self.followed.extend(over.map(JsonValue::span));
            }
            for element in value.elements() {
                values.push((element, [above.clone(), name.clone()], iterators.clone()));
            }
            let has_addresses = |name: &str| self.has_addresses(name);
            let properties = value.properties().filter(|it| !has_addresses(&it.name().value()));
            for property in properties {
                let names = [name.clone(), property.name().value().into_owned()];
                values.push((property.value(), names, iterators.clone()));
            }
        }
    }

    fn json_text(&mut self, text: JsonText<'_>, iterators: &[String]) {
        let decoded = text.value();
        if !decoded.contains(['$', '%']) {
            return;
        }
        let Ok(template) = Expression::parse_template(decoded.into_owned()) else { return };
        let before = self.out.len();
        let wholes = std::mem::take(&mut self.wholes);
        let followed = std::mem::take(&mut self.followed);
        let Ok(()) = template.visit(self);
        for iterator in iterators {
            self.steps(&template, &[iterator, "value"]);
        }
        let map = text.map();
        for found in &mut self.out[before..] {
            (found.span, found.name) = (map.span(found.span), map.span(found.name));
        }
        let inner = std::mem::replace(&mut self.followed, followed);
        let own = std::mem::replace(&mut self.wholes, wholes);
        if !self.followed.contains(&text.span()) {
            self.wholes
                .extend(own.into_iter().filter(|span| !inner.contains(span)).map(|span| map.span(span)));
        }
    }

    fn within(&mut self, block: BlockNode<'_>) {
        let iterator = iterator(block).unwrap_or_else(|| "each".to_owned());
        let mut all = All::default();
        let Ok(()) = Body::from_ast(block.body()).visit(&mut all);
        for expression in all.0 {
            self.steps(&expression, &[&iterator, "value"]);
        }
    }
}

/// The expression of a template that is nothing else.
fn unwrapped(node: ExpressionNode<'_>) -> ExpressionNode<'_> {
    match node.kind() {
        ExpressionKind::Template(template) => template.as_unwrapped().unwrap_or(node),
        _ => node,
    }
}

/// All expressions that are not part of others.
#[derive(Default)]
struct All(Vec<Expression>);

impl Visitor for All {
    type Error = Infallible;

    fn expression(&mut self, expression: &Expression) -> Result<Descend, Infallible> {
        self.0.push(expression.clone());
        Ok(Descend::Skip)
    }
}

/// The names of a traversal, unless it has keys.
fn names(traversal: &Traversal) -> Option<Vec<String>> {
    let own = traversal.steps.iter().map(|step| match &step.target {
        Target::Attribute(name) => Some(name.to_string()),
        Target::Element(_) => None,
    });
    std::iter::once(Some(traversal.root.to_string())).chain(own).collect()
}

/// The attribute that a splat first selects of each element.
fn first_name(each: ExpressionNode<'_>) -> Option<(String, Span)> {
    let mut node = each;
    loop {
        node = match node.kind() {
            ExpressionKind::GetAttr { object, name }
                if matches!(object.kind(), ExpressionKind::SplatItem) =>
            {
                return name.map(|name| (name.text.to_owned(), name.span));
            }
            ExpressionKind::GetAttr { object, .. } => object,
            ExpressionKind::Index { collection, .. } | ExpressionKind::LegacyIndex { collection, .. } => {
                collection
            }
            ExpressionKind::Splat { source, .. } => source,
            _ => return None,
        };
    }
}

/// The name that a `dynamic` block declares for its content.
pub(crate) fn iterator(block: BlockNode<'_>) -> Option<String> {
    if block.block_type() != "dynamic" {
        return None;
    }
    let named = block.body().attribute("iterator").map(|attribute| attribute.value().text().to_owned());
    named.or_else(|| block.labels().next().map(|label| label.value().into_owned()))
}
