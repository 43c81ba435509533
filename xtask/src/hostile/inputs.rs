//! The inputs of the chore `hostile`. A row has a description, the command with its files, what it took before the
//! defense existed (as reported, or with a build without it), and a function that creates the files.

use std::borrow::Cow;

use hclkit_test_cases::bombs::{Bomb, GitBomb, bombs, git_bombs};
use serde_json::{Value, json};

/// The files of an input. A command can also have `< FILE`, which is its standard input, and `$PATH`, which is replaced by the
/// content of the file `path`.
type Files = Vec<(Cow<'static, str>, Vec<u8>)>;

pub(super) struct Row {
    pub(super) input: &'static str,
    pub(super) command: Cow<'static, str>,
    pub(super) before: &'static str,
    pub(super) files: Box<dyn Fn() -> Files>,
    /// How much it may take.
    pub(super) most_mib: u64,
    pub(super) most_seconds: f64,
}

fn row(
    input: &'static str,
    command: &'static str,
    before: &'static str,
    files: impl Fn() -> Files + 'static,
) -> Row {
    let (command, files) = (command.into(), Box::new(files));
    Row { input, command, before, files, most_mib: 1_024, most_seconds: f64::INFINITY }
}

/// A row with one file, `a.hcl`.
fn text<T: Into<Vec<u8>>>(
    input: &'static str,
    command: &'static str,
    before: &'static str,
    text: impl Fn() -> T + 'static,
) -> Row {
    row(input, command, before, move || files([("a.hcl", text())]))
}

/// Files of some texts.
fn files<T: Into<Vec<u8>>, const N: usize>(files: [(&'static str, T); N]) -> Files {
    files.into_iter().map(|(name, text)| (name.into(), text.into())).collect()
}

/// A row with a spec and a file.
fn decoded(
    input: &'static str,
    command: &'static str,
    before: &'static str,
    spec: impl Fn() -> String + 'static,
    text: impl Fn() -> String + 'static,
) -> Row {
    row(input, command, before, move || files([("spec.hcldec", spec()), ("a.hcl", text())]))
}

/// The texts for several numbers, concatenated.
fn each(count: usize, separator: &str, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(separator)
}

/// Blocks in each other, with long names, and a text in the innermost one.
fn deep(levels: usize, text: &str) -> String {
    format!("{}{text}{}", format!("{} {{\n", "n".repeat(30_000)).repeat(levels), "}\n".repeat(levels))
}

fn deep_spec() -> String {
    let block = format!("block_list \"b\" {{\n  block_type = \"{}\"\n  object {{\n", "n".repeat(10_000));
    format!("object {{\n{}{}}}\n", block.repeat(300), "}\n}\n".repeat(300))
}

/// Nested loops, each over a tuple with the variable of the enclosing loop: `[for v1 in [OF] : [for v2 in …`.
fn loops(levels: usize, first: &str, of: impl Fn(&str) -> String) -> String {
    let open = each(levels, "", |level| match level {
        0 => format!("[for v0 in [{first}] : "),
        _ => format!("[for v{level} in [{}] : ", of(&format!("v{}", level - 1))),
    });
    format!("{open}v{}{}", levels - 1, "]".repeat(levels))
}

/// Values that share parts: each level contains the previous one twice.
fn doubled(levels: usize, first: &str) -> String {
    loops(levels, first, |inner| format!("[{inner}, {inner}]"))
}

/// A loop that evaluates an expression a number of times, with a text of 8 MB in `s`.
fn turns(thousands: usize, body: &str) -> String {
    let part = "x7,:a b\\n".repeat(10);
    format!(
        "a = [for s in [join(\"\", [for i in range(1000): join(\"\", [for j in range(100): \"{part}\"])])] : \
         length([for i in range({thousands}): [for j in range(1000): {body}]])]\n"
    )
}

/// A list of numbers as source text.
fn numbers(count: usize) -> String {
    each(count, ", ", |at| at.to_string())
}

/// Modules that each call the next one twice, or with these arguments.
fn modules(levels: usize, call: impl Fn(&str) -> String) -> Files {
    let file = |at: usize| match at {
        0 => ("main.tf".to_owned(), call("./m1")),
        _ if at == levels => (format!("m{at}/main.tf"), "output \"x\" {\n  value = 1\n}\n".to_owned()),
        _ => (format!("m{at}/main.tf"), call(&format!("../m{}", at + 1))),
    };
    let tree = |(name, text): (String, String)| (format!("t/{name}").into(), text.into());
    (0..=levels).map(file).map(tree).collect()
}

fn twice(source: &str) -> String {
    format!("module \"a\" {{\n  source = \"{source}\"\n}}\nmodule \"b\" {{\n  source = \"{source}\"\n}}\n")
}

fn counted(source: &str) -> String {
    format!(
        "module \"a\" {{\n  source = \"{source}\"\n  count  = 2\n}}\noutput \"x\" {{\n  value = module.a\n}}\n"
    )
}

pub(super) fn tables() -> Vec<(&'static str, Vec<Row>)> {
    vec![
        ("## Crashes", crashes()),
        ("## Too much memory", memory()),
        ("## Worse than n log n", slow()),
        ("## At the default limits", limits()),
        ("## Small inputs of tables that become large", small()),
    ]
}

/// What some of them took before the bytes in flight had a limit.
const BEFORE: [(&str, &str); 17] = [
    ("a long name of three times the bytes in flight", "3.2 GB"),
    ("a long name of a link", "1.4 GB"),
    ("an extended header of three times the bytes in flight", "1.9 GB"),
    ("a sparse file with endless headers", "over 27 s, 1.2 GB"),
    ("40 members as large as the bytes in flight", "620 MB"),
    ("18 members of a fifth, one comment each", "1.3 GB"),
    ("12 files of a fifth, attributes of one letter", "all memory (6 GB)"),
    ("12 files of a fifth, line breaks", "14 s, 1.6 GB"),
    ("12 files of 1/400, attributes of one letter", "550 MB"),
    ("12 files of 1/400, blocks of one letter", "560 MB"),
    ("12 files of 1/400, references", "590 MB"),
    ("12 files of a fifth, an array of JSON", "all memory (6 GB)"),
    ("a line as long as the bytes in flight", "540 MB"),
    ("a content of an eighth in a dictionary, 200 times", "4.1 GB"),
    ("an empty content, 1,000,000,000 times", "over 20 s"),
    ("a dictionary that claims 2,000,000,000 values", "aborts"),
    ("40 modules with a value that is repeated for each instance", "over 11 s, 3.0 GB"),
];

fn before(input: &str) -> &'static str {
    BEFORE.iter().find(|(own, _)| *own == input).map_or("", |(_, before)| before)
}

/// Those of the tests, at the default for the bytes in flight.
fn small() -> Vec<Row> {
    let one = |bomb: Bomb| Row {
        input: bomb.input,
        command: [&["tables", "--out", "out"], bomb.options, &[bomb.file]].concat().join(" ").into(),
        before: before(bomb.input),
        files: Box::new(move || vec![(bomb.file.into(), bomb.content(256 << 20))]),
        most_mib: 512,
        most_seconds: 10.0,
    };
    let git = |bomb: GitBomb| Row {
        input: bomb.input,
        command: "tables --out out bare.git".into(),
        before: "",
        files: Box::new(move || {
            bomb.files(256 << 20).into_iter().map(|(path, text)| (path.into(), text)).collect()
        }),
        most_mib: 512,
        most_seconds: 10.0,
    };
    bombs().into_iter().map(one).chain(git_bombs().into_iter().map(git)).collect()
}

#[rustfmt::skip]
fn crashes() -> Vec<Row> {
    vec![
        text("`format(\"%.65535f\", 1.5)`, `%.70000e`, `%.70000g`", "eval -f a.hcl", "internal error", || "a = [format(\"%.65535f\", 1.5), format(\"%.70000e\", 1.5), format(\"%.70000g\", 1.5)]\n"),
        text("an attribute and an object key of 65,536 characters", "eval -f a.hcl", "internal error", || format!("{0} = {{ {0} = 1 }}\n", "n".repeat(65_536))),
        text("`fileset(\".\", \"{{…300…a…}}\")`", "eval -f a.hcl --allow-fs .", "stack overflow", || format!("a = fileset(\".\", \"{}a{}\")\n", "{".repeat(300), "}".repeat(300))),
        row("200,000 `{` in a line of `.gitignore`", "check t", "stack overflow", || files([("t/.gitignore", "{".repeat(200_000)), ("t/a.hcl", "a = 1\n".to_owned())])),
        text("100 loops over `[[…v…]]` of 200 levels", "eval -f a.hcl --output json", "stack overflow", || format!("a = {}\n", loops(100, "1", |inner| format!("{}{inner}{}", "[".repeat(200), "]".repeat(200))))),
        text("`u.*.a[0].*.a[0]…`, 100,000 times", "eval -f a.hcl", "stack overflow", || format!("a = u{}\n", ".*.a[0]".repeat(100_000))),
        text("the same", "eval -f a.hcl --explain", "stack overflow after 12 s", || format!("a = u{}\n", ".*.a[0]".repeat(100_000))),
        row("100 `{` and as many `}` in a pattern of `[specs]`", "check a.hcl", "internal error", || specs(&format!("{}{}", "{a,".repeat(100), "}".repeat(100)))),
        row("100,000 `{` and as many `}` there", "check a.hcl", "stack overflow", || specs(&format!("{}{}", "{a,".repeat(100_000), "}".repeat(100_000)))),
        row("`{[}]`, which hides a brace, 1,000 times in `.gitignore`", "check t", "internal error", || files([("t/.gitignore", format!("{}{}", "{[}]".repeat(1_000), "}".repeat(1_000))), ("t/a.hcl", "a = 1\n".to_owned())])),
    ]
}

#[rustfmt::skip]
fn memory() -> Vec<Row> {
    let matrix = || files([("docker-bake.hcl", "target \"default\" {\n  name   = \"t${a}-${b}\"\n  matrix = { a = range(1000), b = range(1000) }\n}\n")]);
    vec![
        text("`format(\"%250000000d\", 1)` with 1 MiB allowed", "eval -f a.hcl --max-bytes 1048576", "7.6 s, 487 MiB", || "a = format(\"%250000000d\", 1)\n"),
        text("a name of 60,000 characters among 20,000 attributes", "eval -f a.hcl", "writes 1.2 GB", || format!("{} = 1\n{}", "n".repeat(60_000), each(20_000, "", |at| format!("a{at} = {at}\n")))),
        text("text doubled in 40 nested loops", "eval -f a.hcl", "all memory", || format!("a = {}\n", loops(40, "\"0123456789abcdef\"", |inner| format!("\"${{{inner}}}${{{inner}}}\"")))),
        text("`base64encode` nested 60 times", "eval -f a.hcl", "all memory", || format!("a = {}\"x\"{}\n", "base64encode(".repeat(60), ")".repeat(60))),
        text("`textencodebase64` nested 25 times", "eval -f a.hcl", "all memory", || format!("a = {}\"x\"{}\n", "textencodebase64(".repeat(25), ", \"UTF-16LE\")".repeat(25))),
        text("values that share parts, doubled 40 times", "eval -f a.hcl", "aborts", || format!("a = {}\n", doubled(40, "1"))),
        text("the same, doubled 20 times", "eval -f a.hcl --output typed", "writes 1.9 GB in 12 s", || format!("a = {}\n", doubled(20, "1"))),
        text("37,500 blocks, nested 300 deep", "eval -f a.hcl", "12 GB", || format!("{}{}", "b {\n".repeat(300), "}\n".repeat(300)).repeat(125)),
        text("490 blocks in each other, with names of 30,000 characters", "eval -f a.hcl", "3.6 GB", || deep(490, "a = b\n")),
        text("100 of them around 20,000 attributes", "refs b a.hcl", "over 8 GB", || deep(100, &each(20_000, "", |at| format!("a{at} = b\n")))),
        row("a spec of 300 blocks in each other, with names of 10,000 characters", "schema -s spec.hcldec", "2.5 GB", || files([("spec.hcldec", deep_spec())])),
        row("the same", "schema --to rust -s spec.hcldec", "3.1 GB", || files([("spec.hcldec", deep_spec())])),
        row("the same", "schema --to markdown -s spec.hcldec", "1.2 GB", || files([("spec.hcldec", deep_spec())])),
        text("a table of 10,000 objects with different keys", "eval -f a.hcl --attr a --output csv", "100,000,000 cells", || format!("a = [{}]\n", each(10_000, ", ", |at| format!("{{ k{at} = 1 }}")))),
        row("an argument of an open type that shares parts, 40 levels", "eval t", "doubles with each level", || files([("t/main.tf", format!("module \"m\" {{\n  source = \"./m\"\n  x      = {}\n}}\n", doubled(40, "1"))), ("t/m/main.tf", "variable \"x\" {\n  type = any\n}\noutput \"y\" {\n  value = length(var.x)\n}\n".to_owned())])),
        text("`templatestring` of 8 MB of text, in a loop", "eval -f a.hcl", "over 5.8 GB", || turns(1, "templatestring(s, {})")),
        row("40 modules, each of which calls the next one twice", "eval t", "all memory", || modules(40, twice)),
        row("the same", "graph t", "all memory", || modules(40, twice)),
        row("such modules with `count = 2`", "eval t", "all memory", || modules(40, counted)),
        row("200 modules in each other, with names of 5,000 characters", "graph t", "1.3 GB", || modules(200, |source| format!("module \"{}\" {{\n  source = \"{source}\"\n}}\nlocals {{\n  a = 1\n}}\n", "m".repeat(5_000)))),
        row("2,000 modules in each other", "graph --output json t", "770 MB", || modules(2_000, |source| format!("variable \"a\" {{\n  default = 1\n}}\nlocals {{\n  x = var.a\n}}\nmodule \"m\" {{\n  source = \"{source}\"\n  a      = local.x\n}}\noutput \"o\" {{\n  value = local.x\n}}\n"))),
        row("300 calls of a module with 300 locals that all refer to each other", "graph --output mermaid t", "all memory", || files([("t/main.tf", each(300, "", |at| format!("module \"m{at}\" {{\n  source = \"./m\"\n}}\n"))), ("t/m/main.tf", format!("locals {{\n{}}}\n", each(300, "", |at| format!("v{at} = [{}]\n", each(300, ", ", |to| format!("local.v{to}"))))))])),
        row("a module with 5,000 results, 5,000 references to all of them", "graph --output mermaid t", "2.5 GB", || files([("t/main.tf", format!("module \"m\" {{\n  source = \"./m\"\n}}\nlocals {{\n{}}}\n", each(5_000, "", |at| format!("v{at} = module.m\n")))), ("t/m/main.tf", each(5_000, "", |at| format!("output \"o{at}\" {{\n  value = 1\n}}\n")))])),
        row("a module with `count = 1000000`", "eval t", "all memory", || files([("t/main.tf", "module \"a\" {\n  source = \"./m\"\n  count  = 1000000\n}\n"), ("t/m/main.tf", "output \"x\" {\n  value = 1\n}\n")])),
        row("4,000 Bake targets, each of which inherits the next one with its arguments", "eval docker-bake.hcl", "5.0 s, all memory for 16,000", || files([("docker-bake.hcl", each(4_000, "", |at| format!("target \"t{at}\" {{\n  inherits = [\"t{}\"]\n  args     = {{ a{at} = \"x\" }}\n}}\n", at + 1)) + "target \"t4000\" {}\ngroup \"default\" {\n  targets = [\"t0\"]\n}\n")])),
        row("a Bake matrix of 1,000 × 1,000", "eval docker-bake.hcl", "over 60 s", matrix),
        row("the same", "graph .", "over 60 s", matrix),
        row("a resource with `count = 1000000000`", "eval t", "", || files([("t/main.tf", "resource \"a\" \"b\" {\n  count = 1000000000\n}\n")])),
        row("a console entry without end", "console --no-history --max-size 100MiB < in", "all memory (`/dev/zero`)", || files([("in", vec![0; 101 << 20])])),
        row("20,000,000 numbers in the JSON syntax", "convert --from json --to yaml a.hcl", "3.0 GB, 15 s", || files([("a.hcl", json_numbers())])),
        row("the same", "convert --from json --to hcl a.hcl", "4.9 GB, 61 s", || files([("a.hcl", json_numbers())])),
        row("loops in each other, 1,000 times", "eval -f a.hcl --explain", "745 MB are written", || files([("a.hcl", each(1_000, "", |at| format!("a{at} = [for a in [1, 2, 3, 4] : [for b in [1, 2, 3, 4] : [for c in [1, 2, 3, 4] : [for d in [1, 2, 3, 4] : [for e in [1, 2, 3, 4] : a + b + c + d + e]]]]]\n")))])),
        row("a session about `format(\"%250000000d\", 1)`", "lsp --replay s", "11 s", || session("format(\"%250000000d\", 1)")),
        row("a session about text doubled in 40 nested loops", "lsp --replay s", "1.2 GB", || session(&loops(40, "\"x\"", |inner| format!("\"${{{inner}}}${{{inner}}}\"")))),
        row("YAML of 20 aliases, each to a list of two of the one before", "convert a.yaml", "1.9 GB", || files([("a.yaml", format!("a0: &a0 [x, x]\n{}", each(20, "", |at| format!("a{}: &a{0} [*a{at}, *a{at}]\n", at + 1))))])),
    ]
}

/// A local value of its own attributes.
fn own_attributes(count: usize) -> Files {
    files([("t/main.tf", format!("locals {{\n  a = local.a{}\n}}\n", ".b".repeat(count)))])
}

/// Settings with a pattern, and a file.
fn specs(pattern: &str) -> Files {
    let settings = format!("[specs]\n\"{pattern}\" = \"s.hcldec\"\n");
    files([("hcl.toml", settings), ("a.hcl", "a = 1\n".to_owned())])
}

/// A session with the language server: requests about a module with a value of each kind.
fn session(value: &str) -> Files {
    let text = format!(
        "locals {{\n  a = {value}\n  b = local.a\n}}\noutput \"o\" {{\n  value = local.b\n}}\nresource \"x\" \"y\" {{\n  for_each = local.b\n}}\n"
    );
    let uri = "file:///hostile/main.tf";
    let about = json!({
        "textDocument": { "uri": uri },
        "position": { "line": 2, "character": 13 },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } },
        "context": { "includeDeclaration": true, "diagnostics": [] },
    });
    let asked = |id: usize, method: &str, parameters: &Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters });
    let open =
        json!({ "textDocument": { "uri": uri, "languageId": "terraform", "version": 0, "text": text } });
    let mut messages = vec![
        asked(0, "initialize", &json!({ "processId": null, "rootUri": null, "capabilities": {} })),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": open }),
    ];
    for method in ["hover", "inlayHint", "completion", "definition", "codeAction", "diagnostic"] {
        messages.push(asked(messages.len(), &format!("textDocument/{method}"), &about));
    }
    let line = |message: Value| json!({ "from": "client", "message": message }).to_string() + "\n";
    files([("s", messages.into_iter().map(line).collect::<String>())])
}

