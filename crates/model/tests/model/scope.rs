//! Scopes: names whose values are expressions, evaluated on demand.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hclkit_model::{Context, Diagnostics, Expression, Functions, Limits, Partial, PartialOptions, Scope};
use hclkit_syntax::{Code, Source, StartSymbol};
use hclkit_value::{Function, Mark, Type, Value};

fn expression(text: &str) -> Expression {
    Expression::parse(text).expect("an expression")
}

/// A scope of members of `local`.
fn locals<'t>(definitions: impl IntoIterator<Item = (&'t str, &'t str)>) -> Scope {
    let mut scope = Scope::new();
    for (name, text) in definitions {
        let source = Source::new(name, text);
        let expression = Expression::read(source, StartSymbol::Expression).expect("an expression");
        scope.define(["local", name], expression).expect("a new name");
    }
    scope
}

fn context<'t>(definitions: impl IntoIterator<Item = (&'t str, &'t str)>) -> Context {
    Context::new().with_scope(locals(definitions)).with_functions(Functions::special())
}

fn evaluate(text: &str, context: &Context) -> Result<Value, String> {
    expression(text).evaluate(context).map_err(|found| found.to_string())
}

#[test]
fn names_are_found_by_attribute_and_by_index() {
    let context = context([("a", "1"), ("b", "local.a + 1"), ("c", "{ x = [local[\"b\"], local.a] }")])
        .with("key", "b");
    assert_eq!(evaluate("local.c.x[0]", &context), Ok(Value::from(2)));
    assert_eq!(evaluate("local[\"b\"]", &context), Ok(Value::from(2)));
    assert_eq!(evaluate("local[key]", &context), Ok(Value::from(2)));
    assert_eq!(
        evaluate("[for name, value in local : name]", &context).unwrap().to_string(),
        r#"["a", "b", "c"]"#
    );
    assert_eq!(evaluate("[local, local.a][1]", &context), Ok(Value::from(1)));
    assert_eq!(
        evaluate("keys", &context),
        Err("1:1: error: Unknown variable: There is no variable named `keys`. Did you mean `key`?".into())
    );
    assert_eq!(
        evaluate("locl.a", &context),
        Err("1:1: error: Unknown variable: There is no variable named `locl`. Did you mean `local`?".into())
    );
}

#[test]
fn names_have_members_at_any_depth() {
    let mut scope = Scope::new();
    scope.define(["data", "image", "web"], expression("{ id = \"i-${var.zone}\" }")).unwrap();
    scope.define(["answer"], expression("42")).unwrap();
    scope.set(["var", "zone"], "a");
    scope.set(["module"], Value::unknown(Type::object([("url", Type::String)])));
    scope.set(["resource"], Value::DYNAMIC);
    let context = Context::new().with_scope(scope);
    assert_eq!(evaluate("data.image.web.id", &context), Ok(Value::from("i-a")));
    assert_eq!(evaluate("data[\"image\"].web[\"id\"]", &context), Ok(Value::from("i-a")));
    assert_eq!(evaluate("data", &context).unwrap().to_string(), r#"{ image = { web = { id = "i-a" } } }"#);
    assert_eq!(evaluate("answer", &context), Ok(Value::from(42)));
    // Unknown roots, with and without a type.
    assert_eq!(evaluate("module.url", &context), Ok(Value::unknown(Type::String)));
    assert!(evaluate("module.uri", &context).unwrap_err().contains("no attribute named `uri`"));
    assert_eq!(evaluate("resource.web[0].anything", &context), Ok(Value::DYNAMIC));
}

#[test]
fn each_name_is_evaluated_once_and_on_demand() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = calls.clone();
    let count = Function::typed("count", move || counter.fetch_add(1, Ordering::Relaxed));
    let scope = locals([("a", "count()"), ("b", "local.a + local.a"), ("c", "count()")]);
    let mut context = Context::new().with_functions([count]).with_scope(scope);
    for _ in 0..3 {
        assert_eq!(evaluate("[local.b, local.a]", &context).unwrap().to_string(), "[0, 0]");
    }
    assert_eq!(calls.load(Ordering::Relaxed), 1);
    // A change of the context may change the values; copies have their own.
    let copy = context.clone();
    context.set("x", 1);
    assert_eq!(evaluate("local.a", &context), Ok(Value::from(1)));
    assert_eq!(evaluate("local.a", &copy), Ok(Value::from(0)));
}

