//! Whole directories: modules of Terraform and others, and Bake files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit::functions::{Grants, Library};
use hclkit::module::{self, Dialect, Disk, ModuleLoader, Pattern, Schemas};
use hclkit::render::graph;
use hclkit::value::{Mark, Marks};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::diagnostic::{self, Diagnostic};
use crate::limits::Limits;
use crate::place::Range;
use crate::unknown::Sensitive;
use crate::{error, run, to_python, to_value};

/// A module: the declarations of a directory, and the modules that it calls.
#[pyclass(frozen, subclass, module = "hclkit._hclkit")]
pub(crate) struct Module {
    module: module::Module,
    limits: Limits,
}

/// The language of the files in a directory.
pub(crate) fn language_of(directory: &Path, name: Option<&str>) -> PyResult<Arc<Dialect>> {
    if let Some(name) = name {
        let found = Dialect::named(name).filter(|it| it.has_modules());
        return found.ok_or_else(|| error::plain(format!("directories of {name} cannot be evaluated")));
    }
    let entries = std::fs::read_dir(directory).map_err(|why| error::unreadable(&why))?.flatten();
    let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    Dialect::of_files(names.iter().map(String::as_str)).ok_or_else(|| {
        error::plain(format!("{} has no files of a known language, such as main.tf", directory.display()))
    })
}

/// A loader for a directory, which may read its repository and what is listed.
pub(crate) fn loader(directory: &Path, language: Arc<Dialect>, readable: &[PathBuf]) -> ModuleLoader {
    let grants = module::files(Grants::new(), directory, readable);
    let functions = module::functions(&language, &grants);
    let disk = readable.iter().fold(Disk::new(directory), Disk::with_readable);
    ModuleLoader::new(language).with_directory(directory).with_files(disk).with_functions(functions)
}

/// The schemas of a file, if there is one.
pub(crate) fn schemas(path: Option<&Path>) -> PyResult<Option<Schemas>> {
    let Some(path) = path else { return Ok(None) };
    let text = std::fs::read(path).map_err(|why| error::unreadable(&why))?;
    Schemas::from_json(&text).map(Some).map_err(error::plain)
}

#[pymethods]
impl Module {
    #[new]
    #[pyo3(signature = (directory, variables, variable_files, language, schema, workspace, unknown_variables, environment, readable, limits))]
    #[allow(clippy::too_many_arguments, reason = "each is an option")]
    fn new(
        py: Python<'_>,
        directory: PathBuf,
        variables: Option<&Bound<'_, PyAny>>,
        variable_files: Vec<PathBuf>,
        language: Option<&str>,
        schema: Option<PathBuf>,
        workspace: &str,
        unknown_variables: bool,
        environment: bool,
        readable: Vec<PathBuf>,
        limits: Option<PyRef<'_, Limits>>,
    ) -> PyResult<Self> {
        let language = language_of(&directory, language)?;
        let mut loader = loader(&directory, language.clone(), &readable)
            .with_unknown_variables(unknown_variables)
            .with_workspace(workspace);
        if environment {
            loader = loader.with_environment(environment_of(&language));
        }
        if let Some(schemas) = schemas(schema.as_deref())? {
            loader = loader.with_schemas(schemas);
        }
        for path in variable_files {
            let text = std::fs::read(&path).map_err(|why| error::unreadable(&why))?;
            loader = loader.with_variables(path.to_string_lossy(), text);
        }
        for (name, value) in pairs(variables)? {
            loader = loader.with_variable(name, value);
        }
        let limits = limits.map(|limits| limits.clone()).unwrap_or_default();
        let module = run::slow(py, &limits, || loader.load())?;
        Ok(Self { module, limits })
    }

    /// The name of the language, such as `"terraform"`.
    #[getter]
    fn language(&self) -> &str {
        self.module.language().name()
    }

