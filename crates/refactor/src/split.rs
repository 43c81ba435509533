//! Moving blocks to other files of a module.

mod json;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use hclkit_dialect::Dialect;
use hclkit_syntax::ast::{BlockNode, ExpressionKind, ExpressionNode, ObjectItemNode};
use hclkit_syntax::{Document, NodeId, Root, Source, Span, StartSymbol, Syntax};
use hclkit_write::{EditError, Edits, Formatter, property_name};

/// A file with blocks.
#[derive(Debug, Clone, Copy)]
pub struct SplitFile<'d> {
    /// Its path. Blocks stay in its directory.
    pub path: &'d Path,
    /// Its content.
    pub document: &'d Document,
}

/// Blocks of a file that move to another one.
#[derive(Debug, Clone)]
pub struct BlockMove {
    /// The index of the file that has the blocks.
    pub file: usize,
    /// The blocks, which are some of [`movable_blocks`].
    pub blocks: BTreeSet<NodeId>,
    /// The path of the file that they move to.
    pub target: PathBuf,
}

/// Files after moves.
#[derive(Debug, Clone)]
pub struct SplitFiles {
    /// The files that there were. `None` if a file does not change.
    pub changed: Vec<Option<Document>>,
    /// The new files, by path.
    pub created: BTreeMap<PathBuf, Document>,
    /// How many blocks have moved to a file, by its path.
    pub counts: BTreeMap<PathBuf, usize>,
}

impl SplitFiles {
    /// Whether blocks have moved away from a file, and nothing is left in it.
    pub fn is_emptied(&self, file: usize) -> bool {
        self.changed[file].as_ref().is_some_and(|after| match after.root() {
            Root::Expression(root) if matches!(root.kind(), ExpressionKind::Object) => {
                root.items().next().is_none()
            }
            Root::Expression(root) if matches!(root.kind(), ExpressionKind::Tuple) => {
                root.elements().next().is_none()
            }
            _ => after.source().text().trim().is_empty(),
        })
    }
}

/// Why blocks cannot move.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum SplitError {
    /// The file that blocks would move to is not among the files, and must not be overwritten.
    Exists(PathBuf),
    /// The blocks would mean something else there.
    Unsuitable {
        /// The file that has the blocks.
        from: PathBuf,
        /// The file that they would move to.
        to: PathBuf,
        /// The reason, as a clause.
        reason: &'static str,
    },
    /// A file cannot be edited.
    Edit(EditError),
}

impl fmt::Display for SplitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exists(path) => write!(f, "{} exists, but is not among the files", path.display()),
            Self::Unsuitable { from, to, reason } => {
                let to = Path::new(to.file_name().unwrap_or_default()).display();
                write!(f, "blocks of {} cannot move to {to}: {reason}", from.display())
            }
            Self::Edit(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SplitError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Edit(error) => error.source(),
            _ => None,
        }
    }
}

impl From<EditError> for SplitError {
    fn from(error: EditError) -> Self {
        Self::Edit(error)
    }
}

/// The moves that bring the blocks of a Terraform module to the files that the style guide recommends: `variable` to `variables.tf`,
/// `output` to `outputs.tf`, `provider` to `providers.tf`, `locals` to `locals.tf`, and `terraform` to `terraform.tf`, or to
/// `versions.tf` if only that exists. Other blocks and files stay as they are.
///
/// `exists` says whether there is a file at a path.
///
/// ```
/// use std::path::Path;
/// use hclkit_refactor::{SplitFile, split, style_moves};
///
/// let main = hclkit_syntax::parse("variable \"a\" {}\n\ndisk \"b\" {}\n");
/// let files = [SplitFile { path: Path::new("main.tf"), document: &main }];
/// let moves = style_moves(&files, |_| false);
/// let after = split(&files, &moves, |_| false, |path| hclkit_write::Formatter::of_path(path))?;
/// assert_eq!(after.changed[0].as_ref().unwrap().source().text(), "disk \"b\" {}\n");
/// assert_eq!(after.created[Path::new("variables.tf")].source().text(), "variable \"a\" {}\n");
/// # Ok::<(), hclkit_refactor::SplitError>(())
/// ```
pub fn style_moves(files: &[SplitFile<'_>], exists: impl Fn(&Path) -> bool) -> Vec<BlockMove> {
    let mut moves = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let Some(ending) = ending(file.path) else { continue };
        let mut by_target: BTreeMap<PathBuf, BTreeSet<NodeId>> = BTreeMap::new();
        let mut add = |block_type: &str, node| {
            if let Some(target) = style_target(block_type, file.path, ending, &exists) {
                by_target.entry(target).or_default().insert(node);
            }
        };
        if let Root::Expression(root) = file.document.root() {
            let items = json::objects(root).flat_map(ExpressionNode::items);
            items.for_each(|item| add(&property_name(item), item.id()));
        } else {
            file.document.body().blocks().for_each(|block| add(block.block_type(), block.id()));
        }
        moves.extend(by_target.into_iter().map(|(target, blocks)| BlockMove { file: index, blocks, target }));
    }
    moves
}

