//! Random patterns select from random modules what a simple search through all values selects, and nothing sensitive.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hclkit_module::{Dialect, Evaluation, Memory, Module, ModuleLoader};
use hclkit_test_cases::seeds;
use hclkit_value::{Type, Value};

const CANARY: &str = "canary";

struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0.usize(..count)
    }

    fn one_of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    fn value(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 4 } else { 9 }) {
            0 | 1 => self.one_of(&["1", "2", "\"a\"", "\"b\"", "true", "null"]).to_owned(),
            2 => self.one_of(&["var.v0", "var.secret", "var.unset", "var.map", "var.set"]).to_owned(),
            3 => "[]".to_owned(),
            4 | 5 => {
                let items: Vec<String> = (0..=self.below(3)).map(|_| self.value(depth - 1)).collect();
                format!("[{}]", items.join(", "))
            }
            _ => {
                let keys = ["a", "b", "n", "name", "\"a.b\"", "\"x y\"", "\"1\"", "tags"];
                let mut items = Vec::new();
                for key in keys {
                    if self.below(3) == 0 {
                        items.push(format!("{key} = {}", self.value(depth - 1)));
                    }
                }
                format!("{{ {} }}", items.join(", "))
            }
        }
    }

    fn repeat(&mut self) -> &'static str {
        self.one_of(&[
            "",
            "count = 2",
            "count = 0",
            "count = 3",
            "for_each = { a = 1, \"x y\" = 2 }",
            "for_each = { \"a.b\" = 1 }",
            "count = var.unset",
        ])
    }

    fn module(&mut self) -> Module {
        let mut main = "variable \"v0\" {\n  default = { a = [1, { b = 2 }], name = \"a\" }\n}\n".to_owned();
        let _ = writeln!(
            main,
            "variable \"secret\" {{\n  sensitive = true\n  default = {{ {CANARY} = {{ a = \"{CANARY}\" }} }}\n}}"
        );
        main.push_str("variable \"unset\" {\n}\nvariable \"map\" {\n  type    = map(number)\n  default = { a = 1, b = 2 }\n}\n");
        main.push_str(
            "variable \"set\" {\n  type    = set(string)\n  default = [\"a\", \"b\"]\n}\nlocals {\n",
        );
        for at in 0..3 {
            let _ = writeln!(main, "  l{at} = {}", self.value(3));
        }
        main.push_str("  l3 = data.aws_d.d\n}\n");
        for (kind, labels) in [
            ("resource", "\"aws_x\" \"r0\""),
            ("resource", "\"aws_x\" \"a\""),
            ("resource", "\"gcp_x\" \"r0\""),
            ("data", "\"aws_d\" \"d\""),
        ] {
            let (repeat, a, name) = (self.repeat(), self.value(2), self.value(0));
            let _ = writeln!(
                main,
                "{kind} {labels} {{\n  {repeat}\n  a = {a}\n  name = {name}\n  tags {{\n    b = 1\n  }}\n}}"
            );
        }
        for at in 0..2 {
            let (repeat, p) = (self.repeat(), self.value(2));
            let _ = writeln!(main, "module \"m{at}\" {{\n  source = \"./m\"\n  {repeat}\n  p = {p}\n}}");
        }
        let _ = writeln!(
            main,
            "output \"o0\" {{\n  value = {}\n  sensitive = true\n}}\noutput \"o1\" {{\n  value = var.map\n}}",
            self.value(2)
        );
        let called = format!(
            "variable \"p\" {{\n}}\nlocals {{\n  l0 = var.p\n}}\nresource \"aws_x\" \"r0\" {{\n  {}\n  b = var.p\n}}\n\
             module \"in\" {{\n  source = \"./n\"\n  {}\n}}\noutput \"r0\" {{\n  value = var.p\n}}\noutput \"r1\" {{\n  value = {}\n}}\n\
             output \"r2\" {{\n  sensitive = true\n  value = {{ {CANARY} = \"{CANARY}\" }}\n}}\n",
            self.repeat().replace("var.unset", "var.p == 1 ? 1 : 2"),
            self.one_of(&["", "count = 2"]),
            self.one_of(&["1", "2", "\"a\"", "{ a = 1 }"]),
        );
        let inner = "output \"r0\" {\n  value = { a = 1, n = [1, 2] }\n}\n".to_owned();
        let files = Memory::from_iter([("main.tf", main), ("m/main.tf", called), ("m/n/main.tf", inner)]);
        ModuleLoader::new(Dialect::terraform()).with_files(files).with_unknown_variables(true).load()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Module(bool),
    Prefix,
    Repeated,
    Whole(bool),
    Part,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Number(i64),
}

