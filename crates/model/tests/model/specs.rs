//! Specs as a library, spec files, and the operations on text.

use hclkit_model::{
    AttributeSpec, BlockAttributesSpec, BlockLabelSpec, BlockSpec, BlocksSpec, Body, Context, Diagnostics,
    Dynamic, Expression, Functions, LabeledBlocksSpec, Limits, Spec, SpecFile, SwitchSpec, evaluate_config,
};
use hclkit_syntax::{Code, Diagnostic, Source};
use hclkit_value::{Error, Function, Parameter, Path, RefinementBuilder, Type, Value};

fn body(text: &str) -> Body {
    let (body, diagnostics) = Body::parse(Source::new("", text));
    assert!(diagnostics.is_empty(), "{diagnostics}");
    body
}

/// The value of a configuration and its errors, one per line.
fn decoded(spec: &Spec, text: &str, context: &Context) -> String {
    let mut diagnostics = Diagnostics::new();
    let value = diagnostics.absorb(spec.decode(&body(text), context));
    let lines = std::iter::once(value.to_string()).chain(diagnostics.iter().map(|found| {
        let place = found.source().map(|source| source.position(found.span().start));
        place.map_or_else(String::new, |at| format!("{}:{} {}", at.line, at.column, found.code().unwrap()))
    }));
    lines.collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check(spec: impl Into<Spec>, text: &str, expected: &str) {
    assert_eq!(decoded(&spec.into(), text, &Context::new()), expected);
}

fn attribute(ty: Type) -> AttributeSpec {
    AttributeSpec::new("a", ty)
}

#[test]
fn arguments_are_converted() {
    check(attribute(Type::Number), "a = \"12\"", "12");
    check(attribute(Type::Number), "", "null");
    check(attribute(Type::Number), "a = []", "(unknown number)\n1:5 invalid-attribute-value");
    check(attribute(Type::Number).with_required(), "", "null\n1:1 missing-attribute");
    check(attribute(Type::Number), "b = 1", "null\n1:1 unsupported-argument");
}

#[test]
fn blocks_become_collections() {
    let blocks = || BlocksSpec::new("b", attribute(Type::Dynamic));
    let two = "b {\n  a = 1\n}\nb {\n  a = \"x\"\n}\n";
    check(Spec::BlockList(blocks()), two, r#"["1", "x"]"#);
    check(Spec::BlockTuple(blocks()), two, r#"[1, "x"]"#);
    check(Spec::BlockSet(blocks()), two, r#"toset(["1", "x"])"#);
    check(Spec::BlockList(blocks().with_max_items(1)), two, "[\"1\", \"x\"]\n5:7 too-many-blocks");
    check(Spec::BlockList(blocks().with_min_items(3)), two, "[\"1\", \"x\"]\n1:1 too-few-blocks");
    let unlike = "b {\n  a = 1\n}\nb {\n  a = []\n}\n";
    check(Spec::BlockList(blocks()), unlike, "(unknown)\n2:7 inconsistent-blocks");
}

#[test]
fn many_blocks_of_many_types_keep_their_order() {
    let types = ["b", "a", "c"];
    let spec =
        Spec::object(types.map(|ty| (ty, Spec::BlockTuple(BlocksSpec::new(ty, attribute(Type::Dynamic))))));
    let text: Vec<String> = (0..300).map(|at| format!("{} {{\n  a = {at}\n}}\n", types[at % 3])).collect();
    let value = spec.decode(&body(&text.concat()), &Context::new()).0;
    for (at, ty) in types.iter().enumerate() {
        let expected = Value::tuple((0..100).map(|turn| Value::from(3 * turn + at)));
        assert_eq!(value.attribute(ty).unwrap(), expected);
    }
}

/// Arguments that are left out are elements, too: a few lines of `dynamic` blocks can make very many.
#[test]
fn decoded_blocks_are_limited() {
    let names = (0..100).map(|at| (format!("a{at}"), attribute(Type::Number).into()));
    let spec = Spec::BlockTuple(BlocksSpec::new("b", Spec::object(names)));
    let blocks = "b {\n}\n".repeat(1_000);
    let found = |limits: Limits| limits.run(|| spec.decode(&body(&blocks), &Context::new())).1;
    let codes: Vec<_> = found(Limits::new().with_elements(10_000)).iter().map(Diagnostic::code).collect();
    assert_eq!(codes, [Some(Code::TooManyElements)]);
    assert!(!found(Limits::new().with_elements(110_000)).has_errors());
}

#[test]
fn labels_become_keys() {
    let blocks = |ty| LabeledBlocksSpec::new("b", ["k"], attribute(ty));
    let two = "b x {\n  a = 1\n}\nb y {\n  a = []\n}\n";
    check(Spec::BlockObject(blocks(Type::Dynamic)), two, "{ x = 1, y = [] }");
    check(Spec::BlockMap(blocks(Type::Dynamic)), two, "{ x = 1, y = [] }");
    let twice = "b x {\n  a = 1\n}\nb x {\n  a = 2\n}\n";
    check(Spec::BlockMap(blocks(Type::Number)), twice, "{ x = 1 }\n4:1 duplicate-block");
    let label = Spec::tuple([BlockLabelSpec::new(0, "second").into()]);
    let map = Spec::BlockMap(LabeledBlocksSpec::new("b", ["first"], label));
    check(map, "b x y {\n}\n", r#"{ x = ["y"] }"#);
}

#[test]
fn one_block() {
    let block = || BlockSpec::new("b", attribute(Type::String));
    check(block(), "b {\n  a = 1\n}\n", r#""1""#);
    check(block().with_required(), "", "null\n1:1 missing-block");
    check(block(), "b {\n}\nb {\n}\n", "null\n3:1 duplicate-block");
    check(BlockAttributesSpec::new("b", Type::Number), "b {\n  x = \"1\"\n}\n", "{ x = 1 }");
    check(BlockAttributesSpec::new("b", Type::Dynamic), "b {\n  x = 1\n  y = []\n}\n", "{ x = 1, y = [] }");
}

#[test]
fn values_are_wrapped() {
    check(Spec::from(attribute(Type::Number)).or(Spec::literal(7)), "", "7");
    let double = Function::unnamed(Type::Number, |args, _| args[0].add(&args[0]))
        .with_parameter(Parameter::new("number", Type::Number));
    check(Spec::from(attribute(Type::Number)).call(double.clone()), "a = 4", "8");
    check(Spec::from(attribute(Type::Number)).call(double), "", "(unknown)\n1:1 invalid-value");
    let refined = Spec::from(attribute(Type::String)).refine(RefinementBuilder::with_not_null);
    assert!(refined.implied_type() == Type::String);
    check(refined, "", "null\n1:1 invalid-value");
    let checked = Spec::from(attribute(Type::String)).validate(|_| Err(Error::new("never")));
    check(checked.clone(), "a = \"x\"", "\"x\"\n1:5 invalid-value");
    check(checked, "a = []", "(unknown string)\n1:5 invalid-attribute-value");
}

#[test]
fn a_label_outside_of_a_block_is_an_error() {
    check(BlockLabelSpec::new(0, "name"), "", "(unknown string)\n1:1 no-block-label");
    check(BlockSpec::new("b", BlockLabelSpec::new(usize::MAX, "far")), "", "null");
}

#[test]
fn the_rest_of_a_body_remains() {
    let spec = Spec::from(attribute(Type::String));
    let mut diagnostics = Diagnostics::new();
    let (value, rest) = diagnostics.absorb(spec.partial_decode(&body("a = 1\nb = 2\n"), &Context::new()));
    assert_eq!(value, Value::from("1"));
    let names: Vec<String> =
        diagnostics.absorb(rest.attributes()).iter().map(|rest| rest.name.to_string()).collect();
    assert_eq!(names, ["b"]);
    assert!(diagnostics.is_empty());
}

#[test]
fn places_and_references() {
    let spec = Spec::from(BlockSpec::new("b", attribute(Type::String)));
    let configuration = body("b {\n  a = var.x[0]\n}\n");
    assert_eq!(spec.place(&configuration).source.slice(spec.place(&configuration).span), "var.x[0]");
    assert_eq!(spec.references(&configuration)[0].traversal.to_string(), "var.x[0]");
    let dynamic = body("dynamic b {\n  for_each = l\n  content {\n    a = \"${b.value}${s}\"\n  }\n}\n");
    let found = spec.references_with_dynamic(&dynamic);
    assert_eq!(found.iter().map(|found| found.traversal.to_string()).collect::<Vec<_>>(), ["l", "s"]);
    let found = spec.references_of_expansion(&dynamic);
    assert_eq!(found.iter().map(|found| found.traversal.to_string()).collect::<Vec<_>>(), ["l"]);
}

#[test]
fn unknown_dynamic_blocks() {
    let text = "dynamic b {\n  for_each = l\n  content {\n    a = b.value\n  }\n}\n";
    let context = Context::new().with("l", Value::unknown(Type::list(Type::String)));
    let expanded = Dynamic::new(&context).expand(&body(text));
    let decoded = |spec: Spec| spec.decode(&expanded, &context).0;
    let blocks = BlocksSpec::new("b", attribute(Type::String)).with_min_items(5);
    assert_eq!(decoded(Spec::BlockList(blocks.clone())), Value::unknown(Type::list(Type::String)));
    assert_eq!(decoded(Spec::BlockTuple(blocks)), Value::DYNAMIC);
    assert_eq!(decoded(BlockSpec::new("b", attribute(Type::String)).into()), Value::unknown(Type::String));
}

/// The errors in a spec file, one per line.
#[track_caller]
fn mistakes(text: &str, expected: &[&str]) {
    let found = SpecFile::read(Source::new("", text), &Functions::new()).map(|_| ()).unwrap_err();
    let lines: Vec<String> = found
        .iter()
        .map(|found| {
            let at = found.source().unwrap().position(found.span().start);
            format!("{}:{} {}", at.line, at.column, found.note())
        })
        .collect();
    assert_eq!(lines, expected);
}

#[test]
fn errors_in_spec_files_have_places_and_hints() {
    mistakes("", &["1:1 A spec file requires a spec block that defines the result, such as `object`."]);
    mistakes("obect {\n}\n", &["1:1 Blocks of type `obect` are not expected here. Did you mean `object`?"]);
    mistakes(
        "attr {\n  name = \"a\"\n  type = strin\n}\n",
        &["3:10 `strin` is not a valid type. Did you mean `string`?"],
    );
    mistakes(
        "block_list {\n  block_type = \"b\"\n  min_items  = 3\n  max_items  = 2\n  literal {\n    value = 1\n  }\n}\n",
        &["4:16 `max_items` must not be less than `min_items`."],
    );
    mistakes(
        "block_map {\n  block_type = \"b\"\n  labels     = []\n  literal {\n    value = 1\n  }\n}\n",
        &["3:16 At least one label is required, because block labels become the keys of the result."],
    );
    // An invalid argument is not reported as missing.
    mistakes("attr {\n  name = [1]\n}\n", &["2:10 Invalid value for `name`: a string is required."]);
    mistakes(
        "block {\n  block_type = b\n  block_label {\n    index = 1.5\n  }\n}\n",
        &[
            "2:16 Variables may not be used here. Only literal values are allowed.",
            "4:13 `index` must be a whole number.",
        ],
    );
    mistakes(
        "tuple {\n  attr {\n  }\n  block_map {\n    block_type = \"b\"\n    labels     = []\n    literal {\n      value = 1\n    }\n  }\n}\n",
        &[
            "2:8 `name` is required: it sets the name of the argument in the configuration. It can be omitted only directly inside an `object`, where it defaults to the attribute name.",
            "6:18 At least one label is required, because block labels become the keys of the result.",
        ],
    );
    let labels = "\"l\", ".repeat(1_001);
    let map =
        |inner: &str| format!("block_map {{\n  block_type = \"b\"\n  labels = [\"l\", \"m\"]\n{inner}}}\n");
    let maps = (0..502).fold("literal {\n  value = 1\n}\n".to_owned(), |inner, _| map(&inner));
    mistakes(&maps, &["1503:12 Each label is a nested map, and at most 1000 levels of them are supported."]);
    mistakes(
        &format!(
            "block_map {{\n  block_type = \"b\"\n  labels     = [{labels}]\n  literal {{\n    value = 1\n  }}\n}}\n"
        ),
        &["3:16 Each label is a nested map, and at most 1000 levels of them are supported."],
    );
    mistakes(
        "default {\n}\n",
        &[
            "1:9 A `default` requires at least one nested spec block. The result is the first value that is not null.",
        ],
    );
    mistakes(
        "literal {\n  value = 1\n}\nfunction \"f\" {\n  params = [\"a\"]\n  result = a\n}\n",
        &["5:13 A parameter must be a plain name."],
    );
}

#[test]
fn a_default_of_one_spec_is_that_spec() {
    let spec = "default {\n  attr {\n    name = \"a\"\n  }\n}\n";
    let value = evaluate_config("a = 1", spec, &Value::object([("v", Value::TRUE)]), &Functions::new());
    assert_eq!(value.unwrap(), Value::from(1));
}

#[test]
fn spec_files_in_the_json_syntax() {
    let spec = r#"{
      "object": {
        "attr": { "size": { "type": "number", "required": true } },
        "block_map": { "disk": { "labels": ["name"], "attr": { "name": "kind", "type": "string" } } },
        "transform": { "note": { "literal": { "value": "a" }, "result": "${nested}!" } }
      },
      "variables": { "base": 10 },
      "function": { "twice": { "params": ["n"], "result": "${n * 2}" } }
    }"#;
    let file = SpecFile::read(Source::new("spec.json", spec), &Functions::new()).unwrap();
    let text = "size = twice(base)\ndisk \"root\" {\n  kind = \"ssd\"\n}\n";
    let mut diagnostics = Diagnostics::new();
    let value = diagnostics.absorb(file.decode(&body(text), Vec::<(&str, Value)>::new()));
    assert!(diagnostics.is_empty(), "{diagnostics}");
    assert_eq!(value.to_string(), r#"{ disk = { root = "ssd" }, note = "a!", size = 20 }"#);
    let value = diagnostics.absorb(file.decode(&body("size = base\n"), [("base", Value::from(1))]));
    assert_eq!(value.attribute("size").unwrap(), Value::from(1));
}

#[test]
fn operations_are_functions() {
    let context = Context::new()
        .with("spec", "attr {\n  name = \"n\"\n  type = number\n}\n")
        .with("unknown", Value::unknown(Type::String))
        .with_functions(Functions::evaluation(Functions::new()));
    let value =
        |text: &str| Expression::parse(text).unwrap().evaluate(&context).map_err(|found| found.to_string());
    assert_eq!(value(r#"evalconfig("n = x + 1", spec, { x = 2 })"#), Ok(Value::from(3)));
    assert_eq!(value(r#"evalconfigattrs("a = x", { x = [1] })"#).unwrap().to_string(), "{ a = [1] }");
    assert_eq!(value(r#"evalexpr("x.y", { x = { y = 5 } })"#), Ok(Value::from(5)));
    assert_eq!(value(r#"evaltemplate("<$${x}>", { x = 1 })"#), Ok(Value::from("<1>")));
    assert_eq!(value("evalexpr(unknown, {})"), Ok(Value::DYNAMIC));
    assert!(value(r#"evalexpr("x", {})"#).unwrap_err().contains("src:1:1"));
    assert!(value(r#"evalexpr("x", 5)"#).unwrap_err().contains("an object or a map"));
}

#[test]
fn deep_specs_and_bodies_need_little_stack() {
    let depth = 300;
    let spec = format!(
        "{}literal {{\n  value = 1\n}}\n{}",
        "block {\n  block_type = \"b\"\n".repeat(depth),
        "}\n".repeat(depth)
    );
    let text = format!("{}{}", "b {\n".repeat(depth), "}\n".repeat(depth));
    let value = evaluate_config(&text, &spec, &Value::object([("v", Value::TRUE)]), &Functions::new());
    assert_eq!(value.unwrap(), Value::from(1));
}

#[test]
fn arguments_of_spec_files_accept_what_is_listed() {
    let read = |text: &str| {
        let spec = "object {\n  attr \"size\" {\n    values = [\"small\", \"large\"]\n  }\n  attr \"port\" {\n    type = number\n    min  = 1\n    max  = 65535\n  }\n}\n";
        let file = SpecFile::read(Source::new("spec", spec), &Functions::new()).unwrap();
        let (value, found) = file.decode(&body(text), Vec::<(&str, Value)>::new());
        (value.to_string(), found.to_string())
    };
    let fine = |text: &str, value: &str| assert_eq!(read(text), (value.to_owned(), String::new()), "{text}");
    fine("size = \"small\"\nport = \"1\"\n", r#"{ port = 1, size = "small" }"#);
    fine("port = 65535\nsize = null\n", "{ port = 65535, size = null }");
    let wrong = |text: &str, note: &str| {
        let found = read(text).1;
        assert!(found.contains(note) && found.lines().count() == 1, "{text}: {found}");
    };
    wrong(
        "size = \"smal\"\n",
        "1:8: error: Invalid value: Expected one of `small`, `large`. Did you mean `small`?",
    );
    wrong("size = 1\n", "Expected one of `small`, `large`.");
    wrong("port = 0\n", "1:8: error: Invalid value: Expected a number of at least 1.");
    wrong("port = 65535.5\n", "Expected a number of at most 65535.");
    let at = |arguments: &str, note: &str| {
        let spec = format!("attr {{\n  name = \"a\"\n  {arguments}\n}}\n");
        let found = SpecFile::read(Source::new("spec", spec), &Functions::new()).unwrap_err().to_string();
        assert!(found.contains(note), "{arguments}: {found}");
    };
    at("values = []", "must have at least one element");
    at("values = [\"1\"]\n  type = number", "requires `type = string`");
    at("min = 1", "`min` requires `type = number`");
    at("type = number\n  min = 2\n  max = 1", "`max` must not be less than `min`");
    at("type = number\n  min = \"x\"", "number");
}

const SWITCH: &str = r#"block_tuple {
  block_type = "listener"
  object {
    attr "port" {
      type     = number
      required = true
    }
    switch "inside" {
      on = label(0)
      case "http" {
        object {
          attr "path" {
            type     = string
            required = true
          }
          block_list "rule" {
            attr {
              name = "to"
            }
          }
        }
      }
      case "tcp" {
        switch {
          on = label(1)
          case "tls" {
            attr {
              name = "certificate"
              type = string
            }
          }
          default {
            literal {
              value = 1
            }
          }
        }
      }
    }
  }
}
"#;

fn switched(text: &str) -> (String, Vec<String>) {
    let file = SpecFile::read(Source::new("spec", SWITCH), &Functions::new()).unwrap();
    let (value, found) = file.decode(&body(text), Vec::<(&str, Value)>::new());
    (value.to_string(), found.to_string().lines().map(str::to_owned).collect())
}

#[test]
fn a_label_decides_what_is_in_a_block() {
    let text = "listener \"http\" \"a\" {\n  port = 1\n  path = \"/\"\n  rule {\n    to = \"x\"\n  }\n}\nlistener \"tcp\" \"tls\" {\n  port = 2\n  certificate = \"c\"\n}\nlistener \"tcp\" \"plain\" {\n  port = 3\n}\n";
    let wanted = r#"[{ inside = { path = "/", rule = ["x"] }, port = 1 }, { inside = "c", port = 2 }, { inside = 1, port = 3 }]"#;
    assert_eq!(switched(text), (wanted.to_owned(), Vec::new()));
    let wrong = |text: &str, errors: &[&str]| assert_eq!(switched(text).1, errors, "{text}");
    wrong(
        "listener \"htp\" \"a\" {\n  port = 1\n  path = \"/\"\n}\n",
        &["1:10: error: Invalid value: Expected one of `http`, `tcp`. Did you mean `http`?"],
    );
    wrong(
        "listener \"http\" \"a\" {\n  port = 1\n}\n",
        &["1:21: error: Missing required argument: The argument `path` is required, but it is not set."],
    );
    wrong(
        "listener \"tcp\" \"tls\" {\n  port = 1\n  path = 1\n}\n",
        &["3:3: error: Unsupported argument: An argument named `path` is not expected here."],
    );
    wrong(
        "listener \"tcp\" \"tls\" {\n  certificate = []\n  port = 1\n}\n",
        &[
            "2:17: error: Incorrect attribute value type: Invalid value for the argument `certificate`: a string is required.",
        ],
    );
    assert_eq!(switched("listener \"http\" {\n  port = 1\n}\n").1.len(), 1);
}

#[test]
fn specs_with_a_switch_are_checked() {
    let wrong = |text: &str, note: &str| {
        let found = SpecFile::read(Source::new("spec", text), &Functions::new()).unwrap_err().to_string();
        assert!(found.contains(note), "{text}: {found}");
    };
    let inside = |text: &str| format!("block {{\n  block_type = \"a\"\n  switch {{\n{text}\n  }}\n}}\n");
    let case = "case \"x\" {\n  literal {\n    value = 1\n  }\n}\n";
    let default = "default {\n  literal {\n    value = 1\n  }\n}\n";
    wrong(&format!("switch {{\n  on = label(0)\n{case}}}\n"), "not inside a block spec");
    wrong(&inside(case), "`on` is required");
    wrong(&inside(&format!("on = label(-1)\n{case}")), "as in `label(0)`");
    wrong(&inside(&format!("on = kind\n{case}")), "as in `label(0)`");
    wrong(&inside(&format!("on = label(0)\n{default}")), "at least one `case`");
    wrong(&inside(&format!("on = label(0)\n{case}{case}")), "already a case for \"x\"");
    wrong(&inside(&format!("on = label(0)\n{case}{default}{default}")), "only one `default`");
    wrong(&inside("on = label(0)\ncase \"x\" {\n}\n"), "A nested spec block is required");
    wrong(&inside("on = label(0)\ncase {\n  literal {\n    value = 1\n  }\n}\n"), "label");

    // Every switch doubles the number of bodies.
    let switches = |count: usize| {
        let one = |at: usize| format!("switch \"s{at}\" {{\non = label({at})\n{case}{default}}}\n");
        let all: String = (0..count).map(one).collect();
        format!("block_tuple {{\n  block_type = \"a\"\n  object {{\n{all}}}\n}}\n")
    };
    for count in [16, 40, 200] {
        wrong(&switches(count), "more than 100000 specs");
    }
    SpecFile::read(Source::new("spec", switches(8)), &Functions::new()).unwrap();
}

/// A block with a switch is read as by the case alone, whatever else is in the file.
#[test]
fn a_switch_is_the_spec_of_its_case() {
    let attribute = |name: &str, ty: Type| AttributeSpec::new(name, ty);
    let cases = [
        ("number", Spec::from(attribute("a", Type::Number).with_required())),
        (
            "text",
            Spec::object([
                ("b", attribute("b", Type::String).into()),
                ("a", attribute("a", Type::Bool).into()),
            ]),
        ),
        ("blocks", Spec::BlockList(BlocksSpec::new("a", attribute("b", Type::Number)).with_min_items(1))),
        ("attributes", BlockAttributesSpec::new("a", Type::String).with_required().into()),
        ("label", BlockLabelSpec::new(0, "kind").into()),
        ("nothing", Spec::literal(1)),
    ];
    let around = |inner: Spec| {
        Spec::tuple([
            attribute("c", Type::Number).into(),
            inner.call(Function::typed("same", |value: Value| value)),
            Spec::from(BlockLabelSpec::new(0, "kind")),
        ])
    };
    let switch =
        cases.iter().fold(SwitchSpec::new(0), |switch, (name, spec)| switch.with_case(*name, spec.clone()));
    let switch = switch.with_other(attribute("d", Type::Dynamic));
    let bodies = [
        "",
        "a = 1",
        "a = \"x\"",
        "a = true\nb = 2",
        "c = 1\na {\n  b = 1\n}",
        "a {\n}\na {\n  b = \"x\"\n}",
        "b = x",
        "d = [1]",
        "c = []\na {\n  z = 1\n}",
        "c {\n}",
    ];
    let mut compared = 0;
    for (own, alone) in cases
        .iter()
        .map(|(name, spec)| (*name, spec.clone()))
        .chain([("other", attribute("d", Type::Dynamic).into())])
    {
        for inside in bodies {
            let text = format!("x \"{own}\" {{\n{inside}\n}}\n");
            let read = |spec: Spec| {
                let spec = Spec::BlockTuple(BlocksSpec::new("x", around(spec)));
                let (value, found) = spec.decode(&body(&text), &Context::new());
                let variables: Vec<String> =
                    spec.references(&body(&text)).iter().map(|own| own.traversal.to_string()).collect();
                let place = spec.place_of(&body(&text), &Path::new().index(0).index(1));
                (value.to_string(), found.to_string(), variables, place.span)
            };
            assert_eq!(read(switch.clone().into()), read(alone.clone()), "{text}");
            compared += 1;
        }
    }
    assert_eq!(compared, 70);
}

#[test]
fn a_pattern_needs_regular_expressions() {
    let source = Source::new("spec", "attr {\n  name    = \"n\"\n  pattern = \"a\"\n}\n");
    let found = SpecFile::read(source, &Functions::new()).map(|_| ()).unwrap_err();
    assert_eq!(found.len(), 1);
    assert!(found[0].note().contains("Build hclkit with the feature `functions`"), "{found}");
}
