//! The references between names, found in the source without evaluation. `graph/build.rs` finds them; `render/graph.rs` of `hclkit`
//! draws them.

mod build;

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use hclkit_dialect::Role;
use hclkit_syntax::{Diagnostic, Place};
use hclkit_value::Name;

use crate::config::Definitions;
use crate::pattern::Pattern;
use crate::step::Step;

/// The declarations of a module and of the modules that it calls, and the references between them. All instances of a
/// block are one declaration.
///
/// ```
/// use hclkit_module::{Dialect, Memory, ModuleLoader};
///
/// let files = Memory::from_iter([("main.tf", "locals {\n  a = local.b\n  b = 1\n}\n")]);
/// let graph = ModuleLoader::new(Dialect::terraform()).with_files(files).load().graph();
/// let at = graph.find("local.a").unwrap();
/// let used = graph.references(at).into_iter().map(|to| graph.node(to).address().to_string());
/// assert_eq!(used.collect::<Vec<_>>(), ["local.b"]);
/// ```
#[derive(Clone, Default)]
pub struct Graph {
    /// The directories, each of which may be that of several modules.
    directories: Vec<Directory>,
    /// The modules, the root module first. What they declare is not stored again, so that a graph takes little memory.
    modules: Vec<Module>,
}

/// What a directory declares.
#[derive(Clone, Debug, Default)]
pub struct Directory {
    declared: Vec<Declared>,
    by_address: Definitions<usize>,
    /// What each declaration refers to.
    references: Vec<Vec<Reference>>,
    /// What the arguments of calls refer to, by the call and the input.
    arguments: HashMap<(usize, usize), Vec<Reference>>,
    /// Where the arguments of calls are: the call, the input and the place.
    argument_places: Vec<(usize, usize, Place)>,
    /// The calls of other directories, in order.
    calls: Vec<(usize, usize)>,
    /// The numbers of the items of the directory that are declarations.
    items: Vec<Option<usize>>,
    /// The results, which callers see.
    results: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Declared {
    /// The address in its module.
    name: String,
    role: &'static str,
    place: Place,
}

/// A reference from a declaration of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Reference {
    /// To a declaration of the same directory.
    Own(usize),
    /// To a result of a call.
    Result { call: usize, result: usize },
    /// To all results of a call.
    Results { call: usize },
}

#[derive(Clone, Debug)]
struct Module {
    directory: usize,
    /// The calling module and its declaration.
    caller: Option<(usize, usize)>,
    /// The number of its first declaration.
    first: usize,
    /// The called modules, in the order of the calls of the directory.
    called: Vec<usize>,
}

/// A declaration of a [`Graph`].
#[derive(Clone, Copy)]
pub struct GraphNode<'g> {
    graph: &'g Graph,
    module: usize,
    declared: &'g Declared,
}

/// Its address.
#[doc(hidden)]
impl fmt::Debug for GraphNode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GraphNode({})", self.address())
    }
}

impl<'g> GraphNode<'g> {
    /// The address, such as `module.net.local.cidr`.
    pub fn address(&self) -> impl fmt::Display + use<'g> {
        Address(*self)
    }

    /// The role of its block in the language, such as `input` or `object`.
    pub fn role(&self) -> &'static str {
        self.declared.role
    }

    /// The number of the call whose module declares it, or `None` if it is declared by the root module.
    pub fn call(&self) -> Option<usize> {
        let (caller, call) = self.graph.modules[self.module].caller?;
        Some(self.graph.modules[caller].first + call)
    }

    /// Where it is declared.
    pub fn place(&self) -> &'g Place {
        &self.declared.place
    }
}

struct Address<'g>(GraphNode<'g>);

impl fmt::Display for Address<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GraphNode { graph, module, declared } = self.0;
        let mut names = Vec::new();
        let mut at = module;
        while let Some((caller, call)) = graph.modules[at].caller {
            names.push(graph.directory(caller).declared[call].name.as_str());
            at = caller;
        }
        for name in names.iter().rev() {
            f.write_str(name)?;
            f.write_str(".")?;
        }
        f.write_str(&declared.name)
    }
}

/// The number of modules.
#[doc(hidden)]
impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph").field("modules", &self.modules.len()).finish_non_exhaustive()
    }
}

impl Graph {
    /// Returns the number of declarations.
    pub fn len(&self) -> usize {
        self.modules.last().map_or(0, |last| last.first + self.directories[last.directory].declared.len())
    }

