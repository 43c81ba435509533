//! Alignment of equals signs and trailing comments in runs of lines that have them.

use super::gaps::Gap;

/// Something that is aligned: the gap before it, its line, and how wide the line is before that gap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    pub(super) gap: usize,
    pub(super) line: u32,
    pub(super) columns: u32,
}

/// Everything that is aligned, in source order.
#[derive(Debug, Default)]
pub(super) struct Cells {
    pub(super) assignments: Vec<Cell>,
    /// The columns are those without the alignment of an equals sign on the line.
    pub(super) comments: Vec<Cell>,
}

impl Cells {
    pub(super) fn for_text_of(len: usize) -> Self {
        Self { assignments: Vec::with_capacity(len / 32 + 4), comments: Vec::new() }
    }

    pub(super) fn retain(&mut self, mut keep: impl FnMut(&Cell) -> bool) {
        self.assignments.retain(&mut keep);
        self.comments.retain(keep);
    }

    /// Sets the gaps, as long as there is room for the spaces.
    pub(super) fn align(mut self, gaps: &mut [Gap], room: &mut u64) {
        align(&self.assignments, gaps, room);
        let mut assignments = self.assignments.iter().peekable();
        for comment in &mut self.comments {
            while assignments.next_if(|assignment| assignment.line < comment.line).is_some() {}
            if let Some(assignment) = assignments.next_if(|assignment| assignment.line == comment.line) {
                comment.columns += gaps[assignment.gap].spaces - 1;
            }
        }
        align(&self.comments, gaps, room);
    }
}

/// Sets the gaps of each run of cells on consecutive lines, so that all end at the same column, with at least one
/// space. If that takes more spaces than there is room for, each gap is one space.
fn align(cells: &[Cell], gaps: &mut [Gap], room: &mut u64) {
    for run in cells.chunk_by(|a, b| a.line + 1 == b.line) {
        let widest = run.iter().map(|cell| cell.columns).max().unwrap_or(0);
        let spaces: u64 = run.iter().map(|cell| u64::from(widest - cell.columns)).sum();
        let fits = spaces <= *room;
        *room -= if fits { spaces } else { 0 };
        for cell in run {
            gaps[cell.gap].spaces = if fits { widest - cell.columns + 1 } else { 1 };
        }
    }
}