#[test]
fn inner_names_hide_outer_ones() {
    let context = context([("a", "\"outer ${kind}\""), ("b", "local.a")]).with("kind", "module");
    let mut inner = Scope::new();
    inner.define(["self", "name"], expression("\"${local.b}, ${each.key}\"")).unwrap();
    inner.set(["each", "key"], "x");
    let child = context.child().with_scope(inner);
    // Outer names do not see inner ones.
    let child = child.with("kind", "element");
    assert_eq!(evaluate("self.name", &child), Ok(Value::from("outer module, x")));
    assert!(evaluate("self.name", &context).unwrap_err().contains("no variable named `self`"));
    let hidden = child.child().with("local", "a value");
    assert_eq!(evaluate("local", &hidden), Ok(Value::from("a value")));
    assert_eq!(evaluate("[for local in [1] : local]", &child).unwrap().to_string(), "[1]");
    // A name of a scope hides an outer variable.
    let mut other = Scope::new();
    other.define(["kind"], expression("\"scope\"")).unwrap();
    assert_eq!(evaluate("kind", &child.child().with_scope(other)), Ok(Value::from("scope")));
}

#[test]
fn a_cycle_is_one_error_with_all_its_places() {
    let context = context([
        ("d", "1"),
        ("a", "local.d + local.b"),
        ("b", "[local.c]"),
        ("c", "local.a"),
        ("e", "local.c"),
    ]);
    for start in ["local.a", "local.b", "local.c", "local.e", "local"] {
        let found = expression(start).evaluate(&context).unwrap_err();
        assert_eq!(found.total(), 1, "{found}");
        let error = &found.as_slice()[0];
        assert_eq!(error.code(), Some(Code::ReferenceCycle));
        assert_eq!(
            error.note(),
            "These definitions refer to each other in a cycle: `local.a` → `local.b` → `local.c` → `local.a`."
        );
        let name = |source: Option<&Arc<Source>>| source.unwrap().name().to_owned();
        assert_eq!((name(error.source()).as_str(), error.span().start), ("a", 10));
        let places: Vec<_> = error
            .related()
            .iter()
            .map(|place| (name(place.source()), place.span().start, place.text()))
            .collect();
        assert_eq!(
            places,
            [
                ("b".to_owned(), 1, "`local.b` refers to `local.c` here"),
                ("c".to_owned(), 0, "`local.c` refers to `local.a` here"),
            ]
        );
    }
    let (definitions, errors) = context.resolve();
    assert_eq!((definitions.len(), errors.total()), (5, 1));
    assert_eq!(evaluate("local.d", &context), Ok(Value::from(1)));
}

#[test]
fn cycles_through_whole_scopes_and_functions_are_found() {
    let context_of = context([("a", "local[\"x${1}\"]"), ("b", "1")]);
    assert!(evaluate("local.b", &context_of).is_ok());
    assert!(evaluate("local.a", &context_of).unwrap_err().ends_with("`local.a` refers to itself."));

    // A function whose body contains no reference that the expression shows.
    let scope = locals([("a", "f()"), ("b", "local.a")]);
    let shared = Arc::new(std::sync::OnceLock::<Context>::new());
    let held = Arc::downgrade(&shared);
    let body = expression("local.b");
    let function = Function::typed("f", move || {
        let shared = held.upgrade().expect("the context lives");
        let context = shared.get().expect("the context is set");
        body.evaluate(context).map_err(|found| hclkit_model::error_within(&found))
    });
    let context = shared.get_or_init(|| Context::new().with_scope(scope).with_functions([function]));
    let found = evaluate("local.a", context).unwrap_err();
    assert!(found.contains("cycle: `local.a` → `local.b` → `local.a`"), "{found}");
}

#[test]
fn errors_of_all_needed_names_are_reported() {
    let context = context([
        ("bad", "1 + {}"),
        ("on", "[local.bad, local.bad]"),
        ("top", "[local.on, local.on, nothing]"),
    ]);
    let found = expression("[local.top, local.bad]").evaluate(&context).unwrap_err();
    assert_eq!(found.total(), 2, "{found}");
    assert_eq!(expression("local.bad").evaluate(&context).unwrap_err().total(), 1);
    // The errors belong to the definition, so `try` does not catch them.
    assert!(evaluate("try(local.bad, 1)", &context).is_err());
    let mut diagnostics = Diagnostics::new();
    let value = diagnostics.absorb(expression("[1, local.on]").evaluate_lenient(&context));
    assert_eq!(value.to_string(), "[1, [(unknown number), (unknown number)]]");
    assert_eq!(context.resolve().1.total(), 2);
}

