//! What happens to files: which ones are read of a directory, and how they are written.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::PathBuf;
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
    folder.hcl(&["check", "--fix", "tree"]).success().stdout_eq("Checked 2 files: all fine\n").stderr_eq(
        str![[r#"
warning: tree/environment.hcl is a link that leads out of its directory, and is not read: see --follow
warning: tree/link.hcl is a link that leads out of its directory, and is not read: see --follow
warning: tree/outside.hcl is a link that leads out of its directory, and is not read: see --follow
warning: tree/zero.hcl is a link that leads out of its directory, and is not read: see --follow

"#]],
    );
    assert_eq!(fs::read_to_string(folder.path("outside.hcl")).unwrap(), BROKEN);
    for name in ["environment", "zero", "link"] {
        fs::remove_file(folder.path(&format!("tree/{name}.hcl"))).unwrap();
    }
    folder.hcl(&["check", "--fix", "--follow", "tree"]).success();
    assert_eq!(fs::read_to_string(folder.path("outside.hcl")).unwrap(), FIXED);
    assert!(folder.path("tree/outside.hcl").is_symlink());
}

#[test]
fn what_says_what_is_ignored_is_a_file_of_some_size() {
    let folder = Folder::with(&[
        ("a.hcl", "a = 1\n"),
        ("large/a.hcl", ""),
        ("large/.gitignore", &"#\n".repeat(600_000)),
    ]);
    fs::create_dir(folder.path("odd")).unwrap();
    pipe(&folder, "odd/.gitignore");
    folder.hcl(&["check", "."]).code(2).stdout_eq("Checked 1 file, 2 not readable: the rest is fine\n").stderr_eq(str![[
        r#"
error: cannot read ./large/.gitignore: it is larger than 1 MiB, so that its directory is not searched; --no-ignore leaves it alone
error: cannot read ./odd/.gitignore: it is not a regular file, so that its directory is not searched; --no-ignore leaves it alone

"#
    ]]);
}

#[test]
fn files_have_a_largest_size() {
    let folder = Folder::with(&[("a.hcl", "a = 1234567890\n")]);
    let why = "error: cannot read a.hcl: it is larger than 10 bytes; --max-size sets the limit\n";
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
fn every_write_is_checked() {
    let folder = Folder::with(&[("a.hcl", BROKEN)]);
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let calls: [&[&str]; 9] = [
        &["check", "--fix", "-"],
        &["check", "a.hcl"],
        &["check", "--format", "json", "a.hcl"],
        &["--help"],
        &["check", "--help"],
        &["--version"],
        &["eval", "1"],
        &["explain", "wrong-character"],
        &["completions", "bash"],
    ];
    for arguments in calls {
        let mut child = Command::new(program());
        child.current_dir(folder.path("")).args(arguments);
        let input = fs::File::open(folder.path("a.hcl")).unwrap();
        let output = child.stdin(input).stdout(full()).stderr(Stdio::piped()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains("No space left on device"), "{arguments:?}: {told}");
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
        .hcl(&["check", "--fix", "a.hcl", "b.hcl"])
        .success()
        .stderr_eq("warning: b.hcl had other hard links, which keep the text of before\n");
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

/// Kills runs of `--fix` and looks at what they leave.
fn kill(times: u64, files: usize) {
    let folder = Folder::with(&[]);
    let text =
        |at: usize, value: &str| format!("number = {at}\n{}name = {value}\n", "# filler\n".repeat(200));
    let path = |at: usize| folder.path(&format!("tree/{}/{at}.hcl", at % 7));
    let mode = |at: usize| [0o640, 0o755, 0o600, 0o4711][at % 4];
    for at in 0..files {
        fs::create_dir_all(path(at).parent().unwrap()).unwrap();
    }
    let leftovers = || -> Vec<PathBuf> {
        let folders = (0..7).filter_map(|at| fs::read_dir(folder.path(&format!("tree/{at}"))).ok());
        let paths = folders.flatten().flatten().map(|entry| entry.path());
        paths.filter(|path| path.extension().is_none_or(|ending| ending != "hcl")).collect()
    };
    let (mut half, mut whole) = (0, 0);
    for turn in 0..times {
        for at in 0..files {
            fs::write(path(at), text(at, "'x'")).unwrap();
            fs::set_permissions(path(at), fs::Permissions::from_mode(mode(at))).unwrap();
        }
        let mut child = Command::new(program())
            .args(["check", "--fix", "tree"])
            .current_dir(folder.path(""))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(turn * 7_919 % 60_000));
        let (signal, is_kill) = if turn % 2 == 0 { ("-KILL", true) } else { ("-INT", false) };
        let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        child.wait().unwrap();
        let mut fixed = 0;
        for at in 0..files {
            let found = fs::read_to_string(path(at)).unwrap();
            if found == text(at, "\"x\"") {
                fixed += 1;
            } else {
                assert_eq!(found, text(at, "'x'"), "turn {turn}: {}", path(at).display());
            }
            assert_eq!(fs::metadata(path(at)).unwrap().mode() & 0o7777, mode(at), "turn {turn}");
        }
        half += u64::from(fixed > 0 && fixed < files);
        whole += u64::from(fixed == files);
        if !is_kill {
            // What a kill leaves is for the next run; a signal leaves nothing but what earlier kills left.
            let next = folder.command(&["check", "--fix", "tree"]).output().unwrap();
            assert_eq!(next.status.code(), Some(0), "{}", String::from_utf8_lossy(&next.stderr));
            assert_eq!(leftovers(), Vec::<PathBuf>::new(), "turn {turn}");
        }
    }
    eprintln!("{times} runs were stopped: {half} with some of the files fixed, {whole} with all");
    assert!(half > 0 || times < 20, "no run was stopped in the middle");
}

#[test]
fn a_kill_loses_no_file() {
    kill(6, 60);
}

/// `cargo test -p hclkit-cli --test cli -- --ignored --nocapture six_hundred_kills`
#[test]
#[ignore = "takes minutes"]
fn six_hundred_kills_lose_no_file() {
    kill(600, 80);
}
