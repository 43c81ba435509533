//! Modules of Terraform and others, and Bake files, from files in memory.

use std::collections::BTreeMap;

use hclkit::functions::{Grants, Library};
use hclkit::module::{self, Dialect, Memory, ModuleLoader, Pattern, Planned, Schemas};
use hclkit::render::graph::{to_dot, to_mermaid};
use hclkit::value::{Mark, Marks};
use hclkit::{Source, Value};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::explain::DerivedAll;
use crate::failure::{DiagnosticJson, list};
use crate::limits::Limits;
use crate::place::{Places, Ranged};
use crate::{Answer, failure, read, value, write};

/// A module: the declarations of a directory, and the modules that it calls.
#[wasm_bindgen]
pub struct Module {
    module: module::Module,
    limits: Limits,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Options {
    directory: String,
    language: Option<String>,
    variable_files: Vec<String>,
    environment: BTreeMap<String, String>,
    schema: Option<String>,
    workspace: Option<String>,
    unknown_variables: bool,
    limits: Limits,
}

/// Values by their addresses, with the diagnostics of the evaluation.
#[derive(Serialize)]
struct Evaluated {
    addresses: Vec<String>,
    values: String,
    diagnostics: Vec<DiagnosticJson>,
}

/// The names in a directory, without those in directories below it.
fn names<'f>(files: &'f BTreeMap<String, String>, directory: &str) -> impl Iterator<Item = &'f str> {
    let prefix = match directory.trim_matches(['.', '/']) {
        "" => String::new(),
        directory => format!("{directory}/"),
    };
    let inside =
        files.keys().filter_map(move |path| path.trim_start_matches("./").strip_prefix(prefix.as_str()));
    inside.filter(|name| !name.contains('/'))
}

fn language_of(files: &BTreeMap<String, String>, options: &Options) -> Answer<std::sync::Arc<Dialect>> {
    if let Some(name) = &options.language {
        let found = Dialect::named(name).filter(|it| it.has_modules());
        return found.ok_or_else(|| failure::plain(format!("directories of {name} cannot be evaluated")));
    }
    Dialect::of_files(names(files, &options.directory))
        .ok_or_else(|| failure::plain("there are no files of a known language, such as main.tf"))
}

fn patterns(texts: &[String]) -> Answer<Vec<Pattern>> {
    texts.iter().map(|text| text.parse().map_err(failure::plain)).collect()
}

#[wasm_bindgen]
impl Module {
    /// Loads a module from files by their paths.
    #[wasm_bindgen(constructor)]
    pub fn new(files: &str, variables: &str, options: &str) -> Answer<Module> {
        let files: BTreeMap<String, String> = read(files)?;
        let options: Options = read(options)?;
        let language = language_of(&files, &options)?;
        let mut loader = ModuleLoader::new(language.clone())
            .with_functions(module::functions(&language, &Grants::new()))
            .with_unknown_variables(options.unknown_variables)
            .with_environment(options.environment)
            .with_threads(1);
        if !options.directory.is_empty() {
            loader = loader.with_directory(&options.directory);
        }
        if let Some(name) = &options.workspace {
            loader = loader.with_workspace(name);
        }
        if let Some(text) = &options.schema {
            loader = loader.with_schemas(Schemas::from_json(text.as_bytes()).map_err(failure::plain)?);
        }
        for path in &options.variable_files {
            let text = files.get(path).ok_or_else(|| failure::plain(format!("there is no file {path}")))?;
            loader = loader.with_variables(path, text.as_bytes());
        }
        for (name, value) in value::variables(variables)? {
            loader = loader.with_variable(name, value);
        }
        loader = loader.with_files(Memory::from_iter(files));
        let module = options.limits.run(|| loader.load());
        Ok(Self { module, limits: options.limits })
    }

    /// The name of the language, such as `terraform`.
    #[wasm_bindgen(getter)]
    pub fn language(&self) -> String {
        self.module.language().name().to_owned()
    }

    /// The values of addresses, and all diagnostics, as JSON.
    pub fn evaluate(&self, addresses: &str) -> Answer<String> {
        let patterns = patterns(&read::<Vec<String>>(addresses)?)?;
        self.limits.run(|| {
            let found = self.module.evaluate(&patterns);
            let marked = found.values.iter().map(|one| {
                let is_plain = one.sensitive && !one.value.is_marked();
                let marks = Marks::new(is_plain.then(Mark::sensitive));
                one.value.clone().with_marks(&marks)
            });
            let marked: Vec<Value> = marked.collect();
            write(&Evaluated {
                addresses: found.values.iter().map(|one| one.address.to_string()).collect(),
                values: value::written(&marked)?,
                diagnostics: list(&found.diagnostics),
            })
        })
    }

    /// The errors and warnings of the module, as JSON.
    pub fn check(&self) -> Answer<String> {
        self.limits.run(|| write(&list(&self.module.check())))
    }

