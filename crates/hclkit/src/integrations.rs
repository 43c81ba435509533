//! Integrations with other libraries, each behind a feature of its name.

#[cfg(feature = "figment")]
pub mod figment;
#[cfg(feature = "garde")]
pub mod garde;
#[cfg(feature = "miette")]
pub mod miette;
#[cfg(feature = "schemars")]
pub mod schemars;
