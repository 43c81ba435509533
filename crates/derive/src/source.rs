//! `value!`, `expr!` and `body!`: the Rust expressions that create what the HCL in a macro means.

use std::cell::Cell;

use hclkit_syntax::ast::{BodyNode, ExpressionKind, ExpressionNode, Item, ObjectKey, UnaryOperator};
use hclkit_syntax::{Document, NodeKind, Root, Span, Visit, parse, parse_expression};
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};

use crate::quoted::{Failure, Quoted};

/// What a macro creates.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Value,
    Expression,
    Body,
}

/// Expands a macro. The first token is the path of `hclkit` in brackets, which the macros of that crate add.
pub(crate) fn expand(kind: Kind, tokens: proc_macro::TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter();
    let path = tokens.next();
    let Some(proc_macro::TokenTree::Group(path)) = path else {
        return quote!(::core::compile_error!("use the macro of `hclkit`"));
    };
    let hclkit = TokenStream::from(path.stream());
    let expanded = Quoted::read(tokens.collect(), matches!(kind, Kind::Body))
        .map_err(|failure| vec![failure])
        .and_then(|quoted| Expansion::new(hclkit, &quoted).expand(kind));
    expanded.unwrap_or_else(|failures| {
        let errors = failures.into_iter().map(|(span, text)| {
            let span = proc_macro2::Span::from(span);
            quote_spanned!(span=> ::core::compile_error!(#text);)
        });
        quote!({ #(#errors)* })
    })
}

/// The error for a Rust value that is, for example, the name of a function.
const MISPLACED: &str =
    "a Rust value can only be an expression, a key, a label, the name of an attribute, or a name in a body";

/// A name in an expression.
struct PlaceholderName<'d> {
    text: &'d str,
    span: Span,
    /// Whether it is the name of an attribute, as in `a.name`.
    is_attribute: bool,
}

impl<'d> PlaceholderName<'d> {
    fn of(node: ExpressionNode<'d>) -> Self {
        Self { text: node.text(), span: node.span(), is_attribute: false }
    }
}

struct Expansion<'q> {
    hclkit: TokenStream,
    quoted: &'q Quoted,
    /// Which Rust values are in the result.
    used: Vec<Cell<bool>>,
}

impl<'q> Expansion<'q> {
    fn new(hclkit: TokenStream, quoted: &'q Quoted) -> Self {
        Self { hclkit, quoted, used: quoted.values.iter().map(|_| Cell::new(false)).collect() }
    }

    fn expand(&self, kind: Kind) -> Result<TokenStream, Vec<Failure>> {
        let text = self.quoted.text.clone();
        let document = if matches!(kind, Kind::Body) { parse(text) } else { parse_expression(text) };
        let errors = self.quoted.errors(&document);
        if !errors.is_empty() {
            return Err(errors);
        }
        let expanded = self.expand_in(kind, &document).map_err(|failure| vec![failure])?;
        let unused = self.used.iter().zip(&self.quoted.values).filter(|(used, _)| !used.get());
        let unused: Vec<Failure> = unused.map(|(_, value)| (value.span, MISPLACED.to_owned())).collect();
        if unused.is_empty() { Ok(expanded) } else { Err(unused) }
    }

    fn expand_in(&self, kind: Kind, document: &Document) -> Result<TokenStream, Failure> {
        match (kind, document.root()) {
            (Kind::Value, Root::Expression(root)) => self.value(root),
            (Kind::Expression, Root::Expression(root)) => Ok(self.expression(root)),
            (_, _) => Ok(self.body(document.body())),
        }
    }

    /// The Rust expression with this placeholder.
    fn rust(&self, name: &str) -> Option<TokenStream> {
        let index = self.quoted.value_at(name)?;
        self.used[index].set(true);
        Some(self.quoted.values[index].expression.clone())
    }

    /// The Rust expression, if the name is a placeholder, or the name as a string.
    fn name(&self, name: &str) -> TokenStream {
        self.rust(name).map_or_else(
            || quote!(::std::string::String::from(#name)),
            |rust| quote!(::std::format!("{}", #rust)),
        )
    }

    fn value(&self, node: ExpressionNode<'_>) -> Result<TokenStream, Failure> {
        let Self { hclkit, .. } = self;
        let value = quote!(#hclkit::Value);
        Ok(match node.kind() {
            ExpressionKind::Null => quote!(#value::NULL),
            ExpressionKind::Bool(flag) => quote!(#value::from(#flag)),
            ExpressionKind::Number(text) => self.number(text, node)?,
            ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => match operand.kind() {
                ExpressionKind::Number(text) => self.number(&format!("-{text}"), node)?,
                _ => return Err(self.no_literal(node)),
            },
            ExpressionKind::Template(template) => {
                let text = template.as_literal().ok_or_else(|| self.no_literal(node))?;
                quote!(#value::from(#text))
            }
            ExpressionKind::Variable(name) => {
                let rust = self.rust(name.text).ok_or_else(|| self.no_literal(node))?;
                quote!(#value::from(#rust))
            }
            ExpressionKind::Parens(inner) => self.value(inner)?,
            ExpressionKind::Tuple => {
                let elements = node.elements().map(|element| self.value(element));
                let elements = elements.collect::<Result<Vec<_>, _>>()?;
                quote!(#value::tuple::<#value>([#(#elements),*]))
            }
            ExpressionKind::Object => {
                let items = node.items().map(|item| {
                    let key = match item.key() {
                        ObjectKey::Name(name) => self.name(name.text),
                        ObjectKey::Expression(key) => match key.without_parens().kind() {
                            ExpressionKind::Template(template) => {
                                let text = template.as_literal().ok_or_else(|| self.no_literal(key))?;
                                quote!(::std::string::String::from(#text))
                            }
                            ExpressionKind::Number(text) => quote!(::std::string::String::from(#text)),
                            ExpressionKind::Variable(name) => {
                                self.rust(name.text).ok_or_else(|| self.no_literal(key))?;
                                self.name(name.text)
                            }
                            _ => return Err(self.no_literal(key)),
                        },
                    };
                    let item = self.value(item.value())?;
                    Ok(quote!((#key, #item)))
                });
                let items = items.collect::<Result<Vec<_>, _>>()?;
                quote!(#value::object::<::std::string::String, #value>([#(#items),*]))
            }
            _ => return Err(self.no_literal(node)),
        })
    }

    fn number(&self, text: &str, node: ExpressionNode<'_>) -> Result<TokenStream, Failure> {
        let Self { hclkit, .. } = self;
        if let Ok(number) = text.parse::<i64>() {
            let number = Literal::i64_suffixed(number);
            return Ok(quote!(#hclkit::Value::from(#number)));
        }
        let exponent = text.split(['e', 'E']).nth(1).unwrap_or_default();
        if exponent.trim_start_matches(['+', '-']).len() > 4 {
            return Err((self.quoted.span(node.span()), "the exponent has more than four digits".to_owned()));
        }
        Ok(quote!(#hclkit::__private::number(#text)))
    }

    fn no_literal(&self, node: ExpressionNode<'_>) -> Failure {
        let text =
            "a value consists of literals and of Rust values such as `#name`; `expr!` accepts any expression";
        (self.quoted.span(node.span()), text.to_owned())
    }

    /// A `NewValue`.
    fn expression(&self, node: ExpressionNode<'_>) -> TokenStream {
        let Self { hclkit, .. } = self;
        let new_value = quote!(#hclkit::write::NewValue);
        let names = self.names_in(node);
        if names.is_empty() {
            let text = node.text();
            return quote!(#hclkit::write::raw(#text));
        }
        match node.kind() {
            ExpressionKind::Variable(name) => {
                let rust = self.rust(name.text);
                quote!(#new_value::from(#rust))
            }
            ExpressionKind::Tuple => {
                let elements = node.elements().map(|element| self.expression(element));
                quote!(#new_value::tuple::<#new_value>([#(#elements),*]))
            }
            ExpressionKind::Object => {
                let items = node.items().map(|item| {
                    let key = match item.key() {
                        ObjectKey::Name(name) => {
                            let name = self.name(name.text);
                            quote!(#new_value::from(#name))
                        }
                        ObjectKey::Expression(key) => self.expression(key.without_parens()),
                    };
                    let item = self.expression(item.value());
                    quote!((#key, #item))
                });
                quote!(#new_value::object::<#new_value, #new_value>([#(#items),*]))
            }
            _ => {
                let (mut texts, mut values, mut end) = (Vec::new(), Vec::new(), node.span().start);
                let source = node.document().source();
                for name in names {
                    texts.push(source.slice(Span::new(end, name.span.start)));
                    let rust = self.rust(name.text);
                    values.push(if name.is_attribute {
                        quote!(#hclkit::write::attribute_name(#rust))
                    } else {
                        quote!(#new_value::from(#rust))
                    });
                    end = name.span.end;
                }
                texts.push(source.slice(Span::new(end, node.span().end)));
                quote!(#hclkit::write::splice(&[#(#texts),*], &[#(#values),*]))
            }
        }
    }

    /// The variables, the keys and the names of attributes in an expression that are placeholders, in order.
    fn names_in<'d>(&self, node: ExpressionNode<'d>) -> Vec<PlaceholderName<'d>> {
        let (document, tree) = (node.document(), node.document().tree());
        let (mut names, mut key) = (Vec::new(), None);
        for visit in tree.walk(node.id()) {
            let Visit::Enter(inner) = visit else { continue };
            match tree.kind(inner) {
                NodeKind::ObjectItem => key = tree.children(inner).next(),
                NodeKind::Variable => names.push(PlaceholderName::of(document.expression_at(inner))),
                NodeKind::Name if key == Some(inner) => {
                    names.push(PlaceholderName::of(document.expression_at(inner)));
                }
                NodeKind::GetAttr => {
                    if let ExpressionKind::GetAttr { name: Some(name), .. } =
                        document.expression_at(inner).kind()
                    {
                        names.push(PlaceholderName { text: name.text, span: name.span, is_attribute: true });
                    }
                }
                _ => {}
            }
        }
        names.retain(|name| self.quoted.value_at(name.text).is_some());
        names.sort_by_key(|name| name.span);
        names
    }

    /// A `NewBody`.
    fn body(&self, body: BodyNode<'_>) -> TokenStream {
        let Self { hclkit, .. } = self;
        let mut new = quote!(#hclkit::write::NewBody::new());
        for item in body.items() {
            match item {
                Item::Attribute(attribute) => {
                    let (name, value) = (self.name(attribute.name()), self.expression(attribute.value()));
                    new.extend(quote!(.attribute(#name, #value)));
                }
                Item::Block(block) => {
                    let labels = block.labels().map(|label| {
                        let text = label.value();
                        if label.is_quoted() {
                            quote!(::std::string::String::from(#text))
                        } else {
                            self.name(&text)
                        }
                    });
                    let block_type = self.name(block.block_type());
                    let inner = self.body(block.body());
                    new.extend(quote!(
                        .with_block::<::std::string::String>(#block_type, [#(#labels),*], #inner)
                    ));
                }
            }
        }
        new
    }
}
