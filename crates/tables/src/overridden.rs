//! Override files: a file may declare as sensitive what another file of its directory declares. So the rows of a repository wait
//! for those that come after them, and are made again without the values that turn out to be sensitive.

use std::collections::{HashMap, HashSet, VecDeque};

use hclkit::dialect::Dialect;

use crate::batch::FileId;
use crate::reader::Reader;
use crate::rows::FileRows;

/// How much memory the rows that wait may take. The files of a directory are usually next to each other.
const MOST: usize = 16 << 20;

/// The rows that wait, in order.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    rows: VecDeque<(FileId, FileRows)>,
    weight: usize,
    /// The directories of the last repository in which something is declared.
    directories: HashMap<String, Directory>,
}

/// What files of a directory declare.
#[derive(Debug, Default)]
struct Directory {
    has_overrides: bool,
    /// The addresses of what is sensitive.
    hidden: HashSet<String>,
    /// Those whose values were already given out.
    given: HashSet<String>,
    is_reported: bool,
}

impl Directory {
    /// Whether a value was given out before another file declared it as sensitive. It is reported once.
    fn is_late(&mut self) -> bool {
        let is_late = !self.is_reported && self.has_overrides && !self.hidden.is_disjoint(&self.given);
        self.is_reported |= is_late;
        is_late
    }
}

/// The directory of a path, and the name of the file.
fn divided(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// About how much memory the rows of a file take, with its path.
fn weight(id: &FileId, rows: &FileRows) -> usize {
    id.path.len() + rows.weight()
}

fn is_override(path: &str) -> bool {
    Dialect::of_path(path).is_some_and(|dialect| dialect.is_override(divided(path).1))
}

impl Waiting {
    /// Adds the rows of the next file. Returns those that no longer wait.
    pub(crate) fn push(&mut self, id: FileId, rows: FileRows, reader: &Reader) -> Vec<(FileId, FileRows)> {
        let is_same =
            self.rows.back().is_none_or(|(last, _)| last.repo == id.repo && last.commit == id.commit);
        let mut ready = if is_same { Vec::new() } else { self.finish(reader) };
        if let Some(declared) = &rows.declared {
            let directory = self.directories.entry(divided(&id.path).0.to_owned()).or_default();
            directory.has_overrides |= is_override(&id.path);
            directory.hidden.extend(declared.hidden.iter().cloned());
            if directory.is_late() {
                ready.push((id.clone(), reader.late()));
            }
        }
        self.weight += weight(&id, &rows);
        self.rows.push_back((id, rows));
        while self.weight > MOST.min(reader.parts().rows) {
            let Some((id, rows)) = self.pop(reader) else { break };
            if let Some(declared) = &rows.declared {
                let directory = self.directories.entry(divided(&id.path).0.to_owned()).or_default();
                directory.given.extend(declared.shown.iter().cloned());
            }
            ready.push((id, rows));
        }
        ready
    }

    /// Returns all rows. What comes next is from another repository.
    pub(crate) fn finish(&mut self, reader: &Reader) -> Vec<(FileId, FileRows)> {
        let mut ready = Vec::with_capacity(self.rows.len());
        while let Some(next) = self.pop(reader) {
            ready.push(next);
        }
        *self = Self::default();
        ready
    }

    fn pop(&mut self, reader: &Reader) -> Option<(FileId, FileRows)> {
        let (id, rows) = self.rows.pop_front()?;
        self.weight -= weight(&id, &rows);
        let Some(declared) = &rows.declared else { return Some((id, rows)) };
        let (path, _) = divided(&id.path);
        let directory = self.directories.get(path).filter(|own| own.has_overrides);
        let hidden: Vec<String> = directory
            .map(|own| {
                declared.shown.iter().filter(|address| own.hidden.contains(*address)).cloned().collect()
            })
            .unwrap_or_default();
        let rows = if hidden.is_empty() { rows } else { reader.again(&id.path, &rows, &hidden) };
        Some((id, rows))
    }
}
