//! From files to Rust types: what most programs do with hclkit.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use hclkit_limits::Limits;
use hclkit_model::typed::Decode;
use hclkit_model::{Body, Context, Dynamic, Functions, ParseOptions};
use hclkit_syntax::{Diagnostics, Source, Syntax};
use hclkit_value::{Name, Value};

use crate::{messages, variables};

/// Reads and decodes a file. If its name ends in `.json`, it is in the JSON syntax.
///
/// [`Loader`] reads several files and directories, and has variables, functions and limits.
///
/// ```no_run
/// # #[cfg(feature = "derive")] {
/// use hclkit::{Context, Decode};
///
/// #[derive(Decode)]
/// struct Config {
///     listen: String,
///     #[hcl(default = 4)]
///     workers: u32,
/// }
///
/// let config: Config = hclkit::load("server.hcl", &Context::new())?;
/// # Ok::<(), hclkit::Diagnostics>(())
/// # }?;
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
///
/// # Errors
/// The file cannot be read, or it is invalid. The diagnostics have the source, so that
/// [`Renderer`](crate::render::Renderer) can show the lines.
pub fn load<T: Decode>(path: impl AsRef<Path>, context: &Context) -> Result<T, Diagnostics> {
    context.run(|| T::decode(&open(path.as_ref(), &ParseOptions::new())?.0, context))
}

/// Decodes text in the native syntax.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use hclkit::{Context, Decode};
///
/// #[derive(Decode, Debug, PartialEq)]
/// struct Config {
///     listen: String,
/// }
///
/// let config: Config = hclkit::load_str("listen = \"0.0.0.0:80\"\n", &Context::new())?;
/// assert_eq!(config.listen, "0.0.0.0:80");
/// # }
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
///
/// # Errors
/// The errors in the text.
pub fn load_str<T: Decode>(text: &str, context: &Context) -> Result<T, Diagnostics> {
    context.run(|| T::decode(&complete(Body::parse(Source::new("", text)))?.0, context))
}

/// Reads configuration from files and directories, with variables, functions and limits, and decodes it.
///
/// # Variables
/// If a variable is set more than once, the last value wins, wherever it comes from. For the usual order of
/// precedence, add variable files first, then the environment, and then the flags of the program:
///
/// ```
/// use hclkit::{Decode, Loader, Source};
///
/// # #[cfg(feature = "derive")] {
/// #[derive(Decode)]
/// struct Config {
///     listen: String,
/// }
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("defaults.tfvars");
/// # std::fs::write(&path, "host = \"localhost\"\nport = 80\n")?;
/// let (config, _) = Loader::new()
///     .with_variables_file(path) // host = "localhost", port = 80
///     .with_environment("APP_VAR_") // not set
///     .with_variable("port", 8080)
///     .with_source(Source::new("main.hcl", "listen = \"${host}:${port}\"\n"))
///     .load::<Config>()?;
/// assert_eq!(config.listen, "localhost:8080");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Files
///
/// ```no_run
/// # #[cfg(feature = "derive")] {
/// use hclkit::{Decode, Loader};
///
/// #[derive(Decode)]
/// struct Config {
///     listen: String,
/// }
///
/// let (config, warnings) = Loader::new()
///     .with_variables_file("production.tfvars")
///     .with_environment("APP_VAR_")
///     .with_variable("region", "eu")
///     .with_dynamic(true)
///     .with_directory("/etc/app", ["hcl", "hcl.json"])
///     .load::<Config>()?;
/// # let _ = (config, warnings);
/// # Ok::<(), hclkit::Diagnostics>(())
/// # }?;
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Loader {
    inputs: Vec<Input>,
    variables: Vec<Variables>,
    functions: Functions,
    parse: ParseOptions,
    limits: Option<Limits>,
    dynamic: bool,
    overrides: bool,
}

#[derive(Debug, Clone)]
enum Input {
    File(PathBuf),
    /// A directory, and the extensions of the files in it that are read.
    Directory(PathBuf, Vec<String>),
    Source(Source),
    Override(PathBuf),
}

#[derive(Debug, Clone)]
enum Variables {
    Value(Name, Value),
    File(PathBuf),
    /// The prefix of environment variables.
    Environment(String),
}

