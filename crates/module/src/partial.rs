//! The files of a module with all known values inserted. Everything else keeps its text and its comments.

use std::collections::HashMap;
use std::sync::Arc;

use hclkit_limits::Meter;
use hclkit_model::{Attribute, Block, Body, BodyItem, Context, Expression, PartialOptions, Rest, Scope};
use hclkit_syntax::ast::ExpressionKind;
use hclkit_syntax::{Code, Diagnostic, Diagnostics, Place, Source, Span, StartSymbol, Syntax};
use hclkit_value::{Name, Type, Value};

use crate::config::{Config, Content, Item};
use crate::instance::Instance;
use crate::module::Module;
use crate::schema::BlockSchema;
use hclkit_dialect::{BlockRule, Role};

/// A file of a module with all known values inserted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PartialFile {
    /// The path, relative to the directory of the root module.
    pub path: String,
    /// The text. It is not formatted.
    pub text: String,
}

/// Writes a value as source. The result is used only if it evaluates to the same value.
pub type WriteValue<'w> = &'w dyn Fn(&Value) -> String;

impl Module {
    /// Returns the files of the module and of the modules that it calls, with all known values inserted. In a module
    /// that is called several times, only values that are the same in each call are known. Values that were set for
    /// variables of the root module become their defaults. Conditions, types, settings and files in the JSON syntax
    /// are not changed.
    ///
    /// The warnings of the evaluation are returned with the files.
    ///
    /// Evaluating the result gives the same values. Marked values are only written if the options allow it.
    ///
    /// ```
    /// use hclkit_model::PartialOptions;
    /// use hclkit_module::{Dialect, Memory, ModuleLoader};
    ///
    /// let text = "variable \"env\" {}\n\nlocals {\n  # Where it runs.\n  name = \"shop-${var.env}\"\n}\n";
    /// let files = Memory::from_iter([("main.tf", text)]);
    /// let loader = ModuleLoader::new(Dialect::terraform()).with_files(files);
    /// let module = loader.with_variable_text("env", "test").load();
    /// let (files, _) = module.partial(PartialOptions::new(), &|value| value.to_string()).unwrap();
    /// assert!(files[0].text.contains("# Where it runs.\n  name = \"shop-test\"\n"));
    /// ```
    ///
    /// # Errors
    /// The errors of the evaluation, or a limit is exceeded. Each byte of the values in a file counts as 64 bytes, because
    /// the file is read again.
    pub fn partial(
        &self,
        options: PartialOptions,
        write: WriteValue<'_>,
    ) -> Result<(Vec<PartialFile>, Diagnostics), Diagnostics> {
        let found = self.evaluate(&[]).diagnostics;
        if found.has_errors() {
            return Err(found);
        }
        let mut files = Vec::new();
        for same in self.configs().chunk_by(|one, other| one.directory == other.directory) {
            let config = &same[0];
            let instances = self.instances(&config.directory);
            let Some(context) = context(&instances) else {
                files.extend(config.files.iter().map(|(path, body)| unchanged(path, body)));
                continue;
            };
            let items = items(&instances[0].config);
            for (path, body) in &config.files {
                if Syntax::of(path) == Syntax::Json {
                    files.push(unchanged(path, body));
                    continue;
                }
                let (instance, changes) = (&instances[0], Vec::new());
                let mut rewriting =
                    Rewriting { instance, items: &items, options, write, changes, written: 0, limit: None };
                rewriting.file(body, &context);
                if let Some(exceeded) = rewriting.limit {
                    return Err(exceeded.into());
                }
                files.push(PartialFile { path: path.clone(), text: rewriting.text(body) });
            }
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok((files, found))
    }

    /// The instances of the module in a directory that the evaluation created.
    fn instances(&self, directory: &str) -> Vec<Arc<Instance>> {
        let (mut open, mut found) = (vec![self.root.clone()], Vec::new());
        while let Some(instance) = open.pop() {
            for at in 0..instance.config.items.len() {
                open.extend(instance.created(at).iter().cloned());
            }
            if instance.config.directory == directory {
                found.push(instance);
            }
        }
        found
    }
}

/// Blocks by their types and labels, because a file can override those of another.
type Items<'m> = HashMap<(&'m Name, &'m [Name]), &'m Item>;

fn items(config: &Config) -> Items<'_> {
    let mut items = Items::with_capacity(config.items.len());
    for item in &config.items {
        items.entry((&item.rule.block_type, &item.labels)).or_insert(item);
    }
    items
}

