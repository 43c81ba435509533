//! Promises for every directory: commands neither panic nor block on pipes, and neither read nor change anything
//! outside. The fuzzer calls this, and so does `cargo test`.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use arbitrary::{Result, Unstructured};
use hclkit::{Limits, Value};
use hclkit_cli::{Host, hcl};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;

use crate::output::Shared;

/// Text that only files outside of the directory contain.
const CANARY: &str = "canary_73ab1c";
const BROKEN: &str = "name = 'a'\nother = 1 1\n";

const NAMES: [&str; 20] = [
    "a.hcl",
    "b.hcl",
    "c.tf",
    "d.hcl.json",
    "e.tfvars",
    ".hidden.hcl",
    ".gitignore",
    ".ignore",
    ".git",
    "info",
    "exclude",
    "folder",
    "other",
    ".hidden",
    "-.hcl",
    "--fix.hcl",
    "new\nline.hcl",
    "\u{1b}[31m\u{202e}\u{9b}.hcl",
    ".hcl-abcdefghijkl.tmp",
    "::error::.tf",
];

const IGNORED: [&[u8]; 7] = [
    b"*.hcl\n",
    b"!a.hcl\n",
    b"**/\n",
    b"/folder\n",
    b"[a\n{b,c\n",
    b"\\\n#\n\xff\n",
    b"{{{{a,b},c},d},e}\n",
];

/// The directory in which each run creates its tree, and the files next to the tree.
struct Scene {
    folder: TempDir,
}

impl Scene {
    fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    fn outside(&self) -> PathBuf {
        self.folder.path().join("outside")
    }

    fn new() -> Self {
        let scene = Self { folder: tempfile::tempdir().expect("there is a folder for temporary files") };
        let outside = scene.outside();
        fs::create_dir(&outside).expect("the folder is new");
        fs::write(outside.join("secret.hcl"), format!("{CANARY} = '{CANARY}'\n")).expect("it can be written");
        fs::write(outside.join("linked.hcl"), BROKEN).expect("it can be written");
        fs::write(outside.join(".gitignore"), format!("{CANARY}\n")).expect("it can be written");
        pipe(&outside.join("pipe.hcl"));
        // Links from here lead back and form a cycle.
        symlink(scene.tree(), outside.join("back")).expect("the name is free");
        scene
    }

    /// The metadata and contents of the files outside, except for access times.
    fn state(&self) -> Vec<(PathBuf, u32, Option<std::time::SystemTime>, Vec<u8>)> {
        let entries = fs::read_dir(self.outside()).expect("it is there").flatten();
        let mut found: Vec<_> = entries
            .map(|entry| {
                let metadata = entry.path().symlink_metadata().expect("it is there");
                let text =
                    if metadata.is_file() { fs::read(entry.path()).unwrap_or_default() } else { Vec::new() };
                (entry.path(), metadata.permissions().mode(), metadata.modified().ok(), text)
            })
            .collect();
        found.sort();
        found
    }
}

fn pipe(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).expect("the name is free");
}

/// A tree of files, and its entries.
struct Tree<'s> {
    scene: &'s Scene,
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
    paths: Vec<PathBuf>,
}

impl<'s> Tree<'s> {
    fn new(scene: &'s Scene) -> Self {
        let root = scene.tree();
        if root.symlink_metadata().is_ok() {
            fs::remove_dir_all(&root).expect("it can be removed");
        }
        fs::create_dir(&root).expect("the name is free");
        Self { scene, folders: vec![root], files: Vec::new(), paths: Vec::new() }
    }

    /// Adds an entry with a name and a place from the bytes. Entries that cannot be created, for example because the
    /// name is in use, are omitted.
    fn add(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let folder = u.choose(&self.folders)?.clone();
        let own: &[u8];
        let name = if u.ratio(1, 6)? {
            own = u.arbitrary()?;
            let own = own.split(|byte| [b'/', 0].contains(byte)).next().unwrap_or_default();
            OsStr::from_bytes(&own[..own.len().min(60)])
        } else {
            OsStr::new(*u.choose(&NAMES)?)
        };
        if name.is_empty() || name == "." || name == ".." {
            return Ok(());
        }
        let path = folder.join(name);
        match u.int_in_range(0..=11)? {
            0 | 1 => {
                if fs::create_dir(&path).is_ok() {
                    self.folders.push(path.clone());
                }
            }
            2 => {
                if path.symlink_metadata().is_err() {
                    pipe(&path);
                }
            }
            3..=5 => {
                let target = self.target(u)?;
                let _ = symlink(target, &path);
            }
            6 => {
                let _ = fs::hard_link(self.scene.outside().join("linked.hcl"), &path);
            }
            _ => {
                let own: &[u8];
                let text = match u.int_in_range(0..=4)? {
                    0 => BROKEN.as_bytes(),
                    1 => b"a = 1\n",
                    2 => IGNORED[u.choose_index(IGNORED.len())?],
                    3 => b"[1, {\"a\": 'b'}]",
                    _ => {
                        own = u.arbitrary()?;
                        own
                    }
                };
                if path.symlink_metadata().is_err() && fs::write(&path, text).is_ok() {
                    let mode = *u.choose(&[0o644, 0o444, 0o4755, 0o600])?;
                    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("it is ours");
                    self.files.push(path.clone());
                }
            }
        }
        self.paths.push(path);
        Ok(())
    }

