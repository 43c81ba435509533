//! Checks of many directories that call each other: a tree finds what the checks of single directories find, and evaluates
//! a called module once for equal inputs.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fastrand::Rng;
use hclkit_model::Functions;
use hclkit_module::{Dialect, Files, Memory, ModuleLoader, ModuleTree};
use hclkit_syntax::{Diagnostic, Diagnostics};
use hclkit_test_cases::{rounds, seeds};
use hclkit_value::{Function, Parameter, Type};

/// The files in a directory of a tree, as the files of a root module.
#[derive(Debug)]
struct Below {
    all: Memory,
    root: String,
}

impl Below {
    fn path(&self, path: &str) -> String {
        let mut parts: Vec<&str> = Vec::new();
        for part in self.root.split('/').chain(path.split('/')).filter(|part| !part.is_empty()) {
            match part {
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        parts.join("/")
    }
}

impl Files for Below {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        self.all.list(&self.path(directory))
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.all.read(&self.path(path))
    }

    fn name(&self, path: &str) -> String {
        self.path(path)
    }
}

/// Expressions without errors.
const SOUND: [&str; 14] = [
    "var.a",
    "var.b",
    "local.l",
    "\"x-${var.a}\"",
    "1",
    "\"s\"",
    "null",
    "[for s in var.b : s]",
    "path.module",
    "\"${path.module}/x\"",
    "terraform.workspace",
    "aws_x.r.id",
    "[var.a, var.b]",
    "{ a = var.a }",
];

/// Expressions with errors, at least in some modules.
const OTHERS: [&str; 14] = [
    "local.k",
    "var.nope",
    "local.nope",
    "1 + \"a\"",
    "var.b[0]",
    "var.b[5]",
    "module.m0.o",
    "module.m0.p",
    "module.m1.o",
    "module.m1",
    "aws_x.c[0].id",
    "var.a == \"lit\" ? 1 : \"q\"",
    "var.a + 1",
    "aws_x.r",
];

/// Sources that are not directories of the tree.
const ELSEWHERE: [&str; 3] = ["../missing", "hashicorp/x/aws", "git::https://example.com/y.git"];

fn expression(random: &mut Rng, errors: u32) -> &'static str {
    if random.u32(..100) < errors { random.choice(OTHERS).unwrap() } else { random.choice(SOUND).unwrap() }
}

/// A directory, which calls only those after it. It has errors only if the tree is wild.
fn directory(random: &mut Rng, own: &str, others: &[String], is_wild: bool) -> String {
    let errors = if is_wild { random.choice([0, 0, 5, 30]).unwrap() } else { 0 };
    let chance = |random: &mut Rng, percent: u32| random.u32(..100) < percent;
    let wild = |random: &mut Rng, percent: u32| is_wild && random.u32(..100) < percent;
    let mut text = "variable \"b\" {\n  type    = list(string)\n  default = [\"q\"]\n}\n".to_owned();
    let default = random.choice(["default = \"d\"", "type = string", "nullable = false"]).unwrap();
    let _ = write!(text, "variable \"a\" {{\n  {default}\n");
    if wild(random, 30) {
        text += "  validation {\n    condition     = var.a != \"lit\"\n    error_message = \"no\"\n  }\n";
    }
    text += "}\n";
    let value = |random: &mut Rng| expression(random, errors);
    let _ = write!(text, "locals {{\n  l = upper(var.a)\n  k = {}\n}}\n", value(random));
    let count = random.choice(["1", "0", "var.a == \"y\" ? 2 : 1", "var.a == \"lit\" ? 1 : 0"]).unwrap();
    let _ = write!(text, "resource \"aws_x\" \"r\" {{\n  z = {}\n}}\n", SOUND[random.usize(..6)]);
    let _ = write!(text, "resource \"aws_x\" \"c\" {{\n  count = {count}\n  z = {}\n}}\n", value(random));
    for at in 0..random.usize(..4).min(others.len()) {
        let up = "../".repeat(own.split('/').count());
        let source = match random.choice(others) {
            Some(other) if !wild(random, 5) => format!("{up}{other}"),
            _ => random.choice(ELSEWHERE).unwrap().to_owned(),
        };
        let _ = write!(text, "module \"m{at}\" {{\n  source = \"{source}\"\n");
        if chance(random, 20) {
            let _ =
                writeln!(text, "  count = {}", random.choice(["2", "0", "var.a == \"y\" ? 2 : 1"]).unwrap());
        }
        if chance(random, 80) {
            let value = if is_wild { value(random) } else { "var.a" };
            let _ = writeln!(text, "  a = {}", random.choice([value, "\"lit\"", "\"y${var.a}\""]).unwrap());
        }
        if chance(random, 50) {
            let _ = writeln!(text, "  b = [{}]", if is_wild { value(random) } else { "var.a" });
        }
        // An input that depends on another result of the same call.
        if wild(random, 10) {
            let _ = writeln!(text, "  b = [module.m{at}.s]");
        }
        let more = [("  nope = 1\n", 3), ("  providers = { aws = aws.w }\n", 10)];
        more.iter().filter(|(_, percent)| wild(random, *percent)).for_each(|(more, _)| text += more);
        text += "}\n";
    }
    for (more, percent) in [
        ("variable \"unused\" {\n  default = 1\n}\n", 30),
        ("provider \"aws\" {\n  alias = \"w\"\n}\n", 10),
        ("resource \"aws_x\" \"w\" {\n  provider = aws.w\n}\n", 10),
        ("import {\n  to = aws_x.r\n  id = \"q\"\n}\n", 10),
        ("moved {\n  from = aws_x.r\n  to = aws_x.c\n}\n", 5),
        ("output \"s\" {\n  value = \"s\"\n}\n", 70),
        ("locals {\n  ~\n}\n", 2),
    ] {
        if chance(random, percent) && (is_wild || percent >= 30) {
            text += more;
        }
    }
    let sensitive = if chance(random, 10) { "  sensitive = true\n" } else { "" };
    let _ = write!(text, "output \"o\" {{\n  value = {}\n{sensitive}}}\n", value(random));
    let _ = write!(text, "output \"p\" {{\n  value = {}\n}}\n", value(random));
    text
}

