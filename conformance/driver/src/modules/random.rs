//! Random modules: variables with types, defaults and values, sensitive ones, chains of locals, instances, nested modules,
//! conditionals, templates and functions, override files and files in the JSON syntax. A few have errors.

use std::fmt::Write as _;

use fastrand::Rng;

/// The types of values that expressions are made for.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Text,
    Number,
    Flag,
    List,
    Map,
}

pub(crate) const KINDS: [Kind; 5] = [Kind::Text, Kind::Number, Kind::Flag, Kind::List, Kind::Map];

/// A module as a case.
pub(super) fn module(rng: &mut Rng, n: usize) -> String {
    let depth = if rng.u8(0..4) == 0 { 2 } else { 1 };
    let mut files = Vec::new();
    let mut values = String::new();
    let secret = rng.u8(0..6) == 0;
    directory(rng, "", depth, secret, &mut files, &mut values);
    let mut text = format!("=== random {n}\n");
    for (name, content) in &files {
        let _ = write!(text, "--- {name}\n{content}");
    }
    if !values.is_empty() {
        let names = [
            ("terraform.tfvars", false),
            ("x.auto.tfvars", false),
            ("terraform.tfvars.json", true),
            ("x.auto.tfvars.json", true),
        ];
        let (name, is_json) = *pick(rng, &names);
        let values = if is_json { json(&values) } else { values };
        let _ = write!(text, "--- {name}\n{values}");
    }
    text
}

/// A template of Packer as a case: variables and local values.
pub(super) fn template(rng: &mut Rng, n: usize) -> String {
    let (mut text, mut values, mut options) = (String::new(), String::new(), String::new());
    let mut names = Names { known: Vec::new() };
    for at in 0..rng.usize(1..5) {
        let (name, kind) = (format!("v{at}"), *pick(rng, &KINDS));
        let _ = writeln!(text, "variable \"{name}\" {{");
        let optional = rng.u8(0..3) > 0;
        // Packer has no optional attributes, and not `any`.
        let ty = type_of(rng, kind).replace("optional(string, \"d\")", "string");
        let ty = ty.replace("any", if rng.u8(0..20) == 0 { "any" } else { "string" });
        if rng.bool() {
            let _ = writeln!(text, "  type = {ty}");
        }
        if optional {
            let _ = writeln!(text, "  default = {}", literal(rng, kind));
        }
        if rng.u8(0..6) == 0 {
            let check = format!("var.{name} != null && length(jsonencode(var.{name})) > 3");
            let _ = writeln!(
                text,
                "  validation {{\n    condition = {check}\n    error_message = \"It must be longer.\"\n  }}"
            );
        }
        text.push_str("}\n\n");
        names.known.push((format!("var.{name}"), kind));
        let value = literal(rng, kind);
        match rng.u8(0..8) {
            0 => drop(writeln!(options, "env PKR_VAR_{name}={}", value.trim_matches('"'))),
            1 => drop(writeln!(options, "var {name}={}", value.trim_matches('"'))),
            2..=4 => drop(writeln!(values, "{name} = {value}")),
            _ if !optional => drop(writeln!(values, "{name} = {value}")),
            _ => {}
        }
    }
    for prefix in ["a", "b"] {
        locals(rng, &mut text, &mut names, prefix);
        if rng.bool() {
            let (name, kind) = (format!("{prefix}x"), *pick(rng, &KINDS));
            let value = names.expression(rng, kind, 2);
            let _ = write!(text, "local \"{name}\" {{\n  expression = {value}\n}}\n\n");
            names.known.push((format!("local.{name}"), kind));
        }
    }
    if rng.u8(0..12) == 0 {
        template_mistake(rng, &mut text);
    }
    let mut case = format!("=== random {n}\n--- main.pkr.hcl\n{text}");
    if !values.is_empty() {
        let (name, values) =
            if rng.bool() { ("x.auto.pkrvars.json", json(&values)) } else { ("x.auto.pkrvars.hcl", values) };
        let _ = write!(case, "--- {name}\n{values}");
    }
    if !options.is_empty() {
        let _ = write!(case, "--- options\n{options}");
    }
    case
}

/// The interface of a directory: its variables, and the names and kinds of its outputs.
struct Interface {
    variables: Vec<(String, Kind, bool)>,
    outputs: Vec<(String, Kind)>,
}

pub(crate) struct Names {
    /// References by kind.
    pub(crate) known: Vec<(String, Kind)>,
}

