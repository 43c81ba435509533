//! The report as `JUnit` XML. The number of test cases comes first, so that they are written at the end.

use std::fmt::Write as _;
use std::io::{self, Write};

use hclkit_syntax::{Diagnostic, visible, visible_line};

use super::{Renderer, Totals};

/// The test cases so far.
#[derive(Debug, Default)]
pub(super) struct Cases {
    text: String,
    count: usize,
    failures: usize,
    skipped: usize,
}

impl Cases {
    pub(super) fn add(&mut self, diagnostic: &Diagnostic) {
        let code = diagnostic.code().map_or("error", |code| code.as_str());
        let (file, line) = match diagnostic.place() {
            Some(place) => {
                let start = place.range().start;
                (place.source.name().to_owned(), format!(":{}:{}", start.line, start.column))
            }
            None => (String::new(), String::new()),
        };
        let (element, end) = if diagnostic.is_error() {
            self.failures += 1;
            let message = on_one_line(&format!("{}: {}", diagnostic.summary(), diagnostic.note()));
            (format!("<failure type=\"{}\" message=\"{message}\">", escaped(code)), "</failure>")
        } else {
            ("<system-out>".to_owned(), "</system-out>")
        };
        let text = escaped(&Renderer::plain().diagnostic(diagnostic));
        let (name, class) = (on_one_line(&format!("{code} {file}{line}")), on_one_line(&file));
        self.case(&name, &class, &format!("{element}{text}{end}"));
    }

    /// Adds a test that passed, or was not run.
    pub(super) fn add_case(&mut self, name: &str, subject: &str, skipped: Option<&str>) {
        let content =
            skipped.map_or(String::new(), |why| format!("<skipped message=\"{}\"/>", on_one_line(why)));
        self.skipped += usize::from(skipped.is_some());
        self.case(&on_one_line(name), &on_one_line(subject), &content);
    }

    fn case(&mut self, name: &str, class: &str, content: &str) {
        self.count += 1;
        // Writing to a string cannot fail.
        let _ =
            writeln!(self.text, "    <testcase name=\"{name}\" classname=\"{class}\">{content}</testcase>");
    }

    pub(super) fn end(&mut self, out: &mut impl Write, totals: &Totals, tool: &str) -> io::Result<()> {
        for failed in &totals.failed {
            let message = on_one_line(&failed.to_string());
            let name = on_one_line(&failed.name);
            self.case(&name, &name, &format!("<error message=\"{message}\"/>"));
        }
        if self.count == 0 {
            self.case(&format!("{} files", totals.files), "", "");
        }
        if !totals.infos.is_empty() {
            let lines = totals.infos.iter().map(|info| format!("{}: {}\n", info.rule, info.message));
            let text = escaped(&lines.collect::<String>());
            // It is the last element of the suite.
            let _ = writeln!(self.text, "    <system-out>{text}</system-out>");
        }
        let (count, failures, errors) = (self.count, self.failures, totals.failed.len());
        let skipped = match self.skipped {
            0 => String::new(),
            skipped => format!(" skipped=\"{skipped}\""),
        };
        let tool = escaped(tool);
        writeln!(
            out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuites tests=\"{count}\" failures=\"{failures}\" errors=\"{errors}\">\n  \
             <testsuite name=\"{tool}\" tests=\"{count}\" failures=\"{failures}\" errors=\"{errors}\"{skipped}>\n\
             {}  </testsuite>\n</testsuites>",
            self.text
        )
    }
}

/// The value of an attribute in XML.
fn on_one_line(text: &str) -> String {
    escaped(&visible_line(text))
}

/// Text in XML, which cannot contain control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            _ => escaped.push(character),
        }
    }
    escaped
}
