//! The text form of a document in the suite: its tree by the views of `ast`, and its diagnostics. Literal text is
//! written with its value, so that escape sequences, strip markers and indentation are tested. Not recursive, because
//! trees can be deep.

use std::fmt::Write as _;

use hclkit_syntax::ast::{
    BodyNode, ExpressionKind, ExpressionNode, Item, ObjectKey, Part, Parts, StepKind, TemplateKind,
    TemplateNode,
};
use hclkit_syntax::{Code, Diagnostic, Document, Range, Root, Span, apply_fixes};

/// What remains to be written; the last piece is next.
enum Piece<'d> {
    Text(String),
    Body(BodyNode<'d>, usize),
    Item(Item<'d>, usize),
    Unfinished(ExpressionNode<'d>),
    Expression(ExpressionNode<'d>),
    /// Parts of a template, each after a space.
    Parts(Parts<'d>),
}

/// Pieces in output order.
#[derive(Default)]
struct Pieces<'d>(Vec<Piece<'d>>);

impl<'d> Pieces<'d> {
    fn text(&mut self, text: impl Into<String>) -> &mut Self {
        self.0.push(Piece::Text(text.into()));
        self
    }

    fn expression(&mut self, expression: ExpressionNode<'d>) -> &mut Self {
        self.text(" ");
        self.0.push(Piece::Expression(expression));
        self
    }
}

/// Formats the tree and the diagnostics of a document.
pub(crate) fn document(document: &Document) -> String {
    let mut out = "--- tree\n".to_owned();
    let mut open = Pieces::default();
    match document.root() {
        Root::Body(body) if body.items().next().is_none() && body.unfinished().next().is_none() => {
            open.text("(nothing)");
        }
        Root::Body(body) => open.0.push(Piece::Body(body, 0)),
        Root::Expression(expression) => open.0.push(Piece::Expression(expression)),
        Root::Template(template) => open = template_pieces(template),
        Root::Traversal(traversal) => {
            out.push_str("(traversal");
            for step in traversal.steps() {
                let _ = match step.kind {
                    StepKind::Root(name) => write!(out, " {name}"),
                    StepKind::Attr(name) => write!(out, " .{name}"),
                    StepKind::Key(key) => write!(out, " [{key:?}]"),
                    StepKind::Index(number) => write!(out, " [{number}]"),
                    StepKind::Splat => write!(out, " [*]"),
                };
            }
            out.push(')');
        }
    }
    let mut stack = open.0;
    stack.reverse();
    while let Some(piece) = stack.pop() {
        let mut pieces = Pieces::default();
        match piece {
            Piece::Text(text) => out.push_str(&text),
            Piece::Body(body, depth) => {
                let mut lines: Vec<(Span, Piece<'_>)> = body
                    .items()
                    .map(|item| (item.span(), Piece::Item(item, depth)))
                    .chain(body.unfinished().map(|it| (it.span(), Piece::Unfinished(it))))
                    .collect();
                lines.sort_by_key(|&(span, _)| span);
                for (index, (_, line)) in lines.into_iter().enumerate() {
                    if depth > 0 || index > 0 {
                        pieces.text(format!("\n{:1$}", "", depth * 2));
                    }
                    pieces.0.push(line);
                }
            }
            Piece::Unfinished(expression) => {
                pieces.text("(unfinished").expression(expression).text(")");
            }
            Piece::Item(item, depth) => item_pieces(&mut pieces, item, depth),
            Piece::Expression(expression) => expression_pieces(&mut pieces, expression),
            Piece::Parts(mut parts) => {
                if let Some(part) = parts.next() {
                    part_pieces(&mut pieces, part);
                    pieces.0.push(Piece::Parts(parts));
                }
            }
        }
        stack.extend(pieces.0.into_iter().rev());
    }
    out.push('\n');
    diagnostics(&mut out, document.diagnostics(), document.source().text(), &|span| document.range(span));
    out
}

fn item_pieces<'d>(pieces: &mut Pieces<'d>, item: Item<'d>, depth: usize) {
    match item {
        Item::Attribute(attribute) => {
            pieces.text(format!("({} =", attribute.name())).expression(attribute.value()).text(")");
        }
        Item::Block(block) => {
            let mut header = format!("(block {}", block.block_type());
            for label in block.labels() {
                let value = label.value();
                let _ =
                    if label.is_quoted() { write!(header, " {value:?}") } else { write!(header, " {value}") };
            }
            pieces.text(header);
            pieces.0.push(Piece::Body(block.body(), depth + 1));
            pieces.text(")");
        }
    }
}

fn expression_pieces<'d>(pieces: &mut Pieces<'d>, expression: ExpressionNode<'d>) {
    use ExpressionKind as E;
    match expression.kind() {
        E::Missing => pieces.text("<missing>"),
        E::Number(number) => pieces.text(number),
        E::Bool(value) => pieces.text(value.to_string()),
        E::Null => pieces.text("null"),
        E::Template(template) => {
            pieces.0.extend(template_pieces(template).0);
            pieces
        }
        E::Variable(name) => pieces.text(name.text),
        E::GetAttr { object, name } => {
            let name = name.map_or("<missing>", |name| name.text);
            pieces.text("(.").expression(object).text(format!(" {name})"))
        }
        E::Index { collection, key } => pieces.text("([]").expression(collection).expression(key).text(")"),
        E::LegacyIndex { collection, key } => {
            pieces.text("(legacy").expression(collection).text(format!(" {})", key.text))
        }
        E::Splat { full, source, each } => {
            pieces.text(if full { "([*]" } else { "(.*" }).expression(source).expression(each).text(")")
        }
        E::SplatItem => pieces.text("each"),
        E::Call(call) => {
            pieces.text(format!("(call {}", call.name()));
            for argument in call.arguments() {
                pieces.expression(argument);
            }
            pieces.text(if call.expands_last() { "...)" } else { ")" })
        }
        E::Tuple => {
            pieces.text("(tuple");
            for element in expression.elements() {
                pieces.expression(element);
            }
            pieces.text(")")
        }
        E::Object => {
            pieces.text("(object");
            for item in expression.items() {
                match item.key() {
                    ObjectKey::Name(name) => pieces.text(format!(" ({name} =")),
                    ObjectKey::Expression(key) => pieces.text(" (key").expression(key).text(" ="),
                };
                pieces.expression(item.value()).text(")");
            }
            pieces.text(")")
        }
        E::For(for_) => {
            pieces.text(if for_.makes_object() { "(for-object" } else { "(for-tuple" });
            if let Some(key) = for_.key_variable() {
                pieces.text(format!(" {key}"));
            }
            pieces.text(format!(" {} in", for_.value_variable())).expression(for_.collection()).text(" :");
            if let Some(key) = for_.key() {
                pieces.expression(key).text(" =>");
            }
            pieces.expression(for_.value()).text(if for_.groups() { "..." } else { "" });
            if let Some(condition) = for_.condition() {
                pieces.text(" if").expression(condition);
            }
            pieces.text(")")
        }
        E::Conditional { condition, result, other } => {
            pieces.text("(?").expression(condition).expression(result).expression(other).text(")")
        }
        E::Binary { operator, left, right } => {
            pieces.text(format!("({}", operator.as_str())).expression(left).expression(right).text(")")
        }
        E::Unary { operator, operand } => {
            pieces.text(format!("({}", operator.as_str())).expression(operand).text(")")
        }
        E::Parens(inner) => pieces.text("(parens").expression(inner).text(")"),
    };
}

/// A quoted string without sequences is only its value; everything else includes its kind.
fn template_pieces(template: TemplateNode<'_>) -> Pieces<'_> {
    let mut pieces = Pieces::default();
    let kind = match template.template_kind() {
        TemplateKind::Quoted => {
            if let Some(literal) = template.as_literal() {
                pieces.text(format!("{literal:?}"));
                return pieces;
            }
            "template"
        }
        TemplateKind::Heredoc { flush: false } => "heredoc",
        TemplateKind::Heredoc { flush: true } => "flush-heredoc",
        TemplateKind::Bare => "bare",
    };
    let unwrapped = if template.as_unwrapped().is_some() { "unwrapped-" } else { "" };
    pieces.text(format!("({unwrapped}{kind}"));
    pieces.0.push(Piece::Parts(template.parts()));
    pieces.text(")");
    pieces
}

fn part_pieces<'d>(pieces: &mut Pieces<'d>, part: Part<'d>) {
    match part {
        Part::Text(text) => {
            pieces.text(format!(" {:?}", text.value()));
        }
        Part::Interpolation(expression) => {
            pieces.text(" ${").0.push(Piece::Expression(expression));
            pieces.text("}");
        }
        Part::If(directive) => {
            pieces.text(" (%if").expression(directive.condition()).text(" (then");
            pieces.0.push(Piece::Parts(directive.then_parts()));
            pieces.text(")");
            if directive.has_else() {
                pieces.text(" (else").0.push(Piece::Parts(directive.else_parts()));
                pieces.text(")");
            }
            pieces.text(")");
        }
        Part::For(directive) => {
            pieces.text(" (%for");
            if let Some(key) = directive.key_variable() {
                pieces.text(format!(" {key}"));
            }
            pieces.text(format!(" {} in", directive.value_variable())).expression(directive.collection());
            pieces.text(" :").0.push(Piece::Parts(directive.parts()));
            pieces.text(")");
        }
    }
}

/// Formats the diagnostics, under a heading.
pub(crate) fn diagnostics(out: &mut String, list: &[Diagnostic], text: &str, range: &dyn Fn(Span) -> Range) {
    if !list.is_empty() {
        out.push_str("--- diagnostics\n");
    }
    for found in list {
        diagnostic(out, text, range, found);
    }
}

/// Formats the code, range and detail, related places, and the lines that the fix changes.
fn diagnostic(out: &mut String, text: &str, range: &dyn Fn(Span) -> Range, found: &Diagnostic) {
    let place = |span| place(range(span));
    let severity = if found.is_error() { "" } else { "warning " };
    let code = found.code().map_or("", Code::as_str);
    let _ = writeln!(out, "{severity}{code} {} {}", place(found.span()), found.note());
    for related in found.related() {
        let _ = writeln!(out, "  {}: {}", place(related.span()), related.text());
    }
    if let Some(fix) = found.fix() {
        let _ = writeln!(out, "  fix: {}", fix.title);
        let (fixed, _) = apply_fixes(text, [fix]);
        // Only the changed lines of the new text.
        let (old, new): (Vec<_>, Vec<_>) = (text.lines().collect(), fixed.lines().collect());
        let same =
            |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(a, b)| a == b).count();
        let first = same(&mut old.iter().zip(&new));
        let last = same(&mut old[first..].iter().rev().zip(new[first..].iter().rev()));
        for line in &new[first..new.len() - last] {
            let _ = writeln!(out, "    {line}");
        }
    }
}

/// `line:column-line:column`; the second line only if it differs.
fn place(range: Range) -> String {
    let (start, end) = (range.start, range.end);
    let line = if end.line == start.line { String::new() } else { format!("{}:", end.line) };
    format!("{}:{}-{line}{}", start.line, start.column, end.column)
}
