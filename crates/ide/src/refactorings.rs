//! Refactorings at a place: extracting an expression to a local value, inlining one, rewriting text, sorting arguments. Each is
//! tried before it is offered: a file must not have more syntax errors afterwards.

use std::collections::BTreeMap;

use hclkit::ast::{BlockNode, ExpressionKind, Item};
use hclkit::dialect::{Dialect, Role};
use hclkit::refactor::{OccurrenceKind, Symbol};
use hclkit::syntax::{Edit, NodeId, NodeKind, Root, TokenKind, Visit};
use hclkit::write::{self, raw};
use hclkit::{Expression, Span, Value};

use crate::actions::{Action, ActionKind};
use crate::body_schema::Argument;
use crate::file::File;
use crate::module::Module;
use crate::rename::Edits;
use crate::{Snapshot, scope};

impl Snapshot {
    /// What can be done with a selected part of a file, whether or not it has errors.
    pub fn refactorings(&self, path: &str, within: Span) -> Vec<Action> {
        let Some(file) = self.file(path).filter(|file| file.is_native()) else { return Vec::new() };
        let module = self.module(path);
        let all = [
            extract(&file, &module, within),
            self.inline(&file, within),
            rewrite_text(&file, within),
            self.sort(&file, within),
            self.add_required(&file, &module, within),
        ];
        all.into_iter().flatten().filter(|action| self.is_sound(action)).collect()
    }

    /// Whether no file has more syntax errors after an action.
    fn is_sound(&self, action: &Action) -> bool {
        action.edits.iter().all(|(path, edits)| {
            self.file(path).is_some_and(|file| {
                let after = edited(file.text(), edits);
                file.errors_of(&after).errors() <= file.syntax_errors().errors()
            })
        })
    }

    /// Writes the expression of a local value in place of all references to it, and removes it.
    fn inline(&self, file: &File, within: Span) -> Option<Action> {
        let named = self.named(file.path(), within.end).filter(|named| named.inner.is_none())?;
        let symbol = &named.symbol;
        let [root, name] = symbol.names() else { return None };
        let declared = named.module.declarations(symbol);
        let [declaration] = &declared[..] else { return None };
        if root != "local" || !declaration.file.is_native() {
            return None;
        }
        let (owner, removed) = declared_local(&declaration.file, declaration.occurrence.span.start)?;
        let value = raw(inlined(&declaration.file, owner)?);
        let places = named.module.occurrences(symbol);
        let mut by_file: BTreeMap<&str, write::Edits<'_>> = BTreeMap::new();
        for place in &places {
            if place.occurrence.kind == OccurrenceKind::Declaration {
                continue;
            }
            let (span, document) = (place.occurrence.span, place.file.document());
            // Other notations, such as `local["a"]`, are left alone.
            let is_written = document.source().slice(span) == format!("local.{name}");
            if place.occurrence.kind != OccurrenceKind::Reference || !place.file.is_native() || !is_written {
                return None;
            }
            let node = document.nodes_at(span.start).into_iter().find(|&node| document.span(node) == span)?;
            let own = by_file.entry(place.file.path()).or_insert_with(|| write::Edits::new(document));
            own.set(node, value.clone()).ok()?;
        }
        let mut edits = Edits::new();
        for (path, own) in by_file {
            edits.insert(path.to_owned(), own.to_fix("").ok()?.edits);
        }
        edits.entry(declaration.file.path().to_owned()).or_default().push(Edit::new(removed, String::new()));
        for edits in edits.values_mut() {
            edits.sort_by_key(|edit| edit.span);
            // A value that refers to itself.
            if edits.windows(2).any(|pair| pair[1].span.start < pair[0].span.end) {
                return None;
            }
        }
        Some(action(format!("Inline the local value `{name}`"), ActionKind::Inline, edits))
    }

    /// Sorts the arguments of the block around a place, with the required order of the language.
    fn sort(&self, file: &File, within: Span) -> Option<Action> {
        let block = top_block(file, within.start)?;
        let text = self.sorted(file)?;
        let edits: Vec<Edit> = crate::rename::changes(file.text(), &text);
        let is_inside =
            |edit: &Edit| block.span().start <= edit.span.start && edit.span.end <= block.span().end;
        let edits: Vec<Edit> = edits.into_iter().filter(is_inside).collect();
        if edits.is_empty() {
            return None;
        }
        let edits = Edits::from([(file.path().to_owned(), edits)]);
        Some(action("Sort the arguments".to_owned(), ActionKind::Rewrite, edits))
    }

