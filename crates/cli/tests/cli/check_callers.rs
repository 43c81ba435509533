//! `hcl check` of a part of a repository: what has changed, and the modules that call it.

use std::fs;
#[cfg(unix)]
use std::process::Command;

#[cfg(unix)]
use snapbox::str;

use crate::check_modules::reported;
use crate::program::Folder;

const NET: &str = "variable \"cidr\" {\n  type = string\n}\noutput \"id\" {\n  value = var.cidr\n}\n";

/// A module, one that calls it through another, and a root module with a mistake, beside something else.
fn repository() -> Folder {
    Folder::with(&[
        ("modules/net/main.tf", NET),
        (
            "modules/site/main.tf",
            "module \"net\" {\n  source = \"../net\"\n  cidr = \"10.0.0.0/8\"\n}\noutput \"id\" {\n  value = module.net.id\n}\n",
        ),
        ("live/a/main.tf", "module \"site\" {\n  source = \"../../modules/site\"\n  size = 1\n}\n"),
        ("live/b/main.tf", "output \"x\" {\n  value = var.nope\n}\n"),
        ("modules/net/files/a.tpl", "text\n"),
    ])
}

const CALLER: &str = "live/a/main.tf:3: unsupported-input: The module has no variable named `size`.\n";

#[test]
fn callers_in_the_repository_are_checked_too() {
    let folder = repository();
    // Without a repository, nothing outside of the directory is read.
    assert_eq!(reported(&folder, &["modules/net"]), "");
    fs::create_dir(folder.path(".git")).unwrap();
    assert_eq!(reported(&folder, &["modules/net"]), CALLER);
    assert_eq!(reported(&folder, &["./modules/net/"]), CALLER);
    assert_eq!(reported(&folder, &["modules/net", "--no-callers"]), "");
    assert_eq!(reported(&folder, &["modules/net", "--syntax-only"]), "");
    let absolute = folder.path("modules/net");
    let found = reported(&folder, &[absolute.to_str().unwrap()]);
    assert!(found.ends_with(CALLER), "{found}");
    // From another directory, names are relative to that one.
    let output = folder.command(&["check", "--report", "github"]);
    let output = output.current_dir(folder.path("modules/net")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("file=../../live/a/main.tf,line=3"), "{text}");
    // Who calls nothing is checked alone.
    assert_eq!(reported(&folder, &["live/b"]).lines().count(), 1);
    // A module that a caller calls is not reported, but known.
    fs::write(folder.path("modules/site/main.tf"), "locals {\n  unused = 1\n}\n").unwrap();
    let found = reported(&folder, &["live/a"]);
    assert_eq!(found.lines().filter(|line| line.starts_with("live/a")).count(), 1, "{found}");
}

