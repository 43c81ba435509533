//! Tuples, objects and `for` expressions. Specification: "Collection Values", "For Expressions".

use super::list::Brackets;
use super::{AtNewline, List, Parser};
use crate::messages::native as messages;
use crate::messages::{fix, related};
use crate::token::TokenKind as T;
use crate::tree::{Flags, NodeId, NodeKind};
use crate::{Code, Diagnostic, Related, Span};

impl Parser<'_> {
    /// `tuple = "[" ( (Expression ("," Expression)* ","?)? ) "]";`
    pub(super) fn tuple(&mut self) -> NodeId {
        if !self.enter() {
            self.leave();
            return self.too_deep();
        }
        let opener = self.pos;
        let outside = self.open_bracket(T::CloseBracket);
        let mut elements = List::default();
        let (kind, flags) = if self.at_keyword("for") {
            self.for_expression(&mut elements, opener, NodeKind::ForTuple)
        } else {
            self.elements(&mut elements, Brackets::Tuple, opener);
            (NodeKind::Tuple, Flags::NONE)
        };
        self.leave();
        self.close_bracket(T::CloseBracket, outside);
        let id = self.finish(kind, opener, elements);
        self.flag(id, flags);
        id
    }

    /// `object = "{" ( (objectelem ("," objectelem)* ","?)? ) "}";` where line breaks also separate items.
    pub(super) fn object(&mut self) -> NodeId {
        if !self.enter() {
            self.leave();
            return self.too_deep();
        }
        let opener = self.pos;
        let (reported, has_dollar) = (self.diagnostics.total(), self.has_dollar(opener));
        if has_dollar {
            self.recovery.allow_missing_closers();
            self.recovery.doubt_if(true);
        }
        let outside = self.open_bracket(T::CloseBrace);
        let mut items = List::default();
        let (kind, flags) = if self.at_keyword("for") {
            self.for_expression(&mut items, opener, NodeKind::ForObject)
        } else {
            // Newlines are tokens after the brace.
            self.at_newline = AtNewline::Stop;
            self.go_to(opener + 1);
            self.elements(&mut items, Brackets::Object, opener);
            (NodeKind::Object, Flags::NONE)
        };
        self.leave();
        if self.diagnostics.total() > reported
            && self.begins_line(self.pos)
            && self.indent_of(self.pos) < self.indent_of(opener)
        {
            // According to the indentation, the brace was meant to close what contains the object.
            self.recovery.allow_missing_closers();
        }
        self.recovery.doubt_if(has_dollar);
        self.close_bracket(T::CloseBrace, outside);
        let id = self.finish(kind, opener, items);
        self.flag(id, flags);
        id
    }

    /// `objectelem = (Identifier | Expression) ("=" | ":") Expression;`
    /// `reported` is the number of diagnostics before it.
    pub(super) fn object_item(&mut self, opener: u32, reported: usize) -> NodeId {
        let first = self.pos;
        let mut key = self.expression();
        if matches!(self.kind_of(key), NodeKind::Variable | NodeKind::True | NodeKind::False | NodeKind::Null)
        {
            self.tree.nodes[key.index()].kind = NodeKind::Name;
        }
        let value = if self.recovery.is_recovering() {
            self.missing()
        } else if matches!(self.kind, T::Equal | T::Colon) {
            self.bump();
            self.expression()
        } else {
            let value = self.value_without_separator(first, opener, reported);
            if self.pos == first {
                // The line does not belong to the object and is read again as what it is.
                key = self.missing();
            }
            value
        };
        let children = self.list(&[key, value]);
        self.finish(NodeKind::ObjectItem, first, children)
    }

    /// Reads the value of a key without an equals sign, as far as it is present.
    #[cold]
    fn value_without_separator(&mut self, key: u32, opener: u32, reported: usize) -> NodeId {
        // After an invalid key, a missing value is a consequence.
        self.recovery.doubt_if(self.diagnostics.total() > reported || self.has_dollar(opener));
        if !self.missing_key_separator(key, opener) {
            return self.missing();
        }
        self.resume_surely();
        self.expression()
    }

    /// Reports a key without an equals sign. Returns true if its value begins at the current token anyway.
    #[cold]
    fn missing_key_separator(&mut self, key: u32, opener: u32) -> bool {
        if self.kind == T::Eof {
            self.unclosed(opener);
            return false;
        }
        // The brace may be part of the key, as in `a and { … }`.
        if self.begins_line(key)
            && self.brace_of_block(key).is_some_and(|brace| brace >= self.pos)
            && self.indent_of(key) > self.indent_of(opener)
        {
            self.block_in_object(key);
            return true;
        }
        let (here, context) = (self.here(), self.between(opener, self.pos));
        let opener = self.tokens.span(opener);
        let blanks = self.blanks_before();
        let unclosed = self.begins_line(key) && self.looks_like_block(key);
        let kind = self.kind;
        let value_follows = matches!(
            kind,
            T::String | T::OpenQuote | T::Number | T::OpenBrace | T::OpenBracket | T::Identifier
        );
        let arrow = self.text_of(self.pos) == "=>";
        let words = self.key_of_words(key);
        self.error(|| match kind {
            T::Newline | T::Comma | T::CloseBrace => Diagnostic::error(if kind == T::CloseBrace {
                Code::MissingKeySeparator
            } else {
                Code::MissingItemValue
            })
            .at(here)
            .with_note(messages::MISSING_ITEM_VALUE)
            .with_context(context),
            _ if unclosed => Diagnostic::error(Code::MissingKeySeparator)
                .at(here)
                .with_note(messages::BLOCK_IN_UNCLOSED_OBJECT)
                .with_related_span(opener, related::UNCLOSED_BRACE),
            T::FatArrow if arrow => Diagnostic::error(Code::MissingKeySeparator)
                .at(here)
                .with_note(messages::ARROW_IN_OBJECT)
                .with_context(context)
                .with_edit(fix::USE_EQUALS_SIGN, here, "="),
            _ => {
                let diagnostic = Diagnostic::error(Code::MissingKeySeparator)
                    .at(here)
                    .with_note(messages::MISSING_KEY_SEPARATOR)
                    .with_context(context);
                if let Some(words) = words {
                    let quoted = format!("\"{}\"", self.source.slice(words));
                    return diagnostic.with_edit(fix::PUT_KEY_IN_QUOTES, words, quoted);
                }
                if value_follows && !blanks.is_empty() {
                    diagnostic.with_edit(fix::ADD_EQUALS_SIGN, blanks, " = ")
                } else {
                    diagnostic
                }
            }
        });
        if unclosed {
            self.prev = key.saturating_sub(1);
            self.go_to(key);
        }
        false
    }

    /// Returns the span of a key of several words that begins at `key` and is followed by an equals sign.
    fn key_of_words(&self, key: u32) -> Option<Span> {
        const MOST: u32 = 20;
        let end = (key..key + MOST).find(|&at| self.tokens.kind(at) != T::Identifier)?;
        (end > self.pos && matches!(self.tokens.kind(end), T::Equal | T::Colon))
            .then(|| self.between(key, end - 1))
    }

    /// Reports a block in place of an item of an object. Its body is read as an object, which it must be.
    #[cold]
    fn block_in_object(&mut self, key: u32) {
        let (here, context, blanks) = (self.here(), self.between(key, self.pos), self.blanks_before());
        let has_labels = self.kind != T::OpenBrace;
        self.error(|| {
            let detail = messages::BLOCK_IN_OBJECT;
            let diagnostic =
                Diagnostic::error(Code::MissingKeySeparator).at(here).with_note(detail).with_context(context);
            if has_labels { diagnostic } else { diagnostic.with_edit(fix::ADD_EQUALS_SIGN, blanks, " = ") }
        });
        while self.kind != T::OpenBrace {
            self.bump();
        }
    }

    /// `forTupleExpr = "[" forIntro Expression forCond? "]";` and `forObjectExpr = "{" forIntro Expression "=>"
    /// Expression "..."? forCond? "}";` from the keyword `for` up to the closing bracket. Missing children are
    /// `Missing`, so that the order is always the same.
    fn for_expression(&mut self, list: &mut List, opener: u32, kind: NodeKind) -> (NodeKind, Flags) {
        let closer = if kind == NodeKind::ForTuple { T::CloseBracket } else { T::CloseBrace };
        let mut flags = self.for_intro(list, opener);
        let colon = if self.at_keyword("if") {
            messages::CONDITION_BEFORE_COLON
        } else {
            messages::MISSING_FOR_COLON
        };
        let mut result = self.for_part(T::Colon, opener, colon);
        let (mut key, mut ellipsis) = (None, None);
        if self.kind == T::FatArrow && !self.recovery.is_recovering() {
            self.bump();
            self.append(list, result);
            flags |= Flags::KEY;
            key = Some(result);
            result = self.expression();
        } else if kind == NodeKind::ForObject {
            if !self.recovery.is_recovering() {
                let (span, context) = (self.tree.span(result, self.tokens), self.between(opener, self.pos));
                let detail = messages::MISSING_FOR_KEY;
                self.report_for(span, context, detail);
            }
            flags |= Flags::KEY;
            let key = self.missing();
            self.append(list, key);
        }
        self.append(list, result);
        if self.kind == T::Ellipsis && !self.recovery.is_recovering() {
            ellipsis = Some(self.bump());
            flags |= Flags::ELLIPSIS;
        }
        if self.at_keyword("if") && !self.recovery.is_recovering() {
            self.bump();
            let condition = self.expression();
            self.append(list, condition);
            flags |= Flags::CONDITION;
        }
        if !self.recovery.is_recovering() && self.kind != closer {
            // If nothing else follows, the reference reports the end of the file, where the bracket is missing.
            let detail = if self.kind == T::Eof { messages::UNCLOSED_FOR } else { messages::TEXT_AFTER_FOR };
            self.for_error(opener, detail);
            let (here, bracket) = (self.here(), self.tokens.span(opener));
            if let Some(diagnostic) = self.reported_at(here) {
                let message = related::OPENED_HERE.into();
                diagnostic.related.push(Related { span: bracket, text: message, source: None });
            }
        }
        if kind == NodeKind::ForTuple && !self.recovery.is_recovering() {
            let context = self.between(opener, self.pos);
            if let Some(key) = key {
                let span = self.tree.span(key, self.tokens);
                self.report_for(span, context, messages::KEY_IN_FOR_TUPLE);
            }
            if let Some(ellipsis) = ellipsis {
                let span = self.tokens.span(ellipsis);
                self.report_for(span, context, messages::GROUPING_IN_FOR_TUPLE);
            }
        }
        (kind, flags)
    }

    /// `forIntro = "for" Identifier ("," Identifier)? "in" Expression ":";` without the colon.
    pub(super) fn for_intro(&mut self, list: &mut List, opener: u32) -> Flags {
        self.bump();
        let mut flags = Flags::NONE;
        let mut name = self.for_name(opener, messages::MISSING_FOR_VARIABLE);
        if self.kind == T::Comma && !self.recovery.is_recovering() {
            self.bump();
            self.append(list, name);
            flags |= Flags::KEY_VARIABLE;
            name = self.for_name(opener, messages::MISSING_FOR_VALUE_VARIABLE);
        }
        self.append(list, name);
        if !self.recovery.is_recovering() && !self.at_keyword("in") {
            self.for_error(opener, messages::MISSING_IN);
            let here = self.here();
            if self.at_keyword("of") {
                self.suggest(fix::USE_IN, here, here, "in");
            } else if matches!(self.kind, T::Identifier | T::OpenBracket | T::OpenBrace)
                && !self.begins_line(self.pos)
            {
                self.suggest(fix::ADD_IN, here, Span::empty(here.start), "in ");
            }
        }
        let collection = if self.recovery.is_recovering() {
            self.missing()
        } else {
            self.bump();
            self.expression()
        };
        self.append(list, collection);
        flags
    }

    fn for_name(&mut self, opener: u32, detail: &'static str) -> NodeId {
        if self.kind == T::Identifier && !self.recovery.is_recovering() {
            let token = self.bump();
            return self.node(NodeKind::Name, token, token, List::default());
        }
        if self.kind == T::OpenParen {
            self.for_error(opener, messages::PARENTHESES_AROUND_FOR_VARIABLES);
        } else {
            self.for_error(opener, detail);
        }
        self.missing()
    }

    /// Reads the expression after a required token.
    fn for_part(&mut self, separator: T, opener: u32, detail: &'static str) -> NodeId {
        if !self.recovery.is_recovering() && self.kind != separator {
            self.for_error(opener, detail);
        }
        if self.recovery.is_recovering() {
            return self.missing();
        }
        self.bump();
        self.expression()
    }

    #[cold]
    pub(super) fn for_error(&mut self, opener: u32, detail: &'static str) {
        let (here, context) = (self.here(), self.between(opener, self.pos));
        self.error(|| Diagnostic::error(Code::InvalidFor).at(here).with_note(detail).with_context(context));
    }

    /// Reports an error after which parsing continues normally.
    #[cold]
    fn report_for(&mut self, span: Span, context: Span, detail: &'static str) {
        self.diagnostics
            .push(Diagnostic::error(Code::InvalidFor).at(span).with_note(detail).with_context(context));
    }
}
