//! Conditions of validations as keywords of JSON Schema. A keyword may refuse only what the condition refuses, so that most
//! conditions become comments.

use hclkit_model::{Context, Expression, Withheld};
use hclkit_module::InputSummary;
use hclkit_syntax::ast::{BinaryOperator, ExpressionKind, ExpressionNode};
use hclkit_value::{Type, Value};
use serde_json::{Map, Value as Json, json};

use super::TEMPLATE;
use crate::decode::PlainJson;
use crate::schema::json::is_portable;

/// Adds the keywords of the validations of a variable.
pub(super) fn add(input: &InputSummary, ty: &Type, schema: &mut Map<String, Json>) {
    let mut comments = Vec::new();
    let mut all = Vec::new();
    for (condition, message) in &input.validations {
        let own = Subject { name: &input.name, ty };
        let found = condition.ast().map(|node| own.conjunction(node)).unwrap_or_default();
        if !found.is_whole {
            let text =
                Withheld::of_expression(condition).text(condition.source(), condition.span()).into_owned();
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            comments.push(match message {
                Some(message) => format!("{text}: {message}"),
                None => text,
            });
        }
        all.extend(found.keywords);
    }
    // The first condition with a keyword is beside the type, as far as keywords do not meet.
    let mut more = Vec::new();
    for keywords in all {
        let Json::Object(keywords) = keywords else { continue };
        if keywords.keys().any(|name| schema.contains_key(name)) {
            more.push(Json::Object(keywords));
        } else {
            schema.extend(keywords);
        }
    }
    if !more.is_empty() {
        schema.insert("allOf".to_owned(), Json::Array(more));
    }
    if !comments.is_empty() {
        schema.insert("$comment".to_owned(), json!(comments.join("\n")));
    }
}

/// What a condition says.
#[derive(Default)]
struct Found {
    keywords: Vec<Json>,
    /// Whether the keywords say all of it.
    is_whole: bool,
}

impl Found {
    fn one(keywords: Json) -> Self {
        Self { keywords: vec![keywords], is_whole: true }
    }
}

/// The variable that conditions are about.
struct Subject<'s> {
    name: &'s str,
    ty: &'s Type,
}

