//! Partial evaluation: what can be computed is, and the rest stays source text with its references.

use hclkit_syntax::ast::BinaryOperator;
use hclkit_syntax::json::{self, Value as Json, ValueKind};
use hclkit_syntax::{Document, Entry, Root, Source, Span, TokenKind};
use hclkit_value::{Number, Type, Value};

use crate::eval::{Evaluator, Locals};
use crate::evidence::value_after;
use crate::node::{Access, Kind, Node};
use crate::stack::with_room;
use crate::{Context, Diagnostics, Expression, Traversal};

/// What partial evaluation leaves of an expression.
#[derive(Clone, Debug)]
pub enum Partial {
    /// All of it could be computed.
    Value(Value),
    /// Some of it could not.
    Rest(Rest),
}

/// An expression of which something is not known, with all that is known put into it.
#[derive(Clone, Debug)]
pub struct Rest {
    /// The source text in the native syntax: for a template that of a template, else that of an expression.
    pub text: String,
    /// What is known of the value.
    pub value: Value,
    /// The references in it.
    pub references: Vec<Traversal>,
}

impl Expression {
    /// Computes what can be computed, variables and functions that the context does not have being unknown.
    ///
    /// Values with marks are not put into the text, so that what is secret stays so. Nor are lists, sets and maps where
    /// their type counts, since what is written there would be a tuple or an object: in the results of a conditional, and
    /// in what is compared.
    ///
    /// ```
    /// use hclkit_model::{Context, Expression, Partial};
    ///
    /// let name = Expression::parse(r#""${env}-${region}-${upper(zone)}""#)?;
    /// let context = Context::new().with("env", "prod").with("region", "eu");
    /// let Partial::Rest(rest) = name.partial(&context)? else { unreachable!() };
    /// assert_eq!(rest.text, r#""prod-eu-${upper(zone)}""#);
    /// assert_eq!(rest.value.range().prefix(), "prod-eu-");
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong whatever the unknown parts turn out to be.
    pub fn partial(&self, context: &Context) -> Result<Partial, Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        let around = self.context(context);
        let node = self.node_in(&around, &mut diagnostics);
        let value = Evaluator::new(&around, Some(self.source()), &mut diagnostics).lenient().run(node);
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        if value.is_wholly_known() {
            return Ok(Partial::Value(value));
        }
        let (text, template) = match (self.document(), self.json()) {
            (Some(document), _) => {
                let template = matches!(document.root(), Root::Template(_));
                (Residual { document, context: &around }.rebuilt(node), template)
            }
            (None, Some(json)) => (of_json(json, &around), false),
            (None, None) => (self.text().to_owned(), false),
        };
        let references = references_of(&text, template);
        Ok(Partial::Rest(Rest { text, value, references }))
    }
}

fn references_of(text: &str, template: bool) -> Vec<Traversal> {
    // The name that closes a heredoc must be followed by a line break.
    let again =
        if template { Expression::parse_template(text) } else { Expression::parse(format!("{text}\n")) };
    again.map(|expression| expression.variables()).unwrap_or_default()
}

/// What is left of a value in the JSON syntax, in which strings are templates.
fn of_json(value: Json<'_>, context: &Context) -> String {
    with_room(|| match value.kind() {
        ValueKind::Object(object) => {
            let item = |property: json::Property<'_>| {
                format!("{} = {}", of_string(&property.name(), context), of_json(property.value(), context))
            };
            format!("{{ {} }}", object.properties().map(item).collect::<Vec<_>>().join(", "))
        }
        ValueKind::Array(array) => {
            let elements = array.elements().map(|element| of_json(element, context));
            format!("[{}]", elements.collect::<Vec<_>>().join(", "))
        }
        ValueKind::String(text) => of_string(&text, context),
        ValueKind::Number(text) => text.to_owned(),
        ValueKind::Bool(flag) => flag.to_string(),
        _ => "null".to_owned(),
    })
}

fn of_string(text: &json::Text<'_>, context: &Context) -> String {
    let template = text.value();
    match Expression::parse_template(&*template).and_then(|template| template.partial(context)) {
        Ok(Partial::Value(value)) if can_be_written(&value) => value.to_string(),
        Ok(Partial::Rest(rest)) => quoted(&rest.text),
        _ => quoted(&template),
    }
}

