//! The two markups of documentation: how headings, names, code and descriptions are written in Markdown and AsciiDoc. No name,
//! type or default changes the structure of the document; descriptions are Markdown of their authors.

use hclkit_syntax::visible;

use super::{DocsFormat, DocsOptions};
use crate::schema::markdown_code;

/// A markup with its options.
#[derive(Clone, Copy)]
pub(super) struct Markup<'o> {
    options: &'o DocsOptions,
    pub(super) is_markdown: bool,
}

impl<'o> Markup<'o> {
    pub(super) fn new(options: &'o DocsOptions) -> Self {
        Self { options, is_markdown: options.format == DocsFormat::Markdown }
    }

    /// A heading, some levels below that of sections.
    pub(super) fn heading(self, below: usize, text: &str) -> String {
        let sign = if self.is_markdown { "#" } else { "=" };
        format!("{} {text}", sign.repeat(self.options.indent + below))
    }

    /// A name that is an anchor, such as `input_zone`.
    pub(super) fn name(self, kind: &str, name: &str) -> String {
        let anchor = format!("{kind}_{name}");
        // Only plain names can be in the attribute of a tag and in a link.
        let is_plain = |next: char| next.is_alphanumeric() || "._-".contains(next);
        if !self.options.anchor || !anchor.chars().all(is_plain) || self.is_markdown && !self.options.html {
            return self.plain(name);
        }
        match self.is_markdown {
            true => format!("<a name=\"{anchor}\"></a> [{}](#{})", self.plain(name), self.plain(&anchor)),
            false => format!("[[{anchor}]] <<{anchor},{name}>>"),
        }
    }

    /// A link, or only its text without an address.
    pub(super) fn link(self, text: &str, address: Option<&str>) -> String {
        match (address, self.is_markdown) {
            (Some(address), true) => format!("[{text}]({address})"),
            (Some(address), false) => format!("{address}[{text}]"),
            (None, _) => text.to_owned(),
        }
    }

    /// Text that is not markup.
    pub(super) fn plain(self, text: &str) -> String {
        let text = visible(text);
        let text = if self.is_markdown { self.escaped(&text) } else { text.into_owned() };
        text.replace('|', "\\|")
    }

    /// Text in which underscores within words are no emphasis.
    fn escaped(self, text: &str) -> String {
        if !self.options.escape || !self.is_markdown {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        let mut before = ' ';
        let mut rest = text.chars().peekable();
        let mut in_address = false;
        while let Some(next) = rest.next() {
            if next.is_whitespace() {
                in_address = false;
            } else if next == '/' && out.ends_with(":/") {
                in_address = true;
            } else if next == ')' || next == ']' {
                in_address = false;
            }
            let is_inner = before.is_alphanumeric()
                || rest.peek().is_some_and(|after| after.is_alphanumeric() && before == '_');
            if next == '_' && !in_address && before != '\\' && is_inner {
                out.push('\\');
            }
            out.push(next);
            before = next;
        }
        out
    }

    /// Code on one line.
    pub(super) fn code(self, text: &str, in_table: bool) -> String {
        let code = markdown_code(text);
        if in_table { code.replace('|', "\\|") } else { code }
    }

    /// A type or a value in a cell of a table.
    pub(super) fn cell(self, text: &str) -> String {
        if !text.trim().contains('\n') {
            return self.code(text.trim(), true);
        }
        let text = visible(text);
        let text = text.trim();
        if !self.is_markdown {
            return format!("\n\n[source]\n----\n{}\n----\n", text.replace('|', "\\|"));
        }
        if !self.options.html {
            return self.code(&text.split_whitespace().collect::<Vec<_>>().join(" "), true);
        }
        format!("<pre>{}</pre>", preformatted(text))
    }

    /// A type or a value after its title, in a document.
    pub(super) fn block(self, title: &str, text: &str, language: &str) -> String {
        let text = text.trim();
        if !text.contains('\n') {
            return format!("{title}: {}", self.code(text, false));
        }
        let text = visible(text);
        if self.is_markdown {
            let fence = "`".repeat(longest_run(&text).max(2) + 1);
            return format!("{title}:\n\n{fence}{language}\n{text}\n{fence}");
        }
        format!("{title}:\n[source,{language}]\n----\n{text}\n----")
    }

    /// A description in a cell of a table.
    pub(super) fn in_table(self, text: &str) -> String {
        let text = visible(text.trim_matches('\n'));
        let text = if self.is_markdown { text.trim().to_owned() } else { text.into_owned() };
        let mut out = String::new();
        // Whether a line break belongs before the next line.
        let mut breaks = false;
        let mut code: Option<Vec<String>> = None;
        for line in text.lines() {
            let line = line.trim_end();
            let is_fence = line.trim_start().starts_with("```") && !line.trim_start()[3..].contains('`');
            match (&mut code, is_fence) {
                (Some(lines), true) => {
                    out.push_str(&self.code_lines(lines));
                    (code, breaks) = (None, !self.is_markdown);
                }
                (None, true) => code = Some(Vec::new()),
                (Some(lines), false) => lines.push(line.to_owned()),
                (None, false) => {
                    if breaks {
                        out.push_str(self.line_break());
                    }
                    breaks = true;
                    out.push_str(&self.prose(line).replace('|', "\\|"));
                }
            }
        }
        if let Some(lines) = code {
            out.push_str(&self.code_lines(&lines));
        }
        out
    }

    fn line_break(self) -> &'static str {
        match (self.is_markdown, self.options.html) {
            (true, true) => "<br/>",
            (true, false) => " ",
            (false, _) => "\n",
        }
    }

