//! Instances, attributes, outputs and settings that are not the same, and those that are.

use crate::kit::{lines, of, one};

fn assert_same(old: &str, new: &str) {
    let diff = one(old, new);
    assert!(diff.is_empty(), "{}", lines(diff));
}

#[test]
fn known_values_are_subtracted() {
    let old = "variable \"size\" {\n  default = 1\n}\nresource \"disk\" \"a\" {\n  size = var.size\n  tags = { A = \"x\", B = \"y\" }\n}\nresource \"disk\" \"gone\" {\n}\n";
    let new = "variable \"size\" {\n  default = 2\n}\nresource \"disk\" \"a\" {\n  size = var.size\n  tags = { A = \"x\", C = \"z\" }\n}\nresource \"disk\" \"more\" {\n  count = 2\n  size  = count.index\n}\noutput \"o\" {\n  value = disk.a.size\n}\n";
    assert_eq!(
        lines(one(old, new)),
        r#"app: 2 added, 1 removed, 1 changed, 2 settings
  ~ disk.a  main.tf:4
      size: 1 -> 2
          because var.size at main.tf:2: 1 -> 2
      tags.B: "y" -> (none)
          because disk.a.tags.B at main.tf:6: "y", gone
      tags.C: (none) -> "z"
          because disk.a.tags.C at main.tf:6: "z"
  - disk.gone  main.tf:8
  + disk.more[0]  main.tf:8
      size: 0
  + disk.more[1]  main.tf:8
      size: 1
  + output.o (added)  main.tf:12
  ~ var.size.default: 1 -> 2  main.tf:2

"#
    );
}

#[test]
fn what_is_written_otherwise_is_the_same() {
    let old = "locals {\n  a = disk.a.id\n  n = 1 + 1\n}\nresource \"disk\" \"a\" {\n  size = 2\n}\nresource \"link\" \"l\" {\n  disk = \"${local.a}-x\"\n  more = [local.a, (disk.a.path)]\n  note = <<-EOT\n    a\n  EOT\n}\n";
    let new = "# More.\nresource \"link\" \"l\" {\n  note = \"a\\n\"\n  more = [\n    disk.a.id,\n    disk.a.path, # last\n  ]\n  disk = \"${disk.a.id}-x\"\n}\nresource \"disk\" \"a\" { size = local.two }\nlocals {\n  two = 2\n}\n";
    assert_same(old, new);
    assert_same(new, old);
}

#[test]
fn a_local_value_can_be_inlined() {
    let text = |policy: &str, name: &str| {
        format!(
            "locals {{\n  policy = try(disk.a.policy, disk.b.policy)\n  name = \"a-${{md5(\"x\")}}\"\n}}\nprovider \"net\" {{\n  role = \"r/${{{policy}.ids[\"x\"]}}\"\n}}\nresource \"disk\" \"a\" {{\n}}\nresource \"disk\" \"b\" {{\n}}\nresource \"link\" \"l\" {{\n  minutes = try({policy}.rotation.minutes, null)\n  first = {policy}.all[0]\n  second = {policy}[disk.a.key].x\n  provisioner \"local-exec\" {{\n    command = \"get ${{{name}}} {{\"\n  }}\n}}\n"
        )
    };
    let (old, new) = (
        text("local.policy", "local.name"),
        text("(try(disk.a.policy, disk.b.policy))", "(\"a-${md5(\"x\")}\")"),
    );
    assert_same(&old, &new);
    assert_same(&new, &old);
    let diff = lines(one(&old, &new.replace(".all[0]", ".all[1]")));
    assert!(diff.contains("first: may change\n"), "{diff}");
    let diff = lines(one(&old, &old.replace("get ", "put ")));
    assert!(diff.contains("link.l.provisioner.local-exec.command: \"get a-"), "{diff}");
    let json = |value: &str| {
        format!(
            "{{\"locals\": {{\"policy\": \"${{try(disk.a.policy, disk.b.policy)}}\"}}, \"resource\": {{\"disk\": {{\"a\": {{}}, \"b\": {{}}}}, \"link\": {{\"l\": {{\"first\": \"${{{value}.all[0]}}\", \"role\": \"r/${{{value}.x}}\"}}}}}}}}"
        )
    };
    let (old, new) = (json("local.policy"), json("(try(disk.a.policy, disk.b.policy))"));
    let diff = of(&[("main.tf.json", &old)], &[("main.tf.json", &new)]);
    assert!(diff.is_empty(), "{}", lines(diff));
}

