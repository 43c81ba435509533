//! The parts of the source of a module, for columns. What a source is, `dialect` says.

use hclkit::dialect::{ModuleSource, PackageSource};
use hclkit::model::shown_source;

/// The parts of a source.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct SourceParts {
    pub(crate) kind: &'static str,
    pub(crate) host: Option<String>,
    pub(crate) namespace: Option<String>,
    pub(crate) module: Option<String>,
    pub(crate) subdirectory: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) reference: Option<String>,
}

impl SourceParts {
    /// Divides a source into its parts.
    pub(crate) fn of(source: &str) -> Self {
        match ModuleSource::parse(source) {
            Ok(ModuleSource::Local(_)) => Self::local(source),
            Ok(ModuleSource::Registry(found)) => {
                let subdirectory = found.subdirectory.clone();
                let (host, namespace) = (found.host.clone(), Some(found.namespace.clone()));
                let module = hclkit::dialect::RegistrySource { subdirectory: None, ..found }.to_string();
                Self {
                    kind: "registry",
                    host,
                    namespace,
                    module: Some(module),
                    subdirectory,
                    ..Self::default()
                }
            }
            Ok(ModuleSource::Package(found)) => Self::of_package(source, &found),
            Err(_) => Self { kind: "other", module: Some(source.to_owned()), ..Self::default() },
        }
    }

    /// The parts of a template that begins with this text, if what follows is in its parameters.
    pub(crate) fn of_beginning(text: &str) -> Option<Self> {
        let (address, parameters) = text.split_once('?')?;
        let known = parameters.rsplit_once('&').map(|(known, _)| format!("?{known}")).unwrap_or_default();
        // An address in a registry has no parameters.
        let kind = Self::of(&format!("{text}x")).kind;
        (kind != "other").then(|| Self::of(&format!("{address}{known}")))
    }

    fn local(source: &str) -> Self {
        Self { kind: "local", module: Some(source.to_owned()), ..Self::default() }
    }

    fn of_package(source: &str, found: &PackageSource) -> Self {
        let (scheme, address) = found.url.split_once("://").unwrap_or(("", &found.url));
        let (host, path) = address.split_once('/').unwrap_or((address, ""));
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        let kind = match found.getter.as_deref().unwrap_or(scheme) {
            "file" => return Self::local(source),
            "git" | "ssh" => "git",
            "hg" => "mercurial",
            "s3" => "s3",
            "gcs" | "gs" => "gcs",
            "tfr" => "registry",
            _ if matches!(scheme, "http" | "https") => "http",
            _ => "other",
        };
        let parameter = |name: &str| found.parameter(name).map(str::to_owned);
        let host_text = Some(host.to_owned()).filter(|host| !host.is_empty());
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let namespace = path.split_once('/').filter(|_| kind == "registry");
        let namespace = namespace.or_else(|| path.rsplit_once('/').filter(|_| kind == "git"));
        let namespace = namespace.map(|(namespace, _)| namespace.to_owned());
        let names = [host, path].into_iter().filter(|name| !name.is_empty());
        let module = names.collect::<Vec<_>>().join("/");
        let (version, reference) = match kind {
            "registry" => (parameter("version"), None),
            _ => (None, parameter("ref")),
        };
        let (host, subdirectory) = (host_text, found.subdirectory.clone());
        Self { kind, host, namespace, module: Some(module), subdirectory, version, reference }
    }
}

/// The name of the repository at an address, such as `github.com/acme/net` for `git@github.com:acme/net.git`.
pub fn repository_name(address: &str) -> String {
    match SourceParts::of(&shown_source(address)) {
        SourceParts { kind: "local", .. } => shown_source(address).into_owned(),
        found => found.module.unwrap_or_else(|| shown_source(address).into_owned()),
    }
}

/// Whether a call always gets the same code.
pub(crate) fn is_pinned(source: &SourceParts, version: Option<&str>) -> bool {
    match source.kind {
        "local" => true,
        "registry" => version.or(source.version.as_deref()).is_some_and(is_exact),
        _ => source.reference.as_deref().is_some_and(|reference| is_commit(reference) || is_tag(reference)),
    }
}

/// A constraint that only one version meets: `1.2.3`, `= 1.2.3`.
fn is_exact(constraint: &str) -> bool {
    let version = constraint.trim().trim_start_matches('=').trim();
    let version = version.strip_prefix('v').unwrap_or(version);
    let core = version.split(['-', '+']).next().unwrap_or_default();
    let parts: Vec<&str> = core.split('.').collect();
    parts.len() == 3
        && parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
        && !version.contains([',', ' '])
}

