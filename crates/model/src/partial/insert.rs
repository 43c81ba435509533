//! Text that replaces sequences of a template: it is escaped, indented, and stripped of the white space that strip
//! markers remove.

use hclkit_syntax::{Source, Span};
use hclkit_value::Value;

use super::reduce::Reducer;
use super::template::{Edit, Piece, ReducedPart, Taken, Written};

/// Replaces sequences by their text.
pub(super) struct AsText<'s> {
    source: &'s Source,
    written: Written,
    /// The indentation of the lines of a flush heredoc.
    indent: &'s str,
    edits: Vec<Edit>,
    pieces: Vec<Piece>,
}

impl<'s> AsText<'s> {
    /// After edits to the beginning of a template.
    pub(super) fn new(source: &'s Source, written: Written, indent: &'s str, edits: Vec<Edit>) -> Self {
        AsText { source, written, indent, edits, pieces: Vec::new() }
    }

    /// All edits, and the pieces that the template must then have. `None` if a text is possible only as a literal in
    /// its sequence and would change the indentation.
    pub(super) fn of(
        mut self,
        parts: &[ReducedPart<'_>],
        reducer: &Reducer<'_, '_>,
    ) -> Option<(Vec<Edit>, Vec<Piece>)> {
        self.parts(parts, reducer)?;
        Some((self.edits, self.pieces))
    }

    fn parts(&mut self, parts: &[ReducedPart<'_>], reducer: &Reducer<'_, '_>) -> Option<()> {
        for (at, part) in parts.iter().enumerate() {
            match part {
                ReducedPart::Text { value, .. } => add_text(value, &mut self.pieces),
                ReducedPart::Known { node, sequence, text } => {
                    let (before, after) = (parts[..at].last(), parts.get(at + 1));
                    let edit = match self.text(*sequence, text, before, after) {
                        Some(edit) => edit,
                        // The lines in the directive may determine the indentation of the others.
                        None if self.written == (Written::Heredoc { flush: true })
                            && reducer.is_directive(node) =>
                        {
                            return None;
                        }
                        None => reducer.literal_sequence(node, text),
                    };
                    self.edits.push(edit);
                    add_text(text, &mut self.pieces);
                }
                ReducedPart::Interpolation { inner, hole } => {
                    self.edits.push(Edit::Hole(*inner, *hole));
                    self.pieces.push(Piece::Hole);
                }
                ReducedPart::Directive { bodies, taken: Some(Taken { body, before, after, .. }), .. } => {
                    self.edits.push(Edit::Text(*before, String::new()));
                    self.parts(&bodies[*body], reducer)?;
                    self.edits.push(Edit::Text(*after, String::new()));
                }
                ReducedPart::Directive { inner, hole, bodies, .. } => {
                    self.edits.push(Edit::Hole(*inner, *hole));
                    for (at, body) in bodies.iter().enumerate() {
                        self.pieces.push(if at == 0 { Piece::Open } else { Piece::Else });
                        self.parts(body, reducer)?;
                    }
                    self.pieces.push(Piece::Close);
                }
            }
        }
        Some(())
    }

    /// Replaces a sequence by a text, together with the white space that its strip markers remove.
    fn text(
        &self,
        sequence: Span,
        text: &str,
        before: Option<&ReducedPart<'_>>,
        after: Option<&ReducedPart<'_>>,
    ) -> Option<Edit> {
        let quoted = self.written == Written::Quoted;
        let (strip_before, strip_after) = strips(self.source.slice(sequence));
        if quoted && (strip_before || strip_after) {
            return None;
        }
        let mut span = sequence;
        if let (true, Some(ReducedPart::Text { span: own, .. })) = (strip_before, before) {
            let line = self.source.slice(*own).split_inclusive('\n').next_back().unwrap_or_default();
            span.start -= (line.len() - line.trim_end().len()) as u32;
        }
        if let (true, Some(ReducedPart::Text { span: own, .. })) = (strip_after, after) {
            let line = self.source.slice(*own).split_inclusive('\n').next().unwrap_or_default();
            span.end += (line.len() - line.trim_start().len()) as u32;
        }
        let mut last = None;
        let mut begins = "";
        if let (false, Some(ReducedPart::Text { span: own, .. })) = (strip_before, before)
            && let Some((start, spaces)) = self.blank_line(*own, text)
        {
            span.start = start;
            begins = spaces;
        }
        if let Some(Edit::Text(done, text)) = self.edits.last() {
            span.start = span.start.max(done.end);
            last = text.chars().next_back().filter(|_| span.start == done.end);
        }
        let source = self.source.text();
        let last = last.or_else(|| source[..span.start as usize].chars().next_back());
        let rest = &source[span.end as usize..];
        if !joins(last, text, rest) {
            return None;
        }
        let text = if quoted { escaped(text) } else { self.lines(text, rest)? };
        Some(Edit::Text(span, format!("{begins}{text}")))
    }

    /// The start of a line of a flush heredoc that becomes blank before this text, and the rest of the line: blank
    /// lines keep their indentation.
    fn blank_line(&self, before: Span, text: &str) -> Option<(u32, &str)> {
        let (first, _) = text.split_once('\n')?;
        let line = self.source.slice(before).split('\n').next_back().unwrap_or_default();
        let start = before.end - line.len() as u32;
        let at_start = self.source.text()[..start as usize].ends_with('\n');
        let blank = first.trim().is_empty() && line.trim().is_empty();
        let spaces =
            line.strip_prefix(self.indent).filter(|_| at_start && blank && !self.indent.is_empty())?;
        Some((start, spaces))
    }

    /// A text as lines of an unquoted template.
    fn lines(&self, text: &str, rest: &str) -> Option<String> {
        if text.contains(|sign: char| sign.is_control() && sign != '\n' && sign != '\t') {
            return None;
        }
        let text = text.replace("${", "$${").replace("%{", "%%{");
        if self.indent.is_empty() {
            return Some(text);
        }
        // Lines of white space keep their indentation. The last line continues in the text that follows.
        let ends = rest.starts_with(['\n', '\r']);
        let mut lines = text.split('\n').peekable();
        let mut out = lines.next().unwrap_or_default().to_owned();
        while let Some(line) = lines.next() {
            out.push('\n');
            let blank = line.trim().is_empty() && (ends || lines.peek().is_some());
            if !blank {
                out.push_str(self.indent);
            }
            out.push_str(line);
        }
        Some(out)
    }
}

/// Returns true if a text can be inserted without changing the meaning of the characters at its ends.
fn joins(last: Option<char>, text: &str, rest: &str) -> bool {
    let opens = |sign: Option<char>| matches!(sign, Some('$' | '%'));
    let begins = text.chars().next().or(rest.chars().next());
    let ends = text.chars().next_back().or(last);
    let opened = opens(last) && begins == Some('{');
    let opens = opens(ends) && rest.starts_with(['{', '$', '%']);
    !opened && !opens
}

/// A text escaped as between quotes, without the quotes.
fn escaped(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Returns for each end of a sequence whether it has a strip marker.
pub(super) fn strips(sequence: &str) -> (bool, bool) {
    (sequence[1..].starts_with("{~"), sequence.ends_with("~}"))
}

/// Adds literal text.
pub(super) fn add_text(text: &str, pieces: &mut Vec<Piece>) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Text(last)) => last.push_str(text),
        _ => pieces.push(Piece::Text(text.to_owned())),
    }
}
