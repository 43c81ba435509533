//! Expression trees as the suite writes them.

use hclkit_syntax::ast::{
    ExpressionKind as E, ExpressionNode, ForNode, ObjectItemNode, ObjectKey, Part, Parts, TemplateKind,
    TemplateNode,
};
use hclkit_value::Number;
use serde_json::{Map, Value as Json, json};
use unicode_normalization::UnicodeNormalization;

use super::value::number_text;

/// A node of a kind. Fields are moved, because the macro for JSON would copy them again at every level.
fn node<const N: usize>(kind: &str, fields: [(&str, Json); N]) -> Json {
    let fields = fields.into_iter().map(|(name, json)| (name.to_owned(), json));
    let kind = ("kind".to_owned(), kind.into());
    Json::Object(std::iter::once(kind).chain(fields).collect::<Map<_, _>>())
}

fn literal(value: Json) -> Json {
    node("literal", [("value", value)])
}

fn text(text: &str) -> Json {
    literal(json!({ "string": text.nfc().collect::<String>() }))
}

fn number(written: &str) -> Json {
    let number = written.parse::<Number>();
    let decimal = number.map_or_else(|_| written.to_owned(), |number| number_text(&number));
    literal(json!({ "number": decimal }))
}

pub(super) fn expression(of: ExpressionNode) -> Json {
    match of.kind() {
        E::Missing => literal(json!({ "unknown": "dynamic" })),
        E::Number(written) => number(written),
        E::Bool(flag) => literal(json!({ "bool": flag })),
        E::Null => literal(json!({ "null": "dynamic" })),
        E::Template(template) => of_template(template),
        E::Variable(name) => node("variable", [("name", name.text.into())]),
        E::GetAttr { object, name } => {
            let name = name.map_or("", |name| name.text);
            node("get_attr", [("object", expression(object)), ("name", name.into())])
        }
        E::Index { collection, key } => {
            node("index", [("collection", expression(collection)), ("key", expression(key))])
        }
        E::LegacyIndex { collection, key } => {
            node("index", [("collection", expression(collection)), ("key", number(key.text))])
        }
        E::Splat { source, each, .. } => {
            node("splat", [("source", expression(source)), ("each", expression(each))])
        }
        E::SplatItem => node("splat_item", []),
        E::Call(call) => {
            let arguments: Vec<Json> = call.arguments().map(expression).collect();
            let fields = [
                ("name", call.name().into()),
                ("args", arguments.into()),
                ("expand_final", call.expands_last().into()),
            ];
            node("call", fields)
        }
        E::Tuple => node("tuple", [("elements", of.elements().map(expression).collect::<Vec<_>>().into())]),
        E::Object => node("object", [("items", of.items().map(item).collect::<Vec<_>>().into())]),
        E::For(each) => of_for(each),
        E::Conditional { condition, result, other } => {
            let fields = [
                ("condition", expression(condition)),
                ("true_result", expression(result)),
                ("false_result", expression(other)),
            ];
            node("conditional", fields)
        }
        E::Binary { operator, left, right } => {
            let fields = [
                ("operator", operator.as_str().into()),
                ("left", expression(left)),
                ("right", expression(right)),
            ];
            node("binary", fields)
        }
        E::Unary { operator, operand } => {
            node("unary", [("operator", operator.as_str().into()), ("operand", expression(operand))])
        }
        E::Parens(inner) => expression(inner),
    }
}

fn item(item: ObjectItemNode) -> Json {
    let key = match item.key() {
        ObjectKey::Name(name) => text(name.text),
        ObjectKey::Expression(key) => expression(key),
    };
    let fields = [("key".to_owned(), key), ("value".to_owned(), expression(item.value()))];
    Json::Object(fields.into_iter().collect())
}

fn of_for(each: ForNode) -> Json {
    let key = each.key();
    let fields = [
        ("result", if key.is_some() { "object" } else { "tuple" }.into()),
        ("key_var", each.key_variable().map_or(Json::Null, |name| name.text.into())),
        ("value_var", each.value_variable().text.into()),
        ("collection", expression(each.collection())),
        ("key", key.map_or(Json::Null, expression)),
        ("value", expression(each.value())),
        ("condition", each.condition().map_or(Json::Null, expression)),
        ("grouping", each.groups().into()),
    ];
    node("for", fields)
}

fn of_template(template: TemplateNode) -> Json {
    // The quotes are empty.
    if matches!(template.template_kind(), TemplateKind::Quoted) && template.span().len() == 2 {
        return node("template", [("parts", Json::Array(Vec::new()))]);
    }
    node("template", [("parts", parts(template.parts()))])
}

/// Adjacent literals are joined. Literals that are empty in the source are omitted.
fn parts(of: Parts) -> Json {
    let mut list: Vec<Json> = Vec::new();
    let mut open: Option<String> = None;
    for part in of {
        if let Part::Text(text) = part {
            if !text.span().is_empty() {
                open.get_or_insert_default().push_str(&text.value());
            }
            continue;
        }
        list.extend(open.take().map(|whole| text(&whole)));
        list.push(match part {
            Part::Text(_) => continue,
            Part::Interpolation(inner) => node("interpolation", [("expr", expression(inner))]),
            Part::If(directive) => {
                let fields = [
                    ("condition", expression(directive.condition())),
                    ("then", parts(directive.then_parts())),
                    ("else", parts(directive.else_parts())),
                ];
                node("template_if", fields)
            }
            Part::For(directive) => {
                let fields = [
                    ("key_var", directive.key_variable().map_or(Json::Null, |name| name.text.into())),
                    ("value_var", directive.value_variable().text.into()),
                    ("collection", expression(directive.collection())),
                    ("body", parts(directive.parts())),
                ];
                node("template_for", fields)
            }
        });
    }
    list.extend(open.map(|whole| text(&whole)));
    list.into()
}
