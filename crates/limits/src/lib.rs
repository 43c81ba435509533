//! Limits for input that is not trusted: what reading a source, evaluating it and calling functions may take. One set of
//! limits holds for all of that, on one thread, and nested sets take the smaller of each.
//!
//! [`Limits`] say how much. Whatever does work asks the [`Meter`] of its thread for it, and stops with what was
//! [`Exceeded`]. Functions of your own can do so, too:
//!
//! ```
//! use hclkit_limits::{Limit, Limits, Meter};
//!
//! fn repeat(text: &str, count: usize) -> Result<String, hclkit_limits::Exceeded> {
//!     Meter::current().room_for_bytes(text.len().saturating_mul(count))?;
//!     Ok(text.repeat(count))
//! }
//!
//! let refused = Limits::new().bytes(1 << 20).run(|| repeat("ab", 1 << 30)).unwrap_err();
//! assert_eq!(refused.limit, Limit::Bytes);
//! ```
#![forbid(unsafe_code)]

mod glob;
mod limits;
mod meter;
mod visible;

pub use glob::check_glob;
pub use limits::{CancelToken, Exceeded, Limit, Limits};
pub use meter::{Descent, Meter, Operation};
pub use visible::is_visible;
