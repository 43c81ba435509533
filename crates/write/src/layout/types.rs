//! Type expressions as source text: on one line if they are short, otherwise with each attribute or element on its own
//! line.

use hclkit_value::Type;

use super::Layout;
use super::text::{align, key, name_width, new_line};

impl Layout {
    pub(super) fn write_type(&self, ty: &Type, indent: usize, column: usize, out: &mut String) {
        // The size is an estimate of up to four times the length. A long line is not written at each level.
        let is_long = ty.text_size() / 4 > 400 + self.width as u64;
        let line = if is_long { String::new() } else { ty.to_string() };
        if !is_long && column + line.chars().count() <= self.width {
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
}
