//! Whatever a repository contains, no command reads or writes anything outside of it, or of the directory to write to.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use snapbox::str;

use crate::exit_codes::commands;
use crate::program::{Folder, assert_usage};

/// Text that is only in files around the repository.
const CANARY: &str = "canary-c4f1";

/// The module of a victim, which is outside of the repository. Its name differs from the canary, which is its content.
const VICTIM: &str = "variable \"x\" {\n  default = \"canary-c4f1\"\n}\nlocals {\n  y = \"${var.x}!\"\n}\noutput \"o\" {\n  value = local.y\n}\n";

/// A unit that reads outside of the repository in each way.
const UNIT: &str = r#"include "root" {
  path = "../../../victim/main.tf"
}
include "found" {
  path = find_in_parent_folders("victim/main.tf", "../a/linked.tf")
}
dependency "v" {
  config_path = "../../../victim"
}
locals {
  read   = try(read_terragrunt_config("../../../victim/main.tf"), read_terragrunt_config("../a/linked.tf"), "none")
  vars   = try(read_tfvars_file("../../../victim/bake.hcl"), read_tfvars_file("../a/x.auto.tfvars"), "none")
  text   = try(file("../../../victim/text.txt"), file("../a/outside/text.txt"), "none")
  folder = find_in_parent_folders("victim", "none")
}
terraform {
  source = "../../../victim"
}
inputs = {
  all = [local.read, local.vars, local.text, local.folder]
}
"#;

/// A repository in `tree/repository`, beside files that it must not reach.
pub(crate) fn hostile() -> Folder {
    let folder = Folder::with(&[
        ("tree/victim/main.tf", VICTIM),
        ("tree/victim/text.txt", CANARY),
        ("tree/victim/bake.hcl", "variable \"X\" {\n  default = \"canary-c4f1\"\n}\n"),
        ("tree/repository/.git/HEAD", ""),
        ("tree/repository/inside.txt", "inside"),
        ("tree/repository/live/a/plain.txt", "plain"),
        ("tree/repository/live/a/docker-bake.hcl", "target \"a\" {\n  args = { a = \"1\" }\n}\n"),
        ("tree/repository/live/u/terragrunt.hcl", UNIT),
        ("tree/repository/live/a/schemas.json", &schemas("outside/hashicorp/a")),
        ("tree/repository/live/a/outside.json", &schemas("../../victim")),
        ("tree/repository/live/a/spec.hcldec", "object {\n  attr \"a\" {\n    type = string\n  }\n}\n"),
    ]);
    let calls: Vec<String> = sources(&folder)
        .iter()
        .enumerate()
        .map(|(at, source)| {
            format!(
                "module \"m{at}\" {{\n  source = \"{source}\"\n}}\noutput \"m{at}\" {{\n  value = module.m{at}\n}}\n"
            )
        })
        .collect();
    let victim = folder.path("tree/victim");
    let victim = victim.to_str().unwrap();
    let reads: Vec<String> = ["../../../victim", victim, "outside", "../../outside"]
        .iter()
        .enumerate()
        .map(|(at, directory)| {
            format!(
                "output \"f{at}\" {{\n  value = [\n    try(file(\"{directory}/text.txt\"), \"none\"),\n    \
                 try(templatefile(\"{directory}/text.txt\", {{}}), \"none\"),\n    \
                 try(fileset(\"{directory}\", \"**\"), []),\n    try(filebase64(\"{directory}/text.txt\"), \"none\"),\n    \
                 try(fileexists(\"{directory}/text.txt\"), \"none\"),\n  ]\n}}\n"
            )
        })
        .collect();
    folder.write("tree/repository/live/a/main.tf", calls.concat() + &reads.concat());
    for link in ["tree/repository/live/a/outside", "tree/repository/outside"] {
        symlink(victim, folder.path(link)).unwrap();
    }
    for name in ["linked.tf", "docker-bake.override.hcl", "x.auto.tfvars"] {
        symlink(Path::new(victim).join("main.tf"), folder.path("tree/repository/live/a").join(name)).unwrap();
    }
    folder
}

/// The schemas of a provider with this address.
fn schemas(address: &str) -> String {
    format!(
        "{{\"provider_schemas\":{{\"{address}\":{{\"resource_schemas\":{{\"a_b\":{{\"block\":{{}}}}}}}}}}}}"
    )
}

