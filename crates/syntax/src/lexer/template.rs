//! Lexing of templates: quoted strings with and without sequences, heredocs, and whole sources that are templates.
//! Specification: "Template Expressions", "Templates".

use super::{BLANK, CLASS, Frame, Lexer, QUOTED_SPECIAL};
use crate::token::TokenKind;
use crate::{Code, Diagnostic, Edit, Span};

/// Where a piece of literal text in quotes ends, and why.
enum Stop {
    /// Before the closing quote.
    Quote(usize),
    /// Before `${` or `%{`.
    Sequence(usize),
    /// Before a line break.
    Newline(usize),
    /// At the end of the text.
    End(usize),
}

impl Lexer<'_> {
    /// A quote in code: the whole string where it has no sequences, else its opening quote and first text.
    pub(super) fn quote(&mut self) {
        let reported = self.diagnostics.len();
        let open = self.pos;
        if open < self.no_quote_before && self.in_sequence_of_quoted() {
            return self.close_outer_quote();
        }
        let stop = self.quoted_text_end(open + 1, false);
        match stop {
            Stop::Quote(at) => self.emit(TokenKind::String, at + 1 - open),
            Stop::Sequence(_) => {
                self.emit(TokenKind::OpenQuote, 1);
                self.frames.push(Frame::Quoted { open: open as u32, over_lines: false });
                self.finish_quoted_text(&stop);
            }
            Stop::Newline(at) if self.goes_on_over_lines(at) => {
                self.report_newline(open, at, true);
                match self.quoted_text_end(at, true) {
                    Stop::Quote(at) => self.emit(TokenKind::String, at + 1 - open),
                    stop => {
                        self.emit(TokenKind::OpenQuote, 1);
                        self.frames.push(Frame::Quoted { open: open as u32, over_lines: true });
                        self.finish_quoted_text(&stop);
                    }
                }
            }
            // A quote that nothing closes, inside a sequence of a quoted template, was meant to close that template.
            Stop::Newline(at) | Stop::End(at) if self.in_sequence_of_quoted() => {
                self.diagnostics.truncate(reported);
                self.no_quote_before = at;
                self.close_outer_quote();
            }
            Stop::Newline(at) => {
                self.report_newline(open, at, false);
                self.emit(TokenKind::String, at - open);
            }
            Stop::End(at) => {
                self.report_unclosed_quote(open, at);
                self.emit(TokenKind::String, at - open);
            }
        }
    }

    fn close_outer_quote(&mut self) {
        self.frames.truncate(self.frames.len() - 2);
        self.emit(TokenKind::CloseQuote, 1);
    }

    /// The next piece of a quoted template with sequences.
    pub(super) fn quoted_template(&mut self, over_lines: bool) {
        let stop = self.quoted_text_end(self.pos, over_lines);
        self.finish_quoted_text(&stop);
    }

    fn finish_quoted_text(&mut self, stop: &Stop) {
        let (Stop::Quote(at) | Stop::Sequence(at) | Stop::Newline(at) | Stop::End(at)) = *stop;
        if let Stop::Newline(_) = stop {
            let over_lines = self.goes_on_over_lines(at);
            if let Some(&Frame::Quoted { open, .. }) = self.frames.last() {
                self.report_newline(open as usize, at, over_lines);
            }
            if over_lines {
                if let Some(Frame::Quoted { over_lines, .. }) = self.frames.last_mut() {
                    *over_lines = true;
                }
                let stop = self.quoted_text_end(at, true);
                return self.finish_quoted_text(&stop);
            }
        }
        if at > self.pos {
            self.emit(TokenKind::QuotedText, at - self.pos);
        }
        match stop {
            Stop::Quote(_) => {
                self.frames.pop();
                self.emit(TokenKind::CloseQuote, 1);
            }
            Stop::Sequence(_) => self.open_sequence(),
            Stop::Newline(_) => {
                // An empty closing quote keeps the template whole for what reads the tokens.
                self.frames.pop();
                self.emit(TokenKind::CloseQuote, 0);
            }
            Stop::End(_) => {
                if let Some(Frame::Quoted { open, .. }) = self.frames.pop() {
                    self.report_unclosed_quote(open as usize, at);
                }
                self.emit(TokenKind::CloseQuote, 0);
            }
        }
    }

    /// `("${" | "${~")` or `("%{" | "%{~")`.
    fn open_sequence(&mut self) {
        let strip = self.byte(self.pos + 2) == b'~';
        let kind = match (self.byte(self.pos), strip) {
            (b'$', false) => TokenKind::OpenInterpolation,
            (b'$', true) => TokenKind::OpenInterpolationStrip,
            (_, false) => TokenKind::OpenDirective,
            (_, true) => TokenKind::OpenDirectiveStrip,
        };
        self.emit(kind, 2 + usize::from(strip));
        self.frames.push(Frame::Sequence { braces: 0 });
    }

    /// The length of `$${` or `%%{` if that stands at `at`, 0 where a sequence opens, else 1.
    fn literal_mark(&self, at: usize) -> usize {
        let mark = self.byte(at);
        if self.byte(at + 1) == b'{' {
            0
        } else if self.byte(at + 1) == mark && self.byte(at + 2) == b'{' {
            3
        } else {
            1
        }
    }

    fn quoted_text_end(&mut self, mut at: usize, over_lines: bool) -> Stop {
        loop {
            while let Some(&byte) = self.bytes.get(at)
                && CLASS[byte as usize] & QUOTED_SPECIAL == 0
            {
                at += 1;
            }
            let Some(&byte) = self.bytes.get(at) else { return Stop::End(at) };
            match byte {
                b'"' => return Stop::Quote(at),
                b'\\' => at = self.escape(at),
                b'$' | b'%' => match self.literal_mark(at) {
                    0 => return Stop::Sequence(at),
                    len => at += len,
                },
                b'\r' if self.byte(at + 1) != b'\n' => {
                    self.diagnostics.push(super::wrong::carriage_return(at));
                    at += 1;
                }
                b'\n' | b'\r' if !over_lines => return Stop::Newline(at),
                _ => at += 1,
            }
        }
    }

    /// Checks the escape sequence that begins at `at`, and returns where it ends.
    fn escape(&mut self, at: usize) -> usize {
        let selector = self.byte(at + 1);
        let digits = match selector {
            b'n' | b'r' | b't' | b'"' | b'\\' => return at + 2,
            b'u' => 4,
            b'U' => 8,
            _ => 0,
        };
        let span = |end: usize| Span::new(at as u32, end as u32);
        if digits == 0 {
            let Some(character) = self.text[at + 1..].chars().next() else { return at + 1 };
            if matches!(character, '\n' | '\r') {
                self.diagnostics.push(Diagnostic::error(
                    Code::InvalidEscape,
                    span(at + 1),
                    "A backslash does not continue a string on the next line.",
                ));
                return at + 1;
            }
            let end = at + 1 + character.len_utf8();
            self.diagnostics.push(
                Diagnostic::error(
                    Code::InvalidEscape,
                    span(end),
                    format!(
                        "`\\{character}` is not an escape sequence. A backslash itself is written `\\\\`."
                    ),
                )
                .with_edit("Double the backslash", span(at + 1), "\\\\"),
            );
            return end;
        }
        let rest = &self.bytes[at + 2..];
        let found = rest.iter().take(digits).take_while(|byte| byte.is_ascii_hexdigit()).count();
        let end = at + 2 + found;
        if found < digits {
            let detail =
                format!("`\\{}` must be followed by {digits} hexadecimal digits.", char::from(selector));
            self.diagnostics.push(Diagnostic::error(Code::InvalidEscape, span(end), detail));
        } else if u32::from_str_radix(&self.text[at + 2..end], 16).ok().and_then(char::from_u32).is_none() {
            let detail = format!("U+{} is not a character.", &self.text[at + 2..end]);
            self.diagnostics.push(Diagnostic::error(Code::InvalidEscape, span(end), detail));
        }
        end
    }

    fn in_sequence_of_quoted(&self) -> bool {
        matches!(self.frames[..], [.., Frame::Quoted { .. }, Frame::Sequence { .. }])
    }

    /// Whether a quoted string that meets a line break at `at` seems to be meant to go on: the next line that has a
    /// quote has an odd number of them.
    fn goes_on_over_lines(&mut self, at: usize) -> bool {
        if at >= self.goes_on.0 {
            self.goes_on = self.next_line_with_quotes(at);
        }
        self.goes_on.1
    }

    /// Where the next line with quotes begins, and whether it has an odd number of them.
    fn next_line_with_quotes(&self, at: usize) -> (usize, bool) {
        let mut from = at;
        while let Some(line_break) = memchr::memchr(b'\n', &self.bytes[from..]) {
            let start = from + line_break + 1;
            let rest = &self.bytes[start..];
            let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
            let escaped = memchr::memmem::find_iter(line, "\\\"").count();
            let quotes = memchr::memchr_iter(b'"', line).count() - escaped;
            if quotes > 0 {
                return (start, quotes % 2 == 1);
            }
            from = start;
        }
        (self.bytes.len(), false)
    }

    fn report_newline(&mut self, open: usize, at: usize, over_lines: bool) {
        let end = at + self.bytes[at..].iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        let (start, newline) = (Span::new(open as u32, open as u32 + 1), Span::new(at as u32, end as u32));
        let diagnostic = if over_lines {
            Diagnostic::error(
                Code::NewlineInString,
                newline,
                "A quoted string may not go over several lines. Write `\\n` for a line break, or use a heredoc (`<<EOT`).",
            )
        } else {
            Diagnostic::error(
                Code::NewlineInString,
                newline,
                "The string is not closed before the end of its line.",
            )
            .with_edit("Close the string", Span::empty(at as u32), "\"")
        };
        self.diagnostics.push(diagnostic.with_related(start, "the string begins here"));
    }

    pub(super) fn report_unclosed_quote(&mut self, open: usize, end: usize) {
        let span = Span::empty(end as u32);
        self.diagnostics.push(
            Diagnostic::error(
                Code::UnclosedTemplate,
                span,
                "The string is not closed before the end of the file.",
            )
            .with_related(Span::new(open as u32, end.min(open + 1) as u32), "the string begins here")
            .with_edit("Close the string", span, "\""),
        );
    }

    /// `("<<" | "<<-") Identifier Newline`. Takes two characters as operators where no heredoc can be meant, and then
    /// returns false.
    pub(super) fn open_heredoc(&mut self) -> bool {
        let open = self.pos;
        let dash = usize::from(self.byte(open + 2) == b'-');
        let after_dash = open + 2 + dash;
        let quote_at = self.run_of(BLANK, after_dash);
        let quoted = usize::from(matches!(self.byte(quote_at), b'"' | b'\''));
        let name_at = quote_at + quoted;
        let name_end = match self.byte(name_at) {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.unicode_identifier_end(name_at),
            0x80.. if self.starts_identifier(name_at) => self.unicode_identifier_end(name_at),
            _ => name_at,
        };
        // A quote that its like does not close makes this a string after an operator.
        let name_end =
            if quoted == 1 && self.byte(name_end) != self.byte(quote_at) { name_at } else { name_end };
        let blanks = if name_end > name_at { self.run_of(BLANK, name_end + quoted) } else { name_end };
        let line_break = match (self.byte(blanks), self.byte(blanks + 1)) {
            (b'\n', _) => 1,
            (b'\r', b'\n') => 2,
            _ => 0,
        };
        if line_break == 0
            && name_end > name_at
            && let Some(body) = self.heredoc_body(&self.text[name_at..name_end], blanks)
        {
            self.diagnostics.push(Diagnostic::error(
                Code::InvalidHeredoc,
                Span::new(open as u32, open as u32 + 1),
                "The name of the heredoc must be followed by the line break at once.",
            ));
            let marker = Span::new(name_at as u32, name_end as u32);
            self.emit(TokenKind::OpenHeredoc, body - open);
            self.frames.push(Frame::Heredoc { marker, at_line_start: true });
            return true;
        }
        if name_end == name_at || line_break == 0 {
            self.emit(TokenKind::Less, 1);
            self.emit(TokenKind::Less, 1);
            return false;
        }
        if name_at != after_dash || blanks != name_end {
            let (before, after) =
                (Span::new(after_dash as u32, name_at as u32), Span::new(name_end as u32, blanks as u32));
            let edits = [before, after].into_iter().filter(|span| !span.is_empty());
            self.diagnostics.push(
                Diagnostic::error(
                    Code::InvalidHeredoc,
                    Span::new(open as u32, open as u32 + 1),
                    "Between `<<`, the name of the heredoc and the line break there may be neither blanks nor quotes.",
                )
                .with_fix(
                    "Remove what stands between",
                    edits.map(|span| Edit { span, replacement: "".into() }).collect(),
                ),
            );
        }
        let marker = Span::new(name_at as u32, name_end as u32);
        self.emit(TokenKind::OpenHeredoc, blanks + line_break - open);
        self.frames.push(Frame::Heredoc { marker, at_line_start: true });
        true
    }

    /// Where the body of a heredoc begins that has more after its name on the first line: on the next line, if the name
    /// stands alone on a line soon after.
    fn heredoc_body(&self, name: &str, at: usize) -> Option<usize> {
        /// How far to look; a bound keeps lexing linear.
        const FAR: usize = 4_096;
        let mut end = self.bytes.len().min(at + FAR);
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let mut lines = self.text[at..end].split_inclusive('\n');
        // Two heredocs that begin on one line are a shell's, and cannot be told apart.
        let first = lines.next().filter(|line| !line.contains("<<"))?;
        let body = at + first.len();
        lines.any(|line| line.trim() == name).then_some(body)
    }

    /// Text of a heredoc up to a sequence or to the end, which is the marker alone on a line.
    pub(super) fn heredoc(&mut self, marker: Span, mut at_line_start: bool) {
        let text = self.text;
        let marker_text = &text[marker.to_range()];
        let mut at = self.pos;
        loop {
            if at_line_start {
                let line_end = memchr::memchr(b'\n', &self.bytes[at..]).map(|len| at + len);
                let end = line_end.unwrap_or(self.bytes.len());
                let first = self.run_of(BLANK, at);
                let may_close = match self.byte(first) {
                    byte @ (b'!'..=b'~') => byte == marker_text.as_bytes()[0],
                    _ => first < end,
                };
                if may_close && self.text[at..end].trim() == marker_text {
                    return self.close_heredoc(at, end, line_end.is_some());
                }
            }
            match memchr::memchr3(b'\n', b'$', b'%', &self.bytes[at..]).map(|len| at + len) {
                None => {
                    self.emit_text(TokenKind::HeredocText, self.bytes.len());
                    return self.report_unclosed_heredoc(marker);
                }
                Some(line_break) if self.bytes[line_break] == b'\n' => {
                    at = line_break + 1;
                    at_line_start = true;
                }
                Some(mark) => match self.literal_mark(mark) {
                    0 => {
                        self.emit_text(TokenKind::HeredocText, mark);
                        if let Some(Frame::Heredoc { at_line_start, .. }) = self.frames.last_mut() {
                            *at_line_start = false;
                        }
                        return self.open_sequence();
                    }
                    len => {
                        at = mark + len;
                        at_line_start = false;
                    }
                },
            }
            if at >= self.bytes.len() {
                self.emit_text(TokenKind::HeredocText, self.bytes.len());
                return self.report_unclosed_heredoc(marker);
            }
        }
    }

    fn close_heredoc(&mut self, line: usize, end: usize, has_line_break: bool) {
        self.emit_text(TokenKind::HeredocText, line);
        let end = if has_line_break && end > line && self.bytes[end - 1] == b'\r' { end - 1 } else { end };
        self.frames.pop();
        self.report_carriage_returns(end);
        self.emit(TokenKind::CloseHeredoc, end - line);
        if !has_line_break {
            let span = Span::empty(end as u32);
            self.diagnostics.push(
                Diagnostic::error(
                    Code::UnclosedTemplate,
                    span,
                    "The name that closes a heredoc must be followed by a line break.",
                )
                .with_edit("Add a line break", span, "\n"),
            );
        }
    }

    pub(super) fn report_unclosed_heredoc(&mut self, marker: Span) {
        let (span, name) = (Span::empty(self.bytes.len() as u32), &self.text[marker.to_range()]);
        self.diagnostics.push(
            Diagnostic::error(
                Code::UnclosedTemplate,
                span,
                format!(
                    "The heredoc must be closed by `{name}` alone on a line, and that line by a line break."
                ),
            )
            .with_related(marker, "the heredoc begins here"),
        );
        self.frames.clear();
    }

    /// Text of a source that is a template as a whole.
    pub(super) fn bare_template(&mut self) {
        let mut at = self.pos;
        while let Some(mark) = memchr::memchr2(b'$', b'%', &self.bytes[at..]).map(|len| at + len) {
            match self.literal_mark(mark) {
                0 => {
                    self.emit_text(TokenKind::BareText, mark);
                    return self.open_sequence();
                }
                len => at = mark + len,
            }
        }
        self.emit_text(TokenKind::BareText, self.bytes.len());
    }

    /// Emits the text from here to `end`, if there is any.
    fn emit_text(&mut self, kind: TokenKind, end: usize) {
        if end <= self.pos {
            return;
        }
        if kind == TokenKind::HeredocText {
            self.report_carriage_returns(end);
        }
        self.emit(kind, end - self.pos);
    }

    /// Carriage returns without a line feed between here and `end`: heredocs are made of lines.
    fn report_carriage_returns(&mut self, end: usize) {
        for at in memchr::memchr_iter(b'\r', &self.bytes[self.pos..end]) {
            if self.byte(self.pos + at + 1) != b'\n' {
                self.diagnostics.push(super::wrong::carriage_return(self.pos + at));
            }
        }
    }
}
