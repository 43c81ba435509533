//! `hcl check --cache`: reports are those of runs without it, whatever changes between runs, and nobody else can say that something is
//! fine.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use hclkit_test_cases::{rounds, seed};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::program::Folder;

/// Where the cache of a folder is, and the repository.
fn cache(folder: &Folder) -> PathBuf {
    folder.path("cache")
}

fn check(folder: &Folder, words: &[&str], with_cache: bool) -> Output {
    let mut run = folder.command(&["check"]).args(words).current_dir(folder.path("repository"));
    if with_cache {
        run = run.arg("--cache").arg(cache(folder));
    }
    run.output().unwrap()
}

/// Two runs with the cache say what one without it says.
fn assert_same(folder: &Folder, words: &[&str], what: &str) {
    let plain = check(folder, words, false);
    for turn in 0..2 {
        let cached = check(folder, words, true);
        let text = |output: &Output| {
            let text =
                [&*output.stdout, &*output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
            (text, output.status.code())
        };
        assert_eq!(text(&plain), text(&cached), "turn {turn} of {words:?} after {what}");
    }
}

const DIRECTORIES: [&str; 6] = ["live/a", "live/b", "modules/m", "modules/n", "modules/n/deep", "."];

const NAMES: [&str; 12] = [
    "main.tf",
    "more.tf",
    "main_override.tf",
    "json.tf.json",
    "terraform.tfvars",
    "a.auto.tfvars",
    "text.tpl",
    "tests/a.tftest.hcl",
    "hcl.toml",
    ".gitignore",
    ".opentofu-version",
    ".terraform/modules/modules.json",
];

/// What a file of a module may contain.
const PARTS: [&str; 22] = [
    "variable \"x\" {\n  default = 1\n}\n",
    "variable \"x\" {\n  type = string\n  validation {\n    condition     = length(var.x) > 2\n    error_message = \"x\"\n  }\n}\n",
    "output \"o\" {\n  value = var.x\n}\n",
    "output \"o\" {\n  value = local.y\n}\n",
    "locals {\n  y = 1\n}\n",
    "locals {\n  unused = 1\n}\n",
    "# hcl-check: allow unused-declaration kept\nlocals {\n  z = 1\n}\n",
    "module \"m\" {\n  source = \"../../modules/m\"\n  x      = 1\n}\n",
    "module \"m\" {\n  source = \"../../modules/m\"\n}\n",
    "module \"n\" {\n  source = \"../../modules/n\"\n  x      = module.m.o\n}\n",
    "module \"n\" {\n  source = \"../n\"\n  x      = \"ab\"\n}\n",
    "module \"d\" {\n  source = \"./deep\"\n  x      = 1\n}\n",
    "module \"r\" {\n  source = \"acme/r/aws\"\n}\n",
    "module \"r\" {\n  source = \"git::https://user:canary@example.com/r?token=canary\"\n}\n",
    "output \"t\" {\n  value = jsondecode(file(\"${path.module}/text.tpl\")).a\n}\n",
    "output \"t\" {\n  value = templatefile(\"text.tpl\", { a = 1 })\n}\n",
    "resource \"aws_instance\" \"i\" {\n  count = var.x\n}\n",
    "terraform {\n  required_version = \">= 1.5\"\n}\n",
    "provider \"aws\" {\n  alias = \"west\"\n}\n",
    "a = ",
    "x = \"ab\"\n",
    "output \"e\" {\n  value = 1 + \"canary\"\n}\n",
];

/// A text for a file with a name.
fn text(name: &str, random: &mut fastrand::Rng) -> String {
    let some = |texts: &[&str], random: &mut fastrand::Rng| texts[random.usize(..texts.len())].to_owned();
    match name {
        "json.tf.json" => {
            some(&["{\"output\": {\"j\": {\"value\": \"${var.x}\"}}}", "{\"locals\": {}}", "{"], random)
        }
        "terraform.tfvars" | "a.auto.tfvars" => some(&["x = 1\n", "x = \"abc\"\n", "y = 1\n", "x ="], random),
        "text.tpl" => some(&["{\"a\": 1}", "{\"b\": 1}", "${a}", "${b}"], random),
        "tests/a.tftest.hcl" => some(
            &[
                "variables {\n  x = 1\n}\nrun \"r\" {\n}\n",
                "run \"r\" {\n  expect_failures = [output.o]\n}\n",
                "run \"r\" {\n  module {\n    source = \"../../modules/m\"\n  }\n  variables {\n    x = 2\n  }\n}\n",
            ],
            random,
        ),
        "hcl.toml" => some(
            &[
                "",
                "[versions]\nterraform = \"1.3\"\n",
                "[modules]\n\"acme/r/aws\" = \"modules/m\"\n",
                "[specs]\n",
            ],
            random,
        ),
        ".gitignore" => some(&["more.tf\n", "*.tpl\n", "deep\n"], random),
        ".opentofu-version" => some(&["1.6.0\n", "1.9.0\n"], random),
        ".terraform/modules/modules.json" => some(
            &[
                "{\"Modules\": [{\"Key\": \"r\", \"Source\": \"registry.terraform.io/acme/r/aws\", \"Dir\": \".terraform/modules/r\"}]}",
                "{\"Modules\": []}",
            ],
            random,
        ),
        _ => {
            let count = random.usize(1..5);
            (0..count).map(|_| PARTS[random.usize(..PARTS.len())]).collect()
        }
    }
}

const OPTIONS: [&[&str]; 12] = [
    &[],
    &["."],
    &["--report", "json"],
    &["--report", "sarif"],
    &["--report", "github"],
    &["--report", "junit"],
    &["live", "modules/m"],
    &["live/a/main.tf"],
    &["modules/n", "--no-callers"],
    &["--deny", "warnings", "--summary"],
    &["--language", "opentofu"],
    &["--exclude", "more.tf", "--workspace", "w"],
];

/// Changes something in the repository, and says what.
fn change(folder: &Folder, random: &mut fastrand::Rng) -> String {
    let directory = DIRECTORIES[random.usize(..DIRECTORIES.len())];
    // Files of modules most often.
    let name =
        if random.u8(..3) == 0 { NAMES[random.usize(..NAMES.len())] } else { NAMES[random.usize(..3)] };
    let name = if random.u8(..12) == 0 { ".terraform/modules/r/main.tf" } else { name };
    let path = format!("repository/{directory}/{name}");
    match random.u8(..5) {
        0 => {
            let _ = fs::remove_file(folder.path(&path));
            format!("removing {path}")
        }
        1 if random.bool() => {
            let _ = fs::remove_dir_all(folder.path(&format!("repository/{directory}/.terraform")));
            format!("removing downloaded modules of {directory}")
        }
        _ => {
            let text = text(name, random);
            folder.write(&path, &text);
            format!("writing {path}: {text}")
        }
    }
}

fn repository() -> Folder {
    let files = [
        ("repository/.git/HEAD", "ref: refs/heads/main\n"),
        ("repository/live/a/main.tf", PARTS[7]),
        ("repository/live/b/main.tf", PARTS[8]),
        ("repository/modules/m/main.tf", PARTS[0]),
        ("repository/modules/n/main.tf", PARTS[2]),
        ("repository/modules/n/deep/main.tf", PARTS[4]),
    ];
    Folder::with(&files)
}

#[test]
fn reports_are_the_same_whatever_changes() {
    let mut random = fastrand::Rng::with_seed(seed(11));
    for _ in 0..rounds(8) {
        let folder = repository();
        let mut what = String::new();
        for _ in 0..25 {
            what = format!("{what}\n{}", change(&folder, &mut random));
            // The same options twice in a row, so that something is known.
            assert_same(&folder, OPTIONS[0], &what);
            if random.bool() {
                assert_same(&folder, OPTIONS[random.usize(..OPTIONS.len())], &what);
            }
        }
        // What is kept has no text of a file.
        for entry in fs::read_dir(cache(&folder)).unwrap() {
            let kept = fs::read(entry.unwrap().path()).unwrap();
            assert!(!kept.windows(6).any(|part| part == b"canary"));
        }
    }
}

/// Many modules without findings, in which one thing changes: what is known is used, and what it does not say is found.
#[test]
fn changes_among_many_fine_modules_are_found() {
    let mut random = fastrand::Rng::with_seed(seed(12));
    let modules = 12;
    let module = |at: usize, random: &mut fastrand::Rng| {
        let mut text = "variable \"x\" {\n  default = 1\n}\noutput \"o\" {\n  value = var.x\n}\n".to_owned();
        for call in 0..random.usize(..3) {
            if at + 1 < modules {
                let called = random.usize(at + 1..modules);
                let x = ["1", "var.x", "\"text\""][random.usize(..3)];
                let _ =
                    write!(text, "module \"c{call}\" {{\n  source = \"../m{called}\"\n  x      = {x}\n}}\n");
            }
        }
        match random.u8(..12) {
            0 => text += "variable \"unused\" {\n  default = 1\n}\n",
            1 => text += "output \"sum\" {\n  value = var.x + 1\n}\n",
            2 => text += "output \"no\" {\n  value = local.no\n}\n",
            _ => {}
        }
        text
    };
    for _ in 0..rounds(6) {
        let folder = Folder::with(&[("repository/.git/HEAD", "")]);
        for at in 0..modules {
            folder.write(&format!("repository/m{at}/main.tf"), module(at, &mut random));
        }
        for turn in 0..25 {
            let at = random.usize(..modules);
            let text = module(at, &mut random);
            folder.write(&format!("repository/m{at}/main.tf"), &text);
            assert_same(&folder, OPTIONS[turn % 3], &format!("m{at}: {text}"));
        }
    }
}

/// The file with what is kept, of which there is one.
fn kept(folder: &Folder) -> PathBuf {
    let files = fs::read_dir(cache(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut files = files.filter(|path| path.extension().is_some_and(|own| own == "verdicts"));
    files.next().expect("something is kept")
}

/// Writes what is kept with the code of a key.
fn forge(file: &Path, key: &[u8], text: &[u8]) {
    let mut code = Hmac::<Sha256>::new_from_slice(key).unwrap();
    code.update(file.file_name().unwrap().as_encoded_bytes());
    code.update(b"\n");
    code.update(text);
    fs::write(file, [&*code.finalize().into_bytes(), text].concat()).unwrap();
}

#[test]
fn only_the_key_of_the_user_says_that_a_module_is_fine() {
    let folder = Folder::with(&[
        ("repository/.git/HEAD", ""),
        ("repository/a/main.tf", "output \"o\" {\n  value = local.no\n}\n"),
    ]);
    assert_eq!(check(&folder, &[], true).status.code(), Some(1));
    let file = kept(&folder);
    let before = fs::read(&file).unwrap();
    let text = String::from_utf8(before[32..].to_vec()).unwrap();
    let forged = text.replace("\"is_fine\":false", "\"is_fine\":true");
    assert_ne!(text, forged);
    let key = fs::read(cache(&folder).join("key")).unwrap();
    // With the key, it is believed: what is kept is used. Which files the process has open does not matter.
    let open: Vec<fs::File> = (0..7).map(|_| fs::File::open(&file).unwrap()).collect();
    forge(&file, &key, forged.as_bytes());
    assert_eq!(check(&folder, &[], true).status.code(), Some(0));
    drop(open);
    // With another key, for another file, damaged, cut off, or empty, it is not.
    let mut wrong = key.clone();
    wrong[0] ^= 1;
    forge(&file, &wrong, forged.as_bytes());
    assert_same(&folder, &[], "another key");
    let other = file.with_file_name("other.verdicts");
    forge(&other, &key, forged.as_bytes());
    fs::rename(&other, &file).unwrap();
    assert_same(&folder, &[], "another file");
    for at in (0..before.len()).step_by(7) {
        let mut damaged = before.clone();
        damaged[at] ^= 1;
        fs::write(&file, &damaged).unwrap();
        assert_same(&folder, &[], "damage");
        fs::write(&file, &before[..at]).unwrap();
        assert_same(&folder, &[], "a part");
    }
    // What a newer program writes has another form, and a place may be wrong.
    for other in ["{\"newer\": true}", "[]", "null", &text.replace("\"reaches\":[0]", "\"reaches\":[7]")] {
        forge(&file, &key, other.as_bytes());
        assert_same(&folder, &[], other);
    }
    // A key that is damaged is replaced.
    fs::write(cache(&folder).join("key"), "short").unwrap();
    assert_same(&folder, &[], "a damaged key");
    assert_eq!(fs::read(cache(&folder).join("key")).unwrap().len(), 32);
}

#[test]
fn directories_that_are_checked_or_that_others_can_open_are_refused() {
    let folder = repository();
    let root = folder.path("");
    let refused = |directory: &Path, words: &[&str], why: &str| {
        let run = folder.command(&["check", "--cache"]).arg(directory).args(words);
        let output = run.current_dir(folder.path("repository")).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{directory:?} {errors}");
        assert!(errors.contains(why) && output.stdout.is_empty(), "{directory:?}: {errors}");
    };
    let outside = "it must be outside of";
    for inside in ["c", "live/../.terraform/c", "../repository/c", "..", "/", "."] {
        refused(Path::new(inside), &[], outside);
        refused(Path::new(inside), &["live/a"], outside);
        refused(Path::new(inside), &["live/a/main.tf"], outside);
    }
    assert!(!folder.path("repository/c").exists());
    let modules = folder.path("modules");
    fs::create_dir_all(&modules).unwrap();
    refused(&modules.join("c"), &["--module-dir", &format!("acme/r/aws={}", modules.display())], outside);
    fs::write(folder.path("file"), "").unwrap();
    refused(&folder.path("file"), &[], "--cache");
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        symlink(folder.path("repository"), root.join("link")).unwrap();
        refused(&root.join("link/c"), &[], outside);
        let open = root.join("open");
        fs::create_dir(&open).unwrap();
        for mode in [0o755, 0o770, 0o701] {
            fs::set_permissions(&open, fs::Permissions::from_mode(mode)).unwrap();
            refused(&open, &[], "others can open it");
        }
        check(&folder, &[], true);
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&cache(&folder)), 0o700);
        for entry in fs::read_dir(cache(&folder)).unwrap() {
            assert_eq!(mode(&entry.unwrap().path()), 0o600);
        }
    }
    folder.write("repository/s", "attr {\n  name = \"x\"\n  type = any\n}\n");
    for option in [&["--fix"][..], &["--syntax-only"], &["--explain-version"], &["--spec", "s"]] {
        refused(&cache(&folder), option, "cannot be used with");
    }
}

