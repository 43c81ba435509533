//! The units, and which of them depend on which.

use hclkit_limits::Meter;
use hclkit_module::shared::Directory;
use hclkit_module::{Graph, relative_path, report_exceeded};
use hclkit_syntax::{Diagnostics, Place, Source, Span};
use hclkit_value::Name;

use crate::Terragrunt;
use crate::unit::file_at;

impl Terragrunt {
    /// Returns the units in some directories with those that they depend on. Their addresses are the paths of their directories.
    ///
    /// ```
    /// use hclkit_module::Memory;
    /// use hclkit_terragrunt::Terragrunt;
    ///
    /// let files = Memory::from_iter([
    ///     ("vpc/terragrunt.hcl", ""),
    ///     ("app/terragrunt.hcl", "dependency \"vpc\" {\n  config_path = \"../vpc\"\n}\n"),
    /// ]);
    /// let (graph, _) = Terragrunt::new(files, "/live").graph(["app"]);
    /// let app = graph.find("app").unwrap();
    /// assert_eq!(graph.references(app), [graph.find("vpc").unwrap()]);
    /// ```
    pub fn graph<'d>(&self, directories: impl IntoIterator<Item = &'d str>) -> (Graph, Diagnostics) {
        let _operation = Meter::current().begin();
        let checker = self.checker();
        let engine = checker.engine();
        let mut graph = Directory::default();
        let mut diagnostics = Diagnostics::new();
        let address = |path: &str| {
            let own = relative_path(engine.tree.base(), path);
            Name::from(if own.is_empty() { "." } else { &own })
        };
        let declare = |graph: &mut Directory, path: &str| {
            let name = address(path);
            if let Some(known) = graph.at(std::slice::from_ref(&name)) {
                return (known, false);
            }
            let file = file_at(engine, path);
            let source = file.map_or_else(|| engine.tree.name(path), |file| engine.tree.name(&file));
            let place = Place::new(&std::sync::Arc::new(Source::new(source, "")), Span::new(0, 0));
            (graph.declare(std::slice::from_ref(&name), name.to_string(), "unit", place), true)
        };
        let mut open: Vec<String> = directories.into_iter().map(|path| engine.tree.absolute(path)).collect();
        open.reverse();
        for path in open.iter().rev() {
            declare(&mut graph, path);
        }
        let mut seen = std::collections::HashSet::new();
        while let Some(path) = open.pop() {
            if !seen.insert(path.clone()) || Meter::current().exceeded().is_some() {
                continue;
            }
            let (from, _) = declare(&mut graph, &path);
            for edge in checker.edges(&path).iter() {
                let (to, is_new) = declare(&mut graph, &edge.directory);
                graph.refer(from, to);
                if is_new {
                    open.push(edge.directory.clone());
                }
            }
        }
        report_exceeded(&mut diagnostics);
        (graph.into(), diagnostics.distinct())
    }
}
