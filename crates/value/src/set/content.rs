//! The text of an element's content, which orders sets of structures, and the same order without writing the text.

use std::cmp::Ordering;
use std::fmt::Write;

use crate::pairs::Pairs;
use crate::value::Repr;
use crate::{Entries, Str, Value};

/// The text of a value's content, or `None` if it is longer than `room`. Subtracts its length from `room`.
pub(super) fn text(value: &Value, room: &mut usize) -> Option<String> {
    let mut text = String::new();
    let mut out = Bounded { text: &mut text, most: *room };
    out.content(value)?;
    *room -= text.len();
    Some(text)
}

/// Compares the texts of two values' contents. A pair of shared parts is compared only once.
pub(super) fn compare(a: &Value, b: &Value) -> Ordering {
    contents(a, b, true, &mut Pairs::default())
}

// Plain functions instead of closures keep stack frames small: there is one for each level of nesting.

/// Compares two contents. They are whole texts if `whole`; otherwise a semicolon follows each.
fn contents(a: &Value, b: &Value, whole: bool, pairs: &mut Pairs<Ordering>) -> Ordering {
    let (a, b) = (a.bare(), b.bare());
    match (&a.0, &b.0) {
        _ if a.is_one_with(b) => Ordering::Equal,
        (
            Repr::Number(_) | Repr::Bool(_) | Repr::Capsule(_),
            Repr::Number(_) | Repr::Bool(_) | Repr::Capsule(_),
        ) => leaves(a, b, whole),
        (Repr::String(a), Repr::String(b)) => quoted(a, b),
        (Repr::List(_) | Repr::Set(_), Repr::List(_) | Repr::Set(_))
        | (Repr::Tuple(_), Repr::Tuple(_))
        | (Repr::Object(_), Repr::Object(_))
        | (Repr::Map(_), Repr::Map(_)) => compounds(a, b, pairs),
        _ => first_byte(a).cmp(&first_byte(b)),
    }
}

/// Compares two short texts with the semicolons that follow them.
fn leaves(a: &Value, b: &Value, whole: bool) -> Ordering {
    let text = |value: &Value| {
        let mut text = String::new();
        let _ = Bounded { text: &mut text, most: usize::MAX }.content(value);
        if !whole {
            text.push(';');
        }
        text
    };
    text(a).cmp(&text(b))
}

/// Compares two texts as quoted, up to the first difference: equal characters are quoted in the same way.
fn quoted(a: &str, b: &str) -> Ordering {
    let next = |character: Option<char>| {
        let mut text = String::new();
        match character {
            Some(character) => write_escaped(character, &mut text),
            None => text.push('"'),
        }
        text
    };
    let mut others = b.chars();
    for own in a.chars() {
        let other = others.next();
        if other != Some(own) {
            return next(Some(own)).cmp(&next(other));
        }
    }
    match others.next() {
        Some(other) => next(None).cmp(&next(Some(other))),
        None => Ordering::Equal,
    }
}

fn compounds(a: &Value, b: &Value, pairs: &mut Pairs<Ordering>) -> Ordering {
    let places = a.places_with(b);
    if let Some(found) = pairs.found(places) {
        return found;
    }
    let found = parts(a, b, pairs);
    pairs.keep(places, found)
}

fn parts(a: &Value, b: &Value, pairs: &mut Pairs<Ordering>) -> Ordering {
    let (mut keys, mut others) = (a.entries(), b.entries());
    for (own, other) in a.parts().iter().zip(b.parts()) {
        let named = next_keys(&mut keys, &mut others, matches!(a.0, Repr::Map(_)));
        let order = if named == Ordering::Equal { contents(own, other, false, pairs) } else { named };
        if order != Ordering::Equal {
            return order;
        }
    }
    let shared = a.parts().len().min(b.parts().len());
    after(a, shared).cmp(&after(b, shared))
}

