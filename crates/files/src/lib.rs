//! The HCL files in directories: which ones are selected by names, patterns and ignore files, and reading them safely while others
//! change them.
//!
//! A [`Selection`] says which files are wanted, and [`Selection::each`] finds them one directory at a time. A [`FoundFile`] is opened only
//! if it is a regular file inside of the directory that was searched.
//!
//! ```
//! use hclkit_files::Selection;
//!
//! # let folder = tempfile::tempdir()?;
//! # let directory = folder.path();
//! std::fs::write(directory.join("main.tf"), "a = 1\n")?;
//! std::fs::write(directory.join("notes.txt"), "")?;
//! let mut names = Vec::new();
//! Selection::new(&[], &[])?.each(directory, &mut |_| {}, &mut |found| {
//!     names.extend(found.files.iter().map(|file| file.path.strip_prefix(directory).unwrap().to_owned()));
//!     true
//! });
//! assert_eq!(names, [std::path::Path::new("main.tf")]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod globs;
mod ignores;
mod observer;
mod open;
mod search;
mod selection;
mod small;
mod untracked;
mod walk;

pub use observer::{ObservedDisk, Observer};
pub use open::{FoundFile, read_all, read_of_size};
pub use selection::{Found, Seen, Selection, Skipped, Why, is_template, is_test};
pub use small::read_small;
pub use untracked::untracked;
