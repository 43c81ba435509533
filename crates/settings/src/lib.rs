//! `hcl.toml`: the settings of a project, which the program and the server share.
#![forbid(unsafe_code)]

mod pattern;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use hclkit::dialect::{Dialect, Version};
use hclkit::limits::is_network_path;
use hclkit::write::Style;
use serde::Deserialize;

pub use pattern::SpecPattern;

/// The most bytes of a file.
const MOST_BYTES: usize = 1 << 20;
/// The most entries of a setting, and the most languages, each of which is read for every command.
const MOST_ENTRIES: usize = 1_000;
const MOST_LANGUAGES: usize = 100;
/// The most bytes of all patterns together. Each becomes a regular expression.
const MOST_PATTERN_BYTES: usize = 64 << 10;

/// The settings of a project.
///
/// ```
/// use hclkit_settings::Settings;
/// assert!(Settings::parse("[fmt]\nwidth = 100\n").is_ok());
/// assert_eq!(Settings::parse("[fmt]\njoin = true\n").unwrap_err(), "`join` requires `width`, such as `width = 100`");
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    fmt: Fmt,
    /// The directories of modules by their sources.
    modules: BTreeMap<String, PathBuf>,
    /// Files with the tables of languages.
    languages: Vec<PathBuf>,
    /// The versions of applications that the files are for.
    #[serde(rename = "versions")]
    version_texts: BTreeMap<String, String>,
    /// The same, as versions.
    #[serde(skip)]
    versions: BTreeMap<String, Version>,
    /// Spec files by the patterns of their configurations.
    specs: BTreeMap<String, String>,
    /// The same, as patterns.
    #[serde(skip)]
    patterns: Vec<SpecPattern>,
    /// Files with the schemas of providers.
    schemas: Vec<PathBuf>,
    /// A directory with packed schemas of providers.
    #[serde(rename = "schema-cache")]
    schema_cache: Option<String>,
    /// What `hcl test` does.
    test: Test,
}

/// The settings of `hcl test`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Test {
    /// The rules that are applied: files, directories, and those that the program contains.
    rules: Vec<String>,
    /// The values of their parameters.
    params: BTreeMap<String, String>,
}

/// The settings of the formatter.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting")]
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
    /// The name of the file.
    pub const NAME: &'static str = "hcl.toml";

    /// Reads the text of a file.
    ///
    /// # Errors
    /// The text has errors. The message begins with the line, where there is one.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.len() > MOST_BYTES {
            return Err(format!("the file is larger than {} MiB", MOST_BYTES >> 20));
        }
        let mut settings: Self = toml::from_str(text).map_err(|error| message(&error, text))?;
        settings.check_sizes()?;
        if settings.fmt.join && settings.fmt.width.is_none() {
            return Err("`join` requires `width`, such as `width = 100`".to_owned());
        }
        if let Some(path) = settings.paths().find(|path| is_network_path(path)) {
            return Err(format!("{} is a network path, and is not read", path.display()));
        }
        for (name, text) in &settings.version_texts {
            let version = Dialect::named(name)
                .ok_or(None)
                .and_then(|language| Ok((language.name().to_owned(), language.known_version(text)?)));
            let (name, version) = version.map_err(|why| {
                let why = why.unwrap_or_else(|| "versions of this language are not known".to_owned());
                format!("`versions`: {name} = \"{text}\": {why}")
            })?;
            settings.versions.insert(name, version);
        }
        let patterns = settings.specs.iter().map(|(pattern, path)| SpecPattern::new(pattern, path.as_str()));
        settings.patterns = patterns.collect::<Result<_, _>>().map_err(|why| format!("`specs`: {why}"))?;
        Ok(settings)
    }

    /// All files and directories that the settings name.
    fn paths(&self) -> impl Iterator<Item = &Path> {
        let texts = self.specs.values().chain(&self.schema_cache).chain(&self.test.rules).map(Path::new);
        let paths = self.languages.iter().chain(&self.schemas).chain(self.modules.values());
        texts.chain(paths.map(PathBuf::as_path))
    }

    /// Checks the number of entries of each setting. A repository can contain the file.
    fn check_sizes(&self) -> Result<(), String> {
        for (name, entries, most) in [
            ("modules", self.modules.len(), MOST_ENTRIES),
            ("languages", self.languages.len(), MOST_LANGUAGES),
            ("versions", self.version_texts.len(), MOST_LANGUAGES),
            ("specs", self.specs.len(), MOST_ENTRIES),
            ("schemas", self.schemas.len(), MOST_ENTRIES),
            ("test.rules", self.test.rules.len(), MOST_ENTRIES),
            ("test.params", self.test.params.len(), MOST_ENTRIES),
        ] {
            if entries > most {
                return Err(format!("`{name}` has more than {most} entries"));
            }
        }
        if self.specs.keys().map(String::len).sum::<usize>() > MOST_PATTERN_BYTES {
            return Err(format!("the patterns of `specs` are longer than {} KiB", MOST_PATTERN_BYTES >> 10));
        }
        Ok(())
    }

    /// The directories of modules by their sources, relative to the directory of the file.
    pub fn modules(&self) -> &BTreeMap<String, PathBuf> {
        &self.modules
    }

    /// The versions of applications that the files are for, by the names of languages.
    pub fn versions(&self) -> &BTreeMap<String, Version> {
        &self.versions
    }

    /// The files with the tables of languages, relative to the directory of the file.
    pub fn languages(&self) -> &[PathBuf] {
        &self.languages
    }

    /// The spec files of configurations, relative to the directory of the file. `hcl check` and editors use them.
    pub fn specs(&self) -> &[SpecPattern] {
        &self.patterns
    }

    /// The files with the schemas of providers, relative to the directory of the file. Editors use them.
    pub fn schemas(&self) -> &[PathBuf] {
        &self.schemas
    }

    /// A directory with packed schemas of providers, relative to the directory of the file. Editors use it.
    pub fn schema_cache(&self) -> Option<&str> {
        self.schema_cache.as_deref()
    }

    /// The rules that `hcl test` applies: files, directories, and `builtin:NAME`.
    pub fn test_rules(&self) -> &[String] {
        &self.test.rules
    }

    /// The texts of the parameters of these rules.
    pub fn test_params(&self) -> &BTreeMap<String, String> {
        &self.test.params
    }

    /// The style of the formatter.
    pub fn style(&self) -> Style {
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
