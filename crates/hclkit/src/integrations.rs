//! Integrations with other libraries, each with a feature of the same name.

#[cfg(feature = "figment")]
pub mod figment;
#[cfg(feature = "garde")]
pub mod garde;
#[cfg(feature = "miette")]
pub mod miette;
#[cfg(feature = "schemars")]
pub mod schemars;
