//! A provider of HCL for applications that combine their configuration with `figment`.

use std::path::PathBuf;

use figment::value::{Dict, Map};
use figment::{Error, Metadata, Profile, Provider};
use hclkit_syntax::Source;

use crate::Loader;

/// Configuration in HCL as a provider of figment. Blocks with labels are nested dictionaries.
///
/// ```
/// use figment::Figment;
/// use hclkit::integrations::figment::Hcl;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Config {
///     region: String,
///     replicas: u32,
/// }
///
/// let figment = Figment::from(Hcl::text("region = \"eu\"\nreplicas = 1\n")).merge(Hcl::text("replicas = 3\n"));
/// let config: Config = figment.extract()?;
/// assert_eq!((config.region.as_str(), config.replicas), ("eu", 3));
/// # Ok::<(), figment::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Hcl {
    loader: Loader,
    name: String,
    path: Option<PathBuf>,
    optional: bool,
}

impl Hcl {
    /// A file, in the JSON syntax if its name ends in `.json`. It is read when figment needs it. As with figment's own
    /// providers, a missing file is treated as empty.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let loader = Loader::new().with_file(&path);
        Self { loader, name: "HCL file".to_owned(), path: Some(path), optional: true }
    }

    /// A file that must exist.
    pub fn file_exact(path: impl Into<PathBuf>) -> Self {
        Self { optional: false, ..Self::file(path) }
    }

    /// Text in the native syntax.
    pub fn text(text: &str) -> Self {
        Self::loader(Loader::new().with_source(Source::new("", text)))
    }

    /// The files of a loader, with its variables and functions.
    pub fn loader(loader: Loader) -> Self {
        Self { loader, name: "HCL".to_owned(), path: None, optional: false }
    }
}

impl Provider for Hcl {
    fn metadata(&self) -> Metadata {
        let metadata = Metadata::named(self.name.clone());
        match &self.path {
            Some(path) => metadata.source(path.as_path()),
            None => metadata,
        }
    }

    fn data(&self) -> Result<Map<Profile, Dict>, Error> {
        if self.optional && self.path.as_ref().is_some_and(|path| !path.exists()) {
            return Ok(Profile::Default.collect(Dict::new()));
        }
        let values = self.loader.deserialize::<Dict>().map_err(|error| Error::from(error.to_string()))?;
        Ok(Profile::Default.collect(values))
    }
}
