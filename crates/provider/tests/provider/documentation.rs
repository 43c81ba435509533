//! The documentation in `docs/`: pages have what the functions declare, and their examples are right.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use hclkit::value::{Function, Parameter};
use hclkit::{Type, Value};
use terraform_provider_hcl::functions;

use crate::calls::World;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(docs().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Text on one line, without links.
fn flat(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('[') {
        let link =
            rest[start..].split_once("](").and_then(|(name, after)| Some((name, after.split_once(')')?.1)));
        let Some((name, after)) = link.filter(|(name, _)| !name[1..].contains('[')) else { break };
        let _ = write!(out, "{}{}", &rest[..start], &name[1..]);
        rest = after;
    }
    out.push_str(rest);
    out.replace('`', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn type_name(ty: &Type, list: &str) -> String {
    match ty {
        Type::String => "string".to_owned(),
        Type::Dynamic => "dynamic".to_owned(),
        Type::List(element) => format!("list{list}{}", type_name(element, list)),
        other => panic!("{other}"),
    }
}

fn signature(function: &Function) -> String {
    let parameter =
        |parameter: &Parameter| format!("{} {}", parameter.name(), type_name(parameter.ty(), " of "));
    let parameters: Vec<String> = function.parameters().iter().map(parameter).collect();
    let types: Vec<Type> = function.parameters().iter().map(|parameter| parameter.ty().clone()).collect();
    let result = type_name(&function.result_type_of(&types).unwrap(), " of ");
    format!("{}({}) {result}", function.name(), parameters.join(", "))
}

#[test]
fn each_function_has_a_page_with_its_signature_and_arguments() {
    for function in functions() {
        let name = function.name();
        let page = read(&format!("functions/{name}.md"));
        assert!(page.contains(&format!("page_title: \"{name} function - HCL Provider\"")), "{name}");
        assert!(page.contains(&format!("# function: {name}\n")), "{name}");
        let signature = signature(&function);
        assert!(page.contains(&format!("```text\n{signature}\n```")), "{name}: {signature}");
        let text = flat(&page);
        // The sentences of the description are on the page.
        for sentence in flat(function.description()).split(". ") {
            assert!(text.contains(sentence.trim_end_matches('.')), "{name}: {sentence}");
        }
        let summary = function.description().split_once(". ").unwrap().0;
        assert!(page.contains(&format!("description: |-\n  {summary}.\n---")), "{name}: {summary}");
        for parameter in function.parameters() {
            let ty = match parameter.ty() {
                Type::String => "String",
                _ if parameter.allows_null() => "Dynamic, Nullable",
                _ => "Dynamic",
            };
            let line = format!("1. `{}` ({ty}) {}", parameter.name(), parameter.description());
            assert!(page.contains(&line), "{name}: {line}");
        }
        assert!(read("index.md").contains(&format!("(functions/{name}.md)")), "{name}");
    }
    let pages = std::fs::read_dir(docs().join("functions")).unwrap().count();
    assert_eq!(pages, functions().len());
}

/// The fenced blocks of a page, with their titles.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
            blocks.push((title.to_owned(), format!("{}\n", text.join("\n"))));
        }
    }
    blocks
}

#[test]
fn the_examples_have_the_printed_results() {
    let world = World::new();
    let pages = functions().into_iter().map(|function| format!("functions/{}.md", function.name()));
    let mut count = 0;
    for page in pages.chain(["index.md".to_owned()]) {
        for (_, text) in blocks(&read(&page)).iter().filter(|(title, _)| title == "console") {
            for example in format!("\n{text}").split("\n> ").skip(1) {
                let (call, expected) = example.split_once('\n').unwrap();
                assert_eq!(world.result(call), world.result(expected), "{page}: {call}");
                count += 1;
            }
        }
    }
    assert!(count >= 14, "{count}");
}

/// The text that tools other than the registry show for a function.
#[test]
fn examples_of_functions_are_right() {
    let world = World::new();
    for function in functions() {
        for example in function.examples() {
            assert_eq!(world.result(example.call()), world.result(example.result()), "{}", example.call());
        }
    }
}

#[test]
fn the_examples_of_the_guide_are_right() {
    let functions = functions();
    let evaluate = functions.iter().find(|function| function.name() == "evalconfigspec").unwrap();
    let (mut spec, mut config, mut count) = (String::new(), String::new(), 0);
    for (title, text) in blocks(&read("guides/spec-language.md")) {
        let arguments = [
            Value::from(config.as_str()),
            Value::from(spec.as_str()),
            Value::object([] as [(&str, Value); 0]),
        ];
        match title.as_str() {
            "hcl spec" => spec = text,
            "hcl config" => config = text,
            "json value" => {
                let value = evaluate.call(&arguments).unwrap();
                let expected = Value::from_plain_json(text.as_bytes()).unwrap();
                let json = |value: &Value| value.to_json(&value.ty()).unwrap();
                assert_eq!(json(&value), json(&expected), "{config}");
                count += 1;
            }
            "text errors" => {
                let (_, error) = evaluate.call(&arguments).unwrap_err().split_first();
                assert_eq!(error.message(), text.trim_end());
                count += 1;
            }
            other => panic!("{other}"),
        }
    }
    assert!(count >= 7, "{count}");
}

#[test]
fn the_limits_in_the_documentation_are_the_defaults() {
    use hclkit::Limits;
    let index = read("index.md");
    for (name, limit) in [
        ("SIZE", Limits::SOURCE_BYTES),
        ("NESTING", u64::from(Limits::NESTING)),
        ("STEPS", Limits::STEPS),
        ("ELEMENTS", Limits::ELEMENTS),
        ("BYTES", Limits::BYTES),
    ] {
        let row =
            index.lines().find(|line| line.starts_with(&format!("| `HCL_PROVIDER_MAX_{name}` |"))).unwrap();
        assert!(row.ends_with(&format!("| {limit} |")), "{row}");
    }
    for name in hclkit::functions::Library::Spec.functions(&hclkit::functions::Grants::new()).iter() {
        assert!(index.contains(&format!("`{}`", name.0)), "{}", name.0);
    }
}
