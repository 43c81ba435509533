//! Collects the schema that the modules of one tree need: the types of resources and data sources, their attributes and
//! nested blocks, and the attributes that references select.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;
use hclkit_syntax::ast::{BlockNode, BodyNode, ExpressionKind, ExpressionNode, Item};
use serde_json::{Value, json};

use super::flow::{Flow, Kind, Names, Origin, Origins, Walker, step};
use super::schema::{Block, Nested, Schema, dynamic};
use super::terraform::Problem;
use super::tree::{Directory, clean, label};

/// A directory and those that it calls.
pub(super) struct Tree {
    pub(super) directories: Vec<Directory>,
    pub(super) flow: Flow,
    /// A call that leads nowhere.
    pub(super) missing: Option<String>,
}

/// What a tree needs.
pub(super) struct Needs {
    pub(super) schema: Schema,
    /// Outputs that calls use and that directories do not have.
    pub(super) outputs: BTreeSet<(PathBuf, String)>,
}

impl Tree {
    /// Reads a directory and those that it calls, which must all be local.
    pub(super) fn read(root: &Path) -> Result<Self> {
        Self::of(vec![Directory::read(root)?])
    }

    /// The tree of directories, the first of which is the root, and of those that they call.
    pub(super) fn of(directories: Vec<Directory>) -> Result<Self> {
        let mut tree = Self { directories, flow: Flow::default(), missing: None };
        let mut at = 0;
        while let Some(directory) = tree.directories.get(at) {
            let calls: Vec<(String, PathBuf)> = directory
                .calls()
                .map(|(name, _, source)| (name, clean(&directory.path.join(source))))
                .collect();
            for (name, path) in calls {
                if !path.is_dir() {
                    tree.missing = Some(name);
                    continue;
                }
                let known = tree.directories.iter().position(|directory| directory.path == path);
                let called = if let Some(called) = known {
                    called
                } else {
                    tree.directories.push(Directory::read(&path)?);
                    tree.directories.len() - 1
                };
                tree.flow.calls.insert((at, name), called);
            }
            at += 1;
        }
        Ok(tree)
    }

    /// The entries of `.terraform/modules/modules.json`: keys, sources and directories relative to the root.
    pub(super) fn manifest(&self) -> Value {
        let root = &self.directories[0].path;
        let mut modules = vec![json!({ "Key": "", "Source": "", "Dir": "." })];
        let mut open = vec![(String::new(), 0)];
        while let Some((prefix, at)) = open.pop() {
            for (name, _, source) in self.directories[at].calls() {
                let Some(called) = self.flow.calls.get(&(at, name.clone())) else { continue };
                let key = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
                let directory = super::tree::relative(root, &self.directories[*called].path);
                modules
                    .push(json!({ "Key": key, "Source": source, "Dir": directory.trim_start_matches("./") }));
                // Terraform refuses modules that call themselves.
                if key.matches('.').count() < 20 {
                    open.push((key, *called));
                }
            }
        }
        json!({ "Modules": modules })
    }

    /// Collects what the tree needs.
    pub(super) fn collect(&mut self) -> Needs {
        let mut schema = Schema::default();
        let mut flow = std::mem::take(&mut self.flow);
        for (at, directory) in self.directories.iter().enumerate() {
            Collector { directory, at, schema: &mut schema, flow: &mut flow }.collect();
        }
        for (at, provider, function) in &flow.functions {
            let source = self.directories[*at].provider_sources().remove(provider);
            let ty =
                source.as_deref().and_then(|source| source.rsplit('/').next()).unwrap_or(provider).to_owned();
            schema.functions.entry(ty).or_default().insert(function.clone());
        }
        for (kind, ty, path) in &flow.exact {
            let (blocks, element) = schema.of(*kind);
            if let Some(block) = blocks.get_mut(ty) {
                block.select(path, &element);
            }
        }
        let reached = flow.reach();
        let mut outputs = BTreeSet::new();
        for (origin, name) in &flow.loose {
            for held in flow.held(origin, &reached) {
                match held {
                    Origin::Object(kind, ty, mut path) => {
                        path.push(name.clone());
                        let (blocks, element) = schema.of(kind);
                        if let Some(block) = blocks.get_mut(&ty) {
                            block.select_loosely(&path, &element);
                        }
                    }
                    Origin::Call(directory, call) => {
                        let Some(called) = flow.calls.get(&(directory, call)) else { continue };
                        let called = &self.directories[*called];
                        if !called.blocks("output").any(|block| label(block, 0).as_ref() == Some(name)) {
                            outputs.insert((called.path.clone(), name.clone()));
                        }
                    }
                    Origin::Name(..) => {}
                }
            }
        }
        for blocks in [&mut schema.resources, &mut schema.data, &mut schema.ephemeral] {
            for block in blocks.values_mut() {
                block.attributes.entry("id".to_owned()).or_insert_with(dynamic);
            }
        }
        self.flow = flow;
        Needs { schema, outputs }
    }

