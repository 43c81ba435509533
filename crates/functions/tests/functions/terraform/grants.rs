//! What functions can access with and without grants.

use std::fs;
use std::path::PathBuf;

use hclkit_functions::{Directory, Grants, Table, packer, terraform};
use hclkit_value::{Error, Value};

fn call(table: &Table, name: &str, args: &[&str]) -> Result<Value, Error> {
    table[name].call(&args.iter().map(|arg| Value::from(*arg)).collect::<Vec<Value>>())
}

/// Creates a directory `inside` with files, next to a secret.
fn scene(name: &str) -> PathBuf {
    let scene = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&scene);
    fs::create_dir_all(scene.join("inside/sub")).unwrap();
    fs::write(scene.join("secret.txt"), "secret").unwrap();
    fs::write(scene.join("inside/open.txt"), "open").unwrap();
    fs::write(scene.join("inside/sub/below.txt"), "below").unwrap();
    scene
}

#[test]
fn nothing_is_accessible_without_a_grant() {
    for table in [terraform(&Grants::new()), packer(&Grants::new())] {
        for (name, args, wanted) in [
            ("file", &["x"][..], "reading files"),
            ("fileexists", &["x"], "reading files"),
            ("fileset", &[".", "*"], "reading files"),
            ("filebase64", &["x"], "reading files"),
            ("filemd5", &["x"], "reading files"),
            ("abspath", &["x"], "reading files"),
            ("pathexpand", &["~/x"], "reading files"),
            ("timestamp", &[], "the clock"),
            ("plantimestamp", &[], "the clock"),
            ("legacy_isotime", &[], "the clock"),
            ("legacy_strftime", &["%Y"], "the clock"),
            ("uuid", &[], "random functions"),
            ("uuidv4", &[], "random functions"),
            ("bcrypt", &["x"], "random functions"),
            ("env", &["PATH"], "environment variables"),
            ("vault", &["a", "b"], "reading secrets"),
            ("consul_key", &["a"], "reading secrets"),
            ("aws_secretsmanager", &["a", "b"], "reading secrets"),
            ("aws_secretsmanager_raw", &["a"], "reading secrets"),
        ] {
            if table.contains_key(name) {
                let error = call(&table, name, args).expect_err(name);
                assert!(
                    error.message().contains("not granted") && error.message().contains(wanted),
                    "{name}: {error}"
                );
            }
        }
    }
}

#[test]
fn templates_need_a_renderer() {
    let table = terraform(&Grants::new());
    let error =
        table["templatestring"].call(&[Value::from("x"), Value::object::<&str, Value>([])]).unwrap_err();
    assert!(error.message().contains("rendering templates is not granted"), "{error}");
}

#[test]
fn paths_cannot_leave_the_directory() {
    let scene = scene("paths");
    let table = terraform(&Grants::new().with_directory(Directory::open(scene.join("inside")).unwrap()));
    assert_eq!(call(&table, "file", &["open.txt"]).unwrap(), Value::from("open"));
    assert_eq!(call(&table, "file", &["sub/../open.txt"]).unwrap(), Value::from("open"));
    let absolute = scene.join("inside/sub/below.txt");
    assert_eq!(call(&table, "file", &[absolute.to_str().unwrap()]).unwrap(), Value::from("below"));
    let secret = scene.join("secret.txt");
    for path in ["../secret.txt", "sub/../../secret.txt", secret.to_str().unwrap(), "/etc/passwd", ".."] {
        for name in ["file", "filebase64", "filesha256", "fileexists"] {
            let error = call(&table, name, &[path]).unwrap_err();
            assert!(error.message().contains("is outside of"), "{name} {path}: {error}");
        }
    }
    assert!(call(&table, "fileset", &["..", "*"]).is_err());
    assert!(call(&table, "fileset", &[".", "../*"]).is_err());
    assert!(call(&table, "fileset", &["/", "**"]).is_err());
}