#[test]
fn unknown_values_may_change_with_what_they_are_computed_from() {
    let text = |size: u8, attribute: &str| {
        format!(
            "resource \"disk\" \"a\" {{\n  size = {size}\n}}\nresource \"disk\" \"b\" {{\n}}\nresource \"link\" \"l\" {{\n  disk = disk.a.{attribute}\n  other = disk.b.id\n}}\nresource \"use\" \"u\" {{\n  link = link.l.id\n}}\noutput \"o\" {{\n  value = use.u.id\n}}\n"
        )
    };
    assert_same(&text(1, "id"), &text(1, "id"));
    assert_eq!(
        lines(one(&text(1, "id"), &text(2, "id"))),
        r"app: 1 changed, 2 may change, 1 output
  ~ disk.a  main.tf:1
      size: 1 -> 2
          because disk.a.size at main.tf:2: 1 -> 2
  ? link.l  main.tf:6
      disk: may change with disk.a
  ? use.u  main.tf:10
      link: may change with link.l
  ? output.o: may change with use.u

"
    );
    let diff = lines(one(&text(1, "id"), &text(1, "path")));
    assert!(diff.contains("disk: may change\n"), "{diff}");
}

/// The same output in both syntaxes.
fn output(value: &str) -> [(&'static str, String); 2] {
    let text = value.replace('"', "\\\"");
    [
        ("main.tf", format!("output \"o\" {{\n  value = {value}\n}}\n")),
        ("main.tf.json", format!("{{\"output\": {{\"o\": {{\"value\": \"${{{text}}}\"}}}}}}")),
    ]
}

/// What changes in an output, in both syntaxes.
fn parts(old: &str, new: &str) -> Vec<String> {
    let found = output(old).into_iter().zip(output(new)).map(|((name, old), (_, new))| {
        let found = of(&[(name, &old)], &[(name, &new)]);
        let parts = found.outputs.iter().flat_map(|own| &own.parts);
        parts.map(ToString::to_string).collect::<Vec<_>>()
    });
    let found: Vec<_> = found.collect();
    assert_eq!(found[0], found[1], "{old} -> {new}");
    found[0].clone()
}

#[test]
fn values_that_only_differ_in_their_types_are_the_same() {
    for (old, new) in [
        ("{ a = tostring(null) }", "{ a = tonumber(null) }"),
        ("[tostring(null)]", "[tonumber(null)]"),
        ("toset([\"x\"])", "[\"x\"]"),
        ("toset([])", "tolist([])"),
        ("{ a = 1, b = null }", "tomap({ a = 1 })"),
    ] {
        assert_eq!(parts(old, new), [""; 0], "{old} -> {new}");
        assert_eq!(parts(new, old), [""; 0], "{new} -> {old}");
    }
    assert_eq!(parts("[1]", "[\"1\"]"), ["[0]: 1 -> \"1\""]);
    assert_eq!(parts("toset([\"x\"])", "[\"y\"]"), ["toset([\"x\"]) -> [\"y\"]"]);
}

#[test]
fn an_element_that_is_null_is_an_element() {
    assert_eq!(parts("[null]", "[]"), ["[0]: null -> (none)"]);
    assert_eq!(parts("[1]", "[1, null]"), ["[1]: (none) -> null"]);
    assert_eq!(parts("{ a = null }", "{}"), [""; 0]);
}

#[test]
fn each_part_counts_of_a_value_that_one_version_knows_in_part() {
    let known = "[{ a = \"x\", b = timestamp(), c = null }]";
    assert_eq!(
        parts("jsondecode(timestamp())", known),
        ["[0].a: (known after apply) -> \"x\"", "[0].b: may change"]
    );
    assert_eq!(
        parts(known, "jsondecode(timestamp())"),
        ["[0].a: \"x\" -> (known after apply)", "[0].b: may change"]
    );
    let set = "toset([\"x\", timestamp()])";
    assert_eq!(parts("toset(jsondecode(timestamp()))", set), ["may change"]);
}

#[test]
fn moves_are_no_change_in_meaning() {
    let old = "resource \"disk\" \"a\" {\n  count = 2\n  size  = count.index\n}\nresource \"link\" \"l\" {\n  disk = disk.a[0].id\n  lifecycle {\n    replace_triggered_by = [disk.a]\n  }\n  depends_on = [disk.a]\n}\n";
    let new = old.replace("\"a\"", "\"b\"").replace("disk.a", "disk.b");
    let moved = format!("{new}moved {{\n  from = disk.a\n  to   = disk.b\n}}\n");
    let diff = one(old, &moved);
    assert!(diff.is_empty(), "{}", lines(diff));
    assert_eq!(diff.totals().moved, 2);
    assert!(lines(diff).contains("> disk.b[0] (was disk.a[0])"));
    // Without the block, it is suggested.
    let diff = one(old, &new);
    assert_eq!((diff.totals().added, diff.totals().removed), (2, 2));
    assert_eq!(diff.suggestions[0].block(), "moved {\n  from = disk.a\n  to   = disk.b\n}\n");
}

#[test]
fn count_can_be_added_and_modules_can_move() {
    let called = "variable \"n\" {}\nresource \"disk\" \"a\" {\n  size = var.n\n}\noutput \"id\" {\n  value = disk.a.id\n}\n";
    let call = |name: &str, more: &str| {
        format!(
            "module \"{name}\" {{\n  source = \"./m\"\n  n = 1\n{more}}}\nresource \"link\" \"l\" {{\n  disk = module.{name}{}.id\n}}\n",
            if more.is_empty() { "" } else { "[0]" }
        )
    };
    let diff = |old: &str, new: &str| {
        of(&[("main.tf", old), ("m/main.tf", called)], &[("main.tf", new), ("m/main.tf", called)])
    };
    let moved = "moved {\n  from = module.one\n  to = module.two\n}\n";
    let found = diff(&call("one", ""), &(call("two", "") + moved));
    assert!(found.is_empty(), "{}", lines(found));
    assert_eq!(found.instances.len(), 1, "{}", lines(found));
    assert_eq!(found.instances[0].previous_address.as_deref(), Some("module.one.disk.a"));
    // What nobody gives is the same, too.
    let called = "variable \"n\" {}\nvariable \"log\" {\n  default = null\n}\nresource \"disk\" \"a\" {\n  size = var.n\n  lifecycle {\n    precondition {\n      condition = var.log == null || var.log.bucket != \"x\"\n      error_message = \"No.\"\n    }\n  }\n}\noutput \"id\" {\n  value = disk.a.id\n}\n";
    let found = of(
        &[("main.tf", &call("one", "")), ("m/main.tf", called)],
        &[("main.tf", &(call("two", "") + moved)), ("m/main.tf", called)],
    );
    assert!(found.is_empty(), "{}", lines(found));
    let one = "resource \"disk\" \"a\" {\n}\nresource \"link\" \"l\" {\n  disk = disk.a.id\n}\n";
    let many =
        "resource \"disk\" \"a\" {\n  count = 1\n}\nresource \"link\" \"l\" {\n  disk = disk.a[0].id\n}\n";
    let found = diff(one, many);
    assert!(found.is_empty(), "{}", lines(found));
}

#[test]
fn declarations_count_by_what_they_say() {
    let old = "terraform {\n  required_version = \">= 1.0\"\n  required_providers {\n    aws = {\n      source  = \"hashicorp/aws\"\n      version = \"~> 4.1\"\n    }\n  }\n  backend \"s3\" {\n    bucket = \"a\"\n  }\n}\nprovider \"aws\" {\n  region = \"eu\"\n}\nvariable \"a\" {\n  type    = string\n  default = \"x\"\n}\nvariable \"b\" {\n  description = \"B\"\n}\nmodule \"m\" {\n  source  = \"org/m/aws\"\n  version = \"1.2.0\"\n}\nresource \"disk\" \"d\" {\n  lifecycle {\n    prevent_destroy = true\n  }\n}\n";
    let new = "terraform {\n  required_version = \">= 1.0\"\n  required_providers {\n    aws = {\n      source  = \"hashicorp/aws\"\n      version = \"~> 5.0\"\n    }\n  }\n  backend \"s3\" {\n    bucket = \"b\"\n  }\n}\nprovider \"aws\" {\n  region = \"us\"\n}\nvariable \"a\" {\n  type = string\n}\nvariable \"b\" {\n  description = \"The B\"\n  sensitive   = true\n}\nvariable \"c\" {\n}\nmodule \"m\" {\n  source  = \"org/m/aws\"\n  version = \"1.3.0\"\n}\nresource \"disk\" \"d\" {\n  lifecycle {\n    prevent_destroy = false\n  }\n}\n";
    assert_eq!(
        lines(one(old, new)),
        r#"app: 8 settings
  ~ disk.d.lifecycle.prevent_destroy: true -> false  main.tf:31
  ~ module.m.version: "1.2.0" -> "1.3.0" (minor version)  main.tf:27
  ~ provider.aws.region: "eu" -> "us"  main.tf:14
  ~ terraform.backend.s3.bucket: "a" -> "b"  main.tf:10
  ~ terraform.required_providers.aws.version: "~> 4.1" -> "~> 5.0" (major version)  main.tf:6
  - var.a.default: "x", gone (required now)  main.tf:18
  + var.b.sensitive: true  main.tf:21
  + var.c (added)  main.tf:23

"#
    );
}
