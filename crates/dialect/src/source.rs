//! The sources of modules, as Terraform and OpenTofu classify them: paths, addresses in a registry, and packages, whose
//! addresses have short forms.

use std::fmt;

/// Where the source of a module leads.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModuleSource {
    /// A directory, as a path with `/` that is relative to the directory of the module that calls it.
    Local(String),
    /// A module in a registry.
    Registry(RegistrySource),
    /// A package that is downloaded from somewhere else, or copied.
    Package(PackageSource),
}

/// The address of a module in a registry.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistrySource {
    /// The host, if it is not the public registry of the program.
    pub host: Option<String>,
    /// Who publishes the module.
    pub namespace: String,
    /// The name of the module.
    pub name: String,
    /// What it is for, such as `aws`.
    pub system: String,
    /// The directory of the module in its package.
    pub subdirectory: Option<String>,
}

/// The address of a package, without short forms.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageSource {
    /// How the package is downloaded, such as `git`, if the address says it.
    pub getter: Option<String>,
    /// The URL, without parameters.
    pub url: String,
    /// The parameters, such as `ref=v1`.
    pub parameters: Option<String>,
    /// The directory of the module in its package.
    pub subdirectory: Option<String>,
}

/// A source that leads nowhere.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// What may be meant.
    pub suggestion: Option<String>,
    /// The directory of the module is outside of its package.
    pub is_outside: bool,
}

/// Hosts of Git repositories, which cannot be those of a registry.
const GIT_HOSTS: [&str; 2] = ["github.com", "bitbucket.org"];

/// Hosts of Git repositories whose addresses have no short form.
const OTHER_GIT_HOSTS: [&str; 4] = ["gitlab.com", "codeberg.org", "git.sr.ht", "dev.azure.com"];

/// Returns true if the source of a module is a path, relative to the directory of the module that calls it. Other sources
/// are addresses of packages: Terraform and OpenTofu refuse `.` and `..`.
///
/// ```
/// use hclkit_dialect::is_local_source;
/// assert!(is_local_source("../network"));
/// assert!(!is_local_source("hashicorp/consul/aws"));
/// ```
#[doc(hidden)]
pub fn is_local_source(source: &str) -> bool {
    ["./", "../", ".\\", "..\\"].iter().any(|start| source.starts_with(start))
}

impl ModuleSource {
    /// Classifies a source.
    ///
    /// # Errors
    /// It is none of the three kinds.
    pub fn parse(source: &str) -> Result<Self, SourceError> {
        if is_local_source(source) {
            return Ok(Self::Local(source.replace('\\', "/")));
        }
        if let Some(found) = RegistrySource::parse(source) {
            return Ok(Self::Registry(found));
        }
        PackageSource::parse(source).map(Self::Package)
    }
}

impl RegistrySource {
    /// Reads `NAMESPACE/NAME/SYSTEM`, which may follow a host and be followed by a directory.
    fn parse(source: &str) -> Option<Self> {
        let (address, subdirectory) = split_subdirectory(source);
        let parts: Vec<&str> = address.split('/').collect();
        let (host, names) = match parts.as_slice() {
            [host, names @ ..] if names.len() == 3 => (Some(registry_host(host)?), names),
            names => (None, names),
        };
        let [namespace, name, system] = names else { return None };
        let is_system = (1..=64).contains(&system.len())
            && system.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        let is_git = host.as_ref().is_some_and(|host| GIT_HOSTS.contains(&host.as_str()));
        let is_valid = is_registry_name(namespace) && is_registry_name(name) && is_system && !is_git;
        (is_valid && !is_outside(subdirectory.as_deref())).then(|| Self {
            host,
            namespace: (*namespace).to_owned(),
            name: (*name).to_owned(),
            system: (*system).to_owned(),
            subdirectory,
        })
    }
}

/// Up to 64 letters, digits, dashes and underscores, the last two only in between.
fn is_registry_name(name: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let ends = [name.bytes().next(), name.bytes().last()];
    name.len() <= 64
        && ends.iter().all(|end| end.is_some_and(|end| end.is_ascii_alphanumeric()))
        && name.bytes().all(is_inner)
}