#[test]
fn undefined_members_are_reported_with_a_suggestion() {
    let context = context([("region", "1"), ("b", "local.regin")]);
    let found = evaluate("local.regoin", &context).unwrap_err();
    assert_eq!(
        found,
        "1:6: error: Unknown variable: `local.regoin` is not defined. Did you mean `local.region`?"
    );
    let found = expression("[local.zzz, local.zzz.x, local.region]").evaluate(&context).unwrap_err();
    assert_eq!(found.total(), 2, "{found}");
    assert_eq!(context.resolve().1.total(), 1);
}

#[test]
fn names_are_defined_once() {
    let mut scope = locals([("a", "1")]);
    let again = Expression::read(Source::new("other", "2"), StartSymbol::Expression).unwrap();
    let found = scope.define(["local", "a"], again).unwrap_err();
    let error = &found.as_slice()[0];
    assert_eq!(error.code(), Some(Code::DuplicateDefinition));
    assert_eq!(error.related()[0].source().unwrap().name(), "a");
    assert!(scope.define(["local", "a", "b"], expression("1")).is_err());
    assert!(scope.define(["local"], expression("1")).is_err());
    assert!(scope.define([] as [&str; 0], expression("1")).is_err());
    assert_eq!(evaluate("local", &Context::new().with_scope(scope)).unwrap().to_string(), "{ a = 1 }");
}

#[test]
fn marks_are_passed_on_and_nothing_marked_is_shown() {
    let mut scope =
        locals([("secret", "var.password"), ("text", "\"p: ${local.secret}\""), ("bad", "local.secret + 1")]);
    scope.set(["var", "password"], Value::from("hunter2").mark(Mark::sensitive()));
    let context = Context::new().with_scope(scope);
    let value = evaluate("local.text", &context).unwrap();
    assert_eq!(value, Value::from("p: hunter2").mark(Mark::sensitive()));
    for text in ["local.bad", "local.text.x", "local.secret + 1", "local.nothing"] {
        let found = expression(text).evaluate(&context).unwrap_err();
        assert!(!format!("{found} {found:?}").contains("hunter2\""), "{found:?}");
        let explanation = expression(text).explain(&context);
        assert!(!format!("{:?}", explanation.errors).contains("hunter2"), "{explanation:?}");
    }
}

#[test]
fn explanations_and_partial_evaluation_see_names_of_scopes() {
    let mut scope = locals([("a", "2"), ("b", "local.a * 2"), ("c", "var.x")]);
    scope.set(["var", "x"], Value::unknown(Type::Number));
    let context = Context::new().with_scope(scope);
    let explanation = expression("local.b + 1").explain(&context);
    assert_eq!(explanation.value, Value::from(5));
    assert_eq!(explanation.parts[0].value, Value::from(4));
    let Partial::Rest(rest) =
        PartialOptions::new().evaluate(&expression("[local.b + 1, local.c]"), &context).unwrap()
    else {
        panic!("a part is unknown")
    };
    assert_eq!(rest.text, "[5, local.c]");
}

#[test]
fn long_chains_use_no_stack() {
    const LENGTH: usize = 100_000;
    let mut scope = Scope::new();
    let mut text = "0".to_owned();
    for at in 0..LENGTH {
        scope.define(["local".to_owned(), format!("a{at}")], expression(&text)).unwrap();
        text = format!("local.a{at} + 1");
    }
    let context = Context::new().with_scope(scope);
    let evaluated = std::thread::Builder::new().stack_size(512 * 1024);
    let last = text.clone();
    let value = evaluated.spawn(move || evaluate(&last, &context)).unwrap().join().unwrap();
    assert_eq!(value, Ok(Value::from(LENGTH)));
}

#[test]
fn limits_apply_to_all_evaluations_together() {
    let names: Vec<String> = (0..100).map(|at| format!("a{at}")).collect();
    let texts: Vec<String> = (0..100).map(|at| format!("[local.a{}, -(1)]", at + 1)).collect();
    let mut scope = locals(names.iter().map(String::as_str).zip(texts.iter().map(String::as_str)));
    scope.set(["local", "a100"], 1);
    let context = Context::new().with_scope(scope);
    let few = Limits::new().with_steps(50);
    let found = few.run(|| expression("local.a0").evaluate(&context)).unwrap_err();
    assert_eq!((found.total(), found.as_slice()[0].code()), (1, Some(Code::TooManySteps)), "{found}");
    // With other limits, it has a value.
    assert!(evaluate("local.a0", &context).is_ok());
}

#[test]
fn scopes_are_shared_by_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    let context = context([("a", "[for i in [1, 2, 3] : i * 2]"), ("b", "local.a[2]")]);
    shared(&context);
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| assert_eq!(evaluate("local.b", &context), Ok(Value::from(6))));
        }
    });
}
