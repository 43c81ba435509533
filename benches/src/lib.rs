//! Speed and memory of hclkit, compared with other implementations: the inputs (`inputs`), and the parsers (`readers`);
//! what is evaluated, with hclkit (`eval`) and with hcl-rs (`eval_peer`); and the structs that are read (`structs`). `cargo xtask bench` runs it all and prints
//! one table; `benches/README.md` says how to look closer.

pub mod eval;
#[cfg(feature = "peers")]
pub mod eval_peer;
pub mod inputs;
#[cfg(feature = "peers")]
pub mod readers;
pub mod structs;