fn unchanged(path: &str, body: &Body) -> PartialFile {
    PartialFile { path: path.to_owned(), text: body.source().text().to_owned() }
}

/// The values that are known in all instances of a module.
fn context(instances: &[Arc<Instance>]) -> Option<Context> {
    let (first, others) = instances.split_first()?;
    if others.is_empty() {
        return Some(first.context.clone());
    }
    let mut scope = Scope::new();
    let value_of =
        |instance: &Instance, path: &[&str]| instance.context.value_alone(path).unwrap_or(Value::DYNAMIC);
    let mut add = |address: &[Name], evaluated: bool| {
        let path: Vec<&str> = address.iter().map(Name::as_str).collect();
        let mut value = Value::DYNAMIC;
        if evaluated {
            let own = value_of(first, &path);
            if others.iter().all(|other| value_of(other, &path) == own) {
                value = own;
            }
        }
        scope.set(address.iter().cloned(), value);
    };
    for (name, _) in &first.tree.language.builtins {
        add(name, true);
    }
    for named in &first.config.values {
        add(&named.address, true);
    }
    for item in &first.config.items {
        match (&item.content, item.rule.role) {
            (Content::Input(_), _) | (Content::Output(_), Role::Value) => add(&item.address, true),
            (Content::Object(_) | Content::Call(_), _) => add(&item.address, false),
            _ => {}
        }
    }
    Some(Context::new().with_functions(first.tree.functions.clone()).with_scope(scope))
}

struct Rewriting<'m> {
    instance: &'m Arc<Instance>,
    items: &'m Items<'m>,
    options: PartialOptions,
    write: WriteValue<'m>,
    /// The parts of the text to replace, each with its replacement.
    changes: Vec<(Span, String)>,
    /// The bytes of the new text.
    written: u64,
    /// The error if a limit was exceeded, which ends the work.
    limit: Option<Diagnostic>,
}

/// The memory that a byte of source takes when it is read, at most.
const READ: u64 = 64;

impl<'m> Rewriting<'m> {
    fn file(&mut self, body: &Body, context: &Context) {
        let language = self.instance.tree.language.clone();
        for item in body.items() {
            let BodyItem::Block(block) = item else { continue };
            let Some(rule) = language.blocks.iter().find(|rule| rule.block_type == block.block_type) else {
                continue;
            };
            match rule.role {
                Role::Input => self.default(&block),
                Role::Settings if rule.labels.is_empty() => {}
                Role::Check => {}
                _ if self.is_sensitive(&block) => {}
                _ => {
                    let (instance, item) = (self.instance, self.item(&block));
                    let schema = item.and_then(|item| instance.tree.schemas.object(item, &instance.config));
                    self.block(&block, Some(rule), schema, context);
                }
            }
        }
    }

    /// Returns true if a block declares its value as sensitive, and such values must not be written.
    fn is_sensitive(&self, block: &Block) -> bool {
        !self.options.reveals_marked() && self.item(block).is_some_and(Item::is_sensitive)
    }

