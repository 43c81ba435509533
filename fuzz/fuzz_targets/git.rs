//! Damaged repositories of Git: everything that can be asked of them has an answer or an error.
//! The first byte says which file is replaced with the rest. For packs and their indices, the rest are places and bytes to change.
#![no_main]

#[path = "../../crates/git/tests/git/ask.rs"]
mod ask;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use hclkit_git::Repository;
use hclkit_test_cases::Folder;
use libfuzzer_sys::fuzz_target;

/// Files with their texts.
type Files = Vec<(PathBuf, Vec<u8>)>;

/// A repository with a pack, objects of their own, tags and branches, and the texts of its files.
static REPOSITORY: LazyLock<(Folder, Files)> = LazyLock::new(|| {
    let folder = Folder::with(&[]);
    folder.git(&["init", "-q", "-b", "main"]);
    for at in 0..4 {
        folder.write(&format!("a{at}/main.tf"), "x = 1\n".repeat(at * 50));
        folder.git(&["add", "-A"]);
        folder.git(&["commit", "-q", "-m", "x"]);
        if at == 2 {
            folder.git(&["branch", "side"]);
            folder.git(&["tag", "-a", "-m", "x", "v1"]);
            folder.git(&["gc", "-q"]);
        }
    }
    let (mut open, mut files) = (vec![folder.path(".git")], Vec::new());
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).expect("a directory").flatten() {
            let path = entry.path();
            if path.is_dir() {
                if !path.ends_with("hooks") && !path.ends_with("logs") {
                    open.push(path);
                }
            } else {
                let text = fs::read(&path).expect("a file");
                // Objects are read-only.
                fs::remove_file(&path).expect("a file that can be removed");
                fs::write(&path, &text).expect("a file that can be written");
                files.push((path, text));
            }
        }
    }
    files.sort();
    (folder, files)
});

fn changed(text: &[u8], input: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    for change in input.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]]));
        if let Some(byte) = text.get_mut(at) {
            *byte = change[2];
        }
    }
    text
}

fn restored(path: &Path, text: &[u8], work: impl FnOnce()) {
    work();
    fs::write(path, text).expect("a file that can be written");
}

fuzz_target!(|input: &[u8]| {
    let (folder, files) = &*REPOSITORY;
    let Some((first, rest)) = input.split_first() else { return };
    let (path, text) = &files[usize::from(*first) % files.len()];
    let is_binary = path.components().any(|part| part.as_os_str() == "objects") || path.ends_with("index");
    let new = if is_binary && rest.first().is_none_or(|byte| *byte != b'!') {
        changed(text, rest)
    } else {
        rest.to_vec()
    };
    restored(path, text, || {
        fs::write(path, new).expect("a file that can be written");
        let opened = Repository::around(folder.root());
        ask::everything(opened.map(|found| found.expect("the directory has an entry .git")));
        ask::everything(Repository::bare(&folder.path(".git")));
    });
});
