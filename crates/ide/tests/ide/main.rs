//! The answers about files in memory. `‸` is the cursor.

mod completion;
mod features;
mod fitting;
mod knowledge;
mod languages;
mod lenses;
mod other_server;
mod places;
mod random;
mod recall;
mod refactorings;
mod renaming;
mod rules;
mod settings;
mod syntaxes;
mod units;
mod values;

use std::sync::Arc;

use hclkit_ide::{MemoryFiles, Snapshot, Workspace};

/// Files in `/w`. The one with the cursor is open.
pub(crate) struct Case {
    pub(crate) snapshot: Snapshot,
    pub(crate) path: String,
    pub(crate) offset: u32,
    pub(crate) text: String,
}

/// A case with these files; one has the cursor.
pub(crate) fn case(files: &[(&str, &str)]) -> Case {
    let at = |path: &str| format!("/w/{path}");
    let closed = files.iter().map(|(path, text)| (at(path), text.replace('‸', "")));
    let mut workspace = Workspace::new(Arc::new(closed.collect::<MemoryFiles>()), ["/w"]);
    let (path, text) = files.iter().find(|(_, text)| text.contains('‸')).expect("a file has the cursor");
    let offset = text.find('‸').expect("it is there") as u32;
    let text = text.replace('‸', "");
    workspace.open(&at(path), text.as_str(), Some(1), None);
    Case { snapshot: workspace.snapshot(), path: at(path), offset, text }
}

/// A case with one file.
pub(crate) fn one(path: &str, text: &str) -> Case {
    case(&[(path, text)])
}

impl Case {
    pub(crate) fn hover(&self) -> String {
        self.snapshot.hover(&self.path, self.offset).map(|hover| hover.text).unwrap_or_default()
    }

    pub(crate) fn labels(&self) -> Vec<String> {
        self.snapshot.completions(&self.path, self.offset).into_iter().map(|item| item.label).collect()
    }

    /// The file after an item with this label is accepted.
    pub(crate) fn accept(&self, label: &str) -> String {
        let items = self.snapshot.completions(&self.path, self.offset);
        let item = items.iter().find(|item| item.label == label);
        let item = item.unwrap_or_else(|| panic!("{label} is not offered"));
        let mut text = self.text.clone();
        text.replace_range(item.span.to_range(), &item.text);
        text
    }

    /// The names of files, lines and texts of locations.
    pub(crate) fn shown(&self, path: &str, span: hclkit::Span) -> String {
        let file = self.snapshot.file(path).expect("the file is there");
        let line = file.lines().line_of(span.start) + 1;
        format!("{}:{line}: {}", path.trim_start_matches("/w/"), file.document().source().slice(span))
    }

    pub(crate) fn codes(&self) -> Vec<String> {
        let found = self.snapshot.diagnostics(&self.path);
        found.iter().filter_map(|found| Some(found.code()?.as_str().to_owned())).collect()
    }
}
