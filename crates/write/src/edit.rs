//! Edits: changes to a document that keep comments and layout. All edits of a set refer to the same document and are
//! applied at once.

mod body;
mod changes;
mod error;
mod list;
mod moves;
mod nodes;
mod operand;
mod piece;
mod properties;
mod rewrite;
mod room;
mod sequence;
mod splice;
mod tidy;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use hclkit_syntax::ast::{ExpressionNode, TemplateKind, TemplateNode};
use hclkit_syntax::{Document, Edit, Fix, NodeId, NodeKind, Span, Syntax, TokenKind, is_identifier};

use hclkit_model::Descend;

use crate::{Formatter, NewValue};

use changes::{Change, InsertionPoint, entries, moves_any};
pub use error::EditError;
use list::Entry;
use moves::Layout;
pub use moves::source_of;
use nodes::quoted;
pub(crate) use nodes::quoted_json;
use operand::needs_parens;
pub(crate) use piece::NewExpression;
use piece::{Lines, Piece};
pub use properties::property_name;
pub use rewrite::Rewriter;
use room::Room;
use sequence::{Container, Sequence};
pub(crate) use splice::line_break;
use splice::{Splice, Style};
use tidy::{Before, Tidy};

/// A set of edits to a document.
///
/// Places are nodes of the document: a [`Match`](crate::Match), a node such as an
/// [`AttributeNode`](hclkit_syntax::ast::AttributeNode), or its id. New values are Rust values, or source text from
/// [`raw`](crate::raw).
/// Comments directly above an item, without a blank line between them, and comments after it on the same line belong to
/// the item. They are moved and removed with it.
///
/// Inserted text gets the indentation and line breaks of its neighbors. Text that was formatted before is formatted
/// afterwards; all other bytes stay the same. The new text of all edits together has at most the bytes that
/// [`Limits::with_bytes`](hclkit_limits::Limits::with_bytes) sets.
///
/// A document in the JSON syntax ([`Document::parse_json`]) is edited in the same way. Its source text is JSON.
///
/// ```
/// use hclkit_write::Edits;
///
/// let document = hclkit_syntax::parse("service {\n  port = 80 # public\n}\n");
/// let service = document.body().blocks().next().unwrap();
/// let port = service.body().attribute("port").unwrap();
///
/// let mut edits = Edits::new(&document);
/// edits.set(port, 8080)?;
/// edits.append(service, "protocol = \"http\"")?;
/// let edited = edits.apply()?;
/// assert_eq!(
///     edited.source().text(),
///     "service {\n  port     = 8080 # public\n  protocol = \"http\"\n}\n",
/// );
/// # Ok::<(), hclkit_write::EditError>(())
/// ```
#[derive(Clone)]
pub struct Edits<'d> {
    document: &'d Document,
    style: StyleOf,
    formatter: Formatter,
    /// The parent of each node.
    parents: Rc<[NodeId]>,
    /// What is read of the document when it is needed, for all edits that were cloned from these.
    before: Rc<Before>,
    splices: Vec<Splice>,
    lists: BTreeMap<NodeId, Vec<Change>>,
    room: Room,
    /// The layouts that were read so far.
    layouts: RefCell<BTreeMap<NodeId, Rc<Layout<'d>>>>,
}

/// The style, which is read once.
type StyleOf = Rc<Style>;

/// The document. The changes are left out.
#[doc(hidden)]
impl fmt::Debug for Edits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edits").field("document", self.document).finish_non_exhaustive()
    }
}

impl<'d> Edits<'d> {
    /// No edits yet.
    pub fn new(document: &'d Document) -> Self {
        let tree = document.tree();
        let mut parents = vec![NodeId::ROOT; tree.len()];
        let mut open = vec![NodeId::ROOT];
        while let Some(node) = open.pop() {
            for child in tree.children(node) {
                parents[child.index()] = node;
                open.push(child);
            }
        }
        let style = StyleOf::new(Style::of(document.source().text()));
        let formatter = Formatter::plain();
        let (splices, lists, layouts) = (Vec::new(), BTreeMap::new(), RefCell::default());
        let (parents, before) = (parents.into(), Rc::default());
        Self { document, style, formatter, parents, before, splices, lists, room: Room::default(), layouts }
    }

