//! The corpus: HCL files from the Go modules that `conformance/corpus.txt` lists.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
pub(crate) use hclkit_syntax::Syntax;
use serde::Deserialize;

use crate::programs::{root, target};

/// One file of the corpus, or one code block of a manual.
pub(crate) struct File {
    /// The module and the path in it, `#n` for a code block.
    pub(crate) name: String,
    pub(crate) syntax: Syntax,
    pub(crate) bytes: Vec<u8>,
}

/// A module of the corpus, downloaded.
pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) dir: PathBuf,
    docs: bool,
}

/// Downloads the modules that `corpus.txt` lists, unless they are present.
pub(crate) fn modules() -> Result<Vec<Module>> {
    let list = fs::read_to_string(root().join("conformance/corpus.txt"))?;
    let mut modules = Vec::new();
    for line in list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, docs) = match line.strip_suffix("+docs") {
            Some(name) => (name.trim(), true),
            None => (line, false),
        };
        modules.push(Module { name: name.to_owned(), dir: download(name)?, docs });
    }
    Ok(modules)
}

fn download(name: &str) -> Result<PathBuf> {
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Downloaded {
        dir: Option<PathBuf>,
        error: Option<String>,
    }
    let mut go = Command::new("go");
    // Outside any module, because no module depends on the corpus; and not where others can write.
    go.current_dir(target()).args(["mod", "download", "-json", name]);
    let output = go.output().context("cannot run go")?;
    let downloaded: Downloaded = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("{name}: {}", String::from_utf8_lossy(&output.stderr)))?;
    match downloaded {
        Downloaded { dir: Some(dir), error: None } => Ok(dir),
        Downloaded { error, .. } => bail!("{name}: {}", error.unwrap_or_else(|| "no folder".to_owned())),
    }
}

/// All files of the corpus, in a fixed order.
pub(crate) fn files() -> Result<Vec<File>> {
    let mut files = Vec::new();
    for module in modules()? {
        files.extend(module.files()?);
    }
    Ok(files)
}

/// The files of a Go module whose paths are wanted, with the module and the path in it.
pub(crate) fn files_of(name: &str, is_wanted: fn(&Path) -> bool) -> Result<Vec<(String, Vec<u8>)>> {
    let module = Module { name: name.to_owned(), dir: download(name)?, docs: false };
    let mut files = Vec::new();
    module.walk(&mut |path| {
        if is_wanted(path) {
            let inside = path.strip_prefix(&module.dir).unwrap_or(path).display();
            files.push((format!("{name}/{inside}"), fs::read(path)?));
        }
        Ok(())
    })?;
    Ok(files)
}

impl Module {
    /// The files of the module, and the code blocks of its manual if requested.
    pub(crate) fn files(&self) -> Result<Vec<File>> {
        let mut files = Vec::new();
        self.walk(&mut |path| self.take(path, &mut files))?;
        Ok(files)
    }

    /// Visits all files in a fixed order.
    fn walk(&self, visit: &mut dyn FnMut(&Path) -> Result<()>) -> Result<()> {
        let mut folders = vec![self.dir.clone()];
        while let Some(folder) = folders.pop() {
            let mut entries = fs::read_dir(&folder)?.collect::<Result<Vec<_>, _>>()?;
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                let (kind, path) = (entry.file_type()?, entry.path());
                if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_file() {
                    visit(&path)?;
                }
            }
        }
        Ok(())
    }

    fn take(&self, path: &Path, files: &mut Vec<File>) -> Result<()> {
        let inside = path.strip_prefix(&self.dir).unwrap_or(path).display();
        let name = format!("{}/{inside}", self.name);
        if let Some(syntax) = syntax(path) {
            files.push(File { name, syntax, bytes: fs::read(path)? });
        } else if self.docs && is_manual(path) {
            let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
            for (n, block) in code_blocks(&text).into_iter().enumerate() {
                let name = format!("{name}#{}", n + 1);
                files.push(File { name, syntax: Syntax::Native, bytes: block.into_bytes() });
            }
        }
        Ok(())
    }
}

fn syntax(path: &Path) -> Option<Syntax> {
    const NATIVE: &[&str] = &["tf", "hcl", "tfvars", "nomad", "tofu", "tfbackend"];
    const JSON_ONLY: &[&str] = &["pkr"];
    let name = path.file_name()?.to_str()?;
    let syntax = Syntax::of(name);
    let (stem, ends) = match syntax {
        Syntax::Json => (path.file_stem()?.to_str()?, [NATIVE, JSON_ONLY].concat()),
        Syntax::Native | Syntax::Hcl1 => (name, NATIVE.to_vec()),
    };
    let (_, end) = stem.rsplit_once('.')?;
    ends.contains(&end).then_some(syntax)
}

fn is_manual(path: &Path) -> bool {
    path.extension().and_then(|end| end.to_str()).is_some_and(|end| ["md", "mdx", "markdown"].contains(&end))
}

/// The fenced HCL blocks of a Markdown text, without their indentation.
fn code_blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let fence = line.trim_start();
        let Some(language) = fence.strip_prefix("```") else { continue };
        let indent = line.len() - fence.len();
        let block = lines.by_ref().take_while(|line| !line.trim_start().starts_with("```"));
        let block: String = block
            .flat_map(|line| {
                let blanks = line.len() - line.trim_start_matches(' ').len();
                [&line[blanks.min(indent)..], "\n"]
            })
            .collect();
        if ["hcl", "terraform", "tf"].contains(&language.trim()) {
            blocks.push(block);
        }
    }
    blocks
}

/// Downloads the corpus and lists it.
pub(crate) fn list() -> Result<ExitCode> {
    let (mut total, mut bytes, mut distinct) = (0, 0, HashSet::new());
    println!("{:>7} {:>7} {:>10}  module", "files", "blocks", "bytes");
    for module in modules()? {
        let files = module.files()?;
        let size: usize = files.iter().map(|file| file.bytes.len()).sum();
        let blocks = files.iter().filter(|file| file.name.contains('#')).count();
        println!("{:>7} {blocks:>7} {size:>10}  {}", files.len() - blocks, module.name);
        total += files.len();
        bytes += size;
        distinct.extend(files.into_iter().map(|file| file.bytes));
    }
    println!("{total} files and blocks, {} of them distinct, {bytes} bytes", distinct.len());
    Ok(ExitCode::SUCCESS)
}
