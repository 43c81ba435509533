//! Generates expressions with marked variables from bytes. Each decision uses one byte; without more bytes, everything open
//! is closed. The same bytes always give the same expression.

use std::fmt::Write as _;

use hclkit::model::Callable;
use hclkit::{Context, Type};

/// Decisions.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl Bytes<'_> {
    /// A number below `end`. Zero if no bytes are left.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        if end <= 256 {
            return first as usize % end.max(1);
        }
        let second = self.below(256);
        (first as usize * 256 + second) % end
    }

    fn one_of<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.below(choices.len())]
    }
}

/// The parts for expressions.
pub(crate) struct Generator<'g> {
    pub(crate) bytes: Bytes<'g>,
    pub(crate) context: &'g Context,
    /// The names of functions that may be called.
    pub(crate) functions: &'g [String],
    /// The variables of enclosing loops.
    locals: Vec<String>,
}

const STRINGS: &[&str] = &[
    "s",
    "s_json",
    "s_yaml",
    "s_csv",
    "s_time",
    "s_cidr",
    "s_regex",
    "s_template",
    "s_base64",
    "s_path",
    "s_upper",
    "s_format",
    "w.a",
    "w.b[0]",
    "u_s",
    "null_s",
    "l[0]",
    "o.x",
    "public",
];
const NUMBERS: &[&str] = &["n", "n_big", "n_half", "o.n", "t[1]", "1", "0", "-1", "u_n"];
const LISTS: &[&str] =
    &["l", "e", "t", "l_numbers", "l_objects", "l_lists", "[s, n]", "[s, s]", "e_numbers", "w.b"];
const MAPS: &[&str] = &["m", "o", "k", "w", "{ (s) = n }", "{ a = s }", "m_numbers", "o_open"];
const NAMES: &[&str] = &["x", "n", "a", "b", "zqx", "value", "zqxj"];
const PLAIN: &[&str] = &[
    "\"a\"",
    "\"%s\"",
    "\"%d\"",
    "\"zqxj\"",
    "\"10.0.0.0/8\"",
    "\"/a+/\"",
    "\"UTF-8\"",
    "\"YYYY-MM-DD\"",
    "\",\"",
    "\"2020-01-02T03:04:05Z\"",
    "1",
    "16",
    "true",
    "null",
    "[]",
    "{}",
    "[1, \"a\"]",
    "{ a = 1 }",
    "x",
    "\"${x}-a\"",
];

impl<'g> Generator<'g> {
    pub(crate) fn new(bytes: &'g [u8], context: &'g Context, functions: &'g [String]) -> Self {
        Self { bytes: Bytes(bytes), context, functions, locals: Vec::new() }
    }