/// The host of a registry in lower case. It must have a dot.
fn registry_host(host: &str) -> Option<String> {
    let (name, port) = match host.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (host, None),
    };
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && !label.contains("--")
            && label.chars().all(|next| next.is_alphanumeric() || next == '-')
    };
    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|number| number > 0);
    let is_valid = name.contains('.') && name.split('.').all(is_label) && port.is_none_or(is_port);
    let port = port.filter(|port| *port != "443").map(|port| format!(":{port}")).unwrap_or_default();
    is_valid.then(|| name.to_lowercase() + &port)
}

impl PackageSource {
    fn parse(source: &str) -> Result<Self, SourceError> {
        let error = || SourceError { suggestion: suggestion(source), is_outside: false };
        let outside = || SourceError { suggestion: None, is_outside: true };
        let (package, subdirectory) = split_subdirectory(source);
        if is_outside(subdirectory.as_deref()) {
            return Err(outside());
        }
        let (getter, address) = forced(package.as_ref());
        let (own, url) = if is_url(address) || address.is_empty() && getter.is_some() {
            (None, address.to_owned())
        } else {
            detect(address).ok_or_else(error)?
        };
        let (url, inner) = split_subdirectory(&url);
        let subdirectory = match (inner, subdirectory) {
            (Some(inner), Some(own)) => Some(clean(&format!("{inner}/{own}"))),
            (inner, own) => inner.or(own),
        };
        if is_outside(subdirectory.as_deref()) {
            return Err(outside());
        }
        let (url, parameters) = match url.split_once('?') {
            Some((url, parameters)) => (url.to_owned(), Some(parameters.to_owned())),
            None => (url.clone(), None),
        };
        let getter = getter.or(own).map(str::to_owned);
        Ok(Self { getter, url, parameters, subdirectory })
    }

    /// The value of a parameter.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let parameters = self.parameters.as_deref()?.split('&');
        parameters
            .filter_map(|own| own.split_once('='))
            .find_map(|(own, value)| (own == name).then_some(value))
    }
}

/// The package and the directory in it, which follows `//`. Parameters belong to the package.
fn split_subdirectory(source: &str) -> (String, Option<String>) {
    let end = source.find('?').unwrap_or(source.len());
    let (address, parameters) = source.split_at(end);
    let start = address.find("://").map_or(0, |at| at + 3);
    match address[start..].find("//") {
        None => (source.to_owned(), None),
        Some(at) => {
            let (package, inner) = (&address[..start + at], &address[start + at + 2..]);
            (format!("{package}{parameters}"), (!inner.is_empty()).then(|| clean(inner)))
        }
    }
}

fn is_outside(subdirectory: Option<&str>) -> bool {
    subdirectory.is_some_and(|path| path.starts_with("../"))
}

/// A path without `.`, `..` and empty names, as far as possible.
fn clean(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." if names.last().is_some_and(|last| *last != "..") => _ = names.pop(),
            ".." if path.starts_with('/') => {}
            name => names.push(name),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    match names.join("/") {
        names if names.is_empty() && root.is_empty() => ".".to_owned(),
        names => format!("{root}{names}"),
    }
}

/// The way to download that precedes an address, as in `git::ADDRESS`.
fn forced(address: &str) -> (Option<&str>, &str) {
    match address.split_once("::") {
        Some((getter, rest))
            if !getter.is_empty()
                && !rest.is_empty()
                && getter.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            (Some(getter), rest)
        }
        _ => (None, address),
    }
}

