//! Limits of file patterns, which are compiled to regular expressions: each level of braces takes its share of the stack
//! then, and each character its share of memory.

/// How many bytes a pattern has at most, and how many braces are open in it.
const BYTES: usize = 4_096;
const NESTING: usize = 16;

/// Whether a pattern such as `*.{hcl,json}` is small enough to be compiled. Ask before you do.
///
/// ```
/// use hclkit_limits::check_glob;
///
/// assert!(check_glob("**/*.{hcl,json}").is_ok());
/// assert_eq!(check_glob(&"{".repeat(17)), Err("it nests more than 16 braces"));
/// assert_eq!(check_glob(&"?".repeat(4_097)), Err("it is longer than 4096 bytes"));
/// ```
///
/// # Errors
/// What is too much, to be put after the pattern or its place.
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
            return Err("it nests more than 16 braces");
        }
    }
    Ok(())
}
