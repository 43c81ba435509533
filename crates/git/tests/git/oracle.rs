//! The same answers as `git`, for random histories in all formats of repositories.

use std::collections::BTreeSet;
use std::fs;

use fastrand::Rng;
use hclkit_git::{FileKind, Repository};
use hclkit_test_cases::{Folder, seeds};

use crate::{asked, files, sorted};

const NAMES: [&str; 9] = [
    "main.tf",
    "a/main.tf",
    "a/b/main.tf",
    "a.b/x.hcl",
    "a/é ü.tf",
    "modules/x/y/z/main.tf",
    "-option.tf",
    "a\\b.tf",
    "data/plain.txt",
];

/// One random change of a working tree or its repository.
fn change(folder: &Folder, random: &mut Rng) {
    let name = NAMES[random.usize(..NAMES.len())];
    let is_blocked = folder.path(name).is_dir();
    match random.u8(..14) {
        0..=4 if !is_blocked => {
            folder.write(name, "x = 1\n".repeat(random.usize(0..400)) + &random.u8(..).to_string());
        }
        5 => drop(fs::remove_file(folder.path(name))),
        6 => folder.git(&["add", "-A"]),
        7 | 8 => {
            folder.git(&["add", "-A"]);
            folder.git(&["commit", "-q", "--allow-empty", "-m", "x"]);
        }
        9 => folder.git(&["tag", "-f", "-a", "-m", "x", &format!("v{}", random.u8(..3))]),
        10 => folder.git(&["branch", "-f", "side"]),
        11 => {
            // A merge with nothing in common but the first commit.
            let tree = asked(folder.root(), &["rev-parse", "HEAD^{tree}"]).unwrap().remove(0);
            let parents = ["-p", "HEAD", "-p", "side"];
            let words = [&["commit-tree", "-m", "x", &tree][..], &parents].concat();
            folder.git(&["config", "user.name", "a"]);
            folder.git(&["config", "user.email", "a@example.com"]);
            let merge = asked(folder.root(), &words).unwrap().remove(0);
            folder.git(&["update-ref", "HEAD", &merge]);
        }
        12 => folder.git(&["gc", "-q"]),
        13 => folder.git(&["pack-refs", "--all"]),
        _ => {}
    }
}

/// Compares all answers.
fn compare(folder: &Folder, seed: u64) {
    let root = folder.root();
    let repository = Repository::around(&folder.path(".git/../")).unwrap().unwrap();
    let git = |words: &[&str]| asked(root, words);
    let set = |names: Vec<String>| names.into_iter().collect::<BTreeSet<String>>();

    assert_eq!(
        sorted(repository.tracked(root).unwrap()),
        set(git(&["ls-files", "--cached", "-z"]).unwrap()),
        "seed {seed}"
    );
    let head = repository.head().unwrap().unwrap();
    assert_eq!(git(&["rev-parse", "HEAD"]).unwrap(), [head.to_string()], "seed {seed}");
    let all = files(&repository, head).unwrap();
    let listed: Vec<String> = all
        .iter()
        .map(|file| {
            let (kind, mode) =
                if file.kind == FileKind::Link { ("blob", "120000") } else { ("blob", "100644") };
            format!("{mode} {kind} {}\t{}", file.id, file.path.display())
        })
        .collect();
    assert_eq!(listed, git(&["ls-tree", "-r", "-z", "HEAD"]).unwrap(), "seed {seed}");
    for file in &all {
        let size = repository.objects().size(file.id).unwrap();
        assert_eq!(git(&["cat-file", "-s", &file.id.to_string()]).unwrap(), [size.to_string()]);
        let text = repository.objects().file(file.id, size).unwrap();
        assert_eq!(text.len() as u64, size);
        if size > 0 {
            assert!(repository.objects().file(file.id, size - 1).is_err());
        }
    }
    let id = head.to_string();
    let revisions = [
        "HEAD",
        "@",
        "main",
        "heads/main",
        "refs/heads/main",
        "side",
        "v0",
        "v1",
        "tags/v2",
        "HEAD~1",
        "HEAD~3",
        "HEAD^",
        "HEAD^2",
        "main^^",
        "HEAD^0",
        "side~2",
        "v1^{commit}",
        "v1^{}",
        &id,
        &id[..8],
        &id[..4],
        "none",
        "main..side",
        "HEAD:main.tf",
        "HEAD^{tree}",
        "deadbeef",
        "",
        "^main",
        "main@{0}",
        "@{u}",
        "--all",
        "config",
        "objects",
    ];
    for revision in revisions {
        let ours = repository.changes_since(revision);
        let commit = format!("{revision}^{{commit}}");
        let commit = git(&["rev-parse", "--verify", "-q", "--end-of-options", &commit]);
        // `git diff` takes no tags that are objects.
        let theirs = commit
            .clone()
            .and_then(|ids| git(&["diff", "--name-only", "--no-renames", "-z", "--merge-base", &ids[0]]));
        let bases = commit.and_then(|ids| git(&["merge-base", "--all", "HEAD", &ids[0]]));
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => {
                assert_eq!(sorted(ours.files), set(theirs), "seed {seed}: {revision}");
                assert_eq!(sorted(ours.tracked), set(git(&["ls-files", "-z"]).unwrap()));
            }
            // Git takes one of several.
            (Ok(_), Err(why)) => {
                let bases = bases.unwrap();
                assert!(bases.len() > 1, "seed {seed}: {revision} has no answer in Git: {why} {bases:?}");
            }
            (Err(why), Ok(_)) => assert!(
                why.to_string().contains("not supported"),
                "seed {seed}: {revision}: {why}, but Git has an answer"
            ),
            (Err(_), Err(_)) => {}
        }
    }
}

