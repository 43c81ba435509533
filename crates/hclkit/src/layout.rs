//! Values as source text laid out for people: on one line where they are short, else an element a line.

use std::collections::HashSet;

use hclkit_model::{Context, Expression};
use hclkit_syntax::{is_identifier, is_visible};
use hclkit_value::{Entries, Kind, Type, Value};

/// How values are laid out.
///
/// What has marks is shown by its marks only, and what is not known by what is known of it, both in parentheses; all
/// else is source of the native syntax.
///
/// ```
/// use hclkit::{Layout, Value};
///
/// let server = Value::object([("name", Value::from("web")), ("ports", Value::tuple([80.into(), 443.into()]))]);
/// assert_eq!(Layout::new().value(&server), r#"{ name = "web", ports = [80, 443] }"#);
/// assert_eq!(
///     Layout::new().width(20).value(&server),
///     "{\n  name  = \"web\"\n  ports = [80, 443]\n}",
/// );
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    width: usize,
    color: bool,
    one_line: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Self::new()
    }
}

impl Layout {
    /// Without colors, in lines of at most 80 characters where that can be.
    pub const fn new() -> Self {
        Self { width: 80, color: false, one_line: false }
    }

    /// Sets how many characters a line should have at most.
    #[must_use]
    pub const fn width(mut self, characters: usize) -> Self {
        self.width = characters;
        self
    }

    /// Sets whether there are ANSI colors.
    #[must_use]
    pub const fn color(mut self, color: bool) -> Self {
        self.color = color;
        self
    }

    /// Sets whether each value is on one line, however long that is.
    #[must_use]
    pub const fn one_line(mut self, one_line: bool) -> Self {
        self.one_line = one_line;
        self
    }

    /// A value, without a line break at its end. Text of several lines is a heredoc.
    pub fn value(&self, value: &Value) -> String {
        self.value_at(value, 0, 0)
    }

    /// The same for a value that stands in a line indented by so many characters, behind so many others.
    pub fn value_at(&self, value: &Value, indent: usize, before: usize) -> String {
        let mut out = String::new();
        if self.one_line {
            self.write_line(value, &mut out);
            return out;
        }
        if let Some(text) = heredoc(value, indent) {
            return if self.color { format!("\x1b[32m{text}\x1b[0m") } else { text };
        }
        self.write(value, indent, indent + before, &mut out);
        out
    }

    /// A type expression, without a line break at its end.
    ///
    /// ```
    /// use hclkit::{Layout, Type};
    ///
    /// let ty = Type::list(Type::object([("name", Type::String), ("ports", Type::set(Type::Number))]));
    /// assert_eq!(
    ///     Layout::new().width(20).ty(&ty),
    ///     "list(object({\n  name  = string\n  ports = set(number)\n}))",
    /// );
    /// ```
    pub fn ty(&self, ty: &Type) -> String {
        let mut out = String::new();
        self.write_type(ty, 0, 0, &mut out);
        out
    }

    fn write_type(&self, ty: &Type, indent: usize, column: usize, out: &mut String) {
        let line = ty.to_string();
        if column + line.chars().count() <= self.width {
            return out.push_str(&line);
        }
        let mut collection = |kind: &str, element: &Type| {
            out.push_str(kind);
            out.push('(');
            self.write_type(element, indent, column + kind.len() + 1, out);
            out.push(')');
        };
        match ty {
            Type::List(element) => collection("list", element),
            Type::Set(element) => collection("set", element),
            Type::Map(element) => collection("map", element),
            Type::Tuple(tuple) => {
                out.push_str("tuple([");
                for element in tuple.elements() {
                    new_line(indent + 2, out);
                    self.write_type(element, indent + 2, indent + 3, out);
                    out.push(',');
                }
                new_line(indent, out);
                out.push_str("])");
            }
            Type::Object(object) => {
                out.push_str("object({");
                let keys: Vec<String> = object.names().iter().map(|name| key(name)).collect();
                let width = name_width(keys.iter().map(String::as_str));
                let items = object.attributes().map(|(name, ty)| {
                    let mut text = String::new();
                    let column = indent + width + " = ".len();
                    if object.is_optional(name) {
                        text.push_str("optional(");
                        self.write_type(ty, indent + 2, column + "  optional()".len(), &mut text);
                        text.push(')');
                    } else {
                        self.write_type(ty, indent + 2, column + 2, &mut text);
                    }
                    (key(name), text)
                });
                for line in align(&items.collect::<Vec<_>>()) {
                    new_line(indent + 2, out);
                    out.push_str(&line);
                }
                new_line(indent, out);
                out.push_str("})");
            }
            _ => out.push_str(&line),
        }
    }

