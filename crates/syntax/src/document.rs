//! Documents: a source with its tokens, its tree and its diagnostics, and the functions that parse one.

use std::fmt;
use std::sync::{Arc, OnceLock};

use hclkit_limits::Meter;

use crate::ast::{
    AttributeNode, BlockNode, BodyNode, ExpressionNode, ObjectItemNode, TemplateNode, TraversalNode,
};
use crate::columns::cuts_of_tokens;
use crate::fix::Findings;
use crate::hcl1;
use crate::json::JsonDocument;
use crate::lexer::{LexMode, lex, not_text};
use crate::parser::{self, StartSymbol, TextErrors};
use crate::tree::NodeKind;
use crate::{Code, Diagnostic, Diagnostics, NodeId, Position, Range, Source, Span, Syntax, Tokens, Tree};

/// A parsed source: the text, its tokens, the syntax tree, and the diagnostics.
///
/// It is cheap to clone: all clones share one document. It is `Send` and `Sync`, and is dropped with a few deallocations
/// whatever its size.
#[derive(Clone)]
pub struct Document(Arc<Parts>);

struct Parts {
    source: Arc<Source>,
    shape: OnceLock<Shape>,
    findings: Findings,
    entry: StartSymbol,
    /// The nesting depth in another source.
    levels: u32,
    /// The values of a source in the JSON syntax. Its shape is made when it is needed.
    json: Option<JsonDocument>,
    syntax: Syntax,
    /// The diagnostics of another text that is read in the same way, with untested fixes. A program that reads one syntax does
    /// not contain the others.
    read_again: fn(&Document, Source) -> Diagnostics,
}

/// The tokens of a source, and its tree.
pub(crate) struct Shape {
    pub(crate) tokens: Tokens,
    pub(crate) tree: Tree,
}

