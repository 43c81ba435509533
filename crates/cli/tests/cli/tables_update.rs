//! `hcl tables --incremental`: after any change of the repositories, and after any kill, the directory has what a run over everything
//! writes.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::Duration;

use hclkit_test_cases::rounds;
use snapbox::str;

use crate::program::{Folder, program};
use crate::tables::contents;

const UPDATE: [&str; 5] = ["tables", "--out", "out", "--partition", "--incremental"];

/// A bare repository with one commit more, which has these files and no others.
fn commit(folder: &Folder, name: &str, files: &[(&str, &str)]) {
    let (work, bare) = (format!("work/{name}"), format!("mirrors/{name}.git"));
    if !folder.path(&work).exists() {
        folder.git(&["init", "-q", "-b", "main", &work]);
        folder.git(&["init", "-q", "-b", "main", "--bare", &bare]);
    }
    folder.git(&["-C", &work, "rm", "-rfq", "--ignore-unmatch", "."]);
    for (path, text) in files {
        folder.write(&format!("{work}/{path}"), text);
    }
    folder.git(&["-C", &work, "add", "-A"]);
    folder.git(&["-C", &work, "commit", "-q", "--allow-empty", "-m", "x"]);
    folder.git(&["-C", &work, "push", "-q", &format!("../../{bare}"), "main"]);
}

fn mirrors(folder: &Folder) -> Vec<String> {
    let names = std::fs::read_dir(folder.path("mirrors")).unwrap();
    let mut names: Vec<String> =
        names.map(|entry| format!("mirrors/{}", entry.unwrap().file_name().to_string_lossy())).collect();
    names.sort();
    names
}

fn words<'w>(options: &[&'w str], paths: &'w [String]) -> Vec<&'w str> {
    options.iter().copied().chain(paths.iter().map(String::as_str)).collect()
}

/// The tables in a directory, without the state of updates.
fn tables(folder: &Folder, out: &str) -> BTreeMap<String, Vec<u8>> {
    let mut all = contents(folder, out);
    all.retain(|name, _| !name.starts_with('.'));
    all
}

/// The tables that a run over everything writes.
fn whole(folder: &Folder, paths: &[String]) -> BTreeMap<String, Vec<u8>> {
    let _ = std::fs::remove_dir_all(folder.path("whole"));
    folder.hcl(&words(&["tables", "--out", "whole", "--partition", "--quiet"], paths)).success();
    tables(folder, "whole")
}

/// Updates, and compares with a run over everything. Returns what the program said.
fn update(folder: &Folder) -> String {
    let paths = mirrors(folder);
    let output = folder.command(&words(&UPDATE, &paths)).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(tables(folder, "out") == whole(folder, &paths));
    String::from_utf8(output.stderr).unwrap().trim_end().trim_start_matches("note: ").to_owned()
}

#[test]
fn only_changed_repositories_are_read() {
    let folder = Folder::with(&[]);
    for name in ["a", "b", "c"] {
        commit(&folder, name, &[("main.tf", "variable \"v\" {\n}\n"), ("x/main.tf", "output \"o\" {\n}\n")]);
    }
    assert_eq!(update(&folder), "read 3 repositories, kept 0, removed 0");
    assert_eq!(update(&folder), "read 0 repositories, kept 3, removed 0");
    // Kept files are not written again.
    let time = |name: &str| folder.path(name).metadata().unwrap().modified().unwrap();
    let (a, b) = ("out/files/repo=a/data.parquet", "out/files/repo=b/data.parquet");
    let before = (time(a), time(b));
    commit(&folder, "b", &[("main.tf", "variable \"w\" {\n}\n")]);
    assert_eq!(update(&folder), "read 1 repository, kept 2, removed 0");
    assert!(time(a) == before.0 && time(b) > before.1);
    // A new repository, one that is gone, and one without files that are read.
    commit(&folder, "d", &[("main.hcl", "a = 1\n")]);
    commit(&folder, "b", &[("README.md", "none")]);
    std::fs::remove_dir_all(folder.path("mirrors/a.git")).unwrap();
    assert_eq!(update(&folder), "read 2 repositories, kept 1, removed 1");
    assert!(!folder.path("out/files/repo=a").exists() && !folder.path("out/files/repo=b").exists());
    assert_eq!(update(&folder), "read 0 repositories, kept 3, removed 0");
    // What is missing is written again.
    std::fs::remove_file(folder.path("out/blocks/repo=c/data.parquet")).unwrap();
    assert_eq!(update(&folder), "read 1 repository, kept 2, removed 0");
}

