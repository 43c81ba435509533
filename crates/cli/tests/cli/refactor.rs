//! `hcl rename`, `hcl refs`, `hcl split` and `hcl edit --sort`.

use snapbox::str;

use crate::program::Folder;

/// Without a repository, callers are searched only below the current directory.
const NOTE: &str = "note: [..] directories above were not searched for callers, because there is no repository; specify them with \
                    --callers\n";

const MAIN: &str = r#"# Where to run.
variable "region" {
  default = "eu"

  validation {
    condition     = length(var.region) > 1
    error_message = "bad"
  }
}

locals {
  zone    = "${var.region}-a" # zone
  regions = [for region in var.regions : region if region != var.region]
}

resource "disk" "web" {
  depends_on = [disk.other, "disk.old"]
  text       = <<-EOT
    ${var.region} %{ if local.zone == "x" }y${var.region}%{ endif }
  EOT

  dynamic "disk" {
    for_each = disk.web.list
    content {
      size = disk.web.size
    }
  }
}

output "id" {
  value      = { web = disk.web.*.id, "${disk.web.name}" = resource.disk.web[0].id }
  depends_on = [module.net]
}

module "net" {
  source = "./net"
}

moved {
  from = disk.older
  to   = disk.web
}
"#;

const JSON: &str = r#"{
  "resource": {
    "nil": {
      "j": {
        "triggers": {"a": "${var.region}", "b": "${join(\"var.region\", [disk.web.id])}"},
        "depends_on": ["disk.web[0]", "disk.website"]
      }
    }
  }
}
"#;

fn module() -> Folder {
    Folder::with(&[
        ("main.tf", MAIN),
        ("more.tf.json", JSON),
        ("prod.tfvars", "region = \"us\" # here\n"),
        ("auto.tfvars.json", "{\"region\": \"us\"}\n"),
        ("net/main.tf", "x = var.region\n"),
        (
            "module.tftest.hcl",
            "variables {\n  region = \"a\"\n}\n\nrun \"one\" {\n  variables {\n    region = 1\n  }\n}\n",
        ),
    ])
}

