//! Writes trees as YAML: block mappings and sequences, with sequences in mappings not indented; text in double quotes, folded
//! after column 80, or as a literal block if it has several lines. With quotes around all text, this is byte for byte what the
//! reference writes.

use std::borrow::Cow;

use hclkit_value::{Error, Kind, Value};

use super::DEPTH_LIMIT;
use crate::limits::check_length;

/// Quoted text is folded at the first space after this column.
const WIDTH: usize = 80;

/// The maximum length of a key, in bytes, that is on the same line as its value.
const KEY_LENGTH: usize = 128;

/// What can be written as YAML.
pub trait YamlTree: Sized {
    /// The first level of the tree.
    ///
    /// # Errors
    /// A part of it has no form in YAML.
    fn node(&self) -> Result<YamlNode<'_, Self>, Error>;
}

/// A mapping, a sequence or a scalar.
#[derive(Debug)]
pub enum YamlNode<'t, T> {
    /// The keys and their values, in order.
    Mapping(Vec<(&'t str, &'t T)>),
    /// The elements.
    Sequence(&'t [T]),
    /// Text.
    Text(&'t str),
    /// Another scalar, as it is written: a number, `true`, `false` or `null`.
    Scalar(Cow<'t, str>),
}

impl YamlTree for Value {
    fn node(&self) -> Result<YamlNode<'_, Self>, Error> {
        if let Some(entries) = self.entries() {
            return Ok(YamlNode::Mapping(entries.map(|(key, value)| (&**key, value)).collect()));
        }
        if let Some(items) = self.as_slice() {
            return Ok(YamlNode::Sequence(items));
        }
        Ok(YamlNode::Scalar(match self.kind() {
            Kind::Null(_) => "null".into(),
            Kind::Bool(flag) => if flag { "true" } else { "false" }.into(),
            Kind::Number(number) if number.is_infinite() => {
                if number.signum() < 0 { "-Inf" } else { "+Inf" }.into()
            }
            Kind::Number(number) => number.to_string().into(),
            Kind::String(text) => return Ok(YamlNode::Text(text)),
            _ => return Err(Error::new(format!("cannot encode {} as YAML", self.ty().friendly_name()))),
        }))
    }
}

pub(super) fn encode(value: &Value) -> Result<String, Error> {
    if value.depth() > DEPTH_LIMIT {
        return Err(too_deep());
    }
    let mut text = write(value, true)?;
    if matches!(value.node()?, YamlNode::Scalar(_)) {
        // A plain scalar could continue, so mark the end of the document.
        text.push_str("...\n");
    }
    check_length(text.len())?;
    Ok(text)
}

/// Writes a tree as people write YAML: without quotes around text that every reader takes for the same text.
///
/// ```
/// use hclkit_value::Value;
///
/// let value = Value::object([("name", Value::from("web")), ("size", Value::from("1.5"))]);
/// assert_eq!(hclkit_functions::to_yaml(&value)?, "name: web\nsize: \"1.5\"\n");
/// # Ok::<(), hclkit_value::Error>(())
/// ```
///
/// # Errors
/// A part of it, such as an unknown value, has no form in YAML, or it is nested too deeply.
pub fn to_yaml(tree: &impl YamlTree) -> Result<String, Error> {
    write(tree, false)
}

fn write(tree: &impl YamlTree, quotes_all: bool) -> Result<String, Error> {
    let mut writer = Writer { out: String::new(), column: 0, quotes_all, depth: 0 };
    writer.node(tree.node()?, 0)?;
    writer.line(0);
    Ok(writer.out)
}

fn too_deep() -> Error {
    Error::new(format!("the value is nested deeper than {DEPTH_LIMIT} levels"))
}

struct Writer {
    out: String,
    /// The number of characters in the current line.
    column: usize,
    /// Whether also text that needs no quotes has some.
    quotes_all: bool,
    depth: usize,
}

impl Writer {
    fn write(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    /// Starts a new line with `indent` spaces.
    fn line(&mut self, indent: usize) {
        if !self.out.ends_with(is_break) {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// Writes a part of a tree. Its first line is already indented; the other lines get the same indentation.
    fn node<T: YamlTree>(&mut self, node: YamlNode<'_, T>, indent: usize) -> Result<(), Error> {
        // A value can contain a part exponentially many times, also one without scalars.
        check_length(self.out.len())?;
        // Scalars are indented deeper than their parent, by at least two spaces.
        let inside = indent.max(2);
        match node {
            YamlNode::Mapping(entries) => {
                self.enter()?;
                self.mapping(entries, indent)?;
                self.depth -= 1;
            }
            YamlNode::Sequence(items) => {
                self.enter()?;
                self.sequence(items, indent)?;
                self.depth -= 1;
            }
            YamlNode::Text(text) => {
                check_length(self.out.len().saturating_add(text.len()))?;
                self.text(text, inside);
            }
            YamlNode::Scalar(text) => {
                self.write(&text);
            }
        }
        Ok(())
    }

    fn enter(&mut self) -> Result<(), Error> {
        if self.depth == DEPTH_LIMIT {
            return Err(too_deep());
        }
        self.depth += 1;
        Ok(())
    }

    fn mapping<T: YamlTree>(&mut self, entries: Vec<(&str, &T)>, indent: usize) -> Result<(), Error> {
        if entries.is_empty() {
            self.write("{}");
        }
        for (at, (key, tree)) in entries.into_iter().enumerate() {
            if at > 0 {
                self.line(indent);
            }
            self.entry(key, tree.node()?, indent)?;
        }
        Ok(())
    }

    fn sequence<T: YamlTree>(&mut self, items: &[T], indent: usize) -> Result<(), Error> {
        if items.is_empty() {
            self.write("[]");
        }
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.line(indent);
            }
            self.write("- ");
            self.node(item.node()?, indent + 2)?;
        }
        Ok(())
    }

    fn entry<T: YamlTree>(&mut self, key: &str, node: YamlNode<'_, T>, indent: usize) -> Result<(), Error> {
        if key.len() > KEY_LENGTH || key.contains(is_break) {
            self.write("? ");
            self.text(key, indent + 2);
            self.line(indent);
            self.write(": ");
            return self.node(node, indent + 2);
        }
        if self.quotes_all || !is_plain(key) {
            self.quoted(key, None);
        } else {
            self.write(key);
        }
        self.write(":");
        match &node {
            YamlNode::Mapping(entries) if !entries.is_empty() => {
                self.line(indent + 2);
                self.node(node, indent + 2)
            }
            YamlNode::Sequence([_, ..]) => {
                self.line(indent);
                self.node(node, indent)
            }
            _ => {
                self.write(" ");
                self.node(node, indent + 2)
            }
        }
    }

    fn text(&mut self, text: &str, indent: usize) {
        if is_block(text) {
            self.block(text, indent);
        } else if !self.quotes_all && is_plain(text) {
            self.write(text);
        } else {
            self.quoted(text, Some(indent));
        }
    }

    /// Writes text as a literal block.
    fn block(&mut self, text: &str, indent: usize) {
        let mut signs = text.chars();
        self.write("|");
        if text.starts_with(|sign| sign == ' ' || is_break(sign)) {
            self.write("2");
        }
        let last = signs.next_back().is_some_and(is_break);
        match (last, signs.next_back().is_none_or(is_break)) {
            (false, _) => self.write("-"),
            (true, true) => self.write("+"),
            (true, false) => {}
        }
        self.out.push('\n');
        let mut at_start = true;
        for sign in text.chars() {
            if at_start && !is_break(sign) {
                self.out.extend(std::iter::repeat_n(' ', indent));
            }
            at_start = is_break(sign);
            self.out.push(sign);
        }
    }

    /// Writes text in double quotes. It may be folded if an indentation is given.
    fn quoted(&mut self, text: &str, indent: Option<usize>) {
        self.write("\"");
        // If the text starts with a byte order mark, the reference escapes every character.
        let marked = text.starts_with('\u{feff}');
        let mut signs = text.char_indices().peekable();
        let mut after_space = false;
        while let Some((at, sign)) = signs.next() {
            let next = signs.peek();
            match indent {
                _ if marked => self.write(&escaped(sign)),
                Some(indent)
                    if sign == ' ' && !after_space && self.column > WIDTH && at > 0 && next.is_some() =>
                {
                    self.line(indent);
                    if next.is_some_and(|(_, next)| *next == ' ') {
                        self.write("\\");
                    }
                }
                _ if is_printable(sign) && !is_break(sign) && !matches!(sign, '"' | '\\') => {
                    self.out.push(sign);
                    self.column += 1;
                }
                _ => self.write(&escaped(sign)),
            }
            after_space = sign == ' ';
        }
        self.write("\"");
    }
}

/// Returns true if every reader takes text without quotes for the same text: words of letters, digits and a few signs that begin with
/// a letter and are no name of another value in any version of YAML.
fn is_plain(text: &str) -> bool {
    const NAMES: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    text.starts_with(|first: char| first.is_ascii_alphabetic() || matches!(first, '_' | '/'))
        && text.ends_with(|last: char| last.is_ascii_alphanumeric() || matches!(last, '_' | '/' | '.'))
        && text.chars().all(|sign| sign.is_ascii_alphanumeric() || "_-./+@= ".contains(sign))
        && text.len() <= WIDTH
        && !NAMES.iter().any(|name| text.eq_ignore_ascii_case(name))
}

fn is_break(sign: char) -> bool {
    matches!(sign, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns true if a character is printable. The reference treats no character above U+FFFF as printable.
fn is_printable(sign: char) -> bool {
    matches!(sign, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}') && sign != '\u{feff}'
}

/// Returns true if text is written as a literal block: it has several lines, needs no escapes, and has no trailing
/// spaces, which would be invisible.
fn is_block(text: &str) -> bool {
    text.contains('\n')
        && text.chars().all(is_printable)
        && !text.ends_with(' ')
        && !text.as_bytes().windows(2).any(|pair| pair == b" \n")
        && !text.contains(" \u{2028}")
        && !text.contains(" \u{2029}")
}

fn escaped(sign: char) -> String {
    let short = match sign {
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '\u{1b}' => 'e',
        '"' | '\\' => sign,
        '\u{85}' => 'N',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        _ => {
            return match u32::from(sign) {
                code @ ..=0xff => format!("\\x{code:02X}"),
                code @ ..=0xffff => format!("\\u{code:04X}"),
                code => format!("\\U{code:08X}"),
            };
        }
    };
    format!("\\{short}")
}
