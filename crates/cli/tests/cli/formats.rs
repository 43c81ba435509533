//! `hcl check --format`: reports for programs.

use crate::program::Folder;
use serde_json::Value;
use snapbox::str;

const MISTAKES: &str = "host = 'a'\nport = 1\nport = \"100%\"\n";

#[test]
fn json_is_one_document() {
    let folder = Folder::with(&[("main.hcl", MISTAKES)]);
    folder.hcl(&["check", "--report", "json", "main.hcl", "none.hcl"]).code(2).stdout_eq(str![[r#"
{
  "version": 1,
  "diagnostics": [
    {
      "code": "wrong-character",
      "severity": "error",
      "summary": "Invalid character",
      "detail": "Single quotes are not valid. Use double quotes (`\"`).",
      "file": "main.hcl",
      "range": {
        "start": {
          "line": 1,
          "column": 8,
          "byte": 7
        },
        "end": {
          "line": 1,
          "column": 9,
          "byte": 8
        }
      },
      "address": null,
      "context": null,
      "related": [],
      "evidence": [],
      "fix": {
        "title": "Use double quotes",
        "edits": [
          {
            "range": {
              "start": {
                "line": 1,
                "column": 8,
                "byte": 7
              },
              "end": {
                "line": 1,
                "column": 9,
                "byte": 8
              }
            },
            "replacement": "\""
          },
          {
            "range": {
              "start": {
                "line": 1,
                "column": 10,
                "byte": 9
              },
              "end": {
                "line": 1,
                "column": 11,
                "byte": 10
              }
            },
            "replacement": "\""
          }
        ]
      }
    },
    {
      "code": "duplicate-attribute",
      "severity": "error",
      "summary": "Attribute redefined",
      "detail": "The argument `port` was already set on line 2. Each argument may be set only once.",
      "file": "main.hcl",
      "range": {
        "start": {
          "line": 3,
          "column": 1,
          "byte": 20
        },
        "end": {
          "line": 3,
          "column": 5,
          "byte": 24
        }
      },
      "address": null,
      "context": null,
      "related": [
        {
          "message": "first set here",
          "file": "main.hcl",
          "range": {
            "start": {
              "line": 2,
              "column": 1,
              "byte": 11
            },
            "end": {
              "line": 2,
              "column": 5,
              "byte": 15
            }
          }
        }
      ],
      "evidence": [],
      "fix": null
    }
  ],
  "fixed": [],
  "unreadable": [
    {
      "file": "none.hcl",
      "action": "read",
      "message": "No such file or directory (os error 2)"
    }
  ],
  "files": 1,
  "errors": 2,
  "warnings": 0,
  "unreported": 0
}

"#]]);
}

#[test]
fn json_without_errors() {
    let folder = Folder::with(&[("main.hcl", "a = 1\n")]);
    folder.hcl(&["check", "--report", "json"]).success().stdout_eq(str![[r#"
{
  "version": 1,
  "diagnostics": [],
  "fixed": [],
  "unreadable": [],
  "files": 1,
  "errors": 0,
  "warnings": 0,
  "unreported": 0
}

"#]]);
}

#[test]
fn github_commands_are_escaped() {
    let folder = Folder::with(&[("a,b 100%.hcl", MISTAKES)]);
    folder.hcl(&["check", "--report", "github", ".", "none.hcl"]).code(2).stdout_eq(str![[r#"
::error file=a%2Cb 100%25.hcl,line=1,endLine=1,col=8,endColumn=8,title=Invalid character [wrong-character]::Single quotes are not valid. Use double quotes (`"`).%0ASuggested fix: Use double quotes.
::error file=a%2Cb 100%25.hcl,line=3,endLine=3,col=1,endColumn=4,title=Attribute redefined [duplicate-attribute]::The argument `port` was already set on line 2. Each argument may be set only once.%0Aa,b 100%25.hcl:2:1: first set here
::error file=none.hcl,title=Cannot read the file::No such file or directory (os error 2)

"#]]);
}

#[test]
fn sarif_has_rules_places_and_fixes() {
    let folder = Folder::with(&[("a b/é.hcl", "a = \"😀\" & 'x'\n"), ("twice.hcl", "a = 1\na = 2\n")]);
    let output = folder.command(&["check", "--report", "sarif", ".", "none.hcl"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["version"], "2.1.0");
    let run = &report["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    // Only the rules of these results are listed.
    assert!(rules.iter().all(|rule| results.iter().any(|result| result["ruleId"] == rule["id"])));
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    let invocation = serde_json::to_string_pretty(&run["invocations"]).unwrap();
    snapbox::assert_data_eq!(
        invocation,
        str![[r#"
[
  {
    "executionSuccessful": false,
    "toolExecutionNotifications": [
      {
        "level": "error",
        "locations": [
          {
            "physicalLocation": {
              "artifactLocation": {
                "uri": "none.hcl"
              }
            }
          }
        ],
        "message": {
          "text": "cannot read none.hcl: No such file or directory (os error 2)"
        }
      }
    ]
  }
]
"#]]
    );
    let first = serde_json::to_string_pretty(&run["results"][0]).unwrap();
    snapbox::assert_data_eq!(
        first,
        str![[r#"
{
  "fixes": [
    {
      "artifactChanges": [
        {
          "artifactLocation": {
            "uri": "a%20b/%C3%A9.hcl"
          },
          "replacements": [
            {
              "deletedRegion": {
                "byteLength": 1,
                "byteOffset": 11,
                "endColumn": 11,
                "endLine": 1,
                "startColumn": 10,
                "startLine": 1
              },
              "insertedContent": {
                "text": "&&"
              }
            }
          ]
        }
      ],
      "description": {
        "text": "Use `&&`"
      }
    }
  ],
  "level": "error",
  "locations": [
    {
      "physicalLocation": {
        "artifactLocation": {
          "uri": "a%20b/%C3%A9.hcl"
        },
        "region": {
          "byteLength": 1,
          "byteOffset": 11,
          "endColumn": 11,
          "endLine": 1,
          "startColumn": 10,
          "startLine": 1
        }
      }
    }
  ],
  "message": {
    "text": "Unsupported operator. Bitwise operators are not supported. Did you mean the logical operator `&&`?"
  },
  "partialFingerprints": {
    "primaryLocationLineHash": "bf2a4a668859c2ee:1"
  },
  "ruleId": "unsupported-operator",
  "ruleIndex": 0
}
"#]]
    );
    let related = serde_json::to_string_pretty(&run["results"].as_array().unwrap().last()).unwrap();
    snapbox::assert_data_eq!(
        related,
        str![[r#"
{
  "level": "error",
  "locations": [
    {
      "physicalLocation": {
        "artifactLocation": {
          "uri": "twice.hcl"
        },
        "region": {
          "byteLength": 1,
          "byteOffset": 6,
          "endColumn": 2,
          "endLine": 2,
          "startColumn": 1,
          "startLine": 2
        }
      }
    }
  ],
  "message": {
    "text": "Attribute redefined. The argument `a` was already set on line 1. Each argument may be set only once."
  },
  "partialFingerprints": {
    "primaryLocationLineHash": "c3e6d9896a2d302f:1"
  },
  "relatedLocations": [
    {
      "message": {
        "text": "first set here"
      },
      "physicalLocation": {
        "artifactLocation": {
          "uri": "twice.hcl"
        },
        "region": {
          "byteLength": 1,
          "byteOffset": 0,
          "endColumn": 2,
          "endLine": 1,
          "startColumn": 1,
          "startLine": 1
        }
      }
    }
  ],
  "ruleId": "duplicate-attribute",
  "ruleIndex": 2
}
"#]]
    );
}

#[test]
fn every_format_has_the_number_of_errors() {
    let folder = Folder::with(&[]);
    folder.write("many.hcl", "a {\n  b = @\n}\n".repeat(5_000));
    let told = |format: &str| {
        let output = folder.command(&["check", "--report", format, "many.hcl"]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = told("human");
    assert!(text.ends_with(
        "\nnote: 4000 more errors are not shown. Fix these first, then run again.\n\nChecked 1 file: 5000 errors in 1 file\n"
    ));
    assert_eq!(text.matches("error[").count(), 1_000);
    let json: serde_json::Value = serde_json::from_str(&told("json")).unwrap();
    assert_eq!((&json["errors"], &json["unreported"]), (&5_000.into(), &4_000.into()));
    assert_eq!(json["diagnostics"].as_array().unwrap().len(), 1_000);
    let sarif: serde_json::Value = serde_json::from_str(&told("sarif")).unwrap();
    let note = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(note["message"]["text"], "4000 more errors are not shown. Fix these first, then run again.");
    let github = told("github");
    assert!(github.ends_with(
        "\n::notice file=many.hcl::4000 more errors are not shown. Fix these first, then run again.\n"
    ));
}
