//! Compares the functions of Terraform and OpenTofu with recorded answers of Terraform 1.11 and OpenTofu 1.12, and checks their
//! documentation.

mod deep;
mod further;
mod grants;
mod limits;

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use hclkit_functions::{Directory, Grants, Table, Template};
use hclkit_model::{Context, Expression, Functions, LazyFunction};
use hclkit_value::{Error, Number, Type, Value};
use serde_json::Value as Json;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/functions/terraform").join(name)
}

/// All grants.
fn everything() -> Grants {
    Grants::new()
        .with_directory(Directory::open(data("folder")).unwrap())
        .with_clock_at(UNIX_EPOCH + Duration::from_secs(1_700_000_000))
        .with_random()
        .with_environment()
        .with_templates(render)
        .with_secret("vault", |_| Ok("secret".to_owned()))
        .with_secret("consul_key", |_| Ok("secret".to_owned()))
        .with_secret("aws_secretsmanager", |_| Ok("secret".to_owned()))
        .with_secret("aws_secretsmanager_raw", |_| Ok("secret".to_owned()))
}

fn render(template: &Template<'_>) -> Result<Value, Error> {
    let failed = |error: hclkit_model::Diagnostics| Error::new(error.to_string());
    let mut context = context(template.functions);
    context.set_all(
        template.variables.entries().into_iter().flatten().map(|(name, value)| (name, value.clone())),
    );
    Expression::parse_template(template.text).map_err(failed)?.evaluate(&context).map_err(failed)
}

fn context(table: &Table) -> Context {
    let mut functions = Functions::special();
    functions.extend(table.iter().map(|(name, function)| (*name, function.clone())));
    // OpenTofu's takes any expression.
    if let Some(function) = table.get("templatestring")
        && function.parameters()[0].name() == "template"
    {
        functions.insert("templatestring", LazyFunction::of_reference(function.clone()));
    }
    Context::new().with_functions(functions)
}

fn evaluate(context: &Context, expression: &str) -> Result<Value, String> {
    let expression = Expression::parse(expression).map_err(|error| error.to_string())?;
    expression.evaluate(context).map_err(|error| error.to_string())
}

/// Rounds numbers to 64-bit floats, like the recorded values.
fn rounded(value: &Value) -> Value {
    let rounded = value.transform(&mut |_, part: Value| {
        let number = part.as_number().map(|number| Number::try_from(number.to_f64().0).map(Value::from));
        number.transpose().map(|number| number.unwrap_or(part)).map_err(Error::from)
    });
    rounded.unwrap()
}

