//! What specs and schemas of providers say, in completion, hover and diagnostics.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use hclkit::module::Schemas;
use hclkit_ide::{Entry, FileSystem, MemoryFiles, Snapshot, SpecPattern, Workspace};

const SPEC: &str = "# A service.
object {
  # The name that is shown.
  # @link https://example.com/name
  attr \"name\" {
    type     = string
    required = true
  }
  # @deprecated use `tier`
  attr \"size\" {
    values = [\"small\", \"large\"]
  }
  # @suggest \"gold\", \"silver\"
  attr \"tier\" {
    type = string
  }
  attr \"debug\" {
    type = bool
  }
  # Where it listens.
  block_map \"listen\" {
    labels = [\"protocol\"]
    object {
      attr \"port\" {
        type     = number
        required = true
        min      = 1
        max      = 65535
      }
    }
  }
}
";

const SCHEMAS: &str = r#"{ "format_version": "1.0", "provider_schemas": {
  "registry.terraform.io/hashicorp/aws": { "resource_schemas": {
    "aws_instance": { "version": 1, "block": { "description": "A virtual machine.", "attributes": {
      "ami": { "type": "string", "required": true, "description": "The image." },
      "id": { "type": "string", "computed": true },
      "old": { "type": "string", "optional": true, "deprecated": true },
      "tags": { "type": ["map", "string"], "optional": true }
    }, "block_types": { "disk": { "nesting_mode": "list", "max_items": 1, "block": { "attributes": {
      "size": { "type": "number", "required": true } } } } } } },
    "aws_vpc": { "block": {} }
  }, "data_source_schemas": { "aws_ami": { "block": { "attributes": { "owner": { "type": "string", "optional": true } } } } } },
  "registry.terraform.io/else/aws": { "resource_schemas": {
    "aws_instance": { "version": 1, "block": { "attributes": { "other": { "type": "string", "optional": true } } } } } }
} }"#;

/// A snapshot with a file with a cursor, and other files.
fn open(
    path: &str,
    text: &str,
    others: &[(&str, &str)],
    patterns: &[(&str, &str)],
) -> (Snapshot, String, u32) {
    let files = others.iter().map(|(path, text)| (format!("/w/{path}"), (*text).to_owned()));
    let mut workspace = Workspace::new(Arc::new(files.collect::<MemoryFiles>()), ["/w"]);
    let pattern = |(pattern, path): &(&str, &str)| SpecPattern::new(pattern, format!("/w/{path}")).unwrap();
    workspace.set_specs(patterns.iter().map(pattern));
    workspace.set_schemas([Schemas::from_json(SCHEMAS.as_bytes()).unwrap()]);
    let path = format!("/w/{path}");
    workspace.open(&path, text.replace('‸', ""), Some(1), None);
    (workspace.snapshot(), path, text.find('‸').unwrap() as u32)
}

fn service(text: &str) -> (Snapshot, String, u32) {
    open("web.service", text, &[("service.hcldec", SPEC)], &[("*.service", "service.hcldec")])
}

fn labels(at: &(Snapshot, String, u32)) -> Vec<String> {
    at.0.completions(&at.1, at.2).into_iter().map(|item| item.label).collect()
}

fn hover(at: &(Snapshot, String, u32)) -> String {
    at.0.hover(&at.1, at.2).map(|hover| hover.text).unwrap_or_default()
}

#[test]
fn a_spec_says_what_is_missing() {
    assert_eq!(labels(&service("‸")), ["name", "tier", "debug", "listen", "size"]);
    assert_eq!(labels(&service("name = 1\n‸\n")), ["tier", "debug", "listen", "size"]);
    assert_eq!(labels(&service("listen \"http\" {\n  ‸\n}\n")), ["port"]);
    let at = service("na‸");
    let item = at.0.completions(&at.1, at.2).remove(0);
    assert_eq!((item.text.as_str(), item.detail.as_str()), ("name = \"\"", "string, required"));
    assert!(
        item.documentation.contains("The name that is shown.")
            && item.documentation.contains("<https://example.com/name>")
    );
    let at = service("si‸");
    let item = at.0.completions(&at.1, at.2).into_iter().find(|item| item.label == "size").unwrap();
    assert!(item.is_deprecated && item.text == "size = \"small\"", "{item:?}");
    let at = service("lis‸");
    let item = at.0.completions(&at.1, at.2).into_iter().find(|item| item.label == "listen").unwrap();
    assert_eq!(item.text, "listen \"protocol\" {\n}");
}

