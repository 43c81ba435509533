//! Source text from values and from builders: random values are read back unchanged, and values that cannot be written
//! are errors.

use hclkit_model::{Context, Expression};
use hclkit_syntax::ast::ObjectKey;
use hclkit_syntax::{parse, parse_expression};
use hclkit_test_cases::{rounds, seed};
use hclkit_value::{CapsuleType, Mark, Number, Type, Value};
use hclkit_write::{Formatter, NewBody, NewValue, raw};

struct Random(fastrand::Rng);

impl Random {
    fn text(&mut self) -> String {
        const PIECES: [&str; 40] = [
            "a",
            "Z",
            "0",
            " ",
            "  ",
            "\n",
            "\n\n",
            "\t",
            "\r",
            "\r\n",
            "\"",
            "\\",
            "\\n",
            "$",
            "%",
            "${",
            "%{",
            "$${",
            "%%{",
            "${x}",
            "%{ if true }",
            "%{ endif }",
            "~}",
            "EOT",
            "EOT\n",
            "\nEOT\n",
            "  EOT1\n",
            "<<EOT\n",
            "é",
            "e\u{301}",
            "\u{301}",
            "\u{feff}",
            "\u{200b}",
            "\u{7}",
            "\u{0}",
            "\u{1f600}",
            "\u{10ffff}",
            "#",
            "//",
            "a line\n",
        ];
        let count = self.0.usize(0..7);
        (0..count).map(|_| PIECES[self.0.usize(0..PIECES.len())]).collect()
    }

    fn key(&mut self) -> String {
        const KEYS: [&str; 12] = [
            "a",
            "name",
            "for",
            "null",
            "true",
            "if",
            "a-b",
            "a b",
            "1",
            "é",
            "${x}",
            "a_much_longer_name_than_others",
        ];
        if self.0.bool() { KEYS[self.0.usize(0..KEYS.len())].to_owned() } else { self.text() }
    }

    fn number(&mut self) -> Number {
        match self.0.u8(0..6) {
            0 => self.0.i64(..).into(),
            1 => self.0.i64(-20..20).into(),
            2 => Number::try_from(self.0.f64() * 1e6).unwrap(),
            // A large whole number of low precision is not the number of its text.
            3 => Number::try_from(f64::from_bits(self.0.u64(..)))
                .map_or(0.into(), |n| n.to_string().parse().unwrap()),
            _ => {
                let mut digits: String =
                    (0..self.0.usize(1..60)).map(|_| char::from(b'0' + self.0.u8(0..10))).collect();
                if self.0.bool() {
                    digits.insert(self.0.usize(1..=digits.len()), '.');
                    digits.push('5');
                }
                if self.0.bool() {
                    digits = format!("{digits}e{}", self.0.i32(-60..60));
                }
                let sign = if self.0.bool() { "-" } else { "" };
                format!("{sign}{digits}").parse().unwrap()
            }
        }
    }

    fn value(&mut self, depth: u8) -> Value {
        let count = self.0.usize(0..5);
        match self.0.u8(0..if depth == 0 { 5 } else { 11 }) {
            0 => Value::null(Type::Dynamic),
            1 => self.0.bool().into(),
            2 => {
                let number = self.number();
                if number.is_infinite() { Value::from(0) } else { number.into() }
            }
            3 | 4 => self.text().into(),
            5 => Value::null(Type::list(Type::String)),
            6 => Value::list((0..=count).map(|_| Value::from(self.text()))).unwrap(),
            7 => Value::set((0..=count).map(|_| Value::from(self.0.i8(..)))).unwrap(),
            8 => Value::map((0..=count).map(|_| (self.key(), Value::from(self.text())))).unwrap(),
            9 => Value::tuple((0..count).map(|_| self.value(depth - 1))),
            _ => Value::object((0..count).map(|_| (self.key(), self.value(depth - 1))).collect::<Vec<_>>()),
        }
    }
}

fn read(text: &str) -> Value {
    let text = format!("{text}\n");
    let read = Expression::parse(text.as_str()).and_then(|expression| expression.evaluate(&Context::new()));
    read.unwrap_or_else(|problems| panic!("{text}\n{problems:?}"))
}

#[test]
fn values_come_back_from_their_source() {
    let mut random = Random(fastrand::Rng::with_seed(seed(7)));
    for _ in 0..rounds(25_000) {
        let value = random.value(3);
        let source = NewValue::from(value.clone()).source().unwrap();
        let again = read(&source).convert(&value.ty()).unwrap();
        assert_eq!(again, value, "{source}");
        let document = parse_expression(format!("{source}\n"));
        assert!(Formatter::plain().format(&document).is_unchanged(), "{source}");
    }
}

#[test]
fn values_come_back_from_attributes() {
    let mut random = Random(fastrand::Rng::with_seed(seed(8)));
    for _ in 0..rounds(2_500) {
        let value = random.value(3);
        let nested = NewBody::new().attribute("a", value.clone()).attribute("longer", 1);
        let body = NewBody::new().attribute("first", value.clone()).with_block(
            "b",
            [random.text().replace(['$', '%'], "")],
            nested,
        );
        let Ok(source) = body.source() else { continue };
        let document = parse(source.as_str());
        assert!(Formatter::plain().format(&document).is_unchanged(), "{source}");
        let first = document.body().attribute("first").unwrap();
        let inner = document.body().blocks().next().unwrap().body().attribute("a").unwrap();
        for attribute in [first, inner] {
            let again = read(attribute.value().text()).convert(&value.ty()).unwrap();
            assert_eq!(again, value, "{source}");
        }
    }
}

