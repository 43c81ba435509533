//! What has changed where files are in conflict or cannot be read, and where the index is in two files, in all versions.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;

use hclkit_git::{Changes, Repository};
use hclkit_test_cases::Folder;

use crate::{asked, sorted};

/// An empty repository whose index has a version, and may be in two files.
fn repository(version: &str, is_split: bool) -> Folder {
    let folder = Folder::with(&[]);
    folder.git(&["init", "-q", "-b", "main"]);
    folder.git(&["config", "index.version", version]);
    folder.git(&["config", "core.splitIndex", if is_split { "true" } else { "false" }]);
    // Each change of the index is one of the second file.
    folder.git(&["config", "splitIndex.maxPercentChange", "100"]);
    folder.git(&["config", "user.name", "a"]);
    folder.git(&["config", "user.email", "a@example.com"]);
    folder
}

fn commit(folder: &Folder, files: &[(&str, &str)]) {
    for (path, text) in files {
        folder.write(path, text);
    }
    folder.git(&["add", "-A"]);
    folder.git(&["commit", "-q", "--allow-empty", "-m", "x"]);
}

fn changes(folder: &Folder, revision: &str) -> Changes {
    let repository = Repository::around(folder.root()).unwrap().unwrap();
    repository.changes_since(revision).unwrap()
}

/// Compares with `git` what has changed since a revision. Returns it.
fn compared(folder: &Folder, revision: &str, what: &str) -> BTreeSet<String> {
    let ours = changes(folder, revision);
    let words = ["diff", "--name-only", "--no-renames", "-z", "--merge-base", revision];
    let mut theirs: BTreeSet<String> = asked(folder.root(), &words).unwrap().into_iter().collect();
    // Git compares the files. One in conflict is not finished, whatever it contains.
    let unmerged = asked(folder.root(), &["ls-files", "-u", "-z"]).unwrap();
    theirs.extend(unmerged.iter().filter_map(|line| Some(line.split_once('\t')?.1.to_owned())));
    assert_eq!(sorted(ours.files.clone()), theirs, "{what}: since {revision}");
    let tracked: BTreeSet<String> = asked(folder.root(), &["ls-files", "-z"]).unwrap().into_iter().collect();
    assert_eq!(sorted(ours.tracked), tracked, "{what}");
    theirs
}

/// The version of the index, and whether another file has a part of it.
fn format(folder: &Folder) -> (u8, bool) {
    let index = fs::read(folder.path(".git/index")).unwrap();
    (index[7], index.windows(4).any(|name| name == b"link"))
}

const FORMATS: [(&str, bool); 4] = [("2", false), ("4", false), ("2", true), ("4", true)];

#[test]
fn files_in_conflict_have_changed() {
    // What both sides do to a file, where `-` removes it and `=` leaves it.
    let sides = [
        ("both-change", "b", "c", true),
        ("we-remove", "-", "c", true),
        ("they-remove", "b", "-", true),
        ("both-remove", "-", "-", false),
        ("same-change", "d", "d", false),
        ("one-change", "=", "e", false),
    ];
    for (version, is_split) in FORMATS {
        for command in [&["merge", "-q", "side"][..], &["cherry-pick", "side"], &["rebase", "-q", "side"]] {
            let what = format!("{command:?} with {version}, {is_split}");
            let folder = repository(version, is_split);
            let names: Vec<String> = sides.iter().map(|(name, ..)| format!("dir/{name}.tf")).collect();
            let first: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "a\n")).collect();
            commit(&folder, &first);
            folder.git(&["branch", "side"]);
            let apply = |ours: bool| {
                for ((_, one, other, _), name) in sides.iter().zip(&names) {
                    match if ours { *one } else { *other } {
                        "-" => fs::remove_file(folder.path(name)).unwrap(),
                        "=" => {}
                        text => folder.write(name, text),
                    }
                }
            };
            apply(true);
            commit(&folder, &[("both-add.tf", "f")]);
            folder.git(&["checkout", "-q", "side"]);
            apply(false);
            commit(&folder, &[("both-add.tf", "g")]);
            folder.git(&["checkout", "-q", "main"]);
            let stopped = asked(folder.root(), command).unwrap_err();
            assert!(!stopped.contains("usage"), "{what}: {stopped}");
            for revision in ["HEAD", "side", "main", "main~1"] {
                let found = compared(&folder, revision, &what);
                let conflicts = sides.iter().zip(&names).filter(|((.., is_conflict), _)| *is_conflict);
                for name in conflicts.map(|(_, name)| name.as_str()).chain(["both-add.tf"]) {
                    assert!(found.contains(name), "{what}: {name} since {revision}: {found:?}");
                }
            }
            // One side's text, which is as in the commit, is no end of the conflict.
            folder.git(&["checkout", "--ours", "both-add.tf"]);
            assert!(compared(&folder, "HEAD", &what).contains("both-add.tf"), "{what}");
            folder.git(&["add", "both-add.tf"]);
            assert!(!compared(&folder, "HEAD", &what).contains("both-add.tf"), "{what}");
            assert_eq!(format(&folder), (version.parse().unwrap(), is_split), "{what}");
        }
    }
}

