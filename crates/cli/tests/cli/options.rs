//! Options that several commands share, and what the command line accepts.

use snapbox::str;

use crate::canaries::formats;
use crate::exit_codes::commands;
use crate::program::Folder;

const SPEC: &str = "variables {\n  server = { port = 80 }\n}\nattr {\n  name = \"size\"\n  type = any\n}\n";

#[test]
fn variables_are_the_same_options_everywhere() {
    let folder = Folder::with(&[
        ("s.hcldec", SPEC),
        ("c.hcl", "size = [a, b.c, d]\n"),
        ("a.tfvars", "a = 1\n"),
        ("d.json", "{\"d\": \"${x}\"}"),
    ]);
    let variables = ["--vars", "a.tfvars", "--var", "b.c=-a", "--var-file", "d.json", "--compact"];
    let native = "[1, -1, \"$${x}\"]\n";
    let json = "[1,-1,\"${x}\"]\n";
    for (command, input, output) in [
        (&["eval", "[a, b.c, d]"][..], "", native),
        (&["eval", "--output", "json", "[a, b.c, d]"], "", json),
        (&["console"], "[a, b.c, d]\n", native),
        (&["decode", "--spec", "s.hcldec", "c.hcl"], "", json),
        (&["decode", "--spec", "s.hcldec", "--output", "hcl", "c.hcl"], "", native),
        (&["check", "--spec", "s.hcldec", "c.hcl"], "", "Checked 1 file: no problems found\n"),
    ] {
        let run = folder.command(command).args(variables).stdin(input).assert();
        run.success().stdout_eq(output.to_owned());
    }
    // `--vars` also takes the text of a JSON object. With a name, it sets that variable to the object. The last value
    // wins.
    let variables = ["--vars", "x={\"a\": 1, \"b\": 1}", "--var", "x.b=2", "--vars", "{\"y\": \"z\"}"];
    folder
        .command(&["eval", "[x, y]"])
        .args(variables)
        .assert()
        .success()
        .stdout_eq("[{ a = 1, b = 2 }, \"z\"]\n".to_owned());
    // Options add attributes to the variables of the spec file.
    folder.write("c.hcl", "size = server\n");
    folder
        .hcl(&["decode", "--spec", "s.hcldec", "--compact", "--var", "server.next=server.port + 1", "c.hcl"])
        .success()
        .stdout_eq("{\"next\":81,\"port\":80}\n".to_owned());
}

#[test]
fn variables_that_are_not_set_can_be_unknown() {
    let folder = Folder::with(&[("s.hcldec", SPEC), ("c.hcl", "size = [a.b, a.c, d]\n")]);
    let unknown = ["--unknown-vars", "--var", "a.b=1"];
    for (command, input) in [(&["eval", "[a.b, a.c + 1, d]"][..], ""), (&["console"], "[a.b, a.c + 1, d]\n")]
    {
        let run = folder.command(command).args(unknown).stdin(input).assert();
        run.success().stdout_eq("[1, (unknown number, not null), (unknown)]\n".to_owned());
    }
    let check = ["check", "--spec", "s.hcldec", "c.hcl"];
    folder.command(&check).args(unknown).assert().success();
    folder.command(&check).args(&unknown[1..]).assert().code(1);
    folder.command(&["decode", "--spec", "s.hcldec", "c.hcl"]).args(unknown).assert().code(1).stderr_eq(
        str![[r#"
error: the value is not fully known: [1, (unknown), (unknown)]

"#]],
    );
}

#[test]
fn limits_hold_in_every_command() {
    let folder = Folder::with(&[("s.hcldec", SPEC), ("c.hcl", "size = [for x in range(1000) : x * x]\n")]);
    for command in ["decode", "check"] {
        let args = [command, "--spec", "s.hcldec", "--functions", "cty", "--max-steps", "10", "c.hcl"];
        let output = folder.command(&args).output().unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!((output.status.code(), text.contains("error[too-many-steps]")), (Some(2), true), "{text}");
    }
}

#[test]
fn evaluation_options_of_check_require_a_spec_file() {
    let folder = Folder::with(&[("c.hcl", "a = 1\n")]);
    for option in [
        &["--var", "a=1"][..],
        &["--vars", "{}"],
        &["--unknown-vars"],
        &["--functions", "none"],
        &["--allow-fs", "."],
        &["--allow-env"],
        &["--dynamic"],
        &["--merge"],
    ] {
        let output = folder.command(&["check"]).args(option).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), text.contains("--spec <FILE>")),
            (Some(2), true),
            "{option:?} {text}"
        );
    }
}