/// Returns true for an address with a scheme, also without a host, such as `C:net`.
fn is_url(address: &str) -> bool {
    let Some((scheme, rest)) = address.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    if !is_scheme || address.chars().any(char::is_control) {
        return false;
    }
    let Some(rest) = rest.strip_prefix("//") else { return true };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let port = host.rsplit_once(']').map_or(host, |(_, after)| after).rsplit_once(':').map(|(_, port)| port);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let is_escape = |after: &str| {
        let digits = after.as_bytes();
        digits.len() >= 2 && digits[..2].iter().all(u8::is_ascii_hexdigit)
    };
    port.is_none_or(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
        && !host.contains([' ', '<', '>', '"', '\\', '^', '`', '{', '|', '}'])
        && path.split('%').skip(1).all(is_escape)
}

/// The way to download and the URL of an address in a short form.
fn detect(address: &str) -> Option<(Option<&'static str>, String)> {
    let (path, parameters) = match address.split_once('?') {
        Some((path, parameters)) => (path, format!("?{parameters}")),
        None => (address, String::new()),
    };
    let with_git =
        |path: &str| if path.as_bytes().ends_with(b".git") { path.to_owned() } else { format!("{path}.git") };
    let parts: Vec<&str> = address.split('/').collect();
    if path.starts_with("github.com/") {
        let names: Vec<&str> = path.split('/').collect();
        let (package, inner) = (names.get(..3)?.join("/"), &names[3..]);
        let inner = if inner.is_empty() { String::new() } else { format!("//{}", inner.join("/")) };
        return Some((Some("git"), format!("https://{}{inner}{parameters}", with_git(&package))));
    }
    if let Some((host, inner)) = address.strip_prefix("git@").and_then(|rest| rest.split_once(':'))
        && !host.is_empty()
        && !inner.trim_start_matches('/').is_empty()
    {
        let inner = inner.strip_prefix('/').unwrap_or(inner);
        return Some((Some("git"), format!("ssh://git@{host}/{inner}")));
    }
    if path.starts_with("bitbucket.org/") {
        return Some((Some("git"), format!("https://{}{parameters}", with_git(path))));
    }
    if address.contains("googleapis.com/") {
        let object = parts.get(4..).filter(|object| !object.is_empty())?.join("/");
        let url = format!("https://www.googleapis.com/storage/{}/{}/{object}", parts[2], parts[3]);
        return Some((Some("gcs"), url));
    }
    if address.contains(".amazonaws.com/") {
        let (host, object) = address.split_once('/')?;
        let host: Vec<&str> = host.split('.').collect();
        let url = match host.as_slice() {
            [region, _, _] => format!("https://{region}.amazonaws.com/{object}"),
            [bucket, region, _, _] => format!("https://{region}.amazonaws.com/{bucket}/{object}"),
            [bucket, "s3", region, _, _] => format!("https://s3.{region}.amazonaws.com/{bucket}/{object}"),
            _ => return None,
        };
        return Some((Some("s3"), url));
    }
    address.strip_prefix('/').map(|path| (None, format!("file:///{path}")))
}

/// What may be meant by a source that leads nowhere.
fn suggestion(source: &str) -> Option<String> {
    let (getter, address) = forced(source);
    let (path, parameters) = address.split_at(address.find('?').unwrap_or(address.len()));
    if path.is_empty() || path.chars().any(|next| next.is_whitespace() || next.is_control() || next == '"') {
        return None;
    }
    if let Some((user, rest)) = path.split_once('@')
        && let Some((host, inner)) = rest.split_once(':')
        && !user.contains('/')
    {
        return Some(format!("git::ssh://{user}@{host}/{}{parameters}", inner.trim_start_matches('/')));
    }
    let (host, inner) = path.split_once('/').unwrap_or((path, ""));
    let lower = host.to_lowercase();
    if OTHER_GIT_HOSTS.contains(&lower.as_str()) && inner.contains('/') {
        let (package, subdirectory) = split_subdirectory(inner);
        let subdirectory = subdirectory.map(|path| format!("//{path}")).unwrap_or_default();
        let package = package.strip_suffix(".git").unwrap_or(&package);
        return Some(format!("git::https://{lower}/{package}.git{subdirectory}{parameters}"));
    }
    if GIT_HOSTS.contains(&lower.as_str())
        || getter.is_some()
        || path.contains("://")
        || path.starts_with(['~', '/', '@'])
    {
        return None;
    }
    if matches!(path, "." | "..") {
        return Some(format!("{path}/"));
    }
    (!host.contains(['.', ':']) && parameters.is_empty()).then(|| format!("./{path}"))
}

impl fmt::Display for RegistrySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.host.iter().map(String::as_str);
        let names = host.chain([self.namespace.as_str(), self.name.as_str(), self.system.as_str()]);
        f.write_str(&names.collect::<Vec<_>>().join("/"))?;
        self.subdirectory.as_ref().map_or(Ok(()), |path| write!(f, "//{path}"))
    }
}

impl fmt::Display for PackageSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.getter.as_ref().map_or(Ok(()), |getter| write!(f, "{getter}::"))?;
        f.write_str(&self.url)?;
        self.subdirectory.as_ref().map_or(Ok(()), |path| write!(f, "//{path}"))?;
        self.parameters.as_ref().map_or(Ok(()), |parameters| write!(f, "?{parameters}"))
    }
}
