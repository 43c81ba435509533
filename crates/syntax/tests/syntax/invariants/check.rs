//! Invariants of every document, whatever the text. The property tests and the fuzzer share these checks.

use hclkit_syntax::ast::{
    BodyNode, ExpressionKind, ExpressionNode, Item, ObjectKey, Part, Parts, TemplateNode,
};
use hclkit_syntax::{
    Document, NodeId, NodeKind, Root, Source, Span, StartSymbol, Syntax, TokenKind, Visit, apply_fixes,
};

/// All ways to read a text.
pub(crate) const ENTRIES: [StartSymbol; 5] = [
    StartSymbol::Config,
    StartSymbol::Expression,
    StartSymbol::Template,
    StartSymbol::Traversal,
    StartSymbol::PartialTraversal,
];

/// Parses the input in one way, and panics if the document violates an invariant.
pub(crate) fn check(input: &[u8], entry: StartSymbol) {
    check_parsed(input, |input| Document::parse(Source::new("input", input), entry));
}

/// The same in HCL 1.
pub(crate) fn check_hcl1(input: &[u8]) {
    check_parsed(input, |input| Document::parse_hcl1(Source::new("input", input)));
}

fn check_parsed(input: &[u8], parse: impl Fn(&[u8]) -> Document) {
    let document = parse(input);
    // The fuzzer of JSON checks its documents.
    if document.json().is_some() {
        return;
    }
    source(&document, input);
    tokens(&document);
    tree(&document);
    diagnostics(&document);
    views(&document);
    same(&document, &parse(input));
    let fixes = document.diagnostics().iter().filter_map(|diagnostic| diagnostic.fix());
    let (fixed, applied) = apply_fixes(document.source().text(), fixes);
    if applied > 0 {
        let fixed = parse(fixed.as_bytes());
        tokens(&fixed);
        tree(&fixed);
        diagnostics(&fixed);
    }
}

/// The input is kept, and the text has the same length.
fn source(document: &Document, input: &[u8]) {
    let source = document.source();
    assert_eq!(source.bytes(), input);
    assert_eq!(source.text().len(), input.len());
    let mut done = 0;
    for &bad in source.invalid() {
        within(document, bad, "invalid bytes");
        let good = done..bad.start as usize;
        assert_eq!(&source.text().as_bytes()[good.clone()], &input[good]);
        done = bad.end as usize;
    }
    assert_eq!(&source.text().as_bytes()[done..], &input[done..]);
}

/// Tokens do not overlap and are in order. They are separated only by blanks and preceded at most by a byte order mark.
fn tokens(document: &Document) {
    let (text, is_hcl1) = (document.source().text(), document.syntax() == Syntax::Hcl1);
    let mut rebuilt = String::with_capacity(text.len());
    for token in document.tokens().iter() {
        within(document, token.span, "token");
        let start = token.span.start as usize;
        assert!(start >= rebuilt.len(), "{token:?} begins before the end of the previous one");
        let gap = &text[rebuilt.len()..start];
        let blanks = if rebuilt.is_empty() { gap.strip_prefix('\u{feff}').unwrap_or(gap) } else { gap };
        assert!(
            blanks.bytes().all(|byte| matches!(byte, b' ' | b'\t') || byte == b'\r' && is_hcl1),
            "unexpected {gap:?} before {token:?}"
        );
        rebuilt.push_str(gap);
        rebuilt.push_str(document.source().slice(token.span));
        if let Some(spelling) = token.kind.spelling()
            && !(token.kind == TokenKind::CloseQuote && token.span.is_empty())
        {
            assert_eq!(document.source().slice(token.span), spelling, "{token:?}");
        }
    }
    assert_eq!(rebuilt, text);
    let last = document.tokens().get(document.tokens().len() as u32 - 1);
    assert_eq!((last.kind, last.span.is_empty()), (TokenKind::Eof, true));
    assert_eq!(document.tokens().iter().filter(|token| token.kind == TokenKind::Eof).count(), 1);
    assert!(document.tokens().len() <= text.len() + 1, "more tokens than bytes");
}

