//! Names are compared as written; strings, keys and attributes of objects are in normalization form C.

use hclkit_model::{
    AttributeSpec, BlockAttributesSpec, Body, Context, Diagnostics, Expression, Functions, LabeledBlocksSpec,
    Schema, Spec, SpecFile, Target, type_of,
};
use hclkit_syntax::{Source, json};
use hclkit_value::{Function, Name, Parameter, Str, Type, Value};

/// The same text as one character and as two.
const ONE: &str = "\u{e9}";
const TWO: &str = "e\u{301}";

fn expression(text: &str) -> Expression {
    Expression::parse(text).unwrap_or_else(|diagnostics| panic!("{text}: {diagnostics}"))
}

#[track_caller]
fn gives(text: &str, context: &Context, expected: impl Into<Value>) {
    assert_eq!(
        expression(text).evaluate(context).map_err(|found| found.to_string()),
        Ok(expected.into()),
        "{text}"
    );
}

#[track_caller]
fn fails(text: &str, context: &Context, code: &str) {
    let found = expression(text).evaluate(context).expect_err(text);
    assert_eq!(found.iter().map(|it| it.code().unwrap().as_str()).collect::<Vec<_>>(), [code], "{text}");
}

#[test]
fn variables_of_two_spellings_are_two_variables() {
    let context = Context::new().with(ONE, 1).with(TWO, 2);
    gives(ONE, &context, 1);
    gives(TWO, &context, 2);
    gives(&format!("[for {ONE} in [3] : {TWO}][0]"), &context, 2);
    gives(&format!("[for {TWO} in [3] : {TWO}][0]"), &context, 3);
    gives(&format!("\"%{{ for {ONE} in [3] }}${{{ONE}}}${{{TWO}}}%{{ endfor }}\""), &context, "32");
    fails(TWO, &Context::new().with(ONE, 1), "unknown-variable");
}

#[test]
fn functions_of_two_spellings_are_two_functions() {
    let text = |text: &'static str| Function::unnamed(Type::String, move |_, _| Ok(Value::from(text)));
    let functions = Functions::from_iter([(ONE, text("one")), (TWO, text("two"))]);
    let context = Context::new().with_functions(functions);
    gives(&format!("{ONE}()"), &context, "one");
    gives(&format!("{TWO}()"), &context, "two");
}

#[test]
fn attributes_and_keys_are_the_same_in_both_spellings() {
    for (set, read) in [(ONE, TWO), (TWO, ONE), (TWO, TWO)] {
        let object = Value::object([(set, Value::from(1))]);
        let map = Value::map([(set, Value::from(1))]).expect("values of one type");
        for value in [object, map] {
            let context = Context::new().with("a", value);
            gives(&format!("a.{read}"), &context, 1);
            gives(&format!("a[\"{read}\"]"), &context, 1);
        }
        gives(&format!("{{ {set} = 1 }}.{read}"), &Context::new(), 1);
        gives(&format!("length({{ {set} = 1, \"{read}\" = 2 }})"), &length(), 1);
    }
    assert_eq!(Value::object([(ONE, Value::from(1))]).attribute(TWO), Ok(Value::from(1)));
}

fn length() -> Context {
    let length = Function::unnamed(Type::Number, |arguments, _| {
        Ok(Value::from(arguments[0].entries().into_iter().flatten().count()))
    });
    let length = length.with_parameter(Parameter::new("of", Type::Dynamic));
    Context::new().with_functions(Functions::from_iter([("length", length)]))
}

#[test]
fn traversals_and_keywords_keep_the_spelling() {
    for written in [ONE, TWO] {
        let traversal =
            expression(&format!("{written}.{written}[\"{written}\"]")).static_traversal().unwrap();
        assert_eq!(traversal.root, written);
        assert_eq!(traversal.steps[0].target, Target::Attribute(Name::from(written)));
        assert_eq!(traversal.steps[1].target, Target::Element(Value::from(ONE)));
        assert_eq!(expression(written).static_keyword().as_deref(), Some(written));
        let (key, _) = &expression(&format!("{{ {written} = 1 }}")).static_map().unwrap()[0];
        assert_eq!(key.static_keyword().as_deref(), Some(written));
        assert_eq!(expression(&format!("{written}(1)")).static_call().unwrap().name, written);
        assert_eq!(expression(written).variables()[0].root, written);
    }
}

