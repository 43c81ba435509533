//! The variables that expressions may use: a fixed set of names and types, values drawn anew for each
//! request, and the paths that lead into those values.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::ty::{Ty, Wild, marked};

/// A traversal, and what is known about its value.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) root: String,
    pub(super) text: String,
    pub(super) ty: Ty,
    /// Whether its value is or may be null.
    pub(super) null: bool,
    /// Whether its value contains a null.
    pub(super) holes: bool,
}

/// The variables of a request.
pub(crate) struct Variables {
    pub(crate) values: Map<String, Value>,
    pub(super) paths: Vec<Path>,
}

/// Names of variables that are always null.
pub(super) const NULLS: &[&str] =
    &["null_any", "null_s", "null_n", "null_b", "null_l", "null_m", "null_o", "null_t"];

fn types() -> Vec<(&'static str, Ty)> {
    use Ty::{Any, Bool, Num, Str};
    let item = || Ty::object([("id", Str), ("n", Num), ("on", Bool)]);
    let sub = Ty::object([("a", Str), ("b c", Num), ("l", Ty::list(Str))]);
    let whole = Ty::object([
        ("name", Str),
        ("count", Num),
        ("on", Bool),
        ("tags", Ty::map(Str)),
        ("list", Ty::list(Num)),
        ("items", Ty::list(item())),
        ("sub", sub),
    ]);
    vec![
        ("s", Str),
        ("s2", Str),
        ("n", Num),
        ("n2", Num),
        ("b", Bool),
        ("b2", Bool),
        ("ls", Ty::list(Str)),
        ("ln", Ty::list(Num)),
        ("lb", Ty::list(Bool)),
        ("lo", Ty::list(item())),
        ("ll", Ty::list(Ty::list(Str))),
        ("lm", Ty::list(Ty::map(Num))),
        ("ss", Ty::set(Str)),
        ("sn", Ty::set(Num)),
        ("so", Ty::set(item())),
        ("ms", Ty::map(Str)),
        ("mn", Ty::map(Num)),
        ("mo", Ty::map(item())),
        ("ml", Ty::map(Ty::list(Str))),
        ("t", Ty::Tuple(vec![Str, Num, Bool])),
        ("ts", Ty::Tuple(vec![Str, Str])),
        ("tn", Ty::Tuple(vec![Num, Num, Num])),
        ("to", Ty::Tuple(vec![item(), item()])),
        ("tt", Ty::Tuple(vec![Ty::Tuple(vec![Str, Num]), Ty::object([("k", Ty::list(Num))])])),
        ("te", Ty::Tuple(vec![])),
        ("o", whole),
        ("os", Ty::object([("a", Str), ("b", Str)])),
        ("e", Ty::object([])),
        ("x-y", Str),
        ("é", Num),
        ("u", Any),
    ]
}

impl Variables {
    /// No variables at all.
    pub(super) fn none() -> Self {
        Self { values: Map::new(), paths: Vec::new() }
    }

    /// The whole set with values that never change, for cases by hand.
    pub(crate) fn fixed() -> Self {
        let mut rng = Rng::with_seed(1);
        let mut made = Self::none();
        for (name, ty) in types() {
            let plain = if ty == Ty::Any { json!({ "unknown": "any" }) } else { full(&ty) };
            let mut add =
                |prefix: &str, value: Value| made.add(&format!("{prefix}{name}"), value, &ty, &mut rng);
            add("", plain.clone());
            add("u_", json!({ "unknown": ty.json() }));
            add("r_", json!({ "unknown": ty.json(), "not_null": true }));
            add("m_", json!({ "marks": ["m"], "of": plain }));
            add("mu_", json!({ "marks": ["m"], "of": { "unknown": ty.json() } }));
            add("null_", json!({ "null": ty.json() }));
            add("mnull_", json!({ "marks": ["m"], "of": { "null": ty.json() } }));
            add("d_", deep(&plain));
            add("h_", hole(&plain));
        }
        made
    }

