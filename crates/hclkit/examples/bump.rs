//! Sets a version wherever a path selects it, in all Terraform files of a directory, and keeps comments and layout:
//! `cargo run -p hclkit --example bump -- crates/hclkit/examples/bump 'module~[source == "./network"].version' 2.1.0`.

use std::{env, error::Error, fmt::Write, fs, path::Path};

use hclkit::write::{Edits, NewValue, Selector};
use hclkit::{Document, Entry, Source};

/// Returns a line for each changed place, and writes the files if `write` is set.
pub(crate) fn bump(
    directory: &Path,
    path: &str,
    version: &str,
    write: bool,
) -> Result<String, Box<dyn Error>> {
    let selector: Selector = path.parse()?;
    let version = NewValue::from(version).source()?;
    let mut files =
        fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "tf"));
    files.sort();
    let (mut report, mut changed) = (String::new(), Vec::new());
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let document = Document::parse(Source::new(name.clone(), fs::read(&file)?), Entry::Config);
        let mut edits = Edits::new(&document);
        for found in selector.select(&document)? {
            let old = found.expression(&document).map_or("", |value| value.text());
            if old != version {
                writeln!(report, "{name}: {}: {old} → {version}", found.address())?;
                edits.set(found.node(), &version)?;
            }
        }
        if !edits.is_empty() {
            changed.push((edits.apply()?.source().text().to_owned(), file));
        }
    }
    // Files are written after all edits have succeeded.
    for (text, file) in changed.iter().filter(|_| write) {
        fs::write(file, text)?;
    }
    Ok(report)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let (flags, arguments): (Vec<_>, Vec<_>) =
        env::args().skip(1).partition(|argument| argument == "--write");
    let [directory, path, version] = &arguments[..] else {
        return Err("usage: bump DIRECTORY PATH VERSION".into());
    };
    print!("{}", bump(directory.as_ref(), path, version, !flags.is_empty())?);
    Ok(())
}