fn directory(
    rng: &mut Rng,
    path: &str,
    depth: usize,
    secret: bool,
    files: &mut Vec<(String, String)>,
    values: &mut String,
) -> Interface {
    let mut text = String::new();
    let mut names = Names { known: Vec::new() };
    let mut variables = Vec::new();
    for at in 0..rng.usize(1..4) {
        let (name, kind) = (format!("v{at}"), *pick(rng, &KINDS));
        let optional = rng.u8(0..3) > 0;
        let _ = writeln!(text, "variable \"{name}\" {{");
        if rng.bool() {
            let _ = writeln!(text, "  type = {}", type_of(rng, kind));
        }
        if optional {
            let _ = writeln!(text, "  default = {}", literal(rng, kind));
        }
        if rng.u8(0..8) == 0 {
            let _ = writeln!(text, "  nullable = false");
        }
        if secret && rng.u8(0..3) == 0 {
            let _ = writeln!(text, "  sensitive = true");
        }
        if rng.u8(0..6) == 0 {
            let check = names.boolean(rng, 1);
            let _ = writeln!(
                text,
                "  validation {{\n    condition = var.{name} != null || {check}\n    error_message = \"No.\"\n  }}"
            );
        }
        text.push_str("}\n\n");
        names.known.push((format!("var.{name}"), kind));
        if path.is_empty() && (!optional || rng.u8(0..3) == 0) {
            let _ = writeln!(values, "{name} = {}", literal(rng, kind));
        }
        variables.push((name, kind, optional));
    }
    locals(rng, &mut text, &mut names, "a");
    for at in 0..rng.usize(0..2) {
        resource(rng, &mut text, &mut names, at);
    }
    if depth > 0 {
        for at in 0..rng.usize(0..2) {
            call(rng, &mut text, &mut names, (path, depth, secret), at, files);
        }
    }
    locals(rng, &mut text, &mut names, "b");
    if path.is_empty() && rng.u8(0..12) == 0 {
        mistake(rng, &mut text);
    }
    let mut outputs = Vec::new();
    for at in 0..rng.usize(1..4) {
        let (name, kind) = (format!("o{at}"), *pick(rng, &KINDS));
        let value = names.expression(rng, kind, 2);
        let sensitive = if secret || rng.u8(0..10) == 0 { "  sensitive = true\n" } else { "" };
        let _ = write!(text, "output \"{name}\" {{\n  value = {value}\n{sensitive}}}\n\n");
        outputs.push((name, kind));
    }
    if path.is_empty() {
        let all: Vec<&str> = names.known.iter().map(|(name, _)| name.as_str()).collect();
        let sensitive = if secret { "  sensitive = true\n" } else { "" };
        let _ = write!(text, "output \"all\" {{\n  value = [{}]\n{sensitive}}}\n", all.join(", "));
        more_files(rng, &names, secret, files);
    }
    let file = if path.is_empty() { "main.tf".to_owned() } else { format!("{path}/main.tf") };
    files.push((file, text));
    Interface { variables, outputs }
}

/// A file that overrides a local value, and one in the JSON syntax.
fn more_files(rng: &mut Rng, names: &Names, secret: bool, files: &mut Vec<(String, String)>) {
    let own = names.known.iter().find(|(name, _)| name == "local.a0");
    if let Some((_, kind)) = own.filter(|_| rng.u8(0..6) == 0) {
        let text = format!("locals {{\n  a0 = {}\n}}\n", literal(rng, *kind));
        files.push(("main_override.tf".to_owned(), text));
    }
    if rng.u8(0..6) == 0 {
        let of_text = names.known.iter().filter(|(name, _)| !name.contains(['"', '{']));
        let references: Vec<&str> = of_text.map(|(name, _)| name.as_str()).collect();
        let (one, two) = (*pick(rng, &references), *pick(rng, &references));
        let text = format!(
            "{{\n  \"locals\": {{ \"j0\": \"${{{one}}}\", \"j1\": [\"a\", \"${{{two}}}\", {{ \"b\": 1.5 }}] }},\n  \"output\": {{ \"oj\": {{ \"value\": \"${{[local.j0, local.j1]}}\", \"sensitive\": {secret} }} }}\n}}\n"
        );
        files.push(("more.tf.json".to_owned(), text));
    }
}

