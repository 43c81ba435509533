//! `hcl check` for a version of the application: what is newer is an error that says so.

use hclkit::dialect::{Dialect, Version};
use snapbox::str;

use crate::program::Folder;

/// The version before another one.
fn before(version: &Version) -> Option<String> {
    let text = version.to_string();
    let (major, minor) = text.split_once('.')?;
    let minor: u32 = minor.parse().ok()?;
    Some(format!("{major}.{}", minor.checked_sub(1)?))
}

/// A block with a name in it, in both syntaxes, for a name of a table: `check`, `variable.nullable`, `resource.terraform_data`.
fn sources(dialect: &Dialect, name: &str) -> Vec<(&'static str, String)> {
    let parts: Vec<&str> = name.split('.').collect();
    // A nested block such as `lifecycle` is one of a resource, or it has a type such as `oci`.
    if parts == ["action_trigger", "on_failure"] {
        return vec![
            ("main.tf", "resource \"a\" \"b\" {\nlifecycle {\naction_trigger {\non_failure = halt\n}\n}\n}\n".to_owned()),
            (
                "main.tf.json",
                "{\"resource\":{\"a\":{\"b\":{\"lifecycle\":{\"action_trigger\":{\"on_failure\":\"halt\"}}}}}}".to_owned(),
            ),
        ];
    }
    if let ["backend", own] = parts[..] {
        return vec![
            ("main.tf", format!("terraform {{\nbackend \"{own}\" {{}}\n}}\n")),
            ("main.tf.json", format!("{{\"terraform\":{{\"backend\":{{\"{own}\":{{}}}}}}}}")),
        ];
    }
    if let ["backend", own, argument] = parts[..] {
        return vec![
            ("main.tf", format!("terraform {{\nbackend \"{own}\" {{\n{argument} = true\n}}\n}}\n")),
            (
                "main.tf.json",
                format!("{{\"terraform\":{{\"backend\":{{\"{own}\":{{\"{argument}\":true}}}}}}}}"),
            ),
        ];
    }
    if let ["workspaces", own] = parts[..] {
        return vec![
            ("main.tf", format!("terraform {{\ncloud {{\nworkspaces {{\n{own} = \"x\"\n}}\n}}\n}}\n")),
            (
                "main.tf.json",
                format!("{{\"terraform\":{{\"cloud\":{{\"workspaces\":{{\"{own}\":\"x\"}}}}}}}}"),
            ),
        ];
    }
    let (outer, own) = match dialect.shape(None, parts[0]) {
        Some(_) if parts.len() == 3 && parts[1] == "lifecycle" => (parts[..2].to_vec(), &parts[2..]),
        Some(_) => (vec![parts[0]], &parts[1..]),
        None => (vec!["resource", parts[0]], &parts[1..]),
    };
    let mut labels: Vec<&str> =
        vec!["a", "b"][..dialect.shape(None, outer[0]).unwrap().labels.len()].to_vec();
    let mut inner = own.first().copied();
    if inner == Some("terraform_data") {
        labels[0] = "terraform_data";
        inner = own.get(1).copied();
    }
    let is_of_object = |inner: &str| {
        let object = dialect.object(outer[0], labels.first().copied().unwrap_or_default());
        object.is_some_and(|object| object.blocks.iter().any(|own| own.block_type == *inner))
    };
    let listed = |inner: &str| {
        dialect.block(outer[0]).is_some_and(|rule| rule.blocks.iter().any(|own| *own == *inner))
    };
    let is_block = inner.is_some_and(|inner| {
        listed(inner)
            || is_of_object(inner)
            || dialect.nested_blocks.iter().any(|nested| {
                *nested.block_type == **outer.last().unwrap()
                    && nested.blocks.iter().any(|own| *own == *inner)
            })
    });
    let label = inner.filter(|inner| dialect.nested(inner).is_some_and(|nested| !nested.labels.is_empty()));
    let (native_item, json_item) = match inner {
        None => (String::new(), String::new()),
        Some(inner) if is_block && label.is_some() => {
            (format!("{inner} \"x\" {{}}\n"), format!("\"{inner}\":{{\"x\":{{}}}}"))
        }
        Some(inner) if is_block => (format!("{inner} {{}}\n"), format!("\"{inner}\":{{}}")),
        Some(inner) => (format!("{inner} = true\n"), format!("\"{inner}\":true")),
    };
    let (native_item, json_item) = match outer.get(1) {
        Some(nested) => (format!("{nested} {{\n{native_item}}}\n"), format!("\"{nested}\":{{{json_item}}}")),
        None => (native_item, json_item),
    };
    let native_labels: String =
        labels.iter().map(|label| format!(" \"{label}\"")).collect::<Vec<_>>().concat();
    let native = format!("{}{native_labels} {{\n{native_item}}}\n", outer[0]);
    let json =
        labels.iter().rev().fold(format!("{{{json_item}}}"), |body, label| format!("{{\"{label}\":{body}}}"));
    vec![("main.tf", native), ("main.tf.json", format!("{{\"{}\":{json}}}", outer[0]))]
}

