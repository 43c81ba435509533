//! `hcl graph`: the references between names.

use crate::modules::shop;
use crate::program::Folder;
use snapbox::str;

#[test]
fn references_are_a_graph() {
    shop().hcl(&["graph"]).success().stdout_eq(str![[r##"
digraph {
  rankdir = LR
  node [shape = box, style = filled, fillcolor = white]
  "var.region" [fillcolor = "#dbeafe"]
  "var.password" [fillcolor = "#dbeafe"]
  "module.net" [fillcolor = "#ede9fe"]
  "aws_instance.web" [fillcolor = "#dcfce7"]
  "output.subnets" [fillcolor = "#ffe4e6"]
  "output.url" [fillcolor = "#ffe4e6"]
  "local.zones" [fillcolor = "#fef9c3"]
  "local.url" [fillcolor = "#fef9c3"]
  subgraph cluster_2 {
    label = "module.net"
    "module.net.var.zone" [fillcolor = "#dbeafe"]
    "module.net.aws_subnet.this" [fillcolor = "#dcfce7"]
    "module.net.cidr" [fillcolor = "#ffe4e6"]
    "module.net.subnet" [fillcolor = "#ffe4e6"]
  }
  "module.net" -> "local.zones"
  "aws_instance.web" -> "module.net"
  "aws_instance.web" -> "module.net.subnet"
  "output.subnets" -> "module.net"
  "output.subnets" -> "module.net.cidr"
  "output.subnets" -> "module.net.subnet"
  "output.url" -> "local.url"
  "local.zones" -> "var.region"
  "local.url" -> "var.password"
  "module.net.aws_subnet.this" -> "module.net.var.zone"
  "module.net.cidr" -> "module.net.aws_subnet.this"
  "module.net.subnet" -> "module.net.aws_subnet.this"
}

"##]]);
    let small = Folder::with(&[("main.tf", "locals {\n  a = local.b\n  b = 1\n}\n")]);
    small.hcl(&["graph", "--output", "mermaid"]).success().stdout_eq(str![[r#"
flowchart LR
  n0["local.a"]:::role_values
  n1["local.b"]:::role_values
  n0 --> n1
  classDef role_values fill:#fef9c3

"#]]);
    small.hcl(&["graph", "--output", "json", "main.tf"]).success().stdout_eq(str![[r#"
{
  "nodes": [
    {
      "address": "local.a",
      "role": "values",
      "file": "main.tf",
      "line": 2
    },
    {
      "address": "local.b",
      "role": "values",
      "file": "main.tf",
      "line": 3
    }
  ],
  "edges": [
    {
      "from": "local.a",
      "to": "local.b"
    }
  ]
}

"#]]);
}

#[test]
fn builds_of_packer_refer_to_their_sources() {
    let text = r#"variable "release" {
  default = "24.04"
  validation {
    condition     = var.release != ""
    error_message = "Set it."
  }
}

locals {
  name  = "web"
  owner = "me"
}

data "amazon-ami" "base" {
  filters = { name = "ubuntu-${var.release}" }
}

source "amazon-ebs" "base" {
  source_ami = data.amazon-ami.base.id
  dynamic "tag" {
    for_each = { Owner = local.owner }
    content {
      key = tag.key
    }
  }
}

source "docker" "base" {
}

build {
  name    = "web"
  sources = ["source.docker.base"]
  source "amazon-ebs.base" {
    ami_name = local.name
  }
  provisioner "shell" {
    inline = ["echo ${source.name} ${build.ID} ${var.release}"]
  }
}

build {
  sources = ["docker.base"]
}
"#;
    let folder = Folder::with(&[("image.pkr.hcl", text)]);
    folder.hcl(&["graph", "--output", "mermaid"]).success().stdout_eq(str![[r#"
flowchart LR
  n0["var.release"]:::role_input
  n1["data.amazon-ami.base"]:::role_object
  n2["source.amazon-ebs.base"]:::role_object
  n3["source.docker.base"]:::role_object
  n4["build.web"]:::role_build
  n5["build[1]"]:::role_build
  n6["local.name"]:::role_values
  n7["local.owner"]:::role_values
  n1 --> n0
  n2 --> n1
  n2 --> n7
  n4 --> n0
  n4 --> n2
  n4 --> n3
  n4 --> n6
  n5 --> n3
  classDef role_build fill:#f3f4f6
  classDef role_input fill:#dbeafe
  classDef role_object fill:#dcfce7
  classDef role_values fill:#fef9c3

"#]]);
    let text = r#"{
  "variable": {"release": {"default": "24.04"}},
  "source": {"docker": {"base": {"image": "ubuntu:${var.release}"}}},
  "build": [{
    "sources": ["source.docker.base"],
    "post-processors": [{"post-processor": {"docker-tag": {"tags": ["${var.release}"]}}}]
  }]
}
"#;
    let folder = Folder::with(&[("image.pkr.json", text)]);
    folder.hcl(&["graph"]).success().stdout_eq(str![[r##"
digraph {
  rankdir = LR
  node [shape = box, style = filled, fillcolor = white]
  "var.release" [fillcolor = "#dbeafe"]
  "source.docker.base" [fillcolor = "#dcfce7"]
  "build" [fillcolor = "#f3f4f6"]
  "source.docker.base" -> "var.release"
  "build" -> "var.release"
  "build" -> "source.docker.base"
}

"##]]);
}

#[test]
fn meta_arguments_are_references() {
    let text = r#"resource "aws_instance" "web" {
  count      = length(local.zones)
  depends_on = [terraform_data.first]
  lifecycle {
    replace_triggered_by = [terraform_data.second.output]
    postcondition {
      condition     = self.id != local.zones[0]
      error_message = "Wrong."
    }
  }
  provisioner "local-exec" {
    command = "echo ${self.id} ${terraform_data.third.id}"
  }
}

resource "terraform_data" "first" {
}

resource "terraform_data" "second" {
}

resource "terraform_data" "third" {
}

locals {
  zones = ["a"]
}
"#;
    let folder = Folder::with(&[("main.tf", text)]);
    folder.hcl(&["graph", "--output", "mermaid"]).success().stdout_eq(str![[r#"
flowchart LR
  n0["aws_instance.web"]:::role_object
  n1["terraform_data.first"]:::role_object
  n2["terraform_data.second"]:::role_object
  n3["terraform_data.third"]:::role_object
  n4["local.zones"]:::role_values
  n0 --> n1
  n0 --> n2
  n0 --> n3
  n0 --> n4
  classDef role_object fill:#dcfce7
  classDef role_values fill:#fef9c3

"#]]);
}

#[test]
fn the_declarations_of_a_directory_are_repeated_for_each_call() {
    let call =
        |name: &str| format!("module \"{name}\" {{\n  source = \"./m\"\n  a      = local.{name}\n}}\n");
    let main = format!(
        "{}{}locals {{\n  x = 1\n  y = module.x[\"k\"].out\n}}\noutput \"all\" {{\n  value = [module.x, module.y.out]\n}}\n",
        call("x"),
        call("y"),
    );
    let inner =
        "variable \"a\" {\n}\noutput \"out\" {\n  value = var.a\n}\noutput \"more\" {\n  value = 1\n}\n";
    let folder = Folder::with(&[("main.tf", &main), ("m/main.tf", inner)]);
    folder.hcl(&["graph"]).success().stdout_eq(str![[r##"
digraph {
  rankdir = LR
  node [shape = box, style = filled, fillcolor = white]
  "module.x" [fillcolor = "#ede9fe"]
  "module.y" [fillcolor = "#ede9fe"]
  "output.all" [fillcolor = "#ffe4e6"]
  "local.x" [fillcolor = "#fef9c3"]
  "local.y" [fillcolor = "#fef9c3"]
  subgraph cluster_0 {
    label = "module.x"
    "module.x.var.a" [fillcolor = "#dbeafe"]
    "module.x.out" [fillcolor = "#ffe4e6"]
    "module.x.more" [fillcolor = "#ffe4e6"]
  }
  subgraph cluster_1 {
    label = "module.y"
    "module.y.var.a" [fillcolor = "#dbeafe"]
    "module.y.out" [fillcolor = "#ffe4e6"]
    "module.y.more" [fillcolor = "#ffe4e6"]
  }
  "output.all" -> "module.x"
  "output.all" -> "module.y"
  "output.all" -> "module.x.out"
  "output.all" -> "module.x.more"
  "output.all" -> "module.y.out"
  "local.y" -> "module.x"
  "local.y" -> "module.x.out"
  "module.x.var.a" -> "local.x"
  "module.x.out" -> "module.x.var.a"
  "module.y.var.a" -> "local.y"
  "module.y.out" -> "module.y.var.a"
}

"##]]);
}

/// The data and the tags of a page: names are only in the data and in the picture.
#[test]
fn a_page_shows_a_graph_in_a_browser() {
    let hostile = "resource \"a\" \"</script><b>\" {\n  x = local.b\n}\nlocals {\n  b = 1\n}\n";
    let folder = Folder::with(&[("main.tf", hostile)]);
    // The name is an error, and the page is written.
    let page = folder.hcl(&["graph", "--output", "html"]).code(1).get_output().stdout.clone();
    let page = String::from_utf8(page).unwrap();
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">\n").unwrap();
    let (data, rest) = rest.split_once("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["nodes"][0]["address"], "a[\"</script><b>\"]");
    assert_eq!(data["edges"][0]["to"], "local.b");
    assert_eq!(page.matches("<b>").count(), 0);
    assert!(rest.contains("a[&quot;&lt;/script&gt;&lt;b&gt;&quot;]</text>"), "{rest}");
    // The rest is the same for all graphs, and asks for nothing from elsewhere.
    assert!(!rest.contains("src=") && !rest.contains("href=\"http"));
    assert_eq!(rest.matches("http").count(), 1);
}

#[test]
fn pictures_have_a_limit_and_frames_for_modules() {
    let picture = shop().hcl(&["graph", "--output", "svg"]).success().get_output().stdout.clone();
    let picture = String::from_utf8(picture).unwrap();
    assert!(picture.contains(">module.net.aws_subnet.this</text>"), "{picture}");
    assert_eq!(picture.matches("fill=\"#fafafa\"").count(), 1, "{picture}");
    assert!(picture.contains("<title>main.tf:"), "{picture}");
    let many: Vec<String> = (0..700).map(|number| format!("  a{number} = local.a{}\n", number / 2)).collect();
    let folder = Folder::with(&[("main.tf", &format!("locals {{\n{}}}\n", many.concat()))]);
    folder.hcl(&["graph", "--output", "svg"]).code(2).stderr_eq(str![[r#"
error: the graph has 700 names, which is too much for a picture: it has at most 600 names and 3000 references; choose some names with --focus, --depth or --kind, or write a page to look through with --output html

"#]]);
    folder.hcl(&["graph", "--output", "svg", "--focus", "local.a600"]).success();
    let all: Vec<String> = (0..100)
        .map(|number| {
            let names: Vec<String> = (0..number).map(|other| format!("local.a{other}")).collect();
            format!("  a{number} = [{}]\n", names.join(", "))
        })
        .collect();
    let dense = Folder::with(&[("main.tf", &format!("locals {{\n{}}}\n", all.concat()))]);
    dense.hcl(&["graph", "--output", "svg"]).code(2);
    let page = folder.hcl(&["graph", "--output", "html"]).success().get_output().stdout.clone();
    assert!(!String::from_utf8(page).unwrap().contains("<svg"));
}

#[test]
fn providers_are_named_with_what_they_use() {
    let text = "variable \"region\" {}\nprovider \"aws\" {\n  region = var.region\n}\nprovider \"aws\" {\n  alias  = \"east\"\n  region = local.east\n}\nlocals {\n  east = \"us-east-1\"\n}\nresource \"aws_vpc\" \"a\" {\n  provider = aws.east\n}\nresource \"aws_vpc\" \"b\" {}\n";
    let folder = Folder::with(&[("main.tf", text)]);
    folder.hcl(&["graph"]).success().stdout_eq(str![[r##"
digraph {
  rankdir = LR
  node [shape = box, style = filled, fillcolor = white]
  "var.region" [fillcolor = "#dbeafe"]
  "provider.aws" [fillcolor = "#f3f4f6"]
  "provider.aws.east" [fillcolor = "#f3f4f6"]
  "aws_vpc.a" [fillcolor = "#dcfce7"]
  "aws_vpc.b" [fillcolor = "#dcfce7"]
  "local.east" [fillcolor = "#fef9c3"]
  "provider.aws" -> "var.region"
  "provider.aws.east" -> "local.east"
  "aws_vpc.a" -> "provider.aws.east"
}

"##]]);
    folder.hcl(&["graph", "--focus", "local.east", "--reverse"]).success().stdout_eq(str![[r##"
digraph {
  rankdir = LR
  node [shape = box, style = filled, fillcolor = white]
  "provider.aws.east" [fillcolor = "#f3f4f6"]
  "aws_vpc.a" [fillcolor = "#dcfce7"]
  "local.east" [fillcolor = "#fef9c3"]
  "provider.aws.east" -> "local.east"
  "aws_vpc.a" -> "provider.aws.east"
}

"##]]);
    folder.hcl(&["graph", "--kind", "settings"]).success().stdout_eq(str![[r##"
digraph {
  rankdir = LR
  node [shape = box, style = filled, fillcolor = white]
  "provider.aws" [fillcolor = "#f3f4f6"]
  "provider.aws.east" [fillcolor = "#f3f4f6"]
}

"##]]);
}

#[test]
fn the_focus_on_a_module_is_what_is_in_it() {
    let main = "variable \"v\" {}\nlocals {\n  l     = var.v\n  other = 1\n}\nmodule \"m\" {\n  source = \"./m\"\n  a      = local.l\n}\noutput \"o\" {\n  value = module.m.b\n}\n";
    let inside = "variable \"a\" {}\noutput \"b\" {\n  value = var.a\n}\n";
    let folder = Folder::with(&[("main.tf", main), ("m/main.tf", inside)]);
    let names = |options: &[&str]| -> Vec<String> {
        let found = folder.hcl(&[&["graph", "--json", "--focus", "module.m"], options].concat()).success();
        let found: serde_json::Value = serde_json::from_slice(&found.get_output().stdout).unwrap();
        let nodes = found["nodes"].as_array().unwrap().iter();
        nodes.map(|node| node["address"].as_str().unwrap().to_owned()).collect()
    };
    let mut found = names(&[]);
    found.sort();
    assert_eq!(found, ["local.l", "module.m", "module.m.b", "module.m.var.a", "var.v"]);
    assert!(names(&["--reverse"]).contains(&"output.o".to_owned()));
}

/// Without --output, the ending of the file says what is wanted, in every command that writes several formats.
#[test]
fn the_ending_of_the_file_names_the_format() {
    let folder = Folder::with(&[
        ("main.tf", "locals {\n  a = 1\n  b = local.a\n}\n"),
        ("a.hcl", "x = 1\n"),
        ("spec.hcldec", "attr {\n  name = \"x\"\n}\n"),
    ]);
    for (arguments, file, start) in [
        (&["graph", "."][..], "g.svg", "<svg"),
        (&["graph", "."], "g.HTML", "<!"),
        (&["graph", "."], "g.json", "{"),
        (&["graph", "."], "g.txt", "digraph"),
        (&["graph", ".", "-o", "mermaid"], "g.svg", "flowchart"),
        (&["convert", "a.hcl"], "c.yml", "x: 1"),
        (&["convert", "a.hcl"], "c", "{"),
        (&["eval", "."], "e.json", "{"),
        (&["eval", "."], "e.csv", "address,"),
        (&["eval", "."], "e.txt", "local.a"),
        (&["schema", "spec.hcldec"], "s.md", "# "),
        (&["schema", "spec.hcldec"], "s.rs", "use "),
        (&["decode", "--spec", "spec.hcldec", "a.hcl"], "d.yaml", "1"),
    ] {
        folder.hcl(&[arguments, &["--out", file]].concat()).success();
        let text = folder.read(file);
        assert!(text.trim_start().starts_with(start), "{arguments:?} {file}: {text}");
    }
    // The text of a template is not changed.
    folder.write("t.tftpl", "x${1}\n");
    folder.hcl(&["eval", "--template", "-f", "t.tftpl", "--out", "t.json"]).success();
    assert_eq!(folder.read("t.json"), "x1\n");
    folder.hcl(&["convert", "main.tf", "--out", "copy.tf"]).code(2);
}

#[test]
fn pictures_other_than_svg_are_refused() {
    let folder = Folder::with(&[("main.tf", "locals {\n  a = 1\n}\n")]);
    let said = "error: --out: the graph cannot be written as .png; use .svg, .html, .dot or .mmd\n";
    folder.hcl(&["graph", "--out", "g.png"]).code(2).stderr_eq(said);
    assert!(!folder.path("g.png").exists());
}
