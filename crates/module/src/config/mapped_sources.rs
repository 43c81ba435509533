//! The directories of modules that are not called by a path: sources of registries and repositories, as the user maps
//! them.

use super::installed::split_package;
use crate::files::join;

/// Sources and their directories. The first one that matches applies.
#[derive(Clone, Debug, Default)]
pub struct MappedSources(Vec<(String, String)>);

impl MappedSources {
    /// Adds a source. Each `*` in it is any text, which replaces a `*` in the directory.
    pub fn add(&mut self, source: String, directory: String) {
        self.0.push((source, directory));
    }

    /// Returns the directory of a source: of the whole text, or without its version and the directory inside of it. A
    /// pattern does not say that there is a directory for each source that matches it.
    pub fn directory(&self, source: &str, is_missing: impl Fn(&str) -> bool) -> Option<String> {
        let is_there = |own: &(String, String), found: &String| !own.1.contains('*') || !is_missing(found);
        let of = |text| {
            self.0.iter().find_map(|own| mapped(own, text).filter(|directory| is_there(own, directory)))
        };
        of(source).or_else(|| {
            let (package, inside) = split_package(source);
            Some(join(&of(package)?, inside))
        })
    }
}

fn mapped((pattern, directory): &(String, String), source: &str) -> Option<String> {
    let mut found = Vec::new();
    if !matches(pattern, source, &mut found) {
        return None;
    }
    let mut texts = found.into_iter();
    let mut parts = directory.split('*');
    let first = parts.next().unwrap_or_default().to_owned();
    // What a source contains never leads out of the directory, on any system.
    let is_name = |text: &&str| text.split(['/', '\\']).all(|part| part != "..");
    parts.try_fold(first, |path, part| Some(path + texts.next().filter(is_name).unwrap_or_default() + part))
}

/// Returns true if a pattern matches a text, with the text for each `*`. Each is as short as possible.
fn matches<'t>(pattern: &str, text: &'t str, found: &mut Vec<&'t str>) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let at = if parts.peek().is_none() {
            rest.ends_with(part).then(|| rest.len() - part.len())
        } else {
            rest.find(part)
        };
        let Some(at) = at else { return false };
        found.push(&rest[..at]);
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_sources_and_packages() {
        let mut sources = MappedSources::default();
        sources.add("terraform-aws-modules/*/aws".to_owned(), "vendor/*".to_owned());
        sources.add("git::https://example.com/*.git".to_owned(), "/mirror/*".to_owned());
        sources.add("acme/*/*".to_owned(), "acme".to_owned());
        for (source, directory) in [
            ("terraform-aws-modules/vpc/aws", Some("vendor/vpc")),
            ("terraform-aws-modules/iam/aws//modules/iam-role", Some("vendor/iam/modules/iam-role")),
            ("git::https://example.com/net.git//sub?ref=v1.2", Some("/mirror/net/sub")),
            ("git::https://example.com/net.git?ref=v1.2", Some("/mirror/net")),
            ("acme/x/aws", Some("acme")),
            ("terraform-aws-modules/none/aws", None),
            ("terraform-aws-modules/vpc/azure", None),
            ("terraform-aws-modules/../aws", Some("vendor")),
            ("terraform-aws-modules/x/../../../etc/aws", Some("vendor")),
            (r"terraform-aws-modules/..\..\etc/aws", Some("vendor")),
            ("other/vpc/aws", None),
        ] {
            let found = sources.directory(source, |directory| directory == "vendor/none");
            assert_eq!(found.as_deref().map(|own| own.trim_end_matches('/')), directory, "{source}");
        }
    }
}
