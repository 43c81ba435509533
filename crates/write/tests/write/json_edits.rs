//! Random edits of random JSON: the result is valid, and has the value that the same change of the value gives.

use fastrand::Rng;
use hclkit_syntax::{Document, NodeId, NodeKind, Source};
use hclkit_test_cases::{rounds, seeds};
use hclkit_write::{Edits, Selector, raw, source_of};
use serde_json::{Map, Value, json};

fn random(rng: &mut Rng, depth: u32) -> Value {
    let strings = ["", "x", "${f(\"a\")}", "%{ if", "\u{e9}\n\\", "a.b", "//", "{[,:]}"];
    match rng.u32(..if depth == 0 { 5 } else { 8 }) {
        0 => Value::Null,
        1 => json!(rng.bool()),
        2 => json!(rng.i32(-5..1000)),
        3 | 4 => json!(rng.choice(strings).unwrap()),
        5 | 6 => object(rng, depth - 1),
        _ => (0..rng.usize(..4)).map(|_| random(rng, depth - 1)).collect(),
    }
}

fn object(rng: &mut Rng, depth: u32) -> Value {
    let names = ["a", "b", "c d", "e\"f", "g.h", "${x}", "\u{e9}", "for"];
    let items = (0..rng.usize(..4)).map(|_| ((*rng.choice(names).unwrap()).to_owned(), random(rng, depth)));
    Value::Object(items.collect::<Map<_, _>>())
}

/// The value as text, laid out in one of several ways.
fn laid_out(rng: &mut Rng, value: &Value) -> String {
    let text = if rng.bool() {
        serde_json::to_string_pretty(value).unwrap()
    } else {
        serde_json::to_string(value).unwrap()
    };
    match rng.u32(..3) {
        0 => text,
        1 => format!("{}\n", text.replace('\n', "\r\n")),
        _ => format!(" {text}\n\n"),
    }
}

/// The pointers of all values below the root, which is an object.
fn pointers(value: &Value, prefix: &str, out: &mut Vec<(String, String)>, path: &str) {
    let mut add = |value: &Value, pointer: String, path: String| {
        out.push((pointer.clone(), path.clone()));
        pointers(value, &pointer, out, &path);
    };
    match value {
        Value::Object(items) => {
            for (name, value) in items {
                let pointer = format!("{prefix}/{}", name.replace('~', "~0").replace('/', "~1"));
                add(value, pointer, format!("{path}[{}]", hclkit_value::Value::from(name.as_str())));
            }
        }
        Value::Array(elements) => {
            for (number, value) in elements.iter().enumerate() {
                add(value, format!("{prefix}/{number}"), format!("{path}[{number}]"));
            }
        }
        _ => {}
    }
}

/// The value of a property, or the value itself, and its children.
fn content(document: &Document, node: NodeId) -> (NodeId, Vec<NodeId>) {
    let tree = document.tree();
    let value = match tree.kind(node) {
        NodeKind::ObjectItem => tree.children(node).last().unwrap(),
        _ => node,
    };
    (value, tree.children(value).collect())
}

#[test]
fn random_edits_change_what_they_say() {
    let mut count = 0;
    for seed in seeds(4_000) {
        let mut rng = Rng::with_seed(seed);
        let before = object(&mut rng, 4);
        let text = laid_out(&mut rng, &before);
        let document = Document::parse_json(Source::new("a.json", text.as_str()));
        assert!(!document.has_errors(), "{text}");
        let mut places = Vec::new();
        pointers(&before, "", &mut places, "");
        let Some((pointer, path)) = rng.choice(&places) else { continue };
        let found = path.parse::<Selector>().unwrap().select(&document).unwrap();
        // A name after an array selects in all of its objects.
        let [found] = &found[..] else { panic!("{path} in {text}") };
        let (mut expected, mut edits) = (before.clone(), Edits::new(&document));
        let new = random(&mut rng, 2);
        let source = laid_out(&mut rng, &new);
        let (parent, last) = pointer.rsplit_once('/').unwrap();
        let verb = rng.u32(..4);
        let mut is_removal = false;
        match (verb, expected.pointer_mut(pointer).unwrap()) {
            (0, old) => {
                edits.set(found, raw(&source)).unwrap();
                *old = new;
            }
            (1, Value::Array(elements)) => {
                edits.append(found, &source).unwrap();
                elements.push(new);
            }
            (1, Value::Object(items)) => {
                edits.add(found, "new", raw(&source)).unwrap();
                items.insert("new".to_owned(), new);
            }
            (2, Value::Array(elements)) => {
                edits.prepend(found, &source).unwrap();
                elements.insert(0, new);
            }
            _ => {
                is_removal = true;
                edits.remove(found).unwrap();
                match expected.pointer_mut(parent).unwrap() {
                    Value::Object(items) => {
                        items.remove(&last.replace("~1", "/").replace("~0", "~"));
                    }
                    Value::Array(elements) => {
                        elements.remove(last.parse().unwrap());
                    }
                    _ => unreachable!(),
                }
            }
        }
        let after = edits.apply().unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let after = after.source().text();
        let parsed: Value =
            serde_json::from_str(after).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{after}"));
        assert_eq!(parsed, expected, "seed {seed}\n{text}\n{after}");
        count += 1;
        if is_removal {
            continue;
        }
        // The opposite edit restores the text.
        let edited = Document::parse_json(Source::new("a.json", after));
        let found_after = path.parse::<Selector>().unwrap().select(&edited).unwrap();
        let mut edits = Edits::new(&edited);
        let mut children = content(&edited, found_after[0].node()).1;
        match verb {
            0 => edits.set(&found_after[0], raw(source_of(&document, content(&document, found.node()).0))),
            1 => edits.remove(children.pop().unwrap()),
            _ => edits.remove(children[0]),
        }
        .unwrap();
        assert_eq!(edits.apply().unwrap().source().text(), text, "seed {seed}\n{after}");
    }
    assert!(2 * count > rounds(4_000), "{count}");
}
