//! Type expressions: types and type constraints written as expressions, such as `list(string)` or
//! `object({ name = string, size = optional(number, 1) })`; and the defaults of such a constraint.

mod defaults;

use std::sync::Arc;

use hclkit_syntax::{Edit, Fix, Source, Span, nearest_name};
use hclkit_value::{Name, Str, Type, Value};

pub use defaults::Defaults;

use crate::messages::in_source;
use crate::messages::{Message, types as messages};
use crate::node::{Base, Call, Item, Kind, Node};
use crate::{Context, Diagnostics, Expression, eval};

/// A type constraint: a type whose parts may be [any](Type::Dynamic) or optional, and defaults for optional parts that
/// are omitted.
///
/// ```
/// use hclkit_model::{Expression, TypeConstraint};
/// use hclkit_value::Value;
///
/// let constraint = TypeConstraint::of(&Expression::parse(r#"object({ name = string, size = optional(number, 1) })"#)?)?;
/// let given = Value::object([("name", Value::from("a"))]);
/// assert_eq!(constraint.convert(&given).unwrap().to_string(), r#"{ name = "a", size = 1 }"#);
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TypeConstraint {
    /// The type, with its optional attributes.
    pub ty: Type,
    /// The defaults, if there are any.
    pub defaults: Option<Defaults>,
}

impl TypeConstraint {
    /// Reads an expression as a type constraint.
    ///
    /// # Errors
    /// The parts of the expression that are not a type.
    pub fn of(expression: &Expression) -> Result<Self, Diagnostics> {
        let mut reader = Reader::new(Some(expression.source()), true);
        let (ty, defaults) = reader.read_whole(expression);
        reader.finish(Self { ty, defaults })
    }

    /// The value of an expression with defaults applied, converted to the type.
    ///
    /// ```
    /// use hclkit_model::{Context, Expression, TypeConstraint};
    ///
    /// let constraint = TypeConstraint::of(&Expression::parse("map(string)")?)?;
    /// let headers = Expression::parse(r#"{ a = "b", c = ["x"] }"#)?;
    /// let error = constraint.evaluate(&headers, &Context::new()).unwrap_err();
    /// assert_eq!(error.to_string(), r#"1:16: error: Invalid value: This value does not have the required type: ["c"]: a string is required."#);
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// The errors of the evaluation, or an error about the element that cannot be converted, at the place that
    /// [`Expression::place_of`] finds.
    pub fn evaluate(&self, expression: &Expression, context: &Context) -> Result<Value, Diagnostics> {
        let value = expression.evaluate(context)?;
        self.convert(&value).map_err(|problem| {
            let (place, whole) = (expression.place_of(&problem.path()), expression.span());
            let is_whole = place.span == whole;
            let diagnostic = messages::type_mismatch(&problem.to_string()).at(place);
            if is_whole { diagnostic.into() } else { diagnostic.with_context(whole).into() }
        })
    }

    /// The value with defaults applied, converted to the type. The path of an error refers to the given value;
    /// [`Expression::place_of`] finds its source.
    ///
    /// # Errors
    /// The value cannot be converted.
    pub fn convert(&self, value: &Value) -> Result<Value, hclkit_value::Error> {
        match &self.defaults {
            Some(defaults) => defaults.apply(value).convert(&self.ty),
            None => value.convert(&self.ty),
        }
    }
}

/// Reads an expression as a type: `any` and optional attributes are not allowed.
///
/// # Errors
/// The parts of the expression that are not a type.
pub fn type_of(expression: &Expression) -> Result<Type, Diagnostics> {
    let mut reader = Reader::new(Some(expression.source()), false);
    let (ty, _) = reader.read_whole(expression);
    reader.finish(ty)
}

/// Reads an expression as a type constraint without defaults: `any` and optional attributes are allowed.
///
/// # Errors
/// The parts of the expression that are not a type.
pub fn constraint_of(expression: &Expression) -> Result<Type, Diagnostics> {
    let mut reader = Reader::new(Some(expression.source()), true);
    reader.defaults = false;
    let (ty, _) = reader.read_whole(expression);
    reader.finish(ty)
}

/// Reads a node as a type constraint.
pub(crate) fn of_node(
    node: &Node,
    source: Option<&Arc<Source>>,
    defaults: bool,
) -> Result<TypeConstraint, Diagnostics> {
    let mut reader = Reader::new(source, true);
    reader.defaults = defaults;
    let (ty, defaults) = reader.read(node);
    reader.finish(TypeConstraint { ty, defaults })
}

const KEYWORDS: [&str; 9] = ["string", "number", "bool", "any", "list", "set", "map", "object", "tuple"];

struct Reader<'s> {
    source: Option<&'s Arc<Source>>,
    diagnostics: Diagnostics,
    /// `any` is allowed.
    constraint: bool,
    /// Optional attributes can have defaults.
    defaults: bool,
}

