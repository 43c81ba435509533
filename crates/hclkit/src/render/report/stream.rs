//! JSON that is written part by part, so that it is never completely in memory. The layout is that of `serde_json`.

use std::io::{self, Write};

use serde_core::Serialize;
use serde_json::ser::{Formatter as _, PrettyFormatter};

/// Objects and arrays that are open, and what is written next.
#[derive(Debug)]
pub(super) struct Stream<W> {
    pub(super) out: W,
    pub(super) compact: bool,
    /// How many objects and arrays are open.
    depth: usize,
    /// Whether nothing was written in the innermost one.
    empty: bool,
}

impl<W: Write> Stream<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, compact: false, depth: 0, empty: true }
    }

    /// Separates what comes next in an object or an array from what was before.
    pub(super) fn item(&mut self) -> io::Result<()> {
        if !self.empty {
            self.out.write_all(b",")?;
        }
        self.empty = false;
        self.line()
    }

    fn line(&mut self) -> io::Result<()> {
        if !self.compact {
            self.out.write_all(b"\n")?;
            (0..self.depth).try_for_each(|_| self.out.write_all(b"  "))?;
        }
        Ok(())
    }

    /// Opens an object or an array.
    pub(super) fn open(&mut self, bracket: &str) -> io::Result<()> {
        self.out.write_all(bracket.as_bytes())?;
        (self.depth, self.empty) = (self.depth + 1, true);
        Ok(())
    }

    /// Closes the innermost object or array.
    pub(super) fn close(&mut self, bracket: &str) -> io::Result<()> {
        self.depth -= 1;
        if !self.empty {
            self.line()?;
        }
        self.empty = false;
        self.out.write_all(bracket.as_bytes())
    }

    /// Writes the name of a property.
    pub(super) fn name(&mut self, name: &str) -> io::Result<()> {
        self.item()?;
        write!(self.out, "\"{name}\":{}", if self.compact { "" } else { " " })
    }

    /// Writes a value.
    pub(super) fn value(&mut self, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
        if self.compact {
            return Ok(serde_json::to_writer(&mut self.out, value)?);
        }
        let mut formatter = PrettyFormatter::new();
        (0..self.depth).try_for_each(|_| formatter.begin_array(&mut io::sink()))?;
        let mut serializer = serde_json::Serializer::with_formatter(&mut self.out, formatter);
        Ok(value.serialize(&mut serializer)?)
    }

    /// Writes a property.
    pub(super) fn entry(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
        self.name(name)?;
        self.value(value)
    }

    /// Writes an object.
    pub(super) fn object(&mut self, content: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
        self.open("{")?;
        content(self)?;
        self.close("}")
    }

    /// Writes a property whose value is an object.
    pub(super) fn object_entry(
        &mut self,
        name: &str,
        content: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.name(name)?;
        self.object(content)
    }

    /// Writes a property whose value is an array of objects.
    pub(super) fn array_entry<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        mut content: impl FnMut(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<()> {
        self.name(name)?;
        self.open("[")?;
        for item in items {
            self.item()?;
            self.object(|stream| content(stream, item))?;
        }
        self.close("]")
    }
}
