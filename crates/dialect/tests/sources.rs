//! Sources of modules are classified as Terraform does. Its answers are in `sources.tsv`.

use hclkit_dialect::ModuleSource;

#[test]
fn sources_lead_where_terraform_goes() {
    let (mut differences, mut count) = (Vec::new(), 0);
    for line in include_str!("sources.tsv").lines().filter(|line| !line.starts_with('#')) {
        let (source, expected) = line.split_once('\t').unwrap();
        let found = match ModuleSource::parse(source) {
            Ok(ModuleSource::Local(_)) => "local".to_owned(),
            Ok(ModuleSource::Registry(found)) => format!("registry {found}"),
            Ok(ModuleSource::Package(found)) => format!("remote {found}"),
            Err(_) => "error".to_owned(),
        };
        count += 1;
        // The case of a host has no meaning.
        if !found.eq_ignore_ascii_case(expected) {
            differences.push(format!("{source:?}: {found}, but Terraform: {expected}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(count > 200, "{count}");
}

#[test]
fn a_source_that_leads_nowhere_has_a_suggestion_that_leads_somewhere() {
    for (source, expected) in [
        ("modules/net", Some("./modules/net")),
        ("net", Some("./net")),
        (".", Some("./")),
        ("a/b-c/aws-x", Some("./a/b-c/aws-x")),
        ("gitlab.com/group/project//m?ref=v1", Some("git::https://gitlab.com/group/project.git//m?ref=v1")),
        ("org-123@github.com:a/b.git", Some("git::ssh://org-123@github.com/a/b.git")),
        ("github.com/a", None),
        ("~/net", None),
        ("a/b/c?ref=v1", None),
        ("example.com/a/b", None),
        ("", None),
        ("a b", None),
    ] {
        let found = ModuleSource::parse(source).unwrap_err().suggestion;
        assert_eq!(found.as_deref(), expected, "{source}");
        assert!(found.is_none_or(|found| ModuleSource::parse(&found).is_ok()), "{source}");
    }
    for outside in ["a/b/c//../d", "git::https://example.com/a.git//../b"] {
        assert!(ModuleSource::parse(outside).unwrap_err().is_outside, "{outside}");
    }
}
