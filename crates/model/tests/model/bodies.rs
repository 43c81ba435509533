//! Bodies read by schemas, in both syntaxes: cases in the files of `bodies/`.
//!
//! The sections of a case are the files, such as `main.hcl`; then `schema`, a body in the native syntax with `required`,
//! `optional`, `attributes = true` (any names), `block "type" { labels = […] … }` for each type, `taken { … }` for what is
//! taken before, `vars`, and `dynamic = true`; then `content`, the result. `BLESS=1 cargo test -p hclkit-model
//! bodies` writes the actual results; review the diff.

use std::fmt::Write as _;
use std::path::Path;
use std::thread;

use hclkit_model::{
    Attribute, AttributeSchema, BlockSchema, Body, Content, Context, Diagnostics, Dynamic, Functions, Limits,
    Place, References, Schema,
};
use hclkit_syntax::{Code, Diagnostic, Source};
use hclkit_test_cases::{self as cases, Case, Section};
use hclkit_value::{Function, Mark, Parameter, Type, Value};

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/model/bodies");
    let files = cases::read(&folder, "cases", &[]).unwrap_or_else(|problem| panic!("{problem}"));
    assert!(files.len() >= 3, "files of cases are missing: {files:?}");
    cases::check(&files, |title| title == "content", |case| vec![Section::new("content", found(case))]);
}

/// The content of a case.
fn found(case: &Case) -> String {
    let mut bodies = Vec::new();
    let mut out = Printer { text: String::new(), context: Context::new() };
    let mut wanted = Wanted::default();
    let mut expands = false;
    assert!(case.section("schema").is_some(), "{} has no schema", case.name);
    assert!(case.options.is_empty(), "{}: unknown options", case.name);
    for Section { title: name, text } in case.sections.iter().filter(|section| section.title != "content") {
        let (body, found) = Body::parse(Source::new(name.as_str(), text.trim_end_matches('\n')));
        if name == "schema" {
            assert!(found.is_empty(), "{found}");
            let settings = Settings::of(&body);
            if let Some(vars) = settings.get("vars") {
                out.context = Context::new().with_functions(functions());
                for (name, value) in vars.entries().expect("an object") {
                    out.context.set(name, value.clone());
                }
            }
            expands = settings.get("dynamic").is_some();
            wanted = Wanted::read(&body);
        } else {
            out.diagnostics(0, &found);
            bodies.push(body);
        }
    }
    let mut body = Body::merge(bodies);
    if expands {
        out.references(0, &References::of_expansion(&body), &wanted);
        body = Dynamic::new(&out.context).expand(&body);
    }
    if let Some(taken) = &wanted.taken {
        let mut found = Diagnostics::new();
        let (content, rest) = found.absorb(body.partial_content(&taken.schema));
        out.text.push_str("taken\n");
        out.diagnostics(2, &found);
        out.content(2, &content, taken);
        body = rest;
    }
    out.body(0, &body, &wanted);
    out.text
}

/// `unknown(x)` is unknown and of the type of x, `mark(x)` is marked.
fn functions() -> Functions {
    let any = |name: &str| Parameter::new(name, Type::Dynamic).with_nulls().with_marked().with_unknowns();
    let of = |arguments: &[Value]| Ok(arguments[0].ty());
    let unknown = Function::with_type(of, |arguments, _| Ok(Value::unknown(arguments[0].ty())));
    let mark = Function::with_type(of, |arguments, _| Ok(arguments[0].mark(Mark::new("m"))));
    Functions::from_iter([
        ("unknown", unknown.with_parameter(any("value"))),
        ("mark", mark.with_parameter(any("value"))),
    ])
}

/// A schema in the native syntax.
#[derive(Default)]
struct Wanted {
    schema: Schema,
    any: bool,
    inner: Vec<(String, Self)>,
    taken: Option<Box<Self>>,
}

/// The arguments of a schema's body.
struct Settings(Vec<(String, Value)>);

