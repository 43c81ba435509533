//! Conversion of HCL 1 to HCL 2: edits of the text, so that comments, order and most of the layout stay. `hcl1/literal.rs`
//! writes literals, and `hcl1/terraform.rs` the interpolation of Terraform 0.11.

mod literal;
mod terraform;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use hclkit_syntax::ast::{
    AttributeNode, BlockNode, BodyNode, ExpressionKind, ExpressionNode, Item, ObjectItemNode, ObjectKey,
};
use hclkit_syntax::{
    Code, Diagnostic, Diagnostics, Document, Edit, Edited, Fix, Source, Span, StartSymbol, Syntax, TokenKind,
    Tokens, fold_case, is_identifier,
};

use crate::messages;

/// Converts configurations in HCL 1 to HCL 2, the native syntax.
///
/// Blocks stay blocks, and objects stay objects. Comments and the order of items are kept. The result is not formatted.
///
/// Where HCL 1 and HCL 2 read a text differently, the value of HCL 1 is kept: `0644` becomes `420`, `${` in a string `$${`,
/// and a block with names such as `"driver.raw_exec"` an object. [Interpolation](Self::with_interpolation) is for
/// Terraform 0.11, whose `${ … }` HCL 2 evaluates.
///
/// ```
/// use hclkit::convert::FromHcl1;
/// use hclkit::{Document, Source};
///
/// let text = "# ports\nports { http = 8501 https = 0x21 }, \"mode\" = 0644\n";
/// let document = Document::parse_hcl1(Source::new("agent.hcl", text));
/// let converted = FromHcl1::new().convert(&document)?;
/// assert_eq!(converted.text, "# ports\nports {\n http = 8501 \nhttps = 33 \n} \nmode = 420\n");
/// assert_eq!(converted.notes.len(), 2);
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct FromHcl1 {
    interpolation: bool,
}

/// A configuration that was converted from HCL 1.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FromHcl1Result {
    /// The text in HCL 2.
    pub text: String,
    /// Warnings in the original text: where HCL 2 would have read something else, and what to check by hand.
    pub notes: Diagnostics,
}

impl FromHcl1 {
    /// A converter that keeps strings as text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether `${ … }` in strings is evaluated, as Terraform 0.11 does. A string that is only one interpolation becomes its
    /// expression, and `type = "list"` becomes `type = list(any)`. What HCL 2 cannot read, or reads differently, is in the
    /// notes. The default is false.
    #[must_use]
    pub fn with_interpolation(mut self, interpolation: bool) -> Self {
        self.interpolation = interpolation;
        self
    }

    /// Converts a configuration.
    ///
    /// # Errors
    /// The errors of the document, and what HCL 2 cannot express: names that are not identifiers at the top level and in
    /// blocks with labels, names that are set twice, and JSON.
    pub fn convert(&self, document: &Document) -> Result<FromHcl1Result, Diagnostics> {
        if document.has_errors() {
            return Err(document.diagnostics().clone());
        }
        if let Some(json) = document.json() {
            let error = messages::json_is_not_native().at(json.root().span());
            return Err(error.with_source(document.shared_source()).into());
        }
        if document.syntax() != Syntax::Hcl1 {
            let text = document.source().text().to_owned();
            return Ok(FromHcl1Result { text, notes: Diagnostics::new() });
        }
        let mut conversion = Conversion {
            document,
            tokens: document.tokens(),
            interpolation: self.interpolation,
            edits: Vec::new(),
            notes: Diagnostics::new(),
            errors: Diagnostics::new(),
        };
        conversion.carriage_returns();
        conversion.body(document.body(), "");
        let Conversion { mut edits, mut notes, mut errors, .. } = conversion;
        let source = document.shared_source();
        if errors.has_errors() {
            errors.sort_by_key(Diagnostic::span);
            errors.update(|error| error.with_source(source));
            return Err(errors);
        }
        edits.sort_by_key(|edit| edit.span);
        let fixes: Vec<Fix> = edits.into_iter().map(|edit| Fix::new("", [edit])).collect();
        let Edited { text, .. } = Edited::new(source.text(), &fixes);
        notes.sort_by_key(Diagnostic::span);
        notes.update(|note| note.with_source(source));
        let converted = Document::parse(Source::new(source.name(), text.as_str()), StartSymbol::Config);
        if converted.has_errors() {
            return Err(converted.diagnostics().clone());
        }
        Ok(FromHcl1Result { text, notes })
    }
}