/// The errors about versions.
fn about_versions(folder: &Folder, language: &str) -> Vec<String> {
    let output =
        folder.command(&["check", "--language", language, "--report", "json", "."]).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let all = report["diagnostics"].as_array().unwrap().iter();
    all.filter(|found| found["code"] == "unsupported-version")
        .map(|found| found["detail"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn each_name_is_an_error_in_the_version_before_it_and_none_in_its_own() {
    for name in ["terraform", "opentofu"] {
        let dialect = Dialect::named(name).unwrap();
        let first = Version::parse(&dialect.versions.as_ref().unwrap().0).unwrap();
        let blocks = dialect.since.iter().flat_map(|(own, since)| {
            sources(&dialect, own).into_iter().map(move |source| (own.to_string(), since, source))
        });
        let functions = dialect.functions_since.iter().flat_map(|(own, since)| {
            let own = own.replace('*', "upper");
            let native = format!("output \"o\" {{\n  value = try({own}(\"a\"), 1)\n}}\n");
            let json = format!("{{\"output\":{{\"o\":{{\"value\":\"${{try({own}(\\\"a\\\"), 1)}}\"}}}}}}");
            [("main.tf", native), ("main.tf.json", json)]
                .map(|source| (format!("{own}("), since, source))
                .into_iter()
        });
        for (own, since, (file, text)) in blocks.chain(functions) {
            let folder = Folder::with(&[(file, &text)]);
            let what = format!("{own}, {name} {since}: {text}");
            assert_eq!(about_versions(&folder, &format!("{name}@{since}")), Vec::<String>::new(), "{what}");
            assert_eq!(about_versions(&folder, name), Vec::<String>::new(), "{what}");
            let before =
                before(since).filter(|before| Version::parse(before).unwrap().compare(&first).is_ge());
            if let Some(before) = before {
                let found = about_versions(&folder, &format!("{name}@{before}"));
                assert_eq!(found.len(), 1, "{what}: {found:?}");
                assert!(found[0].contains(&format!(" needs {} {since}, but ", dialect.title())), "{found:?}");
            }
        }
    }
}

#[test]
fn the_newest_version_that_the_files_allow_counts() {
    let folder = Folder::with(&[
        (
            "main.tf",
            "locals {\n  a = 1\n}\nterraform {\n  required_version = \">= 1.0, < 1.5\"\n}\ncheck \"c\" {\n  assert {\n    condition     = local.a < 2\n    \
             error_message = \"No.\"\n  }\n}\noutput \"o\" {\n  value = strcontains(\"ab\", \"b\")\n}\n",
        ),
        (
            "new/main.tf",
            "locals {\n  a = 1\n}\nterraform {\n  required_version = \"~> 1.5\"\n}\ncheck \"c\" {\n  assert {\n    condition     = local.a < 2\n    error_message = \"No.\"\n  }\n}\n",
        ),
    ]);
    folder.hcl(&["check", "."]).code(1).stdout_eq(str![[r#"
error[unsupported-version]: Unsupported in this version
 --> main.tf:7:1
  |
7 | check "c" {
  | ^^^^^^^^^
  |
  = note: `check` needs Terraform 1.5, but `required_version` allows no version after 1.4.

error[unsupported-version]: Unsupported in this version
  --> main.tf:14:11
   |
14 |   value = strcontains("ab", "b")
   |           ^^^^^^^^^^^^^^^^^^^^^^
   |
   = note: The function `strcontains` needs Terraform 1.5, but `required_version` allows no version after 1.4.

Checked 2 files: 2 errors in 1 file

"#]]);
    folder.hcl(&["check", "new"]).success();
    folder.hcl(&["check", "--language", "terraform@1.4", "new"]).code(1);
    // What the user says counts.
    folder.hcl(&["check", "--language", "terraform@1.16", "."]).success();
    for (language, text) in [
        ("terraform@0.12", "expected a version of Terraform from 1.0 to 1.16"),
        ("terraform@1.99", "expected a version of Terraform from 1.0 to 1.16"),
        ("opentofu@1.5", "expected a version of OpenTofu from 1.6 to 1.12"),
        ("terraform@x", "expected a version of Terraform"),
        ("terraform@", "expected a version of Terraform"),
        ("hcl@1", "versions of hcl are not known"),
    ] {
        let output = folder.command(&["check", "--language", language, "."]).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && errors.contains(text), "{errors}");
    }
}

/// Files, what `--explain-version` says, and whether `hcl check` has an error about the version.
type Case<'c> = (&'c [(&'c str, &'c str)], &'c str, bool);

#[test]
fn files_around_a_module_say_what_it_is_for() {
    const LOCK: &str = "provider \"registry.opentofu.org/hashicorp/aws\" {\n  version = \"5.0.0\"\n}\n";
    let module = "output \"o\" {\n  value = templatestring(local.t, {})\n}\nlocals {\n  t = \"a\"\n}\n";
    let limited = &format!("{module}terraform {{\n  required_version = \"~> 1.4.0\"\n}}\n");
    let newest = "it is the newest known version, and nothing says another one";
    let cases: &[Case<'_>] = &[
        (
            &[("main.tf", module)],
            &format!("Terraform 1.16: {newest}; Terraform because nothing says that it is for OpenTofu"),
            false,
        ),
        (
            &[("main.tf", module), (".terraform-version", "1.8.5\n")],
            "Terraform 1.8: `.terraform-version` says 1.8.5; Terraform as `.terraform-version` says",
            true,
        ),
        (
            &[("main.tf", limited), (".terraform-version", "1.8.5\n")],
            "Terraform 1.4: `required_version` allows no version after 1.4; Terraform as `.terraform-version` says",
            true,
        ),
        (
            &[("main.tf", limited), ("hcl.toml", "[versions]\nterraform = \"1.9\"\n")],
            "Terraform 1.9: `hcl.toml` says 1.9; Terraform because nothing says that it is for OpenTofu",
            false,
        ),
        (
            &[("main.tf", module), (".tool-versions", "nodejs 20\nopentofu 1.6.2\n")],
            "OpenTofu 1.6: `.tool-versions` says 1.6.2; OpenTofu as `.tool-versions` says",
            true,
        ),
        (
            &[("main.tf", module), (".terraform.lock.hcl", LOCK), (".opentofu-version", "latest\n")],
            &format!("OpenTofu 1.12: {newest}; OpenTofu as `.terraform.lock.hcl` says"),
            false,
        ),
        (
            &[("main.tofu", module)],
            &format!("OpenTofu 1.12: {newest}; OpenTofu by the names of its files"),
            false,
        ),
    ];
    for (files, expected, fails) in cases {
        let folder = Folder::with(files);
        folder.hcl(&["check", "--explain-version", "."]).success().stdout_eq(format!(".: {expected}\n"));
        let output = folder.command(&["check", "."]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(text.contains("error[unsupported-version]"), *fails, "{expected}: {text}");
        assert_eq!(text.contains("error["), *fails, "{expected}: {text}");
    }
}

#[test]
fn what_modules_of_opentofu_call_is_opentofu() {
    let resource = "resource \"terraform_data\" \"a\" {\n  lifecycle {\n    enabled = true\n  }\n}\n";
    let call = "module \"m\" {\n  source = \"../m\"\n}\n";
    let folder = Folder::with(&[("live/main.tofu", call), ("m/main.tf", resource)]);
    folder.hcl(&["check", "."]).success();
    let explained = folder.hcl(&["check", "--explain-version", "."]).success();
    let text = String::from_utf8_lossy(&explained.get_output().stdout).into_owned();
    assert!(
        text.contains("m: OpenTofu 1.12: ") && text.contains("OpenTofu as the modules that call it"),
        "{text}"
    );
    // Nothing says that these are for OpenTofu.
    let folder = Folder::with(&[("live/main.tf", call), ("m/main.tf", resource)]);
    folder.hcl(&["check", "."]).code(1);
    folder.hcl(&["check", "--language", "opentofu", "."]).success();
    // A file says that the module is for Terraform.
    let folder = Folder::with(&[
        ("live/main.tofu", call),
        ("m/main.tf", resource),
        ("m/.terraform-version", "1.9.0\n"),
    ]);
    folder.hcl(&["check", "."]).code(1);
}

#[test]
fn what_was_removed_is_an_error_after_its_last_version() {
    let dialect = Dialect::terraform();
    assert!(dialect.until.iter().count() > 5);
    for (name, until) in dialect.until.iter() {
        let (_, own) = name.split_once('.').unwrap();
        let text = format!("terraform {{\n  backend \"{own}\" {{}}\n}}\n");
        let folder = Folder::with(&[("main.tf", &text)]);
        folder.hcl(&["check", "--language", &format!("terraform@{until}"), "."]).success();
        let output = folder.command(&["check", "."]).output().unwrap();
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            found.contains(&format!("The backend `{own}` was removed after Terraform {until}.")),
            "{found}"
        );
    }
}

#[test]
fn references_in_sources_and_imports_in_modules_have_versions() {
    let source = "locals {\n  d = \"m\"\n}\nmodule \"m\" {\n  source = \"./${local.d}\"\n}\n";
    let folder = Folder::with(&[("main.tf", source), ("m/main.tf", "output \"o\" {\n  value = 1\n}\n")]);
    folder.hcl(&["check", "."]).success();
    let found = about_versions(&folder, "terraform@1.14");
    assert_eq!(
        found,
        [
            "A reference in `source` needs Terraform 1.15, but the files are for 1.14, as `--language terraform@1.14` says."
        ]
    );
    let import = "import {\n  to = terraform_data.a\n  id = \"x\"\n}\nresource \"terraform_data\" \"a\" {}\n";
    let folder =
        Folder::with(&[("main.tf", "module \"m\" {\n  source = \"./m\"\n}\n"), ("m/main.tf", import)]);
    folder.hcl(&["check", "."]).success();
    folder.hcl(&["check", "--language", "terraform@1.15", "."]).code(1);
    folder.hcl(&["check", "--language", "opentofu", "."]).code(1);
}

#[test]
fn all_commands_follow_calls_of_modules_of_opentofu() {
    let main = "module \"m\" {\n  source = \"./m\"\n}\noutput \"o\" {\n  value = urldecode(\"a%20b\")\n}\n";
    let module = "output \"x\" {\n  value = 1\n}\n";
    let folder = Folder::with(&[("main.tf", main), ("m/more.tofu", module)]);
    folder.hcl(&["check", "."]).success();
    folder.hcl(&["eval", ".", "output.o", "module.m.x"]).success().stdout_eq(str![[r#"
module.m.x = 1
output.o = "a b"

"#]]);
    let graph = folder.command(&["graph", "."]).output().unwrap();
    assert!(String::from_utf8_lossy(&graph.stdout).contains("module.m.x"), "{graph:?}");
    folder.hcl(&["eval", ".", "--language", "terraform", "output.o"]).failure();
    // A file says what the directory is for.
    let folder =
        Folder::with(&[("main.tf", main), ("m/more.tofu", module), (".terraform-version", "1.16.0")]);
    folder.hcl(&["eval", ".", "output.o"]).failure();
}
