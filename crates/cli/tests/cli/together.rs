//! Changes of several files: all or nothing, whatever stops a run, and whatever journal a directory has.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::program::{Folder, assert_usage, program};

type Tree = BTreeMap<String, Vec<u8>>;

fn tree(folder: &Path) -> Tree {
    let mut found = Tree::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            let below = tree(&entry.path()).into_iter();
            found.extend(below.map(|(inner, text)| (format!("{name}/{inner}"), text)));
        } else {
            found.insert(name, fs::read(entry.path()).unwrap_or_default());
        }
    }
    found
}

/// A module of many files, called by another one.
fn module(files: usize) -> Folder {
    let folder = Folder::with(&[
        (
            "net/main.tf",
            "variable \"a\" {}\n\nresource \"x\" \"y\" {}\n\noutput \"o\" {\n  value = var.a\n}\n",
        ),
        ("main.tf", "module \"net\" {\n  source = \"./net\"\n  a      = 1\n}\n"),
    ]);
    for at in 0..files {
        folder.write(&format!("net/{at}.tf"), format!("locals {{\n  l{at} = var.a\n}}\n"));
    }
    folder
}

fn restore(folder: &Folder, before: &Tree) {
    for name in tree(&folder.path("")).into_keys().filter(|name| !before.contains_key(name)) {
        fs::remove_file(folder.path(&name)).unwrap();
    }
    for (name, text) in before {
        folder.write(name, text);
    }
}

/// Stops runs of a command at random times. After the next command, the tree is the old or the new one.
fn stop(arguments: &[&str], times: u64) {
    let folder = module(30);
    let before = tree(&folder.path(""));
    let started = std::time::Instant::now();
    folder.hcl(arguments).success();
    let took = started.elapsed().as_micros() as u64;
    let after = tree(&folder.path(""));
    assert_ne!(before, after);
    let (mut old, mut new, mut finished) = (0, 0, 0);
    for turn in 0..times {
        restore(&folder, &before);
        let mut child = Command::new(program())
            .args(arguments)
            .current_dir(folder.path(""))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(fastrand::u64(took / 4..took * 5 / 4)));
        let is_kill = turn % 2 == 0;
        let signal = if is_kill { "-KILL" } else { "-INT" };
        let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        child.wait().unwrap();
        if is_kill {
            // Any command finishes what was begun, and one that writes removes what was prepared.
            finished +=
                u64::from(folder.path("net/.hcl-journal").exists() || folder.path(".hcl-journal").exists());
            folder.hcl(&["query", "module", "net/main.tf"]);
            let _ = folder.command(&["fmt", "."]).output().unwrap();
        }
        let found = tree(&folder.path(""));
        if found == before {
            old += 1;
        } else if found == after {
            new += 1;
        } else {
            let changed =
                |tree: &Tree| found.iter().filter(|(name, text)| tree.get(*name) != Some(text)).count();
            let names: Vec<_> = found.keys().filter(|name| !before.contains_key(*name)).collect();
            panic!(
                "{arguments:?} {signal}: {} not old, {} not new; {names:?}",
                changed(&before),
                changed(&after)
            );
        }
    }
    eprintln!("{arguments:?}: {old} old, {new} new, {finished} finished by the next run");
}

const COMMANDS: [&[&str]; 2] =
    [&["rename", "-w", "var.a", "b", "net", "--callers", "."], &["split", "-w", "net"]];

#[test]
fn a_stopped_run_leaves_the_old_or_the_new_tree() {
    for arguments in COMMANDS {
        stop(arguments, 16);
    }
}

/// `cargo test -p hclkit-cli --test cli -- --ignored --nocapture a_thousand_stops`
#[test]
#[ignore = "takes minutes"]
fn a_thousand_stops_leave_the_old_or_the_new_tree() {
    for arguments in COMMANDS {
        stop(arguments, 500);
    }
}

