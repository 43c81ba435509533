//! The inputs of the chore `scaling`. A row has a name, the smaller size, a function that generates an input of a size,
//! and the tasks to run on it. `.most(…)` sets a bound other than that of linear time, and `.quick()` includes the row
//! in `.ci/run`.
//!
//! Most work ends after 1,000 errors, so inputs that are full of errors have sizes of 2,000 and more.

use hclkit_test_cases::circles::SHAPES;

use super::Task;
use super::shapes::{SHAPES as TEXTS, TIRING};

/// A file, and what some tasks need: a spec, further arguments, and files in a separate directory.
#[derive(Default)]
pub(super) struct Input {
    pub(super) text: Vec<u8>,
    pub(super) spec: String,
    pub(super) arguments: Vec<String>,
    pub(super) tree: Vec<(String, String)>,
}

/// One kind of input.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) size: usize,
    pub(super) tasks: &'static [Task],
    /// The maximum ratio of the instructions for four times the size.
    pub(super) most: f64,
    pub(super) quick: bool,
    pub(super) input: Box<dyn Fn(usize) -> Input + Send + Sync>,
}

/// For linear time the ratio is 4, for `n log n` about 5 at these sizes, and for quadratic time 16.
const LINEAR: f64 = 4.7;
pub(super) const SORTED: f64 = 5.5;

impl Row {
    pub(super) fn most(mut self, most: f64) -> Self {
        self.most = most;
        self
    }

    fn quick(mut self) -> Self {
        self.quick = true;
        self
    }
}

/// A row whose input is a text.
fn row<T: Into<Vec<u8>>>(
    name: &'static str,
    size: usize,
    tasks: &'static [Task],
    text: impl Fn(usize) -> T + Send + Sync + 'static,
) -> Row {
    from(name, size, tasks, move |size| Input { text: text(size).into(), ..Input::default() })
}

/// Blocks in each other, with long names, and a text in the innermost one.
fn deep(levels: usize, text: &str) -> String {
    format!("{}{text}{}", format!("{} {{\n", "n".repeat(1_000)).repeat(levels), "}\n".repeat(levels))
}

/// A row whose input has several parts.
pub(super) fn from(
    name: &'static str,
    size: usize,
    tasks: &'static [Task],
    input: impl Fn(usize) -> Input + Send + Sync + 'static,
) -> Row {
    let input = Box::new(input);
    Row { name, size, tasks, most: LINEAR, quick: false, input }
}

/// A row whose input is a file to edit. It is written, because the time of a diff is limited by the clock.
fn edited(
    name: &'static str,
    size: usize,
    edit: &'static str,
    text: impl Fn(usize) -> String + Send + Sync + 'static,
) -> Row {
    from(name, size, &[Task::Edit], move |size| Input {
        text: text(size).into(),
        arguments: vec!["--write".to_owned(), edit.to_owned()],
        ..Input::default()
    })
}

/// A row whose input is a text and a spec.
fn with_spec(
    name: &'static str,
    size: usize,
    tasks: &'static [Task],
    spec: impl Fn(usize) -> String + Send + Sync + 'static,
    text: impl Fn(usize) -> String + Send + Sync + 'static,
) -> Row {
    from(name, size, tasks, move |size| Input {
        text: text(size).into(),
        spec: spec(size),
        ..Input::default()
    })
}

