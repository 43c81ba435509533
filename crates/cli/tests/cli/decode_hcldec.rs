//! The program `hcldec`: the reference's flags, JSON diagnostics and exit codes.

use crate::program::Folder;
use snapbox::cmd::{Command, OutputAssert};
use snapbox::str;

const SPEC: &str =
    "object {\n  attr \"a\" {\n    type = any\n  }\n  attr \"b\" {\n    type = number\n  }\n}\n";

fn folder() -> Folder {
    Folder::with(&[
        ("s.hcldec", SPEC),
        ("c.hcl", "a = { x = null, y = [null, 1.50] }\n"),
        ("v.hcl", "b = var.x[0].y\n"),
        ("bad.hcl", "a = 1\nc = 2\n"),
    ])
}

fn hcldec(folder: &Folder, args: &[&str], input: &str) -> OutputAssert {
    let exact = snapbox::Assert::new().action_env(snapbox::assert::DEFAULT_ACTION_ENV).normalize_paths(false);
    Command::new(env!("CARGO_BIN_EXE_hcldec"))
        .with_assert(exact)
        .current_dir(folder.path(""))
        .args(args)
        .stdin(input)
        .assert()
}

#[test]
fn values() {
    let folder = folder();
    let run = |args: &[&str]| hcldec(&folder, args, "b = 7\n");
    run(&["--spec=s.hcldec", "c.hcl"]).success().stdout_eq("{\"a\":{\"y\":[null,1.5]}}\n");
    run(&["-s", "s.hcldec"]).success().stdout_eq("{\"b\":7}\n");
    run(&["c.hcl", "--keep-nulls", "--with-type=true", "-ss.hcldec"]).success().stdout_eq(str![[r#"
{"value":{"a":{"x":null,"y":[null,1.5]},"b":null},"type":["object",{"a":["object",{"x":"dynamic","y":["tuple",["dynamic","number"]]}],"b":"number"}]}

"#]]);
    run(&["-s", "s.hcldec", "-V", "{\"var\": {\"x\": [{\"y\": 2}]}}", "v.hcl"])
        .success()
        .stdout_eq("{\"b\":2}\n");
    run(&["-s", "s.hcldec", "-o", "out.json"]).success().stdout_eq("");
    assert_eq!(folder.read("out.json"), "{\"b\":7}\n");
    folder.write("locked.json", "old");
    let mut locked = std::fs::metadata(folder.path("locked.json")).unwrap().permissions();
    locked.set_readonly(true);
    std::fs::set_permissions(folder.path("locked.json"), locked).unwrap();
    run(&["-s", "s.hcldec", "-o", "locked.json"])
        .code(1)
        .stderr_eq("Error: cannot write locked.json: the file is read-only\n\n");
    assert_eq!(folder.read("locked.json"), "old");
    run(&["-s", "s.hcldec", "--var-refs", "v.hcl"]).success().stdout_eq(str![[r#"
[
  {
    "root_name": "var",
    "steps": [
      {
        "kind": "root",
        "name": "var",
        "range": {
          "filename": "v.hcl",
          "start": {
            "line": 1,
            "column": 5,
            "byte": 4
          },
          "end": {
            "line": 1,
            "column": 8,
            "byte": 7
          }
        }
      },
      {
        "kind": "attr",
        "name": "x",
        "range": {
          "filename": "v.hcl",
          "start": {
            "line": 1,
            "column": 8,
            "byte": 7
          },
          "end": {
            "line": 1,
            "column": 10,
            "byte": 9
          }
        }
      },
      {
        "kind": "index",
        "key": 0,
        "range": {
          "filename": "v.hcl",
          "start": {
            "line": 1,
            "column": 10,
            "byte": 9
          },
          "end": {
            "line": 1,
            "column": 13,
            "byte": 12
          }
        }
      },
      {
        "kind": "attr",
        "name": "y",
        "range": {
          "filename": "v.hcl",
          "start": {
            "line": 1,
            "column": 13,
            "byte": 12
          },
          "end": {
            "line": 1,
            "column": 15,
            "byte": 14
          }
        }
      }
    ],
    "range": {
      "filename": "v.hcl",
      "start": {
        "line": 1,
        "column": 5,
        "byte": 4
      },
      "end": {
        "line": 1,
        "column": 15,
        "byte": 14
      }
    }
  }
]

"#]]);
}

#[test]
fn diagnostics() {
    let folder = folder();
    let run = |args: &[&str]| hcldec(&folder, args, "");
    run(&["-s", "s.hcldec", "--diags=json", "bad.hcl"]).code(2).stdout_eq("").stderr_eq(str![[r#"
{
  "diagnostics": [
    {
      "severity": "error",
      "summary": "Unsupported argument",
      "detail": "An argument named `c` is not expected here.",
      "subject": {
        "filename": "bad.hcl",
        "start": {
          "line": 2,
          "column": 1,
          "byte": 6
        },
        "end": {
          "line": 2,
          "column": 2,
          "byte": 7
        }
      }
    }
  ]
}

"#]]);
    run(&["-s", "s.hcldec", "bad.hcl"]).code(2).stderr_eq(str![[r#"
error[unsupported-argument]: Unsupported argument
 --> bad.hcl:2:1
  |
2 | c = 2
  | ^
  |
  = note: An argument named `c` is not expected here.


"#]]);
    run(&["-s", "s.hcldec", "--diags=json", "nowhere.hcl", "v.hcl"]).code(2).stderr_eq(str![[r#"
{
  "diagnostics": [
    {
      "severity": "error",
      "summary": "Failed to read file",
      "detail": "nowhere.hcl: No such file or directory (os error 2)"
    }
  ]
}

"#]]);
    run(&["-s", "s.hcldec", "--diags=json", "v.hcl"]).code(2).stderr_eq(str![[r#"
{
  "diagnostics": [
    {
      "severity": "error",
      "summary": "Variables not allowed",
      "detail": "Variables may not be used here. Only literal values are allowed.",
      "subject": {
        "filename": "v.hcl",
        "start": {
          "line": 1,
          "column": 5,
          "byte": 4
        },
        "end": {
          "line": 1,
          "column": 8,
          "byte": 7
        }
      }
    }
  ]
}

"#]]);
    run(&["-s", "s.hcldec", "--diags=json", "-V", "{\"a\": }", "v.hcl"]).code(2);
}

#[test]
fn invalid_usage() {
    let folder = folder();
    let run = |args: &[&str]| hcldec(&folder, args, "");
    run(&[]).code(1).stderr_eq(str![[r#"
Error: a spec file is required; use --spec=FILE


"#]]);
    run(&["--nothing"]).code(2);
    run(&["-s", "s.hcldec", "--diags=text"]).code(2).stderr_eq(str![[r#"
Unsupported diagnostics format "text": only "json" is supported.

"#]]);
    // An argument cannot look like another message.
    run(&["-s", "s.hcldec", "--diags=a\r\nError: b"]).code(2).stderr_eq(str![[r#"
Unsupported diagnostics format "a␍␊Error: b": only "json" is supported.

"#]]);
    run(&["-s", "s.hcldec", "-o", "no/where.json"]).code(1);
    run(&["--help"]).code(2);
    run(&["--version"]).success();
}
