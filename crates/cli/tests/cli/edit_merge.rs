//! `hcl edit --merge`: files put into others, whose comments and layout stay; and `hcl diff` of such files.

use crate::program::Folder;
use snapbox::str;

const BASE: &str = "# All of us.\nregion = \"eu\" # default\n\ntags = {\n  Team = \"infra\" # us\n  Env  = \"dev\"\n}\nsize = 1\n";

const OVER: &str = "region = \"us\"\n# How many.\ncount = 3 # each\ntags = {\n  Env = \"prod\"\n  \"a b\" = \"$${x}\"\n}\nsize = 1\n";

#[test]
fn values_replace_others_and_comments_stay() {
    let folder = Folder::with(&[("base.tfvars", BASE), ("prod.tfvars", OVER)]);
    folder.hcl(&["edit", "--merge", "prod.tfvars", "base.tfvars"]).success().stdout_eq(str![[r#"
--- a/base.tfvars
+++ b/base.tfvars
@@ -1,8 +1,10 @@
 # All of us.
-region = "eu" # default
+region = "us" # default
 
 tags = {
-  Team = "infra" # us
-  Env  = "dev"
+  Env   = "prod"
+  "a b" = "$${x}"
 }
 size = 1
+# How many.
+count = 3 # each

"#]]);
    assert_eq!(folder.read("base.tfvars"), BASE);
    folder
        .hcl(&["edit", "--merge", "prod.tfvars", "--deep", "-w", "base.tfvars"])
        .success()
        .stdout_eq("base.tfvars: 4 changes\n");
    assert_eq!(
        folder.read("base.tfvars"),
        "# All of us.\nregion = \"us\" # default\n\ntags = {\n  Team  = \"infra\" # us\n  Env   = \"prod\"\n  \"a b\" = \"$${x}\"\n}\nsize = 1\n# How many.\ncount = 3 # each\n"
    );
    // Again, there is nothing to do.
    folder.hcl(&["edit", "--merge", "prod.tfvars", "--deep", "-w", "base.tfvars"]).success().stdout_eq("");
    folder.hcl(&["diff", "prod.tfvars", "base.tfvars"]).code(1).stdout_eq("+ tags.Team = \"infra\"\n");
    folder.hcl_reading(&["edit", "--merge", "prod.tfvars", "-"], "a = 1\n").success();
}

#[test]
fn both_syntaxes_are_merged_into_each_other() {
    let folder = Folder::with(&[
        ("a.tfvars", OVER),
        ("a.tfvars.json", "{\n  \"region\": \"eu\",\n  \"tags\": {\"Team\": \"infra\"}\n}\n"),
        ("b.tfvars.json", "{\"region\": \"asia ${x}\", \"list\": [{\"a\": 1}], \"tags\": {\"Env\": null}}\n"),
    ]);
    folder.hcl(&["edit", "--merge", "a.tfvars", "--deep", "-w", "a.tfvars.json"]).success();
    folder.hcl(&["diff", "a.tfvars", "a.tfvars.json"]).code(1).stdout_eq("+ tags.Team = \"infra\"\n");
    folder.hcl(&["edit", "--merge", "b.tfvars.json", "-w", "a.tfvars"]).success();
    folder.hcl(&["diff", "b.tfvars.json", "a.tfvars"]).code(1).stdout_eq("+ count = 3\n+ size = 1\n");
    // The last of several files counts most.
    let both = ["edit", "--merge", "a.tfvars", "--merge", "b.tfvars.json", "-w", "a.tfvars.json"];
    folder.hcl(&both).success();
    folder.hcl(&["diff", "a.tfvars", "a.tfvars.json"]).code(0).stdout_eq("No difference in values.\n");
}

#[test]
fn blocks_are_merged_by_types_and_labels() {
    let base =
        "# The web.\nservice \"web\" {\n  port = 80 # public\n\n  log {\n    level = \"info\"\n  }\n}\n";
    let over = "service \"web\" {\n  port = 8080\n  host = \"a\"\n\n  log {\n    file = \"x\"\n  }\n}\n\n# New.\nservice \"api\" {\n  port = 1\n}\n";
    let folder = Folder::with(&[
        ("base.hcl", base),
        ("over.hcl", over),
        ("twice.hcl", "disk {\n}\ndisk {\n}\n"),
        ("disk.hcl", "disk {\n  a = 1\n}\n"),
        ("kind.hcl", "service = 1\n"),
        ("bad.hcl", "a = ]\n"),
        ("base.json", "{}\n"),
    ]);
    folder
        .hcl(&["edit", "--merge", "over.hcl", "-w", "base.hcl"])
        .success()
        .stdout_eq("base.hcl: 4 changes\n");
    assert_eq!(
        folder.read("base.hcl"),
        "# The web.\nservice \"web\" {\n  port = 8080 # public\n  host = \"a\"\n\n  log {\n    level = \"info\"\n    file  = \"x\"\n  }\n}\n\n# New.\nservice \"api\" {\n  port = 1\n}\n"
    );
    for (words, code, why) in [
        (
            &["--merge", "disk.hcl", "twice.hcl"][..],
            2,
            "twice.hcl: --merge disk.hcl: line 1: `disk`: there are several",
        ),
        (&["--merge", "kind.hcl", "base.hcl"], 2, "`service`: an argument here, and a block there"),
        (&["--merge", "bad.hcl", "base.hcl"], 1, "invalid-expression"),
        (&["--merge", "base.hcl", "bad.hcl"], 1, "invalid-expression"),
        (&["--merge", "none.hcl", "base.hcl"], 2, "cannot read none.hcl"),
        (&["--merge", "disk.hcl", "base.json"], 2, "blocks are not merged into the JSON syntax"),
        (&["--merge", "disk.hcl", "--delete", "a", "base.hcl"], 2, "cannot be used with"),
        (&["--deep", "a=1", "base.hcl"], 2, "--merge"),
    ] {
        let output = folder.command(&["edit"]).args(words).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), text.contains(why)), (Some(code), true), "{words:?}: {text}");
    }
}

