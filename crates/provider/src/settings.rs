//! Limits, from environment variables.

use std::time::Duration;

use hclkit::Limits;
use hclkit_plugin::Provider;

/// The limits of each call.
#[derive(Debug)]
pub(crate) struct Settings {
    limits: Limits,
    timeout: Option<Duration>,
}

/// The variables. `docs/index.md` lists them.
const SIZE: &str = "HCL_PROVIDER_MAX_SIZE";
const NESTING: &str = "HCL_PROVIDER_MAX_NESTING";
const STEPS: &str = "HCL_PROVIDER_MAX_STEPS";
const ELEMENTS: &str = "HCL_PROVIDER_MAX_ELEMENTS";
const BYTES: &str = "HCL_PROVIDER_MAX_BYTES";
const TIMEOUT: &str = "HCL_PROVIDER_TIMEOUT";

impl Settings {
    pub(crate) fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let number = |name: &str| match variable(name).filter(|text| !text.is_empty()) {
            Some(text) => match text.trim().parse::<u64>() {
                Ok(number) if number > 0 => Ok(Some(number)),
                _ => Err(format!(
                    "the environment variable {name} must be a positive whole number, found {text:?}"
                )),
            },
            None => Ok(None),
        };
        let mut limits = Limits::new();
        if let Some(bytes) = number(SIZE)? {
            limits = limits.with_source_bytes(bytes);
        }
        if let Some(levels) = number(NESTING)? {
            // More levels would need a larger stack.
            let levels = u32::try_from(levels).unwrap_or(u32::MAX).min(Limits::NESTING);
            limits = limits.with_nesting(levels);
        }
        if let Some(steps) = number(STEPS)? {
            limits = limits.with_steps(steps);
        }
        if let Some(elements) = number(ELEMENTS)? {
            limits = limits.with_elements(elements);
        }
        if let Some(bytes) = number(BYTES)? {
            limits = limits.with_bytes(bytes);
        }
        Ok(Self { limits, timeout: number(TIMEOUT)?.map(Duration::from_secs) })
    }

    pub(crate) fn apply(self, provider: Provider) -> Provider {
        let provider = provider.with_limits(self.limits);
        match self.timeout {
            Some(time) => provider.with_timeout(time),
            None => provider,
        }
    }
}
