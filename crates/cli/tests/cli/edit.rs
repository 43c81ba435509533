//! `hcl edit` and `hcl query`: their output, the files that they write, and their exit codes.

use snapbox::str;

use crate::program::Folder;

const WEB: &str =
    "# The web service.\nservice \"web\" {\n  port = 80 # public\n  tags = { Env = \"prod\" }\n}\n";

#[test]
fn a_change_is_shown_as_a_diff_and_written_on_request() {
    let folder = Folder::with(&[("a.hcl", WEB)]);
    folder.hcl(&["edit", "service.web.port=8080", "a.hcl"]).success().stderr_eq("").stdout_eq(str![[r#"
--- a/a.hcl
+++ b/a.hcl
@@ -1,5 +1,5 @@
 # The web service.
 service "web" {
-  port = 80 # public
+  port = 8080 # public
   tags = { Env = "prod" }
 }

"#]]);
    assert_eq!(folder.read("a.hcl"), WEB);
    folder
        .hcl(&["edit", "-w", "service.web.port=8080", "service.web.tags.Team=\"a\"", "a.hcl"])
        .success()
        .stdout_eq("a.hcl: 2 changes\n");
    let expected = WEB.replace("80", "8080").replace("\"prod\" }", "\"prod\", Team = \"a\" }");
    assert_eq!(folder.read("a.hcl"), expected);
}

#[test]
fn standard_input_is_written_to_standard_output() {
    let folder = Folder::with(&[]);
    let edit = |args: &[&str], text: &str| {
        let args: Vec<&str> = ["edit"].iter().chain(args).chain(&["-"]).copied().collect();
        folder.hcl_reading(&args, text).success()
    };
    edit(&["a=2"], "a = 1\r\n").stdout_eq("a = 2\r\n".to_owned());
    edit(&["b=2"], "a = 1\n").stdout_eq("a = 1\nb = 2\n".to_owned());
    edit(&["--delete", "a[0]"], "a = [1, 2]\n").stdout_eq("a = [2]\n".to_owned());
    edit(&["--append", "a=3"], "a = [1, 2]\n").stdout_eq("a = [1, 2, 3]\n".to_owned());
    edit(&["--prepend", "a=3"], "a = [1, 2]\n").stdout_eq("a = [3, 1, 2]\n".to_owned());
    edit(&["--before", "b.x=c {}"], "b \"x\" {}\n").stdout_eq("c {}\n\nb \"x\" {}\n".to_owned());
    edit(&["--after", "a=c = 1"], "a = 1\n").stdout_eq("a = 1\nc = 1\n".to_owned());
    edit(&["--rename", "b.x=y"], "b \"x\" {}\n").stdout_eq("b \"y\" {}\n".to_owned());
    edit(&["--move", "b=c"], "# about b\nb {}\nc {}\n").stdout_eq("c {\n  # about b\n  b {}\n}\n".to_owned());
    edit(&["b[port == 1].port=2"], "b {\n  port = 1\n}\n").stdout_eq("b {\n  port = 2\n}\n".to_owned());
    edit(&["b.*.on=true"], "b \"x\" {\n  on = false\n}\nb \"y\" {\n}\n")
        .stdout_eq("b \"x\" {\n  on = true\n}\nb \"y\" {\n  on = true\n}\n".to_owned());
}

#[test]
fn many_files_are_reported_in_the_order_of_the_arguments() {
    let names: Vec<String> = (0..400).rev().map(|number| format!("{number}.hcl")).collect();
    let texts: Vec<String> = (0..400).map(|number| format!("a = 1\n{}", "\n".repeat(number % 90))).collect();
    let mut files: Vec<(&str, &str)> =
        names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = Folder::with(&files);
    let edit = |options: &[&str]| {
        let names = names.iter().map(String::as_str);
        let args: Vec<&str> = ["edit"].into_iter().chain(options.iter().copied()).chain(names).collect();
        folder.hcl(&args)
    };
    let output = edit(&["a=2"]).success();
    let output = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let listed: Vec<&str> = output.lines().filter_map(|line| line.strip_prefix("+++ b/")).collect();
    assert_eq!(listed, names);
    let written = names.iter().map(|name| format!("{name}: 1 change\n")).collect::<Vec<_>>().concat();
    edit(&["-w", "a=2"]).success().stdout_eq(written);
    assert!(names.iter().zip(&texts).all(|(name, text)| folder.read(name) == text.replace('1', "2")));
    // If one file is broken, no file is written.
    files[7].1 = "a = ";
    folder.write(files[7].0, files[7].1);
    let errors = edit(&["-w", "a=3"]).code(1);
    assert!(String::from_utf8_lossy(&errors.get_output().stderr).contains("392.hcl"));
    assert!(folder.read("0.hcl").starts_with("a = 2\n"));
}

#[test]
fn an_edit_that_matches_nothing_changes_no_file() {
    let folder = Folder::with(&[("a.hcl", WEB), ("b.hcl", "port = 1\n")]);
    folder
        .hcl(&["edit", "-w", "service.web.port=1", "--delete", "nothing", "a.hcl", "b.hcl"])
        .code(1)
        .stdout_eq("")
        .stderr_eq("error: --delete nothing matches nothing\n");
    assert_eq!(folder.read("a.hcl"), WEB);
    // An edit must match in at least one of the files.
    folder.hcl(&["edit", "-w", "--delete", "service.*.tags", "a.hcl", "b.hcl"]).success();
    assert_eq!(folder.read("b.hcl"), "port = 1\n");
}

#[test]
fn errors_leave_files_as_they_are() {
    let folder = Folder::with(&[("a.hcl", WEB), ("broken.hcl", "a = ]\n"), ("a.json", "{")]);
    for args in [
        &["-w", "service.web.port=1 +", "a.hcl"][..],
        &["-w", "service.web.port=1\nport = 2", "a.hcl"],
        &["-w", "--rename", "service.web.port=a b", "a.hcl"],
        &["-w", "--append", "service.web=port = 2", "a.hcl"],
        &["-w", "service..=1", "a.hcl"],
        &["-w", "--delete", "service", "--delete", "service.web.port", "a.hcl"],
        &["-w", "service.web.port=1", "a.hcl", "missing.hcl"],
        &["-w", "a=1"],
        &["-w", "a.hcl"],
        &["--rename", "a", "a.hcl"],
    ] {
        let args: Vec<&str> = ["edit"].iter().chain(args).copied().collect();
        folder.hcl(&args).code(2).stdout_eq("");
        assert_eq!(folder.read("a.hcl"), WEB, "{args:?}");
    }
    for args in
        [&["service.web.port=1", "a.hcl", "broken.hcl"][..], &["a=1", "a.json"], &["service.web.port=1", "."]]
    {
        folder.command(&["edit", "-w"]).args(args).assert().code(1).stdout_eq("");
        assert_eq!((folder.read("a.hcl"), folder.read("broken.hcl")), (WEB.to_owned(), "a = ]\n".to_owned()));
    }
}

#[test]
fn invalid_edits_are_explained() {
    let folder = Folder::with(&[("a.hcl", WEB)]);
    for (edit, why) in [
        ("service[web=1", "invalid path `service[web`: missing `]` at character 8"),
        ("service.web.port=", "a.hcl: service.web.port=: expected an expression, found nothing"),
    ] {
        folder.hcl(&["edit", edit, "a.hcl"]).code(2).stdout_eq("").stderr_eq(format!("error: {why}\n"));
    }
}

#[test]
fn a_path_that_may_be_an_expression_is_noticed() {
    let folder = Folder::with(&[("a.hcl", "port = 80\n")]);
    folder.hcl(&["query", "port*2"]).code(1).stdout_eq("").stderr_eq(
        "error: `port*2` is a path that matches nothing; use --expr to evaluate it as an expression\n",
    );
    folder.hcl(&["query", "port +"]).code(1).stdout_eq("").stderr_eq(
        "error: `port +` is a path that matches nothing, and not an expression: Expected an expression, found the end of \
         the text.\n",
    );
    folder.hcl(&["query", "--expr", "port*2"]).success().stdout_eq("160\n").stderr_eq("");
    folder.hcl(&["query", "po*t"]).success().stdout_eq("80\n").stderr_eq("");
    folder.hcl(&["query", "nothing"]).code(1).stdout_eq("").stderr_eq("error: `nothing` matches nothing\n");
    folder.hcl(&["query", "nothing", "--allow-empty"]).success().stdout_eq("").stderr_eq("");
}

#[test]
fn query_prints_source_text() {
    let folder = Folder::with(&[("a.hcl", WEB), ("sub/b.hcl", "service \"db\" {\n  name = \"a\\\"b\"\n}\n")]);
    folder.hcl(&["query", "service.web.tags", "a.hcl"]).success().stdout_eq("{ Env = \"prod\" }\n");
    folder.hcl(&["query", "service.*.name"]).success().stdout_eq("sub/b.hcl:2:\"a\\\"b\"\n");
    folder.hcl(&["query", "--no-filename", "service.*.name"]).success().stdout_eq("\"a\\\"b\"\n");
    folder.hcl(&["query", "-n", "service.*.port", "a.hcl"]).success().stdout_eq("3:80\n");
    folder.hcl(&["query", "-H", "service.*.port", "a.hcl"]).success().stdout_eq("a.hcl:80\n");
    folder.hcl(&["query", "-r", "service.*.name"]).success().stdout_eq("a\"b\n");
    folder
        .hcl(&["query", "service.db", "."])
        .success()
        .stdout_eq("sub/b.hcl:1:service \"db\" {\n  name = \"a\\\"b\"\n}\n");
    folder.hcl(&["query", "--count", "service~"]).success().stdout_eq("a.hcl:1\nsub/b.hcl:1\n");
    folder.hcl(&["query", "--count", "--no-filename", "service~"]).success().stdout_eq("2\n");
    folder.hcl(&["query", "--count", "-H", "service~", "a.hcl"]).success().stdout_eq("a.hcl:1\n");
    folder.hcl(&["query", "--count", "service~", "a.hcl"]).success().stdout_eq("1\n");
    folder.hcl(&["query", "--count", "nothing", "a.hcl"]).code(1).stdout_eq("0\n");
    folder.hcl(&["query", "--exit-code", "nothing"]).code(1).stdout_eq("");
    folder
        .hcl(&["query", "--exit-code", "service~[tags.Env == \"prod\"].port"])
        .success()
        .stdout_eq("a.hcl:3:80\n");
    folder
        .hcl(&["query", "[", "a.hcl"])
        .code(2)
        .stderr_eq(
            "error: `[` is neither a path (missing `]` at character 1) nor an expression: `[` is not closed before \
             the end of the text.\n",
        );
}

#[test]
fn query_prints_json() {
    let folder = Folder::with(&[("a.hcl", "a = [1, var.x]\nb \"l\" {\n  c = \"t\"\n}\n")]);
    folder
        .hcl(&["query", "--ndjson", "b~.c"])
        .success()
        .stdout_eq("{\"file\":\"a.hcl\",\"range\":{\"start\":{\"line\":3,\"column\":3,\"byte\":25},\"end\":{\"line\":3,\"column\":10,\"byte\":32}},\"address\":\"b.l.c\",\"value\":\"t\"}\n".to_owned());
    folder.hcl(&["query", "--json", "*"]).success().stdout_eq(str![[r#"
[
  [
    1,
    "${var.x}"
  ],
  {
    "c": "t"
  }
]

"#]]);
    folder.hcl(&["query", "--json", "nothing"]).code(1).stdout_eq("[]\n");
}

#[test]
fn an_expression_is_evaluated_on_all_files_of_a_directory() {
    let folder = Folder::with(&[
        ("a.tf", "variable \"a\" {\n  default = 1\n}\n\nprovider \"x\" {}\n"),
        ("b.tf", "variable \"b\" {\n  default = var.x\n}\n\nprovider \"x\" {\n  alias = \"two\"\n}\n"),
        ("c.tf.json", "{\"variable\": {\"c\": {\"default\": 3}}, \"name\": \"json\"}\n"),
        ("sub/d.tf", "variable \"d\" {}\n"),
    ]);
    let names = "[for name, it in variable : name]";
    folder
        .hcl(&["query", names])
        .success()
        .stdout_eq("a.tf:[\"a\"]\nb.tf:[\"b\"]\nc.tf.json:[\"c\"]\nsub/d.tf:[\"d\"]\n");
    folder.hcl(&["query", "--merge", names]).success().stdout_eq(".:[\"a\", \"b\", \"c\"]\nsub:[\"d\"]\n");
    folder.hcl(&["query", "--merge", "--expr", "-r", "name"]).success().stdout_eq("json\n");
    folder.hcl(&["query", "--merge", "keys(self)", "."]).success().stdout_eq(str![[r#"
.:["name", "provider", "variable"]
sub:["variable"]

"#]]);
    folder.hcl(&["query", "--merge", "--expr", "provider.x[1].alias"]).success().stdout_eq(".:\"two\"\n");
    folder.hcl(&["query", "--merge", "--count", "length(variable) > 2"]).success().stdout_eq(".:1\nsub:1\n");
    folder.hcl(&["query", "--merge", "--expr", "1 + variable", "sub"]).code(2).stderr_eq(str![[r#"
error: cannot evaluate the expression in sub: [..]

"#]]);
    folder.hcl(&["query", "--merge", "variable.*.default"]).success().stdout_eq(str![[r#"
.:2:1
.:2:var.x
.:1:3

"#]]);
}

/// A value is one expression, and a name one name: nothing else can be inserted with them.
#[test]
fn values_insert_nothing_else() {
    for value in ["1\nprovisioner \"x\" {\n}", "1\nb = 2", "1 }\nA {", "", "1 /*", "{\n}\n}\nx {"] {
        let folder = Folder::with(&[("a.hcl", "A {\n  p = 1\n}\n")]);
        for arguments in [
            &["edit", "attribute", "append", "A.q", value][..],
            &["edit", "attribute", "set", "A.p", value],
            &["edit", "attribute", "replace", "A.p", "p", value],
            &["edit", "attribute", "replace", "A.p", value, "1"],
            &["edit", &format!("A.p={value}")],
        ] {
            let mut arguments = arguments.to_vec();
            arguments.extend(if arguments.len() == 2 { &["a.hcl"][..] } else { &["-f", "a.hcl"] });
            let output = folder.hcl(&arguments).get_output().clone();
            assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}: {output:?}");
        }
    }
}

/// The labels of all blocks that a language has are known, also in the JSON syntax.
#[test]
fn labels_in_json_are_those_of_the_language() {
    for block_type in ["resource", "data", "ephemeral", "action", "list"] {
        let json = format!(r#"{{"{block_type}": {{"a_b": {{"web": {{"size": 7}}}}}}}}"#);
        let folder = Folder::with(&[("main.tf.json", &*json)]);
        let path = format!("{block_type}~.size");
        folder.hcl(&["query", &path, "main.tf.json"]).success().stdout_eq("7\n");
    }
}

#[test]
fn edits_may_have_spaces_around_the_sign() {
    let folder = Folder::with(&[("a.hcl", "a {\n  b = 1\n}\n")]);
    folder.hcl(&["edit", "-w", "a.b = 7", "a.hcl"]).success();
    assert_eq!(folder.read("a.hcl"), "a {\n  b = 7\n}\n");
    // Without quotes, the shell makes several arguments of it.
    folder.hcl(&["edit", "a.b", "=", "7", "a.hcl"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: an edit is one argument: quote it, as in hcl edit 'PATH = EXPR' FILE

"#]]);
}

#[test]
fn names_that_are_probably_text_are_warned_of() {
    let folder = Folder::with(&[("a.hcl", "region = \"x\"\ntype = a\n")]);
    folder.hcl(&["edit", "-w", "region=eu-west-1", "a.hcl"]).success().stderr_eq(str![[r#"
warning: `eu-west-1` is a name, not text; to set text, write 'region="eu-west-1"'

"#]]);
    folder.hcl(&["edit", "-w", "type=a-b", "region=\"eu-west-1\"", "a.hcl"]).success().stderr_eq("");
    assert_eq!(folder.read("a.hcl"), "region = \"eu-west-1\"\ntype = a-b\n");
}

#[test]
fn a_name_that_nothing_can_be_called_is_warned_of() {
    let main = "variable \"v\" {}\n\nresource \"a\" \"b\" {\n  c = 1\n}\n";
    let folder =
        Folder::with(&[("main.tf", main), ("a.hcl", "c = 1\n"), ("docker-bake.hcl", "target \"b\" {}\n")]);
    folder.hcl(&["edit", "resource.a.b.c=prod", "main.tf"]).success().stderr_eq(str![[r#"
warning: `prod` is a name, not text; to set text, write 'resource.a.b.c="prod"'

"#]]);
    // Keywords, constants and whole references are fine; in other languages, names are variables.
    folder.hcl(&["edit", "resource.a.b.c=t3.small", "main.tf"]).success().stderr_eq(str![[r#"
warning: `t3.small` is a name, not text; to set text, write 'resource.a.b.c="t3.small"'

"#]]);
    for (edit, file) in [
        ("resource.a.b.c=aws_vpc.main", "main.tf"),
        ("resource.a.b.c=each.key", "main.tf"),
        ("resource.a.b.c=path.module", "main.tf"),
        ("resource.a.b.provider=aws.west", "main.tf"),
        ("resource.a.b.provider=aws", "main.tf"),
        ("variable.v.type=string", "main.tf"),
        ("resource.a.b.c=null", "main.tf"),
        ("resource.a.b.c=var.v", "main.tf"),
        ("resource.a.b.c=5", "main.tf"),
        ("target.b.dockerfile=prod", "docker-bake.hcl"),
        ("c=prod", "a.hcl"),
    ] {
        folder.hcl(&["edit", edit, file]).success().stderr_eq("");
    }
}

#[test]
fn files_without_the_block_are_not_changed() {
    let json = r#"{"resource": {"aws_s3_bucket": {"z": {"bucket": "z"}}}, "locals": {"a": 1}}"#;
    let main = "resource \"aws_instance\" \"bastion\" {\n  instance_type = \"a\"\n}\n";
    let folder = Folder::with(&[("o.tf.json", json), ("main.tf", main)]);
    folder.hcl(&["edit", "-w", "resource.aws_instance.bastion.instance_type = \"b\"", "."]).success();
    folder.hcl(&["edit", "-w", "--create", "resource.aws_instance.bastion.tags.Env = \"x\"", "."]).success();
    assert_eq!(folder.read("o.tf.json"), json);
    assert!(folder.read("main.tf").contains("Env = \"x\""));
    // What is in a block of the JSON file is changed.
    folder.hcl(&["edit", "-w", "--create", "resource.aws_s3_bucket.z.tags.Env = \"x\"", "."]).success();
    folder.hcl(&["edit", "-w", "locals.b = 2", "o.tf.json"]).success();
    let after: serde_json::Value = serde_json::from_str(&folder.read("o.tf.json")).unwrap();
    assert_eq!(after["resource"]["aws_s3_bucket"]["z"]["tags"]["Env"], "x");
    assert_eq!(after["locals"]["b"], 2);
}

/// Where the language has a block, no attribute is created.
#[test]
fn blocks_of_the_language_are_created_as_blocks() {
    let main =
        "terraform {\n}\n\nresource \"terraform_data\" \"a\" {\n}\n\nmodule \"m\" {\n  source = \"./m\"\n}\n";
    for (edit, expected) in [
        ("resource.*.*.lifecycle.prevent_destroy=true", "  lifecycle {\n    prevent_destroy = true\n  }\n"),
        (
            "terraform.required_providers.aws.version=\"~> 5.60\"",
            "  required_providers {\n    aws = {\n      version = \"~> 5.60\"\n    }\n  }\n",
        ),
        ("resource.*.*.tags.Env=\"prod\"", "  tags = {\n    Env = \"prod\"\n  }\n"),
        ("resource.*.*.tags.a.b=1", "  tags = {\n    a = {\n      b = 1\n    }\n  }\n"),
        ("module.m.providers.aws=aws.west", "  providers = {\n    aws = aws.west\n  }\n"),
    ] {
        let folder = Folder::with(&[("main.tf", main)]);
        folder.hcl(&["edit", "-w", "--create", edit, "main.tf"]).success().stderr_eq("");
        let found = folder.read("main.tf");
        assert!(found.contains(expected), "{edit}: {found}");
        folder.hcl(&["fmt", "--check", "main.tf"]).success();
    }
}

#[test]
fn names_are_added_in_arrays_of_the_json_syntax() {
    let json =
        "{\"resource\": {\"a\": {\"w\": [{\"x\": 1}], \"v\": [{\"x\": 1, \"new\": 0}, {\"x\": 2}]}}}\n";
    let folder = Folder::with(&[("n.tf.json", json), ("list.json", "{\"a\": [1]}\n")]);
    folder.hcl(&["edit", "-w", "resource~.new=1", "n.tf.json"]).success();
    let text = folder.read("n.tf.json");
    assert_eq!(text.matches("\"new\": 1").count(), 3, "{text}");
    folder.hcl(&["edit", "-w", "--create", "resource.a.w.tags.K=2", "n.tf.json"]).success();
    folder.hcl(&["query", "resource.a.w.tags.K", "n.tf.json"]).stdout_eq("2\n");
    folder.hcl(&["edit", "a.new=1", "list.json"]).code(1);
}

#[test]
fn objects_are_created_at_the_top_of_files_with_arguments() {
    let main = "variable \"a\" {\n}\n";
    let folder = Folder::with(&[("prod.tfvars", "a = 1\n"), ("a.hcl", "a = 1\n"), ("main.tf", main)]);
    folder.hcl(&["edit", "-w", "--create", "tags.Env=1", "prod.tfvars", "a.hcl"]).success();
    for file in ["prod.tfvars", "a.hcl"] {
        folder.hcl(&["eval", "-f", file, "--attr", "tags.Env"]).success().stdout_eq("1\n");
    }
    folder.hcl(&["edit", "tags.New.Deep=1", "a.hcl"]).code(1);
    folder.hcl(&["edit", "-w", "--create", "tags.Env=1", "main.tf"]).code(1);
    assert_eq!(folder.read("main.tf"), main);
}

#[test]
fn options_of_other_programs_are_explained() {
    let folder = Folder::with(&[]);
    for (arguments, tip) in [
        (["edit", "--diff", "a=1"], "without --write, changes are shown as a diff"),
        (["edit", "--dry-run", "a=1"], "without --write, changes are only shown"),
        (["query", "--format", "a"], "use --output for the format of what is written"),
    ] {
        let (_, code, errors) = folder.ended(&arguments);
        assert!(code == 2 && errors.contains(tip), "{arguments:?}: {errors}");
    }
}