    /// How values are computed: trees, as JSON.
    pub fn explain(&self, addresses: &str) -> Answer<String> {
        let patterns = patterns(&read::<Vec<String>>(addresses)?)?;
        self.limits.run(|| write(&DerivedAll::of(&self.module.explain(&patterns))))
    }

    /// How values are computed, as text.
    pub fn explain_text(&self, addresses: &str, width: usize) -> Answer<String> {
        let patterns = patterns(&read::<Vec<String>>(addresses)?)?;
        Ok(self.limits.run(|| {
            let renderer = hclkit::render::Renderer::plain().with_width(width);
            renderer.derivations(&self.module.explain(&patterns))
        }))
    }

    /// Why the value of an address is unknown, as JSON.
    pub fn reasons(&self, address: &str) -> Answer<String> {
        let texts = || self.module.reasons().of(address).iter().map(ToString::to_string).collect::<Vec<_>>();
        write(&self.limits.run(texts))
    }

    /// What refers to what, as JSON.
    pub fn graph(&self) -> Answer<String> {
        self.limits.run(|| write(&graph(&self.module.graph())))
    }
}

#[derive(Serialize)]
struct GraphJson {
    nodes: Vec<NodeJson>,
    edges: Vec<(usize, usize)>,
    dot: String,
    mermaid: String,
}

#[derive(Serialize)]
struct NodeJson {
    address: String,
    role: &'static str,
    range: Ranged,
}

fn graph(graph: &module::Graph) -> GraphJson {
    let mut places = Places::default();
    let node = |node: module::GraphNode<'_>| {
        let place = node.place();
        let range = places.range(&place.source, place.span);
        NodeJson { address: node.address().to_string(), role: node.role(), range }
    };
    GraphJson {
        nodes: graph.nodes().map(node).collect(),
        edges: graph.edges().collect(),
        dot: to_dot(graph),
        mermaid: to_mermaid(graph),
    }
}

/// The Bake files of a directory.
#[wasm_bindgen]
pub struct Bake {
    bake: module::Bake,
    limits: Limits,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct BakeOptions {
    variables: BTreeMap<String, String>,
    overrides: Vec<String>,
    limits: Limits,
}

#[derive(Serialize)]
struct Plan {
    groups: Vec<(String, Vec<String>)>,
    targets: Vec<(String, Vec<String>)>,
    values: String,
    diagnostics: Vec<DiagnosticJson>,
}

#[wasm_bindgen]
impl Bake {
    /// Reads files by their names: those that Bake reads by default, or else all of them in their order.
    #[wasm_bindgen(constructor)]
    pub fn new(files: &str, options: &str) -> Answer<Bake> {
        let files: Vec<(String, String)> = read(files)?;
        let options: BakeOptions = read(options)?;
        let mut bake = module::Bake::new().with_functions(Library::Bake.functions(&Grants::new()));
        if files.iter().any(|(name, _)| module::BAKE_FILES.contains(&name.as_str())) {
            bake = bake.with_directory(&Memory::from_iter(files));
        } else {
            bake = files.into_iter().fold(bake, |bake, (name, text)| bake.with_file(name, text));
        }
        for (name, text) in options.variables {
            bake = bake.with_variable_text(name, text);
        }
        bake = options.overrides.into_iter().fold(bake, module::Bake::with_override);
        Ok(Self { bake, limits: options.limits })
    }

    /// The groups and targets of a plan, with the names of their attributes; and all values in this order, as JSON.
    pub fn plan(&self, targets: &str) -> Answer<String> {
        let targets: Vec<String> = read(targets)?;
        self.limits.run(|| {
            let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
            let (plan, found) = self.bake.plan(&targets);
            let names = |all: &[Planned]| -> Vec<(String, Vec<String>)> {
                let names = |one: &Planned| one.attributes.iter().map(|(name, _)| name.to_string()).collect();
                all.iter().map(|one| (one.name.clone(), names(one))).collect()
            };
            let all = plan.groups.iter().chain(&plan.targets);
            let values: Vec<&Value> =
                all.flat_map(|one| one.attributes.iter().map(|(_, value)| value)).collect();
            write(&Plan {
                groups: names(&plan.groups),
                targets: names(&plan.targets),
                values: value::written(values)?,
                diagnostics: list(&found),
            })
        })
    }

    /// The errors and warnings of the files, as JSON.
    pub fn check(&self) -> Answer<String> {
        self.limits.run(|| write(&list(&self.bake.check())))
    }

    /// What refers to what, as JSON.
    pub fn graph(&self) -> Answer<String> {
        self.limits.run(|| write(&graph(&self.bake.graph().0)))
    }
}

/// The language of a file, by its name and the names of the files beside it.
#[wasm_bindgen]
pub fn language_of_path(path: &str) -> Option<String> {
    Dialect::of_path(Source::new(path, "").name()).map(|it| it.name().to_owned())
}
