//! Small random texts with comments everywhere.

use std::fmt::Write as _;

use fastrand::Rng;

/// A random text. Each name, value and comment occurs once.
pub(crate) struct Text {
    pub(crate) rng: Rng,
    out: String,
    pub(crate) count: usize,
}

impl Text {
    pub(crate) fn new(seed: u64) -> Self {
        Self { rng: Rng::with_seed(seed), out: String::new(), count: 0 }
    }

    /// Names for more text.
    pub(crate) fn more(rng: Rng, count: usize) -> Self {
        Self { rng, out: String::new(), count }
    }

    pub(crate) fn next(&mut self, kind: char) -> String {
        self.count += 1;
        format!("{kind}{}", self.count)
    }

    pub(crate) fn one_in(&mut self, count: u8) -> bool {
        self.rng.u8(..count) == 0
    }

    fn indent(&mut self, depth: usize) {
        self.out.push_str(&"  ".repeat(depth));
    }

    /// A comment within a line.
    fn inline(&mut self) {
        if self.one_in(3) {
            let word = self.next('c');
            _ = write!(self.out, "/* {word} */");
            if !self.one_in(5) {
                self.out.push(' ');
            }
        }
    }

    /// A comment to the end of the line.
    fn trailing(&mut self) {
        if self.one_in(3) {
            let word = self.next('c');
            let comment = match self.rng.u8(..3) {
                0 => format!(" # {word}"),
                1 => format!(" // {word}"),
                _ => format!(" /* {word} */"),
            };
            self.out.push_str(&comment);
        }
    }

    /// Lines of comments and blank lines.
    fn above(&mut self, depth: usize) {
        while self.one_in(3) {
            if self.one_in(3) {
                self.out.push('\n');
                continue;
            }
            self.indent(depth);
            let word = self.next('c');
            let comment = match self.rng.u8(..4) {
                0 => format!("// {word}\n"),
                1 => format!("/* {word} */\n"),
                2 if depth < 2 => format!("/* {word}\n   more */\n"),
                _ => format!("# {word}\n"),
            };
            self.out.push_str(&comment);
        }
    }

    pub(crate) fn body(&mut self, depth: usize) {
        for _ in 0..self.rng.usize(..4) {
            self.above(depth);
            self.indent(depth);
            self.inline();
            let name = self.next('n');
            self.out.push_str(&name);
            self.out.push(' ');
            if depth < 2 && self.one_in(3) {
                if self.rng.bool() {
                    let label = self.next('l');
                    _ = write!(self.out, "\"{label}\" ");
                }
                self.block(depth);
            } else {
                self.out.push_str("= ");
                self.value(depth);
            }
            if !self.out.ends_with('\n') {
                self.trailing();
                self.out.push('\n');
            }
        }
        self.above(depth);
    }

    fn block(&mut self, depth: usize) {
        self.out.push('{');
        match self.rng.u8(..4) {
            0 => {}
            1 => {
                self.out.push(' ');
                self.inline();
                let name = self.next('n');
                let value = self.next('v');
                _ = write!(self.out, "{name} = {value} ");
                self.inline();
            }
            _ => {
                self.trailing();
                self.out.push('\n');
                self.body(depth + 1);
                self.indent(depth);
            }
        }
        self.out.push('}');
    }

    fn value(&mut self, depth: usize) {
        match self.rng.u8(..if depth > 2 { 3 } else { 9 }) {
            0 if self.one_in(3) => {
                let value = self.next('v');
                _ = write!(self.out, "<<E\n{value}\nE\n");
            }
            0..3 => {
                let value = self.next('v');
                match self.rng.u8(..8) {
                    0 => _ = write!(self.out, "\"a ${{ {value} }} b\""),
                    1 => _ = write!(self.out, "({value} ? [1] : {{ a = 2 }})"),
                    _ => self.out.push_str(&value),
                }
            }
            3..5 => self.list(depth, "{", "}"),
            5 => {
                let name = self.next('f');
                self.out.push_str(&name);
                self.list(depth, "(", ")");
            }
            _ => self.list(depth, "[", "]"),
        }
    }

    fn list(&mut self, depth: usize, open: &str, close: &str) {
        self.out.push_str(open);
        let is_object = open == "{";
        let lines = self.rng.u8(..3);
        if lines > 0 {
            self.trailing();
            self.out.push('\n');
        }
        let count = self.rng.usize(..4);
        for at in 0..count {
            let starts_line = self.out.ends_with('\n');
            if starts_line {
                self.above(depth + 1);
                self.indent(depth + 1);
            } else if at > 0 || is_object && lines == 0 {
                self.out.push(' ');
            }
            self.inline();
            if is_object {
                let key = self.next('k');
                let sign = if self.one_in(4) { ":" } else { "=" };
                _ = write!(self.out, "{key} {sign} ");
            }
            self.value(depth + 1);
            let is_last = at + 1 == count;
            let is_expanded = is_last && open == "(" && !self.out.ends_with('\n') && self.one_in(3);
            if is_expanded {
                self.out.push_str("...");
            }
            let on_own_line = self.out.ends_with('\n');
            if on_own_line && is_object {
                continue;
            }
            if on_own_line {
                self.indent(depth + 1);
            } else if self.one_in(4) {
                self.out.push(' ');
                self.inline();
            }
            let breaks = lines == 1 || lines == 2 && (is_last || self.rng.bool());
            let is_optional = is_last || is_object && breaks;
            if !is_expanded && (!is_optional || if is_last { self.one_in(3) } else { self.rng.bool() }) {
                self.out.push(',');
                if self.one_in(4) {
                    self.out.push(' ');
                    self.inline();
                }
            }
            if breaks {
                self.trailing();
                self.out.push('\n');
            }
        }
        if self.out.ends_with('\n') {
            self.above(depth + 1);
            self.indent(depth);
        } else if is_object && count > 0 {
            self.out.push(' ');
        }
        self.out.push_str(close);
    }

    /// The text, with other line breaks or without the last one.
    pub(crate) fn finish(mut self) -> String {
        match self.rng.u8(..8) {
            0 => self.out = self.out.replace('\n', "\r\n"),
            3 => self.out = self.out.replace("  ", "\t"),
            1 => {
                let lines = self.out.split_inclusive('\n');
                self.out = lines
                    .map(|line| if self.rng.bool() { line.replace('\n', "\r\n") } else { line.to_owned() })
                    .collect();
            }
            // A line break must follow a heredoc.
            2 if !self.out.trim_end().ends_with("\nE") => self.out.truncate(self.out.trim_end().len()),
            _ => {}
        }
        self.out
    }
}
