//! `hcl diff` on versions in Git, directories, and sets of inputs.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use hclkit_test_cases::{rounds, seed};
use snapbox::str;

use crate::program::Folder;

fn commit(folder: &Folder, name: &str) {
    folder.git(&["add", "-A"]);
    folder.git(&["commit", "-q", "-m", name]);
}

const APP: &str = "variable \"region\" {\n  default = \"eu\"\n}\nmodule \"net\" {\n  source = \"../../modules/net\"\n  region = var.region\n}\nresource \"server\" \"web\" {\n  subnet = module.net.subnet\n  text   = templatefile(\"${path.module}/../../files/user.tpl\", { region = var.region })\n}\n";
const NET: &str = "variable \"region\" {}\nvariable \"size\" {\n  default = 1\n}\nresource \"subnet\" \"s\" {\n  region = var.region\n  size   = var.size\n}\noutput \"subnet\" {\n  value = subnet.s.id\n}\n";

/// A repository with a branch `main` and a branch `feature`, which changes a module that `envs/app` calls.
fn repository() -> Folder {
    let folder = Folder::with(&[
        ("envs/app/main.tf", APP),
        ("envs/other/main.tf", "resource \"server\" \"a\" {\n  size = 1\n}\n"),
        ("envs/lists/main.tf", "output \"o\" {\n  value = fileset(\"../../files\", \"*.json\")\n}\n"),
        ("modules/net/main.tf", NET),
        ("files/user.tpl", "hello ${region}\n"),
    ]);
    folder.git(&["init", "-q", "."]);
    commit(&folder, "one");
    folder.git(&["checkout", "-q", "-b", "feature"]);
    folder.write("modules/net/main.tf", NET.replace("default = 1", "default = 2"));
    commit(&folder, "two");
    folder
}

