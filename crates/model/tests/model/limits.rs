//! Limits of evaluation: nesting and the stack, long chains, and the limits that a caller sets.

use hclkit_model::{CancelToken, Context, Diagnostics, Expression, Functions, LazyFunction, Limits};
use hclkit_value::{Function, Mark, Parameter, Type, Value};

/// The stack size that must be enough, also without optimization.
const STACK: usize = 2 << 20;

fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}

fn context() -> Context {
    let mut functions = Functions::special();
    let id = Function::with_type(|args| Ok(args[0].ty()), |args, _| Ok(args[0].clone()));
    functions
        .insert("id", id.with_parameter(Parameter::new("value", Type::Dynamic).with_unknowns().with_nulls()));
    Context::new().with("x", 1).with("t", true).with("l", Value::tuple([1])).with_functions(functions)
}

fn nested(open: &str, middle: &str, close: &str, depth: usize) -> String {
    format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn nesting_up_to_the_limit_of_the_parser_fits_a_small_stack() {
    let shapes: &[(&str, &str, &str, usize)] = &[
        ("[", "x", "]", 990),
        ("{ a = ", "x", " }", 990),
        ("(", "x", ")", 990),
        ("id(", "x", ")", 990),
        ("try(", "x", ")", 990),
        ("-", "x", "", 990),
        ("!", "t", "", 990),
        ("t ? ", "x", " : 0", 990),
        ("\"${", "x", "}\"", 490),
        ("\"a${", "x", "}\"", 490),
        ("l[", "0", " - 1 + 1]", 990),
        ("[for y in l: ", "x", "]", 990),
        ("{for y in l: \"k\" => ", "x", "}", 990),
        ("{for k, y in l: k => ", "x", "...}", 990),
        ("[x][*", "", "", 0),
        ("1 + (", "x", ")", 990),
        ("t && (", "t", ")", 990),
        ("id(l...)[", "0", "]", 0),
    ];
    for &(open, middle, close, depth) in shapes.iter().filter(|shape| shape.3 > 0) {
        let text = nested(open, middle, close, depth);
        on_small_stack(move || {
            let expression =
                Expression::parse(text.as_str()).unwrap_or_else(|errors| panic!("{open}: {errors}"));
            let mut diagnostics = Diagnostics::new();
            // Groups of results make two levels of each.
            let limits = Limits::new().with_value_depth(2_000);
            let value = limits.run(|| diagnostics.absorb(expression.evaluate_lenient(&context())));
            assert!(!diagnostics.has_errors() || open == "l[", "{open}: {diagnostics}");
            drop(value);
            expression.variables();
            expression.explain(&context());
            drop(expression);
        });
    }
}

/// Loops over nested collections make values far deeper than the source is nested.
#[test]
fn the_depth_of_values_is_limited() {
    let loops = |count: usize| {
        let deep = format!("{}v{}", "[".repeat(200), "]".repeat(200));
        format!("{}v{}", format!("[for v in [{deep}] : ").repeat(count), "]".repeat(count))
    };
    on_small_stack(move || {
        let context = context().with("v", 1);
        for wrap in ["", "length", "V == V", "id(V)", "\"${id(V) == V}\""] {
            let value = loops(100);
            let text = match wrap {
                "" => value,
                "length" => format!("id({value})"),
                wrap => wrap.replace('V', &value),
            };
            let found =
                Expression::parse(text).expect("an expression").evaluate(&context).expect_err("too deep");
            assert_eq!(found[0].code().unwrap().as_str(), "value-too-deep", "{wrap}");
            assert_eq!(found.len(), 1);
        }
        let fits = Expression::parse(loops(4)).expect("an expression").evaluate(&context).expect("a value");
        assert_eq!(fits.depth(), 804);
    });
}

#[test]
fn templates_nest_as_deeply_as_the_parser_allows() {
    for (open, close) in [("%{ if t }", "%{ endif }"), ("%{ for y in l }", "%{ endfor }")] {
        let text = nested(open, "a", close, 490);
        on_small_stack(move || {
            let template = Expression::parse_template(text.as_str()).expect("a template");
            assert_eq!(template.evaluate(&context()).expect("a value").as_str(), Some("a"));
        });
    }
}

#[test]
fn chains_do_not_count_as_nesting() {
    on_small_stack(|| {
        let sum = format!("0{}", " + x".repeat(100_000));
        assert_eq!(Expression::parse(sum).unwrap().evaluate(&context()).unwrap(), Value::from(100_000));
        let logic = format!("t{}", " && t".repeat(100_000));
        assert_eq!(Expression::parse(logic).unwrap().evaluate(&context()).unwrap(), Value::TRUE);
        let steps = format!("x{}", ".a".repeat(100_000));
        assert_eq!(Expression::parse(steps).unwrap().evaluate(&context()).unwrap_err().len(), 1);
        let keys = format!("x{}", "[x]".repeat(100_000));
        assert_eq!(Expression::parse(keys).unwrap().evaluate(&context()).unwrap_err().len(), 1);
    });
}

/// The splats of a chain are nested once they are lowered, and are dropped in this form.
#[test]
fn chains_of_splats_are_dropped_on_a_small_stack() {
    on_small_stack(|| {
        for step in [".*.a[0]", ".*.a.b[0]"] {
            let chain = Expression::parse(format!("x{}", step.repeat(30_000))).unwrap();
            assert_eq!(chain.evaluate(&context()).unwrap_err().len(), 1, "{step}");
            let explanation = chain.explain(&context());
            drop((chain, explanation));
        }
    });
}

fn refused(limits: &Limits, text: &str) -> String {
    let expression = Expression::parse(text).expect("an expression");
    let errors = limits.run(|| expression.evaluate(&context())).expect_err("refused");
    assert_eq!(
        errors.iter().filter(|error| error.code().is_some_and(hclkit_syntax::Code::is_limit)).count(),
        1,
        "{errors}"
    );
    errors[0].code().unwrap().to_string()
}

#[test]
fn limits_end_in_one_diagnostic() {
    let triple = "[for a in [1,2,3,4]: [for b in [1,2,3,4]: [for c in [1,2,3,4]: id(a + b + c)]]]";
    assert!(refused(&Limits::new().with_steps(50), triple).contains("steps"));
    assert!(refused(&Limits::new().with_elements(50), triple).contains("elements"));
    assert!(
        refused(&Limits::new().with_bytes(10), "[for a in [1,2,3]: \"number ${a} of many\"]")
            .contains("bytes")
    );
    // The text of a name that is left to the program is made anew each time, with the spaces around it.
    let named = |context: Context| {
        let limits = Limits::new().with_bytes(1_000);
        let text = format!("[for a in [1,2,3,4,5,6,7,8,9]: \"${{{}b.c}}\"]", " ".repeat(200));
        limits.run(|| Expression::parse(text).unwrap().evaluate(&context)).unwrap_err().to_string()
    };
    assert!(named(context().with_runtime_names(true)).contains("bytes"));
    assert!(refused(&Limits::new().with_depth(3), "id(id(id(id(x))))").contains("evaluation-too-deep"));
    // `try` and `can` do not catch this error.
    assert!(refused(&Limits::new().with_steps(50), &format!("try({triple}, 1)")).contains("steps"));
    assert!(refused(&Limits::new().with_steps(50), &format!("can({triple})")).contains("steps"));
    assert!(refused(&Limits::new().with_steps(50), &format!("t ? 1 : {triple}")).contains("steps"));
    assert!(refused(&Limits::new().with_steps(50), &format!("t || {triple} == 1")).contains("steps"));
}

/// A conversion may create much more than it returns at the top.
#[test]
fn converted_values_count_with_all_of_their_parts() {
    let row = "[for i in [1,2,3,4,5,6,7,8,9]: [i, i, i, i, i, i, i, i, i]]";
    let loops = "for a in [1,2,3,4,5,6,7,8,9]: [for b in [1,2,3,4,5,6,7,8,9]:";
    let same = format!("[for l in [{row}]: [{loops} l]]]");
    let texts = row.replace(": [i", ": [\"x\"");
    let converted = format!("[for l in [{row}]: [for o in [{texts}]: [{loops} t ? l : o]]]]");
    let limits = Limits::new().with_elements(2_000);
    limits.run(|| Expression::parse(same).unwrap().evaluate(&context())).expect("allowed");
    assert!(refused(&limits, &converted).contains("elements"));
}

#[test]
fn an_explanation_contains_an_exceeded_limit() {
    let expression =
        Expression::parse("[for a in [1, 2, 3]: \"number ${a} of many\"]").expect("an expression");
    let explained = Limits::new().with_bytes(10).run(|| expression.explain(&context()));
    assert_eq!(explained.value, Value::DYNAMIC);
    assert!(
        explained.errors.iter().any(|error| error.code().unwrap().as_str() == "too-many-bytes"),
        "{explained:?}"
    );
}

#[test]
fn a_limit_applies_to_one_run() {
    let sum = Expression::parse("x + x + x").expect("an expression");
    let limits = Limits::new().with_steps(20);
    for _ in 0..10 {
        assert_eq!(limits.run(|| sum.evaluate(&context())), Ok(Value::from(3)));
    }
    let deep = Expression::parse(nested("[", "x", "]", 500)).expect("an expression");
    assert!(Limits::new().with_depth(100).run(|| deep.evaluate(&context())).is_err());
    assert!(deep.evaluate(&context()).is_ok());
}

#[test]
fn nested_evaluations_share_the_limits() {
    // A function that evaluates itself never ends.
    let mut functions = Functions::new();
    let again = Function::unnamed(Type::Number, |args, _| {
        let context = CONTEXT.with(|context| context.borrow().clone());
        let expression =
            Expression::parse("again(n + 1)").map_err(|e| hclkit_value::Error::new(e.to_string()))?;
        expression
            .evaluate(&context.with("n", args[0].clone()))
            .map_err(|errors| hclkit_value::Error::new(errors[0].note().to_string()))
    });
    functions.insert("again", again.with_parameter(Parameter::new("n", Type::Number)));
    let context = Context::new().with_functions(functions);
    CONTEXT.with(|own| *own.borrow_mut() = context.clone());
    let errors = Limits::new()
        .with_depth(60)
        .run(|| Expression::parse("again(0)").expect("an expression").evaluate(&context))
        .expect_err("it never ends");
    assert!(errors.to_string().contains("limit of 60 levels"), "{errors}");
}

thread_local! {
    static CONTEXT: std::cell::RefCell<Context> = std::cell::RefCell::new(Context::new());
}

#[test]
fn cancellation_is_noticed() {
    let token = CancelToken::new();
    let seen = token.clone();
    let mut functions = Functions::new();
    functions.insert(
        "stop",
        LazyFunction::new("none", move |_| {
            seen.cancel();
            Ok(Value::TRUE)
        }),
    );
    let context = context().child().with_functions(functions);
    let text = "[stop(), [for a in l: [for b in [for c in l: 1]: [for d in range: a + b + d]]]]";
    let context = context.with("range", Value::tuple((0..10_000).map(Value::from)));
    let expression = Expression::parse(text).expect("an expression");
    let errors =
        Limits::new().with_cancel(token).run(|| expression.evaluate(&context)).expect_err("cancelled");
    assert_eq!(errors[0].code().unwrap().as_str(), "cancelled");
}

#[test]
fn an_exceeded_limit_is_reported_after_a_thousand_errors() {
    let list = Value::tuple((0..2_000).map(Value::from));
    let context = Context::new().with("l", list);
    let expression = Expression::parse("[for x in l : missing + x]").expect("an expression");
    let mut diagnostics = Diagnostics::new();
    Limits::new().with_steps(1_500).run(|| diagnostics.absorb(expression.evaluate_lenient(&context)));
    assert_eq!(diagnostics.last().map(|last| last.code().unwrap().as_str()), Some("too-many-steps"));
}

/// The search for a suggestion compares all names. After much work for other errors, it stops.
#[test]
fn suggestions_are_searched_for_a_bounded_time() {
    const NAMES: usize = 20_000;
    let object = Value::object((0..NAMES).map(|at| (format!("key_{at}"), Value::from(at))));
    let meant = |count: usize| {
        let names: Vec<String> = (0..count).map(|at| format!("o.kye_{at}")).collect();
        let context = Context::new().with("o", object.clone());
        let found =
            Expression::parse(format!("[{}]", names.join(", "))).unwrap().evaluate(&context).unwrap_err();
        assert_eq!(found.errors(), count);
        found.iter().filter(|error| error.note().contains("Did you mean `key_")).count()
    };
    assert_eq!(meant(50), 50);
    let bounded = meant(900);
    assert!((50..200).contains(&bounded), "{bounded}");
}

/// A chain of operands with a mark each has all these marks.
#[test]
fn chains_have_the_marks_of_all_operands() {
    const COUNT: usize = 2_000;
    let mut context = Context::new();
    for at in 0..COUNT {
        context.set(format!("v{at}"), Value::from(1).mark(Mark::new(format!("m{at}"))));
    }
    let names: Vec<String> = (0..COUNT).map(|at| format!("v{at}")).collect();
    for (open, separator, close, expected) in
        [("", " + ", "", Value::from(COUNT)), ("", " == 1 && ", " == 1", Value::TRUE)]
    {
        let text = format!("{open}{}{close}", names.join(separator));
        let expression = Expression::parse(text).unwrap();
        let (value, marks) = expression.evaluate(&context).unwrap().unmark();
        assert_eq!((value, marks.len()), (expected.clone(), COUNT));
        assert_eq!(expression.explain(&context).value.unmark().1.len(), COUNT);
    }
}