    /// Returns true if nothing is declared.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the declaration with a number. Those of the root module come first.
    ///
    /// # Panics
    /// The number is not less than [`Graph::len`].
    pub fn node(&self, number: usize) -> GraphNode<'_> {
        let module = self.module_of(number);
        let declared = &self.directory(module).declared[number - self.modules[module].first];
        GraphNode { graph: self, module, declared }
    }

    /// Returns all declarations in the order of their numbers.
    pub fn nodes(&self) -> impl Iterator<Item = GraphNode<'_>> {
        (0..self.modules.len()).flat_map(move |module| {
            let all = self.directory(module).declared.iter();
            all.map(move |declared| GraphNode { graph: self, module, declared })
        })
    }

    /// Returns the numbers of the declarations that a declaration refers to, in order.
    ///
    /// # Panics
    /// The number is not less than [`Graph::len`].
    pub fn references(&self, number: usize) -> Vec<usize> {
        let mut found = Vec::new();
        self.each_reference(number, |_, _| true, |to| found.push(to));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns all references as pairs of numbers, from and to, in order.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.len()).flat_map(|from| self.references(from).into_iter().map(move |to| (from, to)))
    }

    /// Returns the declaration whose address is the longest prefix of an address. Keys of instances are skipped.
    pub fn find(&self, address: &str) -> Option<usize> {
        let steps = address.parse::<Pattern>().ok()?.address()?;
        let names = |steps: &[Step]| -> Vec<Name> { steps.iter().map(name).collect() };
        let (mut module, mut rest, mut found) = (0, steps.as_slice(), None);
        while module < self.modules.len() {
            let Some((own, length)) = self.directory(module).by_address.longest(&names(rest)) else { break };
            found = Some(self.modules[module].first + own);
            let Some(called) = self.called(module, own) else { break };
            module = called;
            rest = match &rest[length..] {
                [Step::Key(_), after @ ..] => after,
                after => after,
            };
        }
        found
    }

    /// Returns the shortest chain of references from one of several declarations to another declaration, including
    /// both.
    #[doc(hidden)]
    pub fn chain(&self, from: &[usize], to: usize) -> Option<Vec<usize>> {
        self.paths(from).to(to)
    }

    /// The shortest chains of references from some declarations to all others.
    pub(crate) fn paths(&self, from: &[usize]) -> Paths {
        let mut before: HashMap<usize, Option<usize>> = from.iter().map(|start| (*start, None)).collect();
        let mut open: VecDeque<usize> = from.iter().copied().collect();
        let mut whole: HashSet<(usize, usize)> = HashSet::new();
        while let Some(node) = open.pop_front() {
            let is_new = |module, call| whole.insert((module, call));
            self.each_reference(node, is_new, |next| {
                before.entry(next).or_insert_with(|| {
                    open.push_back(next);
                    Some(node)
                });
            });
        }
        Paths(before)
    }

    /// Returns the input of a called module, if a diagnostic is in the argument of the call for it.
    pub(crate) fn input_at(&self, call: usize, found: &Diagnostic) -> Option<usize> {
        let module = self.module_of(call);
        let at = call.checked_sub(self.modules.get(module)?.first)?;
        let (source, span) = (found.source()?, found.span());
        let mut places = self.directory(module).argument_places.iter();
        let (_, input, _) = places.find(|(own, _, place)| {
            *own == at && Arc::ptr_eq(&place.source, source) && place.span.cover(span) == place.span
        })?;
        Some(self.modules[self.called(module, at)?].first + input)
    }

    /// Returns the first declaration that contains the place of a diagnostic.
    pub(crate) fn around(&self, found: &Diagnostic) -> Option<usize> {
        let (source, span) = (found.source()?, found.span());
        let contains = |declared: &Declared| {
            let own = declared.place.span;
            Arc::ptr_eq(&declared.place.source, source) && own.start <= span.start && span.end <= own.end
        };
        let mut directories = self.directories.iter().enumerate();
        let (directory, at) = directories
            .find_map(|(number, directory)| Some((number, directory.declared.iter().position(contains)?)))?;
        let module = self.modules.iter().find(|module| module.directory == directory)?;
        Some(module.first + at)
    }

    /// The address of a declaration in its module.
    pub(crate) fn name(&self, number: usize) -> &str {
        &self.node(number).declared.name
    }

    /// The results of modules that no other declaration refers to.
    pub(crate) fn unused_results(&self) -> Vec<usize> {
        let mut used: HashMap<usize, HashSet<Reference>> = HashMap::new();
        let mut found = Vec::new();
        for module in &self.modules {
            let all = &self.directories[module.directory].results;
            if let Some((caller, call)) = module.caller {
                let by = self.modules[caller].directory;
                let used = used.entry(by).or_insert_with(|| {
                    let directory = &self.directories[by];
                    let all = directory.references.iter().chain(directory.arguments.values());
                    all.flatten().copied().collect()
                });
                if used.contains(&Reference::Results { call }) {
                    continue;
                }
                let is_unused = |at: &&usize| !used.contains(&Reference::Result { call, result: **at });
                found.extend(all.iter().filter(is_unused).map(|at| module.first + at));
            } else {
                found.extend(all.iter().map(|at| module.first + at));
            }
        }
        found
    }

    fn directory(&self, module: usize) -> &Directory {
        &self.directories[self.modules[module].directory]
    }

    fn module_of(&self, number: usize) -> usize {
        // A module without declarations has the same first number as the next one.
        self.modules.partition_point(|module| module.first <= number).saturating_sub(1)
    }

    /// The module that a declaration of a module calls.
    fn called(&self, module: usize, call: usize) -> Option<usize> {
        let at = self.directory(module).calls.binary_search_by_key(&call, |(own, _)| *own).ok()?;
        self.modules[module].called.get(at).copied()
    }

    /// Visits what a declaration refers to, in any order. References to all results of a call are only followed if
    /// `follows` returns true for the module and its call.
    fn each_reference(
        &self,
        number: usize,
        mut follows: impl FnMut(usize, usize) -> bool,
        mut visit: impl FnMut(usize),
    ) {
        let module = self.module_of(number);
        let own = number - self.modules[module].first;
        let mut all = |module: usize, references: &[Reference]| {
            let first = self.modules[module].first;
            let mut one = |to: usize| {
                // A condition refers to the variable that it checks.
                if to != number {
                    visit(to);
                }
            };
            for reference in references {
                match *reference {
                    Reference::Own(to) => one(first + to),
                    Reference::Result { call, result } => {
                        one(first + call);
                        if let Some(called) = self.called(module, call) {
                            one(self.modules[called].first + result);
                        }
                    }
                    Reference::Results { call } => {
                        one(first + call);
                        let called = self.called(module, call).filter(|_| follows(module, call));
                        if let Some(called) = called {
                            let first = self.modules[called].first;
                            self.directory(called).results.iter().for_each(|result| one(first + result));
                        }
                    }
                }
            }
        };
        all(module, &self.directory(module).references[own]);
        // An input variable refers to what the argument of the call refers to.
        if let Some((caller, call)) = self.modules[module].caller
            && let Some(references) = self.directory(caller).arguments.get(&(call, own))
        {
            all(caller, references);
        }
    }
}

