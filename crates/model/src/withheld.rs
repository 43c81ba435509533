//! What of a source text must not be shown: literals in `sensitive(…)`, names and passwords in addresses, and what is added from
//! outside. All that shows source texts asks this.

use std::borrow::Cow;

use hclkit_syntax::ast::{ExpressionKind, ExpressionNode, ObjectItemNode, ObjectKey};
use hclkit_syntax::json::{JsonText, JsonValue};
use hclkit_syntax::{
    Document, NodeId, NodeKind, Root, Source, Span, StartSymbol, Visit, nearest_name, nearest_names,
};

use crate::Expression;
use crate::address::{INTERPOLATIONS, shown_source, without_credentials};
use crate::hidden::{FLAGS, hides_value, mentions_flags};

/// What is shown in the place of something that must not be.
const WITHHELD: &str = "…";

/// The arguments of objects and blocks that such a flag is about.
#[doc(hidden)]
pub const SENSITIVE_VALUES: [&str; 4] = ["value", "default", "expression", "content"];

/// The parts of a source that must not be shown.
#[derive(Clone, Debug, Default)]
#[doc(hidden)]
pub struct Withheld {
    /// In source order, none within another.
    parts: Vec<Part>,
    /// Where the part of a broken file begins in which nothing is what it seems.
    doubtful_from: Option<u32>,
}

#[derive(Clone, Debug)]
struct Part {
    span: Span,
    shown: Cow<'static, str>,
    /// Whether it is more than a part of an address.
    is_secret: bool,
}

impl Part {
    fn whole(span: Span) -> Self {
        Self { span, shown: Cow::Borrowed(WITHHELD), is_secret: true }
    }
}

impl Withheld {
    /// What must not be shown of an expression.
    pub fn of_expression(expression: &Expression) -> Self {
        let mut own = Self::default();
        if let Some(node) = expression.document().and(expression.ast()) {
            own.add(node, Sourced::No);
        } else if let Some(value) = expression.json() {
            own.add_json(value, Some(StartSymbol::Template), Sourced::No);
        }
        own.sorted()
    }

    /// What must not be shown of a template that is a source of its own.
    pub fn of_template(source: &Source) -> Self {
        if !mentions_flags(source.text()) && !source.text().contains("://") {
            return Self::default();
        }
        let document = Document::parse(Source::new("", source.text()), StartSymbol::Template);
        let mut own = Self::default();
        if let Root::Template(root) = document.root() {
            scan(&document, root.id(), Sourced::No, &mut own.parts);
        }
        own.sorted()
    }

    /// Adds what must not be shown of an expression in the native syntax.
    pub fn add(&mut self, node: ExpressionNode<'_>, is_source: Sourced) {
        scan(node.document(), node.id(), is_source, &mut self.parts);
    }

    /// Adds what must not be shown of a value in the JSON syntax. `strings` says what its strings are, if not just text.
    pub fn add_json(&mut self, value: JsonValue<'_>, strings: Option<StartSymbol>, is_source: Sourced) {
        json(value, strings, is_source, &mut self.parts);
    }

    /// Adds the values in a type: the defaults of optional attributes.
    pub fn add_type(&mut self, node: ExpressionNode<'_>) {
        types(node.document(), node.id(), &mut self.parts);
    }

    /// Adds the values in a type in the JSON syntax.
    pub fn add_json_type(&mut self, value: JsonValue<'_>) {
        json_type(value, &mut self.parts);
    }

    /// Adds a part of which nothing must be shown.
    pub fn hide(&mut self, span: Span) {
        self.parts.push(Part::whole(span));
    }

    /// Sets where the part of a broken file begins in which nothing is what it seems.
    #[must_use]
    pub fn with_doubts(self, doubtful_from: Option<u32>) -> Self {
        Self { doubtful_from, ..self }
    }

