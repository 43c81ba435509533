//! What people write who come from other languages, and what is written here instead: the words and the fixes of
//! errors, where more can be said than what is missing. Nothing of this runs on a source without mistakes.

use std::borrow::Cow;

use super::expression::precedence;
use super::{List, Parser};
use crate::token::TokenKind as T;
use crate::tree::NodeKind;
use crate::{Code, Diagnostic, Edit, Span};

/// How many tokens to look at for the end of an expression; a bound keeps the whole linear.
const LOOK_AHEAD: u32 = 500;

const CLOSES_NOTHING: &str =
    "There is no open bracket that this one closes. Remove it, or look for one too many above.";
const COMMENTS: &str = "A comment begins with `#` or `//`, or stands between `/*` and `*/`.";

/// What is to be done about an expression over several lines.
pub(super) const ADD_PARENS: &str = "Add parentheses";

impl Parser<'_> {
    /// What is wrong where an expression is complete and neither ends nor is separated from what follows, if that is
    /// known from elsewhere.
    #[cold]
    pub(super) fn misplaced(&self) -> Option<Diagnostic> {
        let here = self.here();
        let text = self.text_of(self.pos);
        let operator = |right: &'static str| {
            let detail = format!("There is no operator `{text}`. Did you mean `{right}`?");
            Diagnostic::error(Code::UnsupportedOperator, here, detail).with_edit(
                format!("Use `{right}`"),
                here,
                right,
            )
        };
        let no_operator =
            |detail: &'static str| Some(Diagnostic::error(Code::UnsupportedOperator, here, detail));
        match self.kind {
            T::Identifier if self.begins_line(self.pos) => None,
            T::Identifier => match text {
                "and" if self.begins_operand(self.pos + 1) => Some(operator("&&")),
                "or" if self.begins_operand(self.pos + 1) => Some(operator("||")),
                "in" => no_operator(
                    "There is no operator `in`. Applications have functions for it, such as `contains(list, value)`.",
                ),
                "if" | "unless" => no_operator("A conditional is written `condition ? result : other`."),
                "for" => {
                    let detail =
                        "In a `for` expression `for` comes first: `[for value in collection : result]`.";
                    Some(Diagnostic::error(Code::InvalidFor, here, detail))
                }
                _ => self.misplaced_not(),
            },
            T::String | T::Number | T::OpenQuote | T::OpenParen if self.misplaced_not().is_some() => {
                self.misplaced_not()
            }
            T::Equal => {
                let detail = "`=` sets arguments and is no operator. Did you mean `==`?";
                Some(
                    Diagnostic::error(Code::UnsupportedOperator, here, detail)
                        .with_edit("Use `==`", here, "=="),
                )
            }
            _ => None,
        }
    }

    /// `not x`, where the current token is `x`.
    fn misplaced_not(&self) -> Option<Diagnostic> {
        let is_not = self.kind_before() == T::Identifier
            && self.tokens.is_text(self.prev, "not", self.source)
            && self.begins_operand(self.pos);
        let not = Span::new(self.tokens.start(self.prev), self.tokens.start(self.pos));
        is_not.then(|| {
            let detail = "There is no operator `not`. Did you mean `!`?";
            Diagnostic::error(Code::UnsupportedOperator, self.here(), detail).with_edit("Use `!`", not, "!")
        })
    }

    /// What is wrong where the bracket that opened at `opener` must be closed and another kind of bracket is.
    #[cold]
    pub(super) fn wrong_closer(&self, opener: u32) -> Option<Diagnostic> {
        let closer = match self.tokens.kind(opener) {
            T::OpenBrace => "}",
            T::OpenBracket => "]",
            _ => ")",
        };
        if !matches!(self.kind, T::CloseBrace | T::CloseBracket | T::CloseParen) {
            return None;
        }
        let (here, open, text) = (self.here(), self.text_of(opener), self.text_of(self.pos));
        let before = Span::empty(self.tokens.span(self.prev).end);
        let diagnostic = if self.closers.wait_for(self.kind) {
            let detail =
                format!("`{open}` is not closed before this `{text}`, which closes what is around it.");
            let diagnostic = Diagnostic::error(Code::UnbalancedParens, here, detail);
            let ends_line = matches!(self.tokens.kind(self.pos + 1), T::Newline | T::Eof);
            // The brace of a block stands on a line of its own.
            if text == "}" && ends_line && !self.begins_line(self.pos) && !self.open_blocks.is_empty() {
                diagnostic
            } else {
                diagnostic.with_edit(format!("Add `{closer}`"), before, closer)
            }
        } else {
            let detail = format!("`{open}` is closed by `{closer}`, not by `{text}`.");
            Diagnostic::error(Code::UnbalancedParens, here, detail).with_edit(
                format!("Use `{closer}`"),
                here,
                closer,
            )
        };
        Some(diagnostic.with_related(self.tokens.span(opener), "it belongs to this one"))
    }

    /// A closing bracket behind the value of an argument, which nothing waits for.
    #[cold]
    pub(super) fn closer_too_many(&self) -> Option<Diagnostic> {
        let closes = matches!(self.kind, T::CloseBracket | T::CloseParen)
            || self.kind == T::CloseBrace && self.open_blocks.is_empty();
        let alone = matches!(self.tokens.kind(self.pos + 1), T::Newline | T::Eof | T::LineComment);
        closes.then(|| {
            let diagnostic = Diagnostic::error(Code::UnexpectedClose, self.here(), CLOSES_NOTHING);
            // A brace too many is as likely to be one too few further up.
            if alone && self.kind != T::CloseBrace {
                diagnostic.with_edit("Remove it", self.here(), "")
            } else {
                diagnostic
            }
        })
    }

    /// What is wrong where an expression must begin and cannot.
    #[cold]
    pub(super) fn no_operand(&self) -> Diagnostic {
        let (here, prev) = (self.here(), self.tokens.span(self.prev));
        let before = self.kind_before();
        let touches = prev.end == here.start && self.prev + 1 == self.pos;
        let error = |detail: &'static str| invalid(here, detail);
        let operator = |wrong: &str, right: &'static str| {
            invalid(here, format!("There is no operator `{wrong}`. Did you mean `{right}`?")).with_edit(
                format!("Use `{right}`"),
                prev.cover(here),
                right,
            )
        };
        if let Some(percentage) = self.percentage() {
            return percentage;
        }
        match (before, self.kind) {
            (T::Comma, T::Comma) => {
                error("There is one comma too many here.").with_edit("Remove the comma", here, "")
            }
            (T::OpenBracket | T::OpenParen | T::OpenBrace, T::Comma) => {
                error("An element is required before the comma.").with_edit("Remove the comma", here, "")
            }
            (T::OpenBracket, T::CloseBracket) => error("An index is required between these brackets."),
            (_, T::Newline) => self.no_operand_on_line(),
            (T::EqualEqual, T::Equal) if touches => operator("===", "=="),
            (T::BangEqual, T::Equal) if touches => operator("!==", "!="),
            (T::Less, T::Greater) if touches => operator("<>", "!="),
            (T::Star, T::Star) if touches => error("There is no operator `**`."),
            (T::Plus, T::Plus) if touches => error("There is no operator `++`."),
            (T::Minus, T::Greater) if touches => error("There is no operator `->`."),
            (T::Question, T::Question) if touches => {
                error("There is no operator `??`. A conditional has both results: `a != null ? a : b`.")
            }
            (T::Question, T::Dot) if touches => {
                error("There is no operator `?.`. A conditional has both results: `a != null ? a.b : null`.")
            }
            (T::Star, T::Slash) if touches => error("There is no open comment that `*/` closes."),
            (T::Less, T::Less) if touches && self.begins_operand(self.pos + 1) => error(
                "There are no operators on bits. A heredoc begins with `<<`, at once its name, and at once a line break.",
            ),
            (T::Percent, T::OpenBrace) => {
                error("`%{ … }` stands only in templates, that is in quotes or heredocs.")
            }
            (_, T::Dot) if self.touches_next() && self.tokens.kind(self.pos + 1) == T::Number => {
                error("A number begins with a digit.").with_edit("Add a zero", Span::empty(here.start), "0")
            }
            (_, T::Ellipsis) => error(
                "`...` stands behind the last argument of a call. Functions join lists and objects, such as `concat` and `merge`.",
            ),
            (_, T::Percent) if self.tokens.kind(self.pos + 1) == T::OpenBrace => {
                error("`%{ … }` stands only in templates, that is in quotes or heredocs.")
            }
            (_, T::Eof) => {
                let detail = "An expression is required here, where the text ends.";
                Diagnostic::error(Code::MissingExpression, here, detail)
            }
            (_, T::Less)
                if before == T::Less && touches
                    || self.touches_next() && self.tokens.kind(self.pos + 1) == T::Less =>
            {
                error("A heredoc begins with `<<`, at once its name, and at once a line break.")
            }
            (_, T::Plus) => error("There is no unary `+`. Write the expression without it.").with_edit(
                "Remove the plus",
                here,
                "",
            ),
            (_, T::EqualEqual | T::Equal) => {
                invalid(here, format!("An expression is required before `{}`.", self.text_of(self.pos)))
            }
            _ => {
                let text = self.text_of(self.pos);
                invalid(here, format!("An expression is required here, and `{text}` cannot begin one."))
            }
        }
    }

    /// What is wrong where an expression must begin and the line ends.
    fn no_operand_on_line(&self) -> Diagnostic {
        let error = |detail: &'static str| invalid(self.here(), detail);
        if self.kind_before() == T::Equal
            && let Some(gap) = self.value_on_next_line()
        {
            return error("The value of an argument begins on the line of its name.").with_edit(
                "Move the value up",
                gap,
                " ",
            );
        }
        if joins(self.kind_before())
            && let Some(parens) = self.parens_over_lines(self.value_start(), self.pos)
        {
            return error("An expression is required before the end of the line. To go on with the next line, put the whole in parentheses.")
                .with_fix(ADD_PARENS, parens);
        }
        error("An expression is required before the end of the line.")
    }

    /// `50%`, the sign being taken already.
    fn percentage(&self) -> Option<Diagnostic> {
        let ends = matches!(
            self.kind,
            T::Newline | T::Comma | T::CloseBracket | T::CloseParen | T::CloseBrace | T::Eof
        );
        let number =
            self.prev.checked_sub(1).filter(|&number| ends && self.tokens.kind(number) == T::Number)?;
        let span = self.between(number, self.prev);
        let text = self.source.slice(span);
        let detail = "`%` is the operator for remainders, which has an operand on both sides. A percentage is text and stands in quotes.";
        let is_percentage = text.ends_with('%') && !text.contains(char::is_whitespace);
        is_percentage
            .then(|| invalid(self.here(), detail).with_edit("Put it in quotes", span, format!("\"{text}\"")))
    }

    /// The gap between an equals sign and a value that plainly stands on the next line.
    fn value_on_next_line(&self) -> Option<Span> {
        let next = self.pos + 1;
        let is_value = self.indent_of(next) > self.indent_of(self.prev)
            && !self.looks_like_item(next)
            && self.begins_operand(next);
        is_value.then(|| Span::new(self.tokens.span(self.prev).end, self.tokens.start(next)))
    }

    /// Where the value of the argument begins that the current token is in, if it is in no bracket.
    fn value_start(&self) -> Option<u32> {
        let floor = self.pos.saturating_sub(LOOK_AHEAD);
        let mut at = self.pos;
        while at > floor + 1 {
            at -= 1;
            if self.tokens.kind(at) == T::Equal
                && self.tokens.kind(at - 1) == T::Identifier
                && self.begins_line(at - 1)
            {
                return Some(at + 1);
            }
        }
        None
    }

    /// The edits that put an expression in parentheses which goes on behind the line break at `newline`.
    pub(super) fn parens_over_lines(&self, start: Option<u32>, newline: u32) -> Option<Vec<Edit>> {
        let (start, last) = start.zip(self.last_of_continued(newline))?;
        let [before, behind] = [self.tokens.start(start), self.tokens.span(last).end].map(Span::empty);
        let edit = |span, replacement: &'static str| Edit { span, replacement: replacement.into() };
        Some(vec![edit(before, "("), edit(behind, ")")])
    }

    /// The last token of an expression that goes on in the line after `newline`, and in further ones as long as
    /// operators say so.
    fn last_of_continued(&self, newline: u32) -> Option<u32> {
        let next = newline + 1;
        if self.looks_like_item(next) || !(self.begins_operand(next) || joins(self.tokens.kind(next))) {
            return None;
        }
        let (mut open, mut last) = (0_u32, newline);
        for at in next..next + LOOK_AHEAD {
            let kind = self.tokens.kind(at);
            match kind {
                T::Eof | T::Newline if open == 0 => {
                    let goes_on = joins(self.tokens.kind(last))
                        || kind == T::Newline && joins(self.tokens.kind(at + 1));
                    if last == newline || kind == T::Eof && goes_on {
                        return None;
                    } else if !goes_on {
                        return Some(last);
                    }
                }
                T::Eof => return None,
                T::OpenBrace | T::OpenBracket | T::OpenParen => open += 1,
                T::CloseBrace | T::CloseBracket | T::CloseParen => open = open.checked_sub(1)?,
                T::Equal if open == 0 => return None,
                _ => {}
            }
            if !kind.is_trivia() {
                last = at;
            }
        }
        None
    }

    /// A number with letters right behind it, such as `0x1F`, `10s` and `1_000`, which is read as the number.
    #[cold]
    pub(super) fn number_with_letters(&mut self, number: u32) {
        let span = self.between(number, self.pos);
        if self.tokens.span(number).end != self.tokens.start(self.pos) || self.at_keyword("if") {
            return;
        }
        let text = self.source.slice(span);
        let letters = self.tokens.span(self.bump());
        if self.recovering || self.doubt {
            return;
        }
        let next = self.tokens.span(self.pos);
        let alone = next.start != span.end
            || matches!(
                self.kind,
                T::Comma
                    | T::CloseBracket
                    | T::CloseParen
                    | T::CloseBrace
                    | T::Newline
                    | T::Eof
                    | T::CloseSequence
            );
        let (detail, title, replacement) = match in_decimal(text) {
            Some(decimal) => {
                ("Numbers are written with decimal digits and nothing between them.", "Write it so", decimal)
            }
            None => (
                "A number has no unit and no letters in it. What is more than a number is text and stands in quotes.",
                "Put it in quotes",
                format!("\"{text}\""),
            ),
        };
        let diagnostic = Diagnostic::error(Code::InvalidNumber, letters, detail).with_context(span);
        self.diagnostics.push(if alone {
            diagnostic.with_edit(title, span, replacement)
        } else {
            diagnostic
        });
        self.doubt |= !alone;
    }

    /// What is wrong where an item must begin and cannot, in a body with these items so far.
    #[cold]
    pub(super) fn no_item(&self, items: List) -> Diagnostic {
        let here = self.here();
        let error = |detail: &'static str| Diagnostic::error(Code::ExpectedItem, here, detail);
        let last = self.tree.nodes[items.last as usize];
        match self.kind {
            T::CloseBrace | T::CloseBracket | T::CloseParen | T::CloseSequence | T::CloseSequenceStrip => {
                Diagnostic::error(Code::UnexpectedClose, here, CLOSES_NOTHING)
            }
            T::String | T::OpenQuote => {
                let quote = Span::new(here.start, here.start + 1);
                Diagnostic::error(Code::QuotedName, quote, "Argument names must not be quoted.")
            }
            T::Less | T::Greater | T::EqualEqual if self.is_conflict_marker() => error(
                "This line is a mark that version control leaves where two changes meet. Keep what is wanted of both sides, and remove the marks.",
            ),
            T::Less if self.source.text()[here.start as usize..].starts_with("<!--") => error(COMMENTS),
            T::Minus if self.tokens.kind(self.pos + 1) == T::Minus && self.touches_next() => error(COMMENTS),
            T::OpenBrace if items.last == 0 && self.tokens.significant_from(0) == self.pos => error(
                "This reads like JSON. Files whose names end with `.json` are read as JSON; here a body has no braces around it.",
            ),
            T::OpenBracket => error(
                "There are no headings in brackets. A block is its type, its labels and its body: `type \"label\" { … }`.",
            ),
            kind if joins(kind) && items.last != 0 && last.kind == NodeKind::Attribute => {
                let value = self.tree.nodes[last.child as usize].first_token;
                let diagnostic = error(
                    "An expression ends with its line. To go on with the next line, put the whole in parentheses.",
                );
                match self.parens_over_lines(Some(value), self.pos - 1) {
                    Some(parens) if self.prev + 1 == self.pos => diagnostic.with_fix(ADD_PARENS, parens),
                    _ => diagnostic,
                }
            }
            _ => error("An argument (`name = value`) or a block (`type { … }`) is required here."),
        }
    }

    /// Whether the line is one of `<<<<<<<`, `=======` and `>>>>>>>`, with what may follow.
    #[cold]
    pub(super) fn is_conflict_marker(&self) -> bool {
        let rest = &self.source.text()[self.tokens.start(self.pos) as usize..];
        self.begins_line(self.pos)
            && ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|mark| rest.starts_with(mark))
    }

    /// What is wrong with a name that nothing follows that makes it an item; with the token at which its value begins
    /// where that is one.
    #[cold]
    pub(super) fn no_equals_sign(&self, name: u32) -> (Diagnostic, Option<u32>) {
        let (span, here, text) = (self.tokens.span(name), self.here(), self.text_of(name));
        let after = self.pos + 1;
        let touches = span.end == here.start;
        let assigns = self.tokens.kind(after) == T::Equal && self.touches_next();
        let error = |detail: &'static str| Diagnostic::error(Code::ExpectedItem, span, detail);
        let alone = error(
            "A name alone is neither an argument nor a block. To set an argument, write `=` and its value after the name.",
        );
        let equals = "An argument is its name, an equals sign and its value.";
        match self.kind {
            T::Colon if self.tokens.kind(after) == T::Newline => (
                error(
                    "There is no colon behind a name. An argument is set with `=`, and a block or an object is in braces.",
                ),
                None,
            ),
            T::Colon if assigns => (alone.with_edit("Use `=`", here, ""), Some(after + 1)),
            T::Colon => {
                let edit = if touches { " =" } else { "=" };
                (alone.with_edit("Use `=`", here, edit), Some(after))
            }
            T::EqualEqual | T::FatArrow => (error(equals).with_edit("Use `=`", here, "="), Some(after)),
            T::Plus | T::Minus | T::Star | T::Slash | T::Percent if assigns => (
                error("An argument is set once, with `=`; there is nothing that it could be changed from."),
                None,
            ),
            T::Dot | T::OpenBracket if self.line_has(T::Equal) && (self.kind == T::Dot || touches) => {
                let detail = format!(
                    "The name of an argument is an identifier, without dots and brackets. What belongs into `{text}` stands in an object, `{text} = {{ … }}`, or in a block, `{text} {{ … }}`."
                );
                (Diagnostic::error(Code::ExpectedItem, span, detail), None)
            }
            T::Dot => (error("A reference alone is neither an argument nor a block."), None),
            T::OpenParen | T::Number if self.line_has(T::OpenBrace) => {
                let detail = "The labels of a block are quoted strings or identifiers.";
                let diagnostic = Diagnostic::error(Code::InvalidBlock, span, detail);
                let quoted = format!("\"{}\"", self.text_of(self.pos));
                let number = self.kind == T::Number;
                (
                    if number { diagnostic.with_edit("Put it in quotes", here, quoted) } else { diagnostic },
                    None,
                )
            }
            T::OpenParen => (
                error(
                    "A function is called in an expression, such as the value of an argument, and not by itself.",
                ),
                None,
            ),
            T::Number | T::OpenBracket if !touches => {
                let gap = Span::new(span.end, here.start);
                (error(equals).with_edit("Add `=`", gap, " = "), Some(self.pos))
            }
            _ => (alone, None),
        }
    }

    /// Whether a token of this kind stands between the current one and the end of its line.
    fn line_has(&self, kind: T) -> bool {
        (self.pos..self.pos + LOOK_AHEAD)
            .map(|at| self.tokens.kind(at))
            .take_while(|&kind| !matches!(kind, T::Newline | T::Eof))
            .any(|found| found == kind)
    }

    /// What is wrong with the header of a block of which `name` is the type, where a label or the opening brace is
    /// expected.
    #[cold]
    pub(super) fn no_label(&self, name: u32) -> Diagnostic {
        let (here, block_type) = (self.here(), self.text_of(name));
        let error = |detail: &'static str| Diagnostic::error(Code::InvalidBlock, here, detail);
        let brace = self.tokens.significant_from(self.pos);
        let end = self.tokens.span(self.prev).end;
        let labels = self.prev - name;
        match self.kind {
            T::Newline if self.tokens.kind(brace) == T::OpenBrace => {
                let diagnostic = error(
                    "The block has no body. Its opening brace stands on the line of its type and labels.",
                );
                let comments = (self.pos..brace).any(|token| self.tokens.kind(token).is_comment());
                let gap = Span::new(end, self.tokens.start(brace));
                if comments { diagnostic } else { diagnostic.with_edit("Move the brace up", gap, " ") }
            }
            T::Newline | T::Eof if labels == 1 && self.kind_before() == T::String => {
                let detail = format!(
                    "The block has no body. Its opening brace stands on the line of its type and labels; to set an argument, write `{block_type} = {}`.",
                    self.text_of(self.prev)
                );
                Diagnostic::error(Code::InvalidBlock, here, detail)
            }
            T::Newline | T::Eof => {
                error("The block has no body. Its opening brace stands on the line of its type and labels.")
            }
            T::Equal if self.tokens.kind(self.pos + 1) == T::OpenBrace && self.kind_before() == T::String => {
                error("There is no equals sign between the labels of a block and its body.").with_edit(
                    "Remove the equals sign",
                    Span::new(end, here.end),
                    "",
                )
            }
            T::Equal if labels == 1 && self.kind_before() == T::Identifier => {
                let detail = format!(
                    "An equals sign makes an argument, and an argument is its name and its value, with nothing like `{block_type}` before."
                );
                Diagnostic::error(Code::InvalidBlock, here, detail)
            }
            T::Equal => error("An equals sign makes an argument, and an argument has no labels."),
            T::Comma
                if matches!(self.tokens.kind(self.pos + 1), T::String | T::Identifier | T::OpenBrace) =>
            {
                error("Labels are not separated by commas.").with_edit("Remove the comma", here, "")
            }
            T::Dot => error("A label with a dot in it stands in quotes."),
            _ if matches!(block_type, "if" | "for" | "while" | "foreach" | "switch" | "else" | "elif") => {
                error(
                    "There are no statements. A conditional is `condition ? result : other`, a loop over a collection `[for value in collection : result]`.",
                )
            }
            _ => error("A label (a quoted string or an identifier) or the opening brace is expected here."),
        }
    }

    /// The innermost block, of those inside the one that opened at `opener`, that has no closing brace of its own if
    /// braces are where the indentation has them.
    #[cold]
    pub(super) fn unclosed_by_indentation(&self, opener: u32) -> Option<Span> {
        let mut open = Vec::new();
        for at in opener + 1..self.tokens.len() as u32 {
            match self.tokens.kind(at) {
                T::OpenBrace => open.push((at, self.indent_of(at))),
                T::CloseBrace => {
                    let (inner, indent) = open.pop()?;
                    if self.begins_line(at) && self.indent_of(at) < indent {
                        return Some(self.tokens.span(inner));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Two strings side by side.
    pub(super) fn string_behind_string(&self) -> Option<Diagnostic> {
        let detail = "Strings are not joined by standing side by side. Write one string, with `${ … }` for what is put into it.";
        let strings = matches!(self.kind, T::String | T::OpenQuote) && self.kind_before() == T::String;
        strings.then(|| Diagnostic::error(Code::MissingNewline, self.here(), detail))
    }

    /// The kind of the token that was taken last; `Eof` where none was.
    pub(super) fn kind_before(&self) -> T {
        if self.prev < self.pos { self.tokens.kind(self.prev) } else { T::Eof }
    }

    /// Whether nothing stands between the current token and the next one.
    fn touches_next(&self) -> bool {
        self.tokens.span(self.pos).end == self.tokens.start(self.pos + 1)
    }

    /// Whether an expression can begin with a token.
    fn begins_operand(&self, token: u32) -> bool {
        matches!(
            self.tokens.kind(token),
            T::Identifier
                | T::Number
                | T::String
                | T::OpenQuote
                | T::OpenParen
                | T::OpenBracket
                | T::OpenBrace
                | T::Minus
                | T::Bang
        )
    }
}

/// An error about what stands where an expression is required.
fn invalid(here: Span, detail: impl Into<Cow<'static, str>>) -> Diagnostic {
    Diagnostic::error(Code::InvalidExpression, here, detail)
}

/// Whether such a token stands between two parts of an expression, so that it is one across a line break.
pub(super) fn joins(kind: T) -> bool {
    precedence(kind) > 0 || matches!(kind, T::Question | T::Colon | T::Dot)
}

/// A number of other languages in decimal: `0x1F`, `0o17`, `0b11`, `1_000`.
fn in_decimal(text: &str) -> Option<String> {
    let digits = text.replace('_', "");
    let radix = match digits.get(..2) {
        Some("0x" | "0X") => 16,
        Some("0o" | "0O") => 8,
        Some("0b" | "0B") => 2,
        _ => return digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(digits),
    };
    u128::from_str_radix(&digits[2..], radix).ok().map(|number| number.to_string())
}
