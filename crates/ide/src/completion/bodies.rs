//! What can be at the start of an item: arguments and blocks in bodies, keys in objects, and the labels of blocks.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use hclkit::ast::{ExpressionKind, Item, ObjectKey};
use hclkit::dialect::Role;
use hclkit::syntax::NodeKind;
use hclkit::value::Type;
use hclkit::{Context, Span};

use super::place::Place;
use super::ranking::{Names, Used, rank};
use super::{Completion, CompletionKind, USED, item};
use crate::Snapshot;
use crate::body_schema::{self, About, Argument, Block, EnclosingBlock};
use crate::budget::alone;
use crate::file::File;
use crate::module::Module;
use crate::scope;
use crate::usage::{Form, Path, Subject, family, is_typed, remote_source};

/// How often objects of a provider must have an argument for it to be offered for others, and the most of them.
const LEAST_COMMON: u32 = 6;
const MOST_COMMON: usize = 20;
/// The longest type that is shown beside a name.
const MOST_TYPE: usize = 60;

/// What is around a cursor in a body or an object.
struct Neighbors {
    /// The names that are there already.
    present: BTreeSet<String>,
    /// The name before the cursor, or nothing.
    previous: String,
}

/// How the items of a list are inserted.
struct Insertion<'f> {
    word: Span,
    /// Whether an equals sign, a label or a body follows, which stay.
    has_rest: bool,
    neighbors: &'f Neighbors,
    used: Names,
    next: Names,
}

impl Insertion<'_> {
    fn weight(&self, name: &str) -> u16 {
        let of = |names: &Names| names.get(name).copied().unwrap_or_default().weight();
        // What comes after the item before says more than how often there is one.
        of(&self.used) / 2 + of(&self.next) * 2
    }

    fn argument(&self, known: &Argument) -> Option<Completion> {
        if self.neighbors.present.contains(&known.name) {
            return None;
        }
        let mut own = item(known.name.clone(), CompletionKind::Argument, self.word);
        own.detail = detail(known.ty.as_ref(), known.required);
        own.documentation = known.about.markdown();
        own.is_deprecated = known.about.deprecated.is_some();
        let unused = if known.about.deprecated.is_some() { 0 } else { 20 };
        own.rank = rank(self.weight(&known.name) + unused + if known.required { 350 } else { 0 });
        self.insert_value(&mut own, &known.placeholder());
        Some(own)
    }

    /// An argument that only other files show.
    fn used_argument(&self, name: &str, used: Used) -> Option<Completion> {
        if self.neighbors.present.contains(name) {
            return None;
        }
        let mut own = item(name.to_owned(), CompletionKind::Argument, self.word);
        USED.clone_into(&mut own.detail);
        own.rank = rank(self.weight(name));
        self.insert_value(&mut own, placeholder(used.form));
        Some(own)
    }

    fn insert_value(&self, own: &mut Completion, value: &str) {
        if self.has_rest {
            return;
        }
        own.text = format!("{} = {value}", own.label);
        own.snippet = Some(format!("{} = {}", own.label, snippet(value)));
    }
}

/// The type of an argument, and whether it must be there, in a line.
fn detail(ty: Option<&Type>, is_required: bool) -> String {
    let ty = ty.filter(|ty| **ty != Type::Dynamic).map(ToString::to_string).filter(|ty| ty.len() < MOST_TYPE);
    match (is_required, ty) {
        (true, None) => "required".to_owned(),
        (true, Some(ty)) => format!("{ty}, required"),
        (false, ty) => ty.unwrap_or_default(),
    }
}

/// A value to begin with, by what others look like.
fn placeholder(form: Form) -> &'static str {
    match form {
        Form::List => "[]",
        Form::Object => "{}",
        Form::Text | Form::Other | Form::Block => "\"\"",
    }
}