    fn item(&self, block: &Block) -> Option<&'m Item> {
        self.items.get(&(&block.block_type, &block.labels[..])).copied()
    }

    /// Rewrites the attributes of a block and its nested blocks.
    fn block(
        &mut self,
        block: &Block,
        rule: Option<&BlockRule>,
        schema: Option<&BlockSchema>,
        context: &Context,
    ) {
        let language = self.instance.tree.language.clone();
        for item in block.body.items() {
            match item {
                BodyItem::Attribute(attribute) => {
                    let only_value = rule.is_some_and(|rule| matches!(rule.role, Role::Value | Role::Result));
                    let fixed = rule.is_some_and(|rule| {
                        rule.fixed.contains(&attribute.name) || only_value && attribute.name != rule.value
                    });
                    let sensitive = !self.options.reveals_marked()
                        && schema.is_some_and(|schema| schema.is_sensitive(&attribute.name));
                    if !fixed && !sensitive {
                        self.attribute(&attribute, context);
                    }
                }
                BodyItem::Block(inner) => {
                    if rule.is_some() && language.nested(&inner.block_type).is_some() {
                        continue;
                    }
                    let nested = |name: &str| schema.and_then(|schema| schema.nested(name));
                    if inner.block_type == *"dynamic" {
                        let schema = inner.labels.first().and_then(|name| nested(name));
                        self.dynamic(&inner, schema, context);
                    } else {
                        let schema = nested(&inner.block_type);
                        hclkit_limits::with_room(|| self.block(&inner, None, schema, context));
                    }
                }
            }
        }
    }

    /// A repeated block, whose content can use an iterator.
    fn dynamic(&mut self, block: &Block, schema: Option<&BlockSchema>, context: &Context) {
        let mut inner = context.child();
        let iterator =
            block.body.attribute("iterator").map(|attribute| attribute.expression.text().to_owned());
        let iterator = iterator.map(Name::from).or_else(|| block.labels.first().cloned());
        if let Some(iterator) = iterator {
            inner.set(iterator, Value::DYNAMIC);
        }
        for item in block.body.items() {
            match item {
                BodyItem::Attribute(attribute) if attribute.name == *"for_each" => {
                    self.attribute(&attribute, context);
                }
                BodyItem::Block(content) if content.block_type == *"content" => {
                    hclkit_limits::with_room(|| self.block(&content, None, schema, &inner));
                }
                _ => {}
            }
        }
    }

    fn attribute(&mut self, attribute: &Attribute, context: &Context) {
        let expression = &attribute.expression;
        if self.limit.is_some() {
            return;
        }
        let (rest, computed) = match self.options.rewrite(expression, context) {
            Ok(rewritten) => rewritten,
            Err(found) => {
                // Other errors were already reported, or occur only for some values.
                self.limit = found.into_iter().find(|found| found.code().is_some_and(Code::is_limit));
                return;
            }
        };
        let stays = rest.text == expression.text() && (!computed || is_literal(expression));
        if !stays && !self.has_room(&rest.text, computed.then_some(&rest.value), &expression.place()) {
            return;
        }
        let text = if computed { self.computed(&rest).unwrap_or(rest.text) } else { rest.text };
        if text != expression.text() {
            self.changes.push((expression.span(), text));
        }
    }

    /// Returns true if there is room for a new text, or for the value that is written instead.
    fn has_room(&mut self, text: &str, value: Option<&Value>, place: &Place) -> bool {
        // The size of a value is an estimate of up to four times the size of its text.
        let size = value.map_or(0, |value| value.text_size() / 4).max(text.len() as u64);
        self.written = self.written.saturating_add(size);
        let size = usize::try_from(self.written.saturating_mul(READ)).unwrap_or(usize::MAX);
        if let Err(exceeded) = Meter::current().room_for_bytes(size) {
            self.limit = Some(Diagnostic::exceeded(exceeded).at(place.clone()));
        }
        self.limit.is_none()
    }

    fn computed(&self, rest: &Rest) -> Option<String> {
        let functions = Context::new().with_functions(self.instance.tree.functions.clone());
        source_of_value(&rest.text, &rest.value, &functions, self.write)
    }

    /// Writes the value that was set for a variable as its default.
    fn default(&mut self, block: &Block) {
        if !self.instance.is_root() {
            return;
        }
        let Some(item) = self.item(block) else { return };
        let Content::Input(input) = &item.content else { return };
        if !self.instance.tree.outside.inputs.contains_key(item.own_name()) || input.hidden {
            return;
        }
        let path: Vec<&str> = item.address.iter().map(Name::as_str).collect();
        let Some(value) = self.instance.context.value_alone(&path) else { return };
        if value.contains_marked() || !value.is_wholly_known() || value.is_null() && !input.nullable {
            return;
        }
        if !self.has_room("", Some(&value), &Place::new(&block.source, block.definition_span)) {
            return;
        }
        let plain = plain(&value);
        let is_same = |text: &String| {
            let read = Expression::read(Source::new("", text.as_str()), StartSymbol::Expression);
            let read = read.ok().and_then(|expression| expression.evaluate(&Context::new()).ok());
            let read = read.and_then(|found| crate::inputs::convert(&found, input.constraint.as_ref()).ok());
            read == Some(value.clone())
        };
        let texts = [(self.write)(&plain), plain.to_string()];
        let Some(text) = texts.into_iter().find(is_same) else { return };
        if let Some(default) = block.body.attribute("default") {
            self.changes.push((default.expression.span(), text));
            return;
        }
        let inside = block.source.slice(Span::new(block.open_span.end, block.close_span.start));
        let (open, close) = (block.open_span.end, block.close_span.start);
        if inside.contains('\n') {
            self.changes.push((Span::new(close, close), format!("  default = {text}\n")));
        } else {
            self.changes.push((Span::new(open, open), "\n".to_owned()));
            self.changes.push((Span::new(close, close), format!("\n  default = {text}\n")));
        }
    }

    /// Returns the text with the changes.
    fn text(self, body: &Body) -> String {
        with_changes(&body.source(), self.changes)
    }
}

