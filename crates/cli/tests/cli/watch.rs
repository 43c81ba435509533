//! `--watch` of `check`, `eval` and `test`: changed, new and removed files are seen, and files of other kinds are not. That of
//! `decode` is tested in `decode.rs`.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::program::{Folder, program};

/// Runs a command with `--watch` while `work` waits for a line of its output. One minute is enough on a slow machine.
fn watching(folder: &Folder, words: &[&str], work: impl FnOnce(&dyn Fn(&str))) -> Vec<String> {
    let mut child = Ended(
        Command::new(program())
            .args(words)
            .arg("--watch")
            .current_dir(folder.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap(),
    );
    let (sender, lines) = mpsc::channel();
    let (out, errors) = (child.0.stdout.take().unwrap(), child.0.stderr.take().unwrap());
    let other = sender.clone();
    std::thread::spawn(move || {
        BufReader::new(out).lines().map_while(Result::ok).for_each(|line| _ = sender.send(line));
    });
    std::thread::spawn(move || {
        BufReader::new(errors).lines().map_while(Result::ok).for_each(|line| _ = other.send(line));
    });
    let seen = std::cell::RefCell::new(Vec::new());
    let wait = |text: &str| {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(line) = lines.recv_timeout(left) else {
                panic!("{text:?} did not come: {:#?}", seen.borrow())
            };
            let is_found = line.contains(text);
            seen.borrow_mut().push(line);
            if is_found {
                return;
            }
        }
    };
    work(&wait);
    drop(child);
    seen.into_inner()
}

/// A program that ends with the test, also if that fails.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn check_sees_changed_new_and_removed_files() {
    let folder = Folder::with(&[
        ("a/main.tf", "module \"m\" {\n  source = \"../m\"\n  x      = 1\n}\n"),
        ("m/main.tf", "variable \"x\" {}\noutput \"y\" {\n  value = var.x\n}\n"),
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("a/empty/.keep", ""),
    ]);
    let lines = watching(&folder, &["check", "a"], |wait| {
        wait("no problems found");
        folder.write("a/main.tf", "module \"m\" {\n  source = \"../m\"\n  z      = 1\n}\n");
        wait("2 errors");
        // What a module outside of the given directory declares counts, too.
        folder.write("m/main.tf", "variable \"z\" {}\noutput \"y\" {\n  value = var.z\n}\n");
        wait("no problems found");
        folder.write("a/new.tf", "output \"o\" {\n  value = var.none\n}\n");
        wait("a/new.tf has changed");
        wait("1 error");
        fs::remove_file(folder.path("a/new.tf")).unwrap();
        wait("no problems found");
        // The file of a directory that had none, and that of a new one.
        folder.write("a/empty/b.hcl", "a = ]\n");
        wait("1 error");
        fs::remove_file(folder.path("a/empty/b.hcl")).unwrap();
        wait("no problems found");
        folder.write("a/new/deep/c.hcl", "a = ]\n");
        wait("1 error");
        fs::remove_dir_all(folder.path("a/new")).unwrap();
        wait("no problems found");
        folder.write("a/new/deep/c.hcl", "a = ]\n");
        wait("1 error");
        // These change nothing.
        folder.write("a/README.md", "# A\n");
        folder.write("a/.hidden/x.hcl", "a = ]\n");
        std::thread::sleep(Duration::from_secs(1));
        folder.write("a/new/deep/c.hcl", "a = 1\n");
        wait("no problems found");
    });
    assert!(!lines.iter().any(|line| line.contains("README") || line.contains("hidden")), "{lines:#?}");
}

#[test]
fn eval_sees_the_files_of_functions_and_variables() {
    let folder = Folder::with(&[
        (
            "main.tf",
            "variable \"a\" {}\noutput \"o\" {\n  value = \"${var.a} ${file(\"${path.module}/data.txt\")}\"\n}\n",
        ),
        ("data.txt", "one"),
        ("vars/prod.tfvars", "a = 1\n"),
    ]);
    let eval = ["eval", ".", "output.o", "--var-file", "vars/prod.tfvars"];
    watching(&folder, &eval, |wait| {
        wait("output.o = \"1 one\"");
        folder.write("data.txt", "two");
        wait("output.o = \"1 two\"");
        folder.write("vars/prod.tfvars", "a = 2\n");
        wait("output.o = \"2 two\"");
        folder.write("over_override.tf", "output \"o\" {\n  value = 3\n}\n");
        wait("output.o = 3");
    });
    // The output is no change.
    let lines = watching(&folder, &[&eval[..], &["--out", "out.tfvars"]].concat(), |wait| {
        std::thread::sleep(Duration::from_secs(2));
        folder.write("hcl.toml", "");
        wait("hcl.toml has changed; its settings apply when the program is started again");
        wait("hcl.toml has changed");
    });
    assert_eq!(lines.len(), 2, "{lines:#?}");
    watching(&folder, &["eval", "-f", "vars/prod.tfvars"], |wait| {
        wait("a = 2");
        folder.write("vars/prod.tfvars", "a = 3\n");
        wait("a = 3");
    });
}

#[test]
fn tests_see_new_files() {
    let rule = |name: &str| {
        format!(
            "rule {name:?} {{\n  match     = \"output.*\"\n  condition = false\n  message   = \"{name} fails.\"\n}}\n"
        )
    };
    let folder =
        Folder::with(&[("main.tf", "output \"o\" {\n  value = 1\n}\n"), ("a.rules.hcl", &rule("one"))]);
    watching(&folder, &["test"], |wait| {
        wait("one fails.");
        folder.write("b.rules.hcl", rule("two"));
        wait("two fails.");
        folder.write("a.rules.hcl", rule("three"));
        wait("three fails.");
    });
}

#[test]
fn only_files_are_watched() {
    let folder = Folder::with(&[("a.hcl", "a = 1\n")]);
    for (words, why) in [
        (&["check", "-"][..], "standard input cannot be watched"),
        (&["eval", "1 + 1"], "--watch requires a file or the directory of a module"),
        (&["eval", "-f", "-"], "standard input cannot be watched"),
        (&["test", "-"], "standard input cannot be watched"),
        (&["check", "--fix"], "cannot be used with"),
    ] {
        let output = folder.command(words).arg("--watch").output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), text.contains(why)), (Some(2), true), "{words:?}: {text}");
    }
}
