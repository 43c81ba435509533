//! `hcl eval`: expressions, files, templates, variables, and output formats.

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

pub(crate) fn folder() -> Folder {
    Folder::with(&[("app.hcl", APP), ("prod.tfvars", VALUES)])
}

/// The output for an expression.
pub(crate) fn eval(args: &[&str]) -> String {
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
error: expected a string, number or bool, but the value is of type tuple; use --output json to write it

"#]]);
    folder.hcl(&["eval", "-f", "app.hcl", "--output", "raw"]).code(2).stderr_eq(str![[r#"
error: --output raw requires a single value; select one with --attr

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
fn files_are_evaluated_in_source_order() {
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
    assert_eq!(at("backup.at"), "2 error: backup.at is ambiguous; it could refer to backup[0], backup[1]");
    assert_eq!(
        at("backup[2].at"),
        "1 error: nothing found at backup[2].at: the index of the last block is 1"
    );
    assert_eq!(
        at("server.at"),
        "1 error: nothing found at server.at; the blocks are server.web, server[\"data base\"]"
    );
    assert_eq!(at("sever.web"), "1 error: nothing found at sever.web: no `sever`; did you mean `server`?");
    assert_eq!(
        at("server.web.x"),
        "1 error: nothing found at server.web.x: no `x`; expected port, hosts, limits"
    );
    assert_eq!(at("name.x"), "1 error: nothing found at name.x: only an object has attributes");
    assert_eq!(
        at("1 + 1"),
        "2 error: `1 + 1` is not a valid address; expected a form such as server.web.port or server[\"a b\"].ports[0]"
    );
    folder.hcl(&["eval", "--attr", "a", "1"]).code(2).stderr_eq(str![[r#"
error: --attr requires a file; specify it with -f

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
    folder.command(&base).args(["--attr", "sever.web.url", "--allow-empty"]).assert().success().stderr_eq("");
    folder.command(&base).args(["--attr", "sever.web.url"]).assert().code(1).stderr_eq(str![[r#"
error: nothing found at sever.web.url: no `sever`; did you mean `server`?

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

hint: set variables with --var NAME=EXPR or --vars FILE, or use --partial to evaluate as much as possible without them

"#]]);
    folder.hcl(&["eval", "-f", "bad.json"]).code(1).stdout_eq(str![]).stderr_eq(str![[r#"
error[json-extra-comma]: Unexpected comma
 --> bad.json:1:12
  |
1 | {"a": "${b",}
  |            ^
  |
  = note: A comma before the closing bracket is not allowed in JSON.
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
    let into = ["eval", "--template", "-f", "t.conf", "--out", "out.conf"];
    folder.command(&into).args(["--var", "ports=[1]"]).assert().success().stdout_eq(str![]);
    assert_eq!(folder.read("out.conf"), "listen 1;\nend");
    folder.command(&into).assert().code(1).stdout_eq(str![]);
    assert_eq!(folder.read("out.conf"), "listen 1;\nend");
    folder.hcl(&["eval", "{ a = 1 }", "--out", "a.hcl", "--color", "always"]).success();
    assert_eq!(folder.read("a.hcl"), "{ a = 1 }\n");
    folder.hcl(&["eval", "1", "--out", "none/a.hcl"]).code(2).stderr_eq(str![[r#"
error: cannot write none/a.hcl: No such file or directory (os error 2)

"#]]);
    folder.hcl(&["eval", "--template", "${[1]}"]).code(1).stderr_eq(str![[r#"
error: expected a string, number or bool, but the value is of type tuple; use --output json to write it

"#]]);
    folder.hcl(&["eval", "--template", "t.conf"]).code(2).stderr_eq(str![[r#"
error: t.conf is a file; use -f to render its content as a template

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

hint: strings must be quoted: --var 'region="eu"'

"#]]);
    folder.hcl(&["eval", "--var", "x", "x"]).code(2).stderr_eq(str![[r#"
error: invalid value 'x' for '--var <NAME=EXPR>': expected NAME=EXPR, such as count=2

For more information, try '--help'.

"#]]);
    folder.hcl(&["eval", "--var-file", "a.tfvars", "x"]).code(1).stderr_eq(str![[r#"
error[variables-not-allowed]: Variables not allowed
 --> a.tfvars:1:5
  |
1 | x = y
  |     ^
  |
  = note: Variables may not be used here. Only literal values are allowed.

error[invalid-block]: Invalid block definition
 --> a.tfvars:2:1
  |
2 | server "web" {
  | ^^^^^^
  |
  = note: A variables file must contain only arguments (`name = value`). To set `server` to an object, write `server = { … }`.

"#]]);
    folder.hcl(&["eval", "--var-file", "b.json", "x"]).code(1).stderr_eq(str![[r#"
error[json-extra-comma]: Unexpected comma
 --> b.json:1:8
  |
1 | {"x": 1,}
  |        ^
  |
  = note: A comma before the closing bracket is not allowed in JSON.
help: Remove the comma
  |
1 - {"x": 1,}
1 + {"x": 1}
  |

"#]]);
    folder.hcl(&["eval", "--var-file", "none.tfvars", "x"]).code(2).stderr_eq(str![[r#"
error: cannot read none.tfvars: No such file or directory (os error 2); --vars expects a file or a JSON object, such as '{"name": "value"}'

"#]]);
}

#[test]
fn sensitive_values_are_shown_only_on_request() {
    let folder = Folder::with(&[("a.hcl", "name = \"x\"\nlogin {\n  password = sensitive(\"secret\")\n}\n")]);
    folder.hcl(&["eval", "-f", "a.hcl"]).success().stdout_eq(str![[r#"
name = "x"

login {
  password = (sensitive)
}

"#]]);
    folder.hcl(&["eval", "-f", "a.hcl", "--output", "json"]).code(1).stdout_eq(str![]).stderr_eq(str![[r#"
error: login.password is marked as sensitive; use --show-sensitive to write it

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
error: the value is marked as sensitive; use --show-sensitive to write it

"#]]);
    folder
        .hcl(&["eval", "--template", "${p}!", "--var", "p=sensitive(\"secret\")", "--show-sensitive"])
        .success()
        .stdout_eq("secret!".to_owned());
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
fn mistakes_on_the_command_line_have_hints() {
    let folder = Folder::with(&[]);
    let error = |args: &[&str]| {
        let output = folder.command(&["eval"]).args(args).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        let line = text
            .lines()
            .find(|line| ["tip:", "hint:", "value", "quote"].iter().any(|word| line.contains(word)));
        format!("{} {}", output.status.code().unwrap(), line.unwrap_or(&text).trim())
    };
    for (args, wanted) in [
        (
            &["a", "+", "b"][..],
            "2 error: unexpected argument `+`: quote an expression to pass it as one argument, as in hcl eval 'a + b'",
        ),
        (&["1", "--foo"], "2 tip: to pass '--foo' as a value, use '-- --foo'"),
        (&["--var", "x=", "x"], "1 hint: to set an empty string, use --var 'x=\"\"'"),
        (
            &["--functions", "none", "f()"],
            "1 hint: use --functions LIBRARY to enable functions, such as --functions terraform",
        ),
        (
            &["a = 1"],
            "1 hint: use -f FILE to evaluate attributes (`-` is standard input), or `==` to compare values",
        ),
        (
            &["--var", "null=1", "1"],
            "2 error: invalid value 'null=1' for '--var <NAME=EXPR>': `null` is a keyword and cannot be used as a \
             variable name",
        ),
        (&["upper"], "1 hint: `upper` is a function; call it with parentheses: upper(…)"),
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
    let error = format!("error: rule is ambiguous; it could refer to {}, …\n", listed.join(", "));
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
    folder.hcl(&["eval", "--out", "-", "1 + 1"]).success().stdout_eq("2\n");
    folder.hcl(&["convert", "--compact", "--out", "-", "a.hcl"]).success().stdout_eq("{\"a\":1}\n");
    for output in ["json", "hcl"] {
        let decode = ["decode", "--spec", "s.hcldec", "--output", output, "--out", "-", "a.hcl"];
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
    at("a[0]").code(1).stderr_eq(str![[r#"
error: nothing found at a[0]: only a list, set, map or tuple can be indexed

"#]]);
    at("a.x.q").code(1).stderr_eq(str![[r#"
error: nothing found at a.x.q: the given key does not identify an element

"#]]);
}
