//! `hcl rename` and `hcl refs` of names in modules that are called.

use crate::program::Folder;
use snapbox::str;

fn folder() -> Folder {
    Folder::with(&[
        (
            "main.tf",
            "module \"net\" {\n  source = \"./net\"\n  zone   = \"a\"\n}\nmodule \"all\" {\n  source   = \"./net\"\n  for_each = toset([\"b\"])\n  zone     = each.key\n}\noutput \"cidr\" {\n  value = [module.net.cidr, module.all[\"b\"].cidr, module.all[\"b\"].cidrs]\n}\n",
        ),
        (
            "net/main.tf",
            "variable \"zone\" {}\nlocals {\n  base = \"10-${var.zone}\"\n}\nmodule \"inner\" {\n  source = \"../inner\"\n  zone   = var.zone\n}\noutput \"cidr\" {\n  value = local.base\n}\noutput \"cidrs\" {\n  value = module.inner.id\n}\n",
        ),
        ("inner/main.tf", "variable \"zone\" {}\noutput \"id\" {\n  value = var.zone\n}\n"),
    ])
}

#[test]
fn results_are_renamed_by_their_address_in_the_caller() {
    let folder = folder();
    folder.hcl(&["rename", "-w", "module.net.cidr", "block"]).success();
    let main = folder.read("main.tf");
    assert!(main.contains("[module.net.block, module.all[\"b\"].block, module.all[\"b\"].cidrs]"), "{main}");
    assert!(folder.read("net/main.tf").contains("output \"block\" {\n  value = local.base\n}"));
}

#[test]
fn names_inside_of_called_modules_are_renamed() {
    let folder = folder();
    folder.hcl(&["rename", "-w", "module.net.module.inner.id", "module.net.module.inner.name"]).success();
    assert!(folder.read("net/main.tf").contains("value = module.inner.name\n"));
    assert!(folder.read("inner/main.tf").contains("output \"name\" {"));
    folder.hcl(&["rename", "-w", "module.net.local.base", "start"]).success();
    assert!(folder.read("net/main.tf").contains("value = local.start\n"));
    folder.hcl(&["rename", "-w", "module.net.var.zone", "area"]).success();
    let main = folder.read("main.tf");
    assert!(main.contains("  area   = \"a\"") && main.contains("  area     = each.key"), "{main}");
    assert!(folder.read("net/main.tf").contains("variable \"area\" {}"));
    folder.hcl(&["check"]).success().stdout_eq("Checked 3 files: no problems found\n");
}

