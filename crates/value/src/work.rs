//! How work on text and parts of values is counted.

use hclkit_limits::Meter;

use crate::error::Error;

/// The number of bytes of text that count as one step where they are read: in arguments of functions, and where text is
/// converted or used as a key.
const TEXT_STEP: usize = 64;

/// The number of bytes of text that count as one step where two texts are compared, which is faster.
const COMPARED_STEP: usize = 1024;

/// The number of parts that count as one step where two values or types are compared.
const PARTS_STEP: usize = 16;

/// Counts text that is read.
#[inline]
pub(crate) fn read_text(bytes: usize) -> Result<(), Error> {
    if bytes >= TEXT_STEP {
        Meter::current().take_steps((bytes / TEXT_STEP) as u64)?;
    }
    Ok(())
}

/// Counts the parts of a value or a type that is compared with another one. If a limit is exceeded, the next check
/// reports it.
#[inline]
pub(crate) fn count_parts(count: usize) {
    if count >= PARTS_STEP {
        let _ = Meter::current().take_steps((count / PARTS_STEP) as u64);
    }
}

/// Compares two texts, and counts the bytes that are read. If a limit is exceeded, the next check reports it.
#[inline]
pub(crate) fn equal_texts(a: &str, b: &str) -> bool {
    if a.len() == b.len() && a.len() >= COMPARED_STEP {
        let _ = Meter::current().take_steps((a.len() / COMPARED_STEP) as u64);
    }
    a == b
}
