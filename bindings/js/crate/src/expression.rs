//! Expressions and templates.

use hclkit::{Source, StartSymbol};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::context::Context;
use crate::explain::Explained;
use crate::limits::Limits;
use crate::place::Places;
use crate::{Answer, failure, value, write};

/// An expression or a template.
#[wasm_bindgen]
pub struct Expression {
    pub(crate) inner: hclkit::Expression,
}

#[wasm_bindgen]
impl Expression {
    /// Parses an expression, or a template.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, name: &str, template: bool) -> Answer<Expression> {
        let entry = if template { StartSymbol::Template } else { StartSymbol::Expression };
        let read = Limits::default().run(|| hclkit::Expression::read(Source::new(name, text), entry));
        read.map(|inner| Self { inner }).map_err(|found| failure::of(&found))
    }

    /// The source text.
    #[wasm_bindgen(getter)]
    pub fn text(&self) -> String {
        self.inner.text().to_owned()
    }

    /// Where it is, as JSON.
    pub fn range(&self) -> Answer<String> {
        let place = self.inner.place();
        write(&Places::default().range(&place.source, place.span))
    }

    /// The references that it makes, in source order, as JSON.
    pub fn references(&self) -> Answer<String> {
        write(&self.inner.variables().iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    /// The name, if the expression is a single one.
    pub fn keyword(&self) -> Option<String> {
        self.inner.static_keyword().map(|name| name.as_str().to_owned())
    }

    /// Evaluates it. Returns the value.
    pub fn evaluate(&self, context: &Context) -> Answer<String> {
        context.limits.run(|| value::written([&context.evaluate(&self.inner)?]))
    }

    /// Evaluates it. Returns the value and the source of its type.
    pub fn evaluate_typed(&self, context: &Context) -> Answer<Vec<String>> {
        context.limits.run(|| {
            let found = context.evaluate(&self.inner)?;
            Ok(vec![value::written([&found])?, value::type_of(&found)?])
        })
    }

    /// How its value is computed: a tree, as JSON.
    pub fn explain(&self, context: &Context) -> Answer<String> {
        context.limits.run(|| {
            let explanation = self.inner.explain(&context.inner);
            write(&Explained::of(&self.inner, &explanation))
        })
    }

    /// How its value is computed, as text.
    pub fn explain_text(&self, context: &Context, width: usize) -> String {
        context.limits.run(|| {
            let explanation = self.inner.explain(&context.inner);
            hclkit::render::Renderer::plain().with_width(width).explanation(&self.inner, &explanation)
        })
    }
}