#[test]
fn references_are_found_in_the_module_that_declares_them() {
    folder().hcl(&["refs", "module.net.cidr"]).success().stdout_eq(str![[r#"
main.tf:11:12: output.cidr.value[0]
net/main.tf:9:8: output.cidr (declaration)
main.tf:11:29: output.cidr.value[1]

"#]]);
    folder().hcl(&["refs", "module.net.local.base"]).success().stdout_eq(str![[r#"
net/main.tf:3:3: locals.base (declaration)
net/main.tf:10:11: output.cidr.value

"#]]);
    folder().hcl(&["refs", "module.none.cidr"]).code(1).stdout_eq("");
}

#[test]
fn references_in_callers_are_those_that_are_renamed() {
    let folder = folder();
    std::fs::create_dir(folder.path(".git")).unwrap();
    folder.write("net/tests/a.tftest.hcl", "variables {\n  zone = \"t\"\n}\n");
    folder.hcl(&["refs", "var.zone", "net"]).success().stderr_eq("").stdout_eq(str![[r#"
net/main.tf:1:10: variable.zone (declaration)
net/main.tf:3:16: locals.base
net/main.tf:7:12: module.inner.zone
net/tests/a.tftest.hcl:2:3: variables.zone (declaration)
main.tf:3:3: module.net.zone
main.tf:8:3: module.all.zone

"#]]);
    folder.hcl(&["refs", "output.id", "inner", "--ndjson", "--callers", "net"]).success().stdout_eq(str![[r#"
{"file":"inner/main.tf","range":{"start":{"line":2,"column":8,"byte":26},"end":{"line":2,"column":12,"byte":30}},"address":"output.id","kind":"declaration","text":"\"id\""}
{"file":"net/main.tf","range":{"start":{"line":13,"column":11,"byte":183},"end":{"line":13,"column":26,"byte":198}},"address":"output.cidrs.value","kind":"reference","text":"module.inner.id"}

"#]]);
    folder.hcl(&["refs", "var.zone", "net", "--callers", "none"]).code(2).stderr_eq(str![[r#"
error: --callers none: there is no such directory

"#]]);
    for (name, directory) in
        [("var.zone", "net"), ("var.zone", "inner"), ("output.cidr", "net"), ("output.id", "inner")]
    {
        let found = folder.hcl(&["refs", name, directory]).success().get_output().stdout.clone();
        let found = String::from_utf8(found).unwrap();
        let before: Vec<String> = files(&folder);
        folder.hcl(&["rename", "-w", name, "renamed", directory]).success();
        // Each line whose words change has one of the names.
        let words = |texts: &[String]| {
            let all = texts.join("\n");
            all.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
        };
        let changed =
            words(&before).iter().zip(words(&files(&folder))).filter(|(one, other)| *one != other).count();
        let lines: std::collections::BTreeSet<Vec<&str>> =
            found.lines().map(|line| line.split(':').take(2).collect()).collect();
        assert_eq!(changed, lines.len(), "{found}");
        let (root, old) = name.split_once('.').unwrap();
        folder.hcl(&["rename", "-w", &format!("{root}.renamed"), old, directory]).success();
        assert_eq!(files(&folder), before);
    }
}

fn files(folder: &Folder) -> Vec<String> {
    ["main.tf", "net/main.tf", "inner/main.tf", "net/tests/a.tftest.hcl"]
        .map(|name| folder.read(name))
        .to_vec()
}

const REPEATED: &str = r#"module "net" {
  source   = "./net"
  for_each = toset(["a", "b"])
}

resource "aws_instance" "web" {
  count = 2
}

resource "aws_route" "all" {
  for_each = module.net
  cidr     = each.value.cidr

  dynamic "rule" {
    for_each = module.net
    content {
      cidr = rule.value.cidr
    }
  }
}

output "cidrs" {
  value = [
    module.net["a"].cidr,
    module.net["b"].cidr,
    module.net[local.zone].cidr,
    values(module.net)[*].cidr,
    { for zone, net in module.net : zone => net.cidr if net.cidr != "" },
    [for net in local.nets : net.cidr],
    aws_instance.web[0].id,
    aws_instance.web[1].id,
    aws_instance.web.*.id,
    one(aws_instance.web).id,
  ]
}
"#;

#[test]
fn references_to_instances_are_found() {
    let folder = Folder::with(&[
        ("main.tf", REPEATED),
        ("net/main.tf", "output \"cidr\" {\n  value = 1\n}\n"),
        ("net/more.tf.json", "{}\n"),
    ]);
    folder.hcl(&["refs", "module.net[\"a\"].cidr"]).code(0).stdout_eq(str![[r#"
main.tf:12:14: resource.aws_route.all.cidr
main.tf:17:14: resource.aws_route.all.dynamic.rule.content.cidr
main.tf:24:5: output.cidrs.value[0]
main.tf:26:5: output.cidrs.value[2]
main.tf:27:5: output.cidrs.value[3]
main.tf:28:45: output.cidrs.value[4]
main.tf:28:57: output.cidrs.value[4]
net/main.tf:1:8: output.cidr (declaration)
main.tf:25:5: output.cidrs.value[1]

"#]]);
    folder.hcl(&["refs", "aws_instance.web[0].id"]).code(0).stdout_eq(str![[r#"
main.tf:30:5: output.cidrs.value[6]
main.tf:32:5: output.cidrs.value[8]
main.tf:33:5: output.cidrs.value[9]

"#]]);
    folder.hcl(&["refs", "aws_instance.web[0]"]).code(0).stdout_eq(str![[r#"
main.tf:6:25: resource.aws_instance.web (declaration)
main.tf:30:5: output.cidrs.value[6]
main.tf:32:5: output.cidrs.value[8]
main.tf:33:9: output.cidrs.value[9]

"#]]);
    folder.hcl(&["rename", "module.net[\"a\"].cidr", "block"]).code(0).stdout_eq(str![[r#"
--- a/net/main.tf
+++ b/net/main.tf
@@ -1,3 +1,3 @@
-output "cidr" {
+output "block" {
   value = 1
 }
--- a/main.tf
+++ b/main.tf
@@ -9,23 +9,23 @@
 
 resource "aws_route" "all" {
   for_each = module.net
-  cidr     = each.value.cidr
+  cidr     = each.value.block
 
   dynamic "rule" {
     for_each = module.net
     content {
-      cidr = rule.value.cidr
+      cidr = rule.value.block
     }
   }
 }
 
 output "cidrs" {
   value = [
-    module.net["a"].cidr,
-    module.net["b"].cidr,
-    module.net[local.zone].cidr,
-    values(module.net)[*].cidr,
-    { for zone, net in module.net : zone => net.cidr if net.cidr != "" },
+    module.net["a"].block,
+    module.net["b"].block,
+    module.net[local.zone].block,
+    values(module.net)[*].block,
+    { for zone, net in module.net : zone => net.block if net.block != "" },
     [for net in local.nets : net.cidr],
     aws_instance.web[0].id,
     aws_instance.web[1].id,

"#]]);
    folder.hcl(&["rename", "aws_instance.web[0]", "app"]).code(2).stderr_eq(str![[r#"
error: aws_instance.web[0] is an instance; its name is aws_instance.web

"#]]);
}

#[test]
fn directories_of_callers_exist() {
    let folder = Folder::with(&[("main.tf", "variable \"a\" {}\n")]);
    folder.hcl(&["rename", "var.a", "b", ".", "--callers", "nodir"]).code(2).stdout_eq("").stderr_eq(str![[
        r#"
error: --callers nodir: there is no such directory

"#
    ]]);
}
