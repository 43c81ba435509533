//! Names in both syntaxes: a module in one of them gives the answers of the same module in the other one.

use std::collections::BTreeMap;
use std::sync::Arc;

use hclkit::refactor::OccurrenceKind;
use hclkit_ide::{MemoryFiles, Snapshot, Workspace};

use super::case;

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

/// The labels that are offered at the cursor.
fn offered(path: &str, text: &str) -> Vec<String> {
    case(&[(path, text), ("net/main.tf", NET), ("other.tf", OTHER)]).labels()
}

const OTHER: &str = "variable \"size\" {}\nvariable \"zones\" {\n  default = { a = { id = 1 } }\n}\nlocals {\n  zone = \"a\"\n}\n\
                     resource \"a_b\" \"c\" {\n  name = \"x\"\n  rule {\n    port = 1\n  }\n}\n";

#[test]
fn completion_is_the_same_in_both_syntaxes() {
    let pairs = [
        ("output \"o\" {\n  value = \"${‸}\"\n}\n", r#"{"output": {"o": {"value": "${‸}"}}}"#),
        ("output \"o\" {\n  value = \"x ${var.‸}\"\n}\n", r#"{"output": {"o": {"value": "x ${var.‸}"}}}"#),
        (
            "output \"o\" {\n  value = \"${var.zones.‸}\"\n}\n",
            r#"{"output": [{"o": {"value": "${var.zones.‸}"}}]}"#,
        ),
        (
            "output \"o\" {\n  value = \"${[for zone in var.zones : zo‸]}\"\n}\n",
            r#"{"output": {"o": {"value": "${[for zone in var.zones : zo‸]}"}}}"#,
        ),
        (
            "output \"o\" {\n  value = \"${lookup({ \"k\" = 1 }, loc‸)}\"\n}\n",
            r#"{"output": {"o": {"value": "${lookup({ \"k\" = 1 }, loc‸)}"}}}"#,
        ),
        (
            "module \"net\" {\n  source = \"./net\"\n  ‸ = null\n}\n",
            r#"{"module": {"net": {"source": "./net", "‸": null}}}"#,
        ),
        ("variable \"v\" {\n  type = ‸\n}\n", r#"{"variable": {"v": {"type": "‸"}}}"#),
        (
            "resource \"a_b\" \"d\" {\n  depends_on = [‸]\n}\n",
            r#"{"resource": {"a_b": {"d": {"depends_on": ["‸"]}}}}"#,
        ),
        ("resource \"a_b\" \"d\" {\n  na‸ = null\n}\n", r#"{"resource": {"a_b": {"d": {"na‸": null}}}}"#),
        ("resource \"a_‸\" \"d\" {\n}\n", r#"{"resource": {"a_‸": {"d": {}}}}"#),
        ("zones = {\n}\n‸ = null\n", r#"{"zones": {}, "‸": null}"#),
        ("locals {\n  a = \"text‸\"\n}\n", r#"{"locals": {"a": "text‸"}}"#),
    ];
    let mut empty = 0;
    for (native, json) in pairs {
        let [native_path, json_path] = if native.starts_with("zones") {
            ["terraform.tfvars", "terraform.tfvars.json"]
        } else {
            ["main.tf", "main.tf.json"]
        };
        // What the file uses itself counts for the order, and a file in JSON is read as a whole.
        let [mut native, mut json_labels] = [offered(native_path, native), offered(json_path, json)];
        native.sort();
        json_labels.sort();
        assert_eq!(json_labels, native, "{json}");
        empty += usize::from(native.is_empty());
    }
    assert_eq!(empty, 1, "only the text has nothing to complete");
}

#[test]
fn accepted_items_are_json() {
    let accept = |text: &str, label: &str| {
        case(&[("main.tf.json", text), ("net/main.tf", NET), ("other.tf", OTHER)]).accept(label)
    };
    let keys = accept(r#"{"output": {"o": {"value": "${var.zones[‸]}"}}}"#, "\"a\"");
    assert_eq!(keys, r#"{"output": {"o": {"value": "${var.zones[\"a\"]}"}}}"#);
    let call = accept(r#"{"output": {"o": {"value": "a\tb ${upp‸}"}}}"#, "upper");
    assert_eq!(call, r#"{"output": {"o": {"value": "a\tb ${upper()}"}}}"#);
    assert_eq!(accept(r#"{"‸": {}}"#, "resource"), r#"{"resource": {}}"#);
    let name = accept(r#"{"module": {"net": {"source": "./net", "‸": ""}}}"#, "cidr");
    assert_eq!(name, r#"{"module": {"net": {"source": "./net", "cidr": ""}}}"#);
}

/// Each offset in a file: nothing panics, and each item leaves a file without syntax errors.
#[test]
fn no_item_breaks_json() {
    let json = r#"{"variable": {"e\u0301": {"type": "list(string)", "default": ["a\n", 1.5e3, true, null]}},
  "locals": {"a": "${var.zones[\"a\"].id} and %{ if true }x%{ endif }", "b": {"k": "${local.a}", "//": "x"}},
  "module": {"net": {"source": "./net", "providers": {"a": "a.b"}, "cidr": "${upper(local.zone)}"}},
  "resource": {"a_b": {"d": {"rule": [{"port": 1}], "count": "${1 + 1}", "depends_on": ["module.net"]}}}}"#;
    let mut found = 0;
    for offset in (0..=json.len()).filter(|&at| json.is_char_boundary(at)) {
        let text = format!("{}‸{}", &json[..offset], &json[offset..]);
        let own = case(&[("main.tf.json", text.as_str()), ("net/main.tf", NET), ("other.tf", OTHER)]);
        let items = own.snapshot.completions(&own.path, own.offset);
        found += items.len();
        for item in items {
            let mut text = own.text.clone();
            text.replace_range(item.span.to_range(), &item.text);
            assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{item:?}\n{text}");
        }
    }
    assert!(found > 4_000, "{found}");
}
