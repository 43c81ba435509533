//! What the source of a module is: a path, a module of a registry, or an address that go-getter understands.

use hclkit::dialect::is_local_source;
use hclkit::model::shown_source;

/// The parts of a source.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ModuleSource {
    pub(crate) kind: &'static str,
    pub(crate) host: Option<String>,
    pub(crate) namespace: Option<String>,
    pub(crate) module: Option<String>,
    pub(crate) subdirectory: Option<String>,
    pub(crate) reference: Option<String>,
}

/// The hosts whose addresses are those of Git repositories without further signs.
const GIT_HOSTS: [&str; 3] = ["github.com", "gitlab.com", "bitbucket.org"];

impl ModuleSource {
    /// Divides a source into its parts.
    pub(crate) fn of(source: &str) -> Self {
        if is_local_source(source) || source.starts_with('/') {
            return Self { kind: "local", module: Some(source.to_owned()), ..Self::default() };
        }
        let (source, parameters) = source.split_once('?').unwrap_or((source, ""));
        let (forced, rest) = match source.split_once("::") {
            Some((forced, rest)) if forced.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
                (Some(forced), rest)
            }
            _ => (None, source),
        };
        let (rest, subdirectory) = split_subdirectory(rest);
        let reference = parameters.split('&').find_map(|own| own.strip_prefix("ref=")).map(str::to_owned);
        let subdirectory = subdirectory.map(str::to_owned);
        if forced.is_none()
            && !rest.contains("://")
            && let Some(registry) = registry(rest)
        {
            let subdirectory = subdirectory.clone();
            return Self { subdirectory, ..registry };
        }
        let (scheme, address) = match rest.split_once("://") {
            Some((scheme, address)) => (Some(scheme), address.to_owned()),
            // git@github.com:owner/name.git
            None => match rest.split_once(':') {
                Some((host, path)) if host.contains('@') && !host.contains('/') => {
                    (Some("ssh"), format!("{host}/{path}"))
                }
                _ => (None, rest.to_owned()),
            },
        };
        let (host, path) = address.split_once('/').unwrap_or((&address, ""));
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        let is_git_host = GIT_HOSTS.contains(&host);
        let ends_like_git = path.rsplit_once('.').is_some_and(|(_, ending)| ending == "git");
        let kind = match (forced, scheme) {
            (Some("git"), _) => "git",
            (Some("hg"), _) => "mercurial",
            (Some("s3"), _) => "s3",
            (Some("gcs"), _) => "gcs",
            (Some("tfr"), _) | (None, Some("tfr")) => "registry",
            (Some("file"), _) | (None, Some("file")) => "local",
            (None, Some("git" | "ssh")) => "git",
            (None, None) if is_git_host => "git",
            (None, Some("http" | "https")) if is_git_host || ends_like_git => "git",
            (_, Some("http" | "https")) => "http",
            (None, Some("s3")) => "s3",
            (None, Some("gcs" | "gs")) => "gcs",
            _ => "other",
        };
        if kind == "registry" {
            let found = registry(path).unwrap_or_default();
            let host = (!host.is_empty()).then(|| host.to_owned());
            let version =
                parameters.split('&').find_map(|own| own.strip_prefix("version=")).map(str::to_owned);
            return Self { kind, host, subdirectory, reference: version, ..found };
        }
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let namespace = path.rsplit_once('/').map(|(namespace, _)| namespace.to_owned());
        let namespace = namespace.filter(|namespace| !namespace.is_empty() && kind == "git");
        let module = if path.is_empty() { host.to_owned() } else { format!("{host}/{path}") };
        let host = (!host.is_empty()).then(|| host.to_owned());
        Self { kind, host, namespace, module: Some(module), subdirectory, reference }
    }
}

/// The name of the repository at an address, such as `github.com/acme/net` for `git@github.com:acme/net.git`.
pub fn repository_name(address: &str) -> String {
    match ModuleSource::of(&shown_source(address)) {
        ModuleSource { kind: "local", .. } => shown_source(address).into_owned(),
        found => found.module.unwrap_or_else(|| shown_source(address).into_owned()),
    }
}

/// A source before and after `//`, which is not that of a scheme.
fn split_subdirectory(source: &str) -> (&str, Option<&str>) {
    let start = source.find("://").map_or(0, |at| at + 3);
    match source[start..].find("//") {
        Some(at) => (&source[..start + at], Some(&source[start + at + 2..])),
        None => (source, None),
    }
}

/// `NAMESPACE/NAME/SYSTEM`, or the same after a host.
fn registry(source: &str) -> Option<ModuleSource> {
    let parts: Vec<&str> = source.split('/').filter(|part| !part.is_empty()).collect();
    let (host, rest) = match parts.as_slice() {
        [host, rest @ ..] if rest.len() == 3 && host.contains('.') => (Some(*host), rest),
        rest if rest.len() == 3 => (None, rest),
        _ => return None,
    };
    let is_name =
        |part: &&str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if !rest.iter().all(is_name) || host.is_some_and(|host| GIT_HOSTS.contains(&host)) {
        return None;
    }
    let module = host.iter().chain(rest).copied().collect::<Vec<_>>().join("/");
    Some(ModuleSource {
        kind: "registry",
        host: host.map(str::to_owned),
        namespace: Some(rest[0].to_owned()),
        module: Some(module),
        ..ModuleSource::default()
    })
}

/// Whether a call always gets the same code.
pub(crate) fn is_pinned(source: &ModuleSource, version: Option<&str>) -> bool {
    match source.kind {
        "local" => true,
        "registry" => version.or(source.reference.as_deref()).is_some_and(is_exact),
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
            let found = ModuleSource::of(source);
            let all = [found.host, found.namespace, found.module, found.subdirectory, found.reference];
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
            ("", "other - -  - -"),
        ];
        for (source, expected) in cases {
            assert_eq!(parts(source), expected, "{source}");
        }
    }

    #[test]
    fn what_is_pinned() {
        let pinned = |source: &str, version: Option<&str>| is_pinned(&ModuleSource::of(source), version);
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
