//! Errors of predicates: those that are not about a part of the document are errors of the selection.

use hclkit_model::{Context, Functions};
use hclkit_syntax::parse;
use hclkit_value::Function;
use hclkit_write::Selector;

#[test]
fn a_predicate_that_cannot_be_true_for_any_part_is_an_error() {
    let document = parse("module \"a\" {\n  source = \"./a\"\n}\nmodule \"b\" {\n  source = 1\n}\n");
    let functions: Functions =
        [Function::typed("is_short", |text: String| text.len() < 9)].into_iter().collect();
    let context = Context::new().with_functions(functions);
    let select = |predicate: &str| {
        let path: Selector = format!("module~[{predicate}]").parse().unwrap();
        let found =
            path.select_with(&document, &context).map_err(|errors| errors[0].code().unwrap().as_str());
        found.map(|found| found.iter().map(|part| part.address().to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(select("nosuchfunction(source)"), Err("unknown-function"));
    assert_eq!(select("is_short()"), Err("missing-argument"));
    assert_eq!(select("is_short(source, 1)"), Err("too-many-arguments"));
    assert_eq!(select("is_short(source)"), Ok(vec!["module.a".to_owned(), "module.b".to_owned()]));
    // These depend on the part.
    assert_eq!(select("source + 1 > 1"), Ok(vec!["module.b".to_owned()]));
    assert_eq!(select("missing.name == 1"), Ok(Vec::new()));
    assert!("module~[source +]".parse::<Selector>().is_err());
}
