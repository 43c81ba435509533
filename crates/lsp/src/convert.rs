//! From the answers of the core to the types of the protocol.

use std::collections::HashMap;
use std::sync::Arc;

use gen_lsp_types as lsp;
use hclkit::syntax::Edit;
use hclkit::{Diagnostic, Severity, Span};
use hclkit_ide::{
    Completion, CompletionKind, Edits, Encoding, File, Fold, FoldKind, LinePosition, SemanticToken, Snapshot,
    Symbol, SymbolKind, TokenMeaning,
};

use crate::markup::Form;

/// The text that the addresses of documents have in the client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Addresses(HashMap<String, String>);

impl Addresses {
    pub(crate) fn add(&mut self, path: &str, uri: &str) {
        self.0.insert(path.to_owned(), uri.to_owned());
    }

    pub(crate) fn remove(&mut self, path: &str) {
        self.0.remove(path);
    }

    pub(crate) fn of(&self, path: &str) -> lsp::Uri {
        lsp::Uri(self.0.get(path).cloned().unwrap_or_else(|| crate::uri::of_path(path)))
    }
}

/// Converts answers about the files of a snapshot.
pub(crate) struct Converter<'s> {
    pub(crate) snapshot: &'s Snapshot,
    pub(crate) encoding: Encoding,
    pub(crate) addresses: &'s Addresses,
    pub(crate) document_changes: bool,
    /// Edits can create files.
    pub(crate) creates_files: bool,
}

pub(crate) fn position(at: LinePosition) -> lsp::Position {
    lsp::Position { line: at.line, character: at.character }
}

pub(crate) fn line_position(at: lsp::Position) -> LinePosition {
    LinePosition { line: at.line, character: at.character }
}

impl Converter<'_> {
    pub(crate) fn position(&self, file: &File, offset: u32) -> lsp::Position {
        position(file.position(offset, self.encoding))
    }

    pub(crate) fn range(&self, file: &File, span: Span) -> lsp::Range {
        lsp::Range { start: self.position(file, span.start), end: self.position(file, span.end) }
    }

    pub(crate) fn offset(&self, file: &File, at: lsp::Position) -> u32 {
        file.offset(line_position(at), self.encoding)
    }

    pub(crate) fn span(&self, file: &File, range: lsp::Range) -> Span {
        let (start, end) = (self.offset(file, range.start), self.offset(file, range.end));
        Span::new(start.min(end), end.max(start))
    }

    pub(crate) fn location(&self, path: &str, span: Span) -> Option<lsp::Location> {
        let file = self.snapshot.file(path)?;
        Some(lsp::Location { uri: self.addresses.of(path), range: self.range(&file, span) })
    }

    pub(crate) fn edit(&self, file: &File, edit: &Edit) -> lsp::TextEdit {
        lsp::TextEdit { range: self.range(file, edit.span), new_text: edit.replacement.to_string() }
    }

    pub(crate) fn edits(&self, path: &str, edits: &[Edit]) -> Vec<lsp::TextEdit> {
        let start = lsp::Position { line: 0, character: 0 };
        // The line of an empty file goes, too. Neovim would keep it at the end; clients end ranges at the end of the text.
        let range = lsp::Range { start, end: lsp::Position { line: 1, character: 0 } };
        let one = |edit: &Edit| match self.snapshot.file(path) {
            Some(file) => self.edit(&file, edit),
            // The file is created.
            None => lsp::TextEdit { range, new_text: edit.replacement.to_string() },
        };
        edits.iter().map(one).collect()
    }

    /// Whether the client can apply edits. Some create files.
    pub(crate) fn can_apply(&self, edits: &Edits) -> bool {
        self.creates_files || !self.creates(edits)
    }

    fn creates(&self, edits: &Edits) -> bool {
        edits.keys().any(|path| self.snapshot.file(path).is_none())
    }

    /// The edits of several files. Those of open documents say which version they are for. Files that do not exist are created.
    pub(crate) fn workspace_edit(&self, edits: &Edits) -> lsp::WorkspaceEdit {
        if !self.document_changes && !self.creates(edits) {
            let one =
                |(path, edits): (&String, &Vec<Edit>)| (self.addresses.of(path), self.edits(path, edits));
            return lsp::WorkspaceEdit {
                changes: Some(edits.iter().map(one).collect()),
                ..Default::default()
            };
        }
        let created = edits.keys().filter(|path| self.snapshot.file(path).is_none()).map(|path| {
            let uri = self.addresses.of(path);
            lsp::DocumentChange::CreateFile(lsp::CreateFile::new(uri, None, None))
        });
        let one = |(path, edits): (&String, &Vec<Edit>)| {
            let version = self.snapshot.open_file(path).and_then(|file| file.version());
            let text_document_identifier = lsp::TextDocumentIdentifier { uri: self.addresses.of(path) };
            lsp::DocumentChange::TextDocumentEdit(lsp::TextDocumentEdit {
                text_document: lsp::OptionalVersionedTextDocumentIdentifier {
                    version,
                    text_document_identifier,
                },
                edits: self.edits(path, edits).into_iter().map(lsp::Edit::TextEdit).collect(),
            })
        };
        let document_changes = Some(created.chain(edits.iter().map(one)).collect());
        lsp::WorkspaceEdit { document_changes, ..Default::default() }
    }

    pub(crate) fn diagnostic(&self, file: &File, found: &Diagnostic) -> lsp::Diagnostic {
        let severity = match found.severity() {
            Severity::Error => lsp::DiagnosticSeverity::Error,
            Severity::Warning => lsp::DiagnosticSeverity::Warning,
        };
        let message = match found.note() {
            "" => found.summary().to_owned(),
            note => format!("{}: {note}", found.summary()),
        };
        let related: Vec<lsp::DiagnosticRelatedInformation> = found
            .related()
            .iter()
            .filter_map(|related| {
                let path = related.source().map_or(file.path(), |source| source.name());
                let location = self.location(path, related.span())?;
                Some(lsp::DiagnosticRelatedInformation { location, message: related.text().to_owned() })
            })
            .collect();
        let page = found.code().map(hclkit::Code::page).filter(|page| !page.is_empty());
        let page = page.map(|page| lsp::CodeDescription { href: lsp::Uri(page.to_owned()) });
        let code = found.code().map(hclkit::Code::as_str);
        let is_unused = code.is_some_and(|code| code == "unused-declaration");
        lsp::Diagnostic {
            range: self.range(file, found.span()),
            severity: Some(severity),
            code: code.map(|code| lsp::Code::String(code.to_owned())),
            code_description: page,
            source: Some("hcl".to_owned()),
            message: lsp::Message::String(message),
            tags: is_unused.then(|| vec![lsp::DiagnosticTag::Unnecessary]),
            related_information: (!related.is_empty()).then_some(related),
            data: None,
        }
    }

    pub(crate) fn symbol(&self, file: &File, symbol: &Symbol) -> lsp::DocumentSymbol {
        let children: Vec<_> = symbol.children.iter().map(|child| self.symbol(file, child)).collect();
        lsp::DocumentSymbol {
            name: if symbol.name.trim().is_empty() { "…".to_owned() } else { symbol.name.clone() },
            kind: symbol_kind(symbol.kind),
            range: self.range(file, symbol.span),
            selection_range: self.range(file, symbol.name_span),
            children: (!children.is_empty()).then_some(children),
            detail: None,
            tags: None,
            #[expect(deprecated, reason = "the field is part of the type")]
            deprecated: None,
        }
    }

    pub(crate) fn completion(
        &self,
        file: &File,
        item: &Completion,
        at: usize,
        snippets: bool,
        form: Form,
    ) -> lsp::CompletionItem {
        let snippet = item.snippet.as_ref().filter(|_| snippets);
        let new_text = snippet.unwrap_or(&item.text).clone();
        let edit = lsp::TextEdit { range: self.range(file, item.span), new_text };
        let about = |text: &String| lsp::Documentation::MarkupContent(form.content(text.clone()));
        lsp::CompletionItem {
            label: item.label.clone(),
            kind: Some(completion_kind(item.kind)),
            detail: Some(item.detail.clone()).filter(|detail| !detail.is_empty()),
            documentation: Some(&item.documentation).filter(|text| !text.is_empty()).map(about),
            sort_text: Some(format!("{at:04}")),
            filter_text: Some(item.label.clone()),
            tags: item.is_deprecated.then(|| vec![lsp::CompletionItemTag::Deprecated]),
            insert_text_format: snippet.map(|_| lsp::InsertTextFormat::Snippet),
            text_edit: Some(lsp::CompletionItemTextEdit::TextEdit(edit)),
            ..Default::default()
        }
    }

    /// The numbers of semantic tokens: lines and starts relative to the token before.
    pub(crate) fn tokens(&self, file: &Arc<File>, tokens: &[SemanticToken]) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(5 * tokens.len());
        let mut last = LinePosition::default();
        for token in tokens {
            let start = file.position(token.span.start, self.encoding);
            let length = self.encoding.len(file.document().source().slice(token.span));
            let line = start.line - last.line;
            let character = if line == 0 { start.character - last.character } else { start.character };
            let meaning = TokenMeaning::ALL.iter().position(|own| *own == token.meaning).unwrap_or_default();
            numbers.extend([line, character, length, meaning as u32, u32::from(token.declares)]);
            last = start;
        }
        numbers
    }
}