    fn write(&self, value: &Value, indent: usize, column: usize, out: &mut String) {
        let left = self.width.saturating_sub(column);
        let (open, close) = match value.kind() {
            Kind::List(_) | Kind::Tuple(_) => ("[", "]"),
            Kind::Set(_) => ("toset([", "])"),
            Kind::Map(_) | Kind::Object(_) => ("{", "}"),
            _ => return self.write_line(value, out),
        };
        // The ellipsis of what is cut is in the last place.
        let line = value.show().limit(left + 1).to_string();
        let empty = value.as_slice().is_some_and(<[Value]>::is_empty)
            || value.entries().is_some_and(|entries| entries.len() == 0);
        if empty || line.chars().count() <= left {
            return self.write_line(value, out);
        }
        out.push_str(open);
        match value.entries() {
            Some(entries) => self.write_items(entries, indent + 2, out),
            None => {
                for item in value.as_slice().unwrap_or_default() {
                    new_line(indent + 2, out);
                    self.write(item, indent + 2, indent + 3, out);
                    out.push(',');
                }
            }
        }
        new_line(indent, out);
        out.push_str(close);
    }

    fn write_line(&self, value: &Value, out: &mut String) {
        out.push_str(&value.show().color(self.color).to_string());
    }

    /// The items of an object, a line or more each.
    fn write_items(&self, entries: Entries<'_>, indent: usize, out: &mut String) {
        let keys: Vec<String> = entries.clone().map(|(name, _)| key(name)).collect();
        let width = name_width(keys.iter().map(String::as_str));
        let items = entries.map(|(name, value)| {
            let mut text = String::new();
            self.write(value, indent, indent + width + " = ".len(), &mut text);
            (key(name), text)
        });
        for line in align(&items.collect::<Vec<_>>()) {
            new_line(indent, out);
            out.push_str(&line);
        }
    }
}

/// The last column in which equals signs are aligned: one long name must not pad a line for each of many others.
pub const MAX_COLUMN: usize = 60;

/// How wide names are that are aligned: as the longest one that is not longer than [`MAX_COLUMN`].
pub fn name_width<'n>(names: impl Iterator<Item = &'n str>) -> usize {
    let widths = names.map(|name| name.chars().take(MAX_COLUMN + 1).count());
    widths.filter(|&width| width <= MAX_COLUMN).max().unwrap_or_default()
}

/// Lines that set names to texts, `name = text`. Where neighbours have a line each, their equals signs are in one column,
/// but for names longer than [`MAX_COLUMN`].
pub fn align(items: &[(String, String)]) -> Vec<String> {
    let one_line = |(_, text): &&(String, String)| !text.contains('\n');
    let mut lines = Vec::with_capacity(items.len());
    let mut rest = items;
    while !rest.is_empty() {
        let run = rest.iter().take_while(one_line).count();
        let (aligned, others) = rest.split_at(run);
        let width = name_width(aligned.iter().map(|(name, _)| name.as_str()));
        lines.extend(aligned.iter().map(|(name, text)| format!("{name:width$} = {text}")));
        let several = others.len().min(1);
        lines.extend(others[..several].iter().map(|(name, text)| format!("{name} = {text}")));
        rest = &others[several..];
    }
    lines
}

