//! `hcl edit --merge OVER BASE`: what another file says is put into a file, whose comments and layout stay. Attributes replace those of
//! the same name or are added; blocks are merged by their type and labels.

use std::path::{Path, PathBuf};

use hclkit::ast::{
    AttributeNode, BlockNode, BodyNode, ExpressionKind, ExpressionNode, Item, ObjectItemNode, ObjectKey,
};
use hclkit::convert::{ToJson, ToNative};
use hclkit::dialect::{Dialect, FileKind};
use hclkit::syntax::json::JsonDocument;
use hclkit::syntax::{NodeId, Root};
use hclkit::write::{Edits, Formatter, property_name, raw, source_of};
use hclkit::{Document, Source, StartSymbol, Syntax};

use super::{Edited, Tally, finish_all, why};
use crate::args::Edit;
use crate::atomic_write;
use crate::host::Host;
use crate::input::{Find, Input, selection};
use crate::outcome::{Failure, Outcome};
use crate::output::{complain, print_diagnostics};

/// Merges files into others, all or none.
pub(super) fn run(command: &Edit) -> Result<Outcome, Failure> {
    let paths: Vec<PathBuf> = command.arguments.iter().map(PathBuf::from).collect();
    let found = selection(&command.files)?.find_in(&paths)?;
    found.unreadable.iter().for_each(complain);
    let mut outcome = if found.unreadable.is_empty() { Outcome::Fine } else { Outcome::Incomplete };
    if command.write {
        atomic_write::clean_beside(&found.inputs);
    }
    let mut files = Vec::new();
    for input in &found.inputs {
        match Host::current().limited(|| merged(input, command)) {
            Edited::Fine(documents, tally) => files.push((input, documents, tally.changes)),
            Edited::Unreadable(unreadable) => {
                complain(unreadable);
                outcome = Outcome::Incomplete;
            }
            Edited::Wrong(diagnostics) => {
                print_diagnostics(&diagnostics)?;
                outcome = outcome.max(Outcome::of_errors(&diagnostics));
            }
            Edited::Failed(problem) => {
                complain(format_args!("{}: {problem}", input.name()));
                outcome = Outcome::Incomplete;
            }
        }
    }
    if outcome != Outcome::Fine {
        return Ok(outcome);
    }
    let edited =
        files.iter().map(|(input, documents, changes)| (*input, &documents.0, &documents.1, *changes));
    finish_all(command.write, edited)
}

/// A file with all that the others say, the last one counting most.
fn merged(input: &Input, command: &Edit) -> Edited {
    let before = match input.parse() {
        Ok(document) if document.has_errors() => return Edited::Wrong(document.diagnostics().clone()),
        Ok(document) => document,
        Err(unreadable) => return Edited::Unreadable(unreadable),
    };
    if before.syntax() == Syntax::Hcl1 || input.is_hcl1() {
        return Edited::Failed("HCL 1 is only read; convert the file first".to_owned());
    }
    let formatter = Host::current().settings().formatter(before.source().name());
    let (mut after, mut changes) = (before.clone(), 0);
    for path in &command.merge {
        let over = match read(&Input::of(path), &before) {
            Ok(over) => over,
            Err(failed) => return failed,
        };
        match merge(&over, &after, command.deep, formatter.clone()) {
            Ok((document, count)) => (after, changes) = (document, changes + count),
            Err(problem) => return Edited::Failed(format!("--merge {}: {problem}", path.display())),
        }
    }
    let tally = Tally { matched: Vec::new(), changes, skipped: Vec::new() };
    Edited::Fine(Box::new((before, after)), tally)
}

/// A file to merge, in the native syntax.
fn read(input: &Input, base: &Document) -> Result<Document, Edited> {
    let document = input.parse().map_err(Edited::Unreadable)?;
    if document.has_errors() {
        return Err(Edited::Wrong(document.diagnostics().clone()));
    }
    match document.syntax() {
        Syntax::Native if !input.is_hcl1() => Ok(document),
        Syntax::Json => {
            let source = input.read_text().map_err(Edited::Unreadable)?;
            let has_values = is_values(&input.name()) || is_values(base.source().name());
            let converter = ToNative::new().with_all_static(has_values);
            let converter = match Dialect::of_path(input.name()) {
                Some(dialect) => converter.with_dialect(dialect),
                None => converter,
            };
            let text = converter.convert_merged(&[JsonDocument::parse(source)]).map_err(Edited::Wrong)?;
            Ok(Document::parse(Source::new(input.name(), text), StartSymbol::Config))
        }
        _ => Err(Edited::Failed(format!("--merge {}: HCL 1 cannot be merged", input.name()))),
    }
}

