//! Random expressions of a wanted type over given variables, by the chapters of the specification. Most of them
//! evaluate without errors; mistakes are inserted on request.

use std::rc::Rc;

use fastrand::Rng;

use super::scope::{Path, Variables, attribute};
use super::ty::{KEYS, Ty, pick};

/// An expression, and whether operators and steps may follow it directly.
pub(super) struct Made {
    pub(super) text: String,
    pub(super) atom: bool,
}

impl Made {
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self { text: text.into(), atom: true }
    }

    pub(super) fn loose(text: String) -> Self {
        Self { text, atom: false }
    }

    /// The expression as an operand.
    pub(super) fn term(self) -> String {
        if self.atom { self.text } else { format!("({})", self.text) }
    }
}

/// Makes one expression or template.
pub(super) struct Maker<'r> {
    pub(super) rng: &'r mut Rng,
    paths: Vec<Rc<Path>>,
    /// The number of enclosing scopes.
    inner: usize,
    /// Whether there are functions.
    pub(super) functions: bool,
    /// How much more deeply expressions may nest.
    pub(super) depth: u8,
    /// How many more mistakes may be inserted, and the probability of each in thousandths.
    pub(super) mistakes: u8,
    pub(super) likely: u16,
}

impl<'r> Maker<'r> {
    pub(super) fn new(rng: &'r mut Rng, variables: &Variables, functions: bool) -> Self {
        let depth = pick(rng, &[1, 2, 2, 3, 3, 4]);
        let mistakes = if rng.u8(..100) < 26 { pick(rng, &[1, 1, 2]) } else { 0 };
        let likely = pick(rng, &[100, 200, 500]);
        Self {
            rng,
            paths: variables.paths.iter().cloned().map(Rc::new).collect(),
            inner: 0,
            functions,
            depth,
            mistakes,
            likely,
        }
    }

    pub(super) fn one_in(&mut self, n: u32) -> bool {
        self.rng.u32(..n) == 0
    }