    /// Puts the parts in order, after all were added.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        // The widest part comes first, and has the others in it.
        self.parts.sort_by_key(|part| (part.span.start, std::cmp::Reverse(part.span.end)));
        let mut end = 0;
        self.parts.retain(|part| {
            let is_outside = part.span.end > end;
            end = end.max(part.span.end);
            is_outside
        });
        self
    }

    /// Whether everything may be shown.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.doubtful_from.is_none()
    }

    /// Whether a part of the file is not to be trusted, because an error before it or in it may have changed what it is.
    pub fn is_doubtful(&self, span: Span) -> bool {
        self.doubtful_from.is_some_and(|from| span.end > from || span.start >= from)
    }

    /// Whether nothing of a part of the source may be shown.
    pub fn covers(&self, span: Span) -> bool {
        self.is_doubtful(span) || self.parts_in(span).any(|part| part.span.cover(span) == part.span)
    }

    /// Whether a value in a part of the source must not be shown. Names and passwords in addresses do not count.
    pub fn hides(&self, span: Span) -> bool {
        self.is_doubtful(span) || self.parts_in(span).any(|part| part.is_secret)
    }

    /// Whether something of a part of the source must not be shown. Parts that only touch it count.
    pub fn touches(&self, span: Span) -> bool {
        self.is_doubtful(span) || self.parts_in(span).next().is_some()
    }

    fn parts_in(&self, span: Span) -> impl Iterator<Item = &Part> {
        let first = self.parts.partition_point(|part| part.span.end < span.start);
        self.parts[first..].iter().take_while(move |part| part.span.start <= span.end)
    }

    /// The text of a part of the source, with `…` for what must not be shown.
    pub fn text<'s>(&self, source: &'s Source, span: Span) -> Cow<'s, str> {
        self.beginning(source, span, usize::MAX)
    }

    /// The same, of which only the first bytes matter, because expressions in each other share their texts.
    pub fn beginning<'s>(&self, source: &'s Source, span: Span, most: usize) -> Cow<'s, str> {
        if self.is_doubtful(span) {
            return Cow::Borrowed(WITHHELD);
        }
        let mut out = String::new();
        let mut at = span.start;
        for part in
            self.parts_in(span).filter(|part| part.span.start < span.end && part.span.end > span.start)
        {
            // A part of a withheld part is withheld.
            if part.span.start >= at {
                out.push_str(source.slice(Span::new(at, part.span.start)));
            }
            let is_whole = span.start <= part.span.start && part.span.end <= span.end;
            out.push_str(if is_whole { &part.shown } else { WITHHELD });
            at = part.span.end;
            if out.len() > most {
                return Cow::Owned(out);
            }
        }
        if at == span.start {
            return Cow::Borrowed(source.slice(span));
        }
        if at < span.end {
            out.push_str(source.slice(Span::new(at, span.end)));
        }
        Cow::Owned(out)
    }
}

/// Whether an argument is the source of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Sourced {
    /// It is not.
    No,
    /// Its name is similar.
    Maybe,
    /// It is.
    Yes,
}

impl Sourced {
    /// What the name of an argument says.
    pub fn of(name: &str) -> Self {
        match nearest_name(name, ["source"]) {
            Some(near) if near == name => Self::Yes,
            Some(_) => Self::Maybe,
            None => Self::No,
        }
    }
}

/// The values in the type of a variable whose value is hidden: the defaults of optional attributes.
fn types(document: &Document, root: NodeId, parts: &mut Vec<Part>) {
    let mut walk = document.tree().walk(root);
    while let Some(step) = walk.next() {
        let Visit::Enter(id) = step else { continue };
        let kind = document.tree().kind(id);
        if kind == NodeKind::Call {
            let ExpressionKind::Call(call) = document.expression_at(id).kind() else { continue };
            if let Some(value) = call.arguments().nth(1).filter(|_| call.name() != "object") {
                parts.push(Part::whole(inside(document, id, value.span().start)));
            }
        } else if matches!(
            kind,
            NodeKind::String | NodeKind::QuotedTemplate | NodeKind::Heredoc | NodeKind::Number
        ) {
            parts.push(Part::whole(document.span(id)));
            walk.skip_children();
        }
    }
}

/// The same of a type in a string, all of it.
fn json_type(value: JsonValue<'_>, parts: &mut Vec<Part>) {
    let Some(text) = value.as_string() else { return parts.push(Part::whole(value.span())) };
    let document = Document::parse(Source::new("", text.value().into_owned()), StartSymbol::Expression);
    let mut found = Vec::new();
    let Root::Expression(root) = document.root() else { return };
    types(&document, root.id(), &mut found);
    if !found.is_empty() || document.has_errors() {
        parts.push(Part::whole(text.inner_span()));
    }
}

/// The rest of a call from an offset, without its parenthesis.
fn inside(document: &Document, call: NodeId, from: u32) -> Span {
    let span = document.span(call);
    let is_closed = document.source().slice(span).ends_with(')');
    Span::new(from, span.end.saturating_sub(u32::from(is_closed)).max(from))
}

