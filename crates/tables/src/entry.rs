//! What rows are made from: files with their repository and commit.

use std::fmt;
use std::io;
use std::sync::Arc;

use hclkit::module::ModuleLoader;

use crate::budget::Allowance;

/// Names are repeated in each row. Linux has paths of at most so many bytes.
const MOST_NAME: usize = 4096;

/// A file, or a directory that is evaluated.
#[derive(Debug)]
pub struct Entry {
    /// The repository.
    pub repo: Option<Arc<str>>,
    /// The commit.
    pub commit: Option<Arc<str>>,
    /// The path in the repository, with `/`. The name says the language of the file.
    pub path: Arc<str>,
    /// What it contains.
    pub content: Content,
}

/// Reads a content in another thread.
pub type Later = Box<dyn FnOnce(&mut Allowance) -> io::Result<Vec<u8>> + Send>;

/// The content of an [`Entry`].
pub enum Content {
    /// The content of a file.
    Bytes(Vec<u8>),
    /// The content of a file, which is read when it is needed, in another thread. Before it allocates something, it asks for as
    /// many bytes.
    Later(Later),
    /// A file that is not read, and why: its size, a code and a message. It becomes a row of `diagnostics`.
    Unread {
        /// The size, if it is known.
        bytes: u64,
        /// The code, such as `unreadable-file`.
        code: &'static str,
        /// The reason.
        why: String,
    },
    /// A directory to evaluate. It is loaded when it is needed, in another thread, and possibly twice: with small limits, and with
    /// large ones while nothing else is evaluated.
    Directory(Box<dyn Fn() -> ModuleLoader + Send>),
}

/// The kind of content, and its size.
impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => f.debug_tuple("Bytes").field(&bytes.len()).finish(),
            Self::Later(_) => f.write_str("Later"),
            Self::Unread { why, .. } => f.debug_struct("Unread").field("why", why).finish_non_exhaustive(),
            Self::Directory(_) => f.write_str("Directory"),
        }
    }
}

impl Entry {
    /// A file.
    pub fn new(path: impl Into<Arc<str>>, content: impl Into<Vec<u8>>) -> Self {
        Self { repo: None, commit: None, path: path.into(), content: Content::Bytes(content.into()) }
    }

    /// Cuts off names that are too long. Then the content is not read.
    pub(crate) fn with_short_names(self) -> Self {
        let names = [self.repo.as_ref(), self.commit.as_ref(), Some(&self.path)];
        if !names.into_iter().flatten().any(|name| name.len() > MOST_NAME) {
            return self;
        }
        let cut = |name: &Arc<str>| -> Arc<str> {
            let end = (0..=MOST_NAME.min(name.len())).rev().find(|end| name.is_char_boundary(*end));
            name[..end.unwrap_or(0)].into()
        };
        let why = format!("its name is longer than {MOST_NAME} bytes");
        Self {
            repo: self.repo.as_ref().map(cut),
            commit: self.commit.as_ref().map(cut),
            path: cut(&self.path),
            content: Content::Unread { bytes: 0, code: "source-too-large", why },
        }
    }

    /// Sets the repository.
    #[must_use]
    pub fn with_repo(mut self, repo: impl Into<Arc<str>>) -> Self {
        self.repo = Some(repo.into());
        self
    }

    /// Sets the commit.
    #[must_use]
    pub fn with_commit(mut self, commit: impl Into<Arc<str>>) -> Self {
        self.commit = Some(commit.into());
        self
    }
}
