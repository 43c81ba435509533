//! Any text as an expression and as a template, evaluated with variables of all kinds and the functions of cty: there
//! is no panic, it ends within the limits, and evaluating again, explaining and partial evaluation give the same
//! answer.
#![no_main]

use std::sync::LazyLock;

use hclkit_model::{Context, Diagnostics, Expression, Functions, Limits, Partial};
use hclkit_syntax::{Document, Source, StartSymbol};
use hclkit_value::{Mark, Type, Value};

static CONTEXT: LazyLock<Context> = LazyLock::new(|| {
    let mut functions = Functions::from(hclkit_functions::cty());
    functions.extend(Functions::special().iter().map(|(name, function)| (name, function.clone())));
    let object = || Value::object([("a", Value::from(1)), ("b", Value::from("x"))]);
    let list = || Value::list([Value::from("x"), Value::from("y")]).expect("of one type");
    let refined = Value::unknown(Type::String).refine().with_not_null().with_full_prefix("ab-").finish();
    let mut context = Context::new().with_functions(functions);
    context.set_all([
        ("a", Value::from("text")),
        ("b", Value::from(true)),
        ("c", Value::from(2)),
        ("d", object()),
        ("e", list()),
        ("f", Value::tuple([object(), Value::from(1), Value::null(Type::Dynamic)])),
        ("g", Value::set([Value::from(1), Value::unknown(Type::Number)]).expect("of one type")),
        ("h", Value::map([("a", list()), ("b", list())]).expect("of one type")),
        ("i", Value::DYNAMIC),
        ("j", refined.expect("no contradiction")),
        ("k", Value::unknown(Type::list(Type::String))),
        ("l", Value::null(Type::String)),
        ("m", list().mark(Mark::new("m"))),
        ("n", Value::tuple([Value::from("s").mark(Mark::new("n"))])),
        ("o", Value::unknown(Type::Bool).mark(Mark::new("o"))),
    ]);
    context
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    for entry in [StartSymbol::Expression, StartSymbol::Template] {
        check(input, entry);
    }
});

fn check(input: &[u8], entry: StartSymbol) {
    // Deeper nesting needs a larger stack than a fuzzer has.
    let document = Limits::new().with_nesting(200).run(|| Document::parse(Source::new("", input), entry));
    let expression = Expression::from_document(&document);
    let limits =
        || Limits::new().with_steps(20_000).with_elements(20_000).with_bytes(1 << 20).with_depth(400);
    let evaluate = || {
        let mut diagnostics = Diagnostics::new();
        let value = limits().run(|| diagnostics.absorb(expression.evaluate_lenient(&CONTEXT)));
        (value, diagnostics)
    };
    let (value, diagnostics) = evaluate();
    for diagnostic in &diagnostics {
        assert!(diagnostic.span().end as usize <= document.source().text().len());
    }
    let (again, others) = evaluate();
    assert!(value == again && diagnostics.len() == others.len(), "another answer to the same question");
    let explained = limits().run(|| expression.explain(&CONTEXT));
    let stopped = diagnostics
        .iter()
        .chain(&explained.errors)
        .any(|error| error.code().is_some_and(hclkit_syntax::Code::is_limit));
    assert!(stopped || explained.value == value, "what is explained is another value");
    if document.has_errors() {
        return;
    }
    let _ = (expression.variables(), expression.static_list(), expression.static_map());
    let _ = (expression.static_call(), expression.static_traversal(), expression.static_keyword());
    if let Ok(Partial::Rest(rest)) = limits().run(|| expression.partial(&CONTEXT)) {
        // A line break must follow the name that closes a heredoc.
        let end = if entry == StartSymbol::Expression { "\n" } else { "" };
        let read = Document::parse(Source::new("", format!("{}{end}", rest.text)), entry);
        assert!(!read.has_errors(), "what is left is no source: {}", rest.text);
        let mut found = Diagnostics::new();
        let left = limits().run(|| found.absorb(Expression::from_document(&read).evaluate_lenient(&CONTEXT)));
        let stopped = found.iter().any(|error| error.code().is_some_and(hclkit_syntax::Code::is_limit));
        let same = left == value && left.ty() == value.ty();
        assert!(
            stopped || diagnostics.has_errors() || found.has_errors() || !value.is_wholly_known() || same,
            "what is left is another value: {}",
            rest.text
        );
    }
}
