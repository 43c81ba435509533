//! Any bytes, read as HCL 1: there is no panic, values are the same each time, and what is converted to HCL 2 is HCL 2 with the same
//! values.
#![no_main]

use hclkit::convert::FromHcl1;
use hclkit::{Document, Limits, Source, hcl1};

libfuzzer_sys::fuzz_target!(|input: &[u8]| Limits::new().run(|| {
    let document = Document::parse_hcl1(Source::new("fuzz", input));
    let Ok(value) = hcl1::decode(&document) else { return };
    assert_eq!(hcl1::decode(&document).ok().as_ref(), Some(&value));
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