#[test]
fn a_spec_says_which_values_there_are() {
    assert_eq!(labels(&service("size = ‸\n"))[..2], ["\"small\"", "\"large\""]);
    assert_eq!(labels(&service("size = \"sm‸\"\n")), ["small", "large"]);
    assert_eq!(labels(&service("tier = \"‸\"\n")), ["gold", "silver"]);
    assert_eq!(labels(&service("debug = ‸\n"))[..2], ["true", "false"]);
}

#[test]
fn a_spec_describes_arguments_and_blocks() {
    let text = hover(&service("na‸me = \"x\"\n"));
    assert!(
        text.contains("name: string")
            && text.contains("required")
            && text.contains("The name that is shown."),
        "{text}"
    );
    let text = hover(&service("si‸ze = \"small\"\n"));
    assert!(
        text.contains("**Deprecated:** use `tier`") && text.contains("One of `\"small\"`, `\"large\"`"),
        "{text}"
    );
    assert!(hover(&service("ti‸er = \"gold\"\n")).contains("For example `\"gold\"`"));
    let text = hover(&service("lis‸ten \"http\" {\n  port = 1\n}\n"));
    assert!(text.contains("listen \"protocol\" {}") && text.contains("Where it listens."), "{text}");
}

#[test]
fn a_spec_checks_its_files() {
    let notes = |text: &str| -> Vec<String> {
        let at = service(&format!("{text}‸"));
        at.0.diagnostics(&at.1).iter().map(|found| found.note().to_owned()).collect()
    };
    assert_eq!(notes("name = \"x\"\nsize = \"small\"\nlisten \"http\" {\n  port = 80\n}\n"), [] as [&str; 0]);
    assert_eq!(notes("size = \"smal\"\n").len(), 2);
    assert!(notes("name = \"x\"\nsize = \"smal\"\n")[0].contains("Did you mean `small`?"));
    assert!(notes("name = \"x\"\nlisten \"a\" {\n  port = 65536\n}\n")[0].contains("at most 65535"));
    assert!(notes("nam = \"x\"\n").iter().any(|note| note.contains("Did you mean `name`?")));
    // A variable is unknown.
    assert_eq!(notes("name = host\nsize = x.y\n"), [] as [&str; 0]);
}

#[test]
fn a_comment_and_the_settings_name_specs() {
    let spec = ("specs/service.hcldec", SPEC);
    let comment = open("a.hcl", "# hcl: spec=specs/service.hcldec\n‸", &[spec], &[]);
    assert_eq!(labels(&comment)[0], "name");
    let settings = ("hcl.toml", "[specs]\n\"services/*.hcl\" = \"specs/service.hcldec\"\n");
    assert_eq!(labels(&open("services/a.hcl", "‸", &[spec, settings], &[]))[0], "name");
    assert_eq!(labels(&open("a.hcl", "‸", &[spec, settings], &[])), [] as [&str; 0]);
    let found = |text: &str, spec: &str| {
        let at = open("a.hcl", &format!("{text}\n‸"), &[("s.hcldec", spec)], &[]);
        at.0.diagnostics(&at.1).iter().map(|found| found.note().to_owned()).collect::<Vec<_>>()
    };
    assert!(found("# hcl: spec=gone.hcldec", SPEC)[0].starts_with("cannot read /w/gone.hcldec: "));
    assert!(found("// hcl: spec=s.hcldec", "x {}\n")[0].starts_with("/w/s.hcldec has errors: "));
    assert!(found("# hcl: spec=../outside.hcldec", SPEC)[0].contains("outside of the directories"));
}

#[test]
fn a_changed_spec_counts_at_once() {
    let mut workspace = Workspace::new(Arc::new(MemoryFiles::from_iter([("/w/s.hcldec", SPEC)])), ["/w"]);
    workspace.open("/w/a.hcl", "# hcl: spec=s.hcldec\nother = 1\n", Some(1), None);
    assert_eq!(workspace.snapshot().diagnostics("/w/a.hcl").len(), 2);
    workspace.open("/w/s.hcldec", "attr {\n  name = \"other\"\n}\n", Some(1), None);
    assert_eq!(workspace.snapshot().diagnostics("/w/a.hcl").len(), 0);
}

fn terraform(text: &str) -> (Snapshot, String, u32) {
    open("main.tf", text, &[], &[])
}

