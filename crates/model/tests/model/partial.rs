//! The result of partial evaluation has the same value as the whole.

use hclkit_model::{Context, Expression, Functions, Limits, Partial, PartialOptions};
use hclkit_syntax::json;
use hclkit_value::{Capability, Error, Function, Mark, Parameter, Type, Value};

const EXPRESSIONS: &[&str] = &[
    "a + b * 2",
    "-a + (b)",
    "a > b ? t : s",
    "f ? t : s",
    "[a, b, t]",
    "[a / (b - 2), [-a / (b - 2)], t]",
    "{ a = b, (t) = a, \"${s}\" = s }",
    "{ for k, v in o : v => k... if v != t }",
    "[for v in l : \"${v}-${t}-${a}\"]",
    "[for i, v in l : { (v) = i + a } if i < b]",
    "[for t in l : \"${t}-${s}\"]",
    "{ for t, s in o : t => \"${s}${a}\" }",
    "[for v in [for t in l : t] : [v, t, s]]",
    "l[a - 1]",
    "l[*]",
    "os[*].x",
    "os.*.x",
    "os[a - 1].x",
    "o[t]",
    "o.k",
    "!f && a < b || f",
    "(o).k",
    "f ? convert(l, list(string)) : null",
    "f ? [convert(l, list(any))[a - 1], convert(o, map(string))] : [t, { k = s }]",
    "!f ? convert(null, string) : a",
    "convert([t], list(string)) == convert([s], list(string))",
    "\"${f ? [for v in convert(l, list(string)) : \"${v}${t}\"][a] : s}\"",
    "\"${t}\"",
    "\"${t}${s}\"",
    "\"x ${t} y ${s} z\"",
    "\"x ${~ t } y ${ s ~} z\"",
    "\"x ${w}${~ s} ${e}${~ t ~}  ${w} \"",
    "\"%{ if f }a ${t} %{ else }b ${s}%{ endif } z\"",
    "\" %{~ if f ~} a ${t} %{~ else ~} b %{~ endif ~} ${s}\"",
    "\"%{ for v in l ~} ${v}${t} %{ endfor }${s}\"",
    "\" %{~ for v in l ~} ${v} %{~ endfor ~} ${s}\"",
    "\"$${a} ${d} %%{ if ${p} ${q} ${n}\"",
    "<<E\n${t}\n ${s} ${w}\n${marker}\nE",
    "<<-E\n    ${t}\n  ${w}${s}\n   ${e} x\n${w}\n  E",
    "<<-E\n    %{ if f }\n  ${t}\n  %{ endif }\n   ${s} x\n  E",
    "<<-E\n    %{ if f ~}\n  ${t}\n  %{~ endif ~}\n   ${s} x\n  E",
];

const TEMPLATES: &[&str] = &[
    "${t}",
    "a ${t}\n ${s} \"${q}\" \\n",
    "a\n%{ if f ~}\n  ${t}\n%{ endif ~}\nb ${s}\n",
    "a\n %{~ if f }\n  x\n%{ endif }\nb ${s}\n",
    "%{ for v in l ~}\n- ${v}\n%{ endfor ~}\n${t} ${s}\n",
    "%{ for t in l }${t}${s}%{ endfor }${t}",
    "%{ for k, v in o }${k}=${v};%{ endfor }\n  ${w} ${~ t}  ${e}  ${~ s}",
    "${\"${t} ${q} ${w}\"} ${n}${d}{x} ${p}{x}",
];

const JSON: &[&str] = &[
    r#"{"a": "${t}-${s}", "${t}": ["${l}", "x ${a}\n\"${w}\"\\", 1, null, true], "c": {"d": "%{ if f }${q}%{ endif }"}}"#,
    r#""${t}""#,
    r#"["${p}${s}", "$${a} ${d} ${n}", "\t${~ e ~}\r\n ${s}", "a \n ${~ s ~} \n ${~ t }"]"#,
];