    pub(super) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        pick(self.rng, list)
    }

    pub(super) fn any_type(&mut self) -> Ty {
        Ty::random(self.rng, 2)
    }

    /// Runs one level deeper.
    pub(super) fn deeper<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.depth;
        self.depth = depth.saturating_sub(1);
        let made = make(self);
        self.depth = depth;
        made
    }

    /// Runs a closure with more names in scope, each with its type and whether it may contain nulls.
    pub(super) fn with_names<T>(
        &mut self,
        names: &[(&str, Ty, bool)],
        make: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.paths.clone();
        for (name, ty, holes) in names {
            self.paths.retain(|path| path.root != *name);
            let mut add = |text: String, ty: &Ty| {
                let (root, null, holes) = ((*name).to_owned(), *holes, *holes);
                self.paths.push(Rc::new(Path { root, text, ty: ty.clone(), null, holes }));
            };
            add((*name).to_owned(), ty);
            if let Ty::Object(parts) = ty {
                for (part, ty) in parts {
                    add(format!("{name}{}", attribute(self.rng, part)), ty);
                }
            }
        }
        self.inner += 1;
        let made = make(self);
        self.inner -= 1;
        self.paths = outer;
        made
    }

    /// A path of that type.
    pub(super) fn path(&mut self, fits: impl Fn(&Path) -> bool) -> Option<Rc<Path>> {
        // The innermost names are the most interesting.
        let recent = if self.inner > 0 && self.rng.bool() { self.paths.len().saturating_sub(4) } else { 0 };
        for start in [recent, 0] {
            let found: Vec<_> = self.paths[start..].iter().filter(|path| fits(path)).collect();
            if let Some(path) = self.rng.choice(found) {
                return Some(Rc::clone(path));
            }
        }
        None
    }

    pub(super) fn path_text(&mut self, fits: impl Fn(&Path) -> bool) -> Option<String> {
        self.path(fits).map(|path| path.text.clone())
    }

    fn path_of(&mut self, ty: &Ty) -> Option<Made> {
        // An unknown value may be of any type.
        let any = self.one_in(60);
        let fits = |path: &Path| (path.ty == *ty || any && path.ty == Ty::Any) && !path.null && !path.holes;
        self.path_text(fits).map(Made::atom)
    }

    /// An expression of a type, or nearly so.
    pub(super) fn value(&mut self, ty: &Ty) -> Made {
        if self.mistakes > 0 && self.rng.u16(..1000) < self.likely {
            self.mistakes -= 1;
            return self.mistake(ty);
        }
        if self.depth == 0 {
            return self.leaf(ty);
        }
        self.deeper(|maker| maker.nested(ty))
    }

    fn nested(&mut self, ty: &Ty) -> Made {
        match self.rng.u8(..28) {
            0..7 => {
                if let Some(path) = self.path_of(ty) {
                    return path;
                }
            }
            7 => return self.conditional(ty),
            8 => {
                let inner = self.value(ty).text;
                return Made::atom(format!("({}{inner}{})", self.blank(), self.blank()));
            }
            9 => return self.step_into(ty),
            10 | 11 if self.functions => {
                if let Some(call) = self.call(ty) {
                    return call;
                }
            }
            12 if self.functions => return self.trying(ty),
            _ => {}
        }
        match ty {
            Ty::Any => {
                let ty = self.any_type();
                self.value(&ty)
            }
            Ty::Num => self.number(),
            Ty::Bool => self.boolean(),
            Ty::Str => self.string(),
            _ => self.collection(ty),
        }
    }

    /// The shortest: a literal or a variable.
    pub(super) fn leaf(&mut self, ty: &Ty) -> Made {
        let path = if self.rng.u8(..5) > 1 { self.path_of(ty) } else { None };
        if let Some(path) = path {
            return path;
        }
        match ty {
            Ty::Any => {
                let ty = Ty::primitive(self.rng);
                self.leaf(&ty)
            }
            Ty::Num => Made::atom(self.pick(&[
                "0",
                "1",
                "2",
                "3",
                "10",
                "0.5",
                "1e3",
                "007",
                "1.50",
                "99999999999999999999",
            ])),
            Ty::Bool => Made::atom(self.pick(&["true", "false"])),
            Ty::Str => {
                let text = self.pick(&[
                    "", "a", "b", "x y", "id", "é", "5", "true", "\\n", "$${x}", "%%{y}", "a\\tb", "日本",
                ]);
                Made::atom(format!("\"{text}\""))
            }
            _ => self.literal(ty),
        }
    }

    /// A tuple or object with elements that fit.
    pub(super) fn literal(&mut self, ty: &Ty) -> Made {
        let count = self.pick(&[0, 1, 1, 2, 2, 3]);
        match ty {
            Ty::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|ty| self.value(ty).text).collect();
                self.tuple(&parts)
            }
            Ty::Object(parts) => {
                let parts: Vec<_> =
                    parts.iter().map(|(name, ty)| (name.clone(), self.value(ty).text)).collect();
                self.object(&parts)
            }
            Ty::Map(element) => {
                let mut parts: Vec<(String, String)> = Vec::new();
                for _ in 0..count {
                    parts.push((self.pick(KEYS).to_owned(), self.value(element).text));
                }
                self.object(&parts)
            }
            Ty::List(element) | Ty::Set(element) => {
                let parts: Vec<_> = (0..count).map(|_| self.value(element).text).collect();
                self.tuple(&parts)
            }
            Ty::Any | Ty::Str | Ty::Num | Ty::Bool => self.leaf(ty),
        }
    }

    fn tuple(&mut self, parts: &[String]) -> Made {
        let comma = self.pick(&[", ", ", ", ",", " , ", ",\n"]);
        let last = if !parts.is_empty() && self.one_in(8) { "," } else { "" };
        Made::atom(format!("[{}{}{last}{}]", self.blank(), parts.join(comma), self.blank()))
    }

    fn object(&mut self, parts: &[(String, String)]) -> Made {
        let lines = self.one_in(6);
        let mut text = String::from(if lines { "{\n" } else { "{" });
        for (n, (name, value)) in parts.iter().enumerate() {
            let key = self.key(name);
            let assign = self.pick(&[" = ", " = ", " = ", ": ", "="]);
            let comma = if lines {
                self.pick(&["\n", ",\n"])
            } else if n + 1 < parts.len() {
                ", "
            } else {
                ""
            };
            text.push_str(&key);
            text.push_str(assign);
            text.push_str(value);
            text.push_str(comma);
        }
        text.push('}');
        Made::atom(text)
    }

    /// The key of an object's item in one of its forms.
    fn key(&mut self, name: &str) -> String {
        let quoted = format!("\"{name}\"");
        match self.rng.u8(..10) {
            0 => format!("({})", self.deeper(|maker| maker.leaf(&Ty::Str)).text),
            1 => format!("({quoted})"),
            2 => format!("\"{name}${{1}}\""),
            3 => self.rng.u8(..9).to_string(),
            4 => "true".to_owned(),
            5 if self.depth > 0 => {
                let inner = self.deeper(|maker| maker.value(&Ty::Str));
                if inner.text.starts_with('"') { inner.text } else { format!("({})", inner.text) }
            }
            _ if !super::scope::is_name(name) || name == "for" => quoted,
            _ => name.to_owned(),
        }
    }

    fn blank(&mut self) -> &'static str {
        self.pick(&["", "", "", "", "", "", " ", "\n", " /* c */ ", " # c\n"])
    }

    fn number(&mut self) -> Made {
        match self.rng.u8(..12) {
            0..6 => {
                let count = self.pick(&[1, 1, 1, 2]);
                let mut text = self.operand(&Ty::Num);
                for _ in 0..count {
                    let operator = self.pick(&[" + ", " - ", " * ", " / ", " % ", "+", "*", " - "]);
                    text = format!("{text}{operator}{}", self.operand(&Ty::Num));
                }
                Made::loose(text)
            }
            6 => {
                let operand = self.value(&Ty::Num).term();
                Made::loose(format!("-{operand}"))
            }
            7 => Made::atom(format!("\"{}\"", self.pick(&["1", "2.5", "-3", "1e2", "0"]))),
            8 if self.functions => self.call(&Ty::Num).unwrap_or_else(|| Made::atom("1")),
            9 => {
                let inner = self.value(&Ty::Num).text;
                Made::atom(format!("\"${{{inner}}}\""))
            }
            _ => self.leaf(&Ty::Num),
        }
    }

    /// An operand, sometimes without the parentheses that it requires.
    fn operand(&mut self, ty: &Ty) -> String {
        let made = self.value(ty);
        if !made.text.contains('?') && self.one_in(3) { made.text } else { made.term() }
    }

    fn boolean(&mut self) -> Made {
        match self.rng.u8(..14) {
            0..3 => {
                let operator = self.pick(&[" < ", " > ", " <= ", " >= "]);
                let left = self.value(&Ty::Num).term();
                Made::loose(format!("{left}{operator}{}", self.value(&Ty::Num).term()))
            }
            3..7 => self.equality(),
            7..11 => {
                let mut text = self.operand(&Ty::Bool);
                for _ in 0..self.pick(&[1, 1, 2]) {
                    let operator = self.pick(&[" && ", " || "]);
                    text = format!("{text}{operator}{}", self.operand(&Ty::Bool));
                }
                Made::loose(text)
            }
            11 => {
                let operand = self.value(&Ty::Bool).term();
                Made::loose(format!("!{operand}"))
            }
            12 => Made::atom(self.pick(&["\"true\"", "\"false\""])),
            _ => self.leaf(&Ty::Bool),
        }
    }

    fn equality(&mut self) -> Made {
        let operator = self.pick(&[" == ", " != ", "=="]);
        let ty = if self.rng.bool() { Ty::primitive(self.rng) } else { self.any_type() };
        let left = match self.rng.u8(..8) {
            // Any value, including null.
            0 | 1 => self.path_text(|_| true).unwrap_or_else(|| "null".to_owned()),
            _ => self.value(&ty).term(),
        };
        let right = match self.rng.u8(..8) {
            0 => "null".to_owned(),
            1 => self.path_text(|_| true).unwrap_or_else(|| "null".to_owned()),
            2 => {
                let other = self.any_type();
                self.value(&other).term()
            }
            _ => self.value(&ty).term(),
        };
        Made::loose(format!("{left}{operator}{right}"))
    }

    /// A conditional, whose results resemble each other more or less.
    pub(super) fn conditional(&mut self, ty: &Ty) -> Made {
        let fitting = match self.rng.u8(..8) {
            0 => Some(self.pick(&["true", "false", "\"true\""]).to_owned()),
            1 => self.path_text(|path| path.ty == Ty::Any && !path.null),
            2 => self.path_text(|path| path.ty == Ty::Bool && !path.null),
            _ => None,
        };
        let condition = fitting.unwrap_or_else(|| self.value(&Ty::Bool).term());
        let result = self.value(ty).term();
        let other = match self.rng.u8(..14) {
            0 => "null".to_owned(),
            1 => self.path_text(|path| path.null && path.ty == *ty).unwrap_or_else(|| "null".to_owned()),
            2 => self.path_text(|path| path.ty == Ty::Any).unwrap_or_else(|| "null".to_owned()),
            3 if *ty == Ty::Str => self.value(&Ty::Num).term(),
            4 if *ty == Ty::Str => self.value(&Ty::Bool).term(),
            3 if *ty == Ty::Num => self.value(&Ty::Str).term(),
            3 | 4 => {
                let other = self.resembling(ty);
                self.value(&other).term()
            }
            _ => self.value(ty).term(),
        };
        let (result, other) = if self.one_in(4) { (other, result) } else { (result, other) };
        Made::loose(format!("{condition} ? {result} : {other}"))
    }

    /// A type that may or may not unify with another.
    fn resembling(&mut self, ty: &Ty) -> Ty {
        match ty {
            Ty::List(element) => match self.rng.u8(..3) {
                0 => Ty::Set(element.clone()),
                1 => Ty::Tuple(vec![(**element).clone()]),
                _ => Ty::list(self.resembling(element)),
            },
            Ty::Set(element) => Ty::List(element.clone()),
            Ty::Map(element) => match self.rng.u8(..3) {
                0 => Ty::Object(vec![("a".to_owned(), (**element).clone())]),
                _ => Ty::map(self.resembling(element)),
            },
            Ty::Tuple(parts) => {
                let mut parts: Vec<_> = parts.iter().map(|part| self.resembling(part)).collect();
                if self.one_in(3) {
                    parts.push(Ty::Num);
                }
                Ty::Tuple(parts)
            }
            Ty::Object(parts) => {
                let mut parts: Vec<_> =
                    parts.iter().map(|(name, part)| (name.clone(), self.resembling(part))).collect();
                if self.one_in(4) {
                    parts.pop();
                }
                Ty::Object(parts)
            }
            Ty::Str | Ty::Num | Ty::Bool => {
                if self.one_in(3) {
                    Ty::primitive(self.rng)
                } else {
                    ty.clone()
                }
            }
            Ty::Any => Ty::primitive(self.rng),
        }
    }

    /// A step into a collection that is written out.
    fn step_into(&mut self, ty: &Ty) -> Made {
        let inner = self.value(ty).text;
        let other = self.value(ty).text;
        match self.rng.u8(..9) {
            0 => Made::atom(format!("[{inner}][0]")),
            1 => {
                let at = self.value_of_number(2);
                Made::atom(format!("[{other}, {inner}][{at}]"))
            }
            2 => Made::atom(format!("{{a = {inner}}}.a")),
            3 => Made::atom(format!("{{a = {inner}, b = {other}}}[\"a\"]")),
            4 => {
                let key = self.pick(&["\"b\"", "\"${\"b\"}\"", "true ? \"b\" : \"a\"", "(\"b\")"]);
                Made::atom(format!("{{a = {inner}, b = {other}}}[{key}]"))
            }
            5 if self.functions => Made::atom(format!("tomap({{a = {inner}}}).a")),
            6 if self.functions => Made::atom(format!("tolist([{inner}])[0]")),
            7 => Made::atom(format!("[{inner}].0")),
            _ => self.keyed(ty).unwrap_or_else(|| Made::atom(format!("[{inner}][\"0\"]"))),
        }
    }

    /// A number below a limit, in any notation.
    fn value_of_number(&mut self, limit: u8) -> String {
        let n = self.rng.u8(..limit);
        match self.rng.u8(..6) {
            0 => format!("\"{n}\""),
            1 => format!("{n} * 1"),
            2 => format!("true ? {n} : 0"),
            3 => format!("{n}.0"),
            _ => n.to_string(),
        }
    }

    /// A collection of the scope, at an index or key that is a value of the scope.
    fn keyed(&mut self, ty: &Ty) -> Option<Made> {
        let path = self.path(|path| match &path.ty {
            Ty::List(element) | Ty::Map(element) => **element == *ty && !path.null && !path.holes,
            Ty::Any => !path.null,
            _ => false,
        })?;
        let key = match &path.ty {
            Ty::Map(_) => self.path_text(|path| path.ty == Ty::Str && !path.null),
            _ => self.path_text(|path| path.ty == Ty::Num && !path.null),
        };
        let key = key.unwrap_or_else(|| "0".to_owned());
        // It is not known here whether the key exists.
        let step = format!("{}[{key}]", path.text);
        if self.functions && self.rng.u8(..4) > 0 {
            return Some(Made::atom(format!("try({step}, {})", self.value(ty).text)));
        }
        Some(Made::atom(step))
    }

    fn trying(&mut self, ty: &Ty) -> Made {
        if *ty == Ty::Bool && self.rng.bool() {
            self.mistakes += 1;
            let mistaken = self.value(&Ty::Any).text;
            self.mistakes = self.mistakes.saturating_sub(1);
            return Made::atom(format!("can({mistaken})"));
        }
        let first = if self.rng.bool() { self.mistake(ty).text } else { self.value(ty).text };
        Made::atom(format!("try({first}, {})", self.value(ty).text))
    }
}
