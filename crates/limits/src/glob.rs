//! Limits on file patterns. Patterns are compiled to regular expressions, which takes stack for each level of braces and
//! memory for each character.

/// The maximum length of a pattern in bytes, and the maximum number of open braces.
const BYTES: usize = 4_096;
const NESTING: usize = 16;

/// Checks that a pattern such as `*.{hcl,json}` is small enough to compile. Call this before compiling it.
///
/// ```
/// use hclkit_limits::check_glob;
///
/// assert!(check_glob("**/*.{hcl,json}").is_ok());
/// assert_eq!(check_glob(&"{".repeat(17)), Err("it contains more than 16 nested braces"));
/// assert_eq!(check_glob(&"?".repeat(4_097)), Err("it is longer than 4096 bytes"));
/// ```
///
/// # Errors
/// The limit that the pattern exceeds, as a clause that can follow the pattern in a message.
pub fn check_glob(pattern: &str) -> Result<(), &'static str> {
    if pattern.len() > BYTES {
        return Err("it is longer than 4096 bytes");
    }
    let mut open = 0usize;
    let mut bytes = pattern.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => _ = bytes.next(),
            b'{' => open += 1,
            b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        if open > NESTING {
            return Err("it contains more than 16 nested braces");
        }
    }
    Ok(())
}