    /// Where a link leads.
    fn target(&self, u: &mut Unstructured<'_>) -> Result<PathBuf> {
        let outside = self.scene.outside();
        Ok(match u.int_in_range(0..=11)? {
            0 => outside,
            1 => outside.join("secret.hcl"),
            2 => outside.join("pipe.hcl"),
            3 => outside.join(".gitignore"),
            4 => outside.join("back"),
            5 => PathBuf::from("/dev/zero"),
            6 => PathBuf::from("/proc/self/environ"),
            7 => PathBuf::from(["..", ".", "../..", "../../outside/secret.hcl"][u.choose_index(4)?]),
            8 => u.choose(&self.folders)?.clone(),
            9 if !self.files.is_empty() => u.choose(&self.files)?.clone(),
            _ => PathBuf::from(*u.choose(&NAMES)?),
        })
    }
}

/// Creates a tree from the bytes, and runs commands on it.
pub(crate) fn check(input: &[u8]) {
    // Tests run at the same time, each with files of its own.
    thread_local!(static SCENE: Scene = Scene::new());
    SCENE.with(|scene| check_in(scene, input));
}

fn check_in(scene: &Scene, input: &[u8]) {
    let mut tree = Tree::new(scene);
    let mut u = Unstructured::new(input);
    while !u.is_empty() && tree.paths.len() < 60 {
        if tree.add(&mut u).is_err() {
            break;
        }
    }
    let before = scene.state();
    let root = scene.tree();
    let root = root.to_str().expect("names of temporary folders are ASCII");
    let run = |arguments: &[&str]| {
        let (output, errors) = (Shared::default(), Shared::default());
        let limits = Limits::new().with_steps(100_000).with_elements(100_000).with_bytes(16 << 20);
        let host = Host::given(Vec::new(), output.clone(), errors.clone()).within(limits);
        let line = [&["hcl"], arguments].concat().into_iter().map(Into::into).collect();
        let code = hcl(line, &host);
        for stream in [output, errors] {
            let shown = String::from_utf8_lossy(&stream.text()).into_owned();
            assert!(code <= 2 && !shown.contains("internal error"), "{arguments:?}: {code}: {shown}");
            assert!(!shown.contains(CANARY), "{arguments:?} reads what is outside: {shown}");
            assert!(!shown.contains("PATH="), "{arguments:?} reads the environment: {shown}");
        }
        assert!(scene.state() == before, "{arguments:?} changes what is outside");
    };
    run(&["check", "--report", "json", root]);
    run(&["check", "--hidden", "--no-ignore", "--fix", root]);
    run(&["check", "--include", "*", "--exclude", "folder", root]);
    // A few names are enough, because all functions resolve paths in the same way.
    let names = tree.paths.iter().filter_map(|path| path.to_str()).take(8);
    let names: Vec<String> = names.map(|name| Value::from(name).to_string()).collect();
    let names = names.join(", ");
    let read = "try(file(f), filebase64(f), fileexists(f), \"\")";
    for expression in [
        format!("[for f in [{names}] : {read}]"),
        format!("[for f in [{names}] : try(templatefile(f, {{}}), \"\")]"),
        format!("[for n in fileset(\"{root}\", \"**\") : [for f in [\"{root}/${{n}}\"] : {read}]]"),
        format!("fileset(\"{root}\", \"*/{{a,b}}*/../../**/*.hcl\")"),
    ] {
        run(&["eval", "--output", "json", "--allow-fs", root, &expression]);
    }
    // Files that are named explicitly may be of any kind, so only regular files are named.
    let output = format!("{root}/.converted");
    for file in tree.files.iter().filter_map(|path| path.to_str()).take(4) {
        run(&["convert", "--out", &output, "--", file]);
    }
    run(&["check", "--fix", "--write", root]);
    run(&["check", "--fix", "--write", "--hidden", "--no-ignore", "--include", "*", root]);
    let left = tree.folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let temporary: Vec<_> = left
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some(OsStr::new("tmp")) && !tree.paths.contains(path))
        .collect();
    assert!(temporary.is_empty(), "{temporary:?} are left");
}
