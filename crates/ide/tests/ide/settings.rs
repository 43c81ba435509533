//! Settings of a project: what they may name.

use hclkit_ide::Settings;

/// A text with a path for each setting that names files or directories. `None` if the setting names none.
fn with_path(setting: &str, path: &str) -> Option<String> {
    match setting {
        "fmt" | "versions" => None,
        "modules" => Some(format!("[modules]\n\"a/b/c\" = {path:?}\n")),
        "specs" => Some(format!("[specs]\n\"*.x\" = {path:?}\n")),
        "languages" | "schemas" => Some(format!("{setting} = [\"here\", {path:?}]\n")),
        "schema-cache" => Some(format!("{setting} = {path:?}\n")),
        "test" => Some(format!("[test]\nrules = [\"builtin:aws\", {path:?}]\n")),
        // A new setting must be added here.
        _ => panic!("does {setting} name files?"),
    }
}

/// All settings, which the message about an unknown one lists.
fn all() -> Vec<String> {
    let why = Settings::parse("unknown = 1\n").unwrap_err();
    let (_, expected) = why.split_once("expected one of ").unwrap();
    expected.split(", ").map(|name| name.trim_matches(['`', '\n']).to_owned()).collect()
}

#[test]
fn no_setting_names_a_path_on_another_machine() {
    let network = [
        "//host/share/x",
        r"\\host\share\x",
        r"/\host\share\x",
        r"\/host/share/x",
        r"\\?\UNC\host\x",
        "//./pipe/x",
    ];
    let mut found = 0;
    for setting in all() {
        let Some(fine) = with_path(&setting, "a/x") else { continue };
        Settings::parse(&fine).unwrap_or_else(|why| panic!("{setting}: {why}"));
        for path in network {
            let why = Settings::parse(&with_path(&setting, path).unwrap()).unwrap_err();
            assert_eq!(why, format!("{path} is a network path, and is not read"), "{setting}");
        }
        found += 1;
    }
    assert_eq!(found, 6);
}
