//! The ops that evaluate expressions or analyze them: `expr`, `template`, `refs` and `static`.

mod calls;
mod collections;
mod corpus;
mod maker;
mod mistakes;
mod natives;
mod scope;
mod statics;
mod templates;
mod ty;

use std::collections::HashSet;

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::inputs::Inputs;
use super::mutate::mutate;
use super::tokens::cut;
use super::{Make, Op};
use maker::Maker;
pub(super) use natives::number;
pub(super) use scope::Variables;
use ty::{Ty, pick};

pub(crate) const OPS: &[Op] = &[
    Op {
        name: "expr",
        kinds: &[
            ("any type", |rng, _| typed(rng)),
            ("primitives", |rng, _| {
                expression(rng, |maker| {
                    let ty = Ty::primitive(maker.rng);
                    maker.value(&ty).text
                })
            }),
            ("for", |rng, _| {
                expression(rng, |maker| {
                    maker.depth = maker.depth.max(2);
                    let ty = maker.any_type();
                    if maker.rng.bool() { maker.for_tuple(&ty).text } else { maker.for_object(&ty).text }
                })
            }),
            ("splat", |rng, _| expression(rng, |maker| maker.any_splat().text)),
            ("conditional", |rng, _| {
                expression(rng, |maker| {
                    let ty = maker.any_type();
                    maker.conditional(&ty).text
                })
            }),
            ("call", |rng, _| {
                expression(rng, |maker| {
                    maker.functions = true;
                    let ty = Ty::Any;
                    maker.call(&ty).map_or_else(String::new, |call| call.text)
                })
            }),
            ("quoted", |rng, _| expression(rng, |maker| maker.quoted().text)),
            ("heredoc", |rng, _| {
                expression(rng, |maker| {
                    maker.depth = maker.depth.max(2);
                    maker.whole_heredoc()
                })
            }),
            ("swapped", swapped),
            ("native operators", |rng, _| natives::operators(rng)),
            ("native values", |rng, inputs| {
                let request = if rng.bool() { swapped(rng, inputs) } else { typed(rng) };
                natives::with_numbers(rng, request)
            }),
            ("mutated", mutated),
        ],
        fixed: &[("by hand", || by_hand(&include!("eval/by_hand.in"))), ("every value", every_value)],
        corpus: Some(corpus::evaluated),
        recorded: 1_800,
    },
    Op {
        name: "template",
        kinds: &[
            ("made", |rng, _| {
                expression(rng, |maker| {
                    maker.depth = maker.depth.max(2);
                    maker.whole_template()
                })
            }),
            ("mutated", mutated_template),
        ],
        fixed: &[("by hand", || by_hand(&include!("eval/templates_by_hand.in")))],
        corpus: None,
        recorded: 600,
    },
    Op {
        name: "refs",
        kinds: &[("made", refs), ("mutated", mutated_refs)],
        fixed: &[("by hand", || sources(&include!("eval/by_hand.in")))],
        corpus: Some(corpus::sources),
        recorded: 400,
    },
    Op {
        name: "static",
        kinds: statics::KINDS,
        fixed: &[("by hand", statics::by_hand)],
        corpus: Some(corpus::analysed),
        recorded: 600,
    },
];

/// A request for a generated expression, with variables, functions, both or neither.
fn expression(rng: &mut Rng, make: fn(&mut Maker) -> String) -> Value {
    let with = pick(rng, WITH);
    let variables = if with.0 { Variables::draw(rng) } else { Variables::none() };
    let src = make(&mut Maker::new(rng, &variables, with.1));
    request(rng, &src, &variables, with)
}

fn typed(rng: &mut Rng) -> Value {
    expression(rng, |maker| {
        let ty = maker.any_type();
        maker.value(&ty).text
    })
}

/// Templates for the strings of the JSON syntax, and the variables and functions that they may use.
pub(super) fn templates(rng: &mut Rng, count: usize) -> (Vec<String>, Variables, (bool, bool)) {
    let with = pick(rng, WITH);
    let variables = if with.0 { Variables::draw(rng) } else { Variables::none() };
    let made = (0..count).map(|_| {
        let mut maker = Maker::new(rng, &variables, with.1);
        let ty = if maker.rng.bool() { Ty::Str } else { maker.any_type() };
        match maker.rng.u8(..4) {
            0 => maker.whole_template(),
            1 => format!("a {}", maker.quoted().text.trim_matches('"')),
            _ => format!("${{{}}}", maker.value(&ty).text),
        }
    });
    (made.collect(), variables, with)
}