struct Conversion<'d> {
    document: &'d Document,
    tokens: &'d Tokens,
    interpolation: bool,
    edits: Vec<Edit>,
    notes: Diagnostics,
    errors: Diagnostics,
}

impl<'d> Conversion<'d> {
    fn replace(&mut self, span: Span, text: impl Into<String>) {
        self.edits.push(Edit::new(span, text.into()));
    }

    fn insert(&mut self, at: u32, text: impl Into<String>) {
        self.replace(Span::empty(at), text);
    }

    fn note(&mut self, span: Span, text: String) {
        self.notes.push(Diagnostic::warning(Code::Hcl1Meaning).at(span).with_note(text));
    }

    fn error(&mut self, span: Span, text: String) {
        self.errors.push(Diagnostic::error(Code::NotNative).at(span).with_note(text));
    }

    /// Replaces carriage returns that are white space, which they are not in HCL 2.
    fn carriage_returns(&mut self) {
        let (text, mut end) = (self.document.source().text(), 0);
        for token in self.tokens.iter() {
            let gap = &text.as_bytes()[end as usize..token.span.start as usize];
            let returns: Vec<u32> =
                (0..gap.len()).filter(|&at| gap[at] == b'\r').map(|at| end + at as u32).collect();
            for at in returns {
                self.replace(Span::new(at, at + 1), " ");
            }
            end = token.span.end;
        }
    }

    /// The first and the last token of a span.
    fn tokens_of(&self, span: Span) -> (u32, u32) {
        (self.tokens.at(span.start), self.tokens.at(span.end.saturating_sub(1).max(span.start)))
    }

    /// The index of the token after a span.
    fn after(&self, span: Span) -> u32 {
        self.tokens_of(span).1 + 1
    }

    /// The items of a body, each on a line of its own. `within` is the type of the block around it.
    fn body(&mut self, body: BodyNode<'d>, within: &str) {
        let items: Vec<Item<'d>> = body.items().collect();
        let mut set = Names::default();
        for (at, item) in items.iter().enumerate() {
            match *item {
                Item::Attribute(attribute) => {
                    self.key_set(&mut set, &attribute.name_text(), attribute.name_span(), false);
                    self.attribute(attribute, within);
                }
                Item::Block(block) => {
                    if other_name(block).is_some() {
                        self.key_set(&mut set, &block.type_text(), block.type_span(), false);
                    }
                    self.block(block);
                }
            }
            let next = items.get(at + 1).map(|next| next.span().start);
            self.separate(item.span(), next);
        }
    }

    /// Puts what follows an item on a new line, and removes the comma between them.
    fn separate(&mut self, item: Span, next: Option<u32>) {
        let mut token = self.after(item);
        let mut on_new_line = false;
        loop {
            let span = self.tokens.span(token);
            match self.tokens.kind(token) {
                TokenKind::Newline => on_new_line = true,
                TokenKind::Comma => self.replace(span, ""),
                kind if kind.is_comment() => {}
                _ => break,
            }
            token += 1;
        }
        if let Some(next) = next.filter(|_| !on_new_line) {
            self.insert(next, "\n");
        }
    }

    fn attribute(&mut self, attribute: AttributeNode<'d>, within: &str) {
        let (name, span) = (attribute.name_text(), attribute.name_span());
        if !is_identifier(&name) {
            self.error(span, messages::name_is_no_identifier(&name));
        } else if attribute.document().source().slice(span).starts_with('"') {
            self.replace(span, name.as_ref());
        }
        self.join(span, attribute.value().span());
        if self.interpolation && self.terraform_type(attribute, within) {
            return;
        }
        self.value(attribute.value());
    }

    /// Puts what is between two spans on one line.
    fn join(&mut self, from: Span, to: Span) {
        for token in self.after(from)..self.tokens.at(to.start) {
            let span = self.tokens.span(token);
            match self.tokens.kind(token) {
                TokenKind::Newline => self.replace(span, " "),
                TokenKind::LineComment => {
                    let text = self.document.source().slice(span);
                    let text = text.trim_start_matches(['#', '/']).trim().replace("*/", "* /");
                    self.replace(span, format!("/* {text} */"));
                }
                _ => {}
            }
        }
    }

