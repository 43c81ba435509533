//! Values that share parts: they take little memory, but are endless when written in full. Each command ends on them, with
//! little memory.

use std::process::{Command, Output, Stdio};

use hclkit_test_cases::is_tried;

use crate::exit_codes::{SMALL_LIMITS, commands};
use crate::program::{Folder, assert_usage, program};

/// The levels of each shape.
const LEVELS: usize = 40;

/// How a level contains the next one, `N`, and the one after it, `M`.
const STRUCTURES: [&str; 6] =
    ["[N, N]", "{ a = N, b = N }", "[N, M]", "tolist([N, N])", "[N, [N]]", "{ a = [N, M], b = [N] }"];

/// The last one has a type that only a provider knows.
const BOTTOMS: [&str; 4] = ["null", "\"x\"", "sensitive(1)", "p_q.r.s"];

/// What is computed from the first two levels, `A` and `B`.
const RESULTS: [&str; 14] = [
    "setunion([A, A], A)",
    "setsubtract([A, [B]], A)",
    "distinct([A, B])",
    "ephemeralasnull(A)",
    "setintersection([A, B], [B, A])",
    "matchkeys([A], [A], [B])",
    "tolist([A, B, [A]])",
    "jsonencode(A)",
    "flatten([A, B])",
    "A == [A, B]",
    "true ? A : B",
    "merge({ a = A }, { b = B })",
    "toset([A, [A], B])",
    "A",
];

/// A module with a shape, and with results computed from it.
fn module(structure: &str, bottom: &str, results: &[&str]) -> String {
    let level = |at: usize| {
        let next = |by: usize| format!("local.a{}", (at + by).min(LEVELS));
        format!("a{at}={}\n", structure.replace('N', &next(1)).replace('M', &next(2)))
    };
    let result = |(at, result): (usize, &&str)| {
        format!("x{at}={}\n", result.replace('A', "local.a0").replace('B', "local.a1"))
    };
    let levels: Vec<String> = (0..LEVELS).map(level).collect();
    let results: Vec<String> = results.iter().enumerate().map(result).collect();
    let resource = "resource \"p_q\" \"r\" {\n}\n";
    format!("{resource}locals {{\n{}a{LEVELS}={bottom}\n{}}}\n", levels.concat(), results.concat())
}

/// A shape as an expression without references, as deep as sources may be. The structure is that of a tuple or an object.
fn expression(structure: &str, bottom: &str) -> String {
    let structure = if structure.starts_with('{') { "{ a = v, b = v }" } else { "[v, [v]]" };
    (0..LEVELS).fold(bottom.replace("sensitive(1)", "true").replace("p_q.r.s", "null"), |value, _| {
        format!("[for v in [{value}] : {structure}][0]")
    })
}

/// The runs of each command. `m/main.tf` is a module, and `a.hcl`, `a.hcldec` and `a.edits` contain a shape. Empty lists are
/// for commands that read nothing.
fn runs(command: &str) -> &'static [&'static [&'static str]] {
    match command {
        "decode" => &[&["-s", "attr.hcldec", "a.hcl"], &["-s", "a.hcldec", "b.hcl"]],
        "schema" => &[&["-s", "a.hcldec"], &["m"]],
        "check" => &[&["m"], &["a.hcl"], &["-s", "attr.hcldec", "a.hcl"]],
        "fmt" => &[&["--check", "m", "a.hcl"]],
        "edit" => &[&["--delete", "b~[a == a]", "a.hcl"], &["--script", "a.edits", "a.hcl"]],
        "query" => &[
            &["--json", "a", "a.hcl"],
            &["b~[length(a) == 1]", "a.hcl"],
            &["--expr", "a == [a]", "a.hcl"],
            &["--expr", "--json", "[a, b]", "a.hcl"],
        ],
        "rename" => &[&["local.a1", "y", "m"]],
        "refs" => &[&["local.a1", "m"]],
        "split" => &[&["m"]],
        "test" => &[&["--rules", "builtin:all", "m", "a.hcl"]],
        "convert" => &[&["a.hcl"], &["--literal", "a.hcl"], &["--spec", "a.hcldec", "b.json"]],
        "eval" => &[
            &["m"],
            &["m", "--partial"],
            &["m", "--output", "json"],
            &["m", "--output", "typed"],
            &["m", "--output", "table"],
            &["m", "--show-sensitive"],
            &["m", "local.x0", "--explain"],
            &["m", "local.*[self == 1]"],
            &["-f", "a.hcl"],
            &["-f", "a.hcl", "--partial"],
            &["-f", "a.hcl", "--output", "json"],
        ],
        "console" => &[&["--no-history", "m"]],
        "docs" => &[&["m"], &["--output", "json", "m"]],
        "graph" => &[&["m"]],
        "diff" => &[&["m", "small"], &["small", "m", "--explain"], &["m", "m", "--output", "json"]],
        "tables" => {
            &[&["--table", "values", "m"], &["--table", "instances", "m"], &["--table", "files", "m"]]
        }
        "dump" => &[&["tree", "a.hcl"]],
        "merge" => &[&["b.json", "a.hcl", "m/main.tf", "--result", "-"]],
        "explain" | "completions" | "lsp" | "mcp" | "man" | "help" => &[],
        other => panic!("list runs of `hcl {other}` on values that share parts"),
    }
}