/// `--cache auto` never makes a run fail that succeeds without it.
#[test]
fn the_directory_of_the_user_is_used_where_it_can_be() {
    let folder = repository();
    folder.write("repository/s", "attr {\n  name = \"x\"\n  type = any\n}\n");
    let run = |home: &Path, words: &[&str]| {
        let run = folder.command(&["check"]).args(words).current_dir(folder.path("repository"));
        let output =
            run.env("XDG_CACHE_HOME", home).env("HOME", "").env("LOCALAPPDATA", "").output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), output.status.code(), text(&output.stderr))
    };
    let same = |home: &Path, words: &[&str], warning: Option<&str>| {
        let (report, code, errors) = run(home, words);
        for _ in 0..2 {
            let (found, found_code, found_errors) = run(home, &[words, &["--cache", "auto"]].concat());
            assert_eq!((&report, code), (&found, found_code), "{home:?} {words:?} {found_errors}");
            match warning {
                None => assert_eq!(errors, found_errors, "{home:?} {words:?}"),
                Some(why) => assert!(
                    found_errors.contains("--cache auto: nothing is kept: ") && found_errors.contains(why),
                    "{home:?}: {found_errors}"
                ),
            }
        }
    };
    let home = folder.path("caches");
    // Options with which nothing is kept.
    for option in
        [&["--fix"][..], &["--syntax-only"], &["--spec", "s", "live"], &["--spec", "s", "--merge", "live"]]
    {
        same(&home, option, None);
    }
    assert!(!home.exists());
    same(&home, &[], None);
    assert!(home.join("hcl/key").is_file());
    same(Path::new("relative"), &[], Some("there is no home directory"));
    same(&folder.path("repository/caches"), &[], Some("it must be outside of"));
    assert!(!folder.path("repository/caches").exists() && !folder.path("repository/relative").exists());
    fs::write(folder.path("file"), "").unwrap();
    same(&folder.path("file"), &[], Some("file"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(home.join("hcl"), fs::Permissions::from_mode(0o755)).unwrap();
        same(&home, &[], Some("others can open it"));
    }
}

