//! Random expressions, templates and JSON values, most of which are valid.

/// How to parse a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Expression,
    Template,
    Json,
}

/// Generates random numbers and sources.
pub(crate) struct Random {
    state: u64,
    /// Numbers to use before the random ones.
    given: std::vec::IntoIter<u8>,
    /// The remaining nesting depth.
    depth: u32,
    /// The variables of enclosing loops.
    locals: Vec<String>,
}

/// The kind of text in a template.
#[derive(Clone, Copy, PartialEq)]
enum Text {
    Quoted,
    Lines,
}

const NUMBERS: &[&str] =
    &["a", "b", "c", "third", "digits", "pn", "thing.y", "pair[0]", "things[1].y", "huge", "inf"];
const TEXTS: &[&str] = &[
    "t",
    "s",
    "w",
    "e",
    "d",
    "q",
    "r",
    "n",
    "o",
    "marker",
    "control",
    "digits",
    "p",
    "thing.x",
    "list[1]",
    "map.k",
    "map[t]",
    "po.x",
    "set",
    "null_text",
];
const BOOLS: &[&str] = &["f", "g", "f", "g", "pf", "null_any"];
const ANY: &[&str] =
    &["null_any", "null_text", "mixed", "rows", "po", "pl", "set", "none", "things", "thing.z", "missing.x"];
