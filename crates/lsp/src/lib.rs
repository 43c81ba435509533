//! A language server for every language built on HCL. [`Server`] turns a message into messages, without threads and streams;
//! [`run`] connects it to standard input and output. What it answers comes from `hclkit-ide`. It starts no programs and uses no
//! network.
#![forbid(unsafe_code)]

mod client;
mod convert;
mod disk;
mod main_loop;
mod markup;
mod replay;
mod requests;
mod server;
mod settings;
mod uri;

pub use disk::DiskFiles;
pub use lsp_server::{Message, Notification, Request, RequestId, Response};
pub use main_loop::run;
pub use replay::replay;
pub use server::Server;