/// Every node is below the root exactly once, inside its parent's span and after its previous sibling.
fn tree(document: &Document) {
    let (tree, tokens) = (document.tree(), document.tokens());
    assert!(tree.len() <= 4 * tokens.len() + 4, "{} nodes of {} tokens", tree.len(), tokens.len());
    let mut seen = vec![false; tree.len()];
    let mut open: Vec<(NodeId, u32)> = Vec::new();
    for visit in tree.walk(NodeId::ROOT) {
        match visit {
            Visit::Enter(id) => {
                assert!(!std::mem::replace(&mut seen[id.index()], true), "{id:?} occurs twice");
                let span = document.span(id);
                within(document, span, "node");
                let (first, last) = tree.token_range(id);
                assert!(
                    (first <= last || span.is_empty()) && (last as usize) < tokens.len(),
                    "{id:?}: tokens {first} to {last}"
                );
                if let Some((parent, done)) = open.last_mut() {
                    let kinds = (tree.kind(*parent), tree.kind(id));
                    let around = document.span(*parent);
                    // A missing node is at the next token, which is often past the end of its parent.
                    let inside = around.start <= span.start && span.end <= around.end;
                    assert!(inside || span.is_empty(), "{kinds:?}: {span:?} in {around:?}");
                    // A missing body of a block is at its last label.
                    let none = span.is_empty() || kinds == (NodeKind::Block, NodeKind::Body) && first == last;
                    assert!(*done <= span.start || none, "{kinds:?}: {span:?} begins before {done}");
                    if !span.is_empty() {
                        *done = span.end;
                    }
                }
                open.push((id, span.start));
            }
            Visit::Leave(id) => assert_eq!(open.pop().map(|(id, _)| id), Some(id)),
        }
    }
    assert!(open.is_empty());
}

/// All spans of all diagnostics are inside the text, and the diagnostics are in source order.
fn diagnostics(document: &Document) {
    let text = document.source().text();
    let mut last = 0;
    for diagnostic in document.diagnostics() {
        let (code, subject) = (diagnostic.code().expect("a code"), diagnostic.span());
        within(document, subject, "subject");
        assert!(last <= subject.start, "{code} at {subject:?} comes after {last}");
        last = subject.start;
        assert!(!diagnostic.note().is_empty());
        if let Some(context) = diagnostic.context() {
            within(document, context, "context");
        }
        for related in diagnostic.related() {
            within(document, related.span(), "related");
        }
        let Some(fix) = diagnostic.fix() else { continue };
        assert!(!fix.edits.is_empty(), "{code}: {} changes nothing", fix.title);
        for edit in &fix.edits {
            within(document, edit.span, "edit");
            assert_ne!(
                text[edit.span.to_range()],
                *edit.replacement,
                "{code}: {} changes nothing",
                fix.title
            );
        }
        assert!(
            fix.edits.windows(2).all(|two| two[0].span.end <= two[1].span.start),
            "{code}: the edits of {} overlap",
            fix.title
        );
    }
    let errors = document.diagnostics().len();
    assert!(errors <= document.tokens().len() + text.len(), "{errors} diagnostics");
}

/// Every method of the views works.
fn views(document: &Document) {
    let mut reader = Reader::default();
    match document.root() {
        Root::Body(body) => reader.bodies.push(body),
        Root::Expression(expression) => reader.expressions.push(expression),
        Root::Template(template) => reader.template(template),
        Root::Traversal(traversal) => {
            assert!(traversal.text().starts_with(traversal.root_name()));
            for step in traversal.steps() {
                within(document, step.span, "step");
            }
        }
    }
    assert!(document.body().items().count() <= document.tree().len());
    while reader.step() {
        assert!(reader.seen <= 2 * document.tree().len(), "the views are cyclic");
    }
}

/// Items to read, on an explicit stack, so that the depth does not matter.
#[derive(Default)]
struct Reader<'d> {
    bodies: Vec<BodyNode<'d>>,
    expressions: Vec<ExpressionNode<'d>>,
    parts: Vec<Parts<'d>>,
    seen: usize,
}

impl<'d> Reader<'d> {
    /// Reads one item. Returns false if none is left.
    fn step(&mut self) -> bool {
        if let Some(body) = self.bodies.pop() {
            self.seen += 1;
            self.body(body);
        } else if let Some(expression) = self.expressions.pop() {
            self.seen += 1;
            self.expression(expression);
        } else if let Some(mut parts) = self.parts.pop() {
            if let Some(part) = parts.next() {
                self.parts.push(parts);
                self.seen += 1;
                self.part(part);
            }
        } else {
            return false;
        }
        true
    }

    fn body(&mut self, body: BodyNode<'d>) {
        for item in body.items() {
            assert_eq!(item.attribute().is_some(), item.block().is_none());
            match item {
                Item::Attribute(attribute) => {
                    within(attribute.document(), attribute.name_span(), "name");
                    within(attribute.document(), attribute.equals_span(), "equals sign");
                    assert!(attribute.text().contains(attribute.name()));
                    self.expressions.push(attribute.value());
                }
                Item::Block(block) => {
                    for span in [block.type_span(), block.open_span(), block.close_span()] {
                        within(block.document(), span, "block");
                    }
                    assert!(block.text().contains(block.block_type()));
                    assert_eq!(
                        block.label_texts().len(),
                        block.labels().filter(|label| label.is_quoted()).count()
                            + block.labels().filter(|label| !label.is_quoted()).count()
                    );
                    if block.body().id() != NodeId::ROOT {
                        self.bodies.push(block.body());
                    }
                }
            }
        }
    }