#[test]
fn references_are_listed_with_their_addresses() {
    let folder = module();
    folder.hcl(&["refs", "var.region"]).success().stdout_eq(str![[r#"
auto.tfvars.json:1:2: region (declaration)
main.tf:2:10: variable.region (declaration)
main.tf:6:28: variable.region.validation.condition
main.tf:12:16: locals.zone
main.tf:13:62: locals.regions
main.tf:19:7: resource.disk.web.text
main.tf:19:47: resource.disk.web.text
module.tftest.hcl:2:3: variables.region (declaration)
module.tftest.hcl:7:5: run.one.variables.region (declaration)
more.tf.json:5:30: resource.nil.j.triggers.a
prod.tfvars:1:1: region (declaration)

"#]]);
    folder.hcl(&["refs", "disk.web"]).success().stdout_eq(str![[r#"
main.tf:16:17: resource.disk.web (declaration)
main.tf:23:16: resource.disk.web.dynamic.disk.for_each
main.tf:31:24: output.id.value.web
main.tf:31:42: output.id.value
main.tf:31:60: output.id.value
main.tf:41:10: moved.to (history)
more.tf.json:5:74: resource.nil.j.triggers.b
more.tf.json:6:25: resource.nil.j.depends_on[0]

"#]]);
    folder.hcl(&["refs", "module.net", "main.tf"]).success().stdout_eq(str![[r#"
main.tf:32:17: output.id.depends_on[0]
main.tf:35:8: module.net (declaration)

"#]]);
    folder.hcl(&["refs", "--recursive", "var.region", "net"]).success().stdout_eq("net/main.tf:1:5: x\n");
    folder.hcl(&["refs", "--ndjson", "nil.j"]).success().stdout_eq(str![[r#"
{"file":"more.tf.json","range":{"start":{"line":4,"column":7,"byte":37},"end":{"line":4,"column":10,"byte":40}},"address":"resource.nil.j","kind":"declaration","text":"\"j\""}

"#]]);
    folder.hcl(&["refs", "--json", "output.id"]).success().stdout_eq(str![[r#"
[
  {
    "file": "main.tf",
    "range": {
      "start": {
        "line": 30,
        "column": 8,
        "byte": 537
      },
      "end": {
        "line": 30,
        "column": 12,
        "byte": 541
      }
    },
    "address": "output.id",
    "kind": "declaration",
    "text": "\"id\""
  }
]

"#]]);
    folder
        .hcl(&["refs", "var.nothing"])
        .code(1)
        .stdout_eq("")
        .stderr_eq("error: var.nothing was not found; use --recursive to search subdirectories\n");
    folder.hcl(&["refs", "var.nothing", "--allow-empty"]).success().stdout_eq("").stderr_eq("");
    folder.hcl(&["refs", "var"]).code(2).stderr_eq(str![[r#"
error: invalid address `var`: expected an address of names, such as `var.region` or `aws_instance.web`

"#]]);
    folder.hcl(&["refs", "var.region[0]"]).code(2).stderr_eq(str![[r#"
error: invalid address `var.region[0]`: only resources, data sources and module calls have indexes

"#]]);
}

#[test]
fn a_variable_is_renamed_in_all_files_of_the_directory() {
    let folder = module();
    folder.hcl(&["rename", "-w", "var.region", "place"]).success().stderr_eq(NOTE).stdout_eq(str![[r#"
auto.tfvars.json: 1 change
main.tf: 6 changes
module.tftest.hcl: 2 changes
more.tf.json: 1 change
prod.tfvars: 1 change

"#]]);
    let expected = MAIN
        .replace("var.region ", "var.place ")
        .replace("var.region}", "var.place}")
        .replace("var.region)", "var.place)")
        .replace("var.region]", "var.place]")
        .replace("\"region\"", "\"place\"");
    assert_eq!(folder.read("main.tf"), expected);
    assert_eq!(folder.read("more.tf.json"), JSON.replace("${var.region}", "${var.place}"));
    assert_eq!(folder.read("prod.tfvars"), "place = \"us\" # here\n");
    assert_eq!(folder.read("auto.tfvars.json"), "{\"place\": \"us\"}\n");
    assert_eq!(folder.read("net/main.tf"), "x = var.region\n");
    assert_eq!(
        folder.read("module.tftest.hcl"),
        "variables {\n  place = \"a\"\n}\n\nrun \"one\" {\n  variables {\n    place = 1\n  }\n}\n"
    );
}

#[test]
fn a_resource_is_renamed_and_moved() {
    let folder = module();
    folder
        .hcl(&["rename", "-w", "disk.web", "disk.api"])
        .success()
        .stderr_eq("")
        .stdout_eq("main.tf: 5 changes\nmore.tf.json: 2 changes\n");
    let moved = "\nmoved {\n  from = disk.web\n  to   = disk.api\n}\n\noutput";
    let expected = MAIN
        .replace("resource \"disk\" \"web\"", "resource \"disk\" \"api\"")
        .replace("= disk.web.list", "= disk.api.list")
        .replace("disk.web.*", "disk.api.*")
        .replace("disk.web.name", "disk.api.name")
        .replace("disk.web[0]", "disk.api[0]")
        .replace("\noutput", moved);
    assert_eq!(folder.read("main.tf"), expected);
    let json = folder.read("more.tf.json");
    assert_eq!(json, JSON.replace("disk.web.id", "disk.api.id").replace("disk.web[", "disk.api["));
    // In the JSON syntax, `moved` is a property.
    folder.hcl(&["rename", "-w", "nil.j", "k"]).success();
    let end =
        ",\n  \"moved\": [\n    {\n      \"from\": \"nil.j\",\n      \"to\": \"nil.k\"\n    }\n  ]\n}\n";
    let expected = json.replace("\"j\"", "\"k\"").replace("\n  }\n}\n", &format!("\n  }}{end}"));
    assert_eq!(folder.read("more.tf.json"), expected);
    folder.hcl(&["rename", "-w", "--no-moved", "module.net", "network"]).success();
    assert!(
        folder
            .read("main.tf")
            .contains("module \"network\" {\n  source = \"./net\"\n}\n\nmoved {\n  from = disk.older")
    );
    assert!(folder.read("main.tf").contains("depends_on = [module.network]"));
}

#[test]
fn invalid_renames_are_reported_and_change_nothing() {
    let folder = module();
    folder.hcl(&["rename", "-w", "local.zone", "regions"]).code(2).stderr_eq(str![[r#"
error: `local.regions` already exists, at main.tf:13

"#]]);
    folder.write("z.tf", "moved {\n  from = disk.oldest\n  to   = disk.older\n}\n");
    folder.hcl(&["rename", "-w", "disk.web", "disk.oldest"]).code(2).stderr_eq(str![[r#"
error: `disk.oldest` already exists, at z.tf:2

"#]]);
    folder.hcl(&["rename", "-w", "var.region", "a b"]).code(2).stderr_eq(str![[r#"
error: invalid address `a b`: expected a name, such as `web`

"#]]);
    folder.hcl(&["rename", "-w", "var.region", "local.x"]).code(2).stderr_eq(str![[r#"
error: invalid address `local.x`: expected a name, such as `web`

"#]]);
    folder.hcl(&["rename", "-w", "var.nothing", "x"]).code(1).stderr_eq(str![[r#"
error: var.nothing was not found; use --recursive to search subdirectories

"#]]);
    // The path of a block is not its address.
    for (path, address) in [("variable.region", "var.region"), ("locals.zone", "local.zone")] {
        let error = format!("error: {path} was not found; did you mean `{address}`?\n");
        folder.hcl(&["rename", "-w", path, "x"]).code(1).stderr_eq(&error);
        folder.hcl(&["refs", path]).code(1).stderr_eq(error);
    }
    assert_eq!(folder.read("main.tf"), MAIN);
    folder.write("broken.tf", "a = [var.region\n");
    folder.hcl(&["rename", "-w", "var.region", "place"]).code(1);
    assert_eq!(folder.read("main.tf"), MAIN);
}

#[test]
fn any_root_can_be_renamed_unless_a_for_expression_captures_it() {
    let folder = Folder::with(&[
        ("a.hcl", "tag = \"x\"\nb = [for x in list : \"${tag}-${x}\"]\nc = \"${tag[0]} ${other.tag}\"\n"),
        (
            "bake.hcl",
            "variable \"TAG\" {}\n\ntarget \"app\" {\n  tags     = [TAG, lower(TAG)]\n  inherits = [\"base\"]\n}\n\ntarget \"base\" {}\n",
        ),
        (
            "build.pkr.hcl",
            "source \"ebs\" \"x\" {}\n\nbuild {\n  sources = [\"source.ebs.x\"]\n  source \"ebs.x\" {}\n  provisioner \"shell\" {\n    only = [\"ebs.x\"]\n  }\n}\n",
        ),
    ]);
    folder.hcl(&["rename", "-w", "tag", "label", "a.hcl"]).success();
    assert_eq!(
        folder.read("a.hcl"),
        "label = \"x\"\nb = [for x in list : \"${label}-${x}\"]\nc = \"${label[0]} ${other.tag}\"\n"
    );
    folder.hcl(&["rename", "-w", "label", "x", "a.hcl"]).code(2).stderr_eq(str![[r#"
error: `x` would have another meaning in a.hcl, for example as the variable of a `for` expression

"#]]);
    folder.hcl(&["rename", "list", "label", "a.hcl"]).code(2).stderr_eq(str![[r#"
error: `label` already exists, at a.hcl:1

"#]]);
    folder.hcl(&["rename", "-w", "TAG", "VERSION", "bake.hcl"]).success();
    folder.hcl(&["rename", "-w", "target.base", "common", "bake.hcl"]).success();
    assert_eq!(
        folder.read("bake.hcl"),
        "variable \"VERSION\" {}\n\ntarget \"app\" {\n  tags     = [VERSION, lower(VERSION)]\n  inherits = \
         [\"common\"]\n}\n\ntarget \"common\" {}\n"
    );
    folder.hcl(&["rename", "-w", "source.ebs.x", "y", "build.pkr.hcl"]).success();
    assert_eq!(
        folder.read("build.pkr.hcl"),
        "source \"ebs\" \"y\" {}\n\nbuild {\n  sources = [\"source.ebs.y\"]\n  source \"ebs.y\" {}\n  provisioner \
         \"shell\" {\n    only = [\"ebs.y\"]\n  }\n}\n"
    );
    folder.hcl(&["rename", "list", "all", "a.hcl"]).success().stderr_eq(str![[r#"
warning: no file declares list; only references to it are renamed

"#]]);
}

#[test]
fn a_module_is_split_into_files() {
    let folder = Folder::with(&[
        (
            "main.tf",
            "# versions\nterraform {}\n\nvariable \"b\" {} # why\n\nresource \"x\" \"y\" {}\n\n# a\noutput \"z\" {\n  value = 1\n}\n",
        ),
        ("variables.tf", "variable \"a\" {}\n"),
        ("versions.tf", ""),
    ]);
    folder.hcl(&["split"]).success().stderr_eq("");
    assert_eq!(folder.read("variables.tf"), "variable \"a\" {}\n");
    folder.hcl(&["split", "-w"]).success().stderr_eq("").stdout_eq(str![[r#"
outputs.tf: 1 block moved here
main.tf: blocks moved away
variables.tf: 1 block moved here
versions.tf: 1 block moved here

"#]]);
    assert_eq!(folder.read("main.tf"), "resource \"x\" \"y\" {}\n");
    assert_eq!(folder.read("variables.tf"), "variable \"a\" {}\n\nvariable \"b\" {} # why\n");
    assert_eq!(folder.read("outputs.tf"), "# a\noutput \"z\" {\n  value = 1\n}\n");
    assert_eq!(folder.read("versions.tf"), "# versions\nterraform {}\n");
    folder.hcl(&["split", "-w"]).code(1).stderr_eq("error: there is nothing to move\n");
}

#[test]
fn a_split_leaves_no_empty_file() {
    let folder = Folder::with(&[
        ("all.tf", "variable \"a\" {}\n\noutput \"z\" {}\n"),
        ("notes.tf", "# a note\n\nvariable \"b\" {}\n"),
    ]);
    folder.hcl(&["split"]).success();
    assert!(folder.path("all.tf").exists());
    folder.hcl(&["split", "-w"]).success().stderr_eq("").stdout_eq(str![[r#"
outputs.tf: 1 block moved here
variables.tf: 2 blocks moved here
all.tf: removed
notes.tf: blocks moved away

"#]]);
    assert!(!folder.path("all.tf").exists());
    assert_eq!(folder.read("notes.tf"), "# a note\n");
    assert_eq!(folder.read("variables.tf"), "variable \"a\" {}\n\nvariable \"b\" {}\n");
    assert_eq!(folder.read("outputs.tf"), "output \"z\" {}\n");
}

#[test]
fn files_in_the_json_syntax_are_split_into_such_files() {
    let folder = Folder::with(&[
        (
            "main.tf.json",
            "{\n  \"//\": \"kept\",\n  \"variable\": {\n    \"b\": { \"default\": [1, 2] }\n  },\n  \"resource\": {\"x\": {\"y\": {}}},\n  \"provider\": {\"aws\": {\"alias\": \"one\"}},\n  \"locals\": {\"l\": 1.50}\n}\n",
        ),
        ("all.tf.json", "{\"provider\": {\"aws\": {\"alias\": \"two\"}}}\n"),
        ("variables.tf.json", "{\n  \"variable\": {\n    \"a\": {}\n  }\n}\n"),
        ("more.tf", "variable \"c\" {}\n"),
        ("sub/main.tf.json", "{\"output\": {\"o\": {\"value\": 1}}}\n"),
        ("array.tf.json", "[{\"output\": {\"p\": {\"value\": 1}}}, {\"check\": {\"q\": {}}}]\n"),
    ]);
    folder.hcl(&["split", "-w", "--recursive"]).success().stderr_eq("").stdout_eq(str![[r#"
locals.tf.json: 1 block moved here
outputs.tf.json: 1 block moved here
providers.tf.json: 2 blocks moved here
sub/outputs.tf.json: 1 block moved here
variables.tf: 1 block moved here
all.tf.json: removed
array.tf.json: blocks moved away
main.tf.json: blocks moved away
more.tf: removed
sub/main.tf.json: removed
variables.tf.json: 1 block moved here

"#]]);
    assert_eq!(
        folder.read("main.tf.json"),
        "{\n  \"//\": \"kept\",\n  \"resource\": {\"x\": {\"y\": {}}}\n}\n"
    );
    assert!(!folder.path("all.tf.json").exists());
    assert_eq!(folder.read("variables.tf"), "variable \"c\" {}\n");
    assert_eq!(
        folder.read("variables.tf.json"),
        "{\n  \"variable\": {\n    \"a\": {},\n    \"b\": { \"default\": [1, 2] }\n  }\n}\n"
    );
    assert_eq!(
        folder.read("providers.tf.json"),
        "{\n  \"provider\": {\"aws\": [\n    {\"alias\": \"two\"},\n    {\"alias\": \"one\"}\n  ]}\n}\n"
    );
    assert_eq!(folder.read("array.tf.json"), "[{\"check\": {\"q\": {}}}]\n");
    assert_eq!(folder.read("outputs.tf.json"), "{\n  \"output\": {\"p\": {\"value\": 1}}\n}\n");
    assert_eq!(folder.read("locals.tf.json"), "{\n  \"locals\": {\"l\": 1.50}\n}\n");
    assert_eq!(folder.read("sub/outputs.tf.json"), "{\n  \"output\": {\"o\": {\"value\": 1}}\n}\n");
    assert!(!folder.path("sub/main.tf.json").exists());
}

#[test]
fn chosen_blocks_move_to_a_file() {
    let folder = Folder::with(&[
        (
            "main.tf",
            "resource \"a\" \"x\" {}\n\n# why\nresource \"b\" \"x\" {\n  y = a.x.id\n}\n\nresource \"a\" \"z\" {}\n",
        ),
        ("net.tf", "locals {}\n"),
        ("a_override.tf", "resource \"a\" \"x\" {}\n"),
    ]);
    let split = |arguments: &[&str]| folder.hcl(&[&["split", "-w"], arguments].concat());
    split(&["--block", "resource.c", "--block", "b.x", "--into", "net.tf"]).code(1).stderr_eq(str![[r#"
error: resource.c matches nothing
error: b.x matches nothing; did you mean `resource.b.x`?

"#]]);
    split(&["--block", "resource.b.x.y", "--into", "net.tf"])
        .code(2)
        .stderr_eq("error: main.tf: resource.b.x.y is not a block of the file\n");
    split(&["--block", "resource.b.x", "--into", "sub/net.tf"]).code(2).stderr_eq(
        "error: invalid file `sub/net.tf`: a block stays in its directory; expected the name of a file, such as network.tf\n",
    );
    for name in ["net.tf.json", "net.pkr.hcl", "net"] {
        let why = format!(
            "error: blocks of main.tf cannot move to {name}: it is not a file of the same language and syntax\n"
        );
        split(&["--block", "resource.b.x", "--into", name]).code(2).stderr_eq(why);
    }
    for (block, name) in [("resource.b.x", "b_override.tf"), ("resource.a.x", "net.tf")] {
        let found = split(&["--block", block, "--into", name]).code(2).get_output().stderr.clone();
        assert!(
            String::from_utf8(found).unwrap().contains("files that override others are read in another way")
        );
    }
    assert!(!folder.path("net.tf.json").exists() && folder.read("net.tf") == "locals {}\n");
    let blocks = ["--block", "resource.b.x", "--block", "resource.*.z", "--exclude", "*override.tf"];
    split(&[&blocks[..], &["--into", "net.tf"]].concat()).success().stderr_eq("").stdout_eq(str![[r#"
main.tf: blocks moved away
net.tf: 2 blocks moved here

"#]]);
    assert_eq!(folder.read("main.tf"), "resource \"a\" \"x\" {}\n");
    let moved = "locals {}\n\n# why\nresource \"b\" \"x\" {\n  y = a.x.id\n}\n\nresource \"a\" \"z\" {}\n";
    assert_eq!(folder.read("net.tf"), moved);
    // They are there already.
    split(&["--block", "resource.b.x", "--into", "net.tf"])
        .code(1)
        .stderr_eq("error: there is nothing to move\n");
}

#[test]
fn chosen_blocks_of_files_in_the_json_syntax_move_to_such_a_file() {
    let folder = Folder::with(&[
        (
            "main.tf.json",
            "{\n  \"resource\": {\n    \"a\": {\n      \"x\": {\"y\": 1.50}\n    },\n    \"b\": {\"x\": {}}\n  },\n  \"locals\": {\"l\": 1}\n}\n",
        ),
        ("array.tf.json", "[{\"resource\": {\"a\": {\"z\": [{}, {\"y\": 2}]}}}, {\"locals\": {\"m\": 1}}]\n"),
        ("net.tf.json", "{\"resource\": {\"a\": {\"w\": {}}}}\n"),
    ]);
    let split = |arguments: &[&str]| folder.hcl(&[&["split", "-w"], arguments].concat());
    split(&["--block", "locals.l", "--into", "net.tf.json"])
        .code(2)
        .stderr_eq("error: main.tf.json: locals.l is not a block of the file\n");
    split(&["--block", "resource.a", "--into", "net.tf.json"]).success().stderr_eq("").stdout_eq(str![[r#"
array.tf.json: blocks moved away
main.tf.json: blocks moved away
net.tf.json: 2 blocks moved here

"#]]);
    // Each block that the path selects counts.
    folder.write(
        "many.tf.json",
        "{\"resource\": {\"q\": {\"a\": {}, \"b\": [{}], \"c\": {}}}, \"data\": {\"q\": {\"a\": {}}}}\n",
    );
    split(&["--block", "resource.q.*", "--exclude", "[!m]*.json", "--into", "q.tf.json"])
        .success()
        .stdout_eq(str![[r#"
q.tf.json: 3 blocks moved here
many.tf.json: blocks moved away

"#]]);
    assert_eq!(folder.read("many.tf.json"), "{\"data\": {\"q\": {\"a\": {}}}}\n");
    let moved: serde_json::Value = serde_json::from_str(&folder.read("q.tf.json")).unwrap();
    assert_eq!(moved, serde_json::json!({"resource": {"q": {"a": {}, "b": [{}], "c": {}}}}));
    assert_eq!(folder.read("array.tf.json"), "[{\"locals\": {\"m\": 1}}]\n");
    assert_eq!(
        folder.read("main.tf.json"),
        "{\n  \"resource\": {\n    \"b\": {\"x\": {}}\n  },\n  \"locals\": {\"l\": 1}\n}\n"
    );
    let found: serde_json::Value = serde_json::from_str(&folder.read("net.tf.json")).unwrap();
    let wanted = serde_json::json!({"resource": {"a": {"w": {}, "z": [{}, {"y": 2}], "x": {"y": 1.5}}}});
    assert_eq!(found, wanted);
    assert!(folder.read("net.tf.json").contains("1.50"));
    // Nothing is left of the block type.
    split(&["--block", "resource.b.x", "--into", "b.tf.json"]).success();
    assert_eq!(folder.read("main.tf.json"), "{\n  \"locals\": {\"l\": 1}\n}\n");
    assert_eq!(
        folder.read("b.tf.json"),
        "{\n  \"resource\": {\n    \"b\": {\n      \"x\": {}\n    }\n  }\n}\n"
    );
}

#[test]
fn items_are_sorted_with_their_comments() {
    let folder = Folder::with(&[(
        "a.tf",
        "# header\n\n# c\nvariable \"c\" {\n}\n\nlocals {\n  b = 1 # b\n  a = { z = 1, y = 2 }\n}\n\nvariable \"a\" {\n}\n",
    )]);
    folder.hcl(&["edit", "-w", "--sort", "variable~", "--sort", "locals.*", "a.tf"]).success();
    assert_eq!(
        folder.read("a.tf"),
        "# header\n\nvariable \"a\" {\n}\n\nlocals {\n  a = { z = 1, y = 2 }\n  b = 1 # b\n}\n\n# c\nvariable \"c\" \
         {\n}\n"
    );
    folder.hcl(&["edit", "-w", "--sort", "locals.a.*", "a.tf"]).success();
    assert!(folder.read("a.tf").contains("a = { y = 2, z = 1 }"));
}

/// A root module that calls two others, one of them from JSON.
fn tree() -> Folder {
    Folder::with(&[
        (
            "main.tf",
            "module \"net\" {\n  source = \"./modules/net\"\n  cidr   = var.cidr # of all\n}\n\nmodule \"other\" {\n  source = \"./modules/other\"\n  cidr   = 1\n}\n\nmodule \"far\" {\n  source = \"example/net/aws\"\n  cidr   = 1\n}\n",
        ),
        (
            "more.tf",
            "locals {\n  ids = [module.net.id, module.net[0].id, module.net[\"a.id\"].id, module.net.*.id, module.net[*].id]\n  not = [module.net.id2, module.other.id, module.net]\n  text = \"${module.net.id}-x\"\n}\n",
        ),
        (
            "calls.tf.json",
            "{\"module\": {\"net2\": {\"source\": \"./modules/net\", \"cidr\": 2}}, \"output\": {\"o\": {\"value\": \"${module.net2.id}\"}}}\n",
        ),
        ("modules/net/main.tf", "variable \"cidr\" {}\n\noutput \"id\" {\n  value = var.cidr\n}\n"),
        (
            "modules/other/main.tf",
            "variable \"cidr\" {}\n\nmodule \"inner\" {\n  source = \"../net\"\n  cidr   = var.cidr\n}\n\noutput \"id\" {\n  value = module.inner.id\n}\n",
        ),
        ("broken/notes.hcl", "a = [\n"),
    ])
}

#[test]
fn arguments_are_renamed_where_a_module_is_called() {
    let folder = tree();
    let (main, json) = (folder.read("main.tf"), folder.read("calls.tf.json"));
    folder.hcl(&["rename", "-w", "var.cidr", "block", "modules/net"]).success().stderr_eq(NOTE);
    assert_eq!(
        folder.read("modules/net/main.tf"),
        "variable \"block\" {}\n\noutput \"id\" {\n  value = var.block\n}\n"
    );
    assert_eq!(folder.read("main.tf"), main.replacen("cidr   = var", "block  = var", 1));
    assert_eq!(folder.read("calls.tf.json"), json.replace("\"cidr\"", "\"block\""));
    let other = folder.read("modules/other/main.tf");
    assert!(other.contains("  source = \"../net\"\n  block  = var.cidr\n"), "{other}");
    // From within the module, callers are elsewhere.
    let module = folder.path("modules/net");
    let command = folder.command(&["rename", "-w", "var.block", "cidr", "--callers", "../.."]);
    command.current_dir(module).assert().success();
    assert_eq!(folder.read("main.tf"), main);
    // A name that a call already uses.
    folder
        .write("more.tf", "module \"net3\" {\n  source = \"./modules/net\"\n  cidr   = 1\n  block  = 2\n}\n");
    folder.hcl(&["rename", "-w", "var.cidr", "block", "modules/net"]).code(2).stderr_eq(str![[r#"
note: [..]
error: `module.net3.block` already exists, at more.tf:4

"#]]);
    assert_eq!(folder.read("main.tf"), main);
}

#[test]
fn outputs_are_renamed_where_a_module_is_called() {
    let folder = tree();
    // The output may be used through a value that is all of them.
    let more = folder.read("more.tf");
    folder.hcl(&["rename", "-w", "output.id", "key", "modules/net"]).code(1).stderr_eq(str![[r#"
note: [..]
error: more.tf:3:43: `module.net` is used as a whole, so that uses of output.id cannot be followed
note: nothing was renamed; --force renames all other uses

"#]]);
    assert_eq!(folder.read("more.tf"), more);
    folder.hcl(&["rename", "-w", "--force", "output.id", "key", "modules/net"]).success().stderr_eq(NOTE);
    assert_eq!(
        folder.read("more.tf"),
        "locals {\n  ids = [module.net.key, module.net[0].key, module.net[\"a.id\"].key, module.net.*.key, module.net[*].key]\n  not = [module.net.id2, module.other.id, module.net]\n  text = \"${module.net.key}-x\"\n}\n"
    );
    assert!(folder.read("calls.tf.json").contains("${module.net2.key}"));
    let other = folder.read("modules/other/main.tf");
    assert!(other.contains("output \"id\" {\n  value = module.inner.key\n"), "{other}");
}

#[test]
fn providers_are_renamed_by_their_alias() {
    let folder = Folder::with(&[
        (
            "main.tf",
            "provider \"aws\" {\n  alias = \"west\"\n}\n\nresource \"a\" \"b\" {\n  provider = aws.west\n}\n\nmodule \"net\" {\n  source = \"./net\"\n  providers = {\n    aws      = aws.west\n    aws.peer = aws.west\n  }\n}\n",
        ),
        (
            "net/main.tf",
            "terraform {\n  required_providers {\n    aws = {\n      source                = \"hashicorp/aws\"\n      configuration_aliases = [aws.peer]\n    }\n  }\n}\n\ndata \"a\" \"b\" {\n  provider = aws.peer\n}\n",
        ),
        (
            "more.tf.json",
            "{\"resource\": {\"a\": {\"c\": {\"provider\": \"aws.west\"}}}, \"module\": {\"m\": {\"source\": \"./x\", \"providers\": {\"aws.west\": \"aws.west\"}}}}\n",
        ),
    ]);
    let before = folder.read("main.tf");
    folder.hcl(&["refs", "provider.aws.west"]).success().stdout_eq(str![[r#"
main.tf:2:11: provider.aws.alias (declaration)
main.tf:6:14: resource.a.b.provider
main.tf:12:16: module.net.providers.aws
main.tf:13:16: module.net.providers
more.tf.json:1:40: resource.a.c.provider
more.tf.json:1:115: module.m.providers["aws.west"]

"#]]);
    folder.hcl(&["rename", "-w", "provider.aws.west", "east"]).success().stderr_eq("");
    let after = before.replace("aws.west", "aws.east").replace("\"west\"", "\"east\"");
    assert_eq!(folder.read("main.tf"), after);
    assert!(folder.read("more.tf.json").contains("\"provider\": \"aws.east\""));
    assert!(folder.read("more.tf.json").contains("{\"aws.west\": \"aws.east\"}"));
    // A module and its callers use the same alias of a provider.
    folder.hcl(&["rename", "-w", "aws.peer", "other", "net"]).success();
    assert!(folder.read("net/main.tf").contains("configuration_aliases = [aws.other]"));
    assert!(folder.read("net/main.tf").contains("provider = aws.other"));
    assert_eq!(
        folder.read("main.tf"),
        after.replace("aws      =", "aws       =").replace("aws.peer =", "aws.other =")
    );
}

/// A name alone is the address of a block if the language says so.
#[test]
fn a_name_without_a_root_is_renamed_in_languages_that_have_such_addresses() {
    let table = "name = \"s\"\nfiles = [\"*.s\"]\nblock \"service\" {\n  role = \"object\"\n  labels = [\"name\"]\n  defines = \"{name}\"\n}\n";
    let text = "service \"web\" {\n}\nservice \"db\" {\n  q = web.p\n}\n";
    let folder = Folder::with(&[("hcl.toml", "languages = [\"t.hcl\"]\n"), ("t.hcl", table), ("x.s", text)]);
    folder.hcl(&["rename", "-w", "web", "site"]).code(0);
    assert_eq!(folder.read("x.s"), text.replace("web", "site"));
    folder.hcl(&["rename", "-w", "nothing", "site"]).code(2);
}

/// Units of Terragrunt set the variables of a module, and read the results of other units.
#[test]
fn units_of_terragrunt_are_callers() {
    let module = "variable \"cidr\" {}\noutput \"id\" {\n  value = var.cidr\n}\n";
    let net =
        "terraform {\n  source = \"../../modules//net\"\n}\ninputs = {\n  cidr  = \"10\"\n  other = 1\n}\n";
    let merged = "terraform {\n  source = \"../../modules//net\"\n}\ninputs = merge(local.common, { \"cidr\" = \"10\" })\n";
    let app = "terraform {\n  source = \"../../modules//app\"\n}\ndependency \"net\" {\n  config_path = \"../net\"\n}\ndependency \"far\" {\n  config_path = \"../far\"\n}\ninputs = {\n  cidr = \"no\"\n  id   = dependency.net.outputs.id\n  far  = dependency.far.outputs.id\n}\n";
    let folder = Folder::with(&[
        ("modules/net/main.tf", module),
        ("modules/app/main.tf", "variable \"cidr\" {}\nvariable \"id\" {}\n"),
        ("live/net/terragrunt.hcl", net),
        ("live/merged/terragrunt.hcl", merged),
        ("live/app/terragrunt.hcl", app),
        ("live/far/terragrunt.hcl", "terraform {\n  source = \"git::https://example.com/net.git\"\n}\n"),
        (".git/HEAD", "ref: refs/heads/main\n"),
    ]);
    let refs = folder.command(&["refs", "var.cidr", "modules/net"]).output().unwrap();
    let refs = String::from_utf8(refs.stdout).unwrap();
    assert!(
        refs.contains("live/net/terragrunt.hcl:5:3: inputs.cidr\n") && refs.contains("live/merged/"),
        "{refs}"
    );
    assert!(!refs.contains("live/app"), "{refs}");
    folder.hcl(&["rename", "-w", "var.cidr", "var.block", "modules/net"]).success().stderr_eq("");
    assert_eq!(folder.read("live/net/terragrunt.hcl"), net.replace("cidr ", "block"));
    assert_eq!(folder.read("live/merged/terragrunt.hcl"), merged.replace("\"cidr\"", "\"block\""));
    assert_eq!(folder.read("live/app/terragrunt.hcl"), app);
    folder.hcl(&["rename", "-w", "output.id", "output.number", "modules/net"]).success().stderr_eq("");
    assert_eq!(
        folder.read("live/app/terragrunt.hcl"),
        app.replace("dependency.net.outputs.id", "dependency.net.outputs.number")
    );
    // The other input is there already.
    folder.hcl(&["rename", "var.block", "var.other", "modules/net"]).code(2).stderr_eq(str![[r#"
error: `inputs.other` already exists, at live/net/terragrunt.hcl:6

"#]]);
}

/// The diffs are those that `git apply` takes, also of new and removed files.
#[test]
fn diffs_can_be_applied() {
    let files = [
        ("live/main.tf", "resource \"a\" \"x\" {}\n\nresource \"a\" \"y\" {}\n"),
        ("live/out.tf", "output \"o\" {\n  value=a.x.id\n}\n"),
    ];
    for arguments in [
        &["rename", "a.x", "a.z", "live"][..],
        &["split", "live", "--block", "resource.a.y", "--into", "y.tf"],
        &["split", "live", "--block", "resource", "--into", "y.tf"],
        &["edit", "--delete", "resource.a.y", "live"],
        &["fmt", "--diff", "--check", "live"],
    ] {
        let (folder, other) = (Folder::with(&files), Folder::with(&files));
        let diff = folder.command(arguments).output().unwrap().stdout;
        let diff = String::from_utf8(diff).unwrap();
        let start = diff.find("--- ").unwrap();
        folder.git(&["init", "--quiet"]);
        folder.write("p.diff", &diff[start..]);
        folder.git(&["apply", "p.diff"]);
        let written = if arguments[0] == "fmt" { vec!["fmt", "live"] } else { [arguments, &["-w"]].concat() };
        other.hcl(&written).success();
        for name in ["live/main.tf", "live/out.tf", "live/y.tf"] {
            let text = |folder: &Folder| std::fs::read_to_string(folder.path(name)).ok();
            assert_eq!(text(&folder), text(&other), "{arguments:?}: {name}");
        }
    }
}

#[test]
fn names_that_are_not_declared_have_suggestions() {
    let folder = Folder::with(&[
        ("a.tf", "variable \"region\" {\n}\nlocals {\n  zone = 1\n}\n"),
        ("b.tf", "resource \"aws_vpc\" \"main\" {\n  cidr = each.value\n}\n"),
    ]);
    for (wrong, meant) in
        [("var.regoin", "var.region"), ("local.zones", "local.zone"), ("aws_vpc.mian", "aws_vpc.main")]
    {
        let said = format!("error: {wrong} was not found; did you mean `{meant}`?\n");
        folder.hcl(&["refs", wrong]).code(1).stderr_eq(said.clone());
        folder.hcl(&["rename", wrong, "x"]).code(1).stderr_eq(said);
    }
    folder
        .hcl(&["rename", "local.zone", "zone"])
        .code(2)
        .stderr_eq("error: local.zone already has this name\n");
    let given = "error: `each.value` is a name of the language\n";
    folder.hcl(&["rename", "each.value", "x"]).code(2).stderr_eq(given);
}