fn variables() -> Vec<(&'static str, Value)> {
    let tuple = |items: &[&str]| Value::tuple(items.iter().map(|item| Value::from(*item)));
    let object = |x: &str| Value::object([("x", Value::from(x))]);
    vec![
        ("a", Value::from(1)),
        ("b", Value::from(2)),
        ("t", Value::from("k")),
        ("s", Value::from("other")),
        ("f", Value::TRUE),
        ("l", tuple(&["one", "two"])),
        ("o", Value::object([("k", Value::from("v")), ("m", Value::from("w"))])),
        ("os", Value::tuple([object("p"), object("q")])),
        ("w", Value::from("  ")),
        ("e", Value::from("")),
        ("d", Value::from("$")),
        ("p", Value::from("%{")),
        ("q", Value::from("say \"hi\" \\")),
        ("n", Value::from("line\n  next\n")),
        ("marker", Value::from("E")),
    ]
}

fn context(variables: &[(&'static str, Value)]) -> Context {
    let mut context = Context::new().with_functions(Functions::special());
    context.set_all(variables.iter().cloned());
    context
}

/// Evaluates an expression with some variables known, and the rest with the others, for each choice of variables.
fn check(expression: &Expression, read: fn(&str) -> Expression) {
    let variables = variables();
    let source = expression.text();
    let used: Vec<usize> = (0..variables.len())
        .filter(|at| expression.variables().iter().any(|used| *used.root == *variables[*at].0))
        .collect();
    let whole = expression.evaluate(&context(&variables)).unwrap();
    for known in 0..1_u32 << used.len() {
        let given =
            |at: usize| used.iter().position(|used| *used == at).is_none_or(|bit| known >> bit & 1 == 1);
        let (now, later): (Vec<usize>, Vec<usize>) = (0..variables.len()).partition(|at| given(*at));
        let pick = |places: &[usize]| places.iter().map(|at| variables[*at].clone()).collect::<Vec<_>>();
        let partial = expression.partial(&context(&pick(&now))).unwrap();
        let (text, value) = match partial {
            Partial::Value(value) => (String::new(), value),
            Partial::Rest(rest) => {
                let left = read(&rest.text);
                assert!(
                    !left.variables().is_empty() && left.variables().len() == rest.references.len(),
                    "{left:?}"
                );
                let value = left.evaluate(&context(&pick(&later)));
                (rest.text, value.unwrap())
            }
        };
        assert_eq!(value, whole, "{source:?} left {text:?}");
    }
}

#[test]
fn expressions_in_two_steps() {
    for source in EXPRESSIONS {
        // The name that closes a heredoc must be followed by a line break.
        let read = |text: &str| Expression::parse(format!("{text}\n")).unwrap();
        check(&read(source), read);
    }
}

#[test]
fn templates_in_two_steps() {
    for source in TEMPLATES {
        let read = |text: &str| Expression::parse_template(text).unwrap();
        check(&read(source), read);
    }
}

#[test]
fn values_of_the_json_syntax_in_two_steps() {
    for source in JSON {
        let document = json::parse(*source);
        let expression = Expression::from_json(document.root());
        check(&expression, |text| Expression::parse(text).unwrap());
    }
}

#[test]
fn known_text_replaces_sequences_of_a_bare_template() {
    let context = context(&variables());
    for (template, wanted) in [
        ("a ${n}${q}\n%{ if f }${n}%{ endif }${x}", "a line\n  next\nsay \"hi\" \\\nline\n  next\n${x}"),
        ("%{ for v in x }${n}${v}%{ endfor }", "%{ for v in x }line\n  next\n${v}%{ endfor }"),
        ("%{ if x }${n}%{ endif }", "%{ if x }line\n  next\n%{ endif }"),
        ("${\"${q}${x}\"} ${d}{", "${\"say \\\"hi\\\" \\\\${x}\"} ${\"$\"}{"),
        ("${n} ${~ x}", "line\n  next\n ${~ x}"),
    ] {
        let partial = Expression::parse_template(template).unwrap().partial(&context).unwrap();
        let Partial::Rest(rest) = partial else { panic!("{template:?} is known") };
        assert_eq!(rest.text, wanted, "{template:?}");
    }
}

/// The rest of an expression.
fn left(source: &str, context: &Context) -> String {
    match Expression::parse(format!("{source}\n")).unwrap().partial(context).unwrap() {
        Partial::Value(value) => panic!("{source} is known: {value}"),
        Partial::Rest(rest) => rest.text,
    }
}

#[test]
fn the_rest_is_as_short_as_possible() {
    let context = context(&variables());
    for (source, wanted) in [
        ("1 + 2 + x", "3 + x"),
        ("1 + 2 > x", "3 > x"),
        ("x + 1 + 2", "x + 1 + 2"),
        ("f ? x : null", "x"),
        ("f ? \"${x}-\" : \"b\"", "\"${x}-\""),
        // The type of the whole depends on the other result.
        ("f ? x : y", "true ? x : y"),
        ("f ? x : 1", "true ? x : 1"),
        ("f ? \"${x}-\" : l", "true ? \"${x}-\" : [\"one\", \"two\"]"),
        // It is an error if this is not a bool.
        ("!f && x", "false && x"),
        ("[x, a, /* one */ b + 1, # two\n  [t,x] ]", "[x, 1, /* one */ 3, # two\n  [\"k\",x] ]"),
        ("{ aws.east = aws.west, (t) = x, \"${s}\" = 1 }", "{ aws.east = aws.west, k = x, other = 1 }"),
        ("x[t].y[a]", "x[\"k\"].y[1]"),
        ("os[x].x", "[{ x = \"p\" }, { x = \"q\" }][x].x"),
        ("try(x.y, o.k)", "try(x.y, \"v\")"),
        ("convert(x, list(string))", "convert(x, list(string))"),
        ("[x.missing && y, o.missing || z]", "[x.missing && y, o.missing || z]"),
        (
            "[for v in convert(l, list(string)) : \"${v}${x}\"]",
            "[for v in [\"one\", \"two\"] : \"${v}${x}\"]",
        ),
        ("[convert(l, list(string)), x]", "[convert([\"one\", \"two\"], list(string)), x]"),
        ("[convert(null, string), x]", "[convert(null, string), x]"),
    ] {
        assert_eq!(left(source, &context), wanted, "{source}");
    }
}

#[test]
fn loops_in_heredocs_become_lines() {
    let context = context(&variables());
    let source = "<<-E\n    first\n    %{ for v in l }\n    - ${v}\n    %{ endfor }\n      ${a}: ${x}\n  E";
    let wanted = "<<-E\n    first\n\n    - one\n\n    - two\n\n      1: ${x}\n  E";
    assert_eq!(left(source, &context), wanted);
    let source = "<<-E\n    first\n    %{ for v in l ~}\n  - ${v}\n    %{ endfor ~}\n  ${a}: ${x}\n  E";
    let wanted = "<<-E\n    first\n      - one\n      - two\n      1: ${x}\n  E";
    assert_eq!(left(source, &context), wanted);
    // A heredoc stays a heredoc, even if all of it is known.
    assert_eq!(left("[<<E\n${n}${a}\nE\n, x]", &context), "[<<E\nline\n  next\n1\nE\n, x]");
}

#[test]
fn functions_without_a_grant_and_impure_ones_are_not_called() {
    let mut functions = Functions::special();
    let file = |_: &[Value], _: &Type| Err(Error::not_granted(Capability::Files, "no folder"));
    functions.insert(
        "file",
        Function::unnamed(Type::String, file).with_parameter(Parameter::new("path", Type::String)),
    );
    functions.insert("now", Function::unnamed(Type::String, |_, _| Ok(Value::from("noon"))).with_impure());
    let context = Context::new().with("a", "x").with_functions(functions);
    assert_eq!(left("file(\"${a}.txt\")", &context), "file(\"x.txt\")");
    assert_eq!(left("[now(), can(file(a)), a]", &context), "[now(), can(file(\"x\")), \"x\"]");
    let now = Expression::parse("\"${now()} ${a}\"").unwrap();
    let Ok(Partial::Value(value)) = PartialOptions::new().with_impure(true).evaluate(&now, &context) else {
        panic!("an impure function was asked for")
    };
    assert_eq!(value, Value::from("noon x"));
    // Errors in the arguments occur in any case.
    assert!(Expression::parse("file([])").unwrap().partial(&context).is_err());
    // A value that does not match now may match once all of it is known.
    assert_eq!(left("file([x])", &context), "file([x])");
    assert!(Expression::parse("now(1)").unwrap().partial(&context).is_err());
}

#[test]
fn marked_parts_stay_as_written() {
    let mut functions = Functions::special();
    let hide = |args: &[Value], _: &Type| Ok(args[0].mark(Mark::sensitive()));
    let value = Parameter::new("value", Type::Dynamic).with_unknowns().with_dynamic();
    functions.insert("sensitive", Function::with_type(|args| Ok(args[0].ty()), hide).with_parameter(value));
    let context = Context::new()
        .with("a", "plain")
        .with("p", Value::from("hunter2").mark(Mark::sensitive()))
        .with_functions(functions);
    for (source, wanted) in [
        ("p", "p"),
        ("\"${p}-${a}\"", "\"${p}-${a}\""),
        ("[p, a, \"${a} ${x}\"]", "[p, \"plain\", \"plain ${x}\"]"),
        ("[for c in [p] : \"${c}${a}\"]", "[for c in [p] : \"${c}plain\"]"),
        ("[sensitive(a), sensitive(\"${a}${x}\")]", "[sensitive(a), sensitive(\"${a}${x}\")]"),
    ] {
        assert_eq!(left(source, &context), wanted, "{source}");
    }
    let pair = Expression::parse("[p, x]").unwrap();
    let Ok(Partial::Rest(rest)) = PartialOptions::new().with_reveal_marked(true).evaluate(&pair, &context)
    else {
        panic!("x is not known")
    };
    assert_eq!(rest.text, "[\"hunter2\", x]");
}

#[test]
fn references_are_those_of_the_rest() {
    let context = context(&variables());
    let source = "[o[x.y], z[t].w[b], [for v in u : v + a], \"${\"${q}${k}\"}\", s]";
    let Partial::Rest(rest) = Expression::parse(source).unwrap().partial(&context).unwrap() else { panic!() };
    let found: Vec<String> = rest.references.iter().map(ToString::to_string).collect();
    assert_eq!(found, ["x.y", "z[\"k\"].w[2]", "u", "k"]);
}

/// The minimum number of steps for the partial evaluation of a source.
fn steps(source: &str) -> u64 {
    let mut context = context(&variables());
    context.set("u", Value::object([("zz", Value::from(1)), ("a", Value::DYNAMIC)]));
    let expression = Expression::parse(format!("{source}\n")).unwrap();
    let suffices = |steps: u64| match Limits::new().with_steps(steps).run(|| expression.partial(&context)) {
        Ok(_) => true,
        Err(found) => !found.iter().any(|error| error.code().unwrap().as_str() == "limit-exceeded"),
    };
    let (mut least, mut most) = (0, 1 << 16);
    assert!(suffices(most));
    while most - least > 1 {
        let half = least.midpoint(most);
        if suffices(half) { most = half } else { least = half }
    }
    most
}

/// A source of a size.
type Source<'s> = Box<dyn Fn(usize) -> String + 's>;

#[test]
fn each_node_is_evaluated_once() {
    let repeat = |text: &str, between: &str, count: usize| vec![text; count].join(between);
    let nest =
        |open: &str, close: &str, count: usize| format!("{}u{}", open.repeat(count), close.repeat(count));
    let sources: [(&str, Source<'_>); 9] = [
        ("chain of unknowns", Box::new(|n| repeat("x", " || ", n))),
        ("chain of errors", Box::new(|n| repeat("1", " || ", n))),
        ("attributes", Box::new(|n| repeat("u.a + u.zz", " + ", n))),
        ("calls in calls", Box::new(|n| nest("g(", ")", n))),
        ("parentheses", Box::new(|n| nest("(u.zz + ", ")", n))),
        ("templates in templates", Box::new(|n| nest("\"a${a}${", "}b\"", n))),
        ("conditionals", Box::new(|n| nest("f ? [u.a] : [", "]", n))),
        ("interpolations", Box::new(|n| format!("\"{}\"", repeat("${a}-${x}", " ", n)))),
        (
            "lines",
            Box::new(|n| format!("<<-E\n{}E", repeat("  ${a} ${x}%{ for v in l } ${v}%{ endfor }\n", "", n))),
        ),
    ];
    for (name, source) in sources {
        let [one, two, four] = [100, 200, 400].map(|n| steps(&source(n)));
        assert!(two <= 2 * one + 10 && four <= 2 * two + 10, "{name}: {one}, {two} and {four} steps");
    }
}
