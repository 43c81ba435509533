//! The sections of cases about bodies and decoding, `tests/suite/<chapter>/*.cases`:
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

use std::path::Path;

use hclkit_test_cases as cases;
pub(crate) use hclkit_test_cases::File;
use serde_json::{Value as Json, json};

/// The names of the result sections.
const RESULTS: [&str; 4] = ["value", "body", "variables", "errors"];

/// The input of a case.
pub(crate) struct Input<'c>(pub(crate) &'c cases::Case);

impl Input<'_> {
    #[allow(dead_code, reason = "the driver asks the reference")]
    pub(crate) fn has(&self, option: &str) -> bool {
        self.0.has(option)
    }

    /// Whether `hclkit-adapter` answers it.
    #[allow(dead_code, reason = "the driver asks the reference")]
    pub(crate) fn is_for_adapter(&self) -> bool {
        self.section("context").is_some() || self.has("parse")
    }

    pub(crate) fn section(&self, title: &str) -> Option<&str> {
        self.0.section(title)
    }

    /// The configurations, each the names and texts of its files.
    pub(crate) fn configurations(&self) -> Vec<Vec<(&str, &str)>> {
        let alone = [("native", "main.hcl"), ("json", "main.json")];
        let alone = alone.iter().filter_map(|&(title, name)| Some(vec![(name, self.section(title)?)]));
        let mut all: Vec<_> = alone.collect();
        let files = self.0.sections.iter().filter(|section| is_file(&section.title));
        let files: Vec<_> = files.map(|file| (file.title.as_str(), file.text.as_str())).collect();
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

/// Returns true if a section is a file of a configuration of several files.
fn is_file(title: &str) -> bool {
    title.contains('.') && title != "spec.json"
}

/// Returns true if a section is a result.
pub(crate) fn is_result(title: &str) -> bool {
    RESULTS.contains(&title.strip_prefix("json ").unwrap_or(title))
}

/// All files of the suite, ordered by path. `.trees` are those of `crates/syntax/tests/syntax/suite.rs`.
///
/// # Errors
/// If a file is malformed, has unknown sections or options, or is read by no suite.
pub(crate) fn files(suite: &Path) -> Result<Vec<File>, String> {
    const OPTIONS: [&str; 3] = ["dynamic", "eval", "parse"];
    const INPUTS: [&str; 7] = ["native", "json", "spec", "spec.json", "vars", "context", "expression"];
    let files = cases::read(suite, "cases", &["trees"])?;
    for file in &files {
        for case in &file.cases {
            let known = |title: &str| INPUTS.contains(&title) || is_file(title) || is_result(title);
            let sections =
                case.sections.iter().map(|section| section.title.as_str()).filter(|title| !known(title));
            let options = case.options.iter().map(String::as_str).filter(|option| !OPTIONS.contains(option));
            if let Some(unknown) = sections.chain(options).next() {
                return Err(format!("{}: `{}`: unknown `{unknown}`", file.path.display(), case.name));
            }
        }
    }
    Ok(files)
}
