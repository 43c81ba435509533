//! The spec of a file: the one that a comment at its start names, or else the one of a pattern in the settings or of the editor.

use std::collections::BTreeMap;
use std::sync::Arc;

use hclkit::decode::Decoder;
use hclkit::module::join_path;
use hclkit::syntax::TokenKind;
use hclkit::{Body, Code, Diagnostic, Diagnostics, Source, Span};

use crate::Snapshot;
use crate::file::File;
use crate::files::parent;
use crate::sync::lock;

/// A spec that was read, or why it cannot be used.
pub(crate) type Read = Arc<Result<Decoder, String>>;

/// Specs that were read, with their texts, by path.
pub(crate) type Specs = BTreeMap<String, (Vec<u8>, Read)>;

/// The path that a comment at the start of a file names, as in `# hcl: spec=service.hcldec`.
fn of_comment(file: &File) -> Option<(&str, Span)> {
    let document = file.document();
    let comments = document.tokens().iter().take_while(|token| {
        token.kind.is_comment() || token.kind == TokenKind::Newline || token.kind.is_trivia()
    });
    comments.filter(|token| token.kind.is_comment()).find_map(|token| {
        let text = document.source().slice(token.span);
        let text = text.trim_start_matches(['#', '/', '*']).trim().trim_end_matches("*/").trim();
        let path = text.strip_prefix("hcl:")?.trim().strip_prefix("spec=")?.trim().trim_matches('"');
        (!path.is_empty()).then_some((path, token.span))
    })
}

impl Snapshot {
    /// The spec of a file. `None` if it has none.
    pub(crate) fn spec(&self, file: &File) -> Option<Read> {
        self.spec_at(file).map(|(read, _)| read)
    }

    /// The spec of a file, and the place that names it.
    fn spec_at(&self, file: &File) -> Option<(Read, Span)> {
        if let Some((path, span)) = of_comment(file).filter(|_| file.is_native()) {
            return Some((self.read_spec(&join_path(parent(file.path()), path)), span));
        }
        let (settings, folder) = self.settings(parent(file.path()));
        let own = settings.specs().iter().map(|own| (own, join_path(&folder, own.path())));
        let of_editor = self.spec_patterns().iter().map(|own| (own, own.path().to_owned()));
        let mut all = own.chain(of_editor);
        let (_, path) = all.find(|(own, path)| own.matches(file.path()) && path != file.path())?;
        Some((self.read_spec(&path), Span::empty(0)))
    }

    fn read_spec(&self, path: &str) -> Read {
        let text = match self.read(path) {
            Ok(text) => text,
            Err(error) => return Arc::new(Err(format!("cannot read {path}: {error}"))),
        };
        let mut specs = lock(self.specs());
        if let Some((known, read)) = specs.get(path)
            && *known == text
        {
            return read.clone();
        }
        let decoder = Decoder::new(Source::new(path, text.clone()));
        let decoder = decoder.map(|own| own.with_unknown_variables(true));
        let read: Read = Arc::new(decoder.map_err(|found| match found.iter().next() {
            Some(first) => format!("{path} has errors: {}", first.note()),
            None => format!("{path} has errors"),
        }));
        specs.insert(path.to_owned(), (text, read.clone()));
        read
    }

    /// What is wrong with a file according to its spec. Undefined variables are unknown, as with `hcl check --unknown-vars`.
    pub(crate) fn spec_errors(&self, file: &File) -> Diagnostics {
        let mut found = Diagnostics::new();
        // As the program, which reports errors of the syntax alone.
        if file.syntax_errors().has_errors() {
            return found;
        }
        let Some((read, place)) = self.spec_at(file) else { return found };
        match &*read {
            Ok(decoder) => {
                if let Err(errors) = decoder.decode(&Body::of(file.document())) {
                    found.append(errors.distinct());
                }
            }
            Err(why) => {
                found.push(Diagnostic::warning(Code::InvalidSpec).at(place).with_note(why.clone()));
            }
        }
        found
    }
}
