//! Expressions and templates for callers: parsed from text or taken from a document, evaluated, or analyzed without
//! evaluation.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use hclkit_limits::Meter;
use hclkit_syntax::json::{JsonDocument, JsonKind, JsonValue, TextMap};
use hclkit_syntax::{Document, NodeId, NodeKind, Place, Root, Source, Span, StartSymbol, Visit, ast};
use hclkit_value::Value;

use crate::dynamic::Iterators;
use crate::lower::LoweredExpr;
use crate::node::{Kind, Node};
use crate::scope::{Needs, Resolution, Use, resolve, uses};
use crate::traversal::Traversal;
use crate::{Context, Diagnostics, eval, lower};

/// An expression or a template. It owns its parts, is cheap to clone, and can be evaluated any number of times on any
/// thread.
///
/// ```
/// use hclkit_model::{Context, Expression};
/// use hclkit_value::Value;
///
/// let price = Expression::parse("net * (1 + rate)")?;
/// let context = Context::new().with("net", 200).with("rate", Value::from("0.25"));
/// assert_eq!(price.evaluate(&context)?, Value::from(250));
///
/// let wrong = Expression::parse("net * rat")?.evaluate(&context).unwrap_err();
/// assert_eq!(wrong.to_string(), "1:7: error: Unknown variable: There is no variable named `rat`. Did you mean `rate`?");
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
pub struct Expression {
    origin: Origin,
    /// Shared by all clones. Created by the first evaluation or clone, because most literals need neither.
    lowered: OnceLock<Arc<Lowered>>,
    /// The iterators and marks of the enclosing dynamic blocks.
    iterators: Option<Arc<Iterators>>,
}

impl Clone for Expression {
    fn clone(&self) -> Self {
        Self {
            origin: self.origin.clone(),
            lowered: OnceLock::from(self.lowered().clone()),
            iterators: self.iterators.clone(),
        }
    }
}

/// An expression as it is evaluated.
#[derive(Default)]
struct Lowered {
    /// Created by the first evaluation.
    ready: OnceLock<LoweredExpr>,
    /// The same for literal-only mode, which differs only in the JSON syntax.
    literal: OnceLock<Node>,
}

/// The origin of an expression.
#[derive(Clone)]
enum Origin {
    Native(Document, NodeId),
    Json(JsonDocument, NodeId),
    /// A part of the text of a string in the JSON syntax.
    Text(Arc<Text>, NodeId),
}

/// The text of a string in the JSON syntax, read as an expression of the native syntax.
struct Text {
    document: Document,
    /// Maps offsets in the text to the source.
    map: TextMap,
    source: Arc<Source>,
}

/// Its place. The text may be sensitive, and is left out.
#[doc(hidden)]
impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expression({})", self.place())
    }
}

impl Expression {
    /// Parses an expression.
    ///
    /// # Errors
    /// The errors in the text, with their source.
    pub fn parse(text: impl Into<Vec<u8>>) -> Result<Self, Diagnostics> {
        Self::read(Source::new("", text), StartSymbol::Expression)
    }

