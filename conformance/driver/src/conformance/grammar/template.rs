//! Random templates: quoted and heredoc.

use super::Writer;

const TEXT: &[&str] = &[
    "a",
    "foo bar",
    " ",
    "  ",
    "$",
    "%",
    "$$",
    "%%",
    "$${",
    "%%{",
    "{",
    "}",
    "é",
    "e\u{301}",
    "日本",
    "👨\u{200d}👩\u{200d}👧",
    "#",
    "//",
    "/* x",
    "'",
    "~",
    "$x",
    "${\"s\"}",
    "\t",
    "🇩🇪",
    "\u{a0}",
    "://",
    "\u{200b}",
    "-",
    "0",
];
const ESCAPES: &[&str] =
    &["\\n", "\\r", "\\t", "\\\"", "\\\\", "\\u00e9", "\\u0301", "\\U0001f600", "\\u2028"];
const ODD_ESCAPES: &[&str] = &[
    "\\q",
    "\\",
    "\\u12",
    "\\U0001f6",
    "\\$",
    "\\'",
    "\\x41",
    "\\0",
    "\\ud800",
    "\\UFFFFFFFF",
    "\\é",
    "\\ ",
];
const MARKERS: &[&str] = &["EOT", "EOF", "E", "a-b", "É", "end_1"];

impl Writer<'_> {
    /// A quoted string without interpolation.
    pub(super) fn quoted_literal(&mut self) {
        self.put("\"");
        for _ in 0..self.rng.usize(0..3) {
            match self.rng.u8(0..5) {
                0 => self.escape(),
                1 => self.text(),
                _ => self.put_one(&["a", "key", "x y", "1"]),
            }
        }
        if !self.breaks() {
            self.put("\"");
        }
    }

    /// A quoted template.
    pub(super) fn quoted(&mut self) {
        self.put("\"");
        self.parts(true);
        if !self.breaks() {
            self.put("\"");
        }
    }

    /// A heredoc. If it is a whole value, it ends with the newline after its marker.
    pub(super) fn heredoc(&mut self) {
        let marker = MARKERS[self.rng.usize(0..MARKERS.len())];
        let flush = self.rng.bool();
        self.put(if flush { "<<-" } else { "<<" });
        if self.breaks() {
            self.put_one(&[" ", "\"", "'", "-", "~"]);
        }
        self.put(marker);
        if self.breaks() {
            self.put_one(&[" ", "# c", "1 "]);
        }
        self.newline();
        for _ in 0..self.rng.usize(0..4) {
            let width = self.rng.usize(0..6);
            self.put(&"      "[..width]);
            match self.rng.u8(0..8) {
                0 => {}
                1 => self.put(marker),
                2 => self.put("\t"),
                3 => self.escape(),
                _ => self.parts(false),
            }
            if self.out.ends_with(marker) {
                self.put_one(&[" x", "x", "."]);
            }
            self.newline();
        }
        let before = ["", "", "  ", "\t", "      "][self.rng.usize(0..5)];
        self.put(before);
        if !self.breaks() {
            self.put(marker);
        }
        if self.one_in(12) {
            self.put("  ");
        }
        if self.brackets > 0 {
            self.newline();
        }
    }

    pub(super) fn parts(&mut self, quoted: bool) {
        for _ in 0..self.rng.usize(0..4) {
            match self.rng.u8(0..12) {
                0..=3 => self.text(),
                4 if quoted => self.escape(),
                5..=8 => self.interpolation(),
                9 if self.depth > 0 => self.if_directive(quoted),
                10 if self.depth > 0 => self.for_directive(quoted),
                _ => self.put("x"),
            }
        }
        if self.breaks() {
            self.put_one(&["\n", "${", "%{", "%{ if x }", "%{ endfor }", "%{ else }", "%{ x }", "%{}"]);
        }
    }

    fn text(&mut self) {
        let text = TEXT[self.rng.usize(0..TEXT.len())];
        self.put(text);
    }

    fn escape(&mut self) {
        let odd = self.breaks();
        let list = if odd { ODD_ESCAPES } else { ESCAPES };
        let escape = list[self.rng.usize(0..list.len())];
        self.put(escape);
    }

    fn interpolation(&mut self) {
        self.sequence("${", Self::expression);
    }

    /// Between `${` or `%{` and `}`, newlines are blanks.
    fn sequence(&mut self, open: &str, inside: impl FnOnce(&mut Self)) {
        self.put(open);
        if self.one_in(5) {
            self.put("~");
        }
        let outer = std::mem::replace(&mut self.brackets, 1);
        if self.one_in(4) {
            self.blank();
        }
        inside(self);
        if self.one_in(4) {
            self.blank();
        }
        self.brackets = outer;
        if self.one_in(5) {
            self.put("~");
        }
        if !self.breaks() {
            self.put("}");
        }
    }

    fn directive(&mut self, word: &str, inside: impl FnOnce(&mut Self)) {
        self.sequence("%{", |w| {
            w.maybe_blank();
            w.put(word);
            inside(w);
            w.maybe_blank();
        });
    }

    fn if_directive(&mut self, quoted: bool) {
        self.depth -= 1;
        self.directive("if", |w| {
            w.blank();
            w.expression();
        });
        self.parts(quoted);
        if self.rng.bool() {
            self.directive("else", |_| {});
            self.parts(quoted);
        }
        if !self.breaks() {
            self.directive("endif", |_| {});
        }
        self.depth += 1;
    }

    fn for_directive(&mut self, quoted: bool) {
        self.depth -= 1;
        self.directive("for", |w| {
            w.blank();
            w.name();
            if w.rng.bool() {
                w.put(",");
                w.maybe_blank();
                w.name();
            }
            w.blank();
            w.put("in");
            w.blank();
            w.expression();
        });
        self.parts(quoted);
        if !self.breaks() {
            self.directive("endfor", |_| {});
        }
        self.depth += 1;
    }
}