impl Loader {
    /// A loader without files, variables or functions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a regular file. If its name ends in `.json`, it is in the JSON syntax. To read a pipe, such as standard input,
    /// read it yourself and use [`with_source`](Loader::with_source).
    #[must_use]
    pub fn with_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.inputs.push(Input::File(path.into()));
        self
    }

    /// Adds all files of a directory with one of the extensions, such as `hcl` or `hcl.json`, in the order of their
    /// names. Subdirectories and files whose names start with a dot are skipped.
    #[must_use]
    pub fn with_directory<E: Into<String>>(
        mut self,
        path: impl Into<PathBuf>,
        extensions: impl IntoIterator<Item = E>,
    ) -> Self {
        let extensions = extensions.into_iter().map(Into::into).collect();
        self.inputs.push(Input::Directory(path.into(), extensions));
        self
    }

    /// Adds a source.
    #[must_use]
    pub fn with_source(mut self, source: Source) -> Self {
        self.inputs.push(Input::Source(source));
        self
    }

    /// Adds a file that overrides the others, in whatever order they are added: see [`Body::with_override`].
    #[must_use]
    pub fn with_override_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.inputs.push(Input::Override(path.into()));
        self
    }

    /// Treats the files of directories as Terraform does: those named `override` or ending in `_override`, before the extension,
    /// override the others, by name. See [`Body::with_override`].
    #[must_use]
    pub fn with_override_files(mut self) -> Self {
        self.overrides = true;
        self
    }

    /// Sets a variable.
    #[must_use]
    pub fn with_variable(mut self, name: impl Into<Name>, value: impl Into<Value>) -> Self {
        self.variables.push(Variables::Value(name.into(), value.into()));
        self
    }

    /// Sets variables from a file such as `production.tfvars`: each attribute sets one; see
    /// [`variables::read`](crate::variables::read).
    #[must_use]
    pub fn with_variables_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.variables.push(Variables::File(path.into()));
        self
    }

    /// Sets a variable for each environment variable that starts with a prefix. With the prefix `APP_VAR_`,
    /// `APP_VAR_region=eu` sets `region`. The values are strings. The environment is read when the configuration is
    /// loaded.
    #[must_use]
    pub fn with_environment(mut self, prefix: impl Into<String>) -> Self {
        self.variables.push(Variables::Environment(prefix.into()));
        self
    }

    /// Makes functions available to expressions.
    #[must_use]
    pub fn with_functions(mut self, functions: impl Into<Functions>) -> Self {
        self.functions = functions.into();
        self
    }

    /// Reads all files in one syntax, whatever their names.
    #[must_use]
    pub fn with_syntax(mut self, syntax: Syntax) -> Self {
        self.parse = self.parse.with_syntax(syntax);
        self
    }

    /// Sets the maximum size of each file in bytes, also of variable files. The default is 4 GiB, the most that a source can
    /// contain.
    #[must_use]
    pub fn with_max_size(mut self, bytes: u64) -> Self {
        self.parse = self.parse.with_max_size(bytes);
        self
    }

    /// Sets the limits of parsing and decoding, for untrusted input.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Sets whether `dynamic` blocks are expanded. The default is false.
    #[must_use]
    pub fn with_dynamic(mut self, expand: bool) -> Self {
        self.dynamic = expand;
        self
    }

    /// Reads the files and decodes them as one body. An attribute can be set in only one of them. The diagnostics of
    /// the result are warnings.
    ///
    /// # Errors
    /// Files that cannot be read, and the errors in their contents.
    pub fn load<T: Decode>(&self) -> Result<(T, Diagnostics), Diagnostics> {
        match &self.limits {
            Some(limits) => limits.run(|| self.load_within()),
            None => self.load_within(),
        }
    }

    fn load_within<T: Decode>(&self) -> Result<(T, Diagnostics), Diagnostics> {
        let (body, context, mut warnings) = self.parts()?;
        let (decoded, found) = T::decode_with_warnings(&body, &context);
        warnings.append(found);
        match decoded {
            Some(decoded) => Ok((decoded, warnings)),
            None => Err(warnings),
        }
    }

    /// Reads the files like [`Loader::load`], into a type that implements serde's `Deserialize`. Only the first error
    /// in the contents is reported.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use hclkit::{Loader, Source};
    ///
    /// let source = Source::new("main.hcl", "url = \"https://${host}/\"\n");
    /// let config: BTreeMap<String, String> =
    ///     Loader::new().with_source(source).with_variable("host", "example.com").deserialize()?;
    /// assert_eq!(config["url"], "https://example.com/");
    /// # Ok::<(), hclkit::serde::SerdeError>(())
    /// ```
    ///
    /// # Errors
    /// Files that cannot be read, and errors in their contents.
    #[cfg(feature = "serde")]
    pub fn deserialize<T: serde_core::de::DeserializeOwned>(&self) -> Result<T, crate::serde::SerdeError> {
        let read = || {
            let (body, context, _) = self.parts()?;
            crate::serde::from_body(&body, &context)
        };
        match &self.limits {
            Some(limits) => limits.run(read),
            None => read(),
        }
    }

    /// The body with its dynamic blocks expanded, the variables and functions, and the warnings of the parser.
    fn parts(&self) -> Result<(Body, Context, Diagnostics), Diagnostics> {
        let (body, warnings) = self.body()?;
        let context = self.context()?;
        let body = if self.dynamic { Dynamic::new(&context).expand(&body) } else { body };
        Ok((body, context, warnings))
    }

    /// The files as one body, with the warnings of the parser.
    ///
    /// # Errors
    /// Files that cannot be read, and errors of syntax, of all files.
    pub fn body(&self) -> Result<(Body, Diagnostics), Diagnostics> {
        let (mut bodies, mut overrides, mut all) = (Vec::new(), Vec::new(), Diagnostics::new());
        let mut add = |read: Result<(Body, Diagnostics), Diagnostics>, overrides_others: bool| match read {
            Ok((body, warnings)) => {
                if overrides_others { &mut overrides } else { &mut bodies }.push(body);
                all.append(warnings);
            }
            Err(errors) => all.append(errors),
        };
        for input in &self.inputs {
            match input {
                Input::File(path) => add(open(path, &self.parse), false),
                Input::Override(path) => add(open(path, &self.parse), true),
                Input::Source(source) => add(complete(self.parse.parse(source.clone())), false),
                Input::Directory(path, extensions) => match files(path, extensions) {
                    Ok(files) => files.iter().for_each(|(file, stem)| {
                        let is_override = stem == "override" || stem.ends_with("_override");
                        add(open(file, &self.parse), self.overrides && is_override);
                    }),
                    Err(error) => add(Err(unreadable(path, &error)), false),
                },
            }
        }
        if all.has_errors() {
            return Err(all);
        }
        Ok((overrides.into_iter().fold(Body::merge(bodies), Body::with_override), all))
    }

    /// The variables and functions of expressions.
    ///
    /// # Errors
    /// The errors in variable files and in the environment.
    pub fn context(&self) -> Result<Context, Diagnostics> {
        let mut context = Context::new().with_functions(self.functions.clone());
        let mut all = Diagnostics::new();
        for variables in &self.variables {
            match variables {
                Variables::Value(name, value) => context.set(name.clone(), value.clone()),
                Variables::File(path) => match read_variables(path, &self.parse) {
                    Ok(found) => context.set_all(found),
                    Err(errors) => all.append(errors),
                },
                Variables::Environment(prefix) => match environment(prefix) {
                    Ok(found) => context.set_all(found),
                    Err(errors) => all.append(errors),
                },
            }
        }
        if all.has_errors() { Err(all) } else { Ok(context) }
    }
}

