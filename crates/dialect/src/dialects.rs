//! Languages that a program adds to the built-in ones, such as those of a project.

use std::cell::RefCell;
use std::ops::Deref;
use std::sync::Arc;

use crate::Dialect;

thread_local! {
    static CURRENT: RefCell<Dialects> = RefCell::default();
}

/// Languages in addition to the built-in ones. While work [runs](Self::run) with them, names of languages and of files are
/// looked up in them first, in everything that does so: modules, conversion, formatting, edits.
///
/// ```
/// use hclkit_dialect::{Dialect, Dialects};
/// use hclkit_syntax::Source;
///
/// let table = Source::new("service.hcl", "name = \"service\"\ntitle = \"Service\"\nfiles = [\"*.service\"]\n");
/// let dialects = Dialects::new([Dialect::read(table)?]);
/// let name = || Dialect::of_path("web.service").map(|dialect| dialect.name().to_owned());
/// assert_eq!(dialects.run(name).as_deref(), Some("service"));
/// assert_eq!(name(), None);
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Dialects(Arc<[Arc<Dialect>]>);

impl Dialects {
    /// Adds languages. If the name of a file matches several of them, it belongs to the first one.
    pub fn new<D: Into<Arc<Dialect>>>(added: impl IntoIterator<Item = D>) -> Self {
        Self(added.into_iter().map(Into::into).collect())
    }

    /// Returns the languages that work on this thread runs with, to pass them on to another thread.
    pub fn current() -> Self {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Runs work on this thread with these languages in place of those before.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        let _before = Restored(CURRENT.replace(self.clone()));
        work()
    }
}

/// The added languages.
impl Deref for Dialects {
    type Target = [Arc<Dialect>];

    fn deref(&self) -> &[Arc<Dialect>] {
        &self.0
    }
}

/// Sets the languages before, also after a panic.
struct Restored(Dialects);

impl Drop for Restored {
    fn drop(&mut self) {
        CURRENT.set(std::mem::take(&mut self.0));
    }
}