impl Subject<'_> {
    fn conjunction(&self, node: ExpressionNode<'_>) -> Found {
        match node.without_parens().kind() {
            ExpressionKind::Binary { operator: BinaryOperator::And, left, right } => {
                let (mut left, right) =
                    hclkit_limits::with_room(|| (self.conjunction(left), self.conjunction(right)));
                left.keywords.extend(right.keywords);
                Found { is_whole: left.is_whole && right.is_whole, ..left }
            }
            ExpressionKind::Binary { operator: BinaryOperator::Or, left, right } => {
                if self.is_null_test(left) {
                    return hclkit_limits::with_room(|| self.conjunction(right));
                }
                let equal = self.equal_values(node);
                equal.map(|values| self.one_of(&values)).unwrap_or_default()
            }
            ExpressionKind::Conditional { condition, result, other } if self.is_null_test(condition) => {
                match result.without_parens().kind() {
                    ExpressionKind::Bool(true) => hclkit_limits::with_room(|| self.conjunction(other)),
                    _ => Found::default(),
                }
            }
            ExpressionKind::Binary { operator, left, right } => self.comparison(operator, left, right),
            ExpressionKind::Call(_) => self.call(node.without_parens()),
            _ => Found::default(),
        }
    }

    /// Whether it is `var.name == null`, which null meets: keywords never refuse null.
    fn is_null_test(&self, node: ExpressionNode<'_>) -> bool {
        let ExpressionKind::Binary { operator: BinaryOperator::Equal, left, right } =
            node.without_parens().kind()
        else {
            return false;
        };
        let is_null = |node: ExpressionNode<'_>| matches!(node.without_parens().kind(), ExpressionKind::Null);
        self.is_variable(left) && is_null(right) || self.is_variable(right) && is_null(left)
    }

    fn is_variable(&self, node: ExpressionNode<'_>) -> bool {
        let ExpressionKind::GetAttr { object, name } = node.without_parens().kind() else { return false };
        let is_root = matches!(object.kind(), ExpressionKind::Variable(root) if root.text == "var");
        is_root && name.is_some_and(|name| name.text == self.name)
    }

    /// The values of `var.name == "a" || var.name == "b"`.
    fn equal_values(&self, node: ExpressionNode<'_>) -> Option<Vec<Value>> {
        match node.without_parens().kind() {
            ExpressionKind::Binary { operator: BinaryOperator::Or, left, right } => {
                let mut all = hclkit_limits::with_room(|| self.equal_values(left))?;
                all.extend(hclkit_limits::with_room(|| self.equal_values(right))?);
                Some(all)
            }
            ExpressionKind::Binary { operator: BinaryOperator::Equal, left, right } => {
                let other = if self.is_variable(left) { right } else { left };
                (self.is_variable(left) || self.is_variable(right))
                    .then(|| literal(other))
                    .flatten()
                    .map(|own| vec![own])
            }
            _ => None,
        }
    }

    /// One of some values, or what converts to one.
    fn one_of(&self, values: &[Value]) -> Found {
        let mut all = vec![Json::Null];
        for value in values {
            // Text that converts to the same number, or numbers to the same text, are not listed.
            let is_plain = match self.ty {
                Type::String => value.as_str().is_some(),
                Type::Number => value.as_number().is_some(),
                _ => false,
            };
            let Some(json) = serde_json::to_value(PlainJson::new(value)).ok().filter(|_| is_plain) else {
                return Found::default();
            };
            all.insert(all.len() - 1, json);
        }
        let others = match self.ty {
            // A number or a bool is text, too, if one of the values looks like one.
            Type::String => {
                let converts =
                    |own: &Value| own.convert(&Type::Number).is_ok() || own.convert(&Type::Bool).is_ok();
                let kinds =
                    if values.iter().any(converts) { json!(["number", "boolean"]) } else { json!([]) };
                vec![json!({ "type": "string", "pattern": TEMPLATE }), json!({ "type": kinds })]
            }
            _ => vec![json!({ "type": "string" })],
        };
        let others = others.into_iter().filter(|own| own["type"] != json!([]));
        let either: Vec<Json> = std::iter::once(json!({ "enum": all })).chain(others).collect();
        Found::one(json!({ "anyOf": either }))
    }

    fn call(&self, node: ExpressionNode<'_>) -> Found {
        let ExpressionKind::Call(call) = node.kind() else { return Found::default() };
        let arguments: Vec<ExpressionNode<'_>> = call.arguments().collect();
        let pattern = |pattern: String| {
            if *self.ty != Type::String || !is_portable(&pattern) {
                return Found::default();
            }
            // A number or a bool is not checked as text.
            Found::one(json!({ "anyOf": [{ "pattern": pattern }, { "pattern": TEMPLATE }] }))
        };
        match (&*call.name(), &arguments[..]) {
            ("contains", [list, subject]) if self.is_variable(*subject) => {
                let values = literal(*list);
                let values = values.as_ref().and_then(Value::as_slice);
                values.map(|values| self.one_of(values)).unwrap_or_default()
            }
            ("can", [inner]) => match inner.without_parens().kind() {
                ExpressionKind::Call(call) if call.name() == "regex" => {
                    match &call.arguments().collect::<Vec<_>>()[..] {
                        [text, subject] if self.is_variable(*subject) => {
                            let text = literal(*text).and_then(|own| own.as_str().map(str::to_owned));
                            text.map(pattern).unwrap_or_default()
                        }
                        _ => Found::default(),
                    }
                }
                _ => Found::default(),
            },
            (name @ ("startswith" | "endswith"), [subject, part]) if self.is_variable(*subject) => {
                let Some(part) = literal(*part).and_then(|own| own.as_str().map(escaped)) else {
                    return Found::default();
                };
                pattern(if name == "startswith" { format!("^{part}") } else { format!("{part}$") })
            }
            _ => Found::default(),
        }
    }

    fn comparison(
        &self,
        operator: BinaryOperator,
        left: ExpressionNode<'_>,
        right: ExpressionNode<'_>,
    ) -> Found {
        use BinaryOperator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        let flipped = match operator {
            Less => Greater,
            LessOrEqual => GreaterOrEqual,
            Greater => Less,
            GreaterOrEqual => LessOrEqual,
            other => other,
        };
        let (subject, operator, other) =
            if literal(left).is_some() { (right, flipped, left) } else { (left, operator, right) };
        let Some(value) = literal(other) else { return Found::default() };
        if self.is_variable(subject) {
            if operator == Equal {
                return self.one_of(&[value]);
            }
            if operator == NotEqual && *self.ty == Type::String && value.as_str() == Some("") {
                return Found::one(json!({ "minLength": 1 }));
            }
            let Some(number) = value.as_number().filter(|_| *self.ty == Type::Number) else {
                return Found::default();
            };
            let Ok(number) = serde_json::from_str::<Json>(&number.to_string()) else {
                return Found::default();
            };
            // Numbers in strings are not compared.
            return match operator {
                Less => Found::one(json!({ "exclusiveMaximum": number })),
                LessOrEqual => Found::one(json!({ "maximum": number })),
                Greater => Found::one(json!({ "exclusiveMinimum": number })),
                GreaterOrEqual => Found::one(json!({ "minimum": number })),
                _ => Found::default(),
            };
        }
        let is_length = match subject.without_parens().kind() {
            ExpressionKind::Call(call) if call.name() == "length" => {
                matches!(&call.arguments().collect::<Vec<_>>()[..], [own] if self.is_variable(*own))
            }
            _ => false,
        };
        let count = value.as_number().and_then(|number| number.to_string().parse::<u32>().ok());
        let Some(count) = count.filter(|_| is_length) else { return Found::default() };
        // The least and the most that the condition allows.
        let (min, max) = match operator {
            Less => (None, Some(count.saturating_sub(1))),
            LessOrEqual => (None, Some(count)),
            Greater => (Some(count + 1), None),
            GreaterOrEqual => (Some(count), None),
            Equal => (Some(count), Some(count)),
            NotEqual if count == 0 => (Some(1), None),
            _ => return Found::default(),
        };
        // Characters are counted as people see them, of which there are never more than JSON Schema counts. Equal elements of
        // a set count once.
        let (min_name, max_name) = match self.ty {
            Type::String => ("minLength", None),
            Type::List(_) => ("minItems", Some("maxItems")),
            Type::Set(_) => ("minItems", None),
            Type::Map(_) => ("minProperties", Some("maxProperties")),
            _ => return Found::default(),
        };
        let mut keywords = Map::new();
        keywords.extend(min.map(|min| (min_name.to_owned(), json!(min))));
        keywords.extend(max.zip(max_name).map(|(max, name)| (name.to_owned(), json!(max))));
        Found { is_whole: max.is_none() || max_name.is_some(), keywords: vec![Json::Object(keywords)] }
    }
}

/// The value of an expression without names and functions.
fn literal(node: ExpressionNode<'_>) -> Option<Value> {
    let value = Expression::from_ast(node).evaluate(&Context::new()).ok()?;
    (value.is_wholly_known() && !value.contains_marked()).then_some(value)
}

/// Text in a regular expression.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for next in text.chars() {
        if !next.is_alphanumeric() && next.is_ascii() {
            out.push('\\');
        }
        out.push(next);
    }
    out
}
