//! Values that edits write: they evaluate to the same value in both syntaxes, whatever text they contain. Fixes and edits
//! become each other.

use hclkit_model::{Body, Context, Expression};
use hclkit_syntax::{Document, Source, StartSymbol, apply_fixes, parse};
use hclkit_value::{Mark, Value};
use hclkit_write::{EditError, Edits, NewValue, Selector, raw};

const TEXTS: &[&str] = &[
    "",
    "a",
    "${x}",
    "%{ if x }",
    "$${x}",
    "\"",
    "\\",
    "\\n",
    "a\nb\n",
    "EOT\nb\n",
    "\t\r\u{1}",
    "é \u{2028}",
    "for",
    "a.b",
    "#",
];

fn values() -> Vec<Value> {
    let texts = TEXTS.iter().map(|text| Value::from(*text));
    let mut values: Vec<Value> = texts.collect();
    values.extend([Value::from(true), Value::from(-1), Value::from(0.1), Value::from(1e15), Value::NULL]);
    values.push(Value::tuple(values.clone()));
    values.push(Value::object(TEXTS.iter().map(|text| (*text, Value::tuple([*text])))));
    values
}

fn json(text: &str) -> Document {
    Document::parse_json(Source::new("a.json", text))
}

/// The value of the attribute `a`, with a variable so that strings of the JSON syntax are templates.
fn evaluated(document: &Document) -> Value {
    let body = match document.source().name() {
        "a.json" => Body::parse(Source::new("a.json", document.source().text())),
        _ => Body::parse(Source::new("a.hcl", document.source().text())),
    };
    let (body, found) = body;
    assert!(!found.has_errors(), "{}: {found}", document.source().text());
    let expression: Expression = body.attribute("a").unwrap().expression.clone();
    expression.evaluate(&Context::new().with("x", "X")).unwrap()
}

#[test]
fn a_written_value_is_evaluated_to_the_same_value() {
    for value in values() {
        for document in [parse("a = 0\nb = 1 # c\n"), json("{\n  \"a\": 0,\n  \"b\": 1\n}\n")] {
            let found = "a".parse::<Selector>().unwrap().select(&document).unwrap();
            let mut edits = Edits::new(&document);
            edits.set(&found[0], value.clone()).unwrap();
            let edited = edits.apply().unwrap();
            assert_eq!(evaluated(&edited), value, "{}", edited.source().text());
            let fix = edits.to_fix("Set it").unwrap();
            let text = document.source().text();
            assert_eq!(apply_fixes(text, [&fix]), (edited.source().text().to_owned(), 1), "{fix:?}");
            let mut again = Edits::new(&document);
            again.add_fix(&fix).unwrap();
            assert_eq!(again.apply().unwrap().source().text(), edited.source().text(), "{fix:?}");
        }
        for document in [parse("b = 1\n"), json("{\"b\": 1}\n")] {
            let mut edits = Edits::new(&document);
            let root = ".".parse::<Selector>().unwrap().select(&document).unwrap();
            edits.add(&root[0], "a", value.clone()).unwrap();
            assert_eq!(evaluated(&edits.apply().unwrap()), value);
        }
    }
}

#[test]
fn a_string_sets_the_text_of_a_label_or_of_a_part_of_a_template() {
    for text in TEXTS {
        let document = parse("b \"l\" {}\na = \"x${b}\"\n");
        let label = document.body().blocks().next().unwrap().labels().next().unwrap();
        let found = "a{1}".parse::<Selector>().unwrap().select(&document).unwrap();
        let mut edits = Edits::new(&document);
        edits.set(label, *text).unwrap();
        edits.set(&found[0], *text).unwrap();
        let edited = edits.apply().unwrap();
        assert_eq!(evaluated(&edited), Value::from(format!("x{text}")), "{}", edited.source().text());
        let block = edited.body().blocks().next().unwrap();
        assert_eq!(block.labels().next().unwrap().value(), *text, "{}", edited.source().text());
    }
}

#[test]
fn values_that_do_not_belong_there_are_errors() {
    let document = parse("a = \"x${y}\"\nb \"l\" {}\n");
    let block = document.body().blocks().next().unwrap();
    let label = block.labels().next().unwrap();
    let attribute = document.body().attribute("a").unwrap();
    let part = "a{1}".parse::<Selector>().unwrap().select(&document).unwrap();
    let mut edits = Edits::new(&document);
    let unsupported =
        |done: Result<(), EditError>| assert!(matches!(done, Err(EditError::Unsupported { .. })));
    unsupported(edits.set(block, 1));
    unsupported(edits.set(label, 1));
    unsupported(edits.set(&part[0], NewValue::tuple([1])));
    let unknown = edits.set(attribute, Value::unknown(hclkit_value::Type::String)).unwrap_err();
    assert_eq!(unknown.to_string(), "an unknown value cannot be written as source text");
    let marked =
        edits.add(block, "c", NewValue::tuple([Value::from(1).mark(Mark::new("secret"))])).unwrap_err();
    assert_eq!(marked.to_string(), "[0]: a marked value cannot be written as source text");
    let invalid = edits.set(attribute, raw("1 +")).unwrap_err();
    assert!(matches!(invalid, EditError::InvalidSource { .. }), "{invalid}");
    let foreign = parse("a = 'long enough to be outside of the other text'\n");
    let other = Document::parse(Source::new("", "a"), StartSymbol::Config);
    let fix = foreign.diagnostics()[0].fix().unwrap();
    assert!(matches!(Edits::new(&other).add_fix(fix), Err(EditError::Foreign)));
    assert!(edits.is_empty());
}