/// True if there are variables, and true if there are functions; mostly both.
const WITH: &[(bool, bool)] = &{
    let mut list = [(true, true); 30];
    list[0] = (false, false);
    list[1] = (true, false);
    list[2] = (false, true);
    list
};

/// Only the variables that the source may refer to, and some with similar names.
pub(super) fn request(rng: &mut Rng, src: &str, variables: &Variables, (vars, funcs): (bool, bool)) -> Value {
    let mut request = json!({ "src": src });
    if vars {
        let words: HashSet<&str> = cut(src).into_iter().collect();
        let read = |name: &str| words.contains(name);
        let values: Map<_, _> = variables
            .values
            .iter()
            .filter(|(name, _)| read(name) || rng.u8(..150) == 0)
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        request["vars"] = values.into();
    }
    if funcs {
        request["funcs"] = "std".into();
    }
    request
}

/// An expression with a few changed characters or tokens.
fn mutated(rng: &mut Rng, _: &Inputs) -> Value {
    changed(rng, |maker| {
        maker.mistakes = 0;
        let ty = maker.any_type();
        maker.value(&ty).text
    })
}

fn mutated_template(rng: &mut Rng, _: &Inputs) -> Value {
    changed(rng, |maker| {
        maker.mistakes = 0;
        maker.whole_template()
    })
}

/// An expression in which some names, numbers and operators are replaced by others.
fn swapped(rng: &mut Rng, _: &Inputs) -> Value {
    const OPERATORS: &[&str] = &["+", "-", "*", "/", "%", "==", "!=", "<", ">", "<=", ">=", "&&", "||"];
    const NUMBERS: &[&str] = &["0", "1", "2", "3", "100"];
    let variables = Variables::draw(rng);
    let names: Vec<&str> = variables.values.keys().map(String::as_str).collect();
    let mut maker = Maker::new(rng, &variables, true);
    maker.mistakes = 0;
    let ty = maker.any_type();
    let src = maker.value(&ty).text;
    let mut pieces = cut(&src);
    for piece in &mut pieces {
        let list = [&names, OPERATORS, NUMBERS].into_iter().find(|list| list.contains(piece));
        if let Some(list) = list.filter(|_| rng.u8(..8) == 0) {
            *piece = pick(rng, list);
        }
    }
    request(rng, &pieces.concat(), &variables, (true, true))
}

fn changed(rng: &mut Rng, make: fn(&mut Maker) -> String) -> Value {
    let variables = Variables::draw(rng);
    let src = make(&mut Maker::new(rng, &variables, true));
    let other = make(&mut Maker::new(rng, &variables, true));
    let src = mutate(rng, &src, &other);
    request(rng, &src, &variables, (true, true))
}

/// References do not need values.
fn refs(rng: &mut Rng, _: &Inputs) -> Value {
    let made = expression(rng, |maker| {
        maker.depth += 1;
        let ty = maker.any_type();
        match maker.rng.u8(..4) {
            0 => maker.any_splat().text,
            1 => maker.quoted().text,
            2 => maker.for_object(&ty).text,
            _ => maker.value(&ty).text,
        }
    });
    json!({ "src": made["src"] })
}

fn mutated_refs(rng: &mut Rng, inputs: &Inputs) -> Value {
    json!({ "src": mutated(rng, inputs)["src"] })
}

fn sources(list: &[&str]) -> Vec<Value> {
    list.iter().map(|src| json!({ "src": src })).collect()
}