#[test]
fn a_branch_changes_the_modules_that_call_what_it_changes() {
    let folder = repository();
    folder.hcl(&["diff", "main...HEAD", "--explain"]).code(1).stderr_eq("").stdout_eq(str![[r#"
envs/app: 1 changed, 1 may change
  ~ module.net.subnet.s  modules/net/main.tf:5
      size: 1 -> 2
  ? server.web  envs/app/main.tf:8
      subnet: may change with module.net.subnet.s


"#]]);
}

const RULES: &str = r#"rule "small" {
  match     = "resource.subnet.*"
  condition = self.size < 2
  message   = "The size ${self.size} is too large."
}

rule "named" {
  match     = "resource.server.*"
  condition = self.name != null
  message   = "It has no name."
}
"#;

#[test]
fn rules_find_something_new_or_no_longer_find_it() {
    let folder = repository();
    let named = APP.replace("  subnet = ", "  name   = \"web\"\n  subnet = ");
    folder
        .write("envs/app/main.tf", format!("# A line above.\n{named}{}", "resource \"server\" \"b\" {\n}\n"));
    folder.write("size.rules.hcl", RULES);
    folder.write("hcl.toml", "[test]\nrules = [\"size.rules.hcl\"]\n");
    let text = |words: &[&str]| {
        let ended = folder.hcl(words).code(1);
        String::from_utf8(ended.get_output().stdout.clone()).unwrap()
    };
    let all = text(&["diff", "main", "envs/app"]);
    let expected = "rules: 2 new, 1 fixed, 0 unchanged\n\
                    \x20 + error[named]: It has no name.  envs/app/main.tf:14\n\
                    \x20 + error[small]: The size 2 is too large.  modules/net/main.tf:5\n\
                    \x20 - error[named]: It has no name.  main:envs/app/main.tf:8\n";
    assert!(all.contains(expected), "{all}");
    assert!(!text(&["diff", "main", "envs/app", "--no-lints"]).contains("rules:"));
    // Lines that move are no change.
    let all = text(&["diff", "HEAD", "envs/app", "--rules", "size.rules.hcl"]);
    assert!(all.contains("rules: 1 new, 1 fixed, 1 unchanged"), "{all}");
    let json: serde_json::Value =
        serde_json::from_str(&text(&["diff", "main", "envs/app", "--json"])).unwrap();
    assert_eq!(json["rules"]["new"][1]["code"], "small", "{json}");
    assert_eq!(
        (json["rules"]["fixed"][0]["place"]["line"].as_u64(), &json["rules"]["unchanged"]),
        (Some(8), &0.into())
    );
    for (format, expected) in [
        ("markdown", "- new: error[small]: The size 2 is too large. (modules/net/main.tf:5)\n"),
        (
            "github",
            "::error file=modules/net/main.tf,line=5,title=A new finding::error[small]: The size 2 is too large.\n",
        ),
        ("html", "<div class=\"own added\">fixed: error[named]: It has no name. <span"),
    ] {
        let all = text(&["diff", "main", "envs/app", "--output", format]);
        assert!(all.contains(expected), "{format}: {all}");
    }
    // Two directories, of which both have a module beside them.
    for (name, size) in [("old", 1), ("new", 2)] {
        folder.write(&format!("{name}/app/main.tf"), APP.replace("../../modules", "../modules"));
        folder.write(
            &format!("{name}/modules/net/main.tf"),
            NET.replace("default = 1", &format!("default = {size}")),
        );
    }
    let all = text(&["diff", "old/app", "new/app"]);
    assert!(all.contains("rules: 1 new, 0 fixed, 1 unchanged"), "{all}");
    // A rule that is broken is a problem.
    folder.write("size.rules.hcl", "rule \"r\" {\n}\n");
    let ended = folder.hcl(&["diff", "main", "envs/app"]).code(2);
    let all = String::from_utf8(ended.get_output().stdout.clone()).unwrap();
    assert!(all.contains("size.rules.hcl:1:"), "{all}");
}

#[test]
fn the_index_and_the_working_tree_are_versions() {
    let folder = repository();
    let text = |words: &[&str], code: i32| {
        let ended = folder.hcl(words).code(code);
        String::from_utf8(ended.get_output().stdout.clone()).unwrap()
    };
    assert_eq!(text(&["diff", "HEAD"], 0), "No change in meaning from HEAD to :worktree.\n");
    folder.write("envs/other/main.tf", "resource \"server\" \"a\" {\n  size = 2\n}\n");
    folder.write("envs/new/main.tf", "output \"n\" {\n  value = 1\n}\n");
    let all = text(&["diff", "HEAD"], 1);
    assert!(all.contains("envs/other: 1 changed") && all.contains("envs/new: 1 setting"), "{all}");
    assert_eq!(text(&["diff", "HEAD", ":index"], 0), "No change in meaning from HEAD to :index.\n");
    folder.git(&["add", "envs/other"]);
    let all = text(&["diff", "HEAD", ":index"], 1);
    assert!(all.contains("size: 1 -> 2") && !all.contains("envs/new"), "{all}");
    // In a directory, without what is beside it.
    assert!(!text(&["diff", "HEAD", "envs/new"], 1).contains("envs/other"));
    assert!(text(&["diff", "main", "envs"], 1).contains("envs/app"));
    // A directory that is gone has a meaning no more.
    fs::remove_dir_all(folder.path("envs/other")).unwrap();
    assert!(text(&["diff", "HEAD", "envs/other"], 1).contains("- server.a"));
}

#[test]
fn affected_modules_have_reasons() {
    let folder = repository();
    folder.hcl(&["diff", "main...HEAD", "--affected"]).code(1).stdout_eq("envs/app  (modules/net/main.tf)\n");
    folder
        .hcl(&["diff", "main...HEAD", "--output", "matrix", "--compact"])
        .code(1)
        .stdout_eq("{\"include\":[{\"directory\":\"envs/app\"}]}\n");
    let affected = |folder: &Folder| {
        let ended = folder.command(&["diff", "HEAD", "--affected"]).output().unwrap();
        String::from_utf8(ended.stdout).unwrap()
    };
    // Comments are no change, and neither are files that nothing reads.
    folder.write("modules/net/main.tf", format!("# More.\n{}", NET.replace("default = 1", "default = 2")));
    folder.write("README.md", "text");
    assert_eq!(affected(&folder), "");
    folder.write("files/user.tpl", "bye ${region}\n");
    assert_eq!(affected(&folder), "envs/app  (files/user.tpl, modules/net/main.tf)\n");
    folder.write("files/more.json", "{}");
    let found = affected(&folder);
    assert!(found.contains("envs/lists  (files/more.json, files/user.tpl)"), "{found}");
}

#[test]
fn two_sets_of_inputs_are_compared() {
    let folder = Folder::with(&[
        (
            "app/main.tf",
            "variable \"size\" {}\nvariable \"name\" {\n  default = \"x\"\n}\nresource \"server\" \"a\" {\n  size = var.size\n  name = var.name\n}\n",
        ),
        ("staging.tfvars", "size = 1\n"),
        ("production.tfvars", "size = 4\n"),
    ]);
    let words =
        ["diff", "--var-file", "staging.tfvars", "--var-file", "production.tfvars", "app", "--explain"];
    folder.hcl(&words).code(1).stdout_eq(str![[r#"
app: 1 changed
  ~ server.a  app/main.tf:5
      size: 1 -> 4
          because var.size at production.tfvars:1: 1 -> 4


"#]]);
    folder.hcl(&[&words[..], &["--var", "size=2"]].concat()).code(0).stdout_eq(str![[r#"
No change in meaning from staging.tfvars to production.tfvars.

"#]]);
    folder.hcl(&["diff", "app"]).code(2).stderr_eq(str![[r#"
error: expected two versions, such as `main...HEAD` or two directories, or two --var-file for one directory

"#]]);
}

#[test]
fn errors_are_exit_code_2() {
    let folder = repository();
    for (words, expected) in [
        (&["diff", "nosuch"][..], "nosuch is not a directory, and not a revision of the repository"),
        (&["diff", ".", "nosuch"][..], "nosuch is not a directory, and not a revision of the repository"),
        (&["diff", ".", ".", "."][..], "expected two directories"),
        (&["diff", "main", "HEAD", "files"], "files has no module of a known language in either version"),
        (&["diff", "envs/app", "envs/other", "--affected"], "--affected requires revisions of a repository"),
        (&["diff", "main..nosuch"], "nosuch: there is no such commit"),
        (&["diff", "main", "HEAD", ".."], "..: it is outside of the repository"),
    ] {
        let ended = folder.hcl(words).code(2);
        let errors = String::from_utf8_lossy(&ended.get_output().stderr).into_owned();
        assert!(errors.contains(expected), "{words:?}: {errors}");
    }
    // What depends on an error is not compared, and the rest is.
    folder.write("envs/other/main.tf", "resource \"server\" \"a\" {\n  size = nope\n  more = 1\n}\n");
    let ended = folder.hcl(&["diff", "HEAD", "envs/other"]).code(2);
    let output = ended.get_output();
    assert!(String::from_utf8_lossy(&output.stdout).contains("more: (none) -> 1"));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("There is no variable named `nope`."),
        "{output:?}"
    );
}

#[test]
fn a_name_of_both_is_refused() {
    let folder = repository();
    fs::create_dir(folder.path("feature")).unwrap();
    let ended = folder.hcl(&["diff", "feature", "main"]).code(2);
    ended.stderr_eq(str![[r#"
error: feature is a revision and a directory; write ./feature for the directory, or refs/heads/feature

"#]]);
    folder.hcl(&["diff", "refs/heads/feature", "main"]).code(1);
}

/// Links lead to other files of the same version, and to nothing else.
#[cfg(unix)]
#[test]
fn links_stay_in_their_version() {
    let folder = Folder::with(&[
        ("repository/common.tf", "locals {\n  size = 1\n}\n"),
        ("repository/app/main.tf", "output \"o\" {\n  value = [local.size, local.other]\n}\n"),
        ("outside.tf", "locals {\n  other = \"canary\"\n}\n"),
        ("repository/text.txt", "text"),
    ]);
    let link = |to: &str, from: &str| std::os::unix::fs::symlink(to, folder.path(from)).unwrap();
    link("../common.tf", "repository/app/common.tf");
    link("../../outside.tf", "repository/app/outside.tf");
    link("self.tf", "repository/app/self.tf");
    for words in [&["init", "-q", "."][..], &["add", "-A"], &["commit", "-q", "-m", "one"]] {
        folder.git(&[&["-C", "repository"], words].concat());
    }
    folder.write("repository/common.tf", "locals {\n  size = 2\n}\n");
    for words in [&["diff", "HEAD", "app"][..], &["diff", "HEAD", "--output", "json"]] {
        let ended = folder.command(words).current_dir(folder.path("repository")).output().unwrap();
        let text = String::from_utf8_lossy(&[&ended.stdout[..], &ended.stderr].concat()).into_owned();
        assert_eq!(ended.status.code(), Some(2), "{text}");
        assert!(!text.contains("canary"), "{text}");
        assert!(text.contains("[0]"), "the link in the repository is followed: {text}");
    }
    assert!(Path::new(&folder.path("outside.tf")).exists());
}

/// A random directory of a repository in which each directory may call later ones, and read files.
fn random_directory(rng: &mut fastrand::Rng, at: usize, all: usize) -> (String, Option<usize>) {
    let mut text = format!(
        "variable \"v\" {{\n  default = {}\n}}\nresource \"disk\" \"d\" {{\n  size = var.v + {}\n}}\noutput \"o\" {{\n  value = disk.d.size\n}}\n",
        rng.u8(0..3),
        rng.u8(0..3)
    );
    match rng.u8(0..6) {
        0 => {
            let _ = write!(
                text,
                "locals {{\n  t = file(\"../files/f{}.txt\")\n}}\nresource \"disk\" \"t\" {{\n  text = local.t\n}}\n",
                rng.u8(0..3)
            );
        }
        1 => text += "output \"l\" {\n  value = fileset(\"../files\", \"**/*.txt\")\n}\n",
        2 => {
            let _ = write!(
                text,
                "output \"e\" {{\n  value = fileexists(\"../files/f{}.txt\")\n}}\n",
                rng.u8(0..6)
            );
        }
        _ => {}
    }
    let called = (at + 1 < all && rng.bool()).then(|| rng.usize(at + 1..all));
    if let Some(called) = called {
        let _ = write!(
            text,
            "module \"m\" {{\n  source = \"../d{called}\"\n  v = {}\n}}\noutput \"m\" {{\n  value = module.m.o\n}}\n",
            rng.u8(0..2)
        );
    }
    (text, called)
}

/// No root module is left out whose meaning changes, and none is listed whose meaning does not.
#[test]
fn affected_are_the_modules_whose_meaning_changes() {
    const ALL: usize = 6;
    let (mut rng, mut changes) = (fastrand::Rng::with_seed(seed(7)), 0);
    for _ in 0..rounds(2) {
        let folder = Folder::with(&[("files/f0.txt", "a"), ("files/f1.txt", "b"), ("files/f2.txt", "c")]);
        let mut calls: Vec<Option<usize>> = Vec::new();
        for at in 0..ALL {
            let (text, called) = random_directory(&mut rng, at, ALL);
            folder.write(&format!("d{at}/main.tf"), text);
            calls.push(called);
        }
        folder.git(&["init", "-q", "."]);
        commit(&folder, "first");
        for _ in 0..6 {
            let before = calls.clone();
            let at = rng.usize(..ALL);
            let path = format!("d{at}/main.tf");
            match rng.u8(0..6) {
                0 => folder.write(&path, format!("# A comment.\n{}", folder.read(&path))),
                1 => folder.write(&format!("files/f{}.txt", rng.u8(0..6)), rng.u8(0..3).to_string()),
                2 => folder.write(&format!("files/more/g{}.txt", rng.u8(0..3)), "g"),
                _ => {
                    let (text, called) = random_directory(&mut rng, at, ALL);
                    folder.write(&path, text);
                    calls[at] = called;
                }
            }
            folder.git(&["add", "-A"]);
            folder.git(&["commit", "-q", "--allow-empty", "-m", "next"]);
            let ended = folder
                .command(&["diff", "HEAD~1", "HEAD", "--affected", "--json", "--no-lints"])
                .output()
                .unwrap();
            let found: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
            let affected: Vec<String> = found["affected"]
                .as_array()
                .unwrap()
                .iter()
                .map(|own| own["directory"].as_str().unwrap().to_owned())
                .collect();
            let is_root = |at: usize| [&before, &calls].iter().any(|calls| !calls.contains(&Some(at)));
            let expected: Vec<String> = (0..ALL)
                .filter(|at| is_root(*at))
                .map(|at| format!("d{at}"))
                .filter(|name| {
                    let code = folder
                        .command(&["diff", "HEAD~1", "HEAD", name, "--no-lints"])
                        .output()
                        .unwrap()
                        .status
                        .code();
                    assert!(matches!(code, Some(0 | 1)), "{name}: {code:?}");
                    code == Some(1)
                })
                .collect();
            assert_eq!(affected, expected, "{found:#}");
            changes += expected.len();
        }
    }
    assert!(changes > 5, "{changes}");
}