impl Settings {
    fn of(body: &Body) -> Self {
        let blocks = Schema::new().with_block("block", &["type"]).with_block("taken", &[]);
        let mut found = Diagnostics::new();
        let (_, rest) = found.absorb(body.partial_content(&blocks));
        let mut ignored = Diagnostics::new();
        let context = Context::new().with_functions(functions());
        let set = |attribute: Attribute| {
            let value = attribute.expression.evaluate(&context).expect("a value");
            (attribute.name.to_string(), value)
        };
        Self(ignored.absorb(rest.attributes()).into_iter().map(set).collect())
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    fn names(&self, name: &str) -> Vec<String> {
        let listed = self.get(name).and_then(Value::as_slice).unwrap_or_default();
        listed.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
    }
}

impl Wanted {
    fn read(body: &Body) -> Self {
        let settings = Settings::of(body);
        let mut wanted = Self { any: settings.get("attributes").is_some(), ..Self::default() };
        for (list, required) in [("required", true), ("optional", false)] {
            for name in settings.names(list) {
                wanted.schema.add_attribute(AttributeSchema { name: name.into(), required });
            }
        }
        let blocks = Schema::new().with_block("block", &["type"]).with_block("taken", &[]);
        let (content, _) = body.partial_content(&blocks).0;
        for block in content.blocks {
            let inner = Self::read(&block.body);
            let Some(block_type) = block.labels.first() else {
                wanted.taken = Some(Box::new(inner));
                continue;
            };
            let labels = Settings::of(&block.body).names("labels");
            let label_names = labels.into_iter().map(Into::into).collect();
            wanted.schema.add_block(BlockSchema::new(block_type.clone(), label_names));
            wanted.inner.push((block_type.to_string(), inner));
        }
        wanted
    }

    fn inner(&self, block_type: &str) -> Option<&Self> {
        self.inner.iter().find(|(known, _)| known == block_type).map(|(_, wanted)| wanted)
    }
}

struct Printer {
    text: String,
    context: Context,
}

impl Printer {
    fn line(&mut self, indent: usize, line: &str) {
        writeln!(self.text, "{:indent$}{line}", "").expect("a string");
    }

    fn diagnostics(&mut self, indent: usize, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            let source = diagnostic.source().expect("each says where it is");
            let range = source.range(diagnostic.span());
            let (start, end) = (range.start, range.end);
            let place =
                format!("{}:{}:{}-{}:{}", source.name(), start.line, start.column, end.line, end.column);
            self.line(indent, &format!("! {place} {}: {}", diagnostic.code().unwrap(), diagnostic.note()));
        }
    }

    fn body(&mut self, indent: usize, body: &Body, wanted: &Wanted) {
        if body.is_unknown() {
            self.line(indent, "unknown");
        }
        let mut found = Diagnostics::new();
        if wanted.any {
            let attributes = found.absorb(body.attributes());
            self.diagnostics(indent, &found);
            for attribute in &attributes {
                self.attribute(indent, attribute);
            }
        } else {
            let content = found.absorb(body.content(&wanted.schema));
            self.diagnostics(indent, &found);
            self.content(indent, &content, wanted);
        }
    }

    fn content(&mut self, indent: usize, content: &Content, wanted: &Wanted) {
        for attribute in &content.attributes {
            self.attribute(indent, attribute);
        }
        for block in &content.blocks {
            let slice = |span| block.source.slice(span);
            let labels: Vec<String> = block
                .labels
                .iter()
                .zip(&block.label_spans)
                .map(|(label, span)| format!(" {label:?} at {}", slice(*span)))
                .collect();
            let header = format!(
                "{}{} at {}, {}",
                block.block_type,
                labels.concat(),
                slice(block.type_span),
                slice(block.definition_span)
            );
            self.line(indent, &header);
            if let Some(inner) = wanted.inner(&block.block_type) {
                self.body(indent + 2, &block.body, inner);
            }
        }
    }

    fn attribute(&mut self, indent: usize, attribute: &Attribute) {
        let mut found = Diagnostics::new();
        let value = found.absorb(attribute.expression.evaluate_lenient(&self.context));
        let marks = if value.is_marked() { " marked" } else { "" };
        self.line(indent, &format!("{} = {value}{marks}", attribute.name));
        self.diagnostics(indent + 2, &found);
    }

    fn references(&mut self, indent: usize, walk: &References, wanted: &Wanted) {
        let (found, inner) = walk.visit(&wanted.schema);
        for reference in found {
            self.line(indent, &format!("needs {}", reference.traversal));
        }
        for (block_type, walk) in inner {
            if let Some(wanted) = wanted.inner(&block_type) {
                self.references(indent + 2, &walk, wanted);
            }
        }
    }
}

