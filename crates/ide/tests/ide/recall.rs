//! Names and arguments in files are deleted and completed: the list has them, and near the top. The files are those of the
//! repository, or real ones: `REPOSITORIES=DIR PLACES=2000 cargo test -p hclkit-ide --test ide -- --ignored real_files --nocapture`
//! prints how many are found, by kind. `SERVER="terraform-ls serve"` asks another server at the same places of Terraform's files. `MISSES=KIND`, or `all`, lists what is not, and `SEED` asks at other places.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use hclkit::Document;
use hclkit::dialect::{Dialect, FileKind, syntax_of_path};
use hclkit::{Source, Syntax};
use hclkit_ide::{MemoryFiles, Workspace};

use super::other_server::OtherServer;
use super::places::{Place, places};

/// How many items are near the top.
const TOP: usize = 5;
/// The characters that are typed before the list is looked at once more.
const TYPED: usize = 2;

/// The examples and the cases of `tests/modules`, as trees of files.
pub(crate) fn trees() -> Vec<BTreeMap<String, String>> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for entry in fs::read_dir(top.join("examples")).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
        let mut files = BTreeMap::new();
        let mut open = vec![(entry.path(), String::new())];
        while let Some((folder, prefix)) = open.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
                if entry.path().is_dir() {
                    open.push((entry.path(), format!("{name}/")));
                } else if let Ok(text) = fs::read_to_string(entry.path()) {
                    files.insert(name, text);
                }
            }
        }
        found.push(files);
    }
    for file in fs::read_dir(top.join("tests/modules")).unwrap().flatten() {
        let text = fs::read_to_string(file.path()).unwrap();
        for case in text.split("\n=== ").skip(1) {
            let (_, rest) = case.split_once('\n').unwrap();
            let sections = format!("\n{rest}");
            let sections = sections.split("\n--- ").skip(1).filter_map(|section| section.split_once('\n'));
            let is_file = |(title, _): &(&str, &str)| {
                title.contains('.') && !title.contains([' ', ':']) && !title.contains("..")
            };
            let files = sections.filter(is_file).map(|(title, text)| (title.to_owned(), format!("{text}\n")));
            found.push(files.collect());
        }
    }
    found
}

/// The files below a directory that are configurations.
fn read_tree(top: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut open = vec![top.to_owned()];
    while let Some(directory) = open.pop() {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(directory).unwrap().flatten().map(|own| own.path()).collect();
        entries.sort();
        for path in entries {
            let is_link = path.is_symlink();
            if path.is_dir() && !is_link {
                open.push(path);
            } else if !is_link && path.to_str().is_some_and(|path| syntax_of_path(path).is_some()) {
                let name = path.strip_prefix(top).unwrap().to_str().unwrap().to_owned();
                files.extend(fs::read_to_string(&path).ok().map(|text| (name, text)));
            }
        }
    }
    files
}

/// How many names were asked for, and where they are in the lists.
#[derive(Clone, Copy, Default)]
struct Counts {
    asked: usize,
    offered: usize,
    first: usize,
    /// Among the first after some characters are typed.
    typed: usize,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.asked += other.asked;
        self.offered += other.offered;
        self.first += other.first;
        self.typed += other.typed;
    }
}

#[derive(Default)]
struct Table {
    kinds: BTreeMap<&'static str, Counts>,
    misses: Vec<String>,
}

impl Table {
    fn total(&self) -> Counts {
        let mut all = Counts::default();
        for own in self.kinds.values() {
            all.add(*own);
        }
        all
    }

    fn show(&self) -> String {
        let mut rows: Vec<(&str, Counts)> = self.kinds.iter().map(|(kind, own)| (*kind, *own)).collect();
        // What misses most comes first.
        rows.sort_by_key(|(_, own)| std::cmp::Reverse(own.asked - own.offered));
        rows.push(("all", self.total()));
        let share = |part: usize, whole: usize| {
            let tenths = (2_000 * part + whole) / (2 * whole).max(1);
            format!("{}.{} %", tenths / 10, tenths % 10)
        };
        let row = |(kind, own): &(&str, Counts)| {
            let [offered, first, typed] =
                [own.offered, own.first, own.typed].map(|part| share(part, own.asked));
            format!("| {kind} | {} | {offered} | {first} | {typed} |\n", own.asked)
        };
        let head =
            format!("| deleted | places | offered | first {TOP} | first {TOP} after {TYPED} characters |\n");
        let line = "| --- | ---: | ---: | ---: | ---: |\n";
        format!("{head}{line}{}", rows.iter().map(row).collect::<String>())
    }
}

/// A tree of files, and what can be deleted in it.
struct Tree {
    workspace: Workspace,
    /// Another server, with the directory of the files.
    other: Option<(OtherServer, PathBuf)>,
    files: BTreeMap<String, String>,
    places: Vec<(String, Place)>,
}

impl Tree {
    fn new(files: BTreeMap<String, String>) -> Self {
        let files: BTreeMap<String, String> =
            files.into_iter().map(|(name, text)| (format!("/w/{name}"), text)).collect();
        let disk: Arc<MemoryFiles> = Arc::new(files.clone().into_iter().collect());
        let mut found = Vec::new();
        for (path, text) in &files {
            if syntax_of_path(path) != Some(Syntax::Native) {
                continue;
            }
            let language = Dialect::of_path(path);
            if language.as_ref().is_some_and(|own| own.name() == "hcl1") {
                continue;
            }
            let is_values = language.and_then(|own| own.file_kind(path)) == Some(FileKind::Values);
            let document = Document::parse_in(Source::new(path.as_str(), text.as_str()), Syntax::Native);
            if document.has_errors() {
                continue;
            }
            found.extend(places(&document, is_values).into_iter().map(|place| (path.clone(), place)));
        }
        let workspace = Workspace::new(disk, ["/w"]);
        workspace.snapshot().read_index();
        Self { workspace, other: None, files, places: found }
    }

