//! A small text at many places is a large one: the new text of edits is limited.

use hclkit_limits::Limits;
use hclkit_write::{EditError, Edits, Selector, raw};

/// All sets of edits of a run together have at most the text of its limits.
#[test]
fn new_text_is_limited() {
    let document = hclkit_syntax::parse("a = [0, 0, 0, 0, 0, 0, 0, 0]\n");
    let places = "a[*]".parse::<Selector>().unwrap().select(&document).unwrap();
    let text = "1".repeat(1_000);
    let set = |edits: &mut Edits<'_>| places.iter().try_for_each(|place| edits.set(place, raw(&*text)));
    let of = |bytes: u64| Limits::new().with_bytes(bytes);
    let found = of(7_999).run(|| set(&mut Edits::new(&document))).unwrap_err();
    assert_eq!(found.to_string(), "the new text exceeds the limit of 7999 bytes");
    of(8_000).run(|| set(&mut Edits::new(&document))).unwrap();
    let twice = || {
        set(&mut Edits::new(&document))?;
        set(&mut Edits::new(&document))
    };
    of(15_999).run(twice).unwrap_err();
    of(16_000).run(twice).unwrap();

    // Indentation of inserted lines is text, too.
    let indent = " ".repeat(1_000);
    let document = hclkit_syntax::parse(format!("b {{\n{indent}a = 1\n}}\n"));
    let lines = (0..1_000).map(|number| format!("x{number} = 1\n")).collect::<Vec<_>>().concat();
    let append = || {
        let mut edits = Edits::new(&document);
        edits.append(document.body().blocks().next().unwrap(), &lines)?;
        edits.apply().map(drop)
    };
    let found = of(100_000).run(append).unwrap_err();
    assert_eq!(found.to_string(), "the new text exceeds the limit of 100000 bytes");

    // The edited text is a source, whose size is limited.
    let document = hclkit_syntax::parse("a = 1\n");
    let add = || {
        let mut edits = Edits::new(&document);
        edits.append(document.body().id(), "b = 2")?;
        edits.apply().map(drop)
    };
    let found = Limits::new().with_source_bytes(10).run(add).unwrap_err();
    assert!(matches!(found, EditError::Exceeded(_)), "{found}");
    Limits::new().with_source_bytes(12).run(add).unwrap();
}

/// The meter forgets text of one edit until the next one where nothing runs within limits.
#[test]
fn new_text_is_limited_without_a_run() {
    let document = hclkit_syntax::parse("a = [0]\n");
    let text = format!("\"{}\"", "x".repeat(8 << 20));
    let mut edits = Edits::new(&document);
    let mut set = || {
        let place = "a[0]".parse::<Selector>().unwrap().select(&document).unwrap();
        edits.set(&place[0], raw(&*text))
    };
    let made = (0..40).take_while(|_| set().is_ok()).count();
    assert_eq!(made, 31);
}
