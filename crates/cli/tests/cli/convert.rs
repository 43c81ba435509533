//! `hcl convert`: shapes, static attributes, several files, and errors. Tests of `hclkit` check that the meaning is
//! kept.

use crate::program::Folder;
use snapbox::str;

fn convert(args: &[&str], input: &str) -> String {
    let output =
        Folder::with(&[]).command(&["convert", "--compact", "-"]).args(args).stdin(input).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

#[test]
fn a_file() {
    let folder = Folder::with(&[(
        "main.tf",
        r#"# The comment goes.
resource "aws_instance" "web" {
  ami   = "ami-123"
  count = var.enabled ? 2 : 0
  tags = {
    Name          = "web-${var.env}"
    "${var.team}" = true
  }
  user_data = <<-EOT
    echo $${HOME} ${var.env}
  EOT
  ebs_block_device {
    size = 10.50
  }
}
"#,
    )]);
    folder
        .hcl(&["convert", "main.tf"])
        .success()
        .stdout_eq(str![[r#"
{
  "resource": {
    "aws_instance": {
      "web": [
        {
          "ami": "ami-123",
          "count": "${var.enabled ? 2 : 0}",
          "tags": {
            "Name": "web-${var.env}",
            "${var.team}": true
          },
          "user_data": "echo $${HOME} ${var.env}\n",
          "ebs_block_device": [
            {
              "size": 10.50
            }
          ]
        }
      ]
    }
  }
}

"#]])
        .stderr_eq(str![]);
    folder.hcl_reading(&["convert"], "a = 1\n").success().stdout_eq("{\n  \"a\": 1\n}\n".to_owned());
}

#[test]
fn blocks_become_arrays_always_or_if_repeated() {
    let text = "a {}\nb \"x\" {\n  v = 1\n}\nb \"y\" {}\nb \"x\" {}\nc \"l\" \"m\" {}\n";
    let arrays = r#"{"a":[{}],"b":{"x":[{"v":1},{}],"y":[{}]},"c":{"l":{"m":[{}]}}}"#;
    let compact = r#"{"a":{},"b":{"x":[{"v":1},{}],"y":{}},"c":{"l":{"m":{}}}}"#;
    assert_eq!(convert(&[], text), arrays);
    assert_eq!(convert(&["--shape", "arrays"], text), arrays);
    assert_eq!(convert(&["--shape", "compact"], text), compact);
}

#[test]
fn blocks_keep_their_order_if_requested() {
    let steps = "p \"a\" {}\np \"b\" {}\np \"a\" {}\n";
    let in_order = r#"[{"a":[{}]},{"b":[{}]},{"a":[{}]}]"#;
    let by_label = r#"{"a":[{},{}],"b":[{}]}"#;
    assert_eq!(convert(&[], steps), format!(r#"{{"p":{by_label}}}"#));
    assert_eq!(convert(&["--ordered", "p,q"], steps), format!(r#"{{"p":{in_order}}}"#));
    assert_eq!(convert(&[], &format!("r {{\n{steps}}}\n")), format!(r#"{{"r":[{{"p":{in_order}}}]}}"#));
    assert_eq!(convert(&[], "r {\n p \"a\" {}\n p \"b\" {}\n}\n"), r#"{"r":[{"p":{"a":[{}],"b":[{}]}}]}"#);
}

#[test]
fn static_attributes_keep_their_source_text() {
    let text = "type = list(string)\nr {\n  type = [a.b, \"$${x}\", 1, null]\n  other = { a = x, \"b\" = a.b[\"c\"] }\n}\n";
    assert_eq!(
        convert(&[], text),
        r#"{"type":"${list(string)}","r":[{"type":["${a.b}","$${x}",1,null],"other":{"a":"${x}","b":"${a.b[\"c\"]}"}}]}"#
    );
    assert_eq!(
        convert(&["--static", "type,other"], text),
        r#"{"type":"list(string)","r":[{"type":["a.b","${x}",1,null],"other":{"a":"x","b":"a.b[\"c\"]"}}]}"#
    );
    assert_eq!(
        convert(&["--static", "r.type"], text),
        r#"{"type":"${list(string)}","r":[{"type":["a.b","${x}",1,null],"other":{"a":"${x}","b":"${a.b[\"c\"]}"}}]}"#
    );
    assert_eq!(
        convert(&["--static", "r.*"], text),
        r#"{"type":"${list(string)}","r":[{"type":["a.b","${x}",1,null],"other":{"a":"x","b":"a.b[\"c\"]"}}]}"#
    );
}

#[test]
fn profiles_have_static_attributes() {
    let text = r#"variable "v" {
  type    = map(string)
  default = "$${x}"
}
resource "r" "n" {
  type       = var.type
  depends_on = [a.b, module.c["d"]]
  provider   = aws.west
  lifecycle {
    ignore_changes = [tags["x"]]
  }
  provisioner "local-exec" {
    when = destroy
  }
}
module "m" {
  providers = { aws = aws.west, aws.x = aws.y }
}
moved {
  from = a.b
  to   = a.c
}
"#;
    snapbox::assert_data_eq!(
        convert(&["--language", "terraform"], text),
        str![[
            r#"{"variable":{"v":[{"type":"map(string)","default":"${x}"}]},"resource":{"r":{"n":[{"type":"${var.type}","depends_on":["a.b","module.c[/"d/"]"],"provider":"aws.west","lifecycle":[{"ignore_changes":["tags[/"x/"]"]}],"provisioner":{"local-exec":[{"when":"destroy"}]}}]}},"module":{"m":[{"providers":{"aws":"aws.west","aws.x":"aws.y"}}]},"moved":[{"from":"a.b","to":"a.c"}]}"#
        ]]
    );
    assert_eq!(
        convert(&["--language", "packer"], "variable \"v\" {\n  type = string\n}\n"),
        r#"{"variable":{"v":[{"type":"string"}]}}"#
    );
    assert_eq!(
        convert(&["--language", "nomad"], "variable \"v\" {\n  type    = string\n  default = \"$${x}\"\n}\n"),
        r#"{"variable":{"v":[{"type":"string","default":"${x}"}]}}"#
    );
    let bake = r#"variable "v" {
  type    = list(string)
  default = ["$${x}", y]
}
function "f" {
  params          = [a, b]
  variadic_params = rest
  result          = a + b
}
target "t" {
  args = { v = f(1, 2) }
}
"#;
    assert_eq!(
        convert(&["--language", "docker-bake"], bake),
        r#"{"variable":{"v":[{"type":"list(string)","default":["$${x}","${y}"]}]},"function":{"f":[{"params":["a","b"],"variadic_params":"rest","result":"${a + b}"}]},"target":{"t":[{"args":{"v":"${f(1, 2)}"}}]}}"#
    );
}

#[test]
fn profiles_follow_file_names() {
    let text = "variable \"v\" {\n  type = string\n}\n";
    let bare = "{\"variable\":{\"v\":[{\"type\":\"string\"}]}}\n";
    let evaluated = "{\"variable\":{\"v\":[{\"type\":\"${string}\"}]}}\n";
    let names = [
        ("a.tf", bare),
        ("A.TF", bare),
        ("a.pkr.hcl", bare),
        ("a.nomad", bare),
        ("a.nomad.hcl", bare),
        ("docker-bake.hcl", bare),
        ("a.hcl", evaluated),
        ("bake.hcl", evaluated),
    ];
    for (name, expected) in names {
        let folder = Folder::with(&[(name, text)]);
        folder.hcl(&["convert", "--compact", name]).success().stdout_eq(expected.to_owned());
        let refused = ["convert", "--compact", "--language", "none", name];
        folder.hcl(&refused).success().stdout_eq(evaluated.to_owned());
    }

    // An explicit profile takes precedence: only Terraform reads `depends_on` statically.
    let folder = Folder::with(&[("a.tf", "module \"m\" {\n  depends_on = [a.b]\n}\n")]);
    folder.hcl(&["convert", "--compact", "a.tf"]).success().stdout_eq(str![[r#"
{"module":{"m":[{"depends_on":["a.b"]}]}}

"#]]);
    folder.hcl(&["convert", "--compact", "--language", "nomad", "a.tf"]).success().stdout_eq(str![[r#"
{"module":{"m":[{"depends_on":["${a.b}"]}]}}

"#]]);
}

/// The blocks of all files of a language are known, those of queries and tests too.
#[test]
fn blocks_of_other_kinds_of_files_are_known() {
    let list = r#"{"list": {"aws_instance": {"web": {"provider": "aws", "config": {"region": "eu"}}}}}"#;
    let block =
        "list \"aws_instance\" \"web\" {\n  provider = aws\n\n  config {\n    region = \"eu\"\n  }\n}\n";
    let inputs =
        r#"{"terraform": {"source": "./m"}, "inputs": {"a": 1}, "include": {"root": {"path": "x"}}}"#;
    let cases = [
        ("a.tfquery.json", list, block),
        ("a.tf.json", list, block),
        (
            "a.tftest.json",
            r#"{"run": {"one": {"command": "plan", "assert": [{"condition": "${true}"}]}}}"#,
            "run \"one\" {\n  command = plan\n\n  assert {\n    condition = true\n  }\n}\n",
        ),
        (
            "terragrunt.hcl.json",
            inputs,
            "terraform {\n  source = \"./m\"\n}\n\ninputs = { a = 1 }\n\ninclude \"root\" {\n  path = \"x\"\n}\n",
        ),
    ];
    for (name, json, native) in cases {
        let found =
            Folder::with(&[(name, json)]).command(&["convert", "--to", "hcl", name]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&found.stderr), "", "{name}");
        assert_eq!(String::from_utf8_lossy(&found.stdout), native, "{name}");
    }
}

/// A custom table says which blocks a language has. Its errors are reported.
#[test]
fn a_language_can_be_a_file() {
    let table =
        "name = \"shop\"\nblock \"item\" {\n  labels  = [\"name\"]\n  strings = { kind = \"source\" }\n}\n";
    let folder = Folder::with(&[
        ("shop.hcl", table),
        ("wrong.hcl", "name = \"shop\"\nblock \"item\" {\n  strings = { kind = \"sauce\" }\n}\n"),
        ("a.json", r#"{"item": {"tea": {"kind": "fruit.apple", "size": [{"a": 1}]}}}"#),
    ]);
    let words = ["convert", "--to", "hcl", "--language"];
    folder.hcl(&[&words[..], &["shop.hcl", "a.json"]].concat()).success().stdout_eq(str![[r#"
item "tea" {
  kind = fruit.apple
  size = [{ a = 1 }]
}

"#]]);
    let found = folder.hcl(&[&words[..], &["wrong.hcl", "a.json"]].concat()).code(1).stdout_eq(str![]);
    let errors = String::from_utf8_lossy(&found.get_output().stderr).into_owned();
    assert!(errors.contains("wrong.hcl:3:") && errors.contains("`source`"), "{errors}");
}

#[test]
fn merged_files_have_one_profile() {
    let variable = "variable \"v\" {\n  type = string\n}\n";
    let folder = Folder::with(&[("a.tf", "x = 1\n"), ("b.hcl", variable), ("c.nomad", "y = 2\n")]);
    folder.hcl(&["convert", "--compact", "--merge", "b.hcl", "a.tf"]).success().stdout_eq(str![[r#"
{"variable":{"v":[{"type":"string"}]},"x":1}

"#]]);
    let files = ["convert", "--compact", "--merge", "a.tf", "b.hcl", "c.nomad"];
    folder.hcl(&files).code(2).stdout_eq(str![]).stderr_eq(str![[r#"
error: a.tf and c.nomad belong to different applications; choose one with `--language`, or use `--language hcl`

"#]]);
    folder.hcl(&[&files[..], &["--language", "none"]].concat()).success().stdout_eq(str![[r#"
{"x":1,"variable":{"v":[{"type":"${string}"}]},"y":2}

"#]]);
}

#[test]
fn files_of_values_are_not_evaluated_by_terraform() {
    let folder = Folder::with(&[("a.tfvars", "a = \"$${x}\"\n"), ("a.tf", "a = \"$${x}\"\n")]);
    folder.hcl(&["convert", "--compact", "a.tfvars", "a.tf"]).success().stdout_eq(str![[r#"
{"a.tfvars":{"a":"${x}"},"a.tf":{"a":"$${x}"}}

"#]]);
}

#[test]
fn several_files_are_properties_or_merged() {
    let folder = Folder::with(&[("a.hcl", "x = 1\nb {}\n"), ("b.hcl", "b {\n  y = 2\n}\n")]);
    folder.hcl(&["convert", "--compact", "a.hcl", "b.hcl"]).success().stdout_eq(str![[r#"
{"a.hcl":{"x":1,"b":[{}]},"b.hcl":{"b":[{"y":2}]}}

"#]]);
    folder.hcl(&["convert", "--compact", "--merge", "a.hcl", "b.hcl"]).success().stdout_eq(str![[r#"
{"x":1,"b":[{},{"y":2}]}

"#]]);
    folder.hcl_reading(&["convert", "--compact", "b.hcl", "-"], "z = 1\n").success().stdout_eq(str![[r#"
{"b.hcl":{"b":[{"y":2}]},"<stdin>":{"z":1}}

"#]]);
}

#[test]
fn names_that_clash_are_errors() {
    let text = "a = 1\na {}\nb {}\nb \"x\" {}\nc {\n  d {}\n  d = 1\n}\ne \"1\" {}\ne \"1\" \"2\" {}\n";
    let folder = Folder::with(&[("main.hcl", text), ("other.hcl", "a = 2\n")]);
    folder.hcl(&["convert", "main.hcl"]).code(1).stdout_eq(str![]).stderr_eq(str![[r#"
error[attribute-and-block]: Attribute and block with the same name
 --> main.hcl:2:1
  |
1 | a = 1
  | - defined as an attribute here
2 | a {}
  | ^
  |
  = note: `a` is both an attribute and a block. In JSON, both would be the same property.

error[label-count]: Inconsistent number of labels
 --> main.hcl:4:1
  |
3 | b {}
  | - first block here
4 | b "x" {}
  | ^
  |
  = note: This `b` block has one label, but the first `b` block has no labels. JSON cannot distinguish labels from names in a body.

error[attribute-and-block]: Attribute and block with the same name
 --> main.hcl:7:3
  |
6 |   d {}
  |   - defined as a block here
7 |   d = 1
  |   ^
  |
  = note: `d` is both an attribute and a block. In JSON, both would be the same property.

error[label-count]: Inconsistent number of labels
  --> main.hcl:10:1
   |
 9 | e "1" {}
   | - first block here
10 | e "1" "2" {}
   | ^
   |
   = note: This `e` block has 2 labels, but the first `e` block has one label. JSON cannot distinguish labels from names in a body.

"#]]);
    folder.write("main.hcl", "a = 1\n");
    folder.hcl(&["convert", "--merge", "main.hcl", "other.hcl"]).code(1).stdout_eq(str![]).stderr_eq(str![[
        r#"
error[duplicate-attribute]: Attribute redefined
 --> other.hcl:1:1
  |
1 | a = 2
  | ^
  |
 ::: main.hcl:1:1
  |
1 | a = 1
  | - first set here
  |
  = note: `a` is set twice. In JSON, it can be set only once in a body.

"#
    ]]);
}

#[test]
fn files_with_errors_are_not_converted() {
    let folder = Folder::with(&[("main.hcl", "a = [1 2]\n"), ("fine.hcl", "a = 1\n")]);
    folder.hcl(&["convert", "fine.hcl", "main.hcl"]).code(1).stdout_eq(str![]).stderr_eq(str![[r#"
error[missing-separator]: Missing item separator
 --> main.hcl:1:8
  |
1 | a = [1 2]
  |        ^
  |
  = note: Tuple elements must be separated by commas.
help: Add a comma
  |
1 | a = [1, 2]
  |       +

"#]]);
    folder.hcl(&["convert", "fine.hcl", "none.hcl"]).code(2).stdout_eq(str![]).stderr_eq(str![[r#"
error: cannot read none.hcl: No such file or directory (os error 2)

"#]]);
    folder.hcl(&["convert", "fine.hcl", "x.tf.json"]).code(2).stderr_eq(str![[r#"
error: x.tf.json is JSON already; use --to hcl or --to yaml

"#]]);
    folder.hcl(&["convert", "."]).code(1);
}

#[test]
fn invalid_usage() {
    let folder = Folder::with(&[("a.hcl", "a = 1\n")]);
    folder.hcl(&["convert", "a.hcl", "a.hcl"]).code(2).stderr_eq(str![[r#"
error: a.hcl is specified twice

"#]]);
    folder.hcl(&["convert", "--out", "./a.hcl", "a.hcl"]).code(2).stderr_eq(str![[r#"
error: the output would overwrite the input file a.hcl

"#]]);
    folder.write("b.json", "{}");
    folder.hcl(&["convert", "--to", "json", "b.json"]).code(2).stderr_eq(str![[r#"
error: b.json is JSON already; use --to hcl or --to yaml

"#]]);
    folder.hcl(&["convert", "--to", "hcl", "a.hcl"]).code(2).stderr_eq(str![[r#"
error: a.hcl is in the native syntax already; use --from json or --to json

"#]]);
    folder.write("c.json", "{}");
    folder.hcl(&["convert", "b.json", "c.json"]).code(2).stderr_eq(str![[r#"
error: several files can be converted to HCL only as one configuration, with --merge

"#]]);
    folder.hcl(&["convert", "--blocks", "a=x", "b.json"]).code(2);
    folder.hcl(&["convert", "--language", "puppet", "a.hcl"]).code(2);
    assert_eq!(folder.read("a.hcl"), "a = 1\n");
}

#[test]
fn output_goes_to_a_file() {
    let folder = Folder::with(&[("a.hcl", "a = 1\n"), ("old.json", "old")]);
    folder
        .hcl(&["convert", "a.hcl", "--out", "new.json"])
        .success()
        .stdout_eq("new.json: converted 1 file\n");
    assert_eq!(folder.read("new.json"), "{\n  \"a\": 1\n}\n");
    folder.hcl(&["convert", "a.hcl", "--out", "old.json", "--compact"]).success();
    assert_eq!(folder.read("old.json"), "{\"a\":1}\n");
    folder.hcl(&["convert", "a.hcl", "--out", "none/x.json"]).code(2).stderr_eq(str![[r#"
error: cannot write none/x.json: No such file or directory (os error 2)

"#]]);
}

#[test]
fn deep_nesting_is_converted_or_reported() {
    let blocks = format!("{}{}", "b {\n".repeat(900), "}\n".repeat(900));
    assert_eq!(convert(&[], &blocks).matches("\"b\"").count(), 900);
    let chain = format!("a = {}1\n", "1+".repeat(100_000));
    assert_eq!(convert(&[], &chain).len(), 200_000 + 12);
    let labels = format!("b {} {{}}\n", "\"x\" ".repeat(3_000));
    Folder::with(&[]).hcl_reading(&["convert"], &labels).code(1);
}

#[test]
fn other_files_are_converted_with_keep_going() {
    let folder =
        Folder::with(&[("a.hcl", "a = 1\n"), ("b.hcl", "b = \n"), ("d.hcl", "d = [\"\u{202e}\"]\n")]);
    let files = ["a.hcl", "b.hcl", "c.hcl", "d.hcl"];
    let expected = "{\n  \"a.hcl\": {\n    \"a\": 1\n  },\n  \"d.hcl\": {\n    \"d\": [\n      \"\\u202e\"\n    ]\n  }\n}\n";
    let output = folder.command(&["convert", "--keep-going"]).args(files).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("b.hcl:1:5") && errors.contains("cannot read c.hcl"), "{errors}");
    folder.command(&["convert", "--keep-going", "--out", "all.json"]).args(files).output().unwrap();
    assert_eq!(folder.read("all.json"), expected);
    // Without it nothing is written, and all problems are reported.
    let output = folder.command(&["convert", "--out", "none.json"]).args(files).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), errors);
    assert!(output.stdout.is_empty() && !folder.path("none.json").exists());
    folder.hcl(&["convert", "--keep-going", "--compact", "b.hcl", "c.hcl"]).code(2).stdout_eq("{}\n");
}

#[test]
fn many_files_are_in_order() {
    let files: Vec<(String, String)> =
        (0..300).map(|index| (format!("{index}.hcl"), format!("a = {index}\n"))).collect();
    let all: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = Folder::with(&all);
    let names = files.iter().map(|(name, _)| name);
    let output = folder.command(&["convert", "--compact"]).args(names).output().unwrap();
    let properties = (0..300).map(|index| format!("\"{index}.hcl\":{{\"a\":{index}}}"));
    let expected = format!("{{{}}}\n", properties.collect::<Vec<_>>().join(","));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn yaml_keeps_the_order_and_quotes_what_needs_quotes() {
    let text = "service \"web\" {\n  zone = var.z\n  host = \"web\"\n  up   = \"yes\"\n  day  = \"2014-12-31\"\n  text = \"a\\nb\\n\"\n  list = [1, \"1\", null, [], {}]\n}\n";
    let folder =
        Folder::with(&[("a.hcl", text), ("b.json", "{\"z\": {\"a\": 1.50}, \"b\": [true, \"${x}\"]}")]);
    folder.hcl(&["convert", "--to", "yaml", "a.hcl"]).success().stdout_eq(str![[r#"
service:
  web:
  - zone: "${var.z}"
    host: web
    up: "yes"
    day: "2014-12-31"
    text: |
      a
      b
    list:
    - 1
    - "1"
    - null
    - []
    - {}

"#]]);
    folder.hcl(&["convert", "--to", "yaml", "b.json"]).success().stdout_eq(str![[r#"
z:
  a: 1.50
b:
- true
- "${x}"

"#]]);
    folder.hcl(&["convert", "--to", "yaml", "--out", "b.yaml", "b.json"]).success();
    folder.hcl(&["convert", "--to", "json", "--compact", "b.yaml"]).success().stdout_eq(str![[r#"
{"z":{"a":1.5},"b":[true,"${x}"]}

"#]]);
    folder.hcl(&["convert", "--to", "yaml", "a.hcl", "b.json"]).success().stdout_eq(str![[r#"
a.hcl:
  service:
    web:
    - zone: "${var.z}"
      host: web
      up: "yes"
      day: "2014-12-31"
      text: |
        a
        b
      list:
      - 1
      - "1"
      - null
      - []
      - {}
b.json:
  z:
    a: 1.50
  b:
  - true
  - "${x}"

"#]]);
    folder.hcl(&["convert", "--to", "yaml", "--merge", "a.hcl", "b.json"]).code(2).stderr_eq(str![[r#"
error: b.json is not in the native syntax and cannot be merged

"#]]);
    folder.write("c.json", "{\"a\": }");
    folder.hcl(&["convert", "--to", "yaml", "c.json"]).code(1);
}

#[test]
fn what_yaml_cannot_hold_is_an_error() {
    let folder = Folder::with(&[
        ("twice.json", r#"{"a": {"b": 1, "b": 2}}"#),
        ("good.json", r#"{"a": [1]}"#),
        ("many.json", &format!("[{}0]", "0,".repeat(5_000))),
    ]);
    folder.hcl(&["convert", "--to", "yaml", "twice.json"]).code(1).stdout_eq(str![]).stderr_eq(str![[r#"
error[duplicate-key]: Duplicate object key
 --> twice.json:1:16
  |
1 | {"a": {"b": 1, "b": 2}}
  |                ^^^
  |
  = note: The property `b` is already set in this object.

"#]]);
    folder
        .hcl(&["convert", "--to", "yaml", "--max-elements", "9000", "many.json"])
        .code(2)
        .stdout_eq(str![])
        .stderr_eq(str![[r#"
error[too-many-elements]: Too many elements
[..]
...
"#]]);
    folder.hcl(&["convert", "--to", "yaml", "--max-elements", "11000", "many.json"]).success();
    let several = ["convert", "--to", "yaml", "twice.json", "good.json"];
    folder.hcl(&several).code(1).stdout_eq(str![]);
    let all = [&several[..], &["--keep-going"]].concat();
    folder.hcl(&all).code(1).stdout_eq("good.json:\n  a:\n  - 1\n");
    let query = ["query", "--output", "yaml", "--max-elements", "9000", "[0]", "many.json"];
    folder.hcl(&query).success().stdout_eq("- 0\n");
}

#[test]
fn errors_are_in_the_yaml() {
    let folder = Folder::with(&[("a.yaml", "name: web\nports: [80, 443\nother: é\n"), ("b.yaml", "a: 1\n")]);
    let expected = str![[r#"
error[invalid-yaml]: Invalid YAML
 --> a.yaml:3:6
  |
3 | other: é
  |      ^
  |
  = note: Illegal placement of ':' indicator.

"#]];
    for command in [&["convert", "--to", "hcl"][..], &["convert", "--to", "json"]] {
        let run = folder.hcl(&[command, &["a.yaml"]].concat()).code(1).stdout_eq(str![]);
        run.stderr_eq(expected.clone());
    }
    let both = ["convert", "--to", "json", "--keep-going", "a.yaml", "b.yaml"];
    folder.hcl(&both).code(1).stderr_eq(expected);
}

#[test]
fn yaml_has_the_order_of_json() {
    let folder = Folder::with(&[
        ("m.tf", "output \"z\" {\n  value = 1\n}\noutput \"a\" {\n  value = 2\n}\n"),
        ("b.hcl", "z = 1\nc {\n  d = 2\n}\na = 3\n"),
        ("b.json", r#"{"z": 1, "a": 3}"#),
    ]);
    for command in [&["eval", "."][..], &["eval", "--file", "b.hcl"], &["eval", "--file", "b.json"]] {
        let names = |output: &str| -> Vec<String> {
            let found = folder.hcl(&[command, &["--output", output]].concat()).success();
            let text = String::from_utf8(found.get_output().stdout.clone()).unwrap();
            let json: serde_json::Value = match output {
                "yaml" => {
                    let names = text.lines().filter(|line| !line.starts_with([' ', '-']));
                    return names.map(|line| line.split(':').next().unwrap().to_owned()).collect();
                }
                _ => serde_json::from_str(&text).unwrap(),
            };
            let mut names: Vec<_> = json.as_object().unwrap().keys().cloned().collect();
            names.sort_by_key(|name| text.find(&format!("\"{name}\":")));
            names
        };
        let expected = names("json");
        assert!(expected.len() > 1, "{command:?}");
        assert_eq!(names("yaml"), expected, "{command:?}");
    }
}

#[test]
fn json_and_yaml_become_native() {
    let json = r#"{"//": "The shop.", "service": {"web": {"image": "${var.image}", "check": {"path": "/"}, "tags": {"a": "b-${c}"}}}}"#;
    let yaml = "# YAML comments go.\nname: 'web'\nservice:\n  web:\n  - port: 80\n    tags: [a, '${b}']\n";
    let spec = r#"
object {
  block_map "service" {
    block_type = "service"
    labels     = ["name"]

    object {
      attr "image" {
        type = string
      }
      attr "tags" {
        type = any
      }
      block "check" {
        object {
          attr "path" {
            type = string
          }
        }
      }
    }
  }
}
"#;
    let folder = Folder::with(&[("web.json", json), ("web.yaml", yaml), ("spec.hcldec", spec)]);
    folder.hcl(&["convert", "--spec", "spec.hcldec", "web.json"]).success().stdout_eq(str![[r#"
# The shop.
service "web" {
  image = var.image

  check {
    path = "/"
  }

  tags = { a = "b-${c}" }
}

"#]]);
    folder.hcl(&["convert", "--to", "hcl", "web.json"]).success().stdout_eq(str![[r#"
# The shop.
service = {
  web = { image = var.image, check = { path = "/" }, tags = { a = "b-${c}" } }
}

"#]]);
    folder
        .hcl(&["convert", "--literal", "--blocks", "service=1,check", "--out", "web.hcl", "web.json"])
        .success();
    assert_eq!(
        folder.read("web.hcl"),
        "# The shop.\nservice \"web\" {\n  image = \"$${var.image}\"\n\n  check {\n    path = \"/\"\n  }\n\n  tags = { a = \"b-$${c}\" }\n}\n"
    );
    folder.hcl(&["convert", "web.yaml"]).success().stdout_eq(str![[r#"
name = "web"

service "web" {
  port = 80
  tags = ["a", b]
}

"#]]);
    folder.hcl_reading(&["convert", "--from", "yaml", "-"], "a: [").code(1).stdout_eq(str![]);
    folder.hcl_reading(&["convert", "--spec", "spec.hcldec", "--from", "json"], r#"{"servce": {}}"#).code(1);
}

#[test]
fn the_name_of_standard_input_chooses_the_language() {
    let text = "variable \"a\" {\n  type = list(string)\n}\n";
    let folder = Folder::with(&[("v.tf", text)]);
    let json = folder.hcl(&["convert", "--compact", "v.tf"]);
    let json = String::from_utf8_lossy(&json.get_output().stdout).into_owned();
    folder.hcl_reading(&["convert", "--compact", "--stdin-name", "v.tf", "-"], text).stdout_eq(json.clone());
    folder.hcl_reading(&["convert", "--stdin-name", "v.tf.json", "-"], &json).stdout_eq(text.to_owned());
    let values = ("prod.tfvars", "a = \"${x}\"\n");
    let converted = Folder::with(&[values]).hcl(&["convert", "--compact", values.0]);
    let expected = String::from_utf8_lossy(&converted.get_output().stdout).into_owned();
    folder
        .hcl_reading(&["convert", "--compact", "--stdin-name", values.0, "-"], values.1)
        .stdout_eq(expected);
}

#[test]
fn errors_in_yaml_are_at_their_places_there() {
    let text = "ü: 1\nb:\n  - ok\n  - \"x ${ y\"\n  - |\n    a\n    %{ nope }\n";
    let folder = Folder::with(&[("a.yaml", text)]);
    let output = folder.command(&["convert", "a.yaml"]).output().unwrap();
    let found = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(found.contains("--> a.yaml:4:8\n") && found.contains("4 |   - \"x ${ y\""), "{found}");
    assert!(found.contains("--> a.yaml:6:5\n") && found.contains("%{ nope }"), "{found}");
    // A fix would change another text.
    assert!(!found.contains("help:"), "{found}");
}

/// The name of the output counts, if that of the input says nothing.
#[test]
fn the_name_of_the_output_is_that_of_a_language() {
    let folder = Folder::with(&[
        ("v.yaml", "region: eu\nsubnets:\n  - name: a\nnote: \"pays ${x}\"\n"),
        ("v.json", "{\"region\": \"eu\", \"note\": \"%{if}\", \"disks\": [{\"a\": 1}]}\n"),
        ("m.yaml", "locals:\n  - a: \"${var.b}\"\n"),
    ]);
    folder.hcl(&["convert", "--out", "v.tfvars", "v.yaml"]).success();
    assert_eq!(
        folder.read("v.tfvars"),
        "region  = \"eu\"\nsubnets = [{ name = \"a\" }]\nnote    = \"pays $${x}\"\n"
    );
    folder.hcl(&["convert", "--out", "v.auto.pkrvars.hcl", "v.json"]).success();
    folder
        .hcl(&["eval", "-f", "v.auto.pkrvars.hcl", "--output", "json", "--compact"])
        .success()
        .stdout_eq("{\"region\":\"eu\",\"note\":\"%{if}\",\"disks\":[{\"a\":1}]}\n");
    folder.hcl(&["convert", "--out", "m.tf", "m.yaml"]).success();
    assert_eq!(folder.read("m.tf"), "locals {\n  a = var.b\n}\n");
    // Without a name, it is any HCL.
    folder.hcl(&["convert", "v.yaml"]).success();
}