/// A killed run leaves a change half done in a module that another directory calls.
#[test]
fn a_change_in_a_called_module_is_finished_before_it_is_read() {
    use std::os::unix::fs::MetadataExt as _;
    let folder = Folder::with(&[
        (
            "live/main.tf",
            "module \"net\" {\n  source = \"../net\"\n}\noutput \"o\" {\n  value = module.net.o\n}\n",
        ),
        ("net/a.tf", "locals {\n  new = 1\n}\n"),
        ("net/b.tf", "output \"o\" {\n  value = local.old\n}\n"),
        ("net/.hcl-abcdefghijkl.tmp", "output \"o\" {\n  value = local.new\n}\n"),
        ("net/.hcl-journal", ""),
        (".git/HEAD", ""),
    ]);
    let identity = |name: &str| {
        let found = fs::metadata(folder.path(name)).unwrap();
        format!("[{},{},{},{}]", found.dev(), found.ino(), found.ctime(), found.ctime_nsec())
    };
    let entry = format!(
        "{{\"target\":\"b.tf\",\"old\":{},\"new\":[\".hcl-abcdefghijkl.tmp\",{}]}}",
        identity("net/b.tf"),
        identity("net/.hcl-abcdefghijkl.tmp")
    );
    folder.write(
        "net/.hcl-journal",
        format!("{{\"own\":{},\"entries\":[{entry}]}}", identity("net/.hcl-journal")),
    );
    let output = folder.command(&["eval", "live", "output.o"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "output.o = 1\n");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("finished the change of 1 files in"), "{errors}");
    assert!(!folder.path("net/.hcl-journal").exists());
}

#[test]
fn nothing_is_written_if_one_file_cannot_be() {
    for arguments in COMMANDS {
        let folder = module(5);
        let before = tree(&folder.path(""));
        let path = folder.path("net/3.tf");
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let verb = if arguments[0] == "split" { "remove" } else { "write" };
        let expected = format!("error: cannot {verb} net/3.tf: the file is read-only\n");
        folder.hcl(arguments).code(2).stderr_eq(expected);
        assert_eq!(tree(&folder.path("")), before);
    }
}

#[test]
fn concurrent_edits_lose_nothing() {
    let folder = Folder::with(&[("a.hcl", "list = []\n")]);
    let mut written = 0;
    for turn in 0..10 {
        let start = |at: usize| {
            let edit = format!("list={}", turn * 8 + at);
            Command::new(program())
                .args(["edit", "-w", "--append", &edit, "a.hcl"])
                .current_dir(folder.path(""))
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        };
        let running: Vec<_> = (0..8).map(start).collect();
        for mut child in running {
            match child.wait().unwrap().code() {
                Some(0) => written += 1,
                code => assert_eq!(code, Some(2)),
            }
        }
    }
    let text = folder.read("a.hcl");
    assert_eq!(text.matches(',').count() + 1, written, "{text}");
}

#[test]
fn a_journal_of_a_repository_is_ignored() {
    let name = ".hcl-abcdefghijkl.tmp";
    let outside = Folder::with(&[("victim", "victim")]);
    let victim = outside.path("victim").display().to_string();
    for target in ["main.tf", "../victim", victim.as_str(), "link/victim", "", "."] {
        for own in ["[0,0,0,0]", "[1,2,3,4]", "own"] {
            let folder = Folder::with(&[("main.tf", "a = 1\n"), (name, "stolen"), (".hcl-journal", "")]);
            std::os::unix::fs::symlink(outside.path(""), folder.path("link")).unwrap();
            // Even if it knew its own number, it could not know those of the files.
            let own = if own == "own" {
                use std::os::unix::fs::MetadataExt as _;
                let metadata = fs::metadata(folder.path(".hcl-journal")).unwrap();
                format!("[{},{},0,0]", metadata.dev(), metadata.ino())
            } else {
                own.to_owned()
            };
            let entries = [
                format!("{{\"target\":{target:?},\"old\":null,\"new\":[{name:?},[0,0,0,0]]}}"),
                format!("{{\"target\":{target:?},\"old\":[0,0,0,0],\"new\":null}}"),
            ];
            folder.write(".hcl-journal", format!("{{\"own\":{own},\"entries\":[{}]}}", entries.join(",")));
            let _ = folder.command(&["check", "."]).output().unwrap();
            let _ = folder.command(&["fmt", "."]).output().unwrap();
            assert_eq!(folder.read("main.tf"), "a = 1\n", "{target}");
            assert_eq!(tree(&outside.path("")).len(), 1);
            assert_eq!(outside.read("victim"), "victim", "{target}");
        }
    }
    let folder = Folder::with(&[("main.tf", "locals {\n  a = 1\n}\n"), (".hcl-journal", "{}")]);
    let output = folder.command(&["eval", "."]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr).matches("was ignored").count(), 1);
    // A change of several files does not replace it.
    for arguments in COMMANDS {
        let folder = module(2);
        folder.write("net/.hcl-journal", "{}");
        folder.write(".hcl-journal", "{}");
        let before = tree(&folder.path(""));
        let output = folder.command(arguments).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(2) && errors.contains(".hcl-journal exists, and was not"),
            "{errors}"
        );
        assert_eq!(tree(&folder.path("")), before);
    }
    // Neither links nor pipes are read.
    let folder = Folder::with(&[("main.tf", "a = 1\n")]);
    std::os::unix::fs::symlink("/dev/zero", folder.path(".hcl-journal")).unwrap();
    folder.hcl(&["query", "a", "main.tf"]).success();
    fs::remove_file(folder.path(".hcl-journal")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path(".hcl-journal")).status().unwrap().success());
    folder.hcl(&["query", "a", "main.tf"]).success();
}