/// A variable file in the JSON syntax. The values are literals.
fn json(values: &str) -> String {
    let line = |line: &str| {
        let (name, value) = line.split_once(" = ").unwrap_or((line, "null"));
        let value = value.replace("{ a = ", "{ \"a\": ").replace(", b = ", ", \"b\": ");
        format!("  \"{name}\": {value}")
    };
    let lines: Vec<String> = values.lines().map(line).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

pub(crate) fn locals(rng: &mut Rng, text: &mut String, names: &mut Names, prefix: &str) {
    let mut lines = Vec::new();
    for at in 0..rng.usize(1..4) {
        let (name, kind) = (format!("{prefix}{at}"), *pick(rng, &KINDS));
        let value = names.expression(rng, kind, 2);
        lines.push(format!("  {name} = {value}\n"));
        names.known.push((format!("local.{name}"), kind));
    }
    // The order does not matter.
    rng.shuffle(&mut lines);
    let _ = write!(text, "locals {{\n{}}}\n\n", lines.concat());
}

/// The argument that repeats a block, and the names that it defines.
pub(crate) fn repetition(rng: &mut Rng, names: &Names) -> (String, Vec<(String, Kind)>, Option<bool>) {
    match rng.u8(0..5) {
        0 => (String::new(), Vec::new(), None),
        1 => {
            let count = format!("  count = length({}) > 1 ? 2 : 1\n", names.expression(rng, Kind::List, 1));
            (count, vec![("count.index".to_owned(), Kind::Number)], Some(false))
        }
        2 => {
            let each = format!("  for_each = toset({})\n", names.expression(rng, Kind::List, 1));
            let names = vec![("each.key".to_owned(), Kind::Text), ("each.value".to_owned(), Kind::Text)];
            (each, names, Some(true))
        }
        3 => {
            let each = format!("  for_each = {}\n", names.expression(rng, Kind::Map, 1));
            let names = vec![("each.key".to_owned(), Kind::Text), ("each.value".to_owned(), Kind::Text)];
            (each, names, Some(true))
        }
        _ => {
            let (map, list) = (names.expression(rng, Kind::Map, 1), names.expression(rng, Kind::List, 1));
            let each = format!(
                "  for_each = {{ for k, v in {map} : \"k-${{k}}\" => {{ name = v, list = {list} }} }}\n"
            );
            let names = vec![
                ("each.key".to_owned(), Kind::Text),
                ("each.value.name".to_owned(), Kind::Text),
                ("each.value.list".to_owned(), Kind::List),
            ];
            (each, names, Some(true))
        }
    }
}

fn resource(rng: &mut Rng, text: &mut String, names: &mut Names, at: usize) {
    let (repeat, own, keyed) = repetition(rng, names);
    let kind = *pick(rng, &KINDS);
    let inner = Names { known: names.known.iter().cloned().chain(own).collect() };
    let input = inner.expression(rng, kind, 2);
    let _ = write!(text, "resource \"terraform_data\" \"r{at}\" {{\n{repeat}  input = {input}\n}}\n\n");
    let name = format!("terraform_data.r{at}");
    // The attribute `output` is unknown in a plan, so it cannot be used in `for_each`.
    repeated(names, &name, "input", kind, keyed);
}

/// Adds references to repeated blocks.
pub(crate) fn repeated(names: &mut Names, name: &str, attribute: &str, kind: Kind, keyed: Option<bool>) {
    let of_texts = kind == Kind::Text;
    match keyed {
        None => names.known.push((format!("{name}.{attribute}"), kind)),
        Some(false) => {
            names.known.push((format!("{name}[0].{attribute}"), kind));
            names.known.push((format!("length({name})"), Kind::Number));
            if of_texts {
                names.known.push((format!("{name}[*].{attribute}"), Kind::List));
            }
        }
        Some(true) => {
            names.known.push((format!("keys({name})"), Kind::List));
            if of_texts {
                names.known.push((format!("{{ for k, it in {name} : k => it.{attribute} }}"), Kind::Map));
                names.known.push((format!("values({name})[*].{attribute}"), Kind::List));
            }
        }
    }
}

fn call(
    rng: &mut Rng,
    text: &mut String,
    names: &mut Names,
    (path, depth, secret): (&str, usize, bool),
    at: usize,
    files: &mut Vec<(String, String)>,
) {
    let directory_name = format!("m{at}");
    let inside = if path.is_empty() { directory_name.clone() } else { format!("{path}/{directory_name}") };
    let interface = directory(rng, &inside, depth - 1, secret, files, &mut String::new());
    let (repeat, own, keyed) = repetition(rng, names);
    let inner = Names { known: names.known.iter().cloned().chain(own).collect() };
    let _ = write!(text, "module \"{directory_name}\" {{\n  source = \"./{directory_name}\"\n{repeat}");
    for (name, kind, optional) in &interface.variables {
        if !optional || rng.bool() {
            let _ = writeln!(text, "  {name} = {}", inner.expression(rng, *kind, 2));
        }
    }
    text.push_str("}\n\n");
    for (name, kind) in &interface.outputs {
        repeated(names, &format!("module.{directory_name}"), name, *kind, keyed);
    }
}

fn mistake(rng: &mut Rng, text: &mut String) {
    let mistakes = [
        "locals {\n  wrong = local.missing\n}\n",
        "locals {\n  wrong = \"a\" + 1\n}\n",
        "locals {\n  wrong = var.v0.missing.more\n}\n",
        "locals {\n  wrong = upper(1, 2)\n}\n",
        "resource \"terraform_data\" \"wrong\" {\n  for_each = [1]\n}\n",
        "resource \"terraform_data\" \"wrong\" {\n  count = -1\n}\n",
        "locals {\n  wrong = local.wrong2\n  wrong2 = local.wrong\n}\n",
        "variable \"wrong\" {}\n",
        "variable \"wrong\" {\n  type = number\n  default = \"x\"\n}\n",
        "output \"wrong\" {\n  value = sensitive(1)\n}\n",
        "locals {\n  wrong = [1][2]\n}\n",
        "locals {\n  wrong = { a = 1 }.b\n}\n",
    ];
    text.push_str(pick::<&str>(rng, &mistakes));
    text.push('\n');
}

fn template_mistake(rng: &mut Rng, text: &mut String) {
    let mistakes = [
        "locals {\n  wrong = local.missing\n}\n",
        "locals {\n  wrong = \"a\" + 1\n}\n",
        "locals {\n  wrong = var.missing\n}\n",
        "locals {\n  wrong = upper(1, 2)\n}\n",
        "locals {\n  wrong = missing(\"a\")\n}\n",
        "locals {\n  a0 = 1\n}\n",
        "local \"wrong\" {\n}\n",
        "local \"wrong\" {\n  expression = local.wrong\n}\n",
        "locals {\n  wrong = local.wrong2\n  wrong2 = local.wrong\n}\n",
        "variable \"wrong\" {}\n",
        "variable \"wrong\" {\n  type = number\n  default = \"x\"\n}\n",
        "variable \"wrong\" {\n  type = object({ a = optional(string) })\n  default = {}\n}\n",
        "variable \"wrong\" {\n  default = upper(\"x\")\n}\n",
        "variables {\n  v0 = 1\n}\n",
        "variables {\n  wrong = null\n}\n",
        "locals {\n  wrong = [1][2]\n}\n",
        "locals {\n  wrong = { a = 1 }.b\n}\n",
        "locals {\n  wrong = null.a\n}\n",
        "wrong {\n}\n",
    ];
    text.push_str(pick::<&str>(rng, &mistakes));
}

fn type_of(rng: &mut Rng, kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "string",
        Kind::Number => "number",
        Kind::Flag => "bool",
        Kind::List => pick::<&str>(rng, &["list(string)", "list(any)", "any"]),
        Kind::Map => pick::<&str>(
            rng,
            &["map(string)", "map(any)", "object({ a = string, b = optional(string, \"d\") })"],
        ),
    }
}

