//! Paths as text.

use hclkit_model::path::{NamePattern, Path};

#[test]
fn long_paths_are_rejected() {
    for (path, reason) in [
        (format!("a{}", "[0]".repeat(2_000)), "the path has more than 1000 steps at character "),
        ("a".repeat(70_000), "the path has 70000 bytes; the limit is 65536 at character "),
    ] {
        let error = path.parse::<Path>().unwrap_err().to_string();
        assert!(error.starts_with(reason), "{error}");
    }
    assert!(format!("a{}", ".b".repeat(999)).parse::<Path>().is_ok());
}

#[test]
fn errors_count_characters() {
    let error = "größe)".parse::<Path>().unwrap_err();
    assert_eq!(
        (error.offset(), error.to_string().as_str()),
        (7, "unexpected `)`; write `\\)` in a name at character 6")
    );
}

#[test]
fn stars_match_any_characters() {
    for (pattern, text, expected) in [
        ("aws_s3_bucket", "aws_s3_bucket", true),
        ("aws_s3_bucket", "aws_s3_bucket_acl", false),
        ("aws_*", "aws_s3_bucket", true),
        ("*", "", true),
        ("*_bucket", "aws_s3_bucket", true),
        ("aws_*_bucket", "aws_bucket", false),
        ("aws_*_bucket*", "aws_s3_bucket_acl", true),
        ("*a*a", "a", false),
        ("a*a", "a", false),
        ("**", "x", true),
        ("", "x", false),
    ] {
        assert_eq!(NamePattern::of(pattern).matches(text), expected, "{pattern} {text}");
    }
}