#[test]
fn options_without_effect_are_rejected() {
    let folder = Folder::with(&[
        ("module/main.tf", "locals {\n  a = 1\n}\n"),
        ("packer/a.pkr.hcl", "local \"a\" {\n  expression = 1\n}\n"),
        ("bake/docker-bake.hcl", "target \"default\" {}\n"),
        ("c.hcl", "a = 1\n"),
        ("schema.json", "{}"),
    ]);
    let (language, schema) = (["--language", "packer"], ["--provider-schema", "schema.json"]);
    let sources = ["--no-data-sources"];
    let (workspace, functions) = (["--workspace", "x"], ["--functions", "cty"]);
    let commands: [(&[&str], &[&[&str]]); 10] = [
        (&["eval", "1"], &[&language, &schema, &sources, &workspace]),
        (&["eval", "-f", "c.hcl"], &[&language, &schema, &workspace]),
        (&["eval", "module"], &[&functions, &["--partial", "--impure"]]),
        (&["eval", "packer"], &[&functions, &schema, &sources, &workspace]),
        (&["console", "packer"], &[&functions, &schema, &workspace]),
        (
            &["eval", "bake"],
            &[&schema, &sources, &workspace, &functions, &["--unknown-vars"], &["--show-sensitive"]],
        ),
        (&["console"], &[&language, &schema, &workspace]),
        (&["console", "module"], &[&functions]),
        (&["console", "bake"], &[&schema, &workspace, &functions]),
        (&["graph", "module"], &[&schema, &workspace]),
    ];
    for (command, options) in commands {
        folder.command(command).assert().success();
        for option in options {
            let output = folder.command(command).args(*option).output().unwrap();
            let text = String::from_utf8(output.stderr).unwrap();
            let names = option.iter().rev().find(|part| part.starts_with("--")).unwrap();
            assert_eq!(
                (output.status.code(), text.contains(names)),
                (Some(2), true),
                "{command:?} {option:?} {text}"
            );
        }
    }
}

#[test]
fn functions_of_modules_can_read_granted_directories() {
    let folder = Folder::with(&[
        ("module/main.tf", "locals {\n  text = file(\"../texts/a.txt\")\n}\n"),
        ("texts/a.txt", "a"),
    ]);
    folder.command(&["eval", "module"]).assert().code(1);
    folder
        .command(&["eval", "module", "--allow-fs", "texts"])
        .assert()
        .success()
        .stdout_eq("local.text = \"a\"\n");
    folder.command(&["eval", "module", "--allow-fs", "missing"]).assert().code(2);
}

#[test]
fn expressions_can_begin_with_a_dash() {
    let folder = Folder::with(&[]);
    for (args, value) in [
        (&["-7 % 3"][..], "-1\n"),
        (&["-7"], "-7\n"),
        (&["--", "-7"], "-7\n"),
        (&["-max(1, 2)", "--output", "json"], "-2\n"),
        (&["--output", "raw", "- 1"], "-1\n"),
        (&["-x", "--var", "x=-7"], "7\n"),
        (&["--var", "x=-7 % 3", "x"], "-1\n"),
    ] {
        folder.command(&["eval"]).args(args).assert().success().stdout_eq(value.to_owned());
    }
    // Unknown options are still errors.
    for (args, tip) in [
        (&["--atr", "x", "-7"][..], "tip: a similar argument exists: '--attr'"),
        (&["--yaml", "7"][..], "tip: use --output yaml"),
        (&["-7", "-8"], "error: unexpected argument '-8' found"),
    ] {
        let output = folder.command(&["eval"]).args(args).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), text.contains(tip)), (Some(2), true), "{args:?} {text}");
    }
}