pub(crate) fn open(path: &Path, options: &ParseOptions) -> Result<(Body, Diagnostics), Diagnostics> {
    complete(options.open(path).map_err(|error| unreadable(path, &error))?)
}

/// A body without errors, with the warnings.
fn complete((body, found): (Body, Diagnostics)) -> Result<(Body, Diagnostics), Diagnostics> {
    if found.has_errors() { Err(found) } else { Ok((body, found)) }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Diagnostics {
    messages::unreadable_file(path, error).into()
}

/// The files of a directory with these extensions, by name, and their names without the extension.
fn files(path: &Path, extensions: &[String]) -> std::io::Result<Vec<(PathBuf, String)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let stem = |extension: &String| {
            name.strip_suffix(extension.as_str())?.strip_suffix('.').filter(|stem| !stem.is_empty())
        };
        if let Some(stem) = extensions.iter().find_map(stem)
            && !name.starts_with('.')
            && entry.path().is_file()
        {
            files.push((entry.path(), stem.to_owned()));
        }
    }
    files.sort();
    Ok(files)
}

fn read_variables(path: &Path, options: &ParseOptions) -> Result<Vec<(Name, Value)>, Diagnostics> {
    let source = options.read(path).map_err(|error| unreadable(path, &error))?;
    variables::read(source, Syntax::of(path))
}

fn environment(prefix: &str) -> Result<Vec<(Name, Value)>, Diagnostics> {
    let (mut found, mut all) = (Vec::new(), Diagnostics::new());
    for (key, value) in std::env::vars_os() {
        let key: &OsStr = &key;
        let Some(name) = key.to_str().and_then(|key| key.strip_prefix(prefix)) else { continue };
        match value.into_string() {
            Ok(value) if !name.is_empty() => found.push((Name::from(name), Value::from(value))),
            Ok(_) => {}
            Err(_) => {
                all.push(messages::variable_is_not_text(&format!("{prefix}{name}")));
            }
        }
    }
    if all.has_errors() { Err(all) } else { Ok(found) }
}