/// The id of a commit.
fn is_commit(reference: &str) -> bool {
    (7..=64).contains(&reference.len()) && reference.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A tag that is a version, such as `v1.2.3`.
fn is_tag(reference: &str) -> bool {
    let name = reference.rsplit('/').next().unwrap_or(reference);
    is_exact(name) && !name.starts_with('=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_have_parts() {
        let parts = |source: &str| {
            let found = SourceParts::of(source);
            let code = found.version.or(found.reference);
            let all = [found.host, found.namespace, found.module, found.subdirectory, code];
            let all = all.map(|part| part.unwrap_or_else(|| "-".to_owned()));
            format!("{} {}", found.kind, all.join(" "))
        };
        let cases = [
            ("./a", "local - - ./a - -"),
            ("../a/b", "local - - ../a/b - -"),
            ("/srv/a", "local - - /srv/a - -"),
            ("hashicorp/consul/aws", "registry - hashicorp hashicorp/consul/aws - -"),
            ("hashicorp/consul/aws//modules/x", "registry - hashicorp hashicorp/consul/aws modules/x -"),
            ("app.terraform.io/a/b/aws", "registry app.terraform.io a app.terraform.io/a/b/aws - -"),
            ("github.com/a/b", "git github.com a github.com/a/b - -"),
            ("github.com/a/b//m?ref=v1.2.0", "git github.com a github.com/a/b m v1.2.0"),
            ("git@github.com:a/b.git", "git github.com a github.com/a/b - -"),
            ("git::https://u:p@x.org/a/b.git//m/n?ref=1a2b3c4&depth=1", "git x.org a x.org/a/b m/n 1a2b3c4"),
            ("git::ssh://git@x.org/a/b/c.git?ref=main", "git x.org a/b x.org/a/b/c - main"),
            ("https://x.org/a.zip//m", "http x.org - x.org/a.zip m -"),
            ("s3::https://s3.amazonaws.com/b/a.zip", "s3 s3.amazonaws.com - s3.amazonaws.com/b/a.zip - -"),
            (
                "gcs::https://www.googleapis.com/b/a.zip",
                "gcs www.googleapis.com - www.googleapis.com/b/a.zip - -",
            ),
            ("hg::http://x.org/a", "mercurial x.org - x.org/a - -"),
            ("tfr:///a/b/aws?version=3.1.0", "registry - a a/b/aws - 3.1.0"),
            ("gitlab.com/a/b/aws", "registry gitlab.com a gitlab.com/a/b/aws - -"),
            (
                "git::ssh://git@ssh.dev.azure.com/v3/a/b/c?ref=v2",
                "git ssh.dev.azure.com v3/a/b ssh.dev.azure.com/v3/a/b/c - v2",
            ),
            (
                "git@ssh.dev.azure.com:v3/a/b/c?ref=v2",
                "git ssh.dev.azure.com v3/a/b ssh.dev.azure.com/v3/a/b/c - v2",
            ),
            ("https://github.com/a/b", "http github.com - github.com/a/b - -"),
            ("tfr://x.org/a/b/aws//m?version=3.1.0", "registry x.org a x.org/a/b/aws m 3.1.0"),
            ("gitlab.com/a/b", "other - - gitlab.com/a/b - -"),
            ("", "other - -  - -"),
        ];
        for (source, expected) in cases {
            assert_eq!(parts(source), expected, "{source}");
        }
    }

    #[test]
    fn templates_may_be_in_parameters() {
        for (text, expected) in [
            ("git::https://x.org/a/b.git//m?ref=", Some("x.org/a/b")),
            ("a/b/aws?ref=", None),
            ("tfr:///a/b/aws?version=", Some("a/b/aws")),
            ("git::https://x.org/", None),
        ] {
            let found = SourceParts::of_beginning(text).and_then(|found| found.module);
            assert_eq!(found.as_deref(), expected, "{text}");
        }
        let found = SourceParts::of_beginning("git::https://x.org/a?ref=v1&depth=").unwrap();
        assert_eq!(found.reference.as_deref(), Some("v1"));
    }

    #[test]
    fn what_is_pinned() {
        let pinned = |source: &str, version: Option<&str>| is_pinned(&SourceParts::of(source), version);
        for (source, version) in [
            ("./a", None),
            ("a/b/aws", Some("1.2.3")),
            ("a/b/aws", Some("= 1.2.3-rc1")),
            ("github.com/a/b?ref=v1.2.3", None),
            ("github.com/a/b?ref=0123abcd", None),
            ("tfr:///a/b/aws?version=3.1.0", None),
        ] {
            assert!(pinned(source, version), "{source} {version:?}");
        }
        for (source, version) in [
            ("a/b/aws", None),
            ("a/b/aws", Some("~> 1.2")),
            ("a/b/aws", Some(">= 1.2.3")),
            ("a/b/aws", Some("1.2.3, < 2")),
            ("github.com/a/b", None),
            ("github.com/a/b?ref=main", None),
            ("https://x.org/a.zip", None),
        ] {
            assert!(!pinned(source, version), "{source} {version:?}");
        }
    }
}
