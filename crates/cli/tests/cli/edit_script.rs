//! `hcl edit --script`, the subcommands of hcledit, and files in the JSON syntax. The examples of `docs/editing.md` are
//! run from its text.

use snapbox::str;

use crate::program::Folder;

const MANUAL: &str = include_str!("../../../../docs/editing.md");

/// The code blocks of the manual in a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let start = format!("```{language}\n");
    MANUAL.split(start.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_examples_of_the_manual_are_correct() {
    let (files, diffs) = (blocks("hcl"), blocks("diff"));
    let folder = Folder::with(&[("web.hcl", files[0]), ("edits.hcl", files[1])]);
    let edits = ["service.web.port=8080", "service.web.tags.Team=\"infra\"", "service.web.replicas=3"];
    let args: Vec<&str> = ["edit"].into_iter().chain(edits).chain(["web.hcl"]).collect();
    folder.hcl(&args).success().stdout_eq(diffs[0]);
    folder.hcl(&["edit", "--script", "edits.hcl", "web.hcl"]).success().stdout_eq(diffs[1]);
}

#[test]
fn scripts_report_what_is_invalid() {
    let folder = Folder::with(&[
        ("web.hcl", "a = 1\n"),
        ("edits.hcl", "match \"a\" {\n  sett = { \".\" = 1 }\n  delete = \"b\"\n  insert \"top\" {}\n}\n"),
        ("empty.hcl", ""),
    ]);
    folder.hcl(&["edit", "--script", "edits.hcl", "web.hcl"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error[unsupported-argument]: Unsupported argument
 --> edits.hcl:2:3
  |
2 |   sett = { "." = 1 }
  |   ^^^^
  |
  = note: An argument named `sett` is not expected here. Did you mean `set`?
help: Write `set`
  |
2 -   sett = { "." = 1 }
2 +   set = { "." = 1 }
  |

error: Invalid edit
 --> edits.hcl:3:12
  |
3 |   delete = "b"
  |            ^^^
  |
  = note: `delete` must be `true`, or a tuple of paths in quotes, such as `["tags.Old"]`.

error: Invalid edit
 --> edits.hcl:4:10
  |
4 |   insert "top" {}
  |          ^^^^^
  |
  = note: The place must be `start`, `end`, `before` or `after`.
error: edits.hcl: the script has errors; it consists of blocks such as `match "service.web" { … }` with `set = { port = 8080 }` in them

"#]]);
    folder.hcl(&["edit", "--script", "empty.hcl", "web.hcl"]).code(2);
    folder.write("nothing.hcl", "match \"b\" {\n  delete = [\".\"]\n}\n");
    folder
        .hcl(&["edit", "--script", "nothing.hcl", "web.hcl"])
        .code(1)
        .stderr_eq("error: delete b matches nothing\n");
    folder.write("all.hcl", "match \".\" {\n  set = { c = 2 }\n  rename = { a = \"b\" }\n}\n");
    folder.hcl(&["edit", "-w", "--script", "all.hcl", "web.hcl"]).success();
    assert_eq!(folder.read("web.hcl"), "b = 1\nc = 2\n");
}

#[test]
fn scripts_prepend_move_and_insert() {
    let script = "match \"b\" {\n  where   = x == 1\n  prepend = { list = [0] }\n  move    = \"c\"\n}\n\nmatch \"a\" {\n  \
                  insert \"before\" {\n    # first\n    z = 1\n  }\n  insert \"after\" {\n    y = 2\n  }\n}\n";
    let folder = Folder::with(&[
        ("edits.hcl", script),
        ("web.hcl", "a = 1\n\nb {\n  x    = 1\n  list = [1]\n}\n\nc {\n}\n"),
    ]);
    // A move keeps the original text, so edits inside of the moved block are rejected.
    folder.hcl(&["edit", "--script", "edits.hcl", "web.hcl"]).code(2);
    folder.write("edits.hcl", script.replace("  prepend = { list = [0] }\n", ""));
    folder.hcl(&["edit", "-w", "--script", "edits.hcl", "web.hcl"]).success();
    assert_eq!(
        folder.read("web.hcl"),
        "# first\nz = 1\na = 1\ny = 2\n\nc {\n  b {\n    x    = 1\n    list = [1]\n  }\n}\n"
    );
}

const ATTRIBUTES: &str =
    "resource \"foo\" \"bar\" {\n  attr1 = \"val1\"\n  nested {\n    attr2 = \"val2\"\n  }\n}\n";
const BLOCKS: &str = "resource \"foo\" \"bar\" {\n  attr1 = \"val1\"\n}\n\nresource \"foo\" \"baz\" {\n  attr1 = \"val2\"\n}\n";

#[test]
fn the_documented_examples_of_hcledit_print_the_same() {
    let folder = Folder::with(&[]);
    let hcledit = |args: &[&str], input: &str, output: &str| {
        let args: Vec<&str> = ["edit"].iter().chain(args).copied().collect();
        folder.hcl_reading(&args, input).success().stdout_eq(output.to_owned());
    };
    let attr2 = "resource.foo.bar.nested.attr2";
    hcledit(&["attribute", "get", attr2], ATTRIBUTES, "\"val2\"\n");
    hcledit(&["attribute", "set", attr2, "\"val3\""], ATTRIBUTES, &ATTRIBUTES.replace("val2", "val3"));
    hcledit(
        &["attribute", "rm", "resource.foo.bar.attr1"],
        ATTRIBUTES,
        &ATTRIBUTES.replace("  attr1 = \"val1\"\n", ""),
    );
    hcledit(
        &["attribute", "append", "resource.foo.bar.nested.attr3", "\"val3\"", "--newline"],
        ATTRIBUTES,
        &ATTRIBUTES.replace("\"val2\"\n", "\"val2\"\n\n    attr3 = \"val3\"\n"),
    );
    hcledit(
        &["attribute", "mv", attr2, "resource.foo.bar.nested.attr3"],
        ATTRIBUTES,
        &ATTRIBUTES.replace("attr2", "attr3"),
    );
    hcledit(
        &["attribute", "replace", attr2, "attr3", "1"],
        ATTRIBUTES,
        &ATTRIBUTES.replace("attr2 = \"val2\"", "attr3 = 1"),
    );
    hcledit(&["block", "list"], BLOCKS, "resource.foo.bar\nresource.foo.baz\n");
    hcledit(&["block", "list"], "a \"b.c\" {\n}\n", "a.b\\.c\n");
    hcledit(
        &["block", "get", "resource.foo.bar"],
        BLOCKS,
        "resource \"foo\" \"bar\" {\n  attr1 = \"val1\"\n}\n",
    );
    hcledit(&["block", "mv", "resource.foo.bar", "resource.foo.qux"], BLOCKS, &BLOCKS.replace("bar", "qux"));
    hcledit(
        &["block", "mv", "resource.foo.bar", "data.a.b.c"],
        BLOCKS,
        &BLOCKS.replace("resource \"foo\" \"bar\"", "data \"a\" \"b\" \"c\""),
    );
    hcledit(
        &["block", "mv", "resource.foo.bar", "data"],
        BLOCKS,
        &BLOCKS.replace("resource \"foo\" \"bar\"", "data"),
    );
    hcledit(
        &["block", "rm", "resource.foo.baz"],
        BLOCKS,
        "resource \"foo\" \"bar\" {\n  attr1 = \"val1\"\n}\n",
    );
    hcledit(
        &["block", "append", "resource.foo.bar", "block1.label1", "--newline"],
        BLOCKS,
        &BLOCKS.replace("\"val1\"\n", "\"val1\"\n\n  block1 \"label1\" {\n  }\n"),
    );
    hcledit(&["block", "new", "a.b\\.c", "--newline"], BLOCKS, &format!("{BLOCKS}\na \"b.c\" {{\n}}\n"));
    hcledit(
        &["body", "get", "resource.foo.bar"],
        ATTRIBUTES,
        "attr1 = \"val1\"\nnested {\n  attr2 = \"val2\"\n}\n",
    );
    let nested = "a {\n  b \"c\" {\n  }\n}\n";
    hcledit(&["block", "mv", "a.b.c", "a.b.d"], nested, &nested.replace('c', "d"));
    hcledit(&["block", "get", "b.*"], "# one\nb \"x\" {}\nb \"y\" {}\n", "# one\nb \"x\" {}\n\nb \"y\" {}\n");
    hcledit(&["attribute", "get", "a", "--with-comments"], "# one\na = 1 # two\n", "1 # two\n");
    // If nothing matches an address, nothing changes.
    hcledit(&["attribute", "get", "nothing"], ATTRIBUTES, "");
    hcledit(&["attribute", "set", "nothing", "1"], ATTRIBUTES, ATTRIBUTES);
    hcledit(&["block", "rm", "nothing"], ATTRIBUTES, ATTRIBUTES);
}

/// Each line of `hcledit.jsonl` is an input and arguments with the output of hcledit 0.2.18, or says that it fails. Inputs
/// are formatted, because hcledit formats the whole file.
#[test]
fn the_output_is_that_of_hcledit() {
    let folder = Folder::with(&[]);
    for line in include_str!("hcledit.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let args = case["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap());
        let args: Vec<&str> = std::iter::once("edit").chain(args).collect();
        let answer = folder.hcl_reading(&args, case["input"].as_str().unwrap());
        let answer = answer.get_output();
        let output = answer.status.success().then(|| String::from_utf8_lossy(&answer.stdout));
        assert_eq!(output.as_deref(), case["output"].as_str(), "{line}");
    }
}

#[test]
fn hcledit_updates_a_file_in_place() {
    let folder = Folder::with(&[("a.hcl", ATTRIBUTES)]);
    folder
        .hcl(&["edit", "attribute", "set", "-u", "-f", "a.hcl", "resource.foo.bar.attr1", "1"])
        .success()
        .stdout_eq("a.hcl: 1 change\n");
    assert_eq!(folder.read("a.hcl"), ATTRIBUTES.replace("\"val1\"", "1"));
    folder
        .hcl(&["edit", "attribute", "append", "-f", "a.hcl", "resource.foo.bar.attr1", "1"])
        .code(2)
        .stderr_eq("error: attribute already exists: resource.foo.bar.attr1\n");
}

#[test]
fn the_help_of_hcledit_names_the_commands_that_users_type() {
    let folder = Folder::with(&[("attribute", "a = 1\n")]);
    for verb in ["get", "set", "append", "rm", "mv", "replace"] {
        let help = folder.hcl(&["edit", "attribute", verb, "--help"]).success();
        let help = String::from_utf8_lossy(&help.get_output().stdout).into_owned();
        assert!(help.contains(&format!("Usage: hcl edit attribute {verb} ")), "{help}");
    }
    for group in ["attribute", "block", "body"] {
        let help = folder.hcl(&["edit", group]).code(2).stdout_eq("");
        let help = String::from_utf8_lossy(&help.get_output().stderr).into_owned();
        assert!(help.contains(&format!("Usage: hcl edit {group} [OPTIONS] <COMMAND>")), "{help}");
        let help = folder.hcl(&["help", "edit", group, "get"]).success();
        let help = String::from_utf8_lossy(&help.get_output().stdout).into_owned();
        assert!(help.contains(&format!("Usage: hcl edit {group} get ")), "{help}");
    }
    folder.hcl(&["edit", "attribute", "put"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: unrecognized subcommand 'put'

Usage: hcl edit attribute [OPTIONS] <COMMAND>

For more information, try '--help'.

"#]]);
    folder.hcl_reading(&["edit", "attribute", "set", "a", "-1"], "a = 1\n").success().stdout_eq("a = -1\n");
    // After an edit, the name is that of a file.
    folder.hcl(&["edit", "-w", "a=2", "attribute"]).success();
    assert_eq!(folder.read("attribute"), "a = 2\n");
}

const JSON: &str = "{\n  \"resource\": {\n    \"disk\": {\n      \"web\": {\n        \"size\": 10,\n        \"path\": \
                    \"\\/dev\",\n        \"tags\": {}\n      }\n    }\n  }\n}\n";

#[test]
fn json_files_are_edited_with_expressions_or_json() {
    let folder = Folder::with(&[("main.tf.json", JSON), ("bad.tf.json", "{")]);
    let edit = |args: &[&str]| {
        folder.write("main.tf.json", JSON);
        let args: Vec<&str> = ["edit", "-w"].iter().chain(args).chain(&["main.tf.json"]).copied().collect();
        folder.hcl(&args).success();
        folder.read("main.tf.json")
    };
    assert_eq!(edit(&["resource.disk.web.size=20"]), JSON.replace("10", "20"));
    assert_eq!(edit(&["resource.*.*.size=var.size"]), JSON.replace("10", "\"${var.size}\""));
    assert_eq!(edit(&["..size=[\"a\", {\"b\": null}]"]), JSON.replace("10", "[\"a\", {\"b\": null}]"));
    assert_eq!(
        edit(&["..tags.Env=\"x${var.y}\""]),
        JSON.replace("{}", "{\n          \"Env\": \"x${var.y}\"\n        }")
    );
    assert_eq!(
        edit(&["--append", "resource.disk.web=a = 1\nb = [c]"]),
        JSON.replace("{}\n", "{},\n        \"a\": 1,\n        \"b\": [\n          \"${c}\"\n        ]\n")
    );
    assert_eq!(edit(&["--delete", "..tags"]), JSON.replace(",\n        \"tags\": {}", ""));
    assert_eq!(edit(&["--rename", "resource.disk.web=db"]), JSON.replace("web", "db"));
    folder.hcl(&["edit", "a=1", "bad.tf.json"]).code(1);
    folder
        .hcl_reading(&["edit", "--stdin-name", "x.tf.json", "a=2", "-"], "{\"a\": 1}")
        .success()
        .stdout_eq("{\"a\": 2}");
}

#[test]
fn blocks_are_inserted_into_json_files() {
    let append = |before: &str, source: &str| {
        let folder = Folder::with(&[("main.tf.json", before)]);
        folder.hcl(&["edit", "-w", "--append", &format!(".={source}"), "main.tf.json"]).success();
        let after = folder.read("main.tf.json");
        serde_json::from_str::<serde_json::Value>(&after).unwrap();
        after
    };
    let disk = "resource \"disk\" \"b\" {\n  size = var.n\n}";
    // The existing property for the type and label gets another property.
    assert_eq!(
        append(JSON, disk),
        JSON.replace(
            "{}\n      }\n    }\n",
            "{}\n      },\n      \"b\": {\n        \"size\": \"${var.n}\"\n      }\n    }\n"
        )
    );
    assert_eq!(
        append("{\n}\n", disk),
        "{\n  \"resource\": {\n    \"disk\": {\n      \"b\": {\n        \"size\": \"${var.n}\"\n      }\n    }\n  }\n}\n"
    );
    assert_eq!(
        append("{\"variable\": {}}\n", "variable \"v\" {\n  type = string\n}"),
        "{\"variable\": {\"v\": {\n  \"type\": \"string\"\n}}}\n"
    );
    assert_eq!(
        append("{\n  \"locals\": {\n    \"a\": 1\n  }\n}\n", "locals {\n  b = 2\n}"),
        "{\n  \"locals\": [\n    {\n      \"a\": 1\n    },\n    {\n      \"b\": 2\n    }\n  ]\n}\n"
    );
    assert_eq!(
        append("{\n  \"locals\": [\n    {}\n  ]\n}\n", "locals {\n  b = 2\n}\nlocals {}"),
        "{\n  \"locals\": [\n    {},\n    {\n      \"b\": 2\n    },\n    {}\n  ]\n}\n"
    );
    let folder = Folder::with(&[
        ("main.tf.json", JSON),
        (
            "add.hcl",
            "match \"resource~\" {\n  insert \"end\" {\n    lifecycle {\n      prevent_destroy = true\n    }\n  }\n}\n",
        ),
    ]);
    folder.hcl(&["edit", "-w", "--script", "add.hcl", "main.tf.json"]).success();
    assert_eq!(
        folder.read("main.tf.json"),
        JSON.replace(
            "{}\n",
            "{},\n        \"lifecycle\": {\n          \"prevent_destroy\": true\n        }\n"
        )
    );
    // An attribute that already exists.
    folder.hcl(&["edit", "--append", "resource~=size = 1\nx {}", "main.tf.json"]).code(2).stderr_eq(
        "error: main.tf.json: --append resource~=size = 1␊x {}: the property `size` exists already\n",
    );
}

#[test]
fn json_files_are_queried() {
    let folder =
        Folder::with(&[("main.tf.json", JSON), ("a.tf", "resource \"disk\" \"b\" {\n  size = 1\n}\n")]);
    folder.hcl(&["query", "resource.*.*.size"]).success().stdout_eq("a.tf:2:1\nmain.tf.json:5:10\n");
    folder.hcl(&["query", "--no-filename", "resource.*.web.path"]).success().stdout_eq("\"\\/dev\"\n");
    // The labels of Terraform's blocks are known.
    for path in ["resource~.size", "resource.disk~.size", "resource.disk.web~.size"] {
        folder.hcl(&["query", path, "main.tf.json"]).success().stdout_eq("10\n");
    }
    for path in ["resource.disk.web.tags~", "nothing~", "other~"] {
        folder.hcl(&["query", path, "main.tf.json"]).code(1).stdout_eq("");
    }
    folder.hcl(&["query", "-r", "resource.*.web.path"]).success().stdout_eq("/dev\n");
    folder.hcl(&["query", "--count", "resource.*.*[size >= 10]"]).success().stdout_eq("main.tf.json:1\n");
    folder
        .hcl(&["query", "--ndjson", "resource.*.web.tags"])
        .success()
        .stdout_eq(str![[r#"
{"file":"main.tf.json","range":{"start":{"line":7,"column":9,"byte":100},"end":{"line":7,"column":19,"byte":110}},"address":"resource.disk.web.tags","value":{}}

"#]]);
}

#[test]
fn queries_can_be_expressions() {
    let web = "service \"web\" {\n  port  = 80\n  ports = [1, 2]\n  name  = var.name\n}\nzone {}\nzone {}\n";
    let folder = Folder::with(&[("a.hcl", web), ("b.hcl", "other = 1\n")]);
    let query = |args: &[&str], output: &str| {
        let args: Vec<&str> = ["query", "--no-filename"].iter().chain(args).copied().collect();
        folder.hcl(&args).success().stderr_eq("").stdout_eq(output.to_owned());
    };
    query(&["service.web.port + 1"], "81\n");
    query(&["length(service.web.ports)"], "2\n");
    query(&["length(zone)"], "2\n");
    query(&["[for port in service.web.ports : port * 10]"], "[10, 20]\n");
    query(&["upper(service.web.name)"], "upper(service.web.name)\n");
    query(&["-r", "\"port ${service.web.port}\""], "port 80\n");
    query(&["--expr", "other"], "1\n");
    query(
        &["--json", "{ a = service.web.port, b = service.web.name }"],
        "[\n  {\n    \"a\": 80,\n    \"b\": \"${service.web.name}\"\n  }\n]\n",
    );
    query(&["--count", "try(service.web.missing, null) == null"], "1\n");
    folder.hcl(&["query", "try(service.web.missing, null)"]).code(1).stderr_eq("error: the result is null\n");
    folder.hcl(&["query", "upper(service.web.missing)"]).code(2).stderr_eq(
        "error: cannot evaluate the expression in a.hcl: This object has no attribute named `missing`.\n",
    );
    folder.hcl(&["query", "--exit-code", "missing + 1"]).code(1).stdout_eq("");
    folder.hcl(&["query", "service.web.name +", "a.hcl"]).code(1).stdout_eq("");
    folder.hcl(&["query", "1 + [", "a.hcl"]).code(2).stdout_eq("");
    folder.hcl(&["query", "--expr", "a b", "a.hcl"]).code(2).stdout_eq("");
    folder.hcl(&["query", "service.web.port + other", "a.hcl"]).code(2).stdout_eq("");
}

#[test]
fn an_expression_that_uses_undefined_names_is_reported() {
    let folder = Folder::with(&[("a.hcl", "locals {\n  x = \"y\"\n}\n"), ("b.hcl", "")]);
    folder.hcl(&["query", "upper(local.x)", "."]).code(1).stdout_eq("").stderr_eq(
        "error: nothing to evaluate: no file has local; local values are in `locals`, as in `locals[0].NAME`; `hcl \
         eval DIR local.NAME` evaluates them\n",
    );
    folder.hcl(&["query", "--json", "1 + count + size", "a.hcl"]).code(1).stdout_eq("[]\n").stderr_eq(
        "error: nothing to evaluate: no file has count or size; the variables of an expression are the attributes and \
         block types of a file\n",
    );
    folder.hcl(&["query", "upper(locals[0].x)", "."]).success().stderr_eq("");
}
