//! Edits of a script: an HCL file of `match` blocks, each with a path and the changes to everything that the path
//! selects. See "Scripts" in `docs/editing.md`.

use std::sync::Arc;

use hclkit::ast::{ExpressionKind, ExpressionNode, ObjectKey};
use hclkit::model::{Attribute, Block, Body, Expression, Schema};
use hclkit::syntax::Span;
use hclkit::{Context, Diagnostic, Diagnostics, Source};

use super::orders::{Action, Order, parse};
use super::set;
use crate::input::Input;
use crate::messages;
use crate::outcome::Failure;
use crate::output::print_diagnostics;

/// The edits of a script, in the order of the script.
pub(super) fn read(input: &Input) -> Result<Vec<Order>, Failure> {
    let source = input.read().map_err(Failure::from)?;
    let (body, mut diagnostics) = Body::parse(source);
    let mut orders = Vec::new();
    if !diagnostics.has_errors() {
        let (content, found) = body.content(&Schema::new().with_block("match", &["path"]));
        diagnostics.extend(found);
        for block in &content.blocks {
            match_block(block, &mut orders, &mut diagnostics)?;
        }
    }
    if diagnostics.has_errors() {
        print_diagnostics(&diagnostics)?;
        let form = "it consists of blocks such as `match \"service.web\" { … }` with `set = { port = 8080 }` in them";
        return Err(Failure::new(format!("{}: the script has errors; {form}", input.name())));
    }
    Ok(orders)
}

fn match_block(block: &Block, orders: &mut Vec<Order>, diagnostics: &mut Diagnostics) -> Result<(), Failure> {
    let schema = ["where", "set", "delete", "rename", "append", "prepend", "move"]
        .into_iter()
        .fold(Schema::new(), Schema::with_optional)
        .with_block("insert", &["place"]);
    let (content, found) = block.body.content(&schema);
    diagnostics.extend(found);
    let mut script = Script { base: block.labels[0].to_string(), orders, diagnostics };
    if let Some(condition) = content.attributes.get("where") {
        // In parentheses, a number or a string is a predicate, too.
        script.base.extend(["[(", condition.expression.text(), ")]"]);
    }
    let mut attributes: Vec<&Attribute> = content.attributes.iter().collect();
    attributes.sort_by_key(|attribute| attribute.span.start);
    for attribute in attributes {
        match attribute.name.as_str() {
            "where" => {}
            "delete" => script.delete(attribute)?,
            "move" => script.move_to(attribute)?,
            name => script.pairs(name, attribute)?,
        }
    }
    for insert in &content.blocks {
        script.insert(insert)?;
    }
    Ok(())
}

/// The contents of a `match` block.
struct Script<'a> {
    /// The path with its predicate.
    base: String,
    orders: &'a mut Vec<Order>,
    diagnostics: &'a mut Diagnostics,
}

impl Script<'_> {
    fn error(&mut self, source: &Arc<Source>, span: Span, error: Diagnostic) {
        self.diagnostics.push(error.at(span).with_source(source));
    }

    /// A path that starts at what the block matches.
    fn path(&self, relative: &str) -> String {
        match relative {
            "." => self.base.clone(),
            _ if self.base == "." => relative.to_owned(),
            _ if relative.starts_with(['.', '[', '(', '{', '~']) => format!("{}{relative}", self.base),
            _ => format!("{}.{relative}", self.base),
        }
    }

    fn order(&mut self, what: &str, relative: &str, value: &str, action: Action) -> Result<(), Failure> {
        let path = self.path(relative);
        let text = format!("{what} {path}{}{value}", if value.is_empty() { "" } else { " = " });
        self.orders.push(Order { text, path: parse(&path)?, action });
        Ok(())
    }

    /// `set`, `rename`, `append` and `prepend`: an object of paths and values.
    fn pairs(&mut self, what: &str, attribute: &Attribute) -> Result<(), Failure> {
        let Some(object) = native(&attribute.expression, |kind| matches!(kind, ExpressionKind::Object))
        else {
            let error = messages::object_of_paths_required(what);
            self.error(&attribute.source, attribute.expression.span(), error);
            return Ok(());
        };
        for item in object.items() {
            let key = match item.key() {
                ObjectKey::Name(name) => Some(name.text.to_owned()),
                ObjectKey::Expression(key) => text_of(key),
            };
            let Some(key) = key else {
                self.error(&attribute.source, item.span(), messages::invalid_path());
                continue;
            };
            let value = item.value();
            let source = hclkit::write::source_of(value.document(), value.id());
            let action = match what {
                "set" => Action::Set(source.clone(), set::levels(&parse(&self.path(&key))?)),
                "rename" => {
                    let Some(name) = text_of(value) else {
                        self.error(&attribute.source, value.span(), messages::invalid_new_name());
                        continue;
                    };
                    Action::Rename(name)
                }
                _ if matches!(value.kind(), ExpressionKind::Tuple | ExpressionKind::Object) => {
                    let source = source[1..source.len() - 1].trim().to_owned();
                    if what == "append" { Action::Append(source) } else { Action::Prepend(source) }
                }
                _ => {
                    self.error(&attribute.source, value.span(), messages::elements_required(what));
                    continue;
                }
            };
            self.order(what, &key, &source, action)?;
        }
        Ok(())
    }

    /// `delete`: paths, or `true` for what the block matches.
    fn delete(&mut self, attribute: &Attribute) -> Result<(), Failure> {
        if attribute.expression.text() == "true" {
            return self.order("delete", ".", "", Action::Delete);
        }
        let tuple = native(&attribute.expression, |kind| matches!(kind, ExpressionKind::Tuple));
        let paths = tuple.and_then(|tuple| tuple.elements().map(text_of).collect::<Option<Vec<String>>>());
        let Some(paths) = paths else {
            let error = messages::tuple_of_paths_required();
            self.error(&attribute.source, attribute.expression.span(), error);
            return Ok(());
        };
        paths.iter().try_for_each(|path| self.order("delete", path, "", Action::Delete))
    }

    fn move_to(&mut self, attribute: &Attribute) -> Result<(), Failure> {
        let Some(path) = attribute.expression.ast().and_then(text_of) else {
            let error = messages::quoted_path_required();
            self.error(&attribute.source, attribute.expression.span(), error);
            return Ok(());
        };
        let to = parse(&path)?;
        self.order("move", ".", &path, Action::Move(to))
    }

    fn insert(&mut self, block: &Block) -> Result<(), Failure> {
        let source = block.source.slice(Span::new(block.open_span.end, block.close_span.start));
        let source = source.trim_start_matches(['\r', '\n']).to_owned();
        let place = block.labels[0].to_string();
        let action = match place.as_str() {
            "start" => Action::Prepend(source),
            "end" => Action::Append(source),
            "before" => Action::Before(source),
            "after" => Action::After(source),
            _ => {
                self.error(&block.source, block.label_spans[0], messages::invalid_place());
                return Ok(());
            }
        };
        self.order(&format!("insert {place}"), ".", "", action)
    }
}

/// The syntax of an expression of a kind.
fn native(
    expression: &Expression,
    is_kind: impl Fn(ExpressionKind<'_>) -> bool,
) -> Option<ExpressionNode<'_>> {
    expression.ast().filter(|node| is_kind(node.kind()))
}

/// The value of a string without variables.
fn text_of(node: ExpressionNode<'_>) -> Option<String> {
    let value = Expression::parse(node.text()).ok()?.evaluate(&Context::new()).ok()?;
    value.as_str().map(str::to_owned)
}