/// An address or a part of a value, with everything below it.
#[derive(Debug)]
struct Node {
    kind: Kind,
    address: String,
    value: Option<Value>,
    is_resource: bool,
    sensitive: bool,
    below: Vec<(Token, Self)>,
}

impl Node {
    fn new(kind: Kind, address: String) -> Self {
        Self { kind, address, value: None, is_resource: false, sensitive: false, below: Vec::new() }
    }

    /// The value if it is known and not sensitive.
    fn shown(&self) -> Option<&Value> {
        self.value.as_ref().filter(|value| value.is_known() && !value.is_marked() && !self.sensitive)
    }

    fn add_parts(&mut self) {
        let Some(value) = self.shown().cloned() else { return };
        let is_object = value.as_object().is_some();
        let mut parts: Vec<(Token, String, Value)> = Vec::new();
        if let Some(entries) = value.entries() {
            for (name, part) in entries {
                let is_name = is_object && is_identifier(name.as_str());
                let step = if is_name { format!(".{name}") } else { format!("[\"{name}\"]") };
                parts.push((Token::Name(name.to_string()), step, part.clone()));
            }
        } else if !matches!(value.ty(), Type::Set(_)) {
            for (at, part) in (0..).zip(value.as_slice().unwrap_or_default()) {
                parts.push((Token::Number(at), format!("[{at}]"), part.clone()));
            }
        }
        for (token, step, part) in parts {
            let mut node = Self::new(Kind::Part, format!("{}{step}", self.address));
            node.value = Some(part);
            node.add_parts();
            self.below.push((token, node));
        }
    }

    /// All nodes, this one included.
    fn all(&self) -> Vec<&Self> {
        let below = self.below.iter().flat_map(|(_, node)| node.all());
        std::iter::once(self).chain(below).collect()
    }
}

fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

fn tokens(address: &str) -> Vec<Token> {
    let (mut tokens, mut rest) = (Vec::new(), address);
    while !rest.is_empty() {
        if let Some(text) = rest.strip_prefix("[\"") {
            let (key, after) = text.split_once("\"]").unwrap();
            tokens.push(Token::Name(key.to_owned()));
            rest = after;
        } else if let Some(text) = rest.strip_prefix('[') {
            let (key, after) = text.split_once(']').unwrap();
            tokens.push(Token::Number(key.parse().unwrap()));
            rest = after;
        } else {
            let text = rest.strip_prefix('.').unwrap_or(rest);
            let end = text.find(['.', '[']).unwrap_or(text.len());
            tokens.push(Token::Name(text[..end].to_owned()));
            rest = &text[end..];
        }
    }
    tokens
}

/// The kinds of the nodes at each step of the address of a whole value, and whether it is that of an object.
fn kinds(tokens: &[Token]) -> (Vec<Kind>, bool) {
    let (mut kinds, mut left) = (Vec::new(), tokens);
    loop {
        let Token::Name(first) = &left[0] else { panic!("{tokens:?}") };
        let names = match first.as_str() {
            "data" => 3,
            name if name.len() == 2 && name.starts_with('r') => 1,
            _ => 2,
        };
        kinds.extend(std::iter::repeat_n(Kind::Prefix, names - 1));
        let is_repeated = left.len() > names && (first != "module" || is_key(&left[names]));
        if first == "module" && left.len() > names + usize::from(is_repeated) {
            kinds.extend(is_repeated.then_some(Kind::Repeated));
            kinds.push(Kind::Module(!is_repeated));
            left = &left[names + usize::from(is_repeated)..];
            continue;
        }
        let is_object = first.ends_with("_x") || first == "data";
        kinds.extend(is_repeated.then_some(Kind::Repeated));
        kinds.push(Kind::Whole(is_object && !is_repeated));
        return (kinds, is_object);
    }
}

