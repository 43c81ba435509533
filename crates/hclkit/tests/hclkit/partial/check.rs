//! What partial evaluation guarantees: for any choice of known variables, the residue evaluates to the same value, type and
//! marks as the original, or to an error if the original does. `cargo test` and the fuzzer check this.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use hclkit::functions::{Grants, Library};
use hclkit::model::{Body, Functions, Partial, user_functions};
use hclkit::syntax::json;
use hclkit::value::{Capability, Error, Function, Mark, Number, Parameter};
use hclkit::{Context, Expression, Source, Type, Value};

use super::sources::{Kind, Random};

const CANARY: &str = "hunter2";

/// A number with the precision of literals. Dividing numbers of lower precision gives other last digits.
fn literal(text: &str) -> Value {
    text.parse::<Number>().expect("a number is required").into()
}

fn variables() -> Vec<(&'static str, Value)> {
    let text = Value::from;
    let list = |items: &[&str]| Value::list(items.iter().map(|item| Value::from(*item))).unwrap();
    let object = |x: &str, y: &str| Value::object([("x", Value::from(x)), ("y", literal(y))]);
    let secret = || Mark::sensitive();
    vec![
        ("a", literal("1")),
        ("b", literal("-2")),
        ("c", literal("0.1")),
        ("third", Value::from(Number::ONE.divide(&Number::from(3)).unwrap())),
        ("huge", literal("1e500000")),
        ("inf", Value::from(Number::infinity())),
        ("t", text("k")),
        ("s", text("other")),
        ("digits", text("1")),
        ("w", text("  ")),
        ("e", text("")),
        ("d", text("$")),
        ("q", text("say \"hi\" \\ {x}")),
        ("clock", text("${timestamp()}")),
        ("r", text("${x} %{ if y } $${z}")),
        ("n", text("line\n  next\n")),
        ("o", text("  in\n\n    deeper\nout")),
        ("marker", text("E")),
        ("control", text("\u{7}\r\n\u{feff}é")),
        ("f", Value::TRUE),
        ("g", Value::FALSE),
        ("null_any", Value::NULL),
        ("null_text", Value::null(Type::String)),
        ("list", list(&["one", "two"])),
        ("none", Value::empty_list(Type::String)),
        ("set", Value::set([text("x"), text("y")]).unwrap()),
        ("map", Value::map([("k", text("v")), ("other", text("w"))]).unwrap()),
        ("pair", Value::tuple([literal("1"), text("k")])),
        ("mixed", Value::tuple([list(&["k"]), Value::NULL, Value::null(Type::Bool)])),
        ("thing", object("k", "2")),
        ("things", Value::tuple([object("p", "0"), object("q", "1")])),
        ("rows", Value::list([object("p", "0"), object("k", "1")]).unwrap()),
        ("p", text(CANARY).mark(secret())),
        ("pn", literal("1").mark(secret())),
        ("pf", Value::TRUE.mark(secret())),
        ("pl", list(&[CANARY]).mark(secret())),
        ("po", Value::object([("x", text(CANARY).mark(secret())), ("y", literal("1"))])),
    ]
}

/// The functions without and with grants.
pub(crate) fn functions(granted: bool) -> Functions {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(if granted { 86_400 } else { 0 });
    let mut functions = Library::Terraform.functions(&Grants::new().with_clock_at(time));
    functions.extend(Functions::special().iter().map(|(name, function)| (name, function.clone())));
    let file = move |args: &[Value], _: &Type| {
        let path = args[0].as_str().unwrap_or_default();
        if granted {
            Ok(Value::from(format!("<{path}>")))
        } else {
            Err(Error::not_granted(Capability::Files, "no folder"))
        }
    };
    functions.insert(
        "file",
        Function::unnamed(Type::String, file).with_parameter(Parameter::new("path", Type::String)),
    );
    let length = |args: &[Value], _: &Type| Ok(literal(&args[0].parts().len().to_string()));
    functions.insert(
        "length",
        Function::unnamed(Type::Number, length).with_parameter(Parameter::new("of", Type::Dynamic)),
    );
    let now = move |_: &[Value], _: &Type| Ok(Value::from(if granted { "now" } else { "before" }));
    functions.insert("timestamp", Function::unnamed(Type::String, now).with_impure());
    let render = |text: &str, context: &Context| {
        let template = Expression::parse_template(text).and_then(|template| template.evaluate(context));
        template.map_err(|found| Error::new(found.to_string()))
    };
    let base = Context::new().with_functions(functions.clone());
    let rendered = move |args: &[Value], _: &Type| render(args[0].as_str().unwrap_or_default(), &base);
    functions.insert(
        "render",
        Function::unnamed(Type::Dynamic, rendered).with_parameter(Parameter::new("text", Type::String)),
    );
    let (body, mut found) = Body::parse(Source::new("functions.hcl", USER_FUNCTIONS));
    let base = Context::new().with_functions(functions.clone());
    let (defined, _) = found.absorb(user_functions(&body, "function", move || base.clone()));
    assert!(found.is_empty(), "{found}");
    functions.extend(defined.iter().map(|(name, function)| (name, function.clone())));
    functions
}