/// A value as a snippet, in which the part to replace is selected.
fn snippet(value: &str) -> String {
    match value {
        "[]" => "[$1]".to_owned(),
        "{}" => "{\n  $1\n}".to_owned(),
        "true" => "${1|true,false|}".to_owned(),
        "false" => "${1|false,true|}".to_owned(),
        "\"\"" => "\"$1\"".to_owned(),
        value => match value.strip_prefix('"').and_then(|value| value.strip_suffix('"')) {
            Some(inner) => format!("\"${{1:{inner}}}\""),
            None => format!("${{1:{value}}}"),
        },
    }
}

impl Snapshot {
    pub(super) fn body_items(
        &self,
        file: &File,
        module: &Module,
        around: &[EnclosingBlock],
        word: Span,
    ) -> Vec<Completion> {
        let is_values = file.holds_values() && around.is_empty();
        let path = if is_values { Path::values() } else { usage_path(file, around, word.start) };
        let neighbors = in_body(file, word);
        let insertion = self.insertion(file, module, &path, &neighbors, word, false);
        if is_values {
            let variables = self.variables_for(file, module);
            let mut items: Vec<Completion> =
                variables.iter().filter_map(|known| insertion.argument(known)).collect();
            if variables.is_empty() {
                items.extend(used_items(file, &insertion, &BTreeSet::new(), 0));
            }
            return items;
        }
        let content = self.content(file, module, around);
        let mut items: Vec<Completion> =
            content.arguments.iter().filter_map(|known| insertion.argument(known)).collect();
        let mut known: BTreeSet<&str> = content.arguments.iter().map(|own| own.name.as_str()).collect();
        let inputs = match around {
            [own] if body_schema::is_call(file, &own.block_type) => self.inputs_of_call(file, word.start),
            _ => Vec::new(),
        };
        items.extend(inputs.iter().filter_map(|known| insertion.argument(known)));
        known.extend(inputs.iter().map(|own| own.name.as_str()));
        known.extend(content.blocks.iter().map(|own| own.name.as_str()));
        items.extend(content.blocks.iter().filter_map(|own| block_item(own, &insertion, around.len())));
        if self.takes_others(file, module, around) && inputs.is_empty() {
            items.extend(used_items(file, &insertion, &known, around.len()));
            items.extend(self.similar_items(file, module, &path, &insertion, &items));
        }
        items
    }

    /// What an object or a call without a schema may have: the arguments that many others of the provider have, and those with
    /// the names of variables that nothing uses yet.
    fn similar_items(
        &self,
        file: &File,
        module: &Module,
        path: &Path,
        insertion: &Insertion<'_>,
        known: &[Completion],
    ) -> Vec<Completion> {
        let Some(family) =
            family(&path.text).filter(|_| !path.text.contains('/') || path.text.starts_with("call "))
        else {
            return Vec::new();
        };
        let mut known: BTreeSet<&str> = known.iter().map(|own| own.label.as_str()).collect();
        let mut common: Vec<(String, Used)> =
            self.used_names(module, &Subject::Items(family)).into_iter().collect();
        common.retain(|(name, own)| own.near + own.far >= LEAST_COMMON && !known.contains(name.as_str()));
        common.sort_by_key(|(_, own)| std::cmp::Reverse(own.near + own.far));
        common.truncate(MOST_COMMON);
        let own = common.iter().filter_map(|(name, used)| insertion.used_argument(name, *used));
        let mut items: Vec<Completion> = own.collect();
        known.extend(common.iter().map(|(name, _)| name.as_str()));
        let used = self.used_names(module, &Subject::Members("var".to_owned()));
        let inputs = module.files.iter().flat_map(|file| scope::declared(file));
        for (own, _) in inputs.filter(|(_, role)| *role == Role::Input) {
            let name = own.name();
            if used.contains_key(name) || !known.insert(name) {
                continue;
            }
            let Some(mut item) = insertion.used_argument(name, Used::default()) else { continue };
            "a variable has this name".clone_into(&mut item.detail);
            item.rank = rank(30);
            insertion.insert_value(&mut item, &own.address.join("."));
            items.push(item);
        }
        let typed = file.document().source().slice(insertion.word);
        items.retain(|item| item.label != typed);
        items
    }

