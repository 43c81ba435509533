//! What of addresses may be shown, such as the sources of modules: no names, passwords and keys.

use std::borrow::Cow;

/// The characters that replace interpolations in the text of a template: the first range those with references only, the second one
/// all others. Both ranges are for private use.
pub(crate) const INTERPOLATIONS: [std::ops::Range<u32>; 2] = [0xf_0000..0xf_fffd, 0x10_0000..0x10_fffd];

fn is_interpolation(own: char) -> bool {
    INTERPOLATIONS[0].contains(&u32::from(own))
}

/// The parameters of a source that may be shown.
const PARAMETERS: [&str; 6] = ["ref", "depth", "version", "archive", "checksum", "rev"];

/// The source of a module without a name and a password in its address, and without parameters that may be keys. The user of
/// SSH is no secret.
///
/// ```
/// use hclkit_model::shown_source;
/// let source = "git::https://me:password@x.org/a.git?ref=v1&sshkey=abc";
/// assert_eq!(shown_source(source), "git::https://x.org/a.git?ref=v1");
/// assert_eq!(shown_source("git@github.com:a/b"), "git@github.com:a/b");
/// ```
#[doc(hidden)]
pub fn shown_source(source: &str) -> Cow<'_, str> {
    let (address, parameters) = match source.split_once('?') {
        Some((address, parameters)) => (address, Some(parameters)),
        None => (source, None),
    };
    let mut shown = without(address, true);
    if let Some((before, _)) = shown.split_once('#').filter(|(before, _)| before.contains("://")) {
        shown = Cow::Owned(before.to_owned());
    }
    if let Some(without) = without_user(&shown) {
        shown = Cow::Owned(without);
    }
    let Some(parameters) = parameters else { return shown };
    let kept: Vec<&str> = parameters.split('&').filter(|own| is_plain_parameter(own)).collect();
    if kept.is_empty() {
        return Cow::Owned(shown.into_owned());
    }
    Cow::Owned(format!("{shown}?{}", kept.join("&")))
}

/// Whether a parameter may be shown: it has a known name, and a value that cannot be an address.
fn is_plain_parameter(parameter: &str) -> bool {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let is_plain = |own: char| {
        own.is_alphanumeric() || matches!(own, '.' | '_' | '-' | '+' | '/') || is_interpolation(own)
    };
    let value = match value.split_once(':') {
        // The kind of a checksum, such as `sha256:`.
        Some((kind, digest)) if name == "checksum" && digest.bytes().all(|own| own.is_ascii_hexdigit()) => {
            kind
        }
        _ => value,
    };
    PARAMETERS.contains(&name) && value.chars().all(is_plain)
}

/// A source without a scheme, such as `me:password@host:path`, without what is before the host. A name alone is the user of SSH.
fn without_user(source: &str) -> Option<String> {
    if source.contains("://") || source.starts_with("./") || source.starts_with("../") {
        return None;
    }
    let start = source.find("::").map_or(0, |at| at + 2);
    let at = source[start..].rfind('@')?;
    let is_name = |own: char| own.is_alphanumeric() || matches!(own, '.' | '_' | '-');
    let user = &source[start..start + at];
    (!user.chars().all(is_name)).then(|| format!("{}{}", &source[..start], &source[start + at + 1..]))
}

/// A text without the names and passwords in its addresses: `scheme://name:password@host`.
///
/// ```
/// use hclkit_model::without_credentials;
/// assert_eq!(without_credentials("See postgres://me:password@db/x."), "See postgres://db/x.");
/// ```
#[doc(hidden)]
pub fn without_credentials(text: &str) -> Cow<'_, str> {
    without(text, false)
}

/// `is_address` says that all of the text is one.
fn without(text: &str, is_address: bool) -> Cow<'_, str> {
    // Few texts contain `@`, and bytes are found faster than texts.
    if !text.as_bytes().contains(&b'@') || !text.contains("://") {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let scheme = &before[..at];
        rest = &after[user_end(scheme, after, is_address)..];
    }
    out.push_str(rest);
    if out.len() == text.len() { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

/// The end of the name and password at the start of an address after its scheme, with the `@`.
fn user_end(scheme: &str, address: &str, is_address: bool) -> usize {
    let is_end =
        |own: char| !is_address && (own.is_whitespace() || matches!(own, '"' | '\'' | '<' | '>' | '`'));
    let word = &address[..address.find(is_end).unwrap_or(address.len())];
    // The next address of a list.
    let word = &word[..word.find("://").unwrap_or(word.len())];
    let host = &word[..word.find(['/', '?', '#']).unwrap_or(word.len())];
    let found = host.rfind('@').or_else(|| {
        // A password with a slash: what follows the colon is not a port.
        let (_, port) = host.split_once(':')?;
        let is_port = port.chars().all(|own| own.is_ascii_digit() || is_interpolation(own));
        word.rfind('@').filter(|_| !is_port || port.is_empty() && host.len() < word.len())
    });
    match found {
        // References are not what they refer to.
        Some(at) if at > 0 && has_references_only(&word[..at]) => 0,
        Some(at) if scheme.ends_with("ssh") && !word[..at].contains(':') => 0,
        Some(at) => at + 1,
        None => 0,
    }
}

/// Whether a name and a password consist of interpolations of references, replaced by characters or not.
fn has_references_only(user: &str) -> bool {
    let mut rest = user.trim_start_matches(|own| own == ':' || is_interpolation(own));
    while let Some((_, after)) = rest.strip_prefix("${").and_then(|inside| inside.split_once('}')) {
        rest = after.trim_start_matches(|own| own == ':' || is_interpolation(own));
    }
    rest.is_empty()
}