#[test]
fn values_without_source_are_errors() {
    let capsule = CapsuleType::builder::<u8>("byte").build();
    let nested = |value: Value| Value::object([("a", Value::tuple([Value::from(1), value]))]);
    let cases = [
        (Value::unknown(Type::String), "an unknown value"),
        (Value::from("x").mark(Mark::sensitive()), "a marked value"),
        (Value::from(Number::infinity()), "an infinity"),
        (capsule.value(1_u8).unwrap(), "a capsule"),
    ];
    for (value, what) in cases {
        let error = NewValue::from(nested(value.clone())).source().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("a.[1]: {what} cannot be written as source text").replace(".[", "[")
        );
        let error = NewBody::new().attribute("x", value).source().unwrap_err();
        assert_eq!(error.to_string(), format!("x: {what} cannot be written as source text"));
    }
}

#[test]
fn invalid_parts_of_bodies_are_errors() {
    let error = |body: NewBody| body.source().unwrap_err().to_string();
    let new = NewBody::new;
    assert_eq!(
        error(new().attribute("a b", 1)),
        "the name of an attribute must be an identifier, found \"a b\""
    );
    assert_eq!(error(new().attribute("a", 1).attribute("a", 2)), "the attribute `a` is set twice");
    let block = new().block("b", ["l"], |b| b.block("c-", ["m"], |c| c.block("2", [""; 0], |d| d)));
    assert_eq!(error(block), "b.l.c-.m: the type of a block must be an identifier, found \"2\"");
    for (source, found) in
        [("var.", "var."), ("1 }", "1 }"), ("1\nb = 2", "1\nb = 2"), ("1 # one", "1 # one"), ("", "")]
    {
        let message = error(new().attribute("a", raw(source)));
        let expected = format!("a: expected an expression without comments around it, found `{found}`");
        assert!(message.starts_with(&expected), "{message}");
    }
    let key = NewValue::object([(NewValue::tuple([1]), 1)]);
    assert_eq!(error(new().attribute("a", key)), "a: the key of an object must be a string or a number");
}

#[test]
fn expressions_keep_their_meaning_wherever_they_are() {
    let sources = [
        "a +\n  b",
        "a\n? b\n: c",
        "<<EOT\n  text\nEOT",
        "<<-EOT\n    text\n  EOT",
        "[\n1,\n2]",
        "f(<<A\na\nA\n, 1)",
        "{ for k, v in x : k => v }",
        "\"${a}\"",
        "!a",
        "(a)",
        "a ? b : c",
    ];
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    for source in sources {
        let body = NewBody::new()
            .attribute("plain", raw(source))
            .attribute("list", NewValue::tuple([raw(source), raw("1")]))
            .attribute("object", NewValue::object([("k", raw(source)), ("l", raw("1"))]))
            .attribute("key", NewValue::object([(raw(source), 1)]));
        let text = body.source().unwrap_or_else(|error| panic!("{source}: {error}"));
        let document = parse(text.as_str());
        assert!(Formatter::plain().format(&document).is_unchanged(), "{text}");
        let value = |name: &str| document.body().attribute(name).unwrap().value();
        let key = value("key").items().next().unwrap().key();
        let ObjectKey::Expression(key) = key else { panic!("{text}") };
        let first = value("list").elements().next().unwrap();
        let item = value("object").items().next().unwrap().value();
        assert_eq!((value("list").elements().count(), value("object").items().count()), (2, 2), "{text}");
        for expression in [value("plain"), first, item, key] {
            let expression = if source.starts_with('(') { expression } else { expression.without_parens() };
            let text = squeezed(expression.text());
            // The formatter adds spaces, and a key is in parentheses.
            let text = if source.starts_with('(') { text.replace("((a))", "(a)") } else { text };
            assert_eq!(text, squeezed(source));
        }
    }
}

#[test]
fn bodies_are_formatted() {
    let body = NewBody::new()
        .comment("Made by a program.\n\nDo not edit.")
        .attribute("name", "web")
        .attribute("replicas", raw("var.n"))
        .block("empty", ["", "b c", "d\"e"], |body| body)
        .block("check", ["a"], |check| {
            check
                .comment("Of the load balancer.")
                .attribute("path", "/")
                .attribute("script", "one\ntwo ${x}\n")
        })
        .attribute(
            "tags",
            NewValue::object([
                ("a", NewValue::from("a long text that does not fit on a line with the other one")),
                ("another", NewValue::from("the other one")),
            ]),
        );
    let expected = r#"# Made by a program.
#
# Do not edit.
name     = "web"
replicas = var.n

empty "" "b c" "d\"e" {}

check "a" {
  # Of the load balancer.
  path   = "/"
  script = <<-EOT
    one
    two $${x}
  EOT
}

tags = {
  a       = "a long text that does not fit on a line with the other one"
  another = "the other one"
}
"#;
    assert_eq!(body.source().unwrap(), expected);
}
