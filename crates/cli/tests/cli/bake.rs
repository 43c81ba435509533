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
    snapbox::assert_data_eq!(String::from_utf8(command.stdout).unwrap(), str![""]);
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
  = note: Bake has no blocks of the type `other` and ignores them.

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
    folder.hcl(&["eval", "."]).code(1).stderr_eq(str![[r#"
error[unknown-address]: Unknown address
 |
 = note: There is no target or group named `default`. Specify targets or groups on the command line: app.

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
        (&["eval", ".", "--vars", "docker-bake.hcl"], "Bake has no files of variables"),
        (&["eval", "1", "--set", "a.b=c"], "--set"),
        (&["eval", "-f", "docker-bake.hcl", "-f", "docker-bake.hcl"], "several -f"),
        (&["eval", "-f", "docker-bake.hcl", "1 + 1"], "-f and an expression"),
        (&["graph", ".", "--language", "bake"], "only supported by hcl eval"),
    ] {
        let output = folder.command(args).output().unwrap();
        let problems = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {problems}");
        assert!(problems.contains(why), "{args:?}: {problems}");
    }
}