/// A text with some parts replaced. Of two changes of the same part, one counts.
pub fn with_changes(source: &Source, mut changes: Vec<(Span, String)>) -> String {
    changes.sort_by_key(|(span, _)| (span.start, span.end));
    let (mut text, mut at) = (String::new(), 0);
    for (span, new) in &changes {
        if span.start < at {
            continue;
        }
        text.push_str(source.slice(Span::new(at, span.start)));
        text.push_str(new);
        at = span.end;
    }
    text.push_str(source.text().get(at as usize..).unwrap_or_default());
    text
}

/// Returns the source of a value, which evaluates to it in a context with functions. `rest` is what remains of its expression; that
/// of a literal is kept with its comments.
pub fn source_of_value(
    rest: &str,
    value: &Value,
    functions: &Context,
    write: WriteValue<'_>,
) -> Option<String> {
    let value = &value.unmark_deep().0;
    let read = |text: &str| Expression::read(Source::new("", text), StartSymbol::Expression);
    let is_same = |text: &str, context: &Context| {
        read(text).and_then(|expression| expression.evaluate(context)).is_ok_and(|found| found == *value)
    };
    if read(rest).is_ok_and(|rest| is_literal(&rest)) && is_same(rest, &Context::new()) {
        return Some(rest.to_owned());
    }
    let mut texts = vec![write(value), value.to_string()];
    let conversion = match value.ty() {
        Type::List(_) => Some("tolist"),
        Type::Set(_) => Some("toset"),
        Type::Map(_) => Some("tomap"),
        _ => None,
    };
    if let Some(conversion) = conversion {
        let plain = plain(value);
        texts.push(format!("{conversion}({})", write(&plain)));
        texts.push(format!("{conversion}({plain})"));
    }
    texts.into_iter().find(|text| is_same(text, functions))
}

/// Returns true if an expression has no operators, references or calls.
fn is_literal(expression: &Expression) -> bool {
    let own = match expression.ast().map(hclkit_syntax::ast::ExpressionNode::kind) {
        Some(ExpressionKind::Object | ExpressionKind::Tuple) => true,
        Some(ExpressionKind::Template(_)) => expression.parts().is_empty(),
        Some(ExpressionKind::Number(_) | ExpressionKind::Bool(_) | ExpressionKind::Null) => true,
        _ => false,
    };
    own && hclkit_limits::with_room(|| expression.parts().iter().all(is_literal))
}

/// Converts lists, sets and maps to tuples and objects, the types of literals.
fn plain(value: &Value) -> Value {
    if value.is_null() {
        return Value::NULL;
    }
    if let Some(entries) = value.entries() {
        return Value::object(entries.map(|(name, value)| (name.clone(), plain(value))));
    }
    match value.as_slice() {
        Some(items) => Value::tuple(items.iter().map(plain)),
        None => value.clone(),
    }
}