#[test]
fn other_options_read_everything() {
    let folder = Folder::with(&[]);
    commit(&folder, "a", &[("main.tf", "variable \"v\" {\n}\n")]);
    update(&folder);
    let paths = mirrors(&folder);
    let csv = words(&[&UPDATE[..], &["--output", "csv", "--table", "files"]].concat(), &paths);
    folder.hcl(&csv).success().stderr_eq(str![[r#"
note: read 1 repository, kept 0, removed 0

"#]]);
    // Nothing is left of the other format.
    assert_eq!(tables(&folder, "out").into_keys().collect::<Vec<_>>(), ["files/repo=a/data.csv"]);
    // A run without the option replaces the files, so that the next update starts again.
    folder
        .hcl(&words(
            &["tables", "--out", "out", "--partition", "--table", "files", "--output", "csv"],
            &paths,
        ))
        .success();
    folder.hcl(&csv).success().stderr_eq(str![[r#"
note: read 1 repository, kept 0, removed 0

"#]]);
}

#[test]
fn repositories_that_cannot_be_read_keep_their_files() {
    let folder = Folder::with(&[]);
    for name in ["a", "b"] {
        commit(&folder, name, &[("main.tf", "variable \"v\" {\n}\n")]);
    }
    update(&folder);
    let expected = tables(&folder, "out");
    std::fs::rename(folder.path("mirrors/a.git/refs"), folder.path("refs")).unwrap();
    std::fs::create_dir(folder.path("mirrors/a.git/refs")).unwrap();
    let paths = mirrors(&folder);
    let said = folder.hcl(&words(&UPDATE, &paths)).code(2);
    let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
    assert!(said.contains("error: cannot read mirrors/a.git: "), "{said}");
    assert!(said.ends_with("note: read 0 repositories, kept 1, removed 0, 1 with errors\n"), "{said}");
    assert!(tables(&folder, "out") == expected);
    std::fs::remove_dir(folder.path("mirrors/a.git/refs")).unwrap();
    std::fs::rename(folder.path("refs"), folder.path("mirrors/a.git/refs")).unwrap();
    assert_eq!(update(&folder), "read 0 repositories, kept 2, removed 0");
    // An archive that ends early is read again each time.
    folder.write("mirrors/short.tar", [b'x'; 700]);
    for _ in 0..2 {
        let said = folder.hcl(&words(&UPDATE, &mirrors(&folder))).code(2);
        let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
        assert!(said.contains("note: read 1 repository, kept 2, removed 0, 1 with errors\n"), "{said}");
    }
}

#[test]
fn usage_of_updates() {
    let folder = Folder::with(&[("main.tf", "a = 1\n"), ("x/shop.tar", ""), ("y/shop.tar", "")]);
    let said = |words: &[&str]| {
        let output = folder.command(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(said(&["tables", "--out", "out", "--incremental", "x"]).contains("--partition"));
    let directory = said(&words(&UPDATE, &["x".to_owned()]));
    assert!(
        directory.contains(
            "x is neither a bare repository of Git nor an archive: only these say whether they have changed"
        ),
        "{directory}"
    );
    let same = said(&words(&UPDATE, &["x/shop.tar".to_owned(), "y/shop.tar".to_owned()]));
    assert!(same.contains("x/shop.tar and y/shop.tar have the same name"), "{same}");
}

/// Random changes and kills at random moments. The next run ends the work, also that of repositories that are gone meanwhile.
fn kill(turns: u64) {
    let folder = Folder::with(&[]);
    let mut random = fastrand::Rng::with_seed(23);
    let change = |random: &mut fastrand::Rng| {
        let name = format!("r{}", random.u8(..12));
        let bare = folder.path(&format!("mirrors/{name}.git"));
        if bare.exists() && random.u8(..4) == 0 {
            std::fs::remove_dir_all(bare).unwrap();
            std::fs::remove_dir_all(folder.path(&format!("work/{name}"))).unwrap();
            return;
        }
        let files: Vec<(String, String)> = (0..random.u8(..20))
            .map(|at| {
                (format!("d{at}/main.tf"), format!("variable \"v\" {{\n  default = {}\n}}\n", random.u8(..)))
            })
            .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
        commit(&folder, &name, &files);
    };
    (0..20).for_each(|_| change(&mut random));
    let start = std::time::Instant::now();
    update(&folder);
    let limit = u64::try_from(start.elapsed().as_micros()).unwrap() / 2;
    // Beside other work, some runs end before they are killed.
    let (mut killed, mut done) = (0, 0);
    while done < turns || killed < turns / 3 {
        assert!(done < 10 * turns, "{killed} of {done} runs were killed");
        done += 1;
        (0..random.u8(1..6)).for_each(|_| change(&mut random));
        if random.u8(..4) == 0 {
            std::fs::remove_dir_all(folder.path("out")).unwrap();
        }
        let paths = mirrors(&folder);
        let words = words(&UPDATE, &paths);
        let mut command = Command::new(program());
        command.args(words).current_dir(folder.path("")).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_micros(random.u64(..limit)));
        child.kill().unwrap();
        killed += u64::from(child.wait().unwrap().code().is_none());
        if random.bool() {
            change(&mut random);
        }
        update(&folder);
    }
}

#[test]
fn a_killed_update_is_ended_by_the_next() {
    kill(rounds(3));
}

#[test]
#[ignore = "takes minutes; .ci/nightly runs it"]
fn two_hundred_killed_updates_are_ended_by_the_next() {
    kill(200);
}
