//! Addresses: what their parts mean, and that each address of an evaluation is read as what it is.

use hclkit_module::{Address, AddressKind, Dialect, Memory, ModuleLoader};

const ROOT: &str = r#"
variable "v" {
  default = { a = [1, 2] }
}
locals {
  l = "x"
}
resource "aws_vpc" "one" {
  cidr = "10.0.0.0/8"
}
resource "aws_subnet" "all" {
  for_each = { "a.b" = 1, c = 2 }
  size     = each.value
}
data "aws_ami" "d" {
  count = 2
}
module "net" {
  source   = "./net"
  for_each = { x = 1 }
}
module "single" {
  source = "./net"
}
output "o" {
  value = [1]
}
"#;
const NET: &str =
    "locals {\n  inner = 1\n}\nresource \"r\" \"n\" {\n}\noutput \"id\" {\n  value = { k = 1 }\n}\n";

fn evaluation() -> hclkit_module::Evaluation {
    let files = Memory::from_iter([("main.tf", ROOT), ("net/main.tf", NET)]);
    let found = ModuleLoader::new(Dialect::terraform()).with_files(files).load().evaluate(&[]);
    assert!(!found.diagnostics.has_errors(), "{}", found.diagnostics);
    found
}

/// The parts of an address as a line.
fn parts(address: &Address) -> String {
    let key = |key: Option<&hclkit_value::Value>| key.map(|key| format!("[{key}]")).unwrap_or_default();
    let modules: Vec<String> = address.modules().map(|(name, own)| format!("{name}{}/", key(own))).collect();
    let modules = modules.concat();
    let (kind, block_type) = (address.kind(), address.block_type().unwrap_or("-"));
    format!("{modules} {kind:?} {block_type} {}{} {}", address.name(), key(address.key()), address.rest())
}

#[test]
fn the_parts_of_each_address_are_known() {
    let lines: Vec<String> = evaluation().values.iter().map(|own| parts(&own.address)).collect();
    assert_eq!(
        lines,
        [
            " Variable - v ",
            " Local - l ",
            " Resource aws_vpc one ",
            " Resource aws_subnet all[\"a.b\"] ",
            " Resource aws_subnet all[\"c\"] ",
            " Data aws_ami d[0] ",
            " Data aws_ami d[1] ",
            "net[\"x\"]/ Local - inner ",
            "net[\"x\"]/ Resource r n ",
            "net[\"x\"]/ Output - id ",
            "single/ Local - inner ",
            "single/ Resource r n ",
            "single/ Output - id ",
            " Output - o ",
        ]
    );
}

#[test]
fn an_address_is_read_as_it_is_written() {
    let found = evaluation();
    for own in &found.values {
        let read: Address = own.address.parse().unwrap();
        assert_eq!((&read, parts(&read)), (&own.address, parts(&own.address)));
    }
    let module = {
        let files = Memory::from_iter([("main.tf", ROOT), ("net/main.tf", NET)]);
        ModuleLoader::new(Dialect::terraform()).with_files(files).load()
    };
    let selected =
        ["var.v.a[1]", "aws_subnet.all[\"c\"].size", "module.net[\"x\"].id.k", "data.aws_ami.d[1].name"];
    let found = module.evaluate(&selected.map(|pattern| pattern.parse().unwrap()));
    let lines: Vec<String> = found.values.iter().map(|own| parts(&own.address)).collect();
    let expected = [
        " Variable - v .a[1]",
        " Resource aws_subnet all[\"c\"] .size",
        " Data aws_ami d[1] .name",
        "net[\"x\"]/ Output - id .k",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn what_terraform_reads_is_read() {
    for (text, expected) in [
        ("module.a", " Module - a "),
        ("module.a[0]", " Module - a[0] "),
        ("module.a.module.b[\"k\"]", "a/ Module - b[\"k\"] "),
        ("module.a[0].module.b.var.x[1].y", "a[0]/b/ Variable - x [1].y"),
        ("each.value.port", " Other - value .port"),
        ("ephemeral.p.x", " Ephemeral p x "),
        ("output.o[0]", " Output - o [0]"),
    ] {
        let address: Address = text.parse().unwrap();
        assert_eq!((parts(&address).as_str(), address.to_string().as_str()), (expected, text));
    }
    for text in ["a.*", "module.net[*].x", "..x", "a~[b]", "a.", "."] {
        assert!(text.parse::<Address>().is_err(), "{text}");
    }
    assert_eq!("a.b".parse::<Address>().unwrap().kind(), AddressKind::Resource);
}
