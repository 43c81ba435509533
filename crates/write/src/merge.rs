//! Merging three versions of a file, as Git does when it merges branches, but by blocks, attributes and items of objects.
//! `merge/text.rs` merges by lines, `merge/blocks.rs` by what the lines mean; `merge/check.rs` decides which result is used.

mod blocks;
mod check;
mod chunks;
mod form;
mod order;
mod text;

use std::borrow::Cow;
use std::fmt;

use hclkit_limits::Meter;
use hclkit_syntax::{Diagnostic, Diagnostics, Document, Source, Syntax};

use blocks::Blocks;
use check::Contents;
use form::Form;
use text::Piece;

/// Merges three versions of a file: a base, and two that were made from it.
///
/// If a merge by lines has no conflict and gives a valid file, that is the result. Else the versions are merged by blocks,
/// attributes and items of objects, which are found by their names. What only one side changed is taken from it, with its
/// comments and blank lines; what both changed in different ways is a conflict. Taking all the parts of one side from the
/// conflicts gives a valid file, too.
///
/// Files in other syntaxes, those with errors, and those with conflict markers are merged by lines.
///
/// ```
/// use hclkit_syntax::Syntax;
/// use hclkit_write::Merge;
///
/// let base = "tags = {\n  a = 1\n  b = 2\n}\n";
/// let ours = "tags = {\n  a = 10\n  b = 2\n}\n";
/// let theirs = "tags = {\n  a = 1\n  b = 20\n}\n";
/// let merged = Merge::new(Syntax::Native).merge(base, ours, theirs).unwrap();
/// assert_eq!(merged.conflicts(), 0);
/// assert_eq!(merged.into_bytes(), b"tags = {\n  a = 10\n  b = 20\n}\n");
/// ```
#[derive(Debug, Clone)]
pub struct Merge {
    syntax: Syntax,
    style: ConflictStyle,
    marker_size: usize,
    labels: [String; 3],
}

/// How a conflict is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ConflictStyle {
    /// Both sides.
    #[default]
    Merge,
    /// Both sides, and the base between them.
    Diff3,
    /// The same, without the lines at the start and the end that are equal in both sides.
    Zdiff3,
}

/// The result of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    bytes: Vec<u8>,
    conflicts: usize,
    method: Method,
}

/// How a result was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// At most one side changed the file, or both made the same change.
    OneSide,
    /// By lines, and the result is valid.
    Lines,
    /// By blocks, attributes and items of objects.
    Blocks,
    /// By lines, because a version cannot be read as HCL, or because the merge by blocks has no certain result.
    LinesOnly(LinesOnly),
}

/// Why a file is merged by lines only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinesOnly {
    /// The file is in another syntax.
    Syntax(Syntax),
    /// A version has syntax errors.
    Errors(Version),
    /// A version contains conflict markers.
    Markers(Version),
    /// A version is not UTF-8 text.
    NotText(Version),
    /// Both sides moved the same things to different places, or what they changed does not fit together.
    NoResult,
}

/// One of the three versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// The common ancestor.
    Base,
    /// The version of the current branch.
    Ours,
    /// The version of the branch that is merged.
    Theirs,
}

impl Version {
    const ALL: [Self; 3] = [Self::Base, Self::Ours, Self::Theirs];
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Base => "base",
            Self::Ours => "ours",
            Self::Theirs => "theirs",
        })
    }
}

impl Merged {
    /// The merged text, with markers around conflicts.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The same, borrowed.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of conflicts.
    pub fn conflicts(&self) -> usize {
        self.conflicts
    }

    /// How the result was made.
    pub fn method(&self) -> Method {
        self.method
    }
}

impl Merge {
    /// The length of conflict markers that Git uses.
    pub const MARKER_SIZE: usize = 7;

    /// Merges files in a syntax.
    pub fn new(syntax: Syntax) -> Self {
        let labels = Version::ALL.map(|version| version.to_string());
        Self { syntax, style: ConflictStyle::default(), marker_size: Self::MARKER_SIZE, labels }
    }

    /// Sets how conflicts are written.
    #[must_use]
    pub fn with_style(mut self, style: ConflictStyle) -> Self {
        self.style = style;
        self
    }

    /// Sets the length of conflict markers, at least 1.
    #[must_use]
    pub fn with_marker_size(mut self, size: usize) -> Self {
        self.marker_size = size.max(1);
        self
    }

    /// Sets the text after the markers of a version. Line breaks become blanks.
    #[must_use]
    pub fn with_label(mut self, version: Version, label: &str) -> Self {
        self.labels[version as usize] = label.replace(['\r', '\n'], " ");
        self
    }

