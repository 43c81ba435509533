//! The syntax tree of an expression in the shape of `getExpressionAst`. The range of a node is where it starts: of an operation, that
//! of its first operand; of a call, the name and the parenthesis.

use hclkit::ast::{
    BinaryOperator, CallNode, ExpressionKind, ExpressionNode, ForDirectiveNode, ForNode, IfDirectiveNode,
    ObjectItemNode, ObjectKey, Part, Parts, TemplateNode, UnaryOperator,
};
use hclkit::limits::with_room;
use hclkit::syntax::{NodeKind, TokenKind};
use hclkit::{Document, Span};
use serde_json::{Map, Value as Json, json};

/// The tree of an expression.
pub(super) fn node(expression: ExpressionNode<'_>) -> Json {
    Tree { document: expression.document(), item: None }.node(expression)
}

#[derive(Clone, Copy)]
struct Tree<'d> {
    document: &'d Document,
    /// In a splat, where its operator is, and where the text of an element starts.
    item: Option<(Span, u32)>,
}

/// A step of a traversal.
struct Step {
    is_name: bool,
    /// The name, or the key as written.
    segment: Option<String>,
    span: Span,
}

impl<'d> Tree<'d> {
    fn node(self, expression: ExpressionNode<'d>) -> Json {
        with_room(|| self.node_inside(expression))
    }

    fn node_inside(self, expression: ExpressionNode<'d>) -> Json {
        let (source, steps) = Self::steps(expression);
        if !steps.is_empty() {
            return self.traversal(expression, source, &steps);
        }
        match expression.kind() {
            ExpressionKind::Variable(_) => self.traversal(expression, source, &steps),
            ExpressionKind::Number(text) => self.literal("number", text, expression.span()),
            ExpressionKind::Bool(_) => self.literal("bool", expression.text(), expression.span()),
            ExpressionKind::Null => self.literal("dynamic", "null", expression.span()),
            ExpressionKind::Template(template) => self.template(expression, template),
            ExpressionKind::Index { collection, key } => self.full(
                expression,
                "index",
                vec![self.node(collection), self.node(key)],
                json!({ "collectionExpression": self.text(collection), "keyExpression": self.text(key) }),
            ),
            ExpressionKind::Splat { full, source, each } => self.splat(expression, full, source, each),
            ExpressionKind::Call(call) => self.call(expression, call),
            ExpressionKind::Tuple => {
                let elements = expression.elements().map(|element| self.node(element)).collect();
                self.full(expression, "tuple", elements, json!({}))
            }
            ExpressionKind::Object => self.object(expression),
            ExpressionKind::For(node) => self.for_expression(expression, node),
            ExpressionKind::Conditional { condition, result, other } => self.full(
                expression,
                "conditional",
                vec![self.node(condition), self.node(result), self.node(other)],
                json!({
                    "conditionExpression": self.text(condition),
                    "trueExpression": self.text(result),
                    "falseExpression": self.text(other),
                }),
            ),
            ExpressionKind::Binary { operator, left, right } => {
                let (name, result) = binary(operator);
                self.full(
                    expression,
                    "binaryOp",
                    vec![self.node(left), self.node(right)],
                    json!({
                        "operator": name,
                        "returnType": result,
                        "lhsExpression": self.text(left),
                        "rhsExpression": self.text(right),
                    }),
                )
            }
            ExpressionKind::Unary { operator, operand } => {
                let (name, result) = match operator {
                    UnaryOperator::Negate => ("negate", "number"),
                    UnaryOperator::Not => ("logicalNot", "bool"),
                };
                self.full(
                    expression,
                    "unaryOp",
                    vec![self.node(operand)],
                    json!({
                        "operator": name,
                        "returnType": result,
                        "symbolRange": self.range(first(expression.span())),
                        "valueExpression": self.text(operand),
                    }),
                )
            }
            ExpressionKind::Parens(inner) => self.bare(vec![self.node(inner)], self.start(expression)),
            // The element of a splat has no name.
            _ => self.bare(Vec::new(), self.start(expression)),
        }
    }

