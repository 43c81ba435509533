//! Files: which ones are read in a directory, and how they are written.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::program::{Folder, program};
use snapbox::str;

const BROKEN: &str = "name = 'a'\n";
const FIXED: &str = "name = \"a\"\n";

fn pipe(folder: &Folder, name: &str) {
    assert!(Command::new("mkfifo").arg(folder.path(name)).status().unwrap().success());
}

#[test]
fn links_out_of_a_directory_are_not_read() {
    let folder = Folder::with(&[("outside.hcl", BROKEN), ("tree/inside/a.hcl", "a = 1\n")]);
    pipe(&folder, "pipe");
    pipe(&folder, "tree/pipe.hcl");
    symlink("/proc/self/environ", folder.path("tree/environment.hcl")).unwrap();
    symlink("/dev/zero", folder.path("tree/zero.hcl")).unwrap();
    symlink("../pipe", folder.path("tree/link.hcl")).unwrap();
    symlink("../outside.hcl", folder.path("tree/outside.hcl")).unwrap();
    symlink("inside/a.hcl", folder.path("tree/link-inside.hcl")).unwrap();
    let last = "Checked 2 files: no problems found (4 files outside of the directory, 1 file not regular)\n";
    folder.hcl(&["check", "--fix", "--write", "tree"]).success().stdout_eq(last).stderr_eq(
        str![[r#"
warning: skipping tree/environment.hcl, a symbolic link to a file outside of its directory; use --follow to read it
warning: skipping tree/link.hcl, a symbolic link to a file outside of its directory; use --follow to read it
warning: skipping tree/outside.hcl, a symbolic link to a file outside of its directory; use --follow to read it
warning: skipping tree/zero.hcl, a symbolic link to a file outside of its directory; use --follow to read it

"#]],
    );
    assert_eq!(fs::read_to_string(folder.path("outside.hcl")).unwrap(), BROKEN);
    for name in ["environment", "zero", "link"] {
        fs::remove_file(folder.path(&format!("tree/{name}.hcl"))).unwrap();
    }
    folder.hcl(&["check", "--fix", "--write", "--follow", "tree"]).success();
    assert_eq!(fs::read_to_string(folder.path("outside.hcl")).unwrap(), FIXED);
    assert!(folder.path("tree/outside.hcl").is_symlink());
}

#[test]
fn ignore_files_have_a_size_limit() {
    let folder = Folder::with(&[
        ("a.hcl", "a = 1\n"),
        ("large/a.hcl", ""),
        ("large/.gitignore", &"#\n".repeat(600_000)),
    ]);
    fs::create_dir(folder.path("odd")).unwrap();
    pipe(&folder, "odd/.gitignore");
    folder.hcl(&["check", "."]).code(2).stdout_eq("Checked 1 file, 2 not readable: no other problems found\n").stderr_eq(str![[
        r#"
error: cannot read large/.gitignore: the file is larger than 1 MiB; its directory was not searched (use --no-ignore to skip ignore files)
error: cannot read odd/.gitignore: not a regular file; its directory was not searched (use --no-ignore to skip ignore files)

"#
    ]]);
}

#[test]
fn hostile_ignore_patterns_are_errors() {
    for (pattern, count) in [("{", 200_000), ("?", 200_000), ("{a,", 5_000), ("[a", 100_000), ("**/", 50_000)]
    {
        let folder =
            Folder::with(&[("a.hcl", "a = 1\n"), (".gitignore", &format!("{}\n", pattern.repeat(count)))]);
        let output = folder.command(&["check", "."]).output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 2)), "{pattern}: {output:?}");
        assert!(output.stderr.len() < 2_000, "{pattern}");
    }
}

#[test]
fn many_misspelled_arguments_are_fixed_together() {
    let each = |part: fn(usize) -> String| (0..60).map(part).collect::<Vec<_>>().concat();
    let attributes = each(|at| format!("attr \"argument_{at}_of_many\" {{ type = number }}\n"));
    let text = each(|at| format!("argument_{at}_of_manny = 1\n"));
    let folder = Folder::with(&[("spec.hcldec", &format!("object {{\n{attributes}}}\n")), ("a.hcl", &text)]);
    folder.hcl(&["check", "--fix", "--write", "-s", "spec.hcldec", "a.hcl"]).success();
    assert_eq!(fs::read_to_string(folder.path("a.hcl")).unwrap(), text.replace("manny", "many"));
}

