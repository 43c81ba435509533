//! Names in both syntaxes: a module in one of them gives the answers of the same module in the other one.

use std::collections::BTreeMap;
use std::sync::Arc;

use hclkit::refactor::OccurrenceKind;
use hclkit_ide::{MemoryFiles, Snapshot, Workspace};

const NATIVE: &str = r#"
variable "region" {
  type = string
}
locals {
  zone = "${var.region}-a"
  all  = [for name in [local.zone] : upper(name)]
}
resource "terraform_data" "web" {
  input      = local.zone
  depends_on = [module.net]
}
module "net" {
  source = "./net"
  cidr   = local.zone
}
output "id" {
  value = "${module.net.id} ${terraform_data.web.output}"
}
"#;

const JSON: &str = r#"{
  "variable": {"region": {"type": "string"}},
  "locals": [{"zone": "${var.region}-a", "all": "${[for name in [local.zone] : upper(name)]}"}],
  "resource": {"terraform_data": {"web": {"input": "${local.zone}", "depends_on": ["module.net"]}}},
  "module": {"net": {"source": "./net", "cidr": "${local.zone}"}},
  "output": {"id": {"value": "${module.net.id} ${terraform_data.web.output}"}}
}"#;

const NET: &str = "variable \"cidr\" {}\noutput \"id\" {\n  value = var.cidr\n}\n";

fn snapshot(path: &str, text: &str) -> Snapshot {
    let files = MemoryFiles::from_iter([(path, text), ("/w/net/main.tf", NET)]);
    let mut workspace = Workspace::new(Arc::new(files), ["/w"]);
    workspace.open(path, text, Some(1), None);
    workspace.snapshot()
}

/// For each address that some place in a text has: the places in source order, each with its text and whether it declares the name,
/// and where the name is declared.
fn answers(path: &str, text: &str) -> BTreeMap<String, Vec<String>> {
    let snapshot = snapshot(path, text);
    let mut found = BTreeMap::new();
    for offset in 0..text.len() as u32 {
        let Some(address) = snapshot.address(path, offset) else { continue };
        let references = snapshot.references(path, offset);
        let mut all: Vec<String> = references
            .iter()
            .map(|own| {
                let kind = if own.kind == OccurrenceKind::Declaration { "declares" } else { "uses" };
                let (file, source) = if own.location.path == path { ("main", text) } else { ("net", NET) };
                format!("{file} {kind} {}", &source[own.name.to_range()])
            })
            .collect();
        all.sort();
        let declared = snapshot.definition(path, offset);
        all.extend(declared.iter().map(|own| {
            let source = if own.location.path == path { text } else { NET };
            format!("declared as {}", &source[own.name.to_range()])
        }));
        assert!(
            found.insert(address.clone(), all.clone()).is_none_or(|before| before == all),
            "{address}: {all:?}"
        );
    }
    found
}

#[test]
fn names_have_the_same_answers_in_both_syntaxes() {
    let (native, json) = (answers("/w/main.tf", NATIVE), answers("/w/main.tf.json", JSON));
    let expected = [
        "local.all",
        "local.zone",
        "module.net",
        "module.net.id",
        "module.net.var.cidr",
        "output.id",
        "terraform_data.web",
        "var.region",
    ];
    assert_eq!(native.keys().collect::<Vec<_>>(), expected);
    for (address, own) in &native {
        assert_eq!(json.get(address), Some(own), "{address}");
    }
    assert_eq!(json.len(), native.len());
}

#[test]
fn lenses_and_calls_are_those_of_both_syntaxes() {
    let answers = |path: &str, text: &str| {
        let snapshot = snapshot(path, text);
        let lenses = snapshot
            .lenses(path)
            .into_iter()
            .map(|own| (text[own.span.to_range()].trim_matches('"').to_owned(), own.count));
        let calls = snapshot.outgoing_calls("/w");
        let calls: Vec<(String, String)> = calls
            .iter()
            .flat_map(|own| {
                own.blocks
                    .iter()
                    .map(|block| (own.module.directory.clone(), text[block.span.to_range()].to_owned()))
            })
            .collect();
        (lenses.collect::<Vec<_>>(), calls)
    };
    let expected = (
        vec![("region".to_owned(), 1), ("web".to_owned(), 1), ("net".to_owned(), 2)],
        vec![("/w/net".to_owned(), "net".to_owned())],
    );
    assert_eq!(answers("/w/main.tf", NATIVE), expected);
    assert_eq!(answers("/w/main.tf.json", JSON), expected);
}
