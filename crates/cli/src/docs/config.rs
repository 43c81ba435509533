//! `.terraform-docs.yml`: which of its settings count, and errors about those that do not. A setting that would change what is
//! written and is not supported is an error; the file that it names is only written with `--inject`.

use std::path::{Path, PathBuf};

use hclkit::convert::yaml_to_json;
use hclkit::docs::{DocsFormat, DocsLayout, DocsOptions, DocsOrder, DocsSection};
use hclkit_files::read_small;
use serde_json::Value as Json;

use crate::outcome::Failure;

/// Where the settings of a module can be.
const NAMES: [&str; 3] = [".terraform-docs.yml", ".terraform-docs.yaml", ".config/.terraform-docs.yml"];

/// The line of a template where the documentation goes.
const CONTENT: &str = "{{ .Content }}";

/// The settings of a module.
#[derive(Debug)]
pub(super) struct Config {
    pub(super) options: DocsOptions,
    pub(super) header_from: Option<PathBuf>,
    pub(super) footer_from: Option<PathBuf>,
    /// The file that gets the documentation.
    pub(super) file: Option<PathBuf>,
    pub(super) markers: Option<(String, String)>,
    pub(super) lockfile: bool,
    /// The name of the file, for messages.
    name: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            options: DocsOptions::default(),
            header_from: None,
            footer_from: None,
            file: None,
            markers: None,
            lockfile: true,
            name: String::new(),
        }
    }
}

impl Config {
    /// Reads the settings for the module in a directory: a given file, or one of the module. `-` is none.
    pub(super) fn read(given: Option<&Path>, directory: &Path) -> Result<Self, Failure> {
        let candidates: Vec<PathBuf> = match given {
            Some(path) if path == Path::new("-") => return Ok(Self::default()),
            Some(path) => vec![path.to_owned()],
            None => NAMES.iter().map(|name| directory.join(name)).collect(),
        };
        for path in candidates {
            let failed = |why: String| Failure::new(format!("cannot read {}: {why}", path.display()));
            match read_small(&path).map_err(failed)? {
                Some(text) => {
                    let text = String::from_utf8(text).map_err(|error| failed(error.to_string()))?;
                    let json = yaml_to_json(&text).map_err(|error| failed(error.to_string()))?;
                    let json = serde_json::from_str(&json).map_err(|error| failed(error.to_string()))?;
                    let mut config = Self { name: path.display().to_string(), ..Self::default() };
                    config.set(&json)?;
                    return Ok(config);
                }
                None if given.is_some() => return Err(failed("it is not a file".to_owned())),
                None => {}
            }
        }
        Ok(Self::default())
    }

    /// A file that the settings name. It must be in the repository of the module.
    pub(super) fn inside(&self, directory: &Path, path: &Path) -> Result<PathBuf, Failure> {
        let file = directory.join(path);
        let root = super::repository(directory)?;
        // A file that does not exist is where its directory is.
        let found = file.canonicalize().or_else(|_| {
            let parent = hclkit::limits::directory_of(&file).canonicalize()?;
            Ok::<_, std::io::Error>(parent.join(file.file_name().unwrap_or_default()))
        });
        match found {
            Ok(found) if found.starts_with(&root) => Ok(file),
            Ok(_) => Err(self.failure(&format!(
                "{} is not in the repository of the module; use an option to name it",
                path.display()
            ))),
            Err(error) => Err(self.failure(&format!("cannot read {}: {error}", path.display()))),
        }
    }

    fn failure(&self, why: &str) -> Failure {
        Failure::new(format!("{}: {why}", self.name))
    }

    fn set(&mut self, json: &Json) -> Result<(), Failure> {
        let Json::Object(all) = json else {
            return if json.is_null() { Ok(()) } else { Err(self.failure("expected a mapping")) };
        };
        for (key, value) in all {
            match key.as_str() {
                "formatter" => self.formatter(&self.text(key, value)?)?,
                "header-from" => self.header_from = Some(self.text(key, value)?.into()),
                "footer-from" => {
                    let path = self.text(key, value)?;
                    self.footer_from = (!path.is_empty()).then(|| path.into());
                }
                "sections" => self.sections(value)?,
                "output" => self.output(value)?,
                "sort" => self.sort(value)?,
                "settings" => self.settings(value)?,
                // Which version of terraform-docs may read it, and where it finds modules: `--recursive` finds all.
                "version" | "recursive" => {}
                "content" if value.as_str().is_some_and(|text| text.trim().is_empty()) => {}
                "content" => {
                    return Err(self.failure(
                        "content: templates of Go are not supported; remove it, or use --config -",
                    ));
                }
                "output-values" if !self.flag("output-values.enabled", &value["enabled"], false)? => {}
                "output-values" => {
                    return Err(self.failure("output-values: values of outputs are not supported"));
                }
                _ => return Err(self.failure(&format!("{key}: unknown setting"))),
            }
        }
        Ok(())
    }

    fn text(&self, key: &str, value: &Json) -> Result<String, Failure> {
        match value {
            Json::String(text) => Ok(text.clone()),
            Json::Null => Ok(String::new()),
            _ => Err(self.failure(&format!("{key}: expected a string"))),
        }
    }

