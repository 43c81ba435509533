//! Lexing of heredocs. Specification: "Template Expressions".

use super::{BLANK, Frame, Lexer};
use crate::messages::lexical as messages;
use crate::messages::{fix, related};
use crate::token::TokenKind;
use crate::{Code, Diagnostic, Edit, Fix, Span};

/// How often to go back to search for the end of an unclosed heredoc; a bound keeps lexing linear.
const TRIES: u32 = 16;

impl Lexer<'_> {
    /// `("<<" | "<<-") Identifier Newline`. If this cannot be a heredoc, lexes two characters as operators and returns
    /// false. `<<~` and `<<<` are heredocs of other languages.
    pub(super) fn open_heredoc(&mut self) -> bool {
        if self.pos > 0 && self.bytes[self.pos - 1] == b'<' {
            // A row of them is a conflict marker.
            self.tokens.doubt();
            self.emit(TokenKind::Less, 1);
            self.emit(TokenKind::Less, 1);
            return false;
        }
        self.heredoc_or_operators()
    }

    /// Whether `<<<` is `<` and a heredoc, because it comes after an operand.
    pub(super) fn compares_heredoc(&self) -> bool {
        /// The maximum number of comments and line breaks before it.
        const FAR: u32 = 100;
        let open = self.pos + 1;
        let before = self.pos.checked_sub(1).map(|at| self.bytes[at]);
        if !self.bytes[open..].starts_with(b"<<") || before == Some(b'<') {
            return false;
        }
        let name = open + 2 + usize::from(self.byte(open + 2) == b'-');
        let end = if self.byte(name) == b'_' || self.starts_identifier(name) {
            self.unicode_identifier_end(name)
        } else {
            name
        };
        let line_end = self.bytes[end..].strip_prefix(b"\r").unwrap_or(&self.bytes[end..]);
        if end == name || line_end.first() != Some(&b'\n') {
            return false;
        }
        let last = self.tokens.len() as u32;
        let kind = |back: u32| last.checked_sub(back).map(|at| self.tokens.kind(at));
        let is_between = |kind: &TokenKind| kind.is_comment() || *kind == TokenKind::Newline;
        let Some(at) = (1..=FAR).find(|back| !kind(*back).is_some_and(|kind| is_between(&kind))) else {
            return false;
        };
        match kind(at) {
            Some(TokenKind::Star) => kind(at + 1) == Some(TokenKind::Dot),
            kind => kind.is_some_and(|kind| {
                matches!(
                    kind,
                    TokenKind::Identifier
                        | TokenKind::Number
                        | TokenKind::String
                        | TokenKind::CloseQuote
                        | TokenKind::CloseHeredoc
                        | TokenKind::CloseBrace
                        | TokenKind::CloseBracket
                        | TokenKind::CloseParen
                )
            }),
        }
    }

    /// The same as `open_heredoc`, also after `<`.
    pub(super) fn heredoc_or_operators(&mut self) -> bool {
        let open = self.pos;
        let mark = self.byte(open + 2);
        let foreign = matches!(mark, b'~' | b'<');
        let dash = usize::from(mark == b'-' || foreign);
        let after_dash = open + 2 + dash;
        let quote_at = self.run_of(BLANK, after_dash);
        let quoted = usize::from(matches!(self.byte(quote_at), b'"' | b'\''));
        let name_at = quote_at + quoted;
        let name_end = match self.byte(name_at) {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.unicode_identifier_end(name_at),
            0x80.. if self.starts_identifier(name_at) => self.unicode_identifier_end(name_at),
            _ => name_at,
        };
        // Without a matching closing quote, this is a string after an operator.
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
            && !foreign
            && let Some(body) = self.heredoc_body(&self.text[name_at..name_end], blanks)
        {
            self.diagnostics.push(
                Diagnostic::error(Code::InvalidHeredoc)
                    .at(Span::new(open as u32, open as u32 + 1))
                    .with_note(messages::HEREDOC_NAME_WITHOUT_LINE_BREAK),
            );
            let marker = Span::new(name_at as u32, name_end as u32);
            self.emit(TokenKind::OpenHeredoc, body - open);
            self.frames.push(Frame::Heredoc { marker, at_line_start: true });
            return true;
        }
        if name_end == name_at || line_break == 0 {
            // No expression contains two of them in a row.
            self.tokens.doubt();
            self.emit(TokenKind::Less, 1);
            self.emit(TokenKind::Less, 1);
            return false;
        }
        if foreign {
            let mark = Span::new(open as u32 + 2, open as u32 + 3);
            let subject = Span::new(open as u32, open as u32 + 1);
            let detail = messages::WRONG_HEREDOC_OPERATOR;
            let diagnostic = Diagnostic::error(Code::InvalidHeredoc).at(subject).with_note(detail);
            self.diagnostics.push(if self.byte(open + 2) == b'~' {
                diagnostic.with_edit(fix::USE_INDENTED_HEREDOC, mark, "-")
            } else {
                diagnostic.with_edit(fix::USE_PLAIN_HEREDOC, mark, "")
            });
        } else if name_at != after_dash || blanks != name_end {
            let (before, after) =
                (Span::new(after_dash as u32, name_at as u32), Span::new(name_end as u32, blanks as u32));
            let edits = [before, after].into_iter().filter(|span| !span.is_empty());
            self.diagnostics.push(
                Diagnostic::error(Code::InvalidHeredoc)
                    .at(Span::new(open as u32, open as u32 + 1))
                    .with_note(messages::SPACES_AROUND_HEREDOC_NAME)
                    .with_fix(Fix::new(fix::REMOVE_SPACES_AND_QUOTES, edits.map(|span| Edit::new(span, "")))),
            );
        }
        let marker = Span::new(name_at as u32, name_end as u32);
        self.emit(TokenKind::OpenHeredoc, blanks + line_break - open);
        self.frames.push(Frame::Heredoc { marker, at_line_start: true });
        true
    }

    /// Finds the body of a heredoc that has more text after its name on the first line: the body starts on the next
    /// line if the name is alone on a line soon after.
    fn heredoc_body(&self, name: &str, at: usize) -> Option<usize> {
        /// How far to look; a bound keeps lexing linear.
        const FAR: usize = 4_096;
        let mut end = self.bytes.len().min(at + FAR);
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let mut lines = self.text[at..end].split_inclusive('\n');
        // Two heredocs on one line are shell syntax and cannot be told apart.
        let first = lines.next().filter(|line| !line.contains("<<"))?;
        let body = at + first.len();
        lines.any(|line| line.trim() == name).then_some(body)
    }

    /// Reads the text of a heredoc up to a sequence or to the end, which is the marker alone on a line.
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
                None => return self.heredoc_text_to_end(marker),
                Some(line_break) if self.bytes[line_break] == b'\n' => {
                    at = line_break + 1;
                    at_line_start = true;
                }
                Some(mark) => match self.literal_mark(mark) {
                    0 => {
                        self.heredoc_text(mark);
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
                return self.heredoc_text_to_end(marker);
            }
        }
    }

    fn close_heredoc(&mut self, line: usize, end: usize, has_line_break: bool) {
        self.heredoc_text(line);
        let end = if has_line_break && end > line && self.bytes[end - 1] == b'\r' { end - 1 } else { end };
        self.frames.pop();
        self.report_carriage_returns(end);
        self.emit(TokenKind::CloseHeredoc, end - line);
        if !has_line_break {
            let span = Span::empty(end as u32);
            self.diagnostics.push(
                Diagnostic::error(Code::UnclosedTemplate)
                    .at(span)
                    .with_note(messages::HEREDOC_END_WITHOUT_LINE_BREAK)
                    .with_edit(fix::ADD_LINE_BREAK, span, "\n"),
            );
        }
    }

    fn heredoc_text_to_end(&mut self, marker: Span) {
        self.heredoc_text(self.bytes.len());
        self.unclosed_heredoc(marker);
    }

    /// Emits the text from here to `end`, unless it is empty. Heredocs consist of lines, so carriage returns without a
    /// line feed are errors.
    fn heredoc_text(&mut self, end: usize) {
        self.report_carriage_returns(end);
        self.emit_text(TokenKind::HeredocText, end);
    }

    fn report_carriage_returns(&mut self, end: usize) {
        for at in memchr::memchr_iter(b'\r', &self.bytes[self.pos..end.max(self.pos)]) {
            if self.byte(self.pos + at + 1) != b'\n' {
                self.diagnostics.push(super::wrong::carriage_return(self.pos + at));
            }
        }
    }

    /// Reports that the innermost heredoc is not closed before the end of the source. If a line looks like its intended
    /// end, the heredoc is closed there and lexing continues after it.
    #[cold]
    pub(super) fn unclosed_heredoc(&mut self, marker: Span) {
        if self.heredocs_retried < TRIES
            && let Some((token, end)) = self.line_that_nearly_closes(marker)
        {
            self.heredocs_retried += 1;
            let text = self.tokens.span(token);
            self.tokens.truncate(token);
            self.diagnostics.retain(|diagnostic| diagnostic.span.start < end.line.start);
            self.diagnostics.push(end.diagnostic.with_related_span(marker, related::HEREDOC_STARTS_HERE));
            self.frames.pop();
            self.pos = text.start as usize;
            self.emit_text(TokenKind::HeredocText, end.line.start as usize);
            return self.emit(TokenKind::CloseHeredoc, end.line.len() as usize);
        }
        let (span, name) = (Span::empty(self.bytes.len() as u32), &self.text[marker.to_range()]);
        let detail = messages::unclosed_heredoc(name);
        self.diagnostics.push(
            Diagnostic::error(Code::UnclosedTemplate)
                .at(span)
                .with_note(detail)
                .with_related_span(marker, related::HEREDOC_STARTS_HERE),
        );
        self.frames.clear();
    }

    /// Finds the first line in a heredoc that is almost its closing line, and the token that contains it.
    fn line_that_nearly_closes(&self, marker: Span) -> Option<(u32, NearlyEnd)> {
        use TokenKind as T;
        let name = &self.text[marker.to_range()];
        let mut depth = 0_u32;
        for token in self.tokens.at(marker.start)..self.tokens.len() as u32 {
            match self.tokens.kind(token) {
                T::OpenHeredoc | T::OpenQuote => depth += 1,
                T::CloseHeredoc | T::CloseQuote => depth = depth.saturating_sub(1),
                T::HeredocText if depth == 1 => {
                    let found = nearly_end_in(self.text, self.tokens.span(token), name);
                    if let Some(end) = found {
                        return Some((token, end));
                    }
                }
                _ => {}
            }
        }
        None
    }
}

