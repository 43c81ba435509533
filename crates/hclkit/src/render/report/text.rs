//! The report for people: diagnostics with source excerpts, separated by blank lines, and a list of the applied fixes.

use std::io::{self, Write};

use hclkit_syntax::{Diagnostic, visible_line};

use super::Totals;
use crate::render::Renderer;

/// The maximum number of fixes to list for each file.
const MAX_FIXES: usize = 100;

/// How diagnostics are written, and whether there were any.
#[derive(Debug)]
pub(super) struct Text {
    renderer: Renderer,
    started: bool,
}

impl Text {
    pub(super) fn new(renderer: Renderer) -> Self {
        Self { renderer, started: false }
    }

    pub(super) fn diagnostic(&mut self, out: &mut impl Write, diagnostic: &Diagnostic) -> io::Result<()> {
        self.paragraph(out)?;
        writeln!(out, "{}", self.renderer.diagnostic(diagnostic))
    }

    /// Writes a note that belongs to no place.
    pub(super) fn note(&mut self, out: &mut impl Write, note: &str) -> io::Result<()> {
        self.paragraph(out)?;
        writeln!(out, "{}", self.renderer.note(note))
    }

    /// Writes the blank line between two paragraphs.
    fn paragraph(&mut self, out: &mut impl Write) -> io::Result<()> {
        let started = std::mem::replace(&mut self.started, true);
        if started { writeln!(out) } else { Ok(()) }
    }

    /// Writes the applied fixes.
    pub(super) fn end(&mut self, out: &mut impl Write, totals: &Totals) -> io::Result<()> {
        if !totals.fixed.is_empty() {
            self.paragraph(out)?;
        }
        for fixed in &totals.fixed {
            let name = visible_line(&fixed.name);
            let count = fixed.errors.len();
            let plural = if count == 1 { "" } else { "s" };
            writeln!(out, "{} {count} error{plural} in {name}:", fixed.verb())?;
            for error in fixed.errors.iter().take(MAX_FIXES) {
                let start = error.range.start;
                writeln!(out, "  {name}:{}:{}: {}", start.line, start.column, visible_line(&error.title))?;
            }
            if let Some(more @ 1..) = count.checked_sub(MAX_FIXES) {
                writeln!(out, "  and {more} more")?;
            }
        }
        Ok(())
    }
}
