//! Evaluation on several threads: values, errors and their order are those of one thread.

use std::fmt::Write as _;
use std::thread::{self, ThreadId};
use std::{collections::HashSet, sync::Arc, sync::Mutex};

use hclkit_limits::{Limit, Limits};
use hclkit_model::Functions;
use hclkit_module::{Dialect, Evaluation, Memory, ModuleLoader, ModuleTree};
use hclkit_syntax::Related;
use hclkit_test_cases::rounds;
use hclkit_value::{Function, Parameter, Type, Value};

/// The number of modules.
const MODULES: usize = 40;

/// A module with a chain of local values, instances, a check and a module of its own. `extra` is added to every seventh one.
fn module(at: usize, extra: &str) -> String {
    let mut text = "variable \"name\" {\n  validation {\n    condition     = length(var.name) > 0\n    error_message = \"Empty.\"\n  }\n}\n".to_owned();
    for step in 0..30 {
        let before = if step == 0 { "var.name".to_owned() } else { format!("local.v{}", step - 1) };
        let _ = writeln!(text, "locals {{\n  v{step} = \"{step}${{{before}}}\"\n}}");
    }
    text += "resource \"thing\" \"one\" {\n  for_each = { a = local.v1, b = local.v2 }\n  text     = \"${each.key}${each.value}\"\n}\n";
    text += "check \"warning\" {\n  assert {\n    condition     = local.v3 == \"\"\n    error_message = \"It is ${local.v3}.\"\n  }\n}\n";
    text += "output \"text\" {\n  value = local.v29\n}\noutput \"things\" {\n  value = thing.one\n}\n";
    text += "module \"leaf\" {\n  source = \"../leaf\"\n  count  = 2\n  name   = local.v2\n}\n";
    if at.is_multiple_of(7) { text + extra } else { text }
}

fn files(extra: &str, main: &str) -> Vec<(String, String)> {
    let leaf =
        "variable \"name\" {\n}\nlocals {\n  a = \"${var.name}!\"\n}\noutput \"a\" {\n  value = local.a\n}\n";
    let mut files = vec![("leaf/main.tf".to_owned(), leaf.to_owned())];
    let mut root = main.to_owned();
    for at in 0..MODULES {
        files.push((format!("m{at}/main.tf"), module(at, extra)));
        // Half of the modules need the one before.
        let name = if at % 2 == 1 { format!("module.m{}.text", at - 1) } else { format!("\"n{at}\"") };
        let _ = writeln!(root, "module \"m{at}\" {{\n  source = \"./m{at}\"\n  name   = {name}\n}}");
    }
    files.push(("main.tf".to_owned(), root));
    files
}

fn functions() -> Functions {
    let length = Function::typed("text", |text: String| text.len() as u64);
    [("length", length)].into_iter().collect()
}

fn evaluate(files: &[(String, String)], threads: usize) -> Evaluation {
    let loader = ModuleLoader::new(Dialect::terraform()).with_files(Memory::from_iter(files.to_vec()));
    loader.with_functions(functions()).with_threads(threads).load().evaluate(&[])
}

/// What a check of the root module finds.
fn checked(files: &[(String, String)], threads: usize) -> String {
    let loader = ModuleLoader::new(Dialect::terraform()).with_files(Memory::from_iter(files.to_vec()));
    let mut tree = ModuleTree::new(loader.with_functions(functions()).with_threads(threads));
    tree.arrange([""]);
    let found = tree.check("", false);
    found.iter().fold(String::new(), |all, found| format!("{all}{found} {:?}\n", found.related()))
}

fn text(found: &Evaluation) -> String {
    let mut text = String::new();
    for value in &found.values {
        let _ = writeln!(text, "{} = {} {}", value.address, value.value, value.sensitive);
    }
    for problem in &found.diagnostics {
        let _ =
            writeln!(text, "{problem} {:?}", problem.related().iter().map(Related::text).collect::<Vec<_>>());
    }
    text
}

#[test]
fn threads_do_not_change_the_result() {
    let cases = [
        ("", ""),
        // Cycles in a module, and through several modules.
        (
            "locals {\n  x = [local.y]\n  y = local.x\n}\noutput \"z\" {\n  value = \"a${local.x[0]}\"\n}\n",
            "",
        ),
        (
            "",
            "locals {\n  a = module.c1.a\n  b = \"${module.c2.a}-\"\n}\nmodule \"c1\" {\n  source = \"./leaf\"\n  name   = local.b\n}\nmodule \"c2\" {\n  source = \"./leaf\"\n  name   = local.a\n}\n",
        ),
        // Errors in values, in instances and in conditions.
        ("locals {\n  x = nope\n  y = local.x\n}\n", "locals {\n  z = module.m7.text + 1\n}\n"),
        ("resource \"thing\" \"many\" {\n  for_each = [local.v1]\n}\nlocals {\n  many = thing.many\n}\n", ""),
        (
            "module \"bad\" {\n  source   = \"../leaf\"\n  for_each = local.v1\n  name     = \"\"\n}\nlocals {\n  bad = module.bad\n}\n",
            "",
        ),
        ("module \"missing\" {\n  source = \"../leaf\"\n}\nlocals {\n  missing = module.missing.a\n}\n", ""),
        (
            "",
            "variable \"missing\" {\n}\nmodule \"m\" {\n  source = \"./m0\"\n  name   = var.missing\n}\nmodule \"n\" {\n  source = \"./m0\"\n  name   = \"\"\n}\n",
        ),
    ];
    for (extra, main) in cases {
        let files = files(extra, main);
        let one = text(&evaluate(&files, 1));
        assert!(one.contains("It is 3210n0."), "{one}");
        assert_eq!(one.contains("error"), !extra.is_empty() || !main.is_empty(), "{one}");
        let found = checked(&files, 1);
        for round in 0..rounds(2) {
            assert_eq!(text(&evaluate(&files, 4)), one, "round {round} of {extra}{main}");
            assert_eq!(checked(&files, 4), found, "round {round} of {extra}{main}");
        }
    }
}

