//! What functions reach with grants, and that without them they reach nothing.

use std::fs;
use std::path::PathBuf;

use hclkit_functions::{Folder, Grants, Table, packer, terraform};
use hclkit_value::{Error, Value};

fn call(table: &Table, name: &str, args: &[&str]) -> Result<Value, Error> {
    table[name].call(&args.iter().map(|arg| Value::from(*arg)).collect::<Vec<Value>>())
}

/// A folder `inside` with files and links, beside a secret.
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
fn nothing_is_reached_without_a_grant() {
    for table in [terraform(&Grants::new()), packer(&Grants::new())] {
        for (name, args, wanted) in [
            ("file", &["x"][..], "a folder"),
            ("fileexists", &["x"], "a folder"),
            ("fileset", &[".", "*"], "a folder"),
            ("filebase64", &["x"], "a folder"),
            ("filemd5", &["x"], "a folder"),
            ("abspath", &["x"], "a folder"),
            ("pathexpand", &["~/x"], "a folder"),
            ("timestamp", &[], "a clock"),
            ("plantimestamp", &[], "a clock"),
            ("legacy_isotime", &[], "a clock"),
            ("legacy_strftime", &["%Y"], "a clock"),
            ("uuid", &[], "randomness"),
            ("uuidv4", &[], "randomness"),
            ("bcrypt", &["x"], "randomness"),
            ("env", &["PATH"], "grant it"),
            ("vault", &["a", "b"], "a store"),
            ("consul_key", &["a"], "a store"),
            ("aws_secretsmanager", &["a", "b"], "a store"),
            ("aws_secretsmanager_raw", &["a"], "a store"),
        ] {
            if table.contains_key(name) {
                let error = call(&table, name, args).expect_err(name);
                assert!(
                    error.message().contains("grant") && error.message().contains(wanted),
                    "{name}: {error}"
                );
            }
        }
    }
}

#[test]
fn templates_need_a_renderer() {
    let table = terraform(&Grants::new());
    let error = table["templatestring"].call(&[Value::from("x"), Value::object::<&str>([])]).unwrap_err();
    assert!(error.message().contains("renderer"), "{error}");
}

#[test]
fn paths_do_not_leave_the_folder() {
    let scene = scene("paths");
    let table = terraform(&Grants::new().folder(Folder::open(scene.join("inside")).unwrap()));
    assert_eq!(call(&table, "file", &["open.txt"]).unwrap(), Value::from("open"));
    assert_eq!(call(&table, "file", &["sub/../open.txt"]).unwrap(), Value::from("open"));
    let absolute = scene.join("inside/sub/below.txt");
    assert_eq!(call(&table, "file", &[absolute.to_str().unwrap()]).unwrap(), Value::from("below"));
    let secret = scene.join("secret.txt");
    for path in ["../secret.txt", "sub/../../secret.txt", secret.to_str().unwrap(), "/etc/passwd", ".."] {
        for name in ["file", "filebase64", "filesha256", "fileexists"] {
            let error = call(&table, name, &[path]).unwrap_err();
            assert!(error.message().contains("leads out"), "{name} {path}: {error}");
        }
    }
    assert!(call(&table, "fileset", &["..", "*"]).is_err());
    assert!(call(&table, "fileset", &[".", "../*"]).is_err());
    assert!(call(&table, "fileset", &["/", "**"]).is_err());
}

#[test]
fn relative_paths_start_where_the_caller_says() {
    let scene = scene("start");
    let folder = Folder::open(scene.join("inside")).unwrap().starting_in(scene.join("inside/sub")).unwrap();
    let table = terraform(&Grants::new().folder(folder));
    assert_eq!(call(&table, "file", &["below.txt"]).unwrap(), Value::from("below"));
    assert_eq!(call(&table, "file", &["../open.txt"]).unwrap(), Value::from("open"));
    assert!(call(&table, "file", &["../../secret.txt"]).is_err());
    assert!(Folder::open(scene.join("inside")).unwrap().starting_in(scene.join("secret.txt")).is_err());
    // Where paths start is not granted by that.
    let folder = Folder::open(scene.join("inside")).unwrap().starting_in(&scene).unwrap();
    let table = terraform(&Grants::new().folder(folder));
    assert_eq!(call(&table, "file", &["inside/open.txt"]).unwrap(), Value::from("open"));
    assert!(call(&table, "file", &["open.txt"]).unwrap_err().message().contains("leads out"));
    assert!(call(&table, "file", &["secret.txt"]).unwrap_err().message().contains("leads out"));
}

#[test]
fn several_folders_can_be_granted() {
    let scene = scene("several");
    std::fs::create_dir_all(scene.join("other")).unwrap();
    std::fs::write(scene.join("other/file.txt"), "other").unwrap();
    let folder = Folder::open(scene.join("inside/sub")).unwrap().and(scene.join("other")).unwrap();
    let table = terraform(&Grants::new().folder(folder.starting_in(&scene).unwrap()));
    assert_eq!(call(&table, "file", &["inside/sub/below.txt"]).unwrap(), Value::from("below"));
    assert_eq!(call(&table, "file", &["other/file.txt"]).unwrap(), Value::from("other"));
    assert_eq!(call(&table, "fileset", &["other", "*"]).unwrap().as_slice().unwrap().len(), 1);
    for path in ["secret.txt", "inside/open.txt", "other/../secret.txt"] {
        let error = call(&table, "file", &[path]).unwrap_err();
        assert!(error.message().contains("leads out of the folders"), "{path}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn links_do_not_leave_the_folder() {
    use std::os::unix::fs::symlink;

    let scene = scene("links");
    let inside = scene.join("inside");
    symlink("../secret.txt", inside.join("out.txt")).unwrap();
    symlink(scene.join("secret.txt"), inside.join("absolute.txt")).unwrap();
    symlink("..", inside.join("up")).unwrap();
    symlink("sub/below.txt", inside.join("in.txt")).unwrap();
    symlink(".", inside.join("loop")).unwrap();
    symlink("..", inside.join("sub/back")).unwrap();
    let table = terraform(&Grants::new().folder(Folder::open(&inside).unwrap()));
    assert_eq!(call(&table, "file", &["in.txt"]).unwrap(), Value::from("below"));
    for path in ["out.txt", "absolute.txt", "up/secret.txt", "loop/out.txt"] {
        assert!(call(&table, "file", &[path]).is_err(), "{path}");
        assert!(call(&table, "fileexists", &[path]).is_err(), "{path}");
    }
    let found = call(&table, "fileset", &[".", "**/*.txt"]).unwrap();
    let found: Vec<&str> = found.as_slice().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(found, ["in.txt", "open.txt", "sub/below.txt"]);
}

#[test]
fn the_clock_can_stand_still() {
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    let grants = Grants::new().clock_at(time);
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
    let grants = Grants::new().secret("vault", |args| {
        let texts: Vec<&str> = args.iter().filter_map(Value::as_str).collect();
        Ok(texts.join(":"))
    });
    assert_eq!(call(&packer(&grants), "vault", &["path", "key"]).unwrap(), Value::from("path:key"));
}