    /// The values of addresses, and all diagnostics.
    fn _evaluate<'py>(
        &self,
        py: Python<'py>,
        patterns: Vec<String>,
    ) -> PyResult<(Bound<'py, PyDict>, Vec<Diagnostic>)> {
        let patterns = patterns_of(&patterns)?;
        let found = run::slow(py, &self.limits, || self.module.evaluate(&patterns))?;
        let values = run::converting(Some(&self.limits), || {
            let values = PyDict::new(py);
            // Values of different addresses share parts, too.
            let mut converter = to_python::Converter::new(py);
            for one in &found.values {
                let mut value = converter.value(&one.value)?;
                if one.sensitive && !one.value.is_marked() {
                    let marks = Marks::new([Mark::sensitive()]);
                    value = Bound::new(py, Sensitive::of(value.unbind(), marks))?.into_any();
                }
                values.set_item(PyString::new(py, &one.address), value)?;
            }
            Ok::<_, PyErr>(values)
        })?;
        Ok((values, diagnostic::list(&found.diagnostics)))
    }

    /// The errors and warnings of the module.
    fn check(&self, py: Python<'_>) -> PyResult<Vec<Diagnostic>> {
        run::slow(py, &self.limits, || self.module.check()).map(|found| diagnostic::list(&found))
    }

    /// How values are computed, as text.
    fn _explain(&self, py: Python<'_>, patterns: Vec<String>, width: usize) -> PyResult<String> {
        let patterns = patterns_of(&patterns)?;
        run::slow(py, &self.limits, || {
            hclkit::render::Renderer::plain().with_width(width).derivations(&self.module.explain(&patterns))
        })
    }

    /// Why the value of an address is unknown.
    fn reasons(&self, py: Python<'_>, address: &str) -> PyResult<Vec<String>> {
        let texts = || self.module.reasons().of(address).iter().map(ToString::to_string).collect();
        run::slow(py, &self.limits, texts)
    }

    /// What refers to what.
    fn graph(&self, py: Python<'_>) -> PyResult<Graph> {
        run::slow(py, &self.limits, || self.module.graph()).map(Graph)
    }

    fn __repr__(&self) -> String {
        format!("<Module of {}>", self.module.language().title())
    }
}

/// What refers to what in a module.
#[pyclass(frozen, module = "hclkit")]
pub(crate) struct Graph(module::Graph);

#[pymethods]
impl Graph {
    /// The addresses of all declarations.
    #[getter]
    fn nodes(&self) -> Vec<String> {
        self.0.nodes().map(|node| node.address().to_string()).collect()
    }

    /// Pairs of addresses: the first refers to the second.
    #[getter]
    fn edges(&self) -> Vec<(String, String)> {
        let name = |number| self.0.node(number).address().to_string();
        self.0.edges().map(|(from, to)| (name(from), name(to))).collect()
    }

    /// What an address refers to.
    fn references(&self, address: &str) -> PyResult<Vec<String>> {
        let number = self.find(address)?;
        let found = self.0.references(number);
        Ok(found.into_iter().map(|number| self.0.node(number).address().to_string()).collect())
    }

    /// Where an address is declared.
    fn range(&self, address: &str) -> PyResult<Range> {
        Ok(self.0.node(self.find(address)?).place().clone().into())
    }

    /// A text for Graphviz.
    fn to_dot(&self) -> String {
        graph::to_dot(&self.0)
    }

    /// A text for Mermaid.
    fn to_mermaid(&self) -> String {
        graph::to_mermaid(&self.0)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<Graph of {} addresses>", self.0.len())
    }
}

impl Graph {
    fn find(&self, address: &str) -> PyResult<usize> {
        self.0.find(address).ok_or_else(|| pyo3::exceptions::PyKeyError::new_err(address.to_owned()))
    }
}

/// The Bake files of a directory, or one file.
#[pyclass(frozen, subclass, module = "hclkit._hclkit")]
pub(crate) struct Bake {
    bake: module::Bake,
    limits: Limits,
}

