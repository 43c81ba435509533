//! A spec file and a configuration, both from the fuzzer and in either syntax, with dynamic blocks and variables of
//! all kinds, within limits: there is no panic, it ends, the value has the type that the spec implies, and a second
//! run gives the same answer.
//!
//! The input is the spec file and the files of the configuration, with lines `---` between them. A text that begins with a
//! brace or a bracket is in the JSON syntax.
#![no_main]

use std::sync::LazyLock;

use hclkit_model::{Body, Diagnostics, Dynamic, Functions, Limits, Spec, SpecFile};
use hclkit_syntax::Source;
use hclkit_value::{Mark, Type, Value};
use libfuzzer_sys::Corpus;

static FUNCTIONS: LazyLock<Functions> = LazyLock::new(|| Functions::from(hclkit_functions::spec()));

static VARIABLES: LazyLock<Vec<(&str, Value)>> = LazyLock::new(|| {
    let list = || Value::list([Value::from("x"), Value::from("y")]).expect("of one type");
    vec![
        ("s", Value::from("text")),
        ("n", Value::from(3)),
        ("b", Value::from(true)),
        ("l", list()),
        ("t", Value::tuple([Value::from(1), Value::from("a"), Value::null(Type::Dynamic)])),
        ("o", Value::object([("a", Value::from("p")), ("b", Value::from(7))])),
        ("m", Value::map([("j", Value::from("1")), ("k", Value::from("2"))]).expect("of one type")),
        ("u", Value::unknown(Type::String)),
        ("d", Value::DYNAMIC),
        ("ul", Value::unknown(Type::list(Type::String))),
        ("nl", Value::null(Type::list(Type::String))),
        ("ms", Value::from("hidden").mark(Mark::new("secret"))),
        ("ml", list().mark(Mark::new("secret"))),
        ("mu", Value::unknown(Type::set(Type::Number)).mark(Mark::new("secret"))),
    ]
});

libfuzzer_sys::fuzz_target!(|input: &str| -> Corpus {
    let mut texts = input.split("\n---\n");
    let (Some(spec), Some(first)) = (texts.next(), texts.next()) else { return Corpus::Reject };
    let files: Vec<&str> = std::iter::once(first).chain(texts).collect();
    let limits = Limits::new().with_steps(20_000).with_elements(20_000).with_bytes(1 << 20).with_depth(400);
    let Ok(spec) = limits.run(|| SpecFile::read(source("spec", spec), &FUNCTIONS)) else {
        return Corpus::Keep;
    };
    let body = Body::merge(files.into_iter().map(|text| Body::parse(source("file", text)).0));
    let context = spec.context(VARIABLES.iter().cloned());
    let ty = limits.run(|| spec.spec.implied_type());
    for body in [body.clone(), Dynamic::new(&context).expand(&body)] {
        let decode = || {
            let mut diagnostics = Diagnostics::new();
            let value = limits.run(|| diagnostics.absorb(spec.spec.decode(&body, &context)));
            (value, diagnostics)
        };
        let (value, diagnostics) = decode();
        for diagnostic in &diagnostics {
            let source = diagnostic.source().expect("each diagnostic has a source");
            assert!(diagnostic.span().end as usize <= source.text().len());
        }
        let (again, others) = decode();
        assert!(value == again && diagnostics.len() == others.len(), "another answer to the same question");
        if !diagnostics.has_errors() && is_certain(&spec.spec) {
            assert!(value.ty().matches(&ty), "{value} is not of the type {ty}");
        }
        let mut found = Diagnostics::new();
        let (part, _) = limits.run(|| found.absorb(spec.spec.partial_decode(&body, &context)));
        assert!(diagnostics.has_errors() || part == value, "decoded in part it is another value");
        limits.run(|| spec.spec.place(&body));
    }
    let (all, needed) = (spec.spec.references_with_dynamic(&body), spec.spec.references_of_expansion(&body));
    assert!(needed.len() <= all.len(), "expansion needs more than decoding");
    let _ = spec.spec.references(&body);
    Corpus::Keep
});

/// Returns true if values must have the type that the spec implies. As in the reference, they need not if a default
/// has another type than the spec that it replaces, or if there are no blocks with several labels; and values that
/// cannot be in one map are in an object.
fn is_certain(spec: &Spec) -> bool {
    let mut certain = true;
    spec.walk(&mut |spec| {
        certain &= match spec {
            Spec::Default(default) => {
                default.specs.iter().all(|other| other.implied_type() == spec.implied_type())
            }
            Spec::BlockMap(blocks) => blocks.label_names.len() == 1 && !blocks.nested.ty().has_dynamic(),
            Spec::BlockAttributes(block) => !block.element_type.has_dynamic(),
            _ => true,
        };
        true
    });
    certain
}

fn source(name: &str, text: &str) -> Source {
    let json = text.trim_start().starts_with(['{', '[']);
    Source::new(if json { format!("{name}.json") } else { name.to_owned() }, text)
}
