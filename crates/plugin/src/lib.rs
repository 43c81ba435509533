//! Terraform's plugin protocol as a server, for providers of functions. A provider is a table of
//! [`hclkit_value::Function`]s; [`Provider::serve`] is the `main` of its program:
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use hclkit_plugin::Provider;
//! use hclkit_value::Function;
//!
//! fn main() -> ExitCode {
//!     let greet = Function::typed("greet", |name: String| format!("Hello, {name}!"))
//!         .with_parameters([("name", "Who is greeted.")])
//!         .with_description("Greets somebody.");
//!     Provider::new("greeter").with_function(greet).main()
//! }
//! ```
//!
//! Terraform 1.8 and OpenTofu 1.7 and later call it as `provider::greeter::greet("world")`. Functions receive unknown
//! values, refinements, nulls and values of any type unchanged. If a function does not accept unknown values, its
//! result is unknown; Terraform calls it again when the arguments are known. Terraform keeps marks such as `sensitive`
//! to itself and adds them to the result.
//!
//! # What is implemented
//!
//! - go-plugin's handshake with its cookie, mutual TLS with the client's certificate pinned, its services for health,
//!   shutdown, brokers and output, and its log format.
//! - Version 6 of Terraform's plugin protocol. There are no resources, data sources or provider arguments: calls about
//!   them get an empty answer or a clear error. Write such providers in Go.
#![forbid(unsafe_code)]

mod budget;
mod error;
mod handshake;
mod listener;
mod log;
mod messages;
mod provider;
mod router;
mod rpc;
mod server;
mod service;
mod stop;
mod tls;

pub use error::ServeError;
pub use provider::Provider;
pub(crate) use provider::{describe, result_type};