#[test]
fn random_histories_have_the_answers_of_git() {
    for seed in seeds(6) {
        let mut random = Rng::with_seed(seed);
        let folder = Folder::with(&[]);
        let format = if random.u8(..4) == 0 { "sha256" } else { "sha1" };
        folder.git(&["init", "-q", "-b", "main", &format!("--object-format={format}")]);
        folder.git(&["config", "index.version", if random.bool() { "4" } else { "2" }]);
        if random.bool() {
            folder.git(&["config", "core.splitIndex", "true"]);
        }
        folder.write("main.tf", "first = 1\n");
        folder.git(&["add", "-A"]);
        folder.git(&["commit", "-q", "-m", "first"]);
        folder.git(&["branch", "side"]);
        for _ in 0..3 {
            for _ in 0..random.usize(3..10) {
                change(&folder, &mut random);
            }
            compare(&folder, seed);
        }
    }
}

#[test]
fn worktrees_submodules_and_sparse_trees_are_read() {
    let folder = Folder::with(&[]);
    folder.git(&["init", "-q", "-b", "main", "one"]);
    folder.write("one/a/main.tf", "a = 1\n");
    folder.write("one/b/main.tf", "b = 1\n");
    folder.git(&["-C", "one", "add", "-A"]);
    folder.git(&["-C", "one", "commit", "-q", "-m", "x"]);
    folder.git(&["-C", "one", "worktree", "add", "-q", "../two"]);
    folder.git(&["init", "-q", "-b", "main", "outer"]);
    folder.git(&[
        "-C",
        "outer",
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        "../one",
        "sub",
    ]);
    for (tree, top) in [("one", "one"), ("two/b", "two"), ("outer/sub/a", "outer/sub"), ("outer", "outer")] {
        let repository = Repository::around(&folder.path(tree)).unwrap().unwrap();
        assert_eq!(repository.top(), folder.path(top).canonicalize().unwrap());
        let inside = asked(&folder.path(tree), &["ls-files", "-z"]).unwrap();
        assert_eq!(sorted(repository.tracked(&folder.path(tree)).unwrap()), inside.into_iter().collect());
    }
    // In a sparse index, the directory `b` is one entry.
    folder.git(&["-C", "one", "sparse-checkout", "set", "--cone", "--sparse-index", "a"]);
    let repository = Repository::around(&folder.path("one")).unwrap().unwrap();
    let tracked = sorted(repository.tracked(&folder.path("one")).unwrap());
    assert_eq!(tracked, ["a/main.tf", "b/main.tf"].map(str::to_owned).into());
    let changes = repository.changes_since("HEAD").unwrap();
    assert_eq!(sorted(changes.files), BTreeSet::new());
    // A submodule at another commit has changed.
    folder.git(&["-C", "outer", "commit", "-q", "-m", "x"]);
    folder.git(&["-C", "outer/sub", "commit", "-q", "--allow-empty", "-m", "y"]);
    let repository = Repository::around(&folder.path("outer")).unwrap().unwrap();
    assert_eq!(sorted(repository.changes_since("HEAD").unwrap().files), ["sub".to_owned()].into());
}

#[test]
fn a_shallow_clone_says_what_is_missing() {
    let folder = Folder::with(&[]);
    folder.git(&["init", "-q", "-b", "main", "one"]);
    for commit in ["first", "second", "third"] {
        folder.git(&["-C", "one", "commit", "-q", "--allow-empty", "-m", commit]);
    }
    folder.git(&["-C", "one", "branch", "side", "HEAD~2"]);
    let from = format!("file://{}", folder.path("one").display());
    folder.git(&["clone", "-q", "--depth", "1", "--no-single-branch", &from, "two"]);
    let repository = Repository::around(&folder.path("two")).unwrap().unwrap();
    assert_eq!(sorted(repository.changes_since("origin/main").unwrap().files), BTreeSet::new());
    let why = repository.changes_since("origin/side").unwrap_err().to_string();
    assert!(why.contains("git fetch --unshallow"), "{why}");
}
