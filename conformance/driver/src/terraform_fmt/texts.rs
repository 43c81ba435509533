//! Texts with code that `terraform fmt` rewrites, written by hand and random.

use fastrand::Rng;

/// Edge cases.
#[rustfmt::skip]
pub(super) const BY_HAND: &[&str] = &[
    "a = \"${x}\"\n",
    "a = \"${x}\" # c\n",
    "a = \"${ \n x\n }\"\nb = 1\n",
    "a = \"${\n x ?\n 1 : 2\n}\"\n",
    "a = \"${\n(x ?\n 1 : 2)\n}\"\n",
    "a = [\"${x}\"]\n",
    "a = \"${~ x ~}\"\n",
    "a = \"${x}${y}\"\n",
    "a = \"${f(\"${x}\")}\"\n",
    "a = \"${\"${x}\"}\"\n",
    "a = \"%{if x}y%{endif}\"\n",
    "a = \"${\"x\"}\"\n",
    "a = \"${x /* c */}\"\n",
    "a = \"${ # c\n x }\"\n",
    "a = \"${x # c\n}\"\n",
    "variable \"x\" {\n type = \"string\"\n}\n",
    "variable \"x\" {\n type = \"list\"\n}\n",
    "variable \"x\" {\n type = \"map\"\n}\n",
    "variable \"x\" {\n type = list\n}\n",
    "variable \"x\" {\n type = set\n}\n",
    "variable \"x\" {\n type = \"set\"\n}\n",
    "variable \"x\" {\n type = \"number\"\n}\n",
    "variable \"x\" {\n type = \"bool\" # c\n}\n",
    "variable \"x\" {\n type = \"any\"\n}\n",
    "variable x {\n type = map\n default=\"${x}\"\n}\n",
    "variable \"x\" {\n y {\n type = list\n}\n}\n",
    "y {\nvariable \"x\" {\n type = list\n}\n}\n",
    "variable {\n type = list\n}\n",
    "foo /* x */ \"a\" /* b */ c # d\n{\n}\n",
    "foo a b {}\n",
    "foo a /* c */ {}\n",
    "foo \"a\\u00e9\\n\" {\n}\n",
    "foo \"a$${x}\" {\n}\n",
    "foo \"a\"{ x = \"${y}\" }\n",
    "# c\nfoo a { # d\n # e\n}# f\n",
    "/* a */ foo a {} /* b */\n",
    "a = \"${{ a = 1}}\"\n",
    "a = \"${{\n a = 1\n}}\"\n",
    "a = \"${[\n1\n]}\"\n",
    "a = (\"${x}\")\n",
    "a = \"${x}\"\nbbb = \"${y}\"\n",
    "variable \"x\" {\n type = \"${string}\"\n}\n",
    "variable \"x\" {\n type = (list)\n}\n",
    "variable \"x\" {\n type = \"list\" \n default = []\n}\n",
    "a = <<E\n${x}\nE\n",
    "a = \"${<<E\nfoo\nE\n}\"\n",
    "a=\"${x}\"",
    "foo \"${x}\" {}\n",
    "a = \"${x[*]}\"\n",
    "a = \"${-x}\"\n",
    "a = \"${x...}\"\n",
    "foo \u{e9} {}\n",
    "foo \"\" {}\n",
    "foo \"a b\" {}\nb=1\n\tfoo {\n}\n",
    "a = \"${\n\n\n x\n\n}\"\n",
    "a = \"${x\n}\"\n",
    "a= 1 \n\n\n\nb=2\n",
    "a = \"${(x)}\"\n",
    "foo \"bar\" \"baz\" {\n  a    = \"${x}\"   # foo\n  bbbb = 2  # bar\n}\n",
    "\u{feff}a=1\n",
    "a=1\r\nb=\"${x}\"\r\nfoo a b {\r\n}\r\n",
    "a=1  ",
    "foo /* x */ \"a\" /* b */ c /* d */ {\n}\n",
    "foo   /* x */ {\n}\n",
    "foo/* x */\"a\"{}\n",
    "foo \"a\\\"b\\\\c\\t\\r\" {\n}\n",
    "foo \"a\u{1}b\u{200b}c\u{a0}d\u{e0001}e\u{e000}\u{fffd}\" {\n}\n",
    "foo \"a$b%c$${d}%%{e}\" \"z\" x {\n}\n",
    "foo \"$\" \"%\" \"$$\" \"%%\" {}\n",
    "foo \"$${\" {}\n",
    "foo \"x%%{\" y {}\n",
    "foo \"a$\" b {}\n",
    "foo \"a$x\" b {}\n",
    "a = /* c */ \"${x}\" /* d */\n",
    "a = \"${x}\" /* d */ # e\n",
    "a = \"${/* c */x}\"\n",
    "a = \"${x/* c */\n}\"\n",
    "a = \"${\n# c\nx}\"\n",
    "a = \"${\nx # c\n+ y\n}\"\n",
    "a = \"${[ # c\n1]}\"\n",
    "a = \"${[1 # c\n]}\"\n",
    "a = \"${x # c\n\n\n}\"\n",
    "b {\n a = \"${x # c\n}\"\n c = 1\n}\n",
    "a = \"${(x)+\n(y)}\"\n",
    "a = \"${(\nx\n)}\"\n",
    "a = \"${<<E\n${y}\nE\n}\"\n",
    "a = \"${<<E\nz\nE\n}\" \nb = 1\n",
    "a = \"${f(<<E\nz\nE\n)}\"\n",
    "a = \"${x ? \"%{if y}1%{endif}\" : 3}\"\n",
    "a = \"${f(\"a${b}c\")}\"\n",
    "a = \"${f(\"a\")[\"b\"]}\"\n",
    "variable \"x\" {\n type = /* c */ list /* d */\n}\n",
    "variable \"x\" {\n type = /* c */ \"string\" /* d */\n}\n",
    "variable \"x\" {\n type = \"list\" # foo\n}\n",
    "variable \"x\" {\n type = \"str${x}\"\n}\n",
    "variable \"x\" { type = list }\n",
    "variable \"x\" \"y\" {\n type = list\n}\n",
    "variable \"x\" {\n type = list \n default = [] # c\n d=1 # c\n}\n",
    "variable \"x\" {\n default = \"${\n {\n}\n}\"\n type=   \"map\"}\n",
    "foo \"e\u{301}\" {}\n",
    "foo \"a\" {\n  bar a b {\n  }\n}\n",
    "foo a-b c_d {}\n",
    "foo true null for {}\n",
    "foo \"e\u{301}\" e\u{301} {}\n",
    "a = \"${\r\nx\r\n}\"\r\n",
    "a = \"${\r\nx ?\r\n1 : 2\r\n}\"\r\n",
    "x = \"${y}\"\n a = \"${z}\" # foo\n",
    "locals {\n a = \"${x}\" \n b = [\n\"${y}\"\n]\n}\n",
    "a = \"${ {a = \"${b}\"} }\"\n",
    "a = \"${{}}\"\n",
    "a=\"${x}\"# c\n",
    "foo a b{}# c\n",
    "foo a b {# c\n}\n",
    "a = \"${x}\"\n\n\n b = 1\n",
    "a = \"${for}\"\n",
    "a = \"${\"a\nb\"}\"\n",
];

