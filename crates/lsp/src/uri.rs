//! Addresses of documents. Files have their paths; other documents, such as unsaved ones, a path that begins with `/~` and the
//! scheme, so that it can be turned back.

use std::fmt::Write as _;

use hclkit::limits::is_network_path;
use hclkit::module::join_path;

/// Why an address is not that of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoPath {
    Invalid,
    /// It is a file of another machine.
    Network,
}

/// The path of a document. `None` if the address is not one.
pub(crate) fn to_path(uri: &str) -> Option<String> {
    path_or_reason(uri).ok()
}

/// Whether an address is that of a file on another machine.
pub(crate) fn is_network(uri: &str) -> bool {
    path_or_reason(uri) == Err(NoPath::Network)
}

fn path_or_reason(uri: &str) -> Result<String, NoPath> {
    let (scheme, rest) = uri.split_once(':').ok_or(NoPath::Invalid)?;
    let is_scheme = scheme.starts_with(|sign: char| sign.is_ascii_alphabetic())
        && scheme.chars().all(|sign| sign.is_ascii_alphanumeric() || "+-.".contains(sign));
    if !is_scheme {
        return Err(NoPath::Invalid);
    }
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    if !scheme.eq_ignore_ascii_case("file") {
        let rest = rest.strip_prefix("//").map_or_else(|| format!("~/{rest}"), |rest| format!("/{rest}"));
        return Ok(format!("/~{scheme}{}", decode(&rest).ok_or(NoPath::Invalid)?));
    }
    let (host, path) = rest
        .strip_prefix("//")
        .map_or(("", rest), |rest| rest.split_at(rest.find('/').unwrap_or(rest.len())));
    let path = decode(path).ok_or(NoPath::Invalid)?;
    if !(host.is_empty() || host.eq_ignore_ascii_case("localhost")) || is_network_path(&path) {
        return Err(NoPath::Network);
    }
    let is_drive = cfg!(windows) && path.as_bytes().get(2) == Some(&b':');
    Ok(if is_drive { join_path("", &path[1..]) } else { join_path("/", path.trim_start_matches('/')) })
}

/// The address of a path.
pub(crate) fn of_path(path: &str) -> String {
    if let Some(rest) = path.strip_prefix("/~") {
        return match rest.split_once("~/") {
            Some((scheme, rest)) if !scheme.contains('/') => format!("{scheme}:{}", encode(rest)),
            _ => rest
                .split_once('/')
                .map_or_else(|| format!("{rest}:"), |(scheme, rest)| format!("{scheme}://{}", encode(rest))),
        };
    }
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", encode(path))
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let [high, low, tail @ ..] = rest else { return None };
        let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        bytes.push(digit(*high)? * 16 + digit(*low)?);
        rest = tail;
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

fn encode(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_addresses_are_inverse() {
        let cases = [
            ("file:///a/b.tf", "/a/b.tf"),
            ("file:///a%20b/%C3%A4%3A.tf", "/a b/ä:.tf"),
            ("untitled:Untitled-1", "/~untitled~/Untitled-1"),
            ("vscode-vfs://github/o/r/main.tf", "/~vscode-vfs/github/o/r/main.tf"),
        ];
        for (uri, path) in cases {
            assert_eq!(to_path(uri).as_deref(), Some(path));
            assert_eq!(of_path(path), uri);
        }
        for same in ["file:/a/../b.tf", "file:///a/../b.tf", "file://localhost/a/../b.tf"] {
            assert_eq!(to_path(same).as_deref(), Some("/b.tf"));
        }
        for wrong in ["", "main.tf", "file:///%zz", "file:///%00", "1a:b"] {
            assert_eq!(path_or_reason(wrong), Err(NoPath::Invalid), "{wrong}");
        }
    }
}
