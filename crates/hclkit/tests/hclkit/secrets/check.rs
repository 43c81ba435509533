//! Checks that marked values are never shown: in values, messages, evidence, fixes, explanations, partial results and
//! decoded values. Shared with the fuzz target `secrets`.

use std::fmt::Write as _;
use std::sync::LazyLock;

use hclkit::decode::Decoder;
use hclkit::functions::{Directory, Grants, Library};
use hclkit::model::{Explanation, Partial};
use hclkit::render::{self, Renderer};
use hclkit::value::Mark;
use hclkit::{
    Context, Diagnostic, Diagnostics, Expression, Functions, Layout, Limits, Source, Type, Value, model,
};

use super::generate::Generator;

/// A text and digits that do not occur in any source, documentation or name.
pub(crate) const TEXT: &str = "zqxjkvwyq";
pub(crate) const DIGITS: &str = "7310942658";
/// The number of consecutive characters of either that count as a leak.
const WINDOW: usize = 5;

/// Whether a text contains a part of a secret: in upper or lower case, reversed, or in base64 or hexadecimal.
pub(crate) fn leak(shown: &str) -> Option<String> {
    static FORMS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let backwards = |text: &str| text.chars().rev().collect::<String>();
        let hexadecimal = |text: &str| {
            text.bytes().fold(String::new(), |mut all, byte| {
                let _ = write!(all, "{byte:02x}");
                all
            })
        };
        let mut forms = Vec::new();
        for text in [TEXT, DIGITS] {
            for whole in [text.to_owned(), backwards(text)] {
                forms.extend((0..=whole.len() - WINDOW).map(|at| whole[at..at + WINDOW].to_owned()));
            }
            forms.push(hexadecimal(&text[..6]));
        }
        // Base64 at all three offsets, without characters that depend on the text around it; also in lower case.
        forms.extend(["enf4amt2d3lx", "p4amt2d3lx", "6cxhqa3z3exe"].map(str::to_owned));
        forms
    });
    let lower = shown.to_lowercase();
    FORMS.iter().find(|form| lower.contains(form.as_str())).cloned()
}

/// Both marks of values that must not be shown, in turns.
fn secret(at: usize) -> Mark {
    if at.is_multiple_of(2) { Mark::sensitive() } else { Mark::hidden() }
}