#[test]
fn a_conflicting_fix_does_not_prevent_others() {
    let each = |part: fn(usize) -> String| (0..100).map(part).collect::<Vec<_>>().concat();
    let attributes = each(|at| format!("attr \"argument_{at}_of_many\" {{ type = number }}\n"));
    // The argument 7 is misspelled twice, so that only one of them can be fixed.
    let text = each(|at| format!("argument_{at}_of_manny = 1\n")) + "argument_7_of_mani = 1\n";
    let folder = Folder::with(&[("spec.hcldec", &format!("object {{\n{attributes}}}\n")), ("a.hcl", &text)]);
    folder.hcl(&["check", "--fix", "--write", "-s", "spec.hcldec", "a.hcl"]).code(1);
    let fixed = text.replace("manny", "many");
    assert_eq!(fs::read_to_string(folder.path("a.hcl")).unwrap(), fixed);
}

#[test]
fn misspelled_arguments_past_the_limit_are_fixed() {
    let each = |part: fn(usize) -> String| (0..3_000).map(part).collect::<Vec<_>>().concat();
    let attributes = each(|at| format!("attr \"name{at}\" {{ type = number }}\n"));
    let folder = Folder::with(&[
        ("spec.hcldec", &format!("object {{\n{attributes}}}\n")),
        ("a.hcl", &each(|at| format!("nxme{at} = 1\n"))),
    ]);
    folder.hcl(&["check", "--fix", "--write", "-s", "spec.hcldec", "a.hcl"]).success();
    assert_eq!(fs::read_to_string(folder.path("a.hcl")).unwrap(), each(|at| format!("name{at} = 1\n")));
}

#[test]
fn many_errors_are_fixed_together() {
    let folder = Folder::with(&[("a.hcl", &format!("a = [{}1]\n", "1 ".repeat(5_000)))]);
    folder.hcl(&["check", "--fix", "--write", "a.hcl"]).success();
    let fixed = fs::read_to_string(folder.path("a.hcl")).unwrap();
    assert_eq!(fixed.matches(',').count(), 5_000);
}

#[test]
fn files_have_a_maximum_size() {
    let folder = Folder::with(&[("a.hcl", "a = 1234567890\n")]);
    let why =
        "error: cannot read a.hcl: the input is larger than 10 bytes; use --max-size to raise the limit\n";
    folder.hcl(&["check", "--max-size", "10", "a.hcl"]).code(2).stderr_eq(why);
    folder.hcl(&["eval", "--max-size", "10", "-f", "a.hcl"]).code(2).stderr_eq(why);
    folder.hcl(&["check", "--max-size", "1KiB", "a.hcl"]).success();
    let read = ["eval", "--max-size", "10", "--allow-fs", ".", "file(\"a.hcl\")"];
    let told = folder.command(&read).output().unwrap();
    assert_eq!(told.status.code(), Some(1));
    assert!(String::from_utf8(told.stderr).unwrap().contains("the file \"a.hcl\" is larger than 10 bytes"));
    folder.hcl(&["check", "--max-size", "10", "/dev/zero"]).code(2);
}

#[test]
fn a_larger_maximum_applies_to_reading_and_parsing() {
    let folder = Folder::with(&[]);
    // One comment, which is a single token. The rest of the file is a hole of NUL bytes, which takes no space on the disk.
    folder.write("large.hcl", "#");
    fs::File::options().write(true).open(folder.path("large.hcl")).unwrap().set_len((256 << 20) + 1).unwrap();
    let why = "error: cannot read large.hcl: the input is larger than 268435456 bytes; use --max-size to raise the limit\n";
    folder.hcl(&["check", "large.hcl"]).code(2).stderr_eq(why);
    folder.hcl(&["check", "--max-size", "257MiB", "large.hcl"]).success();
}

#[test]
fn cycles_of_links_end() {
    let folder = Folder::with(&[("tree/a/x.hcl", "x = 1\n"), ("tree/b/y.hcl", "y = 1\n")]);
    for (target, link) in [("../b", "tree/a/other"), ("../a", "tree/b/other"), ("..", "tree/a/up")] {
        symlink(target, folder.path(link)).unwrap();
    }
    symlink("loop.hcl", folder.path("tree/loop.hcl")).unwrap();
    let broken = "error: cannot read tree/loop.hcl: Too many levels of symbolic links (os error 40)\n";
    folder
        .hcl(&["check", "tree"])
        .code(2)
        .stdout_eq("Checked 2 files, 1 not readable: no other problems found\n")
        .stderr_eq(broken);
    fs::remove_file(folder.path("tree/loop.hcl")).unwrap();
    let followed = folder.command(&["check", "--follow", "tree"]).output().unwrap();
    assert!(followed.status.code().is_some());
}

