//! Descriptions as Markdown that only formats text: no images, no HTML, and no link that leads elsewhere than it shows.
//!
//! Descriptions of providers are Markdown by declaration. Those of variables and outputs have no format, but registries and
//! generators of documentation read them as Markdown, too, so that they are read the same way.

use std::fmt::Write as _;

use hclkit::schema::{markdown_at_start, markdown_code, markdown_text};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A description, read as Markdown, in a part of Markdown that is safe to show.
pub(crate) fn safe(description: &str) -> String {
    let mut writer = Writer::default();
    for event in Parser::new_ext(description, Options::empty()) {
        writer.event(event);
    }
    writer.out.trim().to_owned()
}

/// A text on one line, in which nothing has a meaning in Markdown.
pub(crate) fn plain(text: &str) -> String {
    markdown_text(text).replace('|', "\\|").replace(['\n', '\r'], " ")
}

/// An address, which leads to what it shows.
pub(crate) fn link(address: &str) -> String {
    let is_plain = |own: char| own.is_ascii_graphic() && !matches!(own, '<' | '>' | '\\' | '&');
    let is_web = ["http://", "https://"].iter().any(|scheme| address.starts_with(scheme));
    if is_web && address.chars().all(is_plain) { format!("<{address}>") } else { plain(address) }
}

/// A text as code in a line.
pub(crate) fn code(text: &str) -> String {
    markdown_code(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[derive(Default)]
struct Writer {
    out: String,
    /// The numbers of the open lists; those of lists without numbers are `None`.
    lists: Vec<Option<u64>>,
    /// The targets of the open links, and where their texts begin.
    links: Vec<(String, usize)>,
    /// The text of an open code block.
    block: Option<String>,
    in_heading: bool,
    begins_line: bool,
}

impl Writer {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(text) => {
                self.begins_line = false;
                self.out.push_str(&markdown_code(&text));
            }
            Event::SoftBreak => self.line(""),
            Event::HardBreak => self.line("  "),
            Event::Rule => self.out.push_str("---\n\n"),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(block) = &mut self.block {
            block.push_str(text);
            return;
        }
        for (at, part) in text.split('\n').enumerate() {
            if at > 0 {
                self.line("");
            }
            let part = markdown_text(part).replace('|', "\\|");
            // What begins a line must not become a heading or a list.
            let part = if std::mem::take(&mut self.begins_line) {
                markdown_at_start(part.trim_start())
            } else {
                part
            };
            self.begins_line = part.is_empty();
            self.out.push_str(&part);
        }
    }

    fn line(&mut self, before: &str) {
        self.out.push_str(before);
        self.out.push('\n');
        self.out.push_str(&"  ".repeat(self.lists.len()));
        self.begins_line = true;
    }

    fn paragraph(&mut self) {
        let end = self.out.trim_end().len();
        self.out.truncate(end);
        if !self.out.is_empty() {
            self.out.push_str("\n\n");
        }
        self.begins_line = true;
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } => {
                self.paragraph();
                self.out.push_str("**");
                self.in_heading = true;
            }
            Tag::Paragraph if self.lists.is_empty() => self.paragraph(),
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => {
                self.block = Some(String::new());
            }
            Tag::List(first) => {
                if self.lists.is_empty() {
                    self.paragraph();
                }
                self.lists.push(first);
            }
            Tag::Item => {
                if !self.out.ends_with("\n\n") {
                    self.out.truncate(self.out.trim_end().len());
                    self.out.push('\n');
                }
                self.out.push_str(&"  ".repeat(self.lists.len().saturating_sub(1)));
                match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let _ = write!(self.out, "{number}. ");
                        *number += 1;
                    }
                    _ => self.out.push_str("- "),
                }
                self.begins_line = true;
            }
            Tag::Emphasis if !self.in_heading => self.out.push('*'),
            Tag::Strong if !self.in_heading => self.out.push_str("**"),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.links.push((dest_url.into_string(), self.out.len()));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.in_heading = false;
                self.out.push_str("**\n\n");
            }
            TagEnd::Paragraph if self.lists.is_empty() => self.paragraph(),
            TagEnd::Paragraph => self.line(""),
            TagEnd::CodeBlock => {
                let text = self.block.take().unwrap_or_default();
                self.code_block(&text);
            }
            TagEnd::List(_) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.paragraph();
                }
            }
            TagEnd::Emphasis if !self.in_heading => self.out.push('*'),
            TagEnd::Strong if !self.in_heading => self.out.push_str("**"),
            TagEnd::Link | TagEnd::Image => {
                let Some((target, start)) = self.links.pop() else { return };
                let target = plain(&target);
                if self.out.get(start..).is_some_and(|shown| shown != target) && !target.is_empty() {
                    let _ = write!(self.out, " ({target})");
                }
            }
            _ => {}
        }
    }

    fn code_block(&mut self, text: &str) {
        if !self.lists.is_empty() {
            return self.out.push_str(&code(text));
        }
        self.paragraph();
        let longest = text.split(|own| own != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat(longest.max(2) + 1);
        let text = hclkit::syntax::visible(text);
        let _ = write!(self.out, "{fence}\n{}\n{fence}\n\n", text.trim_end_matches('\n'));
    }
}

#[cfg(test)]
mod tests {
    use super::safe;

    #[test]
    fn texts_are_formatted_and_nothing_else() {
        for (text, expected) in [
            ("The *size* of the **disk**, `10` or more.", "The *size* of the **disk**, `10` or more."),
            ("One.\n\nTwo\nlines.", "One.\n\nTwo\nlines."),
            ("# Title\n\nText", "**Title**\n\nText"),
            ("See [the guide](https://x.org/a).", "See the guide (https://x.org/a)."),
            ("See <https://x.org/a>.", "See https://x.org/a."),
            ("![alt](https://x.org/a.png)", "alt (https://x.org/a.png)"),
            ("a <img src=x> b", "a \\<img src=x\\> b"),
            ("<script>\nx\n</script>", "\\<script\\>\nx\n\\</script\\>"),
            ("```sh\nls `x`\n```", "```\nls `x`\n```"),
            ("Either:\n\n- one\n- two", "Either:\n\n- one\n- two"),
            ("", ""),
        ] {
            assert_eq!(safe(text), expected, "{text}");
        }
    }
}
