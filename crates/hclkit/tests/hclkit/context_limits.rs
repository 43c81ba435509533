//! The limits of a context are those of a run around each thing that is done with it.
#![cfg(feature = "derive")]

use hclkit::functions::{Grants, Library};
use hclkit::model::PartialOptions;
use hclkit::syntax::Code;
use hclkit::{Body, Context, Decode, Diagnostics, Expression, Limits, Source};

const TEXTS: &[&str] = &[
    "1 + 2",
    r#""${name}-${name}""#,
    "[for a in list : [for b in list : a + b]]",
    r#"try(join(",", [for a in list : name]), "cheap")"#,
    "can([for a in list : a]) ? list : []",
    "{ for a in list : a => [a, name] }",
];

#[derive(Decode)]
struct File {
    value: hclkit::Value,
}

fn context() -> Context {
    let context = Context::new().with_functions(Library::Terraform.functions(&Grants::new()));
    context.with("name", "web").with("list", hclkit::Value::tuple((0..8).map(hclkit::Value::from)))
}

fn codes(found: &Diagnostics) -> Vec<Option<Code>> {
    found.iter().map(hclkit::Diagnostic::code).collect()
}

/// What everything that takes a context gives for a text.
fn results(text: &str, context: &Context, around: &Limits) -> Vec<String> {
    let parse = || Expression::parse(text).unwrap();
    let file = format!("value = {text}\n");
    let body = Body::parse(Source::new("a.hcl", file.as_str())).0;
    let spec = File::spec();
    let show = |result: Result<String, Diagnostics>| match result {
        Ok(value) => value,
        Err(found) => format!("{:?}", codes(&found)),
    };
    vec![
        show(around.run(|| parse().evaluate(context).map(|value| value.to_string()))),
        show(around.run(|| parse().partial(context).map(|partial| format!("{partial:?}").len().to_string()))),
        show(around.run(|| PartialOptions::new().rewrite(&parse(), context).map(|(rest, _)| rest.text))),
        around.run(|| parse().explain(context)).errors.len().to_string(),
        around.run(|| codes(&spec.decode(&body, context).1).len()).to_string(),
        show(around.run(|| File::decode(&body, context).map(|own| own.value.to_string()))),
        show(around.run(|| hclkit::load_str::<File>(&file, context).map(|own| own.value.to_string()))),
    ]
}

#[test]
fn limits_of_contexts_are_those_of_runs() {
    let none = Limits::trusted();
    let mut stopped = 0;
    for text in TEXTS {
        let mut different = std::collections::BTreeSet::new();
        for most in (0..40).chain([60, 90, 150]) {
            let limits = [
                Limits::new().with_steps(most),
                Limits::new().with_elements(most),
                Limits::new().with_bytes(most),
                Limits::new().with_depth(most as u32),
            ];
            for limits in limits {
                let around = results(text, &context(), &limits);
                let inside = results(text, &context().with_limits(limits.clone()), &none);
                assert_eq!(inside, around, "{text} with {limits:?}");
                // A context inside of it has them, too, and cannot have larger ones.
                let child = context().with_limits(limits.clone()).child().with_limits(none.clone());
                assert_eq!(results(text, &child, &none), around, "{text} with {limits:?}");
                different.insert(around);
            }
        }
        stopped += usize::from(different.len() > 1);
    }
    assert!(stopped >= 5, "limits must end something");
}

#[test]
fn each_evaluation_has_the_whole_limit() {
    let context = context().with_limits(Limits::new().with_bytes(7));
    let expression = Expression::parse(r#""${name}-${name}""#).unwrap();
    for _ in 0..3 {
        assert_eq!(expression.evaluate(&context).unwrap().to_string(), r#""web-web""#);
    }
    let found = Limits::new().with_bytes(10).run(|| {
        let first = expression.evaluate(&context).is_ok();
        (first, expression.evaluate(&context).is_ok())
    });
    assert_eq!(found, (true, false), "it counts toward a run around it");
}
