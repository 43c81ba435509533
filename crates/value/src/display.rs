//! Values as text for people: close to the syntax of the language, with parentheses around what it cannot
//! express. Color and a maximum length are for terminals.

use std::fmt::{self, Write};
use std::mem;

use crate::refine::Refinement;
use crate::types::names::{TypeText, is_identifier};
use crate::value::Repr;
use crate::written::{LONG, MOST_DEBUG, Room, quoted};
use crate::{Entries, Marks, Str, Type, Value};

/// Displays a value with options; see [`Value::show`].
///
/// ```
/// use hclkit_value::Value;
///
/// let list = Value::list([1, 2, 3].map(Value::from)).unwrap();
/// assert_eq!(list.show().with_limit(8).to_string(), "[1, 2, …");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Show<'a> {
    value: &'a Value,
    color: bool,
    limit: usize,
    marked: bool,
}

impl Value {
    #[doc(hidden)]
    /// The value as one line of text for people. Of marked values it shows only the marks. Text beyond the limit on bytes
    /// is cut off with an ellipsis.
    pub fn show(&self) -> Show<'_> {
        Show { value: self, color: false, limit: usize::MAX, marked: false }
    }
}

impl Show<'_> {
    /// Sets whether to use ANSI colors.
    #[must_use]
    pub fn with_color(mut self, color: bool) -> Self {
        self.color = color;
        self
    }

    /// Sets the maximum number of characters. Longer text is cut off with an ellipsis.
    #[must_use]
    pub fn with_limit(mut self, characters: usize) -> Self {
        self.limit = characters;
        self
    }

    /// Sets whether to show the content of marked values, which may be sensitive.
    #[must_use]
    pub fn with_reveal_marked(mut self, reveal: bool) -> Self {
        self.marked = reveal;
        self
    }
}

impl fmt::Display for Show<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out =
            Limited { f, left: self.limit, room: Room::default(), color: self.color, reveal: self.marked };
        match out.value(self.value) {
            // If the line is not full, the error comes from the formatter.
            Err(fmt::Error) if out.left > 0 => Err(fmt::Error),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.show(), f)
    }
}

/// Same as `Display`, but text of more than 65,536 characters is cut off.
#[doc(hidden)]
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.show().with_limit(MOST_DEBUG), f)
    }
}

struct Limited<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    left: usize,
    room: Room,
    color: bool,
    reveal: bool,
}

const TEXT: &str = "32";
const PLAIN: &str = "36";
const MISSING: &str = "35";

impl Limited<'_, '_> {
    fn put(&mut self, text: &str) -> fmt::Result {
        if self.left > 0 && !self.room.take(text.len()) {
            self.left = 0;
            self.f.write_char('…')?;
        }
        if self.left == 0 {
            return Err(fmt::Error);
        }
        if self.left == usize::MAX {
            return self.f.write_str(text);
        }
        for c in text.chars() {
            // The last character is the ellipsis.
            if self.left == 1 {
                self.left = 0;
                self.f.write_char('…')?;
            }
            if self.left == 0 {
                return Err(fmt::Error);
            }
            self.left -= 1;
            self.f.write_char(c)?;
        }
        Ok(())
    }

    fn colored(&mut self, code: &str, text: &str) -> fmt::Result {
        if !self.color {
            return self.put(text);
        }
        write!(self.f, "\x1b[{code}m")?;
        let done = self.put(text);
        self.f.write_str("\x1b[0m")?;
        done
    }

