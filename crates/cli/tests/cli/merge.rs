//! `hcl merge` as a program, and as a merge driver of Git.

use std::path::Path;
use std::process::Command;

use crate::program::{Folder, program};
use snapbox::str;

const BASE: &str = "resource \"t\" \"a\" {\n  x = 1\n  y = 2\n}\n";

fn folder() -> Folder {
    Folder::with(&[
        ("base.tf", BASE),
        ("ours.tf", &BASE.replace("x = 1", "x = 10")),
        ("theirs.tf", &BASE.replace("y = 2", "y = 20")),
        ("other.tf", &BASE.replace("x = 1", "x = 11")),
        ("broken.tf", "resource {\n"),
    ])
}

#[test]
fn the_result_replaces_ours() {
    let folder = folder();
    folder.hcl(&["merge", "base.tf", "ours.tf", "theirs.tf"]).success().stdout_eq("").stderr_eq("");
    assert_eq!(folder.read("ours.tf"), "resource \"t\" \"a\" {\n  x = 10\n  y = 20\n}\n");
    assert_eq!(folder.read("base.tf"), BASE);
    // Nothing changes a second time.
    folder.hcl(&["merge", "base.tf", "ours.tf", "theirs.tf"]).success();
}

#[test]
fn out_leaves_ours_as_it_is() {
    let folder = folder();
    let before = folder.read("ours.tf");
    folder.hcl(&["merge", "base.tf", "ours.tf", "theirs.tf", "--result", "-"]).success().stdout_eq(str![[
        r#"
resource "t" "a" {
  x = 10
  y = 20
}

"#
    ]]);
    folder.hcl(&["merge", "base.tf", "ours.tf", "theirs.tf", "--result", "new.tf"]).success().stdout_eq("");
    assert!(folder.read("new.tf").contains("y = 20"));
    for input in ["base.tf", "ours.tf", "theirs.tf"] {
        folder.hcl(&["merge", "base.tf", "ours.tf", "theirs.tf", "--result", input]).code(2);
    }
    assert_eq!(folder.read("ours.tf"), before);
}

#[test]
fn conflicts_have_exit_code_1() {
    let folder = folder();
    let words = ["merge", "base.tf", "ours.tf", "other.tf", "--style", "diff3", "--marker-size", "9"];
    let labels = ["--ours-label", "HEAD", "--theirs-label", "topic", "--path", "net/main.tf"];
    folder.hcl(&[&words[..], &labels[..]].concat()).code(1).stdout_eq("").stderr_eq(str![[r#"
error: net/main.tf: 1 conflict

"#]]);
    assert_eq!(
        folder.read("ours.tf"),
        "resource \"t\" \"a\" {\n<<<<<<<<< HEAD\n  x = 10\n||||||||| base\n  x = 1\n=========\n  x = 11\n>>>>>>>>> topic\n  y = 2\n}\n"
    );
}

#[test]
fn what_is_merged_by_lines_is_said() {
    let folder = folder();
    folder.hcl(&["merge", "base.tf", "ours.tf", "broken.tf", "--result", "-"]).code(1).stderr_eq(str![[r#"
note: ours.tf: merged by lines, because theirs has syntax errors
error: ours.tf: 1 conflict

"#]]);
    let words = ["merge", "base.tf", "ours.tf", "theirs.tf", "--result", "-", "--path", "a.tf.json"];
    folder.hcl(&words).code(1).stderr_eq(str![[r#"
note: a.tf.json: merged by lines, because it is in the JSON syntax
error: a.tf.json: 1 conflict

"#]]);
}

#[test]
fn errors_have_exit_code_2_and_change_nothing() {
    let folder = folder();
    let before = folder.read("ours.tf");
    for words in [
        &["missing.tf", "ours.tf", "theirs.tf"][..],
        &["base.tf", "ours.tf", "missing.tf"],
        &["base.tf", "-", "theirs.tf"],
        &["-", "ours.tf", "-"],
        &["base.tf", "ours.tf", "theirs.tf", "--max-bytes", "10"],
        &["base.tf", "ours.tf", "theirs.tf", "--max-size", "10"],
        &["base.tf", "ours.tf", "theirs.tf", "--marker-size", "0"],
        &["base.tf", "ours.tf"],
    ] {
        let ended = folder.hcl(&[&["merge"], words].concat()).code(2);
        assert!(!ended.get_output().stderr.is_empty(), "{words:?}");
        assert_eq!(folder.read("ours.tf"), before, "{words:?}");
    }
}

fn git(folder: &Folder, words: &[&str]) -> (bool, String) {
    let path = format!("{}:{}", program().parent().unwrap().display(), std::env::var("PATH").unwrap());
    let identity = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b.c",
        "-c",
        "commit.gpgSign=false",
        "-c",
        "init.defaultBranch=main",
    ];
    let mut command = Command::new("git");
    command.args(identity).args(words).current_dir(folder.path("")).env("PATH", path);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let output = command.output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[track_caller]
fn git_succeeds(folder: &Folder, words: &[&str]) {
    let (succeeded, said) = git(folder, words);
    assert!(succeeded, "git {words:?}: {said}");
}

/// A repository with the driver, and two branches that change `net/main.tf`.
fn repository(ours: &str, theirs: &str) -> Folder {
    let folder = Folder::with(&[(".gitattributes", "*.tf merge=hcl\n"), ("net/main.tf", BASE)]);
    git_succeeds(&folder, &["init", "-q"]);
    git_succeeds(&folder, &["config", "merge.hcl.name", "HCL by blocks"]);
    let driver = "hcl merge %O %A %B --marker-size %L --path %P";
    git_succeeds(&folder, &["config", "merge.hcl.driver", driver]);
    let commit = |text: &str, branch: &[&str]| {
        if !branch.is_empty() {
            git_succeeds(&folder, branch);
        }
        folder.write("net/main.tf", text);
        git_succeeds(&folder, &["add", "."]);
        git_succeeds(&folder, &["commit", "-q", "-m", "change"]);
    };
    commit(BASE, &[]);
    commit(theirs, &["checkout", "-q", "-b", "topic"]);
    commit(ours, &["checkout", "-q", "main"]);
    folder
}

#[test]
fn git_merges_with_the_driver() {
    if Command::new("git").arg("--version").output().is_err() {
        eprintln!("git is not installed: the driver is not tried.");
        return;
    }
    let folder = repository(&BASE.replace("x = 1", "x = 10"), &BASE.replace("y = 2", "y = 20"));
    git_succeeds(&folder, &["merge", "-q", "topic"]);
    assert_eq!(folder.read("net/main.tf"), "resource \"t\" \"a\" {\n  x = 10\n  y = 20\n}\n");
    assert!(Path::new(&folder.path("net")).read_dir().unwrap().count() == 1);

    let folder = repository(&BASE.replace("x = 1", "x = 10"), &BASE.replace("x = 1", "x = 11"));
    let (succeeded, said) = git(&folder, &["merge", "topic"]);
    assert!(!succeeded && said.contains("CONFLICT (content): Merge conflict in net/main.tf"), "{said}");
    let conflict = "<<<<<<< ours\n  x = 10\n=======\n  x = 11\n>>>>>>> theirs\n";
    assert_eq!(folder.read("net/main.tf"), format!("resource \"t\" \"a\" {{\n{conflict}  y = 2\n}}\n"));
    let (_, status) = git(&folder, &["status", "--short"]);
    assert_eq!(status, "UU net/main.tf\n");
}