/// Random files: what is merged is what evaluation sees, and merging again changes nothing.
#[test]
fn merged_files_have_the_values_of_both() {
    let names = ["a", "b", "c", "d"];
    let values = [
        "1",
        "\"x\"",
        "[1, 2]",
        "{ k = 1 }",
        "{ k = 2, l = { m = 1 } }",
        "{\n    l = { n = \"y\" } # note\n  }",
        "null",
        "<<EOT\ntext\nEOT\n",
    ];
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..60 {
        let mut text = || {
            names
                .iter()
                .filter_map(|name| {
                    let value = random.choice(values)?;
                    let comment = random.choice(["", "# c\n", "\n"])?;
                    random.bool().then(|| format!("{comment}{name} = {}\n", value.trim_end()))
                })
                .collect::<String>()
        };
        let (base, over) = (text(), text());
        let folder = Folder::with(&[("base.tfvars", &base), ("over.tfvars", &over)]);
        let before = folder.hcl(&["eval", "-f", "over.tfvars", "--output", "json"]).success();
        let before: serde_json::Value = serde_json::from_slice(&before.get_output().stdout).unwrap();
        let old = folder.hcl(&["eval", "-f", "base.tfvars", "--output", "json"]).success();
        let mut expected: serde_json::Value = serde_json::from_slice(&old.get_output().stdout).unwrap();
        for (name, value) in before.as_object().unwrap() {
            expected[name] = value.clone();
        }
        folder.hcl(&["edit", "--merge", "over.tfvars", "-w", "base.tfvars"]).success();
        let after = folder.hcl(&["eval", "-f", "base.tfvars", "--output", "json"]).success();
        let after: serde_json::Value = serde_json::from_slice(&after.get_output().stdout).unwrap();
        assert_eq!(after, expected, "{base}---\n{over}---\n{}", folder.read("base.tfvars"));
        folder.hcl(&["edit", "--merge", "over.tfvars", "base.tfvars"]).success().stdout_eq("");
        let comments = |text: &str| text.matches("# c").count();
        assert!(comments(&folder.read("base.tfvars")) >= comments(&base), "{base}---\n{over}");
    }
}
