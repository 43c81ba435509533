//! `hcl.toml`: settings of a project, in the current directory or the nearest one above it.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use hclkit::write::Style;
use serde::Deserialize;

use crate::output::Failure;

const NAME: &str = "hcl.toml";

/// Larger files are not read.
const MAX_SIZE: u64 = 1 << 20;

/// The settings of a project.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    fmt: Fmt,
}

/// The settings of `hcl fmt`.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Fmt {
    align: bool,
    blank_lines: bool,
    trailing_commas: bool,
}

impl Default for Fmt {
    fn default() -> Self {
        Self { align: true, blank_lines: false, trailing_commas: false }
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
        let Some(path) = here.ancestors().map(|folder| folder.join(NAME)).find(|path| is_file(path)) else {
            return Ok(Self::default());
        };
        let text =
            read(&path).map_err(|error| Failure::new(format!("cannot read {}: {error}", path.display())))?;
        toml::from_str(&text)
            .map_err(|error| Failure::new(format!("{}: {}", path.display(), message(&error, &text))))
    }

    /// The style of `hcl fmt`.
    pub(crate) fn style(&self) -> Style {
        Style::new()
            .with_alignment(self.fmt.align)
            .with_blank_lines(self.fmt.blank_lines)
            .with_trailing_commas(self.fmt.trailing_commas)
    }
}

fn is_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

fn read(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(MAX_SIZE).read_to_string(&mut text)?;
    Ok(text)
}

/// An error with its line.
fn message(error: &toml::de::Error, text: &str) -> String {
    let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    match line {
        Some(line) => format!("line {line}: {}", error.message()),
        None => error.message().to_owned(),
    }
}