    /// Adds the required arguments that the block at a place does not have.
    fn add_required(&self, file: &File, module: &Module, within: Span) -> Option<Action> {
        let mut around = crate::body_schema::around(file, within.start);
        let document = file.document();
        let node = document
            .nodes_at(within.start)
            .into_iter()
            .rev()
            .find(|&node| document.tree().kind(node) == NodeKind::Block)?;
        let block = document.block_at(node)?;
        // The header of a block is in it, too.
        if !(block.body().span().start < within.start && within.start < block.span().end) {
            around.push(crate::body_schema::EnclosingBlock {
                block_type: block.block_type().to_owned(),
                labels: block.label_texts().into_iter().map(std::borrow::Cow::into_owned).collect(),
            });
        }
        let content = self.content(file, module, &around);
        let body = block.body();
        let missing: Vec<_> = content
            .arguments
            .iter()
            .filter(|own| own.required && body.attribute(&own.name).is_none())
            .collect();
        if missing.is_empty() || document.source().slice(block.close_span()) != "}" {
            return None;
        }
        let indent = indentation(file, block.span().start);
        let line = |own: &&Argument| format!("\n{indent}  {} = {}", own.name, own.placeholder());
        let lines = missing.iter().map(line).collect::<Vec<_>>().concat();
        let is_one_line = !document
            .source()
            .slice(Span::new(block.open_span().start, block.close_span().end))
            .contains('\n');
        let edit = if is_one_line {
            if body.items().next().is_some() {
                return None;
            }
            Edit::new(
                Span::new(block.open_span().end, block.close_span().start),
                format!("{lines}\n{indent}"),
            )
        } else {
            Edit::new(Span::empty(block.open_span().end), lines)
        };
        let edits = Edits::from([(file.path().to_owned(), vec![edit])]);
        Some(action("Add the required arguments".to_owned(), ActionKind::QuickFix, edits))
    }
}

/// Makes a local value of the selected expression.
fn extract(file: &File, module: &Module, within: Span) -> Option<Action> {
    let part = file.content_dialect().filter(|part| part.block("locals").is_some())?;
    let document = file.document();
    let node = selected(file, within)?;
    let span = document.span(node);
    let text = document.source().slice(span);
    let outer = top_block(file, span.start)?;
    let has_heredoc = |at: u32| document.tokens().kind(at) == TokenKind::OpenHeredoc;
    let (first, last) = document.tree().token_range(node);
    if !is_evaluated(file, part, span.start)
        || (first..=last).any(has_heredoc)
        || uses_inner_names(file, part, node)
    {
        return None;
    }
    let attribute = document.nodes_at(span.start).into_iter().rev().find_map(|node| {
        let parent = document.tree().kind(node) == NodeKind::Attribute;
        parent.then(|| document.text(node).split(['=', ' ']).next().map(str::to_owned)).flatten()
    });
    let name = free_name(file, module, &attribute.unwrap_or_else(|| "value".to_owned()));
    let line = format!("\n  {name} = {text}");
    let Root::Body(body) = document.root() else { return None };
    // Locals in one line have no room for another one.
    let is_long = |block: &BlockNode<'_>| {
        block.block_type() == "locals" && document.source().slice(block.span()).contains('\n')
    };
    let insertion = match body.blocks().find(is_long) {
        Some(locals) => {
            let last = locals.body().items().last();
            let at = last.map_or(locals.open_span().end, |last| last.span().end);
            let is_at_end = document.source().slice(Span::new(at, at + 1)).starts_with(['\n', '\r']);
            let is_comment =
                file.text()[at as usize..].trim_start_matches([' ', '\t']).starts_with(['#', '/']);
            if !is_at_end && !is_comment {
                return None;
            }
            let at = at + file.text()[at as usize..].find('\n').unwrap_or(0) as u32;
            let at = if file.text()[..at as usize].ends_with('\r') { at - 1 } else { at };
            Edit::new(Span::empty(at), line)
        }
        None => Edit::new(Span::empty(outer.span().end), format!("\n\nlocals {{{line}\n}}")),
    };
    let mut edits = vec![Edit::new(span, format!("local.{name}")), insertion];
    edits.sort_by_key(|edit| edit.span);
    let edits = Edits::from([(file.path().to_owned(), edits)]);
    Some(action(format!("Extract to the local value `{name}`"), ActionKind::Extract, edits))
}

pub(crate) fn action(title: String, kind: ActionKind, edits: Edits) -> Action {
    Action { title, kind, diagnostic: None, edits, is_preferred: false }
}