#[test]
fn split_leaves_override_files_and_keeps_bytes() {
    let heredoc = "output \"o\" {\r\n  value = <<EOT\r\nline\r\nEOT\r\n}\r\n";
    let over = "output \"o\" {\n  value = 2\n}\n";
    let folder = Folder::with(&[
        ("main.tf", &format!("a \"x\" {{\r\n}}\r\n\r\n{heredoc}")),
        ("override.tf", over),
        ("b_override.tf", over),
        ("c_override.tf.json", "{\"output\": {\"o\": {\"value\": 3}}}\n"),
    ]);
    folder.hcl(&["split", "-w"]).success();
    assert_eq!(folder.read("outputs.tf"), heredoc);
    assert_eq!(
        (folder.read("override.tf"), folder.read("b_override.tf")),
        (over.to_owned(), over.to_owned())
    );
    assert!(folder.path("c_override.tf.json").exists());
}

#[test]
fn split_keeps_files_that_links_lead_to() {
    let folder = Folder::with(&[("all.tf", "output \"o\" {\n  value = 1\n}\n")]);
    std::os::unix::fs::symlink("all.tf", folder.path("link")).unwrap();
    folder.hcl(&["split", "-w", "."]).success();
    assert_eq!(folder.read("link"), "");
}

#[test]
fn a_rename_is_refused_where_names_are_reserved_and_stops_at_a_matrix() {
    for name in ["count", "for_each", "version", "providers", "depends_on", "lifecycle", "source", "locals"] {
        let folder = module(1);
        let before = tree(&folder.path(""));
        folder.hcl(&["rename", "-w", "var.a", name, "net", "--callers", "."]).code(2);
        assert_eq!(tree(&folder.path("")), before, "{name}");
    }
    let bake = "variable \"A\" {\n  default = \"1\"\n}\ntarget \"t\" {\n  matrix = { A = [A, \"y\"] }\n  name = \"t-${A}\"\n}\n";
    let folder = Folder::with(&[("docker-bake.hcl", bake)]);
    folder.hcl(&["rename", "-w", "A", "B", "docker-bake.hcl"]).success();
    let expected = bake.replace("\"A\"", "\"B\"").replace("[A,", "[B,");
    assert_eq!(folder.read("docker-bake.hcl"), expected);
    let json =
        "{\"variable\":{\"A\":{}},\"target\":{\"t\":{\"matrix\":{\"A\":[\"${A}\"]},\"name\":\"t-${A}\"}}}\n";
    let folder = Folder::with(&[("docker-bake.json", json)]);
    folder.hcl(&["rename", "-w", "A", "B", "docker-bake.json"]).success();
    let expected =
        json.replace("\"variable\":{\"A\"", "\"variable\":{\"B\"").replace("[\"${A}\"]", "[\"${B}\"]");
    assert_eq!(folder.read("docker-bake.json"), expected);
}

#[test]
fn a_rename_and_its_way_back_cancel_out() {
    let folder = module(2);
    let before = tree(&folder.path(""));
    folder.hcl(&["rename", "-w", "x.y", "z", "net"]).success();
    assert!(folder.read("net/main.tf").contains("from = x.y\n  to   = x.z"));
    folder.hcl(&["rename", "-w", "x.z", "y", "net"]).success();
    assert_eq!(tree(&folder.path("")), before);
    folder.hcl(&["rename", "-w", "var.a", "b", "net", "--callers", "."]).success();
    folder.hcl(&["rename", "-w", "var.b", "a", "net", "--callers", "."]).success();
    assert_eq!(tree(&folder.path("")), before);
}

#[test]
fn an_edit_does_not_take_an_expression_for_a_label() {
    let text = "output \"region\" {\n  value = 1\n}\n";
    let folder = Folder::with(&[("a.tf", text)]);
    let found = folder.hcl(&["edit", "-w", "output.region=\"x\"", "a.tf"]);
    assert_usage(&["edit"], &found.code(2).get_output().stderr);
    assert_eq!(folder.read("a.tf"), text);
}