    fn expression(&mut self, expression: ExpressionNode<'d>) {
        use ExpressionKind as E;
        match expression.kind() {
            E::Missing | E::Null | E::Bool(_) | E::SplatItem => {}
            E::Number(text) => assert_eq!(text, expression.text()),
            E::Variable(name) => assert_eq!(name.text, expression.text()),
            E::Template(template) => self.template(template),
            E::GetAttr { object, name } => {
                assert!(name.is_none_or(|name| name.span.end == expression.span().end));
                self.expressions.push(object);
            }
            E::LegacyIndex { collection, key } => {
                assert!(key.text.starts_with(|digit: char| digit.is_ascii_digit()));
                self.expressions.push(collection);
            }
            E::Index { collection, key } => self.expressions.extend([collection, key]),
            E::Splat { source, each, .. } => self.expressions.extend([source, each]),
            E::Call(call) => {
                assert!(!call.name().is_empty());
                within(call.document(), call.name_span(), "name of a call");
                assert!(!call.expands_last() || call.arguments().next().is_some());
                self.expressions.extend(call.arguments());
            }
            E::Tuple => self.expressions.extend(expression.elements()),
            E::Object => {
                for item in expression.items() {
                    within(item.document(), item.key_span(), "key");
                    match item.key() {
                        ObjectKey::Name(name) => assert_eq!(name.span, item.key_span()),
                        ObjectKey::Expression(key) => self.expressions.push(key),
                    }
                    self.expressions.push(item.value());
                }
            }
            E::For(each) => {
                for name in each.key_variable().into_iter().chain([each.value_variable()]) {
                    within(each.document(), name.span, "variable");
                }
                assert!(each.key().is_some() || !each.makes_object());
                let _ = each.groups();
                self.expressions.extend([each.collection(), each.value()]);
                self.expressions.extend(each.key().into_iter().chain(each.condition()));
            }
            E::Conditional { condition, result, other } => {
                self.expressions.extend([condition, result, other]);
            }
            E::Binary { operator, left, right } => {
                assert!(expression.text().contains(operator.as_str()) || expression.document().has_errors());
                self.expressions.extend([left, right]);
            }
            E::Unary { operator, operand } => {
                assert!(
                    expression.text().starts_with(operator.as_str()) || expression.document().has_errors()
                );
                self.expressions.push(operand);
            }
            E::Parens(inner) => self.expressions.push(inner),
        }
    }

    fn template(&mut self, template: TemplateNode<'d>) {
        let heredoc = template.document().tree().kind(template.id()) == NodeKind::Heredoc;
        assert_eq!(template.heredoc_name().is_some(), heredoc);
        let _ = (template.template_kind(), template.as_literal(), template.as_unwrapped());
        self.parts.push(template.parts());
    }

    fn part(&mut self, part: Part<'d>) {
        match part {
            Part::Text(text) => assert!(text.value().len() <= text.text().len()),
            Part::Interpolation(expression) => self.expressions.push(expression),
            Part::If(directive) => {
                assert!(directive.has_else() || directive.else_parts().next().is_none());
                self.expressions.push(directive.condition());
                self.parts.extend([directive.then_parts(), directive.else_parts()]);
            }
            Part::For(directive) => {
                for name in directive.key_variable().into_iter().chain([directive.value_variable()]) {
                    within(directive.document(), name.span, "variable");
                }
                self.expressions.push(directive.collection());
                self.parts.push(directive.parts());
            }
        }
    }
}

/// Two parses of the same text are equal.
fn same(one: &Document, other: &Document) {
    assert!(one.tokens().iter().eq(other.tokens().iter()));
    assert_eq!(one.diagnostics(), other.diagnostics());
    assert!(one.tree().walk(NodeId::ROOT).eq(other.tree().walk(NodeId::ROOT)));
    let node = |document: &Document, visit: Visit| {
        let (Visit::Enter(id) | Visit::Leave(id)) = visit;
        let tree = document.tree();
        (tree.kind(id), tree.token_range(id), tree.operator(id))
    };
    let nodes = one.tree().walk(NodeId::ROOT);
    assert!(nodes.into_iter().all(|visit| node(one, visit) == node(other, visit)));
}

fn within(document: &Document, span: Span, what: &str) {
    let text = document.source().text();
    assert!(
        span.start <= span.end && text.get(span.to_range()).is_some(),
        "{what}: {span:?} is not on character boundaries of the text of {} bytes",
        text.len()
    );
}