    /// The whole set. Without `odd`, only variables whose names say so are unknown, marked or null.
    pub(super) fn draw(rng: &mut Rng) -> Self {
        let odd = rng.u8(..4) > 0;
        let mut made = Self::none();
        let mut all = types();
        for name in ["r1", "r2"] {
            all.push((name, Ty::random(rng, 3)));
        }
        for (name, ty) in all {
            let value = if name == "u" { json!({ "unknown": "any" }) } else { draw(rng, &ty, odd) };
            made.add(name, value, &ty, rng);
        }
        for name in NULLS {
            let ty = match *name {
                "null_any" => Ty::Any,
                "null_s" => Ty::Str,
                "null_n" => Ty::Num,
                "null_b" => Ty::Bool,
                "null_l" => Ty::list(Ty::Str),
                "null_m" => Ty::map(Ty::Str),
                "null_o" => Ty::object([("a", Ty::Str)]),
                _ => Ty::Tuple(vec![Ty::Str]),
            };
            let mut value = json!({ "null": ty.json() });
            if odd && rng.u8(..6) == 0 {
                value = marked(rng, &value);
            }
            made.add(name, value, &ty, rng);
        }
        made
    }

    fn add(&mut self, name: &str, value: Value, ty: &Ty, rng: &mut Rng) {
        let start = self.paths.len();
        walk(name, &value, ty, 3, rng, &mut self.paths);
        for path in &mut self.paths[start..] {
            name.clone_into(&mut path.root);
        }
        self.values.insert(name.to_owned(), value);
    }
}

fn draw(rng: &mut Rng, ty: &Ty, odd: bool) -> Value {
    if !odd {
        return ty.known(rng, Ty::PLAIN);
    }
    match rng.u8(..20) {
        0..12 => ty.known(rng, Ty::PLAIN),
        12 | 13 => ty.unknown(rng),
        14 => {
            let value = ty.known(rng, Ty::PLAIN);
            marked(rng, &value)
        }
        15 => {
            let value = ty.unknown(rng);
            marked(rng, &value)
        }
        16 => ty.known(rng, Wild { odd: 12, null: 12 }),
        _ => ty.known(rng, Wild { odd: 12, null: 0 }),
    }
}

/// A value of a type with two elements in each collection.
fn full(ty: &Ty) -> Value {
    match ty {
        Ty::Any => json!({ "null": "any" }),
        Ty::Str => json!({ "string": "a" }),
        Ty::Num => json!({ "number": "1" }),
        Ty::Bool => json!({ "bool": true }),
        Ty::List(element) | Ty::Set(element) | Ty::Map(element) => {
            let (first, second) = (full(element), other(&full(element)));
            match ty {
                Ty::List(_) => json!({ "list": [first, second], "elem": element.json() }),
                Ty::Set(_) => json!({ "set": [first, second], "elem": element.json() }),
                _ => json!({ "map": { "a": first, "b": second }, "elem": element.json() }),
            }
        }
        Ty::Tuple(parts) => json!({ "tuple": parts.iter().map(full).collect::<Vec<_>>() }),
        Ty::Object(parts) => {
            let parts: Map<_, _> = parts.iter().map(|(name, ty)| (name.clone(), full(ty))).collect();
            json!({ "object": parts })
        }
    }
}

/// A value in which every string and number is replaced.
fn other(value: &Value) -> Value {
    replaced(value, &mut |fields| {
        if fields.contains_key("string") {
            return Some(json!({ "string": "b" }));
        }
        fields.contains_key("number").then(|| json!({ "number": "2" }))
    })
}

/// A value with a mark on each string and number.
fn deep(value: &Value) -> Value {
    let is_leaf = |fields: &Map<_, _>| fields.contains_key("string") || fields.contains_key("number");
    replaced(value, &mut |fields| is_leaf(fields).then(|| json!({ "marks": ["d"], "of": fields })))
}

