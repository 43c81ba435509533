//! What is known about the providers of a module: the schemas that the editor names come first, and then those of a cache, in which
//! the version is chosen by the lock file or by `required_providers`. They inform: what is not in a schema is no error, because
//! the provider may have another version.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use hclkit::ast::Item;
use hclkit::module::{
    BlockSchema, LOCK_FILE, PackedSchema, Schemas, choose_version, is_provider, locked_versions,
};
use hclkit::syntax::Root;
use hclkit::{Context, Expression, Source};

use crate::Snapshot;
use crate::budget::alone;
use crate::module::Module;
use crate::sync::lock;

/// The hosts of providers whose source names none.
const HOSTS: [&str; 2] = ["registry.terraform.io", "registry.opentofu.org"];

/// A directory with packed schemas, as `hcl schema pack` writes it: a file for each version of each provider, such as
/// `registry.terraform.io/hashicorp/aws/5.31.0.hclschema`.
#[derive(Debug, Default)]
pub(crate) struct SchemaCache {
    directory: Option<String>,
    /// The settings of a project name it: only what the workspace may read is read, also behind links.
    is_of_project: bool,
    /// What was read, by path. `None` if it cannot be used.
    read: Mutex<BTreeMap<String, Option<Arc<Schemas>>>>,
    problems: Mutex<Vec<String>>,
}

/// What a module says about a provider.
#[derive(Debug, Default)]
pub(crate) struct Required {
    source: String,
    version: Option<String>,
}

impl SchemaCache {
    pub(crate) fn of_user(directory: Option<String>) -> Self {
        Self { directory, ..Self::default() }
    }

    pub(crate) fn of_project(directory: Option<String>) -> Self {
        Self { is_of_project: true, ..Self::of_user(directory) }
    }

    pub(crate) fn take_problems(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.problems))
    }

    /// The schema of a provider, which is read once.
    fn schemas(&self, snapshot: &Snapshot, module: &Module, name: &str) -> Option<Arc<Schemas>> {
        let cache = self.directory.as_deref()?;
        let required = required(module, name);
        // A module must not choose another directory.
        if !is_provider(&required.source) {
            return None;
        }
        let has_host = required.source.split('/').count() > 2;
        let addresses: Vec<String> = if has_host {
            vec![required.source]
        } else {
            HOSTS.iter().map(|host| format!("{host}/{}", required.source)).collect()
        };
        addresses.iter().find_map(|address| {
            let directory = format!("{}/{address}", cache.trim_end_matches('/'));
            let names = self.list(snapshot, &directory).ok()?;
            let known = names.iter().filter_map(|name| name.strip_suffix(PackedSchema::EXTENSION));
            let locked = locked(snapshot, module);
            let locked = locked.get(address).map(String::as_str);
            let version = choose_version(known, locked, required.version.as_deref())?;
            self.read(snapshot, format!("{directory}/{version}{}", PackedSchema::EXTENSION))
        })
    }

    fn list(&self, snapshot: &Snapshot, directory: &str) -> io::Result<Vec<String>> {
        if self.is_of_project {
            return snapshot.list(directory);
        }
        Ok(snapshot.files().list(directory)?.into_iter().map(|entry| entry.name).collect())
    }

    fn read(&self, snapshot: &Snapshot, path: String) -> Option<Arc<Schemas>> {
        if let Some(known) = lock(&self.read).get(&path) {
            return known.clone();
        }
        let text = if self.is_of_project { snapshot.read(&path) } else { snapshot.files().read(&path) };
        let text = text.map_err(|error| error.to_string());
        let found = match text.and_then(|text| Schemas::read(&text).map_err(|error| error.to_string())) {
            Ok(schemas) => Some(Arc::new(schemas)),
            Err(why) => {
                lock(&self.problems).push(format!("cannot use the schemas in {path}: {why}"));
                None
            }
        };
        lock(&self.read).insert(path, found.clone());
        found
    }
}