#[test]
fn files_that_cannot_be_read_have_changed() {
    for (version, is_split) in FORMATS {
        let folder = repository(version, is_split);
        let names = ["directory.tf", "pipe.tf", "socket.tf", "loop.tf", "closed.tf", "below/a.tf", "same.tf"];
        let first: Vec<(&str, &str)> = names.iter().map(|name| (*name, "a = 1\n")).collect();
        commit(&folder, &first);
        for name in &names[..4] {
            fs::remove_file(folder.path(name)).unwrap();
        }
        fs::create_dir(folder.path("directory.tf")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(folder.path("pipe.tf")).status().unwrap();
        assert!(made.success());
        let _socket = UnixListener::bind(folder.path("socket.tf")).unwrap();
        std::os::unix::fs::symlink("loop.tf", folder.path("loop.tf")).unwrap();
        // Its time has changed, so that its content would be read.
        folder.write("closed.tf", "a = 1\n");
        fs::set_permissions(folder.path("closed.tf"), fs::Permissions::from_mode(0o000)).unwrap();
        // The whole directory is a link to itself.
        fs::remove_dir_all(folder.path("below")).unwrap();
        std::os::unix::fs::symlink("below", folder.path("below")).unwrap();

        let found = changes(&folder, "HEAD");
        let mut expected: BTreeSet<String> = names.iter().map(ToString::to_string).collect();
        expected.remove("same.tf");
        if fs::read(folder.path("closed.tf")).is_ok() {
            // This user can read everything.
            expected.remove("closed.tf");
        }
        assert_eq!(sorted(found.files), expected, "{version}, {is_split}");
        assert_eq!(sorted(found.tracked), names.iter().map(ToString::to_string).collect(), "{version}");
        // What a file was before does not depend on what it is.
        let repository = Repository::around(folder.root()).unwrap().unwrap();
        for name in names {
            let before = repository.file_before("HEAD", name.as_ref(), 100).unwrap();
            assert_eq!(before.as_deref(), Some(&b"a = 1\n"[..]), "{name}");
        }
    }
}

/// A change of the index, with its name.
type Step<'f> = (&'static str, Box<dyn Fn() + 'f>);

#[test]
fn an_index_in_two_files_is_read() {
    for version in ["2", "3", "4"] {
        let folder = repository(version, true);
        let names: Vec<String> = (0..40).map(|at| format!("modules/m{}/f{at}.tf", at % 5)).collect();
        let first: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "a = 1\n")).collect();
        commit(&folder, &first);
        folder.git(&["update-index", "--split-index"]);
        let mut steps: Vec<Step<'_>> = vec![
            ("nothing", Box::new(|| {})),
            ("a change that is not added", Box::new(|| folder.write(&names[3], "a = 2\n"))),
            ("that is added", Box::new(|| folder.git(&["add", "-A"]))),
            ("a new file before all", Box::new(|| commit_later(&folder, "a.tf"))),
            ("and one after all", Box::new(|| commit_later(&folder, "z/z.tf"))),
            ("one between", Box::new(|| commit_later(&folder, "modules/m2/f.tf"))),
            ("a removed file", Box::new(|| folder.git(&["rm", "-q", &names[7]]))),
            ("a removed directory", Box::new(|| folder.git(&["rm", "-q", "-r", "modules/m4"]))),
            ("a file of the index alone", Box::new(|| folder.git(&["rm", "-q", "--cached", &names[0]]))),
            ("that comes back", Box::new(|| folder.git(&["add", &names[0]]))),
            ("another mode", Box::new(|| folder.git(&["update-index", "--chmod=+x", &names[1]]))),
            ("a moved file", Box::new(|| folder.git(&["mv", &names[2], "modules/moved.tf"]))),
            (
                "a file that will be added",
                Box::new(|| {
                    folder.write("later.tf", "a = 1\n");
                    folder.git(&["add", "--intent-to-add", "later.tf"]);
                }),
            ),
            ("an assumption", Box::new(|| folder.git(&["update-index", "--skip-worktree", &names[6]]))),
        ];
        steps.push(("a commit", Box::new(|| folder.git(&["commit", "-q", "-m", "x"]))));
        steps.push(("one file", Box::new(|| folder.git(&["update-index", "--no-split-index"]))));
        let count = steps.len();
        for (at, (step, work)) in steps.iter().enumerate() {
            work();
            let what = format!("version {version}: {step}");
            let (found, is_split) = format(&folder);
            assert_eq!(is_split, at + 1 < count, "{what}");
            // A later version is used where an entry needs it, and only there.
            assert!(
                version == "3" || found == version.parse::<u8>().unwrap() || found == 3,
                "{what}: {found}"
            );
            for revision in ["HEAD", "main"] {
                compared(&folder, revision, &what);
            }
        }
    }
}

fn commit_later(folder: &Folder, name: &str) {
    folder.write(name, "b = 1\n");
    folder.git(&["add", name]);
}