impl<'s> Reader<'s> {
    fn new(source: Option<&'s Arc<Source>>, constraint: bool) -> Self {
        Reader { source, diagnostics: Diagnostics::new(), constraint, defaults: constraint }
    }

    fn finish<T>(self, result: T) -> Result<T, Diagnostics> {
        if self.diagnostics.has_errors() { Err(self.diagnostics) } else { Ok(result) }
    }

    fn error(&mut self, subject: Span, context: Option<Span>, message: Message) -> (Type, Option<Defaults>) {
        let diagnostic = message.at(subject);
        let diagnostic = match context {
            Some(context) => diagnostic.with_context(context),
            None => diagnostic,
        };
        self.diagnostics.push(in_source(diagnostic, self.source));
        (Type::Dynamic, None)
    }

    /// Reads an expression; in the JSON syntax, a string. An error about its whole text is reported for the string.
    fn read_whole(&mut self, expression: &Expression) -> (Type, Option<Defaults>) {
        let written = expression.written();
        let read = match written.json() {
            Some(value) => self.error(value.span(), None, messages::json_type_required()),
            None => match written.bare_name() {
                Some(name) => self.keyword(written.node(), &name),
                None => self.read(written.node()),
            },
        };
        let (text, whole) = (written.span(), expression.span());
        self.diagnostics.move_span(text, whole);
        read
    }

    fn read(&mut self, node: &Node) -> (Type, Option<Defaults>) {
        if let Some(keyword) = keyword(node).or_else(|| local_name(node)) {
            return self.keyword(node, &keyword);
        }
        match &node.kind {
            Kind::Call(call) => self.constructor(node, call),
            Kind::Constant(value) if value.as_str().is_some_and(is_type) => {
                let text = match value.as_str().unwrap_or_default() {
                    // As the formatter of Terraform writes them.
                    own @ ("list" | "map") => format!("{own}(string)"),
                    own => own.to_owned(),
                };
                let fix = Fix::new("Remove the quotes", [Edit::new(node.span, text)]);
                let error = messages::quoted_type().at(node.span).with_fix(fix);
                self.diagnostics.push(in_source(error, self.source));
                (Type::Dynamic, None)
            }
            _ => self.error(node.span, None, messages::type_required()),
        }
    }

    fn keyword(&mut self, node: &Node, keyword: &str) -> (Type, Option<Defaults>) {
        let ty = match keyword {
            "string" => Type::String,
            "number" => Type::Number,
            "bool" => Type::Bool,
            "any" if self.constraint => Type::Dynamic,
            "any" => return self.error(node.span, None, messages::any_not_allowed()),
            "list" | "set" | "map" | "object" | "tuple" => {
                return self.error(node.span, None, messages::bare_constructor(keyword));
            }
            other => {
                return self.error(node.span, None, messages::invalid_type(other, nearest(other)));
            }
        };
        (ty, None)
    }

    fn constructor(&mut self, node: &Node, call: &Call) -> (Type, Option<Defaults>) {
        let name = call.name.as_str();
        match name {
            "string" | "number" | "bool" | "any" => {
                let message = messages::no_arguments_accepted(name);
                return self.error(call.arguments_span(), Some(node.span), message);
            }
            "optional" => {
                let message = messages::optional_outside_object();
                return self.error(call.name_span, Some(node.span), message);
            }
            _ => {}
        }
        if !matches!(name, "list" | "set" | "map" | "object" | "tuple") {
            return self.error(node.span, None, messages::invalid_constructor(name, nearest(name)));
        }
        let [argument] = &*call.arguments else {
            let extra = call.arguments.get(1).zip(call.arguments.last());
            let subject =
                extra.map_or_else(|| call.arguments_span(), |(first, last)| first.span.cover(last.span));
            return self.error(subject, Some(node.span), messages::one_argument_required(name));
        };
        match name {
            "list" => self.collection(argument, Type::list),
            "set" => self.collection(argument, Type::set),
            "map" => self.collection(argument, Type::map),
            "object" => self.object(argument),
            _ => self.tuple(argument),
        }
    }

    fn collection(&mut self, argument: &Node, make: fn(Type) -> Type) -> (Type, Option<Defaults>) {
        let (element, inner) = self.read(argument);
        let ty = make(element);
        let defaults = inner.map(|inner| Defaults::of_elements(ty.clone(), inner));
        (ty, defaults)
    }

    fn tuple(&mut self, argument: &Node) -> (Type, Option<Defaults>) {
        let Kind::Tuple(elements) = argument.structure() else {
            return self.error(argument.span, None, messages::brackets_required());
        };
        let mut types = Vec::with_capacity(elements.len());
        let mut children = Vec::new();
        for (at, element) in elements.iter().enumerate() {
            let (ty, inner) = self.read(element);
            types.push(ty);
            children.extend(inner.map(|inner| (Str::from(at.to_string()), inner)));
        }
        let ty = Type::tuple(types);
        let defaults = Defaults::of_parts(ty.clone(), [], children);
        (ty, defaults)
    }

