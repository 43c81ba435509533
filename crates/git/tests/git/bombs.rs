//! Small repositories that claim or hold more than there is memory or time for.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};

use hclkit_git::{FileKind, Repository};
use hclkit_test_cases::Folder;

use crate::{asked, files};

fn bare() -> Folder {
    let folder = Folder::with(&[]);
    folder.git(&["init", "-q", "--bare", "-b", "main"]);
    folder.git(&["config", "user.name", "a"]);
    folder.git(&["config", "user.email", "a@example.com"]);
    folder
}

/// What `git` answers to a text on its standard input.
fn given(folder: &Folder, words: &[&str], text: &[u8]) -> String {
    let mut child = Command::new("git")
        .args(words)
        .current_dir(folder.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Git runs");
    child.stdin.take().unwrap().write_all(text).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn tree(folder: &Folder, lines: &str) -> String {
    given(folder, &["mktree"], lines.as_bytes())
}

/// So many lines for the same object.
fn lines(count: usize, object: &str, ending: &str) -> String {
    let lines: Vec<String> = (0..count).map(|at| format!("{object}\t{at}{ending}\n")).collect();
    lines.concat()
}

fn commit(folder: &Folder, tree: &str) {
    let commit = asked(folder.root(), &["commit-tree", "-m", "x", tree]).unwrap().remove(0);
    folder.git(&["update-ref", "refs/heads/main", &commit]);
}

#[test]
fn trees_that_share_their_parts_end() {
    let folder = bare();
    let blob = given(&folder, &["hash-object", "-w", "--stdin"], b"a = 1\n");
    let mut inner = tree(&folder, &lines(10, &format!("100644 blob {blob}"), ".tf"));
    for _ in 0..9 {
        inner = tree(&folder, &lines(10, &format!("040000 tree {inner}"), ""));
    }
    commit(&folder, &inner);
    let repository = Repository::bare(folder.root()).unwrap();
    let head = repository.head().unwrap().unwrap();
    let mut count = 0_usize;
    let walked = repository.files(head, &mut |_| {
        count += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(walked.unwrap_err().to_string(), "the commit has more files than are read");
    assert!(count < 300_000, "{count}");
}

#[test]
fn trees_that_are_too_deep_end() {
    let folder = bare();
    let blob = given(&folder, &["hash-object", "-w", "--stdin"], b"a = 1\n");
    let mut inner = tree(&folder, &format!("100644 blob {blob}\tmain.tf\n"));
    for _ in 0..250 {
        inner = tree(&folder, &format!("040000 tree {inner}\t{}\n", "d".repeat(200)));
    }
    commit(&folder, &inner);
    let repository = Repository::bare(folder.root()).unwrap();
    let why = files(&repository, repository.head().unwrap().unwrap()).unwrap_err().to_string();
    assert_eq!(why, "a path in the commit is too long");
}

#[test]
fn large_objects_are_refused_by_their_size() {
    let folder = bare();
    // Packed, it takes 200 KB.
    let blob = given(&folder, &["hash-object", "-w", "--stdin"], &vec![b' '; 200 << 20]);
    let lines = lines(200, &format!("100644 blob {blob}"), ".tf");
    commit(&folder, &tree(&folder, &lines));
    let repository = Repository::bare(folder.root()).unwrap();
    let all = files(&repository, repository.head().unwrap().unwrap()).unwrap();
    assert_eq!(all.len(), 200);
    assert_eq!(repository.objects().size(all[0].id).unwrap(), 200 << 20);
    let read = |most| repository.objects().file(all[0].id, most).unwrap_err().to_string();
    assert!(read(1 << 20).contains("has 209715200 bytes, more than 1048576"));
    // Decoding it would take more memory than one object may take.
    assert!(read(u64::MAX).contains("cannot be read"));
}

#[test]
fn names_that_lead_elsewhere_are_marked() {
    let folder = bare();
    let blob = given(&folder, &["hash-object", "-w", "--stdin"], b"a = 1\n");
    // `git mktree` refuses these names.
    let entry = |name: &str| {
        let id: Vec<u8> =
            (0..40).step_by(2).map(|at| u8::from_str_radix(&blob[at..at + 2], 16).unwrap()).collect();
        [format!("100644 {name}\0").into_bytes(), id].concat()
    };
    let names = ["..", ".", "a", "b/../../c", "d"];
    let text: Vec<u8> = names.iter().flat_map(|name| entry(name)).collect();
    let words = ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
    let inner = given(&folder, &words, &text);
    commit(&folder, &inner);
    let repository = Repository::bare(folder.root()).unwrap();
    let found = files(&repository, repository.head().unwrap().unwrap()).unwrap();
    let kinds: Vec<bool> = found.iter().map(|file| file.kind == FileKind::Outside).collect();
    assert_eq!(kinds, [true, true, false, true, false]);
}