const SEQUENCES: &[&str] =
    &["list", "none", "set", "pair", "things", "rows", "pl", "mixed", "map", "thing", "list"];

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self::of_bytes(Vec::new(), seed)
    }

    /// Uses these bytes as numbers, and then random numbers.
    pub(crate) fn of_bytes(bytes: Vec<u8>, seed: u64) -> Self {
        let given = bytes.into_iter();
        let mut random = Self { state: seed, given, depth: 4, locals: Vec::new() };
        for _ in 0..3 {
            random.next();
        }
        random.depth = 2 + random.below(3) as u32;
        random
    }

    fn next(&mut self) -> u64 {
        if let Some(byte) = self.given.next() {
            return u64::from(byte);
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// True in one of `times` cases on average.
    pub(crate) fn chance(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick(&mut self, from: &[&str]) -> String {
        let at = self.below(from.len());
        from[at].to_owned()
    }

    pub(crate) fn source(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Expression => match self.below(4) {
                0 => self.heredoc(),
                1 => self.quoted(),
                _ => self.any(),
            },
            Kind::Template => self.parts(Text::Lines),
            Kind::Json => format!("[{}]", self.json()),
        }
    }

    fn json(&mut self) -> String {
        if self.depth == 0 || self.chance(3) {
            return match self.below(5) {
                0 => self.pick(&["null", "true", "-1.5e3", "0"]),
                _ => self.json_text(""),
            };
        }
        self.depth -= 1;
        let count = self.below(4);
        let made = if self.chance(2) {
            let items: Vec<String> = (0..count).map(|_| self.json()).collect();
            format!("[{}]", items.join(", "))
        } else {
            let items: Vec<String> = (0..count)
                .map(|at| {
                    let end = at.to_string();
                    let name = if self.chance(3) { self.json_text(&end) } else { format!("\"{end}\"") };
                    format!("{name}: {}", self.json())
                })
                .collect();
            format!("{{{}}}", items.join(",\n "))
        };
        self.depth += 1;
        made
    }

    /// A template in a string of the JSON syntax.
    fn json_text(&mut self, end: &str) -> String {
        let text = format!("{}{end}", self.parts(Text::Lines));
        let text = text.replace('\\', "\\\\").replace('"', "\\\"");
        format!("\"{}\"", text.replace('\n', "\\n").replace('\t', "\\t"))
    }

    /// Generates a nested part, or a leaf at the maximum depth.
    fn nested(&mut self, leaf: fn(&mut Self) -> String, make: fn(&mut Self) -> String) -> String {
        if self.depth == 0 {
            return leaf(self);
        }
        self.depth -= 1;
        let made = make(self);
        self.depth += 1;
        made
    }

    fn leaf(&mut self) -> String {
        match self.below(8) {
            0 => self.pick(&["1", "0", "2.5", "1e3", "true", "false", "null", "\"k\"", "\"\"", "[]", "{}"]),
            1 => self.pick(NUMBERS),
            2 | 3 => self.pick(TEXTS),
            4 => self.pick(BOOLS),
            5 => self.pick(SEQUENCES),
            6 if !self.locals.is_empty() => {
                let at = self.below(self.locals.len());
                let name = self.locals[at].clone();
                match self.below(5) {
                    0 => format!("{name}.x"),
                    1 => format!("{name}[0]"),
                    _ => name,
                }
            }
            _ => self.pick(ANY),
        }
    }

    fn any(&mut self) -> String {
        match self.below(12) {
            0 | 1 => self.leaf(),
            2 | 3 => self.number(),
            4 | 5 => self.text(),
            6 => self.bool(),
            7 | 8 => self.sequence(),
            9 => self.conditional(),
            10 => self.call(),
            _ => self.access(),
        }
    }

    fn conditional(&mut self) -> String {
        self.nested(Self::leaf, |this| {
            let condition = if this.chance(2) { this.pick(&["f", "g", "true", "!f"]) } else { this.bool() };
            let (one, other) = match this.below(4) {
                0 => (this.text(), this.text()),
                1 => (this.number(), this.number()),
                2 => (this.any(), "null".to_owned()),
                _ => (this.any(), this.any()),
            };
            format!("({condition} ? {one} : {other})")
        })
    }

    fn number(&mut self) -> String {
        self.nested(
            |this| if this.chance(3) { this.pick(&["1", "2", "0.5", "10"]) } else { this.pick(NUMBERS) },
            |this| match this.below(8) {
                0 => format!("-{}", this.number()),
                1 => format!("({})", this.number()),
                2 => format!("length({})", this.sequence()),
                3 => format!("max({}, {})", this.number(), this.number()),
                4 => this.pick(NUMBERS),
                _ => {
                    let mut chain = this.number();
                    for _ in 0..=this.below(3) {
                        let operator = this.pick(&["+", "-", "*", "/", "%"]);
                        chain = format!("{chain} {operator} {}", this.number());
                    }
                    chain
                }
            },
        )
    }

    fn bool(&mut self) -> String {
        self.nested(
            |this| if this.chance(4) { this.pick(&["true", "false"]) } else { this.pick(BOOLS) },
            |this| match this.below(8) {
                0 => format!("!{}", this.pick(BOOLS)),
                1 => format!("{} {} {}", this.number(), this.pick(&["<", "<=", ">", ">="]), this.number()),
                2 => format!("({} {} {})", this.any(), this.pick(&["==", "!="]), this.any()),
                3 => format!("can({})", this.any()),
                4 => format!("({})", this.bool()),
                5 => this.pick(BOOLS),
                _ => format!("{} {} {}", this.bool(), this.pick(&["&&", "||"]), this.bool()),
            },
        )
    }

    fn text(&mut self) -> String {
        self.nested(
            |this| if this.chance(4) { this.pick(&["\"k\"", "\"a b\"", "\"\""]) } else { this.pick(TEXTS) },
            |this| match this.below(8) {
                0 | 1 => this.quoted(),
                2 => format!("upper({})", this.text()),
                3 => format!("file({})", this.text()),
                4 => this.pick(&[
                    "timestamp()",
                    "now()",
                    "read(\"x\")",
                    "twice(t)",
                    "stamped(s)",
                    "render(\"$${timestamp()}\")",
                    "render(\"$${file(1)}\")",
                    "render(\"a$${upper(\\\"b\\\")}\")",
                    "templatestring(clock, {})",
                    "sensitive(t)",
                    "sensitive(\"${s}${p}\")",
                    "nonsensitive(s)",
                    "unknown(t)",
                ]),
                5 => format!("({}\n)", this.heredoc()),
                6 => format!("join(\",\", {})", this.sequence()),
                _ => this.pick(TEXTS),
            },
        )
    }

    fn sequence(&mut self) -> String {
        self.nested(
            |this| this.pick(SEQUENCES),
            |this| match this.below(10) {
                0 | 1 => {
                    let items: Vec<String> = (0..this.below(4)).map(|_| this.any()).collect();
                    format!("[{}]", items.join(", "))
                }
                2 | 3 => this.object(),
                4 | 5 => this.for_tuple(),
                6 => this.for_object(),
                7 => this.splat(),
                8 => this.call(),
                _ => this.pick(SEQUENCES),
            },
        )
    }

    fn object(&mut self) -> String {
        let items: Vec<String> = (0..self.below(4))
            .map(|at| {
                let key = match self.below(8) {
                    0 => format!("({})", self.text()),
                    1 => format!("\"{}\"", self.parts(Text::Quoted)),
                    2 => self.pick(&["t", "x", "null", "5", "\"for\""]),
                    3 if self.chance(3) => "thing.x".to_owned(),
                    4 => self.pick(&["(null_any)", "(t)", "(a)", "(digits)", "(p)", "upper(t)"]),
                    _ => format!("n{at}"),
                };
                let value = self.any();
                format!("{key} = {value}")
            })
            .collect();
        format!("{{ {} }}", items.join(", "))
    }

    /// The variables of a loop, and a part that may use them.
    fn in_loop(&mut self, make: fn(&mut Self) -> String) -> (String, String) {
        let keyed = self.chance(2);
        let names = if self.chance(4) { ("t", "s") } else { ("i", "v") };
        let before = self.locals.len();
        self.locals.push(names.1.to_owned());
        if keyed {
            self.locals.push(names.0.to_owned());
        }
        let made = make(self);
        self.locals.truncate(before);
        let names = if keyed { format!("{}, {}", names.0, names.1) } else { names.1.to_owned() };
        (names, made)
    }

    fn for_tuple(&mut self) -> String {
        let sequence = self.sequence();
        let (names, body) = self.in_loop(|this| {
            let value = this.any();
            let condition = if this.chance(3) { format!(" if {}", this.bool()) } else { String::new() };
            format!("{value}{condition}")
        });
        format!("[for {names} in {sequence} : {body}]")
    }

    fn for_object(&mut self) -> String {
        let sequence = self.sequence();
        let (names, body) = self.in_loop(|this| {
            let key = if this.chance(3) { this.text() } else { this.leaf() };
            let value = this.any();
            let groups = if this.chance(2) { "..." } else { "" };
            let condition = if this.chance(3) { format!(" if {}", this.bool()) } else { String::new() };
            format!("{key} => {value}{groups}{condition}")
        });
        format!("{{for {names} in {sequence} : {body}}}")
    }

    fn splat(&mut self) -> String {
        let source =
            self.pick(&["things", "rows", "thing", "null_any", "list", "pl", "po", "s", "mixed", "none"]);
        let steps = self.pick(&["[*]", "[*].x", ".*.x", "[*][t]", "[*][a]", ".*.x[*]", "[*].x[t]"]);
        format!("{source}{steps}")
    }

    fn access(&mut self) -> String {
        self.nested(Self::leaf, |this| {
            let base = match this.below(4) {
                0 => format!("({})", this.any()),
                1 => this.sequence(),
                _ => {
                    this.pick(&["list", "map", "pair", "thing", "things", "rows", "set", "po", "pl", "mixed"])
                }
            };
            let key = match this.below(4) {
                0 => this.number(),
                1 => this.text(),
                _ => this.pick(&["a", "t", "digits", "0", "\"k\"", "a - 1", "pn", "p", "s"]),
            };
            let rest = this.pick(&["", "", ".x", "[0]", ".y"]);
            if base.ends_with(['}', ']', ')']) || !base.contains([' ', '*']) {
                format!("{base}[{key}]{rest}")
            } else {
                format!("({base})[{key}]{rest}")
            }
        })
    }

    fn call(&mut self) -> String {
        match self.below(18) {
            14 => format!("twice({})", self.text()),
            15 => format!("read_or({}, {})", self.text(), self.any()),
            16 => format!("stamped({}, {}...)", self.text(), self.sequence()),
            17 => self.pick(&["now()", "stamped(t)", "read(t)", "read(\"x\")", "now() == t"]),
            0 => format!("try({}, {})", self.any(), self.any()),
            1 => format!("try({}, {}, {})", self.access(), self.any(), self.leaf()),
            2 => format!("can({})", self.access()),
            3 => format!(
                "convert({}, {})",
                self.any(),
                self.pick(&["string", "list(string)", "map(string)", "any", "number"])
            ),
            4 => format!("tolist({})", self.sequence()),
            5 => format!("toset({})", self.sequence()),
            6 => format!("coalesce({}, {})", self.any(), self.any()),
            7 => format!("concat({}, {})", self.sequence(), self.sequence()),
            8 => format!("merge({}, {})", self.object(), self.pick(&["map", "thing", "{}"])),
            9 => format!("keys({})", self.pick(&["map", "thing", "po"])),
            10 => format!("max({}...)", self.sequence()),
            11 => format!("sensitive({})", self.any()),
            12 => format!("lookup({}, {}, {})", self.pick(&["map", "thing"]), self.text(), self.any()),
            _ => format!("split(\",\", {})", self.text()),
        }
    }

    fn quoted(&mut self) -> String {
        format!("\"{}\"", self.parts(Text::Quoted))
    }

    fn heredoc(&mut self) -> String {
        let (flush, indent) = match self.below(4) {
            0 => ("", ""),
            1 => ("-", ""),
            2 => ("-", "  "),
            _ => ("-", "    "),
        };
        let parts = self.parts(Text::Lines);
        let lines: Vec<String> = parts
            .split('\n')
            .map(|line| if line.is_empty() { String::new() } else { format!("{indent}{line}") })
            .collect();
        let body: Vec<&str> = lines.iter().map(String::as_str).filter(|line| line.trim() != "E").collect();
        format!("<<{flush}E\n{}\n{indent}E", body.join("\n"))
    }

    fn parts(&mut self, text: Text) -> String {
        if self.depth == 0 {
            return self.literal(text);
        }
        self.depth -= 1;
        let mut out = String::new();
        for _ in 0..=self.below(5) {
            let part = match self.below(9) {
                0..=2 => self.literal(text),
                3..=5 => self.interpolation(),
                6 => {
                    let condition =
                        if self.chance(2) { self.pick(&["f", "g", "true", "!g"]) } else { self.bool() };
                    let body = self.parts(text);
                    let other = if self.chance(2) {
                        format!("{}{}", self.directive("else"), self.parts(text))
                    } else {
                        String::new()
                    };
                    format!(
                        "{}{body}{other}{}",
                        self.directive(&format!("if {condition}")),
                        self.directive("endif")
                    )
                }
                _ => {
                    let sequence = self.sequence();
                    let (names, body) = match text {
                        Text::Quoted => self.in_loop(|this| this.parts(Text::Quoted)),
                        Text::Lines => self.in_loop(|this| this.parts(Text::Lines)),
                    };
                    format!(
                        "{}{body}{}",
                        self.directive(&format!("for {names} in {sequence}")),
                        self.directive("endfor")
                    )
                }
            };
            // A `$` or `%` before a sequence would escape it.
            if out.ends_with(['$', '%']) && part.starts_with(['$', '%', '{']) {
                out.push(' ');
            }
            out.push_str(&part);
            if text == Text::Lines && self.chance(3) {
                out.push_str(["\n", "\n  ", "\n\n"][self.below(3)]);
            }
        }
        self.depth += 1;
        out
    }

    fn marker(&mut self) -> &'static str {
        if self.chance(4) { "~" } else { "" }
    }

    fn directive(&mut self, inner: &str) -> String {
        format!("%{{{} {inner} {}}}", self.marker(), self.marker())
    }

    fn interpolation(&mut self) -> String {
        let inner = match self.below(6) {
            0 => self.number(),
            1 => self.any(),
            _ => self.text(),
        };
        format!("${{{} {inner} {}}}", self.marker(), self.marker())
    }

    fn literal(&mut self, text: Text) -> String {
        match text {
            Text::Quoted => self.pick(&[
                "a", " ", "-", "\\n", "\\\"", "$${x}", "%%{y}", "é", "$", "%", "{", "  ", "\\\\", "E", "\\t",
            ]),
            Text::Lines => self.pick(&[
                "a", " ", "\n", "\n  ", "  b\n", "$${x}", "%%{y}", "é", "\"q\"", "$", "%", "{", "\\n",
                "\n\n", "E", "\t", "c\n",
            ]),
        }
    }
}
