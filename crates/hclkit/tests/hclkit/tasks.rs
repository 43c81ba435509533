//! The programs in `examples/` that do the everyday tasks of the guide, and their output.

#![allow(clippy::needless_raw_string_hashes, reason = "snapbox writes them")]
#![allow(dead_code, reason = "the tests call them without a command line")]

#[path = "../../examples/bump.rs"]
mod bump;
#[path = "../../examples/converter.rs"]
mod converter;
#[path = "../../examples/jsonl.rs"]
mod jsonl;
#[path = "../../examples/loader.rs"]
mod loader;
#[path = "../../examples/modules.rs"]
mod modules;
#[path = "../../examples/packer.rs"]
mod packer;
#[path = "../../examples/rules.rs"]
mod rules;
#[path = "../../examples/scanner.rs"]
mod scanner;
#[path = "../../examples/site.rs"]
mod site;
#[path = "../../examples/templates.rs"]
mod templates;
#[path = "../../examples/unwrap.rs"]
mod unwrap;
#[path = "../../examples/writer.rs"]
mod writer;

use std::path::{Path, PathBuf};

use hclkit::render::Renderer;
use snapbox::{assert_data_eq, str};

fn example(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(path)
}

/// A copy of an example's files, which a test can change.
fn copy(path: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(example(path)).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    folder
}

