//! Answers as people read them: values in the notation of the language with the types of collections before them.

use serde_json::{Map, Value as Json};

/// The longest value that is written on one line.
const WIDE: usize = 100;

/// A value of the protocol or of the adapter.
pub(crate) fn value(json: &Json) -> String {
    indented(json, 0)
}

fn indented(json: &Json, depth: usize) -> String {
    let line = flat(json);
    if line.chars().count() + 2 * depth <= WIDE {
        return line;
    }
    let pad = "  ".repeat(depth + 1);
    let end = "  ".repeat(depth);
    let (before, items, close) = parts(json, |item| indented(item, depth + 1));
    if items.is_empty() {
        return line;
    }
    let items = items.iter().map(|item| format!("{pad}{item}\n")).collect::<Vec<_>>().concat();
    format!("{before}\n{items}{end}{close}")
}

fn flat(json: &Json) -> String {
    let (before, items, close) = parts(json, flat);
    let (space, joined) = if before.ends_with('{') && !items.is_empty() { (" ", ", ") } else { ("", ", ") };
    format!("{before}{space}{}{space}{close}", items.join(joined))
}

/// The opening text of a value, its parts, and the closing text.
fn parts(json: &Json, item: impl Fn(&Json) -> String) -> (String, Vec<String>, String) {
    let fields = json.as_object().expect("a value is an object");
    let list = |of: &Json| of.as_array().into_iter().flatten().map(&item).collect();
    let entries = |of: &Json| -> Vec<String> {
        let entries = of.as_object().into_iter().flatten();
        entries.map(|(name, value)| format!("{} = {}", key(name), item(value))).collect()
    };
    let typed = |kind: &str| format!("{kind}({})", ty(&fields[element(fields)]));
    let only = |text: String| (text, Vec::new(), String::new());
    if let Some(of) = fields.get("marks") {
        let marks: Vec<String> = of.as_array().into_iter().flatten().map(Json::to_string).collect();
        return (format!("marked({}: ", marks.join(" ")), vec![item(&fields["of"])], ")".into());
    }
    if let Some(of) = fields.get("unknown") {
        let rest = fields.iter().filter(|(name, _)| *name != "unknown");
        let rest = rest.map(|(name, value)| format!(", {name}: {value}")).collect::<Vec<_>>().concat();
        return only(format!("unknown({}{rest})", ty(of)));
    }
    let (kind, of) = fields.iter().find(|(name, _)| *name != element(fields)).expect("a kind");
    match kind.as_str() {
        "string" | "bool" => only(of.to_string()),
        "number" => only(of.as_str().unwrap_or_default().to_owned()),
        "null" => only(format!("null({})", ty(of))),
        "tuple" => ("[".into(), list(of), "]".into()),
        "object" => ("{".into(), entries(of), "}".into()),
        "list" | "set" => (format!("{} [", typed(kind)), list(of), "]".into()),
        "map" => (format!("{} {{", typed(kind)), entries(of), "}".into()),
        _ => panic!("no value: {json}"),
    }
}

/// The name of the element type's field, in which the protocol and the adapter differ.
fn element(fields: &Map<String, Json>) -> &'static str {
    if fields.contains_key("element_type") { "element_type" } else { "elem" }
}

fn key(name: &str) -> String {
    let plain = |character: char| character.is_alphanumeric() || character == '_' || character == '-';
    let bare =
        name.chars().all(plain) && name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    if bare { name.to_owned() } else { format!("{name:?}") }
}

fn ty(json: &Json) -> String {
    let Some([kind, of, ..]) = json.as_array().map(Vec::as_slice) else {
        return match json.as_str() {
            Some("dynamic") => "any".into(),
            name => name.unwrap_or_default().into(),
        };
    };
    let inner = match of {
        Json::Array(elements) if kind == "tuple" => {
            format!("[{}]", elements.iter().map(ty).collect::<Vec<_>>().join(", "))
        }
        Json::Object(attributes) if attributes.is_empty() => "{}".into(),
        Json::Object(attributes) => {
            let attributes = attributes.iter().map(|(name, of)| format!("{} = {}", key(name), ty(of)));
            format!("{{ {} }}", attributes.collect::<Vec<_>>().join(", "))
        }
        of => ty(of),
    };
    format!("{}({inner})", kind.as_str().unwrap_or_default())
}

