//! `hcl.toml`: settings of a project, in the current directory or the nearest one above it.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use hclkit::Source;
use hclkit::dialect::{Dialect, Dialects};
use hclkit::write::{Formatter, Style};
use serde::Deserialize;

use crate::input::read_small;
use crate::output::Failure;

const NAME: &str = "hcl.toml";

/// The settings of a project.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    fmt: Fmt,
    /// The directories of modules by their sources.
    modules: BTreeMap<String, PathBuf>,
    /// Files with the tables of languages.
    languages: Vec<PathBuf>,
    /// The directory of the file.
    #[serde(skip)]
    folder: PathBuf,
}

/// The settings of `hcl fmt`.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
// Each flag is a setting.
#[allow(clippy::struct_excessive_bools)]
struct Fmt {
    align: bool,
    blank_lines: bool,
    trailing_commas: bool,
    meta_arguments: bool,
    sort_attributes: bool,
    width: Option<NonZeroU32>,
    join: bool,
}

impl Default for Fmt {
    fn default() -> Self {
        Self {
            align: true,
            blank_lines: false,
            trailing_commas: false,
            meta_arguments: false,
            sort_attributes: false,
            width: None,
            join: false,
        }
    }
}

impl Settings {
    /// Reads the settings that apply to the current directory. Without a file, they are the defaults.
    ///
    /// # Errors
    /// If the file cannot be read or has errors.
    pub(crate) fn read() -> Result<Self, Failure> {
        let here = std::env::current_dir()
            .map_err(|error| Failure::new(format!("cannot find the current directory: {error}")))?;
        let paths = here.ancestors().map(|folder| folder.join(NAME));
        let found = paths.map(|path| (read_small(&path), path)).find(|(read, _)| !matches!(read, Ok(None)));
        let Some((read, path)) = found else { return Ok(Self::default()) };
        let cannot_read = |why: String| Failure::new(format!("cannot read {}: {why}", path.display()));
        let text = read.map_err(cannot_read)?.unwrap_or_default();
        let text = String::from_utf8(text).map_err(|error| cannot_read(error.to_string()))?;
        let failure = |why: String| Failure::new(format!("{}: {why}", path.display()));
        let mut settings: Self = toml::from_str(&text).map_err(|error| failure(message(&error, &text)))?;
        if settings.fmt.join && settings.fmt.width.is_none() {
            return Err(failure("`join` requires `width`, such as `width = 100`".to_owned()));
        }
        settings.folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(settings)
    }

    /// The directories of modules by their sources, relative to the directory of the file.
    pub(crate) fn modules(&self) -> &BTreeMap<String, PathBuf> {
        &self.modules
    }

    /// The languages of the project. Their files must be in the directory of the settings, because a repository can contain
    /// settings.
    ///
    /// # Errors
    /// If a file is elsewhere, cannot be read or has errors.
    pub(crate) fn dialects(&self) -> Result<Dialects, Failure> {
        let read = |path: &PathBuf| {
            let failure = |why: &str| {
                let settings = self.folder.join(NAME);
                Failure::new(format!("{}: the language {}: {why}", settings.display(), path.display()))
            };
            let is_inside = || {
                let (folder, file) = (self.folder.canonicalize()?, self.folder.join(path).canonicalize()?);
                std::io::Result::Ok(file.starts_with(folder))
            };
            if !is_inside().map_err(|error| failure(&format!("cannot read the file: {error}")))? {
                return Err(failure("the file is not in the directory of the settings or below it"));
            }
            let text = read_small(&self.folder.join(path)).map_err(|why| failure(&why))?;
            let text = text.ok_or_else(|| failure("it is not a file"))?;
            let table = Source::new(path.to_string_lossy(), text);
            Dialect::read(table).map_err(|problems| failure(&problems.to_string()))
        };
        Ok(Dialects::new(self.languages.iter().map(read).collect::<Result<Vec<_>, _>>()?))
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
        let style = Style::new()
            .with_alignment(self.fmt.align)
            .with_blank_lines(self.fmt.blank_lines)
            .with_trailing_commas(self.fmt.trailing_commas)
            .with_meta_arguments(self.fmt.meta_arguments)
            .with_sorted_attributes(self.fmt.sort_attributes)
            .with_joined_lists(self.fmt.join);
        self.fmt.width.map_or(style, |width| style.with_width(width.get()))
    }
}

/// An error with its line.
fn message(error: &toml::de::Error, text: &str) -> String {
    let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    match line {
        Some(line) => format!("line {line}: {}", error.message()),
        None => error.message().to_owned(),
    }
}