/// Sources of modules that lead outside, some of them above the root of the file system.
fn sources(folder: &Folder) -> Vec<String> {
    let repository = folder.path("tree/repository/live/a").canonicalize().unwrap();
    let depth = repository.components().count();
    let victim = folder.path("tree/victim").canonicalize().unwrap();
    let victim = victim.to_str().unwrap();
    let mut all: Vec<String> = (2..depth + 3).map(|ups| format!("{}{victim}", "../".repeat(ups))).collect();
    all.extend((2..depth + 2).map(|ups| "../".repeat(ups)));
    all.extend(
        ["./outside", "../../outside", "../../../victim", "./../a/outside/../../victim"].map(str::to_owned),
    );
    all
}

/// Runs of each command on the directory, or on its files. They may fail.
pub(crate) fn runs(command: &str) -> &'static [&'static [&'static str]] {
    match command {
        "eval" => &[
            &["."],
            &["main.tf"],
            &["--output", "json", "."],
            &[".", "--explain"],
            &[".", "--unknown"],
            &[".", "--partial"],
            &[".", "--partial", "--out", "../../out"],
            &["--allow-fs", ".", "-f", "main.tf"],
            &["--allow-fs", ".", "[fileset(\".\", \"**\"), fileset(\"..\", \"**\")]"],
            &["docker-bake.hcl"],
            &["../u"],
            &["../u", "--unknown"],
            &["../u", "inputs.all", "--explain"],
        ],
        "check" => &[
            &["."],
            &["../u"],
            &["../.."],
            &["--fix", "--write", "../.."],
            &["--follow", "."],
            &["main.tf"],
            &["--changed-since", "main", "../.."],
            &["--changed-since", "HEAD", "."],
        ],
        "fmt" => &[&["."], &["../.."], &["--check", "../.."]],
        "tables" => &[
            &["--table", "files", "."],
            &["--table", "attributes", "../.."],
            &["--table", "values", "."],
            &["--evaluate", "--out", "../../out", "../.."],
            &["--evaluate", "--partition", "--out", "../../out", "--repo-from", "*", "../.."],
            &["--table", "files", "--repo-from", "git", "."],
            &["--table", "files", "../../../mirrors"],
            &["--table", "files", "../../bare.git"],
            &["--evaluate", "--partition", "--incremental", "--out", "../../out", "../../bare.git"],
        ],
        "diff" => {
            &[&[".", "."], &["../..", "."], &["../../../victim", "."], &["main", "."], &["HEAD", ":worktree"]]
        }
        "docs" => &[
            &["."],
            &["--inject", "README.md", "."],
            &["--check", "--recursive", "../.."],
            &["--header-from", "linked.tf", "."],
        ],
        "graph" => &[&["."], &["--output", "json", "."], &["../u"], &["../u", "--output", "json"]],
        "refs" => &[&["local.y", "."], &["local.y"], &["--recursive", "local.y", "../.."]],
        "rename" => &[
            &["local.y", "local.z", "."],
            &["-w", "local.y", "local.z", "."],
            &["-w", "var.x", "var.z", "."],
            &["--recursive", "local.y", "local.z", "../.."],
        ],
        "query" => &[&["..*", "main.tf"], &["--merge", "output", "."], &["..*", "../.."]],
        "split" => &[&["."], &["-w", "."]],
        "test" => &[
            &["--rules", "builtin:all", "."],
            &["--rules", "builtin:all", "--fix", "--write", "../.."],
            &["--rules", "../..", "."],
            &["../../../victim"],
        ],
        "merge" => &[&["main.tf", "main.tf", "docker-bake.hcl", "--result", "-"]],
        "edit" => &[&["-w", "output.*.value=1", "main.tf"]],
        "convert" => &[&["main.tf"]],
        "dump" => &[&["tree", "main.tf"]],
        "decode" => &[&["-s", "spec.hcldec", "main.tf"]],
        "schema" => &[
            &["-s", "spec.hcldec"],
            &["."],
            &["pack", "--cache", "../../out", "schemas.json"],
            &["pack", "--cache", "../../out", "outside.json"],
            &["pack", "--cache", ".", "schemas.json"],
            &["pack", "--cache", "../../out", "--lock", "linked.tf", "schemas.json"],
        ],
        "console" => &[&["--no-history", "."]],
        "man" => &[&["../../out"]],
        // What the server reads is tested in `tests/lsp`.
        "explain" | "completions" | "help" | "lsp" | "mcp" => &[],
        other => panic!("list runs of `hcl {other}` on a hostile repository"),
    }
}