/// Whether a file sets variables, so that strings in JSON are no templates.
fn is_values(name: &str) -> bool {
    Dialect::of_path(name).is_some_and(|dialect| dialect.file_kind(Path::new(name)) == Some(FileKind::Values))
}

/// Merges a document into another one, and returns the number of changes, too.
fn merge(
    over: &Document,
    base: &Document,
    deep: bool,
    formatter: Formatter,
) -> Result<(Document, usize), String> {
    let mut merging = Merging {
        over,
        base,
        deep,
        edits: Edits::new(base).with_formatter(formatter),
        changes: 0,
        is_json: base.syntax() == Syntax::Json,
    };
    if merging.is_json {
        let Root::Expression(object) = base.root() else {
            return Err("expected a file with one object".to_owned());
        };
        for item in over.body().items() {
            match item {
                Item::Attribute(own) => merging.item(object, own.name(), own.value())?,
                Item::Block(own) => {
                    let at = over.position(own.span().start).line;
                    return Err(format!(
                        "line {at}: blocks are not merged into the JSON syntax; convert the file first, with hcl convert"
                    ));
                }
            }
        }
    } else {
        merging.body(over.body(), base.body(), None)?;
    }
    let edited = merging.edits.apply().map_err(|error| why(&error))?;
    Ok((edited, merging.changes))
}

/// The key of an item in the native syntax, unless it is computed.
fn key_of(item: ObjectItemNode<'_>) -> Option<String> {
    match item.key() {
        ObjectKey::Name(name) => Some(name.text.to_owned()),
        ObjectKey::Expression(key) => match key.kind() {
            ExpressionKind::Template(text) => text.as_literal().map(std::borrow::Cow::into_owned),
            ExpressionKind::Number(number) => Some(number.to_owned()),
            _ => None,
        },
    }
}

struct Merging<'d> {
    over: &'d Document,
    base: &'d Document,
    /// Whether the items of objects are merged.
    deep: bool,
    edits: Edits<'d>,
    changes: usize,
    is_json: bool,
}

impl<'d> Merging<'d> {
    /// Merges a body into that of a block, or of the file.
    fn body(
        &mut self,
        over: BodyNode<'d>,
        base: BodyNode<'d>,
        block: Option<BlockNode<'d>>,
    ) -> Result<(), String> {
        let container: NodeId = block.map_or(base.id(), BlockNode::id);
        let mut new = String::new();
        for item in over.items() {
            match item {
                Item::Attribute(own) => {
                    if base.blocks().any(|block| block.block_type() == own.name()) {
                        return Err(self.conflict(
                            own.span().start,
                            own.name(),
                            "an argument here, and a block there",
                        ));
                    }
                    if let Some(there) = base.attribute(own.name()) {
                        self.attribute(own, there)?;
                    } else {
                        new.push_str(&self.with_comments(own.id()));
                        self.changes += 1;
                    }
                }
                Item::Block(own) => self.block(own, over, base, container)?,
            }
        }
        if new.is_empty() {
            return Ok(());
        }
        let first_block = base.blocks().next().map(|block| block.span().start);
        let is_before = |own: &AttributeNode<'_>| first_block.is_none_or(|start| own.span().start < start);
        let ended = match base.attributes().filter(is_before).last() {
            Some(last) => self.edits.insert_after(last, &new),
            None => self.edits.prepend(container, &new),
        };
        ended.map_err(|error| why(&error))
    }

    fn attribute(&mut self, over: AttributeNode<'d>, base: AttributeNode<'d>) -> Result<(), String> {
        match (self.object(over.value()), self.object(base.value())) {
            (Some(new), Some(old)) => self.items(new, old),
            _ => self.set(base.id(), base.value(), over.value()),
        }
    }

