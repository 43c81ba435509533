//! `hcl decode` on the example language: values in every format, variables, errors, and `--watch`.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::program::{Folder, program};
use snapbox::str;

/// A file of the example language.
fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/service").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// A directory with the files of the example language.
pub(crate) fn service() -> Folder {
    let folder = Folder::with(&[]);
    for name in ["service.hcldec", "web.hcl", "web.hcl.json", "production.tfvars"] {
        folder.write(name, example(name));
    }
    folder
}

/// A directory with a spec of two arguments.
fn small() -> Folder {
    let spec = "object {\n  attr \"a\" {\n    type = number\n  }\n  attr \"b\" {\n    type = any\n  }\n}\n";
    Folder::with(&[("s.hcldec", spec), ("c.hcl", "a = x + 1\nb = { n = null, t = \"<\" }\n")])
}

const WEB: [&str; 7] =
    ["decode", "--spec", "service.hcldec", "--dynamic", "--vars", "production.tfvars", "web.hcl"];

#[test]
fn example_language() {
    let expected = str![[r#"
{
  "checks": {
    "alive": {
      "every": "10s",
      "path": "/healthz"
    },
    "ready": {
      "every": "30s",
      "path": "/ready"
    }
  },
  "environment": {
    "BANNER": "This is production.\nBe kind.\n",
    "LOG_LEVEL": "info"
  },
  "image": "registry.example.com/shop:2.4.1",
  "listeners": [
    {
      "port": 8001,
      "protocol": "http",
      "tls": {
        "certificate": "/etc/certificates/blue.pem",
        "versions": [
          "1.2",
          "1.3"
        ]
      }
    },
    {
      "port": 8002,
      "protocol": "http",
      "tls": {
        "certificate": "/etc/certificates/green.pem",
        "versions": [
          "1.2",
          "1.3"
        ]
      }
    },
    {
      "port": 9090,
      "protocol": "metrics"
    }
  ],
  "name": "shop-production",
  "replicas": 3,
  "resources": {
    "cpu": 0.5,
    "memory": "512Mi"
  }
}

"#]];
    service().hcl(&WEB).success().stdout_eq(expected);
    let native = service().command(&WEB).output().unwrap();
    let json = service().command(&WEB[..6]).arg("web.hcl.json").output().unwrap();
    assert_eq!(native.stdout, json.stdout);
}

#[test]
fn formats() {
    service().hcl(&[&WEB[..], &["--output", "hcl"]].concat()).success().stdout_eq(str![[r#"
checks = {
  alive = { every = "10s", path = "/healthz" }
  ready = { every = "30s", path = "/ready" }
}
environment = {
  BANNER = <<-EOT
    This is production.
    Be kind.
  EOT
  LOG_LEVEL = "info"
}
image = "registry.example.com/shop:2.4.1"
listeners = [
  {
    port     = 8001
    protocol = "http"
    tls = {
      certificate = "/etc/certificates/blue.pem"
      versions    = ["1.2", "1.3"]
    }
  },
  {
    port     = 8002
    protocol = "http"
    tls = {
      certificate = "/etc/certificates/green.pem"
      versions    = ["1.2", "1.3"]
    }
  },
  { port = 9090, protocol = "metrics" },
]
name      = "shop-production"
replicas  = 3
resources = { cpu = 0.5, memory = "512Mi" }

"#]]);
    service().hcl(&[&WEB[..], &["--output", "yaml"]].concat()).success().stdout_eq(str![[r#"
checks:
  alive:
    every: "10s"
    path: /healthz
  ready:
    every: "30s"
    path: /ready
environment:
  BANNER: |
    This is production.
    Be kind.
  LOG_LEVEL: info
image: "registry.example.com/shop:2.4.1"
listeners:
- port: 8001
  protocol: http
  tls:
    certificate: /etc/certificates/blue.pem
    versions:
    - "1.2"
    - "1.3"
- port: 8002
  protocol: http
  tls:
    certificate: /etc/certificates/green.pem
    versions:
    - "1.2"
    - "1.3"
- port: 9090
  protocol: metrics
name: shop-production
replicas: 3
resources:
  cpu: 0.5
  memory: "512Mi"

"#]]);
    let small = small();
    let run = |more: &[&str]| {
        small.hcl(&[&["decode", "--spec", "s.hcldec", "--vars", "{\"x\": 1}", "c.hcl"], more].concat())
    };
    run(&["--compact"]).success().stdout_eq(str![[r#"
{"a":2,"b":{"t":"<"}}

"#]]);
    run(&["--compact", "--keep-nulls"]).success().stdout_eq(str![[r#"
{"a":2,"b":{"n":null,"t":"<"}}

"#]]);
    run(&["--compact", "--with-type"]).success().stdout_eq(str![[r#"
{"value":{"a":2,"b":{"t":"<"}},"type":["object",{"a":"number","b":["object",{"n":"dynamic","t":"string"}]}]}

"#]]);
    run(&["--output", "hcl", "--keep-nulls"]).success().stdout_eq(str![[r#"
a = 2
b = { n = null, t = "<" }

"#]]);
    run(&["--var-refs", "--compact"]).success().stdout_eq(str![[r#"
[{"root_name":"x","steps":[{"kind":"root","name":"x","range":{"filename":"c.hcl","start":{"line":1,"column":5,"byte":4},"end":{"line":1,"column":6,"byte":5}}}],"range":{"filename":"c.hcl","start":{"line":1,"column":5,"byte":4},"end":{"line":1,"column":6,"byte":5}}}]

"#]]);
}

#[test]
fn variables_and_functions() {
    let small = small();
    let run = |more: &[&str]| small.hcl(&[&["decode", "--spec", "s.hcldec", "--compact"], more].concat());
    small.write("x.json", "{\"x\": 10}");
    small.write("x.tfvars", "x = 20\n");
    run(&["c.hcl", "--vars", "x.json"]).success().stdout_eq(str![[r#"
{"a":11,"b":{"t":"<"}}

"#]]);
    run(&["c.hcl", "--vars", "x.json", "--vars", "x.tfvars"]).success().stdout_eq(str![[r#"
{"a":21,"b":{"t":"<"}}

"#]]);
    small.write("f.hcl", "a = max(1, 2)\n");
    run(&["f.hcl", "--functions", "cty"]).success().stdout_eq(str![[r#"
{"a":2}

"#]]);
    run(&["f.hcl"]).code(1).stderr_eq(str![[r#"
error[functions-not-allowed]: Function calls not allowed
 --> f.hcl:1:5
  |
1 | a = max(1, 2)
  |     ^^^^^^^^^
  |
  = note: Functions may not be called here.

hint: use --functions LIBRARY to enable functions, such as --functions cty

"#]]);
    run(&["c.hcl"]).code(1).stderr_eq(str![[r#"
error[unknown-variable]: Unknown variable
 --> c.hcl:1:5
  |
1 | a = x + 1
  |     ^
  |
  = note: There is no variable named `x`.

hint: set variables with --var NAME=EXPR or --vars FILE

"#]]);
}

#[test]
fn several_files_and_standard_input() {
    let small = small();
    small.write("1.hcl", "a = 1\n");
    small.write("2.hcl.json", "{\"b\": \"${1 + 1}\"}");
    small.hcl(&["decode", "--spec", "s.hcldec", "--compact", "1.hcl", "2.hcl.json"]).success().stdout_eq(
        str![[r#"
{"a":1,"b":"${1 + 1}"}

"#]],
    );
    small.hcl_reading(&["decode", "--spec", "s.hcldec", "--compact"], "a = 5\n").success().stdout_eq(str![[
        r#"
{"a":5}

"#
    ]]);
    small.hcl_reading(&["decode", "--spec", "s.hcldec", "--compact", "-"], "a = 6\n").success().stdout_eq(
        str![[r#"
{"a":6}

"#]],
    );
    small.hcl(&["decode", "--spec", "s.hcldec", "1.hcl", "1.hcl"]).code(1).stderr_eq(str![[r#"
error[duplicate-attribute]: Attribute redefined
 --> 1.hcl:1:1
  |
1 | a = 1
  | ^
  |
  = note: The argument `a` is already set at 1.hcl:1:1.

"#]]);
}

#[test]
fn the_file_extension_is_case_insensitive() {
    let folder = service();
    folder.write("s.hcldec", "attr {\n  name = \"a\"\n  type = number\n}\n");
    folder.write("X.JSON", "{\"a\": 5}");
    folder.hcl(&["decode", "--spec", "s.hcldec", "X.JSON"]).success().stdout_eq("5\n");
    folder.hcl(&["check", "--spec", "s.hcldec", "X.JSON"]).success();
    folder.write("V.JSON", "{\"v\": 6}");
    folder.write("v.hcl", "a = v\n");
    folder.hcl(&["decode", "--spec", "s.hcldec", "--vars", "V.JSON", "v.hcl"]).success().stdout_eq("6\n");
    folder.hcl(&["eval", "--var-file", "V.JSON", "v"]).success().stdout_eq("6\n");
    folder.hcl(&["eval", "-f", "X.JSON", "--attr", "a"]).success().stdout_eq("5\n");
}

#[test]
fn errors_are_in_the_order_of_the_files() {
    let folder = service();
    folder.write(
        "s.hcldec",
        "object {\n  attr \"z\" {\n    type = number\n  }\n  attr \"a\" {\n    type = number\n  }\n}\n",
    );
    folder.write("2.hcl", "a = \"x\"\nb = 1\n");
    folder.write("1.hcl", "c = 1\nz = \"y\"\n");
    let places = |files: [&str; 2]| {
        let told = folder.command(&["decode", "--spec", "s.hcldec", files[0], files[1]]).output().unwrap();
        let told = String::from_utf8(told.stderr).unwrap();
        let places = told.lines().filter_map(|line| line.trim_start().strip_prefix("--> "));
        places.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(places(["2.hcl", "1.hcl"]), ["2.hcl:1:5", "2.hcl:2:1", "1.hcl:1:1", "1.hcl:2:5"]);
    assert_eq!(places(["1.hcl", "2.hcl"]), ["1.hcl:1:1", "1.hcl:2:5", "2.hcl:1:5", "2.hcl:2:1"]);
}

#[test]
fn errors() {
    let folder = service();
    folder.write(
        "broken.hcl",
        "name  = \"shop\"\nimage = \"shop:2.4.1\"\n\nlisten {\n  port    = \"eighty\"\n  protocl = \"https\"\n\n  tls {\n  }\n}\n",
    );
    folder.hcl(&["decode", "--spec", "service.hcldec", "broken.hcl"]).code(1).stdout_eq("").stderr_eq(str![
        [r#"
error[invalid-attribute-value]: Incorrect attribute value type
 --> broken.hcl:5:13
  |
5 |   port    = "eighty"
  |             ^^^^^^^^
  |
  = note: Invalid value for the argument `port`: a number is required.

error[unsupported-argument]: Unsupported argument
 --> broken.hcl:6:3
  |
6 |   protocl = "https"
  |   ^^^^^^^
  |
  = note: An argument named `protocl` is not expected here. Did you mean `protocol`?
help: Write `protocol`
  |
6 |   protocol = "https"
  |         +

error[missing-attribute]: Missing required argument
 --> broken.hcl:8:7
  |
8 |   tls {
  |       ^
  |
  = note: The argument `certificate` is required, but it is not set.

"#]
    ]);
    folder
        .hcl(&["decode", "--spec", "service.hcldec", "broken.hcl", "--report", "github"])
        .code(1)
        .stderr_eq(str![[r#"
::error file=broken.hcl,line=5,endLine=5,col=13,endColumn=20,title=Incorrect attribute value type [invalid-attribute-value]::Invalid value for the argument `port`: a number is required.
::error file=broken.hcl,line=6,endLine=6,col=3,endColumn=9,title=Unsupported argument [unsupported-argument]::An argument named `protocl` is not expected here. Did you mean `protocol`?%0ASuggested fix: Write `protocol`.
::error file=broken.hcl,line=8,endLine=8,col=7,endColumn=7,title=Missing required argument [missing-attribute]::The argument `certificate` is required, but it is not set.

"#]]);
    folder.hcl(&["decode", "--spec", "service.hcldec", "web.hcl"]).code(1).stderr_eq(str![[r#"
error[unknown-variable]: Unknown variable
 --> web.hcl:2:20
  |
2 | name     = "shop-${environment}"
  |                    ^^^^^^^^^^^
  |
  = note: There is no variable named `environment`.

error[unknown-variable]: Unknown variable
 --> web.hcl:3:32
  |
3 | image    = "${registry}/shop:${release}"
  |                                ^^^^^^^
  |
  = note: There is no variable named `release`.

error[unknown-variable]: Unknown variable
 --> web.hcl:4:12
  |
4 | replicas = environment == "production" ? 3 : 1
  |            ^^^^^^^^^^^
  |
  = note: There is no variable named `environment`.

error[unsupported-block]: Unsupported block type
 --> web.hcl:7:1
  |
7 | dynamic "listen" {
  | ^^^^^^^
  |
  = note: Blocks of type `dynamic` are not expected here.

error[unknown-variable]: Unknown variable
  --> web.hcl:35:15
   |
35 |   LOG_LEVEL = environment == "production" ? "info" : "debug"
   |               ^^^^^^^^^^^
   |
   = note: There is no variable named `environment`.

error[unknown-variable]: Unknown variable
  --> web.hcl:37:15
   |
37 |     This is ${environment}.
   |               ^^^^^^^^^^^
   |
   = note: There is no variable named `environment`.

hint: use --dynamic to expand `dynamic` blocks

"#]]);
    folder.hcl(&["decode", "--spec", "nowhere.hcldec", "web.hcl"]).code(2).stderr_eq(str![[r#"
error: cannot read nowhere.hcldec: No such file or directory (os error 2)

"#]]);
    folder.hcl(&["decode", "--spec", "service.hcldec", "nowhere.hcl"]).code(2).stderr_eq(str![[r#"
error: cannot read nowhere.hcl: No such file or directory (os error 2)

"#]]);
    folder.hcl(&["decode", "--spec", "service.hcldec", "--vars", "a=1"]).code(2).stderr_eq(str![[r#"
error: cannot read 1: No such file or directory (os error 2); to set a single variable, use --var a=1

"#]]);
    folder.hcl(&["decode", "web.hcl"]).code(2);
    folder.write("wrong.hcldec", "attr {\n  nme = \"a\"\n}\n");
    folder.hcl(&["decode", "--spec", "wrong.hcldec", "web.hcl"]).code(1).stderr_eq(str![[r#"
error[unsupported-argument]: Unsupported argument
 --> wrong.hcldec:2:3
  |
2 |   nme = "a"
  |   ^^^
  |
  = note: An argument named `nme` is not expected here. Did you mean `name`?
help: Write `name`
  |
2 |   name = "a"
  |    +

error[invalid-spec]: Invalid spec
 --> wrong.hcldec:1:6
  |
1 | attr {
  |      ^
  |
  = note: `name` is required: it sets the name of the argument in the configuration. It can be omitted only directly inside an `object`, where it defaults to the attribute name.

"#]]);
}

#[test]
fn files_are_written_completely_or_not_at_all() {
    let folder = service();
    folder.hcl(&[&WEB[..], &["--out", "web.json"]].concat()).success().stdout_eq("");
    let written = folder.read("web.json");
    assert_eq!(written.as_bytes(), folder.command(&WEB).output().unwrap().stdout);
    folder.hcl(&["decode", "--spec", "service.hcldec", "web.hcl", "--out", "web.json"]).code(1);
    assert_eq!(folder.read("web.json"), written);
    folder.hcl(&[&WEB[..], &["--out", "no/where.json"]].concat()).code(2);
}

/// Runs `decode --watch` while `work` waits for outputs.
fn watched(folder: &Folder, work: impl FnOnce(&dyn Fn(&str) -> bool)) {
    let mut child = std::process::Command::new(program())
        .args(["decode", "--spec", "s.hcldec", "--compact", "c.hcl", "--watch", "--out", "out.json"])
        .current_dir(folder.path(""))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let reads = |text: &str| {
        // One minute is enough on a slow machine. If the output has not arrived by then, the test fails.
        (0..600).any(|_| {
            std::thread::sleep(Duration::from_millis(100));
            std::fs::read_to_string(folder.path("out.json")).is_ok_and(|found| found == text)
        })
    };
    work(&reads);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn watching() {
    let small = small();
    small.write("c.hcl", "a = 1\n");
    let mut both = (false, false);
    watched(&small, |reads| {
        both.0 = reads("{\"a\":1}\n");
        // An error does not end the watching.
        small.write("c.hcl", "a = \"no\"\n");
        small.write("c.hcl", "a = 2\n");
        both.1 = reads("{\"a\":2}\n");
    });
    assert_eq!(both, (true, true));
    small.hcl_reading(&["decode", "--spec", "s.hcldec", "--watch"], "").code(2).stderr_eq(str![[r#"
error: --watch requires files; standard input cannot be watched

"#]]);
}

#[test]
fn watching_a_directory_in_which_another_file_changes_all_the_time() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let small = small();
    small.write("c.hcl", "a = 1\n");
    let (done, mut all) = (AtomicBool::new(false), Vec::new());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                small.write("other", "x");
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        watched(&small, |reads| {
            for turn in 2..5 {
                small.write("c.hcl", format!("a = {turn}\n"));
                all.push(reads(&format!("{{\"a\":{turn}}}\n")));
            }
        });
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(all, [true; 3]);
}

#[cfg(unix)]
#[test]
fn watching_does_not_wait_for_pipes() {
    let pipe = |folder: &Folder| {
        let path = folder.path("c.hcl");
        std::fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    let small = small();
    pipe(&small);
    let arguments = ["decode", "--spec", "s.hcldec", "c.hcl", "--watch", "--out", "out.json"];
    small.hcl(&arguments).code(2).stderr_eq("error: --watch requires regular files; c.hcl is not one\n");
    std::fs::remove_file(small.path("c.hcl")).unwrap();
    small.write("c.hcl", "a = 1\n");
    let mut all = Vec::new();
    watched(&small, |reads| {
        all.push(reads("{\"a\":1}\n"));
        // The pipe takes the place of the file, and is read before the file is back.
        pipe(&small);
        std::thread::sleep(Duration::from_secs(1));
        std::fs::remove_file(small.path("c.hcl")).unwrap();
        small.write("c.hcl", "a = 2\n");
        all.push(reads("{\"a\":2}\n"));
    });
    assert_eq!(all, [true; 2]);
}

#[test]
fn a_variable_file_can_be_an_object_on_the_command_line() {
    for (given, file, hint) in [
        ("[1]", "[1]", "--vars expects a file or a JSON object, such as '{\"name\": \"value\"}'"),
        ("a=1", "1", "to set a single variable, use --var a=1"),
    ] {
        let error = format!("error: cannot read {file}: No such file or directory (os error 2); {hint}\n");
        for command in
            [&["decode", "--spec", "s.hcldec"][..], &["check", "--spec", "s.hcldec"], &["eval"], &["console"]]
        {
            small().command(command).args(["--vars", given]).assert().code(2).stderr_eq(error.clone());
        }
    }
}

#[test]
fn standard_input_is_read_once() {
    let small = small();
    let twice = "error: cannot read <stdin>: standard input was already used by another argument\n";
    for args in [
        &["decode", "--spec", "-"][..],
        &["decode", "--spec", "-", "-"],
        &["check", "--spec", "-", "-"],
        &["eval", "--var-file", "-", "-"],
    ] {
        let input = if args[0] == "eval" { "x = 1\n" } else { "attr {\n  name = \"a\"\n}\n" };
        small.hcl_reading(args, input).code(2).stderr_eq(twice);
    }
    small.hcl_reading(&["console", "--var-file", "-"], "x = 1\n").code(2).stderr_eq(str![[r#"
error: --vars cannot read standard input, because the console reads expressions from it

"#]]);
    small.hcl_reading(&["eval", "--var-file", "-", "x"], "x = 1\n").success().stdout_eq("1\n");
}

#[test]
fn values_without_a_json_form_write_nothing() {
    let small = small();
    small.write("i.hcl", "a = 1\nb = [2, 1 / 0]\n");
    for output in ["json", "typed"] {
        let refused = small.hcl(&["decode", "--spec", "s.hcldec", "--output", output, "i.hcl"]).code(1);
        refused
            .stdout_eq("")
            .stderr_eq("error: the value cannot be written as JSON: it contains an infinity\n");
    }
}

#[test]
fn warnings() {
    let small = small();
    small.write("odd.json", b"{\"b\": \"\xff\"}");
    let odd = ["decode", "--spec", "s.hcldec", "--compact", "odd.json"];
    small.hcl(&odd).success().stdout_eq("{\"b\":\"\u{fffd}\"}\n").stderr_eq(str![[r#"
warning[invalid-encoding]: Invalid character encoding
 --> odd.json:1:8
  |
1 | {"b": "␚"}
  |        ^
  |
  = note: These bytes are not valid UTF-8; each is read as U+FFFD. Save the file as UTF-8.

"#]]);
    let counts = |args: &[&str], errors: usize, warnings: usize| {
        let output = small.command(args).args(["--report", "json"]).output().unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
        assert_eq!((&report["errors"], &report["warnings"]), (&errors.into(), &warnings.into()), "{report}");
    };
    counts(&odd, 0, 1);
    small.write("wrong.json", "{\"b\": \"\\ud800\", \"c\": 1}");
    counts(&["decode", "--spec", "s.hcldec", "odd.json", "wrong.json"], 2, 2);
    counts(&["eval", "-f", "odd.json"], 0, 1);
    small.write("wrong.json", "{\"b\": \"\\ud800\", \"c\": \"${x}\"}");
    counts(&["eval", "-f", "wrong.json"], 1, 1);
}
