//! Translates Go's regular expression syntax (<https://pkg.go.dev/regexp/syntax>, with Perl's extensions) to the
//! engine's. Each atom is written with its flags and with its classes expanded, so that its meaning does not depend on
//! its context.

use std::fmt::Write;

use hclkit_value::{Error, Str};

/// The maximum repetition count, including that of nested repetitions.
const MOST_REPEATS: u32 = 1000;

/// The maximum depth of nested groups, which is the engine's limit.
const DEEPEST: usize = 200;

/// A pattern in the engine's syntax, and the names of its groups.
pub(super) struct Translated {
    pub(super) pattern: String,
    pub(super) names: Vec<Option<Str>>,
}

/// Translates a pattern.
///
/// # Errors
/// Go rejects the pattern.
pub(super) fn translate(pattern: &str) -> Result<Translated, Error> {
    let mut translator = Translator {
        pattern,
        rest: pattern,
        out: String::with_capacity(pattern.len() * 2),
        names: vec![None],
        flags: Flags::default(),
        groups: Vec::new(),
        last: None,
        repeated: false,
    };
    while !translator.rest.is_empty() {
        translator.item()?;
    }
    if !translator.groups.is_empty() {
        return Err(refused(pattern, "missing \")\""));
    }
    Ok(Translated { pattern: translator.out, names: translator.names })
}

fn refused(part: &str, why: &str) -> Error {
    Error::new(format!("invalid regular expression at {part:?}: {why}"))
}

#[derive(Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "independent flags of the syntax")]
struct Flags {
    ignore_case: bool,
    multi_line: bool,
    dot_all: bool,
    swap_greed: bool,
}

/// The operand of a repetition.
#[derive(Clone, Copy)]
struct Atom {
    /// Its start in the output.
    start: usize,
    /// The maximum repetition count of its parts.
    repeats: u32,
    /// Whether it is a repetition itself.
    repetition: bool,
}

/// An open group.
struct Group {
    /// The flags outside the group.
    flags: Flags,
    /// Its start in the output.
    start: usize,
    /// The maximum repetition count of its parts so far.
    repeats: u32,
}

struct Translator<'a> {
    pattern: &'a str,
    rest: &'a str,
    out: String,
    names: Vec<Option<Str>>,
    flags: Flags,
    groups: Vec<Group>,
    last: Option<Atom>,
    /// Whether the previous item is a repetition.
    repeated: bool,
}