    /// The type of the data source that an error is in.
    pub(super) fn data_source_at(&self, error: &Problem) -> Option<String> {
        let path = super::tree::clean(&self.directories[0].path.join(&error.file));
        let directory = self.directories.iter().find(|one| Some(one.path.as_path()) == path.parent())?;
        label(directory.block_at("data", path.file_name()?.to_str()?, error.line)?, 0)
    }

    /// The names that directories have for their providers.
    pub(super) fn provider_names(&self) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for directory in &self.directories {
            all.extend(directory.provider_sources().into_keys());
            let objects =
                ["resource", "data", "ephemeral"].into_iter().flat_map(|kind| directory.blocks(kind));
            let names = objects.filter_map(|block| {
                let own = block.body().attribute("provider").map(|own| own.value().text().to_owned());
                let ty = || Some(label(block, 0)?.split('_').next()?.to_owned());
                own.and_then(|own| Some(own.split('.').next()?.to_owned())).or_else(ty)
            });
            all.extend(names);
        }
        all.remove("terraform");
        all
    }

    /// The sources of all providers.
    pub(super) fn providers(&self) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for directory in &self.directories {
            let sources = directory.provider_sources();
            for kind in ["resource", "data", "ephemeral", "provider"] {
                for block in directory.blocks(kind) {
                    let own = block.body().attribute("provider").map(|own| own.value().text().to_owned());
                    let name = own.or_else(|| label(block, 0)).unwrap_or_default();
                    let is_type = kind != "provider" && block.body().attribute("provider").is_none();
                    let name = name.split(if is_type { '_' } else { '.' }).next().unwrap_or_default();
                    all.insert(sources.get(name).cloned().unwrap_or_else(|| format!("hashicorp/{name}")));
                }
            }
            all.extend(sources.into_values());
        }
        all
    }
}

impl Schema {
    fn of(&mut self, kind: Kind) -> (&mut BTreeMap<String, Block>, Value) {
        match kind {
            Kind::Resource => (&mut self.resources, dynamic()),
            Kind::Data => (&mut self.data, dynamic()),
            Kind::Ephemeral => (&mut self.ephemeral, dynamic()),
        }
    }
}

impl Block {
    /// Adds a name that may be selected, unless it is a block.
    fn select_loosely(&mut self, path: &[String], element: &Value) {
        let (Some(first), Some(last)) = (path.first(), path.last()) else { return };
        match self.blocks.get_mut(first) {
            Some(nested) if path.len() > 1 => {
                let element = if element == "dynamic" { element.clone() } else { json!("string") };
                let rest: Vec<String> = path[1..].iter().filter(|name| *name != "[]").cloned().collect();
                nested.block.select_loosely(&rest, &element);
            }
            Some(nested) => nested.computed = true,
            None if path.len() == 1 => {
                self.attributes.entry(last.clone()).or_insert_with(|| element.clone());
            }
            None => {}
        }
    }
}

/// Collects what one directory configures.
struct Collector<'c> {
    directory: &'c Directory,
    at: usize,
    schema: &'c mut Schema,
    flow: &'c mut Flow,
}