/// Adds the parts of an expression, or of a whole template.
fn scan(document: &Document, root: NodeId, is_source: Sourced, parts: &mut Vec<Part>) {
    let tree = document.tree();
    let is_template = |kind: NodeKind| {
        matches!(
            kind,
            NodeKind::String | NodeKind::QuotedTemplate | NodeKind::Heredoc | NodeKind::BareTemplate
        )
    };
    let mut whole = root;
    while tree.kind(whole) == NodeKind::Parens {
        let Some(inner) = tree.children(whole).next() else { break };
        whole = inner;
    }
    // The parts of a source that functions compute are not addresses on their own.
    let is_computed = is_source == Sourced::Yes && !is_template(tree.kind(whole));
    let mut key = None;
    let mut walk = tree.walk(root);
    while let Some(step) = walk.next() {
        let Visit::Enter(id) = step else { continue };
        let kind = tree.kind(id);
        if kind == NodeKind::Index {
            key = tree.children(id).nth(1);
        } else if kind == NodeKind::Object {
            object(document.expression_at(id), parts);
        } else if kind == NodeKind::Call {
            let ExpressionKind::Call(call) = document.expression_at(id).kind() else { continue };
            if makes_sensitive(&call.name()) && has_literal(document, id) {
                parts.push(Part::whole(inside(document, id, call.open_span().end)));
                walk.skip_children();
            }
        } else if is_template(kind) {
            let text = Template::of(document, id);
            if is_computed {
                if !text.is_path() && key != Some(id) {
                    parts.push(Part::whole(text.span));
                    walk.skip_children();
                }
            } else if let Some(shown) = text.shown(is_source != Sourced::No && id == whole) {
                parts.push(Part { span: text.span, shown: Cow::Owned(shown), is_secret: false });
            }
        }
    }
}

/// Adds the values of an object that says that they are sensitive, such as `{ value = "…", sensitive = true }`.
fn object(node: ExpressionNode<'_>, parts: &mut Vec<Part>) {
    let name = |item: &ObjectItemNode<'_>| match item.key() {
        ObjectKey::Name(name) => Some(name.text.to_owned()),
        ObjectKey::Expression(_) => None,
    };
    let is_false = |value: ExpressionNode<'_>| {
        matches!(value.kind(), ExpressionKind::Bool(false)) || value.text() == "\"false\""
    };
    let is_flag = |item: &ObjectItemNode<'_>| name(item).is_some_and(|own| FLAGS.contains(&&*own));
    if node.items().any(|item| is_flag(&item) && !is_false(item.value())) {
        let values =
            node.items().filter(|item| name(item).is_some_and(|own| SENSITIVE_VALUES.contains(&&*own)));
        parts.extend(values.map(|item| Part::whole(item.value().span())));
    }
}

/// The content of a template, in which each interpolation is a character of its own.
struct Template<'d> {
    span: Span,
    text: String,
    /// The texts of the interpolations.
    inner: Vec<&'d str>,
    /// The text if it is literal, without escapes.
    literal: Option<String>,
}

impl<'d> Template<'d> {
    fn of(document: &'d Document, id: NodeId) -> Self {
        let (tree, source) = (document.tree(), document.source());
        let mut span = document.span(id);
        if matches!(tree.kind(id), NodeKind::String | NodeKind::QuotedTemplate) {
            let text = source.slice(span);
            let start = u32::from(text.starts_with('"'));
            let end = u32::from(text.len() > 1 && text.ends_with('"'));
            span = Span::new(span.start + start, span.end - end);
        }
        let (mut text, mut inner, mut at) = (String::new(), Vec::new(), span.start);
        for child in tree.children(id).filter(|child| tree.kind(*child) != NodeKind::Text) {
            let own = document.span(child);
            text.push_str(source.slice(Span::new(at, own.start.max(at))));
            let range = &INTERPOLATIONS[usize::from(is_literal_in(document, child))];
            let stands = range.start + inner.len() as u32;
            let stands = char::from_u32(stands).filter(|_| range.contains(&stands));
            text.push(stands.unwrap_or(char::REPLACEMENT_CHARACTER));
            inner.push(source.slice(own));
            at = own.end;
        }
        text.push_str(source.slice(Span::new(at, span.end.max(at))));
        let literal = match tree.kind(id) {
            NodeKind::BareTemplate => None,
            _ => match document.expression_at(id).kind() {
                ExpressionKind::Template(template) => template.as_literal().map(Cow::into_owned),
                _ => None,
            },
        };
        Self { span, text, inner, literal }
    }

    /// The text that may be shown, if it is another one.
    fn shown(&self, is_source: bool) -> Option<String> {
        let shown = |text: &str| -> Option<String> {
            let shown = if is_source { shown_source(text) } else { without_credentials(text) };
            (shown != text).then(|| shown.into_owned())
        };
        let found = shown(&self.text);
        // Escapes hide what an address is.
        if self.text.contains('\\') && self.literal.as_deref().is_some_and(|text| shown(text).is_some()) {
            return Some(WITHHELD.to_owned());
        }
        let found = found?;
        let text = |own: char| {
            let range = INTERPOLATIONS.iter().find(|range| range.contains(&u32::from(own)))?;
            self.inner.get((u32::from(own) - range.start) as usize)
        };
        let mut out = String::with_capacity(found.len());
        for own in found.chars() {
            match text(own) {
                Some(inner) => out.push_str(inner),
                None => out.push(own),
            }
        }
        Some(out)
    }

