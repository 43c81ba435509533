//! Random HCL that follows the grammar: bodies, and the blanks between tokens. Expressions and templates are in
//! submodules. If `wild` is greater than 0, rules are sometimes broken.

mod expression;
mod template;

use fastrand::Rng;

/// Names, some of them with a meaning in places.
const NAMES: &[&str] = &[
    "a",
    "b",
    "foo",
    "bar_baz",
    "x-y",
    "x1",
    "_",
    "_u",
    "in",
    "for",
    "if",
    "else",
    "endif",
    "true",
    "false",
    "null",
    "each",
    "é",
    "日本",
    "e\u{301}t",
    "ünï",
    "a--b",
    "Ⅷ",
    "a·b",
    "longer_name_here",
];

/// Writes one text.
pub(crate) struct Writer<'r> {
    rng: &'r mut Rng,
    out: String,
    /// The probability that a rule is broken.
    wild: f64,
    end_of_line: &'static str,
    /// The number of open brackets in which newlines are blanks.
    brackets: usize,
    /// How much more deeply expressions may nest.
    depth: usize,
}

impl<'r> Writer<'r> {
    pub(crate) fn new(rng: &'r mut Rng, wild: f64) -> Self {
        let end_of_line = if rng.u8(0..8) == 0 { "\r\n" } else { "\n" };
        let depth = rng.usize(1..5);
        Self { rng, out: String::new(), wild, end_of_line, brackets: 0, depth }
    }

    /// A whole file.
    pub(crate) fn file(mut self) -> String {
        if self.one_in(40) {
            self.put("\u{feff}");
        }
        for _ in 0..self.rng.usize(0..6) {
            self.item(0);
        }
        if self.one_in(10) && self.out.ends_with('\n') {
            let length = self.out.trim_end_matches(['\r', '\n']).len();
            self.out.truncate(length);
        }
        self.out
    }

    /// An expression that is a whole source, in which newlines are blanks.
    pub(crate) fn whole_expression(mut self) -> String {
        self.brackets = 1;
        self.expression();
        self.out
    }

    /// A template that is a whole source.
    pub(crate) fn whole_template(mut self) -> String {
        for _ in 0..self.rng.usize(1..4) {
            self.parts(false);
            if self.one_in(4) {
                self.newline();
            }
        }
        self.out
    }

    /// An absolute traversal.
    pub(crate) fn traversal(mut self) -> String {
        self.name();
        for _ in 0..self.rng.usize(0..5) {
            match self.rng.u8(0..12) {
                0..=4 => {
                    self.put(".");
                    self.name();
                }
                5..=6 => {
                    let index = self.rng.u32(0..120).to_string();
                    self.put("[");
                    self.maybe_blank();
                    self.put(&index);
                    self.maybe_blank();
                    self.put("]");
                }
                7..=8 => {
                    self.put("[");
                    self.quoted_literal();
                    self.put("]");
                }
                9 => self.put(".0"),
                10 if self.one_in(3) => self.put("[*]"),
                11 if self.one_in(3) => self.put(".*"),
                _ if self.one_in(3) => {
                    self.brackets += 1;
                    self.put("[");
                    self.expression();
                    self.put("]");
                    self.brackets -= 1;
                }
                _ => self.blank(),
            }
        }
        self.out
    }

    fn item(&mut self, level: usize) {
        self.indent(level);
        match self.rng.u8(0..20) {
            0 => {
                let comment =
                    ["# c", "// c", "/* c */", "#", "/* c\n d */", "# é ${x}"][self.rng.usize(0..6)];
                self.put(comment);
                self.newline();
            }
            1 => self.newline(),
            2..=12 => {
                self.attribute();
                self.end_of_item();
            }
            13..=14 => {
                self.header();
                self.put("{");
                self.maybe_blank();
                if self.rng.bool() {
                    let brackets = std::mem::take(&mut self.brackets);
                    self.attribute();
                    self.brackets = brackets;
                }
                self.maybe_blank();
                self.put("}");
                self.end_of_item();
            }
            _ if self.depth > 0 => {
                self.depth -= 1;
                self.header();
                self.put("{");
                if self.one_in(8) {
                    self.put(" # c");
                }
                self.newline();
                for _ in 0..self.rng.usize(0..4) {
                    self.item(level + 1);
                }
                self.indent(level);
                self.put("}");
                self.end_of_item();
                self.depth += 1;
            }
            _ => {
                self.attribute();
                self.end_of_item();
            }
        }
    }

    fn attribute(&mut self) {
        self.name();
        // Names must be unique in a body; numbers make most of them different.
        if !self.one_in(20) {
            let length = self.out.len().to_string();
            self.put(&length);
        }
        self.maybe_blank();
        let assign =
            if self.breaks() { [":", "==", "", "=>", "\n=", "=\n"][self.rng.usize(0..6)] } else { "=" };
        self.put(assign);
        self.maybe_blank();
        self.expression();
    }

    fn header(&mut self) {
        self.name();
        for _ in 0..self.rng.usize(0..3) {
            self.blank();
            match self.rng.u8(0..4) {
                0 => self.name(),
                _ if self.breaks() => self.expression(),
                _ => self.quoted_literal(),
            }
        }
        if self.breaks() { self.newline() } else { self.blank() }
    }

    fn end_of_item(&mut self) {
        if self.one_in(12) {
            self.put_one(&["  # c", " // c", "/* c */", " ", "\t"]);
        }
        if self.breaks() { self.put_one(&[",", ";", " ", "", ", "]) } else { self.newline() }
    }

    fn name(&mut self) {
        let plain = self.rng.u8(0..4) > 0;
        let name = NAMES[if plain { self.rng.usize(0..6) } else { self.rng.usize(0..NAMES.len()) }];
        self.put(name);
        if self.breaks() {
            self.put_one(&[".", "'", "`", "\u{200d}", "😀", "\"", " "]);
        }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn put_one(&mut self, list: &[&str]) {
        let text = list[self.rng.usize(0..list.len())];
        self.put(text);
    }

    fn newline(&mut self) {
        let end = if self.one_in(60) {
            ["\n", "\r\n", "\n\n", " \n"][self.rng.usize(0..4)]
        } else {
            self.end_of_line
        };
        self.put(end);
    }

    fn indent(&mut self, level: usize) {
        let width = if self.one_in(8) { self.rng.usize(0..7) } else { level * 2 };
        self.out.extend(std::iter::repeat_n(' ', width));
    }

    /// At least one blank.
    fn blank(&mut self) {
        if self.one_in(12) {
            self.put_one(&["  ", "\t", " /* c */ ", "/**/", " /* é */"]);
        } else {
            self.put(" ");
        }
        self.line_break();
    }

    /// A blank, most of the time.
    fn maybe_blank(&mut self) {
        if self.rng.u8(0..5) > 0 { self.blank() } else { self.line_break() }
    }

    /// A newline where it is white space, and sometimes where it is not.
    fn line_break(&mut self) {
        let broken = if self.brackets > 0 { self.one_in(12) } else { self.breaks() };
        if broken {
            if self.one_in(5) {
                self.put_one(&["# c", "// c"]);
            }
            self.newline();
        }
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.rng.u32(0..n) == 0
    }

    /// Returns true if a rule should be broken here.
    fn breaks(&mut self) -> bool {
        self.wild > 0.0 && self.rng.f64() < self.wild
    }
}
