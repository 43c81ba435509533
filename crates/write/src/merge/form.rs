//! The form of a text: its line breaks, a byte order mark, whether it ends with a line break, and bytes that are not UTF-8.
//! Versions are merged in one form, and the form of the result is merged like everything else.

use std::borrow::Cow;

use super::Version;

const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The forms of three versions.
#[allow(clippy::struct_excessive_bools, reason = "each is a property of the text")]
pub(super) struct Form {
    /// Whether bytes are characters, because a version is not UTF-8.
    not_text: Option<Version>,
    /// Whether the line breaks of each version are all of one kind.
    is_uniform: bool,
    /// Of the result.
    has_mark: bool,
    has_carriage_returns: bool,
    has_last_break: bool,
}

impl Form {
    pub(super) fn of(versions: [&[u8]; 3]) -> Self {
        let not_text = Version::ALL
            .into_iter()
            .find(|version| std::str::from_utf8(versions[*version as usize]).is_err());
        let breaks = versions.map(line_breaks);
        Self {
            not_text,
            is_uniform: !breaks.contains(&Some(Breaks::Mixed)),
            has_mark: picked(versions.map(|version| Some(version.starts_with(MARK)))),
            has_carriage_returns: picked(breaks.map(|breaks| breaks.map(|breaks| breaks == Breaks::Crlf))),
            has_last_break: picked(
                versions.map(|version| (!version.is_empty()).then(|| version.ends_with(b"\n"))),
            ),
        }
    }

    /// The first version that is not UTF-8.
    pub(super) fn not_text(&self) -> Option<Version> {
        self.not_text
    }

    /// The versions in one form: without a byte order mark and carriage returns, and with a line break at the end.
    pub(super) fn texts<'t>(&self, versions: [&'t [u8]; 3]) -> [Cow<'t, str>; 3] {
        versions.map(|version| {
            let version = version.strip_prefix(MARK).unwrap_or(version);
            let mut text = match std::str::from_utf8(version) {
                Ok(text) if self.not_text.is_none() => Cow::Borrowed(text),
                _ => Cow::Owned(version.iter().map(|byte| char::from(*byte)).collect()),
            };
            if self.is_uniform && text.contains('\r') {
                text = Cow::Owned(text.replace("\r\n", "\n"));
            }
            if !text.is_empty() && !text.ends_with('\n') {
                text.to_mut().push('\n');
            }
            text
        })
    }

    /// The bytes of a result. `ends_with_text` is false if it ends with a conflict, whose last line is complete.
    pub(super) fn bytes(&self, mut text: String, ends_with_text: bool) -> Vec<u8> {
        if ends_with_text && !self.has_last_break && text.ends_with('\n') {
            text.pop();
            if !self.is_uniform && text.ends_with('\r') {
                text.pop();
            }
        }
        if self.is_uniform && self.has_carriage_returns {
            text = text.replace('\n', "\r\n");
        }
        let mark = if self.has_mark { MARK } else { b"" };
        let bytes = match self.not_text {
            // Each character was a byte, but those of labels may be others.
            Some(_) => text
                .chars()
                .flat_map(|c| u8::try_from(c).map_or_else(|_| c.to_string().into_bytes(), |byte| vec![byte]))
                .collect(),
            None => text.into_bytes(),
        };
        [mark, &bytes].concat()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Breaks {
    Lf,
    Crlf,
    Mixed,
}

/// The kind of line breaks, if there are any.
fn line_breaks(text: &[u8]) -> Option<Breaks> {
    let with_return = memchr::memmem::find_iter(text, b"\r\n").count();
    match memchr::memchr_iter(b'\n', text).count() {
        0 => None,
        _ if with_return == 0 => Some(Breaks::Lf),
        all if all == with_return => Some(Breaks::Crlf),
        _ => Some(Breaks::Mixed),
    }
}

/// What only one side changed. A version that does not say is as the others.
fn picked([base, ours, theirs]: [Option<bool>; 3]) -> bool {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) if ours == theirs => ours,
        // The side that differs from the base; if there is none, what both can have.
        (Some(_), Some(_)) => base.is_none_or(|base| !base),
        (ours, theirs) => ours.or(theirs).or(base).unwrap_or_default(),
    }
}
