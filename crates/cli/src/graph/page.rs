//! A page for browsers: the names of a graph to search and to follow, and the picture if there are not too many.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use hclkit::module::Graph;
use hclkit::render::graph::write_svg_part;

use super::{Document, fits_picture};

/// The page, with places for the data and for the picture.
const PAGE: &str = include_str!("page.html");

/// Writes a page without references to anything outside of it.
pub(super) fn write(graph: &Graph, numbers: &BTreeSet<usize>, out: &mut impl Write) -> fmt::Result {
    let mut parts = PAGE.splitn(3, "<!-- part -->\n");
    let mut next = || parts.next().unwrap_or_default();
    out.write_str(next())?;
    serde_json::to_writer(Escaped(out), &Document(graph, numbers)).map_err(|_| fmt::Error)?;
    out.write_str(next())?;
    if fits_picture(graph, numbers) {
        write_svg_part(graph, numbers, out)?;
    }
    out.write_str(next())
}

/// Writes JSON so that the element of a page that contains it does not end: the characters of HTML are in strings only.
struct Escaped<'w, W>(&'w mut W);

impl<W: Write> std::io::Write for Escaped<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(std::io::Error::other)?;
        for character in text.chars() {
            match character {
                '<' | '>' | '&' => write!(self.0, "\\u{:04x}", u32::from(character)),
                _ => self.0.write_char(character),
            }
            .map_err(std::io::Error::other)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
