//! Limits on what untrusted input may use.

use std::time::Duration;

use pyo3::prelude::*;

use crate::error;

/// Limits on what parsing and evaluation may use.
#[pyclass(frozen, module = "hclkit")]
#[derive(Clone, Default)]
pub(crate) struct Limits {
    pub(crate) most: hclkit::Limits,
    pub(crate) timeout: Option<Duration>,
    /// Levels of nesting, if more than the default is allowed: they need a larger stack.
    pub(crate) is_deep: bool,
    /// What they were made of, to make them anew; `None` if they are those for trusted input.
    given: Option<Given>,
}

/// The arguments of `Limits`, in their order.
type Given =
    (Option<f64>, Option<u64>, Option<u64>, Option<u64>, Option<u32>, Option<u32>, Option<u32>, Option<u64>);

impl Limits {
    pub(crate) fn with_bytes(mut self, most: u64) -> Self {
        self.most = self.most.with_bytes(most);
        self
    }
}

/// More levels need more stack than systems give.
const MAX_LEVELS: u32 = 100_000;

#[pymethods]
impl Limits {
    #[new]
    #[pyo3(signature = (*, timeout=None, steps=None, elements=None, bytes=None, depth=None, value_depth=None, nesting=None, source_bytes=None))]
    #[allow(clippy::too_many_arguments, reason = "each is an option")]
    fn new(
        timeout: Option<f64>,
        steps: Option<u64>,
        elements: Option<u64>,
        bytes: Option<u64>,
        depth: Option<u32>,
        value_depth: Option<u32>,
        nesting: Option<u32>,
        source_bytes: Option<u64>,
    ) -> PyResult<Self> {
        let given = (timeout, steps, elements, bytes, depth, value_depth, nesting, source_bytes);
        let timeout = match timeout {
            None => None,
            Some(seconds) => Some(
                Duration::try_from_secs_f64(seconds)
                    .map_err(|_| error::plain("timeout must be a positive number of seconds"))?,
            ),
        };
        if [depth, value_depth, nesting].into_iter().flatten().any(|levels| levels > MAX_LEVELS) {
            return Err(error::plain(format!("at most {MAX_LEVELS} levels are supported")));
        }
        let mut limits = hclkit::Limits::new();
        limits = steps.map_or(limits.clone(), |most| limits.with_steps(most));
        limits = elements.map_or(limits.clone(), |most| limits.with_elements(most));
        limits = bytes.map_or(limits.clone(), |most| limits.with_bytes(most));
        limits = depth.map_or(limits.clone(), |most| limits.with_depth(most));
        limits = value_depth.map_or(limits.clone(), |most| limits.with_value_depth(most));
        limits = nesting.map_or(limits.clone(), |most| limits.with_nesting(most));
        limits = source_bytes.map_or(limits.clone(), |most| limits.with_source_bytes(most));
        let is_deep = nesting.is_some_and(|most| most > hclkit::Limits::NESTING)
            || value_depth.is_some_and(|most| most > hclkit::Limits::VALUE_DEPTH);
        Ok(Self { most: limits, timeout, is_deep, given: Some(given) })
    }

    /// No limits but those that keep the stack: for input that is trusted.
    #[staticmethod]
    pub(crate) fn trusted() -> Self {
        Self { most: hclkit::Limits::trusted(), timeout: None, is_deep: false, given: None }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Option<Given>,))> {
        Ok((py.import("hclkit._pickle")?.getattr("limits")?, (self.given,)))
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.most)
    }
}
