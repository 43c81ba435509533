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

/// What is in a block whose instances are unknown shows in no value.
#[test]
fn blocks_with_unknown_instances_count_by_what_they_say() {
    let root = "variable \"n\" {\n}\nvariable \"m\" {\n}\nresource \"disk\" \"d\" {\n  count = var.n\n  size  = 1\n  name  = \"d-${count.index}\"\n  part {\n    at = 1\n  }\n}\nmodule \"net\" {\n  source   = \"./net\"\n  for_each = var.m\n  size     = 1\n  name     = each.key\n}\noutput \"disk\" {\n  value = disk.d[0].id\n}\noutput \"net\" {\n  value = module.net[\"a\"].id\n}\n";
    let net = "variable \"size\" {\n}\nvariable \"name\" {\n}\nlocals {\n  double = var.size * 2\n}\nresource \"link\" \"l\" {\n  size = local.double\n  name = var.name\n}\nmodule \"inner\" {\n  source = \"./inner\"\n  from   = link.l.id\n}\noutput \"id\" {\n  value = module.inner.id\n}\n";
    let inner = "variable \"from\" {\n}\nresource \"port\" \"p\" {\n  from = var.from\n}\noutput \"id\" {\n  value = port.p.id\n}\n";
    let files = [("main.tf", root), ("net/main.tf", net), ("net/inner/main.tf", inner)];
    let found = of(&files, &files);
    assert!(found.is_empty(), "{}", lines(found));
    // For each change, what must be among the lines.
    for (file, from, to, expected) in [
        (0, "size  = 1", "size  = 2", "disk.d.size: 1 -> 2"),
        (0, "size  = 1", "size  = 2", "output.disk: may change with disk.d"),
        (0, "count = var.n", "count = var.n + 1", "disk.d.count: var.n -> var.n + 1"),
        (0, "d-${count.index}", "e-${count.index}", "disk.d.name"),
        (0, "at = 1", "at = 2", "disk.d.part.at: 1 -> 2"),
        (0, "part {", "other {", "disk.d.other"),
        (0, "disk.d[0].id", "disk.d[0].arn", "output.disk: may change"),
        (0, "disk.d[0].id", "disk.d[1].id", "output.disk: may change"),
        (0, "size     = 1", "size     = 2", "module.net.size: 1 -> 2"),
        (0, "size     = 1", "size     = 2", "module.net[*].link.l.size: 2 -> 4"),
        (0, "size     = 1", "size     = 2", "output.net: may change with module.net"),
        (0, "each.key", "each.value", "module.net.name: each.key -> each.value"),
        (0, "[\"a\"].id", "[\"a\"].other", "output.net: may change"),
        (0, "for_each = var.m", "for_each = var.n", "module.net.for_each: var.m -> var.n"),
        (1, "* 2", "* 3", "module.net[*].link.l.size: 2 -> 3"),
        (1, "module.inner.id\n", "link.l.id\n", "module.net[*].output.id.value"),
        (1, "link.l.id\n}", "link.l.arn\n}", "module.net[*].module.inner.from"),
        (2, "port.p.id", "port.p.arn", "module.net[*].module.inner.output.id.value"),
        (2, "from = var.from", "from = var.from\n  x = 1", "module.net[*].module.inner.port.p.x: 1"),
        (0, "variable \"n\" {\n}", "variable \"n\" {\n  default = 1\n}", "(its instances are known now)"),
        (0, "\nmodule", "\nresource \"disk\" \"more\" {\n  count = var.n\n}\nmodule", "disk.more (added)"),
        (1, "\nmodule", "\nresource \"port\" \"more\" {\n}\nmodule", "module.net[*].port.more (added)"),
    ] {
        let mut new = files;
        let text = new[file].1.replacen(from, to, 1);
        assert_ne!(text, new[file].1, "{from}");
        new[file].1 = &text;
        let shown = lines(of(&files, &new));
        assert!(shown.contains(expected), "{from} -> {to}: {expected}\n{shown}");
        assert!(!of(&new, &files).is_empty(), "{to} -> {from}");
    }
    // Names do not count, and moves are followed.
    let new = root
        .replace("\"d\" {", "\"e\" {")
        .replace("disk.d[", "disk.e[")
        .replace("module.net[", "module.web[")
        .replace("module \"net\"", "module \"web\"")
        + "moved {\n  from = disk.d\n  to   = disk.e\n}\nmoved {\n  from = module.net\n  to   = module.web\n}\n";
    let found = of(&files, &[("main.tf", &new), files[1], files[2]]);
    assert!(found.is_empty(), "{}", lines(found));
}