    fn insertion<'n>(
        &self,
        file: &File,
        module: &Module,
        path: &Path,
        neighbors: &'n Neighbors,
        word: Span,
        in_object: bool,
    ) -> Insertion<'n> {
        // What follows the word is kept.
        let rest = file.text()[word.end as usize..].trim_start_matches([' ', '\t']);
        let has_rest = rest.starts_with(['=', '{', '"']) || in_object && rest.starts_with(':');
        let used = self.used_names(module, &Subject::Items(path.text.clone()));
        let next = self.used_names(module, &Subject::Next(path.text.clone(), neighbors.previous.clone()));
        Insertion { word, has_rest, neighbors, used, next }
    }

    /// Whether a body can have arguments that nothing here describes: those of providers and modules that are elsewhere.
    fn takes_others(&self, file: &File, module: &Module, around: &[EnclosingBlock]) -> bool {
        if self.spec(file).is_some() {
            return false;
        }
        let Some(part) = file.content_dialect() else { return true };
        let Some((first, inner)) = around.split_first() else { return false };
        let Some(rule) = part.block(&first.block_type) else { return true };
        if rule.role == Role::Values {
            return false;
        }
        let has_schema = first.labels.first().is_some_and(|object_type| {
            self.with_object_schema(module, &first.block_type, object_type, |_| ()).is_some()
        });
        if has_schema {
            return false;
        }
        let is_listed = |contents| contents == hclkit::dialect::Contents::Listed;
        let nested = inner.last().and_then(|own| {
            let outer = around.get(around.len() - 2).map(|own| own.block_type.as_str());
            part.shape(outer, &own.block_type)
        });
        let contents = match inner.last() {
            None => rule.contents,
            // A part of an object that the provider defines.
            Some(_) => nested.map_or(rule.contents, |shape| shape.contents),
        };
        rule.role == Role::Call || !is_listed(contents) || rule.attributes.is_none()
    }

    /// The variables of the module that the block around a place calls.
    pub(super) fn inputs_of_call(&self, file: &File, offset: u32) -> Vec<Argument> {
        let called = self.called_at(file, offset);
        called.map(|called| variables(&called)).unwrap_or_default()
    }

    /// The keys that an object at a place can have.
    pub(super) fn object_items(
        &self,
        file: &File,
        module: &Module,
        around: &[EnclosingBlock],
        place: &Place,
        word: Span,
    ) -> Vec<Completion> {
        let neighbors = in_object(file, word);
        let path = place.path(usage_path(file, around, word.start));
        let mut insertion = self.insertion(file, module, &path, &neighbors, word, true);
        for other in place.other_paths(&path) {
            for (name, used) in self.used_names(module, &Subject::Items(other.text.clone())) {
                insertion.used.entry(name).or_insert(used);
            }
            for (name, used) in
                self.used_names(module, &Subject::Next(other.text, neighbors.previous.clone()))
            {
                insertion.next.entry(name).or_insert(used);
            }
        }
        let mut items = Vec::new();
        let mut known: BTreeSet<String> = BTreeSet::new();
        for argument in self.keys_of_type(file, module, around, place, word.start) {
            items.extend(insertion.argument(&argument));
            known.insert(argument.name);
        }
        let word_text = file.document().source().slice(word);
        for (name, used) in &insertion.used {
            let is_typed = name == word_text && used.near + used.far < 2;
            if !is_typed && !known.contains(name) && used.form != Form::Block {
                items.extend(insertion.used_argument(name, *used));
            }
        }
        for own in &mut items {
            own.kind = CompletionKind::Field;
        }
        items
    }

    /// The first labels that a block can have.
    pub(super) fn label_items(
        &self,
        file: &File,
        module: &Module,
        block_type: &str,
        start: u32,
        span: Span,
    ) -> Vec<Completion> {
        let around = body_schema::around(file, start);
        let part = file.content_dialect();
        let outer = around.last().map(|own| own.block_type.as_str());
        let mut all = self.label_values(module, block_type);
        let known = self.content(file, module, &around).blocks;
        if block_type == "dynamic" && outer.is_some() {
            all.extend(known.iter().filter(|own| own.labels.is_empty()).map(|own| own.name.clone()));
        }
        all.extend(known.into_iter().filter(|own| own.name == block_type).flat_map(|own| own.values));
        let names = self.used_names(module, &Subject::Labels(block_type.to_owned()));
        let is_chosen = part.is_none_or(|part| is_typed(part, outer, block_type));
        let mut used = if is_chosen { names } else { Names::new() };
        if block_type == "dynamic" && outer.is_some() {
            let path = usage_path(file, &around, start);
            let blocks = self.used_names(module, &Subject::Items(path.text));
            used = blocks.into_iter().filter(|(_, own)| own.form == Form::Block).collect();
        }
        let rule = part.filter(|_| outer.is_none()).and_then(|part| part.block(block_type));
        if let Some(rule) = rule.filter(|rule| rule.role == Role::Object && is_chosen) {
            let root = rule.defines.root().map(ToString::to_string).unwrap_or_default();
            let referred = self.used_names(module, &Subject::Members(root));
            let own = referred.into_iter().filter(|(name, own)| own.near > 0 && name.contains('_'));
            own.for_each(|(name, own)| used.entry(name).or_default().near += own.near);
        }
        if block_type == "dynamic" {
            // What the content refers to.
            let roots = self.used_names(module, &Subject::Members(String::new()));
            let is_iterator = |name: &String| {
                let members = self.used_names(module, &Subject::Members(name.clone()));
                members.contains_key("value") && !used.contains_key(name) && name != "each"
            };
            let own: Vec<String> = roots.into_keys().filter(is_iterator).collect();
            used.extend(own.into_iter().map(|name| (name, Used { near: 2, ..Used::default() })));
        }
        if is_chosen {
            all.extend(crate::providers::names(module).into_iter().filter(|_| block_type == "provider"));
        }
        let typed = file.document().source().slice(span);
        let is_finished = |(name, own): &(&String, &Used)| name.as_str() != typed || own.near + own.far > 1;
        all.extend(used.iter().filter(is_finished).map(|(name, _)| name.clone()));
        all.sort();
        all.dedup();
        let ranked = all.into_iter().map(|name| {
            let weight = used.get(&name).copied().unwrap_or_default().weight();
            Completion { rank: rank(weight), ..item(name, CompletionKind::Value, span) }
        });
        ranked.collect()
    }
}

