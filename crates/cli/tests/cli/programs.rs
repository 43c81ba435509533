//! Whatever a repository configures, no command starts a program, and what Git's environment variables name is not read.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::exit_codes::commands;
use crate::program::{Folder, program};
use crate::sealed;

/// Settings with which Git starts the program PROGRAM, or reads another repository.
const SETTINGS: &str = r#"
[core]
    fsmonitor = PROGRAM
    hooksPath = HOOKS
    editor = PROGRAM
    pager = PROGRAM
    sshCommand = PROGRAM
    gitProxy = PROGRAM
    askPass = PROGRAM
    alternateRefsCommand = PROGRAM
    untrackedCache = true
[filter "x"]
    clean = PROGRAM
    smudge = PROGRAM
    process = PROGRAM
    required = true
[diff]
    external = PROGRAM
[diff "x"]
    command = PROGRAM
    textconv = PROGRAM
[merge "x"]
    driver = PROGRAM
[credential]
    helper = PROGRAM
[gpg]
    program = PROGRAM
[gpg "ssh"]
    program = PROGRAM
    defaultKeyCommand = PROGRAM
[log]
    showSignature = true
[sequence]
    editor = PROGRAM
[interactive]
    diffFilter = PROGRAM
[pager]
    diff = PROGRAM
    ls-files = PROGRAM
    ls-tree = PROGRAM
    config = PROGRAM
[alias]
    ls-files = !PROGRAM
    rev-parse = !PROGRAM