fn new_line(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

/// The key of an object's item: bare where that means its text.
fn key(name: &str) -> String {
    // At the start of an object, `for` begins an expression of that kind.
    let is_bare = is_identifier(name) && name != "for" && name.chars().all(is_visible);
    if is_bare { name.to_owned() } else { Value::from(name).to_string() }
}

/// Text of several lines as a heredoc, if it can be one: it ends with a line break and needs no escape sequence.
fn heredoc(value: &Value, indent: usize) -> Option<String> {
    let text = value.as_str().filter(|text| text.trim_end_matches('\n').contains('\n'))?;
    let content = text.strip_suffix('\n')?;
    if content.contains(|c: char| !is_visible(c) && c != '\n' && c != '\t') {
        return None;
    }
    let flush = if indent == 0 { "" } else { "-" };
    let taken: HashSet<&str> =
        content.lines().map(str::trim).filter(|line| line.starts_with("EOT")).collect();
    let mut ends = (0..).map(|n| if n == 0 { "EOT".to_owned() } else { format!("EOT{n}") });
    let end = ends.find(|end| !taken.contains(end.as_str()))?;
    let mut out = format!("<<{flush}{end}");
    for line in content.split('\n') {
        new_line(if indent == 0 || line.is_empty() { 0 } else { indent + 2 }, &mut out);
        out.push_str(&line.replace("${", "$${").replace("%{", "%%{"));
    }
    new_line(indent, &mut out);
    out.push_str(&end);
    // Whether all of it means what it should is the parser's to say.
    let read = Expression::parse(format!("{out}\n")).ok()?.evaluate(&Context::new()).ok()?;
    (read == *value).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        Expression::parse(text).unwrap().evaluate(&Context::new()).unwrap()
    }

    #[test]
    fn what_is_laid_out_means_the_value() {
        for text in [
            r#"{ "for" = 1, "a b" = [], c = { d = [[1, 2], {}], "${1}" = null } }"#,
            r#"["a\nb\n", "${true}\t\n\n", "$${x} %%{y}\nz\n"]"#,
            r#""a\n  b\n\nc\n""#,
            r#""  EOT\n$${x} %%{y}\nEOT1\n""#,
            r#""a\r\nb\n""#,
            r#""\\\n\u0007\n""#,
            r#""\n\n""#,
        ] {
            let value = value(text);
            for (width, indent) in [(0, 0), (20, 4), (200, 2)] {
                let laid_out = Layout::new().width(width).value_at(&value, indent, 0);
                assert_eq!(self::value(&format!("{laid_out}\n")), value, "{laid_out}");
            }
        }
    }

    #[test]
    fn lines_are_as_wide_as_they_may() {
        let value = value(r#"{ ab = [1000000, 2000000], c = { d = "e" }, f = ["one", ["two", "three"]] }"#);
        let expected = r#"{
  ab = [1000000, 2000000]
  c  = { d = "e" }
  f = [
    "one",
    ["two", "three"],
  ]
}"#;
        assert_eq!(Layout::new().width(26).value(&value), expected);
    }

    #[test]
    fn heredocs_are_for_text_of_several_lines() {
        let show = |text: &str, indent| Layout::new().value_at(&Value::from(text), indent, 0);
        assert_eq!(show("one\n", 0), "\"one\\n\"");
        assert_eq!(show("one\ntwo", 0), "\"one\\ntwo\"");
        assert_eq!(show("one\n two\n", 0), "<<EOT\none\n two\nEOT");
        assert_eq!(show("one\n two\n", 2), "<<-EOT\n    one\n     two\n  EOT");
        assert_eq!(show("EOT\n${x}\n", 0), "<<EOT1\nEOT\n$${x}\nEOT1");
    }
}
