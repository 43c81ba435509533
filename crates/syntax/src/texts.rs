//! The catalogue of texts in diagnostics about syntax: notes by code, titles of fixes, and texts at related places. The
//! summary and the explanation of each code are in `code.rs`. What the JSON syntax reads as U+FFFD is a warning, everything
//! else an error. A text is a constant, or a function of its parts.

pub(crate) mod fix;
pub(crate) mod json;
pub(crate) mod lexical;
pub(crate) mod native;
pub(crate) mod related;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Texts that are written where they are reported would be missing in the catalogue.
    #[test]
    fn all_texts_are_in_the_catalogue() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut directories = ["lexer", "parser", "json"].map(|name| source.join(name)).to_vec();
        let mut files: Vec<PathBuf> = ["lexer.rs", "parser.rs"].map(|name| source.join(name)).to_vec();
        while let Some(directory) = directories.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { directories.push(path) } else { files.push(path) }
            }
        }
        assert!(files.len() > 20, "{files:?}");
        for path in files {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for (number, line) in code.enumerate() {
                let inline =
                    ["with_note(\"", "with_note(format!", "with_edit(\"", "Fix::new(\"", "title: \""];
                let found = inline.iter().find(|start| line.contains(**start)).copied();
                // Notes are sentences.
                let sentence = line.trim_end_matches([',', ';', ')']).ends_with(".\"");
                assert!(found.is_none() && !sentence, "{}, {number}: {line}", path.display());
            }
        }
    }
}
