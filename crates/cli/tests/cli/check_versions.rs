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
    // A nested block such as `lifecycle` is one of a resource.
    let (outer, own) = match dialect.shape(None, parts[0]) {
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
    let listed = |inner: &str| {
        dialect.block(outer[0]).is_some_and(|rule| rule.blocks.iter().any(|own| *own == *inner))
    };
    let is_block = inner.is_some_and(|inner| {
        listed(inner)
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
        ("hcl@1", "versions of hcl are not known"),
    ] {
        let output = folder.command(&["check", "--language", language, "."]).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && errors.contains(text), "{errors}");
    }
}