    /// An object whose items are merged.
    fn object(&self, value: ExpressionNode<'d>) -> Option<ExpressionNode<'d>> {
        let value = value.without_parens();
        (self.deep && matches!(value.kind(), ExpressionKind::Object)).then_some(value)
    }

    fn items(&mut self, over: ExpressionNode<'d>, base: ExpressionNode<'d>) -> Result<(), String> {
        for item in over.items() {
            let Some(name) = key_of(item) else {
                let at = self.over.position(item.span().start).line;
                return Err(format!("line {at}: an item with a computed key cannot be merged"));
            };
            self.item(base, &name, item.value())?;
        }
        Ok(())
    }

    /// Sets an item of an object.
    fn item(
        &mut self,
        base: ExpressionNode<'d>,
        name: &str,
        value: ExpressionNode<'d>,
    ) -> Result<(), String> {
        if !matches!(base.kind(), ExpressionKind::Object) {
            return Err(format!("`{name}` cannot be merged into something that is not an object"));
        }
        let is_same = |item: &ObjectItemNode<'d>| {
            if self.is_json { property_name(*item) == name } else { key_of(*item).as_deref() == Some(name) }
        };
        if let Some(item) = base.items().find(is_same) {
            return match (self.object(value), self.object(item.value())) {
                (Some(new), Some(old)) => self.items(new, old),
                _ => self.set(item.id(), item.value(), value),
            };
        }
        self.changes += 1;
        let source = self.source(value)?;
        self.edits.add(base.id(), name, raw(source)).map_err(|error| why(&error))
    }

    fn set(&mut self, node: NodeId, old: ExpressionNode<'d>, new: ExpressionNode<'d>) -> Result<(), String> {
        let source = self.source(new)?;
        if source == old.text() {
            return Ok(());
        }
        self.changes += 1;
        self.edits.set(node, raw(source)).map_err(|error| why(&error))
    }

    /// The text of a value in the syntax of the file.
    fn source(&self, value: ExpressionNode<'d>) -> Result<String, String> {
        if !self.is_json {
            return Ok(source_of(self.over, value));
        }
        let converter = ToJson::new().with_all_static(is_values(self.base.source().name()));
        let json = converter.convert_expression(value);
        let text = json.and_then(|json| serde_json::to_string_pretty(&json).ok());
        text.ok_or_else(|| format!("`{}` has no form in the JSON syntax", value.text()))
    }

    fn block(
        &mut self,
        own: BlockNode<'d>,
        over: BodyNode<'d>,
        base: BodyNode<'d>,
        container: NodeId,
    ) -> Result<(), String> {
        if base.attribute(own.block_type()).is_some() {
            return Err(self.conflict(
                own.span().start,
                own.block_type(),
                "a block here, and an argument there",
            ));
        }
        let labels = own.label_texts();
        let is_same =
            |block: &BlockNode<'d>| block.block_type() == own.block_type() && block.label_texts() == labels;
        let there: Vec<BlockNode<'d>> = base.blocks().filter(is_same).collect();
        match (&there[..], over.blocks().filter(is_same).count()) {
            ([], _) => {
                self.changes += 1;
                let text = format!("\n{}", self.with_comments(own.id()));
                self.edits.append(container, &text).map_err(|error| why(&error))
            }
            ([there], 1) => self.body(own.body(), there.body(), Some(*there)),
            _ => {
                let name = std::iter::once(own.block_type().to_owned())
                    .chain(labels.iter().map(|label| format!("\"{label}\"")));
                let name = name.collect::<Vec<_>>().join(" ");
                Err(self.conflict(
                    own.span().start,
                    &name,
                    "there are several of these blocks, so that it is not clear which are the same",
                ))
            }
        }
    }

    fn conflict(&self, at: u32, name: &str, what: &str) -> String {
        format!("line {}: `{name}`: {what}", self.over.position(at).line)
    }

    /// An attribute or a block with the comments directly above it and after it, and a line break.
    fn with_comments(&self, node: NodeId) -> String {
        let (source, span) = (self.over.source(), self.over.span(node));
        let line = |number: u32| source.slice(source.line_span(number)).trim();
        let is_comment = |text: &str| text.starts_with('#') || text.starts_with("//");
        let first = source.line_of(span.start);
        let mut start = first;
        while start > 0 && is_comment(line(start - 1)) {
            start -= 1;
        }
        let mut text = (start..first).fold(String::new(), |text, number| text + line(number) + "\n");
        text.push_str(&source_of(self.over, node));
        let rest = source.text()[span.end as usize..].lines().next().unwrap_or_default().trim();
        if is_comment(rest) {
            text.push(' ');
            text.push_str(rest);
        }
        text.push('\n');
        text
    }
}