/// Marked variables of all types, and a few that are not marked.
pub(crate) fn variables() -> Vec<(&'static str, Value)> {
    let text = |text: &str| Value::from(text.replace('@', TEXT));
    let number = |text: &str| Value::from(text.parse::<hclkit::value::Number>().expect("a number"));
    let list = |items: &[Value]| Value::list(items.to_vec()).expect("of one type");
    let map = |items: Vec<(&str, Value)>| Value::map(items).expect("of one type");
    let (s, n) = (text("@"), number(DIGITS));
    let object =
        || Value::object([("x", s.clone()), ("n", n.clone()), (TEXT, s.clone()), ("zqxjk", n.clone())]);
    let unknown = |ty: Type| Value::unknown(ty);
    let prefixed = unknown(Type::String).refine().with_not_null().with_full_prefix(TEXT).finish();
    let bounded = unknown(Type::Number).refine().with_min(n.as_number().expect("a number").clone()).finish();
    let marked = [
        ("s", s.clone()),
        ("s_json", text(r#"{"@": ["@", {"a": 7310942658,, "@"]}"#)),
        ("s_yaml", text("@: [1, @\n  - @: &a *@")),
        ("s_csv", text("a,@\n@,\"7310942658\n1,2,3,@")),
        ("s_time", text("2020-13-01T00:00:00@")),
        ("s_cidr", text("10.0.0.0/@")),
        ("s_regex", text("(@[a-")),
        ("s_template", text("${@ + a} %{ for @ in [1] }${1 + \"@\"}")),
        ("s_base64", text("enF4amt2d3lx@=")),
        ("s_path", text("../@/@.txt")),
        (
            "s_upper",
            text("@").convert(&Type::String).map(|_| Value::from(TEXT.to_uppercase())).expect("a string"),
        ),
        ("s_format", text("%@ %[7310942658]q %z")),
        ("n", n.clone()),
        ("n_big", number("7310942658e40")),
        ("n_half", number("7310942658.5")),
        ("l", list(&[s.clone(), text("b@"), text("@")])),
        ("e", Value::set([s.clone(), text("b@")]).expect("of one type")),
        ("t", Value::tuple([s.clone(), n.clone(), object(), Value::tuple([s.clone()])])),
        ("l_numbers", list(&[n.clone(), number("731094265.8")])),
        ("e_numbers", Value::set([n.clone(), number("1")]).expect("of one type")),
        ("l_objects", list(&[object(), object()])),
        ("l_lists", list(&[list(std::slice::from_ref(&s)), list(&[text("b@")])])),
        ("m", map(vec![("x", s.clone()), (TEXT, text("b@")), ("zqxjk", s.clone())])),
        ("m_numbers", map(vec![("x", n.clone()), (TEXT, n.clone())])),
        ("o", object()),
        ("k", Value::object([(TEXT, Value::from(1))])),
        ("o_open", Value::object([(TEXT, Value::unknown(Type::String)), ("x", Value::DYNAMIC)])),
        ("u_s", prefixed.expect("no contradiction")),
        ("u_n", bounded.expect("no contradiction")),
        ("null_s", Value::null(Type::object([(TEXT, Type::String)]))),
    ];
    let mut all: Vec<(&'static str, Value)> =
        marked.into_iter().enumerate().map(|(at, (name, value))| (name, value.mark(secret(at)))).collect();
    // Only parts are marked.
    let (s, n) = (s.mark(secret(0)), n.mark(secret(1)));
    all.push(("w", Value::object([("a", s.clone()), ("b", Value::tuple([s, n]))])));
    all.push(("x", Value::unknown(Type::String)));
    all.push(("b", Value::TRUE));
    all.push(("public", Value::from("public")));
    all
}

/// A context with the functions of a library.
pub(crate) struct Scene {
    pub(crate) context: Context,
    pub(crate) functions: Vec<String>,
}

pub(crate) fn scenes() -> Vec<Scene> {
    let folder = Directory::open(env!("CARGO_MANIFEST_DIR")).expect("the folder of the tests");
    let grants = Grants::new().with_clock().with_directory(folder);
    let scene = |library: Library| {
        let mut context = Context::new().with_functions(library.functions(&grants));
        context.set_all(variables());
        context.set_functions(with_functions_of_users(&context));
        // These functions remove the mark on purpose.
        let reveals = |name: &str| name == "nonsensitive";
        let functions = context.functions().into_iter().flat_map(hclkit::Functions::names);
        let functions = functions.filter(|name| !reveals(name)).map(str::to_owned).collect();
        Scene { context, functions }
    };
    Library::ALL.iter().copied().map(scene).collect()
}

/// The functions of a context, and some that are defined in a configuration.
fn with_functions_of_users(context: &Context) -> Functions {
    let text = r#"
function "increased" {
  params = [a]
  result = a + 1
}
function "chosen" {
  params         = [a, b]
  variadic_param = more
  result         = [for c in more : { (a) = b }[c]]
}
function "looped" {
  params = [a]
  result = "%{ for c in a }${c.zqxj}%{ endfor }"
}
"#;
    let around = context.clone();
    let (body, mut found) = model::Body::parse(Source::new("functions.hcl", text));
    let (users, _) = found.absorb(model::user_functions(&body, "function", move || around.clone()));
    assert!(found.is_empty(), "{found}");
    let mut all = context.functions().cloned().unwrap_or_default();
    all.extend(users.iter().map(|(name, function)| (name, function.clone())));
    all
}

fn limits() -> Limits {
    Limits::new().with_steps(20_000).with_elements(20_000).with_bytes(1 << 20).with_depth(400)
}

/// Writes everything in diagnostics that any format shows, except the source.
fn write_bare(found: &[Diagnostic], out: &mut String) {
    for diagnostic in found {
        let (summary, note) = (diagnostic.summary(), diagnostic.note());
        let _ = writeln!(out, "{summary} {note} {:?} {:?}", diagnostic.fix(), diagnostic.evidence());
        for related in diagnostic.related() {
            let _ = writeln!(out, "{}", related.text());
        }
    }
}

fn write_diagnostics(found: &Diagnostics, out: &mut String) {
    write_bare(found, out);
    let _ = writeln!(out, "{found}\n{}", Renderer::plain().diagnostics(found));
}

fn write_explanation(explanation: &Explanation, out: &mut String) {
    let _ = writeln!(out, "{} {:?}", explanation.value, explanation.note);
    write_bare(&explanation.errors, out);
    explanation.parts.iter().for_each(|part| write_explanation(part, out));
}

/// Everything that is shown about an expression.
pub(crate) fn shown(text: &str, template: bool, context: &Context) -> String {
    let mut out = String::new();
    let read = if template { Expression::parse_template(text) } else { Expression::parse(text) };
    let expression = match read {
        Ok(expression) => expression,
        Err(found) => panic!("{text}\n{found}"),
    };
    match limits().run(|| expression.evaluate(context)) {
        Ok(value) => _ = writeln!(out, "{value} {}", Layout::new().value(&value)),
        Err(found) => write_diagnostics(&found, &mut out),
    }
    let explanation = limits().run(|| expression.explain(context));
    write_explanation(&explanation, &mut out);
    out.push_str(&render::Renderer::colored().with_width(120).explanation(&expression, &explanation));
    match limits().run(|| expression.partial(context)) {
        Ok(Partial::Value(value)) => _ = writeln!(out, "{value}"),
        Ok(Partial::Rest(rest)) => _ = writeln!(out, "{} {}", rest.text, rest.value),
        Err(found) => write_diagnostics(&found, &mut out),
    }
    out
}

/// Generates an expression, a template or a configuration from the bytes, and checks everything that is shown about it.
/// Returns the leaks.
pub(crate) fn check(bytes: &[u8], scenes: &[Scene]) -> Result<(), String> {
    let (first, bytes) = bytes.split_first().unwrap_or((&0, &[]));
    let scene = &scenes[*first as usize % scenes.len()];
    let mut generator = Generator::new(bytes, &scene.context, &scene.functions);
    let (kind, depth) = (generator.bytes.below(8), 1 + generator.bytes.below(4));
    match kind {
        0 => {
            let quoted = generator.template(depth);
            let text = &quoted[1..quoted.len() - 1];
            refuse_leak(text, &shown(text, true, &scene.context))
        }
        1 if generator.bytes.below(4) == 0 => {
            let text = properties(&mut generator, depth);
            let (body, found) = model::Body::parse(Source::new("main.hcl.json", text.as_str()));
            assert!(found.is_empty(), "{text}\n{found}");
            refuse_leak(&text, &decoded(&body, scene, true))
        }
        1 => {
            let text = configuration(&mut generator, depth);
            let (body, found) = model::Body::parse(Source::new("main.hcl", text.as_str()));
            assert!(found.is_empty(), "{text}\n{found}");
            // As in the reference, labels become keys of the result, even if they were marked.
            let labeled = text.contains("labels = [named.");
            refuse_leak(&text, &decoded(&body, scene, !labeled))
        }
        2 => {
            let text = generator.call(depth);
            refuse_leak(&text, &shown(&text, false, &scene.context))
        }
        _ => {
            let text = generator.expression(depth);
            refuse_leak(&text, &shown(&text, false, &scene.context))
        }
    }
}

/// The leaks in the output for a text.
pub(crate) fn refuse_leak(text: &str, shown: &str) -> Result<(), String> {
    let Some(form) = leak(shown) else { return Ok(()) };
    let lines = shown.lines().filter(|line| leak(line).is_some()).take(8).collect::<Vec<_>>().join("\n");
    Err(format!("{form} is shown\nof {text}\nin {lines}"))
}

const SPEC: &str = r#"
object {
  attr "s" { type = string }
  attr "n" { type = number }
  attr "l" { type = list(number) }
  attr "o" { type = object({ x = number, y = string }) }
  attr "m" { type = map(object({ n = bool })) }
  attr "any" { type = any }
  block_map "named" {
    block_type = "named"
    labels     = ["name"]
    object {
      attr "n" { type = number }
    }
  }
  block_list "item" {
    block_type = "item"
    object {
      attr "n" { type = number }
      attr "any" { type = any }
    }
  }
  block_attrs "tags" {
    block_type   = "tags"
    element_type = number
  }
  transform "made" {
    attr {
      name = "made"
      type = any
    }
    result = nested == null ? 0 : [for c in nested : c + 1]
  }
}
"#;

/// A configuration for the spec.
fn configuration(generator: &mut Generator<'_>, depth: usize) -> String {
    let mut text = String::new();
    for name in ["s", "n", "l", "o", "m", "any", "made"] {
        if generator.bytes.below(2) == 0 {
            let _ = writeln!(text, "{name} = {}", generator.expression(depth));
        }
    }
    if generator.bytes.below(2) == 0 {
        let each = generator.expression(depth);
        let label = ["named.value", "named.key", "s", "\"a\""][generator.bytes.below(4)];
        let value = ["named.value", "named.value.x", "named.key + 1", "[for c in named.value : c + 1]"];
        let value = value[generator.bytes.below(4)];
        let _ = writeln!(
            text,
            "dynamic \"named\" {{\n  for_each = {each}\n  labels = [{label}]\n  content {{\n    n = {value}\n  }}\n}}"
        );
    }
    if generator.bytes.below(2) == 0 {
        let each = generator.expression(depth);
        let value = ["item.value", "item.value.zqx", "item.key.x", "[item.value, item.key]"];
        let value = value[generator.bytes.below(4)];
        let other = generator.expression(depth);
        let _ = writeln!(
            text,
            "dynamic \"item\" {{\n  for_each = {each}\n  content {{\n    n = {value}\n    any = [{other}, {value}]\n  }}\n}}"
        );
    }
    if generator.bytes.below(2) == 0 {
        let _ = writeln!(text, "tags {{\n  a = {}\n}}", generator.expression(depth));
    }
    text
}

/// A configuration for the spec in the JSON syntax, in which strings are templates.
fn properties(generator: &mut Generator<'_>, depth: usize) -> String {
    let mut string = |depth: usize| {
        let quoted = generator.template(depth);
        serde_json::to_string(&quoted[1..quoted.len() - 1]).expect("a string")
    };
    let (key, other) = (string(1), string(1));
    let [s, n, l, any, item] = [(); 5].map(|()| string(depth));
    format!(
        r#"{{"s": {s}, "n": {n}, "l": [1, {l}], "any": {{{key}: {any}, {other}: 1, "${{s}}": 1}}, "item": {{"n": {item}}}}}"#
    )
}

/// Everything that is shown when a body is decoded, optionally with the value.
fn decoded(body: &model::Body, scene: &Scene, value_too: bool) -> String {
    static SPEC_FILE: LazyLock<Decoder> =
        LazyLock::new(|| Decoder::new(Source::new("spec.hcl", SPEC)).expect("a spec").with_dynamic(true));
    let mut decoder = SPEC_FILE.clone().with_variables(variables());
    if let Some(functions) = scene.context.functions() {
        decoder = decoder.with_functions(functions.clone());
    }
    let mut out = String::new();
    match limits().run(|| decoder.decode(body)) {
        Ok(value) if value_too => _ = writeln!(out, "{value}"),
        Ok(_) => {}
        Err(found) => write_diagnostics(&found, &mut out),
    }
    out
}