#[pymethods]
impl Bake {
    #[new]
    #[pyo3(signature = (path, variables, overrides, environment, limits))]
    fn new(
        path: PathBuf,
        variables: Vec<(String, String)>,
        overrides: Vec<String>,
        environment: bool,
        limits: Option<PyRef<'_, Limits>>,
    ) -> PyResult<Self> {
        let mut bake = module::Bake::new().with_functions(Library::Bake.functions(&Grants::new()));
        bake = if path.is_dir() {
            bake.with_directory(&Disk::new(&path))
        } else {
            let text = std::fs::read(&path).map_err(|why| error::unreadable(&why))?;
            bake.with_file(path.to_string_lossy(), text)
        };
        bake = variables.into_iter().fold(bake, |bake, (name, text)| bake.with_variable_text(name, text));
        bake = overrides.into_iter().fold(bake, module::Bake::with_override);
        if environment {
            bake = bake.with_environment(std::env::vars_os().filter_map(text_of));
        }
        Ok(Self { bake, limits: limits.map(|limits| limits.clone()).unwrap_or_default() })
    }

    /// The groups and targets of a plan, and the diagnostics.
    fn _plan<'py>(
        &self,
        py: Python<'py>,
        targets: Vec<String>,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>, Vec<Diagnostic>)> {
        let (plan, found) = run::slow(py, &self.limits, || {
            let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
            self.bake.plan(&targets)
        })?;
        let (groups, targets) = run::converting(Some(&self.limits), || {
            let mut converter = to_python::Converter::new(py);
            let groups = planned(py, &mut converter, &plan.groups)?;
            Ok::<_, PyErr>((groups, planned(py, &mut converter, &plan.targets)?))
        })?;
        Ok((groups, targets, diagnostic::list(&found)))
    }

    /// The errors and warnings of the files.
    fn check(&self, py: Python<'_>) -> PyResult<Vec<Diagnostic>> {
        run::slow(py, &self.limits, || self.bake.check()).map(|found| diagnostic::list(&found))
    }

    /// What refers to what.
    fn graph(&self, py: Python<'_>) -> PyResult<Graph> {
        let (graph, _) = run::slow(py, &self.limits, || self.bake.graph())?;
        Ok(Graph(graph))
    }
}

/// The attributes of groups or targets by their names.
fn planned<'py, 'v>(
    py: Python<'py>,
    converter: &mut to_python::Converter<'py, 'v>,
    all: &'v [module::Planned],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for one in all {
        let attributes = PyDict::new(py);
        for (name, value) in &one.attributes {
            attributes.set_item(name, converter.value(value)?)?;
        }
        dict.set_item(&one.name, attributes)?;
    }
    Ok(dict)
}

fn patterns_of(texts: &[String]) -> PyResult<Vec<Pattern>> {
    texts.iter().map(|text| text.parse().map_err(error::plain)).collect()
}

/// The names and values of a mapping.
pub(crate) fn pairs(mapping: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(String, hclkit::Value)>> {
    let Some(mapping) = mapping else { return Ok(Vec::new()) };
    let dict = PyDict::new(mapping.py());
    dict.update(mapping.cast()?)?;
    let mut converter = to_value::Converter::default();
    let pairs = dict.iter().map(|(name, value)| Ok((name.extract()?, converter.value(&value)?)));
    pairs.collect()
}

fn text_of((name, value): (std::ffi::OsString, std::ffi::OsString)) -> Option<(String, String)> {
    Some((name.into_string().ok()?, value.into_string().ok()?))
}

/// The environment variables that set input variables of a language. Others are not read.
fn environment_of(language: &Dialect) -> Vec<(String, String)> {
    let Some(prefix) = language.environment() else { return Vec::new() };
    let all = std::env::vars_os().filter_map(text_of);
    all.filter(|(name, _)| name.starts_with(prefix)).collect()
}