    fn object(&mut self, argument: &Node) -> (Type, Option<Defaults>) {
        let Kind::Object(written) = argument.structure() else {
            return self.error(argument.span, None, messages::braces_required());
        };
        let (mut attributes, mut optional) = (Vec::new(), Vec::new());
        let (mut values, mut children) = (Vec::new(), Vec::new());
        for item in &written.items {
            let Some(name) = attribute_name(item) else {
                self.error(item.key.span, Some(argument.span), messages::attribute_name_required());
                continue;
            };
            if attributes.iter().any(|(known, _)| *known == name) {
                let message = messages::duplicate_attribute_type(&name);
                self.error(item.key.span, Some(argument.span), message);
                continue;
            }
            let attribute = self.attribute(item);
            if attribute.optional {
                optional.push(name.clone());
            }
            values.extend(attribute.default.map(|value| (name.clone(), value)));
            children.extend(attribute.children.map(|inner| (name.clone(), inner)));
            attributes.push((name, attribute.ty));
        }
        let ty = Type::object_with_optional(attributes, optional);
        let defaults = Defaults::of_parts(ty.clone(), values, children);
        (ty, defaults)
    }

    fn attribute(&mut self, item: &Item) -> Attribute {
        let call = match &item.value.kind {
            Kind::Call(call) if call.name.as_str() == "optional" => call,
            _ => {
                let (ty, children) = self.read(&item.value);
                return Attribute { ty, optional: false, default: None, children };
            }
        };
        let context = Some(item.value.span);
        if !self.constraint {
            self.error(call.name_span, context, messages::optional_in_exact_type());
        }
        let Some(written) = call.arguments.first() else {
            let message = messages::optional_without_type();
            let (ty, _) = self.error(call.arguments_span(), context, message);
            return Attribute { ty, optional: true, default: None, children: None };
        };
        let (ty, children) = self.read(written);
        let mut default = None;
        match &*call.arguments {
            [_] => {}
            [_, _, ..] if self.constraint && !self.defaults => {
                self.error(call.arguments_span(), context, messages::no_default_accepted());
            }
            [_, value] => default = self.default_value(value, &ty, children.as_ref()),
            [_, _, rest @ ..] => {
                let subject = rest.iter().fold(rest[0].span, |span, node| span.cover(node.span));
                self.error(subject, context, messages::too_many_optional_arguments());
            }
            [] => {}
        }
        Attribute { ty, optional: true, default, children }
    }

    fn default_value(&mut self, node: &Node, ty: &Type, children: Option<&Defaults>) -> Option<Value> {
        let mut found = Diagnostics::new();
        let value = eval::evaluate(node, &Context::new(), self.source, &mut found);
        if found.has_errors() {
            self.diagnostics.append(found);
            return None;
        }
        let value = children.map_or_else(|| value.clone(), |children| children.apply(&value));
        match value.convert(ty) {
            Ok(value) => Some(value),
            Err(error) => {
                let message = messages::incompatible_default(&error.to_string());
                let (part, depth) = node.part(error.path().steps());
                self.error(part.span, (depth > 0).then_some(node.span), message);
                None
            }
        }
    }
}

struct Attribute {
    ty: Type,
    optional: bool,
    default: Option<Value>,
    children: Option<Defaults>,
}

impl Call {
    /// The span of the arguments with their parentheses.
    pub(crate) fn arguments_span(&self) -> Span {
        self.open_span.cover(self.close_span)
    }
}

/// The name, if the expression is only a name.
pub(crate) fn keyword(node: &Node) -> Option<Name> {
    match &node.kind {
        Kind::Access(access) if access.steps.is_empty() => match &access.base {
            Base::Variable(name) => Some(name.clone()),
            _ => None,
        },
        Kind::Constant(value) if value.is_null() => Some(Name::from("null")),
        Kind::Constant(value) => value.as_bool().map(|flag| Name::from(if flag { "true" } else { "false" })),
        _ => None,
    }
}

/// Whether a text is a type.
fn is_type(text: &str) -> bool {
    ["list", "map"].contains(&text)
        || Expression::parse(text).is_ok_and(|own| TypeConstraint::of(&own).is_ok())
}

/// The name of a variable of a `for` expression, if the expression is only that. A type is not evaluated, so its names mean what they
/// mean elsewhere.
fn local_name(node: &Node) -> Option<Name> {
    match &node.kind {
        Kind::Access(access) if access.steps.is_empty() => match &access.base {
            Base::Local { name, .. } => Some(name.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The name of an attribute, which is written without quotes.
fn attribute_name(item: &Item) -> Option<Str> {
    let name = item.key.constant().filter(|_| item.bare);
    name.and_then(Value::as_str).map(Str::from)
}

fn nearest(name: &str) -> Option<&'static str> {
    nearest_name(name, KEYWORDS)
}
