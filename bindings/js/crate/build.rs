//! Writes what formatting needs of the tables of languages, so that the small program does not have to read and evaluate them.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use hclkit_dialect::Dialect;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let (mut languages, mut files) = (String::new(), String::new());
    for dialect in Dialect::all() {
        let rewrites = dialect.rewrites();
        let _ = write!(languages, "({:?}, {rewrites}), ", dialect.name());
        // As in `Dialect::of_path`: any name belongs to plain HCL.
        for pattern in dialect.file_patterns().filter(|_| dialect.name() != "hcl") {
            let _ = write!(files, "({pattern:?}, {rewrites}), ");
        }
    }
    let text = format!(
        "pub(super) const LANGUAGES: &[(&str, bool)] = &[{languages}];\npub(super) const FILES: &[(&str, bool)] = &[{files}];\n"
    );
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("languages.rs"), text).expect("the directory for output can be written");
}
