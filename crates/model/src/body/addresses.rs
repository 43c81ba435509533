//! The addresses of diagnostics: their locations in the files of a body, as paths.

use hclkit_syntax::json::JsonDocument;
use hclkit_syntax::{Addresses, Diagnostics, Document, JsonAddresses};

use super::{Body, Form};

/// The documents of a body.
#[derive(Default)]
struct Documents<'b> {
    native: Vec<&'b Document>,
    json: Vec<&'b JsonDocument>,
}

impl<'b> Documents<'b> {
    fn add(&mut self, body: &'b Body) {
        match &body.0 {
            Form::Native(body) => self.native.push(body.document()),
            Form::Json(body) => self.json.push(body.document()),
            Form::Merged(bodies) => bodies.iter().for_each(|body| self.add(body)),
            Form::Expanded(body) => self.add(body.original()),
            Form::Overridden(body) => body.bodies().into_iter().for_each(|body| self.add(body)),
        }
    }
}

impl Body {
    /// Sets the addresses of diagnostics about the body.
    pub(crate) fn set_addresses(&self, diagnostics: &mut Diagnostics) {
        if diagnostics.is_empty() {
            return;
        }
        let mut documents = Documents::default();
        documents.add(self);
        let mut native: Vec<_> = documents
            .native
            .iter()
            .map(|document| (document.shared_source(), Addresses::of(document)))
            .collect();
        let mut json: Vec<_> = documents
            .json
            .iter()
            .map(|document| (document.shared_source(), JsonAddresses::of(document)))
            .collect();
        diagnostics.set_addresses(|source, offset| {
            let is_this = |other: &std::sync::Arc<_>| std::sync::Arc::ptr_eq(other, source);
            let native = native.iter_mut().find(|(other, _)| is_this(other)).map(|(_, it)| it.at(offset));
            native.or_else(|| json.iter_mut().find(|(other, _)| is_this(other)).map(|(_, it)| it.at(offset)))
        });
    }
}
