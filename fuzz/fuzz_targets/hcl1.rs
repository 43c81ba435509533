//! Any bytes, read as HCL 1: there is no panic, values are the same each time, what is converted to HCL 2 is HCL 2 with the same
//! values, and so is what is formatted, which does not change again. What an application does not read is within the text.
#![no_main]

use hclkit::convert::FromHcl1;
use hclkit::decode::PlainJson;
use hclkit::{Document, Limits, Source, hcl1};
use hclkit_dialect::Dialect;
use hclkit_write::Formatter;

libfuzzer_sys::fuzz_target!(|input: &[u8]| Limits::new().run(|| {
    let parse = |text: &[u8]| Document::parse_hcl1(Source::new("fuzz", text));
    let document = parse(input);
    let layout = |document: &Document| {
        let dialect = Dialect::named("hcl1").expect("the table is built in");
        let formatted = Formatter::new(dialect).format(document);
        assert!(formatted.is_faithful());
        formatted.text().into_owned()
    };
    let Ok(value) = hcl1::decode(&document) else { return };
    assert_eq!(hcl1::decode(&document).ok().as_ref(), Some(&value));
    serde_json::to_string(&PlainJson::new(&value)).expect("values of HCL 1 have JSON");
    for language in ["consul", "consul-template", "vault"] {
        let dialect = Dialect::named(language).expect("the table is built in");
        let settings = dialect.settings().expect("the language has a table");
        for found in settings.check(&document).iter() {
            assert!(document.source().text().get(found.span().to_range()).is_some(), "{found}");
        }
    }
    if document.json().is_none() {
        let once = layout(&document);
        let again = parse(once.as_bytes());
        assert_eq!(hcl1::decode(&again).ok().as_ref(), Some(&value), "{once}");
        assert_eq!(layout(&again), once);
    }
    for interpolation in [false, true] {
        let Ok(converted) = FromHcl1::new().with_interpolation(interpolation).convert(&document) else {
            continue;
        };
        let again = hclkit::parse(converted.text.as_str());
        assert!(!again.has_errors(), "{}\n{}", again.diagnostics(), converted.text);
        // Interpolation is evaluated in HCL 2.
        if !interpolation && document.json().is_none() {
            assert_eq!(hcl1::decode(&again).ok(), Some(value.clone()), "{}", converted.text);
        }
    }
}));