    /// Parses a template without quotes, such as a file.
    ///
    /// ```
    /// use hclkit_model::{Context, Expression};
    ///
    /// let template = Expression::parse_template("%{ for name in names ~}\n* ${name}\n%{ endfor ~}\n")?;
    /// let names = hclkit_value::Value::tuple(["a", "b"]);
    /// let text = template.evaluate(&Context::new().with("names", names))?;
    /// assert_eq!(text.as_str(), Some("* a\n* b\n"));
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Expression::parse`].
    pub fn parse_template(text: impl Into<Vec<u8>>) -> Result<Self, Diagnostics> {
        Self::read(Source::new("", text), StartSymbol::Template)
    }

    /// Parses a source as an expression or a template.
    ///
    /// # Errors
    /// Same as [`Expression::parse`].
    #[doc(hidden)]
    pub fn read(source: Source, entry: StartSymbol) -> Result<Self, Diagnostics> {
        let document = Document::parse(source, entry);
        if document.has_errors() {
            return Err(document.diagnostics().clone());
        }
        Ok(Self::from_document(&document))
    }

    /// The expression or template of a whole document. For other documents, the result is invalid.
    #[doc(hidden)]
    pub fn from_document(document: &Document) -> Self {
        let id = match document.root() {
            Root::Expression(expression) => expression.id(),
            Root::Template(template) => template.id(),
            Root::Body(body) => body.id(),
            Root::Traversal(traversal) => traversal.id(),
        };
        Self::new(Origin::Native(document.clone(), id))
    }

    /// The expression at a node of a syntax tree. It shares the document, which may be dropped. In a document with
    /// errors, parts that could not be parsed are unknown. [`Expression::ast`] returns the node.
    ///
    /// ```
    /// use hclkit_model::{Context, Expression};
    ///
    /// let document = hclkit_syntax::parse("width = 2\nheight = 3 * 7\n");
    /// let height = document.body().attribute("height").unwrap();
    /// let expression = Expression::from_ast(height.value());
    /// drop(document);
    /// assert_eq!(expression.evaluate(&Context::new())?.to_string(), "21");
    /// assert_eq!(expression.ast().unwrap().text(), "3 * 7");
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    pub fn from_ast(node: ast::ExpressionNode<'_>) -> Self {
        Self::new(Origin::Native(node.document().clone(), node.id()))
    }

    #[doc(hidden)]
    /// The expression of a value in the JSON syntax. Arrays are tuples, objects are objects, and strings are templates, as
    /// are the names of properties. In a context that allows neither variables nor functions, strings are literal.
    /// [`Expression::json`] returns the value.
    ///
    /// ```
    /// use hclkit_model::{Context, Expression};
    ///
    /// let document = hclkit_syntax::json::parse(r#"["${n + 1}", "n = ${n}"]"#);
    /// let expression = Expression::from_json(document.root());
    /// let value = expression.evaluate(&Context::new().with("n", 1))?;
    /// assert_eq!(value.to_string(), r#"[2, "n = 1"]"#);
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    pub fn from_json(value: JsonValue<'_>) -> Self {
        Self::new(Origin::Json(value.document().clone(), value.id()))
    }

    fn new(origin: Origin) -> Self {
        Self { origin, lowered: OnceLock::new(), iterators: None }
    }

    fn lowered(&self) -> &Arc<Lowered> {
        self.lowered.get_or_init(Arc::default)
    }

    /// The same expression inside a dynamic block.
    pub(crate) fn within(&self, iterators: &Arc<Iterators>) -> Self {
        Self { iterators: Some(iterators.clone()), ..self.clone() }
    }

    /// Evaluates the expression in a context.
    ///
    /// # Errors
    /// All errors, each with its place, its source, and the values involved.
    pub fn evaluate(&self, context: &Context) -> Result<Value, Diagnostics> {
        let (value, diagnostics) = self.evaluate_lenient(context);
        if diagnostics.has_errors() { Err(diagnostics) } else { Ok(value) }
    }

    /// Evaluates the expression in a context. If there are errors, the value contains the parts that are known; often
    /// it is [`Value::DYNAMIC`].
    ///
    /// ```
    /// use hclkit_model::{Context, Expression};
    ///
    /// let expression = Expression::parse("[1 + 1, missing]")?;
    /// let (value, errors) = expression.evaluate_lenient(&Context::new().with("x", 1));
    /// assert_eq!((value.to_string().as_str(), errors.errors()), ("[2, (unknown)]", 1));
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    #[doc(hidden)]
    pub fn evaluate_lenient(&self, context: &Context) -> (Value, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let value = context.run(|| self.evaluate_into(context, &mut diagnostics));
        (value, diagnostics)
    }

