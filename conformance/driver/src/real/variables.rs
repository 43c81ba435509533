//! Plausible values for the variables of a directory, by type and name.

use std::collections::BTreeMap;

use hclkit_syntax::ast::{AttributeNode, BlockNode, ExpressionKind, ExpressionNode, ObjectKey};
use hclkit_syntax::{NodeKind, Visit};
use serde_json::{Map, Value, json};

use super::terraform::Problem;
use super::tree::{Directory, label, literal};

/// Texts that are tried if a validation refuses a value.
const TEXTS: [&str; 9] = [
    "00000000-0000-0000-0000-000000000000",
    "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/example/providers/Microsoft.X/y/example",
    "eastus",
    "1.29",
    "10.0.0.0/16",
    "example.com",
    "projects/example/locations/x",
    "123456789012",
    "ab",
];

/// How often values were refused, by the names of variables.
pub(super) type Refused = BTreeMap<String, usize>;

/// The variables of the root whose values an error is about: the one whose rule it is, or those without a type that it names.
pub(super) fn refused_by<'d>(
    directory: &'d Directory,
    error: &'d Problem,
) -> impl Iterator<Item = String> + 'd {
    let rule = directory.block_at("variable", &error.file, error.line);
    let untyped = directory.blocks("variable").filter(|block| {
        is_untyped(*block)
            && label(*block, 0).is_some_and(|name| error.values.contains(&format!("var.{name}")))
    });
    let untyped = untyped.filter(|_| !error.file.contains('/'));
    rule.into_iter().chain(untyped).filter_map(|block| label(block, 0))
}

fn is_untyped(block: BlockNode<'_>) -> bool {
    block.body().attribute("type").is_none_or(|ty| ty.value().text() == "any")
}

/// Another value for a variable: of those that are not required, none.
fn other(block: BlockNode<'_>, refused: usize, value: Value) -> Option<Value> {
    if block.body().attribute("default").is_some() {
        return None;
    }
    if !value.is_string() {
        return Some(value);
    }
    let mut all = Vec::new();
    if is_untyped(block) {
        all.extend([json!({}), json!([])]);
    }
    for validation in block.body().blocks().filter(|inner| inner.block_type() == "validation") {
        let Some(condition) = validation.body().attribute("condition") else { continue };
        for visit in block.document().tree().walk(condition.value().id()) {
            let Visit::Enter(id) = visit else { continue };
            let text = literal(block.document().expression_at(id)).filter(|text| text.len() > 1);
            all.extend(text.map(Value::String));
        }
    }
    all.extend(TEXTS.map(Value::from));
    Some(all.get(refused - 1).cloned().unwrap_or(value))
}

/// Values of required variables; with `fill`, also of half of those whose defaults are empty.
pub(super) fn values(directory: &Directory, fill: bool, refused: &Refused) -> Map<String, Value> {
    let mut values = Map::new();
    for block in directory.blocks("variable") {
        let Some(name) = label(block, 0) else { continue };
        let default = block.body().attribute("default").map(AttributeNode::value);
        let wanted = match default {
            None => true,
            Some(default) => {
                fill && is_empty(default) && name.bytes().map(u32::from).sum::<u32>().is_multiple_of(2)
            }
        };
        if wanted {
            let ty = block.body().attribute("type").map(AttributeNode::value);
            let value =
                listed(block).unwrap_or_else(|| ty.map_or_else(|| text(&name), |ty| plausible(&name, ty)));
            let value = match refused.get(&name) {
                Some(times) => other(block, *times, value),
                None => Some(value),
            };
            values.extend(value.map(|value| (name, value)));
        }
    }
    values
}

fn is_empty(default: ExpressionNode<'_>) -> bool {
    match default.kind() {
        ExpressionKind::Null => true,
        ExpressionKind::Tuple => default.elements().next().is_none(),
        ExpressionKind::Object => default.items().next().is_none(),
        _ => literal(default).is_some_and(|text| text.is_empty()),
    }
}

/// The first of the texts that a validation allows: `contains(["a", "b"], var.x)`.
fn listed(block: BlockNode<'_>) -> Option<Value> {
    let name = label(block, 0)?;
    let document = block.document();
    for validation in block.body().blocks().filter(|inner| inner.block_type() == "validation") {
        let condition = validation.body().attribute("condition")?.value();
        for visit in document.tree().walk(condition.id()) {
            let Visit::Enter(id) = visit else { continue };
            if document.tree().kind(id) != NodeKind::Call {
                continue;
            }
            let ExpressionKind::Call(call) = document.expression_at(id).kind() else { continue };
            let arguments: Vec<_> = call.arguments().collect();
            let [list, of] = arguments.as_slice() else { continue };
            if call.name() == "contains" && of.text() == format!("var.{name}") {
                return list.elements().find_map(literal).map(Value::String);
            }
        }
    }
    None
}

/// A value of a type.
fn plausible(name: &str, ty: ExpressionNode<'_>) -> Value {
    match ty.kind() {
        ExpressionKind::Variable(ty) => match ty.text {
            "number" => json!(2),
            "bool" => json!(true),
            "list" | "set" => json!([text(name)]),
            "map" => json!({ "key": text(name) }),
            _ => text(name),
        },
        ExpressionKind::Call(call) => {
            let inner: Vec<_> = call.arguments().collect();
            let Some(first) = inner.first() else { return Value::Null };
            match &*call.name() {
                "list" | "set" => json!([plausible(name, *first)]),
                "map" => json!({ "key": plausible(name, *first) }),
                "tuple" => first.elements().map(|element| plausible(name, element)).collect(),
                "object" => object(*first),
                _ => plausible(name, *first),
            }
        }
        ExpressionKind::Template(_) => match literal(ty).as_deref() {
            Some("list") => json!([text(name)]),
            Some("map") => json!({ "key": text(name) }),
            _ => text(name),
        },
        _ => text(name),
    }
}

/// An object with its required attributes.
fn object(ty: ExpressionNode<'_>) -> Value {
    let mut attributes = Map::new();
    for item in ty.items() {
        let name = match item.key() {
            ObjectKey::Name(name) => name.text.to_owned(),
            ObjectKey::Expression(key) => literal(key).unwrap_or_else(|| key.text().to_owned()),
        };
        let optional = matches!(item.value().kind(), ExpressionKind::Call(call) if call.name() == "optional");
        if !optional {
            let value = plausible(&name, item.value());
            attributes.insert(name, value);
        }
    }
    Value::Object(attributes)
}

/// A text that fits the name of a variable.
fn text(name: &str) -> Value {
    let is = |part: &str| name.contains(part);
    let text = match () {
        () if is("cidr") || is("address_space") || is("ip_range") => "10.0.0.0/16",
        () if is("arn") => "arn:aws:iam::123456789012:role/example",
        () if is("region") || is("location") => "eu-west-1",
        () if is("zone") => "eu-west-1a",
        () if is("email") => "someone@example.com",
        () if is("version") => "1.2.3",
        () if is("domain") || is("fqdn") => "example.com",
        () if is("url") => "https://example.com",
        () if is("project") => "example-project",
        () if is("subscription_id") || is("tenant_id") || is("object_id") => {
            "00000000-0000-0000-0000-000000000000"
        }
        () if name == "parent" || is("parent_id") => "folders/123456789012",
        () if is("_id") => "id-12345678",
        () if is("json") || is("policy") => "{}",
        () => "example",
    };
    text.into()
}
