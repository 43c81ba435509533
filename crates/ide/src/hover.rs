//! Hover: documentation of functions, declarations and blocks, and values with where they come from. Sensitive values are
//! never shown.

use std::fmt::Write as _;
use std::sync::Arc;

use hclkit::Span;
use hclkit::ast::{AttributeNode, BlockNode, Item};
use hclkit::dialect::{Contents, Role};
use hclkit::model::{hides_value, shown_source};
use hclkit::module::{BlockSchema, Pattern};
use hclkit::render::Renderer;
use hclkit::syntax::{NodeKind, Root, is_identifier};
use hclkit::value::Value;

use crate::Snapshot;
use crate::body_schema::{Argument, Block, EnclosingBlock};
use crate::file::File;
use crate::functions;
use crate::markdown;
use crate::module::{Loaded, Module, Place};
use crate::providers::required_provider;

/// The most values of a derivation, and the most lines.
const MOST_VALUES: usize = 8;
const MOST_LINES: usize = 30;
/// The most characters of a line. Addresses can be long.
const MOST_LINE: usize = 200;
/// The width of values in characters.
const WIDTH: usize = 80;

/// Instead of a value, or of the rest of a derivation.
const TOO_MUCH: &str = "… (this takes too much work or memory to show it here; hcl eval --explain shows it)";

/// What an editor shows about a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The part of the file.
    pub span: Span,
    /// Markdown.
    pub text: String,
}

impl Snapshot {
    /// What there is to say about the place at a byte offset.
    pub fn hover(&self, path: &str, offset: u32) -> Option<Hover> {
        let file = self.file(path)?;
        let of_item = || self.of_item(&file, &self.module(path), offset);
        // In a file with a spec, an attribute is what the spec says about it.
        let by_spec = || self.spec(&file).and_then(|_| of_item());
        of_function(&file, offset)
            .or_else(by_spec)
            .or_else(|| self.of_name(path, offset))
            .or_else(|| self.of_element(&file, &self.module(path), offset))
            .or_else(|| of_given(&file, offset))
            .or_else(of_item)
    }

    fn of_name(&self, path: &str, offset: u32) -> Option<Hover> {
        let (named, address) = self.declared_at(path, offset).or_else(|| {
            let named = self.named(path, offset)?;
            let address = named.symbol.to_string();
            Some((named, address))
        })?;
        let (symbol, module) = named.target();
        let declared = module.declarations(symbol);
        let mut text = format!("```hcl\n{address}\n```\n");
        if let Some(place) = declared.iter().find(|place| !place.file.holds_values()).or(declared.first()) {
            let is_hidden = declared.iter().any(|place| block_of(place).is_some_and(|block| hides(block)));
            let elsewhere = is_hidden.then(|| symbol.to_string());
            text.push_str(&declaration(place, elsewhere.as_slice()));
        }
        if let Some(value) = derivation(self, &named.module, &address) {
            let _ = write!(text, "\n```text\n{value}\n```\n");
        }
        Some(Hover { span: named.span, text })
    }
}

fn of_function(file: &File, offset: u32) -> Option<Hover> {
    let document = file.document();
    let nodes = document.nodes_at(offset);
    let call = nodes.iter().rev().find(|&&node| document.tree().kind(node) == NodeKind::Call)?;
    let hclkit::ast::ExpressionKind::Call(call) = document.expression_at(*call).kind() else {
        return None;
    };
    let span = call.name_span();
    if !span.touches(offset) {
        return None;
    }
    let name = call.name().into_owned();
    let functions = functions::of_file(file);
    let text = if let Some(callable) = functions.get(&name) {
        functions::page(&name, callable)
    } else {
        let (_, help) = functions::described(file).find(|(own, _)| **own == *name)?;
        functions::described_page(&name, help)
    };
    Some(Hover { span, text })
}

/// A name that the program or a repetition gives, such as `each.key`.
fn of_given(file: &File, offset: u32) -> Option<Hover> {
    let part = file.content_dialect()?;
    let word = file.word(offset);
    let text = file.text();
    let before = text.get(..word.start as usize)?;
    let root = before.strip_suffix('.').map(|before| {
        let start = before.trim_end_matches(|sign: char| sign.is_alphanumeric() || sign == '_').len();
        &before[start..]
    })?;
    let own = format!("{root}.{}", document_slice(file, word));
    let is = |names: &[hclkit::value::Name]| {
        names.iter().map(ToString::to_string).collect::<Vec<_>>().join(".") == own
    };
    if let Some(repeat) =
        part.repeats.iter().find(|repeat| is(&repeat.key) || repeat.value.as_deref().is_some_and(is))
    {
        let which = if is(&repeat.key) { "key" } else { "value" };
        let text =
            format!("```hcl\n{own}\n```\n\nThe {which} of an instance, from `{}`.\n", repeat.attribute);
        return Some(Hover { span: word, text });
    }
    part.builtins.iter().find(|(names, _)| is(names)).map(|_| Hover {
        span: word,
        text: format!("```hcl\n{own}\n```\n\n{} defines this name.\n", part.title()),
    })
}