#[test]
fn globs_are_relative_or_absolute() {
    let folder =
        Folder::with(&[("a.tf", "locals {}\n"), ("mods/b.tf", "b = \n"), ("#c/c.tf", "locals {}\n")]);
    let absolute = |glob: &str| folder.path(glob).display().to_string();
    let here = absolute("");
    for glob in
        ["mods", "mods/", "mods/**", "./mods", "./mods/", "./mods/**", "/mods", "**/b.tf", "./mods/*.tf"]
    {
        for root in [".", "./", &here] {
            folder.hcl(&["check", "--exclude", glob, root]).success();
            folder
                .hcl(&["check", "--exclude", &absolute(glob.trim_start_matches(['.', '/'])), root])
                .success();
        }
    }
    folder.hcl(&["check", "--exclude", "./b.tf"]).code(1);
    folder
        .hcl(&["check", "--exclude", "#c", "--exclude", "mods"])
        .success()
        .stdout_eq("Checked 1 file: no problems found\n");
    for (glob, why) in [
        ("[", "unclosed character class; missing ']'"),
        ("mods/{a", "unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)"),
        ("[b-a]", "invalid range; 'b' > 'a'"),
        ("", "it is empty"),
    ] {
        for option in ["--exclude", "--include"] {
            let error = format!("error: invalid glob '{glob}': {why}\n");
            folder.hcl(&["check", option, glob]).code(2).stderr_eq(error);
        }
    }
}

#[test]
fn variable_files_are_not_configurations() {
    let folder = Folder::with(&[
        ("spec/s.hcldec", SPEC),
        ("c.hcl", "size = 1\n"),
        ("prod.tfvars", "region = \"eu\"\n"),
        ("prod.auto.tfvars.json", "{}"),
        ("x.pkrvars.hcl", "y = 1\n"),
    ]);
    let check = ["check", "--spec", "spec/s.hcldec"];
    folder.hcl(&check).success().stdout_eq("Checked 1 file: no problems found\n");
    folder.hcl(&["check"]).success().stdout_eq("Checked 4 files: no problems found\n");
    // Files that are named explicitly are always included.
    folder.command(&check).arg("prod.tfvars").assert().code(1);
    folder.command(&check).args(["--include", "*.tfvars"]).assert().code(1);
}

