//! What comments say in specs.

use hclkit_model::{Functions, Spec, SpecFile};
use hclkit_syntax::Source;

#[test]
fn what_counts_as_a_description() {
    let cases = [
        ("# One.\n", Some("One.")),
        ("// One.\r\n## Two.\r\n", Some("One.\nTwo.")),
        ("/* One. */\n", Some("One.")),
        ("/**\n * One.\n *\n * Two.\n */\n", Some("One.\n\nTwo.")),
        ("# One.\n\n", None),
        ("# One.\n\n# Two.\n", Some("Two.")),
        ("#\n", None),
        ("/* One. */ ", None),
        ("variables {} # One.\n", None),
        ("", None),
    ];
    for (before, expected) in cases {
        let source = Source::new("spec", format!("{before}attr {{\n  name = \"x\"\n}}\n"));
        let file = SpecFile::read(source, &Functions::new()).unwrap();
        assert_eq!(file.description.as_deref(), expected, "{before:?}");
    }
}

#[test]
fn tags_are_no_text() {
    let comments = "# The size.\n# @deprecated use `flavor`\n# @suggest \"small\", \"large\", 1 + 1\n# @sensitive\n# @link https://example.com/size\n# @other text\n# @suggest [\n";
    let source = Source::new("spec", format!("{comments}attr {{\n  name = \"x\"\n}}\n"));
    let file = SpecFile::read(source, &Functions::new()).unwrap();
    let Spec::Attribute(attribute) = &file.spec else { panic!("{file:?}") };
    assert_eq!(attribute.description.as_deref(), Some("The size.\n@other text"));
    let accepts = &attribute.accepts;
    assert_eq!(accepts.deprecated.as_deref(), Some("use `flavor`"));
    assert_eq!(accepts.suggested, ["\"small\"", "\"large\"", "1 + 1"]);
    assert_eq!(accepts.link.as_deref(), Some("https://example.com/size"));
    assert!(accepts.sensitive);
}