/// A value with the first string or number in it unknown.
fn hole(value: &Value) -> Value {
    let mut done = false;
    replaced(value, &mut |fields| {
        let ty = ["string", "number"].into_iter().find(|ty| fields.contains_key(*ty))?;
        let first = !std::mem::replace(&mut done, true);
        first.then(|| json!({ "unknown": ty, "not_null": true }))
    })
}

/// A value in which some values are replaced.
pub(super) fn replaced(value: &Value, with: &mut impl FnMut(&Map<String, Value>) -> Option<Value>) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| replaced(item, with)).collect(),
        Value::Object(fields) => with(fields).unwrap_or_else(|| {
            let inner = |(name, field): (&String, &Value)| {
                let kept = name == "elem" || name == "null" || name == "unknown";
                (name.clone(), if kept { field.clone() } else { replaced(field, with) })
            };
            fields.iter().map(inner).collect::<Map<_, _>>().into()
        }),
        other => other.clone(),
    }
}

/// Returns true if a name is valid in the grammar.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic())
        && text.chars().all(|c| c.is_alphanumeric() || "_-".contains(c))
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Object(fields) if fields.contains_key("null") => true,
        Value::Object(fields) => fields.values().any(has_null),
        Value::Array(items) => items.iter().any(has_null),
        _ => false,
    }
}

/// Adds the path and those below it.
fn walk(text: &str, value: &Value, ty: &Ty, depth: u8, rng: &mut Rng, out: &mut Vec<Path>) {
    if let Some(inner) = value.get("of") {
        return walk(text, inner, ty, depth, rng, out);
    }
    let path = Path {
        root: String::new(),
        text: text.to_owned(),
        ty: ty.clone(),
        null: value.get("null").is_some(),
        holes: has_null(value),
    };
    let null = path.null;
    out.push(path);
    if depth == 0 || null {
        return;
    }
    let unknown = json!({ "unknown": "any" });
    let is_unknown = value.get("unknown").is_some();
    match ty {
        Ty::List(element) if is_unknown => {
            let bound = value.get("max_len").and_then(Value::as_u64);
            if bound != Some(0) {
                walk(&format!("{text}[0]"), &unknown, element, depth - 1, rng, out);
            }
        }
        Ty::List(element) => {
            for (n, item) in value["list"].as_array().into_iter().flatten().enumerate().take(2) {
                walk(&format!("{text}{}", index(rng, text, n)), item, element, depth - 1, rng, out);
            }
        }
        Ty::Tuple(parts) => {
            for (n, part) in parts.iter().enumerate() {
                let item = if is_unknown { &unknown } else { &value["tuple"][n] };
                walk(&format!("{text}{}", index(rng, text, n)), item, part, depth - 1, rng, out);
            }
        }
        Ty::Map(element) if is_unknown => {
            walk(&format!("{text}.any"), &unknown, element, depth - 1, rng, out);
        }
        Ty::Map(element) => {
            for (name, item) in value["map"].as_object().into_iter().flatten().take(2) {
                walk(&format!("{text}{}", attribute(rng, name)), item, element, depth - 1, rng, out);
            }
        }
        Ty::Object(parts) => {
            for (name, part) in parts {
                let item = if is_unknown { &unknown } else { &value["object"][name] };
                walk(&format!("{text}{}", attribute(rng, name)), item, part, depth - 1, rng, out);
            }
        }
        Ty::Any => walk(&format!("{text}.a"), &unknown, &Ty::Any, 0, rng, out),
        Ty::Set(_) | Ty::Str | Ty::Num | Ty::Bool => {}
    }
}

fn index(rng: &mut Rng, before: &str, n: usize) -> String {
    let legacy = !before.ends_with(|c: char| c.is_ascii_digit());
    match rng.u8(..8) {
        0 if legacy => format!(".{n}"),
        1 => format!("[\"{n}\"]"),
        2 => format!("[{n} + 0]"),
        _ => format!("[{n}]"),
    }
}

pub(super) fn attribute(rng: &mut Rng, name: &str) -> String {
    if !is_name(name) || rng.u8(..4) == 0 {
        return format!("[{}]", Value::from(name));
    }
    format!(".{name}")
}
