//! The guide in `docs/book` and the manuals in `docs/`: their Rust code runs as doctests of this crate. The console
//! sessions are run by `crates/cli/tests/cli/book.rs`.

use std::path::{Path, PathBuf};

/// A file or directory of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Checks that a page shows an output: one of its `text` blocks must be exactly this. With `SNAPSHOTS=overwrite` and
/// `--test-threads=1`, the first empty block is filled.
///
/// # Panics
/// The page does not show it.
pub fn shown(page: &str, output: &str) {
    let path = repository(page);
    let text = std::fs::read_to_string(&path).expect(page);
    let output = output.trim_end();
    let shown = text.split("```text\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default());
    if shown.into_iter().any(|block| block.trim_end() == output) {
        return;
    }
    let empty = "```text\n```";
    if text.contains(empty) && std::env::var("SNAPSHOTS").is_ok_and(|action| action == "overwrite") {
        let filled = text.replacen(empty, &format!("```text\n{output}\n```"), 1);
        std::fs::write(&path, filled).expect(page);
        return;
    }
    panic!("{page} does not show\n{output}");
}

#[cfg(doctest)]
macro_rules! pages {
    ($($name:ident $path:literal,)*) => {
        $(#[doc = include_str!(concat!("../../../docs/", $path))] mod $name {})*
    };
}

#[cfg(doctest)]
pages! {
    formatting "formatting.md",
    editing "editing.md",
    paths "paths.md",
    converting "converting.md",
    spec_language "spec-language.md",
    start "book/src/start.md",
    derive "book/src/derive.md",
    serde "book/src/serde.md",
    modules "book/src/modules.md",
    spec "book/src/spec.md",
    evaluate "book/src/evaluate.md",
    partial "book/src/partial.md",
    json "book/src/json.md",
    diagnostics "book/src/diagnostics.md",
    integrations "book/src/integrations.md",
    untrusted "book/src/untrusted.md",
    write "book/src/write.md",
    from_hcl_rs "book/src/from-hcl-rs.md",
    from_go "book/src/from-go.md",
}