[remote "origin"]
    url = ext::PROGRAM
    fetch = +refs/heads/*:refs/remotes/origin/*
    vcs = x
    uploadpack = PROGRAM
    receivepack = PROGRAM
    proxy = PROGRAM
    promisor = true
    partialclonefilter = blob:none
[protocol]
    allow = always
[extensions]
    partialClone = origin
[uploadpack]
    packObjectsHook = PROGRAM
[receive]
    procReceiveRefs = refs
[gc]
    recentObjectsHook = PROGRAM
[tar "x"]
    command = PROGRAM
[trailer "x"]
    command = PROGRAM
    cmd = PROGRAM
[submodule "x"]
    update = !PROGRAM
[browser "x"]
    cmd = PROGRAM
    path = PROGRAM
[man "x"]
    cmd = PROGRAM
[difftool "x"]
    cmd = PROGRAM
[mergetool "x"]
    cmd = PROGRAM
[guitool "x"]
    cmd = PROGRAM
[imap]
    tunnel = PROGRAM
[sendemail]
    smtpServer = PROGRAM
[include]
    path = included
"#;

/// The hooks that commands of Git run.
const HOOKS: [&str; 12] = [
    "applypatch-msg",
    "fsmonitor-watchman",
    "post-checkout",
    "post-index-change",
    "pre-auto-gc",
    "pre-commit",
    "pre-push",
    "pre-receive",
    "proc-receive",
    "query-watchman",
    "reference-transaction",
    "update",
];

/// Programs that may be looked up by their names.
const PROGRAMS: [&str; 16] = [
    "git",
    "git-remote-ext",
    "git-remote-x",
    "sh",
    "bash",
    "ssh",
    "less",
    "more",
    "vi",
    "cat",
    "cmd",
    "python3",
    "terraform",
    "tofu",
    "curl",
    "hcl",
];

fn write_program(folder: &Folder, name: &str, text: &str) {
    folder.write(name, text);
    fs::set_permissions(folder.path(name), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Repositories with all of these settings. A program that is started adds a line to `started`.
struct Configured {
    folder: Folder,
}

impl Configured {
    fn new() -> Self {
        let folder = configured();
        copy(&folder, "tree", "pristine");
        Self { folder }
    }

    /// Undoes what a run has changed.
    fn restore(&self) {
        fs::remove_dir_all(self.folder.path("tree")).unwrap();
        copy(&self.folder, "pristine", "tree");
    }

    fn started(&self) -> String {
        fs::read_to_string(self.folder.path("started")).unwrap_or_default()
    }
}

/// With its times, which the index has, too.
fn copy(folder: &Folder, from: &str, to: &str) {
    let copied = Command::new("cp").args(["-a", from, to]).current_dir(folder.root()).status().unwrap();
    assert!(copied.success());
}

/// A repository in `tree/repository`, a bare one in it, and mirrors beside it.
fn configured() -> Folder {
    let folder = sealed::hostile();
    let mark = folder.path("started").display().to_string();
    let text = format!("#!/bin/sh\necho \"$0 $*\" >> '{mark}'\n");
    write_program(&folder, "programs/program", &text);
    for name in PROGRAMS {
        write_program(&folder, &format!("programs/{name}"), &text);
    }
    let git = |words: &[&str]| folder.git(&[&["-C", "tree/repository"], words].concat());
    fs::remove_dir_all(folder.path("tree/repository/.git")).unwrap();
    git(&["init", "-q", "-b", "main"]);
    folder.write("tree/repository/live/a/ignored.tf", "variable \"ignored\" {}\n");
    folder.write("tree/repository/live/a/kept.tf", "variable \"kept\" {}\n");
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "x"]);
    folder.write("tree/repository/.gitignore", "ignored.tf\nkept.tf\n");
    folder.write(
        "tree/repository/.gitattributes",
        "* filter=x diff=x merge=x text ident working-tree-encoding=UTF-16\n",
    );
    git(&["clone", "-q", "--bare", ".", "../mirrors/x.git"]);
    git(&["clone", "-q", "--bare", ".", "bare.git"]);
    folder.write("tree/repository/live/a/new.tf", "variable \"new\" {}\n");
    folder.write("tree/repository/live/a/kept.tf", "variable \"kept\" {\n}\n");
    // A promised object is missing. Git would fetch it.
    folder.git(&["clone", "-q", "--bare", "tree/repository", "tree/mirrors/partial.git"]);
    folder.write("tree/repository/hcl.toml", "");
    for directory in ["repository/.git", "repository/bare.git", "mirrors/x.git", "mirrors/partial.git"] {
        let directory = format!("tree/{directory}");
        let program = folder.path("programs/program").display().to_string();
        let hooks = folder.path(&format!("{directory}/hooks")).display().to_string();
        let settings = SETTINGS.replace("PROGRAM", &program).replace("HOOKS", &hooks);
        for hook in HOOKS {
            write_program(&folder, &format!("{directory}/hooks/{hook}"), &text);
        }
        let config = folder.read(&format!("{directory}/config"));
        folder.write(&format!("{directory}/config"), config + &settings);
        folder.write(&format!("{directory}/included"), settings.replace("path = included", "path = none"));
    }
    let partial = folder.path("tree/mirrors/partial.git/objects");
    for entry in fs::read_dir(partial).unwrap().flatten() {
        if entry.file_name().len() == 2 && entry.file_name() > *"8" {
            fs::remove_dir_all(entry.path()).unwrap();
        }
    }
    folder
}

/// What Git obeys, in an environment.
fn environment(folder: &Folder) -> BTreeMap<&'static str, String> {
    let path = |name: &str| folder.path(name).display().to_string();
    let program = path("programs/program");
    [
        ("GIT_DIR", path("tree/mirrors/x.git")),
        ("GIT_WORK_TREE", path("tree/victim")),
        ("GIT_INDEX_FILE", path("tree/victim/text.txt")),
        ("GIT_OBJECT_DIRECTORY", path("tree/victim")),
        ("GIT_ALTERNATE_OBJECT_DIRECTORIES", path("tree/victim")),
        ("GIT_COMMON_DIR", path("tree/victim")),
        ("GIT_CEILING_DIRECTORIES", path("tree/repository")),
        ("GIT_CONFIG", path("tree/victim/text.txt")),
        ("GIT_CONFIG_COUNT", "1".to_owned()),
        ("GIT_CONFIG_KEY_0", "core.fsmonitor".to_owned()),
        ("GIT_CONFIG_VALUE_0", program.clone()),
        ("GIT_EXEC_PATH", path("programs")),
        ("GIT_EXTERNAL_DIFF", program.clone()),
        ("GIT_SSH", program.clone()),
        ("GIT_SSH_COMMAND", program.clone()),
        ("GIT_ASKPASS", program.clone()),
        ("GIT_PAGER", program.clone()),
        ("GIT_EDITOR", program.clone()),
        ("GIT_TRACE", path("started")),
        ("PAGER", program.clone()),
        ("EDITOR", program.clone()),
        ("VISUAL", program.clone()),
        ("BROWSER", program.clone()),
        ("SHELL", program),
    ]
    .into()
}

/// What a run does: its exit code and all that it prints.
type Done = (Option<i32>, String);

fn run(folder: &Folder, words: &[&str], variables: &BTreeMap<&str, String>) -> Done {
    let mut line = folder.command(words).current_dir(folder.path("tree/repository/live/a"));
    // The programs of the system are not there.
    line = line.env("PATH", folder.path("programs")).env("HOME", folder.path("home"));
    let output = line.envs(variables).stdin("1\n").output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn no_command_starts_a_program() {
    let configured = Configured::new();
    let folder = &configured.folder;
    for command in commands(&Folder::with(&[])) {
        for arguments in sealed::runs(&command) {
            let words = [&[command.as_str()], *arguments].concat();
            configured.restore();
            let plain = run(folder, &words, &BTreeMap::new());
            configured.restore();
            let with_variables = run(folder, &words, &environment(folder));
            assert_eq!(configured.started(), "", "{words:?} starts a program: {}", plain.1);
            assert_eq!(plain, with_variables, "{words:?} reads what the environment of Git names");
        }
    }
}

/// The markers work: Git starts the program.
#[test]
fn git_starts_the_program() {
    let configured = Configured::new();
    let directory = configured.folder.path("tree/repository/live/a");
    let git = Command::new("git").args(["status", "--porcelain"]).current_dir(directory).output().unwrap();
    assert_ne!(configured.started(), "", "{git:?}");
}

/// The same as the kernel sees it: no process is made, and no other program runs.
#[test]
#[cfg(target_os = "linux")]
fn no_command_makes_a_process() {
    if Command::new("strace").arg("-V").output().is_err() {
        eprintln!("strace is not installed: processes are found by their marks only.");
        return;
    }
    let configured = Configured::new();
    let folder = &configured.folder;
    for command in commands(&Folder::with(&[])) {
        for arguments in sealed::runs(&command) {
            configured.restore();
            let log = folder.path("log");
            let output = Command::new("strace")
                .args([
                    "-f",
                    "-qq",
                    "-e",
                    "trace=execve,execveat,fork,vfork,clone,clone3",
                    "-e",
                    "signal=none",
                    "-o",
                ])
                .arg(&log)
                .arg(program())
                .arg(&command)
                .args(*arguments)
                .current_dir(folder.path("tree/repository/live/a"))
                .stdin(std::process::Stdio::null())
                .output()
                .unwrap();
            let log = fs::read_to_string(log).unwrap();
            // The first line starts `hcl` itself. Threads share the memory of their process.
            let is_process = |line: &&str| !line.contains("CLONE_THREAD") && line.contains('(');
            let made: Vec<&str> = log.lines().skip(1).filter(is_process).collect();
            assert!(log.lines().next().is_some_and(|line| line.contains("execve(")), "{output:?}");
            assert_eq!(made, Vec::<&str>::new(), "{command} {arguments:?}");
        }
    }
}

/// Without the means to start one, nothing that is added later can.
#[test]
fn no_crate_has_the_means_to_start_a_program() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut open = vec![root.join("bindings/python/src"), root.join("editors/wasm/src")];
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        open.push(entry.unwrap().path().join("src"));
    }
    let mut files = 0;
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            files += 1;
            let text = fs::read_to_string(&path).unwrap();
            for means in ["Command::new(", "process::Command", "CommandExt", "fork("] {
                assert!(!text.contains(means), "{} has {means}", path.display());
            }
        }
    }
    assert!(files > 300);
}