/// The caller checks each collection, and rejects one with an error.
#[test]
fn rejected_collections() {
    let text = "dynamic \"b\" {\nfor_each = mark([1])\ncontent {}\n}\ndynamic \"b\" {\nfor_each = [1]\ncontent {}\n}\n";
    let (body, mut found) = Body::parse(Source::new("main.hcl", text));
    let context = Context::new().with_functions(functions());
    let dynamic = Dynamic::new(&context).with_check(|value, expression, _| {
        if value.is_marked() {
            let place = Place::new(expression.source(), expression.span());
            let error =
                Diagnostic::error(Code::InvalidForEach).at(place).with_note("The value is sensitive.");
            return Err(error.into());
        }
        Ok(())
    });
    let content = found.absorb(dynamic.expand(&body).content(&Schema::new().with_block("b", &[])));
    assert_eq!(content.blocks.len(), 1);
    assert_eq!(
        found.to_string(),
        "main.hcl:2:12: error: Invalid dynamic `for_each` value: The value is sensitive."
    );
}

/// Blocks count as created elements.
#[test]
fn blocks_are_limited() {
    let text = "dynamic \"b\" {\nfor_each = list\ncontent {}\n}\n";
    let (body, _) = Body::parse(Source::new("main.hcl", text));
    let list = Value::tuple((0..1_000).map(Value::from));
    let body = Dynamic::new(&Context::new().with("list", list)).expand(&body);
    let mut found = Diagnostics::new();
    let content = Limits::new()
        .with_elements(100)
        .run(|| found.absorb(body.content(&Schema::new().with_block("b", &[]))));
    assert!(content.blocks.is_empty());
    assert_eq!(found[0].code(), Some(Code::TooManyElements));
}

#[test]
fn bodies_cross_threads() {
    fn is_sent<T: Send + Sync + Clone>() {}
    is_sent::<Body>();
    is_sent::<Dynamic>();
    is_sent::<References>();
    assert!(Body::empty().attributes().0.is_empty());
}

/// A stack of 2 MiB is enough for the deepest nesting that the parsers allow.
#[test]
fn deep_bodies() {
    const DEPTH: usize = 990;
    let work = || {
        let native = format!("{}a = 1\n{}", "b {\n".repeat(DEPTH), "}\n".repeat(DEPTH));
        let json = format!("{}{{\"a\": 1}}{}", "{\"b\": ".repeat(DEPTH), "}".repeat(DEPTH));
        let dynamic = format!(
            "{}a = b.value\n{}",
            "dynamic \"b\" {\nfor_each = [1]\ncontent {\n".repeat(DEPTH / 2),
            "}\n}\n".repeat(DEPTH / 2)
        );
        let schema = Schema::new().with_optional("a").with_block("b", &[]);
        for (name, text, depth) in
            [("a.hcl", native, DEPTH), ("a.json", json, DEPTH), ("b.hcl", dynamic, DEPTH / 2)]
        {
            let (body, mut found) = Body::parse(Source::new(name, text));
            let mut body = Dynamic::new(&Context::new()).expand(&body);
            for _ in 0..depth {
                let content = found.absorb(body.content(&schema));
                body = content.blocks.into_iter().next().expect("a block").body;
            }
            let content = found.absorb(body.content(&schema));
            let attribute = content.attributes.get("a").expect("an argument");
            assert_eq!(attribute.expression.evaluate(&Context::new()), Ok(Value::from(1)));
            assert!(found.is_empty(), "{found}");
        }
    };
    thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread").join().expect("no overflow");
}

/// The same for values in the JSON syntax with templates in them.
#[test]
fn deep_values() {
    const DEPTH: usize = 990;
    let work = || {
        let arrays = format!("{{\"a\": {}\"${{n}}\"{}}}", "[".repeat(DEPTH), "]".repeat(DEPTH));
        let objects = format!("{{\"a\": {}\"${{n}}\"{}}}", "{\"${n}\": ".repeat(DEPTH), "}".repeat(DEPTH));
        let template =
            format!("{{\"a\": \"{}n{}\"}}", "${".to_owned() + &"[".repeat(900), "]".repeat(900) + "}");
        let half = DEPTH / 2;
        let both = format!(
            "{{\"a\": {}\"${{{}n{}}}\"{}}}",
            "[".repeat(half),
            "[".repeat(half),
            "]".repeat(half),
            "]".repeat(half)
        );
        for text in [arrays, objects, template, both] {
            let (body, mut found) = Body::parse(Source::new("a.json", text));
            let attribute = found.absorb(body.attributes()).remove(0);
            let value = attribute.expression.evaluate(&Context::new().with("n", "x"));
            let literal = attribute.expression.evaluate(&Context::new());
            assert!(value.is_ok() && literal.is_ok(), "{value:?}");
            assert!(!attribute.expression.variables().is_empty());
        }
    };
    thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread").join().expect("no overflow");
}