#[test]
fn every_write_is_checked() {
    let folder = Folder::with(&[
        ("a.hcl", BROKEN),
        ("good.hcl", "a = 1\n"),
        ("s.hcldec", "object {\n  attr \"a\" {\n    type = any\n  }\n}\n"),
    ]);
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let mut calls: Vec<Vec<&str>> = [
        "check --fix -",
        "check --fix a.hcl",
        "check --fix --report github a.hcl",
        "check good.hcl",
        "check --color always --fix a.hcl",
        "convert good.hcl",
        "convert --out /dev/full good.hcl",
        "eval 1",
        "eval -f good.hcl",
        "eval --output raw 1",
        "eval --output json 1",
        "eval --output typed 1",
        "eval --explain 1+1",
        "eval --partial x",
        "eval --template x",
        "eval --out /dev/full 1",
        "decode -s s.hcldec good.hcl",
        "decode -s s.hcldec --with-type good.hcl",
        "decode -s s.hcldec --var-refs good.hcl",
        "decode -s s.hcldec --output yaml good.hcl",
        "decode -s s.hcldec --output hcl good.hcl",
        "decode -s s.hcldec --out /dev/full good.hcl",
        "schema -s s.hcldec",
        "schema -s s.hcldec --output markdown",
        "explain",
        "explain wrong-character",
        "dump tokens good.hcl",
        "dump tree good.hcl",
        "dump tokens --json good.hcl",
        "dump tree --json good.hcl",
        "completions bash",
        "man",
        "--help",
        "--version",
        "help check",
    ]
    .map(|call| call.split(' ').collect())
    .to_vec();
    for format in ["human", "json", "sarif", "github", "junit"] {
        calls.push(vec!["check", "--report", format, "a.hcl"]);
    }
    for command in
        ["check", "convert", "eval", "console", "decode", "schema", "dump", "explain", "completions"]
    {
        calls.push(vec![command, "--help"]);
    }
    let run = |program: &Path, arguments: &[&str], input: &str| {
        let mut child = Command::new(program);
        child.current_dir(folder.path("")).args(arguments);
        let input = fs::File::open(folder.path(input)).unwrap();
        let output = child.stdin(input).stdout(full()).stderr(Stdio::piped()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains("No space left on device"), "{arguments:?}: {told}");
    };
    for call in &calls {
        run(program(), call, "a.hcl");
    }
    folder.write("entries", "1 + 1\n");
    run(program(), &["console"], "entries");
    let hcldec = Path::new(env!("CARGO_BIN_EXE_hcldec"));
    for call in
        ["-s s.hcldec good.hcl", "-s s.hcldec --with-type good.hcl", "-s s.hcldec --var-refs good.hcl"]
    {
        run(hcldec, &call.split(' ').collect::<Vec<_>>(), "a.hcl");
    }
    for call in ["--version", "--completions=bash"] {
        run(hcldec, &[call], "a.hcl");
    }
    // Reports on standard error.
    for call in [
        &["eval", "--report", "json", "x"][..],
        &["eval", "--report", "sarif", "x"],
        &["eval", "--report", "github", "x"],
        &["eval", "x"],
        &["decode", "-s", "a.hcl", "good.hcl"],
        &["dump", "tokens", "a.hcl"],
        &["convert", "a.hcl"],
        &["schema", "-s", "a.hcl"],
    ] {
        let status = Command::new(program())
            .current_dir(folder.path(""))
            .args(call)
            .stdout(Stdio::null())
            .stderr(full())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(2), "{call:?}");
    }
}

