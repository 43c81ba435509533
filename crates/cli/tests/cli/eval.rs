//! `hcl eval`: expressions, files, variables, functions and what they may reach, formats of output.

use crate::program::Folder;
use snapbox::str;

const APP: &str = r#"# An application
name   = "shop"
domain = "${name_of}.example.com"

server "web" {
  port  = tls ? 443 : 80
  hosts = [for n in ["a", "b"] : "${n}.${name_of}"]

  limits {
    memory = max(sizes...) * 2
  }
}

server "data base" {
  script = <<-EOT
    one
    $${two}
  EOT
}

backup {
  at = "3:00"
}
backup {
  at = "15:00"
}
end = true
"#;

const VALUES: &str = "name_of = \"shop\"\ntls     = true\nsizes   = [1, 2, 4]\n";

fn folder() -> Folder {
    Folder::with(&[("app.hcl", APP), ("prod.tfvars", VALUES)])
}

/// What is printed for an expression.
fn eval(args: &[&str]) -> String {
    let output = folder().command(&["eval"]).args(args).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn expressions() {
    assert_eq!(eval(&["1 + 2"]), "3\n");
    assert_eq!(eval(&["-1"]), "-1\n");
    assert_eq!(eval(&["upper(\"a${1 + 1}\")"]), "\"A2\"\n");
    assert_eq!(eval(&["{ b = [1, null], \"a b\" = true }"]), "{ \"a b\" = true, b = [1, null] }\n");
    assert_eq!(eval(&["<<EOT\none\ntwo\nEOT"]), "<<EOT\none\ntwo\nEOT\n");
    assert_eq!(eval(&["--var", "x=<<EOT\none\nEOT", "length(x)"]), "4\n");
    assert_eq!(eval(&["try(nothing.there, \"else\")"]), "\"else\"\n");
    folder().hcl_reading(&["eval"], "1 +\n1\n").success().stdout_eq("2\n".to_owned());
    folder().hcl_reading(&["eval", "-"], "2\n").success().stdout_eq("2\n".to_owned());
}

#[test]
fn formats_of_output() {
    let text = "\"a<b \\\"c\\\"\"";
    assert_eq!(eval(&[text]), "\"a<b \\\"c\\\"\"\n");
    assert_eq!(eval(&[text, "--output", "json"]), "\"a<b \\\"c\\\"\"\n");
    assert_eq!(eval(&[text, "--output", "raw"]), "a<b \"c\"\n");
    assert_eq!(eval(&["\"a\\n\"", "--output", "raw"]), "a\n");
    assert_eq!(eval(&["12345678901234567890.125", "--output", "raw"]), "12345678901234567890.125\n");
    assert_eq!(eval(&["12345678901234567890.125", "--output", "json"]), "12345678901234567890.125\n");
    snapbox::assert_data_eq!(
        eval(&["{ a = tolist([1]), b = null }", "--output", "typed"]),
        str![[r#"
{
  "value": {
    "a": [
      1
    ],
    "b": null
  },
  "type": [
    "object",
    {
      "a": [
        "list",
        "number"
      ],
      "b": "dynamic"
    }
  ]
}

"#]]
    );
    let folder = folder();
    folder.hcl(&["eval", "[1]", "--output", "raw"]).code(1).stdout_eq(str![]).stderr_eq(str![[r#"
error: only a string, a number or a bool is text, and the value is of type tuple; --output json writes it

"#]]);
    folder.hcl(&["eval", "-f", "app.hcl", "--output", "raw"]).code(2).stderr_eq(str![[r#"
error: --output raw is for one value: choose it with --attr

"#]]);
}

#[test]
fn long_values_take_several_lines() {
    let long = "{ for n in range(3) : \"server-${n}\" => { name = \"server number ${n}\", ports = [80, 443, 8080], on = true } }";
    snapbox::assert_data_eq!(
        eval(&[long]),
        str![[r#"
{
  server-0 = { name = "server number 0", on = true, ports = [80, 443, 8080] }
  server-1 = { name = "server number 1", on = true, ports = [80, 443, 8080] }
  server-2 = { name = "server number 2", on = true, ports = [80, 443, 8080] }
}

"#]]
    );
}

#[test]
fn a_file_is_evaluated_in_its_order() {
    let folder = folder();
    let all = ["eval", "-f", "app.hcl", "--var-file", "prod.tfvars"];
    folder.hcl(&all).success().stderr_eq(str![]).stdout_eq(str![[r#"
name   = "shop"
domain = "shop.example.com"

server "web" {
  port  = 443
  hosts = ["a.shop", "b.shop"]

  limits {
    memory = 8
  }
}

server "data base" {
  script = <<-EOT
    one
    $${two}
  EOT
}

backup {
  at = "3:00"
}

backup {
  at = "15:00"
}

end = true

"#]]);
    folder.command(&all).args(["--output", "json"]).assert().success().stdout_eq(str![[r#"
{
  "name": "shop",
  "domain": "shop.example.com",
  "server": {
    "web": [
      {
        "port": 443,
        "hosts": [
          "a.shop",
          "b.shop"
        ],
        "limits": [
          {
            "memory": 8
          }
        ]
      }
    ],
    "data base": [
      {
        "script": "one\n${two}\n"
      }
    ]
  },
  "backup": [
    {
      "at": "3:00"
    },
    {
      "at": "15:00"
    }
  ],
  "end": true
}

"#]]);
    let output = folder.command(&all).output().unwrap().stdout;
    let again = folder.command(&["eval", "-f", "-"]).stdin(output.clone()).output().unwrap().stdout;
    assert_eq!(output, again, "what is written is a file of the same values");
}

#[test]
fn addresses() {
    let folder = folder();
    let at = |address: &str| {
        let output = folder
            .command(&["eval", "-f", "app.hcl", "--var-file", "prod.tfvars", "--attr", address])
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        format!("{} {}", output.status.code().unwrap(), String::from_utf8(text).unwrap().trim_end())
    };
    assert_eq!(at("name"), "0 \"shop\"");
    assert_eq!(at("server.web.port"), "0 443");
    assert_eq!(at("server[\"web\"].hosts[1]"), "0 \"b.shop\"");
    assert_eq!(at("server.web.limits"), "0 memory = 8");
    assert_eq!(at("server[\"data base\"].script"), "0 <<EOT\none\n$${two}\nEOT");
    assert_eq!(at("backup[1].at"), "0 \"15:00\"");
    assert_eq!(at("backup.at"), "2 error: backup.at could be in each of backup[0], backup[1]");
    assert_eq!(at("backup[2].at"), "2 error: there is nothing at backup[2].at: the last block is number 1");
    assert_eq!(
        at("server.at"),
        "2 error: there is nothing at server.at; there are server.web, server[\"data base\"]"
    );
    assert_eq!(at("sever.web"), "2 error: there is nothing at sever.web: no `sever`; did you mean `server`?");
    assert_eq!(
        at("server.web.x"),
        "2 error: there is nothing at server.web.x: no `x`; there are port, hosts, limits"
    );
    assert_eq!(at("name.x"), "2 error: there is nothing at name.x: only an object has attributes");
    assert_eq!(
        at("1 + 1"),
        "2 error: `1 + 1` is no address; one looks like server.web.port or server[\"a b\"].ports[0]"
    );
    folder.hcl(&["eval", "--attr", "a", "1"]).code(2).stderr_eq(str![[r#"
error: --attr is an address in a file: name the file with -f

"#]]);
}

#[test]
fn files_in_the_json_syntax() {
    let text = r#"{"//": "of no account", "port": "${base + 80}", "server": {"web": {"url": "http://localhost:${base}"}}}"#;
    let rest = r#"{"name": "web-${base + 1}-${zone}", "tags": ["a\"b\n%{ if zone }${base}%{ endif }",
        {"${zone}-1": "${zone}", "n": 1.5, "no": null, "yes": true}, "\u0038000", "${base}"]}"#;
    let files = [("app.hcl.json", text), ("rest.json", rest), ("bad.json", "{\"a\": \"${b\",}")];
    let folder = Folder::with(&files);
    let base = ["eval", "--var", "base=8000", "-f", "app.hcl.json"];
    folder.hcl(&base).success().stderr_eq(str![]).stdout_eq(str![[r#"
port   = 8080
server = { web = { url = "http://localhost:8000" } }

"#]]);
    folder.command(&base).args(["--output", "json"]).assert().success().stdout_eq(str![[r#"
{
  "port": 8080,
  "server": {
    "web": {
      "url": "http://localhost:8000"
    }
  }
}

"#]]);
    folder.command(&base).args(["--attr", "server.web.url"]).assert().success().stdout_eq(str![[r#"
"http://localhost:8000"

"#]]);
    folder.command(&base).args(["--attr", "sever.web.url"]).assert().code(2).stderr_eq(str![[r#"
error: there is nothing at sever.web.url: no `sever`; did you mean `server`?

"#]]);
    folder.command(&base).arg("--explain").assert().success().stdout_eq(str![[r#"
port
${base + 80}  → 8080
└─ base + 80  → 8080
   └─ base    → 8000

server
{"web": {"url": "http://localhost:${base}"}}  → { web = { url = "http://localhost:8000" } }
└─ {"url": "http://localhost:${base}"}        → { url = "http://localhost:8000" }
   └─ http://localhost:${base}                → "http://localhost:8000"
      └─ base                                 → 8000

"#]]);
    let partial = ["eval", "--partial", "--var", "base=8000", "-f", "rest.json"];
    folder.command(&partial).assert().success().stderr_eq(str![]).stdout_eq(str![[r#"
name = "web-8001-${zone}"
tags = ["a\"b\n%{ if zone }8000%{ endif }", { "${zone}-1" = "${zone}", "n" = 1.5, "no" = null, "yes" = true }, "8000", 8000]

"#]]);
    folder.command(&partial).args(["--output", "json"]).assert().success().stdout_eq(str![[r#"
{
  "name": "web-8001-${zone}",
  "tags": [
    "a\"b\n%{ if zone }8000%{ endif }",
    {
      "${zone}-1": "${zone}",
      "n": 1.5,
      "no": null,
      "yes": true
    },
    "8000",
    8000
  ]
}

"#]]);
    folder.command(&partial).args(["--attr", "name"]).assert().success().stdout_eq(str![[r#"
"web-8001-${zone}"

"#]]);
    folder.hcl(&["eval", "-f", "app.hcl.json"]).code(1).stdout_eq(str![]).stderr_eq(str![[r#"
error[unknown-variable]: Unknown variable
 --> app.hcl.json:1:36
  |
1 | {"//": "of no account", "port": "${base + 80}", "server": {"web": {"url": "http://localhost:${base}"}}}
  |                                    ^^^^
  |
  = note: There is no variable named `base`.

error[unknown-variable]: Unknown variable
 --> app.hcl.json:1:95
  |
1 | {"//": "of no account", "port": "${base + 80}", "server": {"web": {"url": "http://localhost:${base}"}}}
  |                                                                                               ^^^^
  |
  = note: There is no variable named `base`.

hint: set variables with --var NAME=EXPR or --vars FILE; --partial computes what it can without them

"#]]);
    folder.hcl(&["eval", "-f", "bad.json"]).code(1).stdout_eq(str![]).stderr_eq(str![[r#"
error[json-extra-comma]: Superfluous comma
 --> bad.json:1:12
  |
1 | {"a": "${b",}
  |            ^
  |
  = note: JSON allows no comma before the closing bracket.
help: Remove the comma
  |
1 - {"a": "${b",}
1 + {"a": "${b"}
  |

"#]]);
}

#[test]
fn templates_are_rendered_as_they_are() {
    let folder = Folder::with(&[("t.conf", "%{ for p in ports ~}\nlisten ${p};\n%{ endfor ~}\nend")]);
    folder
        .hcl(&["eval", "--template", "-f", "t.conf", "--var", "ports=[80, 443]"])
        .success()
        .stdout_eq("listen 80;\nlisten 443;\nend".to_owned());
    let hello = ["eval", "--template", "--var", "name=\"world\"", "Hello, ${name}!"];
    folder.hcl(&hello).success().stdout_eq("Hello, world!".to_owned());
    folder.command(&hello).args(["--output", "json"]).assert().stdout_eq("\"Hello, world!\"\n".to_owned());
    folder.hcl_reading(&["eval", "--template", "-f", "-"], "${1}").stdout_eq("1".to_owned());
    let into = ["eval", "--template", "-f", "t.conf", "-o", "out.conf"];
    folder.command(&into).args(["--var", "ports=[1]"]).assert().success().stdout_eq(str![]);
    assert_eq!(folder.read("out.conf"), "listen 1;\nend");
    folder.command(&into).assert().code(1).stdout_eq(str![]);
    assert_eq!(folder.read("out.conf"), "listen 1;\nend");
    folder.hcl(&["eval", "{ a = 1 }", "-o", "a.hcl", "--color", "always"]).success();
    assert_eq!(folder.read("a.hcl"), "{ a = 1 }\n");
    folder.hcl(&["eval", "1", "-o", "none/a.hcl"]).code(2).stderr_eq(str![[r#"
error: cannot write none/a.hcl: No such file or directory (os error 2)

"#]]);
    folder.hcl(&["eval", "--template", "${[1]}"]).code(1).stderr_eq(str![[r#"
error: only a string, a number or a bool is text, and the value is of type tuple; --output json writes it

"#]]);
    folder.hcl(&["eval", "--template", "t.conf"]).code(2).stderr_eq(str![[r#"
error: t.conf is a file: give it with -f; without, it is the text of a template

"#]]);
}

#[test]
fn variables_are_set_in_order() {
    let folder = Folder::with(&[
        ("a.tfvars", "x = \"a\"\ny = { z = 1 }\n"),
        ("b.json", "{\"x\": \"${b}\", \"n\": 1.50}"),
    ]);
    let x = |args: &[&str]| {
        let output = folder.command(&["eval"]).args(args).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(x(&["--var-file", "a.tfvars", "--var-file", "b.json", "x"]), "\"$${b}\"\n");
    assert_eq!(x(&["--var-file", "b.json", "--var-file", "a.tfvars", "x"]), "\"a\"\n");
    assert_eq!(x(&["--var", "x=1", "--var-file", "a.tfvars", "x"]), "\"a\"\n");
    assert_eq!(x(&["--var-file", "a.tfvars", "--var", "x=1", "x"]), "1\n");
    assert_eq!(x(&["--var", "x=1", "--var", "y=x + 1", "y"]), "2\n");
    assert_eq!(x(&["--var-file", "a.tfvars", "--var", "y.w=2", "y"]), "{ w = 2, z = 1 }\n");
    assert_eq!(
        x(&["--var-file", "var=a.tfvars", "--var-file", "var.b=b.json", "var.b.n + var.y.z"]),
        "2.5\n"
    );
}

#[test]
fn variables_that_cannot_be_set() {
    let folder = Folder::with(&[("a.tfvars", "x = y\nserver \"web\" {\n}\n"), ("b.json", "{\"x\": 1,}")]);
    folder.hcl(&["eval", "--var", "region=eu", "region"]).code(1).stderr_eq(str![[r#"
error[unknown-variable]: Unknown variable
 --> --var region:1:1
  |
1 | eu
  | ^^
  |
  = note: There is no variable named `eu`.

hint: a string stands in quotes: --var 'region="eu"'

"#]]);
    folder.hcl(&["eval", "--var", "x", "x"]).code(2).stderr_eq(str![[r#"
error: invalid value 'x' for '--var <NAME=EXPR>': expected NAME=EXPR, such as 'region="eu"'

For more information, try '--help'.

"#]]);
    folder.hcl(&["eval", "--var-file", "a.tfvars", "x"]).code(1).stderr_eq(str![[r#"
error[variables-not-allowed]: Variables not allowed
 --> a.tfvars:1:5
  |
1 | x = y
  |     ^
  |
  = note: Variables may not be used here: only literal values are known.

error[invalid-block]: Invalid block definition
 --> a.tfvars:2:1
  |
2 | server "web" {
  | ^^^^^^
  |
  = note: A file of variables sets each with `name = value`. To make `server` an object, write `server = { … }`.

"#]]);
    folder.hcl(&["eval", "--var-file", "b.json", "x"]).code(1).stderr_eq(str![[r#"
error[json-extra-comma]: Superfluous comma
 --> b.json:1:8
  |
1 | {"x": 1,}
  |        ^
  |
  = note: JSON allows no comma before the closing bracket.
help: Remove the comma
  |
1 - {"x": 1,}
1 + {"x": 1}
  |

"#]]);
    folder.hcl(&["eval", "--var-file", "none.tfvars", "x"]).code(2).stderr_eq(str![[r#"
error: cannot read none.tfvars: No such file or directory (os error 2); --vars takes a file or a JSON object, such as '{"name": "value"}'

"#]]);
}

#[test]
fn mistakes_are_shown_with_the_values_that_led_there() {
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
  = note: The value cannot be put into a string: a string is required.
  = where: name_of is tuple []

error[invalid-condition]: Incorrect condition type
 --> app.hcl:6:11
  |
6 |   port  = tls ? 443 : 80
  |           ^^^
  |
  = note: The condition does not fit: a bool is required.
  = where: tls is "perhaps"

error[invalid-interpolation]: Invalid template interpolation value
 --> app.hcl:7:42
  |
7 |   hosts = [for n in ["a", "b"] : "${n}.${name_of}"]
  |                                          ^^^^^^^
  |
  = note: The value cannot be put into a string: a string is required.
  = where: name_of is tuple []

error[unknown-variable]: Unknown variable
  --> app.hcl:10:18
   |
10 |     memory = max(sizes...) * 2
   |                  ^^^^^
   |
   = note: There is no variable named `sizes`.

hint: set variables with --var NAME=EXPR or --vars FILE; --partial computes what it can without them

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
  = note: An expression is required here, where the text ends.

"#]]);
    folder.hcl(&["eval", "app.hcl"]).code(1).stderr_eq(str![[r#"
error[unknown-variable]: Unknown variable
 --> <expression>:1:1
  |
1 | app.hcl
  | ^^^
  |
  = note: There is no variable named `app`.

hint: app.hcl is a file, too: its attributes are evaluated with -f app.hcl

"#]]);
}

#[test]
fn reports_for_machines_go_to_standard_error() {
    let folder = folder();
    let wrong = ["eval", "-f", "app.hcl", "--attr", "server.web.port", "--var", "tls=1", "--format"];
    folder.command(&wrong).arg("json").assert().code(1).stdout_eq(str![]).stderr_eq(str![[r#"
{
  "version": 1,
  "files": 1,
  "errors": 1,
  "warnings": 0,
  "unreported": 0,
  "diagnostics": [
    {
      "code": "invalid-condition",
      "severity": "error",
      "summary": "Incorrect condition type",
      "detail": "The condition does not fit: a bool is required.",
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
  "unreadable": []
}

"#]]);
    folder.command(&wrong).arg("github").assert().code(1).stdout_eq(str![]).stderr_eq(str![[r#"
::error file=app.hcl,line=6,endLine=6,col=11,endColumn=13,title=Incorrect condition type [invalid-condition]::The condition does not fit: a bool is required.%0Atls is 1

"#]]);
    folder
        .hcl(&["eval", "1", "--format", "json"])
        .success()
        .stdout_eq(str![[r#"
1

"#]])
        .stderr_eq(str![[r#"
{
  "version": 1,
  "files": 0,
  "errors": 0,
  "warnings": 0,
  "unreported": 0,
  "diagnostics": [],
  "fixed": [],
  "unreadable": []
}

"#]]);
}

#[test]
fn partial_evaluation_leaves_source() {
    let folder = folder();
    let partial = ["eval", "--partial", "--var", "tls=true", "--var", "sizes=[1, 2]"];
    folder.command(&partial).args(["-f", "app.hcl"]).assert().success().stderr_eq(str![]).stdout_eq(str![[
        r##"
# An application
name   = "shop"
domain = "${name_of}.example.com"

server "web" {
  port  = 443
  hosts = [for n in ["a", "b"] : "${n}.${name_of}"]

  limits {
    memory = 4
  }
}

server "data base" {
  script = <<-EOT
    one
    $${two}
  EOT
}

backup {
  at = "3:00"
}
backup {
  at = "15:00"
}
end = true

"##
    ]]);
    folder
        .command(&partial)
        .args(["-f", "app.hcl", "--attr", "server.web", "--output", "json"])
        .assert()
        .success()
        .stdout_eq(str![[r#"
{
  "port": 443,
  "hosts": "${[for n in [\"a\", \"b\"] : \"${n}.${name_of}\"]}",
  "limits": [
    {
      "memory": 4
    }
  ]
}

"#]]);
    folder
        .command(&partial)
        .arg("\"${tls}-${x}\"")
        .assert()
        .success()
        .stdout_eq("\"true-${x}\"\n".to_owned());
    folder
        .command(&partial)
        .args(["--template", "${tls} ${x} ${sizes[0]}"])
        .assert()
        .success()
        .stdout_eq("true ${x} 1".to_owned());
    folder.command(&partial).args(["x", "--output", "typed"]).assert().code(2);
    folder.command(&partial).args(["tls + {}"]).assert().code(1);
}

#[test]
fn explanations_show_how_a_value_came_about() {
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
│  └─ n / 0                  error: `/` has no result here: the result is not a number.
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
  = note: `/` has no result here: the result is not a number.
  = where: n is 0

"#]]);
}

#[test]
fn what_is_sensitive_is_not_shown_unless_asked_for() {
    let folder = Folder::with(&[("a.hcl", "name = \"x\"\nlogin {\n  password = sensitive(\"secret\")\n}\n")]);
    folder.hcl(&["eval", "-f", "a.hcl"]).success().stdout_eq(str![[r#"
name = "x"

login {
  password = (sensitive)
}

"#]]);
    folder.hcl(&["eval", "-f", "a.hcl", "--output", "json"]).code(1).stdout_eq(str![]).stderr_eq(str![[r#"
error: login.password is marked as sensitive; --show-sensitive writes it all the same

"#]]);
    folder
        .hcl(&["eval", "-f", "a.hcl", "--show-sensitive", "--attr", "login.password"])
        .success()
        .stdout_eq("\"secret\"\n".to_owned());
    folder
        .hcl(&["eval", "--template", "${p}!", "--var", "p=sensitive(\"secret\")"])
        .code(1)
        .stdout_eq(str![])
        .stderr_eq(str![[r#"
error: the value is marked as sensitive; --show-sensitive writes it all the same

"#]]);
    folder
        .hcl(&["eval", "--template", "${p}!", "--var", "p=sensitive(\"secret\")", "--show-sensitive"])
        .success()
        .stdout_eq("secret!".to_owned());
}

#[test]
fn libraries_of_functions() {
    let folder = folder();
    let works = |library: &str, expression: &str| {
        let output = folder.command(&["eval", "--functions", library, expression]).output().unwrap();
        output.status.success()
    };
    for (expression, libraries) in [
        ("1", ["none", "spec", "cty", "terraform", "packer"].as_slice()),
        ("upper(\"x\")", &["spec", "cty", "terraform", "packer"]),
        ("try(x, 1)", &["cty", "terraform", "packer"]),
        ("convert(1, string)", &["cty", "packer"]),
        ("cidrhost(\"10.0.0.0/8\", 1)", &["terraform", "packer"]),
        ("sensitive(1)", &["terraform"]),
        ("legacy_isotime()", &["packer"]),
    ] {
        for library in ["none", "spec", "cty", "terraform", "packer"] {
            assert_eq!(works(library, expression), libraries.contains(&library), "{library}: {expression}");
        }
    }
    folder.hcl(&["eval", "--functions", "cty", "startswith(\"ab\", \"a\")"]).code(1).stderr_eq(str![[r#"
error[unknown-function]: Call to unknown function
 --> <expression>:1:1
  |
1 | startswith("ab", "a")
  | ^^^^^^^^^^
  |
  = note: There is no function named `startswith`.

hint: it is a function of another library: --functions terraform

"#]]);
    folder.hcl(&["eval", "--functions", "none", "upper(\"x\")"]).code(1).stderr_eq(str![[r#"
error[functions-not-allowed]: Function calls not allowed
 --> <expression>:1:1
  |
1 | upper("x")
  | ^^^^^^^^^^
  |
  = note: Functions may not be called here.

hint: --functions LIBRARY gives expressions functions, such as --functions terraform

"#]]);
}

#[test]
fn functions_reach_what_they_are_allowed_to() {
    let folder = Folder::with(&[
        ("in/hello.tpl", "Hello, ${upper(name)}!\n"),
        ("in/wrong.tpl", "Hello,\n${nam}!\n"),
        ("out.txt", "out\n"),
    ]);
    folder.hcl(&["eval", "file(\"out.txt\")"]).code(1).stderr_eq(str![[r#"
error[function-failed]: Error in function call
 --> <expression>:1:1
  |
1 | file("out.txt")
  | ^^^^^
  |
  = note: `file` has no result: functions must not read files here: the caller has to grant them a folder.

hint: --allow-fs DIR lets functions read the files in a folder

"#]]);
    folder
        .hcl(&["eval", "--allow-fs", ".", "--output", "raw", "file(\"out.txt\")"])
        .success()
        .stdout_eq("out\n".to_owned());
    folder.hcl(&["eval", "--allow-fs", "in", "file(\"../out.txt\")"]).code(1).stderr_eq(str![[r#"
error[invalid-argument]: Invalid function argument
 --> <expression>:1:7
  |
1 | file("../out.txt")
  |       ^^^^^^^^^^
  |
  = note: The argument of `file` for `path` does not fit: "../out.txt" leads out of the folder that functions may read.

"#]]);
    // Relative paths start in the current directory, whatever is allowed.
    folder.hcl(&["eval", "--allow-fs", "in", "file(\"hello.tpl\")"]).code(1).stderr_eq(str![[r#"
error[invalid-argument]: Invalid function argument
 --> <expression>:1:7
  |
1 | file("hello.tpl")
  |       ^^^^^^^^^
  |
  = note: The argument of `file` for `path` does not fit: "hello.tpl" leads out of the folder that functions may read.

"#]]);
    std::fs::create_dir(folder.path("other")).unwrap();
    folder.write("other/x.txt", "x");
    let both = "\"${file(\"in/hello.tpl\")} ${file(\"other/x.txt\")}\"";
    folder
        .hcl(&["eval", "--allow-fs", "in", "--allow-fs", "other", "--output", "raw", both])
        .success()
        .stdout_eq("Hello, ${upper(name)}!\n x\n".to_owned());
    let render = "templatefile(\"in/hello.tpl\", { name = \"world\" })";
    folder
        .hcl(&["eval", "--allow-fs", "in", "--output", "raw", render])
        .success()
        .stdout_eq("Hello, WORLD!\n".to_owned());
    folder.hcl(&["eval", "--allow-fs", "in", "templatefile(\"in/wrong.tpl\", { name = 1 })"]).code(1).stderr_eq(str![[r#"
error[function-failed]: Error in function call
 --> <expression>:1:1
  |
1 | templatefile("in/wrong.tpl", { name = 1 })
  | ^^^^^^^^^^^^^
  |
  = note: `templatefile` has no result: in/wrong.tpl:2:3: Unknown variable: There is no variable named `nam`. Did you mean `name`?

"#]]);
    folder.hcl(&["eval", "--allow-fs", "none", "1"]).code(2).stderr_eq(str![[r#"
error: cannot open the folder none: No such file or directory (os error 2)

"#]]);
    folder.hcl(&["eval", "--functions", "packer", "env(\"HOME\")"]).code(1).stderr_eq(str![[r#"
error[function-failed]: Error in function call
 --> <expression>:1:1
  |
1 | env("HOME")
  | ^^^^
  |
  = note: `env` has no result: functions must not read the environment here: the caller has to grant it to them.

hint: --allow-env lets functions read environment variables

"#]]);
    folder
        .command(&["eval", "--functions", "packer", "--allow-env", "env(\"GREETING\")"])
        .env("GREETING", "hi")
        .assert()
        .success()
        .stdout_eq("\"hi\"\n".to_owned());
}

#[test]
fn evaluation_has_limits() {
    let folder = folder();
    let loops = "[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a * b * c]]]";
    folder.hcl(&["eval", "--max-steps", "100000", loops]).code(1).stdout_eq(str![]).stderr_eq(str![[r#"
error[too-many-steps]: Too many steps
 --> <expression>:1:73
  |
1 | [for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a * b * c]]]
  |                                                                         ^^^^^^^^^
  |
  = note: The evaluation exceeds the limit of 100,000 steps.

"#]]);
    folder.hcl(&["eval", "--timeout", "0.2", loops]).code(1).stdout_eq(str![]).stderr_eq(str![[r#"
error[deadline-exceeded]: Time limit reached
 --> <expression>:1:[..]
  |
1 | [for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a * b * c]]]
  | [..]
  |
  = note: The time ran out before this was finished.

"#]]);
    folder.hcl(&["eval", "--timeout", "-1", "1"]).code(2);
    folder.hcl(&["eval", "--timeout", "60", "1"]).success();
    let deep = |levels| format!("{}x{}", "[".repeat(levels), "]".repeat(levels));
    folder.hcl_reading(&["eval", "--max-nesting", "6000", "--var", "x=1"], &deep(5_000)).code(1);
    folder.hcl_reading(&["eval", "--max-nesting", "6000", "--var", "x=1"], &deep(3_000)).success();
    folder.hcl_reading(&["eval", "--var", "x=1", "--output", "json"], &deep(900)).success();
    folder
        .hcl_reading(&["eval"], &format!("{}1", "1+".repeat(100_000)))
        .success()
        .stdout_eq("100001\n".to_owned());
}

#[test]
fn the_example_is_rendered() {
    let example = |name: &str| format!("{}/../../examples/nginx/{name}", env!("CARGO_MANIFEST_DIR"));
    let expected = std::fs::read_to_string(example("nginx.conf")).unwrap();
    let (template, variables) = (example("nginx.conf.tftpl"), example("sites.tfvars"));
    Folder::with(&[])
        .hcl(&["eval", "--template", "-f", &template, "--var-file", &variables])
        .success()
        .stdout_eq(expected)
        .stderr_eq(str![]);
}

#[test]
fn attributes_that_nobody_set_are_left_by_partial_evaluation() {
    let folder = Folder::with(&[("prod.tfvars", "region = \"eu\"\nnet = { zone = \"a\" }\n")]);
    let partial = ["eval", "--partial", "--var-file", "var=prod.tfvars", "--var", "local.x.y=1"];
    let expression = r#"[var.region, var.size + 1, var["net"].zone, local.x.z, local.x["y"], local.w[0]]"#;
    folder.command(&partial).arg(expression).assert().success().stderr_eq(str![]).stdout_eq(str![[r#"
["eu", var.size + 1, "a", local.x.z, 1, local.w[0]]

"#]]);
    // What is an object as a whole has no others.
    folder.command(&partial).arg("var.net.name").assert().code(1);
    folder.command(&partial[..1]).args(&partial[2..]).arg("var.size").assert().code(1);
}

#[test]
fn what_partial_evaluation_leaves_of_a_file_is_a_file() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folder = Folder::with(&[]);
    let mut tried = 0;
    for language in std::fs::read_dir(examples).unwrap().map(|entry| entry.unwrap().path()) {
        if !language.is_dir() || language.ends_with("broken") {
            continue;
        }
        for file in std::fs::read_dir(language).unwrap().map(|entry| entry.unwrap().path()) {
            if hclkit::Syntax::of_path(&file) != Some(hclkit::Syntax::Native) {
                continue;
            }
            let file = file.to_str().unwrap();
            let args = ["eval", "--partial", "--functions", "packer", "-f", file];
            let output = folder.command(&args).output().unwrap();
            assert!(output.status.success(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
            folder.command(&["check", "-"]).stdin(output.stdout).assert().success();
            tried += 1;
        }
    }
    assert!(tried > 5);
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
templatefile("x.tmpl", { nam = "Ann", ports = [] })  error: `templatefile` has no result: x.tmpl:1:15: Unknown variable: There is no variable named `name`. Did you mean `nam`?
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
    // The function sees what is sensitive.
    explained("templatestring(t, { a = sensitive(1) })").success().stdout_eq(str![[r#"
templatestring(t, { a = sensitive(1) })  → (sensitive)
├─ t                                     → "$${a}"
└─ { a = sensitive(1) }                  → { a = (sensitive) }
   └─ sensitive(1)                       → (sensitive)

"#]]);
}

#[test]
fn what_is_written_wrong_on_the_command_line() {
    let folder = Folder::with(&[]);
    let error = |args: &[&str]| {
        let output = folder.command(&["eval"]).args(args).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        let line =
            text.lines().find(|line| ["tip:", "hint:", "value"].iter().any(|word| line.contains(word)));
        format!("{} {}", output.status.code().unwrap(), line.unwrap_or(&text).trim())
    };
    for (args, wanted) in [
        (
            &["a", "+", "b"][..],
            "2 tip: an expression is one argument: put it in quotes, such as hcl eval 'a + b'",
        ),
        (&["1", "--foo"], "2 tip: to pass '--foo' as a value, use '-- --foo'"),
        (&["--var", "x=", "x"], "1 hint: an empty string is a pair of quotes: --var 'x=\"\"'"),
        (
            &["--functions", "none", "f()"],
            "1 hint: --functions LIBRARY gives expressions functions, such as --functions terraform",
        ),
        (
            &["a = 1"],
            "1 hint: attributes are evaluated with -f FILE, where `-` is standard input; `==` compares",
        ),
        (
            &["--var", "null=1", "1"],
            "2 error: invalid value 'null=1' for '--var <NAME=EXPR>': `null` is a value and cannot be the name of a \
             variable",
        ),
        (&["upper"], "1 hint: `upper` is a function: it is called with parentheses, upper(…)"),
        (
            &["--timeout", "-1", "1"],
            "2 error: invalid value '-1' for '--timeout <SECONDS>': expected a number of seconds, such as 2.5",
        ),
        (
            &["--max-steps", "1e5", "1"],
            "2 error: invalid value '1e5' for '--max-steps <N>': expected a whole number, such as 100000",
        ),
    ] {
        assert_eq!(error(args), wanted, "{args:?}");
    }
    folder.hcl(&["eval", "--explain", "--show-sensitive", "1"]).code(2);
}

#[test]
fn many_blocks_are_numbered_and_the_first_listed() {
    let folder = Folder::with(&[("many.hcl", &"rule {\n  on = true\n}\n".repeat(50_000))]);
    let listed: Vec<String> = (0..20).map(|at| format!("rule[{at}]")).collect();
    let error = format!("error: rule could be in each of {}, …\n", listed.join(", "));
    folder.hcl(&["eval", "-f", "many.hcl", "--attr", "rule"]).code(2).stderr_eq(error);
    folder.hcl(&["eval", "-f", "many.hcl", "--attr", "rule[49999].on"]).success().stdout_eq("true\n");
    let explained = folder.command(&["eval", "-f", "many.hcl", "--explain"]).output().unwrap();
    let text = String::from_utf8(explained.stdout).unwrap();
    assert!(text.ends_with("rule[49999].on\ntrue  → true\n"));
}

#[test]
fn files_of_many_variables_become_an_object() {
    let many = (0..20_000).map(|at| format!("k{at} = {at}")).collect::<Vec<_>>().join("\n");
    let folder = Folder::with(&[("many.tfvars", &many), ("none.tfvars", "")]);
    let eval = ["eval", "--var", "v.w.own=1", "--var-file", "v.w=many.tfvars", "--var-file", "v=none.tfvars"];
    let worth = |expression: &str| folder.command(&eval).arg(expression).assert().success();
    worth("[v.w.own, v.w.k0, v.w.k19999, length(v.w)]").stdout_eq("[1, 0, 19999, 20001]\n");
    folder.hcl(&["eval", "--var-file", "v=none.tfvars", "v"]).success().stdout_eq("{}\n");
}

#[test]
fn a_dash_is_standard_output() {
    let folder = Folder::with(&[("a.hcl", "a = 1\n"), ("s.hcldec", "attr {\n  name = \"a\"\n}\n")]);
    folder.hcl(&["eval", "-o", "-", "1 + 1"]).success().stdout_eq("2\n");
    folder.hcl(&["convert", "--compact", "-o", "-", "a.hcl"]).success().stdout_eq("{\"a\":1}\n");
    for output in ["json", "hcl"] {
        let decode = ["decode", "--spec", "s.hcldec", "--output", output, "-o", "-", "a.hcl"];
        folder.hcl(&decode).success().stdout_eq("1\n");
    }
    assert!(!folder.path("-").exists());
}

#[test]
fn addresses_lead_into_objects_and_maps_alike() {
    let folder = Folder::with(&[("a.hcl", "a = { x = tomap({ y = [1, { \"z z\" = 2 }] }) }\n")]);
    let at = |address: &str| folder.hcl(&["eval", "-f", "a.hcl", "--attr", address]);
    for address in ["a.x.y[1][\"z z\"]", "a[\"x\"][\"y\"][1][\"z z\"]"] {
        at(address).success().stdout_eq("2\n");
    }
    at("a[0]").code(2).stderr_eq(str![[r#"
error: there is nothing at a[0]: only a list, set, map or tuple has elements under keys

"#]]);
    at("a.x.q").code(2).stderr_eq(str![[r#"
error: there is nothing at a.x.q: there is no element under the given key

"#]]);
}

#[test]
fn partial_evaluation_says_no_more_than_is_certain() {
    let folder = Folder::with(&[(
        "main.tf",
        r#"# The whole of it.
config = <<-EOT
    upstream {
    %{ for ip in ips ~}
      server ${ip}:${port};
    %{ endfor ~}
    } ${zone}
EOT
ports = <<-EOT
    %{ for ip in ips }
    - ${ip}:${port}
    %{ endfor }
    end ${zone}
EOT
user_data = templatefile("start.sh", { port = port })
providers = { aws.east = aws.west }
made      = [timestamp(), uuid(), bcrypt("x"), upper("a")] # now
secret    = { user = "app", password = password, url = "x:${password}@${zone}:${port}" }
"#,
    )]);
    let partial = |args: &[&str]| folder.command(&["eval", "--partial"]).args(args).assert();
    let vars =
        ["--var", "ips=[\"a\", \"b\"]", "--var", "port=80", "--var", "password=sensitive(\"hunter2\")"];
    let all = [&["-f", "main.tf"], &vars[..]].concat();
    partial(&all).success().stderr_eq("").stdout_eq(str![[r#"
# The whole of it.
config = <<-EOT
    upstream {
          server a:80;
          server b:80;
        } ${zone}
EOT
ports = <<-EOT

    - a:80

    - b:80

    end ${zone}
EOT
user_data = templatefile("start.sh", { port = 80 })
providers = { aws.east = aws.west }
made      = [timestamp(), uuid(), bcrypt("x"), "A"] # now
secret    = { user = "app", password = password, url = "x:${password}@${zone}:${port}" }

"#]]);
    for (args, wanted) in [
        (&["1 + 2 + x"] as &[&str], "3 + x\n"),
        (&["a ? upper(b) : \"x\"", "--var", "a=true"], "upper(b)\n"),
        (&["a ? b : null", "--var", "a=true"], "b\n"),
        (&["a ? b : c", "--var", "a=true"], "true ? b : c\n"),
        (&["file(\"x\")"], "file(\"x\")\n"),
        (&["try(file(p), \"none\")", "--var", "p=\"x\""], "try(file(\"x\"), \"none\")\n"),
        (&["length(timestamp())", "--impure"], "20\n"),
        (&["{ aws.east = aws.west }"], "{ aws.east = aws.west }\n"),
        (&["p", "--var", "p=sensitive(\"hunter2\")"], "p\n"),
        (&["[p, x]", "--var", "p=sensitive(\"hunter2\")", "--show-sensitive"], "[\"hunter2\", x]\n"),
        (&["[1, /* two */ 1 + 1, x]"], "[1, /* two */ 2, x]\n"),
    ] {
        partial(args).success().stderr_eq("").stdout_eq(wanted.to_owned());
    }
    folder.command(&["eval", "--impure", "1"]).assert().code(2);
}

#[test]
fn partial_evaluation_of_long_sources_ends_soon() {
    let folder = Folder::with(&[]);
    let unknown = vec!["u"; 100_000].join(" || ");
    let partial = ["eval", "--partial", "--timeout", "60", "-"];
    folder.command(&partial).stdin(unknown.clone()).assert().success().stdout_eq(format!("{unknown}\n"));
    let attributes: Vec<String> = (0..20_000).map(|n| format!("u.a{n}")).collect();
    let attributes = attributes.join(" + ");
    let partial = ["eval", "--partial", "--timeout", "60", "--var", "u.zz=1", "-"];
    folder
        .command(&partial)
        .stdin(attributes.clone())
        .assert()
        .success()
        .stdout_eq(format!("{attributes}\n"));
    let partial = ["eval", "--partial", "--timeout", "60", "-"];
    let calls = format!("{}u{}", "f(".repeat(400), ")".repeat(400));
    folder.command(&partial).stdin(calls.clone()).assert().success().stdout_eq(format!("{calls}\n"));
}
