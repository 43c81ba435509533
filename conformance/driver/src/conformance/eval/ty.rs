//! Types that expressions are made of, and random values of them as the protocol writes values.

use fastrand::Rng;
use serde_json::{Map, Value, json};

/// A type, as far as it matters for making expressions.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Ty {
    Any,
    Str,
    Num,
    Bool,
    List(Box<Self>),
    Set(Box<Self>),
    Map(Box<Self>),
    Tuple(Vec<Self>),
    Object(Vec<(String, Self)>),
}

/// Names of attributes and keys of maps.
pub(super) const KEYS: &[&str] = &["a", "b", "c", "id", "name", "é", "x-y", "a b", "0", "for", ""];

pub(super) fn pick<T: Copy>(rng: &mut Rng, list: &[T]) -> T {
    list[rng.usize(..list.len())]
}

/// How often a value is not plain.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Wild {
    /// Of a hundred parts, how many are unknown, and how many marked.
    pub(super) odd: u8,
    /// Of a hundred parts, how many are null.
    pub(super) null: u8,
}

impl Ty {
    pub(super) const PLAIN: Wild = Wild { odd: 0, null: 0 };

    pub(super) fn list(element: Self) -> Self {
        Self::List(Box::new(element))
    }

    pub(super) fn set(element: Self) -> Self {
        Self::Set(Box::new(element))
    }

    pub(super) fn map(element: Self) -> Self {
        Self::Map(Box::new(element))
    }

    pub(super) fn object<const N: usize>(attributes: [(&str, Self); N]) -> Self {
        Self::Object(attributes.into_iter().map(|(name, ty)| (name.to_owned(), ty)).collect())
    }

    pub(super) fn primitive(rng: &mut Rng) -> Self {
        [Self::Str, Self::Num, Self::Bool][rng.usize(..3)].clone()
    }

    pub(super) fn random(rng: &mut Rng, depth: u8) -> Self {
        if depth == 0 || rng.u8(..10) < 4 {
            return Self::primitive(rng);
        }
        match rng.u8(..8) {
            0 | 1 => Self::list(Self::random(rng, depth - 1)),
            2 => Self::set(Self::random(rng, depth - 1)),
            3 | 4 => Self::map(Self::random(rng, depth - 1)),
            5 => Self::Tuple((0..rng.u8(..4)).map(|_| Self::random(rng, depth - 1)).collect()),
            _ => {
                let mut attributes: Vec<(String, Self)> = Vec::new();
                for _ in 0..rng.u8(..4) {
                    let name = pick(rng, &KEYS[..8]).to_owned();
                    if !attributes.iter().any(|(other, _)| *other == name) {
                        attributes.push((name, Self::random(rng, depth - 1)));
                    }
                }
                Self::Object(attributes)
            }
        }
    }

    pub(super) fn is_primitive(&self) -> bool {
        matches!(self, Self::Str | Self::Num | Self::Bool)
    }

    /// The types of the keys and elements in a `for` over a value of this type.
    pub(super) fn elements(&self) -> Option<(Self, Self)> {
        Some(match self {
            Self::Any => (Self::Any, Self::Any),
            Self::List(element) => (Self::Num, (**element).clone()),
            Self::Set(element) => ((**element).clone(), (**element).clone()),
            Self::Map(element) => (Self::Str, (**element).clone()),
            Self::Tuple(parts) => (Self::Num, Self::common(parts.iter())),
            Self::Object(parts) => (Self::Str, Self::common(parts.iter().map(|(_, ty)| ty))),
            Self::Str | Self::Num | Self::Bool => return None,
        })
    }