/// A text after edits in the order of their places.
pub(crate) fn edited(text: &str, edits: &[Edit]) -> String {
    let mut after = text.to_owned();
    for edit in edits.iter().rev() {
        after.replace_range(edit.span.to_range(), &edit.replacement);
    }
    after
}

/// The blanks at the start of the line of an offset.
fn indentation(file: &File, offset: u32) -> String {
    let line = file.lines().line(file.lines().line_of(offset), file.text());
    line.chars().take_while(|sign| *sign == ' ' || *sign == '\t').collect()
}

/// The block at the top of the file around an offset.
fn top_block(file: &File, offset: u32) -> Option<BlockNode<'_>> {
    let Root::Body(body) = file.document().root() else { return None };
    body.blocks().find(|block| block.span().touches(offset))
}

/// The expression that is selected, without blanks around it.
fn selected(file: &File, within: Span) -> Option<NodeId> {
    let text = file.text().get(within.to_range())?;
    let start = within.start + (text.len() - text.trim_start().len()) as u32;
    let span = Span::new(start, start + text.trim().len() as u32);
    if span.is_empty() {
        return None;
    }
    let document = file.document();
    let is_expression = |kind| {
        matches!(
            kind,
            NodeKind::Variable
                | NodeKind::GetAttr
                | NodeKind::Index
                | NodeKind::LegacyIndex
                | NodeKind::Call
                | NodeKind::Binary
                | NodeKind::Unary
                | NodeKind::Conditional
                | NodeKind::Parens
                | NodeKind::Tuple
                | NodeKind::Object
                | NodeKind::ForTuple
                | NodeKind::ForObject
                | NodeKind::String
                | NodeKind::QuotedTemplate
                | NodeKind::Number
                | NodeKind::FullSplat
                | NodeKind::AttrSplat
        )
    };
    let mut found = None;
    for visit in document.tree().walk(NodeId::ROOT) {
        let Visit::Enter(node) = visit else { continue };
        if found.is_none() && document.span(node) == span && is_expression(document.tree().kind(node)) {
            found = Some(node);
        }
    }
    let node = found?;
    // Keys of objects and labels are no expressions, and the beginning of a reference need not have a value.
    let parents = document.nodes_at(span.start);
    let is_key = parents.iter().any(|&parent| match document.tree().kind(parent) {
        NodeKind::ObjectItem => document.tree().children(parent).next() == Some(node),
        NodeKind::Block => document.tree().children(parent).any(|child| child == node),
        NodeKind::GetAttr
        | NodeKind::Index
        | NodeKind::LegacyIndex
        | NodeKind::AttrSplat
        | NodeKind::FullSplat => {
            let is_first = document.tree().children(parent).next() == Some(node);
            is_first && matches!(document.tree().kind(node), NodeKind::Variable | NodeKind::GetAttr)
        }
        _ => false,
    });
    (!is_key).then_some(node)
}

/// Whether the argument around an offset is an expression of the module. Others, such as `depends_on`, have a meaning that a
/// value would not have.
fn is_evaluated(file: &File, part: &Dialect, offset: u32) -> bool {
    let document = file.document();
    let blocks: Vec<BlockNode<'_>> = document
        .nodes_at(offset)
        .into_iter()
        .filter(|&node| document.tree().kind(node) == NodeKind::Block)
        .filter_map(|node| document.block_at(node))
        .collect();
    let Some((outer, inner)) = blocks.split_first() else { return false };
    let Some(rule) = part.block(outer.block_type()) else { return false };
    let is_known = |block: &BlockNode<'_>| {
        let own = part.nested_blocks.iter().any(|rule| *rule.block_type == *block.block_type());
        own && !matches!(block.block_type(), "dynamic" | "content")
    };
    if !matches!(rule.role, Role::Object | Role::Result | Role::Values | Role::Call)
        || inner.iter().any(is_known)
    {
        return false;
    }
    let attribute = outer.body().attributes().find(|own| own.span().touches(offset));
    attribute.is_none_or(|own| {
        let is = |name: &hclkit::value::Name| **name == *own.name();
        let is_repeated = rule.repeat.iter().any(is);
        let is_fixed = rule.meta.iter().any(is)
            || rule.fixed.iter().any(is)
            || rule.constants.iter().any(|(name, _)| is(name))
            || rule.keywords.iter().any(|(name, _)| is(name))
            || rule.role == Role::Call && matches!(own.name(), "source" | "version");
        is_repeated || !is_fixed
    })
}

