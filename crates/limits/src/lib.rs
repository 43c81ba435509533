//! Limits for untrusted input: how much work reading a source, evaluating it and calling functions may take. One set of
//! limits applies to everything on a thread. In nested sets, the smaller limit applies.
//!
//! [`Limits`] sets the amounts. Code that does work requests it from the [`Meter`] of its thread, and stops with
//! [`Exceeded`] if the request is refused. Your own functions can do the same:
//!
//! ```
//! use hclkit_limits::{Limit, Limits, Meter};
//!
//! fn repeat(text: &str, count: usize) -> Result<String, hclkit_limits::Exceeded> {
//!     Meter::current().room_for_bytes(text.len().saturating_mul(count))?;
//!     Ok(text.repeat(count))
//! }
//!
//! let refused = Limits::new().with_bytes(1 << 20).run(|| repeat("ab", 1 << 30)).unwrap_err();
//! assert_eq!(refused.limit, Limit::Bytes);
//! ```
#![forbid(unsafe_code)]

mod elements;
#[cfg(feature = "files")]
mod files;
#[cfg(feature = "glob")]
mod glob;
mod limits;
mod meter;
mod path;
mod share;
mod stack;
mod visible;

#[doc(hidden)]
pub use elements::{COLLECTION, count_collection};
#[cfg(feature = "files")]
#[doc(hidden)]
pub use files::{open_file, read_file, read_target};
#[cfg(feature = "ignore")]
#[doc(hidden)]
pub use glob::IgnoreBuilder;
#[cfg(feature = "glob")]
#[doc(hidden)]
pub use glob::{Glob, GlobError};
pub use limits::{CancelGuard, CancelToken, Exceeded, Limit, Limits};
#[doc(hidden)]
pub use meter::{Descent, Meter, Operation, READ_STEP, STEPS_TO_OPEN};
#[doc(hidden)]
pub use path::{clean_path, directory_of, is_network_path, path_on_disk, short_path};
#[doc(hidden)]
pub use share::Share;
#[cfg(feature = "stack")]
#[doc(hidden)]
pub use stack::with_room;
#[doc(hidden)]
pub use visible::is_visible;