/// The arguments and blocks that other files have at such a place, but for those that are known.
fn used_items(
    file: &File,
    insertion: &Insertion<'_>,
    known: &BTreeSet<&str>,
    level: usize,
) -> Vec<Completion> {
    let typed = file.document().source().slice(insertion.word);
    let mut items = Vec::new();
    for (name, used) in insertion.used.iter().filter(|(name, _)| !known.contains(name.as_str())) {
        // What is typed is not yet used.
        if name == typed && used.near + used.far < 2 {
            continue;
        }
        if used.form == Form::Block {
            let block = Block { name: name.clone(), is_used: true, ..Block::default() };
            items.extend(block_item(&block, insertion, level));
        } else {
            items.extend(insertion.used_argument(name, *used));
        }
    }
    items
}

fn block_item(block: &Block, insertion: &Insertion<'_>, level: usize) -> Option<Completion> {
    if block.once && insertion.neighbors.present.contains(&block.name) {
        return None;
    }
    let mut own = item(block.name.clone(), CompletionKind::Block, insertion.word);
    own.rank = rank(insertion.weight(&block.name) + if block.required { 350 } else { 10 });
    own.detail = if block.is_used { USED.to_owned() } else { block.labels.join(" ") };
    own.documentation = block.about.markdown();
    own.is_deprecated = block.about.deprecated.is_some();
    if !insertion.has_rest {
        let (mut plain, mut fields) = (String::new(), String::new());
        for (at, label) in block.labels.iter().enumerate() {
            let _ = write!(plain, " \"{label}\"");
            let _ = write!(fields, " \"${{{}:{label}}}\"", at + 1);
        }
        let indent = " ".repeat(2 * level);
        own.text = format!("{}{plain} {{\n{indent}}}", block.name);
        own.snippet = Some(format!("{}{fields} {{\n  $0\n}}", block.name));
    }
    Some(own)
}