const ATOMS: &[&str] = &[
    "x",
    "var.x",
    "1",
    "\"s\"",
    "\"${x}\"",
    "\"a${x}b\"",
    "local.a[\"k\"]",
    "f(x)",
    "f(\"${x}\", 1)",
    "[1, 2]",
    "{ a = 1 }",
    "[for k in x : k]",
    "-x",
    "!x",
    "(x)",
    "x[*]",
    "null",
    "\"%{if x}y%{endif}\"",
    "a.b.0",
    "\"a$b\"",
    "\"$${x}\"",
    "x ? 1 : 2",
];

const LABELS: &[&str] = &[
    "a",
    "b-c",
    "\"a\"",
    "\"a b\"",
    "\"x_y\"",
    "\u{e9}",
    "\"\u{e9}\"",
    "\"\\u00e9\"",
    "\"a\\\"b\"",
    "\"a\\\\\"",
    "\"1\"",
    "e\u{301}",
    "null",
    "\"\u{200b}\"",
    "\"a\\tb\"",
];

const TYPES: &[&str] = &[
    "list",
    "map",
    "set",
    "\"list\"",
    "\"map\"",
    "\"string\"",
    "\"set\"",
    "\"number\"",
    "\"bool\"",
    "string",
    "list(string)",
    "any",
    "(list)",
    "\"${list}\"",
    "object({})",
    "\"any\"",
    "[\"list\"]",
    "tuple",
    "\"str\"",
];

/// A random text.
pub(super) fn random(rng: &mut Rng) -> String {
    let mut writer = Writer { rng, out: String::new() };
    if writer.rng.u8(..5) < 3 {
        writer.body(2, false);
    } else {
        let label = writer.pick(LABELS);
        writer.out.extend(["variable ", label, " {\n"]);
        writer.body(1, true);
        writer.out.push_str("}\n");
    }
    let out = writer.out;
    if rng.u8(..20) == 0 { out.replace('\n', "\r\n") } else { out }
}