/// Keys of instances are chosen so that no name of a module is one.
fn is_key(token: &Token) -> bool {
    match token {
        Token::Number(_) => true,
        Token::Name(name) => matches!(name.as_str(), "a" | "a.b" | "x y"),
    }
}

fn tree(all: &Evaluation) -> Node {
    let mut root = Node::new(Kind::Module(false), String::new());
    for found in &all.values {
        let tokens = tokens(&found.address);
        let (kinds, is_resource) = kinds(&tokens);
        let mut node = &mut root;
        for (token, kind) in tokens.iter().zip(kinds) {
            let at = node.below.iter().position(|(own, _)| own == token);
            let at = at.unwrap_or_else(|| {
                node.below.push((token.clone(), Node::new(kind, found.address.to_string())));
                node.below.len() - 1
            });
            node = &mut node.below[at].1;
        }
        node.value = Some(found.value.clone());
        // An object with an unknown number of instances is unknown as a whole.
        node.is_resource = is_resource;
        if is_resource && !found.value.is_known() {
            node.kind = Kind::Whole(false);
        }
        node.sensitive = found.sensitive;
        node.add_parts();
    }
    root
}

#[derive(Clone, Debug)]
enum Step {
    Name(String),
    /// The parts before and after the star.
    Like(&'static str, &'static str),
    Every,
    At(i64),
    Deep,
    Labels,
    /// An attribute and the number that it must have; none is `self`.
    Is(Option<&'static str>, i64),
    True,
}

fn text(steps: &[Step]) -> String {
    let mut text = String::new();
    for (at, step) in steps.iter().enumerate() {
        let after_dots = at > 0 && matches!(steps[at - 1], Step::Deep);
        let dot = if at == 0 || after_dots { "" } else { "." };
        let _ = match step {
            Step::Name(name) if is_identifier(name) => write!(text, "{dot}{name}"),
            Step::Name(name) => write!(text, "[\"{name}\"]"),
            Step::Like(before, after) => write!(text, "{dot}{before}*{after}"),
            Step::Every => write!(text, "[*]"),
            Step::At(at) => write!(text, "[{at}]"),
            Step::Deep => write!(text, ".."),
            Step::Labels => write!(text, "~"),
            Step::Is(Some(name), number) => write!(text, "[{name} == {number}]"),
            Step::Is(None, number) => write!(text, "[self == {number}]"),
            Step::True => write!(text, "[true]"),
        };
    }
    text
}

impl Random {
    /// A pattern made of the address of a node.
    fn pattern(&mut self, tokens: &[Token]) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let deep = matches!(steps.last(), Some(Step::Deep));
            match self.below(14) {
                0 if !deep => {
                    steps.push(Step::Deep);
                    at += self.below(3);
                    continue;
                }
                1 if !deep && at > 0 => {
                    steps.push(Step::Labels);
                    at += self.below(3);
                    continue;
                }
                2 if !deep => {
                    let name = [None, Some("a"), Some("r1"), Some("n")][self.below(4)];
                    steps.push(if self.below(4) == 0 { Step::True } else { Step::Is(name, 1) });
                    continue;
                }
                3..=5 => steps.push(match &tokens[at] {
                    Token::Number(_) => {
                        [Step::Every, Step::At(-1), Step::At(-2), Step::Every][self.below(4)].clone()
                    }
                    Token::Name(_) => {
                        [Step::Like("", ""), Step::Like("a", ""), Step::Like("", "x"), Step::Every]
                            [self.below(4)]
                        .clone()
                    }
                }),
                _ => steps.push(match &tokens[at] {
                    Token::Name(name) => Step::Name(name.clone()),
                    Token::Number(number) => Step::At(*number),
                }),
            }
            at += 1;
        }
        if matches!(steps.last(), Some(Step::Deep)) || steps.is_empty() {
            steps.push(Step::Like("", ""));
        }
        steps
    }
}

/// The simple search. What is found is an address with its value.
struct Search(BTreeMap<String, String>);

impl Search {
    fn found(&mut self, address: &str, value: &Value) {
        self.0.insert(address.to_owned(), value.to_string());
    }

    /// Adds a selected node: a value, or all values below it.
    fn take(&mut self, node: &Node) {
        match &node.value {
            Some(value) => self.found(&node.address, value),
            None => node.below.iter().for_each(|(_, node)| self.take(node)),
        }
    }