/// Functions defined in a configuration that call impure functions and those that require a grant.
const USER_FUNCTIONS: &str = r#"
function "twice" {
  params = [text]
  result = "${text}${text}"
}
function "read" {
  params = [path]
  result = file(path)
}
function "read_or" {
  params = [path, other]
  result = try(file(path), other)
}
function "now" {
  params = []
  result = timestamp()
}
function "stamped" {
  params         = [text]
  variadic_param = rest
  result         = length(rest) == 0 ? "${text} ${render("$${timestamp()}")}" : rest
}
"#;

fn context<'v>(variables: impl Iterator<Item = &'v (&'static str, Value)>, functions: &Functions) -> Context {
    let mut context = Context::new().with_functions(functions.clone());
    context.set_all(variables.cloned());
    context
}

/// The findings so far.
pub(crate) struct Checker {
    variables: Vec<(&'static str, Value)>,
    before: Functions,
    after: Functions,
    pub(crate) sources: usize,
    pub(crate) values: usize,
    pub(crate) errors: usize,
    pub(crate) rests: usize,
}

impl Checker {
    pub(crate) fn new() -> Self {
        Self {
            variables: variables(),
            before: functions(false),
            after: functions(true),
            sources: 0,
            values: 0,
            errors: 0,
            rests: 0,
        }
    }

    /// Checks a source for several choices of known variables.
    pub(crate) fn check(&mut self, kind: Kind, source: &str, random: &mut Random) {
        let read = |text: &str| match kind {
            Kind::Template => Expression::parse_template(text),
            Kind::Expression => Expression::parse(format!("{text}\n")),
            Kind::Json => {
                let document = json::parse(text);
                assert!(document.diagnostics().is_empty(), "{text}");
                Ok(Expression::from_json(document.root()))
            }
        };
        // Some markers and characters change the meaning.
        let Ok(expression) = read(source) else { return };
        self.sources += 1;
        let whole = expression.evaluate(&context(self.variables.iter(), &self.after));
        let used: BTreeSet<String> =
            expression.variables().iter().map(|used| used.root.to_string()).collect();
        for turn in 0..4 {
            let known: BTreeSet<&str> = match turn {
                0 => used.iter().map(String::as_str).collect(),
                1 => BTreeSet::new(),
                _ => used.iter().map(String::as_str).filter(|_| random.chance(2)).collect(),
            };
            let what = || format!("{kind:?} {known:?} of\n{source}\n");
            let now = context(self.variables.iter().filter(|(name, _)| known.contains(name)), &self.before);
            let rest = match expression.partial(&now) {
                Err(found) => {
                    self.errors += 1;
                    assert!(whole.is_err(), "{}is an error in part: {found}", what());
                    continue;
                }
                Ok(Partial::Value(value)) => {
                    self.values += 1;
                    let Ok(whole) = &whole else {
                        panic!("{}is in part {value}, and an error as a whole: {whole:?}", what())
                    };
                    assert!(same(&value, whole), "{}is in part {value:?}, and as a whole {whole:?}", what());
                    continue;
                }
                Ok(Partial::Rest(rest)) => rest,
            };
            self.rests += 1;
            assert!(
                !rest.text.contains(CANARY) || source.contains(CANARY),
                "{}shows a secret: {}",
                what(),
                rest.text
            );
            let left = match kind {
                Kind::Template => Expression::parse_template(rest.text.as_str()),
                _ => Expression::parse(format!("{}\n", rest.text)),
            };
            let left = match left {
                Ok(left) => left,
                Err(found) => panic!("{}left no source: {found}\n{}", what(), rest.text),
            };
            let roots = |traversals: &[hclkit::model::Traversal]| -> BTreeSet<String> {
                traversals.iter().map(ToString::to_string).collect()
            };
            let references = roots(&rest.references);
            assert_eq!(references, roots(&left.variables()), "{}left other references", what());
            let needed: BTreeSet<&str> = rest.references.iter().map(|reference| &*reference.root).collect();
            let later =
                self.variables.iter().filter(|(name, _)| !known.contains(name) || needed.contains(name));
            let value = left.evaluate(&context(later, &self.after));
            let agree = match (&value, &whole) {
                (Ok(value), Ok(whole)) => same(value, whole),
                (Err(_), Err(_)) => true,
                _ => false,
            };
            let text = &rest.text;
            assert!(agree, "{}left\n{text}\nwhich is {value:?}, and the whole is {whole:?}", what());
        }
    }
}

fn same(one: &Value, other: &Value) -> bool {
    one == other
        && one.ty() == other.ty()
        && one.unmark_deep_with_paths().1 == other.unmark_deep_with_paths().1
}

/// A random source, and choices of known variables.
pub(crate) fn check_one(checker: &mut Checker, random: &mut Random) {
    let kind = [Kind::Expression, Kind::Template, Kind::Expression, Kind::Json][random.below(4)];
    let source = random.source(kind);
    checker.check(kind, &source, random);
}