fn document_slice(file: &File, span: Span) -> &str {
    file.document().source().slice(span)
}

/// How the value at an address is computed, without values that must not be shown.
pub(crate) fn derivation(snapshot: &Snapshot, module: &Arc<Module>, address: &str) -> Option<String> {
    let renderer = Renderer::plain().with_width(WIDTH);
    let (text, is_cut) = snapshot.within_budget(module, |loaded, budget| {
        let text = match loaded {
            Loaded::Module(loaded) => {
                let explained = loaded.derivations(&[address.parse::<Pattern>().ok()?], MOST_VALUES);
                (!explained.all.is_empty()).then(|| renderer.derivations(&explained))
            }
            Loaded::Unit(unit) => unit.explanation(&renderer, address),
        };
        Some((text, budget.is_exceeded()))
    })??;
    let Some(text) = text else { return is_cut.then(|| TOO_MUCH.to_owned()) };
    // The paths are those of the editor; the directory of the module is clear.
    let text = text.replace(&format!("{}/", module.directory), "");
    let short = |line: &str| match line.char_indices().nth(MOST_LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    };
    let lines: Vec<String> = text.trim_end().lines().map(short).collect();
    let mut shown = lines[..lines.len().min(MOST_LINES)].join("\n");
    if lines.len() > MOST_LINES {
        shown.push_str("\n…");
    }
    if is_cut {
        let _ = write!(shown, "\n\n{TOO_MUCH}");
    }
    // Text must not end the block of code.
    Some(shown.replace("```", "` ` `"))
}

/// A value in one line. `None` if it is unknown or must not be shown.
pub(crate) fn short(value: &Value, limit: usize) -> Option<String> {
    if !value.is_known() || value.is_marked() {
        return None;
    }
    Some(value.show().with_limit(limit).to_string())
}

/// The innermost block around a declaration.
fn block_of(place: &Place) -> Option<BlockNode<'_>> {
    let document = place.file.document();
    let nodes = document.nodes_at(place.occurrence.span.start);
    nodes.iter().rev().find_map(|&node| {
        (document.tree().kind(node) == NodeKind::Block).then(|| document.block_at(node)).flatten()
    })
}

fn hides(block: BlockNode<'_>) -> bool {
    hides_value(&hclkit::Body::from_ast(block.body()))
}

/// The type, the description and the place of a declaration.
fn declaration(place: &Place, elsewhere: &[String]) -> String {
    let document = place.file.document();
    let mut text = String::new();
    if let Some(block) = block_of(place).filter(|block| {
        !block.body().span().touches(place.occurrence.span.start) || block.labels().next().is_some()
    }) {
        let attribute = |name: &str| block.body().attribute(name).map(AttributeNode::value);
        let withheld = place.file.withheld(elsewhere);
        if let Some(ty) = attribute("type").filter(|_| role(&place.file, block) == Some(Role::Input)) {
            let ty = withheld.text(document.source(), ty.span());
            let _ = writeln!(text, "\nType: {}", markdown::code(&ty));
        }
        if let Some(description) = attribute("description").and_then(|value| literal(&value)) {
            let _ = writeln!(text, "\n{}", markdown::safe(&description));
        }
        if let Some(source) = attribute("source").and_then(|value| literal(&value)) {
            let _ = writeln!(text, "\nSource: {}", markdown::code(&shown_source(&source)));
        }
    }
    let line = place.file.lines().line_of(place.occurrence.span.start) + 1;
    let name = markdown::plain(crate::files::name(place.file.path()));
    let _ = writeln!(text, "\nDeclared in {name}:{line}.");
    text
}

fn literal(value: &hclkit::ast::ExpressionNode<'_>) -> Option<String> {
    match value.kind() {
        hclkit::ast::ExpressionKind::Template(template) => {
            template.as_literal().map(std::borrow::Cow::into_owned)
        }
        _ => None,
    }
}

fn role(file: &File, block: BlockNode<'_>) -> Option<Role> {
    Some(file.content_dialect()?.block(block.block_type())?.role)
}

