//! The same functions as in `git.rs`, in a program that reads no repositories.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::args::not_built;
use crate::outcome::Failure;

fn missing() -> Failure {
    Failure::new(not_built("`--changed-since`", "git"))
}

pub(crate) fn changed_below(_: &str, _: &[PathBuf]) -> Result<HashSet<PathBuf>, Failure> {
    Err(missing())
}

pub(crate) fn text_before(_: &str, _: &Path, _: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
    Err(missing())
}
