//! What functions can access in addition to their arguments: files, the clock, randomness, the environment, templates
//! and secrets. By default, nothing is granted. What a module itself may read is in `crates/module/src/files.rs`.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::SystemTime;

use hclkit_limits::{READ_STEP, STEPS_TO_OPEN};
use hclkit_value::{Capability, Error, Function, Value};

use crate::Table;
use crate::directory::Directory;
use crate::limits::take_steps;
use crate::missing::missing;

/// The error of a file that cannot be read.
pub(crate) fn unreadable(path: &str, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => Error::new(format!("no file {path:?} exists")),
        _ => Error::new(format!("cannot read the file {path:?}: {error}")),
    }
}

/// What alternatives in braces of a pattern can be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Braces {
    /// Parts of one name.
    Name,
    /// Paths.
    Path,
}

/// What the functions of a table can access in addition to their arguments.
///
/// A table also contains the functions whose grant is missing. Calling one of them is an error that names the missing
/// grant.
///
/// ```
/// use hclkit_functions::{Grants, terraform};
///
/// let functions = terraform(&Grants::new());
/// assert!(functions["timestamp"].call(&[]).unwrap_err().message().contains("grant"));
/// let functions = terraform(&Grants::new().with_clock());
/// assert!(functions["timestamp"].call(&[]).is_ok());
/// ```
#[derive(Clone, Default)]
pub struct Grants {
    directory: Option<Arc<Directory>>,
    clock: Option<Clock>,
    randomness: bool,
    environment: bool,
    templates: Option<Arc<Render>>,
    secrets: BTreeMap<&'static str, Arc<Secret>>,
    /// Functions that templates call instead of those of the library.
    in_templates: BTreeMap<String, Function>,
    reader: Option<Arc<Read>>,
}

type Read = dyn Fn(&str) -> io::Result<Vec<u8>> + Send + Sync;

type Render = dyn Fn(&Template<'_>) -> Result<Value, Error> + Send + Sync;
type Secret = dyn Fn(&[Value]) -> Result<String, Error> + Send + Sync;

/// A template for [`Grants::with_templates`] to render.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Template<'a> {
    /// The source of the template.
    pub text: &'a str,
    /// The name of the template in messages, which is the path of its file.
    pub name: &'a str,
    /// An object or map with the variables of the template.
    pub variables: &'a Value,
    /// The functions that the template can call. Functions that render templates return an error inside templates.
    pub functions: &'a Table,
}

/// Whether this platform has no clock, so that reading the time panics.
const NO_CLOCK: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

/// The granted clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// The time at which the clock was granted.
    pub(crate) start: SystemTime,
    /// Whether the clock is stopped at that time.
    stopped: bool,
}

impl Clock {
    pub(crate) fn now(self) -> SystemTime {
        if self.stopped { self.start } else { SystemTime::now() }
    }
}

impl Grants {
    /// Grants nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Grants read access to the files in a directory.
    #[cfg(feature = "fs")]
    #[must_use]
    pub fn with_directory(mut self, directory: Directory) -> Self {
        self.directory = Some(Arc::new(directory));
        self
    }

    /// Grants access to the system clock. Functions that always return the same time (`plantimestamp`) return the time
    /// of this grant. On `wasm32-unknown-unknown`, which has no clock, calls of functions that need one are still errors.
    #[must_use]
    pub fn with_clock(mut self) -> Self {
        self.clock = (!NO_CLOCK).then(|| Clock { start: SystemTime::now(), stopped: false });
        self
    }

    /// Grants a clock that always returns this time, for reproducible results.
    #[must_use]
    pub fn with_clock_at(mut self, time: SystemTime) -> Self {
        self.clock = Some(Clock { start: time, stopped: true });
        self
    }

    /// Grants access to randomness.
    #[must_use]
    pub fn with_random(mut self) -> Self {
        self.randomness = true;
        self
    }

    /// Grants read access to the environment variables of the process.
    #[must_use]
    pub fn with_environment(mut self) -> Self {
        self.environment = true;
        self
    }

