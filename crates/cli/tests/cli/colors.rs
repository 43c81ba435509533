//! Removes colors from output.

/// Removes the escape sequences that switch colors, and no others.
pub(crate) fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == ';');
        match rest.strip_prefix('m') {
            Some(rest) => plain.push_str(rest),
            None => plain = format!("{plain}\u{1b}[{part}"),
        }
    }
    plain
}
