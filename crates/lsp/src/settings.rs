//! Settings of the session: initialization options, and `hcl.toml` in each directory that the editor shows. They are read again
//! when a file that they come from changes.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use hclkit::Source;
use hclkit::dialect::Dialect;
use hclkit::limits::is_network_path;
use hclkit::module::Schemas;
use hclkit_ide::SpecPattern;
use lsp_server::Message;
use serde_json::{Value, json};

use crate::server::{Server, network_path, notification};

/// What the settings were when they were read.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    /// The initialization options.
    options: Value,
    /// The files that the options name, and the schemas.
    files: Vec<String>,
    /// The files with the schemas of providers, and whether a project names them: what it names must be in the workspace.
    schemas: Vec<(String, bool)>,
    must_read_schemas: bool,
    /// A number that changes with the texts of all files.
    stamp: u64,
    /// What is wrong with them, until the client is told.
    problems: Vec<String>,
}

impl Settings {
    /// Adds what the client is told next.
    pub(crate) fn add_problem(&mut self, problem: String) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

impl Server {
    /// Reads the settings for the first time.
    pub(crate) fn configure(&mut self, options: &Value) {
        self.settings.options = options.clone();
        self.read_settings();
    }

    /// Reads the settings again if their files have changed. The result says what is wrong with them.
    pub(crate) fn reconfigure(&mut self) -> Vec<Message> {
        if self.settings_stamp() != self.settings.stamp {
            self.read_settings();
        }
        self.problems()
    }

    /// What is wrong with the settings, as messages that the client shows.
    pub(crate) fn problems(&mut self) -> Vec<Message> {
        let shown = |problem| notification("window/showMessage", json!({ "type": 1, "message": problem }));
        let of_cache = self.workspace.take_schema_problems();
        std::mem::take(&mut self.settings.problems).into_iter().chain(of_cache).map(shown).collect()
    }

    /// The path that an option names, in the first directory. The error is that it is on another machine.
    fn option_path(&self, option: &str, path: &str) -> Result<String, String> {
        if is_network_path(path) {
            return Err(format!("the option `{option}`: {}", network_path(path)));
        }
        Ok(match (path.starts_with('/'), self.roots().first()) {
            (false, Some(root)) => format!("{}/{path}", root.trim_end_matches('/')),
            _ => path.to_owned(),
        })
    }

    /// Whether schemas of providers wait to be read. They are large, so this is not done before the first answer.
    pub(crate) fn has_unread_schemas(&self) -> bool {
        self.settings.must_read_schemas
    }

    /// Reads the schemas of providers.
    pub(crate) fn read_schemas(&mut self) -> Vec<Message> {
        self.settings.must_read_schemas = false;
        let mut found = Vec::new();
        let snapshot = self.workspace.snapshot();
        for (path, is_of_project) in &self.settings.schemas {
            let text = if *is_of_project { snapshot.read(path) } else { self.files.read(path) };
            let read = text.map_err(|error| error.to_string());
            match read.and_then(|text| Schemas::read(&text).map_err(|error| error.to_string())) {
                Ok(schemas) => found.push(schemas),
                Err(why) => self.settings.problems.push(format!("cannot use the schemas in {path}: {why}")),
            }
        }
        self.workspace.set_schemas(found);
        self.problems()
    }

    fn settings_stamp(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let snapshot = self.workspace.snapshot();
        let paths = snapshot.settings_files();
        for path in paths {
            (snapshot.read(&path).ok(), path).hash(&mut hasher);
        }
        for path in &self.settings.files {
            (path, self.files.stamp(path).ok()).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Reads the tables of further languages: those that `hcl.toml` names, and those of the options, as paths in the first
    /// directory or as text.
    fn read_settings(&mut self) {
        let (mut languages, mut problems) = self.workspace.languages_of_settings();
        self.settings.files.clear();
        let options = self.settings.options.clone();
        let tables = options["languages"].as_array().into_iter().flatten();
        for table in tables.filter_map(Value::as_str) {
            let source = if table.contains('\n') {
                Source::new("language.hcl", table)
            } else {
                let read = self.option_path("languages", table).and_then(|path| {
                    self.settings.files.push(path.clone());
                    let text = self.files.read(&path);
                    let text = text.map_err(|error| format!("cannot read the table {path}: {error}"))?;
                    Ok(Source::new(path, text))
                });
                match read {
                    Ok(source) => source,
                    Err(why) => {
                        problems.push(why);
                        continue;
                    }
                }
            };
            match Dialect::read(source) {
                Ok(language) => languages.push(Arc::new(language)),
                Err(found) => problems.push(format!("the table of a language has errors: {found}")),
            }
        }
        self.workspace.set_languages(languages);
        let mut specs: Vec<SpecPattern> = self.specs.clone();
        for (pattern, path) in options["specs"].as_object().into_iter().flatten() {
            let Some(path) = path.as_str() else {
                problems.push(format!("the option `specs`: the value of {pattern:?} must be a path"));
                continue;
            };
            let own = self.option_path("specs", path).and_then(|path| {
                SpecPattern::new(pattern, path).map_err(|why| format!("the option `specs`: {why}"))
            });
            match own {
                Ok(own) => specs.push(own),
                Err(why) => problems.push(why),
            }
        }
        self.workspace.set_specs(specs);
        let of_settings = self.workspace.snapshot().schema_files().into_iter().map(|path| (path, true));
        let of_options = options["schemas"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut known = |path: Result<String, String>| path.map_err(|why| problems.push(why)).ok();
        let of_options =
            of_options.filter_map(|path| Some((known(self.option_path("schemas", path))?, false)));
        let schemas = of_settings.chain(of_options).collect();
        let cache = options["schemaCache"].as_str();
        let cache = cache.and_then(|path| known(self.option_path("schemaCache", path)));
        self.settings.schemas = schemas;
        match cache.or_else(|| self.schema_cache.clone()) {
            None => {
                let own = self.workspace.snapshot().schema_cache_directory();
                self.workspace.set_project_schema_cache(own);
            }
            of_user => self.workspace.set_schema_cache(of_user),
        }
        self.workspace.set_schemas([]);
        self.settings.must_read_schemas = !self.settings.schemas.is_empty();
        let schemas: Vec<String> = self.settings.schemas.iter().map(|(path, _)| path.clone()).collect();
        self.settings.files.extend(schemas);
        self.settings.problems = problems;
        self.settings.stamp = self.settings_stamp();
    }
}
