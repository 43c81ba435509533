//! Chooses the version of a provider whose schema is used: the one that a lock file names, or one that `required_providers` allows.

use std::collections::BTreeMap;

use hclkit_model::{Body, Context, Schema};
use hclkit_syntax::Source;

use hclkit_dialect::{Constraints, Version};

/// The name of the file with the versions of the providers of a module.
pub const LOCK_FILE: &str = ".terraform.lock.hcl";

/// The versions of providers that a lock file, such as [`LOCK_FILE`], names, by their addresses. What has another form is
/// left out.
///
/// ```
/// use hclkit_module::locked_versions;
/// use hclkit_syntax::Source;
///
/// let text = "provider \"registry.terraform.io/hashicorp/aws\" {\n  version = \"5.31.0\"\n}\n";
/// let versions = locked_versions(Source::new(".terraform.lock.hcl", text));
/// assert_eq!(versions["registry.terraform.io/hashicorp/aws"], "5.31.0");
/// ```
pub fn locked_versions(source: Source) -> BTreeMap<String, String> {
    let (body, _) = Body::parse(source);
    let ((content, _), _) = body.partial_content(&Schema::new().with_block("provider", &["source"]));
    let blocks = content.blocks.into_iter();
    let versions = blocks.filter_map(|block| {
        let value = block.body.attribute("version")?.expression.evaluate(&Context::new()).ok()?;
        Some((block.labels.first()?.to_string(), value.as_str()?.to_owned()))
    });
    versions.collect()
}

/// The version whose schema describes a provider best: the locked one, or else the newest one that the constraint allows, or else
/// the newest one.
///
/// ```
/// use hclkit_module::choose_version;
///
/// let known = ["4.9.0", "5.31.0", "5.4.0"];
/// assert_eq!(choose_version(known, Some("4.9.0"), None), Some("4.9.0"));
/// assert_eq!(choose_version(known, Some("4.8.0"), Some("< 5.31")), Some("5.4.0"));
/// assert_eq!(choose_version(known, None, Some("~> 6.0")), Some("5.31.0"));
/// ```
pub fn choose_version<'v>(
    known: impl IntoIterator<Item = &'v str>,
    locked: Option<&str>,
    constraint: Option<&str>,
) -> Option<&'v str> {
    let constraint = constraint.and_then(Constraints::parse);
    let rank = |text: &str| {
        let version = Version::parse(text);
        let is_locked = locked == Some(text);
        let is_allowed =
            version.as_ref().is_some_and(|own| constraint.as_ref().is_none_or(|all| all.allow(own)));
        (is_locked, is_allowed, version)
    };
    known.into_iter().max_by(|one, other| {
        let ((one_locked, one_allowed, one), (other_locked, other_allowed, other)) = (rank(one), rank(other));
        let first =
            (one_locked, one_allowed, one.is_some()).cmp(&(other_locked, other_allowed, other.is_some()));
        first.then_with(|| match (&one, &other) {
            (Some(one), Some(other)) => one.compare(other),
            _ => std::cmp::Ordering::Equal,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_known_versions_does_not_matter() {
        let mut known = ["1.0.0", "1.10.0", "1.9.0", "2.0.0-beta1", "unknown", "0.9"];
        for _ in 0..known.len() {
            known.rotate_left(1);
            for (locked, constraint, expected) in [
                (None, None, "2.0.0-beta1"),
                (None, Some("~> 1.0"), "1.10.0"),
                (None, Some("~> 1.9.0"), "1.9.0"),
                (Some("1.0.0"), Some("~> 1.9.0"), "1.0.0"),
                (Some("3.0.0"), Some("not a constraint"), "2.0.0-beta1"),
                (None, Some("> 3"), "2.0.0-beta1"),
                (Some("unknown"), None, "unknown"),
            ] {
                assert_eq!(
                    choose_version(known, locked, constraint),
                    Some(expected),
                    "{locked:?} {constraint:?}"
                );
            }
        }
        assert_eq!(choose_version(["unknown"], None, Some("~> 1.0")), Some("unknown"));
        assert_eq!(choose_version([], Some("1.0.0"), None), None);
    }

    #[test]
    fn lock_files_with_errors_name_what_can_be_read() {
        let text = "provider \"a/b/c\" {\n  version = \"1.0.0\"\n}\nprovider \"a/b/d\" {\n  version = null\n}\nprovider {\n";
        let found = locked_versions(Source::new(".terraform.lock.hcl", text));
        assert_eq!(found, BTreeMap::from([("a/b/c".to_owned(), "1.0.0".to_owned())]));
    }
}