/// Compares the keys or names of the next entries.
fn next_keys(own: &mut Option<Entries<'_>>, other: &mut Option<Entries<'_>>, are_quoted: bool) -> Ordering {
    let key = |entries: &mut Option<Entries<'_>>| {
        entries.as_mut().and_then(Iterator::next).map(|(key, _)| key.clone())
    };
    match (key(own), key(other)) {
        (Some(a), Some(b)) if are_quoted => quoted(&a, &b),
        (Some(a), Some(b)) if a != b => format!("{a}:").cmp(&format!("{b}:")),
        _ => Ordering::Equal,
    }
}

/// The next byte in the text of a compound value after `count` parts.
fn after(value: &Value, count: usize) -> u8 {
    match (value.parts().get(count), &value.0) {
        (Some(_), Repr::Map(_)) => b'"',
        (Some(part), Repr::List(_) | Repr::Set(_) | Repr::Tuple(_)) => first_byte(part),
        (Some(_), _) => value.entries().and_then(|mut entries| entries.nth(count)).map_or(0, first_of_name),
        (None, Repr::Map(_)) => b'}',
        (None, Repr::List(_) | Repr::Set(_)) => b']',
        (None, _) => b'>',
    }
}

fn first_of_name((name, _): (&Str, &Value)) -> u8 {
    name.as_bytes().first().copied().unwrap_or(b':')
}

/// The first byte in the text of a content.
fn first_byte(value: &Value) -> u8 {
    match &value.0 {
        Repr::UnknownDynamic | Repr::Open(_) | Repr::Unknown(_) => b'?',
        Repr::Null(_) => b'~',
        Repr::Number(number) => number.set_text().as_bytes().first().copied().unwrap_or_default(),
        Repr::Bool(flag) => {
            if *flag {
                b'T'
            } else {
                b'F'
            }
        }
        Repr::String(_) => b'"',
        Repr::Map(_) => b'{',
        Repr::List(_) | Repr::Set(_) => b'[',
        Repr::Tuple(_) | Repr::Object(_) => b'<',
        Repr::Capsule(_) => "«".as_bytes()[0],
        Repr::Marked(marked) => first_byte(&marked.value),
    }
}

/// Text with a maximum length.
struct Bounded<'t> {
    text: &'t mut String,
    most: usize,
}

impl Bounded<'_> {
    /// Writes a content, or returns `None` if the text becomes too long.
    fn content(&mut self, value: &Value) -> Option<()> {
        if self.text.len() > self.most {
            return None;
        }
        match &value.0 {
            Repr::UnknownDynamic | Repr::Open(_) | Repr::Unknown(_) => self.text.push('?'),
            Repr::Null(_) => self.text.push('~'),
            Repr::Number(number) => self.text.push_str(&number.set_text()),
            Repr::Bool(flag) => self.text.push(if *flag { 'T' } else { 'F' }),
            Repr::String(text) => write_quoted(text, self.text),
            Repr::Map(map) => {
                self.text.push('{');
                for (key, element) in map.iter() {
                    write_quoted(key, self.text);
                    self.text.push(':');
                    self.content(element)?;
                    self.text.push(';');
                }
                self.text.push('}');
            }
            Repr::List(list) => self.sequence('[', &list.items, ']')?,
            Repr::Set(set) => self.sequence('[', &set.items, ']')?,
            Repr::Tuple(tuple) => self.sequence('<', &tuple.items, '>')?,
            Repr::Object(object) => {
                self.text.push('<');
                for (name, attribute) in object.iter() {
                    self.text.push_str(name);
                    self.text.push(':');
                    self.content(attribute)?;
                    self.text.push(';');
                }
                self.text.push('>');
            }
            Repr::Capsule(capsule) => {
                let _ = write!(self.text, "«{}»", capsule.text().unwrap_or_default());
            }
            Repr::Marked(marked) => self.content(&marked.value)?,
        }
        (self.text.len() <= self.most).then_some(())
    }

    fn sequence(&mut self, open: char, items: &[Value], close: char) -> Option<()> {
        self.text.push(open);
        for item in items {
            self.content(item)?;
            self.text.push(';');
        }
        self.text.push(close);
        Some(())
    }
}

