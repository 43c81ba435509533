//! Puts documentation into a file, between two markers. All else in the file stays as it is.

use std::fmt;

/// The marker before the documentation in a file.
pub const BEGIN: &str = "<!-- BEGIN_TF_DOCS -->";
/// The marker after it.
pub const END: &str = "<!-- END_TF_DOCS -->";

/// Why documentation cannot be put into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InjectError {
    /// There is a marker without the other one, or they are in the wrong order.
    Unpaired {
        /// The line of the marker, from 1.
        line: usize,
        /// The marker that is missing.
        missing: String,
    },
    /// A marker is there twice.
    Twice {
        /// The line of the second one, from 1.
        line: usize,
        /// The marker.
        marker: String,
    },
}

impl fmt::Display for InjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unpaired { line, missing } => {
                write!(f, "line {line} has a marker without the other one; add the line {missing}")
            }
            Self::Twice { line, marker } => {
                write!(f, "line {line} has the marker {marker} a second time; remove one")
            }
        }
    }
}

impl std::error::Error for InjectError {}

/// Returns a text in which the part between the markers is replaced. Markers are added at the end if there are none. Line breaks are
/// those of the text.
///
/// # Errors
/// If a marker is missing or is there twice.
///
/// ```
/// use hclkit::docs::{BEGIN, END, inject};
///
/// let text = format!("# Title\n\n{BEGIN}\nold\n{END}\n\nEnd.\n");
/// assert_eq!(inject(&text, "new", (BEGIN, END))?, format!("# Title\n\n{BEGIN}\nnew\n{END}\n\nEnd.\n"));
/// # Ok::<(), hclkit::docs::InjectError>(())
/// ```
pub fn inject(text: &str, content: &str, (begin, end): (&str, &str)) -> Result<String, InjectError> {
    // No text of a module ends the part before its end.
    let content =
        [begin, end].iter().fold(content.to_owned(), |all, marker| match marker.strip_prefix('<') {
            Some(rest) => all.replace(marker, &format!("&lt;{rest}")),
            None => all
                .lines()
                .map(|line| if line.trim() == *marker { "" } else { line })
                .collect::<Vec<_>>()
                .join("\n"),
        });
    let is_crlf = text.contains("\r\n");
    let (content, newline) = if is_crlf { (content.replace('\n', "\r\n"), "\r\n") } else { (content, "\n") };
    let part = format!("{begin}{newline}{content}{newline}{end}");
    let line_of = |at: usize| text[..at].matches('\n').count() + 1;
    let once = |marker: &str| {
        let first = text.find(marker);
        if let Some(second) =
            first.and_then(|at| Some(at + marker.len() + text[at + marker.len()..].find(marker)?))
        {
            return Err(InjectError::Twice { line: line_of(second), marker: marker.to_owned() });
        }
        Ok(first)
    };
    match (once(begin)?, once(end)?) {
        (Some(start), Some(stop)) if start + begin.len() <= stop => {
            Ok(format!("{}{part}{}", &text[..start], &text[stop + end.len()..]))
        }
        (None, None) => {
            let gap = if text.is_empty() {
                ""
            } else if text.ends_with('\n') {
                newline
            } else if is_crlf {
                "\r\n\r\n"
            } else {
                "\n\n"
            };
            Ok(format!("{text}{gap}{part}{newline}"))
        }
        (Some(at), _) => Err(InjectError::Unpaired { line: line_of(at), missing: end.to_owned() }),
        (None, Some(at)) => Err(InjectError::Unpaired { line: line_of(at), missing: begin.to_owned() }),
    }
}