    /// Grants a renderer for templates. `templatefile` also requires a [directory](Grants::with_directory).
    #[must_use]
    pub fn with_templates(
        mut self,
        render: impl Fn(&Template<'_>) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Self {
        self.templates = Some(Arc::new(render));
        self
    }

    /// Grants access to a secret store for a function such as Packer's `vault`. The closure receives the arguments of
    /// the function.
    #[must_use]
    pub fn with_secret(
        mut self,
        function: &'static str,
        ask: impl Fn(&[Value]) -> Result<String, Error> + Send + Sync + 'static,
    ) -> Self {
        self.secrets.insert(function, Arc::new(ask));
        self
    }

    pub(crate) fn files(&self) -> Result<&Directory, Error> {
        if cfg!(not(feature = "fs")) {
            return Err(missing("fs"));
        }
        let missing = "reading files is not granted";
        self.directory.as_deref().ok_or_else(|| Error::not_granted(Capability::Files, missing))
    }

    pub(crate) fn time(&self) -> Result<Clock, Error> {
        let missing = if NO_CLOCK {
            "this platform has no clock; set the time with `Grants::with_clock_at`"
        } else {
            "reading the clock is not granted"
        };
        self.clock.ok_or_else(|| Error::not_granted(Capability::Clock, missing))
    }

    pub(crate) fn randomness(&self) -> Result<(), Error> {
        let missing = "random functions are not granted";
        self.randomness.then_some(()).ok_or_else(|| Error::not_granted(Capability::Random, missing))
    }

    pub(crate) fn variable(&self, name: &str) -> Result<Option<String>, Error> {
        if !self.environment {
            let missing = "reading environment variables is not granted";
            return Err(Error::not_granted(Capability::Environment, missing));
        }
        match std::env::var(name) {
            Ok(value) => Ok(Some(value)),
            Err(std::env::VarError::NotPresent) => Ok(None),
            Err(std::env::VarError::NotUnicode(_)) => {
                Err(Error::new(format!("the environment variable {name:?} is not valid UTF-8")))
            }
        }
    }

    /// Lets templates call these functions instead of those of the library.
    #[doc(hidden)]
    #[must_use]
    pub fn with_functions_in_templates(
        mut self,
        functions: impl IntoIterator<Item = (String, Function)>,
    ) -> Self {
        self.in_templates = functions.into_iter().collect();
        self
    }

    /// The functions that templates call instead of those of the library.
    pub(crate) fn functions_in_templates(&self) -> &BTreeMap<String, Function> {
        &self.in_templates
    }

    /// Grants the files that a closure reads. An error of the kind [`PermissionDenied`](io::ErrorKind::PermissionDenied) means that
    /// a file is not granted.
    #[doc(hidden)]
    #[must_use]
    pub fn with_reader(mut self, read: impl Fn(&str) -> io::Result<Vec<u8>> + Send + Sync + 'static) -> Self {
        self.reader = Some(Arc::new(read));
        self
    }

    /// The content of a file.
    pub(crate) fn content(&self, path: &str) -> Result<Vec<u8>, Error> {
        let Some(read) = &self.reader else { return self.files()?.read(path) };
        take_steps(STEPS_TO_OPEN)?;
        let content = read(path).map_err(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => {
                Error::not_granted(Capability::Files, "reading this file is not granted")
            }
            _ => unreadable(path, &error),
        })?;
        take_steps(content.len() as u64 / READ_STEP)?;
        Ok(content)
    }

    pub(crate) fn render(&self, template: &Template<'_>) -> Result<Value, Error> {
        let missing = "rendering templates is not granted";
        let render =
            self.templates.as_ref().ok_or_else(|| Error::not_granted(Capability::Templates, missing))?;
        render(template)
    }

    pub(crate) fn ask(&self, function: &str, args: &[Value]) -> Result<String, Error> {
        let missing = || {
            let missing = format!("reading secrets with {function:?} is not granted");
            Error::not_granted(Capability::Secrets, missing)
        };
        self.secrets.get(function).ok_or_else(missing)?(args)
    }
}

#[doc(hidden)]
impl fmt::Debug for Grants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grants")
            .field("directory", &self.directory)
            .field("clock", &self.clock)
            .field("random", &self.randomness)
            .field("environment", &self.environment)
            .field("templates", &self.templates.is_some())
            .field("secrets", &self.secrets.keys())
            .field("in_templates", &self.in_templates.keys())
            .field("reader", &self.reader.is_some())
            .finish()
    }
}
