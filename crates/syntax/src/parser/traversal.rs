//! Traversals as whole sources: a variable name, attribute names and constant indices. Specification: "Static Traversal".

use super::{List, Parser};
use crate::messages::native as messages;
use crate::token::TokenKind as T;
use crate::tree::{Flags, NodeId, NodeKind};
use crate::{Code, Diagnostic};

impl Parser<'_> {
    /// `Identifier ( "." Identifier | "[" (NumericLit | StringLit) "]" )*`, and `"[" "*" "]"` if `splats` is true.
    pub(super) fn traversal(&mut self, splats: bool) -> NodeId {
        let mut steps = List::default();
        let first = self.pos;
        if self.kind != T::Identifier {
            self.invalid_traversal(first, messages::TRAVERSAL_WITHOUT_NAME);
            let id = self.node(NodeKind::Traversal, first, first, steps);
            self.flag(id, Flags::EMPTY_SPAN);
            return id;
        }
        let root = self.bump();
        let root = self.node(NodeKind::Name, root, root, List::default());
        self.append(&mut steps, root);
        while !self.recovery.is_recovering() && self.kind != T::Eof {
            match self.kind {
                T::Dot => {
                    let dot = self.bump();
                    match self.kind {
                        T::Identifier => {
                            self.bump();
                            let step = self.finish(NodeKind::AttrStep, dot, List::default());
                            self.append(&mut steps, step);
                        }
                        T::Star => self.invalid_traversal(first, messages::ATTRIBUTE_SPLAT_IN_TRAVERSAL),
                        _ => self.invalid_traversal(first, messages::MISSING_ATTRIBUTE_NAME),
                    }
                }
                T::OpenBracket => {
                    let step = self.index_step(first, splats);
                    self.append(&mut steps, step);
                }
                _ => self.invalid_traversal(first, messages::MISSING_TRAVERSAL_STEP),
            }
        }
        self.finish(NodeKind::Traversal, first, steps)
    }

    fn index_step(&mut self, first: u32, splats: bool) -> NodeId {
        let open = self.bump();
        let mut kind = NodeKind::IndexStep;
        let mut key = List::default();
        match self.kind {
            T::Number | T::String | T::OpenQuote => {
                let term = self.index_key();
                self.append(&mut key, term);
            }
            T::Star if splats => {
                self.bump();
                kind = NodeKind::SplatStep;
            }
            T::Star => self.invalid_traversal(first, messages::FULL_SPLAT_IN_TRAVERSAL),
            _ => self.invalid_traversal(first, messages::TRAVERSAL_INDEX),
        }
        if self.recovery.is_recovering() {
            return self.finish(kind, open, key);
        }
        if self.kind == T::CloseBracket {
            self.bump();
        } else {
            self.invalid_traversal(open, messages::UNCLOSED_TRAVERSAL_INDEX);
        }
        self.finish(kind, open, key)
    }

    fn index_key(&mut self) -> NodeId {
        if self.kind == T::OpenQuote {
            let (span, context) = (self.tokens.span(self.pos + 1), self.here());
            self.error(|| {
                Diagnostic::error(Code::InvalidLabel)
                    .at(span)
                    .with_note(messages::TEMPLATE_IN_TRAVERSAL_INDEX)
                    .with_context(context)
            });
            return self.missing();
        }
        let token = self.bump();
        if self.tokens.kind(token) == T::Number {
            self.check_number(token);
            return self.node(NodeKind::Number, token, token, List::default());
        }
        self.node(NodeKind::String, token, token, List::default())
    }

    #[cold]
    fn invalid_traversal(&mut self, first: u32, detail: &'static str) {
        let (here, context) = (self.here(), self.between(first, self.pos));
        // A quote is unexpected here, whether it is closed or not.
        self.error_unless(false, || {
            Diagnostic::error(Code::InvalidTraversal).at(here).with_note(detail).with_context(context)
        });
    }
}
