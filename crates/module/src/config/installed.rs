//! The modules that a program has downloaded, as listed in a file such as `.terraform/modules/modules.json`.

use std::collections::HashMap;

use hclkit_model::{Context, ParseOptions};
use hclkit_syntax::Source;
use hclkit_value::Value;

use crate::files::{Files, join};
use hclkit_dialect::Dialect;

/// The directories of downloaded modules.
#[derive(Debug, Default)]
pub(crate) struct Installed {
    /// The source and the directory of each call, by the names of the calls that lead to it: `network.subnets`.
    modules: HashMap<String, (String, String)>,
}

impl Installed {
    /// Reads the file that the language names. If it does not exist or cannot be read, there are no downloaded
    /// modules.
    pub(crate) fn read(language: &Dialect, files: &dyn Files, root: &str) -> Self {
        let path = language.installed.as_ref().map(|path| join(root, path));
        let path = path.filter(|path| files.is_inside(path));
        let Some(text) = path.and_then(|path| files.read(&path).ok()) else { return Self::default() };
        let (body, found) = ParseOptions::new().parse(Source::new("modules.json", text));
        let list = body.attribute("Modules").filter(|_| !found.has_errors());
        let list = list.and_then(|list| list.expression.evaluate(&Context::new()).ok());
        let mut modules = HashMap::new();
        for module in list.as_ref().and_then(Value::as_slice).unwrap_or_default() {
            let text = |name: &str| {
                let mut entries = module.entries()?;
                let (_, value) = entries.find(|(own, _)| own.as_str() == name)?;
                value.as_str().map(str::to_owned)
            };
            if let (Some(key), Some(source), Some(directory)) = (text("Key"), text("Source"), text("Dir"))
                && !directory.starts_with('/')
                && !directory.contains('\\')
            {
                modules.insert(key, (source, join(root, &directory)));
            }
        }
        Self { modules }
    }

    /// Returns true if there are no downloaded modules.
    pub(crate) fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    /// Returns the directory of the downloaded module that a chain of calls leads to, if its source is still the same.
    pub(crate) fn directory(&self, calls: &[String], source: &str) -> Option<&str> {
        let (downloaded, directory) = self.modules.get(&calls.join("."))?;
        // The file contains full addresses of sources.
        let (downloaded, source) = (bare(downloaded), bare(source));
        let is_same = downloaded == source || downloaded.ends_with(&format!("/{source}"));
        (is_same && !directory.is_empty()).then_some(directory.as_str())
    }
}

/// A source without its version: the package, and the directory inside of it.
pub(super) fn split_package(source: &str) -> (&str, &str) {
    let source = source.split_once('?').map_or(source, |(before, _)| before);
    let start = source.find("://").map_or(0, |at| at + "://".len());
    match source[start..].find("//") {
        Some(at) => (&source[..start + at], &source[start + at + "//".len()..]),
        None => (source, ""),
    }
}

/// An address without the parts that the program adds.
fn bare(address: &str) -> String {
    let mut text = address;
    for prefix in ["git::", "https://", "ssh://", "git@"] {
        text = text.strip_prefix(prefix).unwrap_or(text);
    }
    text.replacen(".git", "", 1).replacen("github.com:", "github.com/", 1)
}
