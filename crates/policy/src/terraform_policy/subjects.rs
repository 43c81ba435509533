//! What policies are applied to in a module without a state: its resources, its calls of modules and its configurations of providers.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use hclkit::ast::BlockNode;
use hclkit::dialect::Role;
use hclkit::model::{Block, Schema};
use hclkit::module::{AddressKind, Graph, Module, ModuleLoader, Summary};
use hclkit::value::Mark;
use hclkit::{Body, Context, Diagnostics, Document, Place, Source, Span, Type, Value};

use super::evaluate::Subject;
use super::functions::World;
use super::read::{Kind, Operation};
use super::version::Version;
use crate::rules::Project;

/// What a policy can be about.
pub(super) struct Found {
    pub(super) kind: Kind,
    /// What the first label of a policy can be.
    pub(super) names: Vec<String>,
    pub(super) address: String,
    /// The address of the declaration, which may have several instances.
    pub(super) declaration: String,
    /// Whether all attributes are known by name.
    pub(super) is_complete: bool,
    /// The attributes that it sets, unless all are known.
    pub(super) set: BTreeSet<String>,
    pub(super) place: Place,
    pub(super) subject: Subject,
}

/// A module with all that policies can be about.
pub(super) struct Subjects {
    pub(super) module: Module,
    pub(super) all: Vec<Found>,
    pub(super) world: Arc<World>,
    /// Limits that were exceeded.
    pub(super) limited: Diagnostics,
}

/// The attributes of `meta` of a resource. Without an object for the tags of a workspace, only HCP Terraform knows them.
pub(super) fn meta_of_resource(
    kind: &str,
    provider: &str,
    module_path: &str,
    operation: Operation,
    tags: Option<&Value>,
) -> BTreeMap<String, Value> {
    let text = || if tags.is_some() { Value::from("") } else { Value::unknown(Type::String) };
    let stack = ["deployment_group", "deployment_name", "stack_name"].map(|name| (name, text()));
    let tags = tags.cloned().unwrap_or_else(|| Value::unknown(Type::map(Type::String)));
    BTreeMap::from([
        ("module_path".to_owned(), Value::from(module_path)),
        ("operation".to_owned(), Value::from(operation.as_str())),
        ("provider_type".to_owned(), Value::from(provider)),
        ("tfe_stack".to_owned(), Value::object(stack)),
        ("tfe_workspace".to_owned(), Value::object([("tags", tags)])),
        ("type".to_owned(), Value::from(kind)),
    ])
}

impl Subjects {
    /// Reads the root module in a directory. Attributes that a resource does not set are unknown, unless the schema of its type is
    /// known: its provider may compute them. `names` are those that policies use.
    pub(super) fn read(
        project: &Project,
        directory: &Path,
        loader: &ModuleLoader,
        complete: &HashSet<String>,
        names: &BTreeSet<String>,
    ) -> Self {
        let module = loader.clone().load();
        let evaluation = module.evaluate(&[]);
        let limited = evaluation
            .diagnostics
            .iter()
            .filter(|own| own.code().is_some_and(hclkit::Code::is_limit))
            .cloned()
            .collect();
        let mut reading = Reading {
            project,
            directory,
            graph: module.graph(),
            context: module.context().child(),
            summary: loader.summary(true),
            documents: HashMap::new(),
            all: Vec::new(),
        };
        reading
            .context
            .set("each", Value::object([("key", Value::unknown(Type::String)), ("value", Value::DYNAMIC)]));
        reading.context.set("count", Value::object([("index", Value::unknown(Type::Number))]));
        let mut world = World::default();
        for own in evaluation.values.into_iter().filter(|own| own.address.kind() == AddressKind::Resource) {
            let Some(number) = reading.graph.find(&own.address) else { continue };
            let node = reading.graph.node(number);
            let declaration = node.address().to_string();
            let (path, bare) = split_address(&declaration);
            let kind = bare.split('.').next().unwrap_or_default().to_owned();
            let is_complete = complete.contains(&kind) || kind == "terraform_data";
            let value = if own.sensitive { own.value.mark(Mark::sensitive()) } else { own.value };
            let set =
                value.unmark().0.entries().into_iter().flatten().map(|(name, _)| name.to_string()).collect();
            let attrs = if is_complete { value } else { filled(&value, names, &Value::DYNAMIC, true) };
            world.resources.entry(kind.clone()).or_default().push(attrs.clone());
            let provider = reading.provider_of(&path, bare, &kind);
            let meta = meta_of_resource(&kind, &provider, &path, Operation::Create, None);
            reading.all.push(Found {
                kind: Kind::Resource,
                names: vec![kind],
                address: own.address.to_string(),
                declaration,
                is_complete,
                set,
                place: header(node.place()),
                subject: Subject {
                    attrs,
                    prior: Value::NULL,
                    meta: Value::object(meta),
                    operation: Operation::Create,
                },
            });
        }
        reading.calls();
        reading.providers(names);
        Self { all: reading.all, world: Arc::new(world), limited, module }
    }
}