/// The root of a document.
#[derive(Debug, Clone, Copy)]
pub enum Root<'d> {
    /// A configuration.
    Body(BodyNode<'d>),
    /// An expression.
    Expression(ExpressionNode<'d>),
    /// A template.
    Template(TemplateNode<'d>),
    /// A traversal, up to its first error.
    Traversal(TraversalNode<'d>),
}

/// Parses a configuration file: `ConfigFile = Body;`
///
/// The source has no name. To name it, use [`Source::new`] and [`Document::parse`].
pub fn parse(text: impl Into<Vec<u8>>) -> Document {
    Document::parse(Source::new("", text), StartSymbol::Config)
}

/// Parses a single expression, in which line breaks are white space.
///
/// ```
/// use hclkit_syntax::{Root, ast::ExpressionKind, parse_expression};
/// let document = parse_expression("1 + 2 * x");
/// let Root::Expression(sum) = document.root() else { unreachable!() };
/// assert!(matches!(sum.kind(), ExpressionKind::Binary { .. }));
/// ```
pub fn parse_expression(text: impl Into<Vec<u8>>) -> Document {
    Document::parse(Source::new("", text), StartSymbol::Expression)
}

/// Parses a template without quotes, such as a template file.
pub fn parse_template(text: impl Into<Vec<u8>>) -> Document {
    Document::parse(Source::new("", text), StartSymbol::Template)
}

/// Parses a traversal: a variable name, attribute names and constant indices.
///
/// ```
/// use hclkit_syntax::{Root, parse_traversal};
/// let document = parse_traversal("module.net.subnets[0]");
/// let Root::Traversal(traversal) = document.root() else { unreachable!() };
/// assert_eq!(traversal.root_name(), "module");
/// assert_eq!(traversal.steps().count(), 4);
/// ```
pub fn parse_traversal(text: impl Into<Vec<u8>>) -> Document {
    Document::parse(Source::new("", text), StartSymbol::Traversal)
}

/// The source and the number of diagnostics. The text, the tokens and the tree are left out.
#[doc(hidden)]
impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("source", self.source())
            .field("diagnostics", &self.diagnostics().total())
            .finish_non_exhaustive()
    }
}

impl Document {
    /// Parses a source. Its errors are in [`Document::diagnostics`].
    ///
    /// The [`Limits`](hclkit_limits::Limits) of the thread apply: to the size of the source, to its nesting depth, and
    /// to time. An exceeded limit is reported as a diagnostic, and the document contains what was read until then.
    ///
    /// ```
    /// use hclkit_limits::Limits;
    /// use hclkit_syntax::{Document, StartSymbol, Source};
    /// let source = Source::new("main.hcl", "a = [[[1]]]");
    /// let document = Limits::new().with_nesting(2).run(|| Document::parse(source, StartSymbol::Config));
    /// assert_eq!(document.diagnostics()[0].code(), Some(hclkit_syntax::Code::NestingTooDeep));
    /// ```
    pub fn parse(source: Source, entry: StartSymbol) -> Self {
        Self::parse_within(source, entry, 0)
    }

    #[doc(hidden)]
    /// Parses a source that is part of another one, at a nesting depth of `levels` in it.
    pub fn parse_within(source: Source, entry: StartSymbol, levels: u32) -> Self {
        let (shape, source, findings) = read(source, entry, levels);
        Self(Arc::new(Parts {
            source,
            shape: shape.into(),
            findings,
            entry,
            levels,
            json: None,
            syntax: Syntax::Native,
            read_again: |this, source| Self::parse_within(source, this.0.entry, this.0.levels).untried(),
        }))
    }

    /// Parses a configuration file in a syntax.
    pub fn parse_in(source: Source, syntax: Syntax) -> Self {
        match syntax {
            Syntax::Native => Self::parse(source, StartSymbol::Config),
            Syntax::Json => Self::parse_json(source),
            Syntax::Hcl1 => Self::parse_hcl1(source),
        }
    }

    /// Parses a configuration file in HCL 1, the syntax of older applications. Its tree has the nodes of the native syntax:
    /// `name = { … }` is an attribute, `name "label" { … }` a block, and a quoted name is the name in the quotes. A text that
    /// begins with a brace is JSON for applications that read HCL 1, and becomes a document in the JSON syntax.
    ///
    /// ```
    /// use hclkit_syntax::{Document, Source, Syntax};
    /// let document = Document::parse_hcl1(Source::new("agent.hcl", "ports { http = 8501 https = 0x21 } \"a\" = \"${b}\""));
    /// assert!(document.diagnostics().is_empty());
    /// assert_eq!(document.syntax(), Syntax::Hcl1);
    /// let ports = document.body().blocks().next().unwrap();
    /// assert_eq!(ports.body().attributes().map(|it| it.name()).collect::<Vec<_>>(), ["http", "https"]);
    /// assert_eq!(document.body().attributes().next().unwrap().name(), "a");
    /// ```
    pub fn parse_hcl1(source: Source) -> Self {
        if hcl1::is_json(source.text()) {
            return Self::parse_json(source);
        }
        let (shape, source, findings) = hcl1::read(source);
        Self(Arc::new(Parts {
            source,
            shape: shape.into(),
            findings,
            entry: StartSymbol::Config,
            levels: 0,
            json: None,
            syntax: Syntax::Hcl1,
            read_again: |_, source| Self::parse_hcl1(source).untried(),
        }))
    }

    /// Parses a source in the JSON syntax. Its values are in [`Document::json`]. The tree has it as an expression: objects,
    /// tuples and literals. Strings have no parts there, and keep the escape sequences of JSON. Editors and queries read both
    /// syntaxes in this way.
    ///
    /// ```
    /// use hclkit_syntax::{Document, Root, Source};
    /// let document = Document::parse_json(Source::new("main.tf.json", r#"{"a": ["${f(\"b\")}"]}"#));
    /// let Root::Expression(object) = document.root() else { unreachable!() };
    /// let value = object.items().next().unwrap().value();
    /// assert_eq!(value.elements().next().unwrap().text(), r#""${f(\"b\")}""#);
    /// ```
    pub fn parse_json(source: impl Into<Arc<Source>>) -> Self {
        Self::from_json(JsonDocument::parse(source))
    }

    /// The document of a source in the JSON syntax that is parsed already.
    pub fn from_json(json: JsonDocument) -> Self {
        let (source, findings) = (json.shared_source().clone(), json.findings().clone());
        Self(Arc::new(Parts {
            source,
            shape: OnceLock::new(),
            findings,
            entry: StartSymbol::Expression,
            levels: 0,
            json: Some(json),
            syntax: Syntax::Json,
            read_again: |_, source| JsonDocument::parse(source).findings().untried().clone(),
        }))
    }

    /// The values of a source in the JSON syntax. `None` for other syntaxes.
    pub fn json(&self) -> Option<&JsonDocument> {
        self.0.json.as_ref()
    }

    /// The syntax of the source.
    pub fn syntax(&self) -> Syntax {
        self.0.syntax
    }

    #[inline]
    fn shape(&self) -> &Shape {
        self.0.shape.get().unwrap_or_else(|| self.shape_of_json())
    }

    /// Reads the tokens and the tree of a source in the JSON syntax.
    #[cold]
    fn shape_of_json(&self) -> &Shape {
        self.0.shape.get_or_init(|| {
            let text = self.0.json.as_ref().map(JsonDocument::masked).unwrap_or_default();
            read(Source::new("", text), self.0.entry, self.0.levels).0
        })
    }

    /// The text and its name.
    pub fn source(&self) -> &Source {
        &self.0.source
    }

    /// The text and its name, shared, so that it can outlive the document.
    #[doc(hidden)]
    pub fn shared_source(&self) -> &Arc<Source> {
        &self.0.source
    }

    /// All tokens, including comments and newlines.
    #[inline]
    pub fn tokens(&self) -> &Tokens {
        &self.shape().tokens
    }

    /// The syntax tree.
    #[inline]
    pub fn tree(&self) -> &Tree {
        &self.shape().tree
    }

    /// The diagnostics, in source order. The first call takes longer, because it tries the fixes.
    pub fn diagnostics(&self) -> &Diagnostics {
        self.0.findings.tried(&self.0.source, |text| (self.0.read_again)(self, Source::new("", text)))
    }

    fn untried(&self) -> Diagnostics {
        self.0.findings.untried().clone()
    }

    /// Returns true if any diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.0.findings.has_errors()
    }

    /// The root of the document.
    pub fn root(&self) -> Root<'_> {
        let id = self.tree().children(NodeId::ROOT).next().unwrap_or(NodeId::ROOT);
        match self.tree().kind(id) {
            NodeKind::Body | NodeKind::Root => Root::Body(BodyNode::new(self, id)),
            NodeKind::BareTemplate => Root::Template(TemplateNode::new(self, id)),
            NodeKind::Traversal => Root::Traversal(TraversalNode::new(self, id)),
            _ => Root::Expression(ExpressionNode::new(self, id)),
        }
    }

    /// The body of a configuration. Empty for other documents.
    pub fn body(&self) -> BodyNode<'_> {
        match self.root() {
            Root::Body(body) => body,
            _ => BodyNode::none(self),
        }
    }

    /// The expression at a node. Together with [`ExpressionNode::id`], it finds an expression again.
    ///
    /// A node that is not an expression is [`Missing`](crate::ast::ExpressionKind::Missing).
    pub fn expression_at(&self, id: NodeId) -> ExpressionNode<'_> {
        ExpressionNode::new(self, id)
    }

    /// The block at a node, if it is one. Together with [`BlockNode::id`], it finds a block again.
    #[doc(hidden)]
    pub fn block_at(&self, id: NodeId) -> Option<BlockNode<'_>> {
        (self.tree().kind(id) == NodeKind::Block).then(|| BlockNode::new(self, id))
    }

    /// The attribute at a node, if it is one. Together with [`AttributeNode::id`], it finds an attribute again.
    #[doc(hidden)]
    pub fn attribute_at(&self, id: NodeId) -> Option<AttributeNode<'_>> {
        (self.tree().kind(id) == NodeKind::Attribute).then(|| AttributeNode::new(self, id))
    }

    /// The item of an object at a node, if it is one. Together with [`ObjectItemNode::id`], it finds an item again.
    #[doc(hidden)]
    pub fn item_at(&self, id: NodeId) -> Option<ObjectItemNode<'_>> {
        (self.tree().kind(id) == NodeKind::ObjectItem).then(|| ObjectItemNode::new(self, id))
    }

    /// The body at a node. Together with [`BodyNode::id`], it finds a body again.
    ///
    /// A node that is not a body is an empty body.
    #[doc(hidden)]
    pub fn body_at(&self, id: NodeId) -> BodyNode<'_> {
        let body = matches!(self.tree().kind(id), NodeKind::Body | NodeKind::Root);
        if body { BodyNode::new(self, id) } else { BodyNode::none(self) }
    }

    /// The span of a node.
    pub fn span(&self, id: NodeId) -> Span {
        self.tree().span(id, self.tokens())
    }

    /// The source text of a node.
    pub fn text(&self, id: NodeId) -> &str {
        self.0.source.slice(self.span(id))
    }

    /// The position of a byte offset; see [`Source::position`].
    pub fn position(&self, offset: u32) -> Position {
        self.0.source.position(offset)
    }

    /// A span with lines and columns.
    pub fn range(&self, span: Span) -> Range {
        self.0.source.range(span)
    }

    /// The nodes that contain a byte offset, outermost first: for example, those around an editor's cursor.
    ///
    /// ```
    /// let document = hclkit_syntax::parse("service \"web\" {\n  port = 80\n}\n");
    /// let nodes = document.nodes_at(26);
    /// assert_eq!(document.text(nodes[nodes.len() - 1]), "80");
    /// ```
    pub fn nodes_at(&self, offset: u32) -> Vec<NodeId> {
        let mut found = vec![NodeId::ROOT];
        let mut at = NodeId::ROOT;
        while let Some(child) = self.tree().children(at).find(|&child| self.span(child).touches(offset)) {
            found.push(child);
            at = child;
        }
        found
    }

    #[doc(hidden)]
    /// The memory that the document uses, in bytes, including its source.
    pub fn heap_size(&self) -> usize {
        let json = self.0.json.as_ref().map_or(self.0.source.len() as usize, JsonDocument::heap_size);
        json + self.0.shape.get().map_or(0, |shape| shape.tokens.heap_size() + shape.tree.heap_size())
    }
}