/// JSON of many numbers.
fn json_numbers() -> String {
    format!("{{\"a\": [{}0]}}", "0,".repeat(20_000_000))
}

#[rustfmt::skip]
fn slow() -> Vec<Row> {
    let misspelled = || format!("a = [for o in [{{{}}}] : [{}]]\n", each(10_000, ", ", |at| format!("key{at} = 1")), each(10_000, ", ", |at| format!("o.kye{at}")));
    let wide = || format!("a = [\"{}\", {}]\n", "é".repeat(500_000), "1 ".repeat(20_000));
    let arguments = || format!("object {{\n{}}}\n", each(4_000, "", |at| format!("attr \"name{at}\" {{ type = number }}\n")));
    vec![
        row("`a = local.a.b.b.b.b`", "eval t local.a --explain", "15 s with `--timeout 1`", || own_attributes(4)),
        row("`a = local.a` with 100,000 `.b`", "eval t local.a --explain", "does not end", || own_attributes(100_000)),
        row("the same", "eval t --unknown", "does not end", || own_attributes(100_000)),
        row("1,000 such local values, each of which refers to the next one", "eval t local.* --explain", "over 60 s", || files([("t/main.tf", format!("locals {{\n{}}}\n", each(1_000, "", |at| format!("a{at} = local.a{}{}\n", (at + 1) % 1_000, ".b".repeat(10)))))])),
        text("`tolist` of two objects that share parts, 60 levels", "eval -f a.hcl", "doubles with each level", || format!("a = length(tolist([{{a = {0}}}, {{b = {0}}}]))\n", doubled(60, "1"))),
        text("`toset` of two tuples that share parts, 60 levels", "eval -f a.hcl", "doubles with each level", || format!("a = length(toset([{}, {}]))\n", doubled(60, "1"), doubled(60, "\"a\""))),
        text("an object of 10,000 keys, 10,000 misspelled accesses", "eval -f a.hcl", "42 s", misspelled),
        decoded("a spec of 4,000 arguments, all misspelled", "check --fix -s spec.hcldec a.hcl", "35 s", arguments, || each(4_000, "", |at| format!("nxme{at} = 1\n"))),
        text("`[for k, v in obj : [obj[k], lookup(obj, k, 0)]]`, 50,000 attributes", "eval -f a.hcl", "9.6 s", || format!("a = [for o in [{{{}}}] : [for k, v in o : [o[k], lookup(o, k, 0)]]]\n", each(50_000, ", ", |at| format!("k{at} = {at}")))),
        text("`1 \\|\\| 1 \\|\\| …`, 80,000 operands", "eval -f a.hcl", "2.6 s", || format!("a = {}1\n", "1 || ".repeat(80_000))),
        text("`u \\|\\| u \\|\\| …`, 200,000 unknowns", "eval -f a.hcl --partial --var u.zz=1", "over 39 s", || format!("a = {}u.a\n", "u.a || ".repeat(200_000))),
        text("`u.a1`, `u.a2`, … of 20,000", "eval -f a.hcl --partial --var u.zz=1", "32 s", || format!("a = [{}]\n", each(20_000, ", ", |at| format!("u.a{at}")))),
        text("`f(f(…u…`, 900 levels", "eval -f a.hcl --partial --var u.zz=1", "worse than n log n", || format!("a = {}u.a{}\n", "upper(".repeat(900), ")".repeat(900))),
        text("`(u+(u+…`, 900 levels", "eval -f a.hcl --explain --var u=1", "cubic, writes 7.5 MB", || format!("a = {}u{}\n", "(u+".repeat(900), ")".repeat(900))),
        text("`[1 1 1 …]`, 200,000 numbers", "check --fix a.hcl", "48 s", || format!("a = [{}]\n", "1 ".repeat(200_000))),
        text("text of 90,000 lines `EOT`", "eval -f a.hcl", "22 s", || format!("a = \"{}\"\n", "EOT\\n".repeat(90_000))),
        text("one line of 40,000 `\"é\"`", "dump tokens a.hcl", "over 56 s", || format!("a = [{}]\n", "\"é\", ".repeat(40_000))),
        text("500,000 × `é`, then 20,000 missing commas, on one line", "check a.hcl", "37 s", wide),
        text("the same", "check --report json a.hcl", "57 s", wide),
        text("the same", "check --report sarif a.hcl", "57 s", wide),
        text("the same", "check --report github a.hcl", "57 s", wide),
        text("a heredoc of 20,000 lines", "console --no-history < a.hcl", "32 s", || format!("x = <<E\n{}E\n", "line\n".repeat(20_000))),
        text("20,000 times `x.yN = 1`", "console --no-history < a.hcl", "16 s", || each(20_000, "", |at| format!("x.y{at} = 1\n"))),
        text("20,000 lines `\"${`", "console --no-history < a.hcl", "25 s", || "\"${\n".repeat(20_000)),
        text("`matchkeys` of 50,000", "eval -f a.hcl", "over 39 s", || format!("a = matchkeys([{0}], [{0}], [{0}])\n", numbers(50_000))),
        text("`setunion` of 20,000 sets", "eval -f a.hcl", "worse than n log n", || format!("a = setunion({})\n", each(20_000, ", ", |at| format!("[{at}]")))),
        row("a path of 40,000 `[0]`", "query $PATH a.hcl", "19 s", || files([("a.hcl", "a = 1\n".to_owned()), ("path", format!("a{}", "[0]".repeat(40_000)))])),
        row("24,000 edits in one paragraph", "edit b.x=2 a.hcl", "square of the edits, 5 s", || files([("a.hcl", "b {\n x = 1\n}\n".repeat(24_000))])),
        text("64,000 items on one line", "edit --sort a.* a.hcl", "5.6 s", || format!("a = {{{}}}\n", each(64_000, ", ", |at| format!("b{} = {at}", 7_919 * at % 64_000)))),
        text("64,000 times `b {}` and `c {}`", "edit --delete b a.hcl", "3.6 s", || "b {\n}\nc {\n}\n".repeat(64_000)),
        row("4,000 Bake targets, each of which inherits the next one", "eval docker-bake.hcl", "1.6 s, 452 MiB", || files([("docker-bake.hcl", each(4_000, "", |at| format!("target \"t{at}\" {{\n  inherits = [\"t{}\"]\n}}\n", at + 1)) + "target \"t4000\" {}\ngroup \"default\" {\n  targets = [\"t0\"]\n}\n")])),
        row("100 Bake targets, each of which inherits the next one twice", "eval docker-bake.hcl", "all memory", || files([("docker-bake.hcl", each(100, "", |at| format!("target \"t{at}\" {{\n  inherits = [\"t{0}\", \"t{0}\"]\n}}\n", at + 1)) + "target \"t100\" {}\ngroup \"default\" {\n  targets = [\"t0\"]\n}\n")])),
        row("100 Bake targets, each of which uses the next one as two contexts", "check docker-bake.hcl", "doubles with each target", || files([("docker-bake.hcl", each(100, "", |at| format!("target \"t{at}\" {{\n  contexts = {{ a = \"target:t{0}\", b = \"target:t{0}\" }}\n}}\n", at + 1)) + "target \"t100\" {}\n")])),
        row("a Bake target of 8,000 blocks, each with a cache", "eval docker-bake.hcl", "over 60 s", || files([("docker-bake.hcl", each(8_000, "", |at| format!("target \"default\" {{\n  cache-from = [\"x{at}\"]\n}}\n")))])),
        text("100,000 comments that allow a code", "check a.hcl", "square of the comments", || "# hcl-check: allow unused-declaration reason\n".repeat(100_000)),
        text("20,000 objects that are created", "edit --create b.x.y.z=1 a.hcl", "square of the objects", || "b {\n  x = {}\n}\n".repeat(20_000)),
        row("20,000 runs of a test file", "check t", "", || files([("t/main.tf", "variable \"x\" {\n}\noutput \"y\" {\n  value = var.x\n}\n".to_owned()), ("t/a.tftest.hcl", "run \"r\" {\n}\n".to_owned() + &each(20_000, "", |at| format!("run \"r{at}\" {{\n  variables {{\n    x = run.r.y\n  }}\n}}\n")))])),
        row("6,000 blocks to move", "split .", "square of the blocks, 6 s", || files([("main.tf", each(6_000, "", |at| format!("variable \"x{at}\" {{\n}}\n")))])),
        row("6,000 resources to a chosen file", "split . --block resource.x.* --into b.tf", "square of the blocks", || files([("main.tf", each(6_000, "", |at| format!("resource \"x\" \"x{at}\" {{\n}}\n")))])),
        row("6,000 resources in the JSON syntax to a chosen file", "split . --block resource.x.* --into b.tf.json", "square of the blocks, 7 s", || files([("main.tf.json", format!("{{\"resource\": {{\"x\": {{{}}}}}}}", each(6_000, ",", |at| format!("\"x{at}\": {{}}"))))])),
    ]
}

