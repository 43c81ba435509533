//! Writes values as YAML, byte for byte like the reference: block mappings and sequences, with sequences in mappings
//! not indented; text in double quotes, folded after column 80, or as a literal block if it has several lines.

use hclkit_value::{Entries, Error, Kind, Value};

use super::DEPTH_LIMIT;
use crate::limits::check_length;

/// Quoted text is folded at the first space after this column.
const WIDTH: usize = 80;

/// The maximum length of a key, in bytes, that is on the same line as its value.
const KEY_LENGTH: usize = 128;

pub(super) fn encode(value: &Value) -> Result<String, Error> {
    if value.depth() > DEPTH_LIMIT {
        return Err(Error::new(format!("the value is nested deeper than {DEPTH_LIMIT} levels")));
    }
    let mut writer = Writer { out: String::new(), column: 0 };
    let plain =
        !matches!(value.kind(), Kind::String(_)) && value.entries().is_none() && value.as_slice().is_none();
    writer.node(value, 0)?;
    writer.line(0);
    if plain {
        // A plain scalar could continue, so mark the end of the document.
        writer.out.push_str("...\n");
    }
    check_length(writer.out.len())?;
    Ok(writer.out)
}

struct Writer {
    out: String,
    /// The number of characters in the current line.
    column: usize,
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

    /// Writes a value. Its first line is already indented; the other lines get the same indentation.
    fn node(&mut self, value: &Value, indent: usize) -> Result<(), Error> {
        check_length(self.out.len().saturating_add(value.as_str().map_or(0, str::len)))?;
        match (value.entries(), value.as_slice()) {
            (Some(entries), _) => self.mapping(entries, indent),
            (_, Some(items)) => self.sequence(items, indent),
            // Scalars are indented deeper than their parent, by at least two spaces.
            _ => self.scalar(value, indent.max(2)),
        }
    }

    fn mapping(&mut self, entries: Entries<'_>, indent: usize) -> Result<(), Error> {
        if entries.len() == 0 {
            self.write("{}");
        }
        for (at, (key, value)) in entries.enumerate() {
            if at > 0 {
                self.line(indent);
            }
            self.entry(key, value, indent)?;
        }
        Ok(())
    }

    fn sequence(&mut self, items: &[Value], indent: usize) -> Result<(), Error> {
        if items.is_empty() {
            self.write("[]");
        }
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.line(indent);
            }
            self.write("- ");
            self.node(item, indent + 2)?;
        }
        Ok(())
    }

    fn entry(&mut self, key: &str, value: &Value, indent: usize) -> Result<(), Error> {
        if key.len() > KEY_LENGTH || key.contains(is_break) {
            self.write("? ");
            self.text(key, indent + 2);
            self.line(indent);
            self.write(": ");
            return self.node(value, indent + 2);
        }
        self.quoted(key, None);
        self.write(":");
        match (value.entries(), value.as_slice()) {
            (Some(entries), _) if entries.len() > 0 => {
                self.line(indent + 2);
                self.node(value, indent + 2)
            }
            (_, Some([_, ..])) => {
                self.line(indent);
                self.node(value, indent)
            }
            _ => {
                self.write(" ");
                self.node(value, indent + 2)
            }
        }
    }

    fn scalar(&mut self, value: &Value, indent: usize) -> Result<(), Error> {
        match value.kind() {
            Kind::Null(_) => self.write("null"),
            Kind::Bool(flag) => self.write(if flag { "true" } else { "false" }),
            Kind::Number(number) if number.is_infinite() => {
                self.write(if number.signum() < 0 { "-Inf" } else { "+Inf" });
            }
            Kind::Number(number) => self.write(&number.to_string()),
            Kind::String(text) => self.text(text, indent),
            _ => return Err(Error::new(format!("cannot encode {} as YAML", value.ty().friendly_name()))),
        }
        Ok(())
    }

    fn text(&mut self, text: &str, indent: usize) {
        if is_block(text) {
            self.block(text, indent);
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