/// Runs the program with at most 1 GB of memory and a minute of processor time.
fn run(folder: &Folder, words: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 1000000; ulimit -t 60; exec \"$@\"", "sh"]).arg(program()).args(words);
    folder.write("input", "local.x0\nlocal.a0 == local.a1\nlocal.a0\n:vars\n:type local.a0\n");
    let input = std::fs::File::open(folder.path("input")).unwrap();
    command.stdin(Stdio::from(input)).current_dir(folder.path("")).output().unwrap()
}

/// What is wrong with the end of a run.
fn problem(ended: &Output) -> Option<String> {
    let errors = String::from_utf8_lossy(&ended.stderr);
    let is_fine = matches!(ended.status.code(), Some(0..=2)) && !errors.contains("panicked");
    let size = ended.stdout.len() + ended.stderr.len();
    (!is_fine || size > 4 << 20).then(|| format!("{}, {size} bytes: {errors:.300}", ended.status))
}

/// With one of four combinations of a structure and a bottom, so that each of them occurs.
#[test]
fn every_command_ends_on_values_that_share_parts() {
    let folder = Folder::with(&[
        ("attr.hcldec", "attr \"a\" {\n  type = any\n}\n"),
        ("b.hcl", "a = 1\n"),
        ("b.json", "{\"a\": 1}\n"),
        ("small/main.tf", "locals {\n  a0 = 1\n}\noutput \"o\" {\n  value = local.a0\n}\n"),
    ]);
    let commands = commands(&folder);
    let mut failed = Vec::new();
    let shapes = STRUCTURES.iter().flat_map(|structure| BOTTOMS.map(|bottom| (structure, bottom)));
    for (turn, (structure, bottom)) in shapes.enumerate() {
        if !is_tried(turn / BOTTOMS.len() + turn, 4) {
            continue;
        }
        let results = [RESULTS[turn % RESULTS.len()], RESULTS[(turn * 5 + 3) % RESULTS.len()]];
        let shape = expression(structure, bottom);
        folder.write("m/main.tf", module(structure, bottom, &results));
        folder.write("a.hcl", format!("a = {shape}\nb {{\n  a = {shape}\n}}\n"));
        folder.write("a.hcldec", format!("literal {{\n  value = {shape}\n}}\n"));
        let script = format!("match \"b\" {{\n  where = length({shape}) == 1\n  delete = [\".\"]\n}}\n");
        folder.write("a.edits", script);
        for command in &commands {
            for words in runs(command) {
                let words: Vec<&str> = [&[command.as_str()], *words, &SMALL_LIMITS].concat();
                let ended = run(&folder, &words);
                assert_usage(&words, &ended.stderr);
                if let Some(problem) = problem(&ended) {
                    failed.push(format!("{structure} of {bottom}, {results:?}: {words:?}: {problem}"));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Elements whose types only a provider knows are compared with those beside them.
#[test]
fn types_of_providers_end_within_the_default_limits() {
    let folder = Folder::with(&[]);
    let results = ["tolist([A, 1])", "toset([A, [B]])", "distinct([A, 1])", "true ? A : [B]", "concat(A, B)"];
    for (row, structure) in STRUCTURES.into_iter().enumerate() {
        for (column, result) in results.into_iter().enumerate() {
            if !is_tried(row + column, 4) {
                continue;
            }
            folder.write("m/main.tf", module(structure, "[p_q.r.s, 1]", &[result]));
            for words in [&["check", "m"][..], &["eval", "m", "local.x0"]] {
                let ended = run(&folder, words);
                assert_eq!(problem(&ended), None, "{structure}, {result}: {words:?}");
                let messages = String::from_utf8_lossy(&ended.stderr);
                assert!(words[0] == "eval" || !messages.contains("limit"), "{result}: {messages}");
            }
        }
    }
}

#[test]
fn a_small_module_ends_within_the_default_limits() {
    let folder = Folder::with(&[]);
    for (_, result) in RESULTS.into_iter().enumerate().filter(|(at, _)| is_tried(*at, 2)) {
        folder.write("m/main.tf", module("[N, N]", "null", &[result]));
        for words in [&["check", "m"][..], &["eval", "m"], &["eval", "m", "--partial"]] {
            let ended = run(&folder, words);
            assert_eq!(problem(&ended), None, "{result}: {words:?}");
            // Only a check writes no value.
            assert!(words[0] == "check" || ended.status.code() != Some(0), "{result}: {words:?}");
        }
    }
}
