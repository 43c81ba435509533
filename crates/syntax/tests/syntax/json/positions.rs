//! Positions of the parts of a document, and of the text of strings, mapped back to the file through escape sequences.

use hclkit_syntax::json::{JsonDocument, JsonKind, JsonValue, TextMap, parse};
use hclkit_syntax::{Span, Utf16Position, parse_template};

/// The text and the map of the only string in an array.
fn only_string(document: &JsonDocument) -> (String, TextMap) {
    let text = document.root().elements().next().and_then(JsonValue::as_string).unwrap();
    (text.value().into_owned(), text.map())
}

#[test]
fn plain_text_is_mapped_one_to_one() {
    let document = parse(r#"["é ${a}"]"#);
    let (text, map) = only_string(&document);
    assert_eq!(text, "é ${a}");
    assert!(map.is_plain());
    for at in 0..=text.len() as u32 {
        assert_eq!(map.offset(at), at + 2);
    }
}

#[test]
fn every_escape_sequence_is_mapped() {
    let document = parse(r#"["\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00x"]"#);
    assert!(document.diagnostics().is_empty());
    let (text, map) = only_string(&document);
    assert_eq!(text, "\"\\/\u{8}\u{c}\n\r\té😀x");
    let starts: Vec<u32> = text.char_indices().map(|(at, _)| map.offset(at as u32)).collect();
    assert_eq!(starts, [2, 4, 6, 8, 10, 12, 14, 16, 18, 24, 36]);
    assert_eq!(map.offset(text.len() as u32), 37);
    assert_eq!(document.source().slice(map.span(Span::new(8, 10))), r"\u00e9");
    assert_eq!(document.source().slice(map.span(Span::new(10, 14))), r"\ud83d\ude00");
    assert_eq!(document.source().slice(map.span(Span::new(7, 15))), r"\t\u00e9\ud83d\ude00x");
}

#[test]
fn offsets_inside_a_character_and_past_the_end_stay_in_the_string() {
    let document = parse(r#"["\ud800y"]"#);
    let (text, map) = only_string(&document);
    assert_eq!(text, "\u{fffd}y");
    assert_eq!([0, 1, 2, 3, 4, 5, 99].map(|at| map.offset(at)), [2, 3, 4, 8, 9, 9, 9]);
}

#[test]
fn each_byte_that_is_not_utf8_is_one_character() {
    let document = parse(b"[\"a\xff\xfeb\\n\"]".as_slice());
    assert!(!document.has_errors());
    let (text, map) = only_string(&document);
    assert_eq!(text, "a\u{fffd}\u{fffd}b\n");
    let starts: Vec<u32> = text.char_indices().map(|(at, _)| map.offset(at as u32)).collect();
    assert_eq!(starts, [2, 3, 4, 5, 6]);
}

#[test]
fn an_invalid_escape_sequence_loses_only_its_backslash() {
    let document = parse(r#"["C:\dir\q${a}"]"#);
    let (text, map) = only_string(&document);
    assert_eq!(text, "C:dirq${a}");
    assert_eq!(document.source().slice(map.span(Span::new(6, 10))), "${a}");
}

/// The diagnostics of a template refer to the file, unlike the reference's ranges after an escape sequence.
#[test]
fn diagnostics_of_templates_are_mapped_back() {
    let document = parse("{\n  \"a\": \"x\\n\\u00e9 ${b.}\"\n}");
    let text = document.root().properties().next().and_then(|property| property.value().as_string()).unwrap();
    let template = parse_template(text.value().into_owned());
    let error = &template.diagnostics()[0];
    let range = document.range(text.map().span(error.span()));
    assert_eq!((range.start.line, range.start.column, range.end.column), (2, 23, 24));
    assert_eq!(document.source().slice(text.map().span(error.span())), "}");
}

#[test]
fn every_part_has_a_span() {
    let document = parse("{\"a\" : [ 1, \"b\" ],\r\n \"c\": {} }\n");
    let text = |span| document.source().slice(span);
    let object = document.root().as_object().unwrap();
    assert_eq!((text(object.open_span()), text(object.close_span())), ("{", "}"));
    let properties: Vec<_> = object.properties().collect();
    assert_eq!(text(properties[0].span()), "\"a\" : [ 1, \"b\" ]");
    assert_eq!(text(properties[0].name_span()), "\"a\"");
    assert_eq!(text(properties[0].name().inner_span()), "a");
    let array = properties[0].value().as_array().unwrap();
    assert_eq!((text(array.open_span()), text(array.close_span())), ("[", "]"));
    assert_eq!(text(array.value().start_span()), "[");
    let elements: Vec<_> = array.elements().map(|element| text(element.span())).collect();
    assert_eq!(elements, ["1", "\"b\""]);
    assert_eq!(document.range(properties[1].name_span()).start.line, 2);
    let held: Vec<_> = document.values_at(9).into_iter().map(|value| text(value.span())).collect();
    assert_eq!(held[1..], ["[ 1, \"b\" ]", "1"]);
}

#[test]
fn columns_are_grapheme_clusters_and_quotes_are_separate() {
    // A combining mark does not join a quote.
    let document = parse("{\"\u{301}a\": \"👨‍👩‍👧\", \"b\": 1}");
    let columns: Vec<_> = document
        .root()
        .properties()
        .map(|property| document.range(property.span()))
        .map(|range| (range.start.column, range.end.column))
        .collect();
    assert_eq!(columns, [(2, 11), (13, 19)]);
    let last = document.root().properties().last().unwrap();
    let utf16 = document.source().utf16_position(last.span().start);
    assert_eq!(utf16, Utf16Position { line: 0, character: 19 });
}

#[test]
fn views_return_their_kinds() {
    let document = parse(r#"[{}, [], "s", -1e5, true, false, null]"#);
    let values: Vec<_> = document.root().elements().collect();
    assert_eq!(values.iter().filter(|value| value.is_object()).count(), 1);
    assert!(values[1].is_array() && values[2].is_string() && values[3].is_number());
    assert!(values[4].is_bool() && values[6].is_null() && !values[6].is_missing());
    assert_eq!(values[3].as_number(), Some("-1e5"));
    assert_eq!(
        (values[4].as_bool(), values[5].as_bool(), values[6].as_bool()),
        (Some(true), Some(false), None)
    );
    assert!(matches!(values[2].kind(), JsonKind::String(text) if text == *"s"));
    assert!(values[2].properties().next().is_none() && values[0].elements().next().is_none());
    let same = document.value(values[3].id());
    assert_eq!(same.text(), "-1e5");
}

#[test]
fn duplicate_names_are_kept_in_order() {
    let document = parse(r#"{"b": 1, "a": 2, "b": 3}"#);
    let object = document.root().as_object().unwrap();
    let names: Vec<_> = object.properties().map(|property| property.name().value()).collect();
    assert_eq!(names, ["b", "a", "b"]);
    assert_eq!(object.get("b").and_then(JsonValue::as_number), Some("1"));
    assert!(object.get("c").is_none());
}
