//! Modules that would take all memory or time, or have other files read.

use hclkit_limits::Limits;
use hclkit_module::{Dialect, Disk, Evaluation, Files, Memory, Module, ModuleLoader};
use hclkit_syntax::Diagnostics;

fn load(files: impl IntoIterator<Item = (String, String)>) -> Module {
    ModuleLoader::new(Dialect::terraform()).with_files(Memory::from_iter(files)).load()
}

fn evaluate(files: impl IntoIterator<Item = (String, String)>) -> Evaluation {
    load(files).evaluate(&[])
}

fn assert_error(found: &Diagnostics, text: &str) {
    assert!(found.iter().any(|found| found.note().contains(text)), "{text}: {found}");
}

/// Modules that each call the next one.
fn nested(levels: usize, call: impl Fn(&str) -> String) -> Vec<(String, String)> {
    let file = |at: usize| match at {
        0 => ("main.tf".to_owned(), call("./m1")),
        _ if at == levels => (format!("m{at}/main.tf"), "output \"x\" {\n  value = 1\n}\n".to_owned()),
        _ => (format!("m{at}/main.tf"), call(&format!("../m{}", at + 1))),
    };
    (0..=levels).map(file).collect()
}

#[test]
fn modules_that_double_are_bounded() {
    // Evaluating what is left takes longer.
    let module = load(nested(40, |source| {
        let call = |name: &str| format!("module \"{name}\" {{\n  source = \"{source}\"\n}}\n");
        call("a") + &call("b")
    }));
    assert_error(&module.diagnostics(), "have more than 100000 declarations");
}

#[test]
fn addresses_are_bounded() {
    let call = |name: String| {
        move |source: &str| {
            format!("module \"{name}\" {{\n  source = \"{source}\"\n}}\nlocals {{\n  a = 1\n}}\n")
        }
    };
    let found = evaluate(nested(200, call("m".repeat(5_000))));
    assert_error(&found.diagnostics, "have more than 67108864 characters");
    let found = evaluate(nested(200, call("m".repeat(50))));
    assert!(found.diagnostics.is_empty(), "{}", found.diagnostics);
}

/// A value that contains the same part 2³⁰ times, and patterns with many steps.
#[test]
fn patterns_are_bounded() {
    let twice = |at: usize| format!("  l{at} = [local.l{0}, local.l{0}]\n", at - 1);
    let values: Vec<String> = (1..=30).map(twice).collect();
    let text = format!("locals {{\n  l0 = {{ x = 1 }}\n{}}}\n", values.concat());
    let module = load([("main.tf".to_owned(), text)]);
    let evaluate = |pattern: &str| {
        let patterns = [pattern.parse().unwrap()];
        Limits::new().with_steps(2_000_000).run(|| module.evaluate(&patterns))
    };
    for pattern in ["..x", "..nothing", "..[true]", "local.l30..x", &"..*".repeat(300)] {
        let found = evaluate(pattern).diagnostics;
        assert_error(&found, "exceeds the limit of 2,000,000 steps");
    }
    let every = format!("local.l30{}.x", "[*]".repeat(30));
    assert_error(&evaluate(&every).diagnostics, "exceeds the limit of 2,000,000 steps");
    let first = evaluate(&every.replace('*', "0"));
    assert!(first.diagnostics.is_empty() && first.values.len() == 1, "{}", first.diagnostics);
    let last = evaluate(&every.replace('*', "-1"));
    assert!(last.diagnostics.is_empty() && last.values.len() == 1, "{}", last.diagnostics);
}

#[test]
fn addresses_of_instances_are_bounded() {
    let keys: Vec<_> = (0..100).map(|at| format!("{}{at} = 1, ", "k".repeat(1_000))).collect();
    let keys = keys.concat();
    let call = format!("module \"a\" {{\n  source   = \"./m\"\n  for_each = {{ {keys} }}\n}}\n");
    let values: Vec<_> = (0..100).map(|at| format!("output \"x{at}\" {{\n  value = 1\n}}\n")).collect();
    let files = [("main.tf".to_owned(), call), ("m/main.tf".to_owned(), values.concat())];
    let found = Limits::new().with_bytes(1 << 20).run(|| evaluate(files));
    assert_error(&found.diagnostics, "There are too many instances");
}

#[test]
fn instances_of_modules_are_bounded() {
    let files = nested(40, |source| {
        format!(
            "module \"a\" {{\n  source = \"{source}\"\n  count  = 2\n}}\noutput \"x\" {{\n  value = module.a\n}}\n"
        )
    });
    let found = Limits::new().with_elements(100_000).run(|| evaluate(files));
    assert_error(&found.diagnostics, "There are too many instances");
}

#[test]
fn instances_of_resources_are_bounded() {
    let file = "resource \"a\" \"b\" {\n  count = 1000000000\n}\noutput \"x\" {\n  value = a.b\n}\n";
    let found = evaluate([("main.tf".to_owned(), file.to_owned())]);
    assert_error(&found.diagnostics, "There are too many instances");
    assert_eq!(found.values[0].value, hclkit_value::Value::DYNAMIC);
}

#[test]
fn changes_of_a_block_are_bounded() {
    let changes: Vec<_> =
        (0..20_000).map(|at| format!("resource \"a\" \"b\" {{\n  x{at} = 1\n}}\n")).collect();
    let base = "resource \"a\" \"b\" {\n}\n".to_owned();
    let found = evaluate([("main.tf".to_owned(), base), ("override.tf".to_owned(), changes.concat())]);
    assert_error(&found.diagnostics, "More than 100 blocks in override files change `a.b`.");
}

#[test]
fn errors_of_a_chain_are_found_once() {
    let names: Vec<_> = (0..10_000).map(|at| format!("  v{at} = local.v{}\n", at + 1)).collect();
    let names = names.concat();
    for (end, errors) in [("[nope, nope2]", 2), ("local.v0", 1)] {
        let text =
            format!("locals {{\n{names}  v10000 = {end}\n}}\noutput \"o\" {{\n  value = local.v0\n}}\n");
        let found = evaluate([("main.tf".to_owned(), text)]);
        assert_eq!(found.diagnostics.total(), errors);
    }
}

#[cfg(unix)]
#[test]
fn links_lead_to_files_with_the_same_extension() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::create_dir_all(folder.join(".git")).unwrap();
    std::fs::create_dir_all(folder.join("m")).unwrap();
    std::fs::write(folder.join("shared.tf"), "locals {\n}\n").unwrap();
    std::fs::write(folder.join("secret.json"), "{}").unwrap();
    for (link, target) in
        [("a.tf", "../shared.tf"), ("b.tf", "/proc/self/environ"), ("c.tf.json", "../secret.json")]
    {
        std::os::unix::fs::symlink(target, folder.join("m").join(link)).unwrap();
    }
    let files = Disk::new(folder.join("m"));
    let read = ["a.tf", "b.tf", "c.tf.json"].map(|name| files.read(name).is_ok());
    assert_eq!(read, [true, false, false]);
}

/// The empty path is that of the current directory, as for `clean_path`.
#[test]
fn an_empty_path_is_the_current_directory() {
    for disk in [Disk::new(""), Disk::without_repository("").with_readable("."), Disk::new(".")] {
        assert!(disk.may_read("") && disk.is_inside("Cargo.toml"));
        assert!(disk.list("").unwrap().contains(&"Cargo.toml".to_owned()));
        assert!(!disk.may_read("/"));
    }
}