#[test]
fn a_fixed_file_keeps_its_mode_and_attributes() {
    let folder = Folder::with(&[("a.hcl", BROKEN), ("b.hcl", BROKEN)]);
    let path = folder.path("a.hcl");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o4751)).unwrap();
    let set = rustix::fs::setxattr(&path, "user.origin", b"here", rustix::fs::XattrFlags::empty());
    fs::hard_link(folder.path("b.hcl"), folder.path("b.txt")).unwrap();
    let before = fs::metadata(&path).unwrap();
    folder
        .hcl(&["check", "--fix", "--write", "a.hcl", "b.hcl"])
        .success()
        .stderr_eq("warning: b.hcl had other hard links, which keep the old content\n");
    let after = fs::metadata(&path).unwrap();
    assert_eq!((after.mode(), after.uid(), after.gid()), (before.mode(), before.uid(), before.gid()));
    assert_eq!(fs::read_to_string(&path).unwrap(), FIXED);
    assert_eq!(fs::read_to_string(folder.path("b.txt")).unwrap(), BROKEN);
    // Not every file system has them.
    if set.is_ok() {
        let mut value = [0; 8];
        let length = rustix::fs::getxattr(&path, "user.origin", &mut value).unwrap();
        assert_eq!(&value[..length], b"here");
    }
}

/// An access control list that lets user 1234 read; the permissions of owner, mask and others are those of the mode.
fn access_list(mode: u32) -> Vec<u8> {
    let entries = [
        (1, mode >> 6, u32::MAX),
        (2, 4, 1234),
        (4, 4, u32::MAX),
        (0x10, mode >> 3, u32::MAX),
        (0x20, mode, u32::MAX),
    ];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, permissions, id) in entries {
        list.extend(u16::to_le_bytes(tag));
        list.extend(((permissions & 7) as u16).to_le_bytes());
        list.extend(id.to_le_bytes());
    }
    list
}

/// The attributes of a file besides its text: mode, owner, group, extended attributes.
fn attributes(path: &Path) -> (u32, u32, u32, Vec<Option<Vec<u8>>>) {
    let metadata = fs::metadata(path).unwrap();
    let value = |name: &str| {
        let mut value = [0; 200];
        let length = rustix::fs::getxattr(path, name, &mut value).ok()?;
        Some(value[..length].to_vec())
    };
    let values = ["user.origin", "system.posix_acl_access"].map(value).to_vec();
    (metadata.mode() & 0o7777, metadata.uid(), metadata.gid(), values)
}

/// A command that rewrites files: its arguments before the files, and the last line of each file before and after it.
struct Rewrite {
    arguments: &'static [&'static str],
    before: &'static str,
    after: &'static str,
}

const FIX: Rewrite =
    Rewrite { arguments: &["check", "--fix", "--write"], before: "name = 'x'", after: "name = \"x\"" };
const FMT: Rewrite = Rewrite { arguments: &["fmt"], before: "name   =\"x\"", after: "name = \"x\"" };
const EDIT: Rewrite =
    Rewrite { arguments: &["edit", "-w", "name=\"y\""], before: "name = \"x\"", after: "name = \"y\"" };

