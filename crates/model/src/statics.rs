//! Static analysis: expressions as lists, maps, calls, traversals and keywords, without evaluation. Specification:
//! "Static Analysis".

use std::convert::Infallible;

use hclkit_syntax::ast::{self, ExpressionKind as E, ObjectKey};
use hclkit_syntax::{Code, Span, json};
use hclkit_value::{Name, Str};

use crate::eval::start_span;
use crate::messages::{self, Message};
use crate::traversal::Traversal;
use crate::types::keyword;
use crate::{Descend, Diagnostics, Expression, Visitor};

/// A function call that was not evaluated.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StaticCall {
    /// The name of the function.
    pub name: String,
    /// The span of the name.
    pub name_span: Span,
    /// The arguments.
    pub arguments: Vec<Expression>,
    /// The span of the arguments with their parentheses.
    pub arguments_span: Span,
}

impl Expression {
    /// The elements of an expression written as `[…]`; in the JSON syntax, of an array.
    ///
    /// # Errors
    /// The expression is not written in this form.
    pub fn static_list(&self) -> Result<Vec<Self>, Diagnostics> {
        if let Some(array) = self.json().and_then(json::JsonValue::as_array) {
            return Ok(array.elements().map(|element| self.sibling(element.id())).collect());
        }
        match self.ast() {
            Some(list) if matches!(list.kind(), E::Tuple) => {
                Ok(list.elements().map(|element| self.sibling(element.id())).collect())
            }
            _ => self.refuse(messages::list_required()),
        }
    }

    /// The items of an expression that is written as `{…}`, in the JSON syntax as an object. The value of a key that is
    /// a plain name is that name; such a key can also be read as a traversal or a keyword.
    ///
    /// # Errors
    /// The expression is not written in this form.
    pub fn static_map(&self) -> Result<Vec<(Self, Self)>, Diagnostics> {
        if let Some(object) = self.json().and_then(json::JsonValue::as_object) {
            let pair = |property: json::JsonProperty| {
                (self.sibling(property.name().id()), self.sibling(property.value().id()))
            };
            return Ok(object.properties().map(pair).collect());
        }
        match self.ast() {
            Some(map) if matches!(map.kind(), E::Object) => {
                let pair = |item: ast::ObjectItemNode| {
                    let key = match item.key() {
                        ObjectKey::Name(name) => self.bare_key(item.key_id(), name),
                        ObjectKey::Expression(key) => self.sibling(key.id()),
                    };
                    (key, self.sibling(item.value().id()))
                };
                Ok(map.items().map(pair).collect())
            }
            _ => self.refuse(messages::map_required()),
        }
    }

    /// The function and the arguments of an expression written as a call; in the JSON syntax, in a string.
    ///
    /// # Errors
    /// The expression is not written in this form.
    pub fn static_call(&self) -> Result<StaticCall, Diagnostics> {
        let written = self.written();
        match written.ast().map(ast::ExpressionNode::kind) {
            Some(E::Call(call)) => Ok(StaticCall {
                name: call.name().into_owned(),
                name_span: written.source_span(call.name_span()),
                arguments: call.arguments().map(|argument| written.sibling(argument.id())).collect(),
                arguments_span: written.source_span(Span::new(call.open_span().start, call.span().end)),
            }),
            _ => self.refuse(messages::call_required()),
        }
    }

    /// The calls of functions anywhere in the expression, outer ones first.
    #[doc(hidden)]
    pub fn calls(&self) -> Vec<StaticCall> {
        let mut calls = Calls(Vec::new());
        let Ok(()) = self.visit(&mut calls);
        calls.0
    }

    /// The expression as a traversal; in the JSON syntax, the text of a string.
    ///
    /// # Errors
    /// The expression is not a traversal.
    pub fn static_traversal(&self) -> Result<Traversal, Diagnostics> {
        let written = self.written();
        if let Some(root) = written.bare_name() {
            return Ok(Traversal { root, root_span: written.span(), steps: Vec::new() });
        }
        if written.ast().is_some()
            && let Some(traversal) = Traversal::of_node(written.node())
        {
            return Ok(traversal);
        }
        self.refuse(messages::traversal_required())
    }

    /// The name, if the expression is just a name; in the JSON syntax, in a string.
    pub fn static_keyword(&self) -> Option<Name> {
        let written = self.written();
        written.ast().and_then(|_| written.bare_name().or_else(|| keyword(written.node())))
    }

    /// The name, if the key of an item is [only a name](Expression::bare_key).
    pub(crate) fn bare_name(&self) -> Option<Name> {
        let name = self.node().constant()?.as_str()?;
        (name == &*Str::from(self.text())).then(|| Name::from(self.text()))
    }

    fn refuse<T>(&self, message: Message) -> Result<T, Diagnostics> {
        let whole = *message.code == Code::TraversalRequired;
        let subject = match self.json() {
            Some(value) if whole => value.span(),
            Some(value) => value.start_span(),
            None if whole => self.span(),
            None => start_span(self.node(), Some(self.source())),
        };
        let diagnostic = message.at(subject).with_context(self.span());
        Err(diagnostic.with_source(self.source()).into())
    }
}

struct Calls(Vec<StaticCall>);

impl Visitor for Calls {
    type Error = Infallible;

    fn expression(&mut self, expression: &Expression) -> Result<Descend, Infallible> {
        self.0.extend(expression.static_call());
        Ok(Descend::Inside)
    }
}
