//! Finds the part of an expression that created a part of its value: items of objects and elements of tuples, nested,
//! in both syntaxes. Only literal keys are evaluated.

use hclkit_syntax::{Place, Span};
use hclkit_value::{Path, Step, Str, Type};

use crate::node::{Item, Kind, Node};
use crate::{Context, Diagnostics, Expression, eval};

impl Expression {
    /// The place of the subexpression that created a part of the value.
    ///
    /// The path is followed through object items and tuple elements, also in parentheses and in a template that is a
    /// single interpolation. If it leads into anything else, such as a variable or a call, or to a part that does not
    /// exist, the result is the place of the innermost part that it reaches. Keys that are not literals are not
    /// evaluated; such an item is the result only if it is the only one that can have the key.
    ///
    /// ```
    /// use hclkit_model::Expression;
    /// use hclkit_value::{Path, Type};
    ///
    /// let expression = Expression::parse(r#"{ a = "1", c = ["x"] }"#)?;
    /// let value = expression.evaluate(&Default::default())?;
    /// let error = value.convert(&Type::map(Type::String)).unwrap_err();
    /// assert_eq!(expression.place_of(&error.path()).text(), r#"["x"]"#);
    ///
    /// let place = expression.place_of(&Path::new().attribute("c").index(0));
    /// assert_eq!(place.text(), r#""x""#);
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    pub fn place_of(&self, path: &Path) -> Place {
        Place::new(self.source(), self.span_at(path.steps()))
    }

    pub(crate) fn span_at(&self, steps: &[Step]) -> Span {
        if steps.is_empty() {
            return self.span();
        }
        let (part, depth) = self.node().part(steps);
        // In literal-only mode, the name of a property is its text.
        match self.literal_node().map(|literal| literal.part(steps)) {
            Some((literal, literal_depth)) if literal_depth > depth => literal.span,
            _ if depth == 0 => self.span(),
            _ => self.with_quotes(part.span),
        }
    }

    /// The span of a string of the JSON syntax instead of the span of its text.
    fn with_quotes(&self, span: Span) -> Span {
        let Some(value) = self.json() else { return span };
        let around = value.document().values_at(span.start).last().map(|value| value.span());
        around.filter(|around| (around.start + 1, around.end) == (span.start, span.end + 1)).unwrap_or(span)
    }
}

impl Node {
    /// The innermost part that a path leads to, and the number of steps to it.
    pub(crate) fn part(&self, steps: &[Step]) -> (&Self, usize) {
        let mut part = self;
        for (depth, step) in steps.iter().enumerate() {
            match part.part_at(step) {
                Some(inner) => part = inner,
                None => return (part, depth),
            }
        }
        (part, steps.len())
    }

    fn part_at(&self, step: &Step) -> Option<&Self> {
        let mut node = self;
        while let Kind::Parens(inner) = node.structure() {
            node = inner;
        }
        match (node.structure(), step) {
            (Kind::Tuple(elements), Step::Index(key)) => {
                let at = key.unmark().0.as_number()?.to_u64()?;
                elements.get(usize::try_from(at).ok()?)
            }
            (Kind::Object(object), _) => item(&object.items, &name(step)?),
            (Kind::Properties(items), _) => item(items, &name(step)?),
            _ => None,
        }
    }
}

/// The name that a step leads to.
fn name(step: &Step) -> Option<Str> {
    match step {
        Step::Attribute(name) => Some(name.clone()),
        Step::Index(key) => key.unmark().0.as_str().map(Str::from),
    }
}

/// The item that made the attribute with a name, if there is only one candidate: if items have the same key, the last
/// one counts.
fn item<'n>(items: &'n [Item], name: &Str) -> Option<&'n Node> {
    let mut found = None;
    for item in items.iter().rev() {
        match literal_key(&item.key) {
            Some(key) if key != *name => {}
            Some(_) => return if found.is_none() { Some(&item.value) } else { None },
            None if found.is_some() => return None,
            None => found = Some(&item.value),
        }
    }
    found
}

/// The name of a key, if it contains neither variables nor calls.
fn literal_key(key: &Node) -> Option<Str> {
    let mut literal = true;
    key.each(&mut |node| literal &= !matches!(node.kind, Kind::Access(_) | Kind::Call(_) | Kind::Invalid));
    if !literal {
        return None;
    }
    let mut problems = Diagnostics::new();
    let value = eval::evaluate(key, &Context::new(), None, &mut problems);
    if problems.has_errors() {
        return None;
    }
    value.convert(&Type::String).ok()?.as_str().map(Str::from)
}