#[test]
fn completions_know_the_codes() {
    let folder = Folder::with(&[]);
    let zsh = folder.hcl(&["completions", "zsh"]).success().get_output().stdout.clone();
    assert!(String::from_utf8(zsh).unwrap().contains("unclosed-block"));
    let bash = folder.hcl(&["completions", "bash"]).success().get_output().stdout.clone();
    assert!(String::from_utf8(bash).unwrap().contains("unclosed-block"));
    folder.hcl(&["explain", "unclosed-blok"]).code(2).stderr_eq(str![[r#"
error: unknown code `unclosed-blok`; did you mean `unclosed-block`?

"#]]);
    let hcldec =
        std::process::Command::new(env!("CARGO_BIN_EXE_hcldec")).args(["--completions", "bash"]).output();
    let script = String::from_utf8(hcldec.unwrap().stdout).unwrap();
    assert!(script.contains("--keep-nulls") && script.contains("complete -F _hcldec"), "{script}");
}

/// Each command that reports warnings, on input with one.
#[test]
fn a_quiet_run_has_no_warnings() {
    let deprecated = "variable \"a\" {\n  type = \"string\"\n}\noutput \"o\" {\n  value = 1\n}\n";
    let folder =
        crate::program::Folder::with(&[("m/main.tf", deprecated), ("m/terraform.tfvars", "zz = 1\n")]);
    let commands = [&["eval", "m"][..], &["eval", "m", "output.o"], &["check", "m"], &["graph", "m"]];
    for command in commands {
        let warns = |quiet: &[&str]| {
            let output = folder.command(&[command, quiet].concat()).output().unwrap();
            String::from_utf8_lossy(&output.stderr).contains("warning")
                || String::from_utf8_lossy(&output.stdout).contains("warning[")
        };
        assert!(warns(&[]), "{command:?} has no warning");
        assert!(!warns(&["--quiet"]), "{command:?}");
    }
}

/// Runs of each command with `--out`, on good input and on input with errors.
fn runs_with_out(command: &str) -> (Vec<&'static str>, Vec<&'static str>) {
    match command {
        "eval" => (
            vec![
                "good",
                "good local.b",
                "good local.b+1",
                "good --unknown",
                "good local.b --explain",
                "1+1",
                "-f good/main.tf --attr locals.a",
                "--template -f good/a.tftpl",
                "--partial a+1",
                "good/docker-bake.hcl t",
            ],
            vec![
                "bad",
                "bad local.b",
                "bad local.a+nope",
                "bad --unknown",
                "bad local.b --explain",
                "1+nope",
                "-f bad/main.tf --attr locals.b",
                "--template -f bad/a.tftpl",
                "--partial 1+",
                "bad/docker-bake.hcl t",
                "good no.match",
                "bad --partial",
            ],
        ),
        "docs" => (vec!["good", "good --layout document", "a.hcldec"], vec!["broken", "bad/a.hcl"]),
        "graph" => (vec!["good"], vec!["broken"]),
        "diff" => (vec!["good good", "good good --explain"], vec!["good broken", "bad good"]),
        "decode" => (
            vec!["-s a.hcldec good/a.hcl", "-s a.hcldec one", "-s a.hcldec good/a.hcl --var-refs"],
            vec!["-s a.hcldec bad/a.hcl", "-s bad/a.hcl good/a.hcl"],
        ),
        "convert" => (
            vec!["good/main.tf", "good/a.json", "one"],
            vec!["broken/main.tf", "good/main.tf broken/main.tf"],
        ),
        "schema" => (vec!["a.hcldec", "good"], vec!["bad/a.hcl", "broken"]),
        // It writes directories, which `tables.rs` tests.
        "tables" => (Vec::new(), Vec::new()),
        other => panic!("list runs of `hcl {other} --out`"),
    }
}

/// A directory for these runs.
fn folder_for_out() -> Folder {
    let target = "target \"t\" {\n  tags = [\"a\"]\n}\n";
    Folder::with(&[
        ("good/main.tf", "locals {\n  a = 1\n  b = local.a + 1\n}\n"),
        ("good/a.tftpl", "%{ if true }yes%{ endif }\n"),
        ("good/a.hcl", "a = 1\n"),
        ("good/a.json", "{ \"a\": 1 }\n"),
        ("one/a.hcl", "a = 1\n"),
        ("good/docker-bake.hcl", target),
        ("bad/main.tf", "locals {\n  a = 1\n  b = local.a + nope\n}\n"),
        ("bad/a.tftpl", "%{ if nope }yes%{ endif }\n"),
        ("bad/a.hcl", "b = nope\n"),
        ("broken/main.tf", "locals {\n"),
        ("bad/docker-bake.hcl", "target \"t\" {\n  tags = [nope]\n}\n"),
        ("a.hcldec", "attr {\n  name = \"a\"\n  type = any\n}\n"),
    ])
}

/// The commands with `--out`.
fn commands_with_out(folder: &Folder) -> Vec<String> {
    let has_out = |command: &String| {
        let help = folder.command(&[command, "--help"]).output().unwrap();
        String::from_utf8_lossy(&help.stdout).contains("--out <PATH>")
    };
    commands(folder).into_iter().filter(has_out).collect()
}

#[test]
fn out_writes_what_standard_output_gets_and_nothing_after_errors() {
    let folder = folder_for_out();
    let mut count = 0;
    for command in commands_with_out(&folder) {
        let mut formats = formats(&folder, &command);
        formats.retain(|[option, _]| option == "--output");
        let (good, bad) = runs_with_out(&command);
        for (run, is_good) in good.iter().map(|run| (run, true)).chain(bad.iter().map(|run| (run, false))) {
            for format in formats.iter().map(Some).chain([None]) {
                let words = [&command[..]].into_iter().chain(run.split(' '));
                let words: Vec<&str> =
                    words.chain(format.into_iter().flatten().map(String::as_str)).collect();
                folder.write("out.any", "kept");
                let usual = folder.command(&words).output().unwrap();
                let written = folder.command(&[&words[..], &["--out", "out.any"]].concat()).output().unwrap();
                let content = folder.read("out.any");
                if format.is_none() {
                    assert_eq!(usual.status.success(), is_good, "{words:?}: {usual:?}");
                }
                let code = |output: &std::process::Output| output.status.code();
                assert_eq!(code(&usual), code(&written), "{words:?}: {written:?}");
                if usual.status.success() {
                    assert_eq!(content, String::from_utf8_lossy(&usual.stdout), "{words:?}");
                    let said = String::from_utf8_lossy(&written.stdout);
                    assert!(said.is_empty() || said.starts_with("out.any: "), "{words:?}: {said}");
                    count += 1;
                } else {
                    assert_eq!(content, "kept", "{words:?}: {written:?}");
                }
            }
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn out_overwrites_no_input() {
    let folder = folder_for_out();
    let mut count = 0;
    for command in commands_with_out(&folder) {
        let runs = runs_with_out(&command).0;
        // The ending of an input can name a format that the run does not have.
        let json = formats(&folder, &command).into_iter().find(|[_, format]| format == "json");
        for run in runs {
            let words: Vec<&str> = [&command[..]].into_iter().chain(run.split(' ')).collect();
            let format =
                json.iter().flatten().filter(|_| !run.contains("--output") && !run.contains("--var-refs"));
            let words: Vec<&str> = words.into_iter().chain(format.map(String::as_str)).collect();
            let files = words.iter().map(|word| match folder.path(word) {
                path if path.join("main.tf").is_file() => format!("{word}/main.tf"),
                path if path.is_dir() => format!("{word}/a.hcl"),
                _ => (*word).to_owned(),
            });
            for file in files.filter(|file| folder.path(file).is_file()) {
                let before = folder.read(&file);
                let [same, link] = [format!("./{file}"), "link".to_owned()];
                let _ = std::fs::remove_file(folder.path(&link));
                #[cfg(unix)]
                std::os::unix::fs::symlink(folder.path(&file), folder.path(&link)).unwrap();
                for out in [&file, &same, &link].into_iter().filter(|out| folder.path(out).exists()) {
                    let ended = folder.command(&words).args(["--out", out]).output().unwrap();
                    let errors = String::from_utf8_lossy(&ended.stderr);
                    assert_eq!(ended.status.code(), Some(2), "{words:?} --out {out}: {errors}");
                    assert!(errors.contains("would overwrite the input file"), "{words:?}: {errors}");
                    assert_eq!(folder.read(&file), before, "{words:?} --out {out}");
                    count += 1;
                }
            }
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn out_overwrites_no_called_module_and_no_bake_file() {
    let call = "module \"n\" {\n  source = \"../n\"\n}\n";
    let folder = Folder::with(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("m/main.tf", call),
        ("m/other.tfvars", "kept"),
        ("n/main.tf", "output \"o\" {\n  value = 1\n}\n"),
        ("bake/docker-bake.hcl", "target \"default\" {\n}\n"),
    ]);
    for words in [
        &["eval", "m", "--out", "n/main.tf"][..],
        &["graph", "m", "--out", "n/main.tf"],
        &["diff", "n", "m", "--out", "n/main.tf"],
        &["eval", "n", "--partial", "--out", "n"],
        &["eval", "bake", "--output", "json", "--out", "bake/docker-bake.hcl"],
        &["graph", "bake", "--out", "bake/docker-bake.hcl"],
    ] {
        let ended = folder.hcl(words).code(2);
        let errors = String::from_utf8_lossy(&ended.get_output().stderr).into_owned();
        assert!(errors.contains("would overwrite the input file"), "{words:?}: {errors}");
    }
    assert_eq!(folder.read("m/main.tf"), call);
    assert!(folder.read("bake/docker-bake.hcl").contains("target"));
    // These are no inputs.
    folder.hcl(&["eval", "m", "--output", "hcl", "--out", "m/other.tfvars"]).success();
    folder
        .hcl_reading(&["convert", "--stdin-name", "m/main.tf.json", "-", "--out", "m/main.tf"], "{}")
        .success();
}

#[test]
#[cfg(unix)]
fn out_follows_links_to_files_that_do_not_exist() {
    let folder = Folder::with(&[]);
    std::os::unix::fs::symlink("new.json", folder.path("link")).unwrap();
    folder.hcl(&["eval", "1", "--output", "json", "--out", "link"]).success();
    assert_eq!((folder.read("new.json"), folder.path("link").is_symlink()), ("1\n".to_owned(), true));
    std::os::unix::fs::symlink("circle", folder.path("circle")).unwrap();
    folder.hcl(&["eval", "1", "--out", "circle"]).code(2).stdout_eq("");
}

#[test]
fn a_name_for_standard_input_that_is_not_read_is_warned_of() {
    let folder = Folder::with(&[("main.tf", "locals {\n  a = 1\n}\noutput \"o\" {\n  value = local.a\n}\n")]);
    let check = |words: &[&str]| folder.hcl_reading(words, "a = 1\n").success();
    check(&["check", "--stdin-name", "s.tfvars"]).stderr_eq(
        "warning: --stdin-name has no effect, because standard input was not read; to read it, specify -\n",
    );
    check(&["check", "--stdin-name", "s.tfvars", "-"]).stderr_eq("");
    check(&["convert", "--stdin-name", "s.tfvars"]).stderr_eq("");
}