/// Stops runs of a command with each of three signals, and checks the files that remain.
fn kill(rewrite: &Rewrite, times: u64, files: usize) {
    let folder = Folder::with(&[]);
    let (old, new) = (rewrite.before, rewrite.after);
    let text = |at: usize, line: &str| format!("number = {at}\n\n{}\n{line}\n", "# filler\n".repeat(200));
    let path = |at: usize| folder.path(&format!("tree/{}/{at}.hcl", at % 7));
    let is_root = rustix::process::geteuid().is_root();
    let (mut owned, mut listed) = (0, 0);
    for at in 0..files {
        let path = path(at);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        if is_root {
            let id = [0, 1000, 1001][at % 3];
            std::os::unix::fs::chown(&path, Some(id), Some([0, 1000, 1002][at / 3 % 3])).unwrap();
            owned += usize::from(id > 0);
        }
        let mode = [0o640, 0o755, 0o600, 0o4711][at % 4];
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        // Not every file system has them.
        let flags = rustix::fs::XattrFlags::empty;
        let _ = rustix::fs::setxattr(&path, "user.origin", at.to_string().as_bytes(), flags());
        if at % 2 == 0 {
            let set = rustix::fs::setxattr(&path, "system.posix_acl_access", &access_list(mode), flags());
            listed += usize::from(set.is_ok());
        }
    }
    let before: Vec<_> = (0..files).map(|at| attributes(&path(at))).collect();
    let leftovers = || -> Vec<PathBuf> {
        let folders = (0..7).filter_map(|at| fs::read_dir(folder.path(&format!("tree/{at}"))).ok());
        let paths = folders.flatten().flatten().map(|entry| entry.path());
        paths.filter(|path| path.extension().is_none_or(|ending| ending != "hcl")).collect()
    };
    let names: Vec<String> = (0..files).map(|at| format!("tree/{}/{at}.hcl", at % 7)).collect();
    let arguments: Vec<&str> =
        rewrite.arguments.iter().copied().chain(names.iter().map(String::as_str)).collect();
    let (mut half, mut whole, mut left_over) = (0, 0, 0);
    for turn in 0..times {
        for (at, (mode, ..)) in before.iter().enumerate() {
            // Writing clears the setuid bit.
            if fs::read_to_string(path(at)).unwrap() != text(at, old) {
                fs::write(path(at), text(at, old)).unwrap();
                fs::set_permissions(path(at), fs::Permissions::from_mode(*mode)).unwrap();
            }
        }
        let mut child = Command::new(program())
            .args(&arguments)
            .current_dir(folder.path(""))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(turn * 7_919 % 90_000));
        let signal = ["-KILL", "-INT", "-TERM"][turn as usize % 3];
        let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        child.wait().unwrap();
        let mut fixed = 0;
        for (at, attributes_before) in before.iter().enumerate() {
            let found = fs::read_to_string(path(at)).unwrap();
            if found == text(at, new) {
                fixed += 1;
            } else {
                assert_eq!(found, text(at, old), "turn {turn}: {}", path(at).display());
            }
            assert_eq!(&attributes(&path(at)), attributes_before, "turn {turn}: {}", path(at).display());
        }
        half += u64::from(fixed > 0 && fixed < files);
        whole += u64::from(fixed == files);
        if signal == "-KILL" {
            // The next run removes what a kill leaves.
            left_over += usize::from(!leftovers().is_empty());
            let next = folder.command(&arguments).output().unwrap();
            assert_eq!(next.status.code(), Some(0), "{}", String::from_utf8_lossy(&next.stderr));
        }
        assert_eq!(leftovers(), Vec::<PathBuf>::new(), "turn {turn}: {signal}");
    }
    eprintln!(
        "{times} runs of {:?} were stopped: {half} with some of the files fixed, {whole} with all; {left_over} kills left \
         temporary files; {owned} of {files} files had another owner, {listed} access control lists",
        rewrite.arguments
    );
    // Edits of several files are all written or none.
    assert!(half > 0 || times < 20 || rewrite.arguments[0] == "edit", "no run was stopped in the middle");
}

#[test]
fn a_kill_loses_no_file() {
    for rewrite in [&FIX, &FMT, &EDIT] {
        kill(rewrite, 6, 60);
    }
}

/// `cargo test -p hclkit-cli --test cli -- --ignored --nocapture nine_hundred_kills`
#[test]
#[ignore = "takes minutes"]
fn nine_hundred_kills_lose_no_file() {
    kill(&FIX, 900, 120);
}

/// `cargo test -p hclkit-cli --test cli -- --ignored --nocapture two_hundred_kills`
#[test]
#[ignore = "takes minutes"]
fn two_hundred_kills_of_fmt_and_edit_lose_no_file() {
    kill(&FMT, 200, 120);
    kill(&EDIT, 200, 120);
}

/// As in the programs of their languages. Emacs creates such links, and Terraform the lock file.
#[test]
#[cfg(unix)]
fn files_that_a_language_does_not_read_are_not_found_in_directories() {
    let lock = "provider \"x\" {\n  version = \"1\"\n}\n";
    let folder = Folder::with(&[
        ("main.tf", "variable \"a\" {}\noutput \"o\" {\n  value = var.a\n}\n"),
        (".old.tf", "variable \"a\" {}\n"),
        (".terraform.lock.hcl", lock),
        (".tflint.hcl", "a = 1\n"),
    ]);
    std::os::unix::fs::symlink("user@host.1:2", folder.path(".#main.tf")).unwrap();
    let found = |options: &[&str]| {
        let output = folder.hcl(&[&["query", "-r", "..version"], options].concat());
        String::from_utf8_lossy(&output.get_output().stdout).into_owned()
    };
    assert_eq!(found(&["."]), "");
    assert!(found(&[".terraform.lock.hcl"]).contains('1'));
    folder.hcl(&["check"]).success().stdout_eq("Checked 2 files: no problems found\n");
    folder.hcl(&["check", "--hidden"]).code(2);
    folder.hcl(&["rename", "-w", "var.a", "b"]).success();
    assert!(folder.read("main.tf").contains("\"b\"") && folder.read(".old.tf").contains("\"a\""));
    folder.hcl(&["edit", "-w", "provider~.region = \"eu\"", "."]).code(1);
    assert_eq!(folder.read(".terraform.lock.hcl"), lock);
}
