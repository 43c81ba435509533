//! Speed and memory of hclkit, compared with other implementations: the inputs (`inputs`), the parsers (`readers`), the
//! cases of evaluation, with hclkit (`eval`) and with hcl-rs (`eval_peer`), and the structs to read (`structs`).
//! `cargo xtask bench` runs all of this and prints tables; `benches/README.md` explains how to profile.

pub mod eval;
#[cfg(feature = "peers")]
pub mod eval_peer;
pub mod inputs;
#[cfg(feature = "peers")]
pub mod readers;
pub mod structs;