    /// Whether it is a path, or a part of an address without a name and a password.
    fn is_path(&self) -> bool {
        let is_plain = |own: char| own.is_alphanumeric() || matches!(own, '.' | '_' | '-' | '/');
        (self.text.starts_with("./") || self.text.starts_with("../")) && self.text.chars().all(is_plain)
    }
}

/// Whether a function makes its argument sensitive, also if its name is misspelled.
pub(crate) fn makes_sensitive(name: &str) -> bool {
    let name = name.rsplit("::").next().unwrap_or(name);
    nearest_names(name, ["sensitive", "nonsensitive", "issensitive"]).contains(&"sensitive")
}

/// Whether there is a literal in the arguments of a call, or something that is not finished. Keys of references do not count.
fn has_literal(document: &Document, call: NodeId) -> bool {
    // The file may end in it.
    is_literal_in(document, call) || !document.source().slice(document.span(call)).ends_with(')')
}

/// Whether there is a literal in an expression. Keys of references do not count.
fn is_literal_in(document: &Document, call: NodeId) -> bool {
    let tree = document.tree();
    let mut key = None;
    let mut walk = tree.walk(call);
    while let Some(step) = walk.next() {
        let Visit::Enter(id) = step else { continue };
        if Some(id) == key {
            walk.skip_children();
            continue;
        }
        match tree.kind(id) {
            NodeKind::Index => key = tree.children(id).nth(1),
            NodeKind::Variable
            | NodeKind::GetAttr
            | NodeKind::LegacyIndex
            | NodeKind::AttrSplat
            | NodeKind::FullSplat
            | NodeKind::SplatItem
            | NodeKind::Call
            | NodeKind::Conditional
            | NodeKind::Binary
            | NodeKind::Unary
            | NodeKind::Parens
            | NodeKind::Interpolation => {}
            NodeKind::QuotedTemplate => {}
            _ => return true,
        }
    }
    false
}

/// Adds the parts of a value in the JSON syntax.
fn json(value: JsonValue<'_>, strings: Option<StartSymbol>, is_source: Sourced, parts: &mut Vec<Part>) {
    let mut open = vec![(value, is_source)];
    while let Some((value, is_source)) = open.pop() {
        open.extend(value.elements().map(|own| (own, is_source)));
        let hides = value.is_object() && hides_value(&crate::Body::from_json(value));
        for property in value.properties() {
            string(property.name(), strings, Sourced::No, parts);
            let name = property.name().value();
            if hides && SENSITIVE_VALUES.contains(&&*name) {
                parts.push(Part::whole(property.value().span()));
            } else if hides && name == "type" {
                json_type(property.value(), parts);
            } else {
                open.push((property.value(), Sourced::of(&name)));
            }
        }
        if let Some(text) = value.as_string() {
            string(text, strings, is_source, parts);
        }
    }
}

/// Adds the part of a string in the JSON syntax, all of it.
fn string(text: JsonText<'_>, strings: Option<StartSymbol>, is_source: Sourced, parts: &mut Vec<Part>) {
    let value = text.value();
    let start = strings
        .filter(|start| *start != StartSymbol::Template || value.contains("${") || value.contains("%{"));
    let (shown, is_secret) = if let Some(start) = start {
        let document = Document::parse(Source::new("", value.as_ref()), start);
        let root = match document.root() {
            Root::Template(template) => template.id(),
            Root::Expression(expression) => expression.id(),
            _ => return,
        };
        let mut found = Withheld::default();
        scan(&document, root, is_source, &mut found.parts);
        let whole = Span::new(0, document.source().len());
        if document.has_errors() && mentions_flags(&value) {
            found.hide(whole);
        }
        let found = found.sorted();
        let shown = (!found.is_empty()).then(|| found.text(document.source(), whole).into_owned());
        (shown, found.hides(whole))
    } else {
        let shown = if is_source == Sourced::No { without_credentials(&value) } else { shown_source(&value) };
        ((shown != *value).then(|| shown.into_owned()), false)
    };
    if let Some(shown) = shown {
        let escaped = shown.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        parts.push(Part { span: text.inner_span(), shown: Cow::Owned(escaped), is_secret });
    }
}
