//! Random expressions.

use super::Writer;

const NUMBERS: &[&str] =
    &["0", "1", "12", "00", "1.5", "0.10", "1e5", "1E+5", "1e-2", "3.14e0", "99999999999999999999", "1.0"];
const ODD_NUMBERS: &[&str] = &["1.", ".5", "0x1f", "1e", "1_000", "1a", "1.2.3", "1e+", "1.e3"];
const OPERATORS: &[&str] = &["+", "-", "*", "/", "%", "==", "!=", "<", ">", "<=", ">=", "&&", "||"];
const ODD_OPERATORS: &[&str] = &["&", "|", "^", "**", "=", "=>", "and", "!", "~", "<<", "===", ":", "?", ";"];
const FUNCTIONS: &[&str] = &["f", "max", "n::f", "a::b::c", "n :: f", "true", "for", "é"];

impl Writer<'_> {
    /// Any expression.
    pub(super) fn expression(&mut self) {
        if self.depth == 0 {
            return self.simple();
        }
        self.depth -= 1;
        match self.rng.u8(0..34) {
            0..=8 => self.term(),
            9..=11 => {
                self.term();
                for _ in 0..self.rng.usize(1..3) {
                    self.maybe_blank();
                    let odd = self.breaks();
                    let list = if odd { ODD_OPERATORS } else { OPERATORS };
                    let operator = list[self.rng.usize(0..list.len())];
                    self.put(operator);
                    self.maybe_blank();
                    self.term();
                }
            }
            12..=13 => {
                self.term();
                for mark in ["?", ":"] {
                    self.blank();
                    if !self.breaks() {
                        self.put(mark);
                    }
                    self.maybe_blank();
                    self.expression();
                }
            }
            14..=15 => {
                let operator = ["-", "!", "- ", "!!", "--", "! "][self.rng.usize(0..6)];
                self.put(operator);
                self.term();
            }
            16..=18 => self.tuple(),
            19..=21 => self.object(),
            22 => self.for_tuple(),
            23 => self.for_object(),
            24..=26 => self.call(),
            27..=29 => self.quoted(),
            30..=31 => self.heredoc(),
            _ => self.in_brackets("(", ")", Self::expression),
        }
        self.depth += 1;
    }

    fn term(&mut self) {
        if self.depth == 0 || self.rng.u8(0..3) == 0 {
            self.simple();
        } else {
            self.depth -= 1;
            match self.rng.u8(0..8) {
                0 => self.tuple(),
                1 => self.object(),
                2 => self.call(),
                3 => self.in_brackets("(", ")", Self::expression),
                4 => self.quoted(),
                _ => self.name(),
            }
            self.depth += 1;
        }
        self.steps();
    }

    fn simple(&mut self) {
        match self.rng.u8(0..10) {
            0..=2 => {
                let odd = self.breaks();
                let list = if odd { ODD_NUMBERS } else { NUMBERS };
                let number = list[self.rng.usize(0..list.len())];
                self.put(number);
            }
            3 => self.put_one(&["true", "false", "null"]),
            4..=5 => self.quoted_literal(),
            6 if self.breaks() => {
                self.put_one(&["", "*", "'x'", "`x`", "“x”", ",", "}", ")", "]", "...", "@", "\\"]);
            }
            _ => self.name(),
        }
    }

    fn steps(&mut self) {
        while self.rng.u8(0..5) < 2 {
            match self.rng.u8(0..16) {
                0..=5 => {
                    self.put(".");
                    if !self.breaks() {
                        self.name();
                    }
                }
                6..=8 => self.in_brackets("[", "]", Self::expression),
                9 => self.put(".0"),
                10 => self.put(".12.x"),
                11..=12 => self.put("[*]"),
                13 => self.put(".*"),
                14 => self.put(".*.x"),
                _ if self.breaks() => {
                    self.put_one(&[".0.1", "..", "[]", ".[0]", "[*].*", ".\"x\"", "?.x", "[ ]", ".*[*]"]);
                }
                _ => self.in_brackets("[", "]", Self::quoted_literal),
            }
        }
    }

    fn in_brackets(&mut self, open: &str, close: &str, inside: impl FnOnce(&mut Self)) {
        self.put(open);
        self.brackets += 1;
        if self.one_in(4) {
            self.maybe_blank();
        }
        inside(self);
        if self.one_in(4) {
            self.maybe_blank();
        }
        self.brackets -= 1;
        if !self.breaks() {
            self.put(close);
        }
    }

    /// Elements between commas, with a comma at the end or without.
    fn elements(&mut self, element: fn(&mut Self)) {
        let count = self.rng.usize(0..4);
        for n in 0..count {
            element(self);
            if self.one_in(8) {
                self.maybe_blank();
            }
            if n + 1 < count || self.one_in(4) {
                let comma =
                    if self.breaks() { ["", ";", ",,", " ", "..."][self.rng.usize(0..5)] } else { "," };
                self.put(comma);
                self.maybe_blank();
            }
        }
    }

    fn tuple(&mut self) {
        self.in_brackets("[", "]", |w| w.elements(Self::expression));
    }

    fn call(&mut self) {
        let name = FUNCTIONS[self.rng.usize(0..FUNCTIONS.len())];
        self.put(name);
        if self.breaks() {
            self.blank();
        }
        self.in_brackets("(", ")", |w| {
            w.elements(Self::expression);
            if w.one_in(6) {
                w.put("...");
            }
        });
    }

    /// An object's newlines separate its items, so they are no blanks there.
    fn object(&mut self) {
        let outer = std::mem::take(&mut self.brackets);
        self.put("{");
        let lines = self.rng.bool();
        let count = self.rng.usize(0..4);
        for n in 0..count {
            if lines && (n == 0 || self.rng.bool()) {
                self.newline();
            }
            self.maybe_blank();
            self.key();
            self.maybe_blank();
            let assign = if self.one_in(4) { ":" } else { "=" };
            let assign = if self.breaks() { "=>" } else { assign };
            self.put(assign);
            self.maybe_blank();
            self.expression();
            if self.one_in(8) {
                self.maybe_blank();
            }
            match (n + 1 < count, lines) {
                (true, false) => self.put(","),
                (_, true) if self.rng.bool() => self.put(","),
                (true, true) => self.newline(),
                (false, _) if self.one_in(6) => self.put(","),
                _ => {}
            }
            if self.one_in(20) {
                self.put(" # c");
                self.newline();
            }
        }
        if lines {
            self.newline();
        }
        if !self.breaks() {
            self.put("}");
        }
        self.brackets = outer;
    }

    fn key(&mut self) {
        match self.rng.u8(0..12) {
            0..=5 => self.name(),
            6..=8 => self.quoted_literal(),
            9 => self.quoted(),
            10 => self.in_brackets("(", ")", Self::expression),
            _ if self.one_in(3) => self.expression(),
            _ => self.put("7"),
        }
    }

    fn for_tuple(&mut self) {
        self.in_brackets("[", "]", |w| {
            w.for_intro();
            w.expression();
            w.for_condition();
        });
    }

    fn for_object(&mut self) {
        self.in_brackets("{", "}", |w| {
            w.for_intro();
            w.expression();
            w.blank();
            w.put("=>");
            w.maybe_blank();
            w.expression();
            if w.one_in(4) {
                w.put("...");
            }
            w.for_condition();
        });
    }

    fn for_intro(&mut self) {
        self.put("for");
        self.blank();
        self.name();
        if self.rng.bool() {
            self.put(",");
            self.maybe_blank();
            self.name();
        }
        self.blank();
        let word = if self.breaks() { ["of", "", "=", "if"][self.rng.usize(0..4)] } else { "in" };
        self.put(word);
        self.blank();
        self.term();
        self.maybe_blank();
        if !self.breaks() {
            self.put(":");
        }
        self.maybe_blank();
    }

    fn for_condition(&mut self) {
        if self.one_in(3) {
            self.blank();
            self.put("if");
            self.blank();
            self.expression();
        }
    }
}
