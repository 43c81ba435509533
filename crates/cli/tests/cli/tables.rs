//! `hcl tables`: what it reads, where it writes, and what is left when it is killed.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::Duration;

use hclkit_test_cases::rounds;
use serde_json::Value;
use snapbox::str;

use crate::program::{Folder, program};

const MAIN: &str = "variable \"a\" {\n  default = 1\n}\nmodule \"m\" {\n  source = \"./net\"\n}\n";

fn folder() -> Folder {
    Folder::with(&[
        ("repos/acme/shop/main.tf", MAIN),
        ("repos/acme/shop/net/main.tf", "output \"o\" {\n  value = [\n}\n"),
        ("repos/acme/site/docker-bake.hcl", "target \"app\" {}\n"),
        ("repos/acme/site/.gitignore", "ignored.tf\n"),
        ("repos/acme/site/ignored.tf", "a = 1\n"),
    ])
}

/// The rows that a command prints.
pub(crate) fn rows(folder: &Folder, words: &[&str]) -> Vec<Value> {
    parsed(&folder.command(words).assert().success().get_output().stdout)
}

/// Lines of JSON.
fn parsed(text: &[u8]) -> Vec<Value> {
    std::str::from_utf8(text).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A column of rows.
pub(crate) fn column(rows: &[Value], name: &str) -> Vec<String> {
    let text = |row: &Value| row[name].as_str().map_or_else(|| row[name].to_string(), str::to_owned);
    rows.iter().map(text).collect()
}

/// The number of lines.
fn count_lines(text: &[u8]) -> usize {
    String::from_utf8_lossy(text).lines().count()
}

/// All files below a directory.
pub(crate) fn contents(folder: &Folder, name: &str) -> BTreeMap<String, Vec<u8>> {
    let (mut open, mut all) = (vec![folder.path(name)], BTreeMap::new());
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let inside = path.strip_prefix(folder.path(name)).unwrap().to_string_lossy().into_owned();
                all.insert(inside, std::fs::read(path).unwrap());
            }
        }
    }
    all
}

