//! Expressions that create collections, and those that iterate over them: `for` in both forms, and splats.

use super::maker::{Made, Maker};
use super::ty::Ty;

/// Names of variables of a `for`, some of which hide others.
const NAMES: &[&str] = &["x", "v", "item", "k", "i", "s", "n", "o", "é", "ls", "x-y"];

impl Maker<'_> {
    /// A collection or structure of a type, or what converts to it.
    pub(super) fn collection(&mut self, ty: &Ty) -> Made {
        match ty {
            Ty::List(element) => match self.rng.u8(..12) {
                0..5 => self.for_tuple(element),
                5 | 6 => self.splat(element).unwrap_or_else(|| self.literal(ty)),
                7 if self.functions => Made::atom(format!("tolist({})", self.literal(ty).text)),
                _ => self.literal(ty),
            },
            Ty::Set(element) => match self.rng.u8(..6) {
                0 => self.for_tuple(element),
                1..5 if self.functions => Made::atom(format!("toset({})", self.literal(ty).text)),
                _ => self.literal(ty),
            },
            Ty::Map(element) => match self.rng.u8(..10) {
                0..4 => self.for_object(element),
                4 | 5 if self.functions => Made::atom(format!("tomap({})", self.literal(ty).text)),
                _ => self.literal(ty),
            },
            _ => self.literal(ty),
        }
    }

    /// A collection to iterate over: its text, the types of keys and elements, and whether some may be null.
    pub(super) fn iterable(&mut self) -> (String, Ty, Ty, bool) {
        if self.rng.u8(..10) < 7 {
            let path = match self.rng.u8(..14) {
                0 => self.path(|path| path.ty == Ty::Any && !path.null),
                1 => self.path(|path| !path.null && !path.ty.is_primitive()),
                _ => self.path(|path| {
                    !path.null && !path.holes && path.ty != Ty::Any && path.ty.elements().is_some()
                }),
            };
            if let Some((path, (key, element))) =
                path.and_then(|path| Some((path.clone(), path.ty.elements()?)))
            {
                return (path.text.clone(), key, element, path.holes);
            }
        }
        let element = if self.rng.bool() { Ty::primitive(self.rng) } else { self.any_type() };
        let ty = match self.rng.u8(..6) {
            0..3 => Ty::list(element),
            3 => Ty::set(element),
            4 => Ty::map(element),
            _ => Ty::Tuple(vec![element.clone(), element]),
        };
        let (_, element) = ty.elements().unwrap_or((Ty::Any, Ty::Any));
        let text = self.value(&ty).text;
        // A tuple or an object may be used as a set or a map.
        let key = if matches!(ty, Ty::Map(_)) { Ty::Str } else { Ty::Any };
        (text, key, element, false)
    }

    /// The head of a `for`; then its rest, with the variables in scope.
    fn iterate(&mut self, rest: impl FnOnce(&mut Self, &str, &Ty) -> String) -> String {
        let (collection, key_type, element, holes) = self.iterable();
        let value_name = self.pick(NAMES);
        let key_name = self.pick(NAMES);
        let with_key = self.rng.u8(..5) < 2;
        let names = if with_key { format!("{key_name}, {value_name}") } else { value_name.to_owned() };
        let mut scope = vec![(value_name, element, holes)];
        if with_key {
            scope.insert(0, (key_name, key_type.clone(), false));
        }
        let (key_name, key_type) = if with_key { (key_name, key_type) } else { ("", Ty::Any) };
        let colon = self.pick(&[" : ", " : ", ": ", ":\n"]);
        let rest = self.with_names(&scope, |maker| rest(maker, key_name, &key_type));
        format!("for {names} in {collection}{colon}{rest}")
    }

    fn condition(&mut self) -> String {
        if !self.one_in(3) {
            return String::new();
        }
        let condition = self.deeper(|maker| maker.value(&Ty::Bool)).text;
        format!(" if {condition}")
    }

    pub(super) fn for_tuple(&mut self, element: &Ty) -> Made {
        let inner = self.iterate(|maker, _, _| {
            let value = maker.value(element).text;
            value + &maker.condition()
        });
        Made::atom(format!("[{inner}]"))
    }

    /// A `for` that creates an object, with grouping if keys may be equal.
    pub(super) fn for_object(&mut self, element: &Ty) -> Made {
        let inner = self.iterate(|maker, key_name, key_type| {
            let unique = !key_name.is_empty() && *key_type != Ty::Any && maker.rng.u8(..4) > 0;
            let key = if unique {
                match maker.rng.u8(..4) {
                    0 => format!("\"${{{key_name}}}\""),
                    1 => format!("\"k-${{{key_name}}}\""),
                    2 if maker.functions => format!("upper({key_name})"),
                    _ => key_name.to_owned(),
                }
            } else {
                maker.deeper(|maker| maker.value(&Ty::Str)).text
            };
            let group = if unique && maker.rng.u8(..5) > 0 || maker.one_in(10) { "" } else { "..." };
            let value = maker.value(element).text;
            format!("{key} => {value}{group}{}", maker.condition())
        });
        Made::atom(format!("{{{inner}}}"))
    }

    /// A splat whose elements are of a type.
    fn splat(&mut self, element: &Ty) -> Option<Made> {
        let inner = |ty: &Ty| match ty {
            Ty::Object(parts) => {
                parts.iter().find(|(_, part)| part == element).map(|(name, _)| format!(".{name}"))
            }
            Ty::List(part) if **part == *element => Some("[0]".to_owned()),
            Ty::Tuple(parts) => parts.iter().position(|part| part == element).map(|n| format!("[{n}]")),
            _ if ty == element => Some(String::new()),
            _ => None,
        };
        let steps = |ty: &Ty| match ty {
            Ty::Any => Some(".a".to_owned()),
            Ty::Tuple(parts) if parts.is_empty() => None,
            Ty::List(_) | Ty::Set(_) | Ty::Tuple(_) => inner(&ty.elements()?.1),
            // One value is a list of one.
            other => inner(other),
        };
        let wild = self.one_in(12);
        let path = self.path(|path| {
            (!path.null || wild) && !path.holes && path.ty.is_primitive() == wild && steps(&path.ty).is_some()
        })?;
        let steps = steps(&path.ty)?;
        let plain = !steps.contains(['[', ' ']);
        let splat = if plain && self.one_in(3) { ".*" } else { "[*]" };
        let behind = match self.rng.u8(..16) {
            // After an attribute-only splat, an index applies to the result.
            0 => "[0]",
            1 => ".*",
            2 => "[*]",
            _ => "",
        };
        Some(Made::atom(format!("{}{splat}{steps}{behind}", path.text)))
    }

    /// A splat of anything, with anything after it.
    pub(super) fn any_splat(&mut self) -> Made {
        let base = match self.rng.u8(..6) {
            0 => self
                .deeper(|maker| maker.value(&Ty::list(Ty::object([("a", Ty::Str), ("n", Ty::Num)]))))
                .term(),
            1 => self.path_text(|path| path.null).unwrap_or_else(|| "null".to_owned()),
            _ => self.path_text(|_| true).unwrap_or_else(|| "[1]".to_owned()),
        };
        let splat = self.pick(&["[*]", "[*]", ".*"]);
        let mut text = base + splat;
        for _ in 0..self.pick(&[0, 0, 1, 1, 2]) {
            text += self.pick(&[
                ".a", ".id", ".n", ".name", "[0]", ".0", "[\"a\"]", "[*]", ".*", ".items", ".tags", "[n]",
                "[u]",
            ]);
        }
        Made::atom(text)
    }
}