    fn flag(&self, key: &str, value: &Json, default: bool) -> Result<bool, Failure> {
        match value {
            Json::Bool(value) => Ok(*value),
            Json::Null => Ok(default),
            _ => Err(self.failure(&format!("{key}: expected true or false"))),
        }
    }

    fn formatter(&mut self, text: &str) -> Result<(), Failure> {
        let (format, layout) = match text.trim() {
            "" => return Ok(()),
            "markdown" | "md" | "markdown table" | "markdown tbl" | "md table" | "md tbl" => {
                (DocsFormat::Markdown, DocsLayout::Table)
            }
            "markdown document" | "markdown doc" | "md document" | "md doc" => {
                (DocsFormat::Markdown, DocsLayout::Document)
            }
            "asciidoc" | "adoc" | "asciidoc table" | "asciidoc tbl" | "adoc table" | "adoc tbl" => {
                (DocsFormat::Asciidoc, DocsLayout::Table)
            }
            "asciidoc document" | "asciidoc doc" | "adoc document" | "adoc doc" => {
                (DocsFormat::Asciidoc, DocsLayout::Document)
            }
            "json" => (DocsFormat::Json, DocsLayout::Table),
            other => {
                return Err(self.failure(&format!(
                    "formatter: {other:?} is not supported; expected markdown table, markdown document, asciidoc \
                     table, asciidoc document or json"
                )));
            }
        };
        (self.options.format, self.options.layout) = (format, layout);
        Ok(())
    }

    fn sections(&mut self, value: &Json) -> Result<(), Failure> {
        let list = |key: &str| -> Result<Option<Vec<DocsSection>>, Failure> {
            let names = match &value[key] {
                Json::Null => return Ok(None),
                Json::Array(names) => names.clone(),
                _ => return Err(self.failure(&format!("sections.{key}: expected a list"))),
            };
            if names.is_empty() {
                return Ok(None);
            }
            let mut all = Vec::new();
            for name in &names {
                let name = self.text(&format!("sections.{key}"), name)?;
                if name == "all" {
                    all.extend(DocsSection::ALL);
                    continue;
                }
                let section = name.parse::<DocsSection>();
                all.push(section.map_err(|why| self.failure(&format!("sections.{key}: {name:?}: {why}")))?);
            }
            Ok(Some(all))
        };
        let (show, hide) = (list("show")?, list("hide")?);
        if let Some(show) = show {
            self.options.sections = show.into_iter().collect();
        }
        for section in hide.into_iter().flatten() {
            self.options.sections.remove(&section);
        }
        Ok(())
    }

    fn output(&mut self, value: &Json) -> Result<(), Failure> {
        let file = self.text("output.file", &value["file"])?;
        self.file = (!file.is_empty()).then(|| file.into());
        match self.text("output.mode", &value["mode"])?.as_str() {
            "" | "inject" => {}
            _ if self.file.is_none() => {}
            mode => {
                return Err(self.failure(&format!(
                    "output.mode: {mode:?} is not supported; use inject, or `hcl docs --out FILE`"
                )));
            }
        }
        let template = self.text("output.template", &value["template"])?;
        if template.trim().is_empty() {
            return Ok(());
        }
        let lines: Vec<&str> = template.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        match lines[..] {
            [begin, CONTENT, end] if begin != end => {
                self.markers = Some((begin.to_owned(), end.to_owned()));
                Ok(())
            }
            _ => Err(self.failure(&format!(
                "output.template: expected three lines: a comment, {CONTENT} and another comment"
            ))),
        }
    }

    fn sort(&mut self, value: &Json) -> Result<(), Failure> {
        if !self.flag("sort.enabled", &value["enabled"], true)? {
            self.options.order = DocsOrder::Source;
            return Ok(());
        }
        self.options.order = match self.text("sort.by", &value["by"])?.as_str() {
            "" | "name" => DocsOrder::Name,
            "required" => DocsOrder::Required,
            "type" => DocsOrder::Type,
            other => {
                return Err(self.failure(&format!("sort.by: {other:?}: expected name, required or type")));
            }
        };
        Ok(())
    }

    fn settings(&mut self, value: &Json) -> Result<(), Failure> {
        let Json::Object(all) = value else {
            return if value.is_null() { Ok(()) } else { Err(self.failure("settings: expected a mapping")) };
        };
        for (key, value) in all {
            let name = format!("settings.{key}");
            let flag = || self.flag(&name, value, true);
            match key.as_str() {
                "anchor" => self.options.anchor = flag()?,
                "default" => self.options.defaults = flag()?,
                "escape" => self.options.escape = flag()?,
                "hide-empty" => self.options.hide_empty = flag()?,
                "html" => self.options.html = flag()?,
                "lockfile" => self.lockfile = flag()?,
                "read-comments" => self.options.comments = flag()?,
                "required" => self.options.required = flag()?,
                "type" => self.options.types = flag()?,
                "indent" => match value.as_u64() {
                    Some(level @ 1..=5) => self.options.indent = usize::try_from(level).unwrap_or(2),
                    _ => return Err(self.failure("settings.indent: expected a number from 1 to 5")),
                },
                // They are about formats or values that are not written here.
                "color" | "description" | "sensitive" | "atx-closed" => {}
                _ => return Err(self.failure(&format!("{name}: unknown setting"))),
            }
        }
        Ok(())
    }
}
