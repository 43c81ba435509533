//! `hcl eval`: explanations, and errors with the values that led to them.

use crate::eval::folder;
use crate::program::Folder;
use snapbox::str;

#[test]
fn errors_show_the_values_involved() {
    let folder = folder();
    folder
        .hcl(&["eval", "-f", "app.hcl", "--var", "tls=\"perhaps\"", "--var", "name_of=[]"])
        .code(1)
        .stdout_eq(str![])
        .stderr_eq(str![[r#"
error[invalid-interpolation]: Invalid template interpolation value
 --> app.hcl:3:13
  |
3 | domain = "${name_of}.example.com"
  |             ^^^^^^^
  |
  = note: The value cannot be included in a string template: a string is required.
  = where: name_of is tuple []

error[invalid-condition]: Incorrect condition type
 --> app.hcl:6:11
  |
6 |   port  = tls ? 443 : 80
  |           ^^^
  |
  = note: Invalid condition: a bool is required.
  = where: tls is "perhaps"

error[invalid-interpolation]: Invalid template interpolation value
 --> app.hcl:7:42
  |
7 |   hosts = [for n in ["a", "b"] : "${n}.${name_of}"]
  |                                          ^^^^^^^
  |
  = note: The value cannot be included in a string template: a string is required.
  = where: name_of is tuple []

error[unknown-variable]: Unknown variable
  --> app.hcl:10:18
   |
10 |     memory = max(sizes...) * 2
   |                  ^^^^^
   |
   = note: There is no variable named `sizes`.

hint: set variables with --var NAME=EXPR or --vars FILE, or use --partial to evaluate as much as possible without them

"#]]);
    folder.hcl(&["eval", "server.prot", "--var", "server.port=80"]).code(1).stderr_eq(str![[r#"
error[unsupported-attribute]: Unsupported attribute
 --> <expression>:1:7
  |
1 | server.prot
  |       ^^^^^
  |
  = note: This object has no attribute named `prot`. Did you mean `port`?
  = where: server is object { port = 80 }
help: Write `port`
  |
1 - server.prot
1 + server.port
  |

"#]]);
    folder.hcl(&["eval", "1 +"]).code(1).stderr_eq(str![[r#"
error[missing-expression]: Missing expression
 --> <expression>:1:4
  |
1 | 1 +
  |    ^
  |
  = note: Expected an expression, found the end of the text.

"#]]);
    folder.hcl(&["eval", "app.hcl"]).code(1).stderr_eq(str![[r#"
error[unknown-variable]: Unknown variable
 --> <expression>:1:1
  |
1 | app.hcl
  | ^^^
  |
  = note: There is no variable named `app`.

hint: app.hcl is also a file; use -f app.hcl to evaluate its attributes

"#]]);
}

#[test]
fn json_reports_go_to_standard_error() {
    let folder = folder();
    let wrong = ["eval", "-f", "app.hcl", "--attr", "server.web.port", "--var", "tls=1", "--report"];
    folder.command(&wrong).arg("json").assert().code(1).stdout_eq(str![]).stderr_eq(str![[r#"
{
  "version": 1,
  "diagnostics": [
    {
      "code": "invalid-condition",
      "severity": "error",
      "summary": "Incorrect condition type",
      "detail": "Invalid condition: a bool is required.",
      "file": "app.hcl",
      "range": {
        "start": {
          "line": 6,
          "column": 11,
          "byte": 93
        },
        "end": {
          "line": 6,
          "column": 14,
          "byte": 96
        }
      },
      "address": null,
      "context": {
        "start": {
          "line": 6,
          "column": 11,
          "byte": 93
        },
        "end": {
          "line": 6,
          "column": 25,
          "byte": 107
        }
      },
      "related": [],
      "evidence": [
        {
          "expression": "tls",
          "value": "1"
        }
      ],
      "fix": null
    }
  ],
  "fixed": [],
  "unreadable": [],
  "files": 1,
  "errors": 1,
  "warnings": 0,
  "unreported": 0
}

"#]]);
    folder.command(&wrong).arg("github").assert().code(1).stdout_eq(str![]).stderr_eq(str![[r#"
::error file=app.hcl,line=6,endLine=6,col=11,endColumn=13,title=Incorrect condition type [invalid-condition]::Invalid condition: a bool is required.%0Atls is 1

"#]]);
    folder
        .hcl(&["eval", "1", "--report", "json"])
        .success()
        .stdout_eq(str![[r#"
1

"#]])
        .stderr_eq(str![[r#"
{
  "version": 1,
  "diagnostics": [],
  "fixed": [],
  "unreadable": [],
  "files": 0,
  "errors": 0,
  "warnings": 0,
  "unreported": 0
}

"#]]);
}

#[test]
fn explanations_show_how_a_value_is_computed() {
    let folder = folder();
    folder.hcl(&["eval", "-f", "app.hcl", "--var-file", "prod.tfvars", "--explain"]).success().stdout_eq(
        str![[r#"
name
"shop"  → "shop"

domain
"${name_of}.example.com"  → "shop.example.com"
└─ name_of                → "shop"

server.web.port
tls ? 443 : 80  → 443
└─ tls          → true

server.web.hosts
[for n in ["a", "b"] : "${n}.${name_of}"]  → ["a.shop", "b.shop"]
├─ n = "a"                                 → "a.shop"
│  └─ "${n}.${name_of}"                    → "a.shop"
│     ├─ n                                 → "a"
│     └─ name_of                           → "shop"
└─ n = "b"                                 → "b.shop"
   └─ "${n}.${name_of}"                    → "b.shop"
      ├─ n                                 → "b"
      └─ name_of                           → "shop"

server.web.limits.memory
max(sizes...) * 2  → 8
└─ max(sizes...)   → 4
   └─ sizes        → [1, 2, 4]

server["data base"].script
<<-EOT one $${two} EOT  → "one\n$${two}\n"

backup[0].at
"3:00"  → "3:00"

backup[1].at
"15:00"  → "15:00"

end
true  → true

"#]],
    );
    folder
        .hcl(&[
            "eval",
            "--explain",
            "a > 1 && b ? upper(c) : d",
            "--var",
            "a=1",
            "--var",
            "b=true",
            "--var",
            "c=\"x\"",
            "--var",
            "d=\"y\"",
        ])
        .success()
        .stdout_eq(str![[r#"
a > 1 && b ? upper(c) : d  → "y"
├─ a > 1 && b              → false
│  ├─ a                    → 1
│  ├─ a > 1                → false
│  └─ b                    → true
├─ upper(c)                → "X"  (not selected)
│  └─ c                    → "x"
└─ d                       → "y"  (selected)

"#]]);
    folder
        .hcl(&["eval", "--explain", "[for n in range(9) : n / 0]"])
        .code(1)
        .stdout_eq(str![[r#"
[for n in range(9) : n / 0]  → [(unknown number), +Inf, +Inf, +Inf, +Inf, +Inf, +Inf, +Inf, +Inf]
├─ range(9)                  → [0, 1, 2, 3, 4, 5, 6, 7, 8]
├─ n = 0                     → (unknown number)
│  └─ n / 0                  error: The operation `/` failed: the result is not a number.
│     └─ n                   → 0
├─ n = 1                     → +Inf
│  └─ n / 0                  → +Inf
│     └─ n                   → 1
├─ n = 2                     → +Inf
│  └─ n / 0                  → +Inf
│     └─ n                   → 2
├─ n = 3                     → +Inf
│  └─ n / 0                  → +Inf
│     └─ n                   → 3
└─ …                         5 more

"#]])
        .stderr_eq(str![[r#"
error[operation-failed]: Operation failed
 --> <expression>:1:22
  |
1 | [for n in range(9) : n / 0]
  |                      ^^^^^
  |
  = note: The operation `/` failed: the result is not a number.
  = where: n is 0

"#]]);
}

#[test]
fn explained_templates() {
    let folder = Folder::with(&[("x.tmpl", "Hello ${upper(name)}%{ for p in ports }, ${p}%{ endfor }")]);
    let args = ["eval", "--functions", "terraform", "--allow-fs", ".", "--var", "t=\"$${a}\"", "--explain"];
    let explained = |expression: &str| folder.command(&args).arg(expression).assert();
    explained(r#"upper(templatefile("x.tmpl", { name = "Ann", ports = [80] }))"#).success().stdout_eq(str![
        [r#"
upper(templatefile("x.tmpl", { name = "Ann", ports = [80] }…  → "HELLO ANN, 80"
└─ templatefile("x.tmpl", { name = "Ann", ports = [80] })     → "Hello ANN, 80"
   └─ x.tmpl: Hello ${upper(name)}%{ for p in ports }, ${p}%{ endfor }  → "Hello ANN, 80"
      ├─ upper(name)                                          → "ANN"
      │  └─ name                                              → "Ann"
      └─ %{ for p in ports }, ${p}%{ endfor }                 → ", 80"
         ├─ ports                                             → [80]
         └─ p = 80                                            → ", 80"
            └─ , ${p}                                         → ", 80"
               └─ p                                           → 80

"#]
    ]);
    explained(r#"templatefile("x.tmpl", { nam = "Ann", ports = [] })"#).code(1).stdout_eq(str![[r#"
templatefile("x.tmpl", { nam = "Ann", ports = [] })  error: Call to function `templatefile` failed: x.tmpl:1:15: Unknown variable: There is no variable named `name`. Did you mean `nam`?
└─ x.tmpl: Hello ${upper(name)}%{ for p in ports }, ${p}%{ endfor }  → (unknown string, not null)
   ├─ upper(name)                                    → (unknown)
   │  └─ name                                        error: There is no variable named `name`. Did you mean `nam`?
   └─ %{ for p in ports }, ${p}%{ endfor }           → ""
      └─ ports                                       → []

"#]]);
    explained("templatestring(t, { a = 1 })").success().stdout_eq(str![[r#"
templatestring(t, { a = 1 })        → "1"
├─ t                                → "$${a}"
└─ <templatestring argument>: ${a}  → 1
   └─ a                             → 1

"#]]);
    // The function sees the sensitive value.
    explained("templatestring(t, { a = sensitive(1) })").success().stdout_eq(str![[r#"
templatestring(t, { a = sensitive(…) })  → (sensitive)
├─ t                                     → "$${a}"
└─ { a = sensitive(…) }                  → { a = (sensitive) }
   └─ sensitive(…)                       → (sensitive)

"#]]);
}

#[test]
fn explanations_take_space_in_proportion_to_the_depth() {
    let folder = Folder::with(&[]);
    let explained = |depth: usize| {
        let sum = format!("{}u{}", "(u+".repeat(depth), ")".repeat(depth));
        let command = folder.command(&["eval", "--explain", "--var", "u=1", &sum]).output();
        String::from_utf8(command.unwrap().stdout).unwrap()
    };
    let (small, large) = (explained(100), explained(400));
    assert!(large.len() < 5 * small.len(), "{} and {} bytes", small.len(), large.len());
    // Each sum is shown, and continued trees have their numbers.
    for value in 1..=401 {
        assert!(large.contains(&format!("→ {value}\n")) || large.contains(&format!("→ {value}  (parts")));
    }
    assert!(small.contains("(parts: see [3])\n"), "{small}");
    assert!(small.contains("\n\n[3] "), "{small}");
}