/// Each value of the fixed set, in each place where an expression can have one.
fn every_value() -> Vec<Value> {
    const FORMS: &[&str] = &[
        "[x, {a = x}]",
        "{(x) = 1}",
        "x.a",
        "x.name",
        "x.id",
        "x[0]",
        "x[1]",
        "x[\"a\"]",
        "x[u_n]",
        "x[u_s]",
        "x[m_n]",
        "x[m_s]",
        "x[*]",
        "x[*].id",
        "x.*.id",
        "x[*][0]",
        "[for v in x : v]",
        "[for k, v in x : k]",
        "[for v in x : v if u_b]",
        "{for k, v in x : k => v}",
        "{for k, v in x : v => k}",
        "{for k, v in x : v => k...}",
        "{for k, v in x : k => v if mu_b}",
        "\"${x}\"",
        "\"a${x}\"",
        "\"%{if x}a%{else}b%{endif}\"",
        "\"%{for v in x}${v}%{endfor}\"",
        "x + 1",
        "1 - x",
        "-x",
        "!x",
        "x == null",
        "x == x",
        "x == s",
        "x < 2",
        "x && true",
        "true && x",
        "x || false",
        "false && x",
        "x && u_b",
        "u_b || x",
        "x ? 1 : 2",
        "true ? x : null",
        "true ? null : x",
        "u_b ? x : null",
        "u_b ? x : x",
        "u_b ? x : 1",
        "true ? x : \"a\"",
        "true ? x : []",
        "u_b ? x : []",
        "true ? {} : x",
        "u_b ? {} : x",
        "u_b ? [x] : [1, x]",
        "ls[x]",
        "ms[x]",
        "t[x]",
        "o[x]",
        "u[x]",
        "u_ls[x]",
        "u_o[x]",
        "max(x...)",
        "length(x)",
        "upper(x)",
        "coalesce(x, 1)",
        "try(x, 1)",
        "can(x)",
        "tolist(x)",
        "jsonencode(x)",
        "m_b ? x : x",
    ];
    let variables = Variables::fixed();
    let mut list = Vec::new();
    for value in variables.values.values() {
        for form in FORMS {
            let mut vars = Map::from_iter([("x".to_owned(), value.clone())]);
            let read = cut(form).into_iter().filter_map(|word| variables.values.get_key_value(word));
            vars.extend(read.map(|(name, value)| (name.clone(), value.clone())));
            list.push(json!({ "src": form, "vars": vars, "funcs": "std" }));
        }
    }
    list
}

/// Each with the same variables, whatever the seed.
fn by_hand(list: &[&str]) -> Vec<Value> {
    let variables = Variables::fixed();
    let mut rng = Rng::with_seed(0);
    list.iter().map(|src| request(&mut rng, src, &variables, (true, true))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use hclkit_syntax::{NodeKind as Is, Root, Visit, parse_expression, parse_template};

    use super::{Inputs, OPS};
    use crate::conformance::rng;

    /// The minimum number of requests in a thousand that must contain a construct.
    const LEAST: usize = 5;

    #[test]
    fn what_is_made_can_be_read_and_has_every_construct() {
        let inputs = Inputs::load(false).expect("the seeds are next to the driver");
        let (mut met, mut asked, mut broken) = (HashMap::<Is, usize>::new(), 0, 0);
        for op in OPS.iter().filter(|op| ["expr", "template"].contains(&op.name)) {
            for (kind, make) in op.kinds.iter().filter(|(kind, _)| *kind != "mutated") {
                for n in 0..200 {
                    let request = make(&mut rng(1, op.name, kind, n), &inputs);
                    let src = request["src"].as_str().expect("a source");
                    let document =
                        if op.name == "expr" { parse_expression(src) } else { parse_template(src) };
                    let root = match document.root() {
                        Root::Expression(expression) => expression.id(),
                        Root::Template(template) => template.id(),
                        Root::Body(_) | Root::Traversal(_) => continue,
                    };
                    asked += 1;
                    broken += usize::from(document.has_errors());
                    for visit in document.tree().walk(root) {
                        if let Visit::Enter(id) = visit {
                            *met.entry(document.tree().kind(id)).or_default() += 1;
                        }
                    }
                }
            }
        }
        assert!(broken * 20 < asked, "{broken} of {asked} cannot be read");
        let rare = [
            Is::Number,
            Is::True,
            Is::Null,
            Is::String,
            Is::QuotedTemplate,
            Is::Heredoc,
            Is::BareTemplate,
            Is::Variable,
            Is::GetAttr,
            Is::Index,
            Is::LegacyIndex,
            Is::AttrSplat,
            Is::FullSplat,
            Is::Call,
            Is::Tuple,
            Is::Object,
            Is::ForTuple,
            Is::ForObject,
            Is::Conditional,
            Is::Binary,
            Is::Unary,
            Is::Parens,
            Is::Interpolation,
            Is::IfDirective,
            Is::ForDirective,
        ]
        .into_iter()
        .filter(|kind| met.get(kind).is_none_or(|count| count * 1_000 < LEAST * asked));
        assert_eq!(rare.collect::<Vec<_>>(), [], "are seldom made");
    }
}
