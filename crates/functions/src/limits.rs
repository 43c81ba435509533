//! How much a function makes out of little: texts and collections that would be larger are errors, since the memory
//! for them may not be there, and the program would end.

use std::io;

use hclkit_value::Error;

/// The longest text that a function makes, in bytes.
const LONGEST: usize = 256 << 20;

/// As many elements a function puts into one list, tuple, set, map or object at most.
const MOST_ELEMENTS: usize = 1 << 24;

/// An error where a text would be too long.
pub(crate) fn check_length(bytes: usize) -> Result<(), Error> {
    if bytes <= LONGEST {
        return Ok(());
    }
    Err(Error::new(format!("the text would be longer than {} MiB", LONGEST >> 20)))
}

/// An error where there would be too many elements.
pub(crate) fn check_count(elements: usize) -> Result<(), Error> {
    if elements <= MOST_ELEMENTS {
        return Ok(());
    }
    Err(Error::new(format!("there would be more than {MOST_ELEMENTS} elements")))
}

/// Text in memory that takes no more than the longest text.
#[derive(Default)]
pub(crate) struct Bounded(Vec<u8>);

impl Bounded {
    /// What was written.
    pub(crate) fn into_text(self) -> Result<String, Error> {
        String::from_utf8(self.0).map_err(|_| Error::new("text that is not UTF-8"))
    }
}

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check_length(self.0.len().saturating_add(bytes.len())).map_err(io::Error::other)?;
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