/// The variables of the recorded calls: a resource that has not been created and some templates.
fn variables() -> [(&'static str, Value); 2] {
    let resource = [("id", Value::DYNAMIC), ("output", Value::DYNAMIC)];
    let locals = [
        ("t", Value::from("a ${x}")),
        ("hello", Value::from("Hello, ${name}!")),
        ("loop", Value::from("%{ for n in names }${n};%{ endfor }")),
        ("plain", Value::from("plain")),
        ("bad", Value::from("${")),
        ("calls", Value::from("${upper(x)}")),
        ("recursive", Value::from("${templatestring(x, {})}")),
        ("number", Value::from(5)),
        ("list", Value::tuple([Value::from("a")])),
        ("empty", Value::from("")),
    ];
    [("terraform_data", Value::object([("x", Value::object(resource))])), ("local", Value::object(locals))]
}

/// The recorded answers of a file, each with its call.
fn cases(file: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(data(file)).unwrap();
    let call = |line: &str| -> String {
        let case = Value::from_plain_json(line.as_bytes()).unwrap();
        case.as_object().and_then(|case| case.get("expr")?.as_str()).unwrap().to_owned()
    };
    text.lines().map(|line| (call(line), line.to_owned())).collect()
}

fn check(file: &str) {
    let mut context = context(&hclkit_functions::terraform(&everything()));
    context.set_all(variables());
    check_lines(&context, &std::fs::read_to_string(data(file)).unwrap());
}

fn check_lines(context: &Context, lines: &str) {
    let mut wrong = String::new();
    let mut count = 0;
    for line in lines.lines() {
        let case = Value::from_plain_json(line.as_bytes()).unwrap();
        let case = case.as_object().unwrap();
        let expression = case.get("expr").and_then(Value::as_str).unwrap();
        count += 1;
        let answer = evaluate(context, &format!("jsonencode({expression})"));
        let got = answer.as_ref().ok().map(|text| {
            let text = text.unmark_deep().0;
            text.as_str()
                .map_or(Value::DYNAMIC, |text| rounded(&Value::from_plain_json(text.as_bytes()).unwrap()))
        });
        let wanted = case.get("unknown").map(|_| Value::DYNAMIC).or(case.get("json").map(rounded));
        if got != wanted {
            let _ = writeln!(wrong, "{line}\n  returns {answer:?}");
            continue;
        }
        if let Some(ty) = case.get("type").and_then(Value::as_str) {
            let ty = Type::from_json(ty.as_bytes()).unwrap();
            let got = evaluate(context, expression).unwrap().ty();
            if got != ty {
                let _ = writeln!(wrong, "{line}\n  has type {got}");
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count} differ:\n{wrong}", wrong.lines().count() / 2);
}

#[test]
fn recorded_calls_of_terraform_tests() {
    check("recorded.jsonl");
}

#[test]
fn further_recorded_calls() {
    check("asked.jsonl");
}

/// Random YAML texts and character sets, without texts that the YAML parser reads differently on purpose.
#[test]
fn recorded_encodings() {
    check("encodings.jsonl");
}

/// Rare patterns, dates, networks, YAML texts, format verbs and the like, and the types and refinements of results with
/// unknown arguments.
#[test]
fn recorded_corner_cases() {
    check("corners.jsonl");
}

#[test]
fn recorded_calls_with_unknown_values() {
    check("unknown.jsonl");
}

/// OpenTofu answers as Terraform does, except for what is recorded of it.
#[test]
fn recorded_calls_of_opentofu() {
    const FILES: [&str; 5] =
        ["recorded.jsonl", "asked.jsonl", "corners.jsonl", "encodings.jsonl", "unknown.jsonl"];
    let table = hclkit_functions::opentofu(&everything());
    let mut functions = Functions::special();
    functions.extend(table.iter().map(|(name, function)| (*name, function.clone())));
    let mut context = Context::new().with_functions(functions.with_namespace("core"));
    context.set_all(variables());
    let own = std::fs::read_to_string(data("opentofu.jsonl")).unwrap();
    check_lines(&context, &own);
    let different: HashSet<String> = cases("opentofu.jsonl").into_iter().map(|(call, _)| call).collect();
    for file in FILES {
        let same = cases(file).into_iter().filter(|(call, _)| !different.contains(call));
        let lines: Vec<String> = same.map(|(_, line)| line).collect();
        assert!(lines.len() > 500, "{file}");
        check_lines(&context, &lines.join("\n"));
    }
}

/// Templates of OpenTofu can render templates, but not without end.
#[test]
fn templates_of_opentofu_end() {
    let mut context = context(&hclkit_functions::opentofu(&everything()));
    context.set("again", Value::from("${templatestring(again, { again = again })}"));
    let rendered = evaluate(&context, "templatestring(again, { again = again })");
    assert!(rendered.as_ref().is_err_and(|error| error.contains("deep")), "{rendered:?}");
}

/// Each function has at least ten recorded calls in addition to those from Terraform's own tests.
#[test]
fn each_function_has_recorded_calls() {
    let mut counts = BTreeMap::new();
    for file in ["asked.jsonl", "corners.jsonl", "encodings.jsonl", "unknown.jsonl"] {
        for line in std::fs::read_to_string(data(file)).unwrap().lines() {
            let case: Json = serde_json::from_str(line).unwrap();
            let expression = case["expr"].as_str().unwrap();
            for (name, _) in expression.match_indices('(').map(|(at, _)| expression.split_at(at)) {
                let start = name.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
                *counts.entry(name[start..].to_owned()).or_insert(0) += 1;
            }
        }
    }
    for name in hclkit_functions::terraform(&Grants::new()).keys() {
        let count = counts.get(*name).copied().unwrap_or_default();
        // Terraform's console does not have this function.
        assert!(count >= 10 || *name == "plantimestamp", "{name}: {count}");
    }
}

#[test]
fn documentation_is_complete_and_correct() {
    let mut wrong = String::new();
    let all = everything();
    for table in
        [hclkit_functions::terraform(&all), hclkit_functions::opentofu(&all), hclkit_functions::packer(&all)]
    {
        check_documentation(&table, &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn check_documentation(table: &Table, wrong: &mut String) {
    let results = context(&hclkit_functions::terraform(&Grants::new()));
    let mut context = context(table);
    context.set_all(variables());
    for (name, function) in table {
        let parameters = function.parameters().iter().chain(function.variadic_parameter());
        for parameter in parameters.filter(|parameter| parameter.description().is_empty()) {
            let _ = writeln!(wrong, "{name}: {} has no description", parameter.name());
        }
        if function.description().is_empty() || function.examples().is_empty() {
            let _ = writeln!(wrong, "{name} has no description or no example");
        }
        for example in function.examples() {
            let (got, wanted) = (evaluate(&context, example.call()), evaluate(&results, example.result()));
            let (Ok(got), Ok(wanted)) = (&got, &wanted) else {
                let _ = writeln!(wrong, "{} returns {got:?}, expected {wanted:?}", example.call());
                continue;
            };
            if !got.has_type(&wanted.ty()) && got.convert(&wanted.ty()).is_err()
                || got.to_string() != wanted.to_string()
            {
                let _ = writeln!(wrong, "{} returns {got}, expected {wanted}", example.call());
            }
        }
    }
}

#[test]
fn signatures_match_those_of_terraform() {
    let mut table = hclkit_functions::terraform(&Grants::new());
    let ty = |json: &Json| Type::from_json(json.to_string().as_bytes()).unwrap();
    for line in std::fs::read_to_string(data("signatures.jsonl")).unwrap().lines() {
        let signature: Json = serde_json::from_str(line).unwrap();
        let name = signature["name"].as_str().unwrap();
        let function = table.remove(name).unwrap_or_else(|| panic!("{name} is missing"));
        let parameters: Vec<Type> = signature["parameters"].as_array().unwrap().iter().map(ty).collect();
        let own: Vec<Type> = function.parameters().iter().map(|parameter| parameter.ty().clone()).collect();
        // Terraform declares the template as a string but does not convert numbers to it.
        if name != "templatestring" {
            assert_eq!(own, parameters, "{name}");
        }
        let variadic = Some(&signature["variadic"]).filter(|variadic| !variadic.is_null()).map(ty);
        assert_eq!(function.variadic_parameter().map(|parameter| parameter.ty().clone()), variadic, "{name}");
    }
    assert!(table.is_empty(), "not in Terraform: {:?}", table.keys());
}