/// The directories of a tree and their files.
fn tree(random: &mut Rng, is_wild: bool) -> (Vec<String>, Vec<(String, String)>) {
    let all: Vec<String> = (0..random.usize(2..9))
        .map(|at| if random.bool() { format!("d{at}") } else { format!("x/d{at}") })
        .collect();
    let mut files = Vec::new();
    for (at, own) in all.iter().enumerate() {
        files.push((format!("{own}/main.tf"), directory(random, own, &all[at + 1..], is_wild)));
        let given = random
            .choice(if is_wild {
                ["a = \"lit\"\n", "b = [\"1\", \"2\"]\n", "zz = 1\n", "", "", ""]
            } else {
                [""; 6]
            })
            .unwrap();
        if !given.is_empty() {
            files.push((format!("{own}/terraform.tfvars"), given.to_owned()));
        }
    }
    let mut directories = all;
    directories.sort();
    (directories, files)
}

/// A loader with the function `upper`, which counts its calls.
fn counted(files: impl Files + 'static, calls: Arc<AtomicUsize>) -> ModuleLoader {
    let upper = Function::unnamed(Type::String, move |arguments, _| {
        calls.fetch_add(1, Ordering::Relaxed);
        Ok(arguments[0].clone())
    });
    let upper = upper.with_parameter(Parameter::new("text", Type::String).with_unknowns());
    let functions: Functions = [("upper", upper)].into_iter().collect();
    ModuleLoader::new(Dialect::terraform()).with_files(files).with_functions(functions)
}

fn loader(files: impl Files + 'static) -> ModuleLoader {
    counted(files, Arc::default())
}

/// The findings, each once.
fn texts(found: impl IntoIterator<Item = Diagnostics>) -> Vec<String> {
    let mut seen = HashSet::new();
    let texts = found.into_iter().flatten().map(|found: Diagnostic| found.to_string());
    // Which check finds something first depends on what the others know.
    let mut texts: Vec<String> = texts.filter(|text| seen.insert(text.clone())).collect();
    texts.sort();
    texts
}

#[test]
fn a_tree_finds_what_single_directories_find() {
    let rounds = rounds(40);
    let mut with_findings = 0;
    for seed in seeds(40) {
        let (directories, files) = tree(&mut Rng::with_seed(seed), seed % 2 == 0);
        let single =
            |root: &String| loader(Below { all: files.iter().cloned().collect(), root: root.clone() });
        let modules: Vec<_> = directories.iter().map(|root| single(root).load()).collect();
        let called: HashSet<String> = directories
            .iter()
            .zip(&modules)
            .flat_map(|(root, module)| {
                let below = Below { all: Memory::default(), root: root.clone() };
                module.directories().skip(1).map(move |called| below.path(called)).collect::<Vec<_>>()
            })
            .collect();
        let expected =
            directories.iter().map(|root| single(root).with_called(called.contains(root)).load().check());
        let expected = texts(expected);
        let mut tree = ModuleTree::new(loader(files.iter().cloned().collect::<Memory>()));
        for root in &directories {
            tree.read(root);
        }
        tree.arrange(directories.iter().map(String::as_str));
        assert_eq!(tree.called().map(str::to_owned).collect::<HashSet<_>>(), called, "seed {seed}");
        let found = texts(directories.iter().map(|root| tree.check(root, tree.is_called(root))));
        // A tree knows all calls: a variable is unused if none of them sets it, also one of a root module that others call.
        let is_unused = |text: &String| text.contains("Unused declaration") && text.contains("`var.");
        let (unused, found): (Vec<String>, Vec<String>) = found.into_iter().partition(is_unused);
        let expected: Vec<String> = expected.into_iter().filter(|text| !is_unused(text)).collect();
        let alone = texts(directories.iter().map(|root| single(root).load().check()));
        assert!(unused.iter().all(|text| alone.contains(text)), "seed {seed}: {unused:#?}\n{alone:#?}");
        assert_eq!(found, expected, "seed {seed}: {files:#?}");
        with_findings += usize::from(expected.iter().any(|text| text.contains(" error: ")));
    }
    assert!((20..80).contains(&(100 * with_findings / rounds as usize)), "{with_findings}");
}

#[test]
fn a_chain_of_directories_is_evaluated_once() {
    let files = (0..30).map(|at| {
        let call = format!("module \"m\" {{\n  source = \"../d{:02}\"\n  a = var.a\n}}\n", at + 1);
        let call = if at < 29 { call } else { String::new() };
        let text =
            "variable \"a\" {\n  type = string\n}\noutput \"o\" {\n  value = upper(\"${var.a}s\")\n}\n";
        (format!("d{at:02}/main.tf"), format!("{text}{call}"))
    });
    let files: Memory = files.collect();
    let roots: Vec<String> = (0..30).map(|at| format!("d{at:02}")).collect();
    let calls = Arc::new(AtomicUsize::new(0));
    let mut tree = ModuleTree::new(counted(files, calls.clone()));
    for root in &roots {
        tree.read(root);
    }
    tree.arrange(roots.clone());
    for root in &roots {
        assert!(tree.check(root, tree.is_called(root)).is_empty());
    }
    // Each directory as a root module, and once as a called module.
    assert_eq!(calls.load(Ordering::Relaxed), 30 + 29);
}