/// The variables that a module declares, as arguments of a call.
pub(super) fn variables(module: &Module) -> Vec<Argument> {
    let mut found = Vec::new();
    for file in &module.files {
        let Some(part) = file.content_dialect() else { continue };
        for block in file.content().blocks {
            let Some(rule) = part.block(&block.block_type).filter(|rule| rule.role == Role::Input) else {
                continue;
            };
            let Some(name) =
                rule.defines.address(&block.labels, None).and_then(|names| names.last().cloned())
            else {
                continue;
            };
            let text = |name: &str| {
                let attribute = block.model.attribute(name)?;
                let (value, _) = alone(|| attribute.expression.evaluate_lenient(&Context::new()));
                value.as_str().map(str::to_owned)
            };
            found.push(Argument {
                name: name.to_string(),
                required: block.body.attribute("default").is_none(),
                ty: body_schema::declared_type(&block.model),
                about: About {
                    description: text("description").unwrap_or_default(),
                    deprecated: text("deprecated"),
                    ..About::default()
                },
                ..Argument::default()
            });
        }
    }
    found
}

/// The way to the body around an offset.
pub(super) fn usage_path(file: &File, around: &[EnclosingBlock], offset: u32) -> Path {
    let part = file.content_dialect().map(std::convert::AsRef::as_ref);
    let mut path = Path::default();
    let mut outer: Option<&str> = None;
    for own in around {
        let source = (outer.is_none() && body_schema::is_call(file, &own.block_type))
            .then(|| {
                let document = file.document();
                let nodes = document.nodes_at(offset);
                let node = nodes.into_iter().find(|&node| document.tree().kind(node) == NodeKind::Block)?;
                remote_source(document.block_at(node)?)
            })
            .flatten();
        path = match source {
            Some(source) => Path::call(&source),
            None => path.block(part, outer, &own.block_type, &own.labels),
        };
        outer = Some(&own.block_type);
    }
    path
}

/// The attributes and blocks of the body around a place.
fn in_body(file: &File, word: Span) -> Neighbors {
    let document = file.document();
    let nodes = document.nodes_at(word.start);
    let body = nodes.into_iter().rev().find(|&node| document.tree().kind(node) == NodeKind::Body);
    let mut found = Neighbors { present: BTreeSet::new(), previous: String::new() };
    for item in body.into_iter().flat_map(|body| document.body_at(body).items()) {
        let name = match item {
            Item::Attribute(attribute) => attribute.name(),
            Item::Block(block) => block.block_type(),
        };
        if !item.span().touches(word.start) || item.span().len() > word.len() + 200 {
            found.present.insert(name.to_owned());
        }
        if item.span().end <= word.start && item.span().start < word.start {
            name.clone_into(&mut found.previous);
        }
    }
    found
}

/// The keys of the object around a place.
fn in_object(file: &File, word: Span) -> Neighbors {
    let document = file.document();
    let nodes = document.nodes_at(word.start);
    let object = nodes.into_iter().rev().find(|&node| document.tree().kind(node) == NodeKind::Object);
    let mut found = Neighbors { present: BTreeSet::new(), previous: String::new() };
    let Some(object) = object.map(|node| document.expression_at(node)) else { return found };
    if !matches!(object.kind(), ExpressionKind::Object) {
        return found;
    }
    for item in object.items() {
        let ObjectKey::Name(name) = item.key() else { continue };
        if name.span.touches(word.start) {
            continue;
        }
        found.present.insert(name.text.to_owned());
        if item.span().end <= word.start {
            name.text.clone_into(&mut found.previous);
        }
    }
    found
}
