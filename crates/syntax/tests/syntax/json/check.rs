//! Invariants of every JSON document, whatever the text. The property tests and the fuzzer share these checks.

use hclkit_syntax::json::{JsonDocument, JsonKind, JsonProperty, JsonText, JsonValue, parse};
use hclkit_syntax::{Span, apply_fixes};

/// Parses the input, and panics if the document violates an invariant.
pub(crate) fn check(input: &[u8]) {
    let document = parse(input);
    assert_eq!(document.source().bytes(), input);
    values(&document);
    diagnostics(&document);
    assert_eq!(document.diagnostics(), parse(input).diagnostics());
    let fixes = document.diagnostics().iter().filter_map(|diagnostic| diagnostic.fix());
    let (mended, applied) = apply_fixes(document.source().text(), fixes);
    if applied > 0 {
        let mended = parse(mended);
        values(&mended);
        diagnostics(&mended);
    }
}

/// Every value is inside its parent and after its previous sibling, and complete if there are no errors. Not recursive.
fn values(document: &JsonDocument) {
    let right = !document.has_errors();
    let mut open = vec![document.root()];
    within(document, document.root().span());
    while let Some(value) = open.pop() {
        assert_eq!(document.value(value.id()).span(), value.span());
        let span = value.span();
        let mut last = span.start;
        let mut inside = |part: Span| {
            within(document, part);
            assert!(last <= part.start && part.end <= span.end, "{part:?} in {span:?}, after {last}");
            last = part.end;
        };
        match value.kind() {
            JsonKind::Object(object) => {
                inside(object.open_span());
                for property in object.properties() {
                    inside(property.name_span());
                    inside(property.value().span());
                    text(document, property.name());
                }
                inside(object.close_span());
                assert!(!right || !object.close_span().is_empty());
                open.extend(object.properties().map(JsonProperty::value));
            }
            JsonKind::Array(array) => {
                inside(array.open_span());
                array.elements().for_each(|element| inside(element.span()));
                inside(array.close_span());
                assert!(!right || !array.close_span().is_empty());
                open.extend(array.elements());
            }
            JsonKind::String(string) => text(document, string),
            JsonKind::Number(number) => assert!(is_number(number), "{number:?}"),
            JsonKind::Bool(truth) => assert!(!right || value.text() == truth.to_string()),
            JsonKind::Null => assert!(!right || value.text() == "null"),
            JsonKind::Missing => assert!(!right),
        }
    }
    for offset in [0, document.source().len() / 2, document.source().len()] {
        let held = document.values_at(offset);
        assert!(held.windows(2).all(|pair| covers(pair[0], pair[1])));
    }
}

fn covers(outer: JsonValue<'_>, inner: JsonValue<'_>) -> bool {
    outer.span().start <= inner.span().start && inner.span().end <= outer.span().end
}

/// Each character of a text is mapped to its own position in the source, in order.
fn text(document: &JsonDocument, text: JsonText<'_>) {
    within(document, text.span());
    within(document, text.inner_span());
    let (value, map) = (text.value(), text.map());
    let mut last = None;
    for (at, _) in value.char_indices() {
        let place = map.offset(at as u32);
        assert!(Some(place) > last && place < text.inner_span().end, "{value:?} at {at}");
        last = Some(place);
    }
    if text.is_plain() {
        assert_eq!(value, document.source().slice(text.inner_span()));
        assert!(map.is_plain());
    }
    assert_eq!(map.offset(value.len() as u32), text.inner_span().end);
}

/// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (int, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let int = int.strip_prefix('-').unwrap_or(int);
    let int = digits(int) && (int == "0" || !int.starts_with('0'));
    int && digits(fraction) && digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))
}

fn diagnostics(document: &JsonDocument) {
    let found = document.diagnostics();
    assert!(found.len() <= 1_001);
    for diagnostic in found {
        within(document, diagnostic.span());
        for related in diagnostic.related() {
            within(document, related.span());
        }
        assert!(!diagnostic.note().is_empty());
        let edits = diagnostic.fix().into_iter().flat_map(|fix| &fix.edits);
        edits.clone().for_each(|edit| within(document, edit.span));
        assert!(edits.clone().zip(edits.skip(1)).all(|(one, next)| one.span.end <= next.span.start));
        let range = document.range(diagnostic.span());
        assert!(range.start <= range.end && range.start.column >= 1);
    }
    assert!(found.windows(2).all(|pair| pair[0].span().start <= pair[1].span().start));
}

/// The span is inside the text and on character boundaries.
fn within(document: &JsonDocument, span: Span) {
    assert!(
        document.source().text().get(span.to_range()).is_some(),
        "{span:?} is not a span of {:?}",
        document.source().text()
    );
}