#[test]
fn a_misspelled_attribute_is_replaced_as_a_whole() {
    let context = Context::new().with("a", Value::object([("cafés", Value::from(1))]));
    let found = expression(&format!("a.caf{TWO}")).evaluate(&context).unwrap_err();
    let fix = found.iter().next().and_then(|it| it.fix().cloned()).expect("a fix");
    assert_eq!((fix.edits[0].span.start, fix.edits[0].span.end), (2, 8));
}

fn native(text: &str) -> Body {
    let (body, diagnostics) = Body::parse(Source::new("", text));
    assert!(diagnostics.is_empty(), "{diagnostics}");
    body
}

fn json_body(text: &str) -> Body {
    Body::from_json(json::parse(text).root())
}

#[test]
fn arguments_blocks_and_labels_keep_the_spelling_in_both_syntaxes() {
    let native = native(&format!("{ONE} = 1\n{TWO} = 2\nb \"{TWO}\" {{\n}}\n{TWO}s {{\n}}\n"));
    let json = json_body(r#"{"é": 1, "e\u0301": 2, "b": {"e\u0301": {}}, "e\u0301s": {}}"#);
    for body in [native, json] {
        let schema = Schema::new()
            .with_optional(ONE)
            .with_optional(TWO)
            .with_block("b", &["label"])
            .with_block(format!("{TWO}s"), &[]);
        let mut diagnostics = Diagnostics::new();
        let content = diagnostics.absorb(body.content(&schema));
        assert!(diagnostics.is_empty(), "{diagnostics}");
        let number =
            |name: &str| content.attributes.get(name).unwrap().expression.evaluate(&Context::new()).unwrap();
        assert_eq!((number(ONE), number(TWO)), (Value::from(1), Value::from(2)));
        assert_eq!(content.blocks[0].labels, [Name::from(TWO)]);
        let other = Schema::new()
            .with_optional(ONE)
            .with_optional(TWO)
            .with_block("b", &["label"])
            .with_block(format!("{ONE}s"), &[]);
        diagnostics.absorb(body.content(&other));
        assert!(diagnostics.has_errors(), "the block has another type");
    }
}

#[test]
fn specs_compare_names_as_written() {
    let decode = |spec: &Spec, text: &str| {
        let mut diagnostics = Diagnostics::new();
        let value = diagnostics.absorb(spec.decode(&native(text), &Context::new()));
        let codes: Vec<&str> = diagnostics.iter().map(|it| it.code().unwrap().as_str()).collect();
        (value.to_string(), codes.join(" "))
    };
    let attribute = Spec::from(AttributeSpec::new(TWO, Type::Number));
    assert_eq!(decode(&attribute, &format!("{TWO} = 1")), ("1".to_owned(), String::new()));
    assert_eq!(
        decode(&attribute, &format!("{ONE} = 1")),
        ("null".to_owned(), "unsupported-argument".to_owned())
    );

    // The label of an attribute in an `object` is the argument's name; the attribute's name is normalized.
    let source =
        Source::new("spec.hcldec", format!("object {{\n  attr \"{TWO}\" {{\n    type = number\n  }}\n}}\n"));
    let file = SpecFile::read(source, &Functions::new()).unwrap();
    let (value, codes) = decode(&file.spec, &format!("{TWO} = 1"));
    assert_eq!((value, codes), (format!("{{ {ONE} = 1 }}"), String::new()));

    let keys = Spec::BlockMap(LabeledBlocksSpec::new("b", ["key"], AttributeSpec::new("a", Type::Number)));
    let (value, codes) =
        decode(&keys, &format!("b \"{ONE}\" {{\n  a = 1\n}}\nb \"{TWO}\" {{\n  a = 2\n}}\n"));
    assert_eq!((value, codes), (format!("{{ {ONE} = 1 }}"), "duplicate-block".to_owned()));

    let any = Spec::BlockAttributes(BlockAttributesSpec::new("b", Type::Number));
    let (value, codes) = decode(&any, &format!("b {{\n  {ONE} = 1\n  {TWO} = 2\n}}\n"));
    assert_eq!((value, codes), (format!("{{ {ONE} = 1 }}"), "duplicate-attribute".to_owned()));
}

#[test]
fn attributes_of_types_are_normalized() {
    let ty = type_of(&expression(&format!("object({{ {TWO} = string }})"))).unwrap();
    assert_eq!(ty, Type::object([(Str::from(ONE), Type::String)]));
    assert!(type_of(&expression(&format!("object({{ {ONE} = string, {TWO} = string }})"))).is_err());
}
