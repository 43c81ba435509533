//! The Go code of the guide compiles. `.ci/run` runs this where Go is installed: `cargo test -p hclkit-book -- --ignored
//! go::`. It uses the modules of the oracle in `conformance/oracle`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use hclkit_book::repository;

/// The packages that the code can use, by the names that it has for them.
const PACKAGES: [(&str, &str); 8] = [
    ("cty", "github.com/zclconf/go-cty/cty"),
    ("function", "github.com/zclconf/go-cty/cty/function"),
    ("gohcl", "github.com/hashicorp/hcl/v2/gohcl"),
    ("hcl", "github.com/hashicorp/hcl/v2"),
    ("hclsimple", "github.com/hashicorp/hcl/v2/hclsimple"),
    ("hclsyntax", "github.com/hashicorp/hcl/v2/hclsyntax"),
    ("hclwrite", "github.com/hashicorp/hcl/v2/hclwrite"),
    ("stdlib", "github.com/zclconf/go-cty/cty/function/stdlib"),
];

/// The code blocks of a page in Go.
fn snippets(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let blocks = text.split("\n```go\n").skip(1);
    blocks.map(|rest| rest.split("\n```").next().unwrap_or_default().to_owned()).collect()
}

/// A program of a snippet: its types, and a function with its statements.
fn program(snippet: &str) -> String {
    let (mut types, mut statements, mut in_type) = (String::new(), String::new(), false);
    for line in snippet.lines() {
        in_type |= line.starts_with("type ");
        writeln!(if in_type { &mut types } else { &mut statements }, "{line}").unwrap();
        in_type &= line != "}";
    }
    // Variables that are only shown count as used.
    for declared in snippet.lines().filter(|line| !line.starts_with([' ', '\t'])) {
        let Some((names, _)) = declared.split_once(" := ") else { continue };
        for name in names.split(", ") {
            writeln!(statements, "_ = {name}").unwrap();
        }
    }
    let words = || snippet.split(|c: char| !c.is_alphanumeric() && c != '.');
    let is_used =
        |name: &str| words().any(|word| word.split_once('.').is_some_and(|(package, _)| package == name));
    let imports = PACKAGES.iter().filter(|(name, _)| is_used(name));
    let imports: Vec<String> = imports.map(|(_, path)| format!("import \"{path}\"\n")).collect();
    format!("package main\n\n{}\n{types}\nfunc main() {{\n{statements}}}\n", imports.concat())
}

#[test]
#[ignore = "needs Go, and the modules of the oracle"]
fn the_go_code_of_the_guide_compiles() {
    if Command::new("go").arg("version").output().is_err() {
        eprintln!("Go is not installed: the Go code of the guide is not compiled.");
        return;
    }
    let mut all = Vec::new();
    for page in fs::read_dir(repository("docs/book/src")).unwrap() {
        let page = page.unwrap().path();
        // The pages of commands, in a directory of their own, have no code.
        if page.is_file() {
            all.extend(snippets(&page));
        }
    }
    assert!(all.len() >= 2, "no Go code was found");
    let directory = tempfile::tempdir().unwrap();
    for file in ["go.mod", "go.sum"] {
        fs::copy(repository("conformance/oracle").join(file), directory.path().join(file)).unwrap();
    }
    for (number, snippet) in all.iter().enumerate() {
        let package = directory.path().join(format!("snippet{number}"));
        fs::create_dir(&package).unwrap();
        fs::write(package.join("main.go"), program(snippet)).unwrap();
    }
    let output = Command::new("go")
        .args(["build", "-mod=readonly", "./..."])
        .current_dir(directory.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