/// A traversal of the protocol.
pub(crate) fn traversal(steps: &Json) -> String {
    let step = |step: &Json| match (&step["root"], &step["attr"], &step["index"]) {
        (Json::String(root), _, _) => root.clone(),
        (_, Json::String(attribute), _) => format!(".{attribute}"),
        (_, _, key) => format!("[{}]", value(key)),
    };
    steps.as_array().into_iter().flatten().map(step).collect()
}

/// The lines of a body of the adapter.
pub(crate) fn body(json: &Json) -> Vec<String> {
    let within = |head: String, inner: &Json| -> Vec<String> {
        let inner = body(inner).into_iter().map(|line| format!("  {line}"));
        std::iter::once(format!("{head} {{")).chain(inner).chain(["}".to_owned()]).collect()
    };
    let attributes = json["attributes"].as_object().into_iter().flatten();
    let mut lines: Vec<String> =
        attributes.map(|(name, found)| format!("{} = {}", key(name), finding(found))).collect();
    for block in json["blocks"].as_array().into_iter().flatten() {
        let labels = block["labels"].as_array().into_iter().flatten().map(Json::to_string);
        let block_type = block["type"].as_str().unwrap_or_default().to_owned();
        let head = std::iter::once(block_type).chain(labels).collect::<Vec<_>>().join(" ");
        lines.extend(within(head, &block["body"]));
    }
    lines.extend(json.get("remain").map(|rest| within("the rest".to_owned(), rest)).into_iter().flatten());
    lines
}

/// A value, what a static analysis found, or a tree.
fn finding(json: &Json) -> String {
    if json.get("kind").is_some() {
        return tree(json);
    }
    let all = |of: &Json| of.as_array().into_iter().flatten().map(finding).collect::<Vec<_>>().join(", ");
    if let Some(of) = json.get("static_list") {
        return format!("list [{}]", all(of));
    }
    if let Some(of) = json.get("static_map") {
        let pairs = of.as_array().into_iter().flatten();
        let pairs = pairs.map(|pair| format!("{} = {}", finding(&pair["key"]), finding(&pair["value"])));
        let pairs = pairs.collect::<Vec<_>>().join(", ");
        return if pairs.is_empty() { "map {}".to_owned() } else { format!("map {{ {pairs} }}") };
    }
    if let Some(of) = json.get("static_call") {
        return format!("call {}({})", of["name"].as_str().unwrap_or_default(), all(&of["arguments"]));
    }
    if let Some(of) = json.get("static_traversal") {
        return format!("traversal {}", traversal(of));
    }
    value(json)
}

/// An expression tree: the kind of each node and its fields, except those that are false.
fn tree(json: &Json) -> String {
    let fields = match json {
        Json::Array(items) => return format!("[{}]", items.iter().map(tree).collect::<Vec<_>>().join(", ")),
        Json::Object(fields) => fields,
        Json::String(name) => return name.clone(),
        other => return other.to_string(),
    };
    let kind = fields.get("kind").and_then(Json::as_str);
    if kind == Some("literal") {
        return value(&fields["value"]);
    }
    let told = fields.iter().filter(|(name, of)| *name != "kind" && !of.is_null() && **of != false);
    let told = told.map(|(name, of)| format!("{name}: {}", tree(of)));
    let told = told.collect::<Vec<_>>().join(", ");
    if told.is_empty() {
        kind.unwrap_or_default().to_owned()
    } else {
        format!("{}({told})", kind.unwrap_or_default())
    }
}
