//! Speed and memory of hclkit, beside other implementations: what is read (`inputs`), and who reads it (`readers`).
//! `cargo xtask bench` runs it all and prints one table; `benches/README.md` says how to look closer.

pub mod inputs;
#[cfg(feature = "peers")]
pub mod readers;