/// The blocks of a file that can move to another one: those at its top. In the JSON syntax, they are the properties with the blocks of
/// a type, and of a type and some labels.
pub fn movable_blocks(file: &SplitFile<'_>) -> BTreeSet<NodeId> {
    match file.document.root() {
        Root::Expression(root) => json::movable(root, file.path),
        _ => file.document.body().blocks().map(BlockNode::id).collect(),
    }
}

/// Moves blocks with their comments to the ends of other files, which are created if they are missing. In the JSON syntax, they become
/// part of the properties that are there.
///
/// `exists` says whether there is a file at a path, which is not overwritten if it is not one of `files`; `formatter` is the one for
/// a path.
///
/// # Errors
/// Blocks would mean something else in the other file, or it exists and is not one of `files`.
pub fn split(
    files: &[SplitFile<'_>],
    moves: &[BlockMove],
    exists: impl Fn(&Path) -> bool,
    formatter: impl Fn(&Path) -> Formatter,
) -> Result<SplitFiles, SplitError> {
    for BlockMove { file, target, .. } in moves {
        check(files[*file].path, target)?;
    }
    let mut moved: BTreeMap<&Path, Vec<Moved>> = BTreeMap::new();
    let mut changed: Vec<Option<Document>> = Vec::with_capacity(files.len());
    for (index, file) in files.iter().enumerate() {
        let own: Vec<&BlockMove> =
            moves.iter().filter(|own| own.file == index && own.target != file.path).collect();
        if own.iter().all(|own| own.blocks.is_empty()) {
            changed.push(None);
            continue;
        }
        let mut edits = Edits::new(file.document).with_formatter(formatter(file.path));
        let all: BTreeSet<NodeId> = own.iter().flat_map(|own| own.blocks.iter().copied()).collect();
        if let Root::Expression(root) = file.document.root() {
            let movable = movable_blocks(file);
            for own in &own {
                let part = json::part(root, &movable, &own.blocks);
                let part = part.map(|part| Moved::Properties(part.source, part.count));
                moved.entry(&own.target).or_default().extend(part);
            }
            let removed = json::part(root, &movable, &all).map(|part| part.removed);
            removed.into_iter().flatten().try_for_each(|node| edits.remove(node))?;
        } else {
            for own in &own {
                let blocks = blocks_of(file.document, &own.blocks, &edits);
                moved.entry(&own.target).or_default().extend(blocks);
            }
            all.into_iter().try_for_each(|node| edits.remove(node))?;
        }
        changed.push(Some(edits.apply()?));
    }
    let (mut created, mut counts) = (BTreeMap::new(), BTreeMap::new());
    for (path, moved) in moved {
        let count = moved.iter().map(|moved| match moved {
            Moved::Block(..) => 1,
            Moved::Properties(_, count) => *count,
        });
        counts.insert(path.to_owned(), count.sum());
        let known = files.iter().position(|file| file.path == path);
        let before = match known {
            Some(at) => changed[at].take().unwrap_or_else(|| files[at].document.clone()),
            None if exists(path) => return Err(SplitError::Exists(path.to_owned())),
            None => empty(path),
        };
        let after = put(before, path, &moved, &formatter(path))?;
        match known {
            Some(at) => changed[at] = Some(after),
            None => _ = created.insert(path.to_owned(), after),
        }
    }
    Ok(SplitFiles { changed, created, counts })
}

/// A block that moves.
enum Moved {
    /// Its source text with comments, and the line end after it.
    Block(String, &'static str),
    /// What a file in the JSON syntax would be with these blocks only.
    Properties(String, usize),
}

/// Fails if blocks of a file mean something else in the file that they would move to.
fn check(from: &Path, to: &Path) -> Result<(), SplitError> {
    let language = |path: &Path| Dialect::of_path(path).map(|dialect| dialect.name().to_owned());
    let reason = if is_override(from) != is_override(to) {
        "files that override others are read in another way"
    } else if Syntax::of(from) != Syntax::of(to) || language(from) != language(to) {
        "it is not a file of the same language and syntax"
    } else {
        return Ok(());
    };
    Err(SplitError::Unsuitable { from: from.to_owned(), to: to.to_owned(), reason })
}

/// A file without content.
fn empty(path: &Path) -> Document {
    let name = path.to_string_lossy().into_owned();
    match Syntax::of(path) {
        Syntax::Native | Syntax::Hcl1 => Document::parse(Source::new(name, ""), StartSymbol::Config),
        Syntax::Json => Document::parse_json(Source::new(name, "{\n}\n")),
    }
}

/// Blocks in the native syntax.
fn blocks_of(document: &Document, chosen: &BTreeSet<NodeId>, edits: &Edits<'_>) -> Vec<Moved> {
    let own = document.body().blocks().filter(|block| chosen.contains(&block.id()));
    own.map(|block| Moved::Block(edits.owned_source(block.id()), line_end(document, block))).collect()
}

/// The line end after a block; at the end of a file, the one in the block.
fn line_end(document: &Document, block: BlockNode<'_>) -> &'static str {
    let source = document.source();
    let of = |text: &str| Some(text[..text.find('\n')?].ends_with('\r'));
    let after = of(source.slice(Span::new(block.span().end, source.len())));
    let is_long = after.or_else(|| of(source.slice(block.span()))).unwrap_or(false);
    if is_long { "\r\n" } else { "\n" }
}

/// A file with the blocks that move to it.
fn put(before: Document, path: &Path, moved: &[Moved], formatter: &Formatter) -> Result<Document, EditError> {
    let mut document = before;
    let mut blocks = Vec::new();
    for moved in moved {
        match moved {
            Moved::Block(source, line_end) => blocks.push((source.as_str(), *line_end)),
            // The properties of two files can have the same name, so each file is added to the result of the previous one.
            Moved::Properties(text, _) => {
                let properties = Document::parse_json(Source::new("", text.as_str()));
                let Root::Expression(root) = properties.root() else { continue };
                for item in json::objects(root).flat_map(ExpressionNode::items) {
                    document = json::put(&document, path, item, formatter)?;
                }
            }
        }
    }
    if blocks.is_empty() {
        return Ok(document);
    }
    // The bytes of blocks stay as they are, because line ends in heredocs are part of values.
    let source = document.source();
    let mut text = source.text().to_owned();
    for (block, line_end) in blocks {
        if !text.is_empty() {
            text.push_str(if text.ends_with('\n') { "" } else { line_end });
            text.push_str(line_end);
        }
        text.push_str(block.trim_end_matches(['\r', '\n']));
        text.push_str(line_end);
    }
    Ok(Document::parse(Source::new(source.name(), text), StartSymbol::Config))
}

/// The ending of a file of a module, of which blocks may move to other files.
fn ending(path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_str()?;
    let endings = [".tf", ".tofu", ".tf.json", ".tofu.json"];
    let ending = endings.into_iter().find(|ending| name.ends_with(ending))?;
    (!is_override(path)).then_some(ending)
}

/// Whether what a file contains changes the blocks of other files.
fn is_override(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    Dialect::of_path(path).is_some_and(|dialect| dialect.is_override(name))
}

/// The file that the style guide recommends for blocks of a type, if that is another one.
fn style_target(
    block_type: &str,
    path: &Path,
    ending: &str,
    exists: impl Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let file = |stem: &str| path.with_file_name(format!("{stem}{ending}"));
    let target = file(match block_type {
        "terraform" if !exists(&file("terraform")) && exists(&file("versions")) => "versions",
        "terraform" => "terraform",
        "provider" => "providers",
        "variable" => "variables",
        "output" => "outputs",
        "locals" => "locals",
        _ => return None,
    });
    (target != path).then_some(target)
}

/// The source text of a property with another value.
fn property(item: ObjectItemNode<'_>, value: &str) -> String {
    format!("{}: {value}", item.value().document().source().slice(item.key_span()))
}
