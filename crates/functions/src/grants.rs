//! What functions may reach outside of their arguments: files, time, randomness, the environment, templates and
//! secrets. Nothing, unless the caller grants it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use hclkit_value::{Error, Value};

use crate::Table;
use crate::folder::Folder;

/// What the functions of a table may reach outside of their arguments.
///
/// A table holds the functions that need a grant without it, too; calling one is then an error that says what to
/// grant.
///
/// ```
/// use hclkit_functions::{Grants, terraform};
///
/// let functions = terraform(&Grants::new());
/// assert!(functions["timestamp"].call(&[]).unwrap_err().message().contains("grant"));
/// let functions = terraform(&Grants::new().clock());
/// assert!(functions["timestamp"].call(&[]).is_ok());
/// ```
#[derive(Clone, Default)]
pub struct Grants {
    folder: Option<Arc<Folder>>,
    clock: Option<Clock>,
    randomness: bool,
    environment: bool,
    templates: Option<Arc<Render>>,
    secrets: BTreeMap<&'static str, Arc<Secret>>,
}

type Render = dyn Fn(&Template<'_>) -> Result<Value, Error> + Send + Sync;
type Secret = dyn Fn(&[Value]) -> Result<String, Error> + Send + Sync;

/// What is to be rendered by [`Grants::templates`].
#[derive(Clone, Copy, Debug)]
pub struct Template<'a> {
    /// The template.
    pub text: &'a str,
    /// What its text is called in messages: the path of its file.
    pub name: &'a str,
    /// An object or map whose elements are the template's variables.
    pub variables: &'a Value,
    /// The functions that the template may call. Those that render templates refuse to in there.
    pub functions: &'a Table,
}

/// What time it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// The time of the grant.
    pub(crate) start: SystemTime,
    /// Whether it is always that time.
    stopped: bool,
}

impl Clock {
    pub(crate) fn now(self) -> SystemTime {
        if self.stopped { self.start } else { SystemTime::now() }
    }
}

impl Grants {
    /// Nothing.
    pub fn new() -> Grants {
        Grants::default()
    }

    /// File functions may read what is in a folder.
    #[must_use]
    pub fn folder(mut self, folder: Folder) -> Grants {
        self.folder = Some(Arc::new(folder));
        self
    }

    /// Functions may ask the system what time it is. The time at which this is granted is what those say that
    /// give the same time throughout (`plantimestamp`).
    #[must_use]
    pub fn clock(mut self) -> Grants {
        self.clock = Some(Clock { start: SystemTime::now(), stopped: false });
        self
    }

    /// Functions are told that it is always this time, so that what they give can be reproduced.
    #[must_use]
    pub fn clock_at(mut self, time: SystemTime) -> Grants {
        self.clock = Some(Clock { start: time, stopped: true });
        self
    }

    /// Functions may give random values.
    #[must_use]
    pub fn random(mut self) -> Grants {
        self.randomness = true;
        self
    }

    /// Functions may read the environment variables of the process.
    #[must_use]
    pub fn environment(mut self) -> Grants {
        self.environment = true;
        self
    }

    /// Functions may render templates, with this. The files of `templatefile` need a [folder](Grants::folder), too.
    #[must_use]
    pub fn templates(
        mut self,
        render: impl Fn(&Template<'_>) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Grants {
        self.templates = Some(Arc::new(render));
        self
    }

    /// A function that asks a store of secrets, such as Packer's `vault`, does so with this. It is given the
    /// function's arguments.
    #[must_use]
    pub fn secret(
        mut self,
        function: &'static str,
        ask: impl Fn(&[Value]) -> Result<String, Error> + Send + Sync + 'static,
    ) -> Grants {
        self.secrets.insert(function, Arc::new(ask));
        self
    }

    pub(crate) fn files(&self) -> Result<&Folder, Error> {
        let missing = "functions must not read files here: the caller has to grant them a folder";
        self.folder.as_deref().ok_or_else(|| Error::not_granted(missing))
    }

    pub(crate) fn time(&self) -> Result<Clock, Error> {
        let missing = "functions must not know the time here: the caller has to grant them a clock";
        self.clock.ok_or_else(|| Error::not_granted(missing))
    }

    pub(crate) fn randomness(&self) -> Result<(), Error> {
        let missing = "functions must not be random here: the caller has to grant them randomness";
        self.randomness.then_some(()).ok_or_else(|| Error::not_granted(missing))
    }

    pub(crate) fn variable(&self, name: &str) -> Result<Option<String>, Error> {
        if !self.environment {
            let missing = "functions must not read the environment here: the caller has to grant it to them";
            return Err(Error::not_granted(missing));
        }
        match std::env::var(name) {
            Ok(value) => Ok(Some(value)),
            Err(std::env::VarError::NotPresent) => Ok(None),
            Err(std::env::VarError::NotUnicode(_)) => {
                Err(Error::new(format!("the environment variable {name:?} is not UTF-8 text")))
            }
        }
    }

    pub(crate) fn render(&self, template: &Template<'_>) -> Result<Value, Error> {
        let missing = "functions must not render templates here: the caller has to grant them a renderer";
        let render = self.templates.as_ref().ok_or_else(|| Error::not_granted(missing))?;
        render(template)
    }

    pub(crate) fn ask(&self, function: &str, args: &[Value]) -> Result<String, Error> {
        let missing = || {
            Error::not_granted(format!(
                "there are no secrets here: the caller has to grant the function {function:?} a store"
            ))
        };
        self.secrets.get(function).ok_or_else(missing)?(args)
    }
}

impl fmt::Debug for Grants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grants")
            .field("folder", &self.folder)
            .field("clock", &self.clock)
            .field("random", &self.randomness)
            .field("environment", &self.environment)
            .field("templates", &self.templates.is_some())
            .field("secrets", &self.secrets.keys())
            .finish()
    }
}
