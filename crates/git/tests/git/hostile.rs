//! Repositories that are damaged, or made to lead elsewhere.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use hclkit_git::Repository;
use hclkit_test_cases::{Folder, rounds, seed};
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::ask;

/// A repository with packs, loose objects, tags and branches in `one`, and another one beside it in `other`.
fn repositories() -> Folder {
    let folder = Folder::with(&[]);
    for name in ["one", "other"] {
        folder.git(&["init", "-q", "-b", "main", name]);
        for at in 0..4 {
            folder
                .write(&format!("{name}/a{at}/main.tf"), format!("{name} = \"{}\"\n", "x".repeat(at * 300)));
            folder.git(&["-C", name, "add", "-A"]);
            folder.git(&["-C", name, "commit", "-q", "-m", "x"]);
            if at == 1 {
                folder.git(&["-C", name, "branch", "side"]);
                folder.git(&["-C", name, "tag", "-a", "-m", "x", "v1"]);
                folder.git(&["-C", name, "gc", "-q"]);
            }
        }
    }
    folder
}

/// All files below a directory.
fn all_files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(all_files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    for file in all_files(from) {
        let target = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(&file, &target).unwrap();
    }
    // Without these, it is no repository.
    for directory in [".git/refs", ".git/objects"] {
        fs::create_dir_all(to.join(directory)).unwrap();
    }
}

#[test]
fn damaged_files_are_errors() {
    let folder = repositories();
    let (from, to) = (folder.path("one"), folder.path("damaged"));
    let mut random = Rng::with_seed(seed(5));
    let (mut damaged, mut errors) = (0, 0);
    for _ in 0..rounds(150) {
        copy(&from, &to);
        let files = all_files(&to.join(".git"));
        let files: Vec<_> = files.iter().filter(|file| !file.to_str().unwrap().contains("hooks")).collect();
        for _ in 0..random.usize(1..4) {
            let file = files[random.usize(..files.len())];
            let mut bytes = fs::read(file).unwrap();
            match random.u8(..4) {
                0 => bytes.truncate(random.usize(..=bytes.len())),
                1 if !bytes.is_empty() => {
                    let at = random.usize(..bytes.len());
                    bytes[at..].iter_mut().take(8).for_each(|byte| *byte = 0xff);
                }
                _ if !bytes.is_empty() => {
                    let at = random.usize(..bytes.len());
                    bytes[at] = random.u8(..);
                }
                _ => {}
            }
            let mut permissions = fs::metadata(file).unwrap().permissions();
            #[allow(clippy::permissions_set_readonly_false, reason = "objects are read-only")]
            permissions.set_readonly(false);
            fs::set_permissions(file, permissions).unwrap();
            fs::write(file, bytes).unwrap();
        }
        damaged += 1;
        let found = ask::everything(
            Repository::around(&to)
                .and_then(|found| found.ok_or_else(|| panic!("the directory has an entry .git"))),
        );
        errors += usize::from(found > 0);
        ask::everything(Repository::bare(&to.join(".git")));
    }
    // Some errors are always there: revisions that are not supported. Damage must not only pass by.
    assert!(errors > damaged / 3, "{errors} of {damaged}");
}