struct Reading<'p> {
    project: &'p Project,
    directory: &'p Path,
    graph: Graph,
    context: Context,
    summary: Summary,
    documents: HashMap<String, Document>,
    all: Vec<Found>,
}

impl Reading<'_> {
    /// The type of the provider of a resource.
    fn provider_of(&self, path: &str, bare: &str, kind: &str) -> String {
        let prefix = kind.split('_').next().unwrap_or_default();
        if path != "." {
            return prefix.to_owned();
        }
        let is_meant =
            |own: &&hclkit::module::ObjectSummary| format!("{}.{}", own.object_type, own.name) == bare;
        let own = self.summary.objects.iter().filter(|own| own.block_type == "resource").find(is_meant);
        let local = own.and_then(|own| own.provider.clone());
        let local = local.map(|own| own.split('.').next().unwrap_or_default().to_owned());
        let local = local.unwrap_or_else(|| prefix.to_owned());
        self.source_of(&local).rsplit('/').next().unwrap_or_default().to_owned()
    }

    /// The full source of a provider.
    fn source_of(&self, local: &str) -> String {
        let own =
            self.summary.requirements.iter().filter(|own| !own.of_program).find(|own| own.name == local);
        let source = own.and_then(|own| own.source.clone()).unwrap_or_else(|| local.to_owned());
        let registry = if self.summary.language.name() == "opentofu" {
            "registry.opentofu.org"
        } else {
            "registry.terraform.io"
        };
        match source.split('/').count() {
            1 => format!("{registry}/hashicorp/{source}"),
            2 => format!("{registry}/{source}"),
            _ => source,
        }
    }

    /// The calls of modules, each once.
    fn calls(&mut self) {
        let calls: Vec<(String, Place)> = self
            .graph
            .nodes()
            .filter(|own| own.role() == Role::Call.as_str())
            .map(|own| (own.address().to_string(), own.place().clone()))
            .collect();
        for (address, place) in calls {
            let name = place.source.name().to_owned();
            let document = self.documents.entry(name.clone()).or_insert_with(|| {
                Document::parse_in(
                    Source::new(name.as_str(), place.source.bytes()),
                    hclkit::module::Dialect::syntax_of(&name),
                )
            });
            let schema = Schema::new().with_block("module", &["name"]);
            let ((content, _), _) = Body::of(document).partial_content(&schema);
            let is_inside = |own: &&Block| (place.span.start..place.span.end).contains(&own.type_span.start);
            let Some(block) = content.blocks.iter().find(is_inside) else { continue };
            let constant = |name: &str| {
                let own = block.body.attribute(name)?.expression.evaluate(&Context::new()).ok()?;
                own.as_str().map(str::to_owned)
            };
            let Some(source) = constant("source") else { continue };
            let version = match block.body.attribute("version") {
                None => Value::null(Type::String),
                Some(_) => exact(constant("version").as_deref()),
            };
            let attrs = Value::DYNAMIC;
            let mut names = vec![source.clone()];
            // A source in the public registry can be written in two ways.
            match source.strip_prefix("registry.terraform.io/") {
                Some(short) => names.push(short.to_owned()),
                None if source.split('/').count() == 3
                    && !source.starts_with('.')
                    && !source.contains(':') =>
                {
                    names.push(format!("registry.terraform.io/{source}"));
                }
                None => {}
            }
            let meta = [
                ("address", Value::from(address.as_str())),
                ("source", Value::from(source)),
                ("tfe_stack", Value::DYNAMIC),
                ("version", version),
            ];
            self.all.push(Found {
                kind: Kind::Module,
                names,
                declaration: address.clone(),
                address,
                is_complete: true,
                set: BTreeSet::new(),
                place: header(&place),
                subject: Subject {
                    attrs,
                    prior: Value::NULL,
                    meta: Value::object(meta),
                    operation: Operation::Create,
                },
            });
        }
    }

    /// The configurations of providers in the root module: those that are written, and those that objects use without one.
    fn providers(&mut self, names: &BTreeSet<String>) {
        let mut written: BTreeSet<String> = BTreeSet::new();
        let mut found: Vec<(String, Option<String>, Value, Place)> = Vec::new();
        for file in self.project.native_files_in(self.directory) {
            let document = self.project.document(file);
            for block in document.body().blocks().filter(|own| own.block_type() == "provider") {
                let labels = block.label_texts();
                let [name] = &labels[..] else { continue };
                let value = self.project.block_value(file, &self.context, block);
                let alias = value.attribute("alias").ok().and_then(|own| own.as_str().map(str::to_owned));
                // A provider computes none of its own arguments.
                let attrs = filled(&without(&value, &["alias", "version"]), names, &Value::NULL, true);
                written.insert(name.to_string());
                found.push((name.to_string(), alias, attrs, block_header(document, block)));
            }
        }
        for own in &self.summary.providers {
            if !written.contains(&own.name) && own.name != "terraform" {
                let empty = Value::object([("", Value::NULL); 0]);
                let attrs = filled(&empty, names, &Value::NULL, true);
                found.push((own.name.clone(), None, attrs, header(&own.place)));
                written.insert(own.name.clone());
            }
        }
        for (name, alias, attrs, place) in found {
            let source = self.source_of(&name);
            let parts: Vec<&str> = source.split('/').collect();
            let (kind, namespace) = (parts.last().copied().unwrap_or_default(), parts.iter().rev().nth(1));
            let locked = self.summary.providers.iter().find(|own| own.name == name);
            let meta = [
                ("alias", alias.as_deref().map_or(Value::null(Type::String), Value::from)),
                ("name", Value::from(name.as_str())),
                ("namespace", Value::from(namespace.copied().unwrap_or_default())),
                ("source", Value::from(source.as_str())),
                ("tfe_stack", Value::DYNAMIC),
                ("tfe_workspace", Value::DYNAMIC),
                ("type", Value::from(kind)),
                ("version", exact(locked.and_then(|own| own.version.as_deref()))),
            ];
            let address = match &alias {
                Some(alias) => format!("provider.{name}.{alias}"),
                None => format!("provider.{name}"),
            };
            let mut names = vec![kind.to_owned()];
            if name != kind {
                names.push(name.clone());
            }
            self.all.push(Found {
                kind: Kind::Provider,
                names,
                declaration: address.clone(),
                address,
                is_complete: true,
                set: BTreeSet::new(),
                place,
                subject: Subject {
                    attrs,
                    prior: Value::NULL,
                    meta: Value::object(meta),
                    operation: Operation::Create,
                },
            });
        }
    }
}