/// Reads the tokens and the tree of a source.
fn read(source: Source, entry: StartSymbol, levels: u32) -> (Shape, Arc<Source>, Findings) {
    let meter = Meter::current();
    let mode = if entry == StartSymbol::Template { LexMode::Template } else { LexMode::Normal };
    let (tokens, mut diagnostics, unread) = lex(&source, mode, &meter);
    let text_errors = TextErrors {
        unclosed_at_end: diagnostics
            .iter()
            .any(|diagnostic| diagnostic.code().is_some_and(Code::leaves_text_open)),
        line_break_in_string: diagnostics.iter().any(|diagnostic| diagnostic.has_code(Code::NewlineInString)),
    };
    let nesting = meter.nesting().saturating_sub(levels);
    let parser::Parsed { tree, diagnostics: found, quotes, heredoc_fixes, unread: unparsed } =
        parser::parse(&source, &tokens, entry, nesting, &meter, text_errors);
    diagnostics.update_mut(|diagnostic| {
        let end = diagnostic.span.end;
        if let Ok(at) = heredoc_fixes.binary_search_by_key(&end, |(end, _)| *end) {
            diagnostic.fix = Some(heredoc_fixes[at].1.clone());
        }
    });
    diagnostics.retain_mut(|diagnostic| {
        let Some(quote) = diagnostic.related.first().map(|quote| quote.span.start) else { return true };
        match quotes.binary_search_by_key(&quote, |(start, _)| *start) {
            Ok(at) => quotes[at].1.inspect(|place| diagnostic.span = *place).is_some(),
            Err(_) => true,
        }
    });
    // An error at the start of an unclosed text makes others redundant, and so does any error in a single
    // construct.
    diagnostics.retain(|diagnostic| {
        let open = diagnostic.related.first().map_or(0, |open| tokens.start(tokens.at(open.span.start)));
        let follows = |error: &Diagnostic| entry != StartSymbol::Config || error.span.start == open;
        !diagnostic.code().is_some_and(Code::leaves_text_open) || !found.iter().any(follows)
    });
    let mut diagnostics = diagnostics.merge(found);
    if let Some((at, exceeded)) = unparsed.or(unread) {
        // Text that was not read would be reported as missing.
        diagnostics.retain(|diagnostic| diagnostic.span.start < at);
        diagnostics.push(Diagnostic::exceeded(exceeded).at(Span::empty(at)));
    } else if !diagnostics.is_empty()
        && let Some(not_text) = not_text(&source)
    {
        diagnostics = not_text.into();
    }
    let cuts = cuts_of_tokens(source.text(), &tokens);
    source.set_cuts(cuts);
    let source = Arc::new(source);
    let findings = Findings::new(diagnostics.with_source(&source), meter.nesting());
    (Shape { tokens, tree }, source, findings)
}