/// Each file and directory of a repository, replaced with a pipe, and with a link to that of another repository.
#[test]
fn pipes_and_links_are_never_read() {
    let folder = repositories();
    let (from, to) = (folder.path("one"), folder.path("replaced"));
    let other = folder.path("other").canonicalize().unwrap();
    let mut names: Vec<PathBuf> = all_files(&from.join(".git"))
        .into_iter()
        .map(|file| file.strip_prefix(&from).unwrap().to_owned())
        .filter(|file| !file.starts_with(".git/hooks") && !file.starts_with(".git/logs"))
        .collect();
    let folders: Vec<PathBuf> =
        names.iter().flat_map(|file| file.ancestors().skip(1)).map(Path::to_owned).collect();
    names.extend(folders.into_iter().filter(|name| name.components().next().is_some()));
    names.sort();
    names.dedup();
    assert!(names.len() > 20);
    for name in &names {
        for is_pipe in [true, false] {
            copy(&from, &to);
            let path = to.join(name);
            if path.is_dir() {
                fs::remove_dir_all(&path).unwrap();
            } else {
                fs::remove_file(&path).unwrap();
            }
            if is_pipe {
                mknodat(CWD, &path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
            } else {
                let target = other.join(name);
                let target = if target.exists() { target } else { other.join(".git/config") };
                symlink(target, &path).unwrap();
            }
            // It returns: nothing waits for the pipe. Nothing of the other repository is found.
            let opened = Repository::around(&to)
                .and_then(|found| found.ok_or_else(|| panic!("{} has an entry .git", to.display())));
            if let Ok(repository) = &opened {
                let head = repository.head().ok().flatten();
                let mut seen = String::new();
                if let Some(head) = head {
                    for file in crate::files(repository, head).unwrap_or_default() {
                        seen += &String::from_utf8(
                            repository.objects().file(file.id, 1 << 20).unwrap_or_default(),
                        )
                        .unwrap();
                    }
                }
                assert!(!seen.contains("other"), "{}", name.display());
            }
            ask::everything(opened);
        }
    }
}

#[test]
fn repositories_outside_must_know_the_directory() {
    let folder = repositories();
    let other = folder.path("other/.git").canonicalize().unwrap();
    let refused = |text: &str| {
        let _ = fs::remove_dir_all(folder.path("tree"));
        folder.write("tree/.git", text);
        let why = Repository::around(&folder.path("tree")).unwrap_err().to_string();
        assert!(Repository::exclude_file(&folder.path("tree")).unwrap().is_none());
        why
    };
    assert!(
        refused(&format!("gitdir: {}\n", other.display())).contains("does not have it as a working tree")
    );
    assert!(refused("gitdir: ../other/.git").contains("does not have it as a working tree"));
    assert!(refused("gitdir: ../nowhere").contains("No such file"));
    assert!(refused("../other/.git").contains("does not name a repository"));
    assert!(refused("").contains("does not name a repository"));
    // A directory of a working tree that someone else made up.
    folder.write("forged/commondir", other.display().to_string());
    folder.write("forged/HEAD", "ref: refs/heads/main\n");
    folder.write("forged/gitdir", folder.path("tree/.git").display().to_string());
    assert!(refused("gitdir: ../forged").contains("does not have it as a working tree"));
    // A working tree of `other` that is elsewhere.
    folder.git(&["-C", "other", "worktree", "add", "-q", "../real"]);
    assert!(Repository::around(&folder.path("real")).is_ok());
    assert!(refused("gitdir: ../other/.git/worktrees/real").contains("does not have it as a working tree"));
    // A link to another repository.
    let _ = fs::remove_dir_all(folder.path("tree"));
    fs::create_dir(folder.path("tree")).unwrap();
    symlink(&other, folder.path("tree/.git")).unwrap();
    assert!(Repository::around(&folder.path("tree")).is_err());
    // A repository inside of the directory is its own.
    let _ = fs::remove_dir_all(folder.path("tree"));
    folder.write("tree/.git", "gitdir: .real\n");
    folder.git(&["init", "-q", "--bare", "tree/.real"]);
    assert!(Repository::around(&folder.path("tree")).unwrap().unwrap().head().unwrap().is_none());
}

/// A directory that looks like a repository is read as itself, or not at all; the one around it is never read in its place.
#[test]
fn an_invalid_repository_is_not_the_one_around_it() {
    let folder = repositories();
    for head in ["", "nothing", "ref: refs/heads/none", "ref: ../../../one/.git/refs/heads/main"] {
        let bare = "one/inner.git";
        let _ = fs::remove_dir_all(folder.path(bare));
        folder.git(&["init", "-q", "--bare", bare]);
        folder.write(&format!("{bare}/HEAD"), head);
        let repository = Repository::bare(&folder.path(bare)).unwrap();
        assert!(!matches!(repository.head(), Ok(Some(_))), "{head}");
    }
    assert!(Repository::bare(&folder.path("one")).is_err());
    assert!(Repository::bare(&folder.path("one/a0")).is_err());
    fs::create_dir_all(folder.path("one/a0/.git")).unwrap();
    assert!(Repository::around(&folder.path("one/a0")).is_err());
}

#[test]
fn objects_of_other_repositories_are_not_read() {
    let folder = repositories();
    for text in ["../../../other/.git/objects\n", "/tmp\n", "\n# a comment\n\"../x\"\n"] {
        folder.write("one/.git/objects/info/alternates", text);
        let why = Repository::around(&folder.path("one")).unwrap_err().to_string();
        assert!(why.contains("git repack -a -d"), "{why}");
    }
    folder.write("one/.git/objects/info/alternates", "\n# none\n");
    assert!(Repository::around(&folder.path("one")).is_ok());
}

#[test]
fn settings_lead_nowhere() {
    let folder = repositories();
    let config = folder.read("one/.git/config");
    folder.write(
        "one/.git/config",
        format!("{config}[include]\n\tpath = extra\n[remote \"origin\"]\n\turl = here\n"),
    );
    folder.write("one/.git/extra", "[remote \"origin\"]\n\turl = included\n[core]\n\tworktree = /\n");
    let repository = Repository::around(&folder.path("one")).unwrap().unwrap();
    assert_eq!(repository.origin(), Some("here"));
    for setting in ["[core]\n\tworktree = ../../other\n", "[extensions]\n\tworktreeConfig = true\n"] {
        folder.write("one/.git/config", format!("{config}{setting}"));
        let repository = Repository::around(&folder.path("one")).unwrap().unwrap();
        assert_eq!(repository.top(), folder.path("one").canonicalize().unwrap());
    }
    for setting in
        ["[extensions]\n\tobjectFormat = other\n", "[extensions]\n\trefStorage = reftable\n", "[\0"]
    {
        folder.write("one/.git/config", format!("{config}{setting}"));
        assert!(Repository::around(&folder.path("one")).is_err(), "{setting}");
    }
}
