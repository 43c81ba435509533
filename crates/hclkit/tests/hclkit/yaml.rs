//! JSON as YAML: what is written is read as the same, also by readers of other versions of YAML.

use hclkit::convert::{Json, to_yaml, yaml_to_json, yaml_to_json_with_places};
use hclkit::functions::{Grants, Library};
use hclkit::model::Callable;
use hclkit::{Type, Value};
use indexmap::IndexMap;
use proptest::prelude::*;

/// Text that some reader takes for something else without quotes, or that cannot be written in every form.
const CORNERS: &[&str] = &[
    "",
    " ",
    "~",
    "null",
    "Null",
    "true",
    "yes",
    "Off",
    "y",
    "N",
    "on",
    "0",
    "-0",
    "1_000",
    "0x1f",
    "0o17",
    "0b11",
    "017",
    "1e3",
    ".5",
    ".inf",
    "-.INF",
    ".nan",
    "+Inf",
    "NaN",
    "2014-12-31",
    "2001-12-14t21:59:43.10-05:00",
    "12:30:45",
    "1:30",
    "<<",
    "=",
    "-",
    "- a",
    "?",
    "? a",
    ":",
    "a:",
    "a: b",
    "a :b",
    "#",
    "a #b",
    "a#b",
    "a\n",
    "\na",
    "a\n\nb\n",
    "a\n\n",
    " a\nb",
    "a \nb",
    "\ta",
    "a\tb",
    "---",
    "...",
    "--- a",
    "%a",
    "@a",
    "`a",
    "!a",
    "!!str a",
    "&a",
    "*a",
    "|",
    ">",
    "'a'",
    "\"a\"",
    "a'b",
    "a\\b",
    "[a]",
    "{a}",
    "a, b",
    "${a.b}",
    "\u{feff}a",
    "\u{85}",
    "\u{2028}",
    "a\u{0}b",
    "\u{7f}",
    "é",
    "😀",
    "a b c",
    "/a/b.c",
    "_",
    "a/",
    "a.",
    "a-",
    "a  b",
    "a=b",
    "some words that are longer than eighty signs, so that a writer may want to fold the line somewhere",
    "somewordsthatarelongerthaneightysignssothatawritermaywanttofoldthelinesomewhereanywhere",
];

/// Why a key is left out.
const MERGED: &str =
    "the reference, and so yamldecode, merges the value of \"<<\" also if the key has quotes";

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(CORNERS).prop_map(str::to_owned),
        "[a-z0-9 :#\\-\n\t'\"]{0,12}",
        // What is read is in Unicode normalization form C, as all text of values.
        "[ -~éλ😀]{0,8}",
    ]
}

fn tree() -> impl Strategy<Value = Json> {
    let scalar = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        prop::sample::select(&["0", "-1", "1.50", "123456789012"][..])
            .prop_map(|digits| Json::Number(digits.to_owned())),
        text().prop_map(Json::String),
    ];
    scalar.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Json::Array),
            prop::collection::vec((text().prop_filter(MERGED, |key| key != "<<"), inner), 0..5)
                .prop_map(|entries| Json::Object(entries.into_iter().collect::<IndexMap<_, _>>())),
        ]
    })
}

/// What `yamldecode` of an application reads.
fn decoded(library: Library, yaml: &str) -> Value {
    let functions = library.functions(&Grants::new());
    let Some(Callable::Function(function)) = functions.get("yamldecode") else { panic!("no yamldecode") };
    function.call(&[Value::from(yaml)]).unwrap_or_else(|error| panic!("{error}: {yaml}"))
}

fn value(tree: &Json) -> Value {
    match tree {
        Json::Null => Value::NULL,
        Json::Bool(value) => Value::from(*value),
        Json::Number(digits) => Value::from(digits.as_str()).convert(&Type::Number).unwrap(),
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(elements) => Value::tuple(elements.iter().map(value)),
        Json::Object(properties) => {
            Value::object(properties.iter().map(|(name, own)| (name.as_str(), value(own))))
        }
    }
}

