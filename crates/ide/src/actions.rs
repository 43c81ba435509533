//! Code actions: fixes of errors, and declarations of what is missing.

use std::collections::BTreeMap;

use hclkit::ast::{AttributeNode, ExpressionKind};
use hclkit::syntax::{Edit, NodeKind, Root, fix_all};
use hclkit::value::Type;
use hclkit::{Diagnostic, Span};

use crate::Snapshot;
use crate::file::File;
use crate::functions;
use crate::rename::{Edits, changes};

/// What an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// It fixes an error.
    QuickFix,
    /// It fixes all errors of a file.
    FixAll,
    /// It gives an expression a name.
    Extract,
    /// It writes an expression in place of its name.
    Inline,
    /// It writes something in another way.
    Rewrite,
    /// It moves blocks to other files.
    Move,
}

/// A change that an editor offers.
#[derive(Clone, Debug)]
pub struct Action {
    /// What it does, in the imperative.
    pub title: String,
    /// What it is.
    pub kind: ActionKind,
    /// The error that it fixes.
    pub diagnostic: Option<Diagnostic>,
    /// The edits of each file. A file that does not exist is created.
    pub edits: Edits,
    /// Whether it is the only way to fix the error.
    pub is_preferred: bool,
}

impl Action {
    /// The actions that do different things: of those of a kind with the same edits, the first one.
    pub fn unique(all: Vec<Self>) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::with_capacity(all.len());
        for action in all {
            if !found.iter().any(|own| own.kind == action.kind && own.edits == action.edits) {
                found.push(action);
            }
        }
        found
    }
}

impl Snapshot {
    /// The actions for a part of a file.
    pub fn actions(&self, path: &str, within: Span) -> Vec<Action> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let mut found = Vec::new();
        for diagnostic in self.diagnostics(path) {
            let span = diagnostic.span();
            if span.end < within.start || span.start > within.end {
                continue;
            }
            if let Some(fix) = diagnostic.fix() {
                found.push(Action {
                    title: fix.title.to_string(),
                    kind: ActionKind::QuickFix,
                    edits: BTreeMap::from([(path.to_owned(), fix.edits.clone())]),
                    is_preferred: true,
                    diagnostic: Some(diagnostic.clone()),
                });
            }
            found.extend(self.declare(&file, &diagnostic));
            found.extend(remove_unused(&file, &diagnostic));
        }
        found
    }

    /// Fixes all errors of a file that can be fixed, as `hcl check --fix` does.
    pub fn fix_all(&self, path: &str) -> Option<Action> {
        let file = self.file(path)?;
        if !file.syntax_errors().iter().any(|found| found.fix().is_some()) {
            return None;
        }
        let fixed = fix_all(file.text(), |text| file.errors_of(text));
        let edits = changes(file.text(), &fixed.text);
        Some(Action {
            title: "Fix all errors that can be fixed".to_owned(),
            kind: ActionKind::FixAll,
            diagnostic: None,
            edits: BTreeMap::from([(path.to_owned(), edits)]),
            is_preferred: false,
        })
    }

    /// Declares a variable or a local value that an expression refers to.
    fn declare(&self, file: &File, diagnostic: &Diagnostic) -> Option<Action> {
        let named = self.named(file.path(), diagnostic.span().end)?;
        if named.inner.is_some() || !named.module.declarations(&named.symbol).is_empty() {
            return None;
        }
        let address = named.symbol.to_string();
        let (root, name) = address.split_once('.')?;
        let part = file.content_dialect()?;
        let (title, block, stem) = match root {
            "var" if part.block("variable").is_some() => {
                let ty = expected(file, diagnostic.span());
                let block = match ty.as_deref() {
                    Some(ty) => format!("variable \"{name}\" {{\n  type = {ty}\n}}\n"),
                    None => format!("variable \"{name}\" {{\n}}\n"),
                };
                (format!("Declare the variable `{name}`"), block, "variables")
            }
            "local" if part.block("locals").is_some() => (
                format!("Declare the local value `{name}`"),
                format!("locals {{\n  {name} = null\n}}\n"),
                "locals",
            ),
            _ => return None,
        };
        if name.contains('.') {
            return None;
        }
        // With the other declarations, if these have a file.
        let is_meant = |other: &&std::sync::Arc<File>| {
            other.is_native()
                && crate::files::parent(other.path()) == crate::files::parent(file.path())
                && crate::files::name(other.path()).split('.').next() == Some(stem)
        };
        let target = named.module.files.iter().find(is_meant);
        let (path, text) = target.map_or((file.path(), file.text()), |target| (target.path(), target.text()));
        let gap = match text {
            "" => "",
            text if text.ends_with("\n\n") => "",
            text if text.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        let end = Span::empty(text.len() as u32);
        let edits = BTreeMap::from([(path.to_owned(), vec![Edit::new(end, format!("{gap}{block}"))])]);
        let diagnostic = Some(diagnostic.clone());
        Some(Action { title, kind: ActionKind::QuickFix, diagnostic, edits, is_preferred: false })
    }
}

/// Removes a declaration that nothing refers to.
fn remove_unused(file: &File, diagnostic: &Diagnostic) -> Option<Action> {
    let is_unused = diagnostic.code().is_some_and(|code| code.as_str() == "unused-declaration");
    if !is_unused || !file.is_native() {
        return None;
    }
    let Root::Body(body) = file.document().root() else { return None };
    let block = body.blocks().find(|block| block.span().touches(diagnostic.span().start))?;
    let attribute = block.body().attributes().find(|own| own.name_span() == diagnostic.span());
    // A block of local values goes with the last of them.
    let is_alone = block.body().items().count() == 1;
    let span = attribute.filter(|_| !is_alone).map_or(block.span(), AttributeNode::span);
    let edits = vec![Edit::new(file.whole_lines(span)?, String::new())];
    Some(Action {
        title: "Remove the unused declaration".to_owned(),
        kind: ActionKind::QuickFix,
        diagnostic: Some(diagnostic.clone()),
        edits: BTreeMap::from([(file.path().to_owned(), edits)]),
        is_preferred: false,
    })
}

/// The type that an expression needs where it is used.
fn expected(file: &File, span: Span) -> Option<String> {
    let document = file.document();
    let tree = document.tree();
    let nodes = document.nodes_at(span.end);
    let is_step = |kind| {
        matches!(kind, NodeKind::GetAttr | NodeKind::Variable | NodeKind::Index | NodeKind::LegacyIndex)
    };
    // The whole reference, and what is around it.
    let own = nodes.iter().rposition(|&node| !is_step(tree.kind(node)))?;
    let (around, node) = (nodes[own], *nodes.get(own + 1)?);
    match tree.kind(around) {
        NodeKind::Interpolation => Some("string".to_owned()),
        NodeKind::Conditional if tree.children(around).next() == Some(node) => Some("bool".to_owned()),
        NodeKind::Attribute => match document.text(around).split(['=', ' ']).next()? {
            "count" => Some("number".to_owned()),
            "for_each" => Some("map(any)".to_owned()),
            _ => None,
        },
        NodeKind::Call => {
            let ExpressionKind::Call(call) = document.expression_at(around).kind() else { return None };
            let at = call.arguments().position(|argument| argument.id() == node)?;
            let functions = functions::of_file(file);
            let hclkit::model::Callable::Function(function) = functions.get(&call.name())? else {
                return None;
            };
            let parameter = function.parameters().get(at).or(function.variadic_parameter())?;
            (*parameter.ty() != Type::Dynamic).then(|| parameter.ty().to_string())
        }
        _ => None,
    }
}