mod functions_of_users {
    use std::fmt::Write as _;
    use std::sync::{Arc, OnceLock};
    use std::thread;

    use hclkit_model::{Body, Context, Diagnostics, Expression, Functions, Limits, user_functions};
    use hclkit_syntax::Source;
    use hclkit_value::{Mark, Type, Value};

    fn read(text: &str) -> (Functions, Diagnostics) {
        let (body, mut found) = Body::parse(Source::new("main.hcl", text));
        let own: Arc<OnceLock<Functions>> = Arc::default();
        let seen = own.clone();
        let context = move || {
            Context::new().with("g", "global").with_functions(seen.get().cloned().unwrap_or_default())
        };
        let (functions, _) = found.absorb(user_functions(&body, "function", context));
        own.set(functions.clone()).expect("set once");
        (functions, found)
    }

    fn call(text: &str, expression: &str) -> Result<Value, Diagnostics> {
        let (functions, found) = read(text);
        assert!(found.is_empty(), "{found}");
        let context = Context::new()
            .with_functions(functions)
            .with("u", Value::unknown(Type::String))
            .with("m", Value::from("s").mark(Mark::new("m")));
        Expression::parse(expression)?.evaluate(&context)
    }

    #[test]
    fn results() {
        let text = "function \"f\" {\nparams = [a]\nvariadic_param = rest\nresult = [g, a, rest]\n}\n";
        assert_eq!(call(text, "f(1)").unwrap().to_string(), "[\"global\", 1, []]");
        assert_eq!(call(text, "f(1, 2, [3])").unwrap().to_string(), "[\"global\", 1, [2, [3]]]");
        assert!(call(text, "f()").is_err() && call(text, "f(null)").is_err());
        let unknown = call(text, "f(u)").unwrap();
        assert!(!unknown.is_known() && unknown.ty().tuple_elements().is_some_and(|types| types.len() == 3));
        assert!(call(text, "f(m)").unwrap().is_marked());
        let wrong = call("function \"f\" {\nparams = []\nresult = zz\n}\n", "f()").unwrap_err();
        assert!(wrong[0].note().contains("main.hcl:3:10"), "{wrong}");
    }

    #[test]
    fn mistakes() {
        for (text, code) in [
            ("function \"f\" {\nparams = [\"a\"]\nresult = 1\n}\n", "invalid-function"),
            ("function \"f\" {\nparams = [a.b]\nresult = 1\n}\n", "invalid-function"),
            ("function \"f\" {\nparams = []\nvariadic_param = 1\nresult = 1\n}\n", "invalid-function"),
            ("function \"f\" {\nparams = a\nresult = 1\n}\n", "list-required"),
            ("function \"f\" {\nparams = []\n}\n", "missing-attribute"),
            ("function {\nparams = []\nresult = 1\n}\n", "missing-label"),
        ] {
            let (functions, found) = read(text);
            assert_eq!(functions.names().count(), 0, "{text}");
            assert_eq!(found[0].code().unwrap().as_str(), code, "{text}");
        }
    }

    /// Both results of a conditional are evaluated, so a function that calls itself never ends.
    #[test]
    fn recursion_is_bounded() {
        let mut text = "function \"f0\" {\nparams = [n]\nresult = n\n}\n\
                        function \"ever\" {\nparams = [n]\nresult = [ever(n)]\n}\n"
            .to_owned();
        for n in 1..50 {
            let before = n - 1;
            write!(text, "function \"f{n}\" {{\nparams = [n]\nresult = 1 + f{before}(n)\n}}\n")
                .expect("a string");
        }
        let work = move || {
            assert_eq!(call(&text, "f49(1)"), Ok(Value::from(50)));
            assert!(call(&text, "ever(1)").is_err());
            assert!(call(&text, "ever(u)").is_err());
            assert!(Limits::new().with_depth(100).run(|| call(&text, "f49(1)")).is_err());
        };
        thread::Builder::new()
            .stack_size(2 << 20)
            .spawn(work)
            .expect("a thread")
            .join()
            .expect("no overflow");
    }
}