/// A version, if the text names one and not several. Otherwise it is unknown.
fn exact(text: Option<&str>) -> Value {
    let text = text.map(|own| own.trim().trim_start_matches('=').trim());
    match text.filter(|own| Version::parse(own).is_some()) {
        Some(own) => Value::from(own),
        None => Value::unknown(Type::String),
    }
}

/// An object without some of its attributes.
fn without(value: &Value, names: &[&str]) -> Value {
    let (own, marks) = value.unmark();
    let Some(entries) = own.entries() else { return value.clone() };
    let all = entries.filter(|(name, _)| !names.contains(&name.as_str()));
    Value::object(all.map(|(name, own)| (name.to_string(), own.clone())).collect::<Vec<_>>())
        .with_marks(&marks)
}

/// An object in which names that are not set have a value, and so in the objects of its lists, which are its blocks.
fn filled(value: &Value, names: &BTreeSet<String>, with: &Value, is_block: bool) -> Value {
    let (inner, marks) = value.unmark();
    if !inner.is_known() || inner.is_null() {
        return value.clone();
    }
    let result = if inner.as_object().is_some() && is_block {
        let entries = inner.entries().into_iter().flatten();
        let mut all: BTreeMap<String, Value> =
            entries.map(|(name, own)| (name.to_string(), filled(own, names, with, false))).collect();
        for name in names {
            all.entry(name.clone()).or_insert_with(|| with.clone());
        }
        Value::object(all)
    } else if let Some(all) =
        inner.as_slice().filter(|all| all.iter().any(|own| own.unmark().0.as_object().is_some()))
    {
        Value::tuple(all.iter().map(|own| filled(own, names, with, true)))
    } else {
        return value.clone();
    };
    result.with_marks(&marks)
}

/// The path of the module of a declaration, and its address there.
fn split_address(address: &str) -> (String, &str) {
    let (mut path, mut bare) = (Vec::new(), address);
    while let Some((name, rest)) = bare.strip_prefix("module.").and_then(|rest| rest.split_once('.')) {
        path.push(name);
        bare = rest;
    }
    (if path.is_empty() { ".".to_owned() } else { path.join(".") }, bare)
}

/// The type and the labels of the block at a place.
fn header(place: &Place) -> Place {
    let text = place.source.slice(place.span);
    let end = text.find('{').map_or(text.len(), |at| text[..at].trim_end().len());
    Place::new(&place.source, Span::new(place.span.start, place.span.start + end as u32))
}

fn block_header(document: &Document, block: BlockNode<'_>) -> Place {
    let last = block.labels().last().map_or(block.type_span(), hclkit::ast::LabelNode::span);
    Place::new(document.shared_source(), block.type_span().cover(last))
}
