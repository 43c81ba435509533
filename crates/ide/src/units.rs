//! Units of Terragrunt: what their checks find, and how their values are computed. No program is run, and what only the environment
//! says is unknown.

use std::collections::BTreeSet;

use hclkit::dialect::Dialect;
use hclkit::module::{
    TERRAGRUNT_FILES, Terragrunt, Unit, functions_without_files, includes_outer_unit, may_be_read,
    names_one_of,
};
use hclkit::render::Renderer;
use hclkit::value::Value;
use hclkit::{Context, Diagnostics, Expression};

use crate::Snapshot;
use crate::files::{is_in, name, parent};
use crate::module::WorkspaceFiles;

/// The most units that a file is checked with that they include.
const MOST_UNITS: usize = 4;
/// The most units that are looked into for the name of the file.
const MOST_READ: usize = 200;

pub(crate) fn is_unit_file(path: &str) -> bool {
    TERRAGRUNT_FILES.contains(&name(path))
}

/// An evaluated unit or stack.
#[derive(Debug)]
pub(crate) struct LoadedUnit {
    unit: Unit,
    context: Context,
}

impl LoadedUnit {
    pub(crate) fn new(snapshot: &Snapshot, path: &str) -> Self {
        let (unit, _) = snapshot.terragrunt(parent(path)).evaluate_draft(name(path));
        let context = unit.context();
        Self { unit, context }
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// The value at an address, if it may be shown.
    pub(crate) fn value_at(&self, address: &[&str]) -> Option<Value> {
        let (expression, context) = self.unit.expression(&address.join("."))?;
        let (value, _) = expression.evaluate_alone(&context);
        (!value.is_marked()).then_some(value)
    }

    /// How the value at an address is computed, or that of an expression such as `dependency.vpc.outputs.id`.
    pub(crate) fn explanation(&self, renderer: &Renderer, address: &str) -> Option<String> {
        let (expression, context) = match self.unit.expression(address) {
            Some(found) => found,
            None => (Expression::parse(address).ok()?, self.context.clone()),
        };
        let (_, has_failed) = expression.evaluate_alone(&context);
        (!has_failed).then(|| renderer.explanation(&expression, &expression.explain(&context)))
    }
}

impl Snapshot {
    fn terragrunt(&self, directory: &str) -> Terragrunt {
        let snapshot = self.without_leftovers();
        let files = WorkspaceFiles { snapshot, root: directory.to_owned(), checks: false };
        let functions = functions_without_files(&Dialect::terraform());
        Terragrunt::new(files, directory).with_functions(move |_| functions.clone())
    }

    /// Checks the unit in a directory, and some of those that include a file in it.
    pub(crate) fn check_units(&self, directory: &str) -> Diagnostics {
        let mut found = Diagnostics::new();
        let names = self.list(directory).unwrap_or_default().into_iter();
        let names: BTreeSet<String> =
            self.with_languages(|| names.filter(|name| may_be_read(name)).collect());
        if names.is_empty() {
            return found;
        }
        let units: Vec<String> =
            self.index().paths().filter(|path| is_unit_file(path)).map(str::to_owned).collect();
        let directories = || units.iter().map(|path| parent(path));
        let checker = self.terragrunt(directory).checker().with_units(directories());
        let own = directories().any(|unit| unit == directory).then_some(directory);
        for unit in own.into_iter().chain(self.including(directory, &names, &units)) {
            found.append(checker.check(unit));
        }
        found
    }

    /// The directories of units that include one of the files in a directory, as their texts say. Those below the directory come
    /// first.
    fn including<'u>(&self, directory: &str, names: &BTreeSet<String>, units: &'u [String]) -> Vec<&'u str> {
        let has_unit = names.iter().any(|name| is_unit_file(name));
        let includes = |text: &str| names_one_of(text, names) || has_unit && includes_outer_unit(text);
        let others = units.iter().filter(|path| parent(path) != directory);
        let (below, elsewhere): (Vec<_>, Vec<_>) = others.partition(|path| is_in(path, directory));
        let read = below.into_iter().chain(elsewhere).take(MOST_READ);
        let found =
            read.filter(|path| self.read(path).is_ok_and(|text| includes(&String::from_utf8_lossy(&text))));
        found.map(|path| parent(path)).take(MOST_UNITS).collect()
    }
}