#[rustfmt::skip]
fn limits() -> Vec<Row> {
    let json = move |thousands: usize, item: &str| format!("jsondecode(\"[${{join(\",\", [for i in range({thousands}): join(\",\", [for j in range(1000): \"{item}\"])])}}]\")");
    vec![
        text("50 MB of `0xff`", "check a.hcl", "16 s, 1.8 GB", || vec![0xff; 50_000_000]),
        text("100 MB of commas on one line", "check a.hcl", "60 s", || ",".repeat(100_000_000)),
        text("250 MB of text in 1,000 strings", "eval -f a.hcl --output json", "", || format!("a = [for i in range(1000): join(\"\", [for j in range(1000): \"{}\"])]\n", "x".repeat(125))),
        text("`format(\"%1000000d\", i)`, 250 times", "eval -f a.hcl --output json", "", || "a = [for i in range(250): format(\"%1000000d\", i)]\n"),
        text("`jsonencode` of shared parts, 134 MB", "eval -f a.hcl", "", || format!("a = length(jsonencode({}))\n", doubled(26, "1"))),
        text("`yamlencode` of shared parts", "eval -f a.hcl", "", || format!("a = length(yamlencode({}))\n", doubled(21, "1"))),
        text("`{a = {c = j}}`, 900,000 times", "eval -f a.hcl --output json", "", || "a = [for i in range(900): [for j in range(1000): {a = {c = j}}]]\n"),
        text("the same", "eval -f a.hcl --output typed", "1.2 GiB", || "a = [for i in range(900): [for j in range(1000): {a = {c = j}}]]\n"),
        text("`yamldecode` of `- {}`, 1,000,000 times", "eval -f a.hcl", "", || "a = length(yamldecode(join(\"\", [for i in range(1000): join(\"\", [for j in range(1000): \"- {}\\n\"])])))\n"),
        decoded("4,000,000 blocks by `dynamic` blocks in each other", "decode --dynamic -s spec.hcldec a.hcl", "", || "block_tuple {\n  block_type = \"b\"\n  block_tuple {\n    block_type = \"c\"\n    attr {\n      name = \"a\"\n      type = number\n    }\n  }\n}\n".to_owned(), || format!("dynamic \"b\" {{\n  for_each = [{0}]\n  content {{\n    dynamic \"c\" {{\n      for_each = [{0}]\n      content {{\n      }}\n    }}\n  }}\n}}\n", numbers(2_000))),
        text("`split(\"\", …)` of 4 MB", "eval -f a.hcl --output json", "", || format!("a = split(\"\", join(\"\", [for i in range(1000): join(\"\", [for j in range(1000): \"{}\"])]))\n", "xyzw")),
        text("`[for z in e: z]` of an empty `e`, 1,000,000 times", "eval -f a.hcl --output json", "", || "a = [for e in [[]] : [for i in range(1000): [for j in range(1000): [for z in e: z]]]]\n"),
        text("`jsondecode` of `{\"a\":{}}`, 1,000,000 times", "eval -f a.hcl --output json", "1.4 GB for 2.5 times as many", move || format!("a = {}\n", json(1_000, "{\\\"a\\\":{}}"))),
        text("`jsondecode` of 300,000 objects, in a loop", "eval -f a.hcl", "6.1 GB for 100 turns", move || format!("a = [for i in range(100): {}]\n", json(300, "{\\\"a\\\":{}}"))),
        text("`csvdecode` of 1,000,000 rows of 3 columns", "eval -f a.hcl --output json", "", || "a = csvdecode(\"a,b,c\\n${join(\"\", [for i in range(1000): join(\"\", [for j in range(1000): \"1,2,3\\n\"])])}\")\n"),
        text("`tolist` of a nested tuple, in a loop", "eval -f a.hcl", "2.9 GB for 200 turns", || format!("a = [for i in range(200): tolist([[{}], [\"a\"]])]\n", numbers(100_000))),
        decoded("100,000 blocks by `dynamic`, by a spec of 10,000 arguments", "decode --dynamic -s spec.hcldec a.hcl", "over 12 GB", || format!("block_tuple {{\n  block_type = \"b\"\n  object {{\n{}  }}\n}}\n", each(10_000, "", |at| format!("attr \"a{at}\" {{ type = number }}\n"))), || format!("dynamic \"b\" {{\n  for_each = [{}]\n  content {{\n  }}\n}}\n", numbers(100_000))),
        decoded("400,000 blocks as a map by two labels", "decode -s spec.hcldec a.hcl", "", || "block_map {\n  block_type = \"b\"\n  labels = [\"x\", \"y\"]\n  attr {\n    name = \"a\"\n    type = number\n  }\n}\n".to_owned(), || each(400_000, "", |at| format!("b \"l{}\" \"m{at}\" {{\n  a = {at}\n}}\n", at % 50))),
        text("a heredoc of 400,000 templates, 10 MB", "eval -f a.hcl --output json", "", || format!("a = <<E\n{}E\n", "text ${1} and ${\"more\"}\n".repeat(400_000))),
        text("`sha512` of 8 MB of text, 1,000,000 times", "eval -f a.hcl", "hours", || turns(1_000, "sha512(s)")),
        text("text of 8 MB compared 1,000,000 times", "eval -f a.hcl", "hours", || turns(1_000, "s == s")),
        text("`jsondecode` of 8 MB that is not JSON, 1,000,000 times", "eval -f a.hcl", "hours", || turns(1_000, "can(jsondecode(s))")),
        text("a list of 20,000 numbers compared 1,000,000 times", "eval -f a.hcl", "hours", || format!("a = [for l in [[{0}]] : [for m in [[{0}]] : length([for i in range(1000): [for j in range(1000): l == m]])]]\n", numbers(20_000))),
        row("a template of 1 MB with errors, rendered 1,000,000 times", "eval -f a.hcl --allow-fs .", "hours", || files([("t", "${".repeat(500_000)), ("a.hcl", "a = length([for i in range(1000): [for j in range(1000): can(templatefile(\"t\", {}))]])\n".to_owned())])),
        text("1.2 MB of blocks, nested 490 deep", "convert a.hcl", "770 MB are written", || format!("{}{}", "b {\n".repeat(490), "}\n".repeat(490)).repeat(400)),
    ]
}