    fn select(&mut self, node: &Node, steps: &[Step], after_dots: bool) {
        let Some((first, rest)) = steps.split_first() else { return self.take(node) };
        let is_value = matches!(node.kind, Kind::Whole(_) | Kind::Part);
        if let Step::Deep = first {
            for inner in node.all() {
                self.select(inner, rest, true);
            }
            return;
        }
        match first {
            Step::Labels => {
                return match node.kind {
                    Kind::Module(_) | Kind::Whole(_) => self.select(node, rest, false),
                    Kind::Prefix | Kind::Repeated => {
                        node.below.iter().for_each(|(_, node)| self.select(node, steps, false));
                    }
                    Kind::Part => {}
                };
            }
            Step::Is(..) | Step::True => {
                if node.kind == Kind::Repeated {
                    node.below.iter().for_each(|(_, node)| self.select(node, steps, false));
                } else if is_true(node, first) {
                    self.select(node, rest, false);
                }
                return;
            }
            Step::Every if matches!(node.kind, Kind::Module(true) | Kind::Whole(true)) => {
                return self.select(node, rest, false);
            }
            _ => {}
        }
        if is_value && node.shown().is_none() {
            if after_dots {
                return;
            }
            let value = node.value.as_ref().unwrap();
            let inner = match first {
                Step::Name(name) => part(value, name),
                Step::At(at @ 0..) => element(value, *at),
                _ => return self.take(node),
            };
            let Some(inner) = inner else { return };
            let mut part = Node::new(
                Kind::Part,
                format!("{}{}", node.address, text(&[Step::True, first.clone()]).replacen("[true]", "", 1)),
            );
            part.value = Some(inner);
            part.sensitive = node.sensitive;
            part.add_parts();
            return self.select(&part, rest, false);
        }
        if !after_dots && set_by_provider(node, steps) {
            let rest = text(&[&[Step::True], steps].concat()).replacen("[true]", "", 1);
            self.0.insert(format!("{}{rest}", node.address), "(unknown)".to_owned());
        }
        let numbers = node.below.iter().filter(|(token, _)| matches!(token, Token::Number(_))).count();
        for (token, inner) in &node.below {
            let matches = match (first, token) {
                (Step::Name(name), Token::Name(own)) => name == own,
                (Step::Like(before, after), Token::Name(own)) => {
                    own.len() >= before.len() + after.len() && own.starts_with(before) && own.ends_with(after)
                }
                (Step::Every, token) => is_value || node.kind == Kind::Repeated && is_key(token),
                (Step::At(at), Token::Number(own)) => {
                    let count = i64::try_from(numbers).unwrap();
                    *own == if *at < 0 { at + count } else { *at }
                }
                _ => false,
            };
            if matches {
                self.select(inner, rest, false);
            }
        }
    }
}

/// Returns true if a provider may set something at an address: an attribute that is not configured, or a part of a
/// block.
fn set_by_provider(node: &Node, steps: &[Step]) -> bool {
    let is_fixed = |step: &Step| matches!(step, Step::Name(_) | Step::At(0..));
    let (Some(Step::Name(first)), Some(_), true) = (steps.first(), node.shown(), node.is_resource) else {
        return false;
    };
    let own = node.below.iter().find(|(token, _)| *token == Token::Name(first.clone()));
    let is_free = match own.and_then(|(_, node)| node.value.as_ref()) {
        None => true,
        // The only block.
        Some(_) if first == "tags" => match &steps[1..] {
            [] | [Step::At(0)] => false,
            [Step::At(0), Step::Name(name), ..] => name != "b",
            _ => true,
        },
        Some(value) => value.is_null(),
    };
    is_free && steps.iter().all(is_fixed)
}

fn part(value: &Value, name: &str) -> Option<Value> {
    let (bare, marks) = value.unmark();
    if !bare.is_known() {
        return Some(bare.attribute(name).unwrap_or(Value::DYNAMIC).with_marks(&marks));
    }
    let part = bare.entries()?.find(|(key, _)| key.as_str() == name).map(|(_, value)| value.clone());
    part.map(|part| part.with_marks(&marks))
}