    /// Writes a value without recursion: values may be nested to any depth.
    fn value(&mut self, value: &Value) -> fmt::Result {
        let mut open = Vec::new();
        self.start(value, &mut open)?;
        while let Some(last) = open.last_mut() {
            let next = match last {
                Open::Elements { items, any, .. } => {
                    let next = items.next();
                    if next.is_some() && mem::replace(any, true) {
                        self.put(", ")?;
                    }
                    next
                }
                Open::Entries { items, any } => match items.next() {
                    Some((key, element)) => {
                        self.put(if mem::replace(any, true) { ", " } else { "{ " })?;
                        self.key(key)?;
                        Some(element)
                    }
                    None => None,
                },
                Open::Marked(_) => None,
            };
            if let Some(part) = next {
                self.start(part, &mut open)?;
                continue;
            }
            match open.pop() {
                Some(Open::Elements { close, .. }) => self.put(close)?,
                Some(Open::Entries { any, .. }) => self.put(if any { " }" } else { "{}" })?,
                Some(Open::Marked(marks)) => {
                    self.put(" ")?;
                    self.marks(marks)?;
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Writes a value without parts, or the start of one whose parts follow.
    fn start<'v>(&mut self, value: &'v Value, open: &mut Vec<Open<'v>>) -> fmt::Result {
        let (items, start, close) = match &value.0 {
            Repr::String(text) => return self.colored(TEXT, &quoted(text)),
            Repr::Number(number) => return self.colored(PLAIN, &number.to_string()),
            Repr::Bool(flag) => return self.colored(PLAIN, if *flag { "true" } else { "false" }),
            Repr::Null(_) => return self.colored(MISSING, "null"),
            Repr::UnknownDynamic | Repr::Open(_) => return self.colored(MISSING, "(unknown)"),
            Repr::Unknown(unknown) => {
                let text =
                    format!("(unknown {}{})", without_names(&unknown.ty), known_of(&unknown.refinement));
                return self.colored(MISSING, &text);
            }
            Repr::Capsule(capsule) => {
                let text = format!("{}({})", capsule.ty().name(), capsule.text().unwrap_or_default());
                return self.colored(PLAIN, &text);
            }
            Repr::Marked(marked) => {
                if !self.reveal {
                    return self.marks(&marked.marks);
                }
                open.push(Open::Marked(&marked.marks));
                return self.start(&marked.value, open);
            }
            Repr::List(list) => (list.iter(), "[", "]"),
            Repr::Tuple(tuple) => (tuple.iter(), "[", "]"),
            Repr::Set(set) => (set.iter(), "toset([", "])"),
            Repr::Map(map) => {
                open.push(Open::Entries { items: map.iter(), any: false });
                return Ok(());
            }
            Repr::Object(object) => {
                open.push(Open::Entries { items: object.iter(), any: false });
                return Ok(());
            }
        };
        open.push(Open::Elements { items, any: false, close });
        self.put(start)
    }

    fn key(&mut self, key: &Str) -> fmt::Result {
        // An unquoted `for` would start a `for` expression.
        if is_identifier(key) && key.as_str() != "for" {
            self.put(key)?;
        } else {
            self.put(&quoted(key))?;
        }
        self.put(" = ")
    }

    /// The text in place of a value with marks, such as `(sensitive)`.
    fn marks(&mut self, marks: &Marks) -> fmt::Result {
        self.colored(MISSING, &format!("({})", names(marks)))
    }
}

/// A value of which a part is being written.
enum Open<'v> {
    Elements { items: std::slice::Iter<'v, Value>, any: bool, close: &'static str },
    Entries { items: Entries<'v>, any: bool },
    Marked(&'v Marks),
}

fn names(marks: &Marks) -> String {
    marks.names().join(", ")
}

/// A type without the names of attributes, which may come from marked values: an unknown value keeps its type, but not
/// the marks of the values that it was built from.
fn without_names(ty: &Type) -> TypeText<'_> {
    TypeText { ty, most: LONG, names: false }
}

fn known_of(refinement: &Refinement) -> String {
    let mut text = String::new();
    if refinement.not_null {
        text.push_str(", not null");
    }
    if let Some(prefix) = &refinement.prefix {
        let _ = write!(text, ", starts with {}", quoted(prefix));
    }
    if let Some(min) = &refinement.min {
        let _ = write!(text, ", {} {}", if min.inclusive { "≥" } else { ">" }, min.number);
    }
    if let Some(max) = &refinement.max {
        let _ = write!(text, ", {} {}", if max.inclusive { "≤" } else { "<" }, max.number);
    }
    if refinement.min_len > 0 {
        let _ = write!(text, ", length ≥ {}", refinement.min_len);
    }
    if let Some(most) = refinement.max_len {
        let _ = write!(text, ", length ≤ {most}");
    }
    text
}
