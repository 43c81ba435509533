//! The format of all case files: cases of an input and its expected results, in sections.
//!
//! ```text
//! A remark about the file.
//!
//! === name of the case (option, another option)
//! --- source
//! a = 1
//! --- tree
//! (a = 1)
//! ```
//!
//! The text of a section ends before the next line that starts with `--- ` or `=== `. Blank lines at the end of a case
//! do not count. Each suite defines its options, sections and results.
#![forbid(unsafe_code)]

pub mod attacks;
pub mod bombs;
pub mod circles;
mod effort;
mod folder;
pub mod patterns;
pub mod secrets;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use similar::TextDiff;

pub use effort::{is_tried, rounds, seed, seeds};
pub use folder::Folder;

/// A part of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The text after `--- `.
    pub title: String,
    /// Empty, or whole lines.
    pub text: String,
}

impl Section {
    /// Creates a section.
    pub fn new(title: impl Into<String>, text: impl Into<String>) -> Self {
        Self { title: title.into(), text: text.into() }
    }
}

/// One case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The name of the case.
    pub name: String,
    /// The options in parentheses after the name.
    pub options: Vec<String>,
    /// Input and expected results.
    pub sections: Vec<Section>,
}

impl Case {
    /// Returns true if the case has this option.
    pub fn has(&self, option: &str) -> bool {
        self.options.iter().any(|known| known == option)
    }

    /// The text of the section with this title.
    pub fn section(&self, title: &str) -> Option<&str> {
        self.sections.iter().find(|section| section.title == title).map(|section| section.text.as_str())
    }

    fn parse(text: &str) -> Result<Self, String> {
        let (header, rest) = text.split_once('\n').unwrap_or((text, ""));
        let (name, options) = match header.strip_suffix(')').and_then(|header| header.rsplit_once(" (")) {
            Some((name, options)) => (name, options.split(", ").map(str::to_owned).collect()),
            None => (header, Vec::new()),
        };
        let fail = |problem: &str| Err(format!("`{header}`: {problem}"));
        if name.is_empty() {
            return fail("the case has no name");
        }
        let rest = format!("\n{}", rest.trim_end_matches('\n'));
        let mut pieces = rest.split("\n--- ");
        if pieces.next().is_some_and(|text| !text.trim().is_empty()) {
            return fail("there is text before the first section");
        }
        let mut sections: Vec<Section> = Vec::new();
        for piece in pieces {
            let (title, text) = piece.split_once('\n').unwrap_or((piece, ""));
            if title.is_empty() || title != title.trim() {
                return fail("the title of a section is missing or has blanks around it");
            }
            if sections.iter().any(|section| section.title == title) {
                return fail(&format!("there are two sections `{title}`"));
            }
            let end = if piece.contains('\n') { "\n" } else { "" };
            sections.push(Section::new(title, format!("{text}{end}")));
        }
        if sections.is_empty() {
            return fail("the case has no sections");
        }
        Ok(Self { name: name.to_owned(), options, sections })
    }

    /// The case as in a file, with these sections.
    fn write<'s>(&self, sections: impl IntoIterator<Item = &'s Section>) -> String {
        let mut out = format!("=== {}", self.name);
        if !self.options.is_empty() {
            let _ = write!(out, " ({})", self.options.join(", "));
        }
        out.push('\n');
        for Section { title, text } in sections {
            let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            let _ = write!(out, "--- {title}\n{text}{end}");
        }
        format!("{}\n", out.trim_end_matches('\n'))
    }
}

/// The cases of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Where the file is.
    pub path: PathBuf,
    /// The text before the first case.
    pub remark: String,
    /// The cases in order.
    pub cases: Vec<Case>,
}

impl File {
    /// Reads a file.
    ///
    /// # Errors
    /// If the text does not have the format, a name is used twice, or there are no cases.
    pub fn parse(path: impl Into<PathBuf>, text: &str) -> Result<Self, String> {
        let path = path.into();
        let read = || {
            let text = format!("\n{text}");
            let mut pieces = text.split("\n=== ");
            let remark = pieces.next().unwrap_or_default().trim().to_owned();
            if remark.lines().any(|line| line.starts_with("---") || line.starts_with("===")) {
                return Err("a section is outside of a case, or a marker has no blank after it".to_owned());
            }
            let cases = pieces.map(Case::parse).collect::<Result<Vec<_>, _>>()?;
            let mut names = BTreeSet::new();
            match cases.iter().find(|case| !names.insert((&case.name, &case.options))) {
                Some(case) => Err(format!("`{}`: there are two cases of this name", case.name)),
                None if cases.is_empty() => Err("there are no cases".to_owned()),
                None => Ok((remark, cases)),
            }
        };
        let (remark, cases) = read().map_err(|problem| format!("{}: {problem}", path.display()))?;
        Ok(Self { path, remark, cases })
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        self.text_of(self.cases.iter().map(|case| case.write(&case.sections)))
    }

    /// The text of the file with these cases.
    fn text_of(&self, cases: impl Iterator<Item = String>) -> String {
        let remark = (!self.remark.is_empty()).then(|| format!("{}\n", self.remark));
        remark.into_iter().chain(cases).collect::<Vec<_>>().join("\n")
    }
}