/// The instances of a module differ in what their unknown blocks say.
#[test]
fn each_instance_of_a_module_counts() {
    let root = "variable \"n\" {\n}\nmodule \"net\" {\n  source   = \"./net\"\n  for_each = { a = 1, b = 2 }\n  size     = each.value\n  n        = var.n\n}\n";
    let net = "variable \"size\" {\n}\nvariable \"n\" {\n}\nresource \"disk\" \"d\" {\n  count = var.n\n  size  = var.size\n}\n";
    let new = root.replace("b = 2", "b = 3");
    let files = |root| [("main.tf", root), ("net/main.tf", net)];
    let shown = lines(of(&files(root), &files(&new)));
    assert!(shown.contains("module.net[\"b\"].disk.d.size: 2 -> 3"), "{shown}");
    assert!(!shown.contains("net[\"a\"]"), "{shown}");
    let root = "module \"net\" {\n  source = \"./net\"\n  count  = 3\n  size   = count.index\n}\n";
    let net = "variable \"size\" {\n}\nresource \"disk\" \"d\" {\n  provisioner \"local-exec\" {\n    command = \"get ${var.size}\"\n  }\n}\n";
    let new = root.replace("count.index", "[0, 5, 2][count.index]");
    let shown =
        lines(of(&[("main.tf", root), ("net/main.tf", net)], &[("main.tf", &new), ("net/main.tf", net)]));
    assert!(
        shown.contains("module.net[1].disk.d.provisioner.local-exec.command: \"get 1\" -> \"get 5\""),
        "{shown}"
    );
    assert!(shown.starts_with("app: 1 setting\n"), "{shown}");
}

/// `moved` blocks about what has moved long ago say nothing about what has keys now.
#[test]
fn old_moves_change_nothing() {
    let text = "moved {\n  from = disk.a\n  to   = disk.a[\"\"]\n}\nmoved {\n  from = module.m\n  to   = module.m[\"x\"]\n}\nmoved {\n  from = module.o\n  to   = module.o[0]\n}\nresource \"disk\" \"a\" {\n  for_each = { \"\" = 1 }\n  lifecycle {\n    prevent_destroy = true\n  }\n}\nmodule \"m\" {\n  source   = \"./m\"\n  for_each = { x = 1 }\n}\nmodule \"o\" {\n  source = \"org/o/aws\"\n  count  = 2\n}\noutput \"ids\" {\n  value = { for key, own in disk.a : key => own.id }\n}\noutput \"all\" {\n  value = [disk.a, module.m, module.o, module.o[0].x]\n}\noutput \"others\" {\n  value = [for own in module.o : own.id]\n}\n";
    let inner = "variable \"x\" {\n  default = null\n}\nprovider \"aws\" {\n  region = \"eu\"\n}\nresource \"disk\" \"b\" {\n  lifecycle {\n    prevent_destroy = true\n  }\n}\noutput \"b\" {\n  value = disk.b.id\n}\n";
    let files = [("main.tf", text), ("m/main.tf", inner)];
    let found = of(&files, &files);
    assert!(found.is_empty(), "{}", lines(found));
}

/// A condition counts by what it says, also where a local value says it.
#[test]
fn conditions_count_with_local_values() {
    let text = |local: &str, condition: &str| {
        format!(
            "variable \"n\" {{\n  default = null\n}}\nlocals {{\n  is_set = {local}\n  all = local.is_set && local.loop\n  loop = local.loop\n}}\nresource \"disk\" \"d\" {{\n  lifecycle {{\n    precondition {{\n      condition     = {condition}\n      error_message = \"No.\"\n    }}\n  }}\n}}\n"
        )
    };
    let old = text("var.n != null", "!local.is_set || true");
    assert!(one(&old, &text("var.n != null", "!(var.n != null) || true")).is_empty());
    assert!(!one(&old, &text("var.n != null", "!local.is_set || 1 == 1")).is_empty());
    assert!(!one(&old, &text("var.n == \"\"", "!local.is_set || true")).is_empty());
    assert!(one(&text("1", "local.all"), &text("1", "local.all")).is_empty());
}

/// A statement about what has moved is about the same.
#[test]
fn statements_follow_moves() {
    let old = "import {\n  to = disk.a\n  id = \"x\"\n}\nimport {\n  to = disk.b[\"k\"]\n  id = \"y\"\n}\nresource \"disk\" \"a\" {\n}\nresource \"disk\" \"b\" {\n  for_each = toset([\"k\"])\n}\n";
    let new = old.replace("disk.a", "disk.c").replace("\"disk\" \"a\"", "\"disk\" \"c\"");
    let new = new.replace("disk.b", "disk.d").replace("\"disk\" \"b\"", "\"disk\" \"d\"")
        + "moved {\n  from = disk.a\n  to   = disk.c\n}\nmoved {\n  from = disk.b\n  to   = disk.d\n}\n";
    assert_same(old, old);
    let diff = one(old, &new);
    assert!(diff.is_empty(), "{}", lines(diff));
    let shown = lines(one(old, &new.replace("\"y\"", "\"z\"")));
    assert!(
        shown.contains("import.disk.b[\"k\"].id") || shown.contains("import.disk.d[\"k\"].id"),
        "{shown}"
    );
}
