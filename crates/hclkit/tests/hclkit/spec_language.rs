//! The examples in `docs/spec-language.md`: each configuration is decoded with the spec above it and must give the result
//! below it. Generated references must match, too.

use hclkit::decode::{self, Decoder, PlainJson};
use hclkit::{Source, schema};

/// The fenced blocks of the page: the kind, the first line and the text of each.
fn fences() -> Vec<(String, usize, String)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/spec-language.md");
    let page = std::fs::read_to_string(path).unwrap();
    let mut lines = page.lines().enumerate();
    let mut found = Vec::new();
    while let Some((at, line)) = lines.next() {
        let kind = line.trim_start_matches('`');
        let fence = &line[..line.len() - kind.len()];
        if fence.len() >= 3 {
            let inside = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != fence);
            let text = inside.flat_map(|line| [line, "\n"]).collect();
            found.push((kind.to_owned(), at + 1, text));
        }
    }
    found
}

/// The result of decoding a configuration: its value as JSON, or its errors.
fn decoded(decoder: &Decoder, text: &str) -> (&'static str, String) {
    let value = decode::read([Source::new("", text)]).and_then(|body| decoder.decode(&body));
    match value {
        Ok(value) => ("json value", serde_json::to_string(&PlainJson::new(&value).without_nulls()).unwrap()),
        Err(mistakes) => ("text mistakes", format!("{mistakes}\n")),
    }
}

#[test]
fn examples_give_the_results_that_the_manual_shows() {
    let mut decoder = None;
    let mut outcome: Option<(&str, String)> = None;
    let mut checked = 0;
    for (kind, line, text) in fences() {
        match (kind.as_str(), outcome.take()) {
            ("hcl spec", None) => {
                decoder = Some(Decoder::new(Source::new("", text)).unwrap().with_dynamic(true));
            }
            ("hcl config", None) => outcome = Some(decoded(decoder.as_ref().unwrap(), &text)),
            ("markdown reference", None) => {
                let file = decoder.as_ref().unwrap().spec_file();
                assert_eq!(schema::markdown(file, "Services"), text, "line {line}");
                checked += 1;
            }
            ("json value", Some(("json value", value))) => {
                let [found, told]: [serde_json::Value; 2] =
                    [&value, &text].map(|json| serde_json::from_str(json).unwrap());
                assert_eq!(found, told, "line {line}");
                checked += 1;
            }
            (told, Some((found, mistakes))) => {
                assert_eq!((found, mistakes.as_str()), (told, text.as_str()), "line {line}");
                checked += 1;
            }
            (other, None) => panic!("line {line}: what is `{other}` here?"),
        }
    }
    assert!(outcome.is_none() && checked > 8);
}