    fn block(&mut self, block: BlockNode<'d>) {
        let (block_type, span) = (block.type_text().into_owned(), block.type_span());
        if !is_identifier(&block_type) {
            return self.error(span, messages::name_is_no_identifier(&block_type));
        }
        if self.document.source().slice(span).starts_with('"') {
            // A label can follow the quote.
            self.replace(span, format!("{block_type} "));
        }
        let mut before = span;
        for label in block.labels() {
            self.join(before, label.span());
            before = label.span();
            let text = label.value();
            let is_same =
                if label.is_quoted() { literal::is_plain(label.text()) } else { is_identifier(&text) };
            if !is_same {
                self.replace(label.span(), literal::quoted(&text));
            }
        }
        self.join(before, block.open_span());
        let body = block.body();
        match other_name(block) {
            Some(name) => {
                let text = messages::block_becomes_object(&block_type, &name);
                self.note(span, text);
                self.insert(block.open_span().start, "= ");
                self.object_of(body);
            }
            None => self.braces(block, &block_type),
        }
    }

    /// The body of a block, with its braces on lines of their own unless it has at most one attribute.
    fn braces(&mut self, block: BlockNode<'d>, block_type: &str) {
        let body = block.body();
        let whole = self.document.source().slice(body.span());
        let mut items = body.items();
        let is_short = matches!((items.next(), items.next()), (None | Some(Item::Attribute(_)), None))
            && !whole.contains('\n');
        if !is_short {
            let (open, close) = (block.open_span(), block.close_span());
            let first = self.tokens.significant_from(self.tokens.at(open.start) + 1);
            if !self.has_newline(self.tokens.at(open.start), first) {
                self.insert(open.end, "\n");
            }
            let close_token = self.tokens.at(close.start);
            let last = self.tokens.significant_before(close_token).unwrap_or(0);
            if first <= last && !self.has_newline(last, close_token) {
                self.insert(close.start, "\n");
            }
        }
        self.body(body, block_type);
    }

    /// Returns true if there is a line break between two tokens.
    fn has_newline(&self, from: u32, to: u32) -> bool {
        (from + 1..to).any(|token| self.tokens.kind(token) == TokenKind::Newline)
    }

    /// The items of a body that becomes an object.
    fn object_of(&mut self, body: BodyNode<'d>) {
        let items: Vec<Item<'d>> = body.items().collect();
        let mut set = Names::default();
        for (at, item) in items.iter().enumerate() {
            let (name, span, has_labels) = match item {
                Item::Attribute(attribute) => (attribute.name_text(), attribute.name_span(), false),
                Item::Block(block) => (block.type_text(), block.type_span(), block.labels().next().is_some()),
            };
            self.key_set(&mut set, &name, span, has_labels);
            self.key(&name, span, at == 0);
            match *item {
                Item::Attribute(attribute) => {
                    self.join(span, attribute.value().span());
                    self.value(attribute.value());
                }
                Item::Block(block) => {
                    let labels: Vec<(String, Span)> =
                        block.labels().map(|label| (label.value().into_owned(), label.span())).collect();
                    self.nested_keys(span, &labels, block.open_span());
                    self.object_of(block.body());
                    self.insert(block.span().end, "}".repeat(labels.len()));
                }
            }
            self.separate_in_object(item.span(), items.get(at + 1).map(|next| next.span().start));
        }
    }

    /// Reports a name that is set twice.
    fn key_set(&mut self, set: &mut Names, name: &str, span: Span, has_labels: bool) {
        if !set.insert(name, has_labels) {
            self.error(span, messages::set_twice(name));
        }
    }

    /// The key of an object's item. An object that begins with `for` is an expression of HCL 2.
    fn key(&mut self, name: &str, span: Span, is_first: bool) {
        let text = self.document.source().slice(span);
        let is_same = if text.starts_with('"') {
            literal::is_plain(text)
        } else {
            is_identifier(name) && !(is_first && name == "for") && name != "null"
        };
        if !is_same {
            self.replace(span, literal::quoted(name));
        }
    }

    /// Further names of an item, each of which becomes the key of an object, and the brace after them.
    fn nested_keys(&mut self, first: Span, labels: &[(String, Span)], open: Span) {
        let mut before = first;
        for (name, span) in labels {
            self.insert(before.end, " = {");
            self.join(before, *span);
            self.key(name, *span, true);
            before = *span;
        }
        self.insert(before.end, " =");
        self.join(before, open);
    }

    /// Separates the items of an object by a line break or a comma.
    fn separate_in_object(&mut self, item: Span, next: Option<u32>) {
        let mut token = self.after(item);
        let (mut on_new_line, mut has_comma) = (false, false);
        loop {
            let span = self.tokens.span(token);
            match self.tokens.kind(token) {
                TokenKind::Newline => on_new_line = true,
                // A comma cannot begin a line.
                TokenKind::Comma if on_new_line => self.replace(span, ""),
                TokenKind::Comma => has_comma = true,
                kind if kind.is_comment() => {}
                _ => break,
            }
            token += 1;
        }
        if next.is_some() && !on_new_line && !has_comma {
            self.insert(item.end, ",");
        }
    }

