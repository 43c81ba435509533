//! Work counts in proportion to what it reads: a loop over something large ends within the limits, whatever the loop does with
//! it and however small the result is.
#![cfg(feature = "fs")]

use hclkit::functions::{Directory, Grants, Library};
use hclkit::syntax::Code;
use hclkit::{Context, Expression, Limits, Value};

/// Evaluates an expression with a text `s` of 128 KiB, and returns the limit that ended it.
fn limit_of(body: &str, limits: &Limits) -> Option<Code> {
    let folder = tempfile::tempdir().unwrap();
    let text = "x7,:a b\n".repeat(1 << 14);
    std::fs::write(folder.path().join("text"), &text).unwrap();
    std::fs::write(folder.path().join("open"), "${".repeat(1 << 16)).unwrap();
    let files = Directory::open(folder.path()).unwrap().starting_in(folder.path()).unwrap();
    let functions = Library::Terraform.functions(&Grants::new().with_directory(files));
    let keys = Value::map([("k", Value::from(1))]).unwrap();
    let wide = Value::object((0..20_000).map(|at| (format!("k{at}"), Value::from(at))));
    let numbers = || Value::tuple((0..20_000).map(Value::from));
    let variables = [
        ("s", Value::from(text.as_str())),
        ("same", Value::from(text.as_str())),
        ("digits", Value::from("1".repeat(1 << 17))),
        ("keys", keys),
        ("wide", wide),
        ("items", numbers()),
        ("others", numbers()),
    ];
    let mut context = Context::new().with_functions(functions);
    context.set_all(variables);
    let turns = Value::tuple((0..2_000).map(Value::from));
    context.set("turns", turns);
    let expression = Expression::parse(format!("length([for turn in turns : {body}])")).unwrap();
    let errors = limits.run(|| expression.evaluate(&context)).err()?;
    errors.iter().find_map(|error| error.code().filter(|code| code.is_limit()))
}

#[test]
fn reading_takes_steps() {
    for body in [
        "sha512(s)",
        "strcontains(s, \"?\")",
        "s == same",
        "s != same ? 1 : 2",
        "[s] == [same]",
        "items == others",
        "length(false ? wide : keys)",
        "contains([same], s)",
        "can(keys[s])",
        "can({ a = 1 }[s])",
        "can(digits + 1)",
        "can(tonumber(digits))",
        "can(jsondecode(s))",
        "can(templatefile(\"open\", {}))",
        "filesha256(\"text\")",
    ] {
        let limits = Limits::new().with_steps(50_000);
        assert_eq!(limit_of(body, &limits), Some(Code::TooManySteps), "{body}");
    }
}

#[test]
fn rendered_templates_take_bytes() {
    for body in ["templatestring(s, {})", "upper(sensitive(s))", "templatefile(\"text\", {})"] {
        let limits = Limits::new().with_bytes(1 << 20);
        assert_eq!(limit_of(body, &limits), Some(Code::TooManyBytes), "{body}");
    }
}

#[test]
fn small_work_takes_one_step() {
    for body in ["length(\"${turn}\")", "turn == 1", "keys[\"k\"]", "items[turn]", "element(items, turn)"] {
        let limits = Limits::new().with_steps(100_000);
        assert_eq!(limit_of(body, &limits), None, "{body}");
    }
}