/// Quotes text the way the reference does for this purpose: characters that are not printable are escaped.
fn write_quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        write_escaped(c, out);
    }
    out.push('"');
}

fn write_escaped(c: char, out: &mut String) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{7}' => out.push_str("\\a"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{b}' => out.push_str("\\v"),
        c if is_printable(c) => out.push(c),
        c if (c as u32) < 0x80 => {
            let _ = write!(out, "\\x{:02x}", c as u32);
        }
        c if (c as u32) < 0x1_0000 => {
            let _ = write!(out, "\\u{:04x}", c as u32);
        }
        c => {
            let _ = write!(out, "\\U{:08x}", c as u32);
        }
    }
}

/// Returns true for letters, marks, numbers, punctuation, symbols and the plain space. `escape_debug` uses the same
/// definition, but also escapes grapheme extenders, which are printable here.
fn is_printable(c: char) -> bool {
    if c == ' ' || c.is_ascii_graphic() {
        return true;
    }
    if c.is_ascii() || c.is_whitespace() {
        return false;
    }
    // `escape_debug` does not escape a grapheme extender after another character.
    let mut text = [b'a'; 5];
    let end = 1 + c.encode_utf8(&mut text[1..]).len();
    std::str::from_utf8(&text[..end]).is_ok_and(|text| text.escape_debug().nth(1) == Some(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Type;

    /// Values of one type whose texts have many common prefixes.
    fn values() -> Vec<Value> {
        let mut random = crate::random::numbers();
        let mut leaf = move || match random() % 9 {
            0 => Value::null(Type::String),
            1 => Value::unknown(Type::String),
            at => Value::from(["", "a", "ab", "a\"", "a\n", "é", "a\u{301}"][at as usize - 2]),
        };
        let mut random = crate::random::numbers();
        let mut number =
            move || Value::from([1_i64, 10, 100, 12, -1, 123_456_789_012, 0][random() as usize % 7]);
        let mut random = crate::random::numbers();
        (0..300)
            .map(|_| {
                let list = Value::list_of(Type::String, (0..random() % 4).map(|_| leaf())).unwrap();
                let keys = ["a", "b\n", "ab", "c"];
                let entries = (0..random() % 4).map(|at| (keys[at as usize], number()));
                let map = Value::map_of(Type::Number, entries.collect::<Vec<_>>()).unwrap();
                let flag = Value::from(random().is_multiple_of(2));
                Value::object([("l", list), ("m", map), ("n", number()), ("t", Value::tuple([flag, leaf()]))])
            })
            .collect()
    }

    #[test]
    fn values_are_in_the_order_of_their_texts() {
        let text = |value: &Value| text(value, &mut { usize::MAX }).unwrap();
        let mut values = values();
        values.extend(["1", "10", "-1"].map(|number| Value::from(number).convert(&Type::Number).unwrap()));
        for a in &values {
            for b in &values {
                assert_eq!(compare(a, b), text(a).cmp(&text(b)), "{} and {}", text(a), text(b));
            }
        }
    }

    #[test]
    fn shared_parts_are_compared_once() {
        let doubled =
            |leaf: &str| (0..100).fold(Value::from(leaf), |value, _| Value::tuple([value.clone(), value]));
        let set = Value::set([doubled("b"), doubled("a"), doubled("b")]).unwrap();
        let leaves = set.parts().iter().map(|item| {
            let mut item = item;
            while let Some(inner) = item.parts().first() {
                item = inner;
            }
            item.as_str().unwrap().to_owned()
        });
        assert_eq!(leaves.collect::<Vec<_>>(), ["a", "b"]);
        assert!(text(&doubled("a"), &mut 1_000_000).is_none());
    }
}
