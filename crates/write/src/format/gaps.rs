//! The changes of formatting: spaces between tokens, and nothing else.

use hclkit_syntax::Span;

/// A gap between two tokens, and its number of spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gap {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) spaces: u32,
}

impl Gap {
    /// Returns true if the gap already has its number of spaces.
    #[inline]
    pub(super) fn is_right(self, source: &[u8]) -> bool {
        let len = self.end - self.start;
        if len != self.spaces {
            return false;
        }
        match len {
            0 => true,
            1 => source[self.start as usize] == b' ',
            _ => source[self.start as usize..self.end as usize].iter().all(|&byte| byte == b' '),
        }
    }

    pub(super) fn span(self) -> Span {
        Span::new(self.start, self.end)
    }
}

/// Returns the source with all gaps changed. Gaps are in source order and do not overlap.
pub(super) fn apply(source: &[u8], gaps: &[Gap]) -> Vec<u8> {
    let removed: usize = gaps.iter().map(|gap| (gap.end - gap.start) as usize).sum();
    let added: usize = gaps.iter().map(|gap| gap.spaces as usize).sum();
    let mut out = Vec::with_capacity(source.len() - removed + added);
    let mut from = 0;
    for gap in gaps {
        out.extend_from_slice(&source[from..gap.start as usize]);
        out.resize(out.len() + gap.spaces as usize, b' ');
        from = gap.end as usize;
    }
    out.extend_from_slice(&source[from..]);
    out
}