/// A line that looks like the end of a heredoc, up to the word in it, and the error about it.
struct NearlyEnd {
    line: Span,
    diagnostic: Diagnostic,
}

/// Finds such a line in a part of the source.
fn nearly_end_in(source: &str, piece: Span, name: &str) -> Option<NearlyEnd> {
    let mut at = piece.start as usize;
    for line in source[piece.to_range()].split_inclusive('\n') {
        let start = at;
        at += line.len();
        let text = line.trim();
        // A sequence can be before or after the piece.
        let begins = start == 0 || source.as_bytes()[start - 1] == b'\n';
        let is_whole = begins && (line.ends_with('\n') || at == source.len());
        if !is_whole || text.is_empty() {
            continue;
        }
        let word = text.find(|c| !(c == '-' || unicode_ident::is_xid_continue(c))).unwrap_or(text.len());
        let (word, rest) = text.split_at(word);
        let begin = start + (line.len() - line.trim_start().len());
        let span = Span::new(begin as u32, (begin + word.len()) as u32);
        let error = |detail: String| Diagnostic::error(Code::UnclosedTemplate).at(span).with_note(detail);
        let diagnostic = if word == name && !rest.is_empty() {
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            error(messages::text_after_heredoc_end(name)).with_edit(
                fix::START_NEW_LINE,
                Span::new(span.end, span.end + blanks as u32),
                "\n",
            )
        } else if rest.is_empty() && word != name && is_nearly(word, name) {
            error(messages::wrong_heredoc_end(name, word)).with_edit(
                fix::use_text(name),
                span,
                name.to_owned(),
            )
        } else {
            continue;
        };
        return Some(NearlyEnd { line: Span::new(start as u32, span.end), diagnostic });
    }
    None
}

/// Returns true if a word alone on its line was probably meant as the name that closes a heredoc.
fn is_nearly(word: &str, name: &str) -> bool {
    const USUAL: [&str; 8] = ["EOF", "EOT", "EOS", "EOD", "EOL", "EOM", "END", "HEREDOC"];
    word.eq_ignore_ascii_case(name)
        || crate::nearest_name(word, [name]).is_some()
        || USUAL.contains(&word) && USUAL.contains(&name)
}