#[test]
fn schemas_of_providers_say_what_is_missing() {
    let own = labels(&terraform("resource \"aws_instance\" \"a\" {\n  ‸\n}\n"));
    for name in ["ami", "old", "tags", "disk", "count", "lifecycle"] {
        assert!(own.contains(&name.to_owned()), "{name} in {own:?}");
    }
    assert!(!own.contains(&"id".to_owned()) && !own.contains(&"other".to_owned()), "{own:?}");
    assert_eq!(labels(&terraform("resource \"aws_instance\" \"a\" {\n  disk {\n    ‸\n  }\n}\n"))[0], "size");
    let dynamic = "resource \"aws_instance\" \"a\" {\n  dynamic \"disk\" {\n    for_each = []\n    content {\n      ‸\n    }\n  }\n}\n";
    assert!(labels(&terraform(dynamic)).contains(&"size".to_owned()));
    let other = "terraform {\n  required_providers {\n    aws = { source = \"else/aws\" }\n  }\n}\nresource \"aws_instance\" \"a\" {\n  ‸\n}\n";
    let own = labels(&terraform(other));
    assert!(own.contains(&"other".to_owned()) && !own.contains(&"ami".to_owned()), "{own:?}");
    assert_eq!(labels(&terraform("resource \"aws_‸\" \"a\" {\n}\n")), ["aws_instance", "aws_vpc"]);
    assert_eq!(labels(&terraform("data \"‸\" \"a\" {\n}\n")), ["aws_ami"]);
    assert_eq!(labels(&terraform("resource \"‸\"\n")), ["aws_instance", "aws_vpc"]);
}

#[test]
fn schemas_of_providers_describe_but_report_nothing() {
    let text = "resource \"aws_instance\" \"a\" {\n  am‸i   = \"x\"\n  newer = 1\n}\n";
    let at = terraform(text);
    let shown = hover(&at);
    assert!(shown.contains("ami: string") && shown.contains("The image."), "{shown}");
    assert!(hover(&terraform("resource \"aws_ins‸tance\" \"a\" {\n}\n")).contains("A virtual machine."));
    assert!(
        hover(&terraform("resource \"aws_instance\" \"a\" {\n  o‸ld = 1\n}\n")).contains("**Deprecated.**")
    );
    // The provider may have another version, which knows the argument.
    assert_eq!(at.0.diagnostics(&at.1).len(), 0, "{:?}", at.0.diagnostics(&at.1));
}

/// The packed schema of a provider whose resource has one argument, with the name of the version.
fn packed(address: &str, argument: &str) -> Vec<u8> {
    let text = format!(
        r#"{{ "provider_schemas": {{ "{address}": {{ "resource_schemas": {{ "aws_instance": {{ "block": {{
            "attributes": {{ "{argument}": {{ "type": "string", "optional": true }} }} }} }} }} }} }} }}"#
    );
    Schemas::pack(text.as_bytes(), &BTreeMap::new()).unwrap().remove(0).bytes
}

/// What is offered in a resource of a module with a cache of schemas, and what is wrong with them. Nothing is ever an error.
fn from_cache(required: &str, lock: Option<&str>) -> (Vec<String>, Vec<String>) {
    let own = "registry.terraform.io/hashicorp/aws";
    let mut files: Vec<(String, Vec<u8>)> = [("4.9.0", "four"), ("5.2.0", "five"), ("6.0.0", "six")]
        .map(|(version, argument)| (format!("/cache/{own}/{version}.hclschema"), packed(own, argument)))
        .into();
    let other = "registry.opentofu.org/else/aws";
    files.push((format!("/cache/{other}/1.0.0.hclschema"), packed(other, "other")));
    files.push(("/cache/registry.terraform.io/else/damaged/1.0.0.hclschema".to_owned(), b"damaged".to_vec()));
    files.push(("/secret/1.0.0.hclschema".to_owned(), packed(own, "secret")));
    let main = format!("terraform {{\n  required_providers {{\n    aws = {{\n{required}\n    }}\n  }}\n}}\n");
    files.push(("/w/main.tf".to_owned(), main.into_bytes()));
    if let Some(version) = lock {
        let text = format!("provider \"{own}\" {{\n  version = \"{version}\"\n}}\n");
        files.push(("/w/.terraform.lock.hcl".to_owned(), text.into_bytes()));
    }
    let mut workspace = Workspace::new(Arc::new(files.into_iter().collect::<MemoryFiles>()), ["/w"]);
    workspace.set_schema_cache(Some("/cache".to_owned()));
    let text = "resource \"aws_instance\" \"a\" {\n  unheard_of = 1\n  \n}\n";
    workspace.open("/w/a.tf", text, Some(1), None);
    let snapshot = workspace.snapshot();
    assert_eq!(snapshot.diagnostics("/w/a.tf"), []);
    let offered = snapshot.completions("/w/a.tf", text.find("\n}").unwrap() as u32);
    let known = ["four", "five", "six", "other", "secret"];
    let offered = offered.into_iter().map(|item| item.label).filter(|label| known.contains(&label.as_str()));
    (offered.collect(), workspace.take_schema_problems())
}