#[test]
fn one_table_goes_to_standard_output() {
    let folder = folder();
    folder.hcl(&["tables", "--table", "variables", "--output", "csv", "repos/acme/shop/main.tf"]).success().stdout_eq(str![[r#"
repo,commit,path,name,type,description,default_value,required,sensitive,nullable,validations,ephemeral,const,deprecated,start_line,end_line,start_byte,end_byte
,,repos/acme/shop/main.tf,a,,,1,false,false,,0,,,,1,3,0,30

"#]]);
    folder
        .hcl(&["tables", "--table", "module_calls", "repos"])
        .success()
        .stderr_eq(str![[r#"
note: 1 file has errors, which the table diagnostics lists

"#]])
        .stdout_eq(str![[r#"
{"repo":null,"commit":null,"path":"repos/acme/shop/main.tf","name":"m","module_source":"./net","kind":"local","host":null,"namespace":null,"module":"./net","subdirectory":null,"version":null,"ref":null,"pinned":true,"start_line":4,"end_line":6,"start_byte":31,"end_byte":64}

"#]]);
    let found = rows(&folder, &["tables", "--table", "files", "repos"]);
    let expected =
        ["repos/acme/shop/main.tf", "repos/acme/shop/net/main.tf", "repos/acme/site/docker-bake.hcl"];
    assert_eq!(column(&found, "path"), expected);
    let found = rows(&folder, &["tables", "--table", "files", "--no-ignore", "--exclude", "net", "repos"]);
    assert_eq!(
        column(&found, "path")[1..],
        ["repos/acme/site/docker-bake.hcl", "repos/acme/site/ignored.tf"]
    );
}

#[test]
fn usage() {
    let folder = folder();
    for (words, expected) in [
        (&["tables", "repos"][..], "several tables require --out DIR"),
        (
            &["tables", "--table", "files", "--output", "parquet", "repos"],
            "--output parquet requires --out DIR",
        ),
        (&["tables", "--table", "file", "repos"], "invalid value 'file'"),
        (&["tables", "--partition", "--table", "files"], "--out <PATH>"),
        (&["tables", "--repo-from", "x", "--table", "files"], "expected git, or a pattern"),
        (&["tables", "--output", "yaml", "--table", "files"], "invalid value 'yaml'"),
        (&["tables", "--no-formulas", "--table", "files"], "--no-formulas requires --output csv"),
    ] {
        let output = folder.command(words).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && errors.contains(expected), "{words:?}: {errors}");
    }
}

#[test]
fn repositories_are_parts_of_paths() {
    let folder = folder();
    let found = rows(&folder, &["tables", "--table", "files", "--repo-from", "repos/*/*", "repos"]);
    assert_eq!(column(&found, "repo"), ["acme/shop", "acme/shop", "acme/site"]);
    assert_eq!(column(&found, "path"), ["main.tf", "net/main.tf", "docker-bake.hcl"]);
    let words =
        ["tables", "--out", "out", "--output", "ndjson", "--partition", "--repo-from", "repos/*/*", "repos"];
    folder.hcl(&words).success().stdout_eq("");
    let all = contents(&folder, "out");
    assert!(all.contains_key("blocks/repo=acme%2Fshop/data.ndjson"), "{:?}", all.keys());
    assert!(all.contains_key("files/repo=acme%2Fsite/data.ndjson"), "{:?}", all.keys());
    assert_eq!(all.len(), 20);
    // A second run gives the same.
    folder.hcl(&words).success();
    assert_eq!(contents(&folder, "out"), all);
}

#[test]
fn repositories_of_git() {
    let folder = folder();
    let shop = "repos/acme/shop";
    symlink("/etc/passwd", folder.path("repos/acme/shop/link.tf")).unwrap();
    folder.write("repos/acme/shop/big.tf", format!("# {}\n", "x".repeat(3_000)));
    folder.git(&["-C", shop, "init", "-q", "-b", "main"]);
    folder.git(&["-C", shop, "add", "-A"]);
    folder.git(&["-C", shop, "commit", "-q", "-m", "x"]);
    folder.git(&["-C", shop, "remote", "add", "origin", "https://u:hunter2@example.org/acme/shop.git"]);
    let found = rows(&folder, &["tables", "--table", "variables", "--repo-from", "git", "--quiet", "repos"]);
    assert_eq!(column(&found, "repo"), ["example.org/acme/shop"]);
    assert_eq!(column(&found, "path"), ["main.tf"]);
    let commit = column(&found, "commit");
    assert_eq!(commit[0].len(), 40);
    folder.git(&["clone", "-q", "--bare", shop, "mirrors/shop.git"]);
    let words = ["tables", "--table", "files", "mirrors/shop.git"];
    let found = folder.hcl(&words).success().stderr_eq(str![[r#"
warning: skipping 1 link in mirrors/shop.git: links in archives and bare repositories are not followed
note: 1 file has errors, which the table diagnostics lists

"#]]);
    let found = parsed(&found.get_output().stdout);
    assert_eq!(column(&found, "path"), ["big.tf", "main.tf", "net/main.tf"]);
    assert_eq!((column(&found, "repo")[0].as_str(), &column(&found, "commit")[0]), ("shop", &commit[0]));
    // The same rows as from disk.
    let of_disk = rows(
        &folder,
        &["tables", "--table", "attributes", "--repo-from", shop_pattern(), "--quiet", "repos/acme/shop"],
    );
    let of_git = rows(&folder, &["tables", "--table", "attributes", "--quiet", "mirrors/shop.git"]);
    let without = |rows: &[Value]| {
        let one = |row: &Value| {
            let mut row = row.as_object().unwrap().clone();
            row.remove("commit");
            Value::Object(row)
        };
        rows.iter().map(one).collect::<Vec<_>>()
    };
    assert_eq!(without(&of_git), without(&of_disk));
    // A file that is too large is not read.
    let output =
        folder.command(&["tables", "--table", "diagnostics", "--max-size", "1000", "mirrors/shop.git"]);
    let output = output.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), text.contains("source-too-large")), (Some(2), true), "{text}");
    // A repository without commits is an error, and the others are read.
    folder.git(&["init", "-q", "--bare", "mirrors/empty.git"]);
    let output = folder
        .command(&["tables", "--table", "files", "mirrors/empty.git", "mirrors/shop.git"])
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("cannot read mirrors/empty.git"), "{errors}");
    // With a row for the one that cannot be read.
    assert_eq!((output.status.code(), count_lines(&output.stdout)), (Some(2), 4));
}

/// A directory of mirrors is all of them, and a path that is not there is named.
#[test]
fn directories_of_bare_repositories() {
    let folder = folder();
    for name in ["site", "shop"] {
        let work = format!("repos/acme/{name}");
        folder.git(&["-C", &work, "init", "-q", "-b", "main"]);
        folder.git(&["-C", &work, "add", "-A"]);
        folder.git(&["-C", &work, "commit", "-q", "-m", "x"]);
        folder.git(&["clone", "-q", "--bare", &work, &format!("mirrors/{name}.git")]);
    }
    folder.write("mirrors/own.tf", "variable \"own\" {}\n");
    folder.write("mirrors/no.git/a.tf", "variable \"no\" {}\n");
    let whole = rows(&folder, &["tables", "--table", "variables", "--quiet", "mirrors"]);
    let parts = ["mirrors/own.tf", "mirrors/no.git", "mirrors/shop.git", "mirrors/site.git"];
    let named = rows(&folder, &[&["tables", "--table", "variables", "--quiet"], &parts[..]].concat());
    let sorted = |rows: &[Value]| {
        let mut rows: Vec<String> =
            rows.iter().map(|row| format!("{} {}", row["name"], row["repo"])).collect();
        rows.sort();
        rows
    };
    assert_eq!(sorted(&whole), sorted(&named));
    assert!(whole.iter().any(|row| row["repo"] == "shop") && whole.len() > 2, "{whole:?}");
    folder.hcl(&["tables", "--table", "diagnostics", "gone", "mirrors/own.tf"]).code(2).stderr_eq(str![[
        r#"
error: cannot read gone: there is no such file or directory
error: 1 file could not be read; the table diagnostics says why

"#
    ]]);
}

fn shop_pattern() -> &'static str {
    "acme/*"
}

#[test]
fn archives() {
    let folder = folder();
    let mut archive = tar::Builder::new(Vec::new());
    let mut add = |path: &str, text: &str| {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        // Paths are set as bytes, because the library refuses some.
        let name = &mut header.as_old_mut().name;
        name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_cksum();
        archive.append(&header, text.as_bytes()).unwrap();
    };
    add("./main.tf", MAIN);
    add("a/../../outside.tf", "a = 1\n");
    add("/absolute.tf", "a = 1\n");
    add("net/main.tf", "output \"o\" {\n  value = 2\n}\n");
    add("README.md", "no configuration");
    let mut link = tar::Header::new_gnu();
    link.set_entry_type(tar::EntryType::Symlink);
    link.set_size(0);
    archive.append_link(&mut link, "link.tf", "/etc/passwd").unwrap();
    let bytes = archive.into_inner().unwrap();
    folder.write("shop.tar", &bytes);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&bytes).unwrap();
    folder.write("shop.tar.gz", gzip.finish().unwrap());
    for name in ["shop.tar", "shop.tar.gz"] {
        let found = folder.hcl(&["tables", "--table", "files", name]).code(2).stderr_eq(str![[r#"
warning: skipping 1 link in shop[..]: links in archives and bare repositories are not followed
error: 2 files could not be read; the table diagnostics says why

"#]]);
        let found = parsed(&found.get_output().stdout);
        let paths = ["main.tf", "a/../../outside.tf", "/absolute.tf", "net/main.tf"];
        assert_eq!(column(&found, "path"), paths);
        assert_eq!(column(&found, "errors"), ["0", "1", "1", "0"]);
        assert_eq!(column(&found, "repo"), ["shop"; 4]);
        // Also a file that is not selected says nothing.
        folder.hcl(&["tables", "--table", "files", "--exclude", "/*.tf", "--exclude", "a", name]).success();
        let found = folder.hcl(&["tables", "--table", "diagnostics", name]).code(2);
        let found = parsed(&found.get_output().stdout);
        assert_eq!(column(&found, "path"), paths[1..3]);
        assert_eq!(column(&found, "message"), ["its name leads out of the archive"; 2]);
    }
    // Directories of an archive are evaluated, with the modules that they call.
    let found = parsed(&folder.hcl(&["tables", "--table", "values", "shop.tar"]).get_output().stdout);
    let found: Vec<String> =
        found.iter().map(|row| format!("{} {} {}", row["path"], row["address"], row["value"])).collect();
    assert!(found.contains(&"\".\" \"var.a\" \"1\"".to_owned()), "{found:?}");
    assert!(found.contains(&"\".\" \"module.m.o\" \"2\"".to_owned()), "{found:?}");
    // An archive that ends early is an error. What was read before is written.
    folder.write("short.tar", &bytes[..bytes.len() / 3]);
    let output = folder.command(&["tables", "--table", "files", "short.tar"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stdout).unwrap().contains("main.tf"));
}

/// What is neither a file nor a directory could be endless. It is refused, and the rest is read.
#[test]
fn pipes_sockets_and_devices() {
    let folder = folder();
    for name in ["pipe", "pipe.parquet", "pipe.tar", "pipe.ndjson"] {
        assert!(Command::new("mkfifo").arg(folder.path(name)).status().unwrap().success());
    }
    symlink("pipe", folder.path("link.tf")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(folder.path("socket")).unwrap();
    for name in ["pipe", "pipe.parquet", "pipe.tar", "pipe.ndjson", "link.tf", "socket", "/dev/zero"] {
        let words = ["tables", "--table", "diagnostics", name, "repos/acme/site"];
        let found = folder.hcl(&words).code(2).stderr_eq(format!(
            "error: cannot read {name}: it is neither a regular file nor a directory; to read a pipe, use - for standard input\n\
             error: 1 file could not be read; the table diagnostics says why\n"
        ));
        let found = parsed(&found.get_output().stdout);
        assert_eq!(
            (column(&found, "path"), column(&found, "code")),
            (vec![name.to_owned()], vec!["unreadable-file".to_owned()])
        );
    }
    // Those in directories are no files.
    folder.hcl(&["tables", "--table", "files", "--quiet", "."]).success();
}

/// A file above the limit is not read, however large it is.
#[test]
fn a_file_of_a_gigabyte_costs_nothing() {
    let folder = folder();
    let big = std::fs::File::create(folder.path("repos/acme/site/big.tf")).unwrap();
    big.set_len(1 << 30).unwrap();
    let start = std::time::Instant::now();
    let words = ["tables", "--table", "diagnostics", "repos/acme/site"];
    let found = folder.hcl(&words).code(2).stderr_eq(str![[r#"
note: 1 file has errors, which the table diagnostics lists
error: the work on 1 file exceeds the limits; some of it was left out

"#]]);
    let found = parsed(&found.get_output().stdout);
    assert_eq!(column(&found, "path"), ["repos/acme/site/big.tf"]);
    assert_eq!(column(&found, "code"), ["source-too-large"]);
    // Reading it takes a second even without the work on its text.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn tables_of_files() {
    let folder = folder();
    let line = |repo: &str, path: &str, text: &str| {
        serde_json::json!({ "repo": repo, "commit": "c", "path": path, "content": text }).to_string() + "\n"
    };
    let lines = line("a", "main.tf", MAIN)
        + &line("a", "net/main.tf", "output \"o\" {\n  value = 2\n}\n")
        + &line("b", "x.hcl", "a = 1\n");
    folder.write("files.ndjson", &lines);
    let found = rows(&folder, &["tables", "--table", "files", "files.ndjson"]);
    assert_eq!(column(&found, "path"), ["main.tf", "net/main.tf", "x.hcl"]);
    assert_eq!(column(&found, "repo"), ["a", "a", "b"]);
    let found = rows(&folder, &["tables", "--table", "values", "files.ndjson"]);
    assert!(column(&found, "address").contains(&"module.m.o".to_owned()));
    let read = folder
        .hcl_reading(&["tables", "--table", "files", "--stdin-name", "x.ndjson", "-"], &lines)
        .success();
    assert_eq!(count_lines(&read.get_output().stdout), 3);
    folder.write("bad.ndjson", "{}\n");
    folder.hcl(&["tables", "--table", "files", "bad.ndjson"]).code(2).stderr_eq(str![[r#"
error: cannot read bad.ndjson: line 1: missing field `path` at line 1 column 2
error: 1 file could not be read; the table diagnostics says why

"#]]);
}

#[test]
fn directories_are_evaluated() {
    let folder = folder();
    let found = rows(&folder, &["tables", "--table", "values", "repos/acme/shop/main.tf"]);
    assert_eq!(column(&found, "address"), ["var.a", "module.m.o"]);
    let found = rows(&folder, &["tables", "--table", "instances", "--quiet", "repos"]);
    assert!(found.is_empty());
}

#[test]
fn output_is_the_same_for_any_number_of_threads() {
    let folder = folder();
    for at in 0..160 {
        folder.write(
            &format!("many/d{at}/main.tf"),
            format!("variable \"v{}\" {{\n  default = {at}\n}}\n{MAIN}", at % 7),
        );
    }
    for format in ["parquet", "arrow", "csv", "ndjson"] {
        let of = |threads: &str| {
            let out = format!("out-{format}-{threads}");
            let words = [
                "tables",
                "--out",
                &out,
                "--output",
                format,
                "--threads",
                threads,
                "--evaluate",
                "many",
                "repos",
                "--quiet",
            ];
            folder.hcl(&words).success();
            contents(&folder, &out)
        };
        let first = of("1");
        assert_eq!(first.len(), 12);
        for threads in ["2", "5"] {
            assert!(of(threads) == first, "{format} {threads}");
        }
    }
}

#[test]
fn links_in_the_output_are_replaced() {
    let folder = folder();
    folder.write("victim", "safe");
    std::fs::create_dir(folder.path("out")).unwrap();
    symlink("../victim", folder.path("out/files.csv")).unwrap();
    folder
        .hcl(&["tables", "--out", "out", "--output", "csv", "--table", "files", "repos", "--quiet"])
        .success();
    assert_eq!(folder.read("victim"), "safe");
    assert!(folder.read("out/files.csv").starts_with("repo,"));
    symlink("..", folder.path("out/blocks")).unwrap();
    let words = ["tables", "--out", "out", "--partition", "--table", "blocks", "repos", "--quiet"];
    let output = folder.command(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.path("repo=none").exists());
}

/// Kills runs at random moments. No file under a final name is ever incomplete, and the next run ends the work.
fn kill(turns: u64) {
    let folder = folder();
    for at in 0..1_500 {
        folder.write(
            &format!("many/d{at}/main.tf"),
            format!("variable \"v{at}\" {{\n  default = {at}\n}}\n{MAIN}"),
        );
    }
    let words = ["tables", "--out", "out", "--threads", "2", "many", "--quiet"];
    let start = std::time::Instant::now();
    folder.hcl(&words).success();
    let whole = start.elapsed();
    let expected = contents(&folder, "out");
    let mut random = fastrand::Rng::with_seed(11);
    let mut killed = 0;
    for _ in 0..turns {
        std::fs::remove_dir_all(folder.path("out")).unwrap();
        let mut child = Command::new(program())
            .args(words)
            .current_dir(folder.path(""))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let limit = u64::try_from(whole.as_micros()).unwrap();
        std::thread::sleep(Duration::from_micros(random.u64(..limit)));
        child.kill().unwrap();
        killed += u64::from(child.wait().unwrap().code().is_none());
        for (name, bytes) in contents(&folder, "out") {
            let is_temporary = name.starts_with(".hcl-");
            assert!(is_temporary || expected.get(&name) == Some(&bytes), "{name} is incomplete");
        }
        folder.hcl(&words).success();
        assert!(contents(&folder, "out") == expected, "the next run does not end the work");
    }
    assert!(killed >= turns / 2, "{killed} of {turns} runs were killed");
}

#[test]
fn a_killed_run_leaves_no_half_file() {
    kill(rounds(4));
}

#[test]
#[ignore = "takes minutes; .ci/nightly runs it"]
fn two_hundred_killed_runs_leave_no_half_file() {
    kill(200);
}

/// Repositories whose names agree in as many bytes as a directory has have directories of their own, also those with a few bytes
/// more or less.
#[test]
fn long_names_of_repositories_are_different_partitions() {
    let folder = Folder::with(&[]);
    let mut names: Vec<String> = [150, 165, 170, 199, 200, 201, 240]
        .iter()
        .flat_map(|length| {
            let name = "x".repeat(*length);
            [format!("{name}a"), format!("{name}b"), format!("{name}é"), name]
        })
        .filter(|name| name.len() <= 240)
        .collect();
    names.sort();
    names.dedup();
    for name in &names {
        let mut archive = tar::Builder::new(Vec::new());
        let text = format!("variable \"{name}\" {{}}\n");
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        archive.append_data(&mut header, "main.tf", text.as_bytes()).unwrap();
        folder.write(&format!("in/{name}.tar"), archive.into_inner().unwrap());
    }
    let paths: Vec<String> = names.iter().map(|name| format!("in/{name}.tar")).collect();
    for options in [&["--incremental"][..], &["--incremental"], &[]] {
        let words = ["tables", "--out", "out", "--output", "ndjson", "--partition", "--table", "variables"];
        let words: Vec<&str> =
            words.iter().chain(options).copied().chain(paths.iter().map(|own| &**own)).collect();
        folder.hcl(&words).success();
        let mut found: Vec<String> = Vec::new();
        for (path, text) in contents(&folder, "out") {
            if path.starts_with("variables/") {
                let rows = parsed(&text);
                assert_eq!(column(&rows, "repo"), column(&rows, "name"));
                found.extend(column(&rows, "repo"));
            }
        }
        found.sort();
        assert_eq!(found, names, "{options:?}");
    }
}

/// With the option, no text starts like a formula. Without it, texts are as they are.
#[test]
fn spreadsheets_find_no_formulas() {
    let folder = Folder::with(&[]);
    let starts = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "'", "a", " ="];
    let content =
        |start: &str| format!("variable \"v\" {{\n  description = \"{}1+1\"\n}}\n", start.escape_default());
    let line = |start: &&str| {
        let (repo, path) = (format!("{start}r"), format!("{start}p.tf"));
        let content = content(&start.replace('＝', "="));
        serde_json::json!({ "repo": repo, "commit": start, "path": path, "content": content }).to_string()
            + "\n"
    };
    folder.write("files.ndjson", starts.iter().map(line).collect::<String>());
    let words = ["tables", "--table", "variables", "--output", "csv", "files.ndjson"];
    let of = |words: &[&str]| String::from_utf8(folder.command(words).output().unwrap().stdout).unwrap();
    // Cells begin after a comma, at the start of a line, or after the quote there.
    let plain = of(&words);
    assert!(plain.contains("\n=r,=,=p.tf,v,,=1+1,") && !plain.contains("'="), "{plain}");
    let safe = of(&[&words[..], &["--no-formulas"]].concat());
    for start in ["=", "+", "-", "@", "＝"] {
        assert!(safe.contains(&format!("\n'{start}r,'{start},'{start}p.tf,v,,'")), "{start}: {safe}");
    }
    for start in ["\t", "\r", "\n"] {
        assert!(
            safe.contains(&format!("'{start}r")) && safe.contains(&format!("'{start}p.tf")),
            "{start:?}: {safe}"
        );
    }
    // Others stay as they are.
    assert!(safe.contains("\n'r,',p.tf") || safe.contains("\n'r,','p.tf,"), "{safe}");
    assert!(safe.contains("\nar,a,ap.tf,v,,a1+1,"), "{safe}");
}

/// A table for people has all of each cell, except on a terminal.
#[test]
fn tables_are_not_cut_in_pipes() {
    let long = "x".repeat(100);
    let folder = Folder::with(&[("main.tf", &format!("locals {{\n  a = \"{long}, \\\"q\\\"\"\n}}\n"))]);
    for words in [
        &["tables", "--table", "attributes", "--output", "table"][..],
        &["query", "--output", "table", "locals.a", "."],
        &["eval", ".", "--output", "table"],
    ] {
        let ended = folder.hcl(words).success();
        let text = String::from_utf8_lossy(&ended.get_output().stdout).into_owned();
        assert!(text.contains(&long) && text.lines().count() == 2, "{words:?}: {text}");
    }
    folder.hcl(&["tables", "--table", "attributes", "--output", "table", "--out", "x"]).code(2);
    folder.hcl(&["tables", "--table", "attributes", "--output", "table", "--no-formulas"]).code(2);
}