impl Collector<'_> {
    fn collect(&mut self) {
        let directory = self.directory;
        for block in directory.bodies().flat_map(BodyNode::blocks) {
            match block.block_type() {
                "resource" => self.object(block, Kind::Resource),
                "data" => self.object(block, Kind::Data),
                "ephemeral" => self.object(block, Kind::Ephemeral),
                "provider" => self.provider(block),
                "module" => self.call(block),
                "locals" => {
                    for attribute in block.body().attributes() {
                        self.define("local", attribute.name(), attribute.value());
                    }
                }
                "output" => {
                    let value = block.body().attribute("value");
                    if let (Some(name), Some(value)) = (label(block, 0), value) {
                        self.define("output", &name, value.value());
                    }
                    self.walk(block, Names::new());
                }
                "check" => {
                    self.walk(block, Names::new());
                    for data in block.body().blocks().filter(|inner| inner.block_type() == "data") {
                        self.object(data, Kind::Data);
                    }
                }
                "terraform" => {}
                _ => self.walk(block, Names::new()),
            }
        }
    }

    fn walker(&mut self, names: Names) -> Walker<'_> {
        Walker { flow: self.flow, directory: self.at, names }
    }

    fn walk(&mut self, block: BlockNode<'_>, names: Names) {
        self.walker(names).body(block.body());
    }

    fn define(&mut self, kind: &str, name: &str, value: ExpressionNode<'_>) {
        let origins = self.walker(Names::new()).expression(value);
        self.flow.names.entry((self.at, format!("{kind}.{name}"))).or_default().extend(origins);
    }

    /// The name `each` in a block with `for_each`.
    fn each(&mut self, body: BodyNode<'_>) -> Names {
        let Some(each) = body.attribute("for_each") else { return Names::new() };
        let origins = self.walker(Names::new()).expression(each.value());
        vec![("each".to_owned(), step(origins), true)]
    }

    fn call(&mut self, block: BlockNode<'_>) {
        let names = self.each(block.body());
        let called = label(block, 0).and_then(|name| self.flow.calls.get(&(self.at, name)).copied());
        for attribute in block.body().attributes() {
            if ["source", "version", "providers", "depends_on"].contains(&attribute.name()) {
                continue;
            }
            let origins = self.walker(names.clone()).expression(attribute.value());
            if let Some(called) = called {
                let variable = (called, format!("var.{}", attribute.name()));
                self.flow.names.entry(variable).or_default().extend(origins);
            }
        }
    }

    fn provider(&mut self, block: BlockNode<'_>) {
        let Some(name) = label(block, 0) else { return };
        let source = self.directory.provider_sources().remove(&name);
        let ty = source.as_deref().and_then(|source| source.rsplit('/').next()).unwrap_or(&name).to_owned();
        let mut own = std::mem::take(self.schema.providers.entry(ty.clone()).or_default());
        self.configure(block.body(), &mut own, &Names::new(), &["alias", "version"], false);
        self.schema.providers.insert(ty, own);
    }

    fn object(&mut self, block: BlockNode<'_>, kind: Kind) {
        let Some(ty) = label(block, 0) else { return };
        let object = Origins::from([Origin::Object(kind, ty.clone(), Vec::new())]);
        let mut names = self.each(block.body());
        names.push(("self".to_owned(), object.clone(), false));
        let blocks = self.schema.of(kind).0;
        let mut own = std::mem::take(blocks.entry(ty.clone()).or_default());
        let meta = ["count", "for_each", "provider", "depends_on"];
        self.configure(block.body(), &mut own, &names, &meta, false);
        self.schema.of(kind).0.insert(ty, own);
        for inner in block.body().blocks() {
            match inner.block_type() {
                "lifecycle" => self.lifecycle(inner, &names, &object),
                "provisioner" | "connection" => self.walk(inner, names.clone()),
                _ => {}
            }
        }
    }

    /// What `ignore_changes` names are attributes, and what triggers a replacement is a reference.
    fn lifecycle(&mut self, block: BlockNode<'_>, names: &Names, object: &Origins) {
        for attribute in block.body().attributes() {
            let ignores = attribute.name() == "ignore_changes";
            for element in attribute.value().elements() {
                if !ignores {
                    self.walker(names.clone()).expression(element);
                    continue;
                }
                self.ignored(element, object);
            }
        }
        for inner in block.body().blocks() {
            self.walk(inner, names.clone());
        }
    }

    /// The object stands before the name: `ignore_changes = [rule[0].tags["a"]]` is about `tags` in its block `rule`.
    fn ignored(&mut self, element: ExpressionNode<'_>, object: &Origins) -> Origins {
        match element.kind() {
            ExpressionKind::GetAttr { object: inner, name } => {
                let inner = self.ignored(inner, object);
                match name {
                    Some(name) => self.walker(Names::new()).select(&inner, name.text),
                    None => inner,
                }
            }
            ExpressionKind::LegacyIndex { collection: inner, .. }
            | ExpressionKind::Index { collection: inner, .. } => step(self.ignored(inner, object)),
            _ => {
                let name = super::tree::literal(element).unwrap_or_else(|| element.text().to_owned());
                self.walker(Names::new()).select(object, &name)
            }
        }
    }

    /// Adds the attributes and blocks of a body to a block of the schema. In blocks of data sources, attributes have types,
    /// which Terraform 1.11 needs.
    fn configure(
        &mut self,
        body: BodyNode<'_>,
        block: &mut Block,
        names: &Names,
        meta: &[&str],
        nested: bool,
    ) {
        for item in body.items() {
            match item {
                Item::Attribute(attribute) if meta.contains(&attribute.name()) => {
                    self.walker(names.clone()).expression(attribute.value());
                }
                Item::Attribute(attribute) => {
                    self.walker(names.clone()).expression(attribute.value());
                    let guess = if nested { guess(attribute.value()) } else { dynamic() };
                    block.guesses.entry(attribute.name().to_owned()).or_default().insert(guess.to_string());
                    block.attributes.insert(attribute.name().to_owned(), dynamic());
                }
                Item::Block(inner) => match inner.block_type() {
                    "lifecycle" | "provisioner" | "connection" if !nested => {}
                    "dynamic" => {
                        let Some(name) = label(inner, 0) else { continue };
                        let mut own = std::mem::take(block.blocks.entry(name.clone()).or_default());
                        let mut walker = Walker { flow: self.flow, directory: self.at, names: names.clone() };
                        let mut content = None;
                        walker
                            .dynamic(inner, |walker, body| content = Some((body.id(), walker.names.clone())));
                        if let Some((id, names)) = content {
                            let body = inner.document().body_at(id);
                            self.configure(body, &mut own.block, &names, &[], true);
                        }
                        block.blocks.insert(name, own);
                    }
                    name => {
                        let name = name.to_owned();
                        let mut own: Nested = std::mem::take(block.blocks.entry(name.clone()).or_default());
                        self.configure(inner.body(), &mut own.block, names, &[], true);
                        block.blocks.insert(name, own);
                    }
                },
            }
        }
    }
}