#[test]
fn only_what_has_changed_is_checked_with_its_callers() {
    let folder = repository();
    folder.git(&["init", "--quiet"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message", "a"]);
    let since = |more: &[&str]| reported(&folder, &[&["--changed-since", "main"], more].concat());
    assert_eq!(since(&[]), "");
    folder.hcl(&["check", "--changed-since", "main"]).code(0).stdout_eq("Checked no files\n");
    let write = |name: &str, text: &str| folder.write(name, text);
    write("modules/net/main.tf", &format!("{NET}locals {{\n  unused = 1\n}}\n"));
    let unused =
        "modules/net/main.tf:8: unused-declaration: Nothing in this directory refers to `local.unused`.\n";
    assert_eq!(since(&[]), format!("{CALLER}{unused}"));
    assert_eq!(since(&["--no-callers"]), unused);
    // Changes outside of the directories count, and modules that are called are checked.
    assert_eq!(since(&["live"]), format!("{CALLER}{unused}"));
    assert_eq!(since(&["live/b"]), "");
    folder.git(&["checkout", "--quiet", "--", "."]);
    // A template belongs to the module above it. New files and files that are gone count.
    write("modules/net/files/a.tpl", "other\n");
    assert_eq!(since(&[]), CALLER);
    folder.git(&["checkout", "--quiet", "--", "."]);
    write("live/c/main.tf", "output \"x\" {\n  value = var.new\n}\n");
    assert_eq!(since(&[]), "live/c/main.tf:2: unknown-variable: `var.new` is not defined.\n");
    fs::remove_dir_all(folder.path("live/c")).unwrap();
    write("modules/net/more.tf", "");
    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message", "b"]);
    fs::remove_file(folder.path("modules/net/more.tf")).unwrap();
    assert_eq!(reported(&folder, &["--changed-since", "HEAD"]), CALLER);
    // Changes are those since the last common commit.
    folder.git(&["checkout", "--quiet", "-b", "other", "HEAD~1"]);
    assert_eq!(since(&[]), "");
}

/// A file in conflict counts as changed, also if it is as it was on one side; what is no file any more is not waited for. The index
/// is that of a large repository: in two files, of which each path shortens the next one.
#[cfg(unix)]
#[test]
fn files_in_conflict_and_unreadable_ones_have_changed() {
    let folder = Folder::with(&[]);
    folder.git(&["init", "--quiet"]);
    folder.git(&["config", "index.version", "4"]);
    folder.git(&["config", "core.splitIndex", "true"]);
    let commit = |text: &str, names: &[&str]| {
        for name in names {
            folder.write(name, text);
        }
        folder.git(&["add", "."]);
        folder.git(&["commit", "--quiet", "--message", "a"]);
    };
    commit("x = 1\n", &["a.hcl", "b.hcl", "pipe.hcl", "directory.hcl", "same.hcl"]);
    folder.git(&["checkout", "--quiet", "-b", "side"]);
    commit("x = 2\n", &["a.hcl", "b.hcl"]);
    folder.git(&["checkout", "--quiet", "main"]);
    commit("x = 3\n", &["a.hcl", "b.hcl"]);
    let merge =
        Command::new("git").args(["merge", "--quiet", "side"]).current_dir(folder.root()).output().unwrap();
    assert!(!merge.status.success(), "{merge:?}");
    folder.git(&["checkout", "--ours", "b.hcl"]);
    fs::remove_file(folder.path("directory.hcl")).unwrap();
    fs::create_dir(folder.path("directory.hcl")).unwrap();
    fs::remove_file(folder.path("pipe.hcl")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path("pipe.hcl")).status().unwrap().success());
    folder.hcl(&["check", "--changed-since", "HEAD"]).code(1).stdout_eq(str![[r#"
error[expected-item]: Argument or block definition required
 --> a.hcl:1:1
  |
1 | <<<<<<< HEAD
  | ^
  |
  = note: This line is a conflict marker from version control. Resolve the conflict and remove the markers.

Checked 2 files: 1 error in 1 file (1 file not regular)

"#]]);
}

#[test]
fn without_a_repository_or_a_commit_there_is_an_error() {
    let folder = repository();
    let fails = |reference: &str, text: &str| {
        let output = folder.command(&["check", &format!("--changed-since={reference}")]).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && errors.contains(text), "{errors}");
    };
    fails("main", "is not in a Git repository");
    folder.git(&["init", "--quiet"]);
    folder.git(&["commit", "--quiet", "--allow-empty", "--message", "a"]);
    fails("nope", "there is no such commit");
    fails("--output=x", "expected a branch");
    assert!(!folder.path("x").exists());
}

#[cfg(unix)]
#[test]
fn the_configuration_of_a_repository_runs_no_programs() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = repository();
    folder.git(&["init", "--quiet"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message", "a"]);
    let script = folder.path("script");
    fs::write(&script, "#!/bin/sh\ntouch \"$(dirname \"$0\")/ran\"\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    for key in ["core.fsmonitor", "diff.external", "core.pager"] {
        folder.git(&["config", key, script.to_str().unwrap()]);
    }
    fs::write(folder.path("live/b/main.tf"), "locals {\n").unwrap();
    assert_eq!(reported(&folder, &["--changed-since", "main"]).lines().count(), 1);
    assert!(!folder.path("ran").exists());
}

/// Whatever paths are given, and in which form: a file is read once, so the modules of a repository without mistakes have none.
#[test]
fn no_choice_of_paths_makes_mistakes() {
    let called = "variable \"cidr\" {\n  type = string\n}\noutput \"id\" {\n  value = var.cidr\n}\n";
    let caller = |source: &str| {
        format!(
            "module \"net\" {{\n  source = \"{source}\"\n  cidr = \"10.0.0.0/8\"\n}}\noutput \"id\" {{\n  value = module.net.id\n}}\n"
        )
    };
    let (site, live) = (caller("../net"), caller("../../modules/net"));
    let folder = Folder::with(&[
        ("modules/net/main.tf", called),
        ("modules/site/main.tf", &site),
        ("live/a/main.tf", &live),
        ("live/b/main.tf", &live),
        ("main.tf", "output \"x\" {\n  value = 1\n}\n"),
    ]);
    folder.git(&["init", "-q"]);
    folder.git(&["add", "-A"]);
    folder.git(&["commit", "-q", "-m", "all"]);
    folder.write("modules/net/main.tf", format!("{called}# changed\n"));
    let all = [
        ".",
        "modules",
        "live",
        "modules/net",
        "modules/site",
        "live/a",
        "live/b",
        "main.tf",
        "modules/net/main.tf",
        "live/a/main.tf",
    ];
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..60 {
        let form = |random: &mut fastrand::Rng| {
            let path = *random.choice(&all).unwrap();
            match random.u8(..4) {
                0 => format!("./{path}"),
                1 => format!("live/../{path}"),
                2 => folder.path(path).to_str().unwrap().to_owned(),
                _ => path.to_owned(),
            }
        };
        let mut arguments: Vec<String> = (0..random.usize(1..5)).map(|_| form(&mut random)).collect();
        match random.u8(..5) {
            0 => arguments.push("--changed-since=HEAD".to_owned()),
            1 => arguments.push("--no-callers".to_owned()),
            2 => arguments.push("--fix".to_owned()),
            _ => {}
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        assert_eq!(reported(&folder, &arguments), "", "{arguments:?}");
    }
}

#[test]
fn unused_variables_do_not_depend_on_names_and_paths() {
    let call = "module \"m\" {\n  source = \"../m\"\n  y      = 1\n}\n";
    let used = "variable \"y\" {\n  type = number\n}\noutput \"o\" {\n  value = var.y\n}\n";
    let unused = "variable \"x\" {\n  default = 1\n}\n";
    for caller in ["a", "z"] {
        let main = format!("{caller}/main.tf");
        let folder = Folder::with(&[
            (&*main, call),
            ("m/main.tf", &format!("{used}{unused}")),
            (".git/HEAD", "ref: refs/heads/main\n"),
        ]);
        let ways = [&["."][..], &["m"], &[caller], &["m", "--no-callers"], &["m", caller], &[caller, "m"]];
        let check = |way: &[&str], deny: &[&str]| {
            let output = folder.command(&[&["check"], way, deny].concat()).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
            (text, output.status.code())
        };
        for way in ways {
            let (text, _) = check(way, &[]);
            // Who checks only the caller did not ask.
            let count = usize::from(way != [caller]);
            assert_eq!(text.matches("var.x").count(), count, "{caller} {way:?}: {text}");
        }
        // So does a comment that allows it.
        let allowed = format!("{used}# hcl-check: allow unused-declaration It is for later.\n{unused}");
        folder.write("m/main.tf", &allowed);
        for way in ways {
            let (text, code) = check(way, &["--deny", "warnings"]);
            assert_eq!(code, Some(0), "{caller} {way:?}: {text}");
        }
        // An unused comment is reported where the file itself is checked.
        folder.write("m/main.tf", allowed.replace("var.y", "var.y + var.x"));
        for way in [&["."][..], &["m"], &["m", caller]] {
            let (text, _) = check(way, &[]);
            assert_eq!(text.matches("unused-allowance").count(), 1, "{caller} {way:?}: {text}");
        }
    }
}

/// A change cannot come with a list of its own errors, in whatever way it adds to the list.
#[test]
fn a_baseline_counts_as_it_was_before_the_change() {
    let broken = |name: &str| format!("output \"{name}\" {{\n  value = var.{name}\n}}\n");
    let folder = Folder::with(&[("m/main.tf", &broken("old")), ("known.json", "{ \"findings\": {} }\n")]);
    let check = |more: &[&str]| {
        let words = [&["check", "--baseline", "known.json", "--report", "json"][..], more, &["."]].concat();
        let output = folder.command(&words).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    folder.git(&["init", "-q"]);
    check(&["--update-baseline"]);
    folder.git(&["add", "-A"]);
    folder.git(&["commit", "-q", "-m", "x"]);
    folder.git(&["branch", "base"]);
    // It is as it was, and what it lists is known.
    folder.write("m/main.tf", broken("old") + "# a change\n");
    let (code, text) = check(&["--changed-since", "base"]);
    assert_eq!((code, text.contains("has changed since")), (Some(0), false), "{text}");
    // The change adds an error, and lists it: in a new commit, in the index, or only in the working tree.
    folder.write("m/main.tf", broken("old") + &broken("new"));
    check(&["--update-baseline"]);
    assert_eq!(check(&[]).0, Some(0));
    let refused = || {
        let (code, text) = check(&["--changed-since", "base"]);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("known.json has changed since base; only what it listed before"), "{text}");
        assert!(text.contains("var.new") && !text.contains("var.old"), "{text}");
    };
    refused();
    folder.git(&["add", "-A"]);
    refused();
    folder.git(&["commit", "-q", "-m", "y"]);
    refused();
    // A list that is new in the change is empty before.
    folder.git(&["rm", "-q", "--cached", "known.json"]);
    folder.git(&["commit", "-q", "-m", "z"]);
    folder.git(&["branch", "-f", "base"]);
    let (code, text) = check(&["--changed-since", "base"]);
    assert_eq!(code, Some(0), "nothing has changed: {text}");
    folder.write("m/main.tf", broken("old") + &broken("new") + "# a change\n");
    let (code, text) = check(&["--changed-since", "base"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("var.new") && text.contains("var.old"), "{text}");
    // A link is not the file that it refers to, which may list more.
    folder.git(&["add", "-f", "known.json"]);
    folder.git(&["commit", "-q", "-m", "w"]);
    folder.git(&["branch", "-f", "base"]);
    fs::rename(folder.path("known.json"), folder.path("other.json")).unwrap();
    folder.write("known.json", "{ \"findings\": {} }\n");
    folder.git(&["add", "-A"]);
    folder.git(&["commit", "-q", "-m", "v"]);
    folder.git(&["branch", "-f", "base"]);
    #[cfg(unix)]
    {
        fs::remove_file(folder.path("known.json")).unwrap();
        std::os::unix::fs::symlink("other.json", folder.path("known.json")).unwrap();
        folder.write("m/main.tf", broken("old") + &broken("new") + "# another change\n");
        let (code, text) = check(&["--changed-since", "base"]);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("var.new") && text.contains("var.old"), "{text}");
    }
}

/// A unit of Terragrunt is checked with the files that it includes and reads, and against its module.
#[test]
fn units_are_checked_when_files_that_they_read_change() {
    let include = |name: &str| format!("include {{\n  path = find_in_parent_folders({name})\n}}\n");
    let root = "locals {\n  size = 1\n  env  = read_terragrunt_config(\"${get_terragrunt_dir()}/../env.hcl\")\n}\ninputs = {\n  size = local.size\n}\n";
    let folder = Folder::with(&[
        ("root.hcl", root),
        ("other.hcl", "locals {}\n"),
        ("live/env.hcl", "locals {\n  region = \"eu\"\n}\n"),
        (
            "live/app/terragrunt.hcl",
            &format!("{}terraform {{\n  source = \"../../app\"\n}}\n", include("\"root.hcl\"")),
        ),
        ("live/web/terragrunt.hcl", "locals {}\n"),
        ("old/terragrunt.hcl", "inputs = {}\n"),
        (
            "old/db/terragrunt.hcl",
            &format!(
                "{}terraform {{\n  source = \"../../app\"\n}}\ninputs = {{\n  size = 1\n}}\n",
                include("")
            ),
        ),
        (
            "app/main.tf",
            "variable \"size\" {\n  type = number\n}\noutput \"size\" {\n  value = var.size\n}\n",
        ),
    ]);
    folder.git(&["init", "--quiet"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message", "a"]);
    assert_eq!(reported(&folder, &[]), "");
    for (file, text, wanted) in [
        ("root.hcl", "locals {}\n", &["live/app"] as &[&str]),
        ("root.hcl", "inputs = {\n  size = local.none\n}\n", &["root.hcl"]),
        ("live/env.hcl", "locals {\n  region = local.none\n}\n", &["root.hcl"]),
        ("old/terragrunt.hcl", "inputs = {\n  size = local.none\n}\n", &["old/terragrunt.hcl"]),
        (
            "app/main.tf",
            "variable \"other\" {}\noutput \"other\" {\n  value = var.other\n}\n",
            &["live/app", "old/db"],
        ),
        ("other.hcl", "locals {\n  a = 1\n}\n", &[]),
    ] {
        folder.write(file, text);
        let found = reported(&folder, &["--changed-since", "HEAD"]);
        assert_eq!(wanted.is_empty(), found.is_empty(), "{file}: {found}");
        for place in wanted {
            assert!(found.lines().any(|line| line.starts_with(place)), "{file}: {place} in {found}");
        }
        // A check of everything finds the same in these files.
        let all = reported(&folder, &[]);
        for line in all.lines() {
            assert!(found.contains(line), "{file}: {line} is missing in {found}");
        }
        folder.git(&["checkout", "--quiet", "--", "."]);
    }
}
