//! Calls of modules: which modules a file calls, which call its own one, and how often a name is used.

use std::collections::HashMap;

use hclkit::Span;
use hclkit::dialect::Role;
use hclkit::refactor::{DeclaredName, ModuleCall, OccurrenceKind};

use crate::Snapshot;
use crate::file::File;
use crate::files::{join_absolute, name, parent};
use crate::names::Location;

/// A module in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleNode {
    /// The name of the directory.
    pub name: String,
    /// The directory.
    pub directory: String,
    /// The first file of the module.
    pub path: String,
}

/// Calls between two modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleCalls {
    /// The other module.
    pub module: ModuleNode,
    /// The names of the `module` blocks.
    pub blocks: Vec<Location>,
}

/// A number of uses above a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The name of the declaration.
    pub span: Span,
    /// The number of references.
    pub count: usize,
}

impl Snapshot {
    /// The module that the call at a byte offset calls, or else that of the file.
    pub fn module_at(&self, path: &str, offset: u32) -> Option<ModuleNode> {
        let file = self.file(path)?;
        let document = file.document();
        if let Some(address) = call_at(&file, offset)
            && let Some(call) = ModuleCall::all(document).iter().find(|call| call.address() == address)
            && let Some(directory) = call.directory(document)
        {
            return self.node(&join_absolute(directory.to_str()?));
        }
        self.node(&self.module(path).directory)
    }

    fn node(&self, directory: &str) -> Option<ModuleNode> {
        let module = self.module_in(directory)?;
        let path = module.files.first()?.path().to_owned();
        Some(ModuleNode { name: name(directory).to_owned(), directory: directory.to_owned(), path })
    }

    /// The modules that the one in a directory calls.
    pub fn outgoing_calls(&self, directory: &str) -> Vec<ModuleCalls> {
        let mut found: Vec<ModuleCalls> = Vec::new();
        for (called, block) in self.calls_in(directory) {
            match found.iter_mut().find(|calls| calls.module.directory == called) {
                Some(calls) => calls.blocks.push(block),
                None => {
                    if let Some(module) = self.node(&called) {
                        found.push(ModuleCalls { module, blocks: vec![block] });
                    }
                }
            }
        }
        found
    }

    /// The modules that call the one in a directory.
    pub fn incoming_calls(&self, directory: &str) -> Vec<ModuleCalls> {
        let callers: Vec<String> = self.index().callers(directory).into_iter().map(str::to_owned).collect();
        let one = |caller: String| {
            let module = self.node(&caller)?;
            let blocks = self.calls_in(&caller).into_iter();
            let blocks = blocks.filter(|(called, _)| called == directory).map(|(_, block)| block).collect();
            Some(ModuleCalls { module, blocks })
        };
        callers.into_iter().filter_map(one).collect()
    }

    /// The calls in a directory: the directory of the called module, and the block.
    fn calls_in(&self, directory: &str) -> Vec<(String, Location)> {
        let Some(module) = self.module_in(directory) else { return Vec::new() };
        let mut found = Vec::new();
        for file in module.files.iter().filter(|file| parent(file.path()) == directory) {
            let document = file.document();
            let declared = file.names().declared();
            for call in ModuleCall::all(document).iter().filter(|call| call.is_of_module()) {
                let called = call.directory(document).and_then(|path| Some(join_absolute(path.to_str()?)));
                let block = declared.iter().find(|own| own.address.join(".") == call.address());
                if let (Some(called), Some(block)) = (called, block) {
                    found.push((called, Location { path: file.path().to_owned(), span: block.name }));
                }
            }
        }
        found
    }

    /// How often each variable, local value, object and call of a file is used in its module.
    pub fn lenses(&self, path: &str) -> Vec<Lens> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let module = self.module(path);
        let uses = module.files.iter().flat_map(|file| file.names().uses());
        let mut counts: HashMap<String, usize> = HashMap::new();
        let references = uses.filter(|used| used.kind == OccurrenceKind::Reference);
        for address in references.filter_map(|used| used.address) {
            *counts.entry(address).or_default() += 1;
        }
        let is_counted = |own: &DeclaredName| {
            matches!(own.role, Some(Role::Input | Role::Object | Role::Call | Role::Value))
        };
        let declared = file.names().declared().iter().filter(|own| is_counted(own));
        let count = |own: &DeclaredName| counts.get(&own.address.join(".")).copied().unwrap_or_default();
        declared.map(|own| Lens { span: own.name, count: count(own) }).collect()
    }
}

/// The address of the block around a byte offset, if it calls a module.
pub(crate) fn call_at(file: &File, offset: u32) -> Option<String> {
    let is_it = |own: &&DeclaredName| own.role == Some(Role::Call) && own.item.touches(offset);
    file.names().declared().iter().find(is_it).map(|own| own.address.join("."))
}