/// A template of its own as one in quotes, where a backslash and a line break are written otherwise, and where a strip
/// marker takes all white space next to it instead of that of one line: an empty sequence stops it there.
fn quoted(template: &str) -> String {
    let document = Document::parse(Source::new("", template), Entry::Template);
    let source = document.source();
    let (mut out, mut at) = ("\"".to_owned(), 0);
    for token in document.tokens().iter().filter(|token| token.kind == TokenKind::BareText) {
        out.push_str(source.slice(Span::new(at, token.span.start)));
        at = token.span.end;
        let (mut text, mut end) = (source.slice(token.span), "");
        if source.text()[..token.span.start as usize].ends_with("~}")
            && let Some((line, others)) = text.split_once('\n')
            && line.trim().is_empty()
        {
            out.push_str(r#"${""}"#);
            text = others;
        }
        if source.text()[at as usize..].get(1..).is_some_and(|rest| rest.starts_with("{~"))
            && let Some((others, line)) = text.rsplit_once('\n')
            && line.trim().is_empty()
        {
            (text, end) = (others, r#"\n${""}"#);
        }
        for sign in text.chars() {
            match sign {
                '"' | '\\' => out.extend(['\\', sign]),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                sign => out.push(sign),
            }
        }
        out.push_str(end);
    }
    out.push_str(&source.text()[at as usize..]);
    out.push('"');
    out
}

/// Where a node stands.
#[derive(Clone, Copy)]
struct Place {
    /// Neither in quotes nor in a heredoc, if it is a template.
    bare: bool,
    /// Where the type of what is known counts: in the results of a conditional, which are of one type, and in what is
    /// compared.
    typed: bool,
}

struct Residual<'e> {
    document: &'e Document,
    context: &'e Context,
}

/// A replacement in the source text.
struct Replacement {
    span: Span,
    text: String,
}

impl Residual<'_> {
    /// The text of a node that is not known as a whole, with what is known put into it.
    fn rebuilt(&self, node: &Node) -> String {
        let mut replacements = Vec::new();
        let place = Place { bare: matches!(self.document.root(), Root::Template(_)), typed: false };
        self.replace_parts(node, place, &mut replacements);
        replacements.sort_by_key(|replacement| replacement.span);
        let source = self.document.source();
        let (mut text, mut at) = (String::new(), node.span.start);
        for Replacement { span, text: new } in replacements {
            text.push_str(source.slice(Span::new(at, span.start)));
            text.push_str(&new);
            at = span.end;
        }
        text.push_str(source.slice(Span::new(at, node.span.end)));
        text
    }

    /// What is known in a node.
    fn replace_parts(&self, node: &Node, place: Place, replacements: &mut Vec<Replacement>) {
        if let Kind::Access(access) = &node.kind {
            self.replace_base(access, place, replacements);
        }
        let template = matches!(node.kind, Kind::Template(_));
        let directive = self.is_directive(node);
        node.each_child(&mut |child| {
            if child.constant().is_some() {
                return;
            }
            // The body of a directive is text, in which no value of an expression can stand.
            if directive && matches!(child.kind, Kind::Template(_)) {
                return self.replace_parts(child, place, replacements);
            }
            let typed = match &node.kind {
                Kind::Conditional(conditional) => {
                    !directive && (place.typed || child.span != conditional.condition.span)
                }
                Kind::Operation(operation) => {
                    place.typed || operation.rest.iter().any(|(operator, _)| compares(*operator))
                }
                _ => place.typed && !template,
            };
            let fits = |value: &Value| !self.sets_indentation(child) && (!typed || is_literal(value));
            match self.known(child).filter(fits) {
                Some(value) if template => replacements.push(self.in_template(child, &value, place.bare)),
                Some(value) => replacements.push(Replacement { span: child.span, text: value.to_string() }),
                None => {
                    let place = Place { bare: place.bare && self.is_directive(child), typed };
                    with_room(|| self.replace_parts(child, place, replacements));
                }
            }
        });
    }

    /// Whether a node is written as a directive of a template.
    fn is_directive(&self, node: &Node) -> bool {
        matches!(node.kind, Kind::Join(_) | Kind::Conditional(_))
            && self.document.source().slice(node.span).starts_with("%{")
    }

    /// Whether a node has lines of a heredoc in it, by which the others may be indented.
    fn sets_indentation(&self, node: &Node) -> bool {
        let source = self.document.source();
        self.is_directive(node) && source.text().contains("<<-") && source.slice(node.span).contains('\n')
    }

    /// A variable that is known before a key that is not.
    fn replace_base(&self, access: &Access, place: Place, replacements: &mut Vec<Replacement>) {
        let constant = access.traversal_len();
        if constant == access.steps.len() {
            return;
        }
        let fits = |value: &Value| can_be_written(value) && (!place.typed || is_literal(value));
        if let Some(value) = value_after(self.context, &Locals::default(), access, constant).filter(fits) {
            replacements.push(Replacement { span: access.span_of(constant), text: value.to_string() });
        }
    }

    /// The value of a node, if it is known and may be shown.
    fn known(&self, node: &Node) -> Option<Value> {
        let mut diagnostics = Diagnostics::new();
        let value = Evaluator::new(self.context, None, &mut diagnostics).lenient().run(node);
        (!diagnostics.has_errors() && can_be_written(&value)).then_some(value)
    }

    /// Whether text can stand in a template as it is, without becoming something else and without changing what is
    /// around it.
    fn stands_in_template(&self, text: &str, bare: bool) -> bool {
        let source = self.document.source().text();
        let refused = |sign: char| match sign {
            '$' | '%' => true,
            '"' | '\\' | '\n' | '\t' => !bare,
            sign => sign.is_control(),
        };
        let plain = !text.contains(refused);
        // White space at its ends would go to a strip marker, or count as indentation; if it is empty, what stands
        // before it would.
        let firm = !text.is_empty() && text.trim() == text;
        let sensitive = ["~}", "{~", "<<-"].iter().any(|sign| source.contains(sign));
        // In the line of a heredoc it could make the name that ends that.
        let mut names = source.split("<<").skip(1).filter_map(|rest| rest.lines().next());
        plain && (firm || !sensitive) && (text.is_empty() || !names.any(|name| name.contains(text)))
    }

    /// A known part of a template: its text in the place of the whole sequence where it can stand there.
    fn in_template(&self, part: &Node, value: &Value, bare: bool) -> Replacement {
        let kept = Replacement { span: part.span, text: value.to_string() };
        let Ok(text) = value.convert(&Type::String) else { return kept };
        let text = text.as_str().unwrap_or_default();
        let plain = self.stands_in_template(text, bare);
        if self.is_directive(part) {
            // The marks at its ends go on taking white space.
            let source = self.document.source().slice(part.span);
            let (before, behind) = (source.starts_with("%{~"), source.ends_with("~}"));
            let text = match (before, behind) {
                (false, false) if plain => text.to_owned(),
                (false, false) => format!("${{{value}}}"),
                (true, false) => format!("${{~ {value}}}"),
                (false, true) => format!("${{{value} ~}}"),
                (true, true) => format!("${{~ {value} ~}}"),
            };
            return Replacement { span: part.span, text };
        }
        let tokens = self.document.tokens();
        let first = tokens.at(part.span.start);
        let open = tokens.significant_before(first).map(|at| tokens.get(at));
        let close = tokens.get(tokens.significant_from(tokens.at(part.span.end.saturating_sub(1)) + 1));
        match open {
            Some(open)
                if plain
                    && open.kind == TokenKind::OpenInterpolation
                    && close.kind == TokenKind::CloseSequence =>
            {
                Replacement { span: open.span.cover(close.span), text: text.to_owned() }
            }
            _ => kept,
        }
    }
}

/// Whether an operator looks at the types of its operands.
fn compares(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual)
}

/// Whether the source text of a value has its very type: those of lists, maps, sets and typed nulls have not.
fn is_literal(value: &Value) -> bool {
    use hclkit_value::Kind::{List, Map, Set};
    let mut literal = true;
    value.walk(&mut |_, part| {
        let collection = matches!(part.kind(), List(_) | Set(_) | Map(_));
        literal &= !collection && (!part.is_null() || part.ty() == Type::Dynamic);
        literal
    });
    literal
}

/// Whether a value can stand in source text: all of it is known, nothing is marked, and no number is infinite, for which
/// there is no literal.
fn can_be_written(value: &Value) -> bool {
    let mut finite = true;
    value.walk(&mut |_, part| {
        finite &= !part.as_number().is_some_and(Number::is_infinite);
        finite
    });
    finite && value.is_wholly_known() && !value.contains_marked()
}