#[test]
fn relative_paths_are_resolved_from_the_given_directory() {
    let scene = scene("start");
    let folder =
        Directory::open(scene.join("inside")).unwrap().starting_in(scene.join("inside/sub")).unwrap();
    let table = terraform(&Grants::new().with_directory(folder));
    assert_eq!(call(&table, "file", &["below.txt"]).unwrap(), Value::from("below"));
    assert_eq!(call(&table, "file", &["../open.txt"]).unwrap(), Value::from("open"));
    assert!(call(&table, "file", &["../../secret.txt"]).is_err());
    assert!(Directory::open(scene.join("inside")).unwrap().starting_in(scene.join("secret.txt")).is_err());
    // Setting the start of paths does not grant access to it.
    let folder = Directory::open(scene.join("inside")).unwrap().starting_in(&scene).unwrap();
    let table = terraform(&Grants::new().with_directory(folder));
    assert_eq!(call(&table, "file", &["inside/open.txt"]).unwrap(), Value::from("open"));
    assert!(call(&table, "file", &["open.txt"]).unwrap_err().message().contains("is outside of"));
    assert!(call(&table, "file", &["secret.txt"]).unwrap_err().message().contains("is outside of"));
}

#[test]
fn several_directories_can_be_granted() {
    let scene = scene("several");
    std::fs::create_dir_all(scene.join("other")).unwrap();
    std::fs::write(scene.join("other/file.txt"), "other").unwrap();
    let folder = Directory::open(scene.join("inside/sub")).unwrap().and(scene.join("other")).unwrap();
    let table = terraform(&Grants::new().with_directory(folder.starting_in(&scene).unwrap()));
    assert_eq!(call(&table, "file", &["inside/sub/below.txt"]).unwrap(), Value::from("below"));
    assert_eq!(call(&table, "file", &["other/file.txt"]).unwrap(), Value::from("other"));
    assert_eq!(call(&table, "fileset", &["other", "*"]).unwrap().as_slice().unwrap().len(), 1);
    for path in ["secret.txt", "inside/open.txt", "other/../secret.txt"] {
        let error = call(&table, "file", &[path]).unwrap_err();
        assert!(error.message().contains("is outside of the directories"), "{path}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn symbolic_links_cannot_leave_the_directory() {
    use std::os::unix::fs::symlink;

    let scene = scene("links");
    let inside = scene.join("inside");
    symlink("../secret.txt", inside.join("out.txt")).unwrap();
    symlink(scene.join("secret.txt"), inside.join("absolute.txt")).unwrap();
    symlink("..", inside.join("up")).unwrap();
    symlink("sub/below.txt", inside.join("in.txt")).unwrap();
    symlink(".", inside.join("loop")).unwrap();
    symlink("..", inside.join("sub/back")).unwrap();
    let table = terraform(&Grants::new().with_directory(Directory::open(&inside).unwrap()));
    assert_eq!(call(&table, "file", &["in.txt"]).unwrap(), Value::from("below"));
    for path in ["out.txt", "absolute.txt", "up/secret.txt", "loop/out.txt"] {
        assert!(call(&table, "file", &[path]).is_err(), "{path}");
        assert!(call(&table, "fileexists", &[path]).is_err(), "{path}");
    }
    let found = call(&table, "fileset", &[".", "**/*.txt"]).unwrap();
    let found: Vec<&str> = found.as_slice().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(found, ["in.txt", "open.txt", "sub/below.txt"]);
}

/// Terraform follows the cycle until the system refuses a path with more than 40 links.
#[cfg(unix)]
#[test]
fn fileset_follows_circular_links_once() {
    use std::os::unix::fs::symlink;

    let scene = scene("circles");
    let folder = scene.join("circles");
    for name in ["a", "b/deep", "shared"] {
        std::fs::create_dir_all(folder.join(name)).unwrap();
    }
    for name in ["a/f", "b/deep/g", "shared/h"] {
        std::fs::write(folder.join(name), "").unwrap();
    }
    let links = [("../b", "a/tob"), ("../../a", "b/deep/toa"), ("../shared", "a/s"), ("../shared", "b/s")];
    for (target, link) in links {
        symlink(target, folder.join(link)).unwrap();
    }
    let table = terraform(&Grants::new().with_directory(Directory::open(&folder).unwrap()));
    let found = |folder: &str| -> Vec<String> {
        let found = call(&table, "fileset", &[folder, "**"]).unwrap();
        found.as_slice().unwrap().iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let all = [
        "a/f",
        "a/s/h",
        "a/tob/deep/g",
        "a/tob/s/h",
        "b/deep/g",
        "b/deep/toa/f",
        "b/deep/toa/s/h",
        "b/s/h",
        "shared/h",
    ];
    assert_eq!(found("."), all);
    assert_eq!(found("a"), ["f", "s/h", "tob/deep/g", "tob/s/h"]);
    assert_eq!(found("a/tob/deep"), ["g", "toa/f", "toa/s/h", "toa/tob/s/h"]);
    // The number of ways through links between many directories is bounded.
    let many = scene.join("many");
    for at in 0..12 {
        std::fs::create_dir_all(many.join(at.to_string())).unwrap();
        for other in (0..12).filter(|other| *other != at) {
            symlink(format!("../{other}"), many.join(format!("{at}/to{other}"))).unwrap();
        }
    }
    let table = terraform(&Grants::new().with_directory(Directory::open(&many).unwrap()));
    let error = call(&table, "fileset", &[".", "**"]).unwrap_err();
    assert!(error.message().contains("searches more than 1000000 files"), "{error}");
}

#[test]
fn the_clock_can_be_stopped() {
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    let grants = Grants::new().with_clock_at(time);
    assert_eq!(call(&terraform(&grants), "timestamp", &[]).unwrap(), Value::from("2023-11-14T22:13:20Z"));
    assert_eq!(call(&terraform(&grants), "plantimestamp", &[]).unwrap(), Value::from("2023-11-14T22:13:20Z"));
    assert_eq!(
        call(&packer(&grants), "legacy_isotime", &["Jan 2, 2006"]).unwrap(),
        Value::from("Nov 14, 2023")
    );
    assert_eq!(call(&packer(&grants), "legacy_strftime", &["%d.%m.%y"]).unwrap(), Value::from("14.11.23"));
}

#[test]
fn secrets_come_from_the_caller() {
    let grants = Grants::new().with_secret("vault", |args| {
        let texts: Vec<&str> = args.iter().filter_map(Value::as_str).collect();
        Ok(texts.join(":"))
    });
    assert_eq!(call(&packer(&grants), "vault", &["path", "key"]).unwrap(), Value::from("path:key"));
}

/// Reading does not block if a pipe replaces the file at any moment.
#[cfg(unix)]
#[test]
fn a_pipe_that_replaces_a_file_is_not_read() {
    use std::sync::atomic::{AtomicBool, Ordering};

    let folder = scene("swapped");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name);
    fs::write(path("file"), "text").unwrap();
    assert!(std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
    fs::hard_link(path("file"), path("a")).unwrap();
    let functions = terraform(&Grants::new().with_directory(Directory::open(&folder).unwrap()));
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for source in ["pipe", "file"].iter().cycle() {
                fs::hard_link(path(source), path("next")).unwrap();
                fs::rename(path("next"), path("a")).unwrap();
                // If both names are the same file, `rename` does nothing.
                let _ = fs::remove_file(path("next"));
                if is_done.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        let (mut read, mut refused) = (0, 0);
        for _ in 0..2_000 {
            match call(&functions, "file", &["a"]) {
                Ok(text) => {
                    assert_eq!(text, Value::from("text"));
                    read += 1;
                }
                Err(_) => refused += 1,
            }
        }
        is_done.store(true, Ordering::Relaxed);
        assert_eq!(read + refused, 2_000);
    });
}

#[test]
fn a_file_is_not_read_beyond_the_limits_of_the_thread() {
    let scene = scene("room");
    fs::write(scene.join("inside/large.txt"), "x".repeat(2 << 20)).unwrap();
    let table = terraform(&Grants::new().with_directory(Directory::open(scene.join("inside")).unwrap()));
    for name in ["file", "filebase64", "filesha256"] {
        let limits = hclkit_limits::Limits::new().with_bytes(1 << 20);
        let error = limits.run(|| call(&table, name, &["large.txt"])).unwrap_err();
        let hclkit_value::ErrorKind::Limit(exceeded) = error.kind() else { panic!("{name}: {error}") };
        assert_eq!(exceeded.limit, hclkit_limits::Limit::Bytes, "{name}");
    }
    assert!(call(&table, "file", &["large.txt"]).is_ok());
}
