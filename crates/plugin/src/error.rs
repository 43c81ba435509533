//! Why a provider cannot be served.

use std::error::Error as StdError;
use std::fmt;
use std::io;

/// The reason why a provider cannot be served.
#[derive(Debug)]
pub struct ServeError {
    message: String,
    source: Option<io::Error>,
}

impl ServeError {
    pub(crate) fn not_a_client() -> Self {
        Self::handshake(
            "This program is a provider for Terraform and OpenTofu, which start it themselves. Install it where \
             Terraform can find it, and require it in a module.",
        )
    }

    pub(crate) fn handshake(message: impl Into<String>) -> Self {
        Self { message: message.into(), source: None }
    }

    pub(crate) fn io(message: impl Into<String>, source: io::Error) -> Self {
        Self { message: message.into(), source: Some(source) }
    }
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.source {
            Some(source) => write!(f, ": {source}"),
            None => Ok(()),
        }
    }
}

impl StdError for ServeError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}