#[test]
fn the_configuration_of_a_service_is_loaded() {
    let flag = |region: &str| vec![("region".to_owned(), region.to_owned())];
    let (config, warnings) = loader::load(&example("loader"), &flag("eu")).unwrap();
    assert!(warnings.is_empty());
    assert_data_eq!(
        format!("{config:#?}\n"),
        str![[r#"
Config {
    name: "shop-eu",
    log: Warn,
    listen: [
        Listen {
            protocol: "http",
            address: 0.0.0.0:8080,
        },
        Listen {
            protocol: "metrics",
            address: 127.0.0.1:9090,
        },
    ],
    database: Database {
        url: "postgres://db.eu.example.com/shop",
        connections: 50,
        timeout: 5s,
    },
}

"#]]
    );
    let (config, _) = loader::load(&example("loader"), &[]).unwrap();
    assert!(format!("{config:?}").contains("shop-test"));

    let folder = copy("loader");
    std::fs::write(folder.path().join("service.hcl"), "name = regoin\nlog = \"wran\"\n").unwrap();
    let errors = loader::load(folder.path(), &[]).unwrap_err();
    let errors = Renderer::plain().diagnostics(&errors).replace(&*folder.path().to_string_lossy(), "loader");
    assert_data_eq!(
        errors,
        str![[r#"
error[too-few-blocks]: Insufficient blocks
 --> loader/database.hcl.json:6:1
  |
6 | }
  | ^
  |
  = note: A block of type `listen` is required here.

error[unknown-variable]: Unknown variable
 --> loader/service.hcl:1:8
  |
1 | name = regoin
  |        ^^^^^^
  |
  = note: There is no variable named `regoin`. Did you mean `region`?
help: Write `region`
  |
1 - name = regoin
1 + name = region
  |

error[invalid-value]: Invalid value
 --> loader/service.hcl:2:7
  |
2 | log = "wran"
  |       ^^^^^^
  |
  = note: Invalid value for the argument `log`: expected "debug", "info" or "warn", found "wran"; did you mean "warn"?
"#]]
    );
}

#[test]
fn terraform_modules_are_scanned() {
    assert_data_eq!(
        scanner::run(&example("scanner")).unwrap(),
        str![[r#"
.
  1 × aws_eip
  1 × aws_instance
  module network from "./network"
  variable debug is not used
network
  1 × aws_subnet
  1 × aws_vpc

"#]]
    );
}

#[test]
fn a_packer_template_is_checked() {
    let path = example("packer/web.pkr.hcl");
    let found = Renderer::plain().diagnostics(&packer::check(&path).unwrap());
    assert_data_eq!(
        found.replace(&*path.to_string_lossy(), "web.pkr.hcl"),
        str![[r#"
error[missing-plugin]: Missing plugin
  --> web.pkr.hcl:14:8
   |
14 | source "docker" "web" {
   |        ^^^^^^^^
   |
   = note: The block `required_plugins` must contain the plugin `docker`.

error[undeclared-source]: Undeclared source
  --> web.pkr.hcl:20:39
   |
20 |   sources = ["source.amazon-ebs.web", "source.docker.api"]
   |                                       ^^^^^^^^^^^^^^^^^^^
   |
   = note: The declared sources are source.amazon-ebs.web and source.docker.web.
"#]]
    );
}

#[test]
fn versions_are_changed_in_many_files() {
    let folder = copy("bump");
    let path = r#"module~[source == "./network"].version"#.parse().unwrap();
    for file in ["blue.tf", "green.tf"].map(|name| folder.path().join(name)) {
        let text = bump::bump(std::fs::read(&file).unwrap(), &path, "2.1.0").unwrap();
        std::fs::write(file, text).unwrap();
    }
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_data_eq!(
        read("blue.tf"),
        str![[r#"
module "network" {
  source  = "./network"
  version = "2.1.0" # tested on Monday
}

module "dns" {
  source  = "./dns"
  version = "1.4.0"
}

"#]]
    );
    assert_data_eq!(
        read("green.tf"),
        str![[r##"
# The second region.
module "network" { # the same module
  source  = "./network"
  version = "2.1.0"
  zones   = ["a", "b"]
}

"##]]
    );
    // Nothing is left to do.
    let blue = read("blue.tf");
    assert_eq!(bump::bump(blue.clone().into_bytes(), &path, "2.1.0").unwrap(), blue);
}

#[test]
fn modules_become_a_static_site() {
    let site = tempfile::tempdir().unwrap();
    assert_eq!(site::write(&example("scanner"), site.path()).unwrap(), 1);
    let read = |name: &str| std::fs::read_to_string(site.path().join(name)).unwrap();
    assert_data_eq!(
        read("index.html"),
        str![[r#"
<!doctype html>
<meta charset="utf-8">
<title>Modules</title>
<h1>Modules</h1>
<ul>
<li><a href="network.html">network</a>
</ul>

"#]]
    );
    assert_data_eq!(
        read("network.html"),
        str![[r#"
<!doctype html>
<meta charset="utf-8">
<title>network</title>
<h1>network</h1>
<h2>variables</h2>
<table>
<tr><th>name<th>type<th>default<th>description
<tr><td>zones<td>list(string)<td><td>The availability zones.
</table>
<h2>outputs</h2>
<table>
<tr><th>name<th>description
<tr><td>subnets<td>The subnet of each zone.
</table>

"#]]
    );
}

#[test]
fn templates_are_rendered() {
    let rendered = templates::render(&example("templates"), "production.tfvars").unwrap();
    let texts: Vec<String> = rendered.iter().map(|(name, text)| format!("==> {name}\n{text}")).collect();
    assert_data_eq!(
        texts.join("\n"),
        str![[r#"
==> hosts
127.0.0.1 localhost
10.0.0.5 db.example.com
10.0.0.4 web.example.com

==> motd
~ acme ~
Welcome to EXAMPLE.COM, with 2 hosts.

"#]]
    );

    let folder = copy("templates");
    std::fs::write(folder.path().join("production.tfvars"), "domain = \"example.com\"\n").unwrap();
    let errors = templates::render(folder.path(), "production.tfvars").unwrap_err().to_string();
    assert!(errors.contains("hosts.tmpl:2:25") && errors.contains("motd.tmpl:2:"), "{errors}");
}

#[test]
fn blocks_become_lines_of_json() {
    let path = example("jsonl/web.hcl");
    let mut lines = Vec::new();
    jsonl::write(&path, &mut lines).unwrap();
    let lines = String::from_utf8(lines).unwrap().replace(&*path.to_string_lossy(), "web.hcl");
    // The order of properties depends on a feature of `serde_json`, which other packages turn on.
    let values = |lines: &str| -> Vec<serde_json::Value> {
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let expected = r#"
{"file":"web.hcl","line":1,"type":"service","labels":["http","web"],"attributes":{"port":8080,"hosts":["a.example.com","b.example.com"],"image":{"source":"var.image"}}}
{"file":"web.hcl","line":6,"type":"service.check","labels":[],"attributes":{"path":"/healthz"}}
{"file":"web.hcl","line":11,"type":"service","labels":["http","api"],"attributes":{}}
"#;
    assert_eq!(values(&lines), values(expected.trim()), "{lines}");
}

#[test]
fn rules_are_evaluated_within_limits() {
    let engine = rules::Engine::open(&example("rules/alerts.hcl")).unwrap();
    let events: Vec<&str> = include_str!("../../examples/rules/events.jsonl").lines().collect();
    let reports: Vec<String> = events.iter().map(|event| engine.reports(event).unwrap().join("\n")).collect();
    let path = example("rules/alerts.hcl");
    let reports = reports.join("\n--\n").replace(&*path.to_string_lossy(), "alerts.hcl");
    assert_data_eq!(
        reports.as_str(),
        str![[r#"
slow: /cart took 1.25 s
greedy failed: alerts.hcl:12:67: error: Too many steps: The evaluation exceeds the limit of 10,000 steps.
--
errors: /cart answered 503 on web-1, web-2
greedy failed: alerts.hcl:12:67: error: Too many steps: The evaluation exceeds the limit of 10,000 steps.
--
errors failed: alerts.hcl:7:12: error: Invalid operand: Invalid value for the left operand of `>=`: a number is required.
greedy failed: alerts.hcl:12:67: error: Too many steps: The evaluation exceeds the limit of 10,000 steps.
"#]]
    );
    // The guide shows the second one.
    let guide = include_str!("../../../../docs/book/src/examples.md");
    assert!(guide.contains(events[1]) && guide.contains(reports.split("\n--\n").nth(1).unwrap()));
}

#[test]
fn every_example_has_a_main() {
    type Main = fn() -> Result<(), Box<dyn std::error::Error>>;
    let _: [Main; 6] = [bump::main, jsonl::main, rules::main, scanner::main, site::main, templates::main];
}

#[test]
fn templates_that_are_one_expression_are_unwrapped() {
    let text = std::fs::read_to_string(example("unwrap/main.tf")).unwrap();
    let document = unwrap::unwrap(hclkit::parse(text)).unwrap();
    assert_data_eq!(
        document.source().text(),
        str![[r#"
resource "aws_instance" "web" {
  count     = var.count # from the old days
  subnet_id = element(var.subnets, count.index)

  tags = {
    Name        = "${var.name}-web"
    (var.owner) = var.team
  }
}

"#]]
    );
}

#[test]
fn a_configuration_is_written() {
    assert_data_eq!(
        writer::write([("web", 2)]).unwrap(),
        str![[r##"
# Generated by writer. Do not edit.
variable "web_count" {
  default     = 2
  description = "The number of instances of web."
}

resource "aws_instance" "web" {
  count         = var.web_count
  instance_type = "t3.small"

  root_block_device {
    volume_size = 20
  }
}

"##]]
    );
    assert!(writer::write([("a b", 1)]).is_err());
}

#[test]
fn a_configuration_is_converted_in_both_directions() {
    let service = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/service");
    let spec =
        hclkit::decode::Decoder::new(converter::read(service.join("service.hcldec")).unwrap()).unwrap();
    let source = |name: &str, text: String| hclkit::Source::new(name, text);
    let native = std::fs::read_to_string(service.join("web.hcl")).unwrap();
    let json = converter::convert(spec.spec_file(), source("web.hcl", native)).unwrap();
    let back = converter::convert(spec.spec_file(), source("web.hcl.json", json.clone())).unwrap();
    let again = converter::convert(spec.spec_file(), source("web.hcl", back)).unwrap();
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(read(&again), read(&json));
}

#[test]
fn a_module_is_listed() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/infrastructure");
    let services = ("services", "{ web = { port = 443 } }");
    let variables = [("environment", "staging"), ("database_password", "canary"), services];
    let listed = modules::list(&directory, &variables);
    for line in ["var.environment = \"staging\"", "var.database_password = (sensitive)"] {
        assert!(listed.lines().any(|own| own == line), "{line}: {listed}");
    }
    assert!(listed.contains("module.network."), "{listed}");
    assert!(!listed.contains("canary"), "{listed}");
    assert!(modules::list(&directory, &variables[..1]).contains("error"));
}

/// The nine programs by which the API is judged, with the number of lines that each must stay below.
#[test]
fn programs_are_short() {
    let programs = [
        (include_str!("../../examples/loader.rs"), 161),
        (include_str!("../../examples/linter.rs"), 83),
        (include_str!("../../examples/bump.rs"), 30),
        (include_str!("../../examples/rules.rs"), 78),
        (include_str!("../../examples/modules.rs"), 43),
        (include_str!("../../examples/writer.rs"), 57),
        (include_str!("../../examples/service.rs"), 72),
        (include_str!("../../examples/converter.rs"), 55),
        (include_str!("../../examples/unwrap.rs"), 81),
    ];
    for (program, most) in programs {
        let lines = program.lines().count();
        assert!(lines < most, "{lines} lines: {}", program.lines().next().unwrap_or_default());
    }
}
