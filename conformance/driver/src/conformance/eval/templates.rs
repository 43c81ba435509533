//! Random templates, quoted, in heredocs and by themselves: interpolations, directives, strip markers.

use super::maker::{Made, Maker};
use super::ty::Ty;

/// The kind of a template, which decides what its literal text may be.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Quoted,
    Lines,
}

const QUOTED: &[&str] = &[
    "a", "hello ", " ", "-", "\\n", "\\\"", "$${x}", "%%{y}", "é", "\\u00e9", "$", "%", "/", ": ", "日本",
    "\\\\", "{}", "  ",
];
const LINES: &[&str] = &[
    "a", "hello ", " ", "\n", "\n", "\n  ", "  b\n", "$${x}", "%%{y}", "é", "\"q\"", "$ ", "% ", "\\n",
    "日本", "\t", "{}", "\n\n",
];

impl Maker<'_> {
    /// A template that gives a string, or a value that converts to one.
    pub(super) fn string(&mut self) -> Made {
        match self.rng.u8(..20) {
            0..12 => self.quoted(),
            12..14 => self.heredoc(),
            14 if self.depth > 0 => {
                let ty = Ty::primitive(self.rng);
                self.value(&ty)
            }
            15 => {
                let ty = if self.rng.bool() { self.any_type() } else { Ty::Str };
                let inner = self.value(&ty).text;
                // A lone interpolation, whose value may not be a string.
                Made::atom(format!("\"${{{inner}}}\""))
            }
            _ => self.leaf(&Ty::Str),
        }
    }

    pub(super) fn quoted(&mut self) -> Made {
        let inner = self.parts(Place::Quoted);
        Made::atom(format!("\"{inner}\""))
    }

    /// In parentheses, so that the newline at its end does not end the enclosing item.
    fn heredoc(&mut self) -> Made {
        let text = self.heredoc_alone();
        Made::atom(format!("({text})"))
    }

    fn heredoc_alone(&mut self) -> String {
        let marker = self.pick(&["EOT", "E", "END_1"]);
        let flush = self.rng.bool();
        let mut body = self.parts(Place::Lines);
        let indent = if flush { self.pick(&["", "  ", "    ", "\t"]) } else { "" };
        if flush {
            body = body
                .split('\n')
                .map(|line| if line.is_empty() { String::new() } else { format!("{indent}{line}") })
                .collect::<Vec<_>>()
                .join("\n");
        }
        format!("<<{}{marker}\n{body}\n{indent}{marker}\n", if flush { "-" } else { "" })
    }

    /// A template that is a whole source.
    pub(super) fn whole_template(&mut self) -> String {
        match self.rng.u8(..12) {
            0 => {
                let ty = if self.rng.bool() { Ty::primitive(self.rng) } else { self.any_type() };
                format!("${{{}}}", self.value(&ty).text)
            }
            1..4 => self.parts(Place::Quoted).replace("\\\"", "\"").replace("\\n", "\n"),
            _ => self.parts(Place::Lines),
        }
    }

    /// A source that is only a heredoc.
    pub(super) fn whole_heredoc(&mut self) -> String {
        self.heredoc_alone()
    }

    fn parts(&mut self, place: Place) -> String {
        let count = if place == Place::Lines { self.rng.usize(1..7) } else { self.pick(&[1, 1, 2, 2, 3, 4]) };
        let mut text = String::new();
        for _ in 0..count {
            match self.rng.u8(..12) {
                0..6 => text += self.pick(if place == Place::Quoted { QUOTED } else { LINES }),
                6..10 => text += &self.interpolation(),
                _ if self.depth == 0 => text += "-",
                10 => text += &self.deeper(|maker| maker.if_directive(place)),
                _ => text += &self.deeper(|maker| maker.for_directive(place)),
            }
        }
        text
    }

    fn sequence(&mut self, sign: &str, inner: &str) -> String {
        let open = if self.one_in(6) { "{~" } else { "{" };
        let close = if self.one_in(6) { "~}" } else { "}" };
        let blank = self.pick(&["", " "]);
        format!("{sign}{open}{blank}{inner}{blank}{close}")
    }

    fn interpolation(&mut self) -> String {
        let ty = if self.rng.bool() { Ty::Str } else { Ty::primitive(self.rng) };
        let inner = self.deeper(|maker| maker.value(&ty)).text;
        self.sequence("$", &inner)
    }

    fn if_directive(&mut self, place: Place) -> String {
        let condition = self.deeper(|maker| maker.value(&Ty::Bool)).text;
        let mut text = self.sequence("%", &format!("if {condition}"));
        text += &self.parts(place);
        if self.rng.bool() {
            text += &self.sequence("%", "else");
            text += &self.parts(place);
        }
        text + &self.sequence("%", "endif")
    }

    fn for_directive(&mut self, place: Place) -> String {
        let (collection, key, element, holes) = self.iterable();
        let value_name = self.pick(&["x", "v", "item", "s", "n"]);
        let with_key = self.one_in(3);
        let names = if with_key { format!("k, {value_name}") } else { value_name.to_owned() };
        let mut scope = vec![(value_name, element, holes)];
        if with_key {
            scope.insert(0, ("k", key, false));
        }
        let head = self.sequence("%", &format!("for {names} in {collection}"));
        let body = self.with_names(&scope, |maker| maker.parts(place));
        head + &body + &self.sequence("%", "endfor")
    }
}