    /// The common type, or any.
    fn common<'t>(mut types: impl Iterator<Item = &'t Self>) -> Self {
        let Some(first) = types.next() else { return Self::Any };
        if types.all(|ty| ty == first) { first.clone() } else { Self::Any }
    }

    pub(super) fn json(&self) -> Value {
        match self {
            Self::Any => "any".into(),
            Self::Str => "string".into(),
            Self::Num => "number".into(),
            Self::Bool => "bool".into(),
            Self::List(element) => json!(["list", element.json()]),
            Self::Set(element) => json!(["set", element.json()]),
            Self::Map(element) => json!(["map", element.json()]),
            Self::Tuple(parts) => json!(["tuple", parts.iter().map(Self::json).collect::<Vec<_>>()]),
            Self::Object(parts) => {
                let parts: Map<_, _> = parts.iter().map(|(name, ty)| (name.clone(), ty.json())).collect();
                json!(["object", parts])
            }
        }
    }

    /// A value of this type.
    pub(super) fn value(&self, rng: &mut Rng, wild: Wild) -> Value {
        let draw = rng.u8(..100);
        if draw < wild.null {
            return json!({ "null": self.json() });
        }
        if draw < wild.null + wild.odd {
            return self.unknown(rng);
        }
        if draw < wild.null + wild.odd * 2 {
            let value = self.known(rng, wild);
            return marked(rng, &value);
        }
        self.known(rng, wild)
    }

    pub(super) fn known(&self, rng: &mut Rng, wild: Wild) -> Value {
        let count = pick(rng, &[0, 1, 2, 2, 3, 3]);
        match self {
            Self::Any if rng.bool() => json!({ "unknown": "any" }),
            Self::Any => {
                let ty = Self::random(rng, 1);
                ty.value(rng, wild)
            }
            Self::Str => json!({ "string": pick(rng, TEXTS) }),
            Self::Num => json!({ "number": pick(rng, NUMBERS) }),
            Self::Bool => json!({ "bool": rng.bool() }),
            Self::List(element) => {
                let items: Vec<_> = (0..count).map(|_| element.value(rng, wild)).collect();
                json!({ "list": items, "elem": element.json() })
            }
            Self::Set(element) => {
                let items: Vec<_> = (0..count).map(|_| element.value(rng, wild)).collect();
                json!({ "set": items, "elem": element.json() })
            }
            Self::Map(element) => {
                let items: Map<_, _> =
                    (0..count).map(|_| (pick(rng, KEYS).to_owned(), element.value(rng, wild))).collect();
                json!({ "map": items, "elem": element.json() })
            }
            Self::Tuple(parts) => {
                let items: Vec<_> = parts.iter().map(|ty| ty.value(rng, wild)).collect();
                json!({ "tuple": items })
            }
            Self::Object(parts) => {
                let items: Map<_, _> =
                    parts.iter().map(|(name, ty)| (name.clone(), ty.value(rng, wild))).collect();
                json!({ "object": items })
            }
        }
    }

    /// An unknown value of this type, sometimes with refinements.
    pub(super) fn unknown(&self, rng: &mut Rng) -> Value {
        let mut unknown = json!({ "unknown": self.json() });
        if *self == Self::Any || rng.bool() {
            return unknown;
        }
        if rng.u8(..3) > 0 {
            unknown["not_null"] = true.into();
        }
        match self {
            Self::Str if rng.bool() => {
                unknown["prefix"] = pick(rng, &["a", "ab", "tru", "4", "é-", "hello "]).into();
            }
            Self::Num if rng.bool() => {
                if rng.bool() {
                    unknown["min"] = json!([rng.i8(-9..3).to_string(), rng.bool()]);
                }
                if rng.bool() {
                    unknown["max"] = json!([rng.i8(3..12).to_string(), rng.bool()]);
                }
            }
            Self::List(_) | Self::Set(_) | Self::Map(_) if rng.bool() => {
                let min = rng.u8(..3);
                if min > 0 {
                    unknown["min_len"] = min.into();
                }
                if rng.bool() {
                    unknown["max_len"] = (min + rng.u8(..3)).into();
                }
            }
            _ => {}
        }
        unknown
    }
}

/// A value with one or two marks.
pub(super) fn marked(rng: &mut Rng, value: &Value) -> Value {
    let marks = pick(rng, &[&["m"] as &[_], &["m"], &["n"], &["m", "n"]]);
    json!({ "marks": marks, "of": value })
}

/// Strings: some are numbers or bools, some have no letters, all are short.
const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "ab",
    "hello",
    "Hello World",
    "x-y",
    "é",
    "日本",
    "1",
    "42",
    "-7.5",
    "true",
    "false",
    "a,b",
    " a ",
    "line\nline\n",
    "\u{1F468}\u{200D}\u{1F469}",
    "e\u{301}",
    "\"q\"",
    "${a}",
    "0",
    "2",
    "id",
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "5",
    "10",
    "-1",
    "-3",
    "0.5",
    "1.25",
    "-7.5",
    "3.3333333333",
    "100",
    "1e3",
    "4294967296",
    "123456789012345678901234567890",
    "1e-3",
];