    /// Merges three versions.
    ///
    /// # Errors
    ///
    /// An exceeded limit on the size of a source or of the result, on nesting or on time, as the diagnostics of the version.
    pub fn merge(
        &self,
        base: impl AsRef<[u8]>,
        ours: impl AsRef<[u8]>,
        theirs: impl AsRef<[u8]>,
    ) -> Result<Merged, Diagnostics> {
        let versions = [base.as_ref(), ours.as_ref(), theirs.as_ref()];
        let [base, ours, theirs] = versions;
        if ours == theirs || base == theirs {
            return Ok(Merged { bytes: ours.to_owned(), conflicts: 0, method: Method::OneSide });
        }
        if base == ours {
            return Ok(Merged { bytes: theirs.to_owned(), conflicts: 0, method: Method::OneSide });
        }
        let form = Form::of(versions);
        let texts = form.texts(versions);
        let [base, ours, theirs] = [0, 1, 2].map(|at| &*texts[at]);
        let narrow = self.style != ConflictStyle::Diff3;
        let pieces = text::merge(base, ours, theirs, narrow);
        let documents = match self.documents(&form, &texts, versions)? {
            Ok(documents) => documents,
            Err(why) => return self.finish(&form, &pieces, Method::LinesOnly(why)),
        };
        let contents = documents.each_ref().map(Contents::of);
        let is_valid = |pieces: &[Piece<'_>]| {
            let is_clean = conflicts(pieces) == 0;
            let sides: &[usize] = if is_clean { &[1] } else { &[1, 2] };
            sides.iter().all(|side| {
                let document = hclkit_syntax::parse(resolved(pieces, *side));
                let own = Contents::of(&document);
                let is_wrong = own.has_doubles(&contents) || is_clean && own.is_misplaced(&contents);
                !document.has_errors() && !is_wrong
            })
        };
        if conflicts(&pieces) == 0 && is_valid(&pieces) {
            return self.finish(&form, &pieces, Method::Lines);
        }
        let by_blocks = Blocks::new(documents.each_ref(), narrow).merge();
        if let Some(by_blocks) = by_blocks.filter(|pieces| is_valid(pieces)) {
            return self.finish(&form, &by_blocks, Method::Blocks);
        }
        let method = Method::LinesOnly(LinesOnly::NoResult);
        if conflicts(&pieces) > 0 && is_valid(&pieces) {
            return self.finish(&form, &pieces, method);
        }
        let whole = [Piece::conflict(base, ours, theirs)];
        self.finish(&form, &whole, method)
    }

    /// The versions, if they can be merged by blocks.
    fn documents(
        &self,
        form: &Form,
        texts: &[Cow<'_, str>; 3],
        versions: [&[u8]; 3],
    ) -> Result<Result<[Document; 3], LinesOnly>, Diagnostics> {
        if self.syntax != Syntax::Native {
            return Ok(Err(LinesOnly::Syntax(self.syntax)));
        }
        if let Some(version) = form.not_text() {
            return Ok(Err(LinesOnly::NotText(version)));
        }
        for (version, text) in Version::ALL.into_iter().zip(texts) {
            if text
                .lines()
                .any(|line| is_marker(line, self.marker_size) || is_marker(line, Self::MARKER_SIZE))
            {
                return Ok(Err(LinesOnly::Markers(version)));
            }
        }
        let documents = [0, 1, 2].map(|at| hclkit_syntax::parse(&*texts[at]));
        match documents.iter().position(Document::has_errors) {
            Some(at) if documents[at].diagnostics().has_limit() => {
                let source = Source::new(self.labels[at].clone(), versions[at]);
                Err(Document::parse_in(source, self.syntax).diagnostics().clone())
            }
            Some(at) => Ok(Err(LinesOnly::Errors(Version::ALL[at]))),
            None => Ok(Ok(documents)),
        }
    }

    fn finish(&self, form: &Form, pieces: &[Piece<'_>], method: Method) -> Result<Merged, Diagnostics> {
        let size = |piece: &Piece<'_>| match piece {
            Piece::Text(text) => text.len(),
            Piece::Conflict { base, ours, theirs } => {
                let labels: usize = self.labels.iter().map(String::len).sum();
                base.len() + ours.len() + theirs.len() + labels + 4 * (self.marker_size + 2)
            }
        };
        let size = pieces.iter().map(size).sum();
        Meter::current()
            .take_bytes(size)
            .map_err(|exceeded| Diagnostics::from(Diagnostic::exceeded(exceeded)))?;
        let mut text = String::with_capacity(size);
        for piece in pieces {
            let (base, ours, theirs) = match piece {
                Piece::Text(own) => {
                    text.push_str(own);
                    continue;
                }
                Piece::Conflict { base, ours, theirs } => (base, ours, theirs),
            };
            let [base_label, ours_label, theirs_label] = &self.labels;
            self.marker(&mut text, '<', ours_label);
            text.push_str(ours);
            if self.style != ConflictStyle::Merge {
                self.marker(&mut text, '|', base_label);
                text.push_str(base);
            }
            self.marker(&mut text, '=', "");
            text.push_str(theirs);
            self.marker(&mut text, '>', theirs_label);
        }
        let ends_with_text =
            pieces.iter().rfind(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
        let ends_with_text = matches!(ends_with_text, Some(Piece::Text(_)));
        Ok(Merged { bytes: form.bytes(text, ends_with_text), conflicts: conflicts(pieces), method })
    }

    fn marker(&self, text: &mut String, sign: char, label: &str) {
        text.extend(std::iter::repeat_n(sign, self.marker_size));
        if !label.is_empty() {
            text.push(' ');
            text.push_str(label);
        }
        text.push('\n');
    }
}

fn conflicts(pieces: &[Piece<'_>]) -> usize {
    pieces.iter().filter(|piece| matches!(piece, Piece::Conflict { .. })).count()
}

/// The text with the parts of one side of all conflicts: 1 for ours, 2 for theirs.
fn resolved(pieces: &[Piece<'_>], side: usize) -> String {
    let part = |piece: &'_ Piece<'_>| match piece {
        Piece::Text(text) => text.to_string(),
        Piece::Conflict { ours, .. } if side == 1 => ours.to_string(),
        Piece::Conflict { theirs, .. } => theirs.to_string(),
    };
    pieces.iter().map(part).collect()
}

/// Whether a line starts or ends a conflict.
fn is_marker(line: &str, size: usize) -> bool {
    ['<', '>'].iter().any(|sign| {
        let rest = line.trim_start_matches(*sign);
        line.len() - rest.len() == size && (rest.is_empty() || rest.starts_with(' '))
    })
}