/// The type that an expression seems to have.
fn guess(expression: ExpressionNode<'_>) -> Value {
    let texts = || json!(["list", "string"]);
    let first = |all: Vec<ExpressionNode<'_>>| {
        all.into_iter().map(guess).find(|guess| guess != "string").unwrap_or_else(|| json!("string"))
    };
    match expression.kind() {
        ExpressionKind::Tuple => {
            let element = expression.elements().next().map_or_else(|| json!("string"), guess);
            json!(["list", element])
        }
        ExpressionKind::For(each) if each.makes_object() => json!(["map", "string"]),
        ExpressionKind::For(_) | ExpressionKind::Splat { .. } => texts(),
        ExpressionKind::Object => json!(["map", "string"]),
        ExpressionKind::Conditional { result, other, .. } => first(vec![result, other]),
        ExpressionKind::Parens(inner) => guess(inner),
        ExpressionKind::Call(call) => match &*call.name() {
            "concat" | "tolist" | "toset" | "flatten" | "split" | "compact" | "distinct" | "keys"
            | "values" | "formatlist" | "sort" | "setunion" | "slice" => texts(),
            "merge" | "tomap" | "zipmap" => json!(["map", "string"]),
            "lookup" | "try" | "coalesce" | "coalescelist" => first(call.arguments().collect()),
            _ => json!("string"),
        },
        _ => json!("string"),
    }
}