    /// A node whose text is that of the expression.
    fn full(self, expression: ExpressionNode<'d>, kind: &str, children: Vec<Json>, meta: Json) -> Json {
        self.with_text(kind, children, meta, self.text(expression), self.start(expression))
    }

    fn with_text(self, kind: &str, children: Vec<Json>, mut meta: Json, value: &str, span: Span) -> Json {
        meta["value"] = value.into();
        json!({ "type": kind, "children": children, "meta": meta, "range": self.range(span) })
    }

    /// A node of which only its parts matter.
    fn bare(self, children: Vec<Json>, span: Span) -> Json {
        json!({ "type": "", "children": children, "range": self.range(span) })
    }

    fn literal(self, kind: &str, text: &str, span: Span) -> Json {
        self.with_text("literalValue", Vec::new(), json!({ "type": kind }), text, span)
    }

    /// The span of an expression. That of the element of a splat starts at the operator.
    fn span(self, expression: ExpressionNode<'d>) -> Span {
        let (source, steps) = Self::steps(expression);
        let span = expression.span();
        let start = match (source.kind(), self.item) {
            (ExpressionKind::SplatItem, Some((marker, _))) if steps.is_empty() => return marker,
            (ExpressionKind::SplatItem, Some((_, start))) => start,
            _ => span.start,
        };
        Span::new(start, span.end)
    }

