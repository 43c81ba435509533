//! What rules of a project find is shown as in `hcl test`, and errors in rules where they are.

use std::sync::Arc;

use hclkit_ide::{MemoryFiles, Workspace};

const RULE: &str = "rule \"name\" {\n  match     = \"resource.terraform_data.*\"\n  condition = self.input == param.wanted\n  \
                    message   = \"The input is ${self.input}.\"\n}\n\nparam \"wanted\" {\n  default = \"a\"\n}\n";

fn workspace(files: &[(&'static str, &'static str)]) -> Workspace {
    let files: MemoryFiles = files.iter().copied().collect();
    let mut workspace = Workspace::new(Arc::new(files), ["/w"]);
    let main = "variable \"open\" {}\nlocals {\n  b = \"b\"\n}\nresource \"terraform_data\" \"bad\" {\n  input = local.b\n}\n\
                resource \"terraform_data\" \"open\" {\n  input = var.open\n}\n# hcl: ignore name it is old\n\
                resource \"terraform_data\" \"old\" {\n  input = \"old\"\n}\n";
    workspace.open("/w/main.tf", main, Some(1), None);
    workspace
}

fn found(workspace: &Workspace, path: &str) -> Vec<String> {
    let found = workspace.snapshot().diagnostics(path);
    found
        .iter()
        .map(|own| format!("{}: {}", own.code().map_or("", |code| code.as_str()), own.note()))
        .collect()
}

#[test]
fn findings_are_those_of_the_rules_in_the_settings() {
    let settings = "[test]\nrules = [\"own\"]\n";
    let mut workspace = workspace(&[("/w/hcl.toml", settings), ("/w/own/a.rules.hcl", RULE)]);
    let all = found(&workspace, "/w/main.tf");
    assert_eq!(all[0], "name: The input is b.");
    assert!(
        all[1].starts_with("rule-unknown: The rule `name` is unknown for terraform_data.open"),
        "{all:?}"
    );
    assert_eq!(all.len(), 2, "{all:?}");
    // An open file of rules counts as it is.
    workspace.open("/w/own/a.rules.hcl", RULE.replace("\"a\"", "\"b\""), Some(1), None);
    assert_eq!(found(&workspace, "/w/main.tf").len(), 1);
    workspace.open("/w/own/a.rules.hcl", RULE.replace("self.input ==", "slf.input =="), Some(2), None);
    let wrong = found(&workspace, "/w/own/a.rules.hcl");
    assert!(wrong.iter().any(|own| own.contains("Did you mean `self`?")), "{wrong:?}");
    assert_eq!(found(&workspace, "/w/main.tf").len(), 0);
    workspace.close("/w/own/a.rules.hcl");
    assert_eq!(found(&workspace, "/w/main.tf").len(), 2);
}

#[test]
fn rules_outside_of_the_settings_are_not_read() {
    let settings = "[test]\nrules = [\"../other\"]\n";
    let outside = workspace(&[("/w/hcl.toml", settings), ("/other/a.rules.hcl", RULE)]);
    assert_eq!(found(&outside, "/w/main.tf"), [""; 0]);
    let none = workspace(&[("/w/own/a.rules.hcl", RULE)]);
    assert_eq!(found(&none, "/w/main.tf"), [""; 0]);
}

#[test]
fn parameters_imports_and_builtin_rules_count() {
    let settings = "[test]\nrules = [\"b.rules.hcl\", \"builtin:naming\"]\nparams = { wanted = \"b\" }\n";
    let files = [
        ("/w/hcl.toml", settings),
        ("/w/b.rules.hcl", "import = [\"own/a.rules.hcl\"]\n"),
        ("/w/own/a.rules.hcl", RULE),
    ];
    let mut imported = workspace(&files);
    assert_eq!(found(&imported, "/w/main.tf").len(), 1);
    imported.open("/w/own/a.rules.hcl", RULE.replace("self.input ==", "self.input !="), Some(1), None);
    let all = found(&imported, "/w/main.tf");
    assert!(all.contains(&"name: The input is b.".to_owned()), "{all:?}");
    imported.open(
        "/w/main.tf",
        "resource \"terraform_data\" \"Bad-Name\" {\n  input = 1\n}\n",
        Some(2),
        None,
    );
    let all = found(&imported, "/w/main.tf");
    assert!(all.iter().any(|own| own.starts_with("naming-")), "{all:?}");
}

#[test]
fn what_rules_cost_is_bounded() {
    let rule = "rule \"slow\" {\n  match = \"resource.*.*\"\n  message = \"m\"\n  condition = length([for a in range(1024) : [for b in range(1024) : [for c in range(1024) : a]]]) > 0\n}\n";
    let settings = "[test]\nrules = [\"own\"]\n";
    let slow = workspace(&[("/w/hcl.toml", settings), ("/w/own/a.rules.hcl", rule)]);
    let all = found(&slow, "/w/main.tf");
    assert!(all.iter().any(|own| own.starts_with("rules-cut: ")), "{all:?}");
}

#[test]
fn policies_have_their_functions() {
    let mut workspace = workspace(&[]);
    let text = "resource_policy \"disk\" \"size\" {\n  enforce {\n    condition     = core::semvercmp(attrs.version, \"1.0\") >= 0\n    \
                error_message = \"\"\n  }\n}\n";
    workspace.open("/w/a.policy.hcl", text, Some(1), None);
    let at = |word: &str| (text.find(word).unwrap() + word.len()) as u32;
    let snapshot = workspace.snapshot();
    let hover = snapshot.hover("/w/a.policy.hcl", at("core::semver")).unwrap();
    assert!(hover.text.contains("core::semvercmp(version_a: string, version_b: string)"), "{}", hover.text);
    assert!(hover.text.contains("is lower than"), "{}", hover.text);
    let help = snapshot.signature("/w/a.policy.hcl", at("attrs.version, ")).unwrap();
    assert_eq!(help.active, Some(1));
    for place in ["condition     = ", "condition     = core::", "condition     = core::semver"] {
        let all = snapshot.completions("/w/a.policy.hcl", at(place));
        let names: Vec<&str> = all.iter().map(|own| own.label.as_str()).collect();
        for name in [
            "core::getresources",
            "core::getdatasource",
            "core::gethttprequest",
            "core::valuetostring",
            "core::lower",
        ] {
            assert!(names.contains(&name), "{name}: {names:?}");
        }
        assert!(!names.contains(&"lower"), "{names:?}");
        // The whole name is replaced.
        assert!(
            all.iter().all(|own| text[own.span.start as usize..own.span.end as usize] == *"core::semvercmp")
        );
    }
}
