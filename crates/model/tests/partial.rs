//! What partial evaluation leaves gives the same value in the end as the whole.

use std::sync::Arc;

use hclkit_model::{Context, Expression, Functions, Partial};
use hclkit_syntax::json;
use hclkit_value::Value;

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

/// Evaluates an expression with some variables known, and what is left with the others, for each choice of them.
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
        let document = Arc::new(json::parse(*source));
        let expression = Expression::of_json(&document, document.root().id());
        check(&expression, |text| Expression::parse(text).unwrap());
    }
}

#[test]
fn known_text_is_put_into_a_template_that_is_not_in_quotes() {
    let context = context(&variables());
    for (template, wanted) in [
        ("a ${n}${q}\n%{ if f }${n}%{ endif }${x}", "a line\n  next\nsay \"hi\" \\\nline\n  next\n${x}"),
        ("%{ for v in x }${n}${v}%{ endfor }", "%{ for v in x }line\n  next\n${v}%{ endfor }"),
        ("%{ if x }${n}%{ endif }", "%{ if x }line\n  next\n%{ endif }"),
        ("${\"${q}${x}\"} ${d}{", "${\"${\"say \\\"hi\\\" \\\\\"}${x}\"} ${\"$\"}{"),
        ("${n} ${~ x}", "${\"line\\n  next\\n\"} ${~ x}"),
    ] {
        let partial = Expression::parse_template(template).unwrap().partial(&context).unwrap();
        let Partial::Rest(rest) = partial else { panic!("{template:?} is known") };
        assert_eq!(rest.text, wanted, "{template:?}");
    }
}