#[test]
fn threads_share_the_limits() {
    let files = files("", "");
    let limited = |limits: &Limits, threads| limits.run(|| text(&evaluate(&files, threads)));
    let enough = Limits::new().with_steps(40_000);
    assert_eq!(limited(&enough, 4), limited(&enough, 1));
    for limits in
        [Limits::new().with_steps(1_000), Limits::new().with_elements(2_000), Limits::new().with_bytes(1_000)]
    {
        for threads in [1, 4] {
            let found = limits.run(|| evaluate(&files, threads));
            let is_limit = |code: hclkit_syntax::Code| code.is_limit();
            assert!(found.diagnostics.iter().any(|found| found.code().is_some_and(is_limit)), "{limits:?}");
        }
    }
    let late = Limits::new().with_timeout(std::time::Duration::ZERO);
    let exceeded = late.run(|| {
        evaluate(&files, 4);
        hclkit_limits::Meter::current().look().unwrap_err()
    });
    assert_eq!(exceeded.limit, Limit::Deadline);
}

#[test]
fn large_modules_are_evaluated_on_several_threads() {
    let used: Arc<Mutex<HashSet<ThreadId>>> = Arc::default();
    let (seen, own) = (used.clone(), thread::current().id());
    let length = Function::unnamed(Type::Number, move |arguments, _| {
        seen.lock().unwrap().insert(thread::current().id());
        Ok(Value::from(arguments[0].as_str().map_or(0, str::len) as u64))
    });
    let text = Parameter::new("text", Type::String);
    let functions: Functions = [("length", length.with_parameter(text))].into_iter().collect();
    let loader = ModuleLoader::new(Dialect::terraform()).with_functions(functions);
    let on = |files: Vec<(String, String)>, threads| {
        used.lock().unwrap().clear();
        loader.clone().with_files(Memory::from_iter(files)).with_threads(threads).load().evaluate(&[]);
        let used = used.lock().unwrap();
        (used.contains(&own), used.len())
    };
    assert_eq!(on(files("", ""), 1), (true, 1));
    let (own, threads) = on(files("", ""), 2);
    assert!(!own && threads <= 2, "{own} {threads}");
    let small = vec![("main.tf".to_owned(), module(1, "").replace("../leaf", "registry/leaf"))];
    assert_eq!(on(small.clone(), 2), (false, 0));
    let small = small[0].1.clone() + "locals {\n  l = length(\"\")\n}\n";
    assert_eq!(on(vec![("main.tf".to_owned(), small)], 2), (true, 1));
}

/// A module that is large enough for several threads. `extra` is inserted in the middle.
fn large(extra: &str) -> Vec<(String, String)> {
    let mut text = String::new();
    for at in 0..400 {
        if at == 200 {
            text += extra;
        }
        let before = if at % 50 == 0 { "\"start\"".to_owned() } else { format!("local.v{}", at - 1) };
        let after = if at < 399 { format!("thing.t{}.text", at + 1) } else { "1".to_owned() };
        let _ = writeln!(
            text,
            "locals {{\n  v{at} = \"{at}-${{{before}}}\"\n}}\nresource \"thing\" \"t{at}\" {{\n  text  = local.v{at}\n  other = {after}\n}}\nvariable \"i{at}\" {{\n  default = \"{at}\"\n  validation {{\n    condition     = length(var.i{at}) > 0\n    error_message = \"Empty.\"\n  }}\n}}",
        );
    }
    vec![("main.tf".to_owned(), text)]
}

#[test]
fn threads_do_not_change_what_is_found_in_one_large_module() {
    for (extra, expected) in [
        ("", ""),
        ("locals {\n  x = local.v199.a\n  y = local.x\n}\n", "error"),
        ("locals {\n  x = [local.y]\n  y = local.x\n}\n", "ycle"),
        ("locals {\n  x = local.v1000\n  y = thing.t1.texd\n}\n", "`local.v1000` is not defined"),
        (
            "variable \"i1000\" {\n  validation {\n    condition     = length(local.v7) > \"a\"\n    error_message = \"No.\"\n  }\n}\n",
            "error",
        ),
        (
            "resource \"thing\" \"many\" {\n  for_each = toset([local.v1])\n  depends_on = [thing.t1, thing.nope]\n}\n",
            "thing.nope",
        ),
    ] {
        let files = large(extra);
        let (one, values) = (checked(&files, 1), text(&evaluate(&files, 1)));
        assert!(
            one.contains("Nothing in this directory refers to") && one.contains(expected),
            "{extra}{one}"
        );
        assert_eq!(one.contains("error: "), !extra.is_empty(), "{one}");
        for round in 0..rounds(1) {
            assert_eq!(checked(&files, 4), one, "round {round} of {extra}");
            assert_eq!(text(&evaluate(&files, 4)), values, "round {round} of {extra}");
        }
    }
}