    /// Sets the formatter for text that was formatted before. The default is [`Formatter::plain`].
    #[must_use]
    pub fn with_formatter(mut self, formatter: Formatter) -> Self {
        self.formatter = formatter.with_markers();
        self.before = Rc::default();
        self
    }

    /// Returns true if there are no edits.
    pub fn is_empty(&self) -> bool {
        self.splices.is_empty() && self.lists.is_empty()
    }

    /// Replaces the value of an attribute or an object item, an expression, a block, a label, or a part of a template.
    ///
    /// Source text from [`raw`](crate::raw) must be an expression. For a block, it must be an attribute or a block; for a
    /// label, the text without quotes; for a part of a template, parts of templates. A string sets the text of a label or
    /// of a part. Within another expression, or as a key, the new expression is put in parentheses if it would mean something
    /// else without them.
    ///
    /// ```
    /// use hclkit_write::{Edits, Selector, raw};
    /// let document = hclkit_syntax::parse("service \"web\" {\n  port = 80\n  host = \"a\"\n}\n");
    /// let mut edits = Edits::new(&document);
    /// for (path, value) in [("service.web.port", 8080.into()), ("service.web.host", raw("var.host"))] {
    ///     let path: Selector = path.parse()?;
    ///     edits.set(&path.select(&document)?[0], value)?;
    /// }
    /// assert_eq!(edits.apply()?.source().text(), "service \"web\" {\n  port = 8080\n  host = var.host\n}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The source text is of another kind, the value cannot be written, or the node is a body.
    pub fn set(&mut self, node: impl Into<NodeId>, value: impl Into<NewValue>) -> Result<(), EditError> {
        let (node, value) = (node.into(), value.into());
        self.check_own(&[node])?;
        let is_block = self.document.tree().kind(node) == NodeKind::Block;
        if is_block && value.as_raw().is_none() {
            return Err(self.unsupported(node, "a block is replaced with source text, not with a value"));
        }
        if self.is_label(node) {
            return match value.as_text() {
                Some(text) => self.rename(node, text),
                None => Err(self.unsupported(node, "a label must be a string")),
            };
        }
        if let (Some(template), None) = (self.template_of(node), value.as_raw()) {
            return match value.as_text() {
                Some(text) => self.set_source(node, &text_of_template(text, template.template_kind())),
                None => Err(self.unsupported(node, "a part of a template must be a string, or source text")),
            };
        }
        self.set_source(node, &self.source_of(&value)?)
    }

