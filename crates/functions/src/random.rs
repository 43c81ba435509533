//! Random bytes, with the feature `crypto`.

use hclkit_value::Error;

/// Returns random bytes from the operating system.
///
/// # Errors
/// The system failed to return random bytes.
pub(crate) fn bytes() -> Result<[u8; 16], Error> {
    let mut bytes = [0; 16];
    match getrandom::fill(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(Error::new(format!("failed to get random bytes from the system: {error}"))),
    }
}