    /// The value alone, and whether it or a name that it needs has errors. Errors are not looked for in the names that it needs,
    /// which would take time for all of them at each call.
    ///
    /// ```
    /// use hclkit_model::{Context, Expression, Scope};
    ///
    /// let mut scope = Scope::new();
    /// scope.define(["local", "a"], Expression::parse("[1, missing]")?)?;
    /// let (value, failed) = Expression::parse("local.a")?.evaluate_alone(&Context::new().with_scope(scope));
    /// assert_eq!((value.to_string().as_str(), failed), ("[1, (unknown)]", true));
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    #[doc(hidden)]
    pub fn evaluate_alone(&self, context: &Context) -> (Value, bool) {
        context.run(|| self.value_alone(context))
    }

    fn value_alone(&self, context: &Context) -> (Value, bool) {
        let marks = self.iterators.as_ref().map(|iterators| iterators.marks().clone()).unwrap_or_default();
        if self.iterators.as_ref().is_some_and(|iterators| iterators.is_unknown()) {
            return (Value::DYNAMIC.with_marks(&marks), false);
        }
        let (context, mut diagnostics) = (self.context(context), Diagnostics::new());
        let meter = Meter::current();
        let _operation = meter.begin();
        match self.resolved_with(&context, &mut diagnostics, |_, _| {}) {
            Some((context, failed)) => {
                let value = self.compute_at_once(&context, &mut diagnostics).with_marks(&marks);
                (value, failed || diagnostics.has_errors())
            }
            None => (Value::DYNAMIC, true),
        }
    }

    /// Same as [`evaluate_lenient`](Self::evaluate_lenient), but adds the diagnostics to a list.
    pub(crate) fn evaluate_into(&self, context: &Context, diagnostics: &mut Diagnostics) -> Value {
        match &self.iterators {
            None => self.compute(context, diagnostics),
            Some(iterators) if iterators.is_unknown() => Value::DYNAMIC.with_marks(iterators.marks()),
            Some(iterators) => {
                self.compute(&iterators.context(context), diagnostics).with_marks(iterators.marks())
            }
        }
    }