/// All files below a directory, with their texts; of links, the targets.
fn contents(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut open, mut all) = (vec![directory.to_owned()], BTreeMap::new());
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let kind = path.symlink_metadata().unwrap().file_type();
            if kind.is_dir() {
                open.push(path);
                continue;
            }
            let text = if kind.is_symlink() {
                fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
            } else {
                fs::read(&path).unwrap()
            };
            all.insert(path.to_string_lossy().into_owned(), text);
        }
    }
    all
}

#[test]
fn no_command_reads_or_writes_outside_of_the_repository() {
    for command in commands(&Folder::with(&[])) {
        for run in runs(&command) {
            let folder = hostile();
            // Links of files are only followed within the repository, except that `--follow` asks for more.
            let asks_for_more = run.contains(&"--follow");
            let outside = || {
                let mut all = contents(&folder.path("tree"));
                let own = folder.path("tree/repository").to_string_lossy().into_owned();
                all.retain(|path, _| !path.starts_with(&own));
                all
            };
            let before = outside();
            let input = "m0\nmodule.m0\nfile(\"../../../victim/text.txt\")\n:vars\n";
            let args = [&[command.as_str()], *run].concat();
            let found = folder
                .command(&args)
                .current_dir(folder.path("tree/repository/live/a"))
                .stdin(input)
                .assert();
            let output = found.get_output();
            let text = [&output.stdout[..], &output.stderr[..]].concat();
            let text = String::from_utf8_lossy(&text).into_owned();
            assert_usage(&args, &output.stderr);
            assert!(!text.contains("panicked"), "{args:?}: {text}");
            assert!(output.status.code().is_some_and(|code| code < 3), "{args:?}: {text}");
            assert!(asks_for_more || !text.contains(CANARY), "{args:?} reads outside: {text}");
            assert_eq!(outside(), before, "{args:?} writes outside");
            if let Ok(true) = fs::exists(folder.path("tree/repository/out")) {
                let written = contents(&folder.path("tree/repository/out"));
                assert!(!written.values().any(|it| String::from_utf8_lossy(it).contains(CANARY)), "{args:?}");
            }
        }
    }
}

#[test]
fn output_directories_do_not_lead_outside() {
    let folder = Folder::with(&[
        (".git/HEAD", ""),
        ("live/main.tf", "module \"m\" {\n  source = \"../net\"\n}\n"),
        ("net/main.tf", "output \"o\" {\n  value = 1 + 1\n}\n"),
        ("victim/main.tf", "# as it was\n"),
        ("out/keep", ""),
    ]);
    symlink(folder.path("victim"), folder.path("out/net")).unwrap();
    let found = folder.hcl(&["eval", "live", "--partial", "--out", "out"]).code(2);
    found.stderr_eq(str![[r#"
error: cannot write out/net/main.tf: a path led outside of the filesystem

"#]]);
    assert_eq!(folder.read("victim/main.tf"), "# as it was\n");
}

#[test]
fn modules_outside_are_unknown_unless_they_are_allowed() {
    let folder = Folder::with(&[
        (
            "live/main.tf",
            "module \"m\" {\n  source = \"../net\"\n}\noutput \"o\" {\n  value = module.m.o\n}\n",
        ),
        ("net/main.tf", "output \"o\" {\n  value = file(\"${path.module}/a.txt\")\n}\n"),
        ("net/a.txt", "text"),
        ("empty/main.tf", "module \"m\" {\n  source = \"./docs\"\n}\n"),
        ("empty/docs/README.md", "text"),
    ]);
    folder
        .hcl(&["eval", "live", "output.o"])
        .success()
        .stdout_eq(str![[r#"
output.o = (unknown)

"#]])
        .stderr_eq(str![[r#"
warning[invalid-module-source]: Invalid module source
 --> live/main.tf:2:12
  |
2 |   source = "../net"
  |            ^^^^^^^^
  |
  = note: net is outside of the root module's repository, or of its directory if that is in none. It was not read, and its results are unknown. Allow another directory with `--allow-fs DIR` (program) or `Disk::with_readable` (library).

"#]]);
    folder.hcl(&["eval", "--allow-fs", "net", "live", "output.o"]).success().stdout_eq(str![[r#"
output.o = "text"

"#]]);
    // In a repository, modules can use each other, and files beside them.
    folder.write(".git/HEAD", "");
    folder.hcl(&["eval", "live", "output.o"]).success().stdout_eq(str![[r#"
output.o = "text"

"#]]);
    folder.hcl(&["eval", "empty"]).failure().stderr_eq(str![[r#"
error[invalid-module-source]: Invalid module source
 --> empty/main.tf:2:12
  |
2 |   source = "./docs"
  |            ^^^^^^^^
  |
  = note: The directory empty/docs has no files of the language terraform.

"#]]);
}
