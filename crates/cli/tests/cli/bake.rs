//! `hcl eval` of Bake files: which files are read, what is printed, and what is reported.

use snapbox::str;

use crate::program::Folder;

const FILE: &str =
    "variable \"TAG\" {\n  default = \"latest\"\n}\n\ntarget \"app\" {\n  tags = [\"app:${TAG}\"]\n}\n";

#[test]
fn a_plan_is_printed_as_json() {
    let folder = Folder::with(&[("docker-bake.hcl", FILE)]);
    let printed = str![[r#"
{
  "group": {
    "default": {
      "targets": [
        "app"
      ]
    }
  },
  "target": {
    "app": {
      "context": ".",
      "dockerfile": "Dockerfile",
      "tags": [
        "app:latest"
      ]
    }
  }
}

"#]];
    folder.hcl(&["eval", "docker-bake.hcl", "app"]).code(0).stdout_eq(printed.clone());
    folder.hcl(&["eval", ".", "app"]).code(0).stdout_eq(printed.clone());
    folder.hcl(&["eval", "--language", "bake", "app"]).code(0).stdout_eq(printed);
}

#[test]
fn variables_overrides_and_files_change_a_plan() {
    let folder = Folder::with(&[
        ("docker-bake.hcl", FILE),
        ("docker-bake.override.hcl", "target \"app\" {\n  dockerfile = \"x\"\n}\n"),
        ("more.json", "{\"target\": {\"app\": {\"args\": {\"a\": \"${TAG}\"}}}}"),
    ]);
    let set = ["--set", "*.tags+=extra", "--compact"];
    folder.hcl(&[&["eval", ".", "app", "--var", "TAG=v1"], set.as_slice()].concat()).code(0).stdout_eq(str![[r#"
{"group":{"default":{"targets":["app"]}},"target":{"app":{"context":".","dockerfile":"x","tags":["app:v1","extra"]}}}

"#]]);
    let command = folder
        .command(&[
            "eval",
            "--language",
            "bake",
            "-f",
            "docker-bake.hcl",
            "-f",
            "more.json",
            "app",
            "--compact",
        ])
        .env("TAG", "v2")
        .output()
        .unwrap();
    snapbox::assert_data_eq!(
        String::from_utf8(command.stdout).unwrap(),
        str![[r#"
{"group":{"default":{"targets":["app"]}},"target":{"app":{"context":".","dockerfile":"Dockerfile","args":{"a":"v2"},"tags":["app:v2"]}}}

"#]]
    );
}

#[test]
fn errors_and_ignored_items_are_reported() {
    let folder = Folder::with(&[
        ("docker-bake.hcl", "other {\n}\n\ntarget \"app\" {\n  tag  = [\"x\"]\n  pull = \"maybe\"\n}\n"),
        ("compose.yaml", "services: {}\n"),
    ]);
    folder.hcl(&["eval", ".", "app"]).code(1).stdout_eq("").stderr_eq(str![[r#"
warning[ignored-item]: Ignored item
 |
 = note: compose.yaml is a Compose file. Bake reads it, too, but Compose files are not supported here.

warning[ignored-item]: Ignored item
 --> docker-bake.hcl:5:3
  |
5 |   tag  = ["x"]
  |   ^^^
  |
  = note: `tag` is not an argument of a target. Bake ignores it. Did you mean `tags`?

warning[ignored-item]: Ignored item
 --> docker-bake.hcl:1:1
  |
1 | other {
  | ^^^^^
  |
  = note: Blocks of type `other` are not supported in Bake files. Bake ignores them.

error[invalid-attribute-value]: Incorrect attribute value type
 --> docker-bake.hcl:6:10
  |
6 |   pull = "maybe"
  |          ^^^^^^^
  |
  = note: Invalid value for the argument `pull`: a bool is required.

"#]]);
    let folder = Folder::with(&[("docker-bake.hcl", FILE)]);
    folder.hcl(&["eval", ".", "ap"]).code(1).stderr_eq(str![[r#"
error[unknown-address]: Unknown address
 |
 = note: There is no target or group named `ap`. Did you mean `app`?

"#]]);
    // As in the file.
    folder.hcl(&["eval", ".", "target.app"]).code(1).stderr_eq(str![[r#"
error[unknown-address]: Unknown address
 |
 = note: There is no target or group named `target_app`. Did you mean `app`?

"#]]);
    folder.hcl(&["eval", "."]).code(1).stderr_eq(str![[r#"
error[unknown-address]: Unknown address
 |
 = note: There is no target or group named `default`. Specify targets or groups on the command line: app.

"#]]);
    let groups = "group \"a\" {\n  targets = [\"b\"]\n}\ngroup \"b\" {\n  targets = [\"a\"]\n}\n";
    Folder::with(&[("docker-bake.hcl", groups)]).hcl(&["eval", ".", "a"]).code(1).stderr_eq(str![[r#"
error[unknown-address]: Unknown address
 --> docker-bake.hcl:5:14
  |
5 |   targets = ["a"]
  |              ^^^
  |
  = note: There is no target named `a`, only a group.

"#]]);
    folder.hcl(&["eval", ".", "app", "--set", "app.tag.x=1", "--set", "app.plat=x"]).code(1).stderr_eq(str![
        [r#"
error[invalid-override]: Invalid override
 |
 = note: `--set app.tag.x=1`: the key `tag` has no names below it.

error[invalid-override]: Invalid override
 |
 = note: `--set app.plat=x`: the key `plat` is not supported.

"#]
    ]);
    folder.hcl(&["eval", ".", "app", "--var", "TGA=1"]).code(0).stderr_eq(str![[r#"
warning[undeclared-variable]: Value for undeclared variable
 |
 = note: A value is set with `--var TGA`, but there is no variable named `TGA`. Did you mean `TAG`?

"#]]);
}

#[test]
fn what_is_not_supported_is_an_error() {
    let folder = Folder::with(&[("docker-bake.hcl", FILE)]);
    for (args, why) in [
        (&["eval", ".", "--explain"][..], "--explain"),
        (&["eval", ".", "--output", "table"], "JSON"),
        (&["eval", ".", "--vars", "docker-bake.hcl"], "variable files are not supported for Bake files"),
        (&["eval", "1", "--set", "a.b=c"], "--set"),
        (&["eval", "-f", "docker-bake.hcl", "-f", "docker-bake.hcl"], "several -f"),
        (&["eval", "-f", "docker-bake.hcl", "1 + 1"], "-f and an expression"),
    ] {
        let output = folder.command(args).output().unwrap();
        let problems = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {problems}");
        assert!(problems.contains(why), "{args:?}: {problems}");
    }
}

/// Errors that do not depend on variables, and warnings.
const BROKEN: &str = r#"variable "TAG" {
  default = "latest"
}

variable "unused" {
}

group "default" {
  targets = ["app", "wroker", "${TAG}-more"]
}

target "base" {
  inherits = ["app"]
}

target "app" {
  inherits = ["base", "bsae"]
  contexts = { self = "target:app", other = "target:${TAG}" }
  tags     = [try(nothing, TGA)]
  args     = { a = try(nothing, TAG) }
  platforms = 1
}

target "worker" {
  name     = "worker-${py}"
  matrix   = { py = ["3", "3.13"] }
}
"#;

#[test]
fn checks_of_bake_files_do_not_depend_on_variables() {
    let folder = Folder::with(&[("docker-bake.hcl", BROKEN), ("other.hcl", "a = 1\n")]);
    let expected = str![[r#"
::warning file=docker-bake.hcl,line=5,endLine=5,col=1,endColumn=17,title=Unused declaration [unused-declaration]::Nothing in this directory refers to `unused`.
::error file=docker-bake.hcl,line=9,endLine=9,col=21,endColumn=28,title=Unknown address [unknown-address]::There is no target or group named `wroker`. Did you mean `worker`?
::warning file=docker-bake.hcl,line=13,endLine=13,col=15,endColumn=19,title=Invalid link between targets [invalid-link]::The target `base` inherits from itself. Bake ignores that.
::warning file=docker-bake.hcl,line=17,endLine=17,col=15,endColumn=20,title=Invalid link between targets [invalid-link]::The target `app` inherits from itself. Bake ignores that.
::error file=docker-bake.hcl,line=17,endLine=17,col=23,endColumn=28,title=Unknown address [unknown-address]::There is no target or group named `bsae`. Did you mean `base`?
::error file=docker-bake.hcl,line=18,endLine=18,col=23,endColumn=34,title=Invalid link between targets [invalid-link]::The target `app` uses itself as a context.
::error file=docker-bake.hcl,line=19,endLine=19,col=15,endColumn=18,title=Error in function call [function-failed]::Call to function `try` failed: no expression could be evaluated: at 19:19, There is no variable named `nothing`; at 19:28, There is no variable named `TGA`. Did you mean `TAG`?
::error file=docker-bake.hcl,line=21,endLine=21,col=15,endColumn=15,title=Incorrect attribute value type [invalid-attribute-value]::Invalid value for the argument `platforms`: a list of string is required.
::error file=docker-bake.hcl,line=25,endLine=25,col=14,endColumn=27,title=Invalid name [invalid-name]::`worker-3.13` is not a valid name of a target. Use letters, digits, `_` and `-`.

"#]];
    folder.hcl(&["check", "--report", "github"]).code(1).stdout_eq(expected.clone());
    folder.hcl(&["check", "docker-bake.hcl", "--report", "github"]).code(1).stdout_eq(expected);
    folder.hcl(&["check", "--syntax-only"]).code(0).stdout_eq(str![[r#"
Checked 2 files: no problems found

"#]]);
}

#[test]
fn incomplete_bake_files_are_not_checked() {
    let override_file = ("docker-bake.override.hcl", "target \"app\" {\n  tags = [TAG]\n}\n");
    let folder = Folder::with(&[("docker-bake.hcl", FILE), override_file]);
    folder.hcl(&["check"]).code(0);
    folder.hcl(&["check", "docker-bake.override.hcl"]).code(0);
    // Targets can be in a Compose file, which is not read.
    let inherits = "target \"app\" {\n  inherits = [\"web\"]\n}\n";
    let folder = Folder::with(&[("docker-bake.hcl", inherits), ("compose.yaml", "services: {}\n")]);
    folder.hcl(&["check"]).code(0);
    let folder = Folder::with(&[("docker-bake.hcl", inherits)]);
    folder.hcl(&["check"]).code(1);
}

#[test]
fn names_with_unknown_parts_are_not_reported() {
    let text = "variable \"V\" {\n}\ntarget \"a\" {\n  name   = \"a-${V}-${x}\"\n  matrix = { x = [\"b\"] }\n}\ntarget \"c\" {\n  inherits = [\"a-1-b\"]\n  tags     = [target.a-1-b.name]\n}\n";
    let matrix = "variable \"V\" {\n  default = [\"1\"]\n}\ntarget \"a\" {\n  name   = \"a-${x}\"\n  matrix = { x = V }\n  args   = { x = x }\n}\ntarget \"c\" {\n  inherits = [\"a-1\"]\n}\n";
    for text in [text, matrix] {
        let folder = Folder::with(&[("docker-bake.hcl", text)]);
        folder.hcl(&["check"]).code(0).stdout_eq(str![[r#"
Checked 1 file: no problems found

"#]]);
    }
}

#[test]
fn the_references_of_bake_files_are_printed() {
    let text = "target \"app\" {\n  inherits = [\"base\"]\n  tags     = [image(TAG)]\n}\ntarget \"base\" {\n}\nfunction \"image\" {\n  params = [tag]\n  result = \"${REPO}:${tag}\"\n}\nvariable \"TAG\" {\n}\nREPO = \"app\"\ngroup \"all\" {\n  targets = [\"app\"]\n}\n";
    let folder = Folder::with(&[("docker-bake.hcl", text)]);
    let printed = str![[r#"
flowchart LR
  n0["TAG"]:::role_input
  n1["REPO"]:::role_values
  n2["function.image"]:::role_function
  n3["target.app"]:::role_object
  n4["target.base"]:::role_object
  n5["group.all"]:::role_object
  n2 --> n1
  n3 --> n0
  n3 --> n2
  n3 --> n4
  n5 --> n3
  classDef role_function fill:#f3f4f6
  classDef role_input fill:#dbeafe
  classDef role_object fill:#dcfce7
  classDef role_values fill:#fef9c3

"#]];
    folder.hcl(&["graph", "--output", "mermaid"]).code(0).stdout_eq(printed.clone());
    folder.hcl(&["graph", "--output", "mermaid", "docker-bake.hcl"]).code(0).stdout_eq(printed);
}

#[test]
fn the_console_sees_the_names_of_bake_files() {
    let text = "function \"image\" {\n  params = [name]\n  result = \"${name}:${TAG}\"\n}\n";
    let folder = Folder::with(&[("docker-bake.hcl", &format!("{FILE}{text}"))]);
    let input =
        "TAG\nimage(\"x\")\ntarget.app.tags\n:type target.app.tags\ntype(TAG)\n:vars\ntarget.missing\n";
    let output = folder.command(&["console", ".", "--var", "TAG=v2"]).stdin(input).assert();
    output
        .code(1)
        .stdout_eq(str![[r#"
"v2"
"x:v2"
["app:v2"]
list(string)
string
BAKE_CMD_CONTEXT       = "cwd://"
BAKE_LOCAL_PLATFORM    = "[..]"
TAG                    = "v2"
target.app.attest      = []
target.app.cache-from  = []
target.app.cache-to    = []
target.app.description = ""
target.app.name        = "app"
target.app.output      = []
target.app.policy      = []
target.app.secret      = []
target.app.ssh         = []
target.app.tags        = ["app:v2"]

"#]])
        .stderr_eq(str![[r#"
error[unknown-variable]: Unknown variable
 --> <stdin>:7:7
  |
7 | target.missing
  |       ^^^^^^^^
  |
  = note: `target.missing` is not defined.

"#]]);
}

/// What CI calls: a file beside the one that other tools write, and files of any name.
#[test]
fn files_of_any_name_and_syntax() {
    let folder = Folder::with(&[
        ("docker-bake.hcl", "target \"meta\" {}\ntarget \"default\" {\n  inherits = [\"meta\"]\n}\n"),
        ("metadata.json", "{\"target\": {\"meta\": {\"tags\": [\"app:1\"]}}}"),
        ("std/docker-bake.json", "{\"target\": {\"default\": {\"tags\": [\"app:2\"]}}}"),
        ("release.hcl", "target \"default\" {\n  tags     = [NOPE]\n  inherits = [\"gone\"]\n}\n"),
    ]);
    let files = ["eval", "--language", "bake", "-f", "docker-bake.hcl", "-f", "metadata.json"];
    let output = folder.command(&files).output().unwrap();
    let plan: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(plan["target"]["default"]["tags"][0], "app:1");
    let output = folder.command(&["eval", "std/docker-bake.json"]).output().unwrap();
    let plan: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(plan["target"]["default"]["tags"][0], "app:2");

    folder.hcl(&["check", "--language", "bake", "docker-bake.hcl", "metadata.json"]).success();
    let check = ["check", "--language", "bake", "--report", "json", "release.hcl"];
    let output = folder.command(&check).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let codes: Vec<_> =
        report["diagnostics"].as_array().unwrap().iter().map(|found| &found["code"]).collect();
    assert_eq!(codes, ["unknown-variable", "unknown-address"]);
}

#[test]
fn calls_are_references_to_functions() {
    let text = "function \"img\" {\n  params = [name]\n  result = upper(\"${name}-${lower(name)}\")\n}\ntarget \"default\" {\n  tags = [img(\"app\"), \"${img(img)}-img\"]\n}\n";
    let json = r#"{"target": {"x": {"tags": ["${img(\"app\")}", "img(\"x\")"]}}}"#;
    let folder = Folder::with(&[("docker-bake.hcl", text), ("docker-bake.override.json", json)]);
    folder.hcl(&["refs", "function.img", "."]).success().stdout_eq(str![[r#"
docker-bake.hcl:1:10: function.img (declaration)
docker-bake.hcl:6:11: target.default.tags[0]
docker-bake.hcl:6:26: target.default.tags[1]
docker-bake.override.json:1:31: target.x.tags[0]

"#]]);
    folder.hcl(&["rename", "function.img", "image", ".", "--write"]).success();
    assert_eq!(
        folder.read("docker-bake.hcl"),
        text.replace("\"img\"", "\"image\"").replace("img(", "image(")
    );
    assert_eq!(folder.read("docker-bake.override.json"), json.replace("${img(", "${image("));
}