struct Writer<'r> {
    rng: &'r mut Rng,
    out: String,
}

impl Writer<'_> {
    fn pick(&mut self, list: &[&'static str]) -> &'static str {
        list[self.rng.usize(..list.len())]
    }

    fn put(&mut self, list: &[&'static str]) {
        let text = self.pick(list);
        self.out.push_str(text);
    }

    fn blank(&mut self) {
        self.put(&["", " ", " ", " ", "  ", "\t", " /* c */ "]);
    }

    fn expression(&mut self, depth: u32) {
        let kind = if depth == 0 { 0 } else { self.rng.u8(..9) };
        match kind {
            0 | 1 => self.put(ATOMS),
            2 => {
                self.expression(depth - 1);
                self.blank();
                self.put(&["+", "-", "*", "==", "&&"]);
                self.blank();
                self.expression(depth - 1);
            }
            3 => self.between("(", &["", " "], depth, &["", " "], ")"),
            4 => self.between("[", &["", "\n"], depth, &["", ",", "\n", ", # c\n"], "]"),
            5 => self.between("{", &["\na = ", " a = "], depth, &["\n", " ", "# c\n"], "}"),
            6 => self.between("f(", &["", "\n"], depth, &["", "\n"], ")"),
            7 => self.between("\"${", &["", " "], depth, &["", " "], "}\""),
            _ => {
                self.expression(depth - 1);
                self.put(&[" ? 1 : 2", " ?\n1 : 2"]);
            }
        }
    }

    fn between(
        &mut self,
        open: &str,
        before: &[&'static str],
        depth: u32,
        after: &[&'static str],
        close: &str,
    ) {
        self.out.push_str(open);
        self.put(before);
        self.expression(depth - 1);
        self.put(after);
        self.out.push_str(close);
    }

    /// A value that is usually only an interpolation.
    fn value(&mut self) {
        match self.rng.u8(..9) {
            0..=2 => self.wrapped("\"", "\""),
            3 => self.wrapped("[\"", "\"]"),
            4 => self.wrapped("\"", "${y}\""),
            5 => self.wrapped("\"a", "\""),
            6 => self.out.push_str("<<E\n  ${x}\nE"),
            _ => self.expression(2),
        }
    }

    fn wrapped(&mut self, open: &str, close: &str) {
        self.out.push_str(open);
        self.put(&["${", "${", "${", "${~"]);
        self.put(&["", "", "", "\n", "\n\n", " /* c */", "# c\n"]);
        self.blank();
        self.expression(2);
        self.blank();
        self.put(&["", "", "\n", " \n\n", "/* c */", "# c\n"]);
        self.put(&["}", "}", "}", "~}"]);
        self.out.push_str(close);
    }

    fn body(&mut self, depth: u32, of_variable: bool) {
        for _ in 0..self.rng.usize(..5) {
            self.put(&["", "  ", "\t", "    "]);
            match self.rng.u8(..20) {
                0 | 1 => self.put(&["# c\n", "// c\n", "/* c */\n"]),
                2 | 3 => self.out.push('\n'),
                4..=14 => self.attribute(of_variable),
                _ if depth == 0 => self.attribute(of_variable),
                _ => self.block(depth),
            }
        }
    }

    fn attribute(&mut self, of_variable: bool) {
        let is_type = of_variable && self.rng.bool();
        if is_type {
            self.out.push_str("type");
        } else {
            self.put(&["a", "bbb", "foo_bar", "default"]);
            // Each argument may be set only once.
            let number = self.out.len().to_string();
            self.out.push_str(&number);
        }
        self.blank();
        self.out.push('=');
        self.blank();
        if is_type && self.rng.u8(..5) > 0 {
            self.put(TYPES);
        } else {
            self.value();
        }
        self.put(&["\n", " \n", " # c\n", "/* c */\n"]);
    }

    fn block(&mut self, depth: u32) {
        let kind = self.pick(&["variable", "variable", "resource", "foo"]);
        self.out.push_str(kind);
        for _ in 0..self.rng.usize(..4) {
            self.blank();
            self.out.push(' ');
            self.put(LABELS);
        }
        self.blank();
        self.put(&[" {\n", " { # c\n"]);
        self.body(depth - 1, kind == "variable");
        self.put(&["}\n", "  }\n", "} # c\n"]);
    }
}