proptest! {
    #[test]
    fn yaml_is_read_as_the_same(tree in tree()) {
        let yaml = to_yaml(&tree).unwrap();
        prop_assert!(yaml.ends_with('\n'));
        // With the order and the digits.
        let json: Box<serde_json::value::RawValue> = serde_json::from_str(&yaml_to_json(&yaml).unwrap()).unwrap();
        let read: serde_json::Value = serde_json::from_str(json.get()).unwrap();
        prop_assert_eq!(read.to_string(), serde_json::from_str::<serde_json::Value>(&serde_json::to_string(&tree).unwrap()).unwrap().to_string(), "{}", yaml);
        for library in [Library::Terraform, Library::Packer] {
            prop_assert_eq!(decoded(library, &yaml).to_string(), value(&tree).to_string(), "{}", yaml);
        }
        // Values are written in the same way, with sorted names.
        let sorted = to_yaml(&value(&tree)).unwrap();
        prop_assert_eq!(decoded(Library::Terraform, &sorted).to_string(), value(&tree).to_string(), "{}", sorted);
    }
}

proptest! {
    #[test]
    fn errors_are_in_the_document(
        tree in tree(), at in any::<prop::sample::Index>(),
        added in prop::sample::select(vec!["[", "}", "\t", "\u{1}", "\u{fffe}", "*x", "!x ", "é: ", "\n---\n", "\"", "? [é]\n"]),
    ) {
        let mut yaml = to_yaml(&tree).unwrap();
        let at = at.index(yaml.chars().count() + 1);
        let at = yaml.char_indices().nth(at).map_or(yaml.len(), |(at, _)| at);
        yaml.insert_str(at, added);
        let Err(wrong) = yaml_to_json_with_places(&yaml) else { return Ok(()) };
        if let Some(place) = wrong.place {
            prop_assert!(yaml.get(place.clone()).is_some(), "{:?} of {:?}", place, yaml);
            let message = yaml_to_json(&yaml).unwrap_err().to_string();
            let line = yaml[..place.start].split('\n').count();
            prop_assert!(message.contains(&format!("line {line}, column")), "{} of {:?}", message, yaml);
        }
    }
}

#[test]
fn errors_have_a_line_and_a_column() {
    for (yaml, expected) in [
        ("é: 1\nb: [1, 2\nç: 3\n", "invalid YAML at line 3, column 2: illegal placement of ':' indicator"),
        ("a: 1\n? [x]\n: 2\n", "invalid YAML at line 2, column 3: the keys of mappings must be scalars"),
        ("a: é\u{1}\n", "invalid YAML at line 1, column 5: the control character '\\u{1}' is not allowed"),
        ("a: !x 1\n", "invalid YAML at line 1, column 4: the tag !x is not supported"),
        ("", "invalid YAML: no document found"),
        ("%YAML 1.3\n---\na: 1\n", "invalid YAML: version 1.3 is not supported; only version 1.1 is"),
    ] {
        assert_eq!(yaml_to_json(yaml).unwrap_err().to_string(), expected, "{yaml:?}");
    }
}

#[test]
fn corners_are_read_as_the_same() {
    let tree = Json::Object(
        CORNERS
            .iter()
            .filter(|text| **text != "<<")
            .map(|text| ((*text).to_owned(), Json::String((*text).to_owned())))
            .collect(),
    );
    let yaml = to_yaml(&tree).unwrap();
    assert_eq!(decoded(Library::Terraform, &yaml).to_string(), value(&tree).to_string(), "{yaml}");
    let plain: Vec<&str> = CORNERS
        .iter()
        .copied()
        .filter(|text| to_yaml(&Json::String((*text).to_owned())).unwrap() == format!("{text}\n"))
        .collect();
    // The other ones have quotes, because some reader of some version needs them.
    assert_eq!(plain, ["NaN", "a b c", "/a/b.c", "_", "a/", "a.", "a  b", "a=b"]);
}

#[test]
fn trees_that_are_too_deep_are_errors() {
    let deep = (0..2_000).fold(Json::Null, |inner, _| Json::Array(vec![inner]));
    assert!(to_yaml(&deep).unwrap_err().to_string().contains("nested deeper"));
    assert!(to_yaml(&Value::unknown(Type::String)).is_err());
}