    /// The labels that are offered after the place is deleted but for some characters, in their order.
    fn offered(&mut self, path: &str, place: &Place, kept: usize) -> Vec<String> {
        let mut text = self.files[path].clone();
        text.replace_range(place.cut.to_range(), &place.wanted[..kept]);
        if let Some((server, directory)) = &mut self.other {
            let path = directory.join(path.trim_start_matches("/w/"));
            let mut found = server.offered(&path, &text, place.cut.start + kept as u32);
            found.retain(|label| label.starts_with(&place.wanted[..kept]));
            return found;
        }
        self.workspace.open(path, text.as_str(), Some(1), None);
        let found = self.workspace.snapshot().completions(path, place.cut.start + kept as u32);
        self.workspace.close(path);
        found
            .into_iter()
            .map(|item| item.label)
            .filter(|label| label.starts_with(&place.wanted[..kept]))
            .collect()
    }

    fn ask(&mut self, path: &str, place: &Place) -> Counts {
        let is_wanted = |label: &String| {
            let rest = place.wanted.strip_prefix(label.as_str());
            rest.is_some_and(|rest| rest.is_empty() || place.begins && rest.starts_with(['.', '[']))
        };
        let empty = self.offered(path, place, 0).iter().position(is_wanted);
        let kept = place.wanted.char_indices().nth(TYPED).map_or(place.wanted.len(), |(at, _)| at);
        let typed = self.offered(path, place, kept).iter().position(is_wanted);
        let is_near = |at: Option<usize>| usize::from(at.is_some_and(|at| at < TOP));
        Counts {
            asked: 1,
            offered: usize::from(empty.is_some()),
            first: is_near(empty),
            typed: is_near(typed),
        }
    }
}

/// Asks at some places of a tree, chosen at random.
fn ask(tree: &mut Tree, most: usize, random: &mut fastrand::Rng, table: &mut Table) {
    let mut places = std::mem::take(&mut tree.places);
    random.shuffle(&mut places);
    let wanted = env::var("MISSES").ok();
    for (path, place) in places.iter().take(most) {
        let counts = tree.ask(path, place);
        table.kinds.entry(place.kind).or_default().add(counts);
        if wanted.as_deref().is_some_and(|kind| kind == "all" || kind == place.kind)
            && counts.offered * counts.first == 0
        {
            let line = tree.files[path][..place.cut.start as usize].matches('\n').count() + 1;
            let which = if counts.offered == 0 { "missing" } else { "far" };
            table.misses.push(format!("{which}: {} `{}` at {path}:{line}", place.kind, place.wanted));
        }
    }
}

/// The committed files, whose languages are all known.
#[test]
fn deleted_text_is_offered_near_the_top() {
    let (mut table, mut random) = (Table::default(), fastrand::Rng::with_seed(54));
    for files in trees().into_iter().step_by(3) {
        ask(&mut Tree::new(files), 5, &mut random, &mut table);
    }
    let all = table.total();
    println!("{}", table.show());
    assert!(all.asked > 300, "only {} places", all.asked);
    assert!(all.offered * 100 >= all.asked * LEAST_OFFERED, "{}", table.show());
    assert!(all.first * 100 >= all.asked * LEAST_FIRST, "{}", table.show());
}

/// The shares of the committed files that are the least, in percent.
const LEAST_OFFERED: usize = 90;
const LEAST_FIRST: usize = 74;

#[test]
#[ignore = "it reads the repositories in REPOSITORIES"]
fn deleted_text_of_real_files_is_offered() {
    let top = env::var("REPOSITORIES").expect("REPOSITORIES names a directory with repositories");
    let number = |name: &str, or: usize| env::var(name).ok().map_or(or, |text| text.parse().unwrap());
    let (most, seed) = (number("PLACES", 2_000), number("SEED", 54));
    let mut directories: Vec<PathBuf> = fs::read_dir(top).unwrap().flatten().map(|own| own.path()).collect();
    directories.sort();
    let (mut table, mut random) = (Table::default(), fastrand::Rng::with_seed(seed as u64));
    let command = env::var("SERVER").ok();
    let mut others = Table::default();
    for directory in &directories {
        let mut files = read_tree(directory);
        if command.is_some() {
            let ends = ["tf", "tfvars"];
            files.retain(|name, _| {
                Path::new(name).extension().is_some_and(|own| ends.iter().any(|end| own == *end))
            });
        }
        let mut tree = Tree::new(files.clone());
        let mut same = random.clone();
        ask(&mut tree, most.div_ceil(directories.len()), &mut random, &mut table);
        if let Some(command) = &command {
            let mut tree = Tree::new(files);
            tree.other = Some((OtherServer::start(command, directory), directory.clone()));
            ask(&mut tree, most.div_ceil(directories.len()), &mut same, &mut others);
        }
    }
    for miss in &table.misses {
        println!("{miss}");
    }
    println!("{} repositories\n{}", directories.len(), table.show());
    if let Some(command) = command {
        println!("{command}\n{}", others.show());
    }
}