impl Directory {
    /// Adds a declaration with an address, and its text.
    pub fn declare(&mut self, path: &[Name], name: String, role: &'static str, place: Place) -> usize {
        let at = self.declared.len();
        self.by_address.add(path, at);
        self.declared.push(Declared { name, role, place });
        self.references.push(Vec::new());
        if role == Role::Result.as_str() {
            self.results.push(at);
        }
        at
    }

    /// The declaration with an address.
    pub fn at(&self, path: &[Name]) -> Option<usize> {
        self.by_address.get(path)
    }

    /// Adds a reference between declarations.
    pub fn refer(&mut self, from: usize, to: usize) {
        self.references[from].push(Reference::Own(to));
    }
}

/// The graph of a single directory.
impl From<Directory> for Graph {
    fn from(directory: Directory) -> Self {
        let module = Module { directory: 0, caller: None, first: 0, called: Vec::new() };
        Self { directories: vec![directory], modules: vec![module] }
    }
}

/// A step of an address as a name. The address of a build may have a number.
fn name(step: &Step) -> Name {
    match step {
        Step::Name(name) => name.clone(),
        Step::Key(key) => key.as_str().map_or_else(|| Name::from(key.to_string()), Name::from),
    }
}

/// The shortest chains from some declarations: for each declaration that they lead to, the previous one.
pub(crate) struct Paths(HashMap<usize, Option<usize>>);

impl Paths {
    /// The chain to a declaration, including both ends.
    pub(crate) fn to(&self, node: usize) -> Option<Vec<usize>> {
        let mut chain = vec![node];
        let mut before = self.0.get(&node)?;
        while let Some(node) = before {
            chain.push(*node);
            before = self.0.get(node)?;
        }
        chain.reverse();
        Some(chain)
    }
}