impl Snapshot {
    /// Runs work with the schema of a resource or a data source.
    pub(crate) fn with_object_schema<T>(
        &self,
        module: &Module,
        block_type: &str,
        object_type: &str,
        work: impl FnOnce(&BlockSchema) -> T,
    ) -> Option<T> {
        let name = object_type.split('_').next().unwrap_or(object_type);
        let source = required(module, name).source;
        let named = self.schemas().iter().find_map(|own| own.block(block_type, object_type, &source));
        if let Some(schema) = named {
            return Some(work(schema));
        }
        let cached = self.schema_cache().schemas(self, module, name)?;
        cached.block(block_type, object_type, &source).map(work)
    }

    /// The values that the first label of a block can have, such as the types of resources.
    pub(crate) fn label_values(&self, module: &Module, block_type: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut add = |schemas: &Schemas| found.extend(schemas.types(block_type).map(str::to_owned));
        self.schemas().iter().for_each(&mut add);
        for name in names(module) {
            if let Some(schemas) = self.schema_cache().schemas(self, module, &name) {
                add(&schemas);
            }
        }
        found.sort();
        found.dedup();
        found
    }
}

/// The versions that the lock file of a module names, or of the nearest directory around it that has one.
fn locked<'m>(snapshot: &Snapshot, module: &'m Module) -> &'m BTreeMap<String, String> {
    module.locked.get_or_init(|| {
        let found = snapshot.nearest(&module.directory, LOCK_FILE);
        found.map_or_else(BTreeMap::new, |(path, text, _)| locked_versions(Source::new(path, text)))
    })
}

/// The entries of `required_providers` in a module.
fn entries(module: &Module) -> impl Iterator<Item = (String, Expression)> {
    let bodies = module.files.iter().filter_map(|file| match file.document().root() {
        Root::Body(body) => Some(body),
        _ => None,
    });
    let settings = bodies.flat_map(|body| body.blocks().filter(|block| block.block_type() == "terraform"));
    let required = settings.flat_map(|block| {
        let blocks = block.body().items().filter_map(Item::block);
        blocks.filter(|own| own.block_type() == "required_providers")
    });
    required.flat_map(|block| {
        let all = block.body().attributes();
        all.map(|own| (own.name().to_owned(), Expression::from_ast(own.value()))).collect::<Vec<_>>()
    })
}

/// The names of the providers that a module requires, or whose resources it has.
pub(crate) fn names(module: &Module) -> Vec<String> {
    let mut found: Vec<String> = entries(module).map(|(name, _)| name).collect();
    for file in &module.files {
        let Root::Body(body) = file.document().root() else { continue };
        for block in body.blocks().filter(|block| ["resource", "data"].contains(&block.block_type())) {
            let name = block.labels().next().map(|label| label.value().into_owned());
            found.extend(name.as_deref().and_then(|name| name.split('_').next()).map(str::to_owned));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The source of the provider with a name, and the constraint on its version.
pub(crate) fn required_provider(module: &Module, name: &str) -> (String, Option<String>) {
    let required = required(module, name);
    (required.source, required.version)
}

/// What a module requires of the provider with a name.
fn required(module: &Module, name: &str) -> Required {
    let mut found = Required::default();
    let entry = entries(module).find(|(own, _)| own == name);
    for (key, value) in entry.and_then(|(_, entry)| entry.static_map().ok()).into_iter().flatten() {
        let (value, _) = alone(|| value.evaluate_lenient(&Context::new()));
        let Some(text) = value.as_str() else { continue };
        match key.static_keyword().as_deref() {
            Some("source") => text.clone_into(&mut found.source),
            Some("version") => found.version = Some(text.to_owned()),
            _ => {}
        }
    }
    if found.source.is_empty() {
        name.clone_into(&mut found.source);
    }
    if !found.source.contains('/') {
        found.source = format!("hashicorp/{}", found.source);
    }
    found
}
