//! The case files of the suite about bodies and decoding, `tests/suite/<chapter>/*.cases`: how they are read.
//!
//! A case is `=== name (options)` and sections, each `--- title` and its text:
//!
//! - `native` and `json`: the configuration; with both of them, each by itself, and both must give the same. Sections whose
//!   titles are file names are one configuration of several files.
//! - `spec` (or `spec.json`): the spec file that it is decoded by; `vars`: its variables, as a JSON object of values in the
//!   form of `conformance/protocol.md`. The option `dynamic` expands dynamic blocks.
//! - `context`, where there is no spec: the context of the adapter (`shared` form, written as arguments in the native syntax),
//!   by whose schema the configuration is decoded; with the option `eval` its arguments are evaluated instead.
//!   The option `parse` goes without a context: the result holds the expressions as trees.
//! - `expression`, in the place of a configuration: one that may call the operations that evaluate text.
//! - Then what comes out: `value`, `body`, `variables`, `errors`; those that begin with `json` are of the section `json`, where
//!   that gives something else.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::{Value as Json, json};

/// The names of the result sections.
pub(crate) const RESULTS: [&str; 4] = ["value", "body", "variables", "errors"];

/// One case.
#[allow(dead_code, reason = "the driver asks the reference, and writes nothing")]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) options: Vec<String>,
    /// Title and text of each section before the results, in order.
    pub(crate) sections: Vec<(String, String)>,
    /// The results as text.
    pub(crate) expected: String,
}

impl Case {
    fn read(text: &str) -> Case {
        let (header, rest) = text.split_once('\n').unwrap_or((text, ""));
        let (name, options) = match header.rsplit_once(" (") {
            Some((name, options)) => (name, options.trim_end_matches(')').split(", ").map(str::to_owned)),
            None => (header, "".split(", ").map(str::to_owned)),
        };
        let options = options.filter(|option| !option.is_empty()).collect();
        let (mut sections, mut expected) = (Vec::new(), String::new());
        for section in format!("\n{rest}").split("\n--- ").skip(1) {
            let (title, text) = section.split_once('\n').unwrap_or((section, ""));
            if !expected.is_empty() || is_result(title) {
                expected.extend(["--- ", section.trim_end(), "\n"]);
            } else {
                let text = text.trim_end_matches('\n');
                let end = if text.is_empty() { "" } else { "\n" };
                sections.push((title.to_owned(), format!("{text}{end}")));
            }
        }
        Case { name: name.to_owned(), options, sections, expected }
    }

    pub(crate) fn has(&self, option: &str) -> bool {
        self.options.iter().any(|known| known == option)
    }

    /// Whether `hclkit-adapter` answers it.
    #[allow(dead_code, reason = "the driver asks the reference")]
    pub(crate) fn is_for_adapter(&self) -> bool {
        self.section("context").is_some() || self.has("parse")
    }

    pub(crate) fn section(&self, title: &str) -> Option<&str> {
        self.sections.iter().find(|(known, _)| known == title).map(|(_, text)| text.as_str())
    }

    /// The configurations, each the names and texts of its files.
    pub(crate) fn configurations(&self) -> Vec<Vec<(&str, &str)>> {
        let alone = [("native", "main.hcl"), ("json", "main.json")];
        let alone = alone.iter().filter_map(|&(title, name)| Some(vec![(name, self.section(title)?)]));
        let mut all: Vec<_> = alone.collect();
        let files = self.sections.iter().filter(|(title, _)| title.contains('.') && title != "spec.json");
        let files: Vec<_> = files.map(|(name, text)| (name.as_str(), text.as_str())).collect();
        if !files.is_empty() {
            all.push(files);
        }
        all
    }

    pub(crate) fn variables(&self) -> Json {
        let written = self.section("vars");
        written.map_or_else(|| json!({}), |vars| serde_json::from_str(vars).expect("variables in JSON"))
    }

    /// The request of the op `decode` for each configuration, if there is a spec.
    pub(crate) fn requests(&self) -> Vec<Json> {
        let spec = self.section("spec").map(|text| ("spec.hcldec", text));
        let spec = spec.or_else(|| self.section("spec.json").map(|text| ("spec.json", text)));
        let Some((name, text)) = spec else { return Vec::new() };
        let vars = self.variables();
        let ask = |files: &Vec<(&str, &str)>| {
            let files: Vec<Json> =
                files.iter().map(|(name, src)| json!({ "name": name, "src": src })).collect();
            json!({
                "op": "decode", "spec_name": name, "spec": text, "files": files, "vars": vars,
                "dynamic": self.has("dynamic"),
            })
        };
        self.configurations().iter().map(ask).collect()
    }
}

fn is_result(title: &str) -> bool {
    RESULTS.contains(&title.strip_prefix("json ").unwrap_or(title))
}

/// A file of cases. Text before the first case is a remark.
#[allow(dead_code, reason = "the driver asks the reference, and writes nothing")]
pub(crate) struct File {
    pub(crate) path: PathBuf,
    pub(crate) remark: String,
    pub(crate) cases: Vec<Case>,
}

/// All files of the suite, ordered by path.
pub(crate) fn files(suite: &Path) -> io::Result<Vec<File>> {
    let mut paths = Vec::new();
    for chapter in fs::read_dir(suite)? {
        for entry in fs::read_dir(chapter?.path())? {
            let path = entry?.path();
            if path.extension().is_some_and(|end| end == "cases") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let read = |path: PathBuf| {
        let text = format!("\n{}", fs::read_to_string(&path)?);
        let mut pieces = text.split("\n=== ");
        let remark = pieces.next().unwrap_or_default().trim().to_owned();
        Ok(File { path, remark, cases: pieces.map(Case::read).collect() })
    };
    paths.into_iter().map(read).collect()
}