impl<'a> Translator<'a> {
    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        Some(c)
    }

    fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// The source text since `from`, for an error.
    fn since(&self, from: &'a str) -> &'a str {
        &from[..from.len() - self.rest.len()]
    }

    fn item(&mut self) -> Result<(), Error> {
        let (start, written) = (self.rest, self.out.len());
        let after_repetition = std::mem::take(&mut self.repeated);
        let Some(c) = self.next() else { return Ok(()) };
        match c {
            '*' | '+' | '?' if after_repetition => {
                return Err(refused(start, "a repetition operator must not follow another one"));
            }
            '(' => return self.open(start),
            ')' => return self.close(),
            '|' => {
                self.out.push('|');
                self.last = None;
                return Ok(());
            }
            '*' => return self.repeat(start, 0, None),
            '+' => return self.repeat(start, 1, None),
            '?' => return self.repeat(start, 0, Some(1)),
            '{' => {
                if let Some((least, most)) = self.bounds(start)? {
                    if after_repetition {
                        return Err(refused(
                            self.since(start),
                            "a repetition operator must not follow another one",
                        ));
                    }
                    return self.repeat(start, least, most);
                }
                self.literal('{');
            }
            '[' => {
                self.rest = start;
                self.class()?;
            }
            '.' => self.out.push_str(if self.flags.dot_all { "(?s:.)" } else { "[^\\n]" }),
            '^' => self.out.push_str(if self.flags.multi_line { "(?m:^)" } else { "\\A" }),
            '$' => self.out.push_str(if self.flags.multi_line { "(?m:$)" } else { "\\z" }),
            '\\' if self.eat("Q") => {
                self.quoted();
                return Ok(());
            }
            '\\' => {
                self.rest = start;
                self.escape()?;
            }
            c => self.literal(c),
        }
        self.last = Some(Atom { start: written, repeats: 1, repetition: false });
        Ok(())
    }

    fn literal(&mut self, c: char) {
        let (open, close) = if self.flags.ignore_case { ("(?i:", ")") } else { ("", "") };
        self.out.push_str(open);
        push_escaped(&mut self.out, c);
        self.out.push_str(close);
    }

    fn open(&mut self, start: &'a str) -> Result<(), Error> {
        if self.groups.len() >= DEEPEST {
            return Err(refused(start, "the groups are nested too deeply"));
        }
        let (outer, written) = (self.flags, self.out.len());
        if self.eat("?P<") || self.eat("?<") {
            let end = self.rest.find('>').ok_or_else(|| refused(start, "unterminated group name"))?;
            let name = &self.rest[..end];
            self.rest = &self.rest[end + 1..];
            if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                return Err(refused(self.since(start), "invalid group name"));
            }
            self.names.push(Some(Str::from(name)));
            self.out.push('(');
        } else if self.eat("?") {
            if !self.read_flags(start)? {
                // The flags apply to the rest of the group and are not an atom.
                return Ok(());
            }
            self.out.push_str("(?:");
        } else {
            self.names.push(None);
            self.out.push('(');
        }
        self.groups.push(Group { flags: outer, start: written, repeats: 1 });
        self.last = None;
        Ok(())
    }

    /// Reads flags and returns true if a group begins after them.
    fn read_flags(&mut self, start: &'a str) -> Result<bool, Error> {
        let mut flags = self.flags;
        let (mut on, mut seen) = (true, false);
        while let Some(c) = self.next() {
            match c {
                'i' => flags.ignore_case = on,
                'm' => flags.multi_line = on,
                's' => flags.dot_all = on,
                'U' => flags.swap_greed = on,
                '-' if on => {
                    (on, seen) = (false, false);
                    continue;
                }
                ':' | ')' if on || seen => {
                    self.flags = flags;
                    return Ok(c == ':');
                }
                _ => break,
            }
            seen = true;
        }
        Err(refused(self.since(start), "unsupported flags or kind of group"))
    }

    fn close(&mut self) -> Result<(), Error> {
        let Some(group) = self.groups.pop() else {
            return Err(refused(self.pattern, "unexpected \")\""));
        };
        self.flags = group.flags;
        self.out.push(')');
        self.last = Some(Atom { start: group.start, repeats: group.repeats, repetition: false });
        self.note_repeats(group.repeats);
        Ok(())
    }

    fn note_repeats(&mut self, repeats: u32) {
        if let Some(group) = self.groups.last_mut() {
            group.repeats = repeats.max(group.repeats);
        }
    }

    /// Parses the bounds of `{2}`, `{2,}` and `{2,3}`. A brace before anything else is plain text.
    fn bounds(&mut self, start: &'a str) -> Result<Option<(u32, Option<u32>)>, Error> {
        let Some((inner, after)) = self.rest.split_once('}') else { return Ok(None) };
        let (least, most) = inner.split_once(',').map_or((inner, None), |(least, most)| (least, Some(most)));
        let is_number = |text: &str| {
            !text.is_empty()
                && text.bytes().all(|byte| byte.is_ascii_digit())
                && (text == "0" || !text.starts_with('0'))
        };
        if !is_number(least) || most.is_some_and(|most| !most.is_empty() && !is_number(most)) {
            return Ok(None);
        }
        self.rest = after;
        let count = |text: &str| text.parse().ok().filter(|count| *count <= MOST_REPEATS);
        let wrong = || refused(&start[..start.len() - after.len()], "invalid repetition count");
        let least = count(least).ok_or_else(wrong)?;
        let most = match most {
            None => Some(least),
            Some("") => None,
            Some(most) => Some(count(most).filter(|most| *most >= least).ok_or_else(wrong)?),
        };
        Ok(Some((least, most)))
    }

    fn repeat(&mut self, start: &'a str, least: u32, most: Option<u32>) -> Result<(), Error> {
        let lazy = self.eat("?") != self.flags.swap_greed;
        let Some(atom) = self.last else {
            return Err(refused(self.since(start), "nothing to repeat"));
        };
        let own = most.unwrap_or(least).max(1);
        // The parts of `{0}` are not repeated.
        let repeats = if most == Some(0) { 1 } else { atom.repeats.saturating_mul(own) };
        if repeats > MOST_REPEATS && own > 1 {
            return Err(refused(self.since(start), "the repetition count is too large"));
        }
        self.note_repeats(repeats);
        if atom.repetition {
            // The two repetitions were separated by flags, which are not in the output.
            self.out.insert_str(atom.start, "(?:");
            self.out.push(')');
        }
        match (least, most) {
            (0, None) => self.out.push('*'),
            (1, None) => self.out.push('+'),
            (0, Some(1)) => self.out.push('?'),
            (least, None) => drop(write!(self.out, "{{{least},}}")),
            (least, Some(most)) => drop(write!(self.out, "{{{least},{most}}}")),
        }
        if lazy {
            self.out.push('?');
        }
        self.last = Some(Atom { repeats, repetition: true, ..atom });
        self.repeated = true;
        Ok(())
    }

    fn escape(&mut self) -> Result<(), Error> {
        let mut chars = self.rest[1..].chars();
        let assertion = match chars.next() {
            Some('A') => "\\A",
            Some('z') => "\\z",
            Some('b') => "(?-u:\\b)",
            Some('B') => "(?-u:\\B)",
            _ => "",
        };
        if !assertion.is_empty() {
            self.rest = chars.as_str();
            self.out.push_str(assertion);
            return Ok(());
        }
        let mut class = String::new();
        if self.class_escape(&mut class)? {
            self.push_class(&class);
        } else {
            let c = self.character_escape()?;
            self.literal(c);
        }
        Ok(())
    }

    /// Reads text up to `\E` or the end.
    fn quoted(&mut self) {
        let (text, rest) = self.rest.split_once("\\E").unwrap_or((self.rest, ""));
        self.rest = rest;
        for c in text.chars() {
            self.last = Some(Atom { start: self.out.len(), repeats: 1, repetition: false });
            self.literal(c);
        }
    }

    fn push_class(&mut self, class: &str) {
        let flag = if self.flags.ignore_case { "(?i:" } else { "(?:" };
        let _ = write!(self.out, "{flag}[{class}])");
    }

    /// Reads `\d`, `\p` and the like as part of a class, and returns true if there is one.
    fn class_escape(&mut self, class: &mut String) -> Result<bool, Error> {
        let start = self.rest;
        let Some(escaped) = self.rest.strip_prefix('\\') else { return Ok(false) };
        let mut chars = escaped.chars();
        class.push_str(match chars.next() {
            Some('d') => "[0-9]",
            Some('D') => "[^0-9]",
            Some('s') => "[\\t\\n\\x0C\\r ]",
            Some('S') => "[^\\t\\n\\x0C\\r ]",
            Some('w') => "[0-9A-Za-z_]",
            Some('W') => "[^0-9A-Za-z_]",
            Some(c @ ('p' | 'P')) => {
                self.rest = chars.as_str();
                let negated = c == 'P';
                let unknown = |part: &str| refused(part, "unknown character class");
                let name = if self.eat("{") {
                    let (name, rest) = self.rest.split_once('}').ok_or_else(|| unknown(start))?;
                    self.rest = rest;
                    name
                } else {
                    let name = self.rest;
                    self.next();
                    &name[..name.len() - self.rest.len()]
                };
                let (negated, name) = name.strip_prefix('^').map_or((negated, name), |name| (!negated, name));
                let property = property(name).ok_or_else(|| unknown(self.since(start)))?;
                let _ = write!(class, "\\{}{{{property}}}", if negated { 'P' } else { 'p' });
                return Ok(true);
            }
            _ => return Ok(false),
        });
        self.rest = chars.as_str();
        Ok(true)
    }

    /// Reads the escape sequence of one character.
    fn character_escape(&mut self) -> Result<char, Error> {
        let start = self.rest;
        self.next();
        let Some(c) = self.next() else {
            return Err(refused(self.pattern, "trailing backslash"));
        };
        let digit = |text: &str| text.bytes().next().filter(|byte| (b'0'..=b'7').contains(byte));
        let found = match c {
            '1'..='7' if digit(self.rest).is_none() => None,
            '0'..='7' => {
                let mut code = c as u32 - '0' as u32;
                for _ in 0..2 {
                    let Some(byte) = digit(self.rest) else { break };
                    code = code * 8 + u32::from(byte - b'0');
                    self.next();
                }
                char::from_u32(code)
            }
            'x' => self.hexadecimal(),
            'a' => Some('\u{7}'),
            'f' => Some('\u{c}'),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            'v' => Some('\u{b}'),
            c => (c.is_ascii() && !c.is_ascii_alphanumeric()).then_some(c),
        };
        found.ok_or_else(|| refused(self.since(start), "invalid escape sequence"))
    }

    fn hexadecimal(&mut self) -> Option<char> {
        let digits = if self.eat("{") {
            let (digits, rest) = self.rest.split_once('}')?;
            self.rest = rest;
            digits
        } else {
            let digits = self.rest.get(..2)?;
            self.rest = &self.rest[2..];
            digits
        };
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        char::from_u32(u32::from_str_radix(digits, 16).ok()?)
    }

    /// Reads `[…]`.
    fn class(&mut self) -> Result<(), Error> {
        let start = self.rest;
        self.next();
        let open = |rest: &str| refused(rest, "missing \"]\"");
        let mut class = String::new();
        if self.eat("^") {
            class.push('^');
        }
        let mut first = true;
        while first || !self.rest.starts_with(']') {
            if self.rest.is_empty() {
                return Err(open(start));
            }
            first = false;
            if self.rest.starts_with("[:") && self.posix(&mut class)? || self.class_escape(&mut class)? {
                continue;
            }
            let range = self.rest;
            let low = self.class_character(start)?;
            let mut high = low;
            if self.rest.starts_with('-') && !self.rest.starts_with("-]") && self.rest.len() > 1 {
                self.next();
                high = self.class_character(start)?;
                if high < low {
                    return Err(refused(self.since(range), "invalid character range"));
                }
            }
            push_escaped(&mut class, low);
            if high != low {
                class.push('-');
                push_escaped(&mut class, high);
            }
        }
        self.next();
        self.push_class(&class);
        Ok(())
    }

    fn class_character(&mut self, start: &'a str) -> Result<char, Error> {
        if self.rest.starts_with('\\') {
            return self.character_escape();
        }
        self.next().ok_or_else(|| refused(start, "missing \"]\""))
    }

    /// Reads `[:alpha:]` and the like, and returns true if there is one.
    fn posix(&mut self, class: &mut String) -> Result<bool, Error> {
        let Some(end) = self.rest[2..].find(":]") else { return Ok(false) };
        let (whole, name) = (&self.rest[..end + 4], &self.rest[2..end + 2]);
        let bare = name.strip_prefix('^').unwrap_or(name);
        let known = [
            "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
            "space", "upper", "word", "xdigit",
        ];
        if !known.contains(&bare) {
            return Err(refused(whole, "unknown character class"));
        }
        class.push_str(whole);
        self.rest = &self.rest[whole.len()..];
        Ok(true)
    }
}

/// Writes a literal character, escaped for use inside and outside of a class.
fn push_escaped(out: &mut String, c: char) {
    if "\\.+*?()|[]{}^$#&-~".contains(c) {
        out.push('\\');
    }
    out.push(c);
}

/// Returns the engine's property for a general category or script.
fn property(name: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ' ' | '-');
    if name.is_empty() || !name.chars().all(plain) {
        return None;
    }
    ["gc", "sc"]
        .into_iter()
        .map(|kind| format!("{kind}={name}"))
        .find(|property| super::engine::parses(&format!("\\p{{{property}}}")))
}