pub(crate) fn fold(fold: Fold) -> lsp::FoldingRange {
    let kind = match fold.kind {
        FoldKind::Comment => lsp::FoldingRangeKind::Comment,
        FoldKind::Region => lsp::FoldingRangeKind::Region,
    };
    lsp::FoldingRange { start_line: fold.start, end_line: fold.end, kind: Some(kind), ..Default::default() }
}

pub(crate) fn symbol_kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Variable => lsp::SymbolKind::Variable,
        SymbolKind::Local => lsp::SymbolKind::Constant,
        SymbolKind::Output => lsp::SymbolKind::Interface,
        SymbolKind::Call => lsp::SymbolKind::Module,
        SymbolKind::Object => lsp::SymbolKind::Class,
        SymbolKind::Block => lsp::SymbolKind::Struct,
        SymbolKind::Attribute => lsp::SymbolKind::Property,
        SymbolKind::Item => lsp::SymbolKind::Key,
    }
}

fn completion_kind(kind: CompletionKind) -> lsp::CompletionItemKind {
    match kind {
        CompletionKind::Variable => lsp::CompletionItemKind::Variable,
        CompletionKind::Object => lsp::CompletionItemKind::Class,
        CompletionKind::Field => lsp::CompletionItemKind::Field,
        CompletionKind::Function => lsp::CompletionItemKind::Function,
        CompletionKind::Keyword => lsp::CompletionItemKind::Keyword,
        CompletionKind::Argument => lsp::CompletionItemKind::Property,
        CompletionKind::Block => lsp::CompletionItemKind::Struct,
        CompletionKind::Folder => lsp::CompletionItemKind::Folder,
        CompletionKind::File => lsp::CompletionItemKind::File,
        CompletionKind::Value => lsp::CompletionItemKind::EnumMember,
    }
}