/// Whether an expression uses names that only its place has, such as those of loops, `each` or `self`.
fn uses_inner_names(file: &File, part: &Dialect, node: NodeId) -> bool {
    let document = file.document();
    let expression = Expression::from_ast(document.expression_at(node));
    let inner = scope::loop_names(file, document.span(node).start);
    let of_repeats =
        |name: &str| part.repeats.iter().any(|own| own.key.first().is_some_and(|root| root.as_str() == name));
    expression.variables().iter().any(|own| {
        let root = own.root.as_str();
        root == "self" || of_repeats(root) || inner.iter().any(|name| name.split('.').next() == Some(root))
    })
}

/// A name of a local value that no other one has.
fn free_name(file: &File, module: &Module, wanted: &str) -> String {
    let taken = |name: &str| {
        let symbol = format!("local.{name}").parse::<Symbol>();
        symbol.is_ok_and(|symbol| module.files.iter().any(|own| !own.names().occurrences(&symbol).is_empty()))
            || file.text().contains(&format!("local.{name}"))
    };
    let names = std::iter::once(wanted.to_owned()).chain((2..).map(|number| format!("{wanted}_{number}")));
    names.into_iter().find(|name| !taken(name)).unwrap_or_default()
}

/// The value of the local value that is declared at an offset, and the part of the file to remove with it.
fn declared_local(file: &File, offset: u32) -> Option<(NodeId, Span)> {
    let block = top_block(file, offset).filter(|block| block.block_type() == "locals")?;
    let own = block.body().attributes().find(|own| own.name_span().touches(offset))?;
    let is_last = block.body().items().count() == 1;
    let span = if is_last { block.span() } else { own.span() };
    Some((own.value().id(), file.whole_lines(span)?))
}

/// The expression of a local value as source, to be written elsewhere. A heredoc cannot be.
fn inlined(file: &File, node: NodeId) -> Option<String> {
    let document = file.document();
    let (first, last) = document.tree().token_range(node);
    let has_heredoc = (first..=last).any(|at| document.tokens().kind(at) == TokenKind::OpenHeredoc);
    (!has_heredoc).then(|| document.text(node).to_owned())
}

/// Turns text in quotes into a heredoc, or a heredoc into text in quotes. Templates with sequences are left alone.
fn rewrite_text(file: &File, within: Span) -> Option<Action> {
    let document = file.document();
    let Root::Body(body) = document.root() else { return None };
    let (attribute, indent) = attribute_at(file, body.items(), within.start)?;
    let value = attribute.value();
    let ExpressionKind::Template(template) = value.kind() else { return None };
    let literal = template.as_literal()?.into_owned();
    let text = value.text();
    let (title, new) = if text.starts_with("<<") {
        ("Write as text in quotes", Value::from(literal.as_str()).show().to_string())
    } else {
        // A heredoc ends with a line break.
        let lines = literal.strip_suffix('\n')?;
        let is_plain = |sign: char| sign == '\n' || sign == '\t' || !sign.is_control();
        if !lines.contains('\n')
            || lines.lines().any(|line| line.trim() == "EOT")
            || !literal.chars().all(is_plain)
        {
            return None;
        }
        let escaped = lines.replace("${", "$${").replace("%{", "%%{");
        let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("{indent}  {line}\n") };
        let lines: String = escaped.split('\n').map(line).collect();
        ("Write as a heredoc", format!("<<-EOT\n{lines}{indent}EOT"))
    };
    // The new text must have the same value.
    let same = Expression::parse(format!("({new}\n)")).ok()?.evaluate_lenient(&hclkit::Context::new()).0;
    if same.as_str() != Some(&literal) {
        return None;
    }
    let span = value.span();
    // The line break after a heredoc may belong to it.
    let new = if text.ends_with('\n') { format!("{new}\n") } else { new };
    let edits = BTreeMap::from([(file.path().to_owned(), vec![Edit::new(span, new)])]);
    Some(action(title.to_owned(), ActionKind::Rewrite, edits))
}

/// The attribute around an offset, with the blanks before it.
fn attribute_at<'d>(
    file: &File,
    items: impl Iterator<Item = Item<'d>>,
    offset: u32,
) -> Option<(hclkit::ast::AttributeNode<'d>, String)> {
    let item = items.into_iter().find(|item| item.span().touches(offset))?;
    match item {
        Item::Attribute(attribute) => Some((attribute, indentation(file, attribute.span().start))),
        Item::Block(block) => hclkit::limits::with_room(|| {
            attribute_at(file, block.body().items().collect::<Vec<_>>().into_iter(), offset)
        }),
    }
}