    /// Replaces expressions. The function is called for each expression, outer ones before those in them, and returns what
    /// replaces it. What is in a replaced expression is not visited.
    ///
    /// Keys of objects are visited if they are expressions, but not names. In the JSON syntax, all keys are names.
    ///
    /// ```
    /// use hclkit_syntax::ast::ExpressionKind;
    /// use hclkit_write::{Edits, raw};
    ///
    /// let document = hclkit_syntax::parse("size = 2 * count # disks\n");
    /// let mut edits = Edits::new(&document);
    /// edits.rewrite(|expression| match expression.kind() {
    ///     ExpressionKind::Variable(name) if name.text == "count" => Some(raw("a + b")),
    ///     _ => None,
    /// })?;
    /// assert_eq!(edits.apply()?.source().text(), "size = 2 * (a + b) # disks\n");
    /// # Ok::<(), hclkit_write::EditError>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`set`](Self::set).
    pub fn rewrite<V: Into<NewValue>>(
        &mut self,
        mut new: impl FnMut(ExpressionNode<'d>) -> Option<V>,
    ) -> Result<(), EditError> {
        self.rewrite_with(&mut rewrite::by(|expression, edits: &mut Self| {
            let Some(value) = new(expression) else { return Ok(Descend::Inside) };
            edits.set(expression, value)?;
            Ok(Descend::Skip)
        }))
    }

    /// A new value as source text. Text from [`raw`](crate::raw) stays as it is.
    fn source_of<'v>(&self, value: &'v NewValue) -> Result<Cow<'v, str>, EditError> {
        let source = match (value.as_raw(), self.is_json()) {
            (Some(text), _) => return Ok(text.into()),
            (None, true) => value.json(),
            (None, false) => value.source(),
        };
        source.map(Cow::Owned).map_err(EditError::InvalidValue)
    }

    fn set_source(&mut self, node: NodeId, source: &str) -> Result<(), EditError> {
        let document = self.document;
        match document.tree().kind(node) {
            NodeKind::Attribute | NodeKind::ObjectItem => {
                if self.is_in_one_line_block(node)
                    && NewExpression::read(source, document.syntax())?.ends_with_heredoc()
                {
                    // A heredoc ends with a line break, so that the block needs several lines.
                    let attribute = self.with_value(node, source);
                    self.remove(node)?;
                    return self.insert_before(node, &attribute);
                }
                let value = document.tree().children(node).last().unwrap_or(node);
                self.set_expression(value, source)
            }
            NodeKind::Block => {
                let piece = Piece::read(Container::Body, source, Syntax::Native)?.swap_remove(0);
                let span = document.span(node);
                let text = self.indented(&piece.text, span)?;
                self.splice(span, text)
            }
            NodeKind::Body | NodeKind::Root | NodeKind::Unfinished | NodeKind::DirectiveBody => {
                Err(self.unsupported(node, "a body has no value to set"))
            }
            NodeKind::Name => Err(self.unsupported(node, "a name has no value to set")),
            _ => match self.template_of(node) {
                Some(template) => {
                    check_part(template, source)?;
                    self.splice(self.document.span(node), source)
                }
                // The block may need several lines.
                None if document.tree().kind(self.parents[node.index()]) == NodeKind::Attribute => {
                    self.set_source(self.parents[node.index()], source)
                }
                None => self.set_expression(node, source),
            },
        }
    }

    fn set_expression(&mut self, node: NodeId, source: &str) -> Result<(), EditError> {
        let value = NewExpression::read(source, self.document.syntax())?;
        let mut span = self.document.span(node);
        let mut text = self.indented(&value.text, span)?;
        let parent = self.parents[node.index()];
        if !self.is_json() && needs_parens(self.document, parent, node, value.operand) {
            let line_break = if value.ends_with_heredoc() { self.style.line_break } else { "" };
            return self.splice(span, format!("({text}{line_break})"));
        }
        if value.ends_with_heredoc()
            && let Some(comma) = self.comma_in_object(node)
        {
            let between = Span::new(span.end, comma.start);
            if self.document.source().slice(between).trim().is_empty() {
                span.end = comma.end;
            } else {
                self.splice(comma, "")?;
            }
        }
        let after = &self.document.source().text()[span.end as usize..];
        let is_blank = |character: char| character != '\n' && character.is_whitespace();
        let ends_line = || after.trim_start_matches(is_blank).starts_with('\n');
        if value.ends_with_heredoc() && !ends_line() {
            text.push_str(self.style.line_break);
        }
        self.splice(span, text)
    }

    /// The comma after the value of an object item. After a heredoc, the line break separates the items.
    fn comma_in_object(&self, value: NodeId) -> Option<Span> {
        let (tree, tokens) = (self.document.tree(), self.document.tokens());
        let is_item = tree.kind(self.parents[value.index()]) == NodeKind::ObjectItem;
        let mut next = tree.token_range(value).1 + 1;
        while tokens.kind(next).is_comment() {
            next += 1;
        }
        (is_item && tokens.kind(next) == TokenKind::Comma).then(|| tokens.span(next))
    }

    fn indented(&self, text: &Lines, span: Span) -> Result<String, EditError> {
        let indent = sequence::indentation(self.document.source(), span.start);
        self.room.check(text.count().saturating_mul(indent.len()))?;
        Ok(text.indented(indent, self.style.line_break))
    }

    /// Replaces a span that is part of a token, such as a name in a string.
    ///
    /// # Errors
    /// The new text exceeds a limit.
    #[doc(hidden)]
    pub fn replace(&mut self, span: Span, text: String) -> Result<(), EditError> {
        self.splice(span, text)
    }

    /// Replaces a span. All new text of the edits comes through here and [`insert`](Self::insert).
    fn splice(&mut self, span: Span, text: impl Into<String>) -> Result<(), EditError> {
        let text = text.into();
        self.room.take(text.len())?;
        self.splices.push(Splice { span, text });
        Ok(())
    }

    /// Inserts pieces into a container.
    fn insert(
        &mut self,
        container: NodeId,
        place: InsertionPoint,
        pieces: Vec<Piece>,
    ) -> Result<(), EditError> {
        self.room.take(pieces.iter().map(Piece::bytes).sum())?;
        self.lists.entry(container).or_default().push(Change::Insert(place, pieces));
        Ok(())
    }

    /// Renames an attribute, the type of a block, a label, or the key of an object item.
    ///
    /// # Errors
    /// The name of an attribute or a block is not an identifier, or the node has no name.
    pub fn rename(&mut self, node: impl Into<NodeId>, name: &str) -> Result<(), EditError> {
        let node = node.into();
        self.check_own(&[node])?;
        let tree = self.document.tree();
        let (span, text) = match tree.kind(node) {
            NodeKind::Attribute | NodeKind::Block => {
                if !is_identifier(name) {
                    return Err(EditError::InvalidName { name: name.to_owned() });
                }
                (self.document.tokens().span(tree.token_range(node).0), name.to_owned())
            }
            NodeKind::ObjectItem if self.is_json() => {
                let key = tree.children(node).next().unwrap_or(node);
                (self.document.span(key), quoted_json(name))
            }
            NodeKind::ObjectItem => {
                let key = tree.children(node).next().unwrap_or(node);
                let bare = tree.kind(key) == NodeKind::Name && is_identifier(name) && name != "for";
                (self.document.span(key), if bare { name.to_owned() } else { quoted(name) })
            }
            kind if self.is_label(node) => {
                let bare = kind == NodeKind::Name && is_identifier(name);
                (self.document.span(node), if bare { name.to_owned() } else { quoted(name) })
            }
            _ => return Err(self.unsupported(node, "this has no name")),
        };
        self.splice(span, text)
    }

    /// Removes an attribute, a block, a label, an object item, an element of a tuple, an argument of a call, or a part
    /// of a template, with its comments.
    ///
    /// # Errors
    /// The node is of another kind.
    pub fn remove(&mut self, node: impl Into<NodeId>) -> Result<(), EditError> {
        let node = node.into();
        self.check_own(&[node])?;
        if self.is_label(node) {
            let span = self.document.span(node);
            let text = &self.document.source().text()[..span.start as usize];
            let start = text.trim_end_matches([' ', '\t']).len() as u32;
            return self.splice(Span::new(start, span.end), "");
        }
        if self.template_of(node).is_some() {
            return self.splice(self.document.span(node), "");
        }
        let Some(container) = self.container_of(node) else {
            return Err(self.unsupported(node, "this part is required and cannot be removed separately"));
        };
        self.lists.entry(container).or_default().push(Change::Remove(node));
        Ok(())
    }

    /// Inserts source text at the end of a body, an object, a tuple, a call or a template. For a block, this is its
    /// body; for an attribute or an object item, its value.
    ///
    /// The source text is attributes and blocks, object items, expressions separated by commas, or parts of a template.
    /// If attributes or blocks start with a line break, there is a blank line before them.
    ///
    /// # Errors
    /// The source text is of another kind, or nothing can be inserted into the node.
    pub fn append(&mut self, container: impl Into<NodeId>, source: &str) -> Result<(), EditError> {
        self.insert_into(container.into(), InsertionPoint::End, source)
    }

    /// Inserts source text at the start; otherwise as [`append`](Self::append).
    ///
    /// # Errors
    /// Same as [`append`](Self::append).
    pub fn prepend(&mut self, container: impl Into<NodeId>, source: &str) -> Result<(), EditError> {
        self.insert_into(container.into(), InsertionPoint::Start, source)
    }

    /// Adds an attribute to a body, or an item to an object. The name is quoted if necessary.
    ///
    /// An attribute is inserted after the last attribute before the first block, an item at the end.
    ///
    /// ```
    /// use hclkit_write::Edits;
    /// let document = hclkit_syntax::parse("a {\n  name = 1\n\n  b {}\n}\n");
    /// let block = document.body().blocks().next().unwrap();
    /// let mut edits = Edits::new(&document);
    /// edits.add(block, "id", 2)?;
    /// assert_eq!(edits.apply()?.source().text(), "a {\n  name = 1\n  id   = 2\n\n  b {}\n}\n");
    /// # Ok::<(), hclkit_write::EditError>(())
    /// ```
    ///
    /// # Errors
    /// The node is neither a body nor an object, the name of an attribute is not an identifier, or the value cannot be
    /// written.
    pub fn add(
        &mut self,
        container: impl Into<NodeId>,
        name: &str,
        value: impl Into<NewValue>,
    ) -> Result<(), EditError> {
        let (container, value) = (container.into(), value.into());
        self.check_own(&[container])?;
        let source = &*self.source_of(&value)?;
        let node = self.content(container);
        let tree = self.document.tree();
        let container = Container::of(tree.kind(node));
        if !matches!(container, Some(Container::Body | Container::Object)) {
            return Err(self.unsupported(node, "names can be added only to bodies and objects"));
        }
        NewExpression::read(source, self.document.syntax())?;
        if self.is_json() {
            return self.append(node, &format!("{}: {source}", quoted_json(name)));
        }
        if container == Some(Container::Object) {
            let bare = is_identifier(name) && name != "for";
            let key = if bare { name.to_owned() } else { quoted(name) };
            return self.append(node, &format!("{key} = {source}"));
        }
        if !is_identifier(name) {
            return Err(EditError::InvalidName { name: name.to_owned() });
        }
        let source = format!("{name} = {source}\n");
        let is_attribute = |&id: &NodeId| tree.kind(id) == NodeKind::Attribute;
        match tree.children(node).take_while(is_attribute).last() {
            Some(attribute) => self.insert_after(attribute, &source),
            None => self.prepend(node, &source),
        }
    }

    /// Inserts a label after the last label of a block, or after its type.
    ///
    /// # Errors
    /// The node is not a block.
    pub fn append_label(&mut self, block: impl Into<NodeId>, label: &str) -> Result<(), EditError> {
        let block = block.into();
        self.check_own(&[block])?;
        let tree = self.document.tree();
        if tree.kind(block) != NodeKind::Block {
            return Err(self.unsupported(block, "only blocks have labels"));
        }
        let last = tree.children(block).filter(|&child| tree.kind(child) != NodeKind::Body).last();
        let type_end = self.document.tokens().span(tree.token_range(block).0).end;
        let at = last.map_or(type_end, |label| self.document.span(label).end);
        self.splice(Span::empty(at), format!(" {}", quoted(label)))
    }

    /// Inserts source text before a node. For a label, the source text is the text of the new label.
    ///
    /// # Errors
    /// This kind of source text, or any text, cannot be inserted there.
    pub fn insert_before(&mut self, node: impl Into<NodeId>, source: &str) -> Result<(), EditError> {
        let node = node.into();
        self.insert_at(node, InsertionPoint::Before(node), source)
    }

    /// Inserts source text after a node. For a label, the source text is the text of the new label.
    ///
    /// # Errors
    /// This kind of source text, or any text, cannot be inserted there.
    pub fn insert_after(&mut self, node: impl Into<NodeId>, source: &str) -> Result<(), EditError> {
        let node = node.into();
        self.insert_at(node, InsertionPoint::After(node), source)
    }

    /// Applies the edits, and returns the edited document.
    ///
    /// # Errors
    /// Edits overlap, the edited text has more errors than the original, or it exceeds a limit.
    pub fn apply(&self) -> Result<Document, EditError> {
        if self.is_empty() {
            return Ok(self.document.clone());
        }
        let mut splices = self.splices()?;
        let (text, spans) = splice::apply(self.document.source().text(), &mut splices)?;
        let edited = self.tidy().tidied(&splices, &spans, text);
        let errors = |document: &Document| {
            if document.has_errors() { document.diagnostics().errors() } else { 0 }
        };
        if edited.has_errors() && errors(&edited) > errors(self.document) {
            return Err(EditError::Breaks { diagnostics: edited.diagnostics().clone() });
        }
        Ok(edited)
    }

    /// Adds the changes of a fix, so that they are applied together with the edits.
    ///
    /// ```
    /// use hclkit_write::Edits;
    /// let document = hclkit_syntax::parse("a = 'x'\nb = 1\n");
    /// let mut edits = Edits::new(&document);
    /// edits.add_fix(document.diagnostics()[0].fix().unwrap())?;
    /// edits.set(document.body().attribute("b").unwrap(), 2)?;
    /// assert_eq!(edits.apply()?.source().text(), "a = \"x\"\nb = 2\n");
    /// # Ok::<(), hclkit_write::EditError>(())
    /// ```
    ///
    /// # Errors
    /// The fix belongs to another text: a span is outside of this one, or not on character boundaries.
    pub fn add_fix(&mut self, fix: &Fix) -> Result<(), EditError> {
        let text = self.document.source().text();
        if fix.edits.iter().any(|edit| text.get(edit.span.to_range()).is_none()) {
            return Err(EditError::Foreign);
        }
        let splice = |edit: &Edit| Splice { span: edit.span, text: edit.replacement.clone().into_owned() };
        self.splices.extend(fix.edits.iter().map(splice));
        Ok(())
    }

    /// The edits as the fix of a diagnostic. Applying the fix gives the text of the document that [`apply`](Self::apply)
    /// returns; its new line breaks are those of the first line.
    ///
    /// ```
    /// use hclkit_syntax::{Code, Diagnostic, apply_fixes};
    /// use hclkit_write::Edits;
    ///
    /// let document = hclkit_syntax::parse("resource \"aws_vpc\" \"main\" {\n  name = \"a\"\n}\n");
    /// let block = document.body().blocks().next().unwrap();
    /// let mut edits = Edits::new(&document);
    /// edits.add(block, "public", false)?;
    /// let missing = Code::custom("public", "Missing argument");
    /// let error = Diagnostic::error(missing)
    ///     .at(block.span())
    ///     .with_fix(edits.to_fix("Add `public`")?);
    /// let (fixed, _) = apply_fixes(document.source().text(), error.fix());
    /// assert_eq!(fixed, "resource \"aws_vpc\" \"main\" {\n  name   = \"a\"\n  public = false\n}\n");
    /// # Ok::<(), hclkit_write::EditError>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`apply`](Self::apply).
    pub fn to_fix(&self, title: impl Into<Cow<'static, str>>) -> Result<Fix, EditError> {
        let mut splices = self.splices()?;
        if let Some(edits) = self.tidy().edits(&mut splices) {
            return Ok(Fix::new(title, edits));
        }
        let after = self.apply()?;
        Ok(Fix::new(title, changes::between(self.document.source().text(), &splices, after.source().text())))
    }

    fn tidy(&self) -> Tidy<'_> {
        Tidy { document: self.document, formatter: &self.formatter, before: &self.before }
    }

    /// The edits as changes of the text, in source order and before anything is formatted.
    ///
    /// # Errors
    /// A node is removed twice.
    pub(crate) fn changes(&self) -> Result<Vec<Edit>, EditError> {
        let mut splices = self.splices()?;
        splices.sort_by_key(|splice| splice.span);
        let edit = |Splice { span, text }| Edit { span, replacement: text.into() };
        Ok(splices.into_iter().map(edit).collect())
    }

    fn splices(&self) -> Result<Vec<Splice>, EditError> {
        if self.document.syntax() == Syntax::Hcl1 {
            let reason = "HCL 1 is only read, not edited; convert the file first".to_owned();
            return Err(EditError::Unsupported { span: Span::empty(0), reason });
        }
        let mut splices = self.splices.clone();
        let mut room = self.room.clone();
        for (&container, changes) in &self.lists {
            let Some(sequence) = Sequence::of(self.document, container) else { continue };
            let entries = entries(&sequence, changes)?;
            let lines: usize = entries.iter().map(Entry::lines).sum();
            if lines > 0 {
                room.take(lines.saturating_mul(sequence.most_indentation() + self.style.unit.len()))?;
            }
            splices.extend(match sequence.container {
                Container::Body => body::splices(&sequence, &entries, &self.style),
                _ => list::splices(&sequence, &entries, &self.style, moves_any(changes)),
            });
        }
        Ok(splices)
    }

    /// Fails if a node is one of another document.
    fn check_own(&self, nodes: &[NodeId]) -> Result<(), EditError> {
        let tree = self.document.tree();
        if nodes.iter().all(|&node| tree.contains(node)) { Ok(()) } else { Err(EditError::Foreign) }
    }

    fn unsupported(&self, node: NodeId, reason: &str) -> EditError {
        EditError::Unsupported { span: self.document.span(node), reason: reason.to_owned() }
    }

    fn insert_into(&mut self, node: NodeId, place: InsertionPoint, source: &str) -> Result<(), EditError> {
        self.check_own(&[node])?;
        let node = self.content(node);
        if let Some(container) = Container::of(self.document.tree().kind(node)) {
            let pieces = Piece::read(container, source, self.document.syntax())?;
            return self.insert(node, place, pieces);
        }
        let template = match self.as_template(node) {
            Some(template) if !self.is_json() => template,
            _ => {
                let into = if self.is_json() {
                    "objects and arrays"
                } else {
                    "bodies, objects, tuples, calls and templates"
                };
                return Err(self.unsupported(node, &format!("source text can be inserted only into {into}")));
            }
        };
        check_part(template, source)?;
        let span = template.span();
        let tokens = self.document.tokens();
        let (first, last) = self.document.tree().token_range(node);
        let is_string = self.document.tree().kind(node) == NodeKind::String;
        let at = match (place, template.template_kind()) {
            (_, TemplateKind::Quoted) if is_string => match place {
                InsertionPoint::Start => span.start + 1,
                _ => span.end - 1,
            },
            (InsertionPoint::Start, TemplateKind::Bare) => span.start,
            (_, TemplateKind::Bare) => span.end,
            (InsertionPoint::Start, _) => tokens.span(first).end,
            _ if tokens.kind(last) == TokenKind::CloseHeredoc => self.line_start(tokens.start(last)),
            _ => tokens.start(last),
        };
        let mut text = source.to_owned();
        // The marker of a heredoc is on a line of its own.
        if matches!(place, InsertionPoint::End)
            && tokens.kind(last) == TokenKind::CloseHeredoc
            && !text.ends_with('\n')
        {
            text.push_str(self.style.line_break);
        }
        self.splice(Span::empty(at), text)
    }

    fn line_start(&self, offset: u32) -> u32 {
        let source = self.document.source();
        source.line_span(source.line_of(offset)).start
    }

    fn insert_at(&mut self, node: NodeId, place: InsertionPoint, source: &str) -> Result<(), EditError> {
        self.check_own(&[node])?;
        let span = self.document.span(node);
        let before = matches!(place, InsertionPoint::Before(_));
        let at = Span::empty(if before { span.start } else { span.end });
        if self.is_label(node) {
            let label = quoted(source);
            let text = if before { format!("{label} ") } else { format!(" {label}") };
            return self.splice(at, text);
        }
        if let Some(template) = self.template_of(node) {
            check_part(template, source)?;
            return self.splice(at, source);
        }
        let Some(parent) = self.container_of(node) else {
            return Err(self.unsupported(node, "nothing can be inserted next to this"));
        };
        let container = Container::of(self.document.tree().kind(parent)).unwrap_or(Container::Body);
        let pieces = Piece::read(container, source, self.document.syntax())?;
        self.insert(parent, place, pieces)
    }
}

/// Text as the source of a part of a template.
fn text_of_template(text: &str, kind: TemplateKind) -> String {
    if kind != TemplateKind::Quoted {
        return text.replace("${", "$${").replace("%{", "%%{");
    }
    let quoted = quoted(text);
    quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&quoted).to_owned()
}

fn check_part(template: TemplateNode<'_>, source: &str) -> Result<(), EditError> {
    piece::check_template(source, template.template_kind(), template.heredoc_name())
}