/// A row whose input is a module.
pub(super) fn module(
    name: &'static str,
    size: usize,
    tasks: &'static [Task],
    files: impl Fn(usize) -> Vec<(&'static str, String)> + Send + Sync + 'static,
) -> Row {
    let tree = move |size| files(size).into_iter().map(|(name, text)| (name.to_owned(), text)).collect();
    from(name, size, tasks, move |size| Input { tree: tree(size), ..Input::default() }).most(SORTED)
}

/// Three versions of a file of blocks, each third of which one side changed, or both.
fn versions(size: usize, block: impl Fn(usize, usize) -> String, has_conflicts: bool) -> Input {
    let text = |side: usize| {
        each(size, "", |at| block(at, if at % 3 == side || has_conflicts && at % 3 == 0 { side } else { 0 }))
    };
    let names = ["base", "ours", "theirs"].iter().enumerate();
    Input {
        tree: names.map(|(side, name)| (format!("{name}.hcl"), text(side))).collect(),
        ..Input::default()
    }
}

/// Modules whose names refer to themselves and each other.
pub(super) fn circles() -> impl Iterator<Item = Row> {
    SHAPES.into_iter().flat_map(|shape| {
        [false, true].map(|json| {
            let input = move |size| Input { tree: shape.files(size, json), ..Input::default() };
            let tasks = &[Task::Module, Task::ModuleExplain, Task::Unknown, Task::Graph];
            let most = match shape.name {
                // Each of up to 1,000 explained values looks for its part among those of the object.
                "objects that contain themselves" => 16.0,
                // The error shows more of the circle.
                "local values in a circle" => 7.0,
                // Each call asks for the results of those whose values are being computed.
                "calls with results of each other" => 16.0,
                _ => SORTED,
            };
            let row = from(shape.name, 100, tasks, input).most(most);
            if shape.name == "a local value of its own attributes" { row.quick() } else { row }
        })
    })
}

/// A row whose input is a Bake file.
fn bake(
    name: &'static str,
    size: usize,
    tasks: &'static [Task],
    text: impl Fn(usize) -> String + Send + Sync + 'static,
) -> Row {
    module(name, size, tasks, move |size| vec![("docker-bake.hcl", text(size))])
}

/// The group of all targets of a Bake file.
fn group(size: usize) -> String {
    format!("group \"default\" {{\n  targets = [{}]\n}}\n", each(size, ", ", |at| format!("\"t{at}\"")))
}

/// A text that consists of the results of a function for each number.
pub(super) fn each(count: usize, separator: &str, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(separator)
}

/// A row for each shape that tests of the parser use. The tasks alternate.
fn shapes() -> impl Iterator<Item = Row> {
    const TASKS: [&[Task]; 4] = [&[Task::Check], &[Task::Fix], &[Task::Tokens], &[Task::CheckJson]];
    TEXTS.iter().chain(TIRING).zip(TASKS.into_iter().cycle()).map(
        |(&[first, open, middle, close, last], tasks)| {
            row(open, 3_000, tasks, move |size| {
                format!("{first}{}{middle}{}{last}", open.repeat(size), close.repeat(size))
            })
            .most(SORTED)
        },
    )
}

/// Values that share parts, with this many levels: each level contains the previous one twice.
fn doubled(levels: usize, first: &str) -> String {
    let loops = each(levels, "", |level| match level {
        0 => format!("[for v0 in [{first}] : "),
        _ => format!("[for v{level} in [[v{0}, v{0}]] : ", level - 1),
    });
    format!("{loops}v{}{}", levels - 1, "]".repeat(levels))
}

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Row> {
    use Task::{Check, CheckGithub, CheckJson, CheckSarif, CheckSpec, CheckTree, Console, Convert, Decode, Edit, Eval, EvalCsv, EvalJson,
        EvalTyped, Explain, Fix, Fmt, Graph, Module, ModuleJson, Partial, Query, QueryTree, Refs, Rename, RenameCallers, Schema, Script, Split, Template,
        Tokens, Tree, Unknown, Merge};
    let n = |count: usize| 0..count;
    let one_line = |size: usize| format!("a = {{{}}}\n", each(size, ", ", |at| format!("/* {at} */ b{} = {at}", 7_919 * at % size)));
    let spec = |size: usize| format!("object {{\n{}}}\n", each(size, "", |at| format!("attr \"name{at}\" {{ type = number }}\n")));
    let mut rows = vec![
        row("rows of a table", 500, &[EvalCsv], |size| format!("a = [{}]\n", each(size, ", ", |at| format!("{{ b = {at}, c = \"x\" }}")))),
        row("plain attributes", 1_000, &[Check, Tokens, Tree, Eval, EvalJson, Convert, Fmt], |size| each(size, "", |at| format!("a{at} = [{at}, \"x\"]\n"))).most(SORTED),
        row("plain blocks", 500, &[Check, Eval, EvalJson, Convert, Fmt], |size| each(size, "", |at| format!("b \"l{at}\" {{\n  a = {at}\n}}\n"))).most(SORTED).quick(),
        from("versions of named blocks", 200, &[Merge], |size| versions(size, |at, value| format!("b \"l{at}\" {{\n  a = {value}\n}}\n\n"), true)).most(SORTED),
        from("versions of equal blocks", 2_000, &[Merge], |size| versions(size, |_, value| format!("b {{\n  a = {value}\n}}\n"), false)).most(SORTED),
        from("versions of objects", 200, &[Merge], |size| versions(size, |at, value| format!("a{at} = {{ x = {value}, y = [{at}] }}\n"), true)).most(SORTED),
        row("nested blocks", 20, &[Check, Eval, Convert, Fmt], |size| format!("{}{}", "b {\n".repeat(100), "}\n".repeat(100)).repeat(size)).most(SORTED),
        row("blocks in blocks with long names", 60, &[Eval, Explain, Convert, Fmt], |size| deep(size, "a = b\n")),
        from("references in blocks with long names", 60, &[Refs], |size| Input { tree: vec![("main.tf".into(), format!("variable \"x\" {{}}\n{}", deep(size, &each(10 * size, "", |at| format!("a{at} = var.x\n")))))], ..Input::default() }),
        with_spec("a spec of blocks in blocks with long names", 60, &[Schema], |size| format!("object {{\n{}{}}}\n", format!("block_list \"b\" {{\n  block_type = \"{}\"\n  object {{\n", "n".repeat(1_000)).repeat(size), "}\n}\n".repeat(size)), |_| String::new()),
        row("a template", 1_000, &[Template], |size| "text ${x} %{ if x == 1 }yes%{ endif }\n".repeat(size)).quick(),
        row("an object of many attributes", 1_000, &[Eval, EvalJson, EvalTyped, Explain], |size| format!("a = {{{}}}\n", each(size, ", ", |at| format!("k{at} = {at}")))).most(SORTED),

        row("missing commas", 2_000, &[Check, CheckJson, CheckSarif, CheckGithub, Fix], |size| format!("a = [{}]\n", "1 ".repeat(size))).quick(),
        row("wide missing commas", 2_000, &[Check, CheckJson], |size| format!("a = [\"{}\", {}]\n", "é".repeat(10 * size), "1 ".repeat(size))).quick(),
        row("commas", 50_000, &[Check], |size| ",".repeat(size)),
        row("bytes of no character", 50_000, &[Check, CheckJson], |size| vec![0xff; size]).quick(),
        row("tokens of a wide line", 5_000, &[Tokens], |size| format!("a = [{}]\n", "\"é\", ".repeat(size))).quick(),

        row("misspelled attributes", 2_000, &[Eval], |size| format!("a = [for o in [{{{}}}] : [{}]]\n", each(size, ", ", |at| format!("key{at} = 1")), each(size, ", ", |at| format!("o.kye{at}")))).most(SORTED),
        with_spec("misspelled arguments", 2_000, &[Decode, CheckSpec], spec, |size| each(size, "", |at| format!("nxme{at} = 1\n"))).most(SORTED),
        with_spec("right arguments", 500, &[Decode], spec, |size| each(size, "", |at| format!("name{at} = 1\n"))).most(SORTED).quick(),
        row("entries by key", 500, &[Eval], |size| format!("a = [for o in [{{{}}}] : [for k, v in o : [o[k], lookup(o, k, 0)]]]\n", each(size, ", ", |at| format!("k{at} = {at}")))).most(SORTED).quick(),
        row("errors in a chain", 2_000, &[Eval], |size| format!("a = {}1\n", "1 || ".repeat(size))).quick(),
        row("unknowns in a chain", 1_000, &[Partial], |size| format!("a = {}u.a\n", "u.a || ".repeat(size))).quick(),
        row("attributes of an unknown", 1_000, &[Partial], |size| format!("a = [{}]\n", each(size, ", ", |at| format!("u.a{at}")))).most(SORTED).quick(),
        row("calls in calls", 100, &[Partial], |size| format!("a = {}u.a{}\n", "upper(".repeat(size), ")".repeat(size))).quick(),
        row("sums in sums", 100, &[Explain], |size| format!("a = {}1{}\n", "(max(1, 2)+".repeat(size), ")".repeat(size))).quick(),
        // Each level visits all errors in it, of which 1,000 are kept.
        row("errors in sums in sums", 100, &[Explain], |size| format!("a = {}u{}\n", "(u+".repeat(size), ")".repeat(size))).most(17.0),
        row("objects in objects", 100, &[Explain], |size| format!("a = {}u{}\n", "{a=".repeat(size), "}".repeat(size))),
        row("loops next to each other", 200, &[Explain], |size| format!("a = [{}]\n", "[for v in [1, 2] : v + 1], ".repeat(size))),
        row("splats in a chain", 5_000, &[Eval, Explain], |size| format!("a = u{}\n", ".*.a[0]".repeat(size))).quick(),
        row("lines that end a heredoc", 5_000, &[Eval, EvalJson, Convert], |size| format!("a = \"{}\"\n", "EOT\\n".repeat(size))).quick(),
        row("marked results of calls", 500, &[Eval], |size| format!("a = [{}]\n", "sensitive(1), ".repeat(size))).most(SORTED),
        row("distinct keys", 500, &[Eval], |size| format!("a = {{for s in [{}] : s => s...}}\n", each(size, ", ", |at| format!("\"k{at}\"")))).most(SORTED),

        row("matchkeys", 500, &[Eval], move |size| format!("a = matchkeys([{0}], [{0}], [{0}])\n", each(n(size).len(), ", ", |at| at.to_string()))).most(SORTED).quick(),
        row("setunion of many", 250, &[Eval], |size| format!("a = setunion({})\n", each(size, ", ", |at| format!("[{at}]")))).most(SORTED).quick(),
        row("setintersection of many", 250, &[Eval], |size| format!("a = setintersection({})\n", each(size, ", ", |at| format!("[1, {at}]")))).most(SORTED),
        row("setsubtract", 500, &[Eval], |size| format!("a = setsubtract([{}], [{}])\n", each(size, ", ", |at| at.to_string()), each(size, ", ", |at| (at + 7).to_string()))).most(SORTED),
        row("distinct", 500, &[Eval], |size| format!("a = distinct([{}])\n", each(size, ", ", |at| at.to_string()))).most(SORTED),
        row("merge of many", 250, &[Eval], |size| format!("a = merge({})\n", each(size, ", ", |at| format!("{{k{at} = 1}}")))).most(SORTED),
        row("concat of many", 250, &[Eval], |size| format!("a = concat({})\n", each(size, ", ", |at| format!("[{at}]")))).most(SORTED),
        row("toset of objects", 250, &[Eval], |size| format!("a = toset([{}])\n", each(size, ", ", |at| format!("{{a = {at}}}")))).most(SORTED).quick(),
        row("large numbers", 250, &[Eval], |size| format!("a = length(toset([{}]))\n", each(size, ", ", |at| format!("1e{}", 900_000 + at)))).most(SORTED),

        row("a name that is long", 2_000, &[Eval, EvalJson, EvalTyped, Explain, Convert, Fmt, Tree], |size| format!("{} = 1\n{}", "n".repeat(10 * size), each(size, "", |at| format!("a{at} = {at}\n")))).most(SORTED).quick(),
        row("marked operands in a chain", 500, &[Eval], |size| format!("a = nonsensitive({}1)\n", "sensitive(1) + ".repeat(size))),
        row("one mark on all elements", 500, &[Eval], |size| format!("a = nonsensitive(length([for x in [{}] : sensitive(x)]))\n", "1, ".repeat(size))),
        row("templates in JSON text", 1_000, &[Partial], |size| format!("a = jsondecode(\"[{}1]\")\n", "1,".repeat(size))),
        row("objects in JSON text", 500, &[Eval], |size| format!("a = length(jsondecode(\"[{}{{}}]\"))\n", "{\\\"a\\\":{}},".repeat(size))).quick(),
        row("heredocs of lines with EOT", 2_000, &[Check, Eval, Fmt, Convert], |size| format!("a = <<EOT\n{}EOT\n", "  xEOT ${1} EOTx\n".repeat(size))).quick(),
        row("comments that are aligned", 1_000, &[Fmt], |size| each(size, "", |at| format!("a{at}   = {at}   # {at}\n"))).most(SORTED).quick(),
        row("one line that is long", 5_000, &[Fmt, Convert], |size| format!("a=[{}]\n", "\"é\",x ,".repeat(size))).quick(),
        // Each match reads the rest of the text, and short texts are searched faster; see docs/security.md.
        row("matches to the end of the text", 2_000, &[Eval], |size| format!("a = length(regexall(\"a(?:.*b)?\", \"{}\"))\n", "a".repeat(size))).most(55.0),
        row("matches of one character", 2_000, &[Eval], |size| format!("a = length(regexall(\"a\", \"{}\"))\n", "a".repeat(size))),

        with_spec("dynamic blocks", 100, &[Decode], |_| "block_tuple {\n  block_type = \"b\"\n  attr {\n    name = \"a\"\n    type = number\n  }\n}\n".to_owned(), |size| "dynamic \"b\" {\n  for_each = [1, 2, 3]\n  content {\n    a = b.value\n  }\n}\n".repeat(size)).quick(),
        with_spec("elements of a dynamic block", 500, &[Decode], |_| "block_list {\n  block_type = \"b\"\n  attr {\n    name = \"a\"\n    type = number\n  }\n}\n".to_owned(), |size| format!("dynamic \"b\" {{\n  for_each = [{}]\n  content {{\n    a = b.value\n  }}\n}}\n", "1, ".repeat(size))),
        with_spec("blocks with labels", 500, &[Decode, Convert], |_| "block_map {\n  block_type = \"b\"\n  labels = [\"x\", \"y\"]\n  attr {\n    name = \"a\"\n    type = number\n  }\n}\n".to_owned(), |size| each(size, "", |at| format!("b \"l{}\" \"m{at}\" {{\n  a = {at}\n}}\n", at % 50))).most(SORTED).quick(),
        with_spec("a set of blocks", 500, &[Decode], |_| "block_set {\n  block_type = \"b\"\n  attr {\n    name = \"a\"\n    type = number\n  }\n}\n".to_owned(), |size| each(size, "", |at| format!("b {{\n  a = {at}\n}}\n"))).most(SORTED),
        with_spec("a spec of many arguments", 500, &[Decode, Schema], spec, |_| String::new()).most(SORTED).quick(),
        with_spec("a deep spec", 100, &[Decode, Schema], |size| format!("{}attr {{\n  name = \"a\"\n  type = string\n}}\n{}", "default {\n".repeat(size), "}\n".repeat(size)), |_| String::new()),

        // Each path is searched for in the whole file, and the system limits the number of arguments.
        from("edits", 100, &[Edit], |size| Input { text: each(size, "", |at| format!("a{at} = {at}\n")).into(), arguments: (0..size).map(|at| format!("a{at}=x")).collect(), ..Input::default() }).most(17.0),
        from("edits of one attribute", 100, &[Edit], |size| Input { text: b"a = [1]\n".to_vec(), arguments: (0..size).map(|at| format!("--append=a={at}")).collect(), ..Input::default() }),
        from("an edit of everything", 500, &[Edit], |size| Input { text: each(size, "", |at| format!("b \"l{at}\" {{\n  a = [{at}]\n}}\n")).into(), arguments: vec!["b.*.a[*]=x".to_owned()], ..Input::default() }).quick(),
        from("objects that are created", 200, &[Edit], |size| Input { text: each(size, "", |at| format!("b \"l{at}\" {{\n  a = {{}}\n}}\n")).into(), arguments: vec!["--create".to_owned(), "b.*.a.x.y=1".to_owned()], ..Input::default() }),
        from("a removal of everything", 500, &[Edit], |size| Input { text: each(size, "", |at| format!("b \"l{at}\" {{\n  a = [{at}]\n}}\n")).into(), arguments: vec!["--delete=b.*".to_owned()], ..Input::default() }),
        edited("values to set on one line", 2_000, "a.*=x", one_line),
        edited("items to remove on one line", 2_000, "--delete=a.*", one_line),
        edited("items to insert on one line", 2_000, "--before=a.*=x = 1", one_line),
        edited("items to move on one line", 2_000, "--move=a.*=b", move |size| one_line(size).replace('\n', "\nb = {}\n")),
        edited("items to sort on one line", 2_000, "--sort=a.*", one_line).most(SORTED).quick(),
        edited("items to insert on lines", 2_000, "--before=a.*=x = 1", |size| format!("a = {{\n{}}}\n", each(size, "", |at| format!("  b{at} = {at}\n")))),
        edited("items with comments to remove", 1_000, "--delete=a.*", |size| format!("a = {{\n{}}}\n", each(size, "", |at| format!("  b{at} = {at} # {at}\n")))),
        edited("every second item to remove", 1_000, "--delete=b", |size| "b {\n}\nc {\n}\n".repeat(size)),
        edited("blocks to sort", 1_000, "--sort=b", |size| each(size, "", |at| format!("# {at}\nb \"l{}\" {{\n  a = 1\n}}\n", 7_919 * at % size))).most(SORTED),
        with_spec("edits of a paragraph by a script", 500, &[Script], |_| "match \"b\" {\n  set = {\n    x = 2\n    y = 3\n  }\n}\n".to_owned(), |size| "b {\n x = 1\n}\n".repeat(size)).quick(),
        with_spec("insertions by a script", 500, &[Script], |_| "match \"b\" {\n  insert \"before\" {\n    c {}\n  }\n}\n".to_owned(), |size| "b {\n  x = 1\n}\n".repeat(size)),
        with_spec("moves by a script", 200, &[Script], |_| "match \"b\" {\n  move = \"c\"\n}\n".to_owned(), |size| format!("{}c {{\n}}\n", "b {\n  x = 1\n}\n".repeat(size))),
        with_spec("renames by a script", 500, &[Script], |_| "match \"b.*\" {\n  rename = { \".\" = \"c\" }\n}\n".to_owned(), |size| each(size, "", |at| format!("b \"l{at}\" {{\n x = 1\n}}\n"))),
        from("blocks to split off", 300, &[Split], |size| Input { tree: vec![("main.tf".to_owned(), each(size, "", |at| format!("# {at}\nvariable \"x{at}\" {{\n}}\n")))], ..Input::default() }).most(SORTED).quick(),
        from("references to a name", 300, &[Rename, Refs], |size| Input { tree: vec![("main.tf".to_owned(), format!("variable \"x\" {{\n}}\n{}", each(size, "", |at| format!("locals {{\n l{at} = var.x\n}}\n"))))], ..Input::default() }).most(SORTED).quick(),
        from("a query at any depth", 500, &[Query], |size| Input { text: each(size, "", |at| format!("b {{\n  c {{\n    a = {{ a = {at} }}\n  }}\n}}\n")).into(), arguments: vec!["..a".to_owned()], ..Input::default() }).quick(),
        from("a query at any depth, again and again", 20, &[Query], |size| Input { text: format!("{}a = 1\n{}", "a {\n".repeat(size), "}\n".repeat(size)).into(), arguments: vec!["..a..a..a".to_owned()], ..Input::default() }).most(17.0),
        from("a query with a predicate", 500, &[Query], |size| Input { text: each(size, "", |at| format!("b \"l{at}\" {{\n  a = {at}\n}}\n")).into(), arguments: vec!["b.*[a > 5]".to_owned()], ..Input::default() }).quick(),
        from("a long path", 200, &[Query], |size| Input { text: format!("{}a = 1\n{}", "a {\n".repeat(200), "}\n".repeat(200)).into(), arguments: vec![format!("a{}", ".a".repeat(size))], ..Input::default() }),

        from("broken files", 50, &[CheckTree], |size| Input { tree: (0..size).map(|at| (format!("f{at}.hcl"), "a = [1 1]\n".repeat(20))).collect(), ..Input::default() }).most(SORTED),
        from("files to query", 50, &[QueryTree], |size| Input { tree: (0..size).map(|at| (format!("f{at}.hcl"), each(20, "", |at| format!("a{at} = 1\n")) + "a = 1\n")).collect(), ..Input::default() }).most(SORTED),
        from("lines of an ignore file", 200, &[CheckTree], |size| Input { tree: vec![(".gitignore".to_owned(), each(size, "", |at| format!("x{at}*.hcl\n"))), ("a.hcl".to_owned(), "a = 1\n".to_owned())], ..Input::default() }).most(SORTED),
        from("ignore files in directories", 50, &[CheckTree], |size| Input { tree: (0..size).flat_map(|at| [(format!("d{at}/.gitignore"), "x*.hcl\n".to_owned()), (format!("d{at}/a.hcl"), "a = 1\n".to_owned())]).collect(), ..Input::default() }).most(SORTED),
        from("files of a fileset", 50, &[Eval], |size| Input { text: b"a = length(fileset(\"tree\", \"**/*.hcl\"))\n".to_vec(), tree: (0..size).map(|at| (format!("d{}/f{at}.hcl", at % 10), String::new())).collect(), ..Input::default() }).most(SORTED),

        module("locals of a module", 500, &[Module, ModuleJson, Graph], |size| vec![("main.tf", format!("locals {{\n{}}}\n", each(size, "", |at| format!("v{at} = {at}\n"))))]).quick(),
        module("a chain of locals", 500, &[Module, Graph], |size| vec![("main.tf", format!("locals {{\n{}v{size} = nope\n}}\noutput \"o\" {{\n  value = local.v0\n}}\n", each(size, "", |at| format!("v{at} = local.v{}\n", at + 1))))]),
        module("locals in a cycle", 500, &[Module], |size| vec![("main.tf", format!("locals {{\n{}}}\n", each(size, "", |at| format!("v{at} = local.v{}\n", (at + 1) % size))))]),
        module("values of variables", 500, &[Module], |size| vec![("main.tf", each(size, "", |at| format!("variable \"v{at}\" {{\n}}\n"))), ("terraform.tfvars", each(size, "", |at| format!("v{at} = {at}\n")))]).quick(),
        module("values of misspelt variables", 2_000, &[Module], |size| vec![("main.tf", each(size, "", |at| format!("variable \"v{at}\" {{\n}}\n"))), ("terraform.tfvars", each(size, "", |at| format!("x{at} = {at}\n")))]),
        module("arguments of a module", 500, &[Module, Graph], |size| vec![("m/main.tf", each(size, "", |at| format!("variable \"v{at}\" {{\n}}\n"))), ("main.tf", format!("module \"m\" {{\n  source = \"./m\"\n{}}}\n", each(size, "", |at| format!("v{at} = {at}\n"))))]).quick(),
        module("calls of a module", 200, &[Module, Graph], |size| vec![("m/main.tf", "variable \"x\" {\n}\noutput \"y\" {\n  value = var.x\n}\n".to_owned()), ("main.tf", each(size, "", |at| format!("module \"m{at}\" {{\n  source = \"./m\"\n  x      = {at}\n}}\n")))]),
        module("instances of a module", 200, &[Module], |size| vec![("m/main.tf", "variable \"x\" {\n}\noutput \"y\" {\n  value = var.x\n}\n".to_owned()), ("main.tf", format!("module \"m\" {{\n  source = \"./m\"\n  count  = {size}\n  x      = count.index\n}}\n"))]),
        module("equal calls of a module", 200, &[Module, Unknown], |size| vec![("m/main.tf", "variable \"x\" {\n}\nlocals {\n  z = \"${var.x}-\"\n}\noutput \"y\" {\n  value = local.z\n}\n".to_owned()), ("main.tf", each(size, "", |at| format!("module \"m{at}\" {{\n  source = \"./m\"\n  x      = 1\n}}\n")))]),
        module("instances of a resource", 2_000, &[Module, ModuleJson], |size| vec![("main.tf", format!("resource \"a\" \"b\" {{\n  for_each = {{ for at in flatten([for ten in range({size} / 10) : [for one in range(10) : 10 * ten + one]]) : \"k${{at}}\" => at }}\n  x        = \"${{each.key}}-${{each.value}}\"\n}}\n"))]).quick(),
        module("a chain of values", 1_000, &[Module, ModuleJson], |size| vec![("main.tf", format!("locals {{\n  v0 = 1\n{}}}\n", each(size, "", |at| format!("v{} = local.v{at} + 1\n", at + 1))))]),
        module("a chain of values with a variable each", 500, &[CheckTree], |size| vec![("main.tf", format!("{}locals {{\n  v0 = 1\n{}}}\noutput \"o\" {{\n  value = local.v{size}\n}}\n", each(size, "", |at| format!("variable \"x{at}\" {{\n  type = number\n}}\n")), each(size, "", |at| format!("v{} = local.v{at} + var.x{at}\n", at + 1))))]),
        module("results of a module that depend on all of its arguments", 200, &[CheckTree], |size| vec![("m/main.tf", format!("{}locals {{\n  all = [{}]\n}}\n{}", each(size, "", |at| format!("variable \"x{at}\" {{\n  type = string\n}}\n")), each(size, ", ", |at| format!("var.x{at}")), each(size, "", |at| format!("output \"y{at}\" {{\n  value = local.all[{at}]\n}}\n")))), ("main.tf", format!("module \"m\" {{\n  source = \"./m\"\n{}}}\n{}", each(size, "", |at| format!("  x{at} = \"a\"\n")), each(size, "", |at| format!("output \"z{at}\" {{\n  value = module.m.y{at}\n}}\n"))))]),
        module("a chain of unknown values", 500, &[Unknown], |size| vec![("main.tf", format!("resource \"a\" \"b\" {{\n}}\nlocals {{\n  v0 = a.b.id\n{}}}\n", each(size, "", |at| format!("v{} = local.v{at}\n", at + 1))))]),
        module("kinds of blocks in a resource", 500, &[Module], |size| vec![("main.tf", format!("resource \"a\" \"b\" {{\n{}}}\n", each(size, "", |at| format!("x{at} {{\n}}\n"))))]),
        module("changes of a resource", 2_000, &[Module], |size| vec![("main.tf", "resource \"a\" \"b\" {\n}\n".to_owned()), ("override.tf", each(size, "", |at| format!("resource \"a\" \"b\" {{\n  x{at} = {at}\n}}\n")))]),
        module("reasons of unknown values", 500, &[Unknown], |size| vec![("main.tf", format!("{}locals {{\n{}}}\n", each(size, "", |at| format!("resource \"a\" \"b{at}\" {{\n}}\n")), each(size, "", |at| format!("v{at} = a.b{at}.id\n"))))]),

        module("reasons of an unknown value", 1_000, &[Unknown], |size| vec![("main.tf", format!("resource \"a\" \"b\" {{\n}}\nlocals {{\n{}  z = [{}]\n}}\n", each(size, "", |at| format!("  v{at} = a.b.id + {at}\n")), each(size, ", ", |at| format!("local.v{at}"))))]),
        from("callers of a module", 100, &[RenameCallers], |size| Input { tree: (0..size).map(|at| (format!("c{at}/main.tf"), "module \"m\" {\n  source = \"../m\"\n  x      = 1\n}\n".to_owned())).chain([("m/main.tf".to_owned(), "variable \"x\" {\n}\n".to_owned())]).collect(), ..Input::default() }).most(SORTED),
        from("a chain of directories", 50, &[CheckTree], |size| Input { tree: (0..size).map(|at| (format!("d{at}/main.tf"), format!("variable \"x\" {{\n  type = string\n}}\noutput \"y\" {{\n  value = module.m.y\n}}\nmodule \"m\" {{\n  source = \"../d{}\"\n  x      = var.x\n}}\n", at + 1))).chain([(format!("d{size}/main.tf"), "variable \"x\" {\n  type = string\n}\noutput \"y\" {\n  value = var.x\n}\n".to_owned())]).collect(), ..Input::default() }),
        from("directories that call one", 100, &[CheckTree], |size| Input { tree: (0..size).map(|at| (format!("d{at}/main.tf"), "module \"m\" {\n  source = \"../m\"\n  x      = 1\n}\n".to_owned())).chain([("m/main.tf".to_owned(), "variable \"x\" {\n}\noutput \"y\" {\n  value = var.x\n}\n".to_owned())]).collect(), ..Input::default() }),
        module("runs of a test file", 500, &[CheckTree], |size| vec![("main.tf", "variable \"x\" {\n}\noutput \"y\" {\n  value = var.x\n}\n".to_owned()), ("a.tftest.hcl", "run \"r\" {\n}\n".to_owned() + &each(size, "", |at| format!("run \"r{at}\" {{\n  variables {{\n    x = run.r.y\n  }}\n  assert {{\n    condition     = output.y == run.r.y\n    error_message = \"x\"\n  }}\n}}\n")))]),
        module("comments that allow something", 2_000, &[CheckTree], |size| vec![("main.tf", each(size, "", |at| format!("# hcl-check: allow unused-declaration reason\nvariable \"v{at}\" {{\n}}\n")))]),
        module("comments that allow nothing", 2_000, &[CheckTree], |size| vec![("main.tf", "# hcl-check: allow unused-declaration reason\n".repeat(size))]),
        module("removed resources", 4_000, &[CheckTree], |size| vec![("main.tf", each(size, "", |at| format!("removed {{\n  from = a.b{at}\n}}\n")))]),
        module("moved instances", 500, &[CheckTree, Module], |size| vec![("main.tf", format!("resource \"a\" \"b\" {{\n  for_each = toset([{}])\n}}\n{}", each(size, ", ", |at| format!("\"k{at}\"")), each(size, "", |at| format!("moved {{\n  from = a.b[\"x{at}\"]\n  to   = a.b[\"k{at}\"]\n}}\n"))))]),
        module("configurations of providers", 2_000, &[CheckTree], |size| vec![("main.tf", each(size, "", |at| format!("provider \"p\" {{\n  alias = \"a{at}\"\n}}\nresource \"p_x\" \"r{at}\" {{\n  provider = p.a{at}\n}}\n")))]),
        module("configurations of providers that do not exist", 2_000, &[CheckTree], |size| vec![("main.tf", each(size, "", |at| format!("provider \"p\" {{\n  alias = \"a{at}\"\n}}\nresource \"p_x\" \"r{at}\" {{\n  provider = p.x{at}\n}}\n")))]),
        bake("targets of a Bake file", 1_000, &[Module, Graph, CheckTree], |size| each(size, "", |at| format!("target \"t{at}\" {{\n  args = {{ a = {at} }}\n}}\n")) + &group(size)),
        bake("targets that inherit each other", 500, &[Module, CheckTree], |size| each(size, "", |at| format!("target \"t{at}\" {{\n  inherits = [\"t{0}\", \"t{0}\"]\n}}\n", at + 1)) + &format!("target \"t{size}\" {{}}\n{}", group(size))),
        bake("targets that use each other", 500, &[Module, CheckTree], |size| each(size, "", |at| format!("target \"t{at}\" {{\n  contexts = {{ a = \"target:t{0}\", b = \"target:t{0}\" }}\n}}\n", at + 1)) + &format!("target \"t{size}\" {{}}\n{}", group(size))),
        bake("targets with values of each other", 500, &[Module, CheckTree], |size| each(size, "", |at| format!("target \"t{at}\" {{\n  args = {{ a = target.t{}.args.a }}\n}}\n", at + 1)) + &format!("target \"t{size}\" {{\n  args = {{ a = 1 }}\n}}\n{}", group(size))),
        bake("targets that do not exist", 2_000, &[Module, CheckTree], |size| each(size, "", |at| format!("target \"x{at}\" {{}}\n")) + &group(size)),
        bake("groups in each other", 500, &[CheckTree], |size| each(size, "", |at| format!("group \"g{at}\" {{\n  targets = [\"t\", \"g{}\"]\n}}\n", at + 1)) + &format!("group \"g{size}\" {{\n  targets = [\"t\"]\n}}\ntarget \"t\" {{}}\n")),
        bake("instances of a matrix", 20, &[Module, Graph, CheckTree], |size| format!("target \"default\" {{\n  name   = \"t${{a}}-${{b}}\"\n  matrix = {{ a = range(20), b = range({size}) }}\n}}\n")),
        bake("blocks of a target", 500, &[Module, CheckTree], |size| each(size, "", |at| format!("target \"default\" {{\n  args = {{ a{at} = {at} }}\n}}\n"))),
        bake("lists of a target", 500, &[Module], |size| {
            let list = |name: &str| format!("  {name} = [{}]\n", each(size, ", ", |at| format!("\"id=x{at}\"")));
            let own = ["platforms", "entitlements", "secret", "ssh", "tags"].map(list).concat();
            format!("target \"default\" {{\n  contexts = {{ a = \"target:b\" }}\n{own}  cache-from = [{}]\n}}\ntarget \"b\" {{\n{own}}}\n", each(size, ", ", |at| format!("\"x{}\"", at / 2)))
        }),

        row("console assignments", 500, &[Console], |size| each(size, "", |at| format!("x.y{at} = 1\n"))).most(SORTED).quick(),
        row("console heredoc", 1_000, &[Console], |size| format!("x = <<E\n{}E\n", "line\n".repeat(size))).quick(),
        row("console heredocs", 250, &[Console], |size| "x = <<E\na\nE\n".repeat(size)),
        row("console lines that open something", 1_500, &[Console], |size| "\"${\n".repeat(size)).quick(),
        row("console heredocs in each other", 1_500, &[Console], |size| "<<E\n${\n".repeat(size)),
        row("console bracket", 1_000, &[Console], |size| format!("[\n{}]\n", "1,\n".repeat(size))),

        // Four times as many levels contain 2^(3n) times as much.
        row("toset of shared tuples", 20, &[Eval], |size| format!("a = length(toset([{}, [1]]))\n", doubled(size, "1"))).most(17.0).quick(),
        row("toset of shared tuples of two kinds", 20, &[Eval], |size| format!("a = length(toset([{}, {}]))\n", doubled(size, "1"), doubled(size, "\"a\""))).most(17.0).quick(),
        row("tolist of shared objects", 20, &[Eval], |size| format!("a = length(tolist([{{a = {0}}}, {{b = {0}}}]))\n", doubled(size, "1"))).most(17.0).quick(),
        row("equality of shared tuples", 20, &[Eval], |size| format!("a = {0} == {0}\n", doubled(size, "1"))).most(17.0).quick(),
    ];
    rows.extend(shapes());
    rows
}