    /// The node, if the value depends on nothing else.
    pub(crate) fn unlowered(&self) -> Option<ast::ExpressionNode<'_>> {
        match (&self.origin, &self.iterators) {
            (Origin::Native(document, id), None) if !document.has_errors() => {
                Some(document.expression_at(*id))
            }
            _ => None,
        }
    }

    fn compute(&self, context: &Context, diagnostics: &mut Diagnostics) -> Value {
        if !context.is_lazy() {
            return self.compute_at_once(context, diagnostics);
        }
        let meter = Meter::current();
        let _operation = meter.begin();
        match self.resolved(context, diagnostics) {
            Some(context) => self.compute_at_once(&context, diagnostics),
            None => Value::DYNAMIC,
        }
    }

    /// A context with the values of the names in scopes that the expression refers to. Their errors are reported.
    /// Returns `None` if a limit was exceeded.
    pub(crate) fn resolved<'c>(
        &self,
        context: &'c Context,
        diagnostics: &mut Diagnostics,
    ) -> Option<Cow<'c, Context>> {
        self.resolved_with(context, diagnostics, Resolution::report).map(|(context, _)| context)
    }

    /// The values that the expression refers to, for a message about it. Marked values are not shown.
    #[doc(hidden)]
    pub fn evidence(&self, context: &Context) -> Vec<hclkit_syntax::Evidence> {
        let mut diagnostics = Diagnostics::new();
        let context = self.context(context);
        let Some((context, _)) = self.resolved_to_explain(&context, &mut diagnostics) else {
            return Vec::new();
        };
        let node = self.node_in(&context, &mut diagnostics);
        crate::evidence::gather(&context, &crate::eval::Locals::default(), Some(self.source()), &[node])
    }

    /// The same for an explanation, which shows only errors nearby: those of the other names are in their own explanations.
    /// Also returns whether a name has errors, however far away they are.
    pub(crate) fn resolved_to_explain<'c>(
        &self,
        context: &'c Context,
        diagnostics: &mut Diagnostics,
    ) -> Option<(Cow<'c, Context>, bool)> {
        self.resolved_with(context, diagnostics, Resolution::report_near)
    }

    fn resolved_with<'c>(
        &self,
        context: &'c Context,
        diagnostics: &mut Diagnostics,
        report: impl FnOnce(&Resolution<'c>, &mut Diagnostics),
    ) -> Option<(Cow<'c, Context>, bool)> {
        if !context.is_lazy() {
            return Some((Cow::Borrowed(context), false));
        }
        let resolution = resolve(context, self.ready().references(), self, diagnostics)?;
        report(&resolution, diagnostics);
        let failed = resolution.has_errors();
        Some((Cow::Owned(resolution.context), failed))
    }

    /// Evaluates the expression of a name in a scope. Only its own errors are reported.
    pub(crate) fn evaluate_in_scope(
        &self,
        context: &Context,
        diagnostics: &mut Diagnostics,
    ) -> (Value, Needs) {
        let context = self.context(context);
        let references = match &self.iterators {
            None => Cow::Borrowed(self.ready().references()),
            Some(_) => Cow::Owned(self.variables()),
        };
        let Some(resolution) = resolve(&context, &references, self, diagnostics) else {
            return (Value::DYNAMIC, Needs::default());
        };
        let needs = resolution.needs(&references);
        let value = match &self.iterators {
            Some(iterators) if iterators.is_unknown() => Value::DYNAMIC,
            _ => self.compute_at_once(&resolution.context, diagnostics),
        };
        let marks = self.iterators.as_ref().map(|iterators| iterators.marks().clone()).unwrap_or_default();
        (value.with_marks(&marks), needs)
    }

    fn compute_at_once(&self, context: &Context, diagnostics: &mut Diagnostics) -> Value {
        let node = self.node_in(context, diagnostics);
        eval::evaluate(node, context, Some(self.source()), diagnostics)
    }

    /// The references to variables in source order, without those to the variables of `for` expressions inside.
    ///
    /// ```
    /// use hclkit_model::Expression;
    ///
    /// let expression = Expression::parse("[for s in var.servers: s.ip if s.zone == local.zones[0]]")?;
    /// let found: Vec<String> = expression.variables().iter().map(ToString::to_string).collect();
    /// assert_eq!(found, ["var.servers", "local.zones[0]"]);
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    pub fn variables(&self) -> Vec<Traversal> {
        self.references().cloned().collect()
    }

    #[doc(hidden)]
    /// The same without copies.
    pub fn references(&self) -> impl Iterator<Item = &Traversal> {
        let iterators = self.iterators.as_deref();
        let all = match iterators {
            Some(iterators) if iterators.is_unknown() => &[],
            _ => self.ready().references(),
        };
        all.iter().filter(move |found| !iterators.is_some_and(|iterators| iterators.hides(&found.root)))
    }

    #[doc(hidden)]
    /// How the expression uses variables: what [`variables`](Expression::variables) finds, and what loops and splats use of
    /// each element.
    ///
    /// ```
    /// use hclkit_model::{Expression, UseStep};
    ///
    /// let expression = Expression::parse("[for item in var.items : item.name]")?;
    /// let used = &expression.uses()[0];
    /// assert_eq!(used.root, "var");
    /// assert_eq!(used.steps.len(), 3);
    /// assert_eq!(used.steps[1], UseStep::Each);
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    pub fn uses(&self) -> Vec<Use> {
        uses(self.node())
    }

    /// Its span.
    pub fn span(&self) -> Span {
        match &self.origin {
            Origin::Native(document, id) => document.span(*id),
            Origin::Json(document, id) => document.value(*id).span(),
            Origin::Text(text, id) => text.map.span(text.document.span(*id)),
        }
    }

    /// Its span and its source.
    pub fn place(&self) -> Place {
        Place::new(self.source(), self.span())
    }

    /// Its source.
    pub fn source(&self) -> &Arc<Source> {
        match &self.origin {
            Origin::Native(document, _) => document.shared_source(),
            Origin::Json(document, _) => document.shared_source(),
            Origin::Text(text, _) => &text.source,
        }
    }

    /// Its source text.
    pub fn text(&self) -> &str {
        self.source().slice(self.span())
    }

    /// Its document, if it is in the native syntax.
    pub(crate) fn document(&self) -> Option<&Document> {
        match &self.origin {
            Origin::Native(document, _) => Some(document),
            Origin::Json(..) | Origin::Text(..) => None,
        }
    }

    /// Its node in the syntax tree, if it is in the native syntax. An expression in a string of the JSON syntax has a
    /// document of its own, with spans in the text of the string.
    pub fn ast(&self) -> Option<ast::ExpressionNode<'_>> {
        match &self.origin {
            Origin::Native(document, id) => Some(document.expression_at(*id)),
            Origin::Json(..) => None,
            Origin::Text(text, id) => Some(text.document.expression_at(*id)),
        }
    }

    /// Its JSON value, if it is in the JSON syntax.
    pub fn json(&self) -> Option<JsonValue<'_>> {
        match &self.origin {
            Origin::Json(document, id) => Some(document.value(*id)),
            Origin::Native(..) | Origin::Text(..) => None,
        }
    }

    /// The direct subexpressions in source order: operands, arguments, elements, keys and values of items, and the
    /// expressions in a template. In the JSON syntax, they are the elements of an array, the values of an object (each
    /// after its name if that is a template), and the expressions in a string. Keys that are plain names are not
    /// included. If a part of a `for` expression is evaluated on its own, the variables of the `for` are undefined.
    ///
    /// ```
    /// use hclkit_model::Expression;
    ///
    /// let expression = Expression::parse(r#"[1, "a-${b}", { c = d(2) }]"#)?;
    /// let parts = expression.parts();
    /// let texts = |of: &[Expression]| of.iter().map(|part| part.text().to_owned()).collect::<Vec<_>>();
    /// assert_eq!(texts(&parts), ["1", "\"a-${b}\"", "{ c = d(2) }"]);
    /// assert_eq!(texts(&parts[1].parts()), ["b"]);
    /// assert_eq!(texts(&parts[2].parts()), ["d(2)"]);
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    pub fn parts(&self) -> Vec<Self> {
        self.keyed_parts().into_iter().map(|(part, _)| part).collect()
    }

    /// The parts, and whether each is the key of an item in an object.
    pub(crate) fn keyed_parts(&self) -> Vec<(Self, bool)> {
        match &self.origin {
            Origin::Native(document, id) => self.parts_in(document, *id),
            Origin::Text(text, id) => self.parts_in(&text.document, *id),
            Origin::Json(document, id) => match document.value(*id).kind() {
                JsonKind::Array(array) => {
                    array.elements().map(|element| (self.sibling(element.id()), false)).collect()
                }
                JsonKind::Object(object) => {
                    let mut parts = Vec::new();
                    for property in object.properties() {
                        let name = property.name().value();
                        if name.contains("${") || name.contains("%{") {
                            parts.push((self.sibling(property.name().id()), true));
                        }
                        parts.push((self.sibling(property.value().id()), false));
                    }
                    parts
                }
                JsonKind::String(_) => {
                    self.in_string(StartSymbol::Template).map(|text| text.keyed_parts()).unwrap_or_default()
                }
                _ => Vec::new(),
            },
        }
    }

    fn parts_in(&self, document: &Document, id: NodeId) -> Vec<(Self, bool)> {
        let tree = document.tree();
        let (mut parts, mut key) = (Vec::new(), None);
        let mut walk = tree.walk(id);
        while let Some(step) = walk.next() {
            let Visit::Enter(inner) = step else { continue };
            if tree.kind(inner) == NodeKind::ObjectItem {
                key = tree.children(inner).next();
            }
            if inner != id && tree.kind(inner).is_expression() {
                parts.push((self.sibling(inner), key == Some(inner)));
                walk.skip_children();
            }
        }
        parts
    }

    /// An expression in the same document and the same dynamic blocks.
    pub(crate) fn sibling(&self, id: NodeId) -> Self {
        let origin = match &self.origin {
            Origin::Native(document, _) => Origin::Native(document.clone(), id),
            Origin::Json(document, _) => Origin::Json(document.clone(), id),
            Origin::Text(text, _) => Origin::Text(text.clone(), id),
        };
        Self { iterators: self.iterators.clone(), ..Self::new(origin) }
    }

    /// The key of an item that is a plain name: its value is the name itself.
    pub(crate) fn bare_key(&self, id: NodeId, name: ast::NameNode) -> Self {
        let key = self.sibling(id);
        let node = Node { span: key.span(), kind: Kind::Constant(Value::from(name.text)) };
        key.lowered().ready.get_or_init(|| LoweredExpr::from(node));
        key
    }

    /// The expression for static analysis: strings in the JSON syntax are parsed as expressions of the native syntax if
    /// possible.
    pub(crate) fn written(&self) -> Self {
        self.in_string(StartSymbol::Expression).unwrap_or_else(|| self.clone())
    }

    /// The text of a string of the JSON syntax, parsed as an expression or a template if possible.
    fn in_string(&self, entry: StartSymbol) -> Option<Self> {
        let Origin::Json(document, id) = &self.origin else { return None };
        let JsonKind::String(string) = document.value(*id).kind() else { return None };
        let text = Document::parse(Source::new("", string.value().into_owned()), entry);
        if text.has_errors() {
            return None;
        }
        let id = match text.root() {
            Root::Expression(root) => root.id(),
            Root::Template(root) => root.id(),
            Root::Body(_) | Root::Traversal(_) => return None,
        };
        let text = Text { document: text, map: string.map(), source: document.shared_source().clone() };
        Some(Self { iterators: self.iterators.clone(), ..Self::new(Origin::Text(Arc::new(text), id)) })
    }

    /// Converts a span in its [document](Expression::ast) to a span in its source.
    pub(crate) fn source_span(&self, span: Span) -> Span {
        match &self.origin {
            Origin::Text(text, _) => text.map.span(span),
            Origin::Native(..) | Origin::Json(..) => span,
        }
    }

    /// The context, with the iterators of the dynamic blocks around the expression.
    pub(crate) fn context<'c>(&self, context: &'c Context) -> Cow<'c, Context> {
        match &self.iterators {
            Some(iterators) => Cow::Owned(iterators.context(context)),
            None => Cow::Borrowed(context),
        }
    }

    /// The lowered expression. Strings in the JSON syntax are templates.
    pub(crate) fn node(&self) -> &Node {
        &self.ready().node
    }

    fn ready(&self) -> &LoweredExpr {
        self.lowered().ready.get_or_init(|| match &self.origin {
            Origin::Native(document, id) => LoweredExpr::from(lower::expression(document.expression_at(*id))),
            Origin::Json(document, id) => lower::json::template(document.value(*id)),
            Origin::Text(text, id) => {
                let place = |span| text.map.span(span);
                LoweredExpr::from(lower::expression_at(text.document.expression_at(*id), &place))
            }
        })
    }

    /// The lowered expression for literal-only mode, if that differs in its syntax.
    pub(crate) fn literal_node(&self) -> Option<&Node> {
        match &self.origin {
            Origin::Json(document, id) => {
                Some(self.lowered().literal.get_or_init(|| lower::json::literal(document.value(*id))))
            }
            Origin::Native(..) | Origin::Text(..) => None,
        }
    }

    /// The lowered expression for a context. Errors in templates in strings are reported.
    pub(crate) fn node_in(&self, context: &Context, diagnostics: &mut Diagnostics) -> &Node {
        if context.allows_nothing()
            && let Some(literal) = self.literal_node()
        {
            return literal;
        }
        let ready = self.ready();
        if ready.diagnostics.total() > 0 {
            diagnostics.append(ready.diagnostics.clone());
        }
        &ready.node
    }
}