impl Snapshot {
    /// What is known about the block or attribute at an offset.
    fn of_item(&self, file: &File, module: &Module, offset: u32) -> Option<Hover> {
        let Root::Body(mut body) = file.document().root() else { return None };
        let mut around: Vec<EnclosingBlock> = Vec::new();
        loop {
            match body.items().find(|item| item.span().touches(offset))? {
                Item::Attribute(attribute) => {
                    let span = attribute.name_span();
                    if !span.touches(offset) {
                        return None;
                    }
                    let known = self.content(file, module, &around).arguments.into_iter();
                    let argument = known.into_iter().find(|argument| argument.name == attribute.name())?;
                    return Some(Hover { span, text: of_argument(&argument, around.last()) });
                }
                Item::Block(block) => {
                    let span = block.type_span();
                    if span.touches(offset) {
                        let known = self.content(file, module, &around).blocks.into_iter();
                        let known = known.into_iter().find(|known| known.name == block.block_type());
                        return Some(Hover { span, text: of_block(file, known, block, &around)? });
                    }
                    if let Some(label) = block.labels().next().filter(|label| label.span().touches(offset)) {
                        let text = |schema: &BlockSchema| {
                            let (own, about) = (block.block_type(), schema.description());
                            let about = markdown::safe(about);
                            format!("```hcl\n{own} {}\n```\n\n{about}\n", label.text())
                        };
                        let text = self
                            .with_object_schema(module, block.block_type(), &label.value(), text)
                            .or_else(|| of_type(file, module, block.block_type(), &label.value()))?;
                        return Some(Hover { span: label.span(), text });
                    }
                    around.push(EnclosingBlock {
                        block_type: block.block_type().to_owned(),
                        labels: block.label_texts().into_iter().map(std::borrow::Cow::into_owned).collect(),
                    });
                    body = block.body();
                }
            }
        }
    }
}

/// What is known of a type of objects without a schema: the provider that it belongs to, or what the language says of it.
fn of_type(file: &File, module: &Module, block_type: &str, object_type: &str) -> Option<String> {
    let part = file.content_dialect().filter(|_| is_identifier(object_type))?;
    let title = format!("```hcl\n{block_type} \"{object_type}\"\n```\n");
    let known =
        part.objects.iter().find(|own| *own.block_type == *block_type && *own.object_type == *object_type);
    if known.is_some() {
        return Some(format!("{title}\n{} has this type.\n", part.title()));
    }
    if !part.has_modules() || part.block(block_type)?.role != Role::Object {
        return None;
    }
    let (name, _) = object_type.split_once('_')?;
    let (source, version) = required_provider(module, name);
    let mut text = format!("{title}\nA type of the provider {}", markdown::code(&source));
    if let Some(version) = version {
        let _ = write!(text, ", of which the module requires {}", markdown::code(&version));
    }
    text.push_str(".\n");
    Some(text)
}

fn of_argument(argument: &Argument, around: Option<&EnclosingBlock>) -> String {
    let ty = argument.ty.as_ref().map(|ty| format!(": {ty}")).unwrap_or_default();
    let mut text = format!("```hcl\n{}{ty}\n```\n\nAn argument", argument.name);
    if let Some(around) = around {
        let _ = write!(text, " of `{}`", around.block_type);
    }
    text.push_str(if argument.required { ", required.\n" } else { ".\n" });
    if !argument.values.is_empty() {
        let which = if argument.is_closed { "One of" } else { "For example" };
        let values: Vec<String> = argument.values.iter().map(|value| markdown::code(value)).collect();
        let _ = writeln!(text, "\n{which} {}.", values.join(", "));
    }
    let about = argument.about.markdown();
    if !about.is_empty() {
        let _ = writeln!(text, "\n{about}");
    }
    text
}

fn of_block(
    file: &File,
    known: Option<Block>,
    block: BlockNode<'_>,
    around: &[EnclosingBlock],
) -> Option<String> {
    let part = file.content_dialect();
    let outer = around.last().map(|own| own.block_type.as_str());
    let shape = part.and_then(|part| part.shape(outer, block.block_type()));
    let labels: Vec<String> = match (&known, &shape) {
        (Some(known), _) => known.labels.clone(),
        (None, Some(shape)) => shape.labels.to_vec(),
        (None, None) => return None,
    };
    let labels: Vec<String> = labels.iter().map(|label| format!(" \"{label}\"")).collect();
    let labels = labels.concat();
    let mut text = format!("```hcl\n{}{labels} {{}}\n```\n", block.block_type());
    match (&shape, part) {
        (Some(_), Some(part)) => {
            let _ = writeln!(text, "\nA block of {}.", part.title());
        }
        _ => text.push_str("\nA block.\n"),
    }
    if shape.is_some_and(|shape| shape.contents == Contents::Open) {
        text.push_str("\nA provider or plugin defines what else is in it.\n");
    }
    let about = known.map(|known| known.about.markdown()).unwrap_or_default();
    if !about.is_empty() {
        let _ = writeln!(text, "\n{about}");
    }
    Some(text)
}