    pub(crate) fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.bytes.0.is_empty() {
            return self.leaf();
        }
        let depth = depth - 1;
        match self.bytes.below(24) {
            0..=1 => self.leaf(),
            2..=8 => self.call(depth),
            9 => format!("{}[{}]", self.primary(depth), self.expression(depth)),
            10 => format!("{}.{}", self.primary(depth), self.bytes.one_of(NAMES)),
            11 => {
                let operator =
                    self.bytes.one_of(&["+", "-", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||"]);
                format!("({} {operator} {})", self.expression(depth), self.expression(depth))
            }
            12 => format!("({}{})", self.bytes.one_of(&["-", "!"]), self.primary(depth)),
            13 => {
                let (condition, first) = (self.expression(depth), self.expression(depth));
                format!("({condition} ? {first} : {})", self.expression(depth))
            }
            14..=16 => self.for_expression(depth),
            17 => {
                let (source, steps) = (self.primary(depth), self.bytes.one_of(NAMES));
                let index = self.expression(depth);
                match self.bytes.below(4) {
                    0 => format!("{source}.*.{steps}"),
                    1 => format!("{source}[*].{steps}"),
                    2 => format!("{source}[*][{index}]"),
                    _ => format!("{source}[*]"),
                }
            }
            18..=19 => self.template(depth),
            20 => format!("[{}, {}]", self.expression(depth), self.expression(depth)),
            21 => {
                let (key, value) = (self.expression(depth), self.expression(depth));
                format!("{{ ({key}) = {value}, a = {}, (s) = 1 }}", self.expression(depth))
            }
            22 => format!("{{ a = {}, b = {} }}", self.expression(depth), self.expression(depth)),
            _ => self.typed(&Type::Dynamic, depth),
        }
    }

    fn primary(&mut self, depth: usize) -> String {
        let inner = self.expression(depth);
        if inner.starts_with(|first: char| first.is_ascii_alphabetic()) && !inner.contains([' ', '*']) {
            inner
        } else {
            format!("({inner})")
        }
    }

    fn leaf(&mut self) -> String {
        let locals = self.locals.len();
        let pick = self.bytes.below(12);
        let list = match pick {
            0..=3 if locals > 0 => {
                let at = self.bytes.below(locals);
                return self.locals[locals - 1 - at].clone();
            }
            0..=4 => STRINGS,
            5 | 6 => NUMBERS,
            7 | 8 => LISTS,
            9 | 10 => MAPS,
            _ => PLAIN,
        };
        self.bytes.one_of(list).to_owned()
    }

    /// An expression that usually has a type.
    fn typed(&mut self, ty: &Type, depth: usize) -> String {
        if self.bytes.below(5) == 0 {
            return self.expression(depth);
        }
        if self.bytes.below(4) == 0 {
            return self.bytes.one_of(PLAIN).to_owned();
        }
        if !self.locals.is_empty() && self.bytes.below(2) == 0 {
            return self.leaf();
        }
        let list = match ty {
            Type::String => STRINGS,
            Type::Number => NUMBERS,
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => LISTS,
            Type::Map(_) | Type::Object(_) => MAPS,
            Type::Bool => &["true", "b", "s", "x"],
            _ => [STRINGS, LISTS, MAPS, NUMBERS][self.bytes.below(4)],
        };
        self.bytes.one_of(list).to_owned()
    }

    /// A call of any function, usually with the right number of arguments.
    pub(crate) fn call(&mut self, depth: usize) -> String {
        if self.functions.is_empty() {
            return self.leaf();
        }
        let name = &self.functions[self.bytes.below(self.functions.len())];
        let types: Vec<Type> = match self.context.function(name) {
            Some(Callable::Function(function)) => {
                let wanted = function.parameters().len();
                let further = if function.variadic_parameter().is_some() { self.bytes.below(4) } else { 0 };
                let parameters = (0..wanted + further).filter_map(|at| function.parameter_at(at));
                parameters.map(|parameter| parameter.ty().clone()).collect()
            }
            Some(Callable::Lazy(function)) => {
                let wanted = function.parameters().len().max(1);
                vec![Type::Dynamic; wanted + self.bytes.below(2)]
            }
            None => Vec::new(),
        };
        let mut arguments: Vec<String> = types.iter().map(|ty| self.typed(ty, depth)).collect();
        match self.bytes.below(24) {
            0 => drop(arguments.pop()),
            1 => arguments.push(self.leaf()),
            2 => arguments.push(format!("{}...", self.typed(&Type::list(Type::String), depth))),
            _ => {}
        }
        format!("{name}({})", arguments.join(", "))
    }

    fn for_expression(&mut self, depth: usize) -> String {
        let collection = self.typed(&Type::list(Type::String), depth);
        let (keyed, shape) = (self.bytes.below(2) == 0, self.bytes.below(4));
        let number = self.locals.len();
        let names =
            if keyed { vec![format!("k{number}"), format!("v{number}")] } else { vec![format!("v{number}")] };
        let intro = names.join(", ");
        let before = self.locals.len();
        self.locals.extend(names);
        let value = self.expression(depth);
        let condition = match self.bytes.below(4) {
            0 => format!(" if {}", self.expression(depth)),
            _ => String::new(),
        };
        let text = match shape {
            0 => format!(
                "{{ for {intro} in {collection} : {} => {value}{condition} }}",
                self.expression(depth)
            ),
            1 => format!(
                "{{ for {intro} in {collection} : {} => {value}...{condition} }}",
                self.expression(depth)
            ),
            _ => format!("[for {intro} in {collection} : {value}{condition}]"),
        };
        self.locals.truncate(before);
        text
    }

    /// A template in quotes.
    pub(crate) fn template(&mut self, depth: usize) -> String {
        let mut text = String::from("\"");
        for _ in 0..=self.bytes.below(3) {
            match self.bytes.below(4) {
                0 => text.push_str("a-"),
                1 => _ = write!(text, "${{{}}}", self.expression(depth)),
                2 => {
                    let (condition, first) = (self.expression(depth), self.expression(depth));
                    let _ = write!(text, "%{{ if {condition} }}${{{first}}}%{{ else }}-%{{ endif }}");
                }
                _ => {
                    let collection = self.typed(&Type::list(Type::String), depth);
                    let name = format!("v{}", self.locals.len());
                    self.locals.push(name.clone());
                    let body = self.expression(depth);
                    self.locals.pop();
                    let _ = write!(text, "%{{ for {name} in {collection} }}${{{body}}}%{{ endfor }}");
                }
            }
        }
        text.push('"');
        text
    }
}