    /// Code in a cell of a table.
    fn code_lines(self, lines: &[String]) -> String {
        let text = lines.join("\n");
        if !self.is_markdown {
            return format!("\n[source]\n----\n{}\n----", text.replace('|', "\\|"));
        }
        if self.options.html {
            format!("<pre>{}</pre>", preformatted(&text))
        } else {
            format!(" {} ", self.code(&text, true))
        }
    }

    /// A description after its title, in a document.
    pub(super) fn in_document(self, text: &str) -> String {
        let text = visible(text.trim_end());
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let mut out = String::new();
        let mut fenced = false;
        for (at, line) in lines.iter().enumerate() {
            let is_fence = line.trim_start().starts_with("```");
            if fenced || is_fence {
                out.push_str(line)
            } else {
                out.push_str(&self.prose(line))
            }
            fenced ^= is_fence;
            let Some(next) = lines.get(at + 1) else { break };
            let next = next.trim_start();
            let starts_block = next.is_empty() || next.starts_with(['-', '*', '|', '#', '>', '`', '~']);
            if !(fenced || line.trim().is_empty() || starts_block) {
                out.push_str("  ");
            }
            out.push('\n');
        }
        if fenced {
            out.push_str("\n```");
        }
        out
    }

    /// The header or the footer.
    pub(super) fn whole(self, text: &str) -> String {
        let mut fenced = false;
        let line = |line: &str| {
            let is_fence = line.trim_start().starts_with("```");
            let own = if fenced || is_fence { line.to_owned() } else { self.prose(line) };
            fenced ^= is_fence;
            own
        };
        visible(text.trim_matches('\n')).lines().map(line).collect::<Vec<_>>().join("\n")
    }

    /// A line of Markdown, in which code stays as it is.
    fn prose(self, line: &str) -> String {
        let (mut out, mut rest) = (String::new(), line);
        while let Some(start) = rest.find('`') {
            let run = rest[start..].len() - rest[start..].trim_start_matches('`').len();
            let inside = &rest[start + run..];
            let fence = "`".repeat(run);
            let Some(len) = inside.find(&fence) else { break };
            out.push_str(&self.escaped(&rest[..start]));
            let end = start + run + len + run;
            out.push_str(&rest[start..end]);
            rest = &rest[end..];
        }
        out + &self.escaped(rest)
    }
}

/// Text between tags of HTML, in a cell of a table.
fn preformatted(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('|', "\\|");
    text.replace('\n', "<br/>")
}

fn longest_run(text: &str) -> usize {
    text.split(|next| next != '`').map(str::len).max().unwrap_or_default()
}
