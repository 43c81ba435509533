//! `hcl eval --partial`: the rest of expressions, templates and files.

use crate::eval::folder;
use crate::program::Folder;
use snapbox::str;

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
fn partial_evaluation_keeps_undefined_attributes() {
    let folder = Folder::with(&[("prod.tfvars", "region = \"eu\"\nnet = { zone = \"a\" }\n")]);
    let partial = ["eval", "--partial", "--var-file", "var=prod.tfvars", "--var", "local.x.y=1"];
    let expression = r#"[var.region, var.size + 1, var["net"].zone, local.x.z, local.x["y"], local.w[0]]"#;
    folder.command(&partial).arg(expression).assert().success().stderr_eq(str![]).stdout_eq(str![[r#"
["eu", var.size + 1, "a", local.x.z, 1, local.w[0]]

"#]]);
    // A variable that is set as a whole object has no other attributes.
    folder.command(&partial).arg("var.net.name").assert().code(1);
    folder.command(&partial[..1]).args(&partial[2..]).arg("var.size").assert().code(1);
}

#[test]
fn partial_evaluation_of_a_file_writes_a_file() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folder = Folder::with(&[]);
    let mut tried = 0;
    for language in std::fs::read_dir(examples).unwrap().map(|entry| entry.unwrap().path()) {
        if !language.is_dir() || language.ends_with("broken") {
            continue;
        }
        for file in std::fs::read_dir(language).unwrap().map(|entry| entry.unwrap().path()) {
            if hclkit::dialect::syntax_of_path(&file) != Some(hclkit::Syntax::Native) {
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
fn partial_evaluation_keeps_uncertain_results() {
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
fn partial_evaluation_of_long_sources_is_linear() {
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
