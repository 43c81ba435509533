//! Modules of registries and repositories: `--module-dir`, `[modules]` in `hcl.toml`, and `.terraform/modules`.

use std::fs;

use crate::check_modules::reported;
use crate::program::Folder;

const VPC: &str = "variable \"cidr\" {\n  type = string\n}\nmodule \"sub\" {\n  source = \"./modules/sub\"\n}\noutput \"id\" {\n  value = \"${var.cidr}-${module.sub.id}\"\n}\n";
const SUB: &str = "output \"id\" {\n  value = \"sub\"\n}\n";

fn project() -> Folder {
    Folder::with(&[
        (
            "main/main.tf",
            "module \"vpc\" {\n  source = \"acme/vpc/aws\"\n  cidr = \"10\"\n}\nmodule \"sub\" {\n  source = \"git::https://user:hunter2@example.com/vpc.git//modules/sub?ref=v1&sshkey=swordfish\"\n}\noutput \"ids\" {\n  value = [module.vpc.id, module.sub.id]\n}\n",
        ),
        ("vendor/vpc/main.tf", VPC),
        ("vendor/vpc/modules/sub/main.tf", SUB),
    ])
}

/// What an evaluation of the outputs writes, and the notes.
fn outputs(folder: &Folder, arguments: &[&str]) -> (String, String) {
    let output = folder.command(&["eval", "main", "output.*"]).args(arguments).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

const ALL: [&str; 4] =
    ["--module-dir", "acme/*/aws=vendor/*", "--module-dir", "git::https://*example.com/*.git=vendor/vpc"];

#[test]
fn sources_are_mapped_to_directories() {
    let folder = project();
    let (values, notes) = outputs(&folder, &[]);
    assert!(values.contains("unknown"), "{values}");
    assert_eq!(
        notes,
        "note: 2 modules are not available: acme/vpc/aws, git::https://example.com/vpc.git//modules/sub; use --module-dir SOURCE=DIR to read them\n"
    );
    // What is known does not depend on them.
    folder.write("main/known.tf", "locals {\n  known = 1\n}\n");
    folder.hcl(&["eval", "main", "local.known"]).success().stdout_eq("local.known = 1\n").stderr_eq("");
    let (values, notes) = outputs(&folder, &ALL);
    assert_eq!((values.as_str(), notes.as_str()), ("output.ids = [\"10-sub\", \"sub\"]\n", ""));
    let (_, notes) = outputs(&folder, &ALL[..2]);
    assert!(notes.starts_with("note: 1 module is not available: git::https://example.com"), "{notes}");
    let graph = folder.command(&["graph", "main"]).args(ALL).output().unwrap();
    assert!(
        graph.stderr.is_empty() && String::from_utf8_lossy(&graph.stdout).contains("module.vpc.module.sub")
    );
    let check = folder.command(&["check", "main"]).output().unwrap();
    assert!(String::from_utf8_lossy(&check.stderr).starts_with("note: 2 modules are not available"));
    let check = folder.command(&["check", "main"]).args(ALL).output().unwrap();
    assert!(check.stderr.is_empty() && check.status.success(), "{check:?}");
}

#[test]
fn a_check_knows_the_inputs_of_mapped_modules() {
    let folder = project();
    let main = folder.path("main/main.tf");
    let text = fs::read_to_string(&main).unwrap().replace("cidr = \"10\"", "size = 1");
    fs::write(&main, text).unwrap();
    assert_eq!(reported(&folder, &["main"]), "");
    assert_eq!(
        reported(&folder, &[&["main"], &ALL[..]].concat()),
        "main/main.tf:1: missing-input: The module `vpc` requires the input `cidr`, but it is not set.\nmain/main.tf:3: unsupported-input: The module has no variable named `size`.\n"
    );
}

#[test]
fn settings_map_sources_within_the_project() {
    let folder = project();
    let settings = folder.path("hcl.toml");
    fs::write(
        &settings,
        "[modules]\n\"acme/*/aws\" = \"vendor/*\"\n\"git::https://*example.com/*.git\" = \"vendor/vpc\"\n",
    )
    .unwrap();
    assert_eq!(outputs(&folder, &[]).0, "output.ids = [\"10-sub\", \"sub\"]\n");
    // An option comes before the settings.
    fs::create_dir(folder.path("empty")).unwrap();
    let (_, errors) = outputs(&folder, &["--module-dir", "acme/vpc/aws=empty"]);
    assert!(errors.contains("empty"), "{errors}");
    for directory in ["..", "/", "vendor/../../*"] {
        fs::write(&settings, format!("[modules]\n\"acme/*/aws\" = \"{directory}\"\n")).unwrap();
        let (_, errors) = outputs(&folder, &[]);
        assert!(errors.contains("it is outside of the directory of hcl.toml"), "{directory}: {errors}");
    }
    fs::write(&settings, "[modules]\n\"acme/*/aws\" = \"nope\"\n").unwrap();
    assert!(outputs(&folder, &[]).1.contains("[modules] in hcl.toml: acme/*/aws: nope: "));
}

#[test]
fn a_mapped_module_reads_only_what_was_granted() {
    let folder = project();
    let vpc = folder.path("vendor/vpc/main.tf");
    fs::write(folder.path("secret.tf"), "output \"id\" {\n  value = \"hunter2\"\n}\n").unwrap();
    fs::write(
        &vpc,
        "module \"out\" {\n  source = \"../../\"\n}\noutput \"id\" {\n  value = module.out.id\n}\n",
    )
    .unwrap();
    let output = folder.command(&["eval", "main"]).args(ALL).output().unwrap();
    let all = [output.stdout, output.stderr].concat();
    assert!(!String::from_utf8_lossy(&all).contains("hunter2"));
    let check = folder.command(&["check", "main"]).args(ALL).output().unwrap();
    assert!(!String::from_utf8_lossy(&check.stdout).contains("hunter2"), "{check:?}");
    for text in ["=vendor", "acme/vpc/aws=", "acme", "acme/vpc/aws=nope"] {
        let output = folder.command(&["eval", "main", "--module-dir", text]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
    }
}

#[test]
fn a_check_reads_downloaded_modules() {
    let folder = project();
    let list = "{\"Modules\": [{\"Key\": \"\", \"Source\": \"\", \"Dir\": \".\"}, {\"Key\": \"vpc\", \"Source\": \"registry.terraform.io/acme/vpc/aws\", \"Dir\": \".terraform/modules/vpc\"}]}";
    let modules = folder.path("main/.terraform/modules");
    fs::create_dir_all(modules.join("vpc/modules/sub")).unwrap();
    fs::write(modules.join("modules.json"), list).unwrap();
    fs::write(modules.join("vpc/main.tf"), format!("{VPC}variable \"more\" {{}}\n")).unwrap();
    fs::write(modules.join("vpc/modules/sub/main.tf"), SUB).unwrap();
    let missing =
        "main/main.tf:1: missing-input: The module `vpc` requires the input `more`, but it is not set.\n";
    assert_eq!(reported(&folder, &[]), missing);
    // Downloaded modules come first.
    assert_eq!(reported(&folder, &ALL), missing);
}