/// Reads all files under a directory that have an extension, in the order of their paths. `others` are the extensions of
/// files that other suites read. Hidden files are ignored.
///
/// # Errors
/// If a file is malformed or cannot be read, if no suite reads it, or if a directory has no files.
pub fn read(directory: &Path, extension: &str, others: &[&str]) -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", directory.display());
        let entries = fs::read_dir(&directory).map_err(|error| fail(&error))?;
        let mut empty = true;
        for entry in entries {
            let entry = entry.map_err(|error| fail(&error))?;
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            let path = entry.path();
            empty = false;
            if path.is_dir() {
                directories.push(path);
                continue;
            }
            let found = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if found == extension {
                let text =
                    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                files.push(File::parse(path, &text)?);
            } else if !others.contains(&found.as_str()) {
                return Err(format!("{}: no suite reads this file", path.display()));
            }
        }
        if empty {
            return Err(fail(&"the directory has no files"));
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    if files.is_empty() {
        Err(format!("{} has no `.{extension}` files", directory.display()))
    } else {
        Ok(files)
    }
}

/// Compares the results of each case with those in the files, or writes them if the variable `BLESS` is set. `is_result`
/// says which sections are results; they must come after all others. `run` returns the actual ones.
///
/// # Panics
/// If results differ.
pub fn check(files: &[File], is_result: impl Fn(&str) -> bool, run: impl Fn(&Case) -> Vec<Section>) {
    let bless = env::var_os("BLESS").is_some();
    let mut differences = String::new();
    for file in files {
        let mut blessed = Vec::new();
        for case in &file.cases {
            let inputs = case.sections.iter().take_while(|section| !is_result(&section.title));
            let results = run(case);
            let found = case.write(inputs.chain(&results));
            let expected = case.write(&case.sections);
            if found != expected {
                let diff = TextDiff::from_lines(&expected, &found);
                let diff = diff.unified_diff().context_radius(20).to_string();
                let _ = writeln!(differences, "{}\n{diff}", file.path.display());
            }
            blessed.push(found);
        }
        if bless {
            // Other tests read these files at the same time, so replace them atomically.
            let name = file.path.file_name().unwrap_or_default().to_string_lossy();
            let new = file.path.with_file_name(format!(".{name}"));
            let written = fs::write(&new, file.text_of(blessed.into_iter()));
            written.and_then(|()| fs::rename(&new, &file.path)).expect("the file can be written");
        }
    }
    assert!(bless || differences.is_empty(), "{differences}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        File::parse("x.cases", text).unwrap_err()
    }

    #[test]
    fn a_file_is_read_and_written() {
        let text = "=== one (a, b 2)\n--- source\nx\n\n--- tree\n(x)\n";
        let file = File::parse("x.cases", &format!("A remark.\n\n{text}\n=== two\n--- source\n")).unwrap();
        assert_eq!(file.remark, "A remark.");
        let [one, two] = &file.cases[..] else { panic!("{file:?}") };
        assert!(one.has("a") && one.has("b 2") && !one.has("b"));
        assert_eq!((one.section("source"), one.section("tree")), (Some("x\n\n"), Some("(x)\n")));
        assert_eq!(one.write(&one.sections), text);
        assert_eq!(file.text(), format!("A remark.\n\n{text}\n=== two\n--- source\n"));
        assert_eq!((two.name.as_str(), two.section("source")), ("two", Some("")));
    }

    #[test]
    fn malformed_files_are_errors() {
        assert_eq!(problem("only a remark\n"), "x.cases: there are no cases");
        assert_eq!(problem("=== one\n"), "x.cases: `one`: the case has no sections");
        assert_eq!(problem("===  (a)\n--- b\n"), "x.cases: ` (a)`: the case has no name");
        assert_eq!(problem("=== one\ntext\n"), "x.cases: `one`: there is text before the first section");
        assert_eq!(problem("=== one\n--- a\n--- a\n"), "x.cases: `one`: there are two sections `a`");
        assert!(problem("=== one\n---  a\n").contains("has blanks around it"));
        assert!(problem("=== one\n--- a\n\n=== one\n--- a\n").ends_with("there are two cases of this name"));
        assert!(problem("--- a\n=== one\n--- a\n").contains("a section is outside of a case"));
    }

    #[test]
    fn files_that_no_suite_reads_are_errors() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        fs::write(directory.join("a.cases"), "=== one\n--- a\n").unwrap();
        assert_eq!(read(directory, "cases", &[]).unwrap().len(), 1);
        fs::write(directory.join("b.txt"), "").unwrap();
        let unread = read(directory, "cases", &[]).unwrap_err();
        assert!(unread.ends_with("b.txt: no suite reads this file"), "{unread}");
        assert!(read(directory, "cases", &["txt"]).is_ok());
        assert!(read(directory, "trees", &["txt", "cases"]).is_err());
    }

    #[test]
    #[should_panic(expected = "+(y)")]
    fn different_results_are_reported() {
        let file = File::parse("x.cases", "=== one\n--- source\nx\n--- tree\n(x)\n").unwrap();
        check(&[file], |title| title == "tree", |_| vec![Section::new("tree", "(y)\n")]);
    }
}
