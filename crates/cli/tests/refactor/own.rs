//! The promises of `rename.rs` for languages of users: the random modules, with other names of blocks and other beginnings of
//! addresses, in a language whose table has these.

use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use hclkit::dialect::Dialects;
use hclkit::module::Dialect;
use hclkit::syntax::Source;

use crate::generate::{self, Generated};
use crate::rename::check_module;
use crate::tree::{Files, Tree};

/// What the words of Terraform can be in another language.
const WORDS: [(&str, [&str; 3]); 8] = [
    ("variable", ["input", "parameter", "knob"]),
    ("var", ["in", "given", "knobs"]),
    ("locals", ["names", "let", "constants"]),
    ("local", ["name", "my", "constant"]),
    ("module", ["component", "part", "stage"]),
    ("output", ["export", "result", "yield"]),
    ("resource", ["thing", "service", "resource"]),
    ("data", ["fact", "lookup_of", "data"]),
];

/// Returns whether something was renamed.
pub(crate) fn check(decisions: &[u8]) -> bool {
    let mut u = Unstructured::new(decisions);
    check_one(&mut u).unwrap_or(false)
}

fn check_one(u: &mut Unstructured<'_>) -> Result<bool> {
    let generated = generate::module(u)?;
    let mut words = Vec::new();
    for (word, others) in WORDS {
        words.push((word, *u.choose(&others)?));
    }
    // `in` begins no expression.
    words.iter_mut().filter(|(_, other)| *other == "in").for_each(|(_, other)| *other = "inp");
    let text = table(&words);
    let language = Dialect::read(Source::new("own.hcl", text.as_str()));
    let language = Arc::new(language.unwrap_or_else(|why| panic!("{why}\n{text}")));
    let mut files: Files = generated
        .files
        .iter()
        .filter(|(name, _)| !name.contains("tftest"))
        .map(|(name, text)| {
            (name.replace(".tfvars", ".ownvars").replace(".tf", ".own"), translated(text, &words))
        })
        .collect();
    let address = |address: &str| translated(address, &words);
    let symbols = generated.symbols.iter().map(|(directory, own)| (*directory, address(own))).collect();
    files.insert("hcl.toml".to_owned(), "languages = [\"own.hcl\"]\n".to_owned());
    files.insert("own.hcl".to_owned(), text);
    let generated = Generated { files, symbols };
    Dialects::new([language.clone()]).run(|| check_module(u, generated, &language, run_in))
}

/// Runs the program in the directory with the settings.
fn run_in(tree: &Tree, arguments: &[&str]) -> (u8, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hcl"));
    let output = command.args(arguments).current_dir(tree.path("")).output().expect("it starts");
    let code = output.status.code().and_then(|code| code.try_into().ok()).expect("it ends");
    (code, String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

/// The table of the language.
fn table(words: &[(&str, &str)]) -> String {
    let table = r#"name      = "own"
title     = "Own"
functions = "terraform"
files     = ["*.own"]
overrides = ["override.own", "*_override.own"]
reference_strings = ["depends_on"]

file "values" {
  names = ["*.ownvars"]
}

inputs {
  files = ["terraform.ownvars"]
}

repeat "count" {
  over = "number"
  key  = "count.index"
}

repeat "for_each" {
  over  = "elements"
  key   = "each.key"
  value = "each.value"
}

block "variable" {
  role       = "input"
  labels     = ["name"]
  defines    = "var.{name}"
  attributes = ["default"]
  reserved   = ["count", "depends_on", "for_each", "source"]
}

block "locals" {
  role     = "values"
  defines  = "local.{attribute}"
  contents = "attributes"
}

block "output" {
  role       = "result"
  labels     = ["name"]
  defines    = "output.{name}"
  attributes = ["value", "description"]
}

block "module" {
  role       = "call"
  labels     = ["name"]
  defines    = "module.{name}"
  meta       = ["source", "count", "for_each", "depends_on"]
  required   = ["source"]
  static     = ["source", "depends_on"]
  references = ["depends_on"]
  repeat     = ["count", "for_each"]
}

block "resource" {
  role       = "object"
  labels     = ["type", "name"]
  defines    = "{type}.{name}"
  long_name  = "resource.{type}.{name}"
  meta       = ["count", "for_each", "depends_on"]
  static     = ["depends_on"]
  references = ["depends_on"]
  repeat     = ["count", "for_each"]
  contents   = "open"
}

block "data" {
  role       = "object"
  labels     = ["type", "name"]
  defines    = "data.{type}.{name}"
  meta       = ["count", "for_each", "depends_on"]
  static     = ["depends_on"]
  references = ["depends_on"]
  repeat     = ["count", "for_each"]
  contents   = "open"
}

block "moved" {
  role      = "settings"
  static    = ["from", "to"]
  statement = "move"
  contents  = "attributes"
}
"#;
    let mut inside = table.split_inclusive('\n').map(|line| {
        // Only addresses and types of blocks have the words of the language.
        let has_words = ["block \"", "  defines", "  long_name"].iter().any(|start| line.starts_with(start));
        let Some((before, after)) = line.split_once('"').filter(|_| has_words) else {
            return line.to_owned();
        };
        format!("{before}\"{}", translated(after, words))
    });
    inside.by_ref().collect()
}

/// A text with other words.
fn translated(text: &str, words: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let length = rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        let other = words.iter().find(|(own, _)| *own == word).map_or(word, |(_, other)| other);
        out.push_str(other);
        let next = after.chars().next().map_or(0, char::len_utf8);
        out.push_str(&after[..next]);
        rest = &after[next..];
    }
    out
}
