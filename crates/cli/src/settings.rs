//! `hcl.toml`: settings of a project, in the current directory or the nearest one above it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hclkit::Source;
use hclkit::dialect::{Dialect, Dialects, Version};
use hclkit::write::{Formatter, Style};
use hclkit_files::read_small;
use hclkit_settings::SpecPattern;

use crate::outcome::Failure;

/// The settings of a project.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    own: hclkit_settings::Settings,
    /// The directory of the file.
    folder: PathBuf,
}

impl Settings {
    /// Reads the settings that apply to the current directory. Without a file, they are the defaults.
    ///
    /// # Errors
    /// If the file cannot be read or has errors.
    pub(crate) fn read() -> Result<Self, Failure> {
        let here = std::env::current_dir()
            .map_err(|error| Failure::new(format!("cannot find the current directory: {error}")))?;
        let paths = here.ancestors().map(|folder| folder.join(hclkit_settings::Settings::NAME));
        let found = paths.map(|path| (read_small(&path), path)).find(|(read, _)| !matches!(read, Ok(None)));
        let Some((read, path)) = found else { return Ok(Self::default()) };
        let cannot_read = |why: String| Failure::new(format!("cannot read {}: {why}", path.display()));
        let text = read.map_err(cannot_read)?.unwrap_or_default();
        let text = String::from_utf8(text).map_err(|error| cannot_read(error.to_string()))?;
        let failure = |why: String| Failure::new(format!("{}: {why}", path.display()));
        let own = hclkit_settings::Settings::parse(&text).map_err(failure)?;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Self { own, folder })
    }

    /// The directories of modules by their sources, relative to the directory of the file.
    pub(crate) fn modules(&self) -> &BTreeMap<String, PathBuf> {
        self.own.modules()
    }

    /// The files with languages of the project, relative to the directory of the file.
    pub(crate) fn languages(&self) -> &[PathBuf] {
        self.own.languages()
    }

    /// The versions of applications that the project is for.
    pub(crate) fn versions(&self) -> &BTreeMap<String, Version> {
        self.own.versions()
    }

    /// The languages of the project. Their files must be in the directory of the settings, because a repository can contain
    /// settings.
    ///
    /// # Errors
    /// If a file is elsewhere, cannot be read or has errors.
    pub(crate) fn dialects(&self) -> Result<Dialects, Failure> {
        let read = |path: &PathBuf| {
            let failure = |why: &str| self.failure("language", path, why);
            let path = &self.inside("language", path)?;
            let text = read_small(path).map_err(|why| failure(&why))?;
            let text = text.ok_or_else(|| failure("it is not a file"))?;
            let table = Source::new(path.to_string_lossy(), text);
            Dialect::read(table).map_err(|problems| failure(&problems.to_string()))
        };
        Ok(Dialects::new(self.own.languages().iter().map(read).collect::<Result<Vec<_>, _>>()?))
    }

    /// The spec files of configurations, by the patterns of their names.
    ///
    /// # Errors
    /// If a file is not in the directory of the settings, as with languages.
    pub(crate) fn specs(&self) -> Result<Vec<(&SpecPattern, PathBuf)>, Failure> {
        let one = |own| Ok((own, self.inside("spec", Path::new(SpecPattern::path(own)))?));
        self.own.specs().iter().map(one).collect()
    }

    /// The rules that `hcl test` applies. Files must be in the directory of the settings, as with languages.
    ///
    /// # Errors
    /// A file or directory is elsewhere, or there is none.
    pub(crate) fn test_rules(&self) -> Result<Vec<PathBuf>, Failure> {
        let one = |name: &String| match name.strip_prefix("builtin:") {
            Some(_) => Ok(PathBuf::from(name)),
            None => self.inside("file or directory of rules", Path::new(name)),
        };
        self.own.test_rules().iter().map(one).collect()
    }

    /// The texts of the parameters of these rules.
    pub(crate) fn test_params(&self) -> &BTreeMap<String, String> {
        self.own.test_params()
    }

    /// A file that the settings name, which must be in their directory.
    fn inside(&self, what: &str, path: &Path) -> Result<PathBuf, Failure> {
        let file = self.folder.join(path);
        let is_inside = || std::io::Result::Ok(file.canonicalize()?.starts_with(self.folder.canonicalize()?));
        match is_inside() {
            Ok(true) => Ok(file),
            Ok(false) => {
                Err(self.failure(what, path, "the file is not in the directory of the settings or below it"))
            }
            Err(error) => Err(self.failure(what, path, &format!("cannot read the file: {error}"))),
        }
    }

    fn failure(&self, what: &str, path: &Path, why: &str) -> Failure {
        let settings = self.folder.join(hclkit_settings::Settings::NAME);
        Failure::new(format!("{}: the {what} {}: {why}", settings.display(), path.display()))
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The formatter for a file after an edit. Without a style it is the one that edits use by default.
    pub(crate) fn formatter(&self, file: &str) -> Formatter {
        match self.style() {
            style if style == Style::new() => Formatter::plain(),
            style => Formatter::of_path(file).with_style(style),
        }
    }

    /// The style of `hcl fmt`.
    pub(crate) fn style(&self) -> Style {
        self.own.style()
    }
}
