//! JSON that is safe to print on a terminal.

use std::io::{self, Write};

use hclkit_syntax::is_visible;

/// A writer for JSON that escapes invisible characters. Outside of strings, JSON contains none of them except line breaks;
/// inside strings, the escapes have the same meaning.
///
/// ```
/// use hclkit::render::VisibleJson;
///
/// let mut text = Vec::new();
/// serde_json::to_writer(VisibleJson(&mut text), "a\u{202e}b")?;
/// assert_eq!(text, br#""a\u202eb""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug)]
pub struct VisibleJson<W>(pub W);

impl<W: Write> Write for VisibleJson<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_ascii() && !bytes.contains(&0x7f) {
            return self.0.write_all(bytes);
        }
        // Encoders write whole characters.
        let mut rest =
            std::str::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        while let Some((at, sign)) = rest.char_indices().find(|&(_, sign)| !is_visible(sign) && sign != '\n')
        {
            self.0.write_all(&rest.as_bytes()[..at])?;
            for unit in sign.encode_utf16(&mut [0; 2]) {
                write!(self.0, "\\u{unit:04x}")?;
            }
            rest = &rest[at + sign.len_utf8()..];
        }
        self.0.write_all(rest.as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