    fn text(self, expression: ExpressionNode<'d>) -> &'d str {
        self.document.source().slice(self.span(expression))
    }

    fn range(self, span: Span) -> Json {
        let marker = |byte: u32| {
            let position = self.document.position(byte);
            // Only the first line is counted from 0.
            let column = if position.line == 1 { position.column - 1 } else { position.column };
            json!({ "line": position.line - 1, "column": column, "byte": byte })
        };
        json!({ "start": marker(span.start), "end": marker(span.end) })
    }

    /// Where an expression starts.
    fn start(self, expression: ExpressionNode<'d>) -> Span {
        let span = expression.span();
        if !Self::steps(expression).1.is_empty() {
            return self.span(expression);
        }
        match expression.kind() {
            ExpressionKind::Index { .. } => first(expression.step_span()),
            ExpressionKind::Splat { .. } => expression.operator_span(),
            ExpressionKind::Call(call) => call.name_span().cover(call.open_span()),
            ExpressionKind::Tuple
            | ExpressionKind::Object
            | ExpressionKind::For(_)
            | ExpressionKind::Unary { .. } => first(span),
            ExpressionKind::Conditional { condition: inner, .. }
            | ExpressionKind::Binary { left: inner, .. }
            | ExpressionKind::Parens(inner) => with_room(|| self.start(inner)),
            ExpressionKind::Template(template) if template.as_unwrapped().is_none() => {
                with_room(|| self.first_part(template.parts(), span.end))
            }
            _ => self.span(expression),
        }
    }

    /// Where the first part of a template starts.
    fn first_part(self, parts: Parts<'d>, end: u32) -> Span {
        match texts(parts).into_iter().next() {
            Some(Piece::Text(span)) => span,
            Some(Piece::Interpolation(node)) => self.start(node),
            Some(Piece::If(node)) => self.start(node.condition()),
            Some(Piece::For(node)) => self.introduction(node.span()),
            None => Span::new(end, end),
        }
    }

    /// A directive up to its first `}`.
    fn introduction(self, directive: Span) -> Span {
        let tokens = self.document.tokens();
        let mut at = tokens.at(directive.start);
        while tokens.span(at).end < directive.end
            && !matches!(tokens.kind(at), TokenKind::CloseSequence | TokenKind::CloseSequenceStrip)
        {
            at += 1;
        }
        Span::new(directive.start, tokens.span(at).end)
    }

    /// The steps at the end of an expression whose keys are literals, and what they start from.
    fn steps(mut expression: ExpressionNode<'d>) -> (ExpressionNode<'d>, Vec<Step>) {
        let mut steps = Vec::new();
        loop {
            let span = expression.step_span();
            let (inner, is_name, segment) = match expression.kind() {
                ExpressionKind::GetAttr { object, name } => (object, true, name.map(|it| it.text.to_owned())),
                ExpressionKind::LegacyIndex { collection, key } => {
                    (collection, false, Some(key.text.to_owned()))
                }
                ExpressionKind::Index { collection, key } => match key.kind() {
                    ExpressionKind::Number(text) => (collection, false, Some(text.to_owned())),
                    ExpressionKind::Bool(_) | ExpressionKind::Null => (collection, false, None),
                    ExpressionKind::Template(it) if it.as_literal().is_some() => {
                        (collection, false, Some(key.text().to_owned()))
                    }
                    _ => break,
                },
                _ => break,
            };
            steps.push(Step { is_name, segment, span });
            expression = inner;
        }
        steps.reverse();
        (expression, steps)
    }

    fn traversal(self, expression: ExpressionNode<'d>, source: ExpressionNode<'d>, steps: &[Step]) -> Json {
        let mut parts = Vec::new();
        let mut accessor = String::new();
        let is_scope = matches!(source.kind(), ExpressionKind::Variable(_));
        if is_scope {
            accessor.push_str(source.text());
            parts.push(self.step(true, Some(source.text()), source.span()));
        }
        for step in steps {
            let segment = step.segment.as_deref().unwrap_or_default();
            match (step.is_name, accessor.is_empty() && parts.is_empty()) {
                (_, true) => accessor.push_str(segment),
                (true, false) => accessor.extend([".", segment]),
                (false, false) => accessor.extend(["[", segment, "]"]),
            }
            parts.push(self.step(step.is_name, step.segment.as_deref(), step.span));
        }
        let meta = json!({ "fullAccessor": accessor, "traversal": parts });
        if is_scope {
            return self.full(expression, "scopeTraversal", Vec::new(), meta);
        }
        let mut meta = meta;
        meta["sourceExpression"] = self.text(source).into();
        self.full(expression, "relativeTraversal", vec![self.node(source)], meta)
    }

    fn step(self, is_name: bool, segment: Option<&str>, span: Span) -> Json {
        let mut part = Map::new();
        part.insert("type".to_owned(), if is_name { "nameTraversal" } else { "indexTraversal" }.into());
        part.insert("range".to_owned(), self.range(span));
        if let Some(segment) = segment {
            part.insert("segment".to_owned(), segment.into());
        }
        Json::Object(part)
    }

    fn splat(
        self,
        expression: ExpressionNode<'d>,
        full: bool,
        source: ExpressionNode<'d>,
        each: ExpressionNode<'d>,
    ) -> Json {
        let marker = expression.operator_span();
        let start = if full { marker.start } else { marker.end };
        let inner = Self { item: Some((marker, start)), ..self };
        self.full(
            expression,
            "splat",
            vec![self.node(source), inner.node(each)],
            json!({
                "sourceExpression": self.text(source),
                "eachExpression": inner.text(each),
                "anonSymbolExpression": self.document.source().slice(marker),
                "markerRange": self.range(marker),
            }),
        )
    }

    fn call(self, expression: ExpressionNode<'d>, call: CallNode<'d>) -> Json {
        let arguments: Vec<_> = call.arguments().collect();
        let meta = json!({
            "name": call.name(),
            "expandedFinalArgument": call.expands_last(),
            "nameRange": self.range(call.name_span()),
            "openParenRange": self.range(call.open_span()),
            "closeParenRange": self.range(last(expression.span())),
            "argsRanges": arguments.iter().map(|&it| self.range(self.span(it))).collect::<Vec<_>>(),
        });
        self.full(expression, "function", arguments.iter().map(|&it| self.node(it)).collect(), meta)
    }

    fn object(self, expression: ExpressionNode<'d>) -> Json {
        let mut children = Vec::new();
        let mut items = Map::new();
        for item in expression.items() {
            let (key, text) = self.key(item);
            items.insert(text, self.text(item.value()).into());
            children.extend([key, self.node(item.value())]);
        }
        self.full(expression, "object", children, json!({ "items": items }))
    }

    fn key(self, item: ObjectItemNode<'d>) -> (Json, String) {
        match item.key() {
            ObjectKey::Name(name) => (self.bare(Vec::new(), name.span), name.text.to_owned()),
            ObjectKey::Expression(key) => {
                (self.bare(vec![self.node(key)], self.start(key)), self.text(key).to_owned())
            }
        }
    }

    fn for_expression(self, expression: ExpressionNode<'d>, node: ForNode<'d>) -> Json {
        let span = expression.span();
        let source = self.document.source();
        let mut children = vec![self.node(node.collection())];
        let mut meta = json!({
            "keyVar": node.key_variable().map_or("", |name| name.text),
            "valVar": node.value_variable().text,
            "collectionExpression": self.text(node.collection()),
            "valueExpression": self.text(node.value()),
            "groupedValue": node.groups(),
            "openRange": self.range(first(span)),
            "openRangeValue": source.slice(first(span)),
            "closeRange": self.range(last(span)),
            "closeRangeValue": source.slice(last(span)),
        });
        if let Some(key) = node.key() {
            meta["keyExpression"] = self.text(key).into();
            children.push(self.node(key));
        }
        children.push(self.node(node.value()));
        if let Some(condition) = node.condition() {
            meta["conditionalExpression"] = self.text(condition).into();
            children.push(self.node(condition));
        }
        self.full(expression, "for", children, meta)
    }

    fn template(self, expression: ExpressionNode<'d>, template: TemplateNode<'d>) -> Json {
        if let Some(inner) = template.as_unwrapped() {
            return self.full(expression, "templateWrap", vec![self.node(inner)], json!({}));
        }
        let end = expression.span().end;
        let children = self.parts(template.parts(), end);
        let text = expression.text().trim_end_matches(['\n', '\r']);
        self.with_text("template", children, json!({}), text, self.start(expression))
    }

    /// The parts of a template. An empty one has an empty text at the end.
    fn parts(self, parts: Parts<'d>, end: u32) -> Vec<Json> {
        let pieces = texts(parts);
        if pieces.is_empty() {
            return vec![self.literal("string", "", Span::new(end, end))];
        }
        let piece = |piece| match piece {
            Piece::Text(span) => self.literal("string", self.document.source().slice(span), span),
            Piece::Interpolation(node) => self.node(node),
            Piece::If(node) => with_room(|| self.if_directive(node)),
            Piece::For(node) => with_room(|| self.for_directive(node)),
        };
        pieces.into_iter().map(piece).collect()
    }

    /// The body of a directive, as a template, with its text.
    fn body(self, parts: Parts<'d>, end: u32) -> (Json, &'d str) {
        let start = self.first_part(parts.clone(), end);
        let last = match texts(parts.clone()).pop() {
            Some(Piece::Text(span)) => span.end,
            Some(Piece::Interpolation(node)) => self.span(node).end,
            Some(Piece::If(node)) => node.span().end,
            Some(Piece::For(node)) => node.span().end,
            None => end,
        };
        let text = self.document.source().slice(Span::new(start.start, last.max(start.start)));
        (self.with_text("template", self.parts(parts, end), json!({}), text, start), text)
    }

    fn if_directive(self, node: IfDirectiveNode<'d>) -> Json {
        let end = self.closing(node.span()).start;
        let (then, then_text) = self.body(node.then_parts(), self.introduction(node.span()).end);
        let (other, other_text) = self.body(node.else_parts(), end);
        let condition = node.condition();
        let meta = json!({
            "conditionExpression": self.text(condition),
            "trueExpression": then_text,
            "falseExpression": other_text,
        });
        let children = vec![self.node(condition), then, other];
        self.with_text("conditional", children, meta, node.text(), self.start(condition))
    }

    fn for_directive(self, node: ForDirectiveNode<'d>) -> Json {
        let open = self.introduction(node.span());
        let close = self.closing(node.span());
        let source = self.document.source();
        let (body, text) = self.body(node.parts(), close.start);
        let meta = json!({
            "keyVar": node.key_variable().map_or("", |name| name.text),
            "valVar": node.value_variable().text,
            "collectionExpression": self.text(node.collection()),
            "valueExpression": text,
            "groupedValue": false,
            "openRange": self.range(open),
            "openRangeValue": source.slice(open),
            "closeRange": self.range(close),
            "closeRangeValue": source.slice(close),
        });
        let inner = self.with_text("for", vec![self.node(node.collection()), body], meta, node.text(), open);
        self.with_text("templateJoin", vec![inner], json!({}), node.text(), open)
    }

    /// The last sequence of a directive, such as `%{ endif }`.
    fn closing(self, directive: Span) -> Span {
        let tokens = self.document.tokens();
        let mut at = tokens.at(directive.end.saturating_sub(1));
        while at > 0 && !matches!(tokens.kind(at), TokenKind::OpenDirective | TokenKind::OpenDirectiveStrip) {
            at -= 1;
        }
        Span::new(tokens.span(at).start.max(directive.start), directive.end)
    }
}

/// A part of a template, with neighboring texts as one.
enum Piece<'d> {
    Text(Span),
    Interpolation(ExpressionNode<'d>),
    If(IfDirectiveNode<'d>),
    For(ForDirectiveNode<'d>),
}

fn texts(parts: Parts<'_>) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for part in parts {
        let span = match part {
            Part::Text(text) => {
                let span = text.span();
                // The only text of a string literal has its quotes.
                let is_string = text.document().tree().kind(text.id()) == NodeKind::String;
                // The indentation that a flush heredoc loses is left out, but only of its first line.
                let blanks = |text: &str| text.len() - text.trim_start_matches([' ', '\t']).len();
                let tokens = text.document().tokens();
                let is_quoted = tokens.kind(tokens.at(span.start)) == TokenKind::QuotedText;
                let lost = if pieces.is_empty() && !is_quoted {
                    blanks(text.text()).saturating_sub(blanks(&text.value())) as u32
                } else {
                    0
                };
                let (start, end) =
                    if is_string { (span.start + 1, span.end - 1) } else { (span.start + lost, span.end) };
                Span::new(start, end)
            }
            Part::Interpolation(node) => {
                pieces.push(Piece::Interpolation(node));
                continue;
            }
            Part::If(node) => {
                pieces.push(Piece::If(node));
                continue;
            }
            Part::For(node) => {
                pieces.push(Piece::For(node));
                continue;
            }
        };
        match pieces.last_mut() {
            Some(Piece::Text(before)) => *before = before.cover(span),
            _ if span.is_empty() => {}
            _ => pieces.push(Piece::Text(span)),
        }
    }
    pieces
}

fn first(span: Span) -> Span {
    Span::new(span.start, (span.start + 1).min(span.end))
}

fn last(span: Span) -> Span {
    Span::new(span.end.saturating_sub(1).max(span.start), span.end)
}

fn binary(operator: BinaryOperator) -> (&'static str, &'static str) {
    match operator {
        BinaryOperator::Or => ("logicalOr", "bool"),
        BinaryOperator::And => ("logicalAnd", "bool"),
        BinaryOperator::Equal => ("equal", "bool"),
        BinaryOperator::NotEqual => ("notEqual", "bool"),
        BinaryOperator::Less => ("lessThan", "bool"),
        BinaryOperator::LessOrEqual => ("lessThanOrEqual", "bool"),
        BinaryOperator::Greater => ("greaterThan", "bool"),
        BinaryOperator::GreaterOrEqual => ("greaterThanOrEqual", "bool"),
        BinaryOperator::Add => ("add", "number"),
        BinaryOperator::Subtract => ("subtract", "number"),
        BinaryOperator::Multiply => ("multiply", "number"),
        BinaryOperator::Divide => ("divide", "number"),
        BinaryOperator::Modulo => ("modulo", "number"),
    }
}