    fn value(&mut self, value: ExpressionNode<'d>) {
        match value.kind() {
            ExpressionKind::Number(text) => self.number(value, text),
            ExpressionKind::Template(_) => self.text(value),
            ExpressionKind::Tuple => self.list(value),
            ExpressionKind::Object => self.object(value),
            _ => {}
        }
    }

    fn list(&mut self, list: ExpressionNode<'d>) {
        let elements: Vec<ExpressionNode<'d>> = list.elements().collect();
        let (open, close) = self.tokens_of(list.span());
        let first = elements.first().map_or(close, |element| self.tokens.at(element.span().start));
        self.remove_commas(open + 1, first, 0);
        for (at, element) in elements.iter().enumerate() {
            hclkit_limits::with_room(|| self.value(*element));
            let next = elements.get(at + 1).map_or(close, |next| self.tokens.at(next.span().start));
            let found = self.remove_commas(self.after(element.span()), next, 1);
            if found == 0 && at + 1 < elements.len() {
                self.insert(element.span().end, ",");
            }
        }
    }

    /// Removes the commas between tokens, but for the first ones. Returns how many there were.
    fn remove_commas(&mut self, from: u32, to: u32, kept: usize) -> usize {
        let commas: Vec<u32> =
            (from..to).filter(|&token| self.tokens.kind(token) == TokenKind::Comma).collect();
        for &comma in commas.iter().skip(kept) {
            self.replace(self.tokens.span(comma), "");
        }
        commas.len()
    }

    fn object(&mut self, object: ExpressionNode<'d>) {
        let items: Vec<ObjectItemNode<'d>> = object.items().collect();
        let mut set = Names::default();
        for (at, item) in items.iter().enumerate() {
            let (name, span) = key_of(*item);
            self.key_set(&mut set, &name, span, only_item(item.value()).is_some());
            self.key(&name, span, at == 0);
            let (mut labels, mut value) = (Vec::new(), item.value());
            while let Some(inner) = only_item(value) {
                labels.push(key_of(inner));
                value = inner.value();
            }
            let last = labels.last().map_or(span, |(_, span)| *span);
            let next = self.tokens.significant_from(self.after(last));
            if self.tokens.kind(next) == TokenKind::Equal {
                self.join(span, value.span());
            } else {
                self.nested_keys(span, &labels, value.span());
            }
            hclkit_limits::with_room(|| self.value(value));
            self.insert(value.span().end, "}".repeat(labels.len()));
            self.separate_in_object(item.span(), items.get(at + 1).map(|next| next.span().start));
        }
    }
}

/// The names that are set in a body or an object.
#[derive(Default)]
struct Names {
    names: HashSet<String>,
    /// Without case, and whether one of them has labels: then all of these names are one in HCL 1.
    folded: HashMap<String, bool>,
}

impl Names {
    /// Adds a name. Returns false if HCL 1 combines its value with that of an earlier one.
    fn insert(&mut self, name: &str, has_labels: bool) -> bool {
        let folded = name.chars().map(fold_case).collect();
        let others = self.folded.insert(folded, has_labels);
        self.names.insert(name.to_owned()) && !others.is_some_and(|labels| labels || has_labels)
    }
}

/// A name in a block without labels that is not an identifier, so that the block must become an object.
fn other_name(block: BlockNode<'_>) -> Option<Cow<'_, str>> {
    if block.labels().next().is_some() {
        return None;
    }
    block.body().items().find_map(|item| {
        let name = match item {
            Item::Attribute(attribute) => attribute.name_text(),
            Item::Block(block) => block.type_text(),
        };
        (!is_identifier(&name)).then_some(name)
    })
}

/// The item of an object without braces, which a further name of a block in an object is.
fn only_item(value: ExpressionNode<'_>) -> Option<ObjectItemNode<'_>> {
    let item = value.items().next()?;
    (item.span() == value.span()).then_some(item)
}

fn key_of(item: ObjectItemNode<'_>) -> (String, Span) {
    match item.key() {
        ObjectKey::Name(name) => (name.text.to_owned(), name.span),
        ObjectKey::Expression(key) => {
            let text = match key.kind() {
                ExpressionKind::Template(template) => template.as_literal(),
                _ => None,
            };
            (text.unwrap_or_default().into_owned(), key.span())
        }
    }
}
