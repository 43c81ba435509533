//! The modules that Terragrunt completes: a unit, or a file that it includes, generates a file that declares something. What a module
//! lacks then may be in such a file.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use hclkit::Document;
use hclkit::dialect::Dialect;
use hclkit::limits::path_on_disk;
use hclkit::refactor::ModuleCall;
use hclkit::write::Selector;

use crate::documents::{Documents, TERRAGRUNT, may_be_in_unit};
use crate::input::Input;

/// What begins a declaration, in the text of a generated file.
const DECLARATIONS: [&str; 6] = ["variable", "locals", "module", "resource", "data", "ephemeral"];

/// A file of Terragrunt.
struct File {
    directory: PathBuf,
    generates: bool,
    /// The directories of the module that it uses, and of the files that it includes.
    used: Vec<PathBuf>,
}

/// The directories of the modules, without links.
pub(super) fn completed<'i>(
    inputs: impl Iterator<Item = &'i Input>,
    documents: &Documents,
) -> HashSet<PathBuf> {
    let inputs: Vec<&Input> = inputs.filter(|input| input.path().is_some_and(may_be_in_unit)).collect();
    let mut found = HashSet::new();
    let is_unit = |input: &&Input| {
        let language = input.path().and_then(Dialect::of_path);
        language.is_some_and(|language| language.name() == TERRAGRUNT)
    };
    if !inputs.iter().any(is_unit) {
        return found;
    }
    let files: Vec<File> = inputs.into_iter().filter_map(|input| File::read(input, documents)).collect();
    if !files.iter().any(|file| file.generates) {
        return found;
    }
    let mut by_directory: HashMap<&Path, Vec<&File>> = HashMap::new();
    for file in &files {
        by_directory.entry(&file.directory).or_default().push(file);
    }
    for file in &files {
        let included = file.used.iter().filter_map(|directory| by_directory.get(directory.as_path()));
        let unit: Vec<&File> = std::iter::once(file).chain(included.flatten().copied()).collect();
        if unit.iter().any(|file| file.generates) {
            found.insert(file.directory.clone());
            found.extend(unit.iter().flat_map(|file| file.used.iter().cloned()));
        }
    }
    found
}

impl File {
    fn read(input: &Input, documents: &Documents) -> Option<Self> {
        let path = input.path()?;
        let document = documents.parse(input).ok()?;
        let canonical = |path: &Path| path_on_disk(path).canonicalize().ok();
        let calls = ModuleCall::all(&document);
        let used = calls.iter().filter_map(|call| canonical(&call.directory(&document)?)).collect();
        let directory = canonical(path.parent()?)?;
        Some(Self { directory, generates: generates(&document), used })
    }
}

/// Whether a file generates one that declares something.
fn generates(document: &Document) -> bool {
    let text = |path: &str| -> Vec<String> {
        let found = path.parse::<Selector>().ok().and_then(|path| path.select(document).ok());
        found.into_iter().flatten().map(|own| own.text().to_owned()).collect()
    };
    let is_configuration = text("generate.*.path").iter().any(|path| {
        let path = path.trim_matches('"');
        [".tf", ".tofu", ".json"].iter().any(|end| path.ends_with(end))
    });
    // What is not written there can declare anything.
    let declares = |text: &String| {
        let is_written = text.starts_with(['"', '<']);
        !is_written || DECLARATIONS.iter().any(|word| text.contains(word))
    };
    is_configuration && text("generate.*.contents").iter().any(declares)
}