fn element(value: &Value, at: i64) -> Option<Value> {
    let (bare, marks) = value.unmark();
    if !bare.is_known() {
        return Some(bare.index(&Value::from(at)).unwrap_or(Value::DYNAMIC).with_marks(&marks));
    }
    let elements = bare.as_slice().filter(|_| !matches!(bare.ty(), Type::Set(_)))?;
    let part = elements.get(usize::try_from(at).unwrap()).cloned();
    part.map(|part| part.with_marks(&marks))
}

fn is_true(node: &Node, predicate: &Step) -> bool {
    let is_module = matches!(node.kind, Kind::Module(_)) && !node.address.is_empty();
    // Some parts of an unknown value are known.
    let open = node.value.as_ref().filter(|value| value.known_parts().is_some() && !node.sensitive);
    if !is_module && node.shown().is_none() && open.is_none() {
        return false;
    }
    let Step::Is(name, number) = predicate else { return true };
    if let Some(open) = open {
        let part = name.and_then(|name| open.attribute(name).ok());
        return part.is_some_and(|part| part.to_string() == number.to_string());
    }
    let value = match name {
        None => node.shown(),
        Some(name) => {
            let own = node.below.iter().find(|(token, _)| *token == Token::Name((*name).to_owned()));
            own.and_then(|(_, node)| node.shown())
        }
    };
    value.and_then(Value::as_number).is_some_and(|own| own.to_string() == number.to_string())
}

#[test]
fn patterns_select_what_a_simple_search_selects() {
    let seeds = seeds(80);
    let cases = (seeds.end - seeds.start) as usize;
    let (mut selecting, mut with_parts) = (0, 0);
    for seed in seeds {
        let mut random = Random(fastrand::Rng::with_seed(seed));
        let module = random.module();
        let all = module.evaluate(&[]);
        let root = tree(&all);
        let nodes = root.all();
        for _ in 0..60 {
            let node = nodes[random.below(nodes.len())];
            let steps = random.pattern(&tokens(&node.address));
            if steps.iter().all(|step| matches!(step, Step::Name(_) | Step::At(_))) {
                continue;
            }
            let pattern = text(&steps);
            let mut expected = Search(BTreeMap::new());
            expected.select(&root, &steps, false);
            let found =
                module.evaluate(&[pattern.parse().unwrap_or_else(|error| panic!("{pattern}: {error}"))]);
            let values = found.values.iter().map(|own| (own.address.to_string(), own.value.to_string()));
            let values: BTreeMap<String, String> = values.collect();
            assert_eq!(values, expected.0, "seed {seed}: {pattern}");
            assert_eq!(values.len(), found.values.len(), "seed {seed}: {pattern} selects a value twice");
            selecting += usize::from(!values.is_empty());
            for own in found.values {
                let text = if own.sensitive { String::new() } else { own.value.to_string() };
                // A name in the pattern may be part of the address.
                let asked = pattern.contains(CANARY);
                let address = if asked { String::new() } else { own.address.to_string() };
                assert!(!format!("{address} {text}").contains(CANARY), "seed {seed}: {pattern}: {address}");
                with_parts += usize::from(!all.values.iter().any(|whole| whole.address == own.address));
            }
        }
    }
    assert!(
        selecting * 3 > cases * 40 && with_parts * 3 > cases * 40,
        "{selecting} select something, {with_parts} parts"
    );
}

/// Every address and every part of a value can be selected on its own, and so can all of them.
#[test]
fn every_address_selects_itself() {
    for seed in 1..=30_u64 {
        let module = Random(fastrand::Rng::with_seed(seed)).module();
        let all = module.evaluate(&[]);
        let root = tree(&all);
        let nodes = root.all();
        for node in nodes.iter().filter(|node| node.value.is_some()) {
            let found = module.evaluate(&[node.address.parse().unwrap()]);
            let own =
                |found: &hclkit_module::AddressedValue| (found.address.to_string(), found.value.to_string());
            let expected = (node.address.clone(), node.value.as_ref().unwrap().to_string());
            assert_eq!(found.values.iter().map(own).collect::<Vec<_>>(), [expected]);
        }
        let patterns: Vec<_> = nodes
            .iter()
            .filter(|node| node.value.is_some())
            .map(|node| node.address.parse().unwrap())
            .collect();
        let found = module.evaluate(&patterns);
        assert_eq!(found.values.len(), patterns.len());
    }
}
