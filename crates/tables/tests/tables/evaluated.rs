//! The tables of evaluated directories: instances and values.

use hclkit::dialect::Dialect;
use hclkit::module::{Memory, ModuleLoader, functions_without_files};
use hclkit_tables::arrow_array::cast::AsArray as _;
use hclkit_tables::{Batches, Content, Entry, Format, Options, Table};

use crate::kit::{Row, lines, shown, write};

const MAIN: &str = r#"variable "secret" {
  default   = "canary7c1d"
  sensitive = true
}
variable "name" {
  default = "web"
}
variable "open" {}
locals {
  upper = upper(var.name)
  both  = { a = var.name, b = var.secret, c = var.open }
  token = "x-${var.secret}"
}
resource "aws_instance" "web" {
  count    = 2
  provider = amazon.west
  ami      = "ami-${count.index}"
  key      = var.secret
  zone     = var.open
}
data "aws_ami" "base" {
  for_each = { x = 1 }
  name     = each.key
}
module "net" {
  source   = "./net"
  for_each = toset(["a"])
  name     = var.secret
}
output "id" {
  value = aws_instance.web[0].id
}
output "hidden" {
  value     = "canary7c1d"
  sensitive = true
}
"#;

const NET: &str =
    "variable \"name\" {}\nresource \"aws_vpc\" \"main\" {\n  name = var.name\n  cidr = \"10.0.0.0/8\"\n}\n";

fn evaluated(files: &[(&str, &str)]) -> (Vec<Row>, Vec<Row>, Vec<Row>, String, u64) {
    let files: Memory = files.iter().map(|(path, text)| (*path, *text)).collect();
    let load = move || {
        let language = Dialect::terraform();
        let functions = functions_without_files(&language);
        ModuleLoader::new(language)
            .with_files(files.clone())
            .with_functions(functions)
            .with_unknown_variables(true)
    };
    let content = Content::Directory(Box::new(load));
    let entry = Entry { repo: Some("r".into()), commit: None, path: ".".into(), content };
    let options = Options::new().with_tables(Table::ALL);
    let (files, summary) = write(options, Format::Ndjson, false, 1, [entry].into_iter());
    let text: Vec<u8> = files.0.values().flatten().copied().collect();
    let of = |name: &str| lines(&files.0[name]);
    (of("instances"), of("values"), of("diagnostics"), String::from_utf8(text).unwrap(), summary.limited)
}

#[test]
fn instances() {
    let (instances, ..) = evaluated(&[("main.tf", MAIN), ("net/main.tf", NET)]);
    let columns = ["address", "mode", "type", "name", "key", "module", "provider", "start_line"];
    assert_eq!(
        shown(&instances, &columns),
        "aws_instance.web[0] | managed | aws_instance | web | 0 |  | amazon | 14\n\
         aws_instance.web[1] | managed | aws_instance | web | 1 |  | amazon | 14\n\
         data.aws_ami.base[\"x\"] | data | aws_ami | base | \"x\" |  | aws | 21\n\
         module.net[\"a\"].aws_vpc.main | managed | aws_vpc | main | null | module.net[\"a\"] | aws | 2"
    );
}

#[test]
fn values() {
    let (_, values, ..) = evaluated(&[("main.tf", MAIN), ("net/main.tf", NET)]);
    let columns = ["address", "attribute", "value", "type", "known", "sensitive"];
    let found = shown(&values, &columns);
    for expected in [
        "var.name |  | \"web\" | string | true | false",
        "var.secret |  | null |  | true | true",
        "var.open |  | null | dynamic | false | false",
        "local.upper |  | \"WEB\" | string | true | false",
        "local.both |  | {\"a\":\"web\",\"b\":null,\"c\":null} |  | false | true",
        "local.token |  | null |  | true | true",
        "aws_instance.web[1] | .ami | \"ami-1\" | string | true | false",
        "aws_instance.web[0] | .key | null |  | true | true",
        "module.net[\"a\"].aws_vpc.main | .name | null |  | true | true",
        "module.net[\"a\"].aws_vpc.main | .cidr | \"10.0.0.0/8\" | string | true | false",
        "output.hidden |  | null |  | true | true",
    ] {
        assert!(found.lines().any(|line| line == expected), "{expected}\n{found}");
    }
    let reasons = values.iter().find(|row| row["address"] == "var.open").unwrap()["reasons"].clone();
    assert!(!reasons.as_array().unwrap().is_empty(), "{reasons}");
    let reasons = values.iter().find(|row| row["address"] == "var.name").unwrap()["reasons"].clone();
    assert!(reasons.as_array().unwrap().is_empty(), "{reasons}");
}

