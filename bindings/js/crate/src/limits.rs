//! Limits on what parsing and evaluation may use.

use serde::Deserialize;

/// How deeply constructs and values may be nested. The stack of a browser is small and cannot grow.
const NESTING: u32 = 300;
/// How deeply evaluations may be nested.
const DEPTH: u32 = 600;

/// Limits that a caller sets. There is no clock, and so no timeout: see the documentation of `Limits` in `../../src/types.d.ts`.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Limits {
    steps: Option<u64>,
    elements: Option<u64>,
    bytes: Option<u64>,
    depth: Option<u32>,
    value_depth: Option<u32>,
    nesting: Option<u32>,
    source_bytes: Option<u64>,
}

impl Limits {
    /// The default, but for the text that work makes.
    #[cfg(feature = "full")]
    pub(crate) fn of_bytes(most: u64) -> Self {
        Self { bytes: Some(most), ..Self::default() }
    }

    fn most(&self) -> hclkit::Limits {
        let levels = |own: Option<u32>, most: u32| own.unwrap_or(most).min(most);
        let mut limits = hclkit::Limits::new()
            .with_nesting(levels(self.nesting, NESTING))
            .with_depth(levels(self.depth, DEPTH))
            .with_value_depth(levels(self.value_depth, NESTING));
        if let Some(most) = self.steps {
            limits = limits.with_steps(most);
        }
        if let Some(most) = self.elements {
            limits = limits.with_elements(most);
        }
        if let Some(most) = self.bytes {
            limits = limits.with_bytes(most);
        }
        if let Some(most) = self.source_bytes {
            limits = limits.with_source_bytes(most);
        }
        limits
    }

    /// Runs work within the limits.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        self.most().run(work)
    }
}
