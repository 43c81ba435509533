//! Modules whose names refer to each other in cycles, or to parts of themselves, of any size and in both syntaxes. No
//! command and no request of an editor takes long for them.

use std::fmt::Write as _;

/// A kind of module.
#[derive(Clone, Copy)]
pub struct Shape {
    /// What it is.
    pub name: &'static str,
    files: fn(usize) -> Files,
}

/// Files with their blocks.
type Files = Vec<(&'static str, Vec<Block>)>;

/// A block with its attributes, whose values are expressions, and its blocks.
struct Block {
    kind: &'static str,
    labels: Vec<String>,
    attributes: Vec<(String, String)>,
    blocks: Vec<Self>,
}

impl Shape {
    /// The files of a module of a size, whose length is proportional to the size.
    pub fn files(&self, size: usize, json: bool) -> Vec<(String, String)> {
        let one = |(name, blocks): (&str, Vec<Block>)| {
            if json {
                (format!("{name}.json"), in_json(&[], &blocks))
            } else {
                (name.to_owned(), in_native(&blocks, 0))
            }
        };
        (self.files)(size).into_iter().map(one).collect()
    }
}

fn in_native(blocks: &[Block], level: usize) -> String {
    let (mut text, indent) = (String::new(), "  ".repeat(level));
    for block in blocks {
        let labels = many(block.labels.len(), "", |at| format!(" \"{}\"", block.labels[at]));
        let _ = writeln!(text, "{indent}{}{labels} {{", block.kind);
        for (name, value) in &block.attributes {
            let _ = writeln!(text, "{indent}  {name} = {value}");
        }
        text += &in_native(&block.blocks, level + 1);
        let _ = writeln!(text, "{indent}}}");
    }
    text
}

/// A body is an array of properties, because names can occur several times in it.
fn in_json(attributes: &[(String, String)], blocks: &[Block]) -> String {
    let attributes = attributes.iter().map(|(name, value)| format!("{{\"{name}\":{}}}", in_string(value)));
    let blocks = blocks.iter().map(|block| {
        let inner = in_json(&block.attributes, &block.blocks);
        let labels = block.labels.iter().rev();
        let labeled = labels.fold(inner, |inner, label| format!("{{\"{label}\":{inner}}}"));
        format!("{{\"{}\":{labeled}}}", block.kind)
    });
    if attributes.len() + blocks.len() == 0 {
        // An empty array has no body.
        return "{}".to_owned();
    }
    format!("[{}]", attributes.chain(blocks).collect::<Vec<_>>().join(",\n"))
}

/// A string of the JSON syntax with an expression. Addresses and sources are literal.
fn in_string(value: &str) -> String {
    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
    match value.strip_prefix('"').and_then(|value| value.strip_suffix('"')) {
        Some(inner) if !inner.contains('"') => format!("\"{inner}\""),
        _ => format!("\"${{{escaped}}}\""),
    }
}

fn block(kind: &'static str, labels: &[&str], attributes: Vec<(String, String)>) -> Block {
    let labels = labels.iter().map(|label| (*label).to_owned()).collect();
    Block { kind, labels, attributes, blocks: Vec::new() }
}

fn set(name: impl Into<String>, value: impl Into<String>) -> (String, String) {
    (name.into(), value.into())
}

fn locals(attributes: Vec<(String, String)>) -> Block {
    block("locals", &[], attributes)
}

fn output(name: &str, value: &str) -> Block {
    block("output", &[name], vec![set("value", value)])
}

/// `count` expressions between separators.
fn many(count: usize, separator: &str, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(separator)
}

/// The shapes.
pub const SHAPES: [Shape; 18] = [
    Shape {
        name: "a local value of its own attributes",
        files: |size| {
            let value = format!("local.a{}", ".b".repeat(size));
            vec![("main.tf", vec![locals(vec![set("a", value)]), output("o", "local.a")])]
        },
    },
    Shape {
        name: "local values in a circle",
        files: |size| {
            let one = |at: usize| set(format!("a{at}"), format!("local.a{}.b", (at + 1) % size));
            vec![("main.tf", vec![locals((0..size).map(one).collect()), output("o", "local.a0")])]
        },
    },
    Shape {
        name: "local values of attributes of each other, to an unknown value",
        files: |size| {
            let one = |at: usize| set(format!("a{at}"), format!("local.a{}.b.c.d", at + 1));
            let last = set(format!("a{size}"), "aws_x.r.y");
            let all = (0..size).map(one).chain([last]).collect();
            let resource = block("resource", &["aws_x", "r"], vec![]);
            vec![("main.tf", vec![locals(all), output("o", "local.a0"), resource])]
        },
    },
    Shape {
        name: "a chain of attributes of an unknown value",
        files: |size| {
            let value = format!("aws_x.r{}", ".b".repeat(size));
            let resource = block("resource", &["aws_x", "r"], vec![]);
            vec![("main.tf", vec![locals(vec![set("a", value)]), output("o", "local.a.b.c"), resource])]
        },
    },
    Shape {
        name: "a result of a call as its argument",
        files: |size| {
            let value = format!("var.x{}", ".b".repeat(size));
            let call = block("module", &["m"], vec![set("source", "\"./m\""), set("x", "module.m.o.b")]);
            vec![
                ("main.tf", vec![call, output("o", "module.m.o")]),
                ("m/main.tf", vec![block("variable", &["x"], vec![]), output("o", &value)]),
            ]
        },
    },
    Shape {
        name: "calls with results of each other",
        files: |size| {
            let one = |at: usize| {
                let x = format!("module.m{}.o.b", (at + 1) % size);
                block("module", &[&format!("m{at}")], vec![set("source", "\"./m\""), set("x", x)])
            };
            let all = (0..size).map(one).chain([output("o", "module.m0.o")]).collect();
            vec![
                ("main.tf", all),
                ("m/main.tf", vec![block("variable", &["x"], vec![]), output("o", "var.x.c")]),
            ]
        },
    },
    Shape {
        name: "calls of the calling module",
        files: |size| {
            let one = |at: usize| {
                let x = format!("module.m{at}.o");
                block("module", &[&format!("m{at}")], vec![set("source", "\"./\""), set("x", x)])
            };
            let own = [block("variable", &["x"], vec![]), output("o", "var.x.b")];
            vec![("main.tf", (0..size).map(one).chain(own).collect())]
        },
    },
    Shape {
        name: "resources of their own attributes",
        files: |size| {
            let one = |at: usize| {
                let value = format!("aws_x.r{at}.a.b.c[0].d");
                block(
                    "resource",
                    &["aws_x", &format!("r{at}")],
                    vec![set("a", value), set("count", "length(local.n)")],
                )
            };
            let own = [locals(vec![set("n", "aws_x.r0[*].a")]), output("o", "aws_x.r0")];
            vec![("main.tf", (0..size).map(one).chain(own).collect())]
        },
    },
    Shape {
        name: "keys of instances from the instances",
        files: |size| {
            let keys = format!("{{ for k, v in aws_x.r : k => v{} }}", ".b".repeat(size));
            let attributes =
                vec![set("for_each", keys), set("a", "each.value.b.c"), set("b", "aws_x.r[each.key].a")];
            vec![("main.tf", vec![block("resource", &["aws_x", "r"], attributes), output("o", "aws_x.r")])]
        },
    },
    Shape {
        name: "instances with keys from a local value of their own attributes",
        files: |size| {
            let keys = format!("toset([{}])", many(size, ", ", |at| format!("\"k{at}\"")));
            let attributes = vec![set("for_each", "local.keys"), set("a", "local.a[each.key].b")];
            let own =
                locals(vec![set("keys", keys), set("a", "{ for k in local.keys : k => aws_x.r[k].a }")]);
            vec![(
                "main.tf",
                vec![own, block("resource", &["aws_x", "r"], attributes), output("o", "local.a")],
            )]
        },
    },
    Shape {
        name: "variables with conditions about each other",
        files: |size| {
            let one = |at: usize| {
                let own = format!("v{at}");
                let next = format!("var.v{}", (at + 1) % size);
                let mut variable =
                    block("variable", &[&own], vec![set("default", format!("{{ b = {next} }}"))]);
                let condition = format!("var.{own}.b.c == {next}.b.c.d");
                let inner =
                    vec![set("condition", condition), set("error_message", format!("\"${{{next}.b}}\""))];
                variable.blocks.push(block("validation", &[], inner));
                variable
            };
            vec![("main.tf", (0..size).map(one).chain([output("o", "var.v0.b")]).collect())]
        },
    },
    Shape {
        name: "splats and indexes of themselves",
        files: |size| {
            let deep = size.min(300);
            let all = vec![
                set("a", format!("local.a{}", "[*].b".repeat(size))),
                set("b", format!("{}0{}", "local.b[".repeat(deep), "]".repeat(deep))),
                set("c", format!("local.c{}", "[0]".repeat(size))),
                set("d", format!("local.d{}", "[local.d.e]".repeat(size))),
            ];
            vec![("main.tf", vec![locals(all), output("o", "[local.a, local.b, local.c, local.d]")])]
        },
    },
    Shape {
        name: "dynamic blocks of their own blocks",
        files: |size| {
            let mut resource = block("resource", &["aws_x", "r"], vec![]);
            for at in 0..size {
                let each = set("for_each", format!("aws_x.r.x{}", (at + 1) % size));
                let mut dynamic = block("dynamic", &[&format!("x{at}")], vec![each]);
                let value = format!("x{at}.value.y.z");
                dynamic.blocks.push(block(
                    "content",
                    &[],
                    vec![set("y", value), set("z", "aws_x.r.x0[0].y")],
                ));
                resource.blocks.push(dynamic);
            }
            vec![("main.tf", vec![resource, output("o", "aws_x.r.x0[*].y")])]
        },
    },
    Shape {
        name: "templates of themselves",
        files: |size| {
            let text = format!("\"{}\"", many(size, "-", |at| format!("${{local.b.c{at}}}")));
            let other = "\"%{ for x in local.a }${local.b[x]}%{ endfor }\"";
            vec![("main.tf", vec![locals(vec![set("a", text), set("b", other)]), output("o", "local.a")])]
        },
    },
    Shape {
        name: "objects that contain themselves",
        files: |size| {
            let value = format!(
                "{{ {} }}",
                many(size, ", ", |at| format!("k{at} = local.a.k{}.k0", (at + 1) % size))
            );
            vec![("main.tf", vec![locals(vec![set("a", value)]), output("o", "local.a.k0.k1.k2")])]
        },
    },
    Shape {
        name: "functions of themselves",
        files: |size| {
            let value =
                format!("try({})", many(size, ", ", |at| format!("local.a{}", ".b".repeat(at % 7 + 1))));
            let other = format!("merge({})", many(size, ", ", |_| "local.b".to_owned()));
            vec![(
                "main.tf",
                vec![locals(vec![set("a", value), set("b", other)]), output("o", "local.a.b.b")],
            )]
        },
    },
    Shape {
        name: "conditions on themselves",
        files: |size| {
            let one = |at: usize| {
                let next = (at + 1) % size;
                set(format!("a{at}"), format!("local.a{next}.b ? local.a{next}.c : local.a{at}.d.e"))
            };
            vec![("main.tf", vec![locals((0..size).map(one).collect()), output("o", "local.a0.b.c")])]
        },
    },
    Shape {
        name: "loops in each other",
        files: |size| {
            let numbers = "[1, 2, 3, 4]";
            let names = ["a", "b", "c", "d", "e"];
            let loops = many(names.len(), "", |at| format!("[for {} in {numbers} : ", names[at]));
            let one = |at: usize| {
                let value = format!("{loops}a + b * local.l{}{}", at + 1, "]".repeat(names.len()));
                set(format!("l{at}"), format!("sum(flatten({value}))"))
            };
            let all = (0..size).map(one).chain([set(format!("l{size}"), "1")]).collect();
            vec![("main.tf", vec![locals(all), output("o", "local.l0")])]
        },
    },
];