pub(crate) fn literal(rng: &mut Rng, kind: Kind) -> String {
    match kind {
        Kind::Text => format!("\"{}\"", pick(rng, &["x", "Abc", "a-b", "é", "10", "a b"])),
        Kind::Number => (*pick(rng, &["0", "1", "2.5", "10", "-3"])).to_owned(),
        Kind::Flag => rng.bool().to_string(),
        Kind::List => {
            let items: Vec<String> = (0..rng.usize(1..4)).map(|_| literal(rng, Kind::Text)).collect();
            format!("[{}]", items.join(", "))
        }
        Kind::Map => {
            let more = if rng.bool() { format!(", b = {}", literal(rng, Kind::Text)) } else { String::new() };
            format!("{{ a = {}{more} }}", literal(rng, Kind::Text))
        }
    }
}

pub(crate) fn pick<'t, T>(rng: &mut Rng, all: &'t [T]) -> &'t T {
    &all[rng.usize(0..all.len())]
}

impl Names {
    fn boolean(&self, rng: &mut Rng, depth: usize) -> String {
        self.expression(rng, Kind::Flag, depth)
    }

    /// An expression of a kind.
    pub(crate) fn expression(&self, rng: &mut Rng, kind: Kind, depth: usize) -> String {
        let known: Vec<&String> =
            self.known.iter().filter(|(_, own)| *own == kind).map(|(name, _)| name).collect();
        if depth == 0 || rng.u8(0..4) == 0 {
            return if known.is_empty() || rng.u8(0..4) == 0 {
                literal(rng, kind)
            } else {
                (*pick(rng, &known)).clone()
            };
        }
        let of = |rng: &mut Rng, kind: Kind| self.expression(rng, kind, depth - 1);
        if rng.u8(0..6) == 0 {
            return format!("({} ? {} : {})", of(rng, Kind::Flag), of(rng, kind), of(rng, kind));
        }
        if rng.u8(0..12) == 0 {
            return format!("try({}, {})", of(rng, kind), of(rng, kind));
        }
        let form = rng.u8(0..7);
        match kind {
            Kind::Text => match form {
                0 => format!("\"${{{}}}-${{{}}}\"", of(rng, Kind::Text), of(rng, Kind::Number)),
                1 => format!("upper({})", of(rng, Kind::Text)),
                2 => format!("join(\",\", {})", of(rng, Kind::List)),
                3 => format!("format(\"%s/%v\", {}, {})", of(rng, Kind::Text), of(rng, Kind::Number)),
                4 => format!("replace({}, \"a\", {})", of(rng, Kind::Text), of(rng, Kind::Text)),
                5 => format!("lookup({}, \"a\", {})", of(rng, Kind::Map), of(rng, Kind::Text)),
                _ => format!(
                    "\"%{{ if {} }}${{{}}}%{{ else }}none%{{ endif }}\"",
                    of(rng, Kind::Flag),
                    of(rng, Kind::Text)
                ),
            },
            Kind::Number => match form {
                0 => format!("({} + {})", of(rng, Kind::Number), of(rng, Kind::Number)),
                1 => format!("({} * 2 - 1)", of(rng, Kind::Number)),
                2 => format!("length({})", of(rng, Kind::List)),
                3 => format!("max({}, {})", of(rng, Kind::Number), of(rng, Kind::Number)),
                4 => format!("length({})", of(rng, Kind::Text)),
                5 => format!("-{}", of(rng, Kind::Number)),
                _ => format!("floor({} / 4)", of(rng, Kind::Number)),
            },
            Kind::Flag => match form {
                0 => format!("({} == {})", of(rng, Kind::Text), of(rng, Kind::Text)),
                1 => format!("({} > {})", of(rng, Kind::Number), of(rng, Kind::Number)),
                2 => format!("contains({}, {})", of(rng, Kind::List), of(rng, Kind::Text)),
                3 => format!("!{}", of(rng, Kind::Flag)),
                4 => format!("({} && {})", of(rng, Kind::Flag), of(rng, Kind::Flag)),
                5 => format!("can({}.a)", of(rng, Kind::Map)),
                _ => format!("anytrue([{}, {}])", of(rng, Kind::Flag), of(rng, Kind::Flag)),
            },
            Kind::List => match form {
                0 => format!("[for s in {} : \"${{s}}!\"]", of(rng, Kind::List)),
                1 => format!("concat({}, {})", of(rng, Kind::List), of(rng, Kind::List)),
                2 => format!("sort({})", of(rng, Kind::List)),
                3 => format!("keys({})", of(rng, Kind::Map)),
                4 => format!("[{}, {}]", of(rng, Kind::Text), of(rng, Kind::Text)),
                5 => format!("distinct([for k, v in {} : v])", of(rng, Kind::Map)),
                _ => format!("split(\"-\", {})", of(rng, Kind::Text)),
            },
            Kind::Map => match form {
                0 => {
                    let groups = format!("{{ for s in {} : s => upper(s)... }}", of(rng, Kind::List));
                    format!("{{ for k, v in {groups} : k => join(\"+\", v) }}")
                }
                1 => format!("merge({}, {})", of(rng, Kind::Map), of(rng, Kind::Map)),
                2 => format!("{{ a = {}, c = {} }}", of(rng, Kind::Text), of(rng, Kind::Text)),
                3 => format!(
                    "{{ for k, v in {} : upper(k) => v if {} }}",
                    of(rng, Kind::Map),
                    of(rng, Kind::Flag)
                ),
                4 => format!("tomap({{ a = {} }})", of(rng, Kind::Text)),
                5 => format!(
                    "merge({}, {{ ({}) = {} }})",
                    of(rng, Kind::Map),
                    of(rng, Kind::Text),
                    of(rng, Kind::Text)
                ),
                _ => format!("zipmap([\"a\", \"z\"], [{}, {}])", of(rng, Kind::Text), of(rng, Kind::Text)),
            },
        }
    }
}