#[test]
fn the_version_of_a_schema_is_the_locked_one_or_an_allowed_one() {
    let offered = |required: &str, lock| from_cache(required, lock).0;
    assert_eq!(offered("", None), ["six"]);
    assert_eq!(offered("version = \"~> 5.0\"", None), ["five"]);
    assert_eq!(offered("version = \"~> 5.0\"", Some("4.9.0")), ["four"]);
    assert_eq!(offered("version = \"~> 5.0\"", Some("4.8.0")), ["five"]);
    assert_eq!(offered("version = \"~> 7.0\"", None), ["six"]);
    assert_eq!(offered("source = \"else/aws\"", None), ["other"]);
    assert_eq!(offered("source = \"registry.opentofu.org/else/aws\"", None), ["other"]);
    assert_eq!(offered("source = \"nobody/aws\"", None), [] as [&str; 0]);
    // A module must not choose another directory.
    assert_eq!(offered("source = \"../../../secret\"", None), [] as [&str; 0]);
    assert_eq!(offered("source = \"../secret/..\"", None), [] as [&str; 0]);
}

#[test]
fn a_damaged_schema_is_told_once() {
    let (offered, problems) = from_cache("source = \"else/damaged\"", None);
    assert_eq!((offered.len(), problems.len()), (0, 1));
    assert!(problems[0].contains("/else/damaged/1.0.0.hclschema"), "{problems:?}");
}

/// Files with a link from `/w/cache` to `/cache`.
#[derive(Debug)]
struct Linked(MemoryFiles);

fn target(path: &str) -> String {
    path.strip_prefix("/w/cache").map_or_else(|| path.to_owned(), |rest| format!("/cache{rest}"))
}

impl FileSystem for Linked {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.read(&target(path))
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        self.0.list(&target(directory))
    }

    fn resolve(&self, path: &str) -> io::Result<String> {
        Ok(target(path))
    }
}

#[test]
fn a_cache_of_the_project_leads_nowhere_else() {
    let own = "registry.terraform.io/hashicorp/aws";
    let offered = |place: &str, is_of_user: bool| {
        let files = [
            (format!("{place}/{own}/1.0.0.hclschema"), packed(own, "packed")),
            ("/w/hcl.toml".to_owned(), b"schema-cache = \"cache\"\n".to_vec()),
        ];
        let mut workspace = Workspace::new(Arc::new(Linked(files.into_iter().collect())), ["/w"]);
        assert_eq!(workspace.snapshot().schema_cache_directory().as_deref(), Some("/w/cache"));
        let directory = Some(if place == "/w/own" { place.to_owned() } else { "/w/cache".to_owned() });
        if is_of_user {
            workspace.set_schema_cache(directory);
        } else {
            workspace.set_project_schema_cache(directory);
        }
        let text = "resource \"aws_instance\" \"a\" {\n  \n}\n";
        workspace.open("/w/a.tf", text, Some(1), None);
        let offered = workspace.snapshot().completions("/w/a.tf", text.find("\n}").unwrap() as u32);
        offered.iter().any(|item| item.label == "packed")
    };
    assert!(offered("/w/own", false) && offered("/w/own", true));
    // The user chose the directory; the project did not.
    assert!(offered("/cache", true) && !offered("/cache", false));
}

#[test]
fn the_label_of_a_block_decides_what_is_offered() {
    let spec = "block_tuple {
  block_type = \"route\"
  switch {
    on = label(0)
    case \"http\" {
      attr {
        name = \"path\"
        type = string
      }
    }
    case \"tcp\" {
      attr {
        name     = \"backlog\"
        type     = number
        required = true
      }
    }
  }
}
";
    let at = |text: &str| open("a.svc", text, &[("spec.hcldec", spec)], &[("*.svc", "spec.hcldec")]);
    assert_eq!(labels(&at("route \"http\" {\n  ‸\n}\n")), ["path"]);
    assert_eq!(labels(&at("route \"tcp\" {\n  ‸\n}\n")), ["backlog"]);
    assert_eq!(labels(&at("route \"‸\" {\n}\n")), ["http", "tcp"]);
    let (snapshot, path, _) = at("route \"tcp\" {\n  path = 1\n}\n‸");
    assert_eq!(snapshot.diagnostics(&path).len(), 2);
}
