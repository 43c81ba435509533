//! Modules with objects that a provider completes, without its schema: what only the provider knows is never an error.

use hclkit_module::{Dialect, Evaluation, Memory, Module, ModuleLoader};

fn load(main: &str) -> Module {
    let files = Memory::from_iter([("main.tf", main)]);
    ModuleLoader::new(Dialect::terraform()).with_files(files).load()
}

/// Evaluates and checks a module without errors.
fn evaluate(main: &str) -> Evaluation {
    let module = load(main);
    let found = module.evaluate(&[]);
    let all = [found.diagnostics.clone(), module.check()].into_iter().flatten();
    let errors: Vec<String> =
        all.filter(hclkit_syntax::Diagnostic::is_error).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0], "{main}");
    found
}

fn value(found: &Evaluation, address: &str) -> String {
    let found = found.values.iter().find(|found| found.address == address);
    found.expect("there is a value").value.to_string()
}

#[test]
fn types_that_only_a_provider_knows_may_fit() {
    let queue = "data \"aws_x\" \"x\" {}\nresource \"aws_sqs_queue\" \"q\" {\n  name = \"n\"\n}\n";
    for conditional in [
        "true ? { enable = true, url = aws_sqs_queue.q.url } : {}",
        "false ? {} : { enable = true, url = aws_sqs_queue.q.url }",
        "true ? { a = { enable = true, url = aws_sqs_queue.q.url } } : { a = {} }",
        "true ? [{ enable = true, url = aws_sqs_queue.q.url }] : [{ enable = [] }, { enable = true }]",
        "aws_sqs_queue.q.enabled ? { enable = true, url = data.aws_x.x.urls[0] } : { other = 1 }",
    ] {
        let found = evaluate(&format!("{queue}output \"o\" {{\n  value = {conditional}\n}}\n"));
        let value = value(&found, "output.o");
        assert!(value.contains("(unknown") && !value.contains("true"), "{conditional}: {value}");
    }
    // Only the values are unknown.
    let found = evaluate(&format!(
        "{queue}resource \"aws_a\" \"x\" {{\n  for_each = true ? {{ a = true, b = aws_sqs_queue.q.url }} : {{}}\n}}\n"
    ));
    assert_eq!(value(&found, "aws_a.x[\"b\"]"), "{}");
    // What is not unknown is an error.
    let conditional = "true ? { enable = true, name = aws_sqs_queue.q.name } : { enable = [] }";
    let found = load(&format!("{queue}output \"o\" {{\n  value = {conditional}\n}}\n")).evaluate(&[]);
    assert!(found.diagnostics.has_errors());
}

#[test]
fn elements_of_dynamic_blocks_can_have_the_names_of_types() {
    let found = evaluate(
        "resource \"x_y\" \"a\" {\n}\nresource \"aws_a\" \"x\" {\n  dynamic \"x_y\" {\n    for_each = [1, 2]\n    content {\n      \
         port = x_y.value\n      dynamic \"z\" {\n        for_each = [x_y.key]\n        content {\n          n = x_y.key + z.value\n        \
         }\n      }\n    }\n  }\n}\n",
    );
    assert_eq!(
        value(&found, "aws_a.x"),
        "{ x_y = [{ port = 1, z = [{ n = 0 }] }, { port = 2, z = [{ n = 2 }] }] }"
    );
}

#[test]
fn sensitive_collections_hide_the_attributes_of_blocks() {
    let found = evaluate(
        "variable \"s\" {\n  default = \"x\"\n  sensitive = true\n}\nresource \"aws_x\" \"y\" {\n  dynamic \"b\" {\n    \
         for_each = var.s != \"\" ? [1] : []\n    content {\n      a = 1\n      n {\n        z = 1\n      }\n    }\n  }\n}\n",
    );
    let object = found.values.iter().find(|found| found.address == "aws_x.y").expect("there is a value");
    let (bare, marks) = object.value.unmark_deep_with_paths();
    assert_eq!(bare.to_string(), "{ b = [{ a = 1, n = [{ z = 1 }] }] }");
    let paths: Vec<String> = marks.iter().map(|(path, _)| path.to_string()).collect();
    assert_eq!(paths, [".b[0].a"]);
}

#[test]
fn undefined_names_in_blocks_that_nothing_creates_are_warnings() {
    let block = |each: &str, inner: &str| {
        format!(
            "variable \"l\" {{\n  default = []\n}}\nresource \"aws_x\" \"y\" {{\n  dynamic \"a\" {{\n    for_each = {each}\n    content \
             {{\n      {inner}\n    }}\n  }}\n}}\n"
        )
    };
    let nested = "dynamic \"b\" {\n  for_each = a.value\n  content {\n    x = nope.value\n  }\n}";
    for main in [
        block("[]", "x = nope.value"),
        block("[]", "x = local.nope"),
        block("var.l", "x = nope.value"),
        block("var.l", "b {\n  x = nope.value\n}"),
        block("var.l", nested),
        block("aws_z.z.l", nested) + "resource \"aws_z\" \"z\" {\n}\n",
    ] {
        evaluate(&main);
        let warnings =
            load(&main).check().iter().filter(|found| found.note().contains("creates a block")).count();
        assert_eq!(warnings, 1, "{main}");
    }
    let collection = nested.replace("a.value", "nope.value").replace("x = nope", "x = a");
    for main in [block("[1]", "x = nope.value"), block("[[1]]", nested), block("var.l", &collection)] {
        assert!(load(&main).check().has_errors(), "{main}");
        assert!(load(&main).evaluate(&[]).diagnostics.has_errors(), "{main}");
    }
}