#[test]
fn only_so_much_is_kept() {
    let folder = repository();
    for number in 0..20 {
        let workspace = format!("w{number}");
        assert_same(&folder, &["--workspace", &workspace], "nothing");
    }
    let count = fs::read_dir(cache(&folder)).unwrap().count();
    // With the key.
    assert_eq!(count, 17);
}

/// Runs that are killed, and several at the same time, leave nothing that is wrong.
#[cfg(unix)]
#[test]
fn kills_and_concurrent_runs_change_no_report() {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let mut random = fastrand::Rng::with_seed(seed(13));
    let folder = repository();
    for turn in 0..rounds(12) {
        let what = change(&folder, &mut random);
        let start = || {
            let mut run = Command::new(crate::program::program());
            run.args(["check", "--cache"]).arg(cache(&folder)).current_dir(folder.path("repository"));
            run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let mut runs: Vec<_> = (0..3).map(|_| start()).collect();
        std::thread::sleep(Duration::from_millis(random.u64(..60)));
        if turn % 2 == 0 {
            for run in &mut runs {
                run.kill().unwrap();
            }
        }
        // The others are still running.
        assert_same(&folder, &[], &what);
        for run in &mut runs {
            run.wait().unwrap();
        }
        assert_same(&folder, &[], &what);
    }
}