#[test]
fn no_secret_is_in_any_row() {
    let (.., text, _) = evaluated(&[("main.tf", MAIN), ("net/main.tf", NET)]);
    assert!(!text.contains("canary7c1d"));
    let broken = format!("{MAIN}locals {{\n  bad = var.secret + 1\n  worse = tonumber(var.secret)\n}}\n");
    let (.., diagnostics, text, _) = evaluated(&[("main.tf", &broken), ("net/main.tf", NET)]);
    assert!(!diagnostics.is_empty());
    assert!(!text.contains("canary7c1d"), "{diagnostics:?}");
}

#[test]
fn bombs_and_cycles_cost_their_limits() {
    let bomb =
        (0..40).fold("\"x\"".to_owned(), |text, _| format!("[for v in [{text}] : \"${{v}}${{v}}\"][0]"));
    let (_, _, diagnostics, _, limited) =
        evaluated(&[("main.tf", &format!("locals {{\n  a = {bomb}\n  b = 1\n}}\n"))]);
    assert!(!diagnostics.is_empty() && limited == 1, "{diagnostics:?}");
    let cyclic = "module \"a\" {\n  source = \"./\"\n}\nlocals {\n  x = local.y\n  y = local.x\n}\n";
    let (_, _, diagnostics, _, _) = evaluated(&[("main.tf", cyclic)]);
    assert!(diagnostics.iter().any(|row| row["severity"] == "error"), "{diagnostics:?}");
}

/// Files in memory are evaluated with the modules of their repository, whatever their paths start with.
#[test]
fn files_of_repositories() {
    let main = "module \"m\" {\n  source = \"../net\"\n}\n";
    let net = "output \"o\" {\n  value = 1 + 1\n}\n";
    for root in ["", "/", "/x/", "x/"] {
        let entry =
            |repo: &str, path: &str, text: &str| Entry::new(format!("{root}{path}"), text).with_repo(repo);
        let entries = [
            entry("a", "app/main.tf", main),
            entry("a", "net/main.tf", net),
            entry("a", "main.tf", "locals {\n  here = 1\n}\n"),
            // This repository has no such module.
            entry("b", "app/main.tf", main),
        ];
        let mut found = Vec::new();
        let batches = Batches::new(Table::Values, Options::new(), entries.into_iter());
        for batch in batches.with_columns(["repo", "path", "address", "value"]).unwrap() {
            let batch = batch.unwrap();
            let text = |column: usize, row: usize| batch.column(column).as_string::<i32>().value(row);
            for row in 0..batch.num_rows() {
                let cells: Vec<&str> = (0..4).map(|column| text(column, row)).collect();
                found.push(cells.join(" "));
            }
        }
        found.sort();
        let top = match root {
            "" => ".",
            "/" => "/",
            _ => root.trim_end_matches('/'),
        };
        let expected = [
            format!("a {root}app module.m.o 2"),
            format!("a {root}net output.o 2"),
            format!("a {top} local.here 1"),
        ];
        assert!(expected.iter().all(|row| found.contains(row)), "{found:?}");
        assert!(!found.iter().any(|row| row.starts_with("b ") && row.contains("module.m.o 2")), "{found:?}");
    }
}
