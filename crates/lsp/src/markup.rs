//! Texts about names: Markdown, or plain text for clients that cannot show it.

use gen_lsp_types as lsp;

/// The form of texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    #[default]
    Markdown,
    Plain,
}

impl Form {
    pub(crate) fn of(name: &str) -> Option<Self> {
        match name {
            "markdown" => Some(Self::Markdown),
            "plaintext" => Some(Self::Plain),
            _ => None,
        }
    }

    /// A text, which is given as Markdown.
    pub(crate) fn content(self, markdown: String) -> lsp::MarkupContent {
        match self {
            Self::Markdown => lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value: markdown },
            Self::Plain => lsp::MarkupContent { kind: lsp::MarkupKind::PlainText, value: plain(&markdown) },
        }
    }
}

/// The text without the signs around code and strong words. Code itself, lists and links are text already.
fn plain(markdown: &str) -> String {
    let mut text = String::with_capacity(markdown.len());
    let mut in_code = false;
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if in_code {
            text.push_str(line);
            text.push('\n');
        } else {
            for (at, part) in without_pairs(line, "`").enumerate() {
                // Each second part is code.
                if at % 2 == 0 {
                    without_pairs(part, "**").for_each(|part| without_escapes(part, &mut text));
                } else {
                    text.push_str(part);
                }
            }
            text.push('\n');
        }
    }
    text
}

/// Adds a text without the backslashes before signs.
fn without_escapes(part: &str, text: &mut String) {
    let part = part.replace("&#123;", "{");
    let mut characters = part.chars().peekable();
    while let Some(own) = characters.next() {
        match characters.peek() {
            Some(next) if own == '\\' && next.is_ascii_punctuation() => text.extend(characters.next()),
            _ => text.push(own),
        }
    }
}

/// The parts between signs. The whole line if a sign has no other one.
fn without_pairs<'t>(line: &'t str, sign: &'t str) -> impl Iterator<Item = &'t str> {
    let is_paired = line.matches(sign).count().is_multiple_of(2);
    let most = if is_paired { usize::MAX } else { 1 };
    line.splitn(most, sign)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn plain_text_has_no_signs() {
        assert_eq!(
            plain("```hcl\na = \"`b`\"\n```\n\nThe **default** of `a**b**`.\n"),
            "a = \"`b`\"\n\nThe default of a**b**.\n"
        );
        assert_eq!(plain("A `name, and 2**3.\n\n- `x`: one"), "A `name, and 2**3.\n\n- x: one\n");
        assert_eq!(plain("a \\<b\\> \\*c\\* `\\d`"), "a <b> *c* \\d\n");
        assert_eq!(plain(""), "");
    }
}
